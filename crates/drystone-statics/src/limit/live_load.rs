//! The live load: which forces grow until something falls.

use drystone::dim::{Dim, Vector};
use drystone::world::World;

/// A load that is multiplied by a factor.
#[derive(Clone, Debug, PartialEq)]
pub enum LiveLoad {
    /// The weight of every grain, along an axis: the factor is a part of gravity.
    Gravity(LoadAxis),
    /// A force on a piston along its normal: the factor is its size in N.
    Piston {
        /// Name of the wall.
        wall: String,
    },
    /// A force on one grain at its centre of mass: the factor is its size in N.
    Grain {
        /// Name or id.
        grain: String,
        /// Its direction.
        axis: LoadAxis,
    },
    /// The force of a support, which is let go along an axis: the factor is its size in N.
    Support {
        /// Name of a wall or a fixed grain, or its id.
        support: String,
        /// The direction of the force.
        axis: LoadAxis,
    },
    /// The loads that the scenario puts on one grain: the factor multiplies them.
    Scenario {
        /// Name or id.
        grain: String,
    },
}

/// An axis with a sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadAxis {
    /// 0, 1 or 2.
    pub axis: usize,
    /// 1 or -1.
    pub sign: f64,
}

/// Force and torque on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AppliedLoad<D: Dim> {
    /// Force [N].
    pub force: D::Vec,
    /// Torque [N m].
    pub torque: D::Spin,
}

/// The loads on all bodies: those that stay, and those that grow.
pub struct Loads<D: Dim> {
    /// Loads that stay, by body.
    pub dead: Vec<AppliedLoad<D>>,
    /// Loads that grow, at a factor of one.
    pub live: Vec<AppliedLoad<D>>,
}

/// What users may write.
pub const FORMS: &str =
    "gravity.x, gravity.-x, wall.<name>.force, grain.<name>.force.x, load.<grain> or support.<name>.x";

impl LiveLoad {
    /// Reads a live load as users write it: see [`FORMS`].
    pub fn parse(text: &str) -> Result<LiveLoad, String> {
        let unknown = || Err(format!("`{text}` is no load: write {FORMS}"));
        let Some((kind, rest)) = text.split_once('.') else { return unknown() };
        if rest.is_empty() {
            return unknown();
        }
        match kind {
            "gravity" => LoadAxis::parse(rest).map(LiveLoad::Gravity),
            "wall" => match rest.rsplit_once('.') {
                Some((wall, "force")) => Ok(LiveLoad::Piston { wall: wall.into() }),
                _ => Err(format!("`{text}`: the force on a piston is written wall.<name>.force, along its normal")),
            },
            "grain" => match rest.rsplit_once(".force.") {
                Some((grain, axis)) => Ok(LiveLoad::Grain { grain: grain.into(), axis: LoadAxis::parse(axis)? }),
                None => Err(format!("`{text}`: a force on a grain is written grain.<name>.force.x")),
            },
            "load" => Ok(LiveLoad::Scenario { grain: rest.into() }),
            "support" => match rest.rsplit_once('.') {
                Some((support, axis)) => {
                    Ok(LiveLoad::Support { support: support.into(), axis: LoadAxis::parse(axis)? })
                }
                None => Err(format!(
                    "`{text}`: the force of a support is written support.<name>.x; a support that has moved is another \
                     geometry, for a run with drive = {{ velocity = .. }} as in scenarios/arch_spreading_supports.toml"
                )),
            },
            _ => unknown(),
        }
    }

