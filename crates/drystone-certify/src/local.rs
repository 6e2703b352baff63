//! The local problem of one contact, and how far it is from its laws.

use super::bumps::guided_mobility;
use super::give::Give;
use super::pair::{Law, Lever};
use super::solids;
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use super::step::{Body, BodyPair, Step, When};
use super::stones::largest_mobility;
use super::terms::{Bias, VELOCITY};

/// Roundings of an impulse: split into normal and tangential part, over dt, times dt.
const IMPULSE: f64 = 16.0 * f64::EPSILON;

/// The local problem of a contact. Impulses in N s, velocities in m/s.
pub(crate) struct Local<'l> {
    /// The law between the materials.
    pub law: &'l Law,
    /// Unit normal from a to b.
    pub normal: Vec3,
    /// Coefficient of friction.
    pub friction: f64,
    /// 1 / (1/m_a + 1/m_b).
    pub mass_n: f64,
    /// The same against tangential impulses, to which the bodies also yield by turning.
    pub mass_t: f64,
    /// 1/I_a + 1/I_b.
    pub inverse_moment: f64,
    /// r_a r_b / (r_a + r_b), walls being flat [m].
    pub reduced_radius: f64,
    /// Length of 2D bodies in the third direction [m].
    pub depth: Option<f64>,
    /// Length of the step [s].
    pub dt: f64,
    /// u + bias.
    pub velocity: Vec3,
    /// Rounding of it.
    pub velocity_rounding: f64,
    /// Angular velocity of b relative to a [rad/s].
    pub spin: Vec3,
    /// Rounding of it.
    pub spin_rounding: f64,
    /// Impulse on b.
    pub impulse: Vec3,
    /// Impulse of the torque on b [N m s].
    pub torque: Vec3,
}

impl<'l> Local<'l> {
    /// A contact of the frame.
    pub(crate) fn stored(step: &Step, law: &'l Law, k: usize, bodies: BodyPair) -> Local<'l> {
        let (contacts, dt) = (&step.frame.contacts, step.frame.time_step);
        let bias = Bias { velocity: contacts.bias[k], rounding: VELOCITY * norm(contacts.bias[k]) };
        Local {
            friction: contacts.friction[k],
            impulse: scale(contacts.force(k), dt),
            torque: scale(contacts.torque[k], dt),
            ..Local::free(step, law, Some(k), bodies, contacts.normal[k], bias)
        }
    }

    /// A contact that carries nothing, with the friction of one that does not slide.
    pub(crate) fn free(
        step: &Step,
        law: &'l Law,
        listed: Option<usize>,
        bodies: BodyPair,
        normal: Vec3,
        bias: Bias,
    ) -> Local<'l> {
        let BodyPair { a, b } = bodies;
        let arms = step.arms(listed, bodies, normal);
        let (u, speeds) = step.relative_velocity(bodies, arms, When::End);
        let ((_, w_a), (_, w_b)) = (step.twist(a, When::End), step.twist(b, When::End));
        let mut inverse_n = step.inverse_mass(a) + step.inverse_mass(b);
        // a piston on a grain that is held in place does not slide: there any mass gives no friction
        let mut inverse_t = match step.has_stone(bodies) {
            true if step.frame.dimension == 3 => {
                let spin_a = |torque: Vec3| step.spin_by(a, torque);
                let spin_b = |torque: Vec3| step.spin_by(b, torque);
                solids::largest_mobility(&[
                    (step.inverse_mass(a), &spin_a, arms[0]),
                    (step.inverse_mass(b), &spin_b, arms[1]),
                ])
            }
            true => {
                let of = |body: Body, arm: Vec3| (step.inverse_mass(body), step.inverse_moment(body), arm);
                largest_mobility(&[of(a, arms[0]), of(b, arms[1])])
            }
            false => match step.guide(a, normal) {
                Some(guide) => {
                    let inverse = [step.inverse_mass(b), step.inverse_mass_t(b, arms[1])];
                    guided_mobility(inverse, step.inverse_mass(a), dot(guide, normal))
                }
                None => step.inverse_mass_t(a, arms[0]) + step.inverse_mass_t(b, arms[1]),
            },
        };
        let give = Give { along: step.yielding(bodies), normal };
        match law.has_torque() || law.cohesion > 0.0 {
            _ if give.along == [0.0; 3] => {}
            true => (inverse_n, inverse_t) = (inverse_n + give.normal(), inverse_t + give.across()),
            false => inverse_t = give.stiffest(inverse_n, inverse_t),
        }
        let curvature = |body: Body| if step.radius(body) > 0.0 { 1.0 / step.radius(body) } else { 0.0 };
        Local {
            law,
            normal,
            friction: law.friction(0.0)[0],
            mass_n: 1.0 / inverse_n,
            mass_t: if inverse_t > 0.0 { 1.0 / inverse_t } else { 1.0 / inverse_n },
            inverse_moment: if step.has_stone(bodies) { 0.0 } else { step.inverse_moment(a) + step.inverse_moment(b) },
            reduced_radius: 1.0 / (curvature(a) + curvature(b)),
            depth: step.scene.depth,
            dt: step.frame.time_step,
            velocity: add(u, bias.velocity),
            velocity_rounding: VELOCITY * speeds + bias.rounding,
            spin: sub(w_b, w_a),
            spin_rounding: VELOCITY * (norm(w_a) + norm(w_b)),
            impulse: [0.0; 3],
            torque: [0.0; 3],
        }
    }

