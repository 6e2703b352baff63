//! A unit of the force loop: a run of grains along the curve, with the pairs that they own.
//!
//! Units are the same whatever the number of threads, and so is the order in which forces add up: within a unit in the
//! order of its pairs, across units by the sums that each unit keeps for grains beyond it, in the order of the units.

use std::ops::Range;

use super::images::Images;
use super::seen::Seen;
use crate::body::Twist;
use crate::contact::{Coincident, ContactKey};
use crate::dim::Dim;
use crate::method::cd::line::Line;

/// Units of a world: enough to give every thread several.
const UNITS: usize = 16;
/// Grains of a unit: the more, the fewer stand beyond it; so many still fit the second cache with all that they need.
const UNIT: std::ops::RangeInclusive<usize> = 256..=2048;

/// Energy that contacts took in, by normal, tangential and rolling resistance [J] (or its rate [W]).
pub type Taken = [f64; 3];

/// Two grains that may touch, by their seats in the unit of the first: its own grains first, then those beyond.
#[derive(Clone, Copy, Debug)]
pub struct Seats(u32);

impl Seats {
    /// Bits of the first seat, which is that of one of the unit's own grains; the other bits are those of the second.
    const OWN: u32 = UNIT.end().ilog2();

    fn new(first: usize, second: usize) -> Seats {
        assert!(second < 1 << (u32::BITS - Seats::OWN), "a unit has some two million neighbours at most");
        Seats(first as u32 | (second as u32) << Seats::OWN)
    }

    /// Seat of the first grain.
    #[inline(always)]
    pub fn first(self) -> u32 {
        self.0 & ((1 << Seats::OWN) - 1)
    }

    /// Seat of the second grain.
    #[inline(always)]
    pub fn second(self) -> u32 {
        self.0 >> Seats::OWN
    }
}

/// What came out of pairs at a look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Energy taken in per time [W].
    pub taken: Taken,
    /// Power of the growth of grains [W].
    pub swelling: f64,
    /// Deepest overlap over the smaller radius.
    pub deepest: f64,
    /// Pairs that touch.
    pub touching: usize,
    /// Grains with one centre.
    pub coincident: Option<Coincident>,
}

impl Outcome {
    /// Enters what came out of other pairs.
    pub fn enter(&mut self, other: &Outcome) {
        self.taken.iter_mut().zip(other.taken).for_each(|(sum, part)| *sum += part);
        self.swelling += other.swelling;
        self.deepest = self.deepest.max(other.deepest);
        self.touching += other.touching;
        self.coincident = self.coincident.or(other.coincident);
    }
}

/// Grains that a unit pushes of another one: the number of the unit, and which of the grains beyond it these are.
type Source = (u32, Range<u32>);

/// A run of grains with the pairs that they own, and what came out of them at the last look.
#[derive(Clone, Debug, Default)]
pub struct Unit<D: Dim> {
    /// Its grains.
    pub grains: Range<usize>,
    /// Its pairs with walls.
    pub walls: Range<usize>,
    /// Its pairs of grains: those whose first grain is one of its own.
    pub pairs: Range<usize>,
    /// Grains of later units that its pairs push, and images, sorted.
    pub beyond: Vec<u32>,
    /// Units before it whose pairs push its grains.
    pub sources: Vec<Source>,
    /// Units up to it whose pairs push images of its grains.
    pub echoes: Vec<Source>,
    /// Forces [N] and torques [N m] on the grains beyond.
    pub pushes: Vec<Twist<D>>,
    /// The same on the walls.
    pub on_walls: Vec<Twist<D>>,
    /// What came out of its pairs.
    pub outcome: Outcome,
    /// What the contacts did, if the scene is watched.
    pub seen: Vec<Seen<D>>,
}

impl<D: Dim> Unit<D> {
    /// Cuts grains into units.
    pub fn of(grains: Range<usize>) -> Vec<Unit<D>> {
        let size = (grains.len() / UNITS).clamp(*UNIT.start(), *UNIT.end());
        let starts = grains.clone().step_by(size);
        starts.map(|start| Unit { grains: start..(start + size).min(grains.end), ..Unit::default() }).collect()
    }

    /// The bodies on its seats, without the walls; images stand behind all bodies.
    pub fn bodies(&self) -> impl Iterator<Item = u32> {
        (self.grains.start as u32..self.grains.end as u32).chain(self.beyond.iter().copied())
    }

    /// The body, or image, on a seat.
    pub fn body(&self, seat: u32) -> u32 {
        match (seat as usize).checked_sub(self.grains.len()) {
            None => self.grains.start as u32 + seat,
            Some(guest) => self.beyond[guest],
        }
    }

    /// What came out of pairs, with bodies in place of seats.
    pub fn named(&self, outcome: Outcome) -> Outcome {
        let body = |seat: usize| self.body(seat as u32) as usize;
        let coincident = outcome.coincident.map(|Coincident { a, b }| Coincident { a: body(a), b: body(b) });
        Outcome { coincident, ..outcome }
    }

    /// Seats of the grains beyond.
    pub fn seats_beyond(&self) -> Range<usize> {
        self.grains.len()..self.grains.len() + self.beyond.len()
    }

    /// Seat of the first wall.
    pub fn first_wall(&self) -> u32 {
        self.seats_beyond().end as u32
    }

