//! The convex hull of points in space by gift wrapping: from every edge the next face is found by turning a plane about
//! it.
//!
//! A face includes all points of its plane, up to rounding, so that flat faces are not split. [Chand and Kapur 1970]

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec2Swizzles};

use super::polyhedron::PolyhedronFlaw;

/// Corners and faces of a hull: each face names its corners, counter-clockwise from outside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hull {
    /// The points that are corners, in their order.
    pub corners: Vec<DVec3>,
    /// The faces.
    pub faces: Vec<Vec<u32>>,
}

/// Largest number of corners: with more, contacts could not number their edges.
const MOST_CORNERS: usize = 1 << 12;

/// The hull of points whose coordinates have the relative rounding `rounding`.
pub(crate) fn hull(points: &[DVec3], rounding: f64) -> Result<Hull, PolyhedronFlaw> {
    if let Some(k) = points.iter().position(|point| !point.is_finite()) {
        return Err(PolyhedronFlaw::NotFinite(k + 1));
    }
    let middle = points.iter().fold(DVec3::ZERO, |sum, x| sum + *x) * (1.0 / points.len().max(1) as f64);
    let size = points.iter().map(|x| (*x - middle).length().max(x.abs().max_element())).fold(0.0, f64::max);
    let points = distinct(points, rounding * size);
    if points.len() < 4 {
        return Err(PolyhedronFlaw::TooFew(points.len()));
    }
    let wrap = Wrap { points: &points, near: 4.0 * rounding * size };
    let faces = wrap.faces()?;
    let mut number = vec![u32::MAX; points.len()];
    faces.iter().flatten().for_each(|k| number[*k] = 0);
    let mut corners = Vec::new();
    for (k, number) in number.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
        *number = corners.len() as u32;
        corners.push(points[k]);
    }
    if corners.len() > MOST_CORNERS {
        return Err(PolyhedronFlaw::TooMany(corners.len()));
    }
    let faces = faces.into_iter().map(|face| face.into_iter().map(|k| number[k]).collect()).collect();
    Ok(Hull { corners, faces })
}

/// The points without repetitions, in their order.
fn distinct(points: &[DVec3], near: f64) -> Vec<DVec3> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|p, q| points[*p].x.total_cmp(&points[*q].x).then(p.cmp(q)));
    let mut is_new = vec![true; points.len()];
    for (place, &k) in order.iter().enumerate() {
        let before = order[..place].iter().rev().take_while(|other| points[k].x - points[**other].x <= near);
        is_new[k] = !before.into_iter().any(|other| is_new[*other] && points[*other].distance(points[k]) <= near);
    }
    points.iter().zip(is_new).filter(|(_, is_new)| *is_new).map(|(point, _)| *point).collect()
}

struct Wrap<'p> {
    points: &'p [DVec3],
    /// Distances up to this one are rounding of the coordinates.
    near: f64,
}

