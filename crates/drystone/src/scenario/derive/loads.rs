//! What presses grains together: weight, walls, loads on grains, impacts.

use crate::dim::{D2, Dim, Vector};
use crate::drive::Drive;
use crate::method::md;
use crate::scenario::Scenario;
use crate::wall::Surface;
use crate::world::World;

/// Something that presses grains together.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Load {
    /// A pressure [Pa]: a grain of radius r carries p (2 r)^(D-1), in the plane times the depth.
    Pressure(f64),
    /// A force on a single grain [N].
    Force(f64),
    /// Grains that meet with this speed [m/s].
    Impact(f64),
}

/// A load and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct NamedLoad {
    pub load: Load,
    /// For messages.
    pub what: String,
}

/// All loads of a scenario, those of its stages too.
pub(super) fn loads<D: Dim>(scenario: &Scenario<D>, world: &World<D>) -> Vec<NamedLoad> {
    let gravities = gravities(scenario);
    let mut found: Vec<NamedLoad> = gravities.iter().map(|gravity| weight(world, *gravity)).collect();
    found.extend(of_walls(scenario, world));
    found.extend(world.setup.loads.iter().filter_map(|load| {
        let force = load.force.as_ref()?.largest();
        Some(NamedLoad { load: Load::Force(force), what: format!("the load of {force:.3e} N") })
    }));
    for drive in
        scenario.cell.iter().map(|cell| &*cell.drive).chain(scenario.stage.iter().filter_map(|s| s.cell.as_ref()))
    {
        let Some(stress) = &drive.stress else { continue };
        let largest = (0..D::DIMENSION).map(|axis| stress.normal.0.get(axis).abs()).fold(0.0, f64::max);
        found.push(pressure(largest, "the stress of the cell"));
    }
    found.push(impact(scenario, world, &gravities));
    let is_something = |named: &NamedLoad| match named.load {
        Load::Pressure(size) | Load::Force(size) | Load::Impact(size) => size > 0.0,
    };
    found.retain(is_something);
    found
}

/// Gravity at the start and in the stages that change it.
fn gravities<D: Dim>(scenario: &Scenario<D>) -> Vec<D::Vec> {
    let changed = (0..scenario.stage.len()).filter(|stage| scenario.stage[*stage].set.is_some());
    let mut all = vec![scenario.gravity.0];
    all.extend(changed.map(|stage| scenario.at_stage(stage).gravity.0));
    all
}

/// Weight of all free grains over the area of their shadow along gravity.
fn weight<D: Dim>(world: &World<D>, gravity: D::Vec) -> NamedLoad {
    let mass: f64 = world.free_grains().map(|k| world.bodies.inertia[k].mass()).sum();
    let size = gravity.norm();
    let shadow = if size > 0.0 { shadow(world, gravity * (1.0 / size)) } else { f64::INFINITY };
    pressure(mass * size / shadow, "the weight of all grains over their shadow")
}

/// Area of the shadow of all free grains along a direction: the product of their extents across it. Along an axis that
/// repeats, the cell is the extent.
fn shadow<D: Dim>(world: &World<D>, along: D::Vec) -> f64 {
    let bodies = &world.bodies;
    let extent = |across: D::Vec| {
        let (low, high) = world.free_grains().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), k| {
            let (at, radius) = (bodies.pose[k].x.dot(across), bodies.shape[k].radius());
            (low.min(at - radius), high.max(at + radius))
        });
        let axis = (0..D::DIMENSION).find(|axis| across.get(*axis).abs() > 1.0 - 1e-12);
        let cell = world.cell.as_ref().zip(axis).filter(|(cell, axis)| cell.is_periodic[*axis]);
        cell.map_or(high - low, |(cell, axis)| cell.lengths.get(axis))
    };
    D::tangents(along).into_iter().map(extent).product::<f64>() * depth(world)
}

/// Length of bodies in the third direction, and 1 in space.
pub(super) fn depth<D: Dim>(world: &World<D>) -> f64 {
    if D::DIMENSION == D2::DIMENSION { world.setup.depth } else { 1.0 }
}

fn pressure(size: f64, what: &str) -> NamedLoad {
    NamedLoad { load: Load::Pressure(size), what: format!("{what} ({size:.3e} Pa)") }
}

/// Pressures and forces that walls exert; a force is spread over the shadow of the grains along the wall's normal.
fn of_walls<D: Dim>(scenario: &Scenario<D>, world: &World<D>) -> Vec<NamedLoad> {
    drives(scenario)
        .filter_map(|(name, drive)| {
            let what = format!("the wall \"{name}\"");
            match drive {
                Drive::Pressure(press) => Some(pressure(press.value.largest(), &what)),
                Drive::Membrane(signal) => Some(pressure(signal.largest(), &what)),
                Drive::Force(signal) => {
                    let wall = scenario.wall.iter().find(|wall| wall.name.value == name)?;
                    let Surface::Plane(plane) = &*wall.surface else { return None };
                    Some(pressure(signal.largest() / shadow(world, plane.normal.0), &what))
                }
                _ => None,
            }
        })
        .collect()
}

/// Drives of all walls, those of stages too, with the names of their walls.
fn drives<D: Dim>(scenario: &Scenario<D>) -> impl Iterator<Item = (&str, &Drive<D>)> {
    let staged = scenario.stage.iter().flat_map(|stage| &stage.drive.0);
    let first = scenario.wall.iter().map(|wall| (wall.name.as_str(), &wall.drive));
    first.chain(staged.map(|(name, drive)| (name.as_str(), drive)))
}

/// The fastest impact: twice the fastest grain at the start, relative to the flow of the cell, or twice the fastest
/// wall, and the fall through all grains. Neighbours in a cell that is sheared or shrinks meet with its rate times their
/// diameter.
fn impact<D: Dim>(scenario: &Scenario<D>, world: &World<D>, gravities: &[D::Vec]) -> NamedLoad {
    let bodies = &world.bodies;
    let flow = |x: D::Vec| world.cell.as_ref().map_or(D::Vec::ZERO, |cell| cell.flow(x));
    let thermal = world.free_grains().map(|k| (bodies.twist[k].v - flow(bodies.pose[k].x)).norm());
    let walls = drives(scenario).map(|(_, drive)| drive.fastest());
    let fastest = thermal.chain(walls).fold(0.0, f64::max);
    let fall = gravities.iter().map(|gravity| md::falling_speed(world, *gravity)).fold(0.0, f64::max);
    let growth = scenario.stage.iter().filter_map(|stage| Some(*stage.grow.as_ref()?.rate)).fold(0.0, f64::max);
    let of_cell = world.cell.as_ref().map_or(0.0, |cell| {
        let strain = cell.axes().map(|axis| (cell.stretching.get(axis) / cell.lengths.get(axis)).abs());
        strain.fold(cell.rate.abs(), f64::max)
    });
    let diameter = 2.0 * world.free_grains().map(|k| bodies.inner_radius(k)).fold(0.0, f64::max);
    let speed = 2.0 * fastest + fall + (growth + of_cell) * diameter;
    NamedLoad { load: Load::Impact(speed), what: format!("impacts with {speed:.3e} m/s") }
}
