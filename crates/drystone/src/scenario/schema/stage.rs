//! Stages of a run.

use crate::dim::Dim;
use crate::drive::Drive;
use crate::input::quantity::Time;
use crate::input::value::POSITIVE;
use crate::input::{Node, Placed, Reader, Table, Value};
use crate::list::record;
use crate::scenario::schema::cell_drive::CellDrive;
use crate::scenario::schema::change::Change;
use crate::scenario::schema::grow::Grow;
use crate::scenario::schema::remove::Remove;
use crate::scenario::schema::until::Stop;

record! {
    /// A stage.
    pub struct Stage<D> at span {
        /// Name, for messages, the report and `--from`.
        name: Placed<String>,
        /// Drives that this stage sets: wall = drive. Other walls keep their drives.
        drive: WallDrives<D> = WallDrives(Vec::new()),
        /// Motion of the periodic cell from now on; what is not written stops.
        cell: Option<CellDrive<D>>,
        /// Changes from now on: gravity, contact laws, parameters of the method. Everything else stays as it was.
        set: Option<Change>,
        /// Grains that are removed when the stage begins.
        remove: Option<Remove<D>>,
        /// How grains grow while the stage lasts.
        grow: Option<Grow>,
        /// When the stage ends.
        until: Stop = Stop::never(),
        /// Longest duration of the stage.
        limit: Option<Time> where POSITIVE,
    }
}

impl<D: Dim> Stage<D> {
    /// Time at which the clock ends the stage, if it begins at `start` [s].
    pub fn latest(&self, start: f64) -> Option<f64> {
        self.until.latest(start).into_iter().chain(self.limit.map(|limit| start + *limit)).reduce(f64::min)
    }

    /// Time before which the stage cannot end, if it begins at `start` [s].
    pub fn earliest(&self, start: f64) -> f64 {
        let by_rule = if self.until.has_rule() { self.until.earliest(start) } else { f64::INFINITY };
        self.limit.map_or(by_rule, |limit| by_rule.min(start + *limit))
    }
}

/// Drives by the names of walls.
#[derive(Clone, Debug)]
pub struct WallDrives<D: Dim>(pub Vec<(Placed<String>, Drive<D>)>);

impl<D: Dim> Value for WallDrives<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let table = Table::open(node, reader)?;
        let read = table.keys().map(|entry| {
            let wall = Placed { value: entry.key.clone(), at: entry.at.clone() };
            Some((wall, Drive::read(&entry.node, reader)?))
        });
        read.collect::<Vec<Option<_>>>().into_iter().collect::<Option<_>>().map(WallDrives)
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