    /// What a factor of one is, in words.
    pub fn unit(&self) -> &'static str {
        match self {
            LiveLoad::Gravity(_) => "of gravity",
            LiveLoad::Piston { .. } | LiveLoad::Grain { .. } | LiveLoad::Support { .. } => "N",
            LiveLoad::Scenario { .. } => "of the load",
        }
    }

    /// The loads on all bodies of a world.
    pub fn loads<D: Dim>(&self, world: &mut World<D>) -> Result<Loads<D>, String> {
        world.find_loads(0.0);
        let mut loads = Loads { dead: vec![AppliedLoad::default(); world.bodies.len()], live: Vec::new() };
        loads.live.clone_from(&loads.dead);
        for body in world.movable().collect::<Vec<_>>() {
            loads.dead[body] = dead_load(world, body);
        }
        match self {
            LiveLoad::Gravity(axis) => {
                let size = world.gravity.norm();
                if size == 0.0 {
                    return Err("there is no gravity to take a part of: its three components are zero".into());
                }
                let direction = axis.vector::<D>()?;
                for body in world.movable().collect::<Vec<_>>() {
                    loads.live[body].force =
                        along_piston(world, body, direction * size) * world.bodies.inertia[body].mass();
                }
            }
            LiveLoad::Piston { wall } => {
                let number = wall_number(world, wall)?;
                let axis = world.wall_axis(number).filter(|_| world.bodies.inertia[number].is_movable());
                let Some(axis) = axis else {
                    return Err(format!(
                        "no force moves the wall `{wall}`: a piston is a plane with a mass and drive = {{ force = .. }}"
                    ));
                };
                loads.live[number].force = axis;
            }
            LiveLoad::Grain { grain, axis } => {
                let body = free_grain(world, grain)?;
                loads.live[body].force = axis.vector::<D>()?;
            }
            LiveLoad::Support { .. } => {
                if let Some((body, axis)) = self.released(world)? {
                    loads.live[body].force = axis;
                }
            }
            LiveLoad::Scenario { grain } => {
                let body = free_grain(world, grain)?;
                let (id, now) = (world.bodies.id[body], world.clock.time);
                let own: Vec<_> = world.setup.loads.iter().filter(|load| load.grain == id).collect();
                if own.is_empty() {
                    return Err(format!("the scenario puts no [[load]] on the grain `{grain}`"));
                }
                for (force, torque) in own.iter().map(|load| load.mean(now, now)) {
                    let (dead, live) = (&mut loads.dead[body], &mut loads.live[body]);
                    (live.force, live.torque) = (live.force + force, live.torque + torque);
                    (dead.force, dead.torque) = (dead.force - force, dead.torque - torque);
                }
            }
        }
        let none = |load: &AppliedLoad<D>| load.force == D::Vec::ZERO && load.torque == D::Spin::ZERO;
        match loads.live.iter().all(none) {
            true => Err("the live load is zero at the start: it has no limit".into()),
            false => Ok(loads),
        }
    }
}

impl LiveLoad {
    /// The support that is let go, and along which axis.
    pub fn released<D: Dim>(&self, world: &World<D>) -> Result<Option<(usize, D::Vec)>, String> {
        let LiveLoad::Support { support, axis } = self else { return Ok(None) };
        let named = world.body_of_name(support).or_else(|| wall_number(world, support).ok());
        let body = named.or_else(|| support.parse().ok().and_then(|id| world.body_of(id)));
        let Some(body) = body else {
            let walls: Vec<&str> = world.setup.walls.iter().map(|wall| wall.name.as_str()).collect();
            return Err(format!(
                "there is no support `{support}`: write the name of a wall ({}) or of a fixed grain",
                walls.join(", ")
            ));
        };
        match world.bodies.inertia[body].is_movable() {
            true => Err(format!("`{support}` is free to move: a support is a wall, or a grain with fixed = true")),
            false => Ok(Some((body, axis.vector::<D>()?))),
        }
    }
}

