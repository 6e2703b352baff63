//! The resolved scenario as text.

use super::{AnyScenario, Scenario};
use crate::dim::{D2, Dim};
use crate::input::Value;
use crate::input::quantity::Quantity;

impl<D: Dim> Scenario<D> {
    /// Number of a material by its name.
    pub fn material_number(&self, name: &str) -> Option<usize> {
        self.material.iter().position(|material| material.name.value == name)
    }

    /// The scenario as TOML: defaults filled in, SI numbers, the version of the program.
    pub fn to_toml(&self) -> String {
        let mut resolved = self.clone();
        resolved.drystone = Some(env!("CARGO_PKG_VERSION").into());
        if D::DIMENSION != D2::DIMENSION {
            resolved.depth = Quantity(1.0);
        }
        toml::to_string(&resolved.write()).expect("a scenario is always a table")
    }
}

impl AnyScenario {
    /// Title of the scenario.
    pub fn title(&self) -> &str {
        match self {
            AnyScenario::Plane(scenario) => &scenario.title,
            AnyScenario::Space(scenario) => &scenario.title,
        }
    }
}
