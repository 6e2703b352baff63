//! Limits of the computation: how far from the origin a body may be, and how far it may move in a step.

use super::World;
use crate::cell::{Cell, THREE_GRAINS};
use crate::dim::{Dim, Vector};
use crate::input::quantity::LARGEST;
use crate::threads;
use crate::wall::Surface;

/// Largest distance from the origin in radii. Positions have 53 bits: a grain further away is smaller than the rounding
/// of its position.
pub const FARTHEST: f64 = 1e15;

/// Largest travel of a grain in a step, in radii. Contacts are found at the start of a step, and W202 warns from half a
/// radius on. Longer paths are of no use even in free flight, and the list of all partners on the path grows with its
/// square.
pub const LONGEST_WAY: f64 = 1000.0;

/// Largest number of bumps of a rough plane that a grain passes in a step: all of them are tested, in both directions.
const MOST_BUMPS: f64 = 100.0;

/// Largest mean number of other grains that a grain comes near in a step: a longer list would not be one of neighbours.
/// In a dense bed there are about ten.
const MOST_MET: f64 = 2000.0;

impl<D: Dim> World<D> {
    /// The first body whose position or velocity is not a number, or grain that is too far away.
    pub fn out_of_range(&self) -> Option<usize> {
        let bodies = &self.bodies;
        let is_sound = |k: usize| bodies.twist[k].v.is_finite() && bodies.twist[k].w.is_finite();
        let is_in = |k: usize| is_sound(k) && self.is_near(bodies.pose[k].x, bodies.shape[k].radius());
        let walls = 0..self.setup.walls.len();
        let lost = walls.into_iter().find(|k| !(is_sound(*k) && bodies.pose[*k].x.is_finite()));
        lost.or_else(|| match threads::all(self.grains(), is_in) {
            true => None,
            false => self.grains().find(|k| !is_in(*k)),
        })
    }

    /// Describes why one cannot compute with a world that was read from a file, if so.
    pub fn flaw(&self) -> Option<String> {
        let bodies = &self.bodies;
        if let Some(body) = self.out_of_range() {
            return Some(format!("{} has a position or velocity that is not a number, or too large", self.name(body)));
        }
        let is_sound = |k: usize| {
            let (inertia, grain) = (&bodies.inertia[k], k >= self.setup.walls.len());
            let moments = (0..D::Moments::LEN).map(|axis| inertia.inv_i.get(axis)).chain([inertia.inv_m]);
            let turn = D::rot_numbers(bodies.pose[k].q).iter().all(|number| number.is_finite());
            let size = bodies.shape[k].radius();
            let is_sized = !grain || (1.0 / LARGEST..=LARGEST).contains(&size);
            turn && is_sized && moments.into_iter().all(|part| (0.0..f64::INFINITY).contains(&part))
        };
        if let Some(body) = (0..bodies.len()).find(|k| !is_sound(*k)) {
            return Some(format!("{} has a size, a mass or an orientation that is not a number", self.name(body)));
        }
        if let Some(body) = (0..bodies.len()).find(|k| usize::from(bodies.material[*k]) >= self.setup.laws.materials())
        {
            return Some(format!("{} is of a material that the scenario does not have", self.name(body)));
        }
        let corners = bodies.outlines.iter().flat_map(|outline| outline.corners.iter().chain(&outline.normals));
        let contacts = self.network.contacts.iter().zip(&self.network.memory);
        let is_met = |(contact, memory): (&crate::contact::Contact<D>, &crate::contact::ContactMemory<D>)| {
            let vectors = [contact.normal, contact.arm_a, contact.arm_b, contact.image_velocity, memory.impulse];
            contact.gap.is_finite() && vectors.iter().all(|vector| vector.is_finite()) && memory.torque.is_finite()
        };
        let widest = self.grains().map(|k| bodies.shape[k].radius()).fold(1.0 / LARGEST, f64::max);
        let is_cell = |cell: &Cell<D>| {
            let room = THREE_GRAINS * widest..=LARGEST;
            let lengths = cell.axes().all(|axis| room.contains(&cell.lengths.get(axis)));
            lengths && [cell.tilt, cell.rate, cell.pace()].iter().all(|number| number.is_finite())
        };
        let rest = corners.into_iter().all(|corner| corner.is_finite())
            && contacts.into_iter().all(is_met)
            && self.cell.as_ref().is_none_or(is_cell)
            && self.clock.time.is_finite()
            && self.gravity.is_finite();
        (!rest).then(|| "a contact, a corner, the cell or the clock has something that is not a number".to_string())
    }

    /// Whether a position is a number, and near enough for a grain of this radius; with a periodic cell also whether
    /// the number of cells can be counted.
    pub fn is_near(&self, x: D::Vec, radius: f64) -> bool {
        let far = (0..D::DIMENSION).map(|axis| x.get(axis).abs()).fold(0.0, f64::max);
        let cells = |axis: usize, cell: &Cell<D>| (x.get(axis) - cell.origin.get(axis)) / cell.lengths.get(axis);
        let is_counted = |cell: &Cell<D>| cell.axes().all(|axis| cells(axis, cell).abs() < MOST_CELLS);
        x.is_finite() && far <= FARTHEST * radius && self.cell.as_ref().is_none_or(is_counted)
    }

