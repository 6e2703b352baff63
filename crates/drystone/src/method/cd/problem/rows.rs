//! Rows of blocks under construction.

use super::DelassusBlock;

/// Rows of blocks under construction.
#[derive(Clone, Debug)]
pub(crate) struct Rows<const N: usize> {
    pub starts: Vec<usize>,
    pub columns: Vec<u32>,
    pub blocks: Vec<DelassusBlock<N>>,
}

impl<const N: usize> Default for Rows<N> {
    fn default() -> Self {
        Rows { starts: vec![0], columns: Vec::new(), blocks: Vec::new() }
    }
}

impl<const N: usize> Rows<N> {
    /// Rows of `contacts` contacts from entries that are sorted by blocks.
    pub(crate) fn of(entries: &[(usize, usize, f64)], contacts: usize) -> Rows<N> {
        let mut rows = Rows::default();
        for row in entries.chunk_by(|one, next| one.0 / N == next.0 / N) {
            rows.skip_to(row[0].0 / N);
            for block in row.chunk_by(|one, next| one.1 / N == next.1 / N) {
                rows.push((block[0].1 / N) as u32, gather(block));
            }
        }
        rows.skip_to(contacts);
        rows
    }

    /// Adds a block to the row that is under construction; columns rise.
    pub(crate) fn push(&mut self, column: u32, block: DelassusBlock<N>) {
        self.columns.push(column);
        self.blocks.push(block);
    }

    /// Ends all rows before this one.
    pub(crate) fn skip_to(&mut self, row: usize) {
        self.starts.resize(row + 1, self.blocks.len());
    }
}

/// The block of entries that belong together. A single number keeps its bits.
fn gather<const N: usize>(entries: &[(usize, usize, f64)]) -> DelassusBlock<N> {
    let mut block = [[None; N]; N];
    for (row, column, number) in entries {
        let place: &mut Option<f64> = &mut block[row % N][column % N];
        *place = Some(place.map_or(*number, |before| before + number));
    }
    block.map(|row| row.map(|number| number.unwrap_or(0.0)))
}
