//! A contact whose normal and tangential directions are coupled: W = H^T M^-1 H is a full block.
//!
//! Contacts at the corners of stones are of this kind, and those of pistons and of cells that follow a stress.

use super::accelerate::Relaxation;
use super::cell_coupling::CellCoupling;
use super::residual::{Judged, Misfit, allowance, judged_by};
use super::solve::Increment;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::law::mobility;
use crate::law::{CoupledLaw, ExactLaw};
use crate::method::common::solver_body::SolverBody;

/// A contact with a full block of W: two bodies with arms of any direction.
#[derive(Clone, Debug)]
pub struct CoupledContact<D: Dim> {
    /// Indices of the bodies a and b among the solver bodies.
    pub bodies: [u32; 2],
    /// Velocity of the touching image of b relative to b itself [m/s].
    pub index: u32,
    /// Normal from a to b, then the tangents; the third vector is used in 3D only.
    pub frame: [D::Vec; 3],
    /// From the centres to the contact [m].
    pub arm: [D::Vec; 2],
    /// How much faster than b itself the image of b moves that touches [m/s].
    pub image_velocity: D::Vec,
    /// Coupling to a stress-controlled cell, if the contact crosses its border.
    pub cell_coupling: Option<CellCoupling<D>>,
    /// One over the masses against tangential impulses [1/kg]: zero for a piston, whose guide takes what acts across.
    pub inv_m_t: [f64; 2],
    /// Direction in which piston a is guided, if the contact is at one of its bumps.
    pub guide: Option<D::Vec>,
    /// I^-1 of the bodies [1/(kg m2)].
    pub inv_i: [D::Sym; 2],
    /// The contact's own block of W [1/kg]; in 2D two rows of it are used.
    pub w: [[f64; 3]; 3],
    /// One over the largest eigenvalue of W: the effective mass of the contact [kg].
    pub mass: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Bias, added to the relative velocity [m/s]: g_pos / dt for a gap, E u- for a bounce.
    pub bias: D::Vec,
    /// Impulse on b [N s].
    pub impulse: D::Vec,
    /// Impulse before the last sweep, for the accelerator.
    pub previous: D::Vec,
}

/// One body of a contact: its mobility, and where the contact is on it.
#[derive(Clone, Copy, Debug)]
pub struct ContactSide<D: Dim> {
    /// One over the mass along the normal, and across it [1/kg].
    pub inv_m: [f64; 2],
    /// The only direction in which it can move, if it is guided.
    pub guide: Option<D::Vec>,
    /// I^-1 [1/(kg m2)].
    pub inv_i: D::Sym,
    /// From the centre to the contact [m].
    pub arm: D::Vec,
}

impl<D: Dim> CoupledContact<D> {
    /// The frame of a normal: with its tangents.
    pub fn frame(normal: D::Vec) -> [D::Vec; 3] {
        let tangents = D::tangents(normal);
        let tangent = |k: usize| tangents.get(k).copied().unwrap_or(D::Vec::ZERO);
        [normal, tangent(0), tangent(1)]
    }

    /// W of two bodies in a frame.
    pub fn block(frame: &[D::Vec; 3], sides: &[ContactSide<D>; 2]) -> [[f64; 3]; 3] {
        let mut w = [[0.0; 3]; 3];
        for side in sides {
            let turning = mobility::<D, 3>(frame, side.arm, 0.0, |momentum| D::spin(&side.inv_i, momentum));
            for (i, row) in w.iter_mut().enumerate().take(D::DIMENSION) {
                for (entry, turned) in row.iter_mut().zip(turning[i]) {
                    *entry += turned;
                }
                match side.guide {
                    None => row[i] += side.inv_m[usize::from(i > 0)],
                    Some(guide) => {
                        let along = frame[i].dot(guide) * side.inv_m[0];
                        row.iter_mut().zip(frame).for_each(|(entry, axis)| *entry += along * axis.dot(guide));
                    }
                }
            }
        }
        w
    }

    fn components(&self, v: D::Vec) -> [f64; 3] {
        self.frame.map(|axis| axis.dot(v))
    }

    fn vector(&self, [n, t, s]: [f64; 3]) -> D::Vec {
        self.frame[0] * n + self.frame[1] * t + self.frame[2] * s
    }

    fn plane(&self) -> CoupledLaw<2> {
        let [[nn, nt, _], [tn, tt, _], _] = self.w;
        CoupledLaw { w: [[nn, nt], [tn, tt]], friction: self.friction }
    }

    fn space(&self) -> CoupledLaw<3> {
        CoupledLaw { w: self.w, friction: self.friction }
    }

    /// One over the largest eigenvalue of a block of W [kg].
    pub fn mass(w: [[f64; 3]; 3]) -> f64 {
        let [[nn, nt, _], [tn, tt, _], _] = w;
        1.0 / match D::DIMENSION {
            2 => CoupledLaw { w: [[nn, nt], [tn, tt]], friction: 0.0 }.largest_eigenvalue(),
            _ => CoupledLaw { w, friction: 0.0 }.largest_eigenvalue(),
        }
    }

    /// Whether friction against this slip presses the bodies into each other more than the normal impulse parts them:
    /// W_nn <= mu W_nt . s, Painleve's paradox. Then no finite force lets the contact slide on, or two do.
    pub fn jams(&self, slip: D::Vec) -> bool {
        let [_, t, s] = self.components(slip);
        self.w[0][0] * t.hypot(s) <= self.friction * (self.w[0][1] * t + self.w[0][2] * s)
    }

