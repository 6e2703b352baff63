//! Reading the `.vtp` files that the writer makes, with clear errors for damaged ones.

use std::io;

use super::array::TYPES;
use super::{Array, BLOCK, CLOSING, OPENING, PolyData, invalid, root};

impl PolyData {
    /// Reads a file that `write` made; anything else is an error of kind `InvalidData` that says what is wrong.
    pub fn read(file: &[u8]) -> io::Result<Self> {
        Self::parse(file).map_err(invalid)
    }

    fn parse(file: &[u8]) -> Result<Self, String> {
        let compressed =
            [true, false].into_iter().find(|&compressed| file.starts_with(root("PolyData", compressed).as_bytes()));
        let compressed = compressed.ok_or("it does not begin like a PolyData file that drystone wrote")?;
        let start = file.windows(OPENING.len()).position(|bytes| bytes == OPENING.as_bytes());
        let (head, rest) = file.split_at(start.ok_or("it has no appended data: it was cut off")?);
        let head = std::str::from_utf8(head).map_err(|error| format!("its header is not text: {error}"))?;
        let rest = rest[OPENING.len()..].strip_suffix(CLOSING.as_bytes());
        let rest = rest.ok_or("it does not end with </VTKFile>: it was cut off")?;

        let mut body = Body { rest, length: rest.len(), compressed };
        let (mut data, mut section, mut piece) = (Self::default(), "", None);
        for tag in head.split('<') {
            match tag.split([' ', '>']).next().unwrap_or("") {
                "Piece" => piece = Some(tag.trim_end()),
                "DataArray" => data.place(section, body.array(tag)?)?,
                name => section = name,
            }
        }
        if !body.rest.is_empty() {
            return Err(format!("{} bytes of its data belong to no array", body.rest.len()));
        }
        if piece != Some(data.piece().as_str()) {
            return Err("its numbers of points and cells are not those of its arrays".into());
        }
        data.check()?;
        Ok(data)
    }

    fn place(&mut self, section: &str, array: Array) -> Result<(), String> {
        let text = |error: io::Error| error.to_string();
        match (section, array.name()) {
            ("FieldData", _) => self.field_arrays.push(array),
            ("PointData", _) => self.point_arrays.push(array),
            ("CellData", _) => self.cell_arrays.push(array),
            ("Points", "Points") => self.points = array.to_vectors().map_err(text)?,
            ("Verts", _) => self.verts.place(&array)?,
            ("Lines", _) => self.lines.place(&array)?,
            ("Polys", _) => self.polys.place(&array)?,
            (_, name) => return Err(format!("array {name} stands in no known section")),
        }
        Ok(())
    }
}

/// The appended bytes that are not read yet.
struct Body<'a> {
    rest: &'a [u8],
    length: usize,
    compressed: bool,
}

impl<'a> Body<'a> {
    /// The array that a tag of the header announces.
    fn array(&mut self, tag: &str) -> Result<Array, String> {
        let name = attribute(tag, "Name")?.to_string();
        let kind = attribute(tag, "type")?;
        let number = TYPES.into_iter().find(|number| number.0 == kind);
        let number = number.ok_or_else(|| format!("array {name} has the unknown type {kind}"))?;
        let [components, tuples, offset] =
            [count(tag, "NumberOfComponents")?, count(tag, "NumberOfTuples")?, count(tag, "offset")?];
        // single numbers, vectors, quaternions, symmetric tensors
        if ![1, 3, 4, 6].contains(&components) {
            return Err(format!("array {name} has {components} components"));
        }
        if offset != self.length - self.rest.len() {
            return Err(format!("array {name} does not start where the one before it ends"));
        }
        let bytes = if self.compressed { self.blocks() } else { self.plain() };
        let bytes = bytes.map_err(|fault| format!("array {name}: {fault}"))?;
        if tuples.checked_mul(number.1 * components) != Some(bytes.len()) {
            return Err(format!("array {name} has {} bytes for {tuples} tuples", bytes.len()));
        }
        Ok(Array { name, number, components, bytes })
    }

    fn plain(&mut self) -> Result<Vec<u8>, String> {
        let length = self.number()?;
        Ok(self.take(length)?.to_vec())
    }

    /// Sizes in a header are not trusted: the result grows block by block with what is really there.
    fn blocks(&mut self) -> Result<Vec<u8>, String> {
        let [number, size, last] = [self.number()?, self.number()?, self.number()?];
        if size != BLOCK || last >= BLOCK || (number == 0 && last != 0) {
            return Err(format!("corrupt block header ({number} blocks of {size}, {last})"));
        }
        let sizes = self.take(number.saturating_mul(8))?;
        let mut sizes = Body { rest: sizes, ..*self };
        let (mut bytes, mut block) = (Vec::new(), [0; BLOCK]);
        for k in 1..=number {
            let full = if k == number && last > 0 { last } else { BLOCK };
            let packed = self.take(sizes.number()?)?;
            let length = lz4_flex::block::decompress_into(packed, &mut block[..full])
                .map_err(|error| format!("corrupt lz4 block {k}: {error}"))?;
            if length != full {
                return Err(format!("lz4 block {k} holds {length} bytes, not {full}"));
            }
            bytes.extend_from_slice(&block[..full]);
        }
        Ok(bytes)
    }

