//! What a row of `series.csv` holds: measures of the world, and measures of a frame of it that give one row.

use super::frame::{FrameView, MeasureOptions, Setting};
use super::{Column, Measures};
use crate::dim::{D2, Dim};
use crate::input::{Node, Placed, Raw, Reader, Value};
use crate::list::{record, suggestion, unknown_name};
use crate::record::Frame;
use crate::world::World;

/// A measure in a series.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The measure.
    pub measure: Measures,
    /// What it counts from and along.
    pub origin: Option<Origin>,
}

record! {
    /// The reference state of a strain or an energy balance.
    pub struct Origin at span {
        /// The stage at whose beginning it is zero; without it the start of the run.
        since: Option<Placed<String>>,
        /// Axis of an axial strain: x, y or z; without it that of gravity, and without gravity the last.
        axis: Option<Placed<String>>,
    }
}

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Columns of a measure without a setting: those that belong to walls are missing.
pub(super) fn columns_of<D: Dim>(measure: Measures) -> Vec<Column> {
    columns::<D>(measure, &Setting::default())
}

fn columns<D: Dim>(measure: Measures, setting: &Setting) -> Vec<Column> {
    let frame = Frame { dimension: D::DIMENSION, ..Frame::default() };
    let (options, of_world) = (MeasureOptions::default(), measure.of_world::<D>());
    let of_frame = || measure.of_frame().map(|of| of.columns(&FrameView::whole(&frame, setting, &options)));
    of_world.map(|of| of.columns()).or_else(of_frame).unwrap_or_default()
}

impl From<Measures> for Recorded {
    fn from(measure: Measures) -> Recorded {
        Recorded { measure, origin: None }
    }
}

impl Recorded {
    /// The measures that a series holds if nothing else is asked for.
    pub fn usual() -> Vec<Recorded> {
        let is_usual = |measure: &Measures| measure.of_world::<D2>().is_some_and(|of| of.is_in_default_series());
        Measures::ALL.iter().copied().filter(is_usual).map(Recorded::from).collect()
    }

    /// Every measure that a series can hold.
    pub fn all() -> impl Iterator<Item = Measures> {
        Measures::ALL.iter().copied().filter(|measure| measure.is_recorded())
    }

    /// Whether it is measured of a frame, which has to be made for it.
    pub fn is_of_frame(&self) -> bool {
        self.measure.of_world::<D2>().is_none()
    }

    /// The stage from which it counts, if it does not count from the start.
    pub fn since(&self) -> Option<&Placed<String>> {
        self.origin.as_ref().and_then(|origin| origin.since.as_ref())
    }

    /// The axis asked for, if the scenario names one that there is.
    fn axis(&self) -> Option<usize> {
        let axis = self.origin.as_ref().and_then(|origin| origin.axis.as_ref())?;
        AXES.iter().position(|name| *name == axis.value)
    }

    /// Its columns.
    pub fn columns<D: Dim>(&self, setting: &Setting) -> Vec<Column> {
        columns::<D>(self.measure, setting)
    }

    /// Headers of its columns in a run in the plane with one wall.
    pub fn example_columns(&self) -> Vec<String> {
        let setting = Setting { walls: vec!["WALL".into()], ..Setting::default() };
        self.columns::<D2>(&setting).iter().map(Column::header).collect()
    }

    /// One number a column, of a world or a frame of it; `first` is the frame that it counts from. Numbers that a frame
    /// does not have, because nothing is there to measure, are not a number.
    pub fn sample<D: Dim>(
        &self,
        world: &World<D>,
        frame: Option<&Frame>,
        first: Option<&Frame>,
        setting: &Setting,
    ) -> Vec<f64> {
        if let Some(measure) = self.measure.of_world::<D>() {
            return measure.sample(world);
        }
        let row = frame.zip(self.measure.of_frame()).and_then(|(frame, measure)| {
            let options = MeasureOptions { axis: self.axis(), ..MeasureOptions::default() };
            let view = FrameView { first, ..FrameView::whole(frame, setting, &options) };
            measure.rows(&view).ok().and_then(|rows| rows.into_iter().next())
        });
        row.unwrap_or_else(|| vec![f64::NAN; self.columns::<D>(setting).len()])
    }

