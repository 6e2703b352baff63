//! Newton's and Euler's laws: of every grain, and of all of them together.

use super::judge::{Check, Judge};
use super::solids;
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use super::step::{Body, Step, Tumbling};

/// Load on a body: a sum, the sum of the sizes of its parts, and how many parts there are.
#[derive(Clone, Copy, Default)]
struct Load {
    sum: Vec3,
    size: f64,
    parts: usize,
    /// Errors of the arms of the parts, times the parts.
    off: f64,
}

impl Load {
    fn put(&mut self, part: Vec3, size: f64) {
        *self = Load { sum: add(self.sum, part), size: self.size + size, parts: self.parts + 1, ..*self };
    }

    /// Roundings of the sum, as a ratio to the sizes: two for every part, once in the solver and once here, and a few
    /// for masses, time steps and differences.
    fn rounding(&self) -> f64 {
        (16.0 + 2.0 * self.parts as f64) * f64::EPSILON
    }
}

/// Forces and torques of the contacts on every grain, and forces on every wall.
struct Loads {
    force: Vec<Load>,
    torque: Vec<Load>,
    wall: Vec<Load>,
}

fn loads(step: &Step) -> Loads {
    let contacts = &step.frame.contacts;
    let grains = vec![Load::default(); step.found.len()];
    let mut loads =
        Loads { force: grains.clone(), torque: grains, wall: vec![Load::default(); step.scene.walls.len()] };
    for (k, bodies) in step.bodies.iter().enumerate() {
        let Some(bodies) = *bodies else { continue };
        let (on_b, normal, own) = (contacts.force(k), contacts.normal[k], contacts.torque[k]);
        let size = norm(on_b);
        let [arm_a, arm_b] = step.arms(Some(k), bodies, normal);
        for (body, sign, arm) in [(bodies.a, -1.0, arm_a), (bodies.b, 1.0, arm_b)] {
            let force = scale(on_b, sign);
            match body {
                Body::Wall(wall) => loads.wall[wall].put(force, size),
                Body::Grain(grain) => {
                    let torque = add(cross(arm, force), scale(own, sign));
                    loads.force[grain].put(force, size);
                    loads.torque[grain].put(torque, norm(arm) * size + norm(own));
                    loads.torque[grain].off += step.arm_rounding(bodies) * size;
                }
            }
        }
    }
    loads
}

/// Checks the balance of every grain that can move, of every wall, and of the whole.
pub(crate) fn check(step: &Step, judge: &mut Judge) {
    let loads = loads(step);
    let (mut whole, mut rounding) = (Load::default(), 0.0);
    for grain in 0..step.found.len() {
        if !step.is_movable(Body::Grain(grain)) {
            whole.put(loads.force[grain].sum, loads.force[grain].size);
            continue;
        }
        let name = || step.name(Body::Grain(grain));
        let outer = check_force(step, grain, loads.force[grain], judge, name);
        whole.put(outer.0, outer.1);
        // forces that cancel at a grain leave their rounding in its velocity
        rounding += loads.force[grain].rounding() * (outer.1 + loads.force[grain].size);
        check_torque(step, grain, loads.torque[grain], judge, name);
    }
    check_walls(step, &loads, &mut whole, judge);
    if whole.size != 0.0 {
        let limit = whole.rounding() + rounding / whole.size;
        judge.see(Check::Global, norm(whole.sum) / whole.size, limit, || "all grains".into());
    }
}

/// m (v - v_before) / dt = m g + sum f; returns m a - m g and its size.
fn check_force(step: &Step, grain: usize, load: Load, judge: &mut Judge, name: impl Fn() -> String) -> (Vec3, f64) {
    let (grains, gravity) = (&step.frame.grains, step.scene.gravity);
    let (now, before) = (grains.velocity[grain], grains.previous_velocity[grain]);
    let rate = grains.mass[grain] / step.frame.time_step;
    let weight = scale(gravity, grains.mass[grain]);
    let inertia = sub(scale(sub(now, before), rate), weight);
    let size = rate * (norm(now) + norm(before)) + norm(weight);
    if size + load.size != 0.0 {
        let off = norm(sub(inertia, load.sum)) / (size + load.size);
        judge.see(Check::Force, off, load.rounding(), name);
    }
    (inertia, size)
}

