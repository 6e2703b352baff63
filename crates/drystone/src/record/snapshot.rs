//! Taking a frame of a world.

use super::frame::{Contacts, Face, Frame, Grains, WallStates};
use crate::contact::narrow::find_contacts;
use crate::contact::{Contact, ContactMemory, PairQuery, Regime};
use crate::dim::{Dim, Vector, in_space};
use crate::method::cd::local_problem::CLOSED;
use crate::method::{ContactTerms, StepReport};
use crate::shape::{Outline, Shape};
use crate::wall::Surface;
use crate::wall::patch::Scene;
use crate::world::{Pushed, World};

/// The frame of a world whose last step had the length `dt`, with the method's report of that step.
///
/// Forces are impulses over `dt`. At the start there is no last step: the network carries no impulse, `terms` is
/// empty, and `report` is the default.
pub fn frame_of<D: Dim>(world: &World<D>, dt: f64, terms: &[ContactTerms<D>], report: &StepReport) -> Frame {
    let contacts = contacts(world, dt, terms);
    Frame {
        dimension: D::DIMENSION,
        time: world.clock.time,
        step: world.clock.step,
        time_step: dt,
        residual: report.residual,
        force_error: report.force_error,
        velocity_error: report.velocity_error,
        overlap_growth: report.overlap_growth,
        converged: report.converged,
        dissipated: world.ledger.dissipated,
        wall_work: world.total_wall_work(),
        elastic: world.ledger.elastic,
        cell: world.cell.as_ref().map(|cell| cell.state()),
        grains: grains(world),
        wall_states: wall_states(world, &contacts),
        contacts,
        walls: walls(world),
    }
}

/// Grains in the order of their ids.
fn grains<D: Dim>(world: &World<D>) -> Grains {
    let bodies = &world.bodies;
    let mut order: Vec<usize> = world.grains().collect();
    order.sort_by_key(|k| bodies.id[*k]);
    let mut grains = Grains::default();
    let turns = |k: &usize| bodies.inertia[*k].inv_i != D::Moments::ZERO || !bodies.inertia[*k].is_movable();
    if !order.iter().all(turns) {
        grains.turns = order.iter().map(|k| u8::from(turns(k))).collect();
    }
    let has_stones = !bodies.outlines.is_empty();
    grains.outlines =
        bodies.outlines.iter().map(|outline| outline.corners.iter().map(|c| in_space(*c)).collect()).collect();
    if D::DIMENSION == 3 {
        grains.faces = bodies.outlines.iter().map(|outline| outline.faces.clone()).collect();
    }
    if bodies.outlines.iter().any(Outline::is_round) {
        grains.radii = bodies.outlines.iter().map(|outline| outline.radii.clone()).collect();
    }
    for k in order {
        grains.position.push(in_space(world.home_place(k)));
        grains.radius.push(bodies.shape[k].radius());
        grains.velocity.push(in_space(world.home_velocity(k)));
        grains.angular_velocity.push(D::spin3(bodies.twist[k].w));
        let previous = world.scratch.before.get(k).unwrap_or(&bodies.twist[k]);
        let jump = world.cell.as_ref().map_or(D::Vec::ZERO, |cell| cell.image_velocity(world.home(k)));
        grains.previous_velocity.push(in_space(previous.v + jump));
        if world.cell.is_some() {
            grains.own_position.push(in_space(bodies.pose[k].x));
            grains.own_velocity.push(in_space(bodies.twist[k].v));
            grains.own_previous_velocity.push(in_space(previous.v));
        }
        grains.previous_angular_velocity.push(D::spin3(previous.w));
        grains.orientation.push(D::quaternion(bodies.pose[k].q));
        if let Some(strains) = &bodies.strains {
            grains.strain.push(strains.strain[k].in_space());
            grains.strain_rate.push(strains.rate[k].in_space());
        }
        grains.mass.push(bodies.inertia[k].mass());
        grains.id.push(bodies.id[k]);
        grains.material.push(u32::from(bodies.material[k]));
        if has_stones {
            grains.outline.push(match bodies.shape[k] {
                Shape::Stone(stone) | Shape::Clump(stone) => stone.outline as i32,
                Shape::Round(_) | Shape::Wall => -1,
            });
        }
    }
    grains
}

