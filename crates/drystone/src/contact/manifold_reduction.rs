//! Reduction of the contact manifold of two faces to four points that lie well apart, around the centre of pressure.
//!
//! Three points around the centre of pressure carry every force that all corners of the shared area together carry. So
//! four are enough, as long as they surround it. A corner that is left out and would penetrate is added within the step
//! (see `World::predicted`); its impulse moves the centre of pressure, and the next reduction keeps it.

use glam::DVec3;

use super::rotated::in_space3;
use super::{Contact, ContactKey, Network};
use crate::dim::{Dim, Vector};

/// Number of points that the contact of two faces keeps.
pub(crate) const MAX_POINTS: usize = 4;

/// Two faces lie on each other if the gaps at the corners differ by less than this fraction of the size of the area:
/// the largest tilt of a face against the contact normal.
const FLAT: f64 = 1e-3;

/// The points of the last step stay until others span an area larger by this fraction. A change costs sweeps, but no
/// accuracy.
const STAYS: f64 = 0.1;

/// How far outside of a triangle the centre of pressure may be by rounding, relative to the area of the triangle.
const ROUNDING: f64 = 1e-9;

/// A corner that may be chosen.
#[derive(Clone, Copy, Debug)]
struct Corner {
    at: DVec3,
    /// Whether it was a contact in the last step.
    is_known: bool,
    /// Normal impulse that it carried [N s].
    load: f64,
}

/// Removes all but four of the contacts of a pair, which begin at index `first`, if two faces lie on each other.
pub(crate) fn reduce<D: Dim>(contacts: &mut Vec<Contact<D>>, first: usize, old: &Network<D>) {
    let pair = &contacts[first..];
    let corners: Vec<Corner> = pair.iter().map(|contact| corner(contact, old)).collect();
    let size = corners.iter().map(|corner| corner.at.distance(corners[0].at)).fold(0.0, f64::max);
    let gaps = pair.iter().map(|contact| contact.gap);
    let (low, high) = gaps.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), gap| (low.min(gap), high.max(gap)));
    if high - low > FLAT * size {
        return;
    }
    let chosen = choose(&corners, in_space3(pair[0].normal));
    let mut number = 0;
    contacts.retain(|_| {
        number += 1;
        number <= first || chosen.contains(&(number - 1 - first))
    });
}

fn corner<D: Dim>(contact: &Contact<D>, old: &Network<D>) -> Corner {
    let find = |key: &ContactKey| old.contacts.binary_search_by_key(key, |before| before.key).ok();
    let before = find(&contact.key);
    let load = before.map_or(0.0, |k| old.memory[k].impulse.dot(old.contacts[k].normal));
    Corner { at: in_space3(contact.arm_b), is_known: before.is_some(), load }
}

/// The four corners that span the largest area around the centre of pressure, or those of the last step if they span
/// nearly as much.
fn choose(corners: &[Corner], normal: DVec3) -> Vec<usize> {
    let (mut centre, mut load) = (DVec3::ZERO, 0.0);
    for corner in corners {
        centre += corner.at * corner.load;
        load += corner.load;
    }
    let centre = (load > 0.0).then(|| centre / load);
    let all: Vec<usize> = (0..corners.len()).collect();
    let known: Vec<usize> = all.iter().copied().filter(|k| corners[*k].is_known).collect();
    let Some(widest) = widest(corners, &all, normal, centre) else { return all };
    match self::widest(corners, &known, normal, centre) {
        Some(stays) if stays.area >= (1.0 - STAYS) * widest.area => stays.corners,
        _ => widest.corners,
    }
}

/// Some of the corners, and the area that they span.
struct Span {
    area: f64,
    corners: Vec<usize>,
}

/// The largest quadrangle of these corners around the centre, or the largest triangle if there is none. For every
/// diagonal it takes the furthest corner on the side of the centre and the furthest on the other side.
fn widest(corners: &[Corner], of: &[usize], normal: DVec3, centre: Option<DVec3>) -> Option<Span> {
    let area = |i: usize, j: usize, x: DVec3| {
        let (p, q) = (corners[i].at, corners[j].at);
        normal.dot((q - p).cross(x - p))
    };
    let mut best: Option<Span> = None;
    for (place, &i) in of.iter().enumerate() {
        for &j in &of[place + 1..] {
            let side = centre.map_or(0.0, |centre| area(i, j, centre));
            let holds = |k: usize, whole: f64| {
                let is_within =
                    |p: usize, q: usize, x: DVec3| area(p, q, x) * whole.signum() >= -ROUNDING * whole.abs();
                centre.is_none_or(|x| is_within(i, j, x) && is_within(j, k, x) && is_within(k, i, x))
            };
            let (mut left, mut right) = ((0.0, i), (0.0, i));
            for &k in of.iter().filter(|k| **k != i && **k != j) {
                let whole = area(i, j, corners[k].at);
                let counts = whole * side <= 0.0 || holds(k, whole);
                let best = if whole > 0.0 { &mut left } else { &mut right };
                if counts && whole.abs() > best.0 {
                    *best = (whole.abs(), k);
                }
            }
            // the side of the centre must be held
            let is_held = side == 0.0 || if side > 0.0 { left.0 > 0.0 } else { right.0 > 0.0 };
            let whole = left.0 + right.0;
            if is_held && whole > best.as_ref().map_or(0.0, |best| best.area) {
                let mut chosen = vec![i, j];
                chosen.extend([left, right].iter().filter(|(area, _)| *area > 0.0).map(|(_, k)| *k));
                chosen.sort_unstable();
                best = Some(Span { area: whole, corners: chosen });
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of a regular polygon, with loads.
    fn ring(loads: &[f64], known: &[usize]) -> Vec<Corner> {
        let corner = |(k, load): (usize, &f64)| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / loads.len() as f64).sin_cos();
            Corner { at: DVec3::new(cos, sin, 0.3), is_known: known.contains(&k), load: *load }
        };
        loads.iter().enumerate().map(corner).collect()
    }

    #[test]
    fn four_corners_of_an_octagon_are_those_of_a_square_and_stay() {
        let first = choose(&ring(&[0.0; 8], &[]), DVec3::Z);
        assert!(first == [0, 2, 4, 6] || first == [1, 3, 5, 7], "{first:?}");
        for known in [vec![0, 2, 4, 6], vec![1, 3, 5, 7]] {
            assert_eq!(choose(&ring(&[0.0; 8], &known), DVec3::Z), known);
            assert_eq!(choose(&ring(&[0.0; 8], &known), DVec3::NEG_Z), known);
        }
    }

    #[test]
    fn the_centre_of_pressure_is_inside() {
        // all the load between two neighbours: both are needed
        let mut loads = [0.0; 8];
        (loads[2], loads[3]) = (1.0, 1.0);
        let chosen = choose(&ring(&loads, &[0, 2, 4, 6, 3]), DVec3::Z);
        assert!(chosen.contains(&2) && chosen.contains(&3) && chosen.len() == 4, "{chosen:?}");
        // a load on one corner: it is one of the four
        let mut loads = [0.0; 8];
        loads[5] = 1.0;
        let chosen = choose(&ring(&loads, &[0, 2, 4, 6, 5]), DVec3::Z);
        assert!(chosen.contains(&5) && chosen.len() == 4, "{chosen:?}");
        // a pentagon loses one corner, and none that is needed
        let chosen = choose(&ring(&[1.0, 0.0, 0.0, 0.0, 1.0], &[0, 4]), DVec3::Z);
        assert!(chosen.contains(&0) && chosen.contains(&4) && chosen.len() == 4, "{chosen:?}");
    }
}
