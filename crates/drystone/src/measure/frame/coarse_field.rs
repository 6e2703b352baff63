//! Fields.

use std::f64::consts::{PI, SQRT_2};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::grid::Grid;
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::love_weber::ContactForce;
use crate::measure::tensor::Tensor;
use crate::measure::vector::{add, dot, norm, sub, times};

/// Coarse-grained fields with a Gaussian phi of width w [Goldhirsch], at the middle of every cell.
///
/// Density rho = sum of m phi(x - x_i); velocity V = sum of m v phi / rho; kinetic stress = sum of m (v - V)(v - V)
/// phi; temperature = its trace over rho and dimension; contact stress = sum over contacts of f l times the mean of
/// phi along the branch l, from centre to centre, or from the contact with a wall or fixed grain. Compression is
/// positive. The width is one mean diameter unless --width says otherwise, and cells are as long as the width unless
/// --cells does. Next to walls the fields fall off within w, because grains are on one side only.
pub(crate) struct CoarseField;

/// Where a Gaussian counts as zero, in widths: there it is 10^-14 of its height, below the rounding of sums.
const FAR: f64 = 8.0;

/// A branch that carries a force: start, direction, length, and the dyad of force and branch.
struct Branch {
    start: [f64; 3],
    along: [f64; 3],
    length: f64,
    moment: Tensor,
}

fn branches(view: &FrameView) -> Vec<Branch> {
    let grains = &view.frame.grains;
    let end = |grain: Option<usize>, point: [f64; 3]| match grain {
        Some(grain) if view.is_free(grain) => grains.position[grain],
        _ => point,
    };
    let branch = |link: ContactForce| {
        let point = add(grains.position[link.b], link.arm_b);
        let (start, stop) = match (link.a, &view.frame.cell) {
            // the image of a that touches b
            (Some(a), Some(_)) if view.is_free(a) => (sub(point, link.arm_a), end(Some(link.b), point)),
            _ => (end(link.a, point), end(Some(link.b), point)),
        };
        let (branch, mut moment) = (sub(stop, start), Tensor::default());
        moment.add_dyad(1.0, link.force, branch);
        let length = norm(branch);
        Branch { start, along: times(branch, 1.0 / length), length, moment }
    };
    view.contact_forces().into_iter().map(branch).filter(|branch| branch.length > 0.0).collect()
}

/// A grain or an image of it: its number, how far away it is and how much faster.
type Spot = (usize, [f64; 3], [f64; 3]);

/// Branches and those of their images that reach within `margin` of a periodic cell.
fn with_images(view: &FrameView, branches: Vec<Branch>, margin: f64) -> Vec<Branch> {
    let Some(cell) = view.cell() else { return branches };
    let mut all = Vec::new();
    for Branch { start, along, length, moment } in branches {
        let home = cell.wrap(glam::DVec3::from_array(start));
        let mut put = |start: glam::DVec3| all.push(Branch { start: start.to_array(), along, length, moment });
        put(home);
        cell.around(home, margin + length, |_, at| put(at));
    }
    all
}

/// The fields at a point: density, velocity, kinetic and contact stress.
struct Values {
    density: f64,
    velocity: [f64; 3],
    motion: Tensor,
    contacts: Tensor,
}

impl CoarseField {
    /// The grid of the fields and their width [m].
    fn grid(view: &FrameView) -> Result<(Grid, f64), Nothing> {
        let region = view.region()?;
        let width = view.options.width * view.mean_diameter(&view.grains_in(&region));
        let mut cells = view
            .options
            .cells
            .unwrap_or_else(|| std::array::from_fn(|i| (region.length(i) / width).ceil().max(1.0) as usize));
        if view.dimension() == 2 {
            cells[2] = 1;
        }
        Ok((Grid { region, cells }, width))
    }

    fn at(view: &FrameView, spots: &[Spot], branches: &[Branch], x: [f64; 3], w: f64) -> Values {
        let (grains, d) = (&view.frame.grains, view.dimension());
        let depth = if d == 2 { view.setting.depth } else { 1.0 };
        let height = |dimension: usize| (2.0 * PI * w * w).powf(-0.5 * dimension as f64) / depth;
        let peak = height(d);
        let phi = |square: f64| peak * (-0.5 * square / (w * w)).exp();
        let mut weights = Vec::new();
        let (mut density, mut momentum) = (0.0, [0.0; 3]);
        for &(k, shift, jump) in spots.iter().filter(|(k, ..)| view.is_free(*k)) {
            let away = sub(x, add(grains.position[k], shift));
            let square = dot(away, away);
            if square < (FAR * w).powi(2) {
                let mass = grains.mass[k] * phi(square);
                density += mass;
                let v = add(grains.velocity[k], jump);
                momentum = add(momentum, times(v, mass));
                weights.push((v, mass));
            }
        }
        let velocity = times(momentum, 1.0 / density);
        let mut motion = Tensor::default();
        for (v, mass) in weights {
            let v = sub(v, velocity);
            motion.add_dyad(mass, v, v);
        }
        let mut contacts = Tensor::default();
        let flat = height(d - 1);
        for Branch { start, along, length, moment } in branches {
            let away = sub(x, *start);
            let t = dot(away, *along);
            let square = dot(away, away) - t * t;
            if square < (FAR * w).powi(2) && t > -FAR * w && t < length + FAR * w {
                let part = libm::erf((length - t) / (SQRT_2 * w)) + libm::erf(t / (SQRT_2 * w));
                let mean = flat * (-0.5 * square / (w * w)).exp() * 0.5 * part / length;
                contacts = contacts.plus(&moment.times(mean));
            }
        }
        Values { density, velocity, motion, contacts }
    }
}

impl FrameMeasure for CoarseField {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns: Vec<Column> = view.axes().iter().map(|axis| Column::new(*axis, "m")).collect();
        columns.push(Column::new("density", "kg/m3"));
        columns.extend(view.axes().iter().map(|axis| Column::new(format!("velocity_{axis}"), "m/s")));
        columns.push(Column::new("temperature", "m2/s2"));
        columns.extend(Tensor::columns(view.axes(), "stress", "Pa"));
        columns.extend(Tensor::columns(view.axes(), "kinetic_stress", "Pa"));
        columns.push(Column::new("pressure", "Pa"));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let ((grid, width), d) = (Self::grid(view)?, view.dimension());
        let (spots, branches) = (view.with_images(FAR * width), with_images(view, branches(view), FAR * width));
        let row = |k: usize| {
            let x = grid.cell(k).middle();
            let Values { density, velocity, motion, contacts } = Self::at(view, &spots, &branches, x, width);
            let mut row = x[..d].to_vec();
            row.push(density);
            row.extend(&velocity[..d]);
            row.push(motion.trace() / (density * d as f64));
            row.extend(contacts.entries(d));
            row.extend(motion.entries(d));
            row.push((contacts.trace() + motion.trace()) / d as f64);
            row
        };
        Ok((0..grid.count()).into_par_iter().map(row).collect())
    }

    fn is_row(&self) -> bool {
        false
    }

    fn cells(&self, view: &FrameView) -> Result<Option<Grid>, Nothing> {
        Self::grid(view).map(|(grid, _)| Some(grid))
    }
}
