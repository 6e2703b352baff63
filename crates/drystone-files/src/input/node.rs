//! A TOML text as a tree in which every key and value knows where it stands.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::mistake::{Mistake, Span, Text};

/// A value with its place and its path.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Raw,
    /// Where it stands.
    pub at: Span,
    /// Dotted path from the top, without indices: "contact.friction".
    pub path: String,
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

    /// Replaces or adds the value at a dotted path; numbers in the path count the elements of a list.
    ///
    /// `assignment` is `key=value`; a value that is not TOML by itself is taken as a string, so that
    /// `method.cd.time_step=1 ms` needs no quotes within quotes.
    pub fn set(&mut self, assignment: &str) -> Result<(), String> {
        let (path, value) =
            assignment.split_once('=').ok_or_else(|| format!("`{assignment}` is not of the form key=value"))?;
        let (path, value) = (path.trim(), value.trim());
        let text = Arc::new(Text { name: format!("--set {path}"), text: value.to_string() });
        let parsed = DeValue::parse(&text.text);
        let node = match &parsed {
            Ok(value) => convert(value.get_ref(), value.span(), &text, path),
            Err(_) => {
                let at = Span { text: Some(text.clone()), range: 0..value.len() };
                Node { value: Raw::Text(value.to_string()), at, path: path.into() }
            }
        };
        let mut here = self;
        let steps: Vec<&str> = path.split('.').collect();
        for (depth, step) in steps.iter().enumerate() {
            let so_far = steps[..=depth].join(".");
            let why = match &here.value {
                Raw::Array(items) => format!(": the list has {} elements, counted from 0", items.len()),
                _ => String::new(),
            };
            here = here.child(step, &node.at).ok_or_else(|| format!("there is no `{so_far}` to set{why}"))?;
        }
        *here = node;
        Ok(())
    }

    fn child(&mut self, step: &str, at: &Span) -> Option<&mut Node> {
        match &mut self.value {
            Raw::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
            Raw::Table(entries) => {
                let place = entries.iter().position(|entry| entry.key == step).unwrap_or_else(|| {
                    let path = if self.path.is_empty() { step.to_string() } else { format!("{}.{step}", self.path) };
                    let node = Node { value: Raw::Table(Vec::new()), at: at.clone(), path };
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
    Node { value: raw, at: span(range), path: path.to_string() }
}
