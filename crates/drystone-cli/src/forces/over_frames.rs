//! How far forces are determined, over the frames of a run.

use std::fmt::Write;

use drystone::measure::frame::{FrameView, MeasureOptions, Nothing};
use drystone::record::{RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone_statics::{AdmissibleForces, Balance, NullSpace};

use super::spread::mean;
use super::{FEW, Forces, intervals, write};
use crate::Failure;
use crate::folder::range;
use crate::progress::counter;
use crate::scenario::print;

impl Forces {
    /// A row for each frame with contacts that press. What is not computed has empty entries.
    pub(super) fn over_frames(&self, folder: &RunFolder, scenario: &AnyScenario, text: &str) -> Result<(), Failure> {
        let numbers = range(folder, text)?;
        let mut table = String::from(
            "frame,time [s],contacts,indeterminacy,indeterminacy_per_contact,determined_share,mean_force [N],\
             mean_interval_width,unbounded_contacts",
        );
        table += if self.solves > 0 { ",spread,undetermined_share\n" } else { "\n" };
        let (bar, mut empty) = (counter("frame", Some(numbers.len() as u64)), Vec::new());
        for number in &numbers {
            match self.row(folder, scenario, *number)? {
                Ok(row) => table += &row,
                Err(nothing) => empty.push((*number, nothing)),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        match empty.as_slice() {
            [] => {}
            [(number, nothing), ..] if empty.len() == numbers.len() => {
                return Err(Failure::Usage(format!("frame {number}: {nothing} [E107]")));
            }
            [(number, nothing), ..] => {
                eprintln!("note: {} of {} frames left out; frame {number}: {nothing}", empty.len(), numbers.len())
            }
        }
        match &self.out {
            Some(out) => write(out, &table),
            None => print(&table),
        }
    }

    fn row(
        &self,
        folder: &RunFolder,
        scenario: &AnyScenario,
        number: usize,
    ) -> Result<Result<String, Nothing>, Failure> {
        let frame =
            frame_files::read(&folder.frames(), number).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
        let (setting, options) = (scenario.setting(), MeasureOptions::default());
        let view = FrameView::whole(&frame, &setting, &options);
        let balance = match Balance::of(&view, self.motion()) {
            Ok(balance) => balance,
            Err(nothing) => return Ok(Err(nothing)),
        };
        let (count, unit) = (balance.contacts.len(), balance.unit);
        let mut row = format!("{number},{},{count}", frame.time);
        let space = NullSpace::of(&balance);
        let _ = match &space {
            Some(space) => {
                let determined = (0..count).filter(|k| space.determines(*k)).count() as f64 / count as f64;
                write!(row, ",{},{},{determined}", space.degree, space.degree as f64 / count as f64)
            }
            None => write!(row, ",,,"),
        };
        let _ = write!(row, ",{unit}");
        if self.intervals || count <= FEW {
            let widths: Vec<f64> = intervals(&AdmissibleForces::of(&balance), &balance, space.as_ref())
                .iter()
                .map(|interval| interval.width() / unit)
                .collect();
            let bounded: Vec<f64> = widths.iter().copied().filter(|width| *width != f64::INFINITY).collect();
            let mean = bounded.iter().sum::<f64>() / bounded.len() as f64;
            let _ = write!(row, ",{mean},{}", widths.len() - bounded.len());
        } else {
            row += ",,";
        }
        if self.solves > 0 {
            match self.settings().ensemble(&view, &balance, space.as_ref()) {
                Ok(ensemble) => row += &format!(",{},{}", mean(&ensemble.deviations), ensemble.undetermined()),
                Err(nothing) => return Ok(Err(nothing)),
            }
        }
        row.push('\n');
        Ok(Ok(row))
    }
}
