//! Partition of bodies and contacts, so that threads can share a sweep and no two write to one body.
//!
//! The grains are cut into slabs across the longest side of the heap. Two slabs make a subdomain:
//!
//! ```text
//!   slab         0   1 | 2   3 | 4   5 | 6   7
//!   inside      [  A  ] [  B  ] [  C  ] [  D  ]       phase 0: contacts within a subdomain
//!   seams            [ ab ]  [ bc ]  [ cd ]           phase 1: contacts from one subdomain to the next
//! ```
//!
//! The subdomains of one phase share no body. In a sweep the contacts of a body inside its subdomain come first, then
//! those of the seam. Few contacts remain, as the rest: those of pistons and of very large grains. The cut follows from
//! the positions alone, so the order of a sweep, and every bit of its result, is the same on any number of threads.

use std::ops::Range;

use super::coupled_x4::CoupledContactX4;
use super::local_problem::{LocalProblems, PlainContact};
use super::order;
use super::round_x4::{BATCH, RoundContactX4};
use super::scalar::ScalarContact;
use crate::contact::curve::{along_curve, corners};
use crate::dim::{Dim, Vector};
use crate::lane::LANES;
use crate::method::common::solver_body::SolverBody;
use crate::threads;
use crate::world::World;

/// Fewest grains in a subdomain: with fewer, starting a thread costs more than it saves.
const GRAINS_PER_SUBDOMAIN: usize = 512;
/// Most subdomains: enough for many threads to share, few enough to have short seams.
const SUBDOMAINS: usize = 32;
/// Thickness of a slab over the largest radius, at least: contacts then reach into the next slab and not beyond, and
/// few enough cross from one subdomain to the next. At 3 a sweep over 101,568 spheres takes a tenth longer.
const THICKNESS: f64 = 4.5;
/// Fours of coupled contacts that a colour has on average, at least, for lanes to pay.
const FOURS_OF_A_COLOUR: usize = 4;
/// Marks an empty lane.
const EMPTY: u32 = u32::MAX;

/// Contacts whose bodies lie in one range of solver bodies.
#[derive(Clone, Debug)]
pub(crate) struct Subdomain<D: Dim> {
    /// Its bodies; indices in its contacts count from the start of this range.
    pub solver_bodies: Range<usize>,
    /// Plain contacts of round bodies, four at a time.
    pub round: Fours<RoundContactX4<D>>,
    /// Contacts with a full block of W, four at a time.
    pub coupled: Fours<CoupledContactX4<D>>,
    /// Contacts that are solved one at a time.
    pub scalars: Vec<ScalarContact<D>>,
}

/// Contacts that are solved four at a time, in lanes.
#[derive(Clone, Debug)]
pub(crate) struct Fours<T> {
    /// Four contacts of one colour each, colour after colour.
    pub fours: Vec<T>,
    /// How many fours of one colour are solved together, batch after batch.
    pub batches: Vec<u8>,
    /// Number in the network of the contact in each lane.
    indices: Vec<[u32; LANES]>,
}

/// The lane that a contact has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// Number of its four.
    pub four: usize,
    /// Lane in the four.
    pub lane: usize,
    /// Number of the contact in the network.
    pub index: usize,
}

impl<T> Fours<T> {
    /// The seats of all contacts, four by four.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> {
        self.indices.iter().enumerate().flat_map(|(four, lanes)| {
            let taken = lanes.iter().enumerate().filter(|(_, index)| **index != EMPTY);
            taken.map(move |(lane, index)| Seat { four, lane, index: *index as usize })
        })
    }
}

impl<D: Dim> Subdomain<D> {
    /// Calls `each` with all contacts that are not plain, as scalar ones; `solver_bodies` are those of the subdomain.
    pub(crate) fn each_scalar(&self, solver_bodies: &[SolverBody<D>], mut each: impl FnMut(&ScalarContact<D>)) {
        for Seat { four, lane, index } in self.coupled.seats() {
            each(&ScalarContact::Coupled(self.coupled.fours[four].scalar(lane, index, solver_bodies)));
        }
        self.scalars.iter().for_each(each);
    }
}

