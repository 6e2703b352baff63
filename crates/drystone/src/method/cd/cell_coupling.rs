//! Coupling of contacts across the border of a stress-controlled cell to the motion of its lattice.

use crate::body::Twist;
use crate::cell::{CellMotion, Share};
use crate::dim::{Dim, Vector};
use crate::method::common::solver_body::SolverBody;

/// Coupling of a contact across the border of a stress-controlled cell to the motion of the lattice.
///
/// The image of b moves with the lattice: u = v_b - v_a + ... + A l, where l is the motion of the lattice and A the
/// share of the contact in it. An impulse r moves the lattice by A^T r / M. A strain does not turn grains, so spins,
/// rolling and torsion are not coupled.
#[derive(Clone, Copy, Debug)]
pub struct CellCoupling<D: Dim> {
    /// Index of the solver body that holds the motion of the lattice.
    pub cell: u32,
    /// Share A of the contact in the motion of the lattice.
    pub share: Share<D>,
}

impl<D: Dim> CellCoupling<D> {
    /// Velocity of the image of b due to the motion of the lattice [m/s].
    pub fn velocity(&self, solver_bodies: &[SolverBody<D>]) -> D::Vec {
        self.share.velocity(&lattice_motion(&solver_bodies[self.cell as usize]))
    }

    /// Applies an impulse on the image of b to the lattice.
    pub fn apply(&self, impulse: D::Vec, solver_bodies: &mut [SolverBody<D>]) {
        let solver_body = &mut solver_bodies[self.cell as usize];
        let motion = lattice_motion(solver_body).plus(&self.share.load(impulse), solver_body.inv_m());
        solver_body.set_twist(&lattice_twist(&motion));
    }

    /// Adds the compliance of the lattice to W: A A^T / M along the frame.
    pub fn add_block(&self, frame: &[D::Vec; 3], inv_m: f64, w: &mut [[f64; 3]; 3]) {
        let loads = frame.map(|axis| self.share.load(axis));
        for (i, row) in w.iter_mut().enumerate().take(D::DIMENSION) {
            for (j, entry) in row.iter_mut().enumerate().take(D::DIMENSION) {
                *entry += loads[i].dot(&loads[j]) * inv_m;
            }
        }
    }

    /// Upper bounds of the compliance of the lattice along the normal and across it [1/kg]: numbers g_n and g_t with A
    /// A^T / M <= diag(g_n, g_t).
    ///
    /// Laws that solve normal and tangent one after the other use these bounds. Where the lattice couples both, a sweep
    /// then goes only part of the way to the solution of its contact, never too far; the solution itself is the same.
    pub fn mobility_bounds(&self, frame: &[D::Vec; 3], inv_m: f64) -> [f64; 2] {
        let mut w = [[0.0; 3]; 3];
        self.add_block(frame, inv_m, &mut w);
        let [[nn, nt, ns], [_, tt, ts], [_, _, ss]] = w;
        // [[a, b], [b, C]] <= diag(a + |b|, |C| + |b|), by 2 x y <= x^2 + y^2
        let coupling = nt.hypot(ns);
        let across = 0.5 * (tt + ss) + (0.5 * (tt - ss)).hypot(ts); // the larger eigenvalue
        [nn + coupling, across + coupling]
    }
}

/// The motion of a lattice in the form of a twist: its rate of shear takes the place of the spin.
pub(crate) fn lattice_twist<D: Dim>(motion: &CellMotion<D>) -> Twist<D> {
    Twist { v: motion.stretching, w: D::Spin::from_fn(|k| if k == 0 { motion.sliding } else { 0.0 }) }
}

/// The motion of a lattice that a solver body holds.
pub(crate) fn lattice_motion<D: Dim>(solver_body: &SolverBody<D>) -> CellMotion<D> {
    let Twist { v, w } = solver_body.twist();
    CellMotion { stretching: v, sliding: w.get(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;
    use crate::law::rigid::random::Random;
    use crate::method::cd::coupled::CoupledContact;
    use glam::DVec3;

    #[test]
    fn the_lattice_never_gives_way_more_than_its_bounds() {
        let mut random = Random::new(4);
        for _ in 0..10_000 {
            let mut vector = || DVec3::from_array(random.velocity::<3>());
            let (normal, share, r) = (vector().normalize(), Share { arm: vector(), slide: vector() }, vector());
            let (cell_coupling, frame) = (CellCoupling::<D3> { cell: 0, share }, CoupledContact::<D3>::frame(normal));
            let (along, across) = (r.dot(normal), r.reject_from(normal).length());
            let moved = 0.25 * share.load(r).dot(&share.load(r));
            let [g_n, g_t] = cell_coupling.mobility_bounds(&frame, 0.25);
            let bound = g_n * along * along + g_t * across * across;
            assert!(moved <= bound * (1.0 + 1e-12), "{moved} > {bound}");
        }
    }

    #[test]
    fn along_an_axis_the_bounds_are_exact() {
        let share = Share { arm: DVec3::new(-1.0, 0.0, 0.0), slide: DVec3::ZERO };
        let cell_coupling = CellCoupling::<D3> { cell: 0, share };
        assert_eq!(cell_coupling.mobility_bounds(&CoupledContact::<D3>::frame(DVec3::X), 0.5), [0.5, 0.0]);
        assert_eq!(cell_coupling.mobility_bounds(&CoupledContact::<D3>::frame(DVec3::Y), 0.5), [0.0, 0.5]);
    }
}
