//! What the resolved `scenario.toml` of a run says, read as plain TOML.

use std::io;
use std::path::Path;

use toml::{Table, Value};

use super::bumps::Bumps;
use super::kinds;
use super::lattice::Repeats;
use super::limits::Limits;
use super::pair::Law;
use super::space::{Vec3, dot, norm, scale, sub};
use super::thin::Thin;
use drystone_files::record::npz::invalid;

/// How positions follow from velocities, and where contacts are sensed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// x+ = x + v+ dt; contacts are found at x, gaps that close within the step count. [Brendel eq. 1.22, 1.23]
    Euler,
    /// x+ = x + (v + v+) dt / 2; contacts are found at x + v dt / 2, only closed ones count.
    /// [Radjai and Richefeu eq. 42 to 46]
    Midpoint,
    /// Soft grains: forces act at instants, and contacts are those of the end of the step.
    Soft,
    /// Hard grains fly freely between collisions, and touch nothing.
    Flight,
}

impl Scheme {
    /// Part of the step between the position where contacts are sensed and its end.
    pub(crate) fn behind(self) -> f64 {
        match self {
            Scheme::Euler => 1.0,
            Scheme::Midpoint => 0.5,
            Scheme::Soft | Scheme::Flight => 0.0,
        }
    }
}

/// A face of a wall, where the wall stood at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Face {
    /// A plane.
    Flat {
        /// A point of it [m].
        point: Vec3,
        /// Unit normal to the free side.
        normal: Vec3,
    },
    /// A cylinder about an axis through a point, with grains inside (sign -1) or outside (sign 1).
    Round {
        /// A point of its axis [m].
        point: Vec3,
        /// Unit vector along its axis.
        axis: Vec3,
        /// Radius [m].
        radius: f64,
        /// Sign of the normal: away from the axis, or towards it.
        sign: f64,
    },
}

impl Face {
    /// Normal to the free side below a point, and how high the point lies above the face [m].
    pub(crate) fn below(&self, x: Vec3) -> (Vec3, f64) {
        match *self {
            Face::Flat { point, normal } => (normal, dot(sub(x, point), normal)),
            Face::Round { point, axis, radius, sign } => {
                let from = sub(x, point);
                let across = sub(from, scale(axis, dot(from, axis)));
                (scale(across, sign / norm(across)), sign * (norm(across) - radius))
            }
        }
    }

    /// From the axis about which it can spin to the surface, along the normal [m].
    pub(crate) fn lever(&self) -> f64 {
        match *self {
            Face::Flat { .. } => 0.0,
            Face::Round { radius, sign, .. } => sign * radius,
        }
    }

    /// Largest distance of its coordinates from the origin [m], which sets their rounding.
    pub(crate) fn extent(&self) -> f64 {
        match *self {
            Face::Flat { point, .. } => norm(point),
            Face::Round { point, radius, .. } => norm(point) + radius,
        }
    }
}

/// A wall.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    /// Its name.
    pub name: String,
    /// Number of its material.
    pub material: usize,
    /// Its faces; `None` for a kind whose geometry is not supported.
    pub faces: Option<Vec<Face>>,
    /// Its geometry, if it has no thickness and is supported.
    pub thin: Option<Thin>,
    /// Whether its contacts may lie anywhere about the axis about which it can spin.
    pub is_aside: bool,
    /// What is not supported of it: its kind, or a key.
    pub strange: Option<String>,
}

impl Wall {
    /// The bumps of a rough plane.
    pub(crate) fn bumps(&self) -> Option<&Bumps> {
        match &self.thin {
            Some(Thin::Bumps(bumps)) => Some(bumps),
            _ => None,
        }
    }

    /// Whether everything of it that a grain can touch is supported.
    pub(crate) fn is_known(&self) -> bool {
        self.faces.is_some() || self.bumps().is_some()
    }

    /// What cannot be judged of the wall, in words: what is not supported, or else the words for walls that are not
    /// judged.
    pub(crate) fn unjudged<'w>(&'w self, otherwise: &'w str) -> &'w str {
        self.strange.as_deref().unwrap_or(otherwise)
    }

