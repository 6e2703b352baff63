//! The command line from Python, and its lists.

use std::ffi::OsString;

use drystone::scenario::codes;
use drystone::scenario::template::{TEMPLATES, Template};
use pyo3::prelude::*;

use crate::errors::of_verb;

/// The command `drystone` with these arguments, the name of the program first; returns the exit code.
#[pyfunction]
pub(crate) fn main(py: Python, args: Vec<OsString>) -> u8 {
    py.detach(|| drystone_cli::main(args))
}

/// What a verb prints. What goes wrong is an exception.
#[pyfunction]
pub(crate) fn captured(py: Python, args: Vec<OsString>) -> PyResult<String> {
    let (text, result) = py.detach(|| drystone_cli::captured(args));
    result.map(|()| text).map_err(|failure| of_verb(py, &failure))
}

/// Title and text of a code; nothing for an unknown one.
#[pyfunction]
pub(crate) fn explain(code: &str) -> Option<(&'static str, &'static str)> {
    codes::find(code).map(|code| (code.title, code.text))
}

/// Names of the templates, and what they are.
#[pyfunction]
pub(crate) fn templates() -> Vec<(&'static str, &'static str)> {
    TEMPLATES.iter().map(|template| (template.name, template.about())).collect()
}

/// The text of a template.
#[pyfunction]
pub(crate) fn template(name: &str) -> Option<&'static str> {
    Template::find(name).map(|template| template.text)
}
