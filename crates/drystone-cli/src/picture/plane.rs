//! Pictures of 2D frames: disks, stones, walls and force lines as SVG.

use super::bands::ForceBands;
use super::border;
use super::force::ForceLines;
use super::joints::Joints;
use super::legend::{Entry, materials};
use super::links::{self, Placed};
use super::look::Look;
use super::palette::{self, Colour, GREY, INK, hex};
use super::paper::Paper;
use super::scene::Scene;
use super::sheet::Sheet;
use super::view::{Area, Bounds, View, between};
use super::{Balls, Grain, drawable_grains, is_drawable, mean_radius};
use drystone::record::frame::Frame;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Distance between the strokes of a wall's hatch [px].
const HATCH: f64 = 14.0;
/// Disks smaller than this show no orientation [px].
const LEGIBLE: f64 = 2.5;

/// The picture of a 2D frame as SVG text, and the paper that it is on.
pub(super) fn svg(frame: &Frame, title: &str, look: &Look) -> (String, Paper) {
    let mut grains = drawable_grains(frame);
    border::add_images(frame, &mut grains);
    grains.retain(|g| look.shows_ball(g.position, g.radius));
    let links = links::placed(frame, &look.scene);
    let view = view(frame, &grains, &links, look);
    let paint = look.paint(frame);
    let joints = Joints::of(frame);
    let forces = match joints.is_empty() {
        _ if !look.has_forces(2) => ForceLines::new(&Frame::default(), &grains, &view, look),
        true => ForceLines::new(frame, &grains, &view, look),
        false => ForceLines::new(&joints.thrust(frame), &grains, &view, look),
    };
    let bands = look.bands.map(|bands| ForceBands::new(frame, &grains, &view, look, bands));
    let (force_svg, force_legend) = match &bands {
        Some(bands) => (bands.svg(), bands.legend()),
        None => (forces.svg(), forces.legend()),
    };
    let picture = disks(&grains, &view, paint.as_ref().map_or(&[], |(colours, _)| colours))
        + &force_svg
        + &walls(frame, &look.scene, &view)
        + &border::svg(frame, &grains, &view)
        + &links::svg(&links, &view, |[x, y, _]| view.pixel([x, y]))
        + &if look.scene.is_masonry { joints.svg(frame, &grains, &view) } else { String::new() };
    let mut legend: Vec<Entry> = paint.iter().flat_map(|(_, legend)| legend.clone()).collect();
    legend.extend(force_legend);
    legend.extend(links::legend(&links));
    if look.scene.is_masonry {
        legend.extend(joints.legend(frame));
    }
    if paint.is_none() {
        legend.extend(materials(&grains, &look.scene.materials, palette::disk));
    }
    let sheet = Sheet::new(frame, title, view, legend, look.dpi);
    (sheet.svg(&picture), sheet.paper())
}

