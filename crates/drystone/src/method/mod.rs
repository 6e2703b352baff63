//! Methods: how a world is moved by a step.

pub mod cd;
pub(crate) mod common;
pub mod dae;
pub mod ed;
pub mod md;
pub(crate) mod statics;
mod time_step;

pub use time_step::TimeStepChoice;

use std::fmt;
use std::time::Duration;

use crate::contact::Coincident;
use crate::dim::{Dim, in_space};
use crate::list::list;
use crate::world::World;

list! {
    /// The methods.
    pub enum Kind by name {
        /// Contact Dynamics: rigid grains, exact contact laws, large implicit steps.
        "cd" => Cd,
        /// Soft-particle molecular dynamics: overlaps make forces, small explicit steps.
        "md" => Md,
        /// Differential-algebraic mechanics: elastic grains, static friction and rods as constraints.
        "dae" => Dae,
        /// Event-driven dynamics: hard disks and spheres that collide at exact times, for dilute and rapid flows.
        "ed" => Ed,
    }
}

/// A method of simulation: one virtual call a step.
pub trait Method<D: Dim>: Send {
    /// Moves the world on by one time step.
    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError>;
    /// Length of the next step [s].
    fn time_step(&self) -> f64;
    /// Terms of the law of every contact of the network in the last step; empty before the first.
    fn terms(&self) -> Vec<ContactTerms<D>>;
    /// Brings network, ledger and carried numbers of the world up to date; a step need not do so.
    fn publish(&mut self, _world: &mut World<D>) {}
    /// Brings up to date what rows and frames show: contacts and ledger, not what only the method needs to go on.
    fn publish_contacts(&mut self, world: &mut World<D>) {
        self.publish(world);
    }
    /// Located events of contacts since the last call, with the names of the bodies.
    fn events(&mut self, _world: &World<D>) -> Vec<Event> {
        Vec::new()
    }
    /// Alarms of the monitors since the last call.
    fn alarms(&mut self) -> Vec<Alarm> {
        Vec::new()
    }
    /// Counts of the monitors, each under its name, for a checkpoint.
    fn counts(&self) -> Vec<(String, Vec<f64>)> {
        Vec::new()
    }
    /// Restores the counts of the monitors from a checkpoint.
    fn recall_counts(&mut self, _counts: &[(String, Vec<f64>)]) {}
}

/// An artefact of the method that was detected in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    /// Code for `drystone explain`.
    pub code: &'static str,
    /// What was detected, with numbers.
    pub message: String,
    /// Severity in units of its own; the report keeps the worst.
    pub size: f64,
}

impl Alarm {
    /// An alarm without severity: the report keeps the first.
    pub fn new(code: &'static str, message: String) -> Alarm {
        Alarm { code, message, size: 0.0 }
    }
}

/// Code of the alarm that contacts created energy.
pub const CREATES_ENERGY: &str = "W212";

/// Code of the alarm that rigid grains overlap.
pub const OVERLAPS: &str = "W203";

/// The code of an alarm, from its text.
pub fn alarm_code(text: &str) -> Option<&'static str> {
    let of_cd = cd::warnings::growth::CODES
        .into_iter()
        .chain(cd::warnings::squeeze::CODES)
        .chain(statics::CODES)
        .chain([cd::COOLING, CREATES_ENERGY, OVERLAPS, ed::ELASTIC]);
    md::monitor::CODES.into_iter().chain(dae::CODES).chain(of_cd).find(|code| *code == text)
}

/// Something that happened to a contact, at a time that was located.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time [s].
    pub time: f64,
    /// The kind of event.
    pub what: &'static str,
    /// Names of its bodies.
    pub between: [String; 2],
}

/// Terms of the law of a contact in a step, and the part of its solution that the network does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactTerms<D: Dim> {
    /// Coefficient of friction.
    pub friction: f64,
    /// Velocity that the law adds to the relative velocity u [m/s]: n g_pos / dt for a gap, the rebound for a bounce.
    pub bias: D::Vec,
    /// Impulse of the torque on b that the contact itself transmits, by rolling and torsion [N m s].
    pub torque: D::Spin,
}

/// How well the forces of a step are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForceDeterminacy {
    /// As well as was asked for.
    #[default]
    Known,
    /// Less well than was asked for.
    Uncertain,
    /// The laws hold and the motion is known ten times better than was asked for, and forces that differ by more than
    /// was asked for obey them: a property of the packing.
    Undetermined,
}

