//! A frame: grains, contacts and walls at one instant.

use std::path::PathBuf;
use std::sync::Arc;

use drystone::record::{RunFolder, frame_files};
use drystone::sim::RunError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::Column;
use crate::errors::of_run;

/// A frame. Vectors have as many components as the frame has dimensions.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct Frame {
    pub(crate) frame: Arc<drystone::record::Frame>,
}

#[pymethods]
impl Frame {
    /// A column of the grains.
    fn grains<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (grains, d) = (&self.frame.grains, self.frame.dimension);
        let column = match name {
            "position" => Column::rows(&grains.position, d),
            "velocity" => Column::rows(&grains.velocity, d),
            "own_position" if grains.own_position.is_empty() => Column::rows(&grains.position, d),
            "own_position" => Column::rows(&grains.own_position, d),
            "angular_velocity" if d == 2 => Column::Numbers(grains.angular_velocity.iter().map(|w| w[2]).collect()),
            "angular_velocity" => Column::rows(&grains.angular_velocity, 3),
            "orientation" if d == 2 => {
                Column::Numbers(grains.orientation.iter().map(|q| 2.0 * q[2].atan2(q[3])).collect())
            }
            "orientation" => Column::rows(&grains.orientation, 4),
            "radius" => Column::Numbers(grains.radius.clone()),
            "mass" => Column::Numbers(grains.mass.clone()),
            "id" => Column::whole(&grains.id),
            "material" => Column::whole(&grains.material),
            "strain" if !grains.strain.is_empty() => Column::rows(&grains.strain, 6),
            _ => return Ok(None),
        };
        column.array(py).map(Some)
    }

    /// A column of the contacts.
    fn contacts<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (contacts, d) = (&self.frame.contacts, self.frame.dimension);
        let column = match name {
            "a" => Column::whole(&contacts.a),
            "b" => Column::whole(&contacts.b),
            "from" => Column::rows(&contacts.from, d),
            "to" => Column::rows(&contacts.to, d),
            "arm_b" => Column::rows(&contacts.arm_b, d),
            "normal" => Column::rows(&contacts.normal, d),
            "gap" => Column::Numbers(contacts.gap.clone()),
            "force_n" => Column::Numbers(contacts.normal_force.clone()),
            "force_t" => Column::rows(&contacts.tangential_force, d),
            "friction" => Column::Numbers(contacts.friction.clone()),
            "regime" => Column::whole(&contacts.regime),
            _ => return Ok(None),
        };
        column.array(py).map(Some)
    }

    /// A column of the walls.
    fn walls<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (walls, d) = (&self.frame.wall_states, self.frame.dimension);
        let column = match name {
            "displacement" => Column::rows(&walls.displacement, d),
            "velocity" => Column::rows(&walls.velocity, d),
            "force" => Column::rows(&walls.force, d),
            _ => return Ok(None),
        };
        column.array(py).map(Some)
    }

    /// Faces of the walls, each with the number of its wall and its corners.
    fn faces(&self) -> Vec<(u32, Vec<Vec<f64>>)> {
        let d = self.frame.dimension;
        let corners = |face: &drystone::record::frame::Face| face.corners.iter().map(|c| c[..d].to_vec()).collect();
        self.frame.walls.iter().map(|face| (face.wall, corners(face))).collect()
    }

    /// The numbers of the whole frame.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (frame, numbers) = (&self.frame, PyDict::new(py));
        numbers.set_item("dimension", frame.dimension)?;
        numbers.set_item("time", frame.time)?;
        numbers.set_item("step", frame.step)?;
        numbers.set_item("time_step", frame.time_step)?;
        numbers.set_item("residual", frame.residual)?;
        numbers.set_item("converged", frame.converged)?;
        numbers.set_item("dissipated", frame.dissipated)?;
        numbers.set_item("wall_work", frame.wall_work)?;
        numbers.set_item("elastic", frame.elastic)?;
        Ok(numbers)
    }
}

/// Numbers of the frames in the folder of a run.
#[pyfunction]
pub(crate) fn frame_numbers(py: Python, folder: PathBuf) -> PyResult<Vec<usize>> {
    let found = py.detach(|| RunFolder::open(&folder).and_then(|folder| frame_files::numbers(&folder.frames())));
    found.map_err(|error| of_run(py, &RunError::File(error)))
}

/// A frame of a run.
#[pyfunction]
pub(crate) fn read_frame(py: Python, folder: PathBuf, number: usize) -> PyResult<Frame> {
    let found = py.detach(|| RunFolder::open(&folder).and_then(|folder| frame_files::read(&folder.frames(), number)));
    found.map(|frame| Frame { frame: Arc::new(frame) }).map_err(|error| of_run(py, &RunError::File(error)))
}
