//! Quantities: numbers and vectors whose dimension is part of their type.

use std::ops::Deref;

use serde_json::{Value as Json, json};

use super::node::{Node, Raw};
use super::reader::Reader;
use super::units;
use super::value::{Value, wrong_type};
use crate::dim::{Dim, Vector};

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
/// a velocity squared. A computer's number ends at 1e308, and the sixth power of this one does not reach it.
pub const LARGEST: f64 = 1e50;

impl<const KG: i8, const M: i8, const S: i8, const RAD: i8> Quantity<KG, M, S, RAD> {
    /// Reads a number that may be as small as it likes beside others: a coordinate.
    fn read_part(node: &Node, reader: &Reader) -> Option<Self> {
        let wanted = [KG, M, S, RAD];
        let text = match &node.value {
            Raw::Text(text) | Raw::Number(text) => text.replace('_', ""),
            _ => return wrong_type(node, reader, &units::name(wanted), &Self::example()),
        };
        let measured = match units::parse(&text) {
            Ok(measured) => measured,
            Err(why) => {
                return reader.mistake(
                    "E004",
                    &node.at,
                    format!("`{}`: {why}", node.path),
                    format!("write {}", Self::example()),
                );
            }
        };
        if let Some(found) = measured.dimension.filter(|found| *found != wanted) {
            let message =
                format!("`{}` must be {}, but \"{text}\" is {}", node.path, units::name(wanted), units::name(found));
            return reader.mistake("E004", &node.at, message, format!("write {}", Self::example()));
        }
        let is_computable = measured.si.abs() <= LARGEST;
        if !is_computable {
            let message = format!("`{}` is too large to compute with: {text}", node.path);
            return reader.mistake("E007", &node.at, message, format!("numbers end at {LARGEST:e} in SI units"));
        }
        Some(Quantity(measured.si))
    }
}

impl<const KG: i8, const M: i8, const S: i8, const RAD: i8> Value for Quantity<KG, M, S, RAD> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let read = Self::read_part(node, reader)?;
        if read.0 != 0.0 && read.0.abs() < 1.0 / LARGEST {
            let message = format!("`{}` is too small to compute with: {:e}", node.path, read.0);
            let help = format!("write zero, or a number of {:.0e} in SI units at least", 1.0 / LARGEST);
            return reader.mistake("E007", &node.at, message, help);
        }
        Some(read)
    }
    fn write(&self) -> toml::Value {
        self.0.into()
    }
    fn schema() -> Json {
        let wanted = [KG, M, S, RAD];
        if wanted == [0; 4] {
            return json!({"type": ["number", "string"]});
        }
        json!({"type": ["number", "string"], "unit": units::symbol(wanted)})
    }
    fn example() -> String {
        match [KG, M, S, RAD] {
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
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        check(self.0);
    }
}

/// A vector whose components are quantities of one dimension; its length is checked against the scenario's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Components<D: Dim, const KG: i8, const M: i8, const S: i8>(pub D::Vec);

/// A position [m].
pub type Point<D> = Components<D, 0, 1, 0>;
/// A direction, not necessarily of unit length.
pub type Direction<D> = Components<D, 0, 0, 0>;
/// A velocity [m/s].
pub type Velocity<D> = Components<D, 0, 1, -1>;
/// An acceleration [m/s2].
pub type Acceleration<D> = Components<D, 0, 1, -2>;

impl<D: Dim, const KG: i8, const M: i8, const S: i8> Value for Components<D, KG, M, S> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        if !matches!(node.value, Raw::Array(_)) {
            return wrong_type(node, reader, "a list", &Self::example());
        }
        let parts: Vec<_> = node.items().iter().map(|item| Quantity::<KG, M, S, 0>::read_part(item, reader)).collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        if parts.len() != D::DIMENSION {
            let message = format!(
                "`{}` has {} components, but the scenario has dimension = {}",
                node.path,
                parts.len(),
                D::DIMENSION
            );
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        Some(Components(D::Vec::from_fn(|axis| *parts[axis])))
    }
    fn write(&self) -> toml::Value {
        toml::Value::Array((0..D::DIMENSION).map(|axis| self.0.get(axis).into()).collect())
    }
    fn schema() -> Json {
        json!({"type": "array", "items": Quantity::<KG, M, S, 0>::schema(), "minItems": D::DIMENSION, "maxItems": D::DIMENSION})
    }
    fn example() -> String {
        let mut parts = vec![Quantity::<KG, M, S, 0>::example(); D::DIMENSION];
        if (KG, M, S) == (0, 1, -2) {
            parts[..D::DIMENSION - 1].fill("0".into()); // gravity points down
        }
        format!("[{}]", parts.join(", "))
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        (0..D::DIMENSION).for_each(|axis| check(self.0.get(axis)));
    }
}

/// A direction, kept with unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitVector<D: Dim>(pub D::Vec);

impl<D: Dim> Value for UnitVector<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let Components(direction) = Direction::<D>::read(node, reader)?;
        let norm = direction.norm();
        if norm == 0.0 {
            return reader.mistake(
                "E007",
                &node.at,
                format!("`{}` has no length", node.path),
                "write a direction such as [0, 1] or [0, 0, 1]",
            );
        }
        Some(UnitVector(direction * (1.0 / norm)))
    }
    fn write(&self) -> toml::Value {
        Components::<D, 0, 0, 0>(self.0).write()
    }
    fn schema() -> Json {
        Direction::<D>::schema()
    }
    fn example() -> String {
        if D::DIMENSION == 2 { "[0, 1]".into() } else { "[0, 0, 1]".into() }
    }
}
