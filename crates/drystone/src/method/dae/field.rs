//! Accelerations of all bodies from their poses and twists, with the multipliers of all constraints.

use super::contact_history::{ContactHistory, FrictionMode, find};
use super::mobility::Mobility;
use super::multipliers::{Multipliers, push, row_rate};
use super::options::{Baumgarte, DaeOptions, Statics, StaticsKind};
use super::soft_contact::{PairLaw, SoftContact, in_the_middle};
use crate::body::{Bodies, Twist};
use crate::contact::{Coincident, Contact};
use crate::dim::{Dim, Vector};
use crate::link::{Anchor, ConstraintRow};
use crate::world::World;

/// Forces on all bodies at one instant, without those of constraints.
pub struct AppliedForces<D: Dim> {
    /// The contacts, sorted by key.
    pub soft_contacts: Vec<SoftContact<D>>,
    /// Friction on b of contacts that slide [N].
    pub friction: Vec<D::Vec>,
    /// Forces and torques on all bodies: weight, springs, normal forces, sliding friction.
    pub load: Vec<BodyLoad<D>>,
    /// Rows of rods and joints.
    pub rods: Vec<ConstraintRow<D>>,
    /// Power that springs take in [W].
    pub sprung: f64,
    /// Energy that springs hold [J].
    pub stored: f64,
}

/// Force and torque on a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyLoad<D: Dim> {
    /// Force [N].
    pub force: D::Vec,
    /// Torque [N m].
    pub torque: D::Spin,
}

impl<D: Dim> BodyLoad<D> {
    /// Adds a force at the end of an arm.
    pub fn add(&mut self, arm: D::Vec, force: D::Vec) {
        self.force += force;
        self.torque += D::torque(arm, force);
    }
}

/// Accelerations, and the forces behind them.
pub struct Evaluation<D: Dim> {
    /// Applied forces.
    pub applied: AppliedForces<D>,
    /// Accelerations of all bodies: linear [m/s2] and angular [rad/s2].
    pub accel: Vec<Twist<D>>,
    /// Friction on b of every contact [N].
    pub friction: Vec<D::Vec>,
    /// For every contact, whether a constraint holds it.
    pub held: Vec<bool>,
}

/// Time of an evaluation within a step.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationTime {
    /// Time since the start of the step, or of its part, over which the latest slip stretches tangential springs [s].
    pub ahead: f64,
    /// Weight of the evaluation in the energy balance; the weights of a step add up to its length [s].
    pub weight: f64,
    /// Time on the clock, at the start of the step [s].
    pub time: f64,
    /// Length of the step, for mean forces on pistons [s].
    pub step: f64,
    /// The instant itself, for loads on single grains [s].
    pub now: f64,
}

/// The laws of a world, the histories of its contacts, and the linear system.
pub struct DaeField<D: Dim> {
    laws: Vec<Option<PairLaw>>,
    materials: usize,
    /// How contacts that do not slide are treated.
    pub statics: Statics,
    baumgarte: Option<Baumgarte>,
    /// Histories of contacts, sorted by key.
    pub histories: Vec<ContactHistory<D>>,
    /// Accelerations of driven walls [m/s2].
    pub wall_accel: Vec<D::Vec>,
    /// Multipliers.
    pub multipliers: Multipliers,
    /// Work on contacts and springs during the step [J]: along normals, across them, and on springs.
    pub worked: [f64; 3],
    /// Work of the driven walls on the grains during the step [J].
    pub wall_work: Vec<f64>,
}

impl<D: Dim> DaeField<D> {
    /// The field of a world.
    pub fn new(options: &DaeOptions, world: &World<D>) -> DaeField<D> {
        DaeField {
            laws: PairLaw::table(world),
            materials: world.setup.laws.materials(),
            statics: options.statics.clone(),
            baumgarte: options.baumgarte.clone(),
            histories: Vec::new(),
            wall_accel: Vec::new(),
            multipliers: Multipliers::default(),
            worked: [0.0; 3],
            wall_work: Vec::new(),
        }
    }

    /// The contacts at the present poses.
    pub fn find_contacts(&self, world: &mut World<D>) -> Result<Vec<SoftContact<D>>, Coincident> {
        let still = vec![0.0; world.bodies.len()];
        world.sense(&still, |_, _| 0.0)?;
        let bodies = &world.bodies;
        let met = world.network.contacts.iter().filter_map(|contact| {
            let deepest = find(&self.histories, contact.key).map_or(0.0, |history| self.histories[history].deepest);
            Some(SoftContact::new(in_the_middle(*contact, bodies), bodies, self.law(contact, bodies)?, deepest))
        });
        Ok(met.collect())
    }

