//! A periodic cell and its lattice of images.
//!
//! Bodies are never wrapped: a grain that leaves the cell keeps its own position and velocity, and its images move with
//! it, each displaced by a lattice vector. So displacements, momentum and contacts need no bookkeeping at the border,
//! and a resumed run has the same bits. Output shows the image that lies in the cell ([`Cell::home`]).
//!
//! The lattice may change: in a sheared cell the images one cell further along `across` are displaced by `tilt` along
//! `along`, and move with its rate. [LeesEdwards72]

mod press;
mod state;

pub use press::{CellMotion, Share, StressControl};

use crate::dim::{Dim, Vector, in_space};

/// A periodic image of a body: how many cells away it is along every axis.
pub type Image = [i32; 3];

/// Least length of a cell over the largest radius: three grains side by side. A grain then touches another one from one
/// side only, and would have to travel more than its radius in a step to come near it from the other side.
pub const THREE_GRAINS: f64 = 6.0;

/// The body itself.
pub const SELF: Image = [0; 3];

/// The plane in which a cell is sheared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellShear {
    /// Axis along which the images move.
    pub along: usize,
    /// Axis across which they lie.
    pub across: usize,
}

/// The lattice of images.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<D: Dim> {
    /// Lower corner [m].
    pub origin: D::Vec,
    /// Axes along which the cell repeats.
    pub is_periodic: [bool; 3],
    /// Lengths of the cell along the axes [m].
    pub lengths: D::Vec,
    /// Rates of the lengths [m/s].
    pub stretching: D::Vec,
    /// The plane of shear, if the cell is sheared.
    pub shear: Option<CellShear>,
    /// Displacement of the images one cell across, along the shear direction [m].
    pub tilt: f64,
    /// Shear rate [1/s].
    pub rate: f64,
    /// The stress that its lengths or its shear follow, if any.
    pub press: Option<StressControl<D>>,
    /// Accelerations of lengths and shear that follow a stress, kept by methods that integrate them [m/s2].
    pub urge: CellMotion<D>,
}

impl<D: Dim> Cell<D> {
    /// A cell at rest between two corners.
    pub fn new(min: D::Vec, max: D::Vec, is_periodic: [bool; 3]) -> Cell<D> {
        Cell {
            origin: min,
            is_periodic,
            lengths: max - min,
            stretching: D::Vec::ZERO,
            shear: None,
            tilt: 0.0,
            rate: 0.0,
            press: None,
            urge: CellMotion::default(),
        }
    }

