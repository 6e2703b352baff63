//! The room around the grains in 3D: the walls' faces behind them and the edges around them.

use super::Grain;
use super::camera::{Camera, SAMPLES, pixel};
use super::palette::{GREY, PAPER, hex, mix};
use super::raster::Sample;
use super::view::{View, between};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The faces behind the grains, in pale grey, the level ones a little darker: a room for the grains to stand in.
pub(super) fn backdrop(faces: &[Vec<[f64; 3]>], grains: &[Grain], view: &View, camera: &Camera) -> String {
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

/// Faces that lean against each other by less than this are pieces of one smooth surface: cosine of 25 degrees.
const SMOOTH: f64 = 0.906;

/// Whether an edge that two faces share is inside a smooth surface, and not where it turns away from the eye.
fn is_inner(edge: [[f64; 3]; 2], faces: [&Vec<[f64; 3]>; 2]) -> bool {
    let [one, other] = faces.map(|corners| normal(corners));
    let lean = dot(one, other);
    let turns_away = one[2] * other[2] * lean < 0.0;
    let from: fn([f64; 3], [f64; 3]) -> [f64; 3] = |a, b| std::array::from_fn(|k| b[k] - a[k]);
    let along = from(edge[0], edge[1]);
    // from the edge to the middle of a face, across the edge
    let across = |corners: &Vec<[f64; 3]>| {
        let middle = std::array::from_fn(|k| corners.iter().map(|c| c[k]).sum::<f64>() / corners.len() as f64);
        let to = from(edge[0], middle);
        let part = dot(to, along) / dot(along, along);
        [0, 1, 2].map(|k| to[k] - along[k] * part)
    };
    let [p, q] = faces.map(across);
    lean.abs() > SMOOTH && !turns_away && dot(p, q) < 0.0
}

/// The edges of the walls where no grain hides them, each once, as SVG of the picture area. Seams of smooth surfaces
/// are left out. `fine` is pixels to the unit.
pub(super) fn wireframe(faces: &[Vec<[f64; 3]>], samples: &[Sample], view: &View, fine: f64) -> String {
    let stroke = 1.5 * fine;
    type Side = (usize, [[f64; 3]; 2]);
    let mut edges: BTreeMap<[[i64; 3]; 2], Vec<Side>> = BTreeMap::new();
    for (face, corners) in faces.iter().enumerate() {
        for (k, &a) in corners.iter().enumerate() {
            let ends = [a, corners[(k + 1) % corners.len()]];
            let mut key = ends.map(|c| pixel(c, view).map(|x| (x * 10.0).round() as i64));
            key.sort_unstable();
            edges.entry(key).or_default().push((face, ends));
        }
    }
    edges.retain(|_, at| match at.as_slice() {
        [(one, ends), (other, _)] => !is_inner(*ends, [&faces[*one], &faces[*other]]),
        _ => true,
    });
    let edges = edges.into_keys();
    let mut path = String::new();
    for [a, b] in edges.map(|key| key.map(|c| c.map(|x| x as f64 / 10.0))) {
        visible_pieces(&mut path, a, b, samples, view);
    }
    let [width, height] = view.size;
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><path fill="none" stroke="{}" stroke-opacity="0.6" stroke-width="{stroke:.2}" d="M0 0{path}"/></svg>"#,
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
            backdrop(&faces, &grains, &view(&grains, &faces, &[], &look), &camera).contains("polygon")
        };
        assert!(seen(&frame));
        frame.walls[0].corners.iter_mut().for_each(|c| c[2] = 5.0);
        assert!(!seen(&frame));
    }

    #[test]
    fn seams_of_a_smooth_surface_are_left_out() {
        let square = |z: f64| {
            let [a, b, c, d] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, z], [0.0, 1.0, z]];
            [vec![a, b, c], vec![a, c, d]]
        };
        let [one, other] = square(0.0);
        let seam = [one[0], one[2]];
        assert!(is_inner(seam, [&one, &other]));
        assert!(!is_inner(seam, [&one, &one]), "a face that is there twice keeps its edges");
        let bent = vec![one[0], one[2], [0.5, 0.5, 1.0]];
        assert!(!is_inner(seam, [&one, &bent]));
    }

    #[test]
    fn edges_behind_grains_are_hidden_and_shared_ones_drawn_once() {
        let sample = |depth| Sample { depth, ball: 0, facet: super::super::raster::NONE };
        let frame = row(3, 3);
        let faces = projected_faces(&frame, &Camera::default());
        let view = view(&drawable_grains(&frame), &faces, &[], &Look::default());
        let count = view.size[0] as usize * view.size[1] as usize * SAMPLES * SAMPLES;
        let clear = vec![sample(f32::NEG_INFINITY); count];
        let twice = [faces[0].clone(), faces[0].clone()];
        assert_eq!(wireframe(&faces, &clear, &view, 1.0), wireframe(&twice, &clear, &view, 1.0));
        assert!(wireframe(&faces, &clear, &view, 1.0).contains('L'));
        let full = vec![sample(f32::INFINITY); count];
        assert!(!wireframe(&faces, &full, &view, 1.0).contains('L'));
    }
}
