//! The time schedule of friction and dashpots: when forces are evaluated, and what makes friction second order in the
//! time between evaluations.
//!
//! Friction springs are stretched by the trapezoidal rule. A force evaluation has only the slip velocity of its own
//! instant: it stretches the springs from half-way since the previous evaluation up to now, and, once the force is
//! known, on to half-way to the next evaluation. Contact history is thus half a step ahead of the forces.
//!
//! A new contact began somewhere between two evaluations: how long ago follows from its overlap and its approach
//! velocity. Its spring is stretched since then, and the initial jump of its force, that of a dashpot, acts since then.
//! The same holds for a jump at the end of a contact. Forces that grow from zero need no correction: their error is of
//! second order.

/// The times before and after a force evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceSchedule {
    /// Time since the previous evaluation [s].
    pub since: f64,
    /// Time until the next evaluation [s].
    pub until: f64,
    /// Whether the forces kick the bodies from half-way since the previous evaluation to half-way to the next one.
    pub kicks: bool,
}

impl ForceSchedule {
    /// The schedule of one of many equal steps, whose forces kick the bodies.
    pub fn even(dt: f64) -> ForceSchedule {
        ForceSchedule { since: dt, until: dt, kicks: true }
    }

    /// The first evaluation of a run.
    pub fn first(until: f64) -> ForceSchedule {
        ForceSchedule { since: 0.0, until, kicks: false }
    }

    /// Time for which the forces act [s].
    pub fn span(&self) -> f64 {
        0.5 * (self.since + self.until)
    }

    /// How long ago a new contact began [s], from its overlap [m] and its approach velocity [m/s]. A contact that does
    /// not approach counts as begun half-way since the previous evaluation.
    pub fn contact_age(&self, overlap: f64, approach: f64) -> f64 {
        let part = overlap / (approach * self.since);
        self.since * if part > 0.0 { part.min(1.0) } else { 0.5 }
    }

    /// Impulse of a force that jumped to its present value `contact_age` ago, over that of a whole kick.
    pub fn first_kick_factor(&self, contact_age: f64) -> f64 {
        if self.kicks { (contact_age + 0.5 * self.until) / self.span() } else { 1.0 }
    }

    /// The same for a force that will end with a jump before the next evaluation, according to overlap and approach
    /// velocity; 1 otherwise.
    pub fn last_kick_factor(&self, overlap: f64, approach: f64) -> f64 {
        let is_last = self.kicks && approach < 0.0 && overlap < -approach * self.until;
        if is_last { (0.5 * self.since - overlap / approach) / self.span() } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_contact_acts_since_it_touched() {
        let schedule = ForceSchedule::even(0.1);
        assert!((schedule.contact_age(0.02, 1.0) - 0.02).abs() < 1e-15);
        assert!((schedule.first_kick_factor(0.02) - 0.7).abs() < 1e-15);
        assert_eq!(
            (schedule.contact_age(5.0, 1.0), schedule.contact_age(0.02, -1.0), schedule.contact_age(0.02, 0.0)),
            (0.1, 0.05, 0.1)
        );
        assert_eq!((schedule.first_kick_factor(0.05), ForceSchedule::first(0.1).first_kick_factor(0.0)), (1.0, 1.0));
        assert!((schedule.last_kick_factor(0.02, -1.0) - 0.7).abs() < 1e-15);
        assert_eq!((schedule.last_kick_factor(0.2, -1.0), schedule.last_kick_factor(0.02, 1.0)), (1.0, 1.0));
        // in a backward step a contact that had ended comes back
        let back = ForceSchedule { since: -0.1, until: 0.1, kicks: false };
        assert!((back.contact_age(0.02, -1.0) + 0.02).abs() < 1e-15);
        assert_eq!(ForceSchedule::first(0.1).contact_age(0.02, 1.0), 0.0);
    }
}
