//! Shapes of 3D stones in a scenario.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use crate::dim::D3;
use crate::input::quantity::{Angle, Length, Number, Point, Quantity, UnitVector};
use crate::input::value::{FROM_0_TO_1, POSITIVE};
use crate::input::{Placed, Reader};
use crate::list::{list, record};
use crate::scenario::schema::mesh_points::MeshPoints;
use crate::scenario::schema::sizes::{PortableRandom, Sizes};
use crate::shape::Polyhedron;
use crate::shape::polyhedron::{PolyhedronFlaw, ROUNDING};

record! {
    /// A convex polyhedron (3D).
    pub struct PolyhedronSpec at span {
        /// Its corners, in any order: the hull is taken. The centre of mass comes to where the grain is placed.
        vertices: Placed<Vec<Point<D3>>>,
    }
}

record! {
    /// A box (3D).
    pub struct BoxSpec at span {
        /// Lengths of its edges along x, y and z, before it is turned.
        size: Placed<Point<D3>> where POSITIVE,
    }
}

record! {
    /// A regular tetrahedron (3D).
    pub struct TetrahedronSpec at span {
        /// Radius of its corners: a length, or how the radii are distributed. A file of grains may bring its own.
        radius: Option<Placed<Sizes>> where POSITIVE,
    }
}

record! {
    /// The hull of the points of a file (3D).
    pub struct MeshSpec at span {
        /// An OBJ or STL file, relative to the folder of the scenario.
        file: Placed<MeshPoints>,
        /// Length of one in the file.
        unit: Length where POSITIVE,
    }
}

record! {
    /// An irregular convex polyhedron (3D), another one for every grain: corners on an ellipsoid, spread evenly and
    /// shaken.
    pub struct RandomSolidSpec at span {
        /// Radius of the ball around it: a length, or how the radii are distributed. A file of grains may bring its
        /// own.
        radius: Option<Placed<Sizes>> where POSITIVE,
        /// Number of corners: uniform between the two.
        corners: Placed<[u64; 2]> = Placed { value: [10, 16], at: Default::default() },
        /// Short over long axis of the ellipsoid; the third one is their geometric mean.
        elongation: Placed<Number> where POSITIVE = Placed { value: Quantity(1.0), at: Default::default() },
        /// How far corners are shaken: 0 for an even spread, 1 for half their distance.
        angularity: Number where FROM_0_TO_1 = Quantity(0.5),
    }
}

impl PolyhedronSpec {
    /// The polyhedron, or what is wrong with it.
    pub fn polyhedron(&self) -> Result<Polyhedron, PolyhedronFlaw> {
        Polyhedron::new(&self.vertices.value.iter().map(|corner| corner.0).collect::<Vec<_>>())
    }
}

impl MeshSpec {
    /// The polyhedron, or what is wrong with it.
    pub fn polyhedron(&self) -> Result<Polyhedron, PolyhedronFlaw> {
        let MeshPoints { points, is_single } = &self.file.value;
        let rounding = if *is_single { ROUNDING / f64::EPSILON * f64::from(f32::EPSILON) } else { ROUNDING };
        Polyhedron::hull(&points.iter().map(|x| *x * *self.unit).collect::<Vec<_>>(), rounding)
    }
}

/// The largest number of corners of a random stone: beyond it an ellipsoid serves as well.
const MOST_CORNERS: u64 = 64;

impl RandomSolidSpec {
    /// Reports numbers that make no polyhedron.
    pub fn check(&self, reader: &Reader) {
        let [low, high] = self.corners.value;
        if !(4 <= low && low <= high && high <= MOST_CORNERS) {
            let message = format!("a stone has from 4 to {MOST_CORNERS} corners, the smaller number first");
            reader.mistake::<()>("E007", &self.corners.at, message, "write corners = [10, 16]");
        }
        if **self.elongation > 1.0 {
            let message = "`elongation` is the short over the long axis, at most 1";
            reader.mistake::<()>("E007", &self.elongation.at, message, "write elongation = 0.6");
        }
    }

