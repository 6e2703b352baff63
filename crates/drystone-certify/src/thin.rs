//! Walls without thickness: lines, profiles turned about an axis, triangles. Where a grain touches them is found by
//! checking every piece.

use toml::{Table, Value};

use super::bumps::Bumps;
use super::scene::as_number;
use super::space::{Vec3, add, cross, dot, norm, scale, sub};

/// Triangles whose corners lie in one plane up to this part of their size are one plate, with one normal: the rounding
/// of the single-precision numbers that meshes are stored in.
const FLAT: f64 = 1.0 / (1 << 21) as f64;

/// Normals that differ by less are those of parallel faces: single-precision coordinates resolve no more, for faces
/// that are not much smaller than the mesh.
const PARALLEL: f64 = 1e-5;

/// A wall without thickness, where it stood at the start.
#[derive(Clone, Debug)]
pub(crate) enum Thin {
    /// Segments.
    Pieces(Vec<[Vec3; 2]>),
    /// A profile turned about an axis: a point of the axis, its direction, and distances from it with heights along it.
    Turned(Vec3, Vec3, Vec<[f64; 2]>),
    /// Triangles.
    Triangles(Vec<[Vec3; 3]>),
    /// A plane with bumps.
    Bumps(Bumps),
}

impl Thin {
    /// The nearest points of all pieces to `x`; of triangles those whose boxes are within `reach`.
    fn feet(&self, x: Vec3, reach: f64) -> Vec<Vec3> {
        match self {
            Thin::Pieces(pieces) => pieces.iter().map(|piece| on_segment(*piece, x)).collect(),
            Thin::Triangles(triangles) => {
                let is_near = |corners: &&[Vec3; 3]| {
                    (0..3).all(|k| {
                        let [a, b, c] = corners.map(|corner| corner[k] - x[k]);
                        a.min(b).min(c) < reach && a.max(b).max(c) > -reach
                    })
                };
                triangles.iter().filter(is_near).map(|corners| on_triangle(*corners, x)).collect()
            }
            Thin::Bumps(bumps) => {
                let foot = |spot| {
                    let (normal, distance) = bumps.below(spot, x);
                    sub(x, scale(normal, distance))
                };
                bumps.spots(x, reach).into_iter().map(foot).collect()
            }
            Thin::Turned(centre, axis, profile) => {
                let from = sub(x, *centre);
                let across = sub(from, scale(*axis, dot(from, *axis)));
                let other = if axis[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
                let towards = if norm(across) > 0.0 { across } else { cross(*axis, other) };
                let towards = scale(towards, 1.0 / norm(towards));
                let aside = cross(*axis, towards);
                let third = std::f64::consts::TAU / 3.0;
                let out = |turn: f64| add(scale(towards, turn.cos()), scale(aside, turn.sin()));
                // in the half-plane that the axis and a direction span, the profile is a line of space
                let foot = |turn: f64, pair: &[[f64; 2]]| {
                    let place = |p: [f64; 2]| add(*centre, add(scale(out(turn), p[0]), scale(*axis, p[1])));
                    on_segment([place(pair[0]), place(pair[1])], x)
                };
                let turns = [0.0, third, -third];
                turns.iter().flat_map(|turn| profile.windows(2).map(|pair| foot(*turn, pair))).collect()
            }
        }
    }

    /// Where a grain about `x` that is pushed along `stated` touches: the normal there, and the distance. Of all pieces
    /// within `reach` it is the one whose own normal is nearest.
    pub(crate) fn below(&self, x: Vec3, stated: Vec3, reach: f64) -> Option<(Vec3, f64)> {
        let seen = |foot: Vec3| (scale(sub(x, foot), 1.0 / norm(sub(x, foot))), norm(sub(x, foot)));
        let off = |place: &(Vec3, f64)| norm(sub(place.0, stated));
        let feet: Vec<(Vec3, f64)> = self.feet(x, reach).into_iter().map(seen).filter(|place| place.1 > 0.0).collect();
        let best = feet.iter().map(off).fold(f64::INFINITY, f64::min);
        // of parallel faces, such as the two sides of a plate, the nearer one is touched
        feet.into_iter().filter(|place| off(place) <= best + PARALLEL).min_by(|p, q| p.1.total_cmp(&q.1))
    }

    /// Largest distance of its coordinates from the origin, for those that are exact [m], which sets their rounding.
    pub(crate) fn extent(&self) -> f64 {
        match self {
            Thin::Pieces(pieces) => pieces.iter().flatten().map(|x| norm(*x)).fold(0.0, f64::max),
            Thin::Turned(centre, _, profile) => {
                norm(*centre) + profile.iter().flatten().fold(0.0, |sum, x| sum + x.abs())
            }
            Thin::Bumps(bumps) => norm(bumps.point) + bumps.radius + bumps.spacing,
            Thin::Triangles(triangles) => {
                let size = triangles.iter().flatten().flatten().fold(0.0, |size: f64, x| size.max(x.abs()));
                size * FLAT / (4.0 * f64::EPSILON)
            }
        }
    }

    /// The thin wall of a resolved scenario; `None` for other walls, and for a mesh that spins, whose orientation
    /// frames do not store.
    pub(crate) fn of(wall: &Table, root: &Table) -> Option<Thin> {
        let list = |key: &str| wall.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let numbers = |value: &Value| value.as_array()?.iter().map(as_number).collect::<Option<Vec<f64>>>();
        let vector = |value: &Value| match numbers(value)?.as_slice() {
            [x, y] => Some([*x, *y, 0.0]),
            [x, y, z] => Some([*x, *y, *z]),
            _ => None,
        };
        match wall.get("kind")?.as_str()? {
            "line" => {
                let points = list("points").iter().map(vector).collect::<Option<Vec<Vec3>>>()?;
                Some(Thin::Pieces(points.windows(2).map(|pair| [pair[0], pair[1]]).collect()))
            }
            "revolution" => {
                let axis = vector(wall.get("axis")?)?;
                let pair = |value: &Value| numbers(value)?.try_into().ok();
                let profile = list("profile").iter().map(pair).collect::<Option<Vec<[f64; 2]>>>()?;
                Some(Thin::Turned(vector(wall.get("centre")?)?, scale(axis, 1.0 / norm(axis)), profile))
            }
            "plane" => {
                let (rough, normal) = (wall.get("rough")?.as_table()?, vector(wall.get("normal")?)?);
                let normal = scale(normal, 1.0 / norm(normal));
                let size = |key: &str| as_number(rough.get(key)?);
                let (point, is_flat) = (vector(wall.get("point")?)?, list("point").len() == 2);
                Some(Thin::Bumps(Bumps::new(point, normal, is_flat, size("radius")?, size("spacing")?)))
            }
            "mesh" if !spins(wall, root) => {
                let unit = as_number(wall.get("unit")?)?;
                triangles(wall.get("file")?.as_str()?, unit).map(Thin::Triangles)
            }
            _ => None,
        }
    }
}

/// Whether a wall spins in some stage.
fn spins(wall: &Table, root: &Table) -> bool {
    let is_spin = |drive: &Value| drive.as_table().is_some_and(|drive| drive.contains_key("spin"));
    let name = wall.get("name").and_then(Value::as_str).unwrap_or_default();
    let stages = super::scene::entries(root, "stage").filter_map(|stage| stage.get("drive")?.get(name));
    wall.get("drive").into_iter().chain(stages).any(is_spin)
}

/// The triangles of an OBJ text.
pub(crate) fn triangles(text: &str, unit: f64) -> Option<Vec<[Vec3; 3]>> {
    let lines = |word: &'static str| text.lines().filter_map(move |line| line.strip_prefix(word));
    let three = |line: &str| line.split_whitespace().map(|cell| cell.parse().ok()).collect::<Option<Vec<f64>>>();
    let points =
        lines("v ").map(|line| Some(scale(three(line)?.try_into().ok()?, unit))).collect::<Option<Vec<Vec3>>>()?;
    let corner = |k: &f64| points.get((*k as usize).checked_sub(1)?).copied();
    let faces = lines("f ").map(|line| {
        let corners = three(line)?.iter().map(corner).collect::<Option<Vec<Vec3>>>()?;
        corners.try_into().ok()
    });
    faces.collect()
}

/// The point of a segment that is nearest to another.
pub(crate) fn on_segment([from, to]: [Vec3; 2], x: Vec3) -> Vec3 {
    let along = sub(to, from);
    let part = dot(sub(x, from), along) / dot(along, along);
    add(from, scale(along, part.clamp(0.0, 1.0)))
}

/// The nearest point of a triangle: below `x` if that lies in the triangle, on an edge otherwise.
fn on_triangle(corners: [Vec3; 3], x: Vec3) -> Vec3 {
    let [a, b, c] = corners;
    let area = cross(sub(b, a), sub(c, a));
    let normal = scale(area, 1.0 / norm(area));
    let below = sub(x, scale(normal, dot(sub(x, a), normal)));
    let sides = [[a, b], [b, c], [c, a]];
    if sides.iter().all(|[p, q]| dot(cross(sub(*q, *p), sub(below, *p)), normal) >= 0.0) {
        return below;
    }
    let nearest = |p: &Vec3, q: &Vec3| norm(sub(x, *p)).total_cmp(&norm(sub(x, *q)));
    sides.map(|side| on_segment(side, x)).into_iter().min_by(nearest).unwrap_or(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_met_where_the_normal_says() {
        let wall =
            "kind = \"mesh\"\nunit = 0.5\nfile = \"v 0 0 0\\nv 2 0 0\\nv 0 2 0\\nv 0 0 2\\nf 1 2 3\\nf 1 2 4\\n\"";
        let mesh = Thin::of(&wall.parse().unwrap(), &Table::new()).unwrap();
        let x = [0.25, 0.3, 0.4];
        assert_eq!(mesh.below(x, [0.0, 0.0, 1.0], 1.0), Some(([0.0, 0.0, 1.0], 0.4)));
        assert_eq!(mesh.below(x, [0.0, 1.0, 0.0], 1.0), Some(([0.0, 1.0, 0.0], 0.3)));
        // beside the upright triangle, at its edge, and obliquely above the corner of the other
        for (stated, distance) in [([-1.0, 0.0, 0.0], 0.3), ([-0.6, 0.0, 0.8], 0.5)] {
            let (normal, found) = mesh.below([-0.3, 0.0, 0.4], stated, 1.0).unwrap();
            assert!(norm(sub(normal, stated)) < 1e-15 && (found - distance).abs() < 1e-15, "{stated:?}: {found}");
        }
        let funnel = "kind = \"revolution\"\ncentre = [0, 0, 1]\naxis = [0, 0, 2]\nprofile = [[1, 0], [2, 1]]";
        let funnel = Thin::of(&funnel.parse().unwrap(), &Table::new()).unwrap();
        let (normal, distance) = funnel.below([0.0, 0.5, 2.5], [0.0, -0.7, 0.7], 1.0).unwrap();
        assert!((distance - 2.0 * 0.5_f64.sqrt()).abs() < 1e-15 && (normal[1] + 0.5_f64.sqrt()).abs() < 1e-15);
        assert!(Thin::of(&"kind = \"plane\"".parse().unwrap(), &Table::new()).is_none());
    }
}
