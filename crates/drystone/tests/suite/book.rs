//! Formulas of the book can be drawn: `book/math.js` knows every TeX command that a page uses, and nothing is left
//! open.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let inside = entries.flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] });
    inside.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}

/// The texts of the blocks ```math of a page.
fn formulas(page: &str) -> Vec<&str> {
    page.split("```math\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// Names of commands: letters after a backslash. Those of one sign (`\\`, `\,`) are left out.
fn commands(formula: &str) -> BTreeSet<&str> {
    let after = formula.split('\\').skip(1);
    let names =
        after.map(|rest| &rest[..rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len())]);
    names.filter(|name| !name.is_empty()).collect()
}

/// Whether the script has this word as a key (`le: "≤"`), a name (`"max"`) or a case of its parser (`"\\right"`).
fn is_known(script: &str, name: &str) -> bool {
    [format!(" {name}: "), format!("\"{name}\""), format!("\"\\\\{name}\"")].iter().any(|form| script.contains(form))
}

#[test]
fn formulas_use_only_commands_that_the_script_draws() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book");
    let script = fs::read_to_string(book.join("math.js")).expect("the script");
    let mut count = 0;
    for path in pages(&book.join("src")) {
        let page = fs::read_to_string(&path).unwrap();
        // Delimiters of MathJax, which would have to be loaded from a network.
        assert!(!page.contains("\\\\(") && !page.contains("\\\\["), "{}: write ```math or plain signs", path.display());
        for formula in formulas(&page) {
            count += 1;
            for name in commands(formula) {
                assert!(is_known(&script, name), "{}: book/math.js does not know \\{name}", path.display());
            }
            for (open, close) in [("{", "}"), ("\\left", "\\right"), ("\\begin", "\\end")] {
                let [opened, closed] = [open, close].map(|sign| formula.matches(sign).count());
                // \leftarrow begins like \left.
                let opened = opened - if open == "\\left" { formula.matches("\\leftarrow").count() } else { 0 };
                assert_eq!(opened, closed, "{}: {open} and {close} in {formula}", path.display());
            }
        }
    }
    assert!(count > 40, "the book has its formulas: {count}");
    assert!(!is_known(&script, "mathfrak"), "a command that no formula needs is unknown");
}
