//! Grains that are poured during the run.

use super::Scenario;
use super::build::STONES;
use super::fill::GrainSite;
use super::grains::{GrainGroup, GrainRegion, Place};
use super::sizes::PortableRandom;
use crate::dim::{Dim, Vector};
use crate::input::Reader;
use crate::input::quantity::{Frequency, Quantity, Time};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::list::record;
use crate::world::World;

record! {
    /// Grains come one after the other.
    pub struct Pour {
        /// How many a second.
        rate: Frequency where POSITIVE,
        /// Time on the clock at which the first one comes.
        start: Time where NOT_NEGATIVE = Quantity(0.0),
    }
}

/// Positions tried for a grain in one step; if all are occupied it waits for the next step.
const TRIES: u32 = 32;

/// Random streams for the sizes, and for the positions, of poured grains.
const SIZES: u64 = 1 << 40;
const PLACES: u64 = 1 << 41;

impl<D: Dim> GrainGroup<D> {
    /// Reports keys that poured grains cannot have.
    pub(super) fn check_pour(&self, reader: &Reader) {
        let Some(pour) = &self.pour else { return };
        let wrong = match (&self.place, self.count, &self.name) {
            (Place::Random(_), Some(_), None) if !self.fixed => return,
            (Place::Random(_), Some(_), Some(_)) => "grains that are poured have no names",
            (Place::Random(_), None, _) => "grains that are poured need a `count`",
            (Place::Random(_), ..) => "grains that are poured cannot be `fixed`",
            _ => "grains are poured at random in a region",
        };
        let help = "write count = 1000, place = { how = \"random\", min = .., max = .. } and no name";
        reader.mistake::<()>("E015", &pour.span, wrong, help);
    }
}

impl<D: Dim> Scenario<D> {
    /// Groups of poured grains, each with its number.
    pub fn poured(&self) -> impl Iterator<Item = (usize, &GrainGroup<D>, &Pour)> {
        self.grains.iter().enumerate().filter_map(|(k, group)| Some((k, group, group.pour.as_ref()?)))
    }

    /// Radius of a poured grain.
    fn poured_radius(&self, group: &GrainGroup<D>, id: u32) -> Option<f64> {
        group.shape.draw(&mut PortableRandom::new(self.seed, SIZES + u64::from(id)))
    }

    /// Adds the poured grains that are due, with ids from `first` on. `come[k]` counts those of the k-th group so far.
    /// Returns whether any were added.
    pub fn pour(&self, world: &mut World<D>, come: &mut [u64], first: u32) -> bool {
        let (before, mut base) = (world.bodies.len(), first);
        let poured: Vec<(usize, &GrainGroup<D>, &Pour)> = self.poured().collect();
        for ((k, group, pour), come) in poured.into_iter().zip(come) {
            let count = group.count.unwrap_or(0);
            let due = ((world.clock.time - *pour.start) * *pour.rate).floor() + 1.0;
            while *come < count && (*come as f64) < due {
                let id = base + *come as u32;
                let Some(seat) = self.free_seat(world, group, id) else { break };
                self.push_grain(world, k, &seat, id);
                let body = world.bodies.len() - 1;
                world.note_arrival(body);
                *come += 1;
            }
            base += count as u32;
        }
        world.bodies.len() > before
    }

    fn free_seat(&self, world: &World<D>, group: &GrainGroup<D>, id: u32) -> Option<GrainSite<D>> {
        let Place::Random(GrainRegion { min, max, .. }) = &group.place else { return None };
        let radius = self.poured_radius(group, id)?;
        let mut random = PortableRandom::new(self.seed.wrapping_add(world.clock.step), PLACES + u64::from(id));
        (0..TRIES).find_map(|_| {
            let x = D::Vec::from_fn(|axis| {
                let (low, high) = (min.0.get(axis) + radius, max.0.get(axis) - radius);
                low + (high - low) * random.unit()
            });
            world.is_free(x, radius).then_some(GrainSite { x, radius })
        })
    }

    /// Adds the smallest grains of poured groups, so that the automatic time step takes them into account.
    pub fn foresee(&self, world: &mut World<D>) {
        for (k, group, _) in self.poured() {
            let (Place::Random(region), Some((radius, _))) = (&group.place, group.shape.range()) else { continue };
            for x in [region.min.0, region.max.0] {
                self.push_grain(world, k, &GrainSite { x, radius }, STONES as u32);
            }
        }
    }
}
