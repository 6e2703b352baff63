//! Rods, joints and springs in pictures.

use std::fmt::Write;

use drystone::record::frame::Frame;

use super::is_drawable;
use super::legend::{Entry, Sign};
use super::palette::{INK, hex};
use super::scene::{LinkEnd, LinkKind, Scene};
use super::view::View;

/// Turns of a spring, and its half width over its length.
const TURNS: usize = 8;
const SLIM: f64 = 0.035;

/// A link where it is in a frame [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub kind: LinkKind,
    pub ends: [[f64; 3]; 2],
    /// Which ends are fixed points of space.
    pub is_fixed: [bool; 2],
}

/// The links that can be drawn: those whose grains are in the frame.
pub(super) fn placed(frame: &Frame, scene: &Scene) -> Vec<Placed> {
    let place = |link: &super::scene::Link| {
        let [a, b] = link.ends.map(|end| end.place(frame).filter(|x| is_drawable(*x)));
        let is_fixed = link.ends.map(|end| matches!(end, LinkEnd::Fixed(_)));
        Some(Placed { kind: link.kind, ends: [a?, b?], is_fixed })
    };
    scene.links.iter().filter_map(place).collect()
}

/// Corners of a zigzag between two points, with straight ends.
fn zigzag(a: [f64; 2], b: [f64; 2]) -> Vec<[f64; 2]> {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    let corner = |k: usize| {
        let part = 0.12 + 0.76 * (k as f64 + 0.5) / (2 * TURNS) as f64;
        let off = if k.is_multiple_of(2) { SLIM } else { -SLIM };
        [a[0] + part * x - off * y, a[1] + part * y + off * x]
    };
    let straight = |part: f64| [a[0] + part * x, a[1] + part * y];
    let ends = [a, straight(0.12)].into_iter();
    ends.chain((0..2 * TURNS).map(corner)).chain([straight(0.88), b]).collect()
}

/// The links as SVG, seen by `pixel`; fixed points are drawn as pins.
pub(super) fn svg(links: &[Placed], view: &View, pixel: impl Fn([f64; 3]) -> [f64; 2]) -> String {
    let ink = hex(INK);
    let mut svg = String::new();
    for link in links {
        let [a, b] = link.ends.map(&pixel);
        let (points, style) = match link.kind {
            LinkKind::Rod => (vec![a, b], "stroke-width=\"5\""),
            LinkKind::Joint => (vec![], ""),
            LinkKind::Spring => (zigzag(a, b), "stroke-width=\"2.5\" stroke-linejoin=\"round\""),
            LinkKind::Guide(along) => {
                let reach = (view.size[0] + view.size[1]) / view.scale;
                let at = |sign: f64| pixel(std::array::from_fn(|i| link.ends[1][i] + sign * reach * along[i]));
                (vec![at(-1.0), at(1.0)], "stroke-width=\"1.5\" stroke-dasharray=\"12 8\"")
            }
        };
        let path: String = points
            .iter()
            .enumerate()
            .map(|(k, [x, y])| format!("{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" }))
            .collect();
        if !path.is_empty() {
            let _ = writeln!(svg, r#"<path d="{path}" fill="none" stroke="{ink}" stroke-linecap="round" {style}/>"#);
        }
        let is_guide = matches!(link.kind, LinkKind::Guide(_));
        for (k, [x, y]) in [a, b].into_iter().enumerate().filter(|_| !is_guide) {
            let fill = if link.is_fixed[k] { "#ffffff" } else { ink.as_str() };
            let radius = if link.is_fixed[k] || link.kind == LinkKind::Joint { 8.0 } else { 5.0 };
            let _ = writeln!(
                svg,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{fill}" stroke="{ink}" stroke-width="2.5"/>"#
            );
        }
    }
    svg
}

/// What the lines mean.
pub(super) fn legend(links: &[Placed]) -> Vec<Entry> {
    let entry = |is_of: fn(&LinkKind) -> bool, sign, label: &str| {
        let found = links.iter().any(|link| is_of(&link.kind));
        found.then(|| Entry { sign, label: label.to_string() })
    };
    let all = [
        entry(|kind| *kind == LinkKind::Rod, Sign::Line(INK, 5.0), "rod"),
        entry(|kind| *kind == LinkKind::Spring, Sign::Spring, "spring"),
        entry(|kind| matches!(kind, LinkKind::Guide(_)), Sign::Dashes(INK), "guide"),
        entry(|kind| *kind == LinkKind::Joint, Sign::Grain(INK), "joint"),
    ];
    all.into_iter().flatten().collect()
}

/// The zigzag of a spring in a legend.
pub(super) fn sign([x, y]: [f64; 2], width: f64) -> String {
    let link = zigzag([x, y], [x + width, y]);
    // a short spring needs wider turns to be seen
    let wide = link.iter().map(|[px, py]| format!("{px:.1} {:.1} ", y + 3.0 * (py - y)));
    format!(r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="2.2"/>"#, wide.collect::<String>(), hex(INK))
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Link, tests::scene};
    use super::super::tests::row;
    use super::*;

    #[test]
    fn rods_join_their_points_and_springs_swing_about_theirs() {
        let link = |kind| Link { kind, ends: [LinkEnd::Fixed([0.0, 5.0, 0.0]), LinkEnd::Grain(1, [0.5, 0.0, 0.0])] };
        let scene = Scene { links: vec![link(LinkKind::Rod), link(LinkKind::Spring)], ..scene("") };
        let links = placed(&row(2, 2), &scene);
        // the grain sits at (2, 1), not turned
        assert_eq!(links[0].ends, [[0.0, 5.0, 0.0], [2.5, 1.0, 0.0]]);
        assert_eq!(legend(&links).len(), 2);
        let corners = zigzag([0.0, 0.0], [10.0, 0.0]);
        assert_eq!(corners.iter().map(|corner| corner[1]).sum::<f64>(), 0.0);
        assert!(corners.iter().any(|corner| corner[1] > 0.3) && corners.last() == Some(&[10.0, 0.0]));
        assert!(placed(&row(2, 1), &scene).is_empty(), "a grain that is gone has no rod");
    }
}
