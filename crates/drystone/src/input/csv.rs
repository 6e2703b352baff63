//! Tables of numbers from CSV files.

use super::mistake::Span;
use super::reader::Reader;

/// The rows of a CSV file of numbers: a header line may stand first, `#` starts a comment line.
///
/// Every row must have `columns` numbers; a missing file, a word, a short row are mistakes at `at`, with their line.
pub fn numbers(reader: &Reader, at: &Span, file: &str, columns: usize) -> Option<Vec<Vec<f64>>> {
    let path = reader.folder.join(file);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            let help = "the name counts from the folder of the scenario";
            return reader.mistake("E010", at, format!("cannot read `{}`: {error}", path.display()), help);
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
            .map(|(k, cell)| cell.parse().ok().filter(|x: &f64| x.is_finite()).ok_or(k))
            .collect();
        match parsed {
            Ok(row) if row.len() == columns => rows.push(row),
            Ok(row) => return wrong(number, format!("{} numbers instead of {columns}", row.len())),
            Err(0) if index == 0 => {} // the header
            Err(cell) => return wrong(number, format!("`{}` is not a number", cells[cell])),
        }
    }
    if rows.is_empty() {
        return wrong(1, "no rows".into());
    }
    Some(rows)
}
