//! Convex polygons: checks of a list of corners; area, centre and moment of inertia.

use std::f64::consts::PI;
use std::fmt;

use glam::DVec2;

use super::Outline;
use crate::dim::D2;

/// Why corners do not make a convex polygon. Corners are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolygonFlaw {
    /// Fewer than three corners.
    TooFew(usize),
    /// A coordinate that is not a number.
    NotFinite(usize),
    /// Two corners, one after the other, are the same point.
    Doubled(usize),
    /// A corner lies on the line through its neighbours.
    Straight(usize),
    /// The corners run clockwise.
    Clockwise,
    /// The outline turns inwards at a corner.
    Hollow(usize),
    /// The outline winds around more than once, and crosses itself.
    Crossing,
}

impl fmt::Display for PolygonFlaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PolygonFlaw::TooFew(count) => write!(f, "a polygon needs three corners, this one has {count}"),
            PolygonFlaw::NotFinite(k) => write!(f, "corner {k} has a coordinate that is not a number"),
            PolygonFlaw::Doubled(k) => write!(f, "corner {k} is the same point as the one before"),
            PolygonFlaw::Straight(k) => write!(f, "corner {k} lies on the line through its neighbours"),
            PolygonFlaw::Clockwise => write!(f, "the corners run clockwise"),
            PolygonFlaw::Hollow(k) => write!(f, "the outline is not convex: it turns inwards at corner {k}"),
            PolygonFlaw::Crossing => write!(f, "the outline crosses itself"),
        }
    }
}

impl PolygonFlaw {
    /// What to do about it, for the message.
    pub fn help(&self) -> &'static str {
        match self {
            PolygonFlaw::TooFew(_) => "write vertices = [[0, 0], [\"1 cm\", 0], [0, \"1 cm\"]]",
            PolygonFlaw::NotFinite(_) => "write two lengths for every corner",
            PolygonFlaw::Doubled(_) | PolygonFlaw::Straight(_) => "leave this corner out",
            PolygonFlaw::Clockwise => "write the corners in the opposite order, counter-clockwise",
            PolygonFlaw::Hollow(_) | PolygonFlaw::Crossing => "cut the body into convex ones: grains are convex",
        }
    }
}

/// A convex polygon with its exact area, centre and moment of inertia.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Corners and edges about the centre.
    pub outline: Outline<D2>,
    /// Area [m2].
    pub area: f64,
    /// Centre of mass in the frame of the given corners [m].
    pub centre: DVec2,
    /// Moment of inertia about the centre over the mass: the square of the radius of gyration [m2].
    pub gyration: f64,
}

/// Corners at which the outline turns by less than this, which rounding of the coordinates explains, lie on a line.
const STRAIGHT: f64 = 8.0 * f64::EPSILON;

impl Polygon {
    /// The polygon with these corners, counter-clockwise.
    pub fn new(corners: &[DVec2]) -> Result<Polygon, PolygonFlaw> {
        check(corners)?;
        // areas of the triangles from the first corner, with their centres and second moments
        let first = corners[0];
        let (mut twice, mut centre, mut second) = (0.0, DVec2::ZERO, 0.0);
        for pair in corners[1..].windows(2) {
            let (p, q) = (pair[0] - first, pair[1] - first);
            let cross = p.perp_dot(q);
            twice += cross;
            centre += (p + q) * (cross / 3.0);
            second += cross * (p.length_squared() + p.dot(q) + q.length_squared()) / 6.0;
        }
        let centre = centre * (1.0 / twice);
        let outline = Outline::of_corners(corners.iter().map(|corner| *corner - first - centre).collect());
        let gyration = second / twice - centre.length_squared(); // Steiner
        Ok(Polygon { outline, area: 0.5 * twice, centre: first + centre, gyration })
    }

    /// A rectangle about its centre.
    pub fn rectangle(width: f64, height: f64) -> Result<Polygon, PolygonFlaw> {
        let (x, y) = (0.5 * width, 0.5 * height);
        Polygon::new(&[DVec2::new(-x, -y), DVec2::new(x, -y), DVec2::new(x, y), DVec2::new(-x, y)])
    }

