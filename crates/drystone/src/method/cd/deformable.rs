//! Grains that deform in a step: a uniform strain, as velocities of its own beside those of the rigid body.
//! [Radjai and Richefeu, section 7: strain variables of the particles]
//!
//! The rate of strain E' of a grain belongs to the kinetic energy J E' : E' / 2 (affine motion), and its strain E to the
//! elastic energy V E : C E / 2. Its step is implicit: the stress is that of the end,
//!
//! ```text
//!   J (E'+ - E') = -dt V C (E + dt E'+ + tau E'+) - sum over contacts of r sym(n (x) R)
//! ```
//!
//! with tau for viscosity. So the contacts act against the inertia M = J + dt (dt + tau) V C: no stiffness limits the
//! step, and for long steps M holds the stiffness alone, which is statics. C is isotropic; M is one number for changes of
//! shape and one for changes of volume.
//!
//! In the sweeps a strain is a second solver body beside that of its grain. It holds q = l E', where l is the length for
//! which m l^2 = M: then q is a velocity that moves with the mass m of the grain, and momentum, energies and velocity
//! errors count it as they count other velocities. At a contact the surface moves with E' c, where c is r n or -r n:
//!
//! ```text
//!   u = v_b - v_a + ... - (r_a E_a' + r_b E_b') n          q gains -(r / l) sym(n (x) R) / m, on either side
//!   W_nn gains (r / l_shape)^2 (1 - 1/d) / m + (r / l_volume)^2 / (d m),  W_tt gains (r / l_shape)^2 / (2 m),  W_nt none
//! ```

use crate::body::{IsotropicFactors, Strains, SymmetricTensor, Twist};
use crate::dim::{Dim, Vector};
use crate::law::Elasticity;
use crate::method::common::solver_body::SolverBody;
use crate::world::World;

/// The strain of a grain as a part of a step.
struct GrainStrain<'w, D: Dim> {
    world: &'w World<D>,
    body: usize,
    elastic: &'w Elasticity,
    dt: f64,
}

impl<'w, D: Dim> GrainStrain<'w, D> {
    /// That of a body; `None` if it is rigid.
    fn of(world: &'w World<D>, body: usize, dt: f64) -> Option<GrainStrain<'w, D>> {
        world.elasticity(body).map(|elastic| GrainStrain { world, body, elastic, dt })
    }

    /// V C [J].
    fn stiffness(&self) -> IsotropicFactors {
        let volume = self.world.grain_volume(self.body);
        self.elastic.moduli::<D>().map(|modulus| modulus * volume)
    }

    /// M = J + dt (dt + tau) V C [kg m2].
    fn effective_inertia(&self) -> IsotropicFactors {
        let own = self.world.bodies.strain_inertia(self.body);
        let times = self.dt * (self.dt + *self.elastic.retardation);
        self.stiffness().map(|stiffness| own + times * stiffness)
    }

    /// l = (M / m)^1/2 [m].
    fn lengths(&self) -> IsotropicFactors {
        let inv_m = self.world.bodies.inertia[self.body].inv_m;
        self.effective_inertia().map(|inertia| (inertia * inv_m).sqrt())
    }

    /// The rate without contacts: (J E' - dt V C E) / M.
    fn free_rate(&self, strain: &SymmetricTensor<D>, rate: &SymmetricTensor<D>) -> SymmetricTensor<D> {
        let own = self.world.bodies.strain_inertia(self.body);
        let pull = strain.scaled(self.stiffness()).times(-self.dt);
        rate.times(own).plus(&pull).scaled(self.effective_inertia().map(|inertia| 1.0 / inertia))
    }

    /// The solver body of a rate.
    fn solver_body(&self, rate: &SymmetricTensor<D>) -> SolverBody<D> {
        let inv_m = self.world.bodies.inertia[self.body].inv_m;
        SolverBody::of(&packed(&rate.scaled(self.lengths())), inv_m, inv_m)
    }
}

/// The strains of all bodies at the start of a step.
#[derive(Debug)]
pub(super) struct StrainFlight<D: Dim> {
    /// As they would go on without contacts.
    pub free: Vec<SolverBody<D>>,
    /// Before the step.
    pub before: Vec<SolverBody<D>>,
    /// The rates without contacts [1/s].
    pub free_rate: Vec<SymmetricTensor<D>>,
}

impl<D: Dim> StrainFlight<D> {
    /// Those of a world; `None` if all its bodies are rigid.
    pub(super) fn of(world: &World<D>, dt: f64) -> Option<StrainFlight<D>> {
        let Strains { strain, .. } = world.bodies.strains.as_ref()?;
        let before = &world.scratch.strain_rates_before;
        let mut flight = StrainFlight { free: Vec::new(), before: Vec::new(), free_rate: Vec::new() };
        for body in 0..world.bodies.len() {
            let (mut free, mut bodies) = (SymmetricTensor::zero(), [SolverBody::default(); 2]);
            if let Some(grain) = GrainStrain::of(world, body, dt) {
                free = grain.free_rate(&strain[body], &before[body]);
                bodies = [grain.solver_body(&free), grain.solver_body(&before[body])];
            }
            flight.free_rate.push(free);
            flight.free.push(bodies[0]);
            flight.before.push(bodies[1]);
        }
        Some(flight)
    }
}

/// The rate of strain that the solver body of a grain holds; zero for a rigid one.
pub(super) fn rate_of<D: Dim>(
    world: &World<D>,
    body: usize,
    dt: f64,
    solver_body: &SolverBody<D>,
) -> SymmetricTensor<D> {
    let unpack = |grain: GrainStrain<D>| unpacked(solver_body).scaled(grain.lengths().map(|length| 1.0 / length));
    GrainStrain::of(world, body, dt).map_or(SymmetricTensor::zero(), unpack)
}

/// A tensor in the form of a twist with the same sum of squares: off-diagonal entries count twice.
fn packed<D: Dim>(tensor: &SymmetricTensor<D>) -> Twist<D> {
    Twist { v: tensor.diagonal, w: tensor.shear * std::f64::consts::SQRT_2 }
}

fn unpacked<D: Dim>(solver_body: &SolverBody<D>) -> SymmetricTensor<D> {
    let Twist { v, w } = solver_body.twist();
    SymmetricTensor { diagonal: v, shear: w * std::f64::consts::FRAC_1_SQRT_2 }
}

/// How the strains of its bodies take part in a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrainCoupling {
    /// r / l of bodies a and b; zeros for a rigid one.
    ratio: [IsotropicFactors; 2],
}

