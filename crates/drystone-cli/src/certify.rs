//! The verb certify: the frames of a run against the laws of mechanics.

use std::path::{Path, PathBuf};

use clap::Args;
use drystone_certify::{Certificate, Reading, Sheet, certify};

use crate::Failure;
use crate::folder::open;
use crate::progress::counter;
use crate::scenario::print;

/// Recompute the frames of a run from its files, and fail if anything in them was altered.
#[derive(Args)]
pub(crate) struct Certify {
    /// Folder of the run.
    folder: PathBuf,
    /// Print the certificate as a JSON object.
    #[arg(long)]
    json: bool,
}

impl Certify {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let folder = open(&self.folder)?;
        if !folder.frames().is_dir() {
            return Err(Failure::Usage(format!(
                "{} holds no run: there are no frames in it [E102]",
                self.folder.display()
            )));
        }
        let bar = counter("frame", None);
        let certificate = certify(&folder, &mut |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let certificate = certificate.map_err(|error| Failure::Run(format!("{error} [E103]")))?;
        match self.json {
            true => print(&format!("{:#}\n", certificate.to_json()))?,
            false => print(&in_words(&certificate))?,
        }
        match certificate.holds() {
            true => Ok(()),
            false => Err(Failure::Run(broken(&certificate, &self.folder))),
        }
    }
}

fn number(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}

/// The table of all checks, and what else the reader must know.
fn in_words(certificate: &Certificate) -> String {
    let mut rows = vec![["check", "verdict", "worst", "limit", "where"].map(String::from)];
    for sheet in &certificate.sheets {
        let (value, limit, place) = match &sheet.worst {
            Some(worst) if worst.value == 0.0 => ("0".into(), String::new(), String::new()),
            Some(worst) => (number(worst.value), number(worst.limit), place(worst)),
            None => Default::default(),
        };
        rows.push([sheet.name().into(), sheet.verdict().into(), value, limit, place]);
    }
    let width: Vec<usize> =
        (0..4).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for [check, verdict, worst, limit, place] in &rows {
        let line = format!(
            "{check:0$}  {verdict:1$}  {worst:>2$}  {limit:>3$}  {place}",
            width[0], width[1], width[2], width[3]
        );
        text += line.trim_end();
        text.push('\n');
    }
    for sheet in &certificate.sheets {
        for why in &sheet.left_out {
            text += &format!("not judged: {}: {why}\n", sheet.name());
        }
    }
    text + &summary(certificate)
}

fn place(reading: &Reading) -> String {
    match reading.frame {
        Some(frame) => format!("frame {frame}, {}", reading.place),
        None => reading.place.clone(),
    }
}

fn summary(certificate: &Certificate) -> String {
    let Certificate { frames, accuracy, unconverged, .. } = certificate;
    let mut text = String::new();
    if !unconverged.is_empty() {
        let some: Vec<String> =
            unconverged.iter().take(8).map(|(frame, residual)| format!("{frame} ({residual:.1e})")).collect();
        let more = if unconverged.len() > some.len() { ", ..." } else { "" };
        text += &format!(
            "not converged, as the run itself reports: {} of {frames} frames (residual; {accuracy:.0e} was asked for): {}{more}\n",
            unconverged.len(),
            some.join(", ")
        );
    }
    let readings: u64 = certificate.sheets.iter().map(|sheet| sheet.judged).sum();
    let verdict = if certificate.holds() { "all hold" } else { "NOT all hold" };
    if let Some(seal) = &certificate.seal {
        text += &format!("seal of the folder: {seal}\n");
    }
    text + &format!("{frames} frames, {readings} comparisons: {verdict}\n")
}

/// What does not hold, with numbers.
fn broken(certificate: &Certificate, folder: &Path) -> String {
    let mut text = format!("the numbers in {} contradict each other [E106]", folder.display());
    for sheet in certificate.sheets.iter().filter(|sheet| sheet.broken > 0) {
        for reading in &sheet.first {
            text += &format!("\n  {}", line(sheet, reading));
        }
        let more = sheet.broken - sheet.first.len() as u64;
        if more > 0 {
            text += &format!("\n  {}: {more} more", sheet.name());
        }
    }
    text
}

fn line(sheet: &Sheet, reading: &Reading) -> String {
    let Reading { value, limit, .. } = reading;
    match *limit {
        0.0 => format!("{}: {}", sheet.name(), place(reading)),
        _ => format!("{}: {}: {value:.3e} is above {limit:.1e}", sheet.name(), place(reading)),
    }
}
