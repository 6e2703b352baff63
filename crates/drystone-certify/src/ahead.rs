//! Contacts of stones that were found at the predicted positions of the bodies at the end of the step: the frame stores
//! the motion of that prediction, and normal, point and gap follow from it.

use super::judge::{Check, Judge};
use super::scene::Face;
use super::solids::{self, Quaternion};
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use super::step::{Body, BodyPair, Step};
use super::stones;

/// A stone at its predicted position: the half-spaces (normal, height) whose intersection it is, edges and corners [m].
struct Foreseen {
    corners: Vec<Vec3>,
    edges: Vec<(Vec3, Vec3)>,
    planes: Vec<(Vec3, f64)>,
    /// Its centre there, its centre where contacts were found [m], and the rotation from there back to here.
    at: Vec3,
    found: Vec3,
    back: Quaternion,
}

/// The motion of a body that the solver had found when it looked ahead.
#[derive(Clone, Copy)]
struct Motion {
    /// Velocity [m/s].
    velocity: Vec3,
    /// Angular velocity [rad/s].
    spin: Vec3,
}

impl Foreseen {
    fn new(step: &Step, body: Body, motion: Motion) -> Option<Foreseen> {
        let Body::Grain(grain) = body else { return None };
        let Motion { velocity, spin } = motion;
        let (corners, found) = (step.outline_found(body)?, step.found[grain]);
        let dt = step.frame.time_step;
        let back = match step.tumbling(grain) {
            Some(tumbling) => {
                let (rot, _) = solids::earlier(tumbling.rot, tumbling.moments, spin, -dt);
                solids::product(tumbling.rot, solids::back(rot))
            }
            None => solids::turn(scale(spin, -dt)),
        };
        let at = add(found, scale(velocity, dt));
        let moved = |x: &Vec3| add(at, solids::turned(solids::back(back), sub(*x, found)));
        let corners: Vec<Vec3> = corners.iter().map(moved).collect();
        let rims: Vec<Vec<Vec3>> = match step.frame.grains.faces(grain) {
            Some(faces) => faces.iter().map(|face| face.iter().map(|k| corners[*k as usize]).collect()).collect(),
            None => {
                // an edge of a polygon is the rim of a face that is perpendicular to it
                let next = corners.iter().cycle().skip(1);
                corners.iter().zip(next).map(|(p, q)| vec![*p, *q, add(*q, [0.0, 0.0, 1.0])]).collect()
            }
        };
        let plane = |rim: &Vec<Vec3>| {
            let fan = rim[1..].windows(2).map(|pair| cross(sub(pair[0], rim[0]), sub(pair[1], rim[0])));
            let area = fan.fold([0.0; 3], add);
            let normal = scale(area, 1.0 / norm(area));
            (normal, dot(normal, rim[0]))
        };
        let planes = rims.iter().map(plane).collect();
        let edges = match step.frame.dimension {
            2 => Vec::new(), // polygons meet only at corners
            _ => rims.iter().flat_map(|rim| rim.iter().copied().zip(rim.iter().copied().cycle().skip(1))).collect(),
        };
        Some(Foreseen { corners, edges, planes, at, found, back })
    }

    /// How far along a direction the surface is from a point.
    fn surface(&self, x: Vec3, direction: Vec3) -> f64 {
        let ahead = self.planes.iter().filter(|(normal, _)| dot(*normal, direction) > 0.0);
        ahead.map(|(normal, height)| (height - dot(*normal, x)) / dot(*normal, direction)).fold(f64::INFINITY, f64::min)
    }

