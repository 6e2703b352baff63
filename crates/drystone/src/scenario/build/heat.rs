//! Random motion of groups of grains at the start.

use crate::dim::{Dim, Vector};
use crate::input::Reader;
use crate::scenario::Scenario;
use crate::scenario::schema::motion::{ALONE, Heat, alone};
use crate::scenario::schema::sizes::PortableRandom;
use crate::world::World;

/// Streams of random numbers for velocities and for angular velocities of groups.
const VELOCITIES: u64 = 1 << 42;
const SPINS: u64 = 1 << 43;

impl<D: Dim> Scenario<D> {
    /// Draws the random motion of groups. `group_of` tells the group of every id from `first` on.
    pub(super) fn heat(&self, world: &mut World<D>, group_of: &[usize], first: u32, reader: &Reader) {
        for (number, group) in self.grains.iter().enumerate() {
            let random = [("velocity", group.random_velocity()), ("spin", group.random_spin())];
            if random.iter().all(|(_, heat)| heat.is_none()) {
                continue;
            }
            let is_of_group = |k: &usize| {
                let place = world.bodies.id[*k].checked_sub(first);
                place.and_then(|place| group_of.get(place as usize)) == Some(&number)
            };
            let mut members: Vec<usize> = world.grains().filter(is_of_group).collect();
            members.sort_by_key(|k| world.bodies.id[*k]);
            if members.len() < 2 {
                for (key, (_, at)) in random.into_iter().filter_map(|(key, heat)| Some((key, heat?))) {
                    reader.mistake::<()>("E015", at, alone(key), ALONE);
                }
                continue;
            }
            if let Some((heat, _)) = group.random_velocity() {
                heat_velocities(world, &members, heat, PortableRandom::new(self.seed, VELOCITIES + number as u64));
            }
            if let Some((heat, _)) = group.random_spin() {
                heat_spins(world, &members, heat, PortableRandom::new(self.seed, SPINS + number as u64));
            }
        }
    }
}

/// Gives grains normally distributed velocities that carry no momentum together.
fn heat_velocities<D: Dim>(world: &mut World<D>, members: &[usize], heat: Heat, mut random: PortableRandom) {
    let masses: Vec<f64> = members.iter().map(|k| world.bodies.inertia[*k].mass()).collect();
    let mut velocities: Vec<D::Vec> = Vec::with_capacity(members.len());
    for mass in &masses {
        let drawn = D::Vec::from_fn(|_| random.normal());
        velocities.push(if let Heat::Temperature(_) = heat { drawn * (1.0 / mass.sqrt()) } else { drawn });
    }
    let total: f64 = masses.iter().sum();
    let stop = |velocities: &mut [D::Vec]| {
        let sum = velocities.iter().zip(&masses).fold(D::Vec::ZERO, |sum, (v, m)| sum + *v * *m);
        velocities.iter_mut().for_each(|v| *v -= sum * (1.0 / total));
    };
    stop(&mut velocities);
    let squares = velocities.iter().zip(&masses);
    let scale = match heat {
        Heat::Rms(speed) => speed / mean(squares.map(|(v, _)| v.norm_squared())).sqrt(),
        Heat::Temperature(energy) => {
            let freedoms = D::Vec::LEN as f64;
            (energy * freedoms / mean(squares.map(|(v, m)| m * v.norm_squared()))).sqrt()
        }
    };
    velocities.iter_mut().for_each(|v| *v = *v * scale);
    stop(&mut velocities); // what the rounding of the first time has left
    members.iter().zip(velocities).for_each(|(k, v)| world.bodies.twist[*k].v = v);
}

