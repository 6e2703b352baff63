//! Reading tables: keys are claimed as they are read; what nobody claimed is an unknown key.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::path::PathBuf;

use super::mistake::{Mistake, Mistakes, Span, shortened};
use super::node::{Entry, Node, Raw};
use super::parameters::Parameters;

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

    /// Records a mistake and goes on. Returns `None`, so that a reading function can return it too.
    pub fn mistake<T>(
        &self,
        code: &'static str,
        at: &Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.note(code, at, message.into(), help.into());
        None
    }

    /// Notes a mistake.
    pub fn note(&self, code: &'static str, at: &Span, message: String, help: String) {
        let (message, help) = (shortened(message), shortened(help));
        self.mistakes.borrow_mut().push(Mistake { code, message, help, at: at.clone() });
    }

    /// Adds mistakes found elsewhere.
    pub fn add(&self, mistakes: Vec<Mistake>) {
        self.mistakes.borrow_mut().extend(mistakes);
    }

    /// Whether nothing was wrong so far.
    pub fn is_clean(&self) -> bool {
        self.mistakes.borrow().is_empty()
    }

    /// Number of mistakes so far.
    pub fn count(&self) -> usize {
        self.mistakes.borrow().len()
    }

    /// All mistakes: text by text, each in its order. A mistake that was found several times is reported once.
    pub fn finish(self) -> Mistakes {
        let mut mistakes = self.mistakes.into_inner();
        let name = |mistake: &Mistake| mistake.at.text.as_ref().map(|text| text.name.clone());
        let mut told = HashSet::new();
        mistakes.retain(|mistake| {
            let Mistake { code, message, at, .. } = mistake;
            at.text.is_none() || told.insert((*code, message.clone(), name(mistake), at.range.clone()))
        });
        let mut texts: Vec<Option<String>> = Vec::new();
        for mistake in &mistakes {
            if !texts.contains(&name(mistake)) {
                texts.push(name(mistake));
            }
        }
        mistakes.sort_by_key(|mistake| (texts.iter().position(|text| *text == name(mistake)), mistake.at.range.start));
        Mistakes(mistakes)
    }
}

/// Begins the names of texts that are settings of the command line.
pub(super) const SETTING: &str = "--set ";

/// A table that is being read.
pub struct Table<'a> {
    /// Where mistakes go.
    pub reader: &'a Reader,
    /// The table itself.
    pub node: &'a Node,
    entries: &'a [Entry],
    claimed: RefCell<Vec<String>>,
    missing: RefCell<Vec<(String, String)>>,
    is_unclear: Cell<bool>,
}

/// Keys that people bring from other methods and programs: the message, and the key that they stand for.
const FOREIGN: &[(&str, &str, &str)] = &[
    (
        "stiffness",
        "rigid grains have no stiffness: Contact Dynamics takes friction; springs belong to soft particles",
        "",
    ),
    ("young", "rigid grains have no Young's modulus: springs belong to soft particles", ""),
    ("damping", "rigid grains have no damping: contact laws take out the energy", ""),
    ("mu", "write `friction`", "friction"),
    ("dt", "write `time_step` in [method.cd]", "time_step"),
    ("diameter", "write `radius`", "radius"),
    ("particle", "particles are called grains: write [[grains]]", "grains"),
    ("particles", "particles are called grains: write [[grains]]", "grains"),
    ("atoms", "particles are called grains: write [[grains]]", "grains"),
    ("bodies", "particles are called grains: write [[grains]]", "grains"),
    ("boundary", "write [[wall]], or [cell] for a periodic cell", ""),
    ("units", "numbers are SI, or carry a unit: \"0.5 mm\"", ""),
    ("timestep", "write `time_step`", "time_step"),
];

