//! Results of a run: numbers that are taken from its series, its report or its frames.
//!
//! | written | means |
//! |---|---|
//! | `kinetic_energy`, `q/p`, `"stress_1 / stress_2"` | a column of the series, or an expression of columns, at the end |
//! | `stress.pressure`, `discharge.passed_mass --below y=0` | a column of `drystone measure`, of the last frame |
//! | `report.steps` | a number of report.json |
//! | `mean(q/p)`, `min`, `max`, `first`, `rate` | over the last stage; `rate` is the slope over time, by least squares |
//! | `mean(q/p; 0.5 s..)`, `rate(x; flow)` | over a part of the time, or a stage |
//! | `beta = mean(q/p)` | with a name |

use clap::Parser;
use drystone::input::magnitude::Magnitude;
use drystone::input::{nearest, units};
use drystone::measure::Measures;
use serde_json::Value as Json;

use super::cases::Case;
use super::values::separated;
use crate::Failure;
use crate::compare::outcome::stages;
use crate::compare::quantities::time_mean;
use crate::conduct::Job;
use crate::measure::Measure;
use crate::plot::table::{Heading, Table};

/// A result that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    /// What tables and plots call it.
    pub name: String,
    reduction: Reduction,
    source: Source,
    window: Window,
}

/// How a curve over time becomes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduction {
    Last,
    First,
    Mean,
    Min,
    Max,
    Rate,
}

const REDUCTIONS: [(&str, Reduction); 6] = [
    ("last", Reduction::Last),
    ("first", Reduction::First),
    ("mean", Reduction::Mean),
    ("min", Reduction::Min),
    ("max", Reduction::Max),
    ("rate", Reduction::Rate),
];

/// Where a curve comes from.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// A column of the series, or an expression of columns.
    Series(String),
    /// A column of a measure of frames, and the options of the measure.
    Frames { measure: String, column: String, options: Vec<String> },
    /// A key of the report.
    Report(String),
}

/// The times that count.
#[derive(Clone, Debug, PartialEq)]
enum Window {
    /// The last stage; for the first and the last value, all of the run.
    Usual,
    /// From one time to another [s].
    Times([Option<f64>; 2]),
    Stage(String),
}

/// Numbers of a case, and their units.
pub(super) struct Found {
    /// One for each result, where it is known.
    pub values: Vec<Option<f64>>,
    pub units: Vec<Option<String>>,
    /// Why a result is not known.
    pub faults: Vec<Option<Failure>>,
}

/// The results of a list with commas between them.
pub(super) fn parse(text: &str) -> Result<Vec<Wanted>, Failure> {
    let wanted: Vec<Wanted> = separated(text, ',').into_iter().map(Wanted::parse).collect::<Result<_, _>>()?;
    for (k, one) in wanted.iter().enumerate() {
        if wanted[..k].iter().any(|other| other.name == one.name) {
            let message = format!("two results are called `{0}`: give one a name, as in other = {0}", one.name);
            return Err(Failure::Usage(message));
        }
    }
    Ok(wanted)
}

impl Wanted {
    fn parse(text: &str) -> Result<Wanted, Failure> {
        let wrong = |why: &str| Failure::Usage(format!("`{text}`: {why}"));
        if text.is_empty() {
            return Err(Failure::Usage("a result has no name: write them as in \"kinetic_energy, mean(q/p)\"".into()));
        }
        let (name, rest) = match text.split_once('=') {
            Some((name, rest)) if is_word(name.trim()) => (Some(name.trim()), rest.trim()),
            _ => (None, text),
        };
        let reduced = REDUCTIONS.iter().find_map(|(word, reduction)| {
            let inner = rest.strip_prefix(word)?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
            // max(a, b) of two columns is an expression
            (separated(inner, ',').len() == 1 || inner.contains("--")).then_some((*reduction, inner.trim()))
        });
        let (reduction, inner) = reduced.unwrap_or((Reduction::Last, rest));
        let (inner, window) = match separated(inner, ';')[..] {
            [inner] => (inner, Window::Usual),
            [inner, window] => (inner, Window::parse(window).map_err(|why| wrong(&why))?),
            _ => return Err(wrong("one window follows the `;`, as in mean(q/p; 0.5 s..)")),
        };
        let words: Vec<&str> = separated(inner, ' ').into_iter().filter(|word| !word.is_empty()).collect();
        let options = words.iter().position(|word| word.starts_with("--")).unwrap_or(words.len());
        let column = words[..options].join(" ");
        let options = words[options..].iter().map(|word| word.to_string()).collect();
        let source = Source::parse(&column, options).map_err(|why| wrong(&why))?;
        let name = match name {
            Some(name) => name.to_string(),
            None if reduction == Reduction::Last => column,
            None => {
                rest.split(" --").next().unwrap_or(rest).trim().to_string()
                    + if rest.contains(" --") { ")" } else { "" }
            }
        };
        Ok(Wanted { name, reduction, source, window })
    }

