//! What a call asks for: the points of grids, designs and tables of cases, and seeds.

use std::path::{Path, PathBuf};

use drystone::input::nearest;

use super::cases::{Point, Start, check_name, plain};
use super::design::{self, MOST_AXES};
use super::sheet::Sheet;
use super::values::{Grid, Span, whole_numbers};
use crate::Failure;
use crate::run::broken;

/// Cases of a sweep at most.
const MOST: usize = 100_000;

/// The part of the command line that makes cases.
#[derive(clap::Args)]
pub(super) struct Wish {
    /// Values of a key, each with each of the other grids: contact.sand-sand.friction=0.1:0.9:0.2 (low:high:step) or
    /// outlet="20 mm,30 mm". May be repeated.
    #[arg(long = "grid", value_name = "KEY=VALUES")]
    grids: Vec<String>,
    /// Range of a key for --latin and --sobol: friction=0.1:0.9, or stiffness=1e4:1e7:log for equal ratios. May be
    /// repeated.
    #[arg(long = "range", value_name = "KEY=LOW:HIGH")]
    ranges: Vec<String>,
    /// So many points of a Latin hypercube over the ranges.
    #[arg(long, value_name = "POINTS", conflicts_with_all = ["sobol", "cases"])]
    latin: Option<usize>,
    /// So many points of a Sobol sequence over the ranges. More points later go on where it ended.
    #[arg(long, value_name = "POINTS", conflicts_with = "cases")]
    sobol: Option<usize>,
    /// Seed of the Latin hypercube.
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "latin")]
    design_seed: u64,
    /// Table of cases: a column for each key, with units in the header, as in outlet [mm]; columns `seed` and `name`
    /// if you like.
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// Seeds of every case: 1..10 or 3,5,7 [default: that of the scenario].
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<String>,
    /// Override a key in all cases, e.g. --set grains.0.count=200. May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// Start every case with the grains of a run: RUN, RUN@STAGE, RUN@12. If RUN is the folder of a sweep, with those of
    /// its case of the same seed and the same values of the keys that both have.
    #[arg(long, value_name = "RUN")]
    from: Option<String>,
}

/// Keys and points of a sweep.
pub(super) struct Points {
    pub keys: Vec<String>,
    pub points: Vec<Point>,
}

/// A point without its seed.
struct Corner {
    name: Option<String>,
    seed: Option<u64>,
    values: Vec<String>,
}

impl Wish {
    /// Whether the call says what cases there are.
    pub(super) fn is_said(&self) -> bool {
        let lists = [&self.grids, &self.ranges, &self.settings];
        let is_design = self.latin.is_some() || self.sobol.is_some();
        lists.iter().any(|list| !list.is_empty())
            || is_design
            || self.cases.is_some()
            || self.seeds.is_some()
            || self.from.is_some()
    }

    /// All points, in the order in which they are numbered: seeds change fastest, the first key slowest.
    pub(super) fn points(&self, own_seed: u64) -> Result<Points, Failure> {
        let (mut keys, mut corners) = self.corners()?;
        for grid in &self.grids {
            let Grid { key, values } = Grid::parse(grid)?;
            check_size(corners.len().saturating_mul(values.len()))?;
            keys.push(key);
            let with = |corner: &Corner, value: &String| Corner {
                name: corner.name.as_ref().map(|name| format!("{name}_{}", plain(value))),
                seed: corner.seed,
                values: corner.values.iter().cloned().chain([value.clone()]).collect(),
            };
            corners = corners.iter().flat_map(|corner| values.iter().map(move |value| with(corner, value))).collect();
        }
        check_keys(&keys)?;
        let seeds = match &self.seeds {
            Some(text) if !text.contains("..") && !text.contains(',') => {
                return Err(Failure::Usage(format!(
                    "--seeds {text}: write 1..{text} for so many seeds, or {text}..{text} for this one"
                )));
            }
            Some(text) => Some(whole_numbers("--seeds", text)?),
            None => None,
        };
        if seeds.is_some() && corners.iter().any(|corner| corner.seed.is_some()) {
            return Err(Failure::Usage("the table of cases has a column `seed`: leave --seeds out".into()));
        }
        check_size(corners.len().saturating_mul(seeds.as_ref().map_or(1, Vec::len)))?;
        let mut points = Vec::new();
        for corner in &corners {
            let own = [corner.seed.unwrap_or(own_seed)];
            let several = seeds.as_ref().is_some_and(|seeds| seeds.len() > 1);
            for seed in seeds.as_deref().unwrap_or(&own) {
                let name = corner.name.as_ref();
                let name = name.map(|name| if several { format!("{name}_seed={seed}") } else { name.clone() });
                let start = self.start(&keys, &corner.values, *seed)?;
                points.push(Point { name, seed: *seed, values: corner.values.clone(), start });
            }
        }
        Ok(Points { keys, points })
    }