    /// Velocity of b relative to a at the contact, of the image of b that touches: u = H^T V + image_velocity.
    pub fn velocity(&self, solver_bodies: &[SolverBody<D>]) -> D::Vec {
        self.own_velocity(solver_bodies) + self.image_velocity
    }

    /// Velocity of b itself relative to a: H^T V.
    pub fn own_velocity(&self, solver_bodies: &[SolverBody<D>]) -> D::Vec {
        let [a, b] = self.bodies.map(|k| solver_bodies[k as usize].twist());
        let own = b.v + D::swing(b.w, self.arm[1]) - a.v - D::swing(a.w, self.arm[0]);
        match &self.cell_coupling {
            Some(cell_coupling) => own + cell_coupling.velocity(solver_bodies),
            None => own,
        }
    }

    /// Applies an impulse to b and its negative to a: V += M^-1 H r.
    pub fn apply(&self, impulse: D::Vec, solver_bodies: &mut [SolverBody<D>]) {
        let along = self.frame[0] * impulse.dot(self.frame[0]);
        let across = impulse - along;
        for (k, (body, sign)) in self.bodies.into_iter().zip([-1.0, 1.0]).enumerate() {
            let solver_body = &mut solver_bodies[body as usize];
            if solver_body.inv_m() == 0.0 {
                continue; // shared by all and never written to
            }
            let mut twist = solver_body.twist();
            twist.v += match self.guide.filter(|_| k == 0) {
                None => (along * solver_body.inv_m() + across * self.inv_m_t[k]) * sign,
                Some(guide) => guide * (impulse.dot(guide) * solver_body.inv_m() * sign),
            };
            twist.w += D::spin(&self.inv_i[k], D::torque(self.arm[k], impulse)) * sign;
            solver_body.set_twist(&twist);
        }
        if let Some(cell_coupling) = &self.cell_coupling {
            cell_coupling.apply(impulse, solver_bodies);
        }
    }

    /// Velocity that the contact gains by an impulse of its own: W r.
    #[cfg(test)]
    pub fn block_velocity(&self, impulse: D::Vec) -> D::Vec {
        let r = self.components(impulse);
        self.vector(std::array::from_fn(|i| (0..D::DIMENSION).map(|j| self.w[i][j] * r[j]).sum()))
    }

    /// The impulse that satisfies both laws exactly, while `start` acts and the bodies move with `u`.
    pub fn solve(&self, start: D::Vec, u: D::Vec) -> D::Vec {
        let (u, r) = (self.components(u + self.bias), self.components(start));
        let q = std::array::from_fn(|i| (0..D::DIMENSION).fold(u[i], |sum, j| sum - self.w[i][j] * r[j]));
        self.vector(if D::DIMENSION == 2 {
            let [n, t] = self.plane().impulse([q[0], q[1]]);
            [n, t, 0.0]
        } else {
            self.space().impulse(q)
        })
    }

    fn start(&self, relaxation: Relaxation) -> D::Vec {
        self.impulse + (self.impulse - self.previous) * relaxation.momentum
    }

    /// The change that a sweep makes, from the velocities in `solver_bodies`.
    pub fn change(&self, relaxation: Relaxation, solver_bodies: &[SolverBody<D>]) -> D::Vec {
        let start = self.start(relaxation);
        (self.solve(start, self.velocity(solver_bodies)) - start) * relaxation.factor
    }

    /// Adds a change to the impulse.
    pub fn add_change(&mut self, change: D::Vec, relaxation: Relaxation) -> Increment {
        let before = self.impulse;
        self.impulse = self.start(relaxation) + change;
        self.previous = before;
        Increment { squared: change.norm_squared(), along: change.dot(self.impulse - before) }
    }

    /// How far the impulse is from the laws: see [`super::residual`]. `speeds` are the inverse squares of the reference
    /// speeds of the bodies.
    pub fn misfit(&self, solver_bodies: &[SolverBody<D>], speeds: &[f64]) -> Misfit {
        let (u, r) = (self.components(self.velocity(solver_bodies) + self.bias), self.components(self.impulse));
        Misfit::of(Judged {
            // in the plane the components along the third axis are zero
            distance: self.space().loaded(self.mass, r, u).natural_map().squared(),
            allowance: allowance(self.mass, self.speed_squared(solver_bodies)),
            size: self.impulse.norm_squared(),
            weight: 1.0 / self.mass,
            inverse_square: judged_by(speeds, self.bodies),
        })
    }

    /// Sum of the squares of the velocities that enter the relative velocity: of both bodies, of their corners, of
    /// images, and of the closing gap.
    fn speed_squared(&self, solver_bodies: &[SolverBody<D>]) -> f64 {
        let of = |k: usize| {
            let twist = solver_bodies[self.bodies[k] as usize].twist();
            twist.v.norm_squared() + self.arm[k].norm_squared() * twist.w.norm_squared()
        };
        let image = self
            .cell_coupling
            .as_ref()
            .map_or(0.0, |cell_coupling| cell_coupling.velocity(solver_bodies).norm_squared());
        of(0) + of(1) + self.image_velocity.norm_squared() + image + self.bias.norm_squared()
    }

    /// Regime of the contact under its impulse.
    pub fn regime(&self, solver_bodies: &[SolverBody<D>]) -> Regime {
        let (u, r) = (self.components(self.velocity(solver_bodies) + self.bias), self.components(self.impulse));
        if D::DIMENSION == 2 { self.plane().regime([r[0], r[1]], [u[0], u[1]]) } else { self.space().regime(r, u) }
    }
}
