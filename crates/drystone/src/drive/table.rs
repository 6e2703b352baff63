//! Tables of an amount over time: rows in the scenario, or columns of a CSV file, such as a record of an earthquake.

use std::marker::PhantomData;

use super::signal::{Amount, lever_of_lines, mean_of_lines};
use crate::dim::Vector;
use crate::input::quantity::Time;
use crate::input::units::{self, Dimension};
use crate::input::value::wrong_type;
use crate::input::{Node, Placed, Raw, Reader, Table, Value, csv, nearest};

/// Rows of a table: time and value, times increasing.
#[derive(Clone, Debug)]
pub struct TableRows<V: Amount>(pub(super) Vec<(f64, V::Plain)>);

/// A row of a table as it is written: a time, and the numbers of an amount.
struct Row<V: Amount> {
    numbers: Vec<f64>,
    of: PhantomData<V>,
}

impl<V: Amount> Value for Row<V> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        if !matches!(node.value, Raw::Array(_)) {
            return wrong_type(node, reader, "a list", &Self::example());
        }
        let number = |(column, item): (usize, &Node)| match column {
            0 => Time::read(item, reader).map(|time| *time),
            _ => V::read_number(item, reader),
        };
        let numbers: Vec<_> = node.items().iter().enumerate().map(number).collect();
        Some(Row { numbers: numbers.into_iter().collect::<Option<_>>()?, of: PhantomData })
    }
    fn write(&self) -> toml::Value {
        toml::Value::Array(self.numbers.iter().map(|number| (*number).into()).collect())
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": "array"})
    }
    fn example() -> String {
        format!("[0, {}]", vec!["0"; V::Plain::LEN].join(", "))
    }
}

impl<V: Amount> Value for TableRows<V> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let columns = 1 + V::PARTS.len();
        let rows: Vec<Vec<f64>> = match &node.value {
            Raw::Table(_) => return read_record::<V>(node, reader).map(TableRows),
            Raw::Text(file) => {
                let rows = crate::input::csv::numbers(reader, &node.at, file, columns)?;
                rows.into_iter().map(|row| row.numbers).collect()
            }
            _ => {
                let rows = Vec::<Row<V>>::read(node, reader)?;
                rows.into_iter().map(|row| row.numbers).collect()
            }
        };
        if rows.is_empty() || rows.iter().any(|row| row.len() != columns) {
            let message =
                format!("`{}` must have rows of {columns} numbers: time and {}", node.path, V::PARTS.join(", "));
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        if let Some(pair) = rows.windows(2).find(|pair| pair[0][0] >= pair[1][0]) {
            let message =
                format!("the times of `{}` must increase, but {} comes after {}", node.path, pair[1][0], pair[0][0]);
            return reader.mistake("E007", &node.at, message, "put the rows in the order of their times");
        }
        Some(TableRows(rows.into_iter().map(|row| (row[0], V::Plain::from_fn(|axis| row[axis + 1]))).collect()))
    }
    fn write(&self) -> toml::Value {
        let row = |(time, value): &(f64, V::Plain)| {
            let parts = std::iter::once(*time).chain((0..V::Plain::LEN).map(|axis| value.get(axis)));
            toml::Value::Array(parts.map(toml::Value::from).collect())
        };
        toml::Value::Array(self.0.iter().map(row).collect())
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": ["array", "string", "object"]})
    }
    fn example() -> String {
        let still = vec!["0"; V::Plain::LEN].join(", ");
        format!("[[0, {still}], [1, {still}]]: time, then {}", V::PARTS.join(", "))
    }
}

const TIME: Dimension = [0, 0, 1, 0];
const ACCELERATION: Dimension = [0, 1, -2, 0];

/// Units of accelerations besides those of [`units`]: standard gravity, by its definition, and the gal. Elsewhere g is
/// the gram.
const OF_RECORDS: [(&str, f64); 2] = [("g", 9.806_65), ("Gal", 0.01)];

/// What is subtracted from a record of an acceleration.
#[derive(Clone, Copy, PartialEq)]
enum Baseline {
    /// Nothing.
    None,
    /// A constant.
    Mean,
    /// A straight line.
    Linear,
}

