//! Bodies: grains and walls, in columns of data that are used together.

mod strain;

pub use strain::{IsotropicFactors, Strains, SymmetricTensor};

use crate::dim::{Dim, Vector};
use crate::shape::{Clump, Outline, Polygon, Polyhedron, Round, Shape, Size};
use crate::wall::WallPose;

/// Position and orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<D: Dim> {
    /// Centre of mass [m]; for a wall its displacement since the start.
    pub x: D::Vec,
    /// Orientation.
    pub q: D::Rot,
}

/// Velocity and angular velocity of a body: all that a Contact Dynamics sweep changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist<D: Dim> {
    /// Velocity of the centre of mass [m/s].
    pub v: D::Vec,
    /// Angular velocity [rad/s].
    pub w: D::Spin,
}

/// Inverse mass and moments of inertia of a body; zeros for one that cannot be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<D: Dim> {
    /// One over the mass [1/kg].
    pub inv_m: f64,
    /// One over the principal moments of inertia [1/(kg m2)].
    pub inv_i: D::Moments,
}

impl<D: Dim> Inertia<D> {
    /// An immovable body.
    pub const IMMOVABLE: Inertia<D> = Inertia { inv_m: 0.0, inv_i: D::Moments::ZERO };

    /// A body that can be moved, but not turned.
    pub fn unturnable(mass: f64) -> Inertia<D> {
        Inertia { inv_m: 1.0 / mass, inv_i: D::Moments::ZERO }
    }

    /// A body whose moment of inertia is the same about every axis.
    pub fn isotropic(mass: f64, moment: f64) -> Inertia<D> {
        Inertia { inv_m: 1.0 / mass, inv_i: D::Moments::from_fn(|_| 1.0 / moment) }
    }

    /// Whether contacts can move the body.
    pub fn is_movable(&self) -> bool {
        self.inv_m > 0.0
    }

    /// Mass [kg]; infinite for an immovable body.
    pub fn mass(&self) -> f64 {
        1.0 / self.inv_m
    }

    /// Inverse moment of inertia about the first axis [1/(kg m2)], which for a round body is that about any axis; zero
    /// for a body that cannot turn.
    pub fn round_inv_i(&self) -> f64 {
        self.inv_i.get(0)
    }
}

/// All bodies of a world. The first ones are its walls, in their order; grains follow.
#[derive(Clone, Debug, Default)]
pub struct Bodies<D: Dim> {
    /// Positions and orientations.
    pub pose: Vec<Pose<D>>,
    /// Velocities and angular velocities.
    pub twist: Vec<Twist<D>>,
    /// Inverse masses and moments of inertia.
    pub inertia: Vec<Inertia<D>>,
    /// Shapes.
    pub shape: Vec<Shape>,
    /// Outlines of bodies that are not round; bodies of the same shape share one.
    pub outlines: Vec<Outline<D>>,
    /// Sizes.
    pub sizes: Vec<Size>,
    /// Number of the material.
    pub material: Vec<u16>,
    /// Number that the scenario gave to the grain (or to the wall, among walls). Never changes.
    pub id: Vec<u32>,
    /// Strains of grains that deform; `None` if all bodies are rigid.
    pub strains: Option<Strains<D>>,
}

