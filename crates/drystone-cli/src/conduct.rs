//! Runs jobs side by side, and goes on where an earlier call stopped: the cases of `compare` and of `sweep`.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use drystone::input::Mistakes;
use drystone::record::RunFolder;
use drystone::record::aside::write_aside;
use drystone::sim::{self, Run, RunError};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value as Json, json};

use crate::Failure;
use crate::clock::{Pace, clock};
use crate::run::{code, is_asked_to_stop};

/// A run with a name and a folder of its own.
pub(crate) trait Job: Sync {
    /// Its name, which is that of its folder.
    fn name(&self) -> &str;
    /// Folder of the run.
    fn folder(&self) -> &Path;
    /// The scenario as it is run.
    fn text(&self) -> &str;
    /// The simulation at its start. Paths in the scenario are relative to `inputs`.
    fn open(&self, inputs: &Path) -> Result<Box<dyn Run>, Mistakes>;

    /// The text of its scenario, stored beside the folder of the run.
    fn stored(&self) -> PathBuf {
        beside(self.folder(), "toml")
    }

    /// Whether what is stored is of this scenario.
    fn is_same(&self) -> bool {
        std::fs::read_to_string(self.stored()).is_ok_and(|text| text == self.text())
    }
}

impl<J: Job> Job for &J {
    fn name(&self) -> &str {
        (**self).name()
    }
    fn folder(&self) -> &Path {
        (**self).folder()
    }
    fn text(&self) -> &str {
        (**self).text()
    }
    fn open(&self, inputs: &Path) -> Result<Box<dyn Run>, Mistakes> {
        (**self).open(inputs)
    }
}

/// A file beside a folder: `runs/mu=0.1.json` for `runs/mu=0.1`.
fn beside(folder: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(folder);
    name.push(".");
    name.push(end);
    PathBuf::from(name)
}

/// How a job came to its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ending {
    /// At its end, now or in an earlier call.
    Done { seconds: f64 },
    /// By an error.
    Failed { why: String },
    /// By Ctrl-C.
    Interrupted,
}

/// Why a job was not begun.
pub(crate) const UNBEGUN: &str = "not begun: the disk is full";

/// How many jobs run at the same time, and how many threads each has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub jobs: usize,
    pub threads: usize,
}

/// How far a job is, for the display.
#[derive(Clone, Default)]
struct Stand {
    time: f64,
    end: Option<f64>,
    is_over: bool,
    has_begun: bool,
}

/// Refuses folders that hold something else, unless they may be replaced.
pub(crate) fn check_folders(jobs: &[impl Job], force: bool) -> Result<(), Failure> {
    let is_foreign = |job: &&_| Job::folder(*job).exists() && !Job::is_same(*job);
    match jobs.iter().find(is_foreign) {
        Some(job) if !force => Err(Failure::Usage(format!(
            "{} holds another scenario or other settings: use -o for another folder, or --force to replace it [E101]",
            job.folder().display()
        ))),
        _ => Ok(()),
    }
}

/// Runs all jobs, so many at a time, and returns how each ended. Paths in scenarios are relative to `inputs`.
pub(crate) fn conduct<J: Job>(all: &[J], inputs: &Path, share: Share, is_quiet: bool) -> Vec<Ending> {
    let next = AtomicUsize::new(0);
    let is_full = AtomicBool::new(false);
    let stands: Vec<Mutex<Stand>> = all.iter().map(|_| Mutex::default()).collect();
    let endings: Vec<Mutex<Option<Ending>>> = all.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..share.jobs.min(all.len()) {
            scope.spawn(|| {
                // a pool of this thread and its own helpers: jobs do not share threads
                let _own = rayon::ThreadPoolBuilder::new().num_threads(share.threads).use_current_thread().build();
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    let Some(job) = all.get(number) else { break };
                    let ending = catch_unwind(AssertUnwindSafe(|| run_job(job, inputs, &stands[number], &is_full)));
                    let ending = ending.unwrap_or_else(|_| Ending::Failed { why: "the program failed".into() });
                    stand(&stands[number]).is_over = true;
                    *endings[number].lock().unwrap_or_else(|lost| lost.into_inner()) = Some(ending);
                }
            });
        }
        show(all, &stands, is_quiet);
    });
    let ended = |ending: Mutex<Option<Ending>>| ending.into_inner().unwrap_or_else(|lost| lost.into_inner());
    endings.into_iter().map(|ending| ended(ending).unwrap_or(Ending::Interrupted)).collect()
}

