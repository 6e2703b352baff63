//! How a group of grains moves at the start: the same for all, or at random.

use serde_json::Value as Json;

use crate::dim::{Dim, Vector};
use crate::input::quantity::{AngularVelocity, Speed, Velocity};
use crate::input::value::wrong_type;
use crate::input::{Node, Raw, Reader, Span, Value};
use crate::list::list;
use crate::scenario::Scenario;
use crate::scenario::schema::grains::GrainGroup;
use crate::scenario::schema::sizes::PortableRandom;
use crate::world::World;

list! {
    /// Velocity of grains at the start: the same for all, or at random.
    pub enum InitialVelocity<D> by key or Constant(Velocity<D>) {
        /// Normally distributed in every direction, with this root mean square of the speeds over the group, and no
        /// total momentum.
        "thermal" => Thermal(Speed),
    }
}

list! {
    /// Angular velocity of grains at the start: the same for all, or at random.
    pub enum InitialSpin<D> by key or Constant(SpinVector<D>) {
        /// Normally distributed about every axis, with this root mean square over the group, and zero mean.
        "thermal" => Thermal(AngularVelocity),
    }
}

/// An angular velocity [rad/s]: a number in the plane, positive if counter-clockwise; three components in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinVector<D: Dim>(pub D::Spin);

impl<D: Dim> Value for SpinVector<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let is_list = matches!(node.value, Raw::Array(_));
        if D::DIMENSION == 2 && is_list {
            let message = format!("`{}` is one number in the plane: grains turn about z", node.path);
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        if D::DIMENSION == 2 {
            return AngularVelocity::read(node, reader).map(|spin| SpinVector(D::Spin::from_fn(|_| *spin)));
        }
        if !is_list {
            return wrong_type(node, reader, "a list", &Self::example());
        }
        let parts: Vec<_> = node.items().iter().map(|item| AngularVelocity::read_part(item, reader)).collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        if parts.len() != D::Spin::LEN {
            let message = format!("`{}` has {} components instead of {}", node.path, parts.len(), D::Spin::LEN);
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        Some(SpinVector(D::Spin::from_fn(|axis| *parts[axis])))
    }
    fn write(&self) -> toml::Value {
        match D::Spin::LEN {
            1 => self.0.get(0).into(),
            parts => toml::Value::Array((0..parts).map(|axis| self.0.get(axis).into()).collect()),
        }
    }
    fn schema() -> Json {
        let number = AngularVelocity::schema();
        match D::Spin::LEN {
            1 => number,
            parts => serde_json::json!({"type": "array", "items": number, "minItems": parts, "maxItems": parts}),
        }
    }
    fn example() -> String {
        if D::DIMENSION == 2 { "\"10 rad/s\"".into() } else { "[0, 0, \"10 rad/s\"]".into() }
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        (0..D::Spin::LEN).for_each(|axis| check(self.0.get(axis)));
    }
}

/// Streams of random numbers for velocities and for angular velocities of groups.
const VELOCITIES: u64 = 1 << 42;
const SPINS: u64 = 1 << 43;

impl<D: Dim> GrainGroup<D> {
    /// Root mean square of random velocities [m/s], and where it stands.
    fn thermal_velocity(&self) -> Option<(f64, &Span)> {
        let velocity = self.velocity.as_ref()?;
        match &velocity.value {
            InitialVelocity::Thermal(speed) => Some((**speed, &velocity.at)),
            InitialVelocity::Constant(_) => None,
        }
    }

    /// Root mean square of random angular velocities [rad/s], and where it stands.
    fn thermal_spin(&self) -> Option<(f64, &Span)> {
        let spin = self.spin.as_ref()?;
        match &spin.value {
            InitialSpin::Thermal(rate) => Some((**rate, &spin.at)),
            InitialSpin::Constant(_) => None,
        }
    }

