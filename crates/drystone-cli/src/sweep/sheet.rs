//! `sweep.json`: what a sweep consists of, so that its folder is complete by itself.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use drystone::record::aside::write_aside;
use serde_json::{Value as Json, json};

use super::cases::{Base, Case, Point, Start, check_twins, names};
use crate::Failure;
use crate::run::broken;

const NAME: &str = "sweep.json";

/// A sweep: a scenario, keys, and the points at which it is run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sheet {
    /// The file of the scenario, for messages.
    pub scenario: String,
    /// The folder to which its paths are relative.
    pub inputs: PathBuf,
    /// The scenario as it was written.
    pub source: String,
    pub settings: Vec<String>,
    pub keys: Vec<String>,
    pub points: Vec<Point>,
    /// The results that its index has.
    pub results: Option<String>,
}

impl Sheet {
    /// Whether a folder is that of a sweep.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(NAME).is_file()
    }

    pub(super) fn read(folder: &Path) -> Result<Sheet, Failure> {
        let path = folder.join(NAME);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Failure::Usage(format!("{} holds no sweep: there is no {NAME} in it [E102]", folder.display()))
            }
            _ => broken(&error),
        })?;
        let json: Option<Json> = serde_json::from_str(&text).ok();
        json.as_ref()
            .and_then(Sheet::from_json)
            .ok_or_else(|| Failure::Run(format!("{} is damaged: run the sweep again with -o [E103]", path.display())))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder).map_err(|error| broken(&error))?;
        let text = serde_json::to_string_pretty(&self.json()).unwrap_or_default();
        let write = |file: &mut _| std::io::Write::write_all(file, format!("{text}\n").as_bytes());
        write_aside(&folder.join(NAME), write).map_err(|error| broken(&error))
    }

    fn json(&self) -> Json {
        let point = |point: &Point| {
            json!({"name": point.name, "seed": point.seed, "values": point.values,
                   "from": point.start.as_ref().map(|start| &start.from),
                   "hash": point.start.as_ref().map(|start| &start.hash)})
        };
        json!({"drystone": env!("CARGO_PKG_VERSION"), "scenario": self.scenario, "inputs": self.inputs,
               "settings": self.settings, "keys": self.keys, "results": self.results,
               "cases": self.points.iter().map(point).collect::<Vec<_>>(), "source": self.source})
    }

    fn from_json(json: &Json) -> Option<Sheet> {
        let text = |json: &Json| Some(json.as_str()?.to_string());
        let texts = |json: &Json| json.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
        let point = |json: &Json| {
            let start = text(&json["from"]).zip(text(&json["hash"]));
            Some(Point {
                name: text(&json["name"]),
                seed: json["seed"].as_u64()?,
                values: texts(&json["values"])?,
                start: start.map(|(from, hash)| Start { from, hash }),
            })
        };
        Some(Sheet {
            scenario: text(&json["scenario"])?,
            inputs: text(&json["inputs"])?.into(),
            source: text(&json["source"])?,
            settings: texts(&json["settings"])?,
            keys: texts(&json["keys"])?,
            points: json["cases"].as_array()?.iter().map(point).collect::<Option<Vec<_>>>()?,
            results: text(&json["results"]),
        })
    }

    /// The scenario that all cases have in common.
    pub(super) fn base(&self) -> Base<'_> {
        Base { name: &self.scenario, source: &self.source, settings: &self.settings, inputs: &self.inputs }
    }

    /// All cases, with their scenarios.
    pub(super) fn cases(&self, folder: &Path) -> Result<Vec<Case>, Failure> {
        let cases = self.base().cases(&self.keys, &self.points, folder)?;
        check_twins(&cases)?;
        Ok(cases)
    }

    /// This sweep with the cases that `earlier` has and this one has not: those of an earlier call keep their numbers.
    pub(super) fn added_to(mut self, earlier: Sheet, folder: &Path) -> Result<Sheet, Failure> {
        let resolved = |sheet: &Sheet| sheet.base().with(std::iter::empty()).map(|scenario| scenario.to_toml()).ok();
        let refused = |what: &str| {
            let message = format!(
                "{} holds a sweep {what}: use -o for another folder, or --force to replace it [E101]",
                folder.display()
            );
            Err(Failure::Usage(message))
        };
        if resolved(&self) != resolved(&earlier) || self.inputs != earlier.inputs {
            return refused("of another scenario or with other settings");
        }
        if self.keys != earlier.keys {
            let keys = if earlier.keys.is_empty() { "seeds alone".into() } else { earlier.keys.join(", ") };
            return refused(&format!("over other keys ({keys})"));
        }
        let (mine, known) = (names(&self.keys, &self.points)?, names(&earlier.keys, &earlier.points)?);
        let places: HashMap<&String, usize> = known.iter().zip(0..).collect();
        let mut points = earlier.points;
        for (point, name) in self.points.into_iter().zip(&mine) {
            match places.get(name) {
                Some(place) => points[*place] = point,
                None => points.push(point),
            }
        }
        self.points = points;
        self.results = self.results.or(earlier.results);
        Ok(self)
    }

    /// The folder of the case with this seed and these values of the keys that both sweeps have.
    pub(super) fn like(
        &self,
        folder: &Path,
        keys: &[String],
        values: &[String],
        seed: u64,
    ) -> Result<PathBuf, Failure> {
        let names = names(&self.keys, &self.points)?;
        let is_like = |point: &Point| {
            let other = |key: &String| keys.iter().position(|own| own == key).map(|k| &values[k]);
            let fits = |(key, value): (&String, &String)| other(key).is_none_or(|own| own == value);
            point.seed == seed && self.keys.iter().zip(&point.values).all(fits)
        };
        let found: Vec<&String> =
            self.points.iter().zip(&names).filter(|(point, _)| is_like(point)).map(|(_, name)| name).collect();
        match found[..] {
            [name] => Ok(folder.join(name)),
            [] => {
                Err(Failure::Usage(format!("{} has no case with seed {seed} to start from [E032]", folder.display())))
            }
            [one, other, ..] => Err(Failure::Usage(format!(
                "{} has several cases with seed {seed} to start from, {one} and {other}: name the folder of one [E032]",
                folder.display()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_reads_what_it_wrote() {
        let point = |start| Point { name: Some("a".into()), seed: 3, values: vec!["20 mm".into()], start };
        let start = Start { from: "/a@fill".into(), hash: "00ff".into() };
        let sheet = Sheet {
            scenario: "silo.toml".into(),
            inputs: "/a/b".into(),
            source: "title = \"x\"\n".into(),
            settings: vec!["a=1".into()],
            keys: vec!["outlet".into()],
            points: vec![point(None), point(Some(start))],
            results: None,
        };
        assert_eq!(Sheet::from_json(&sheet.json()), Some(sheet));
        assert_eq!(Sheet::from_json(&json!({"keys": []})), None);
    }
}
