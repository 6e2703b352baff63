//! Signorini's and Coulomb's laws of every contact, and the residual eps_nat of the step, from the stored numbers.

use std::collections::HashSet;

use super::judge::{Check, Judge};
use super::pairs::Near;
use super::scene::Scheme;
use super::space::{Vec3, add, dot, norm, scale, sub};
use super::step::{Body, Step};

/// Roundings of a relative velocity, in units of the speeds that it is the difference of. The solver's sums and the
/// ones made here have up to a dozen terms each.
const VELOCITY: f64 = 24.0 * f64::EPSILON;
/// Roundings of an impulse: split into normal and tangential part, over dt, times dt.
const IMPULSE: f64 = 16.0 * f64::EPSILON;

/// Sums over contacts, weighted with 1/m_t: of the squares of the natural map, of the impulses, of their rounding.
#[derive(Default)]
struct Sums {
    wrong: f64,
    all: f64,
    rounding: f64,
    count: usize,
    /// The largest part of `wrong` and whose it is.
    worst: (f64, Option<(Body, Body)>),
}

/// A contact as its law sees it. Impulses in N s, velocities in m/s.
struct Local {
    normal: Vec3,
    friction: f64,
    /// 1 / (1/m_a + 1/m_b + l_a^2/I_a + l_b^2/I_b).
    mass_t: f64,
    /// u + bias.
    velocity: Vec3,
    /// Rounding of it.
    velocity_rounding: f64,
    impulse: Vec3,
}