fn contacts<D: Dim>(world: &World<D>, dt: f64, terms: &[ContactTerms<D>]) -> Contacts {
    let mut columns = Contacts::default();
    let network = world.network();
    let carries = |memory: &ContactMemory<D>| memory.impulse != D::Vec::ZERO;
    let is_start = world.clock.step == 0; // contacts may have a history from an earlier run, but no force has acted yet
    let fits = is_start || terms.len() == network.contacts.len() || !network.memory.iter().any(carries);
    assert!(fits, "the terms are those of the step that made the impulses");
    let spins =
        |(wall, surface): (usize, &Surface<D>)| surface.is_aside() && world.bodies.twist[wall].w != D::Spin::ZERO;
    let has_arms = !world.bodies.outlines.is_empty() || world.setup.surfaces.iter().enumerate().any(spins);
    for ((contact, memory), terms) in network.contacts.iter().zip(&network.memory).zip(terms) {
        if memory.regime == Regime::Open && memory.impulse == D::Vec::ZERO {
            continue;
        }
        let (a, b) = (contact.key.a as usize, contact.key.b as usize);
        let normal_impulse = memory.impulse.dot(contact.normal);
        let to = world.home_place(b);
        columns.from.push(in_space(match world.setup.walls.get(a) {
            Some(_) if world.bodies.shape[b].outline().is_some() => to + contact.arm_b,
            Some(_) => to - contact.normal * world.bodies.radius_along(b, contact.normal),
            None => {
                let (from, shift) = (world.bodies.pose[a].x, world.nearest_image(a, b).shift);
                match &world.cell {
                    Some(cell) => from - shift + cell.shift(world.home(b)),
                    None => from,
                }
            }
        }));
        columns.to.push(in_space(to));
        columns.a.push(name_of(world, a));
        columns.b.push(name_of(world, b));
        columns.normal.push(in_space(contact.normal));
        columns.normal_force.push(normal_impulse / dt);
        columns.tangential_force.push(in_space((memory.impulse - contact.normal * normal_impulse) * (1.0 / dt)));
        columns.torque.push(D::spin3(terms.torque * (1.0 / dt)));
        columns.friction.push(terms.friction);
        columns.bias.push(in_space(terms.bias));
        columns.gap.push(gap_now(world, contact, dt));
        columns.regime.push(memory.regime as u8);
        if has_arms {
            columns.arm_a.push(in_space(contact.arm_a));
            columns.arm_b.push(in_space(contact.arm_b));
        }
        if !network.predictions.is_empty() {
            let predicted = network.predicted_twists(contact.key);
            let [of_a, of_b] = predicted.copied().unwrap_or_default();
            columns.ahead.push(u8::from(predicted.is_some()));
            columns.ahead_velocity_a.push(in_space(of_a.v));
            columns.ahead_spin_a.push(D::spin3(of_a.w));
            columns.ahead_velocity_b.push(in_space(of_b.v));
            columns.ahead_spin_b.push(D::spin3(of_b.w));
        }
    }
    columns
}

/// Id of a grain, or -1 - k for wall k.
fn name_of<D: Dim>(world: &World<D>, body: usize) -> i32 {
    let id = world.bodies.id[body] as i32;
    if body < world.setup.walls.len() { -1 - id } else { id }
}

/// The gap where the bodies are now; the contact's own is from the start of the step.
fn gap_now<D: Dim>(world: &World<D>, contact: &Contact<D>, dt: f64) -> f64 {
    let pair = (contact.key.a as usize, contact.key.b as usize);
    let mut gap = contact.gap;
    // the reach is how far the bodies can have moved since, so that only part of a large mesh is searched; contacts at
    // rest are found as well
    let way = |body: usize| {
        let before = world.scratch.before.get(body).unwrap_or(&world.bodies.twist[body]);
        let rounding = CLOSED * (world.bodies.pose[body].x.norm() + world.bodies.shape[body].radius());
        (before.v.norm() + world.bodies.twist[body].v.norm()) * dt + world.rim_travel(body, dt) + rounding
    };
    let reach = match world.setup.surfaces.get(pair.0) {
        Some(_) => 2.0 * (contact.gap.abs() + way(pair.0) + way(pair.1)),
        None => f64::INFINITY,
    };
    // the contact of a ball that rolled on to another face of a wall is there now; an opposite face is another contact
    let rolls = world.setup.surfaces.get(pair.0).is_some() && world.bodies.shape[pair.1].outline().is_none();
    let mut best = 0.0;
    let query = PairQuery { a: pair.0, b: pair.1, shift: world.nearest_image(pair.0, pair.1).shift, reach };
    let met = find_contacts(&world.bodies, &world.setup.surfaces, &query, |now: Contact<D>| {
        let likeness = if now.key == contact.key { f64::INFINITY } else { now.normal.dot(contact.normal) };
        if likeness > best && (rolls || now.key == contact.key) {
            (best, gap) = (likeness, now.gap);
        }
    });
    match met {
        Ok(()) => gap,
        Err(_) => -(world.bodies.shape[pair.0].radius() + world.bodies.shape[pair.1].radius()),
    }
}