/// Reads named columns of a file.
fn read_record<V: Amount>(node: &Node, reader: &Reader) -> Option<Vec<(f64, V::Plain)>> {
    let table = Table::open(node, reader)?;
    let text = |key: &str| table.claim(key).map(|node| Placed::<String>::read(node, reader));
    let Some(file) = text("file") else {
        table.lacks("file", "write file = \"quake.csv\"".into());
        table.close();
        return None;
    };
    let (time, unit, baseline) = (text("time"), text("unit"), text("baseline"));
    let parts: Vec<Option<Option<Placed<String>>>> = V::PARTS.iter().map(|part| text(part)).collect();
    table.close();
    let is_acceleration = V::DIMENSION == ACCELERATION;
    let baseline = match baseline {
        None => Baseline::None,
        Some(read) => read_baseline(&read?, is_acceleration, reader)?,
    };
    let file = file?;
    let unit = match unit {
        None => None,
        Some(unit) => Some(unit?),
    };
    let (header, rows) = csv::with_header(reader, &file.at, &file.value)?;
    let time = match time {
        Some(time) => time?,
        None => Placed { value: name_of_time(&header).into(), at: node.at.clone() },
    };
    let time = Column::find(&header, &time, reader)?.with_unit(None, TIME, reader)?;
    let mut columns = Vec::new();
    for part in parts {
        columns.push(match part {
            None => None,
            Some(name) => {
                Some(Column::find(&header, &name?, reader)?.with_unit(unit.as_ref(), V::DIMENSION, reader)?)
            }
        });
    }
    if columns.iter().all(Option::is_none) {
        let help = format!("write {} = \"{}\"", V::PARTS[0], header.last().map_or("", |cell| name_of(cell)));
        return reader.mistake("E005", &node.at, format!("`{}` takes no column of its file", node.path), help);
    }
    let value = |numbers: &[f64]| {
        V::Plain::from_fn(|axis| columns[axis].as_ref().map_or(0.0, |(column, si)| numbers[*column] * si))
    };
    let rows: Vec<(f64, V::Plain)> =
        rows.iter().map(|row| (row.numbers[time.0] * time.1, value(&row.numbers))).collect();
    if let Some(pair) = rows.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        let message =
            format!("the times of `{}` must increase, but {} s comes after {} s", file.value, pair[1].0, pair[0].0);
        return reader.mistake("E007", &file.at, message, "put the rows in the order of their times");
    }
    if !is_acceleration {
        return Some(rows);
    }
    if rows.len() < 2 {
        return reader.mistake(
            "E010",
            &file.at,
            format!("`{}` has one row only", file.value),
            "a record has two rows at least",
        );
    }
    Some(corrected(&rows, baseline))
}

fn read_baseline(word: &Placed<String>, is_acceleration: bool, reader: &Reader) -> Option<Baseline> {
    let known = [("none", Baseline::None), ("mean", Baseline::Mean), ("linear", Baseline::Linear)];
    if !is_acceleration {
        let help = "leave `baseline` out: it corrects accelerations only";
        return reader.mistake("E015", &word.at, "only an acceleration has a baseline to take away", help);
    }
    let found = known.iter().find(|(name, _)| *name == word.value).map(|(_, baseline)| *baseline);
    found.or_else(|| {
        let help = match nearest(&word.value, known.iter().map(|(name, _)| *name)) {
            Some(near) => format!("did you mean \"{near}\"? known: none, mean, linear"),
            None => "known: none, mean, linear".into(),
        };
        reader.mistake("E006", &word.at, format!("`baseline` knows no \"{}\"", word.value), help)
    })
}

/// The name in a header cell such as "ns [cm/s2]".
fn name_of(cell: &str) -> &str {
    cell.split('[').next().unwrap_or_default().trim()
}

/// The column of the times, if the scenario does not name it.
fn name_of_time(header: &[String]) -> &'static str {
    if header.iter().any(|cell| name_of(cell) == "time") { "time" } else { "t" }
}

/// A column of a file, with the unit of its header.
struct Column<'c> {
    number: usize,
    asked: &'c Placed<String>,
    unit: Option<String>,
}

