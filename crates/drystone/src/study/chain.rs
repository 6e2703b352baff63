//! A row of equal grains that touch: forces diffuse through it from sweep to sweep, and too few sweeps make it elastic.
//!
//! Lengths are in grain diameters d, times in steps dt, masses in grain masses m. [Brendel section 1.6 and 1.7]

use std::f64::consts::PI;

use glam::DVec2;

use super::trace::{normal_impulses, trace};
use crate::body::Inertia;
use crate::contact::ContactMemory;
use crate::dim::D2;
use crate::law::{Laws, Pair};
use crate::method::cd::{Accelerator, CdOptions, ContactDynamics, Order};
use crate::method::{Method, StepError};
use crate::shape::{Round, Shape};
use crate::world::World;

/// Applied force [m d/dt2]: so small that grains move by a small fraction of their diameter in a study. The chain is
/// linear, so the size of the force does not matter otherwise.
const PUSH: f64 = 1e-4;

/// A chain along x, without friction.
#[derive(Debug)]
pub struct Chain {
    world: World<D2>,
    method: ContactDynamics<D2>,
}

impl Chain {
    /// A chain of so many grains. Neighbours overlap by this fraction of the diameter.
    pub fn new(grains: usize, overlap: f64, options: CdOptions) -> Chain {
        let laws = Laws::new(1, |_, _| Pair::with_friction(0.0));
        let mut world = World::<D2>::new(laws);
        let round = Round { radius: 0.5 };
        for k in 0..grains {
            let x = DVec2::new(k as f64 * (1.0 - overlap), 0.0);
            world.bodies.push(x, Inertia::isotropic(1.0, round.moment::<D2>(1.0)), Shape::Round(round), 0, k as u32);
        }
        Chain { world, method: ContactDynamics::new(options) }
    }

    /// Sets the forces of the contacts, from the left, with which the next step starts.
    fn load(&mut self, force: impl Fn(usize) -> f64) -> Result<(), StepError> {
        let travel = vec![0.0; self.world.bodies.len()];
        let reach = 1e-3; // of the diameter: neighbours touch, others are a diameter away
        self.world.sense(&travel, |_, _| reach).map_err(|pair| StepError::coincident(&self.world, pair))?;
        let network = &mut self.world.network;
        for (k, (contact, memory)) in network.contacts.iter().zip(&mut network.memory).enumerate() {
            *memory = ContactMemory { impulse: contact.normal * force(k), ..ContactMemory::default() };
        }
        Ok(())
    }

    /// Pushes the first grain to the right and the last to the left, for one step.
    fn push(&mut self, first: f64, last: f64) {
        let twist = &mut self.world.bodies.twist;
        let end = twist.len() - 1;
        twist[0].v.x += first;
        twist[end].v.x -= last;
    }

    fn step(&mut self) -> Result<(), StepError> {
        self.method.step(&mut self.world).map(|_| ())
    }

    /// Velocities of the grains [d/dt].
    fn velocities(&self) -> impl Iterator<Item = f64> {
        self.world.bodies.twist.iter().map(|twist| twist.v.x)
    }

    /// Makes the sweeps of one step, until `look` returns false; it gets the number of each sweep and all normal forces
    /// after it.
    fn sweep(&mut self, mut look: impl FnMut(u64, &[f64]) -> bool) -> Result<(), StepError> {
        let grains = self.method.prepare_step(&mut self.world)?;
        trace(grains, Accelerator::None, |sweeps, grains| look(sweeps, &normal_impulses(grains)));
        Ok(())
    }
}

/// Plain sweeps in an order, steps of length 1.
fn plain(order: Order) -> CdOptions {
    CdOptions { order, accelerator: Accelerator::None, ..CdOptions::with_time_step(1.0) }
}

/// A fixed number of sweeps a step, in random order.
fn elastic(sweeps: u64) -> CdOptions {
    CdOptions { fixed_sweeps: Some(sweeps), ..plain(Order::RandomSweep) }
}

