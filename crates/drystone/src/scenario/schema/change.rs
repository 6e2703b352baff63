//! What a stage changes: gravity, laws of contacts, parameters of the method.

use std::sync::Arc;

use crate::dim::Dim;
use crate::input::quantity::Acceleration;
use crate::input::{Entry, Node, Raw, Reader, Table, Text, Value};
use crate::method::{Kind, TimeStepChoice, cd};
use crate::scenario::check::{check_newton, check_soft};
use crate::scenario::{ContactLaw, MethodChoice, Scenario};

/// What a stage sets, as written in the scenario. A key replaces the whole value; in `contact.md` and in the tables of
/// methods single keys can be set. A law without `between` applies to every pair that has a law.
#[derive(Clone, Debug)]
pub struct Change {
    node: Node,
    /// The same in SI numbers, with all keys of the changed laws and methods.
    resolved: Option<toml::Table>,
}

/// Keys of methods that can change during a run. The others determine what the state carries from step to step.
const OF_METHODS: [(&str, Option<&[&str]>); 4] = [
    ("cd", None),
    ("md", Some(&["time_step", "integrator"])),
    ("dae", Some(&["time_step"])),
    ("ed", Some(&["time_step", "contact_time"])),
];

/// What a stage can set, for messages.
const POSSIBLE: &str = "a stage can set `gravity`, `contact` and `method`";

impl Value for Change {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        Table::open(node, reader)?;
        Some(Change { node: node.clone(), resolved: None })
    }
    fn write(&self) -> toml::Value {
        self.resolved.clone().map_or_else(|| self.node.to_toml(), toml::Value::Table)
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": "object", "properties": {
            "gravity": {"description": "Acceleration of gravity."},
            "contact": {"type": "array", "items": {"type": "object"}, "description": "Laws that change, with the keys of [[contact]]; without `between`, those of every pair."},
            "method": {"type": "object", "description": "Parameters of the method that change, with the keys of [method.cd], [method.md], [method.dae] and [method.ed]."},
        }, "additionalProperties": false})
    }
    fn example() -> String {
        "{ contact = [{ friction = 0.5 }] }".into()
    }
}

/// The parts of a scenario that can change, as a tree.
fn changeable(tree: &Node) -> Node {
    let keys = ["gravity", "contact", "method"];
    let entries = match &tree.value {
        Raw::Table(entries) => entries.iter().filter(|entry| keys.contains(&entry.key.as_str())).cloned().collect(),
        _ => Vec::new(),
    };
    Node::new(Raw::Table(entries), tree.at.clone(), "")
}

fn entries(node: &Node) -> &[Entry] {
    match &node.value {
        Raw::Table(entries) => entries,
        _ => &[],
    }
}

/// Sets keys of a table, each as a whole.
fn merge<'e>(node: &mut Node, changes: impl Iterator<Item = &'e Entry>) {
    let Raw::Table(entries) = &mut node.value else { return };
    for change in changes {
        match entries.iter_mut().find(|entry| entry.key == change.key) {
            Some(entry) => *entry = change.clone(),
            None => entries.push(change.clone()),
        }
    }
}

/// The table under a key, which is made if it does not exist.
fn table_of<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let (at, path) = (node.at.clone(), format!("{}.{key}", node.path));
    let Raw::Table(entries) = &mut node.value else { return None };
    if !entries.iter().any(|entry| entry.key == key) {
        let table = Node::new(Raw::Table(Vec::new()), at.clone(), path);
        entries.push(Entry { key: key.into(), at, node: table });
    }
    entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node)
}

fn names(node: &Node) -> Vec<&str> {
    node.items()
        .iter()
        .filter_map(|item| match &item.value {
            Raw::Text(text) => Some(text.as_str()),
            Raw::Table(entries) => entries.first().map(|entry| entry.key.as_str()),
            _ => None,
        })
        .collect()
}

/// Whether a change applies to a law of the scenario: it names the same pair, in either order, or none.
fn is_meant(law: &Node, change: &Node) -> bool {
    let (Some(law), Some(meant)) = (law.get("between"), change.get("between")) else { return true };
    let (law, meant) = (names(law), names(meant));
    law == meant || law.iter().rev().eq(meant.iter())
}

impl Change {
    /// Applies the change to a tree of changeable parts.
    fn apply(&self, tree: &mut Node) {
        merge(tree, entries(&self.node).iter().filter(|entry| entry.key == "gravity"));
        for change in self.node.get("contact").map_or(&[][..], Node::items) {
            let Some(Node { value: Raw::Array(laws), .. }) = table_of(tree, "contact") else { continue };
            for law in laws.iter_mut().filter(|law| is_meant(law, change)) {
                let keys = entries(change).iter();
                merge(law, keys.filter(|entry| entry.key != "between" && entry.key != "md"));
                if let (Some(soft), Some(table)) =
                    (change.get("md"), change.get("md").and_then(|_| table_of(law, "md")))
                {
                    merge(table, entries(soft).iter());
                }
            }
        }
        for (method, _) in OF_METHODS {
            let Some(change) = self.node.get("method").and_then(|methods| methods.get(method)) else { continue };
            let table = table_of(tree, "method").and_then(|methods| table_of(methods, method));
            if let Some(table) = table {
                merge(table, entries(change).iter());
            }
        }
    }

