//! The two dimensions of mechanics. This is the only file that knows how 2 differs from 3.
//!
//! Everything above is written once, over one sealed parameter `D: Dim` (ADR 0001).

use std::f64::consts::PI;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::{DQuat, DVec2, DVec3};

use crate::lane::{Four, FourVector, Fours, LANES, Lanes, Row};

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::D2 {}
    impl Sealed for super::D3 {}
}

/// A vector of the plane or of space, or the single spin of the plane. Vector first, scalar second: `v * s`.
pub trait Vector:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// The vector without length.
    const ZERO: Self;
    /// Number of components.
    const LEN: usize;
    /// Builds a vector from its components.
    fn from_fn(component: impl FnMut(usize) -> f64) -> Self;
    /// Component along an axis, 0 to `LEN` - 1.
    fn get(self, axis: usize) -> f64;
    /// Scalar product.
    fn dot(self, other: Self) -> f64;

    /// Square of the length.
    #[inline]
    fn norm_squared(self) -> f64 {
        self.dot(self)
    }
    /// Length.
    #[inline]
    fn norm(self) -> f64 {
        self.norm_squared().sqrt()
    }
    /// Whether no component is NaN or infinite.
    fn is_finite(self) -> bool {
        (0..Self::LEN).all(|axis| self.get(axis).is_finite())
    }
    /// The component along `normal` taken out: what lies in the tangent plane.
    #[inline]
    fn tangent_to(self, normal: Self) -> Self {
        self - normal * self.dot(normal)
    }
    /// The vector, shortened to `limit` if it is longer.
    #[inline]
    fn clamp_norm(self, limit: f64) -> Self {
        let norm = self.norm();
        if norm > limit { self * (limit / norm) } else { self }
    }
}

impl Vector for f64 {
    const ZERO: Self = 0.0;
    const LEN: usize = 1;
    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        component(0)
    }
    #[inline(always)]
    fn get(self, _: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self * other
    }
}

