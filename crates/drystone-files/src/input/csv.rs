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
    parse(reader, at, file, &text(reader, at, file)?, columns)
}

/// The header of a CSV file of numbers, column by column, and its rows.
pub fn with_header(reader: &Reader, at: &Span, file: &str) -> Option<(Vec<String>, Vec<CsvRow>)> {
    let text = text(reader, at, file)?;
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = text.lines().map(str::trim).find(is_said).unwrap_or_default();
    let header: Vec<String> = first.split(',').map(|cell| cell.trim().trim_matches('"').to_string()).collect();
    if header[0].is_empty() || header[0].parse::<f64>().is_ok() {
        let message =
            format!("`{}` has no header, and columns are asked for by name", reader.folder.join(file).display());
        return reader.mistake(
            "E010",
            at,
            message,
            "begin the file with a line such as: t [s], ns [cm/s2], ud [cm/s2]",
        );
    }
    let rows = parse(reader, at, file, &text, header.len())?;
    Some((header, rows))
}

fn text(reader: &Reader, at: &Span, file: &str) -> Option<String> {
    let path = reader.folder.join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            let message = match error.kind() {
                std::io::ErrorKind::NotFound => format!("there is no file `{}`", path.display()),
                _ => format!("cannot read `{}`: {error}", path.display()),
            };
            reader.mistake("E010", at, message, "names of files count from the folder of the scenario")
        }
    }
}

fn parse(reader: &Reader, at: &Span, file: &str, text: &str, columns: usize) -> Option<Vec<CsvRow>> {
    let path = reader.folder.join(file);
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