    /// Reports stages and axes that there are not.
    pub(crate) fn check<D: Dim>(&self, stages: &[&str], reader: &Reader) {
        if let Some(stage) = self.since().filter(|stage| !stages.contains(&stage.value.as_str())) {
            let message = format!("there is no stage \"{}\"", stage.value);
            let help = match stages {
                [] => "the run has no stages: leave since out".to_string(),
                stages => suggestion(stage, stages),
            };
            reader.mistake::<()>("E006", &stage.at, message, help);
        }
        let axes = &AXES[..D::DIMENSION];
        let axis = self.origin.as_ref().and_then(|origin| origin.axis.as_ref());
        if let Some(axis) = axis.filter(|axis| !axes.contains(&axis.value.as_str())) {
            let message = format!("there is no axis \"{}\"", axis.value);
            reader.mistake::<()>("E006", &axis.at, message, suggestion(axis, axes));
        }
    }
}

/// The measure of this name, if a series can hold it.
fn find(name: &str, node: &Node, reader: &Reader) -> Option<Measures> {
    if let Some(measure) = Recorded::all().find(|measure| measure.name() == name) {
        return Some(measure);
    }
    let message = format!("`{}` knows no \"{name}\"", node.path);
    if let Some(meant) = Measures::meant_by(name) {
        return reader.mistake("E006", &node.at, message, meant);
    }
    if Measures::ALL.iter().any(|measure| measure.name() == name) {
        let message = format!("\"{name}\" is no row of numbers, and a series cannot hold it");
        return reader.mistake("E006", &node.at, message, format!("measure it of frames: drystone measure RUN {name}"));
    }
    let known: Vec<&str> = Recorded::all().map(|measure| measure.name()).collect();
    unknown_name(node, reader, name, &known)
}

impl Value for Recorded {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let Raw::Table(entries) = &node.value else {
            return find(&String::read(node, reader)?, node, reader).map(Recorded::from);
        };
        let [entry] = entries.as_slice() else {
            let message = format!("an entry of `{}` is a name, or a table with one name", node.path);
            return reader.mistake("E015", &node.at, message, "write { strain = { since = \"shear\" } }");
        };
        let named = Node::new(Raw::Text(entry.key.clone()), entry.at.clone(), node.path.clone());
        let measure = find(&entry.key, &named, reader)?;
        let origin = Origin::read(&entry.node, reader)?;
        let of = measure.of_frame().filter(|of| of.looks_back());
        if of.is_none() {
            let message = format!("\"{}\" does not count from a stage", entry.key);
            return reader.mistake("E015", &entry.at, message, format!("write \"{}\" alone", entry.key));
        }
        if let (Some(axis), false) = (&origin.axis, of.is_some_and(|of| of.has_axis())) {
            let message = format!("\"{}\" has no axis", entry.key);
            return reader.mistake("E015", &axis.at, message, "leave axis out");
        }
        Some(Recorded { measure, origin: Some(origin) })
    }

    fn write(&self) -> toml::Value {
        match &self.origin {
            None => self.measure.name().into(),
            Some(origin) => toml::Table::from_iter([(self.measure.name().to_string(), origin.write())]).into(),
        }
    }

    fn schema() -> serde_json::Value {
        let name = |measure: Measures| serde_json::json!({"const": measure.name(), "description": measure.about()});
        let mut kinds: Vec<serde_json::Value> = Self::all().map(name).collect();
        for measure in Self::all().filter(|measure| measure.of_frame().is_some_and(|of| of.looks_back())) {
            kinds.push(serde_json::json!({
                "type": "object",
                "description": measure.about(),
                "properties": {measure.name(): Origin::schema()},
                "required": [measure.name()],
                "additionalProperties": false
            }));
        }
        serde_json::json!({"description": "What a series can hold.", "oneOf": kinds})
    }

    fn example() -> String {
        "\"energy\"".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;

    /// Tables of users change if this list does.
    #[test]
    fn a_series_without_a_choice_has_the_columns_that_it_always_had() {
        let names: Vec<&str> = Recorded::usual().iter().map(|recorded| recorded.measure.name()).collect();
        let known = ["energy", "momentum", "angular_momentum", "contacts", "coordination", "overlap", "solid_fraction"];
        assert_eq!(names, known);
        assert!(Recorded::all().any(|measure| measure.name() == "unbalanced"), "it can be chosen");
    }

    #[test]
    fn columns_of_a_series_have_names_of_their_own() {
        for columns in [columns_of::<D2>, columns_of::<D3>] {
            let mut names: Vec<String> = Recorded::all().flat_map(columns).map(|column| column.name).collect();
            let count = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }
}
