//! The step of a frame solved again: what is printed of an ensemble.

use drystone::measure::frame::{FrameView, Nothing};
use drystone::method::cd::stored::Goal;
use drystone::method::cd::{Accelerator, Accuracy, Solver};
use drystone_statics::spread::SolveError;
use drystone_statics::{Balance, Ensemble, FrameStep, Interval, Member, NullSpace};
use rayon::prelude::*;

use crate::progress::counter;

/// Sweeps after which a solve is given up.
const MAX_SWEEPS: u64 = 100_000;
/// Bins of the distribution of the spread.
const BINS: usize = 20;

/// Columns of an ensemble in the table of contacts.
pub(super) const COLUMNS: &str =
    ",lowest_of_solves [N],highest_of_solves [N],deviation_of_solves [N],error_of_solves [N]";

/// How often the step is solved, and how exactly.
#[derive(Clone, Copy)]
pub(super) struct Solves {
    pub(super) count: u64,
    pub(super) accuracy: Accuracy,
}

impl Solves {
    /// Solves the step of a frame.
    pub(super) fn ensemble(
        self,
        view: &FrameView,
        balance: &Balance,
        space: Option<&NullSpace>,
    ) -> Result<Ensemble, Nothing> {
        let step = FrameStep::of(view, balance)?;
        let goal = Goal {
            limits: self.accuracy.limits(),
            solver: Solver::Sweeps,
            accelerator: Accelerator::Momentum,
            max_sweeps: MAX_SWEEPS,
        };
        let bar = counter("solve", Some(self.count));
        let solved = (0..self.count).into_par_iter().map(|seed| {
            let member = step.solve(seed, goal);
            bar.inc(1);
            member
        });
        let members = solved.collect::<Result<Vec<Member>, Nothing>>();
        bar.finish_and_clear();
        Ok(Ensemble::of(members?, balance, space))
    }
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub(super) fn summary(ensemble: &Ensemble) -> Vec<(String, String)> {
    let members = &ensemble.members;
    let residual = members.iter().map(|member| member.residual).fold(0.0, f64::max);
    let mut solves = format!("{} of the same step, largest residual {residual:.1e}", members.len());
    let failed = members.iter().filter(|member| !member.converged).count();
    if failed > 0 {
        solves += &format!("; {failed} NOT converged after {MAX_SWEEPS} sweeps");
    }
    let deviations = &ensemble.deviations;
    let widest = deviations.iter().copied().fold(0.0, f64::max);
    let spread = format!("{:.1e} of the mean force, mean over the contacts, at most {widest:.1e}", mean(deviations));
    let error = match &ensemble.error {
        SolveError::Measured(errors) => {
            format!("{:.1e} of the mean force, mean over the contacts: what is no self-stress", mean(errors))
        }
        SolveError::Estimated(error) => {
            format!("{error:.1e} by the doubling test, which can be too small: self-stresses are not known")
        }
    };
    let share = format!("{:.0} % of the contacts differ by more than their error", 100.0 * ensemble.undetermined());
    [("solves", solves), ("spread of solves", spread), ("error of solves", error), ("undetermined", share)]
        .map(|(name, text)| (name.to_string(), text))
        .into()
}

/// Where the forces of all members lie in the intervals of the contacts [N].
pub(super) fn place(ensemble: &Ensemble, intervals: &[Interval], unit: f64) -> String {
    let beyond = intervals.iter().enumerate().flat_map(|(contact, interval)| {
        let forces = ensemble.normal_forces(contact).map(move |force| force * unit);
        forces.map(move |force| (interval.low - force).max(force - interval.high) / unit)
    });
    let worst = beyond.fold(0.0, f64::max);
    format!("forces of all solves are within their intervals, or beyond by {worst:.1e} of the mean force at most")
}

/// The entries of a contact in the table.
pub(super) fn entries(ensemble: &Ensemble, contact: usize, unit: f64) -> String {
    let forces = ensemble.normal_forces(contact).map(|force| force * unit);
    let (low, high) = (forces.clone().fold(f64::INFINITY, f64::min), forces.fold(f64::NEG_INFINITY, f64::max));
    format!(",{low},{high},{},{}", ensemble.deviations[contact] * unit, ensemble.error.of(contact) * unit)
}

/// Probability density of the spread over the contacts, as a table.
pub(super) fn distribution(ensemble: &Ensemble) -> Result<String, String> {
    let deviations = &ensemble.deviations;
    if !(0..deviations.len()).any(|contact| ensemble.is_undetermined(contact)) {
        let message =
            "--pdf: forces differ by no more than the error of the solves, so their spread has no distribution";
        return Err(format!("{message} [E107]"));
    }
    let width = deviations.iter().copied().fold(0.0, f64::max) / BINS as f64;
    let mut counts = [0; BINS];
    // the widest belongs to the last bin
    deviations.iter().for_each(|deviation| counts[((deviation / width) as usize).min(BINS - 1)] += 1);
    let mut text = String::from("spread,density\n");
    for (bin, count) in counts.iter().enumerate() {
        let density = f64::from(*count) / (deviations.len() as f64 * width);
        text += &format!("{},{density}\n", (bin as f64 + 0.5) * width);
    }
    Ok(text)
}
