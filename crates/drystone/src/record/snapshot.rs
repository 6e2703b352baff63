//! Taking a frame of a world.

use super::frame::{Contacts, Face, Frame, Grains};
use crate::contact::touch::touch;
use crate::contact::{Contact, Regime};
use crate::dim::{Dim, Vector, in_space};
use crate::wall::patch::Scene;
use crate::world::World;

impl Frame {
    /// The frame of a world whose last step took `dt`: forces are impulses over `dt`.
    pub fn of<D: Dim>(world: &World<D>, dt: f64) -> Frame {
        Frame {
            dimension: D::DIMENSION,
            time: world.clock.time,
            step: world.clock.step,
            grains: grains(world),
            contacts: contacts(world, dt),
            walls: walls(world),
        }
    }
}

/// Grains in the order of their ids.
fn grains<D: Dim>(world: &World<D>) -> Grains {
    let bodies = &world.bodies;
    let mut order: Vec<usize> = world.grains().collect();
    order.sort_by_key(|k| bodies.id[*k]);
    let mut grains = Grains::default();
    for k in order {
        grains.position.push(in_space(bodies.pose[k].x));
        grains.radius.push(bodies.shape[k].radius());
        grains.velocity.push(in_space(bodies.twist[k].v));
        grains.angular_velocity.push(D::spin3(bodies.twist[k].w));
        grains.orientation.push(D::quaternion(bodies.pose[k].q));
        grains.mass.push(bodies.inertia[k].mass());
        grains.id.push(bodies.id[k]);
        grains.material.push(u32::from(bodies.material[k]));
    }
    grains
}

fn contacts<D: Dim>(world: &World<D>, dt: f64) -> Contacts {
    let mut columns = Contacts::default();
    for (contact, memory) in world.network.closed() {
        let (a, b) = (contact.key.a as usize, contact.key.b as usize);
        let normal_impulse = memory.impulse.dot(contact.normal);
        let to = world.bodies.pose[b].x;
        columns.from.push(in_space(match world.walls.get(a) {
            Some(_) => to - contact.normal * world.bodies.shape[b].radius(),
            None => world.bodies.pose[a].x,
        }));
        columns.to.push(in_space(to));
        columns.a.push(name_of(world, a));
        columns.b.push(name_of(world, b));
        columns.normal.push(in_space(contact.normal));
        columns.normal_force.push(normal_impulse / dt);
        columns.tangential_force.push(in_space((memory.impulse - contact.normal * normal_impulse) * (1.0 / dt)));
        columns.gap.push(gap_now(world, contact));
        columns.regime.push(if memory.regime == Regime::Slide { 2 } else { 1 });
    }
    columns
}

/// Id of a grain, or -1 - k for wall k.
fn name_of<D: Dim>(world: &World<D>, body: usize) -> i32 {
    let id = world.bodies.id[body] as i32;
    if body < world.walls.len() { -1 - id } else { id }
}

/// The gap where the bodies are now; the contact's own is from the start of the step.
fn gap_now<D: Dim>(world: &World<D>, contact: &Contact<D>) -> f64 {
    let pair = (contact.key.a as usize, contact.key.b as usize);
    let mut gap = contact.gap;
    let met = touch(&world.bodies, &world.surfaces, pair, f64::INFINITY, |now: Contact<D>| {
        if now.key == contact.key {
            gap = now.gap;
        }
    });
    match met {
        Ok(()) => gap,
        Err(_) => -(world.bodies.shape[pair.0].radius() + world.bodies.shape[pair.1].radius()),
    }
}

fn walls<D: Dim>(world: &World<D>) -> Vec<Face> {
    let Some(scene) = scene(world) else { return Vec::new() };
    let mut faces = Vec::new();
    for (wall, surface) in world.surfaces.iter().enumerate() {
        let shift = world.bodies.pose[wall].x;
        let seen = Scene { min: scene.min - shift, max: scene.max - shift };
        for corners in surface.as_dyn().faces(&seen) {
            let corners = corners.into_iter().map(|corner| in_space(corner + shift)).collect();
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
            world.grains().map(|k| bodies.pose[k].x.get(axis) + sign * bodies.shape[k].radius()).fold(start, pick)
        })
    };
    let (min, max) = (edge(f64::min, -1.0, f64::INFINITY), edge(f64::max, 1.0, f64::NEG_INFINITY));
    if world.grains().is_empty() {
        return None;
    }
    let margin = D::Vec::from_fn(|_| 0.05 * (max - min).norm());
    Some(Scene { min: min - margin, max: max + margin })
}
