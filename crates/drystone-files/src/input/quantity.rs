//! Quantities: numbers whose dimension is part of their type.

use std::ops::Deref;

use serde_json::{Value as Json, json};

use super::node::{Node, Raw};
use super::parameters::is_computed;
use super::reader::Reader;
use super::units;
use super::value::Value;

/// A number in SI units, whose dimension (exponents of kg, m, s, rad) is part of its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Quantity<const KG: i8, const M: i8, const S: i8, const RAD: i8>(pub f64);

/// A plain number.
pub type Number = Quantity<0, 0, 0, 0>;
/// A length [m].
pub type Length = Quantity<0, 1, 0, 0>;
/// A time [s].
pub type Time = Quantity<0, 0, 1, 0>;
/// An angle [rad].
pub type Angle = Quantity<0, 0, 0, 1>;
/// A density [kg/m3].
pub type Density = Quantity<1, -3, 0, 0>;
/// A frequency [1/s].
pub type Frequency = Quantity<0, 0, -1, 0>;
/// An angular velocity [rad/s].
pub type AngularVelocity = Quantity<0, 0, -1, 1>;
/// A mass [kg].
pub type Mass = Quantity<1, 0, 0, 0>;
/// An area [m2].
pub type Area = Quantity<0, 2, 0, 0>;
/// A force [N].
pub type Force = Quantity<1, 1, -2, 0>;
/// A pressure, or a modulus of elasticity [Pa].
pub type Pressure = Quantity<1, -1, -2, 0>;
/// A stiffness [N/m].
pub type Stiffness = Quantity<1, 0, -2, 0>;
/// Coefficient of a dashpot [N s/m].
pub type Damping = Quantity<1, 0, -1, 0>;
/// An energy [J].
pub type Energy = Quantity<1, 2, -2, 0>;
/// A velocity [m/s].
pub type Speed = Quantity<0, 1, -1, 0>;

impl<const KG: i8, const M: i8, const S: i8, const RAD: i8> Deref for Quantity<KG, M, S, RAD> {
    type Target = f64;
    fn deref(&self) -> &f64 {
        &self.0
    }
}

/// Largest number of a scenario, in SI units, and the inverse of the smallest. The longest products of mechanics have
/// six factors: a moment of inertia is a density times a length to the fifth, an energy a density times a volume times
/// a velocity squared. An f64 ends at 1e308, and the sixth power of this one does not reach it.
pub const LARGEST: f64 = 1e50;

impl<const KG: i8, const M: i8, const S: i8, const RAD: i8> Quantity<KG, M, S, RAD> {
    /// Reads a number that may be arbitrarily small beside others: a coordinate.
    pub fn read_part(node: &Node, reader: &Reader) -> Option<Self> {
        coordinate([KG, M, S, RAD], node, reader).map(Quantity)
    }
}

impl<const KG: i8, const M: i8, const S: i8, const RAD: i8> Value for Quantity<KG, M, S, RAD> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        number([KG, M, S, RAD], node, reader).map(Quantity)
    }
    fn write(&self) -> toml::Value {
        self.0.into()
    }
    fn schema() -> Json {
        schema([KG, M, S, RAD])
    }
    fn example() -> String {
        example([KG, M, S, RAD])
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        check(self.0);
    }
}

/// A dimension: exponents of kg, m, s, rad.
type Dimension = [i8; 4];

fn coordinate(wanted: Dimension, node: &Node, reader: &Reader) -> Option<f64> {
    let magnitude = node.magnitude(reader, &units::name(wanted), &example(wanted))?;
    let text = match &node.value {
        Raw::Text(text) | Raw::Number(text) => text.as_str(),
        _ => "",
    };
    if let Some(found) = magnitude.unit.filter(|found| found.whole() != Some(wanted)) {
        let message = format!("`{}` must be {}, but \"{text}\" is {}", node.path, units::name(wanted), found.name());
        let help = match (is_computed(text), found.whole()) {
            (true, Some(whole)) if whole[..3] == wanted[..3] => {
                "an angle is no plain number here: divide by 1 rad, or multiply by it".into()
            }
            (true, _) => format!("a factor in {} is missing", found.lacking(wanted.into())),
            (false, _) => format!("write {}", example(wanted)),
        };
        return reader.mistake("E004", &node.at, message, help);
    }
    let is_computable = magnitude.si.abs() <= LARGEST;
    if !is_computable {
        let message = format!("`{}` is too large to compute with: {text}", node.path);
        return reader.mistake("E007", &node.at, message, format!("numbers are at most {LARGEST:e} in SI units"));
    }
    Some(magnitude.si)
}

fn number(wanted: Dimension, node: &Node, reader: &Reader) -> Option<f64> {
    let read = coordinate(wanted, node, reader)?;
    if read != 0.0 && read.abs() < 1.0 / LARGEST {
        let message = format!("`{}` is too small to compute with: {read:e}", node.path);
        let help = format!("write zero, or a number of {:.0e} in SI units at least", 1.0 / LARGEST);
        return reader.mistake("E007", &node.at, message, help);
    }
    Some(read)
}

fn schema(dimension: Dimension) -> Json {
    match dimension {
        [0, 0, 0, 0] => json!({"type": ["number", "string"]}),
        other => json!({"type": ["number", "string"], "unit": units::symbol(other)}),
    }
}

fn example(dimension: Dimension) -> String {
    match dimension {
        [0, 0, 0, 0] => "0.5".into(),
        [0, 1, 0, 0] => "\"1 mm\"".into(),
        [0, 0, 1, 0] => "\"1 ms\"".into(),
        [0, 0, 0, 1] => "\"30 deg\"".into(),
        [1, -3, 0, 0] => "\"2650 kg/m3\"".into(),
        [0, 1, -1, 0] => "\"1 mm/s\"".into(),
        [0, 2, 0, 0] => "\"100 cm2\"".into(),
        [1, 0, 0, 0] => "\"1 kg\"".into(),
        [1, -1, -2, 0] => "\"100 kPa\"".into(),
        [0, 1, -2, 0] => "\"-9.81 m/s2\"".into(),
        other => format!("\"1 {}\"", units::symbol(other)),
    }
}