/// Positions of the bodies among the solver bodies: slab after slab. Each slab begins with an empty one, for empty
/// lanes, and with copies of the immovable walls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slabs {
    /// First solver body of every slab, and the end.
    starts: Vec<usize>,
    /// Position of every body; for an immovable wall, counted from the start of any slab.
    positions: Vec<u32>,
    /// Slab of every body.
    slab: Vec<u16>,
    /// Grains that deform: each has its strain in the next position.
    deforms: Vec<bool>,
    /// Body in every position; `EMPTY` where there is none.
    bodies: Vec<u32>,
}

/// Slab of immovable walls: every slab has a copy.
const ALL: u16 = u16::MAX;

impl Slabs {
    /// Cuts the bodies of a world into slabs with equal numbers of grains; `whole` makes one subdomain of all. Within a
    /// slab they are ordered along a space-filling curve.
    pub(crate) fn cut<D: Dim>(world: &World<D>, whole: bool) -> Slabs {
        let (bodies, first) = (&world.bodies, world.grains().start);
        let places = threads::table(world.grains().len(), |k| world.home_place(first + k));
        let Side { axis, low, length } = longest_side::<D>(&places);
        let largest = threads::largest(world.grains(), 0.0, |k| bodies.shape[k].radius());
        let fits = if largest > 0.0 { (length / (THICKNESS * largest)) as usize } else { 0 };
        let most = (world.grains().len() / GRAINS_PER_SUBDOMAIN).min(fits / 2).clamp(1, SUBDOMAINS);
        let subdomains = match most {
            _ if whole => 1,
            0..4 => most,
            _ => most - most % 4, // two or four threads then have equal shares
        };
        let slabs = 2 * subdomains;
        let is_shared = |k: usize| k < world.setup.walls.len() && !bodies.inertia[k].is_movable();
        let mut slab = vec![ALL; bodies.len()];
        (0..world.setup.walls.len()).filter(|k| !is_shared(*k)).for_each(|piston| slab[piston] = 0);
        let along = |place: &D::Vec| if length > 0.0 { (place.get(axis) - low) / length } else { 0.0 };
        let bins = 64 * slabs;
        let bin = threads::table(places.len(), |k| ((along(&places[k]) * bins as f64) as usize).min(bins - 1));
        let mut below = vec![0usize; bins + 1];
        bin.iter().for_each(|bin| below[bin + 1] += 1);
        (0..bins).for_each(|b| below[b + 1] += below[b]);
        let slab_of: Vec<u16> = below.iter().map(|below| (below * slabs / places.len().max(1)) as u16).collect();
        slab[first..].iter_mut().zip(bin).for_each(|(slab, bin)| *slab = slab_of[bin]);
        // an empty one, the immovable walls, then the bodies of the slab along the curve
        let shared = (0..world.setup.walls.len()).filter(|k| is_shared(*k)).count();
        let mut starts = vec![0; slabs + 1];
        let deforms = threads::table(bodies.len(), |k| world.elasticity(k).is_some());
        let seats = |k: usize| 1 + usize::from(deforms[k]);
        let own = slab.iter().enumerate().filter(|(_, s)| **s != ALL);
        own.for_each(|(k, s)| starts[*s as usize + 1] += seats(k));
        (0..slabs).for_each(|s| starts[s + 1] += starts[s] + 1 + shared);
        let mut next: Vec<usize> = starts[..slabs].iter().map(|start| start + 1 + shared).collect();
        let mut positions = vec![0; bodies.len()];
        (0..bodies.len()).filter(|k| is_shared(*k)).zip(1..).for_each(|(wall, position)| positions[wall] = position);
        let mut place = |body: usize| {
            let position = &mut next[slab[body] as usize];
            positions[body] = *position as u32;
            *position += seats(body);
        };
        (0..world.setup.walls.len()).filter(|k| !is_shared(*k)).for_each(&mut place);
        along_slabs::<D>(&places, &slab[first..], slabs).into_iter().flatten().for_each(|k| place(first + k as usize));
        let mut slabs = Slabs { positions, starts, slab, deforms, bodies: Vec::new() };
        slabs.list_bodies();
        slabs
    }

