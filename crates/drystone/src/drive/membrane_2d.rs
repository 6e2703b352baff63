//! A membrane along one side of a sample in the plane: which disks it touches, and what part of the side each of them
//! carries.
//!
//! A disk is touched if the ray from its centre towards the membrane meets no other disk. The side between the plates
//! is divided among these disks: every height belongs to the nearest of their centres. A disk carries the pressure on
//! its share, normal to the side. The shares cover the side without gaps, whatever its shape, so together they carry
//! the pressure on all of it.

use glam::DVec3;

/// The side that a membrane covers: between two plates, along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membrane2d {
    /// A point of the line [m].
    pub origin: DVec3,
    /// Its direction.
    pub along: DVec3,
    /// Normal to it, towards the sample.
    pub inwards: DVec3,
    /// Positions of the plates along the line [m].
    pub heights: [f64; 2],
    /// Length of the discs in the third direction [m].
    pub depth: f64,
}

/// A disk in the coordinates of the membrane.
#[derive(Clone, Copy, Debug)]
struct Disc {
    number: usize,
    height: f64,
    /// Distance from the membrane, inwards [m].
    inside: f64,
    radius: f64,
}

impl Membrane2d {
    /// The areas that discs, given by centres and radii, carry: their numbers, and areas as vectors inwards [m2].
    pub fn shares(&self, discs: impl Iterator<Item = (DVec3, f64)>) -> Vec<(usize, DVec3)> {
        let seen = |(number, (x, radius)): (usize, (DVec3, f64))| {
            let from = x - self.origin;
            Disc { number, height: from.dot(self.along), inside: from.dot(self.inwards), radius }
        };
        let mut discs: Vec<Disc> = discs.enumerate().map(seen).collect();
        discs.sort_by(|one, other| one.height.total_cmp(&other.height));
        let outer = outer_discs(&discs);
        let [low, high] = self.heights;
        let border = |k: usize| 0.5 * (outer[k].height + outer[k + 1].height);
        let share = |k: usize| {
            let from = if k == 0 { low } else { border(k - 1).clamp(low, high) };
            let to = if k + 1 == outer.len() { high } else { border(k).clamp(low, high) };
            (outer[k].number, self.inwards * ((to - from) * self.depth))
        };
        (0..outer.len()).map(share).collect()
    }
}

/// Discs, sorted by height, whose rays outwards meet no other disc.
fn outer_discs(discs: &[Disc]) -> Vec<Disc> {
    let widest = discs.iter().map(|disc| disc.radius).fold(0.0, f64::max);
    let is_outer = |disc: &&Disc| {
        let first = discs.partition_point(|other| other.height <= disc.height - widest);
        let near = discs[first..].iter().take_while(|other| other.height < disc.height + widest);
        !near.into_iter().any(|other| (other.height - disc.height).abs() < other.radius && other.inside < disc.inside)
    };
    discs.iter().filter(is_outer).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: Membrane2d = Membrane2d {
        origin: DVec3::new(-1.0, 0.5, 0.0),
        along: DVec3::Y,
        inwards: DVec3::X,
        heights: [-0.5, 1.5],
        depth: 0.2,
    };

    #[test]
    fn a_disc_behind_another_carries_nothing_and_one_in_a_gap_does() {
        // plates at y = 0 and y = 2; the third disc is hidden by the first, the fourth is seen between the others
        let discs = [([0.0, 0.4], 0.3), ([0.1, 1.4], 0.3), ([0.5, 0.5], 0.3), ([0.9, 0.9], 0.3)];
        let shares = SIDE.shares(discs.iter().map(|([x, y], r)| (DVec3::new(*x, *y, 0.0), *r)));
        let expected = [(0, 0.65), (3, 0.5), (1, 0.85)];
        assert_eq!(shares.len(), 3);
        for ((number, area), (disc, length)) in shares.iter().zip(expected) {
            assert_eq!(*number, disc);
            assert!((*area - DVec3::X * length * 0.2).length() < 1e-15, "{disc}: {area}");
        }
    }

    #[test]
    fn shares_tile_the_side_whatever_its_shape() {
        let spread = |k: usize, step: f64| (k as f64 * step).fract();
        let place = |k: usize| (DVec3::new(spread(k, 0.618_033_9), 2.0 * spread(k, 0.414_213_5), 0.0), 0.02);
        let shares = SIDE.shares((0..300).map(place));
        assert!(shares.len() > 30);
        let sum: DVec3 = shares.iter().map(|(_, area)| *area).sum();
        assert!((sum - DVec3::X * 2.0 * 0.2).length() < 1e-14, "{sum}");
    }
}
