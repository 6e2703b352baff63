//! The active set of static friction: which contacts stick.
//!
//! Contacts whose slip is zero, or has just passed zero, are candidates. Of all admissible friction forces, the right
//! ones make the acceleration of every slip zero, or oppose it at their limit. With normal forces given, this is a
//! convex problem, which [`super::descent`] solves. A contact that could start to slip in either
//! direction is reported: [`super::paradox`].

use super::contact_history::{ContactHistory, FrictionMode, find};
use super::field::{DaeField, EvaluationTime};
use super::mobility::{Mobility, ease};
use super::options::{Statics, StaticsKind};
use super::paradox::{Case, Flow};
use super::soft_contact::SoftContact;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::link::ConstraintRow;
use crate::world::World;

/// A multiplier may exceed its limit by this share, and an acceleration counts as zero below this share of the
/// acceleration by full friction: some thousand rounding errors, as sums over packings have them.
pub(crate) const SLACK: f64 = 1e-12;

/// Result of the search.
#[derive(Clone, Debug, Default)]
pub struct ActiveSetResult {
    /// Rounds of the descent.
    pub rounds: u64,
    /// Contacts that slipped and are to be stopped.
    pub captured: usize,
    /// Contacts that began to slip or to stick.
    pub changed: Vec<usize>,
    /// Contacts that could start to slip in either direction, by their number in the network.
    pub paradoxes: Vec<usize>,
    /// If the descent did not converge: the largest wrong acceleration over that without friction, or the largest angle
    /// between friction and slip [rad].
    pub undecided: Option<f64>,
}

/// A contact that may stick.
pub(super) struct Candidate<D: Dim> {
    soft_contact: usize,
    history: usize,
    pub(super) rows: Vec<ConstraintRow<D>>,
    pub(super) tangents: Vec<D::Vec>,
    /// Largest friction [N].
    pub(super) limit: f64,
    /// Acceleration of the slip by a friction of 1 N [1/kg].
    ease: f64,
    /// Acceleration of the slip by full friction [m/s2].
    pub(super) reach: f64,
    /// Whether friction is at its limit.
    pub(super) is_full: bool,
    /// Acceleration of the slip [m/s2].
    pub(super) slip: D::Vec,
}

impl<D: Dim> DaeField<D> {
    /// Decides for every contact whether it sticks, or in which direction it slips.
    pub fn find_active_set(
        &mut self,
        world: &mut World<D>,
        instant: EvaluationTime,
    ) -> Result<ActiveSetResult, Coincident> {
        let soft_contacts = self.find_contacts(world)?;
        self.renew_histories(&soft_contacts);
        let mut result = ActiveSetResult::default();
        if !matches!(self.statics, Statics::Plain(StaticsKind::Constraint)) {
            self.histories.iter_mut().for_each(|history| history.mode = FrictionMode::Slide);
        }
        match &self.statics {
            Statics::Plain(StaticsKind::Constraint) => {}
            Statics::Plain(StaticsKind::Dynamic) => return Ok(result),
            // the spring is cut to the limit of friction. [Chen eq. 29]
            Statics::Spring(stiffness) => {
                for (history, soft_contact) in self.histories.iter_mut().zip(&soft_contacts) {
                    let spring = history.spring.tangent_to(soft_contact.contact.normal);
                    history.spring = spring.clamp_norm(soft_contact.limit() / **stiffness);
                }
                return Ok(result);
            }
        }
        let may_stick = |history: &ContactHistory<D>, slip: D::Vec| {
            history.mode == FrictionMode::Stick || slip.dot(history.slip_direction) <= 0.0
        };
        // the histories are now in the order of the contacts
        let chosen: Vec<bool> =
            self.histories.iter().zip(&soft_contacts).map(|(history, m)| may_stick(history, m.slip)).collect();
        let keys: Vec<_> = self.histories.iter().map(|history| history.key).zip(chosen.iter().copied()).collect();
        let is_held = |history: &ContactHistory<D>| {
            keys.binary_search_by_key(&history.key, |(key, _)| *key).is_ok_and(|k| keys[k].1)
        };
        let applied = self.applied_forces(world, instant, is_held)?;
        let mut candidates = self.candidates(world, &applied.soft_contacts, &chosen);
        let pulling =
            candidates.iter().filter(|c| applied.soft_contacts[c.soft_contact].press < 0.0).map(|c| c.soft_contact);
        let pulling: Vec<usize> = pulling.collect();
        if !candidates.is_empty() {
            self.descend(world, &applied, &mut candidates, &mut result);
        }
        result.paradoxes =
            pulling.into_iter().filter(|k| is_paradox(&candidates, &applied.soft_contacts, *k)).collect();
        self.keep_slip_directions(&applied.soft_contacts);
        for candidate in &candidates {
            self.conclude(candidate, &applied.soft_contacts[candidate.soft_contact], &candidates, &mut result);
        }
        Ok(result)
    }

