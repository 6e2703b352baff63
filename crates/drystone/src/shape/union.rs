//! Area, volume and moments of the union of overlapping disks or spheres.
//!
//! Disks are integrated exactly, by Green's theorem along the arcs of the outline. Spheres are integrated in slices
//! across z, each of which is a union of disks: between the heights where the topology of a slice changes its moments
//! are analytic in z, and the double exponential rule converges to rounding. [Takahasi and Mori 1974]

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};

/// Area with its first and second moments: of 1, x, y, x^2, y^2, xy.
pub(crate) type FlatMoments = [f64; 6];

/// Moments of a union of disks, given by centres and radii [m].
pub(crate) fn disks(disks: &[(DVec2, f64)]) -> FlatMoments {
    let mut sum = [0.0; 6];
    for (k, (centre, radius)) in disks.iter().enumerate() {
        for (from, to) in open_arcs(disks, k) {
            let part = along_arc(*centre, *radius, from, to);
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }
    sum
}

/// The parts of the rim of disk k that no other disk covers, as angles between 0 and 2 pi.
fn open_arcs(disks: &[(DVec2, f64)], k: usize) -> Vec<(f64, f64)> {
    let (centre, radius) = disks[k];
    let mut covered: Vec<(f64, f64)> = Vec::new();
    for (l, (other, its)) in disks.iter().enumerate().filter(|(l, _)| *l != k) {
        let apart = *other - centre;
        let distance = apart.length();
        if distance + radius <= *its && (distance + *its > radius || l < k) {
            return Vec::new(); // inside the other one; of two equal disks the first has the rim
        }
        if distance >= radius + its || distance + its <= radius {
            continue;
        }
        let half = libm::acos((distance * distance + radius * radius - its * its) / (2.0 * distance * radius));
        let start = (libm::atan2(apart.y, apart.x) - half).rem_euclid(TAU);
        let end = start + 2.0 * half;
        covered.push((start, end.min(TAU)));
        if end > TAU {
            covered.push((0.0, end - TAU));
        }
    }
    covered.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut open, mut from) = (Vec::new(), 0.0);
    for (start, end) in covered {
        if start > from {
            open.push((from, start));
        }
        from = end.max(from);
    }
    if from < TAU {
        open.push((from, TAU));
    }
    open
}

/// The integrals of Green's theorem along an arc: x dy, x^2 dy / 2, -y^2 dx / 2, x^3 dy / 3, -y^3 dx / 3, x^2 y dy / 2.
fn along_arc(centre: DVec2, r: f64, from: f64, to: f64) -> FlatMoments {
    let (a, b) = (centre.x, centre.y);
    // powers of the cosine and of the sine, and c s, c^2 s, c^3 s, from 0 to the angle
    let powers = |angle: f64| {
        let (s, c) = libm::sincos(angle);
        let (s2, s4) = (2.0 * s * c, libm::sin(4.0 * angle));
        [
            [s, 0.5 * angle + 0.25 * s2, s - s * s * s / 3.0, 0.375 * angle + 0.25 * s2 + s4 / 32.0],
            [-c, 0.5 * angle - 0.25 * s2, c * c * c / 3.0 - c, 0.375 * angle - 0.25 * s2 + s4 / 32.0],
            [0.5 * s * s, -c * c * c / 3.0, -0.25 * c * c * c * c, 0.0],
        ]
    };
    let (end, start) = (powers(to), powers(from));
    let [[c1, c2, c3, c4], [s1, s2, s3, s4], [cs, ccs, cccs, _]]: [[f64; 4]; 3] =
        std::array::from_fn(|k| std::array::from_fn(|l| end[k][l] - start[k][l]));
    [
        r * (a * c1 + r * c2),
        0.5 * r * (a * a * c1 + 2.0 * a * r * c2 + r * r * c3),
        0.5 * r * (b * b * s1 + 2.0 * b * r * s2 + r * r * s3),
        r * (a * a * a * c1 + 3.0 * a * a * r * c2 + 3.0 * a * r * r * c3 + r * r * r * c4) / 3.0,
        r * (b * b * b * s1 + 3.0 * b * b * r * s2 + 3.0 * b * r * r * s3 + r * r * r * s4) / 3.0,
        0.5 * r
            * (a * a * b * c1
                + a * a * r * cs
                + 2.0 * a * b * r * c2
                + 2.0 * a * r * r * ccs
                + b * r * r * c3
                + r * r * r * cccs),
    ]
}

