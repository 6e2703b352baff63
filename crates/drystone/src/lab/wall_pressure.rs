//! Pressure on a wall.

use super::view::{Nothing, View, add, dot, norm};
use super::{Column, Gauge};
use crate::input::nearest;

/// Pressure on one wall in strips along an axis: the normal forces of the contacts in a strip over the area of the strip,
/// and the size of the sum of their tangential forces over that area.
///
/// The area of a strip is its length times the depth in the plane; in space, times the extent of the region along the axis
/// that is neither that of the profile nor that of the wall's normal. The wall must be flat and face along an axis.
pub struct WallPressure;

impl WallPressure {
    fn wall(view: &View) -> Result<usize, Nothing> {
        let walls = &view.setting.walls;
        let Some(name) = &view.options.wall else {
            return Err(Nothing::Lacks(format!("a pressure profile takes --wall NAME; walls: {}", walls.join(", "))));
        };
        walls.iter().position(|wall| wall == name).ok_or_else(|| {
            let near = nearest(name, walls.iter().map(String::as_str));
            let meant = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            Nothing::Lacks(format!("there is no wall `{name}`; {meant}walls: {}", walls.join(", ")))
        })
    }
}

impl Gauge for WallPressure {
    fn columns(&self, view: &View) -> Vec<Column> {
        vec![
            Column::new(view.axes()[super::profile::axis(view)], "m"),
            Column::new("wall_pressure", "Pa"),
            Column::new("wall_shear", "Pa"),
            Column::new("contacts", "1"),
        ]
    }

    fn rows(&self, view: &View) -> Result<Vec<Vec<f64>>, Nothing> {
        let (wall, axis, contacts) = (Self::wall(view)?, super::profile::axis(view), &view.frame.contacts);
        let region = view.region()?;
        let on_wall = |k: &usize| contacts.a[*k] == -1 - wall as i32;
        let touching: Vec<usize> = (0..contacts.a.len()).filter(on_wall).collect();
        let Some(first) = touching.first() else { return Err(Nothing::Contacts) };
        let facing = contacts.normal[*first];
        // one part in 10^6: a wall along an axis has that normal up to rounding
        let flat = touching.iter().all(|k| dot(contacts.normal[*k], facing) > 1.0 - 1e-6);
        let across = (0..view.dimension()).find(|i| facing[*i].abs() > 1.0 - 1e-6);
        let Some(across) = across.filter(|across| flat && *across != axis) else {
            let what = "a pressure profile takes a flat wall whose normal is along another axis than --axis";
            return Err(Nothing::Lacks(what.into()));
        };
        let bins = view.options.bins;
        let length = region.length(axis) / bins as f64;
        let width = match view.dimension() {
            2 => view.setting.depth,
            _ => region.length(3 - axis - across),
        };
        let mut sums = vec![(0.0, [0.0; 3], 0.0); bins];
        for k in touching {
            let at = (contacts.from[k][axis] - region.min[axis]) / length;
            if region.min[axis] <= contacts.from[k][axis] && at <= bins as f64 {
                let (normal, shear, count) = &mut sums[(at as usize).min(bins - 1)];
                *normal += contacts.normal_force[k];
                *shear = add(*shear, contacts.tangential_force[k]);
                *count += 1.0;
            }
        }
        let middle = |k: usize| region.min[axis] + (k as f64 + 0.5) * length;
        let row = |(k, (normal, shear, count)): (usize, &(f64, [f64; 3], f64))| {
            vec![middle(k), normal / (length * width), norm(*shear) / (length * width), *count]
        };
        Ok(sums.iter().enumerate().map(row).collect())
    }

    fn is_row(&self) -> bool {
        false
    }
}
