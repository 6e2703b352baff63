//! Plots of a sweep: a result over a parameter, with a band of one standard error over the seeds.

use std::path::Path;

use drystone::input::nearest;

use super::cases::{numbers, short_names};
use super::table::{Row, Table};
use crate::Failure;
use crate::picture::Format;
use crate::picture::plot::{Axis, Hand, Plot};

/// What is drawn.
pub(super) struct Figure<'f> {
    pub x: &'f str,
    pub y: &'f str,
    /// Parameters of which every value has a curve of its own.
    pub by: Vec<&'f str>,
}

/// A column of the table: numbers, their errors, and its label.
struct Column {
    values: Vec<Option<f64>>,
    errors: Vec<f64>,
    label: String,
}

impl<'f> Figure<'f> {
    /// `x=friction`, `y=rate` in either order.
    pub(super) fn parse(words: &'f [String], by: Option<&'f str>) -> Result<Option<Figure<'f>>, Failure> {
        let find = |axis: &str| words.iter().find_map(|word| word.strip_prefix(axis)?.strip_prefix('='));
        match (find("x"), find("y"), words) {
            (_, _, []) if by.is_some() => Err(Failure::Usage("--by is for --plot x=.. y=..".into())),
            (_, _, []) => Ok(None),
            (Some(x), Some(y), [_, _]) => {
                let by = by.into_iter().flat_map(|by| by.split(',')).map(str::trim).collect();
                Ok(Some(Figure { x: x.trim(), y: y.trim(), by }))
            }
            _ => Err(Failure::Usage("--plot takes x=PARAMETER y=RESULT, as in --plot x=friction y=rate".into())),
        }
    }

    /// Draws it as SVG and PNG.
    pub(super) fn draw(&self, table: &Table, out: &Path) -> Result<Vec<String>, Failure> {
        let plot = self.plot(table)?;
        let mut written = Vec::new();
        for (end, format) in [("svg", Format::Svg), ("png", Format::Png)] {
            let mut name = out.as_os_str().to_owned();
            name.push(format!(".{end}"));
            let content = plot.draw(format).map_err(Failure::Run)?;
            let path = Path::new(&name);
            std::fs::write(path, content)
                .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))?;
            written.push(path.display().to_string());
        }
        Ok(written)
    }

    fn plot(&self, table: &Table) -> Result<Plot, Failure> {
        let (x, y) = (Column::of(table, self.x)?, Column::of(table, self.y)?);
        let by: Vec<usize> = self.by.iter().map(|name| key(table, name)).collect::<Result<_, _>>()?;
        let mut plot = Plot::new("", Axis::linear(&x.label), Axis::linear(&y.label));
        let mut groups: Vec<(Vec<&String>, Vec<usize>)> = Vec::new();
        for (k, row) in table.rows.iter().enumerate() {
            if x.values[k].is_none() || y.values[k].is_none() {
                continue;
            }
            let own: Vec<&String> = by.iter().map(|key| &row.values[*key]).collect();
            match groups.iter_mut().find(|(other, _)| *other == own) {
                Some((_, rows)) => rows.push(k),
                None => groups.push((own, vec![k])),
            }
        }
        if groups.is_empty() {
            return Err(Failure::Usage(format!("no case has `{}` and `{}` yet: nothing to draw", self.x, self.y)));
        }
        for (own, mut rows) in groups {
            rows.sort_by(|a, b| x.values[*a].partial_cmp(&x.values[*b]).unwrap_or(std::cmp::Ordering::Equal));
            let name: Vec<String> = self.by.iter().zip(own).map(|(key, value)| format!("{key} = {value}")).collect();
            let point = |k: &usize, side: f64| {
                (x.values[*k].unwrap_or(f64::NAN), y.values[*k].unwrap_or(f64::NAN) + side * y.errors[*k])
            };
            let middle: Vec<(f64, f64)> = rows.iter().map(|k| point(k, 0.0)).collect();
            // points that differ in other parameters, too, make no line
            if others_vary(table, &rows, self.x, &by)? {
                plot.curve(name.join(", "), Hand::Dots, middle);
                for k in &rows {
                    plot.again("", Hand::Line, vec![point(k, -1.0), point(k, 1.0)]);
                }
                continue;
            }
            plot.curve(name.join(", "), Hand::Line, middle.clone());
            let (low, high) = (rows.iter().map(|k| point(k, -1.0)), rows.iter().rev().map(|k| point(k, 1.0)));
            plot.again("", Hand::Band, low.chain(high).collect());
            plot.again("", Hand::Dots, middle);
        }
        Ok(plot)
    }
}

