//! How bodies and contacts are dealt out, so that threads can share a sweep and no two write to one body.
//!
//! The grains are cut into slices across the longest side of the heap, two to a unit. In a sweep a body sees
//! the contacts inside its unit first, then those that cross from one unit to the next; the slices of a unit hold all bodies
//! that its contacts touch, and no other unit's. Few contacts remain: those of pistons and of very large grains. The
//! cut follows from the positions alone, so the order of a sweep, and every bit of its result, is the same on any
//! number of threads.

use std::ops::Range;

use super::corners::Corners;
use super::group::{BATCH, Group};
use super::line::Line;
use super::lone::Lone;
use super::order;
use super::terms::{Plain, Terms};
use crate::contact::curve::along_curve;
use crate::dim::{Dim, Vector};
use crate::lane::LANES;
use crate::world::World;

/// Grains in a unit, at least: fewer do not pay for waking a thread.
const GRAINS_PER_UNIT: usize = 512;
/// Units at most: enough for many threads to share, few enough to have short seams.
const UNITS: usize = 32;
/// Thickness of a slice over the largest radius, at least: contacts then reach into the next slice and not beyond, and few
/// enough cross from one unit to the next. At 3 a sweep over 101,568 spheres takes a tenth longer.
const THICKNESS: f64 = 4.5;
/// Fours of corners that a colour has on average, at least, for lanes to pay.
const FOURS_OF_A_COLOUR: usize = 4;
/// Marks an empty lane of a group.
const EMPTY: u32 = u32::MAX;

/// Contacts whose bodies lie in one range of lines.
#[derive(Clone, Debug)]
pub struct Unit<D: Dim> {
    /// The lines of its bodies; indices in groups and singles count from its start.
    pub lines: Range<usize>,
    /// Contacts that are solved four at a time.
    pub groups: Vec<Group<D>>,
    /// Groups that are solved together, batch after batch.
    pub batches: Vec<u8>,
    /// Which contact of the network stands in each lane.
    pub which: Vec<[u32; LANES]>,
    /// Contacts at corners of stones that are solved four at a time.
    pub corners: Vec<Corners<D>>,
    /// Fours of corners that are solved together, batch after batch.
    pub corner_batches: Vec<u8>,
    /// Which contact of the network stands in each lane of those.
    pub which_corners: Vec<[u32; LANES]>,
    /// Contacts that are solved one at a time.
    pub singles: Vec<Lone<D>>,
}

impl<D: Dim> Unit<D> {
    /// Contacts in lanes of groups: group, lane, number in the network.
    pub fn lanes(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        seated(&self.which)
    }

    /// The same of corners.
    pub fn corner_lanes(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        seated(&self.which_corners)
    }

    /// All contacts that are not in lanes of groups, each by itself; `lines` are those of the unit.
    pub fn each_lone(&self, lines: &[Line<D>], mut each: impl FnMut(&Lone<D>)) {
        for (four, lane, index) in self.corner_lanes() {
            each(&Lone::Corner(self.corners[four].corner(lane, index, lines)));
        }
        self.singles.iter().for_each(each);
    }
}

fn seated(which: &[[u32; LANES]]) -> impl Iterator<Item = (usize, usize, usize)> {
    which.iter().enumerate().flat_map(|(four, lanes)| {
        lanes.iter().enumerate().filter(|(_, k)| **k != EMPTY).map(move |(lane, k)| (four, lane, *k as usize))
    })
}

/// Where the bodies stand among the lines: slice after slice, each with an empty line and the walls in front.
#[derive(Clone, Debug, Default)]
pub struct Slices {
    /// First line of every slice, and the end.
    starts: Vec<usize>,
    /// Line of every body; for an immovable wall its place after the start of any slice.
    place: Vec<u32>,
    /// Slice of every body; walls stand in all.
    slice: Vec<u16>,
}

/// Slice of walls that cannot move: they stand in every one.
const ALL: u16 = u16::MAX;