impl StrainCoupling {
    /// The coupling of a contact between two bodies; `None` if both are rigid.
    pub(super) fn of<D: Dim>(world: &World<D>, pair: [usize; 2], dt: f64) -> Option<StrainCoupling> {
        let ratio = pair.map(|body| {
            let radius = world.bodies.round_radius(body);
            GrainStrain::of(world, body, dt).map(|grain| grain.lengths().map(|length| radius / length))
        });
        let is_any = ratio.iter().any(Option::is_some);
        is_any.then(|| StrainCoupling { ratio: ratio.map(Option::unwrap_or_default) })
    }

    /// What the strains add to W along the normal and across it [1/kg], for bodies with these inverse masses.
    pub(super) fn mobility<D: Dim>(&self, inv_m: [f64; 2]) -> [f64; 2] {
        let share = 1.0 / D::DIMENSION as f64;
        let sum = |of: &dyn Fn(IsotropicFactors) -> f64| of(self.ratio[0]) * inv_m[0] + of(self.ratio[1]) * inv_m[1];
        let along = |ratio: IsotropicFactors| ratio.shape.powi(2) * (1.0 - share) + ratio.volume.powi(2) * share;
        [sum(&along), sum(&|ratio| 0.5 * ratio.shape.powi(2))]
    }

    /// Velocity of the surface of b relative to that of a, of the bodies with these indices [m/s].
    #[inline]
    pub(super) fn velocity<D: Dim>(&self, bodies: [u32; 2], normal: D::Vec, all: &[SolverBody<D>]) -> D::Vec {
        let of = |k: usize| match self.ratio[k].shape {
            0.0 => D::Vec::ZERO,
            _ => unpacked(&all[strain_of(bodies[k])]).scaled(self.ratio[k]).along(normal),
        };
        -(of(0) + of(1))
    }

    /// Applies an impulse on b, and its negative on a, to their strains.
    #[inline]
    pub(super) fn apply<D: Dim>(&self, bodies: [u32; 2], normal: D::Vec, impulse: D::Vec, all: &mut [SolverBody<D>]) {
        let moment = SymmetricTensor::<D>::dyad(normal, impulse);
        for (body, ratio) in bodies.into_iter().zip(self.ratio).filter(|(_, ratio)| ratio.shape != 0.0) {
            let solver_body = &mut all[strain_of(body)];
            let gain = packed(&moment.scaled(ratio));
            let Twist { v, w } = solver_body.twist();
            let inv_m = solver_body.inv_m();
            solver_body.set_twist(&Twist { v: v - gain.v * inv_m, w: w - gain.w * inv_m });
        }
    }
}

/// Index of the strain of a grain among the solver bodies: the next one.
fn strain_of(body: u32) -> usize {
    body as usize + 1
}

/// Books the elastic energy of all grains at the end of the step, and what they lost inside: implicit steps and
/// viscosity take energy from vibrations.
pub(super) fn record<D: Dim>(world: &mut World<D>, dt: f64) {
    let Some(Strains { strain, rate }) = &world.bodies.strains else { return };
    let (mut stored, mut lost) = (0.0, 0.0);
    for body in 0..world.bodies.len() {
        let Some(grain) = GrainStrain::of(world, body, dt) else { continue };
        let (start, rate) = (&strain[body], &rate[body]);
        let end = start.plus(&rate.times(dt));
        let mean_rate = world.scratch.strain_rates_before[body].plus(rate).times(0.5);
        let strained = end.plus(&rate.times(*grain.elastic.retardation)).scaled(grain.stiffness());
        let energy = world.strain_energy(body, &end);
        // work against the stress that the step used, less what is stored of it
        lost += dt * strained.contract(&mean_rate) - (energy - world.strain_energy(body, start));
        stored += energy;
    }
    world.ledger.elastic = stored;
    world.ledger.dissipated += lost;
}
