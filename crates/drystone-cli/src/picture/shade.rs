//! Light on balls: a soft lamp, the shade that neighbours throw into the gaps between them, and dark rims.

use super::facet::{Facet, RIM};
use super::palette::Colour;
use super::raster::{Ball, NONE, Sample, in_bands};

/// Towards the lamp, in the space of samples (y down, z to the eye): from the upper left, over the shoulder.
const LAMP: [f32; 3] = [-0.46, -0.66, 0.594];
/// Neighbours farther away than this throw no shade, in mean radii from surface to surface.
const REACH: f32 = 0.7;
/// At most so many neighbours, the nearest, throw shade on a ball.
const MOST: usize = 16;
/// How much paler the farthest ball is than the nearest.
const HAZE: f32 = 0.16;

/// Colours of the pixels, each the mean of 2 × 2 samples: premultiplied red, green, blue and coverage, by rows.
///
/// `width` counts samples and is even.
pub(super) fn shade(
    samples: &[Sample],
    width: usize,
    balls: &[Ball],
    facets: &[Facet],
    colours: &[Colour],
) -> Vec<[u8; 4]> {
    let neighbours = neighbours(samples, balls);
    let depths = balls.iter().map(|b| b.centre[2]);
    let (far, near) = depths.fold((f32::MAX, f32::MIN), |(far, near), z| (far.min(z), near.max(z)));
    let light = |x: usize, y: usize| -> [f32; 4] {
        let sample = samples[y * width + x];
        if sample.ball == NONE {
            return [0.0; 4];
        }
        let i = sample.ball as usize;
        let point = [x as f32 + 0.5, y as f32 + 0.5, sample.depth];
        let is_rim = sample.facet != NONE && sample.facet & RIM != 0;
        let brightness = match facets.get((sample.facet & !RIM) as usize) {
            None => brightness(point, &balls[i], &neighbours[i], balls),
            Some(facet) => flat_brightness(facet.normal) * if is_rim { 0.6 } else { 1.0 },
        };
        let haze = HAZE * (near - balls[i].centre[2]) / (near - far).max(1e-6);
        let [r, g, b] = colours[i].map(|c| {
            let lit = (f32::from(c) * brightness).min(255.0);
            lit + haze * (255.0 - lit)
        });
        [r, g, b, 255.0]
    };
    let mut pixels = vec![[0; 4]; samples.len() / 4];
    in_bands(&mut pixels, width / 2, |first_row, band| {
        for (k, pixel) in band.iter_mut().enumerate() {
            let (x, y) = (2 * (k % (width / 2)), 2 * (first_row + k / (width / 2)));
            let four = [light(x, y), light(x + 1, y), light(x, y + 1), light(x + 1, y + 1)];
            *pixel = std::array::from_fn(|c| (0.25 * four.iter().map(|s| s[c]).sum::<f32>() + 0.5) as u8);
        }
    });
    pixels
}

/// How bright a flat face is: the same all over, so that edges show.
fn flat_brightness(normal: [f32; 3]) -> f32 {
    let half = 0.5 + 0.5 * dot(normal, LAMP);
    0.30 + 0.16 * (0.5 - 0.5 * normal[1]) + 0.66 * half * half
}

/// How bright a point on a ball is; 1 shows its colour as it is.
fn brightness(point: [f32; 3], ball: &Ball, neighbours: &[u32], balls: &[Ball]) -> f32 {
    let normal: [f32; 3] = std::array::from_fn(|i| (point[i] - ball.centre[i]) / ball.radius);
    let open: f32 = neighbours.iter().map(|&j| 1.0 - 0.85 * occlusion(point, normal, &balls[j as usize])).product();
    // A wide lamp: Lambert's cosine law wrapped around the ball, so that no hard edge divides day from night.
    let half = 0.5 + 0.5 * dot(normal, LAMP);
    let lambert = half * half;
    let sky = 0.5 - 0.5 * normal[1];
    let light = (0.37 + 0.18 * sky) * open + 0.60 * lambert * (0.4 + 0.6 * open);
    // The rim keeps about one and a half samples on small balls, a tenth of the radius on large ones.
    let rim = (0.2 + 1.6 / ball.radius).min(0.75);
    let edge = (normal[2] / rim).clamp(0.0, 1.0);
    light * (0.48 + 0.52 * edge * edge * (3.0 - 2.0 * edge))
}

