//! Pictures of 2D frames: disks, stones, walls and force lines as SVG.

use super::border;
use super::force::ForceLines;
use super::joints::Joints;
use super::legend::{Entry, materials};
use super::look::Look;
use super::palette::{self, Colour, GREY, INK, hex};
use super::sheet::Sheet;
use super::view::{Bounds, View, between};
use super::{Balls, Grain, drawable_grains, is_drawable, mean_radius};
use drystone::record::frame::Frame;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Distance between the strokes of a wall's hatch [px].
const HATCH: f64 = 14.0;
/// Disks smaller than this show no orientation [px].
const LEGIBLE: f64 = 2.5;

/// The picture of a 2D frame as SVG text.
pub(super) fn svg(frame: &Frame, title: &str, look: &Look) -> String {
    let mut grains = drawable_grains(frame);
    border::add_images(frame, &mut grains);
    grains.retain(|g| look.shows(g.position));
    let view = view(frame, &grains, look);
    let paint = look.paint(frame);
    let joints = Joints::of(frame);
    let forces = match joints.is_empty() {
        _ if !look.has_forces(2) => ForceLines::new(&Frame::default(), &grains, &view, look),
        true => ForceLines::new(frame, &grains, &view, look),
        false => ForceLines::new(&joints.thrust(frame), &grains, &view, look),
    };
    let marks = joints.svg(frame, &grains, &view);
    let picture = disks(&grains, &view, paint.as_ref().map_or(&[], |(colours, _)| colours))
        + &forces.svg()
        + &walls(frame, &grains, &view)
        + &border::svg(frame, &grains, &view)
        + &marks;
    let mut legend: Vec<Entry> = paint.iter().flat_map(|(_, legend)| legend.clone()).collect();
    legend.extend(forces.legend());
    legend.extend(joints.legend(frame));
    if paint.is_none() {
        legend.extend(materials(&grains, palette::disk));
    }
    Sheet::new(frame, title, view, legend).svg(&picture)
}

/// All grains with a margin of one and a half radii, and the walls close by.
fn view(frame: &Frame, grains: &[Grain], look: &Look) -> View {
    let (mut disks, mut walls) = (Bounds::NOTHING, Bounds::NOTHING);
    if let Some(room) = look.room {
        room.iter().for_each(|corner| disks.include([corner[0], corner[1]], 0.0));
        return View::fit(disks, walls, mean_radius(grains));
    }
    for g in grains {
        disks.include([g.position[0], g.position[1]], g.radius);
    }
    for corner in frame.walls.iter().flat_map(|face| &face.corners).filter(|c| is_drawable(**c)) {
        walls.include([corner[0], corner[1]], 0.0);
    }
    View::fit(disks, walls, 1.5 * mean_radius(grains))
}

