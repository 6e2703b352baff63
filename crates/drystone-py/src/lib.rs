//! drystone for Python: the module `drystone._drystone`, on which the Python files of the package build.
//!
//! | file | holds |
//! |---|---|
//! | `errors` | Rust errors as Python exceptions |
//! | `scenario` | a scenario with its settings |
//! | `simulation` | a simulation that Python steps; the interpreter is released meanwhile |
//! | `columns`, `frame` | grains, contacts and walls as arrays |
//! | `view` | memory of a simulation lent to NumPy: the only unsafe code |
//! | `callback` | measures and force laws that are Python functions |
//! | `problem` | contact problems |
//! | `command` | the command line |

mod callback;
mod columns;
mod command;
mod errors;
mod frame;
mod problem;
mod scenario;
mod simulation;
mod view;

use pyo3::prelude::*;

/// The compiled part of the package drystone.
#[pymodule]
mod _drystone {
    #[pymodule_export]
    use super::command::{captured, explain, main, template, templates};
    #[pymodule_export]
    use super::frame::{Frame, frame_numbers, read_frame};
    #[pymodule_export]
    use super::problem::{Solution, read_problem, solve_problem};
    #[pymodule_export]
    use super::scenario::{Scenario, quantity};
    #[pymodule_export]
    use super::simulation::{Simulation, Step};
    #[pymodule_export]
    use super::view::Lent;

    /// Version of drystone.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
