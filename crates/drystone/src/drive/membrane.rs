//! A membrane around a sample: which balls it touches, and what area each of them carries.
//!
//! A ball is touched if the ray from its centre away from the axis meets no other ball. The side of the sample,
//! unrolled about the axis and cut off at the plates, is divided among these balls: every point belongs to the nearest
//! centre (Voronoi). A ball carries the pressure on its share, at the distance of its outer side from the axis:
//! A = -(rho + r) int int e_r dtheta dz, exactly for the polygon of the share. The shares cover the side without gaps:
//! balls that are all equally far out carry the area of their cylinder, and their forces add up to zero.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

/// The space that a membrane surrounds: between two plates across an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleeve {
    /// A point of the axis [m].
    pub centre: DVec3,
    /// Its direction.
    pub axis: DVec3,
    /// Heights of the plates over the point, along the axis [m].
    pub heights: [f64; 2],
}

/// A ball in the coordinates of the sleeve.
#[derive(Clone, Copy, Debug)]
struct Ball {
    number: usize,
    /// Position across the axis [m].
    across: DVec2,
    /// Distance from the axis [m], angle about it, height [m].
    far: f64,
    angle: f64,
    height: f64,
    radius: f64,
}

/// Balls in cells of angle and height, to find those beside a ball.
struct Cells {
    columns: usize,
    rows: usize,
    low: f64,
    pitch: f64,
    members: Vec<Vec<usize>>,
}

impl Sleeve {
    /// The areas that balls, given by centres and radii, carry: their numbers, and areas as vectors inwards [m2].
    pub fn shares(&self, balls: impl Iterator<Item = (DVec3, f64)>) -> Vec<(usize, DVec3)> {
        let outwards = self.axis.any_orthonormal_vector();
        let sideways = self.axis.cross(outwards);
        let balls: Vec<Ball> = balls
            .enumerate()
            .map(|(number, (x, radius))| {
                let from = x - self.centre;
                let (p, q) = (from.dot(outwards), from.dot(sideways));
                let (across, angle) = (DVec2::new(p, q), libm::atan2(q, p));
                Ball { number, across, far: across.length(), angle, height: from.dot(self.axis), radius }
            })
            .collect();
        let outer = outer_balls(&balls);
        let out = |angle: f64| outwards * libm::cos(angle) + sideways * libm::sin(angle);
        let area = |(ball, [along, across]): (Ball, [f64; 2])| {
            // int int e_r in the frame of the ball: along its own direction, and across it
            let (r, t) = (out(ball.angle), out(ball.angle + 0.5 * PI));
            (ball.number, (r * along + t * across) * -(ball.far + ball.radius))
        };
        self.cells(&outer).into_iter().map(area).collect()
    }

    /// For every outer ball the integrals of cos and sin of the angle, relative to its own angle, over its share.
    fn cells(&self, outer: &[Ball]) -> Vec<(Ball, [f64; 2])> {
        let mean = outer.iter().map(|ball| ball.far).sum::<f64>() / outer.len().max(1) as f64;
        let cells = Cells::new(outer);
        let share = |ball: &Ball| {
            let corner = |angle: f64, height: f64| DVec2::new(angle * mean, height - ball.height);
            let [low, high] = self.heights;
            let mut polygon = vec![corner(-PI, low), corner(PI, low), corner(PI, high), corner(-PI, high)];
            // rings of cells around its own, until none can hold a ball that is nearer to a corner of the share
            for ring in 0..cells.columns.max(cells.rows) {
                let furthest = polygon.iter().map(|x| x.length()).fold(0.0, f64::max);
                let beyond = (ring as f64 - 1.0) * cells.pitch.min(TAU * mean / cells.columns as f64);
                if beyond > 2.0 * furthest {
                    break;
                }
                cells.ring(ball, ring, |k| {
                    let other = &outer[k];
                    let angle = other.angle - ball.angle;
                    // the nearest image, and the others as long as the share may reach half-way round
                    let nearest = angle - TAU * (angle / TAU).round();
                    let is_wide = polygon.iter().any(|x| x.x.abs() > 0.5 * PI * mean);
                    for turn in if is_wide { &[0.0, -TAU, TAU][..] } else { &[0.0] } {
                        let apart = DVec2::new((nearest + turn) * mean, other.height - ball.height);
                        if apart != DVec2::ZERO {
                            cut(&mut polygon, apart);
                        }
                    }
                });
            }
            (*ball, integrals(&polygon, mean))
        };
        outer.iter().map(share).collect()
    }
}

