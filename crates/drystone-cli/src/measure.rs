//! The verb measure: tables and fields from stored frames.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use drystone::input::{nearest, units};
use drystone::measure::frame::grid::Grid;
use drystone::measure::frame::{FrameView, MeasureOptions, Nothing, Setting};
use drystone::measure::{Column, FrameMeasure, Measures, Recorded};
use drystone::record::aside::write_aside;
use drystone::record::vtp::{Array, ImageData};
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;

use crate::Failure;
use crate::folder::{Which, frame, open, range};
use crate::scenario::print;

/// Measure stored frames: stress, fabric, forces, profiles, fields and more, as CSV or VTI.
#[derive(Args)]
pub(crate) struct Measure {
    /// Folder of the run.
    #[arg(required_unless_present = "list")]
    folder: Option<PathBuf>,
    /// What to measure, as `--list` names it.
    #[arg(required_unless_present = "list")]
    what: Option<String>,
    /// List what can be measured.
    #[arg(long)]
    list: bool,
    /// Frames: `7`, `3..9`, `3..`, `first`, `last` or `all` [default: all; for curves, distributions and grids the
    /// last].
    #[arg(long)]
    frames: Option<String>,
    /// Part of space: `x=0..0.1,y="5 mm".."2 cm"`; an end that is left out is that of the grains.
    #[arg(long)]
    region: Option<String>,
    /// The mean of all these frames: one table instead of one a frame. The default is then all frames.
    #[arg(long)]
    mean: bool,
    /// Cut the region into cells: `20x10`, in 3D `20x10x5`.
    #[arg(long)]
    cells: Option<String>,
    /// Bins of a distribution, profile or pair correlation.
    #[arg(long, default_value_t = 40)]
    bins: usize,
    /// Axis of a profile or an axial strain [default: that of gravity, without gravity the last].
    #[arg(long)]
    axis: Option<String>,
    /// Stage at whose beginning, or frame in which, a strain or an energy balance is zero [default: the first frame].
    #[arg(long, value_name = "STAGE")]
    since: Option<String>,
    /// Wall of a pressure profile.
    #[arg(long)]
    wall: Option<String>,
    /// Reach of a pair correlation in mean diameters.
    #[arg(long, default_value_t = 5.0)]
    reach: f64,
    /// Width of the Gaussian of a field in mean diameters.
    #[arg(long, default_value_t = 1.0)]
    width: f64,
    /// Level that a discharge passes: `y=0`.
    #[arg(long)]
    below: Option<String>,
    /// File to write to: .csv, or .vti for ParaView if the rows are cells [default: print the table].
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Replace a file that exists.
    #[arg(long)]
    force: bool,
}

/// A table over frames.
pub(crate) struct Table {
    pub columns: Vec<Column>,
    /// Number and time of the frame, and a row of it.
    pub rows: Vec<(usize, f64, Vec<f64>)>,
}

impl Table {
    /// The mean over frames, row by row: all have the same rows. It bears number and time of the last.
    fn mean(self, frames: usize) -> Result<Table, Failure> {
        let count = self.rows.len() / frames;
        if count * frames != self.rows.len() {
            return Err(Failure::Usage("frames with different numbers of rows have no mean [E107]".into()));
        }
        let number = |k: usize, column: usize| {
            let numbers = self.rows.iter().skip(k).step_by(count).map(|(_, _, row)| row[column]);
            numbers.sum::<f64>() / frames as f64
        };
        let last = &self.rows[self.rows.len() - count..];
        let mean = |(k, (frame, time, row)): (usize, &(usize, f64, Vec<f64>))| {
            (*frame, *time, (0..row.len()).map(|column| number(k, column)).collect())
        };
        let rows = last.iter().enumerate().map(mean).collect();
        Ok(Table { columns: self.columns, rows })
    }
}

