//! Events: steps are cut where a contact sticks, slips, closes or opens.
//!
//! Within a step the forces are smooth. The zero of an event function is found first on the dense output of the step, a
//! quintic through positions, velocities and accelerations at both ends. It is then refined by repeating the step with
//! varied length.

use super::Dae;
use super::active_set::SLACK;
use super::contact_history::{ContactHistory, FrictionMode};
use super::field::{Evaluation, EvaluationTime};
use crate::body::{Pose, Twist};
use crate::contact::narrow::find_contacts;
use crate::contact::{Coincident, ContactKey, PairQuery};
use crate::dim::{Dim, Vector};
use crate::method::Alarm;
use crate::world::World;

/// Accuracy of the time of an event, over the time step.
const TOLERANCE: f64 = 1e-13;
/// Interval around the zero on the dense output, over the time step, in which the true zero is searched first.
const NEAR: f64 = 1e-6;
/// Number of events of a step after which no more are located (W133).
pub(super) const MOST: usize = 200;

/// What happened to a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The slip came to zero, and stays there.
    Stick,
    /// The slip came to zero, and goes on in another direction.
    Turn,
    /// Static friction was overcome.
    Slip,
    /// Bodies met.
    Close,
    /// Bodies parted.
    Open,
}

impl EventKind {
    /// Its name in the table of events.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Stick => "stick",
            EventKind::Turn => "turn",
            EventKind::Slip => "slip",
            EventKind::Close => "close",
            EventKind::Open => "open",
        }
    }
}

/// Event functions: the slip, friction against its limit, and gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventFunction {
    Halt,
    Slip,
    Close,
    Open,
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    /// Time [s].
    pub time: f64,
    /// The contact.
    pub contact: ContactKey,
    /// What happened to it.
    pub what: EventKind,
}

/// An event function of a contact: positive until the event.
type Watch = (EventFunction, ContactKey);

/// The rest of a step.
#[derive(Clone, Copy, Debug)]
struct Interval {
    /// Time at its start [s].
    start: f64,
    /// Length [s].
    length: f64,
}

/// An interval at whose lower end a function is positive, and at whose upper end it is not.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    low: f64,
    high: f64,
}

/// The world at the start of a part of a step.
struct Start<D: Dim> {
    poses: Vec<Pose<D>>,
    twists: Vec<Twist<D>>,
    histories: Vec<ContactHistory<D>>,
    worked: [f64; 3],
    wall_work: Vec<f64>,
    now: f64,
}

/// An event, and when it happens on the dense output.
#[derive(Clone, Copy)]
struct FoundEvent {
    /// From the start of the part of the step [s].
    time: f64,
    watch: Watch,
}

impl<D: Dim> Dae<D> {
    /// Makes a step in parts, each of which ends with an event.
    pub(super) fn step_with_events(&mut self, world: &mut World<D>, time: f64, dt: f64) -> Result<(), Coincident> {
        let mut done = 0.0;
        self.find_active_set(world, time, dt)?;
        for _ in 0..MOST {
            let start = self.remember(world);
            let left = dt - done;
            let before = self.watches(world)?;
            let first = self.evaluate_only(world)?.accel;
            self.substep(world, time + done, left)?;
            let after = self.values(world, &self.all_watches(world, &before))?;
            let sets = |(watch, value): &(Watch, f64)| {
                let was = before.iter().find(|(other, _)| other == watch).map(|(_, value)| *value);
                *value <= 0.0 && was.is_none_or(|was| was > 0.0)
            };
            let set: Vec<Watch> = after.iter().filter(|found| sets(found)).map(|(watch, _)| *watch).collect();
            if set.is_empty() {
                return Ok(());
            }
            let last = self.evaluate_only(world)?.accel;
            let dense = Dense::new(&start, first, world, last, left);
            let mut earliest = FoundEvent { time: left, watch: set[0] };
            for watch in &set {
                // events that have not happened at the time of the earliest one come later
                if self.on_dense(world, &start, &dense, earliest.time, *watch)? <= 0.0 {
                    let at = root(earliest.time, |h| self.on_dense(world, &start, &dense, h, *watch))?;
                    earliest = FoundEvent { time: at, watch: *watch };
                }
            }
            let h = self.polish(world, &start, Interval { start: time + done, length: left }, earliest)?;
            self.restore(world, &start);
            self.substep(world, time + done, h)?;
            done += h;
            // several may happen at once
            let reached = self.values(world, &set)?;
            self.find_active_set(world, time + done, dt)?;
            for ((watched, contact), _) in reached.into_iter().filter(|(_, value)| *value <= 0.0) {
                self.happened.push(ContactEvent { time: time + done, contact, what: self.what(watched, contact) });
            }
            if done >= dt {
                return Ok(());
            }
        }
        let message = format!(
            "step {}: {MOST} events after {:.1e} of the step, the rest is made without locating more",
            world.clock.step + 1,
            done / dt
        );
        self.alarms.push(Alarm::new("W133", message));
        self.substep(world, time + done, dt - done)
    }

