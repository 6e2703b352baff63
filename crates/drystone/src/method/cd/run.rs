//! A run: neighbouring units and the seams between them, which one thread sweeps.

use std::ops::Range;

use super::accelerate::Push;
use super::deal::Unit;
use super::line::Line;
use super::sweep::Increment;
use crate::dim::Dim;
use crate::lane::{Four, InLanes, Lanes, in_lanes};

/// Units in their order, the seams between them, and their bodies.
pub struct Run<'a, D: Dim> {
    /// The units; seam k lies between the units k and k + 1.
    pub inside: &'a mut [Unit<D>],
    /// The seams between these units.
    pub seams: &'a mut [Unit<D>],
    /// V of their bodies.
    pub lines: &'a mut [Line<D>],
    /// V of their bodies before the last sweep.
    pub previous: &'a mut [Line<D>],
}

/// Which unit a run begins with. It changes nothing but what is still near when it is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Way {
    /// With the first.
    #[default]
    Up,
    /// With the last.
    Down,
}

impl Way {
    /// The other way.
    pub fn back(self) -> Way {
        match self {
            Way::Up => Way::Down,
            Way::Down => Way::Up,
        }
    }
}

impl<D: Dim> Run<'_, D> {
    /// One sweep. A seam is swept as soon as both of its units are, when their bodies are still near; the units that follow
    /// share no body with it. Returns what changes in the units, then in the seams.
    pub fn sweep(mut self, push: Push, way: Way) -> Vec<Increment> {
        let count = self.inside.len();
        let mut increments = vec![Increment::default(); count + self.seams.len()];
        for step in 0..count {
            let (unit, seam) = match way {
                Way::Up => (step, step.checked_sub(1)),
                Way::Down => (count - 1 - step, (step > 0).then(|| count - 1 - step)),
            };
            increments[unit] = self.sweep_inside(unit, push);
            if let Some(seam) = seam {
                increments[count + seam] = self.sweep_seam(seam, push);
            }
        }
        increments
    }

    fn sweep_inside(&mut self, unit: usize, push: Push) -> Increment {
        let reach = self.reach(&self.inside[unit]);
        let (lines, previous) = (&mut self.lines[reach.clone()], &mut self.previous[reach]);
        in_lanes(Extrapolate(lines, previous, push.beta));
        self.inside[unit].sweep(lines, push)
    }

    fn sweep_seam(&mut self, seam: usize, push: Push) -> Increment {
        let reach = self.reach(&self.seams[seam]);
        self.seams[seam].sweep(&mut self.lines[reach], push)
    }

    /// Lines of a unit, counted from those of the run.
    fn reach(&self, unit: &Unit<D>) -> Range<usize> {
        let from = self.inside[0].lines.start;
        unit.lines.start - from..unit.lines.end - from
    }
}

/// Moves bodies on by a part of the last change of their motion, before a sweep reaches them.
pub struct Extrapolate<'a, D: Dim>(pub &'a mut [Line<D>], pub &'a mut [Line<D>], pub f64);

impl<D: Dim> InLanes for Extrapolate<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        let beta = Four::splat(lanes, self.2);
        self.0.iter_mut().zip(self.1).for_each(|(line, before)| line.extrapolate(before, beta, lanes));
    }
}
