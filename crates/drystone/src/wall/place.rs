//! Walls as they stand now: moved and turned since the start.

use glam::{DQuat, DVec3};

use super::Surface;
use super::patch::{Scene, cut};
use crate::dim::{Dim, Vector, in_space};

/// How far a wall was moved since the start [m], and how it was turned. Turning matters to meshes alone: other walls that can
/// spin look the same after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand<D: Dim> {
    /// Displacement [m].
    pub x: D::Vec,
    /// Orientation.
    pub q: D::Rot,
}

impl<D: Dim> Stand<D> {
    /// A point of the room as the wall saw it at the start; `pivot` is a point of the axis about which it was turned.
    fn back(&self, point: D::Vec, pivot: D::Vec) -> D::Vec {
        let [x, y, z, w] = D::quaternion(self.q);
        pivot + D::rotation(D::rot_of([-x, -y, -z, w]))(point - self.x - pivot)
    }
}

/// How a wall sees the room: as if it had not been moved and turned.
#[derive(Clone, Copy, Debug)]
pub struct Sight<D: Dim> {
    stand: Stand<D>,
    pivot: Option<D::Vec>,
    turn: DQuat,
}

impl<D: Dim> Sight<D> {
    /// A point of the room as the wall sees it.
    pub fn point(&self, x: D::Vec) -> DVec3 {
        let seen = self.pivot.map_or(x - self.stand.x, |pivot| self.stand.back(x, pivot));
        DVec3::from_array(in_space(seen))
    }

    /// How a body is turned, as the wall sees it.
    pub fn turn(&self, q: D::Rot) -> DQuat {
        let q = DQuat::from_array(D::quaternion(q));
        if self.pivot.is_some() { self.turn.conjugate() * q } else { q }
    }

    /// A direction that the wall sees, as the room sees it.
    pub fn direction(&self, v: DVec3) -> D::Vec {
        let v = if self.pivot.is_some() { self.turn * v } else { v };
        D::Vec::from_fn(|axis| v[axis])
    }
}

impl<D: Dim> Surface<D> {
    /// How the wall sees the room from where it stands.
    pub fn sight(&self, stand: Stand<D>) -> Sight<D> {
        Sight { stand, pivot: self.pivot(), turn: DQuat::from_array(D::quaternion(stand.q)) }
    }

    /// A point of the axis about which the wall turns as a body, if its looks change when it does.
    fn pivot(&self) -> Option<D::Vec> {
        match self {
            Surface::Mesh(mesh) => mesh.centre.map(|centre| centre.0),
            _ => None,
        }
    }

    /// Direction of the axis about which the wall can spin; `None` if it cannot, and zero in the plane.
    pub fn axis(&self) -> Option<D::Vec> {
        match self {
            Surface::Cylinder(cylinder) => Some(cylinder.direction()),
            Surface::Revolution(revolution) => Some(revolution.axis.0),
            Surface::Mesh(mesh) => mesh.centre.and(mesh.axis.as_ref()).map(|axis| axis.0),
            _ => None,
        }
    }

    /// Whether contacts stand beside the line from the axis along the normal, where [`super::Boundary::lever`] looks.
    pub fn is_aside(&self) -> bool {
        matches!(self, Surface::Revolution(_)) || self.pivot().is_some()
    }

    /// How far from its axis a wall reaches whose looks change when it spins [m]; zero for others.
    pub fn sweep(&self) -> f64 {
        match self {
            Surface::Mesh(mesh) => mesh.sweep(),
            _ => 0.0,
        }
    }

    /// As [`super::Boundary::near`], for a wall as it stands.
    pub fn near(&self, stand: Stand<D>, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        match self.pivot() {
            None => self.as_dyn().near(point - stand.x, reach, meet),
            Some(pivot) => {
                let turn = D::rotation(stand.q);
                self.as_dyn().near(stand.back(point, pivot), reach, &mut |face, normal, distance| {
                    meet(face, turn(normal), distance);
                });
            }
        }
    }

    /// As [`super::Boundary::may_meet`], for a wall as it stands.
    pub fn may_meet(&self, stand: Stand<D>, point: D::Vec, reach: f64, note: &mut dyn FnMut(u32)) {
        let point = self.pivot().map_or(point - stand.x, |pivot| stand.back(point, pivot));
        self.as_dyn().may_meet(point, reach, note);
    }

    /// From the axis about which the wall can spin to a point of it where the normal is known [m]; zero for a wall that
    /// cannot.
    pub fn arm(&self, x: D::Vec, foot: D::Vec, normal: D::Vec) -> D::Vec {
        match self {
            Surface::Revolution(revolution) => foot - x - revolution.centre.0,
            Surface::Mesh(mesh) => mesh.centre.map_or(D::Vec::ZERO, |centre| foot - x - centre.0),
            _ => normal * self.as_dyn().lever(),
        }
    }

    /// Points of the wall that may reach between the corners of a grain, where the wall stood at the start: those of a line
    /// and the corners of a polygon.
    pub fn tips(&self) -> Vec<D::Vec> {
        match self {
            Surface::Line(line) => line.points.value.iter().map(|point| point.0).collect(),
            Surface::Block(block) => block.vertices.value.iter().map(|corner| corner.0).collect(),
            _ => Vec::new(),
        }
    }

    /// As [`super::Boundary::faces`], for a wall as it stands.
    pub fn faces(&self, stand: Stand<D>, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let Some(pivot) = self.pivot() else {
            let seen = Scene { min: scene.min - stand.x, max: scene.max - stand.x };
            let faces = self.as_dyn().faces(&seen).into_iter();
            return faces.map(|face| face.into_iter().map(|corner| corner + stand.x).collect()).collect();
        };
        let everywhere = Scene { min: D::Vec::from_fn(|_| f64::NEG_INFINITY), max: D::Vec::from_fn(|_| f64::INFINITY) };
        let turn = D::rotation(stand.q);
        let place = |corner: D::Vec| stand.x + pivot + turn(corner - pivot);
        let faces = self.as_dyn().faces(&everywhere).into_iter();
        faces.filter_map(|face| cut::<D>(face.into_iter().map(place).collect(), scene)).collect()
    }
}
