//! Monitors: they watch a run of soft grains for the artefacts of the method, and warn with numbers when they find one
//! and whenever it has become worse.
//!
//! One file and one line of [`monitors`] each. A world of up to twenty contacts or bodies is inspected in every step,
//! one of four thousand or more in every two hundredth.

pub(crate) mod brake_failure;
pub(crate) mod creep;
pub(crate) mod cut;
pub(crate) mod detachment;
pub(crate) mod overlap;
pub(crate) mod time_step;

use super::contact_report::ContactReport;
use crate::dim::{Dim, Vector};
use crate::method::Alarm;
use crate::world::World;

/// What a monitor inspects.
pub(crate) struct Inspection<'s, D: Dim> {
    /// The world at the end of a step.
    pub world: &'s World<D>,
    /// Its contacts.
    pub contacts: &'s [ContactReport<D>],
    /// Length of a step [s].
    pub dt: f64,
    /// Time since the last inspection [s].
    pub since: f64,
    /// Shortest collision that was expected at the start [s].
    pub shortest: f64,
}

/// What a monitor found.
pub(crate) struct Finding {
    /// How bad it is: a ratio that grows with it.
    pub size: f64,
    /// What is wrong, with numbers.
    pub message: String,
}

/// Watches for one artefact.
pub(crate) trait Monitor<D: Dim>: Send {
    /// Inspects the contacts; returns what is wrong, if anything is.
    fn inspect(&mut self, inspection: &Inspection<'_, D>) -> Option<Finding>;
    /// What it has counted so far, for a checkpoint.
    fn counts(&self) -> Vec<f64> {
        Vec::new()
    }
    /// Continues counting from what [`Monitor::counts`] returned.
    fn recall(&mut self, _counts: &[f64]) {}
}

/// A monitor, and the worst that it has found.
struct ActiveMonitor<D: Dim> {
    code: &'static str,
    monitor: Box<dyn Monitor<D>>,
    worst: f64,
}

/// All monitors with their codes.
fn monitors<D: Dim>() -> Vec<ActiveMonitor<D>> {
    fn monitor<D: Dim>(code: &'static str, monitor: impl Monitor<D> + 'static) -> ActiveMonitor<D> {
        ActiveMonitor { code, monitor: Box::new(monitor), worst: 0.0 }
    }
    vec![
        monitor("W101", detachment::Detachment::default()),
        monitor("W102", brake_failure::BrakeFailure),
        monitor("W103", creep::Creep::default()),
        monitor("W104", cut::Cut::default()),
        monitor("W105", overlap::DeepOverlap),
        monitor("W106", time_step::TimeStepTooLong::default()),
    ]
}

/// Codes of all monitors.
pub(crate) const CODES: [&str; 6] = ["W101", "W102", "W103", "W104", "W105", "W106"];

/// Steps between inspections of many contacts: an inspection costs about as much as three steps.
const SELDOM: usize = 200;
/// Contacts or bodies for each of which inspections are one step further apart: in small worlds they cost almost
/// nothing.
const PER_STEP: usize = 20;

/// Growth of the deepest overlap for which an inspection does not wait: the reported maximum is right to a hundredth.
const DEEPER: f64 = 1.01;

/// Name under which a checkpoint stores the times of the inspections.
const CLOCK: &str = "glances";

/// The monitors of a run.
pub(crate) struct Monitors<D: Dim> {
    monitors: Vec<ActiveMonitor<D>>,
    /// Shortest collision that was expected at the start [s].
    shortest: f64,
    /// Step of the last inspection.
    last: u64,
    /// Step of the next inspection.
    next: u64,
    /// Overlap over the radius above which an inspection does not wait.
    deep: f64,
}

/// The input of the monitors from a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSummary {
    /// Length of the step [s].
    pub dt: f64,
    /// Deepest overlap over the smaller radius.
    pub deepest: f64,
}

impl<D: Dim> Monitors<D> {
    /// All monitors, for a run whose shortest collision is expected to last `shortest` [s].
    pub(crate) fn new(shortest: f64) -> Monitors<D> {
        Monitors { monitors: monitors(), shortest, last: 0, next: 0, deep: overlap::DEEP }
    }

