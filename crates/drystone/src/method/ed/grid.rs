//! The grid of cells in which grains look for partners: a grain meets only grains of its own cell and of those beside
//! it, and looks again when it enters another one.
//!
//! Where the cell of the scenario is periodic, so is the grid. Along other axes the outermost cells have no end.
//!
//! The numbers of the grains of a cell stand side by side: how many there are is chance, and a processor that follows a
//! list through the grains themselves guesses its end wrongly again and again.

use crate::cell::Cell;
use crate::dim::{Dim, Vector};

use super::faces::WallFace;
use super::times::Height;

/// No grain, no block.
const NONE: u32 = u32::MAX;

/// Grains in a block of a cell: at the usual filling one cell in fifty has more.
const SEATS: usize = 3;

/// Most numbers of grains that are looked at together: of the first blocks of all cells around one, in space.
const TOGETHER: usize = 27 * SEATS;

/// Part by which a cell is wider than the largest grain, so that rounding brings nobody past it.
const SLACK: f64 = 1e-6;

/// Grains in a cell on average, if they are small enough: fewer mean more crossings, more mean more pairs to look at.
const FILLING: f64 = 1.0;

/// One of the two sides of a cell along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CellSide {
    axis: u8,
    is_upper: bool,
}

impl CellSide {
    fn of(axis: usize, is_upper: bool) -> CellSide {
        CellSide { axis: axis as u8, is_upper }
    }

    /// The axis.
    pub(super) fn axis(self) -> usize {
        usize::from(self.axis)
    }

    fn number(self) -> usize {
        2 * self.axis() + usize::from(self.is_upper)
    }
}

/// When a grain leaves its cell, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    /// Time from now [s].
    pub after: f64,
    /// Through which side.
    pub side: CellSide,
}

/// Grains of a cell. Free seats are behind the others, and only the last block of a cell has some.
#[derive(Clone, Copy)]
struct Block {
    grains: [u32; SEATS],
    /// The next block of the cell.
    next: u32,
}

impl Block {
    const EMPTY: Block = Block { grains: [NONE; SEATS], next: NONE };

    /// The grains in it.
    fn taken(&self) -> &[u32] {
        let count = self.grains.iter().take_while(|grain| **grain != NONE).count();
        &self.grains[..count]
    }
}

/// A neighbouring cell.
#[derive(Clone, Copy)]
struct Neighbour {
    step: [i32; 3],
    /// The difference of the numbers of the cells, inside of the grid.
    offset: i32,
}

/// The grid.
pub(super) struct CellGrid<D: Dim> {
    origin: D::Vec,
    /// Lengths of a cell along the axes [m].
    side: D::Vec,
    counts: [usize; 3],
    is_periodic: [bool; 3],
    /// Lengths of the periodic cell [m].
    lengths: D::Vec,
    /// First block of every cell, then the others.
    blocks: Vec<Block>,
    /// The first block that nobody needs.
    spare: u32,
    cells: usize,
    /// Whether a cell lies at the border of the grid.
    is_border: Vec<bool>,
    /// Whether a grain in the cell can touch a wall.
    pub is_near_wall: Vec<bool>,
    all: Vec<Neighbour>,
    /// Those beside each of the sides.
    beside: Vec<Vec<Neighbour>>,
}

/// What a grid is made for.
pub(super) struct Extent<'e, D: Dim> {
    /// Positions of the grains [m].
    pub places: &'e [D::Vec],
    /// Largest radius [m].
    pub radius: f64,
    /// The periodic cell, if there is one.
    pub cell: Option<&'e Cell<D>>,
}

