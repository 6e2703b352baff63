//! The surface of a wall as a sheet of strips: how long it is, how wide, and where a point of it is.
//!
//! A wall has sides: the pieces of a line, the edges of a polygon, the faces of a box, the cones of a turned profile.
//! A side is straight along the profile, and as wide as the plane is deep, as the face, or as the circle about the
//! axis is long.

use std::f64::consts::{PI, TAU};

use crate::dim::{Dim, Vector, in_space};
use crate::measure::vector::{add, dot, norm, sub, times};
use crate::wall::cylinder::Cylinder;
use crate::wall::patch::Scene;
use crate::wall::{Boundary, Revolution, Surface};

/// A wall where it stood at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum WallForm {
    /// A plane without end.
    Plane {
        /// A point of it [m].
        point: [f64; 3],
        /// Unit normal to the free side.
        normal: [f64; 3],
    },
    /// A cylinder without end in space.
    Tube {
        /// A point of its axis [m].
        centre: [f64; 3],
        /// Unit vector along the axis.
        axis: [f64; 3],
        /// Radius [m].
        radius: f64,
    },
    /// The inside of a box in space.
    Room {
        /// Corner with the smallest coordinates [m].
        min: [f64; 3],
        /// Corner with the largest coordinates [m].
        max: [f64; 3],
    },
    /// Sides that have an end.
    Sides(Vec<WallSide>),
    /// Triangles of a mesh, which are cut across an axis.
    Mesh {
        /// Their corners [m].
        triangles: Vec<Vec<[f64; 3]>>,
        /// The axis about which it can spin.
        axis: Option<[f64; 3]>,
    },
}

/// A straight strip, a straight face, a cone, or a circle.
#[derive(Clone, Debug, PartialEq)]
pub struct WallSide {
    /// Where its profile begins, in the middle of its width [m].
    pub origin: [f64; 3],
    /// Unit vector along the profile.
    pub along: [f64; 3],
    /// Length along the profile [m].
    pub length: f64,
    /// Whether its end is its beginning again.
    pub is_closed: bool,
    /// What it looks like across the profile.
    pub across: Breadth,
}

/// What a side looks like across its profile.
#[derive(Clone, Debug, PartialEq)]
pub enum Breadth {
    /// As deep as the plane.
    Depth,
    /// A face in space: unit vector along its width, and the width [m].
    Width([f64; 3], f64),
    /// A ring about an axis: a point of the axis, its direction, and the radii at both ends [m].
    Ring([f64; 3], [f64; 3], [f64; 2]),
    /// A circle in the plane about a centre, which begins beside it along x: its radius [m].
    Circle([f64; 3], f64),
    /// What lies between two planes across the profile: triangles [m].
    Cut(Vec<Vec<[f64; 3]>>),
}

impl WallForm {
    /// The form of a wall.
    pub fn of<D: Dim>(surface: &Surface<D>) -> WallForm {
        let everywhere = Scene { min: D::Vec::from_fn(|_| f64::NEG_INFINITY), max: D::Vec::from_fn(|_| f64::INFINITY) };
        let faces = |wall: &dyn Boundary<D>| -> Vec<Vec<[f64; 3]>> {
            wall.faces(&everywhere).into_iter().map(|face| face.into_iter().map(in_space).collect()).collect()
        };
        match surface {
            Surface::Plane(plane) => {
                WallForm::Plane { point: in_space(plane.point.0), normal: in_space(plane.normal.0) }
            }
            Surface::Cylinder(cylinder) => WallForm::cylinder(cylinder),
            Surface::Revolution(revolution) => WallForm::Sides(cones(revolution)),
            Surface::Mesh(mesh) => WallForm::Mesh {
                triangles: faces(mesh),
                axis: mesh.centre.and(mesh.axis.as_ref()).map(|axis| in_space(axis.0)),
            },
            Surface::Cuboid(cuboid) if D::DIMENSION == 3 => {
                WallForm::Room { min: in_space(cuboid.min.0), max: in_space(cuboid.max.0) }
            }
            other if D::DIMENSION == 2 => WallForm::Sides(segments(faces(other.as_dyn()))),
            other => {
                let triangles = faces(other.as_dyn()).iter().flat_map(|face| fan(face)).collect();
                WallForm::Mesh { triangles, axis: other.axis().map(in_space) }
            }
        }
    }

