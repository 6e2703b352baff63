//! Contact laws: the parameters of a pair of materials, and pure functions.
//!
//! A family of laws is a key of `[[contact]]` and a file; a kind of a family is a line in its list. [`rigid`] holds the
//! exact laws of one contact that Contact Dynamics solves, [`soft`] the forces of soft particles.

pub(crate) mod cohesion;
pub(crate) mod elastic;
pub(crate) mod friction;
pub(crate) mod lever;
pub(crate) mod restitution;
pub(crate) mod rigid;
pub mod soft;

pub use cohesion::Cohesion;
pub use elastic::Elasticity;
pub use friction::Friction;
pub use lever::{Lever, PressedContact};
pub use restitution::Restitution;
pub use rigid::{CoupledLaw, ExactLaw, SlidingRollingMobility, mobility, sliding_rolling};
pub(crate) use rigid::{LoadedContact, RoundContact, RoundImpulse, RoundLaw};
pub use soft::{Soft, SoftLaw};

use crate::dim::{D2, Dim};
use crate::input::quantity::Quantity;
use crate::input::value::{FROM_0_TO_1, NO_HALF_SPACE, NOT_NEGATIVE};
use crate::input::{Node, Reader};
use crate::list::record;

record! {
    /// Contact laws between two materials.
    pub struct Pair {
        /// Coefficient of friction: largest tangential over normal force.
        friction: Friction where NO_HALF_SPACE,
        /// Coefficient of restitution: fraction of the approach speed that comes back. A number is the normal one.
        restitution: Restitution where FROM_0_TO_1 = Restitution::NONE,
        /// Rolling friction: largest torque across the normal over the normal force.
        rolling: Option<Lever> where NOT_NEGATIVE,
        /// Torsion friction: largest torque about the normal over the normal force. Only in space.
        torsion: Option<Lever> where NOT_NEGATIVE,
        /// Tensile force that the contact bears.
        cohesion: Option<Cohesion>,
        /// What soft grains need in addition.
        md: Option<Soft>,
    }
}

impl Default for Pair {
    /// Neither friction nor bounce nor cohesion.
    fn default() -> Pair {
        Pair::with_friction(0.0)
    }
}

impl Pair {
    /// Friction with a constant coefficient and nothing else.
    pub fn with_friction(mu: f64) -> Pair {
        Pair {
            friction: Friction::constant(mu),
            restitution: Restitution::NONE,
            rolling: None,
            torsion: None,
            cohesion: None,
            md: None,
        }
    }

    /// With this normal restitution: the part of the approach speed that comes back.
    pub fn with_restitution(self, e: f64) -> Pair {
        Pair { restitution: Restitution::Constant(Quantity(e)), ..self }
    }

    /// With rolling friction: largest torque across the normal over the normal force [m].
    pub fn with_rolling(self, length: f64) -> Pair {
        Pair { rolling: Some(Lever::Length(Quantity(length))), ..self }
    }

    /// With the laws of soft grains.
    pub fn with_soft(self, soft: Soft) -> Pair {
        Pair { md: Some(soft), ..self }
    }

    /// Whether the surfaces neither bounce nor resist turning nor stick together.
    pub fn is_friction_only(&self) -> bool {
        self.restitution.is_none() && self.rolling.is_none() && self.torsion.is_none() && self.cohesion.is_none()
    }

    /// Reports values that contradict each other or the dimension. `node` is the table that the pair was read from.
    pub fn check<D: Dim>(&self, node: &Node, reader: &Reader) {
        if let Some(node) = node.get("friction") {
            self.friction.check(node, reader);
        }
        if let (Some(soft), Some(node)) = (&self.md, node.get("md")) {
            soft.check(self, node, reader);
        }
        if let (Some(node), D2::DIMENSION) = (node.get("torsion"), D::DIMENSION) {
            let message = "there is no torsion in the plane: disks turn about one axis, across every normal";
            reader.mistake::<()>("E015", &node.at, message, "leave `torsion` out, or write dimension = 3");
        }
    }
}

