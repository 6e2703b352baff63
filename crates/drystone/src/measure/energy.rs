//! Energies.

use super::frame::{FrameMeasure, FrameView, Nothing};
use super::{Column, Measure, columns_in};
use crate::dim::Dim;
use crate::measure::energies::Energies;
use crate::world::World;

/// Kinetic energy, potential energy in gravity, dissipated energy, work of the walls, and the elastic energy of soft
/// contacts or of grains that deform: see [`Energies`].
pub(crate) struct EnergyTerms;

impl<D: Dim> Measure<D> for EnergyTerms {
    fn columns(&self) -> Vec<Column> {
        ["kinetic_energy", "potential_energy", "dissipated_energy", "wall_work", "elastic_energy"]
            .map(|name| Column::new(name, "J"))
            .into()
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        row(Energies::of_world(world))
    }
}

fn row(Energies { kinetic, potential, elastic, dissipated, wall_work }: Energies) -> Vec<f64> {
    vec![kinetic, potential, dissipated, wall_work, elastic]
}

impl FrameMeasure for EnergyTerms {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        columns_in(self, view.dimension())
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the energy of rotation")?;
        Ok(vec![row(Energies::of_frame(view.frame, view.setting.gravity))])
    }

    fn takes_region(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;
    use glam::DVec3;

    #[test]
    fn a_rolling_sphere_has_seven_fifths_of_its_translational_energy() {
        let mut world = World::<D3>::default();
        world.set_gravity(DVec3::new(0.0, 0.0, -10.0));
        let ball = world.bodies.push_round(DVec3::new(0.0, 0.0, 2.0), 0.5, 6.0 / std::f64::consts::PI, 1.0, 0);
        world.bodies.twist[ball].v = DVec3::new(3.0, 0.0, 0.0);
        world.bodies.twist[ball].w = DVec3::new(0.0, 6.0, 0.0);
        // mass 6/pi * pi/6 = 1: translation 4.5 J, rotation 2/5 of it; m g h = 20 J
        let energy = EnergyTerms.sample(&world);
        assert!((energy[0] - 4.5 * 1.4).abs() < 1e-14 && (energy[1] - 20.0).abs() < 1e-13, "{energy:?}");
    }
}
