//! The inside of a box.

use super::patch::Scene;
use super::{Boundary, Capsules};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Components, Point};
use crate::input::{Reader, Span};
use crate::list::record;

record! {
    /// The inside of a box with faces along the axes.
    pub struct Cuboid<D> {
        /// Corner with the smallest coordinates.
        min: Point<D>,
        /// Corner with the largest coordinates.
        max: Point<D>,
    }
}

impl<D: Dim> Cuboid<D> {
    /// The inside of a box between two corners.
    pub fn new(min: D::Vec, max: D::Vec) -> Cuboid<D> {
        Cuboid { min: Components(min), max: Components(max) }
    }
}

impl<D: Dim> Boundary<D> for Cuboid<D> {
    /// Face 2k is the low one of axis k, face 2k + 1 the high one.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        for axis in 0..D::DIMENSION {
            let inward = |sign: f64| D::Vec::from_fn(|k| if k == axis { sign } else { 0.0 });
            let above = point.get(axis) - self.min.0.get(axis);
            if above < reach {
                meet(2 * axis as u32, inward(1.0), above);
            }
            let below = self.max.0.get(axis) - point.get(axis);
            if below < reach {
                meet(2 * axis as u32 + 1, inward(-1.0), below);
            }
        }
    }

    fn faces(&self, _scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let mut faces = Vec::new();
        for axis in 0..D::DIMENSION {
            for side in [self.min.0, self.max.0] {
                // the corners of the face in order: a Gray code over the other axes
                let others: Vec<usize> = (0..D::DIMENSION).filter(|k| *k != axis).collect();
                let corners = (0..1usize << others.len()).map(|count| {
                    let gray = count ^ (count >> 1);
                    D::Vec::from_fn(|k| match others.iter().position(|o| *o == k) {
                        None => side.get(axis),
                        Some(bit) if gray >> bit & 1 == 1 => self.max.0.get(k),
                        Some(_) => self.min.0.get(k),
                    })
                });
                faces.push(corners.collect());
            }
        }
        faces
    }

    fn check(&self, at: &Span, reader: &Reader) {
        check_corners(&self.min, &self.max, at, reader);
    }

    fn is_passable(&self) -> bool {
        false
    }

    fn capsules(&self) -> Capsules {
        Capsules::Always
    }

    fn takes_stones(&self) -> bool {
        true
    }
}

/// Reports corners of a region or box that are not opposite ones.
pub(crate) fn check_corners<D: Dim>(min: &Point<D>, max: &Point<D>, at: &Span, reader: &Reader) {
    if let Some(axis) = (0..D::DIMENSION).find(|axis| min.0.get(*axis) >= max.0.get(*axis)) {
        let (name, low, high) = (D::AXES[axis], min.0.get(axis), max.0.get(axis));
        let message = format!("along {name} min ({low} m) is not below max ({high} m)");
        let help = "min is the corner with the smallest coordinates, max the opposite one";
        reader.mistake::<()>("E007", at, message, help);
    }
}
