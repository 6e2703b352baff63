//! Arguments have names: no function takes a tuple, whose numbers nobody can tell apart at the call.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// Where the bracket closes that the text begins with.
fn end_of_bracket(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        let is_arrow = letter == '>' && text[..at].ends_with('-');
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !is_arrow => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// A text cut at the separators that stand outside of all brackets.
fn cut(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '(' | '[' | '{' | '<' => at += end_of_bracket(&text[at..]),
            _ if letter == separator => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    parts.push(text[start..].trim());
    parts
}

/// Name and arguments of every function that a text without comments declares.
fn functions(text: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    text.split("fn ").skip(1).filter_map(|after| {
        let name = &after[..after.find(['(', '<'])?];
        let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "_#".contains(letter));
        let mut rest = &after[name.len()..];
        if rest.starts_with('<') {
            rest = &rest[end_of_bracket(rest) + 1..];
        }
        (is_name && rest.starts_with('(')).then(|| (name, cut(&rest[1..end_of_bracket(rest)], ',')))
    })
}

/// Whether an argument is a tuple, or a reference to one; `(impl Law + ?Sized)` is none.
fn is_tuple(argument: &str) -> bool {
    let Some(mut kind) = cut(argument, ':').into_iter().nth(1) else { return false };
    while let Some(rest) = (kind.strip_prefix('&').or_else(|| kind.strip_prefix("mut ")))
        .or_else(|| kind.strip_prefix('\'').and_then(|lifetime| Some(lifetime.split_once(' ')?.1)))
    {
        kind = rest.trim_start();
    }
    kind.starts_with('(') && cut(&kind[1..end_of_bracket(kind)], ',').len() > 1
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_function_takes_a_tuple() {
    let (mut count, mut wrong) = (0, Vec::new());
    for path in sources(Path::new("..")).iter().filter(|path| !path.ends_with("arguments.rs")) {
        for (name, arguments) in functions(&without_comments(&fs::read_to_string(path).unwrap())) {
            count += 1;
            let tuples = arguments.into_iter().filter(|argument| is_tuple(argument));
            wrong.extend(tuples.map(|argument| format!("{}: {name} takes {argument}", path.display())));
        }
    }
    assert!(count > 5000, "the functions are found: {count}");
    assert!(wrong.is_empty(), "give these arguments names, one by one or as a struct:\n{}", wrong.join("\n"));
}

#[test]
fn a_tuple_is_known_by_its_comma() {
    let of = |text: &str| functions(text).flat_map(|(_, arguments)| arguments).filter(|it| is_tuple(it)).count();
    for tuple in [
        "fn f((a, b): (u32, u32)) {}",
        "fn f<D: Dim, F: Fn(f64) -> f64>(\n    k: usize,\n    pair: &'a mut (f64, f64),\n) {}",
        "pub fn f(&self, x: (&str, Count), y: f64) -> (f64, f64) {}",
    ] {
        assert_eq!(of(tuple), 1, "{tuple}");
    }
    for other in [
        "fn f([a, b]: [u32; 2]) -> (f64, f64) {}",
        "fn f(law: &(impl Law + ?Sized), each: impl Fn((f64, f64)) -> bool) {}",
        "fn f(pairs: &[(u32, u32)], what: Option<(f64, f64)>) {}",
        "let f: fn (a, b) = |(a, b): (f64, f64)| a;",
    ] {
        assert_eq!(of(other), 0, "{other}");
    }
}
