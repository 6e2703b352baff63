//! Tables that grow by one row at a time: `series.csv`, `events.csv`.

use std::fmt::Display;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::coded::{coded, prefixed};
use super::column::Column;
use super::digest::{Digest, Making};

/// A CSV file that is always complete up to its last row.
///
/// It is opened for appending, so that a row never overwrites what another program wrote meanwhile; the length then
/// shows the change.
#[derive(Debug)]
pub struct Series {
    file: File,
    path: PathBuf,
    /// Bytes of complete rows.
    pub length: u64,
    making: Making,
}

impl Series {
    /// A new table with this header.
    pub fn create(path: &Path, columns: &[Column]) -> io::Result<Series> {
        let open = || {
            let file = OpenOptions::new().append(true).create(true).open(path)?;
            file.set_len(0)?;
            Ok(file)
        };
        let file = open().map_err(|error| named(path, error))?;
        let mut series = Series { file, path: path.to_path_buf(), length: 0, making: Making::default() };
        let header: Vec<String> = columns.iter().map(Column::header).collect();
        series.write_line(&header.join(","))?;
        Ok(series)
    }

    /// A table that is continued after its first `length` bytes, which must have this digest.
    pub fn reopen(path: &Path, length: u64, digest: Option<Digest>) -> io::Result<Series> {
        let open = || {
            let mut file = OpenOptions::new().read(true).append(true).open(path)?;
            if file.metadata()?.len() < length {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it is shorter than the checkpoint says"));
            }
            let mut making = Making::default();
            making.read(&mut (&mut file).take(length))?;
            if digest.is_some_and(|digest| digest != making.digest()) {
                return Err(altered("it is not what the run wrote: it was changed since".into()));
            }
            file.set_len(length)?;
            Ok((file, making))
        };
        let (file, making) = open().map_err(|error| named(path, error))?;
        Ok(Series { file, path: path.to_path_buf(), length, making })
    }

    /// Appends a row.
    pub fn push(&mut self, row: &[f64]) -> io::Result<()> {
        self.push_words(row)
    }

    /// Appends a row of words or numbers; what holds a comma or a quotation mark is quoted.
    pub fn push_words(&mut self, row: &[impl Display]) -> io::Result<()> {
        let cell = |word: &dyn Display| match word.to_string() {
            text if text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\"\"")),
            text => text,
        };
        let cells: Vec<String> = row.iter().map(|word| cell(word)).collect();
        self.check()?;
        self.write_line(&cells.join(","))
    }

    /// Makes sure that all rows are on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.check()?;
        self.file.sync_data().map_err(|error| named(&self.path, error))
    }

    /// The digest of all complete rows.
    pub fn digest(&self) -> Digest {
        self.making.digest()
    }

    /// An error with code E252 if another program has removed, replaced or changed the file.
    fn check(&self) -> io::Result<()> {
        let what = match std::fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => "removed",
            Err(error) => return Err(named(&self.path, error)),
            Ok(there) if !is_same(&there, &self.file.metadata().map_err(|error| named(&self.path, error))?) => {
                "replaced"
            }
            Ok(there) if there.len() != self.length => "changed",
            Ok(_) => return Ok(()),
        };
        Err(altered(format!("{} was {what} by another program while the run was going on", self.path.display())))
    }

    /// Writes a line whole; if that fails, removes the part that was written.
    fn write_line(&mut self, line: &str) -> io::Result<()> {
        let text = format!("{line}\n");
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            self.file.set_len(self.length).map_err(|again| named(&self.path, again))?;
            return Err(named(&self.path, error));
        }
        self.length += text.len() as u64;
        self.making.add(text.as_bytes());
        Ok(())
    }
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// On other systems only the lengths can show it.
#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.len() == other.len()
}

fn altered(message: String) -> io::Error {
    coded(io::ErrorKind::InvalidData, "E252", message)
}

fn named(path: &Path, error: io::Error) -> io::Error {
    prefixed(&format!("cannot write {}", path.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::coded::code_of;

    fn table(name: &str) -> (PathBuf, Series) {
        let path = std::env::temp_dir().join(format!("drystone-series-{name}-{}.csv", std::process::id()));
        let columns = [Column::new("time", "s"), Column::new("step", "1")];
        let series = Series::create(&path, &columns).unwrap();
        (path, series)
    }

    #[test]
    fn a_table_goes_on_after_its_first_rows_and_only_after_them() {
        let (path, mut series) = table("again");
        series.push(&[0.0, 0.0]).unwrap();
        let (length, digest) = (series.length, series.digest());
        series.push(&[1.0, 1.0]).unwrap();
        assert_eq!(Digest::of_file(&path, None).unwrap(), series.digest());
        drop(series);
        let mut again = Series::reopen(&path, length, Some(digest)).unwrap();
        again.push(&[2.0, 2.0]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("\n0,0\n2,2\n"), "{text}");
        assert_eq!(again.digest(), Digest::of(text.as_bytes()));
        std::fs::write(&path, text.replace("0,0", "0,1")).unwrap();
        let error = Series::reopen(&path, length, Some(digest)).unwrap_err();
        assert_eq!(code_of(&error), Some("E252"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_others_do_to_it_is_told() {
        for what in ["removed", "replaced", "changed"] {
            let (path, mut series) = table(what);
            series.push(&[0.0, 0.0]).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            match what {
                "removed" => std::fs::remove_file(&path).unwrap(),
                "changed" => std::fs::write(&path, format!("{text}1,1\n")).unwrap(),
                _ => {
                    let other = path.with_extension("other");
                    std::fs::write(&other, text).unwrap();
                    std::fs::rename(other, &path).unwrap();
                }
            }
            let error = series.push(&[1.0, 1.0]).unwrap_err();
            assert!(code_of(&error) == Some("E252") && error.to_string().contains(what), "{error}");
            std::fs::remove_file(path).ok();
        }
    }
    #[test]
    fn what_is_appended_while_a_row_is_written_is_told_by_the_next_row() {
        for is_reopened in [false, true] {
            let (path, mut series) = table(if is_reopened { "late-again" } else { "late" });
            if is_reopened {
                series = Series::reopen(&path, series.length, Some(series.digest())).unwrap();
            }
            series.check().unwrap();
            OpenOptions::new().append(true).open(&path).unwrap().write_all(b"1,2\n").unwrap();
            series.write_line("3,4").unwrap();
            let error = series.push(&[5.0, 6.0]).unwrap_err();
            assert!(code_of(&error) == Some("E252") && error.to_string().contains("changed"), "{error}");
            std::fs::remove_file(path).unwrap();
        }
    }
}