    /// Unit vector along which it moves as a piston, if it is a plane.
    pub(crate) fn axis(&self) -> Option<Vec3> {
        match self.faces.as_deref() {
            Some([Face::Flat { normal, .. }]) => Some(*normal),
            _ => self.bumps().map(|bumps| bumps.normal),
        }
    }
}

/// The scenario of a run.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// 2 or 3.
    pub dimension: usize,
    /// Acceleration of gravity [m/s2].
    pub gravity: Vec3,
    /// Whether the ground tilts, and gravity is that of level ground.
    pub tilts: bool,
    /// Length of a step [s].
    pub time_step: f64,
    /// What a step must reach.
    pub limits: Limits,
    /// Whether the residual that frames state is eps_nat, and not a change of forces.
    pub states_residual: bool,
    /// Whether the number of sweeps is fixed, and the limits have no meaning.
    pub fixed_sweeps: bool,
    /// Length of 2D bodies in the third direction [m]; `None` in space.
    pub depth: Option<f64>,
    /// Whether there may be grains that do not turn; frames say which.
    pub has_blocks: bool,
    /// Time-stepping scheme.
    pub scheme: Scheme,
    /// The walls.
    pub walls: Vec<Wall>,
    /// Whether each wall is a piston either always or never.
    pub pistons_stay: bool,
    /// Whether a membrane presses on grains, at times.
    pub has_membrane: bool,
    /// Whether single grains have loads.
    pub has_loads: bool,
    /// Whether stages change gravity, laws or parameters.
    pub alters: bool,
    /// Whether grains come, grow or are taken away during the run.
    pub grains_vary: bool,
    /// Whether grains grow in some stage.
    pub grows: bool,
    /// Relative growth rate of the radii of grains that can move, in this stage [1/s]; zero if they keep their size.
    pub growth: f64,
    /// Whether the run starts with the grains of another, whose contacts are remembered before anything acts.
    pub is_continued: bool,
    /// The periodic cell, if there is one.
    pub cell: Option<Repeats>,
    materials: usize,
    /// Laws of all pairs of materials; `None` for pairs that never meet.
    laws: Vec<Option<Law>>,
    /// Laws that are not supported.
    pub unknown: Vec<String>,
    /// Words of the scenario that are not supported and may change anything.
    pub strangers: Vec<String>,
}

