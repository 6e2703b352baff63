//! The folder of a run and the names in it.

use std::io;
use std::path::{Path, PathBuf};

use super::coded::coded;
use super::frame_files;
use super::lock::{self, Lock};

/// A folder that holds a run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes the folder of a new run and locks it. One that holds a run already is refused, or cleared of it with
    /// `force`; one with files of these names that no run wrote is refused in any case, with code E255.
    pub fn create(path: &Path, force: bool) -> io::Result<(RunFolder, Lock)> {
        let folder = RunFolder { path: path.to_path_buf() };
        if folder.is_running() {
            return Err(lock::busy(path));
        }
        folder.check_free(force)?;
        std::fs::create_dir_all(path).map_err(|error| cannot_make(path, &error))?;
        let lock = Lock::take(path)?;
        folder.check_free(force)?; // another run may have taken the folder meanwhile
        folder.clear()?;
        std::fs::create_dir_all(folder.frames()).map_err(|error| cannot_make(path, &error))?;
        Ok((folder, lock))
    }

    /// Whether a new run may write here; with `force` it may replace an old one.
    fn check_free(&self, force: bool) -> io::Result<()> {
        let found = self.occupied();
        let is_of_a_run = self.checkpoint().exists() || self.path.join(lock::NAME).exists();
        let refused = |kind: &'static str, message: String| Err(coded(io::ErrorKind::AlreadyExists, kind, message));
        if found.is_empty() {
            Ok(())
        } else if !is_of_a_run {
            let message = format!("{} holds {}, which no run wrote", self.path.display(), found.join(", "));
            refused("E255", message)
        } else if (self.scenario().exists() || self.checkpoint().exists()) && !force {
            let what = if self.checkpoint().exists() { "a run already" } else { "a scenario.toml already" };
            refused("E101", format!("{} holds {what}", self.path.display()))
        } else {
            Ok(())
        }
    }

    /// Names that a run writes and that are there already.
    fn occupied(&self) -> Vec<String> {
        let files =
            [self.scenario(), self.series(), self.events(), self.collection(), self.checkpoint(), self.report()];
        let folders = [self.frames(), self.stages(), self.inputs()];
        let is_full = |folder: &PathBuf| std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        let found = files.into_iter().filter(|file| file.exists()).chain(folders.into_iter().filter(is_full));
        found.filter_map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned())).collect()
    }

    /// Opens the folder of a run that exists.
    pub fn open(path: &Path) -> io::Result<RunFolder> {
        let folder = RunFolder { path: path.to_path_buf() };
        if !folder.scenario().is_file() {
            let message = format!("{} holds no run: there is no scenario.toml in it", path.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        Ok(folder)
    }

    /// Whether a run is going on in it.
    pub fn is_running(&self) -> bool {
        Lock::is_taken(&self.path)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// The scenario with all defaults filled in.
    pub fn scenario(&self) -> PathBuf {
        self.path.join("scenario.toml")
    }
    /// The table that grows by one row at a time.
    pub fn series(&self) -> PathBuf {
        self.path.join("series.csv")
    }
    /// The table of located events, for runs that locate them.
    pub fn events(&self) -> PathBuf {
        self.path.join("events.csv")
    }
    /// The folder of the frames.
    pub fn frames(&self) -> PathBuf {
        self.path.join("frames")
    }
    /// The collection of all frames, for ParaView.
    pub fn collection(&self) -> PathBuf {
        self.path.join(frame_files::COLLECTION)
    }
    /// The exact state.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.npz")
    }
    /// The folder of the states at the ends of stages.
    pub fn stages(&self) -> PathBuf {
        self.path.join("stages")
    }
    /// The exact state at the end of a stage, counted from 0.
    pub fn stage(&self, number: usize) -> PathBuf {
        self.stages().join(format!("{number}.npz"))
    }
    /// The verdict.
    pub fn report(&self) -> PathBuf {
        self.path.join("report.json")
    }
    /// Copies of files that the scenario refers to.
    pub fn inputs(&self) -> PathBuf {
        self.path.join("inputs")
    }

    /// Removes the files of a run, and no others.
    fn clear(&self) -> io::Result<()> {
        let tables = [self.series(), self.events(), self.collection()];
        for file in [self.checkpoint(), self.report(), self.scenario()].into_iter().chain(tables) {
            if file.exists() {
                std::fs::remove_file(&file).map_err(|error| {
                    io::Error::new(error.kind(), format!("cannot remove {}: {error}", file.display()))
                })?;
            }
        }
        for file in (0..).map(|stage| self.stage(stage)).take_while(|file| file.exists()) {
            std::fs::remove_file(&file)?;
        }
        if self.frames().is_dir() {
            frame_files::remove_from(&self.frames(), 0)?;
        }
        Ok(())
    }
}

fn cannot_make(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot make the folder {}: {error}", path.display()))
}