/// Volume with its first and second moments: of 1, x, y, z, x^2, y^2, z^2, yz, xz, xy.
pub(crate) type SolidMoments = [f64; 10];

/// Slices are added until halving their distance changes no moment by more than this share of the moment of the
/// bounding ball: a few times the rounding of the sums.
const SETTLED: f64 = 1e-14;
/// Largest number of halvings: each doubles the number of correct digits, and five or six give all.
const HALVINGS: u32 = 9;
/// Where the weights of the double exponential rule have fallen below rounding.
const TAIL: f64 = 3.2;

/// Moments of a union of spheres, given by centres and radii [m].
pub(crate) fn spheres(spheres: &[(DVec3, f64)]) -> SolidMoments {
    let heights = heights(spheres);
    let size = spheres.iter().map(|(x, r)| x.length() + r).fold(0.0, f64::max);
    let scale: SolidMoments = std::array::from_fn(|k| {
        let power = if k == 0 { 3 } else { 4 + i32::from(k > 3) };
        SETTLED * size.powi(power)
    });
    let mut sum = [0.0; 10];
    for pair in heights.windows(2) {
        let part = between(spheres, pair[0], pair[1], &scale);
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    sum
}

/// The integral over the heights from `low` to `high`, between which the topology of the slice is constant.
fn between(spheres: &[(DVec3, f64)], low: f64, high: f64, scale: &SolidMoments) -> SolidMoments {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let mut sum = [0.0; 10];
    let mut add = |t: f64| {
        let (sinh, cosh) = (libm::sinh(t), libm::cosh(t));
        let spread = libm::cosh(FRAC_PI_2 * sinh);
        let weight = FRAC_PI_2 * cosh / (spread * spread);
        let part = slice(spheres, middle + half * libm::tanh(FRAC_PI_2 * sinh));
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part * weight);
        sum
    };
    let mut step = 1.0;
    add(0.0);
    for k in 1..=TAIL as u32 {
        add(f64::from(k));
        add(-f64::from(k));
    }
    let mut before = [f64::INFINITY; 10];
    for _ in 0..HALVINGS {
        step *= 0.5;
        let mut total = [0.0; 10];
        for k in (1..=(TAIL / step) as u32).step_by(2) {
            add(f64::from(k) * step);
            total = add(-f64::from(k) * step);
        }
        let now = total.map(|sum| sum * step * half);
        let settled = now.iter().zip(before).zip(scale).all(|((now, before), scale)| (now - before).abs() <= *scale);
        before = now;
        if settled {
            break;
        }
    }
    before
}

/// The moments of the slice at a height.
fn slice(spheres: &[(DVec3, f64)], z: f64) -> SolidMoments {
    let cut = |(x, r): &(DVec3, f64)| {
        let height = z - x.z;
        let square = (r - height) * (r + height);
        (square > 0.0).then(|| (DVec2::new(x.x, x.y), square.sqrt()))
    };
    let [area, x, y, xx, yy, xy] = disks(&spheres.iter().filter_map(cut).collect::<Vec<_>>());
    [area, x, y, z * area, xx, yy, z * z * area, z * y, z * x, xy]
}

