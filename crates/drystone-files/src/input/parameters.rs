//! `[parameters]`: numbers with names, which any number of a scenario can be computed from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value as Json, json};

use super::expression::{Expression, PlacedRefusal, meaning, unknown};
use super::magnitude::{Magnitude, Refusal};
use super::mistake::{Mistake, Span, Text};
use super::node::{Entry, Node, Raw};
use super::reader::{Reader, Table, nearest};
use super::units;
use super::value::{Value, wrong_type};

/// The parameters of a scenario, in the order of the file.
#[derive(Debug, Default)]
pub struct Parameters(Vec<Parameter>);

/// A number with a name.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its text in the scenario.
    pub written: String,
    /// Its value; `None` if it has none, which was reported.
    magnitude: Option<Magnitude>,
    /// Where its value stands.
    at: Span,
    /// Whether it belongs to a resolved scenario, whose numbers were computed from it.
    is_worked_in: bool,
    is_used: AtomicBool,
}

/// A text as it is computed: a number with a unit, or an expression.
enum Formula {
    Number(Magnitude),
    Expression(Expression),
}

impl Formula {
    /// A plain number with a unit is read exactly, with no arithmetic; anything else is an expression.
    fn parse(text: &str) -> Result<Formula, PlacedRefusal> {
        match units::parse(&without_gaps(text)) {
            Ok(number) => Ok(Formula::Number(number.into())),
            Err(_) => Expression::parse(text, &[]).map(Formula::Expression),
        }
    }

    fn names(&self) -> Vec<&str> {
        match self {
            Formula::Number(_) => Vec::new(),
            Formula::Expression(expression) => expression.names(),
        }
    }

    fn evaluate(&self, parameters: &Parameters) -> Result<Magnitude, PlacedRefusal> {
        match self {
            Formula::Number(magnitude) => Ok(*magnitude),
            Formula::Expression(expression) => expression.evaluate(&|name| parameters.value(name)),
        }
    }
}

/// The value of a TOML number, which is never the name of a parameter: `nan` has no value.
fn number(text: &str) -> Result<Magnitude, PlacedRefusal> {
    let fault = |why| (Refusal { code: "E004", ..Refusal::of_form(why, "write a number such as 0.5") }, 0..0);
    units::parse(&without_gaps(text)).map(Magnitude::from).map_err(fault)
}

/// Whether a text is more than a number and a unit.
pub fn is_computed(text: &str) -> bool {
    units::parse(&without_gaps(text)).is_err()
}

/// A text without the `_` between digits.
fn without_gaps(text: &str) -> String {
    let digit = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    let is_gap = |(at, c): &(usize, char)| *c == '_' && digit(at.checked_sub(1)) && digit(Some(at + 1));
    text.char_indices().filter(|place| !is_gap(place)).map(|(_, c)| c).collect()
}

/// Reports why a text has no value, at the place in it.
fn note<T>(node: &Node, text: &str, (fault, at): PlacedRefusal, reader: &Reader) -> Option<T> {
    if fault == Refusal::told() {
        return None;
    }
    reader.mistake(fault.code, &node.at.within(text, at), format!("`{}`: {}", node.path, fault.message), fault.help)
}

impl Node {
    /// The magnitude that a number or a text stands for, or `None` after what is wrong was reported; `wanted` and
    /// `example` are for messages.
    pub fn magnitude(&self, reader: &Reader, wanted: &str, example: &str) -> Option<Magnitude> {
        let none = Parameters::default();
        let parameters = self.parameters.as_deref().unwrap_or(&none);
        let (text, found) = match &self.value {
            Raw::Number(text) => (text, number(text)),
            Raw::Text(text) => (text, Formula::parse(text).and_then(|formula| formula.evaluate(parameters))),
            _ => return wrong_type(self, reader, wanted, example),
        };
        match found {
            Ok(magnitude) => Some(magnitude),
            Err((mut fault, at)) => {
                if parameters.0.is_empty()
                    && (fault.code == "E006" || !is_computed(text) || fault.message.contains("is not a unit"))
                {
                    fault.help = match fault.code {
                        "E006" => format!("write {example}; a name needs a value in [parameters]"),
                        _ => format!("write {example}"),
                    };
                }
                note(self, text, (fault, at), reader)
            }
        }
    }