impl Measure {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let (Some(path), Some(what), false) = (&self.folder, &self.what, self.list) else {
            return print(&list());
        };
        let (found, images) = self.measured(path, what)?;
        if self.is_image() { print(&images) } else { self.table(&found) }
    }

    fn is_image(&self) -> bool {
        self.out.as_ref().and_then(|out| out.extension()).is_some_and(|end| end == "vti")
    }

    /// What the frames of a run give: a table, or the names of the images that were written.
    pub(crate) fn measured(&self, path: &Path, what: &str) -> Result<(Table, String), Failure> {
        let measure = find(what)?;
        let folder = open(path)?;
        let scenario = AnyScenario::read(&folder.scenario(), &[])?;
        let dimension = match scenario {
            AnyScenario::Plane(_) => 2,
            AnyScenario::Space(_) => 3,
        };
        if what.starts_with("energy") && scenario.turns_gravity() {
            return Err(Failure::Usage(format!(
                "`{what}` of frames counts the potential energy of one gravity, and a stage of this run sets another: \
                 take \"energy\" into the series [E107]"
            )));
        }
        if self.region.is_some() && !measure.takes_region() {
            let message = format!("`{what}` is that of the whole frame: leave --region out [E107]");
            return Err(Failure::Usage(message));
        }
        if self.since.is_some() && !measure.looks_back() {
            return Err(Failure::Usage(format!("`{what}` does not count from a stage: leave --since out [E107]")));
        }
        let options = self.options(dimension)?;
        let is_table = measure.is_curve() || options.cells.is_some();
        let default = if is_table && !self.mean { "last" } else { "all" };
        let numbers = range(&folder, self.frames.as_deref().unwrap_or(default))?;
        let is_image = self.is_image();
        if self.mean && is_image {
            return Err(Failure::Usage("a mean is written as .csv [E107]".into()));
        }
        let (setting, mut frames) = (scenario.setting(), Frames::open(&folder)?);
        match self.since.as_ref().map(|since| (since, since.parse::<Which>())) {
            None => {}
            Some((_, Ok(which))) => frames.first = frame(&folder, which)?.1,
            Some((stage, Err(_))) => {
                let found = drystone::sim::beginning_of(&folder, &scenario, stage);
                frames.first = found.map_err(|error| Failure::Usage(format!("{error} [E107]")))?;
            }
        }
        let options = match self.mean {
            true => frames.shared(measure, &numbers, &setting, options)?,
            false => options,
        };
        let (mut found, mut empty) = (Table { columns: Vec::new(), rows: Vec::new() }, Vec::new());
        let mut written = String::new();
        let mut before = frames.before(numbers[0])?;
        for number in &numbers {
            let frame = frames.read(*number)?;
            let then = before.replace(frame.clone());
            let view = FrameView {
                first: Some(&frames.first),
                before: then.as_ref(),
                ..FrameView::whole(&frame, &setting, &options)
            };
            let measured = measure.rows(&view);
            let rows = match measured {
                Ok(rows) => rows,
                Err(nothing @ Nothing::Lacks(_)) if !matches!(numbers[..], [_, _, ..]) => return Err(unfit(&nothing)),
                Err(nothing) => {
                    empty.push((*number, nothing));
                    continue;
                }
            };
            found.columns = measure.columns(&view);
            match self.out.as_ref().filter(|_| is_image) {
                Some(out) => {
                    let Some(grid) = measure.cells(&view).map_err(|nothing| unfit(&nothing))? else {
                        return Err(Failure::Usage(format!(
                            "`{what}` is no field in cells: give --cells, or write to a file that ends in .csv [E107]"
                        )));
                    };
                    let out = if numbers.len() == 1 { out.clone() } else { numbered(out, *number) };
                    self.image(&out, &grid, &found.columns, &rows, frame.time)?;
                    let _ = writeln!(written, "{}", out.display());
                }
                None => found.rows.extend(rows.into_iter().map(|row| (*number, frame.time, row))),
            }
        }
        match empty.as_slice() {
            [(_, nothing), ..] if empty.len() == numbers.len() => return Err(unfit(nothing)),
            [] => {}
            [(number, nothing), ..] => {
                eprintln!("note: {} of {} frames left out; frame {number}: {nothing}", empty.len(), numbers.len())
            }
        }
        if self.mean {
            found = found.mean(numbers.len() - empty.len())?;
        }
        Ok((found, written))
    }

    fn options(&self, dimension: usize) -> Result<MeasureOptions, Failure> {
        if self.bins == 0 || !(self.reach > 0.0 && self.width > 0.0) {
            return Err(Failure::Usage("--bins, --reach and --width are above zero".into()));
        }
        let axis = |text: &str| axis(text, dimension);
        Ok(MeasureOptions {
            region: self.region.as_deref().map_or(Ok([[None; 2]; 3]), |text| region(text, dimension))?,
            cells: self.cells.as_deref().map(|text| cells(text, dimension)).transpose()?,
            bins: self.bins,
            axis: self.axis.as_deref().map(axis).transpose()?,
            wall: self.wall.clone(),
            span: None,
            reach: self.reach,
            width: self.width,
            below: self.below.as_deref().map(|text| level(text, dimension)).transpose()?,
        })
    }

    fn table(&self, table: &Table) -> Result<(), Failure> {
        let mut text = String::from("frame,time [s]");
        table.columns.iter().for_each(|column| text += &format!(",{}", column.header()));
        text.push('\n');
        for (number, time, row) in &table.rows {
            let _ = write!(text, "{number},{time}");
            row.iter().for_each(|x| text += &format!(",{x}"));
            text.push('\n');
        }
        match &self.out {
            None => print(&text),
            Some(out) => {
                self.may_write(out)?;
                write_aside(out, |file| io::Write::write_all(file, text.as_bytes())).map_err(failed)?;
                print(&format!("{}\n", out.display()))
            }
        }
    }

    fn image(&self, out: &Path, grid: &Grid, columns: &[Column], rows: &[Vec<f64>], time: f64) -> Result<(), Failure> {
        self.may_write(out)?;
        let mut cells = grid.cells;
        let spacing = std::array::from_fn(|axis| grid.region.length(axis) / grid.cells[axis] as f64);
        if grid.region.dimension == 2 {
            cells[2] = 0;
        }
        let image = ImageData {
            origin: grid.region.min,
            spacing: if cells[2] == 0 { [spacing[0], spacing[1], 1.0] } else { spacing },
            cells,
            cell_arrays: arrays(columns, rows, grid.region.dimension),
            field_arrays: vec![Array::scalars("TimeValue", &[time])],
        };
        write_aside(out, |file| image.write(file)).map_err(failed)
    }

    fn may_write(&self, out: &Path) -> Result<(), Failure> {
        if out.exists() && !self.force {
            return Err(Failure::Usage(format!("{} exists already: replace it with --force [E105]", out.display())));
        }
        Ok(())
    }
}