impl<D: Dim> CellGrid<D> {
    /// A grid for these grains.
    pub(super) fn new(extent: &Extent<D>) -> CellGrid<D> {
        let Extent { places, radius, cell } = *extent;
        let is_periodic = cell.map_or([false; 3], |cell| cell.is_periodic);
        let ends = |axis: usize| {
            let along = places.iter().map(|x| x.get(axis));
            match cell.filter(|cell| cell.is_periodic[axis]) {
                Some(cell) => [cell.origin.get(axis), cell.origin.get(axis) + cell.lengths.get(axis)],
                None => along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]),
            }
        };
        let ends: Vec<[f64; 2]> = (0..D::DIMENSION).map(ends).collect();
        let least = 2.0 * radius * (1.0 + SLACK);
        let volume: f64 = ends.iter().map(|[low, high]| (high - low).max(least)).product();
        let roomy = (FILLING * volume / places.len() as f64).powf(1.0 / D::DIMENSION as f64);
        let wanted = roomy.max(least);
        let mut counts = [1; 3];
        for (axis, [low, high]) in ends.iter().enumerate() {
            // three along a periodic axis, so that no two of them are neighbours on both sides
            counts[axis] = (((high - low) / wanted) as usize).max(if is_periodic[axis] { 3 } else { 1 });
        }
        let side = |axis: usize| {
            let part = (ends[axis][1] - ends[axis][0]) / counts[axis] as f64;
            if is_periodic[axis] { part } else { part.max(least) }
        };
        let side = D::Vec::from_fn(side);
        let mut grid = CellGrid {
            origin: D::Vec::from_fn(|axis| ends[axis][0]),
            side,
            counts,
            is_periodic,
            lengths: cell.map_or(D::Vec::ZERO, |cell| cell.lengths),
            blocks: vec![Block::EMPTY; counts.iter().product()],
            spare: NONE,
            cells: counts.iter().product(),
            is_border: Vec::new(),
            is_near_wall: Vec::new(),
            all: Vec::new(),
            beside: vec![Vec::new(); 2 * D::DIMENSION],
        };
        grid.find_neighbours();
        grid
    }

    fn find_neighbours(&mut self) {
        let of = |axis: usize| if axis < D::DIMENSION { -1..=1 } else { 0..=0 };
        let [across, up] = [self.counts[0] as i32, (self.counts[0] * self.counts[1]) as i32];
        for k in of(2) {
            for j in of(1) {
                for i in of(0) {
                    let neighbour = Neighbour { step: [i, j, k], offset: i + across * j + up * k };
                    self.all.push(neighbour);
                    for (axis, step) in neighbour.step.iter().enumerate().filter(|(_, step)| **step != 0) {
                        let side = CellSide::of(axis, *step > 0);
                        self.beside[side.number()].push(neighbour);
                    }
                }
            }
        }
        let is_border = |cell: usize| {
            let place = self.coordinates(cell);
            (0..D::DIMENSION).any(|axis| place[axis] == 0 || place[axis] + 1 == self.counts[axis])
        };
        self.is_border = (0..self.cells).map(is_border).collect();
    }

    /// Finds the cells from which a wall can be touched within `horizon`.
    pub(super) fn find_walls(&mut self, faces: &[WallFace<D>], radius: f64, horizon: f64) {
        let near = |cell: usize| {
            let place = self.coordinates(cell);
            // the outermost cells of a grid that does not repeat have no end
            let is_endless = (0..D::DIMENSION)
                .any(|axis| !self.is_periodic[axis] && (place[axis] == 0 || place[axis] + 1 == self.counts[axis]));
            let touches = |face: &WallFace<D>| {
                let nearest = D::Vec::from_fn(|axis| {
                    let upper = face.normal.get(axis) < 0.0;
                    self.origin.get(axis) + (place[axis] + usize::from(upper)) as f64 * self.side.get(axis)
                });
                let least = face.height(nearest, 0.0).min(face.height(nearest, horizon));
                least < (1.0 + SLACK) * radius
            };
            !faces.is_empty() && (is_endless || faces.iter().any(touches))
        };
        self.is_near_wall = (0..self.cells).map(near).collect();
    }

    fn coordinates(&self, cell: usize) -> [usize; 3] {
        // division is much faster with 32 bits
        let ([nx, ny], cell) = ([self.counts[0] as u32, self.counts[1] as u32], cell as u32);
        let rows = cell / nx;
        let layers = if D::DIMENSION == 3 { rows / ny } else { 0 };
        [cell - rows * nx, rows - layers * ny, layers].map(|count| count as usize)
    }

    fn number(&self, place: [usize; 3]) -> usize {
        place[0] + self.counts[0] * (place[1] + self.counts[1] * place[2])
    }

    /// The cell of a position.
    pub(super) fn cell_of(&self, x: D::Vec) -> u32 {
        let mut place = [0; 3];
        for (axis, coordinate) in place.iter_mut().enumerate().take(D::DIMENSION) {
            let along = (x.get(axis) - self.origin.get(axis)) / self.side.get(axis);
            *coordinate = (along.max(0.0) as usize).min(self.counts[axis] - 1);
        }
        self.number(place) as u32
    }

    /// When a grain leaves its cell; never is after an infinite time.
    pub(super) fn exit(&self, cell: u32, flight: &FlightState<D>) -> Exit {
        let place = self.coordinates(cell as usize);
        let mut first = Exit { after: f64::INFINITY, side: CellSide::default() };
        for (axis, place) in place.into_iter().enumerate().take(D::DIMENSION) {
            let low = self.origin.get(axis) + place as f64 * self.side.get(axis);
            let (x, rate, accel) = (flight.x.get(axis), flight.v.get(axis), flight.gravity.get(axis));
            for is_upper in [false, true] {
                let goes = if is_upper { rate > 0.0 || accel > 0.0 } else { rate < 0.0 || accel < 0.0 };
                let is_end = place == if is_upper { self.counts[axis] - 1 } else { 0 };
                if !goes || is_end && !self.is_periodic[axis] {
                    continue;
                }
                let height = match is_upper {
                    true => Height { height: low + self.side.get(axis) - x, rate: -rate, accel: -accel },
                    false => Height { height: x - low, rate, accel },
                };
                let after = height.time();
                if after < first.after {
                    first = Exit { after, side: CellSide::of(axis, is_upper) };
                }
            }
        }
        first
    }

    /// The cell beyond a side, and the displacement of the image of the grain that lies in it.
    pub(super) fn beyond(&self, cell: u32, side: CellSide) -> Beyond<D> {
        let mut place = self.coordinates(cell as usize);
        let (axis, is_upper) = (side.axis(), side.is_upper);
        let last = self.counts[axis] - 1;
        let turns = match (is_upper, place[axis]) {
            (true, at) if at == last => -1,
            (false, 0) => 1,
            _ => 0,
        };
        place[axis] = match (is_upper, turns) {
            (true, 0) => place[axis] + 1,
            (false, 0) => place[axis] - 1,
            (true, _) => 0,
            (false, _) => last,
        };
        let shift = D::Vec::from_fn(|k| if k == axis { f64::from(turns) * self.lengths.get(axis) } else { 0.0 });
        Beyond { cell: self.number(place) as u32, shift, turns }
    }

    /// Calls `look(grains, shift)` with the grains of all cells around one, some at a time, and the displacement of their
    /// images.
    #[inline(always)]
    pub(super) fn around(&self, cell: u32, beside: Option<CellSide>, mut look: impl FnMut(&[u32], D::Vec)) {
        let neighbours = beside.map_or(&self.all, |side| &self.beside[side.number()]);
        if self.is_border[cell as usize] {
            return self.around_border(cell, neighbours, &mut look);
        }
        let (mut near, mut count) = ([0; TOGETHER], 0);
        for neighbour in neighbours {
            let Block { grains, next } = self.blocks[(cell as i32 + neighbour.offset) as usize];
            for grain in grains {
                near[count] = grain;
                count += usize::from(grain != NONE);
            }
            if next != NONE {
                self.each_block(next, |grains| look(grains, D::Vec::ZERO));
            }
        }
        look(&near[..count], D::Vec::ZERO);
    }

    fn around_border(&self, cell: u32, neighbours: &[Neighbour], look: &mut impl FnMut(&[u32], D::Vec)) {
        let here = self.coordinates(cell as usize);
        'all: for Neighbour { step, .. } in neighbours {
            let (mut place, mut turns) = ([0; 3], [0.0; 3]);
            let cells = here.iter().zip(step).map(|(here, step)| *here as i32 + step);
            for (axis, at) in cells.enumerate().take(D::DIMENSION) {
                let count = self.counts[axis] as i32;
                if !(0..count).contains(&at) && !self.is_periodic[axis] {
                    continue 'all;
                }
                turns[axis] = f64::from(at.div_euclid(count));
                place[axis] = at.rem_euclid(count) as usize;
            }
            let shift = D::Vec::from_fn(|axis| turns[axis] * self.lengths.get(axis));
            self.each_block(self.number(place) as u32, |grains| look(grains, shift));
        }
    }

    fn each_block(&self, first: u32, mut look: impl FnMut(&[u32])) {
        let mut at = first;
        while at != NONE {
            let block = &self.blocks[at as usize];
            look(block.taken());
            at = block.next;
        }
    }

    /// Adds a grain to a cell.
    pub(super) fn add(&mut self, grain: u32, cell: u32) {
        let mut at = cell as usize;
        loop {
            if let Some(seat) = self.blocks[at].grains.iter_mut().find(|seat| **seat == NONE) {
                *seat = grain;
                return;
            }
            if self.blocks[at].next == NONE {
                self.blocks[at].next = self.spare_block();
            }
            at = self.blocks[at].next as usize;
        }
    }

    fn spare_block(&mut self) -> u32 {
        let block = self.spare;
        if block == NONE {
            self.blocks.push(Block::EMPTY);
            return self.blocks.len() as u32 - 1;
        }
        self.spare = std::mem::replace(&mut self.blocks[block as usize].next, NONE);
        block
    }

    /// Takes a grain out of its cell: the last one of the cell gets its seat.
    pub(super) fn take(&mut self, grain: u32, cell: u32) {
        let (mut at, mut before, mut seat) = (cell as usize, None, None);
        loop {
            let Block { grains, next } = self.blocks[at];
            let found = grains.iter().position(|other| *other == grain);
            seat = seat.or(found.map(|place| (at, place)));
            if next == NONE {
                break;
            }
            (before, at) = (Some(at), next as usize);
        }
        let last = self.blocks[at].taken().len() - 1;
        let moved = std::mem::replace(&mut self.blocks[at].grains[last], NONE);
        if let Some((block, place)) = seat.filter(|_| moved != grain) {
            self.blocks[block].grains[place] = moved;
        }
        if let Some(before) = before.filter(|_| last == 0) {
            self.blocks[before].next = NONE;
            self.blocks[at].next = std::mem::replace(&mut self.spare, at as u32);
        }
    }

    /// The shortest displacement of an image, for two grains that touch.
    pub(super) fn nearest(&self, apart: D::Vec) -> D::Vec {
        D::Vec::from_fn(|axis| match self.is_periodic[axis] {
            true => -self.lengths.get(axis) * (apart.get(axis) / self.lengths.get(axis)).round(),
            false => 0.0,
        })
    }

    /// Shortest side of a cell [m].
    pub(super) fn pace(&self) -> f64 {
        (0..D::DIMENSION).map(|axis| self.side.get(axis)).fold(f64::INFINITY, f64::min)
    }
}

/// The cell beyond a side.
pub(super) struct Beyond<D: Dim> {
    /// Its number.
    pub cell: u32,
    /// From the grain to its image in the cell [m].
    pub shift: D::Vec,
    /// The same in lengths of the periodic cell, along the axis of the side.
    pub turns: i32,
}

/// A grain in free flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlightState<D: Dim> {
    /// Where it is [m].
    pub x: D::Vec,
    /// Its velocity [m/s].
    pub v: D::Vec,
    /// Its acceleration [m/s2].
    pub gravity: D::Vec,
}
