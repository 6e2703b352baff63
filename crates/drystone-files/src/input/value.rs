//! Values that scenarios are made of: how each is read, written back and described.

use std::ops::Deref;

use serde_json::{Value as Json, json};

use super::magnitude::Exponents;
use super::mistake::Span;
use super::node::{Node, Raw};
use super::parameters::is_computed;
use super::reader::{Reader, Table};

/// A value of a scenario. One declaration serves reading, writing the resolved scenario, the schema and the book.
pub trait Value: Sized {
    /// Reads the value, or reports what is wrong with it.
    fn read(node: &Node, reader: &Reader) -> Option<Self>;
    /// The value as it stands in a resolved scenario.
    fn write(&self) -> toml::Value;
    /// Its JSON Schema.
    fn schema() -> Json;

    /// Reads the value of a key of a table; a missing key is a mistake.
    fn take(table: &Table, key: &str) -> Option<Self> {
        match table.claim(key) {
            Some(node) => Self::read(node, table.reader),
            None => {
                table.lacks_one(key, Self::keys(), Self::example);
                None
            }
        }
    }
    /// Reads the value of a key, or takes the default if the key is missing.
    fn take_or(table: &Table, key: &str, default: impl FnOnce() -> Self) -> Option<Self> {
        match table.claim(key) {
            Some(node) => Self::read(node, table.reader),
            None => Some(default()),
        }
    }
    /// Writes the value under a key of a table.
    fn put(&self, key: &str, table: &mut toml::Table) {
        insert(table, key, self.write());
    }
    /// Adds the key to the schema of its table.
    fn declare(key: &str, about: &str, default: Option<Self>, object: &mut Object) {
        match default {
            Some(default) => object.may_have(key, about, Self::schema(), Some(default.write())),
            None => object.must_have(key, about, Self::schema()),
        }
    }
    /// What a user could write, for messages.
    fn example() -> String {
        "...".into()
    }
    /// For a table: the keys that it must have, each with an example.
    fn keys() -> Option<String> {
        None
    }
    /// The line of the key in an example of its table: none if the key may be left out.
    fn mention(key: &str) -> Option<String> {
        Some(assigned(key, &Self::example()))
    }
    /// Passes every number of the value to `check`.
    fn numbers(&self, _check: &mut dyn FnMut(f64)) {}
}

/// A JSON Schema object that is being put together.
#[derive(Default)]
pub struct Object {
    /// Schemas by key.
    pub properties: serde_json::Map<String, Json>,
    /// Keys that must be there.
    pub required: Vec<String>,
    /// Alternatives of a tagged list whose keys stand in the same table.
    pub one_of: Option<Json>,
}

impl Object {
    /// Adds a key that must be there.
    pub fn must_have(&mut self, key: &str, about: &str, schema: Json) {
        self.required.push(key.to_string());
        self.may_have(key, about, schema, None);
    }

    /// Adds a key that may be left out, with its default if it has one.
    pub fn may_have(&mut self, key: &str, about: &str, mut schema: Json, default: Option<toml::Value>) {
        schema["description"] = json!(about.trim());
        if let Some(default) = default {
            schema["default"] = serde_json::to_value(default).unwrap_or(Json::Null);
        }
        self.properties.insert(key.to_string(), schema);
    }

    /// The finished schema.
    pub fn finish(self, about: &str) -> Json {
        let mut schema = json!({"type": "object", "description": about.trim(), "properties": self.properties});
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        match self.one_of {
            Some(one_of) => {
                schema["oneOf"] = one_of;
                schema["unevaluatedProperties"] = json!(false);
            }
            None => schema["additionalProperties"] = json!(false),
        }
        schema
    }
}

/// Keys that may stand together in a table with others: records and tagged lists.
pub trait Fields: Sized {
    /// Reads them, claiming their keys.
    fn read_fields(table: &Table) -> Option<Self>;
    /// Writes them into a table.
    fn write_fields(&self, table: &mut toml::Table);
    /// Adds them to a schema.
    fn declare_fields(object: &mut Object);
}

