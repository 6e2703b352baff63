//! Who sticks: the active set of static friction.
//!
//! Contacts whose slip is zero, or has just passed it, are candidates. Of all friction forces that they bear, those that
//! occur make the acceleration of every slip zero, or point against it at full length. With normal forces given, this is
//! a convex problem, which [`super::descent`] solves. For one contact the cases are those of [`super::regime`].

use super::field::{Field, Moment};
use super::meeting::Meeting;
use super::mobility::Mobility;
use super::options::{Plain, Statics};
use super::regime::{Case, Flow, ease};
use super::tie::{Hold, Tie, find};
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::link::Row;
use crate::world::World;

/// A multiplier may be longer than its limit by this part, and an acceleration counts as zero below this part of what
/// full friction makes: some thousand roundings, for sums over packings.
pub const SLACK: f64 = 1e-12;

/// What was decided.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Rounds of the descent.
    pub rounds: u64,
    /// Contacts that slipped and are to be stopped.
    pub captured: usize,
    /// Contacts that began to slip, or stick.
    pub changed: Vec<usize>,
    /// Contacts that could start in both directions, by their number in the network.
    pub paradoxes: Vec<usize>,
    /// If the descent did not come to its end: the largest acceleration that should not be, over that without friction, or
    /// the largest angle between friction and slip [rad].
    pub undecided: Option<f64>,
}

/// A contact that may stick.
pub(super) struct Candidate<D: Dim> {
    meeting: usize,
    tie: usize,
    pub(super) rows: Vec<Row<D>>,
    pub(super) tangents: Vec<D::Vec>,
    /// Largest friction [N].
    pub(super) limit: f64,
    /// Acceleration of the slip that a friction of 1 N makes [1/kg].
    ease: f64,
    /// Acceleration of the slip that full friction makes [m/s2].
    pub(super) reach: f64,
    /// Whether friction is at its limit.
    pub(super) is_full: bool,
    /// Acceleration of the slip [m/s2].
    pub(super) slip: D::Vec,
}

impl<D: Dim> Field<D> {
    /// Decides for every contact whether it sticks, and where it heads otherwise.
    pub fn settle(&mut self, world: &mut World<D>, moment: Moment) -> Result<Verdict, Coincident> {
        let meetings = self.meet(world)?;
        self.renew_ties(&meetings);
        let mut verdict = Verdict::default();
        if !matches!(self.statics, Statics::Plain(Plain::Constraint)) {
            self.ties.iter_mut().for_each(|tie| tie.hold = Hold::Slide);
        }
        match &self.statics {
            Statics::Plain(Plain::Constraint) => {}
            Statics::Plain(Plain::Dynamic) => return Ok(verdict),
            // what is longer than friction bears is cut. [Chen eq. 29]
            Statics::Spring(stiffness) => {
                for (tie, meeting) in self.ties.iter_mut().zip(&meetings) {
                    let spring = tie.spring.tangent_to(meeting.contact.normal);
                    tie.spring = spring.clamp_norm(meeting.limit() / **stiffness);
                }
                return Ok(verdict);
            }
        }
        let may_stick = |tie: &Tie<D>, slip: D::Vec| tie.hold == Hold::Stick || slip.dot(tie.heading) <= 0.0;
        // the ties stand in the order of the meetings now
        let chosen: Vec<bool> = self.ties.iter().zip(&meetings).map(|(tie, m)| may_stick(tie, m.slip)).collect();
        let keys: Vec<_> = self.ties.iter().map(|tie| tie.key).zip(chosen.iter().copied()).collect();
        let is_held = |tie: &Tie<D>| keys.binary_search_by_key(&tie.key, |(key, _)| *key).is_ok_and(|k| keys[k].1);
        let scene = self.scene(world, moment, is_held)?;
        let mut candidates = self.candidates(world, &scene.meetings, &chosen);
        let pulling = candidates.iter().filter(|c| scene.meetings[c.meeting].press < 0.0).map(|c| c.meeting);
        let pulling: Vec<usize> = pulling.collect();
        if !candidates.is_empty() {
            self.descend(world, &scene, &mut candidates, &mut verdict);
        }
        verdict.paradoxes = pulling.into_iter().filter(|k| is_paradox(&candidates, &scene.meetings, *k)).collect();
        self.keep_headings(&scene.meetings);
        for candidate in &candidates {
            self.conclude(candidate, &scene.meetings[candidate.meeting], &candidates, &mut verdict);
        }
        Ok(verdict)
    }

