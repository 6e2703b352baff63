//! VTK XML ImageData (`.vti`): numbers in the cells of a regular grid, as ParaView reads them.

use std::io::{self, ErrorKind, Write};

use super::writer::Draft;
use super::{Array, root};

/// A regular grid with arrays over its cells, in which x varies fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageData {
    /// Lower corner [m].
    pub origin: [f64; 3],
    /// Lengths of a cell [m].
    pub spacing: [f64; 3],
    /// Number of cells along every axis; 0 along z for a grid in the plane.
    pub cells: [usize; 3],
    /// Arrays with one tuple for each cell.
    pub cell_arrays: Vec<Array>,
    /// Arrays of any length that belong to the whole.
    pub field_arrays: Vec<Array>,
}

impl ImageData {
    /// Writes the file. Arrays that do not fit the cells are an error of kind `InvalidInput`.
    pub fn write(self, out: &mut impl Write) -> io::Result<()> {
        let count: usize = self.cells.iter().map(|n| (*n).max(1)).product();
        if let Some(array) = self.cell_arrays.iter().find(|array| array.tuples() != count) {
            let fault = format!("array {} has {} entries for {count} cells", array.name, array.tuples());
            return Err(io::Error::new(ErrorKind::InvalidInput, fault));
        }
        let mut draft = Draft { head: root("ImageData", false), body: Vec::new(), compress: false };
        let list = |numbers: [f64; 3]| numbers.map(|x| format!("{x:?}")).join(" ");
        let extent = self.cells.map(|n| format!("0 {n}")).join(" ");
        let (origin, spacing) = (list(self.origin), list(self.spacing));
        draft.head += &format!(" <ImageData WholeExtent=\"{extent}\" Origin=\"{origin}\" Spacing=\"{spacing}\">\n");
        draft.section("FieldData", self.field_arrays);
        draft.head += &format!("  <Piece Extent=\"{extent}\">\n");
        draft.section("CellData", self.cell_arrays);
        draft.head += "  </Piece>\n </ImageData>\n";
        draft.finish(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_must_fit_the_cells() {
        let mut image = ImageData { cells: [2, 3, 0], spacing: [1.0; 3], ..ImageData::default() };
        image.cell_arrays.push(Array::scalars("density", &[1.0; 6]));
        let mut file = Vec::new();
        image.clone().write(&mut file).unwrap();
        let text = String::from_utf8_lossy(&file);
        assert!(text.contains("WholeExtent=\"0 2 0 3 0 0\"") && text.contains("NumberOfTuples=\"6\""));
        image.cells[0] = 3;
        assert_eq!(image.write(&mut file).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
