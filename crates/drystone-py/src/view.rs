//! Memory of a simulation lent to NumPy.
//!
//! While a view is open, the simulation does not have its columns of poses and twists: they were moved into a
//! [`Memory`], which arrays point to. Each array owns a share of that memory by its base object, so that it never
//! dangles, whatever becomes of the simulation. When the view is closed and no array is left, the columns are moved
//! back; if arrays are left, a copy is, and the arrays keep the memory for themselves.
#![allow(unsafe_code)] // an array that shares memory with a column is made from a pointer: see `Lent::array`

use std::sync::Arc;

use drystone::body::{Pose, Twist};
use drystone::dim::{D2, D3, Dim, Vector};
use numpy::PyArray2;
use numpy::ndarray::{ArrayViewMut2, ShapeBuilder};
use pyo3::prelude::*;

use crate::errors::{wrong_state, wrong_value};

/// Columns of the bodies of a simulation.
#[derive(Clone, Debug)]
pub(crate) struct Columns<D: Dim> {
    pub(crate) pose: Vec<Pose<D>>,
    pub(crate) twist: Vec<Twist<D>>,
    /// Index of the first grain: walls come before.
    pub(crate) first: usize,
}

/// Columns of either dimension.
#[derive(Clone, Debug)]
pub(crate) enum Memory {
    Plane(Columns<D2>),
    Space(Columns<D3>),
}

/// Where the numbers of a column are: the first of them, how many rows, numbers in a row, and numbers from row to row.
struct Layout {
    start: *mut f64,
    rows: usize,
    width: usize,
    stride: usize,
}

/// Numbers between two entries of a column of `T`, which consists of numbers alone.
const fn stride<T>() -> usize {
    assert!(size_of::<T>().is_multiple_of(size_of::<f64>()) && align_of::<T>() == align_of::<f64>());
    size_of::<T>() / size_of::<f64>()
}

impl<D: Dim> Columns<D> {
    /// The layout of a column, of at least one row. Vectors, spins and orientations are structures of `f64` alone: an
    /// `f64`, or `DVec2`, `DVec3` and `DQuat` of glam, which are `repr(C)`; `Dim` is sealed, so that there are no others.
    fn layout(&mut self, name: &str) -> Option<Layout> {
        let rows = self.pose.len() - self.first;
        let (pose, twist) = (self.pose.get_mut(self.first)?, self.twist.get_mut(self.first)?);
        let (spin, turn) = (D::Spin::LEN, if D::DIMENSION == 2 { 1 } else { 4 });
        Some(match name {
            "position" => {
                Layout { start: (&raw mut pose.x).cast(), rows, width: D::DIMENSION, stride: stride::<Pose<D>>() }
            }
            "orientation" => Layout { start: (&raw mut pose.q).cast(), rows, width: turn, stride: stride::<Pose<D>>() },
            "velocity" => {
                Layout { start: (&raw mut twist.v).cast(), rows, width: D::DIMENSION, stride: stride::<Twist<D>>() }
            }
            "angular_velocity" => {
                Layout { start: (&raw mut twist.w).cast(), rows, width: spin, stride: stride::<Twist<D>>() }
            }
            _ => return None,
        })
    }
}

/// A share of lent memory: the base of an array.
#[pyclass(frozen, module = "drystone._drystone")]
struct Share {
    _memory: Arc<Shared>,
}

/// Memory that only arrays read and write while it is shared.
#[derive(Debug)]
struct Shared(std::cell::UnsafeCell<Memory>);

// SAFETY: the columns are plain numbers. While they are shared, arrays read and write them under the rules of NumPy,
// which are those of the threads that use the arrays; Rust touches them in `Lent` alone, with the interpreter attached.
unsafe impl Sync for Shared {}

/// Columns that a simulation has lent.
#[pyclass(module = "drystone._drystone")]
pub(crate) struct Lent {
    memory: Option<Arc<Shared>>,
    pub(crate) is_writable: bool,
}

impl Lent {
    pub(crate) fn new(memory: Memory, is_writable: bool) -> Lent {
        Lent { memory: Some(Arc::new(Shared(memory.into()))), is_writable }
    }

    /// Ends the loan: the columns, and whether arrays still use their memory, so that they are a copy.
    pub(crate) fn end(&mut self) -> Option<(Memory, bool)> {
        let memory = self.memory.take()?;
        Some(match Arc::try_unwrap(memory) {
            Ok(alone) => (alone.0.into_inner(), false),
            // SAFETY: the numbers are read with the interpreter attached; nothing but arrays writes them
            Err(shared) => (unsafe { (*shared.0.get()).clone() }, true),
        })
    }
}

#[pymethods]
impl Lent {
    /// A column of the grains as an array that shares the memory of the simulation.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(memory) = &self.memory else {
            return Err(wrong_state(
                py,
                "the block of the view has ended: its columns are those of the simulation again",
            ));
        };
        // SAFETY: the reference is dropped before Python runs again; pointers to the heap of the columns stay valid,
        // since nobody changes their length while they are shared
        let layout = match unsafe { &mut *memory.0.get() } {
            Memory::Plane(columns) if columns.pose.len() > columns.first => columns.layout(name),
            Memory::Space(columns) if columns.pose.len() > columns.first => columns.layout(name),
            _ => return Err(wrong_state(py, "the simulation has no grains to view")),
        };
        let Some(Layout { start, rows, width, stride }) = layout else {
            let known = "position, orientation, velocity, angular_velocity";
            return Err(wrong_value(py, &format!("a view has no column `{name}`; it has {known}")));
        };
        let share = Bound::new(py, Share { _memory: memory.clone() })?.into_any();
        // SAFETY: `rows` entries of `stride` numbers begin at or before `start`, and each holds `width` numbers from
        // there on; the share, which becomes the base of the array, keeps them alive
        let array = unsafe {
            let view = ArrayViewMut2::from_shape_ptr((rows, width).strides((stride, 1)), start);
            PyArray2::borrow_from_array(&view, share)
        };
        if !self.is_writable {
            array.call_method1("setflags", (false,))?;
        }
        if width == 1 { array.call_method1("reshape", (rows,)) } else { Ok(array.into_any()) }
    }
}
