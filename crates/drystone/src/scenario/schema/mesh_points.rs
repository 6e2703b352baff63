//! Points of a stone from a file. Only the points count: stones are convex hulls.

use glam::DVec3;

use crate::dim::D3;
use crate::input::mesh::{MeshData, load};
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
            Raw::Text(file) => {
                let MeshData { points, is_single, .. } = load(node, file, reader)?;
                Some(MeshPoints { points, is_single })
            }
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
