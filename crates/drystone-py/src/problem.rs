//! Contact problems: u = W r + q with the laws of Signorini and Coulomb.

use std::path::PathBuf;

use drystone::method::cd::problem::{AnyProblem, ContactProblem};
use drystone::method::cd::stored::{self, Goal};
use drystone::method::cd::{Accelerator, Accuracy, Ladder, Solver};
use drystone::record::fclib;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::{raised, wrong_value};

/// What a solve found, with its certificate.
#[pyclass(frozen, get_all, module = "drystone._drystone")]
pub(crate) struct Solution {
    impulses: Py<PyArray1<f64>>,
    velocities: Py<PyArray1<f64>>,
    sweeps: u64,
    converged: bool,
    residual: f64,
    force_error: f64,
    open: usize,
    stick: usize,
    slide: usize,
    painleve: usize,
}

/// The choice with this name.
fn named<T: Copy>(py: Python, what: &str, asked: &str, all: &[T], name: fn(&T) -> &'static str) -> PyResult<T> {
    let known = || all.iter().map(name).collect::<Vec<_>>().join(", ");
    let found = all.iter().find(|one| name(one) == asked).copied();
    found.ok_or_else(|| wrong_value(py, &format!("{what} is one of {}, not `{asked}`", known())))
}

/// The entries of a matrix.
#[derive(FromPyObject)]
pub(crate) struct Entries<'py>(PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, f64>);

/// Solves a problem from the entries of W (rows, columns, numbers), from q and mu.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // names of Python
pub(crate) fn solve_problem(
    py: Python,
    w: Entries,
    q: PyReadonlyArray1<f64>,
    mu: PyReadonlyArray1<f64>,
    dimension: usize,
    accuracy: &str,
    solver: &str,
    accelerator: &str,
    max_sweeps: u64,
) -> PyResult<Solution> {
    let limits = match (Ladder::ALL.iter().find(|step| step.name() == accuracy), accuracy.parse::<f64>()) {
        (Some(step), _) => Accuracy::Named(*step).limits(),
        (None, Ok(residual)) if residual > 0.0 && residual.is_finite() => Accuracy::Residual(residual).limits(),
        _ => {
            let names: Vec<&str> = Ladder::ALL.iter().map(|step| step.name()).collect();
            return Err(wrong_value(py, &format!("accuracy is a number above zero, or one of {}", names.join(", "))));
        }
    };
    let goal = Goal {
        limits,
        solver: named(py, "solver", solver, Solver::ALL, |kind| kind.name())?,
        accelerator: named(py, "accelerator", accelerator, Accelerator::ALL, |kind| kind.name())?,
        max_sweeps,
    };
    let Entries(rows, columns, numbers) = &w;
    let (rows, columns, numbers) = (rows.as_array(), columns.as_array(), numbers.as_array());
    let place = |number: &i64| usize::try_from(*number).unwrap_or(usize::MAX); // outside of W, which is refused
    let entries = rows.iter().zip(columns).zip(numbers).map(|((row, column), w)| (place(row), place(column), *w));
    let (entries, q, mu) = (entries.collect(), q.as_array().to_vec(), mu.as_array().to_vec());
    let problem = match dimension {
        2 => ContactProblem::from_entries(entries, &q, mu).map(AnyProblem::Plane),
        _ => ContactProblem::from_entries(entries, &q, mu).map(AnyProblem::Space),
    };
    let problem = problem.map_err(|flaw| raised(py, "UsageError", &flaw.to_string(), "E104"))?;
    Ok(solution(py, py.detach(|| problem.solve(goal, |_, _| ()))))
}

fn solution(py: Python, found: stored::Solution) -> Solution {
    let certificate = found.certificate;
    Solution {
        impulses: PyArray1::from_vec(py, found.impulses).unbind(),
        velocities: PyArray1::from_vec(py, found.velocities).unbind(),
        sweeps: found.sweeps,
        converged: found.converged,
        residual: certificate.residual,
        force_error: certificate.force_error,
        open: certificate.open,
        stick: certificate.stick,
        slide: certificate.slide,
        painleve: certificate.painleve,
    }
}

/// A problem as Python has it: rows, columns and numbers of W; q; mu; and the dimension.
type Read<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    usize,
);

/// Reads an FCLIB file.
#[pyfunction]
pub(crate) fn read_problem(py: Python, path: PathBuf) -> PyResult<Read> {
    let read = py.detach(|| fclib::read(&path)).map_err(|error| raised(py, "FileError", &error.to_string(), "E104"))?;
    Ok(match read {
        AnyProblem::Plane(problem) => entries(py, &problem),
        AnyProblem::Space(problem) => entries(py, &problem),
    })
}

fn entries<'py, const N: usize>(py: Python<'py>, problem: &ContactProblem<N>) -> Read<'py> {
    let (mut rows, mut columns, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for contact in 0..problem.contacts() {
        for (other, block) in problem.row(contact) {
            for (k, row) in block.iter().enumerate() {
                for (l, number) in row.iter().enumerate() {
                    rows.push((N * contact + k) as i64);
                    columns.push((N * other + l) as i64);
                    numbers.push(*number);
                }
            }
        }
    }
    let q: Vec<f64> = problem.free().as_flattened().to_vec();
    (
        PyArray1::from_vec(py, rows),
        PyArray1::from_vec(py, columns),
        PyArray1::from_vec(py, numbers),
        PyArray1::from_vec(py, q),
        PyArray1::from_slice(py, problem.friction()),
        N,
    )
}
