//! The local problems of four contacts at once: open, stick or slide, exactly. [`crate::law::CoupledLaw`] in the frame
//! in which S is diagonal.
//!
//! Contacts of one colour go through it in batches, stage by stage: none waits for the roots and quotients of its own
//! while others can be worked on.

use super::CoupledContactX4;
use crate::dim::Dim;
use crate::lane::MapInlined;
use crate::lane::{Four, Lanes, Real, Row};

/// A step of Newton's that is shorter than this part ends at the root up to rounding: what it leaves is of the order of
/// its square.
const ENOUGH: f64 = 1e-9;

/// Local solutions of four contacts in progress, along the frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct CoupledTrial {
    /// The impulses from which they start.
    pub start: [Row; 3],
    /// Impulses under which the contacts stick.
    stick: [Row; 3],
    /// Normal velocities without impulses.
    q_n: Row,
    /// Tangential velocities without tangential impulses, once u_n = 0.
    free: [Row; 2],
    /// One where a contact closes, and where it slides.
    closes: Row,
    slides: Row,
    search: Search,
}

/// The search for the root of k(beta), see `law/rigid/coupled_3d.rs`: Newton steps where they converge, bisection where
/// they do not, as in `law/rigid/root.rs`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Search {
    at: Row,
    low: Row,
    high: Row,
    step: Row,
    before: Row,
    /// One in the lanes whose root is still sought.
    active: Row,
    is_on: bool,
}

impl CoupledTrial {
    /// Solves contacts that stick or are open, while `start` acts and they move with `u`; those that slide begin their
    /// search.
    #[inline(always)]
    pub(super) fn new<D: Dim, S: Lanes>(
        lanes: S,
        four: &CoupledContactX4<D>,
        start: [Four<S>; 3],
        u: [Four<S>; 3],
    ) -> CoupledTrial {
        let [zero, one] = [0.0, 1.0].map_inlined(|number| Four::splat(lanes, number));
        let [w_nn, inv_nn, mu] = [&four.w_nn, &four.inv_nn, &four.friction].map_inlined(|row| Four::load(lanes, row));
        let slip = Slip::new(lanes, four);
        // q = u - W r, and what is left across once u_n = 0
        let q_n = u[0] - w_nn * start[0] - slip.across(&[start[1], start[2]]);
        let share = u[0] * inv_nn;
        let (mut free, mut stick) = ([zero; 2], [zero; 2]);
        for k in 0..D::DIMENSION - 1 {
            free[k] = u[k + 1] - share * slip.w_nt[k] - slip.s[k] * start[k + 1];
            stick[k] = zero - free[k] / slip.s[k];
        }
        let stick_n = zero - (q_n + slip.across(&stick)) * inv_nn;
        let size = norm(&stick);
        let closes = zero.choose_greater(q_n, one, zero);
        let slides = size.choose_greater(mu * stick_n, closes, zero);
        let mut trial = CoupledTrial {
            start: start.map_inlined(Four::row),
            stick: [stick_n, stick[0], stick[1]].map_inlined(Four::row),
            q_n: q_n.row(),
            free: free.map_inlined(Four::row),
            closes: closes.row(),
            slides: slides.row(),
            search: Search::default(),
        };
        if CoupledContactX4::<D>::ACROSS == 2 && slides.any_greater(zero) {
            let (steep, limit) = (mu * inv_nn, zero - mu * q_n * inv_nn);
            let (known, guess) = (Four::load(lanes, &four.beta), limit / (size + steep * slip.across(&stick)));
            let at = known.choose_greater(zero, known, guess.min(one)).row();
            let [low, high] = [[0.0; 4], [1.0; 4]];
            trial.search = Search { at, low, high, step: high, before: high, active: trial.slides, is_on: true };
        }
        trial
    }

    /// Whether a root is still sought.
    #[inline(always)]
    pub(super) fn seeks(&self) -> bool {
        self.search.is_on
    }

