//! Bumps on a plane: a rough plate, as if grains were glued to it.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::mesh::MESH;
use super::patch::Scene;
use crate::dim::{Dim, Vector};
use crate::input::quantity::Length;
use crate::input::value::POSITIVE;
use crate::list::record;

record! {
    /// Half disks (2D) or half spheres (3D) with their centres on the plane: a row, or a square lattice.
    pub struct Rough {
        /// Radius of the bumps.
        radius: Length where POSITIVE,
        /// Distance of the centres of neighbours. One of them stands at `point`.
        spacing: Length where POSITIVE,
    }
}

/// Bumps are numbered modulo this along each tangent: no grain reaches across so many of them.
const PERIOD: i64 = 1 << 10;

/// Chords of a quarter of a bump in pictures, and of its outline in space.
const CHORDS: [usize; 2] = [4, 8];

/// Bumps that are drawn at most; in a wider scene they would be smaller than a dot.
const MOST_DRAWN: f64 = 1e5;

/// Tangents of a plane, the second of them zero in two dimensions.
fn tangents<D: Dim>(normal: D::Vec) -> [D::Vec; 2] {
    let tangents = D::tangents(normal);
    [tangents[0], tangents.get(1).copied().unwrap_or(D::Vec::ZERO)]
}

impl Rough {
    /// Numbers of the bumps whose centres lie no further than `far` from `at` along a tangent.
    fn numbers(&self, at: f64, far: f64) -> std::ops::RangeInclusive<i64> {
        ((at - far) / *self.spacing).ceil() as i64..=((at + far) / *self.spacing).floor() as i64
    }

    /// Calls `each` with the numbers and the centre of every bump that lies no further than `far` from `from` along
    /// both tangents; positions are relative to the point of the plane.
    fn bumps<D: Dim>(&self, from: D::Vec, normal: D::Vec, far: f64, mut each: impl FnMut([i64; 2], D::Vec)) {
        let [t, s] = tangents::<D>(normal);
        let others = if D::DIMENSION == 2 { 0..=0 } else { self.numbers(from.dot(s), far) };
        for i in self.numbers(from.dot(t), far) {
            for j in others.clone() {
                each([i, j], t * (i as f64 * *self.spacing) + s * (j as f64 * *self.spacing));
            }
        }
    }

    /// As [`super::Boundary::near`], for the bumps alone, and a position relative to the point of the plane.
    pub fn near<D: Dim>(&self, from: D::Vec, normal: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        let far = reach + *self.radius;
        if from.dot(normal).abs() >= far {
            return;
        }
        let mut met = Vec::new();
        self.bumps::<D>(from, normal, far, |[i, j], centre| {
            let across = from - centre;
            let distance = across.norm();
            if distance > 0.0 && distance < far {
                let number = (i.rem_euclid(PERIOD) * PERIOD + j.rem_euclid(PERIOD)) as u32;
                met.push((MESH | number, across * (1.0 / distance), distance - *self.radius));
            }
        });
        met.sort_unstable_by_key(|(face, ..)| *face);
        met.into_iter().for_each(|(face, normal, distance)| meet(face, normal, distance));
    }