/// The frames of a run, and the first of them.
struct Frames {
    dir: PathBuf,
    numbers: Vec<usize>,
    first: Frame,
}

impl Frames {
    fn open(folder: &RunFolder) -> Result<Frames, Failure> {
        let dir = folder.frames();
        let numbers = frame_files::numbers(&dir).map_err(failed)?;
        let first = frame_files::read(&dir, numbers[0]).map_err(failed)?;
        Ok(Frames { dir, numbers, first })
    }

    fn read(&self, number: usize) -> Result<Frame, Failure> {
        frame_files::read(&self.dir, number).map_err(failed)
    }

    /// What the frames of a mean share, so that a row means the same position in all of them.
    fn shared(
        &self,
        measure: &dyn FrameMeasure,
        numbers: &[usize],
        setting: &Setting,
        asked: MeasureOptions,
    ) -> Result<MeasureOptions, Failure> {
        let mut shared = asked.clone();
        for number in numbers {
            let frame = self.read(*number)?;
            // a frame without anything to share is skipped later, with a note
            let _ = measure.share(&FrameView::whole(&frame, setting, &asked), &mut shared);
        }
        Ok(shared)
    }

    fn before(&self, number: usize) -> Result<Option<Frame>, Failure> {
        let earlier = self.numbers.iter().rev().find(|other| **other < number);
        earlier.map(|earlier| self.read(*earlier)).transpose()
    }
}

fn failed(error: io::Error) -> Failure {
    Failure::Run(format!("{error} [E103]"))
}

fn unfit(nothing: &Nothing) -> Failure {
    Failure::Usage(format!("nothing to measure: {nothing} [E107]"))
}

