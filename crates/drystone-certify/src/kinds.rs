//! The words of scenarios that the certificate supports: which it judges, and which it does not and why.
//!
//! A scenario may contain a word that is not here, because it was written by a later or modified version. Whatever
//! depends on such a word is not judged, and the certificate names it. A test of the simulator compares these lists
//! with its schema.

use toml::{Table, Value};

/// Words that may occur at a place of a scenario: keys of a table, or names to choose from.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The place: keys from the top, and names that choose an alternative.
    pub place: &'static str,
    /// Words whose meaning is judged, with spaces between them.
    pub judged: &'static str,
    /// Words whose meaning is not judged, and why.
    pub not_judged: &'static [(&'static str, &'static str)],
}

impl Words {
    const fn judged(place: &'static str, judged: &'static str) -> Words {
        Words { place, judged, not_judged: &[] }
    }

    /// Whether a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.all().any(|known| known == word)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        self.judged.split_whitespace().chain(self.not_judged.iter().map(|(word, _)| *word))
    }
}

/// Why contacts of soft grains are not judged.
pub const SOFT: &str = "soft grains: forces act at instants and follow from overlaps and memories";
/// Why collisions of hard grains are not judged.
pub const HARD: &str = "hard grains that collide: collisions take no time, and frames show what is between them";
/// Why balances are not judged in a membrane.
pub const MEMBRANE: &str = "samples in a membrane: frames do not tell its forces";
/// Why balances are not judged on ground that tilts.
pub const TILTS: &str = "ground that tilts: frames do not say how far";
/// Why balances are not judged where single grains have loads.
pub const LOADS: &str = "loads on single grains: frames do not tell their names";
/// Why forces and balances of grains that deform are not judged.
pub const DEFORMS: &str = "grains that deform: the certificate does not know their strains";
/// Why contacts of some walls are not judged.
pub const POLYGONS: &str = "walls that are polygons, and meshes that spin";

const AMOUNTS: &str = "ramp sine table";
const LEVERS: &str = "length ratio roughness hysteresis";

