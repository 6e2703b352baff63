//! Walls: bodies whose surface is a signed distance (ADR 0002). One file and one entry of the list each.

pub(crate) mod block;
pub(crate) mod cuboid;
pub(crate) mod cylinder;
pub(crate) mod line;
pub(crate) mod mesh;
pub(crate) mod patch;
pub(crate) mod plane;
pub(crate) mod pose;
pub(crate) mod revolution;
pub(crate) mod rims;
pub(crate) mod rough;
pub(crate) mod seams;
pub(crate) mod sheet;
pub(crate) mod tree;

pub use block::Block;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use line::Line;
pub use mesh::Mesh;
pub use plane::Plane;
pub use pose::{WallFrame, WallPose};
pub use revolution::Revolution;
pub use rough::Rough;

use crate::dim::Dim;
use crate::input::{Reader, Span};
use crate::list::list;

/// A surface that grains touch from its free side.
pub trait Boundary<D: Dim> {
    /// Calls `meet(face, normal, distance)` for every face that is closer to `point` than `reach`.
    ///
    /// The distance is negative behind the face; the normal points to the free side. Faces are numbered, so that a
    /// grain in a corner has one contact with each of them and every contact keeps its identity. They come in the order
    /// of their numbers.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64));

    /// Calls `note(face)` for every face that [`Boundary::near`] may report while `point` moves and `reach` shrinks by
    /// as much: what a list of neighbours must hold.
    fn may_meet(&self, point: D::Vec, reach: f64, note: &mut dyn FnMut(u32)) {
        self.near(point, reach, &mut |face, _, _| note(face));
    }

    /// Whether a grain can pass from one face to the other without leaving the wall, so that its contact goes on.
    fn adjoin(&self, _one: u32, _other: u32) -> bool {
        false
    }

    /// From the axis about which the wall can spin to its surface, along the normal [m]; zero for a wall that cannot.
    fn lever(&self) -> f64 {
        0.0
    }

    /// The faces as segments (2D) or polygons (3D), cut to the box `scene`, for pictures.
    fn faces(&self, scene: &patch::Scene<D>) -> Vec<Vec<D::Vec>>;

    /// Reports mistakes of the wall in a scenario, at this place of the file.
    fn check(&self, _at: &Span, _reader: &Reader) {}

    /// Direction of the axis about which the wall can spin; `None` if it cannot, and zero in the plane.
    fn axis(&self) -> Option<D::Vec> {
        None
    }

    /// A point of the axis about which the wall turns, if its shape in the world changes when it does.
    fn pivot(&self) -> Option<D::Vec> {
        None
    }

    /// Whether contacts may lie off the line from the axis along the normal; [`Boundary::lever`] assumes that they lie
    /// on it.
    fn is_aside(&self) -> bool {
        self.pivot().is_some()
    }

    /// From the axis about which the wall can spin to a point `foot` of the wall with this normal [m], for a wall that
    /// is displaced by `x`; zero for a wall that cannot spin.
    fn arm(&self, _x: D::Vec, _foot: D::Vec, normal: D::Vec) -> D::Vec {
        normal * self.lever()
    }

    /// How far from its axis a wall reaches whose shape in the world changes when it spins [m]; zero for others.
    fn sweep(&self) -> f64 {
        0.0
    }

    /// Whether a grain can get to the other side without being behind the wall there: the wall is thin, or has an end.
    fn is_passable(&self) -> bool {
        true
    }

    /// Vertices of the wall at the start, which may touch a grain between its corners: the points of a line and the
    /// corners of a polygon.
    fn vertices(&self) -> Vec<D::Vec> {
        Vec::new()
    }

    /// Whether the wall is the same everywhere along an axis, so that a cell may repeat along it. A wall that ends
    /// somewhere or turns about an axis is not.
    fn is_along(&self, _axis: usize) -> bool {
        false
    }

    /// Which capsules may touch the wall: those whose ends alone touch it, or those whose sides the narrow phase
    /// supports.
    fn capsules(&self) -> Capsules {
        Capsules::Never("a wall of this kind")
    }

    /// Whether stones may touch the wall: only their corners touch it, or the narrow phase supports its edges.
    fn takes_stones(&self) -> bool {
        false
    }
}