    /// The kind of event, once the active set is known.
    fn what(&self, watched: EventFunction, contact: ContactKey) -> EventKind {
        let mode = super::contact_history::find(&self.field.histories, contact).map(|k| self.field.histories[k].mode);
        match (watched, mode) {
            (EventFunction::Halt, Some(FrictionMode::Stick)) => EventKind::Stick,
            (EventFunction::Halt, _) => EventKind::Turn,
            (EventFunction::Slip, _) => EventKind::Slip,
            (EventFunction::Close, _) => EventKind::Close,
            (EventFunction::Open, _) => EventKind::Open,
        }
    }

    /// Time of an event, found by repeating the step with its length varied, from the time found on the dense output.
    /// At the time returned it has happened.
    fn polish(
        &mut self,
        world: &mut World<D>,
        start: &Start<D>,
        part: Interval,
        found: FoundEvent,
    ) -> Result<f64, Coincident> {
        let Interval { start: time, length: left } = part;
        let FoundEvent { time: guess, watch } = found;
        let mut value = |h: f64| {
            self.restore(world, start);
            if h > 0.0 {
                self.substep(world, time, h)?;
            }
            Ok(self.values(world, &[watch])?[0].1)
        };
        let (mut low, mut high) = ((guess - NEAR * left).max(0.0), (guess + NEAR * left).min(left));
        if value(low)? <= 0.0 {
            low = 0.0;
        }
        if value(high)? > 0.0 {
            high = left;
        }
        let found = bracketed(Bracket { low, high }, TOLERANCE * left, &mut value)?;
        Ok(found)
    }

    fn remember(&self, world: &World<D>) -> Start<D> {
        Start {
            poses: world.bodies.pose.clone(),
            twists: world.bodies.twist.clone(),
            histories: self.field.histories.clone(),
            worked: self.field.worked,
            wall_work: self.field.wall_work.clone(),
            now: self.now,
        }
    }

    fn restore(&mut self, world: &mut World<D>, start: &Start<D>) {
        world.bodies.pose.clone_from(&start.poses);
        world.bodies.twist.clone_from(&start.twists);
        self.field.histories.clone_from(&start.histories);
        self.field.worked = start.worked;
        self.now = start.now;
        self.field.wall_work.clone_from(&start.wall_work);
    }

    /// An evaluation that does not count in the energy balance.
    fn evaluate_only(&mut self, world: &mut World<D>) -> Result<Evaluation<D>, Coincident> {
        let instant = EvaluationTime { ahead: 0.0, weight: 0.0, time: world.clock.time, step: self.dt, now: self.now };
        self.field.evaluate(world, instant)
    }

    /// The event functions at the start of a part, with their values.
    fn watches(&mut self, world: &mut World<D>) -> Result<Vec<(Watch, f64)>, Coincident> {
        let of = |history: &ContactHistory<D>| {
            let what = if history.mode == FrictionMode::Stick { EventFunction::Slip } else { EventFunction::Halt };
            [(what, history.key), (EventFunction::Open, history.key)]
        };
        let watches: Vec<Watch> = self.field.histories.iter().flat_map(of).collect();
        self.values(world, &watches)
    }

    /// The event functions from the start of the part, and those of new contacts.
    fn all_watches(&self, world: &World<D>, before: &[(Watch, f64)]) -> Vec<Watch> {
        let known = |key: ContactKey| before.iter().any(|((_, other), _)| *other == key);
        let keys = world.network.contacts.iter().map(|contact| contact.key).filter(|key| !known(*key));
        before.iter().map(|(watch, _)| *watch).chain(keys.map(|key| (EventFunction::Close, key))).collect()
    }

