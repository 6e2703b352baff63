//! The field: from places and motion of all bodies to their accelerations, with the multipliers of all constraints.

use super::meeting::{Law, Meeting};
use super::mobility::Mobility;
use super::multipliers::{Multipliers, push, row_rate};
use super::options::{Baumgarte, Options, Plain, Statics};
use super::tie::{Hold, Tie, find};
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::link::{Anchor, Row};
use crate::world::World;

/// What acts on all bodies at one instant, before constraints answer.
pub struct Scene<D: Dim> {
    /// The contacts, sorted by key.
    pub meetings: Vec<Meeting<D>>,
    /// Friction on b of contacts that slide [N].
    pub friction: Vec<D::Vec>,
    /// Forces and torques on all bodies: weight, springs, normal forces, sliding friction.
    pub load: Vec<Load<D>>,
    /// Rows of rods and joints.
    pub rods: Vec<Row<D>>,
    /// Power that springs take in [W].
    pub sprung: f64,
    /// Energy that springs hold [J].
    pub stored: f64,
}

/// Force and torque on a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load<D: Dim> {
    /// Force [N].
    pub force: D::Vec,
    /// Torque [N m].
    pub torque: D::Spin,
}

impl<D: Dim> Load<D> {
    /// Adds a force at the end of an arm.
    pub fn add(&mut self, arm: D::Vec, force: D::Vec) {
        self.force += force;
        self.torque += D::torque(arm, force);
    }
}

/// Accelerations, and what made them.
pub struct Look<D: Dim> {
    /// The instant.
    pub scene: Scene<D>,
    /// Accelerations of all bodies: linear [m/s2] and angular [rad/s2].
    pub accel: Vec<Twist<D>>,
    /// Friction on b of every contact [N].
    pub friction: Vec<D::Vec>,
    /// Whether every contact is held by a constraint.
    pub held: Vec<bool>,
}

/// Part of a step that a look belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Time from the look before over which tangential springs stretch [s].
    pub ahead: f64,
    /// Time that the look counts for: weights of a step add up to its length [s].
    pub weight: f64,
    /// Time on the clock [s], and the length of the step.
    pub time: f64,
    /// Length of the step, for mean forces on pistons [s].
    pub step: f64,
}

/// The laws of a world, what its contacts remember, and the linear system.
pub struct Field<D: Dim> {
    laws: Vec<Option<Law>>,
    materials: usize,
    /// How contacts that do not slide are treated.
    pub statics: Statics,
    baumgarte: Option<Baumgarte>,
    /// What contacts remember, sorted by key.
    pub ties: Vec<Tie<D>>,
    /// Accelerations of driven walls [m/s2].
    pub rush: Vec<D::Vec>,
    /// Multipliers.
    pub multipliers: Multipliers,
    /// Energy that contacts and springs took in during the step [J]: along normals, across, and by springs.
    pub worked: [f64; 3],
    /// Work that the walls did on the grains during the step, as they are driven [J].
    pub wall_work: Vec<f64>,
}

impl<D: Dim> Field<D> {
    /// The field of a world.
    pub fn new(options: &Options, world: &World<D>) -> Field<D> {
        Field {
            laws: Law::table(world),
            materials: world.laws.materials(),
            statics: options.statics.clone(),
            baumgarte: options.baumgarte.clone(),
            ties: Vec::new(),
            rush: Vec::new(),
            multipliers: Multipliers::default(),
            worked: [0.0; 3],
            wall_work: Vec::new(),
        }
    }

    /// The contacts as they are now.
    pub fn meet(&self, world: &mut World<D>) -> Result<Vec<Meeting<D>>, Coincident> {
        let still = vec![0.0; world.bodies.len()];
        world.sense(&still, |_, _| 0.0)?;
        let bodies = &world.bodies;
        let law = |contact: &crate::contact::Contact<D>| {
            let [a, b] = [contact.key.a, contact.key.b].map(|body| usize::from(bodies.material[body as usize]));
            self.laws[a * self.materials + b]
        };
        let met = world.network.contacts.iter().filter_map(|contact| {
            let deepest = find(&self.ties, contact.key).map_or(0.0, |tie| self.ties[tie].deepest);
            Some(Meeting::new(*contact, bodies, &law(contact)?, deepest))
        });
        Ok(met.collect())
    }