/// Amplitudes of the slowest sine mode of the contact forces, sweep by sweep, in a chain with free ends.
pub fn relaxation(contacts: usize, order: Order, sweeps: u64) -> Result<Vec<f64>, StepError> {
    let mode: Vec<f64> = (1..=contacts).map(|k| (PI * k as f64 / (contacts + 1) as f64).sin()).collect();
    let norm: f64 = mode.iter().map(|x| x * x).sum();
    let mut chain = Chain::new(contacts + 1, 0.0, plain(order));
    chain.load(|k| PUSH * mode[k])?;
    let mut amplitudes = vec![1.0];
    chain.sweep(|done, forces| {
        let along: f64 = forces.iter().zip(&mode).map(|(force, x)| force * x).sum();
        amplitudes.push(along / (norm * PUSH));
        done < sweeps
    })?;
    Ok(amplitudes)
}

/// q of the diffusion of forces, D = q N_I d^2/dt: the slowest mode decays by q (pi/(N+1))^2 a sweep. [Brendel eq.
/// 1.33]
///
/// The rate is fitted to the last two thirds of the sweeps.
pub fn diffusion_factor(contacts: usize, amplitudes: &[f64]) -> f64 {
    let (from, to) = (amplitudes.len() / 3, amplitudes.len() - 1);
    let rate = (amplitudes[from] / amplitudes[to]).ln() / (to - from) as f64;
    rate / (PI / (contacts + 1) as f64).powi(2)
}

/// Sweeps, from zero forces, until all contacts between two end forces F carry F up to the relative error `error`.
/// Expected: ln(4/(pi error)) ((N+1)/pi)^2 / q. [Brendel eq. 1.34]
pub fn sweeps_to_balance(contacts: usize, order: Order, error: f64) -> Result<u64, StepError> {
    let mut chain = Chain::new(contacts + 1, 0.0, plain(order));
    chain.push(PUSH, PUSH);
    let mut needed = 0;
    chain.sweep(|sweeps, forces| {
        needed = sweeps;
        forces.iter().any(|force| (force - PUSH).abs() >= error * PUSH)
    })?;
    Ok(needed)
}

/// A front that runs through a chain whose first grain is pushed with a constant force.
#[derive(Clone, Debug)]
pub struct Front {
    /// Grain and time at which it reached half of the velocity behind the front [dt].
    pub arrivals: Vec<(usize, f64)>,
    /// Velocities at the end, over the velocity F d/(m c) that is expected behind the front.
    pub profile: Vec<f64>,
    /// Speed between the grains 20 and 90 [d/dt].
    pub speed: f64,
}

/// Follows the front of a push through 120 grains, with so many sweeps per step. Expected: c = (d/dt) sqrt(q N_I).
pub fn front(sweeps: u64, q: f64) -> Result<Front, StepError> {
    let count = 120;
    let expected = (q * sweeps as f64).sqrt();
    let behind = PUSH / expected;
    let mut chain = Chain::new(count, 0.0, elastic(sweeps));
    let mut before = vec![0.0; count];
    let mut arrivals: Vec<(usize, f64)> = Vec::new();
    let steps = (1.3 * count as f64 / expected) as usize + 10;
    for step in 1..=steps {
        chain.push(PUSH, 0.0);
        chain.step()?;
        let now: Vec<f64> = chain.velocities().collect();
        while let Some(grain) = Some(arrivals.len()).filter(|grain| *grain < count && now[*grain] > 0.5 * behind) {
            let part = (0.5 * behind - before[grain]) / (now[grain] - before[grain]);
            arrivals.push((grain, (step - 1) as f64 + part));
        }
        before = now;
    }
    let speed = match (arrivals.get(20), arrivals.get(90)) {
        (Some(near), Some(far)) => (far.0 - near.0) as f64 / (far.1 - near.1),
        _ => f64::NAN, // the front did not reach this grain
    };
    Ok(Front { arrivals, profile: before.iter().map(|v| v / behind).collect(), speed })
}

