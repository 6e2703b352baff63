//! Reading tables: keys are claimed as they are read; what nobody claimed is an unknown key.

use std::cell::RefCell;
use std::path::PathBuf;

use super::mistake::{Mistake, Mistakes, Span};
use super::node::{Entry, Node, Raw};

/// Collects the mistakes of one scenario while it is read.
#[derive(Debug, Default)]
pub struct Reader {
    mistakes: RefCell<Vec<Mistake>>,
    /// Folder that relative file names start from.
    pub folder: PathBuf,
}

impl Reader {
    /// A reader for a scenario in `folder`.
    pub fn new(folder: PathBuf) -> Reader {
        Reader { mistakes: RefCell::default(), folder }
    }

    /// Notes a mistake and goes on; `None` so that a reading function can return it.
    pub fn mistake<T>(
        &self,
        code: &'static str,
        at: &Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.mistakes.borrow_mut().push(Mistake { code, message: message.into(), help: help.into(), at: at.clone() });
        None
    }

    /// Adds mistakes found elsewhere.
    pub fn add(&self, mistakes: Vec<Mistake>) {
        self.mistakes.borrow_mut().extend(mistakes);
    }

    /// Whether nothing was wrong so far.
    pub fn is_clean(&self) -> bool {
        self.mistakes.borrow().is_empty()
    }

    /// All mistakes, in the order of the file.
    pub fn finish(self) -> Mistakes {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.at.range.start);
        Mistakes(mistakes)
    }
}

/// A table that is being read.
pub struct Table<'a> {
    /// Where mistakes go.
    pub reader: &'a Reader,
    /// The table itself.
    pub node: &'a Node,
    entries: &'a [Entry],
    claimed: RefCell<Vec<String>>,
}

/// Keys that people bring from other methods, and what to say.
const FOREIGN: &[(&str, &str)] = &[
    ("stiffness", "rigid grains have no stiffness: Contact Dynamics takes friction; springs belong to soft particles"),
    ("young", "rigid grains have no Young's modulus: springs belong to soft particles"),
    ("damping", "rigid grains have no damping: contact laws take out the energy"),
    ("mu", "write `friction`"),
    ("dt", "write `time_step` in [method.cd]"),
    ("diameter", "write `radius`"),
];

impl<'a> Table<'a> {
    /// Opens a node as a table, or notes that it is none.
    pub fn open(node: &'a Node, reader: &'a Reader) -> Option<Table<'a>> {
        match &node.value {
            Raw::Table(entries) => Some(Table { reader, node, entries, claimed: RefCell::default() }),
            _ => reader.mistake(
                "E003",
                &node.at,
                format!("`{}` must be a table, not {}", node.path, node.kind()),
                "write { key = value, ... }",
            ),
        }
    }

    /// The value of a key, which is thereby known to belong here.
    pub fn claim(&self, key: &str) -> Option<&'a Node> {
        self.claimed.borrow_mut().push(key.to_string());
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The keys of the table in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter()
    }

    /// Full name of a key, for messages.
    pub fn name_of(&self, key: &str) -> String {
        if self.node.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.node.path) }
    }

    /// Where the table stands: its first key if it has one, since the span of a table covers only its header.
    pub fn at(&self) -> &Span {
        &self.node.at
    }

    /// Notes every key that nobody claimed.
    pub fn close(self) {
        let claimed = self.claimed.into_inner();
        for entry in self.entries.iter().filter(|entry| !claimed.contains(&entry.key)) {
            let place = if self.node.path.is_empty() { String::new() } else { format!(" in `{}`", self.node.path) };
            let help = if let Some((_, help)) = FOREIGN.iter().find(|(key, _)| *key == entry.key) {
                help.to_string()
            } else if let Some(near) = nearest(&entry.key, claimed.iter().map(String::as_str)) {
                format!("did you mean `{near}`?")
            } else {
                format!("known keys here: {}", claimed.join(", "))
            };
            self.reader.mistake::<()>("E002", &entry.at, format!("unknown key `{}`{place}", entry.key), help);
        }
    }
}

/// The known word that a wrong one was probably meant to be.
pub fn nearest<'w>(wrong: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    known
        .map(|word| (strsim::damerau_levenshtein(wrong, word), word))
        .filter(|(distance, word)| *distance <= 1 + word.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}
