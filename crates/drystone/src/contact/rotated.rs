//! Cache of polyhedra in their present orientation: each is rotated once, for all pairs that use it.

use glam::DVec3;

use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::Stone;
use crate::shape::solid::{Rims, Set, Solid};

/// Polyhedra in the present orientation of their bodies, rotated when they are first needed.
#[derive(Clone, Debug, Default)]
pub struct RotatedHulls {
    solids: Vec<Solid>,
    /// The search in which each was rotated.
    rotated_in: Vec<u64>,
    /// Number of the present search.
    search: u64,
}

impl RotatedHulls {
    /// Begins a search, before which bodies may have turned. The memory of all polyhedra is kept.
    pub fn begin<D: Dim>(&mut self, bodies: &Bodies<D>) {
        self.search += 1;
        if !bodies.outlines.is_empty() {
            self.solids.resize_with(bodies.len(), Solid::default);
            self.rotated_in.resize(bodies.len(), 0);
        }
    }

    /// Rotates the polyhedron of a body, unless that was done before in this search.
    pub fn prepare<D: Dim>(&mut self, bodies: &Bodies<D>, stone: Stone, body: usize) {
        if self.rotated_in[body] == self.search {
            return;
        }
        self.rotated_in[body] = self.search;
        let outline = &bodies.outlines[stone.outline as usize];
        let turn = D::rotation(bodies.pose[body].q);
        let Solid { corners, normals } = &mut self.solids[body];
        corners.clear();
        corners.extend(outline.corners.iter().map(|corner| in_space3(turn(*corner))));
        normals.clear();
        normals.extend(outline.normals.iter().map(|normal| in_space3(turn(*normal))));
    }

    /// A polyhedron with its centre at `at`.
    ///
    /// It must have been [prepared](RotatedHulls::prepare).
    pub fn placed<'o, D: Dim>(&'o self, bodies: &'o Bodies<D>, stone: Stone, body: usize, at: D::Vec) -> Set<'o> {
        let outline = &bodies.outlines[stone.outline as usize];
        let rims = Rims { faces: &outline.faces, edges: &outline.edges };
        let inner = bodies.sizes[stone.outline as usize].inner;
        Set { solid: &self.solids[body], rims, at: in_space3(at), inner }
    }
}

/// A vector of space; in the plane the third component is zero.
pub(crate) fn in_space3<V: Vector>(v: V) -> DVec3 {
    DVec3::from_array(crate::dim::in_space(v))
}