/// Gives grains normally distributed angular velocities whose angular momenta add up to zero.
fn heat_spins<D: Dim>(world: &mut World<D>, members: &[usize], heat: Heat, mut random: PortableRandom) {
    let bodies = &world.bodies;
    let turned = |k: usize, inv_i| D::inverse_inertia(bodies.pose[k].q, inv_i);
    // large grains take more of what is to be removed: all of a group are shifted alike if their moments are isotropic
    let shares: Vec<f64> = members.iter().map(|k| 1.0 / mean_component(bodies.inertia[*k].inv_i)).collect();
    let total: f64 = shares.iter().sum();
    let mut spins: Vec<D::Spin> = Vec::with_capacity(members.len());
    for k in members {
        let drawn = D::Spin::from_fn(|_| random.normal());
        let inv_i = bodies.inertia[*k].inv_i;
        let root = D::Moments::from_fn(|axis| inv_i.get(axis).sqrt());
        spins.push(if let Heat::Temperature(_) = heat { D::spin(&turned(*k, root), drawn) } else { drawn });
    }
    let momentum = |k: usize, w: D::Spin| D::angular_momentum(bodies.pose[k].q, bodies.inertia[k].inv_i, w);
    let stop = |spins: &mut [D::Spin]| {
        let sum = members.iter().zip(&*spins).fold(D::Spin::ZERO, |sum, (k, w)| sum + momentum(*k, *w));
        for ((k, w), share) in members.iter().zip(spins).zip(&shares) {
            *w -= D::spin(&turned(*k, bodies.inertia[*k].inv_i), sum * (share / total));
        }
    };
    stop(&mut spins);
    let pairs = members.iter().zip(&spins);
    let scale = match heat {
        Heat::Rms(rate) => rate / mean(pairs.map(|(_, w)| w.norm_squared())).sqrt(),
        Heat::Temperature(energy) => {
            let freedoms = D::Spin::LEN as f64;
            (energy * freedoms / mean(pairs.map(|(k, w)| w.dot(momentum(*k, *w))))).sqrt()
        }
    };
    spins.iter_mut().for_each(|w| *w = *w * scale);
    stop(&mut spins);
    members.iter().zip(spins).for_each(|(k, w)| world.state.bodies.twist[*k].w = w);
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    numbers.sum::<f64>() / count
}