    /// Notes motions that the grains cannot have.
    pub(in crate::scenario) fn check_motion(&self, reader: &Reader) {
        let refuse = |at: &Span, message: &str, help: &str| reader.mistake::<()>("E015", at, message, help);
        if let (Some(spin), true) = (&self.spin, self.fixed || !self.rotates) {
            let message = "grains that cannot turn have no `spin`";
            refuse(&spin.at, message, "leave `spin` out, or `fixed` and rotates = false");
        }
        let thermal = [("velocity", self.thermal_velocity()), ("spin", self.thermal_spin())];
        for (key, (rms, at)) in thermal.into_iter().filter_map(|(key, thermal)| Some((key, thermal?))) {
            if rms <= 0.0 {
                let message = format!("the root mean square of a thermal `{key}` must be more than 0");
                reader.mistake::<()>("E007", at, message, format!("leave `{key}` out for grains at rest"));
            } else if self.pour.is_some() {
                let message =
                    format!("grains that are poured have no thermal `{key}`: their mean is not known beforehand");
                refuse(at, &message, "give them all the same, or place them at the start");
            } else if self.fixed && key == "velocity" {
                refuse(at, "grains that are fixed have no thermal `velocity`", "leave one of the two out");
            } else if self.count == Some(1) {
                refuse(at, &alone(key), "give the grain its own value, or take more grains");
            }
        }
    }
}

/// What is said of one grain that is to move at random.
fn alone(key: &str) -> String {
    format!("one grain has no thermal `{key}`: without its mean nothing is left")
}

impl<D: Dim> Scenario<D> {
    /// Draws the random motion of groups. `group_of` tells the group of every id from `first` on.
    pub(in crate::scenario) fn heat(&self, world: &mut World<D>, group_of: &[usize], first: u32, reader: &Reader) {
        for (number, group) in self.grains.iter().enumerate() {
            let (velocity, spin) = (group.thermal_velocity(), group.thermal_spin());
            if velocity.is_none() && spin.is_none() {
                continue;
            }
            let is_of_group = |k: &usize| {
                let place = world.bodies.id[*k].checked_sub(first);
                place.and_then(|place| group_of.get(place as usize)) == Some(&number)
            };
            let mut members: Vec<usize> = world.grains().filter(is_of_group).collect();
            members.sort_by_key(|k| world.bodies.id[*k]);
            for (key, at) in [("velocity", velocity.map(|(_, at)| at)), ("spin", spin.map(|(_, at)| at))] {
                if let (Some(at), true) = (at, members.len() < 2) {
                    reader.mistake::<()>("E015", at, alone(key), "give the grain its own value, or take more grains");
                }
            }
            if members.len() < 2 {
                continue;
            }
            if let Some((speed, _)) = velocity {
                let weights: Vec<f64> = members.iter().map(|k| world.bodies.inertia[*k].mass()).collect();
                let drawn =
                    drawn::<D::Vec>(&mut PortableRandom::new(self.seed, VELOCITIES + number as u64), &weights, speed);
                members.iter().zip(drawn).for_each(|(k, v)| world.bodies.twist[*k].v = v);
            }
            if let Some((rate, _)) = spin {
                let weights = vec![1.0; members.len()];
                let drawn =
                    drawn::<D::Spin>(&mut PortableRandom::new(self.seed, SPINS + number as u64), &weights, rate);
                members.iter().zip(drawn).for_each(|(k, w)| world.bodies.twist[*k].w = w);
            }
        }
    }
}