/// A standing wave: frequency and damping of the slowest mode.
#[derive(Clone, Debug)]
pub struct Wave {
    /// Amplitude after every step over the first one.
    pub amplitudes: Vec<f64>,
    /// Angular frequency [1/dt].
    pub frequency: f64,
    /// Damping rate [1/dt].
    pub damping: f64,
}

/// Frequency and damping that are expected: s^2 + D k^2 s + D k^2/dt = 0 with D = q N_I d^2/dt, k = pi/(N d).
pub fn expected_wave(grains: usize, sweeps: u64, q: f64) -> (f64, f64) {
    let k = PI / grains as f64;
    let d = q * sweeps as f64;
    let damping = 0.5 * d * k * k;
    ((d * k * k - damping * damping).sqrt(), damping)
}

/// A standing wave in the slowest mode of a chain between two end forces, with so many sweeps per step.
pub fn standing_wave(grains: usize, sweeps: u64, q: f64) -> Result<Wave, StepError> {
    const OVERLAP: f64 = 0.05; // gaps stay closed: the wave is linear
    const AMPLITUDE: f64 = 1e-4; // relative to the velocity that the end force gives a grain in a step
    let mode: Vec<f64> = slowest_mode(grains).collect();
    let norm: f64 = mode.iter().map(|x| x * x).sum();
    let mut chain = Chain::new(grains, OVERLAP, elastic(sweeps));
    chain.load(|_| PUSH)?;
    for (twist, x) in chain.world.bodies.twist.iter_mut().zip(&mode) {
        twist.v.x = PUSH * AMPLITUDE * x;
    }
    let (frequency, damping) = expected_wave(grains, sweeps, q);
    let period = 2.0 * PI / frequency;
    let steps = (3.0 * period).min(4.0 / damping) as usize;
    let mut amplitudes = Vec::new();
    for _ in 0..steps {
        chain.push(PUSH, PUSH);
        chain.step()?;
        let along: f64 = chain.velocities().zip(&mode).map(|(v, x)| v * x).sum();
        amplitudes.push(along / (norm * PUSH * AMPLITUDE));
    }
    let (frequency, damping) = ringing(&amplitudes, (period / 6.0).max(1.0) as usize);
    Ok(Wave { amplitudes, frequency, damping })
}

/// A chain with an initial overlap between end forces that are switched on at once. Random orders are drawn from the
/// seed.
#[derive(Clone, Copy, Debug)]
pub struct Pressed {
    /// Number of grains.
    pub grains: usize,
    /// Overlap of neighbours at the start over the diameter.
    pub overlap: f64,
    /// Sweeps a step.
    pub sweeps: u64,
    /// Seed of the orders.
    pub seed: u64,
}

/// Response of such a chain.
#[derive(Clone, Copy, Debug)]
pub struct Response {
    /// Angular frequency of the slowest mode [1/dt].
    pub frequency: f64,
    /// Its damping rate [1/dt].
    pub damping: f64,
    /// Speed of the two fronts between a twelfth and a third of the chain [grains/dt]; meaningful only if the chain is
    /// much longer than the width of a front, sqrt(q N_I) grains.
    pub front: f64,
    /// Sweeps of a step: fewest and most.
    pub sweeps: [u64; 2],
    /// Smallest force of a contact after the first step, over the end forces.
    pub least_force: f64,
}

