//! Digests of files: 256 bits of BLAKE3.
//!
//! BLAKE3 reads some gigabytes a second, is cryptographic (nobody can make other bytes of the same digest), and `b3sum`
//! computes the same number.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// The digest of a sequence of bytes; written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest([u8; Digest::LENGTH]);

impl Digest {
    /// Bytes of a digest.
    pub const LENGTH: usize = 32;

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// The digest of a file, or of its first `length` bytes; a shorter file is an error.
    pub fn of_file(path: &Path, length: Option<u64>) -> io::Result<Digest> {
        let mut making = Making::default();
        let seen = making.read(&mut File::open(path)?.take(length.unwrap_or(u64::MAX)))?;
        match length.is_some_and(|length| seen < length) {
            true => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is shorter than it was")),
            false => Ok(making.digest()),
        }
    }

    /// The digest that was written as bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Digest> {
        bytes.try_into().ok().map(Digest)
    }

    /// Its bytes.
    pub fn bytes(&self) -> [u8; Digest::LENGTH] {
        self.0
    }

    /// The digest that was written as 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Digest> {
        blake3::Hash::from_hex(text)
            .ok()
            .map(|hash| Digest(*hash.as_bytes()))
            .filter(|digest| digest.to_string() == text)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

/// Computes a digest of bytes that arrive one after the other.
#[derive(Clone, Debug, Default)]
pub struct Making(blake3::Hasher);

impl Making {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds all that a reader gives; returns how many bytes that were.
    pub fn read(&mut self, from: &mut impl Read) -> io::Result<u64> {
        let mut piece = vec![0; PIECE];
        let mut seen = 0;
        loop {
            match from.read(&mut piece) {
                Ok(0) => return Ok(seen),
                Ok(count) => {
                    self.add(&piece[..count]);
                    seen += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The digest of what was added so far.
    pub fn digest(&self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

/// Bytes that are read or written at a time: enough for all lanes of the processor.
pub const PIECE: usize = 1 << 17;

/// A file that is written, and the digest of what it holds so far.
#[derive(Debug)]
pub struct Digested {
    file: File,
    making: Making,
}

impl Digested {
    /// A file that is still empty.
    pub fn new(file: File) -> Digested {
        Digested { file, making: Making::default() }
    }

    /// Makes sure that all bytes are on the disk; returns their digest.
    pub fn sync(&self) -> io::Result<Digest> {
        self.file.sync_all()?;
        Ok(self.making.digest())
    }
}

impl Write for Digested {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.making.add(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the reference test vectors of BLAKE3: no bytes, and the three bytes 0, 1, 2.
    #[test]
    fn digests_are_those_of_the_reference() {
        let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        let three = "e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f";
        assert_eq!((Digest::of(&[]).to_string(), Digest::of(&[0, 1, 2]).to_string()), (empty.into(), three.into()));
        assert_eq!(Digest::parse(three), Some(Digest::of(&[0, 1, 2])));
        assert_eq!(
            (Digest::parse(&three.to_uppercase()), Digest::parse("e1be"), Digest::parse("")),
            (None, None, None)
        );
        let mut pieces = Making::default();
        [&[0][..], &[], &[1, 2]].iter().for_each(|piece| pieces.add(piece));
        assert_eq!(pieces.digest(), Digest::of(&[0, 1, 2]));
    }

    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let path = std::env::temp_dir().join(format!("drystone-digest-{}", std::process::id()));
        let bytes: Vec<u8> = (0..3 * PIECE + 17).map(|k| (k % 251) as u8).collect();
        let mut file = Digested::new(File::create(&path).unwrap());
        bytes.chunks(1000).for_each(|piece| file.write_all(piece).unwrap());
        assert_eq!(file.sync().unwrap(), Digest::of(&bytes));
        assert_eq!(Digest::of_file(&path, None).unwrap(), Digest::of(&bytes));
        assert_eq!(Digest::of_file(&path, Some(5)).unwrap(), Digest::of(&bytes[..5]));
        assert!(Digest::of_file(&path, Some(bytes.len() as u64 + 1)).is_err());
        std::fs::remove_file(path).unwrap();
    }
}
