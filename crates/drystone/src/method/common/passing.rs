//! Detects grains that pass through thin walls, or into each other.
//!
//! A grain behind a wall that has an inside is found at any time ([`World::find_lost`]). A thin wall has grains on both
//! sides, and only the path of a grain in a step shows that it has changed sides.

use crate::body::Pose;
use crate::dim::{Dim, Vector, in_space};
use crate::method::StepError;
use crate::shape::Shape;
use crate::wall::{Surface, WallPose};
use crate::world::World;

/// Overlap plus travel in a step, over the radius, from which on a centre may reach a wall within a step and a half.
/// Soft grains are checked at a time up to half a step before its end, and move by at most half a radius in a step
/// ([`crate::method::RUNAWAY`]).
const NEAR: f64 = 1.0 - 1.5 * crate::method::RUNAWAY;

/// Distance from a wall, over the radius, at which a centre counts as on it: far above rounding, far below anything
/// that matters.
const ON: f64 = 1e-9;

/// Largest number of steps along a path. Each is as long as the distance from the wall, so only a path along the wall
/// needs more than a few.
const LOOKS: usize = 1000;

/// Poses of grains and walls at the start of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passing<D: Dim> {
    poses: Vec<Pose<D>>,
    /// Number of bodies that the smallest radius was found for.
    bodies: usize,
    smallest: f64,
}

impl<D: Dim> Passing<D> {
    /// Whether a grain with this overlap plus path in a step, over its radius, may reach a moving wall that it could
    /// pass.
    pub(crate) fn is_near(&mut self, world: &World<D>, dt: f64, way: f64) -> bool {
        if self.bodies != world.bodies.len() {
            self.bodies = world.bodies.len();
            let radii = world.grains().map(|k| world.bodies.inner_radius(k));
            self.smallest = radii.fold(f64::INFINITY, f64::min);
        }
        let travel = |wall: usize| world.bodies.twist[wall].v.norm() * dt + world.swing_travel(wall, dt);
        let walls = passable(world).map(|(wall, _)| travel(wall)).reduce(f64::max);
        walls.is_some_and(|walls| way + walls / self.smallest >= NEAR)
    }

    /// Stores all poses, if there is a wall that a grain could pass.
    pub(crate) fn begin(&mut self, world: &World<D>) {
        self.poses.clear();
        if passable(world).next().is_some() {
            self.poses.extend_from_slice(&world.bodies.pose);
        }
    }

    /// Drops the stored poses: nothing can pass in this step.
    pub(crate) fn rest(&mut self) {
        self.poses.clear();
    }

    /// Refuses a world in which the centre of a grain, or of a ball of a clump, went through a wall since then.
    pub(crate) fn end(&self, world: &World<D>) -> Result<(), StepError> {
        if self.poses.len() != world.bodies.len() {
            return Ok(());
        }
        let bodies = &world.bodies;
        for (wall, surface) in passable(world) {
            let Pose { x, q } = self.poses[wall];
            let stands = [WallPose { x, q }, bodies.wall_pose(wall)];
            for grain in world.grains().filter(|grain| bodies.inertia[*grain].is_movable()) {
                let poses = [self.poses[grain], bodies.pose[grain]];
                let (mut passes, on) = (false, ON * bodies.inner_radius(grain));
                each_core(world, grain, poses, |path| passes |= meets(surface, stands, path, on));
                if passes {
                    return Err(StepError::Passed {
                        body: world.name(grain),
                        wall: world.name(wall),
                        step: world.clock.step,
                        position: in_space(bodies.pose[grain].x),
                        velocity: in_space(bodies.twist[grain].v),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Walls that a grain can pass without being behind them afterwards.
fn passable<D: Dim>(world: &World<D>) -> impl Iterator<Item = (usize, &Surface<D>)> {
    let stands = |wall: usize| !world.setup.walls[wall].drive.is_open();
    world.setup.surfaces.iter().enumerate().filter(move |(wall, surface)| surface.is_passable() && stands(*wall))
}

/// Calls `each` with the path of the centre of a grain, or of every ball of a clump.
fn each_core<D: Dim>(world: &World<D>, grain: usize, poses: [Pose<D>; 2], mut each: impl FnMut([D::Vec; 2])) {
    match world.bodies.shape[grain] {
        Shape::Clump(clump) => {
            for arm in &world.bodies.outlines[clump.outline as usize].corners {
                each(poses.map(|Pose { x, q }| x + D::rotation(q)(*arm)));
            }
        }
        _ => each(poses.map(|pose| pose.x)),
    }
}

/// Whether a path meets a moving wall, or comes as close to it as `on`. The path is followed in steps as long as the
/// distance from the wall, so that no wall is missed, however thin it is.
fn meets<D: Dim>(surface: &Surface<D>, [from, to]: [WallPose<D>; 2], path: [D::Vec; 2], on: f64) -> bool {
    let seen = |stand: WallPose<D>, x: D::Vec| {
        let x = surface.frame(stand).point(x);
        D::Vec::from_fn(|axis| x[axis])
    };
    let start = seen(from, path[0]);
    let along = seen(to, path[1]) - start;
    let length = along.norm();
    let mut gone = 0.0;
    for _ in 0..LOOKS {
        let left = length - gone;
        if left <= 0.0 {
            return false;
        }
        let mut nearest = f64::INFINITY;
        surface.as_dyn().near(start + along * (gone / length), left + on, &mut |_, _, distance| {
            nearest = nearest.min(distance);
        });
        if nearest <= on {
            return true;
        }
        gone += nearest - 0.5 * on; // a point of a thin wall itself has no distance
    }
    false
}

/// Refuses a world in which a grain passed through another one since all bodies were at `before`: in which the centre
/// of one lay in the other somewhere on its path, which is taken as straight. Only grains that move far in a step can
/// do so.
pub(crate) fn check_crossed<D: Dim>(world: &World<D>, before: &[D::Vec]) -> Result<(), StepError> {
    let bodies = &world.bodies;
    let way = |k: usize| bodies.pose[k].x - before[k];
    let is_far = |k: &usize| way(*k).norm() > crate::method::RUNAWAY * bodies.inner_radius(*k);
    for a in world.grains().filter(is_far) {
        for b in world.grains().filter(|b| *b != a) {
            let apart = before[b] - before[a];
            let apart = world.cell.as_ref().map_or(apart, |cell| apart + cell.shift(cell.nearest(apart)));
            let along = way(b) - way(a);
            let part = (-apart.dot(along) / along.norm_squared()).clamp(0.0, 1.0);
            let [ra, rb] = [a, b].map(|k| bodies.inner_radius(k));
            let distance = (apart + along * part).norm();
            if distance < ra.max(rb) {
                let overlap = (ra + rb - distance) / ra.min(rb);
                let [a, b] = [a, b].map(|body| world.name(body));
                return Err(StepError::Swallowed { a, b, step: world.clock.step, overlap });
            }
        }
    }
    Ok(())
}

/// Refuses a world in which the centre of a grain lies in another one. At that depth no law of a contact holds: its
/// normal turns round as the centres pass each other, and then it pushes them through.
pub(crate) fn check_depth<D: Dim>(
    world: &World<D>,
    contacts: impl Iterator<Item = ([usize; 2], f64)>,
) -> Result<(), StepError> {
    for ([a, b], overlap) in contacts {
        if a >= world.setup.walls.len() && overlap >= 1.0 {
            let [a, b] = [a, b].map(|body| world.name(body));
            return Err(StepError::Swallowed { a, b, step: world.clock.step, overlap });
        }
    }
    Ok(())
}