impl Scene {
    /// Reads the resolved scenario of a run.
    pub(crate) fn read(path: &Path) -> io::Result<Table> {
        let text = std::fs::read_to_string(path);
        text.and_then(|text| text.parse().map_err(|error: toml::de::Error| invalid(error.to_string())))
            .map_err(|error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display())))
    }

    /// The scene of a resolved scenario.
    pub(crate) fn of(root: &Table) -> Result<Scene, String> {
        let names = entries(root, "material").map(|entry| word(entry, "name")).collect::<Result<Vec<_>, _>>()?;
        let number_of = |name: &str| {
            names.iter().position(|known| *known == name).ok_or_else(|| format!("there is no material \"{name}\""))
        };
        let (mut laws, mut unknown) = (vec![None; names.len() * names.len()], Vec::new());
        for law in entries(root, "contact") {
            let pair = law.get("between").and_then(Value::as_array).map(Vec::as_slice);
            let Some([Value::String(a), Value::String(b)]) = pair else {
                return Err("a [[contact]] is not between two materials".into());
            };
            let (a, b) = (number_of(a)?, number_of(b)?);
            match Law::read(law) {
                Ok(law) => {
                    laws[a * names.len() + b] = Some(law.clone());
                    laws[b * names.len() + a] = Some(law);
                }
                Err(why) => unknown.push(why),
            }
        }
        let wall = |entry: &Table| {
            let strange = kinds::strange_wall(entry);
            Ok(Wall {
                name: word(entry, "name")?.to_string(),
                material: number_of(word(entry, "material")?)?,
                faces: if strange.is_none() { faces(entry)? } else { None },
                thin: if strange.is_none() { Thin::of(entry, root) } else { None },
                is_aside: matches!(word(entry, "kind")?, "mesh" | "revolution"),
                strange,
            })
        };
        let methods = table(root, "method")?;
        let chosen = methods.get("use").and_then(Value::as_str).unwrap_or("cd");
        let (is_soft, flies) = (chosen != "cd", chosen == "ed");
        let method = table(methods, chosen)?;
        Ok(Scene {
            dimension: number(root, "dimension")? as usize,
            gravity: vector(root, "gravity")?,
            tilts: root.get("tilt").is_some(),
            time_step: number(method, "time_step")?,
            limits: if is_soft { Limits::residual(0.0) } else { Limits::read(method)? },
            states_residual: method.get("criterion").is_none_or(|criterion| criterion.as_str() == Some("natural")),
            fixed_sweeps: method.contains_key("fixed_sweeps"),
            has_blocks: root.contains_key("start")
                || entries(root, "grains").any(|g| g.get("rotates").and_then(Value::as_bool) == Some(false)),
            depth: if number(root, "dimension")? == 2.0 { Some(number(root, "depth")?) } else { None },
            scheme: match method.get("scheme").map(|scheme| scheme.as_str()) {
                _ if flies => Scheme::Flight,
                _ if is_soft => Scheme::Soft,
                None | Some(Some("euler")) => Scheme::Euler,
                Some(Some("midpoint")) => Scheme::Midpoint,
                other => return Err(format!("the scheme {other:?} is not known")),
            },
            walls: entries(root, "wall").map(wall).collect::<Result<_, String>>()?,
            pistons_stay: entries(root, "wall").all(|wall| stays(wall, root)),
            has_membrane: has_membrane(root),
            has_loads: root.contains_key("load"),
            alters: false,
            is_continued: root.contains_key("start"),
            grains_vary: entries(root, "grains").any(|group| group.contains_key("pour"))
                || entries(root, "stage").any(|stage| stage.contains_key("remove") || stage.contains_key("grow")),
            grows: entries(root, "stage").any(|stage| stage.contains_key("grow")),
            growth: 0.0,
            cell: root.get("cell").and_then(Value::as_table).map(|cell| repeats(cell, root)).transpose()?,
            materials: names.len(),
            laws,
            unknown,
            strangers: kinds::strangers(root),
        })
    }

    /// External loads on grains that are not known here, besides gravity: the reason why balances of single grains are
    /// not judged.
    pub(crate) fn outside(&self) -> Option<&'static str> {
        match () {
            _ if self.tilts => Some(kinds::TILTS),
            _ if self.has_membrane => Some(kinds::MEMBRANE),
            _ => self.has_loads.then_some(kinds::LOADS),
        }
    }

    /// The law between two materials, if it is supported.
    pub(crate) fn law(&self, a: usize, b: usize) -> Option<&Law> {
        let inside = a < self.materials && b < self.materials;
        if inside { self.laws[a * self.materials + b].as_ref() } else { None }
    }

    /// All laws that are supported.
    pub(crate) fn laws(&self) -> impl Iterator<Item = &Law> {
        self.laws.iter().flatten()
    }
}

/// The periodic cell of a scenario.
fn repeats(cell: &Table, root: &Table) -> Result<Repeats, String> {
    let axis = |name: &Value| match name.as_str() {
        Some("x") => Ok(0),
        Some("y") => Ok(1),
        Some("z") => Ok(2),
        _ => Err(format!("{name} is no axis")),
    };
    let mut axes = [false; 3];
    for name in cell.get("periodic").and_then(Value::as_array).into_iter().flatten() {
        axes[axis(name)?] = true;
    }
    let shear = |shear: &Table| {
        let of = |key: &str| shear.get(key).ok_or(format!("a shear has no `{key}`")).and_then(axis);
        let rate = if shear.contains_key("rate") { number(shear, "rate")? } else { 0.0 };
        Ok::<_, String>((of("along")?, of("across")?, rate))
    };
    Ok(Repeats {
        corners: [vector(cell, "min")?, vector(cell, "max")?],
        axes,
        shear: cell.get("shear").and_then(Value::as_table).map(shear).transpose()?,
        is_stiff: !cell.contains_key("stress")
            && !cell.contains_key("stretch")
            && !entries(root, "stage").any(|stage| stage.contains_key("cell")),
    })
}