    /// Highest corner along a direction.
    fn top(&self, direction: Vec3) -> f64 {
        self.corners.iter().map(|x| dot(*x, direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Where a point of the body was when contacts were found.
    fn brought_back(&self, x: Vec3) -> Vec3 {
        add(self.found, solids::turned(self.back, sub(x, self.at)))
    }
}

/// Points of a and b that may face each other along a normal: corners over a surface, and edges that cross.
fn feet(a: &Foreseen, b: &Foreseen, normal: Vec3) -> Vec<(Vec3, Vec3)> {
    let down = scale(normal, -1.0);
    let under = b.corners.iter().map(|x| (add(*x, scale(normal, a.surface(*x, normal))), *x));
    let over = a.corners.iter().map(|x| (*x, add(*x, scale(down, b.surface(*x, down)))));
    let mut feet: Vec<(Vec3, Vec3)> = under.chain(over).collect();
    for (p, p_end) in &a.edges {
        for (q, q_end) in &b.edges {
            let (along, across, apart) = (sub(*p_end, *p), sub(*q_end, *q), sub(*q, *p));
            let area = dot(normal, cross(along, across));
            let [s, t] = [across, along].map(|side| dot(normal, cross(apart, side)) / area);
            if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                feet.push((add(*p, scale(along, s)), add(*q, scale(across, t))));
            }
        }
    }
    feet
}

/// Checks normal and point of a predicted contact of two stones, or of a stone with a flat wall, and returns the gap
/// from which the predicted motion leads to the overlap there [m]; `None` for bodies that are not supported.
pub(crate) fn check_place(step: &Step, k: usize, bodies: BodyPair, judge: &mut Judge) -> Option<f64> {
    let (contacts, dt) = (&step.frame.contacts, step.frame.time_step);
    let normal = contacts.normal[k];
    let motion = [
        Motion { velocity: *contacts.ahead_velocity_a.get(k)?, spin: *contacts.ahead_spin_a.get(k)? },
        Motion { velocity: *contacts.ahead_velocity_b.get(k)?, spin: *contacts.ahead_spin_b.get(k)? },
    ];
    let Body::Grain(grain) = bodies.b else { return None };
    let of_b = Foreseen::new(step, bodies.b, motion[1])?;
    let size = step.radius(bodies.a).max(step.radius(bodies.b));
    // positions are rotated there and back, by quaternions that were rounded
    let rounding = (8.0 * step.place_rounding(bodies) + 64.0 * f64::EPSILON * size) / size;
    let point = add(step.found[grain], contacts.arm_b[k]);
    let name = || step.contact(bodies);
    let mut best = (f64::INFINITY, f64::INFINITY);
    let mut compare = |expected: Vec3, gap: f64| {
        let off = norm(sub(point, expected)) / size;
        if off < best.0 {
            best = (off, gap);
        }
    };
    match bodies.a {
        Body::Wall(wall) => {
            let face = step.scene.walls[wall].faces.as_ref()?.get(step.face(bodies, normal))?;
            let Face::Flat { normal: flat, .. } = *face else { return None };
            judge.see(Check::Geometry, norm(sub(normal, flat)), 8.0 * f64::EPSILON, || {
                format!("normal of the {}", name())
            });
            let at = add(step.wall_found(wall), scale(motion[0].velocity, dt));
            of_b.corners.iter().for_each(|x| compare(of_b.brought_back(*x), face.below(sub(*x, at)).1));
        }
        Body::Grain(_) => {
            let of_a = Foreseen::new(step, bodies.a, motion[0])?;
            stones::check_arms(step, k, bodies, judge);
            let separation = |n: Vec3| -of_b.top(scale(n, -1.0)) - of_a.top(n);
            let faces = of_a.planes.iter().map(|(n, _)| *n).chain(of_b.planes.iter().map(|(n, _)| scale(*n, -1.0)));
            let faces: Vec<Vec3> = faces.collect();
            let mut widest = faces.iter().map(|n| separation(*n)).fold(f64::NEG_INFINITY, f64::max);
            for (p, p_end) in &of_a.edges {
                for (q, q_end) in &of_b.edges {
                    let (along, across) = (sub(*p_end, *p), sub(*q_end, *q));
                    let common = cross(along, across);
                    if norm(common) > 1e-12 * norm(along) * norm(across) {
                        let n = scale(common, 1.0 / norm(common));
                        widest = widest.max(separation(n)).max(separation(scale(n, -1.0)));
                    }
                }
            }
            let is_face = step.frame.dimension == 3 && faces.iter().any(|n| norm(sub(*n, normal)) <= 1e-12);
            let limit = if is_face { 2.0 * solids::PARALLEL } else { rounding };
            let off = (widest - separation(normal)) / size;
            judge.see(Check::Geometry, off, limit, || format!("normal of the {}", name()));
            for (x, y) in feet(&of_a, &of_b, normal) {
                let middle = scale(add(of_a.brought_back(x), of_b.brought_back(y)), 0.5);
                compare(middle, dot(sub(y, x), normal));
            }
        }
    }
    judge.see(Check::Geometry, best.0, rounding, || format!("point of the {}", name()));
    let arms = step.arms(Some(k), bodies, normal);
    let surface = |Motion { velocity, spin }: Motion, arm: Vec3| add(velocity, cross(spin, arm));
    let u = sub(surface(motion[1], arms[1]), surface(motion[0], arms[0]));
    Some(best.1 - dot(u, normal) * dt)
}
