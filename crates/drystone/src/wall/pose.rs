//! Walls at their present pose: moved and turned since the start.

use glam::{DQuat, DVec3};

use super::Surface;
use super::patch::{Scene, cut};
use crate::dim::{Dim, Vector, in_space};

/// Displacement and rotation of a wall since the start. The rotation matters only for meshes: other walls that can spin
/// are symmetric about their axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallPose<D: Dim> {
    /// Displacement [m].
    pub x: D::Vec,
    /// Orientation.
    pub q: D::Rot,
}

impl<D: Dim> WallPose<D> {
    /// A point in the frame of the wall; `pivot` is a point of the axis about which the wall was turned.
    fn to_frame(self, point: D::Vec, pivot: D::Vec) -> D::Vec {
        let [x, y, z, w] = D::quaternion(self.q);
        pivot + D::rotation(D::rot_of([-x, -y, -z, w]))(point - self.x - pivot)
    }
}

/// The frame of a wall: in it the wall is where it was at the start.
#[derive(Clone, Copy, Debug)]
pub struct WallFrame<D: Dim> {
    pose: WallPose<D>,
    pivot: Option<D::Vec>,
    turn: DQuat,
}

impl<D: Dim> WallFrame<D> {
    /// A point of the world in the frame of the wall.
    pub fn point(&self, x: D::Vec) -> DVec3 {
        let local = self.pivot.map_or(x - self.pose.x, |pivot| self.pose.to_frame(x, pivot));
        DVec3::from_array(in_space(local))
    }

    /// The orientation of a body in the frame of the wall.
    pub fn turn(&self, q: D::Rot) -> DQuat {
        let q = DQuat::from_array(D::quaternion(q));
        if self.pivot.is_some() { self.turn.conjugate() * q } else { q }
    }

    /// A direction of the frame of the wall, in the world.
    pub fn direction(&self, v: DVec3) -> D::Vec {
        let v = if self.pivot.is_some() { self.turn * v } else { v };
        D::Vec::from_fn(|axis| v[axis])
    }
}

impl<D: Dim> Surface<D> {
    /// The frame of the wall at a pose.
    pub fn frame(&self, pose: WallPose<D>) -> WallFrame<D> {
        WallFrame { pose, pivot: self.pivot(), turn: DQuat::from_array(D::quaternion(pose.q)) }
    }

    fn pivot(&self) -> Option<D::Vec> {
        self.as_dyn().pivot()
    }

    /// See [`super::Boundary::axis`].
    pub fn axis(&self) -> Option<D::Vec> {
        self.as_dyn().axis()
    }

    /// See [`super::Boundary::is_passable`].
    pub fn is_passable(&self) -> bool {
        self.as_dyn().is_passable()
    }

    /// See [`super::Boundary::is_aside`].
    pub fn is_aside(&self) -> bool {
        self.as_dyn().is_aside()
    }

    /// See [`super::Boundary::sweep`].
    pub fn sweep(&self) -> f64 {
        self.as_dyn().sweep()
    }

    /// As [`super::Boundary::near`], for a wall at a pose.
    pub fn near(&self, pose: WallPose<D>, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        match self.pivot() {
            None => self.as_dyn().near(point - pose.x, reach, meet),
            Some(pivot) => {
                let turn = D::rotation(pose.q);
                self.as_dyn().near(pose.to_frame(point, pivot), reach, &mut |face, normal, distance| {
                    meet(face, turn(normal), distance);
                });
            }
        }
    }

    /// As [`super::Boundary::may_meet`], for a wall at a pose.
    pub fn may_meet(&self, pose: WallPose<D>, point: D::Vec, reach: f64, note: &mut dyn FnMut(u32)) {
        let point = self.pivot().map_or(point - pose.x, |pivot| pose.to_frame(point, pivot));
        self.as_dyn().may_meet(point, reach, note);
    }

    /// See [`super::Boundary::arm`].
    pub fn arm(&self, x: D::Vec, foot: D::Vec, normal: D::Vec) -> D::Vec {
        self.as_dyn().arm(x, foot, normal)
    }

    /// See [`super::Boundary::vertices`].
    pub fn vertices(&self) -> Vec<D::Vec> {
        self.as_dyn().vertices()
    }

    /// As [`super::Boundary::faces`], for a wall at a pose.
    pub fn faces(&self, pose: WallPose<D>, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let Some(pivot) = self.pivot() else {
            let local = Scene { min: scene.min - pose.x, max: scene.max - pose.x };
            let faces = self.as_dyn().faces(&local).into_iter();
            return faces.map(|face| face.into_iter().map(|corner| corner + pose.x).collect()).collect();
        };
        let everywhere = Scene { min: D::Vec::from_fn(|_| f64::NEG_INFINITY), max: D::Vec::from_fn(|_| f64::INFINITY) };
        let turn = D::rotation(pose.q);
        let position = |corner: D::Vec| pose.x + pivot + turn(corner - pivot);
        let faces = self.as_dyn().faces(&everywhere).into_iter();
        faces.filter_map(|face| cut::<D>(face.into_iter().map(position).collect(), scene)).collect()
    }
}
