//! What records of accelerations do to their walls, reported before the run.

use super::Simulation;
use crate::dim::Dim;
use crate::drive::RecordEnds;

impl<D: Dim> Simulation<D> {
    /// A line for each wall that a record of accelerations moves: how it ends, and how its rows compare with time
    /// steps.
    pub(super) fn record_notes(&self) -> Vec<String> {
        let dt = self.method.time_step();
        let own = self.scenario.wall.iter().map(|wall| (&wall.name.value, &wall.drive));
        let staged =
            self.scenario.stage.iter().flat_map(|stage| stage.drive.0.iter().map(|(name, d)| (&name.value, d)));
        own.chain(staged).filter_map(|(name, drive)| Some(line(name, &drive.record()?, dt))).collect()
    }
}

fn line(wall: &str, record: &RecordEnds, dt: f64) -> String {
    let RecordEnds { end, spacing, velocity, displacement } = record;
    // twelve digits: the last ones of a difference of times are rounding
    let end: f64 = format!("{end:.11e}").parse().unwrap_or(*end);
    let rows = match spacing / dt {
        steps if steps >= 1.0 => format!("a row every {steps:.1} time steps"),
        steps => format!("{:.1} rows in a time step, of which their mean acts", 1.0 / steps),
    };
    format!(
        "the record that moves \"{wall}\" lasts {end} s, {rows}; at its end the wall has {velocity:.2e} m/s and is \
         {displacement:.2e} m from where it began (`baseline` takes such a drift away)"
    )
}
