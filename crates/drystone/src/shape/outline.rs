//! The outline of a body that is not round, in its own frame.

use super::hull::newell;
use super::{Shape, Stone};
use crate::dim::{D2, D3, Dim, Vector};

/// Corners and faces of a convex body, or balls, relative to its centre of mass.
///
/// In the plane the corners run counter-clockwise, and face k is the edge from corner k to the next one; the lists of
/// faces and edges are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline<D: Dim> {
    /// The corners [m].
    pub corners: Vec<D::Vec>,
    /// Unit normals of the faces, outwards.
    pub normals: Vec<D::Vec>,
    /// In space: the corners of every face, counter-clockwise as seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// In space: the edges.
    pub edges: Vec<Edge>,
    /// Empty for a body with flat faces. With a radius for every corner the body is a clump of balls about its corners.
    /// With one radius for two corners it is a capsule about their segment [m].
    pub radii: Vec<f64>,
}

/// Numbers of an outline that are needed so often that they are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Distance of the nearest face from the centre, or radius of the smallest ball [m].
    pub inner: f64,
    /// Area [m2] in the plane, volume [m3] in space.
    pub volume: f64,
}

/// An edge of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The corners that it runs between.
    pub corners: [u32; 2],
    /// The faces to its left and to its right, as seen from outside.
    pub faces: [u32; 2],
}

impl<D: Dim> Outline<D> {
    /// Whether it is made of balls, or a capsule.
    pub fn is_round(&self) -> bool {
        !self.radii.is_empty()
    }

    /// Whether it is a capsule.
    pub fn is_rod(&self) -> bool {
        self.radii.len() == 1 && self.corners.len() == 2
    }

    /// Radius of the ball about a corner [m]; zero for flat faces.
    pub fn radius_at(&self, corner: usize) -> f64 {
        self.radii.get(corner).or(self.radii.first()).copied().unwrap_or(0.0)
    }

    /// Radius of the smallest ball around the centre that contains the body [m].
    pub fn radius(&self) -> f64 {
        self.corners.iter().enumerate().map(|(k, corner)| corner.norm() + self.radius_at(k)).fold(0.0, f64::max)
    }

    /// Distance of the nearest face from the centre, or radius of the smallest ball [m].
    pub fn inner_radius(&self) -> f64 {
        if self.is_round() {
            return self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        }
        let height = |normal: &D::Vec| self.corners.iter().map(|corner| corner.dot(*normal)).fold(0.0, f64::max);
        self.normals.iter().map(height).fold(f64::INFINITY, f64::min)
    }

    /// Area [m2] in the plane, volume [m3] in space.
    pub fn volume(&self) -> f64 {
        if self.is_round() {
            return super::clump::volume(self);
        }
        if D::DIMENSION == D2::DIMENSION {
            let next = self.corners.iter().cycle().skip(1);
            let cross = |(p, q): (&D::Vec, &D::Vec)| p.get(0) * q.get(1) - p.get(1) * q.get(0);
            return 0.5 * self.corners.iter().zip(next).map(cross).sum::<f64>();
        }
        let at = |k: u32| glam::DVec3::from_fn(|axis| self.corners[k as usize].get(axis));
        let fan = |face: &Vec<u32>| {
            let part = |pair: &[u32]| at(face[0]).dot(at(pair[0]).cross(at(pair[1])));
            face[1..].windows(2).map(part).sum::<f64>()
        };
        self.faces.iter().map(fan).sum::<f64>() / 6.0
    }

    /// Its size.
    pub fn size(&self) -> Size {
        Size { inner: self.inner_radius(), volume: self.volume() }
    }

    /// The shape of a body with this outline, which has this `number` in the list of outlines.
    pub fn shape(&self, number: usize) -> Shape {
        let stone = Stone { outline: number as u32, radius: self.radius() };
        if self.is_round() { Shape::Clump(stone) } else { Shape::Stone(stone) }
    }

    /// The outline of corners, normals and faces, with its edges.
    pub fn assembled(corners: Vec<D::Vec>, normals: Vec<D::Vec>, faces: Vec<Vec<u32>>) -> Outline<D> {
        let edges = edges(&faces);
        Outline { corners, normals, faces, edges, radii: Vec::new() }
    }
}

impl Outline<D2> {
    /// The outline of counter-clockwise corners, given relative to the centre.
    pub(super) fn of_corners(corners: Vec<glam::DVec2>) -> Outline<D2> {
        let next = corners.iter().cycle().skip(1);
        let normals = corners.iter().zip(next).map(|(here, next)| {
            let along = *next - *here;
            glam::DVec2::new(along.y, -along.x) * (1.0 / Vector::norm(along))
        });
        Outline { normals: normals.collect(), corners, ..Outline::default() }
    }
}

impl Outline<D3> {
    /// The outline of corners, given relative to the centre, and faces with counter-clockwise corners.
    pub(super) fn of_faces(corners: Vec<glam::DVec3>, faces: Vec<Vec<u32>>) -> Outline<D3> {
        let normal = |face: &Vec<u32>| newell(&face.iter().map(|k| corners[*k as usize]).collect::<Vec<_>>());
        let normals = faces.iter().map(normal).collect();
        Outline::assembled(corners, normals, faces)
    }
}

/// Every edge once, in the order and in the direction of the first face that has it.
fn edges(faces: &[Vec<u32>]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut known = std::collections::BTreeMap::new();
    for (number, face) in faces.iter().enumerate() {
        for (from, to) in face.iter().zip(face.iter().cycle().skip(1)) {
            match known.get(&(*to, *from)) {
                Some(edge) => {
                    let edge: &mut Edge = &mut edges[*edge];
                    edge.faces[1] = number as u32;
                }
                None => {
                    known.insert((*from, *to), edges.len());
                    edges.push(Edge { corners: [*from, *to], faces: [number as u32; 2] });
                }
            }
        }
    }
    edges
}
