//! The images of a periodic cell: where they are, and which of them is near.

use super::judge::{Check, Judge};
use super::scene::Scene;
use super::space::{Vec3, add, norm, sub};
use drystone_files::record::frame::{CellState, Frame};

/// The lattice of a frame at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    /// Vectors of the lattice [m]; none along an axis that does not repeat.
    pub vectors: [Option<Vec3>; 3],
    /// How fast they change [m/s].
    rates: [Vec3; 3],
    origin: Vec3,
    /// The order in which axes are processed: the one across which the cell is sheared comes first.
    order: [usize; 3],
}

/// A cell of the scenario.
#[derive(Clone, Debug)]
pub(crate) struct Repeats {
    /// Its corners [m].
    pub corners: [Vec3; 2],
    /// Axes along which it repeats.
    pub axes: [bool; 3],
    /// Axis along which it is sheared, axis across, and the rate [1/s].
    pub shear: Option<(usize, usize, f64)>,
    /// Whether its lengths and its shear rate never change.
    pub is_stiff: bool,
}

impl Lattice {
    /// The lattice of a frame, `back` seconds before its instant; none without a cell.
    pub(crate) fn of(frame: &Frame, back: f64) -> Option<Lattice> {
        let cell = frame.cell.as_ref()?;
        let mut rates = [[0.0; 3]; 3];
        let mut vectors = [None; 3];
        for axis in (0..3).filter(|axis| cell.is_periodic[*axis]) {
            let mut vector = [0.0; 3];
            vector[axis] = cell.lengths[axis] - cell.stretching[axis] * back;
            rates[axis][axis] = cell.stretching[axis];
            let earlier = |axis: usize| cell.lengths[axis] - cell.stretching[axis] * back;
            if let Some(shear) = cell.shear.filter(|shear| shear.across == axis) {
                // t = t0 + (rate L_across + t0 L'_along / L_along) dt, with the lengths of the start; where images
                // slide under a stress, a step keeps rate L_across
                let growth = cell.stretching[shear.along] / earlier(shear.along);
                let sliding = cell.rate
                    * if cell.press.as_ref().is_some_and(|press| press.shear.is_some()) {
                        cell.lengths[axis]
                    } else {
                        earlier(axis)
                    };
                let start = (cell.tilt - sliding * back) / (1.0 + growth * back);
                vector[shear.along] = start;
                rates[axis][shear.along] = sliding + start * growth;
            }
            vectors[axis] = Some(vector);
        }
        let first = cell.shear.map_or(2, |shear| shear.across);
        Some(Lattice { vectors, rates, origin: cell.origin, order: [first, (first + 2) % 3, (first + 1) % 3] })
    }

    fn counted(&self, mut x: Vec3, cells: fn(f64) -> f64) -> [f64; 3] {
        let mut counts = [0.0; 3];
        for axis in self.order {
            if let Some(vector) = self.vectors[axis] {
                counts[axis] = -cells(x[axis] / vector[axis]);
                x = std::array::from_fn(|i| x[i] + counts[axis] * vector[i]);
            }
        }
        counts
    }

    fn combined(counts: [f64; 3], vectors: impl Fn(usize) -> Vec3) -> Vec3 {
        (0..3).fold([0.0; 3], |sum, axis| add(sum, vectors(axis).map(|x| counts[axis] * x)))
    }

    /// Offset in cells of the periodic image of `x` that is nearest to the origin.
    pub(crate) fn nearest(&self, x: Vec3) -> [f64; 3] {
        self.counted(x, f64::round)
    }

    /// How many cells away the image of `x` is that lies in the cell.
    pub(crate) fn home(&self, x: Vec3) -> [f64; 3] {
        self.counted(sub(x, self.origin), f64::floor)
    }

    /// Displacement of an image [m].
    pub(crate) fn shift(&self, counts: [f64; 3]) -> Vec3 {
        Lattice::combined(counts, |axis| self.vectors[axis].unwrap_or_default())
    }

    /// Velocity of an image relative to the body itself [m/s].
    pub(crate) fn jump(&self, counts: [f64; 3]) -> Vec3 {
        Lattice::combined(counts, |axis| self.rates[axis])
    }