    fn value(&self, case: &Case, report: &Json) -> Result<(Option<f64>, String), Failure> {
        let mut table = match &self.source {
            Source::Report(key) => return self.of_report(key, report),
            Source::Series(_) => Table::read(&case.folder)?,
            Source::Frames { measure, options, .. } => self.frames(case, measure, options)?,
        };
        let column = match &self.source {
            Source::Frames { column, .. } => column,
            Source::Series(column) | Source::Report(column) => column,
        };
        let (time, place) = (table.find("time")?, table.find(column)?);
        let [from, to] = self.window.ends(report, self.reduction)?;
        let points = table.curve([time, place], 0..table.rows.len()).into_iter();
        // times of frames and of stages agree but for rounding
        let slack = 1e-9 * to.abs().min(from.abs().max(1e-3));
        let inside: Vec<[f64; 2]> =
            points.filter(|(t, _)| *t >= from - slack && *t <= to + slack).map(|(t, y)| [t, y]).collect();
        let unit = table.columns[place].unit.clone();
        let unit = if self.reduction == Reduction::Rate { per_second(&unit) } else { unit };
        Ok((self.reduction.of(&inside), unit))
    }

    fn of_report(&self, key: &str, report: &Json) -> Result<(Option<f64>, String), Failure> {
        let known = report.as_object().into_iter().flatten().filter(|(_, value)| value.is_number());
        let known: Vec<&str> = known.map(|(key, _)| key.as_str()).collect();
        match report[key].as_f64() {
            Some(value) => Ok((Some(value), if key.ends_with("seconds") { "s".into() } else { String::new() })),
            None => {
                let near = nearest(key, known.iter().copied());
                let near = near.map_or(String::new(), |near| format!(" did you mean `{near}`?"));
                let known = known.join(", ");
                Err(Failure::Usage(format!("report.json has no number `{key}`:{near} it has {known} [E107]")))
            }
        }
    }

    /// The table of a measure, which must have one row a frame.
    fn frames(&self, case: &Case, measure: &str, options: &[String]) -> Result<Table, Failure> {
        let mut words = vec!["measure".to_string(), case.folder.display().to_string(), measure.to_string()];
        words.extend(options.iter().cloned());
        if !options.iter().any(|word| word.starts_with("--frames")) {
            let is_last = self.reduction == Reduction::Last && self.window == Window::Usual;
            words.push(format!("--frames={}", if is_last { "last" } else { "all" }));
        }
        let line = MeasureLine::try_parse_from(&words).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Failure::Usage(format!("`{}`: {first}", self.name))
        })?;
        let (found, _) = line.measure.measured(&case.folder, measure)?;
        if found.rows.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let message = format!("`{measure}` has several rows of a frame here, and a result is one number [E107]");
            return Err(Failure::Usage(message));
        }
        let heading = |name: &str, unit: &str| Heading {
            name: name.into(),
            unit: if unit == "1" { String::new() } else { unit.into() },
        };
        let mut columns = vec![heading("frame", ""), heading("time", "s")];
        columns.extend(found.columns.iter().map(|column| heading(&column.name, column.unit)));
        let row = |(number, time, row): (usize, f64, Vec<f64>)| [number as f64, time].into_iter().chain(row).collect();
        Ok(Table { source: format!("`{measure}`"), columns, rows: found.rows.into_iter().map(row).collect() })
    }
}

/// The words of `drystone measure`.
#[derive(Parser)]
struct MeasureLine {
    #[command(flatten)]
    measure: Measure,
}