    /// Axes along which the cell repeats.
    pub fn axes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..D::DIMENSION).filter(|axis| self.is_periodic[*axis])
    }

    /// Displacement of an image from the body itself [m].
    pub fn shift(&self, image: Image) -> D::Vec {
        D::Vec::from_fn(|axis| {
            let count = if self.is_periodic[axis] { f64::from(image[axis]) } else { 0.0 };
            let straight = count * self.lengths.get(axis);
            match self.shear {
                Some(CellShear { along, across }) if along == axis => straight + f64::from(image[across]) * self.tilt,
                _ => straight,
            }
        })
    }

    /// Velocity of an image relative to the body itself, from the shear alone [m/s].
    pub fn shear_velocity(&self, image: Image) -> D::Vec {
        D::Vec::from_fn(|axis| match self.shear {
            Some(CellShear { along, across }) if along == axis => {
                f64::from(image[across]) * (self.rate * self.lengths.get(across))
            }
            _ => 0.0,
        })
    }

    /// Velocity of an image relative to the body itself, from shear and strain of the lattice [m/s].
    pub fn image_velocity(&self, image: Image) -> D::Vec {
        match self.stretching == D::Vec::ZERO {
            true => self.shear_velocity(image),
            false => self.shear_velocity(image) + times(self.arm(self.shift(image)), self.stretching),
        }
    }

    /// Components s_k / L_k of a lattice vector: its rate is this times the rates of the lengths.
    fn arm(&self, shift: D::Vec) -> D::Vec {
        D::Vec::from_fn(|axis| if self.is_periodic[axis] { shift.get(axis) / self.lengths.get(axis) } else { 0.0 })
    }

    /// Whether images move relative to the bodies themselves.
    pub fn is_moving(&self) -> bool {
        self.rate != 0.0 || self.stretching != D::Vec::ZERO
    }

    /// Greatest relative speed of neighbouring images [m/s].
    pub fn pace(&self) -> f64 {
        let sum: f64 = self.axes().map(|axis| self.stretching.get(axis).abs()).sum();
        let across = self.shear.map_or(0.0, |shear| self.lengths.get(shear.across));
        2.0 * sum + (self.rate * across).abs()
    }

    /// Finds an image axis by axis, from the last to the first, but the axis across the shear before all others.
    #[inline]
    fn count(&self, x: D::Vec, cells: impl Fn(f64) -> i32) -> Image {
        let (mut left, mut image) = (in_space(x), SELF);
        let mut count = |axis: usize| {
            if !self.is_periodic[axis] {
                return;
            }
            image[axis] = cells(left[axis] / self.lengths.get(axis)).wrapping_neg();
            if image[axis] != 0 {
                left[axis] += f64::from(image[axis]) * self.lengths.get(axis);
                if let Some(CellShear { along, across }) = self.shear
                    && across == axis
                {
                    left[along] += f64::from(image[axis]) * self.tilt;
                }
            }
        };
        match self.shear {
            None => (0..D::DIMENSION).rev().for_each(count),
            Some(CellShear { across, .. }) => {
                count(across);
                (0..D::DIMENSION).rev().filter(|axis| *axis != across).for_each(count);
            }
        }
        image
    }

    /// The image of b that is nearest to a, where `apart` leads from a to b itself. Any image nearer than half the
    /// shortest side is found, however far the cell is sheared.
    #[inline]
    pub fn nearest(&self, apart: D::Vec) -> Image {
        let is_own =
            |axis: usize| !self.is_periodic[axis] || apart.get(axis).abs() < SURELY_OWN * self.lengths.get(axis);
        match (0..D::DIMENSION).all(is_own) {
            true => SELF,
            false => self.count(apart, rounded),
        }
    }

    /// The image of a position that lies in the cell.
    #[inline]
    pub fn home(&self, x: D::Vec) -> Image {
        self.count(x - self.origin, floored)
    }

    /// A position, wrapped into the cell.
    pub fn wrap(&self, x: D::Vec) -> D::Vec {
        x + self.shift(self.home(x))
    }

    /// Images of a position in the cell that lie in the cell or at most `margin` beyond its sides, without the position
    /// itself.
    pub fn around(&self, x: D::Vec, margin: f64, mut each: impl FnMut(Image, D::Vec)) {
        let span = |axis: usize| match axis < D::DIMENSION && self.is_periodic[axis] {
            true => {
                let far = (margin / self.lengths.get(axis)).ceil() as i32 + 1;
                -far..=far
            }
            false => 0..=0,
        };
        // along an axis that no tilt displaces the image is known to be far before the others are
        let along = self.shear.map(|shear| shear.along);
        let is_far = |axis: usize, count: i32| {
            let is_straight = axis < D::DIMENSION && self.is_periodic[axis] && along != Some(axis);
            is_straight && !self.lies_near(axis, x.get(axis) + f64::from(count) * self.lengths.get(axis), margin)
        };
        for k in span(2).filter(|k| !is_far(2, *k)) {
            for j in span(1).filter(|j| !is_far(1, *j)) {
                for i in span(0) {
                    let mut image = [i, j, k];
                    if let Some(CellShear { along, across }) = self.shear {
                        // the tilt matters only modulo whole cells
                        image[along] -= rounded(f64::from(image[across]) * self.tilt / self.lengths.get(along));
                    }
                    let at = x + self.shift(image);
                    let is_near = self.axes().all(|axis| self.lies_near(axis, at.get(axis), margin));
                    if is_near && image != SELF {
                        each(image, at);
                    }
                }
            }
        }
    }

    /// Whether a coordinate lies between the sides of the cell, or at most `margin` beyond them.
    fn lies_near(&self, axis: usize, coordinate: f64, margin: f64) -> bool {
        let from = coordinate - self.origin.get(axis);
        from >= -margin && from <= self.lengths.get(axis) + margin
    }

    /// Velocity of the affine motion of the lattice at a position; it is zero in the middle of the cell [m/s].
    pub fn flow(&self, x: D::Vec) -> D::Vec {
        let from = x - self.origin - self.lengths * 0.5;
        D::Vec::from_fn(|axis| {
            let grown = if self.is_periodic[axis] { self.stretching.get(axis) / self.lengths.get(axis) } else { 0.0 };
            match self.shear {
                Some(CellShear { along, across }) if along == axis => {
                    grown * from.get(axis) + self.rate * from.get(across)
                }
                _ => grown * from.get(axis),
            }
        })
    }

    /// Advances the lattice by a step.
    pub fn drift(&mut self, dt: f64) {
        let sliding = self.sliding();
        if let Some(CellShear { along, across }) = self.shear {
            // the tilt is stretched with the axis along which it lies
            let stretched = self.tilt * (self.stretching.get(along) / self.lengths.get(along));
            self.tilt += (self.rate * self.lengths.get(across) + stretched) * dt;
        }
        self.lengths += self.stretching * dt;
        self.keep_sliding(sliding);
    }

    /// Where the affine motion of the lattice has taken a point since the cell was `before`.
    pub fn carried(&self, before: &Cell<D>, x: D::Vec) -> D::Vec {
        x + self.strained(before, x - before.origin)
    }

    /// (A - 1) r: change of a vector under the affine motion.
    fn strained(&self, before: &Cell<D>, r: D::Vec) -> D::Vec {
        let stretch = |axis: usize| match self.is_periodic[axis] {
            true => self.lengths.get(axis) / before.lengths.get(axis),
            false => 1.0,
        };
        D::Vec::from_fn(|axis| {
            let straight = (stretch(axis) - 1.0) * r.get(axis);
            match self.shear {
                Some(CellShear { along, across }) if along == axis => {
                    let tilt = (self.tilt - before.tilt * stretch(axis)) / before.lengths.get(across);
                    straight + tilt * r.get(across)
                }
                _ => straight,
            }
        })
    }

    /// Upper bound of |(A - 1) r| / |r| since the lattice was as `before`: how much nearer its motion alone may have
    /// brought pairs.
    pub fn strain_since(&self, before: &Cell<D>) -> f64 {
        let unit = |k: usize| D::Vec::from_fn(|axis| if axis == k { 1.0 } else { 0.0 });
        (0..D::DIMENSION).map(|axis| self.strained(before, unit(axis)).norm_squared()).sum::<f64>().sqrt()
    }

    /// Volume of the cell, if all axes are periodic [m3]; in the plane the area [m2].
    pub fn volume(&self) -> f64 {
        (0..D::DIMENSION).map(|axis| self.lengths.get(axis)).product()
    }
}

