//! Tracks: place, velocity and turning of single grains that have a name.

use super::Column;
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Columns of a grain: name_x, name_y .. [m], name_vx .. [m/s], and in the plane name_angle [rad]; name_spin ..
/// [rad/s].
pub(crate) fn columns<D: Dim>(name: &str) -> Vec<Column> {
    let mut columns: Vec<Column> = D::AXES.iter().map(|axis| Column::new(format!("{name}_{axis}"), "m")).collect();
    columns.extend(D::AXES.iter().map(|axis| Column::new(format!("{name}_v{axis}"), "m/s")));
    match D::DIMENSION {
        2 => {
            columns.push(Column::new(format!("{name}_angle"), "rad"));
            columns.push(Column::new(format!("{name}_spin"), "rad/s"));
        }
        _ => columns.extend(D::AXES.iter().map(|axis| Column::new(format!("{name}_spin_{axis}"), "rad/s"))),
    }
    columns
}

/// One number a column; not a number if there is no such grain.
pub(crate) fn sample<D: Dim>(world: &World<D>, name: &str) -> Vec<f64> {
    let id = world.setup.names.iter().find(|(_, other)| other == name).map(|(id, _)| *id);
    let Some(body) = id.and_then(|id| world.body_of(id)) else { return vec![f64::NAN; columns::<D>(name).len()] };
    let (pose, twist) = (&world.bodies.pose[body], &world.bodies.twist[body]);
    let mut row: Vec<f64> = (0..D::DIMENSION).map(|axis| pose.x.get(axis)).collect();
    row.extend((0..D::DIMENSION).map(|axis| twist.v.get(axis)));
    if D::DIMENSION == 2 {
        row.extend(D::rot_numbers(pose.q));
    }
    row.extend((0..D::Spin::LEN).map(|axis| twist.w.get(axis)));
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use glam::DVec2;

    #[test]
    fn a_named_grain_has_its_numbers_in_the_order_of_its_columns() {
        let mut world = World::<D2>::default();
        let body = world.bodies.push_round(DVec2::new(1.0, 2.0), 0.5, 1.0, 1.0, 7);
        world.setup.names.push((7, "bob".into()));
        world.bodies.twist[body].v = DVec2::new(3.0, 4.0);
        (world.bodies.pose[body].q, world.bodies.twist[body].w) = (5.0, 6.0);
        let names: Vec<String> = columns::<D2>("bob").into_iter().map(|column| column.name).collect();
        assert_eq!(names, ["bob_x", "bob_y", "bob_vx", "bob_vy", "bob_angle", "bob_spin"]);
        assert_eq!(sample(&world, "bob"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(sample(&world, "rod").iter().all(|number| number.is_nan()));
        assert_eq!(columns::<D3>("bob").len(), sample(&World::<D3>::default(), "bob").len());
    }
}
