//! Affine and non-affine strain.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::tensor::{Sample, Tensor, fit_gradient};
use crate::measure::vector::{dot, sub};
use crate::record::Frame;

/// Strain of the grains between the first frame and this one.
///
/// The gradient G of the displacements u = u0 + G (X - X0) is that of least squares over the grains that were in the
/// region at first. The change of volume is det(1 + G) - 1, negative in compression, the shear strain (e : e / 2)^1/2 x 2 of
/// the deviator e of the symmetric part. What the fit leaves, the mean square of u - u0 - G (X - X0), is the
/// non-affine part [FalkLanger].
pub(crate) struct AffineStrain;

impl FrameMeasure for AffineStrain {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns = Tensor::columns(view.axes(), "displacement_gradient", "1");
        columns.extend(["affine_volume_change", "affine_shear_strain"].map(|name| Column::new(name, "1")));
        columns.push(Column::new("non_affine_square", "m2"));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let d = view.dimension();
        let (gradient, samples) = gradient(view, view.since()?)?;
        let mut map = gradient;
        (0..d).for_each(|i| map.0[i][i] += 1.0);
        let mut row = gradient.entries(d);
        row.extend([map.determinant(d) - 1.0, 2.0 * gradient.shear(d), non_affine(&samples, &gradient)]);
        Ok(vec![row])
    }

    fn looks_back(&self) -> bool {
        true
    }
}

/// The gradient of the linear field that fits the displacements since a frame best, of the grains that were in the
/// region then; and what it fits.
pub(super) fn gradient(view: &FrameView, first: &Frame) -> Result<(Tensor, Vec<Sample>), Nothing> {
    let start = FrameView { frame: first, ..*view };
    let (old, new) = (&first.grains, &view.frame.grains);
    let mut samples = Vec::new();
    for k in start.grains_in(&start.region()?) {
        if let Ok(now) = new.id.binary_search(&old.id[k]) {
            let from = old.own_position(k);
            samples.push((1.0, from, sub(new.own_position(now), from)));
        }
    }
    let gradient = fit_gradient(&samples, view.dimension())
        .ok_or_else(|| Nothing::Lacks("a strain takes grains that do not all stand on one line or plane".into()))?;
    Ok((gradient, samples))
}

/// Mean square of what a gradient leaves of the displacements [m2].
fn non_affine(samples: &[Sample], gradient: &Tensor) -> f64 {
    let count = samples.len() as f64;
    let left = |x: &[f64; 3], u: &[f64; 3]| sub(*u, std::array::from_fn(|i| dot(gradient.0[i], *x)));
    let sum = samples.iter().fold([0.0; 3], |sum, (_, x, u)| crate::measure::vector::add(sum, left(x, u)));
    let mean = sum.map(|s| s / count);
    samples.iter().map(|(_, x, u)| sub(left(x, u), mean)).map(|rest| dot(rest, rest)).sum::<f64>() / count
}