impl ForceDeterminacy {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            ForceDeterminacy::Known => "known",
            ForceDeterminacy::Uncertain => "uncertain",
            ForceDeterminacy::Undetermined => "not determined",
        }
    }
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepReport {
    /// Number of the step, counted from 1.
    pub step: u64,
    /// Time at its end [s].
    pub time: f64,
    /// Contacts that were considered.
    pub contacts: usize,
    /// Contacts that carry a force.
    pub closed: usize,
    /// Sweeps over all contacts.
    pub sweeps: u64,
    /// Residual of the contact laws at the end: eps_nat, a ratio.
    pub residual: f64,
    /// Estimated error of the forces by the doubling test: eta, a ratio.
    pub force_error: f64,
    /// Velocity error, a ratio.
    pub velocity_error: f64,
    /// Largest growth of an overlap in the step over the smaller radius, a ratio.
    pub overlap_growth: f64,
    /// Wall reactions and loads against the change of momentum, a ratio: rounding, or something is wrong.
    pub balance: f64,
    /// Energy created by rigid contacts [J].
    pub created: f64,
    /// Energy that went through rigid contacts [J].
    pub turned_over: f64,
    /// Kinetic energy of all bodies after a rigid step, and what they have at the speed of the fall or of walls [J].
    pub energy_scale: f64,
    /// Whether residual, velocity error and overlap growth are as small as was asked for.
    pub converged: bool,
    /// How well the forces are known: apart from whether the step converged.
    pub forces: ForceDeterminacy,
    /// How often the solve was repeated because of bodies that met without being in the list of contacts.
    pub rounds: u32,
    /// Whether overlaps make the forces and are no error.
    pub is_soft: bool,
    /// Deepest overlap at the start of the step over the smaller radius, a ratio.
    pub max_overlap: f64,
    /// Longest path of a grain in the step over its radius, a ratio.
    pub max_travel: f64,
    /// Fastest grain: the larger of its speed and of the speed of its surface as it turns [m/s].
    pub max_speed: f64,
    /// Time spent on finding contacts.
    pub sensing: Duration,
    /// Time spent on finding forces.
    pub solving: Duration,
}

/// Why a step could not be made.
#[derive(Clone, Debug, PartialEq)]
pub enum StepError {
    /// A position or velocity is not a number any more.
    NotFinite {
        /// Name of the body.
        body: String,
        /// Number of the step.
        step: u64,
    },
    /// A grain went through a wall.
    Lost {
        /// Name of the grain.
        body: String,
        /// Name of the wall.
        wall: String,
        /// Number of the step.
        step: u64,
        /// Where its centre is [m].
        position: [f64; 3],
        /// Its velocity [m/s].
        velocity: [f64; 3],
    },
    /// A grain went through a wall that has no inside, or right through one that has.
    Passed {
        /// Name of the grain.
        body: String,
        /// Name of the wall.
        wall: String,
        /// Number of the step.
        step: u64,
        /// Where its centre is [m].
        position: [f64; 3],
        /// Its velocity [m/s].
        velocity: [f64; 3],
    },
    /// The centre of a grain came to lie in another grain.
    Swallowed {
        /// Name of the first.
        a: String,
        /// Name of the second.
        b: String,
        /// Number of the step.
        step: u64,
        /// Overlap over the smaller radius.
        overlap: f64,
    },
    /// A periodic cell became so small that grains could meet from both sides.
    SmallCell {
        /// Name of the axis.
        axis: &'static str,
        /// Its length [m].
        length: f64,
        /// Largest radius of a grain [m].
        radius: f64,
        /// Number of the step.
        step: u64,
    },
    /// Two grains have the same centre.
    Coincident {
        /// Name of the first.
        a: String,
        /// Name of the second.
        b: String,
        /// Number of the step.
        step: u64,
    },
    /// The residual is above what was asked for, and the scenario says `unconverged = "fail"`.
    Unconverged {
        /// Number of the step.
        step: u64,
        /// Residual reached.
        residual: f64,
        /// Residual asked for.
        wanted: f64,
        /// Sweeps made.
        sweeps: u64,
    },
    /// A soft grain gained a speed that no collision gives.
    Runaway {
        /// Name of the grain.
        body: String,
        /// Number of the step.
        step: u64,
        /// Its speed [m/s].
        speed: f64,
        /// Whom it touches.
        contacts: Vec<String>,
        /// What is likely to be wrong.
        cause: String,
    },
    /// A body moves further in a step than can be followed.
    TooFast {
        /// Name of the body.
        body: String,
        /// Number of the step.
        step: u64,
        /// Its speed [m/s].
        speed: f64,
        /// How far it would move, over its radius.
        way: f64,
    },
    /// A number of the series is none.
    NotMeasured {
        /// Header of the column.
        column: String,
        /// Number of the step.
        step: u64,
    },
    /// Hard grains overlap that can only collide.
    Overlapping {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
        /// Number of the step.
        step: u64,
        /// Overlap over the smaller radius.
        overlap: f64,
    },
    /// Collisions follow each other without any time between them.
    Accumulation {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
        /// Number of the step.
        step: u64,
        /// When [s].
        time: f64,
    },
    /// A program asks for something that event-driven dynamics does not have.
    Unsupported {
        /// What.
        what: &'static str,
        /// Number of the step.
        step: u64,
    },
    /// A contact has cohesion, rolling or torsion friction, and the solver is `newton`.
    UnknownLaw {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
        /// Number of the step.
        step: u64,
    },
}

