//! Points of a surface from a file: OBJ, STL as text or binary. Only the points count: stones are convex hulls.

use glam::DVec3;

use crate::dim::D3;
use crate::input::quantity::Point;
use crate::input::value::wrong_type;
use crate::input::{Node, Raw, Reader, Value};

/// Points of a body, in the unit of its file, with the rounding of the file's numbers over their size.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPoints {
    /// The points.
    pub points: Vec<DVec3>,
    /// Whether they were stored as single-precision numbers.
    pub is_single: bool,
}

impl Value for MeshPoints {
    /// A name of a file, or the points themselves, which is how a resolved scenario holds them.
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match &node.value {
            Raw::Text(file) => load(node, file, reader),
            Raw::Array(_) => {
                let points = Vec::<Point<D3>>::read(node, reader)?;
                Some(MeshPoints { points: points.iter().map(|point| point.0).collect(), is_single: false })
            }
            _ => wrong_type(node, reader, "the name of a file", &Self::example()),
        }
    }
    fn write(&self) -> toml::Value {
        let point = |x: &DVec3| toml::Value::Array(x.to_array().into_iter().map(toml::Value::from).collect());
        toml::Value::Array(self.points.iter().map(point).collect())
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": ["string", "array"]})
    }
    fn example() -> String {
        "\"stone.obj\"".into()
    }
}

fn load(node: &Node, file: &str, reader: &Reader) -> Option<MeshPoints> {
    let path = reader.folder.join(file);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = match error.kind() {
                std::io::ErrorKind::NotFound => format!("there is no file `{}`", path.display()),
                _ => format!("cannot read `{}`: {error}", path.display()),
            };
            return reader.mistake("E010", &node.at, message, "names of files count from the folder of the scenario");
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

/// The points of a file, whose first bytes tell what it is.
fn parse(bytes: &[u8]) -> Result<MeshPoints, String> {
    if let Some(points) = binary_stl(bytes) {
        return Ok(MeshPoints { points, is_single: true });
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither text nor a binary STL file".to_string())?;
    let is_stl = text.trim_start().starts_with("solid");
    let word = if is_stl { "vertex" } else { "v" };
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        if words.next() != Some(word) {
            continue;
        }
        let numbers: Vec<f64> = words.by_ref().take(3).map_while(|cell| cell.parse().ok()).collect();
        let Ok([x, y, z]) = <[f64; 3]>::try_from(numbers) else {
            return Err(format!("line {} has no three numbers", number + 1));
        };
        points.push(DVec3::new(x, y, z));
    }
    match points.is_empty() {
        true => Err(format!("it has no line that starts with `{word}`")),
        // STL text is as a rule written from single-precision numbers
        false => Ok(MeshPoints { points, is_single: is_stl }),
    }
}

/// A binary STL file: 80 bytes of anything, a count, and 50 bytes a triangle: a normal, three corners, two bytes.
fn binary_stl(bytes: &[u8]) -> Option<Vec<DVec3>> {
    let count = u32::from_le_bytes(bytes.get(80..84)?.try_into().ok()?) as usize;
    if bytes.len() != 84 + 50 * count || count == 0 {
        return None;
    }
    let number = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let corner = |at: usize| DVec3::new(number(at).into(), number(at + 4).into(), number(at + 8).into());
    let triangle = |k: usize| [12, 24, 36].map(|offset| corner(84 + 50 * k + offset));
    Some((0..count).flat_map(triangle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 2.25, 0.0], [0.0, 0.0, 3.0]];

    #[test]
    fn three_formats_hold_the_same_points() {
        let expected: Vec<DVec3> = CORNERS.into_iter().map(DVec3::from_array).collect();
        let line = |word: &str| CORNERS.map(|[x, y, z]| format!("{word} {x} {y} {z:e}\n")).concat();
        let obj = parse(format!("# a stone\no stone\n{}vn 0 0 1\nf 1 2 3\n", line("v")).as_bytes()).unwrap();
        assert_eq!((obj.points, obj.is_single), (expected.clone(), false));
        let stl = parse(format!("solid stone\nfacet normal 0 0 1\nouter loop\n{}endloop", line("  vertex")).as_bytes());
        assert_eq!(stl.unwrap().points, expected);
        let mut binary = vec![b' '; 80];
        binary.extend(2u32.to_le_bytes());
        for triangle in [[0, 1, 2], [1, 2, 3]] {
            binary.extend([0u8; 12]);
            triangle.iter().flat_map(|k| CORNERS[*k]).for_each(|x| binary.extend((x as f32).to_le_bytes()));
            binary.extend([0u8; 2]);
        }
        let six = parse(&binary).unwrap();
        assert_eq!((six.points[2], six.points[5], six.is_single), (expected[2], expected[3], true));
    }

    #[test]
    fn what_is_no_mesh_is_said() {
        assert_eq!(parse(b"a = 1\n").unwrap_err(), "it has no line that starts with `v`");
        assert_eq!(parse(b"v 1 2\n").unwrap_err(), "line 1 has no three numbers");
        assert_eq!(parse(&[0xff, 0xfe, 0]).unwrap_err(), "it is neither text nor a binary STL file");
    }
}
