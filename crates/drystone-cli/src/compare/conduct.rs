//! Runs the cases side by side, each on one thread, and goes on where an earlier call stopped.

use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use drystone::record::RunFolder;
use drystone::record::aside::write_aside;
use drystone::sim::{self, Run};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value as Json, json};

use super::cases::Case;
use crate::Failure;
use crate::clock::clock;
use crate::run::{code, is_asked_to_stop};

/// How a case came to its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ending {
    /// At its end, now or in an earlier call.
    Done { seconds: f64 },
    /// By an error.
    Failed { why: String },
    /// By Ctrl-C.
    Interrupted,
}

/// How far a case is, for the display.
#[derive(Clone, Default)]
struct Stand {
    time: f64,
    end: Option<f64>,
    is_over: bool,
    has_begun: bool,
}

/// Refuses folders that hold something else, unless they may be replaced.
pub(super) fn check_folders(cases: &[Case], force: bool) -> Result<(), Failure> {
    let is_foreign = |case: &&Case| match std::fs::read_to_string(case.stored()) {
        Ok(text) => text != case.text,
        Err(_) => case.folder.exists(),
    };
    match cases.iter().find(is_foreign) {
        Some(case) if !force => Err(Failure::Usage(format!(
            "{} holds another scenario or other settings: use -o for another folder, or --force to replace it [E101]",
            case.folder.display()
        ))),
        _ => Ok(()),
    }
}

/// Runs all cases on so many threads, and returns how each ended. Paths in scenarios are relative to `inputs`.
pub(super) fn conduct(cases: &[Case], inputs: &Path, jobs: usize, is_quiet: bool) -> Vec<Ending> {
    let next = AtomicUsize::new(0);
    let stands: Vec<Mutex<Stand>> = cases.iter().map(|_| Mutex::default()).collect();
    let endings: Vec<Mutex<Option<Ending>>> = cases.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(cases.len()) {
            scope.spawn(|| {
                // a pool of this thread alone: cases do not share threads
                let _alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    let Some(case) = cases.get(number) else { break };
                    let ending = catch_unwind(AssertUnwindSafe(|| run_case(case, inputs, &stands[number])));
                    let ending = ending.unwrap_or_else(|_| Ending::Failed { why: "the program failed".into() });
                    stand(&stands[number]).is_over = true;
                    *endings[number].lock().unwrap_or_else(|lost| lost.into_inner()) = Some(ending);
                }
            });
        }
        show(cases, &stands, is_quiet);
    });
    let ended = |ending: Mutex<Option<Ending>>| ending.into_inner().unwrap_or_else(|lost| lost.into_inner());
    endings.into_iter().map(|ending| ended(ending).unwrap_or(Ending::Interrupted)).collect()
}

fn stand(stand: &Mutex<Stand>) -> std::sync::MutexGuard<'_, Stand> {
    stand.lock().unwrap_or_else(|lost| lost.into_inner())
}

fn run_case(case: &Case, inputs: &Path, shown: &Mutex<Stand>) -> Ending {
    let earlier = Earlier::of(case);
    if let Some(seconds) = earlier.done {
        return Ending::Done { seconds };
    }
    if is_asked_to_stop() {
        return Ending::Interrupted;
    }
    stand(shown).has_begun = true;
    let began = cpu_seconds();
    let seconds = || earlier.seconds + cpu_seconds() - began;
    let mut run = match begin(case, inputs, earlier.can_go_on) {
        Ok(run) => run,
        Err(why) => return Ending::Failed { why },
    };
    let ending = loop {
        if is_asked_to_stop() && !run.is_over() {
            match run.interrupt() {
                Ok(()) => break Ending::Interrupted,
                Err(error) => break Ending::Failed { why: error.to_string() },
            }
        }
        match run.advance() {
            Ok(None) => break Ending::Done { seconds: seconds() },
            Ok(Some(step)) => {
                let mut stand = stand(shown);
                (stand.time, stand.end) = (step.time, run.end());
            }
            Err(error) => {
                let noted = run.fail(&error).err().map_or_else(String::new, |also| format!("; {also}"));
                break Ending::Failed { why: format!("{error} [{}]{noted}", code(&error)) };
            }
        }
    };
    let spent = if let Ending::Done { seconds } = ending { seconds } else { seconds() };
    match note(case, &ending, spent) {
        Ok(()) => ending,
        Err(error) => Ending::Failed { why: error.to_string() },
    }
}

