//! The JSON Schema of scenarios, and the pages of the book's reference made from it.

use serde_json::{Value as Json, json};

use crate::dim::{D2, D3};
use crate::input::Value;
use crate::scenario::Scenario;

mod examples;
mod page;
mod tables;

pub use page::Page;

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

/// The reference of all keys as Markdown, a page for every large table, made from the 2D schema: the 3D one differs in
/// the number of components only.
pub fn pages() -> Vec<Page> {
    page::pages(&with_dimension(Scenario::<D2>::schema(), 2))
}