impl StepError {
    /// Code for `drystone explain`.
    pub fn code(&self) -> &'static str {
        match self {
            StepError::NotFinite { .. } => "E201",
            StepError::Lost { .. } => "E202",
            StepError::Coincident { .. } => "E203",
            StepError::Unconverged { .. } => "E204",
            StepError::UnknownLaw { .. } => "E206",
            StepError::Runaway { .. } => "E207",
            StepError::SmallCell { .. } => "E208",
            StepError::TooFast { .. } => "E263",
            StepError::NotMeasured { .. } => "E265",
            StepError::Passed { .. } => "E241",
            StepError::Swallowed { .. } => "E242",
            StepError::Accumulation { .. } => "E243",
            StepError::Overlapping { .. } => "E244",
            StepError::Unsupported { .. } => "E045",
        }
    }

    /// Names the bodies of a pair with one centre.
    pub fn coincident<D: Dim>(world: &World<D>, Coincident { a, b }: Coincident) -> StepError {
        StepError::Coincident { a: world.name(a), b: world.name(b), step: world.clock.step }
    }

    /// Names the bodies of a contact of the network whose laws the solver does not support.
    pub fn unknown_law<D: Dim>(world: &World<D>, contact: usize) -> StepError {
        let key = world.network.contacts[contact].key;
        let [a, b] = [key.a, key.b].map(|body| world.name(body as usize));
        StepError::UnknownLaw { a, b, step: world.clock.step }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::NotFinite { body, step } => {
                write!(f, "step {step}: {body} has a position or velocity that is not a number, or too large for one")
            }
            StepError::Lost { body, wall, step, position, velocity } => write!(
                f,
                "step {step}: {body} is behind {wall}, at {position:?} m with {velocity:?} m/s: a smaller time step keeps it in"
            ),
            StepError::Passed { body, wall, step, position, velocity } => write!(
                f,
                "step {step}: {body} went through {wall}, and is at {position:?} m with {velocity:?} m/s: a smaller time step, and for \
                 soft grains a higher stiffness, keeps it on its side"
            ),
            StepError::Swallowed { a, b, step, overlap } => write!(
                f,
                "step {step}: {a} and {b} overlap by {:.0} % of the smaller radius, the centre of one lies in the other: a smaller time \
                 step, and for soft grains a higher stiffness, keeps them apart",
                100.0 * overlap
            ),
            StepError::Accumulation { a, b, step, time } => write!(
                f,
                "step {step}: collisions of {a} and {b} accumulate at {time:.9e} s, they come to rest on each other: the method \"cd\" goes \
                 on from here; or a `contact_time` in [method.ed] keeps them apart, a longer one if it is set"
            ),
            StepError::Overlapping { a, b, step, overlap } => write!(
                f,
                "step {step}: {a} and {b} overlap by {overlap:.1e} of the smaller radius: hard grains collide when their surfaces meet, \
                 so they must start apart; the methods \"cd\" and \"md\" accept overlaps"
            ),
            StepError::Unsupported { what, step } => {
                write!(f, "step {step}: the method \"ed\" has no {what}: take \"cd\" or \"md\"")
            }
            StepError::SmallCell { axis, length, radius, step } => write!(
                f,
                "step {step}: the cell is {length:.3e} m long along {axis}: three grains of radius {radius:.3e} m do not fit"
            ),
            StepError::TooFast { body, step, speed, way } => write!(
                f,
                "step {step}: {body} moves {way:.1e} times the radius of a grain in a step, itself with {speed:.3e} m/s"
            ),
            StepError::NotMeasured { column, step } => {
                write!(f, "step {step}: `{column}` is not a number, although all positions and velocities are")
            }
            StepError::Coincident { a, b, step } => write!(f, "step {step}: {a} and {b} have the same centre"),
            StepError::UnknownLaw { a, b, step } => write!(
                f,
                "step {step}: cohesion, rolling or torsion friction between {a} and {b}: solver = \"newton\" does not have them"
            ),
            StepError::Runaway { body, step, speed, contacts, cause } => {
                let touches = if contacts.is_empty() { "nothing".into() } else { contacts.join(", ") };
                write!(f, "step {step}: {body} flies off with {speed:.3e} m/s; it touches {touches}: {cause}")
            }
            StepError::Unconverged { step, residual, wanted, sweeps } => {
                write!(f, "step {step}: residual {residual:.1e} after {sweeps} sweeps, {wanted:.1e} was asked for")
            }
        }
    }
}

