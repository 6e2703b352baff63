//! Tables that grow by a row at a time: `series.csv`, `events.csv`.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::measure::Column;

/// A CSV file that is always complete up to its last row.
#[derive(Debug)]
pub struct Series {
    file: File,
    path: PathBuf,
    /// Bytes of complete rows.
    pub length: u64,
}

impl Series {
    /// A new table with this header.
    pub fn create(path: &Path, columns: &[Column]) -> io::Result<Series> {
        let file = File::create(path).map_err(|error| named(path, &error))?;
        let mut series = Series { file, path: path.to_path_buf(), length: 0 };
        let header: Vec<String> = columns.iter().map(Column::header).collect();
        series.write_line(&header.join(","))?;
        Ok(series)
    }

    /// A table that is continued after its first `length` bytes.
    pub fn reopen(path: &Path, length: u64) -> io::Result<Series> {
        let open = || {
            let mut file = OpenOptions::new().write(true).open(path)?;
            if file.metadata()?.len() < length {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it is shorter than the checkpoint says"));
            }
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|error| named(path, &error))?;
        Ok(Series { file, path: path.to_path_buf(), length })
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
        self.write_line(&cells.join(","))
    }

    /// Makes sure that all rows are on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data().map_err(|error| named(&self.path, &error))
    }

    /// Writes a line whole; if that fails, takes back what was written of it.
    fn write_line(&mut self, line: &str) -> io::Result<()> {
        let text = format!("{line}\n");
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            self.file.set_len(self.length).map_err(|again| named(&self.path, &again))?;
            return Err(named(&self.path, &error));
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}
