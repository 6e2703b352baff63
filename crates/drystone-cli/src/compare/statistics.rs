//! Means with their errors, and whether two methods differ.
//!
//! Runs of two methods with the same seed start from the same packing. So their difference is taken seed by seed, which
//! takes out what packings differ by, and Student's t of these differences is judged: t = mean / standard error with
//! n - 1 degrees of freedom, for n seeds. [Student 1908]

use std::f64::consts::FRAC_PI_2;

/// Probability of a false alarm for each quantity: with a hundred of them, about one differs by chance.
pub(super) const LEVEL: f64 = 0.01;
/// Numbers whose difference is below this part of them are the same: sums of up to ten thousand rows round by that.
const ROUNDING: f64 = 1e-12;
/// Intervals of the integral over Student's distribution.
const INTERVALS: usize = 4000;

/// The mean of some runs and how far it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub value: f64,
    /// Standard deviation over the root of the number of runs; none of a single run.
    pub error: Option<f64>,
    pub runs: usize,
}

impl Mean {
    /// None without values.
    pub(crate) fn of(values: &[f64]) -> Option<Mean> {
        let runs = values.len();
        let value = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|x| (x - value).powi(2)).sum();
        let error = (runs > 1).then(|| (squares / (runs as f64 - 1.0) / runs as f64).sqrt());
        (runs > 0).then_some(Mean { value, error, runs })
    }
}

/// What two methods have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The difference is no larger than that of seeds explains.
    Agree,
    /// It is larger.
    Differ,
    /// All runs have the same number.
    Same,
    /// One run of each method: nothing is known of the scatter.
    NoScatter,
}

/// A method against the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    /// Mean of the differences, seed by seed.
    pub mean: Mean,
    /// Probability of a mean difference at least as large if there was none; none of a single pair.
    pub probability: Option<f64>,
    pub verdict: Verdict,
}

impl Difference {
    /// Of values that belong together; none without any.
    pub(super) fn of(pairs: &[Pair]) -> Option<Difference> {
        let differences: Vec<f64> = pairs.iter().map(|pair| pair.other - pair.reference).collect();
        let mean = Mean::of(&differences)?;
        let probability = mean.error.map(|error| match (mean.value == 0.0, error == 0.0) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) => two_sided(mean.value / error, (mean.runs - 1) as f64),
        });
        let verdict = match probability {
            _ if pairs.iter().all(Pair::is_same) => Verdict::Same,
            None => Verdict::NoScatter,
            Some(p) if p < LEVEL => Verdict::Differ,
            Some(_) => Verdict::Agree,
        };
        Some(Difference { mean, probability, verdict })
    }
}

/// Values of a seed under two methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub reference: f64,
    pub other: f64,
}

impl Pair {
    fn is_same(&self) -> bool {
        (self.other - self.reference).abs() <= ROUNDING * self.reference.abs().max(self.other.abs())
    }
}

/// Probability that Student's t with these degrees of freedom is farther from zero than `t`: with t = sqrt(n) tan(a)
/// the density becomes cos(a)^(n-1), whose integral from a to pi/2 is taken over that from 0, by Simpson's rule.
pub(super) fn two_sided(t: f64, degrees: f64) -> f64 {
    let from = (t.abs() / degrees.sqrt()).atan();
    let integral = |from: f64| {
        let step = (FRAC_PI_2 - from) / INTERVALS as f64;
        let term = |k: usize| {
            let weight = if k == 0 || k == INTERVALS { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 };
            // the cosine at the far end is zero, whatever its last digits say
            weight * (FRAC_PI_2 - from - k as f64 * step).sin().max(0.0).powf(degrees - 1.0)
        };
        (0..=INTERVALS).map(term).sum::<f64>() * step / 3.0
    };
    integral(from) / integral(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Percentage points of Student's distribution, as printed in every textbook.
    #[test]
    fn probabilities_are_those_of_the_tables() {
        let table =
            [(12.706, 1.0, 0.05), (4.303, 2.0, 0.05), (4.604, 4.0, 0.01), (2.228, 10.0, 0.05), (2.660, 60.0, 0.01)];
        for (t, degrees, p) in table {
            let found = two_sided(t, degrees);
            assert!((found / p - 1.0).abs() < 2e-3, "t {t} with {degrees}: {found}, not {p}");
        }
        assert!((two_sided(0.0, 3.0) - 1.0).abs() < 1e-12);
    }

    /// Student's own example: hours of sleep gained by ten patients with two drugs; t = 4.062, p = 0.00283.
    #[test]
    fn sleep_of_students_patients() {
        let reference = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let pairs: Vec<Pair> =
            reference.into_iter().zip(other).map(|(reference, other)| Pair { reference, other }).collect();
        let found = Difference::of(&pairs).expect("ten pairs");
        assert!((found.mean.value - 1.58).abs() < 1e-12);
        assert!((found.mean.value / found.mean.error.expect("ten pairs") - 4.0621).abs() < 1e-3);
        assert!((found.probability.expect("ten pairs") - 0.00283).abs() < 1e-5);
        assert_eq!(found.verdict, Verdict::Differ);
    }

    #[test]
    fn one_run_has_no_scatter_and_equal_numbers_are_the_same() {
        let of = |pairs: &[[f64; 2]]| {
            let pairs: Vec<Pair> =
                pairs.iter().map(|[reference, other]| Pair { reference: *reference, other: *other }).collect();
            Difference::of(&pairs).map(|difference| difference.verdict)
        };
        assert_eq!(of(&[[1.0, 1.1]]), Some(Verdict::NoScatter));
        assert_eq!(of(&[[1.0, 1.0], [2.0, 2.0 + 1e-15]]), Some(Verdict::Same));
        assert_eq!(of(&[[1.0, 1.5], [2.0, 2.5]]), Some(Verdict::Differ), "the same difference each time");
        assert_eq!(of(&[[1.0, 1.5], [2.0, 1.5], [1.0, 1.1]]), Some(Verdict::Agree));
        assert_eq!(of(&[]), None);
    }
}
