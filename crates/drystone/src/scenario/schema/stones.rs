//! Shapes of stones in a scenario, and laws that stones do not support.

use std::f64::consts::PI;

use glam::DVec2;

use crate::dim::Dim;
use crate::input::quantity::{Angle, Length, Number, Quantity};
use crate::input::value::{FROM_0_TO_1, POSITIVE};
use crate::input::{Node, Placed, Reader, Value};
use crate::list::{list, record};
use crate::method::Kind;
use crate::scenario::schema::grains::{GrainGroup, GrainShape};
use crate::scenario::schema::sizes::{PortableRandom, Sizes};
use crate::scenario::{ContactLaw, WallSpec};
use crate::shape::{Polygon, PolygonFlaw};
use crate::wall::Surface;
use crate::wall::mesh::FEATURE_BITS;

record! {
    /// A convex polygon (2D).
    pub struct PolygonSpec at span {
        /// Its corners, counter-clockwise; the centre of mass comes to where the grain is placed.
        vertices: Placed<Vec<[Length; 2]>>,
    }
}

record! {
    /// A rectangle (2D).
    pub struct RectangleSpec at span {
        /// Along x, before it is turned.
        width: Length where POSITIVE,
        /// Along y, before it is turned.
        height: Length where POSITIVE,
    }
}

record! {
    /// A regular polygon (2D).
    pub struct RegularSpec at span {
        /// Number of its sides.
        sides: Placed<u64>,
        /// Radius of its corners: a length, or how the radii are distributed. A file of grains may bring its own.
        radius: Option<Placed<Sizes>> where POSITIVE,
    }
}

record! {
    /// An irregular convex polygon (2D), another one for every grain: corners on an ellipse, at angles that are shaken.
    pub struct RandomSpec at span {
        /// Radius of the ball around it: a length, or how the radii are distributed. A file of grains may bring its
        /// own.
        radius: Option<Placed<Sizes>> where POSITIVE,
        /// Number of corners: uniform between the two.
        corners: Placed<[u64; 2]> = Placed { value: [5, 8], at: Default::default() },
        /// Short over long axis of the ellipse.
        elongation: Placed<Number> where POSITIVE = Placed { value: Quantity(1.0), at: Default::default() },
        /// How much the angles between corners differ: 0 for equal ones, 1 for corners that may nearly meet.
        angularity: Number where FROM_0_TO_1 = Quantity(0.5),
    }
}

impl PolygonSpec {
    /// The polygon, or what is wrong with it.
    pub fn polygon(&self) -> Result<Polygon, PolygonFlaw> {
        Polygon::new(&self.vertices.value.iter().map(|[x, y]| DVec2::new(**x, **y)).collect::<Vec<_>>())
    }
}

/// The largest number of corners of a random stone: beyond it an ellipse serves as well.
const MOST_CORNERS: u64 = 64;

impl RandomSpec {
    /// Reports numbers that make no polygon.
    pub fn check(&self, reader: &Reader) {
        let [low, high] = self.corners.value;
        if !(3 <= low && low <= high && high <= MOST_CORNERS) {
            let message = format!("a stone has from 3 to {MOST_CORNERS} corners, the smaller number first");
            reader.mistake::<()>("E007", &self.corners.at, message, "write corners = [5, 8]");
        }
        if **self.elongation > 1.0 {
            let message = "`elongation` is the short over the long axis, at most 1";
            reader.mistake::<()>("E007", &self.elongation.at, message, "write elongation = 0.6");
        }
    }

    /// A stone whose furthest corner is `radius` away from its centre of mass.
    pub fn polygon(&self, radius: f64, random: &mut PortableRandom) -> Result<Polygon, PolygonFlaw> {
        let [low, high] = self.corners.value;
        let count = low + ((random.unit() * (high - low + 1) as f64) as u64).min(high - low);
        let shake = 0.9 * *self.angularity; // corners that coincide would be one
        let corner = |k: u64, unit: f64| {
            let angle = 2.0 * PI * (k as f64 + shake * (unit - 0.5)) / count as f64;
            DVec2::new(libm::cos(angle), **self.elongation * libm::sin(angle))
        };
        let corners: Vec<DVec2> = (0..count).map(|k| corner(k, random.unit())).collect();
        let scale = radius / Polygon::new(&corners)?.outline.radius();
        Polygon::new(&corners.iter().map(|corner| *corner * scale).collect::<Vec<_>>())
    }
}

list! {
    /// How grains are turned at the start.
    pub enum InitialTurn by key or Constant(Angle) {
        /// Uniform between two values.
        "uniform" => Uniform([Angle; 2]),
    }
}