    fn number(&mut self) -> Result<usize, String> {
        let bytes = self.take(8)?.first_chunk().ok_or("a header is cut off")?;
        usize::try_from(u64::from_le_bytes(*bytes)).map_err(|error| error.to_string())
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        let (bytes, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or_else(|| format!("{length} bytes wanted, {} left", self.rest.len()))?;
        self.rest = rest;
        Ok(bytes)
    }
}

fn attribute<'a>(tag: &'a str, key: &str) -> Result<&'a str, String> {
    let value = tag.split_once(&format!(" {key}=\"")).and_then(|(_, value)| value.split_once('"'));
    Ok(value.ok_or_else(|| format!("a tag has no attribute {key}: <{}", tag.trim_end()))?.0)
}

fn count(tag: &str, key: &str) -> Result<usize, String> {
    let text = attribute(tag, key)?;
    text.parse().map_err(|_| format!("{key} is {text:?}, not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::vtp::Cells;
    use std::io::ErrorKind;

    /// Some of everything. With n = 4096 arrays fill several blocks, with n = 5000 the last one in part.
    fn sample(n: usize) -> PolyData {
        let points: Vec<[f64; 3]> = (0..n).map(|k| [k as f64, -0.0, f64::NAN]).collect();
        let wave: Vec<f64> = points.iter().map(|x| (x[0] * 12.9898).sin()).collect();
        let bytes: Vec<u8> = (0..=255).cycle().take(n).collect();
        let turns: Vec<[f64; 4]> = wave.iter().map(|&s| [s, -s, 5e-324, f64::INFINITY]).collect();
        PolyData {
            verts: Cells::in_order([1, 1].into_iter()).unwrap(),
            lines: Cells::in_order([2].into_iter()).unwrap(),
            polys: Cells::in_order([3, 4, 5].into_iter()).unwrap(),
            point_arrays: vec![
                Array::scalars("wave", &wave),
                Array::scalars("byte", &bytes),
                Array::vectors("turn", &turns),
            ],
            cell_arrays: vec![
                Array::scalars("signed", &[i32::MIN, -1, 0, 1, 2, i32::MAX]),
                Array::scalars("unsigned", &[0, 1, 2, 3, 4, u32::MAX]),
            ],
            field_arrays: vec![Array::scalars("step", &[u64::MAX])],
            points,
        }
    }

    fn written(data: &PolyData, compress: bool) -> Vec<u8> {
        let mut file = Vec::new();
        data.clone().write(&mut file, compress).unwrap();
        file
    }

    fn fault(file: &[u8]) -> String {
        let error = PolyData::read(file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        error.to_string()
    }

    #[test]
    fn reads_back_the_same_bits() {
        for compress in [false, true] {
            for data in [sample(5000), sample(4096), PolyData::default()] {
                let file = written(&data, compress);
                let again = PolyData::read(&file).unwrap();
                assert_eq!(written(&again, compress), file);
                // The points hold NaN, which is not equal to itself: compare them as bytes.
                assert_eq!(Array::vectors("", &again.points), Array::vectors("", &data.points));
                assert_eq!(PolyData { points: vec![], ..again }, PolyData { points: vec![], ..data });
            }
        }
    }

    #[test]
    fn a_file_cut_off_anywhere_is_an_error() {
        for (compress, n, stride) in [(false, 20, 1), (true, 20, 1), (true, 4096, 997)] {
            let file = written(&sample(n), compress);
            for length in (0..file.len()).step_by(stride) {
                fault(&file[..length]);
            }
            let middle = file.len() * 3 / 4;
            fault(&[&file[..middle], &file[middle + 8..]].concat());
        }
    }

    #[test]
    fn flipped_bytes_never_panic() {
        for (compress, n, stride) in [(false, 20, 1), (true, 20, 1), (true, 4096, 997)] {
            let file = written(&sample(n), compress);
            for place in (0..file.len()).step_by(stride) {
                for flip in [0x01, 0x80, 0xff] {
                    let mut file = file.clone();
                    file[place] ^= flip;
                    if let Err(error) = PolyData::read(&file) {
                        assert_eq!(error.kind(), ErrorKind::InvalidData);
                    }
                }
            }
        }
    }

    #[test]
    fn a_header_that_lies_is_found_out() {
        let file = written(&PolyData::default(), false);
        let text = String::from_utf8(file).unwrap();
        for (truth, lie, found) in [
            ("Points=\"0\"", "Points=\"99999999999\"", "numbers of points and cells"),
            ("Tuples=\"0\"", "Tuples=\"99999999999\"", "0 bytes for 99999999999 tuples"),
            ("Components=\"3\"", "Components=\"0\"", "has 0 components"),
            ("offset=\"0\"", "offset=\"18446744073709551615\"", "does not start where"),
            ("type=\"Float64\"", "type=\"Float32\"", "unknown type Float32"),
            ("Little", "Big", "does not begin like"),
            ("Polys>", "Strips>", "no known section"),
        ] {
            let found_fault = fault(text.replace(truth, lie).as_bytes());
            assert!(found_fault.contains(found), "{found_fault}");
        }
    }

    #[test]
    fn a_block_header_that_lies_allocates_nothing() {
        let data = PolyData { field_arrays: vec![Array::scalars("step", &[7u64])], ..PolyData::default() };
        for compress in [false, true] {
            let mut file = written(&data, compress);
            let start = file.windows(OPENING.len()).position(|w| w == OPENING.as_bytes()).unwrap() + OPENING.len();
            file[start..start + 8].fill(0xff);
            assert!(fault(&file).contains("bytes wanted"));
        }
    }
}