    /// Whether it is a text that contains the name of a parameter.
    pub fn names_parameter(&self) -> bool {
        let (Raw::Text(text), Some(parameters)) = (&self.value, &self.parameters) else { return false };
        let is_known = |name: &&str| parameters.find(name).is_some();
        Formula::parse(text).is_ok_and(|formula| formula.names().iter().any(is_known))
    }

    /// Computes the parameters of a scenario and makes them available to every value in it.
    pub fn define_parameters(&mut self, reader: &Reader) {
        let Some(table) = self.get("parameters").filter(|table| matches!(table.value, Raw::Table(_))) else { return };
        let parameters = Arc::new(Parameters::of(table, reader));
        self.hand_down(&parameters);
    }

    fn hand_down(&mut self, parameters: &Arc<Parameters>) {
        self.parameters = Some(parameters.clone());
        match &mut self.value {
            Raw::Array(items) => items.iter_mut().for_each(|item| item.hand_down(parameters)),
            Raw::Table(entries) => entries.iter_mut().for_each(|entry| entry.node.hand_down(parameters)),
            _ => {}
        }
    }
}

impl Parameters {
    /// Reads and computes a table of parameters.
    fn of(table: &Node, reader: &Reader) -> Parameters {
        let Raw::Table(entries) = &table.value else { return Parameters::default() };
        let mut parameters = Parameters::default();
        let mut formulas = Vec::new();
        let mut recorded = Vec::new();
        for entry in entries {
            check_name(entry, reader);
            let (written, record) = definition(&entry.node, reader).unwrap_or_default();
            let formula = match (&entry.node.value, Formula::parse(&written)) {
                (Raw::Number(_), _) => match number(&written) {
                    Ok(magnitude) => Some(Formula::Number(magnitude)),
                    Err(fault) => note(&entry.node, &written, fault, reader),
                },
                (_, Ok(formula)) => Some(formula),
                (_, Err(fault)) if !written.is_empty() => note(&entry.node, &written, fault, reader),
                (_, Err(_)) => None,
            };
            formulas.push(formula);
            recorded.push(record);
            parameters.0.push(Parameter {
                name: entry.key.clone(),
                written,
                magnitude: None,
                at: entry.node.at.clone(),
                is_worked_in: record.is_some(),
                is_used: AtomicBool::new(false),
            });
        }
        let links = parameters.links(&formulas);
        for k in order(&links, |cycle| parameters.refuse_cycle(cycle, reader)) {
            let Some(formula) = &formulas[k] else { continue };
            parameters.0[k].magnitude = match formula.evaluate(&parameters) {
                Ok(magnitude) => Some(magnitude),
                Err(fault) => note(&entries[k].node, &parameters.0[k].written, fault, reader),
            };
        }
        for (parameter, record) in parameters.0.iter().zip(recorded) {
            parameter.check_record(record, reader);
        }
        parameters
    }

    /// The parameters that each one is computed from.
    fn links(&self, formulas: &[Option<Formula>]) -> Vec<Vec<usize>> {
        let number = |name: &str| self.0.iter().position(|parameter| parameter.name == name);
        let names = |formula: &Option<Formula>| match formula {
            Some(formula) => formula.names().into_iter().filter_map(number).collect(),
            None => Vec::new(),
        };
        formulas.iter().map(names).collect()
    }

    fn refuse_cycle(&self, cycle: &[usize], reader: &Reader) {
        let names: Vec<&str> = cycle.iter().chain(&cycle[..1]).map(|k| self.0[*k].name.as_str()).collect();
        let message = format!("`{}` is computed from itself: {}", names[0], names.join(" from "));
        reader.mistake::<()>("E035", &self.0[cycle[0]].at, message, "give one of them a number");
    }

    fn find(&self, name: &str) -> Option<&Parameter> {
        self.0.iter().find(|parameter| parameter.name == name)
    }