    fn cylinder<D: Dim>(cylinder: &Cylinder<D>) -> WallForm {
        let (centre, radius) = (in_space(cylinder.centre.0), *cylinder.radius);
        if D::DIMENSION == 3 {
            return WallForm::Tube { centre, axis: in_space(cylinder.direction()), radius };
        }
        let origin = add(centre, [radius, 0.0, 0.0]);
        let across = Breadth::Circle(centre, radius);
        WallForm::Sides(vec![WallSide {
            origin,
            along: [0.0, 1.0, 0.0],
            length: TAU * radius,
            is_closed: true,
            across,
        }])
    }
}

/// A flat face as triangles about its first corner.
fn fan(face: &[[f64; 3]]) -> Vec<Vec<[f64; 3]>> {
    face.windows(2).skip(1).map(|edge| vec![face[0], edge[0], edge[1]]).collect()
}

/// Segments of the plane, one side each.
fn segments(faces: Vec<Vec<[f64; 3]>>) -> Vec<WallSide> {
    let side = |ends: Vec<[f64; 3]>| {
        let way = sub(ends[1], ends[0]);
        let (origin, length) = (ends[0], norm(way));
        WallSide { origin, along: times(way, 1.0 / length), length, is_closed: false, across: Breadth::Depth }
    };
    faces.into_iter().map(side).collect()
}

/// The six faces of a box in space. Their profiles go along an axis; those of the two faces across it along another
/// one.
pub(crate) fn rectangles(min: [f64; 3], max: [f64; 3], axis: usize) -> Vec<WallSide> {
    let unit = |axis: usize| std::array::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
    let face = |k: usize| {
        let (normal, is_high) = (k / 2, k % 2 == 1);
        let along = if normal == axis { (axis + 1) % 3 } else { axis };
        let across = 3 - normal - along;
        let mut origin = min;
        origin[normal] = if is_high { max[normal] } else { min[normal] };
        origin[across] = 0.5 * (min[across] + max[across]);
        let across = Breadth::Width(unit(across), max[across] - min[across]);
        WallSide { origin, along: unit(along), length: max[along] - min[along], is_closed: false, across }
    };
    (0..6).map(face).collect()
}

/// The cones of a turned profile, as long as their profile.
fn cones<D: Dim>(revolution: &Revolution<D>) -> Vec<WallSide> {
    let (centre, axis) = (in_space(revolution.centre.0), in_space(revolution.axis.0));
    let out = in_space(D::tangents(revolution.axis.0).as_slice()[0]);
    let cone = |ends: &[[crate::input::quantity::Length; 2]]| {
        let place = |k: usize| add(centre, add(times(out, *ends[k][0]), times(axis, *ends[k][1])));
        let way = sub(place(1), place(0));
        let across = Breadth::Ring(centre, axis, [*ends[0][0], *ends[1][0]]);
        let (origin, length) = (place(0), norm(way));
        WallSide { origin, along: times(way, 1.0 / length), length, is_closed: false, across }
    };
    revolution.profile.value.windows(2).map(cone).collect()
}

impl WallSide {
    /// Where a point is along the profile, not cut to its length, and how far the side is from it [m].
    pub fn locate(&self, point: [f64; 3]) -> (f64, f64) {
        match &self.across {
            Breadth::Circle(centre, radius) => {
                let from = sub(point, *centre);
                let angle = libm::atan2(from[1], from[0]).rem_euclid(TAU);
                (angle * radius, (norm(from) - radius).abs())
            }
            Breadth::Ring(centre, axis, [begin, _]) => {
                let from = sub(point, *centre);
                let height = dot(from, *axis);
                let far = norm(sub(from, times(*axis, height)));
                // the half plane that the profile lies in
                let rise = [far - begin, height - dot(sub(self.origin, *centre), *axis)];
                let slope = self.slope();
                self.foot(rise[0] * slope[0] + rise[1] * slope[1], rise[0] * slope[1] - rise[1] * slope[0])
            }
            Breadth::Cut(_) => (dot(sub(point, self.origin), self.along), 0.0),
            Breadth::Depth => {
                let from = sub(point, self.origin);
                let s = dot(from, self.along);
                self.foot(s, norm(sub(from, times(self.along, s))))
            }
            Breadth::Width(across, width) => {
                let from = sub(point, self.origin);
                let (s, q) = (dot(from, self.along), dot(from, *across));
                let beside = q - q.clamp(-0.5 * width, 0.5 * width);
                let off = sub(sub(from, times(self.along, s)), times(*across, q));
                self.foot(s, norm(off).hypot(beside))
            }
        }
    }

