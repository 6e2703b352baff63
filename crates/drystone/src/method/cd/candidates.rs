//! Which contacts a step considers: those that are closed, and those that may close in it.

use super::local_problem::CLOSED;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::threads;
use crate::world::World;

/// Pairs with gaps below this part of the radii are candidates from the start, whether the bodies move or not, so that
/// a push through grains at rest finds them all at once. Pairs with wider gaps that close in the step are still found,
/// one round later.
const NEAR: f64 = 1e-3;

/// Contacts of the Euler scheme: pairs that can close their gap by their velocities and by gravity, or nearly touch,
/// or may be held by cohesion; with `keeps_loaded` also those that opened while they carry an impulse.
pub(super) fn sense_incipient<D: Dim>(world: &mut World<D>, dt: f64, keeps_loaded: bool) -> Result<(), Coincident> {
    let (fall, range) = (world.largest_pull() * dt, world.setup.laws.longest_range());
    let by_images = world.image_travel(dt);
    let mut ways = threads::table(world.bodies.len(), |k| Way {
        v: world.bodies.twist[k].v,
        near: NEAR * world.bodies.shape[k].radius() + 0.5 * range,
        rim: world.rim_travel(k, dt),
        is_loaded: false,
    });
    let way = |k: usize| {
        let Way { v, near, .. }: Way<D> = ways[k];
        (v.norm() + fall) * dt + near + world.swing_travel(k, dt) + world.surface_travel(k, dt) + by_images
    };
    let mut travel = threads::table(ways.len(), way);
    let loaded = if keeps_loaded { loaded_gaps(world) } else { Vec::new() };
    for (pair, gap) in &loaded {
        for body in pair.map(|body| body as usize) {
            travel[body] += gap;
            ways[body].is_loaded = true;
        }
    }
    let opened = |a: usize, b: usize| {
        let may_be = ways[a].is_loaded && ways[b].is_loaded;
        let pair = [a as u32, b as u32];
        let found = may_be.then(|| loaded.binary_search_by_key(&pair, |(pair, _)| *pair).ok()).flatten();
        found.map_or(0.0, |place| loaded[place].1)
    };
    let reach = |a: usize, b: usize, jump: D::Vec| {
        let (one, other) = (&ways[a], &ways[b]);
        let closing = ((other.v - one.v + jump).norm() + 2.0 * fall) * dt;
        closing + one.near + other.near + (one.rim + other.rim) + opened(a, b)
    };
    world.sense_images(&travel, &reach)
}

/// How far a body may go in a step.
#[derive(Clone, Copy)]
struct Way<D: Dim> {
    /// Its velocity at the start [m/s].
    v: D::Vec,
    /// Gap within which it is near others [m].
    near: f64,
    /// How far its surface travels relative to its centre [m].
    rim: f64,
    /// Whether it carried an impulse across a gap.
    is_loaded: bool,
}

/// Pairs that carried an impulse across a gap in the previous step, with the widest gap [m], in ascending order. A
/// solve with few sweeps leaves such impulses; the next step starts from them, however wide the gap.
fn loaded_gaps<D: Dim>(world: &World<D>) -> Vec<([u32; 2], f64)> {
    let network = &world.network;
    let mut gaps: Vec<([u32; 2], f64)> = Vec::new();
    for (contact, memory) in network.contacts.iter().zip(&network.memory) {
        if contact.gap > 0.0 && memory.impulse != D::Vec::ZERO {
            let pair = [contact.key.a, contact.key.b];
            match gaps.last_mut() {
                Some((last, gap)) if *last == pair => *gap = gap.max(contact.gap),
                _ => gaps.push((pair, contact.gap)),
            }
        }
    }
    gaps
}

/// Contacts of the midpoint scheme: pairs that touch, up to the rounding of their positions, or are held by cohesion.
///
/// The opening of a bond is counted up to the start of the step; at the midpoint the gap is wider by half of what it
/// opens in the step.
pub(super) fn sense_closed<D: Dim>(world: &mut World<D>, dt: f64) -> Result<(), Coincident> {
    let range = world.setup.laws.longest_range();
    let is_cohesive = range > 0.0;
    let bodies = &world.bodies;
    let touching: Vec<f64> =
        bodies.pose.iter().zip(&bodies.shape).map(|(pose, shape)| CLOSED * (pose.x.norm() + shape.radius())).collect();
    let by_images = world.image_travel(0.5 * dt);
    let half_way = |k: usize| if is_cohesive { bodies.twist[k].v.norm() * 0.5 * dt + by_images } else { 0.0 };
    let travel: Vec<f64> =
        touching.iter().enumerate().map(|(k, touching)| touching + 0.5 * range + half_way(k)).collect();
    world.sense(&travel, |a, b| travel[a] + travel[b])?;
    world.network.retain(|contact, memory| {
        let rounding = touching[contact.key.a as usize] + touching[contact.key.b as usize];
        contact.gap <= rounding || memory.bond.is_some()
    });
    Ok(())
}