/// Whether a wall is a piston, driven by a force or pressure, in all stages or in none.
fn stays(wall: &Table, root: &Table) -> bool {
    let pushes =
        |drive: &Value| drive.as_table().is_some_and(|t| t.contains_key("force") || t.contains_key("pressure"));
    let mut now = wall.get("drive").is_some_and(pushes);
    let mut seen = Vec::new();
    for stage in entries(root, "stage") {
        let drives = stage.get("drive").and_then(Value::as_table);
        let name = wall.get("name").and_then(Value::as_str).unwrap_or_default();
        now = drives.and_then(|drives| drives.get(name)).map_or(now, pushes);
        seen.push(now);
    }
    seen.windows(2).all(|pair| pair[0] == pair[1])
}

/// Whether a wall is driven as a membrane, by itself or in a stage.
fn has_membrane(root: &Table) -> bool {
    let of_stages = entries(root, "stage").filter_map(|stage| stage.get("drive")?.as_table()).flat_map(Table::values);
    let drives = entries(root, "wall").filter_map(|wall| wall.get("drive")).chain(of_stages);
    drives.filter_map(Value::as_table).any(|drive| drive.contains_key("membrane"))
}

fn faces(wall: &Table) -> Result<Option<Vec<Face>>, String> {
    Ok(match word(wall, "kind")? {
        "plane" if !wall.contains_key("rough") => {
            let normal = vector(wall, "normal")?;
            Some(vec![Face::Flat { point: vector(wall, "point")?, normal: scale(normal, 1.0 / norm(normal)) }])
        }
        "box" => {
            let axes = wall.get("min").and_then(Value::as_array).map_or(0, Vec::len);
            let (min, max) = (vector(wall, "min")?, vector(wall, "max")?);
            let inward = |axis: usize, sign: f64| std::array::from_fn(|k| if k == axis { sign } else { 0.0 });
            let sides = |axis| {
                let (low, high) = (inward(axis, 1.0), inward(axis, -1.0));
                [Face::Flat { point: min, normal: low }, Face::Flat { point: max, normal: high }]
            };
            Some((0..axes).flat_map(sides).collect())
        }
        "cylinder" => {
            let axis = if wall.contains_key("axis") { vector(wall, "axis")? } else { [0.0, 0.0, 1.0] };
            Some(vec![Face::Round {
                point: vector(wall, "centre")?,
                axis: scale(axis, 1.0 / norm(axis)),
                radius: number(wall, "radius")?,
                sign: if word(wall, "grains")? == "inside" { -1.0 } else { 1.0 },
            }])
        }
        // thin ones are checked elsewhere, contacts of polygons are not judged
        "plane" | "polygon" | "line" | "revolution" | "mesh" => None,
        other => return Err(kinds::unknown("walls", other)),
    })
}

/// The tables of a list.
pub(crate) fn entries<'t>(table: &'t Table, key: &str) -> impl Iterator<Item = &'t Table> {
    table.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table)
}

fn table<'t>(root: &'t Table, key: &str) -> Result<&'t Table, String> {
    root.get(key).and_then(Value::as_table).ok_or_else(|| format!("`{key}` is missing"))
}

/// The text under a key.
pub(crate) fn word<'t>(table: &'t Table, key: &str) -> Result<&'t str, String> {
    table.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is not a text"))
}

/// A number, whole or not.
pub(crate) fn as_number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|number| number as f64))
}

/// The number under a key.
pub(crate) fn number(table: &Table, key: &str) -> Result<f64, String> {
    table.get(key).and_then(as_number).ok_or_else(|| format!("`{key}` is not a number"))
}