impl<'a> Table<'a> {
    /// Opens a node as a table, or reports that it is none.
    pub fn open(node: &'a Node, reader: &'a Reader) -> Option<Table<'a>> {
        match &node.value {
            Raw::Table(entries) => Some(Table {
                reader,
                node,
                entries,
                claimed: RefCell::default(),
                missing: RefCell::default(),
                is_unclear: Cell::default(),
            }),
            _ => reader.mistake(
                "E003",
                &node.at,
                format!("`{}` must be a table, not {}", node.path, node.kind()),
                "write { key = value, ... }",
            ),
        }
    }

    /// The value of a key, which from now on counts as known.
    pub fn claim(&self, key: &str) -> Option<&'a Node> {
        if !self.claimed.borrow().iter().any(|claimed| claimed == key) {
            self.claimed.borrow_mut().push(key.to_string());
        }
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

    /// Where the table stands: its header, or all of an inline table.
    pub fn at(&self) -> &Span {
        &self.node.at
    }

    /// Records that a key is missing; `help` says what to add.
    pub fn lacks(&self, key: &str, help: String) {
        self.missing.borrow_mut().push((key.to_string(), help));
    }

    /// Notes that a value is missing: a table with these keys, or a value such as the example.
    pub fn lacks_one(&self, key: &str, keys: Option<String>, example: fn() -> String) {
        self.lacks(
            key,
            match keys {
                Some(keys) => format!("add [{}] with {keys}", self.name_of(key)),
                None => format!("add {key} = {}", example()),
            },
        );
    }

    /// Notes that a list is missing, of tables with these keys or of values such as the example.
    pub fn lacks_list(&self, key: &str, keys: Option<String>, example: fn() -> String) {
        self.lacks(
            key,
            match keys {
                Some(keys) => format!("add [[{}]] with {keys}", self.name_of(key)),
                None => format!("add {key} = {}", example()),
            },
        );
    }

    /// Records that the kind of the table is not known, so that neither are the keys that belong here.
    pub fn is_unclear(&self) {
        self.is_unclear.set(true);
    }

    /// Reports every key that nobody claimed, and every key that is missing unless a misspelt one stands for it.
    pub fn close(self) {
        let claimed = self.claimed.borrow().clone();
        let mut meant = Vec::new();
        // at the top level the names of parameters count too, for settings of the command line
        let parameters = self.node.parameters.as_deref().filter(|_| self.node.path.is_empty());
        let parameters: Vec<&str> = parameters.into_iter().flat_map(Parameters::names).collect();
        for entry in self.entries.iter().filter(|entry| !self.is_unclear.get() && !claimed.contains(&entry.key)) {
            // a setting of the command line replaces a key that is there
            let is_setting = entry.at.text.as_ref().is_some_and(|text| text.name.starts_with(SETTING));
            let free = claimed.iter().map(String::as_str).filter(|key| is_setting || self.node.get(key).is_none());
            let free = free.chain(parameters.iter().copied().filter(|name| *name != entry.key));
            let (help, stands_for) = if let Some((_, help, key)) = FOREIGN.iter().find(|(key, ..)| *key == entry.key) {
                (help.to_string(), *key)
            } else if let Some(near) = nearest(&entry.key, free) {
                (format!("did you mean `{near}`?"), near)
            } else {
                (format!("known keys here: {}", claimed.join(", ")), "")
            };
            meant.push(stands_for);
            let place = if self.node.path.is_empty() { String::new() } else { format!(" in `{}`", self.node.path) };
            self.reader.mistake::<()>("E002", &entry.at, format!("unknown key `{}`{place}", entry.key), help);
        }
        for (key, help) in self.missing.borrow().iter().filter(|(key, _)| !meant.contains(&key.as_str())) {
            self.reader.mistake::<()>("E005", self.at(), format!("`{}` is missing", self.name_of(key)), help);
        }
    }
}

/// Largest length of a word that is compared with others: the effort grows with the product of their lengths.
const LONGEST_WORD: usize = 100;

/// The known word that a wrong one was probably meant to be.
pub fn nearest<'w>(wrong: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    known
        .filter(|word| wrong.len().max(word.len()) <= LONGEST_WORD)
        .map(|word| (strsim::damerau_levenshtein(wrong, word), word))
        .filter(|(distance, word)| *distance <= 1 + word.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of all pairs of letters of two such words would not fit into memory.
    #[test]
    fn words_without_end_are_not_compared() {
        let long = "a".repeat(1_000_000);
        assert_eq!(nearest(&long, [long.as_str()].into_iter()), None);
        assert_eq!(nearest("frcition", ["friction"].into_iter()), Some("friction"));
    }
}