/// The measure of frames with this name.
fn find(name: &str) -> Result<&'static dyn FrameMeasure, Failure> {
    if let Some(measure) = Measures::ALL.iter().find(|measure| measure.name() == name) {
        return measure.of_frame().ok_or_else(|| {
            let message = format!("`{name}` is of a step, not of a frame: record it with series = [\"{name}\"] [E107]");
            Failure::Usage(message)
        });
    }
    let names = || Measures::ALL.iter().filter(|measure| measure.of_frame().is_some()).map(|measure| measure.name());
    let near = || nearest(name, names()).map(|near| format!("did you mean `{near}`?"));
    let meant = Measures::meant_by(name).or_else(near).map_or(String::new(), |meant| format!(" {meant};"));
    let known = names().collect::<Vec<_>>().join(", ");
    Err(Failure::Usage(format!("there is no measure `{name}`:{meant} known: {known} [E107]")))
}

/// All measures: what each is, where it can be had, and its columns with their units.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for measure in Measures::ALL {
        let place = match (measure.is_recorded(), measure.of_frame().is_some()) {
            (true, true) => "series, frames",
            (true, false) => "series",
            (false, _) => "frames",
        };
        let columns: Vec<String> = Recorded::from(*measure).example_columns();
        let _ = writeln!(text, "{:<26}{place}", measure.name());
        let _ = writeln!(text, "    {}", measure.about().trim());
        let _ = writeln!(text, "    {}", columns.join(", "));
    }
    text
}

/// `field.vti` of frame 12 as `field_000012.vti`.
fn numbered(out: &Path, number: usize) -> PathBuf {
    let stem = out.file_stem().and_then(|stem| stem.to_str()).unwrap_or("field");
    out.with_file_name(format!("{stem}_{number:06}.vti"))
}

/// Columns as arrays: `name_x`, `name_y` .. become a vector, `name_xx` .. a tensor of nine numbers.
fn arrays(columns: &[Column], rows: &[Vec<f64>], dimension: usize) -> Vec<Array> {
    let axes = &["x", "y", "z"][..dimension];
    let at = |name: &str| columns.iter().position(|column| column.name == name);
    let number = |row: &Vec<f64>, column: Option<usize>| column.map_or(0.0, |column| row[column]);
    let mut arrays = Vec::new();
    for (k, column) in columns.iter().enumerate().skip(dimension) {
        let base = |end: &str| column.name.strip_suffix(end).filter(|base| at(&format!("{base}{end}")).is_some());
        if let Some(base) = base("_xx") {
            let place = |i: usize| {
                let name = |axis: usize| ["x", "y", "z"][axis];
                at(&format!("{base}_{}{}", name(i / 3), name(i % 3)))
            };
            let tensors: Vec<[f64; 9]> =
                rows.iter().map(|row| std::array::from_fn(|i| number(row, place(i)))).collect();
            arrays.push(Array::vectors(base, &tensors));
        } else if let Some(base) = base("_x") {
            let place = |i: usize| at(&format!("{base}_{}", ["x", "y", "z"][i]));
            let vectors: Vec<[f64; 3]> =
                rows.iter().map(|row| std::array::from_fn(|i| number(row, place(i)))).collect();
            arrays.push(Array::vectors(base, &vectors));
        } else if !is_part(&column.name, axes) {
            arrays.push(Array::scalars(&column.name, &rows.iter().map(|row| row[k]).collect::<Vec<_>>()));
        }
    }
    arrays
}

/// Whether a column is a further component of a vector or tensor.
fn is_part(name: &str, axes: &[&str]) -> bool {
    let end = name.rsplit('_').next().unwrap_or_default();
    name.contains('_') && (1..=2).contains(&end.len()) && end.chars().all(|c| axes.contains(&c.to_string().as_str()))
}

/// Number of an axis by its name.
pub(crate) fn axis(text: &str, dimension: usize) -> Result<usize, Failure> {
    let axes = &["x", "y", "z"][..dimension];
    let found = axes.iter().position(|axis| *axis == text.trim());
    found.ok_or_else(|| Failure::Usage(format!("`{text}` is no axis of the run: {}", axes.join(", "))))
}

