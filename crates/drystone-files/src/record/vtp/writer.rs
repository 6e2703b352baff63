//! Writing a `.vtp` file: a header in XML, then the bytes of all arrays.

use std::io::{self, ErrorKind, Write};

use super::{Array, BLOCK, CLOSING, OPENING, PolyData, root};

impl PolyData {
    /// Writes the file; every array is dropped once it is compressed. Arrays that do not fit the points or the cells are
    /// an error of kind `InvalidInput`.
    pub fn write(self, out: &mut impl Write, compress: bool) -> io::Result<()> {
        self.check().map_err(|fault| io::Error::new(ErrorKind::InvalidInput, fault))?;
        let mut draft = Draft { head: root("PolyData", compress), body: Vec::new(), compress };
        draft.head += " <PolyData>\n";
        let piece = self.piece();
        draft.section("FieldData", self.field_arrays);
        draft.head += &format!("  <{piece}\n");
        draft.section("PointData", self.point_arrays);
        draft.section("CellData", self.cell_arrays);
        draft.section("Points", vec![Array::vectors("Points", &self.points)]);
        for (tag, cells) in [("Verts", self.verts), ("Lines", self.lines), ("Polys", self.polys)] {
            let connectivity = Array::scalars("connectivity", &cells.connectivity);
            draft.section(tag, vec![connectivity, Array::scalars("offsets", &cells.offsets)]);
        }
        draft.head += "  </Piece>\n </PolyData>\n";
        draft.finish(out)
    }
}

/// A file before it is written: the text of the header and the appended bytes.
pub(super) struct Draft {
    pub(super) head: String,
    pub(super) body: Vec<u8>,
    pub(super) compress: bool,
}

impl Draft {
    /// Writes the header and the bytes after it.
    pub(super) fn finish(&self, out: &mut impl Write) -> io::Result<()> {
        for bytes in [self.head.as_bytes(), OPENING.as_bytes(), &self.body, CLOSING.as_bytes()] {
            out.write_all(bytes)?;
        }
        Ok(())
    }

    pub(super) fn section(&mut self, tag: &str, arrays: Vec<Array>) {
        self.head += &format!("   <{tag}>\n");
        for array in arrays {
            let Array { name, number: (kind, _), components, .. } = &array;
            self.head += &format!(
                "    <DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
                 NumberOfTuples=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                array.tuples(),
                self.body.len()
            );
            if self.compress {
                self.push_blocks(&array.bytes);
            } else {
                self.push_numbers(&[array.bytes.len()]);
                self.body.extend_from_slice(&array.bytes);
            }
        }
        self.head += &format!("   </{tag}>\n");
    }

    /// Number of blocks, size of a block, size of a last block that is not full (else 0), compressed sizes; the blocks.
    fn push_blocks(&mut self, bytes: &[u8]) {
        let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(lz4_flex::block::compress).collect();
        self.push_numbers(&[blocks.len(), BLOCK, bytes.len() % BLOCK]);
        self.push_numbers(&blocks.iter().map(Vec::len).collect::<Vec<_>>());
        for block in blocks {
            self.body.extend_from_slice(&block);
        }
    }

    fn push_numbers(&mut self, numbers: &[usize]) {
        for &number in numbers {
            self.body.extend_from_slice(&(number as u64).to_le_bytes());
        }
    }
}
