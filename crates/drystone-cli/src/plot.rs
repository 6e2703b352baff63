//! The verb plot: columns of a run's series, or of a measured table, as curves.

mod derived;
mod over_time;
pub(crate) mod table;
mod words;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::Failure;
use crate::picture::Format;
use crate::picture::palette::Map;
use crate::picture::paper;
use crate::picture::plot::{Axis, Bar, Count, Hand, Plot as Sheet};
use crate::scenario::print;
use table::{FrameRows, Table};
use words::{label, seconds};

/// Draw columns of series.csv or of a table of `drystone measure` as curves: over time, or one column over another.
/// Columns of different units are drawn in panels one above the other. A table with several rows of a frame gives one
/// line a frame.
#[derive(Args)]
pub(crate) struct Plot {
    /// Folder of the run, or a table that ends in .csv.
    folder: PathBuf,
    /// Columns by their names: `kinetic_energy` over time, or `bob_x,bob_vx` for the second over the first. Where
    /// frames have several rows, a column is drawn over the first one after the time. A column may be computed from
    /// others: "stress_1 / stress_2".
    #[arg(required = true)]
    columns: Vec<String>,
    /// Draw the same columns of another run or table too; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    with: Vec<PathBuf>,
    /// Give every column a panel of its own, even if units are the same.
    #[arg(long)]
    panels: bool,
    /// Draw a profile as a map: time along, position up, the column as colour.
    #[arg(long, conflicts_with_all = ["log", "phase", "with", "panels", "smooth"])]
    over_time: bool,
    /// Colours of such a map, and of the lines of many frames [default: viridis; for numbers of both signs blue-red].
    #[arg(long, value_enum)]
    map: Option<Map>,
    /// Phase portrait: mark where each curve starts and ends by a dot.
    #[arg(long)]
    phase: bool,
    /// Logarithmic axes; numbers that are not above zero are left out.
    #[arg(long, value_enum)]
    log: Option<Axes>,
    /// Draw the moving mean over this many rows, an odd number, and say so in the title. At the ends fewer rows count.
    #[arg(long, value_name = "ROWS")]
    smooth: Option<usize>,
    /// Title; "" for none [default: that of the run; none for a table or several runs].
    #[arg(long)]
    title: Option<String>,
    /// Size on paper, as in 86x60mm or 17x11cm; letters stay 8 points high [default: 169x113mm].
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = paper::size)]
    size: Option<[f64; 2]>,
    /// Pixels of the PNG to the inch [default: 180].
    #[arg(long, value_parser = paper::dpi)]
    dpi: Option<f64>,
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

/// A table, what the legend calls it, and the columns of its curves.
struct Source {
    name: String,
    table: Table,
    pairs: Vec<[usize; 2]>,
}

/// Frames beyond this number are told by a bar of colours instead of a legend.
const NAMED_FRAMES: usize = 8;
/// The part of a map of colours that lines take: its light end would be lost on paper.
const DARK: f64 = 0.88;

