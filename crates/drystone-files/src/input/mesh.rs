//! Surfaces from files: OBJ, STL as text or binary.

use std::collections::HashMap;

use glam::DVec3;

use super::quantity::LARGEST;
use super::{Node, Reader};

/// Points of a surface in the unit of its file, and its triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// The points; from an STL file, each different point once.
    pub points: Vec<DVec3>,
    /// Numbers of the corners of the triangles, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Whether the points were stored as single-precision numbers.
    pub is_single: bool,
}

/// Loads the file that a key names, relative to the folder of the scenario.
pub fn load(node: &Node, file: &str, reader: &Reader) -> Option<MeshData> {
    let path = reader.folder.join(file);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = match error.kind() {
                std::io::ErrorKind::NotFound => format!("there is no file `{}`", path.display()),
                _ => format!("cannot read `{}`: {error}", path.display()),
            };
            return reader.mistake("E010", &node.at, message, "paths are relative to the folder of the scenario");
        }
    };
    match parse(&bytes) {
        Ok(mesh) => Some(mesh),
        Err(fault) => {
            let message = format!("`{}` is not a mesh: {fault}", path.display());
            reader.mistake("E026", &node.at, message, "write the name of an OBJ or STL file")
        }
    }
}

/// The surface of a file, whose first bytes show its format.
pub fn parse(bytes: &[u8]) -> Result<MeshData, String> {
    let mesh = parse_points(bytes)?;
    match mesh.points.iter().position(|x| !(x.abs().max_element() <= LARGEST && x.is_finite())) {
        Some(point) => Err(format!("point {} has a coordinate that is not finite, or too large", point + 1)),
        None => Ok(mesh),
    }
}