    /// Histories of the present contacts; old contacts keep theirs.
    fn renew_histories(&mut self, soft_contacts: &[SoftContact<D>]) {
        let history = |soft_contact: &SoftContact<D>| {
            let known = find(&self.histories, soft_contact.contact.key).map(|k| self.histories[k]);
            let history = known.unwrap_or_else(|| ContactHistory::new(soft_contact.contact.key, soft_contact.slip));
            ContactHistory { deepest: soft_contact.deepest, ..history }
        };
        self.histories = soft_contacts.iter().map(history).collect();
    }

    /// Sets the slip direction of slipping contacts.
    fn keep_slip_directions(&mut self, soft_contacts: &[SoftContact<D>]) {
        for (history, soft_contact) in
            self.histories.iter_mut().zip(soft_contacts).filter(|(history, _)| history.mode == FrictionMode::Slide)
        {
            let speed = soft_contact.slip.norm();
            if speed > 0.0 {
                history.slip_direction = soft_contact.slip * (1.0 / speed);
            }
        }
    }

    fn candidates(&self, world: &World<D>, soft_contacts: &[SoftContact<D>], chosen: &[bool]) -> Vec<Candidate<D>> {
        let mobility = Mobility::all(world);
        let of = |k: usize| {
            let soft_contact = &soft_contacts[k];
            let rows: Vec<ConstraintRow<D>> = soft_contact.rows(&world.bodies, &self.wall_accel).collect();
            let limit = soft_contact.limit();
            let ease = rows.iter().map(|row| ease(row, &mobility)).fold(0.0, f64::max);
            let reach = limit * ease;
            let tangents = D::tangents(soft_contact.contact.normal);
            Candidate {
                soft_contact: k,
                history: k,
                rows,
                tangents,
                limit,
                ease,
                reach,
                is_full: false,
                slip: D::Vec::ZERO,
            }
        };
        (0..soft_contacts.len()).filter(|k| chosen[*k]).map(of).collect()
    }

    /// Stores whether a candidate sticks. One at its limit whose slip does not accelerate sticks as well.
    fn conclude(
        &mut self,
        candidate: &Candidate<D>,
        soft_contact: &SoftContact<D>,
        all: &[Candidate<D>],
        result: &mut ActiveSetResult,
    ) {
        let scale = all.iter().map(|candidate| candidate.reach).fold(0.0, f64::max);
        let sticks = !candidate.is_full || candidate.limit > 0.0 && candidate.slip.norm() <= SLACK * scale;
        let history = &mut self.histories[candidate.history];
        let before = history.mode;
        history.mode = if sticks { FrictionMode::Stick } else { FrictionMode::Slide };
        // a new contact without slip sticks from the start: that is no change
        if before != history.mode {
            result.changed.push(candidate.soft_contact);
            result.captured += usize::from(sticks);
        }
        if !sticks {
            let (speed, away) = (soft_contact.slip.norm(), candidate.slip.norm());
            // a slip that has passed zero and is driven back is stopped at zero; otherwise friction would accelerate it
            history.is_halted = before == FrictionMode::Slide && soft_contact.slip.dot(candidate.slip) < 0.0;
            result.captured += usize::from(history.is_halted);
            history.slip_direction = match before {
                FrictionMode::Slide if speed > 0.0 && !history.is_halted => soft_contact.slip * (1.0 / speed),
                _ if away > 0.0 => candidate.slip * (1.0 / away),
                _ => D::Vec::ZERO,
            };
        }
    }
}

/// Whether a contact with a pulling normal force could start to slip in either direction.
fn is_paradox<D: Dim>(candidates: &[Candidate<D>], soft_contacts: &[SoftContact<D>], soft_contact: usize) -> bool {
    let Some(candidate) = candidates.iter().find(|candidate| candidate.soft_contact == soft_contact) else {
        return false;
    };
    let press = soft_contacts[soft_contact].grip.r#static * soft_contacts[soft_contact].press;
    Flow::new(candidate.slip.norm(), press * candidate.ease).case() == Case::Paradox
}