    /// Reports keys that cannot change during a run. Returns whether all can.
    fn check_keys(&self, tree: &Node, reader: &Reader) -> bool {
        let before = reader.count();
        for entry in entries(&self.node) {
            if !["gravity", "contact", "method"].contains(&entry.key.as_str()) {
                let message = format!("`{}` cannot change during a run", entry.key);
                reader.mistake::<()>("E031", &entry.at, message, POSSIBLE);
            }
        }
        let known = tree.get("contact").map_or(&[][..], Node::items);
        let laws = self.node.get("contact");
        if let Some(node) = laws.filter(|node| !matches!(node.value, Raw::Array(_))) {
            let help = "write contact = [{ friction = 0.5 }]";
            reader.mistake::<()>("E003", &node.at, format!("`{}` must be a list", node.path), help);
        }
        for change in laws.map_or(&[][..], Node::items) {
            if !known.iter().any(|law| is_meant(law, change)) {
                let between = change.get("between").unwrap_or(change);
                let pair = match &between.value {
                    Raw::Text(word) => format!("\"{word}\""),
                    _ => names(between).join(" and "),
                };
                let message = format!("there is no [[contact]] between {pair}");
                reader.mistake::<()>("E006", &between.at, message, "name the materials of a [[contact]]");
            }
        }
        for entry in self.node.get("method").map_or(&[][..], entries) {
            let Some((method, can)) = OF_METHODS.iter().find(|(method, _)| *method == entry.key) else {
                let message = format!("`method.{}` cannot change during a run", entry.key);
                let help = "another run can start where this one ends: drystone run next.toml --from this.out";
                reader.mistake::<()>("E031", &entry.at, message, help);
                continue;
            };
            for key in entries(&entry.node) {
                let refused = can.filter(|can| !can.contains(&key.key.as_str()));
                if let Some(can) = refused {
                    let message = format!("`method.{method}.{}` cannot change during a run", key.key);
                    reader.mistake::<()>("E031", &key.at, message, format!("keys that can change: {}", can.join(", ")));
                }
                if key.key == "time_step" && matches!(&key.node.value, Raw::Text(text) if text == "auto") {
                    let message = "a time step is found by itself for the whole run, not for a stage";
                    reader.mistake::<()>("E031", &key.node.at, message, "write time_step = \"1 us\", or leave it out");
                }
            }
        }
        reader.count() == before
    }
}

