//! Stages of a run and the rules that end them.

use crate::dim::Dim;
use crate::drive::Drive;
use crate::input::quantity::{Speed, Time};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Node, Placed, Reader, Span, Table, Value};
use crate::list::record;

record! {
    /// A stage.
    pub struct Stage<D> {
        /// Name, for messages and the report.
        name: String,
        /// Drives that this stage sets: wall = drive. Others go on as they were.
        drive: Drives<D> = Drives(Vec::new()),
        /// When the stage ends.
        until: Stop = Stop::never(),
        /// Longest duration of the stage.
        limit: Option<Time> where POSITIVE,
    }
}

record! {
    /// When a stage or a run ends: at the first rule that is met.
    pub struct Stop {
        /// Time on the clock.
        at: Option<Time> where POSITIVE,
        /// Once all grains have been slow for a while.
        at_rest: Option<Rest>,
    }
}

record! {
    /// All grains are slow.
    pub struct Rest {
        /// No grain moves, and no surface turns, faster than this.
        speed: Speed where POSITIVE,
        /// For at least this long.
        r#for: Time where NOT_NEGATIVE,
    }
}

impl Stop {
    /// No rule: never.
    pub fn never() -> Stop {
        Stop { at: None, at_rest: None, span: Span::default() }
    }

    /// Whether there is any rule.
    pub fn has_rule(&self) -> bool {
        self.at.is_some() || self.at_rest.is_some()
    }
}

/// Drives by the names of walls.
#[derive(Clone, Debug)]
pub struct Drives<D: Dim>(pub Vec<(Placed<String>, Drive<D>)>);

impl<D: Dim> Value for Drives<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let table = Table::open(node, reader)?;
        let read = table.keys().map(|entry| {
            let wall = Placed { value: entry.key.clone(), at: entry.at.clone() };
            Some((wall, Drive::read(&entry.node, reader)?))
        });
        read.collect::<Vec<Option<_>>>().into_iter().collect::<Option<_>>().map(Drives)
    }
    fn write(&self) -> toml::Value {
        let mut table = toml::Table::new();
        for (wall, drive) in &self.0 {
            drive.put(&wall.value, &mut table);
        }
        table.into()
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": "object", "additionalProperties": Drive::<D>::schema()})
    }
}