/// The surface of a file, whatever its numbers are.
fn parse_points(bytes: &[u8]) -> Result<MeshData, String> {
    if let Some(corners) = binary_stl(bytes) {
        return Ok(welded(&corners));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither text nor a binary STL file".to_string())?;
    if text.trim_start().starts_with("solid") {
        let mut corners = Vec::new();
        for (number, line) in text.lines().enumerate() {
            corners.extend(point(number, line, "vertex")?);
        }
        return match corners.len() {
            0 => Err("it has no line that starts with `vertex`".into()),
            // STL text is as a rule written from single-precision numbers
            _ => Ok(welded(&corners)),
        };
    }
    obj(text)
}

/// The point of a line that starts with the given word; `None` for another line.
fn point(number: usize, line: &str, word: &str) -> Result<Option<DVec3>, String> {
    let mut words = line.split_whitespace();
    if words.next() != Some(word) {
        return Ok(None);
    }
    let numbers: Vec<f64> = words.take(3).map_while(|cell| cell.parse().ok()).collect();
    match <[f64; 3]>::try_from(numbers) {
        Ok(numbers) => Ok(Some(DVec3::from_array(numbers))),
        Err(_) => Err(format!("line {} has no three numbers", number + 1)),
    }
}

/// An OBJ file: lines `v x y z` and `f` with the numbers of points. A face with more than three corners is a fan.
fn obj(text: &str) -> Result<MeshData, String> {
    let mut mesh = MeshData::default();
    for (number, line) in text.lines().enumerate() {
        mesh.points.extend(point(number, line, "v")?);
        let mut words = line.split_whitespace();
        if words.next() != Some("f") {
            continue;
        }
        let corners = words.map(|word| corner(word, mesh.points.len())).collect::<Option<Vec<u32>>>();
        let Some(corners) = corners.filter(|corners| corners.len() >= 3) else {
            return Err(format!("line {} has no three numbers of points before it", number + 1));
        };
        mesh.triangles.extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
    }
    match mesh.points.is_empty() {
        true => Err("it has no line that starts with `v`".into()),
        false => Ok(mesh),
    }
}

/// The number of a point in a face: `7`, `7/1/2`, or `-1` for the last one; they count from one.
fn corner(word: &str, points: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let counted = if number < 0 { points as i64 + number } else { number - 1 };
    u32::try_from(counted).ok().filter(|counted| (*counted as usize) < points)
}

/// A binary STL file: 80 bytes of anything, a count, and 50 bytes for each triangle: a normal, three corners, two
/// bytes.
fn binary_stl(bytes: &[u8]) -> Option<Vec<DVec3>> {
    let count = u32::from_le_bytes(bytes.get(80..84)?.try_into().ok()?) as usize;
    if (bytes.len() - 84) as u64 != 50 * count as u64 || count == 0 {
        return None;
    }
    let number = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let corner = |at: usize| DVec3::new(number(at).into(), number(at + 4).into(), number(at + 8).into());
    let triangle = |k: usize| [12, 24, 36].map(|offset| corner(84 + 50 * k + offset));
    Some((0..count).flat_map(triangle).collect())
}

/// Corners, three for each triangle, with equal points made one: an STL file repeats them.
fn welded(corners: &[DVec3]) -> MeshData {
    let mut number_of = HashMap::new();
    let mut mesh = MeshData { is_single: true, ..MeshData::default() };
    let mut number = |x: &DVec3| {
        let bits = x.to_array().map(|part| (part + 0.0).to_bits()); // -0 is 0
        *number_of.entry(bits).or_insert_with(|| {
            mesh.points.push(*x);
            mesh.points.len() as u32 - 1
        })
    };
    let triangles = corners.chunks_exact(3).map(|corners| [0, 1, 2].map(|k| number(&corners[k]))).collect();
    mesh.triangles = triangles;
    mesh
}

impl MeshData {
    /// The surface as the text of an OBJ file, from which the same points and triangles are read.
    pub fn to_obj(&self) -> String {
        let points = self.points.iter().map(|x| format!("v {} {} {}\n", x.x, x.y, x.z));
        let triangles = self.triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
        points.chain(triangles).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 2.25, 0.0], [0.0, 0.0, 3.0]];

    #[test]
    fn three_formats_hold_the_same_surface() {
        let expected: Vec<DVec3> = CORNERS.into_iter().map(DVec3::from_array).collect();
        let line = |word: &str, k: usize| format!("{word} {} {} {:e}\n", CORNERS[k][0], CORNERS[k][1], CORNERS[k][2]);
        let faces = [[0, 1, 2], [1, 2, 3]];
        let points = [0, 1, 2, 3].map(|k| line("v", k)).concat();
        let obj = parse(format!("# a sheet\no sheet\n{points}vn 0 0 1\nf 1//1 2//1 3//1\nf -3 -2 -1\n").as_bytes());
        let obj = obj.unwrap();
        assert_eq!((&obj.points, &obj.triangles, obj.is_single), (&expected, &faces.to_vec(), false));
        assert_eq!(parse(obj.to_obj().as_bytes()).unwrap(), obj);
        let vertices = faces.as_flattened().iter().map(|k| line("  vertex", *k as usize)).collect::<String>();
        let stl = parse(format!("solid sheet\nfacet normal 0 0 1\nouter loop\n{vertices}endloop").as_bytes()).unwrap();
        assert_eq!((&stl.points, &stl.triangles, stl.is_single), (&expected, &faces.to_vec(), true));
        let mut binary = vec![b' '; 80];
        binary.extend(2u32.to_le_bytes());
        for triangle in faces {
            binary.extend([0u8; 12]);
            triangle.iter().flat_map(|k| CORNERS[*k as usize]).for_each(|x| binary.extend((x as f32).to_le_bytes()));
            binary.extend([0u8; 2]);
        }
        assert_eq!(parse(&binary).unwrap(), stl);
    }

    #[test]
    fn a_face_with_four_corners_is_two_triangles() {
        let quad = parse(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n").unwrap();
        assert_eq!(quad.triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn what_is_no_mesh_is_said() {
        assert_eq!(parse(b"a = 1\n").unwrap_err(), "it has no line that starts with `v`");
        assert_eq!(parse(b"v 1 2\n").unwrap_err(), "line 1 has no three numbers");
        assert_eq!(parse(b"v 1 2 3\nf 1 2 3\n").unwrap_err(), "line 2 has no three numbers of points before it");
        assert_eq!(parse(&[0xff, 0xfe, 0]).unwrap_err(), "it is neither text nor a binary STL file");
        for number in ["nan", "inf", "1e300"] {
            let fault = parse(format!("v 1 2 3\nv 1 {number} 3\n").as_bytes()).unwrap_err();
            assert_eq!(fault, "point 2 has a coordinate that is not finite, or too large");
        }
    }
}