fn mean_component<V: Vector>(vector: V) -> f64 {
    (0..V::LEN).map(|axis| vector.get(axis)).sum::<f64>() / V::LEN as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};

    /// A gas of grains of two sizes that has the given motion.
    fn gas<D: Dim>(shape: &str, velocity: &str, spin: &str) -> World<D> {
        let (low, high) = if D::DIMENSION == 2 { ("[0, 0]", "[1, 1]") } else { ("[0, 0, 0]", "[0.2, 0.2, 0.2]") };
        let text = format!(
            "dimension = {}\nseed = 5\nstop = {{ at = \"1 s\" }}\nmethod.cd.time_step = \"1 ms\"\ngravity = {}
            material = [{{ name = \"sand\", density = 1000 }}]
            contact = [{{ between = [\"sand\", \"sand\"], friction = 0 }}]
            [[grains]]
            material = \"sand\"
            shape = {shape}
            count = 10000
            place = {{ how = \"random\", min = {low}, max = {high} }}
            velocity = {velocity}
            spin = {spin}",
            D::DIMENSION,
            if D::DIMENSION == 2 { "[0, 0]" } else { "[0, 0, 0]" },
        );
        Scenario::<D>::parse(&text).unwrap().build(std::path::Path::new(".")).unwrap()
    }

    fn angular_momentum<D: Dim>(world: &World<D>, k: usize) -> D::Spin {
        let bodies = &world.bodies;
        D::angular_momentum(bodies.pose[k].q, bodies.inertia[k].inv_i, bodies.twist[k].w)
    }

    fn average<D: Dim>(world: &World<D>, of: impl Fn(usize) -> f64) -> f64 {
        world.grains().map(of).sum::<f64>() / world.grains().len() as f64
    }

    /// By the definition of the words: the momenta, and the angular momenta of the spins, cancel.
    fn check_no_momentum<D: Dim>(world: &World<D>) {
        let (bodies, mass) = (&world.bodies, |k: usize| world.bodies.inertia[k].mass());
        let momentum = world.grains().fold(D::Vec::ZERO, |sum, k| sum + bodies.twist[k].v * mass(k));
        let scale: f64 = world.grains().map(|k| bodies.twist[k].v.norm() * mass(k)).sum();
        assert!(momentum.norm() < 1e-15 * scale, "{momentum:?} of {scale}");
        let turning = world.grains().fold(D::Spin::ZERO, |sum, k| sum + angular_momentum(world, k));
        let scale: f64 = world.grains().map(|k| angular_momentum(world, k).norm()).sum();
        assert!(turning.norm() < 1e-15 * scale, "{turning:?} of {scale}");
    }

    /// The root mean square is the one that was asked for. Each direction has its share of the energy, and the fourth
    /// moment is that of a normal distribution, 3; n numbers give these with standard errors sqrt(2 / n) and
    /// sqrt(96 / n), if all have one deviation.
    fn check_thermal<D: Dim>(shape: &str) {
        let world = gas::<D>(shape, "{ thermal = \"3 m/s\" }", "{ thermal = \"7 rad/s\" }");
        check_no_momentum(&world);
        let (twist, n) = (&world.bodies.twist, world.grains().len() as f64);
        let rms = average(&world, |k| twist[k].v.norm_squared()).sqrt();
        assert!((rms - 3.0).abs() < 1e-12, "{rms}");
        let turning = average(&world, |k| twist[k].w.norm_squared()).sqrt();
        assert!((turning - 7.0).abs() < 1e-12, "{turning}");
        for axis in 0..D::DIMENSION {
            let second = average(&world, |k| twist[k].v.get(axis).powi(2));
            let fourth = average(&world, |k| twist[k].v.get(axis).powi(4)) / second.powi(2);
            assert!((fourth - 3.0).abs() < 4.0 * (96.0 / n).sqrt(), "{fourth}");
            let share = second * D::DIMENSION as f64 / 9.0;
            assert!((share - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{share}");
        }
    }

    /// Equipartition: small and large grains have the same mean of m v2 and of I w2 for each degree of freedom.
    fn check_temperature<D: Dim>(shape: &str) {
        let world = gas::<D>(shape, "{ temperature = \"2 mJ\" }", "{ temperature = \"5 uJ\" }");
        check_no_momentum(&world);
        let bodies = &world.bodies;
        let mass = |k: usize| bodies.inertia[k].mass();
        let energy = |k: usize| mass(k) * bodies.twist[k].v.norm_squared() / D::DIMENSION as f64;
        let turning = |k: usize| bodies.twist[k].w.dot(angular_momentum(&world, k)) / D::Spin::LEN as f64;
        assert!((average(&world, energy) / 2e-3 - 1.0).abs() < 1e-12);
        assert!((average(&world, turning) / 5e-6 - 1.0).abs() < 1e-12);
        let middle = average(&world, mass);
        let is_small = |k: &usize| mass(*k) < middle;
        let small: Vec<usize> = world.grains().filter(is_small).collect();
        assert!(small.len() > 1000 && small.len() < 9000, "{} small ones", small.len());
        let n = small.len() as f64;
        let share = small.iter().map(|k| energy(*k)).sum::<f64>() / n / 2e-3;
        assert!((share - 1.0).abs() < 4.0 * (2.0 / (n * D::DIMENSION as f64)).sqrt(), "{share}");
        let share = small.iter().map(|k| turning(*k)).sum::<f64>() / n / 5e-6;
        assert!((share - 1.0).abs() < 4.0 * (2.0 / (n * D::Spin::LEN as f64)).sqrt(), "{share}");
    }

    #[test]
    fn thermal_groups_have_the_moments_of_their_distribution() {
        check_thermal::<D2>("{ kind = \"disk\", radius = { uniform = [\"1 mm\", \"2 mm\"] } }");
        check_thermal::<D3>("{ kind = \"sphere\", radius = { uniform = [\"1 mm\", \"2 mm\"] } }");
        check_thermal::<D3>(
            "{ kind = \"box\", size = [\"1 mm\", \"2 mm\", \"3 mm\"] }\norientation = { random = true }",
        );
    }

    #[test]
    fn a_temperature_is_shared_by_all_sizes() {
        check_temperature::<D2>("{ kind = \"disk\", radius = { uniform = [\"1 mm\", \"2 mm\"] } }");
        check_temperature::<D3>(
            "{ kind = \"dimer\", radius = { uniform = [\"1 mm\", \"2 mm\"] } }\norientation = { random = true }",
        );
    }
}
