//! Discharge.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Mass and number of the grains whose centre is below a level (`--below y=0`), and the rates at which they grew since
/// the frame before. The first frame has no rate: it is not a number.
pub(crate) struct Discharge;

/// Mass [kg] and number of the grains below the level.
fn passed(view: &FrameView, axis: usize, level: f64) -> [f64; 2] {
    let grains = &view.frame.grains;
    let below = (0..grains.id.len()).filter(|k| view.is_free(*k) && grains.position[*k][axis] < level);
    below.fold([0.0; 2], |[mass, count], k| [mass + grains.mass[k], count + 1.0])
}

impl FrameMeasure for Discharge {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        [("passed_mass", "kg"), ("passed_grains", "1"), ("mass_rate", "kg/s"), ("grain_rate", "1/s")]
            .map(|(name, unit)| Column::new(name, unit))
            .into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let Some((axis, level)) = view.options.below else {
            return Err(Nothing::Lacks("a discharge takes the level that grains pass, as in --below y=0".into()));
        };
        let now = passed(view, axis, level);
        let rate = |k: usize| match view.before {
            Some(before) => {
                let then = passed(&FrameView { frame: before, ..*view }, axis, level);
                (now[k] - then[k]) / (view.frame.time - before.time)
            }
            None => f64::NAN,
        };
        Ok(vec![vec![now[0], now[1], rate(0), rate(1)]])
    }

    fn is_row(&self) -> bool {
        false
    }

    fn is_curve(&self) -> bool {
        false
    }
}
