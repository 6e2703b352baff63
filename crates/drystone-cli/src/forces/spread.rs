//! How much forces differ from one member of an ensemble to the next.

use drystone::measure::frame::{FrameView, Nothing};
use drystone::method::cd::stored::Goal;
use drystone::method::cd::{Accelerator, Accuracy, Solver};
use drystone_statics::{Balance, FrameStep, Interval, Member};
use rayon::prelude::*;

use crate::progress::counter;

/// Sweeps after which a solve is given up.
const MAX_SWEEPS: u64 = 100_000;
/// Bins of the distribution of the spread.
const BINS: usize = 20;

/// Spread of the normal forces: standard deviation of each over the members, in units of the mean force of the frame.
pub(super) struct Spread {
    pub(super) deviations: Vec<f64>,
}

impl Spread {
    /// Of admissible forces that are drawn, by unknown.
    pub(super) fn of_samples(balance: &Balance, members: &[Vec<f64>]) -> Spread {
        let firsts = balance.contacts.iter().map(|contact| contact.first);
        Spread { deviations: firsts.map(|first| deviation(members.iter().map(|member| member[first]))).collect() }
    }

    /// Mean over the contacts.
    pub(super) fn mean(&self) -> f64 {
        self.deviations.iter().sum::<f64>() / self.deviations.len() as f64
    }
}

fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// The step of a frame, solved from random forces.
pub(super) struct Ensemble {
    members: Vec<Member>,
    pub(super) spread: Spread,
}

impl Ensemble {
    pub(super) const COLUMNS: &str = ",lowest_of_solves [N],highest_of_solves [N],deviation_of_solves [N]";

    /// Solves the step of a frame so many times.
    pub(super) fn of(
        view: &FrameView,
        balance: &Balance,
        solves: u64,
        accuracy: Accuracy,
    ) -> Result<Ensemble, Nothing> {
        let step = FrameStep::of(view, balance)?;
        let goal = Goal {
            limits: accuracy.limits(),
            solver: Solver::Sweeps,
            accelerator: Accelerator::Momentum,
            max_sweeps: MAX_SWEEPS,
        };
        let bar = counter("solve", Some(solves));
        let solved = (0..solves).into_par_iter().map(|seed| {
            let member = step.solve(seed, goal);
            bar.inc(1);
            member
        });
        let members = solved.collect::<Result<Vec<Member>, Nothing>>();
        bar.finish_and_clear();
        let members = members?;
        let of = |contact: usize| deviation(members.iter().map(|member| member.normal_forces[contact]));
        let deviations = (0..balance.contacts.len()).map(of).collect();
        Ok(Ensemble { members, spread: Spread { deviations } })
    }

    /// What the solves leave open of a force, over the mean force: the largest residual or doubling test of them.
    fn error(&self) -> f64 {
        self.members.iter().map(|member| member.residual.max(member.force_error)).fold(0.0, f64::max)
    }

    /// Share of the contacts whose force spreads by more than the error of the solves.
    pub(super) fn undetermined(&self) -> f64 {
        let (deviations, error) = (&self.spread.deviations, self.error());
        deviations.iter().filter(|deviation| **deviation > error).count() as f64 / deviations.len() as f64
    }

    pub(super) fn summary(&self) -> Vec<(String, String)> {
        let count = self.members.len();
        let residual = self.members.iter().map(|member| member.residual).fold(0.0, f64::max);
        let mut solves =
            format!("{count} of the same step, largest residual {residual:.1e}, force error {:.1e}", self.error());
        let failed = self.members.iter().filter(|member| !member.converged).count();
        if failed > 0 {
            solves += &format!("; {failed} NOT converged after {MAX_SWEEPS} sweeps");
        }
        let widest = self.spread.deviations.iter().copied().fold(0.0, f64::max);
        let spread = format!(
            "{:.2e} of the mean force, mean over the contacts, at most {widest:.2e}; above the force error of {:.0} % of the contacts",
            self.spread.mean(),
            100.0 * self.undetermined()
        );
        vec![("solves".into(), solves), ("spread of solves".into(), spread)]
    }

    /// Where the forces of all members lie in the intervals of the contacts [N].
    pub(super) fn place(&self, intervals: &[Interval], unit: f64) -> String {
        let outside = |member: &Member| {
            let beyond = member.normal_forces.iter().zip(intervals).map(|(force, interval)| {
                let force = force * unit;
                (interval.low - force).max(force - interval.high) / unit
            });
            beyond.fold(0.0, f64::max)
        };
        let worst = self.members.iter().map(outside).fold(0.0, f64::max);
        format!("forces of all solves are within their intervals, or beyond by {worst:.1e} of the mean force at most")
    }

    /// The entries of a contact in the table.
    pub(super) fn entries(&self, contact: usize, unit: f64) -> String {
        let forces = self.members.iter().map(|member| member.normal_forces[contact] * unit);
        let (low, high) = (forces.clone().fold(f64::INFINITY, f64::min), forces.fold(f64::NEG_INFINITY, f64::max));
        format!(",{low},{high},{}", self.spread.deviations[contact] * unit)
    }

    /// Probability density of the spread over the contacts, as a table.
    pub(super) fn distribution(&self) -> Result<String, String> {
        let deviations = &self.spread.deviations;
        let widest = deviations.iter().copied().fold(0.0, f64::max);
        if widest <= self.error() {
            return Err("--pdf: forces differ by no more than the error of the solves, so their spread has no distribution [E107]".into());
        }
        let width = widest / BINS as f64;
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
}
