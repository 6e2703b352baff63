//! Clumps and capsules, with each other and with all other grains.
//!
//! A ball of one body touches a ball, segment or face of the other along their shortest distance. Capsules have more
//! contacts: the ends of each over the segment of the other, corners and edges of the other body over their own
//! segment, and the point where two segments cross. Each of these distances bounds that of the bodies from above, so
//! none of these contacts is spurious. Together they contain the shortest one, and both ends of the length along which
//! parallel capsules touch. No tolerance is needed.

use glam::{DVec2, DVec3};

use super::polygon_polygon::placed;
use super::segment::{crossing, foot};
use super::{Coincident, Contact, Meet, PairQuery};
use crate::body::Bodies;
use crate::contact::feature::{piece_feature, rim_feature};
use crate::contact::rotated::{RotatedHulls, in_space3};
use crate::dim::{D2, Dim, Vector};
use crate::shape::{Outline, Shape, facing, solid};

/// Numbers that distinguish the contacts of two segments.
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

    /// The point of the segment that is nearest to `x`: its parameter from 0 to 1, and its position.
    fn foot(&self, x: V) -> (f64, V) {
        foot([self.at[0], self.at[1]], x)
    }
}

/// Balls or segment of a body whose centre is at `at`; `None` for a polygon, polyhedron or wall.
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

/// The contacts of a pair that were found so far.
struct Found<'q, D: Dim> {
    query: &'q PairQuery<D>,
    /// From the centre of a to that of b [m].
    apart: D::Vec,
    contacts: Vec<Contact<D>>,
}

impl<D: Dim> Found<'_, D> {
    /// Adds the contact of a ball of a at `p` with a ball of b at `q`.
    fn meet(&mut self, feature: u32, [p, q]: [D::Vec; 2], [ra, rb]: [f64; 2]) -> Result<(), Coincident> {
        let apart = q - p;
        let limit = ra + rb + self.query.reach;
        let square = apart.norm_squared();
        if square >= limit * limit {
            return Ok(());
        }
        let distance = square.sqrt();
        if distance == 0.0 {
            return Err(Coincident { a: self.query.a, b: self.query.b });
        }
        let (normal, gap) = (apart * (1.0 / distance), distance - ra - rb);
        self.put(feature, normal, gap, p + normal * (ra + 0.5 * gap));
        Ok(())
    }

    /// Adds a contact at a point half-way between the surfaces, given relative to the centre of a, if it is within
    /// reach.
    fn put(&mut self, feature: u32, normal: D::Vec, gap: f64, point: D::Vec) {
        if gap < self.query.reach {
            let (key, arm_b) = (self.query.key(feature), point - self.apart);
            self.contacts.push(Contact { key, normal, gap, arm_a: point, arm_b, image_velocity: D::Vec::ZERO });
        }
    }

    /// Adds the contacts of bodies that are both made of balls or a segment.
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

    /// Adds ends over the inside of the other segment, ends that are nearest to each other, and the crossing of both.
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
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    query: &PairQuery<D>,
    hulls: &mut RotatedHulls,
    meet: Meet<D>,
) -> Result<(), Coincident> {
    let Some(apart) = query.centres(bodies) else { return Ok(()) };
    let (a, b) = (query.a, query.b);
    let mut found = Found { query, apart, contacts: Vec::new() };
    match (pieces(bodies, a, D::Vec::ZERO), pieces(bodies, b, apart)) {
        (Some(one), Some(other)) => found.between(&one, &other)?,
        (Some(one), None) => with_stone(&mut found, bodies, &one, StoneSide { body: b, at: apart, sign: -1.0 }, hulls),
        (None, Some(other)) => {
            with_stone(&mut found, bodies, &other, StoneSide { body: a, at: D::Vec::ZERO, sign: 1.0 }, hulls)
        }
        (None, None) => unreachable!("one of the two is a clump"),
    }
    found.contacts.sort_by_key(|contact| contact.key);
    found.contacts.into_iter().for_each(meet);
    Ok(())
}

/// The polygon or polyhedron of a pair.
#[derive(Clone, Copy)]
struct StoneSide<D: Dim> {
    body: usize,
    /// Its centre, relative to that of the first body [m].
    at: D::Vec,
    /// 1 if it is the first of the two, so that normals point away from it, and -1 otherwise.
    sign: f64,
}

/// Adds the contacts with a polygon or polyhedron.
fn with_stone<D: Dim>(
    found: &mut Found<D>,
    bodies: &Bodies<D>,
    round: &Pieces<D::Vec>,
    side: StoneSide<D>,
    hulls: &mut RotatedHulls,
) {
    let StoneSide { body: stone, at, sign } = side;
    let Shape::Stone(form) = bodies.shape[stone] else { return };
    let outline = &bodies.outlines[form.outline as usize];
    let is_flat = D::DIMENSION == D2::DIMENSION;
    let polygon = is_flat.then(|| placed(bodies, form, stone, bodies.pose[stone].x - at));
    if !is_flat {
        hulls.prepare(bodies, form, stone);
    }
    let polyhedron = (!is_flat).then(|| hulls.placed(bodies, form, stone, at));
    let height = |x: D::Vec| match (&polygon, &polyhedron) {
        (Some(polygon), _) => {
            let (normal, distance) = facing::point(polygon, DVec2::new(x.get(0), x.get(1)));
            (D::Vec::from_fn(|axis| [normal.x, normal.y][axis]), distance)
        }
        (None, Some(polyhedron)) => {
            let (normal, distance) = solid::point(polyhedron, in_space3(x));
            (lift::<D>(normal), distance)
        }
        (None, None) => unreachable!("it is a polygon or a polyhedron"),
    };
    for (k, x) in round.at.iter().enumerate() {
        let ((outwards, distance), radius) = (height(*x), round.radius(k));
        let gap = distance - radius;
        found.put(piece_feature(k, 0, 0), outwards * sign, gap, *x - outwards * (radius + 0.5 * gap));
    }
    if round.is_rod {
        over_segment(found, bodies, outline, round, side);
    }
}

/// Adds the contacts of corners and edges of a polygon or polyhedron over the inside of a capsule's segment.
fn over_segment<D: Dim>(
    found: &mut Found<D>,
    bodies: &Bodies<D>,
    outline: &Outline<D>,
    rod: &Pieces<D::Vec>,
    side: StoneSide<D>,
) {
    let StoneSide { body, at, sign } = side;
    let turn = D::rotation(bodies.pose[body].q);
    let corners: Vec<D::Vec> = outline.corners.iter().map(|corner| at + turn(*corner)).collect();
    let mut meet = |feature: u32, of_rod: D::Vec, of_stone: D::Vec| {
        let apart = of_rod - of_stone;
        let distance = apart.norm();
        if distance > 0.0 {
            let (outwards, gap) = (apart * (1.0 / distance), distance - rod.radii[0]);
            found.put(feature, outwards * sign, gap, of_stone + outwards * (0.5 * gap));
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