    /// A stone whose furthest corner is `radius` away from its centre of mass.
    pub fn polyhedron(&self, radius: f64, random: &mut PortableRandom) -> Result<Polyhedron, PolyhedronFlaw> {
        let [low, high] = self.corners.value;
        let count = low + ((random.unit() * (high - low + 1) as f64) as u64).min(high - low);
        let distance = (4.0 * PI / count as f64).sqrt(); // of corners on the unit sphere
        let shake = 0.45 * *self.angularity * distance; // corners that coincide would be one
        let short = **self.elongation;
        let axes = DVec3::new(1.0, short.sqrt(), short);
        let points: Vec<DVec3> = (0..count)
            .map(|k| {
                // a spiral of equal areas from pole to pole [Swinbank and Purser 2006]
                let z = 1.0 - (2 * k + 1) as f64 / count as f64;
                let angle = PI * (3.0 - 5.0_f64.sqrt()) * k as f64;
                let out = (1.0 - z * z).sqrt();
                let even = DVec3::new(out * libm::cos(angle), out * libm::sin(angle), z);
                let shaken = even + direction(random) * (shake * random.unit());
                shaken * (1.0 / shaken.length()) * axes
            })
            .collect();
        let scale = radius / Polyhedron::new(&points)?.outline.radius();
        Polyhedron::new(&points.iter().map(|x| *x * scale).collect::<Vec<_>>())
    }
}

/// A random direction, uniform on the sphere.
fn direction(random: &mut PortableRandom) -> DVec3 {
    let z = 2.0 * random.unit() - 1.0;
    let (angle, out) = (2.0 * PI * random.unit(), (1.0 - z * z).sqrt());
    DVec3::new(out * libm::cos(angle), out * libm::sin(angle), z)
}

record! {
    /// A turn about an axis.
    pub struct About at span {
        /// The axis, of any length.
        axis: UnitVector<D3>,
        /// The angle, right-handed.
        angle: Angle,
    }
}

list! {
    /// How grains of space are turned at the start.
    pub enum Orientation by key or Constant(About) {
        /// All orientations with the same probability.
        "random" => Random(bool),
    }
}

impl Orientation {
    /// Draws an orientation.
    pub fn draw(&self, random: &mut PortableRandom) -> DQuat {
        match self {
            Orientation::Constant(about) => {
                let (sin, cos) = libm::sincos(0.5 * *about.angle);
                let axis = about.axis.0 * sin;
                DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
            }
            Orientation::Random(false) => DQuat::IDENTITY,
            Orientation::Random(true) => {
                // [Shoemake 1992]
                let (u, v, w) = (random.unit(), 2.0 * PI * random.unit(), 2.0 * PI * random.unit());
                let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
                DQuat::from_xyzw(a * libm::sin(v), a * libm::cos(v), b * libm::sin(w), b * libm::cos(w))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_stones_have_the_radius_and_the_corners_that_were_asked_for() {
        let spec = |elongation: f64, angularity: f64| RandomSolidSpec {
            radius: None,
            corners: Placed { value: [6, 20], at: Default::default() },
            elongation: Placed { value: Quantity(elongation), at: Default::default() },
            angularity: Quantity(angularity),
            span: Default::default(),
        };
        let mut random = PortableRandom::new(1, 2);
        let mut seen = std::collections::BTreeSet::new();
        for (elongation, angularity) in [(1.0, 0.0), (1.0, 1.0), (0.3, 0.5)] {
            for _ in 0..300 {
                let stone = spec(elongation, angularity).polyhedron(0.7, &mut random).unwrap();
                let outline = &stone.outline;
                assert!((outline.radius() / 0.7 - 1.0).abs() < 1e-12 && (6..=20).contains(&outline.corners.len()));
                assert_eq!(outline.corners.len() + outline.faces.len(), outline.edges.len() + 2, "Euler");
                seen.insert(outline.corners.len());
            }
        }
        assert_eq!(seen.len(), 15, "every number of corners");
        // long stones have a small moment about their long axis: I_x / I_z of an ellipsoid, roughly
        let long = spec(0.3, 0.0).polyhedron(1.0, &mut random).unwrap().gyration;
        assert!(long.min_element() < 0.4 * long.max_element(), "{long}");
    }
}
