//! Contacts of clumps and capsules, with each other and with all other grains.
//!
//! A ball of one body and a ball, segment or face of the other touch as such bodies do: the normal is along their shortest
//! distance. Capsules add the balls at their ends over the other's segment, corners and edges over their own, and where two
//! segments cross. Each of these distances bounds that of the bodies from above, so none is a contact too many; together
//! they hold the shortest one, and both ends of what parallel capsules share. No tolerance is needed.

use glam::{DVec2, DVec3};

use super::shelf::{Shelf, in_space3};
use super::touch::placed;
use super::{CORNERS, Coincident, Contact, ContactKey};
use crate::body::Bodies;
use crate::dim::{D2, Dim, Vector};
use crate::shape::{Outline, Shape, facing, solid};
use crate::wall::mesh::{FEATURE_BITS, MESH};

/// The feature of two pieces: ball, or end of a capsule, of a and of b; `part` tells contacts of one pair apart.
pub fn piece_feature(of_a: usize, of_b: usize, part: usize) -> u32 {
    debug_assert!(of_a < 1 << 10 && of_b < 1 << 10 && part < 1 << 3);
    CORNERS * (1 + ((of_a as u32) << 13) + ((of_b as u32) << 3) + part as u32)
}

/// The pieces of a and b that a [`piece_feature`] names.
pub fn pieces_of(feature: u32) -> (u32, u32) {
    let number = feature / CORNERS - 1;
    (number >> 13, (number >> 3) & 0x3ff)
}

/// The corner of b, or ball of a clump, at a wall, and the face of the wall.
pub fn corner_of(feature: u32) -> (u32, u32) {
    if feature & MESH != 0 {
        let corner = (feature & !MESH) >> FEATURE_BITS;
        return (corner, feature & !(corner << FEATURE_BITS));
    }
    ((feature / CORNERS - 2) / 2, feature % CORNERS)
}

/// The feature of a corner or edge of a stone over a capsule, or of a point of a wall over a grain.
pub(super) fn rim_feature(is_edge: bool, number: usize) -> u32 {
    debug_assert!(number < 1 << 20);
    CORNERS * (1 + (3 << 21) + (u32::from(is_edge) << 20) + number as u32)
}

/// Parts of contacts between two segments.
const END_OF_B: usize = 1;
const CROSSING: usize = 2;

/// Balls of a body, or the ends of its segment, in the world.
struct Pieces<V> {
    at: Vec<V>,
    radii: Vec<f64>,
    is_rod: bool,
}

impl<V: Vector> Pieces<V> {
    fn radius(&self, k: usize) -> f64 {
        self.radii[if self.is_rod { 0 } else { k }]
    }

    /// The point of the segment that is nearest to `x`: its place from 0 to 1, and itself.
    fn foot(&self, x: V) -> (f64, V) {
        foot([self.at[0], self.at[1]], x)
    }
}

/// The point of a segment that is nearest to `x`: its place from 0 to 1, and itself.
pub fn foot<V: Vector>([from, to]: [V; 2], x: V) -> (f64, V) {
    let along = to - from;
    let part = (x - from).dot(along) / along.norm_squared();
    if part <= 0.0 {
        (0.0, from)
    } else if part >= 1.0 {
        (1.0, to)
    } else {
        (part, from + along * part)
    }
}

/// Where two segments of space cross, as seen along their common normal, within both; `None` for parallel ones.
pub fn crossing<V: Vector>([p, p_end]: [V; 2], [q, q_end]: [V; 2]) -> Option<[V; 2]> {
    let (d, e, apart) = (p_end - p, q_end - q, p - q);
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(e));
    let sine = dd * ee - de * de;
    if sine <= f64::EPSILON * dd * ee {
        return None;
    }
    let (s, t) = ((de * e.dot(apart) - ee * d.dot(apart)) / sine, (dd * e.dot(apart) - de * d.dot(apart)) / sine);
    let is_within = |part: f64| part > 0.0 && part < 1.0;
    (is_within(s) && is_within(t)).then(|| [p + d * s, q + e * t])
}

