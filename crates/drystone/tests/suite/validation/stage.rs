//! What the cases are built of: a world with its method, planes, round grains, and random numbers.

use drystone::body::{Inertia, Twist};
use drystone::contact::{Contact, ContactMemory};
use drystone::dim::{Dim, Vector};
use drystone::drive::Drive;
use std::sync::Arc;

use drystone::input::quantity::{Components, UnitVector};
use drystone::input::{Node, Reader, Text, Value};
use drystone::law::{Laws, Pair};
use drystone::method::cd::{Accuracy, CdOptions, ContactDynamics, Scheme};
use drystone::method::{Method, StepReport};
use drystone::shape::{Round, Shape};
use drystone::wall::{Plane, Surface};
use drystone::world::World;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Acceleration of free fall [m/s2].
pub(crate) const G: f64 = 9.81;

/// A world and the method that moves it.
pub(crate) struct Stage<D: Dim> {
    pub world: World<D>,
    pub method: ContactDynamics<D>,
}

impl<D: Dim> Stage<D> {
    /// An empty world of one material, without gravity; every step is solved to the residual `accuracy`.
    pub(crate) fn new(friction: f64, dt: f64, accuracy: f64) -> Stage<D> {
        let laws = Laws::new(1, |_, _| Pair::with_friction(friction));
        let options = CdOptions { accuracy: Accuracy::Residual(accuracy), ..CdOptions::with_time_step(dt) };
        Stage { world: World::new(laws), method: ContactDynamics::new(options) }
    }

    /// The same with a law as a scenario writes it, and a scheme.
    pub(crate) fn with_law(law: &str, scheme: Scheme, dt: f64, accuracy: f64) -> Stage<D> {
        let mut stage = Stage::new(0.0, dt, accuracy);
        let pair = read::<Pair>(law);
        stage.world.setup.laws = Laws::new(1, |_, _| pair.clone());
        stage.method.options.scheme = scheme;
        stage
    }

    /// Adds a piston of this mass, moved as a scenario writes it.
    pub(crate) fn piston(&mut self, name: &str, point: D::Vec, normal: D::Vec, mass: f64, drive: &str) {
        self.world.push_wall(name, plane(point, normal), 0, read(drive), Some(mass));
    }

    /// Sum of the contact forces on a body [N].
    pub(crate) fn force_on(&self, body: usize) -> D::Vec {
        let mut force = D::Vec::ZERO;
        for (contact, memory) in self.contacts() {
            let share = memory.impulse * (1.0 / self.dt());
            if contact.key.a as usize == body {
                force -= share;
            } else if contact.key.b as usize == body {
                force += share;
            }
        }
        force
    }

    /// Adds a plane through `point`; grains stay on the side that `normal` points to.
    pub(crate) fn plane(&mut self, name: &str, point: D::Vec, normal: D::Vec) {
        self.world.push_wall(name, plane(point, normal), 0, Drive::FIXED, None);
    }

    /// Adds a solid round grain and returns its index.
    pub(crate) fn grain(&mut self, x: D::Vec, radius: f64, mass: f64) -> usize {
        let round = Round { radius };
        let id = self.world.bodies.len() as u32;
        let inertia = Inertia::isotropic(mass, round.moment::<D>(mass));
        self.world.bodies.push(x, inertia, Shape::Round(round), 0, id)
    }

    /// Makes one step, which must converge.
    #[track_caller]
    pub(crate) fn step(&mut self) -> StepReport {
        let report = self.step_or_warn();
        assert!(report.converged, "residual {:.1e} after {} sweeps", report.residual, report.sweeps);
        report
    }

    /// Makes one step; it may miss its accuracy, as a step of a run with `unconverged = "warn"` may.
    #[track_caller]
    pub(crate) fn step_or_warn(&mut self) -> StepReport {
        self.method.step(&mut self.world).expect("a possible step")
    }

    /// Makes many steps and returns the report of the last one.
    #[track_caller]
    pub(crate) fn run(&mut self, steps: usize) -> StepReport {
        (0..steps).map(|_| self.step()).last().expect("at least one step")
    }

    /// Length of a step [s].
    pub(crate) fn dt(&self) -> f64 {
        self.method.time_step()
    }

    /// Place of a body [m].
    pub(crate) fn x(&self, body: usize) -> D::Vec {
        self.world.bodies.pose[body].x
    }

