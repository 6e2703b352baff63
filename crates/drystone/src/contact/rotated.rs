//! Cache of polyhedra in their present orientation: each is rotated once, for all pairs that use it.

use glam::DVec3;

use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::Stone;
use crate::shape::solid::{Rims, Set, Solid};

/// Polyhedra in the present orientation of their bodies, rotated when they are first needed.
#[derive(Clone, Debug, Default)]
pub struct RotatedHulls {
    solids: Vec<Option<Solid>>,
}

impl RotatedHulls {
    /// Rotates the polyhedron of a body, unless that was done before.
    pub fn prepare<D: Dim>(&mut self, bodies: &Bodies<D>, stone: Stone, body: usize) {
        if self.solids.len() < bodies.len() {
            self.solids.resize(bodies.len(), None);
        }
        self.solids[body].get_or_insert_with(|| {
            let outline = &bodies.outlines[stone.outline as usize];
            let turn = D::rotation(bodies.pose[body].q);
            Solid {
                corners: outline.corners.iter().map(|corner| in_space3(turn(*corner))).collect(),
                normals: outline.normals.iter().map(|normal| in_space3(turn(*normal))).collect(),
            }
        });
    }

    /// A polyhedron with its centre at `at`.
    ///
    /// # Panics
    ///
    /// If it was not [prepared](RotatedHulls::prepare).
    pub fn placed<'o, D: Dim>(&'o self, bodies: &'o Bodies<D>, stone: Stone, body: usize, at: D::Vec) -> Set<'o> {
        let outline = &bodies.outlines[stone.outline as usize];
        let rims = Rims { faces: &outline.faces, edges: &outline.edges };
        let inner = bodies.sizes[stone.outline as usize].inner;
        let solid = self.solids[body].as_ref().expect("a polyhedron is prepared before it is used");
        Set { solid, rims, at: in_space3(at), inner }
    }
}

/// A vector of space; in the plane the third component is zero.
pub(crate) fn in_space3<V: Vector>(v: V) -> DVec3 {
    DVec3::from_array(crate::dim::in_space(v))
}