    /// Ties of the contacts that there are: old ones keep what they remember.
    fn renew_ties(&mut self, meetings: &[Meeting<D>]) {
        let tie = |meeting: &Meeting<D>| {
            let known = find(&self.ties, meeting.contact.key).map(|k| self.ties[k]);
            let tie = known.unwrap_or_else(|| Tie::new(meeting.contact.key, meeting.slip));
            Tie { deepest: meeting.deepest, ..tie }
        };
        self.ties = meetings.iter().map(tie).collect();
    }

    /// Contacts that slip head where they slip.
    fn keep_headings(&mut self, meetings: &[Meeting<D>]) {
        for (tie, meeting) in self.ties.iter_mut().zip(meetings).filter(|(tie, _)| tie.hold == Hold::Slide) {
            let speed = meeting.slip.norm();
            if speed > 0.0 {
                tie.heading = meeting.slip * (1.0 / speed);
            }
        }
    }

    fn candidates(&self, world: &World<D>, meetings: &[Meeting<D>], chosen: &[bool]) -> Vec<Candidate<D>> {
        let mobility = Mobility::all(world);
        let of = |k: usize| {
            let meeting = &meetings[k];
            let rows: Vec<Row<D>> = meeting.rows(&world.bodies, &self.rush).collect();
            let limit = meeting.limit();
            let ease = rows.iter().map(|row| ease(row, &mobility)).fold(0.0, f64::max);
            let reach = limit * ease;
            let tangents = D::tangents(meeting.contact.normal);
            Candidate { meeting: k, tie: k, rows, tangents, limit, ease, reach, is_full: false, slip: D::Vec::ZERO }
        };
        (0..meetings.len()).filter(|k| chosen[*k]).map(of).collect()
    }

    /// Writes down whether a candidate sticks. One at its limit whose slip does not accelerate sticks as well.
    fn conclude(
        &mut self,
        candidate: &Candidate<D>,
        meeting: &Meeting<D>,
        all: &[Candidate<D>],
        verdict: &mut Verdict,
    ) {
        let scale = all.iter().map(|candidate| candidate.reach).fold(0.0, f64::max);
        let sticks = !candidate.is_full || candidate.limit > 0.0 && candidate.slip.norm() <= SLACK * scale;
        let tie = &mut self.ties[candidate.tie];
        let before = tie.hold;
        tie.hold = if sticks { Hold::Stick } else { Hold::Slide };
        if before != tie.hold {
            verdict.changed.push(candidate.meeting);
            verdict.captured += usize::from(sticks);
        }
        // a new contact without slip sticks from the start
        if !sticks {
            let (speed, away) = (meeting.slip.norm(), candidate.slip.norm());
            // a slip that has passed zero and is driven back is stopped there, or friction would drive it on
            tie.is_halted = before == Hold::Slide && meeting.slip.dot(candidate.slip) < 0.0;
            verdict.captured += usize::from(tie.is_halted);
            tie.heading = match before {
                Hold::Slide if speed > 0.0 && !tie.is_halted => meeting.slip * (1.0 / speed),
                _ if away > 0.0 => candidate.slip * (1.0 / away),
                _ => D::Vec::ZERO,
            };
        }
    }
}

/// Whether a contact with a pulling normal force could start in both directions.
fn is_paradox<D: Dim>(candidates: &[Candidate<D>], meetings: &[Meeting<D>], meeting: usize) -> bool {
    let Some(candidate) = candidates.iter().find(|candidate| candidate.meeting == meeting) else { return false };
    let press = meetings[meeting].grip.r#static * meetings[meeting].press;
    Flow::new(candidate.slip.norm(), press * candidate.ease).case() == Case::Paradox
}
