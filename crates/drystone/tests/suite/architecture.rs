//! The book's page "A step, function by function" names functions and files that exist.

use std::fs;
use std::path::Path;

/// A line of the page: a function, maybe of a type, and the file that it is in.
struct Named<'p> {
    owner: Option<&'p str>,
    function: &'p str,
    file: &'p str,
}

impl<'p> Named<'p> {
    /// `Type::function   folder/file.rs   remarks`; nothing for lines of another form.
    fn read(line: &'p str) -> Option<Named<'p>> {
        let mut words = line.split_whitespace();
        let (name, file) = (words.next()?, words.next()?);
        let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == ':');
        if !is_name || !file.ends_with(".rs") {
            return None;
        }
        let (owner, function) = match name.rsplit_once("::") {
            Some((owner, function)) => (owner.starts_with(char::is_uppercase).then_some(owner), function),
            None => (None, name),
        };
        Some(Named { owner, function, file })
    }
}

#[test]
fn every_function_of_the_page_is_in_its_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("../../book/src/architecture.md")).expect("the page");
    let named: Vec<Named> = page.lines().filter_map(Named::read).collect();
    assert!(named.len() > 80, "the page has its steps: {}", named.len());
    for Named { owner, function, file } in named {
        let text = fs::read_to_string(root.join("src").join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let begins = [format!("fn {function}("), format!("fn {function}<")];
        assert!(begins.iter().any(|begin| text.contains(begin)), "{file} has no function {function}");
        assert!(owner.is_none_or(|owner| text.contains(owner)), "{file} has no {owner:?}");
    }
}
