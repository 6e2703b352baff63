//! Walls of the world: names, drives and forces.

use super::World;
use crate::body::Inertia;
use crate::dim::{D2, Dim, Vector};
use crate::drive::{Drive, Press, PressedArea};
use crate::shape::Shape;
use crate::wall::Surface;

/// Name and drive of a wall. Its surface and its body have the same index in the columns of the world.
#[derive(Clone, Debug)]
pub struct DrivenWall<D: Dim> {
    /// Name, for the drives of stages and for messages.
    pub name: String,
    /// The drive that moves it.
    pub drive: Drive<D>,
    /// Time at which the drive was set: the time of its signal starts here [s].
    pub since: f64,
    /// Mass [kg] of a wall that a force can move; only such a wall has one.
    pub mass: Option<f64>,
}

impl<D: Dim> DrivenWall<D> {
    /// Inertia of its body: a wall is a piston, and moves, only while a force or pressure drives it.
    fn inertia(&self) -> Inertia<D> {
        match (&self.drive, self.mass) {
            (Drive::Force(_) | Drive::Pressure(_), Some(mass)) => Inertia::unturnable(mass),
            _ => Inertia::IMMOVABLE,
        }
    }
}

/// How a wall was driven in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushed {
    /// Mass [kg]; infinite for a wall that nothing moves but its drive.
    pub mass: f64,
    /// Mean force along its normal that drives a piston, zero for other walls [N].
    pub force: f64,
}

impl<D: Dim> World<D> {
    /// Adds a wall. All walls must be added before the first grain. A mass lets forces and pressures drive it.
    pub fn push_wall(&mut self, name: &str, surface: Surface<D>, material: u16, drive: Drive<D>, mass: Option<f64>) {
        assert_eq!(self.bodies.len(), self.setup.walls.len(), "walls come before grains");
        let wall = DrivenWall { name: name.to_string(), drive, since: self.clock.time, mass };
        self.state.bodies.push(D::Vec::ZERO, wall.inertia(), Shape::Wall, material, self.setup.walls.len() as u32);
        self.setup.surfaces.push(surface);
        self.setup.walls.push(wall);
    }

    /// Changes the drive of a wall; the time of its signal starts at `since`. A wall that becomes a piston keeps its
    /// velocity.
    pub fn set_drive(&mut self, wall: usize, drive: Drive<D>, since: f64) {
        (self.setup.walls[wall].drive, self.setup.walls[wall].since) = (drive, since);
        self.bodies.inertia[wall] = self.setup.walls[wall].inertia();
        self.scratch.neighbours.forget(); // it may touch others now: grains that are held in place, or all
    }

    /// Direction in which a piston moves and presses: the normal of a plane, towards its free side.
    pub fn wall_axis(&self, wall: usize) -> Option<D::Vec> {
        match &self.setup.surfaces[wall] {
            Surface::Plane(plane) => Some(plane.normal.0),
            _ => None,
        }
    }

    /// Mean force along its normal that drives a piston between two times on the clock [N]; `None` for other walls.
    pub fn piston_force(&self, wall: usize, from: f64, to: f64) -> Option<f64> {
        let DrivenWall { drive, since, .. } = &self.setup.walls[wall];
        let (from, to) = (from - since, to - since);
        match drive {
            _ if !self.bodies.inertia[wall].is_movable() => None,
            Drive::Force(force) => Some(force.mean(from, to)),
            Drive::Pressure(press) => Some(press.value.mean(from, to) * self.pressed_area(&press.extent)),
            _ => None,
        }
    }

    /// Records the masses of the walls and the forces that drive them during a step of `dt`, at the positions where
    /// forces are found.
    pub fn note_pushes(&mut self, dt: f64) {
        let now = self.clock.time;
        let pushed = |wall: usize| Pushed {
            mass: self.bodies.inertia[wall].mass(),
            force: self.piston_force(wall, now, now + dt).unwrap_or(0.0),
        };
        self.scratch.pushed = (0..self.setup.walls.len()).map(pushed).collect();
    }

    /// Area that a pressure acts on, at the present positions of the walls [m2].
    pub fn pressed_area(&self, extent: &PressedArea<D>) -> f64 {
        match extent {
            PressedArea::Area(given) => *given.area,
            PressedArea::Between(sides) => {
                let depth = if D::DIMENSION == D2::DIMENSION { self.setup.depth } else { 1.0 };
                sides.between.0.iter().map(|[one, other]| self.distance(one, other)).product::<f64>() * depth
            }
        }
    }

