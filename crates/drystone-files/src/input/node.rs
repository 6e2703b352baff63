//! A TOML text as a tree in which every key and value knows where it stands.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::mistake::{Mistake, Span, Text};
use super::parameters::Parameters;
use super::reader::{SETTING, nearest};

/// A value with its place and its path.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Raw,
    /// Where it stands.
    pub at: Span,
    /// Dotted path from the top, without indices: "contact.friction".
    pub path: String,
    /// Parameters that it may be computed from.
    pub parameters: Option<Arc<Parameters>>,
}

/// What TOML can hold (dates are kept as text: no key takes one).
#[derive(Clone, Debug)]
pub enum Raw {
    /// A string.
    Text(String),
    /// A number, as it was written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// A date or time.
    Date(String),
    /// An array.
    Array(Vec<Node>),
    /// A table, in the order of the file.
    Table(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub at: Span,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// A value that may not be computed from parameters.
    pub fn new(value: Raw, at: Span, path: impl Into<String>) -> Node {
        Node { value, at, path: path.into(), parameters: None }
    }

    /// The tree of a whole file, with every syntax error found.
    pub fn parse(text: &Arc<Text>) -> (Node, Vec<Mistake>) {
        let (table, errors) = DeTable::parse_recoverable(&text.text);
        let span = table.span();
        let value = DeValue::Table(table.into_inner());
        let mistakes = errors.iter().map(|error| Mistake {
            code: "E001",
            message: format!("this is not TOML: {}", error.message().lines().collect::<Vec<_>>().join("; ")),
            help: match error.message().contains("duplicate key") {
                true => "a key may appear only once in its table: keep one of them".into(),
                false => "write strings in quotes, tables in [brackets], lists of tables in [[double brackets]]".into(),
            },
            at: Span { text: Some(text.clone()), range: error.span().unwrap_or(0..0) },
        });
        (convert(&value, span, text, ""), mistakes.collect())
    }

    /// Replaces or adds the value at a dotted path. Elements of a list are named by their number, counted from 0, by
    /// their `name`, or by the pair that they are `between`: contact.0, stage.fill, contact.sand-steel.
    ///
    /// `assignment` is `key=value`; the name of a parameter is a key, too. A value that is not TOML by itself is taken
    /// as a string, so that `method.cd.time_step=1 ms` needs no quotes within quotes.
    pub fn set(&mut self, assignment: &str) -> Result<(), String> {
        let (path, value) =
            assignment.split_once('=').ok_or_else(|| format!("`{assignment}` is not of the form key=value"))?;
        let (path, value) = (path.trim(), value.trim());
        let first = path.split('.').next().unwrap_or_default();
        let path = match (self.get("parameters").and_then(|table| table.get(first)), self.get(first)) {
            (None, _) => path.to_string(),
            (Some(_), None) => format!("parameters.{path}"),
            (Some(_), Some(_)) => {
                let message = "is a key and a parameter: rename the parameter to set the key, or write";
                return Err(format!("`{first}` {message} parameters.{path} for the parameter"));
            }
        };
        let path = path.as_str();
        let text = Arc::new(Text { name: format!("{SETTING}{path}"), text: value.to_string() });
        let parsed = DeValue::parse(&text.text);
        let node = match &parsed {
            Ok(value) => convert(value.get_ref(), value.span(), &text, path),
            Err(_) => {
                let at = Span { text: Some(text.clone()), range: 0..value.len() };
                Node::new(Raw::Text(value.to_string()), at, path)
            }
        };
        let mut here = self;
        let plain = path.replace('[', ".").replace(']', ""); // contact[0] is contact.0
        let steps: Vec<&str> = plain.split('.').collect();
        for (depth, step) in steps.iter().enumerate() {
            let (before, so_far) = (steps[..depth].join("."), steps[..=depth].join("."));
            let why = here.elements(&before, &steps[depth..]);
            here = here.child(step, &node.at).ok_or_else(|| format!("there is no `{so_far}` to set{why}"))?;
        }
        *here = node;
        Ok(())
    }

    /// Whether an element of a list has this name, or is between this pair in either order.
    fn goes_by(&self, word: &str) -> bool {
        self.names().iter().any(|name| name == word)
    }

    /// Names of an element of a list: its own, those of the pair that it is between, or `any` if it is for all pairs.
    fn names(&self) -> Vec<String> {
        let text = |node: &Node| match &node.value {
            Raw::Text(text) => Some(text.clone()),
            _ => None,
        };
        let pair: Vec<String> = self.get("between").map_or(&[][..], Node::items).iter().filter_map(text).collect();
        match &pair[..] {
            [one, other] => vec![format!("{one}-{other}"), format!("{other}-{one}")],
            _ => self.get("name").or(self.get("between")).and_then(text).into_iter().collect(),
        }
    }

    /// What can stand in a path after `before`, if this is a list: shown with the rest of the path.
    fn elements(&self, before: &str, steps: &[&str]) -> String {
        let Raw::Array(items) = &self.value else { return String::new() };
        let names: Vec<String> = items.iter().flat_map(Node::names).collect();
        let word = steps.first().filter(|word| word.parse::<usize>().is_err());
        if let Some(near) = word.and_then(|word| nearest(word, names.iter().map(String::as_str))) {
            return format!(": did you mean `{before}.{near}`?");
        }
        let rest = match steps {
            // the element was left out: all that was written belongs to it
            [word, ..] if word.parse::<usize>().is_err() => steps.join("."),
            _ => steps[1..].join("."),
        };
        let path = |(k, item): (usize, &Node)| {
            let element = item.names().into_iter().next().unwrap_or_else(|| k.to_string());
            format!("`{before}.{element}{}{rest}`", if rest.is_empty() { "" } else { "." })
        };
        match items.len() {
            0 => format!(": the list `{before}` is empty"),
            _ => format!(": which of the list? {}", items.iter().enumerate().map(path).collect::<Vec<_>>().join(", ")),
        }
    }

    fn child(&mut self, step: &str, at: &Span) -> Option<&mut Node> {
        match &mut self.value {
            Raw::Array(items) => {
                let named = items.iter().position(|item| item.goes_by(step));
                items.get_mut(named.or_else(|| step.parse().ok())?)
            }
            Raw::Table(entries) => {
                let place = entries.iter().position(|entry| entry.key == step).unwrap_or_else(|| {
                    let path = if self.path.is_empty() { step.to_string() } else { format!("{}.{step}", self.path) };
                    let node = Node::new(Raw::Table(Vec::new()), at.clone(), path);
                    entries.push(Entry { key: step.to_string(), at: at.clone(), node });
                    entries.len() - 1
                });
                Some(&mut entries[place].node)
            }
            _ => None,
        }
    }

    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Raw::Table(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node),
            _ => None,
        }
    }

    /// The value as TOML, numbers and units as they were written.
    pub fn to_toml(&self) -> toml::Value {
        match &self.value {
            Raw::Text(text) | Raw::Date(text) => text.clone().into(),
            Raw::Bool(value) => (*value).into(),
            Raw::Number(text) => {
                let plain = text.replace('_', "");
                let whole = plain.parse::<i64>().map(toml::Value::from).ok();
                whole.or_else(|| plain.parse::<f64>().map(toml::Value::from).ok()).unwrap_or_else(|| plain.into())
            }
            Raw::Array(items) => toml::Value::Array(items.iter().map(Node::to_toml).collect()),
            Raw::Table(entries) => {
                let entries = entries.iter().map(|entry| (entry.key.clone(), entry.node.to_toml()));
                toml::Value::Table(entries.collect())
            }
        }
    }

    /// The elements of a list; nothing for any other value.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Raw::Array(items) => items,
            _ => &[],
        }
    }

    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Raw::Text(_) => "a string",
            Raw::Number(_) => "a number",
            Raw::Bool(_) => "true or false",
            Raw::Date(_) => "a date",
            Raw::Array(_) => "a list",
            Raw::Table(_) => "a table",
        }
    }
}

