//! Tables of numbers from CSV files.

use std::path::PathBuf;

use super::mistake::Span;
use super::quantity::LARGEST;
use super::reader::{Reader, nearest};
use super::units::{self, Dimension};

/// A row of numbers with the line that it stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvRow {
    /// Line, counted from 1.
    pub line: usize,
    /// The numbers.
    pub numbers: Vec<f64>,
}

/// A column that a table may have.
#[derive(Clone, Copy, Debug)]
pub struct KnownColumn {
    /// Its name, and others that mean the same.
    pub names: &'static [&'static str],
    /// Exponents of kg, m, s and rad; `None` for a column that is there but not read.
    pub dimension: Option<Dimension>,
}

/// The columns of a table whose header names them.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvTable {
    /// Line of the header, counted from 1.
    pub header: usize,
    /// Line of every row.
    pub lines: Vec<usize>,
    /// Numbers in SI units of every known column, row by row; `None` for those that the table does not have.
    pub columns: Vec<Option<Vec<f64>>>,
}

/// A file that is read, and where its mistakes go.
struct CsvFile<'r> {
    reader: &'r Reader,
    at: &'r Span,
    path: PathBuf,
    text: String,
}

impl<'r> CsvFile<'r> {
    fn open(reader: &'r Reader, at: &'r Span, file: &str) -> Option<CsvFile<'r>> {
        let path = reader.folder.join(file);
        match std::fs::read_to_string(&path) {
            Ok(text) => Some(CsvFile { reader, at, path, text }),
            Err(error) => {
                let message = match error.kind() {
                    std::io::ErrorKind::NotFound => format!("there is no file `{}`", path.display()),
                    _ => format!("cannot read `{}`: {error}", path.display()),
                };
                reader.mistake("E010", at, message, "paths are relative to the folder of the scenario")
            }
        }
    }

    /// The header and the lines of numbers, each with its line number and its cells.
    fn lines(&self) -> impl Iterator<Item = (usize, Vec<&str>)> {
        let lines = self.text.lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
        let told = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        told.map(|(number, line)| (number, line.split(',').map(str::trim).collect()))
    }

    fn wrong<T>(&self, line: usize, what: impl std::fmt::Display, help: impl Into<String>) -> Option<T> {
        self.reader.mistake("E010", self.at, format!("{}:{line}: {what}", self.path.display()), help)
    }

    /// Reports that a cell holds no number.
    fn no_number<T>(&self, line: usize, cell: &str, help: &str) -> Option<T> {
        match cell.parse::<f64>() {
            Ok(_) => self.wrong(line, format!("`{cell}` is too large to compute with"), help),
            Err(_) => self.wrong(line, format!("`{cell}` is not a number"), help),
        }
    }

    /// The rows, each of which must have `columns` numbers. A header may come first.
    fn numbers(&self, columns: usize) -> Option<Vec<CsvRow>> {
        let help = format!("every row has {columns} numbers, separated by commas");
        let mut rows = Vec::new();
        for (index, (line, cells)) in self.lines().enumerate() {
            let parsed: Result<Vec<f64>, usize> = cells
                .iter()
                .enumerate()
                .map(|(k, cell)| cell.parse().ok().filter(|x: &f64| x.abs() <= LARGEST).ok_or(k))
                .collect();
            match parsed {
                Ok(numbers) if numbers.len() == columns => rows.push(CsvRow { line, numbers }),
                Ok(row) => return self.wrong(line, format!("{} numbers instead of {columns}", row.len()), help),
                Err(0) if index == 0 => {} // the header
                Err(cell) => return self.no_number(line, cells[cell], &help),
            }
        }
        if rows.is_empty() { self.no_rows(help) } else { Some(rows) }
    }

    fn no_rows<T>(&self, help: String) -> Option<T> {
        self.reader.mistake("E010", self.at, format!("`{}` has no rows", self.path.display()), help)
    }

    /// The known column and the unit of every name of a header; `None` for columns that are not read.
    fn header(&self, line: usize, cells: &[&str], known: &[KnownColumn]) -> Option<Vec<Option<(usize, String)>>> {
        let mut found: Vec<Option<(usize, String)>> = Vec::new();
        let mut seen: Vec<usize> = Vec::new();
        for cell in cells {
            let (name, unit) = match cell.split_once('[') {
                Some((name, unit)) => (name.trim(), unit.trim_end_matches(']').trim()),
                None => (*cell, ""),
            };
            let Some(place) = known.iter().position(|column| column.names.contains(&name)) else {
                let all = || known.iter().flat_map(|column| column.names).copied();
                let help = match nearest(name, all()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        let read = known.iter().filter(|column| column.dimension.is_some());
                        format!("known columns: {}", read.map(|column| column.names[0]).collect::<Vec<_>>().join(", "))
                    }
                };
                return self.wrong(line, format!("there is no column `{name}` to read"), help);
            };
            if seen.contains(&place) {
                return self.wrong(line, format!("a second column `{name}`"), "keep one of them");
            }
            seen.push(place);
            let Some(wanted) = known[place].dimension else {
                found.push(None);
                continue;
            };
            if !unit.is_empty() {
                let example = format!("write `{name} [{}]`", units::symbol(wanted));
                match units::parse(&format!("1 {unit}")) {
                    Err(why) => return self.wrong(line, format!("column `{name}`: {why}"), example),
                    Ok(one) if one.dimension != Some(wanted) => {
                        let is = units::name(one.dimension.unwrap_or_default());
                        let what = format!("column `{name}` must be {}, but `{unit}` is {is}", units::name(wanted));
                        return self.wrong(line, what, example);
                    }
                    Ok(_) => {}
                }
            }
            found.push(Some((place, unit.to_string())));
        }
        Some(found)
    }
}

