//! Verbs that compute: run and resume.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use drystone::record::Report;
use drystone::record::coded::code_of;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run as Simulation, RunError};

use crate::Failure;
use crate::progress::{Progress, Voice};
use crate::scenario::folder_of;

/// Run a scenario to its end.
#[derive(Args)]
pub(crate) struct Run {
    /// Scenario file.
    scenario: PathBuf,
    /// Folder for the results [default: <scenario>.out in this folder; of x_0.01.toml it is x_0.01.out].
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Override a key, e.g. --set method.cd.time_step="1 ms". May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Start with the grains of an earlier run: RUN is its end, RUN@STAGE the end of a stage, RUN@12 its frame 12,
    /// RUN@first and RUN@last its first and last frame.
    #[arg(long, value_name = "RUN")]
    from: Option<String>,
    /// Method, instead of the scenario's `method.use`.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// Replace a run that the folder holds already.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    manner: Manner,
}

/// Go on with a run that was interrupted.
#[derive(Args)]
pub(crate) struct Resume {
    /// Folder of the run.
    folder: PathBuf,
    #[command(flatten)]
    manner: Manner,
}

#[derive(Args)]
pub(crate) struct Manner {
    /// Threads to compute with; all cores if left out. The results do not depend on it, to the last bit.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print nothing but errors.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
    /// Print progress and the final report as one JSON object a line.
    #[arg(long)]
    json: bool,
}

impl Manner {
    pub(crate) fn voice(&self) -> Voice {
        match (self.quiet, self.json) {
            (true, _) => Voice::Quiet,
            (_, true) => Voice::Json,
            _ => Voice::Human,
        }
    }
}

impl Run {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        crate::scenario::refuse_folder(&self.scenario)?;
        listen_for_stop()?;
        let out = self.out.unwrap_or_else(|| default_out(&self.scenario));
        let mut settings = self.settings;
        settings.extend(self.method.map(|method| format!("method.use=\"{method}\"")));
        settings.extend(self.from.map(|from| crate::scenario::start_from(&from)));
        let scenario = AnyScenario::read(&self.scenario, &settings)?;
        keep_own_input(&self.scenario, &out, &scenario)?;
        let mut run = sim::open(&scenario, folder_of(&self.scenario))?;
        record(run.as_mut(), &out, self.force, folder_of(&self.scenario))?;
        if self.manner.voice() != Voice::Quiet {
            crate::scenario::warn(&scenario);
        }
        drive(run, &out, &self.manner)
    }
}

/// Makes the folder of a run.
pub(crate) fn record(run: &mut dyn Simulation, out: &Path, force: bool, inputs: &Path) -> Result<(), Failure> {
    begin();
    run.record(out, force, inputs).map_err(|error| match error {
        RunError::File(error) => refused(&error, out),
        RunError::Step(error) => Failure::Run(format!("{error} [{}]", error.code())),
        RunError::Scenario(mistakes) => Failure::Mistakes(mistakes),
    })
}

/// Refuses a folder in which the run would write its resolved scenario over another one that it reads.
fn keep_own_input(scenario: &Path, out: &Path, read: &AnyScenario) -> Result<(), Failure> {
    let is_resolved = || std::fs::read_to_string(scenario).is_ok_and(|text| text == read.to_toml());
    match (scenario.canonicalize(), out.join("scenario.toml").canonicalize()) {
        (Ok(from), Ok(to)) if from == to && !is_resolved() => Err(Failure::Usage(format!(
            "{} is what is to be run, and a run in {} writes a file of that name [E255]: use -o for another folder",
            scenario.display(),
            out.display()
        ))),
        _ => Ok(()),
    }
}

/// `<scenario>.out` in this folder: only the last ending of the name is replaced.
fn default_out(scenario: &Path) -> PathBuf {
    let mut name = scenario.file_stem().unwrap_or(scenario.as_os_str()).to_os_string();
    name.push(".out");
    PathBuf::from(name)
}

/// The message for a folder of a run that could not be made.
fn refused(error: &std::io::Error, out: &Path) -> Failure {
    let advice = match code_of(error) {
        Some("E101") if out.join("checkpoint.npz").exists() => {
            format!("use -o for another folder, --force to replace it, or `drystone resume {}`", out.display())
        }
        Some("E101") => "use -o for another folder, --force to replace it".into(),
        Some("E251") => "wait for its end, stop it, or use -o for another folder".into(),
        Some("E255") => "use -o for another folder; --force replaces runs and nothing else".into(),
        _ => return broken(error),
    };
    Failure::Usage(format!("{error} [{}]: {advice}", code_of(error).unwrap_or_default()))
}