impl Wrap<'_> {
    fn faces(&self) -> Result<Vec<Vec<usize>>, PolyhedronFlaw> {
        let first = self.first()?;
        if first.len() < 3 || self.points.iter().all(|x| self.height(&first, *x).abs() <= self.near) {
            return Err(PolyhedronFlaw::Flat);
        }
        // every directed edge of a face, and whether the face on its other side has been found
        let mut faces = vec![first];
        let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut next = 0;
        while next < faces.len() {
            let face = faces[next].clone();
            for (from, to) in rim(&face) {
                if edges.insert((from, to), next).is_some() {
                    return Err(PolyhedronFlaw::Untidy);
                }
            }
            for (from, to) in rim(&face) {
                let is_there = faces.iter().any(|other| rim(other).any(|edge| edge == (to, from)));
                if !is_there {
                    let found = self.beyond(from, to).filter(|found| rim(found).any(|edge| edge == (to, from)));
                    faces.push(found.ok_or(PolyhedronFlaw::Untidy)?);
                }
            }
            next += 1;
            if faces.len() > 2 * self.points.len() {
                return Err(PolyhedronFlaw::Untidy);
            }
        }
        let is_closed = edges.keys().all(|(from, to)| edges.contains_key(&(*to, *from)));
        let mut corners: Vec<usize> = faces.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        // Euler's formula
        if is_closed && corners.len() + faces.len() == edges.len() / 2 + 2 {
            Ok(faces)
        } else {
            Err(PolyhedronFlaw::Untidy)
        }
    }

    /// A first face: a plane parallel to the z axis is turned about the leftmost point, then about an edge.
    fn first(&self) -> Result<Vec<usize>, PolyhedronFlaw> {
        let order = |p: &DVec3, q: &DVec3| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z));
        let start = (0..self.points.len())
            .min_by(|p, q| order(&self.points[*p], &self.points[*q]))
            .ok_or(PolyhedronFlaw::Flat)?;
        let from = self.points[start].truncate();
        let mut end: Option<DVec2> = None;
        for point in self.points {
            let to = point.truncate() - from;
            if to.length() > self.near && end.is_none_or(|end| turns_right(end, to, self.near)) {
                end = Some(to);
            }
        }
        let along = end.ok_or(PolyhedronFlaw::Flat)?;
        let normal = DVec3::new(along.y, -along.x, 0.0) * (1.0 / along.length());
        let inside: Vec<usize> = self.in_plane(self.points[start], normal);
        match self.outline(&inside, normal) {
            face if face.len() >= 3 => Ok(face),
            // all on a line: an edge
            line if line.len() == 2 => self.beyond(line[1], line[0]).ok_or(PolyhedronFlaw::Flat),
            _ => Err(PolyhedronFlaw::Flat),
        }
    }

    fn in_plane(&self, origin: DVec3, normal: DVec3) -> Vec<usize> {
        let is_in = |k: &usize| (self.points[*k] - origin).dot(normal).abs() <= self.near;
        (0..self.points.len()).filter(is_in).collect()
    }

    /// The face on the other side of an edge that runs from one corner to another: no point is above its plane.
    fn beyond(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let (start, along) = (self.points[to], self.points[from] - self.points[to]);
        let line = along * (1.0 / along.length());
        let away = |x: DVec3| (x - start) - line * (x - start).dot(line);
        let mut best: Option<(DVec3, DVec3)> = None; // away from the edge, and the normal
        for x in self.points {
            let out = away(*x);
            let distance = out.length();
            if distance <= self.near {
                continue;
            }
            let is_better = best.is_none_or(|(known, normal)| {
                let above = out.dot(normal);
                above > self.near || (above >= -self.near && distance > known.length() && known.dot(out) > 0.0)
            });
            if is_better {
                best = Some((out, line.cross(out) * (1.0 / distance)));
            }
        }
        let (_, normal) = best?;
        let face = self.outline(&self.in_plane(start, normal), normal);
        (face.len() >= 3).then_some(face)
    }

    /// The outline of points of a plane, counter-clockwise about its normal. [Andrew 1979]
    fn outline(&self, inside: &[usize], normal: DVec3) -> Vec<usize> {
        let (t, s) = normal.any_orthonormal_pair();
        let flat = |k: usize| DVec2::new(self.points[k].dot(t), self.points[k].dot(s));
        // any pair of tangents, made right-handed
        let flat = |k: usize| if t.cross(s).dot(normal) > 0.0 { flat(k) } else { flat(k).yx() };
        let mut order = inside.to_vec();
        order.sort_by(|p, q| {
            let (p, q) = (flat(*p), flat(*q));
            if (p.x - q.x).abs() <= self.near { p.y.total_cmp(&q.y) } else { p.x.total_cmp(&q.x) }
        });
        let chain = |order: &mut dyn Iterator<Item = usize>| {
            let mut kept: Vec<usize> = Vec::new();
            for k in order {
                while kept.len() >= 2 {
                    let (a, b) = (flat(kept[kept.len() - 2]), flat(kept[kept.len() - 1]));
                    let (ab, ak) = (b - a, flat(k) - a);
                    // how far b is to the right of the line from a to k
                    if ak.perp_dot(ab) >= -self.near * ak.length() {
                        kept.pop();
                    } else {
                        break;
                    }
                }
                kept.push(k);
            }
            kept.pop();
            kept
        };
        let mut face = chain(&mut order.iter().copied());
        face.extend(chain(&mut order.iter().rev().copied()));
        face
    }

    fn height(&self, face: &[usize], x: DVec3) -> f64 {
        let corner = |k: usize| self.points[face[k % face.len()]];
        let normal = newell(&face.iter().map(|k| self.points[*k]).collect::<Vec<_>>());
        (x - corner(0)).dot(normal)
    }
}