    /// Present values of event functions.
    fn values(&mut self, world: &mut World<D>, watches: &[Watch]) -> Result<Vec<(Watch, f64)>, Coincident> {
        let evaluation = self.evaluate_only(world)?;
        let soft_contact = |key: ContactKey| evaluation.applied.soft_contacts.iter().position(|m| m.contact.key == key);
        let mut values = Vec::with_capacity(watches.len());
        for watch @ (what, key) in watches {
            let value = match (what, soft_contact(*key)) {
                (EventFunction::Close, _) => until_closed(gap(world, *key)?),
                (EventFunction::Open, _) => -gap(world, *key)?,
                // a contact that has opened neither sticks nor slips
                (_, None) => f64::INFINITY,
                (EventFunction::Slip, Some(k)) => {
                    evaluation.applied.soft_contacts[k].limit() * (1.0 + 3.0 * SLACK) - evaluation.friction[k].norm()
                }
                (EventFunction::Halt, Some(k)) => {
                    let history = super::contact_history::find(&self.field.histories, *key)
                        .map(|history| self.field.histories[history].slip_direction);
                    evaluation.applied.soft_contacts[k].slip.dot(history.unwrap_or(D::Vec::ZERO))
                }
            };
            values.push((*watch, value));
        }
        Ok(values)
    }

    fn on_dense(
        &mut self,
        world: &mut World<D>,
        start: &Start<D>,
        dense: &Dense<D>,
        h: f64,
        watch: Watch,
    ) -> Result<f64, Coincident> {
        self.restore(world, start);
        dense.put(world, h);
        self.now += h;
        Ok(self.values(world, &[watch])?[0].1)
    }
}

/// Gap of a contact, also of one that is open [m].
fn gap<D: Dim>(world: &World<D>, key: ContactKey) -> Result<f64, Coincident> {
    let mut found = f64::INFINITY;
    let query = PairQuery { a: key.a as usize, b: key.b as usize, shift: D::Vec::ZERO, reach: f64::INFINITY };
    find_contacts(&world.bodies, &world.setup.surfaces, &query, |contact| {
        if contact.key == key {
            found = contact.gap;
        }
    })?;
    Ok(found)
}

/// The gap as an event function, positive until there is a contact: bodies that only just touch have none yet.
fn until_closed(gap: f64) -> f64 {
    if gap == 0.0 { f64::MIN_POSITIVE } else { gap }
}

/// Dense output: the quintic through positions, velocities and accelerations at both ends of a part of a step.
struct Dense<D: Dim> {
    start: Knot<D>,
    end: Knot<D>,
    length: f64,
}

/// An end of dense output.
struct Knot<D: Dim> {
    poses: Vec<Pose<D>>,
    twists: Vec<Twist<D>>,
    accels: Vec<Twist<D>>,
}

impl<D: Dim> Dense<D> {
    fn new(start: &Start<D>, first: Vec<Twist<D>>, world: &World<D>, last: Vec<Twist<D>>, length: f64) -> Dense<D> {
        let end = Knot { poses: world.bodies.pose.clone(), twists: world.bodies.twist.clone(), accels: last };
        let start = Knot { poses: start.poses.clone(), twists: start.twists.clone(), accels: first };
        Dense { start, end, length }
    }

    /// Sets the world to the time `h` after the start. Events of round grains depend on angular velocities, not on
    /// orientations.
    fn put(&self, world: &mut World<D>, h: f64) {
        let Knot { poses, twists, accels } = &self.start;
        let Knot { poses: poses_1, twists: twists_1, accels: accels_1 } = &self.end;
        for k in 0..poses.len() {
            let ends = [
                [poses[k].x, twists[k].v * self.length, accels[k].v * (self.length * self.length)],
                [poses_1[k].x, twists_1[k].v * self.length, accels_1[k].v * (self.length * self.length)],
            ];
            let [x, v] = quintic(ends, h / self.length);
            world.bodies.pose[k].x = x;
            let spins = [[twists[k].w, accels[k].w * self.length], [twists_1[k].w, accels_1[k].w * self.length]];
            world.bodies.twist[k] = Twist { v: v * (1.0 / self.length), w: cubic(spins, h / self.length) };
        }
    }
}

