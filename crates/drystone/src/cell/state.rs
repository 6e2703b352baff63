//! The periodic cell of a frame: plain numbers, among others without a dimension parameter.

use drystone_files::record::frame::{CellPress, CellState, ShearPlane};

use super::{Cell, CellMotion, CellShear, StressControl};
use crate::dim::{D3, Dim, in_space};

impl<D: Dim> Cell<D> {
    /// The cell as frames have it: in the plane the third axis has no images.
    pub fn state(&self) -> CellState {
        CellState {
            origin: in_space(self.origin),
            is_periodic: self.is_periodic,
            lengths: in_space(self.lengths),
            stretching: in_space(self.stretching),
            shear: self.shear.map(|CellShear { along, across }| ShearPlane { along, across }),
            tilt: self.tilt,
            rate: self.rate,
            press: self.press.as_ref().map(|press| CellPress {
                mass: press.mass,
                stress: in_space(press.stress),
                shear: press.shear,
                follows: press.follows,
                depth: press.depth,
            }),
            stretching_urge: in_space(self.urge.stretching),
            sliding_urge: self.urge.sliding,
        }
    }
}

impl From<&CellState> for Cell<D3> {
    fn from(state: &CellState) -> Cell<D3> {
        Cell {
            origin: state.origin.into(),
            is_periodic: state.is_periodic,
            lengths: state.lengths.into(),
            stretching: state.stretching.into(),
            shear: state.shear.map(|ShearPlane { along, across }| CellShear { along, across }),
            tilt: state.tilt,
            rate: state.rate,
            press: state.press.as_ref().map(|press| StressControl {
                mass: press.mass,
                stress: press.stress.into(),
                shear: press.shear,
                follows: press.follows,
                depth: press.depth,
            }),
            urge: CellMotion { stretching: state.stretching_urge.into(), sliding: state.sliding_urge },
        }
    }
}
