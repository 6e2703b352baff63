//! Computing time to the end of a run, from trials. [Brendel et al. eq. 1.35 to 1.37]

use crate::trial::Trial;

/// Part of the trials, from the last one back, whose mean pace holds for the time that the walk did not reach.
const LATE: f64 = 0.25;

/// What a method costs to the end of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Computing time on one core [s].
    pub seconds: f64,
    /// Steps.
    pub steps: f64,
    /// Contacts solved in all sweeps of all steps.
    pub solved: f64,
    /// Part of the run that no trial saw.
    pub unseen: f64,
}

/// Sums the trials up to the end of a run: between two trials the pace changes linearly; after the last one it stays what
/// it was in the last quarter of them. `reached` is how far the walk came [s].
///
/// # Panics
/// Without a trial.
pub fn cost(trials: &[Trial], reached: f64, end: f64) -> Cost {
    let pace = |value: &dyn Fn(&Trial) -> f64| {
        let between =
            trials.windows(2).map(|pair| 0.5 * (value(&pair[0]) + value(&pair[1])) * (pair[1].time - pair[0].time));
        let late = &trials[trials.len() - ((LATE * trials.len() as f64).ceil() as usize).max(1)..];
        let mean = late.iter().map(value).sum::<f64>() / late.len() as f64;
        let last = trials.last().expect("a trial").time;
        between.sum::<f64>() + mean * (end - last).max(0.0)
    };
    Cost {
        seconds: pace(&|trial| trial.pace()),
        steps: pace(&|trial| 1.0 / trial.dt),
        solved: pace(&|trial| trial.solved / trial.dt),
        unseen: ((end - reached) / end).clamp(0.0, 1.0),
    }
}

impl Cost {
    /// The cost with more grains, as a ratio. A soft step grows with them; of rigid grains also the number of sweeps, by
    /// the power 1/d with momentum: half of that of eq. 1.34, as the study `cost` measures.
    pub(crate) fn with_grains(self, larger: f64, sweeps_power: f64) -> Cost {
        let factor = larger.powf(1.0 + sweeps_power);
        Cost { seconds: self.seconds * factor, solved: self.solved * factor, ..self }
    }
}

/// Number of grains at which rigid and soft grains cost the same, if they cost `rigid` and `soft` seconds with `grains`:
/// T_rigid / T_soft grows with N^(1/d). [Brendel et al. eq. 1.37, with the sweeps of momentum]
pub fn grains_of_equal_cost(grains: f64, rigid: f64, soft: f64, dimension: usize) -> f64 {
    grains * (soft / rigid).powi(dimension as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(time: f64, dt: f64, seconds: f64) -> Trial {
        Trial { time, dt, steps: 10, seconds, contacts: 4.0, solved: 8.0, ..Trial::default() }
    }

    /// The pace rises from 1 to 3 in two seconds: 4 s of computing time; six seconds more at 3 are 18 s.
    #[test]
    fn paces_are_summed_as_trapezia() {
        let trials = [trial(0.0, 0.01, 0.01), trial(2.0, 0.01, 0.03)];
        let found = cost(&trials, 2.0, 8.0);
        assert!((found.seconds - 22.0).abs() < 1e-9, "{found:?}");
        assert!((found.steps - 800.0).abs() < 1e-9 && (found.solved - 6400.0).abs() < 1e-9);
        assert_eq!(found.unseen, 0.75);
        assert_eq!(cost(&trials, 2.0, 2.0).unseen, 0.0);
    }

    /// Half a step costs as much as before, so that twice as many steps cost twice the time. [eq. 1.36]
    #[test]
    fn four_times_the_stiffness_costs_twice_the_time() {
        let one = cost(&[trial(0.0, 2e-6, 1e-4)], 0.0, 0.1);
        let other = cost(&[trial(0.0, 1e-6, 1e-4)], 0.0, 0.1);
        assert!((other.seconds / one.seconds - 2.0).abs() < 1e-12);
    }

    /// 1000 disks, soft ones ten times as expensive: N^(1/2) makes up for ten at a hundred times the grains; spheres
    /// need a thousand times.
    #[test]
    fn rigid_grains_lose_their_advantage_with_their_number() {
        assert!((grains_of_equal_cost(1000.0, 1.0, 10.0, 2) / 1e5 - 1.0).abs() < 1e-12);
        assert!((grains_of_equal_cost(1000.0, 1.0, 10.0, 3) / 1e6 - 1.0).abs() < 1e-12);
    }
}