/// Reports mistakes in the changes of all stages, each applied on top of those before.
pub(in crate::scenario) fn check<D: Dim>(tree: &Node, reader: &Reader) {
    let mut now = changeable(tree);
    for node in tree.get("stage").map_or(&[][..], Node::items).iter().filter_map(|stage| stage.get("set")) {
        let Some(change) = Change::read(node, &Reader::default()) else { continue };
        if !change.check_keys(tree, reader) {
            return;
        }
        change.apply(&mut now);
        if let (Some(gravity), Some(series)) =
            (change.node.get("gravity"), tree.get("output").and_then(|o| o.get("series")))
            && names(series).contains(&"energy_balance")
        {
            let message = "`energy_balance` assumes one gravity, and this stage sets another";
            let help = "take \"energy\" into the series instead of \"energy_balance\"";
            reader.mistake::<()>("E015", &gravity.at, message, help);
        }
        let before = reader.count();
        now.get("gravity").and_then(|node| Acceleration::<D>::read(node, reader));
        for node in now.get("contact").map_or(&[][..], Node::items) {
            if let Some(law) = ContactLaw::read(node, reader) {
                law.law.check::<D>(node, reader);
            }
        }
        let method = now.get("method").and_then(|node| MethodChoice::read(node, reader));
        if reader.count() > before {
            return; // later stages would repeat it
        }
        let Some(method) = method else { continue };
        if matches!(method.r#use.value, Kind::Md | Kind::Dae) {
            check_soft(&now, reader);
        } else if let (Kind::Cd, Some(options), Some(node)) =
            (method.r#use.value, &method.cd, now.get("method").and_then(|node| node.get("cd")))
        {
            options.check(node, reader);
            if options.solver == cd::Solver::Newton {
                check_newton(&now, reader);
            }
        }
        if reader.count() > before {
            return;
        }
    }
}

impl<D: Dim> Scenario<D> {
    /// The scenario from a stage on: with everything that this stage and those before it set.
    pub fn at_stage(&self, stage: usize) -> Scenario<D> {
        let mut now = self.clone();
        let changes: Vec<&Change> = self.stage.iter().take(stage + 1).filter_map(|stage| stage.set.as_ref()).collect();
        if changes.is_empty() {
            return now;
        }
        let mut table = toml::Table::new();
        self.gravity.put("gravity", &mut table);
        self.contact.put("contact", &mut table);
        self.method.put("method", &mut table);
        let text = toml::to_string(&table).expect("a scenario is always a table");
        let (mut tree, _) = Node::parse(&Arc::new(Text { name: "scenario".into(), text }));
        changes.iter().for_each(|change| change.apply(&mut tree));
        let reader = Reader::default();
        let parts = (
            tree.get("gravity").and_then(|node| Value::read(node, &reader)),
            tree.get("contact").and_then(|node| Value::read(node, &reader)),
            tree.get("method").and_then(|node| Value::read(node, &reader)),
        );
        let (Some(gravity), Some(contact), Some(method)) = parts else {
            unreachable!("changes were checked: {}", reader.finish())
        };
        (now.gravity, now.contact, now.method) = (gravity, contact, method);
        if let Some(options) = &mut now.method.cd {
            options.settle();
        }
        // an automatic time step holds for the whole run
        if let (Some(now), Some(found)) = (&mut now.method.cd, &self.method.cd)
            && now.time_step == TimeStepChoice::Auto
        {
            now.time_step = found.time_step;
        }
        if let (Some(now), Some(found)) = (&mut now.method.md, &self.method.md)
            && now.time_step == TimeStepChoice::Auto
        {
            now.time_step = found.time_step;
        }
        if let (Some(now), Some(found)) = (&mut now.method.dae, &self.method.dae)
            && now.time_step == TimeStepChoice::Auto
        {
            now.time_step = found.time_step;
        }
        if let (Some(now), Some(found)) = (&mut now.method.ed, &self.method.ed)
            && now.time_step == TimeStepChoice::Auto
        {
            now.time_step = found.time_step;
        }
        now
    }

    /// Whether a stage changes gravity.
    pub fn turns_gravity(&self) -> bool {
        self.stage.iter().filter_map(|stage| stage.set.as_ref()).any(|change| change.node.get("gravity").is_some())
    }

    /// Resolves what stages set, so that the resolved scenario has SI numbers only.
    pub(in crate::scenario) fn resolve_changes(&mut self) {
        let resolved: Vec<Option<toml::Table>> =
            (0..self.stage.len()).map(|stage| self.resolved_change(stage)).collect();
        for (stage, resolved) in self.stage.iter_mut().zip(resolved) {
            if let Some(change) = &mut stage.set {
                change.resolved = resolved;
            }
        }
    }

    fn resolved_change(&self, stage: usize) -> Option<toml::Table> {
        let change = self.stage[stage].set.as_ref()?;
        let (now, mut table) = (self.at_stage(stage), toml::Table::new());
        if change.node.get("gravity").is_some() {
            now.gravity.put("gravity", &mut table);
        }
        let changes = change.node.get("contact").map_or(&[][..], Node::items);
        let is_changed = |law: &&ContactLaw| {
            let [one, other] = &*law.between;
            changes.iter().any(|change| {
                change.get("between").is_none_or(|between| {
                    let between = names(between);
                    between == [one.as_str(), other.as_str()] || between == [other.as_str(), one.as_str()]
                })
            })
        };
        let laws: Vec<ContactLaw> = now.contact.iter().filter(is_changed).cloned().collect();
        laws.put("contact", &mut table);
        let mut methods = toml::Table::new();
        let touches = |method: &str| change.node.get("method").is_some_and(|node| node.get(method).is_some());
        if touches("cd") {
            now.method.cd.put("cd", &mut methods);
            if let Some(toml::Value::Table(cd)) = methods.get_mut("cd") {
                cd.retain(|key, value| key != "time_step" || value.as_str() != Some("auto")); // that of the whole run
            }
        }
        let others = [
            ("md", now.method.md.as_ref().map(Value::write)),
            ("dae", now.method.dae.as_ref().map(Value::write)),
            ("ed", now.method.ed.as_ref().map(Value::write)),
        ];
        for (method, written) in others.into_iter().filter(|(method, _)| touches(method)) {
            let can = OF_METHODS.iter().find(|(name, _)| *name == method).and_then(|(_, can)| *can).unwrap_or(&[]);
            let set = change.node.get("method").and_then(|node| node.get(method)).map_or(&[][..], entries);
            if let Some(toml::Value::Table(mut written)) = written {
                written.retain(|key, _| can.contains(&key) && set.iter().any(|entry| entry.key == key));
                methods.insert(method.into(), written.into());
            }
        }
        if !methods.is_empty() {
            table.insert("method".into(), methods.into());
        }
        Some(table)
    }
}
