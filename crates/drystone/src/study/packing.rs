//! A dense packing of disks or spheres between smooth walls: those at the low ends of the axes fixed, those at the high
//! ends pressed inwards.
//!
//! [Radjai and Richefeu, Fig. 8]

use std::f64::consts::PI;

use glam::DVec2;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use crate::contact::Network;
use crate::dim::{D2, Dim, Vector};
use crate::drive::{Drive, Signal};
use crate::input::quantity::{Components, Quantity, UnitVector};
use crate::law::{Laws, Pair};
use crate::method::cd::{Accuracy, CdOptions, ContactDynamics, Ladder};
use crate::method::{Method, StepError, StepReport};
use crate::wall::{Plane, Surface};
use crate::world::World;

/// Mean radius of the grains [m].
pub const RADIUS: f64 = 5e-3;
/// Density [kg/m3].
const DENSITY: f64 = 2600.0;
/// Length of disks [m].
const DEPTH: f64 = 0.01;
/// Pressure on the loaded walls [Pa].
pub const PRESSURE: f64 = 1e3;
/// Friction once the packing is made.
pub const FRICTION: f64 = 0.5;
/// Time in which the pressure moves a grain by its diameter: d sqrt(rho/p) [s].
pub fn inertial_time() -> f64 {
    2.0 * RADIUS * (DENSITY / PRESSURE).sqrt()
}

/// Time step [s]: grains move by a small fraction of their diameter in it during compaction.
pub fn time_step() -> f64 {
    0.05 * inertial_time()
}

/// Factor that turns an area in the plane into a volume [m]; 1 in space.
fn depth<D: Dim>() -> f64 {
    if D::DIMENSION == 2 { DEPTH } else { 1.0 }
}

/// A box of grains under pressure.
#[derive(Clone, Debug)]
pub struct PressedPacking<D: Dim> {
    /// Fixed walls in the order of the axes, pressed ones, then grains.
    pub world: World<D>,
}

impl<D: Dim> PressedPacking<D> {
    /// Compacts grains of radii +-20 %, `columns` along each axis, without friction until they are dense and then with
    /// friction until they hardly move; then sets velocities and forces to zero. `watch` gets the share of steps done.
    pub fn compacted(columns: usize, seed: u64, mut watch: impl FnMut(f64)) -> Result<PressedPacking<D>, StepError> {
        let steps = 600 + 20 * columns; // the walls drive a front of packed grains through the box, then everything settles
        let mut packing = PressedPacking::loose(columns, seed);
        // a frictionless packing at jamming converges slowly; the error of a step is corrected in the next ones
        let options = CdOptions {
            accuracy: Accuracy::Named(Ladder::Preview),
            max_sweeps: 300,
            ..CdOptions::with_time_step(time_step())
        };
        let mut method = ContactDynamics::new(options);
        for step in 0..steps {
            packing.press();
            method.step(&mut packing.world)?;
            watch((step + 1) as f64 / steps as f64);
            if step == 3 * steps / 4 {
                method.options.accuracy = Accuracy::Named(Ladder::Standard);
                packing.world.setup.laws = Laws::new(1, |_, _| Pair::with_friction(FRICTION));
            }
        }
        let world = &mut packing.world;
        world.bodies.twist.iter_mut().for_each(|twist| *twist = Default::default());
        world.network = Network::default();
        Ok(packing)
    }

    /// Grains on a square grid, each at a random position in its cell.
    fn loose(columns: usize, seed: u64) -> PressedPacking<D> {
        let mut random = Pcg64::new(u128::from(seed), 0);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let laws = Laws::new(1, |_, _| Pair::with_friction(0.0));
        let mut world = World::<D>::new(laws);
        world.setup.depth = DEPTH;
        let pitch = 2.5 * RADIUS;
        let side = pitch * columns as f64;
        // a pressed wall has the mass of the row of grains that it touches
        let thickness = if D::DIMENSION == 2 { DEPTH } else { 4.0 / 3.0 * RADIUS };
        let row = columns.pow(D::DIMENSION as u32 - 1) as f64 * DENSITY * thickness * PI * RADIUS * RADIUS;
        for (kind, place, inwards, mass) in [("fixed", 0.0, 1.0, None), ("pressed", side, -1.0, Some(row))] {
            for (number, axis) in D::AXES.iter().enumerate() {
                let point = Components(D::Vec::from_fn(|_| place));
                let normal = UnitVector(D::Vec::from_fn(|k| if k == number { inwards } else { 0.0 }));
                let plane = Plane { point, normal, rough: None };
                world.push_wall(&format!("{kind} {axis}"), Surface::Plane(plane), 0, Drive::FIXED, mass);
            }
        }
        for k in 0..columns.pow(D::DIMENSION as u32) {
            let radius = RADIUS * (0.8 + 0.4 * unit());
            let cell = |axis: usize| (k / columns.pow(axis as u32) % columns) as f64 * pitch;
            let x = D::Vec::from_fn(|axis| cell(axis) + (radius + (pitch - 2.0 * radius) * unit()));
            world.bodies.push_round(x, radius, DENSITY, DEPTH, k as u32);
        }
        PressedPacking { world }
    }