/// Opens the run of a case, or its checkpoint.
fn begin(case: &Case, inputs: &Path, can_go_on: bool) -> Result<Box<dyn Run>, String> {
    if can_go_on {
        let folder = RunFolder::open(&case.folder).map_err(|error| error.to_string())?;
        return sim::resume(folder).map_err(|error| error.to_string());
    }
    let text = case.text.as_bytes();
    let folder = case.folder.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut run = sim::open(&case.scenario, inputs).map_err(|mistakes| mistakes.to_string())?;
    // first the text, so that a folder without it is never one of ours
    write_aside(&case.stored(), |file| std::io::Write::write_all(file, text)).map_err(|error| error.to_string())?;
    run.record(&case.folder, true, inputs).map_err(|error| error.to_string())?;
    Ok(run)
}

/// What an earlier call left of a case.
struct Earlier {
    /// CPU time of a case that came to its end [s].
    done: Option<f64>,
    /// Whether there is a checkpoint to go on from.
    can_go_on: bool,
    /// CPU time so far [s].
    seconds: f64,
}

impl Earlier {
    fn of(case: &Case) -> Earlier {
        let is_same = std::fs::read_to_string(case.stored()).is_ok_and(|text| text == case.text);
        let json = |path: &Path| -> Option<Json> { serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok() };
        let cost = json(&case.folder.with_extension("json")).filter(|_| is_same);
        let seconds = cost.as_ref().and_then(|cost| cost["cpu_seconds"].as_f64()).unwrap_or(0.0);
        let report = RunFolder::open(&case.folder).ok().filter(|_| is_same).and_then(|folder| json(&folder.report()));
        let is = |state: &str| report.as_ref().is_some_and(|report| report["state"] == state);
        let checkpoint = case.folder.join("checkpoint.npz").exists();
        Earlier {
            done: (is("done") && cost.is_some()).then_some(seconds),
            can_go_on: is_same && checkpoint && !is("failed") && !is("done"),
            seconds: if is("failed") || is("done") { 0.0 } else { seconds },
        }
    }
}

/// Stores what a case cost, for the report and for a later call.
fn note(case: &Case, ending: &Ending, seconds: f64) -> std::io::Result<()> {
    let state = match ending {
        Ending::Done { .. } => "done",
        Ending::Failed { .. } => "failed",
        Ending::Interrupted => "interrupted",
    };
    let text = format!("{}\n", json!({"state": state, "cpu_seconds": seconds}));
    write_aside(&case.folder.with_extension("json"), |file| std::io::Write::write_all(file, text.as_bytes()))
}

/// Seconds that this thread has computed: those of the processor where the system tells them, those of the clock
/// elsewhere.
fn cpu_seconds() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |count| 1e-9 * count)
}

/// Shows how far the cases are until all have ended: one line that is renewed on a terminal, a line now and then
/// elsewhere.
fn show(cases: &[Case], stands: &[Mutex<Stand>], is_quiet: bool) {
    let is_live = !is_quiet && std::io::stderr().is_terminal();
    let bar = is_live.then(|| {
        let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {wide_msg}");
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    });
    let (start, mut spoken) = (Instant::now(), Instant::now());
    loop {
        let now: Vec<Stand> = stands.iter().map(|shown| stand(shown).clone()).collect();
        if now.iter().all(|stand| stand.is_over) {
            break;
        }
        let parts: Vec<f64> = now.iter().map(part).collect();
        let whole = parts.iter().sum::<f64>() / parts.len() as f64;
        let over = now.iter().filter(|stand| stand.is_over).count();
        let is_going_on = |(_, stand): &(&Case, &Stand)| stand.has_begun && !stand.is_over;
        let line = |(case, stand): (&Case, &Stand)| format!("{} {:.0} %", case.name(), 100.0 * part(stand));
        let lines: Vec<String> = cases.iter().zip(&now).filter(is_going_on).map(line).collect();
        let text = format!(
            "{over} of {} runs over; {}; {}",
            cases.len(),
            lines.join(", "),
            clock(start.elapsed().as_secs_f64())
        );
        if let Some(bar) = &bar {
            bar.set_position((1000.0 * whole) as u64);
            bar.set_message(text);
        } else if !is_quiet && spoken.elapsed() > Duration::from_secs(10) {
            spoken = Instant::now();
            eprintln!("{text}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
}

/// How much of a case is done: at least this part, where a rule may end it earlier.
fn part(stand: &Stand) -> f64 {
    match (stand.is_over, stand.end) {
        (true, _) => 1.0,
        (false, Some(end)) if end > 0.0 => (stand.time / end).min(1.0),
        _ => 0.0,
    }
}
