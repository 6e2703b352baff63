//! A contact between round bodies that is solved by itself, with the laws that are not solved in lanes: tangential
//! restitution, cohesion, rolling and torsion friction, pistons, grains that deform.

use super::accelerate::Relaxation;
use super::cell_coupling::CellCoupling;
use super::deformable::StrainCoupling;
use super::residual::{Judged, Misfit, allowance, judged_by};
use super::solve::Increment;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::law::rigid::bond::{CohesiveContact, NormalImpulse};
use crate::law::{Lever, PressedContact, RoundContact};
use crate::law::{SlidingRollingMobility, sliding_rolling};
use crate::method::common::solver_body::SolverBody;

/// What acts across a contact: a force and a torque, or their impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load<D: Dim> {
    /// Impulse on b [N s].
    pub impulse: D::Vec,
    /// Impulse of the torque on b [N m s].
    pub torque: D::Spin,
}

/// How the bodies of a contact move against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion<D: Dim> {
    /// Velocity of b relative to a at the contact [m/s].
    pub u: D::Vec,
    /// Angular velocity of b relative to a [rad/s]. [Brendel eq. 1.38]
    pub spin: D::Spin,
}

/// Largest torque over what presses the surfaces together [m].
#[derive(Clone, Debug)]
pub enum Arm {
    /// A constant.
    Fixed(f64),
    /// A function of the force; the contact holds its other arguments.
    ByForce(Lever, PressedContact),
}

impl Arm {
    /// The largest impulse of the torque under the pressing impulse `press`.
    fn limit(&self, press: f64, dt: f64) -> f64 {
        match self {
            Arm::Fixed(length) => length * press,
            Arm::ByForce(lever, touch) => lever.length(&PressedContact { normal_force: press / dt, ..*touch }) * press,
        }
    }
}

/// Rolling and torsion friction of a contact. [Brendel eq. 1.40]
#[derive(Clone, Debug)]
pub struct RotationalFriction {
    /// Lever of the rolling torque.
    pub rolling: Arm,
    /// Lever of the torsion torque.
    pub torsion: Arm,
    /// 1/I_a + 1/I_b [1/(kg m2)].
    pub inv_i: f64,
    /// l_a/I_a - l_b/I_b: what couples rolling to sliding; zero only between equal spheres [1/(kg m)].
    pub coupling: f64,
    /// Length of the step, to convert between forces and impulses [s].
    pub dt: f64,
}

/// A contact with its laws and its load.
#[derive(Clone, Debug)]
pub struct ScalarRound<D: Dim> {
    /// Indices of the bodies a and b among the solver bodies.
    pub bodies: [u32; 2],
    /// Number of the contact in the network.
    pub index: u32,
    /// Normal, bias, reduced masses and friction.
    pub local: RoundContact<D>,
    /// Distances of the contact from the centres [m].
    pub lever: [f64; 2],
    /// Velocity of the touching image of b relative to b itself [m/s].
    pub image_velocity: D::Vec,
    /// Coupling to a stress-controlled cell, if the contact crosses its border.
    pub cell_coupling: Option<CellCoupling<D>>,
    /// Coupling to the strains of grains that deform.
    pub strain_coupling: Option<StrainCoupling>,
    /// Inverse masses against tangential impulses [1/kg]: zero for a piston, which its guide holds.
    pub inv_m_t: [f64; 2],
    /// Velocity of the surface of a spinning wall, where it differs from that of a point on the normal through its axis
    /// [m/s].
    pub drag: D::Vec,
    /// e_t u_t-: what the tangential velocity is counted from [m/s].
    pub slip_bias: D::Vec,
    /// Cohesion, if the surfaces stick together.
    pub bond: Option<CohesiveContact>,
    /// Rolling and torsion friction, if there is any.
    pub rotational_friction: Option<RotationalFriction>,
    /// Load of the contact.
    pub load: Load<D>,
    /// Load before the last sweep, for the accelerator.
    pub previous: Load<D>,
}

impl<D: Dim> ScalarRound<D> {
    /// Relative motion of a and the image of b that touches.
    pub fn motion(&self, solver_bodies: &[SolverBody<D>]) -> Motion<D> {
        let own = self.own_motion(solver_bodies);
        Motion { u: own.u + self.image_velocity, ..own }
    }

