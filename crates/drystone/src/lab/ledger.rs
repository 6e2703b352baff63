//! The books of energy.

use super::view::{Nothing, View, dot};
use super::{Column, Gauge};
use crate::cell::Cell;
use crate::record::Frame;

/// Energies of all grains and pistons, and what of their sum is not accounted for since the first frame.
///
/// Kinetic energy counts translation and rotation, potential energy is that of gravity: minus m g . x. Dissipated energy, work
/// of walls and elastic energy are those of the run's own books. `unaccounted` is the change of kinetic, potential, elastic and
/// dissipated energy less the work of walls: rounding if the books are whole, the error of the time step otherwise. Energy
/// of springs and of an acceleration that drives the world is not in the books, and appears there too.
pub struct Ledger;

/// Square of the radius of gyration of a grain about the axis it turns about [m2].
fn gyration(frame: &Frame, grain: usize) -> f64 {
    let grains = &frame.grains;
    match grains.corners(grain) {
        Some(corners) => {
            let next = corners.iter().cycle().skip(1);
            let parts = corners.iter().zip(next).map(|(p, q)| {
                let cross = p[0] * q[1] - p[1] * q[0];
                (cross, cross * (dot(*p, *p) + dot(*p, *q) + dot(*q, *q)))
            });
            let (area, moment) = parts.fold((0.0, 0.0), |(a, m), (cross, part)| (a + cross, m + part));
            moment / (6.0 * area)
        }
        None if frame.dimension == 2 => 0.5 * grains.radius[grain].powi(2),
        None => 0.4 * grains.radius[grain].powi(2),
    }
}

/// Kinetic and potential energy of a frame [J].
fn energies(frame: &Frame, gravity: [f64; 3]) -> [f64; 2] {
    let (grains, walls) = (&frame.grains, &frame.wall_states);
    let (mut kinetic, mut potential) = (frame.cell.as_ref().map_or(0.0, |cell| Cell::from(cell).kinetic_energy()), 0.0);
    for k in (0..grains.id.len()).filter(|k| grains.mass[*k].is_finite()) {
        let (v, w) = (grains.velocity[k], grains.angular_velocity[k]);
        kinetic += 0.5 * grains.mass[k] * (dot(v, v) + gyration(frame, k) * dot(w, w));
        potential -= grains.mass[k] * dot(gravity, grains.own_position(k));
    }
    for k in (0..walls.mass.len()).filter(|k| walls.mass[*k].is_finite()) {
        kinetic += 0.5 * walls.mass[k] * dot(walls.velocity[k], walls.velocity[k]);
        potential -= walls.mass[k] * dot(gravity, walls.displacement[k]);
    }
    [kinetic, potential]
}

impl Gauge for Ledger {
    fn columns(&self, _: &View) -> Vec<Column> {
        let names = ["kinetic", "potential", "elastic", "dissipated", "wall_work", "unaccounted"];
        names.map(|name| Column::new(format!("ledger_{name}"), "J")).into()
    }

    fn rows(&self, view: &View) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the energy of rotation")?;
        let gravity = view.setting.gravity;
        let [kinetic, potential] = energies(view.frame, gravity);
        let sum = |frame: &Frame| {
            energies(frame, gravity).iter().sum::<f64>() + frame.elastic + frame.dissipated - frame.wall_work
        };
        let unaccounted = view.first.map_or(f64::NAN, |first| sum(view.frame) - sum(first));
        let Frame { elastic, dissipated, wall_work, .. } = *view.frame;
        Ok(vec![vec![kinetic, potential, elastic, dissipated, wall_work, unaccounted]])
    }
}
