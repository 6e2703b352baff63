//! When periodic output is due.

/// A schedule in simulated time: due at the start, and then at equal intervals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// Time between two outputs [s]; zero: every step.
    every: f64,
}

impl Schedule {
    /// Due every `every` seconds; `None`: every step.
    pub(crate) fn every(every: Option<f64>) -> Schedule {
        Schedule { every: every.unwrap_or(0.0) }
    }

    /// Whether the next output is due after a step of length `dt` that ended at `time`, if `made` were written so far.
    ///
    /// It is due at the step nearest to its time, so that rounding of the clock does not move it.
    pub(crate) fn is_due(&self, made: u64, time: f64, dt: f64) -> bool {
        time + 0.5 * dt >= made as f64 * self.every
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_of_the_clock_neither_drops_nor_doubles() {
        let schedule = Schedule::every(Some(0.01));
        let (mut time, mut made) = (0.0, 1);
        for _ in 0..10_000 {
            time += 0.001;
            if schedule.is_due(made, time, 0.001) {
                made += 1;
            }
        }
        assert_eq!(made, 1001);
        assert!(Schedule::every(None).is_due(77, 1e-9, 1e-3));
    }
}
