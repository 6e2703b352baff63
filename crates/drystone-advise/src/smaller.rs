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

#[cfg(test)]
mod tests {
    use drystone::dim::D2;

    use super::*;

    fn gas(counts: [u64; 2]) -> Scenario<D2> {
        let groups = counts.map(|count| {
            format!(
                "[[grains]]\nmaterial = \"m\"\nshape = {{ kind = \"disk\", radius = 0.001 }}\ncount = {count}\n\
                 place = {{ how = \"random\", min = [0, 0], max = [1, 1] }}\n"
            )
        });
        let text = format!(
            "dimension = 2\ngravity = [0, 0]\n[[material]]\nname = \"m\"\ndensity = 1000\n\
             [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0\n{}\
             [method.cd]\ntime_step = \"1 ms\"\n[stop]\nat = \"1 s\"\n",
            groups.concat()
        );
        Scenario::parse(&text).unwrap_or_else(|mistakes| panic!("{mistakes}"))
    }

    /// 20,000 grains are four times 5,000, and every group gets its quarter.
    #[test]
    fn every_group_of_a_large_scenario_gets_fewer_grains() {
        let copy = smaller_copy(&gas([16_000, 4_000]));
        assert_eq!(copy.larger, 4.0);
        assert_eq!(copy.scenario.grains.iter().map(|group| group.count).collect::<Vec<_>>(), [Some(4000), Some(1000)]);
    }

    #[test]
    fn a_small_scenario_stays_as_it_is() {
        let copy = smaller_copy(&gas([3_000, 1_000]));
        assert_eq!((copy.larger, copy.scenario.grains[0].count), (1.0, Some(3000)));
    }
}