impl Plot {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        if let Some(rows) = self.smooth.filter(|rows| rows % 2 == 0) {
            let message = format!("--smooth {rows}: a moving mean takes an odd number of rows, such as {}", rows + 1);
            return Err(Failure::Usage(message));
        }
        let mut sources = Vec::new();
        for place in std::iter::once(&self.folder).chain(&self.with) {
            let mut table = Table::read(place)?;
            let pairs =
                self.columns.iter().map(|columns| pair(&mut table, columns)).collect::<Result<Vec<_>, Failure>>()?;
            sources.push(Source { name: called(place), table, pairs });
        }
        let title = self.title()?;
        let mut sheet = match self.over_time {
            true => over_time::sheet(&title, &sources[0].table, &sources[0].pairs, self.map)?,
            false => self.sheet(&title, &sources)?,
        };
        sheet.on(Sheet::paper(self.size, self.dpi));
        sheet.check_room().map_err(Failure::Usage)?;
        self.write(&sheet)
    }

    fn title(&self) -> Result<String, Failure> {
        let is_table = self.folder.extension().is_some_and(|end| end == "csv");
        let title = match &self.title {
            Some(title) => title.clone(),
            None if is_table || !self.with.is_empty() => String::new(),
            None => crate::folder::title(&crate::folder::open(&self.folder)?)?,
        };
        Ok(match self.smooth {
            Some(rows) if title.is_empty() => format!("Moving mean over {rows} rows"),
            Some(rows) => format!("{title} (moving mean over {rows} rows)"),
            None => title,
        })
    }

    fn write(&self, sheet: &Sheet) -> Result<(), Failure> {
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
            let content = sheet.draw(format).map_err(Failure::Usage)?;
            std::fs::write(&path, content)
                .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))?;
            let _ = writeln!(told, "{}", path.display());
        }
        print(&told)
    }

    fn count(&self, axis: Axes) -> Count {
        match self.log {
            Some(log) if log == axis || log == Axes::Both => Count::Log,
            _ => Count::Linear,
        }
    }

    fn sheet(&self, title: &str, sources: &[Source]) -> Result<Sheet, Failure> {
        let Source { table, pairs, .. } = &sources[0];
        let frames = sources.iter().filter_map(|source| source.table.frames()).find(|frames| frames.len() > 1);
        if frames.is_some() && sources.len() > 1 {
            let message = "tables of several frames are drawn one at a time: measure one frame of each to compare them";
            return Err(Failure::Usage(message.into()));
        }
        let groups = self.groups(table, pairs, frames.is_some());
        let units = |k: usize| sources.iter().map(move |s| &s.table.columns[s.pairs[k][1]].unit);
        if let Some(k) = (0..pairs.len()).find(|k| units(*k).any(|unit| *unit != table.columns[pairs[*k][1]].unit)) {
            let message = format!("`{}` has different units in these tables", table.columns[pairs[k][1]].name);
            return Err(Failure::Usage(message));
        }
        let x = label(table, pairs.iter().map(|pair| pair[0]))?;
        let mut sheet: Option<Sheet> = None;
        for (number, group) in groups.iter().enumerate() {
            let y = label(table, group.iter().map(|k| pairs[*k][1]))?;
            let sheet = match &mut sheet {
                None => sheet.insert(Sheet::new(
                    title,
                    Axis::new(&x, self.count(Axes::X)),
                    Axis::new(&y, self.count(Axes::Y)),
                )),
                Some(sheet) => {
                    sheet.panel(&y, self.count(Axes::Y));
                    sheet
                }
            };
            match &frames {
                Some(frames) => self.frames(sheet, table, pairs[group[0]], frames, number == 0)?,
                None => self.curves(sheet, sources, group, number == 0)?,
            }
        }
        let mut sheet = sheet.expect("clap asks for a column");
        if let Some(frames) = frames.filter(|frames| frames.len() > NAMED_FRAMES) {
            let ends = [frames[0].time, frames[frames.len() - 1].time];
            sheet.bar(Bar { label: "Time (s)".into(), ends, map: self.map.unwrap_or(Map::Viridis), part: DARK });
        }
        Ok(sheet)
    }

    /// Curves that share a panel: those of one unit; without a unit those whose names have a word in common.
    fn groups(&self, table: &Table, pairs: &[[usize; 2]], has_frames: bool) -> Vec<Vec<usize>> {
        let unit = |k: usize| &table.columns[pairs[k][1]].unit;
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for k in 0..pairs.len() {
            let column = |k: usize| &table.columns[pairs[k][1]];
            let is_of = |group: &&mut Vec<usize>| {
                unit(group[0]) == unit(k) && (!unit(k).is_empty() || column(group[0]).shares_word(column(k)))
            };
            match groups.iter_mut().find(is_of) {
                Some(group) if !self.panels && !has_frames => group.push(k),
                _ => groups.push(vec![k]),
            }
        }
        groups
    }

    /// The curves of a panel: one a table and column.
    fn curves(&self, sheet: &mut Sheet, sources: &[Source], group: &[usize], is_first: bool) -> Result<(), Failure> {
        for source in sources {
            for pair in group.iter().map(|k| source.pairs[*k]) {
                let column = source.table.columns[pair[1]].words();
                let name = match (sources.len() > 1, group.len() > 1) {
                    (true, true) => format!("{}: {column}", source.name),
                    (true, false) if is_first => source.name.clone(),
                    (false, true) => column,
                    (_, false) => String::new(),
                };
                let rows = 0..source.table.rows.len();
                let points = smooth(source.table.curve(pair, rows), self.smooth.unwrap_or(1));
                self.has_points(&source.table, pair, &points)?;
                let hand = if sheet.has_colours_left() { Hand::Line } else { Hand::Dashes };
                sheet.curve(name, hand, points.clone());
                if self.phase {
                    let ends = points.first().into_iter().chain(points.last()).copied().collect();
                    sheet.again("", Hand::Dots, ends);
                }
            }
        }
        self.mark_unresolved(sheet, &sources[0], group);
        Ok(())
    }

    /// One line a frame, from dark to light as time goes on.
    fn frames(
        &self,
        sheet: &mut Sheet,
        table: &Table,
        pair: [usize; 2],
        frames: &[FrameRows],
        is_first: bool,
    ) -> Result<(), Failure> {
        self.has_points(table, pair, &table.curve(pair, 0..table.rows.len()))?;
        let [from, to] = [frames[0].time, frames[frames.len() - 1].time];
        let map = self.map.unwrap_or(Map::Viridis);
        let has_names = frames.len() <= NAMED_FRAMES;
        for (k, frame) in frames.iter().enumerate() {
            let part = match has_names {
                true => k as f64 / (frames.len() - 1) as f64,
                false => (frame.time - from) / (to - from),
            };
            let name = if has_names && is_first { format!("{} s", seconds(frame.time, to)) } else { String::new() };
            let points = smooth(table.curve(pair, frame.rows.clone()), self.smooth.unwrap_or(1));
            sheet.coloured(name, Hand::Line, points, map.at(DARK * part));
        }
        Ok(())
    }

    /// Refuses columns that the axes can show nothing of.
    fn has_points(&self, table: &Table, pair: [usize; 2], points: &[(f64, f64)]) -> Result<(), Failure> {
        let [x, y] = [self.count(Axes::X), self.count(Axes::Y)];
        if points.iter().any(|point| x.shows(point.0) && y.shows(point.1)) {
            return Ok(());
        }
        let names = pair.map(|k| table.columns[k].name.as_str());
        let why = if self.log.is_some() { "no number above zero, which --log needs" } else { "no number to draw" };
        Err(Failure::Usage(format!("`{}` over `{}` in {} has {why}", names[1], names[0], table.source)))
    }

    /// Shows which of the forces of a distribution the solve does not resolve.
    fn mark_unresolved(&self, sheet: &mut Sheet, source: &Source, group: &[usize]) {
        let Source { table, pairs, .. } = source;
        if let Some(eta) = table.unresolved(pairs[group[0]][0]) {
            let heights = group.iter().flat_map(|k| table.curve(pairs[*k], 0..table.rows.len()));
            let heights = heights.map(|(_, y)| y).filter(|y| *y > 0.0);
            let (low, high) = heights.fold((f64::INFINITY, 0.0), |(low, high), y| (y.min(low), y.max(high)));
            let low = if self.log.is_some() { low } else { 0.0 };
            sheet.curve("forces left of it are not resolved", Hand::Dashes, vec![(eta, low), (eta, high)]);
        }
    }
}

