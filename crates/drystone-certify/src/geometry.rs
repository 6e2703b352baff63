//! Contacts against positions: normals, gaps, the ends of their lines, friction and bias.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::ahead;
use super::clumps::{self, Piece};
use super::judge::{Check, Judge};
use super::kinds::POLYGONS;
use super::scene::{Face, Scheme};
use super::solids;
use super::space::{Vec3, add, norm, scale, sub};
use super::step::{Body, BodyPair, Step};
use super::stones;
use super::terms::{biases, friction_off};
use super::thin::Thin;
use super::triangles;

/// Checks every contact of a frame against the positions and the scenario.
pub(crate) fn check(step: &Step, judge: &mut Judge) {
    let mut seen = HashSet::new();
    for (k, bodies) in step.bodies.iter().enumerate() {
        let Some(bodies) = *bodies else { continue };
        let normal = step.frame.contacts.normal[k];
        let arm = if step.has_stone(bodies) { step.frame.contacts.arm_b[k] } else { [0.0; 3] };
        let key = (bodies, normal.map(f64::to_bits), arm.map(f64::to_bits));
        judge.require(Check::Geometry, seen.insert(key), || format!("{} stands there twice", step.contact(bodies)));
        check_ends(step, k, bodies, judge);
        match place(step, k, bodies, normal, judge) {
            Some(place) => check_place(step, k, bodies, &place, judge),
            None if step.has_stone(bodies) && (step.is_across(bodies) || step.is_ahead(k)) => {} // recorded by `place`
            None if step.has_stone(bodies) => {
                let what = match bodies.a {
                    Body::Wall(k) => step.scene.walls[k]
                        .unjudged("clumps and stones at polygons, turned profiles and meshes that spin"),
                    Body::Grain(_) => "stones on round grains",
                };
                judge.leave_out(Check::Geometry, what);
            }
            None => match bodies.a {
                Body::Wall(k) => judge.leave_out(Check::Geometry, step.scene.walls[k].unjudged(POLYGONS)),
                Body::Grain(_) => judge.leave_out(Check::Geometry, "grains of an unknown form"),
            },
        }
        if step.scene.scheme != Scheme::Soft {
            check_friction(step, k, bodies, judge);
        }
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

/// The geometry of a contact; of a wall, the face whose normal is nearest.
fn place(step: &Step, k: usize, bodies: BodyPair, stated: Vec3, judge: &mut Judge) -> Option<Place> {
    let grains = &step.frame.grains;
    if step.has_stone(bodies) && step.is_across(bodies) {
        judge.leave_out(Check::Geometry, "stones and clumps across the border of a periodic cell");
        return None;
    }
    if step.is_ahead(k) {
        judge.leave_out(Check::Geometry, "gaps of stones at the end of a step");
        let Some(gap) = ahead::check_place(step, k, bodies, judge) else {
            stones::check_arms(step, k, bodies, judge);
            judge.leave_out(
                Check::Geometry,
                "clumps, and stones at walls that are not flat, found at the end of the step",
            );
            return None;
        };
        return Some(Place {
            normal: stated,
            gap,
            gap_at_end: step.frame.contacts.gap[k],
            span: step.radius(bodies.b),
        });
    }
    if step.has_stone(bodies) {
        return place_stone(step, k, bodies, stated, judge);
    }
    let Body::Grain(b) = bodies.b else { return None };
    let (radius, radius_at_end) = (grains.radius[b], step.radius_at_end(Body::Grain(b)));
    match bodies.a {
        Body::Grain(a) => {
            let [apart, at_end] = step.apart(a, b);
            let (span, touching) = (norm(apart), grains.radius[a] + radius);
            let normal = scale(apart, 1.0 / span);
            let gap_at_end = norm(at_end) - (step.radius_at_end(Body::Grain(a)) + radius_at_end);
            Some(Place { normal, gap: span - touching, gap_at_end, span })
        }
        Body::Wall(wall) => {
            let (found, now) = (step.wall_found(wall), step.frame.wall_states.displacement[wall]);
            let reach = 2.0 * radius; // a grain is no further from a wall that it touches
            let (x, x_at_end) = (sub(step.found[b], found), sub(grains.position[b], now));
            if let Some(bumps) = step.scene.walls[wall].bumps() {
                let spot = bumps.touched(x, stated, reach);
                let ((normal, distance), (_, at_end)) = (bumps.below(spot, x), bumps.below(spot, x_at_end));
                return Some(Place {
                    normal,
                    gap: distance - radius,
                    gap_at_end: at_end - radius_at_end,
                    span: radius,
                });
            }
            if let Some(thin) = &step.scene.walls[wall].thin {
                let (normal, distance) = thin.below(x, stated, reach)?;
                let (_, at_end) = thin.below(x_at_end, stated, reach)?;
                return Some(Place {
                    normal,
                    gap: distance - radius,
                    gap_at_end: at_end - radius_at_end,
                    span: radius,
                });
            }
            let face = step.scene.walls[wall].faces.as_ref()?.get(step.face(bodies, stated))?;
            let ((normal, height), (_, height_at_end)) = (face.below(x), face.below(x_at_end));
            Some(Place { normal, gap: height - radius, gap_at_end: height_at_end - radius_at_end, span: radius })
        }
    }
}

/// The geometry of a contact of a stone with another one, or with the face of a plane or box: a corner of it is there.
///
/// Gaps at the end are those that the run found; the frame does not say to which corner they belong.
fn place_stone(step: &Step, k: usize, bodies: BodyPair, stated: Vec3, judge: &mut Judge) -> Option<Place> {
    let (BodyPair { a, b }, contacts) = (bodies, &step.frame.contacts);
    judge.leave_out(Check::Geometry, "gaps of stones at the end of a step");
    let (normal, gap) = match a {
        Body::Grain(_) if step.is_clump(a) || step.is_clump(b) => match clumps::check_place(step, k, bodies, judge) {
            Some(gap) => (stated, gap),
            None => {
                judge.leave_out(Check::Geometry, "contacts of clumps with stones");
                return None;
            }
        },
        Body::Grain(_) if step.frame.dimension == 3 => (stated, solids::check_place(step, k, bodies, judge)?),
        Body::Grain(_) => (stated, stones::check_place(step, k, bodies, judge)?),
        Body::Wall(wall) if matches!(step.scene.walls[wall].thin, Some(Thin::Triangles(_))) => {
            (stated, triangles::check_place(step, k, wall, b, judge)?)
        }
        Body::Wall(wall) => {
            let Body::Grain(grain) = b else { return None };
            let face = step.scene.walls[wall].faces.as_ref()?.get(step.face(bodies, stated))?;
            let Face::Flat { normal, .. } = *face else {
                judge.leave_out(Check::Geometry, "stones at walls that are not flat");
                return None;
            };
            let height = |x: Vec3| face.below(sub(x, step.wall_found(wall))).1;
            let middle = add(step.found[grain], contacts.arm_b[k]);
            // the corner or surface is twice as high above the face as the point half-way
            let rise = height(middle);
            let (gap, foot) = (height(middle) + rise, add(middle, scale(normal, rise)));
            let off = match step.pieces_found(grain) {
                Some(pieces) => {
                    let ball = |x: Vec3, radius: f64| norm(sub(x, add(foot, scale(normal, radius))));
                    let end = |piece: &Piece| piece.ends.map(|x| ball(x, piece.radius));
                    pieces.iter().flat_map(end).fold(f64::INFINITY, f64::min)
                }
                None => step.outline_found(b)?.iter().map(|x| norm(sub(*x, foot))).fold(f64::INFINITY, f64::min),
            };
            let rounding = 4.0 * step.place_rounding(bodies) / step.radius(b) + 16.0 * f64::EPSILON;
            judge.see(Check::Geometry, off / step.radius(b), rounding, || {
                format!("corner of the {}", step.contact(bodies))
            });
            (normal, gap)
        }
    };
    Some(Place { normal, gap, gap_at_end: contacts.gap[k], span: step.radius(b) })
}

fn check_place(step: &Step, k: usize, bodies: BodyPair, place: &Place, judge: &mut Judge) {
    let (contacts, dt) = (&step.frame.contacts, step.frame.time_step);
    let rounding = step.place_rounding(bodies);
    let radius = step.radius(bodies.b);
    let turned = norm(sub(contacts.normal[k], place.normal));
    judge.see(Check::Geometry, turned, 2.0 * rounding / place.span + 8.0 * f64::EPSILON, || {
        format!("normal of the {}", step.contact(bodies))
    });
    let off = (contacts.gap[k] - place.gap_at_end).abs() / radius;
    judge.see(Check::Geometry, off, rounding / radius, || format!("gap of the {}", step.contact(bodies)));
    let Some(law) = step.law(bodies).filter(|_| step.scene.scheme != Scheme::Soft) else { return };
    let allowed = biases(step, law, Some(k), bodies, place.normal, place.gap).into_iter();
    let path = |velocity: f64| velocity * dt / radius;
    let readings = allowed.map(|bias| (path(norm(sub(contacts.bias[k], bias.velocity))), path(bias.rounding)));
    if let Some((off, limit)) =
        readings.min_by(|p, q| (p.0 > p.1, p.0).partial_cmp(&(q.0 > q.1, q.0)).unwrap_or(Ordering::Equal))
    {
        judge.see(Check::Terms, off, limit, || format!("bias of the {}", step.contact(bodies)));
    }
}

/// The line of a contact runs from centre to centre, or from its foot on a wall.
fn check_ends(step: &Step, k: usize, bodies: BodyPair, judge: &mut Judge) {
    let (contacts, grains) = (&step.frame.contacts, &step.frame.grains);
    let (from, to) = (contacts.from[k], contacts.to[k]);
    let expected = match bodies.a {
        Body::Grain(a) => match bodies.b {
            Body::Grain(b) => sub(add(grains.position[b], step.home(b).0), step.apart(a, b)[1]),
            Body::Wall(_) => grains.position[a],
        },
        Body::Wall(_) if step.is_stone(bodies.b) => add(to, contacts.arm_b[k]),
        Body::Wall(_) => sub(to, scale(contacts.normal[k], step.radius_at_end(bodies.b))),
    };
    let end = match bodies.b {
        Body::Grain(b) => add(grains.position[b], step.home(b).0),
        Body::Wall(_) => to,
    };
    let off = norm(sub(from, expected)).max(norm(sub(to, end))) / step.radius(bodies.b);
    let limit = (step.place_rounding(bodies) + 4.0 * f64::EPSILON * norm(end)) / step.radius(bodies.b);
    judge.see(Check::Geometry, off, limit, || format!("line of the {}", step.contact(bodies)));
}

fn check_friction(step: &Step, k: usize, bodies: BodyPair, judge: &mut Judge) {
    let contacts = &step.frame.contacts;
    let Some(law) = step.law(bodies) else {
        return step.scene.unknown.iter().for_each(|why| judge.leave_out(Check::Terms, why.as_str()));
    };
    let (off, limit) = friction_off(step, law, k, bodies, contacts.friction[k]);
    judge.see(Check::Terms, off, limit, || format!("friction of the {}", step.contact(bodies)));
}
