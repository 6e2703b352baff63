//! Stress control of a cell: its lengths and its shear are unknowns with an inertia, like the position of a piston.

use super::{Cell, CellShear, Image, times};
use crate::dim::{Dim, Vector};

/// A stress that a cell follows.
///
/// M L'' = sum over contacts across the border of f_k s_k / L_k - sigma_k V / L_k, for every axis k that follows; s is
/// the lattice vector between the two images in contact. At rest the sum is V / L_k times the Love-Weber stress. Images
/// one cell across move along with the velocity c: M c' = sum of f_along n_across + tau V / L_across, where a contact
/// reaches n_across cells across.
#[derive(Clone, Debug, PartialEq)]
pub struct StressControl<D: Dim> {
    /// Inertia M of each length, and of the shear motion [kg].
    pub mass: f64,
    /// Normal stresses along the axes, compression positive [Pa].
    pub stress: D::Vec,
    /// Shear stress tau on the images across, if the shear follows it [Pa].
    pub shear: Option<f64>,
    /// Axes whose lengths follow.
    pub follows: [bool; 3],
    /// Length of 2D bodies in the third direction [m]; 1 in space.
    pub depth: f64,
}

/// Rates of the lengths and of the shear of a lattice, or the forces on them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellMotion<D: Dim> {
    /// Rates of the lengths [m/s].
    pub stretching: D::Vec,
    /// Velocity of images one cell across, along the shear direction [m/s].
    pub sliding: f64,
}

impl<D: Dim> CellMotion<D> {
    /// Adds `factor` times another one.
    pub fn plus(&self, other: &CellMotion<D>, factor: f64) -> CellMotion<D> {
        CellMotion {
            stretching: self.stretching + other.stretching * factor,
            sliding: self.sliding + other.sliding * factor,
        }
    }

    /// Multiplies by a number.
    pub fn times(&self, factor: f64) -> CellMotion<D> {
        CellMotion::default().plus(self, factor)
    }

    /// Sum of the products of all components: power, if one of them is a force.
    pub fn dot(&self, other: &CellMotion<D>) -> f64 {
        self.stretching.dot(other.stretching) + self.sliding * other.sliding
    }
}

/// How the velocity of a periodic image depends on lengths and shear that follow a stress.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share<D: Dim> {
    /// On the rates of the lengths: s_k / L_k, zero along axes that do not follow.
    pub arm: D::Vec,
    /// On the shear velocity: along the shear direction, the number of cells across; zero if the shear does not follow.
    pub slide: D::Vec,
}

impl<D: Dim> Share<D> {
    /// Velocity of the image for given rates of lengths and shear [m/s].
    pub fn velocity(&self, motion: &CellMotion<D>) -> D::Vec {
        times(self.arm, motion.stretching) + self.slide * motion.sliding
    }

    /// Generalised force (or impulse) on lengths and shear of a force (or impulse) on the image.
    pub fn load(&self, force: D::Vec) -> CellMotion<D> {
        CellMotion { stretching: times(self.arm, force), sliding: self.slide.dot(force) }
    }
}

impl<D: Dim> Cell<D> {
    /// Present rates of lengths and shear.
    pub fn motion(&self) -> CellMotion<D> {
        CellMotion { stretching: self.stretching, sliding: self.sliding() }
    }

    /// Sets the rates of the lengths, and of the shear if it follows a stress.
    pub fn set_motion(&mut self, motion: &CellMotion<D>) {
        self.stretching = motion.stretching;
        self.keep_sliding(motion.sliding);
    }

    /// Velocity of images one cell across, along the shear direction [m/s].
    pub(super) fn sliding(&self) -> f64 {
        self.shear.map_or(0.0, |CellShear { across, .. }| self.rate * self.lengths.get(across))
    }

    /// Sets the shear rate for a given velocity of the images, if the shear follows a stress: it is this velocity that
    /// has an inertia.
    pub(super) fn keep_sliding(&mut self, sliding: f64) {
        if let (Some(CellShear { across, .. }), true) = (self.shear, self.follows_shear()) {
            self.rate = sliding / self.lengths.get(across);
        }
    }

    /// Whether the shear follows a stress.
    pub fn follows_shear(&self) -> bool {
        self.press.as_ref().is_some_and(|press| press.shear.is_some())
    }

    /// How the velocity of an image depends on lengths and shear that follow a stress; `None` if it does not.
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

    /// Forces of the applied stress on lengths and shear [N]: - sigma_k V / L_k, and tau V / L_across.
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

    /// Kinetic energy of lengths and shear that follow a stress [J].
    pub fn kinetic_energy(&self) -> f64 {
        let Some(press) = &self.press else { return 0.0 };
        let lengths =
            (0..D::DIMENSION).filter(|axis| press.follows[*axis]).map(|axis| self.stretching.get(axis).powi(2));
        let sliding = if press.shear.is_some() { self.sliding().powi(2) } else { 0.0 };
        0.5 * press.mass * (lengths.sum::<f64>() + sliding)
    }
}