/// The part of the sky above a surface that a ball hides, weighted by the cosine: cos θ (R / d)².
///
/// Exact for a ball wholly above the surface's horizon; seen at a lower angle it is a little too much or too little.
fn occlusion(point: [f32; 3], normal: [f32; 3], other: &Ball) -> f32 {
    let to: [f32; 3] = std::array::from_fn(|i| other.centre[i] - point[i]);
    let height = dot(normal, to);
    if height <= 0.0 {
        return 0.0;
    }
    let square = dot(to, to);
    (height * other.radius * other.radius / (square * square.sqrt())).min(1.0)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// For every visible ball the nearest others, found by a grid of cells.
fn neighbours(samples: &[Sample], balls: &[Ball]) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); balls.len()];
    let mean = balls.iter().map(|b| b.radius).sum::<f32>() / balls.len().max(1) as f32;
    let (cell, reach) = (3.0 * mean, REACH * mean);
    let mut entries: Vec<([i32; 3], u32)> = Vec::new();
    for (i, ball) in balls.iter().enumerate() {
        cells(ball, 0.0, cell).for_each(|at| entries.push((at, i as u32)));
    }
    entries.sort_unstable();
    let mut visible = vec![false; balls.len()];
    samples.iter().filter(|s| s.ball != NONE).for_each(|s| visible[s.ball as usize] = true);
    in_bands(&mut lists, 1, |first, band| {
        for (k, list) in band.iter_mut().enumerate().filter(|(k, _)| visible[first + k]) {
            *list = around(first + k, balls, reach, cell, &entries);
        }
    });
    lists
}

/// The nearest neighbours of one ball, nearest first.
fn around(i: usize, balls: &[Ball], reach: f32, cell: f32, entries: &[([i32; 3], u32)]) -> Vec<u32> {
    let ball = &balls[i];
    let mut found: Vec<(f32, u32)> = Vec::new();
    for at in cells(ball, reach, cell) {
        let start = entries.partition_point(|e| e.0 < at);
        for &(_, j) in entries[start..].iter().take_while(|e| e.0 == at) {
            let other = &balls[j as usize];
            let apart: [f32; 3] = std::array::from_fn(|i| other.centre[i] - ball.centre[i]);
            let gap = dot(apart, apart).sqrt() - ball.radius - other.radius;
            if j as usize != i && gap < reach {
                found.push((gap, j));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.dedup();
    found.into_iter().take(MOST).map(|(_, j)| j).collect()
}

/// The cells that a ball grown by `reach` may touch; none for a ball that is huge among the others.
fn cells(ball: &Ball, reach: f32, cell: f32) -> impl Iterator<Item = [i32; 3]> {
    let size = ball.radius + reach;
    let low: [i32; 3] = std::array::from_fn(|i| ((ball.centre[i] - size) / cell).floor() as i32);
    let high: [i32; 3] = std::array::from_fn(|i| ((ball.centre[i] + size) / cell).floor() as i32);
    let x_end = if size > 20.0 * cell { low[0] } else { high[0].saturating_add(1) };
    (low[0]..x_end).flat_map(move |x| (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z])))
}

#[cfg(test)]
mod tests {
    use super::super::raster::nearest;
    use super::*;

    fn ball(x: f32, y: f32, radius: f32) -> Ball {
        Ball { centre: [x, y, 0.0], radius }
    }

    #[test]
    fn touching_balls_are_neighbours_and_distant_ones_are_not() {
        let balls = [ball(20.0, 20.0, 10.0), ball(40.0, 20.0, 10.0), ball(90.0, 20.0, 10.0)];
        let lists = neighbours(&nearest(&balls, 120, 40), &balls);
        assert_eq!(lists, [vec![1], vec![0], vec![]]);
    }

    #[test]
    fn neighbours_darken_the_gap_between_them() {
        let balls = [ball(20.0, 20.0, 10.0), ball(40.0, 20.0, 10.0)];
        let near_contact = [29.5, 20.0, 3.1];
        assert!(
            brightness(near_contact, &balls[0], &[1], &balls) < 0.8 * brightness(near_contact, &balls[0], &[], &balls)
        );
    }

    #[test]
    fn the_lamp_stands_on_the_upper_left() {
        let lone = ball(0.0, 0.0, 10.0);
        let [left, right] = [-5.0, 5.0].map(|x| brightness([x, x, 7.07], &lone, &[], &[]));
        assert!(left > 1.3 * right);
    }

    #[test]
    fn pixels_are_half_as_many_and_clear_without_balls() {
        let samples = nearest(&[], 8, 6);
        assert_eq!(shade(&samples, 8, &[], &[], &[]), vec![[0; 4]; 12]);
    }

    #[test]
    fn a_giant_among_small_balls_costs_no_cells() {
        let mut balls = vec![ball(0.0, 0.0, 1e6)];
        balls.extend((0..1000).map(|i| ball(i as f32, 0.0, 0.5)));
        assert_eq!(cells(&balls[0], 0.0, 3.0).count(), 0);
    }
}
