//! Strain of a sample between plates, in a membrane, or in a periodic cell.

use super::affine_strain::gradient;
use super::profile;
use super::view::{FrameView, Nothing};
use super::wall_form::WallForm;
use super::{Column, FrameMeasure};
use crate::measure::vector::{add, dot};
use crate::record::Frame;

/// Axial and volumetric strain of a sample since the first frame or the beginning of a stage, compression positive:
/// 1 - L/L0 along the axis, and 1 - V/V0.
///
/// Lengths along the axes are those of the boundary: the length of a periodic cell, or the distance of the two planes
/// that face each other across the axis, which the stop rule `strain` looks at. Where there is neither, because the
/// sides are free or bear a membrane, the length changes by the factor 1 + G_ii of the linear field that fits the
/// displacements of the grains best. V/V0 is the product. The axis is that of gravity if none is given, and the last
/// one without gravity.
pub(crate) struct Strain;

/// Planes stand across an axis if the cosine of the angle between it and their normal is larger: directions are written
/// with a few digits.
const ALONG: f64 = 1.0 - 1e-6;

/// Distance along an axis of the nearest planes that face each other across it [m], as they stand in a frame.
fn distance(view: &FrameView, frame: &Frame, axis: usize) -> Option<f64> {
    let states = &frame.wall_states;
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (wall, form) in view.setting.forms.iter().enumerate() {
        let WallForm::Plane { point, normal } = form else { continue };
        let is_open = states.open.get(wall).is_some_and(|open| *open != 0);
        if is_open || normal[axis].abs() <= ALONG {
            continue;
        }
        let moved = states.displacement.get(wall).copied().unwrap_or_default();
        let at = dot(add(*point, moved), *normal) * normal[axis].signum();
        if normal[axis] > 0.0 { low = low.max(at) } else { high = high.min(at) }
    }
    (low < high && (high - low).is_finite()).then_some(high - low)
}

/// Length along an axis now over that in the first frame.
fn stretch(view: &FrameView, first: &Frame, axis: usize) -> Result<f64, Nothing> {
    let length = |frame: &Frame| match &frame.cell {
        Some(cell) if cell.is_periodic[axis] => Some(cell.lengths[axis]),
        _ => distance(view, frame, axis),
    };
    match (length(first), length(view.frame)) {
        (Some(then), Some(now)) => Ok(now / then),
        _ => Ok(1.0 + gradient(view, first)?.0.0[axis][axis]),
    }
}

impl FrameMeasure for Strain {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["axial_strain", "volumetric_strain"].map(|name| Column::new(name, "1")).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let first = view.since()?;
        let lengths = (0..view.dimension()).map(|axis| stretch(view, first, axis));
        let lengths = lengths.collect::<Result<Vec<f64>, Nothing>>()?;
        Ok(vec![vec![1.0 - lengths[profile::axis(view)], 1.0 - lengths.iter().product::<f64>()]])
    }

    fn takes_region(&self) -> bool {
        false
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn has_axis(&self) -> bool {
        true
    }
}
