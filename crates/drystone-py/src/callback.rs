//! Python functions that a step calls: measures of the series, and normal laws of soft grains.
//!
//! They are called while the simulation makes a step, on whichever thread needs them. They get copies and cannot use
//! the simulation itself. A step cannot be left in its middle: an exception is kept, the rest of the step is computed
//! with a weak spring in place of the law, or NaN in place of the measure, and then the exception ends the run.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use drystone::dim::Dim;
use drystone::law::soft::Couple;
use drystone::law::soft::normal::{Compression, NormalForce, Push, Squeeze};
use drystone::measure::{Column, Measure};
use drystone::method::{ContactTerms, StepReport};
use drystone::record::snapshot::frame_of;
use drystone::world::World;
use numpy::{PyArray1, PyArrayLike1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::frame::Frame;

/// The first exception of the functions that a simulation calls.
#[derive(Debug, Default)]
pub(crate) struct Failed {
    is_set: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Failed {
    fn keep(&self, error: PyErr) {
        let mut kept = self.error.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.get_or_insert(error);
        self.is_set.store(true, Ordering::Release);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Acquire)
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }
}

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread executes a Python function that a step has called: waiting for that step would last forever.
pub(crate) fn is_inside() -> bool {
    IS_INSIDE.get()
}

/// Calls Python for a step.
fn inside<R>(failed: &Failed, work: impl FnOnce(Python) -> PyResult<R>) -> Option<R> {
    if failed.is_set() {
        return None;
    }
    Python::attach(|py| {
        let before = IS_INSIDE.replace(true);
        let result = work(py);
        IS_INSIDE.set(before);
        result.map_err(|error| failed.keep(error)).ok()
    })
}

/// A measure: a Python function of a frame.
pub(crate) struct OwnMeasure {
    pub(crate) columns: Vec<Column>,
    pub(crate) function: Py<PyAny>,
    pub(crate) failed: Arc<Failed>,
}

impl<D: Dim> Measure<D> for OwnMeasure {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let unknown = StepReport { residual: f64::NAN, ..StepReport::default() };
        let dt = if world.scratch.time_step > 0.0 { world.scratch.time_step } else { 1.0 }; // before the first step
        let terms = vec![ContactTerms::default(); world.network().contacts.len()];
        let mut frame = frame_of(world, dt, &terms, &unknown);
        frame.contacts.friction.clear(); // a term of the law, which only the method knows
        let numbers = inside(&self.failed, |py| {
            let frame = Frame { frame: Arc::new(frame) };
            let result = self.function.call1(py, (frame,))?;
            let numbers = match result.extract::<f64>(py) {
                Ok(number) => vec![number],
                Err(_) => result.extract::<Vec<f64>>(py).map_err(|_| {
                    PyTypeError::new_err(format!("a measure returns a number for each column, not {}", result.bind(py)))
                })?,
            };
            match numbers.len() == self.columns.len() {
                true => Ok(numbers),
                false => Err(PyValueError::new_err(format!(
                    "the measure returned {} numbers for its {} columns",
                    numbers.len(),
                    self.columns.len()
                ))),
            }
        });
        numbers.unwrap_or_else(|| vec![f64::NAN; self.columns.len()])
    }
}

/// A normal law of soft grains: Python functions of arrays, for some contacts at once.
#[derive(Debug)]
pub(crate) struct OwnLaw {
    /// (overlap, rate, mass, radius) -> (force, stiffness) or (force, stiffness, damping)
    pub(crate) force: Py<PyAny>,
    /// (overlap, mass, radius) -> stored energy
    pub(crate) energy: Py<PyAny>,
    pub(crate) failed: Arc<Failed>,
}

