//! Grains from a CSV file: where they are, how large, and how they move.

use std::ops::RangeInclusive;

use crate::dim::{Dim, Vector};
use crate::input::Reader;
use crate::input::csv::{self, CsvTable, KnownColumn};
use crate::scenario::Scenario;
use crate::scenario::pack::fill::GrainSite;
use crate::scenario::schema::grains::{GrainGroup, Place};
use crate::world::World;

const NUMBER: Option<[i8; 4]> = Some([0; 4]);
const LENGTH: Option<[i8; 4]> = Some([0, 1, 0, 0]);
const SPEED: Option<[i8; 4]> = Some([0, 1, -1, 0]);
const RATE: Option<[i8; 4]> = Some([0, 0, -1, 1]);

/// Places of columns in the list below.
const X: usize = 0;
const RADIUS: usize = 3;
const V: usize = 4;
const W: usize = 7;
const TURNED: usize = 10;

/// Columns of a file of grains: coordinates, radius, velocity, angular velocity, and what `drystone export --to csv` writes
/// beside them.
const COLUMNS: &[KnownColumn] = &[
    KnownColumn { names: &["x"], dimension: LENGTH },
    KnownColumn { names: &["y"], dimension: LENGTH },
    KnownColumn { names: &["z"], dimension: LENGTH },
    KnownColumn { names: &["radius", "r"], dimension: LENGTH },
    KnownColumn { names: &["vx", "velocity_x"], dimension: SPEED },
    KnownColumn { names: &["vy", "velocity_y"], dimension: SPEED },
    KnownColumn { names: &["vz", "velocity_z"], dimension: SPEED },
    KnownColumn { names: &["wx", "angular_velocity_x"], dimension: RATE },
    KnownColumn { names: &["wy", "angular_velocity_y"], dimension: RATE },
    KnownColumn { names: &["wz", "angular_velocity_z", "spin"], dimension: RATE },
    KnownColumn { names: &["orientation_x"], dimension: NUMBER },
    KnownColumn { names: &["orientation_y"], dimension: NUMBER },
    KnownColumn { names: &["orientation_z"], dimension: NUMBER },
    KnownColumn { names: &["orientation_w"], dimension: NUMBER },
    KnownColumn { names: &["id"], dimension: None },
    KnownColumn { names: &["mass"], dimension: None },
    KnownColumn { names: &["material"], dimension: None },
    KnownColumn { names: &["previous_velocity_x"], dimension: None },
    KnownColumn { names: &["previous_velocity_y"], dimension: None },
    KnownColumn { names: &["previous_velocity_z"], dimension: None },
    KnownColumn { names: &["previous_angular_velocity_x"], dimension: None },
    KnownColumn { names: &["previous_angular_velocity_y"], dimension: None },
    KnownColumn { names: &["previous_angular_velocity_z"], dimension: None },
];

/// A grain of a file.
pub(in crate::scenario) struct FileGrain<D: Dim> {
    /// Its line, counted from 1.
    line: usize,
    /// Centre and radius.
    pub site: GrainSite<D>,
    /// Velocity, if the file says it.
    v: Option<D::Vec>,
    /// Angular velocity, if the file says it.
    w: Option<D::Spin>,
}

/// Reads the grains of a file: columns that a header names, or coordinates and radius without one.
pub(in crate::scenario) fn grains<D: Dim>(
    group: &GrainGroup<D>,
    file: &str,
    reader: &Reader,
) -> Option<Vec<FileGrain<D>>> {
    let at = group.place.span();
    let grains = match csv::table(reader, at, file, COLUMNS)? {
        Some(table) => FileTable { table, group, file, reader }.grains()?,
        None => {
            let rows = csv::numbers(reader, at, file, D::DIMENSION + 1)?;
            let grain = |row: &csv::CsvRow| {
                let site =
                    GrainSite { x: D::Vec::from_fn(|axis| row.numbers[axis]), radius: row.numbers[D::DIMENSION] };
                FileGrain { line: row.line, site, v: None, w: None }
            };
            rows.iter().map(grain).collect()
        }
    };
    if let Some(grain) = grains.iter().find(|grain| grain.site.radius <= 0.0) {
        let message = format!("`{file}`: line {} has the radius {}", grain.line, grain.site.radius);
        let help = format!("radii are more than zero; the columns are {}, r", D::AXES.join(", "));
        return reader.mistake("E007", at, message, help);
    }
    Some(grains)
}

/// A table of grains with a header.
struct FileTable<'t, D: Dim> {
    table: CsvTable,
    group: &'t GrainGroup<D>,
    file: &'t str,
    reader: &'t Reader,
}

