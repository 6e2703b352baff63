//! Anchors: points that links are fastened to.

use crate::body::{Bodies, Pose, Twist};
use crate::dim::{Dim, Vector};

/// A point of a body, or a fixed point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor<D: Dim> {
    /// A point that never moves [m].
    Fixed(D::Vec),
    /// A point that moves with a body.
    Body {
        /// Index of the body.
        body: usize,
        /// From its centre to the point, in the frame of the body [m]; zero for the centre.
        arm: D::Vec,
    },
}

impl<D: Dim> Anchor<D> {
    /// The centre of a body.
    pub fn centre(body: usize) -> Anchor<D> {
        Anchor::Body { body, arm: D::Vec::ZERO }
    }

    /// The body, unless the point is fixed.
    pub fn body(&self) -> Option<usize> {
        match self {
            Anchor::Fixed(_) => None,
            Anchor::Body { body, .. } => Some(*body),
        }
    }

    /// From the centre of the body to the point, in its present orientation [m].
    pub fn arm(&self, poses: &[Pose<D>]) -> D::Vec {
        match self {
            Anchor::Body { body, arm } if *arm != D::Vec::ZERO => D::rotation(poses[*body].q)(*arm),
            _ => D::Vec::ZERO,
        }
    }

    /// Position of the point [m].
    pub fn place(&self, poses: &[Pose<D>]) -> D::Vec {
        match self {
            Anchor::Fixed(place) => *place,
            Anchor::Body { body, .. } => poses[*body].x + self.arm(poses),
        }
    }

    /// Velocity of the point [m/s].
    pub fn velocity(&self, poses: &[Pose<D>], twists: &[Twist<D>]) -> D::Vec {
        match self {
            Anchor::Fixed(_) => D::Vec::ZERO,
            Anchor::Body { body, .. } => twists[*body].v + D::swing(twists[*body].w, self.arm(poses)),
        }
    }

    /// Acceleration of the point while its body spins evenly: w x (w x arm) [m/s2].
    pub fn centripetal(&self, poses: &[Pose<D>], twists: &[Twist<D>]) -> D::Vec {
        match self {
            Anchor::Fixed(_) => D::Vec::ZERO,
            Anchor::Body { body, .. } => {
                let spin = twists[*body].w;
                D::swing(spin, D::swing(spin, self.arm(poses)))
            }
        }
    }
}

/// Separation of two anchors, its rate, and the part of its second derivative that comes from spinning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation<D: Dim> {
    /// From the first to the second [m].
    pub apart: D::Vec,
    /// Its rate [m/s].
    pub rate: D::Vec,
    /// Centripetal part of its second derivative [m/s2].
    pub bend: D::Vec,
}

impl<D: Dim> Separation<D> {
    /// The present separation of two anchors.
    pub(crate) fn of([a, b]: &[Anchor<D>; 2], bodies: &Bodies<D>) -> Separation<D> {
        let (poses, twists) = (&bodies.pose, &bodies.twist);
        Separation {
            apart: b.place(poses) - a.place(poses),
            rate: b.velocity(poses, twists) - a.velocity(poses, twists),
            bend: b.centripetal(poses, twists) - a.centripetal(poses, twists),
        }
    }
}
