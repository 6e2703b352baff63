//! Drop-and-roll packing in space: spheres roll down the bed until they are supported. [VisscherBolsterli72]
//!
//! The centre of a sphere without inertia follows the steepest descent that balls, sides and floor allow. It falls, or
//! moves on a circle: about one ball in an upright plane, about the line of two balls, or along a side over a ball. On
//! a circle every squared gap, height and contact force has the form a + b cos t + c sin t in the angle t, so the end
//! of the path is known in closed form.

use std::f64::consts::TAU;

use glam::DVec3;

/// Relative lengths below which differences count as rounding.
const ROUNDING: f64 = 1e-9;

/// Angle below which a ball that is already touched is not met again; the overlap would be its square times a radius.
const GRAZING: f64 = 1e-5;

/// Largest number of path segments of a sphere, after which it stays where it is; dense beds take about ten.
const WAYS: usize = 1000;

/// The bed on which a sphere of one radius rolls.
pub(super) struct RollingBed<'b> {
    /// Centres and radii of the spheres at rest.
    pub placed: &'b [(DVec3, f64)],
    /// Height of its centre on the floor.
    pub floor: f64,
    /// Least and largest horizontal coordinates of its centre.
    pub sides: [[f64; 2]; 2],
    /// Its radius.
    pub radius: f64,
}

/// A support of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hold {
    /// A ball: its centre, and the distance at which it is touched.
    Ball(DVec3, f64),
    /// A side: the direction away from it, and the coordinate along that at which it is touched.
    Side(DVec3, f64),
}

/// a + b cos t + c sin t.
struct Wave(f64, f64, f64);

impl Wave {
    /// The first t > 0 at which it falls below zero.
    fn falls(&self) -> Option<f64> {
        let Wave(a, b, c) = *self;
        let size = libm::hypot(b, c);
        (a.abs() < size).then(|| (libm::atan2(c, b) + libm::acos(-a / size)).rem_euclid(TAU))
    }
}

/// A circle from a point on: m + e1 cos t + e2 sin t.
struct Circle {
    centre: DVec3,
    start: DVec3,
    ahead: DVec3,
}

impl Circle {
    fn at(&self, t: f64) -> DVec3 {
        self.centre + self.start * libm::cos(t) + self.ahead * libm::sin(t)
    }

    /// A linear function of the position.
    fn linear(&self, direction: DVec3, from: f64) -> Wave {
        Wave(direction.dot(self.centre) - from, direction.dot(self.start), direction.dot(self.ahead))
    }

    /// Gap to a support; for balls half the difference of the squared distances.
    fn gap(&self, hold: &Hold) -> Wave {
        match hold {
            Hold::Ball(c, reach) => {
                let apart = self.centre - *c;
                let square = apart.length_squared() + self.start.length_squared() - reach * reach;
                Wave(0.5 * square, apart.dot(self.start), apart.dot(self.ahead))
            }
            Hold::Side(normal, from) => self.linear(*normal, *from),
        }
    }
}

impl Hold {
    /// The direction in which it pushes a sphere at `x`.
    fn normal(&self, x: DVec3) -> DVec3 {
        match self {
            Hold::Ball(c, reach) => (x - *c) / *reach,
            Hold::Side(normal, _) => *normal,
        }
    }

    fn gap(&self, x: DVec3) -> f64 {
        match self {
            Hold::Ball(c, reach) => (x - *c).length() - reach,
            Hold::Side(normal, from) => normal.dot(x) - from,
        }
    }

    /// Upward part of its normal on a circle.
    fn uphill(&self, circle: &Circle) -> Wave {
        match self {
            Hold::Ball(c, reach) => {
                let Wave(a, b, s) = circle.linear(DVec3::Z, c.z);
                Wave(a / reach, b / reach, s / reach)
            }
            Hold::Side(..) => Wave(0.0, 0.0, 0.0),
        }
    }
}