fn stand(stand: &Mutex<Stand>) -> std::sync::MutexGuard<'_, Stand> {
    stand.lock().unwrap_or_else(|lost| lost.into_inner())
}

fn run_job(job: &impl Job, inputs: &Path, shown: &Mutex<Stand>, is_full: &AtomicBool) -> Ending {
    let earlier = Earlier::of(job);
    if let Some(seconds) = earlier.done {
        return Ending::Done { seconds };
    }
    if is_asked_to_stop() {
        return Ending::Interrupted;
    }
    if is_full.load(Ordering::SeqCst) {
        return Ending::Failed { why: UNBEGUN.into() };
    }
    stand(shown).has_begun = true;
    let began = cpu_seconds();
    let seconds = || earlier.seconds + cpu_seconds() - began;
    let stopped = |error: &RunError, also: String| {
        if is_out_of_room(error) {
            is_full.store(true, Ordering::SeqCst);
        }
        let why = match error {
            // mistakes have codes of their own
            RunError::Scenario(mistakes) => mistakes.to_string().trim_end().to_string(),
            _ => format!("{error} [{}]{also}", code(error)),
        };
        let noted = match is_elsewhere(error) {
            true => Ok(()),
            false => note(job, if is_of_files(error) { "stopped" } else { "failed" }, Some(&why), seconds()),
        };
        Ending::Failed { why: noted.err().map_or_else(|| why.clone(), |also| format!("{why}; {also}")) }
    };
    let mut run = match begin(job, inputs, earlier.can_go_on) {
        Ok(run) => run,
        Err(error) => return stopped(&error, String::new()),
    };
    let ending = loop {
        if is_asked_to_stop() && !run.is_over() {
            match run.interrupt() {
                Ok(()) => break Ending::Interrupted,
                Err(error) => return stopped(&error.into(), String::new()),
            }
        }
        match run.advance() {
            Ok(None) => break Ending::Done { seconds: seconds() },
            Ok(Some(step)) => {
                let mut stand = stand(shown);
                (stand.time, stand.end) = (step.time, run.end());
            }
            Err(error) => {
                let also = run.fail(&error).err().map_or_else(String::new, |also| format!("; {also}"));
                return stopped(&error, also);
            }
        }
    };
    let noted = match &ending {
        Ending::Done { seconds } => note(job, "done", None, *seconds),
        _ => note(job, "interrupted", None, seconds()),
    };
    noted.map_or_else(|error| stopped(&error.into(), String::new()), |()| ending)
}

/// Whether another program computes the job.
fn is_elsewhere(error: &RunError) -> bool {
    code(error) == "E251"
}

/// Whether files are the cause, and not the run: it can go on from its checkpoint.
fn is_of_files(error: &RunError) -> bool {
    matches!(error, RunError::File(_))
}

fn is_out_of_room(error: &RunError) -> bool {
    let full = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::ReadOnlyFilesystem];
    matches!(error, RunError::File(error) if full.contains(&error.kind()))
}

/// Opens the run of a job, or its checkpoint.
fn begin(job: &impl Job, inputs: &Path, can_go_on: bool) -> Result<Box<dyn Run>, RunError> {
    if can_go_on {
        return sim::resume(RunFolder::open(job.folder())?);
    }
    let text = job.text().as_bytes();
    std::fs::create_dir_all(job.folder().parent().unwrap_or(Path::new(".")))?;
    // before the folder, so that one without it is never one of ours; not beside another run that may stay
    let store = || {
        match std::fs::remove_file(beside(job.folder(), "json")) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {} // what was noted was of an earlier attempt
        }
        write_aside(&job.stored(), |file| std::io::Write::write_all(file, text))
    };
    let is_new = !job.folder().exists();
    if is_new {
        store()?;
    }
    let mut run = job.open(inputs)?;
    if !is_new {
        store()?;
    }
    run.record(job.folder(), true, inputs)?;
    Ok(run)
}

/// What an earlier call left of a job.
pub(crate) struct Earlier {
    /// CPU time of a job that came to its end [s].
    pub done: Option<f64>,
    /// Why it failed, if it did.
    pub failed: Option<String>,
    /// Whether there is a checkpoint to go on from.
    pub can_go_on: bool,
    /// CPU time so far [s].
    seconds: f64,
}