impl<D: Dim> FileTable<'_, D> {
    fn grains(&self) -> Option<Vec<FileGrain<D>>> {
        let last = V + D::DIMENSION - 1;
        self.needs((X..X + D::DIMENSION).chain([RADIUS]))?;
        if self.has_any(V..=last) {
            self.needs(V..=last)?;
        }
        let spins = if D::Spin::LEN == 1 { W + 2..=W + 2 } else { W..=W + 2 };
        if self.has_any(spins.clone()) {
            self.needs(spins.clone())?;
        }
        if D::DIMENSION == 2 {
            [X + 2, V + 2, W, W + 1].into_iter().try_for_each(|column| self.is_zero(column, "in the plane"))?;
        }
        self.check_group(V..=last, spins.clone())?;
        let number =
            |column: usize, row: usize| self.table.columns[column].as_ref().map_or(0.0, |numbers| numbers[row]);
        let grain = |row: usize| FileGrain {
            line: self.table.lines[row],
            site: GrainSite { x: D::Vec::from_fn(|axis| number(X + axis, row)), radius: number(RADIUS, row) },
            v: self.has_any(V..=last).then(|| D::Vec::from_fn(|axis| number(V + axis, row))),
            w: self.has_any(spins.clone()).then(|| D::Spin::from_fn(|axis| number(spins.start() + axis, row))),
        };
        Some((0..self.table.lines.len()).map(grain).collect())
    }

    fn has_any(&self, mut columns: impl Iterator<Item = usize>) -> bool {
        columns.any(|column| self.table.columns[column].is_some())
    }

    fn needs(&self, columns: impl Iterator<Item = usize>) -> Option<()> {
        let columns: Vec<usize> = columns.collect();
        match columns.iter().find(|column| self.table.columns[**column].is_none()) {
            None => Some(()),
            Some(missing) => {
                let all: Vec<&str> = columns.iter().map(|column| COLUMNS[*column].names[0]).collect();
                let what = format!("the column `{}` is missing", COLUMNS[*missing].names[0]);
                self.wrong("E010", &what, &format!("these belong together: {}", all.join(", ")))
            }
        }
    }

    /// Refuses a file that moves grains which do not move so, or whose motion the group says, too.
    fn check_group(&self, velocities: RangeInclusive<usize>, spins: RangeInclusive<usize>) -> Option<()> {
        let group = self.group;
        let velocity = group.velocity.as_ref().map(|velocity| &velocity.at);
        let spin = group.spin.as_ref().map(|spin| &spin.at);
        for (key, given, columns) in [("velocity", velocity, &velocities), ("spin", spin, &spins)] {
            if let Some(at) = given.filter(|_| self.has_any(columns.clone())) {
                let message = format!("the file `{}` and its group both say the `{key}`", self.file);
                let help = format!("leave out `{key}`, or the columns of the file");
                return self.reader.mistake("E015", at, message, help);
            }
        }
        if !group.shape.is_round() {
            for column in TURNED..TURNED + 4 {
                let upright = if column == TURNED + 3 { 1.0 } else { 0.0 };
                self.is_all(column, upright, "for these shapes: `angle` and `orientation` of the group turn them")?;
            }
        }
        if group.fixed {
            velocities.chain(spins).try_for_each(|column| self.is_zero(column, "for grains that are fixed"))?;
        } else if !group.rotates {
            spins.into_iter().try_for_each(|column| self.is_zero(column, "for grains that cannot turn"))?;
        }
        Some(())
    }

    fn is_zero(&self, column: usize, where_: &str) -> Option<()> {
        self.is_all(column, 0.0, where_)
    }

    fn is_all(&self, column: usize, wanted: f64, where_: &str) -> Option<()> {
        let numbers = self.table.columns[column].as_deref().unwrap_or_default();
        match numbers.iter().position(|number| *number != wanted) {
            None => Some(()),
            Some(row) => {
                let (name, line) = (COLUMNS[column].names[0], self.table.lines[row]);
                self.wrong(
                    "E015",
                    &format!("line {line}: `{name}` must be {wanted} {where_}"),
                    &format!("write {wanted}, or leave the column out"),
                )
            }
        }
    }

    fn wrong<T>(&self, code: &'static str, what: &str, help: &str) -> Option<T> {
        let message = format!("`{}`: {what}", self.file);
        self.reader.mistake(code, self.group.place.span(), message, help)
    }
}

impl<D: Dim> Scenario<D> {
    /// Gives grains the velocities that their files tell. `group_of` tells the group of every id from `first` on.
    pub(in crate::scenario) fn move_as_filed(
        &self,
        world: &mut World<D>,
        group_of: &[usize],
        first: u32,
        reader: &Reader,
    ) {
        for (number, group) in self.grains.iter().enumerate() {
            let Place::File(place) = &group.place else { continue };
            let Some(grains) = grains::<D>(group, &place.file.value, reader) else { continue };
            let Some(start) = group_of.iter().position(|group| *group == number) else { continue };
            for body in world.grains() {
                let place = world.bodies.id[body].checked_sub(first).map(|place| place as usize);
                let Some(place) = place.filter(|place| group_of.get(*place) == Some(&number)) else { continue };
                let (grain, twist) = (&grains[place - start], &mut world.state.bodies.twist[body]);
                (twist.v, twist.w) = (grain.v.unwrap_or(twist.v), grain.w.unwrap_or(twist.w));
            }
        }
    }
}
