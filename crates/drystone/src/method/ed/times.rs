//! Times of events: when two balls meet, and when a ball reaches a plane.
//!
//! All grains fall alike, so that two of them move uniformly relative to each other. What is known to touch may overlap
//! by rounding: a pair that approaches then collides at once, and one that parts does not.

use crate::dim::Vector;

/// Two balls, seen from the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach<V> {
    /// From the centre of the first to that of the second [m].
    pub apart: V,
    /// Velocity of the second [m/s].
    pub velocity: V,
    /// Sum of the radii [m].
    pub reach: f64,
}

impl<V: Vector> Approach<V> {
    /// Time until the surfaces meet, |r + u t| = s [s]; infinite if they do not.
    ///
    /// Of the roots of u^2 t^2 + 2 b t + c = 0, with b = r.u < 0, it is the smaller one, in the form that does not
    /// subtract numbers of like size.
    #[inline(always)]
    pub(super) fn time(&self) -> f64 {
        let Approach { apart, velocity, reach } = *self;
        let b = apart.dot(velocity);
        let c = apart.norm_squared() - reach * reach;
        let discriminant = b * b - velocity.norm_squared() * c;
        // one question instead of two: half of all pairs part, by chance, and most of the others miss each other
        let least = if -b < discriminant { -b } else { discriminant };
        if least < 0.0 || b >= 0.0 {
            return f64::INFINITY;
        }
        if c <= 0.0 { 0.0 } else { c / (discriminant.sqrt() - b) }
    }
}

/// A height above a plane and its change: h + s t + a t^2 / 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Height {
    /// Height now [m].
    pub height: f64,
    /// Its rate [m/s].
    pub rate: f64,
    /// Acceleration along the normal [m/s2].
    pub accel: f64,
}

impl Height {
    /// Time until the height is zero and falls [s]; infinite if that never happens, zero for a ball that rests.
    #[inline(always)]
    pub(super) fn time(&self) -> f64 {
        let Height { height, rate, accel } = *self;
        if accel == 0.0 {
            // the same bits as below, without the square root
            return if rate < 0.0 { height.max(0.0) / -rate } else { f64::INFINITY };
        }
        let discriminant = rate * rate - 2.0 * accel * height;
        if rate < 0.0 {
            if height <= 0.0 {
                return 0.0;
            }
            return if discriminant < 0.0 { f64::INFINITY } else { 2.0 * height / (discriminant.sqrt() - rate) };
        }
        if accel >= 0.0 {
            return f64::INFINITY;
        }
        // it rises first; one that rests below the plane by rounding never gets above it
        if discriminant <= 0.0 { 0.0 } else { (rate + discriminant.sqrt()) / -accel }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    #[test]
    fn two_balls_meet_when_their_surfaces_do() {
        let pair = |apart, velocity| Approach { apart, velocity, reach: 1.0 }.time();
        // head-on from 3 with speed 2: a way of 2; beside each other by 0.6: the centres stop 0.8 apart
        assert_eq!(pair(DVec2::new(3.0, 0.0), DVec2::new(-2.0, 0.0)), 1.0);
        assert!((pair(DVec2::new(3.0, 0.6), DVec2::new(-2.0, 0.0)) - 1.1).abs() < 1e-15);
        assert_eq!(pair(DVec2::new(3.0, 1.1), DVec2::new(-2.0, 0.0)), f64::INFINITY, "they miss");
        assert_eq!(pair(DVec2::new(3.0, 0.0), DVec2::new(2.0, 0.0)), f64::INFINITY, "they part");
        assert_eq!(pair(DVec2::new(1.0 - 1e-16, 0.0), DVec2::new(-1.0, 0.0)), 0.0, "they touch");
        assert_eq!(pair(DVec2::new(1.0 - 1e-16, 0.0), DVec2::new(1.0, 0.0)), f64::INFINITY, "they touched");
    }

    #[test]
    fn a_ball_reaches_a_plane_as_it_falls() {
        let time = |height, rate, accel| Height { height, rate, accel }.time();
        assert_eq!(time(5.0, 0.0, -10.0), 1.0, "h = g t^2 / 2");
        assert_eq!(time(0.0, 5.0, -10.0), 1.0, "up and down again: 2 v / g");
        assert_eq!(time(4.0, -2.0, 0.0), 2.0);
        assert_eq!(time(4.0, -2.0, 1.0), f64::INFINITY, "it turns at a height of 2");
        assert_eq!(time(1.5, -2.0, 1.0), 1.0, "and would not at 1.5");
        assert_eq!(time(4.0, 2.0, 0.0), f64::INFINITY);
        assert_eq!(time(-1e-17, 0.0, -10.0), 0.0, "it rests");
        assert_eq!(time(1.0, 0.0, 0.0), f64::INFINITY, "it stays");
    }
}
