//! The room around the grains in 3D: the walls' faces behind them and the edges around them.

use super::Grain;
use super::camera::{Camera, SAMPLES, pixel};
use super::palette::{GREY, PAPER, hex, mix};
use super::raster::Sample;
use super::view::{View, between};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The faces behind the grains, in pale grey, the level ones a little darker: a room for the grains to stand in.
pub fn backdrop(faces: &[Vec<[f64; 3]>], grains: &[Grain], view: &View, camera: &Camera) -> String {
    let centres = grains.iter().map(|g| camera.project(g.position));
    let sum = centres.fold([0.0; 3], |s, c| std::array::from_fn(|i| s[i] + c[i]));
    let middle = sum.map(|s| s / grains.len().max(1) as f64);
    let up = camera.project([0.0, 0.0, 1.0]);
    let mut svg = String::new();
    for corners in faces.iter().filter(|corners| corners.len() > 2) {
        let normal = normal(corners);
        let to_grains: [f64; 3] = std::array::from_fn(|i| middle[i] - corners[0][i]);
        let behind = dot(normal, to_grains) * normal[2] > 0.0;
        if !behind || !normal.iter().all(|c| c.is_finite()) {
            continue;
        }
        let fill = hex(mix(PAPER, GREY, 0.05 + 0.09 * dot(normal, up).abs()));
        let points = corners.iter().map(|&c| pixel(c, view));
        let path: String = points.map(|[x, y, _]| format!("{x:.1} {y:.1} ")).collect();
        let _ = writeln!(svg, r#"<polygon points="{path}" fill="{fill}"/>"#);
    }
    svg
}

/// Unit normal of a polygon (Newell); not finite if the polygon has no area.
fn normal(corners: &[[f64; 3]]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (k, a) in corners.iter().enumerate() {
        let b = &corners[(k + 1) % corners.len()];
        for (i, area) in sum.iter_mut().enumerate() {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            *area += (a[j] - b[j]) * (a[l] + b[l]);
        }
    }
    let norm = dot(sum, sum).sqrt();
    sum.map(|s| s / norm)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The edges of the walls where no grain hides them, each once, as SVG of the picture area.
pub fn wireframe(faces: &[Vec<[f64; 3]>], samples: &[Sample], view: &View) -> String {
    let mut edges = BTreeSet::new();
    for corners in faces {
        for (k, &a) in corners.iter().enumerate() {
            let ends = [a, corners[(k + 1) % corners.len()]].map(|c| pixel(c, view));
            let mut key = ends.map(|c| c.map(|x| (x * 10.0).round() as i64));
            key.sort_unstable();
            edges.insert(key);
        }
    }
    let mut path = String::new();
    for [a, b] in edges.into_iter().map(|key| key.map(|c| c.map(|x| x as f64 / 10.0))) {
        visible_pieces(&mut path, a, b, samples, view);
    }
    let [width, height] = view.size;
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><path fill="none" stroke="{}" stroke-opacity="0.6" stroke-width="1.5" d="M0 0{path}"/></svg>"#,
        hex(GREY)
    )
}

/// Appends the parts of an edge [px] that are nearer than the grains.
fn visible_pieces(path: &mut String, a: [f64; 3], b: [f64; 3], samples: &[Sample], view: &View) {
    let Some([enter, leave]) = view.clip([a[0], a[1]], [b[0], b[1]]) else {
        return;
    };
    let length = (leave - enter) * (b[0] - a[0]).hypot(b[1] - a[1]);
    let pieces = (length / 2.0).ceil().max(1.0);
    let [width, height] = view.size.map(|s| s as usize * SAMPLES);
    let mut drawing = false;
    for k in 0..pieces as usize {
        let at = |k: f64| between(a, b, enter + (leave - enter) * k / pieces);
        let [x, y, z] = at(k as f64 + 0.5).map(|c| c * SAMPLES as f64);
        let sample = samples[(y as usize).min(height - 1) * width + (x as usize).min(width - 1)];
        let visible = z as f32 > sample.depth;
        if visible && !drawing {
            let [x, y, _] = at(k as f64);
            let _ = write!(path, "M{x:.1} {y:.1}");
        }
        let last = k + 1 == pieces as usize;
        if (drawing && !visible) || (visible && last) {
            let [x, y, _] = at(if visible { k as f64 + 1.0 } else { k as f64 });
            let _ = write!(path, "L{x:.1} {y:.1}");
        }
        drawing = visible;
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::{projected_faces, view};
    use super::super::{drawable_grains, look::Look, tests::row};
    use super::*;
    use drystone::record::frame::Frame;

    #[test]
    fn a_floor_is_backdrop_and_a_lid_is_not() {
        let mut frame = row(3, 3);
        let grains = drawable_grains(&frame);
        let seen = |frame: &Frame| {
            let (look, camera) = (Look::default(), Camera::default());
            let faces = projected_faces(frame, &camera);
            backdrop(&faces, &grains, &view(&grains, &faces, &look), &camera).contains("polygon")
        };
        assert!(seen(&frame));
        frame.walls[0].corners.iter_mut().for_each(|c| c[2] = 5.0);
        assert!(!seen(&frame));
    }

    #[test]
    fn edges_behind_grains_are_hidden_and_shared_ones_drawn_once() {
        let sample = |depth| Sample { depth, ball: 0, facet: super::super::raster::NONE };
        let frame = row(3, 3);
        let faces = projected_faces(&frame, &Camera::default());
        let view = view(&drawable_grains(&frame), &faces, &Look::default());
        let count = view.size[0] as usize * view.size[1] as usize * SAMPLES * SAMPLES;
        let clear = vec![sample(f32::NEG_INFINITY); count];
        let twice = [faces[0].clone(), faces[0].clone()];
        assert_eq!(wireframe(&faces, &clear, &view), wireframe(&twice, &clear, &view));
        assert!(wireframe(&faces, &clear, &view).contains('L'));
        let full = vec![sample(f32::INFINITY); count];
        assert!(!wireframe(&faces, &full, &view).contains('L'));
    }
}
