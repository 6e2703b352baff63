//! The certificate knows every word that a scenario can say, or names it as not judged: its lists are compared with
//! the schema of scenarios, which follows from the declarations of laws, walls, drives and shapes. A new kind fails
//! here until it is taught or named.

use std::collections::BTreeSet;

use drystone::dim::{D2, D3};
use drystone::drive::Drive;
use drystone::law::FAMILIES;
use drystone::method::{Kind, cd::Ladder};
use drystone::scenario::schema::grains::GrainShape;
use drystone::scenario::schema::links::ConstraintKind;
use drystone::scenario::schema::reference;
use drystone::wall::Surface;
use drystone_certify::kinds::{VOCABULARY, Words};
use serde_json::Value as Json;

use super::{certified, run_text};

/// Properties of a schema, by their keys.
fn properties(schema: &Json) -> impl Iterator<Item = (&str, &Json)> {
    schema["properties"].as_object().into_iter().flatten().map(|(key, schema)| (key.as_str(), schema))
}

/// Alternatives of a schema.
fn alternatives(schema: &Json) -> impl Iterator<Item = &Json> {
    schema["oneOf"].as_array().into_iter().flatten()
}

/// The name by which an alternative is chosen, if it is by a name.
fn tag(alternative: &Json) -> Option<&str> {
    properties(alternative).find_map(|(_, schema)| schema["const"].as_str())
}

/// Schemas one step further: a key, of any alternative, or the alternative of a name. Lists are looked through.
fn step<'s>(schema: &'s Json, word: &str) -> Vec<&'s Json> {
    let schema = if schema["items"].is_object() { &schema["items"] } else { schema };
    let own = properties(schema).filter(|(key, _)| *key == word).map(|(_, schema)| schema);
    let named = alternatives(schema).filter(|one| tag(one) == Some(word));
    let inner = alternatives(schema).flat_map(|one| step(one, word));
    own.chain(named).chain(inner).collect()
}

/// Words that a schema allows: names to choose from, and keys; those of alternatives with a name count under that name.
fn words(schema: &Json) -> BTreeSet<String> {
    let schema = if schema["items"].is_object() { &schema["items"] } else { schema };
    let name = schema["const"].as_str().map(String::from);
    let keys = properties(schema).map(|(key, _)| key.to_string());
    let others = alternatives(schema).filter(|one| tag(one).is_none()).flat_map(words);
    name.into_iter().chain(keys).chain(others).collect()
}

/// Words of the schema of scenarios in one of the dimensions at a place.
fn words_at(root: &Json, place: &str) -> BTreeSet<String> {
    let mut schemas = vec![root];
    for key in place.split('.').filter(|key| !key.is_empty()) {
        schemas = schemas.into_iter().flat_map(|schema| step(schema, key)).collect();
    }
    schemas.into_iter().flat_map(words).collect()
}

/// Schemas of both dimensions.
fn roots() -> [Json; 2] {
    let schema = reference::schema();
    ["then", "else"].map(|key| schema[key].clone())
}

/// What is wrong with a list of words, compared with the schema.
fn faults(words: &Words, roots: &[Json]) -> Vec<String> {
    let known: BTreeSet<String> = words.all().map(String::from).collect();
    let found: BTreeSet<String> = roots.iter().flat_map(|root| words_at(root, words.place)).collect();
    let place = words.place;
    let missing = found.difference(&known).map(|word| format!("`{word}` in `{place}` is neither judged nor named"));
    let stale = known.difference(&found).map(|word| format!("there is no `{word}` in `{place}`"));
    missing.chain(stale).collect()
}

#[test]
fn every_word_of_a_scenario_is_judged_or_named() {
    let roots = roots();
    let wrong: Vec<String> = VOCABULARY.iter().flat_map(|words| faults(words, &roots)).collect();
    assert!(wrong.is_empty(), "teach drystone-certify, or name in its kinds.rs what it does not judge: {wrong:#?}");
    let half = Words { place: "wall.kind", judged: "plane box torus", not_judged: &[("line", "thin")] };
    let found = faults(&half, &roots);
    assert_eq!(found.len(), 5, "a kind that is missing or stale is noticed: {found:#?}");
}

/// The same for the lists themselves, should one not be in the schema.
#[test]
fn every_kind_of_every_list_is_judged_or_named() {
    let knows = |place: &str, word: &str| VOCABULARY.iter().any(|words| words.place == place && words.has(word));
    let mut lists = vec![
        ("wall.kind", Surface::<D2>::KINDS),
        ("wall.kind", Surface::<D3>::KINDS),
        ("wall.drive", Drive::<D2>::KINDS),
        ("wall.drive", drystone::drive::Stillness::KINDS),
        ("grains.shape.kind", GrainShape::KINDS),
        ("constraint.kind", ConstraintKind::<D2>::KINDS),
        ("method.use", Kind::KINDS),
        ("method.cd.accuracy", Ladder::KINDS),
    ];
    let families: Vec<(String, _)> =
        FAMILIES.iter().map(|(family, _, kinds)| (format!("contact.{family}"), *kinds)).collect();
    // laws of soft grains are not judged, all of them
    let rigid = families.iter().filter(|(family, _)| !family.starts_with("contact.md."));
    lists.extend(rigid.map(|(family, kinds)| (family.as_str(), *kinds)));
    assert!(knows("contact", "md"));
    for (place, kinds) in lists {
        for (kind, about) in kinds {
            assert!(knows(place, kind), "`{kind}` in `{place}`: {about}");
        }
    }
}

/// A run whose scenario says something that the certificate does not know: it is named, and nothing that it may change
/// is judged.
#[test]
fn a_strange_word_is_named_and_what_depends_on_it_is_not_judged() {
    let folder = run_text("strange", super::PISTON, &["stop.at=0.01"]);
    let whole = std::fs::read_to_string(folder.scenario()).unwrap();
    for (from, to, named) in [
        ("seed = 3", "seed = 3\nwind = 2.0", "scenarios with `wind`"),
        ("kind = \"disk\"", "kind = \"ellipse\"", "scenarios with `ellipse` in `grains.shape.kind`"),
        ("kind = \"plane\"", "kind = \"torus\"", "walls of the kind `torus`"),
        ("[wall.drive.pressure]", "[wall.drive.suction]", "drives of the kind `suction`"),
        ("friction = 0.4", "friction = 0.4\nglue = 1.0", "laws with `glue`"),
    ] {
        assert!(whole.contains(from), "{from} in {whole}");
        std::fs::write(folder.scenario(), whole.replacen(from, to, 1)).unwrap();
        let certificate = certified(&folder);
        let left_out: Vec<&String> = certificate.sheets.iter().flat_map(|sheet| &sheet.left_out).collect();
        assert!(left_out.iter().any(|why| *why == named), "{named}: {left_out:#?}");
        assert!(certificate.holds_by_mechanics(), "{named}: {:?}", super::broken(&certificate));
    }
}
