//! The book names functions and files that exist: the page "A step, function by function", and what the page on Contact
//! Dynamics cites.

use std::fs;
use std::path::{Path, PathBuf};

/// A function, maybe of a type or trait.
#[derive(Debug)]
struct Function<'p> {
    owner: Option<&'p str>,
    name: &'p str,
}

impl<'p> Function<'p> {
    /// `Type::function`, `module::function` or `function`; nothing for text of another form.
    fn read(text: &'p str) -> Option<Function<'p>> {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        if !text.chars().all(is_letter) {
            return None;
        }
        let (owner, name) = text.rsplit_once("::").unwrap_or(("", text));
        let owner = owner.starts_with(char::is_uppercase).then_some(owner);
        name.starts_with(char::is_lowercase).then_some(Function { owner, name })
    }

    /// Whether a source file defines it: in an `impl` or `trait` of its owner, or outside of all.
    fn is_in(&self, source: &str) -> bool {
        let begins = [format!("fn {}(", self.name), format!("fn {}<", self.name)];
        let defines = |line: &str| begins.iter().any(|begin| line.contains(begin));
        match self.owner {
            None => source.lines().any(|line| !line.starts_with(' ') && defines(line)),
            Some(owner) => blocks(source).any(|block| {
                let header = block.split_once('{').map_or(block, |(header, _)| header);
                header.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == owner)
                    && block.lines().any(defines)
            }),
        }
    }
}

/// The outermost `impl` and `trait` blocks of a formatted source file.
fn blocks(source: &str) -> impl Iterator<Item = &str> {
    let starts = source.match_indices('\n').map(|(at, _)| at + 1).filter(|at| {
        let line = &source[*at..];
        ["impl", "trait ", "pub trait ", "pub(crate) trait "].iter().any(|begin| line.starts_with(begin))
    });
    starts.map(|start| {
        let rest = &source[start..];
        &rest[..rest.find("\n}").unwrap_or(rest.len())]
    })
}

fn root() -> &'static Path {
    Path::new("../drystone")
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("../../book/src").join(name)).expect("a page of the book")
}

/// The lines of the drawings of a part of a page, which ends where the next part begins.
fn drawn<'p>(page: &'p str, title: &str) -> Vec<&'p str> {
    let part = page.split("\n## ").find(|part| part.starts_with(title)).expect("the part");
    let blocks = part.split("```").skip(1).step_by(2);
    blocks.flat_map(|block| block.lines().skip(1)).filter(|line| !line.trim().is_empty()).collect()
}

#[test]
fn every_function_of_the_page_is_in_its_file() {
    let page = page("architecture.md");
    let lines = drawn(&page, "A step, function by function");
    assert!(lines.len() > 100, "the page has its steps: {}", lines.len());
    for line in lines {
        let mut words = line.split_whitespace();
        let (name, file) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        assert!(file.ends_with(".rs"), "no file: {line}");
        let function = Function::read(name).unwrap_or_else(|| panic!("no function: {line}"));
        let source =
            fs::read_to_string(root().join("src").join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(function.is_in(&source), "{file} has no {name}");
    }
}

fn sources(folder: PathBuf, into: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(fs::read_to_string(path).expect("a source file"));
        }
    }
}

/// `Type::function` in the text of the page, and the files that stand in brackets behind it.
#[test]
fn what_the_page_on_contact_dynamics_cites_is_there() {
    let (page, mut all) = (page("contact-dynamics.md"), Vec::new());
    sources(root().join("src"), &mut all);
    let mut cited = 0;
    let quoted: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    for (k, text) in quoted.iter().enumerate() {
        if text.ends_with(".rs") {
            assert!(root().join("src").join(text).is_file(), "{text}");
        }
        let Some(function) = Function::read(text).filter(|function| function.owner.is_some()) else { continue };
        assert!(all.iter().any(|source| function.is_in(source)), "{text} is nowhere");
        if let Some(file) =
            quoted.get(k + 1).filter(|next| next.ends_with(".rs") && page.contains(&format!("`{text}` (`{next}`")))
        {
            let source = fs::read_to_string(root().join("src").join(file)).expect("a source file");
            assert!(function.is_in(&source), "{file} has no {text}");
        }
        cited += 1;
    }
    assert!(cited >= 4, "{cited}");
}

#[test]
fn a_function_is_found_where_it_is_and_nowhere_else() {
    let source =
        "use x;\nimpl<D: Dim> System for Heap<D> {\n    fn sweep(&self) {\n    }\n}\n\nfn free<T>(of: T) {\n}\n";
    let is_in = |text| Function::read(text).expect("a function").is_in(source);
    assert!(is_in("Heap::sweep") && is_in("System::sweep") && is_in("free") && is_in("heap::free"));
    assert!(!is_in("sweep") && !is_in("Heap::free") && !is_in("Hea::sweep") && !is_in("Heap::swee"));
}