    /// The points of the table or of the design, without grids.
    fn corners(&self) -> Result<(Vec<String>, Vec<Corner>), Failure> {
        if let Some(file) = &self.cases {
            if !self.ranges.is_empty() {
                return Err(Failure::Usage("--range is for --latin and --sobol, not for a table of cases".into()));
            }
            return table(file);
        }
        let spans = self.ranges.iter().map(|range| Span::parse(range)).collect::<Result<Vec<_>, _>>()?;
        let points = match (self.latin, self.sobol) {
            (None, None) if spans.is_empty() => vec![Vec::new()],
            (None, None) => {
                return Err(Failure::Usage("a --range needs --latin 64 or --sobol 64 to draw points from it".into()));
            }
            (Some(0), _) | (_, Some(0)) => return Err(Failure::Usage("a design has 1 point or more".into())),
            _ if spans.is_empty() => {
                let message = "--latin and --sobol need ranges: add --range key=low:high for each key";
                return Err(Failure::Usage(message.into()));
            }
            (Some(count), _) => {
                check_size(count)?;
                design::latin(count, spans.len(), self.design_seed)
            }
            (_, Some(_)) if spans.len() > MOST_AXES => {
                let message = format!("--sobol has at most {MOST_AXES} ranges: take --latin for {}", spans.len());
                return Err(Failure::Usage(message));
            }
            (_, Some(count)) => {
                check_size(count)?;
                design::sobol(count, spans.len())
            }
        };
        let values = |point: &Vec<f64>| spans.iter().zip(point).map(|(span, part)| span.at(*part)).collect();
        let corners = points.iter().map(|point| Corner { name: None, seed: None, values: values(point) }).collect();
        Ok((spans.into_iter().map(|span| span.key).collect(), corners))
    }

    /// The run that a case starts from.
    fn start(&self, keys: &[String], values: &[String], seed: u64) -> Result<Option<Start>, Failure> {
        let Some(from) = &self.from else { return Ok(None) };
        let (place, moment) = match from.rsplit_once('@') {
            Some((place, moment)) if !Path::new(from).exists() => (place, format!("@{moment}")),
            _ => (from.as_str(), String::new()),
        };
        let folder = match Sheet::is_in(Path::new(place)) {
            true => Sheet::read(Path::new(place))?.like(Path::new(place), keys, values, seed)?,
            false => PathBuf::from(place),
        };
        let refused = |why: &str| Failure::Usage(format!("--from {from}: {} {why} [E032]", folder.display()));
        let text =
            std::fs::read_to_string(folder.join("report.json")).map_err(|_| refused("holds no run that ended"))?;
        let report: serde_json::Value = serde_json::from_str(&text).map_err(|_| refused("has no report"))?;
        if report["state"] != "done" {
            return Err(refused("is not at its end yet"));
        }
        let folder = std::path::absolute(&folder).map_err(|error| broken(&error))?;
        let hash = report["hash"].as_str().unwrap_or_default().to_string();
        Ok(Some(Start { from: format!("{}{moment}", folder.display()), hash }))
    }
}

fn check_size(count: usize) -> Result<(), Failure> {
    match count > MOST {
        true => Err(Failure::Usage(format!("these are {count} cases, more than {MOST}: take fewer values"))),
        false => Ok(()),
    }
}

