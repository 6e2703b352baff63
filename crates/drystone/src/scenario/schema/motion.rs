//! How a group of grains moves at the start: the same for all, or at random.

use crate::dim::Dim;
use crate::input::quantity::{AngularVelocity, AxialVector, Energy, Speed, Velocity};
use crate::input::{Reader, Span};
use crate::list::list;
use crate::scenario::schema::grains::GrainGroup;

list! {
    /// Velocity of grains at the start: the same for all, or at random.
    pub enum InitialVelocity<D> by key or Constant(Velocity<D>) {
        /// Normally distributed in every direction, with this root mean square of the speeds over the group, whatever
        /// the masses. The total momentum is zero.
        "thermal" => Thermal(Speed),
        /// Normally distributed in every direction, heavy grains slower: this is the mean of m v2 over the grains and
        /// directions of the group, twice the mean energy of a degree of freedom. The total momentum is zero.
        "temperature" => Temperature(Energy),
    }
}

list! {
    /// Angular velocity of grains at the start: the same for all, or at random.
    pub enum InitialSpin<D> by key or Constant(SpinVector<D>) {
        /// Normally distributed about every axis, with this root mean square over the group, whatever the moments of
        /// inertia. The angular momenta of the spins add up to zero.
        "thermal" => Thermal(AngularVelocity),
        /// Normally distributed about every axis, large grains slower: this is the mean of I w2 over the grains and
        /// axes of the group. The angular momenta of the spins add up to zero.
        "temperature" => Temperature(Energy),
    }
}

/// An angular velocity [rad/s].
pub(crate) type SpinVector<D> = AxialVector<D, 0, 0, -1, 1>;

/// How random motion is distributed over the grains of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::scenario) enum Heat {
    /// All alike, with this root mean square [m/s] or [rad/s].
    Rms(f64),
    /// Every degree of freedom with the same energy, half of this one [J].
    Temperature(f64),
}

impl Heat {
    /// The number that the scenario gives.
    fn number(self) -> f64 {
        match self {
            Heat::Rms(number) | Heat::Temperature(number) => number,
        }
    }
}

impl<D: Dim> GrainGroup<D> {
    /// Random velocities, and where they are asked for.
    pub(in crate::scenario) fn random_velocity(&self) -> Option<(Heat, &Span)> {
        let velocity = self.velocity.as_ref()?;
        match &velocity.value {
            InitialVelocity::Thermal(speed) => Some((Heat::Rms(**speed), &velocity.at)),
            InitialVelocity::Temperature(energy) => Some((Heat::Temperature(**energy), &velocity.at)),
            InitialVelocity::Constant(_) => None,
        }
    }

    /// Random angular velocities, and where they are asked for.
    pub(in crate::scenario) fn random_spin(&self) -> Option<(Heat, &Span)> {
        let spin = self.spin.as_ref()?;
        match &spin.value {
            InitialSpin::Thermal(rate) => Some((Heat::Rms(**rate), &spin.at)),
            InitialSpin::Temperature(energy) => Some((Heat::Temperature(**energy), &spin.at)),
            InitialSpin::Constant(_) => None,
        }
    }

    /// Notes motions that the grains cannot have.
    pub(in crate::scenario) fn check_motion(&self, reader: &Reader) {
        let refuse = |at: &Span, message: &str, help: &str| reader.mistake::<()>("E015", at, message, help);
        if let (Some(spin), true) = (&self.spin, self.fixed || !self.rotates) {
            let message = "grains that cannot turn have no `spin`";
            refuse(&spin.at, message, "leave out `spin`, or what keeps them from turning: `fixed`, rotates = false");
        }
        let random = [("velocity", self.random_velocity()), ("spin", self.random_spin())];
        for (key, (heat, at)) in random.into_iter().filter_map(|(key, random)| Some((key, random?))) {
            if heat.number() <= 0.0 {
                let message = format!("a random `{key}` must be above zero");
                reader.mistake::<()>("E007", at, message, format!("leave `{key}` out for grains at rest"));
            } else if self.pour.is_some() {
                let message =
                    format!("grains that are poured have no random `{key}`: its mean is not known beforehand");
                refuse(at, &message, "give all of them the same, or place them at the start");
            } else if self.fixed && key == "velocity" {
                refuse(at, "grains that are fixed have no random `velocity`", "leave one of the two out");
            } else if self.count == Some(1) {
                refuse(at, &alone(key), ALONE);
            }
        }
    }
}

/// Message about one grain that is to move at random.
pub(in crate::scenario) fn alone(key: &str) -> String {
    format!("a single grain has no random `{key}`: nothing is left when its mean is subtracted")
}

/// What to write for one grain.
pub(in crate::scenario) const ALONE: &str = "write the value itself, or add grains";
