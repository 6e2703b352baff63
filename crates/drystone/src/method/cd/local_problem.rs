//! From the laws of a pair to the local problem of one contact in one step.

use super::Scheme;
use super::cell_coupling::CellCoupling;
use super::coupled::{ContactSide, CoupledContact};
use super::deformable::StrainCoupling;
use super::scalar::ScalarContact;
use super::scalar_round::{Arm, Load, RotationalFriction, ScalarRound};
use crate::body::Inertia;
use crate::contact::{Contact, ContactMemory, Regime};
use crate::dim::{Dim, Vector};
use crate::law::rigid::bond::{CohesiveContact, Fate};
use crate::law::{Lever, Pair, PressedContact, RoundContact};
use crate::method::statics::SupportContact;
use crate::world::World;

/// Builds the local problems of a step from the laws of its pairs.
pub struct LocalProblems<'w, D: Dim> {
    /// Bodies, contacts, laws, and the motion at the start of the step.
    pub world: &'w World<D>,
    /// Length of the step [s].
    pub dt: f64,
    /// How gaps enter the laws.
    pub scheme: Scheme,
}

/// A gap of at most this part of the distance is explained by the rounding of the positions, and counts as closed.
pub(crate) const CLOSED: f64 = 16.0 * f64::EPSILON;

/// A contact between round bodies with friction, a gap or a bounce, and nothing else.
#[derive(Clone, Copy, Debug)]
pub struct PlainContact<D: Dim> {
    /// The local problem.
    pub local: RoundContact<D>,
    /// Distances of the contact from the centres [m].
    pub lever: [f64; 2],
    /// Impulse of the previous step, from which the solve starts [N s].
    pub impulse: D::Vec,
}