    /// All that acts now; contacts for which `is_held` says so have no friction yet.
    pub fn scene(
        &mut self,
        world: &mut World<D>,
        moment: Moment,
        is_held: impl Fn(&Tie<D>) -> bool,
    ) -> Result<Scene<D>, Coincident> {
        let meetings = self.meet(world)?;
        let bodies = &world.bodies;
        let mut load: Vec<Load<D>> = self.weights(world, moment);
        let mut friction = vec![D::Vec::ZERO; meetings.len()];
        for (meeting, friction) in meetings.iter().zip(&mut friction) {
            let tie = find(&self.ties, meeting.contact.key);
            *friction = match tie.map(|k| &mut self.ties[k]) {
                Some(tie) if is_held(tie) => D::Vec::ZERO,
                tie => rub(&self.statics, meeting, tie, moment),
            };
            act(&mut load, meeting, *friction + meeting.contact.normal * meeting.press);
        }
        let (mut sprung, mut stored) = (0.0, 0.0);
        for spring in &world.links.springs {
            let pull = spring.pull(bodies);
            for (anchor, force) in spring.between.iter().zip([-pull.force, pull.force]) {
                if let Anchor::Body { body, .. } = anchor {
                    load[*body].add(anchor.arm(&bodies.pose), force);
                }
            }
            (sprung, stored) = (sprung + pull.taken, stored + pull.stored);
        }
        let rods = world.links.constraints.iter().flat_map(|constraint| constraint.rows(bodies)).collect();
        Ok(Scene { meetings, friction, load, rods, sprung, stored })
    }

    /// Weights, and forces that drive pistons.
    fn weights(&self, world: &World<D>, moment: Moment) -> Vec<Load<D>> {
        let bodies = &world.bodies;
        let weight = |body: usize| match bodies.inertia[body].is_movable() {
            true => world.gravity * bodies.inertia[body].mass(),
            false => D::Vec::ZERO,
        };
        let mut load: Vec<Load<D>> =
            (0..bodies.len()).map(|body| Load { force: weight(body), torque: D::Spin::ZERO }).collect();
        for (wall, load) in load.iter_mut().enumerate().take(world.walls.len()) {
            let drive = world.piston_force(wall, moment.time, moment.time + moment.step);
            if let (Some(force), Some(axis)) = (drive, world.wall_axis(wall)) {
                load.force += axis * force;
            }
        }
        load
    }

    /// Right side of a row: G M^-1 f + g_qq(v, v), and Baumgarte's k_s g + k_d dg/dt. [Chen eq. 18, 21]
    fn right(&self, row: &Row<D>, free: &[Twist<D>], mobility: &[Mobility<D>], twists: &[Twist<D>]) -> f64 {
        row_rate(row, free, mobility) + row.bend + self.drift(row, twists)
    }

    /// Baumgarte's k_s g + k_d dg/dt of a row, if it is asked for. [Chen eq. 21]
    pub(super) fn drift(&self, row: &Row<D>, twists: &[Twist<D>]) -> f64 {
        self.baumgarte.as_ref().map_or(0.0, |b| *b.spring * row.miss + *b.damping * row.rate(twists))
    }

