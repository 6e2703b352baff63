//! Ballistic deposit: grains come down one after the other, without inertia, and stay where they are held.

use glam::DVec3;

use crate::dim::{Dim, Vector};
use crate::input::Reader;
use crate::scenario::pack::fill::GrainSite;
use crate::scenario::pack::rolling::RollingBed;
use crate::scenario::schema::grains::Ballistic;
use crate::scenario::schema::sizes::PortableRandom;

/// Centre and radius in the plane, or in space with all three coordinates.
type Ball = ([f64; 3], f64);

/// Drops grains of these radii in their order. They stick where they touch first, or roll down until they are held.
pub(crate) fn deposit<D: Dim>(
    region: &Ballistic<D>,
    radii: &[f64],
    random: &mut PortableRandom,
    reader: &Reader,
) -> Option<Vec<GrainSite<D>>> {
    let up = D::DIMENSION - 1;
    let corner = |v: D::Vec| std::array::from_fn(|axis| if axis < D::DIMENSION { v.get(axis) } else { 0.0 });
    let (low, high): ([f64; 3], [f64; 3]) = (corner(region.min.0), corner(region.max.0));
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    if low.iter().chain(&high).any(|x| x.abs() > WIDEST * smallest) {
        let message = format!("a grain of radius {smallest} m is too small for a region so far away or so wide");
        let help = "numbers have 16 digits: place grains nearer to the origin, or take larger ones";
        return reader.mistake("E264", &region.span, message, help);
    }
    let mut placed: Vec<Ball> = Vec::with_capacity(radii.len());
    let mut lying: Vec<(DVec3, f64)> = Vec::new();
    for &radius in radii {
        if (0..up).any(|axis| high[axis] - low[axis] < 2.0 * radius) {
            let message = format!("the region is narrower than a grain (radius {radius} m)");
            return reader.mistake("E011", &region.span, message, "make the region wider: it holds whole grains");
        }
        let mut x = [0.0; 3];
        (0..up).for_each(|axis| x[axis] = low[axis] + radius + (high[axis] - low[axis] - 2.0 * radius) * random.unit());
        let bed = Bed { placed: &placed, up, floor: low[up], sides: [low[0] + radius, high[0] - radius], radius };
        let rest = match (region.sticks, D::DIMENSION) {
            (true, _) => bed.fall(x, f64::INFINITY),
            (false, 2) => bed.settle(x),
            (false, _) => {
                let sides = [0, 1].map(|axis| [low[axis] + radius, high[axis] - radius]);
                RollingBed { placed: &lying, floor: low[up] + radius, sides, radius }
                    .settle(DVec3::from_array(x))
                    .to_array()
            }
        };
        if rest[up] + radius > high[up] {
            let message = format!("only {} of {} grains found room", placed.len(), radii.len());
            return reader.mistake("E011", &region.span, message, "make the region higher, or take fewer grains");
        }
        placed.push((rest, radius));
        lying.push((DVec3::from_array(rest), radius));
    }
    Some(placed.iter().map(|(x, radius)| GrainSite { x: D::Vec::from_fn(|axis| x[axis]), radius: *radius }).collect())
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

/// Lengths over the radius, and angles, that rounding cannot tell apart: discs that touch do so to a few units in the
/// last place, and equal discs often touch three others at once.
const ROUNDING: f64 = 1e-9;

/// Radii from the origin at most: beyond, places are rounded to more than [`ROUNDING`].
const WIDEST: f64 = 1e6;

impl Bed<'_> {
    /// Where a grain meets the bed that comes down along a line from a height; what it grazes does not hold it.
    fn fall(&self, mut x: [f64; 3], from: f64) -> [f64; 3] {
        let mut height = self.floor + self.radius;
        for (other, radius) in self.placed {
            let reach = radius + self.radius;
            let aside: f64 = (0..self.up).map(|axis| (x[axis] - other[axis]).powi(2)).sum();
            let top = other[self.up] + (reach * reach - aside).max(0.0).sqrt();
            if aside < (reach - ROUNDING * self.radius).powi(2) && top > height && top <= from {
                height = top;
            }
        }
        x[self.up] = height;
        x
    }

    /// Whether a disc touches another in the plane, up to rounding.
    fn touches(&self, x: [f64; 3], (other, radius): &Ball) -> bool {
        (libm::hypot(other[0] - x[0], other[1] - x[1]) - radius - self.radius).abs() < ROUNDING * self.radius
    }

    /// Lets a disc roll down in the plane until it is held from both sides, or by the floor. [VisscherBolsterli72]
    fn settle(&self, start: [f64; 3]) -> [f64; 3] {
        let near = ROUNDING * self.radius;
        let mut x = self.fall(start, f64::INFINITY);
        while x[1] > self.floor + self.radius + near {
            let touching: Vec<&Ball> = self.placed.iter().filter(|other| self.touches(x, other)).collect();
            let held_left = x[0] <= self.sides[0] + near || touching.iter().any(|(other, _)| other[0] < x[0] - near);
            let held_right = x[0] >= self.sides[1] - near || touching.iter().any(|(other, _)| other[0] > x[0] + near);
            if held_left && held_right {
                return x;
            }
            let side = if held_right { -1.0 } else { 1.0 };
            let furthest = touching.into_iter().max_by(|one, other| (side * one.0[0]).total_cmp(&(side * other.0[0])));
            x = match furthest.and_then(|support| self.roll(x, support, side)) {
                Some(next) => next,
                None => self.fall(x, x[1] + near),
            };
        }
        x
    }

    /// Where a disc that rolls over a support meets something, or leaves it at the side; none if it is there already.
    fn roll(&self, x: [f64; 3], (centre, radius): &Ball, side: f64) -> Option<[f64; 3]> {
        let reach = radius + self.radius;
        // angle from the vertical, growing as it rolls down
        let angle = |p: [f64; 3]| libm::atan2(side * (p[0] - centre[0]), p[1] - centre[1]);
        let now = angle(x);
        let mut next = std::f64::consts::FRAC_PI_2;
        let along = side * (self.sides[usize::from(side > 0.0)] - centre[0]) / reach;
        if along < 1.0 {
            next = libm::asin(along.max(-1.0));
        }
        let down = (self.floor + self.radius - centre[1]) / reach;
        if down > 0.0 {
            next = next.min(libm::acos(down.min(1.0)));
        }
        if now >= next - ROUNDING {
            return None;
        }
        for ball @ (other, other_radius) in self.placed {
            // it is not met where it is touched already, but just ahead it may be
            let from = if self.touches(x, ball) { now + ROUNDING } else { now };
            for spot in meeting(*centre, reach, *other, other_radius + self.radius) {
                let at = angle(spot);
                if at > from && at < next {
                    next = at;
                }
            }
        }
        Some([centre[0] + side * reach * libm::sin(next), centre[1] + reach * libm::cos(next), 0.0])
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A disc leaves the side of another and falls by so little onto a third that it nearly touches the one it left:
    /// 1.4e-9 radii away, more than rounding, but less than 1e-9 of an angle to roll back.
    #[test]
    fn a_disc_that_has_just_left_another_does_not_roll_through_it() {
        let placed = [
            ([0.04778668359701617, 0.03422585054893709, 0.0], 0.0011976853842364033),
            ([0.04557219221080058, 0.03396590193301087, 0.0], 0.00103201086919028),
            ([0.04628900046537243, 0.03599666310830889, 0.0], 0.0011215454975947023),
            ([0.04361491877559959, 0.0340262698041473, 0.0], 0.0009261933030065435),
        ];
        let radius = 0.0010962585416751014;
        let bed = Bed { placed: &placed, up: 1, floor: 0.0, sides: [0.0, 0.0991], radius };
        let x = bed.settle([0.0455, 0.0, 0.0]);
        let gap = |(other, r): &Ball| libm::hypot(other[0] - x[0], other[1] - x[1]) - r - radius;
        let gaps = placed.map(|ball| gap(&ball) / radius);
        assert!(gaps.iter().all(|gap| *gap > -ROUNDING), "{gaps:?}");
        assert!(gaps[2].abs() < ROUNDING && gaps[3].abs() < ROUNDING, "it lies between two: {gaps:?}");
    }
}
