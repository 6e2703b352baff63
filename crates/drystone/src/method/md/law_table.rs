//! Table of the soft laws of a world, for the force loop.

use crate::dim::Dim;
use crate::law::soft::{Couple, PlainLaw, SoftLaw};
use crate::world::World;

/// Laws of all pairs of materials.
#[derive(Debug, Default)]
pub struct LawTable {
    /// The laws, a table over materials.
    pub laws: Vec<SoftLaw>,
    /// The plain forms of the same laws, where they have one.
    pub plain: Vec<Option<PlainLaw>>,
    /// Number of materials.
    materials: usize,
    /// Whether a law remembers more than a spring.
    pub keeps_whole_memories: bool,
    /// Longest range of attraction [m].
    pub range: f64,
}

impl LawTable {
    /// The laws of a world. Pairs of materials that cannot touch have no law and need none.
    pub fn of<D: Dim>(world: &World<D>) -> LawTable {
        let materials = world.setup.laws.materials();
        let law = |k: usize| world.setup.laws.soft((k / materials) as u16, (k % materials) as u16);
        let given: Vec<Option<SoftLaw>> = (0..materials * materials).map(law).collect();
        let spare = given.iter().flatten().next().expect("a checked scenario has a soft law").clone();
        let laws: Vec<SoftLaw> = given.into_iter().map(|law| law.unwrap_or_else(|| spare.clone())).collect();
        let keeps_whole_memories = laws.iter().any(SoftLaw::remembers_more);
        let plain = laws.iter().map(PlainLaw::of).collect();
        let mut law_table = LawTable { laws, plain, materials, keeps_whole_memories, range: 0.0 };
        law_table.find_range(world);
        law_table
    }

    /// Finds the longest range of attraction for the present sizes of grains.
    pub fn find_range<D: Dim>(&mut self, world: &World<D>) {
        let radius = world.grains().map(|k| world.bodies.shape[k].radius()).fold(0.0, f64::max);
        let reach = |law: &SoftLaw| {
            let couple = Couple { mass: 1.0, radius };
            law.attraction.as_ref().map_or(0.0, |attraction| attraction.range(couple, law.modulus))
        };
        self.range = self.laws.iter().map(reach).fold(0.0, f64::max);
    }

    /// Whether a law has a plain form.
    pub fn has_plain_law(&self) -> bool {
        self.plain.iter().any(Option::is_some)
    }

    /// Whether all laws have a plain form.
    pub fn has_plain_laws_only(&self) -> bool {
        self.plain.iter().all(Option::is_some)
    }

    /// Whether there is one law for all.
    #[inline(always)]
    pub fn has_one_law(&self) -> bool {
        self.laws.len() == 1
    }

    /// Number of the law between two materials.
    #[inline(always)]
    pub fn between(&self, [a, b]: [u16; 2]) -> usize {
        usize::from(a) * self.materials + usize::from(b)
    }
}