/// Kinds of a family: the key that chooses each, and what it is.
type Kinds = &'static [(&'static str, &'static str)];

/// The families of laws: the key of `[[contact]]`, what it is without a choice of kind, and its kinds.
pub const FAMILIES: &[(&str, &str, Kinds)] = &[
    ("friction", "A number: the largest tangential over normal force (Coulomb).", Friction::KINDS),
    ("restitution", "A number: the part of the normal approach speed that comes back.", Restitution::KINDS),
    ("restitution.normal", "A number, or one of these.", restitution::NormalRestitution::KINDS),
    ("rolling", "Largest torque across the normal over the normal force.", Lever::KINDS),
    ("torsion", "Largest torque about the normal over the normal force; only in space.", Lever::KINDS),
    ("cohesion", "Tensile force that the contact bears.", Cohesion::KINDS),
    ("md.normal", "Soft grains: force from overlap and its rate.", soft::NormalChoice::KINDS),
    ("md.tangential", "Soft grains: force from slip.", soft::TangentialChoice::KINDS),
    ("md.rolling", "Soft grains: torque from rolling.", soft::Rolling::KINDS),
    ("md.torsion", "Soft grains: torque from torsion.", soft::Torsion::KINDS),
    ("md.attraction", "Soft grains: pull between surfaces that touched.", soft::Attraction::KINDS),
    ("md.preset", "Measured friction and restitution.", soft::Preset::KINDS),
];

/// The laws of all pairs of materials.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    materials: usize,
    pairs: Vec<Pair>,
    /// Soft laws that the program has set, in the order of the pairs; empty if there are none.
    own: Vec<Option<SoftLaw>>,
}

impl Laws {
    /// A table for `materials` materials, filled by `pair`.
    pub fn new(materials: usize, pair: impl Fn(usize, usize) -> Pair) -> Laws {
        let pairs = (0..materials * materials).map(|k| pair(k / materials, k % materials)).collect();
        Laws { materials, pairs, own: Vec::new() }
    }

    /// The law between two materials.
    #[inline]
    pub fn between(&self, a: u16, b: u16) -> &Pair {
        &self.pairs[a as usize * self.materials + b as usize]
    }

    /// The soft law between two materials: the one set by the program, or that of their pair; none if they cannot meet.
    pub fn soft(&self, a: u16, b: u16) -> Option<SoftLaw> {
        let own = self.own.get(a as usize * self.materials + b as usize).cloned().flatten();
        let pair = self.between(a, b);
        own.or_else(|| pair.md.as_ref().map(|soft| soft.law(pair)))
    }

    /// Sets a soft law of the program between two materials, in both orders. It replaces the soft laws of their pair.
    /// The method "md" uses all of it; "dae" uses the normal law, and the friction of the pair. It does not change a
    /// time step that the scenario left to the program: that was chosen before, from the laws of the scenario.
    ///
    /// # Panics
    /// If there are no such materials.
    pub fn set_soft(&mut self, a: u16, b: u16, law: SoftLaw) {
        assert!(usize::from(a.max(b)) < self.materials, "materials {a} and {b} of {}", self.materials);
        self.own.resize(self.pairs.len(), None);
        for (one, other) in [(a, b), (b, a)] {
            self.own[one as usize * self.materials + other as usize] = Some(law.clone());
        }
    }

    /// Replaces the laws of all pairs of materials. Soft laws that the program has set are kept.
    pub fn set_pairs(&mut self, laws: Laws) {
        (self.materials, self.pairs) = (laws.materials, laws.pairs);
    }

    /// Number of materials.
    pub fn materials(&self) -> usize {
        self.materials
    }

    /// All pairs, those of the first material first.
    pub fn pairs(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter()
    }