    /// The value of a parameter, which from now on counts as used.
    fn value(&self, name: &str) -> Result<Magnitude, Refusal> {
        match self.find(name) {
            Some(parameter) => {
                parameter.is_used.store(true, Ordering::Relaxed);
                parameter.magnitude.ok_or_else(Refusal::told)
            }
            None => Err(unknown(name, "parameter", &self.names().collect::<Vec<_>>())),
        }
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|parameter| parameter.name.as_str())
    }

    /// Name and value of each: "outlet", "30 mm = 0.03 m".
    pub fn values(&self) -> Vec<(&str, String)> {
        let value = |parameter: &Parameter| {
            let value = parameter.magnitude.map_or(String::new(), |magnitude| magnitude.text());
            if value == parameter.written { value } else { format!("{} = {value}", parameter.written) }
        };
        self.0.iter().map(|parameter| (parameter.name.as_str(), value(parameter))).collect()
    }

    /// Parameters that nothing is computed from. In a resolved scenario there are none: its numbers were computed
    /// before.
    fn unused(&self) -> impl Iterator<Item = &Parameter> {
        self.0.iter().filter(|parameter| !parameter.is_worked_in && !parameter.is_used.load(Ordering::Relaxed))
    }

    /// A warning for each parameter that nothing is computed from.
    pub fn warnings(&self) -> Vec<Mistake> {
        let warn = |parameter: &Parameter| Mistake {
            code: "W120",
            message: format!("nothing is computed from the parameter `{}`", parameter.name),
            help: format!("write a value such as \"{} / 2\", or take it out", parameter.name),
            at: parameter.at.clone(),
        };
        self.unused().map(warn).collect()
    }

    /// Refuses parameters that were set, or written into a resolved scenario, and change nothing. `text` is that of the
    /// file.
    pub fn check_use(&self, text: &Option<Arc<Text>>, is_resolved: bool, reader: &Reader) {
        let is_set = |parameter: &&Parameter| match (&parameter.at.text, text) {
            (Some(own), Some(file)) => !Arc::ptr_eq(own, file),
            _ => false,
        };
        for parameter in self.unused().filter(|parameter| is_resolved || is_set(parameter)) {
            let name = &parameter.name;
            if is_resolved {
                refuse_worked_in(name, &parameter.at, reader);
                continue;
            }
            let others = self.names().filter(|other| other != name);
            let help = match nearest(name, others) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("write values of the scenario with it, such as \"{name} / 2\""),
            };
            let message = format!("setting `{name}` changes nothing: no value is computed from it");
            reader.mistake::<()>("E017", &parameter.at, message, help);
        }
    }
}

fn refuse_worked_in(name: &str, at: &Span, reader: &Reader) {
    let message = format!("the numbers of this resolved scenario do not follow `{name}` any more");
    let help = "change the parameter in the scenario that the run was made from, or the numbers here";
    reader.mistake::<()>("E036", at, message, help);
}

impl Parameter {
    /// Compares its value with the one that a resolved scenario was computed with.
    fn check_record(&self, record: Option<f64>, reader: &Reader) {
        if let (Some(record), Some(magnitude)) = (record, self.magnitude)
            && magnitude.si.to_bits() != record.to_bits()
        {
            refuse_worked_in(&self.name, &self.at, reader);
        }
    }
}

/// The text of a parameter, and its value if a resolved scenario states it.
fn definition(node: &Node, reader: &Reader) -> Option<(String, Option<f64>)> {
    match &node.value {
        Raw::Text(text) if text.trim().is_empty() => {
            reader.mistake("E034", &node.at, format!("`{}`: there is nothing in it", node.path), "write \"30 mm\"")
        }
        Raw::Text(text) | Raw::Number(text) => Some((text.clone(), None)),
        Raw::Table(_) => {
            let table = Table::open(node, reader)?;
            let written = String::take(&table, "written");
            let value = table.claim("value").and_then(|node| match &node.value {
                Raw::Number(text) => text.replace('_', "").parse().ok(),
                _ => wrong_type(node, reader, "a number", "0.03"),
            });
            if value.is_none() {
                table.lacks("value", "a parameter is a number or a text: outlet = \"30 mm\"".into());
            }
            table.close();
            Some((written?, Some(value?)))
        }
        _ => wrong_type(node, reader, "a number or a text", "\"30 mm\""),
    }
}

