//! Quantities: numbers (`drystone_files::input::quantity`) and vectors whose dimension is part of their type.

use serde_json::{Value as Json, json};

pub use drystone_files::input::quantity::*;

use super::value::wrong_type;
use super::{Node, Raw, Reader, Value};
use crate::dim::{Dim, Vector};

/// A vector whose components are quantities of one dimension; its length is checked against the scenario's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Components<D: Dim, const KG: i8, const M: i8, const S: i8>(pub D::Vec);

/// A position [m].
pub type Point<D> = Components<D, 0, 1, 0>;
/// A direction, not necessarily of unit length.
pub type Direction<D> = Components<D, 0, 0, 0>;
/// A velocity [m/s].
pub type Velocity<D> = Components<D, 0, 1, -1>;
/// A force on a body [N].
pub type ForceVector<D> = Components<D, 1, 1, -2>;
/// A torque on a body [N m].
pub type TorqueVector<D> = AxialVector<D, 1, 2, -2, 0>;
/// An impulse [N s].
pub type Impulse<D> = Components<D, 1, 1, -1>;
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

/// A vector of turning, in units of one dimension: a number in the plane, positive if counter-clockwise, and three
/// components in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxialVector<D: Dim, const KG: i8, const M: i8, const S: i8, const RAD: i8>(pub D::Spin);

impl<D: Dim, const KG: i8, const M: i8, const S: i8, const RAD: i8> Value for AxialVector<D, KG, M, S, RAD> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let is_list = matches!(node.value, Raw::Array(_));
        if D::DIMENSION == 2 && is_list {
            let message = format!("`{}` is one number in the plane: grains turn about z", node.path);
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        if D::DIMENSION == 2 {
            let number = Quantity::<KG, M, S, RAD>::read(node, reader)?;
            return Some(AxialVector(D::Spin::from_fn(|_| *number)));
        }
        if !is_list {
            return wrong_type(node, reader, "a list", &Self::example());
        }
        let part = |item| Quantity::<KG, M, S, RAD>::read_part(item, reader);
        let parts: Vec<_> = node.items().iter().map(part).collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        if parts.len() != D::Spin::LEN {
            let message = format!("`{}` has {} components instead of {}", node.path, parts.len(), D::Spin::LEN);
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        Some(AxialVector(D::Spin::from_fn(|axis| *parts[axis])))
    }
    fn write(&self) -> toml::Value {
        match D::Spin::LEN {
            1 => self.0.get(0).into(),
            parts => toml::Value::Array((0..parts).map(|axis| self.0.get(axis).into()).collect()),
        }
    }
    fn schema() -> Json {
        let number = Quantity::<KG, M, S, RAD>::schema();
        match D::Spin::LEN {
            1 => number,
            parts => json!({"type": "array", "items": number, "minItems": parts, "maxItems": parts}),
        }
    }
    fn example() -> String {
        let amount = match [KG, M, S, RAD] {
            [0, 0, -1, 1] => "\"10 rad/s\"",
            [1, 2, -2, 0] => "\"1 N m\"",
            _ => "1",
        };
        if D::DIMENSION == 2 { amount.into() } else { format!("[0, 0, {amount}]") }
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        (0..D::Spin::LEN).for_each(|axis| check(self.0.get(axis)));
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