/// Distance along an axis, over the length of the cell, below which the nearest image is the body itself: a half,
/// whatever the rounding.
const SURELY_OWN: f64 = 0.49;

/// The nearest whole number; halves are rounded away from zero. [`f64::round`] would be a call of a library.
#[inline]
fn rounded(x: f64) -> i32 {
    let whole = x as i32;
    let part = x - f64::from(whole);
    whole.saturating_add(i32::from(part >= 0.5)).saturating_sub(i32::from(part <= -0.5))
}

/// The largest whole number that is not larger, likewise.
#[inline]
fn floored(x: f64) -> i32 {
    let whole = x as i32;
    whole.saturating_sub(i32::from(x < f64::from(whole)))
}

/// Component by component.
fn times<V: Vector>(a: V, b: V) -> V {
    V::from_fn(|axis| a.get(axis) * b.get(axis))
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, DVec3};

    use super::*;
    use crate::dim::{D2, D3};

    #[test]
    fn whole_numbers_are_those_of_the_library() {
        let near = |x: f64| [x.next_down(), x, x.next_up()];
        let halves = (-9..=9).flat_map(|k| near(0.5 * f64::from(k)));
        for x in halves.chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 2147483646.5, -2147483648.5])
        {
            assert_eq!((rounded(x), floored(x)), (x.round() as i32, x.floor() as i32), "{x:e}");
        }
    }

    fn sheared(tilt: f64) -> Cell<D2> {
        let cell = Cell::new(DVec2::new(-1.0, 2.0), DVec2::new(3.0, 7.0), [true, true, false]);
        Cell { shear: Some(CellShear { along: 0, across: 1 }), tilt, rate: 0.1, ..cell }
    }

    #[test]
    fn a_place_is_brought_home_and_its_images_lie_a_lattice_vector_apart() {
        for tilt in [0.0, 0.7, -1.9, 37.3] {
            let cell = sheared(tilt);
            for k in 0..200 {
                let x = DVec2::new((k as f64 * 12.9898).sin() * 40.0, (k as f64 * 78.233).sin() * 40.0);
                let home = cell.wrap(x);
                assert!((-1.0..3.0).contains(&home.x) && (2.0..7.0).contains(&home.y), "{home} of {x}, tilt {tilt}");
                let [i, j, _] = cell.home(x);
                let expected = x + DVec2::new(4.0 * i as f64 + tilt * j as f64, 5.0 * j as f64);
                assert!((home - expected).length() < 1e-12);
                assert_eq!(cell.image_velocity([i, j, 0]), DVec2::new(0.5 * j as f64, 0.0));
            }
        }
    }

    #[test]
    fn the_nearest_image_is_the_one_that_a_search_over_many_finds() {
        for tilt in [0.0, 0.7, -1.9, 11.3] {
            let cell = sheared(tilt);
            let mut found = 0;
            for k in 0..500 {
                let apart = DVec2::new((k as f64 * 12.9898).sin() * 9.0, (k as f64 * 78.233).sin() * 9.0);
                let images = (-9..=9).flat_map(|i| (-4..=4).map(move |j| [i, j, 0]));
                let shortest = images.map(|image| (apart + cell.shift(image)).length()).fold(f64::INFINITY, f64::min);
                if shortest < 2.0 {
                    found += 1;
                    assert!(((apart + cell.shift(cell.nearest(apart))).length() - shortest).abs() < 1e-12);
                }
            }
            assert!(found > 200);
        }
    }

    #[test]
    fn images_around_the_cell_are_all_that_lie_within_the_margin() {
        for tilt in [0.0, 0.7, -1.9, 11.3] {
            let cell = sheared(tilt);
            for k in 0..50 {
                let x = DVec2::new(-1.0 + 4.0 * (k as f64 / 50.0), 2.0 + 5.0 * ((k * 7 % 50) as f64 / 50.0));
                let mut around = Vec::new();
                cell.around(x, 1.5, |image, at| {
                    assert_eq!(at, x + cell.shift(image));
                    around.push(image);
                });
                let images = (-9..=9).flat_map(|i| (-4..=4).map(move |j| [i, j, 0])).filter(|image| *image != SELF);
                let is_near = |image: &Image| {
                    let at = x + cell.shift(*image);
                    (-2.5..=4.5).contains(&at.x) && (0.5..=8.5).contains(&at.y)
                };
                let mut expected: Vec<Image> = images.filter(is_near).collect();
                around.sort();
                expected.sort();
                assert_eq!(around, expected, "tilt {tilt}");
            }
        }
    }

    #[test]
    fn axes_without_images_stay_as_they_are() {
        let cell = Cell::<D3>::new(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), [false, true, false]);
        let x = DVec3::new(-7.0, -0.5, 8.0);
        assert_eq!(cell.wrap(x), DVec3::new(-7.0, 1.5, 8.0));
        assert_eq!(cell.nearest(DVec3::new(9.0, 1.5, 9.0)), [0, -1, 0]);
        assert_eq!(cell.axes().collect::<Vec<_>>(), [1]);
        assert!(!cell.is_moving());
    }

    #[test]
    fn a_medium_that_moves_with_the_lattice_is_carried_along() {
        let before = sheared(0.3);
        let mut now = Cell { stretching: DVec2::new(0.1, -0.2), ..before.clone() };
        now.drift(0.5);
        // 0.1 1/s x 5 m over 0.5 s, and the tilt itself grows by 0.05 / 4 of it
        assert!((now.tilt - 0.3 * (1.0 + 0.0125) - 0.25).abs() < 1e-15 && now.lengths == DVec2::new(4.05, 4.9));
        // lattice vectors are carried onto lattice vectors
        for image in [[1, 0, 0], [0, 1, 0], [2, -3, 0]] {
            let carried = now.carried(&before, before.origin + before.shift(image));
            assert!((carried - now.origin - now.shift(image)).length() < 1e-12);
        }
        let strain = now.strain_since(&before);
        for k in 0..20 {
            let r = DVec2::from_angle(k as f64);
            assert!((now.carried(&before, before.origin + r) - before.origin - r).length() <= strain + 1e-12);
        }
        assert_eq!(now.strain_since(&now), 0.0);
    }
}
