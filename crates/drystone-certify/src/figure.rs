//! The drawn faces of walls: pieces of the walls that are clipped to a box around the grains.
//!
//! A drawn face must lie on a piece of its wall and in the box, and must contain all of that piece that lies in the
//! box.

use std::f64::consts::{FRAC_PI_2, TAU};

use toml::{Table, Value};

use super::bumps::{Bumps, across};
use super::judge::{Check, Judge};
use super::kinds;
use super::scene::{as_number, number, vector, word};
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use super::thin::{on_segment, triangles};
use drystone_files::record::frame::Frame;

/// Number of flat pieces that approximate a round wall, and a turned profile.
const CHORDS: [usize; 2] = [96, 48];
/// Chords of a quarter of a bump, and around it in space.
const CHORDS_OF_BUMPS: [usize; 2] = [4, 8];
/// Bumps that are drawn at most.
const MOST_BUMPS: f64 = 1e5;
/// Roundings of a corner, in units of the coordinates that it is computed from.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;

/// The surface of a wall, where it stood at the start.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    form: Form,
    /// Unit vector along which it spins; zero in the plane.
    axis: Option<Vec3>,
}

#[derive(Clone, Debug)]
enum Form {
    Plane {
        point: Vec3,
        normal: Vec3,
        bumps: Option<Bumps>,
    },
    Box {
        min: Vec3,
        max: Vec3,
    },
    Tube {
        centre: Vec3,
        axis: Option<Vec3>,
        radius: f64,
    },
    /// Segments or convex polygons.
    Pieces(Vec<Vec<Vec3>>),
    /// A kind that is not supported here, and why.
    Unknown(String),
}

/// A piece of a wall, and when it is drawn.
#[derive(Clone, Debug)]
enum Piece {
    /// The part of it in the box.
    Cut(Vec<Vec3>),
    /// The whole of it, if it lies in the box.
    Inside(Vec<Vec3>),
    /// Always.
    Whole(Vec<Vec3>),
}

impl Figure {
    /// The surface of a wall of a resolved scenario.
    pub(crate) fn read(wall: &Table) -> Result<Figure, String> {
        let axis = match word(wall, "kind")? {
            "cylinder" if !wall.contains_key("axis") => Some([0.0; 3]),
            "mesh" if !wall.contains_key("centre") => None,
            "cylinder" | "revolution" | "mesh" if wall.contains_key("axis") => Some(unit(vector(wall, "axis")?)),
            _ => None, // others do not spin
        };
        let form = match kinds::strange_wall(wall) {
            Some(why) => Form::Unknown(why),
            None => Form::read(wall, axis)?,
        };
        Ok(Figure { form, axis })
    }

    /// Unit normal of a plane, along which it is guided as a piston.
    pub(crate) fn guide(&self) -> Option<Vec3> {
        if let Form::Plane { normal, .. } = self.form { Some(normal) } else { None }
    }

    /// A point of a plane [m].
    pub(crate) fn point(&self) -> Option<Vec3> {
        if let Form::Plane { point, .. } = self.form { Some(point) } else { None }
    }

    /// Unit vector along the axis about which it can spin; zero in the plane.
    pub(crate) fn axis(&self) -> Option<Vec3> {
        self.axis
    }

    /// Its pieces at their present positions, in the order in which they are drawn; an error says why they cannot be
    /// computed.
    fn pieces(&self, moved: Vec3, room: &Room) -> Result<Vec<Piece>, &str> {
        let at = |corners: Vec<Vec3>| corners.into_iter().map(|x| add(x, moved)).collect::<Vec<_>>();
        match &self.form {
            Form::Unknown(why) => Err(why),
            Form::Pieces(pieces) => Ok(pieces.iter().map(|piece| Piece::Cut(at(piece.clone()))).collect()),
            Form::Box { min, max } => {
                Ok(sides(*min, *max, room.axes).into_iter().map(|s| Piece::Whole(at(s))).collect())
            }
            Form::Tube { centre, axis, radius } => {
                let centre = add(*centre, moved);
                Ok((0..CHORDS[0]).map(|k| Piece::Cut(chord(k, centre, *axis, *radius, room))).collect())
            }
            Form::Plane { point, normal, bumps } => {
                let plane = Piece::Cut(sheet(add(*point, moved), *normal, room));
                let bumps = bumps.iter().flat_map(|bumps| drawn_bumps(bumps, moved, room));
                Ok(std::iter::once(plane).chain(bumps.map(Piece::Inside)).collect())
            }
        }
    }
}

