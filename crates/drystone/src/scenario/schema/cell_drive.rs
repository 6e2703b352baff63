//! How the lattice of a periodic cell changes, from the start or from a stage on: shear, stress, strain.

use crate::cell::{Cell, CellShear, StressControl};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Components, Frequency, Mass, Pressure, Velocity};
use crate::input::value::POSITIVE;
use crate::input::{Node, Placed, Reader, Span, Value};
use crate::list::record;
use crate::scenario::check::scratch;
use crate::scenario::schema::cell::{CellSpec, number};
use crate::scenario::schema::until::Axis;
use crate::world::World;

record! {
    /// How the lattice of a cell changes.
    pub struct CellDrive<D> at span {
        /// How its images are sheared past each other.
        shear: Option<ShearSpec>,
        /// The stress that its lengths and its shear follow; all axes must repeat.
        stress: Option<StressSpec<D>>,
        /// How fast its lengths grow, or shrink.
        stretch: Option<StretchSpec<D>>,
    }
}

record! {
    /// A stress that a cell follows: lengths and shear are unknowns, with an inertia, as the place of a piston is.
    pub struct StressSpec<D> at span {
        /// Normal stress along every axis; compression is positive.
        normal: Components<D, 1, -1, -2>,
        /// Shear stress that drags the images along, in the plane of `shear`; its rate follows.
        shear: Option<Pressure>,
        /// Inertia of each length, and of images that slide along.
        mass: Mass where POSITIVE,
        /// Axes whose lengths follow; the others keep theirs, or grow as `stretch` says.
        follow: Vec<Placed<Axis>>,
    }
}

record! {
    /// Shear after Lees and Edwards: images across move along, and grains meet them with that velocity.
    pub struct ShearSpec at span {
        /// Axis along which images move.
        along: Axis,
        /// Axis across which they do.
        across: Axis,
        /// Shear rate: how much faster images move per distance across. The rate at first if it follows a stress.
        rate: Option<Frequency>,
        /// Whether grains get the velocity profile of this shear, zero in the middle of the cell, in addition to their
        /// own velocity.
        flow: bool = true,
    }
}

record! {
    /// Growth of the lengths of a cell.
    pub struct StretchSpec<D> at span {
        /// How fast each length grows; negative to compress.
        velocity: Velocity<D>,
        /// Whether grains get the velocity profile of this strain, zero in the middle of the cell, in addition to
        /// their own velocity.
        flow: bool = true,
    }
}

impl<D: Dim> CellDrive<D> {
    fn follows(&self, axis: usize) -> bool {
        let named = self.stress.as_ref().map_or(&[][..], |spec| &spec.follow);
        named.iter().any(|other| number(other.value) == axis)
    }

    /// Sets how a lattice changes. Lengths that follow a stress from now on, and a shear without a rate of its own,
    /// keep their velocities; motion that is not named stops.
    pub fn set(&self, cell: &mut Cell<D>, depth: f64) {
        let follows_shear = self.stress.as_ref().is_some_and(|spec| spec.shear.is_some());
        match &self.shear {
            Some(spec) => {
                cell.shear = Some(CellShear { along: number(spec.along), across: number(spec.across) });
                cell.rate = spec.rate.map_or(if follows_shear { cell.rate } else { 0.0 }, |rate| *rate);
            }
            None => cell.rate = 0.0, // a sheared cell keeps its tilt
        }
        self.note_press(cell, depth);
        let stretch = self.stretch.as_ref().map_or(D::Vec::ZERO, |spec| spec.velocity.0);
        cell.stretching = D::Vec::from_fn(|axis| match self.follows(axis) {
            true => cell.stretching.get(axis),
            false => stretch.get(axis),
        });
    }

    /// Sets the stress control of a stored lattice, and leaves its motion as it is.
    pub fn note_press(&self, cell: &mut Cell<D>, depth: f64) {
        if let Some(spec) = &self.shear {
            cell.shear = Some(CellShear { along: number(spec.along), across: number(spec.across) });
        }
        cell.press = self.stress.as_ref().map(|spec| StressControl {
            mass: *spec.mass,
            stress: spec.normal.0,
            shear: spec.shear.map(|stress| *stress),
            follows: std::array::from_fn(|axis| self.follows(axis)),
            depth: if D::DIMENSION == 2 { depth } else { 1.0 },
        });
    }

