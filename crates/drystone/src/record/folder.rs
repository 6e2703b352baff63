//! The folder of a run and the names in it.

use std::io;
use std::path::{Path, PathBuf};

use super::frame_files;

/// A folder that holds a run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes the folder of a new run. One that holds a run already is refused, or cleared of it with `force`.
    pub fn create(path: &Path, force: bool) -> io::Result<RunFolder> {
        let folder = RunFolder { path: path.to_path_buf() };
        if folder.scenario().exists() || folder.checkpoint().exists() {
            if !force {
                let what = if folder.checkpoint().exists() { "a run already" } else { "a scenario.toml already" };
                let message = format!("{} holds {what}", path.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            folder.clear()?;
        }
        std::fs::create_dir_all(folder.frames()).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot make the folder {}: {error}", path.display()))
        })?;
        Ok(folder)
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

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// The scenario with all defaults filled in.
    pub fn scenario(&self) -> PathBuf {
        self.path.join("scenario.toml")
    }
    /// The table that grows by a row at a time.
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
        self.path.join("frames.pvd")
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
