//! Bodies made of round ones: clumps of overlapping balls, and capsules. Volume, centre and moments are those of the
//! union.

use std::f64::consts::PI;
use std::fmt;

use glam::{DQuat, DVec2, DVec3};

use super::Outline;
use super::polyhedron::principal;
use super::union;
use crate::dim::{Dim, Vector};

/// Why balls do not make a clump. Balls are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClumpFlaw {
    /// No ball at all.
    Empty,
    /// More balls than the features of contacts can distinguish.
    TooMany(usize),
    /// A coordinate or radius that is not a number, or no radius.
    NotABall(usize),
    /// A ball that neither touches nor overlaps the previous ones, directly or through others.
    Loose(usize),
    /// A ball inside another one.
    Hidden(usize, usize),
}

/// Largest number of balls of a clump: the volume of a hundred spheres takes seconds to integrate.
pub(crate) const MOST_BALLS: usize = 100;

impl fmt::Display for ClumpFlaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ClumpFlaw::Empty => write!(f, "a clump needs a ball"),
            ClumpFlaw::TooMany(count) => write!(f, "the clump has {count} balls, at most {MOST_BALLS} are possible"),
            ClumpFlaw::NotABall(k) => write!(f, "ball {k} has no centre or no radius above zero"),
            ClumpFlaw::Loose(k) => write!(f, "ball {k} neither touches nor overlaps the clump of ball 1"),
            ClumpFlaw::Hidden(k, other) => write!(f, "ball {k} lies inside ball {other}: nothing can touch it"),
        }
    }
}

impl ClumpFlaw {
    /// What to do about it, for the message.
    pub fn help(&self) -> &'static str {
        match self {
            ClumpFlaw::Empty => "write centres = [[0, 0], [\"1 cm\", 0]] and radii = [\"8 mm\"]",
            ClumpFlaw::TooMany(_) => "take fewer and larger balls",
            ClumpFlaw::NotABall(_) => "write lengths, and radii above zero",
            ClumpFlaw::Loose(_) => "move it nearer or make it larger; bodies that are apart are two grains",
            ClumpFlaw::Hidden(..) => "leave it out",
        }
    }
}

/// A body of balls, or a capsule, with its volume, centre and moments of inertia.
#[derive(Clone, Debug, PartialEq)]
pub struct Clump {
    /// Centres of the balls, or ends of the segment of a capsule, relative to the centre of mass, in the principal axes
    /// [m].
    pub centres: Vec<DVec3>,
    /// Radii of the balls; the one radius of a capsule [m].
    pub radii: Vec<f64>,
    /// Volume [m3]; in the plane the area [m2].
    pub volume: f64,
    /// Centre of mass in the frame of the given balls [m].
    pub centre: DVec3,
    /// Principal moments of inertia about the centre over the mass [m2]; in the plane the same number three times.
    pub gyration: DVec3,
    /// Rotation of the principal axes in the frame of the given balls; none in the plane.
    pub axes: DQuat,
}

impl Clump {
    /// The union of disks (of the plane z = 0) or of spheres.
    pub fn new<D: Dim>(balls: &[(DVec3, f64)]) -> Result<Clump, ClumpFlaw> {
        check(balls)?;
        let (middle, size) = frame(balls);
        let unit: Vec<(DVec3, f64)> = balls.iter().map(|(x, r)| ((*x - middle) * (1.0 / size), r / size)).collect();
        let (volume, offset, gyration, axes) = if D::DIMENSION == 2 { flat(&unit) } else { solid(&unit) };
        let own = |(x, _): &(DVec3, f64)| {
            let arm = (*x - offset) * size;
            if axes == DQuat::IDENTITY { arm } else { axes.conjugate() * arm }
        };
        Ok(Clump {
            centres: unit.iter().map(own).collect(),
            radii: balls.iter().map(|(_, r)| *r).collect(),
            volume: volume * size.powi(D::DIMENSION as i32),
            centre: middle + offset * size,
            gyration: gyration * (size * size),
            axes,
        })
    }