/// The vocabulary, place by place.
pub const VOCABULARY: &[Words] = &[
    Words {
        place: "",
        judged: "title drystone dimension seed parameters gravity depth cell material contact start grains build wall constraint \
                 spring stage stop method output",
        not_judged: &[("tilt", TILTS), ("load", LOADS)],
    },
    Words::judged("cell", "periodic min max shear stress stretch"),
    Words { place: "material", judged: "name density", not_judged: &[("elastic", DEFORMS)] },
    Words::judged("material.elastic", "young poisson retardation"),
    Words {
        place: "contact",
        judged: "between friction restitution rolling torsion cohesion",
        not_judged: &[("md", SOFT)],
    },
    Words::judged("contact.friction", "static dynamic decay"),
    Words::judged("contact.restitution", "normal tangential"),
    Words::judged("contact.restitution.normal", "below_yield yield_velocity exponent"),
    Words::judged("contact.rolling", LEVERS),
    Words::judged("contact.rolling.roughness", "amplitude loss"),
    Words::judged("contact.rolling.hysteresis", "loss modulus"),
    Words::judged("contact.torsion", LEVERS),
    Words::judged("contact.cohesion", "force energy range zero_range"),
    Words::judged(
        "grains",
        "name material shape count fraction place pour angle orientation velocity spin fixed rotates overlap",
    ),
    Words::judged(
        "grains.shape.kind",
        "disk sphere polygon rectangle regular_polygon random_polygon polyhedron box tetrahedron from_file \
                 random_polyhedron clump dimer tetramer capsule",
    ),
    Words::judged("grains.velocity", "thermal temperature"),
    Words::judged("grains.spin", "thermal temperature"),
    Words::judged("build.what", "arch wall stack tower dominoes cards dome"),
    Words::judged("wall", "name material drive mass"),
    Words {
        place: "wall.kind",
        judged: "plane box cylinder line revolution mesh",
        not_judged: &[("polygon", POLYGONS)],
    },
    Words::judged("wall.plane", "kind point normal rough"),
    Words::judged("wall.plane.rough", "radius spacing"),
    Words::judged("wall.box", "kind min max"),
    Words::judged("wall.polygon", "kind vertices"),
    Words::judged("wall.cylinder", "kind centre axis radius grains"),
    Words::judged("wall.cylinder.grains", "inside outside"),
    Words::judged("wall.line", "kind points"),
    Words::judged("wall.revolution", "kind centre axis profile"),
    Words::judged("wall.mesh", "kind file unit grains centre axis"),
    Words::judged("wall.mesh.grains", "either inside outside"),
    Words {
        place: "wall.drive",
        judged: "fixed open velocity acceleration spin force pressure",
        not_judged: &[("membrane", MEMBRANE)],
    },
    Words::judged("wall.drive.velocity", AMOUNTS),
    Words::judged("wall.drive.acceleration", AMOUNTS),
    Words::judged("wall.drive.spin", AMOUNTS),
    Words::judged("wall.drive.force", AMOUNTS),
    Words::judged("wall.drive.pressure", "value slide area between"),
    Words::judged("wall.drive.pressure.value", AMOUNTS),
    Words::judged("wall.drive.velocity.ramp", "from to over"),
    Words::judged("wall.drive.velocity.sine", "amplitude frequency phase"),
    Words::judged("constraint", "name"),
    Words::judged("constraint.kind", "distance line circle joint"),
    Words::judged("constraint.distance", "kind between length"),
    Words::judged("constraint.line", "kind grain at direction"),
    Words::judged("constraint.circle", "kind grain at centre radius axis"),
    Words::judged("constraint.joint", "kind grain to at"),
    Words::judged("spring", "name between stiffness damping length"),
    Words::judged("stage", "name drive cell set remove grow until limit"),
    Words::judged("stage.set", "gravity contact method"),
    Words::judged("stage.cell", "shear stress stretch"),
    Words::judged("method", "use cd md dae ed"),
    Words { place: "method.use", judged: "cd", not_judged: &[("md", SOFT), ("dae", SOFT), ("ed", HARD)] },
    Words::judged("method.ed", "time_step contact_time"),
    Words::judged(
        "method.cd",
        "time_step scheme accuracy criterion solver order max_sweeps min_sweeps fixed_sweeps accelerator \
                 warm_start start_forces unconverged",
    ),
    Words::judged("method.cd.scheme", "euler midpoint"),
    Words::judged(
        "method.cd.accuracy",
        "preview flow standard forces reference residual force_error velocity_error overlap_growth",
    ),
    Words::judged("method.cd.criterion", "natural force_change"),
    Words::judged("method.dae.projection", "none velocity full"),
];

/// Places of which an unknown word may change anything.
const DECISIVE: [&str; 14] = [
    "",
    "cell",
    "material",
    "grains",
    "grains.shape.kind",
    "build.what",
    "spring",
    "stage",
    "stage.set",
    "stage.cell",
    "method",
    "method.use",
    "method.cd",
    "method.cd.criterion",
];

/// Whether a word is in the vocabulary at a place.
pub fn knows(place: &str, word: &str) -> bool {
    VOCABULARY.iter().any(|words| words.place == place && words.has(word))
}

/// Whether all keys of a table are in the vocabulary at a place.
pub fn knows_all(place: &str, table: &Table) -> bool {
    table.keys().all(|key| knows(place, key))
}

/// The words for an unsupported kind: "drives of the kind `wind`".
pub fn unknown(what: &str, kind: &str) -> String {
    format!("{what} of the kind `{kind}`")
}

/// The one key of a table that chooses a kind, and its value.
pub fn chosen<'t>(what: &str, table: &'t Table) -> Result<(&'t str, &'t Value), String> {
    let mut entries = table.iter();
    match (entries.next(), entries.next()) {
        (Some((kind, value)), None) => Ok((kind, value)),
        _ => Err(format!("{what} of an unknown form")),
    }
}

