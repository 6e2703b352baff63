//! Stress.

use super::grid::Grid;
use super::view::{FrameRegion, FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::love_weber;
use crate::measure::tensor::{Tensor, fit_gradient};
use crate::measure::vector::{add, dot, sub, times};

/// Stress, compression positive.
///
/// Static part: that of Love and Weber ([`love_weber`]) over the grains in the region. Kinetic part: K = 1/V sum of m
/// (v - V)(v - V), with the field V(x) = V0 + G (x - x0) that fits the velocities best, weighted by mass: what shears
/// or spreads evenly has no kinetic stress. Without a fit (grains on a line, or no more grains than it takes) V is
/// their mean velocity. Pressure is the trace of S + K over the dimension, shear is (s : s / 2)^1/2 of its deviator
/// s. Grains that are fixed belong to the boundary and have no stress.
pub struct Stress;

/// Static and kinetic stress of a region [Pa].
#[derive(Clone, Copy, Debug, Default)]
pub struct Stresses {
    /// Of the contacts.
    pub contacts: Tensor,
    /// Of the motion.
    pub motion: Tensor,
}

impl Stresses {
    /// Sum of both parts.
    pub fn total(&self) -> Tensor {
        self.contacts.plus(&self.motion)
    }

    /// Pressure [Pa].
    pub fn pressure(&self, dimension: usize) -> f64 {
        self.total().trace() / dimension as f64
    }
}

/// Sum over the contacts of every grain of f (x_p - x_c) [N m].
pub fn moments(view: &FrameView) -> Vec<Tensor> {
    love_weber::moments(view.frame.grains.position.len(), &view.contact_forces())
}

/// Velocity of the mass of some grains [m/s].
pub fn mean_velocity(view: &FrameView, grains: &[usize]) -> [f64; 3] {
    let (mut mass, mut sum) = (0.0, [0.0; 3]);
    for k in grains {
        let m = view.frame.grains.mass[*k];
        mass += m;
        (0..3).for_each(|i| sum[i] += m * view.frame.grains.velocity[*k][i]);
    }
    times(sum, 1.0 / mass)
}

/// The linear field that fits the velocities of some grains best.
pub struct Streaming {
    velocity: [f64; 3],
    centre: [f64; 3],
    /// Gradient of the velocity [1/s]; zero if the grains do not tell.
    pub gradient: Option<Tensor>,
}

impl Streaming {
    /// The field of some grains, at least one.
    pub fn of(view: &FrameView, grains: &[usize]) -> Streaming {
        let (columns, d) = (&view.frame.grains, view.dimension());
        let samples: Vec<_> =
            grains.iter().map(|k| (columns.mass[*k], columns.position[*k], columns.velocity[*k])).collect();
        let mass: f64 = samples.iter().map(|(m, ..)| m).sum();
        let sum = samples.iter().fold([0.0; 3], |sum, (m, x, _)| add(sum, times(*x, *m)));
        // d + 1 grains are fitted exactly, whatever they do
        let gradient = (grains.len() > d + 1).then(|| fit_gradient(&samples, d)).flatten();
        Streaming { velocity: mean_velocity(view, grains), centre: times(sum, 1.0 / mass), gradient }
    }

    /// Velocity at a point [m/s].
    pub fn at(&self, x: [f64; 3]) -> [f64; 3] {
        let from = sub(x, self.centre);
        let gradient = self.gradient.unwrap_or_default();
        add(self.velocity, std::array::from_fn(|i| dot(gradient.0[i], from)))
    }
}

/// Stress of a region from its grains and the moments of all.
pub fn stress_in(view: &FrameView, region: &FrameRegion, grains: &[usize], moments: &[Tensor]) -> Stresses {
    if grains.is_empty() {
        return Stresses::default();
    }
    let mut motion = Tensor::default();
    let streaming = Streaming::of(view, grains);
    for &k in grains {
        let v = sub(view.frame.grains.velocity[k], streaming.at(view.frame.grains.position[k]));
        motion.add_dyad(view.frame.grains.mass[k], v, v);
    }
    let volume = region.volume(view.setting.depth);
    Stresses { contacts: love_weber::stress(moments, grains, volume), motion: motion.times(1.0 / volume) }
}

impl FrameMeasure for Stress {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns = Grid::columns(view);
        columns.extend(Tensor::columns(view.axes(), "stress", "Pa"));
        columns.extend(Tensor::columns(view.axes(), "kinetic_stress", "Pa"));
        columns.extend(["pressure", "shear_stress"].map(|name| Column::new(name, "Pa")));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let (grid, moments, d) = (Grid::of(view)?, moments(view), view.dimension());
        Ok(grid.rows(view, |cell, grains| {
            let stress = stress_in(view, cell, grains, &moments);
            let mut row = stress.contacts.entries(d);
            row.extend(stress.motion.entries(d));
            row.extend([stress.pressure(d), stress.total().shear(d)]);
            row
        }))
    }

    fn cells(&self, view: &FrameView) -> Result<Option<Grid>, Nothing> {
        view.options.cells.map(|_| Grid::of(view)).transpose()
    }
}
