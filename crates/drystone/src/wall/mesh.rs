//! A surface of triangles from a file.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::patch::{Scene, cut};
use super::seams::MeshFlaw;
use super::sheet::{Free, Sheet};
use super::{Boundary, Capsules};
use crate::dim::{Dim, Vector, in_space};
use crate::input::quantity::{Length, Point, UnitVector};
use crate::input::value::{POSITIVE, wrong_type};
use crate::input::{Node, Placed, Raw, Reader, Span, Value, mesh as file};
use crate::list::{list, record};

record! {
    /// A surface of triangles from an STL or OBJ file (3D).
    pub struct Mesh<D> {
        /// An OBJ or STL file, relative to the folder of the scenario; or the text of an OBJ file itself.
        file: Placed<Triangles>,
        /// Length of one in the file.
        unit: Length where POSITIVE,
        /// Side on which grains stay.
        grains: MeshSide = MeshSide::Either,
        /// A point of the axis about which it can spin.
        centre: Option<Point<D>>,
        /// Direction of the axis about which it can spin, of any length.
        axis: Option<UnitVector<D>>,
    }
}

list! {
    /// A side of a mesh.
    pub enum MeshSide by name {
        /// Grains stay on the side where they are: the mesh is a thin sheet, and may be open.
        "either" => Either,
        /// Grains stay inside a closed mesh.
        "inside" => Inside,
        /// Grains stay outside a closed mesh.
        "outside" => Outside,
    }
}

/// Features of meshes have this bit, and contacts of a body that has several balls the number of the ball above
/// [`FEATURE_BITS`].
pub(crate) const MESH: u32 = 1 << 31;
/// Bits of the number of a feature.
pub(crate) const FEATURE_BITS: u32 = 21;

/// Triangles of a file, in its unit, and the surface that they make.
#[derive(Clone, Debug, Default)]
pub struct Triangles {
    mesh: Arc<file::MeshData>,
    sheet: OnceLock<Arc<Sheet>>,
    sweep: OnceLock<f64>,
}

impl Value for Triangles {
    /// The name of a file, or the text of an OBJ file, which has several lines: a resolved scenario holds the text.
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let mesh = match &node.value {
            Raw::Text(text) if text.contains('\n') => match file::parse(text.as_bytes()) {
                Ok(mesh) => mesh,
                Err(fault) => {
                    let message = format!("`{}` is not a mesh: {fault}", node.path);
                    let help = "write the name of an OBJ or STL file, or the lines of an OBJ file";
                    return reader.mistake("E026", &node.at, message, help);
                }
            },
            Raw::Text(name) => file::load(node, name, reader)?,
            _ => return wrong_type(node, reader, "the name of a file", &Self::example()),
        };
        if mesh.triangles.is_empty() {
            let message = format!("`{}` has points and no triangles", node.path);
            return reader.mistake(
                "E026",
                &node.at,
                message,
                "a wall needs the faces too: lines `f 1 2 3` of an OBJ file",
            );
        }
        Some(Triangles { mesh: Arc::new(mesh), ..Triangles::default() })
    }
    fn write(&self) -> toml::Value {
        self.mesh.to_obj().into()
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": "string"})
    }
    fn example() -> String {
        "\"hopper.stl\"".into()
    }
}

impl<D: Dim> Mesh<D> {
    /// The surface, in metres.
    pub fn sheet(&self) -> &Sheet {
        let file = &self.file.value;
        file.sheet.get_or_init(|| {
            let points = file.mesh.points.iter().map(|x| *x * *self.unit).collect();
            Arc::new(Sheet::new(points, &file.mesh.triangles))
        })
    }

    /// Whether a face is a plate, and not an edge or corner.
    pub fn is_plate(&self, face: u32) -> bool {
        self.sheet().seams.plate(face & !MESH).is_some()
    }

    /// Which side of its triangles is free.
    pub fn free(&self) -> Free {
        let is_outward = || self.sheet().is_outward();
        match self.grains {
            MeshSide::Either => Free::Either,
            MeshSide::Outside if is_outward() => Free::Front,
            MeshSide::Inside if !is_outward() => Free::Front,
            MeshSide::Inside | MeshSide::Outside => Free::Back,
        }
    }

    /// Corners of the box around it [m].
    pub fn bounds(&self) -> [DVec3; 2] {
        let points = self.file.value.mesh.points.iter().map(|x| *x * *self.unit);
        points.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    }

    /// A note about a mesh with open edges: how many there are, and where the first is.
    pub fn open_edges(&self) -> Option<String> {
        let open = |flaw: MeshFlaw| match flaw {
            MeshFlaw::Open(count, ends) => Some(format!("{}, the first {}", edges(count, "open edge"), ends_of(ends))),
            _ => None,
        };
        self.sheet().seams.flaws().into_iter().find_map(open).filter(|_| self.grains == MeshSide::Either)
    }
}