/// Heights at which the topology of a slice changes, in order: poles, highest and lowest points of the circles where
/// two spheres meet, and points where three do. What lies inside another sphere is left out.
fn heights(spheres: &[(DVec3, f64)]) -> Vec<f64> {
    let mut heights: Vec<f64> = Vec::new();
    let is_open = |at: DVec3, of: [usize; 3]| {
        let holds = |(k, (x, r)): (usize, &(DVec3, f64))| !of.contains(&k) && (at - *x).length() < *r;
        !spheres.iter().enumerate().any(holds)
    };
    let mut note = |at: DVec3, of: [usize; 3], is_level: bool| {
        if is_level || is_open(at, of) {
            heights.push(at.z);
        }
    };
    for (k, (x, r)) in spheres.iter().enumerate() {
        [-*r, *r].into_iter().for_each(|up| note(*x + DVec3::Z * up, [k; 3], false));
    }
    for (k, (x, r)) in spheres.iter().enumerate() {
        for (l, (y, s)) in spheres[..k].iter().enumerate() {
            let distance = (*y - *x).length();
            if distance >= r + s || distance <= (r - s).abs() {
                continue;
            }
            let axis = (*y - *x) * (1.0 / distance);
            let along = (distance * distance + r * r - s * s) / (2.0 * distance);
            let (centre, rim) = (*x + axis * along, ((r - along) * (r + along)).max(0.0).sqrt());
            // up along the plane of the circle; a level circle has all its points at one height
            let up = DVec3::Z - axis * axis.z;
            let rise = if up.length() > 0.0 { up * (rim / up.length()) } else { DVec3::ZERO };
            [-1.0, 1.0].into_iter().for_each(|sign| note(centre + rise * sign, [k, l, l], rise == DVec3::ZERO));
            for (m, (z, t)) in spheres[..l].iter().enumerate() {
                // points of the circle at the distance t from z: on a line across the circle's plane
                let foot = *z - axis * (*z - centre).dot(axis);
                let away = foot - centre;
                let off = (*z - foot).length_squared();
                let (far, square) = (away.length(), t * t - off);
                if far == 0.0 || square <= 0.0 {
                    continue;
                }
                let part = (far * far + rim * rim - square) / (2.0 * far);
                let open = (rim - part) * (rim + part);
                if open > 0.0 {
                    let (out, across) = (away * (1.0 / far), axis.cross(away) * (open.sqrt() / far));
                    let points = [1.0, -1.0].map(|sign| centre + out * part + across * sign);
                    points.into_iter().for_each(|at| note(at, [k, l, m], false));
                }
            }
        }
    }
    heights.sort_by(f64::total_cmp);
    heights.dedup();
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    fn ball(r: f64) -> f64 {
        4.0 / 3.0 * PI * r * r * r
    }

    fn close(got: f64, expected: f64, scale: f64) {
        assert!((got - expected).abs() < 2e-13 * scale, "{got} {expected}");
    }

    #[test]
    fn one_disk_anywhere() {
        let (x, y, r) = (0.3, -0.7, 0.4);
        let area = PI * r * r;
        let got = disks(&[(DVec2::new(x, y), r), (DVec2::new(x + 0.1, y), 0.2), (DVec2::new(x, y), r)]);
        let own = 0.25 * area * r * r;
        let expected = [area, area * x, area * y, area * x * x + own, area * y * y + own, area * x * y];
        got.iter().zip(expected).for_each(|(got, expected)| close(*got, expected, 1.0));
    }

    #[test]
    fn two_disks_are_their_sum_less_the_lens() {
        for (d, r, s) in [(1.0_f64, 0.8_f64, 0.6_f64), (1.2, 1.0, 0.5), (0.9, 1.0, 1.0), (1.9999, 1.0, 1.0)] {
            // lens: two segments
            let (p, q) = ((d * d + r * r - s * s) / (2.0 * d), (d * d + s * s - r * r) / (2.0 * d));
            let segment = |h: f64, r: f64| r * r * (h / r).acos() - h * (r * r - h * h).sqrt();
            let lens = segment(p, r) + segment(q, s);
            // first moments of the segments about their centres, along the axis
            let first = |h: f64, r: f64| 2.0 / 3.0 * (r * r - h * h).powf(1.5);
            let along = d * PI * s * s - (first(p, r) + d * segment(q, s) - first(q, s));
            let turn = 0.7_f64;
            let axis = DVec2::new(turn.cos(), turn.sin());
            let got = disks(&[(DVec2::ZERO, r), (axis * d, s)]);
            close(got[0], PI * (r * r + s * s) - lens, 1.0);
            close(got[1], along * axis.x, 1.0);
            close(got[2], along * axis.y, 1.0);
        }
    }

    #[test]
    fn a_ring_of_disks_has_a_hole() {
        // six unit disks that touch each other around a hole
        let ring: Vec<(DVec2, f64)> = (0..6).map(|k| (DVec2::from_angle(PI / 3.0 * f64::from(k)) * 2.0, 1.0)).collect();
        let got = disks(&ring);
        close(got[0], 6.0 * PI, 10.0);
        close(got[3] + got[4], 6.0 * PI * (0.5 + 4.0), 100.0);
        close(got[3] - got[4], 0.0, 100.0);
    }

    /// A cap of height h of a ball of radius r: volume, distance of its centre of mass from that of the ball.
    fn cap(h: f64, r: f64) -> (f64, f64) {
        (PI * h * h * (3.0 * r - h) / 3.0, 0.75 * (2.0 * r - h).powi(2) / (3.0 * r - h))
    }

    #[test]
    fn two_spheres_are_their_sum_less_two_caps() {
        for (d, r, s) in [(1.0_f64, 0.8_f64, 0.6_f64), (1.2, 1.0, 0.5), (0.3, 1.0, 1.0), (1.999, 1.0, 1.0)] {
            let p = (d * d + r * r - s * s) / (2.0 * d);
            let (one, other) = (cap(r - p, r), cap(s - (d - p), s));
            let axis = DVec3::new(0.36, 0.48, 0.8);
            let start = DVec3::new(0.1, -0.2, 0.05);
            let got = spheres(&[(start, r), (start + axis * d, s)]);
            let volume = ball(r) + ball(s) - one.0 - other.0;
            close(got[0], volume, 10.0);
            let along = ball(s) * d - one.0 * one.1 - other.0 * (d - other.1);
            for k in 0..3 {
                close(got[1 + k], volume * start[k] + along * axis[k], 10.0);
            }
            // second moment across the axis: sum of those of balls cut by a plane, (2 R^2 - u^2) slices
            let disk = |from: f64, r: f64| {
                let part = |u: f64| r.powi(4) * u - 2.0 / 3.0 * r * r * u.powi(3) + u.powi(5) / 5.0;
                0.25 * PI * (part(r) - part(from))
            };
            let across = 2.0 * (disk(-p, r) + disk(-(d - p), s)); // of both directions
            let about_start: f64 = (4..7).map(|k| got[k]).sum::<f64>()
                - 2.0 * (0..3).map(|k| start[k] * got[1 + k]).sum::<f64>()
                + start.length_squared() * got[0];
            let both = [got[4], got[5], got[6], got[7], got[8], got[9]];
            let second = |i: usize, j: usize| {
                let of = if i == j { both[i] } else { both[3 + (3 - i - j)] };
                of - start[i] * got[1 + j] - start[j] * got[1 + i] + start[i] * start[j] * got[0]
            };
            let along_axis: f64 =
                (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).map(|(i, j)| axis[i] * axis[j] * second(i, j)).sum();
            close(about_start - along_axis, across, 10.0);
        }
    }

    #[test]
    fn spheres_against_points_thrown_at_random() {
        let cluster = [
            (DVec3::new(0.0, 0.0, 0.0), 0.7),
            (DVec3::new(0.6, 0.1, 0.2), 0.5),
            (DVec3::new(-0.2, 0.5, 0.3), 0.6),
            (DVec3::new(0.1, 0.2, -0.5), 0.55),
        ];
        let exact = spheres(&cluster);
        let mut rng = Pcg64::new(5, 9);
        let mut unit = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let thrown = 400_000;
        let mut sum = [0.0; 10];
        for _ in 0..thrown {
            let x = DVec3::new(unit(), unit(), unit()) * 3.0 - DVec3::splat(1.5);
            if cluster.iter().any(|(c, r)| (x - *c).length() < *r) {
                let part = [1.0, x.x, x.y, x.z, x.x * x.x, x.y * x.y, x.z * x.z, x.y * x.z, x.x * x.z, x.x * x.y];
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part * 27.0 / f64::from(thrown));
            }
        }
        // 27 sqrt(p / n) with p of a tenth: 0.013 for the volume, less for moments
        for (k, (got, thrown)) in exact.iter().zip(sum).enumerate() {
            assert!((got - thrown).abs() < 0.04, "{k}: {got} {thrown}");
        }
        // the choice of the axis of the slices changes nothing
        let turn = glam::DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.1);
        let turned = spheres(&cluster.map(|(x, r)| (turn * x, r)));
        close(turned[0], exact[0], 1.0);
        let first = turn * DVec3::new(exact[1], exact[2], exact[3]);
        (0..3).for_each(|k| close(turned[1 + k], first[k], 1.0));
        close(turned[4..7].iter().sum(), exact[4..7].iter().sum(), 1.0);
    }
}