    /// Distance of two planes that face each other [m].
    pub fn distance(&self, one: &str, other: &str) -> f64 {
        let plane = |name: &str| {
            let wall = self.setup.walls.iter().position(|wall| wall.name == name)?;
            match &self.setup.surfaces[wall] {
                Surface::Plane(plane) => Some((plane.point.0 + self.bodies.pose[wall].x, plane.normal.0)),
                _ => None,
            }
        };
        let [(from, normal), (to, _)] = [one, other].map(|name| plane(name).expect("`between` names plane walls"));
        (to - from).dot(normal)
    }

    /// Sets the velocities with which walls follow their signals during the coming step. Pistons keep their own.
    pub fn drive_walls(&mut self, dt: f64) {
        for ((wall, surface), twist) in
            self.setup.walls.iter().zip(&self.setup.surfaces).zip(&mut self.state.bodies.twist)
        {
            let from = self.state.clock.time - wall.since;
            if let Some(velocity) = wall.drive.mean_velocity(from, from + dt) {
                twist.v = velocity;
            }
            if let (Drive::Pressure(Press { slide: Some(slide), .. }), Surface::Plane(plane), Some(mass)) =
                (&wall.drive, surface, wall.mass)
            {
                let normal = plane.normal.0;
                let sliding = normal * twist.v.dot(normal) + slide.0.tangent_to(normal);
                // bringing the plate to its speed takes work
                self.state.ledger.wall_work += 0.5 * mass * (sliding.norm_squared() - twist.v.norm_squared());
                twist.v = sliding;
            }
            if let Some(axis) = surface.axis() {
                let rate = wall.drive.mean_spin(from, from + dt);
                twist.w = D::Spin::from_fn(|k| if D::DIMENSION == D2::DIMENSION { rate } else { rate * axis.get(k) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, DVec3};

    use super::*;
    use crate::dim::D3;
    use crate::drive::Signal;
    use crate::drive::signal::Ramp;
    use crate::input::quantity::{Components, Quantity, UnitVector};
    use crate::wall::Plane;

    fn plane<D: Dim>(point: D::Vec, normal: D::Vec) -> Surface<D> {
        Surface::Plane(Plane { point: Components(point), normal: UnitVector(normal), rough: None })
    }

    /// Reads a drive as a scenario writes it.
    fn drive<D: Dim>(text: &str) -> Drive<D> {
        use crate::input::{Node, Reader, Text, Value};
        let text = std::sync::Arc::new(Text { name: "test".into(), text: format!("drive = {text}") });
        let (tree, reader) = (Node::parse(&text).0, Reader::default());
        let drive = Drive::read(tree.get("drive").unwrap(), &reader);
        drive.unwrap_or_else(|| panic!("{}", reader.finish()))
    }

    #[test]
    fn a_wall_is_a_piston_only_while_a_force_drives_it() {
        let mut world = World::<D2>::default();
        world.push_wall("lid", plane(DVec2::new(0.0, 1.0), DVec2::NEG_Y), 0, Drive::FIXED, Some(2.0));
        assert_eq!((world.bodies.inertia[0], world.piston_force(0, 0.0, 1.0)), (Inertia::IMMOVABLE, None));
        assert_eq!(world.wall_axis(0), Some(DVec2::NEG_Y));

        world.set_drive(0, drive("{ force = \"10 N\" }"), 0.0);
        assert_eq!(world.bodies.inertia[0], Inertia { inv_m: 0.5, inv_i: 0.0 });
        assert_eq!(world.piston_force(0, 0.0, 1.0), Some(10.0));
        world.bodies.twist[0].v = DVec2::new(0.0, -3.0);
        world.drive_walls(0.1);
        assert_eq!(world.bodies.twist[0].v, DVec2::new(0.0, -3.0), "a piston keeps its velocity");
        assert_eq!(world.bodies.kinetic_energy(0), 9.0, "m v^2 / 2, and no 0/0 from its moment");
        assert_eq!(world.movable().collect::<Vec<_>>(), [0]);

        world.set_drive(0, drive("{ velocity = [0, 1] }"), 0.0);
        world.drive_walls(0.1);
        assert_eq!((world.bodies.twist[0].v, world.bodies.inertia[0]), (DVec2::Y, Inertia::IMMOVABLE));
        assert_eq!(world.bodies.kinetic_energy(0), 0.0);
    }

    #[test]
    fn without_a_mass_no_force_moves_a_wall() {
        let mut world = World::<D2>::default();
        world.push_wall("lid", plane(DVec2::ZERO, DVec2::Y), 0, drive("{ force = 10 }"), None);
        assert_eq!((world.bodies.inertia[0], world.piston_force(0, 0.0, 1.0)), (Inertia::IMMOVABLE, None));
    }

    #[test]
    fn the_force_is_the_mean_of_its_signal_counted_from_the_stage() {
        let mut world = World::<D2>::default();
        let ramp = Ramp { from: Quantity(0.0), to: Quantity(8.0), over: Quantity(4.0) };
        world.push_wall("lid", plane(DVec2::ZERO, DVec2::Y), 0, Drive::FIXED, Some(1.0));
        world.set_drive(0, Drive::Force(Signal::Ramp(ramp)), 10.0);
        // between 1 s and 2 s of the stage: the mean of 2 N and 4 N
        assert_eq!(world.piston_force(0, 11.0, 12.0), Some(3.0));
    }

    #[test]
    fn a_pressure_acts_on_what_lies_between_the_walls_now() {
        let mut world = World::<D2>::default();
        world.setup.depth = 0.1;
        world.push_wall("left", plane(DVec2::ZERO, DVec2::X), 0, Drive::FIXED, None);
        world.push_wall("right", plane(DVec2::new(0.5, 9.0), DVec2::NEG_X), 0, Drive::FIXED, None);
        let press = "{ pressure = { value = \"100 Pa\", between = [\"left\", \"right\"] } }";
        world.push_wall("lid", plane(DVec2::Y, DVec2::NEG_Y), 0, drive(press), Some(1.0));
        // 100 Pa on 0.5 m x 0.1 m, then on 0.4 m x 0.1 m
        assert!((world.piston_force(2, 0.0, 1.0).unwrap() - 5.0).abs() < 1e-14);
        world.bodies.pose[1].x = DVec2::new(-0.1, 0.0);
        assert!((world.piston_force(2, 0.0, 1.0).unwrap() - 4.0).abs() < 1e-14);
    }

    #[test]
    fn in_space_the_area_is_the_product_of_two_distances() {
        let mut world = World::<D3>::default();
        world.setup.depth = 7.0;
        let sides = [(DVec3::ZERO, DVec3::X), (DVec3::X * 0.5, DVec3::NEG_X), (DVec3::ZERO, DVec3::Y)];
        for (name, (point, normal)) in ["left", "right", "front"].into_iter().zip(sides) {
            world.push_wall(name, plane(point, normal), 0, Drive::FIXED, None);
        }
        world.push_wall("back", plane(DVec3::Y * 2.0, DVec3::NEG_Y), 0, Drive::FIXED, None);
        let press = "{ pressure = { value = 100, between = [[\"left\", \"right\"], [\"front\", \"back\"]] } }";
        world.push_wall("lid", plane(DVec3::Z, DVec3::NEG_Z), 0, drive(press), Some(1.0));
        assert!((world.piston_force(4, 0.0, 1.0).unwrap() - 100.0).abs() < 1e-13);
        world.set_drive(4, drive("{ pressure = { value = 100, area = \"3 m2\" } }"), 0.0);
        assert_eq!(world.piston_force(4, 0.0, 1.0), Some(300.0));
    }

    #[test]
    fn a_piston_meets_grains_that_are_held_in_place() {
        let mut world = World::<D2>::default();
        world.push_wall("lid", plane(DVec2::new(0.0, 1.0), DVec2::NEG_Y), 0, Drive::FIXED, Some(1.0));
        world.bodies.push(DVec2::ZERO, Inertia::IMMOVABLE, Shape::Round(crate::shape::Round { radius: 1.0 }), 0, 0);
        let contacts = |world: &mut World<D2>| {
            world.sense(&[0.0; 2], |_, _| 1e-9).expect("no centres coincide");
            world.network.contacts.len()
        };
        assert_eq!(contacts(&mut world), 0);
        world.set_drive(0, drive("{ force = 1 }"), 0.0);
        assert_eq!(contacts(&mut world), 1);
        world.set_drive(0, Drive::FIXED, 0.0);
        assert_eq!(contacts(&mut world), 0);
    }
}
