//! The two dimensions of mechanics: vectors, rotations and inertia in the plane and in space.
//!
//! Code above this module is written once, over one sealed parameter `D: Dim` (ADR 0001). Where the physics differs, as
//! for polygons and polyhedra or for torsion, it asks for `D::DIMENSION`.

mod plane;
mod space;
mod split;
#[cfg(test)]
mod tests;
mod vector;

use std::fmt::Debug;

use crate::lane::{Four, FourVector, LANES, Lanes, Row};

pub use space::Symmetric;
pub use split::{Split, TangentialPart};
pub use vector::{Vector, in_space};

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::D2 {}
    impl Sealed for super::D3 {}
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
    /// The energy of turning is split into a part that is the same about every axis and two squares, each of which
    /// turns the body about one axis at a constant rate: exact for a symmetric top; symmetric, so that -dt leads back;
    /// and symplectic, so that the energy stays where it was. [McLachlan 1993, Reich 1994]
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
    type FourVecs<S: Lanes>: FourVector<S, Rows = Self::Rows> + Split<Across = Self::FourSpins<S>>;
    /// One vector, as laws that are written for one contact or four see it.
    type Numbers: Split<Number = f64>;
    /// A vector as [`Dim::Numbers`].
    fn numbers(v: Self::Vec) -> Self::Numbers;
    /// The vector of [`Dim::Numbers`].
    fn vector(numbers: Self::Numbers) -> Self::Vec;
    /// Four spins in memory.
    type SpinRows: Copy + Debug + Default;
    /// Four spins in lanes.
    type FourSpins<S: Lanes>: FourVector<S, Rows = Self::SpinRows> + TangentialPart;
    /// [`Dim::torque`] in lanes.
    fn four_torques<S: Lanes>(arm: Self::FourVecs<S>, force: Self::FourVecs<S>) -> Self::FourSpins<S>;
    /// [`Dim::swing`] in lanes.
    fn four_swings<S: Lanes>(spin: Self::FourSpins<S>, arm: Self::FourVecs<S>) -> Self::FourVecs<S>;
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

    /// The form that something has in this dimension.
    fn pick<P: PerDim>(both: &P) -> &P::In<Self>;
}

/// Something that has a form for the plane and one for space.
pub trait PerDim {
    /// Its form in a dimension.
    type In<D: Dim>: ?Sized;
    /// That for the plane.
    fn plane(&self) -> &Self::In<D2>;
    /// That for space.
    fn space(&self) -> &Self::In<D3>;
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

/// The plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct D2;

/// Space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct D3;
