//! Contact problems in files of the Frictional Contact Library (FCLIB), which are HDF5.
//!
//! A local problem stands in the group `fclib_local`: `spacedim` (2 or 3), the matrix `W` as `m`, `n`, `nz`, `nzmax`,
//! `p`, `i`, `x`, and `vectors/q`, `vectors/mu`. W is compressed by rows (nz = -2), by columns (nz = -1), or a list of
//! nz triplets with rows in `p` and columns in `i`. A solution stands in the group `solution`: `r` and `u`.

mod entries;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use hdf5_pure::{DType, File, FileBuilder, GroupBuilder};

use super::aside::{make_aside, write_aside};
use crate::method::cd::problem::{AnyProblem, ContactProblem, Flaw};
use crate::method::cd::stored::Solution;
use entries::entries;

/// Reads the local problem of a file. Errors name the file, the dataset and what was expected.
pub fn read(path: &Path) -> io::Result<AnyProblem> {
    load(path, |file| {
        let local = Datasets { file, group: "fclib_local" };
        match local.one("spacedim")? {
            2 => problem(&local).map(AnyProblem::Plane),
            3 => problem(&local).map(AnyProblem::Space),
            other => Err(local.wrong("spacedim", format!("is {other}, 2 or 3 were expected"))),
        }
    })
}

/// Reads the impulses r and the velocities u of the solution in a file.
pub fn read_solution(path: &Path) -> io::Result<(Vec<f64>, Vec<f64>)> {
    load(path, |file| {
        let solution = Datasets { file, group: "solution" };
        Ok((solution.numbers("r")?, solution.numbers("u")?))
    })
}

/// Writes a problem, with a title.
pub fn write(path: &Path, problem: &AnyProblem, title: &str) -> io::Result<()> {
    let mut file = FileBuilder::new();
    let mut local = file.create_group("fclib_local");
    local.create_dataset("spacedim").with_i32_data(&[problem.dimension() as i32]);
    match problem {
        AnyProblem::Plane(problem) => add(&mut local, problem),
        AnyProblem::Space(problem) => add(&mut local, problem),
    }
    .map_err(|error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))?;
    let mut info = local.create_group("info");
    // one byte more than the text: FCLIB wants its strings to end with a zero
    let text = info.create_dataset("title").with_strings_sized(&[title], title.len() as u32 + 1);
    text.map_err(io::Error::other)?.with_shape(&[]);
    local.add_group(info.finish());
    file.add_group(local.finish());
    let bytes = file.finish().map_err(io::Error::other)?;
    write_aside(path, |out| out.write_all(&bytes))
}

/// Writes a copy of the file of a problem with the solution in it; a solution that it held before is replaced.
pub fn write_solution(problem: &Path, path: &Path, solution: &Solution) -> io::Result<()> {
    make_aside(path, |part| {
        // copies the bytes, not the permissions: the problem may be read-only, its solution is written
        fs::write(part, fs::read(problem)?)?;
        let add = || {
            let file = File::open_rw(part)?;
            let root = file.root();
            if root.groups()?.iter().any(|name| name == "solution") {
                root.delete("solution")?;
            }
            root.create_group("solution")?;
            root.create_dataset("solution/u", |data| _ = data.with_f64_data(&solution.velocities))?;
            root.create_dataset("solution/r", |data| _ = data.with_f64_data(&solution.impulses))?;
            file.commit()
        };
        add().map_err(io::Error::other)
    })
}

fn add<const N: usize>(local: &mut GroupBuilder, problem: &ContactProblem<N>) -> io::Result<()> {
    let size = N * problem.contacts();
    let count = N * N * problem.block_count();
    let too_large = |_| io::Error::new(ErrorKind::FileTooLarge, format!("W has {count} entries, FCLIB counts to 2^31"));
    i32::try_from(count).map_err(too_large)?;
    let (mut starts, mut columns, mut numbers) = (vec![0], Vec::with_capacity(count), Vec::with_capacity(count));
    for row in 0..size {
        for (other, block) in problem.row(row / N) {
            columns.extend((0..N).map(|k| (N * other + k) as i32));
            numbers.extend(block[row % N]);
        }
        starts.push(columns.len() as i32);
    }
    let mut matrix = local.create_group("W");
    for (name, number) in [("nzmax", count as i32), ("m", size as i32), ("n", size as i32), ("nz", -2)] {
        matrix.create_dataset(name).with_i32_data(&[number]);
    }
    matrix.create_dataset("p").with_i32_data(&starts);
    matrix.create_dataset("i").with_i32_data(&columns);
    matrix.create_dataset("x").with_f64_data(&numbers);
    local.add_group(matrix.finish());
    let mut vectors = local.create_group("vectors");
    vectors.create_dataset("q").with_f64_data(problem.free().as_flattened());
    vectors.create_dataset("mu").with_f64_data(problem.friction());
    local.add_group(vectors.finish());
    Ok(())
}

