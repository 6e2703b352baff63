//! Cutting the faces of endless walls to the scene that is shown.

use crate::dim::{Dim, Vector};

/// The axis-parallel box that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Scene<D: Dim> {
    /// Corner with the smallest coordinates [m].
    pub min: D::Vec,
    /// Corner with the largest coordinates [m].
    pub max: D::Vec,
}

impl<D: Dim> Scene<D> {
    /// Whether a point is shown.
    pub fn holds(&self, point: D::Vec) -> bool {
        (0..D::DIMENSION).all(|axis| (self.min.get(axis)..=self.max.get(axis)).contains(&point.get(axis)))
    }
}

/// The part of a segment or convex polygon that lies in the scene, if any (Sutherland and Hodgman).
pub(crate) fn cut<D: Dim>(corners: Vec<D::Vec>, scene: &Scene<D>) -> Option<Vec<D::Vec>> {
    let mut corners = corners;
    for axis in 0..D::DIMENSION {
        corners = keep::<D>(&corners, |x| x.get(axis) - scene.min.get(axis));
        corners = keep::<D>(&corners, |x| scene.max.get(axis) - x.get(axis));
    }
    (corners.len() >= D::DIMENSION).then_some(corners)
}

/// The part of a polygon where `height` is not negative.
fn keep<D: Dim>(corners: &[D::Vec], height: impl Fn(D::Vec) -> f64) -> Vec<D::Vec> {
    let mut kept: Vec<D::Vec> = Vec::new();
    for (k, &here) in corners.iter().enumerate() {
        let next = corners[(k + 1) % corners.len()];
        let (h, h_next) = (height(here), height(next));
        if h >= 0.0 {
            kept.push(here);
        }
        let closes_a_segment = corners.len() == 2 && k == 1;
        if h * h_next < 0.0 && !closes_a_segment {
            kept.push(here + (next - here) * (h / (h - h_next)));
        }
    }
    kept
}