    /// Adds to the forces on its own grains what other units, membranes and pairs across the border of a cell push.
    pub fn gather(
        &self,
        units: &[Unit<D>],
        (images, bodies): (&Images<D>, usize),
        loads: &[D::Vec],
        wrench: &mut [Line<D>],
    ) {
        let mut push = |body: usize, Twist { v, w }: Twist<D>| {
            let line = &mut wrench[body - self.grains.start];
            let sum = line.twist();
            line.set_twist(&Twist { v: sum.v + v, w: sum.w + w });
        };
        let pushed = |(source, part): &Source| {
            let (source, part) = (&units[*source as usize], part.start as usize..part.end as usize);
            source.beyond[part.clone()].iter().zip(&source.pushes[part])
        };
        for source in &self.sources {
            pushed(source).for_each(|(body, force)| push(*body as usize, *force));
        }
        for (body, load) in self.grains.clone().zip(loads.get(self.grains.clone()).unwrap_or_default()) {
            push(body, Twist { v: *load, ..Twist::default() });
        }
        for (image, force) in self.echoes.iter().flat_map(pushed) {
            push(images.body(*image, bodies) as usize, *force);
        }
    }

    /// Takes its share of the pairs, which are sorted by their first bodies, and finds who stands beyond.
    fn take_share(&mut self, walls: &[ContactKey], pairs: &[(u32, u32)]) {
        let grains = self.grains.clone();
        let from = |at: usize| walls.partition_point(|key| (key.b as usize) < at);
        self.walls = from(grains.start)..from(grains.end);
        let from = |at: usize| pairs.partition_point(|pair| (pair.0 as usize) < at);
        self.pairs = from(grains.start)..from(grains.end);
        let others = pairs[self.pairs.clone()].iter().map(|(_, b)| *b);
        let mut beyond: Vec<u32> = others.filter(|b| *b as usize >= grains.end).collect();
        beyond.sort_unstable();
        beyond.dedup();
        beyond.shrink_to_fit();
        self.pushes = vec![Twist::default(); beyond.len()];
        (self.beyond, self.sources, self.echoes) = (beyond, Vec::new(), Vec::new());
    }

    fn seats(&self, (a, b): (u32, u32)) -> Seats {
        let own = |body: u32| body as usize - self.grains.start;
        let second = self.beyond.binary_search(&b).map_or_else(|_| own(b), |guest| self.grains.len() + guest);
        Seats::new(own(a), second)
    }
}

/// Deals the pairs out among the units, and finds who pushes whose grains. Gives the pairs by their seats.
pub fn deal<D: Dim>(
    units: &mut [Unit<D>],
    walls: &[ContactKey],
    pairs: &[(u32, u32)],
    images: &Images<D>,
    bodies: usize,
) -> Vec<Seats> {
    let mut seats = Vec::with_capacity(pairs.len());
    for unit in units.iter_mut() {
        unit.take_share(walls, pairs);
        seats.extend(pairs[unit.pairs.clone()].iter().map(|pair| unit.seats(*pair)));
    }
    let Some(Range { start, end }) = units.first().map(|unit| unit.grains.clone()) else { return seats };
    let home = |body: u32| (images.body(body, bodies) as usize - start) / (end - start);
    for k in 0..units.len() {
        let beyond = std::mem::take(&mut units[k].beyond);
        let is_image = |body: u32| body as usize >= bodies;
        let mut from = 0;
        for part in beyond.chunk_by(|one, other| (is_image(*one), home(*one)) == (is_image(*other), home(*other))) {
            let to = from + part.len() as u32;
            let target = &mut units[home(part[0])];
            let sources = if is_image(part[0]) { &mut target.echoes } else { &mut target.sources };
            sources.push((k as u32, from..to));
            from = to;
        }
        units[k].beyond = beyond;
    }
    seats
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;

    #[test]
    fn pairs_come_back_from_their_seats_and_every_push_reaches_its_grain() {
        let (first, count) = (3, 9000);
        let mut pairs: Vec<(u32, u32)> =
            (first..count).flat_map(|a| [1, 7, 1500].map(|on| (a, a + on))).filter(|(_, b)| *b < count).collect();
        pairs.sort_unstable();
        let mut units = Unit::<D3>::of(first as usize..count as usize);
        let seats = deal(&mut units, &[], &pairs, &Images::default(), count as usize);
        let mut known = pairs.iter();
        for unit in &units {
            for pair in &seats[unit.pairs.clone()] {
                assert_eq!(known.next(), Some(&(unit.body(pair.first()), unit.body(pair.second()))));
                assert!((pair.first() as usize) < unit.grains.len());
            }
        }
        assert_eq!(known.next(), None);
        let pushed = units.iter().flat_map(|unit| unit.sources.iter().map(move |source| (unit, source)));
        let mut all = 0;
        for (unit, (source, part)) in pushed {
            let beyond = &units[*source as usize].beyond[part.start as usize..part.end as usize];
            assert!(beyond.iter().all(|body| unit.grains.contains(&(*body as usize))));
            all += beyond.len();
        }
        assert_eq!(all, units.iter().map(|unit| unit.beyond.len()).sum::<usize>());
        assert!(units.len() > 10 && all > 1000);
    }
}
