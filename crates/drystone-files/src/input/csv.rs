//! Tables of numbers from CSV files.

use super::mistake::Span;
use super::quantity::LARGEST;
use super::reader::Reader;

/// A row of numbers with the line that it stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvRow {
    /// Line, counted from 1.
    pub line: usize,
    /// The numbers.
    pub numbers: Vec<f64>,
}

/// The rows of a CSV file of numbers: a header line may stand first, `#` starts a comment line.
///
/// Every row must have `columns` numbers; a missing file, a word, a short row are mistakes at `at`, with their line.
pub fn numbers(reader: &Reader, at: &Span, file: &str, columns: usize) -> Option<Vec<CsvRow>> {
    let path = reader.folder.join(file);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            let message = match error.kind() {
                std::io::ErrorKind::NotFound => format!("there is no file `{}`", path.display()),
                _ => format!("cannot read `{}`: {error}", path.display()),
            };
            return reader.mistake("E010", at, message, "paths are relative to the folder of the scenario");
        }
    };
    let wrong = |line: usize, what: String| {
        reader.mistake(
            "E010",
            at,
            format!("{}:{line}: {what}", path.display()),
            format!("every row has {columns} numbers, separated by commas"),
        )
    };
    let mut rows = Vec::new();
    let lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
    for (index, (number, line)) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).enumerate() {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let parsed: Result<Vec<f64>, usize> = cells
            .iter()
            .enumerate()
            .map(|(k, cell)| cell.parse().ok().filter(|x: &f64| x.abs() <= LARGEST).ok_or(k))
            .collect();
        match parsed {
            Ok(numbers) if numbers.len() == columns => rows.push(CsvRow { line: number, numbers }),
            Ok(row) => return wrong(number, format!("{} numbers instead of {columns}", row.len())),
            Err(0) if index == 0 => {} // the header
            Err(cell) if cells[cell].parse::<f64>().is_ok() => {
                return wrong(number, format!("`{}` is too large to compute with", cells[cell]));
            }
            Err(cell) => return wrong(number, format!("`{}` is not a number", cells[cell])),
        }
    }
    if rows.is_empty() {
        let message = format!("`{}` has no rows", path.display());
        return reader.mistake("E010", at, message, format!("every row has {columns} numbers, separated by commas"));
    }
    Some(rows)
}
