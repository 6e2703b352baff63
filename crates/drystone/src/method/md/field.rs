//! The field of forces: from places and motion of all bodies to their accelerations.

use super::list::{Kept, List};
use super::store::Slots;
use super::unit::{Motion, Place, Scene, Seen, Share, Taken, Unit, Wrench};
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{D2, Dim, Vector};
use crate::law::soft::SoftLaw;
use crate::method::cd::threads;
use crate::world::World;

/// Grains of a unit: enough to keep its letters few, few enough to give every thread several.
const UNIT: usize = 512;

/// Forces on all bodies, and the pairs that they come from.
#[derive(Debug, Default)]
pub struct Field<D: Dim> {
    laws: Vec<SoftLaw>,
    materials: u64,
    is_whole: bool,
    range: f64,
    place: Vec<Place<D>>,
    motion: Vec<Motion<D>>,
    wrench: Vec<Wrench<D>>,
    units: Vec<Unit<D>>,
    /// The pairs, and what they remember.
    pub list: List<D>,
    /// Accelerations at the last look: linear [m/s2] and angular [rad/s2].
    pub accel: Vec<Twist<D>>,
    /// Forces of the grains on the walls at the last look [N].
    pub on_walls: Vec<D::Vec>,
    /// Energy that contacts took in per time at the last look [W].
    pub taken: Taken,
    /// Contacts at the last look.
    pub touching: usize,
    /// Deepest overlap at the last look over the smaller radius.
    pub deepest: f64,
}

impl<D: Dim> Field<D> {
    /// The field of a world whose pairs of materials obey these laws.
    pub fn new(world: &World<D>) -> Field<D> {
        let materials = world.laws.materials();
        let law = |k: usize| world.laws.between((k / materials) as u16, (k % materials) as u16);
        // pairs that cannot meet have no law and never ask for it
        let spare = world.laws.pairs().find_map(|pair| pair.md.as_ref().map(|soft| soft.law(pair)));
        let spare = spare.expect("a checked scenario has a soft law");
        let laws: Vec<SoftLaw> = (0..materials * materials)
            .map(|k| law(k).md.as_ref().map_or_else(|| spare.clone(), |soft| soft.law(law(k))))
            .collect();
        let radius = world.grains().map(|k| world.bodies.shape[k].radius()).fold(0.0, f64::max);
        let reach = |law: &SoftLaw| {
            let couple = crate::law::soft::Couple { mass: 1.0, radius };
            law.attraction.as_ref().map_or(0.0, |attraction| attraction.range(couple, law.modulus))
        };
        let range = laws.iter().map(reach).fold(0.0, f64::max);
        let is_whole = laws.iter().any(SoftLaw::remembers_more);
        Field { laws, materials: materials as u64, is_whole, range, ..Field::default() }
    }

    /// Laws, a table over materials.
    pub fn laws(&self) -> &[SoftLaw] {
        &self.laws
    }

    /// Makes the list anew, with the memories of a stored network if there are any.
    pub fn open(&mut self, world: &World<D>, dt: f64, kept: Kept<D>) {
        self.size(world);
        self.list = List::default();
        self.list.rebuild(world, dt, self.range, self.is_whole);
        self.list.restore(kept);
        self.cut();
    }

    /// Cuts the grains into units.
    fn cut(&mut self) {
        let (walls, pairs) = (&self.list.walls, &self.list.pairs);
        for unit in &mut self.units {
            let Unit { grains, .. } = unit;
            let from = |at: usize| walls.partition_point(|key| (key.b as usize) < at);
            unit.walls = from(grains.start)..from(grains.end);
            let from = |at: usize| pairs.partition_point(|pair| (pair[0] as usize) < at);
            unit.pairs = from(grains.start)..from(grains.end);
        }
    }

    fn size(&mut self, world: &World<D>) {
        let count = world.bodies.len();
        if self.place.len() == count && !self.units.is_empty() {
            return;
        }
        let bodies = &world.bodies;
        self.place = (0..count).map(|k| Place { x: bodies.pose[k].x, radius: bodies.shape[k].radius() }).collect();
        let motion = |k: usize| Motion { material: u64::from(bodies.material[k]), ..Motion::default() };
        self.motion = (0..count).map(motion).collect();
        self.wrench = vec![Wrench::default(); count];
        self.accel = vec![Twist::default(); count];
        let grains = world.grains();
        let starts = grains.clone().step_by(UNIT);
        self.units =
            starts.map(|start| Unit { grains: start..(start + UNIT).min(grains.end), ..Unit::default() }).collect();
    }

    /// Looks at the world with the twists that `twist` says, `dt` after the last look, and finds all accelerations.
    /// No body went further than `way` since then; `step` is the length of a step.
    pub fn look(
        &mut self,
        world: &World<D>,
        (dt, step, way): (f64, f64, f64),
        twist: impl Fn(usize) -> Twist<D>,
    ) -> Result<(), Coincident> {
        self.size(world);
        if !self.list.serves(world, way) {
            self.list.rebuild(world, step, self.range, self.is_whole);
            self.cut();
        }
        self.run(world, dt, false, twist)?;
        self.accelerate(world, step);
        Ok(())
    }