/// Reads a table that holds these fields and no others.
pub fn read_table<T: Fields + Value>(node: &Node, reader: &Reader) -> Option<T> {
    let table = opened(node, reader, T::declare_fields, T::example)?;
    let fields = T::read_fields(&table);
    table.close();
    fields
}

/// The node as a table; if it is none, the mistake says what to write.
fn opened<'a>(
    node: &'a Node,
    reader: &'a Reader,
    declare: fn(&mut Object),
    example: fn() -> String,
) -> Option<Table<'a>> {
    match node.value {
        Raw::Table(_) => Table::open(node, reader),
        _ => wrong_type(node, reader, "a table", &table_example(node, declare, example)),
    }
}

/// What to write instead of a value that is not a table. A word that is a key of the table is taken for that key.
fn table_example(node: &Node, declare: fn(&mut Object), example: fn() -> String) -> String {
    let mut object = Object::default();
    declare(&mut object);
    let needed = |schema: &Json| -> Vec<String> {
        let keys = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
        keys.map(|key| format!("{key} = ..")).collect()
    };
    let meant = match &node.value {
        Raw::Text(word) => object.properties.get_key_value(word),
        _ => None,
    };
    match meant {
        Some((key, schema)) if needed(schema).is_empty() => format!("{{ {key} = .. }}"),
        Some((key, schema)) => format!("{{ {key} = {{ {} }} }}", needed(schema).join(", ")),
        None if object.required.is_empty() && !object.properties.is_empty() => {
            let keys: Vec<&str> = object.properties.keys().map(String::as_str).collect();
            format!("{{ key = .. }} with keys of these: {}", keys.join(", "))
        }
        None => example(),
    }
}

/// Writes a value under a key of a table.
fn insert(table: &mut toml::Table, key: &str, value: toml::Value) {
    table.insert(key.to_string(), value);
}

/// A key and what it is set to.
fn assigned(key: &str, value: &str) -> String {
    format!("{key} = {value}")
}

/// The table of these fields.
pub fn write_table<T: Fields>(fields: &T) -> toml::Value {
    let mut table = toml::Table::new();
    fields.write_fields(&mut table);
    table.into()
}

/// The schema of a table of these fields.
pub fn table_schema<T: Fields>(about: &str) -> Json {
    schema_of(about, T::declare_fields)
}

fn schema_of(about: &str, declare: fn(&mut Object)) -> Json {
    let mut object = Object::default();
    declare(&mut object);
    object.finish(about)
}

/// Fields whose keys stand in the table of the record that holds them.
#[derive(Clone, Debug)]
pub struct Flat<T>(pub T);

impl<T: Fields + Value> Value for Flat<T> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        T::read_fields(&Table::open(node, reader)?).map(Flat)
    }
    fn write(&self) -> toml::Value {
        write_table(&self.0)
    }
    fn schema() -> Json {
        table_schema::<T>("")
    }
    fn take(table: &Table, _key: &str) -> Option<Self> {
        T::read_fields(table).map(Flat)
    }
    fn mention(_key: &str) -> Option<String> {
        T::keys().filter(|keys| !keys.is_empty())
    }
    fn put(&self, _key: &str, table: &mut toml::Table) {
        self.0.write_fields(table);
    }
    fn declare(_key: &str, _about: &str, _default: Option<Self>, object: &mut Object) {
        T::declare_fields(object);
    }
}

impl<T> Deref for Flat<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Value> Value for Option<T> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        T::read(node, reader).map(Some)
    }
    fn write(&self) -> toml::Value {
        self.as_ref().map_or(toml::Value::String(String::new()), T::write)
    }
    fn schema() -> Json {
        T::schema()
    }
    fn take(table: &Table, key: &str) -> Option<Self> {
        Self::take_or(table, key, || None)
    }
    fn example() -> String {
        T::example()
    }
    fn mention(_key: &str) -> Option<String> {
        None
    }
    fn put(&self, key: &str, table: &mut toml::Table) {
        if let Some(value) = self {
            value.put(key, table);
        }
    }
    fn declare(key: &str, about: &str, _default: Option<Self>, object: &mut Object) {
        object.may_have(key, about, T::schema(), None);
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        if let Some(value) = self {
            value.numbers(check);
        }
    }
}