    /// Longest range of cohesion [m].
    pub fn longest_range(&self) -> f64 {
        self.pairs.iter().filter_map(|pair| pair.cohesion.as_ref()).map(Cohesion::range).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::dim::D3;
    use crate::input::{Text, Value};

    /// Reads `law = text`; also returns the codes of its mistakes.
    fn try_read<T: Value>(text: &str) -> (Option<T>, Vec<&'static str>) {
        let text = Arc::new(Text { name: "test".into(), text: format!("law = {text}") });
        let (tree, mistakes) = Node::parse(&text);
        let reader = Reader::default();
        reader.add(mistakes);
        let value = T::read(tree.get("law").expect("the key is there"), &reader);
        (value, reader.finish().0.iter().map(|mistake| mistake.code).collect())
    }

    pub(in crate::law) fn read<T: Value>(text: &str) -> T {
        let (value, codes) = try_read(text);
        assert!(codes.is_empty(), "{text}: {codes:?}");
        value.expect("a value without mistakes is there")
    }

    /// Codes of the mistakes in a value that cannot be read.
    pub(super) fn mistakes<T: Value>(text: &str) -> Vec<&'static str> {
        try_read::<T>(text).1
    }

    #[test]
    fn a_pair_keeps_all_its_laws_when_written_and_read_again() {
        let text = "{ friction = { static = 0.5, dynamic = 0.3 }, restitution = { normal = 0.7, tangential = 0.1 }, \
                    rolling = { hysteresis = { loss = 0.1, modulus = \"1 GPa\" } }, torsion = { ratio = 0.02 }, \
                    cohesion = { force = \"1 N\", range = \"2 um\" } }";
        let pair = read::<Pair>(&read::<Pair>(text).write().to_string());
        let touch = PressedContact { reduced_radius: 0.5, normal_force: 1.0, depth: None };
        assert!(!pair.friction.is_constant() && pair.restitution.normal(1.0) == 0.7);
        assert!(pair.rolling.is_some_and(|rolling| rolling.depends_on_force()));
        assert_eq!(pair.torsion.map(|torsion| torsion.length(&touch)), Some(0.01));
        assert_eq!(pair.cohesion.map(|cohesion| cohesion.range()), Some(2e-6));
    }

    #[test]
    fn only_friction_must_be_written() {
        let pair = read::<Pair>("{ friction = 0.5 }");
        assert!(pair.restitution.is_none() && pair.rolling.is_none() && pair.torsion.is_none());
        assert_eq!(mistakes::<Pair>("{ restitution = 0.5 }"), ["E005"]);
        assert_eq!(mistakes::<Pair>("{ friction = -0.5, restitution = 2, rolling = { length = -1 } }"), ["E007"; 3]);
    }

    #[test]
    fn a_soft_law_of_the_programs_own_holds_in_both_orders_and_stays_when_pairs_change() {
        let hooke = |stiffness| soft::normal::hooke::HookeLaw { stiffness, damping: 0.0, ratio: 0.0, cut: true };
        let written = "{ friction = 0, md = { normal = { law = \"hooke\", stiffness = 1, damping = 0 } } }";
        let mut laws = Laws::new(2, |_, _| Pair::default());
        laws.set_soft(1, 0, SoftLaw::smooth(hooke(7.0)));
        let stiffness = |laws: &Laws, a, b| Some(laws.soft(a, b)?.normal.plain()?.spring);
        assert_eq!([(0, 1), (1, 0), (0, 0)].map(|(a, b)| stiffness(&laws, a, b)), [Some(7.0), Some(7.0), None]);
        laws.set_pairs(Laws::new(2, |_, _| read::<Pair>(written)));
        assert_eq!([(0, 1), (1, 0), (0, 0)].map(|(a, b)| stiffness(&laws, a, b)), [Some(7.0), Some(7.0), Some(1.0)]);
    }

    #[test]
    fn torsion_needs_space() {
        let text = Arc::new(Text { name: "test".into(), text: "friction = 0\ntorsion = { length = 1 }".into() });
        let (tree, _) = Node::parse(&text);
        let codes = |check: fn(&Pair, &Node, &Reader)| {
            let reader = Reader::default();
            check(&Pair::default(), &tree, &reader);
            reader.finish().0.iter().map(|mistake| mistake.code).collect::<Vec<_>>()
        };
        assert_eq!((codes(Pair::check::<D2>), codes(Pair::check::<D3>)), (vec!["E015"], vec![]));
    }
}
