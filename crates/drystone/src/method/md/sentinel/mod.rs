//! Sentinels: they watch a run of soft grains for the artefacts of the method, and speak once, with numbers.
//!
//! One file and one line of [`posts`] each. Twenty contacts or bodies are looked at in every step, four thousand and more in
//! every two hundredth.

pub mod brake_failure;
pub mod creep;
pub mod cut;
pub mod detachment;
pub mod overlap;
pub mod pace;

use super::seen::Seen;
use crate::dim::{Dim, Vector};
use crate::method::Alarm;
use crate::world::World;

/// What a sentinel sees.
pub struct Glance<'s, D: Dim> {
    /// The world at the end of a step.
    pub world: &'s World<D>,
    /// Its contacts.
    pub seen: &'s [Seen<D>],
    /// Length of a step [s].
    pub dt: f64,
    /// Time since the last glance [s].
    pub since: f64,
    /// Shortest collision that was expected at the start [s].
    pub shortest: f64,
}

/// Watches for one artefact.
pub trait Sentinel<D: Dim>: Send {
    /// Looks at the contacts; says what is wrong, if it is.
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String>;
}

type Post<D> = (&'static str, Box<dyn Sentinel<D>>);

/// All sentinels with their codes.
fn posts<D: Dim>() -> Vec<Post<D>> {
    vec![
        ("W101", Box::new(detachment::Detachment::default())),
        ("W102", Box::new(brake_failure::BrakeFailure)),
        ("W103", Box::new(creep::Creep::default())),
        ("W104", Box::new(cut::Cut::default())),
        ("W105", Box::new(overlap::Overlap)),
        ("W106", Box::new(pace::Pace::default())),
    ]
}

/// Codes of all sentinels.
pub const CODES: [&str; 6] = ["W101", "W102", "W103", "W104", "W105", "W106"];

/// Steps between glances at many contacts: a glance costs about as much as three steps.
const SELDOM: usize = 200;
/// Contacts or bodies for which a glance waits a step: in small worlds glances cost nothing that anybody notices.
const PER_STEP: usize = 20;

/// The sentinels of a run that have not spoken yet.
pub struct Guard<D: Dim> {
    posts: Vec<Post<D>>,
    /// Shortest collision that was expected at the start [s].
    shortest: f64,
    /// Step of the last glance and of the next one.
    last: u64,
    next: u64,
}

impl<D: Dim> Guard<D> {
    /// All sentinels, for a run whose shortest collision is expected to last so long [s].
    pub fn new(shortest: f64) -> Guard<D> {
        Guard { posts: posts(), shortest, last: 0, next: 0 }
    }

    /// Whether it is time for a glance.
    pub fn is_due(&self, step: u64) -> bool {
        !self.posts.is_empty() && step >= self.next
    }

    /// Glances at the contacts. Who has spoken goes home.
    pub fn glance(&mut self, world: &World<D>, seen: &[Seen<D>], dt: f64) -> Vec<Alarm> {
        let step = world.clock.step;
        let since = step.saturating_sub(self.last) as f64 * dt;
        // a glance costs as much as all bodies and their neighbours, however few of them touch
        let many = seen.len().max(world.bodies.len());
        (self.last, self.next) = (step, step + (many / PER_STEP).clamp(1, SELDOM) as u64);
        let glance = Glance { world, seen, dt, since, shortest: self.shortest };
        let mut alarms = Vec::new();
        self.posts.retain_mut(|(code, sentinel)| {
            let message = sentinel.look(&glance);
            let stays = message.is_none();
            alarms.extend(message.map(|message| Alarm { code, message }));
            stays
        });
        alarms
    }
}

impl<D: Dim> Glance<'_, D> {
    /// Velocity of the centre of b relative to that of a [m/s].
    pub fn velocity(&self, seen: &Seen<D>) -> D::Vec {
        let [a, b] = self.bodies(seen).map(|body| self.world.bodies.twist[body].v);
        b - a + seen.jump
    }

    /// Velocity of the surfaces across the normal [m/s].
    pub fn slip(&self, seen: &Seen<D>) -> D::Vec {
        let [wa, wb] = self.bodies(seen).map(|body| self.world.bodies.twist[body].w);
        let [ra, rb] = seen.arms;
        (self.velocity(seen) - D::swing(wb * rb + wa * ra, seen.normal)).tangent_to(seen.normal)
    }

    /// Approach velocity, negative where they part [m/s].
    pub fn approach(&self, seen: &Seen<D>) -> f64 {
        -self.velocity(seen).dot(seen.normal)
    }

    /// Reduced mass [kg].
    pub fn mass(&self, seen: &Seen<D>) -> f64 {
        1.0 / self.bodies(seen).map(|body| self.world.bodies.inertia[body].inv_m).iter().sum::<f64>()
    }

    /// Numbers of the two bodies.
    pub fn bodies(&self, seen: &Seen<D>) -> [usize; 2] {
        [seen.key.a as usize, seen.key.b as usize]
    }

    /// Names of the two bodies.
    pub fn names(&self, seen: &Seen<D>) -> String {
        let [a, b] = self.bodies(seen).map(|body| self.world.name(body));
        format!("{a} and {b}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;

    #[test]
    fn every_post_has_its_code() {
        assert_eq!(posts::<D2>().iter().map(|(code, _)| *code).collect::<Vec<_>>(), CODES);
    }
}
