//! Ballistic deposit: grains come down one after the other, without inertia, and stay where they are held.

use super::fill::Seat;
use super::grains::Ballistic;
use super::sizes::Random;
use crate::dim::{D2, Dim, Vector};
use crate::input::Reader;

/// Centre and radius in the plane, or in space with all three coordinates.
type Ball = ([f64; 3], f64);

/// Drops grains of these radii in their order. They stick where they touch first, or (2D) roll down to two supports.
pub fn deposit<D: Dim>(
    region: &Ballistic<D>,
    radii: &[f64],
    random: &mut Random,
    reader: &Reader,
) -> Option<Vec<Seat<D>>> {
    let up = D::DIMENSION - 1;
    let corner = |v: D::Vec| std::array::from_fn(|axis| if axis < D::DIMENSION { v.get(axis) } else { 0.0 });
    let (low, high): ([f64; 3], [f64; 3]) = (corner(region.min.0), corner(region.max.0));
    let mut placed: Vec<Ball> = Vec::with_capacity(radii.len());
    for &radius in radii {
        if (0..up).any(|axis| high[axis] - low[axis] < 2.0 * radius) {
            let message = format!("the region is narrower than a grain (radius {radius} m)");
            return reader.mistake("E011", &region.span, message, "make the region wider: it holds whole grains");
        }
        let mut x = [0.0; 3];
        (0..up).for_each(|axis| x[axis] = low[axis] + radius + (high[axis] - low[axis] - 2.0 * radius) * random.unit());
        let bed = Bed { placed: &placed, up, floor: low[up], sides: [low[0] + radius, high[0] - radius], radius };
        let rest = if region.sticks { bed.fall(x).0 } else { bed.settle(x) };
        if rest[up] + radius > high[up] {
            let message = format!("only {} of {} grains found room", placed.len(), radii.len());
            return reader.mistake("E011", &region.span, message, "make the region higher, or take fewer grains");
        }
        placed.push((rest, radius));
    }
    Some(placed.iter().map(|(x, radius)| Seat { x: D::Vec::from_fn(|axis| x[axis]), radius: *radius }).collect())
}

/// What a grain of one radius meets.
struct Bed<'b> {
    placed: &'b [Ball],
    up: usize,
    floor: f64,
    /// Least and largest first coordinate of its centre.
    sides: [f64; 2],
    radius: f64,
}

/// Angles over the supports that rounding cannot tell apart: touching discs touch to a few units in the last place.
const ROUNDING: f64 = 1e-9;

impl Bed<'_> {
    /// Where a grain that comes from above along a line meets the bed, and whom; nobody is the floor.
    fn fall(&self, mut x: [f64; 3]) -> ([f64; 3], Option<usize>) {
        self.fall_below(&mut x, f64::INFINITY)
    }

    /// The same for a grain that starts from a height, and meets nobody whose top support lies above it.
    fn fall_below(&self, x: &mut [f64; 3], from: f64) -> ([f64; 3], Option<usize>) {
        let (mut height, mut met) = (self.floor + self.radius, None);
        for (k, (other, radius)) in self.placed.iter().enumerate() {
            let reach = radius + self.radius;
            let aside: f64 = (0..self.up).map(|axis| (x[axis] - other[axis]).powi(2)).sum();
            let top = other[self.up] + (reach * reach - aside).max(0.0).sqrt();
            if aside < reach * reach && top > height && top <= from {
                (height, met) = (top, Some(k));
            }
        }
        x[self.up] = height;
        (*x, met)
    }

    /// Lets a disc roll down in the plane until it is held from both sides, by the floor or by a side. [VisscherBolsterli]
    fn settle(&self, start: [f64; 3]) -> [f64; 3] {
        let (mut x, mut on) = self.fall(start);
        while let Some(support) = on {
            let (centre, radius) = self.placed[support];
            let reach = radius + self.radius;
            let side = if x[0] >= centre[0] { 1.0 } else { -1.0 };
            // angle from the vertical, growing as it rolls down
            let angle = |p: [f64; 3]| libm::atan2(side * (p[0] - centre[0]), p[1] - centre[1]);
            let now = angle(x);
            let mut next = (std::f64::consts::FRAC_PI_2, Met::Nobody);
            let wall = self.sides[usize::from(side > 0.0)];
            let along = side * (wall - centre[0]) / reach;
            if along < 1.0 {
                next = (libm::asin(along.max(-1.0)), Met::Held);
            }
            let down = (self.floor + self.radius - centre[1]) / reach;
            if down > 0.0 && libm::acos(down.min(1.0)) < next.0 {
                next = (libm::acos(down.min(1.0)), Met::Held);
            }
            for (k, (other, other_radius)) in self.placed.iter().enumerate().filter(|(k, _)| *k != support) {
                for spot in meeting(centre, reach, *other, other_radius + self.radius) {
                    let at = angle(spot);
                    if at > now + ROUNDING && at < next.0 {
                        next = (at, Met::Disc(k));
                    }
                }
            }
            let (sin, cos) = (libm::sin(next.0), libm::cos(next.0));
            x = [centre[0] + side * reach * sin, centre[1] + reach * cos, 0.0];
            match next.1 {
                Met::Held => return x,
                Met::Nobody => {
                    let from = x[1] - ROUNDING * self.radius;
                    (x, on) = self.fall_below(&mut x, from);
                }
                Met::Disc(k) => {
                    let between = |a: f64, b: f64| (a.min(b)..=a.max(b)).contains(&x[0]);
                    if between(centre[0], self.placed[k].0[0]) {
                        return x;
                    }
                    on = Some(k); // it rolls on over the disc that it met
                }
            }
        }
        x
    }
}

/// What ends the way over a support.
enum Met {
    /// The horizontal: it falls on.
    Nobody,
    /// The floor or a side.
    Held,
    /// Another disc.
    Disc(usize),
}

/// Centres at which a disc touches two others: distances `p` from `a` and `q` from `b` in the plane.
fn meeting(a: [f64; 3], p: f64, b: [f64; 3], q: f64) -> Vec<[f64; 3]> {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let square = dx * dx + dy * dy;
    let along = (p * p - q * q + square) / (2.0 * square);
    let across = p * p / square - along * along;
    if square == 0.0 || across < 0.0 {
        return Vec::new();
    }
    let across = across.sqrt();
    [across, -across].map(|t| [a[0] + along * dx - t * dy, a[1] + along * dy + t * dx, 0.0]).into()
}

/// Whether a dimension lets grains roll: discs alone do.
pub fn can_roll<D: Dim>() -> bool {
    D::DIMENSION == D2::DIMENSION
}