/// What a case found.
pub(super) fn find(case: &Case, wanted: &[Wanted]) -> Found {
    let report = std::fs::read_to_string(case.folder().join("report.json")).ok();
    let report: Json = report.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut found = Found { values: Vec::new(), units: Vec::new(), faults: Vec::new() };
    for one in wanted {
        let (value, unit, fault) = match one.value(case, &report) {
            Ok((value, unit)) => (value, Some(unit), None),
            Err(fault) => (None, None, Some(fault)),
        };
        found.values.push(value);
        found.units.push(unit);
        found.faults.push(fault);
    }
    found
}

/// Whether a text is a single word, such as the name of a result.
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Source {
    fn parse(text: &str, options: Vec<String>) -> Result<Source, String> {
        let of_measure = text.split_once('.').filter(|(measure, column)| is_word(measure) && !column.contains(' '));
        if let Some((measure, column)) = of_measure {
            let column = column.to_string();
            if measure == "report" {
                return Ok(Source::Report(column));
            }
            let names: Vec<&str> = Measures::ALL.iter().map(|measure| measure.name()).collect();
            if names.contains(&measure) {
                if options.iter().any(|word| word.starts_with("--out") || word == "-o" || word.starts_with("--list")) {
                    return Err("--out and --list make no number".into());
                }
                return Ok(Source::Frames { measure: measure.into(), column, options });
            }
            if let Some(near) = nearest(measure, names.into_iter()) {
                return Err(format!("there is no measure `{measure}`: did you mean `{near}`? [E107]"));
            }
        }
        match options.first() {
            Some(option) => Err(format!("{option} is for measures of frames, as in discharge.passed_mass --below y=0")),
            None => Ok(Source::Series(text.into())),
        }
    }
}

impl Window {
    fn parse(text: &str) -> Result<Window, String> {
        let time = |text: &str| match text.trim() {
            "" => Ok(None),
            text => match units::parse(text)? {
                number if number.dimension.is_none_or(|dimension| dimension == [0, 0, 1, 0]) => Ok(Some(number.si)),
                _ => Err(format!("`{text}` is not a time (s)")),
            },
        };
        match text.split_once("..") {
            Some((from, to)) => {
                let ends = [time(from)?, time(to)?];
                match ends {
                    [Some(from), Some(to)] if to < from => Err(format!("the window {text} is empty")),
                    _ => Ok(Window::Times(ends)),
                }
            }
            None if text.is_empty() => Err("the window behind `;` is empty".into()),
            None => Ok(Window::Stage(text.into())),
        }
    }

    /// Beginning and end in this run [s].
    fn ends(&self, report: &Json, reduction: Reduction) -> Result<[f64; 2], Failure> {
        let stages = stages(report);
        let begins = |k: usize| k.checked_sub(1).map_or(0.0, |before| stages[before].time);
        match self {
            Window::Usual if [Reduction::Last, Reduction::First].contains(&reduction) => {
                Ok([f64::NEG_INFINITY, f64::INFINITY])
            }
            Window::Usual => Ok([stages.len().checked_sub(1).map_or(0.0, begins), f64::INFINITY]),
            Window::Times([from, to]) => Ok([from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY)]),
            Window::Stage(name) => match stages.iter().position(|stage| stage.stage == *name) {
                Some(k) => Ok([begins(k), stages[k].time]),
                None => {
                    let known: Vec<&str> = stages.iter().map(|stage| stage.stage.as_str()).collect();
                    let near = nearest(name, known.iter().copied());
                    let near = near.map_or(String::new(), |near| format!(" did you mean `{near}`?"));
                    let known = known.join(", ");
                    Err(Failure::Usage(format!("there is no stage `{name}`:{near} the run has {known} [E107]")))
                }
            },
        }
    }
}

impl Reduction {
    fn of(self, points: &[[f64; 2]]) -> Option<f64> {
        let there: Vec<[f64; 2]> = points.iter().copied().filter(|[_, y]| y.is_finite()).collect();
        let values = || there.iter().map(|[_, y]| *y);
        match self {
            // a gap at the end is a gap, and not what stood before it
            Reduction::Last => points.last().map(|[_, y]| *y).filter(|y| y.is_finite()),
            Reduction::First => points.first().map(|[_, y]| *y).filter(|y| y.is_finite()),
            Reduction::Min => values().reduce(f64::min),
            Reduction::Max => values().reduce(f64::max),
            Reduction::Mean => time_mean(&there).or(values().next().filter(|_| there.len() == 1)),
            Reduction::Rate => slope(&there),
        }
    }
}

