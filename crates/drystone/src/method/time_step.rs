//! The key `time_step`, the same for all methods.

use crate::input::quantity::Time;
use crate::input::{Node, Raw, Reader, Value};

/// The time step: found by the program, or given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeStepChoice {
    /// What the method advises for the world: a part of the shortest collision, or of the time in which rigid grains move by
    /// their radius.
    Auto,
    /// This time step [s].
    Given(f64),
}

impl TimeStepChoice {
    /// The time step, once it is known [s].
    pub fn given(self) -> Option<f64> {
        match self {
            TimeStepChoice::Given(dt) => Some(dt),
            TimeStepChoice::Auto => None,
        }
    }
}

impl Value for TimeStepChoice {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match &node.value {
            Raw::Text(text) if text == "auto" => Some(TimeStepChoice::Auto),
            _ => Time::read(node, reader).map(|time| TimeStepChoice::Given(*time)),
        }
    }
    fn write(&self) -> toml::Value {
        match self {
            TimeStepChoice::Auto => "auto".into(),
            TimeStepChoice::Given(time) => (*time).into(),
        }
    }
    fn schema() -> serde_json::Value {
        let mut time = Time::schema();
        time["not"] = serde_json::json!({"const": "auto"});
        serde_json::json!({"oneOf": [{"const": "auto"}, time]})
    }
    fn example() -> String {
        "\"auto\"".into()
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        if let TimeStepChoice::Given(time) = self {
            check(*time);
        }
    }
}