    /// The first of these bodies that moves further in a step of `dt` than is allowed, if its speed grows by `gain` in
    /// the step, with its travel over its radius; the travel of walls is compared with the largest grain.
    pub fn too_fast(
        &self,
        among: std::ops::Range<usize>,
        dt: f64,
        gain: impl Fn(usize) -> f64 + Sync,
    ) -> Option<(usize, f64)> {
        let radius = |k: usize| self.bodies.shape[k].radius();
        let largest = threads::largest(self.grains(), 0.0, radius);
        let by_images = self.image_travel(dt);
        let way = |k: usize| {
            let own = if k < self.setup.walls.len() {
                self.swing_travel(k, dt)
            } else {
                self.swell_travel(k, dt) + by_images
            };
            (self.bodies.twist[k].v.norm() + gain(k)) * dt + own
        };
        let beside = |k: usize| if k < self.setup.walls.len() { largest } else { radius(k) };
        // beyond a cell a grain would collide with itself
        let lengths = self.cell.iter().flat_map(|cell| cell.axes().map(|axis| cell.lengths.get(axis)));
        let across = lengths.fold(f64::INFINITY, f64::min);
        let spacings = self.setup.surfaces.iter().filter_map(|surface| match surface {
            Surface::Plane(plane) => plane.rough.as_ref().map(|rough| MOST_BUMPS * *rough.spacing),
            _ => None,
        });
        let across = spacings.fold(across, f64::min);
        let is_short = |k: usize| way(k) <= (LONGEST_WAY * beside(k)).min(across);
        let over = |k: usize| (k, way(k) / beside(k));
        let is_slow = |k: usize| is_short(k) && over(k).1 <= 1.0;
        if self.grains().is_empty() || threads::all(among.clone(), is_slow) {
            return None;
        }
        if let Some(fast) = among.clone().find(|k| !is_short(*k)) {
            return Some(over(fast));
        }
        let fastest = among.map(over).max_by(|one, other| one.1.total_cmp(&other.1))?;
        (fastest.1 > 1.0 && self.met_on_the_way(way) > MOST_MET).then_some(fastest)
    }

    /// Mean number of other grains that a grain comes near when all of them move so far: the number that its path
    /// contains in a bed of uniform density.
    fn met_on_the_way(&self, way: impl Fn(usize) -> f64) -> f64 {
        let bodies = &self.bodies;
        let along = |axis: usize| {
            let ends = |(low, high): (f64, f64), k: usize| {
                let (x, radius) = (bodies.pose[k].x.get(axis), bodies.shape[k].radius());
                (low.min(x - radius), high.max(x + radius))
            };
            let (low, high) = self.grains().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
            high - low
        };
        let lengths: Vec<f64> = (0..D::DIMENSION).map(along).collect();
        let reach = |k: usize, axis: usize| (2.0 * (bodies.shape[k].radius() + way(k)) / lengths[axis]).min(1.0);
        let part = |k: usize| (0..D::DIMENSION).map(|axis| reach(k, axis)).product::<f64>();
        self.grains().map(part).sum()
    }
}

/// Largest distance of a grain from the cell, in cells: images are counted with 32 bits.
const MOST_CELLS: f64 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use crate::law::{Laws, Pair};
    use glam::DVec2;

    fn two() -> World<D2> {
        let mut world = World::new(Laws::new(1, |_, _| Pair::with_friction(0.3)));
        for id in 0..2 {
            world.bodies.push_round(DVec2::X * f64::from(id), 0.1, 1.0, 1.0, id);
        }
        world
    }

    /// Every column of a checkpoint that could hold a value that is not a number.
    #[test]
    fn a_world_that_cannot_be_computed_with_is_named() {
        assert_eq!(two().flaw(), None);
        let flaws: [fn(&mut World<D2>); 9] = [
            |world| world.bodies.pose[1].x.y = f64::NAN,
            |world| world.bodies.pose[1].x.y = 1e15,
            |world| world.bodies.pose[1].q = f64::INFINITY,
            |world| world.bodies.twist[1].v.x = f64::NAN,
            |world| world.bodies.twist[1].w = f64::NAN,
            |world| world.bodies.inertia[1].inv_m = -1.0,
            |world| world.bodies.inertia[1].inv_i = f64::INFINITY,
            |world| world.bodies.shape[1] = crate::shape::Shape::Round(crate::shape::Round { radius: 0.0 }),
            |world| world.bodies.material[1] = 1,
        ];
        for (k, damage) in flaws.into_iter().enumerate() {
            let mut world = two();
            damage(&mut world);
            assert!(world.flaw().is_some_and(|flaw| flaw.starts_with("grain 1 ")), "{k}: {:?}", world.flaw());
        }
        let mut world = two();
        world.clock.time = f64::NAN;
        assert!(world.flaw().is_some());
        let mut world = two();
        world.cell = Some(Cell::new(DVec2::ZERO, DVec2::splat(0.5), [true, true, false]));
        assert!(world.flaw().is_some(), "three grains do not fit side by side");
    }

    #[test]
    fn a_way_is_too_long_beside_the_radius() {
        let mut world = two();
        world.bodies.twist[1].v.x = 99.0;
        assert_eq!(world.too_fast(0..2, 1.0, |_| 0.0), None);
        assert_eq!(world.too_fast(0..2, 1.0, |_| 2.0).map(|(body, _)| body), Some(1), "by what it gains");
        world.bodies.twist[1].v.x = 101.0;
        assert_eq!(world.too_fast(0..2, 1.0, |_| 0.0).map(|(body, _)| body), Some(1));
        (world.bodies.twist[1].v.x, world.cell) =
            (3.0, Some(Cell::new(DVec2::ZERO, DVec2::splat(2.0), [true, false, false])));
        assert_eq!(
            world.too_fast(0..2, 1.0, |_| 0.0).map(|(body, _)| body),
            Some(1),
            "it would overtake its own image"
        );
        world.bodies.twist[1].v.x = f64::NAN;
        assert_eq!(world.too_fast(0..2, 1.0, |_| 0.0).map(|(body, _)| body), Some(1));
    }
}