/// The vector under a key; one of the plane has no third component.
pub(crate) fn vector(table: &Table, key: &str) -> Result<Vec3, String> {
    let parts = table.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let numbers: Option<Vec<f64>> = parts.iter().map(as_number).collect();
    match numbers.as_deref() {
        Some([x, y]) => Ok([*x, *y, 0.0]),
        Some([x, y, z]) => Ok([*x, *y, *z]),
        _ => Err(format!("`{key}` is not a vector of SI numbers")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Scene, String> {
        Scene::of(&text.parse().unwrap())
    }

    const TEXT: &str = "
        dimension = 2
        depth = 0.5
        gravity = [0.0, -9.81]
        material = [{ name = \"sand\" }, { name = \"steel\" }]
        contact = [{ between = [\"sand\", \"sand\"], friction = 0.5 },
                   { between = [\"steel\", \"sand\"], friction = 0.3, glue = 0.9 }]
        wall = [{ name = \"floor\", material = \"steel\", kind = \"plane\", mass = 2.0, point = [0.0, 1.0], normal = [0.0, 2.0] },
                { name = \"box\", material = \"sand\", kind = \"box\", min = [0, 0], max = [1, 2] },
                { name = \"drum\", material = \"sand\", kind = \"mesh\" },
                { name = \"ring\", material = \"sand\", kind = \"torus\" }]
        method = { cd = { time_step = 1e-3, accuracy = \"forces\" } }";

    #[test]
    fn reads_what_the_second_path_needs() {
        let scene = parse(TEXT).unwrap();
        assert_eq!((scene.dimension, scene.gravity, scene.depth), (2, [0.0, -9.81, 0.0], Some(0.5)));
        assert_eq!((scene.limits.residual, scene.law(0, 0).unwrap().friction(0.0)), (1e-6, [0.5; 2]));
        assert_eq!((scene.law(0, 1), scene.unknown.as_slice()), (None, &["laws with `glue`".to_string()][..]));
        let below = scene.walls[0].faces.as_ref().unwrap()[0].below([5.0, 3.0, 0.0]);
        assert_eq!(below, ([0.0, 1.0, 0.0], 2.0));
        assert_eq!(scene.walls[1].faces.as_ref().unwrap().len(), 4);
        assert!(scene.walls[2].faces.is_none() && scene.walls[2].strange.is_none());
        assert_eq!(scene.walls[3].unjudged(""), "walls of the kind `torus`");
        assert_eq!(scene.strangers, Vec::<String>::new());
        let soft = TEXT.replace("cd = {", "use = \"md\", md = {").replace("accuracy = \"forces\"", "fraction = 0.02");
        assert_eq!(parse(&soft).unwrap().scheme, Scheme::Soft);
        let unknown = TEXT.replace("accuracy", "scheme = \"leapfrog\", accuracy");
        assert!(parse(&unknown).unwrap_err().contains("leapfrog"));
        assert!(parse(&TEXT.replace("\"forces\"", "\"great\"")).unwrap_err().contains("great"));
        let alone = parse(&TEXT.replace("\"forces\"", "{ residual = 1e-7 }")).unwrap().limits;
        assert_eq!((alone.residual, alone.force_error, alone.velocity_error), (1e-7, f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn a_wall_that_is_a_piston_for_a_while_is_noticed() {
        let stages = |first: &str, second: &str| {
            let stage = |drive: &str| format!("[[stage]]\ndrive = {{ {drive} }}\n");
            parse(&format!("{TEXT}\n{}{}", stage(first), stage(second))).unwrap().pistons_stay
        };
        assert!(parse(TEXT).unwrap().pistons_stay && stages("", "box = \"fixed\""));
        assert!(stages("floor = { force = 1.0 }", "box = \"fixed\""), "a drive stays until another comes");
        assert!(!stages("", "floor = { force = 1.0 }") && !stages("floor = { pressure = {} }", "floor = \"fixed\""));
    }
}