/// A length with or without a unit [m].
pub(crate) fn length(text: &str) -> Result<f64, Failure> {
    let text = text.trim().trim_matches('"');
    match units::parse(text) {
        Ok(measured) if measured.dimension.is_none_or(|dimension| dimension == [0, 1, 0, 0]) => Ok(measured.si),
        Ok(measured) => Err(Failure::Usage(format!(
            "`{text}` is {}, not a length (m)",
            units::name(measured.dimension.unwrap_or_default())
        ))),
        Err(why) => Err(Failure::Usage(why)),
    }
}

/// `x=0..0.1,y=..5mm`
pub(crate) fn region(text: &str, dimension: usize) -> Result<[[Option<f64>; 2]; 3], Failure> {
    let mut region = [[None; 2]; 3];
    for part in text.split(',') {
        let ends = part.split_once('=').and_then(|(axis, ends)| Some((axis, ends.split_once("..")?)));
        let Some((name, (low, high))) = ends else {
            return Err(Failure::Usage(format!("`{part}`: a region is written like x=0..0.1,y=\"5 mm\"..\"2 cm\"")));
        };
        let end = |text: &str| if text.trim().is_empty() { Ok(None) } else { length(text).map(Some) };
        let ends = [end(low)?, end(high)?];
        if let [Some(low), Some(high)] = ends
            && low >= high
        {
            return Err(Failure::Usage(format!(
                "the region {part} is empty: it ends where it begins or before [E107]"
            )));
        }
        region[axis(name, dimension)?] = ends;
    }
    Ok(region)
}

/// `20x10`
fn cells(text: &str, dimension: usize) -> Result<[usize; 3], Failure> {
    let numbers: Vec<Option<usize>> = text.split('x').map(|n| n.trim().parse().ok().filter(|n| *n > 0)).collect();
    let mut cells = [1; 3];
    if numbers.len() != dimension || numbers.iter().any(Option::is_none) {
        let example = if dimension == 2 { "20x10" } else { "20x10x5" };
        return Err(Failure::Usage(format!("`{text}`: cells of a {dimension}D run are written like {example}")));
    }
    numbers.iter().flatten().zip(&mut cells).for_each(|(number, cell)| *cell = *number);
    Ok(cells)
}

/// `y=0.1`
fn level(text: &str, dimension: usize) -> Result<(usize, f64), Failure> {
    match text.split_once('=') {
        Some((name, at)) => Ok((axis(name, dimension)?, length(at)?)),
        None => Err(Failure::Usage(format!("`{text}`: a level is written like y=0 or z=\"5 mm\""))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    #[test]
    fn regions_cells_and_levels_are_read_with_units() {
        let found = region("x=0..10 mm,y=..2cm", 2).unwrap_or_default();
        assert_eq!(found, [[Some(0.0), Some(0.01)], [None, Some(0.02)], [None; 2]]);
        assert!(matches!(cells("4x5", 2), Ok([4, 5, 1])) && matches!(level("z=1", 3), Ok((2, 1.0))));
        assert!(refusal(region("z=0..1", 2)).contains("no axis"));
        assert!(refusal(region("x=2..1", 2)).contains("empty"));
        assert!(refusal(region("x=0..1s", 2)).contains("not a length"));
        assert!(refusal(cells("4x0", 2)).contains("20x10"));
    }

    #[test]
    fn an_unknown_measure_gets_a_suggestion() {
        assert!(refusal(find("stres")).contains("did you mean `stress`?"));
    }

    #[test]
    fn columns_become_vectors_and_tensors() {
        let names =
            ["x", "y", "density", "velocity_x", "velocity_y", "stress_xx", "stress_xy", "stress_yx", "stress_yy"];
        let columns: Vec<Column> = names.iter().map(|name| Column::new(*name, "1")).collect();
        let arrays = arrays(&columns, &[vec![0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]], 2);
        assert_eq!(arrays.iter().map(Array::name).collect::<Vec<_>>(), ["density", "velocity", "stress"]);
        assert_eq!(arrays[2].to_vectors::<9>().unwrap(), [[4.0, 5.0, 0.0, 6.0, 7.0, 0.0, 0.0, 0.0, 0.0]]);
    }
}
