//! Soft forces averaged over times and lengths until they match rigid ones. [Radjai and Richefeu, section 6]
//!
//! A step of rigid grains gives the mean of forces over that step; what is faster is filtered out. So the stress field
//! of another method, averaged over a window before the end and over the width of a Gaussian, is compared with that of
//! the first method in its last frame. The window with the least distance is the time over which the first method
//! averages, as far as its packing is the same; where the distance does not fall, forces differ and do not fluctuate.

use drystone::method::Kind;

use super::cases::Plan;
use super::fields::{Content, Field, FieldGrid};
use super::outcome::Outcome;
use super::report::Figure;
use super::statistics::Mean;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Widths of the Gaussian in mean diameters.
const WIDTHS: [f64; 3] = [1.0, 2.0, 4.0];
/// Frames of a run, and runs of a method, that are looked at.
const FRAMES: usize = 12;
const RUNS: usize = 3;
/// Frames that a window needs to grow at all.
const FEWEST: usize = 3;

/// Distances of a method from the first one, for one width.
pub(super) struct Averaging {
    pub method: Kind,
    /// Width of the Gaussian in mean diameters.
    pub width: f64,
    pub windows: Vec<Window>,
}

/// A window before the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    /// Its length [s]; zero is the last frame alone.
    pub time: f64,
    /// Distance of the stress averaged over it from that of the last frame of the first method.
    pub to_frame: f64,
    /// The same if the first method is averaged over it, too.
    pub to_mean: f64,
}

impl Averaging {
    /// The window of best agreement with the last frame of the first method.
    pub(super) fn best(&self) -> Window {
        let shorter = |a: &Window, b: &Window| if b.to_frame < a.to_frame { *b } else { *a };
        self.windows[1..].iter().fold(self.windows[0], |best, window| shorter(&best, window))
    }
}

/// The study for every method but the first; empty if runs have too few frames in their last stage, or no stress.
pub(super) fn study(plan: &Plan, outcomes: &[Outcome]) -> Result<Vec<Averaging>, Failure> {
    let mut found = Vec::new();
    for width in WIDTHS {
        let Some(grid) = FieldGrid::around(outcomes, width)? else { return Ok(Vec::new()) };
        for method in &plan.methods[1..] {
            let windows = windows(plan, outcomes, *method, &grid)?;
            if !windows.is_empty() {
                found.push(Averaging { method: *method, width, windows });
            }
        }
    }
    Ok(found)
}

/// Means over the seeds of the distances, for all windows.
fn windows(plan: &Plan, outcomes: &[Outcome], method: Kind, grid: &FieldGrid) -> Result<Vec<Window>, Failure> {
    let find = |method: Kind, seed: u64| outcomes.iter().find(|o| o.case.method == method && o.case.seed == seed);
    let mut of_seeds: Vec<Vec<Window>> = Vec::new();
    for seed in plan.seeds.iter().take(RUNS) {
        let (Some(first), Some(other)) = (find(plan.methods[0], *seed), find(method, *seed)) else { continue };
        let (rigid, soft) = (stresses(first, grid)?, stresses(other, grid)?);
        let count = rigid.len().min(soft.len());
        if count < FEWEST {
            return Ok(Vec::new());
        }
        let window = |k: usize| {
            let mean = |stresses: &[Stress]| Field::mean(stresses[..=k].iter().map(|stress| &stress.field));
            let (soft_mean, rigid_mean) = (mean(&soft)?, mean(&rigid)?);
            Some(Window {
                time: soft[0].time - soft[k].time,
                to_frame: soft_mean.distance(&rigid[0].field)?,
                to_mean: soft_mean.distance(&rigid_mean)?,
            })
        };
        of_seeds.extend((0..count).map(window).collect::<Option<Vec<Window>>>());
    }
    let count = of_seeds.iter().map(Vec::len).min().unwrap_or(0);
    let mean = |k: usize, of: &dyn Fn(&Window) -> f64| {
        let values: Vec<f64> = of_seeds.iter().map(|windows| of(&windows[k])).collect();
        Mean::of(&values).map_or(f64::NAN, |mean| mean.value)
    };
    let window = |k: usize| Window {
        time: mean(k, &|window| window.time),
        to_frame: mean(k, &|window| window.to_frame),
        to_mean: mean(k, &|window| window.to_mean),
    };
    Ok((0..count).map(window).collect())
}

/// A stress field and its time [s].
struct Stress {
    time: f64,
    field: Field,
}

/// Stress fields of some frames of the last stage, the last one first, at equal distances.
fn stresses(outcome: &Outcome, grid: &FieldGrid) -> Result<Vec<Stress>, Failure> {
    let frames: Vec<_> = outcome.last_frames().collect();
    let stride = frames.len().div_ceil(FRAMES).max(1);
    let mut found = Vec::new();
    for note in frames.into_iter().rev().step_by(stride) {
        let Some(field) = grid.of(&outcome.frame(note.number)?, outcome, Content::Stress) else { continue };
        found.push(Stress { time: note.time, field });
    }
    Ok(found)
}

/// Distance over the length of the window, a curve for each width.
pub(super) fn figures(plan: &Plan, found: &[Averaging]) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for method in &plan.methods[1..] {
        let own: Vec<&Averaging> = found.iter().filter(|averaging| averaging.method == *method).collect();
        if own.is_empty() {
            continue;
        }
        let mut plot = Plot::new("", Axis::linear("Averaging time (s)"), Axis::linear("Distance of the stress fields"));
        for averaging in own {
            let curve = |of: fn(&Window) -> f64| averaging.windows.iter().map(|w| (w.time, of(w))).collect::<Vec<_>>();
            plot.curve(format!("width {} d", averaging.width), Hand::Line, curve(|window| window.to_frame));
            plot.again("", Hand::Dashes, curve(|window| window.to_mean));
        }
        let (name, first) = (method.name(), plan.methods[0].name());
        let caption = format!(
            "Stress of {name} averaged over a window before the end, against {first}: its last frame (lines), and its mean \
             over the same window (dashes); d is the mean diameter"
        );
        figures.push(Figure::drawn(format!("averaging-{name}"), caption, &plot)?);
    }
    Ok(figures)
}
