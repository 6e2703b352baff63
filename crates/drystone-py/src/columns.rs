//! Columns of numbers, and how they become arrays.

use drystone::body::Bodies;
use drystone::dim::{Dim, Vector};
use drystone::world::World;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// A column: one entry for each grain or contact.
pub(crate) enum Column {
    /// One number each.
    Numbers(Vec<f64>),
    /// Several numbers each.
    Rows(Vec<f64>, usize),
    /// Whole numbers.
    Whole(Vec<i64>),
}

impl Column {
    /// Rows of the first `width` of their numbers.
    pub(crate) fn rows<const N: usize>(rows: &[[f64; N]], width: usize) -> Column {
        Column::Rows(rows.iter().flat_map(|row| row[..width].iter().copied()).collect(), width)
    }

    pub(crate) fn whole<I: Copy + Into<i64>>(numbers: &[I]) -> Column {
        Column::Whole(numbers.iter().map(|number| (*number).into()).collect())
    }

    /// The column as an array that owns its numbers.
    pub(crate) fn array(self, py: Python) -> PyResult<Bound<PyAny>> {
        Ok(match self {
            Column::Numbers(numbers) => PyArray1::from_vec(py, numbers).into_any(),
            Column::Whole(numbers) => PyArray1::from_vec(py, numbers).into_any(),
            Column::Rows(numbers, width) => {
                let rows = numbers.len() / width;
                PyArray1::from_vec(py, numbers).reshape([rows, width])?.into_any()
            }
        })
    }
}

/// Names of the columns of grains.
pub(crate) const GRAINS: [&str; 9] =
    ["position", "velocity", "angular_velocity", "orientation", "radius", "mass", "id", "material", "force"];

fn vectors<V: Vector>(vectors: impl Iterator<Item = V>) -> Column {
    let mut numbers = Vec::with_capacity(V::LEN * vectors.size_hint().0);
    vectors.for_each(|v| (0..V::LEN).for_each(|axis| numbers.push(v.get(axis))));
    if V::LEN == 1 { Column::Numbers(numbers) } else { Column::Rows(numbers, V::LEN) }
}

/// A column of the grains of a world, in the order of its bodies; forces are impulses over `dt`.
pub(crate) fn grains<D: Dim>(world: &World<D>, dt: f64, name: &str) -> Option<Column> {
    let (bodies, range) = (&world.bodies, world.grains());
    Some(match name {
        "position" => vectors(bodies.pose[range].iter().map(|pose| pose.x)),
        "velocity" => vectors(bodies.twist[range].iter().map(|twist| twist.v)),
        "angular_velocity" => vectors(bodies.twist[range].iter().map(|twist| twist.w)),
        "orientation" => {
            let numbers: Vec<f64> = bodies.pose[range].iter().flat_map(|pose| D::rot_numbers(pose.q)).collect();
            if D::DIMENSION == 2 { Column::Numbers(numbers) } else { Column::Rows(numbers, 4) }
        }
        "radius" => Column::Numbers(bodies.shape[range].iter().map(|shape| shape.radius()).collect()),
        "mass" => Column::Numbers(bodies.inertia[range].iter().map(|inertia| inertia.mass()).collect()),
        "id" => Column::whole(&bodies.id[range]),
        "material" => Column::whole(&bodies.material[range]),
        "force" => vectors(forces(world, dt)[range].iter().copied()),
        _ => return None,
    })
}

/// Force of its contacts on each body, averaged over the last step [N].
fn forces<D: Dim>(world: &World<D>, dt: f64) -> Vec<D::Vec> {
    let mut sums = vec![D::Vec::ZERO; world.bodies.len()];
    let network = world.network();
    for (contact, memory) in network.contacts.iter().zip(&network.memory) {
        sums[contact.key.a as usize] -= memory.impulse * (1.0 / dt);
        sums[contact.key.b as usize] += memory.impulse * (1.0 / dt);
    }
    sums
}

/// Sets a column of the grains from numbers in rows; false if it cannot be set.
pub(crate) fn set_grains<D: Dim>(bodies: &mut Bodies<D>, first: usize, name: &str, numbers: &[f64]) -> bool {
    let width = width::<D>(name);
    let rows = numbers.chunks_exact(width.max(1));
    match name {
        "position" => {
            bodies.pose[first..].iter_mut().zip(rows).for_each(|(pose, row)| pose.x = D::Vec::from_fn(|k| row[k]));
        }
        "velocity" => {
            bodies.twist[first..].iter_mut().zip(rows).for_each(|(twist, row)| twist.v = D::Vec::from_fn(|k| row[k]));
        }
        "angular_velocity" => {
            bodies.twist[first..].iter_mut().zip(rows).for_each(|(twist, row)| twist.w = D::Spin::from_fn(|k| row[k]));
        }
        _ => return false,
    }
    true
}

/// Numbers for each grain in a column that can be set; zero for others.
pub(crate) fn width<D: Dim>(name: &str) -> usize {
    match name {
        "position" | "velocity" => D::DIMENSION,
        "angular_velocity" => D::Spin::LEN,
        _ => 0,
    }
}
