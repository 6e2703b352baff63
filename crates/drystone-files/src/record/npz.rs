//! Named arrays in one file that NumPy opens: `np.load("checkpoint.npz")`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use ndarray::{ArrayView1, ArrayView2, Dimension, Ix1, Ix2};
use ndarray_npy::{NpzWriter, ReadNpyExt, ReadableElement, WritableElement};
use zip::ZipArchive;

use super::aside::make_aside;
use super::digest::{Digest, PIECE};
use super::seal::seal;

/// A file of arrays that is being written, each a table of rows. It holds one array at a time.
pub struct Writer(NpzWriter<BufWriter<FaultKeeper>>);

impl Writer {
    /// Adds an array; `width` numbers make a row, and a width of 0 makes the array flat.
    pub fn add<T: WritableElement>(&mut self, name: &str, width: usize, numbers: impl AsRef<[T]>) -> io::Result<()> {
        let numbers = numbers.as_ref();
        let added = match width {
            0 => self.0.add_array(name, &ArrayView1::from(numbers)),
            _ => {
                let shape = (numbers.len() / width, width);
                self.0.add_array(name, &ArrayView2::from_shape(shape, numbers).expect("rows of equal width"))
            }
        };
        added.map_err(io::Error::other)
    }
}

/// Writes arrays to a file, aside, then in its place.
pub fn write(path: &Path, fill: impl FnOnce(&mut Writer) -> io::Result<()>) -> io::Result<()> {
    make_aside(path, |part| archive(part, fill)?.sync_all())
}

/// As [`write`], with a seal; returns the digest of the file.
pub fn write_sealed(path: &Path, fill: impl FnOnce(&mut Writer) -> io::Result<()>) -> io::Result<Digest> {
    make_aside(path, |part| {
        let mut file = archive(part, fill)?;
        let digest = seal(&mut file)?;
        file.sync_all()?;
        Ok(digest)
    })
}

/// Fills an archive, which goes to the file as it grows.
fn archive(path: &Path, fill: impl FnOnce(&mut Writer) -> io::Result<()>) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
    let keeper = FaultKeeper { file, fault: None };
    let mut writer = Writer(NpzWriter::new(BufWriter::with_capacity(PIECE, keeper)));
    fill(&mut writer)?;
    let FaultKeeper { file, fault } =
        writer.0.finish().map_err(io::Error::other)?.into_inner().map_err(|e| e.into_error())?;
    fault.map_or(Ok(file), Err)
}

/// A file that keeps its first error until all is written, because the archive would wrap it, or print it if it is
/// dropped; what is written after the error is lost.
struct FaultKeeper {
    file: File,
    fault: Option<io::Error>,
}

impl Write for FaultKeeper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(Err(fault)) = self.fault.is_none().then(|| self.file.write_all(bytes)) {
            self.fault = Some(fault);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for FaultKeeper {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Arrays that are read from a file. Whatever its headers say, no array takes more memory than the file.
pub struct Arrays {
    archive: ZipArchive<BufReader<File>>,
    size: u64,
}

impl Arrays {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Arrays> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|error| invalid(error.to_string()))?;
        Ok(Arrays { archive, size })
    }

    /// A flat array.
    pub fn flat<T: ReadableElement>(&mut self, name: &str) -> io::Result<Vec<T>> {
        let array: ndarray::Array<T, Ix1> = self.array(name)?;
        Ok(array.into_raw_vec_and_offset().0)
    }

    /// A table whose rows have `width` numbers.
    pub fn table<T: ReadableElement + Clone>(&mut self, name: &str, width: usize) -> io::Result<Vec<Vec<T>>> {
        let array: ndarray::Array<T, Ix2> = self.array(name)?;
        if array.ncols() != width {
            return Err(invalid(format!("`{name}` has rows of {} numbers instead of {width}", array.ncols())));
        }
        Ok(array.rows().into_iter().map(|row| row.to_vec()).collect())
    }

    fn array<T: ReadableElement, D: Dimension>(&mut self, name: &str) -> io::Result<ndarray::Array<T, D>> {
        let fault = |why: &dyn std::fmt::Display| invalid(format!("`{name}`: {why}"));
        let entry = self.archive.by_name(&format!("{name}.npy")).map_err(|error| fault(&error))?;
        if entry.size() > self.size {
            return Err(fault(&"it says that it is longer than the file"));
        }
        let mut bytes = Vec::new();
        entry.take(self.size).read_to_end(&mut bytes)?;
        check_header(&bytes, size_of::<T>()).map_err(|why| fault(&why))?;
        ndarray::Array::read_npy(&bytes[..]).map_err(|error| fault(&error))
    }
}

