//! Tables of numbers with named columns: the series of a run, or what `drystone measure` wrote.

use std::ops::Range;
use std::path::Path;

use drystone::input::nearest;

use super::derived::{Computed, column};
use crate::Failure;

/// A table of numbers with names.
pub(crate) struct Table {
    /// What messages call it.
    pub source: String,
    pub columns: Vec<Heading>,
    pub rows: Vec<Vec<f64>>,
}

/// The heading of a column, `kinetic_energy [J]`, in its parts.
pub(crate) struct Heading {
    pub name: String,
    /// Empty for a number without a unit.
    pub unit: String,
}

/// The rows of a frame, and its time [s].
pub(crate) struct FrameRows {
    pub time: f64,
    pub rows: Range<usize>,
}

/// Symbols of the field, and the columns that they stand for.
const SYMBOLS: [(&str, &str); 4] =
    [("p", "mean_stress"), ("q", "deviator_stress"), ("q/p", "stress_ratio"), ("e", "void_ratio")];

impl Heading {
    fn of(text: &str) -> Heading {
        let (name, unit) = text.trim().split_once(" [").unwrap_or((text.trim(), ""));
        let unit = unit.trim_end_matches(']');
        Heading { name: name.to_string(), unit: if unit == "1" { String::new() } else { unit.to_string() } }
    }

    /// The name in words, with its symbol: `kinetic energy`, `mean stress p`.
    pub(crate) fn words(&self) -> String {
        let words = self.name.replace('_', " ");
        match SYMBOLS.iter().find(|(_, column)| *column == self.name) {
            Some((symbol, _)) => format!("{words} {symbol}"),
            None => words,
        }
    }

    /// Whether the name has a word.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.name.split('_').any(|its| its == word)
    }

    /// Whether both names have a word in common.
    pub(crate) fn shares_word(&self, other: &Heading) -> bool {
        self.name.split('_').any(|word| other.has_word(word))
    }

    /// The unit as people write it: `m/s²`.
    pub(crate) fn written_unit(&self) -> String {
        let mut written = String::new();
        for c in self.unit.chars() {
            let follows_letter = written.ends_with(|last: char| last.is_ascii_alphabetic());
            written.push(match c {
                '2' if follows_letter => '²',
                '3' if follows_letter => '³',
                other => other,
            });
        }
        written
    }
}

