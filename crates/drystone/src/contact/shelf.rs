//! Stones of space as they are turned now, each once, for all pairs that look at them.

use glam::DVec3;

use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::solid::{Rims, Set, Solid};
use crate::shape::{Shape, Stone};

/// Polyhedra turned as their bodies are; made when they are asked for first.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    solids: Vec<Option<Solid>>,
}

impl Shelf {
    /// Turns a stone, unless it was asked for before.
    pub fn ready<D: Dim>(&mut self, bodies: &Bodies<D>, stone: Stone, body: usize) {
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

    /// A stone that is ready, with its centre at `at`.
    pub fn set<'o, D: Dim>(&'o self, bodies: &'o Bodies<D>, body: usize, at: D::Vec) -> Option<Set<'o>> {
        let Shape::Stone(stone) = bodies.shape[body] else { return None };
        let outline = &bodies.outlines[stone.outline as usize];
        let rims = Rims { faces: &outline.faces, edges: &outline.edges };
        let inner = bodies.sizes[stone.outline as usize].inner;
        Some(Set { solid: self.solids.get(body)?.as_ref()?, rims, at: in_space3(at), inner })
    }
}

/// A vector of space; in the plane the third component is zero.
pub fn in_space3<V: Vector>(v: V) -> DVec3 {
    DVec3::from_array(crate::dim::in_space(v))
}