fn convert(value: &DeValue<'_>, range: std::ops::Range<usize>, text: &Arc<Text>, path: &str) -> Node {
    let span = |range| Span { text: Some(text.clone()), range };
    let raw = match value {
        DeValue::String(s) => Raw::Text(s.to_string()),
        DeValue::Integer(i) if i.radix() == 10 => Raw::Number(i.as_str().to_string()),
        DeValue::Integer(i) => Raw::Number(
            u64::from_str_radix(i.as_str(), i.radix()).map_or_else(|_| i.as_str().to_string(), |n| n.to_string()),
        ),
        DeValue::Float(f) => Raw::Number(f.as_str().to_string()),
        DeValue::Boolean(b) => Raw::Bool(*b),
        DeValue::Datetime(d) => Raw::Date(d.to_string()),
        DeValue::Array(items) => {
            Raw::Array(items.iter().map(|item| convert(item.get_ref(), item.span(), text, path)).collect())
        }
        DeValue::Table(table) => Raw::Table(
            table
                .iter()
                .map(|(key, value)| {
                    let below =
                        if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
                    Entry {
                        key: key.get_ref().to_string(),
                        at: span(key.span()),
                        node: convert(value.get_ref(), value.span(), text, &below),
                    }
                })
                .collect(),
        ),
    };
    Node::new(raw, span(range), path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Node {
        let text = "stop.at = 1\n[[contact]]\nbetween = [\"sand\", \"steel\"]\nfriction = 0.1\n[[contact]]\nbetween = [\"sand\", \"sand\"]\n[[stage]]\nname = \"fill\"\n";
        tree_of(text)
    }

    fn tree_of(text: &str) -> Node {
        Node::parse(&Arc::new(Text { name: "test".into(), text: text.into() })).0
    }

    #[test]
    fn elements_of_lists_are_named_by_number_name_or_pair() {
        for path in
            ["contact.0.friction", "contact[0].friction", "contact.sand-steel.friction", "contact.steel-sand.friction"]
        {
            let mut tree = tree();
            tree.set(&format!("{path}=0.7")).unwrap();
            let set = tree.get("contact").unwrap().items()[0].get("friction").unwrap();
            assert!(matches!(&set.value, Raw::Number(text) if text == "0.7"), "{path}");
        }
        let mut tree = tree();
        tree.set("stage.fill.limit=1").unwrap();
        assert!(tree.get("stage").unwrap().items()[0].get("limit").is_some());
        let mut tree = tree_of("[[contact]]\nbetween = [\"sand\", \"steel\"]\n[[contact]]\nbetween = \"any\"\n");
        tree.set("contact.any.friction=0.2").unwrap();
        assert!(tree.get("contact").unwrap().items()[1].get("friction").is_some());
    }

    #[test]
    fn a_list_without_an_element_says_which_there_are() {
        let why = tree().set("contact.friction=0.5").unwrap_err();
        assert!(
            why.ends_with("which of the list? `contact.sand-steel.friction`, `contact.sand-sand.friction`"),
            "{why}"
        );
        assert!(tree().set("contact.2.friction=0.5").unwrap_err().contains("`contact.sand-steel.friction`"));
        assert!(tree().set("stop.at.x=1").is_err());
        let why = tree().set("stage.fil.limit=1").unwrap_err();
        assert!(why.ends_with("did you mean `stage.fill`?"), "{why}");
    }
}