impl Vector for DVec2 {
    const ZERO: Self = DVec2::ZERO;
    const LEN: usize = 2;
    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        DVec2::new(component(0), component(1))
    }
    #[inline(always)]
    fn get(self, axis: usize) -> f64 {
        self[axis]
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

impl Vector for DVec3 {
    const ZERO: Self = DVec3::ZERO;
    const LEN: usize = 3;
    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        DVec3::new(component(0), component(1), component(2))
    }
    #[inline(always)]
    fn get(self, axis: usize) -> f64 {
        self[axis]
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

/// A dimension of mechanics: [`D2`] or [`D3`], and no other.
pub trait Dim: sealed::Sealed + Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// 2 or 3.
    const DIMENSION: usize;
    /// Names of the axes.
    const AXES: &'static [&'static str];
    /// What a round grain is called.
    const ROUND: &'static str;

    /// Positions, velocities, forces.
    type Vec: Vector;
    /// Angular velocities, torques.
    type Spin: Vector;
    /// Orientations: an angle, or a unit quaternion.
    type Rot: Copy + Debug + PartialEq + Send + Sync;
    /// Inverse moments of inertia about the principal axes.
    type Moments: Vector;

    /// I^-1 of a body as it stands in the world: a number, or six.
    type Sym: Copy + Debug + Default + PartialEq + Send + Sync;

    /// The orientation of a body that was never turned.
    const UPRIGHT: Self::Rot;

    /// Torque of a force at the end of an arm: arm x force.
    fn torque(arm: Self::Vec, force: Self::Vec) -> Self::Spin;
    /// Velocity of the end of an arm that spins: spin x arm.
    fn swing(spin: Self::Spin, arm: Self::Vec) -> Self::Vec;
    /// The orientation after spinning for `dt`, by the exponential map.
    fn turn(rot: Self::Rot, spin: Self::Spin, dt: f64) -> Self::Rot;
    /// [`Dim::turn`] for little angles, by series that end where rounding does; others take the exponential map.
    fn turn_little(rot: Self::Rot, spin: Self::Spin, dt: f64) -> Self::Rot;
    /// [`Dim::turn_little`] for four at once, bit by bit the same.
    fn turn_four<S: Lanes>(
        lanes: S,
        rots: [Self::Rot; LANES],
        spins: [Self::Spin; LANES],
        dt: f64,
    ) -> [Self::Rot; LANES];
    /// I^-1 in the world of a body turned by `rot`, from one over its principal moments.
    fn inverse_inertia(rot: Self::Rot, inv_i: Self::Moments) -> Self::Sym;
    /// Angular velocity of an angular momentum: I^-1 L.
    fn spin(inverse: &Self::Sym, momentum: Self::Spin) -> Self::Spin;
    /// Angular momentum of a body that turns: I w. Infinite or not a number for a body that cannot turn and does.
    fn angular_momentum(rot: Self::Rot, inv_i: Self::Moments, spin: Self::Spin) -> Self::Spin;
    /// Whether the moment of inertia is the same about every axis, so that a free body keeps its angular velocity.
    fn is_isotropic(inv_i: Self::Moments) -> bool;
    /// Orientation and angular velocity of a free body after `dt`: it keeps its angular momentum.
    ///
    /// The energy of turning is split into a part that is the same about every axis and two squares, each of which turns
    /// the body about one axis at a constant rate: exact for a symmetric top; symmetric, so that -dt leads back; and
    /// symplectic, so that the energy stays where it was. [McLachlan 1993, Reich 1994]
    fn tumble(rot: Self::Rot, inv_i: Self::Moments, spin: Self::Spin, dt: f64) -> (Self::Rot, Self::Spin);
    /// Commutator of two spins: a x b; zero in the plane, where rotations do not mind their order.
    fn commutator(a: Self::Spin, b: Self::Spin) -> Self::Spin;
    /// How a vector of the body stands in the world.
    fn rotation(rot: Self::Rot) -> impl Fn(Self::Vec) -> Self::Vec;
    /// The orientation as numbers: one angle, or x, y, z, w.
    fn rot_numbers(rot: Self::Rot) -> Vec<f64>;
    /// The orientation from the numbers of [`Dim::rot_numbers`].
    fn rot_from(numbers: &[f64]) -> Self::Rot;
    /// The orientation as a unit quaternion x, y, z, w.
    fn quaternion(rot: Self::Rot) -> [f64; 4];
    /// The orientation of a unit quaternion x, y, z, w; in the plane an angle between -pi and pi.
    fn rot_of(quaternion: [f64; 4]) -> Self::Rot;
    /// An angular velocity or torque in space: in the plane it points along z.
    fn spin3(spin: Self::Spin) -> [f64; 3];
    /// The angular velocity or torque of [`Dim::spin3`].
    fn spin_of(spin: [f64; 3]) -> Self::Spin;

    /// Volume of a round body; a disk is a cylinder of the scenario's `depth` [m3].
    fn ball_volume(radius: f64, depth: f64) -> f64;
    /// Moment of inertia of a solid round body over m r^2: 1/2 for a disk, 2/5 for a sphere.
    const BALL_INERTIA: f64;
    /// Unit vectors that span the plane with this normal.
    fn tangents(normal: Self::Vec) -> Vec<Self::Vec>;

    /// Four vectors in memory.
    type Rows: Copy + Debug + Default + Send + Sync + AsRef<[Row]> + AsMut<[Row]>;
    /// Four vectors in lanes.
    type FourVecs<S: Lanes>: FourVector<S, Rows = Self::Rows>;
    /// Four spins in memory.
    type SpinRows: Copy + Debug + Default;
    /// Four spins in lanes.
    type FourSpins<S: Lanes>: FourVector<S, Rows = Self::SpinRows>;
    /// [`Dim::torque`] in lanes.
    fn four_torques<S: Lanes>(arm: Self::FourVecs<S>, force: Self::FourVecs<S>) -> Self::FourSpins<S>;
    /// [`Dim::swing`] in lanes.
    fn four_swings<S: Lanes>(spin: Self::FourSpins<S>, arm: Self::FourVecs<S>) -> Self::FourVecs<S>;
    /// Parts across the normals, of vectors whose parts along them are known: numbers in the plane, vectors in space.
    fn four_across<S: Lanes>(normal: Self::FourVecs<S>, of: Self::FourVecs<S>, along: Four<S>) -> Self::FourSpins<S>;
    /// The vectors of parts across the normals.
    fn four_from_across<S: Lanes>(normal: Self::FourVecs<S>, across: Self::FourSpins<S>) -> Self::FourVecs<S>;
    /// Parts across the normals, shortened to their limits where they are longer.
    fn four_bounded<S: Lanes>(across: Self::FourSpins<S>, limit: Four<S>) -> Self::FourSpins<S>;
    /// Four inverse inertias in memory.
    type SymRows: Copy + Debug + Default + Send + Sync;
    /// Puts an inverse inertia into a lane.
    fn put_sym(rows: &mut Self::SymRows, lane: usize, sym: &Self::Sym);
    /// The inverse inertia in a lane.
    fn get_sym(rows: &Self::SymRows, lane: usize) -> Self::Sym;
    /// [`Dim::spin`] in lanes.
    fn four_spins<S: Lanes>(lanes: S, inverse: &Self::SymRows, momentum: Self::FourSpins<S>) -> Self::FourSpins<S>;
    /// Motion and inertia of four bodies from the columns of their lines.
    fn from_columns<S: Lanes>(columns: [[Four<S>; LANES]; 2]) -> FourBodies<Self, S>;
    /// Columns of velocities and spins alone, where [`Dim::from_columns`] has them; the others are zero.
    fn columns<S: Lanes>(v: Self::FourVecs<S>, w: Self::FourSpins<S>) -> [[Four<S>; LANES]; 2];
}