/// Balls or segment of a body whose centre is at `at`; `None` for a stone or wall.
fn pieces<D: Dim>(bodies: &Bodies<D>, body: usize, at: D::Vec) -> Option<Pieces<D::Vec>> {
    match bodies.shape[body] {
        Shape::Round(round) => Some(Pieces { at: vec![at], radii: vec![round.radius], is_rod: false }),
        Shape::Clump(clump) => {
            let outline = &bodies.outlines[clump.outline as usize];
            let turn = D::rotation(bodies.pose[body].q);
            let at = outline.corners.iter().map(|corner| at + turn(*corner)).collect();
            Some(Pieces { at, radii: outline.radii.clone(), is_rod: outline.is_rod() })
        }
        Shape::Stone(_) | Shape::Wall => None,
    }
}

/// A pair of bodies whose contacts are looked for.
struct Pair<'m, D: Dim> {
    bodies: [usize; 2],
    apart: D::Vec,
    reach: f64,
    found: &'m mut Vec<Contact<D>>,
}

impl<D: Dim> Pair<'_, D> {
    /// Notes the contact of a ball of a, about `p`, with a ball of b, about `q`.
    fn meet(&mut self, feature: u32, [p, q]: [D::Vec; 2], [ra, rb]: [f64; 2]) -> Result<(), Coincident> {
        let apart = q - p;
        let limit = ra + rb + self.reach;
        let square = apart.norm_squared();
        if square >= limit * limit {
            return Ok(());
        }
        let distance = square.sqrt();
        if distance == 0.0 {
            let [a, b] = self.bodies;
            return Err(Coincident { a, b });
        }
        let (normal, gap) = (apart * (1.0 / distance), distance - ra - rb);
        self.put(feature, normal, gap, p + normal * (ra + 0.5 * gap));
        Ok(())
    }

    /// Notes a contact at a point half-way between the surfaces, counted from the centre of a.
    fn put(&mut self, feature: u32, normal: D::Vec, gap: f64, point: D::Vec) {
        if gap < self.reach {
            let [a, b] = self.bodies.map(|body| body as u32);
            let key = ContactKey { a, b, feature };
            self.found.push(Contact { key, normal, gap, arm_a: point, arm_b: point - self.apart, jump: D::Vec::ZERO });
        }
    }

    fn between(&mut self, one: &Pieces<D::Vec>, other: &Pieces<D::Vec>) -> Result<(), Coincident> {
        match (one.is_rod, other.is_rod) {
            (false, false) => {
                for (k, p) in one.at.iter().enumerate() {
                    for (l, q) in other.at.iter().enumerate() {
                        self.meet(piece_feature(k, l, 0), [*p, *q], [one.radius(k), other.radius(l)])?;
                    }
                }
            }
            (true, false) => {
                for (l, q) in other.at.iter().enumerate() {
                    self.meet(piece_feature(0, l, 0), [one.foot(*q).1, *q], [one.radii[0], other.radius(l)])?;
                }
            }
            (false, true) => {
                for (k, p) in one.at.iter().enumerate() {
                    self.meet(piece_feature(k, 0, 0), [*p, other.foot(*p).1], [one.radius(k), other.radii[0]])?;
                }
            }
            (true, true) => self.rods(one, other)?,
        }
        Ok(())
    }

    /// Ends over the inside of the other segment, ends that are nearest to each other, and where the segments cross.
    fn rods(&mut self, one: &Pieces<D::Vec>, other: &Pieces<D::Vec>) -> Result<(), Coincident> {
        let radii = [one.radii[0], other.radii[0]];
        let end = |part: f64| (part == 0.0 || part == 1.0).then_some(part as usize);
        for (k, p) in one.at.iter().enumerate() {
            let (part, q) = other.foot(*p);
            match end(part) {
                None => self.meet(piece_feature(k, 0, 0), [*p, q], radii)?,
                Some(l) if end(one.foot(q).0) == Some(k) => self.meet(piece_feature(k, l, 0), [*p, q], radii)?,
                Some(_) => {}
            }
        }
        for (l, q) in other.at.iter().enumerate() {
            let (part, p) = one.foot(*q);
            if end(part).is_none() {
                self.meet(piece_feature(0, l, END_OF_B), [p, *q], radii)?;
            }
        }
        if D::DIMENSION == 3
            && let Some(nearest) = crossing([one.at[0], one.at[1]], [other.at[0], other.at[1]])
        {
            self.meet(piece_feature(0, 0, CROSSING), nearest, radii)?;
        }
        Ok(())
    }
}

