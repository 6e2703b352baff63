//! Narrow phase: the contacts of one pair of bodies that are near each other.
//!
//! [`find_contacts_cached`] calls the function for the shapes of the pair; every pair of shapes has a file of its own.
//! These functions are pure: they read poses and shapes, and hand each contact to a callback.
//!
//! | a \ b      | round                | polygon (2D)         | polyhedron (3D)         | clump or capsule |
//! |------------|----------------------|----------------------|-------------------------|------------------|
//! | wall       | `wall_round`         | `wall_stone`         | `wall_stone`            | `wall_clump`     |
//! | round      | `round_round`        | `polygon_round`      | `polyhedron_round`      | `clump`          |
//! | polygon    | `polygon_round`      | `polygon_polygon`    |                         | `clump`          |
//! | polyhedron | `polyhedron_round`   |                      | `polyhedron_polyhedron` | `clump`          |
//! | clump      | `clump`              | `clump`              | `clump`                 | `clump`          |
//!
//! Round grains that deform have the file `deformed`, for each other and for walls.
//!
//! A wall can also touch a grain between its corners or ends. Three kinds of walls have a file for this: `mesh`
//! (with `mesh_polyhedron`), `cylinder_outside`, and `wall_vertices` for lines and polygons.

mod clump;
mod cylinder_outside;
mod deformed;
pub(crate) mod mesh;
pub(crate) mod mesh_polyhedron;
mod polygon_polygon;
mod polygon_round;
mod polygon_wall;
mod polyhedron_polyhedron;
mod polyhedron_round;
mod round_round;
pub(crate) mod segment;
mod wall_clump;
mod wall_round;
mod wall_stone;
mod wall_vertices;

use super::rotated::RotatedHulls;
use super::{Contact, ContactKey};
use crate::body::Bodies;
use crate::dim::{D3, Dim, Vector};
use crate::shape::Shape;
use crate::wall::Surface;

/// Two grains with the same centre: they have no normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coincident {
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body.
    pub b: usize,
}

/// The contacts to be found: those of bodies a and b with a gap below `reach`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairQuery<D: Dim> {
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body, larger than `a`.
    pub b: usize,
    /// From b itself to the periodic image of b that is used [m].
    pub shift: D::Vec,
    /// Largest gap [m].
    pub reach: f64,
}

impl<D: Dim> PairQuery<D> {
    #[inline]
    fn key(&self, feature: u32) -> ContactKey {
        ContactKey { a: self.a as u32, b: self.b as u32, feature }
    }

    /// From the centre of a to that of b, if their bounding spheres are closer than `reach`.
    #[inline]
    fn centres(&self, bodies: &Bodies<D>) -> Option<D::Vec> {
        let apart = bodies.pose[self.b].x + self.shift - bodies.pose[self.a].x;
        let limit = bodies.shape[self.a].radius() + bodies.shape[self.b].radius() + self.reach;
        let is_far = apart.norm_squared() >= limit * limit;
        (!is_far).then_some(apart)
    }
}

/// What can be reused from pair to pair and from step to step. It saves work and changes no result.
#[derive(Debug)]
pub struct PairCache<'c, D: Dim> {
    /// Polyhedra in their present orientation.
    pub hulls: &'c mut RotatedHulls,
    /// A direction that separated this pair at the last check; zero for none.
    pub separating: &'c mut D::Vec,
}

/// Takes the contacts of a pair.
type Meet<'m, D> = &'m mut dyn FnMut(Contact<D>);

/// Calls `meet` with every contact of the pair, in the order of their keys.
pub(crate) fn find_contacts<D: Dim>(
    bodies: &Bodies<D>,
    surfaces: &[Surface<D>],
    query: &PairQuery<D>,
    meet: impl FnMut(Contact<D>),
) -> Result<(), Coincident> {
    let mut hulls = RotatedHulls::default();
    hulls.begin(bodies);
    let cache = PairCache { hulls: &mut hulls, separating: &mut D::Vec::default() };
    find_contacts_cached(bodies, surfaces, query, cache, meet)
}

/// As [`find_contacts`], for one of many pairs. Two round grains, the most frequent and cheapest pair, are compiled into
/// their caller; all other pairs are compiled once.
pub(crate) fn find_contacts_cached<D: Dim>(
    bodies: &Bodies<D>,
    surfaces: &[Surface<D>],
    query: &PairQuery<D>,
    cache: PairCache<D>,
    mut meet: impl FnMut(Contact<D>),
) -> Result<(), Coincident> {
    match (bodies.shape[query.a], bodies.shape[query.b]) {
        (Shape::Round(one), Shape::Round(other)) => round_round::find(bodies, query, [one, other], meet),
        _ => find_of_any_shapes(bodies, surfaces, query, cache, &mut meet),
    }
}

fn find_of_any_shapes<D: Dim>(
    bodies: &Bodies<D>,
    surfaces: &[Surface<D>],
    query: &PairQuery<D>,
    cache: PairCache<D>,
    meet: Meet<D>,
) -> Result<(), Coincident> {
    use Shape::{Clump, Round, Stone, Wall};
    let in_space = D::DIMENSION == D3::DIMENSION; // there stones are polyhedra, in the plane polygons
    match (bodies.shape[query.a], bodies.shape[query.b]) {
        (_, Wall) => {} // walls have the smallest indices and do not touch each other
        (Wall, Round(round)) => wall_round::find(bodies, &surfaces[query.a], query, round, meet),
        (Wall, Stone(stone)) => wall_stone::find(bodies, &surfaces[query.a], query, stone, meet),
        (Wall, Clump(clump)) => wall_clump::find(bodies, &surfaces[query.a], query, clump, meet),
        (Clump(_), _) | (_, Clump(_)) => return clump::find(bodies, query, cache.hulls, meet),
        (Round(one), Round(other)) => return round_round::find(bodies, query, [one, other], meet),
        (Stone(one), Stone(other)) if in_space => {
            polyhedron_polyhedron::find(bodies, query, [one, other], cache, meet);
        }
        (Stone(stone), Round(round)) if in_space => {
            polyhedron_round::find(bodies, query, stone, round, cache.hulls, meet);
        }
        (Round(round), Stone(stone)) if in_space => {
            polyhedron_round::find_flipped(bodies, query, round, stone, cache.hulls, meet);
        }
        (Stone(one), Stone(other)) => polygon_polygon::find(bodies, query, [one, other], meet),
        (Stone(stone), Round(round)) => polygon_round::find(bodies, query, stone, round, meet),
        (Round(round), Stone(stone)) => polygon_round::find_flipped(bodies, query, round, stone, meet),
    }
    Ok(())
}

/// The contacts of wall a between the corners of polygon or polyhedron b, or between the ends of capsule b; of a mesh
/// and a polyhedron all contacts.
fn find_between_corners<D: Dim>(bodies: &Bodies<D>, surface: &Surface<D>, query: &PairQuery<D>, meet: Meet<D>) {
    match surface {
        Surface::Mesh(mesh) => mesh::find(bodies, surface, mesh, query, meet),
        Surface::Cylinder(cylinder) => cylinder_outside::find(bodies, surface, cylinder, query, meet),
        _ => wall_vertices::find(bodies, surface, query, meet),
    }
}