/// Numbers of a returned array, one for each contact.
fn numbers(value: &Bound<PyAny>, what: &str, contacts: usize) -> PyResult<Vec<f64>> {
    let array = value
        .extract::<PyArrayLike1<f64, numpy::AllowTypeChange>>()
        .map_err(|_| PyTypeError::new_err(format!("the {what} of a force law is an array with a number a contact")))?;
    let array = array.as_array();
    if array.len() != contacts {
        let message = format!("the force law returned {} numbers as {what} of {contacts} contacts", array.len());
        return Err(PyValueError::new_err(message));
    }
    match array.iter().all(|number| number.is_finite()) {
        true => Ok(array.to_vec()),
        false => Err(PyValueError::new_err(format!("the force law returned a {what} that is not a finite number"))),
    }
}

impl OwnLaw {
    fn pushes(&self, py: Python, contacts: &[Compression]) -> PyResult<Vec<Push>> {
        let column = |value: fn(&Compression) -> f64| PyArray1::from_iter(py, contacts.iter().map(value));
        let arguments = (
            column(|contact| contact.squeeze.overlap),
            column(|contact| contact.squeeze.rate),
            column(|contact| contact.couple.mass),
            column(|contact| contact.couple.radius),
        );
        let result = self.force.bind(py).call1(arguments)?;
        let parts: Vec<Bound<PyAny>> =
            result.extract().ok().filter(|parts: &Vec<_>| [2, 3].contains(&parts.len())).ok_or_else(|| {
                PyTypeError::new_err(
                    "a force law returns (force, stiffness) or (force, stiffness, damping), each an array",
                )
            })?;
        let count = contacts.len();
        let (force, stiffness) = (numbers(&parts[0], "force", count)?, numbers(&parts[1], "stiffness", count)?);
        let damping = parts.get(2).map_or(Ok(vec![0.0; count]), |part| numbers(part, "damping", count))?;
        let each = force.into_iter().zip(stiffness).zip(damping);
        Ok(each.map(|((force, stiffness), damping)| Push { force, stiffness, damping }).collect())
    }
}

impl NormalForce for OwnLaw {
    fn push(&self, couple: Couple, squeeze: Squeeze, _: &mut f64) -> Push {
        let found = inside(&self.failed, |py| self.pushes(py, &[Compression { couple, squeeze }]));
        found.and_then(|pushes| pushes.first().copied()).unwrap_or_else(|| stand_in(squeeze.overlap))
    }

    fn push_all(&self, contacts: &[Compression], _: &mut [f64], pushes: &mut [Push]) {
        let touching: Vec<usize> = (0..contacts.len()).filter(|k| contacts[*k].squeeze.overlap > 0.0).collect();
        if touching.is_empty() {
            return;
        }
        let asked: Vec<Compression> = touching.iter().map(|k| contacts[*k]).collect();
        let found = inside(&self.failed, |py| self.pushes(py, &asked));
        let found = found.unwrap_or_else(|| asked.iter().map(|contact| stand_in(contact.squeeze.overlap)).collect());
        touching.into_iter().zip(found).for_each(|(k, push)| pushes[k] = push);
    }

    fn stored(&self, couple: Couple, overlap: f64, _: f64) -> f64 {
        let energy = inside(&self.failed, |py| {
            let one = |number: f64| PyArray1::from_vec(py, vec![number]);
            let result = self.energy.bind(py).call1((one(overlap), one(couple.mass), one(couple.radius)))?;
            let energy = numbers(&result, "energy", 1)?[0];
            // the overlap of a given energy is searched for: from no energy to any
            match overlap < SMALLEST && energy > SMALLEST || overlap > LARGEST {
                true => Err(PyValueError::new_err(
                    "the energy of a force law grows from zero with the overlap, without a limit",
                )),
                false => Ok(energy),
            }
        });
        energy.unwrap_or(0.5 * overlap * stand_in(overlap).force)
    }
}

/// Overlaps that no contact has [m], where the energy of a law is nothing [J], and beyond any bound.
const SMALLEST: f64 = 1e-30;
const LARGEST: f64 = 1e30;

/// What stands in for a law that has failed, to the end of the step: a spring of 1 N/m. Its number is of no consequence,
/// since the run ends; but collisions with it must come to an end.
fn stand_in(overlap: f64) -> Push {
    Push { force: overlap, stiffness: 1.0, damping: 0.0 }
}