impl Column<'_> {
    fn find<'c>(header: &[String], name: &'c Placed<String>, reader: &Reader) -> Option<Column<'c>> {
        let names = || header.iter().map(|cell| name_of(cell));
        let Some(number) = names().position(|known| known == name.value) else {
            let all: Vec<&str> = names().collect();
            let help = match nearest(&name.value, names()) {
                Some(near) => format!("did you mean \"{near}\"? columns: {}", all.join(", ")),
                None => format!("columns: {}", all.join(", ")),
            };
            return reader.mistake("E006", &name.at, format!("the file has no column \"{}\"", name.value), help);
        };
        let unit = header[number].split_once('[').map(|(_, unit)| unit.trim_end_matches(']').trim().to_string());
        Some(Column { number, asked: name, unit })
    }

    /// Its number, and the factor of its values. A unit that is given for all columns holds where the header has none.
    fn with_unit(self, given: Option<&Placed<String>>, wanted: Dimension, reader: &Reader) -> Option<(usize, f64)> {
        let (text, at) = match (&self.unit, given) {
            (Some(unit), _) => (unit.as_str(), &self.asked.at),
            (None, Some(unit)) => (unit.value.as_str(), &unit.at),
            (None, None) => return Some((self.number, 1.0)),
        };
        if let Some((_, si)) = OF_RECORDS.iter().find(|(name, _)| wanted == ACCELERATION && *name == text) {
            return Some((self.number, *si));
        }
        let read = units::parse(&format!("1 {text}"));
        match read.map(|unit| (unit.si, unit.dimension)) {
            Ok((si, Some(found))) if found == wanted => Some((self.number, si)),
            Ok((_, found)) => {
                let found = units::name(found.unwrap_or_default());
                let message =
                    format!("\"{}\" must be {}, but [{text}] is {found}", self.asked.value, units::name(wanted));
                reader.mistake(
                    "E004",
                    at,
                    message,
                    "write a unit such as [m/s2], [cm/s2] or [g] behind the name of the column",
                )
            }
            Err(why) => {
                reader.mistake("E004", at, format!("\"{}\": {why}", self.asked.value), "write a unit such as [cm/s2]")
            }
        }
    }
}

/// The record, closed by zeros one row before and after it, less its baseline.
fn corrected<W: Vector>(rows: &[(f64, W)], baseline: Baseline) -> Vec<(f64, W)> {
    let [first, last] = [rows[0].0, rows[rows.len() - 1].0];
    let middle = 0.5 * (first + last);
    let record = closed(rows);
    if baseline == Baseline::None {
        return record;
    }
    // the change of velocity and, about the middle of the record, its moment: both are linear in what is subtracted
    let ends = |signal: &[(f64, W)]| {
        let (from, to) = (signal[0].0, signal[signal.len() - 1].0);
        let gain = mean_of_lines(signal, from, to) * (to - from);
        (gain, lever_of_lines(signal, from, to) * (to - from) - gain * (to - middle))
    };
    let one = |shape: fn(f64) -> f64| -> Vec<(f64, f64)> {
        closed(&rows.iter().map(|(time, _)| (*time, shape((time - middle) / (last - first)))).collect::<Vec<_>>())
    };
    let of_one = |signal: &[(f64, f64)]| {
        let (from, to) = (signal[0].0, signal[signal.len() - 1].0);
        let gain = mean_of_lines(signal, from, to) * (to - from);
        [gain, lever_of_lines(signal, from, to) * (to - from) - gain * (to - middle)]
    };
    let (gain, moment) = ends(&record);
    let ([a, c], [b, d]) = (of_one(&one(|_| 1.0)), of_one(&one(|s| s)));
    let (level, slope) = match baseline {
        Baseline::Linear => {
            let det = a * d - b * c;
            ((gain * d - moment * b) * (1.0 / det), (moment * a - gain * c) * (1.0 / det))
        }
        _ => (gain * (1.0 / a), W::ZERO),
    };
    let less = |(time, value): &(f64, W)| (*time, *value - level - slope * ((time - middle) / (last - first)));
    closed(&rows.iter().map(less).collect::<Vec<_>>())
}

