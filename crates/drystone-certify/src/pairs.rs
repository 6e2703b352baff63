//! Neighbours: pairs of grains that may have met within the step, and grains near the faces of walls.

use super::space::{Vec3, add, norm, scale, sub};
use super::step::{Body, BodyPair, Step};

/// Two bodies that may have met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// The bodies.
    pub bodies: BodyPair,
    /// Which face of the wall; zero for two grains.
    pub face: usize,
    /// Unit normal from a to b, where contacts were found.
    pub normal: Vec3,
    /// Gap there [m].
    pub gap: f64,
    /// Gap at the end of the step [m].
    pub gap_at_end: f64,
}

/// All pairs that could close their gap in the step, at least one of which can move.
pub(crate) fn near(step: &Step) -> Vec<Near> {
    let grains = &step.frame.grains;
    let of = |k: usize| {
        let growth = step.growth(Body::Grain(k)) * grains.radius[k];
        grains.radius[k] + (norm(grains.velocity[k]) + growth) * step.frame.time_step
    };
    let reach: Vec<f64> = (0..grains.radius.len()).map(of).collect();
    let mut pairs = Vec::new();
    for (i, j) in with_images(step, &reach) {
        if step.is_movable(Body::Grain(i)) || step.is_movable(Body::Grain(j)) {
            let [apart, at_end] = step.apart(i, j);
            let (distance, touching) = (norm(apart), grains.radius[i] + grains.radius[j]);
            if distance < reach[i] + reach[j] {
                pairs.push(Near {
                    bodies: BodyPair { a: Body::Grain(i), b: Body::Grain(j) },
                    face: 0,
                    normal: scale(apart, 1.0 / distance),
                    gap: distance - touching,
                    gap_at_end: norm(at_end) - [i, j].map(|k| step.radius_at_end(Body::Grain(k))).iter().sum::<f64>(),
                });
            }
        }
    }
    near_walls(step, &reach, &mut pairs);
    pairs
}

