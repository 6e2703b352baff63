//! What cases of soft grains are built of: a world of one material with its laws, and the method that moves it.

use drystone::body::{Inertia, Twist};
use drystone::dim::{Dim, Vector};
use drystone::drive::Drive;
use drystone::law::soft::{Couple, SoftLaw};
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::md::integrator::Integrators;
use drystone::method::md::{MdOptions, SoftParticles};
use drystone::shape::{Round, Shape};
use drystone::world::World;

use super::stage::{plane, read};

/// A world of soft grains, and its method once it moves.
pub(super) struct Soft<D: Dim> {
    pub world: World<D>,
    dt: f64,
    integrator: Integrators,
    method: Option<SoftParticles<D>>,
}

/// A pair of materials as a [[contact]] writes it, without the outer brackets.
pub(super) fn pair(text: &str) -> Pair {
    read(&format!("{{ {text} }}"))
}

/// The laws of a pair, with their numbers.
pub(super) fn law(text: &str) -> SoftLaw {
    let pair = pair(text);
    pair.md.as_ref().expect("a soft law").law(&pair)
}

/// Reduced mass and radius of a collision.
pub(super) fn couple(mass: f64, radius: f64) -> Couple {
    Couple { mass, radius }
}

impl<D: Dim> Soft<D> {
    /// An empty world without gravity.
    pub(super) fn new(text: &str, dt: f64) -> Soft<D> {
        let pair = pair(text);
        let laws = Laws::new(1, |_, _| pair.clone());
        let integrator = Integrators::Verlet;
        Soft { world: World::new(laws), dt, integrator, method: None }
    }

    /// The same with another integrator.
    pub(super) fn by(self, integrator: Integrators) -> Soft<D> {
        Soft { integrator, ..self }
    }

    /// Adds a plane; before any grain.
    pub(super) fn plane(&mut self, point: D::Vec, normal: D::Vec) {
        let name = format!("wall {}", self.world.setup.walls.len());
        self.world.push_wall(&name, plane(point, normal), 0, Drive::FIXED, None);
    }

    /// Adds a solid round grain.
    pub(super) fn grain(&mut self, x: D::Vec, radius: f64, mass: f64) -> usize {
        let moment = Round { radius }.moment::<D>(mass);
        self.body(x, radius, Inertia::isotropic(mass, moment))
    }

    /// Adds a round grain that nothing moves or turns.
    pub(super) fn fixed(&mut self, x: D::Vec, radius: f64) -> usize {
        self.body(x, radius, Inertia::IMMOVABLE)
    }

    /// Adds a round grain of any inertia.
    pub(super) fn body(&mut self, x: D::Vec, radius: f64, inertia: Inertia<D>) -> usize {
        let id = self.world.bodies.len() as u32;
        self.world.bodies.push(x, inertia, Shape::Round(Round { radius }), 0, id)
    }

    /// Velocity and spin of a body.
    pub(super) fn twist(&mut self, body: usize) -> &mut Twist<D> {
        &mut self.world.bodies.twist[body]
    }

    /// Centre of a body [m].
    pub(super) fn x(&self, body: usize) -> D::Vec {
        self.world.bodies.pose[body].x
    }

    /// Makes a step; gives the number of contacts and the deepest overlap over the radius.
    pub(super) fn step(&mut self) -> (usize, f64) {
        let options = MdOptions { integrator: self.integrator, ..MdOptions::with_time_step(self.dt) };
        let method = self.method.get_or_insert_with(|| SoftParticles::new(options, &self.world));
        let report = method.step(&mut self.world).unwrap_or_else(|error| panic!("{error}"));
        (report.contacts, report.max_overlap)
    }

    /// Makes steps until grains have touched and parted for good: none touches for as many steps as they did. The force
    /// is that on the last grain.
    pub(super) fn collide(&mut self) -> Met {
        let mut met = Met { time: 0.0, overlap: 0.0, force: 0.0 };
        let last = self.world.bodies.len() - 1;
        let (mut touching, mut apart) = (0_u64, 0_u64);
        while touching == 0 || apart <= touching {
            let (contacts, overlap) = self.step();
            let touches = contacts > 0;
            touching += u64::from(touches);
            apart = if touches { 0 } else { apart + 1 };
            met.overlap = met.overlap.max(overlap);
            if touches {
                met.force = met.force.max(self.force_on(last).norm());
            }
            assert!(self.world.clock.step < 10_000_000, "they never meet or part");
        }
        met.time = touching as f64 * self.dt;
        met
    }

    /// Kinetic energy [J].
    pub(super) fn kinetic_energy(&self) -> f64 {
        self.world.bodies.kinetic_energy_of(self.world.grains())
    }

    /// Brings the contacts and the energy balance of the world up to date.
    pub(super) fn publish(&mut self) {
        self.method.as_mut().expect("a step was made").publish(&mut self.world);
    }

    /// Sum of the forces on a body, as it is now [N].
    pub(super) fn force_on(&mut self, body: usize) -> D::Vec {
        self.publish();
        let mut force = D::Vec::ZERO;
        for (contact, memory) in self.world.network().contacts.iter().zip(&self.world.network().memory) {
            let share = memory.impulse * (1.0 / self.dt);
            match body as u32 {
                body if body == contact.key.b => force += share,
                body if body == contact.key.a => force -= share,
                _ => {}
            }
        }
        force
    }
}

/// How a collision went.
pub(super) struct Met {
    /// Time in contact [s].
    pub time: f64,
    /// Deepest overlap over the radius.
    pub overlap: f64,
    /// Largest force [N].
    pub force: f64,
}