    /// Relative motion of the bodies themselves.
    pub fn own_motion(&self, solver_bodies: &[SolverBody<D>]) -> Motion<D> {
        let [a, b] = self.bodies.map(|k| solver_bodies[k as usize].twist());
        let swing = D::swing(a.w * self.lever[0] + b.w * self.lever[1], self.local.normal);
        let own = b.v - a.v - swing - self.drag;
        let u = self.cell_coupling.as_ref().map_or(own, |cell_coupling| own + cell_coupling.velocity(solver_bodies));
        let u = self.strain_coupling.map_or(u, |coupling| u + self.strain_velocity(coupling, solver_bodies));
        Motion { u, spin: b.w - a.w }
    }

    fn strain_velocity(&self, coupling: StrainCoupling, solver_bodies: &[SolverBody<D>]) -> D::Vec {
        coupling.velocity(self.bodies, self.local.normal, solver_bodies)
    }

    /// Applies a load to b and its negative to a: V += M^-1 H r.
    pub fn apply(&self, load: &Load<D>, solver_bodies: &mut [SolverBody<D>]) {
        let normal = self.local.normal;
        let along = normal * load.impulse.dot(normal);
        let across = load.impulse - along;
        let spin = D::torque(normal, load.impulse);
        for (k, (body, sign)) in self.bodies.into_iter().zip([-1.0, 1.0]).enumerate() {
            let solver_body = &mut solver_bodies[body as usize];
            if solver_body.inv_m() == 0.0 {
                continue; // shared by all and never written to
            }
            let mut twist = solver_body.twist();
            twist.v += (along * solver_body.inv_m() + across * self.inv_m_t[k]) * sign;
            twist.w += (load.torque * sign - spin * self.lever[k]) * solver_body.inv_i();
            solver_body.set_twist(&twist);
        }
        if let Some(cell_coupling) = &self.cell_coupling {
            cell_coupling.apply(load.impulse, solver_bodies);
        }
        if let Some(strain_coupling) = &self.strain_coupling {
            strain_coupling.apply(self.bodies, normal, load.impulse, solver_bodies);
        }
    }

    /// The normal law in a sweep, given the velocity `free` that the contact would have without its normal impulse.
    fn normal(&self, free: f64) -> NormalImpulse {
        let RoundContact { bias, mass_n, .. } = self.local;
        match &self.bond {
            Some(bond) => bond.fated_normal(free, bias, mass_n),
            None => NormalImpulse::pushed(free, bias, mass_n),
        }
    }

    /// The normal law in the residual, for a contact that moves with `u_n` under `r_n`.
    fn lawful(&self, u_n: f64, r_n: f64) -> NormalImpulse {
        let RoundContact { bias, mass_n, .. } = self.local;
        match &self.bond {
            Some(bond) => bond.lawful(u_n, r_n, bias, mass_n),
            None => NormalImpulse::pushed(u_n - r_n / mass_n, bias, mass_n),
        }
    }

    /// Tangential impulse that would stop the slip, while `impulse` acts and the contact moves with `u`.
    fn sticking(&self, impulse: D::Vec, u: D::Vec) -> D::Vec {
        let RoundContact { normal: n, mass_t, .. } = self.local;
        (impulse - n * impulse.dot(n)) - (u - n * u.dot(n) + self.slip_bias) * mass_t
    }

    /// Decides whether the bond breaks.
    pub fn update_bond(&mut self, solver_bodies: &[SolverBody<D>]) {
        if self.bond.is_some() {
            let RoundContact { normal: n, mass_n, bias, .. } = self.local;
            let (u_n, r_n) = (self.motion(solver_bodies).u.dot(n), self.load.impulse.dot(n));
            self.bond.iter_mut().for_each(|bond| bond.settle(u_n, r_n, bias, mass_n));
        }
    }

    /// Whether the contact has no law beyond those of Signorini and Coulomb.
    fn is_plain(&self) -> bool {
        self.bond.is_none() && self.rotational_friction.is_none()
    }