    /// Velocity and spin of a body.
    pub(crate) fn twist(&mut self, body: usize) -> &mut Twist<D> {
        &mut self.world.bodies.twist[body]
    }

    /// Mass of a grain [kg].
    pub(crate) fn mass(&self, body: usize) -> f64 {
        self.world.bodies.inertia[body].mass()
    }

    /// Moment of inertia of a grain [kg m2].
    pub(crate) fn moment(&self, body: usize) -> f64 {
        1.0 / self.world.bodies.inertia[body].round_inv_i()
    }

    /// Contacts of the last step with the impulses that they carried.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = (&Contact<D>, &ContactMemory<D>)> {
        self.world.network().contacts.iter().zip(&self.world.network().memory)
    }

    /// Kinetic energy of all grains [J], from masses, moments and twists.
    pub(crate) fn kinetic_energy(&self) -> f64 {
        let of = |k: usize| {
            let Twist { v, w } = self.world.bodies.twist[k];
            0.5 * (self.mass(k) * v.norm_squared() + self.moment(k) * w.norm_squared())
        };
        self.world.grains().map(of).sum()
    }

    /// Grains of radius 1 cm +- 20 % and 2.6 g/cm3 on a loose grid with `columns` columns, with small random
    /// velocities, above the last axis' origin.
    pub(crate) fn scatter(&mut self, count: usize, columns: usize, random: &mut Random) {
        let (radius, pitch) = (0.01, 0.025);
        for k in 0..count {
            let x = D::Vec::from_fn(|axis| match axis {
                0 => pitch * (0.5 + (k % columns) as f64),
                last if last + 1 == D::DIMENSION => pitch * (0.5 + (k / columns) as f64),
                _ => 0.0,
            });
            let r = radius * random.between(0.8, 1.2);
            let body = self.grain(x, r, 2600.0 * D::ball_volume(r, 0.01));
            let v = random.vector::<D>(0.1);
            self.twist(body).v = v;
        }
    }

    /// A floor, and walls left and right of the columns of [`Stage::scatter`] and (3D) before and behind them;
    /// before any grain. All lengths are multiplied by `length`.
    pub(crate) fn bin(&mut self, columns: usize, length: f64) {
        self.plane("floor", D::Vec::ZERO, upward::<D>());
        self.plane("left", D::Vec::ZERO, along::<D>(0));
        self.plane("right", along::<D>(0) * (0.025 * columns as f64 * length), -along::<D>(0));
        if D::DIMENSION == 3 {
            self.plane("front", along::<D>(1) * (-0.015 * length), along::<D>(1));
            self.plane("back", along::<D>(1) * (0.015 * length), -along::<D>(1));
        }
    }
}

/// Reads a value as a scenario writes it.
pub(crate) fn read<T: Value>(text: &str) -> T {
    let text = Arc::new(Text { name: "test".into(), text: format!("value = {text}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    let value = T::read(tree.get("value").expect("the key is there"), &reader);
    value.unwrap_or_else(|| panic!("{}", reader.finish()))
}

/// A plane through a point.
pub(crate) fn plane<D: Dim>(point: D::Vec, normal: D::Vec) -> Surface<D> {
    Surface::Plane(Plane { point: Components(point), normal: UnitVector(normal), rough: None })
}

/// The unit vector along an axis.
pub(crate) fn along<D: Dim>(axis: usize) -> D::Vec {
    D::Vec::from_fn(|k| if k == axis { 1.0 } else { 0.0 })
}

/// The unit vector along the last axis: y in the plane, z in space.
pub(crate) fn upward<D: Dim>() -> D::Vec {
    along::<D>(D::DIMENSION - 1)
}

/// Random numbers that are the same in every run.
pub(crate) struct Random(Pcg64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(Pcg64::new(u128::from(seed), 1))
    }

    /// Evenly between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Components evenly between -`size` and `size`.
    pub(crate) fn vector<D: Dim>(&mut self, size: f64) -> D::Vec {
        D::Vec::from_fn(|_| self.between(-size, size))
    }

    /// A unit vector.
    pub(crate) fn direction<D: Dim>(&mut self) -> D::Vec {
        loop {
            let v = self.vector::<D>(1.0);
            if (0.1..=1.0).contains(&v.norm()) {
                return v * (1.0 / v.norm());
            }
        }
    }
}
