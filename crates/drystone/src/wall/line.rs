//! A thin wall of finite length in the plane: a hopper, a shelf, a gate.

use super::patch::{Scene, cut};
use super::{Boundary, Capsules};
use crate::dim::{Dim, Vector};
use crate::input::quantity::Point;
use crate::input::{Placed, Reader, Span};
use crate::list::record;

record! {
    /// Straight pieces from point to point (2D), without thickness; grains stay on the side where they are.
    pub struct Line<D> {
        /// Its points, one after the other; the last may be the first again.
        points: Placed<Vec<Point<D>>>,
    }
}

/// The point of a piece that is nearest to another point.
struct Foot<V> {
    at: V,
    /// Which end of the piece it is, 0 or 1; `None` for a point between them.
    end: Option<usize>,
}

impl<D: Dim> Line<D> {
    fn pieces(&self) -> usize {
        self.points.value.len().saturating_sub(1)
    }

    fn piece(&self, number: usize) -> [D::Vec; 2] {
        [self.points.value[number].0, self.points.value[number + 1].0]
    }

    fn foot(&self, piece: usize, point: D::Vec) -> Foot<D::Vec> {
        let [from, to] = self.piece(piece);
        let along = to - from;
        let part = (point - from).dot(along) / along.norm_squared();
        match part {
            _ if part <= 0.0 => Foot { at: from, end: Some(0) },
            _ if part >= 1.0 => Foot { at: to, end: Some(1) },
            _ => Foot { at: from + along * part, end: None },
        }
    }

    /// Pieces that share an end of a piece.
    fn joined(&self, piece: usize, end: usize) -> impl Iterator<Item = usize> {
        let corner = self.piece(piece)[end];
        (0..self.pieces()).filter(move |other| *other != piece && self.piece(*other).contains(&corner))
    }

    /// Whether the nearest point of a piece is also the nearest one in its neighbourhood. At a corner this must hold
    /// for all pieces that meet there, or a grain that rolls along would be disturbed by the seam; the contact belongs
    /// to the first of them.
    fn is_met(&self, piece: usize, foot: &Foot<D::Vec>, point: D::Vec) -> bool {
        let Some(end) = foot.end else { return true };
        self.joined(piece, end).all(|other| other > piece && self.foot(other, point).at == foot.at)
    }
}

impl<D: Dim> Boundary<D> for Line<D> {
    /// One face for each piece.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        for piece in 0..self.pieces() {
            let foot = self.foot(piece, point);
            let across = point - foot.at;
            let distance = across.norm();
            if distance < reach && distance > 0.0 && self.is_met(piece, &foot, point) {
                meet(piece as u32, across * (1.0 / distance), distance);
            }
        }
    }

    fn may_meet(&self, point: D::Vec, reach: f64, note: &mut dyn FnMut(u32)) {
        let near = |piece: &usize| (point - self.foot(*piece, point).at).norm() < reach;
        (0..self.pieces()).filter(near).for_each(|piece| note(piece as u32));
    }

    fn adjoin(&self, one: u32, other: u32) -> bool {
        let ends = self.piece(one as usize);
        self.piece(other as usize).iter().any(|end| ends.contains(end))
    }

    fn faces(&self, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        (0..self.pieces()).filter_map(|piece| cut::<D>(self.piece(piece).to_vec(), scene)).collect()
    }

    fn check(&self, _at: &Span, reader: &Reader) {
        let points = &self.points.value;
        let (message, help) = match points.windows(2).position(|pair| pair[0].0 == pair[1].0) {
            _ if D::DIMENSION != 2 => (
                "a wall of kind \"line\" exists in dimension 2 only".to_string(),
                "write kind = \"plane\" or kind = \"cylinder\"",
            ),
            _ if points.len() < 2 => {
                (format!("a line has two points or more, not {}", points.len()), "write points = [[0, 0], [1, 0]]")
            }
            Some(k) => (format!("points {k} and {} of the line are the same", k + 1), "leave one of them out"),
            None => return,
        };
        reader.mistake::<()>("E015", &self.points.at, message, help);
    }

    fn vertices(&self) -> Vec<D::Vec> {
        self.points.value.iter().map(|point| point.0).collect()
    }

    fn capsules(&self) -> Capsules {
        Capsules::IfRigid("a wall of kind \"line\"")
    }

    fn takes_stones(&self) -> bool {
        true
    }
}