    /// The load that satisfies all laws exactly, while `start` acts and the bodies move with `motion`.
    pub fn solve(&self, start: &Load<D>, motion: &Motion<D>) -> Load<D> {
        if self.is_plain() {
            let impulse = self.local.impulse(start.impulse, motion.u + self.slip_bias);
            return Load { impulse, torque: D::Spin::ZERO };
        }
        let RoundContact { normal: n, mass_n, mass_t, friction, .. } = self.local;
        let (u_n, start_n) = (motion.u.dot(n), start.impulse.dot(n));
        let normal = self.normal(u_n - start_n / mass_n);
        let limit = friction * normal.press;
        let Some(turning) = &self.rotational_friction else {
            let tangential = self.sticking(start.impulse, motion.u).clamp_norm(limit);
            return Load { impulse: n * normal.impulse + tangential, torque: D::Spin::ZERO };
        };
        let (slip, start_t) = (motion.u - n * u_n + self.slip_bias, start.impulse - n * start_n);
        // the torques as vectors: rolling is T x n, tangent like the slip; torsion is what is left
        let rolling_of = |spin: D::Spin| D::swing(spin, n);
        let mass = SlidingRollingMobility { w_t: 1.0 / mass_t, w_r: turning.inv_i, x: turning.coupling };
        let start_roll = rolling_of(start.torque);
        let slip_free = slip - start_t * mass.w_t - start_roll * mass.x;
        let roll_free = rolling_of(motion.spin) - start_t * mass.x - start_roll * mass.w_r;
        let limits = [limit, turning.rolling.limit(normal.press, turning.dt)];
        let [tangential, rolling] = sliding_rolling(&mass, slip_free, roll_free, limits);
        let torsion_part = |spin: D::Spin| spin - D::torque(n, rolling_of(spin));
        let twist_free = torsion_part(motion.spin) - torsion_part(start.torque) * mass.w_r;
        let torsion = (twist_free * (-1.0 / mass.w_r)).clamp_norm(turning.torsion.limit(normal.press, turning.dt));
        Load { impulse: n * normal.impulse + tangential, torque: D::torque(n, rolling) + torsion }
    }

    /// One step of a sweep, which starts from the load moved on by momentum and goes `relaxation.factor` of the way.
    pub fn relax(&mut self, relaxation: Relaxation, solver_bodies: &mut [SolverBody<D>]) -> Increment {
        let change = self.change(relaxation, solver_bodies);
        let increment = self.add_change(&change, relaxation);
        self.apply(&change, solver_bodies);
        increment
    }

    /// The change that a sweep makes, from the velocities in `solver_bodies`.
    pub fn change(&self, relaxation: Relaxation, solver_bodies: &[SolverBody<D>]) -> Load<D> {
        let start = self.start(relaxation);
        let goal = self.solve(&start, &self.motion(solver_bodies));
        Load {
            impulse: (goal.impulse - start.impulse) * relaxation.factor,
            torque: (goal.torque - start.torque) * relaxation.factor,
        }
    }

    /// Adds a change to the load.
    pub fn add_change(&mut self, change: &Load<D>, relaxation: Relaxation) -> Increment {
        let (start, before) = (self.start(relaxation), self.load);
        self.load = Load { impulse: start.impulse + change.impulse, torque: start.torque + change.torque };
        self.previous = before;
        let weigh = self.torque_weight();
        let inner = |a: &Load<D>, b: &Load<D>| a.impulse.dot(b.impulse) + weigh * a.torque.dot(b.torque);
        let moved = Load { impulse: self.load.impulse - before.impulse, torque: self.load.torque - before.torque };
        Increment { squared: inner(change, change), along: inner(change, &moved) }
    }

    /// The weight of a torque, by which impulses and torques have one unit: the inertia against which it acts.
    fn torque_weight(&self) -> f64 {
        self.rotational_friction.as_ref().map_or(0.0, |turning| turning.inv_i * self.local.mass_t)
    }

    /// Appends the load as numbers of one unit.
    pub fn read(&self, into: &mut Vec<f64>) {
        into.extend((0..D::DIMENSION).map(|k| self.load.impulse.get(k)));
        if self.rotational_friction.is_some() {
            let scale = self.torque_weight().sqrt();
            into.extend((0..<D::Spin as Vector>::LEN).map(|k| self.load.torque.get(k) * scale));
        }
    }

    /// Takes a load in the order of [`ScalarRound::read`].
    pub fn write(&mut self, numbers: &mut impl Iterator<Item = f64>) {
        let mut next = || numbers.next().expect("as many numbers as were read");
        self.load.impulse = D::Vec::from_fn(|_| next());
        if self.rotational_friction.is_some() {
            let scale = self.torque_weight().sqrt();
            self.load.torque = D::Spin::from_fn(|_| next() / scale);
        }
    }

    fn start(&self, relaxation: Relaxation) -> Load<D> {
        let (now, before) = (&self.load, &self.previous);
        Load {
            impulse: now.impulse + (now.impulse - before.impulse) * relaxation.momentum,
            torque: now.torque + (now.torque - before.torque) * relaxation.momentum,
        }
    }

