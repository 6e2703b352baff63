//! The crate's macros: `record!` declares a table of a scenario, `list!` a list of kinds to choose from.
//!
//! A declaration yields the type, its reader (all mistakes, each at its place), its writer, its JSON Schema,
//! its entry in `drystone list` and its page in the book. Adding a kind is one file and one line in its list.

/// Declares a record: a table of a scenario.
///
/// A field is `name: Type`, with `where CHECK` for a condition on its numbers and `= default` if it may be left out;
/// `Option` fields may be left out, [`Flat`](crate::input::Flat) fields stand in the same table.
/// A parameter is a dimension unless another bound is written: `Ramp<V: Amount>`. With `at span` the record keeps where
/// it stands in the scenario, for messages of later checks; walls and laws do not, so that programs can write them.
macro_rules! record {
    (
        @bound [$($span:ident)?] $(#[doc = $about:literal])+
        pub struct $name:ident $(<$d:ident: $bound:path>)? {
            $( $(#[doc = $doc:literal])+ $field:ident : $ty:ty $(where $check:path)? $(= $default:expr)? ),* $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        #[allow(unreachable_pub)] // one form for records that programs see and those that only scenarios have
        pub struct $name $(<$d: $bound>)? {
            $( $(#[doc = $doc])+ pub $field: $ty, )*
            $(
                /// Where it stands in the scenario.
                pub $span: $crate::input::Span,
            )?
        }

        impl $(<$d: $bound>)? $crate::input::Fields for $name $(<$d>)? {
            fn read_fields(table: &$crate::input::Table) -> Option<Self> {
                $(
                    let key = $crate::list::key(stringify!($field));
                    let $field = $crate::list::take!(table, key, $ty $(, $default)?);
                    $( if let Some(value) = &$field { $crate::input::value::check(table, key, value, $check); } )?
                )*
                let _ = table; // a record without keys reads nothing
                Some($name { $( $field: $field?, )* $( $span: table.at().clone() )? })
            }
            fn write_fields(&self, table: &mut toml::Table) {
                $( $crate::input::Value::put(&self.$field, $crate::list::key(stringify!($field)), table); )*
                let _ = table;
            }
            fn declare_fields(object: &mut $crate::input::Object) {
                $(
                    let default: Option<$ty> = $crate::list::default!($($default)?);
                    <$ty as $crate::input::Value>::declare($crate::list::key(stringify!($field)), concat!($($doc),+), default, object);
                )*
                let _ = object;
            }
        }

        impl $(<$d: $bound>)? $crate::input::Value for $name $(<$d>)? {
            fn read(node: &$crate::input::Node, reader: &$crate::input::Reader) -> Option<Self> {
                $crate::input::value::read_table(node, reader)
            }
            fn write(&self) -> toml::Value {
                $crate::input::value::write_table(self)
            }
            fn schema() -> serde_json::Value {
                $crate::input::value::table_schema::<Self>(concat!($($about),+))
            }
            fn example() -> String {
                format!("{{ {} }}", Self::keys().unwrap_or_default())
            }
            fn keys() -> Option<String> {
                Some($crate::list::needed(&[
                    $( $crate::list::mention!($crate::list::key(stringify!($field)), $ty $(, $default)?) ),*
                ]))
            }
        }
    };

    ($(#[doc = $about:literal])+ pub struct $name:ident $(<$d:ident>)? $(at $span:ident)? { $($fields:tt)* }) => {
        $crate::list::record! {
            @bound [$($span)?] $(#[doc = $about])+ pub struct $name $(<$d: $crate::dim::Dim>)? { $($fields)* }
        }
    };
    ($(#[doc = $about:literal])+ pub struct $name:ident<$d:ident: $bound:path> { $($fields:tt)* }) => {
        $crate::list::record! { @bound [] $(#[doc = $about])+ pub struct $name<$d: $bound> { $($fields)* } }
    };
}

/// Declares a list of kinds. Four forms:
/// `by "tag"`: a table whose tag names the kind (`kind = "plane"`), the kind's keys beside it;
/// `by key`: a table whose only key names the kind (`{ uniform = [..] }`), or a bare value;
/// `by leading key`: a table in which one key tells the kind (`{ static = .., dynamic = .. }`), or a bare value;
/// `by name`: just the name.
/// With `by name starting Trait from Start`, `start` makes the kind by its `new` from a `Start`. With `as Trait`,
/// `as_dyn` gives the kind as an object of that trait; with `as Trait over D` as one of `Trait<D>`, for any dimension.
macro_rules! list {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident by $tag:literal as $trait:ident over $d:ident {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident($ty:ty) ),+ $(,)?
        }
    ) => {
        $crate::list::list! {
            @tag $(#[doc = $about])+
            pub enum $name by $tag { $( $(#[doc = $doc])+ $key => $variant($ty) ),+ }
        }

        impl $name {
            /// The kind as an object.
            pub fn as_dyn<$d: $crate::dim::Dim>(&self) -> &dyn $trait<$d> {
                match self { $( $name::$variant(kind) => kind, )+ }
            }
        }
    };
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident $(<$d:ident>)? by $tag:literal $(as $trait:path)? { $($kinds:tt)+ }
    ) => {
        $crate::list::list! { @tag $(#[doc = $about])+ pub enum $name $(<$d>)? by $tag { $($kinds)+ } }
        $crate::list::list! { @object $name $(<$d>)? $(as $trait)? { $($kinds)+ } }
    };

    (@object $name:ident $(<$d:ident>)? { $($kinds:tt)+ }) => {};
    (
        @object $name:ident $(<$d:ident>)? as $trait:path {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident($ty:ty) ),+ $(,)?
        }
    ) => {
        impl $(<$d: $crate::dim::Dim>)? $name $(<$d>)? {
            /// The kind as an object.
            pub fn as_dyn(&self) -> &dyn $trait {
                match self { $( $name::$variant(kind) => kind, )+ }
            }
        }
    };

    (
        @tag $(#[doc = $about:literal])+
        pub enum $name:ident $(<$d:ident>)? by $tag:literal {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident($ty:ty) ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub enum $name $(<$d: $crate::dim::Dim>)? {
            $( $(#[doc = $doc])+ $variant($ty), )+
        }

        impl $(<$d: $crate::dim::Dim>)? $name $(<$d>)? {
            $crate::list::kinds!($($key, $($doc)+;)+);

            /// The word that scenarios use for it.
            pub fn kind(&self) -> &'static str {
                match self { $( $name::$variant(_) => $key, )+ }
            }

            /// One example of every kind, with the keys that it must have.
            #[cfg(test)]
            pub fn examples() -> Vec<String> {
                let keys = [$( <$ty as $crate::input::Value>::keys() ),+];
                let tags = [$(format!("{} = \"{}\"", $tag, $key)),+];
                tags.iter().zip(keys).map(|(tag, keys)| format!("{{ {tag}, {} }}", keys.unwrap_or_default())).collect()
            }
        }

        impl $(<$d: $crate::dim::Dim>)? $crate::input::Fields for $name $(<$d>)? {
            fn read_fields(table: &$crate::input::Table) -> Option<Self> {
                let Some(kind) = $crate::list::kind(table, $tag, &[$($key),+]) else {
                    table.is_unclear();
                    return None;
                };
                match kind.value.as_str() {
                    $( $key => <$ty as $crate::input::Fields>::read_fields(table).map($name::$variant), )+
                    _ => None,
                }
            }
            fn write_fields(&self, table: &mut toml::Table) {
                match self {
                    $( $name::$variant(kind) => {
                        table.insert($tag.to_string(), $key.into());
                        $crate::input::Fields::write_fields(kind, table);
                    } )+
                }
            }
            fn declare_fields(object: &mut $crate::input::Object) {
                object.one_of = Some($crate::list::tagged_kinds($tag, &[
                    $(($key, concat!($($doc),+), <$ty as $crate::input::Fields>::declare_fields)),+
                ]));
            }
        }

        impl $(<$d: $crate::dim::Dim>)? $crate::input::Value for $name $(<$d>)? {
            fn read(node: &$crate::input::Node, reader: &$crate::input::Reader) -> Option<Self> {
                $crate::input::value::read_table(node, reader)
            }
            fn write(&self) -> toml::Value {
                $crate::input::value::write_table(self)
            }
            fn schema() -> serde_json::Value {
                $crate::input::value::table_schema::<Self>(concat!($($about),+))
            }
            fn example() -> String {
                let (key, _) = Self::KINDS[0];
                format!("{{ {} = \"{key}\", ... }}", $tag)
            }
        }
    };

    (
        $(#[doc = $about:literal])+
        pub enum $name:ident $(<$d:ident>)? by key $(or $bare:ident($bare_ty:ty))? { $($kinds:tt)+ }
    ) => {
        $crate::list::list! {
            @key $(#[doc = $about])+
            pub enum $name $(<$d: $crate::dim::Dim>)? by key $(or $bare($bare_ty))? { $($kinds)+ }
        }
    };
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident<$d:ident: $bound:path> by key $(or $bare:ident($bare_ty:ty))? { $($kinds:tt)+ }
    ) => {
        $crate::list::list! {
            @key $(#[doc = $about])+ pub enum $name<$d: $bound> by key $(or $bare($bare_ty))? { $($kinds)+ }
        }
    };

    (
        @key $(#[doc = $about:literal])+
        pub enum $name:ident $(<$d:ident: $bound:path>)? by key $(or $bare:ident($bare_ty:ty))? {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident($ty:ty) ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub enum $name $(<$d: $bound>)? {
            $( /// The value itself, written without a key.
               $bare($bare_ty), )?
            $( $(#[doc = $doc])+ $variant($ty), )+
        }

        impl $(<$d: $bound>)? $name $(<$d>)? {
            $crate::list::kinds!($($key, $($doc)+;)+);
        }

        impl $(<$d: $bound>)? $crate::input::Value for $name $(<$d>)? {
            fn read(node: &$crate::input::Node, reader: &$crate::input::Reader) -> Option<Self> {
                $(
                    if !matches!(node.value, $crate::input::Raw::Table(_)) {
                        return <$bare_ty as $crate::input::Value>::read(node, reader).map($name::$bare);
                    }
                )?
                let entry = $crate::list::only_key(node, reader, &[$($key),+])?;
                match entry.key.as_str() {
                    $( $key => <$ty as $crate::input::Value>::read(&entry.node, reader).map($name::$variant), )+
                    _ => None,
                }
            }
            fn write(&self) -> toml::Value {
                match self {
                    $( $name::$bare(value) => $crate::input::Value::write(value), )?
                    $( $name::$variant(value) => {
                        let mut table = toml::Table::new();
                        $crate::input::Value::put(value, $key, &mut table);
                        table.into()
                    } )+
                }
            }
            fn schema() -> serde_json::Value {
                let kinds: Vec<serde_json::Value> = vec![
                    $( <$bare_ty as $crate::input::Value>::schema(), )?
                    $({
                        let mut kind = $crate::input::Object::default();
                        <$ty as $crate::input::Value>::declare($key, concat!($($doc),+), None, &mut kind);
                        kind.finish(concat!($($doc),+))
                    }),+
                ];
                $crate::list::one_of(concat!($($about),+), kinds)
            }
            fn example() -> String {
                let (key, _) = Self::KINDS[0];
                let examples = [$( <$bare_ty as $crate::input::Value>::example(), )? format!("{{ {key} = ... }}")];
                examples[0].clone()
            }
            fn numbers(&self, check: &mut dyn FnMut(f64)) {
                match self {
                    $( $name::$bare(value) => $crate::input::Value::numbers(value, check), )?
                    $( $name::$variant(value) => $crate::input::Value::numbers(value, check), )+
                }
            }
        }
    };

    (
        $(#[doc = $about:literal])+
        pub enum $name:ident $(<$d:ident>)? by leading key $(or $bare:ident($bare_ty:ty))? {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident($ty:ty) ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub enum $name $(<$d: $crate::dim::Dim>)? {
            $( /// The value itself, written without a key.
               $bare($bare_ty), )?
            $( $(#[doc = $doc])+ $variant($ty), )+
        }

        impl $(<$d: $crate::dim::Dim>)? $name $(<$d>)? {
            $crate::list::kinds!($($key, $($doc)+;)+);
        }

        impl $(<$d: $crate::dim::Dim>)? $crate::input::Fields for $name $(<$d>)? {
            fn read_fields(table: &$crate::input::Table) -> Option<Self> {
                match $crate::list::leading_key(table, &[$($key),+])? {
                    $( $key => <$ty as $crate::input::Fields>::read_fields(table).map($name::$variant), )+
                    _ => None,
                }
            }
            fn write_fields(&self, table: &mut toml::Table) {
                match self {
                    $( $name::$bare(_) => unreachable!("a bare value has no keys, and stands in no table"), )?
                    $( $name::$variant(kind) => $crate::input::Fields::write_fields(kind, table), )+
                }
            }
            fn declare_fields(object: &mut $crate::input::Object) {
                object.one_of = Some($crate::list::kinds_in_table(&[
                    $((concat!($($doc),+), <$ty as $crate::input::Fields>::declare_fields)),+
                ]));
            }
        }

        impl $(<$d: $crate::dim::Dim>)? $crate::input::Value for $name $(<$d>)? {
            fn read(node: &$crate::input::Node, reader: &$crate::input::Reader) -> Option<Self> {
                $(
                    if !matches!(node.value, $crate::input::Raw::Table(_)) {
                        return <$bare_ty as $crate::input::Value>::read(node, reader).map($name::$bare);
                    }
                )?
                $crate::input::value::read_table(node, reader)
            }
            fn write(&self) -> toml::Value {
                match self {
                    $( $name::$bare(value) => $crate::input::Value::write(value), )?
                    $( $name::$variant(value) => $crate::input::Value::write(value), )+
                }
            }
            fn schema() -> serde_json::Value {
                let kinds: Vec<serde_json::Value> = vec![
                    $( <$bare_ty as $crate::input::Value>::schema(), )?
                    $({
                        let mut kind = <$ty as $crate::input::Value>::schema();
                        kind["description"] = concat!($($doc),+).trim().into();
                        kind
                    }),+
                ];
                $crate::list::one_of(concat!($($about),+), kinds)
            }
            fn example() -> String {
                let examples = [
                    $( <$bare_ty as $crate::input::Value>::example, )?
                    $( <$ty as $crate::input::Value>::example, )+
                ];
                examples[0]()
            }
            fn keys() -> Option<String> {
                // with a bare value nobody needs the keys of a kind
                let keys: &[fn() -> Option<String>] =
                    &[$( <$bare_ty as $crate::input::Value>::keys, )? $( <$ty as $crate::input::Value>::keys ),+];
                keys[0]()
            }
            fn numbers(&self, check: &mut dyn FnMut(f64)) {
                match self {
                    $( $name::$bare(value) => $crate::input::Value::numbers(value, check), )?
                    $( $name::$variant(value) => $crate::input::Value::numbers(value, check), )+
                }
            }
        }
    };

    (
        $(#[doc = $about:literal])+
        pub enum $name:ident by name as $trait:ident {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident ),+ $(,)?
        }
    ) => {
        $crate::list::list! {
            $(#[doc = $about])+
            pub enum $name by name { $( $(#[doc = $doc])+ $key => $variant ),+ }
        }

        impl $name {
            /// The kind as an object.
            pub fn as_dyn<D: $crate::dim::Dim>(self) -> &'static dyn $trait<D> {
                match self { $( $name::$variant => &$variant, )+ }
            }
        }
    };

    (
        $(#[doc = $about:literal])+
        pub enum $name:ident by name of $trait:ident {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident ),+ $(,)?
        }
    ) => {
        $crate::list::list! {
            $(#[doc = $about])+
            pub enum $name by name { $( $(#[doc = $doc])+ $key => $variant ),+ }
        }

        impl $name {
            /// The kind as an object.
            pub fn as_dyn(self) -> &'static dyn $trait {
                match self { $( $name::$variant => &$variant, )+ }
            }
        }
    };

    (
        $(#[doc = $about:literal])+
        pub enum $name:ident by name starting $trait:ident from $start:ty {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident($ty:ty) ),+ $(,)?
        }
    ) => {
        $crate::list::list! {
            $(#[doc = $about])+
            pub enum $name by name { $( $(#[doc = $doc])+ $key => $variant ),+ }
        }

        impl $name {
            /// The kind as an object that starts anew.
            pub fn start(self, from: $start) -> Box<dyn $trait> {
                match self { $( $name::$variant => Box::new(<$ty>::new(from)), )+ }
            }
        }
    };

    (
        $(#[doc = $about:literal])+
        pub enum $name:ident by name {
            $( $(#[doc = $doc:literal])+ $key:literal => $variant:ident ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $name {
            $crate::list::kinds!($($key, $($doc)+;)+);
            /// Every kind, in the order of the list.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name that scenarios use.
            pub fn name(self) -> &'static str {
                match self { $( $name::$variant => $key, )+ }
            }
        }

        impl $crate::input::Value for $name {
            fn read(node: &$crate::input::Node, reader: &$crate::input::Reader) -> Option<Self> {
                let name = <String as $crate::input::Value>::read(node, reader)?;
                match name.as_str() {
                    $( $key => Some($name::$variant), )+
                    _ => $crate::list::unknown_name(node, reader, &name, &[$($key),+]),
                }
            }
            fn write(&self) -> toml::Value {
                self.name().into()
            }
            fn schema() -> serde_json::Value {
                $crate::list::names(concat!($($about),+), Self::KINDS)
            }
            fn example() -> String {
                let (key, _) = Self::KINDS[0];
                format!("\"{key}\"")
            }
        }
    };
}

macro_rules! kinds {
    ($($key:literal, $($doc:literal)+;)+) => {
        /// Every kind: the word that scenarios use, and what it is.
        pub const KINDS: &'static [(&'static str, &'static str)] = &[$(($key, concat!($($doc),+))),+];
    };
}

macro_rules! take {
    ($table:ident, $key:ident, $ty:ty) => {
        <$ty as $crate::input::Value>::take($table, $key)
    };
    ($table:ident, $key:ident, $ty:ty, $default:expr) => {
        <$ty as $crate::input::Value>::take_or($table, $key, || $default)
    };
}

macro_rules! mention {
    ($key:expr, $ty:ty) => {
        <$ty as $crate::input::Value>::mention($key)
    };
    ($key:expr, $ty:ty, $default:expr) => {
        None
    };
}

macro_rules! default {
    () => {
        None
    };
    ($default:expr) => {
        Some($default)
    };
}

pub(crate) use {default, kinds, list, mention, record, take};

use serde_json::{Value as Json, json};

use crate::input::{Entry, Node, Object, Placed, Raw, Reader, Table, Value, nearest};

/// The key of a field: raw identifiers lose their prefix.
pub(crate) fn key(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// Adds the keys of a table to its schema.
type Declare = fn(&mut Object);

/// Schema of a table whose tag names its kind.
pub(crate) fn tagged_kinds(tag: &str, kinds: &[(&str, &str, Declare)]) -> Json {
    let schema = |(key, about, declare): &(&str, &str, Declare)| {
        let mut kind = Object::default();
        kind.properties.insert(tag.to_string(), json!({"const": key}));
        kind.required.push(tag.to_string());
        declare(&mut kind);
        without_bound(kind.finish(about))
    };
    kinds.iter().map(schema).collect()
}

/// Schema of a table in which one key tells the kind.
pub(crate) fn kinds_in_table(kinds: &[(&str, Declare)]) -> Json {
    let schema = |(about, declare): &(&str, Declare)| {
        let mut kind = Object::default();
        declare(&mut kind);
        without_bound(kind.finish(about))
    };
    kinds.iter().map(schema).collect()
}

/// A kind's keys stand beside those of its table, which says that there are no others.
fn without_bound(mut schema: Json) -> Json {
    if let Some(object) = schema.as_object_mut() {
        object.remove("additionalProperties");
    }
    schema
}

/// Schema of a choice.
pub(crate) fn one_of(about: &str, kinds: Vec<Json>) -> Json {
    json!({"description": about.trim(), "oneOf": kinds})
}

/// Schema of a choice of names.
pub(crate) fn names(about: &str, kinds: &[(&str, &str)]) -> Json {
    let kinds: Vec<Json> = kinds.iter().map(|(key, about)| json!({"const": key, "description": about})).collect();
    json!({"type": "string", "description": about.trim(), "oneOf": kinds})
}

/// The keys that a table must have, each with an example.
pub(crate) fn needed(keys: &[Option<String>]) -> String {
    keys.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// The kind that the tag of a table names, if there is such a kind.
pub(crate) fn kind(table: &Table, tag: &str, known: &[&str]) -> Option<Placed<String>> {
    let Some(node) = table.claim(tag) else {
        table.lacks(tag, format!("add {tag} = \"{}\"; known: {}", known[0], known.join(", ")));
        return None;
    };
    let kind = Placed::<String>::read(node, table.reader)?;
    if known.contains(&kind.as_str()) {
        return Some(kind);
    }
    unknown_name(node, table.reader, &kind, known)
}

pub(crate) fn unknown_name<T>(node: &Node, reader: &Reader, name: &str, known: &[&str]) -> Option<T> {
    reader.mistake("E006", &node.at, format!("`{}` knows no \"{name}\"", node.path), suggestion(name, known))
}

/// The single entry of a table whose key names a kind.
pub(crate) fn only_key<'n>(node: &'n Node, reader: &Reader, known: &[&str]) -> Option<&'n Entry> {
    let Raw::Table(entries) = &node.value else {
        let help = format!("write {{ {} = ... }}; kinds: {}", known[0], known.join(", "));
        return reader.mistake("E003", &node.at, format!("`{}` must be a table, not {}", node.path, node.kind()), help);
    };
    if let Some(entry) = entries.iter().find(|entry| !known.contains(&entry.key.as_str())) {
        return reader.mistake(
            "E002",
            &entry.at,
            format!("`{}` knows no `{}`", node.path, entry.key),
            suggestion(&entry.key, known),
        );
    }
    match entries.as_slice() {
        [entry] => Some(entry),
        _ => reader.mistake(
            "E015",
            &node.at,
            format!("`{}` must have exactly one key, not {}", node.path, entries.len()),
            format!("choose one of: {}", known.join(", ")),
        ),
    }
}

/// The one key of a table that tells its kind. With a single kind there is no choice, and its reader says what is
/// missing.
pub(crate) fn leading_key<'k>(table: &Table, known: &[&'k str]) -> Option<&'k str> {
    let found: Vec<&str> = known.iter().copied().filter(|key| table.claim(key).is_some()).collect();
    match (known, found.as_slice()) {
        ([only], _) | (_, [only]) => Some(only),
        (_, []) => {
            let meant = table.keys().find_map(|entry| nearest(&entry.key, known.iter().copied()));
            if meant.is_none() {
                table.is_unclear();
            }
            table.lacks(meant.unwrap_or(known[0]), format!("one of these must be there: {}", known.join(", ")));
            None
        }
        (_, [one, other, ..]) => {
            table.is_unclear();
            let message = format!("`{}` has both `{one}` and `{other}`", table.node.path);
            table.reader.mistake("E015", table.at(), message, "keep one of them")
        }
    }
}

pub(crate) fn suggestion(wrong: &str, known: &[&str]) -> String {
    match nearest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"? known: {}", known.join(", ")),
        None => format!("known: {}", known.join(", ")),
    }
}