/// Gravity, membranes and what the scenario loads; on a piston gravity and its force, along its axis.
fn dead_load<D: Dim>(world: &World<D>, body: usize) -> AppliedLoad<D> {
    let (mass, now) = (world.bodies.inertia[body].mass(), world.clock.time);
    if body < world.setup.walls.len() {
        let force = along_piston(world, body, world.gravity) * mass;
        let axis = world.wall_axis(body).unwrap_or(D::Vec::ZERO);
        let press = world.piston_force(body, now, now).unwrap_or(0.0);
        return AppliedLoad { force: force + axis * press, torque: D::Spin::ZERO };
    }
    let torque = world.scratch.loads.get(body).map_or(D::Spin::ZERO, |load| load.w);
    AppliedLoad { force: world.pull(body) * mass, torque }
}

/// The part of an acceleration that a body can follow: of a piston that along its axis.
fn along_piston<D: Dim>(world: &World<D>, body: usize, acceleration: D::Vec) -> D::Vec {
    match (body < world.setup.walls.len()).then(|| world.wall_axis(body)).flatten() {
        Some(axis) => axis * axis.dot(acceleration),
        None => acceleration,
    }
}

fn wall_number<D: Dim>(world: &World<D>, name: &str) -> Result<usize, String> {
    let walls = &world.setup.walls;
    walls.iter().position(|wall| wall.name == name).ok_or_else(|| {
        let names: Vec<&str> = walls.iter().map(|wall| wall.name.as_str()).collect();
        match names.is_empty() {
            true => format!("there is no wall `{name}`: the scenario has none"),
            false => format!("there is no wall `{name}`; walls: {}", names.join(", ")),
        }
    })
}

/// A grain that can be moved, by its name or its id.
fn free_grain<D: Dim>(world: &World<D>, name: &str) -> Result<usize, String> {
    let by_id = || name.parse().ok().and_then(|id| world.body_of(id));
    let Some(body) = world.body_of_name(name).filter(|body| *body >= world.setup.walls.len()).or_else(by_id) else {
        return Err(format!("there is no grain `{name}`: write the name of a group of one grain, or an id"));
    };
    match world.bodies.inertia[body].is_movable() {
        true => Ok(body),
        false => Err(format!("the grain `{name}` is fixed: no load moves it")),
    }
}

impl LoadAxis {
    fn parse(text: &str) -> Result<LoadAxis, String> {
        let (sign, name) = text.strip_prefix('-').map_or((1.0, text), |name| (-1.0, name));
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == name);
        axis.map(|axis| LoadAxis { axis, sign })
            .ok_or_else(|| format!("`{text}` is no axis: write x, y, z, -x, -y or -z"))
    }

    fn vector<D: Dim>(self) -> Result<D::Vec, String> {
        if self.axis >= D::DIMENSION {
            return Err("a scenario in the plane has the axes x and y".into());
        }
        Ok(D::Vec::from_fn(|axis| if axis == self.axis { self.sign } else { 0.0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_read_and_others_are_refused_with_advice() {
        let axis = LoadAxis { axis: 0, sign: -1.0 };
        assert_eq!(LiveLoad::parse("gravity.-x"), Ok(LiveLoad::Gravity(axis)));
        assert_eq!(LiveLoad::parse("wall.top.lid.force"), Ok(LiveLoad::Piston { wall: "top.lid".into() }));
        assert_eq!(LiveLoad::parse("grain.key.force.-x"), Ok(LiveLoad::Grain { grain: "key".into(), axis }));
        assert_eq!(LiveLoad::parse("load.7"), Ok(LiveLoad::Scenario { grain: "7".into() }));
        assert_eq!(LiveLoad::parse("support.left.-x"), Ok(LiveLoad::Support { support: "left".into(), axis }));
        for (text, says) in [
            ("gravity", "write gravity.x"),
            ("gravity.w", "is no axis"),
            ("wall.top.force.x", "along its normal"),
            ("support.left", "another geometry"),
            ("grain.key", "grain.<name>.force.x"),
        ] {
            let refusal = LiveLoad::parse(text).unwrap_err();
            assert!(refusal.contains(says), "{text}: {refusal}");
        }
    }
}
