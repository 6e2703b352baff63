//! The report of a comparison: a page that needs no other file, a table, and the same for programs.

use std::fmt::Write;
use std::path::Path;

use drystone::record::aside::write_aside;
use serde_json::{Value as Json, json};

use super::averaging::Averaging;
use super::cases::Plan;
use super::fields::{FieldDistance, FieldGrid};
use super::outcome::Outcome;
use super::quantities::Compared;
use super::statistics::{Difference, LEVEL, Mean, Verdict};
use crate::Failure;
use crate::clock::clock;
use crate::conduct::{Ending, Job};
use crate::picture::Format;
use crate::picture::plot::Plot;
use crate::run::broken;

/// A figure of the report.
pub(super) struct Figure {
    pub name: String,
    pub caption: String,
    svg: Vec<u8>,
    png: Vec<u8>,
}

impl Figure {
    pub(super) fn drawn(name: String, caption: String, plot: &Plot) -> Result<Figure, Failure> {
        let draw = |format| plot.draw(format).map_err(Failure::Run);
        Ok(Figure { name, caption, svg: draw(Format::Svg)?, png: draw(Format::Png)? })
    }
}

/// What all runs of a method cost.
pub(super) struct Cost {
    pub method: &'static str,
    /// CPU time to the end of a run [s].
    pub seconds: Mean,
    pub steps: Mean,
    /// CPU time for a second of the clock of the run.
    pub pace: Mean,
}

impl Cost {
    /// Costs of the methods that have a run at its end.
    pub(super) fn of(plan: &Plan, outcomes: &[Outcome]) -> Vec<Cost> {
        let of_method = |method: &drystone::method::Kind| {
            let own: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.case.method == *method).collect();
            let mean =
                |of: &dyn Fn(&Outcome) -> f64| Mean::of(&own.iter().map(|outcome| of(outcome)).collect::<Vec<_>>());
            Some(Cost {
                method: method.name(),
                seconds: mean(&|outcome| outcome.seconds)?,
                steps: mean(&|outcome| outcome.steps())?,
                pace: mean(&|outcome| outcome.seconds / outcome.end())?,
            })
        };
        plan.methods.iter().filter_map(of_method).collect()
    }
}

/// Everything that a comparison found.
pub(super) struct Report<'r> {
    pub plan: &'r Plan,
    pub endings: &'r [Ending],
    pub compared: Vec<Compared>,
    pub costs: Vec<Cost>,
    pub grid: Option<FieldGrid>,
    pub distances: Vec<FieldDistance>,
    pub averaging: Vec<Averaging>,
    pub figures: Vec<Figure>,
}

/// A number with four digits.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e6).contains(&size) => format!("{value:.3e}"),
        size => {
            let decimals = (3.0 - size.log10().floor()).max(0.0) as usize;
            let text = format!("{value:.decimals$}");
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
        }
    }
}

/// A mean and its standard error.
pub(crate) fn written(mean: &Mean) -> String {
    match mean.error {
        Some(error) => format!("{} ± {}", number(mean.value), number(error)),
        None => number(mean.value),
    }
}

/// Differences are told in percent up to this part of the number of the first method.
const LARGEST_SHARE: f64 = 10.0;

