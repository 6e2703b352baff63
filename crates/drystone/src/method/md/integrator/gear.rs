//! Gear's predictor and corrector.

use super::suzuki_trotter::SuzukiTrotter;
use super::{Integrator, StepContext, kicked};
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::method::common::taylor::{CARRIED, correct_body, keep_rates, predict_body, rates_of};
use crate::method::md::force_schedule::ForceSchedule;

/// Taylor series with five derivatives, corrected by the second derivative that the forces give. [Gear71],
/// [AllenTildesley]
///
/// Column k carries the derivatives of twists: a, a', a'', a''', so that x has five and w has four. Corrections are for
/// forces that depend on velocities: 3/16 for x, and 251/720 for w, which is of first order.
///
/// There are no kicks: a step predicts all bodies, finds the forces by
/// [`ForceField::evaluate`](crate::method::md::field::ForceField::evaluate), and corrects all bodies.
///
/// A start without the higher derivatives would leave an error of second order for good: they are found from the
/// accelerations of four trial steps of fourth order.
pub(crate) struct Gear;

/// First, second and third derivative of five values at equal distances, at the first of them.
const DIFFERENCES: [[f64; 5]; 3] = [
    [-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25],
    [35.0 / 12.0, -26.0 / 3.0, 9.5, -14.0 / 3.0, 11.0 / 12.0],
    [-2.5, 9.0, -12.0, 7.0, -1.5],
];

impl<D: Dim> Integrator<D> for Gear {
    fn carries(&self) -> usize {
        CARRIED
    }

    fn start(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let StepContext { world, field, carried, dt } = context;
        field.follow(world);
        let (known, ahead) = (field.memories(), field.ahead);
        field.evaluate(world, ForceSchedule::first(Integrator::<D>::until(&SuzukiTrotter, *dt)), *dt, 0.0)?;
        let (dt, count) = (*dt, field.accel.len());
        let (pose, twist) = (world.bodies.pose.clone(), world.bodies.twist.clone());
        let cell = world.cell.clone();
        let mut rates = vec![field.accel.clone()];
        for _ in 0..4 {
            let mut last = rates[rates.len() - 1].clone();
            SuzukiTrotter.step(&mut StepContext { world, field, carried: &mut last, dt })?;
            rates.push(last);
        }
        (world.bodies.pose, world.bodies.twist, world.cell) = (pose, twist, cell);
        field.open(world, dt, known, ahead);
        field.now = world.clock.time;
        field.evaluate(world, ForceSchedule::first(dt), dt, 0.0)?;
        for (k, rate) in carried.iter_mut().enumerate() {
            let (derivative, body) = (k / count, k % count);
            *rate = match derivative {
                0 => rates[0][body],
                _ => {
                    let sum = |sum: Twist<D>, (rate, part): (&Vec<Twist<D>>, &f64)| kicked(&sum, &rate[body], *part);
                    let sum = rates.iter().zip(&DIFFERENCES[derivative - 1]).fold(Twist::default(), sum);
                    kicked(&Twist::default(), &sum, libm::pow(dt, -(derivative as f64)))
                }
            };
        }
        Ok(())
    }

    fn step(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let StepContext { world, field, carried, dt } = context;
        world.remember_twists();
        let (dt, count) = (*dt, world.bodies.len());
        let mut way = 0.0_f64;
        for k in 0..count {
            let (pose, twist) = (&mut world.state.bodies.pose[k], &mut world.state.bodies.twist[k]);
            let from = pose.x;
            if !world.state.bodies.inertia[k].is_movable() {
                pose.x += twist.v * dt;
                way = way.max((pose.x - from).norm());
                continue;
            }
            let mut rates = rates_of(carried, count, k);
            let mean = predict_body(pose, twist, &mut rates, dt);
            pose.q = D::turn_little(pose.q, mean, dt);
            keep_rates(carried, count, k, &rates);
            way = way.max((pose.x - from).norm());
        }
        field.drift_cell(world, dt);
        field.follow(world);
        field.now += dt;
        field.evaluate(world, ForceSchedule { since: dt, until: dt, kicks: false }, dt, way)?;
        for k in (0..count).filter(|k| world.state.bodies.inertia[*k].is_movable()) {
            let (pose, twist) = (&mut world.state.bodies.pose[k], &mut world.state.bodies.twist[k]);
            let mut rates = rates_of(carried, count, k);
            correct_body(pose, twist, &mut rates, &field.accel[k], dt);
            keep_rates(carried, count, k, &rates);
        }
        Ok(())
    }
}