impl Local {
    /// Length of F = r - P_K(r - m_t û), û = u + n mu |u_t|, in the plane of the normal and of q_t: the projection
    /// on a cone that is round about n does not leave that plane.
    fn natural_map(&self) -> f64 {
        let (r, u, mu) = (self.impulse, self.velocity, self.friction);
        let u_t = sub(u, scale(self.normal, dot(u, self.normal)));
        let q = sub(r, scale(add(u, scale(self.normal, mu * norm(u_t))), self.mass_t));
        let q_n = dot(q, self.normal);
        let q_t = sub(q, scale(self.normal, q_n));
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

    fn rounding(&self) -> f64 {
        self.mass_t * (1.0 + self.friction) * self.velocity_rounding + IMPULSE * norm(self.impulse)
    }

    /// Whether the contact sticks (1) or slides (2), or either (`None`) where rounding decides.
    fn regime(&self) -> Option<u8> {
        let along = |v: Vec3| sub(v, scale(self.normal, dot(v, self.normal)));
        let needed = norm(sub(along(self.impulse), scale(along(self.velocity), self.mass_t)));
        let limit = self.friction * dot(self.impulse, self.normal);
        if (needed - limit).abs() <= self.rounding() { None } else { Some(if needed < limit { 1 } else { 2 }) }
    }
}

impl Sums {
    fn enter(&mut self, local: &Local, bodies: (Body, Body)) {
        let (weight, distance) = (1.0 / local.mass_t, local.natural_map());
        let part = weight * distance * distance;
        self.wrong += part;
        self.all += weight * dot(local.impulse, local.impulse);
        self.rounding += weight * local.rounding() * local.rounding();
        self.count += 1;
        if part > self.worst.0 || part.is_nan() {
            self.worst = (part, Some(bodies));
        }
    }
}

/// Checks the laws of a frame; returns the residual eps_nat, if it can be recomputed.
pub fn check(step: &Step, near: &[Near], judge: &mut Judge) -> Option<f64> {
    let (mut sums, mut listed) = (Sums::default(), HashSet::new());
    for (k, bodies) in step.bodies.iter().enumerate() {
        let Some(bodies) = *bodies else { continue };
        let local = stored(step, k, bodies);
        listed.insert((in_order(bodies), step.face(bodies.0, local.normal)));
        check_cone(step, k, bodies, &local, judge);
        let regime = step.frame.contacts.regime[k];
        judge.require(Check::Regime, local.regime().is_none_or(|is| is == regime) && [1, 2].contains(&regime), || {
            step.contact(bodies)
        });
        sums.enter(&local, bodies);
    }
    if !step.scene.is_plain {
        judge.leave_out(Check::Residual, "frames with a law that has more than a constant friction");
        return None;
    }
    if step.scene.walls.iter().any(|wall| wall.faces.is_none()) {
        judge.leave_out(Check::Residual, "pairs without a force at walls other than planes and boxes");
    }
    for pair in near.iter().filter(|pair| !listed.contains(&(pair.bodies, pair.face))) {
        if let Some(local) = without_force(step, pair) {
            sums.enter(&local, pair.bodies);
        }
    }
    Some(compare(step, &sums, judge))
}

/// A pair as [`Near`] names it: walls first, then grains by their place in the columns.
fn in_order((a, b): (Body, Body)) -> (Body, Body) {
    (a.min(b), a.max(b))
}

fn mass_t(step: &Step, (a, b): (Body, Body)) -> f64 {
    // l^2 / I = 1 / (c m) for a round grain whose contact lies on its rim
    let inverse = step.inverse_mass(a) + step.inverse_mass(b);
    1.0 / (inverse * (1.0 + 1.0 / step.inertia_ratio()))
}

/// A contact of the frame.
fn stored(step: &Step, k: usize, bodies: (Body, Body)) -> Local {
    let contacts = &step.frame.contacts;
    let (u, speeds) = step.relative_velocity(bodies, contacts.normal[k]);
    Local {
        normal: contacts.normal[k],
        friction: contacts.friction[k],
        mass_t: mass_t(step, bodies),
        velocity: add(u, contacts.bias[k]),
        velocity_rounding: VELOCITY * (speeds + norm(contacts.bias[k])),
        impulse: scale(contacts.force(k), step.frame.time_step),
    }
}

/// A pair that the frame does not list: its impulse is zero. `None` if it clearly opens, as it then should.
fn without_force(step: &Step, pair: &Near) -> Option<Local> {
    let dt = step.frame.time_step;
    let bias = match step.scene.scheme {
        Scheme::Euler => pair.gap.max(0.0) / dt,
        Scheme::Midpoint if pair.gap > 0.0 => return None,
        Scheme::Midpoint => 0.0,
    };
    let (u, speeds) = step.relative_velocity(pair.bodies, pair.normal);
    let velocity_rounding = VELOCITY * (speeds + bias) + step.place_rounding(pair.bodies) / dt;
    if dot(u, pair.normal) + bias > velocity_rounding {
        return None;
    }
    Some(Local {
        normal: pair.normal,
        friction: step.scene.friction(step.material(pair.bodies.0), step.material(pair.bodies.1)).unwrap_or(f64::NAN),
        mass_t: mass_t(step, pair.bodies),
        velocity: add(u, scale(pair.normal, bias)),
        velocity_rounding,
        impulse: [0.0; 3],
    })
}

/// r_n > 0 and |r_t| <= mu r_n, up to the rounding of m_t u, which the solver makes r from: far from a solution it is
/// much larger than r.
fn check_cone(step: &Step, k: usize, bodies: (Body, Body), local: &Local, judge: &mut Judge) {
    let contacts = &step.frame.contacts;
    let (normal, side) = (contacts.normal_force[k], norm(contacts.tangential_force[k]));
    let off_plane = dot(contacts.tangential_force[k], contacts.normal[k]).abs();
    let size = norm(contacts.force(k));
    let outside = (side - contacts.friction[k] * normal).max(-normal).max(off_plane).max(0.0) / size;
    judge.see(Check::Cone, outside, local.rounding() / norm(local.impulse), || step.contact(bodies));
}

/// eps_nat = sqrt(sum w |F|^2 / sum w |r|^2), which differs from the stated one by no more than the rounding of the F,
/// as norms do.
fn compare(step: &Step, sums: &Sums, judge: &mut Judge) -> f64 {
    let stated = step.frame.residual;
    let where_worst = || match sums.worst.1 {
        Some(bodies) => format!("worst at the {}", step.contact(bodies)),
        None => "no contact".into(),
    };
    let residual = match (sums.wrong, sums.all) {
        (0.0, _) => 0.0,
        (_, 0.0) => f64::INFINITY,
        (wrong, all) => (wrong / all).sqrt(),
    };
    if residual.is_infinite() || stated.is_infinite() {
        // no impulse at all, and something closes: by more than rounding, or only by that
        let holds = residual == stated || (stated == 0.0 && sums.wrong <= sums.rounding);
        judge.require(Check::Residual, holds, where_worst);
        return if holds { stated } else { residual };
    }
    let rounding = if sums.all > 0.0 { (sums.rounding / sums.all).sqrt() } else { 0.0 };
    let limit = rounding + sums.count as f64 * f64::EPSILON * stated;
    judge.see(Check::Residual, (residual - stated).abs(), limit, where_worst);
    residual
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(impulse: Vec3, velocity: Vec3) -> Local {
        Local { normal: [0.0, 0.0, 1.0], friction: 0.5, mass_t: 0.4, velocity, velocity_rounding: 1e-16, impulse }
    }

    /// What the laws say without any projection: open, stick, slide; and what breaks them.
    #[test]
    fn the_natural_map_vanishes_exactly_where_the_laws_hold() {
        for (impulse, velocity) in [
            ([0.0; 3], [3.0, 0.0, 0.2]),          // opens
            ([0.3, 0.4, 1.0], [0.0; 3]),          // sticks on the edge of the cone
            ([0.3, -0.4, 2.0], [0.0; 3]),         // sticks
            ([-0.3, -0.4, 1.0], [3.0, 4.0, 0.0]), // slides, force against velocity
        ] {
            assert!(local(impulse, velocity).natural_map() < 1e-15, "{impulse:?} {velocity:?}");
        }
        for (impulse, velocity) in [
            ([0.0; 3], [0.0, 0.0, -0.2]),        // closes
            ([0.6, 0.0, 1.0], [0.0; 3]),         // too much friction
            ([0.1, 0.0, 1.0], [0.0, 0.0, 0.2]),  // a force while it opens
            ([0.3, 0.4, 1.0], [3.0, 4.0, 0.0]),  // friction that drives
            ([-0.1, 0.0, 1.0], [1.0, 0.0, 0.0]), // slides with too little friction
            ([0.0, 0.0, -1.0], [0.0; 3]),        // pulls
        ] {
            assert!(local(impulse, velocity).natural_map() > 0.03, "{impulse:?} {velocity:?}");
        }
        assert_eq!(local([0.1, 0.0, 1.0], [0.0; 3]).regime(), Some(1));
        assert_eq!(local([-0.3, -0.4, 1.0], [3.0, 4.0, 0.0]).regime(), Some(2));
        assert_eq!(local([-0.3, -0.4, 1.0], [0.0; 3]).regime(), None, "on the edge");
    }
}
