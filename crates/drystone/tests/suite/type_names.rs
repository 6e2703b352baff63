//! A public type name stands for one type: in rustdoc, in a debugger and in messages of the compiler nobody has to ask
//! which `Options` is meant.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose names are not settled yet: their types may share a name with others.
///
/// - `law`: the coefficients of every soft law are a `Law`; `Normal`, `Bond` and `WaltonBraun` stand twice or more;
/// - `lab`, `measure`: many measures exist for a world and for a frame, under one name;
/// - `method/cd`: `Options`, `Direction`, `Point` and others also stand elsewhere;
/// - `record/certify`: the certificate names what it judges as the code that it judges does.
const UNSETTLED: [&str; 5] = ["lab", "law", "measure", "method/cd", "record/certify"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The type that a line declares for everybody, if it does. Associated types of traits are indented `type`s.
fn declared(line: &str) -> Option<&str> {
    let words = line.trim_start().strip_prefix("pub ")?;
    let (kind, rest) = words.split_once(' ')?;
    let is_type = matches!(kind, "struct" | "enum" | "trait") || (kind == "type" && !line.starts_with(' '));
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    // within the macros of `list.rs` a name is a variable
    is_type.then(|| &rest[..end]).filter(|name| !name.is_empty())
}

#[test]
fn no_public_type_name_stands_twice() {
    let root = Path::new("src");
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in sources(root) {
        let inside = path.strip_prefix(root).unwrap().to_path_buf();
        if UNSETTLED.iter().any(|folder| inside.starts_with(folder)) {
            continue;
        }
        for name in fs::read_to_string(&path).unwrap().lines().filter_map(declared) {
            places.entry(name.to_string()).or_default().push(inside.clone());
        }
    }
    assert!(places.len() > 300, "the types are found: {}", places.len());
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "public type names that stand twice: {twice:#?}");
}
