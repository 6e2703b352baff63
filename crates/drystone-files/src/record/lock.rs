//! The lock of a run folder: one run at a time writes into it.
//!
//! The file `.lock` in the folder is locked by the system as long as the run holds it open, also if it is killed: there
//! are no stale locks. Its text is that of this run alone, so that a run notices when its folder was removed or
//! replaced.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::coded::coded;

/// A run folder that belongs to this run until the lock is dropped.
#[derive(Debug)]
pub struct Lock {
    /// Kept open: the system releases the lock when it is closed.
    file: File,
    path: PathBuf,
    folder: PathBuf,
    token: String,
    /// Whether the file system supports locks.
    pub is_kept: bool,
}

/// How often a lock is asked for, and how long to wait in between: a program that only looks at a folder holds it for
/// an instant.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(20);

/// Name of the file that is locked.
pub const NAME: &str = ".lock";

impl Lock {
    /// Takes a folder, which must exist; if a run is going on in it, that is an error of kind `WouldBlock` with code
    /// E251.
    pub fn take(folder: &Path) -> io::Result<Lock> {
        let path = folder.join(NAME);
        let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot lock {}: {error}", path.display()));
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = open().map_err(named)?;
        let mut is_kept = true;
        match ask(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy(folder)),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => is_kept = false,
            Err(TryLockError::Error(error)) => return Err(named(error)),
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let token = format!("held by process {} since {} ns\n", std::process::id(), since.as_nanos());
        file.set_len(0).and_then(|()| (&file).write_all(token.as_bytes())).map_err(named)?;
        Ok(Lock { file, path, folder: folder.to_path_buf(), token, is_kept })
    }

    /// Releases the folder, once the run writes no more.
    pub fn release(&self) -> io::Result<()> {
        if self.is_kept { self.file.unlock() } else { Ok(()) }
    }

    /// Whether a run is going on in a folder.
    pub fn is_taken(folder: &Path) -> bool {
        let Ok(file) = File::open(folder.join(NAME)) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// An error with code E253 if the folder is not that of this run any more: removed, or taken by another.
    pub fn check(&self) -> io::Result<()> {
        let lost = |what: &str| {
            let message = format!("{} was {what} while the run was going on", self.folder.display());
            Err(coded(ErrorKind::NotFound, "E253", message))
        };
        match fs::read_to_string(&self.path) {
            Ok(text) if text == self.token => Ok(()),
            Ok(_) => lost("taken by another run"),
            Err(error) if error.kind() == ErrorKind::NotFound => lost("removed"),
            Err(error) => Err(io::Error::new(error.kind(), format!("cannot read {}: {error}", self.path.display()))),
        }
    }
}

/// The error that a run is going on in a folder.
pub fn busy(folder: &Path) -> io::Error {
    coded(ErrorKind::WouldBlock, "E251", format!("a run is going on in {}", folder.display()))
}

fn ask(file: &File) -> Result<(), TryLockError> {
    for _ in 1..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
    file.try_lock()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::coded::code_of;

    #[test]
    fn one_at_a_time_and_none_once_it_is_dropped() {
        let folder = std::env::temp_dir().join(format!("drystone-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        assert!(!Lock::is_taken(&folder));
        let lock = Lock::take(&folder).unwrap();
        assert!(lock.is_kept && Lock::is_taken(&folder) && lock.check().is_ok());
        let error = Lock::take(&folder).unwrap_err();
        assert_eq!((error.kind(), code_of(&error)), (ErrorKind::WouldBlock, Some("E251")));
        assert!(lock.check().is_ok(), "who is refused leaves no trace");
        drop(lock);
        assert!(!Lock::is_taken(&folder));
        let lock = Lock::take(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(code_of(&lock.check().unwrap_err()), Some("E253"));
        fs::create_dir_all(&folder).unwrap();
        let other = Lock::take(&folder).unwrap();
        assert!(lock.check().unwrap_err().to_string().contains("another") && other.check().is_ok());
        fs::remove_dir_all(&folder).unwrap();
    }
}
