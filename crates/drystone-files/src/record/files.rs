//! The list of all files of a run with their digests.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::digest::Digest;

/// Digests of the files of a run, by their paths in its folder: `frames/grains_000003.vtp`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files(BTreeMap<String, Digest>);

impl Files {
    /// Stores the digest of a file as it is now.
    pub fn note(&mut self, place: impl Into<String>, digest: Digest) {
        self.0.insert(place.into(), digest);
    }

    /// The digest of a file when it was written.
    pub fn get(&self, place: &str) -> Option<Digest> {
        self.0.get(place).copied()
    }

    /// All files, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Digest)> {
        self.0.iter().map(|(place, digest)| (place.as_str(), *digest))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The list for `report.json`.
    pub fn to_json(&self) -> Json {
        Json::Object(self.iter().map(|(place, digest)| (place.to_string(), digest.to_string().into())).collect())
    }

    /// Reads what [`Files::to_json`] wrote.
    pub fn from_json(json: &Map<String, Json>) -> Option<Files> {
        let entry = |(place, digest): (&String, &Json)| Some((place.clone(), Digest::parse(digest.as_str()?)?));
        Some(Files(json.iter().map(entry).collect::<Option<_>>()?))
    }

    /// The list as two columns of bytes: names, each ended by a line break, and digests.
    pub fn columns(&self) -> [Vec<u8>; 2] {
        let names: String = self.0.keys().map(|place| format!("{place}\n")).collect();
        [names.into_bytes(), self.0.values().flat_map(Digest::bytes).collect()]
    }

    /// Reads what [`Files::columns`] wrote.
    pub fn from_columns([names, digests]: [&[u8]; 2]) -> Option<Files> {
        let (names, digests) = (std::str::from_utf8(names).ok()?, digests.chunks_exact(Digest::LENGTH));
        let fits = names.lines().count() == digests.len() && digests.remainder().is_empty();
        let entries = names.lines().map(String::from).zip(digests.filter_map(Digest::from_bytes));
        fits.then(|| Files(entries.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_they_were_written() {
        let mut files = Files::default();
        files.note("series.csv", Digest::of(b"old"));
        files.note("frames/grains_000000.vtp", Digest::of(b"grains"));
        files.note("series.csv", Digest::of(b"new"));
        assert_eq!((files.len(), files.get("series.csv")), (2, Some(Digest::of(b"new"))));
        assert_eq!(Files::from_json(files.to_json().as_object().unwrap()), Some(files.clone()));
        let [names, digests] = files.columns();
        assert_eq!(Files::from_columns([&names, &digests]), Some(files));
        assert_eq!(Files::from_columns([&names, &digests[1..]]), None);
        assert_eq!(Files::from_columns([&names[..20], &digests]), None);
    }
}
