//! Edges and corners of a surface that stand out, and the directions in which they push.
//!
//! An edge or corner pushes a body along a direction only if no triangle that meets there rises above it along that
//! direction: between the normals of its plates where the surface is convex, nowhere where it is concave, and along the
//! one normal where both sides lie in one plane. So a body that lies on two plates has no contact with the seam between
//! them.

use glam::DVec3;

use super::seams::{FLAT, Seams};
use super::sheet::{Free, Sheet};

/// Directions closer than this [rad] count as equal, as they do for two faces of stones that lie on each other: a body
/// on a plate then has the normal of the plate at its rim, too, and gaps differ by half the square of the angle.
pub(crate) const PARALLEL: f64 = 1e-3;

/// An edge or a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// Its number among the features of the surface.
    pub feature: u32,
    /// Its ends [m]; those of a corner are one.
    pub ends: [DVec3; 2],
}

impl Rim {
    /// Whether it is a corner.
    pub fn is_corner(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// Unit vector along an edge; zero for a corner.
    pub fn direction(&self) -> DVec3 {
        (self.ends[1] - self.ends[0]).normalize_or_zero()
    }
}

impl Seams {
    /// An edge or corner by the number of its feature; `None` for a plate.
    pub fn rim(&self, feature: u32) -> Option<Rim> {
        Some(Rim { feature, ends: self.ends_of(feature)? })
    }

    /// The direction in which a rim pushes a body in contact along `direction`, a unit vector: the normal of a plate,
    /// if both are nearly equal. `None` if it does not push that way.
    pub fn pushed(&self, rim: &Rim, direction: DVec3, free: Free) -> Option<DVec3> {
        let (along, start) = (rim.direction(), rim.ends[0]);
        let (mut normal, mut nearest, mut is_over) = (direction, PARALLEL, false);
        for &triangle in self.around(rim.feature) {
            for corner in self.corners(triangle).into_iter().filter(|corner| !rim.ends.contains(corner)) {
                let away = corner - start;
                let away = away - along * away.dot(along);
                let rise = direction.dot(away) / away.length();
                if rise > PARALLEL {
                    return None;
                }
                is_over |= rise > FLAT; // beyond the rounding of the points
            }
            let plate = self.plate_at(triangle).normal;
            let plate = if plate.dot(direction) >= 0.0 { plate } else { -plate };
            let off = plate.distance(direction);
            if off <= nearest {
                (normal, nearest) = (plate, off);
            }
        }
        if is_over && normal == direction {
            return None;
        }
        let is_free = match free {
            Free::Either => true,
            Free::Front => self.outwards(rim.feature).dot(direction) > 0.0,
            Free::Back => self.outwards(rim.feature).dot(direction) < 0.0,
        };
        is_free.then_some(normal)
    }
}

impl Sheet {
    /// The edges and corners of triangles, each once, in the order of their features; edges and corners inside plates
    /// do not count.
    pub fn rims(&self, triangles: impl Iterator<Item = u32>) -> Vec<Rim> {
        let mut features: Vec<u32> = triangles.flat_map(|triangle| self.seams.features_of(triangle)).collect();
        features.sort_unstable();
        features.dedup();
        features.into_iter().filter_map(|feature| self.seams.rim(feature)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A roof over the x axis, whose sides fall by 45 degrees, with a floor on one side.
    fn roof() -> Sheet {
        let points = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, -1.0, -1.0], [0.0, 3.0, -1.0]];
        Sheet::new(points.map(DVec3::from_array).to_vec(), &[[0, 1, 2], [1, 0, 3], [2, 1, 4]])
    }

    fn edge(sheet: &Sheet, ends: [DVec3; 2]) -> Rim {
        let is_it = |rim: &Rim| rim.ends == ends || rim.ends == [ends[1], ends[0]];
        sheet.rims(0..sheet.seams.len() as u32).into_iter().find(is_it).expect("an edge of the surface")
    }

    #[test]
    fn a_ridge_pushes_between_the_normals_of_its_plates() {
        let sheet = roof();
        let ridge = edge(&sheet, [DVec3::NEG_X, DVec3::X]);
        let towards = |angle: f64| DVec3::new(0.0, libm::sin(angle), libm::cos(angle));
        let pushed = |angle: f64| sheet.seams.pushed(&ridge, towards(angle), Free::Either);
        assert_eq!(pushed(0.0), Some(DVec3::Z));
        assert_eq!(pushed(0.3), Some(towards(0.3)));
        assert!(pushed(0.8).is_none() && pushed(-0.8).is_none() && pushed(3.0).is_none(), "pi / 4 is the last");
        let plate = towards(std::f64::consts::FRAC_PI_4);
        for near in [0.7850, 0.7858] {
            assert!((pushed(near).unwrap() - plate).length() < 1e-15, "beside the normal of a plate it is that");
        }
    }

    #[test]
    fn a_valley_pushes_nowhere_and_an_open_edge_all_around_its_outside() {
        let sheet = roof();
        let valley = edge(&sheet, [DVec3::X, DVec3::new(0.0, 1.0, -1.0)]);
        let up = sheet.seams.plate_at(0).normal + sheet.seams.plate_at(2).normal;
        assert_eq!(sheet.seams.pushed(&valley, up.normalize(), Free::Either), None);
        let open = edge(&sheet, [DVec3::NEG_X, DVec3::new(0.0, -1.0, -1.0)]);
        let normal = sheet.seams.plate_at(1).normal;
        for direction in [normal, -normal] {
            assert_eq!(sheet.seams.pushed(&open, direction, Free::Either), Some(direction));
        }
        let outwards = open.direction().cross(normal);
        let both = [outwards, -outwards].map(|direction| sheet.seams.pushed(&open, direction, Free::Either).is_some());
        assert!(both[0] != both[1], "away from the triangle, and not across it");
    }
}
