//! A profile turned about an axis: a hopper, a cone, a tube with ends, a ring, a disc.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::patch::{Scene, cut};
use super::{Boundary, Capsules};
use crate::dim::{Dim, Vector, in_space};
use crate::input::quantity::{Length, Point, UnitVector};
use crate::input::{Placed, Reader, Span};
use crate::list::record;

record! {
    /// A profile of straight pieces turned about an axis (3D), without thickness; grains stay on the side where they
    /// are.
    pub struct Revolution<D> {
        /// A point of the axis: heights of the profile count from here.
        centre: Point<D>,
        /// Direction of the axis, of any length.
        axis: UnitVector<D>,
        /// Points of the profile, one after the other, each with its distance from the axis and its height along it.
        profile: Placed<Vec<[Length; 2]>>,
    }
}

/// Flat pieces around the axis in pictures.
const CHORDS: usize = 48;
/// Directions in which a grain within a hollow surface may touch it: towards it, and a third of a turn to either side,
/// which hold a grain that sits in a funnel like a ball in a ring.
const DIRECTIONS: usize = 3;
/// Largest number of pieces of a profile: features of contacts of clumps distinguish no more faces.
const PIECES: usize = 80;
/// Rounding of distances from the axis, over their size.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The nearest point of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Foot {
    at: DVec2,
    /// Which end of the piece it is, 0 or 1; `None` for a point between them.
    end: Option<usize>,
}

impl<D: Dim> Revolution<D> {
    fn point(&self, number: usize) -> DVec2 {
        let [distance, height] = &self.profile.value[number];
        DVec2::new(**distance, **height)
    }

    fn pieces(&self) -> usize {
        self.profile.value.len().saturating_sub(1)
    }

    fn foot(&self, piece: usize, x: DVec2) -> Foot {
        let [from, to] = [self.point(piece), self.point(piece + 1)];
        let along = to - from;
        let part = (x - from).dot(along) / along.length_squared();
        match part {
            _ if part <= 0.0 => Foot { at: from, end: Some(0) },
            _ if part >= 1.0 => Foot { at: to, end: Some(1) },
            _ => Foot { at: from + along * part, end: None },
        }
    }

    /// Whether the nearest point of a piece is also the nearest one in its neighbourhood. At a corner the contact
    /// belongs to the first piece.
    fn is_met(&self, piece: usize, foot: &Foot, x: DVec2) -> bool {
        let neighbour = match foot.end {
            Some(0) => piece.checked_sub(1),
            Some(_) => (piece + 1 < self.pieces()).then_some(piece + 1),
            None => None,
        };
        neighbour.is_none_or(|other| other > piece && self.foot(other, x).at == foot.at)
    }

    fn direction(&self) -> DVec3 {
        DVec3::from_array(in_space(self.axis.0))
    }

    /// How far a point is from the axis and how high; and the direction to it, across the axis.
    fn cylindrical(&self, point: D::Vec) -> (DVec2, DVec3) {
        let (from, axis) = (DVec3::from_array(in_space(point - self.centre.0)), self.direction());
        let height = from.dot(axis);
        let across = from - axis * height;
        let far = across.length();
        // on the axis all directions are alike
        let towards = if far > 0.0 { across * (1.0 / far) } else { axis.any_orthonormal_vector() };
        (DVec2::new(far, height), towards)
    }
}