    /// The capsule: all points nearer than `radius` to a segment of this length along x, about its centre.
    pub fn capsule<D: Dim>(length: f64, radius: f64) -> Clump {
        let (l, r) = (length, radius);
        let (volume, gyration) = if D::DIMENSION == 2 {
            // a rectangle and two halves of a disk, whose centres are 4 r / 3 pi beyond the ends
            let (shaft, caps) = (2.0 * r * l, PI * r * r);
            let moment =
                shaft * (l * l + 4.0 * r * r) / 12.0 + caps * (0.5 * r * r + 0.25 * l * l + 4.0 / (3.0 * PI) * l * r);
            (shaft + caps, DVec3::splat(moment / (shaft + caps)))
        } else {
            // a cylinder and two halves of a ball, whose centres are 3 r / 8 beyond the ends
            let (shaft, caps) = (PI * r * r * l, 4.0 / 3.0 * PI * r * r * r);
            let along = 0.5 * shaft * r * r + 0.4 * caps * r * r;
            let across = shaft * (l * l / 12.0 + 0.25 * r * r) + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
            (shaft + caps, DVec3::new(along, across, across) * (1.0 / (shaft + caps)))
        };
        let end = DVec3::X * (0.5 * l);
        let (centre, axes) = (DVec3::ZERO, DQuat::IDENTITY);
        Clump { centres: vec![-end, end], radii: vec![r], volume, centre, gyration, axes }
    }

    /// Its outline.
    pub fn outline<D: Dim>(&self) -> Outline<D> {
        let lift = |x: &DVec3| D::Vec::from_fn(|axis| x[axis]);
        Outline { corners: self.centres.iter().map(lift).collect(), radii: self.radii.clone(), ..Outline::default() }
    }

    /// Radius of the smallest ball around the centre of mass that holds it [m].
    pub fn radius(&self) -> f64 {
        let radii = self.radii.iter().cycle();
        self.centres.iter().zip(radii).map(|(x, r)| x.length() + r).fold(0.0, f64::max)
    }
}

/// Area or volume of an outline of balls or of a capsule [m2, m3].
pub(crate) fn volume<D: Dim>(outline: &Outline<D>) -> f64 {
    if outline.is_rod() {
        return Clump::capsule::<D>((outline.corners[1] - outline.corners[0]).norm(), outline.radii[0]).volume;
    }
    let space = |x: &D::Vec| DVec3::from_array(crate::dim::in_space(*x));
    let balls: Vec<(DVec3, f64)> = outline.corners.iter().map(space).zip(outline.radii.iter().copied()).collect();
    let (middle, size) = frame(&balls);
    let unit: Vec<(DVec3, f64)> = balls.iter().map(|(x, r)| ((*x - middle) * (1.0 / size), r / size)).collect();
    match D::DIMENSION {
        2 => union::disks(&in_plane(&unit))[0] * size * size,
        _ => union::spheres(&unit)[0] * size * size * size,
    }
}

/// A point in the middle, and the radius around it that contains all balls.
fn frame(balls: &[(DVec3, f64)]) -> (DVec3, f64) {
    let middle = balls.iter().fold(DVec3::ZERO, |sum, (x, _)| sum + *x) * (1.0 / balls.len() as f64);
    (middle, balls.iter().map(|(x, r)| (*x - middle).length() + r).fold(0.0, f64::max))
}

fn in_plane(balls: &[(DVec3, f64)]) -> Vec<(DVec2, f64)> {
    balls.iter().map(|(x, r)| (DVec2::new(x.x, x.y), *r)).collect()
}

/// Area, centre and moments of inertia of disks.
fn flat(disks: &[(DVec3, f64)]) -> (f64, DVec3, DVec3, DQuat) {
    let [area, x, y, xx, yy, _] = union::disks(&in_plane(disks));
    let centre = DVec3::new(x, y, 0.0) * (1.0 / area);
    (area, centre, DVec3::splat((xx + yy) / area - centre.length_squared()), DQuat::IDENTITY)
}

