//! How often the series gets a row where the scenario leaves it open: so seldom that recording costs little.

use super::Simulation;
use super::run::Run;
use crate::dim::Dim;
use crate::method::Kind;
use crate::scenario::Scenario;
use crate::scenario::schema::row_spacing::RowSpacing;

/// Part of the steps after which a run whose end is known has a row: a thousand rows resolve what a plot can show.
const ROWS: f64 = 1000.0;

/// Steps between rows, at least. All rows together take less than three percent of the time as long as one costs less
/// than seven steps of soft grains, a third of a step of `dae` and a seventh of a rigid step: `bench/record.sh` measures it.
fn fewest_steps(kind: Kind) -> f64 {
    match kind {
        Kind::Md => 250.0,
        Kind::Cd => 5.0,
        Kind::Dae => 10.0,
        Kind::Ed => 1.0, // its time step is how often somebody wants to look at the gas
    }
}

/// Longest time step of a scenario and its stages [s].
fn longest_step<D: Dim>(scenario: &Scenario<D>) -> Option<f64> {
    let of = |scenario: &Scenario<D>| {
        let method = &scenario.method;
        match method.r#use.value {
            Kind::Cd => method.cd.as_ref().map(|options| options.time_step),
            Kind::Md => method.md.as_ref().map(|options| options.time_step),
            Kind::Dae => method.dae.as_ref().map(|options| options.time_step),
            Kind::Ed => method.ed.as_ref().map(|options| options.time_step),
        }?
        .given()
    };
    let sets = (0..scenario.stage.len()).filter(|stage| scenario.stage[*stage].set.is_some());
    sets.filter_map(|stage| of(&scenario.at_stage(stage))).chain(of(scenario)).reduce(f64::max)
}

/// How often a run of so many steps at most has a row; every frame has one, so that both can be compared.
fn spacing(kind: Kind, dt: f64, steps: Option<f64>, frames: Option<f64>) -> RowSpacing {
    let steps = steps.filter(|steps| steps.is_finite()).map_or(0.0, |steps| (steps / ROWS).ceil());
    let every = steps.max(fewest_steps(kind)) * dt;
    match frames {
        Some(frames) => RowSpacing::Every(frames / (frames / every).floor().max(1.0)),
        None if every == dt => RowSpacing::EveryStep,
        None => RowSpacing::Every(every),
    }
}

impl<D: Dim> Simulation<D> {
    /// Writes an automatic spacing of rows into the scenario, so that a resumed run keeps it.
    pub(super) fn space_rows(&mut self) {
        let kind = self.scenario.method.r#use.value;
        if let (RowSpacing::Auto, Some(dt)) = (self.scenario.output.series_every, longest_step(&self.scenario)) {
            let (steps, frames) = (self.end().map(|end| end / dt), self.scenario.output.frames);
            self.scenario.output.series_every = spacing(kind, dt, steps, frames.map(|every| *every));
            self.rows_are_automatic = true;
        }
    }

    /// The line about an automatic spacing of rows.
    pub(super) fn rows_note(&self) -> Option<String> {
        let every = self.scenario.output.series_every.time().filter(|_| self.rows_are_automatic)?;
        let steps = (every / self.method.time_step()).round();
        Some(format!("the series gets a row every {steps} steps, {every:.3e} s; series_every = \"step\" asks for all"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20,000 steps of a millisecond have a thousand rows, 2,000 steps no more than the method writes at little cost.
    #[test]
    fn a_run_has_a_thousand_rows_unless_these_cost_too_much() {
        assert_eq!(spacing(Kind::Cd, 1e-3, Some(2e4), None), RowSpacing::Every(0.02));
        assert_eq!(spacing(Kind::Md, 1e-3, Some(2e3), None), RowSpacing::Every(0.25));
        assert_eq!(spacing(Kind::Md, 1e-3, Some(5e5), None), RowSpacing::Every(0.5));
        assert_eq!(spacing(Kind::Md, 1e-3, None, None), RowSpacing::Every(0.25));
        assert_eq!(spacing(Kind::Ed, 1e-3, Some(500.0), None), RowSpacing::EveryStep);
        for steps in [1.0, 999.0, 1001.0, 123_456.0, 1e9] {
            for kind in [Kind::Cd, Kind::Md, Kind::Dae, Kind::Ed] {
                let rows = spacing(kind, 1.0, Some(steps), None).time().map_or(steps, |time| (steps / time).floor());
                assert!(rows <= ROWS, "{rows} rows of {steps} steps");
            }
        }
    }

    /// 0.6 s are two rows of 0.25 s and a rest: two rows of 0.3 s end with the frame. Frames every 30 ms bring rows.
    #[test]
    fn every_frame_has_a_row() {
        assert_eq!(spacing(Kind::Md, 1e-3, None, Some(0.6)), RowSpacing::Every(0.3));
        assert_eq!(spacing(Kind::Md, 1e-3, None, Some(0.03)), RowSpacing::Every(0.03));
    }
}
