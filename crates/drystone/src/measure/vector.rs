//! Vectors of space as frames hold them; in the plane the third component is zero.

/// Sum of two vectors.
pub fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Difference of two vectors.
pub fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// A vector times a number.
pub fn times(a: [f64; 3], by: f64) -> [f64; 3] {
    a.map(|x| x * by)
}

/// Scalar product.
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length of a vector.
pub fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}