impl Form {
    fn read(wall: &Table, axis: Option<Vec3>) -> Result<Form, String> {
        let lacks = |key: &str| format!("`{key}` of a wall is of an unknown form");
        let points = |key: &str| {
            let list = wall.get(key).and_then(Value::as_array).into_iter().flatten();
            list.map(plain).collect::<Option<Vec<Vec3>>>().ok_or_else(|| lacks(key))
        };
        Ok(match word(wall, "kind")? {
            "plane" => {
                let (point, normal) = (vector(wall, "point")?, unit(vector(wall, "normal")?));
                let is_flat = wall.get("point").and_then(Value::as_array).is_some_and(|point| point.len() == 2);
                let bumps = |rough: &Table| {
                    Ok::<_, String>(Bumps::new(
                        point,
                        normal,
                        is_flat,
                        number(rough, "radius")?,
                        number(rough, "spacing")?,
                    ))
                };
                let bumps = wall.get("rough").and_then(Value::as_table).map(bumps).transpose()?;
                Form::Plane { point, normal, bumps }
            }
            "box" => Form::Box { min: vector(wall, "min")?, max: vector(wall, "max")? },
            "polygon" => {
                let corners = points("vertices")?;
                let next = corners.iter().cycle().skip(1);
                Form::Pieces(corners.iter().zip(next).map(|(p, q)| vec![*p, *q]).collect())
            }
            "line" => Form::Pieces(points("points")?.windows(2).map(<[Vec3]>::to_vec).collect()),
            "cylinder" => Form::Tube {
                centre: vector(wall, "centre")?,
                axis: axis.filter(|axis| *axis != [0.0; 3]),
                radius: number(wall, "radius")?,
            },
            "revolution" => {
                let (centre, axis) = (vector(wall, "centre")?, axis.ok_or_else(|| lacks("axis"))?);
                Form::Pieces(turned(centre, axis, &points("profile")?))
            }
            "mesh" => {
                let text = wall.get("file").and_then(Value::as_str).ok_or_else(|| lacks("file"))?;
                let found = triangles(text, number(wall, "unit")?).ok_or_else(|| lacks("file"))?;
                Form::Pieces(found.iter().map(|corners| corners.to_vec()).collect())
            }
            other => Form::Unknown(kinds::unknown("walls", other)),
        })
    }
}

fn unit(v: Vec3) -> Vec3 {
    scale(v, 1.0 / norm(v))
}