/// Whether rows differ in a parameter that is neither x nor one of those with curves of their own.
fn others_vary(table: &Table, rows: &[usize], x: &str, by: &[usize]) -> Result<bool, Failure> {
    let x = key(table, x).ok();
    let of = |k: usize| &table.rows[k].values;
    let varies = |key: &usize| rows.iter().any(|k| of(*k)[*key] != of(rows[0])[*key]);
    Ok((0..table.keys.len()).filter(|key| Some(*key) != x && !by.contains(key)).any(|key| varies(&key)))
}

/// The number of a parameter, by its short name or its path.
fn key(table: &Table, name: &str) -> Result<usize, Failure> {
    let short = short_names(table.keys);
    let found = (0..short.len()).find(|k| short[*k] == name || table.keys[*k] == name);
    found.ok_or_else(|| unknown(name, "parameter", short.iter().map(String::as_str).collect()))
}

fn unknown(name: &str, what: &str, known: Vec<&str>) -> Failure {
    let near = nearest(name, known.iter().copied()).map_or(String::new(), |near| format!(" did you mean `{near}`?"));
    let known = if known.is_empty() { "none".into() } else { known.join(", ") };
    Failure::Usage(format!("the sweep has no {what} `{name}`:{near} it has {known}"))
}

impl Column {
    /// A result or a parameter.
    fn of(table: &Table, name: &str) -> Result<Column, Failure> {
        if let Some(k) = table.wanted.iter().position(|one| one.name == name) {
            let of = |row: &Row| row.means[k];
            let unit = table.units[k].as_ref().filter(|unit| !unit.is_empty());
            return Ok(Column {
                values: table.rows.iter().map(|row| of(row).map(|mean| mean.value)).collect(),
                errors: table.rows.iter().map(|row| of(row).and_then(|mean| mean.error).unwrap_or(0.0)).collect(),
                label: unit.map_or(name.to_string(), |unit| format!("{name} ({unit})")),
            });
        }
        let place = match key(table, name) {
            Ok(place) => place,
            Err(_) => {
                let short = short_names(table.keys);
                let results = table.wanted.iter().map(|one| one.name.as_str());
                let known = short.iter().map(String::as_str).chain(results).collect();
                return Err(unknown(name, "parameter or result", known));
            }
        };
        let Some((unit, values)) = numbers(table.rows.iter().map(|row| row.values[place].as_str())) else {
            let message = format!("`{name}` has values that are not numbers of one unit: draw it with --by {name}");
            return Err(Failure::Usage(message));
        };
        Ok(Column {
            errors: vec![0.0; values.len()],
            values: values.into_iter().map(Some).collect(),
            label: if unit.is_empty() { name.to_string() } else { format!("{name} ({unit})") },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    #[test]
    fn axes_are_named_in_either_order() {
        let words = ["y=rate".to_string(), "x=friction".to_string()];
        let figure = Figure::parse(&words, Some("outlet, seed")).ok().flatten().unwrap();
        assert_eq!((figure.x, figure.y, figure.by), ("friction", "rate", vec!["outlet", "seed"]));
        assert!(refusal(Figure::parse(&["a".into(), "b".into()], None)).contains("x=friction y=rate"));
        assert!(refusal(Figure::parse(&[], Some("a"))).contains("--plot"));
    }
}
