//! The verb plot: columns of a run's series, or of a measured table, as curves.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use drystone::input::nearest;

use crate::Failure;
use crate::picture::Format;
use crate::picture::plot::{Count, Hand, Plot as Sheet};
use crate::scenario::print;

/// Draw columns of series.csv or of a table of `drystone measure` as curves: over time, or one column over another.
#[derive(Args)]
pub(crate) struct Plot {
    /// Folder of the run, or a table that ends in .csv.
    folder: PathBuf,
    /// Columns by their names: `kinetic_energy` over time, or `bob_x,bob_vx` for the second over the first. In a table
    /// of one frame a column stands over the first one behind the time.
    #[arg(required = true)]
    columns: Vec<String>,
    /// Draw the same columns of another run or table too; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    with: Vec<PathBuf>,
    /// Phase portrait: mark where each curve starts and ends by a dot.
    #[arg(long)]
    phase: bool,
    /// Logarithmic axes; numbers that are not above zero are left out.
    #[arg(long, value_enum)]
    log: Option<Axes>,
    /// Draw the moving mean over this many rows, an odd number, and say so in the title. At the ends fewer rows count.
    #[arg(long, value_name = "ROWS")]
    smooth: Option<usize>,
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
    /// What messages call it.
    source: String,
    /// Name and header of every column.
    columns: Vec<(String, String)>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// The series of a run, or a table that ends in .csv.
    fn read(place: &Path) -> Result<Table, Failure> {
        let is_table = place.extension().is_some_and(|end| end == "csv");
        let path = if is_table { place.to_path_buf() } else { crate::folder::open(place)?.series() };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::Run(format!("cannot read {}: {error} [E103]", path.display())))?;
        Ok(Table::parse(path.file_name().and_then(|name| name.to_str()).unwrap_or("the table"), &text))
    }

    fn parse(source: &str, text: &str) -> Table {
        let mut lines = text.lines();
        let bare = |header: &str| header.split(" [").next().unwrap_or(header).to_string();
        let headers = lines.next().unwrap_or_default().split(',');
        let columns = headers.map(|header| (bare(header), header.to_string())).collect();
        let number = |cell: &str| cell.trim().parse().unwrap_or(f64::NAN);
        Table {
            source: source.to_string(),
            columns,
            rows: lines.map(|line| line.split(',').map(number).collect()).collect(),
        }
    }

    fn find(&self, name: &str) -> Result<usize, Failure> {
        let found = self.columns.iter().position(|(known, header)| known == name || header == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
            let meant =
                nearest(name, known.iter().copied()).map_or(String::new(), |near| format!("did you mean `{near}`? "));
            Failure::Usage(format!("{} has no column `{name}`; {meant}it has {}", self.source, known.join(", ")))
        })
    }

    /// What a column stands over if nothing else is said: time, or the first column behind it in a table of one frame.
    fn abscissa(&self) -> Result<usize, Failure> {
        let frames = self.columns.first().is_some_and(|(name, _)| name == "frame") && self.columns.len() > 2;
        let one = self.rows.windows(2).all(|pair| pair[0].first() == pair[1].first());
        if frames && one && self.rows.len() > 1 { Ok(2) } else { self.find("time") }
    }

    /// Where the band ends that a solve does not resolve, if the table says so.
    fn unresolved(&self, x: usize) -> Option<f64> {
        let eta = self.columns.iter().position(|(name, _)| name == "eta")?;
        let is_force = self.columns[x].0 == "force_ratio";
        self.rows.iter().filter_map(|row| row.get(eta).copied()).reduce(f64::max).filter(|eta| is_force && *eta > 0.0)
    }

    fn curve(&self, [x, y]: [usize; 2]) -> Vec<(f64, f64)> {
        let cell = |row: &Vec<f64>, k: usize| row.get(k).copied().unwrap_or(f64::NAN);
        self.rows.iter().map(|row| (cell(row, x), cell(row, y))).collect()
    }
}

impl Plot {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        if let Some(rows) = self.smooth.filter(|rows| rows % 2 == 0) {
            let message = format!("--smooth {rows}: a moving mean takes an odd number of rows, such as {}", rows + 1);
            return Err(Failure::Usage(message));
        }
        let mut sources = Vec::new();
        for place in std::iter::once(&self.folder).chain(&self.with) {
            let table = Table::read(place)?;
            let pairs =
                self.columns.iter().map(|columns| pair(&table, columns)).collect::<Result<Vec<_>, Failure>>()?;
            let name = place.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
            sources.push(Source { name, table, pairs });
        }
        let is_table = self.folder.extension().is_some_and(|end| end == "csv");
        let title = match &self.title {
            Some(title) => title.clone(),
            None if is_table => sources[0].name.clone(),
            None => crate::folder::title(&crate::folder::open(&self.folder)?)?,
        };
        let title = match self.smooth {
            Some(rows) => format!("{title} (moving mean over {rows} rows)"),
            None => title,
        };
        let sheet = self.sheet(&title, &sources);
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

