//! The pages of the scenario reference: each has an example that works.

use std::path::Path;

use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::scenario::schema::reference::{Page, pages};
use drystone::sim;

/// The example of a page with what it leaves out.
fn complete(page: &Page, first: &Page) -> String {
    let mut scenario: toml::Table = page.example.parse().unwrap_or_else(|error| panic!("{}: {error}", page.file));
    for (key, value) in first.example.parse::<toml::Table>().unwrap() {
        scenario.entry(key).or_insert(value);
    }
    toml::to_string(&scenario).unwrap()
}

/// Whether a scenario has the table of a path, in any of the tables of a list.
fn shows(value: &toml::Value, path: &[&str]) -> bool {
    match (value, path) {
        (_, []) => true,
        (toml::Value::Array(tables), _) => tables.iter().any(|table| shows(table, path)),
        (_, [key, rest @ ..]) => value.get(key).is_some_and(|inner| shows(inner, rest)),
    }
}

#[test]
fn every_page_has_an_example_of_its_table() {
    let folder = "crates/drystone/src/scenario/schema/reference/examples";
    for page in pages().iter().filter(|page| !page.path.is_empty()) {
        let path = &page.path;
        assert!(!page.example.is_empty(), "write {folder}/{path}.toml and list it in examples.rs");
        let example = toml::Value::Table(page.example.parse().unwrap());
        assert!(shows(&example, &path.split('.').collect::<Vec<_>>()), "the example of {path} does not show it");
        assert!(page.text.contains(page.example), "{path}");
    }
}

#[test]
fn every_example_makes_a_world_without_a_warning() {
    let pages = pages();
    for page in &pages {
        let text = complete(page, &pages[0]);
        let scenario = AnyScenario::parse(&page.file, &text, &[], Reader::new(".".into()))
            .unwrap_or_else(|mistakes| panic!("{}: {mistakes}\n{text}", page.file));
        let warnings: Vec<String> = scenario.warnings().iter().map(ToString::to_string).collect();
        assert!(warnings.is_empty(), "{}: {warnings:?}", page.file);
        // a start needs the run that it starts from
        if page.path != "start" {
            sim::open(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{}: {mistakes}", page.file));
        }
    }
}

#[test]
fn a_key_that_takes_a_table_leads_to_its_description() {
    let pages = pages();
    let page = |path: &str| &pages.iter().find(|page| page.path == path).unwrap().text;
    assert!(page("").contains("| `stop` | [table](stop.md) |"));
    assert!(
        page("contact").contains("| `friction` | number or string, [table](contact.md#contactfriction) | required |")
    );
    // the rules that end a stage are told once, where those that end a run are
    assert!(page("stage").contains("| `until` | [table](stop.md) |"));
    assert!(!page("stage").contains("flow_stopped"));
}