impl<T: Value> Value for Vec<T> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match &node.value {
            Raw::Array(items) => {
                let read: Vec<Option<T>> = items.iter().map(|item| T::read(item, reader)).collect();
                read.into_iter().collect()
            }
            _ => no_list(node, reader, T::keys().is_some(), Self::example),
        }
    }
    fn take(table: &Table, key: &str) -> Option<Self> {
        let node = table.claim(key);
        if node.is_none() {
            table.lacks_list(key, T::keys(), Self::example);
        }
        Self::read(node?, table.reader)
    }
    fn write(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(T::write).collect())
    }
    fn schema() -> Json {
        json!({"type": "array", "items": T::schema()})
    }
    fn example() -> String {
        format!("[{}]", T::example())
    }
    fn put(&self, key: &str, table: &mut toml::Table) {
        if !self.is_empty() {
            insert(table, key, self.write());
        }
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        self.iter().for_each(|value| value.numbers(check));
    }
}

impl<T: Value> Value for [T; 2] {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let items = Vec::<T>::read(node, reader)?;
        let count = items.len();
        match <[T; 2]>::try_from(items) {
            Ok(pair) => Some(pair),
            Err(_) => reader.mistake(
                "E016",
                &node.at,
                format!("`{}` has {count} entries, it takes 2", node.path),
                format!("write [{0}, {0}]", T::example()),
            ),
        }
    }
    fn write(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(T::write).collect())
    }
    fn schema() -> Json {
        json!({"type": "array", "items": T::schema(), "minItems": 2, "maxItems": 2})
    }
    fn example() -> String {
        format!("[{0}, {0}]", T::example())
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        self.iter().for_each(|value| value.numbers(check));
    }
}

impl<A: Value, B: Value> Value for (A, B) {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match &node.value {
            Raw::Array(items) if items.len() == 2 => {
                let (a, b) = (A::read(&items[0], reader), B::read(&items[1], reader));
                Some((a?, b?))
            }
            _ => wrong_type(node, reader, "a list of two", &Self::example()),
        }
    }
    fn write(&self) -> toml::Value {
        toml::Value::Array(vec![self.0.write(), self.1.write()])
    }
    fn schema() -> Json {
        json!({"type": "array", "minItems": 2, "maxItems": 2})
    }
    fn example() -> String {
        format!("[{}, {}]", A::example(), B::example())
    }
}

/// Notes that a value is no list.
fn no_list<T>(node: &Node, reader: &Reader, is_of_tables: bool, example: fn() -> String) -> Option<T> {
    let help = match is_of_tables {
        true => format!("write [[{}]] in double brackets: there can be more than one", node.path),
        false => format!("write {}", example()),
    };
    let message = format!("`{}` must be a list, not {}", node.path, node.kind());
    reader.mistake("E003", &node.at, message, help)
}

/// Reports that a value is of another kind than wanted.
pub fn wrong_type<T>(node: &Node, reader: &Reader, wanted: &str, example: &str) -> Option<T> {
    note_wrong_type(node, reader, wanted, example);
    None
}

fn note_wrong_type(node: &Node, reader: &Reader, wanted: &str, example: &str) {
    let message = format!("`{}` must be {wanted}, not {}", node.path, node.kind());
    reader.note("E003", &node.at, message, format!("write {example}"));
}

impl Value for String {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match &node.value {
            Raw::Text(text) => Some(text.clone()),
            _ => wrong_type(node, reader, "a string", "\"text\" in quotes"),
        }
    }
    fn write(&self) -> toml::Value {
        self.clone().into()
    }
    fn schema() -> Json {
        json!({"type": "string"})
    }
    fn example() -> String {
        "\"name\"".into()
    }
}

