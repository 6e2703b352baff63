//! GrainGroup that come during the run: rain, or the feed of a hopper.

use crate::dim::{Dim, Vector};
use crate::input::Reader;
use crate::input::quantity::{Frequency, Quantity, Time};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::list::record;
use crate::scenario::Scenario;
use crate::scenario::build::STONES;
use crate::scenario::pack::fill::GrainSite;
use crate::scenario::schema::grains::{GrainGroup, GrainRegion, Place};
use crate::scenario::schema::sizes::PortableRandom;
use crate::world::World;

record! {
    /// GrainGroup come one after the other.
    pub struct Pour at span {
        /// Grains per second.
        rate: Frequency where POSITIVE,
        /// Time at which the first one comes.
        start: Time where NOT_NEGATIVE = Quantity(0.0),
    }
}

/// Places that are tried for a grain in one step; if all are taken it waits for the next step.
const TRIES: u32 = 32;

/// Streams of random numbers for sizes, and for places, of grains that come later.
const SIZES: u64 = 1 << 40;
const PLACES: u64 = 1 << 41;

impl<D: Dim> GrainGroup<D> {
    /// Notes what grains that come later cannot have.
    pub(in crate::scenario) fn check_pour(&self, reader: &Reader) {
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
    /// Groups of grains that come later, each with its number.
    pub fn poured(&self) -> impl Iterator<Item = (usize, &GrainGroup<D>, &Pour)> {
        self.grains.iter().enumerate().filter_map(|(k, group)| Some((k, group, group.pour.as_ref()?)))
    }

    /// Radius of a grain that comes later.
    fn poured_radius(&self, group: &GrainGroup<D>, id: u32) -> Option<f64> {
        group.shape.draw(&mut PortableRandom::new(self.seed, SIZES + u64::from(id)))
    }

    /// Adds the grains that are due, of those groups from which `come[k]` came so far, with ids from `first` on;
    /// whether any came.
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

    /// Adds the smallest grains of groups that come later, so that a time step can be found for them, too.
    pub fn foresee(&self, world: &mut World<D>) {
        for (k, group, _) in self.poured() {
            let (Place::Random(region), Some((radius, _))) = (&group.place, group.shape.range()) else { continue };
            for x in [region.min.0, region.max.0] {
                self.push_grain(world, k, &GrainSite { x, radius }, STONES as u32);
            }
        }
    }
}