/// Motion and inertia of four bodies in lanes.
pub struct FourBodies<D: Dim, S: Lanes> {
    /// Velocities [m/s].
    pub v: D::FourVecs<S>,
    /// Angular velocities [rad/s].
    pub w: D::FourSpins<S>,
    /// One over the masses [1/kg].
    pub inv_m: Four<S>,
}

/// A symmetric tensor of space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric {
    /// xx, yy, zz.
    pub diagonal: DVec3,
    /// yz, xz, xy.
    pub off: DVec3,
}

/// The plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct D2;

/// Space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct D3;

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
        std::array::from_fn(|k| Self::turn_little(rots[k], spins[k], dt))
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
    type FourVecs<S: Lanes> = Fours<S, 2>;
    type SpinRows = [Row; 1];
    type FourSpins<S: Lanes> = Fours<S, 1>;
    #[inline(always)]
    fn four_torques<S: Lanes>(Fours([ax, ay]): Fours<S, 2>, Fours([fx, fy]): Fours<S, 2>) -> Fours<S, 1> {
        Fours([ax * fy - ay * fx])
    }
    #[inline(always)]
    fn four_swings<S: Lanes>(Fours([w]): Fours<S, 1>, Fours([x, y]): Fours<S, 2>) -> Fours<S, 2> {
        Fours([-w * y, w * x])
    }
    #[inline(always)]
    fn four_across<S: Lanes>(normal: Fours<S, 2>, of: Fours<S, 2>, _: Four<S>) -> Fours<S, 1> {
        D2::four_torques(normal, of)
    }
    #[inline(always)]
    fn four_from_across<S: Lanes>(normal: Fours<S, 2>, across: Fours<S, 1>) -> Fours<S, 2> {
        D2::four_swings(across, normal)
    }
    #[inline(always)]
    fn four_bounded<S: Lanes>(Fours([across]): Fours<S, 1>, limit: Four<S>) -> Fours<S, 1> {
        Fours([across.min(limit).max(-limit)])
    }
    type SymRows = Row;
    fn put_sym(rows: &mut Row, lane: usize, sym: &f64) {
        rows[lane] = *sym;
    }
    fn get_sym(rows: &Row, lane: usize) -> f64 {
        rows[lane]
    }
    #[inline(always)]
    fn four_spins<S: Lanes>(lanes: S, inverse: &Row, momentum: Fours<S, 1>) -> Fours<S, 1> {
        momentum * Four::load(lanes, inverse)
    }
    #[inline(always)]
    fn from_columns<S: Lanes>([[vx, vy, w, _], [inv_m, ..]]: [[Four<S>; LANES]; 2]) -> FourBodies<D2, S> {
        FourBodies { v: Fours([vx, vy]), w: Fours([w]), inv_m }
    }
    #[inline(always)]
    fn columns<S: Lanes>(Fours([vx, vy]): Fours<S, 2>, Fours([w]): Fours<S, 1>) -> [[Four<S>; LANES]; 2] {
        let zero = vx.zero();
        [[vx, vy, w, zero], [zero; LANES]]
    }
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
        let [x, y, z, _] = Four::transpose(spins.map(|spin| Four::load(lanes, &[spin.x, spin.y, spin.z, 0.0])));
        let (x, y, z) = (x * all(0.5 * dt), y * all(0.5 * dt), z * all(0.5 * dt));
        let square = x * x + y * y + z * z;
        if square.any_greater(all(1e-4)) {
            return std::array::from_fn(|k| Self::turn_little(rots[k], spins[k], dt));
        }
        let one = all(1.0);
        let sine = one - square * (all(1.0 / 6.0) - square * (all(1.0 / 120.0) - square * all(1.0 / 5040.0)));
        let cosine = one - square * (all(0.5) - square * (all(1.0 / 24.0) - square * all(1.0 / 720.0)));
        let turn = [x * sine, y * sine, z * sine, cosine];
        let [x, y, z, w] = product(turn, Four::transpose(rots.map(|rot| Four::load(lanes, &rot.to_array()))));
        let scale = all(1.5) - all(0.5) * (x * x + y * y + z * z + w * w);
        Four::transpose([x * scale, y * scale, z * scale, w * scale]).map(|rot| DQuat::from_array(rot.row()))
    }
    type Sym = Symmetric;
    fn inverse_inertia(rot: DQuat, inv_i: DVec3) -> Symmetric {
        if Self::is_isotropic(inv_i) {
            return Symmetric { diagonal: inv_i, off: DVec3::ZERO };
        }
        // R diag(inv_i) R^T
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| rot * axis);
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
    type FourVecs<S: Lanes> = Fours<S, 3>;
    type SpinRows = [Row; 3];
    type FourSpins<S: Lanes> = Fours<S, 3>;
    #[inline(always)]
    fn four_torques<S: Lanes>(arm: Fours<S, 3>, force: Fours<S, 3>) -> Fours<S, 3> {
        cross(arm, force)
    }
    #[inline(always)]
    fn four_swings<S: Lanes>(spin: Fours<S, 3>, arm: Fours<S, 3>) -> Fours<S, 3> {
        cross(spin, arm)
    }
    #[inline(always)]
    fn four_across<S: Lanes>(normal: Fours<S, 3>, of: Fours<S, 3>, along: Four<S>) -> Fours<S, 3> {
        of - normal * along
    }
    #[inline(always)]
    fn four_from_across<S: Lanes>(_: Fours<S, 3>, across: Fours<S, 3>) -> Fours<S, 3> {
        across
    }
    #[inline(always)]
    fn four_bounded<S: Lanes>(across: Fours<S, 3>, limit: Four<S>) -> Fours<S, 3> {
        let squared = across.dot(across);
        let share = limit / squared.sqrt();
        across * squared.choose_greater(limit * limit, share, share.one())
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
    fn four_spins<S: Lanes>(lanes: S, inverse: &[Row; 6], Fours([x, y, z]): Fours<S, 3>) -> Fours<S, 3> {
        let [xx, yy, zz, yz, xz, xy] = inverse.each_ref().map(|row| Four::load(lanes, row));
        Fours([xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z])
    }
    #[inline(always)]
    fn from_columns<S: Lanes>([[vx, vy, vz, inv_m], [wx, wy, wz, _]]: [[Four<S>; LANES]; 2]) -> FourBodies<D3, S> {
        FourBodies { v: Fours([vx, vy, vz]), w: Fours([wx, wy, wz]), inv_m }
    }
    #[inline(always)]
    fn columns<S: Lanes>(Fours([vx, vy, vz]): Fours<S, 3>, Fours([wx, wy, wz]): Fours<S, 3>) -> [[Four<S>; LANES]; 2] {
        let zero = vx.zero();
        [[vx, vy, vz, zero], [wx, wy, wz, zero]]
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
fn cross<S: Lanes>(Fours([ax, ay, az]): Fours<S, 3>, Fours([bx, by, bz]): Fours<S, 3>) -> Fours<S, 3> {
    Fours([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
}

/// A vector with three components; in the plane the third is zero.
pub fn in_space<V: Vector>(v: V) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < V::LEN { v.get(axis) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torque_and_swing_are_transposes() {
        // power of a force at an arm = torque . spin = force . swing: H and H^T of the contact are transposes
        let (arm, force, spin) = (DVec3::new(0.3, -1.0, 2.0), DVec3::new(1.5, 0.2, -0.7), DVec3::new(-0.4, 0.9, 0.1));
        let (via_torque, via_swing) = (D3::torque(arm, force).dot(spin), force.dot(D3::swing(spin, arm)));
        assert!((via_torque - via_swing).abs() < 1e-15);
        let (arm, force, spin) = (DVec2::new(0.3, -1.0), DVec2::new(1.5, 0.2), -0.4);
        assert!((D2::torque(arm, force) * spin - force.dot(D2::swing(spin, arm))).abs() < 1e-15);
    }

    struct Turn([DVec3; LANES]);
    impl crate::lane::InLanes for Turn {
        type Output = [DQuat; LANES];
        #[inline(always)]
        fn run<S: Lanes>(self, lanes: S) -> Self::Output {
            D3::turn_four(lanes, [DQuat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize(); LANES], self.0, 0.01)
        }
    }

    #[test]
    fn four_turn_as_one_does() {
        let rot = DQuat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize();
        let little = [DVec3::new(1.0, -0.3, 0.7), DVec3::ZERO, DVec3::new(0.0, 1e-9, 0.0), DVec3::new(-0.2, 0.9, 1.1)];
        let large = [little[0], DVec3::new(50.0, 0.0, 1.0), little[2], little[3]];
        for spins in [little, large] {
            let turned = crate::lane::in_lanes(Turn(spins));
            assert_eq!(turned, spins.map(|spin| D3::turn_little(rot, spin, 0.01)));
        }
        assert_ne!(D3::turn_little(rot, little[0], 0.01), rot);
    }

    #[test]
    fn orientations_come_back_from_their_quaternions() {
        for angle in [-3.0, -0.5, 0.0, 1.0, 3.1] {
            for turns in [-1.0, 0.0, 2.0] {
                let again = D2::rot_of(D2::quaternion(angle + turns * 2.0 * PI));
                assert!((again - angle).abs() < 1e-14, "{angle} and {turns} turns: {again}");
            }
        }
        let turned = D3::turn(DQuat::IDENTITY, DVec3::new(1.0, 2.0, 3.0), 0.1);
        assert_eq!(D3::rot_of(D3::quaternion(turned)), turned);
    }

    /// Exact against the analytic solution: a symmetric top precesses about its angular momentum with |L| / I_1.
    #[test]
    fn a_free_symmetric_top_precesses_regularly() {
        let (inv_i, spin) = (DVec3::new(1.0, 1.0, 0.5), DVec3::new(0.3, 0.0, 1.0));
        let momentum = D3::angular_momentum(D3::UPRIGHT, inv_i, spin);
        let (mut rot, mut w, n) = (D3::UPRIGHT, spin, 2000);
        let time = 2.0 * PI / momentum.length(); // one turn of the precession
        for _ in 0..n {
            (rot, w) = D3::tumble(rot, inv_i, w, time / f64::from(n));
        }
        assert!((rot * DVec3::Z - DVec3::Z).length() < 1e-13, "{}", rot * DVec3::Z);
        assert!((w - spin).length() < 1e-13, "{w}");
        let inverse = D3::inverse_inertia(rot, inv_i);
        assert!((D3::spin(&inverse, momentum) - w).length() < 1e-13);
    }

    #[test]
    fn a_tumble_leads_back() {
        let (inv_i, spin) = (DVec3::new(1.0, 2.0, 5.0), DVec3::new(0.3, -2.0, 1.0));
        let start = D3::turn(D3::UPRIGHT, DVec3::new(1.0, 0.5, -0.3), 1.0);
        let (rot, w) = D3::tumble(start, inv_i, spin, 0.3);
        let (again, back) = D3::tumble(rot, inv_i, w, -0.3);
        assert!((back - spin).length() < 1e-14 && (again.dot(start).abs() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_vector_turns_with_its_body() {
        // d/dt (R c) = w x (R c): a small turn moves the end of the arm by the swing
        let (spin, arm, h) = (DVec3::new(0.3, -0.2, 0.9), DVec3::new(0.5, 1.0, -0.4), 1e-7);
        let moved = (D3::rotation(D3::turn(DQuat::IDENTITY, spin, h))(arm) - arm) * (1.0 / h);
        assert!((moved - D3::swing(spin, arm)).length() < 1e-6);
        let (spin, arm) = (0.7, DVec2::new(0.5, -1.0));
        let moved = (D2::rotation(D2::turn(0.0, spin, h))(arm) - arm) * (1.0 / h);
        assert!((moved - D2::swing(spin, arm)).length() < 1e-6);
    }

    #[test]
    fn space_held_in_a_plane_turns_like_the_plane() {
        let (mut angle, mut quat) = (0.0, DQuat::IDENTITY);
        for _ in 0..100 {
            angle = D2::turn(angle, 0.7, 0.01);
            quat = D3::turn(quat, DVec3::new(0.0, 0.0, 0.7), 0.01);
        }
        let expected = D2::quaternion(angle);
        for (got, want) in D3::quaternion(quat).iter().zip(expected) {
            assert!((got - want).abs() < 1e-14);
        }
        assert!((quat.length() - 1.0).abs() < 1e-15);
    }
}
