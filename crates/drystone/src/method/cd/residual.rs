//! The residual: how far impulses and velocities are from the contact laws, whatever solver found them.
//!
//! The natural map of a contact is F = r - P_K(r - m_t û). By Moreau's theorem r - F and û - F / m_t obey the laws
//! exactly, so that F / m_t is the velocity by which the contact misses them. An impulse F changes no body by more than
//! that, since m_t is not larger than the mass of either body. Two numbers follow from it:
//!
//! - eps_nat, a mean over all contacts against the impulses: how exact the forces are;
//! - the velocity error, the largest F / m_t over the reference motion of its bodies ([`super::velocity_scale`]): how
//!   well the velocity of every body is known, whatever the masses and however slow the motion.
//!
//! [`LoadedContact::natural_map`](crate::law::LoadedContact::natural_map) computes F, and [`Misfit::add`] adds its
//! contribution: both for one contact or for four in lanes.

use super::contact_system::ContactSystem;
use super::coupled_x4::JudgeCoupled;
use super::partition::Subdomain;
use super::round_x4::JudgeRound;
use crate::dim::Dim;
use crate::lane::{Four, LANES, Lanes, Real, in_lanes};
use crate::method::common::solver_body::SolverBody;
use crate::threads;

/// Rounding of a relative velocity over the velocities that it is the difference of.
pub(crate) const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Sums over contacts from which eps_nat is computed: of w |F|^2 and of w |r|^2, with the natural map F and w = 1/m_t.
///
/// An F that the rounding of the velocities explains does not count. Otherwise grains that move on together, whose
/// impulses are pure rounding, would never count as solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Misfit<X = f64> {
    /// Sum of w |F|^2: zero exactly when every contact obeys its laws up to rounding.
    pub wrong: X,
    /// Sum of w |r|^2.
    pub all: X,
    /// Square of the largest velocity w |F| over its reference motion; zero where bodies are not known.
    pub worst: X,
    /// Sum of |r|.
    pub impulses: X,
    /// Sum of w |F| |r|: work of the impulses at the velocities by which their contacts miss the laws.
    pub virtual_work: X,
}

/// The numbers of a contact that enter the residual, or of four at once.
#[derive(Clone, Copy)]
pub(super) struct Judged<X> {
    /// |F|^2, of the natural map or of laws that have none.
    pub distance: X,
    /// The part of it that the rounding of the velocities explains: [`allowance`].
    pub allowance: X,
    /// |r|^2.
    pub size: X,
    /// w = 1/m_t; zero in empty lanes.
    pub weight: X,
    /// One over the square of the reference speed of its slower body.
    pub inverse_square: X,
}

/// |F|^2 that the rounding of velocities explains: `speed_squared` is the sum of the squares of the velocities
/// involved, and `mass` converts them to impulses.
#[inline(always)]
pub(super) fn allowance<X: Real>(mass: X, speed_squared: X) -> X {
    let excused = mass.all(ROUNDING) * mass;
    excused * excused * speed_squared
}

impl<X: Real> Misfit<X> {
    /// The sums over no contact; `like` gives the number of lanes.
    #[inline(always)]
    pub(super) fn none(like: X) -> Misfit<X> {
        let zero = like.zero();
        Misfit { wrong: zero, all: zero, worst: zero, impulses: zero, virtual_work: zero }
    }

    /// Adds a contact, or four. Velocities cannot be known better than the rounding of the impulses allows.
    #[inline(always)]
    pub(super) fn add(&mut self, contact: Judged<X>) {
        let Judged { distance, allowance, size, weight, inverse_square } = contact;
        let wrong = distance.choose_greater(allowance, distance, distance.zero());
        self.wrong = self.wrong + weight * wrong;
        self.all = self.all + weight * size;
        let square = weight * weight * wrong * inverse_square;
        let rounding = size.all(ROUNDING * ROUNDING) * size;
        self.worst = self.worst.max(wrong.choose_greater(rounding, square, wrong.zero()));
        self.impulses = self.impulses + size.sqrt();
        self.virtual_work = self.virtual_work + weight * (size * wrong).sqrt();
    }
}

