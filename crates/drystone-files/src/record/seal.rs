//! Seals: a file that carries the digest of its own content.
//!
//! An archive of arrays has it in its comment, which NumPy ignores; `report.json` as its last entry, over the text of
//! all others.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::digest::{Digest, Making};

/// What the comment of a sealed archive begins with; 64 hexadecimal digits follow.
const MARK: &str = "blake3 ";
/// Bytes of the comment.
const LENGTH: usize = MARK.len() + 2 * Digest::LENGTH;

/// Gives an archive without a comment its seal; returns the digest of the whole file.
pub(super) fn seal(archive: &mut File) -> io::Result<Digest> {
    // the last two bytes are the length of the comment, which is empty so far
    archive.seek(SeekFrom::End(-2))?;
    archive.write_all(&(LENGTH as u16).to_le_bytes())?;
    archive.rewind()?;
    let mut making = Making::default();
    making.read(archive)?;
    let comment = format!("{MARK}{}", making.digest());
    archive.write_all(comment.as_bytes())?;
    making.add(comment.as_bytes());
    Ok(making.digest())
}

/// Whether an archive has a seal that matches all of its bytes.
pub fn is_whole(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let Some(body) = size.checked_sub(LENGTH as u64) else { return Ok(false) };
    let mut comment = String::new();
    file.seek(SeekFrom::Start(body))?;
    if file.take(LENGTH as u64).read_to_string(&mut comment).is_err() {
        return Ok(false);
    }
    match comment.strip_prefix(MARK).and_then(Digest::parse) {
        Some(seal) => Ok(Digest::of_file(path, Some(body))? == seal),
        None => Ok(false),
    }
}

/// The key of the seal of a report.
pub const KEY: &str = "seal";

/// The text of a report with its seal at the end.
pub fn sealed_report(mut report: Map<String, Json>) -> io::Result<String> {
    report.shift_remove(KEY);
    let seal = Digest::of(text_of(&report)?.as_bytes());
    report.insert(KEY.into(), seal.to_string().into());
    text_of(&report)
}

/// The text of a report, which is the same for the same report.
fn text_of(report: &Map<String, Json>) -> io::Result<String> {
    Ok(serde_json::to_string_pretty(report)?)
}

/// Whether a report matches its seal, to the last character; `None` if it has no seal.
pub fn is_whole_report(text: &str, report: &Map<String, Json>) -> Option<bool> {
    report.get(KEY)?;
    Some(sealed_report(report.clone()).is_ok_and(|sealed| sealed == text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::npz::write_sealed;
    use serde_json::json;

    #[test]
    fn every_bit_of_an_archive_is_sealed() {
        let path = std::env::temp_dir().join(format!("drystone-seal-{}.npz", std::process::id()));
        let digest = write_sealed(&path, |out| out.add("x", 0, [1.0, 2.0, 3.0])).unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(digest, Digest::of(&whole));
        for k in (0..whole.len()).map(Some).chain([None]) {
            let mut bytes = whole.clone();
            if let Some(k) = k {
                bytes[k] ^= 0x20;
            }
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(is_whole(&path).unwrap(), k.is_none(), "byte {k:?} of {}", whole.len());
        }
        for length in [0, 1, 71, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(!is_whole(&path).unwrap(), "{length} bytes");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn every_character_of_a_report_is_sealed() {
        let report = json!({"steps": 12, "time": 0.1, "warnings": [], "seal": "of another"});
        let text = sealed_report(report.as_object().unwrap().clone()).unwrap();
        let judge = |text: &str| match serde_json::from_str::<Json>(text) {
            Ok(Json::Object(report)) => is_whole_report(text, &report),
            _ => Some(false),
        };
        assert_eq!(judge(&text), Some(true));
        for (k, _) in text.char_indices() {
            let mut bytes = text.clone().into_bytes();
            bytes[k] ^= 0x01;
            let Ok(altered) = String::from_utf8(bytes) else { continue };
            assert_ne!(judge(&altered), Some(true), "{altered}");
        }
        assert_eq!(judge(&format!("{text}\n")), Some(false));
        assert_eq!(judge("{\"steps\": 12}"), None);
    }
}
