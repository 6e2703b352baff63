//! What a row of `series.csv` can hold: measures of the world, and measures of a frame that give one row.

use super::frame::{FrameMeasures, FrameView, MeasureOptions, Setting};
use super::{Column, Measures};
use crate::dim::{D2, Dim};
use crate::input::{Node, Reader, Value};
use crate::list::unknown_name;
use crate::record::Frame;
use crate::world::World;

/// A measure in a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesMeasure {
    /// Of the world as it is.
    World(Measures),
    /// Of a frame of it.
    Frame(FrameMeasures),
}

impl SeriesMeasure {
    /// The measures that a series holds if nothing else is asked for.
    pub fn usual() -> Vec<SeriesMeasure> {
        let usual = Measures::ALL.iter().copied().filter(|measure| measure.as_dyn::<D2>().is_in_default_series());
        usual.map(SeriesMeasure::World).collect()
    }

    /// Every measure that a series can hold; where the world and a frame have one of the same name, that of the world.
    pub fn all() -> Vec<SeriesMeasure> {
        let taken = |other: &FrameMeasures| Measures::ALL.iter().any(|measure| measure.name() == other.name());
        let frames = FrameMeasures::ALL.iter().copied().filter(|measure| measure.as_dyn().is_row() && !taken(measure));
        let worlds = Measures::ALL.iter().copied().map(SeriesMeasure::World);
        worlds.chain(frames.map(SeriesMeasure::Frame)).collect()
    }

    /// The word that scenarios use.
    pub fn name(self) -> &'static str {
        match self {
            SeriesMeasure::World(measure) => measure.name(),
            SeriesMeasure::Frame(measure) => measure.name(),
        }
    }

    /// What it is.
    pub fn about(self) -> &'static str {
        let kinds = Measures::KINDS.iter().chain(FrameMeasures::KINDS);
        let mut found = kinds.filter(|(name, _)| *name == self.name()).map(|(_, about)| *about);
        found.next().unwrap_or_default()
    }

    /// Its columns.
    pub fn columns<D: Dim>(self, setting: &Setting) -> Vec<Column> {
        match self {
            SeriesMeasure::World(measure) => measure.as_dyn::<D>().columns(),
            SeriesMeasure::Frame(measure) => {
                let frame = Frame { dimension: D::DIMENSION, ..Frame::default() };
                measure.as_dyn().columns(&FrameView::whole(&frame, setting, &MeasureOptions::default()))
            }
        }
    }

    /// One number a column; numbers that a frame does not have, because nothing is there to measure, are not a number.
    pub fn sample<D: Dim>(
        self,
        world: &World<D>,
        frame: Option<&Frame>,
        first: Option<&Frame>,
        setting: &Setting,
    ) -> Vec<f64> {
        match (self, frame) {
            (SeriesMeasure::World(measure), _) => measure.as_dyn::<D>().sample(world),
            (SeriesMeasure::Frame(measure), Some(frame)) => {
                let options = MeasureOptions::default();
                let view = FrameView { first, ..FrameView::whole(frame, setting, &options) };
                let row = measure.as_dyn().rows(&view).ok().and_then(|rows| rows.into_iter().next());
                row.unwrap_or_else(|| vec![f64::NAN; self.columns::<D>(setting).len()])
            }
            (SeriesMeasure::Frame(_), None) => vec![f64::NAN; self.columns::<D>(setting).len()],
        }
    }
}

impl Value for SeriesMeasure {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let name = String::read(node, reader)?;
        let all = Self::all();
        match all.iter().find(|measure| measure.name() == name) {
            Some(measure) => Some(*measure),
            None => {
                let known: Vec<&str> = all.iter().map(|measure| measure.name()).collect();
                unknown_name(node, reader, &name, &known)
            }
        }
    }
    fn write(&self) -> toml::Value {
        self.name().into()
    }
    fn schema() -> serde_json::Value {
        let kind =
            |measure: SeriesMeasure| serde_json::json!({"const": measure.name(), "description": measure.about()});
        let kinds: Vec<serde_json::Value> = Self::all().into_iter().map(kind).collect();
        serde_json::json!({"type": "string", "description": "What a series can hold.", "oneOf": kinds})
    }
    fn example() -> String {
        "\"energy\"".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of users change if this list does.
    #[test]
    fn a_series_without_a_choice_has_the_columns_that_it_always_had() {
        let names: Vec<&str> = SeriesMeasure::usual().iter().map(|measure| measure.name()).collect();
        let known = ["energy", "momentum", "angular_momentum", "contacts", "coordination", "overlap", "packing"];
        assert_eq!(names, known);
        assert!(SeriesMeasure::all().iter().any(|measure| measure.name() == "unbalanced"), "it can be chosen");
    }
}