fn plain(value: &Value) -> Option<Vec3> {
    let numbers: Vec<f64> = value.as_array()?.iter().map(as_number).collect::<Option<_>>()?;
    match numbers[..] {
        [x, y] => Some([x, y, 0.0]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

/// The sides of a box: of every axis the low one, then the high one.
fn sides(min: Vec3, max: Vec3, axes: usize) -> Vec<Vec<Vec3>> {
    let side = |axis: usize, end: f64| {
        let (one, other) = ((axis + 1) % axes, (axis + 2) % axes);
        let corner = |u: f64, v: f64| {
            let mut x = [0.0; 3];
            x[axis] = end;
            x[one] = u;
            if axes == 3 {
                x[other] = v;
            }
            x
        };
        match axes {
            2 => vec![corner(min[one], 0.0), corner(max[one], 0.0)],
            _ => [(min, min), (max, min), (max, max), (min, max)].map(|(u, v)| corner(u[one], v[other])).to_vec(),
        }
    };
    (0..axes).flat_map(|axis| [side(axis, min[axis]), side(axis, max[axis])]).collect()
}

/// A chord of a circle, or a strip of a cylinder that is longer than the box.
fn chord(k: usize, centre: Vec3, axis: Option<Vec3>, radius: f64, room: &Room) -> Vec<Vec3> {
    let [one, two] = axis.map_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], across);
    let rim = |k: usize| {
        let angle = TAU * (k % CHORDS[0]) as f64 / CHORDS[0] as f64;
        add(centre, scale(add(scale(one, angle.cos()), scale(two, angle.sin())), radius))
    };
    let (p, q) = (rim(k), rim(k + 1));
    let Some(axis) = axis else { return vec![p, q] };
    let middle = dot(sub(room.middle(), centre), axis);
    let [low, high] = [middle - room.size(), middle + room.size()].map(|height| scale(axis, height));
    vec![add(p, low), add(q, low), add(q, high), add(p, high)]
}

/// The strips of a profile that is turned about an axis; those that shrink to a line are left out.
fn turned(centre: Vec3, axis: Vec3, profile: &[Vec3]) -> Vec<Vec<Vec3>> {
    let [one, two] = across(axis);
    let at = |[far, height, _]: Vec3, k: usize| {
        let angle = TAU * (k % CHORDS[1]) as f64 / CHORDS[1] as f64;
        let out = add(scale(one, angle.cos()), scale(two, angle.sin()));
        add(centre, add(scale(out, far), scale(axis, height)))
    };
    let strip = |from: Vec3, to: Vec3, k: usize| match (from[0] == 0.0, to[0] == 0.0) {
        (true, true) => Vec::new(),
        (true, false) => vec![at(from, k), at(to, k + 1), at(to, k)],
        (false, true) => vec![at(from, k), at(from, k + 1), at(to, k)],
        (false, false) => vec![at(from, k), at(from, k + 1), at(to, k + 1), at(to, k)],
    };
    let strips = profile.windows(2).flat_map(|pair| (0..CHORDS[1]).map(move |k| strip(pair[0], pair[1], k)));
    strips.filter(|strip| !strip.is_empty()).collect()
}

/// A part of a plane that is wider than the box.
fn sheet(point: Vec3, normal: Vec3, room: &Room) -> Vec<Vec3> {
    let foot = sub(room.middle(), scale(normal, dot(sub(room.middle(), point), normal)));
    let wide = |way: Vec3| scale(way, 2.0 * room.size());
    if room.axes == 2 {
        let way = wide(cross([0.0, 0.0, 1.0], normal));
        return vec![sub(foot, way), add(foot, way)];
    }
    let [one, two] = across(normal).map(wide);
    let corner = |u: f64, v: f64| add(foot, add(scale(one, u), scale(two, v)));
    vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
}

/// Chords or facets of the bumps of a plane near the box.
fn drawn_bumps(bumps: &Bumps, moved: Vec3, room: &Room) -> Vec<Vec<Vec3>> {
    let far = 0.5 * room.size() + bumps.radius;
    if (2.0 * far / bumps.spacing + 1.0).powi(room.axes as i32 - 1) > MOST_BUMPS {
        return Vec::new();
    }
    let [up, round] = CHORDS_OF_BUMPS;
    let ways = bumps.ways();
    let place = |centre: Vec3, rise: f64, turn: f64| {
        let aside = ways.get(1).map_or([0.0; 3], |way| scale(*way, turn.sin()));
        let out = add(scale(ways[0], turn.cos()), aside);
        let arm = add(scale(bumps.normal, rise.cos()), scale(out, rise.sin()));
        add(centre, scale(arm, bumps.radius))
    };
    let ring = |k: usize| FRAC_PI_2 * k as f64 / up as f64;
    let turn = |l: usize| TAU * l as f64 / round as f64;
    let mut faces = Vec::new();
    for centre in bumps.centres(sub(room.middle(), moved), far) {
        let centre = add(centre, moved);
        if room.axes == 2 {
            let end = |k: usize| place(centre, ring(k) - FRAC_PI_2, 0.0);
            faces.extend((0..2 * up).map(|k| vec![end(k), end(k + 1)]));
            continue;
        }
        for (k, l) in (0..up).flat_map(|k| (0..round).map(move |l| (k, l))) {
            let corners = [(k, l), (k, l + 1), (k + 1, l + 1), (k + 1, l)];
            let facet = corners.iter().skip(usize::from(k == 0));
            faces.push(facet.map(|(k, l)| place(centre, ring(*k), turn(*l))).collect());
        }
    }
    faces
}

/// The box to which faces are clipped.
#[derive(Clone, Copy, Debug)]
struct Room {
    min: Vec3,
    max: Vec3,
    /// 2 or 3.
    axes: usize,
}

impl Room {
    /// The box around all grains, a tenth wider than their extent; none without grains.
    fn of(frame: &Frame) -> Option<Room> {
        let (grains, axes) = (&frame.grains, if frame.dimension == 2 { 2 } else { 3 });
        let mut room = Room { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3], axes };
        for (x, r) in grains.position.iter().zip(&grains.radius) {
            for (axis, x) in x.iter().enumerate().take(axes) {
                room.min[axis] = room.min[axis].min(x - r);
                room.max[axis] = room.max[axis].max(x + r);
            }
        }
        if axes == 2 {
            (room.min[2], room.max[2]) = (0.0, 0.0);
        }
        let margin = 0.05 * room.size();
        (!grains.position.is_empty()).then(|| room.grown(margin))
    }

    fn grown(&self, by: f64) -> Room {
        let mut room = *self;
        for axis in 0..self.axes {
            room.min[axis] -= by;
            room.max[axis] += by;
        }
        room
    }

    fn size(&self) -> f64 {
        norm(sub(self.max, self.min))
    }

    fn middle(&self) -> Vec3 {
        scale(add(self.min, self.max), 0.5)
    }

    fn holds(&self, x: Vec3) -> bool {
        (0..self.axes).all(|axis| (self.min[axis]..=self.max[axis]).contains(&x[axis]))
    }

    /// Ends of the part of a segment that lies in the box.
    fn part(&self, from: Vec3, to: Vec3) -> Option<[Vec3; 2]> {
        let along = sub(to, from);
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for axis in 0..self.axes {
            let [low, high] = [self.min[axis] - from[axis], self.max[axis] - from[axis]];
            if along[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let [p, q] = [low / along[axis], high / along[axis]];
            (enters, leaves) = (enters.max(p.min(q)), leaves.min(p.max(q)));
        }
        (enters <= leaves).then(|| [enters, leaves].map(|part| add(from, scale(along, part))))
    }

    /// Its edges in space.
    fn edges(&self) -> Vec<[Vec3; 2]> {
        let corner = |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 0 { self.min } else { self.max }[axis]);
        let pairs = (0..8).flat_map(|k| (0..3).map(move |axis| (k, k | 1 << axis))).filter(|(k, l)| k != l);
        pairs.map(|(k, l)| [corner(k), corner(l)]).collect()
    }

    /// Corners of the part of a segment or convex polygon that lies in the box.
    fn corners(&self, piece: &[Vec3]) -> Vec<Vec3> {
        let mut found: Vec<Vec3> = rim(piece).filter_map(|[from, to]| self.part(from, to)).flatten().collect();
        if piece.len() > 2 && !piece.iter().all(|x| self.holds(*x)) {
            let normal = normal(piece);
            for [from, to] in self.edges() {
                let [low, high] = [from, to].map(|x| dot(sub(x, piece[0]), normal));
                let x = add(from, scale(sub(to, from), low / (low - high)));
                if low * high < 0.0 && is_beside(piece, normal, x) {
                    found.push(x);
                }
            }
        }
        found
    }
}