/// Refuses names that an expression could not contain, or that mean something already.
fn check_name(entry: &Entry, reader: &Reader) {
    let name = &entry.key;
    let is_word = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !is_word || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let message = format!("`{name}` cannot be the name of a parameter");
        let help = "a name has letters, digits and `_`, and begins with a letter";
        reader.mistake::<()>("E035", &entry.at, message, help);
    } else if let Some(what) = meaning(name) {
        let message = format!("`{name}` cannot be the name of a parameter: it is {what}");
        reader.mistake::<()>("E035", &entry.at, message, format!("call it {name}_0, or by a longer word"));
    }
}

/// An order in which each comes after those that it is linked to. Those in a cycle, and those linked to them, have
/// none.
fn order(links: &[Vec<usize>], mut tell_cycle: impl FnMut(&[usize])) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let (mut mark, mut ordered) = (vec![Mark::New; links.len()], Vec::new());
    let mut in_cycle = vec![false; links.len()];
    for start in 0..links.len() {
        if mark[start] != Mark::New {
            continue;
        }
        mark[start] = Mark::Open;
        let mut path = vec![(start, 0)]; // each with the number of its links that were followed
        while let Some((k, next)) = path.last_mut() {
            let k = *k;
            match links[k].get(*next) {
                Some(&other) => {
                    *next += 1;
                    match mark[other] {
                        Mark::New => {
                            mark[other] = Mark::Open;
                            path.push((other, 0));
                        }
                        Mark::Open => {
                            let from = path.iter().position(|(on, _)| *on == other).unwrap_or(0);
                            let cycle: Vec<usize> = path[from..].iter().map(|(on, _)| *on).collect();
                            if !cycle.iter().any(|k| in_cycle[*k]) {
                                tell_cycle(&cycle);
                            }
                            cycle.iter().for_each(|k| in_cycle[*k] = true);
                        }
                        Mark::Done => {}
                    }
                }
                None => {
                    mark[k] = Mark::Done;
                    in_cycle[k] |= links[k].iter().any(|other| in_cycle[*other]);
                    if !in_cycle[k] {
                        ordered.push(k);
                    }
                    path.pop();
                }
            }
        }
    }
    ordered
}