/// Calls `meet` with the contacts of two grains of which one is a clump or capsule, in the order of their keys.
pub fn touch_clumps<D: Dim>(
    bodies: &Bodies<D>,
    (a, b): (usize, usize),
    (shift, reach): (D::Vec, f64),
    shelf: &mut Shelf,
    meet: impl FnMut(Contact<D>),
) -> Result<(), Coincident> {
    let apart = bodies.pose[b].x + shift - bodies.pose[a].x;
    let limit = bodies.shape[a].radius() + bodies.shape[b].radius() + reach;
    if apart.norm_squared() >= limit * limit {
        return Ok(());
    }
    let mut found = Vec::new();
    let mut pair = Pair { bodies: [a, b], apart, reach, found: &mut found };
    match (pieces(bodies, a, D::Vec::ZERO), pieces(bodies, b, apart)) {
        (Some(one), Some(other)) => pair.between(&one, &other)?,
        (Some(one), None) => with_stone(&mut pair, bodies, &one, (b, apart), (shelf, -1.0)),
        (None, Some(other)) => with_stone(&mut pair, bodies, &other, (a, D::Vec::ZERO), (shelf, 1.0)),
        (None, None) => unreachable!("one of the two is a clump"),
    }
    found.sort_by_key(|contact| contact.key);
    found.into_iter().for_each(meet);
    Ok(())
}

/// Contacts with a stone: `sign` is 1 if it is the first of the two, so that normals point away from it.
fn with_stone<D: Dim>(
    pair: &mut Pair<'_, D>,
    bodies: &Bodies<D>,
    round: &Pieces<D::Vec>,
    (stone, at): (usize, D::Vec),
    (shelf, sign): (&mut Shelf, f64),
) {
    let Shape::Stone(form) = bodies.shape[stone] else { return };
    let outline = &bodies.outlines[form.outline as usize];
    let is_flat = D::DIMENSION == D2::DIMENSION;
    let polygon = is_flat.then(|| placed(bodies, form, stone, bodies.pose[stone].x - at));
    if !is_flat {
        shelf.ready(bodies, form, stone);
    }
    let set = if is_flat { None } else { shelf.set(bodies, stone, at) };
    let height = |x: D::Vec| match (&polygon, &set) {
        (Some(polygon), _) => {
            let (normal, distance) = facing::point(polygon, DVec2::new(x.get(0), x.get(1)));
            (D::Vec::from_fn(|axis| [normal.x, normal.y][axis]), distance)
        }
        (None, Some(set)) => {
            let (normal, distance) = solid::point(set, in_space3(x));
            (lift::<D>(normal), distance)
        }
        (None, None) => unreachable!("a stone is a polygon or a polyhedron"),
    };
    for (k, x) in round.at.iter().enumerate() {
        let ((outwards, distance), radius) = (height(*x), round.radius(k));
        let gap = distance - radius;
        pair.put(piece_feature(k, 0, 0), outwards * sign, gap, *x - outwards * (radius + 0.5 * gap));
    }
    if round.is_rod {
        over_segment(pair, bodies, outline, round, (stone, at), sign);
    }
}

/// Corners and edges of a stone over the inside of a capsule's segment.
fn over_segment<D: Dim>(
    pair: &mut Pair<'_, D>,
    bodies: &Bodies<D>,
    outline: &Outline<D>,
    rod: &Pieces<D::Vec>,
    (stone, at): (usize, D::Vec),
    sign: f64,
) {
    let turn = D::rotation(bodies.pose[stone].q);
    let corners: Vec<D::Vec> = outline.corners.iter().map(|corner| at + turn(*corner)).collect();
    let mut meet = |feature: u32, of_rod: D::Vec, of_stone: D::Vec| {
        let apart = of_rod - of_stone;
        let distance = apart.norm();
        if distance > 0.0 {
            let (outwards, gap) = (apart * (1.0 / distance), distance - rod.radii[0]);
            pair.put(feature, outwards * sign, gap, of_stone + outwards * (0.5 * gap));
        }
    };
    for (k, corner) in corners.iter().enumerate() {
        let (part, nearest) = rod.foot(*corner);
        if part > 0.0 && part < 1.0 {
            meet(rim_feature(false, k), nearest, *corner);
        }
    }
    for (k, edge) in outline.edges.iter().enumerate() {
        let ends = edge.corners.map(|corner| corners[corner as usize]);
        if let Some([of_rod, of_stone]) = crossing([rod.at[0], rod.at[1]], ends) {
            meet(rim_feature(true, k), of_rod, of_stone);
        }
    }
}

fn lift<D: Dim>(v: DVec3) -> D::Vec {
    D::Vec::from_fn(|axis| v[axis])
}
