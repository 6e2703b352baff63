//! What was found of a frame: summary, table and picture.

use std::fmt::Write;

use drystone::measure::frame::Setting;
use drystone::record::Frame;
use drystone_statics::null_space::MOST;
use drystone_statics::{AdmissibleForces, Balance, Ensemble, Interval, NullSpace};

use super::spread;
use super::{FEW, unsolved};
use crate::Failure;
use crate::picture::look::Look;
use crate::picture::scene::Scene;
use crate::picture::{Format, draw};
use crate::scenario::table;

/// What was found of a frame.
pub(super) struct Findings<'f> {
    pub(super) frame: &'f Frame,
    pub(super) number: usize,
    pub(super) balance: &'f Balance,
    pub(super) space: Option<NullSpace>,
    pub(super) intervals: Option<Vec<Interval>>,
    /// Standard deviations of the normal forces of samples.
    pub(super) samples: Option<Vec<f64>>,
    pub(super) ensemble: Option<Ensemble>,
}

impl Findings<'_> {
    pub(super) fn summary(&self, set: &AdmissibleForces, setting: &Setting) -> Result<String, Failure> {
        let (contacts, unit) = (self.balance.contacts.len(), self.balance.unit);
        let mut rows = vec![
            ("frame".to_string(), format!("{} at {:.6} s", self.number, self.frame.time)),
            (
                "contacts".into(),
                format!("{contacts} press: {} components, {} equations", self.balance.columns.len(), self.balance.rows),
            ),
        ];
        match &self.space {
            None => {
                let least = self.balance.columns.len().saturating_sub(self.balance.rows);
                rows.push(("indeterminacy".into(), format!("at least {least}: not counted above {MOST} components")));
            }
            Some(space) => {
                let part = space.degree as f64 / contacts as f64;
                rows.push((
                    "indeterminacy".into(),
                    format!("{} independent self-stresses, {part:.3} a contact", space.degree),
                ));
                if space.motions > 0 {
                    rows.push(("mechanisms".into(), format!("{} motions that no contact resists", space.motions)));
                }
                let determined = (0..contacts).filter(|k| space.determines(*k)).count();
                rows.push(("determined".into(), format!("{determined} of {contacts} contacts, by balance alone")));
                let clusters = space.clusters(self.balance);
                let sizes: Vec<String> = clusters.iter().take(5).map(|cluster| cluster.len().to_string()).collect();
                let more = if clusters.len() > 5 { ", ..." } else { "" };
                if !clusters.is_empty() {
                    let text = format!("{}: of {}{more} contacts", clusters.len(), sizes.join(", "));
                    rows.push(("over-determined".into(), text));
                }
            }
        }
        if self.balance.widened > 0.0 {
            rows.push((
                "cones".into(),
                format!("widened by {:.1e}, to hold the forces of the frame", self.balance.widened),
            ));
        }
        let mean = set.interval(&set.weights_of_mean()).map_err(unsolved)?;
        rows.push(("mean force".into(), format!("{} N, {}", number(unit), words(mean))));
        for (wall, name) in setting.walls.iter().enumerate() {
            for (axis, letter) in ["x", "y", "z"].iter().enumerate().take(self.frame.dimension) {
                if let Some(weights) = set.weights_of_wall(wall, axis) {
                    let interval = set.interval(&weights).map_err(unsolved)?;
                    rows.push((format!("on {name}, {letter}"), words(interval)));
                }
            }
        }
        match &self.intervals {
            Some(intervals) => rows.push(("intervals".into(), self.widths(intervals))),
            None => rows.push(("intervals".into(), format!("of more than {FEW} contacts only with --intervals"))),
        }
        if let Some(deviations) = &self.samples {
            rows.push((
                "spread of samples".into(),
                format!("{:.3} of the mean force, mean over the contacts", spread::mean(deviations)),
            ));
        }
        if let Some(ensemble) = &self.ensemble {
            rows.extend(spread::summary(ensemble));
            if let Some(intervals) = &self.intervals {
                rows.push(("within".into(), spread::place(ensemble, intervals, unit)));
            }
        }
        Ok(table(rows.iter().map(|(name, text)| (name.as_str(), text.as_str()))))
    }

    fn widths(&self, intervals: &[Interval]) -> String {
        let bounded: Vec<f64> = intervals.iter().map(Interval::width).filter(|width| width.is_finite()).collect();
        let mut text = match bounded.len() {
            0 => String::new(),
            count => {
                let mean = bounded.iter().sum::<f64>() / count as f64 / self.balance.unit;
                let widest = bounded.iter().copied().fold(0.0, f64::max) / self.balance.unit;
                format!("{mean:.3} of the mean force wide on average, at most {widest:.3}")
            }
        };
        let unknown = intervals.iter().filter(|interval| interval.width().is_nan()).count();
        let unbounded = intervals.len() - bounded.len() - unknown;
        if unbounded > 0 {
            let _ = write!(text, "{}{unbounded} without a highest force", if text.is_empty() { "" } else { "; " });
        }
        if unknown > 0 {
            let _ = write!(text, "; {unknown} NOT found: their cone programmes were not solved to their accuracy");
        }
        text
    }

    /// The intervals as lines between the grains.
    pub(super) fn picture(&self, title: &str, format: Format, scene: Scene) -> Result<Vec<u8>, Failure> {
        let mut bands = vec![[f64::NAN; 2]; self.frame.contacts.a.len()];
        for (contact, interval) in self.balance.contacts.iter().zip(self.intervals.iter().flatten()) {
            bands[contact.contact] = [interval.low, interval.high];
        }
        let look = Look { bands: Some(&bands), scene, ..Look::default() };
        draw(self.frame, title, format, &look).map_err(Failure::Usage)
    }

    pub(super) fn table(&self) -> String {
        let axes = &["x", "y", "z"][..self.frame.dimension];
        let mut text = String::from("contact,a,b");
        axes.iter().for_each(|axis| text += &format!(",{axis} [m]"));
        text += ",normal_force [N]";
        text += if self.space.is_some() { ",self_stress_share [1],cluster" } else { "" };
        text += if self.intervals.is_some() { ",lowest_normal_force [N],highest_normal_force [N]" } else { "" };
        text += if self.samples.is_some() { ",deviation_of_samples [N]" } else { "" };
        text += if self.ensemble.is_some() { spread::COLUMNS } else { "" };
        text.push('\n');
        let mut clusters = vec![0; self.balance.contacts.len()];
        if let Some(space) = &self.space {
            for (k, cluster) in space.clusters(self.balance).iter().enumerate() {
                cluster.iter().for_each(|contact| clusters[*contact] = k + 1);
            }
        }
        for (k, contact) in self.balance.contacts.iter().enumerate() {
            let columns = &self.frame.contacts;
            let _ = write!(text, "{},{},{}", contact.contact, columns.a[contact.contact], columns.b[contact.contact]);
            let (from, to) = (columns.from[contact.contact], columns.to[contact.contact]);
            for axis in 0..axes.len() {
                let _ = write!(text, ",{}", 0.5 * (from[axis] + to[axis]));
            }
            let _ = write!(text, ",{}", contact.normal_force * self.balance.unit);
            if let Some(space) = &self.space {
                let _ = write!(text, ",{},{}", space.shares[k], clusters[k]);
            }
            if let Some(intervals) = &self.intervals {
                let _ = write!(text, ",{},{}", intervals[k].low, intervals[k].high);
            }
            if let Some(deviations) = &self.samples {
                let _ = write!(text, ",{}", deviations[k] * self.balance.unit);
            }
            if let Some(ensemble) = &self.ensemble {
                text += &spread::entries(ensemble, k, self.balance.unit);
            }
            text.push('\n');
        }
        text
    }
}

fn words(interval: Interval) -> String {
    match interval.high.is_finite() && interval.low.is_finite() {
        true => format!("between {} and {} N", number(interval.low), number(interval.high)),
        false if interval.low.is_finite() => format!("at least {} N, without an upper limit", number(interval.low)),
        false if interval.high.is_finite() => format!("at most {} N, without a lower limit", number(interval.high)),
        false => "without limits".into(),
    }
}

fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) { format!("{value:.4e}") } else { format!("{value:.5}") }
}