/// Volume, centre and principal moments of inertia of spheres.
fn solid(spheres: &[(DVec3, f64)]) -> (f64, DVec3, DVec3, DQuat) {
    let [volume, x, y, z, xx, yy, zz, yz, xz, xy] = union::spheres(spheres);
    let centre = DVec3::new(x, y, z) * (1.0 / volume);
    let second = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let of = |i: usize, j: usize| {
        let part = second[i][j] / volume - centre[i] * centre[j]; // Steiner
        // numerical noise in a moment that vanishes by symmetry
        if i != j && part.abs() < LEVEL { 0.0 } else { part }
    };
    let c: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| of(i, j)));
    let trace = c[0][0] + c[1][1] + c[2][2];
    let tensor = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { trace - c[i][i] } else { -c[i][j] }));
    let (gyration, axes) = principal(tensor);
    (volume, centre, gyration, axes)
}

/// Products of inertia below this share of the squared size are zero: the accuracy of the integration.
const LEVEL: f64 = 1e-13;

/// Whether balls make one body.
fn check(balls: &[(DVec3, f64)]) -> Result<(), ClumpFlaw> {
    if balls.is_empty() {
        return Err(ClumpFlaw::Empty);
    }
    if balls.len() > MOST_BALLS {
        return Err(ClumpFlaw::TooMany(balls.len()));
    }
    let is_ball = |(x, r): &(DVec3, f64)| x.is_finite() && r.is_finite() && *r > 0.0;
    if let Some(k) = balls.iter().position(|ball| !is_ball(ball)) {
        return Err(ClumpFlaw::NotABall(k + 1));
    }
    for (k, (x, r)) in balls.iter().enumerate() {
        let holds = |(l, (y, s)): &(usize, &(DVec3, f64))| {
            let distance = (*y - *x).length();
            *l != k && distance + r <= *s && (distance + *s > *r || *l < k)
        };
        if let Some((l, _)) = balls.iter().enumerate().find(holds) {
            return Err(ClumpFlaw::Hidden(k + 1, l + 1));
        }
    }
    let (mut reached, mut next) = (vec![false; balls.len()], vec![0]);
    reached[0] = true;
    while let Some(k) = next.pop() {
        for l in 0..balls.len() {
            let touching = (balls[k].1 + balls[l].1) * (1.0 + TOUCHING);
            if !reached[l] && (balls[k].0 - balls[l].0).length() <= touching {
                reached[l] = true;
                next.push(l);
            }
        }
    }
    match reached.iter().position(|reached| !reached) {
        Some(k) => Err(ClumpFlaw::Loose(k + 1)),
        None => Ok(()),
    }
}

