//! Laws of soft grains: forces from overlaps, their rates and the memory of the contact.
//!
//! A law is a record of parameters, as a scenario writes it; a set of numbers computed from it once; and a pure
//! function of them, the pair of grains, and the contact. Families: [`normal`], [`attraction`], [`tangential`],
//! [`rolling`]. A law of any family is one file and one entry of its list. A program may add its own laws by
//! [`super::Laws::set_soft`].

pub(crate) mod attraction;
pub mod collision;
#[cfg(test)]
mod conformance;
pub(crate) mod damping;
mod ignored;
pub(crate) mod memory;
pub mod normal;
pub(crate) mod plain;
pub mod preset;
pub(crate) mod rolling;
pub(crate) mod tangential;

pub use attraction::Attraction;
pub use memory::{SoftMemory, Turning};
pub use normal::{NormalChoice, NormalForce, NormalLaw};
pub use plain::PlainLaw;
pub use preset::Preset;
pub use rolling::{Rolling, Torsion};
pub use tangential::{TangentialChoice, TangentialForce, TangentialLaw};

use std::sync::Arc;

use super::{Friction, Lever, Pair, PressedContact};
use crate::input::{Node, Reader};
use crate::list::record;
use normal::Losses;

/// The properties of a pair of grains that its laws use, or of four pairs in lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Couple<X = f64> {
    /// Reduced mass m* = m1 m2 / (m1 + m2) [kg]; the mass of the grain at a wall.
    pub mass: X,
    /// Reduced radius r* = r1 r2 / (r1 + r2) [m]; the radius of the grain at a flat wall.
    pub radius: X,
}

record! {
    /// Soft laws: what soft grains need in addition to the laws that all methods share.
    pub struct Soft {
        /// A measured pair of materials: its friction and restitution hold instead of those of the [[contact]].
        preset: Option<Preset>,
        /// Normal law.
        normal: NormalChoice,
        /// Tangential law; without it surfaces are smooth.
        tangential: Option<TangentialChoice>,
        /// Rolling law; if it is left out and the [[contact]] has `rolling`, the elastic-plastic one.
        rolling: Option<Rolling>,
        /// Torsion law; if it is left out and the [[contact]] has `torsion`, the elastic-plastic one.
        torsion: Option<Torsion>,
        /// Attraction; if it is left out and the [[contact]] has `cohesion`, the constant one.
        attraction: Option<Attraction>,
        /// How the springs of a contact turn with its normal.
        turning: Turning = Turning::Projection,
    }
}

/// All laws between two materials, with their numbers found.
#[derive(Clone, Debug)]
pub struct SoftLaw {
    /// Normal law.
    pub normal: NormalLaw,
    /// Tangential law.
    pub tangential: TangentialLaw,
    /// Rolling law and its limit over the normal force.
    pub rolling: Option<(Rolling, Lever)>,
    /// Torsion law and its limit over the normal force.
    pub torsion: Option<(Torsion, Lever)>,
    /// Attraction.
    pub attraction: Option<Attraction>,
    /// How memories follow the normal.
    pub turning: Turning,
    /// E* of a Hertz law, for attractions [Pa]; zero for others.
    pub modulus: f64,
}

/// Restitution below which the damping would grow without bound.
const LEAST_RESTITUTION: f64 = 1e-3;

impl Soft {
    /// A normal law and smooth surfaces.
    pub fn new(normal: NormalChoice) -> Soft {
        Soft {
            preset: None,
            normal,
            tangential: None,
            rolling: None,
            torsion: None,
            attraction: None,
            turning: Turning::Projection,
        }
    }

    /// With this tangential law.
    pub fn with_tangential(self, law: TangentialChoice) -> Soft {
        Soft { tangential: Some(law), ..self }
    }

    /// All laws with their numbers, for a pair of materials.
    pub fn law(&self, pair: &Pair) -> SoftLaw {
        let normal = self.normal.as_dyn().law(self.restitution(pair));
        let measured = self.preset.map(|preset| Friction::constant(preset.measured().friction.0));
        let friction = measured.as_ref().unwrap_or(&pair.friction);
        let tangential = self.tangential.as_ref().map(|law| law.law(friction, self.normal.as_dyn().poisson()));
        let or_spring = |lever: &Option<Lever>| lever.as_ref().map(|_| rolling::ElasticPlastic::default());
        let rolling = self.rolling.clone().or_else(|| or_spring(&pair.rolling).map(Rolling::ElasticPlastic));
        let torsion = self.torsion.clone().or_else(|| or_spring(&pair.torsion).map(Torsion::ElasticPlastic));
        let none = || Lever::Length(crate::input::quantity::Quantity(0.0));
        SoftLaw {
            modulus: normal.modulus(),
            normal,
            tangential: tangential.unwrap_or_else(|| TangentialLaw::new(tangential::Smooth)),
            rolling: rolling.map(|law| (law, pair.rolling.clone().unwrap_or_else(none))),
            torsion: torsion.map(|law| (law, pair.torsion.clone().unwrap_or_else(none))),
            attraction: self.attraction.clone().or_else(|| pair.cohesion.as_ref().and_then(constant)),
            turning: self.turning,
        }
    }