/// Balls whose rays outwards meet no other ball.
fn outer_balls(balls: &[Ball]) -> Vec<Ball> {
    let cells = Cells::new(balls);
    let widest = balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);
    let is_hidden = |ball: &Ball| {
        let mut is_hidden = false;
        let out = if ball.far > 0.0 { ball.across / ball.far } else { DVec2::X };
        // a ball that the ray meets lies no further aside than its own radius, and further out
        let turn = if ball.far > widest { libm::asin(widest / ball.far) } else { PI };
        let rings = 1 + ((widest / cells.pitch).max(turn * cells.columns as f64 / TAU)).ceil() as usize;
        for ring in 0..=rings.min(cells.columns.max(cells.rows)) {
            cells.ring(ball, ring, |k| {
                let other = &balls[k];
                let apart = other.across - ball.across;
                let ahead = out.dot(apart);
                let off = (apart - out * ahead).length_squared() + (other.height - ball.height).powi(2);
                is_hidden |= other.number != ball.number && ahead > 0.0 && off < other.radius * other.radius;
            });
            if is_hidden {
                return true;
            }
        }
        is_hidden
    };
    balls.iter().filter(|ball| !is_hidden(ball)).copied().collect()
}

impl Cells {
    /// Cells as high as the widest ball, and as wide at the furthest one.
    fn new(balls: &[Ball]) -> Cells {
        let widest = balls.iter().map(|ball| 2.0 * ball.radius).fold(0.0, f64::max);
        let furthest = balls.iter().map(|ball| ball.far).fold(0.0, f64::max);
        let heights = balls.iter().map(|ball| ball.height);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
        let columns = ((TAU * furthest / widest) as usize).clamp(1, 4096);
        // a ball far away must not make many cells: balls beyond the last row are in that row
        let most = 4 * balls.len() / columns + 64;
        let rows = if high >= low { ((high - low) / widest).min(most as f64) as usize + 1 } else { 1 };
        let mut cells = Cells { columns, rows, low, pitch: widest, members: vec![Vec::new(); columns * rows] };
        for (k, ball) in balls.iter().enumerate() {
            let (column, row) = cells.place(ball);
            cells.members[row * columns + column].push(k);
        }
        cells
    }

    fn place(&self, ball: &Ball) -> (usize, usize) {
        let column = ((ball.angle + PI) / TAU * self.columns as f64) as usize;
        let row = ((ball.height - self.low) / self.pitch).max(0.0) as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }

    /// Calls `visit` for all balls in the cells that are `ring` cells away from that of a ball, each once.
    fn ring(&self, ball: &Ball, ring: usize, mut visit: impl FnMut(usize)) {
        let (column, row) = self.place(ball);
        let (columns, ring) = (self.columns as i64, ring as i64);
        // columns go round: from half a turn behind to half a turn ahead
        let reach = ring.min(columns / 2);
        for dr in -ring..=ring {
            let at = row as i64 + dr;
            if at < 0 || at >= self.rows as i64 {
                continue;
            }
            for dc in -reach..=reach {
                let is_twice = columns % 2 == 0 && dc == -(columns / 2);
                if dc.abs().max(dr.abs()) == ring && !is_twice {
                    let column = (column as i64 + dc).rem_euclid(columns);
                    self.members[(at * columns + column) as usize].iter().for_each(|k| visit(*k));
                }
            }
        }
    }
}

/// Keeps the part of a polygon that is nearer to the origin than to a point.
fn cut(polygon: &mut Vec<DVec2>, point: DVec2) {
    let beyond = |x: DVec2| x.dot(point) - 0.5 * point.length_squared();
    if polygon.iter().all(|x| beyond(*x) <= 0.0) {
        return;
    }
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, here) in polygon.iter().enumerate() {
        let next = polygon[(k + 1) % polygon.len()];
        let (h, h_next) = (beyond(*here), beyond(next));
        if h <= 0.0 {
            kept.push(*here);
        }
        if h * h_next < 0.0 {
            kept.push(*here + (next - *here) * (h / (h - h_next)));
        }
    }
    *polygon = kept;
}

