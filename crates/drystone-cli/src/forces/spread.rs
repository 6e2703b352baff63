//! How much forces differ from one member of an ensemble to the next.

use drystone::measure::frame::{FrameView, Nothing};
use drystone::method::cd::stored::Goal;
use drystone::method::cd::{Accelerator, Accuracy, Solver};
use drystone_statics::{Balance, FrameStep, Interval, Member, NullSpace};
use rayon::prelude::*;

use crate::progress::counter;

/// Sweeps after which a solve is given up.
const MAX_SWEEPS: u64 = 100_000;
/// Bins of the distribution of the spread.
const BINS: usize = 20;

/// How often the step is solved, and how exactly.
#[derive(Clone, Copy)]
pub(super) struct Solves {
    pub(super) count: u64,
    pub(super) accuracy: Accuracy,
}

/// Spread of the normal forces: standard deviation of each over the members, in units of the mean force of the frame.
pub(super) struct Spread {
    pub(super) deviations: Vec<f64>,
}

impl Spread {
    /// Of forces by unknown.
    pub(super) fn of(balance: &Balance, members: &[Vec<f64>]) -> Spread {
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
    /// Number of the first unknown of every contact.
    firsts: Vec<usize>,
    pub(super) spread: Spread,
    /// Part of the spread that is a self-stress; the whole where self-stresses are not known.
    self_stress: Vec<f64>,
    error: SolveError,
}

/// What the solves leave open of the force of each contact, over the mean force.
enum SolveError {
    /// What they differ by although balance determines it.
    Measured(Vec<f64>),
    /// The largest doubling test of the solves: self-stresses are not known.
    Estimated(f64),
}

impl SolveError {
    fn of(&self, contact: usize) -> f64 {
        match self {
            SolveError::Measured(errors) => errors[contact],
            SolveError::Estimated(error) => *error,
        }
    }
}

impl Ensemble {
    pub(super) const COLUMNS: &str =
        ",lowest_of_solves [N],highest_of_solves [N],deviation_of_solves [N],error_of_solves [N]";

    /// Solves the step of a frame so many times.
    pub(super) fn of(
        view: &FrameView,
        balance: &Balance,
        space: Option<&NullSpace>,
        settings: Solves,
    ) -> Result<Ensemble, Nothing> {
        let step = FrameStep::of(view, balance)?;
        let goal = Goal {
            limits: settings.accuracy.limits(),
            solver: Solver::Sweeps,
            accelerator: Accelerator::Momentum,
            max_sweeps: MAX_SWEEPS,
        };
        let bar = counter("solve", Some(settings.count));
        let solved = (0..settings.count).into_par_iter().map(|seed| {
            let member = step.solve(seed, goal);
            bar.inc(1);
            member
        });
        let members = solved.collect::<Result<Vec<Member>, Nothing>>();
        bar.finish_and_clear();
        let members = members?;
        let firsts: Vec<usize> = balance.contacts.iter().map(|contact| contact.first).collect();
        let all: Vec<Vec<f64>> = members.iter().map(|member| member.forces.clone()).collect();
        let spread = Spread::of(balance, &all);
        let (self_stress, error) = match space {
            Some(space) => {
                let changes = all.iter().map(|forces| difference(forces, &balance.forces));
                let parts: Vec<[Vec<f64>; 2]> = changes
                    .map(|change| {
                        let part = space.part_of(&change);
                        let rest = difference(&change, &part);
                        [part, rest]
                    })
                    .collect();
                let part = |first: &usize| deviation(parts.iter().map(|[part, _]| part[*first]));
                let rest = |first: &usize| parts.iter().map(|[_, rest]| rest[*first].abs()).fold(0.0, f64::max);
                let errors = firsts.iter().map(rest).collect();
                (firsts.iter().map(part).collect(), SolveError::Measured(errors))
            }
            None => {
                let estimate = members.iter().map(|member| member.residual.max(member.force_error)).fold(0.0, f64::max);
                (spread.deviations.clone(), SolveError::Estimated(estimate))
            }
        };
        Ok(Ensemble { members, firsts, spread, self_stress, error })
    }

    fn is_undetermined(&self, contact: usize) -> bool {
        self.self_stress[contact] > self.error.of(contact)
    }

    /// Share of the contacts whose force spreads by more than the error of the solves.
    pub(super) fn undetermined(&self) -> f64 {
        let count = self.firsts.len();
        (0..count).filter(|contact| self.is_undetermined(*contact)).count() as f64 / count as f64
    }

    pub(super) fn summary(&self) -> Vec<(String, String)> {
        let residual = self.members.iter().map(|member| member.residual).fold(0.0, f64::max);
        let mut solves = format!("{} of the same step, largest residual {residual:.1e}", self.members.len());
        let failed = self.members.iter().filter(|member| !member.converged).count();
        if failed > 0 {
            solves += &format!("; {failed} NOT converged after {MAX_SWEEPS} sweeps");
        }
        let widest = self.spread.deviations.iter().copied().fold(0.0, f64::max);
        let spread =
            format!("{:.2e} of the mean force, mean over the contacts, at most {widest:.2e}", self.spread.mean());
        let error = match &self.error {
            SolveError::Measured(errors) => {
                let mean = errors.iter().sum::<f64>() / errors.len() as f64;
                format!("{mean:.1e} of the mean force, mean over the contacts: what is no self-stress")
            }
            SolveError::Estimated(error) => {
                format!(
                    "{error:.1e} of the mean force by the doubling test, which can be too small: self-stresses are not known"
                )
            }
        };
        let share = format!("{:.0} % of the contacts differ by more than that error", 100.0 * self.undetermined());
        [("solves", solves), ("spread of solves", spread), ("error of solves", error), ("undetermined", share)]
            .map(|(name, text)| (name.to_string(), text))
            .into()
    }

    /// Where the forces of all members lie in the intervals of the contacts [N].
    pub(super) fn place(&self, intervals: &[Interval], unit: f64) -> String {
        let outside = |member: &Member| {
            let beyond = self.firsts.iter().zip(intervals).map(|(first, interval)| {
                let force = member.forces[*first] * unit;
                (interval.low - force).max(force - interval.high) / unit
            });
            beyond.fold(0.0, f64::max)
        };
        let worst = self.members.iter().map(outside).fold(0.0, f64::max);
        format!("forces of all solves are within their intervals, or beyond by {worst:.1e} of the mean force at most")
    }

    /// The entries of a contact in the table.
    pub(super) fn entries(&self, contact: usize, unit: f64) -> String {
        let forces = self.members.iter().map(|member| member.forces[self.firsts[contact]] * unit);
        let (low, high) = (forces.clone().fold(f64::INFINITY, f64::min), forces.fold(f64::NEG_INFINITY, f64::max));
        format!(",{low},{high},{},{}", self.spread.deviations[contact] * unit, self.error.of(contact) * unit)
    }

    /// Probability density of the spread over the contacts, as a table.
    pub(super) fn distribution(&self) -> Result<String, String> {
        let deviations = &self.spread.deviations;
        if !(0..deviations.len()).any(|contact| self.is_undetermined(contact)) {
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
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
