//! Where a solve goes: on in one direction, round in a cycle, or away.
//!
//! From one hundred sweeps to the next the change of the impulses keeps its direction where a solve creeps: the cosine
//! of two changes was 0.7 to 0.99 in packings of 400 disks and 216 spheres. In a cycle it was near zero or negative. If
//! no forces solve a step, as when a wall is driven into jammed grains, impulses grow along themselves without end:
//! that is one direction, too, but no momentum should drive it.

use crate::method::cd::solve::System;

/// Sweeps from one look to the next. Windows of 50 sweeps took slow cycles for creeping.
const WINDOW: u64 = 100;
/// Cosine of two changes that follow each other above which a solve creeps: half-way between a straight line and a turn
/// by a right angle.
const CREEPS: f64 = 0.5;
/// Cosine of change and impulses above which these grow along themselves. Packings that creep had 0.87 at most.
const GROWS: f64 = 0.95;

/// The impulses of the last look, and how they have changed since the one before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    at: Vec<f64>,
    change: Vec<f64>,
    now: Vec<f64>,
    /// Of the last two changes; none before there are two.
    cosine: Option<f64>,
    /// Whether the last change was along the impulses.
    grows: bool,
}

impl Course {
    /// Looks at the impulses after this sweep, if it is due.
    pub(super) fn follow(&mut self, system: &dyn System, sweeps: u64) {
        if !sweeps.is_multiple_of(WINDOW) {
            return;
        }
        system.read(&mut self.now);
        if self.at.is_empty() {
            return std::mem::swap(&mut self.at, &mut self.now);
        }
        self.at.iter_mut().zip(&self.now).for_each(|(at, now)| *at = now - *at);
        self.cosine = cosine(&self.at, &self.change);
        self.grows = cosine(&self.at, &self.now).is_some_and(|cosine| cosine > GROWS);
        std::mem::swap(&mut self.change, &mut self.at);
        std::mem::swap(&mut self.at, &mut self.now);
    }

    /// Whether the impulses move on in one direction, which is not their own.
    pub(super) fn creeps(&self) -> bool {
        !self.grows && self.cosine.is_some_and(|cosine| cosine >= CREEPS)
    }
}

/// Cosine of the angle between two vectors; none if one of them is zero, or not known yet.
fn cosine(one: &[f64], other: &[f64]) -> Option<f64> {
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let squares = inner(one, one) * inner(other, other);
    (squares > 0.0).then(|| inner(one, other) / squares.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::cd::accelerate::Relaxation;
    use crate::method::cd::residual::Misfit;
    use crate::method::cd::solve::Increment;

    /// Impulses at a place.
    struct At(Vec<f64>);

    impl System for At {
        fn sweep(&mut self, _: Relaxation) -> Increment {
            Increment::default()
        }
        fn misfit(&self) -> Misfit {
            Misfit::default()
        }
        fn recompute_velocities(&mut self) {}
        fn drop_momentum(&mut self) {}
        fn read(&self, into: &mut Vec<f64>) {
            into.clone_from(&self.0);
        }
        fn write(&mut self, from: &[f64]) {
            self.0 = from.to_vec();
        }
        fn force_change(&self) -> f64 {
            0.0
        }
    }

    /// After so many looks at a path.
    fn follow(looks: u64, path: impl Fn(f64) -> [f64; 2]) -> Course {
        let mut course = Course::default();
        for look in 1..=looks {
            course.follow(&At(path(look as f64).to_vec()), look * WINDOW);
            course.follow(&At(vec![f64::NAN; 2]), look * WINDOW + 1); // not due
        }
        course
    }

    #[test]
    fn a_straight_way_creeps_however_slow_it_gets_and_a_circle_does_not() {
        assert_eq!(follow(2, |k| [k, 1.0]).cosine, None);
        for looks in 3..6 {
            let slower = follow(looks, |k| [1.0 / k, 2.0]);
            assert!((slower.cosine.expect("two changes") - 1.0).abs() < 1e-12 && slower.creeps(), "{slower:?}");
            // two chords of a circle that follow each other turn by its angle
            let angle: f64 = 2.0;
            let round = follow(looks, |k| [(angle * k).cos(), (angle * k).sin()]);
            assert!((round.cosine.expect("two changes") - angle.cos()).abs() < 1e-12 && !round.creeps(), "{round:?}");
        }
        assert_eq!(follow(4, |_| [1.0, 2.0]).cosine, None, "no change has no direction");
    }

    #[test]
    fn impulses_that_grow_along_themselves_do_not_creep() {
        let grown = follow(4, |k| [1.0 + k, 2.0 + 2.1 * k]);
        assert!(grown.cosine.is_some_and(|cosine| cosine > 0.999) && grown.grows && !grown.creeps(), "{grown:?}");
    }
}