/// What is said of a difference.
pub(super) fn verdict(difference: &Difference, reference: Option<&Mean>) -> String {
    let Difference { mean, verdict, .. } = difference;
    // a share of a number that is zero but for rounding says nothing
    let share =
        reference.map(|reference| mean.value / reference.value.abs()).filter(|share| share.abs() < LARGEST_SHARE);
    let share = share.map_or(String::new(), |share| format!(" ({} %)", number(100.0 * share)));
    match verdict {
        Verdict::Same => "the same".into(),
        Verdict::Agree => format!("agree within the scatter: {}{share}", written(mean)),
        Verdict::Differ => format!("differ by {}{share}", written(mean)),
        Verdict::NoScatter => format!("differ by {}{share}, one run each", written(mean)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const STYLE: &str = "body{font:16px/1.45 sans-serif;max-width:76em;margin:2em auto;padding:0 1em;color:#26282e}\
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left}\
td.n{font-variant-numeric:tabular-nums}tr.differ td:last-child{color:#be2a14}figure{display:inline-block;margin:1em;\
width:34em;vertical-align:top}figure svg{width:100%;height:auto}figcaption{font-size:.9em}pre{background:#f4f4f2;padding:1em;\
overflow:auto}.failed{color:#be2a14}";

impl Report<'_> {
    /// Writes page, tables and figures.
    pub(super) fn write(&self, out: &Path) -> Result<(), Failure> {
        let figures = out.join("figures");
        std::fs::create_dir_all(&figures).map_err(|error| broken(&error))?;
        let write = |path: &Path, content: &[u8]| {
            write_aside(path, |file| std::io::Write::write_all(file, content)).map_err(|error| broken(&error))
        };
        for figure in &self.figures {
            // the page holds them, too: they need not be safe on the disk before the next is drawn
            for (end, content) in [("svg", &figure.svg), ("png", &figure.png)] {
                std::fs::write(figures.join(format!("{}.{end}", figure.name)), content)
                    .map_err(|error| broken(&error))?;
            }
        }
        let json = serde_json::to_string_pretty(&self.json()).unwrap_or_default();
        write(&out.join("compare.json"), format!("{json}\n").as_bytes())?;
        write(&out.join("compare.csv"), self.csv().as_bytes())?;
        write(&out.join("report.html"), self.html().as_bytes())
    }

    /// Runs that failed, with the reason.
    pub(super) fn failures(&self) -> Vec<String> {
        let of_case = |(case, ending): (&super::cases::Case, &Ending)| match ending {
            Ending::Failed { why } => Some(format!("{} failed: {why}", case.name())),
            _ => None,
        };
        self.plan.cases.iter().zip(self.endings).filter_map(of_case).collect()
    }

    /// Names of the methods but the first.
    fn others(&self) -> Vec<&'static str> {
        self.plan.methods[1..].iter().map(|method| method.name()).collect()
    }

    /// A line for each quantity.
    fn csv(&self) -> String {
        let mut text = String::from("quantity,unit,when");
        for method in &self.plan.methods {
            let name = method.name();
            let _ = write!(text, ",{name},{name}_error,{name}_runs");
        }
        for name in self.others() {
            let _ = write!(text, ",{name}_difference,{name}_difference_error,{name}_probability,{name}_verdict");
        }
        text.push('\n');
        let cell = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:e}"));
        for Compared { quantity, means, differences } in &self.compared {
            let _ = write!(text, "{},{},{}", quantity.name, quantity.unit, quantity.when);
            for mean in means {
                let runs = mean.map_or(0, |mean| mean.runs);
                let _ = write!(text, ",{},{},{runs}", cell(mean.map(|m| m.value)), cell(mean.and_then(|m| m.error)));
            }
            for found in differences {
                let (mean, p) = (found.map(|found| found.mean), found.and_then(|found| found.probability));
                let word = found.map_or("", |found| found.verdict.word());
                let _ = write!(
                    text,
                    ",{},{},{},{word}",
                    cell(mean.map(|m| m.value)),
                    cell(mean.and_then(|m| m.error)),
                    cell(p)
                );
            }
            text.push('\n');
        }
        text
    }

    pub(super) fn json(&self) -> Json {
        let mean = |mean: &Mean| json!({"mean": mean.value, "standard_error": mean.error, "runs": mean.runs});
        let names: Vec<&str> = self.plan.methods.iter().map(|method| method.name()).collect();
        let case = |(case, ending): (&super::cases::Case, &Ending)| {
            let (state, why, seconds) = match ending {
                Ending::Done { seconds } => ("done", None, Some(*seconds)),
                Ending::Failed { why } => ("failed", Some(why.clone()), None),
                Ending::Interrupted => ("interrupted", None, None),
            };
            json!({"method": case.method.name(), "seed": case.seed, "folder": case.folder, "state": state, "why": why,
                   "cpu_seconds": seconds})
        };
        let quantity = |compared: &Compared| {
            let Compared { quantity, means, differences } = compared;
            let of_methods: serde_json::Map<String, Json> = names
                .iter()
                .zip(means)
                .map(|(name, value)| (name.to_string(), value.as_ref().map_or(Json::Null, mean)))
                .collect();
            let found = |difference: &Difference| {
                json!({"difference": mean(&difference.mean), "probability": difference.probability,
                       "verdict": difference.verdict.word()})
            };
            let against: serde_json::Map<String, Json> = names[1..]
                .iter()
                .zip(differences)
                .map(|(name, value)| (name.to_string(), value.as_ref().map_or(Json::Null, found)))
                .collect();
            json!({"name": quantity.name, "unit": quantity.unit, "when": quantity.when, "methods": of_methods,
                   "against_the_first": against})
        };
        let cost = |cost: &Cost| {
            json!({"method": cost.method, "cpu_seconds": mean(&cost.seconds), "steps": mean(&cost.steps),
                   "cpu_seconds_per_second": mean(&cost.pace)})
        };
        let distance = |found: &FieldDistance| {
            json!({"field": found.content.name(), "method": found.method.name(), "distance": found.distance,
                   "of_scatter": found.of_scatter})
        };
        let averaging = |found: &Averaging| {
            let window =
                |w: &super::averaging::Window| json!({"time": w.time, "to_frame": w.to_frame, "to_mean": w.to_mean});
            json!({"method": found.method.name(), "width_in_diameters": found.width, "best": window(&found.best()),
                   "windows": found.windows.iter().map(window).collect::<Vec<_>>()})
        };
        let derived: serde_json::Map<String, Json> =
            self.plan.derived.iter().map(|d| (d.method.name().to_string(), d.text.clone().into())).collect();
        json!({
            "title": self.plan.title, "methods": names, "seeds": self.plan.seeds, "notes": self.plan.notes,
            "derived": derived, "level": LEVEL,
            "cases": self.plan.cases.iter().zip(self.endings).map(case).collect::<Vec<_>>(),
            "costs": self.costs.iter().map(cost).collect::<Vec<_>>(),
            "quantities": self.compared.iter().map(quantity).collect::<Vec<_>>(),
            "fields": {"width": self.grid.as_ref().map(|grid| grid.width),
                       "distances": self.distances.iter().map(distance).collect::<Vec<_>>()},
            "averaging": self.averaging.iter().map(averaging).collect::<Vec<_>>(),
        })
    }

    fn html(&self) -> String {
        let names: Vec<&str> = self.plan.methods.iter().map(|method| method.name()).collect();
        let title = format!("{}: {} compared", escaped(&self.plan.title), names.join(", "));
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
        );
        let seeds: Vec<String> = self.plan.seeds.iter().map(u64::to_string).collect();
        let _ = writeln!(
            page,
            "<p>Seeds {}. The same seed gives the same packing under every method. All methods are compared with {}.</p>",
            seeds.join(", "),
            names[0]
        );
        for failure in self.failures() {
            let _ = writeln!(page, "<p class=\"failed\">{}</p>", escaped(&failure));
        }
        self.list_notes(&mut page);
        self.list_costs(&mut page);
        self.list_quantities(&mut page);
        self.list_fields(&mut page);
        self.list_averaging(&mut page);
        page.push_str("<h2>Figures</h2>\n");
        for figure in &self.figures {
            let svg = String::from_utf8_lossy(&figure.svg);
            let svg = svg.find("<svg").map_or("", |start| &svg[start..]);
            let _ = writeln!(page, "<figure>{svg}<figcaption>{}</figcaption></figure>", escaped(&figure.caption));
        }
        page.push_str("</body></html>\n");
        page
    }

    fn list_notes(&self, page: &mut String) {
        if !self.plan.notes.is_empty() {
            let items: String = self.plan.notes.iter().map(|note| format!("<li>{}</li>", escaped(note))).collect();
            let _ = writeln!(page, "<h2>What the program chose</h2>\n<ul>{items}</ul>");
        }
        for derived in &self.plan.derived {
            let (name, text) = (derived.method.name(), escaped(&derived.text));
            let _ = writeln!(page, "<p>Derived for {name}:</p>\n<pre>{text}</pre>");
        }
    }

    fn list_costs(&self, page: &mut String) {
        page.push_str("<h2>Cost</h2>\n<table><tr><th>method</th><th>CPU time to the end of a run (s)</th><th>over that of the first</th><th>steps</th><th>CPU time for a second (s)</th></tr>\n");
        for cost in &self.costs {
            let ratio = cost.seconds.value / self.costs[0].seconds.value;
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                cost.method,
                written(&cost.seconds),
                number(ratio),
                written(&cost.steps),
                written(&cost.pace)
            );
        }
        page.push_str("</table>\n");
    }

    fn list_quantities(&self, page: &mut String) {
        let level = 100.0 * LEVEL;
        let _ = writeln!(
            page,
            "<h2>Numbers</h2>\n<p>Mean ± standard error over the seeds. Differences are taken seed by seed; methods <em>differ</em> \
             where Student's t gives less than {level} % for a chance. Of a hundred numbers about one differs by chance.</p>"
        );
        let heads: String = self.plan.methods.iter().map(|method| format!("<th>{}</th>", method.name())).collect();
        let others: String = self.others().iter().map(|name| format!("<th>{name}: verdict</th>")).collect();
        let _ = writeln!(page, "<table><tr><th>quantity</th><th>of</th>{heads}{others}</tr>");
        for Compared { quantity, means, differences } in &self.compared {
            let differs = differences.iter().flatten().any(|found| found.verdict == Verdict::Differ);
            let unit = if quantity.unit.is_empty() { String::new() } else { format!(" ({})", quantity.unit) };
            let _ = write!(
                page,
                "<tr{}><td>{}{unit}</td><td>{}</td>",
                if differs { " class=\"differ\"" } else { "" },
                escaped(&quantity.name.replace('_', " ")),
                quantity.when
            );
            for mean in means {
                let _ = write!(page, "<td class=\"n\">{}</td>", mean.as_ref().map_or("–".into(), written));
            }
            for found in differences {
                let said = found.as_ref().map_or("–".into(), |found| verdict(found, means[0].as_ref()));
                let _ = write!(page, "<td>{said}</td>");
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</table>\n");
    }

    fn list_fields(&self, page: &mut String) {
        let Some(grid) = self.grid.as_ref().filter(|_| !self.distances.is_empty()) else { return };
        let _ = writeln!(
            page,
            "<h2>Fields of the last frame</h2>\n<p>Coarse-grained with a Gaussian of width {} m; mean over the seeds. The distance is \
             the root mean square of the difference over that of {}.</p>\n<table><tr><th>field</th><th>method</th><th>distance</th>\
             <th>explained by the scatter of seeds</th></tr>",
            number(grid.width),
            self.plan.methods[0].name()
        );
        for found in &self.distances {
            let scatter = found.of_scatter.map_or("one run each".into(), number);
            let (field, method) = (found.content.name(), found.method.name());
            let _ = writeln!(
                page,
                "<tr><td>{field}</td><td>{method}</td><td class=\"n\">{}</td><td class=\"n\">{scatter}</td></tr>",
                number(found.distance)
            );
        }
        page.push_str("</table>\n");
    }

    fn list_averaging(&self, page: &mut String) {
        if self.averaging.is_empty() {
            return;
        }
        let _ = writeln!(
            page,
            "<h2>Forces averaged over times and lengths</h2>\n<p>Distance of the stress field, averaged over a window before the \
             end, from that of the last frame of {}.</p>\n<table><tr><th>method</th><th>width (d)</th><th>last frame alone</th>\
             <th>best averaging time</th><th>there</th></tr>",
            self.plan.methods[0].name()
        );
        for found in &self.averaging {
            let best = found.best();
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                found.method.name(),
                found.width,
                number(found.windows[0].to_frame),
                clock(best.time),
                number(best.to_frame)
            );
        }
        page.push_str("</table>\n");
    }
}

impl Verdict {
    /// For tables.
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Agree => "agree",
            Verdict::Differ => "differ",
            Verdict::Same => "same",
            Verdict::NoScatter => "no scatter",
        }
    }
}
