//! A column of a table.

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name in snake_case.
    pub name: String,
    /// SI unit; "1" for a plain number.
    pub unit: &'static str,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Column {
        Column { name: name.into(), unit }
    }

    /// Name and unit as a header has them: "kinetic_energy [J]".
    pub fn header(&self) -> String {
        if self.unit == "1" { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}