    /// Multipliers of rows under a load, and the accelerations of all bodies.
    pub fn accelerate(&mut self, world: &World<D>, rows: &[Row<D>], load: &[Load<D>]) -> (Vec<f64>, Vec<Twist<D>>) {
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

    /// Looks at the world: accelerations with every contact held that sticks. Counts its part of the step.
    pub fn look(&mut self, world: &mut World<D>, moment: Moment) -> Result<Look<D>, Coincident> {
        let holds = matches!(self.statics, Statics::Plain(Plain::Constraint));
        let scene = self.scene(world, moment, |tie| holds && tie.hold == Hold::Stick)?;
        let mut rows = scene.rods.clone();
        let sticks = |meeting: &Meeting<D>| {
            let tie = find(&self.ties, meeting.contact.key).map(|k| &self.ties[k]);
            holds && tie.is_some_and(|tie| tie.hold == Hold::Stick)
        };
        let held: Vec<bool> = scene.meetings.iter().map(sticks).collect();
        for (meeting, _) in scene.meetings.iter().zip(&held).filter(|(_, held)| **held) {
            rows.extend(meeting.rows(&world.bodies, &self.rush));
        }
        let (found, accel) = self.accelerate(world, &rows, &scene.load);
        let mut friction = scene.friction.clone();
        let mut at = scene.rods.len();
        for (k, meeting) in scene.meetings.iter().enumerate().filter(|(k, _)| held[*k]) {
            for tangent in D::tangents(meeting.contact.normal) {
                friction[k] -= tangent * found[at];
                at += 1;
            }
        }
        let look = Look { scene, accel, friction, held };
        self.count(world, &look, moment.weight);
        Ok(look)
    }

    /// Enters what a look counts for into the books of the step.
    fn count(&mut self, world: &World<D>, look: &Look<D>, weight: f64) {
        if weight == 0.0 {
            return;
        }
        for (meeting, friction) in look.scene.meetings.iter().zip(&look.friction) {
            let normal = meeting.contact.normal;
            self.worked[0] -= meeting.press * meeting.velocity.dot(normal) * weight;
            self.worked[1] -= friction.dot(meeting.slip) * weight;
            let wall = meeting.contact.key.a as usize;
            if wall < world.walls.len() {
                let arm = meeting.contact.arm_a;
                let Twist { v, w } = world.bodies.twist[wall];
                self.wall_work[wall] += (normal * meeting.press + *friction).dot(v + D::swing(w, arm)) * weight;
            }
        }
        self.worked[2] += look.scene.sprung * weight;
    }

    /// Begins a step: nothing has been taken in or pressed yet, and springs stretch anew.
    pub fn begin(&mut self, walls: usize) {
        self.worked = [0.0; 3];
        self.wall_work = vec![0.0; walls];
        self.ties.iter_mut().for_each(|tie| tie.slip[1] = D::Vec::ZERO);
    }
}

/// A force on b of a contact and its negative on a.
pub fn act<D: Dim>(load: &mut [Load<D>], meeting: &Meeting<D>, force: D::Vec) {
    let contact = &meeting.contact;
    load[contact.key.a as usize].add(contact.arm_a, -force);
    load[contact.key.b as usize].add(contact.arm_b, force);
}

/// Friction on b of a contact that no constraint holds [N].
fn rub<D: Dim>(statics: &Statics, meeting: &Meeting<D>, tie: Option<&mut Tie<D>>, moment: Moment) -> D::Vec {
    let speed = meeting.slip.norm();
    let along = if speed > 0.0 { meeting.slip * (1.0 / speed) } else { D::Vec::ZERO };
    match (statics, tie) {
        // [Chen eq. 26]
        (Statics::Plain(Plain::Dynamic), _) | (_, None) => meeting.sliding(along),
        // a contact that has passed a slip of zero within the step goes on as it was until the step is over, so that
        // forces stay smooth. [Chen after eq. 40]
        (Statics::Plain(Plain::Constraint), Some(tie)) => {
            meeting.sliding(if meeting.slip.dot(tie.heading) > 0.0 { along } else { tie.heading })
        }
        // [Chen eq. 28, 29]
        (Statics::Spring(stiffness), Some(tie)) => {
            let stretch = tie.spring.tangent_to(meeting.contact.normal) + tie.slip[0] * moment.ahead;
            tie.slip[0] = meeting.slip;
            tie.slip[1] += meeting.slip * moment.weight;
            (stretch * -**stiffness).clamp_norm(meeting.limit())
        }
    }
}