/// Capsules that may touch a wall. Where some may not, with a name of the wall for the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Capsules {
    /// All.
    Always,
    /// Rigid ones.
    IfRigid(&'static str),
    /// None.
    Never(&'static str),
}

list! {
    /// The kinds of wall.
    pub enum Surface<D> by "kind" as Boundary<D> {
        /// A plane: grains stay on the side that its normal points to.
        "plane" => Plane(Plane<D>),
        /// The inside of a box with faces along the axes: grains stay within.
        "box" => Cuboid(Cuboid<D>),
        /// A convex polygon (2D): grains stay outside.
        "polygon" => Block(Block<D>),
        /// A circle (2D) or an endless cylinder (3D): grains stay inside, or outside. It can spin about its axis: a
        /// drum.
        "cylinder" => Cylinder(Cylinder<D>),
        /// Thin straight pieces from point to point (2D): a hopper, a shelf, a gate. Grains stay on the side where they
        /// are.
        "line" => Line(Line<D>),
        /// A profile of straight pieces turned about an axis (3D): a hopper, a cone, a ring, a disc. Grains stay on the
        /// side where they are. It can spin about its axis.
        "revolution" => Revolution(Revolution<D>),
        /// Triangles from an STL or OBJ file (3D): any container or obstacle. Grains stay on the side where they are,
        /// inside, or outside.
        "mesh" => Mesh(Mesh<D>),
    }
}

#[cfg(test)]
mod tests {
    use super::patch::Scene;
    use super::*;
    use crate::dim::{D2, D3, Vector};
    use crate::input::quantity::{Components, Point, Quantity};
    use crate::input::{Node, Placed, Reader, Span, Text, Value, quantity::UnitVector};
    use std::sync::Arc;

    fn tilted<D: Dim>() -> D::Vec {
        let tilted = D::Vec::from_fn(|axis| [0.48, 0.6, 0.64][axis]);
        tilted * (1.0 / tilted.norm())
    }

    /// Examples of walls. For a kind that is not here, an example is made from its required keys.
    fn examples<D: Dim>() -> Vec<Surface<D>> {
        let mut all = chosen_examples::<D>();
        let is_known =
            |text: &str| all.iter().any(|known| text.starts_with(&format!("{{ kind = \"{}\"", known.kind())));
        for text in Surface::<D>::examples().into_iter().filter(|text| !is_known(text)).collect::<Vec<_>>() {
            let text = Arc::new(Text { name: "wall".into(), text: format!("wall = {text}") });
            let (tree, reader) = (Node::parse(&text).0, Reader::default());
            let surface = tree.get("wall").and_then(|wall| Surface::read(wall, &reader));
            all.push(surface.unwrap_or_else(|| panic!("{}", reader.finish())));
        }
        all
    }

    fn chosen_examples<D: Dim>() -> Vec<Surface<D>> {
        let corner: Point<D> = Components(D::Vec::from_fn(|_| 1.0));
        vec![
            Surface::Plane(Plane {
                point: Components(D::Vec::from_fn(|axis| 0.1 * axis as f64)),
                normal: UnitVector(tilted::<D>()),
                rough: Some(Rough { radius: Quantity(0.2), spacing: Quantity(0.5) }),
            }),
            Surface::Cuboid(Cuboid { min: Components(corner.0 * -1.0), max: corner }),
            Surface::Block(Block {
                vertices: Placed {
                    value: [[-1.0, -1.0], [0.0, -1.0], [0.0, 1.0], [-1.0, 1.0]]
                        .map(|[x, y]| Components(D::Vec::from_fn(|axis| [x, y, 0.0][axis])))
                        .to_vec(),
                    at: Span::default(),
                },
            }),
            Surface::Cylinder(Cylinder {
                centre: Components(D::Vec::from_fn(|axis| 0.1 * axis as f64)),
                axis: (D::DIMENSION == 3).then(|| UnitVector(D::Vec::from_fn(|axis| [0.0, 0.0, 1.0][axis]))),
                radius: Quantity(1.0),
                grains: cylinder::Side::Inside,
            }),
            Surface::Line(Line {
                points: Placed {
                    value: [[-1.0, -1.0], [0.5, -0.7], [1.0, 0.5]]
                        .map(|[x, y]| Components(D::Vec::from_fn(|axis| [x, y, 0.0][axis])))
                        .to_vec(),
                    at: Span::default(),
                },
            }),
            Surface::Revolution(Revolution {
                centre: Components(D::Vec::from_fn(|axis| 0.1 * axis as f64)),
                axis: UnitVector(D::Vec::from_fn(|axis| [0.0, 0.0, 1.0][axis])),
                profile: Placed {
                    value: [[0.0, -1.0], [0.05, -0.4], [0.1, 0.7]].map(|point| point.map(Quantity)).to_vec(),
                    at: Span::default(),
                },
            }),
            Surface::Mesh(tetrahedron()),
        ]
    }

    /// A mesh with a corner in the middle of the scene.
    fn tetrahedron<D: Dim>() -> Mesh<D> {
        let text =
            "file = \"v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 2 3 4\\nf 3 1 4\\n\"\nunit = 1";
        let text = Arc::new(Text { name: "mesh".into(), text: text.into() });
        let (node, reader) = (Node::parse(&text).0, Reader::default());
        let mesh = Mesh::read(&node, &reader);
        mesh.unwrap_or_else(|| panic!("{}", reader.finish()))
    }

    /// A ball on the axis of a funnel touches it all around; three directions represent that.
    #[test]
    fn a_funnel_holds_a_ball_on_its_axis() {
        let funnel: Revolution<D3> = Revolution {
            centre: Components(glam::DVec3::ZERO),
            axis: UnitVector(glam::DVec3::Z),
            profile: Placed {
                value: [[0.5, 0.0], [1.5, 1.0]].map(|point| point.map(Quantity)).to_vec(),
                at: Span::default(),
            },
        };
        let meet = |x: [f64; 3]| {
            let mut met = Vec::new();
            funnel.near(x.into(), 10.0, &mut |face, normal, distance| met.push((face, normal, distance)));
            met
        };
        let held = meet([0.0, 0.0, 1.5]);
        let sum: glam::DVec3 = held.iter().map(|(_, normal, _)| *normal).sum();
        assert!(held.len() == 3 && (sum - glam::DVec3::Z * (3.0 * 0.5_f64.sqrt())).length() < 1e-14, "{sum}");
        assert!(held.iter().all(|(_, _, distance)| (distance - 2.0_f64.sqrt()).abs() < 1e-14));
        // beside the axis the nearest direction is where a cone is met: (0.5 + z - r) cos(45 deg)
        let beside = meet([0.3, 0.4, 0.9]);
        assert!((beside[0].2 - (0.5 + 0.9 - 0.5) * 0.5_f64.sqrt()).abs() < 1e-14);
        assert!(beside[1..].iter().all(|(_, _, distance)| *distance > beside[0].2));
        assert_eq!(meet([3.0, 0.0, 0.0]).len(), 1, "outside it is met once");
    }

    fn conforms<D: Dim>() {
        let surfaces = examples::<D>();
        assert_eq!(surfaces.len(), Surface::<D>::KINDS.len(), "every kind has an example");
        let (h, point) = (1e-6, D::Vec::from_fn(|axis| 0.3 - 0.2 * axis as f64));
        for surface in &surfaces {
            let meet = |at: D::Vec| {
                let mut met = Vec::new();
                surface.as_dyn().near(at, 10.0, &mut |face, normal, distance| met.push((face, normal, distance)));
                met
            };
            assert!(meet(point).is_sorted_by_key(|(face, ..)| *face), "faces come in the order of their numbers");
            for (face, normal, distance) in meet(point) {
                assert!((normal.norm() - 1.0).abs() < 1e-14, "normals have unit length");
                let moved = meet(point + normal * h).into_iter().find(|(f, ..)| *f == face).expect("the same face");
                assert!((moved.2 - distance - h).abs() < 1e-12, "the distance grows along the normal");
                for tangent in D::tangents(normal) {
                    let moved =
                        meet(point + tangent * h).into_iter().find(|(f, ..)| *f == face).expect("the same face");
                    assert!((moved.2 - distance).abs() < 1e-11, "and not across it");
                }
            }
            let mut met = 0;
            surface.as_dyn().near(point, -10.0, &mut |_, _, _| met += 1);
            assert_eq!(met, 0, "nothing is closer than far behind the wall");
            let scene = Scene { min: D::Vec::from_fn(|_| -2.0), max: D::Vec::from_fn(|_| 2.0) };
            let beside = tilted::<D>() * 1e-9; // on a thin wall itself there is no normal
            for corner in surface.as_dyn().faces(&scene).into_iter().flatten() {
                let nearest = meet(corner + beside).iter().map(|(_, _, d)| d.abs()).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-9 + 1e-12, "faces lie on the surface");
            }
        }
    }

    #[test]
    fn every_wall_is_a_signed_distance_with_faces_on_it() {
        conforms::<D2>();
        conforms::<D3>();
    }
}
