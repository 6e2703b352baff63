//! Coarse-grained fields of all methods on one grid: density, flow of mass, stress.

use drystone::measure::frame::grid::Grid;
use drystone::measure::frame::{FrameMeasure, FrameRegion, FrameView, MeasureOptions};
use drystone::measure::{Column, Measures};
use drystone::method::Kind;
use drystone::record::Frame;

use super::cases::Plan;
use super::outcome::Outcome;
use super::report::Figure;
use crate::Failure;
use crate::picture::palette::Map;
use crate::picture::plot::{Axis, Bar, Plot, Tile};

/// Most cells along an axis.
const MOST_CELLS: f64 = 48.0;
/// Paper of a map [units]: its width, and what is not map.
const WIDE: f64 = 760.0;
const AROUND: [f64; 2] = [250.0, 130.0];

/// The grid on which all runs are compared.
pub(super) struct FieldGrid {
    measure: &'static dyn FrameMeasure,
    options: MeasureOptions,
    /// The region that holds the grains of all last frames.
    region: FrameRegion,
    cells: [usize; 3],
    /// Width of the Gaussian [m].
    pub width: f64,
}

/// What a field is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Density,
    /// Density times velocity: defined where there are no grains, too.
    Flow,
    Stress,
}

pub(super) const CONTENTS: [Content; 3] = [Content::Density, Content::Flow, Content::Stress];

impl Content {
    pub(super) fn name(self) -> &'static str {
        match self {
            Content::Density => "density",
            Content::Flow => "flow of mass",
            Content::Stress => "stress",
        }
    }

    /// What a map of it shows, with its unit.
    fn label(self) -> &'static str {
        match self {
            Content::Density => "Density (kg/m³)",
            Content::Flow => "Flow of mass (kg/m²s)",
            Content::Stress => "Pressure (Pa)",
        }
    }
}

/// A field: components in every cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    cells: Vec<Vec<f64>>,
}

impl Field {
    /// The mean of fields on one grid; none without any.
    pub(super) fn mean<'f>(fields: impl IntoIterator<Item = &'f Field>) -> Option<Field> {
        let fields: Vec<&Field> = fields.into_iter().collect();
        let mut sum = (*fields.first()?).clone();
        for field in &fields[1..] {
            for (cell, other) in sum.cells.iter_mut().zip(&field.cells) {
                cell.iter_mut().zip(other).for_each(|(x, y)| *x += y);
            }
        }
        sum.cells.iter_mut().flatten().for_each(|x| *x /= fields.len() as f64);
        Some(sum)
    }

    /// Root mean square of the difference over that of the reference: 0 for equal fields; none if the reference is
    /// zero.
    pub(super) fn distance(&self, reference: &Field) -> Option<f64> {
        let pairs = || self.cells.iter().flatten().zip(reference.cells.iter().flatten());
        let size: f64 = pairs().map(|(_, y)| y * y).sum();
        let difference: f64 = pairs().map(|(x, y)| (x - y).powi(2)).sum();
        (size > 0.0).then(|| (difference / size).sqrt())
    }
}

impl FieldGrid {
    /// A grid with cells as long as the Gaussian is wide, which is a number of mean diameters.
    pub(super) fn around(outcomes: &[Outcome], diameters: f64) -> Result<Option<FieldGrid>, Failure> {
        let Some(measure) = Measures::ALL.iter().find(|m| m.name() == "field").and_then(|m| m.of_frame()) else {
            return Ok(None);
        };
        let plain = MeasureOptions { width: diameters, ..MeasureOptions::default() };
        let (mut whole, mut width): (Option<FrameRegion>, f64) = (None, 0.0);
        for outcome in outcomes {
            let frame = outcome.last_frame()?;
            let view = FrameView::whole(&frame, &outcome.setting, &plain);
            let Ok(region) = view.region() else { continue };
            width = width.max(diameters * view.mean_diameter(&view.grains_in(&region)));
            let joined = |one: FrameRegion| FrameRegion {
                min: std::array::from_fn(|axis| one.min[axis].min(region.min[axis])),
                max: std::array::from_fn(|axis| one.max[axis].max(region.max[axis])),
                ..one
            };
            whole = Some(whole.map_or(region, joined));
        }
        let Some(region) = whole.filter(|_| width > 0.0) else { return Ok(None) };
        let count = |axis: usize| match (region.dimension, axis) {
            (2, 2) | (3, 1) => 1, // in space a slice through the middle
            _ => (region.length(axis) / width).ceil().clamp(1.0, MOST_CELLS) as usize,
        };
        let cells = std::array::from_fn(count);
        let ends = |axis: usize| [Some(region.min[axis]), Some(region.max[axis])];
        let options = MeasureOptions { region: std::array::from_fn(ends), cells: Some(cells), ..plain };
        Ok(Some(FieldGrid { measure, options, region, cells, width }))
    }

