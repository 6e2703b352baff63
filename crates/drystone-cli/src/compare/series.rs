//! Series of all runs on one plot for each column: the mean over the seeds, and a band of one standard deviation.

use drystone::method::Kind;

use super::cases::Plan;
use super::outcome::Outcome;
use super::quantities::OF_THE_METHOD;
use super::report::Figure;
use super::statistics::Mean;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Times at which runs are compared.
const TIMES: usize = 240;

/// A band of curves at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Band {
    time: f64,
    mean: f64,
    /// Standard deviation of a run; zero of a single one.
    deviation: f64,
}

/// One figure for each column that changes, but for momenta, which stand in the table.
pub(super) fn figures(plan: &Plan, outcomes: &[Outcome]) -> Result<Vec<Figure>, Failure> {
    let Some(first) = outcomes.first() else { return Ok(Vec::new()) };
    let is_staged = outcomes.iter().any(|outcome| outcome.last_stage() > 0.0);
    let x = if is_staged { "Time since the last stage began (s)" } else { "Time (s)" };
    let mut figures = Vec::new();
    for heading in &first.series.columns {
        if OF_THE_METHOD.contains(&heading.name.as_str()) || heading.has_word("momentum") {
            continue;
        }
        let unit = heading.written_unit();
        let label = if unit.is_empty() { heading.words() } else { format!("{} ({unit})", heading.words()) };
        let mut plot = Plot::new("", Axis::linear(x), Axis::linear(&capital(&label)));
        let mut is_flat = true;
        for method in &plan.methods {
            let band = band(&curves(*method, outcomes, &heading.name));
            is_flat &= band.iter().all(|at| at.mean == band[0].mean);
            plot.curve(method.name(), Hand::Line, band.iter().map(|at| (at.time, at.mean)).collect());
            if band.iter().any(|at| at.deviation > 0.0) {
                for side in [-1.0, 1.0] {
                    plot.again(
                        "",
                        Hand::Dashes,
                        band.iter().map(|at| (at.time, at.mean + side * at.deviation)).collect(),
                    );
                }
            }
        }
        if !is_flat {
            let caption =
                format!("{}: mean over the seeds, dashes one standard deviation of a run away", heading.words());
            figures.push(Figure::drawn(format!("series-{}", heading.name), capital(&caption), &plot)?);
        }
    }
    Ok(figures)
}

/// A text that begins with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The curve of a column in every run of a method, over the time since the last stage began.
fn curves(method: Kind, outcomes: &[Outcome], name: &str) -> Vec<Vec<[f64; 2]>> {
    let own = outcomes.iter().filter(|outcome| outcome.case.method == method);
    own.filter_map(|outcome| {
        let place = outcome.series.columns.iter().position(|heading| heading.name == name)?;
        let from = outcome.last_stage();
        let points = outcome.series.curve([0, place], 0..outcome.series.rows.len());
        Some(points.into_iter().filter(|(_, y)| y.is_finite()).map(|(t, y)| [t - from, y]).collect())
    })
    .collect()
}

/// Mean and deviation over the time that all curves have in common.
fn band(curves: &[Vec<[f64; 2]>]) -> Vec<Band> {
    let ends = curves.iter().filter_map(|curve| Some([curve.first()?[0], curve.last()?[0]]));
    let [from, to] = ends.fold([f64::NEG_INFINITY, f64::INFINITY], |[from, to], [a, b]| [from.max(a), to.min(b)]);
    if curves.is_empty() || !from.is_finite() || to <= from {
        return Vec::new();
    }
    let at = |k: usize| {
        let time = from + (to - from) * k as f64 / (TIMES - 1) as f64;
        let values: Vec<f64> = curves.iter().map(|curve| value(curve, time)).collect();
        let mean = Mean::of(&values)?;
        let deviation = mean.error.map_or(0.0, |error| error * (mean.runs as f64).sqrt());
        Some(Band { time, mean: mean.value, deviation })
    };
    (0..TIMES).filter_map(at).collect()
}

/// A curve between its points, by straight lines.
fn value(curve: &[[f64; 2]], time: f64) -> f64 {
    let after = curve.partition_point(|[t, _]| *t < time).clamp(1, curve.len() - 1);
    let [[t0, y0], [t1, y1]] = [curve[after - 1], curve[after]];
    if t1 > t0 { y0 + (y1 - y0) * ((time - t0) / (t1 - t0)).clamp(0.0, 1.0) } else { y1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_has_the_mean_and_the_deviation_of_its_curves() {
        // two straight lines with other times: t and t + 2 over what they share, from 1 to 3
        let band = band(&[vec![[0.0, 0.0], [4.0, 4.0]], vec![[1.0, 3.0], [2.0, 4.0], [3.0, 5.0]]]);
        assert_eq!((band.len(), band[0].time, band[TIMES - 1].time), (TIMES, 1.0, 3.0));
        for at in band {
            assert!((at.mean - at.time - 1.0).abs() < 1e-12 && (at.deviation - 2.0f64.sqrt()).abs() < 1e-12, "{at:?}");
        }
    }

    #[test]
    fn curves_that_share_no_time_have_no_band() {
        assert!(band(&[vec![[0.0, 1.0], [1.0, 1.0]], vec![[2.0, 1.0], [3.0, 1.0]]]).is_empty());
        assert!(band(&[]).is_empty());
    }
}
