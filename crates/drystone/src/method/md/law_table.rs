//! Table of the soft laws of a world, for the force loop.

use crate::dim::Dim;
use crate::law::soft::{Couple, PlainLaw, SoftLaw};
use crate::world::World;

/// Laws of all pairs of materials.
#[derive(Debug, Default)]
pub struct LawTable {
    /// The laws, a table over materials.
    pub laws: Vec<SoftLaw>,
    /// The same in their plain forms, if all have one; empty otherwise.
    pub plain: Vec<PlainLaw>,
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
        let law = |k: usize| world.setup.laws.between((k / materials) as u16, (k % materials) as u16);
        let spare = world.setup.laws.pairs().find_map(|pair| pair.md.as_ref().map(|soft| soft.law(pair)));
        let spare = spare.expect("a checked scenario has a soft law");
        let laws: Vec<SoftLaw> = (0..materials * materials)
            .map(|k| law(k).md.as_ref().map_or_else(|| spare.clone(), |soft| soft.law(law(k))))
            .collect();
        let keeps_whole_memories = laws.iter().any(SoftLaw::remembers_more);
        let plain: Option<Vec<PlainLaw>> = laws.iter().map(PlainLaw::of).collect();
        let mut law_table =
            LawTable { laws, plain: plain.unwrap_or_default(), materials, keeps_whole_memories, range: 0.0 };
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