fn wall_states<D: Dim>(world: &World<D>, contacts: &Contacts) -> WallStates {
    let walls = 0..world.setup.walls.len();
    let mut force = vec![[0.0; 3]; walls.len()];
    for k in 0..contacts.a.len() {
        if let Some(sum) = usize::try_from(-1 - contacts.a[k]).ok().and_then(|wall| force.get_mut(wall)) {
            let on_b = contacts.force(k);
            (0..3).for_each(|axis| sum[axis] -= on_b[axis]);
        }
    }
    let mut states = WallStates { force, ..WallStates::default() };
    for k in walls {
        let twist = &world.bodies.twist[k];
        let at_rest = Pushed { mass: world.bodies.inertia[k].mass(), force: 0.0 };
        let pushed = world.scratch.pushed.get(k).unwrap_or(&at_rest);
        states.displacement.push(in_space(world.bodies.pose[k].x));
        states.velocity.push(in_space(twist.v));
        states.previous_velocity.push(in_space(world.scratch.before.get(k).unwrap_or(twist).v));
        states.angular_velocity.push(D::spin3(twist.w));
        states.open.push(u8::from(world.setup.walls[k].drive.is_open()));
        states.mass.push(pushed.mass);
        states.drive.push(in_space(world.wall_axis(k).map_or(D::Vec::ZERO, |axis| axis * pushed.force)));
    }
    states
}

fn walls<D: Dim>(world: &World<D>) -> Vec<Face> {
    let Some(scene) = scene(world) else { return Vec::new() };
    let mut faces = Vec::new();
    let standing = |(wall, _): &(usize, _)| !world.setup.walls[*wall].drive.is_open();
    for (wall, surface) in world.setup.surfaces.iter().enumerate().filter(standing) {
        for corners in surface.faces(world.bodies.wall_pose(wall), &scene) {
            let corners = corners.into_iter().map(in_space).collect();
            faces.push(Face { wall: wall as u32, corners });
        }
    }
    faces
}

/// The box around all grains, widened by a tenth.
fn scene<D: Dim>(world: &World<D>) -> Option<Scene<D>> {
    let bodies = &world.bodies;
    let edge = |pick: fn(f64, f64) -> f64, sign: f64, start: f64| {
        D::Vec::from_fn(|axis| {
            world.grains().map(|k| world.home_place(k).get(axis) + sign * bodies.shape[k].radius()).fold(start, pick)
        })
    };
    let (min, max) = (edge(f64::min, -1.0, f64::INFINITY), edge(f64::max, 1.0, f64::NEG_INFINITY));
    if world.grains().is_empty() {
        return None;
    }
    let margin = D::Vec::from_fn(|_| 0.05 * (max - min).norm());
    Some(Scene { min: min - margin, max: max + margin })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use crate::drive::Drive;
    use crate::input::quantity::{Components, Quantity, UnitVector};
    use crate::wall::{Cuboid, Plane, Rough, Surface};

    /// At rest on the floor with a gap of exactly zero, and a little into the side.
    #[test]
    fn a_disk_in_a_corner_has_a_gap_for_each_face() {
        let mut world = World::<D2>::default();
        world.setup.depth = 1.0;
        let [min, max] = [[0.0, 0.0], [1.0, 10.0]].map(|corner| Components(corner.into()));
        let inside = Surface::Cuboid(Cuboid { min, max });
        world.push_wall("box", inside, 0, Drive::FIXED, None);
        world.bodies.push_round([1.0 - 0.25 + 1e-9, 0.25].into(), 0.25, 1.0, 1.0, 0);
        world.sense(&[1e-3, 1e-3], |_, _| 1e-3).unwrap();
        world.scratch.before.clone_from(&world.state.bodies.twist);
        let gap = |axis: usize| {
            let mut along = world.network.contacts.iter().filter(|contact| contact.normal.get(axis).abs() == 1.0);
            gap_now(&world, along.next().expect("a contact"), 1e-3)
        };
        assert_eq!(gap(1), 0.0);
        assert!((gap(0) + 1e-9).abs() < 1e-15, "{}", gap(0));
    }
    /// A disk of radius 2 rests between two bumps of radius 3: 5 from the centre of one, 4.94 from that of the other.
    #[test]
    fn a_disk_at_rest_between_two_bumps_has_a_gap_for_each() {
        let mut world = World::<D2>::default();
        world.setup.depth = 1.0;
        let rough = Rough { radius: Quantity(3.0), spacing: Quantity(5.9) };
        let (point, normal) = (Components([0.0, 0.0].into()), UnitVector([0.0, 1.0].into()));
        let plane = Surface::Plane(Plane { point, normal, rough: Some(rough) });
        world.push_wall("floor", plane, 0, Drive::FIXED, None);
        world.bodies.push_round([3.0, 4.0].into(), 2.0, 1.0, 1.0, 0);
        world.sense(&[1e-3, 1e-3], |_, _| 1e-3).unwrap();
        world.scratch.before.clone_from(&world.state.bodies.twist);
        let gaps: Vec<f64> = world.network.contacts.iter().map(|contact| gap_now(&world, contact, 1e-3)).collect();
        assert_eq!(gaps, [0.0, 2.9_f64.hypot(4.0) - 5.0]);
    }
}