impl Table {
    /// The series of a run, or a table that ends in .csv.
    pub(crate) fn read(place: &Path) -> Result<Table, Failure> {
        let is_table = place.extension().is_some_and(|end| end == "csv");
        let path = if is_table { place.to_path_buf() } else { crate::folder::open(place)?.series() };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::Run(format!("cannot read {}: {error} [E103]", path.display())))?;
        let table = Table::parse(path.file_name().and_then(|name| name.to_str()).unwrap_or("the table"), &text);
        match table.rows.is_empty() {
            true => Err(Failure::Usage(format!("{} has no rows to draw", path.display()))),
            false => Ok(table),
        }
    }

    pub(crate) fn parse(source: &str, text: &str) -> Table {
        let mut lines = text.lines();
        let columns = lines.next().unwrap_or_default().split(',').map(Heading::of).collect();
        let number = |cell: &str| cell.trim().parse().unwrap_or(f64::NAN);
        Table {
            source: source.to_string(),
            columns,
            rows: lines.map(|line| line.split(',').map(number).collect()).collect(),
        }
    }

    /// The number of a column by its name or symbol; one that is computed from others is added.
    pub(crate) fn find(&mut self, name: &str) -> Result<usize, Failure> {
        let bare = name.split(" [").next().unwrap_or(name);
        if let Some(found) = self.columns.iter().position(|heading| heading.name == bare || heading.name == name) {
            return Ok(found);
        }
        if let Some((_, column)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == name) {
            return self.find(column);
        }
        if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let known: Vec<&str> = self.columns.iter().map(|heading| heading.name.as_str()).collect();
            let meant =
                nearest(name, known.iter().copied()).map_or(String::new(), |near| format!("did you mean `{near}`? "));
            let message = format!("{} has no column `{name}`; {meant}it has {}", self.source, known.join(", "));
            return Err(Failure::Usage(message));
        }
        let Computed { heading, values } = column(name, self)?;
        let place = self.columns.len();
        self.columns.push(heading);
        for (row, value) in self.rows.iter_mut().zip(values) {
            row.resize(place, f64::NAN);
            row.push(value);
        }
        Ok(place)
    }

    /// The frames of a table that has several rows of a frame: curves, not a series.
    pub(crate) fn frames(&self) -> Option<Vec<FrameRows>> {
        let is_framed = self.columns.first().is_some_and(|heading| heading.name == "frame") && self.columns.len() > 2;
        let mut frames: Vec<FrameRows> = Vec::new();
        let mut last = None;
        for (k, row) in self.rows.iter().enumerate().filter(|_| is_framed) {
            match frames.last_mut() {
                Some(frame) if last == row.first().copied() => frame.rows.end = k + 1,
                _ => frames.push(FrameRows { time: row.get(1).copied().unwrap_or(f64::NAN), rows: k..k + 1 }),
            }
            last = row.first().copied();
        }
        frames.iter().any(|frame| frame.rows.len() > 1).then_some(frames)
    }

    /// What a column stands over if nothing else is said: time, or the first column behind it where frames have rows.
    pub(crate) fn abscissa(&mut self) -> Result<usize, Failure> {
        if self.frames().is_some() { Ok(2) } else { self.find("time") }
    }

    /// Where the band ends that a solve does not resolve, if the table says so.
    pub(crate) fn unresolved(&self, x: usize) -> Option<f64> {
        let eta = self.columns.iter().position(|heading| heading.name == "eta")?;
        let is_force = self.columns[x].name == "force_ratio";
        self.rows.iter().filter_map(|row| row.get(eta).copied()).reduce(f64::max).filter(|eta| is_force && *eta > 0.0)
    }

    /// The points of some rows.
    pub(crate) fn curve(&self, [x, y]: [usize; 2], rows: Range<usize>) -> Vec<(f64, f64)> {
        let cell = |row: &Vec<f64>, k: usize| row.get(k).copied().unwrap_or(f64::NAN);
        self.rows[rows].iter().map(|row| (cell(row, x), cell(row, y))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_read_and_written_in_words() {
        let heading = Heading::of("angular_momentum_z [kg m2/s]");
        assert_eq!((heading.words(), heading.written_unit()), ("angular momentum z".into(), "kg m²/s".into()));
        assert_eq!(Heading::of("coordination").unit, "");
        assert_eq!(Heading::of("density [kg/m3]").written_unit(), "kg/m³");
    }

    #[test]
    fn symbols_of_the_field_are_columns() {
        let mut table = Table::parse("s.csv", "time [s],stress_ratio,p [Pa]\n0,1,2\n");
        assert_eq!(table.find("q/p").ok(), Some(1));
        assert_eq!(table.find("p").ok(), Some(2), "a column of its own comes first");
        assert_eq!(table.columns[1].words(), "stress ratio q/p");
        assert!(crate::refusal(table.find("e")).contains("no column `void_ratio`"));
    }

    #[test]
    fn rows_of_a_frame_belong_together() {
        let mut table =
            Table::parse("p.csv", "frame,time [s],y [m],p [Pa]\n3,0.1,0,5\n3,0.1,1,6\n4,0.2,0,7\n4,0.2,1,8\n");
        let frames = table.frames().unwrap();
        assert_eq!((frames.len(), frames[1].time, frames[1].rows.clone()), (2, 0.2, 2..4));
        assert!(matches!(table.abscissa(), Ok(2)));
        let mut series = Table::parse("stress.csv", "frame,time [s],pressure [Pa]\n0,0,1\n1,0.1,2\n");
        assert!(series.frames().is_none() && matches!(series.abscissa(), Ok(1)));
    }

    #[test]
    fn a_distribution_knows_what_is_not_resolved() {
        let one = Table::parse("forces.csv", "frame,time [s],force_ratio,p,eta\n7,1,0.1,2,0.05\n7,1,0.3,1,0.05\n");
        assert_eq!((one.unresolved(2), one.unresolved(3)), (Some(0.05), None));
    }
}
