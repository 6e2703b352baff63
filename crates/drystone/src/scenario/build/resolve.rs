//! The resolved scenario as text.

use crate::dim::{D2, Dim, in_space};
use crate::input::Value;
use crate::input::quantity::Quantity;
use crate::measure::frame::Setting;
use crate::measure::frame::wall_form::WallForm;
use crate::scenario::{AnyScenario, Scenario};

impl<D: Dim> Scenario<D> {
    /// Data for measures that frames do not hold.
    pub fn setting(&self) -> Setting {
        Setting {
            depth: if D::DIMENSION == D2::DIMENSION { *self.depth } else { 1.0 },
            gravity: in_space(self.gravity.0),
            walls: self.wall.iter().map(|wall| wall.name.value.clone()).collect(),
            forms: self.wall.iter().map(|wall| WallForm::of(&wall.surface)).collect(),
            materials: self.material.iter().map(|material| material.name.value.clone()).collect(),
        }
    }

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
    /// Data for measures that frames do not hold.
    pub fn setting(&self) -> Setting {
        match self {
            AnyScenario::Plane(scenario) => scenario.setting(),
            AnyScenario::Space(scenario) => scenario.setting(),
        }
    }

    /// Whether a stage changes gravity.
    pub fn turns_gravity(&self) -> bool {
        match self {
            AnyScenario::Plane(scenario) => scenario.turns_gravity(),
            AnyScenario::Space(scenario) => scenario.turns_gravity(),
        }
    }

    /// Title of the scenario.
    pub fn title(&self) -> &str {
        match self {
            AnyScenario::Plane(scenario) => &scenario.title,
            AnyScenario::Space(scenario) => &scenario.title,
        }
    }
}
