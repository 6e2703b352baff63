//! Energies of a world or a frame.

use super::vector::dot;
use crate::cell::Cell;
use crate::dim::{Dim, Vector};
use crate::record::Frame;
use crate::world::World;

/// Energies of all grains and pistons, and what went through contacts and walls since the start [J].
///
/// Pistons, and lengths of a cell that follow a stress, count like grains. In a periodic cell the images count that
/// lie in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Energies {
    /// Of translation, rotation, and rates of strain.
    pub kinetic: f64,
    /// In gravity: -m g.x, zero at the origin; for a piston where it stood at the start.
    pub potential: f64,
    /// Stored in soft contacts, or in grains that deform.
    pub elastic: f64,
    /// Taken out by contacts.
    pub dissipated: f64,
    /// Put in by moving walls, and by a cell that is sheared or strained.
    pub wall_work: f64,
}

impl Energies {
    /// Energies of a world.
    pub(crate) fn of_world<D: Dim>(world: &World<D>) -> Energies {
        let of_cell = world.cell.as_ref().map_or(0.0, |cell| cell.kinetic_energy());
        let weight = |k: usize| -world.bodies.inertia[k].mass() * world.gravity.dot(world.bodies.pose[k].x);
        let ledger = world.ledger();
        Energies {
            kinetic: world.movable().map(|k| world.home_kinetic_energy(k)).sum::<f64>() + of_cell,
            potential: world.movable().map(weight).sum(),
            elastic: ledger.elastic,
            dissipated: ledger.dissipated,
            wall_work: world.total_wall_work(),
        }
    }

    /// Energies of a frame, in this gravity [m/s2]. A frame has no moments of inertia: they follow from the shapes,
    /// which are disks, polygons or spheres.
    pub(crate) fn of_frame(frame: &Frame, gravity: [f64; 3]) -> Energies {
        let (grains, walls) = (&frame.grains, &frame.wall_states);
        let (mut kinetic, mut potential) =
            (frame.cell.as_ref().map_or(0.0, |cell| Cell::from(cell).kinetic_energy()), 0.0);
        for k in (0..grains.id.len()).filter(|k| grains.mass[*k].is_finite()) {
            let (v, w) = (grains.velocity[k], grains.angular_velocity[k]);
            kinetic += 0.5 * grains.mass[k] * (dot(v, v) + square_of_gyration(frame, k) * dot(w, w));
            kinetic += grains.strain_rate.get(k).map_or(0.0, |rate| strain_energy(frame, k, rate));
            potential -= grains.mass[k] * dot(gravity, grains.own_position(k));
        }
        for k in (0..walls.mass.len()).filter(|k| walls.mass[*k].is_finite()) {
            kinetic += 0.5 * walls.mass[k] * dot(walls.velocity[k], walls.velocity[k]);
            potential -= walls.mass[k] * dot(gravity, walls.displacement[k]);
        }
        let Frame { elastic, dissipated, wall_work, .. } = *frame;
        Energies { kinetic, potential, elastic, dissipated, wall_work }
    }

    /// What is there and what contacts took, less what walls put in: a constant of the motion.
    pub(crate) fn balance(&self) -> f64 {
        self.kinetic + self.potential + self.elastic + self.dissipated - self.wall_work
    }
}

/// Kinetic energy of a rate of strain [J]: J E' : E' / 2, with half the moment of inertia as J.
fn strain_energy(frame: &Frame, grain: usize, rate: &[f64; 6]) -> f64 {
    let [xx, yy, zz, xy, yz, xz] = rate;
    let squares = xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + xz * xz);
    0.25 * frame.grains.mass[grain] * square_of_gyration(frame, grain) * squares
}

/// Square of the radius of gyration of a disk, polygon or sphere about the axis it turns about [m2].
pub fn square_of_gyration(frame: &Frame, grain: usize) -> f64 {
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