impl Slices {
    /// Cuts the bodies of a world into slices of equal numbers; `whole` keeps them in one. Within a slice they stand
    /// along a space-filling curve.
    pub fn cut<D: Dim>(world: &World<D>, whole: bool) -> Slices {
        let bodies = &world.bodies;
        let (axis, low, long) = longest_side(world);
        let largest = world.grains().map(|k| bodies.shape[k].radius()).fold(0.0, f64::max);
        let fits = if largest > 0.0 { (long / (THICKNESS * largest)) as usize } else { 0 };
        let most = (world.grains().len() / GRAINS_PER_UNIT).min(fits / 2).clamp(1, UNITS);
        let units = match most {
            _ if whole => 1,
            0..4 => most,
            _ => most - most % 4, // two or four threads then have equal shares
        };
        let slices = 2 * units;
        let is_shared = |k: usize| k < world.walls.len() && !bodies.inertia[k].is_movable();
        let mut slice = vec![ALL; bodies.len()];
        (0..world.walls.len()).filter(|k| !is_shared(*k)).for_each(|piston| slice[piston] = 0);
        let along = |k: usize| if long > 0.0 { (world.home_place(k).get(axis) - low) / long } else { 0.0 };
        let bins = 64 * slices;
        let bin = |k: usize| ((along(k) * bins as f64) as usize).min(bins - 1);
        let mut below = vec![0usize; bins + 1];
        world.grains().for_each(|k| below[bin(k) + 1] += 1);
        (0..bins).for_each(|b| below[b + 1] += below[b]);
        let grains = world.grains().len().max(1);
        world.grains().for_each(|k| slice[k] = (below[bin(k)] * slices / grains) as u16);
        // an empty line, the walls that cannot move, then the bodies of the slice along the curve
        let shared = (0..world.walls.len()).filter(|k| is_shared(*k)).count();
        let mut starts = vec![0; slices + 1];
        slice.iter().filter(|s| **s != ALL).for_each(|s| starts[*s as usize + 1] += 1);
        (0..slices).for_each(|s| starts[s + 1] += starts[s] + 1 + shared);
        let mut next: Vec<usize> = starts[..slices].iter().map(|start| start + 1 + shared).collect();
        let mut place = vec![0; bodies.len()];
        (0..bodies.len()).filter(|k| is_shared(*k)).zip(1..).for_each(|(wall, line)| place[wall] = line);
        let mut seat = |body: usize| {
            let line = &mut next[slice[body] as usize];
            place[body] = *line as u32;
            *line += 1;
        };
        (0..world.walls.len()).filter(|k| !is_shared(*k)).for_each(&mut seat);
        curve(world).into_iter().for_each(seat);
        Slices { place, starts, slice }
    }

    /// The line of a body; for a wall that stands in all slices, its copy in slice 0.
    pub fn line(&self, body: usize) -> usize {
        self.place[body] as usize
    }

    /// Puts the line of every body where it belongs, walls in every slice.
    /// Behind all stands the cell, if it follows a stress.
    pub fn lay<D: Dim>(&self, line: impl Fn(usize) -> Line<D>, cell: Option<Line<D>>, into: &mut Vec<Line<D>>) {
        into.clear();
        into.resize(self.starts[self.starts.len() - 1], Line::default());
        for body in 0..self.place.len() {
            match self.slice[body] {
                ALL => {
                    let copies = &self.starts[..self.starts.len() - 1];
                    copies.iter().for_each(|start| into[start + self.line(body)] = line(body));
                }
                _ => into[self.line(body)] = line(body),
            }
        }
        into.extend(cell);
    }