/// Normally distributed vectors whose weighted sum is zero and whose root mean square is `rms`.
fn drawn<V: Vector>(random: &mut PortableRandom, weights: &[f64], rms: f64) -> Vec<V> {
    let mut vectors: Vec<V> = weights.iter().map(|_| V::from_fn(|_| random.normal())).collect();
    let total: f64 = weights.iter().sum();
    let sum = vectors.iter().zip(weights).fold(V::ZERO, |sum, (v, weight)| sum + *v * *weight);
    let mean = sum * (1.0 / total);
    vectors.iter_mut().for_each(|v| *v -= mean);
    let square = vectors.iter().map(|v| v.norm_squared()).sum::<f64>() / vectors.len() as f64;
    let scale = rms / square.sqrt();
    vectors.iter().map(|v| *v * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};

    /// A gas of grains of different sizes: by the definition of the word, no total momentum and the rms that was asked
    /// for; a normal distribution has the fourth moment 3, with the standard error sqrt(96 / n) for n numbers.
    fn check_gas<D: Dim>(dimension: &str, shape: &str, corners: [&str; 2]) {
        let text = format!(
            "{dimension}\nseed = 5\nstop = {{ at = \"1 s\" }}\nmethod.cd.time_step = \"1 ms\"
            material = [{{ name = \"sand\", density = 1000 }}]
            contact = [{{ between = [\"sand\", \"sand\"], friction = 0 }}]
            [[grains]]
            material = \"sand\"
            shape = {{ kind = \"{shape}\", radius = {{ uniform = [\"1 mm\", \"2 mm\"] }} }}
            count = 10000
            place = {{ how = \"random\", min = {}, max = {} }}
            velocity = {{ thermal = \"3 m/s\" }}
            spin = {{ thermal = \"7 rad/s\" }}",
            corners[0], corners[1]
        );
        let world = Scenario::<D>::parse(&text).unwrap().build(std::path::Path::new(".")).unwrap();
        let bodies = &world.bodies;
        let n = bodies.len() as f64;
        let mass = |k: usize| bodies.inertia[k].mass();
        let momentum = world.grains().fold(D::Vec::ZERO, |sum, k| sum + bodies.twist[k].v * mass(k));
        let scale: f64 = world.grains().map(|k| bodies.twist[k].v.norm() * mass(k)).sum();
        assert!(momentum.norm() < 1e-12 * scale, "{momentum:?}");
        let square = |f: &dyn Fn(usize) -> f64| world.grains().map(f).sum::<f64>() / n;
        let rms = square(&|k| bodies.twist[k].v.norm_squared()).sqrt();
        assert!((rms - 3.0).abs() < 1e-12, "{rms}");
        let turning = square(&|k| bodies.twist[k].w.norm_squared()).sqrt();
        assert!((turning - 7.0).abs() < 1e-12, "{turning}");
        let spins = world.grains().fold(D::Spin::ZERO, |sum, k| sum + bodies.twist[k].w);
        assert!(spins.norm() < 1e-9 * n, "{spins:?}");
        let second = square(&|k| bodies.twist[k].v.get(0).powi(2));
        let fourth = square(&|k| bodies.twist[k].v.get(0).powi(4)) / second.powi(2);
        assert!((fourth - 3.0).abs() < 4.0 * (96.0 / n).sqrt(), "{fourth}");
        let share = second * D::DIMENSION as f64 / 9.0;
        assert!((share - 1.0).abs() < 0.06, "directions share the energy: {share}");
    }

    /// A free grain keeps its angular velocity: after 0.1 s at 20 rad/s it has turned by 2 rad.
    #[test]
    fn a_grain_turns_as_it_was_told() {
        let text = |dimension: &str, method: &str, grain: &str| {
            format!(
                "{dimension}\nstop = {{ at = \"0.1 s\" }}\nmethod = {method}
                material = [{{ name = \"sand\", density = 1000 }}]
                [[contact]]
                between = [\"sand\", \"sand\"]
                md.normal = {{ law = \"hooke\", stiffness = \"1e5 N/m\", restitution = 0.5 }}
                [[grains]]
                material = \"sand\"\n{grain}"
            )
        };
        for method in ["{ cd = { time_step = 1e-3 } }", "{ use = \"md\", md = { time_step = 1e-4 } }"] {
            let grain =
                "shape = { kind = \"disk\", radius = 0.1 }\nplace = { how = \"at\", points = [[0, 0]] }\nspin = -20";
            let scenario = Scenario::<D2>::parse(&text("dimension = 2\ngravity = [0, 0]", method, grain)).unwrap();
            let again = Scenario::<D2>::parse(&scenario.to_toml()).unwrap();
            let mut run = crate::sim::Simulation::new(&again).unwrap();
            run.run().unwrap();
            let angle = run.world().bodies.pose[0].q;
            assert!((D2::rot_numbers(angle)[0] + 2.0).abs() < 1e-12, "{method}: {angle:?}");
            let grain = "shape = { kind = \"sphere\", radius = 0.1 }\nplace = { how = \"at\", points = [[0, 0, 0]] }\nspin = [0, \"20 rad/s\", 0]";
            let scenario = Scenario::<D3>::parse(&text("dimension = 3\ngravity = [0, 0, 0]", method, grain)).unwrap();
            let again = Scenario::<D3>::parse(&scenario.to_toml()).unwrap();
            let mut run = crate::sim::Simulation::new(&again).unwrap();
            run.run().unwrap();
            let q = D3::quaternion(run.world().bodies.pose[0].q);
            assert!((q[1].abs() - 1f64.sin()).abs() < 1e-12, "{method}: {q:?}");
        }
    }

    #[test]
    fn a_thermal_group_has_no_momentum_and_the_rms_that_was_asked_for() {
        check_gas::<D2>("dimension = 2\ngravity = [0, 0]", "disk", ["[0, 0]", "[1, 1]"]);
        check_gas::<D3>("dimension = 3\ngravity = [0, 0, 0]", "sphere", ["[0, 0, 0]", "[0.2, 0.2, 0.2]"]);
    }
}