/// Balls that are meant to touch do so up to the rounding of their coordinates.
const TOUCHING: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};

    fn close(got: f64, expected: f64) {
        assert!((got / expected - 1.0).abs() < 1e-12, "{got} {expected}");
    }

    #[test]
    fn one_ball_is_a_ball_and_touching_ones_obey_steiner() {
        let one = Clump::new::<D3>(&[(DVec3::new(5.0, 6.0, 7.0), 2.0)]).unwrap();
        close(one.volume, 32.0 / 3.0 * PI);
        assert_eq!(one.axes, DQuat::IDENTITY);
        (0..3).for_each(|k| close(one.gyration[k], 0.4 * 4.0));
        assert!((one.centre - DVec3::new(5.0, 6.0, 7.0)).length() < 1e-12 && one.centres[0].length() < 1e-12);
        let two = Clump::new::<D3>(&[(DVec3::NEG_Y, 1.0), (DVec3::Y, 1.0)]).unwrap();
        close(two.volume, 8.0 / 3.0 * PI);
        close(two.gyration.y, 0.4);
        close(two.gyration.x, 1.4);
        close(two.radius(), 2.0);
        let flat = Clump::new::<D2>(&[(DVec3::NEG_Y, 1.0), (DVec3::Y, 1.0)]).unwrap();
        close(flat.volume, 2.0 * PI);
        close(flat.gyration.x, 1.5);
    }

    /// Four equal balls at the corners of a tetrahedron: the moments are equal about every axis.
    #[test]
    fn a_tetrahedral_cluster_has_one_moment_and_a_skewed_dimer_its_own_axes() {
        let corners = [(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)];
        let four = Clump::new::<D3>(&corners.map(|(x, y, z)| (DVec3::new(x, y, z), 1.5))).unwrap();
        assert!(four.gyration.max_element() - four.gyration.min_element() < 1e-12 * four.gyration.x);
        assert!(four.centre.length() < 1e-13);
        let axis = DVec3::new(0.36, 0.48, 0.8);
        let skewed = Clump::new::<D3>(&[(DVec3::ZERO, 1.0), (axis * 1.2, 0.7)]).unwrap();
        let along = Clump::new::<D3>(&[(DVec3::ZERO, 1.0), (DVec3::X * 1.2, 0.7)]).unwrap();
        assert_eq!(along.axes, DQuat::IDENTITY);
        let mut moments = skewed.gyration.to_array();
        moments.sort_by(f64::total_cmp);
        close(moments[0], along.gyration.x);
        close(moments[1], along.gyration.y);
        close(moments[2], along.gyration.z);
        close(skewed.volume, along.volume);
        // the vector from the first ball to the second, turned back
        let apart = skewed.axes * (skewed.centres[1] - skewed.centres[0]);
        assert!((apart - axis * 1.2).length() < 1e-12);
        close(volume(&along.outline::<D3>()), along.volume);
    }

    /// Many balls in a row fill a capsule, less what is between their waists.
    #[test]
    fn a_row_of_balls_becomes_a_capsule() {
        fn compare<D: Dim>() {
            let (l, r, count) = (1.5, 0.5, 60);
            let row: Vec<(DVec3, f64)> =
                (0..=count).map(|k| (DVec3::X * (l * f64::from(k) / f64::from(count)), r)).collect();
            let (row, capsule) = (Clump::new::<D>(&row).unwrap(), Clump::capsule::<D>(l, r));
            // notches of depth s^2 / 8 r, 1.6e-4, two thirds of it on the average
            assert!((row.volume / capsule.volume - 1.0).abs() < 1e-3);
            for k in 0..3 {
                assert!((row.gyration[k] / capsule.gyration[k] - 1.0).abs() < 1e-3, "{:?} {:?}", row, capsule);
            }
            close(capsule.radius(), 1.25);
            close(volume(&capsule.outline::<D>()), capsule.volume);
        }
        compare::<D2>();
        compare::<D3>();
        let ball = Clump::capsule::<D3>(1e-30, 2.0);
        close(ball.volume, 32.0 / 3.0 * PI);
        (0..3).for_each(|k| close(ball.gyration[k], 1.6));
    }

    #[test]
    fn flaws_are_named() {
        let at = |x: f64, r: f64| (DVec3::X * x, r);
        let flaw = |balls: &[(DVec3, f64)]| Clump::new::<D3>(balls).err();
        assert_eq!(flaw(&[]), Some(ClumpFlaw::Empty));
        assert_eq!(flaw(&[at(0.0, 1.0), at(1.0, 0.0)]), Some(ClumpFlaw::NotABall(2)));
        assert_eq!(flaw(&[at(0.0, 1.0), at(2.0, 1.0)]), None, "they touch");
        assert_eq!(flaw(&[at(0.0, 1.0), at(1.0, 1.0), at(4.0, 1.0)]), Some(ClumpFlaw::Loose(3)));
        assert_eq!(flaw(&[at(0.0, 1.0), at(0.2, 0.5)]), Some(ClumpFlaw::Hidden(2, 1)));
        assert_eq!(flaw(&[at(0.0, 1.0), at(0.0, 1.0)]), Some(ClumpFlaw::Hidden(2, 1)));
    }
}
