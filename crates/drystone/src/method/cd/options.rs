//! Parameters of Contact Dynamics.

use crate::input::quantity::{Number, Quantity, Time};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Node, Raw, Reader, Value};
use crate::list::{list, record};

list! {
    /// Steps of accuracy.
    pub enum Ladder by name {
        /// 1e-3: to look at, not to measure.
        "preview" => Preview,
        /// 1e-4: statistics of flows.
        "flow" => Flow,
        /// 1e-5: the usual choice.
        "standard" => Standard,
        /// 1e-6: force distributions and statics.
        "forces" => Forces,
        /// 1e-10: small systems, to compare with.
        "reference" => Reference,
    }
}

/// How small the residual eps_nat must be: a step of the ladder, or a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    /// A step of the ladder.
    Named(Ladder),
    /// The residual itself.
    Residual(f64),
}

impl Accuracy {
    /// The residual that is asked for.
    pub fn residual(self) -> f64 {
        match self {
            Accuracy::Named(Ladder::Preview) => 1e-3,
            Accuracy::Named(Ladder::Flow) => 1e-4,
            Accuracy::Named(Ladder::Standard) => 1e-5,
            Accuracy::Named(Ladder::Forces) => 1e-6,
            Accuracy::Named(Ladder::Reference) => 1e-10,
            Accuracy::Residual(residual) => residual,
        }
    }
}

impl Value for Accuracy {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match node.value {
            Raw::Number(_) => Number::read(node, reader).map(|number| Accuracy::Residual(number.0)),
            _ => Ladder::read(node, reader).map(Accuracy::Named),
        }
    }
    fn write(&self) -> toml::Value {
        match self {
            Accuracy::Named(step) => step.write(),
            Accuracy::Residual(residual) => (*residual).into(),
        }
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"oneOf": [Ladder::schema(), {"type": "number", "exclusiveMinimum": 0}]})
    }
    fn example() -> String {
        Ladder::example()
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        check(self.residual());
    }
}

list! {
    /// What to do when a step does not reach its accuracy.
    pub enum Unconverged by name {
        /// Count it, say so, go on.
        "warn" => Warn,
        /// Stop the run.
        "fail" => Fail,
    }
}

list! {
    /// How sweeps are accelerated.
    pub enum Accelerator by name {
        /// Capped Nesterov momentum: 5 to 30 times fewer sweeps.
        "momentum" => Momentum,
        /// Plain Gauss-Seidel sweeps.
        "none" => None,
    }
}

record! {
    /// Contact Dynamics.
    pub struct Options {
        /// Length of a step. A grain should move a fraction of its radius in it.
        time_step: Time where POSITIVE,
        /// How exactly the contact laws are solved: a step of the ladder, or the residual eps_nat as a number.
        accuracy: Accuracy where POSITIVE = Accuracy::Named(Ladder::Standard),
        /// Sweeps after which a step is given up as not converged.
        max_sweeps: u64 where POSITIVE = 5000,
        /// Sweeps that are made at least.
        min_sweeps: u64 where NOT_NEGATIVE = 0,
        /// How sweeps are accelerated.
        accelerator: Accelerator = Accelerator::Momentum,
        /// Whether a solve starts from the impulses of the step before.
        warm_start: bool = true,
        /// What to do when a step does not reach its accuracy.
        unconverged: Unconverged = Unconverged::Warn,
    }
}

impl Options {
    /// The defaults with this time step.
    pub fn with_time_step(time_step: f64) -> Options {
        Options {
            time_step: Quantity(time_step),
            accuracy: Accuracy::Named(Ladder::Standard),
            max_sweeps: 5000,
            min_sweeps: 0,
            accelerator: Accelerator::Momentum,
            warm_start: true,
            unconverged: Unconverged::Warn,
            span: Default::default(),
        }
    }
}