    /// What all contacts do, as the bodies are and move now, sorted by key. Nothing is remembered.
    pub fn watch(&mut self, world: &World<D>) -> Vec<Seen<D>> {
        self.size(world);
        let (at_walls, between) = (self.list.at_walls.clone(), self.list.between.clone());
        let known = (self.touching, self.deepest, self.taken);
        // grains with one centre are named when forces are found
        let _ = self.run(world, 0.0, true, |k| world.bodies.twist[k]);
        (self.touching, self.deepest, self.taken) = known;
        (self.list.at_walls, self.list.between) = (at_walls, between);
        let mut seen: Vec<Seen<D>> = self.units.iter_mut().flat_map(|unit| std::mem::take(&mut unit.seen)).collect();
        seen.sort_by_key(|seen| seen.key);
        seen
    }

    fn run(
        &mut self,
        world: &World<D>,
        dt: f64,
        is_watched: bool,
        twist: impl Fn(usize) -> Twist<D>,
    ) -> Result<(), Coincident> {
        let bodies = &world.bodies;
        for (k, (place, motion)) in self.place.iter_mut().zip(&mut self.motion).enumerate() {
            let Twist { v, w } = twist(k);
            place.x = bodies.pose[k].x;
            (motion.v, motion.w, motion.inv_m) = (v, w, bodies.inertia[k].inv_m);
        }
        let scene = Scene {
            place: &self.place,
            motion: &self.motion,
            surfaces: &world.surfaces,
            walls: &self.list.walls,
            pairs: &self.list.pairs,
            laws: &self.laws,
            materials: self.materials,
            dt,
            depth: (D::DIMENSION == D2::DIMENSION).then_some(world.depth),
            is_watched,
        };
        let walls = world.walls.len();
        let wrenches = threads::split(&mut self.wrench, self.units.iter().map(|unit| unit.grains.clone()));
        let mut at_walls = Some(self.list.at_walls.slots());
        let mut between = Some(self.list.between.slots());
        let mut shares = Vec::with_capacity(self.units.len());
        for (unit, wrench) in self.units.iter_mut().zip(wrenches) {
            let (at_wall, pair) = (unit.walls.len(), unit.pairs.len());
            // slots leave the whole in the order of the units
            let own = (cut_from(&mut at_walls, at_wall), cut_from(&mut between, pair));
            shares.push(Share { unit, wrench, at_walls: own.0, between: own.1 });
        }
        let pairs = self.list.pairs.len();
        threads::map(shares, pairs, |mut share: Share<'_, D>| share.run(&scene));
        self.on_walls = vec![D::Vec::ZERO; walls];
        (self.taken, self.touching, self.deepest) = ([0.0; 3], 0, 0.0);
        for unit in &self.units {
            for (body, letter) in &unit.letters {
                let wrench = &mut self.wrench[*body as usize];
                wrench.f += letter.f;
                wrench.t += letter.t;
            }
            self.on_walls.iter_mut().zip(&unit.on_walls).for_each(|(sum, part)| *sum += *part);
            self.taken.iter_mut().zip(unit.taken).for_each(|(sum, part)| *sum += part);
            self.touching += unit.touching;
            self.deepest = self.deepest.max(unit.deepest);
            if let Some(pair) = unit.coincident {
                return Err(pair);
            }
        }
        Ok(())
    }

    /// a = g + f / m, and the angular one t / I; a piston moves along its normal only.
    fn accelerate(&mut self, world: &World<D>, step: f64) {
        let walls = world.walls.len();
        for k in world.grains() {
            let (inertia, wrench) = (&world.bodies.inertia[k], &self.wrench[k]);
            self.accel[k] = match inertia.is_movable() {
                true => Twist { v: world.gravity + wrench.f * inertia.inv_m, w: wrench.t * inertia.round_inv_i() },
                false => Twist::default(),
            };
        }
        let now = world.clock.time;
        for wall in 0..walls {
            let drive = world.piston_force(wall, now, now + step);
            self.accel[wall] = match (drive, world.wall_axis(wall)) {
                (Some(force), Some(axis)) => {
                    let force = force + self.on_walls[wall].dot(axis);
                    Twist {
                        v: axis * (world.gravity.dot(axis) + force * world.bodies.inertia[wall].inv_m),
                        w: D::Spin::ZERO,
                    }
                }
                _ => Twist::default(),
            };
        }
    }
}

/// The first slots of what is left.
fn cut_from<'s, D: Dim>(slots: &mut Option<Slots<'s, D>>, count: usize) -> Slots<'s, D> {
    let (own, rest) = slots.take().expect("slots are there").split(count);
    *slots = Some(rest);
    own
}
