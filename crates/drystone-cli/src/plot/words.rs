//! What axes and curves are called.

use super::table::Table;
use crate::Failure;

/// The label of an axis of some columns, which have one unit: `Kinetic energy (J)`, or `Energy (J)` for several.
pub(super) fn label(table: &Table, columns: impl Iterator<Item = usize>) -> Result<String, Failure> {
    let mut headings: Vec<_> = columns.map(|k| &table.columns[k]).collect();
    headings.dedup_by_key(|heading| heading.name.clone());
    let unit = &headings[0].unit;
    if let Some(other) = headings.iter().find(|heading| heading.unit != *unit) {
        let [one, other] = [headings[0], other].map(|heading| match heading.unit.as_str() {
            "" => format!("{} without a unit", heading.name),
            unit => format!("{} in {unit}", heading.name),
        });
        return Err(Failure::Usage(format!("one axis cannot show {one} and {other}: draw them in plots of their own")));
    }
    let shared = headings[0].name.split('_').find(|word| headings.iter().all(|other| other.has_word(word)));
    let words = match (headings.len(), shared, unit.as_str()) {
        (1, _, _) => headings[0].words(),
        (_, Some(word), _) => word.into(),
        (_, _, "J") => "energy".into(),
        (_, _, "N") => "force".into(),
        (_, _, "Pa") => "stress".into(),
        (_, _, "m") => "length".into(),
        (_, _, "m/s") => "velocity".into(),
        (_, _, "rad") => "angle".into(),
        (_, _, "rad/s") => "angular velocity".into(),
        (_, _, "kg m/s") => "momentum".into(),
        _ => headings.iter().map(|heading| heading.words()).collect::<Vec<_>>().join(", "),
    };
    let words = capitalised(&words);
    Ok(if unit.is_empty() { words } else { format!("{words} ({})", headings[0].written_unit()) })
}

/// With a capital letter; symbols such as x, vx and q stay small.
fn capitalised(words: &str) -> String {
    let is_symbol = words.split(' ').next().is_some_and(|word| word.chars().count() < 3);
    let mut letters = words.chars();
    match letters.next() {
        Some(first) if !is_symbol => first.to_uppercase().collect::<String>() + letters.as_str(),
        _ => words.to_string(),
    }
}

/// A time with as many digits as tell the times of a run apart: four of the last one's.
pub(super) fn seconds(time: f64, last: f64) -> String {
    let decimals = (3.0 - last.abs().max(1e-12).log10().floor()).clamp(0.0, 15.0) as usize;
    let text = format!("{time:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    #[test]
    fn axes_are_called_by_words() {
        let table = Table::parse("s.csv", "time [s],kinetic_energy [J],dissipated_energy [J],contacts\n0,1,2,3\n");
        assert_eq!(label(&table, [1].into_iter()).ok(), Some("Kinetic energy (J)".into()));
        assert_eq!(label(&table, [1, 2].into_iter()).ok(), Some("Energy (J)".into()));
        assert_eq!(label(&table, [3].into_iter()).ok(), Some("Contacts".into()));
        let table = Table::parse("s.csv", "y [m],v,contacts,sliding_contacts\n0,1,2,3\n");
        assert_eq!(label(&table, [0].into_iter()).ok(), Some("y (m)".into()));
        assert_eq!(label(&table, [2, 3].into_iter()).ok(), Some("Contacts".into()));
    }

    #[test]
    fn several_columns_are_called_by_the_word_they_share() {
        let table = Table::parse("s.csv", "a_vx [m/s],b_vx [m/s],speed [m/s]\n0,1,2\n");
        assert_eq!(label(&table, [0, 1].into_iter()).ok(), Some("vx (m/s)".into()));
        assert_eq!(label(&table, [0, 2].into_iter()).ok(), Some("Velocity (m/s)".into()));
    }

    #[test]
    fn an_axis_never_mixes_units() {
        let table = Table::parse("s.csv", "time [s],kinetic_energy [J],dissipated_energy [J],contacts\n0,1,2,3\n");
        assert!(refusal(label(&table, [1, 3].into_iter())).contains("kinetic_energy in J and contacts without a unit"));
    }

    #[test]
    fn times_are_told_apart_without_tails_of_digits() {
        assert_eq!([0.9220000000000007, 1.0, 0.05].map(|time| seconds(time, 1.0)), ["0.922", "1", "0.05"]);
        assert_eq!(seconds(1.5e-5, 2e-5), "0.000015");
    }
}