impl Pressed {
    /// Increases the end forces by half in one step, so that fronts run in from both ends while all contacts stay
    /// closed, and follows the slowest mode over three periods.
    pub fn respond(&self, q: f64) -> Result<Response, StepError> {
        let count = self.grains;
        let mut chain = Chain::new(count, self.overlap, elastic(self.sweeps));
        chain.world.setup.seed = self.seed;
        chain.load(|_| PUSH)?;
        let (frequency, damping) = expected_wave(count, self.sweeps, q);
        let period = 2.0 * PI / frequency;
        let behind = 0.5 * PUSH / (q * self.sweeps as f64).sqrt();
        let (mut before, mut arrivals) = (vec![0.0_f64; count], vec![None; count]);
        let mut response =
            Response { frequency, damping, front: 0.0, sweeps: [u64::MAX, 0], least_force: f64::INFINITY };
        let mut amplitudes = Vec::new();
        for step in 0..(3.0 * period).min(4.0 / damping) as usize {
            chain.push(1.5 * PUSH, 1.5 * PUSH);
            let report = chain.method.step(&mut chain.world)?;
            response.sweeps = [response.sweeps[0].min(report.sweeps), response.sweeps[1].max(report.sweeps)];
            let forces = chain.world.network.memory.iter().map(|memory| memory.impulse.length() / PUSH);
            response.least_force = forces.fold(response.least_force, f64::min);
            let now: Vec<f64> = chain.velocities().collect();
            amplitudes.push(slowest_mode(count).zip(&now).map(|(x, v)| x * v).sum());
            for (k, arrival) in arrivals.iter_mut().enumerate().filter(|(_, arrival)| arrival.is_none()) {
                if now[k].abs() > 0.5 * behind {
                    let part = (0.5 * behind - before[k].abs()) / (now[k].abs() - before[k].abs());
                    *arrival = Some(step as f64 + part);
                }
            }
            before = now;
        }
        let way = count / 12..=count / 3;
        let time =
            |k: usize| arrivals[k].zip(arrivals[count - 1 - k]).map_or(f64::NAN, |(one, other)| 0.5 * (one + other));
        response.front = (way.end() - way.start()) as f64 / (time(*way.end()) - time(*way.start()));
        (response.frequency, response.damping) = ringing(&amplitudes, (period / 6.0).max(1.0) as usize);
        Ok(response)
    }
}

/// Velocities of the slowest mode of a chain with free ends.
fn slowest_mode(grains: usize) -> impl Iterator<Item = f64> {
    (0..grains).map(move |k| (PI * (k as f64 + 0.5) / grains as f64).cos())
}

/// Angular frequency and damping of y = exp(-G t) cos(w t + p): the best a, b of y(t+s) = a y(t) + b y(t-s), which are
/// a = 2 exp(-G s) cos(w s) and b = -exp(-2 G s). A lag s of a sixth of the period keeps noise out.
fn ringing(y: &[f64], lag: usize) -> (f64, f64) {
    let (mut xx, mut xz, mut zz, mut xy, mut zy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for t in lag..y.len() - lag {
        let (next, now, last) = (y[t + lag], y[t], y[t - lag]);
        (xx, xz, zz) = (xx + now * now, xz + now * last, zz + last * last);
        (xy, zy) = (xy + now * next, zy + last * next);
    }
    let det = xx * zz - xz * xz;
    let (a, b) = ((xy * zz - zy * xz) / det, (zy * xx - xy * xz) / det);
    let lag = lag as f64;
    let decay = (-b).sqrt();
    ((a / (2.0 * decay)).acos() / lag, -decay.ln() / lag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pure_tone_is_heard() {
        let y: Vec<f64> = (0..60).map(|t| (-0.04 * f64::from(t)).exp() * (0.29 * f64::from(t) + 0.4).cos()).collect();
        let (frequency, damping) = ringing(&y, 4);
        assert!((frequency - 0.29).abs() < 1e-12 && (damping - 0.04).abs() < 1e-12);
    }

    #[test]
    fn a_contact_between_two_pushes_is_solved_at_once() {
        // m_eff (2 F dt) = F dt
        assert_eq!(sweeps_to_balance(1, Order::Fixed, 1e-12).unwrap(), 1);
    }
}