impl<D: Dim> Bodies<D> {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.pose.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pose.is_empty()
    }

    /// Adds a body at rest and returns its index.
    pub fn push(&mut self, x: D::Vec, inertia: Inertia<D>, shape: Shape, material: u16, id: u32) -> usize {
        self.pose.push(Pose { x, q: D::UPRIGHT });
        self.twist.push(Twist::default());
        self.inertia.push(inertia);
        self.shape.push(shape);
        self.material.push(material);
        self.id.push(id);
        self.strains.iter_mut().for_each(Strains::push);
        self.len() - 1
    }

    /// Adds a solid round grain at rest and returns its index.
    pub fn push_round(&mut self, x: D::Vec, radius: f64, density: f64, depth: f64, id: u32) -> usize {
        let round = Round { radius };
        let mass = density * round.volume::<D>(depth);
        self.push(x, Inertia::isotropic(mass, round.moment::<D>(mass)), Shape::Round(round), 0, id)
    }

    /// Adds a clump or capsule at rest, with its centre of mass at `x` and its balls turned as they were given, and
    /// returns its index. In the plane it has the given depth.
    pub fn push_clump(&mut self, x: D::Vec, clump: &Clump, density: f64, depth: f64, id: u32) -> usize {
        let number = self.outline(clump.outline());
        let mass = density * clump.volume * if D::DIMENSION == 2 { depth } else { 1.0 };
        let inv_i = D::Moments::from_fn(|axis| 1.0 / (mass * clump.gyration[axis]));
        let shape = self.outlines[number].shape(number);
        let body = self.push(x, Inertia { inv_m: 1.0 / mass, inv_i }, shape, 0, id);
        self.pose[body].q = D::rot_of(clump.axes.to_array());
        body
    }

    /// Radius of the largest ball inside the body around its centre; of a clump, that of its smallest ball [m].
    /// Infinite for a wall.
    #[inline]
    pub fn inner_radius(&self, body: usize) -> f64 {
        match self.shape[body] {
            Shape::Round(round) => round.radius,
            Shape::Stone(stone) | Shape::Clump(stone) => self.sizes[stone.outline as usize].inner,
            Shape::Wall => f64::INFINITY,
        }
    }

    /// The pose of a wall.
    pub fn wall_pose(&self, wall: usize) -> WallPose<D> {
        let Pose { x, q } = self.pose[wall];
        WallPose { x, q }
    }

    /// I^-1 of a body in its present orientation, in world coordinates.
    pub fn inverse_inertia(&self, body: usize) -> D::Sym {
        D::inverse_inertia(self.pose[body].q, self.inertia[body].inv_i)
    }

    /// Adds an outline to the list, unless it is there, and returns its number.
    pub fn outline(&mut self, outline: Outline<D>) -> usize {
        match self.outlines.iter().rposition(|known| *known == outline) {
            Some(number) => number,
            None => {
                self.sizes.push(outline.size());
                self.outlines.push(outline);
                self.outlines.len() - 1
            }
        }
    }

    /// Angular momentum of a movable body about the origin [kg m2/s]: x x m v + I w, without the last term if it cannot
    /// turn.
    pub fn angular_momentum(&self, body: usize) -> D::Spin {
        let (Pose { x, q }, Twist { v, w }, inertia) = (self.pose[body], self.twist[body], &self.inertia[body]);
        let orbit = D::torque(x, v * inertia.mass());
        match inertia.round_inv_i() {
            0.0 => orbit,
            inv_i if D::is_isotropic(inertia.inv_i) => orbit + w * (1.0 / inv_i),
            _ => orbit + D::angular_momentum(q, inertia.inv_i, w),
        }
    }

    /// Kinetic energy of one body [J], with that of its strain.
    pub fn kinetic_energy(&self, body: usize) -> f64 {
        let (twist, inertia) = (&self.twist[body], &self.inertia[body]);
        if !inertia.is_movable() {
            return 0.0;
        }
        let spinning = match inertia.round_inv_i() {
            0.0 => 0.0, // a piston: it moves, but does not turn
            inv_i if D::is_isotropic(inertia.inv_i) => twist.w.norm_squared() / inv_i,
            _ => twist.w.dot(D::angular_momentum(self.pose[body].q, inertia.inv_i, twist.w)),
        };
        let rigid = 0.5 * (twist.v.norm_squared() / inertia.inv_m + spinning);
        match &self.strains {
            Some(Strains { rate, .. }) => rigid + 0.5 * self.strain_inertia(body) * rate[body].contract(&rate[body]),
            None => rigid,
        }
    }

    /// Kinetic energy of some bodies together [J].
    pub fn kinetic_energy_of(&self, bodies: impl Iterator<Item = usize>) -> f64 {
        bodies.map(|body| self.kinetic_energy(body)).sum()
    }

    /// Volume of a grain [m3]; in the plane it has the given depth. A wall has none.
    pub fn volume(&self, body: usize, depth: f64) -> f64 {
        match self.shape[body] {
            Shape::Round(round) => round.volume::<D>(depth),
            Shape::Stone(stone) | Shape::Clump(stone) => {
                self.sizes[stone.outline as usize].volume * if D::DIMENSION == 2 { depth } else { 1.0 }
            }
            Shape::Wall => 0.0,
        }
    }

    /// Adds a solid polygon at rest, with its centre of mass at `x`, and returns its index. In space it has no meaning.
    pub fn push_polygon(&mut self, x: D::Vec, polygon: &Polygon, density: f64, depth: f64, id: u32) -> usize {
        let lift = |v: &glam::DVec2| D::Vec::from_fn(|axis| [v.x, v.y, 0.0][axis]);
        let outline = Outline {
            corners: polygon.outline.corners.iter().map(lift).collect(),
            normals: polygon.outline.normals.iter().map(lift).collect(),
            ..Outline::default()
        };
        let mass = density * polygon.area * depth;
        let number = self.outline(outline);
        let shape = self.outlines[number].shape(number);
        self.push(x, Inertia::isotropic(mass, mass * polygon.gyration), shape, 0, id)
    }

    /// Adds a solid polyhedron at rest, with its centre of mass at `x` and its corners turned as they were given, and
    /// returns its index. In the plane it has no meaning.
    pub fn push_polyhedron(&mut self, x: D::Vec, polyhedron: &Polyhedron, density: f64, id: u32) -> usize {
        let lift = |v: &glam::DVec3| D::Vec::from_fn(|axis| v[axis]);
        let Outline { corners, normals, faces, .. } = &polyhedron.outline;
        let (corners, normals) = (corners.iter().map(lift).collect(), normals.iter().map(lift).collect());
        let number = self.outline(Outline::assembled(corners, normals, faces.clone()));
        let mass = density * polyhedron.volume;
        let inv_i = D::Moments::from_fn(|axis| 1.0 / (mass * polyhedron.gyration[axis]));
        let shape = self.outlines[number].shape(number);
        let body = self.push(x, Inertia { inv_m: 1.0 / mass, inv_i }, shape, 0, id);
        self.pose[body].q = D::rot_of(polyhedron.axes.to_array());
        body
    }
}