/// The disks, grouped by colour, and one path with a radius line for every disk.
fn disks(grains: &[Grain], view: &View, paint: &[Colour]) -> String {
    let outline = (0.07 * mean_radius(grains) * view.scale).clamp(0.3, 2.0);
    let mut groups: BTreeMap<Colour, String> = BTreeMap::new();
    let mut marks = String::new();
    for g in grains {
        let [x, y] = view.pixel([g.position[0], g.position[1]]);
        let r = g.radius * view.scale;
        let group = groups.entry(colour(g, paint)).or_default();
        if let Some(corners) = &g.corners {
            let pixel = |corner: &[f64; 3]| view.pixel([corner[0], corner[1]]).map(|x| format!("{x:.2}")).join(",");
            let points = corners.iter().map(pixel).collect::<Vec<_>>().join(" ");
            let _ = writeln!(group, r#"<polygon points="{points}" stroke-linejoin="round"/>"#);
            continue;
        }
        if let Some(balls) = &g.balls {
            group.push_str(&clump(balls, view, outline, &hex(colour(g, paint))));
            continue;
        }
        // Half the outline lies outside the circle: drawn smaller, touching disks just touch.
        let inner = (r - 0.5 * outline).max(0.5 * r);
        let _ = writeln!(group, r#"<circle cx="{x:.2}" cy="{y:.2}" r="{inner:.2}"/>"#);
        let [dx, dy] = heading(g.orientation).map(|d| d * inner);
        if r > LEGIBLE && dx.is_finite() && dy.is_finite() {
            let _ = write!(marks, "M{:.1} {:.1}L{:.1} {:.1}", x + 0.5 * dx, y - 0.5 * dy, x + dx, y - dy);
        }
    }
    let mut svg = format!("<g stroke=\"{}\" stroke-width=\"{outline:.2}\">\n", hex(GREY));
    for (colour, circles) in groups {
        let _ = write!(svg, "<g fill=\"{}\">\n{circles}</g>\n", hex(colour));
    }
    if !marks.is_empty() {
        let _ = writeln!(svg, r#"<path fill="none" d="{marks}"/>"#);
    }
    svg.push_str("</g>\n");
    svg
}

/// A clump as its disks, or a capsule as a stroke with round ends: first with the outline, then without, so that no
/// outline is left inside.
fn clump(balls: &Balls, view: &View, outline: f64, fill: &str) -> String {
    let Balls { centres: at, radii } = balls;
    let pixel = |x: &[f64; 3]| view.pixel([x[0], x[1]]);
    let mut svg = String::new();
    for inner in [0.0, outline] {
        let colour = if inner == 0.0 { hex(GREY) } else { fill.to_string() };
        if at.len() == radii.len() {
            for (x, radius) in at.iter().zip(radii) {
                let ([x, y], r) = (pixel(x), (radius * view.scale - inner).max(0.0));
                let _ = writeln!(svg, r#"<circle cx="{x:.2}" cy="{y:.2}" r="{r:.2}" stroke="none" fill="{colour}"/>"#);
            }
        } else {
            let ([x1, y1], [x2, y2]) = (pixel(&at[0]), pixel(&at[1]));
            let width = 2.0 * (radii[0] * view.scale - inner).max(0.0);
            let _ = writeln!(
                svg,
                r#"<line x1="{x1:.2}" y1="{y1:.2}" x2="{x2:.2}" y2="{y2:.2}" stroke="{colour}" stroke-width="{width:.2}" stroke-linecap="round"/>"#
            );
        }
    }
    svg
}

/// Colour of a grain: what it is painted, else that of its material.
fn colour(grain: &Grain, paint: &[Colour]) -> Colour {
    let painted = paint.get(grain.index).copied();
    painted.unwrap_or_else(|| palette::disk(grain.material, grain.fixed))
}

/// Where the x axis of a turned grain points.
fn heading([_, _, z, w]: [f64; 4]) -> [f64; 2] {
    let (cos, sin) = (w * w - z * z, 2.0 * w * z);
    let norm = cos.hypot(sin);
    [cos / norm, sin / norm]
}

/// Walls: a thick line each, hatched on the side away from the grains.
fn walls(frame: &Frame, grains: &[Grain], view: &View) -> String {
    let inside = view.pixel(centre(grains));
    let (mut lines, mut hatch) = (String::new(), String::new());
    for corners in frame.walls.iter().flat_map(|face| face.corners.windows(2)) {
        if !is_drawable(corners[0]) || !is_drawable(corners[1]) {
            continue;
        }
        let ends = [0, 1].map(|i| view.pixel([corners[i][0], corners[i][1]]));
        let Some(span) = view.clip(ends[0], ends[1]) else {
            continue;
        };
        let [a, b] = span.map(|at| between(ends[0], ends[1], at));
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        if length < 0.01 {
            continue;
        }
        let _ = write!(lines, "M{:.2} {:.2}L{:.2} {:.2}", a[0], a[1], b[0], b[1]);
        let along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
        let out = [along[1], -along[0]];
        let side = (inside[0] - a[0]) * out[0] + (inside[1] - a[1]) * out[1];
        let out = if side > 0.0 { out.map(|c| -c) } else { out };
        for k in 0..(length / HATCH) as usize {
            let at = (k as f64 + 0.5) * length / (length / HATCH).floor();
            let foot = [0, 1].map(|i| a[i] + at * along[i]);
            let end = [0, 1].map(|i| 0.7 * HATCH * (out[i] - along[i]));
            let _ = write!(hatch, "M{:.1} {:.1}l{:.1} {:.1}", foot[0], foot[1], end[0], end[1]);
        }
    }
    let mut svg = format!("<g fill=\"none\" stroke=\"{}\">\n", hex(INK));
    for (path, style) in [(hatch, "stroke-width=\"1.2\""), (lines, "stroke-width=\"3.5\" stroke-linecap=\"round\"")] {
        if !path.is_empty() {
            let _ = writeln!(svg, r#"<path {style} d="{path}"/>"#);
        }
    }
    svg.push_str("</g>\n");
    svg
}

/// Mean position of the grains, the origin without grains.
fn centre(grains: &[Grain]) -> [f64; 2] {
    let sum = grains.iter().fold([0.0; 2], |s, g| [s[0] + g.position[0], s[1] + g.position[1]]);
    sum.map(|s| s / grains.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::super::{parse, tests::row};
    use super::*;

    #[test]
    fn heading_follows_the_quaternion() {
        for angle in [0.0_f64, 0.7, 2.0, -3.0] {
            let [x, y] = heading([0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()]);
            assert!((x - angle.cos()).abs() < 1e-12 && (y - angle.sin()).abs() < 1e-12);
        }
    }

    #[test]
    fn every_grain_is_a_circle() {
        let grains = drawable_grains(&row(2, 17));
        let svg = disks(&grains, &view(&row(2, 17), &grains, &Look::default()), &[]);
        assert_eq!(svg.matches("<circle").count(), 17);
    }

    #[test]
    fn hatch_lies_below_a_floor_whichever_way_its_corners_run() {
        for turned in [false, true] {
            let mut frame = row(2, 4);
            if turned {
                frame.walls[0].corners.reverse();
            }
            let grains = drawable_grains(&frame);
            let view = view(&frame, &grains, &Look::default());
            let svg = walls(&frame, &grains, &view);
            let end = svg.split("1.2\" d=\"").nth(1).unwrap().split(['l', 'M']).nth(2).unwrap();
            let down: f64 = end.split(' ').nth(1).unwrap().trim_end_matches('"').parse().unwrap();
            assert!(down > 0.0, "{end}");
        }
    }

    #[test]
    fn twenty_thousand_grains_stay_compact() {
        let text = svg(&row(2, 20_000), "long row", &Look::default());
        assert!(text.len() < 4_000_000, "{} bytes", text.len());
        assert!(parse(&text).is_ok());
    }
}
