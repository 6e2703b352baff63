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
/// that face each other across the axis, which the stop rule `strain` looks at. V/V0 is their product. Where an axis has
/// neither, because the sides are free or bear a membrane, grains tell: with the gradient G of the linear field that fits
/// their displacements best the length changes by the factor 1 + G_ii, and V/V0 is det(1 + G). The axis is that of
/// gravity if none is given, and the last one without gravity.
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

/// Length of the boundary along an axis now over that in the first frame, if it has one.
fn stretch(view: &FrameView, first: &Frame, axis: usize) -> Option<f64> {
    let length = |frame: &Frame| match &frame.cell {
        Some(cell) if cell.is_periodic[axis] => Some(cell.lengths[axis]),
        _ => distance(view, frame, axis),
    };
    Some(length(view.frame)? / length(first)?)
}

impl FrameMeasure for Strain {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["axial_strain", "volumetric_strain"].map(|name| Column::new(name, "1")).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let (first, axis, d) = (view.since()?, profile::axis(view), view.dimension());
        let lengths: Vec<Option<f64>> = (0..d).map(|axis| stretch(view, first, axis)).collect();
        if let Some(lengths) = lengths.iter().copied().collect::<Option<Vec<f64>>>() {
            return Ok(vec![vec![1.0 - lengths[axis], 1.0 - lengths.iter().product::<f64>()]]);
        }
        let (mut map, _) = gradient(view, first)?;
        (0..d).for_each(|i| map.0[i][i] += 1.0);
        Ok(vec![vec![1.0 - lengths[axis].unwrap_or(map.0[axis][axis]), 1.0 - map.determinant(d)]])
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
