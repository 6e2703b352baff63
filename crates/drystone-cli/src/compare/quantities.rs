//! Numbers of every case, and what the methods have in common in each.

use drystone::measure::Measures;
use drystone::measure::frame::{FrameView, MeasureOptions};
use drystone::method::Kind;

use super::cases::Plan;
use super::outcome::Outcome;
use super::statistics::{Difference, Mean, Pair};
use crate::Failure;
use crate::plot::table::Heading;

/// Columns of a series that describe the computation, not the grains.
pub(super) const OF_THE_METHOD: [&str; 4] = ["time", "step", "sweeps", "residual"];
/// Measures of the last frame that are taken in addition to the series, as far as the frame has them.
const OF_FRAMES: [&str; 6] = ["coordination", "stress", "fabric", "friction", "extent", "repose"];

/// A number that every case has.
pub(super) struct Quantity {
    pub name: String,
    pub unit: String,
    /// What it is of: the end, the mean over the last stage, the last frame.
    pub when: &'static str,
    /// One for each outcome, where it is known.
    pub values: Vec<Option<f64>>,
}

/// A quantity with the means of all methods and their differences from the first.
pub(super) struct Compared {
    pub quantity: Quantity,
    /// In the order of the methods.
    pub means: Vec<Option<Mean>>,
    /// In the order of the methods but the first.
    pub differences: Vec<Option<Difference>>,
}

/// All quantities of all outcomes, compared.
pub(super) fn compare(plan: &Plan, outcomes: &[Outcome]) -> Result<Vec<Compared>, Failure> {
    let mut all = of_stages(outcomes);
    all.extend(of_series(outcomes));
    let is_new = |quantity: &Quantity| all.iter().all(|other| other.name != quantity.name);
    let of_frames: Vec<Quantity> = of_frames(outcomes)?.into_iter().filter(is_new).collect();
    all.extend(of_frames);
    all.extend(of_contacts(outcomes)?);
    let is_known = |quantity: &Quantity| quantity.values.iter().flatten().any(|value| *value != 0.0);
    Ok(all.into_iter().filter(is_known).map(|quantity| quantity.compared(plan, outcomes)).collect())
}

impl Quantity {
    fn compared(self, plan: &Plan, outcomes: &[Outcome]) -> Compared {
        let of = |method: Kind| -> Vec<f64> {
            let own = outcomes.iter().zip(&self.values).filter(|(outcome, _)| outcome.case.method == method);
            own.filter_map(|(_, value)| *value).collect()
        };
        let at = |method: Kind, seed: u64| {
            let place =
                outcomes.iter().position(|outcome| outcome.case.method == method && outcome.case.seed == seed)?;
            self.values[place]
        };
        let pairs = |method: Kind| -> Vec<Pair> {
            let pair = |seed: &u64| Some(Pair { reference: at(plan.methods[0], *seed)?, other: at(method, *seed)? });
            plan.seeds.iter().filter_map(pair).collect()
        };
        Compared {
            means: plan.methods.iter().map(|method| Mean::of(&of(*method))).collect(),
            differences: plan.methods[1..].iter().map(|method| Difference::of(&pairs(*method))).collect(),
            quantity: self,
        }
    }
}

/// When the stages ended that no clock ends.
fn of_stages(outcomes: &[Outcome]) -> Vec<Quantity> {
    let Some(first) = outcomes.first() else { return Vec::new() };
    let stages = first.stages();
    let ended = |k: usize| outcomes.iter().map(|outcome| Some(outcome.stages().get(k)?.time)).collect();
    let quantity = |k: usize| Quantity {
        name: format!("end of stage {}", stages[k].stage),
        unit: "s".into(),
        when: "clock",
        values: ended(k),
    };
    (0..stages.len()).filter(|k| !stages[*k].is_by_clock).map(quantity).collect()
}