/// The columns of a curve: `y` over time, or `x,y`.
fn pair(table: &mut Table, columns: &str) -> Result<[usize; 2], Failure> {
    match derived::parts(columns)[..] {
        [y] => Ok([table.abscissa()?, table.find(y)?]),
        [x, y] => Ok([table.find(x)?, table.find(y)?]),
        _ => Err(Failure::Usage(format!("`{columns}`: a curve takes one column or two, as in bob_x,bob_vx"))),
    }
}

/// The mean of y over an odd number of rows around each; at ends and gaps over those that lie as far on both sides.
/// Where x or y is missing there is no point.
fn smooth(points: Vec<(f64, f64)>, rows: usize) -> Vec<(f64, f64)> {
    let is_there = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
    let mean = |k: usize| {
        let most = (rows / 2).min(k).min(points.len() - 1 - k);
        let around =
            (0..=most).rev().map(|reach| &points[k - reach..=k + reach]).find(|part| part.iter().all(is_there));
        around.map_or(f64::NAN, |around| around.iter().map(|(_, y)| y).sum::<f64>() / around.len() as f64)
    };
    (0..points.len()).map(|k| (points[k].0, mean(k))).collect()
}

/// What the curves of a run or a table are called: its name without the usual ending.
fn called(place: &Path) -> String {
    let name = place.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = [".out", ".csv"].into_iter().find_map(|ending| name.strip_suffix(ending));
    ending.unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    #[test]
    fn curves_have_the_whole_name_of_their_run() {
        for (place, name) in [("runs/heap.out", "heap"), ("e=0.5", "e=0.5"), ("profile.csv", "profile"), (".", "")] {
            assert_eq!(called(Path::new(place)), name);
        }
    }

    #[test]
    fn columns_are_found_by_name_and_pairs_are_read() {
        let mut table = Table::parse("series.csv", "time [s],bob_x [m],bob_vx [m/s]\n0,1,2\n0.5,3,4\n");
        assert!(matches!(pair(&mut table, "bob_x,bob_vx"), Ok([1, 2])));
        assert!(matches!(pair(&mut table, "bob_vx"), Ok([0, 2])));
        assert_eq!(table.curve([1, 2], 0..2), [(1.0, 2.0), (3.0, 4.0)]);
        let message = refusal(pair(&mut table, "bob_y"));
        assert!(message.contains("bob_y") && message.contains("bob_vx"));
        assert!(pair(&mut table, "a,b,c").is_err());
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

    /// A strain that counts from a stage has no number before it; stresses of that time stay out of the mean.
    #[test]
    fn a_moving_mean_does_not_reach_across_gaps() {
        let x = [f64::NAN, f64::NAN, 0.0, 1.0, 2.0];
        let points = x.into_iter().zip([0.0, 0.0, 6.0, 9.0, 6.0]).collect();
        let found: Vec<f64> = smooth(points, 3).into_iter().map(|(_, y)| y).collect();
        assert!(found[0].is_nan() && found[1].is_nan());
        assert_eq!(found[2..], [6.0, 7.0, 6.0]);
    }
}