    /// One step towards the roots.
    #[inline(always)]
    pub(super) fn seek<D: Dim, S: Lanes>(&mut self, lanes: S, four: &CoupledContactX4<D>) {
        let [zero, one, half] = [0.0, 1.0, 0.5].map_inlined(|number| Four::splat(lanes, number));
        let [tiny, last, enough] =
            [f64::MIN_POSITIVE, 2.0 * f64::EPSILON, ENOUGH].map_inlined(|x| Four::splat(lanes, x));
        let [mu, inv_nn, q_n] = [&four.friction, &four.inv_nn, &self.q_n].map_inlined(|row| Four::load(lanes, row));
        let free = self.free.each_ref().map_inlined(|row| Four::load(lanes, row));
        let (slip, steep, limit) = (Slip::new(lanes, four), mu * inv_nn, zero - mu * q_n * inv_nn);
        let Search { at, low, high, step, before, active, .. } = &self.search;
        let [at, low, high, step, before, active] =
            [at, low, high, step, before, active].map_inlined(|row| Four::load(lanes, row));
        let mean = (slip.s[0] + slip.s[1]) * half;
        let off = [slip.s[0] - mean, slip.s[1] - mean];
        let size = |x: Four<S>| x.max(zero - x);
        let d = [mean + at * off[0], mean + at * off[1]];
        let both = one / (d[0] * d[1]); // divisions take longer than all the rest
        let m = [d[1] * both, d[0] * both];
        let h = [zero - free[0] * m[0], zero - free[1] * m[1]];
        let bent = [zero - off[0] * h[0] * m[0], zero - off[1] * h[1] * m[1]];
        let length = norm(&h);
        let reach = length + steep * slip.across(&h);
        let value = at * reach - limit;
        // the ends come nearer: at lies between them
        let low = low.max(zero.choose_greater(value, at, zero));
        let high = high.min(value.choose_greater(zero, at, one));
        // the derivative times the length
        let bend = h[0] * bent[0] + h[1] * bent[1] + steep * slip.across(&bent) * length;
        let newton = zero - value * length / (reach * length + at * bend);
        let halved = low + half * (high - low) - at;
        let mut next = tiny.choose_greater(size(newton) - half * size(before), newton, halved);
        next = tiny.choose_greater(low - (at + newton), next, halved);
        next = tiny.choose_greater(at + newton - high, next, halved);
        // a value of zero is the root
        let goes_on = value.choose_greater(zero, active, zero.choose_greater(value, active, zero));
        let rounding = size(next - newton).choose_greater(zero, last, enough);
        let at = at + goes_on.choose_greater(zero, next, zero);
        let active = size(next).choose_greater(rounding * at, goes_on, zero);
        self.search = Search {
            at: at.row(),
            low: low.row(),
            high: high.row(),
            step: next.row(),
            before: step.row(),
            active: active.row(),
            is_on: active.any_greater(zero),
        };
    }

    /// The impulses along the frame that satisfy both laws. The contacts store their roots for the next search.
    #[inline(always)]
    pub(super) fn found<D: Dim, S: Lanes>(&self, lanes: S, four: &mut CoupledContactX4<D>) -> [Four<S>; 3] {
        let zero = Four::splat(lanes, 0.0);
        let [q_n, closes, slides] = [&self.q_n, &self.closes, &self.slides].map_inlined(|row| Four::load(lanes, row));
        let mut found = self.stick.each_ref().map_inlined(|row| Four::load(lanes, row));
        if slides.any_greater(zero) {
            let [w_nn, mu] = [&four.w_nn, &four.friction].map_inlined(|row| Four::load(lanes, row));
            let slip = Slip::new(lanes, four);
            let mut tangential = [found[1], found[2]];
            if CoupledContactX4::<D>::ACROSS == 2 {
                let beta = Four::load(lanes, &self.search.at);
                four.beta = slides.choose_greater(zero, beta, zero).row();
                tangential = slip.tangential_impulses(lanes, &self.free, beta);
            }
            let length = norm(&tangential);
            let direction = tangential.map_inlined(|impulse| impulse / length);
            let against = w_nn + mu * slip.across(&direction);
            let slide_n = zero - q_n / against; // the normal equation and the cone hold to the last digit
            // where friction presses more than the normal impulse separates, only rounding distinguishes sliding from
            // sticking
            let slides = against.choose_greater(zero, slides, zero);
            let slide_t = mu * slide_n;
            let slid = [slide_n, slide_t * direction[0], slide_t * direction[1]];
            for k in 0..D::DIMENSION {
                found[k] = slides.choose_greater(zero, slid[k], found[k]);
            }
        }
        found.map_inlined(|impulse| closes.choose_greater(zero, impulse, zero))
    }
}

#[inline(always)]
fn norm<S: Lanes>(t: &[Four<S>; 2]) -> Four<S> {
    (t[0] * t[0] + t[1] * t[1]).sqrt()
}

/// Four tangential problems: u_t = S r_t + free.
struct Slip<S: Lanes> {
    s: [Four<S>; 2],
    w_nt: [Four<S>; 2],
}

impl<S: Lanes> Slip<S> {
    #[inline(always)]
    fn new<D: Dim>(lanes: S, four: &CoupledContactX4<D>) -> Slip<S> {
        let load = |rows: &[Row; 2]| [Four::load(lanes, &rows[0]), Four::load(lanes, &rows[1])];
        Slip { s: load(&four.s), w_nt: load(&four.w_nt) }
    }

    #[inline(always)]
    fn across(&self, t: &[Four<S>; 2]) -> Four<S> {
        self.w_nt[0] * t[0] + self.w_nt[1] * t[1]
    }

    /// h = -(beta S + (1 - beta) mean)^-1 free.
    #[inline(always)]
    fn tangential_impulses(&self, lanes: S, free: &[Row; 2], beta: Four<S>) -> [Four<S>; 2] {
        let [zero, half] = [0.0, 0.5].map_inlined(|number| Four::splat(lanes, number));
        let mean = (self.s[0] + self.s[1]) * half;
        let impulse = |k: usize| zero - Four::load(lanes, &free[k]) / (mean + beta * (self.s[k] - mean));
        [impulse(0), impulse(1)]
    }
}