impl RollingBed<'_> {
    fn holds(&self) -> impl Iterator<Item = Hold> {
        let balls = self.placed.iter().map(|(c, radius)| Hold::Ball(*c, radius + self.radius));
        let side = |axis: DVec3, [low, high]: [f64; 2]| [Hold::Side(axis, low), Hold::Side(-axis, -high)];
        let [x, y] = self.sides;
        balls.chain(side(DVec3::X, x)).chain(side(DVec3::Y, y))
    }

    /// Where a sphere that falls straight down comes to rest.
    pub(super) fn settle(&self, start: DVec3) -> DVec3 {
        let near = ROUNDING * self.radius;
        let mut x = self.fall(start.with_z(f64::INFINITY));
        for _ in 0..WAYS {
            if x.z <= self.floor + near {
                return x.with_z(self.floor);
            }
            let touching: Vec<Hold> = self.holds().filter(|hold| hold.gap(x).abs() < near).collect();
            let Some((active, down)) = descent(&touching, x) else { return x };
            let next = self.follow(x, &active, down, &touching);
            if next.z >= x.z {
                return x; // because of rounding no descent is left
            }
            x = next;
        }
        x
    }

    /// Where a falling sphere meets a ball or the floor. Balls that it only grazes do not stop it.
    fn fall(&self, x: DVec3) -> DVec3 {
        let mut height = self.floor;
        for (c, radius) in self.placed {
            let reach = radius + self.radius;
            let aside = (x - *c).truncate().length_squared();
            if aside < (reach - ROUNDING * self.radius).powi(2) {
                let top = c.z + (reach * reach - aside).sqrt();
                height = if top <= x.z + ROUNDING * self.radius { height.max(top) } else { height };
            }
        }
        x.with_z(height)
    }

    /// The end of the path that begins at `x` in the direction `down` and stays in touch with the active supports.
    fn follow(&self, x: DVec3, active: &[Hold], down: DVec3, touching: &[Hold]) -> DVec3 {
        let centre = match active {
            [Hold::Ball(c, _)] => *c,
            [Hold::Ball(c, _), Hold::Side(n, _)] | [Hold::Side(n, _), Hold::Ball(c, _)] => *c + *n * n.dot(x - *c),
            [Hold::Ball(one, _), Hold::Ball(other, _)] => {
                let line = (*other - *one).normalize();
                *one + line * line.dot(x - *one)
            }
            _ => return self.fall(x),
        };
        let start = x - centre;
        let circle = Circle { centre, start, ahead: down * (start.length() / down.length()) };
        let mut end = TAU;
        let mut note = |wave: Wave, least: f64| {
            if let Some(t) = wave.falls().filter(|t| *t > least) {
                end = end.min(t);
            }
        };
        for hold in self.holds().filter(|hold| !active.contains(hold)) {
            note(circle.gap(&hold), if touching.contains(&hold) { GRAZING } else { 0.0 });
        }
        note(circle.linear(DVec3::Z, self.floor), 0.0);
        // it must go down: d z / d t < 0
        note(Wave(0.0, -circle.ahead.z, circle.start.z), GRAZING);
        // and must press on its supports: the forces that carry its weight, up to a factor
        match active {
            [one, other] => {
                let coupling = one.normal(x).dot(other.normal(x));
                for (this, that) in [(one, other), (other, one)] {
                    let (Wave(a, b, c), Wave(p, q, r)) = (this.uphill(&circle), that.uphill(&circle));
                    note(Wave(a - coupling * p, b - coupling * q, c - coupling * r), GRAZING);
                }
            }
            [one] => note(one.uphill(&circle), GRAZING),
            _ => {}
        }
        circle.at(end)
    }
}