    /// How far the load is from the laws: see [`super::residual`]. `speeds` are the inverse squares of the reference
    /// speeds of the bodies.
    pub fn misfit(&self, solver_bodies: &[SolverBody<D>], speeds: &[f64]) -> Misfit {
        let motion = self.motion(solver_bodies);
        let (distance, mass) = match self.is_plain() {
            true => {
                let loaded = self.local.loaded(self.load.impulse, motion.u + self.slip_bias);
                (loaded.natural_map().squared(), self.local.mass_t)
            }
            false => (self.distance_law_by_law(&motion), self.local.mass_n),
        };
        Misfit::of(Judged {
            distance,
            allowance: allowance(mass, self.speed_squared(solver_bodies, self.local.bias)),
            size: self.load.impulse.norm_squared(),
            weight: 1.0 / self.local.mass_t,
            inverse_square: judged_by(speeds, self.bodies),
        })
    }

    /// Square of the distance from the laws with cohesion and torques, which have no natural map: the load is compared
    /// with the one that each law by itself gives for the present load and motion, so that the distance is zero exactly
    /// at a solution. The normal law gives m_n u for a velocity u that is pure rounding.
    fn distance_law_by_law(&self, motion: &Motion<D>) -> f64 {
        let RoundContact { normal: n, friction, .. } = self.local;
        let (u_n, r_n) = (motion.u.dot(n), self.load.impulse.dot(n));
        let normal = self.lawful(u_n, r_n);
        let fit = self.sticking(self.load.impulse, motion.u).clamp_norm(friction * normal.press);
        let r_t = self.load.impulse - n * r_n;
        let wrong = (r_n - normal.impulse).powi(2) + (r_t - fit).norm_squared();
        let Some(turning) = &self.rotational_friction else {
            return wrong;
        };
        let of = |spin: D::Spin| (D::swing(spin, n), spin - D::torque(n, D::swing(spin, n)));
        let ((roll, twist), (t_roll, t_twist)) = (of(motion.spin), of(self.load.torque));
        let limit = |arm: &Arm| arm.limit(normal.press, turning.dt);
        let fit_roll = (t_roll - roll * (1.0 / turning.inv_i)).clamp_norm(limit(&turning.rolling));
        let fit_twist = (t_twist - twist * (1.0 / turning.inv_i)).clamp_norm(limit(&turning.torsion));
        wrong + self.torque_weight() * ((t_roll - fit_roll).norm_squared() + (t_twist - fit_twist).norm_squared())
    }

    /// Sum of the squares of the velocities that enter the relative velocity: of both bodies, of their rims, of images,
    /// and of the closing gap.
    fn speed_squared(&self, solver_bodies: &[SolverBody<D>], bias: f64) -> f64 {
        let of = |k: usize| {
            let twist = solver_bodies[self.bodies[k] as usize].twist();
            twist.v.norm_squared() + self.lever[k] * self.lever[k] * twist.w.norm_squared()
        };
        let image = self
            .cell_coupling
            .as_ref()
            .map_or(0.0, |cell_coupling| cell_coupling.velocity(solver_bodies).norm_squared());
        let strain =
            self.strain_coupling.map_or(0.0, |coupling| self.strain_velocity(coupling, solver_bodies).norm_squared());
        of(0) + of(1) + self.image_velocity.norm_squared() + image + strain + bias * bias
    }

    /// How far a cohesive contact has opened at the end of the step; `None` without a bond, or when it broke.
    pub fn opening(&self, solver_bodies: &[SolverBody<D>]) -> Option<f64> {
        let bond = self.bond.as_ref()?;
        let (u_n, r_n) =
            (self.motion(solver_bodies).u.dot(self.local.normal), self.load.impulse.dot(self.local.normal));
        bond.opened(self.lawful(u_n, r_n), u_n)
    }

    /// Regime of the contact under its load.
    pub fn regime(&self, solver_bodies: &[SolverBody<D>]) -> Regime {
        let motion = self.motion(solver_bodies);
        let RoundContact { normal: n, friction, .. } = self.local;
        let (u_n, r_n) = (motion.u.dot(n), self.load.impulse.dot(n));
        let press = self.lawful(u_n, r_n).press;
        // a bond that drifts back carries no normal force and is still closed
        if r_n == 0.0 && (press == 0.0 || self.bond.is_none()) {
            return Regime::Open;
        }
        let stick = self.sticking(self.load.impulse, motion.u).norm();
        if stick <= friction * press { Regime::Stick } else { Regime::Slide }
    }
}