impl Value for bool {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match node.value {
            Raw::Bool(value) => Some(value),
            _ => wrong_type(node, reader, "true or false", "true or false without quotes"),
        }
    }
    fn write(&self) -> toml::Value {
        (*self).into()
    }
    fn schema() -> Json {
        json!({"type": "boolean"})
    }
    fn example() -> String {
        "true".into()
    }
}

impl Value for u64 {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match &node.value {
            Raw::Number(text) => match text.parse() {
                // TOML integers end at 2^63 - 1, and what is read must be writable again
                Ok(number) if i64::try_from(number).is_ok() => Some(number),
                _ => reader.mistake(
                    "E003",
                    &node.at,
                    format!("`{}` must be a whole number of 0 or more, not {text}", node.path),
                    "write a number such as 1000",
                ),
            },
            _ => {
                let magnitude = node.magnitude(reader, "a whole number", "a number such as 1000")?;
                let is_plain = matches!(magnitude.unit, None | Some(Exponents::PLAIN));
                // beyond 2^53 not every whole number is an f64, and it might not be the one that was meant
                if is_plain && magnitude.si.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&magnitude.si) {
                    return Some(magnitude.si as u64);
                }
                let found = if is_plain { magnitude.si.to_string() } else { magnitude.kind() };
                let help =
                    if is_plain { "floor(x), ceil(x) and round(x) are whole" } else { "write a number such as 1000" };
                let message = format!("`{}` must be a whole number of 0 or more, not {found}", node.path);
                reader.mistake("E003", &node.at, message, help)
            }
        }
    }
    fn write(&self) -> toml::Value {
        (*self as i64).into()
    }
    fn schema() -> Json {
        json!({"type": ["integer", "string"], "minimum": 0})
    }
    fn example() -> String {
        "1000".into()
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        check(*self as f64);
    }
}

/// A value that remembers where it stands, for mistakes found later.
#[derive(Clone, Debug, Default)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub at: Span,
}

impl<T: Value> Value for Placed<T> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        Some(Placed { value: T::read(node, reader)?, at: node.at.clone() })
    }
    fn write(&self) -> toml::Value {
        self.value.write()
    }
    fn schema() -> Json {
        T::schema()
    }
    fn example() -> String {
        T::example()
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        self.value.numbers(check);
    }
}

impl<T> Deref for Placed<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

/// A condition on the numbers of a value: what it demands, in words, and the test.
pub type Check = (&'static str, fn(f64) -> bool);

/// More than zero.
pub const POSITIVE: Check = ("more than zero", |x| x > 0.0);
/// Zero or more.
pub const NOT_NEGATIVE: Check = ("zero or more", |x| x >= 0.0);
/// A slope of a friction cone: beyond 1e8 a one is lost in the rounding of its square, and the cone cannot be told from
/// a half space.
pub const NO_HALF_SPACE: Check = ("from 0 to 1e8", |x| (0.0..=1e8).contains(&x));
/// A part of a whole.
pub const FROM_0_TO_1: Check = ("from 0 to 1", |x| (0.0..=1.0).contains(&x));
/// A part of a whole, of either sign.
pub const FROM_MINUS_1_TO_1: Check = ("from -1 to 1", |x| (-1.0..=1.0).contains(&x));

/// Reports a mistake if a number of the value breaks the condition.
pub fn check<T: Value>(table: &Table, key: &str, value: &T, condition: Check) {
    let Some(node) = table.claim(key) else { return };
    value.numbers(&mut |number| judge(table, key, node, number, condition, T::example));
}

fn judge(table: &Table, key: &str, node: &Node, number: f64, (demand, holds): Check, example: fn() -> String) {
    if holds(number) {
        return;
    }
    let written = match &node.value {
        Raw::Text(text) if is_computed(text) => format!("{text} = {number}"),
        Raw::Text(text) | Raw::Number(text) => text.clone(),
        _ => number.to_string(),
    };
    let message = format!("`{}` must be {demand}, not {written}", table.name_of(key));
    table.reader.note("E007", &node.at, message, format!("write {key} = {}", example()));
}
