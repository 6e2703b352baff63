//! What a scenario knows of a run that its frames do not hold: names, on which side walls are solid, rods and springs.

use std::path::Path;

use drystone::dim::{D2, D3, Dim, Vector, in_space};
use drystone::link::{Anchor, Constraint, ConstraintEquation};
use drystone::record::frame::Frame;
use drystone::scenario::{AnyScenario, Scenario};
use drystone::wall::{Surface, WallPose};
use drystone::world::World;

/// What pictures take from a scenario.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    /// Depth of a 2D run [m].
    pub depth: f64,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Names of the walls.
    pub walls: Vec<String>,
    /// Whether stones are built into arches, walls or towers.
    pub is_masonry: bool,
    /// Rods, joints and springs.
    pub links: Vec<Link>,
    /// Walls of the plane where they stood at the start.
    pub(super) surfaces: Vec<Surface<D2>>,
}

/// A rod, joint, guide or spring.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link {
    /// What it is.
    pub kind: LinkKind,
    /// Its ends.
    pub ends: [LinkEnd; 2],
}

/// What a link is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LinkKind {
    /// Two points keep their distance.
    Rod,
    /// Two points are one.
    Joint,
    /// A point stays on a line in this direction.
    Guide([f64; 3]),
    /// Elastic.
    Spring,
}

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LinkEnd {
    /// A fixed point [m].
    Fixed([f64; 3]),
    /// A point of a grain: its id, and from its centre to the point when it is not turned [m].
    Grain(u32, [f64; 3]),
}

impl Scene {
    /// What a scenario knows, whose file paths are relative to a folder.
    pub(crate) fn of(scenario: &AnyScenario, folder: &Path) -> Scene {
        let setting = scenario.setting();
        let (surfaces, is_masonry, links) = match scenario {
            AnyScenario::Plane(scenario) => {
                let surfaces = scenario.wall.iter().map(|wall| wall.surface.0.clone()).collect();
                (surfaces, !scenario.build.is_empty(), links::<D2>(scenario, folder))
            }
            AnyScenario::Space(scenario) => (Vec::new(), !scenario.build.is_empty(), links::<D3>(scenario, folder)),
        };
        Scene { depth: setting.depth, materials: setting.materials, walls: setting.walls, is_masonry, links, surfaces }
    }

    /// Unit vector from a straight piece of a wall of the plane into the solid; `None` for a thin wall, and for the bumps of
    /// a rough one, as the plane behind them has its own.
    pub(super) fn solid_side(&self, frame: &Frame, wall: u32, [a, b]: [[f64; 3]; 2]) -> Option<[f64; 2]> {
        let surface = self.surfaces.get(wall as usize)?;
        let moved = frame.wall_states.displacement.get(wall as usize).copied().unwrap_or_default();
        let vector = |x: [f64; 3]| <D2 as Dim>::Vec::from_fn(|axis| x[axis]);
        let pose = WallPose::<D2> { x: vector(moved), q: D2::rot_of([0.0, 0.0, 0.0, 1.0]) };
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        let middle = vector(std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis])));
        if let Surface::Plane(plane) = surface {
            let into = -plane.normal.0;
            let is_bump = (middle - pose.x - plane.point.0).dot(into).abs() > 1e-6 * length;
            return (!is_bump).then(|| [into.get(0), into.get(1)]);
        }
        let normal = [(b[1] - a[1]) / length, (a[0] - b[0]) / length, 0.0];
        let is_solid = |step: f64| {
            let beside = std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]) + step * normal[axis]);
            let mut found = false;
            surface.near(pose, vector(beside), 2.0 * step.abs(), &mut |_, _, distance| found |= distance < 0.0);
            found
        };
        // far enough to get past a chord to its arc, and near enough to stay in a thin slab
        let steps = [0.05, 0.01, 0.002].map(|part| part * length);
        let side = |step: f64| match [is_solid(step), is_solid(-step)] {
            [true, false] => Some([normal[0], normal[1]]),
            [false, true] => Some([-normal[0], -normal[1]]),
            _ => None,
        };
        steps.into_iter().find_map(side)
    }
}

/// The links of a scenario, which the world at its start knows.
fn links<D: Dim>(scenario: &Scenario<D>, folder: &Path) -> Vec<Link> {
    if scenario.constraint.is_empty() && scenario.spring.is_empty() {
        return Vec::new();
    }
    let Ok(world) = scenario.build(folder) else {
        eprintln!("note: rods and springs are left out, as the scenario cannot be built here");
        return Vec::new();
    };
    let constraints =
        world.setup.links.constraints.iter().map(|constraint| Link {
            kind: kind(constraint),
            ends: constraint.between.map(|anchor| end(&world, anchor)),
        });
    let springs = world
        .setup
        .links
        .springs
        .iter()
        .map(|spring| Link { kind: LinkKind::Spring, ends: spring.between.map(|anchor| end(&world, anchor)) });
    constraints.chain(springs).collect()
}