    /// Enters the body of every position.
    fn list_bodies(&mut self) {
        self.bodies.clear();
        self.bodies.resize(self.end(), EMPTY);
        for (body, (&position, &slab)) in self.positions.iter().zip(&self.slab).enumerate() {
            match slab {
                ALL => {
                    let copies = &self.starts[..self.starts.len() - 1];
                    copies.iter().for_each(|start| self.bodies[start + position as usize] = body as u32);
                }
                _ => self.bodies[position as usize] = body as u32,
            }
        }
    }

    /// Position of a body; for a wall that has a copy in every slab, that in slab 0.
    #[inline]
    pub(crate) fn position(&self, body: usize) -> usize {
        self.positions[body] as usize
    }

    /// Puts every body in its position, and immovable walls in every slab. A stress-controlled cell comes last.
    pub(crate) fn arrange<D: Dim>(
        &self,
        solver_body: impl Fn(usize) -> SolverBody<D> + Sync + Send,
        cell: Option<SolverBody<D>>,
        into: &mut Vec<SolverBody<D>>,
    ) {
        threads::fill(into, self.bodies.len(), |position| match self.bodies[position] {
            EMPTY => SolverBody::default(),
            body => solver_body(body as usize),
        });
        into.extend(cell);
    }

    /// Puts the strain of every grain that deforms in its position.
    pub(crate) fn arrange_strains<D: Dim>(&self, strains: &[SolverBody<D>], into: &mut [SolverBody<D>]) {
        for (body, strain) in strains.iter().enumerate() {
            if let Some(position) = self.strain_position(body) {
                into[position] = *strain;
            }
        }
    }

    /// Position of the strain of a grain that deforms.
    pub(crate) fn strain_position(&self, body: usize) -> Option<usize> {
        self.deforms[body].then(|| self.position(body) + 1)
    }

    /// End of the slabs: the position of a stress-controlled cell.
    pub(crate) fn end(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Positions of a pair, counted from `from`; a shared wall is taken in the slab of the other body.
    #[inline]
    fn pair(&self, [a, b]: [usize; 2], from: usize) -> [u32; 2] {
        let wall_in = |slab: u16| if slab == ALL { 0 } else { self.starts[slab as usize] };
        let of = |body: usize, other: usize| match self.slab[body] {
            ALL => wall_in(self.slab[other]) + self.position(body),
            _ => self.position(body),
        };
        [of(a, b), of(b, a)].map(|position| (position - from) as u32)
    }

    /// The subdomain that a contact belongs to; `None` if it reaches further.
    #[inline]
    fn home(&self, [a, b]: [usize; 2]) -> Option<Home> {
        let [s, t] = [self.slab[a], self.slab[b]];
        let (low, high) = match (s, t) {
            (ALL, one) | (one, ALL) => (one as usize, one as usize),
            _ => (s.min(t) as usize, s.max(t) as usize),
        };
        let phase = match low / 2 == high / 2 {
            true => Some(0),
            false => (high - low == 1).then_some(1),
        };
        phase.map(|phase| Home { phase, subdomain: low / 2 })
    }

    fn bodies_of(&self, Home { phase, subdomain }: Home) -> Range<usize> {
        self.starts[2 * subdomain + phase]..self.starts[2 * subdomain + phase + 2]
    }
}

/// A subdomain by its number.
#[derive(Clone, Copy, Debug)]
struct Home {
    /// Zero inside, one for a seam.
    phase: usize,
    /// Number among those of the phase.
    subdomain: usize,
}

/// The grains of each slab in their order along a space-filling curve, given where they are and their slabs.
fn along_slabs<D: Dim>(places: &[D::Vec], slab: &[u16], slabs: usize) -> Vec<Vec<u32>> {
    let mut members = vec![Vec::with_capacity(2 * places.len() / slabs); slabs];
    for ((code, slab), grain) in along_curve::<D>(places).into_iter().zip(slab).zip(0u32..) {
        members[usize::from(*slab)].push((code, grain));
    }
    let sorted = |mut members: Vec<(u64, u32)>| {
        members.sort_unstable();
        members.into_iter().map(|(_, grain)| grain).collect()
    };
    threads::map(members, places.len(), sorted)
}

/// How far grains extend along an axis.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    axis: usize,
    /// Smallest coordinate of a centre [m].
    low: f64,
    /// Distance of the outermost centres [m].
    length: f64,
}