    /// Whether torques act across the contact.
    fn turns(&self) -> bool {
        self.law.has_torque() && self.inverse_moment > 0.0
    }

    /// Part along the normal, and what is left of a vector.
    fn split(&self, v: Vec3) -> (f64, Vec3) {
        let along = dot(v, self.normal);
        (along, sub(v, scale(self.normal, along)))
    }

    /// How far impulse and torque are from the laws [N s]. Friction alone has its natural map; with torques, the
    /// distance from each law is computed separately, with torques converted to impulses against the same inertia.
    pub(crate) fn misfit(&self) -> f64 {
        if !self.turns() {
            return self.natural_map();
        }
        let ((r_n, r_t), (_, u_t)) = (self.split(self.impulse), self.split(self.velocity));
        let press = self.press();
        let slide = norm(sub(r_t, shortened(sub(r_t, scale(u_t, self.mass_t)), self.friction * press)));
        let turning = |of: fn(&Self, Vec3) -> Vec3, lever: &Option<Lever>| {
            let (torque, spin) = (of(self, self.torque), of(self, self.spin));
            let held = sub(torque, scale(spin, 1.0 / self.inverse_moment));
            norm(sub(torque, shortened(held, self.limit(lever, press)))) * self.torque_scale()
        };
        let (roll, twist) = (turning(Self::rolling, &self.law.rolling), turning(Self::torsion, &self.law.torsion));
        norm([r_n - press, slide, roll.hypot(twist)])
    }

    /// Length of F = r - P_K(r - m_t û), û = u + n mu |u_t|, in the plane of the normal and of q_t: the projection
    /// on a cone that is round about n does not leave that plane.
    fn natural_map(&self) -> f64 {
        let (r, mu) = (self.impulse, self.friction);
        let (_, u_t) = self.split(self.velocity);
        let opening = add(self.velocity, scale(self.normal, mu * norm(u_t)));
        let q = sub(r, scale(opening, self.mass_t));
        let (q_n, q_t) = self.split(q);
        let side = norm(q_t);
        // along the edge of the cone, (1, mu) / sqrt(1 + mu^2), and across it
        let (along, outside) = (q_n + mu * side, side - mu * q_n);
        let nearest = if along <= 0.0 {
            [0.0; 3]
        } else if outside <= 0.0 {
            q
        } else {
            let height = along / (1.0 + mu * mu);
            add(scale(self.normal, height), scale(q_t, mu * height / side))
        };
        norm(sub(r, nearest))
    }

