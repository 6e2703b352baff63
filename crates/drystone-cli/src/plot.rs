//! The verb plot: columns of a run's series as curves.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::Failure;
use crate::picture::Format;
use crate::picture::plot::{Count, Hand, Plot as Sheet};
use crate::scenario::print;

/// Draw columns of series.csv as curves: over time, or one column over another.
#[derive(Args)]
pub struct Plot {
    /// Folder of the run.
    folder: PathBuf,
    /// Columns by their names: `kinetic_energy` over time, or `bob_x,bob_vx` for the second over the first.
    #[arg(required = true)]
    columns: Vec<String>,
    /// Phase portrait: mark where each curve starts and ends by a dot.
    #[arg(long)]
    phase: bool,
    /// Axes that count in equal ratios; numbers that are not above zero are left out.
    #[arg(long, value_enum)]
    log: Option<Axes>,
    /// Title [default: that of the run].
    #[arg(long)]
    title: Option<String>,
    /// Picture; SVG and PNG are written next to each other.
    #[arg(short, long, default_value = "plot.svg")]
    out: PathBuf,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

/// Axes of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Axes {
    X,
    Y,
    Both,
}

/// A table of numbers with names.
struct Table {
    /// Name and header of every column.
    columns: Vec<(String, String)>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    fn parse(text: &str) -> Table {
        let mut lines = text.lines();
        let bare = |header: &str| header.split(" [").next().unwrap_or(header).to_string();
        let headers = lines.next().unwrap_or_default().split(',');
        let columns = headers.map(|header| (bare(header), header.to_string())).collect();
        let number = |cell: &str| cell.trim().parse().unwrap_or(f64::NAN);
        Table { columns, rows: lines.map(|line| line.split(',').map(number).collect()).collect() }
    }

    fn find(&self, name: &str) -> Result<usize, Failure> {
        let found = self.columns.iter().position(|(known, header)| known == name || header == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
            Failure::Usage(format!("series.csv has no column `{name}`; it has {}", known.join(", ")))
        })
    }

    fn curve(&self, [x, y]: [usize; 2]) -> Vec<(f64, f64)> {
        let cell = |row: &Vec<f64>, k: usize| row.get(k).copied().unwrap_or(f64::NAN);
        self.rows.iter().map(|row| (cell(row, x), cell(row, y))).collect()
    }
}

impl Plot {
    pub fn execute(self) -> Result<(), Failure> {
        let folder = crate::folder::open(&self.folder)?;
        let path = folder.series();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::Run(format!("cannot read {}: {error} [E103]", path.display())))?;
        let table = Table::parse(&text);
        let pairs = self.columns.iter().map(|columns| pair(&table, columns)).collect::<Result<Vec<_>, Failure>>()?;
        let title = match &self.title {
            Some(title) => title.clone(),
            None => crate::folder::title(&folder)?,
        };
        let sheet = self.sheet(&title, &table, &pairs);
        let mut told = String::new();
        let files = [("svg", Format::Svg), ("png", Format::Png)];
        for (end, _) in files {
            let path = self.out.with_extension(end);
            if path.exists() && !self.force {
                let message = format!("{} exists already: replace it with --force [E105]", path.display());
                return Err(Failure::Usage(message));
            }
        }
        for (end, format) in files {
            let path = self.out.with_extension(end);
            let content = sheet.draw(format).map_err(Failure::Run)?;
            std::fs::write(&path, content)
                .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))?;
            let _ = writeln!(told, "{}", path.display());
        }
        print(&told)
    }

    fn sheet(&self, title: &str, table: &Table, pairs: &[[usize; 2]]) -> Sheet {
        // one name of an axis for all curves, if it is the same
        let label = |axis: usize| {
            let mut names: Vec<&str> = pairs.iter().map(|pair| table.columns[pair[axis]].1.as_str()).collect();
            names.dedup();
            if names.len() == 1 { names[0].to_string() } else { unit(names[0]) }
        };
        let count = |axis: Axes| match self.log {
            Some(log) if log == axis || log == Axes::Both => Count::Log,
            _ => Count::Linear,
        };
        let mut sheet = Sheet::new(title, (&label(0), count(Axes::X)), (&label(1), count(Axes::Y)));
        for pair in pairs {
            let name = if pairs.len() > 1 { table.columns[pair[1]].0.clone() } else { String::new() };
            let points = table.curve(*pair);
            sheet.curve(name, Hand::Line, points.clone());
            if self.phase {
                sheet.again("", Hand::Dots, points.first().into_iter().chain(points.last()).copied().collect());
            }
        }
        sheet
    }
}

/// The columns of a curve: `y` over time, or `x,y`.
fn pair(table: &Table, columns: &str) -> Result<[usize; 2], Failure> {
    match columns.split(',').collect::<Vec<_>>()[..] {
        [y] => Ok([table.find("time")?, table.find(y)?]),
        [x, y] => Ok([table.find(x)?, table.find(y)?]),
        _ => Err(Failure::Usage(format!("`{columns}`: a curve takes one column or two, as in bob_x,bob_vx"))),
    }
}

/// The unit of a header, for an axis of several columns.
fn unit(header: &str) -> String {
    header.split_once(" [").map_or(String::new(), |(_, unit)| format!("[{unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_pairs_are_read() {
        let table = Table::parse("time [s],bob_x [m],bob_vx [m/s]\n0,1,2\n0.5,3,4\n");
        assert!(matches!(pair(&table, "bob_x,bob_vx"), Ok([1, 2])));
        assert!(matches!(pair(&table, "bob_vx"), Ok([0, 2])));
        assert_eq!(table.curve([1, 2]), [(1.0, 2.0), (3.0, 4.0)]);
        let Err(Failure::Usage(message)) = pair(&table, "bob_y") else { panic!("there is no bob_y") };
        assert!(message.contains("bob_y") && message.contains("bob_vx"));
        assert!(pair(&table, "a,b,c").is_err());
        assert_eq!(unit("bob_x [m]"), "[m]");
    }
}