    /// The line behind all slices, where a cell stands that follows a stress.
    pub fn end(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The lines of a pair, counted from `from`; a shared wall is taken in the slice of the other body.
    fn lines(&self, [a, b]: [usize; 2], from: usize) -> [u32; 2] {
        let wall_in = |slice: u16| if slice == ALL { 0 } else { self.starts[slice as usize] };
        let of = |body: usize, other: usize| match self.slice[body] {
            ALL => wall_in(self.slice[other]) + self.line(body),
            _ => self.line(body),
        };
        [of(a, b), of(b, a)].map(|line| (line - from) as u32)
    }

    /// In which unit a contact belongs: phase 0 inside, phase 1 across a seam; `None` if it reaches further.
    fn home(&self, [a, b]: [usize; 2]) -> Option<(usize, usize)> {
        let [s, t] = [self.slice[a], self.slice[b]];
        let (low, high) = match (s, t) {
            (ALL, one) | (one, ALL) => (one as usize, one as usize),
            _ => (s.min(t) as usize, s.max(t) as usize),
        };
        if low / 2 == high / 2 { Some((0, low / 2)) } else { (high - low == 1).then_some((1, low / 2)) }
    }

    fn unit_lines(&self, phase: usize, unit: usize) -> Range<usize> {
        self.starts[2 * unit + phase]..self.starts[2 * unit + phase + 2]
    }
}

/// The grains in their order along a space-filling curve.
fn curve<D: Dim>(world: &World<D>) -> Vec<usize> {
    let centres: Vec<D::Vec> = world.grains().map(|k| world.home_place(k)).collect();
    let mut along: Vec<(u64, usize)> = along_curve::<D>(&centres).into_iter().zip(world.grains()).collect();
    along.sort_unstable();
    along.into_iter().map(|(_, grain)| grain).collect()
}

/// The axis along which the grains extend furthest, where they begin, and how far they go.
fn longest_side<D: Dim>(world: &World<D>) -> (usize, f64, f64) {
    let along = |axis: usize| world.grains().map(move |k| world.home_place(k).get(axis));
    let sides = (0..D::DIMENSION).map(|axis| {
        let (low, high) = (along(axis).fold(f64::INFINITY, f64::min), along(axis).fold(f64::NEG_INFINITY, f64::max));
        (axis, low, high - low)
    });
    sides.fold((0, 0.0, 0.0), |longest, side| if side.2 > longest.2 { side } else { longest })
}

/// The contacts of a step, dealt out.
#[derive(Clone, Debug)]
pub struct Dealt<D: Dim> {
    /// Units inside, and units across seams.
    pub phases: [Vec<Unit<D>>; 2],
    /// Contacts that belong to no unit; their indices count over all lines.
    pub rest: Vec<Lone<D>>,
}

impl<D: Dim> Default for Dealt<D> {
    fn default() -> Self {
        Dealt { phases: [Vec::new(), Vec::new()], rest: Vec::new() }
    }
}

/// Deals out all contacts of the world. Without `coloured` all of them go to the rest, in the order of the network.
pub fn deal<D: Dim>(terms: &Terms<D>, slices: &Slices, lines: &[Line<D>], coloured: bool) -> Dealt<D> {
    let units = (slices.starts.len() - 1) / 2;
    let mut lists = [vec![Vec::<u32>::new(); units], vec![Vec::new(); units - 1]];
    let mut rest = Vec::new();
    for (index, contact) in terms.world.network.contacts.iter().enumerate() {
        let pair = [contact.key.a as usize, contact.key.b as usize];
        let is_piston = pair[0] < terms.world.walls.len() && slices.slice[pair[0]] != ALL;
        match slices.home(pair) {
            Some((phase, unit)) if coloured && !is_piston && terms.world.share(contact).is_none() => {
                lists[phase][unit].push(index as u32);
            }
            _ => rest.push(terms.of(index, slices.lines(pair, 0), slices.end() as u32)),
        }
    }
    let [inside, seams] = lists;
    let phase = |number: usize, lists: Vec<Vec<u32>>| {
        let fill = |(unit, list): (usize, Vec<u32>)| fill(terms, slices, lines, slices.unit_lines(number, unit), &list);
        super::threads::map(lists.into_iter().enumerate().collect(), terms.world.network.contacts.len(), fill)
    };
    Dealt { phases: [phase(0, inside), phase(1, seams)], rest }
}

/// A unit of these contacts: plain ones in groups of one colour, others by themselves.
fn fill<D: Dim>(terms: &Terms<D>, slices: &Slices, all: &[Line<D>], lines: Range<usize>, list: &[u32]) -> Unit<D> {
    let own = &all[lines.clone()];
    let bodies = |index: u32| {
        let key = terms.world.network.contacts[index as usize].key;
        slices.lines([key.a as usize, key.b as usize], lines.start)
    };
    let (plain, others): (Vec<u32>, Vec<u32>) = list.iter().partition(|index| terms.is_plain(**index as usize));
    let (corners, mut others): (Vec<u32>, Vec<u32>) =
        others.iter().partition(|index| terms.is_free_corner(**index as usize));
    let round = Seats::find(plain, bodies, own);
    let mut groups = vec![Group::empty(0); round.fours.len()];
    for (index, [four, lane]) in round.walk() {
        let Plain { contact, lever, impulse } = terms.plain(index as usize);
        groups[four].set(lane, bodies(index), &contact, lever, impulse);
    }
    let mut cornered = Seats::find(corners, bodies, own);
    if cornered.are_sparse() {
        others = list.iter().copied().filter(|index| !terms.is_plain(*index as usize)).collect();
        cornered = Seats::default();
    }
    let mut corners = vec![Corners::empty(0); cornered.fours.len()];
    for (index, [four, lane]) in cornered.walk() {
        corners[four].set(lane, &terms.corner(index as usize, bodies(index), None));
    }
    let alone = others.iter().chain(&round.overflow).chain(&cornered.overflow);
    let singles = alone.map(|index| terms.of(*index as usize, bodies(*index), 0)).collect();
    let Seats { fours: which, batches, .. } = round;
    let Seats { fours: which_corners, batches: corner_batches, .. } = cornered;
    Unit { lines: lines.clone(), groups, batches, which, corners, corner_batches, which_corners, singles }
}

/// Contacts in fours of one colour.
#[derive(Default)]
struct Seats {
    /// Contacts by their numbers in the network.
    fours: Vec<[u32; LANES]>,
    /// Fours of one colour that are solved together.
    batches: Vec<u8>,
    /// Contacts with their places in the fours, as their bodies stand in memory.
    places: Vec<(u32, u32)>,
    /// Contacts that have no colour.
    overflow: Vec<u32>,
    colours: usize,
}

impl Seats {
    /// Colours these contacts, as their bodies stand in memory.
    fn find<D: Dim>(contacts: Vec<u32>, bodies: impl Fn(u32) -> [u32; 2], lines: &[Line<D>]) -> Seats {
        let mut pairs: Vec<([u32; 2], u32)> = contacts.iter().map(|index| (bodies(*index), *index)).collect();
        pairs.sort_unstable();
        let (pairs, contacts): (Vec<[u32; 2]>, Vec<u32>) = pairs.into_iter().unzip();
        let coloured = order::colour(&pairs, |line| lines[line as usize].inv_m() > 0.0, lines.len());
        let four = |four: &[u32]| {
            std::array::from_fn(|lane| four.get(lane).map_or(EMPTY, |contact| contacts[*contact as usize]))
        };
        let batches = coloured.colours().flat_map(|colour| colour.chunks(BATCH * LANES));
        let (mut places, mut first) = (vec![EMPTY; contacts.len()], 0);
        for colour in coloured.colours() {
            (first..).zip(colour).for_each(|(place, contact)| places[*contact as usize] = place);
            first += colour.len().next_multiple_of(LANES) as u32;
        }
        Seats {
            fours: coloured.colours().flat_map(|colour| colour.chunks(LANES)).map(four).collect(),
            batches: batches.map(|batch| batch.len().div_ceil(LANES) as u8).collect(),
            overflow: coloured.overflow().iter().map(|contact| contacts[*contact as usize]).collect(),
            places: contacts.into_iter().zip(places).filter(|(_, place)| *place != EMPTY).collect(),
            colours: coloured.ends.len(),
        }
    }

    /// Contacts with their four and lane, in an order that reads memory from front to back and writes one row of fours for
    /// each colour.
    fn walk(&self) -> impl Iterator<Item = (u32, [usize; 2])> {
        self.places.iter().map(|(contact, place)| (*contact, [*place as usize / LANES, *place as usize % LANES]))
    }

    /// Whether colours have few contacts each. Lanes are then empty too often, and the order of the network, which walks
    /// along a tower or an arch, carries news further in a sweep than colours do.
    fn are_sparse(&self) -> bool {
        self.fours.len() < FOURS_OF_A_COLOUR * self.colours
    }
}
