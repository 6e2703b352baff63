//! The pages of the reference: what they say about a table, its keys, its kinds and the tables within it.

use serde_json::Value as Json;

use super::examples::{example, picture};
use super::tables::{self, Index, ReferenceTable, alternatives, as_table, file_name};

/// A page of the reference, in Markdown.
pub struct Page {
    /// The table that it begins with, such as `contact.md.normal`; empty for the first page.
    pub path: String,
    /// Name of its file.
    pub file: String,
    /// A part of a scenario that shows its table; what it leaves out, the example of the first page has.
    pub example: &'static str,
    /// What it says, the example included.
    pub text: String,
}

/// What the first page begins with.
const HEAD: &str = "# Scenario reference

A scenario is a TOML file. This is a small one, with all that a scenario must have; the examples on the other pages are \
parts of a scenario, and what they leave out can be taken from here. A bare number is SI; a string may carry a unit \
(`\"0.5 mm\"`, see [units](../units.md)) or be an [expression](../parameters.md) (`\"2 * radius\"`). Vectors have as many components as the scenario has dimensions.
";

/// What the first page ends with.
const FOOT: &str = "
These pages are made from the declarations in the code by `drystone schema --markdown`. `drystone schema` alone \
prints a JSON Schema, with which editors complete and check keys.
";

pub(super) fn pages(scenario: &Json) -> Vec<Page> {
    let tables = tables::all(scenario);
    let index = Index(&tables);
    let begins = tables.iter().filter(|table| table.begins_page() && index.describes(table));
    begins.map(|first| page(first, &index)).collect()
}

fn page<'s, 't>(first: &'t ReferenceTable<'s>, index: &Index<'s, 't>) -> Page {
    let is_top = first.path.is_empty();
    let mut text = if is_top { HEAD.to_string() } else { format!("# {}\n\n{}\n", title(first), about(first.schema)) };
    let example = example(&first.path);
    text.push_str(&format!("\n```toml\n{example}```\n"));
    let picture = picture(&first.path);
    if !picture.is_empty() {
        text.push_str(&format!("\n{picture}"));
    }
    if is_top {
        text.push_str("\n## Keys\n");
    }
    Writer { text: &mut text, table: first, index, level: 2 }.write();
    let here = |table: &&ReferenceTable| !std::ptr::eq(*table, first) && std::ptr::eq(index.page_of(table), first);
    for table in index.0.iter().filter(here).filter(|table| index.describes(table)) {
        text.push_str(&format!("\n## {}\n\n{}\n", table.path, about(table.schema)));
        Writer { text: &mut text, table, index, level: 3 }.write();
    }
    if is_top {
        text.push_str(FOOT);
    }
    Page { path: first.path.clone(), file: file_name(&first.path), example, text }
}

/// As a scenario writes it: `[[wall]]`, `[stop]`, or the path of a table within another one.
fn title(table: &ReferenceTable) -> String {
    match (table.path.contains('.'), table.is_list) {
        (false, true) => format!("`[[{}]]`", table.path),
        (false, false) => format!("`[{}]`", table.path),
        (true, _) => format!("`{}`", table.path),
    }
}

struct Writer<'w, 's, 't> {
    text: &'w mut String,
    table: &'t ReferenceTable<'s>,
    index: &'w Index<'s, 't>,
    level: usize,
}

impl Writer<'_, '_, '_> {
    fn write(&mut self) {
        let schema = self.table.schema;
        self.keys(schema);
        self.kinds(&self.table.path, schema);
    }

    fn keys(&mut self, schema: &Json) {
        let Some(properties) = schema["properties"].as_object().filter(|keys| !keys.is_empty()) else { return };
        self.text.push_str("\n| key | takes | default | |\n|---|---|---|---|\n");
        for (key, value) in properties {
            let (takes, default) = (self.takes_or_link(key, value), default(key, schema));
            self.text.push_str(&format!("| `{key}` | {takes} | {default} | {} |\n", about(value).replace('\n', " ")));
        }
    }

    /// The kinds of a table: those with one key in a table, the others each with its keys.
    fn kinds(&mut self, name: &str, schema: &Json) {
        let is_short = |kind: &&Json| {
            kind["properties"].as_object().is_some_and(|keys| keys.len() == 1) && alternatives(kind).is_empty()
        };
        let (short, long): (Vec<&Json>, Vec<&Json>) = alternatives(schema).into_iter().partition(is_short);
        if !short.is_empty() {
            self.text.push_str("\n| one of | takes | |\n|---|---|---|\n");
        }
        for kind in short {
            for (key, value) in kind["properties"].as_object().into_iter().flatten() {
                let takes = self.takes_or_link(key, value);
                self.text.push_str(&format!("| `{key}` | {takes} | {} |\n", about(kind).replace('\n', " ")));
            }
        }
        for kind in long {
            let name = format!("{name}: {}", kind_name(kind));
            self.text.push_str(&format!("\n{} {name}\n\n{}\n", "#".repeat(self.level), about(kind)));
            self.keys(kind);
            self.kinds(&name, kind);
        }
    }

    /// What a key takes: values, and a link to the table that it may be.
    fn takes_or_link(&self, key: &str, value: &Json) -> String {
        let Some((schema, is_list)) = as_table(value) else { return takes(value) };
        let path = if self.table.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.table.path) };
        let link = format!("{}[table]({})", if is_list { "list of " } else { "" }, self.index.link(&path));
        let plain: Vec<String> = schema["oneOf"].as_array().map_or_else(Vec::new, |kinds| {
            kinds.iter().filter(|kind| !kind["properties"].is_object()).map(takes).collect()
        });
        plain.into_iter().chain([link]).collect::<Vec<_>>().join(", ")
    }
}

fn default(key: &str, schema: &Json) -> String {
    let required = schema["required"].as_array().is_some_and(|list| list.iter().any(|k| k == key));
    match &schema["properties"][key]["default"] {
        Json::Null if required => "required".into(),
        Json::Null => "-".into(),
        default if default.as_object().is_some_and(|table| table.is_empty()) => "-".into(),
        default => format!("`{default}`"),
    }
}

/// The tag's value, or the only key.
fn kind_name(kind: &Json) -> String {
    let properties = kind["properties"].as_object();
    let tag = properties.and_then(|keys| {
        keys.iter().find_map(|(key, value)| Some(format!("{key} = \"{}\"", value["const"].as_str()?)))
    });
    tag.or_else(|| properties.and_then(|keys| keys.keys().next().cloned())).unwrap_or_default()
}

fn about(schema: &Json) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

fn takes(schema: &Json) -> String {
    if let Some(value) = schema["const"].as_str() {
        return format!("`\"{value}\"`");
    }
    if let Some(unit) = schema["unit"].as_str() {
        return format!("number or text in {unit}");
    }
    if let Some(kinds) = schema["oneOf"].as_array() {
        return kinds.iter().map(takes).collect::<Vec<_>>().join(", ");
    }
    match &schema["type"] {
        Json::String(kind) if kind == "array" => {
            let items = &schema["items"];
            if items.is_object() { format!("list of {}", takes(items)) } else { "list".into() }
        }
        Json::String(kind) if kind == "object" => "table".into(),
        Json::String(kind) => kind.clone(),
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" or "),
        _ => "value".into(),
    }
}