    /// Restitution for normal laws that state no damping: that of the preset, or of the pair.
    fn restitution(&self, pair: &Pair) -> f64 {
        let measured = self.preset.and_then(|preset| preset.measured().restitution);
        measured.map_or_else(|| pair.restitution.normal(0.0), |(e, _)| e)
    }

    /// Reports keys that contradict each other. `node` is the table of the laws, `pair` the other keys of the
    /// [[contact]].
    pub fn check(&self, pair: &Pair, node: &Node, reader: &Reader) {
        let at = &node.get("normal").unwrap_or(node).at;
        let restitution = match self.normal.as_dyn().losses() {
            Losses::Both => {
                let message = "`normal` has both damping and restitution: one follows from the other";
                reader.mistake::<()>("E015", at, message, "keep one of them");
                return;
            }
            Losses::Damping => 1.0,
            Losses::Restitution(e) => e,
            Losses::Neither => self.restitution(pair),
        };
        if restitution < LEAST_RESTITUTION {
            let message = "soft grains cannot collide without any rebound: that would take infinite damping";
            let help = "add restitution = 0.5 to `normal`, or its damping";
            reader.mistake::<()>("E019", at, message, help);
        }
        if let Some(law) = &self.tangential
            && law.as_dyn().needs_poisson()
            && self.normal.as_dyn().poisson().is_none()
        {
            let at = &node.get("tangential").unwrap_or(node).at;
            let message = format!("the law \"{}\" needs Poisson's ratio", law.kind());
            reader.mistake::<()>("E005", at, message, "add poisson = 0.3");
        }
        if let (Some(Attraction::Jkr(_)), false) = (&self.attraction, self.normal.as_dyn().is_hertz()) {
            let at = &node.get("attraction").unwrap_or(node).at;
            let message = "the attraction \"jkr\" belongs to Hertz contacts";
            reader.mistake::<()>("E015", at, message, "take a normal law of Hertz, or the attraction \"dmt\"");
        }
    }
}

/// The soft twin of cohesion with a range; cohesion without range has none.
fn constant(cohesion: &super::Cohesion) -> Option<Attraction> {
    match cohesion {
        super::Cohesion::Bond(bond) => {
            Some(Attraction::Constant(attraction::Constant { force: bond.force, reach: bond.reach.clone() }))
        }
        super::Cohesion::ZeroRange(_) => None,
    }
}

impl SoftLaw {
    /// A normal law alone: surfaces without friction, rolling resistance and attraction.
    pub fn smooth(normal: impl NormalForce + 'static) -> SoftLaw {
        SoftLaw {
            modulus: normal.modulus(),
            normal: Arc::new(normal),
            tangential: TangentialLaw::new(tangential::Smooth),
            rolling: None,
            torsion: None,
            attraction: None,
            turning: Turning::Projection,
        }
    }

    /// The same with a tangential law.
    pub fn with_tangential(self, tangential: TangentialLaw) -> SoftLaw {
        SoftLaw { tangential, ..self }
    }

    /// Whether contacts remember more than a tangential spring.
    pub fn remembers_more(&self) -> bool {
        self.normal.remembers()
            || self.tangential.remembers_more()
            || self.rolling.is_some()
            || self.torsion.is_some()
            || self.attraction.is_some()
            || self.turning == Turning::Rotation
    }

    /// Limit of the torque of a lever [N m].
    pub fn limit(lever: &Lever, couple: Couple, press: f64, depth: Option<f64>) -> f64 {
        lever.length(&PressedContact { reduced_radius: couple.radius, normal_force: press, depth }) * press
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const UNIT: Couple = Couple { mass: 1.0, radius: 1.0 };

    /// Rows of numbers of a file of reference values, without its header.
    pub(super) fn csv(name: &str) -> Vec<Vec<f64>> {
        let path = format!("{}/tests/data/soft/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let row = |line: &str| line.split(',').map(|cell| cell.trim().parse().unwrap_or(f64::NAN)).collect();
        text.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect()
    }
}