/// Columns of the series: at the end, and their means over the last stage.
fn of_series(outcomes: &[Outcome]) -> Vec<Quantity> {
    let Some(first) = outcomes.first() else { return Vec::new() };
    let named = |heading: &Heading, when, value: &dyn Fn(&Outcome, usize) -> Option<f64>| {
        let values = outcomes.iter().map(|outcome| {
            let place = outcome.series.columns.iter().position(|other| other.name == heading.name)?;
            value(outcome, place).filter(|value| value.is_finite())
        });
        Quantity { name: heading.name.clone(), unit: heading.unit.clone(), when, values: values.collect() }
    };
    let columns = first.series.columns.iter().filter(|heading| !OF_THE_METHOD.contains(&heading.name.as_str()));
    columns
        .flat_map(|heading| {
            let last = |outcome: &Outcome, place: usize| outcome.series.rows.last()?.get(place).copied();
            [named(heading, "end", &last), named(heading, "mean", &mean_of_last_stage)]
        })
        .collect()
}

/// Mean of a column over the time of the last stage.
fn mean_of_last_stage(outcome: &Outcome, place: usize) -> Option<f64> {
    let from = outcome.last_stage();
    let points = outcome.series.curve([0, place], 0..outcome.series.rows.len());
    let inside: Vec<[f64; 2]> = points.into_iter().filter(|(t, _)| *t >= from).map(|(t, y)| [t, y]).collect();
    time_mean(&inside)
}

/// Mean over time of a curve, by trapezia; none of less than two points.
pub(crate) fn time_mean(points: &[[f64; 2]]) -> Option<f64> {
    let span = points.last()?[0] - points.first()?[0];
    let area: f64 = points.windows(2).map(|pair| 0.5 * (pair[1][0] - pair[0][0]) * (pair[1][1] + pair[0][1])).sum();
    (span > 0.0).then(|| area / span)
}

/// Measures of the last frame that make one row of it.
fn of_frames(outcomes: &[Outcome]) -> Result<Vec<Quantity>, Failure> {
    let options = MeasureOptions::default();
    let measures = Measures::ALL.iter().filter(|measure| OF_FRAMES.contains(&measure.name()));
    let measures: Vec<_> = measures.filter_map(|measure| measure.of_frame()).collect();
    let mut found: Vec<Quantity> = Vec::new();
    for (k, outcome) in outcomes.iter().enumerate() {
        let frame = outcome.last_frame()?;
        let view = FrameView::whole(&frame, &outcome.setting, &options);
        for measure in &measures {
            let Ok(rows) = measure.rows(&view) else { continue };
            let [row] = &rows[..] else { continue };
            for (column, value) in measure.columns(&view).into_iter().zip(row) {
                let place = found.iter().position(|other| other.name == column.name).unwrap_or_else(|| {
                    let (name, unit) =
                        (column.name.clone(), if column.unit == "1" { "" } else { column.unit }.to_string());
                    found.push(Quantity { name, unit, when: "last frame", values: vec![None; outcomes.len()] });
                    found.len() - 1
                });
                found[place].values[k] = Some(*value).filter(|value| value.is_finite());
            }
        }
    }
    Ok(found)
}

/// How wide the forces of the last frame are distributed: the mean square of f_n over its mean.
fn of_contacts(outcomes: &[Outcome]) -> Result<Vec<Quantity>, Failure> {
    let mut values = Vec::new();
    for outcome in outcomes {
        let ratios = super::distributions::force_ratios(&outcome.last_frame()?);
        let square = ratios.iter().map(|ratio| ratio * ratio).sum::<f64>() / ratios.len() as f64;
        values.push((!ratios.is_empty()).then_some(square));
    }
    Ok(vec![Quantity { name: "mean square of force ratio".into(), unit: String::new(), when: "last frame", values }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_over_time_weighs_rows_by_how_long_they_last() {
        // one second at 2, then a straight line up to 4 in two seconds: (2 + 6) / 3
        assert_eq!(time_mean(&[[0.0, 2.0], [1.0, 2.0], [3.0, 4.0]]), Some(8.0 / 3.0));
        assert_eq!((time_mean(&[[1.0, 5.0]]), time_mean(&[])), (None, None));
    }
}