    /// The impulse that presses the surfaces together by Signorini's law, where this impulse acts.
    fn press(&self) -> f64 {
        let ((r_n, _), (u_n, _)) = (self.split(self.impulse), self.split(self.velocity));
        (r_n - self.mass_n * u_n).max(0.0)
    }

    /// A torque or spin turned into the tangent plane: its rolling part.
    fn rolling(&self, v: Vec3) -> Vec3 {
        cross(v, self.normal)
    }

    /// The part of a torque or spin about the normal.
    fn torsion(&self, v: Vec3) -> Vec3 {
        scale(self.normal, dot(v, self.normal))
    }

    /// Largest impulse of a torque under the pressing impulse.
    fn limit(&self, lever: &Option<Lever>, press: f64) -> f64 {
        let length = |lever: &Lever| lever.length(press / self.dt, self.reduced_radius, self.depth);
        lever.as_ref().map_or(0.0, length) * press
    }

    /// Factor that converts a torque to an impulse: sqrt(m_t (1/I_a + 1/I_b)) [1/m].
    fn torque_scale(&self) -> f64 {
        (self.inverse_moment * self.mass_t).sqrt()
    }

    /// Magnitude of the load [N s].
    pub(crate) fn size(&self) -> f64 {
        norm(self.impulse) + self.law.cohesion * self.dt + self.torque_scale() * norm(self.torque)
    }

    /// Rounding of the misfit [N s]. Numbers whose squares vanish have no length for the solver.
    pub(crate) fn rounding(&self) -> f64 {
        let (mu, from_u) = (self.friction, self.velocity_rounding);
        let plain = self.mass_t * (1.0 + mu) * from_u + IMPULSE * norm(self.impulse) + f64::MIN_POSITIVE.sqrt();
        if !self.turns() {
            return plain;
        }
        let press = self.mass_n * from_u + IMPULSE * norm(self.impulse);
        let turn = self.spin_rounding / self.inverse_moment + IMPULSE * norm(self.torque);
        plain + press * (1.0 + mu + self.levers()) + turn * self.torque_scale()
    }

    /// Largest torque, as an impulse, over the pressing impulse; times 3/2, because the patch may grow with the force.
    fn levers(&self) -> f64 {
        let press = dot(self.impulse, self.normal).max(0.0) + self.law.cohesion * self.dt;
        let length = |lever: &Option<Lever>| {
            lever.as_ref().map_or(0.0, |lever| lever.length(press / self.dt, self.reduced_radius, self.depth))
        };
        1.5 * self.torque_scale() * (length(&self.law.rolling) + length(&self.law.torsion))
    }

    /// How far impulse and torque are beyond their limits [N s], and how far a misfit of one can put them there.
    pub(crate) fn outside(&self) -> (f64, f64) {
        let (r_n, r_t) = self.split(self.impulse);
        let press = r_n + self.law.cohesion * self.dt;
        let slide = norm(r_t) - self.friction * press;
        let beyond = |torque: Vec3, lever: &Option<Lever>| {
            (norm(torque) - self.limit(lever, press.max(0.0))) * self.torque_scale()
        };
        let roll = beyond(self.rolling(self.torque), &self.law.rolling);
        let twist = beyond(self.torsion(self.torque), &self.law.torsion);
        (slide.max(-press).max(roll).max(twist).max(0.0), 1.0 + self.friction + self.levers())
    }

    /// Whether the contact sticks (1) or slides (2), or either (`None`) where rounding or the misfit decides.
    pub(crate) fn regime(&self) -> Option<u8> {
        let ((r_n, r_t), (_, u_t)) = (self.split(self.impulse), self.split(self.velocity));
        let needed = norm(sub(r_t, scale(u_t, self.mass_t)));
        let limit = self.friction * r_n;
        let unsure = self.rounding() + self.friction * (self.press() - r_n).abs();
        if (needed - limit).abs() <= unsure { None } else { Some(if needed < limit { 1 } else { 2 }) }
    }
}

