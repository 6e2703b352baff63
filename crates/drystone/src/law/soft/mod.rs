//! Laws of soft grains: forces from overlaps, rates and what the contact remembers.
//!
//! A law is a record of parameters, as a scenario writes it; a set of numbers found from it once; and a pure function of
//! them, the pair of grains, and the contact. Families: [`normal`], [`attraction`], [`tangential`], [`rolling`].

pub mod collision;
pub mod damping;
pub mod normal;

pub use normal::Normal;

/// What of a pair of grains enters its laws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Couple {
    /// Reduced mass m* = m1 m2 / (m1 + m2) [kg]; the mass of the grain at a wall.
    pub mass: f64,
    /// Reduced radius r* = r1 r2 / (r1 + r2) [m]; the radius of the grain at a flat wall.
    pub radius: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const UNIT: Couple = Couple { mass: 1.0, radius: 1.0 };

    /// Rows of numbers of a file of reference values, without its header.
    pub(super) fn csv(name: &str) -> Vec<Vec<f64>> {
        let path = format!("{}/tests/data/soft/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let row = |line: &str| line.split(',').map(|cell| cell.trim().parse().unwrap_or(f64::NAN)).collect();
        text.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect()
    }
}
