//! A file that is either complete or not there: written beside its place, synced, then renamed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::digest::{Digest, Digested, PIECE};

/// Writes the file `path` through `fill`, so that a kill at any moment leaves the old file or the new one, never a
/// half.
///
/// The bytes go to `<path>.part`, which is synced and renamed at the end, and removed if anything fails.
/// Errors keep their kind and name the path.
pub fn write_aside(path: &Path, fill: impl FnOnce(&mut BufWriter<Digested>) -> io::Result<()>) -> io::Result<()> {
    write_digested(path, fill).map(drop)
}

/// As [`write_aside`]; returns the digest of the bytes that were written.
pub fn write_digested(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<Digested>) -> io::Result<()>,
) -> io::Result<Digest> {
    make_aside(path, |part| fill_and_sync(File::create(part)?, fill))
}

/// As [`write_aside`], for what needs a path to write to: `make` writes and syncs the file whose path it is given.
pub fn make_aside<T>(path: &Path, make: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let part = part_of(path);
    make(&part).and_then(|made| fs::rename(&part, path).map(|()| made)).map_err(|error| {
        let leftover = match fs::remove_file(&part) {
            Err(again) if again.kind() != io::ErrorKind::NotFound => {
                format!(" (and cannot remove {}: {again})", part.display())
            }
            _ => String::new(),
        };
        cannot_write(path, &error, &leftover)
    })
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    PathBuf::from(name)
}

/// The file is closed on return: some systems refuse to rename an open one.
fn fill_and_sync(file: File, fill: impl FnOnce(&mut BufWriter<Digested>) -> io::Result<()>) -> io::Result<Digest> {
    let mut out = BufWriter::with_capacity(PIECE, Digested::new(file));
    fill(&mut out)?;
    out.into_inner().map_err(|error| error.into_error())?.sync()
}

fn cannot_write(path: &Path, error: &io::Error, leftover: &str) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}{leftover}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{ErrorKind, Write};

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("drystone-aside-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    #[test]
    fn replaces_the_old_file_and_leaves_nothing_beside_it() {
        let dir = folder("replace");
        let path = dir.join("notes.txt");
        for text in ["old and long", "new"] {
            let digest = write_digested(&path, |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(digest, Digest::of(text.as_bytes()));
        }
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_failure_keeps_the_old_file_the_kind_and_the_path() {
        let dir = folder("failure");
        let path = dir.join("notes.txt");
        write_aside(&path, |out| out.write_all(b"old")).unwrap();
        let error = write_aside(&path, |out| {
            out.write_all(b"half of the n")?;
            Err(io::Error::new(ErrorKind::StorageFull, "No space left on device"))
        })
        .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
        assert_eq!(error.to_string(), format!("cannot write {}: No space left on device", path.display()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_missing_folder_is_named() {
        let path = folder("missing").join("nowhere").join("notes.txt");
        let error = write_aside(&path, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.to_string().starts_with(&format!("cannot write {}: ", path.display())));
        fs::remove_dir_all(path.parent().unwrap().parent().unwrap()).unwrap();
    }

    #[test]
    fn a_folder_in_the_place_of_the_file_is_an_error_and_leaves_no_part() {
        let dir = folder("occupied");
        fs::create_dir_all(dir.join("notes.txt")).unwrap();
        assert!(write_aside(&dir.join("notes.txt"), |out| out.write_all(b"x")).is_err());
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
        fs::remove_dir_all(dir).unwrap();
    }
}