impl std::error::Error for StepError {}

/// Initialises the energy balance of soft contacts with their stored energy. If laws change during a run, the jump of
/// the stored energy counts as work from outside; the dissipation so far stays.
fn open_soft_energy_balance<D: Dim>(world: &mut World<D>, stored: [f64; 3]) {
    let ledger = &mut world.state.ledger;
    if world.state.clock.step == 0 {
        ledger.taken = stored;
        return;
    }
    let change = stored.iter().sum::<f64>() - ledger.elastic;
    ledger.taken[0] += change;
    ledger.wall_work += change;
}

/// Adds the work on contacts during a step, and the work of walls and pistons, to the energy balance.
fn record_soft_work<D: Dim>(world: &mut World<D>, dt: f64, worked: [f64; 3], wall_work: &[f64]) {
    use crate::dim::Vector;
    world.ledger.taken.iter_mut().zip(worked).for_each(|(sum, part)| *sum += part);
    let now = world.clock.time;
    world.ledger.wall_work += world.load_work(dt);
    for (wall, work) in wall_work.iter().enumerate() {
        let v = world.bodies.twist[wall].v;
        world.ledger.wall_work += match (world.piston_force(wall, now, now + dt), world.wall_axis(wall)) {
            (Some(force), Some(axis)) => force * (world.scratch.before[wall].v + v).dot(axis) * (0.5 * dt),
            _ => *work,
        };
    }
}

/// The components of twists, one after the other, as `State::carried` stores them.
fn carried_numbers<D: Dim>(twists: &[crate::body::Twist<D>]) -> Vec<f64> {
    use crate::dim::Vector;
    let numbers = |twist: &crate::body::Twist<D>| {
        let (v, w) = (twist.v, twist.w);
        (0..D::Vec::LEN).map(move |axis| v.get(axis)).chain((0..D::Spin::LEN).map(move |axis| w.get(axis)))
    };
    twists.iter().flat_map(numbers).collect()
}

/// Share of its radius by which a soft grain moves in a step only if something is wrong.
const RUNAWAY: f64 = 0.5;

/// Refuses a step of length `dt` in which one of these bodies moves too far, before the broad phase.
pub fn check_pace<D: Dim>(world: &World<D>, among: std::ops::Range<usize>, dt: f64) -> Result<(), StepError> {
    check_pace_with(world, among, dt, |_| 0.0)
}

/// [`check_pace`] of bodies that become faster by `gain` in the step [m/s].
pub fn check_pace_with<D: Dim>(
    world: &World<D>,
    among: std::ops::Range<usize>,
    dt: f64,
    gain: impl Fn(usize) -> f64 + Sync,
) -> Result<(), StepError> {
    use crate::dim::Vector;
    match world.too_fast(among, dt, &gain) {
        None => Ok(()),
        Some((body, way)) => {
            let speed = world.bodies.twist[body].v.norm() + gain(body);
            Err(StepError::TooFast { body: world.name(body), step: world.clock.step + 1, speed, way })
        }
    }
}

/// Refuses a world with numbers that are not finite, or with a grain behind a wall.
pub fn check_state<D: Dim>(world: &World<D>) -> Result<(), StepError> {
    use crate::dim::Vector;
    let step = world.clock.step;
    let bodies = &world.bodies;
    if let Some(body) = world.out_of_range() {
        return Err(StepError::NotFinite { body: world.name(body), step });
    }
    if let Some(cell) = world.cell.as_ref().filter(|cell| cell.press.is_some() || cell.stretching != D::Vec::ZERO) {
        let radius = world.grains().map(|k| bodies.shape[k].radius()).fold(0.0, f64::max);
        let is_short = |axis: &usize| cell.lengths.get(*axis) < crate::cell::THREE_GRAINS * radius;
        if let Some(axis) = cell.axes().find(is_short) {
            return Err(StepError::SmallCell { axis: D::AXES[axis], length: cell.lengths.get(axis), radius, step });
        }
    }
    match world.find_lost() {
        None => Ok(()),
        Some((grain, wall)) => Err(StepError::Lost {
            body: world.name(grain),
            wall: world.name(wall),
            step,
            position: in_space(bodies.pose[grain].x),
            velocity: in_space(bodies.twist[grain].v),
        }),
    }
}
