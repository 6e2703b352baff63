//! Periodic cells in a scenario.

use crate::cell::{Cell, THREE_GRAINS};
use crate::dim::{Dim, Vector};
use crate::input::quantity::Point;
use crate::input::{Flat, Node, Placed, Reader, Span, Value};
use crate::list::record;
use crate::method::Kind;
use crate::scenario::WallSpec;
use crate::scenario::check::{readable, scratch};
use crate::scenario::schema::cell_drive::{self, CellDrive};
use crate::scenario::schema::until::Axis;
use crate::wall::Surface;
use crate::world::FARTHEST;
use crate::world::World;

record! {
    /// A periodic cell.
    pub struct CellSpec<D> at span {
        /// Axes along which it repeats.
        periodic: Vec<Placed<Axis>>,
        /// Its lower corner; only axes along which it repeats count.
        min: Point<D>,
        /// The opposite corner.
        max: Point<D>,
        /// How its lattice changes at the start; stages can change it otherwise.
        drive: Flat<CellDrive<D>>,
    }
}

/// Index of an axis.
pub(in crate::scenario) fn number(axis: Axis) -> usize {
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
        self.drive.set(&mut cell, depth);
        cell
    }

    /// Adds the mean flow of the sheared or strained cell to the velocities of the grains from body `first` on.
    pub fn set_in_motion(&self, world: &mut World<D>, first: usize) {
        let Some(cell) = &world.state.cell else { return };
        let still = Cell::new(self.min.0, self.max.0, cell.is_periodic);
        for k in first..world.bodies.len() {
            let gain = self.drive.gain(&still, cell, world.state.bodies.pose[k].x);
            if world.bodies.inertia[k].is_movable() {
                world.state.bodies.twist[k].v += gain;
            }
        }
    }

    /// Reports a cell so long that positions in it do not resolve the smallest grain. Returns whether it is short
    /// enough.
    pub fn is_resolved_by(&self, smallest: f64, reader: &Reader) -> bool {
        let length = |axis: usize| self.max.0.get(axis) - self.min.0.get(axis);
        let long = self.periodic.iter().find(|axis| {
            let axis = number(axis.value);
            axis < D::DIMENSION && length(axis).abs() > FARTHEST * smallest
        });
        if let Some(axis) = long {
            let length = length(number(axis.value));
            let message = format!("the cell is {length:e} m long, and its smallest grain has a radius of {smallest} m");
            reader.mistake::<()>("E264", &axis.at, message, "numbers have 16 digits: make the cell shorter");
        }
        long.is_none()
    }

    /// Reports a cell so small that a grain of this radius could touch another one from two sides at once.
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
        true
    }
}

/// Reports corners of a cell that are not opposite, walls across it, and methods that do not support it.
pub(in crate::scenario) fn check<D: Dim>(tree: &Node, reader: &Reader) {
    let Some(node) = tree.get("cell") else { return cell_drive::check_absent(tree, reader) };
    let Some(spec) = CellSpec::<D>::read(node, &scratch(reader)) else { return };
    if !spec.check(node, reader) {
        return;
    }
    let cell = spec.cell(1.0);
    cell_drive::check(&spec, node, tree, reader);
    for wall in readable::<WallSpec<D>>(tree, "wall", reader) {
        if let Some(axis) = cell.axes().find(|axis| !wall.surface.as_dyn().is_along(*axis)) {
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
