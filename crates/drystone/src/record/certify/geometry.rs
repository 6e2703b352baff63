//! Contacts against positions: normals, gaps, the ends of their lines, friction and bias.

use std::collections::HashSet;

use super::judge::{Check, Judge};
use super::scene::Scheme;
use super::space::{Vec3, dot, norm, scale, sub};
use super::step::{Body, Step};

/// Checks every contact of a frame against the positions and the scenario.
pub fn check(step: &Step, judge: &mut Judge) {
    let mut seen = HashSet::new();
    for (k, bodies) in step.bodies.iter().enumerate() {
        let Some(bodies) = *bodies else { continue };
        let normal = step.frame.contacts.normal[k];
        let key = (bodies, normal.map(f64::to_bits));
        judge.require(Check::Geometry, seen.insert(key), || format!("{} stands there twice", step.contact(bodies)));
        check_ends(step, k, bodies, judge);
        match place(step, bodies, normal) {
            Some(place) => check_place(step, k, bodies, &place, judge),
            None => judge.leave_out(Check::Geometry, "walls other than planes and boxes"),
        }
        check_friction(step, k, bodies, judge);
    }
}

/// Where a contact must be, from the positions.
struct Place {
    normal: Vec3,
    /// Gap where contacts were found [m].
    gap: f64,
    /// Gap at the end [m].
    gap_at_end: f64,
    /// Distance of the centres, over which the normal is rounded [m].
    span: f64,
}

/// The place of a contact; of a wall the face whose normal is nearest.
fn place(step: &Step, (a, b): (Body, Body), stated: Vec3) -> Option<Place> {
    let grains = &step.frame.grains;
    let Body::Grain(b) = b else { return None };
    let radius = grains.radius[b];
    match a {
        Body::Grain(a) => {
            let (apart, at_end) = (sub(step.found[b], step.found[a]), sub(grains.position[b], grains.position[a]));
            let (span, touching) = (norm(apart), grains.radius[a] + radius);
            let normal = scale(apart, 1.0 / span);
            Some(Place { normal, gap: span - touching, gap_at_end: norm(at_end) - touching, span })
        }
        Body::Wall(wall) => {
            let face = step.scene.walls[wall].faces.as_ref()?.get(step.face(Body::Wall(wall), stated))?;
            let height = |x: Vec3, shift: Vec3| dot(sub(sub(x, shift), face.point), face.normal) - radius;
            let (found, now) = (step.wall_found(wall), step.frame.wall_states.displacement[wall]);
            Some(Place {
                normal: face.normal,
                gap: height(step.found[b], found),
                gap_at_end: height(grains.position[b], now),
                span: radius,
            })
        }
    }
}

fn check_place(step: &Step, k: usize, bodies: (Body, Body), place: &Place, judge: &mut Judge) {
    let (contacts, dt) = (&step.frame.contacts, step.frame.time_step);
    let rounding = step.place_rounding(bodies);
    let radius = step.radius(bodies.1);
    let turned = norm(sub(contacts.normal[k], place.normal));
    judge.see(Check::Geometry, turned, 2.0 * rounding / place.span + 8.0 * f64::EPSILON, || {
        format!("normal of the {}", step.contact(bodies))
    });
    let off = (contacts.gap[k] - place.gap_at_end).abs() / radius;
    judge.see(Check::Geometry, off, rounding / radius, || format!("gap of the {}", step.contact(bodies)));
    if step.scene.friction(step.material(bodies.0), step.material(bodies.1)).is_none() {
        return judge.leave_out(Check::Terms, "contacts whose law has more than a constant friction");
    }
    let open = match step.scene.scheme {
        Scheme::Euler => place.gap.max(0.0),
        Scheme::Midpoint => 0.0,
    };
    let off = norm(sub(scale(contacts.bias[k], dt), scale(place.normal, open)));
    let limit = rounding * (1.0 + 2.0 * open / place.span) + 8.0 * f64::EPSILON * open;
    judge.see(Check::Terms, off / radius, limit / radius, || format!("bias of the {}", step.contact(bodies)));
}

/// The line of a contact runs from centre to centre, or from its foot on a wall.
fn check_ends(step: &Step, k: usize, bodies: (Body, Body), judge: &mut Judge) {
    let (contacts, grains) = (&step.frame.contacts, &step.frame.grains);
    let (from, to) = (contacts.from[k], contacts.to[k]);
    let expected = match bodies.0 {
        Body::Grain(a) => grains.position[a],
        Body::Wall(_) => sub(to, scale(contacts.normal[k], step.radius(bodies.1))),
    };
    let end = match bodies.1 {
        Body::Grain(b) => grains.position[b],
        Body::Wall(_) => to,
    };
    let off = norm(sub(from, expected)).max(norm(sub(to, end))) / step.radius(bodies.1);
    let limit = step.place_rounding(bodies) / step.radius(bodies.1);
    judge.see(Check::Geometry, off, limit, || format!("line of the {}", step.contact(bodies)));
}

fn check_friction(step: &Step, k: usize, bodies: (Body, Body), judge: &mut Judge) {
    let Some(friction) = step.scene.friction(step.material(bodies.0), step.material(bodies.1)) else {
        return judge.leave_out(Check::Terms, "contacts whose law has more than a constant friction");
    };
    let off = (step.frame.contacts.friction[k] - friction).abs();
    judge.see(Check::Terms, off, 0.0, || format!("friction of the {}", step.contact(bodies)));
}
