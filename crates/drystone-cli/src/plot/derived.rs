//! Columns that are computed from others: "stress_1 / stress_2", "sqrt(2 * kinetic_energy / 3 kg)".

use drystone::input::expression::{Expression, unknown};
use drystone::input::magnitude::{Exponents, Magnitude, Refusal};
use drystone::input::units;

use super::table::{Heading, Table};
use crate::Failure;

/// A column that is computed from others.
pub(super) struct Computed {
    pub heading: Heading,
    pub values: Vec<f64>,
}

/// The column that an expression over the columns of a table gives. Rows in which it has no value, as a division by zero,
/// have a gap.
pub(super) fn column(text: &str, table: &Table) -> Result<Computed, Failure> {
    let refuse = |(fault, at): (Refusal, std::ops::Range<usize>)| {
        let part = text.get(at).filter(|part| !part.is_empty() && *part != text && !fault.message.contains(part));
        let place = part.map_or(String::new(), |part| format!(", in `{part}`"));
        Failure::Usage(format!("`{text}`: {}{place}; {} [{}]", fault.message, fault.help, fault.code))
    };
    let known: Vec<&str> = table.columns.iter().map(|heading| heading.name.as_str()).collect();
    let expression = Expression::parse(text, &known).map_err(refuse)?;
    let mut used: Vec<(&str, usize, Magnitude)> = Vec::new();
    for name in expression.names() {
        let Some(place) = known.iter().position(|column| *column == name) else { continue };
        used.push((name, place, unit(&table.columns[place])?));
    }
    let mut unit = None;
    let mut values = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let value = |name: &str| match used.iter().find(|(column, ..)| *column == name) {
            Some((_, place, one)) => Ok(Magnitude { si: row.get(*place).map_or(f64::NAN, |x| x * one.si), ..*one }),
            None => Err(unknown(name, "column", &known)),
        };
        match expression.evaluate(&value) {
            Ok(magnitude) if unit.is_some_and(|unit| unit != magnitude.unit) => {
                let message = format!("`{text}`: its dimension changes from row to row; take a number as exponent");
                return Err(Failure::Usage(message));
            }
            Ok(magnitude) => {
                unit = Some(magnitude.unit);
                values.push(magnitude.si);
            }
            Err((fault, _)) if fault.is_of_numbers => values.push(f64::NAN),
            Err(fault) => return Err(refuse(fault)),
        }
    }
    let unit = match unit {
        None => return Err(Failure::Usage(format!("`{text}` has no value in any row of {}", table.source))),
        Some(None | Some(Exponents::PLAIN)) => String::new(),
        Some(Some(unit)) => unit.symbol(),
    };
    Ok(Computed { heading: Heading { name: text.to_string(), unit }, values })
}

/// One in the unit of a heading: 1 J of "kinetic_energy [J]".
fn unit(heading: &Heading) -> Result<Magnitude, Failure> {
    if heading.unit.is_empty() {
        return Ok(Magnitude::plain(1.0));
    }
    units::parse(&format!("1 {}", heading.unit))
        .map(Magnitude::from)
        .map_err(|why| Failure::Usage(format!("nothing can be computed from the column `{}`: {why}", heading.name)))
}

/// Parts of a text between commas, those in brackets apart: "a,atan2(b,c)" has two.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (place, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let header = "time [s],stress_1 [Pa],stress_2 [Pa],hole [deg],left-wall.x [m],g";
        Table::parse("series.csv", &format!("{header}\n0,6,0,90,1,2\n1,6,3,180,2,4\n"))
    }

    fn refused(text: &str) -> String {
        match column(text, &table()) {
            Err(Failure::Usage(message)) => message,
            _ => panic!("{text} is no mistake"),
        }
    }

    #[test]
    fn units_follow_from_those_of_the_columns() {
        let computed = |text: &str| {
            let Computed { heading, values } = column(text, &table()).unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(heading.name, text);
            (heading.unit, values)
        };
        assert_eq!(computed("left-wall.x / time").0, "m/s");
        assert_eq!(computed("stress_1 * (2 * left-wall.x)^2"), ("N".into(), vec![24.0, 96.0]));
        assert_eq!(computed("2 * g"), (String::new(), vec![4.0, 8.0]));
        assert_eq!(computed("hole / pi").1, [0.5, 1.0]);
        let (unit, values) = computed("stress_1 / stress_2");
        assert!(unit.is_empty() && values[0].is_nan() && values[1] == 2.0, "{values:?}");
    }

    #[test]
    fn mistakes_say_what_and_where() {
        assert!(
            refused("2 * (stress_1 + time)")
                .contains("no sum of a pressure (Pa) and a time (s), in `(stress_1 + time)`")
        );
        assert!(refused("stress_1 / stres_2").contains("did you mean `stress_2`?"));
        assert!(refused("stress_1 ^ g").contains("changes from row to row"));
        assert!(refused("stress_1 /").contains("ends too early"));
        assert!(refused("sqrt(-stress_1)").contains("no value in any row"));
    }

    #[test]
    fn commas_in_brackets_do_not_part() {
        assert_eq!(parts("a, b / c"), ["a", "b / c"]);
        assert_eq!(parts("max(a, b),atan2(c,(d))"), ["max(a, b)", "atan2(c,(d))"]);
        assert_eq!(parts("a"), ["a"]);
    }
}
