//! What was seen on the walk: sizes, speeds, contacts, forces.

use drystone::dim::{Dim, Vector};
use drystone::law::soft::Couple;
use drystone::sim::collision_rate;
use drystone::world::World;

/// Numbers of a run that decide what a method gets wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scene {
    /// Grains that can move.
    pub grains: usize,
    /// Whether some grains are held in place.
    pub has_fixed: bool,
    /// Mean radius [m].
    pub radius: f64,
    /// Mean mass [kg].
    pub mass: f64,
    /// Largest extent of the grains [m].
    pub extent: f64,
    /// Fastest grain of the walk [m/s].
    pub fastest: f64,
    /// Most collisions of a grain in a second, as in a gas of hard grains [1/s].
    pub collision_rate: f64,
    /// Most contacts that carried a force at once.
    pub contacts: usize,
    /// Those of them with friction.
    pub frictional: usize,
    /// Grains with at least one of these contacts.
    pub touching: usize,
    /// Largest force of a contact when there were most of them [N].
    pub force: f64,
}

impl Scene {
    /// The sizes and speeds of a world at its start.
    pub(crate) fn of<D: Dim>(world: &World<D>) -> Scene {
        let bodies = &world.bodies;
        let count = world.free_grains().count().max(1) as f64;
        let mean = |value: &dyn Fn(usize) -> f64| world.free_grains().map(value).sum::<f64>() / count;
        let speed = |k: usize| bodies.twist[k].v.norm();
        Scene {
            grains: world.free_grains().count(),
            has_fixed: world.grains().len() > world.free_grains().count(),
            radius: mean(&|k| bodies.inner_radius(k)),
            mass: mean(&|k| bodies.inertia[k].mass()),
            extent: extent(world),
            fastest: world.free_grains().map(speed).fold(0.0, f64::max),
            collision_rate: collision_rate(world),
            ..Scene::default()
        }
    }

    /// Takes the worst of later moments into account. Sizes are those of the moment with most grains: some are poured.
    pub(crate) fn note<'w, D: Dim>(&mut self, worlds: impl Iterator<Item = &'w World<D>>) {
        for world in worlds {
            let now = Scene::of(world);
            if now.grains > self.grains {
                (self.grains, self.radius, self.mass) = (now.grains, now.radius, now.mass);
            }
            self.fastest = self.fastest.max(now.fastest);
            self.collision_rate = self.collision_rate.max(now.collision_rate);
            self.note_contacts(world);
        }
    }

    fn note_contacts<D: Dim>(&mut self, world: &World<D>) {
        let dt = world.scratch.time_step;
        let material = |body: u32| world.bodies.material[body as usize];
        let friction = |a: u32, b: u32| {
            let law = &world.setup.laws.between(material(a), material(b)).friction;
            law.coefficient(Default::default(), 0.0) > 0.0
        };
        let (mut contacts, mut frictional, mut force) = (0, 0, 0.0f64);
        let mut touches = vec![false; world.bodies.len()];
        for (contact, memory) in world.network().closed() {
            let key = contact.key;
            contacts += 1;
            frictional += usize::from(friction(key.a, key.b));
            [key.a, key.b].iter().for_each(|body| touches[*body as usize] = true);
            force = force.max(memory.impulse.norm() / dt);
        }
        if contacts > self.contacts {
            self.force = if dt > 0.0 { force } else { 0.0 };
            self.touching = world.free_grains().filter(|k| touches[*k]).count();
            (self.contacts, self.frictional, self.extent) = (contacts, frictional, extent(world));
        }
    }

    /// Mean number of contacts of a grain, each shared by two.
    pub fn coordination(&self) -> f64 {
        2.0 * self.contacts as f64 / self.grains.max(1) as f64
    }

    /// Two grains of mean mass and radius.
    pub(crate) fn couple(&self) -> Couple {
        Couple { mass: 0.5 * self.mass, radius: 0.5 * self.radius }
    }

    /// The pair that collides longest: a grain and one that is held in place, if there are any.
    pub(crate) fn slowest_couple(&self) -> Couple {
        let mass = if self.has_fixed { self.mass } else { 0.5 * self.mass };
        Couple { mass, ..self.couple() }
    }
}

/// Largest extent of the grains that can move along an axis [m].
fn extent<D: Dim>(world: &World<D>) -> f64 {
    let bodies = &world.bodies;
    let along = |axis: usize| {
        let (low, high) = world.free_grains().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), k| {
            let (x, r) = (bodies.pose[k].x.get(axis), bodies.shape[k].radius());
            (low.min(x - r), high.max(x + r))
        });
        (high - low).max(0.0)
    };
    (0..D::DIMENSION).map(along).fold(0.0, f64::max)
}
