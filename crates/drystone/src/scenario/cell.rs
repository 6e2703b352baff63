//! Periodic cells as a scenario writes them: what leaves on one side comes in on the other.

use super::WallSpec;
use super::check::{readable, scratch};
use super::until::Axis;
use crate::cell::{Cell, Press, Shear, THREE_GRAINS};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Components, Frequency, Mass, Point};
use crate::input::value::POSITIVE;
use crate::input::{Node, Placed, Reader, Span, Value};
use crate::list::record;
use crate::method::Kind;
use crate::wall::Surface;
use crate::world::World;

record! {
    /// A periodic cell.
    pub struct CellSpec<D> {
        /// Axes along which it repeats.
        periodic: Vec<Placed<Axis>>,
        /// Its lower corner; only axes along which it repeats count.
        min: Point<D>,
        /// The opposite corner.
        max: Point<D>,
        /// How its images are sheared past each other.
        shear: Option<ShearSpec>,
        /// The stress that its lengths follow; all axes must repeat.
        stress: Option<StressSpec<D>>,
    }
}

record! {
    /// A stress that a cell follows: lengths are unknowns, with an inertia, as the place of a piston is.
    pub struct StressSpec<D> {
        /// Normal stress along every axis; compression is positive.
        normal: Components<D, 1, -1, -2>,
        /// Inertia of each length.
        mass: Mass where POSITIVE,
        /// Axes whose lengths follow; the others keep theirs.
        follow: Vec<Placed<Axis>>,
    }
}

record! {
    /// Shear after Lees and Edwards: images across move along, and grains meet them with that velocity.
    pub struct ShearSpec {
        /// Axis along which images move.
        along: Axis,
        /// Axis across which they do.
        across: Axis,
        /// Shear rate: how much faster images move per distance across.
        rate: Frequency,
        /// Whether grains start with the velocity of a medium that is sheared like this, zero in the middle of the cell, beside
        /// their own.
        flow: bool = true,
    }
}

