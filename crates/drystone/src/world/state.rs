//! The state: what a step changes, and what a checkpoint holds.

use crate::body::Bodies;
use crate::cell::Cell;
use crate::contact::Network;
use crate::dim::Dim;

/// How far the simulation has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time [s].
    pub time: f64,
    /// Number of steps made.
    pub step: u64,
    /// Where steps of the present length began.
    pub(crate) base: ClockBase,
}

/// The moment since which steps have the same length. Times are computed as multiples of the length from here: sums
/// would accumulate rounding errors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ClockBase {
    /// Time then [s].
    pub time: f64,
    /// Number of steps made by then.
    pub step: u64,
    /// Length of the steps since then [s].
    pub length: f64,
    /// The same as a fraction.
    fraction: [f64; 2],
}

impl ClockBase {
    /// Steps of a length, from a time and a number of steps on.
    pub(crate) fn new(time: f64, step: u64, length: f64) -> ClockBase {
        ClockBase { time, step, length, fraction: fraction(length) }
    }

    fn time_after(&self, step: u64) -> f64 {
        let [above, below] = self.fraction;
        self.time + step.saturating_sub(self.step) as f64 * above / below
    }
}

/// A length as a fraction of short numbers, if it is one: 0.3 ms is 3 / 10,000, and 7 such steps are 21 / 10,000,
/// rounded once; 7 times the floating-point number nearest to 0.3 ms may round to another one. Powers of two, as scaled
/// units bring them, change nothing.
fn fraction(length: f64) -> [f64; 2] {
    const LOW_BITS: u64 = (1 << 20) - 1;
    let numerators = (1..100).step_by(2).map(f64::from);
    let short = numerators.map(|above| [above, above / length]).find(|[_, below]| below.to_bits() & LOW_BITS == 0);
    short.unwrap_or([length, 1.0])
}

impl Clock {
    /// The clock at a time and a number of steps.
    pub fn at(time: f64, step: u64) -> Clock {
        Clock { time, step, base: ClockBase::new(time, step, 0.0) }
    }

    /// The clock after another step of this length.
    pub fn after(self, dt: f64) -> Clock {
        let is_same = self.base.length == dt && self.base.time_after(self.step) == self.time;
        let base = if is_same { self.base } else { ClockBase::new(self.time, self.step, dt) };
        Clock { time: base.time_after(self.step + 1), step: self.step + 1, base }
    }
}

/// Energy that left or entered through contacts since the start [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Taken out by contacts.
    pub dissipated: f64,
    /// Put in by moving walls.
    pub wall_work: f64,
    /// Stored in soft contacts, or in grains that deform, now.
    pub elastic: f64,
    /// Energy taken in by soft contacts along the normal, across it, and by rolling: the part that is not stored is
    /// dissipated.
    pub taken: [f64; 3],
}

/// Collisions since the start, of event-driven dynamics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Collisions {
    /// How many.
    pub all: u64,
    /// Those that were elastic because they followed another one too soon.
    pub elastic: u64,
    /// Sum of normal impulse times distance of the centres, of collisions between grains [J s].
    pub virial: f64,
}

/// Everything that a run with a given setup needs to continue with the same bits.
#[derive(Clone, Debug, Default)]
pub struct State<D: Dim> {
    /// Time and number of steps.
    pub clock: Clock,
    /// Acceleration that acts on every grain [m/s2]; on ground that tilts, its mean over the last step.
    pub gravity: D::Vec,
    /// Walls and grains. Grains that leave a periodic cell keep their own positions and velocities.
    pub bodies: Bodies<D>,
    /// The periodic cell, if there is one.
    pub cell: Option<Cell<D>>,
    /// Contacts. Soft methods report them on request only: read them by [`World::network`](super::World::network).
    pub(crate) network: Network<D>,
    /// Energy that went through contacts: read it by [`World::ledger`](super::World::ledger).
    pub(crate) ledger: Ledger,
    /// Collisions, if the method counts them.
    pub collisions: Collisions,
    /// The numbers that the method carries from step to step besides poses and twists: the same number for each body,
    /// or none.
    pub carried: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_multiplies_and_does_not_add() {
        let mut clock = Clock::default();
        let mut sum = 0.0;
        for _ in 0..3688 {
            clock = clock.after(2.5e-4);
            sum += 2.5e-4;
        }
        assert_eq!((clock.time, clock.step), (0.922, 3688));
        assert_ne!(sum, 0.922, "a sum gathers rounding");
        assert_ne!(3.0 * 0.1, 0.3, "and so does a product");
        for (length, per_second) in
            [("0.0005", 2000.0), ("0.0003", 10_000.0 / 3.0), ("0.1", 10.0), ("0.00002", 50_000.0)]
        {
            let mut clock = Clock::default();
            for step in 1..5000 {
                clock = clock.after(length.parse().unwrap());
                let written = format!("{:.7}", f64::from(step) / per_second);
                assert_eq!(clock.time, written.parse::<f64>().unwrap(), "{step} steps of {length} s");
            }
        }
        let from = clock.time;
        (0..10).for_each(|_| clock = clock.after(1e-3));
        assert_eq!((clock.time, clock.step), (from + 10.0 * 1e-3, 3698), "another length counts from where it began");
        clock.time = 5.0; // set by a program
        assert_eq!(clock.after(1e-3).time, 5.0 + 1e-3);
    }
}