/// Value and slope of the quintic with these values, slopes and curvatures at 0 and 1.
fn quintic<V: Vector>([[x0, v0, a0], [x1, v1, a1]]: [[V; 3]; 2], s: f64) -> [V; 2] {
    // error at the end of the parabola from the start
    let (dx, dv, da) = (x1 - x0 - v0 - a0 * 0.5, v1 - v0 - a0, a1 - a0);
    let c3 = dx * 10.0 - dv * 4.0 + da * 0.5;
    let c4 = dx * -15.0 + dv * 7.0 - da;
    let c5 = dx * 6.0 - dv * 3.0 + da * 0.5;
    let value = x0 + (v0 + (a0 * 0.5 + (c3 + (c4 + c5 * s) * s) * s) * s) * s;
    let slope = v0 + (a0 + (c3 * 3.0 + (c4 * 4.0 + c5 * (5.0 * s)) * s) * s) * s;
    [value, slope]
}

/// The cubic with these values and slopes at 0 and 1.
fn cubic<V: Vector>([[w0, a0], [w1, a1]]: [[V; 2]; 2], s: f64) -> V {
    let (dw, da) = (w1 - w0 - a0, a1 - a0);
    let (c2, c3) = (dw * 3.0 - da, da - dw * 2.0);
    w0 + (a0 + (c2 + c3 * s) * s) * s
}

/// Zero of a function that is positive at the start and not at `end`, to a rough tolerance.
fn root(end: f64, mut value: impl FnMut(f64) -> Result<f64, Coincident>) -> Result<f64, Coincident> {
    bracketed(Bracket { low: 0.0, high: end }, 1e-9 * end, &mut value)
}

/// Bisection and regula falsi (Illinois) between a point with a positive value and one without; returns the latter.
fn bracketed(
    bracket: Bracket,
    tolerance: f64,
    value: &mut impl FnMut(f64) -> Result<f64, Coincident>,
) -> Result<f64, Coincident> {
    let Bracket { mut low, mut high } = bracket;
    let (mut f_low, mut f_high) = (value(low)?, value(high)?);
    let mut side = 0_i32;
    while high - low > tolerance {
        let secant = (low * f_high - high * f_low) / (f_high - f_low);
        let is_inside = secant > low && secant < high;
        let middle = 0.5 * (low + high);
        let at = if is_inside && side.abs() < 4 { secant } else { middle };
        // keeps away from both ends, so that the other end moves as well
        let at = at.clamp(low + 0.25 * tolerance, high - 0.25 * tolerance);
        if at <= low || at >= high {
            break;
        }
        let f = value(at)?;
        if f > 0.0 {
            (low, f_low) = (at, f);
            side = if side > 0 { side + 1 } else { 1 };
            if side > 1 {
                f_high *= 0.5;
            }
        } else {
            (high, f_high) = (at, f);
            side = if side < 0 { side - 1 } else { -1 };
            if side < -1 {
                f_low *= 0.5;
            }
        }
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dense_output_is_exact_for_a_polynomial_of_fifth_degree() {
        let x = |s: f64| 1.0 + s * (2.0 + s * (-1.0 + s * (0.5 + s * (3.0 - 2.0 * s))));
        let v = |s: f64| 2.0 + s * (-2.0 + s * (1.5 + s * (12.0 - 10.0 * s)));
        let a = |s: f64| -2.0 + s * (3.0 + s * (36.0 - 40.0 * s));
        for s in [0.0, 0.3, 0.7, 1.0] {
            let [value, slope] = quintic([0.0, 1.0].map(|s| [x(s), v(s), a(s)]), s);
            assert!((value - x(s)).abs() < 1e-14 && (slope - v(s)).abs() < 1e-13, "{s}");
        }
        let w = |s: f64| 1.0 + s * (2.0 + s * (-1.0 + 0.5 * s));
        assert!((cubic([[1.0, 2.0], [2.5, 1.5]], 0.3) - w(0.3)).abs() < 1e-15);
    }

    #[test]
    fn a_root_is_found_from_the_side_where_it_has_happened() {
        for power in [1, 3, 7] {
            let mut count = 0;
            let mut value = |h: f64| {
                count += 1;
                Ok(0.3_f64.powi(power) - h.powi(power))
            };
            let at = bracketed(Bracket { low: 0.0, high: 1.0 }, 1e-13, &mut value).unwrap();
            assert!((at - 0.3).abs() < 2e-13 && value(at).unwrap() <= 0.0, "{power}: {at}");
            assert!(count < 120, "{power}: {count}");
        }
    }
}
