//! The energy that a gas of rigid grains loses under a scheme without rebounds.

use std::f64::consts::PI;

use crate::dim::{Dim, Vector};
use crate::measure::solid_fraction::solid_fraction;
use crate::method::Alarm;
use crate::method::cd::{COOLING, CdOptions, Scheme};
use crate::world::World;

/// Smallest share of the kinetic energy whose wrong loss is reported.
const WORTH: f64 = 0.01;

/// Share of the kinetic energy that remains after a number of collisions per grain, if each keeps the share `kept` of
/// the energy of approach: Haff's law, T = T_0 / (1 + t / tau)^2 with 1 / tau = (1 - e^2) omega_0 / (2 d).
fn left<D: Dim>(collisions: f64, kept: f64) -> f64 {
    let spent = (1.0 - kept) * collisions / (2.0 * D::DIMENSION as f64);
    (1.0 + spent).powi(-2)
}

/// Speed of the grains against their mean motion, sqrt of the mean of |v - V|^2 / d weighted by mass [m/s].
fn thermal_speed<D: Dim>(world: &World<D>, grains: &[usize]) -> f64 {
    let bodies = &world.bodies;
    let mass = |k: usize| bodies.inertia[k].mass();
    let all: f64 = grains.iter().map(|k| mass(*k)).sum();
    let momentum = grains.iter().fold(D::Vec::ZERO, |sum, k| sum + bodies.twist[*k].v * mass(*k));
    let mean = momentum * (1.0 / all);
    let square: f64 = grains.iter().map(|k| (bodies.twist[*k].v - mean).norm_squared() * mass(*k)).sum();
    (square / (all * D::DIMENSION as f64)).sqrt()
}

/// Enskog's rate of collisions of a grain, omega_0, times its diameter over the thermal speed, in a gas of packing
/// fraction `phi`.
fn rate<D: Dim>(phi: f64) -> f64 {
    let (factor, near) = match D::DIMENSION {
        2 => (8.0, (1.0 - 7.0 / 16.0 * phi) / (1.0 - phi).powi(2)),
        _ => (24.0, (1.0 - 0.5 * phi) / (1.0 - phi).powi(3)),
    };
    factor / PI.sqrt() * phi * near
}

/// Collisions of a grain in a second, if the free grains were a gas of their packing fraction and thermal speed: Enskog's
/// rate omega_0; zero with fewer than two grains.
pub fn collision_rate<D: Dim>(world: &World<D>) -> f64 {
    let grains: Vec<usize> = world.free_grains().collect();
    if grains.len() < 2 {
        return 0.0;
    }
    rate::<D>(solid_fraction(world)) * thermal_speed(world, &grains) / mean_diameter(world, &grains)
}

fn mean_diameter<D: Dim>(world: &World<D>, grains: &[usize]) -> f64 {
    let radii: f64 = grains.iter().map(|k| world.bodies.shape[*k].radius()).sum();
    2.0 * radii / grains.len() as f64
}

/// Reports the share of its kinetic energy that a gas will lose under the scheme "euler" by the end of the run, and the
/// share that restitution alone would take.
///
/// The scheme first closes the gap. Round grains that do not meet head-on slide along each other during that step, so
/// their contact opens again by (u_t dt)^2 / 2 r and never bounces: restitution acts as zero, whatever its value.
pub(super) fn cooling<D: Dim>(world: &World<D>, options: &CdOptions, until: f64) -> Option<Alarm> {
    let grains: Vec<usize> = world.free_grains().collect();
    if options.scheme != Scheme::Euler
        || world.gravity != D::Vec::ZERO
        || world.setup.tilt.is_some()
        || !world.setup.loads.is_empty()
        || grains.len() < 2
    {
        return None;
    }
    let speed = thermal_speed(world, &grains);
    let mut count = vec![0.0; world.setup.laws.materials()];
    grains.iter().for_each(|k| count[world.bodies.material[*k] as usize] += 1.0 / grains.len() as f64);
    let of_pair = |a: usize, b: usize| {
        let e = world.setup.laws.between(a as u16, b as u16).restitution.normal(speed);
        count[a] * count[b] * e * e
    };
    let asked: f64 =
        (0..count.len()).flat_map(|a| (0..count.len()).map(move |b| (a, b))).map(|(a, b)| of_pair(a, b)).sum();
    let collisions = collision_rate(world) * (until - world.clock.time);
    let (lost, meant) = (1.0 - left::<D>(collisions, 0.0), 1.0 - left::<D>(collisions, asked));
    let message = format!(
        "a gas: until {until} s a grain meets others about {collisions:.1} times, and without a bounce, as scheme = \"euler\" has it, about \
         {:.0} % of the kinetic energy is lost; with restitution it would be {:.0} %: write scheme = \"midpoint\" in [method.cd]",
        100.0 * lost,
        100.0 * meant.abs() // rounding may leave it below zero
    );
    (lost - meant > WORTH).then_some(Alarm { code: COOLING, message, size: lost })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};

    /// 1 / tau = (1 - e^2) omega_0 / (2 d) is 0.025310 for disks that fill a tenth and 0.024380 for spheres that fill a
    /// twentieth, with e = 0.9: the numbers of the validation case of Haff's law.
    #[test]
    fn a_gas_cools_as_haff_says() {
        assert!((rate::<D2>(0.1) * 0.19 / 4.0 - 0.025_310).abs() < 1e-5, "{}", rate::<D2>(0.1));
        assert!((rate::<D3>(0.05) * 0.19 / 6.0 - 0.024_380).abs() < 1e-5, "{}", rate::<D3>(0.05));
        assert_eq!(left::<D2>(10.0, 1.0), 1.0);
        assert!((left::<D2>(4.0, 0.0) - 0.25).abs() < 1e-15 && (left::<D3>(6.0, 0.0) - 0.25).abs() < 1e-15);
    }
}