    /// Velocity of an image along each axis under a unit impulse, due to the stress-controlled parts of the cell
    /// [1/kg]: s_k^2 / (M L_k^2) for lengths, n^2 / M along for images that slide.
    pub(crate) fn yielding(&self, cell: &CellState, counts: [f64; 3]) -> Vec3 {
        let Some(press) = &cell.press else { return [0.0; 3] };
        let (shift, mut give) = (self.shift(counts), [0.0; 3]);
        for axis in (0..3).filter(|axis| press.follows[*axis]) {
            let length = self.vectors[axis].map_or(f64::INFINITY, |vector| vector[axis]);
            give[axis] += (shift[axis] / length).powi(2) / press.mass;
        }
        if let (Some(shear), Some(_)) = (cell.shear, press.shear) {
            give[shear.along] += counts[shear.across].powi(2) / press.mass;
        }
        give
    }

    /// Images of a point of the cell up to `margin` beyond its sides, without the point itself [m].
    pub(crate) fn around(&self, x: Vec3, margin: f64) -> Vec<Vec3> {
        let span = |axis: usize| match self.vectors[axis] {
            // one more cell because of the tilt
            Some(vector) => {
                let far = (margin / vector[axis]).ceil() as i64 + 1;
                -far..=far
            }
            None => 0..=0,
        };
        let mut images = Vec::new();
        for i in span(0) {
            for j in span(1) {
                for k in span(2) {
                    let mut counts = [i as f64, j as f64, k as f64];
                    let across = self.order[0];
                    for along in (0..3).filter(|along| *along != across) {
                        if let (Some(shear), Some(own)) = (self.vectors[across], self.vectors[along]) {
                            counts[along] -= (counts[across] * shear[along] / own[along]).round();
                        }
                    }
                    let at = add(x, self.shift(counts));
                    let is_near = (0..3).all(|axis| {
                        let from = at[axis] - self.origin[axis];
                        self.vectors[axis].is_none_or(|v| (-margin..=v[axis] + margin).contains(&from))
                    });
                    if is_near && counts != [0.0; 3] {
                        images.push(at);
                    }
                }
            }
        }
        images
    }
}

/// The cell of a frame is that of the scenario, and the cell coordinates of grains agree with their positions.
pub(crate) fn check(frame: &Frame, scene: &Scene, judge: &mut Judge) {
    let (cell, stated) = (frame.cell.as_ref(), scene.cell.as_ref());
    judge.require(Check::Frames, cell.is_some() == stated.is_some(), || "periodic cell".into());
    let (Some(cell), Some(stated), Some(lattice)) = (cell, stated, Lattice::of(frame, 0.0)) else { return };
    let [min, max] = stated.corners;
    let axes = (0..3).filter(|axis| stated.axes[*axis]);
    let is_same = axes.clone().all(|axis| {
        let keeps = cell.lengths[axis] == max[axis] - min[axis] && cell.stretching[axis] == 0.0;
        cell.origin[axis] == min[axis] && (keeps || !stated.is_stiff)
    });
    judge.require(Check::Frames, is_same && cell.is_periodic == stated.axes, || "sides of the cell".into());
    let expected =
        stated.shear.filter(|_| stated.is_stiff).map_or(0.0, |(_, across, rate)| rate * cell.lengths[across]);
    if stated.is_stiff && !scene.is_continued {
        // every step rounds the tilt
        let (tilt, size) = (expected * frame.time, (expected * frame.time).abs().max(f64::MIN_POSITIVE));
        let limit = (frame.step as f64 + 8.0) * f64::EPSILON;
        judge.see(Check::Frames, (cell.tilt - tilt).abs() / size, limit, || "tilt of the cell".into());
        let rate = stated.shear.map_or(0.0, |(.., rate)| rate);
        judge.require(Check::Frames, cell.rate == rate, || "shear rate of the cell".into());
    }
    let grains = &frame.grains;
    for k in 0..grains.position.len() {
        let counts = lattice.home(grains.own_position(k));
        let place = add(grains.own_position(k), lattice.shift(counts));
        let rounding = 8.0 * f64::EPSILON * (norm(place) + norm(lattice.shift(counts)) + grains.radius[k]);
        // on the border of the cell rounding decides in which cell it is
        let off = sub(grains.position[k], place);
        let off = sub(off, lattice.shift(lattice.nearest(off).map(|count| -count)));
        let off = norm(off).min(norm(sub(grains.position[k], place)));
        let name = || format!("grain {} in the cell", grains.id[k]);
        judge.see(Check::Grains, off / grains.radius[k], rounding / grains.radius[k], name);
    }
}