/// Whether the header of an array is short and plain, and its shape fits the bytes that follow it: `{'descr': '<f8',
/// 'fortran_order': False, 'shape': (12, 3), }`.
fn check_header(bytes: &[u8], size: usize) -> Result<(), &'static str> {
    const DAMAGED: &str = "its header is damaged";
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| (sum << 8) + usize::from(*byte));
    let (start, length) = match bytes {
        [_, _, _, _, _, _, 1, _, low, high, ..] => (10, number(&[*low, *high])),
        [_, _, _, _, _, _, 2 | 3, _, a, b, c, d, ..] => (12, number(&[*a, *b, *c, *d])),
        _ => return Err(DAMAGED),
    };
    let header = bytes.get(start..).and_then(|rest| rest.get(..length)).ok_or(DAMAGED)?;
    let header = std::str::from_utf8(header).map_err(|_| DAMAGED)?;
    // one pair of brackets, which is the shape: a parser of nested brackets would recurse as deep as they go
    if header.matches(['(', '[', '{']).count() != 2 {
        return Err(DAMAGED);
    }
    let shape = header.split_once('(').and_then(|(_, rest)| rest.split_once(')')).ok_or(DAMAGED)?.0;
    let mut wanted = Some(size);
    for side in shape.split(',').map(str::trim).filter(|side| !side.is_empty()) {
        let side: usize = side.parse().map_err(|_| DAMAGED)?;
        wanted = wanted.and_then(|wanted| wanted.checked_mul(side));
    }
    match wanted == Some(bytes.len() - start - length) {
        true => Ok(()),
        false => Err("its shape does not fit its length"),
    }
}

/// An error about the content of a file.
pub fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_read_as_they_were_written() {
        let path = std::env::temp_dir().join(format!("drystone-npz-{}.npz", std::process::id()));
        write(&path, |out| {
            out.add("x", 3, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
            out.add("n", 0, Vec::<u32>::new())
        })
        .unwrap();
        let mut arrays = Arrays::open(&path).unwrap();
        assert_eq!(arrays.table::<f64>("x", 3).unwrap(), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!(arrays.flat::<u32>("n").unwrap(), Vec::<u32>::new());
        assert!(arrays.table::<f64>("x", 2).is_err() && arrays.flat::<u8>("x").is_err());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn an_error_while_it_is_filled_leaves_the_old_file() {
        let path = std::env::temp_dir().join(format!("drystone-npz-fault-{}.npz", std::process::id()));
        write(&path, |out| out.add("x", 0, [1.0])).unwrap();
        let fault = write_sealed(&path, |out| {
            out.add("x", 0, vec![2.0; 100_000])?;
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space"))
        });
        assert_eq!(fault.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(Arrays::open(&path).unwrap().flat::<f64>("x").unwrap(), [1.0]);
        std::fs::remove_file(path).unwrap();
    }

    /// `/dev/full` has no room for a single byte.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_as_such() {
        let fault = archive(Path::new("/dev/full"), |out| out.add("x", 0, vec![1.0; 100_000])).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::StorageFull);
    }

    /// An array of six numbers under a header with this shape.
    fn six(shape: &str) -> Vec<u8> {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let start = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
        [start, vec![0; 48]].concat()
    }

    /// Shapes of other sizes, one whose bytes overflow, brackets in brackets, a header longer than the file: all are
    /// refused.
    #[test]
    fn headers_that_ask_for_more_than_the_file_are_refused() {
        assert_eq!(check_header(&six("(2, 3)"), 8), Ok(()));
        assert_eq!(check_header(&six("(6,)"), 8), Ok(()));
        for shape in ["(3, 3)", "(1000000000000000, 3)", "(4611686018427387904, 2)", "(-2, 3)", "(2, 3", "((2, 3))", ""]
        {
            assert!(check_header(&six(shape), 8).is_err(), "{shape}");
        }
        assert!(check_header(&six("(2, 3)"), 4).is_err());
        let nested = six(&format!("{}2, 3{}", "(".repeat(10_000), ")".repeat(10_000)));
        assert!(check_header(&nested, 8).is_err());
        let mut long = six("(2, 3)");
        long[9] = 0xff;
        assert!(check_header(&long, 8).is_err());
        (0..60).for_each(|length| assert!(check_header(&six("(2, 3)")[..length], 8).is_err()));
    }
}
