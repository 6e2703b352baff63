//! The same scenario under another method: what it lacks is derived from what it states.
//!
//! | file | what it derives |
//! |---|---|
//! | `loads` | what presses grains together: weight, walls, loads, impacts |
//! | `soft_laws` | springs and dashpots of soft grains, from rigid laws and these loads |
//! | `rigid_laws` | restitution, friction and cohesion of rigid grains, from soft laws |
//!
//! Nothing that a scenario states is replaced.

mod loads;
mod rigid_laws;
mod soft_laws;

use std::path::{Path, PathBuf};

use crate::dim::Dim;
use crate::input::{Mistakes, Reader};
use crate::method::Kind;
use crate::scenario::{AnyScenario, Scenario};

/// Overlaps over the radius that derived springs allow, as ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllowedOverlaps {
    /// Under the weight of the grains, the pressure of walls and the loads on grains.
    pub standing: f64,
    /// At the deepest point of the fastest impact.
    pub impact: f64,
}

impl Default for AllowedOverlaps {
    /// A thousandth of the radius at rest: the packing is that of rigid grains but for its last digits. A hundredth in an
    /// impact: where W105 begins, and grains are not nearly rigid any more.
    fn default() -> AllowedOverlaps {
        AllowedOverlaps { standing: 1e-3, impact: 1e-2 }
    }
}

/// A law of two materials that was derived.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivedLaw {
    /// Names of the materials.
    pub between: [String; 2],
    /// Stiffness of the normal spring [N/m]; `None` if the law is one of rigid grains.
    pub stiffness: Option<f64>,
    /// Normal restitution.
    pub restitution: f64,
    /// What it follows from, in words.
    pub reason: String,
    /// What `[[contact]]` gets, as TOML: pairs of a key and its value.
    pub keys: Vec<DerivedKey>,
}

/// A key of a scenario that was derived.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivedKey {
    /// Key within its table.
    pub key: &'static str,
    /// Its value as TOML.
    pub value: String,
}

/// A scenario for a method, and what was derived for it.
#[derive(Clone, Debug)]
pub struct ForMethod {
    /// The scenario, checked for this method.
    pub scenario: AnyScenario,
    /// Laws that it did not state.
    pub laws: Vec<DerivedLaw>,
    /// The table of the method, if the scenario had none: `method.md`.
    pub table: Option<String>,
}

impl ForMethod {
    /// What was derived, as tables of a scenario; empty if the scenario states everything.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for law in &self.laws {
            let [a, b] = &law.between;
            text += &format!("# {}\n[[contact]]\nbetween = [\"{a}\", \"{b}\"]\n", law.reason);
            law.keys.iter().for_each(|DerivedKey { key, value }| text += &format!("{key} = {value}\n"));
            text.push('\n');
        }
        if let Some(table) = &self.table {
            text += &format!("[{table}]\ntime_step = \"auto\"\n");
        }
        text
    }

    /// One sentence for everything that was derived.
    pub fn notes(&self) -> Vec<String> {
        let of_laws =
            self.laws.iter().map(|law| format!("\"{}\" and \"{}\": {}", law.between[0], law.between[1], law.reason));
        let of_table = self.table.iter().map(|table| format!("[{table}] with time_step = \"auto\""));
        of_laws.chain(of_table).collect()
    }
}

impl AnyScenario {
    /// The scenario under this method. Soft laws that it lacks follow from rigid ones, and the other way round; the
    /// table of the method is added with an automatic time step. `folder` is where files that it names are found.
    /// Mistakes say why the method cannot run it.
    pub fn for_method(&self, method: Kind, allowed: AllowedOverlaps, folder: &Path) -> Result<ForMethod, Mistakes> {
        match self {
            AnyScenario::Plane(scenario) => scenario.for_method(method, allowed, folder),
            AnyScenario::Space(scenario) => scenario.for_method(method, allowed, folder),
        }
    }

    /// The method that the scenario uses.
    pub fn method(&self) -> Kind {
        match self {
            AnyScenario::Plane(scenario) => scenario.method.r#use.value,
            AnyScenario::Space(scenario) => scenario.method.r#use.value,
        }
    }
}

/// Whether the grains of a method are springs.
pub(crate) fn has_soft_grains(method: Kind) -> bool {
    matches!(method, Kind::Md | Kind::Dae)
}

impl<D: Dim> Scenario<D> {
    fn for_method(&self, method: Kind, allowed: AllowedOverlaps, folder: &Path) -> Result<ForMethod, Mistakes> {
        let numbers = self.numbers(method);
        let laws = match has_soft_grains(method) {
            true if numbers.is_empty() => Vec::new(),
            true => self.soft_laws(&numbers, allowed, folder)?,
            false if numbers.is_empty() => Vec::new(),
            false => self.rigid_laws(&numbers, folder)?,
        };
        let mut settings = vec![format!("method.use=\"{}\"", method.name())];
        for (number, law) in numbers.iter().zip(&laws) {
            settings.extend(law.keys.iter().map(|key| format!("contact.{number}.{}={}", key.key, key.value)));
        }
        let table = format!("method.{}", method.name());
        let text = self.to_toml();
        let has_table = text.parse::<toml::Table>().is_ok_and(|tree| tree["method"].get(method.name()).is_some());
        let table = (!has_table).then_some(table);
        settings.extend(table.iter().map(|table| format!("{table}.time_step=\"auto\"")));
        let reader = Reader::new(PathBuf::from(folder));
        let name = format!("{} under the method \"{}\"", self.title, method.name());
        let scenario = AnyScenario::parse(&name, &text, &settings, reader)?;
        let laws = laws.into_iter().filter(|law| !law.keys.is_empty()).collect();
        Ok(ForMethod { scenario, laws, table })
    }

    /// Numbers of the [[contact]] tables that lack what the method needs: soft laws, or all if the scenario was written
    /// for soft grains and rigid ones are asked for.
    fn numbers(&self, method: Kind) -> Vec<usize> {
        let is_soft_only = has_soft_grains(self.method.r#use.value) && self.method.cd.is_none();
        let lacks = |k: &usize| match has_soft_grains(method) {
            true => self.contact[*k].law.md.is_none(),
            false => is_soft_only && self.contact[*k].law.md.is_some(),
        };
        (0..self.contact.len()).filter(lacks).collect()
    }
}