    /// The law of a contact; `None` between materials that cannot touch.
    pub(super) fn law(&self, contact: &Contact<D>, bodies: &Bodies<D>) -> Option<&PairLaw> {
        let [a, b] = [contact.key.a, contact.key.b].map(|body| usize::from(bodies.material[body as usize]));
        self.laws[a * self.materials + b].as_ref()
    }

    /// Applied forces at the present poses and twists. Contacts that `is_held` selects get no friction here.
    pub fn applied_forces(
        &mut self,
        world: &mut World<D>,
        instant: EvaluationTime,
        is_held: impl Fn(&ContactHistory<D>) -> bool,
    ) -> Result<AppliedForces<D>, Coincident> {
        let soft_contacts = self.find_contacts(world)?;
        let bodies = &world.bodies;
        let mut load: Vec<BodyLoad<D>> = self.weights(world, instant);
        let mut friction = vec![D::Vec::ZERO; soft_contacts.len()];
        for (soft_contact, friction) in soft_contacts.iter().zip(&mut friction) {
            let history = find(&self.histories, soft_contact.contact.key);
            *friction = match history.map(|k| &mut self.histories[k]) {
                Some(history) if is_held(history) => D::Vec::ZERO,
                history => unconstrained_friction(&self.statics, soft_contact, history, instant),
            };
            act(&mut load, soft_contact, *friction + soft_contact.contact.normal * soft_contact.press);
        }
        let (mut sprung, mut stored) = (0.0, 0.0);
        for spring in &world.setup.links.springs {
            let pull = spring.pull(bodies);
            for (anchor, force) in spring.between.iter().zip([-pull.force, pull.force]) {
                if let Anchor::Body { body, .. } = anchor {
                    load[*body].add(anchor.arm(&bodies.pose), force);
                }
            }
            (sprung, stored) = (sprung + pull.taken, stored + pull.stored);
        }
        let rods = world.setup.links.constraints.iter().flat_map(|constraint| constraint.rows(bodies)).collect();
        Ok(AppliedForces { soft_contacts, friction, load, rods, sprung, stored })
    }

    /// Weights, loads on single grains, and forces that drive pistons.
    pub(super) fn weights(&self, world: &World<D>, instant: EvaluationTime) -> Vec<BodyLoad<D>> {
        let bodies = &world.bodies;
        let weight = |body: usize| match bodies.inertia[body].is_movable() {
            true => world.gravity * bodies.inertia[body].mass(),
            false => D::Vec::ZERO,
        };
        let mut load: Vec<BodyLoad<D>> =
            (0..bodies.len()).map(|body| BodyLoad { force: weight(body), torque: D::Spin::ZERO }).collect();
        for (wall, load) in load.iter_mut().enumerate().take(world.setup.walls.len()) {
            let drive = world.piston_force(wall, instant.time, instant.time + instant.step);
            if let (Some(force), Some(axis)) = (drive, world.wall_axis(wall)) {
                load.force += axis * force;
            }
        }
        for outer in &world.setup.loads {
            let Some(body) = world.body_of(outer.grain) else { continue };
            let (force, torque) = outer.mean(instant.now, instant.now);
            (load[body].force, load[body].torque) = (load[body].force + force, load[body].torque + torque);
        }
        load
    }

    /// Right side of a row: G M^-1 f + g_qq(v, v), and Baumgarte's k_s g + k_d dg/dt. [Chen eq. 18, 21]
    fn right(&self, row: &ConstraintRow<D>, free: &[Twist<D>], mobility: &[Mobility<D>], twists: &[Twist<D>]) -> f64 {
        row_rate(row, free, mobility) + row.bend + self.stabilisation(row, twists)
    }

    /// Baumgarte's k_s g + k_d dg/dt of a row, if it is asked for. [Chen eq. 21]
    pub(super) fn stabilisation(&self, row: &ConstraintRow<D>, twists: &[Twist<D>]) -> f64 {
        self.baumgarte.as_ref().map_or(0.0, |b| *b.spring * row.miss + *b.damping * row.rate(twists))
    }

    /// Multipliers of rows under a load, and the accelerations of all bodies.
    pub fn accelerate(
        &mut self,
        world: &World<D>,
        rows: &[ConstraintRow<D>],
        load: &[BodyLoad<D>],
    ) -> (Vec<f64>, Vec<Twist<D>>) {
        let mobility = Mobility::all(world);
        let mut accel: Vec<Twist<D>> =
            mobility.iter().zip(load).map(|(m, load)| m.answer(load.force, load.torque)).collect();
        if rows.is_empty() {
            return (Vec::new(), accel);
        }
        let right: Vec<f64> = rows.iter().map(|row| self.right(row, &accel, &mobility, &world.bodies.twist)).collect();
        self.multipliers.factorise(rows, &mobility);
        let found = self.multipliers.solve(rows, &mobility, &right);
        for (accel, Twist { v, w }) in accel.iter_mut().zip(push(rows, &mobility, &found)) {
            (accel.v, accel.w) = (accel.v - v, accel.w - w);
        }
        (found, accel)
    }