/// The axis along which grains at these places extend furthest.
fn longest_side<D: Dim>(places: &[D::Vec]) -> Side {
    let [low, high] = corners::<D>(places);
    let sides = (0..D::DIMENSION).map(|axis| Side { axis, low: low.get(axis), length: high.get(axis) - low.get(axis) });
    sides.fold(Side::default(), |longest, side| if side.length > longest.length { side } else { longest })
}

/// The contacts of a step, partitioned.
#[derive(Clone, Debug)]
pub(crate) struct Partition<D: Dim> {
    /// Subdomains inside, and seams.
    pub phases: [Vec<Subdomain<D>>; 2],
    /// Contacts that belong to no subdomain; their indices refer to the bodies of all slabs.
    pub rest: Vec<ScalarContact<D>>,
}

impl<D: Dim> Default for Partition<D> {
    fn default() -> Self {
        Partition { phases: [Vec::new(), Vec::new()], rest: Vec::new() }
    }
}

/// The lane of a plain contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlainSeat {
    /// Number of its four in its subdomain.
    four: u32,
    /// Number of its subdomain, those inside first; one more, so that zero means none.
    subdomain: u16,
    lane: u16,
}

impl<D: Dim> Partition<D> {
    /// Finds the lane of every plain contact.
    pub(crate) fn list_plain(&self, contacts: usize, into: &mut Vec<PlainSeat>) {
        into.clear();
        into.resize(contacts, PlainSeat::default());
        for (subdomain, number) in self.subdomains().zip(1..) {
            for Seat { four, lane, index } in subdomain.round.seats() {
                into[index] = PlainSeat { four: four as u32, subdomain: number, lane: lane as u16 };
            }
        }
    }

    /// The four and the lane of a plain contact; `None` for others.
    #[inline]
    pub(crate) fn four(&self, seat: PlainSeat) -> Option<(&RoundContactX4<D>, usize)> {
        let number = usize::from(seat.subdomain).checked_sub(1)?;
        let [inside, seams] = &self.phases;
        let subdomain = inside.get(number).unwrap_or_else(|| &seams[number - inside.len()]);
        Some((&subdomain.round.fours[seat.four as usize], usize::from(seat.lane)))
    }

    /// Subdomains inside, then seams.
    pub(crate) fn subdomains(&self) -> impl Iterator<Item = &Subdomain<D>> {
        self.phases.iter().flatten()
    }

    /// The same, to change them.
    pub(crate) fn subdomains_mut(&mut self) -> impl Iterator<Item = &mut Subdomain<D>> {
        self.phases.iter_mut().flatten()
    }
}

