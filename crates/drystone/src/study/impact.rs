//! Impact maps: the slip after an oblique collision over the slip before it, both over the approach velocity.
//! [Foerster94], [Wassgren09]

use std::sync::Arc;

use crate::dim::Dim;
use crate::input::{Mistakes, Node, Reader, Text, Value};
use crate::law::Pair;
use crate::law::soft::collision::oblique;
use crate::law::soft::preset::Measured;
use crate::law::soft::{Couple, SoftLaw};
use crate::shape::Round;

/// Parameters of tangential laws beside friction, in units of the normal law: k_N = m* = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// Tangential over normal stiffness of springs.
    pub ratio: f64,
    /// Coefficient of dashpots over sqrt(k_N m*).
    pub damping: f64,
    /// Poisson's ratio, for Mindlin's spring.
    pub poisson: f64,
}

/// Friction and restitution of the surfaces that meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surfaces {
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Normal restitution.
    pub restitution: f64,
}

impl Surfaces {
    /// The surfaces of a measured material, if its restitution is known.
    pub fn of(measured: &Measured) -> Option<Surfaces> {
        let (restitution, _) = measured.restitution?;
        Some(Surfaces { friction: measured.friction.0, restitution })
    }

    /// Loss of slip under gross sliding: psi_1 - psi_2 = mu (1 + e) m* / m_t, where m* / m_t is 7/2 for solid spheres
    /// and 3 for solid disks.
    pub fn braking<D: Dim>(&self) -> f64 {
        self.friction * (1.0 + self.restitution) / tangential_mass::<D>()
    }

    /// The law of this name with a linear normal spring; Mindlin's law with that of Hertz.
    pub fn law(&self, name: &str, numbers: &Numbers) -> Result<SoftLaw, Mistakes> {
        let (Surfaces { friction, restitution }, Numbers { ratio, damping, poisson }) = (self, numbers);
        let normal = match name {
            "mindlin" => format!("law = \"hertz_tsuji\", young = 1.0, poisson = {poisson:?}"),
            _ => "law = \"hooke\", stiffness = 1.0".into(),
        };
        let own = match name {
            "viscous" | "viscous_coulomb" => format!(", damping = {damping:?}"),
            "cundall_strack" | "walton_braun" => format!(", stiffness_ratio = {ratio:?}"),
            _ => String::new(),
        };
        let text = format!(
            "pair = {{ friction = {friction:?}, restitution = {restitution:?}, \
             md = {{ normal = {{ {normal} }}, tangential = {{ law = \"{name}\"{own} }} }} }}"
        );
        let text = Arc::new(Text { name: "impact".into(), text });
        let reader = Reader::default();
        let pair = Node::parse(&text).0.get("pair").and_then(|node| Pair::read(node, &reader));
        let mistakes = reader.finish();
        match pair.as_ref().and_then(|pair| Some((pair, pair.md.as_ref()?))) {
            Some((pair, soft)) if mistakes.0.is_empty() => Ok(soft.law(pair)),
            _ => Err(mistakes),
        }
    }
}

/// Reduced mass of the slip over m*: 1 / (1 + r^2 m / I), for solid round grains of any sizes.
pub fn tangential_mass<D: Dim>() -> f64 {
    let moment = Round { radius: 1.0 }.moment::<D>(1.0);
    moment / (1.0 + moment)
}

/// Slip after a collision for every slip before it, both over the approach velocity: psi_2 of psi_1.
pub fn map<D: Dim>(law: &SoftLaw, before: &[f64]) -> Vec<f64> {
    let couple = Couple { mass: 1.0, radius: 1.0 };
    before.iter().map(|slip| oblique::<D>(law, couple, tangential_mass::<D>(), [1.0, *slip]).slip).collect()
}

/// The two lines of measured e, mu and beta_0: psi_2 = -beta_0 psi_1 for sticking, and psi_2 = psi_1 - mu (1 + e) m* /
/// m_t for gross sliding; the larger of the two. [Foerster94]
pub fn measured<D: Dim>(material: &Measured, before: f64) -> Option<f64> {
    let sliding = before - Surfaces::of(material)?.braking::<D>();
    let (stuck, _) = material.tangential?;
    Some(sliding.max(-stuck * before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::law::soft::{Preset, TangentialChoice};

    const NUMBERS: Numbers = Numbers { ratio: 2.0 / 7.0, damping: 0.2, poisson: 0.3 };

    #[test]
    fn all_laws_with_friction_slide_alike_at_grazing_impact() {
        for (name, _) in TangentialChoice::KINDS.iter().filter(|(name, _)| *name != "viscous") {
            let restitution = 0.87;
            let surfaces = Surfaces { friction: 0.25, restitution };
            let law = surfaces.law(name, &NUMBERS).unwrap_or_else(|mistakes| panic!("{name}: {mistakes}"));
            // 7/2 and 3 times mu (1 + e); springs lack part of the force in their first steps
            for (times, found) in [(3.5, map::<D3>(&law, &[8.0])), (3.0, map::<D2>(&law, &[8.0]))] {
                let lost = times * 0.25 * (1.0 + restitution);
                assert!((8.0 - found[0] - lost).abs() < 5e-3, "{name}: {found:?}");
            }
        }
    }

    #[test]
    fn foersters_materials_turn_where_the_two_lines_meet() {
        for (preset, turn, at_two) in
            [(Preset::SodaLimeGlass, 0.4405, 1.3657), (Preset::CelluloseAcetate, 1.1442, 0.3638)]
        {
            let material = preset.measured();
            let of = |before| measured::<D3>(&material, before).unwrap();
            assert!((of(2.0) - at_two).abs() < 1e-4, "{}", of(2.0));
            assert!(of(0.99 * turn) > of(turn) && of(1.01 * turn) > of(turn));
        }
        assert_eq!(measured::<D3>(&Preset::Nylon.measured(), 1.0), None);
    }

    #[test]
    fn numbers_out_of_range_are_mistakes() {
        let surfaces = Surfaces { friction: 0.25, restitution: 0.87 };
        assert!(surfaces.law("mindlin", &Numbers { poisson: 0.7, ..NUMBERS }).is_err());
        assert!(surfaces.law("cundall_strack", &Numbers { ratio: -1.0, ..NUMBERS }).is_err());
        assert!(surfaces.law("glue", &NUMBERS).is_err());
    }
}
