//! Mechanics of space.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::{D3, Dim, FourBodies, PerDim, Vector};
use crate::lane::{EACH, Four, LANES, Lanes, MapInlined, NumberArray, Real, Row};

/// A symmetric tensor of space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric {
    /// xx, yy, zz.
    pub diagonal: DVec3,
    /// yz, xz, xy.
    pub off: DVec3,
}

impl Dim for D3 {
    const DIMENSION: usize = 3;
    const AXES: &'static [&'static str] = &["x", "y", "z"];
    const ROUND: &'static str = "sphere";
    type Vec = DVec3;
    type Spin = DVec3;
    type Rot = DQuat;
    type Moments = DVec3;
    const UPRIGHT: DQuat = DQuat::IDENTITY;
    const BALL_INERTIA: f64 = 0.4;

    #[inline]
    fn torque(arm: DVec3, force: DVec3) -> DVec3 {
        arm.cross(force)
    }
    #[inline]
    fn swing(spin: DVec3, arm: DVec3) -> DVec3 {
        spin.cross(arm)
    }
    fn turn(rot: DQuat, spin: DVec3, dt: f64) -> DQuat {
        let half = Vector::norm(spin) * (0.5 * dt);
        if half == 0.0 {
            return rot;
        }
        let axis = spin * (0.5 * dt * libm::sin(half) / half);
        let step = DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(half));
        (step * rot).normalize()
    }
    #[inline(always)]
    fn turn_little(rot: DQuat, spin: DVec3, dt: f64) -> DQuat {
        let half = spin * (0.5 * dt);
        let square = Vector::norm_squared(half);
        if square > 1e-4 {
            return Self::turn(rot, spin, dt);
        }
        // sin(h) / h and cos(h) to h^6: the next terms are below 1e-18
        let sine = 1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0)));
        let cosine = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0)));
        let axis = half * sine;
        let turned = DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine) * rot;
        // one step of Newton towards length 1: no more is needed from turn to turn, and it takes no root
        turned * (1.5 - 0.5 * turned.length_squared())
    }
    #[inline(always)]
    fn turn_four<S: Lanes>(lanes: S, rots: [DQuat; LANES], spins: [DVec3; LANES], dt: f64) -> [DQuat; LANES] {
        let all = |number: f64| Four::splat(lanes, number);
        let [x, y, z, _] = Four::transpose(spins.map_inlined(|spin| Four::load(lanes, &[spin.x, spin.y, spin.z, 0.0])));
        let (x, y, z) = (x * all(0.5 * dt), y * all(0.5 * dt), z * all(0.5 * dt));
        let square = x * x + y * y + z * z;
        if square.any_greater(all(1e-4)) {
            return EACH.map_inlined(|k| Self::turn_little(rots[k], spins[k], dt));
        }
        let one = all(1.0);
        let sine = one - square * (all(1.0 / 6.0) - square * (all(1.0 / 120.0) - square * all(1.0 / 5040.0)));
        let cosine = one - square * (all(0.5) - square * (all(1.0 / 24.0) - square * all(1.0 / 720.0)));
        let turn = [x * sine, y * sine, z * sine, cosine];
        let [x, y, z, w] = product(turn, Four::transpose(rots.map_inlined(|rot| Four::load(lanes, &rot.to_array()))));
        let scale = all(1.5) - all(0.5) * (x * x + y * y + z * z + w * w);
        Four::transpose([x * scale, y * scale, z * scale, w * scale]).map_inlined(|rot| DQuat::from_array(rot.row()))
    }
    type Sym = Symmetric;
    fn inverse_inertia(rot: DQuat, inv_i: DVec3) -> Symmetric {
        if Self::is_isotropic(inv_i) {
            return Symmetric { diagonal: inv_i, off: DVec3::ZERO };
        }
        // R diag(inv_i) R^T
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map_inlined(|axis| rot * axis);
        let (x_i, y_i, z_i) = (x * inv_i.x, y * inv_i.y, z * inv_i.z);
        let mixed = |p: usize, q: usize| x_i[p] * x[q] + y_i[p] * y[q] + z_i[p] * z[q];
        let diagonal = DVec3::new(mixed(0, 0), mixed(1, 1), mixed(2, 2));
        Symmetric { diagonal, off: DVec3::new(mixed(1, 2), mixed(0, 2), mixed(0, 1)) }
    }
    #[inline(always)]
    fn spin(Symmetric { diagonal: d, off }: &Symmetric, l: DVec3) -> DVec3 {
        DVec3::new(
            d.x * l.x + (off.z * l.y + off.y * l.z),
            d.y * l.y + (off.z * l.x + off.x * l.z),
            d.z * l.z + (off.y * l.x + off.x * l.y),
        )
    }
    fn angular_momentum(rot: DQuat, inv_i: DVec3, spin: DVec3) -> DVec3 {
        if Self::is_isotropic(inv_i) {
            return spin * (1.0 / inv_i.x);
        }
        rot * ((rot.conjugate() * spin) / inv_i)
    }
    #[inline]
    fn is_isotropic(inv_i: DVec3) -> bool {
        inv_i.x == inv_i.y && inv_i.y == inv_i.z
    }
    fn tumble(rot: DQuat, inv_i: DVec3, spin: DVec3, dt: f64) -> (DQuat, DVec3) {
        if Self::is_isotropic(inv_i) {
            return (Self::turn(rot, spin, dt), spin);
        }
        let momentum = Self::angular_momentum(rot, inv_i, spin);
        // the middle one of 1/I turns the whole about L; what the others differ from it turns it about their own axes
        let [x, y, z] = inv_i.to_array();
        let middle = x.max(y).min(x.min(y).max(z));
        let base = (0..3).find(|axis| inv_i[*axis] == middle).unwrap_or(0);
        let (p, q) = ((base + 1) % 3, (base + 2) % 3);
        let (mut rot, mut own) = (rot, rot.conjugate() * momentum);
        for (axis, share) in [(p, 0.5), (q, 1.0), (p, 0.5)] {
            let half = 0.5 * share * dt * (inv_i[axis] - middle) * own[axis];
            let (sin, cos) = libm::sincos(half);
            let mut part = [0.0, 0.0, 0.0, cos];
            part[axis] = sin;
            let part = DQuat::from_array(part);
            rot *= part;
            own = part.conjugate() * own;
        }
        let rot = Self::turn(rot, momentum * middle, dt);
        // once more with what rounding has lost: else it would add up from step to step
        let inverse = Self::inverse_inertia(rot, inv_i);
        let spin = Self::spin(&inverse, momentum);
        let lost = momentum - Self::angular_momentum(rot, inv_i, spin);
        (rot, spin + Self::spin(&inverse, lost))
    }
    #[inline]
    fn commutator(a: DVec3, b: DVec3) -> DVec3 {
        a.cross(b)
    }
    fn rotation(rot: DQuat) -> impl Fn(DVec3) -> DVec3 {
        move |v| rot * v
    }
    fn rot_numbers(rot: DQuat) -> Vec<f64> {
        rot.to_array().to_vec()
    }
    fn rot_from(numbers: &[f64]) -> DQuat {
        DQuat::from_xyzw(numbers[0], numbers[1], numbers[2], numbers[3])
    }
    fn quaternion(rot: DQuat) -> [f64; 4] {
        rot.to_array()
    }
    fn rot_of(quaternion: [f64; 4]) -> DQuat {
        DQuat::from_array(quaternion)
    }
    fn spin3(spin: DVec3) -> [f64; 3] {
        spin.to_array()
    }
    fn spin_of(spin: [f64; 3]) -> DVec3 {
        DVec3::from_array(spin)
    }
    fn ball_volume(radius: f64, _depth: f64) -> f64 {
        4.0 / 3.0 * PI * radius * radius * radius
    }
    fn tangents(normal: DVec3) -> Vec<DVec3> {
        let (t1, t2) = normal.any_orthonormal_pair();
        vec![t1, t2]
    }

    type Rows = [Row; 3];
    type FourVecs<S: Lanes> = NumberArray<Four<S>, 3>;
    type Numbers = NumberArray<f64, 3>;
    #[inline(always)]
    fn numbers(v: DVec3) -> NumberArray<f64, 3> {
        NumberArray([v.x, v.y, v.z])
    }
    #[inline(always)]
    fn vector(NumberArray([x, y, z]): NumberArray<f64, 3>) -> DVec3 {
        DVec3::new(x, y, z)
    }
    type SpinRows = [Row; 3];
    type FourSpins<S: Lanes> = NumberArray<Four<S>, 3>;
    #[inline(always)]
    fn four_torques<S: Lanes>(arm: NumberArray<Four<S>, 3>, force: NumberArray<Four<S>, 3>) -> NumberArray<Four<S>, 3> {
        cross(arm, force)
    }
    #[inline(always)]
    fn four_swings<S: Lanes>(spin: NumberArray<Four<S>, 3>, arm: NumberArray<Four<S>, 3>) -> NumberArray<Four<S>, 3> {
        cross(spin, arm)
    }
    type SymRows = [Row; 6];
    fn put_sym(rows: &mut [Row; 6], lane: usize, sym: &Symmetric) {
        let numbers = sym.diagonal.to_array().into_iter().chain(sym.off.to_array());
        rows.iter_mut().zip(numbers).for_each(|(row, number)| row[lane] = number);
    }
    fn get_sym(rows: &[Row; 6], lane: usize) -> Symmetric {
        let of = |k: usize| DVec3::new(rows[k][lane], rows[k + 1][lane], rows[k + 2][lane]);
        Symmetric { diagonal: of(0), off: of(3) }
    }
    #[inline(always)]
    fn four_spins<S: Lanes>(
        lanes: S,
        inverse: &[Row; 6],
        NumberArray([x, y, z]): NumberArray<Four<S>, 3>,
    ) -> NumberArray<Four<S>, 3> {
        let [xx, yy, zz, yz, xz, xy] = inverse.each_ref().map_inlined(|row| Four::load(lanes, row));
        NumberArray([xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z])
    }
    #[inline(always)]
    fn from_columns<S: Lanes>([[vx, vy, vz, inv_m], [wx, wy, wz, _]]: [[Four<S>; LANES]; 2]) -> FourBodies<D3, S> {
        FourBodies { v: NumberArray([vx, vy, vz]), w: NumberArray([wx, wy, wz]), inv_m }
    }
    #[inline(always)]
    fn columns<S: Lanes>(
        NumberArray([vx, vy, vz]): NumberArray<Four<S>, 3>,
        NumberArray([wx, wy, wz]): NumberArray<Four<S>, 3>,
    ) -> [[Four<S>; LANES]; 2] {
        let zero = vx.zero();
        [[vx, vy, vz, zero], [wx, wy, wz, zero]]
    }
    fn pick<P: PerDim>(both: &P) -> &P::In<Self> {
        both.space()
    }
}

/// Four products of quaternions x, y, z, w, rounded as one at a time are.
#[inline(always)]
fn product<S: Lanes>([ax, ay, az, aw]: [Four<S>; 4], [bx, by, bz, bw]: [Four<S>; 4]) -> [Four<S>; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

#[inline(always)]
fn cross<S: Lanes>(
    NumberArray([ax, ay, az]): NumberArray<Four<S>, 3>,
    NumberArray([bx, by, bz]): NumberArray<Four<S>, 3>,
) -> NumberArray<Four<S>, 3> {
    NumberArray([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
}
