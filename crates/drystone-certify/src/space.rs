//! Plain vectors of three numbers: the arithmetic of this second implementation.

/// A vector of space; in 2D the third number is zero.
pub(crate) type Vec3 = [f64; 3];

/// a + b.
pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a - b.
pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a times a number.
pub(crate) fn scale(a: Vec3, s: f64) -> Vec3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// Scalar product.
pub(crate) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length, also of forces so small that their squares are zero.
pub(crate) fn norm(a: Vec3) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_neither_vanish_nor_overflow() {
        for size in [1e-200, 1.0, 1e200] {
            assert!((norm([2.0 * size, 3.0 * size, -6.0 * size]) / (7.0 * size) - 1.0).abs() < 1e-15);
        }
        assert!(norm([0.0, f64::NAN, 1.0]).is_nan());
        assert_eq!(cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
    }
}
