//! The local problems of four corners at once: open, stick or slide, exactly.

use super::Corners;
use crate::dim::Dim;
use crate::lane::{Four, Lanes};

/// A step of Newton's that is shorter than this part ends at the root up to rounding: what it leaves is of the order of its square.
const ENOUGH: f64 = 1e-9;

impl<D: Dim> Corners<D> {
    /// The impulses along the frame that satisfy both laws, while `start` acts and the contacts move with `u`:
    /// [`crate::law::General`] in the frame in which S is diagonal.
    #[inline(always)]
    pub(super) fn solve<S: Lanes>(&mut self, lanes: S, start: [Four<S>; 3], u: [Four<S>; 3]) -> [Four<S>; 3] {
        let [zero, one] = [0.0, 1.0].map(|number| Four::splat(lanes, number));
        let [w_nn, inv_nn, mu] = [&self.w_nn, &self.inv_nn, &self.friction].map(|row| Four::load(lanes, row));
        let [w_1, w_2] = self.w_nt.each_ref().map(|row| Four::load(lanes, row));
        let [s_1, s_2] = self.s.each_ref().map(|row| Four::load(lanes, row));
        let mut slip = Slip { s: [s_1, s_2], w_nt: [w_1, w_2], free: [zero; 2] };
        // q = u - W r, and what is left across once u_n = 0
        let q_n = u[0] - w_nn * start[0] - slip.across(&[start[1], start[2]]);
        let share = u[0] * inv_nn;
        slip.free[0] = u[1] - share * w_1 - s_1 * start[1];
        let mut stick = [zero - slip.free[0] / s_1, zero];
        if Self::ACROSS == 2 {
            slip.free[1] = u[2] - share * w_2 - s_2 * start[2];
            stick[1] = zero - slip.free[1] / s_2;
        }
        let stick_n = zero - (q_n + slip.across(&stick)) * inv_nn;
        let size = slip.norm(&stick);
        let closes = zero.choose_greater(q_n, one, zero);
        let slides = size.choose_greater(mu * stick_n, closes, zero);
        let mut found = [stick_n, stick[0], stick[1]];
        if slides.row().iter().any(|slides| *slides > 0.0) {
            let mut pushes = stick;
            if Self::ACROSS == 2 {
                let (steep, limit) = (mu * inv_nn, zero - mu * q_n * inv_nn);
                let (known, guess) = (Four::load(lanes, &self.beta), limit / (size + steep * slip.across(&stick)));
                let start = known.choose_greater(zero, known, guess.min(one));
                let beta = slip.slide(lanes, slides, start, steep, limit);
                self.beta = slides.choose_greater(zero, beta, zero).row();
                pushes = slip.pushes(lanes, beta);
            }
            let length = slip.norm(&pushes);
            let direction = pushes.map(|push| push / length);
            let against = w_nn + mu * slip.across(&direction);
            let slide_n = zero - q_n / against; // the normal equation and the cone hold to the last digit
            // where friction presses more than the normal impulse parts, only rounding tells sliding from sticking
            let slides = against.choose_greater(zero, slides, zero);
            let choose = |slid: Four<S>, stuck: Four<S>| slides.choose_greater(zero, slid, stuck);
            let slide_t = mu * slide_n;
            found = [choose(slide_n, found[0]), choose(slide_t * direction[0], found[1]), found[2]];
            if Self::ACROSS == 2 {
                found[2] = choose(slide_t * direction[1], found[2]);
            }
        }
        found.map(|impulse| closes.choose_greater(zero, impulse, zero))
    }
}

/// Four tangential problems: u_t = S r_t + free.
struct Slip<S: Lanes> {
    s: [Four<S>; 2],
    w_nt: [Four<S>; 2],
    free: [Four<S>; 2],
}

impl<S: Lanes> Slip<S> {
    #[inline(always)]
    fn across(&self, t: &[Four<S>; 2]) -> Four<S> {
        self.w_nt[0] * t[0] + self.w_nt[1] * t[1]
    }

    #[inline(always)]
    fn norm(&self, t: &[Four<S>; 2]) -> Four<S> {
        (t[0] * t[0] + t[1] * t[1]).sqrt()
    }

    /// h = -(beta S + (1 - beta) mean)^-1 free.
    #[inline(always)]
    fn pushes(&self, lanes: S, beta: Four<S>) -> [Four<S>; 2] {
        let [zero, half] = [0.0, 0.5].map(|number| Four::splat(lanes, number));
        let mean = (self.s[0] + self.s[1]) * half;
        let push = |k: usize| zero - self.free[k] / (mean + beta * (self.s[k] - mean));
        [push(0), push(1)]
    }

    /// The root of k(beta) in the lanes that slide: see `law/secular.rs`. Newton's steps where they help, halving where
    /// they do not, as in `law/root.rs`.
    #[inline(always)]
    fn slide(&self, lanes: S, slides: Four<S>, start: Four<S>, steep: Four<S>, limit: Four<S>) -> Four<S> {
        let [zero, one, half] = [0.0, 1.0, 0.5].map(|number| Four::splat(lanes, number));
        let [tiny, last, enough] = [f64::MIN_POSITIVE, 2.0 * f64::EPSILON, ENOUGH].map(|x| Four::splat(lanes, x));
        let mean = (self.s[0] + self.s[1]) * half;
        let off = [self.s[0] - mean, self.s[1] - mean];
        let size = |x: Four<S>| x.max(zero - x);
        let (mut low, mut high) = (zero, one);
        let (mut at, mut step, mut before) = (start, one, one);
        let mut active = slides;
        while active.row().iter().any(|active| *active > 0.0) {
            let d = [mean + at * off[0], mean + at * off[1]];
            let both = one / (d[0] * d[1]); // divisions take longer than all the rest
            let m = [d[1] * both, d[0] * both];
            let h = [zero - self.free[0] * m[0], zero - self.free[1] * m[1]];
            let bent = [zero - off[0] * h[0] * m[0], zero - off[1] * h[1] * m[1]];
            let length = self.norm(&h);
            let reach = length + steep * self.across(&h);
            let value = at * reach - limit;
            low = zero.choose_greater(value, at, low);
            high = value.choose_greater(zero, at, high);
            // the derivative times the length
            let bend = h[0] * bent[0] + h[1] * bent[1] + steep * self.across(&bent) * length;
            let newton = zero - value * length / (reach * length + at * bend);
            let halved = low + half * (high - low) - at;
            let mut next = tiny.choose_greater(size(newton) - half * size(before), newton, halved);
            next = tiny.choose_greater(low - (at + newton), next, halved);
            next = tiny.choose_greater(at + newton - high, next, halved);
            (before, step) = (step, next);
            // a value of zero is the root
            let goes_on = value.choose_greater(zero, active, zero.choose_greater(value, active, zero));
            at = goes_on.choose_greater(zero, at + step, at);
            let rounding = size(next - newton).choose_greater(zero, last, enough);
            active = size(step).choose_greater(rounding * at, goes_on, zero);
        }
        at
    }
}