    /// A regular polygon about its centre, with a horizontal lower edge; `radius` is the distance of its corners.
    pub fn regular(sides: usize, radius: f64) -> Result<Polygon, PolygonFlaw> {
        let angle = |k: usize| -0.5 * PI + PI * (2 * k + 1) as f64 / sides as f64;
        let corner = |k: usize| DVec2::new(libm::cos(angle(k)), libm::sin(angle(k))) * radius;
        Polygon::new(&(0..sides).map(corner).collect::<Vec<_>>())
    }
}

/// Checks that corners make a convex polygon: every turn is to the left, and they add up to one full turn.
fn check(corners: &[DVec2]) -> Result<(), PolygonFlaw> {
    let n = corners.len();
    if n < 3 {
        return Err(PolygonFlaw::TooFew(n));
    }
    if let Some(k) = corners.iter().position(|corner| !corner.is_finite()) {
        return Err(PolygonFlaw::NotFinite(k + 1));
    }
    let edge = |k: usize| corners[(k + 1) % n] - corners[k % n];
    if let Some(k) = (0..n).find(|k| edge(*k) == DVec2::ZERO) {
        return Err(PolygonFlaw::Doubled((k + 1) % n + 1));
    }
    let size = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0, f64::max);
    let turn = |k: usize| {
        let (before, after) = (edge(k + n - 1), edge(k));
        let rounding = STRAIGHT * size * (before.length() + after.length());
        let cross = before.perp_dot(after);
        if cross.abs() <= rounding { 0 } else { cross.signum() as i32 }
    };
    let turns: Vec<i32> = (0..n).map(turn).collect();
    if turns.iter().all(|turn| *turn <= 0) && turns.contains(&-1) {
        return Err(PolygonFlaw::Clockwise);
    }
    if let Some(k) = turns.iter().position(|turn| *turn < 0) {
        return Err(PolygonFlaw::Hollow(k + 1));
    }
    if let Some(k) = turns.iter().position(|turn| *turn == 0) {
        return Err(PolygonFlaw::Straight(k + 1));
    }
    // the direction of the edges crosses the x axis upwards once in every full turn
    let is_up = |k: usize| edge(k).y > 0.0 || (edge(k).y == 0.0 && edge(k).x > 0.0);
    let windings = (0..n).filter(|k| !is_up(*k) && is_up(k + 1)).count();
    if windings == 1 { Ok(()) } else { Err(PolygonFlaw::Crossing) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
        list.iter().map(|(x, y)| DVec2::new(*x, *y)).collect()
    }

    #[test]
    fn closed_forms() {
        let close = |got: f64, expected: f64| assert!((got / expected - 1.0).abs() < 1e-14, "{got} {expected}");
        let brick = Polygon::rectangle(3.0, 0.5).unwrap();
        close(brick.area, 1.5);
        close(brick.gyration, (9.0 + 0.25) / 12.0);
        assert_eq!((brick.centre, brick.outline.inner_radius()), (DVec2::ZERO, 0.25));
        close(brick.outline.radius(), libm::hypot(1.5, 0.25));
        // a triangle: one third of the corners, and (a^2 + b^2 + c^2) / 36
        let triangle = Polygon::new(&points(&[(10.0, 20.0), (14.0, 20.0), (11.0, 23.0)])).unwrap();
        close(triangle.area, 6.0);
        close(triangle.centre.x, 35.0 / 3.0);
        close(triangle.centre.y, 21.0);
        close(triangle.gyration, (16.0 + 10.0 + 18.0) / 36.0);
        for sides in 3..40 {
            // area n/2 R^2 sin(2 pi/n), radius of gyration R^2/2 (1 - 2/3 sin^2(pi/n))
            let polygon = Polygon::regular(sides, 2.0).unwrap();
            let angle = PI / sides as f64;
            close(polygon.area, 2.0 * sides as f64 * (2.0 * angle).sin());
            assert!((polygon.gyration / (2.0 - 4.0 / 3.0 * angle.sin().powi(2)) - 1.0).abs() < 1e-13);
            assert!((polygon.outline.inner_radius() / (2.0 * angle.cos()) - 1.0).abs() < 1e-14);
            assert!(
                polygon.outline.normals[sides - 1].abs_diff_eq(DVec2::NEG_Y, 1e-14) && polygon.centre.length() < 1e-14
            );
        }
    }

    /// Points thrown into the box around the polygon; one that is inside is to the left of every edge.
    #[test]
    fn area_centre_and_inertia_by_monte_carlo() {
        let corners = points(&[(0.0, 0.0), (2.0, -0.5), (3.0, 0.4), (2.5, 2.0), (0.5, 1.5)]);
        let polygon = Polygon::new(&corners).unwrap();
        let mut rng = Pcg64::new(1, 2);
        let mut unit = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let (thrown, mut hits, mut sum, mut square) = (400_000, 0.0, DVec2::ZERO, 0.0);
        for _ in 0..thrown {
            let x = DVec2::new(3.0 * unit(), 2.5 * unit() - 0.5);
            let left = |k: usize| (corners[(k + 1) % 5] - corners[k]).perp_dot(x - corners[k]) > 0.0;
            if (0..5).all(left) {
                hits += 1.0;
                sum += x;
                square += (x - polygon.centre).length_squared();
            }
        }
        // a hit or miss: 1 / sqrt(n) is about 2e-3
        assert!((7.5 * hits / f64::from(thrown) / polygon.area - 1.0).abs() < 4e-3);
        assert!((sum * (1.0 / hits) - polygon.centre).length() < 4e-3);
        assert!((square / hits / polygon.gyration - 1.0).abs() < 6e-3);
    }

    #[test]
    fn the_outline_is_about_the_centre_and_its_normals_point_outwards() {
        let polygon = Polygon::new(&points(&[(100.0, 7.0), (101.0, 7.0), (101.5, 8.0), (100.0, 9.0)])).unwrap();
        let Outline { corners, normals, .. } = &polygon.outline;
        let again = Polygon::new(corners).unwrap();
        assert!(again.centre.length() < 1e-15 && (again.gyration / polygon.gyration - 1.0).abs() < 1e-14);
        for (k, normal) in normals.iter().enumerate() {
            assert!((normal.length() - 1.0).abs() < 1e-15);
            let height = |corner: &DVec2| normal.dot(*corner - corners[k]);
            assert!(corners.iter().all(|corner| height(corner) < 1e-15) && normal.dot(-corners[k]) < 0.0);
        }
    }

    #[test]
    fn flaws_are_named() {
        let flaw = |list: &[(f64, f64)]| Polygon::new(&points(list)).err();
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        assert_eq!(flaw(&square), None);
        assert_eq!(flaw(&square[..2]), Some(PolygonFlaw::TooFew(2)));
        assert_eq!(flaw(&[square[3], square[2], square[1], square[0]]), Some(PolygonFlaw::Clockwise));
        assert_eq!(flaw(&[(0.0, 0.0), (f64::NAN, 0.0), (1.0, 1.0)]), Some(PolygonFlaw::NotFinite(2)));
        assert_eq!(flaw(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 1.0)]), Some(PolygonFlaw::Doubled(3)));
        assert_eq!(flaw(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]), Some(PolygonFlaw::Straight(1)));
        assert_eq!(flaw(&[(0.0, 0.0), (1.0, 0.0), (2.0, 1e-16), (0.0, 2.0)]), Some(PolygonFlaw::Straight(2)));
        assert_eq!(flaw(&[(0.0, 0.0), (2.0, 0.0), (1.0, 0.5), (0.0, 2.0)]), Some(PolygonFlaw::Hollow(3)));
        assert_eq!(flaw(&[(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]), Some(PolygonFlaw::Hollow(2)), "a bow tie");
        let star: Vec<(f64, f64)> = (0..5).map(|k| (4.0 * PI / 5.0 * f64::from(k)).sin_cos()).collect();
        let star: Vec<(f64, f64)> = star.into_iter().map(|(sin, cos)| (cos, sin)).collect();
        assert_eq!(flaw(&star), Some(PolygonFlaw::Crossing), "a pentagram turns left everywhere, twice around");
        let thin = [(0.0, 0.0), (1.0, 0.0), (1.0, 1e-6), (0.0, 1e-6)];
        assert_eq!(flaw(&thin), None, "thin is not flat");
    }
}