fn end<D: Dim>(world: &World<D>, anchor: Anchor<D>) -> LinkEnd {
    match anchor {
        Anchor::Fixed(place) => LinkEnd::Fixed(in_space(place)),
        Anchor::Body { body, arm } => LinkEnd::Grain(world.bodies.id[body], in_space(arm)),
    }
}

/// What the equations of a constraint say: one length is a rod, one direction less than there are axes a guide.
fn kind<D: Dim>(constraint: &Constraint<D>) -> LinkKind {
    let across: Vec<[f64; 3]> = constraint
        .forms
        .iter()
        .filter_map(|form| match form {
            ConstraintEquation::Along(axis) => Some(in_space(*axis)),
            ConstraintEquation::Length(_) => None,
        })
        .collect();
    match across[..] {
        _ if across.len() < constraint.forms.len() => LinkKind::Rod,
        [[x, y, _]] => LinkKind::Guide([y, -x, 0.0]),
        [[a, b, c], [x, y, z]] if D::DIMENSION == 3 => LinkKind::Guide([b * z - c * y, c * x - a * z, a * y - b * x]),
        _ => LinkKind::Joint,
    }
}

impl LinkEnd {
    /// Where the end is in a frame; `None` if its grain is not there.
    pub(super) fn place(&self, frame: &Frame) -> Option<[f64; 3]> {
        match *self {
            LinkEnd::Fixed(place) => Some(place),
            LinkEnd::Grain(id, arm) => {
                let row = frame.grains.id.iter().position(|other| *other == id)?;
                let [x, y, z, w] = frame.grains.orientation[row];
                let turned = drystone::dim::D3::rotation(D3::rot_of([x, y, z, w]))(<D3 as Dim>::Vec::from_array(arm));
                Some(std::array::from_fn(|axis| frame.grains.position[row][axis] + turned.get(axis)))
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use drystone::input::Reader;

    /// The scene of a scenario with one material of the plane and what else is written.
    pub(crate) fn scene(text: &str) -> Scene {
        let head = "dimension = 2\ngravity = [0, 0]\n[[material]]\nname = \"m\"\ndensity = 1\n\
                    [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0\n\
                    [[grains]]\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 1 }\n\
                    place = { how = \"square\", min = [10, 10], max = [12, 12] }\n";
        let method = "[method.cd]\ntime_step = 0.1\naccuracy = \"standard\"\n[stop]\nat = 1\n";
        let text = format!("{head}{text}\n{method}");
        let scenario = AnyScenario::parse("scene", &text, &[], Reader::new(".".into()));
        Scene::of(&scenario.unwrap_or_else(|mistakes| panic!("{mistakes:?}")), Path::new("."))
    }

    fn side(wall: &str, ends: [[f64; 2]; 2]) -> Option<[f64; 2]> {
        let scene = scene(&format!("[[wall]]\nname = \"w\"\nmaterial = \"m\"\n{wall}"));
        scene.solid_side(&Frame::default(), 0, ends.map(|[x, y]| [x, y, 0.0]))
    }

    #[test]
    fn walls_are_solid_where_grains_cannot_be() {
        let floor = "kind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]";
        assert_eq!(side(floor, [[-1.0, 0.0], [1.0, 0.0]]), Some([0.0, -1.0]));
        assert_eq!(side(floor, [[1.0, 0.0], [-1.0, 0.0]]), Some([0.0, -1.0]));
        let rough = "kind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nrough = { radius = 0.5, spacing = 1 }";
        assert_eq!(side(rough, [[-1.0, 0.0], [1.0, 0.0]]), Some([0.0, -1.0]));
        assert_eq!(side(rough, [[-0.1, 0.3], [0.1, 0.3]]), None);
        let room = "kind = \"box\"\nmin = [0, 0]\nmax = [2, 1]";
        assert_eq!(side(room, [[0.0, 1.0], [2.0, 1.0]]), Some([0.0, 1.0]));
        let stone = "kind = \"polygon\"\nvertices = [[0, 0], [2, 0], [2, 0.01], [0, 0.01]]";
        assert_eq!(side(stone, [[0.0, 0.0], [2.0, 0.0]]), Some([0.0, 1.0]));
        let shelf = "kind = \"line\"\npoints = [[0, 0], [2, 0]]";
        assert_eq!(side(shelf, [[0.0, 0.0], [2.0, 0.0]]), None);
        for (inside, sign) in [(true, 1.0), (false, -1.0)] {
            let side_of = if inside { "inside" } else { "outside" };
            let drum = format!("kind = \"cylinder\"\ncentre = [0, 0]\nradius = 1\ngrains = \"{side_of}\"");
            let (cos, sin) = (0.1_f64.cos(), 0.1_f64.sin());
            let [x, _] = side(&drum, [[cos, -sin], [cos, sin]]).unwrap();
            assert_eq!(x, sign, "{side_of}");
        }
    }
}
