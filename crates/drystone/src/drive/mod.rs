//! How a wall is moved: not at all, with a velocity or an acceleration, or by a force or pressure if it has a mass.

pub(crate) mod load;
pub(crate) mod membrane;
pub(crate) mod membrane_2d;
pub(crate) mod signal;
pub(crate) mod table;
pub(crate) mod tilt;

pub use load::GrainLoad;
pub use membrane::Sleeve;
pub use membrane_2d::Membrane2d;
pub use signal::{Amount, Signal, Sine};
pub use table::RecordEnds;
pub use tilt::Tilt;

use crate::dim::{D2, Dim, Vector};
use crate::input::quantity::{self, Acceleration, AngularVelocity, Velocity};
use crate::input::value::POSITIVE;
use crate::input::{Flat, Node, Placed, Raw, Reader, Value};
use crate::list::{list, record};

list! {
    /// A wall that is not moved.
    pub enum Stillness by name {
        /// The wall keeps its place.
        "fixed" => Fixed,
        /// The wall keeps its place and lets everything through: a gate, once it is open.
        "open" => Open,
    }
}

list! {
    /// How a wall is moved.
    pub enum Drive<D> by key or Still(Stillness) {
        /// The wall moves with this velocity, whatever pushes against it.
        "velocity" => Velocity(Signal<Velocity<D>>),
        /// The wall starts at rest and moves with this acceleration: the ground of an earthquake.
        "acceleration" => Acceleration(Signal<Acceleration<D>>),
        /// A cylinder, revolution or mesh turns about its axis, counter-clockwise as seen against its direction; a
        /// circle turns counter-clockwise: a drum.
        "spin" => Spin(Signal<AngularVelocity>),
        /// A force along the normal of a plane that has a mass; positive presses towards its free side.
        "force" => Force(Signal<quantity::Force>),
        /// A pressure on a plane that has a mass; positive presses towards its free side.
        "pressure" => Pressure(Press<D>),
        /// A cylinder (3D) or a plane (2D) gives way to a membrane with this pressure on the outer grains, between two
        /// plates: a triaxial or biaxial test.
        "membrane" => Membrane(Signal<quantity::Pressure>),
    }
}

record! {
    /// A pressure and what it acts on.
    pub struct Press<D> {
        /// The pressure.
        value: Signal<quantity::Pressure>,
        /// Velocity of the plane along itself, while the pressure moves it along its normal: a plate that shears.
        slide: Option<Velocity<D>>,
        /// The area.
        extent: Flat<PressedArea<D>>,
    }
}

list! {
    /// The area that a pressure acts on.
    pub enum PressedArea<D> by leading key {
        /// An area that stays the same.
        "area" => Area(GivenArea),
        /// The area between walls that face each other, with their current distance.
        "between" => Between(Between<D>),
    }
}

record! {
    /// An area that stays the same.
    pub struct GivenArea {
        /// Area that the pressure acts on.
        area: quantity::Area where POSITIVE,
    }
}

record! {
    /// The area between walls.
    pub struct Between<D> {
        /// The area lies between these planes: in 2D a pair, ["left", "right"] (its distance times `depth`); in 3D two
        /// pairs.
        between: Sides<D>,
    }
}

/// Names of walls that face each other: one pair in the plane, two in space.
#[derive(Clone, Debug)]
pub struct Sides<D: Dim>(pub Vec<[Placed<String>; 2]>, std::marker::PhantomData<D>);

impl<D: Dim> Value for Sides<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let is_nested = node.items().iter().any(|item| matches!(item.value, Raw::Array(_)));
        if matches!(node.value, Raw::Array(_)) && is_nested != (D::DIMENSION > D2::DIMENSION) {
            let wanted = if is_nested { "one pair of walls in the plane" } else { "two pairs of walls in space" };
            let message = format!("`{}` takes {wanted}", node.path);
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        let pairs = match D::DIMENSION {
            D2::DIMENSION => vec![<[Placed<String>; 2]>::read(node, reader)?],
            _ => <[[Placed<String>; 2]; 2]>::read(node, reader)?.into(),
        };
        Some(Sides(pairs, std::marker::PhantomData))
    }
    fn write(&self) -> toml::Value {
        match self.0.as_slice() {
            [pair] => pair.write(),
            _ => self.0.write(),
        }
    }
    fn schema() -> serde_json::Value {
        match D::DIMENSION {
            D2::DIMENSION => <[Placed<String>; 2]>::schema(),
            _ => <[[Placed<String>; 2]; 2]>::schema(),
        }
    }
    fn example() -> String {
        match D::DIMENSION {
            D2::DIMENSION => "[\"left\", \"right\"]".into(),
            _ => "[[\"left\", \"right\"], [\"front\", \"back\"]]".into(),
        }
    }
}

impl<D: Dim> Drive<D> {
    /// A wall that stays where it is.
    pub const FIXED: Drive<D> = Drive::Still(Stillness::Fixed);

    /// Mean velocity between two times, so that the wall's path is the exact integral of its signal; `None` if forces
    /// decide.
    pub fn mean_velocity(&self, from: f64, to: f64) -> Option<D::Vec> {
        match self {
            Drive::Still(_) | Drive::Spin(_) | Drive::Membrane(_) => Some(D::Vec::ZERO),
            Drive::Velocity(signal) => Some(signal.mean(from, to)),
            Drive::Acceleration(signal) => Some(signal.mean_integral(from, to)),
            Drive::Force(_) | Drive::Pressure(_) => None,
        }
    }

    /// Mean angular velocity about the axis of the wall between two times [rad/s].
    pub fn mean_spin(&self, from: f64, to: f64) -> f64 {
        match self {
            Drive::Spin(signal) => signal.mean(from, to),
            _ => 0.0,
        }
    }

    /// Whether grains pass the wall as if it were not there.
    pub fn is_open(&self) -> bool {
        matches!(self, Drive::Still(Stillness::Open) | Drive::Membrane(_))
    }

    /// What a record of an acceleration does to the wall, if the drive is such a record.
    pub fn record(&self) -> Option<RecordEnds> {
        match self {
            Drive::Acceleration(Signal::Table(rows)) => rows.ends(),
            _ => None,
        }
    }

    /// Greatest speed that the drive itself sets [m/s]; forces and accelerations set none.
    pub fn fastest(&self) -> f64 {
        match self {
            Drive::Velocity(signal) => signal.largest(),
            _ => 0.0,
        }
    }
}