/// What is not supported of a wall: its kind, or a key of it.
pub fn strange_wall(wall: &Table) -> Option<String> {
    let kind = wall.get("kind").and_then(Value::as_str).unwrap_or("?");
    if !knows("wall.kind", kind) {
        return Some(unknown("walls", kind));
    }
    let place = format!("wall.{kind}");
    let is_strange = |(key, value): (&String, &Value)| {
        let inner = VOCABULARY.iter().find(|words| words.place == format!("{place}.{key}"));
        let is_known = knows("wall", key) || knows(&place, key);
        !is_known || inner.is_some_and(|words| !words_of(value).iter().all(|word| words.has(word)))
    };
    let (key, _) = wall.iter().find(|entry| is_strange(*entry))?;
    Some(format!("walls of the kind `{kind}` with such a `{key}`"))
}

/// Words of a resolved scenario that are not in the vocabulary and may change anything: a key, a shape, a method. And
/// what is known to change everything and is not judged: grains that deform.
pub fn strangers(root: &Table) -> Vec<String> {
    let mut found = Vec::new();
    for place in DECISIVE {
        let name = |word: &str| match place {
            "" => format!("scenarios with `{word}`"),
            _ => format!("scenarios with `{word}` in `{place}`"),
        };
        found.extend(words_at(root, place).into_iter().filter(|word| !knows(place, word)).map(name));
    }
    let deforms = words_at(root, "material").contains(&"elastic");
    found.extend(deforms.then(|| DEFORMS.to_string()));
    found.sort();
    found.dedup();
    found
}

/// Keys or names at a place, through all elements of lists.
fn words_at<'t>(root: &'t Table, place: &str) -> Vec<&'t str> {
    let mut keys = place.split('.').filter(|key| !key.is_empty());
    let Some(first) = keys.next() else { return root.keys().map(String::as_str).collect() };
    let items = |value: &'t Value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let mut values: Vec<&Value> = root.get(first).into_iter().flat_map(items).collect();
    for key in keys {
        values = values.into_iter().filter_map(|value| value.get(key)).flat_map(items).collect();
    }
    values.into_iter().flat_map(words_of).collect()
}

/// Keys of a table, or a name.
fn words_of(value: &Value) -> Vec<&str> {
    match value {
        Value::Table(table) => table.keys().map(String::as_str).collect(),
        Value::String(word) => vec![word.as_str()],
        _ => Vec::new(), // a number chooses nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_words_are_found_wherever_they_stand() {
        let plain = "dimension = 2\nstage = [{ name = \"fill\", set = { gravity = [0, 0] } }]
            grains = [{ shape = { kind = \"disk\", radius = 1 }, rotates = false }]
            method = { use = \"cd\", cd = { time_step = 1e-3 } }";
        let found = |text: &str| strangers(&text.parse().unwrap());
        assert_eq!(found(plain), Vec::<String>::new());
        for (from, to, expected) in [
            ("dimension = 2", "dimension = 2\nwind = 3", "scenarios with `wind`"),
            ("\"disk\"", "\"ellipse\"", "scenarios with `ellipse` in `grains.shape.kind`"),
            ("rotates", "melts", "scenarios with `melts` in `grains`"),
            ("set = { gravity", "set = { friction", "scenarios with `friction` in `stage.set`"),
            ("use = \"cd\"", "use = \"mpm\"", "scenarios with `mpm` in `method.use`"),
        ] {
            assert_eq!(found(&plain.replace(from, to)), [expected]);
        }
    }

    #[test]
    fn strange_walls_are_named() {
        let wall = |text: &str| strange_wall(&text.parse().unwrap());
        assert_eq!(wall("name = \"a\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]"), None);
        assert_eq!(wall("kind = \"torus\"\nradius = 1"), Some("walls of the kind `torus`".into()));
        assert_eq!(wall("kind = \"plane\"\nsoft = 1"), Some("walls of the kind `plane` with such a `soft`".into()));
        let side = "kind = \"cylinder\"\ncentre = [0, 0]\nradius = 1\ngrains = ";
        assert_eq!(wall(&format!("{side}\"inside\"")), None);
        let both = wall(&format!("{side}\"both\""));
        assert_eq!(both, Some("walls of the kind `cylinder` with such a `grains`".into()));
    }
}
