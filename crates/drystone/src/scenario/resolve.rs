//! Names that must fit, and the resolved scenario as text.

use super::grains::{GrainShape, Place};
use super::{AnyScenario, Scenario};
use crate::dim::{D2, Dim};
use crate::input::value::Quantity;
use crate::input::{Placed, Reader, Value, nearest};
use crate::method::Kind;

impl<D: Dim> Scenario<D> {
    /// Notes names that do not exist or exist twice, pairs without a law, and requests that contradict each other.
    pub(super) fn check_names(&self, reader: &Reader) {
        self.check_materials(reader);
        self.check_walls(reader);
        self.check_grains(reader);
        self.check_method(reader);
        self.check_ends(reader);
    }

    /// Number of a material by its name.
    pub fn material_number(&self, name: &str) -> Option<usize> {
        self.material.iter().position(|material| material.name.value == name)
    }

    fn check_materials(&self, reader: &Reader) {
        no_doubles(self.material.iter().map(|material| &material.name), "material", reader);
        for law in &self.contact {
            law.between.iter().for_each(|name| self.check_material(name, reader));
        }
        let used = |name: &str| {
            let grains = self.grains.iter().filter(|group| group.material.value == name).count();
            (grains, grains + self.wall.iter().filter(|wall| wall.material.value == name).count())
        };
        for (k, one) in self.material.iter().enumerate() {
            for other in &self.material[k..] {
                let (one_name, other_name) = (&one.name.value, &other.name.value);
                let ((grains_one, all_one), (grains_other, all_other)) = (used(one_name), used(other_name));
                let meet = (grains_one > 0 && all_other > 0) || (grains_other > 0 && all_one > 0);
                let laws = self.contact.iter().filter(|law| {
                    let [a, b] = &law.between;
                    (&a.value, &b.value) == (one_name, other_name) || (&a.value, &b.value) == (other_name, one_name)
                });
                let laws: Vec<_> = laws.collect();
                if laws.is_empty() && meet {
                    let message = format!("no [[contact]] says what holds between \"{one_name}\" and \"{other_name}\"");
                    let help =
                        format!("add [[contact]] with between = [\"{one_name}\", \"{other_name}\"] and friction = 0.5");
                    reader.mistake::<()>("E013", &one.name.at, message, help);
                } else if let Some(second) = laws.get(1) {
                    let message = format!("a second [[contact]] between \"{one_name}\" and \"{other_name}\"");
                    reader.mistake::<()>("E014", &second.between[0].at, message, "keep one of them");
                }
            }
        }
    }

    fn check_material(&self, name: &Placed<String>, reader: &Reader) {
        let known: Vec<&str> = self.material.iter().map(|material| material.name.value.as_str()).collect();
        if !known.contains(&name.value.as_str()) {
            let help = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("known: {}; or add [[material]] with name = \"{}\"", known.join(", "), name.value),
            };
            reader.mistake::<()>("E006", &name.at, format!("there is no material \"{}\"", name.value), help);
        }
    }

    fn check_walls(&self, reader: &Reader) {
        no_doubles(self.wall.iter().map(|wall| &wall.name), "wall", reader);
        let known: Vec<&str> = self.wall.iter().map(|wall| wall.name.value.as_str()).collect();
        for wall in &self.wall {
            self.check_material(&wall.material, reader);
            if let crate::wall::Surface::Cuboid(cuboid) = &*wall.surface {
                check_corners::<D>(cuboid.min.0, cuboid.max.0, &wall.span, reader);
            }
        }
        for (name, _) in self.stage.iter().flat_map(|stage| &stage.drive.0) {
            if !known.contains(&name.value.as_str()) {
                let help = match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("walls: {}", known.join(", ")),
                };
                reader.mistake::<()>("E006", &name.at, format!("there is no wall `{}` to drive", name.value), help);
            }
        }
    }

    fn check_grains(&self, reader: &Reader) {
        for group in &self.grains {
            self.check_material(&group.material, reader);
            let fits = matches!((&group.shape, D::DIMENSION), (GrainShape::Disk(_), 2) | (GrainShape::Sphere(_), 3));
            if !fits {
                let message = format!("a {} does not live in dimension {}", group.shape.name(), D::DIMENSION);
                reader.mistake::<()>("E015", &group.span, message, format!("write kind = \"{}\"", D::ROUND));
            }
            if let Some(sizes) = group.shape.sizes()
                && let Some(fault) = sizes.fault()
            {
                reader.mistake::<()>(
                    "E007",
                    &sizes.at,
                    fault,
                    "write radius = \"1 mm\" or { uniform = [\"0.8 mm\", \"1.2 mm\"] }",
                );
            }
            match &group.place {
                Place::Random(region) => check_corners::<D>(region.min.0, region.max.0, &region.span, reader),
                Place::Square(l) | Place::Hexagonal(l) | Place::Cubic(l) | Place::Fcc(l) => {
                    check_corners::<D>(l.min.0, l.max.0, &l.span, reader);
                }
                Place::File(_) => {}
            }
        }
    }

    fn check_method(&self, reader: &Reader) {
        let method = &self.method;
        if method.r#use.value != Kind::Cd {
            let message = format!("the method \"{}\" is not built yet", method.r#use.name());
            reader.mistake::<()>("E012", &method.r#use.at, message, "write use = \"cd\"");
        } else if method.cd.is_none() {
            let help = "add [method.cd] with time_step = \"0.5 ms\"";
            reader.mistake::<()>("E005", &method.span, "`method.cd` is missing", help);
        }
    }

    fn check_ends(&self, reader: &Reader) {
        if self.stage.is_empty() && !self.stop.has_rule() {
            let help = "add [stop] with at = \"5 s\"";
            reader.mistake::<()>("E015", &self.span, "nothing says when the run ends", help);
        }
        for stage in self.stage.iter().filter(|stage| !stage.until.has_rule() && stage.limit.is_none()) {
            let message = format!("nothing says when the stage \"{}\" ends", stage.name);
            reader.mistake::<()>("E015", &stage.span, message, "add limit = \"1 s\"");
        }
    }

    /// The scenario as TOML: defaults filled in, SI numbers, the version of the program.
    pub fn to_toml(&self) -> String {
        let mut resolved = self.clone();
        resolved.drystone = Some(env!("CARGO_PKG_VERSION").into());
        if D::DIMENSION != D2::DIMENSION {
            resolved.depth = Quantity(1.0);
        }
        toml::to_string(&resolved.write()).expect("a scenario is always a table")
    }
}

impl AnyScenario {
    /// Title of the scenario.
    pub fn title(&self) -> &str {
        match self {
            AnyScenario::Plane(scenario) => &scenario.title,
            AnyScenario::Space(scenario) => &scenario.title,
        }
    }
}

fn check_corners<D: Dim>(min: D::Vec, max: D::Vec, at: &crate::input::Span, reader: &Reader) {
    use crate::dim::Vector;
    if let Some(axis) = (0..D::DIMENSION).find(|axis| min.get(*axis) >= max.get(*axis)) {
        let message = format!("along {} the smallest coordinate is not below the largest", D::AXES[axis]);
        reader.mistake::<()>(
            "E007",
            at,
            message,
            "min is the corner with the smallest coordinates, max the opposite one",
        );
    }
}

fn no_doubles<'n>(names: impl Iterator<Item = &'n Placed<String>>, what: &str, reader: &Reader) {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if seen.contains(&name.value.as_str()) {
            reader.mistake::<()>(
                "E014",
                &name.at,
                format!("a second {what} is called \"{}\"", name.value),
                "give it another name",
            );
        }
        seen.push(&name.value);
    }
}
