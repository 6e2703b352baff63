//! Named arrays in one file that NumPy opens: `np.load("checkpoint.npz")`.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Write};
use std::path::Path;

use ndarray::{Array2, Ix1, Ix2};
use ndarray_npy::{NpzReader, NpzWriter, ReadNpzError, ReadableElement, WritableElement, WriteNpzError};

use super::aside::write_aside;

/// Arrays to be written, each a table of rows.
pub struct Writer(NpzWriter<Cursor<Vec<u8>>>);

impl Default for Writer {
    fn default() -> Self {
        Writer(NpzWriter::new(Cursor::new(Vec::new())))
    }
}

impl Writer {
    /// Adds an array; `width` numbers make a row, and a width of 0 makes the array flat.
    pub fn add<T: WritableElement>(&mut self, name: &str, width: usize, numbers: Vec<T>) -> io::Result<()> {
        let add = |writer: &mut NpzWriter<_>| -> Result<(), WriteNpzError> {
            match width {
                0 => writer.add_array(name, &ndarray::Array1::from_vec(numbers)),
                _ => {
                    let rows = numbers.len() / width;
                    let table = Array2::from_shape_vec((rows, width), numbers).expect("rows of equal width");
                    writer.add_array(name, &table)
                }
            }
        };
        add(&mut self.0).map_err(io::Error::other)
    }

    /// Writes all arrays to a file, aside, then in its place.
    pub fn save(self, path: &Path) -> io::Result<()> {
        let bytes = self.0.finish().map_err(io::Error::other)?.into_inner();
        write_aside(path, |out| out.write_all(&bytes))
    }
}

/// Arrays that are read from a file.
pub struct Arrays(NpzReader<BufReader<File>>);

impl Arrays {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Arrays> {
        Ok(Arrays(NpzReader::new(BufReader::new(File::open(path)?)).map_err(damaged)?))
    }

    /// A flat array.
    pub fn flat<T: ReadableElement>(&mut self, name: &str) -> io::Result<Vec<T>> {
        let array: ndarray::Array<T, Ix1> = self.0.by_name(name).map_err(damaged)?;
        Ok(array.into_raw_vec_and_offset().0)
    }

    /// A table whose rows have `width` numbers.
    pub fn table<T: ReadableElement + Clone>(&mut self, name: &str, width: usize) -> io::Result<Vec<Vec<T>>> {
        let array: ndarray::Array<T, Ix2> = self.0.by_name(name).map_err(damaged)?;
        if array.ncols() != width {
            return Err(invalid(format!("`{name}` has rows of {} numbers instead of {width}", array.ncols())));
        }
        Ok(array.rows().into_iter().map(|row| row.to_vec()).collect())
    }
}

fn damaged(error: ReadNpzError) -> io::Error {
    invalid(error.to_string())
}

/// An error about what a file says.
pub fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