/// Refuses keys that are given twice, or that have options of their own.
fn check_keys(keys: &[String]) -> Result<(), Failure> {
    for (k, key) in keys.iter().enumerate() {
        if keys[..k].contains(key) {
            return Err(Failure::Usage(format!("the values of `{key}` are given twice: name them once")));
        }
        if key == "seed" {
            return Err(Failure::Usage("seeds are given by --seeds 1..10".into()));
        }
    }
    Ok(())
}

/// A table of cases: its header names keys, and every row is a case.
fn table(file: &Path) -> Result<(Vec<String>, Vec<Corner>), Failure> {
    let name = file.display();
    let text =
        std::fs::read_to_string(file).map_err(|error| Failure::Usage(format!("cannot read {name}: {error} [E010]")))?;
    let lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let wrong = |line: usize, why: String| Failure::Usage(format!("{name}, line {line}: {why}"));
    let Some((_, header)) = lines.next() else {
        return Err(Failure::Usage(format!(
            "{name} is empty: begin with a header of keys, as in friction,outlet [mm]"
        )));
    };
    let columns: Vec<Column> = cells(header).iter().map(|cell| Column::of(cell)).collect();
    let is_key = |column: &&Column| !["seed", "name"].contains(&column.key.as_str());
    let keys: Vec<String> = columns.iter().filter(is_key).map(|column| column.key.clone()).collect();
    if let Some(other) = keys.iter().find(|key| ["seeds", "case", "names"].contains(&key.as_str())) {
        let near = nearest(other, ["seed", "name"].into_iter()).unwrap_or("name");
        return Err(wrong(1, format!("`{other}` is no key: did you mean `{near}`?")));
    }
    let mut corners = Vec::new();
    for (line, row) in lines {
        let row = cells(row);
        if row.len() != columns.len() {
            let why = format!("it has {} values, and the header {} columns", row.len(), columns.len());
            return Err(wrong(line, why));
        }
        let mut corner = Corner { name: None, seed: None, values: Vec::new() };
        for (column, cell) in columns.iter().zip(&row) {
            match column.key.as_str() {
                _ if cell.is_empty() => return Err(wrong(line, format!("`{}` has no value", column.key))),
                "seed" => {
                    let seed = cell.parse().map_err(|_| wrong(line, format!("`{cell}` is no seed: a whole number")))?;
                    corner.seed = Some(seed);
                }
                "name" => {
                    check_name(cell).map_err(|why| wrong(line, why))?;
                    corner.name = Some(cell.clone());
                }
                _ => corner.values.push(column.value(cell)),
            }
        }
        corners.push(corner);
    }
    match corners.is_empty() {
        true => Err(Failure::Usage(format!("{name} has a header and no cases: write one a line"))),
        false => Ok((keys, corners)),
    }
}

/// A column of a table of cases.
struct Column {
    key: String,
    unit: Option<String>,
}

impl Column {
    /// `outlet [mm]`
    fn of(cell: &str) -> Column {
        match cell.strip_suffix(']').and_then(|cell| cell.split_once(" [")) {
            Some((key, unit)) => Column { key: key.trim().into(), unit: Some(unit.trim().into()) },
            None => Column { key: cell.into(), unit: None },
        }
    }

    /// A number gets the unit of the header.
    fn value(&self, cell: &str) -> String {
        match &self.unit {
            Some(unit) if unit != "1" && cell.parse::<f64>().is_ok() => format!("{cell} {unit}"),
            _ => cell.into(),
        }
    }
}

/// The cells of a line: commas in quotes belong to a cell, and "" is a quote in one.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell).trim().to_string()),
            _ => cell.push(c),
        }
    }
    cells.push(cell.trim().to_string());
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_commas_in_quotes() {
        assert_eq!(cells("a, \"[1, 2]\",\"say \"\"x\"\"\""), ["a", "[1, 2]", "say \"x\""]);
    }

    #[test]
    fn numbers_get_the_unit_of_their_column() {
        let column = Column::of("outlet [mm]");
        assert_eq!((column.value("20"), column.value("2 cm")), ("20 mm".into(), "2 cm".into()));
        assert_eq!(Column::of("friction").value("0.3"), "0.3");
    }
}
