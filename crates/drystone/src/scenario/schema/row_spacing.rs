//! The key `series_every` of `[output]`.

use crate::input::quantity::Time;
use crate::input::{Node, Raw, Reader, Value};

/// How often the series gets a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RowSpacing {
    /// So seldom that recording costs little: after a number of steps that depends on the method, and at most a thousand
    /// times in a run whose end is known.
    #[default]
    Auto,
    /// After every step.
    EveryStep,
    /// After this time [s].
    Every(f64),
}

impl RowSpacing {
    /// The time between rows, if it is one [s].
    pub fn time(self) -> Option<f64> {
        match self {
            RowSpacing::Every(time) => Some(time),
            RowSpacing::Auto | RowSpacing::EveryStep => None,
        }
    }
}

impl Value for RowSpacing {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match &node.value {
            Raw::Text(text) if text == "auto" => Some(RowSpacing::Auto),
            Raw::Text(text) if text == "step" => Some(RowSpacing::EveryStep),
            _ => Time::read(node, reader).map(|time| RowSpacing::Every(*time)),
        }
    }
    fn write(&self) -> toml::Value {
        match self {
            RowSpacing::Auto => "auto".into(),
            RowSpacing::EveryStep => "step".into(),
            RowSpacing::Every(time) => (*time).into(),
        }
    }
    fn schema() -> serde_json::Value {
        let mut time = Time::schema();
        time["not"] = serde_json::json!({"enum": ["auto", "step"]});
        serde_json::json!({"oneOf": [{"const": "auto"}, {"const": "step"}, time]})
    }
    fn example() -> String {
        "\"1 ms\"".into()
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        if let RowSpacing::Every(time) = self {
            check(*time);
        }
    }
}