/// Rows with zeros around them, as far away as their neighbours; a record that begins at time zero begins with a jump.
fn closed<W: Vector>(rows: &[(f64, W)]) -> Vec<(f64, W)> {
    let n = rows.len();
    let before = (rows[0].0 > 0.0).then(|| ((2.0 * rows[0].0 - rows[1].0).max(0.0), W::ZERO));
    let after = (2.0 * rows[n - 1].0 - rows[n - 2].0, W::ZERO);
    before.into_iter().chain(rows.iter().copied()).chain([after]).collect()
}

/// What a record of an acceleration does to its wall, for messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordEnds {
    /// Time of its last row [s].
    pub end: f64,
    /// Shortest time between two rows [s].
    pub spacing: f64,
    /// Velocity that the wall ends with [m/s].
    pub velocity: f64,
    /// How far it is from where it began [m].
    pub displacement: f64,
}

impl<V: Amount> TableRows<V> {
    /// What it does to its wall, if it is an acceleration.
    pub fn ends(&self) -> Option<RecordEnds> {
        let rows = &self.0;
        let (end, first) = (rows.last()?.0, rows.first()?.0);
        if V::DIMENSION != ACCELERATION || end <= first {
            return None;
        }
        let spacing = rows.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(f64::INFINITY, f64::min);
        let velocity = (mean_of_lines(rows, 0.0, end) * end).norm();
        let displacement = (lever_of_lines(rows, 0.0, end) * end).norm();
        Some(RecordEnds { end, spacing, velocity, displacement })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 + t over two seconds, in rows of half a second, closed over half a second on either side except at time zero.
    fn rows() -> Vec<(f64, f64)> {
        (0..5).map(|k| 0.5 * f64::from(k)).map(|t| (t, 1.0 + t)).collect()
    }

    fn ends(rows: &[(f64, f64)]) -> (f64, f64) {
        let end = rows[rows.len() - 1].0;
        (mean_of_lines(rows, 0.0, end) * end, lever_of_lines(rows, 0.0, end) * end)
    }

    #[test]
    fn a_record_drifts_unless_its_baseline_is_taken_away() {
        let (v, x) = ends(&corrected(&rows(), Baseline::None));
        // int (1 + t) = 4 to 2 s, and a triangle of height 3 over 0.5 s; x = 2 + 4/3 then 4/2, and 3 h^2 / 3
        assert!((v - 4.75).abs() < 1e-14 && (x - (10.0 / 3.0 + 2.0 + 0.25)).abs() < 1e-13, "{v} {x}");
        let (v, x) = ends(&corrected(&rows(), Baseline::Mean));
        assert!(v.abs() < 1e-14 && x.abs() > 0.1, "it rests, somewhere else: {v} {x}");
        let line = corrected(&rows(), Baseline::Linear);
        let (v, x) = ends(&line);
        assert!(v.abs() < 1e-13 && x.abs() < 1e-13, "{v} {x}");
        assert!(line.iter().all(|(_, value)| value.abs() < 1e-13), "a record that is a line is its baseline: {line:?}");
    }

    #[test]
    fn times_stand_in_t_or_time() {
        let header = |cells: [&str; 2]| cells.map(String::from);
        assert_eq!(name_of_time(&header(["time [s]", "ns [g]"])), "time");
        assert_eq!(name_of_time(&header(["t [ms]", "ns [g]"])), "t");
    }

    #[test]
    fn a_baseline_leaves_the_oscillation() {
        let rows: Vec<(f64, f64)> =
            (0..=400).map(|k| 0.01 * f64::from(k)).map(|t| (t, (20.0 * t).sin() + 0.3 - 0.1 * t)).collect();
        let line = corrected(&rows, Baseline::Linear);
        let (v, x) = ends(&line);
        assert!(v.abs() < 1e-12 && x.abs() < 1e-12, "{v} {x}");
        // the sine has a line of its own: over 80 rad its mean is 0.014, its slope 0.0172 a second, which makes 0.048
        // at the ends; the rows that close the record add to it
        let worst = line[..401].iter().map(|(t, value)| (value - (20.0 * t).sin()).abs()).fold(0.0, f64::max);
        assert!((0.048..0.053).contains(&worst), "{worst}");
    }
}
