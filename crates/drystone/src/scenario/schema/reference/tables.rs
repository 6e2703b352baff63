//! The tables of a scenario, each with the place where the reference describes it.

use serde_json::Value as Json;

/// Tables within tables that are long enough for a page of their own. Every table at the top level has one.
const OWN_PAGES: &[&str] = &[
    "contact.md",
    "contact.md.normal",
    "contact.md.tangential",
    "contact.md.rolling",
    "contact.md.torsion",
    "contact.md.attraction",
    "grains.shape",
    "grains.place",
    "wall.drive",
    "method.cd",
    "method.md",
    "method.dae",
    "method.ed",
];

/// A table of a scenario.
pub(super) struct ReferenceTable<'s> {
    /// Its keys from the top, such as `contact.md.normal`; empty at the top itself.
    pub(super) path: String,
    pub(super) schema: &'s Json,
    /// Whether it can be written several times: `[[wall]]`.
    pub(super) is_list: bool,
}

impl ReferenceTable<'_> {
    /// Whether a page begins with it.
    pub(super) fn begins_page(&self) -> bool {
        !self.path.contains('.') || OWN_PAGES.contains(&self.path.as_str())
    }
}

/// All tables from the top down, each before those within it.
pub(super) fn all(scenario: &Json) -> Vec<ReferenceTable<'_>> {
    let mut tables = Vec::new();
    visit(ReferenceTable { path: String::new(), schema: scenario, is_list: false }, &mut tables);
    tables
}

fn visit<'s>(table: ReferenceTable<'s>, tables: &mut Vec<ReferenceTable<'s>>) {
    let within = within(&table);
    tables.push(table);
    for inner in within {
        if tables.iter().all(|other| other.path != inner.path) {
            visit(inner, tables);
        }
    }
}

/// The tables that are values of a table's keys, those of its kinds included.
fn within<'s>(table: &ReferenceTable<'s>) -> Vec<ReferenceTable<'s>> {
    let mut found = Vec::new();
    let mut kinds = vec![table.schema];
    while let Some(kind) = kinds.pop() {
        for (key, value) in kind["properties"].as_object().into_iter().flatten() {
            let path = if table.path.is_empty() { key.clone() } else { format!("{}.{key}", table.path) };
            if let Some((schema, is_list)) = as_table(value) {
                found.push(ReferenceTable { path, schema, is_list });
            }
        }
        kinds.extend(alternatives(kind).into_iter().rev());
    }
    found
}

/// What a value is as a table, or as a list of tables.
pub(super) fn as_table(value: &Json) -> Option<(&Json, bool)> {
    let has_keys = |schema: &Json| schema["properties"].as_object().is_some_and(|keys| !keys.is_empty());
    let is_table = |schema: &Json| has_keys(schema) || !alternatives(schema).is_empty();
    match &value["items"] {
        items if is_table(items) && value["type"] == "array" => Some((items, true)),
        _ if is_table(value) => Some((value, false)),
        _ => None,
    }
}

/// The kinds of a table.
pub(super) fn alternatives(schema: &Json) -> Vec<&Json> {
    let kinds = schema["oneOf"].as_array().into_iter().flatten();
    kinds.filter(|kind| kind["properties"].is_object()).collect()
}

/// Where tables are described: tables with the same keys in one place, the one nearest to the top.
pub(super) struct Index<'s, 't>(pub(super) &'t [ReferenceTable<'s>]);

impl<'s, 't> Index<'s, 't> {
    /// The table that describes the keys of another one, or the other one itself.
    pub(super) fn owner(&self, table: &'t ReferenceTable<'s>) -> &'t ReferenceTable<'s> {
        let depth = |table: &ReferenceTable| table.path.matches('.').count();
        let same = self.0.iter().filter(|other| keys(other.schema) == keys(table.schema));
        same.min_by_key(|other| depth(other)).unwrap_or(table)
    }

    /// Whether the reference describes a table, and not another one with the same keys.
    pub(super) fn describes(&self, table: &'t ReferenceTable<'s>) -> bool {
        let own = std::ptr::eq(self.owner(table), table);
        own && self.above(table).is_none_or(|above| self.describes(above))
    }

    fn above(&self, table: &ReferenceTable) -> Option<&'t ReferenceTable<'s>> {
        let (above, _) = table.path.rsplit_once('.')?;
        self.0.iter().find(|other| other.path == above)
    }

    /// The table with which the page of a table begins.
    pub(super) fn page_of(&self, table: &'t ReferenceTable<'s>) -> &'t ReferenceTable<'s> {
        match self.above(table) {
            Some(above) if !table.begins_page() => self.page_of(above),
            _ => table,
        }
    }

    /// A link to the place that describes the table of a path.
    pub(super) fn link(&self, path: &str) -> String {
        let Some(table) = self.0.iter().find(|table| table.path == path) else { return String::new() };
        let owner = self.owner(table);
        let page = self.page_of(owner);
        let anchor = if owner.begins_page() { String::new() } else { format!("#{}", owner.path.replace('.', "")) };
        format!("{}{anchor}", file_name(&page.path))
    }
}

/// What tells tables apart: everything but the sentence about them.
fn keys(schema: &Json) -> [&Json; 3] {
    [&schema["properties"], &schema["required"], &schema["oneOf"]]
}

/// The file of the page that begins with the table of a path.
pub(super) fn file_name(path: &str) -> String {
    match path {
        "" => "index.md".into(),
        _ => format!("{}.md", path.replace('.', "-")),
    }
}