    /// The counts of all monitors, by their codes, each preceded by the worst value found; and the times of the
    /// inspections.
    pub(crate) fn counts(&self) -> Vec<(String, Vec<f64>)> {
        let clock = vec![self.shortest, self.last as f64, self.next as f64, self.deep];
        let of_monitor = |active: &ActiveMonitor<D>| {
            (active.code.to_string(), [vec![active.worst], active.monitor.counts()].concat())
        };
        std::iter::once((CLOCK.to_string(), clock)).chain(self.monitors.iter().map(of_monitor)).collect()
    }

    /// Continues counting from what [`Monitors::counts`] returned.
    pub(crate) fn recall(&mut self, counts: &[(String, Vec<f64>)]) {
        let find = |name: &str| counts.iter().find(|(known, _)| known == name).map(|(_, counts)| counts.as_slice());
        let Some(&[shortest, last, next, deep]) = find(CLOCK) else { return };
        (self.shortest, self.last, self.next, self.deep) = (shortest, last as u64, next as u64, deep);
        for active in &mut self.monitors {
            if let Some([worst, counts @ ..]) = find(active.code) {
                active.worst = *worst;
                active.monitor.recall(counts);
            }
        }
    }

    /// Whether an inspection is due, after a step with this deepest overlap over the radius.
    pub(crate) fn is_due(&self, step: u64, deepest: f64) -> bool {
        step >= self.next || deepest > self.deep
    }

    /// Inspects the contacts, and reports what is worse than all that was found before.
    pub(crate) fn inspect(&mut self, world: &World<D>, contacts: &[ContactReport<D>], step: StepSummary) -> Vec<Alarm> {
        let StepSummary { dt, deepest } = step;
        let step = world.clock.step;
        let since = step.saturating_sub(self.last) as f64 * dt;
        // the cost of an inspection grows with the number of bodies and neighbours, however few of them touch
        let many = contacts.len().max(world.bodies.len());
        (self.last, self.next) = (step, step + (many / PER_STEP).clamp(1, SELDOM) as u64);
        self.deep = self.deep.max(DEEPER * deepest);
        let inspection = Inspection { world, contacts, dt, since, shortest: self.shortest };
        let mut alarms = Vec::new();
        for ActiveMonitor { code, monitor, worst } in &mut self.monitors {
            if let Some(Finding { size, message }) =
                monitor.inspect(&inspection).filter(|finding| finding.size > *worst)
            {
                *worst = size;
                alarms.push(Alarm { code, message, size });
            }
        }
        alarms
    }
}

impl<D: Dim> Inspection<'_, D> {
    /// Velocity of the centre of b relative to that of a [m/s].
    pub(crate) fn velocity(&self, contact: &ContactReport<D>) -> D::Vec {
        let [a, b] = self.bodies(contact).map(|body| self.world.bodies.twist[body].v);
        b - a + contact.image_velocity
    }

    /// Velocity of the surfaces across the normal [m/s].
    pub(crate) fn slip(&self, contact: &ContactReport<D>) -> D::Vec {
        let [wa, wb] = self.bodies(contact).map(|body| self.world.bodies.twist[body].w);
        let [ra, rb] = contact.arms();
        (self.velocity(contact) - D::swing(wb * rb + wa * ra, contact.normal)).tangent_to(contact.normal)
    }

    /// Approach velocity [m/s]; negative if they separate.
    pub(crate) fn approach(&self, contact: &ContactReport<D>) -> f64 {
        -self.velocity(contact).dot(contact.normal)
    }

    /// Reduced mass [kg].
    pub(crate) fn mass(&self, contact: &ContactReport<D>) -> f64 {
        1.0 / self.bodies(contact).map(|body| self.world.bodies.inertia[body].inv_m).iter().sum::<f64>()
    }

    /// Numbers of the two bodies.
    pub(crate) fn bodies(&self, contact: &ContactReport<D>) -> [usize; 2] {
        [contact.key.a as usize, contact.key.b as usize]
    }

    /// Names of the two bodies.
    pub(crate) fn names(&self, contact: &ContactReport<D>) -> String {
        let [a, b] = self.bodies(contact).map(|body| self.world.name(body));
        format!("{a} and {b}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;

    #[test]
    fn every_monitor_has_its_code() {
        assert_eq!(monitors::<D2>().iter().map(|monitor| monitor.code).collect::<Vec<_>>(), CODES);
    }
}
