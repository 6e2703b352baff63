//! Largest hole.

use std::collections::BinaryHeap;

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::vector::{add, dot, norm, sub, times};

/// The largest ball (disk in the plane) that fits into the region without touching a grain: its middle and radius.
///
/// The distance d(x) of a point from all grains and from the faces of the region changes by no more than the point
/// moves. So a box with middle x and half diagonal h holds no hole larger than d(x) + h, and boxes that cannot hold a
/// larger one than is known are left out (branch and bound). Along a periodic axis there are images in place of
/// faces. The radius is exact to 10^-6 of the mean radius of the grains.
pub(crate) struct Hole;

/// Accuracy over the mean radius: far below what any picture or statistic resolves, far above rounding.
const ACCURACY: f64 = 1e-6;

/// A box that may hold the largest hole, with the grains that can be nearest to a point of it.
struct Part {
    bound: f64,
    middle: [f64; 3],
    half: [f64; 3],
    near: Vec<usize>,
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Part {}
impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Part {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// Distance of a point from the surface of a grain, negative inside a round one, zero inside a stone [m].
fn distance(centre: [f64; 3], radius: f64, corners: Option<&Vec<[f64; 3]>>, point: [f64; 3]) -> f64 {
    let Some(corners) = corners else { return norm(sub(point, centre)) - radius };
    let mut inside = true;
    let mut nearest = f64::INFINITY;
    for (k, p) in corners.iter().enumerate() {
        let (q, x) = (&corners[(k + 1) % corners.len()], sub(point, *p));
        let edge = sub(*q, *p);
        inside &= edge[0] * x[1] - edge[1] * x[0] >= 0.0;
        let at = (dot(x, edge) / dot(edge, edge)).clamp(0.0, 1.0);
        nearest = nearest.min(norm(sub(x, times(edge, at))));
    }
    if inside { 0.0 } else { nearest }
}

impl FrameMeasure for Hole {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns = vec![Column::new("hole_radius", "m"), Column::new("hole_radius_over_mean_radius", "1")];
        columns.extend(view.axes().iter().map(|axis| Column::new(format!("hole_{axis}"), "m")));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the largest hole")?;
        let (region, d, grains) = (view.region()?, view.dimension(), &view.frame.grains);
        let radius = 0.5 * view.mean_diameter(&view.grains_in(&region));
        // a hole across the border is no wider than the cell
        let widest = (0..d).map(|axis| region.length(axis)).fold(0.0, f64::max);
        let spots = view.with_images(widest);
        let moved = |(k, shift, _): &(usize, [f64; 3], [f64; 3])| {
            let corners = grains.corners_now(*k);
            corners.map(|corners| corners.into_iter().map(|corner| add(corner, *shift)).collect::<Vec<_>>())
        };
        let corners: Vec<Option<Vec<[f64; 3]>>> = spots.iter().map(moved).collect();
        let away = |spot: usize, x: [f64; 3]| {
            let (k, shift, _) = spots[spot];
            distance(add(grains.position[k], shift), grains.radius[k], corners[spot].as_ref(), x)
        };
        let walls = |x: [f64; 3]| {
            let ends = (0..d).filter(|axis| !view.repeats(*axis));
            ends.map(|i| (x[i] - region.min[i]).min(region.max[i] - x[i])).fold(f64::INFINITY, f64::min)
        };
        let (mut best, mut place) = (f64::NEG_INFINITY, region.middle());
        let mut parts = BinaryHeap::new();
        let half: [f64; 3] = std::array::from_fn(|i| 0.5 * region.length(i));
        let all: Vec<usize> = (0..spots.len()).collect();
        parts.push(Part { bound: f64::INFINITY, middle: region.middle(), half, near: all });
        while let Some(part) = parts.pop() {
            if part.bound <= best + ACCURACY * radius {
                break;
            }
            // the longest side is halved
            let axis = (0..d).max_by(|i, j| part.half[*i].total_cmp(&part.half[*j])).unwrap_or(0);
            let mut half = part.half;
            half[axis] *= 0.5;
            for sign in [-1.0, 1.0] {
                let mut shift = [0.0; 3];
                shift[axis] = sign * half[axis];
                let middle = add(part.middle, shift);
                let distances: Vec<f64> = part.near.iter().map(|k| away(*k, middle)).collect();
                let nearest = distances.iter().copied().fold(walls(middle), f64::min);
                if nearest > best {
                    (best, place) = (nearest, middle);
                }
                let bound = nearest + norm(half);
                if bound > best + ACCURACY * radius {
                    let close = nearest + 2.0 * norm(half);
                    let near = part.near.iter().zip(&distances).filter(|(_, far)| **far <= close);
                    parts.push(Part { bound, middle, half, near: near.map(|(k, _)| *k).collect() });
                }
            }
        }
        let mut row = vec![best, best / radius];
        row.extend(&place[..d]);
        Ok(vec![row])
    }
}