impl<S: Lanes> Misfit<Four<S>> {
    /// All four together.
    #[inline(always)]
    pub(super) fn sum(self) -> Misfit {
        Misfit {
            wrong: lane_sum(self.wrong),
            all: lane_sum(self.all),
            worst: self.worst.row().into_iter().fold(0.0, f64::max),
            impulses: lane_sum(self.impulses),
            virtual_work: lane_sum(self.virtual_work),
        }
    }
}

impl std::iter::Sum for Misfit {
    fn sum<I: Iterator<Item = Misfit>>(parts: I) -> Misfit {
        parts.fold(Misfit::default(), |sum, part| Misfit {
            wrong: sum.wrong + part.wrong,
            all: sum.all + part.all,
            worst: sum.worst.max(part.worst),
            impulses: sum.impulses + part.impulses,
            virtual_work: sum.virtual_work + part.virtual_work,
        })
    }
}

impl Misfit {
    /// Of one contact.
    pub(super) fn of(contact: Judged<f64>) -> Misfit {
        let mut misfit = Misfit::default();
        misfit.add(contact);
        misfit
    }

    /// eps_nat = sqrt(sum w |F|^2) / sqrt(sum w |r|^2), a ratio without unit.
    pub fn ratio(self) -> f64 {
        match (self.wrong, self.all) {
            (0.0, _) => 0.0,
            (_, 0.0) => f64::INFINITY,
            (wrong, all) => (wrong / all).sqrt(),
        }
    }

    /// The largest velocity by which a contact misses its laws, over the reference motion of its bodies.
    pub fn velocity_error(self) -> f64 {
        self.worst.sqrt()
    }
}

impl<D: Dim> ContactSystem<D> {
    /// The residual of all contacts. The sums are added in the order of the subdomains, like those of a sweep.
    pub(super) fn judge_all(&self) -> Misfit {
        let subdomains: Vec<&Subdomain<D>> = self.partition.subdomains().collect();
        let speeds = self.scale.inverse_squares(&self.solver_bodies);
        let of_subdomain = |subdomain: &Subdomain<D>| {
            let range = subdomain.solver_bodies.clone();
            subdomain.judge(&self.solver_bodies[range.clone()], &speeds[range])
        };
        let parts = threads::map(subdomains, self.contacts, of_subdomain);
        let rest = self.partition.rest.iter().map(|contact| contact.misfit(&self.solver_bodies, &speeds));
        let misfit: Misfit = parts.into_iter().chain(rest).sum();
        let in_a_row = self.scale.error_in_a_row(&misfit, &self.solver_bodies, &self.free);
        Misfit { worst: misfit.worst.max(in_a_row.powi(2)), ..misfit }
    }
}

impl<D: Dim> Subdomain<D> {
    /// The residual of the contacts of the subdomain; `solver_bodies` are its own, `speeds` the inverse squares of
    /// their reference speeds.
    fn judge(&self, solver_bodies: &[SolverBody<D>], speeds: &[f64]) -> Misfit {
        let round = in_lanes(JudgeRound { fours: &self.round.fours, solver_bodies, judged_by: speeds });
        let coupled = in_lanes(JudgeCoupled { fours: &self.coupled.fours, solver_bodies, judged_by: speeds });
        let scalars = self.scalars.iter().map(|contact| contact.misfit(solver_bodies, speeds));
        [round, coupled].into_iter().chain(scalars).sum()
    }
}

/// One over the square of the reference speed of the slower body of a contact.
pub(super) fn judged_by(speeds: &[f64], [a, b]: [u32; 2]) -> f64 {
    Real::max(speeds[a as usize], speeds[b as usize])
}

/// [`judged_by`] of four contacts.
#[inline(always)]
pub(super) fn four_judged_by<S: Lanes>(lanes: S, speeds: &[f64], [a, b]: [&[u32; LANES]; 2]) -> Four<S> {
    let [a, b] = [a, b].map(|at| Four::load(lanes, &at.map(|k| speeds[k as usize])));
    a.max(b)
}

/// Sum over the lanes.
#[inline(always)]
pub(super) fn lane_sum<S: Lanes>(four: Four<S>) -> f64 {
    let [a, b, c, d] = four.row();
    (a + b) + (c + d)
}