/// Partitions all contacts of the world, in the memory of an earlier partition. Without `coloured` all of them go to
/// the rest, in the order of the network.
pub(crate) fn partition<D: Dim>(
    problems: &LocalProblems<D>,
    slabs: &Slabs,
    solver_bodies: &[SolverBody<D>],
    coloured: bool,
    earlier: Partition<D>,
) -> Partition<D> {
    let contacts = &problems.world.network.contacts;
    let deal = |range| deal(problems.world, slabs, range, coloured);
    let dealt = threads::map(threads::chunks(contacts.len(), contacts.len()), contacts.len(), deal);
    let fill_phase = |phase: usize, earlier: Vec<Subdomain<D>>| {
        let count = (slabs.starts.len() - 1) / 2 - phase;
        let fill = |(subdomain, earlier): (usize, Option<Subdomain<D>>)| {
            let lists = dealt.iter().map(|dealt| &dealt.lists[phase][subdomain]);
            let list: Vec<u32> = lists.flatten().copied().collect();
            fill(problems, slabs, solver_bodies, slabs.bodies_of(Home { phase, subdomain }), &list, earlier)
        };
        let earlier = earlier.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
        threads::map((0..count).zip(earlier).collect(), contacts.len(), fill)
    };
    let [inside, seams] = earlier.phases;
    let scalar = |index: &u32| {
        let key = contacts[*index as usize].key;
        problems.scalar(*index as usize, slabs.pair([key.a as usize, key.b as usize], 0), slabs.end() as u32)
    };
    let rest = dealt.iter().flat_map(|dealt| &dealt.rest).map(scalar).collect();
    Partition { phases: [fill_phase(0, inside), fill_phase(1, seams)], rest }
}

/// Contacts of a range of the network by their numbers, for every subdomain inside and every seam, and the rest.
struct Dealt {
    lists: [Vec<Vec<u32>>; 2],
    rest: Vec<u32>,
}

/// Deals contacts out to the subdomains that they belong to.
fn deal<D: Dim>(world: &World<D>, slabs: &Slabs, range: Range<usize>, coloured: bool) -> Dealt {
    let count = (slabs.starts.len() - 1) / 2;
    let mut dealt = Dealt { lists: [vec![Vec::new(); count], vec![Vec::new(); count - 1]], rest: Vec::new() };
    for index in range {
        let contact = &world.network.contacts[index];
        let pair = [contact.key.a as usize, contact.key.b as usize];
        let is_piston = pair[0] < world.setup.walls.len() && slabs.slab[pair[0]] != ALL;
        match slabs.home(pair) {
            Some(home) if coloured && !is_piston && world.share(contact).is_none() => {
                dealt.lists[home.phase][home.subdomain].push(index as u32);
            }
            _ => dealt.rest.push(index as u32),
        }
    }
    dealt
}

/// A subdomain of these contacts: plain and freely coupled ones in fours of one colour, others by themselves.
fn fill<D: Dim>(
    problems: &LocalProblems<D>,
    slabs: &Slabs,
    all: &[SolverBody<D>],
    solver_bodies: Range<usize>,
    list: &[u32],
    earlier: Option<Subdomain<D>>,
) -> Subdomain<D> {
    let own = &all[solver_bodies.clone()];
    let bodies = |index: u32| {
        let key = problems.world.network.contacts[index as usize].key;
        slabs.pair([key.a as usize, key.b as usize], solver_bodies.start)
    };
    let (plain, others): (Vec<u32>, Vec<u32>) = list.iter().partition(|index| problems.is_plain(**index as usize));
    let (coupled, mut others): (Vec<u32>, Vec<u32>) =
        others.iter().partition(|index| problems.is_freely_coupled(**index as usize));
    let plain = Colouring::of(plain, bodies, own);
    let mut round = earlier.map_or_else(Vec::new, |earlier| earlier.round.fours);
    round.clear();
    round.resize(plain.fours.len(), RoundContactX4::empty(0));
    for Seat { four, lane, index } in plain.seats() {
        let PlainContact { local, lever, impulse } = problems.plain(index);
        round[four].set(lane, bodies(index as u32), &local, lever, impulse);
    }
    let mut corners = Colouring::of(coupled, bodies, own);
    if corners.is_sparse() {
        others = list.iter().copied().filter(|index| !problems.is_plain(*index as usize)).collect();
        corners = Colouring::default();
    }
    let mut coupled = vec![CoupledContactX4::empty(0); corners.fours.len()];
    for Seat { four, lane, index } in corners.seats() {
        coupled[four].set(lane, &problems.coupled(index, bodies(index as u32), None));
    }
    let alone = others.iter().chain(&plain.overflow).chain(&corners.overflow);
    let scalars = alone.map(|index| problems.scalar(*index as usize, bodies(*index), 0)).collect();
    let round = Fours { fours: round, batches: plain.batches, indices: plain.fours };
    let coupled = Fours { fours: coupled, batches: corners.batches, indices: corners.fours };
    Subdomain { solver_bodies: solver_bodies.clone(), round, coupled, scalars }
}