    fn sheet(&self, title: &str, sources: &[Source]) -> Sheet {
        // one name of an axis for all curves, if it is the same
        let label = |axis: usize| {
            let mut names: Vec<&str> = sources.iter().flat_map(|source| source.headers(axis)).collect();
            names.dedup();
            if names.len() == 1 { names[0].to_string() } else { unit(names[0]) }
        };
        let count = |axis: Axes| match self.log {
            Some(log) if log == axis || log == Axes::Both => Count::Log,
            _ => Count::Linear,
        };
        let mut sheet = Sheet::new(title, (&label(0), count(Axes::X)), (&label(1), count(Axes::Y)));
        for (source, pair) in sources.iter().flat_map(|source| source.pairs.iter().map(move |pair| (source, pair))) {
            let column = &source.table.columns[pair[1]].0;
            let name = match (sources.len() > 1, source.pairs.len() > 1) {
                (true, true) => format!("{}: {column}", source.name),
                (true, false) => source.name.clone(),
                (false, true) => column.clone(),
                (false, false) => String::new(),
            };
            let points = smooth(source.table.curve(*pair), self.smooth.unwrap_or(1));
            sheet.curve(name, Hand::Line, points.clone());
            if self.phase {
                sheet.again("", Hand::Dots, points.first().into_iter().chain(points.last()).copied().collect());
            }
        }
        let Source { table, pairs, .. } = &sources[0];
        if let Some(eta) = pairs.first().and_then(|pair| table.unresolved(pair[0])) {
            let heights = pairs.iter().flat_map(|pair| table.curve(*pair)).map(|(_, y)| y).filter(|y| *y > 0.0);
            let (low, high) = heights.fold((f64::INFINITY, 0.0), |(low, high), y| (y.min(low), y.max(high)));
            let low = if self.log.is_some() { low } else { 0.0 };
            sheet.curve("forces left of it are not resolved", Hand::Dashes, vec![(eta, low), (eta, high)]);
        }
        sheet
    }
}

/// A table, what the legend calls it, and the columns of its curves.
struct Source {
    name: String,
    table: Table,
    pairs: Vec<[usize; 2]>,
}

impl Source {
    /// Headers of the columns along an axis.
    fn headers(&self, axis: usize) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(move |pair| self.table.columns[pair[axis]].1.as_str())
    }
}

/// The columns of a curve: `y` over time, or `x,y`.
fn pair(table: &Table, columns: &str) -> Result<[usize; 2], Failure> {
    match columns.split(',').collect::<Vec<_>>()[..] {
        [y] => Ok([table.abscissa()?, table.find(y)?]),
        [x, y] => Ok([table.find(x)?, table.find(y)?]),
        _ => Err(Failure::Usage(format!("`{columns}`: a curve takes one column or two, as in bob_x,bob_vx"))),
    }
}

/// The mean of y over an odd number of rows around each; at the ends over those that lie as far on both sides.
fn smooth(points: Vec<(f64, f64)>, rows: usize) -> Vec<(f64, f64)> {
    let mean = |k: usize| {
        let reach = (rows / 2).min(k).min(points.len() - 1 - k);
        let around = &points[k - reach..=k + reach];
        around.iter().map(|(_, y)| y).sum::<f64>() / around.len() as f64
    };
    (0..points.len()).map(|k| (points[k].0, mean(k))).collect()
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
        let table = Table::parse("series.csv", "time [s],bob_x [m],bob_vx [m/s]\n0,1,2\n0.5,3,4\n");
        assert!(matches!(pair(&table, "bob_x,bob_vx"), Ok([1, 2])));
        assert!(matches!(pair(&table, "bob_vx"), Ok([0, 2])));
        assert_eq!(table.curve([1, 2]), [(1.0, 2.0), (3.0, 4.0)]);
        let Err(Failure::Usage(message)) = pair(&table, "bob_y") else { panic!("there is no bob_y") };
        assert!(message.contains("bob_y") && message.contains("bob_vx"));
        assert!(pair(&table, "a,b,c").is_err());
        assert_eq!(unit("bob_x [m]"), "[m]");
    }

    /// A straight line stays as it is, also at its ends; a spike of 3 becomes three rows of 1.
    #[test]
    fn a_moving_mean_keeps_lines_and_spreads_spikes() {
        let line: Vec<(f64, f64)> = (0..5).map(|k| (f64::from(k), 2.0 * f64::from(k))).collect();
        assert_eq!(smooth(line.clone(), 3), line);
        let spike: Vec<(f64, f64)> = [0.0, 0.0, 3.0, 0.0, 0.0].into_iter().map(|y| (0.0, y)).collect();
        assert_eq!(smooth(spike, 3).into_iter().map(|(_, y)| y).collect::<Vec<_>>(), [0.0, 1.0, 1.0, 1.0, 0.0]);
        assert!(smooth(Vec::new(), 3).is_empty());
    }

    #[test]
    fn a_table_of_one_frame_stands_over_its_first_own_column() {
        let one = Table::parse("forces.csv", "frame,time [s],force_ratio,p,eta\n7,1,0.1,2,0.05\n7,1,0.3,1,0.05\n");
        assert!(matches!(pair(&one, "p"), Ok([2, 3])));
        assert_eq!(one.unresolved(2), Some(0.05));
        let many = Table::parse("stress.csv", "frame,time [s],pressure [Pa]\n0,0,1\n1,0.1,2\n");
        assert!(matches!(pair(&many, "pressure"), Ok([1, 2])));
    }
}