impl Value for Arc<Parameters> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match (&node.value, &node.parameters) {
            (Raw::Table(_), Some(parameters)) => Some(parameters.clone()),
            (Raw::Table(_), None) => Some(Arc::new(Parameters::of(node, reader))),
            _ => wrong_type(node, reader, "a table", "[parameters], and below it outlet = \"30 mm\""),
        }
    }
    fn write(&self) -> toml::Value {
        let record = |parameter: &Parameter| {
            let mut table = toml::Table::new();
            table.insert("written".into(), parameter.written.clone().into());
            table.insert("value".into(), parameter.magnitude.map_or(f64::NAN, |magnitude| magnitude.si).into());
            (parameter.name.clone(), table.into())
        };
        toml::Value::Table(self.0.iter().map(record).collect())
    }
    fn schema() -> Json {
        let record = json!({
            "type": "object",
            "description": "As a resolved scenario keeps it: what was written, and the value that its numbers were computed with.",
            "properties": {"written": {"type": "string"}, "value": {"type": "number"}},
            "required": ["written", "value"],
            "additionalProperties": false,
        });
        json!({"type": "object", "additionalProperties": {"anyOf": [{"type": ["number", "string"]}, record]}})
    }
    fn put(&self, key: &str, table: &mut toml::Table) {
        if !self.0.is_empty() {
            table.insert(key.to_string(), self.write());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantity::{Length, Number};
    use super::*;

    /// A tree with its parameters, and the codes of the mistakes in them.
    fn tree(text: &str) -> (Node, Vec<&'static str>) {
        let (mut tree, mistakes) = Node::parse(&Arc::new(Text { name: "test".into(), text: text.into() }));
        assert!(mistakes.is_empty(), "{text}");
        let reader = Reader::default();
        tree.define_parameters(&reader);
        (tree, reader.finish().0.iter().map(|mistake| mistake.code).collect())
    }

    fn codes(text: &str) -> Vec<&'static str> {
        tree(&format!("[parameters]\n{text}")).1
    }

    #[test]
    fn values_follow_from_parameters_and_these_from_each_other() {
        let (tree, codes) = tree(
            "half = [\"width / 2\", \"0.1 mm\"]\nn = \"2 * count\"\n\
             [parameters]\nwidth = \"2 * gap\"\ngap = \"10 mm\"\ncount = 1_000",
        );
        assert_eq!(codes, Vec::<&str>::new());
        let reader = Reader::default();
        let half = <[Length; 2]>::read(tree.get("half").unwrap(), &reader).unwrap();
        assert_eq!((half[0].0, half[1].0), (0.01, 1e-4));
        assert_eq!(u64::read(tree.get("n").unwrap(), &reader), Some(2000));
        assert!(Number::read(tree.get("half").unwrap().items().first().unwrap(), &reader).is_none());
        assert_eq!(tree.parameters.unwrap().unused().count(), 0);
    }

    #[test]
    fn counts_must_be_whole_and_plain() {
        for (count, is_count) in
            [("\"n / 2\"", true), ("\"n / 3\"", false), ("\"floor(n / 3)\"", true), ("\"-n\"", false)]
        {
            let (tree, _) = tree(&format!("count = {count}\n[parameters]\nn = 10"));
            assert_eq!(u64::read(tree.get("count").unwrap(), &Reader::default()).is_some(), is_count, "{count}");
        }
    }

    #[test]
    fn names_that_mean_something_and_cycles_are_refused() {
        for name in ["g", "mm", "m2", "h", "min", "sin", "pi", "_a", "a-b", "\"a b\"", "\"α\"", "\"\""] {
            assert_eq!(codes(&format!("{name} = 1")), ["E035"], "{name}");
        }
        for name in ["mu", "h0", "t0", "radius", "dt", "e", "l_1"] {
            assert_eq!(codes(&format!("{name} = 1")), Vec::<&str>::new(), "{name}");
        }
        assert_eq!(codes("a = \"b\"\nb = \"c + 1\"\nc = \"2 * a\"\nd = \"a\""), ["E035"], "told once");
        assert_eq!(codes("a = \"a\""), ["E035"]);
        assert_eq!(codes("a = \"bb\"\nb = 1"), ["E006"]);
        assert_eq!(codes("a = \"1 m + 1 s\"\nb = \"a\""), ["E004"], "told once");
        assert_eq!(codes("a = [1]\nb = true\nc = \"\""), ["E003", "E003", "E034"]);
    }

    /// The stack does not grow with the number of parameters.
    #[test]
    fn a_long_chain_is_computed() {
        let chain: String = (0..3000).map(|k| format!("p{k} = \"p{} + 1\"\n", k + 1)).collect();
        let (tree, codes) = tree(&format!("[parameters]\n{chain}p3000 = 0"));
        assert_eq!(codes, Vec::<&str>::new());
        assert_eq!(tree.parameters.unwrap().value("p0").unwrap().si, 3000.0);
    }

    #[test]
    fn a_resolved_scenario_notices_that_a_parameter_was_changed() {
        let good = "a = { written = \"30 mm\", value = 0.03 }\nb = { written = \"a / 3\", value = 0.01 }";
        assert_eq!(codes(good), Vec::<&str>::new());
        assert_eq!(codes(&good.replace("30 mm", "60 mm")), ["E036", "E036"]);
        assert_eq!(codes(&good.replace("0.03", "0.04")), ["E036"]);
        assert_eq!(codes("a = { written = \"1 m\" }"), ["E005"]);
        assert_eq!(codes("a = { written = \"1 m\", value = 1, unit = 2 }"), ["E002"]);
    }
}