/// The columns of a CSV file whose first line names them, in any order and with units in brackets: `x [mm]`. Without a
/// unit numbers are in SI units. `Some(None)` if the file begins with numbers.
pub fn table(reader: &Reader, at: &Span, file: &str, known: &[KnownColumn]) -> Option<Option<CsvTable>> {
    let file = CsvFile::open(reader, at, file)?;
    let mut lines = file.lines();
    let (header, names) = match lines.next() {
        Some((_, cells)) if cells[0].parse::<f64>().is_ok() => return Some(None),
        Some(first) => first,
        None => return file.no_rows("the first line names the columns: x, y, radius".into()),
    };
    let found = file.header(header, &names, known)?;
    let help = format!("every row has {} numbers, one for each column of line {header}", names.len());
    let mut table = CsvTable { header, lines: Vec::new(), columns: vec![None; known.len()] };
    found.iter().flatten().for_each(|(place, _)| table.columns[*place] = Some(Vec::new()));
    for (line, cells) in lines {
        if cells.len() != names.len() {
            return file.wrong(line, format!("{} numbers instead of {}", cells.len(), names.len()), help);
        }
        for (cell, (place, unit)) in cells.iter().zip(&found).filter_map(|(cell, found)| Some((cell, found.as_ref()?)))
        {
            let plain = cell.parse::<f64>().ok().filter(|x| x.abs() <= LARGEST);
            let number = plain.and_then(|_| units::parse(&format!("{cell} {unit}")).ok());
            let Some(number) = number.map(|number| number.si).filter(|si| si.abs() <= LARGEST) else {
                return file.no_number(line, cell, &help);
            };
            if let Some(column) = &mut table.columns[*place] {
                column.push(number);
            }
        }
        table.lines.push(line);
    }
    if table.lines.is_empty() { file.no_rows(help) } else { Some(Some(table)) }
}

/// The rows of a CSV file of numbers: a header line may come first, `#` starts a comment line.
///
/// Every row must have `columns` numbers; a missing file, a word, a short row are mistakes at `at`, with their line.
pub fn numbers(reader: &Reader, at: &Span, file: &str, columns: usize) -> Option<Vec<CsvRow>> {
    CsvFile::open(reader, at, file)?.numbers(columns)
}

/// The header of a CSV file of numbers, column by column, and its rows.
pub fn with_header(reader: &Reader, at: &Span, file: &str) -> Option<(Vec<String>, Vec<CsvRow>)> {
    let file = CsvFile::open(reader, at, file)?;
    let header: Vec<String> = file
        .lines()
        .next()
        .map_or(Vec::new(), |(_, cells)| cells.into_iter().map(|cell| cell.trim_matches('"').to_string()).collect());
    if header.first().is_none_or(|name| name.is_empty() || name.parse::<f64>().is_ok()) {
        let message = format!("`{}` has no header, and columns are asked for by name", file.path.display());
        let help = "begin the file with a line such as: t [s], ns [cm/s2], ud [cm/s2]";
        return reader.mistake("E010", at, message, help);
    }
    let rows = file.numbers(header.len())?;
    Some((header, rows))
}
