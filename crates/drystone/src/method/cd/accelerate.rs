//! Capped Nesterov momentum on the Gauss-Seidel sweep, restarted when the increment rises.
//!
//! The numbers below are ratios, chosen on beds of 1,000 to 100,000 spheres; the book's page on the solver tells how.

use super::Accelerator;
use super::sweep::Increment;
use crate::body::Twist;
use crate::dim::Dim;

const CAP_START: f64 = 0.90;
const CAP_MIN: f64 = 0.50;
const CAP_MAX: f64 = 0.97;
/// A sweep that changes more than this times the least change so far (squared) restarts the momentum.
const RISE: f64 = 2.0;
/// How the distance of the cap from one shrinks when progress is slow, grows after a rise, and after a stall.
const UP: f64 = 0.85;
const DOWN: f64 = 1.30;
const STALL_DOWN: f64 = 2.0;
/// Progress between two checks is slow if the residual is above this part of the one before.
const SLOW: f64 = 0.25;
/// Sweeps without a rise after which the cap may go up.
const CLEAN: u64 = 20;
/// Sweeps without a gain of `GAIN` after which the cap is lowered.
const STALL: u64 = 400;
const GAIN: f64 = 0.7;

/// The state of the accelerator during one solve.
#[derive(Clone, Copy, Debug)]
pub struct Momentum {
    kind: Accelerator,
    /// Part of the last change that is added before the next sweep.
    pub beta: f64,
    t: f64,
    cap: f64,
    least: f64,
    clean: u64,
    sweeps: u64,
    last: f64,
    best: (f64, u64),
}

impl Momentum {
    /// At the start of a solve: no momentum.
    pub fn new(kind: Accelerator) -> Momentum {
        Momentum {
            kind,
            beta: 0.0,
            t: 1.0,
            cap: CAP_START,
            least: f64::INFINITY,
            clean: 0,
            sweeps: 0,
            last: f64::INFINITY,
            best: (f64::INFINITY, 0),
        }
    }

    /// Moves the twists on by `beta` times their last change; the sweep does the same with the impulses.
    pub fn extrapolate<D: Dim>(&self, twist: &mut [Twist<D>], previous: &mut [Twist<D>]) {
        for (now, before) in twist.iter_mut().zip(previous) {
            let here = *now;
            now.v += (here.v - before.v) * self.beta;
            now.w += (here.w - before.w) * self.beta;
            *before = here;
        }
    }

    /// Learns from a sweep, and from the residual where it was looked at.
    pub fn adapt(&mut self, increment: Increment, residual: Option<f64>) {
        if self.kind == Accelerator::None {
            return;
        }
        self.sweeps += 1;
        self.clean += 1;
        if let Some(residual) = residual {
            if self.clean >= CLEAN && residual > SLOW * self.last {
                self.cap = CAP_MAX.min(1.0 - (1.0 - self.cap) * UP);
            }
            self.last = residual;
            if residual < GAIN * self.best.0 {
                self.best = (residual, self.sweeps);
            } else if self.sweeps - self.best.1 >= STALL {
                self.best.1 = self.sweeps;
                return self.restart(STALL_DOWN);
            }
        }
        if increment.squared > RISE * self.least {
            self.restart(DOWN);
        } else if increment.along < 0.0 {
            (self.t, self.beta, self.least) = (1.0, 0.0, f64::INFINITY);
        } else {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * self.t * self.t).sqrt());
            self.beta = self.cap.min((self.t - 1.0) / next);
            self.t = next;
            self.least = self.least.min(increment.squared);
        }
    }

    /// Drops the momentum and lowers the cap.
    fn restart(&mut self, widen: f64) {
        self.cap = CAP_MIN.max(1.0 - (1.0 - self.cap) * widen);
        (self.t, self.beta, self.least, self.clean) = (1.0, 0.0, f64::INFINITY, 0);
    }
}