/// Edges of a polygon; a segment has one.
fn rim(corners: &[Vec3]) -> impl Iterator<Item = [Vec3; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(p, q)| [*p, *q]).take(if corners.len() == 2 { 1 } else { corners.len() })
}

/// Unit normal of a polygon.
fn normal(corners: &[Vec3]) -> Vec3 {
    let from_first = |x: Vec3| sub(x, corners[0]);
    unit(rim(corners).fold([0.0; 3], |sum, [p, q]| add(sum, cross(from_first(p), from_first(q)))))
}

/// Whether a point lies above or below a convex polygon, or on it.
fn is_beside(corners: &[Vec3], normal: Vec3, x: Vec3) -> bool {
    rim(corners).all(|[p, q]| dot(cross(sub(q, p), sub(x, p)), normal) >= 0.0)
}

/// Distance of a point from a segment or convex polygon.
fn distance(corners: &[Vec3], x: Vec3) -> f64 {
    if corners.len() > 2 {
        let normal = normal(corners);
        if is_beside(corners, normal, x) {
            return dot(sub(x, corners[0]), normal).abs();
        }
    }
    rim(corners).map(|side| norm(sub(on_segment(side, x), x))).fold(f64::INFINITY, f64::min)
}

impl Piece {
    fn corners(&self) -> &[Vec3] {
        match self {
            Piece::Cut(corners) | Piece::Inside(corners) | Piece::Whole(corners) => corners,
        }
    }

    /// Whether the piece must be drawn, however numbers are rounded.
    fn is_needed(&self, room: &Room, rounding: f64) -> bool {
        let room = room.grown(-rounding);
        match self {
            Piece::Cut(corners) => !room.corners(corners).is_empty(),
            Piece::Inside(corners) => corners.iter().all(|x| room.holds(*x)),
            Piece::Whole(_) => true,
        }
    }

    /// Whether a face shows the piece.
    fn is_shown_by(&self, face: &[Vec3], room: &Room, rounding: f64) -> bool {
        let is_near = |all: &[Vec3], x: &Vec3| all.iter().any(|y| norm(sub(*x, *y)) <= rounding);
        let (wide, narrow) = (room.grown(rounding), room.grown(-rounding));
        match self {
            Piece::Cut(corners) => {
                let is_part = face.iter().all(|x| wide.holds(*x) && distance(corners, *x) <= rounding);
                face.len() >= room.axes
                    && is_part
                    && narrow.corners(corners).iter().all(|x| distance(face, *x) <= rounding)
            }
            Piece::Inside(corners) | Piece::Whole(corners) => {
                let is_inside = matches!(self, Piece::Whole(_)) || corners.iter().all(|x| wide.holds(*x));
                is_inside && face.iter().all(|x| is_near(corners, x)) && corners.iter().all(|x| is_near(face, x))
            }
        }
    }
}

