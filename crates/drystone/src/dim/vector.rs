//! Vectors of the plane and of space.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::{DVec2, DVec3};

/// A vector of the plane or of space, or the single spin of the plane. Vector first, scalar second: `v * s`.
pub trait Vector:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// The vector without length.
    const ZERO: Self;
    /// Number of components.
    const LEN: usize;
    /// Builds a vector from its components.
    fn from_fn(component: impl FnMut(usize) -> f64) -> Self;
    /// Component along an axis, 0 to `LEN` - 1.
    fn get(self, axis: usize) -> f64;
    /// Scalar product.
    fn dot(self, other: Self) -> f64;

    /// Square of the length.
    #[inline]
    fn norm_squared(self) -> f64 {
        self.dot(self)
    }
    /// Length.
    #[inline]
    fn norm(self) -> f64 {
        self.norm_squared().sqrt()
    }
    /// Whether no component is NaN or infinite.
    fn is_finite(self) -> bool {
        (0..Self::LEN).all(|axis| self.get(axis).is_finite())
    }
    /// The component along `normal` taken out: what lies in the tangent plane.
    #[inline]
    fn tangent_to(self, normal: Self) -> Self {
        self - normal * self.dot(normal)
    }
    /// The vector, shortened to `limit` if it is longer.
    #[inline]
    fn clamp_norm(self, limit: f64) -> Self {
        let norm = self.norm();
        if norm > limit { self * (limit / norm) } else { self }
    }
}

impl Vector for f64 {
    const ZERO: Self = 0.0;
    const LEN: usize = 1;
    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        component(0)
    }
    #[inline(always)]
    fn get(self, _: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self * other
    }
}

impl Vector for DVec2 {
    const ZERO: Self = DVec2::ZERO;
    const LEN: usize = 2;
    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        DVec2::new(component(0), component(1))
    }
    #[inline(always)]
    fn get(self, axis: usize) -> f64 {
        self[axis]
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

impl Vector for DVec3 {
    const ZERO: Self = DVec3::ZERO;
    const LEN: usize = 3;
    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        DVec3::new(component(0), component(1), component(2))
    }
    #[inline(always)]
    fn get(self, axis: usize) -> f64 {
        self[axis]
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

/// A vector with three components; in the plane the third is zero.
pub fn in_space<V: Vector>(v: V) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < V::LEN { v.get(axis) } else { 0.0 })
}
