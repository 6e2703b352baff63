//! The terms that the law of a contact must have in a step: the bias that it adds to the relative velocity, and its
//! friction.

use super::pair::Law;
use super::scene::Scheme;
use super::space::{Vec3, add, dot, norm, scale, sub};
use super::step::{BodyPair, Step, When};

/// Roundings of a relative velocity, in units of the speeds of which it is the difference: the sums of the solver and
/// those made here have up to a dozen terms each.
pub(crate) const VELOCITY: f64 = 24.0 * f64::EPSILON;

/// A velocity that the law adds to u, and its rounding [m/s].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bias {
    /// The velocity.
    pub velocity: Vec3,
    /// Its rounding.
    pub rounding: f64,
}

/// A gap below this may be closed in the solver, which rounds positions differently, and one above its negative may be
/// open [m].
///
/// The solver takes gaps below 16 roundings of the positions as closed; [`Step::place_rounding`] is four of them.
pub(crate) fn closed_below(step: &Step, bodies: BodyPair) -> f64 {
    5.0 * step.place_rounding(bodies)
}

/// The biases that a law allows at a gap: two where rounding decides whether it is closed.
///
/// Closed: n e_n u_n- + e_t u_t-. [Radjai eq. 7, 10] Open: n g / dt, if the scheme looks ahead.
pub(crate) fn biases(
    step: &Step,
    law: &Law,
    listed: Option<usize>,
    bodies: BodyPair,
    normal: Vec3,
    gap: f64,
) -> Vec<Bias> {
    let mut biases = Vec::new();
    if gap <= closed_below(step, bodies) {
        let (u, speeds) = step.relative_velocity(bodies, step.arms(listed, bodies, normal), When::Start);
        let u_n = dot(u, normal);
        let [e_n, e_t] = law.restitution(u_n.abs());
        let velocity = add(scale(normal, e_n * u_n), scale(sub(u, scale(normal, u_n)), e_t));
        biases.push(Bias { velocity, rounding: VELOCITY * speeds * (e_n + e_t.abs()) });
    }
    if gap >= -closed_below(step, bodies) {
        let dt = step.frame.time_step;
        let open = match step.scene.scheme {
            Scheme::Euler => gap.max(0.0) / dt,
            Scheme::Midpoint | Scheme::Soft | Scheme::Flight => 0.0,
        };
        let rounding = step.place_rounding(bodies) / dt;
        // the normal turns by the rounding over the distance of the centres, at least a radius
        let turn = 2.0 * open * rounding * dt / step.radius(bodies.b);
        biases.push(Bias { velocity: scale(normal, open), rounding: rounding + turn + 8.0 * f64::EPSILON * open });
    }
    biases
}

/// How far a friction is from the ones that a law allows, and the rounding of that.
pub(crate) fn friction_off(step: &Step, law: &Law, k: usize, bodies: BodyPair, friction: f64) -> (f64, f64) {
    let normal = step.frame.contacts.normal[k];
    let (u, speeds) = step.relative_velocity(bodies, step.arms(Some(k), bodies, normal), When::Start);
    let [at_rest, sliding] = law.friction(norm(sub(u, scale(normal, dot(u, normal)))));
    if friction == at_rest {
        return (0.0, 0.0);
    }
    let rounding = law.friction_slope() * VELOCITY * speeds + 8.0 * f64::EPSILON * at_rest;
    ((friction - sliding).abs(), if at_rest == sliding { 0.0 } else { rounding })
}