fn edges(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn said(x: DVec3) -> String {
    format!("({}, {}, {}) m", x.x, x.y, x.z)
}

fn ends_of([from, to]: [DVec3; 2]) -> String {
    format!("from {} to {}", said(from), said(to))
}

/// A vector of space; in the plane there are no meshes.
fn lift<D: Dim>(v: DVec3) -> D::Vec {
    D::Vec::from_fn(|axis| v[axis])
}

impl<D: Dim> Boundary<D> for Mesh<D> {
    /// One face for each plate, edge and corner.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        if D::DIMENSION != 3 {
            return;
        }
        let x = DVec3::from_array(in_space(point));
        self.sheet().near(x, reach, self.free(), &mut |feature, normal, distance| {
            meet(MESH | feature, lift::<D>(normal), distance);
        });
    }

    fn may_meet(&self, point: D::Vec, reach: f64, note: &mut dyn FnMut(u32)) {
        if D::DIMENSION == 3 {
            let x = DVec3::from_array(in_space(point));
            self.sheet().may_meet(x, reach, &mut |feature| note(MESH | feature));
        }
    }

    fn adjoin(&self, one: u32, other: u32) -> bool {
        self.sheet().seams.adjoin(one & !MESH, other & !MESH)
    }

    fn faces(&self, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        if D::DIMENSION != 3 {
            return Vec::new();
        }
        let seams = &self.sheet().seams;
        let triangle = |k: u32| seams.corners(k).map(lift::<D>).to_vec();
        (0..seams.len() as u32).filter_map(|k| cut::<D>(triangle(k), scene)).collect()
    }

    fn check(&self, at: &Span, reader: &Reader) {
        let refuse = |message: String, help: &str| {
            reader.mistake::<()>("E041", &self.file.at, message, help);
        };
        if D::DIMENSION != 3 {
            let message = "a wall of kind \"mesh\" exists in dimension 3 only";
            reader.mistake::<()>("E015", at, message, "write kind = \"line\" or kind = \"polygon\"");
            return;
        }
        if self.file.value.mesh.points.iter().any(|x| !x.is_finite()) {
            return refuse("a coordinate of the mesh is not finite".into(), "repair the file");
        }
        if self.axis.is_some() != self.centre.is_some() {
            let message = "an axis to spin about needs both `centre` and `axis`";
            let help = "add centre = [0, 0, 0], a point of it, and axis = [0, 0, 1], its direction";
            reader.mistake::<()>("E005", at, message, help);
        }
        let seams = &self.sheet().seams;
        if seams.features() >= 1 << FEATURE_BITS {
            let message = format!("the mesh has {} faces, edges and corners", seams.features());
            return refuse(message, "at most two million are possible: simplify the mesh");
        }
        for flaw in seams.flaws() {
            match flaw {
                MeshFlaw::NoArea(number, at) => refuse(
                    format!("triangle {} of the mesh, at {}, has no area", number + 1, said(at)),
                    "remove triangles without area: they have no normal",
                ),
                _ if self.grains == MeshSide::Either => {}
                MeshFlaw::Open(count, ends) => refuse(
                    format!(
                        "the mesh is not closed: it has {}, the first {}",
                        edges(count, "open edge"),
                        ends_of(ends)
                    ),
                    "a mesh with an inside is closed; without `grains` it is a thin sheet, which may be open",
                ),
                MeshFlaw::Branches(count, ends) => refuse(
                    format!("more than two triangles meet at {}, the first {}", edges(count, "edge"), ends_of(ends)),
                    "a mesh with an inside has two triangles at every edge; leave `grains` out for a thin sheet",
                ),
                MeshFlaw::Twisted(count, ends) => refuse(
                    format!("triangles face opposite ways at {}, the first {}", edges(count, "edge"), ends_of(ends)),
                    "list the corners of all triangles counter-clockwise as seen from outside",
                ),
            }
        }
    }

    fn axis(&self) -> Option<D::Vec> {
        self.centre.and(self.axis.as_ref()).map(|axis| axis.0)
    }

    fn pivot(&self) -> Option<D::Vec> {
        self.centre.map(|centre| centre.0)
    }

    fn arm(&self, x: D::Vec, foot: D::Vec, _: D::Vec) -> D::Vec {
        self.centre.map_or(D::Vec::ZERO, |centre| foot - x - centre.0)
    }

    fn sweep(&self) -> f64 {
        let Some(centre) = &self.centre else { return 0.0 };
        *self.file.value.sweep.get_or_init(|| self.sheet().reach(DVec3::from_array(in_space(centre.0))))
    }

    fn capsules(&self) -> Capsules {
        Capsules::Always
    }

    fn takes_stones(&self) -> bool {
        true
    }
}
