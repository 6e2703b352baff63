//! Which materials a contact law is for: two of them, or any two that have no law of their own.

use std::ops::Deref;

use crate::input::{Entry, Node, Placed, Raw, Reader, Value};
use crate::scenario::ContactLaw;

/// The word that stands for all pairs of materials without a law of their own.
const ANY: &str = "any";

/// Two materials. A scenario may write "any" instead; `spread_any` puts pairs in its place before laws are read.
#[derive(Clone, Debug)]
pub struct MaterialPair(pub [Placed<String>; 2]);

impl Deref for MaterialPair {
    type Target = [Placed<String>; 2];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Value for MaterialPair {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        if let Raw::Text(word) = &node.value {
            let message = format!("`{}` names two materials, or it is \"{ANY}\": \"{word}\" is neither", node.path);
            return reader.mistake(
                "E007",
                &node.at,
                message,
                format!("write between = \"{ANY}\", or two materials in brackets"),
            );
        }
        Value::read(node, reader).map(MaterialPair)
    }
    fn write(&self) -> toml::Value {
        self.0.write()
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"oneOf": [<[Placed<String>; 2]>::schema(), {"const": ANY}]})
    }
    fn example() -> String {
        <[Placed<String>; 2]>::example()
    }
}

/// Writes the law between "any" once for every pair of materials that has none of its own, and what stages set between
/// "any" once for each of the same pairs.
pub(in crate::scenario) fn spread_any(tree: &mut Node, reader: &Reader) {
    let laws = tree.get("contact").map_or(&[][..], Node::items);
    let any: Vec<&Node> = laws.iter().filter(|law| is_any(law)).collect();
    let Some(first) = any.first().map(|law| (*law).clone()) else { return };
    for second in &any[1..] {
        let message = format!("a second [[contact]] between \"{ANY}\"");
        reader.mistake::<()>("E014", &second.at, message, "keep one of them");
    }
    let pairs = pairs_without_a_law(tree);
    if pairs.is_empty() {
        // it holds nowhere, but what it says must be readable
        let name = Node::new(Raw::Text(String::new()), first.at.clone(), String::new());
        ContactLaw::read(&for_pair(&first, &[name.clone(), name]), reader);
    }
    if let Some(contact) = child(tree, "contact") {
        spread(contact, &pairs);
    }
    let Some(Raw::Array(stages)) = child(tree, "stage").map(|stages| &mut stages.value) else { return };
    for change in stages.iter_mut().filter_map(|stage| child(child(stage, "set")?, "contact")) {
        spread(change, &pairs);
    }
}

/// Whether a law, or a change of laws, is between "any".
fn is_any(law: &Node) -> bool {
    matches!(law.get("between").map(|between| &between.value), Some(Raw::Text(word)) if word == ANY)
}

/// All pairs of materials that no law of the scenario names.
fn pairs_without_a_law(tree: &Node) -> Vec<[Node; 2]> {
    let mut materials: Vec<&Node> = Vec::new();
    for name in tree.get("material").map_or(&[][..], Node::items).iter().filter_map(|material| material.get("name")) {
        if materials.iter().all(|other| text(other) != text(name)) {
            materials.push(name);
        }
    }
    let laws = tree.get("contact").map_or(&[][..], Node::items);
    let named: Vec<&[Node]> = laws.iter().filter_map(|law| law.get("between")).map(Node::items).collect();
    let has_a_law = |a: &Node, b: &Node| {
        let is = |pair: &&[Node], a, b| pair.len() == 2 && text(&pair[0]) == text(a) && text(&pair[1]) == text(b);
        named.iter().any(|pair| is(pair, a, b) || is(pair, b, a))
    };
    let pairs = materials.iter().enumerate().flat_map(|(k, a)| materials[k..].iter().map(move |b| (*a, *b)));
    pairs.filter(|(a, b)| !has_a_law(a, b)).map(|(a, b)| [a.clone(), b.clone()]).collect()
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Raw::Text(text) => Some(text),
        _ => None,
    }
}

/// Puts laws for pairs in the place of those between "any"; a second one is left out.
fn spread(laws: &mut Node, pairs: &[[Node; 2]]) {
    let Raw::Array(items) = &mut laws.value else { return };
    let mut is_spread = false;
    let written = std::mem::take(items);
    for law in written {
        if !is_any(&law) {
            items.push(law);
        } else if !std::mem::replace(&mut is_spread, true) {
            items.extend(pairs.iter().map(|pair| for_pair(&law, pair)));
        }
    }
}

/// The same law between two materials.
fn for_pair(law: &Node, pair: &[Node; 2]) -> Node {
    let mut law = law.clone();
    if let Some(between) = child(&mut law, "between") {
        let place = |name: &Node| Node { value: name.value.clone(), ..between.clone() };
        between.value = Raw::Array(pair.iter().map(place).collect());
    }
    law
}

fn child<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    match &mut node.value {
        Raw::Table(entries) => entries.iter_mut().find(|entry| entry.key == key).map(|Entry { node, .. }| node),
        _ => None,
    }
}
