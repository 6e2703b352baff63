//! Errors of the library as exceptions of the package: the classes are in `drystone/_errors.py`.

use drystone::input::{Mistake, Mistakes};
use drystone::record::coded::code_of;
use drystone::sim::RunError;
use drystone_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// An exception of the package: its class, its message and its code.
pub(crate) fn raised(py: Python, class: &str, message: &str, code: &str) -> PyErr {
    let made = py
        .import("drystone._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message, code)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Something was asked of a simulation or a view that it cannot do now.
pub(crate) fn wrong_state(py: Python, message: &str) -> PyErr {
    raised(py, "StateError", message, "")
}

/// A value that does not fit.
pub(crate) fn wrong_value(py: Python, message: &str) -> PyErr {
    raised(py, "UsageError", message, "")
}

/// A mistake as Python has it: code, message, help, name of the text, line and column.
pub(crate) type Told = (&'static str, String, String, Option<String>, Option<usize>, Option<usize>);

pub(crate) fn told(mistake: &Mistake) -> Told {
    let place = mistake.at.line_column();
    let name = mistake.at.text.as_ref().map(|text| text.name.clone());
    let (line, column) = (place.map(|place| place.0), place.map(|place| place.1));
    (mistake.code, mistake.message.clone(), mistake.help.clone(), name, line, column)
}

/// All mistakes of a scenario in one exception.
pub(crate) fn of_mistakes(py: Python, mistakes: &Mistakes) -> PyErr {
    let list: Vec<Told> = mistakes.0.iter().map(told).collect();
    let made = py
        .import("drystone._errors")
        .and_then(|module| module.getattr("scenario_error"))
        .and_then(|make| make.call1(PyTuple::new(py, [list.into_pyobject(py)?])?));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Why a run ended before its time.
pub(crate) fn of_run(py: Python, error: &RunError) -> PyErr {
    match error {
        RunError::Scenario(mistakes) => of_mistakes(py, mistakes),
        RunError::Step(step) => raised(py, "StepError", &step.to_string(), step.code()),
        RunError::File(file) => raised(py, "FileError", &file.to_string(), code_of(file).unwrap_or("E103")),
    }
}

/// Why a verb of the command line failed.
pub(crate) fn of_verb(py: Python, failure: &Failure) -> PyErr {
    match failure {
        Failure::Usage(message) => raised(py, "UsageError", message, ""),
        Failure::Line(error) => raised(py, "UsageError", &error.to_string(), ""),
        Failure::Mistakes(mistakes) => of_mistakes(py, mistakes),
        Failure::Run(message) => raised(py, "RunFailed", message, ""),
        Failure::Interrupted => pyo3::exceptions::PyKeyboardInterrupt::new_err("stopped"),
    }
}
