//! VTK XML PolyData (`.vtp`), as ParaView reads it: a writer, and a reader of what the writer makes.
//!
//! Appended raw data, little endian, 64-bit headers; on demand compressed in lz4 blocks of 32 KiB.
//! The arrays lie one after the other without gaps, so that the reader notices a file cut off anywhere.

mod array;
mod image;
mod reader;
mod writer;

use std::io::{self, ErrorKind};

pub use array::{Array, ArrayNumber};
pub use image::ImageData;

/// Bytes that are compressed together.
const BLOCK: usize = 32 * 1024;
const OPENING: &str = "  <AppendedData encoding=\"raw\">\n_";
const CLOSING: &str = "\n  </AppendedData>\n</VTKFile>\n";

/// The first line of a file of a kind of data.
fn root(kind: &str, compressed: bool) -> String {
    let compressor = if compressed { " compressor=\"vtkLZ4DataCompressor\"" } else { "" };
    // 1.0 is what VTK's own writer says for PolyData with 64-bit headers.
    format!(
        "<VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>\n"
    )
}

fn invalid(fault: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, fault)
}

/// Points, the cells that join them, and named arrays over points, cells and the whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolyData {
    /// Coordinates.
    pub points: Vec<[f64; 3]>,
    /// Vertex cells. In cell arrays they come first, then lines, then polygons.
    pub verts: Cells,
    /// Polylines.
    pub lines: Cells,
    /// Polygons.
    pub polys: Cells,
    /// Arrays with one tuple for each point.
    pub point_arrays: Vec<Array>,
    /// Arrays with one tuple for each cell.
    pub cell_arrays: Vec<Array>,
    /// Arrays of any length that belong to the whole.
    pub field_arrays: Vec<Array>,
}

/// Cells of one kind. Cell k joins the points `connectivity[offsets[k - 1]..offsets[k]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    connectivity: Vec<i32>,
    offsets: Vec<i32>,
}

impl Cells {
    /// Cells that use up the points one after the other, given how many points each of them joins.
    pub fn in_order(sizes: impl Iterator<Item = usize>) -> io::Result<Self> {
        Self::in_order_from(0, sizes)
    }

    /// The same, from a later point on.
    pub fn in_order_from(first: usize, sizes: impl Iterator<Item = usize>) -> io::Result<Self> {
        let mut end = 0usize;
        let ends = sizes.map(|size| {
            end += size;
            i32::try_from(end)
        });
        let too_many = |_| io::Error::new(ErrorKind::InvalidInput, "more corners of cells than i32 counts");
        let offsets = ends.collect::<Result<Vec<i32>, _>>().map_err(too_many)?;
        let count = offsets.last().copied().unwrap_or(0);
        let first = i32::try_from(first).map_err(too_many)?;
        Ok(Self { connectivity: (0..count).map(|point| first + point).collect(), offsets })
    }

    /// The point numbers of each cell.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let mut start = 0;
        self.offsets.iter().map(move |&end| {
            let cell = &self.connectivity[start..end as usize];
            start = end as usize;
            cell
        })
    }

    fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Takes over one of the two arrays of a file that describe cells.
    fn place(&mut self, array: &Array) -> Result<(), String> {
        let numbers = array.to_scalars().map_err(|error| error.to_string())?;
        match array.name() {
            "connectivity" => self.connectivity = numbers,
            "offsets" => self.offsets = numbers,
            name => return Err(format!("unknown array {name} among the cells")),
        }
        Ok(())
    }

    fn check(&self, points: usize) -> Result<(), String> {
        let end = self.offsets.last().map_or(0, |&end| end as i64);
        if !self.offsets.is_sorted() || self.offsets.first().is_some_and(|&first| first < 0) {
            return Err("the offsets of cells do not rise".into());
        }
        if end != self.connectivity.len() as i64 {
            return Err(format!("the cells end at {end}, their connectivity at {}", self.connectivity.len()));
        }
        let exists = |point: i32| usize::try_from(point).is_ok_and(|point| point < points);
        match self.connectivity.iter().find(|&&point| !exists(point)) {
            Some(point) => Err(format!("a cell uses point {point} of {points}")),
            None => Ok(()),
        }
    }
}

impl PolyData {
    /// The tag that counts points and cells, written and checked by the same words.
    fn piece(&self) -> String {
        let points = self.points.len();
        let [verts, lines, polys] = [&self.verts, &self.lines, &self.polys].map(Cells::len);
        format!(
            "Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" \
             NumberOfStrips=\"0\" NumberOfPolys=\"{polys}\">"
        )
    }

    fn check(&self) -> Result<(), String> {
        let sorts = [&self.verts, &self.lines, &self.polys];
        for cells in sorts {
            cells.check(self.points.len())?;
        }
        let cells = sorts.map(Cells::len).iter().sum();
        for array in [&self.point_arrays, &self.cell_arrays, &self.field_arrays].into_iter().flatten() {
            let plain = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
            if !array.name.bytes().all(plain) {
                return Err(format!("the name {:?} is not made of letters, digits and _", array.name));
            }
        }
        for (arrays, length) in [(&self.point_arrays, self.points.len()), (&self.cell_arrays, cells)] {
            if let Some(array) = arrays.iter().find(|array| array.tuples() != length) {
                return Err(format!("array {} has {} entries for {length}", array.name, array.tuples()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(data: &PolyData) -> String {
        let error = data.clone().write(&mut Vec::new(), false).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        error.to_string()
    }

    #[test]
    fn arrays_must_fit() {
        let array = |name| vec![Array::scalars(name, &[1.0])];
        let short = PolyData { point_arrays: array("radius"), ..PolyData::default() };
        assert_eq!(refusal(&short), "array radius has 1 entries for 0");
        let named = PolyData { field_arrays: array("a<b"), ..PolyData::default() };
        assert_eq!(refusal(&named), "the name \"a<b\" is not made of letters, digits and _");
        assert!(array("id")[0].to_scalars::<i32>().is_err());
        assert!(array("id")[0].to_vectors::<3>().is_err());
    }

    #[test]
    fn cells_must_fit() {
        let lines = |connectivity: &[i32], offsets: &[i32]| PolyData {
            points: vec![[0.0; 3]; 3],
            lines: Cells { connectivity: connectivity.into(), offsets: offsets.into() },
            ..PolyData::default()
        };
        assert!(lines(&[0, 1, 2, 0], &[2, 4]).write(&mut Vec::new(), false).is_ok());
        assert_eq!(refusal(&lines(&[0, 3], &[2])), "a cell uses point 3 of 3");
        assert_eq!(refusal(&lines(&[0, -1], &[2])), "a cell uses point -1 of 3");
        assert_eq!(refusal(&lines(&[0, 1], &[3, 2])), "the offsets of cells do not rise");
        assert_eq!(refusal(&lines(&[0, 1], &[-2, 2])), "the offsets of cells do not rise");
        assert_eq!(refusal(&lines(&[0, 1], &[])), "the cells end at 0, their connectivity at 2");
    }
}