/// Whether faces show pieces, all that lie in the box and no others, in their order.
fn shows(faces: &[&[Vec3]], pieces: &[Piece], room: &Room) -> bool {
    let of_room = norm(room.min) + norm(room.max);
    let mut left = faces.iter().peekable();
    for piece in pieces {
        let far = piece.corners().iter().map(|x| norm(*x)).fold(0.0, f64::max);
        let rounding = ROUNDINGS * (of_room + far);
        if left.peek().is_some_and(|face| piece.is_shown_by(face, room, rounding)) {
            left.next();
        } else if piece.is_needed(room, rounding) {
            return false;
        }
    }
    left.next().is_none()
}

/// The faces that a frame draws are those of its walls. None of an open wall is drawn, and none without grains.
pub(crate) fn check_faces(figures: &[&Figure], frame: &Frame, judge: &mut Judge) {
    let states = &frame.wall_states;
    let of_wall = |wall: usize| -> Vec<&[Vec3]> {
        frame.walls.iter().filter(|face| face.wall as usize == wall).map(|face| face.corners.as_slice()).collect()
    };
    let is_wall = frame.walls.iter().all(|face| (face.wall as usize) < figures.len());
    judge.require(Check::Walls, is_wall, || "faces that are drawn, of walls that are not there".into());
    let room = Room::of(frame);
    for (wall, figure) in figures.iter().enumerate() {
        let drawn = of_wall(wall);
        let holds = match &room {
            Some(room) if states.open[wall] == 0 => match figure.pieces(states.displacement[wall], room) {
                Ok(pieces) => shows(&drawn, &pieces, room),
                Err(why) => {
                    judge.leave_out(Check::Walls, why);
                    continue;
                }
            },
            _ => drawn.is_empty(),
        };
        judge.require(Check::Walls, holds, || format!("faces that are drawn of wall {wall}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room { min: [0.0; 3], max: [1.0, 2.0, 3.0], axes: 3 };

    /// The cut of a plane across a corner of the box is a triangle, that of one through its middle a hexagon.
    #[test]
    fn corners_of_a_cut_are_those_of_room_and_piece() {
        let normal = unit([1.0, 1.0, 1.0]);
        let corner = ROOM.corners(&sheet([0.5, 0.0, 0.0], normal, &ROOM));
        assert_eq!(corner.len(), 3);
        for expected in [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]] {
            assert!(corner.iter().any(|x| norm(sub(*x, expected)) < 1e-14), "{corner:?}");
        }
        assert_eq!(ROOM.corners(&sheet([0.5, 1.0, 1.5], unit([6.0, 3.0, 2.0]), &ROOM)).len(), 6);
        let triangle = [[0.5, 0.5, 0.5], [0.5, 5.0, 0.5], [0.5, 0.5, 5.0]];
        let found = ROOM.corners(&triangle);
        assert!(found.iter().any(|x| norm(sub(*x, [0.5, 2.0, 0.5])) < 1e-14), "{found:?}");
        assert!(found.iter().any(|x| norm(sub(*x, [0.5, 2.0, 3.0])) < 1e-14), "the edge of the room pierces it");
        assert!(ROOM.corners(&triangle.map(|x| add(x, [3.0, 0.0, 0.0]))).is_empty());
    }

    #[test]
    fn a_face_that_shows_too_little_or_too_much_is_found() {
        let floor = Figure::read(&"kind = \"plane\"\npoint = [0, 0, 1]\nnormal = [0, 0, 2]".parse().unwrap()).unwrap();
        let pieces = floor.pieces([0.0, 0.0, 0.5], &ROOM).unwrap();
        let whole = [[0.0, 0.0, 1.5], [1.0, 0.0, 1.5], [1.0, 2.0, 1.5], [0.0, 2.0, 1.5]];
        assert!(
            shows(&[&whole], &pieces, &ROOM)
                && !shows(&[], &pieces, &ROOM)
                && !shows(&[&whole, &whole], &pieces, &ROOM)
        );
        for (corner, axis, by) in [(0, 0, 1e-9), (1, 0, 1e-9), (2, 1, -1e-9), (3, 2, 1e-9)] {
            let mut face = whole;
            face[corner][axis] += by;
            assert!(!shows(&[&face], &pieces, &ROOM), "corner {corner} along {axis} by {by}");
        }
        let cup = Figure::read(&"kind = \"torus\"".parse().unwrap()).unwrap();
        assert_eq!(cup.pieces([0.0; 3], &ROOM).unwrap_err(), "walls of the kind `torus`");
    }
}