fn number(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

impl<D: Dim> CellSpec<D> {
    /// The cell at the start.
    pub fn cell(&self, depth: f64) -> Cell<D> {
        let is_periodic = std::array::from_fn(|axis| self.periodic.iter().any(|named| number(named.value) == axis));
        let mut cell: Cell<D> = Cell::new(self.min.0, self.max.0, is_periodic);
        if let Some(spec) = &self.shear {
            let shear = Shear { along: number(spec.along), across: number(spec.across) };
            cell.rate = *spec.rate;
            cell.shear = Some(shear);
        }
        cell.press = self.stress.as_ref().map(|spec| Press {
            mass: *spec.mass,
            stress: spec.normal.0,
            follows: std::array::from_fn(|axis| spec.follow.iter().any(|named| number(named.value) == axis)),
            depth: if D::DIMENSION == 2 { depth } else { 1.0 },
            urge: D::Vec::ZERO,
        });
        cell
    }

    /// Gives the grains from body `first` on the velocity of the sheared medium.
    pub fn set_in_motion(&self, world: &mut World<D>, first: usize) {
        let Some(spec) = self.shear.as_ref().filter(|spec| spec.flow) else { return };
        let (along, across) = (number(spec.along), number(spec.across));
        let middle = 0.5 * (self.min.0.get(across) + self.max.0.get(across));
        for k in first..world.bodies.len() {
            let speed = *spec.rate * (world.bodies.pose[k].x.get(across) - middle);
            if world.bodies.inertia[k].is_movable() {
                world.bodies.twist[k].v += D::Vec::from_fn(|axis| if axis == along { speed } else { 0.0 });
            }
        }
    }

    /// Notes a cell in which a grain of this radius could touch another one from two sides at once.
    pub fn check_size(&self, largest: f64, reader: &Reader) {
        for axis in &self.periodic {
            let k = number(axis.value);
            let length = if k < D::DIMENSION { self.max.0.get(k) - self.min.0.get(k) } else { f64::INFINITY };
            if length < THREE_GRAINS * largest {
                let message = format!(
                    "the cell is {length} m long along {}: three of its largest grains (radius {largest} m) do not fit",
                    D::AXES[k]
                );
                let help = "make it longer: two grains must not meet from both sides";
                reader.mistake::<()>("E043", &axis.at, message, help);
            }
        }
    }

    fn check(&self, node: &Node, reader: &Reader) -> bool {
        let mistake = |at: &Span, message: String, help: &str| {
            reader.mistake::<()>("E043", at, message, help);
            false
        };
        if self.periodic.is_empty() {
            return mistake(&node.at, "a cell repeats along one axis at least".into(), "write periodic = [\"x\"]");
        }
        for (k, axis) in self.periodic.iter().enumerate() {
            let name = ["x", "y", "z"][number(axis.value)];
            if number(axis.value) >= D::DIMENSION {
                return mistake(&axis.at, format!("there is no axis \"{name}\" in the plane"), "write \"x\" or \"y\"");
            }
            if self.periodic[..k].iter().any(|other| other.value == axis.value) {
                return mistake(&axis.at, format!("\"{name}\" stands there twice"), "keep one of them");
            }
            let (low, high) = (self.min.0.get(number(axis.value)), self.max.0.get(number(axis.value)));
            if low >= high {
                let help = "min is the corner with the smallest coordinates, max the opposite one";
                return mistake(&axis.at, format!("along {name} min ({low} m) is not below max ({high} m)"), help);
            }
        }
        if let Some(spec) = &self.shear {
            let at = node.get("shear").map_or(&node.at, |shear| &shear.at);
            let repeats = |axis: Axis| self.periodic.iter().any(|other| other.value == axis);
            if spec.along == spec.across {
                return mistake(at, "a cell is sheared along one axis and across another".into(), "write two axes");
            }
            if !repeats(spec.along) || !repeats(spec.across) {
                let help = "name both axes of the shear in `periodic`";
                return mistake(at, "a cell that is sheared repeats along and across".into(), help);
            }
        }
        true
    }
}

/// Notes a cell that does not fit itself, walls across it, and methods that do not know it.
pub(super) fn check<D: Dim>(tree: &Node, reader: &Reader) {
    let Some(node) = tree.get("cell") else { return };
    let Some(spec) = CellSpec::<D>::read(node, &scratch(reader)) else { return };
    if !spec.check(node, reader) {
        return;
    }
    let cell = spec.cell(1.0);
    check_stress(&spec, node, tree, reader);
    for wall in readable::<WallSpec<D>>(tree, "wall", reader) {
        if let Some(axis) = cell.axes().find(|axis| !is_along(&wall.surface.0, *axis)) {
            let name = D::AXES[axis];
            let message =
                format!("the wall \"{}\" stands across {name}, along which the cell repeats", wall.name.value);
            let help = match wall.surface.0 {
                Surface::Plane(_) => format!("take \"{name}\" out of `periodic`, or turn the plane along {name}"),
                _ => {
                    "walls of a cell are planes along it, or a cylinder whose axis is the one that repeats".to_string()
                }
            };
            reader.mistake::<()>("E043", &wall.span, message, help);
        }
    }
    let choice = tree.get("method").and_then(|node| node.get("use"));
    let choice = choice.and_then(|node| Placed::<Kind>::read(node, &scratch(reader)));
    if choice.is_some_and(|choice| choice.value == Kind::Dae) {
        let message = "the method \"dae\" knows no periodic cell";
        reader.mistake::<()>("E043", &node.at, message, "take the method \"cd\" or \"md\", or walls");
    }
}

/// Notes a stress on a cell that has ends, axes that do not follow, and laws and methods that such a cell does not know.
fn check_stress<D: Dim>(spec: &CellSpec<D>, cell: &Node, tree: &Node, reader: &Reader) {
    let (Some(stress), Some(node)) = (&spec.stress, cell.get("stress")) else { return };
    let mistake = |at: &Span, message: String, help: &str| reader.mistake::<()>("E043", at, message, help);
    if spec.periodic.len() < D::DIMENSION {
        mistake(
            &node.at,
            "a cell that follows a stress repeats along every axis".into(),
            "or press on a wall that has a mass",
        );
    }
    if stress.follow.is_empty() {
        mistake(&node.at, "no length of the cell follows the stress".into(), "write follow = [\"x\", \"y\"]");
    }
    for axis in stress.follow.iter().filter(|axis| !spec.periodic.iter().any(|other| other.value == axis.value)) {
        mistake(&axis.at, "a length that follows is one along which the cell repeats".into(), "name it in `periodic`");
    }
    let contacts = tree.get("contact").map_or(&[][..], Node::items);
    let laws = contacts.iter().flat_map(|contact| ["cohesion", "rolling", "torsion"].map(|key| contact.get(key)));
    for written in laws.flatten() {
        let message = format!("`{}` is beyond a cell that follows a stress", written.path);
        mistake(&written.at, message, "leave it out, or press on walls that have a mass");
    }
    let method = tree.get("method");
    let word = |keys: [&str; 2]| match method.and_then(|node| node.get(keys[0])?.get(keys[1])) {
        Some(node) => String::read(node, &scratch(reader)).map(|text| (text, node.at.clone())),
        None => None,
    };
    if let Some((_, at)) = word(["cd", "solver"]).filter(|(solver, _)| solver == "newton") {
        mistake(&at, "the solver \"newton\" knows no cell that follows a stress".into(), "write solver = \"sweeps\"");
    }
    if let Some((name, at)) = word(["md", "integrator"]).filter(|(name, _)| name == "gear" || name == "leapfrog") {
        let message = format!("the integrator \"{name}\" knows no cell that follows a stress");
        mistake(&at, message, "write integrator = \"verlet\"");
    }
}

/// Whether a surface is the same everywhere along an axis.
fn is_along<D: Dim>(surface: &Surface<D>, axis: usize) -> bool {
    match surface {
        Surface::Plane(plane) => plane.normal.0.get(axis) == 0.0,
        Surface::Cylinder(cylinder) => {
            let direction = cylinder.direction();
            D::DIMENSION == 3 && (0..D::DIMENSION).all(|k| k == axis || direction.get(k) == 0.0)
        }
        // what ends somewhere or turns about an axis is not
        _ => false,
    }
}
