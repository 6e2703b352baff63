//! A copy of a scenario with fewer grains.

use drystone::dim::Dim;
use drystone::scenario::Scenario;

/// Grains beyond which trial steps are made with a copy: a step of that many takes some milliseconds, so that a few
/// hundred of them can be tried in a second.
pub(crate) const LARGE: usize = 5000;

/// A scenario to try steps with, and how many grains it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Copy<D: Dim> {
    pub scenario: Scenario<D>,
    /// Grains of the scenario over those of the copy.
    pub larger: f64,
}

/// The scenario itself if it is not large. Otherwise groups that state how many grains they have, get fewer of them.
/// Groups without a count stay as they are: there may be nothing to make smaller.
pub(crate) fn smaller_copy<D: Dim>(scenario: &Scenario<D>) -> Copy<D> {
    let all: f64 = scenario.grains.iter().map(|group| group.asked_for()).sum();
    let counted: u64 = scenario.grains.iter().filter_map(|group| group.count).sum();
    let others = all - counted as f64;
    let mut copy = Copy { scenario: scenario.clone(), larger: 1.0 };
    if all <= LARGE as f64 || counted == 0 {
        return copy;
    }
    let kept = (LARGE as f64 - others).max(0.1 * LARGE as f64) / counted as f64;
    if kept >= 1.0 {
        return copy;
    }
    for count in copy.scenario.grains.iter_mut().filter_map(|group| group.count.as_mut()) {
        *count = ((*count as f64 * kept).ceil() as u64).max(1);
    }
    let left: f64 = copy.scenario.grains.iter().map(|group| group.asked_for()).sum();
    copy.larger = all / left;
    copy
}
