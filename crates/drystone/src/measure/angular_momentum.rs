//! Angular momentum.

use super::frame::{FrameMeasure, FrameView, Nothing};
use super::{Column, Measure, columns_in};
use crate::dim::{Dim, Vector};
use crate::measure::energies::square_of_gyration;
use crate::measure::vector::{add, cross, times};
use crate::world::World;

/// Sum of x x m v + I w over all grains that can move, about the origin of the scenario: orbit and spin.
///
/// Forces between grains keep it; gravity, walls and fixed grains change it. In a periodic cell it has no meaning: a
/// pair that touches across the border is pushed in two places that are a length of the cell apart. Pistons, which do
/// not turn and have no centre, are left out.
pub(crate) struct AngularMomentum;

impl<D: Dim> Measure<D> for AngularMomentum {
    fn columns(&self) -> Vec<Column> {
        let axes: &[&str] = if D::Spin::LEN == 1 { &["z"] } else { &["x", "y", "z"] };
        axes.iter().map(|axis| Column::new(format!("angular_momentum_{axis}"), "kg m2/s")).collect()
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let sum = world.free_grains().fold(D::Spin::ZERO, |sum, k| sum + world.bodies.angular_momentum(k));
        (0..D::Spin::LEN).map(|axis| sum.get(axis)).collect()
    }
}

impl FrameMeasure for AngularMomentum {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        columns_in(self, view.dimension())
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the angular momentum")?;
        let grains = &view.frame.grains;
        let of_grain = |k: usize| {
            let orbit = cross(grains.own_position(k), grains.own_velocity(k));
            let spin = times(grains.angular_velocity[k], square_of_gyration(view.frame, k));
            times(add(orbit, spin), grains.mass[k])
        };
        let sum = (0..grains.id.len()).filter(|k| view.is_free(*k)).fold([0.0; 3], |sum, k| add(sum, of_grain(k)));
        Ok(vec![if view.dimension() == 2 { vec![sum[2]] } else { sum.to_vec() }])
    }

    fn takes_region(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use glam::{DVec2, DVec3};

    #[test]
    fn orbit_and_spin_add_up_about_the_origin() {
        let mut world = World::<D3>::default();
        let ball = world.bodies.push_round(DVec3::new(2.0, 0.0, 1.0), 0.5, 6.0 / std::f64::consts::PI, 1.0, 0);
        world.bodies.twist[ball].v = DVec3::new(0.0, 3.0, 0.0);
        world.bodies.twist[ball].w = DVec3::new(0.0, 0.0, -10.0);
        // mass 1, I = 2/5 1/4 = 0.1: x x v = (-3, 0, 6), and -1 of the spin
        let found = AngularMomentum.sample(&world);
        assert!(found.iter().zip([-3.0, 0.0, 5.0]).all(|(found, exact)| (found - exact).abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn in_the_plane_there_is_one_and_what_cannot_move_has_none() {
        let mut world = World::<D2>::default();
        let disk = world.bodies.push_round(DVec2::new(0.0, 2.0), 1.0, 1.0 / std::f64::consts::PI, 1.0, 0);
        (world.bodies.twist[disk].v, world.bodies.twist[disk].w) = (DVec2::new(1.5, 1.0), 4.0);
        let stuck = world.bodies.push_round(DVec2::new(5.0, 5.0), 1.0, 1.0, 1.0, 1);
        world.bodies.inertia[stuck] = crate::body::Inertia::IMMOVABLE;
        world.bodies.twist[stuck].v = DVec2::new(1.0, 0.0);
        // mass 1, I = 1/2: -2 1.5 of the orbit, 2 of the spin
        assert!((AngularMomentum.sample(&world)[0] + 1.0).abs() < 1e-14);
        assert_eq!(Measure::<D2>::columns(&AngularMomentum).len(), 1);
    }
}
