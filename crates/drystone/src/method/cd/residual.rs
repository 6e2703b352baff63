//! The residual: how far impulses and velocities are from the contact laws, whatever solver found them.
//!
//! The natural map of a contact is F = r - P_K(r - m_t û). By Moreau's theorem r - F and û - F / m_t obey the laws
//! exactly, so that F / m_t is the velocity by which the contact misses them. An impulse F changes no body by more than
//! that, since m_t is not larger than the mass of either body. Two numbers are made of it:
//!
//! - eps_nat, a mean over all contacts against the impulses: how exact the forces are;
//! - the velocity error, the largest F / m_t over the motion of its bodies ([`super::velocity_scale`]): how well the
//!   velocity of every body is known, whatever the masses and however slow the motion.

use crate::lane::{Four, LANES, Lanes, Number};

/// Rounding of a relative velocity over the velocities that it is the difference of.
pub const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Sums over contacts from which eps_nat is made: of w |F|^2 and of w |r|^2, with the natural map F and w = 1/m_t.
///
/// An F that the rounding of the velocities explains does not count. Else grains that move on together, whose
/// impulses are nothing but rounding, would never be solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Misfit {
    /// Sum of w |F|^2: zero exactly when every contact obeys its laws up to rounding.
    pub wrong: f64,
    /// Sum of w |r|^2.
    pub all: f64,
    /// Square of the largest velocity w |F| over the motion that it is judged by; zero where bodies are not known.
    pub worst: f64,
    /// Sum of |r|; zero where bodies are not known.
    pub impulses: f64,
    /// Sum of w |F| |r|: what the impulses do at the velocities by which their contacts miss the laws.
    pub virtual_work: f64,
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
    /// Of one contact with |F|^2 = `wrong`, |r|^2 = `size` and the mass m_t, whose slower body is judged by this
    /// inverse square of a speed. Velocities cannot be known better than impulses are rounded.
    pub fn of_contact(wrong: f64, size: f64, mass: f64, inverse_square: f64) -> Misfit {
        let is_rounding = wrong <= ROUNDING * ROUNDING * size;
        let worst = if is_rounding { 0.0 } else { wrong / (mass * mass) * inverse_square };
        Misfit {
            wrong: wrong / mass,
            all: size / mass,
            worst,
            impulses: size.sqrt(),
            virtual_work: (size * wrong).sqrt() / mass,
        }
    }

    /// eps_nat = sqrt(sum w |F|^2) / sqrt(sum w |r|^2), a ratio without unit.
    pub fn ratio(self) -> f64 {
        match (self.wrong, self.all) {
            (0.0, _) => 0.0,
            (_, 0.0) => f64::INFINITY,
            (wrong, all) => (wrong / all).sqrt(),
        }
    }

    /// The largest velocity by which a contact misses its laws, over the motion of its bodies.
    pub fn velocity_error(self) -> f64 {
        self.worst.sqrt()
    }
}

/// One over the squares of the speeds that the slower bodies of four contacts are judged by.
#[inline(always)]
pub(super) fn judged_by<S: Lanes>(lanes: S, solver_bodies: &[f64], [a, b]: [&[u32; LANES]; 2]) -> Four<S> {
    let [a, b] = [a, b].map(|at| Four::load(lanes, &at.map(|k| solver_bodies[k as usize])));
    a.max(b)
}

/// [`Misfit`] of four contacts at a time.
pub(super) struct MisfitX4<S: Lanes> {
    wrong: Four<S>,
    all: Four<S>,
    worst: Four<S>,
    impulses: Four<S>,
    virtual_work: Four<S>,
    rounding: Four<S>,
}

impl<S: Lanes> MisfitX4<S> {
    #[inline(always)]
    pub fn new(lanes: S) -> Self {
        let zero = Four::splat(lanes, 0.0);
        let rounding = Four::splat(lanes, ROUNDING * ROUNDING);
        MisfitX4 { wrong: zero, all: zero, worst: zero, impulses: zero, virtual_work: zero, rounding }
    }

    /// [`Misfit::of_contact`] of four contacts: |F|^2, |r|^2, 1/m_t and the inverse square of a speed.
    #[inline(always)]
    pub fn add(&mut self, [wrong, size, weight, inverse_square]: [Four<S>; 4]) {
        self.wrong = self.wrong + weight * wrong;
        self.all = self.all + weight * size;
        let square = weight * weight * wrong * inverse_square;
        self.worst = self.worst.max(wrong.choose_greater(self.rounding * size, square, wrong.zero()));
        self.impulses = self.impulses + size.sqrt();
        self.virtual_work = self.virtual_work + weight * (size * wrong).sqrt();
    }

    /// All four together.
    #[inline(always)]
    pub fn sum(self) -> Misfit {
        Misfit {
            wrong: lane_sum(self.wrong),
            all: lane_sum(self.all),
            worst: self.worst.row().into_iter().fold(0.0, f64::max),
            impulses: lane_sum(self.impulses),
            virtual_work: lane_sum(self.virtual_work),
        }
    }
}

/// Sum over the lanes.
#[inline(always)]
pub(super) fn lane_sum<S: Lanes>(four: Four<S>) -> f64 {
    let [a, b, c, d] = four.row();
    (a + b) + (c + d)
}