/// A vector, not longer than `limit`.
fn shortened(v: Vec3, limit: f64) -> Vec3 {
    let length = norm(v);
    if length > limit { scale(v, limit / length) } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(text: &str) -> Law {
        Law::read(&text.parse().unwrap()).unwrap()
    }

    fn local(law: &Law, impulse: Vec3, velocity: Vec3) -> Local<'_> {
        Local {
            law,
            normal: [0.0, 0.0, 1.0],
            friction: 0.5,
            mass_n: 1.4,
            mass_t: 0.4,
            inverse_moment: 2.5,
            reduced_radius: 1.0,
            depth: None,
            dt: 1.0,
            velocity,
            velocity_rounding: 1e-16,
            spin: [0.0; 3],
            spin_rounding: 1e-16,
            impulse,
            torque: [0.0; 3],
        }
    }

    /// What the laws say without any projection: open, stick, slide; and what breaks them.
    #[test]
    fn the_misfit_vanishes_exactly_where_the_laws_hold() {
        let (plain, rolls) = (Law::default(), law("rolling = { length = 0.1 }"));
        for law in [&plain, &rolls] {
            for (impulse, velocity) in [
                ([0.0; 3], [3.0, 0.0, 0.2]),          // opens
                ([0.3, 0.4, 1.0], [0.0; 3]),          // sticks on the edge of the cone
                ([0.3, -0.4, 2.0], [0.0; 3]),         // sticks
                ([-0.3, -0.4, 1.0], [3.0, 4.0, 0.0]), // slides, force against velocity
            ] {
                assert!(local(law, impulse, velocity).misfit() < 1e-15, "{impulse:?} {velocity:?}");
            }
            for (impulse, velocity) in [
                ([0.0; 3], [0.0, 0.0, -0.2]),        // closes
                ([0.6, 0.0, 1.0], [0.0; 3]),         // too much friction
                ([0.1, 0.0, 1.0], [0.0, 0.0, 0.2]),  // a force while it opens
                ([0.3, 0.4, 1.0], [3.0, 4.0, 0.0]),  // friction that drives
                ([-0.1, 0.0, 1.0], [1.0, 0.0, 0.0]), // slides with too little friction
                ([0.0, 0.0, -1.0], [0.0; 3]),        // pulls
            ] {
                assert!(local(law, impulse, velocity).misfit() > 0.03, "{impulse:?} {velocity:?}");
            }
        }
        assert_eq!(local(&plain, [0.1, 0.0, 1.0], [0.0; 3]).regime(), Some(1));
        assert_eq!(local(&plain, [-0.3, -0.4, 1.0], [3.0, 4.0, 0.0]).regime(), Some(2));
        assert_eq!(local(&plain, [-0.3, -0.4, 1.0], [0.0; 3]).regime(), None, "on the edge");
    }

    #[test]
    fn torques_hold_up_to_their_limit_and_brake_beyond() {
        let law = law("rolling = { length = 0.1 }\ntorsion = { ratio = 0.2 }");
        let turning = |torque: Vec3, spin: Vec3| Local { torque, spin, ..local(&law, [0.0, 0.0, 1.0], [0.0; 3]) };
        for (torque, spin) in [
            ([0.05, 0.0, 0.1], [0.0; 3]),        // holds
            ([-0.1, 0.0, 0.0], [3.0, 0.0, 0.0]), // rolls against the whole torque
            ([0.0, 0.0, -0.2], [0.0, 0.0, 3.0]), // twists against it
        ] {
            assert!(turning(torque, spin).misfit() < 1e-15 && turning(torque, spin).outside().0 < 1e-15, "{torque:?}");
        }
        for (torque, spin) in [
            ([0.2, 0.0, 0.0], [0.0; 3]),          // too much
            ([0.0, 0.0, 0.3], [0.0; 3]),          // too much
            ([0.1, 0.0, 0.0], [3.0, 0.0, 0.0]),   // drives
            ([-0.05, 0.0, 0.0], [3.0, 0.0, 0.0]), // too little
        ] {
            assert!(turning(torque, spin).misfit() > 0.03, "{torque:?} {spin:?}");
        }
        assert!(turning([0.2, 0.0, 0.0], [0.0; 3]).outside().0 > 0.05);
    }
}