    /// A place along the profile, and how far it is, from the distance to the line of the profile [m].
    fn foot(&self, s: f64, off: f64) -> (f64, f64) {
        (s, off.hypot(s - s.clamp(0.0, self.length)))
    }

    /// Of a cone: how fast its radius and its height grow along the profile.
    fn slope(&self) -> [f64; 2] {
        match &self.across {
            Breadth::Ring(_, axis, [begin, end]) => [(end - begin) / self.length, dot(self.along, *axis)],
            _ => [0.0, 1.0],
        }
    }

    /// Unit vector along the profile at a point of it, where the normal is known.
    pub fn direction(&self, point: [f64; 3], normal: [f64; 3]) -> [f64; 3] {
        match &self.across {
            Breadth::Depth | Breadth::Width(..) => self.along,
            Breadth::Circle(centre, radius) => {
                let out = times(sub(point, *centre), 1.0 / radius);
                [-out[1], out[0], 0.0]
            }
            Breadth::Ring(centre, axis, _) => {
                let from = sub(point, *centre);
                let out = sub(from, times(*axis, dot(from, *axis)));
                let [outwards, upwards] = self.slope();
                let far = norm(out).max(f64::MIN_POSITIVE);
                add(times(out, outwards / far), times(*axis, upwards))
            }
            Breadth::Cut(_) => {
                let along = sub(self.along, times(normal, dot(self.along, normal)));
                let size = norm(along);
                if size > 0.0 { times(along, 1.0 / size) } else { along }
            }
        }
    }

    /// Area between two places along the profile [m2]; the plane is `depth` deep.
    pub fn area(&self, [from, to]: [f64; 2], depth: f64) -> f64 {
        let at = |s: f64, [begin, end]: [f64; 2]| begin + (end - begin) * s / self.length;
        match &self.across {
            Breadth::Depth | Breadth::Circle(..) => (to - from) * depth,
            Breadth::Width(_, width) => (to - from) * width,
            Breadth::Ring(_, _, radii) => (to - from) * PI * (at(from, *radii) + at(to, *radii)),
            Breadth::Cut(triangles) => {
                let height = |x: [f64; 3]| dot(sub(x, self.origin), self.along);
                let is_last = to >= self.length;
                let part = |triangle: &Vec<[f64; 3]>| {
                    let heights: Vec<f64> = triangle.iter().map(|x| height(*x)).collect();
                    let (low, high) =
                        heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
                    match low == high {
                        // a level triangle belongs to the slice that it lies in
                        true if from <= low && (low < to || is_last && low <= to) => polygon_area(triangle),
                        true => 0.0,
                        false => polygon_area(&above(&above(triangle, |x| height(x) - from), |x| to - height(x))),
                    }
                };
                triangles.iter().map(part).sum()
            }
        }
    }

    /// A point of the profile [m].
    pub fn place(&self, s: f64) -> [f64; 3] {
        match &self.across {
            Breadth::Circle(centre, radius) => {
                let angle = s / radius;
                add(*centre, [radius * libm::cos(angle), radius * libm::sin(angle), 0.0])
            }
            _ => add(self.origin, times(self.along, s)),
        }
    }
}

/// Area of a convex polygon in space [m2].
fn polygon_area(corners: &[[f64; 3]]) -> f64 {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let fans = corners.windows(2).skip(1).map(|pair| cross(sub(pair[0], corners[0]), sub(pair[1], corners[0])));
    0.5 * norm(fans.fold([0.0; 3], add))
}

/// The part of a convex polygon where `height` is not negative.
fn above(corners: &[[f64; 3]], height: impl Fn([f64; 3]) -> f64) -> Vec<[f64; 3]> {
    let mut kept = Vec::new();
    for (k, here) in corners.iter().enumerate() {
        let next = corners[(k + 1) % corners.len()];
        let (h, h_next) = (height(*here), height(next));
        if h >= 0.0 {
            kept.push(*here);
        }
        if h * h_next < 0.0 {
            kept.push(add(*here, times(sub(next, *here), h / (h - h_next))));
        }
    }
    kept
}