/// Whether a vector of the plane is to the right of another, or along it and longer.
fn turns_right(end: DVec2, to: DVec2, near: f64) -> bool {
    let left = end.perp_dot(to) / end.length();
    left < -near || (left <= near && to.length() > end.length())
}

/// The directed edges of a face.
fn rim(face: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    face.iter().copied().zip(face.iter().copied().cycle().skip(1))
}

/// Unit normal of a polygon in space, from the sum of the areas of its triangles. [Newell]
pub(crate) fn newell(corners: &[DVec3]) -> DVec3 {
    let first = corners[0];
    let area = corners.windows(2).fold(DVec3::ZERO, |sum, pair| sum + (pair[0] - first).cross(pair[1] - first));
    area * (1.0 / area.length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    const ROUNDING: f64 = 8.0 * f64::EPSILON;

    #[test]
    fn a_cube_with_points_in_it_and_on_it_has_six_squares() {
        let mut points = Vec::new();
        for k in 0..27 {
            points.push(DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) * 0.1);
        }
        let hull = hull(&points, ROUNDING).unwrap();
        assert_eq!((hull.corners.len(), hull.faces.len()), (8, 6));
        assert!(hull.faces.iter().all(|face| face.len() == 4));
    }

    /// Compares with a brute search: a triple of points in general position is a face if no point is above it.
    #[test]
    fn random_points_have_the_hull_that_a_brute_search_finds() {
        let mut rng = Pcg64::new(3, 5);
        let mut unit = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        for count in [4, 5, 8, 20, 40] {
            let points: Vec<DVec3> = (0..count).map(|_| DVec3::new(unit(), unit(), unit())).collect();
            let hull = hull(&points, ROUNDING).unwrap();
            let mut expected = 0;
            for i in 0..count {
                for j in i + 1..count {
                    for k in j + 1..count {
                        let normal = (points[j] - points[i]).cross(points[k] - points[i]);
                        let above = |sign: f64| points.iter().all(|x| sign * normal.dot(*x - points[i]) <= 1e-14);
                        expected += usize::from(above(1.0) || above(-1.0));
                    }
                }
            }
            assert_eq!(hull.faces.len(), expected, "{count}");
            for face in &hull.faces {
                let corners: Vec<DVec3> = face.iter().map(|k| hull.corners[*k as usize]).collect();
                let normal = newell(&corners);
                assert!(points.iter().all(|x| normal.dot(*x - corners[0]) < 1e-14), "outwards");
            }
        }
    }

    #[test]
    fn turned_cubes_keep_their_squares() {
        let mut rng = Pcg64::new(3, 6);
        let mut unit = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        for _ in 0..200 {
            let turn = glam::DQuat::from_xyzw(unit(), unit(), unit(), unit()).normalize();
            let shift = DVec3::new(unit(), unit(), unit()) * 10.0;
            let corner = |k: u32| turn * DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) + shift;
            let hull = hull(&(0..8).map(corner).collect::<Vec<_>>(), ROUNDING).unwrap();
            assert_eq!((hull.corners.len(), hull.faces.len()), (8, 6));
        }
    }

    #[test]
    fn what_has_no_volume_has_no_hull() {
        let flat: Vec<DVec3> = (0..6).map(|k| DVec3::new(f64::from(k * k), f64::from(k), 0.3 * f64::from(k))).collect();
        assert_eq!(hull(&flat, ROUNDING).unwrap_err(), PolyhedronFlaw::Flat);
        let line: Vec<DVec3> = (0..6).map(|k| DVec3::new(1.0, 2.0, 3.0) * f64::from(k)).collect();
        assert_eq!(hull(&line, ROUNDING).unwrap_err(), PolyhedronFlaw::Flat);
        assert_eq!(hull(&[DVec3::X; 9], ROUNDING).unwrap_err(), PolyhedronFlaw::TooFew(1));
        assert_eq!(hull(&[DVec3::NAN], ROUNDING).unwrap_err(), PolyhedronFlaw::NotFinite(1));
    }
}