/// Slope of the line through some points, by least squares.
fn slope(points: &[[f64; 2]]) -> Option<f64> {
    let count = points.len() as f64;
    let [t0, y0] = points.iter().fold([0.0; 2], |[t, y], point| [t + point[0] / count, y + point[1] / count]);
    let (above, below) = points
        .iter()
        .fold((0.0, 0.0), |(above, below), [t, y]| (above + (t - t0) * (y - y0), below + (t - t0).powi(2)));
    (below > 0.0).then(|| above / below)
}

/// A unit over a second: "kg/s" for "kg", "m/s2" for "m/s".
fn per_second(unit: &str) -> String {
    if unit.chars().all(char::is_alphabetic) {
        return format!("{}/s", if unit.is_empty() { "1" } else { unit });
    }
    let of = |unit: &str| units::parse(&format!("1 {unit}")).map(Magnitude::from).ok();
    let ratio = of(unit).zip(of("s")).and_then(|(unit, second)| unit.combined('/', second).ok()?.unit);
    ratio.map_or_else(|| format!("{unit}/s"), |unit| unit.symbol())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    fn one(text: &str) -> Wanted {
        parse(text).unwrap_or_else(|failure| panic!("{text}: {}", refusal::<()>(Err(failure)))).remove(0)
    }

    #[test]
    fn results_are_columns_with_a_reduction_and_a_window() {
        let plain = one("kinetic_energy");
        assert_eq!((plain.reduction, plain.source), (Reduction::Last, Source::Series("kinetic_energy".into())));
        let named = one("beta = mean(q/p; 0.5 s..)");
        assert_eq!((named.name.as_str(), named.reduction), ("beta", Reduction::Mean));
        assert_eq!(named.window, Window::Times([Some(0.5), None]));
        let rate = one("rate(discharge.passed_mass --below y=\"5 mm\"; flow)");
        let options = vec!["--below".to_string(), "y=\"5 mm\"".to_string()];
        let (measure, column) = ("discharge".to_string(), "passed_mass".to_string());
        assert_eq!(rate.source, Source::Frames { measure, column, options });
        assert_eq!((rate.window, rate.name.as_str()), (Window::Stage("flow".into()), "rate(discharge.passed_mass)"));
        assert_eq!(one("max(a, b)").source, Source::Series("max(a, b)".into()), "an expression of two columns");
        assert_eq!(one("max(a)").reduction, Reduction::Max);
        assert_eq!(parse("a, mean(b), max(c, d)").map(|all| all.len()).ok(), Some(3));
    }

    #[test]
    fn results_that_do_not_exist_are_answered() {
        let said = |text: &str| refusal(parse(text));
        assert!(said("strss.pressure").contains("did you mean `stress`?"));
        assert!(said("kinetic_energy --below y=0").contains("measures of frames"));
        assert!(said("mean(x; 2 s..1 s)").contains("empty"));
        assert!(said("mean(x; 2 m..)").contains("not a time"));
        assert!(said("a, a").contains("two results are called `a`"));
    }

    /// y = 1 + 3 t with a gap: the mean over time from 0 to 4 is 7, the slope 3.
    #[test]
    fn a_curve_becomes_a_number() {
        let points = [[0.0, 1.0], [1.0, 4.0], [2.0, f64::NAN], [4.0, 13.0]];
        let numbers = REDUCTIONS.map(|(_, reduction)| reduction.of(&points));
        let known = [13.0, 1.0, 7.0, 1.0, 13.0, 3.0];
        for (found, known) in numbers.into_iter().zip(known) {
            assert!(found.is_some_and(|found| (found - known).abs() < 1e-12), "{found:?}, not {known}");
        }
        assert_eq!(Reduction::Last.of(&points[..3]), None, "a gap is not replaced by what was before");
        assert_eq!(Reduction::Rate.of(&points[..1]), None);
    }

    #[test]
    fn rates_have_units() {
        assert_eq!(["kg", "m/s", "", "N/m"].map(per_second), ["kg/s", "m/s2", "1/s", "kg/s3"]);
    }
}
