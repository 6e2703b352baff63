//! A root between 0 and 1, by Newton's steps where they help and by halving where they do not.

use std::cmp::Ordering;

/// Root in [0, 1] of a function that is not positive at 0 and not negative at 1; `f` gives value and slope.
///
/// A Newton step must stay within the interval in which the sign changes, and be less than half the step before the
/// last one; otherwise the interval is halved. So this ends for every function, at a step of a few roundings.
#[inline]
pub(super) fn root(start: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let (mut at, mut step, mut before) = (start.min(1.0), 1.0_f64, 1.0_f64);
    loop {
        #[cfg(test)]
        tests::EVALUATIONS.set(tests::EVALUATIONS.get() + 1);
        let (value, slope) = f(at);
        match value.partial_cmp(&0.0) {
            Some(Ordering::Less) => low = at,
            Some(Ordering::Greater) => high = at,
            _ => return at, // the root, or NaN: whatever is computed from it will be NaN too
        }
        let newton = -value / slope;
        let helps = newton.abs() <= 0.5 * before.abs() && at + newton >= low && at + newton <= high;
        before = step;
        step = if helps { newton } else { low + 0.5 * (high - low) - at };
        at += step;
        // the value of f has a few rounding errors, so a smaller step has no meaning
        if step.abs() <= 2.0 * f64::EPSILON * at {
            return at;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::cell::Cell;

    std::thread_local! {
        /// How often functions were evaluated.
        pub static EVALUATIONS: Cell<usize> = const { Cell::new(0) };
    }

    /// Number of evaluations that some work takes.
    pub(crate) fn evaluations<T>(work: impl FnOnce() -> T) -> usize {
        EVALUATIONS.set(0);
        work();
        EVALUATIONS.get()
    }

    #[test]
    fn newton_doubles_the_digits() {
        let cubic = |x: f64| (x * x * x + x - 1.0, 3.0 * x * x + 1.0);
        let found = root(0.5, cubic);
        assert!((found - 0.682_327_803_828_019_3).abs() <= f64::EPSILON, "{found}");
        assert!(evaluations(|| root(0.5, cubic)) <= 6);
        assert_eq!(root(1.0, |x| (x - 0.25, 1.0)), 0.25);
    }

    #[test]
    fn halving_ends_where_newton_does_not() {
        let at = 1.0 / 3.0;
        let slopes = [0.0, -1.0, 1e-300, f64::NAN];
        for slope in slopes {
            let found = root(0.9, |x| ((x - at).signum(), slope));
            assert!((found - at).abs() <= 4.0 * f64::EPSILON, "slope {slope}: {found}");
        }
        assert_eq!(evaluations(|| root(0.5, |_| (f64::NAN, f64::NAN))), 1);
    }
}