    /// A field of a frame; none if no grain is in the region.
    pub(super) fn of(&self, frame: &Frame, outcome: &Outcome, content: Content) -> Option<Field> {
        let view = FrameView::whole(frame, &outcome.setting, &self.options);
        let (columns, rows) = (self.measure.columns(&view), self.measure.rows(&view).ok()?);
        let places = |prefix: &str| -> Vec<usize> {
            let is_meant = |column: &Column| column.name.starts_with(prefix);
            columns.iter().enumerate().filter(|(_, column)| is_meant(column)).map(|(k, _)| k).collect()
        };
        let density = places("density");
        let cell = |row: &Vec<f64>| -> Vec<f64> {
            let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
            match content {
                Content::Density => density.iter().map(|k| row[*k]).collect(),
                Content::Flow => places("velocity_").iter().map(|k| finite(row[*k] * row[density[0]])).collect(),
                Content::Stress => places("stress_").iter().map(|k| row[*k]).collect(),
            }
        };
        Some(Field { cells: rows.iter().map(cell).collect() })
    }

    /// What a map shows of a cell: the number, its size, or the pressure.
    fn shown(&self, content: Content, cell: &[f64]) -> f64 {
        let dimension = self.region.dimension;
        match content {
            Content::Density => cell[0],
            Content::Flow => cell.iter().map(|x| x * x).sum::<f64>().sqrt(),
            // the diagonal of a tensor whose rows stand one after the other
            Content::Stress => (0..dimension).map(|k| cell[k * (dimension + 1)]).sum::<f64>() / dimension as f64,
        }
    }

    /// A map of numbers, one for each cell.
    fn map(&self, title: &str, label: &str, numbers: &[f64], scale: MapScale) -> Plot {
        let up = if self.region.dimension == 2 { 1 } else { 2 };
        let labels = ["x (m)", "y (m)", "z (m)"];
        let mut plot = Plot::new(title, Axis::linear(labels[0]), Axis::linear(labels[up]));
        let grid = Grid { region: self.region, cells: self.cells };
        let MapScale { ends: [low, high], map } = scale;
        let tile = |(k, number): (usize, &f64)| {
            let cell = grid.cell(k);
            let part = if high > low { (number - low) / (high - low) } else { 0.5 };
            Tile { x: [cell.min[0], cell.max[0]], y: [cell.min[up], cell.max[up]], colour: map.at(part) }
        };
        plot.tiles(numbers.iter().enumerate().map(tile).collect());
        plot.bar(Bar { label: label.into(), ends: scale.ends, map, part: 1.0 });
        let height = (WIDE - AROUND[0]) * self.region.length(up) / self.region.length(0);
        plot.on(Plot::paper(Some([WIDE, height.clamp(260.0, 1200.0) + AROUND[1]]), None));
        plot
    }
}

/// The numbers at both ends of a map of colours.
#[derive(Clone, Copy)]
struct MapScale {
    ends: [f64; 2],
    map: Map,
}

/// How far the fields of a method are from those of the first.
pub(super) struct FieldDistance {
    pub content: Content,
    pub method: Kind,
    /// Of the means over all seeds.
    pub distance: f64,
    /// What the scatter of the seeds alone explains, for means of so many runs; none of single runs.
    pub of_scatter: Option<f64>,
}

/// Maps and distances of the last frames.
pub(super) struct Fields {
    pub figures: Vec<Figure>,
    pub distances: Vec<FieldDistance>,
}

/// Compares the fields of the last frames.
pub(super) fn compare(plan: &Plan, outcomes: &[Outcome], grid: &FieldGrid) -> Result<Fields, Failure> {
    let mut fields = Fields { figures: Vec::new(), distances: Vec::new() };
    for content in CONTENTS {
        let mut of_methods: Vec<Vec<Field>> = Vec::new();
        for method in &plan.methods {
            let mut own = Vec::new();
            for outcome in outcomes.iter().filter(|outcome| outcome.case.method == *method) {
                own.extend(grid.of(&outcome.last_frame()?, outcome, content));
            }
            of_methods.push(own);
        }
        let means: Vec<Option<Field>> = of_methods.iter().map(Field::mean).collect();
        let Some(reference) = &means[0] else { continue };
        for (k, method) in plan.methods.iter().enumerate().skip(1) {
            let Some(distance) = means[k].as_ref().and_then(|mean| mean.distance(reference)) else { continue };
            let scatter = |k: usize| means[k].as_ref().and_then(|mean| scatter(&of_methods[k], mean, reference));
            let of_scatter = scatter(0).zip(scatter(k)).map(|(one, other)| one.hypot(other));
            fields.distances.push(FieldDistance { content, method: *method, distance, of_scatter });
        }
        fields.figures.extend(maps(plan, grid, content, &means)?);
    }
    Ok(fields)
}

