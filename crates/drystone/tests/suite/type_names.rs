//! A public type name stands for one type: in rustdoc, in a debugger and in messages of the compiler nobody has to ask
//! which `Options` is meant.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that a program links together.
const CRATES: [&str; 2] = ["../drystone/src", "../drystone-files/src"];
/// Names without the dimension parameter stand in `d2` and `d3` of this file, on purpose as the types that they
/// abbreviate.
const ABBREVIATIONS: &str = "../drystone/src/lib.rs";

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The type that a line declares for others than its own file, if it does. Associated types of traits are indented
/// `type`s.
fn declared(line: &str) -> Option<&str> {
    let words =
        ["pub ", "pub(crate) ", "pub(super) "].iter().find_map(|reach| line.trim_start().strip_prefix(reach))?;
    let (kind, rest) = words.split_once(' ')?;
    let is_type = matches!(kind, "struct" | "enum" | "trait") || (kind == "type" && !line.starts_with(' '));
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    // within the macros of `list.rs` a name is a variable
    is_type.then(|| &rest[..end]).filter(|name| !name.is_empty())
}

/// Where every type is declared.
fn places() -> BTreeMap<String, Vec<PathBuf>> {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in CRATES.iter().flat_map(|root| sources(Path::new(root))).filter(|path| path != Path::new(ABBREVIATIONS))
    {
        for name in fs::read_to_string(&path).unwrap().lines().filter_map(declared) {
            places.entry(name.to_string()).or_default().push(path.clone());
        }
    }
    places
}

#[test]
fn no_public_type_name_stands_twice() {
    let places = places();
    assert!(places.len() > 500, "the types are found: {}", places.len());
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "public type names that stand twice: {twice:#?}");
}

#[test]
fn a_declaration_is_known_by_its_first_words() {
    assert_eq!(declared("pub struct Contact<D: Dim> {"), Some("Contact"));
    assert_eq!(declared("    pub(crate) enum Regime by name {"), Some("Regime"), "within a macro");
    assert_eq!(declared("pub(super) type Place = [f64; 3];"), Some("Place"));
    for other in ["struct Own;", "    pub type In = f64;", "pub fn contact() {}", "pub struct $name {"] {
        assert_eq!(declared(other), None, "{other}");
    }
}