/// A file that could not be written or read.
pub(crate) fn broken(error: &std::io::Error) -> Failure {
    Failure::Run(format!("{error} [{}]", code_of(error).unwrap_or("E103")))
}

impl Resume {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        listen_for_stop()?;
        let folder = crate::folder::open(&self.folder)?;
        if !folder.checkpoint().exists() && !folder.is_running() {
            return Err(Failure::Usage(format!(
                "{} has no checkpoint: the run ended before its first one; start it again with --force [E102]",
                self.folder.display()
            )));
        }
        begin();
        let run = sim::resume(folder).map_err(|error| match error {
            RunError::Scenario(mistakes) => Failure::Mistakes(mistakes),
            RunError::File(error) if code_of(&error) == Some("E251") => {
                Failure::Usage(format!("{error} [E251]: wait for its end, or stop it"))
            }
            RunError::File(error) if code_of(&error) == Some("E252") => {
                Failure::Run(format!("{error} [E252]: remove it, and the run starts it again"))
            }
            RunError::File(error) => broken(&error),
            other => Failure::Run(format!("{other} [E103]")),
        })?;
        drive(run, &self.folder, &self.manner)
    }
}

/// Whether the run has been asked to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether files are being written: before that, nothing is lost if the program ends at once.
static BEGUN: AtomicBool = AtomicBool::new(false);

/// The first Ctrl-C asks the run to stop after its step, the second one ends it at once; as long as nothing was
/// written, so does the first.
pub(crate) fn listen_for_stop() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) || !BEGUN.load(Ordering::SeqCst) {
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::Run(format!("cannot listen for Ctrl-C: {error}")))
}

/// Whether Ctrl-C has been pressed.
pub(crate) fn is_asked_to_stop() -> bool {
    STOP.load(Ordering::SeqCst)
}

/// From here on Ctrl-C lets the run write its checkpoint.
pub(crate) fn begin() {
    BEGUN.store(true, Ordering::SeqCst);
}

/// Advances a simulation to its end, or until it is stopped.
pub(crate) fn drive(mut run: Box<dyn Simulation>, out: &Path, manner: &Manner) -> Result<(), Failure> {
    if manner.voice() != Voice::Quiet {
        run.notes().iter().for_each(|note| eprintln!("note: {note}"));
        run.hints().iter().for_each(|(code, message)| eprintln!("warning[{code}]: {message}"));
    }
    let threads = manner.threads.map_or(0, usize::from); // zero: as many as there are cores
    // this thread is one of them: otherwise every step is handed over to another one; a pool of its own, because what
    // opened the scenario may have started the common one
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build();
    let _threads = pool.map_err(|error| Failure::Run(format!("cannot start {threads} threads: {error}")))?;
    let mut progress = Progress::new(manner.voice(), run.as_ref());
    loop {
        // also before the first step, which may take long
        if STOP.load(Ordering::SeqCst) && !run.is_over() {
            progress.close();
            run.interrupt().map_err(|error| broken(&error))?;
            progress.note(&format!(
                "stopped at step {}; go on with: drystone resume {}",
                run.report().steps,
                out.display()
            ));
            return Err(Failure::Interrupted);
        }
        match run.advance() {
            Ok(None) => break,
            Ok(Some(step)) => {
                progress.tell(&run.news());
                progress.step(&step, run.as_ref());
            }
            Err(error) => {
                progress.close();
                return Err(failed(run.as_mut(), &error, out));
            }
        }
    }
    progress.finish(run.as_ref(), out);
    Ok(())
}

/// The code of what ended a run.
pub(crate) fn code(error: &RunError) -> &'static str {
    match error {
        RunError::Step(error) => error.code(),
        RunError::File(error) => code_of(error).unwrap_or("E103"),
        RunError::Scenario(_) => "E103",
    }
}

/// Writes the error into the report, if that is possible, and prints what was kept.
fn failed(run: &mut dyn Simulation, error: &RunError, out: &Path) -> Failure {
    let noted = run.fail(error);
    let code = code(error);
    if code == "E253" {
        return Failure::Run(format!("{error} [{code}]"));
    }
    let kept = format!("the last checkpoint is in {}; `drystone resume {0}` goes on from it", out.display());
    let also = noted.err().map_or_else(String::new, |also| format!("\n  and the report could not be written: {also}"));
    Failure::Run(format!("{error} [{code}]\n  {kept}{also}"))
}

/// One line for each warning of a finished run.
pub(crate) fn warnings(report: &Report) -> Vec<String> {
    report.warnings().iter().map(|warning| format!("warning[{}]: {}", warning.code, warning.message)).collect()
}
