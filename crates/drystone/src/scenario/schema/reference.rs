//! The JSON Schema of scenarios, and the book's reference page made from it.

use serde_json::{Value as Json, json};

use crate::dim::{D2, D3};
use crate::input::Value;
use crate::scenario::Scenario;

/// The JSON Schema of scenario files, both dimensions.
pub fn schema() -> Json {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "drystone scenario",
        "if": {"properties": {"dimension": {"const": 3}}},
        "then": with_dimension(Scenario::<D3>::schema(), 3),
        "else": with_dimension(Scenario::<D2>::schema(), 2),
    })
}

fn with_dimension(mut schema: Json, dimension: u64) -> Json {
    schema["properties"]["dimension"]["const"] = json!(dimension);
    schema["properties"]["dimension"]["type"] = json!("integer"); // it decides how all else is read, and is not computed
    schema
}

/// The reference of all keys as Markdown, made from the 2D schema: the 3D one differs in the number of components only.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Scenario reference\n\nMade from the declarations in the code by `drystone schema --markdown`. A bare number is SI; a string may carry a \
         unit (`\"0.5 mm\"`) or be an [expression](parameters.md) (`\"2 * radius\"`). Vectors have as many components as the scenario has dimensions.\n",
    );
    table(&mut page, "Top level", &with_dimension(Scenario::<D2>::schema(), 2));
    page
}

/// A table of keys, then the tables below it.
fn table(page: &mut String, title: &str, schema: &Json) {
    page.push_str(&format!("\n## {title}\n\n{}\n\n", text(schema)));
    let mut below = Vec::new();
    rows(page, title, schema, &mut below);
    kinds(page, title, schema, &mut below);
    for (title, schema) in below {
        table(page, &title, schema);
    }
}

/// The kinds of a table, each with its keys; a kind may have a choice of its own.
fn kinds<'s>(page: &mut String, title: &str, schema: &'s Json, below: &mut Vec<(String, &'s Json)>) {
    for kind in alternatives(schema) {
        let name = format!("{title}: {}", kind_name(kind));
        page.push_str(&format!("\n### {name}\n\n{}\n\n", text(kind)));
        rows(page, title, kind, below);
        kinds(page, &name, kind, below);
    }
}

fn rows<'s>(page: &mut String, title: &str, schema: &'s Json, below: &mut Vec<(String, &'s Json)>) {
    let Some(properties) = schema["properties"].as_object().filter(|keys| !keys.is_empty()) else { return };
    page.push_str("| key | takes | default | |\n|---|---|---|---|\n");
    let required = |key: &str| schema["required"].as_array().is_some_and(|list| list.iter().any(|k| k == key));
    for (key, value) in properties {
        let default = match &value["default"] {
            Json::Null if required(key) => "required".into(),
            Json::Null => "-".into(),
            default if default.as_object().is_some_and(|table| table.is_empty()) => "-".into(),
            default => format!("`{default}`"),
        };
        page.push_str(&format!("| `{key}` | {} | {default} | {} |\n", takes(value), text(value).replace('\n', " ")));
        let name = if title == "Top level" { key.clone() } else { format!("{title}.{key}") };
        let inner = if value["items"]["properties"].is_object() { &value["items"] } else { value };
        let has_kinds = alternatives(inner).iter().any(|kind| kind["properties"].is_object());
        let is_new = below.iter().all(|(other, _)| *other != name);
        if is_new && (inner["properties"].is_object() || has_kinds) {
            below.push((name, inner));
        }
    }
}

fn alternatives(schema: &Json) -> Vec<&Json> {
    schema["oneOf"]
        .as_array()
        .map_or_else(Vec::new, |list| list.iter().filter(|kind| kind["properties"].is_object()).collect())
}

/// The tag's value, or the only key.
fn kind_name(kind: &Json) -> String {
    let properties = kind["properties"].as_object();
    let tag = properties.and_then(|keys| {
        keys.iter().find_map(|(key, value)| Some(format!("{key} = \"{}\"", value["const"].as_str()?)))
    });
    tag.or_else(|| properties.and_then(|keys| keys.keys().next().cloned())).unwrap_or_default()
}

fn text(schema: &Json) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

fn takes(schema: &Json) -> String {
    if let Some(value) = schema["const"].as_str() {
        return format!("`\"{value}\"`");
    }
    if let Some(unit) = schema["unit"].as_str() {
        return format!("number or text in {unit}");
    }
    if schema["properties"].as_object().is_some_and(|keys| !keys.is_empty()) {
        return "table".into();
    }
    if let Some(kinds) = schema["oneOf"].as_array() {
        let names: Vec<String> = kinds
            .iter()
            .flat_map(|kind| match (kind["const"].as_str(), kind["properties"].is_object()) {
                (Some(name), _) => vec![format!("`\"{name}\"`")],
                (None, true) => vec![format!("`{}`", kind_name(kind))],
                (None, false) => vec![takes(kind)],
            })
            .collect();
        return names.join(", ");
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
