//! Membranes: the forces of their pressure on the outer grains.

use glam::DVec3;

use super::{DrivenWall, World};
use crate::body::Twist;
use crate::dim::{D2, Dim, Vector, in_space};
use crate::drive::{Drive, Membrane2d, Sleeve};
use crate::wall::Surface;

/// Planes are the plates of a membrane if the cosine of the angle between their normal and its axis is larger than
/// this: directions are written with a few digits.
const ALONG: f64 = 1.0 - 1e-6;

impl<D: Dim> World<D> {
    /// Adds the forces of membranes on grains in a step of `dt` to the loads.
    pub(super) fn press_by_membranes(&mut self, dt: f64) {
        for wall in 0..self.setup.walls.len() {
            let DrivenWall { drive: Drive::Membrane(pressure), since, .. } = &self.setup.walls[wall] else { continue };
            let from = self.clock.time - since;
            let pressure = pressure.mean(from, from + dt);
            let (bodies, first) = (&self.bodies, self.setup.walls.len());
            let ball = |k: usize| (DVec3::from_array(in_space(bodies.pose[k].x)), bodies.shape[k].radius());
            let balls = (first..bodies.len()).map(ball);
            let shares = match (self.sleeve(wall), self.membrane_2d(wall)) {
                (Some(sleeve), _) => sleeve.shares(balls),
                (_, Some(side)) => side.shares(balls),
                _ => continue,
            };
            self.scratch.loads.resize(bodies.len(), Twist::default());
            for (grain, area) in shares {
                self.scratch.loads[first + grain].v += D::Vec::from_fn(|axis| area[axis] * pressure);
            }
        }
    }

    /// The region that a membrane in place of a cylinder surrounds: its axis, between the planes that face each other
    /// along it.
    pub fn sleeve(&self, wall: usize) -> Option<Sleeve> {
        let Surface::Cylinder(cylinder) = &self.setup.surfaces[wall] else { return None };
        let (axis, centre) = (cylinder.direction(), cylinder.centre.0 + self.bodies.pose[wall].x);
        let heights = self.plates(centre, axis)?;
        let [centre, axis] = [centre, axis].map(|v| DVec3::from_array(in_space(v)));
        Some(Sleeve { centre, axis, heights })
    }

    /// The side of a sample that a membrane in place of a plane covers, between the planes at its two ends; in 2D only.
    fn membrane_2d(&self, wall: usize) -> Option<Membrane2d> {
        let Surface::Plane(plane) = &self.setup.surfaces[wall] else { return None };
        let along = *D::tangents(plane.normal.0).first().filter(|_| D::DIMENSION == D2::DIMENSION)?;
        let origin = plane.point.0 + self.bodies.pose[wall].x;
        let heights = self.plates(origin, along)?;
        let [origin, along, inwards] = [origin, along, plane.normal.0].map(|v| DVec3::from_array(in_space(v)));
        Some(Membrane2d { origin, along, inwards, heights, depth: self.setup.depth })
    }

    /// Distances along an axis, from a point to the nearest planes on either side of it that face each other [m].
    fn plates(&self, from: D::Vec, axis: D::Vec) -> Option<[f64; 2]> {
        let height = |other: usize| match &self.setup.surfaces[other] {
            Surface::Plane(plane) => {
                let along = plane.normal.0.dot(axis);
                let above = (plane.point.0 + self.bodies.pose[other].x - from).dot(axis);
                (along.abs() > ALONG).then_some((along > 0.0, above))
            }
            _ => None,
        };
        let heights = || (0..self.setup.walls.len()).filter_map(height);
        let below = heights().filter(|(is_below, _)| *is_below).map(|(_, above)| above).reduce(f64::max)?;
        let above = heights().filter(|(is_below, _)| !*is_below).map(|(_, above)| above).reduce(f64::min)?;
        (below < above).then_some([below, above])
    }
}