/// Integrals of cos and sin of the angle over a polygon, whose points are paths along the side at the distance `far`,
/// and heights: by Green's theorem, the closed integrals of sin and -cos over the heights.
fn integrals(polygon: &[DVec2], far: f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (k, here) in polygon.iter().enumerate() {
        let next = polygon[(k + 1) % polygon.len()];
        let (middle, half) = ((here.x + next.x) / (2.0 * far), (next.x - here.x) / (2.0 * far));
        // means of sin and cos along an edge: those in its middle times sin(half) / half
        let shrink = if half.abs() > 1e-4 { libm::sin(half) / half } else { 1.0 - half * half / 6.0 };
        sums[0] += libm::sin(middle) * shrink * (next.y - here.y);
        sums[1] -= libm::cos(middle) * shrink * (next.y - here.y);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLEEVE: Sleeve = Sleeve { centre: DVec3::new(0.3, 0.1, 0.0), axis: DVec3::Z, heights: [0.0, 1.2] };

    /// Rings of balls that are equally far out, with others within.
    fn rings(count: usize, rows: usize, far: f64, radius: f64) -> Vec<(DVec3, f64)> {
        let ball = |far: f64, k: usize, row: usize| {
            let angle = 0.1 + TAU * k as f64 / count as f64;
            let height = 1.2 * (row as f64 + 0.5) / rows as f64;
            (SLEEVE.centre + DVec3::new(far * angle.cos(), far * angle.sin(), height), radius)
        };
        let all = |far: f64| (0..rows).flat_map(move |row| (0..count).map(move |k| (far, k, row)));
        all(far).chain(all(0.6 * far)).map(|(far, k, row)| ball(far, k, row)).collect()
    }

    #[test]
    fn rings_of_balls_share_the_side_alike() {
        let (count, rows, far, radius) = (24, 5, 0.9, 0.1);
        let shares = SLEEVE.shares(rings(count, rows, far, radius).into_iter());
        assert_eq!(shares.len(), count * rows, "those within are hidden");
        // (far + radius) dz int cos over 1/24 of a turn
        let expected = (far + radius) * 1.2 / rows as f64 * 2.0 * (PI / count as f64).sin();
        assert!(shares.iter().all(|(_, area)| (area.length() / expected - 1.0).abs() < 1e-12));
        let sum: DVec3 = shares.iter().map(|(_, area)| *area).sum();
        assert!(sum.length() < 1e-13, "{sum}");
    }

    /// Cells up to that ball would have 1e13 rows.
    #[test]
    fn a_ball_far_away_costs_no_memory_and_carries_nothing() {
        let mut balls = rings(24, 5, 0.9, 0.1);
        let before = SLEEVE.shares(balls.iter().copied());
        balls.push((DVec3::new(1.2, 0.1, 1e12), 0.1));
        let after = SLEEVE.shares(balls.into_iter());
        assert_eq!(after[..before.len()], before);
        assert!(after[before.len()..].iter().all(|(_, area)| area.length() == 0.0));
    }

    #[test]
    fn shares_tile_the_side_of_a_disordered_sample() {
        // balls anywhere on a cylinder: together they carry all of its side, whatever the order
        let spread = |k: usize, step: f64| (k as f64 * step).fract();
        let place = |k: usize| {
            let (angle, height) = (TAU * spread(k, 0.618_033_9), 1.2 * spread(k, 0.414_213_5));
            (SLEEVE.centre + DVec3::new(0.9 * angle.cos(), 0.9 * angle.sin(), height), 0.05)
        };
        let shares = SLEEVE.shares((0..200).map(place));
        assert!(shares.len() > 150);
        let sum: DVec3 = shares.iter().map(|(_, area)| *area).sum();
        assert!(sum.length() < 1e-12, "closed around the axis: {sum}");
        // half of the side, seen along x, is a rectangle of 2 R H; shares across its border count with their part on
        // this side
        let along: f64 = shares.iter().map(|(_, area)| area.x.abs()).sum();
        assert!((along / (4.0 * 0.95 * 1.2) - 1.0).abs() < 0.01, "{along}");
    }
}