impl<D: Dim> LocalProblems<'_, D> {
    /// Whether a contact of the network is plain, so that four of its kind can be solved at once.
    #[inline]
    pub fn is_plain(&self, index: usize) -> bool {
        let contact = &self.world.network.contacts[index];
        let is_still = contact.image_velocity == D::Vec::ZERO || self.world.only_grows();
        if self.misses_centre(contact)
            || !is_still
            || self.world.share(contact).is_some()
            || self.world.deforms(contact)
        {
            return false;
        }
        let has_rebound = self.pair(contact).restitution.tangential() != 0.0;
        self.is_bare(contact) && !has_rebound && self.drag(contact) == D::Vec::ZERO
    }

    /// Whether only friction, gaps and bounces act: no cohesion, no torques.
    #[inline]
    fn is_bare(&self, contact: &Contact<D>) -> bool {
        let pair = self.pair(contact);
        pair.rolling.is_none() && pair.torsion.is_none() && pair.cohesion.is_none()
    }

    /// Velocity of the surface of a spinning mesh or turned profile, beyond that given by its lever [m/s].
    #[inline]
    fn drag(&self, contact: &Contact<D>) -> D::Vec {
        match self.world.setup.surfaces.get(contact.key.a as usize) {
            Some(surface) if surface.is_aside() => {
                let aside = contact.arm_a - contact.normal * contact.arm_a.dot(contact.normal);
                D::swing(self.world.scratch.before[contact.key.a as usize].w, aside)
            }
            _ => D::Vec::ZERO,
        }
    }

    /// A plain contact of the network.
    #[inline]
    pub fn plain(&self, index: usize) -> PlainContact<D> {
        let network = &self.world.network;
        let (contact, memory) = (&network.contacts[index], &network.memory[index]);
        let pair = self.pair(contact);
        let lever = levers(contact);
        let [a, b] = self.inertia(contact);
        let inv_n = a.inv_m + b.inv_m;
        let turn = lever[0] * lever[0] * a.round_inv_i() + lever[1] * lever[1] * b.round_inv_i();
        let local = RoundContact {
            normal: contact.normal,
            bias: self.bias(contact, pair) + self.swelling(contact),
            mass_n: 1.0 / inv_n,
            mass_t: 1.0 / (inv_n + turn),
            friction: self.friction(contact, memory, pair),
        };
        PlainContact { local, lever, impulse: memory.impulse }
    }

    /// Normal velocity of surfaces that grow, if nothing else moves them beside the bodies [m/s].
    #[inline]
    fn swelling(&self, contact: &Contact<D>) -> f64 {
        if self.world.only_grows() { contact.image_velocity.dot(contact.normal) } else { 0.0 }
    }

    /// Whether the normal of a contact may miss the centre of a body.
    #[inline]
    fn misses_centre(&self, contact: &Contact<D>) -> bool {
        [contact.key.a, contact.key.b].iter().any(|body| self.world.bodies.shape[*body as usize].outline().is_some())
    }

    /// Direction in which a piston is guided, if it is touched beside its guide, at a bump: normal and tangent are
    /// coupled there.
    fn guide(&self, contact: &Contact<D>) -> Option<D::Vec> {
        let a = contact.key.a as usize;
        let is_piston = a < self.world.setup.walls.len() && self.world.bodies.inertia[a].is_movable();
        let guide = is_piston.then(|| self.world.wall_axis(a)).flatten();
        guide.filter(|guide| *guide != contact.normal)
    }

    /// The local problem of any contact of the network in scalar form, between the bodies at these indices; `cell` is
    /// the index of a stress-controlled cell, which is used only for contacts across its border.
    pub fn scalar(&self, index: usize, bodies: [u32; 2], cell: u32) -> ScalarContact<D> {
        let contact = &self.world.network.contacts[index];
        let cell_coupling = self.world.share(contact).map(|share| CellCoupling { cell, share });
        let is_coupled = cell_coupling.is_some() && self.is_bare(contact) && !self.world.deforms(contact);
        match self.misses_centre(contact) || is_coupled || self.guide(contact).is_some() {
            true => ScalarContact::Coupled(self.coupled(index, bodies, cell_coupling)),
            false => ScalarContact::Round(self.round(index, bodies, cell_coupling)),
        }
    }

    /// Whether a contact of the network is coupled, and its bodies rotate as freely as they translate, so that four of
    /// its kind can be solved at once.
    #[inline]
    pub fn is_freely_coupled(&self, index: usize) -> bool {
        let contact = &self.world.network.contacts[index];
        let guided = |inertia: &Inertia<D>| inertia.inv_m > 0.0 && inertia.round_inv_i() == 0.0;
        self.misses_centre(contact)
            && contact.image_velocity == D::Vec::ZERO
            && !self.inertia(contact).into_iter().any(guided)
    }

    /// The local problem of a contact with a full block of W, between the bodies at these indices.
    pub fn coupled(&self, index: usize, bodies: [u32; 2], cell_coupling: Option<CellCoupling<D>>) -> CoupledContact<D> {
        let network = &self.world.network;
        let (contact, memory) = (&network.contacts[index], &network.memory[index]);
        let (pair, inertia) = (self.pair(contact), self.inertia(contact));
        let turns = inertia.map(|inertia| inertia.round_inv_i() > 0.0);
        let guide = self.guide(contact);
        let side = |k: usize, body: u32, arm: D::Vec| {
            let inv_i = self.world.bodies.inverse_inertia(body as usize);
            // a piston has a mass but no moment of inertia: its guide takes what acts across
            let inv_m = [inertia[k].inv_m, if turns[k] { inertia[k].inv_m } else { 0.0 }];
            ContactSide { inv_m, guide: guide.filter(|_| k == 0), inv_i, arm }
        };
        let sides: [ContactSide<D>; 2] = [side(0, contact.key.a, contact.arm_a), side(1, contact.key.b, contact.arm_b)];
        let frame = CoupledContact::<D>::frame(contact.normal);
        let mut w = CoupledContact::block(&frame, &sides);
        if let Some(cell_coupling) = &cell_coupling {
            cell_coupling.add_block(&frame, self.inverse_cell_mass(), &mut w);
        }
        if turns == [false; 2] {
            // a piston on a stone that is held in place does not slide: there any W_tt gives no friction
            (1..D::DIMENSION).for_each(|k| w[k][k] += w[0][0]);
        }
        let u = self.world.velocity_before(contact);
        let rebound = if self.is_closed(contact) { pair.restitution.tangential() } else { 0.0 };
        CoupledContact {
            bodies,
            index: index as u32,
            frame,
            arm: [contact.arm_a, contact.arm_b],
            image_velocity: self.given_image_velocity(contact, &cell_coupling),
            cell_coupling,
            inv_m_t: sides.map(|side| side.inv_m[1]),
            guide,
            inv_i: sides.map(|side| side.inv_i),
            mass: CoupledContact::<D>::mass(w),
            w,
            friction: self.friction(contact, memory, pair),
            bias: contact.normal * self.bias(contact, pair) + u.tangent_to(contact.normal) * rebound,
            impulse: memory.impulse,
            previous: memory.impulse,
        }
    }

    /// Velocity of the touching image of b relative to b, without the part of a stress-controlled cell: its solver body
    /// holds that.
    fn given_image_velocity(&self, contact: &Contact<D>, cell_coupling: &Option<CellCoupling<D>>) -> D::Vec {
        if self.world.deforms(contact) {
            return self.world.forced_image_velocity(contact); // solver bodies hold the strains
        }
        match (cell_coupling, &self.world.cell) {
            (Some(cell_coupling), Some(cell)) => contact.image_velocity - cell_coupling.share.velocity(&cell.motion()),
            _ => contact.image_velocity,
        }
    }

    /// One over the inertia of a stress-controlled cell [1/kg].
    fn inverse_cell_mass(&self) -> f64 {
        let press = self.world.cell.as_ref().and_then(|cell| cell.press.as_ref());
        press.map_or(0.0, |press| 1.0 / press.mass)
    }

    fn round(&self, index: usize, bodies: [u32; 2], cell_coupling: Option<CellCoupling<D>>) -> ScalarRound<D> {
        let network = &self.world.network;
        let (contact, memory) = (&network.contacts[index], &network.memory[index]);
        let pair = self.pair(contact);
        let PlainContact { local, lever, .. } = self.plain(index);
        let inertia = self.inertia(contact);
        // a piston has a mass but no moment of inertia: its guide takes what acts across
        let inv_i = inertia.map(|inertia| inertia.round_inv_i());
        let inv_m_t: [f64; 2] = std::array::from_fn(|k| if inv_i[k] > 0.0 { inertia[k].inv_m } else { 0.0 });
        let turn = lever[0] * lever[0] * inv_i[0] + lever[1] * lever[1] * inv_i[1];
        let (mut w_t, mut mass_n) = (inv_m_t[0] + inv_m_t[1] + turn, local.mass_n);
        if let Some(cell_coupling) = &cell_coupling {
            let [along, across] =
                cell_coupling.mobility_bounds(&CoupledContact::<D>::frame(contact.normal), self.inverse_cell_mass());
            (w_t, mass_n) = (w_t + across, 1.0 / (1.0 / mass_n + along));
        }
        let pair_of_bodies = [contact.key.a, contact.key.b].map(|body| body as usize);
        let strain_coupling = StrainCoupling::of(self.world, pair_of_bodies, self.dt);
        if let Some(strain_coupling) = &strain_coupling {
            let [along, across] = strain_coupling.mobility::<D>(inertia.map(|inertia| inertia.inv_m));
            (w_t, mass_n) = (w_t + across, 1.0 / (1.0 / mass_n + along));
        }
        let u = self.world.velocity_before(contact);
        let rebound = if self.is_closed(contact) { pair.restitution.tangential() } else { 0.0 };
        let load = Load { impulse: memory.impulse, torque: memory.torque };
        ScalarRound {
            bodies,
            index: index as u32,
            // a piston on a grain that is held in place does not slide: there any mass gives no friction
            local: RoundContact {
                bias: self.bias(contact, pair),
                mass_n,
                mass_t: if w_t > 0.0 { 1.0 / w_t } else { mass_n },
                ..local
            },
            lever,
            image_velocity: self.given_image_velocity(contact, &cell_coupling),
            cell_coupling,
            strain_coupling,
            inv_m_t,
            drag: self.drag(contact),
            slip_bias: u.tangent_to(contact.normal) * rebound,
            bond: self.bond(contact, memory, pair, u.dot(contact.normal)),
            rotational_friction: self.turning(contact, pair, lever, inv_i),
            load,
            previous: load,
        }
    }

    #[inline]
    fn inertia(&self, contact: &Contact<D>) -> [&Inertia<D>; 2] {
        [contact.key.a, contact.key.b].map(|body| &self.world.bodies.inertia[body as usize])
    }

    /// What is added to the normal velocity: g_pos / dt for a gap, e_n u_n- for a bounce, never both.
    #[inline]
    fn bias(&self, contact: &Contact<D>, pair: &Pair) -> f64 {
        if self.world.deforms(contact) {
            return contact.gap / self.dt; // an overlap is an error of the strains, which give way to it
        }
        if !self.is_closed(contact) {
            return self.gap_bias(contact);
        }
        if pair.restitution.is_none() {
            return 0.0;
        }
        // also where bodies part: only one rule for all closed contacts keeps energy from growing [Radjai eq. 7]
        let u_n = self.world.velocity_before(contact).dot(contact.normal);
        pair.restitution.normal(u_n.abs()) * u_n
    }

    #[inline]
    fn friction(&self, contact: &Contact<D>, memory: &ContactMemory<D>, pair: &Pair) -> f64 {
        if pair.friction.is_constant() {
            return pair.friction.coefficient(memory.regime, 0.0);
        }
        let slip = self.world.velocity_before(contact).tangent_to(contact.normal);
        pair.friction.coefficient(memory.regime, slip.norm())
    }

    #[inline]
    fn pair(&self, contact: &Contact<D>) -> &Pair {
        let material = |body: u32| self.world.bodies.material[body as usize];
        self.world.setup.laws.between(material(contact.key.a), material(contact.key.b))
    }

    /// g_pos / dt for incipient contacts; the midpoint scheme has closed contacts only.
    #[inline]
    fn gap_bias(&self, contact: &Contact<D>) -> f64 {
        match self.scheme {
            Scheme::Euler => contact.gap.max(0.0) / self.dt,
            Scheme::Midpoint => 0.0,
        }
    }

    /// Whether the bodies touch, up to the rounding of their positions.
    #[inline]
    fn is_closed(&self, contact: &Contact<D>) -> bool {
        if contact.gap <= 0.0 {
            return true;
        }
        let pose = &self.world.bodies.pose;
        let size = |body: u32| pose[body as usize].x.norm();
        let distance = size(contact.key.a) + size(contact.key.b) + contact.arm_a.norm() + contact.arm_b.norm();
        contact.gap <= CLOSED * distance
    }

    /// Whether a contact can press in this step: its bodies touch, or loads close the gap within the step, and one of
    /// them moves.
    pub fn may_bear(&self, contact: &Contact<D>) -> bool {
        let bodies = [contact.key.a, contact.key.b].map(|body| body as usize);
        let movable = bodies.into_iter().filter(|body| self.world.bodies.inertia[*body].is_movable());
        let fall =
            movable.map(|body| self.world.pull(body).norm()).fold(f64::NEG_INFINITY, f64::max) * self.dt * self.dt;
        fall >= 0.0 && (self.is_closed(contact) || contact.gap <= fall)
    }

    /// A contact of the network as one that may bear a force at rest.
    pub fn bearing(&self, index: usize) -> SupportContact<D> {
        let contact = &self.world.network.contacts[index];
        let pair = self.pair(contact);
        SupportContact {
            bodies: [contact.key.a, contact.key.b].map(|body| body as usize),
            normal: contact.normal,
            arms: [contact.arm_a, contact.arm_b],
            friction: pair.friction.coefficient(Regime::Stick, 0.0),
            pull: pair.cohesion.as_ref().filter(|_| self.is_closed(contact)).map_or(0.0, |cohesion| cohesion.force()),
            spring: None,
        }
    }

    /// The bond of surfaces that were pressed together and have not separated since, or that touch without separating.
    ///
    /// A broken bond of bodies that still overlap is not restored until they are pressed together again.
    fn bond(&self, contact: &Contact<D>, memory: &ContactMemory<D>, pair: &Pair, u_n: f64) -> Option<CohesiveContact> {
        let cohesion = pair.cohesion.as_ref()?;
        let opening = memory.bond.or((self.is_closed(contact) && u_n <= 0.0).then_some(0.0))?;
        let range = (cohesion.range() > 0.0).then(|| cohesion.range());
        Some(CohesiveContact {
            pull: cohesion.force() * self.dt,
            opening,
            range,
            before: u_n,
            dt: self.dt,
            fate: Fate::default(),
        })
    }

    fn turning(
        &self,
        contact: &Contact<D>,
        pair: &Pair,
        lever: [f64; 2],
        inv_i: [f64; 2],
    ) -> Option<RotationalFriction> {
        let can_turn = inv_i[0] + inv_i[1] > 0.0;
        if !can_turn || (pair.rolling.is_none() && pair.torsion.is_none()) {
            return None;
        }
        let radius = [contact.key.a, contact.key.b].map(|body| self.world.bodies.shape[body as usize].radius());
        let curvature = |r: f64| if r > 0.0 { 1.0 / r } else { 0.0 }; // walls are flat
        let touch = PressedContact {
            reduced_radius: 1.0 / (curvature(radius[0]) + curvature(radius[1])),
            normal_force: 0.0,
            depth: (D::DIMENSION == 2).then_some(self.world.setup.depth),
        };
        let arm = |lever: &Option<Lever>| match lever {
            None => Arm::Fixed(0.0),
            Some(lever) if lever.depends_on_force() => Arm::ByForce(lever.clone(), touch),
            Some(lever) => Arm::Fixed(lever.length(&touch)),
        };
        Some(RotationalFriction {
            rolling: arm(&pair.rolling),
            torsion: arm(&pair.torsion),
            inv_i: inv_i[0] + inv_i[1],
            coupling: lever[0] * inv_i[0] - lever[1] * inv_i[1],
            dt: self.dt,
        })
    }
}

/// Distances of a contact between round bodies from their centres.
#[inline]
fn levers<D: Dim>(contact: &Contact<D>) -> [f64; 2] {
    [contact.arm_a.dot(contact.normal), -contact.arm_b.dot(contact.normal)]
}
