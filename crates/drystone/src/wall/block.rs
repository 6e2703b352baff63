//! A solid convex polygon that grains stay outside of: a support, an obstacle.

use glam::DVec2;

use super::patch::{Scene, cut};
use super::{Boundary, Capsules};
use crate::dim::{Dim, Vector};
use crate::input::quantity::Point;
use crate::input::{Placed as At, Reader, Span};
use crate::list::record;
use crate::shape::Polygon;
use crate::shape::facing::{self, PlacedPolygon};

record! {
    /// A convex polygon (2D); grains stay outside.
    pub struct Block<D> {
        /// Its corners, counter-clockwise.
        vertices: At<Vec<Point<D>>>,
    }
}

impl<D: Dim> Block<D> {
    /// The polygon where the wall stood at the start; empty if its corners make none, which `check` reports.
    pub fn placed(&self) -> PlacedPolygon {
        let corners = self.corners();
        match Polygon::new(&corners) {
            Ok(polygon) => PlacedPolygon { corners, normals: polygon.outline.normals },
            Err(_) => PlacedPolygon::default(),
        }
    }

    fn corners(&self) -> Vec<DVec2> {
        self.vertices.value.iter().map(|corner| DVec2::new(corner.0.get(0), corner.0.get(1))).collect()
    }
}

impl<D: Dim> Boundary<D> for Block<D> {
    /// One face: a round grain touches a convex body in one point.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        let placed = self.placed();
        if placed.corners.is_empty() {
            return;
        }
        let (normal, distance) = facing::point(&placed, DVec2::new(point.get(0), point.get(1)));
        if distance < reach {
            meet(0, D::Vec::from_fn(|axis| [normal.x, normal.y, 0.0][axis]), distance);
        }
    }

    fn faces(&self, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let corners: Vec<D::Vec> = self.vertices.value.iter().map(|corner| corner.0).collect();
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).filter_map(|(p, q)| cut::<D>(vec![*p, *q], scene)).collect()
    }

    fn check(&self, at: &Span, reader: &Reader) {
        if D::DIMENSION != 2 {
            let message = "a wall of kind \"polygon\" exists in dimension 2 only";
            reader.mistake::<()>("E015", at, message, "write kind = \"plane\" or kind = \"box\"");
        } else if let Err(flaw) = Polygon::new(&self.corners()) {
            reader.mistake::<()>("E021", &self.vertices.at, flaw.to_string(), flaw.help());
        }
    }

    fn vertices(&self) -> Vec<D::Vec> {
        self.vertices.value.iter().map(|corner| corner.0).collect()
    }

    fn capsules(&self) -> Capsules {
        Capsules::IfRigid("a wall of kind \"polygon\"")
    }

    fn takes_stones(&self) -> bool {
        true
    }
}