impl Earlier {
    pub(crate) fn of(job: &impl Job) -> Earlier {
        let is_same = job.is_same();
        let note = read_json(&beside(job.folder(), "json")).filter(|_| is_same);
        let seconds = note.as_ref().and_then(|note| note["cpu_seconds"].as_f64()).unwrap_or(0.0);
        let noted = |state: &str| note.as_ref().is_some_and(|note| note["state"] == state);
        let report = read_json(&job.folder().join("report.json")).filter(|_| is_same);
        let is_done = report.as_ref().is_some_and(|report| report["state"] == "done");
        // a run that was killed before its cost was noted: on one thread it is about the time on the clock
        let wall = report.and_then(|report| report["wall_seconds"].as_f64()).unwrap_or(0.0);
        let is_failed = noted("failed");
        let why = note.as_ref().and_then(|note| note["why"].as_str()).unwrap_or("it is not known why");
        Earlier {
            done: is_done.then_some(if noted("done") { seconds } else { wall }),
            failed: is_failed.then(|| why.to_string()),
            can_go_on: is_same && job.folder().join("checkpoint.npz").exists() && !is_failed && !is_done,
            seconds: if is_failed || is_done { 0.0 } else { seconds },
        }
    }
}

fn read_json(path: &Path) -> Option<Json> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// Stores how a job ended and what it cost, for the report and for a later call.
fn note(job: &impl Job, state: &str, why: Option<&str>, seconds: f64) -> std::io::Result<()> {
    let text = format!("{}\n", json!({"state": state, "why": why, "cpu_seconds": seconds}));
    write_aside(&beside(job.folder(), "json"), |file| std::io::Write::write_all(file, text.as_bytes()))
}

/// Seconds that this thread has computed: those of the processor where the system tells them, those of the clock
/// elsewhere.
fn cpu_seconds() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |count| 1e-9 * count)
}

/// Jobs that the display names at most.
const NAMED: usize = 4;
/// Time between two lines of a display that is not renewed; more as time goes on.
const SPOKEN: Duration = Duration::from_secs(10);

/// Shows how far the jobs are until all have ended: one line that is renewed on a terminal, a line now and then
/// elsewhere.
fn show(all: &[impl Job], stands: &[Mutex<Stand>], is_quiet: bool) {
    let is_live = !is_quiet && std::io::stderr().is_terminal();
    let bar = is_live.then(|| {
        let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {wide_msg}");
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    });
    let (start, mut spoken, mut pace) = (Instant::now(), Instant::now(), Pace::from(0.0));
    loop {
        let now: Vec<Stand> = stands.iter().map(|shown| stand(shown).clone()).collect();
        if now.iter().all(|stand| stand.is_over) {
            break;
        }
        let parts: Vec<f64> = now.iter().map(part).collect();
        let whole = parts.iter().sum::<f64>() / parts.len() as f64;
        let over = now.iter().filter(|stand| stand.is_over).count();
        let going_on = all.iter().zip(&now).filter(|(_, stand)| stand.has_begun && !stand.is_over);
        let line = |(job, stand): (&_, &Stand)| format!("{} {:.0} %", Job::name(job), 100.0 * part(stand));
        let mut lines: Vec<String> = going_on.map(line).collect();
        if lines.len() > NAMED {
            let others = lines.len() - NAMED;
            lines.truncate(NAMED);
            lines.push(format!("{others} more"));
        }
        let elapsed = start.elapsed().as_secs_f64();
        pace.note(elapsed, whole);
        let left = pace.left(1.0 - whole).map_or(String::new(), |left| format!(", about {} left", clock(left)));
        let text = format!("{over} of {} runs over; {}; {}{left}", all.len(), lines.join(", "), clock(elapsed));
        if let Some(bar) = &bar {
            bar.set_position((1000.0 * whole) as u64);
            bar.set_message(text);
        } else if !is_quiet && spoken.elapsed() > SPOKEN.max(start.elapsed() / 20) {
            spoken = Instant::now();
            eprintln!("{text}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
}

/// How much of a job is done: at least this part, where a rule may end it earlier.
fn part(stand: &Stand) -> f64 {
    match (stand.is_over, stand.end) {
        (true, _) => 1.0,
        (false, Some(end)) if end > 0.0 => (stand.time / end).min(1.0),
        _ => 0.0,
    }
}