impl InitialTurn {
    /// Draws an angle [rad].
    pub fn draw(&self, random: &mut PortableRandom) -> f64 {
        match self {
            InitialTurn::Constant(angle) => **angle,
            InitialTurn::Uniform([low, high]) => **low + (**high - **low) * random.unit(),
        }
    }
}

/// Reports laws and methods that do not support stones and clumps.
pub(in crate::scenario) fn check(tree: &Node, method: Kind, reader: &Reader) {
    let of = |list: &str| tree.get(list).map_or(&[][..], Node::items);
    let kind = |node: &Node| {
        let kind = node.get("shape").and_then(|shape| shape.get("kind"));
        kind.and_then(|kind| Placed::<String>::read(kind, &Reader::default())).map(|kind| kind.value)
    };
    let clump = of("grains").iter().find(|node| kind(node).is_some_and(|kind| is_clump(&kind)));
    let is_stone = |node: &&Node| kind(node).is_some_and(|kind| !is_round(&kind) && !is_clump(&kind));
    let stone = of("grains").iter().find(is_stone).or(of("build").first());
    match (method, stone, clump) {
        (Kind::Ed, ..) => {} // takes neither, and says so elsewhere
        (Kind::Md | Kind::Dae, Some(first), _) => {
            let message = "soft grains are round: stones have no soft contacts yet";
            reader.mistake::<()>("E022", &first.at, message, "write use = \"cd\", or take disks, spheres or clumps");
        }
        (Kind::Dae, None, Some(first)) => {
            let message = "the method \"dae\" moves disks and spheres, not clumps";
            reader.mistake::<()>("E022", &first.at, message, "write use = \"cd\" or use = \"md\"");
        }
        _ => {}
    }
    let (name, why) = match (method, stone, clump) {
        (_, Some(_), _) => ("stones", "flat faces resist"),
        (Kind::Cd, None, Some(_)) => ("clumps of rigid grains", "their form resists"),
        _ => return,
    };
    for node in of("contact") {
        if ContactLaw::read(node, &Reader::default()).is_none() {
            continue;
        }
        for (key, why) in [
            ("rolling", format!("{why} rolling by {}", if name == "stones" { "themselves" } else { "itself" })),
            ("torsion", format!("{why} torsion by {}", if name == "stones" { "themselves" } else { "itself" })),
            ("cohesion", "it is known for round grains only".to_string()),
        ] {
            if let Some(written) = node.get(key) {
                let message = format!("{name} have no `{key}`: {why}");
                reader.mistake::<()>("E022", &written.at, message, "leave it out, or take disks or spheres");
            }
        }
    }
}

/// Largest number of edges of a stone that contacts with a mesh can tell apart.
const MESH_EDGES: usize = 1 << (31 - FEATURE_BITS);

/// Reports stones beside walls whose edges would touch them between their corners, and stones with too many edges for a
/// mesh.
pub(in crate::scenario) fn check_walls<D: Dim>(
    groups: &[GrainGroup<D>],
    tree: &Node,
    walls: &[WallSpec<D>],
    reader: &Reader,
) {
    let is_stone = |group: &GrainGroup<D>| !group.shape.is_round() && group.shape.clump::<D>(1.0).is_none();
    if !groups.iter().any(is_stone) && tree.get("build").is_none() {
        return;
    }
    if walls.iter().any(|wall| matches!(wall.surface.0, Surface::Mesh(_))) {
        groups.iter().for_each(|group| check_edges(group, reader));
    }
    for wall in walls {
        if !wall.surface.as_dyn().takes_stones() {
            let kind = wall.surface.kind();
            let message = format!(
                "stones cannot touch a wall of kind \"{kind}\": its edges would meet them between their corners"
            );
            let help = "take spheres or clumps, or planes, boxes, cylinders, meshes and fixed stones as walls";
            reader.mistake::<()>("E042", &wall.span, message, help);
        }
    }
}

fn check_edges<D: Dim>(group: &GrainGroup<D>, reader: &Reader) {
    let stone = match &group.shape {
        GrainShape::Polyhedron(stone) => stone.polyhedron().ok(),
        GrainShape::Mesh(stone) => stone.polyhedron().ok(),
        _ => None, // has few
    };
    if let Some(edges) = stone.map(|stone| stone.outline.edges.len()).filter(|edges| *edges > MESH_EDGES) {
        let message = format!("the stone has {edges} edges; at a mesh at most {MESH_EDGES} are possible");
        reader.mistake::<()>("E042", &group.span, message, "use fewer points for the stone");
    }
}

fn is_round(kind: &str) -> bool {
    kind == "disk" || kind == "sphere"
}

fn is_clump(kind: &str) -> bool {
    matches!(kind, "clump" | "dimer" | "tetramer" | "capsule")
}