impl<D: Dim> Boundary<D> for Revolution<D> {
    /// Three faces for each piece, one for each direction.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        if D::DIMENSION != 3 {
            return;
        }
        let (x, towards) = self.cylindrical(point);
        let (axis, sideways) = (self.direction(), self.direction().cross(towards));
        for piece in 0..self.pieces() {
            let ahead = self.foot(piece, x);
            let is_hollow = ahead.at.x - x.x > ROUNDING * (ahead.at.x + x.x);
            for direction in 0..if is_hollow { DIRECTIONS } else { 1 } {
                let angle = TAU * direction as f64 / DIRECTIONS as f64;
                let (cos, sin) = if direction == 0 { (1.0, 0.0) } else { (libm::cos(angle), libm::sin(angle)) };
                // the centre of the grain in the half-plane of this direction
                let seen = DVec2::new(x.x * cos, x.y);
                let foot = self.foot(piece, seen);
                let out = towards * cos + sideways * sin;
                let across = (towards * x.x - out * foot.at.x) + axis * (x.y - foot.at.y);
                let distance = across.length();
                if distance < reach && distance > 0.0 && self.is_met(piece, &foot, seen) {
                    let normal = across * (1.0 / distance);
                    let face = (DIRECTIONS * piece + direction) as u32;
                    meet(face, D::Vec::from_fn(|axis| normal[axis]), distance);
                }
            }
        }
    }

    fn may_meet(&self, point: D::Vec, reach: f64, note: &mut dyn FnMut(u32)) {
        if D::DIMENSION != 3 {
            return;
        }
        let (x, _) = self.cylindrical(point);
        for piece in (0..self.pieces()).filter(|piece| (x - self.foot(*piece, x).at).length() < reach) {
            (0..DIRECTIONS).for_each(|direction| note((DIRECTIONS * piece + direction) as u32));
        }
    }

    fn adjoin(&self, one: u32, other: u32) -> bool {
        let directions = DIRECTIONS as u32;
        (one / directions).abs_diff(other / directions) <= 1
    }

    fn faces(&self, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        if D::DIMENSION != 3 {
            return Vec::new();
        }
        let across = D::tangents(self.axis.0);
        let (t, s) = (across.as_slice()[0], across.as_slice()[1]);
        let at = |x: DVec2, k: usize| {
            let angle = TAU * (k % CHORDS) as f64 / CHORDS as f64;
            let out = t * libm::cos(angle) + s * libm::sin(angle);
            self.centre.0 + out * x.x + self.axis.0 * x.y
        };
        let mut faces = Vec::new();
        for piece in 0..self.pieces() {
            let [from, to] = [self.point(piece), self.point(piece + 1)];
            for k in 0..CHORDS {
                let mut corners = vec![at(from, k), at(from, k + 1), at(to, k + 1), at(to, k)];
                corners.dedup();
                if corners.first() == corners.last() {
                    corners.pop();
                }
                faces.extend(cut::<D>(corners, scene));
            }
        }
        faces
    }

    fn check(&self, _at: &Span, reader: &Reader) {
        let points = &self.profile.value;
        let is_behind = points.iter().position(|[distance, _]| **distance < 0.0);
        let double = (1..points.len()).find(|k| self.point(*k) == self.point(k - 1));
        let (message, help) = match (is_behind, double) {
            _ if D::DIMENSION != 3 => (
                "a wall of kind \"revolution\" exists in dimension 3 only".to_string(),
                "write kind = \"line\", with the points of both sides",
            ),
            _ if points.len() < 2 || points.len() > PIECES => (
                format!("a profile has from 2 to {PIECES} points, not {}", points.len()),
                "write profile = [[\"2 cm\", 0], [\"6 cm\", \"5 cm\"]]: distances from the axis, and heights",
            ),
            (Some(k), _) => {
                (format!("point {k} of the profile is beyond the axis"), "distances from the axis are zero or more")
            }
            (_, Some(k)) => (format!("points {} and {k} of the profile are the same", k - 1), "leave one of them out"),
            _ => return,
        };
        reader.mistake::<()>("E015", &self.profile.at, message, help);
    }

    fn axis(&self) -> Option<D::Vec> {
        Some(self.axis.0)
    }

    fn is_aside(&self) -> bool {
        true
    }

    fn arm(&self, x: D::Vec, foot: D::Vec, _: D::Vec) -> D::Vec {
        foot - x - self.centre.0
    }

    fn capsules(&self) -> Capsules {
        Capsules::Never("a wall of kind \"revolution\"")
    }
}