/// Standard error of a mean field over the size of the reference; none of a single field.
fn scatter(fields: &[Field], mean: &Field, reference: &Field) -> Option<f64> {
    let runs = fields.len() as f64;
    let zero = Field { cells: reference.cells.iter().map(|cell| vec![0.0; cell.len()]).collect() };
    // sums of squares over that of the reference
    let size = zero.distance(mean)?; // 1 unless the mean is zero
    let squares: Option<Vec<f64>> = fields.iter().map(|field| Some(field.distance(mean)?.powi(2))).collect();
    let relative = mean_size(mean, reference)? / size;
    let sum: f64 = squares?.iter().sum();
    (fields.len() > 1).then(|| relative * (sum / (runs - 1.0) / runs).sqrt())
}

/// Root mean square of a field over that of the reference.
fn mean_size(field: &Field, reference: &Field) -> Option<f64> {
    let square = |field: &Field| field.cells.iter().flatten().map(|x| x * x).sum::<f64>();
    (square(reference) > 0.0).then(|| (square(field) / square(reference)).sqrt())
}

/// A map for each method on one scale, and of the difference of each from the first.
fn maps(plan: &Plan, grid: &FieldGrid, content: Content, means: &[Option<Field>]) -> Result<Vec<Figure>, Failure> {
    let shown = |field: &Field| -> Vec<f64> { field.cells.iter().map(|cell| grid.shown(content, cell)).collect() };
    let numbers: Vec<Option<Vec<f64>>> = means.iter().map(|mean| mean.as_ref().map(shown)).collect();
    let highest = numbers.iter().flatten().flatten().fold(0.0_f64, |high, x| high.max(*x));
    let name = |what: &str| format!("field-{}-{what}", content.name().replace(' ', "-"));
    let mut figures = Vec::new();
    for (method, numbers) in plan.methods.iter().zip(&numbers) {
        let Some(numbers) = numbers else { continue };
        let plot =
            grid.map(method.name(), content.label(), numbers, MapScale { ends: [0.0, highest], map: Map::Viridis });
        figures.push(Figure::drawn(name(method.name()), format!("{}: {}", method.name(), content.label()), &plot)?);
    }
    let Some(reference) = &numbers[0] else { return Ok(figures) };
    for (method, numbers) in plan.methods.iter().zip(&numbers).skip(1) {
        let Some(numbers) = numbers else { continue };
        let differences: Vec<f64> = numbers.iter().zip(reference).map(|(x, y)| x - y).collect();
        let largest = differences.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let title = format!("{} minus {}", method.name(), plan.methods[0].name());
        let scale = MapScale { ends: [-largest, largest], map: Map::BlueRed };
        let plot = grid.map(&title, content.label(), &differences, scale);
        figures.push(Figure::drawn(
            name(&format!("{}-difference", method.name())),
            format!("{title}: {}", content.label()),
            &plot,
        )?);
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(numbers: &[f64]) -> Field {
        Field { cells: numbers.iter().map(|x| vec![*x]).collect() }
    }

    #[test]
    fn distances_are_relative_to_the_reference() {
        let (reference, other) = (field(&[3.0, 4.0]), field(&[3.0, 4.5]));
        assert_eq!(other.distance(&reference), Some(0.1));
        assert_eq!((reference.distance(&reference), reference.distance(&field(&[0.0, 0.0]))), (Some(0.0), None));
        assert_eq!(Field::mean([&reference, &other]), Some(field(&[3.0, 4.25])));
    }

    /// Numbers 4 and 6 about a mean of 5: the standard error of the mean is 1, a fifth of the reference.
    #[test]
    fn the_scatter_of_a_mean_is_its_standard_error() {
        let of = |fields: &[Field]| scatter(fields, &Field::mean(fields).expect("fields"), &field(&[5.0]));
        assert!((of(&[field(&[4.0]), field(&[6.0])]).expect("two fields") - 0.2).abs() < 1e-12);
        assert_eq!(of(&[field(&[4.0])]), None);
    }
}
