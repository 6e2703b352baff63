//! Studies of the methods themselves: how sweeps carry forces through chains and packings, what soft laws make of an
//! oblique impact.
//!
//! The commands `drystone study` and `drystone impact` draw the figures, the validation compares the numbers.

pub mod chain;
pub mod impact;
pub mod packing;
pub mod trace;

/// Slope of the straight line through points, by least squares.
pub fn slope(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let (count, x, y) = points.clone().fold((0.0, 0.0, 0.0), |(n, x, y), (a, b)| (n + 1.0, x + a, y + b));
    let (x, y) = (x / count, y / count);
    let (up, over) = points.fold((0.0, 0.0), |(up, over), (a, b)| (up + (a - x) * (b - y), over + (a - x) * (a - x)));
    up / over
}

/// Exponent of a power law through points: the slope of their logarithms.
pub fn exponent(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    slope(points.map(|(x, y)| (x.ln(), y.ln())))
}

/// Pearson's correlation of two columns, between -1 and 1.
pub fn correlation(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let back = points.clone().map(|(x, y)| (y, x));
    let forth = slope(points);
    forth.signum() * (forth * slope(back)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_powers_are_found() {
        let line = [(0.0, 1.0), (1.0, 3.0), (5.0, 11.0)].into_iter();
        assert!((slope(line.clone()) - 2.0).abs() < 1e-14);
        assert!((correlation(line.map(|(x, y)| (x, -y))) + 1.0).abs() < 1e-14);
        assert!((exponent([(1.0, 3.0), (2.0, 12.0), (10.0, 300.0)].into_iter()) - 2.0).abs() < 1e-14);
        // x and y = x^2 on a symmetric set have nothing to do with each other
        assert_eq!(slope([(-1.0, 1.0), (0.0, 0.0), (1.0, 1.0)].into_iter()), 0.0);
    }
}
