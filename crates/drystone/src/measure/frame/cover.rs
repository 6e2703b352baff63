//! How much of a grain lies in an axis-parallel box.

use super::view::FrameRegion;
use std::f64::consts::{FRAC_PI_2, PI};

/// Area of the part of a disk of radius r around the origin that lies left of x and below y.
fn corner(r: f64, x: f64, y: f64) -> f64 {
    let (x, y) = (x.clamp(-r, r), y.clamp(-r, r));
    let left = |x: f64| r * r * (FRAC_PI_2 + (x / r).clamp(-1.0, 1.0).asin()) + x * (r * r - x * x).max(0.0).sqrt();
    let a = (r * r - y * y).max(0.0).sqrt();
    if y >= 0.0 {
        let upper = match x {
            x if x <= -a => 0.5 * left(x),
            x if x < a => 0.5 * left(-a) + y * (x + a),
            x => 0.5 * left(-a) + 2.0 * a * y + 0.5 * (left(x) - left(a)),
        };
        return 0.5 * left(x) + upper;
    }
    match x {
        x if x <= -a => 0.0,
        x if x < a => 0.5 * (left(x) - left(-a)) + y * (x + a),
        _ => 0.5 * (left(a) - left(-a)) + 2.0 * a * y,
    }
}

/// Area of the part of a disk that lies in a rectangle given from its centre.
fn disk(r: f64, [x0, x1]: [f64; 2], [y0, y1]: [f64; 2]) -> f64 {
    if r <= 0.0 {
        return 0.0;
    }
    (corner(r, x1, y1) - corner(r, x0, y1) - corner(r, x1, y0) + corner(r, x0, y0)).max(0.0)
}

/// Abscissas and weights of Gauss and Legendre for 16 points, the positive half.
const GAUSS: [[f64; 2]; 8] = [
    [0.0950125098376374, 0.1894506104550685],
    [0.2816035507792589, 0.1826034150449236],
    [0.4580167776572274, 0.1691565193950025],
    [0.6178762444026438, 0.1495959888165767],
    [0.755404408355003, 0.1246289712555339],
    [0.8656312023878318, 0.0951585116824928],
    [0.9445750230732326, 0.0622535239386479],
    [0.9894009349916499, 0.0271524594117541],
];

/// Volume of the part of a ball that lies in a box given from its centre.
///
/// Slices of the ball are disks in a rectangle. Between the heights at which a slice meets another edge of the
/// rectangle the area is smooth; the substitution z(s) with dz/ds = 0 at both ends takes away the roots there.
fn ball(r: f64, x: [f64; 2], y: [f64; 2], z: [f64; 2]) -> f64 {
    let (low, high) = (z[0].max(-r), z[1].min(r));
    if low >= high {
        return 0.0;
    }
    let mut edges = vec![low, high];
    let mut radii: Vec<f64> = x.iter().chain(&y).copied().collect();
    radii.extend(x.iter().flat_map(|x| y.iter().map(move |y| x.hypot(*y))));
    for square in radii.iter().map(|rho| r * r - rho * rho).filter(|square| *square > 0.0) {
        edges.extend([square.sqrt(), -square.sqrt()].into_iter().filter(|z| *z > low && *z < high));
    }
    edges.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    // two panels between neighbours: ten digits and more
    let panels = edges.windows(2).flat_map(|ends| {
        let middle = 0.5 * (ends[0] + ends[1]);
        [[ends[0], middle], [middle, ends[1]]]
    });
    for ends in panels.filter(|ends| ends[1] > ends[0]) {
        let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0]));
        for [s, weight] in GAUSS.iter().flat_map(|[s, w]| [[*s, *w], [-*s, *w]]) {
            let z = middle + half * 0.5 * s * (3.0 - s * s);
            sum += weight * half * 1.5 * (1.0 - s * s) * disk((r * r - z * z).max(0.0).sqrt(), x, y);
        }
    }
    sum
}