    /// Distances between the walls [m].
    pub fn size(&self) -> D::Vec {
        let at = |wall: usize, axis: usize| match &self.world.setup.surfaces[wall] {
            Surface::Plane(plane) => (plane.point.0 + self.world.bodies.pose[wall].x).get(axis),
            _ => unreachable!("all walls are planes"),
        };
        D::Vec::from_fn(|axis| at(D::DIMENSION + axis, axis) - at(axis, axis))
    }

    /// Volume between the walls [m3].
    pub fn volume(&self) -> f64 {
        let size = self.size();
        (0..D::DIMENSION).fold(depth::<D>(), |volume, axis| volume * size.get(axis))
    }

    /// Packing fraction between the walls.
    pub fn solid_fraction(&self) -> f64 {
        let volume = |k: usize| self.world.bodies.volume(k, DEPTH);
        self.world.grains().map(volume).sum::<f64>() / self.volume()
    }

    /// Depth of packing with the mass of a pressed wall, in the mean over these walls [m].
    pub fn piston_depth(&self) -> f64 {
        let (size, axes) = (self.size(), D::DIMENSION);
        let mass = |k: usize| self.world.bodies.inertia[k].mass();
        let grains: f64 = self.world.grains().map(mass).sum();
        (0..axes).map(|axis| size.get(axis) * mass(axes + axis)).sum::<f64>() / (axes as f64 * grains)
    }

    /// Applies the pressure to the movable walls, for their present areas.
    pub fn press(&mut self) {
        (0..D::DIMENSION).for_each(|axis| self.press_on(axis));
    }

    fn press_on(&mut self, axis: usize) {
        let (size, depth) = (self.size(), depth::<D>());
        let across = (0..D::DIMENSION).filter(|other| *other != axis);
        let load = across.fold(PRESSURE, |load, other| load * size.get(other)) * depth;
        let force = Drive::Force(Signal::Constant(Quantity(load)));
        self.world.set_drive(D::DIMENSION + axis, force, self.world.clock.time);
    }

    /// Kinetic energy of the grains [J].
    pub fn kinetic_energy(&self) -> f64 {
        self.world.bodies.kinetic_energy_of(self.world.grains())
    }
}

impl PressedPacking<D2> {
    /// One step of a shear test: the top moves down with `strain_rate` times the height, the side is under pressure.
    pub fn shear(&mut self, strain_rate: f64, method: &mut ContactDynamics<D2>) -> Result<StepReport, StepError> {
        self.press_on(0);
        let down = Components(DVec2::new(0.0, -strain_rate * self.size().y));
        self.world.set_drive(3, Drive::Velocity(Signal::Constant(down)), self.world.clock.time);
        method.step(&mut self.world)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;

    fn is_dense_and_inside<D: Dim>(columns: usize, solid: std::ops::Range<f64>) {
        let packing = PressedPacking::<D>::compacted(columns, 1, |_| ()).unwrap();
        assert!(solid.contains(&packing.solid_fraction()), "{}", packing.solid_fraction());
        assert_eq!(packing.world.find_lost(), None);
        assert!(packing.world.max_overlap() < 1e-2);
    }

    #[test]
    fn a_packing_is_dense_and_inside_its_walls() {
        is_dense_and_inside::<D2>(12, 0.78..0.87);
        is_dense_and_inside::<D3>(5, 0.48..0.66); // walls leave much room beside five spheres
    }
}
