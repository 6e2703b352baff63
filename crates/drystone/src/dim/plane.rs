//! Mechanics of the plane.

use std::f64::consts::PI;

use glam::DVec2;

use super::{D2, Dim, FourBodies, PerDim};
use crate::lane::{EACH, Four, LANES, Lanes, MapInlined, NumberArray, Real, Row};

impl Dim for D2 {
    const DIMENSION: usize = 2;
    const AXES: &'static [&'static str] = &["x", "y"];
    const ROUND: &'static str = "disk";
    type Vec = DVec2;
    type Spin = f64;
    type Rot = f64;
    type Moments = f64;
    const UPRIGHT: f64 = 0.0;
    const BALL_INERTIA: f64 = 0.5;

    #[inline]
    fn torque(arm: DVec2, force: DVec2) -> f64 {
        arm.x * force.y - arm.y * force.x
    }
    #[inline]
    fn swing(spin: f64, arm: DVec2) -> DVec2 {
        DVec2::new(-spin * arm.y, spin * arm.x)
    }
    fn turn(rot: f64, spin: f64, dt: f64) -> f64 {
        rot + spin * dt
    }
    #[inline]
    fn turn_little(rot: f64, spin: f64, dt: f64) -> f64 {
        rot + spin * dt
    }
    #[inline(always)]
    fn turn_four<S: Lanes>(_: S, rots: [f64; LANES], spins: [f64; LANES], dt: f64) -> [f64; LANES] {
        EACH.map_inlined(|k| Self::turn_little(rots[k], spins[k], dt))
    }
    type Sym = f64;
    fn inverse_inertia(_: f64, inv_i: f64) -> f64 {
        inv_i
    }
    #[inline]
    fn spin(inverse: &f64, momentum: f64) -> f64 {
        momentum * *inverse
    }
    fn angular_momentum(_: f64, inv_i: f64, spin: f64) -> f64 {
        spin / inv_i
    }
    #[inline]
    fn is_isotropic(_: f64) -> bool {
        true
    }
    fn tumble(rot: f64, _: f64, spin: f64, dt: f64) -> (f64, f64) {
        (rot + spin * dt, spin)
    }
    #[inline]
    fn commutator(_: f64, _: f64) -> f64 {
        0.0
    }
    fn rotation(rot: f64) -> impl Fn(DVec2) -> DVec2 {
        let (sin, cos) = libm::sincos(rot);
        move |v| DVec2::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y)
    }
    fn rot_numbers(rot: f64) -> Vec<f64> {
        vec![rot]
    }
    fn rot_from(numbers: &[f64]) -> f64 {
        numbers[0]
    }
    fn quaternion(rot: f64) -> [f64; 4] {
        [0.0, 0.0, libm::sin(0.5 * rot), libm::cos(0.5 * rot)]
    }
    fn rot_of([_, _, z, w]: [f64; 4]) -> f64 {
        let angle = 2.0 * libm::atan2(z, w);
        angle - 2.0 * PI * (angle / (2.0 * PI)).round()
    }
    fn spin3(spin: f64) -> [f64; 3] {
        [0.0, 0.0, spin]
    }
    fn spin_of([_, _, z]: [f64; 3]) -> f64 {
        z
    }
    fn ball_volume(radius: f64, depth: f64) -> f64 {
        PI * radius * radius * depth
    }
    fn tangents(normal: DVec2) -> Vec<DVec2> {
        vec![DVec2::new(-normal.y, normal.x)]
    }

    type Rows = [Row; 2];
    type FourVecs<S: Lanes> = NumberArray<Four<S>, 2>;
    type Numbers = NumberArray<f64, 2>;
    #[inline(always)]
    fn numbers(v: DVec2) -> NumberArray<f64, 2> {
        NumberArray([v.x, v.y])
    }
    #[inline(always)]
    fn vector(NumberArray([x, y]): NumberArray<f64, 2>) -> DVec2 {
        DVec2::new(x, y)
    }
    type SpinRows = [Row; 1];
    type FourSpins<S: Lanes> = NumberArray<Four<S>, 1>;
    #[inline(always)]
    fn four_torques<S: Lanes>(
        NumberArray([ax, ay]): NumberArray<Four<S>, 2>,
        NumberArray([fx, fy]): NumberArray<Four<S>, 2>,
    ) -> NumberArray<Four<S>, 1> {
        NumberArray([ax * fy - ay * fx])
    }
    #[inline(always)]
    fn four_swings<S: Lanes>(
        NumberArray([w]): NumberArray<Four<S>, 1>,
        NumberArray([x, y]): NumberArray<Four<S>, 2>,
    ) -> NumberArray<Four<S>, 2> {
        NumberArray([-w * y, w * x])
    }
    type SymRows = Row;
    fn put_sym(rows: &mut Row, lane: usize, sym: &f64) {
        rows[lane] = *sym;
    }
    fn get_sym(rows: &Row, lane: usize) -> f64 {
        rows[lane]
    }
    #[inline(always)]
    fn four_spins<S: Lanes>(lanes: S, inverse: &Row, momentum: NumberArray<Four<S>, 1>) -> NumberArray<Four<S>, 1> {
        momentum * Four::load(lanes, inverse)
    }
    #[inline(always)]
    fn from_columns<S: Lanes>([[vx, vy, w, _], [inv_m, ..]]: [[Four<S>; LANES]; 2]) -> FourBodies<D2, S> {
        FourBodies { v: NumberArray([vx, vy]), w: NumberArray([w]), inv_m }
    }
    #[inline(always)]
    fn columns<S: Lanes>(
        NumberArray([vx, vy]): NumberArray<Four<S>, 2>,
        NumberArray([w]): NumberArray<Four<S>, 1>,
    ) -> [[Four<S>; LANES]; 2] {
        let zero = vx.zero();
        [[vx, vy, w, zero], [zero; LANES]]
    }
    fn pick<P: PerDim>(both: &P) -> &P::In<Self> {
        both.plane()
    }
}