/// The steepest descent that the supports allow, and the supports that it stays in touch with; `None` if a sphere at
/// `x` is held.
///
/// It is -z minus the forces of the supports that carry weight: the projection of -z onto the cone of directions that
/// enter no support. The projection is unique, so the first set of supports that satisfies the conditions is the right
/// one.
fn descent(touching: &[Hold], x: DVec3) -> Option<(Vec<Hold>, DVec3)> {
    let is_way =
        |down: DVec3| down.length() > ROUNDING && touching.iter().all(|hold| hold.normal(x).dot(down) >= -ROUNDING);
    if is_way(DVec3::NEG_Z) {
        return Some((Vec::new(), DVec3::NEG_Z));
    }
    for one in touching {
        let n = one.normal(x);
        let down = n * n.z - DVec3::Z;
        if n.z >= 0.0 && is_way(down) {
            return Some((vec![*one], down));
        }
    }
    for (k, one) in touching.iter().enumerate() {
        for other in &touching[k + 1..] {
            let (n, m) = (one.normal(x), other.normal(x));
            let coupling = n.dot(m);
            let whole = 1.0 - coupling * coupling;
            if whole < ROUNDING {
                continue; // one behind the other
            }
            let loads = [(n.z - coupling * m.z) / whole, (m.z - coupling * n.z) / whole];
            let down = n * loads[0] + m * loads[1] - DVec3::Z;
            if loads.iter().all(|load| *load >= 0.0) && is_way(down) {
                return Some((vec![*one, *other], down));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope(placed: &[(DVec3, f64)]) -> RollingBed<'_> {
        RollingBed { placed, floor: 0.5, sides: [[-3.0, 3.0], [-3.0, 3.0]], radius: 0.5 }
    }

    #[test]
    fn a_sphere_rolls_off_one_ball_to_the_floor() {
        // it leaves the ball at its equator, a diameter aside
        let placed = [(DVec3::new(0.0, 0.0, 2.0), 0.5)];
        let rest = slope(&placed).settle(DVec3::new(0.3, 0.4, 0.0));
        assert!((rest - DVec3::new(0.6, 0.8, 0.5)).length() < 1e-9, "{rest}");
    }

    #[test]
    fn a_sphere_finds_the_pocket_of_three() {
        // three balls that touch each other on the floor: the fourth lies sqrt(2/3) diameters higher, over their middle
        let half = 0.75_f64.sqrt();
        let places = [DVec3::new(0.0, 0.0, 0.5), DVec3::new(1.0, 0.0, 0.5), DVec3::new(0.5, half, 0.5)];
        let placed = places.map(|c| (c, 0.5));
        for start in [[0.5, 0.1], [0.3, 0.2], [0.55, 0.6], [0.4, 0.3]] {
            let rest = slope(&placed).settle(DVec3::new(start[0], start[1], 0.0));
            let expected = DVec3::new(0.5, half / 3.0, 0.5 + (2.0_f64 / 3.0).sqrt());
            assert!((rest - expected).length() < 1e-8, "{start:?}: {rest}");
        }
    }

    #[test]
    fn a_sphere_in_a_corner_rests_on_two_sides_and_a_ball() {
        let placed = [(DVec3::new(-2.6, -2.6, 0.5), 0.5)];
        let rest = slope(&placed).settle(DVec3::new(-2.9, -2.8, 0.0));
        let expected = 0.5 + (1.0_f64 - 2.0 * 0.4 * 0.4).sqrt();
        assert!((rest - DVec3::new(-3.0, -3.0, expected)).length() < 1e-8, "{rest}");
    }

    #[test]
    fn whatever_rests_is_held_and_enters_nothing() {
        let mut placed: Vec<(DVec3, f64)> = Vec::new();
        let spread = |k: usize, step: f64| 6.0 * (k as f64 * step).fract() - 3.0;
        for k in 0..300 {
            let radius = 0.3 + 0.2 * (k as f64 * 0.732_050_8).fract();
            let sides = [[-3.5 + radius, 3.5 - radius]; 2];
            let slope = RollingBed { placed: &placed, floor: radius, sides, radius };
            let rest = slope.settle(DVec3::new(spread(k, 0.618_033_9), spread(k, 0.414_213_5), 0.0));
            let near = 1e-8;
            assert!(slope.holds().all(|hold| hold.gap(rest) > -near), "sphere {k} enters something");
            let touching: Vec<Hold> = slope.holds().filter(|hold| hold.gap(rest) < near).collect();
            assert!(rest.z == radius || touching.len() >= 3, "sphere {k} is held by {touching:?}");
            placed.push((rest, radius));
        }
        assert!(placed.iter().filter(|(x, radius)| x.z > *radius).count() > 150);
    }
}