    /// Velocity that a grain at `x` gains when the mean flow of the cell changes [m/s].
    pub fn gain(&self, before: &Cell<D>, now: &Cell<D>, x: D::Vec) -> D::Vec {
        let of_shear = self.shear.as_ref().is_none_or(|spec| spec.flow);
        let of_lengths = self.stretch.as_ref().is_none_or(|spec| spec.flow);
        let still = |cell: &Cell<D>| Cell {
            rate: if of_shear { cell.rate } else { 0.0 },
            stretching: if of_lengths { cell.stretching } else { D::Vec::ZERO },
            ..cell.clone()
        };
        still(now).flow(x) - still(before).flow(x)
    }

    /// Applies the change to the cell of a world. The energy that it puts in counts as external work.
    pub fn apply(&self, world: &mut World<D>) {
        let Some(before) = world.cell.clone() else { return };
        let mut now = before.clone();
        self.set(&mut now, world.setup.depth);
        let energy = kinetic_energy(world);
        let grains: Vec<usize> = world.free_grains().collect();
        let gains: Vec<D::Vec> = grains.iter().map(|k| self.gain(&before, &now, world.home_place(*k))).collect();
        let mass = |k: &usize| world.bodies.inertia[*k].mass();
        let sum = grains.iter().zip(&gains).fold(D::Vec::ZERO, |sum, (k, gain)| sum + *gain * mass(k));
        let mean = sum * (1.0 / grains.iter().map(mass).sum::<f64>());
        for (k, gain) in grains.into_iter().zip(gains) {
            // the image inside the cell gains the change of the mean flow; total momentum is kept
            world.bodies.twist[k].v = world.home_velocity(k) + (gain - mean) - now.image_velocity(world.home(k));
        }
        world.cell = Some(now);
        world.ledger.wall_work += kinetic_energy(world) - energy;
    }
}

/// Kinetic energy of all bodies, and of lengths and shear that follow a stress, as the ledger
/// counts it [J].
fn kinetic_energy<D: Dim>(world: &World<D>) -> f64 {
    world.kinetic_energy() + world.cell.as_ref().map_or(0.0, Cell::kinetic_energy)
}

/// Reports stages that change a cell although there is none.
pub(in crate::scenario) fn check_absent(tree: &Node, reader: &Reader) {
    for node in stages(tree) {
        reader.mistake::<()>("E043", &node.at, "there is no cell to change", "write a [cell], or leave it out");
    }
}

fn items<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key).map_or(&[][..], Node::items)
}

fn stages(tree: &Node) -> impl Iterator<Item = &Node> {
    items(tree, "stage").iter().filter_map(|stage| stage.get("cell"))
}

/// Reports changes of the lattice, at the start and in stages, that contradict the cell or each other.
pub(in crate::scenario) fn check<D: Dim>(spec: &CellSpec<D>, cell: &Node, tree: &Node, reader: &Reader) {
    let mut plane: Option<(Axis, Axis)> = None;
    let of_stages = stages(tree).filter_map(|node| Some((CellDrive::<D>::read(node, &scratch(reader))?, node)));
    for (drive, node) in std::iter::once((spec.drive.0.clone(), cell)).chain(of_stages) {
        let cell = Checked { spec, drive: &drive, node, reader };
        cell.check_shear(&mut plane);
        cell.check_stretch();
        cell.check_stress(tree);
    }
}

/// One change of the lattice, with its place in the scenario.
struct Checked<'c, D: Dim> {
    spec: &'c CellSpec<D>,
    drive: &'c CellDrive<D>,
    node: &'c Node,
    reader: &'c Reader,
}

