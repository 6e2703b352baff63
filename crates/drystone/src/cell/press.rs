//! A cell that follows a stress: its lengths and its shear are unknowns with an inertia, like the place of a piston.

use super::{Cell, CellShear, Image, times};
use crate::dim::{Dim, Vector};

/// A stress that a cell follows.
///
/// M L'' = sum over contacts across the border of f_k s_k / L_k - sigma_k V / L_k, for every axis k that follows; s is the
/// vector of the lattice that the contact reaches across. At rest the sum is V / L_k times the stress of Love and Weber.
/// Images one cell across slide along with c: M c' = sum of f_along n_across + tau V / L_across, where the contact reaches
/// n_across cells across.
#[derive(Clone, Debug, PartialEq)]
pub struct StressControl<D: Dim> {
    /// Inertia M of each length, and of the sliding [kg].
    pub mass: f64,
    /// Normal stresses along the axes, compression positive [Pa].
    pub stress: D::Vec,
    /// Shear stress tau that drags images across along, if the shear follows it [Pa].
    pub shear: Option<f64>,
    /// Axes whose lengths follow.
    pub follows: [bool; 3],
    /// Length of 2D bodies in the third direction [m]; 1 in space.
    pub depth: f64,
}

/// How a lattice changes, or what makes it change: of its lengths, and of images that slide.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellMotion<D: Dim> {
    /// How fast the lengths grow [m/s].
    pub stretching: D::Vec,
    /// How fast images one cell across move along [m/s].
    pub sliding: f64,
}

impl<D: Dim> CellMotion<D> {
    /// This and `factor` times another.
    pub fn plus(&self, other: &CellMotion<D>, factor: f64) -> CellMotion<D> {
        CellMotion {
            stretching: self.stretching + other.stretching * factor,
            sliding: self.sliding + other.sliding * factor,
        }
    }

    /// Times a number.
    pub fn times(&self, factor: f64) -> CellMotion<D> {
        CellMotion::default().plus(self, factor)
    }

    /// Sum of the products of all components: power, if one of them is a force.
    pub fn dot(&self, other: &CellMotion<D>) -> f64 {
        self.stretching.dot(other.stretching) + self.sliding * other.sliding
    }
}

/// The part that an image takes in what follows a stress.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share<D: Dim> {
    /// Of the growth of the lengths: s_k / L_k, zero along axes that do not follow.
    pub arm: D::Vec,
    /// Of the sliding: how many cells across, along; zero if the shear does not follow.
    pub slide: D::Vec,
}

impl<D: Dim> Share<D> {
    /// Velocity of the image by what follows [m/s].
    pub fn velocity(&self, motion: &CellMotion<D>) -> D::Vec {
        times(self.arm, motion.stretching) + self.slide * motion.sliding
    }

    /// What a force on the image, or an impulse, does to what follows.
    pub fn load(&self, force: D::Vec) -> CellMotion<D> {
        CellMotion { stretching: times(self.arm, force), sliding: self.slide.dot(force) }
    }
}

impl<D: Dim> Cell<D> {
    /// How the lattice changes now.
    pub fn motion(&self) -> CellMotion<D> {
        CellMotion { stretching: self.stretching, sliding: self.sliding() }
    }

    /// Lets the lattice change otherwise; the shear only where it follows a stress.
    pub fn set_motion(&mut self, motion: &CellMotion<D>) {
        self.stretching = motion.stretching;
        self.keep_sliding(motion.sliding);
    }

    /// How fast images one cell across move along [m/s].
    pub(super) fn sliding(&self) -> f64 {
        self.shear.map_or(0.0, |CellShear { across, .. }| self.rate * self.lengths.get(across))
    }

    /// Sets the rate so that images slide like this, if the shear follows a stress: their velocity has the inertia.
    pub(super) fn keep_sliding(&mut self, sliding: f64) {
        if let (Some(CellShear { across, .. }), true) = (self.shear, self.follows_shear()) {
            self.rate = sliding / self.lengths.get(across);
        }
    }

    /// Whether the shear follows a stress.
    pub fn follows_shear(&self) -> bool {
        self.press.as_ref().is_some_and(|press| press.shear.is_some())
    }

    /// The part that an image takes in what follows a stress; `None` if it takes none.
    pub fn share(&self, image: Image) -> Option<Share<D>> {
        let press = self.press.as_ref()?;
        let arm = self.arm(self.shift(image));
        let arm = D::Vec::from_fn(|axis| if press.follows[axis] { arm.get(axis) } else { 0.0 });
        let slide = D::Vec::from_fn(|axis| match self.shear {
            Some(CellShear { along, across }) if along == axis && press.shear.is_some() => f64::from(image[across]),
            _ => 0.0,
        });
        (arm != D::Vec::ZERO || slide != D::Vec::ZERO).then_some(Share { arm, slide })
    }

    /// Forces of the stress on what follows it [N]: - sigma_k V / L_k, and tau V / L_across.
    pub fn pull(&self) -> CellMotion<D> {
        let Some(press) = &self.press else { return CellMotion::default() };
        let volume = self.volume() * press.depth;
        let stretching = D::Vec::from_fn(|axis| match press.follows[axis] {
            true => -press.stress.get(axis) * volume / self.lengths.get(axis),
            false => 0.0,
        });
        let sliding = match (self.shear, press.shear) {
            (Some(CellShear { across, .. }), Some(stress)) => stress * volume / self.lengths.get(across),
            _ => 0.0,
        };
        CellMotion { stretching, sliding }
    }

    /// Kinetic energy of what follows a stress [J].
    pub fn kinetic_energy(&self) -> f64 {
        let Some(press) = &self.press else { return 0.0 };
        let lengths =
            (0..D::DIMENSION).filter(|axis| press.follows[*axis]).map(|axis| self.stretching.get(axis).powi(2));
        let sliding = if press.shear.is_some() { self.sliding().powi(2) } else { 0.0 };
        0.5 * press.mass * (lengths.sum::<f64>() + sliding)
    }
}
