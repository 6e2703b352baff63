//! A named array of numbers, held as the little-endian bytes of the file.

use std::io;

use super::invalid;

/// A number that an array may hold.
pub trait ArrayNumber: Copy {
    /// VTK's name of the type.
    const TYPE: &'static str;
    /// Its bytes.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Default;
    /// Number to little-endian bytes.
    const TO_BYTES: fn(Self) -> Self::Bytes;
    /// Little-endian bytes to number.
    const FROM_BYTES: fn(Self::Bytes) -> Self;
}

impl ArrayNumber for f64 {
    const TYPE: &'static str = "Float64";
    type Bytes = [u8; 8];
    const TO_BYTES: fn(Self) -> [u8; 8] = Self::to_le_bytes;
    const FROM_BYTES: fn([u8; 8]) -> Self = Self::from_le_bytes;
}

impl ArrayNumber for u64 {
    const TYPE: &'static str = "UInt64";
    type Bytes = [u8; 8];
    const TO_BYTES: fn(Self) -> [u8; 8] = Self::to_le_bytes;
    const FROM_BYTES: fn([u8; 8]) -> Self = Self::from_le_bytes;
}

impl ArrayNumber for i32 {
    const TYPE: &'static str = "Int32";
    type Bytes = [u8; 4];
    const TO_BYTES: fn(Self) -> [u8; 4] = Self::to_le_bytes;
    const FROM_BYTES: fn([u8; 4]) -> Self = Self::from_le_bytes;
}

impl ArrayNumber for u32 {
    const TYPE: &'static str = "UInt32";
    type Bytes = [u8; 4];
    const TO_BYTES: fn(Self) -> [u8; 4] = Self::to_le_bytes;
    const FROM_BYTES: fn([u8; 4]) -> Self = Self::from_le_bytes;
}

impl ArrayNumber for u8 {
    const TYPE: &'static str = "UInt8";
    type Bytes = [u8; 1];
    const TO_BYTES: fn(Self) -> [u8; 1] = Self::to_le_bytes;
    const FROM_BYTES: fn([u8; 1]) -> Self = Self::from_le_bytes;
}

/// VTK's name and the number of bytes of each of these types.
pub(super) const TYPES: [(&str, usize); 5] = [("Float64", 8), ("UInt64", 8), ("Int32", 4), ("UInt32", 4), ("UInt8", 1)];

/// A named array, held as the bytes of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub(super) name: String,
    pub(super) number: (&'static str, usize),
    pub(super) components: usize,
    pub(super) bytes: Vec<u8>,
}

impl Array {
    /// An array of single numbers.
    pub fn scalars<T: ArrayNumber>(name: &str, values: &[T]) -> Self {
        let mut bytes = Vec::with_capacity(size_of_val(values));
        for &value in values {
            bytes.extend_from_slice(T::TO_BYTES(value).as_ref());
        }
        Self { name: name.into(), number: (T::TYPE, size_of::<T::Bytes>()), components: 1, bytes }
    }

    /// An array of vectors.
    pub fn vectors<const N: usize>(name: &str, values: &[[f64; N]]) -> Self {
        Self { components: N, ..Self::scalars(name, values.as_flattened()) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values of an array of single numbers; an error if it holds something else.
    pub fn to_scalars<T: ArrayNumber>(&self) -> io::Result<Vec<T>> {
        self.expect(T::TYPE, 1)?;
        Ok(self.numbers())
    }

    /// The values of an array of vectors; an error if it holds something else.
    pub fn to_vectors<const N: usize>(&self) -> io::Result<Vec<[f64; N]>> {
        self.expect(f64::TYPE, N)?;
        Ok(self.numbers().as_chunks::<N>().0.to_vec())
    }

    fn numbers<T: ArrayNumber>(&self) -> Vec<T> {
        let number = |chunk: &[u8]| {
            let mut bytes = T::Bytes::default();
            bytes.as_mut().copy_from_slice(chunk);
            T::FROM_BYTES(bytes)
        };
        self.bytes.chunks_exact(size_of::<T::Bytes>()).map(number).collect()
    }

    fn expect(&self, kind: &str, components: usize) -> io::Result<()> {
        if (self.number.0, self.components) == (kind, components) {
            return Ok(());
        }
        let (found, name) = (self.number.0, &self.name);
        Err(invalid(format!("array {name} holds {found} x {}, not {kind} x {components}", self.components)))
    }

    /// How many tuples it has.
    pub fn tuples(&self) -> usize {
        self.bytes.len() / (self.number.1 * self.components)
    }
}
