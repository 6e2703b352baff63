//! A root between 0 and 1, by Newton's steps where they help and by halving where they do not.

/// Root in [0, 1] of a function that is not positive at 0 and not negative at 1; `f` gives value and slope.
///
/// A Newton step must stay between the last two signs and be less than half the step before the last one; otherwise the
/// interval is halved. So this ends for every function, at a step of a few roundings.
#[inline]
pub(super) fn root(start: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let (mut at, mut step, mut before) = (start.min(1.0), 1.0_f64, 1.0_f64);
    loop {
        let (value, slope) = f(at);
        if value == 0.0 {
            return at;
        }
        if value < 0.0 {
            low = at;
        } else {
            high = at;
        }
        let newton = -value / slope;
        let helps = newton.abs() <= 0.5 * before.abs() && at + newton >= low && at + newton <= high;
        before = step;
        step = if helps { newton } else { low + 0.5 * (high - low) - at };
        at += step;
        // the value of f has a few roundings, so no smaller step means anything; asked so that NaN ends it too
        let resolved = !(step.abs() > 2.0 * f64::EPSILON * at);
        if resolved {
            return at;
        }
    }
}