    /// The bumps as chords (2D) or facets (3D). Only chords and facets that lie wholly in the scene are drawn.
    pub fn faces<D: Dim>(&self, point: D::Vec, normal: D::Vec, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let [t, s] = tangents::<D>(normal);
        let [up, round] = CHORDS;
        let place = |centre: D::Vec, rise: f64, turn: f64| {
            let out = t * (rise.sin() * turn.cos()) + s * (rise.sin() * turn.sin());
            point + centre + (normal * rise.cos() + out) * *self.radius
        };
        let mut faces = Vec::new();
        let middle = (scene.min + scene.max) * 0.5 - point;
        let far = 0.5 * (scene.max - scene.min).norm() + *self.radius;
        if (2.0 * far / *self.spacing + 1.0).powi(D::DIMENSION as i32 - 1) > MOST_DRAWN {
            return faces; // a grain has flown off: the plane alone is drawn
        }
        self.bumps::<D>(middle, normal, far, |_, centre| {
            let ring = |k: usize| FRAC_PI_2 * k as f64 / up as f64;
            let whole: Vec<Vec<D::Vec>> = match D::DIMENSION {
                2 => {
                    let chord =
                        |k: usize| [ring(k), ring(k + 1)].map(|rise| place(centre, rise - FRAC_PI_2, 0.0)).into();
                    (0..2 * up).map(chord).collect()
                }
                _ => {
                    let turn = |k: usize| TAU * k as f64 / round as f64;
                    let facet = |k: usize, l: usize| {
                        let corners = [(k, l), (k, l + 1), (k + 1, l + 1), (k + 1, l)];
                        corners[usize::from(k == 0)..].iter().map(|(k, l)| place(centre, ring(*k), turn(*l))).collect()
                    };
                    (0..up).flat_map(|k| (0..round).map(move |l| (k, l))).map(|(k, l)| facet(k, l)).collect()
                }
            };
            faces.extend(whole.into_iter().filter(|face| face.iter().all(|corner| scene.holds(*corner))));
        });
        faces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::input::quantity::Quantity;
    use glam::{DVec2, DVec3};

    fn bumps(radius: f64, spacing: f64) -> Rough {
        Rough { radius: Quantity(radius), spacing: Quantity(spacing) }
    }

    /// Disks of radius 1 side by side: one in the pocket between two of them touches both, sqrt(3) above their centres.
    /// A million million bumps would not fit into memory, nor into a picture.
    #[test]
    fn a_scene_without_end_shows_no_bumps() {
        let scene = |half: f64| Scene { min: DVec2::splat(-half), max: DVec2::splat(half) };
        assert!(!bumps(1.0, 2.0).faces::<D2>(DVec2::ZERO, DVec2::Y, &scene(10.0)).is_empty());
        assert!(bumps(1.0, 2.0).faces::<D2>(DVec2::ZERO, DVec2::Y, &scene(1e12)).is_empty());
    }

    #[test]
    fn a_disk_rests_in_the_pocket_between_two_bumps() {
        let mut met = Vec::new();
        let from = DVec2::new(1001.0, 3.0_f64.sqrt());
        bumps(1.0, 2.0).near::<D2>(from, DVec2::Y, 1.0 + 1e-9, &mut |face, n, d| met.push((face, n, d)));
        assert_eq!(met.len(), 2, "one above the middle of two bumps meets two");
        assert!(met[0].0 != met[1].0, "they have names of their own");
        assert!(met.iter().all(|(_, n, d)| (d - 1.0).abs() < 1e-12 && (n.y - 0.75_f64.sqrt()).abs() < 1e-12));
        assert!((met[0].1.x + met[1].1.x).abs() < 1e-12, "on both sides");
        // also where the numbers start anew
        let from = DVec2::new(-1.0, 3.0_f64.sqrt());
        let mut faces = Vec::new();
        bumps(1.0, 2.0).near::<D2>(from, DVec2::Y, 1.0 + 1e-9, &mut |face, _, _| faces.push(face));
        assert!(
            faces.len() == 2 && faces.is_sorted(),
            "contacts of a pair come in the order of their names: {faces:?}"
        );
    }

    /// In the middle of four spheres of a square lattice the height is sqrt(2).
    #[test]
    fn a_sphere_rests_between_four() {
        let mut count = 0;
        let from = DVec3::new(-7.0, 5.0, 2.0_f64.sqrt());
        bumps(1.0, 2.0).near::<D3>(from, DVec3::Z, 1.0 + 1e-9, &mut |_, n, d| {
            count += 1;
            assert!((d - 1.0).abs() < 1e-12 && (n.z - 0.5_f64.sqrt()).abs() < 1e-12);
        });
        assert_eq!(count, 4);
    }
}
