//! Suzuki's fourth-order composition.

use super::verlet::Verlet;
use super::{Course, Integrator};
use crate::contact::Coincident;
use crate::dim::Dim;

/// S4(dt) = S2(p dt)^2 S2((1 - 4p) dt) S2(p dt)^2 with p = 1 / (4 - 4^(1/3)). [Suzuki90]
///
/// The third part goes backwards: what dissipates is then only of the order of S2 or less. Five looks at the forces.
pub struct SuzukiTrotter;

/// 1 / (4 - 4^(1/3)).
const P: f64 = 0.414_490_771_794_375_74;

impl<D: Dim> Integrator<D> for SuzukiTrotter {
    fn carries(&self) -> usize {
        1
    }

    fn start(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        Verlet.start(course)
    }

    fn step(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let (dt, before) = (course.dt, course.world.bodies.twist.clone());
        [P, P, 1.0 - 4.0 * P, P, P].into_iter().try_for_each(|part| Verlet::part(course, part * dt))?;
        course.world.before = before; // the parts remember their own starts
        Ok(())
    }
}