fn load<T>(path: &Path, accept: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
    let read = || {
        let bytes = fs::read(path)?;
        if !hdf5_pure::is_hdf5_bytes(&bytes) {
            return Err(invalid("it is not an HDF5 file".into()));
        }
        accept(&File::from_bytes(bytes).map_err(|error| invalid(format!("its HDF5 is damaged: {error}")))?)
    };
    read().map_err(|error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display())))
}

fn problem<const N: usize>(local: &Datasets) -> io::Result<ContactProblem<N>> {
    if local.has("R") || local.has("V") {
        return Err(local.wrong("R", "belongs to bilateral constraints, which cannot be solved yet".into()));
    }
    let (rows, columns) = (local.size("W/m")?, local.size("W/n")?);
    if rows != columns {
        return Err(local.wrong("W", format!("has {rows} rows and {columns} columns, a square was expected")));
    }
    if !rows.is_multiple_of(N) {
        return Err(local.wrong("W", format!("has {rows} rows, which is no multiple of spacedim = {N}")));
    }
    let q = local.numbers_of("vectors/q", rows)?;
    let friction = local.numbers_of("vectors/mu", rows / N)?;
    let place = |flaw: Flaw| {
        let dataset = match flaw {
            Flaw::NotFinite { what: "q", .. } => "vectors/q",
            Flaw::NotFinite { what: "mu", .. } | Flaw::NegativeFriction { .. } => "vectors/mu",
            _ => "W",
        };
        local.wrong(dataset, format!("cannot be used: {flaw}"))
    };
    ContactProblem::from_entries(entries(local, rows)?, &q, friction).map_err(place)
}

/// The datasets of a group.
struct Datasets<'f> {
    file: &'f File,
    group: &'static str,
}

impl Datasets<'_> {
    fn has(&self, name: &str) -> bool {
        let path = format!("{}/{name}", self.group);
        self.file.group(&path).is_ok() || self.file.dataset(&path).is_ok()
    }

    /// An error about a dataset.
    fn wrong(&self, name: &str, fault: String) -> io::Error {
        invalid(format!("`{}/{name}` {fault}", self.group))
    }

    fn open(&self, name: &str) -> io::Result<hdf5_pure::Dataset> {
        if self.file.group(self.group).is_err() {
            let global = match self.file.group("fclib_global") {
                Ok(_) => "; it holds a global problem, which cannot be solved",
                Err(_) => "",
            };
            return Err(invalid(format!("the group `{}` is missing{global}", self.group)));
        }
        let path = format!("{}/{name}", self.group);
        self.file.dataset(&path).map_err(|error| self.wrong(name, format!("is missing or damaged: {error}")))
    }

    fn integers(&self, name: &str) -> io::Result<Vec<i64>> {
        use DType::{I8, I16, I32, I64, U8, U16, U32};
        let data = self.open(name)?;
        match data.dtype() {
            Ok(I8 | I16 | I32 | I64 | U8 | U16 | U32) => data.read_i64().map_err(|error| self.damaged(name, &error)),
            Ok(other) => Err(self.wrong(name, format!("holds {other}, integers were expected"))),
            Err(error) => Err(self.damaged(name, &error)),
        }
    }

    fn integers_of(&self, name: &str, length: usize) -> io::Result<Vec<i64>> {
        let integers = self.integers(name)?;
        self.expect(name, integers.len(), length).map(|()| integers)
    }

    fn one(&self, name: &str) -> io::Result<i64> {
        self.integers_of(name, 1).map(|integers| integers[0])
    }

    fn size(&self, name: &str) -> io::Result<usize> {
        let size = self.one(name)?;
        usize::try_from(size).map_err(|_| self.wrong(name, format!("is {size}, zero or more was expected")))
    }

    fn numbers(&self, name: &str) -> io::Result<Vec<f64>> {
        let data = self.open(name)?;
        match data.dtype() {
            Ok(DType::F32 | DType::F64) => data.read_f64().map_err(|error| self.damaged(name, &error)),
            Ok(other) => Err(self.wrong(name, format!("holds {other}, floating-point numbers were expected"))),
            Err(error) => Err(self.damaged(name, &error)),
        }
    }

    fn numbers_of(&self, name: &str, length: usize) -> io::Result<Vec<f64>> {
        let numbers = self.numbers(name)?;
        self.expect(name, numbers.len(), length).map(|()| numbers)
    }

    fn expect(&self, name: &str, found: usize, expected: usize) -> io::Result<()> {
        match found == expected {
            true => Ok(()),
            false => Err(self.wrong(name, format!("has {found} numbers, {expected} were expected"))),
        }
    }

    fn damaged(&self, name: &str, error: &hdf5_pure::Error) -> io::Error {
        self.wrong(name, format!("is damaged: {error}"))
    }
}

fn invalid(fault: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, fault)
}