/// Roundings of a polyhedron's angular momentum over those of a sum: it is turned back, and into its own axes and out.
const TURNING: f64 = 4.0;

/// I (w - w_before) / dt = sum of torques where contacts were found; the moment of inertia of a round grain is the
/// same about every axis, and a stone of the plane turns about one, so that w x I w is zero.
fn check_torque(step: &Step, grain: usize, load: Load, judge: &mut Judge, name: impl Fn() -> String) {
    let grains = &step.frame.grains;
    if let Some(Tumbling { moments, rot, spin }) = step.tumbling(grain) {
        let rate = grains.mass[grain] / step.frame.time_step;
        let momentum = |w: Vec3| scale(solids::momentum(*rot, *moments, w), rate);
        let before = grains.previous_angular_velocity[grain];
        let largest = moments.iter().copied().fold(0.0, f64::max);
        let size = rate * largest * (norm(*spin) + norm(before)) + load.size;
        if size != 0.0 {
            let off = norm(sub(sub(momentum(*spin), momentum(before)), load.sum)) / size;
            judge.see(Check::Torque, off, TURNING * load.rounding() + load.off / size, name);
        }
        return;
    }
    let (now, before) = (grains.angular_velocity[grain], grains.previous_angular_velocity[grain]);
    if step.gyration(grain).is_infinite() {
        return judge.require(Check::Torque, now == [0.0; 3] && before == now, || format!("{} turns", name()));
    }
    let moment = grains.mass[grain] * step.gyration(grain);
    let rate = moment / step.frame.time_step;
    let size = rate * (norm(now) + norm(before)) + load.size;
    if size != 0.0 {
        let off = norm(sub(scale(sub(now, before), rate), load.sum)) / size;
        judge.see(Check::Torque, off, load.rounding() + load.off / size, name);
    }
}

/// m (v - v_before) / dt = n (n . (m g + sum f) + F) of a piston, whose guide takes the forces across it.
fn check_piston(step: &Step, wall: usize, load: Load, judge: &mut Judge) {
    let states = &step.frame.wall_states;
    let Some(axis) = step.scene.walls[wall].axis() else {
        return judge.leave_out(Check::Force, "pistons other than planes");
    };
    let (now, before) = (states.velocity[wall], states.previous_velocity[wall]);
    let (rate, weight) = (states.mass[wall] / step.frame.time_step, scale(step.scene.gravity, states.mass[wall]));
    let push = add(add(weight, load.sum), states.drive[wall]);
    let size = rate * (norm(now) + norm(before)) + norm(weight) + norm(states.drive[wall]) + load.size;
    if size != 0.0 {
        let off = norm(sub(scale(sub(now, before), rate), scale(axis, dot(axis, push)))) / size;
        judge.see(Check::Force, off, load.rounding(), || step.name(Body::Wall(wall)));
    }
}

/// Checks that the stated force on every wall is that of its contacts.
pub(crate) fn check_reactions(step: &Step, judge: &mut Judge) {
    let loads = loads(step);
    for (wall, load) in loads.wall.iter().enumerate() {
        check_reaction(step, wall, load, judge);
    }
}

fn check_reaction(step: &Step, wall: usize, load: &Load, judge: &mut Judge) {
    let stated = step.frame.wall_states.force[wall];
    let size = load.size + norm(stated);
    if size != 0.0 {
        let off = norm(sub(stated, load.sum)) / size;
        judge.see(Check::Global, off, load.rounding(), || format!("force on {}", step.name(Body::Wall(wall))));
    }
}

/// The stated force on every wall is that of its contacts; adds it to those that carry weight and inertia.
fn check_walls(step: &Step, loads: &Loads, whole: &mut Load, judge: &mut Judge) {
    for (k, load) in loads.wall.iter().enumerate() {
        if step.is_movable(Body::Wall(k)) {
            check_piston(step, k, *load, judge);
        }
        let stated = step.frame.wall_states.force[k];
        whole.put(stated, norm(stated));
        check_reaction(step, k, load, judge);
    }
}
