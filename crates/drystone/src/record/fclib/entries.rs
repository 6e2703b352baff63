//! The entries of W, in each of the three ways that FCLIB stores them.

use std::io;

use super::Datasets;

/// Row, column and number of every entry of W, which has `size` rows and columns.
pub(super) fn entries(local: &Datasets, size: usize) -> io::Result<Vec<(usize, usize, f64)>> {
    match local.one("W/nz")? {
        -2 => compressed(local, size),
        -1 => Ok(compressed(local, size)?.into_iter().map(|(column, row, number)| (row, column, number)).collect()),
        count if count >= 0 => triplets(local, size, count as usize),
        other => {
            let fault = format!("is {other}; -2 (rows), -1 (columns) or a number of triplets was expected");
            Err(local.wrong("W/nz", fault))
        }
    }
}

/// Line (row or column), position in the line, and number of every entry; line k has the entries from `p[k]` to `p[k +
/// 1]`.
fn compressed(local: &Datasets, size: usize) -> io::Result<Vec<(usize, usize, f64)>> {
    let starts = local.integers_of("W/p", size + 1)?;
    if starts[0] != 0 || !starts.is_sorted() {
        return Err(local.wrong("W/p", "does not rise from 0".into()));
    }
    let count = starts[size] as usize;
    let (places, numbers) = (indices(local, "W/i", count, size)?, values(local, count)?);
    let lines =
        starts.windows(2).enumerate().flat_map(|(line, ends)| std::iter::repeat_n(line, (ends[1] - ends[0]) as usize));
    Ok(lines.zip(places).zip(numbers).map(|((line, place), number)| (line, place, number)).collect())
}

fn triplets(local: &Datasets, size: usize, count: usize) -> io::Result<Vec<(usize, usize, f64)>> {
    let rows = indices(local, "W/p", count, size)?;
    let columns = indices(local, "W/i", count, size)?;
    let numbers = values(local, count)?;
    Ok(rows.into_iter().zip(columns).zip(numbers).map(|((row, column), number)| (row, column, number)).collect())
}

/// The first `count` indices, each of them below `size`. The rest of the data set is unused.
fn indices(local: &Datasets, name: &str, count: usize, size: usize) -> io::Result<Vec<usize>> {
    let mut indices = local.integers(name)?;
    at_least(local, name, indices.len(), count)?;
    indices.truncate(count);
    match indices.iter().position(|index| !(0..size as i64).contains(index)) {
        None => Ok(indices.into_iter().map(|index| index as usize).collect()),
        Some(k) => {
            Err(local.wrong(name, format!("has index {} at place {k}, W has {size} rows and columns", indices[k])))
        }
    }
}

fn values(local: &Datasets, count: usize) -> io::Result<Vec<f64>> {
    let mut numbers = local.numbers("W/x")?;
    at_least(local, "W/x", numbers.len(), count)?;
    numbers.truncate(count);
    Ok(numbers)
}

fn at_least(local: &Datasets, name: &str, found: usize, count: usize) -> io::Result<()> {
    match found >= count {
        true => Ok(()),
        false => Err(local.wrong(name, format!("has {found} numbers, at least {count} were expected"))),
    }
}
