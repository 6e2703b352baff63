//! A scenario: its text, and the settings on top of it.

use std::path::{Path, PathBuf};

use drystone::dim::Dim;
use drystone::input::{Reader, units};
use drystone::scenario::{self, AnyScenario};
use pyo3::prelude::*;

use crate::errors::{Told, of_mistakes, told, wrong_value};

/// A scenario that was read and has no mistakes.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct Scenario {
    #[pyo3(get)]
    name: String,
    #[pyo3(get)]
    text: String,
    #[pyo3(get)]
    settings: Vec<String>,
    #[pyo3(get)]
    folder: PathBuf,
    pub(crate) read: AnyScenario,
}

impl Scenario {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of a material.
    pub(crate) fn material(&self, py: Python, name: &str) -> PyResult<u16> {
        let names = match &self.read {
            AnyScenario::Plane(scenario) => materials(scenario),
            AnyScenario::Space(scenario) => materials(scenario),
        };
        let found = names.iter().position(|known| known == name).and_then(|number| u16::try_from(number).ok());
        found.ok_or_else(|| {
            wrong_value(py, &format!("there is no material `{name}`; the scenario has {}", names.join(", ")))
        })
    }
}

fn materials<D: Dim>(scenario: &scenario::Scenario<D>) -> Vec<String> {
    scenario.material.iter().map(|material| material.name.value.clone()).collect()
}

#[pymethods]
impl Scenario {
    /// Reads a text, with `key=value` settings on top. Files that it names are looked for in `folder`.
    #[new]
    fn new(py: Python, name: String, text: String, settings: Vec<String>, folder: PathBuf) -> PyResult<Scenario> {
        let read = py.detach(|| AnyScenario::parse(&name, &text, &settings, Reader::new(folder.clone())));
        let read = read.map_err(|mistakes| of_mistakes(py, &mistakes))?;
        Ok(Scenario { name, text, settings, folder, read })
    }

    /// 2 or 3.
    #[getter]
    fn dimension(&self) -> usize {
        match self.read {
            AnyScenario::Plane(_) => 2,
            AnyScenario::Space(_) => 3,
        }
    }

    /// The resolved scenario as TOML: defaults filled in, SI numbers.
    fn resolved(&self) -> String {
        self.read.to_toml()
    }

    /// The resolved scenario as JSON.
    fn resolved_json(&self, py: Python) -> PyResult<String> {
        let value = toml::from_str::<serde_json::Value>(&self.read.to_toml());
        value.map(|value| value.to_string()).map_err(|error| wrong_value(py, &error.to_string()))
    }

    /// Warnings about the scenario.
    fn warnings(&self) -> Vec<Told> {
        self.read.warnings().iter().map(told).collect()
    }

    /// What will happen, as `drystone check` tells it: names and values.
    fn describe(&self, py: Python) -> PyResult<Vec<(&'static str, String)>> {
        let described = py.detach(|| drystone::sim::open(&self.read, &self.folder).map(|run| run.describe()));
        described.map_err(|mistakes| of_mistakes(py, &mistakes))
    }

    /// Names of the walls.
    fn walls(&self) -> Vec<String> {
        match &self.read {
            AnyScenario::Plane(scenario) => scenario.wall.iter().map(|wall| wall.name.value.clone()).collect(),
            AnyScenario::Space(scenario) => scenario.wall.iter().map(|wall| wall.name.value.clone()).collect(),
        }
    }

    /// Names of the materials, in the order of their numbers.
    fn materials(&self) -> Vec<String> {
        match &self.read {
            AnyScenario::Plane(scenario) => materials(scenario),
            AnyScenario::Space(scenario) => materials(scenario),
        }
    }
}

/// The SI number of a text with a unit, such as "5 ms"; `dimension` is kg, m, s and rad to which powers.
#[pyfunction]
pub(crate) fn quantity(py: Python, text: &str, dimension: [i8; 4]) -> PyResult<f64> {
    let found = units::parse(text).map_err(|message| wrong_value(py, &format!("`{text}`: {message}")))?;
    match found.dimension {
        Some(is) if is != dimension => {
            let [is, wanted] = [is, dimension].map(units::name);
            Err(wrong_value(py, &format!("`{text}` is {is}, and {wanted} is asked for")))
        }
        _ => Ok(found.si), // a bare number is SI
    }
}
