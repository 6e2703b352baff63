//! A dense packing of disks between four smooth walls: left and bottom fixed, top and right pressed inwards.
//!
//! [Radjai and Richefeu, Fig. 8]

use glam::DVec2;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use crate::contact::Network;
use crate::dim::D2;
use crate::drive::{Drive, Signal};
use crate::input::Span;
use crate::input::quantity::{Components, Quantity, UnitVector};
use crate::law::{Laws, Pair};
use crate::method::cd::{Accuracy, ContactDynamics, Ladder, Options};
use crate::method::{Method, StepError, StepReport};
use crate::wall::{Plane, Surface};
use crate::world::World;

/// Mean radius of the disks [m].
pub const RADIUS: f64 = 5e-3;
/// Density [kg/m3].
const DENSITY: f64 = 2600.0;
/// Length of the disks [m].
const DEPTH: f64 = 0.01;
/// Pressure on the loaded walls [Pa].
pub const PRESSURE: f64 = 1e3;
/// Friction once the packing is made.
pub const FRICTION: f64 = 0.5;
/// Walls by their number.
pub const WALLS: [&str; 4] = ["left", "bottom", "right", "top"];

/// Time in which the pressure moves a grain by its diameter: d sqrt(rho/p) [s].
pub fn inertial_time() -> f64 {
    2.0 * RADIUS * (DENSITY / PRESSURE).sqrt()
}

/// Length of a step [s]: grains move by a small part of their diameter in it while they are pressed together.
pub fn time_step() -> f64 {
    0.05 * inertial_time()
}

/// A box of disks under pressure.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Walls in the order of [`WALLS`], then disks.
    pub world: World<D2>,
}

impl Packing {
    /// Presses `columns` x `columns` disks of radii +-20 % together, without friction until they are dense and then
    /// with it until they hardly move, and takes their velocities and forces away. `watch` is told the part of the
    /// steps that is done.
    pub fn compacted(columns: usize, seed: u64, mut watch: impl FnMut(f64)) -> Result<Packing, StepError> {
        let steps = 600 + 20 * columns; // the walls drive a front of packed disks through the box, then all settles
        let mut packing = Packing::loose(columns, seed);
        // a frictionless packing that is just rigid converges slowly; what a step leaves is done in the next ones
        let options = Options {
            accuracy: Accuracy::Named(Ladder::Preview),
            max_sweeps: 300,
            ..Options::with_time_step(time_step())
        };
        let mut method = ContactDynamics::new(options);
        for step in 0..steps {
            packing.press();
            method.step(&mut packing.world)?;
            watch((step + 1) as f64 / steps as f64);
            if step == 3 * steps / 4 {
                method.options.accuracy = Accuracy::Named(Ladder::Standard);
                packing.world.laws = Laws::new(1, |_, _| Pair::with_friction(FRICTION));
            }
        }
        let world = &mut packing.world;
        world.bodies.twist.iter_mut().for_each(|twist| *twist = Default::default());
        world.network = Network::default();
        Ok(packing)
    }

    /// Disks on a square grid, each at a random place of its cell.
    fn loose(columns: usize, seed: u64) -> Packing {
        let mut random = Pcg64::new(u128::from(seed), 0);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let laws = Laws::new(1, |_, _| Pair::with_friction(0.0));
        let mut world = World::<D2> { laws, depth: DEPTH, ..World::default() };
        let pitch = 2.5 * RADIUS;
        let side = pitch * columns as f64;
        let ends = [
            (DVec2::ZERO, DVec2::X),
            (DVec2::ZERO, DVec2::Y),
            (DVec2::splat(side), DVec2::NEG_X),
            (DVec2::splat(side), DVec2::NEG_Y),
        ];
        for (name, (point, normal)) in WALLS.into_iter().zip(ends) {
            let plane =
                Plane { point: Components(point), normal: UnitVector(normal), rough: None, span: Span::default() };
            // a wall that is pressed weighs as much as the row of grains that it touches
            let mass = columns as f64 * DENSITY * DEPTH * std::f64::consts::PI * RADIUS * RADIUS;
            let mass = (normal.x + normal.y < 0.0).then_some(mass);
            world.push_wall(name, Surface::Plane(plane), 0, Drive::FIXED, mass);
        }
        for k in 0..columns * columns {
            let radius = RADIUS * (0.8 + 0.4 * unit());
            let cell = DVec2::new((k % columns) as f64, (k / columns) as f64) * pitch;
            let room = pitch - 2.0 * radius;
            let x = cell + DVec2::new(radius + room * unit(), radius + room * unit());
            world.bodies.push_round(x, radius, DENSITY, DEPTH, k as u32);
        }
        Packing { world }
    }

    /// Width and height between the walls [m].
    pub fn size(&self) -> DVec2 {
        let at = |wall: usize| match &self.world.surfaces[wall] {
            Surface::Plane(plane) => plane.point.0 + self.world.bodies.pose[wall].x,
            _ => DVec2::ZERO,
        };
        DVec2::new(at(2).x - at(0).x, at(3).y - at(1).y)
    }

    /// Solid fraction between the walls.
    pub fn solid_fraction(&self) -> f64 {
        let area = |k: usize| std::f64::consts::PI * self.world.bodies.shape[k].radius().powi(2);
        let size = self.size();
        self.world.grains().map(area).sum::<f64>() / (size.x * size.y)
    }

    /// Depth of packing that weighs as much as a wall that is pressed, in the mean of both [m].
    pub fn piston_depth(&self) -> f64 {
        let size = self.size();
        let mass = |k: usize| self.world.bodies.inertia[k].mass();
        let grains: f64 = self.world.grains().map(mass).sum();
        0.5 * (size.x * mass(2) + size.y * mass(3)) / grains
    }

    /// Presses on the walls at the right and on top, as large as they are now.
    pub fn press(&mut self) {
        let size = self.size();
        self.press_on(2, size.y);
        self.press_on(3, size.x);
    }

    fn press_on(&mut self, wall: usize, width: f64) {
        let force = Drive::Force(Signal::Constant(Quantity(PRESSURE * width * DEPTH)));
        self.world.set_drive(wall, force, self.world.clock.time);
    }

    /// One step of a shear test: the top comes down by the rate `strain_rate` of the height, the side is pressed.
    pub fn shear(&mut self, strain_rate: f64, method: &mut ContactDynamics<D2>) -> Result<StepReport, StepError> {
        let size = self.size();
        self.press_on(2, size.y);
        let down = Components(DVec2::new(0.0, -strain_rate * size.y));
        self.world.set_drive(3, Drive::Velocity(Signal::Constant(down)), self.world.clock.time);
        method.step(&mut self.world)
    }

    /// Kinetic energy of the disks [J].
    pub fn kinetic_energy(&self) -> f64 {
        self.world.grains().map(|k| self.world.bodies.kinetic_energy(k)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packing_is_dense_and_inside_its_walls() {
        let packing = Packing::compacted(12, 1, |_| ()).unwrap();
        assert!((0.78..0.87).contains(&packing.solid_fraction()), "{}", packing.solid_fraction());
        assert_eq!(packing.world.find_lost(), None);
        assert!(packing.world.max_overlap() < 1e-2);
    }
}
