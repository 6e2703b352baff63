//! Walls and cells that move in on grains that have nowhere to go (W135).

use crate::body::Twist;
use crate::contact::{Contact, ContactMemory};
use crate::dim::{Dim, Vector};
use crate::method::Alarm;
use crate::method::cd::overlap::closing;
use crate::world::World;

/// Codes of these warnings.
pub(crate) const CODES: [&str; 1] = ["W135"];

/// Part of the energy that contacts take, and of forces times paths of the walls, that may be work against overlap; and
/// part of the energy that contacts take that walls may have put in. Grains that flow lose it by friction and
/// collisions, and a solve leaves a few percent of it to overlap; a bed that a drum or belt carries along sinks in by
/// less of the wall's path. Jammed grains do not move against each other, and what a wall puts in is force times
/// overlap.
const MOST: f64 = 0.5;

/// Least overlap at contacts, weighted with their forces, over what a step adds to it: the number of such steps that
/// went before. A single step of a flow that missed its accuracy has none before it.
const LASTING: f64 = 10.0;

/// Energy that contacts took in a step [J], and the part of it that came from drives.
struct Tally<D: Dim> {
    /// Taken out by contacts.
    taken: f64,
    /// Taken out of it by force times growth of overlap.
    sunk: f64,
    /// Force times overlap at the start of the step.
    deep: f64,
    /// Forces times paths of walls that move with a velocity, and of images that no stress moves.
    path: f64,
    /// Work of every wall that moves with a velocity.
    walls: Vec<f64>,
    /// Work of the lattice of a cell, axis by axis, as far as no stress moves it.
    cell: D::Vec,
}

impl<D: Dim> Tally<D> {
    fn of(world: &World<D>, dt: f64) -> Tally<D> {
        let walls = vec![0.0; world.setup.walls.len()];
        let mut tally = Tally { taken: 0.0, sunk: 0.0, deep: 0.0, path: 0.0, walls, cell: D::Vec::ZERO };
        let is_moving = world.cell.as_ref().is_some_and(|cell| cell.is_moving());
        for (contact, memory) in world.network.contacts.iter().zip(&world.network.memory) {
            if memory.impulse != D::Vec::ZERO {
                tally.add(world, contact, memory, dt);
                if is_moving {
                    let jump = world.forced_image_velocity(contact);
                    tally.path += memory.impulse.norm() * jump.norm();
                    tally.cell -= D::Vec::from_fn(|axis| jump.get(axis) * memory.impulse.get(axis));
                }
            }
        }
        tally
    }

    fn add(&mut self, world: &World<D>, contact: &Contact<D>, memory: &ContactMemory<D>, dt: f64) {
        let (a, b, after) = (contact.key.a as usize, contact.key.b as usize, &world.bodies.twist);
        let u = contact.velocity(after);
        let mean = (world.velocity_before(contact) + u) * 0.5;
        let turning = (world.scratch.before[b].w - world.scratch.before[a].w + after[b].w - after[a].w) * 0.5;
        let press = memory.impulse.dot(contact.normal).max(0.0);
        let sunk = press * closing(contact, u, dt).max(0.0) / dt;
        self.taken += sunk.max(-memory.impulse.dot(mean) - memory.torque.dot(turning));
        self.sunk += sunk;
        self.deep += press * (-contact.gap).max(0.0) / dt;
        if a < self.walls.len() && !world.bodies.inertia[a].is_movable() {
            let wall = &after[a];
            let surface = wall.v + D::swing(wall.w, contact.arm_a);
            self.path += memory.impulse.norm() * surface.norm();
            self.walls[a] += memory.impulse.dot(surface) + memory.torque.dot(wall.w);
        }
    }

    /// Work of walls, then of the axes of the cell, where they put some in [J].
    fn drives(&self) -> impl Iterator<Item = (usize, f64)> {
        let axes = (0..D::DIMENSION).map(|axis| self.cell.get(axis));
        self.walls.iter().copied().chain(axes).enumerate().filter(|(_, work)| *work > 0.0)
    }

    /// Name of the drive that put in most.
    fn name(&self, world: &World<D>) -> String {
        match self.drives().max_by(|one, other| one.1.total_cmp(&other.1)) {
            Some((axis, _)) if axis >= self.walls.len() => {
                format!("the cell along {}", D::AXES[axis - self.walls.len()])
            }
            most => most.map_or_else(String::new, |(wall, _)| world.name(wall)),
        }
    }
}

/// Detects walls with a velocity, and cells with a rate, that move in on jammed rigid grains: no velocities solve such
/// a step, and its forces depend on its length. [Radjai section 7]
pub(crate) fn check<D: Dim>(world: &World<D>, dt: f64) -> Option<Alarm> {
    let still = Twist::default();
    let moves = |wall: usize| world.bodies.twist[wall] != still && !world.bodies.inertia[wall].is_movable();
    if !(0..world.setup.walls.len()).any(moves) && !world.cell.as_ref().is_some_and(|cell| cell.is_moving()) {
        return None;
    }
    let tally = Tally::of(world, dt);
    let Tally { taken, sunk, deep, path, .. } = tally;
    let put_in: f64 = tally.drives().map(|(_, work)| work).sum();
    if sunk <= MOST * taken.max(path) || put_in <= MOST * taken || deep <= LASTING * sunk {
        return None;
    }
    let (name, part, step) = (tally.name(world), 100.0 * sunk / taken, world.clock.step + 1);
    let message = format!(
        "step {step}: {name} moves in on grains that have no room left: {part:.0} % of the energy that contacts take becomes overlap, and the forces depend on the time step; drive it by a force or pressure"
    );
    Some(Alarm::new(CODES[0], message)) // the step of the first one
}
