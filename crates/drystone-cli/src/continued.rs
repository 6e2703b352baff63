//! The verb continue: goes on from a run with changed keys, in a new folder.

use std::path::{Path, PathBuf};

use clap::Args;
use drystone::record::coded::code_of;
use drystone::sim::{self, RunError};

use crate::Failure;
use crate::progress::Voice;
use crate::run::{Manner, broken, drive, listen_for_stop, record};

/// Go on from the end of a run, or from its checkpoint, with changed keys: a new run in a new folder.
///
/// Grains, walls and contacts stay as they are. Time begins at zero, and the stage that was under way, or the last one,
/// begins anew; from the end of a stage, run.out@fill, the next one begins. To go on with a run as it is, write
/// `drystone resume`.
#[derive(Args)]
pub(crate) struct Continue {
    /// Folder of the run, or run.out@fill: the end of its stage `fill`.
    folder: PathBuf,
    /// Folder for the results.
    #[arg(short, long)]
    out: PathBuf,
    /// Change a key, e.g. --set contact.sand-sand.friction=0.3 or --set stage.shear.limit="2 s". May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Method, instead of that of the run.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// Replace a run that the folder of the results holds already.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    manner: Manner,
}

impl Continue {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        listen_for_stop()?;
        let (path, stage) = moment(&self.folder);
        let folder = crate::folder::open(&path)?;
        if stage.is_none() && !folder.checkpoint().exists() {
            let message = format!("{} has no checkpoint to go on from [E102]", path.display());
            return Err(Failure::Usage(message));
        }
        if self.out.canonicalize().ok().is_some_and(|out| path.canonicalize().is_ok_and(|from| from == out)) {
            let message = "a run goes on in a folder of its own [E101]: use -o for another one, or `drystone resume`";
            return Err(Failure::Usage(message.into()));
        }
        let mut settings = self.settings;
        settings.extend(self.method.map(|method| format!("method.use=\"{method}\"")));
        let next = sim::continued(&folder, stage.as_deref(), &settings).map_err(|error| match error {
            RunError::Scenario(mistakes) => Failure::Mistakes(mistakes),
            RunError::File(error) if code_of(&error) == Some("E032") => Failure::Usage(format!("{error} [E032]")),
            RunError::File(error) => broken(&error),
            RunError::Step(error) => Failure::Run(format!("{error} [{}]", error.code())),
        })?;
        let mut run = sim::open(&next.scenario, &path)?;
        record(run.as_mut(), &self.out, self.force, &path)?;
        if self.manner.voice() != Voice::Quiet {
            eprintln!("note: {}", next.note);
            crate::scenario::warn(&next.scenario);
        }
        drive(run, &self.out, &self.manner)
    }
}

/// The folder of a run, and the stage after `@`.
fn moment(folder: &Path) -> (PathBuf, Option<String>) {
    match folder.to_str().and_then(|text| text.rsplit_once('@')) {
        Some((run, stage)) if !folder.exists() => (run.into(), Some(stage.into())),
        _ => (folder.into(), None),
    }
}