/// All grains and links with a margin of one and a half radii, and the walls close by; or the region that is asked for.
fn view(frame: &Frame, grains: &[Grain], links: &[Placed], look: &Look) -> View {
    let (mut shown, mut walls) = (Bounds::NOTHING, Bounds::NOTHING);
    let area = Area::of(look.width);
    match look.room {
        Some(room) => room.iter().for_each(|corner| shown.include([corner[0], corner[1]], 0.0)),
        None => grains.iter().for_each(|g| shown.include([g.position[0], g.position[1]], g.radius)),
    }
    if let Some(region) = look.region {
        for (axis, [low, high]) in region.into_iter().enumerate().take(2) {
            shown.min[axis] = low.unwrap_or(shown.min[axis] - 1.5 * mean_radius(grains));
            shown.max[axis] = high.unwrap_or(shown.max[axis] + 1.5 * mean_radius(grains));
        }
        return View::of(shown, area);
    }
    links.iter().flat_map(|link| link.ends).for_each(|[x, y, _]| shown.include([x, y], 0.0));
    // walls that move must not make the pictures of a film jump
    let is_still = look.room.is_none();
    for corner in frame.walls.iter().flat_map(|face| &face.corners).filter(|c| is_still && is_drawable(**c)) {
        walls.include([corner[0], corner[1]], 0.0);
    }
    View::fit(shown, walls, if is_still { 1.5 } else { 1.0 } * mean_radius(grains), area)
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

/// Walls: a thick line each, hatched on the side that is solid.
fn walls(frame: &Frame, scene: &Scene, view: &View) -> String {
    let (mut lines, mut hatch) = (String::new(), String::new());
    for (face, corners) in frame.walls.iter().flat_map(|face| face.corners.windows(2).map(move |pair| (face, pair))) {
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
        let Some(solid) = scene.solid_side(frame, face.wall, [corners[0], corners[1]]) else {
            continue;
        };
        let out = [solid[0], -solid[1]];
        // the strokes lean the same way on every wall
        let along = [-out[1], out[0]];
        for k in 0..(length / HATCH).round() as usize {
            let at = (k as f64 + 0.5) / (length / HATCH).round();
            let foot = between(a, b, at);
            let end = [0, 1].map(|i| 0.7 * HATCH * (out[i] - along[i]));
            let _ = write!(hatch, "M{:.1} {:.1}l{:.1} {:.1}", foot[0], foot[1], end[0], end[1]);
        }
    }
    let mut svg = format!("<g fill=\"none\" stroke=\"{}\">\n", hex(INK));
    for (path, style) in [(hatch, "stroke-width=\"1.6\""), (lines, "stroke-width=\"3.5\" stroke-linecap=\"round\"")] {
        if !path.is_empty() {
            let _ = writeln!(svg, r#"<path {style} d="{path}"/>"#);
        }
    }
    svg.push_str("</g>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Link, LinkEnd, LinkKind, tests::scene};
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
        let svg = disks(&grains, &view(&row(2, 17), &grains, &[], &Look::default()), &[]);
        assert_eq!(svg.matches("<circle").count(), 17);
    }

    /// A grain lies below the plane in one case, which once turned the hatch over.
    #[test]
    fn hatch_lies_on_the_solid_side_whichever_way_the_corners_run_and_wherever_grains_are() {
        let floor =
            scene("[[wall]]\nname = \"w\"\nmaterial = \"m\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]");
        for (turned, height) in [(false, 1.0), (true, 1.0), (false, -1.5)] {
            let mut frame = row(2, 4);
            frame.grains.position.iter_mut().for_each(|x| x[1] = height);
            if turned {
                frame.walls[0].corners.reverse();
            }
            let grains = drawable_grains(&frame);
            let view = view(&frame, &grains, &[], &Look::default());
            let svg = walls(&frame, &floor, &view);
            let end = svg.split("1.6\" d=\"").nth(1).unwrap().split(['l', 'M']).nth(2).unwrap();
            let down: f64 = end.split(' ').nth(1).unwrap().trim_end_matches('"').parse().unwrap();
            assert!(down > 0.0, "{end}");
        }
    }

    #[test]
    fn thin_walls_have_no_hatch() {
        let shelf = scene("[[wall]]\nname = \"w\"\nmaterial = \"m\"\nkind = \"line\"\npoints = [[-9, 0], [99, 0]]");
        let frame = row(2, 4);
        let view = view(&frame, &drawable_grains(&frame), &[], &Look::default());
        let svg = walls(&frame, &shelf, &view);
        assert!(svg.contains("stroke-width=\"3.5\"") && !svg.contains("stroke-width=\"1.6\""));
    }

    #[test]
    fn a_region_fills_the_picture() {
        let frame = row(2, 9);
        let region = [[Some(3.0), Some(7.0)], [Some(0.0), Some(2.0)], [None; 2]];
        let look = Look { region: Some(region), ..Look::default() };
        let view = view(&frame, &drawable_grains(&frame), &[], &look);
        let [left, right] = [[3.0, 1.0], [7.0, 1.0]].map(|corner| view.pixel(corner)[0]);
        assert!(left.abs() < 1e-9 && (right - view.size[0]).abs() < 1e-9);
    }

    #[test]
    fn the_pivot_of_a_pendulum_is_in_the_picture() {
        let frame = row(2, 1);
        let ends = [LinkEnd::Fixed([0.0, 50.0, 0.0]), LinkEnd::Grain(0, [0.0; 3])];
        let links = vec![Link { kind: LinkKind::Rod, ends }];
        let look = Look { scene: Scene { links, ..Scene::default() }, ..Look::default() };
        let placed = links::placed(&frame, &look.scene);
        let view = view(&frame, &drawable_grains(&frame), &placed, &look);
        let [x, y] = view.pixel([0.0, 50.0]);
        assert!(x > 0.0 && y > 0.0 && x < view.size[0] && y < view.size[1]);
        assert!(svg(&frame, "", &look).0.contains("stroke-width=\"5\""));
    }

    #[test]
    fn twenty_thousand_grains_stay_compact() {
        let (text, _) = svg(&row(2, 20_000), "long row", &Look::default());
        assert!(text.len() < 4_000_000, "{} bytes", text.len());
        assert!(parse(&text).is_ok());
    }
}