    /// Accelerations with all sticking contacts held. Adds its share of the step to the energy balance.
    pub fn evaluate(&mut self, world: &mut World<D>, instant: EvaluationTime) -> Result<Evaluation<D>, Coincident> {
        let holds = matches!(self.statics, Statics::Plain(StaticsKind::Constraint));
        let applied = self.applied_forces(world, instant, |history| holds && history.mode == FrictionMode::Stick)?;
        let mut rows = applied.rods.clone();
        let sticks = |soft_contact: &SoftContact<D>| {
            let history = find(&self.histories, soft_contact.contact.key).map(|k| &self.histories[k]);
            holds && history.is_some_and(|history| history.mode == FrictionMode::Stick)
        };
        let held: Vec<bool> = applied.soft_contacts.iter().map(sticks).collect();
        for (soft_contact, _) in applied.soft_contacts.iter().zip(&held).filter(|(_, held)| **held) {
            rows.extend(soft_contact.rows(&world.bodies, &self.wall_accel));
        }
        let (found, accel) = self.accelerate(world, &rows, &applied.load);
        let mut friction = applied.friction.clone();
        let mut at = applied.rods.len();
        for (k, soft_contact) in applied.soft_contacts.iter().enumerate().filter(|(k, _)| held[*k]) {
            for tangent in D::tangents(soft_contact.contact.normal) {
                friction[k] -= tangent * found[at];
                at += 1;
            }
        }
        let evaluation = Evaluation { applied, accel, friction, held };
        self.add_to_energy_balance(world, &evaluation, instant.weight);
        Ok(evaluation)
    }

    /// Adds the work of an evaluation to the energy balance of the step.
    fn add_to_energy_balance(&mut self, world: &World<D>, evaluation: &Evaluation<D>, weight: f64) {
        if weight == 0.0 {
            return;
        }
        for (soft_contact, friction) in evaluation.applied.soft_contacts.iter().zip(&evaluation.friction) {
            let normal = soft_contact.contact.normal;
            self.worked[0] -= soft_contact.press * soft_contact.velocity.dot(normal) * weight;
            self.worked[1] -= friction.dot(soft_contact.slip) * weight;
            let wall = soft_contact.contact.key.a as usize;
            if wall < world.setup.walls.len() {
                let arm = soft_contact.contact.arm_a;
                let Twist { v, w } = world.bodies.twist[wall];
                self.wall_work[wall] += (normal * soft_contact.press + *friction).dot(v + D::swing(w, arm)) * weight;
            }
        }
        self.worked[2] += evaluation.applied.sprung * weight;
    }

    /// Begins a step: resets work and the integrals of slip.
    pub fn begin(&mut self, walls: usize) {
        self.worked = [0.0; 3];
        self.wall_work = vec![0.0; walls];
        self.histories.iter_mut().for_each(|history| history.path = D::Vec::ZERO);
    }
}

/// A force on b of a contact and its negative on a.
pub(crate) fn act<D: Dim>(load: &mut [BodyLoad<D>], soft_contact: &SoftContact<D>, force: D::Vec) {
    let contact = &soft_contact.contact;
    load[contact.key.a as usize].add(contact.arm_a, -force);
    load[contact.key.b as usize].add(contact.arm_b, force);
}

/// Friction on b of a contact that no constraint holds [N].
fn unconstrained_friction<D: Dim>(
    statics: &Statics,
    soft_contact: &SoftContact<D>,
    history: Option<&mut ContactHistory<D>>,
    instant: EvaluationTime,
) -> D::Vec {
    let speed = soft_contact.slip.norm();
    let along = if speed > 0.0 { soft_contact.slip * (1.0 / speed) } else { D::Vec::ZERO };
    match (statics, history) {
        // [Chen eq. 26]
        (Statics::Plain(StaticsKind::Dynamic), _) | (_, None) => soft_contact.sliding(along),
        // a contact whose slip passes zero within the step keeps its friction until the end of the step, so that forces
        // stay smooth. [Chen after eq. 40]
        (Statics::Plain(StaticsKind::Constraint), Some(history)) => soft_contact
            .sliding(if soft_contact.slip.dot(history.slip_direction) > 0.0 { along } else { history.slip_direction }),
        // [Chen eq. 28, 29]
        (Statics::Spring(stiffness), Some(history)) => {
            let stretch = history.spring.tangent_to(soft_contact.contact.normal) + history.slip * instant.ahead;
            history.slip = soft_contact.slip;
            history.path += soft_contact.slip * instant.weight;
            (stretch * -**stiffness).clamp_norm(soft_contact.limit())
        }
    }
}
