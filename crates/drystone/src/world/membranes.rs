//! Membranes: the outer grains that a pressure acts on, and what it does to them.

use glam::DVec3;

use super::{Wall, World};
use crate::dim::{D2, Dim, Vector, in_space};
use crate::drive::{Curtain, Drive, Sleeve};
use crate::wall::Surface;

/// Planes whose normals are so nearly along the axis of a membrane, by the cosine, are its plates: directions are written with
/// a few digits.
const ALONG: f64 = 1.0 - 1e-6;

impl<D: Dim> World<D> {
    /// Finds what membranes press on the grains in a step of `dt`.
    pub fn find_loads(&mut self, dt: f64) {
        self.loads.clear();
        for wall in 0..self.walls.len() {
            let Wall { drive: Drive::Membrane(pressure), since, .. } = &self.walls[wall] else { continue };
            let from = self.clock.time - since;
            let pressure = pressure.mean(from, from + dt);
            let (bodies, first) = (&self.bodies, self.walls.len());
            let ball = |k: usize| (DVec3::from_array(in_space(bodies.pose[k].x)), bodies.shape[k].radius());
            let balls = (first..bodies.len()).map(ball);
            let shares = match (self.sleeve(wall), self.curtain(wall)) {
                (Some(sleeve), _) => sleeve.shares(balls),
                (_, Some(curtain)) => curtain.shares(balls),
                _ => continue,
            };
            self.loads.resize(bodies.len(), D::Vec::ZERO);
            for (grain, area) in shares {
                self.loads[first + grain] += D::Vec::from_fn(|axis| area[axis] * pressure);
            }
        }
    }

    /// What a membrane in place of a cylinder surrounds: its axis, between the planes that face each other along it.
    pub fn sleeve(&self, wall: usize) -> Option<Sleeve> {
        let Surface::Cylinder(cylinder) = &self.surfaces[wall] else { return None };
        let (axis, centre) = (cylinder.direction(), cylinder.centre.0 + self.bodies.pose[wall].x);
        let heights = self.plates(centre, axis)?;
        let [centre, axis] = [centre, axis].map(|v| DVec3::from_array(in_space(v)));
        Some(Sleeve { centre, axis, heights })
    }

    /// The side of a sample that a membrane in place of a plane covers, between the planes across it; in the plane only.
    fn curtain(&self, wall: usize) -> Option<Curtain> {
        let Surface::Plane(plane) = &self.surfaces[wall] else { return None };
        let along = *D::tangents(plane.normal.0).first().filter(|_| D::DIMENSION == D2::DIMENSION)?;
        let origin = plane.point.0 + self.bodies.pose[wall].x;
        let heights = self.plates(origin, along)?;
        let [origin, along, inwards] = [origin, along, plane.normal.0].map(|v| DVec3::from_array(in_space(v)));
        Some(Curtain { origin, along, inwards, heights, depth: self.depth })
    }

    /// How far along an axis from a point the nearest planes are that face each other across it [m].
    fn plates(&self, from: D::Vec, axis: D::Vec) -> Option<[f64; 2]> {
        let height = |other: usize| match &self.surfaces[other] {
            Surface::Plane(plane) => {
                let along = plane.normal.0.dot(axis);
                let above = (plane.point.0 + self.bodies.pose[other].x - from).dot(axis);
                (along.abs() > ALONG).then_some((along > 0.0, above))
            }
            _ => None,
        };
        let heights = || (0..self.walls.len()).filter_map(height);
        let below = heights().filter(|(is_below, _)| *is_below).map(|(_, above)| above).reduce(f64::max)?;
        let above = heights().filter(|(is_below, _)| !*is_below).map(|(_, above)| above).reduce(f64::min)?;
        (below < above).then_some([below, above])
    }

    /// Acceleration of a grain by gravity and membranes [m/s2].
    #[inline]
    pub fn pull(&self, body: usize) -> D::Vec {
        match self.loads.get(body) {
            Some(load) => self.gravity + *load * self.bodies.inertia[body].inv_m,
            None => self.gravity,
        }
    }

    /// Work of the membranes in the step that ends [J].
    pub fn membrane_work(&self, dt: f64) -> f64 {
        let mean = |k: usize| (self.before[k].v + self.bodies.twist[k].v) * 0.5;
        let loads = self.loads.iter().enumerate().filter(|(k, _)| self.bodies.inertia[*k].is_movable());
        loads.map(|(k, load)| load.dot(mean(k)) * dt).sum()
    }
}