impl<D: Dim> Checked<'_, D> {
    fn mistake(&self, at: &Span, message: impl Into<String>, help: &str) {
        self.reader.mistake::<()>("E043", at, message, help);
    }

    fn repeats(&self, axis: Axis) -> bool {
        self.spec.periodic.iter().any(|other| other.value == axis)
    }

    fn check_shear(&self, plane: &mut Option<(Axis, Axis)>) {
        let (Some(spec), Some(node)) = (&self.drive.shear, self.node.get("shear")) else { return };
        if spec.along == spec.across {
            return self.mistake(&node.at, "a cell is sheared along one axis and across another", "write two axes");
        }
        if !self.repeats(spec.along) || !self.repeats(spec.across) {
            let help = "name both axes of the shear in `periodic`";
            return self.mistake(&node.at, "a cell that is sheared repeats along and across", help);
        }
        let (along, across) = *plane.get_or_insert((spec.along, spec.across));
        if (along, across) != (spec.along, spec.across) {
            let help = "shear it along and across the same axes in all stages";
            self.mistake(&node.at, "the cell is sheared along or across another axis before", help);
        }
        if spec.rate.is_none() && self.drive.stress.as_ref().is_none_or(|stress| stress.shear.is_none()) {
            let help = "write rate = \"1 1/s\", or a `shear` in `stress`";
            self.mistake(&node.at, "nothing says how fast the cell is sheared", help);
        }
    }

    fn check_stretch(&self) {
        let (Some(spec), Some(node)) = (&self.drive.stretch, self.node.get("stretch")) else { return };
        for axis in [Axis::X, Axis::Y, Axis::Z].into_iter().take(D::DIMENSION) {
            let k = number(axis);
            if spec.velocity.0.get(k) == 0.0 {
                continue;
            }
            if !self.repeats(axis) {
                let message = format!("the cell does not repeat along {}: it has no length there", D::AXES[k]);
                self.mistake(&node.at, message, "write 0 for this axis, or name it in `periodic`");
            } else if self.drive.follows(k) {
                let message = format!("the length along {} cannot both follow a stress and grow as said", D::AXES[k]);
                self.mistake(&node.at, message, "write 0 for this axis, or take it out of `follow`");
            }
        }
    }

    /// Reports a stress on a cell that is not periodic along all axes, axes that cannot follow it, and methods that do
    /// not support it.
    fn check_stress(&self, tree: &Node) {
        let (Some(stress), Some(node)) = (&self.drive.stress, self.node.get("stress")) else { return };
        if self.spec.periodic.len() < D::DIMENSION {
            let message = "a cell that follows a stress repeats along every axis";
            self.mistake(&node.at, message, "or press on a wall that has a mass");
        }
        if stress.follow.is_empty() && stress.shear.is_none() {
            self.mistake(&node.at, "no length of the cell follows the stress", "write follow = [\"x\", \"y\"]");
        }
        if stress.shear.is_some() && self.drive.shear.is_none() {
            let help = "write shear = { along = \"x\", across = \"y\" } beside `stress`";
            self.mistake(&node.at, "nothing says in which plane the shear stress acts", help);
        }
        for axis in stress.follow.iter().filter(|axis| !self.repeats(axis.value)) {
            let message = "a length that follows is one along which the cell repeats";
            self.mistake(&axis.at, message, "name it in `periodic`");
        }
        self.check_methods(tree);
    }

    fn check_methods(&self, tree: &Node) {
        let method = tree.get("method");
        let word = |keys: [&str; 2]| match method.and_then(|node| node.get(keys[0])?.get(keys[1])) {
            Some(node) => String::read(node, &scratch(self.reader)).map(|text| (text, node.at.clone())),
            None => None,
        };
        if let Some((_, at)) = word(["cd", "solver"]).filter(|(solver, _)| solver == "newton") {
            let message = "the solver \"newton\" cannot solve a cell that follows a stress";
            self.mistake(&at, message, "write solver = \"sweeps\"");
        }
        if let Some((name, at)) = word(["md", "integrator"]).filter(|(name, _)| name == "gear" || name == "leapfrog") {
            let message = format!("the integrator \"{name}\" cannot move a cell that follows a stress");
            self.mistake(&at, message, "write integrator = \"verlet\"");
        }
    }
}
