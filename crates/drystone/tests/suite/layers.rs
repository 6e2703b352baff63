//! Dependencies point one way: a module uses only those below it.

use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up; modules of one layer do not use each other. `input` stands low because laws, walls and measures
/// declare their own scenario keys (ADR 0006), and `measure` above `record` because it measures frames, too.
const LAYERS: &[&[&str]] = &[
    &["lane", "threads"],
    &["dim"],
    &["input"],
    &["list"],
    &["shape"],
    &["wall"],
    &["body", "cell", "drive"],
    &["contact", "link"],
    &["law"],
    &["world"],
    &["method"],
    &["record"],
    &["measure"],
    &["scenario"],
    &["sim"],
    &["study"],
];

fn layer(module: &str) -> usize {
    LAYERS.iter().position(|layer| layer.contains(&module)).unwrap_or_else(|| panic!("`{module}` stands in no layer"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Modules that a text names as `crate::module`; doc comments may name anything.
fn used(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let word = |after: &str| after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    code.join("\n")
        .split("crate::")
        .skip(1)
        .flat_map(|after| match after.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap().split(',').map(|name| word(name.trim())).collect(),
            None => vec![word(after)],
        })
        .collect()
}

#[test]
fn modules_use_only_those_below_them() {
    let mut wrong = Vec::new();
    for path in sources(Path::new("../drystone/src")).iter().filter(|path| !path.ends_with("lib.rs")) {
        let inside = path.strip_prefix("../drystone/src").unwrap().with_extension("");
        let module = inside.iter().next().unwrap().to_str().unwrap().to_string();
        for other in used(&fs::read_to_string(path).unwrap()) {
            if other != module && layer(&other) >= layer(&module) {
                wrong.push(format!("{}: `{module}` uses `{other}`, which is not below it", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Crates of this workspace that a crate depends on, whatever for but tests.
fn dependencies(name: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new("..").join(name).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let tables = ["dependencies", "build-dependencies"].into_iter().filter_map(|key| manifest.get(key)?.as_table());
    let mut found: Vec<String> = tables.flat_map(toml::Table::keys).cloned().collect();
    assert!(!manifest.contains_key("target"), "{name}: dependencies of single systems are not looked at");
    found.sort();
    found
}

/// The certificate judges the library from files alone, and readers of files know neither.
#[test]
fn the_certificate_depends_on_the_readers_of_files_alone() {
    assert_eq!(dependencies("drystone-certify"), ["drystone-files", "serde_json", "toml"]);
    for (name, allowed) in [("drystone-files", &[][..]), ("drystone", &["drystone-files"])] {
        let ours: Vec<String> = dependencies(name).into_iter().filter(|other| other.starts_with("drystone")).collect();
        assert_eq!(ours, allowed, "{name}");
    }
}

/// No text of the certificate names the library, not even in its tests.
#[test]
fn the_certificate_names_nothing_of_the_library() {
    for path in sources(Path::new("../drystone-certify/src")).iter().chain(&sources(Path::new("../drystone-files/src")))
    {
        let text = fs::read_to_string(path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        assert!(!code.into_iter().any(|line| line.contains("drystone::")), "{}", path.display());
    }
}