/// Sorts contacts by their first body (counting), then by the second one and by their number.
fn in_order(pairs: Vec<([u32; 2], u32)>, bodies: usize) -> Vec<([u32; 2], u32)> {
    let mut next = vec![0u32; bodies + 1];
    pairs.iter().for_each(|([a, _], _)| next[*a as usize + 1] += 1);
    (0..bodies).for_each(|body| next[body + 1] += next[body]);
    let mut sorted = pairs.clone();
    for pair in pairs {
        let place = &mut next[pair.0[0] as usize];
        sorted[*place as usize] = pair;
        *place += 1;
    }
    sorted.chunk_by_mut(|one, other| one.0[0] == other.0[0]).for_each(<[_]>::sort_unstable);
    sorted
}

/// Contacts in fours of one colour.
#[derive(Default)]
struct Colouring {
    /// Contacts by their numbers in the network.
    fours: Vec<[u32; LANES]>,
    /// Fours of one colour that are solved together.
    batches: Vec<u8>,
    /// Contacts with their positions in the fours, in the order of their bodies in memory.
    positions: Vec<(u32, u32)>,
    /// Contacts that have no colour.
    overflow: Vec<u32>,
    colours: usize,
}

impl Colouring {
    /// Colours these contacts in the order of their bodies in memory.
    fn of<D: Dim>(contacts: Vec<u32>, bodies: impl Fn(u32) -> [u32; 2], solver_bodies: &[SolverBody<D>]) -> Colouring {
        let pairs = contacts.iter().map(|index| (bodies(*index), *index)).collect();
        let (pairs, contacts): (Vec<[u32; 2]>, Vec<u32>) = in_order(pairs, solver_bodies.len()).into_iter().unzip();
        let is_movable = |body: u32| solver_bodies[body as usize].inv_m() > 0.0;
        let coloured = order::colour(&pairs, is_movable, solver_bodies.len());
        let four = |four: &[u32]| {
            std::array::from_fn(|lane| four.get(lane).map_or(EMPTY, |contact| contacts[*contact as usize]))
        };
        let batches = coloured.colours().flat_map(|colour| colour.chunks(BATCH * LANES));
        let (mut positions, mut first) = (vec![EMPTY; contacts.len()], 0);
        for colour in coloured.colours() {
            (first..).zip(colour).for_each(|(position, contact)| positions[*contact as usize] = position);
            first += colour.len().next_multiple_of(LANES) as u32;
        }
        Colouring {
            fours: coloured.colours().flat_map(|colour| colour.chunks(LANES)).map(four).collect(),
            batches: batches.map(|batch| batch.len().div_ceil(LANES) as u8).collect(),
            overflow: coloured.overflow().iter().map(|contact| contacts[*contact as usize]).collect(),
            positions: contacts.into_iter().zip(positions).filter(|(_, position)| *position != EMPTY).collect(),
            colours: coloured.ends.len(),
        }
    }

    /// The seats of all contacts, in an order that reads the bodies from front to back and writes one row of fours for
    /// each colour.
    fn seats(&self) -> impl Iterator<Item = Seat> {
        self.positions.iter().map(|(index, position)| {
            let (four, lane) = (*position as usize / LANES, *position as usize % LANES);
            Seat { four, lane, index: *index as usize }
        })
    }

    /// Whether colours have few contacts each. Lanes are then empty too often, and the order of the network, which
    /// walks along a tower or an arch, carries changes further in a sweep than colours do.
    fn is_sparse(&self) -> bool {
        self.fours.len() < FOURS_OF_A_COLOUR * self.colours
    }
}
