//! Faces of polyhedra: flat, convex, filled into the depth buffer of the balls.

use super::Grain;
use super::camera::{Camera, SAMPLES, pixel};
use super::raster::{Sample, in_bands};
use super::view::View;

/// A face in the space of samples: x to the right, y down, z towards the eye.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Facet {
    /// Number of the grain.
    pub grain: u32,
    /// Unit normal outwards.
    pub normal: [f32; 3],
    corners: Vec<[f32; 3]>,
}

/// The faces of polyhedra that look to the eye.
pub(super) fn facets(grains: &[Grain], camera: &Camera, view: &View) -> Vec<Facet> {
    let mut facets = Vec::new();
    for (number, grain) in grains.iter().enumerate() {
        let Some(corners) = &grain.corners else { continue };
        let seen: Vec<[f32; 3]> =
            corners.iter().map(|x| pixel(camera.project(*x), view).map(|c| (c * SAMPLES as f64) as f32)).collect();
        for face in &grain.faces {
            let corners: Vec<[f32; 3]> = face.iter().map(|k| seen[*k as usize]).collect();
            if let Some(normal) = normal(&corners).filter(|normal| normal[2] > 0.0) {
                facets.push(Facet { grain: number as u32, normal, corners });
            }
        }
    }
    facets
}

/// Unit normal towards the side from which the corners run counter-clockwise; y points down, which turns them over.
fn normal(corners: &[[f32; 3]]) -> Option<[f32; 3]> {
    let first = corners[0];
    let mut sum = [0.0_f32; 3];
    for pair in corners[1..].windows(2) {
        let of = |x: [f32; 3]| -> [f32; 3] { std::array::from_fn(|k| x[k] - first[k]) };
        let (p, q) = (of(pair[0]), of(pair[1]));
        sum[0] -= p[1] * q[2] - p[2] * q[1];
        sum[1] -= p[2] * q[0] - p[0] * q[2];
        sum[2] -= p[0] * q[1] - p[1] * q[0];
    }
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
    (length > 0.0).then(|| sum.map(|x| x / length))
}

/// Marks the number of a face in samples next to one of its edges, which are drawn darker.
pub(super) const RIM: u32 = 1 << 31;
/// Width of such an edge, in samples, and how much wider a face must be to have one.
const RIM_WIDTH: f32 = 1.3;
const WIDE: f32 = 12.0;

impl Facet {
    /// The edges as seen: distance from an edge inwards is x . [0] + y . [1] + [2].
    fn edges(&self) -> Vec<[f32; 3]> {
        let next = self.corners.iter().cycle().skip(1);
        let edge = |(p, q): (&[f32; 3], &[f32; 3])| {
            let (x, y) = (q[0] - p[0], q[1] - p[1]);
            let length = (x * x + y * y).sqrt();
            // clockwise as y points down: the inside is to the right of the way
            (length > 0.0).then(|| [y / length, -x / length, (x * p[1] - y * p[0]) / length])
        };
        self.corners.iter().zip(next).filter_map(edge).collect()
    }
}

/// Writes the samples of the faces that are nearer than what is there.
pub(super) fn fill(facets: &[Facet], samples: &mut [Sample], width: usize) {
    in_bands(samples, width, |first_row, band| {
        let rows = band.len() / width.max(1);
        for (number, facet) in facets.iter().enumerate() {
            put(facet, number as u32, first_row..first_row + rows, width, band);
        }
    });
}

fn put(facet: &Facet, number: u32, rows: std::ops::Range<usize>, width: usize, band: &mut [Sample]) {
    let edge = |pick: fn(f32, f32) -> f32, start: f32| facet.corners.iter().map(|c| c[1]).fold(start, pick);
    let (low, high) = (edge(f32::min, f32::INFINITY), edge(f32::max, f32::NEG_INFINITY));
    let from = ((low - 0.5).ceil().max(rows.start as f32)) as usize;
    let until = ((high + 0.5).floor().max(0.0) as usize).min(rows.end);
    let [n_x, n_y, n_z] = facet.normal;
    let edges = facet.edges();
    let width_of = |e: &[f32; 3]| facet.corners.iter().map(|c| e[0] * c[0] + e[1] * c[1] + e[2]).fold(0.0, f32::max);
    let has_rim = edges.iter().all(|e| width_of(e) > WIDE);
    for row in from..until {
        let y = row as f32 + 0.5;
        // where the line of the row enters and leaves the polygon
        let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
        let next = facet.corners.iter().cycle().skip(1);
        for (p, q) in facet.corners.iter().zip(next) {
            if (p[1] <= y) != (q[1] <= y) {
                let x = p[0] + (q[0] - p[0]) * ((y - p[1]) / (q[1] - p[1]));
                (left, right) = (left.min(x), right.max(x));
            }
        }
        let start = (left - 0.5).ceil().max(0.0) as usize;
        let end = ((right + 0.5).floor().max(0.0) as usize).min(width);
        let [x0, y0, z0] = facet.corners[0];
        for column in start..end {
            let x = column as f32 + 0.5;
            let depth = z0 - (n_x * (x - x0) + n_y * (y - y0)) / n_z;
            let sample = &mut band[(row - rows.start) * width + column];
            if depth > sample.depth {
                let inside = |e: &[f32; 3]| e[0] * x + e[1] * y + e[2];
                let is_rim = has_rim && edges.iter().any(|e| inside(e) < RIM_WIDTH);
                *sample = Sample { depth, ball: facet.grain, facet: if is_rim { number | RIM } else { number } };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::raster::NONE;
    use super::*;

    #[test]
    fn a_square_covers_its_area_at_its_depth() {
        // clockwise on a page whose y points down is counter-clockwise for the eye
        let square = [[10.0, 10.0, 5.0], [10.0, 30.0, 5.0], [30.0, 30.0, 5.0], [30.0, 10.0, 5.0]];
        let facet = Facet { grain: 3, normal: normal(&square).unwrap(), corners: square.to_vec() };
        assert_eq!(facet.normal, [0.0, 0.0, 1.0]);
        let mut samples = vec![Sample { depth: f32::NEG_INFINITY, ball: NONE, facet: NONE }; 40 * 40];
        fill(std::slice::from_ref(&facet), &mut samples, 40);
        let covered: Vec<&Sample> = samples.iter().filter(|s| s.ball == 3).collect();
        assert_eq!(covered.len(), 400);
        assert!(covered.iter().all(|s| s.depth == 5.0 && s.facet & !RIM == 0));
        // a rim of one sample's width all around 20 x 20
        assert_eq!(covered.iter().filter(|s| s.facet == RIM).count(), 400 - 18 * 18);
        let behind = Facet { corners: square.map(|[x, y, _]| [x, y, 1.0]).to_vec(), grain: 4, ..facet };
        fill(&[behind], &mut samples, 40);
        assert!(samples.iter().all(|s| s.ball != 4));
    }
}