/// Pairs i < j of grains whose boxes overlap, or overlap the box of an image in a periodic cell.
fn with_images(step: &Step, reach: &[f64]) -> Vec<(usize, usize)> {
    let Some(lattice) = step.lattice_found() else { return overlapping_boxes(&step.found, reach) };
    // images move against each other, too
    let moved = 0.5 * norm(lattice.jump([1.0; 3])) * step.frame.time_step;
    let reach: Vec<f64> = reach.iter().map(|reach| reach + moved).collect();
    let margin = 2.0 * reach.iter().copied().fold(0.0, f64::max);
    let home = |x: &Vec3| add(*x, lattice.shift(lattice.home(*x)));
    let mut centre: Vec<Vec3> = step.found.iter().map(home).collect();
    let (mut owner, mut half): (Vec<usize>, _) = ((0..centre.len()).collect(), reach.clone());
    for k in 0..reach.len() {
        for image in lattice.around(centre[k], margin) {
            centre.push(image);
            owner.push(k);
            half.push(reach[k]);
        }
    }
    let pairs = overlapping_boxes(&centre, &half).into_iter().map(|(i, j)| (owner[i], owner[j]));
    let mut pairs: Vec<_> = pairs.filter(|(i, j)| i != j).map(|(i, j)| (i.min(j), i.max(j))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn near_walls(step: &Step, reach: &[f64], pairs: &mut Vec<Near>) {
    let (grains, states) = (&step.frame.grains, &step.frame.wall_states);
    for (k, wall) in step.scene.walls.iter().enumerate().filter(|(k, _)| states.open[*k] == 0) {
        let (found, now) = (step.wall_found(k), states.displacement[k]);
        let travel = norm(states.velocity[k]) * step.frame.time_step;
        let touches = |grain: &usize| step.is_movable(Body::Wall(k)) || step.is_movable(Body::Grain(*grain));
        for grain in (0..reach.len()).filter(touches) {
            let (x, x_at_end) = (sub(step.found[grain], found), sub(grains.position[grain], now));
            let mut meet = |face: usize, (normal, height): (Vec3, f64), (_, at_end): (Vec3, f64)| {
                if height < reach[grain] + travel {
                    let gap = height - grains.radius[grain];
                    let gap_at_end = at_end - step.radius_at_end(Body::Grain(grain));
                    let bodies = BodyPair { a: Body::Wall(k), b: Body::Grain(grain) };
                    pairs.push(Near { bodies, face, normal, gap, gap_at_end });
                }
            };
            for (number, face) in wall.faces.iter().flatten().enumerate() {
                meet(number, face.below(x), face.below(x_at_end));
            }
            if let Some(bumps) = wall.bumps() {
                let spots = bumps.spots(x, reach[grain] + travel);
                spots.into_iter().for_each(|spot| meet(spot.number, bumps.below(spot, x), bumps.below(spot, x_at_end)));
            }
        }
    }
}

/// Cells that the largest box may cover along an axis, so that one fast grain does not fill the memory.
const MOST_CELLS: f64 = 16.0;

/// Pairs i < j of cubes with these centres and half widths that overlap: each cube is listed in every cell it covers,
/// and a pair counts in the one cell that holds the low corner of what both share.
fn overlapping_boxes(centre: &[Vec3], half: &[f64]) -> Vec<(usize, usize)> {
    let widest = half.iter().copied().fold(0.0, f64::max);
    let mean = half.iter().sum::<f64>() / half.len().max(1) as f64;
    let cell = (2.0 * mean).max(2.0 * widest / MOST_CELLS);
    if !(cell > 0.0 && cell.is_finite()) {
        return Vec::new();
    }
    let corner = |k: usize, sign: f64| -> Vec3 { std::array::from_fn(|axis| centre[k][axis] + sign * half[k]) };
    let cell_of = |x: Vec3| -> [i64; 3] { x.map(|x| (x / cell).floor() as i64) };
    let mut places: Vec<([i64; 3], usize)> = Vec::new();
    for k in (0..half.len()).filter(|k| centre[*k].iter().all(|x| x.is_finite())) {
        let (low, high) = (cell_of(corner(k, -1.0)), cell_of(corner(k, 1.0)));
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                places.extend((low[2]..=high[2]).map(|z| ([x, y, z], k)));
            }
        }
    }
    places.sort_unstable();
    let mut pairs = Vec::new();
    for group in places.chunk_by(|one, other| one.0 == other.0) {
        for (n, (here, i)) in group.iter().enumerate() {
            for (_, j) in &group[n + 1..] {
                let (low_i, low_j) = (corner(*i, -1.0), corner(*j, -1.0));
                let shared: Vec3 = std::array::from_fn(|axis| low_i[axis].max(low_j[axis]));
                let (high_i, high_j) = (corner(*i, 1.0), corner(*j, 1.0));
                let meet = (0..3).all(|axis| shared[axis] <= high_i[axis].min(high_j[axis]));
                if meet && cell_of(shared) == *here {
                    pairs.push((*i, *j));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    #[test]
    fn finds_the_pairs_that_a_double_loop_finds() {
        let mut rng = Pcg64::new(5, 3);
        let mut random = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let centre: Vec<Vec3> = (0..400).map(|_| [8.0 * random() - 4.0, 8.0 * random() - 4.0, random()]).collect();
        let half: Vec<f64> = (0..400).map(|k| if k == 7 { 3.0 } else { 0.02 + 0.3 * random() }).collect();
        let mut expected = Vec::new();
        for i in 0..400 {
            for j in i + 1..400 {
                if (0..3).all(|axis| (centre[i][axis] - centre[j][axis]).abs() <= half[i] + half[j]) {
                    expected.push((i, j));
                }
            }
        }
        assert!(expected.len() > 300);
        assert_eq!(overlapping_boxes(&centre, &half), expected);
        assert_eq!(overlapping_boxes(&[], &[]), []);
    }
}