/// Area of the part of a polygon that lies in a rectangle (Sutherland and Hodgman).
fn polygon(corners: &[[f64; 3]], region: &FrameRegion) -> f64 {
    let mut inside: Vec<[f64; 3]> = corners.to_vec();
    for (axis, bound, sign) in (0..2).flat_map(|axis| [(axis, region.min[axis], 1.0), (axis, region.max[axis], -1.0)]) {
        let depth = |p: &[f64; 3]| sign * (p[axis] - bound);
        let mut kept = Vec::with_capacity(inside.len() + 1);
        for (k, p) in inside.iter().enumerate() {
            let q = &inside[(k + 1) % inside.len()];
            let (here, there) = (depth(p), depth(q));
            if here >= 0.0 {
                kept.push(*p);
            }
            if (here < 0.0) != (there < 0.0) {
                let at = here / (here - there);
                kept.push(std::array::from_fn(|i| p[i] + at * (q[i] - p[i])));
            }
        }
        inside = kept;
    }
    let next = inside.iter().cycle().skip(1);
    0.5 * inside.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>().abs()
}

/// Volume of the part of a grain that lies in a region [m3]; not a number for a polyhedron.
pub(crate) fn volume_in(
    region: &FrameRegion,
    depth: f64,
    centre: [f64; 3],
    radius: f64,
    corners: Option<&[[f64; 3]]>,
) -> f64 {
    let from = |axis: usize| [region.min[axis] - centre[axis], region.max[axis] - centre[axis]];
    let whole = (0..region.dimension).all(|axis| from(axis)[0] <= -radius && from(axis)[1] >= radius);
    match (corners, region.dimension) {
        (Some(corners), 2) => polygon(corners, region) * depth,
        // the part of a polyhedron in a box is not known
        (Some(_), _) => f64::NAN,
        (None, 2) if whole => PI * radius * radius * depth,
        (None, 2) => disk(radius, from(0), from(1)) * depth,
        _ if whole => 4.0 / 3.0 * PI * radius.powi(3),
        _ => ball(radius, from(0), from(1), from(2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: [f64; 2] = [-9.0, 9.0];

    #[test]
    fn halves_quarters_and_segments_of_a_disk_are_exact() {
        assert!((disk(2.0, [0.0, 9.0], FAR) - 2.0 * PI).abs() < 1e-14);
        assert!((disk(2.0, [0.0, 9.0], [-9.0, 0.0]) - PI).abs() < 1e-14);
        // segment beyond x = 1 of a circle of radius 2: r^2 acos(1/2) - 1 sqrt(3)
        assert!((disk(2.0, [1.0, 9.0], FAR) - (4.0 * PI / 3.0 - 3.0_f64.sqrt())).abs() < 1e-14);
        // a square inside
        assert!((disk(2.0, [-1.0, 1.0], [-1.0, 1.0]) - 4.0).abs() < 1e-14);
        // the parts of any cut make up the whole
        let sum: f64 = [[-9.0, -0.7], [-0.7, 0.2], [0.2, 9.0]]
            .iter()
            .flat_map(|x| [[-9.0, -1.1], [-1.1, 0.3], [0.3, 9.0]].map(|y| disk(1.5, *x, y)))
            .sum();
        assert!((sum - PI * 2.25).abs() < 1e-13);
    }

    #[test]
    fn octants_caps_and_any_cut_of_a_ball_are_exact_to_ten_digits() {
        let whole = 4.0 / 3.0 * PI * 8.0;
        assert!((ball(2.0, [0.0, 9.0], [0.0, 9.0], [0.0, 9.0]) / (whole / 8.0) - 1.0).abs() < 1e-10);
        // cap of height h = 1: pi h^2 (3 r - h) / 3
        let cap = PI * 5.0 / 3.0;
        for cut in [[[1.0, 9.0], FAR, FAR], [FAR, [1.0, 9.0], FAR], [FAR, FAR, [1.0, 9.0]]] {
            assert!((ball(2.0, cut[0], cut[1], cut[2]) / cap - 1.0).abs() < 1e-10);
        }
        let cuts = [[-9.0, -0.7], [-0.7, 0.2], [0.2, 9.0]];
        let parts = cuts.iter().flat_map(|x| cuts.iter().flat_map(move |y| cuts.map(|z| ball(2.0, *x, *y, z))));
        assert!((parts.sum::<f64>() / whole - 1.0).abs() < 1e-10);
    }

    #[test]
    fn a_square_is_cut_by_its_cell() {
        let region = FrameRegion { dimension: 2, min: [0.0; 3], max: [1.0, 1.0, 0.0] };
        let square = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]];
        assert_eq!(volume_in(&region, 2.0, [0.0; 3], 0.71, Some(&square)), 0.5);
    }
}
