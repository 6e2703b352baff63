//! Number of contacts.

use super::frame::{FrameMeasure, FrameView, Nothing};
use super::{Column, Measure, columns_in};
use crate::contact::Regime;
use crate::dim::Dim;
use crate::world::World;

/// Number of contacts that carry a force, and how many of them slide.
pub(crate) struct ContactCounts;

impl<D: Dim> Measure<D> for ContactCounts {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("contacts", "1"), Column::new("sliding_contacts", "1")]
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let count =
            |wanted: fn(Regime) -> bool| world.network().memory.iter().filter(|m| wanted(m.regime)).count() as f64;
        vec![count(|regime| regime != Regime::Open), count(|regime| regime == Regime::Slide)]
    }
}

impl FrameMeasure for ContactCounts {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        columns_in(self, view.dimension())
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let regime = &view.frame.contacts.regime;
        let count = |wanted: fn(u8) -> bool| regime.iter().filter(|regime| wanted(**regime)).count() as f64;
        Ok(vec![vec![count(|regime| regime != Regime::Open as u8), count(|regime| regime == Regime::Slide as u8)]])
    }

    fn takes_region(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactMemory;
    use crate::dim::D2;

    #[test]
    fn counts_what_carries_and_what_slides() {
        let mut world = World::<D2>::default();
        for regime in [Regime::Open, Regime::Stick, Regime::Slide, Regime::Slide] {
            world.network.memory.push(ContactMemory { regime, ..ContactMemory::default() });
        }
        assert_eq!(ContactCounts.sample(&world), [3.0, 2.0]);
    }
}
