//! The contacts and bodies of a world as a system that sweeps can solve.
//!
//! A contact reads and writes the velocities of its two bodies and nothing else: W is never stored. The sweep itself is
//! in [`super::sweep`], the judgement in [`super::residual`].

use rand_pcg::Pcg64;

use super::accelerate::Relaxation;
use super::cell_coupling::lattice_twist;
use super::chunk::SweepDirection;
use super::coupled_x4::ApplyCoupled;
use super::deformable::StrainFlight;
use super::local_problem::LocalProblems;
use super::options::Order;
use super::order;
use super::partition::{Partition, PlainSeat, Slabs, Subdomain, partition};
use super::residual::Misfit;
use super::round_x4::ApplyRound;
use super::scalar::ScalarContact;
use super::solve::{Increment, System};
use super::velocity_scale::VelocityScale;
use crate::dim::{Dim, Vector};
use crate::lane::in_lanes;
use crate::law::RoundContact;
use crate::method::common::solver_body::SolverBody;
use crate::threads;
use crate::world::World;

/// Bodies and contacts of one step.
#[derive(Debug)]
pub struct ContactSystem<D: Dim> {
    pub(super) order: Order,
    pub(super) slabs: Slabs,
    pub(super) partition: Partition<D>,
    /// Number of contacts.
    pub(super) contacts: usize,
    /// The lane of every plain contact.
    seats: Vec<PlainSeat>,
    /// V, in the order of the slabs.
    pub(super) solver_bodies: Vec<SolverBody<D>>,
    /// V_free: motion without contacts.
    pub(super) free: Vec<SolverBody<D>>,
    /// V before the last sweep.
    pub(super) previous: Vec<SolverBody<D>>,
    /// The motion that velocity errors are compared with.
    pub(super) scale: VelocityScale,
    /// Direction in which the last sweep went through the subdomains.
    pub(super) direction: SweepDirection,
    /// Order of the next sweep over the rest, and the generator that draws it.
    pub(super) shuffled: Vec<u32>,
    pub(super) random: Pcg64,
}

impl<D: Dim> Default for ContactSystem<D> {
    fn default() -> Self {
        ContactSystem {
            order: Order::Coloured,
            slabs: Slabs::default(),
            partition: Partition::default(),
            contacts: 0,
            seats: Vec::new(),
            solver_bodies: Vec::new(),
            free: Vec::new(),
            previous: Vec::new(),
            scale: VelocityScale::default(),
            direction: SweepDirection::default(),
            shuffled: Vec::new(),
            random: Pcg64::new(0, 0),
        }
    }
}

impl<D: Dim> ContactSystem<D> {
    /// Takes the bodies of a world with their motion without contacts. Random orders follow from the seed and the
    /// number of the step.
    pub fn set_bodies(
        &mut self,
        world: &World<D>,
        order: Order,
        free: impl Fn(usize) -> SolverBody<D> + Sync + Send,
        cell: Option<SolverBody<D>>,
    ) {
        self.order = order;
        self.random = order::drawn(world.setup.seed, world.clock.step);
        self.slabs = Slabs::cut(world, order != Order::Coloured);
        self.slabs.arrange(free, cell, &mut self.free);
        self.solver_bodies.clone_from(&self.free);
        let before = |body: usize| SolverBody::new(&world.scratch.before[body], &world.bodies.inertia[body]);
        self.slabs.arrange(before, cell_before(world), &mut self.previous);
        self.scale.set_bodies(&self.previous, &self.free);
    }

    /// Takes the strains of grains that deform.
    pub(super) fn set_strains(&mut self, flight: &StrainFlight<D>) {
        self.slabs.arrange_strains(&flight.free, &mut self.free);
        self.solver_bodies.clone_from(&self.free);
        self.slabs.arrange_strains(&flight.before, &mut self.previous);
        self.scale.set_bodies(&self.previous, &self.free);
    }

    /// The strain of a grain that deforms.
    pub(super) fn strain(&self, body: usize) -> Option<&SolverBody<D>> {
        self.slabs.strain_position(body).map(|position| &self.solver_bodies[position])
    }

    /// Takes the contacts of the world's network with the impulses that they remember.
    pub fn set_contacts(&mut self, problems: &LocalProblems<D>) {
        let earlier = std::mem::take(&mut self.partition);
        self.partition = partition(problems, &self.slabs, &self.free, self.order == Order::Coloured, earlier);
        self.contacts = problems.world.network.contacts.len();
        self.partition.list_plain(self.contacts, &mut self.seats);
        self.scale.set_contacts(problems.world);
        self.shuffled = (0..self.partition.rest.len() as u32).collect();
    }

    /// A body with its motion.
    pub fn solver_body(&self, body: usize) -> &SolverBody<D> {
        &self.solver_bodies[self.slabs.position(body)]
    }

    /// A body with its motion without contacts.
    pub fn free_body(&self, body: usize) -> &SolverBody<D> {
        &self.free[self.slabs.position(body)]
    }

    /// Velocity that external forces give to all bodies together in the step [m/s].
    pub fn fall(&self) -> f64 {
        self.scale.fall()
    }

    /// Energy of all bodies if they moved with the fall, or with the fastest motion that is imposed [J].
    pub fn energy_scale(&self) -> f64 {
        self.scale.energy()
    }

    /// Whether walls, cells or growing grains impose a motion.
    pub fn is_driven(&self) -> bool {
        self.scale.is_driven()
    }

    /// Motion of the lattice of a cell that follows a stress.
    pub fn cell(&self) -> Option<&SolverBody<D>> {
        self.solver_bodies.get(self.slabs.end())
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.contacts
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.contacts == 0
    }

    /// Calls `each` with the number, the local problem and the impulse of every plain contact: those of round bodies
    /// that are solved in lanes.
    pub fn each_plain(&self, mut each: impl FnMut(usize, RoundContact<D>, D::Vec)) {
        for subdomain in self.partition.subdomains() {
            for seat in subdomain.round.seats() {
                let four = &subdomain.round.fours[seat.four];
                each(seat.index, four.contact(seat.lane), four.impulse(seat.lane));
            }
        }
    }

    /// The local problem of a plain contact: one between round bodies that is solved in lanes. `None` for others, and for
    /// those that were found after the system was set up.
    #[inline]
    pub fn plain(&self, index: usize) -> Option<RoundContact<D>> {
        let (four, lane) = self.partition.four(*self.seats.get(index)?)?;
        Some(four.contact(lane))
    }

    /// The impulse of a plain contact.
    #[inline]
    pub fn plain_impulse(&self, index: usize) -> Option<D::Vec> {
        let (four, lane) = self.partition.four(*self.seats.get(index)?)?;
        Some(four.impulse(lane))
    }

    /// Calls `each` with every other contact and the bodies that its indices refer to.
    pub fn each_scalar(&self, mut each: impl FnMut(&ScalarContact<D>, &[SolverBody<D>])) {
        for subdomain in self.partition.subdomains() {
            let solver_bodies = &self.solver_bodies[subdomain.solver_bodies.clone()];
            subdomain.each_scalar(solver_bodies, |contact| each(contact, solver_bodies));
        }
        self.partition.rest.iter().for_each(|contact| each(contact, &self.solver_bodies));
    }

    /// Whether all bodies together have more kinetic energy under the impulses of the start than without them.
    pub fn starts_faster_than_free(&mut self) -> bool {
        self.recompute_velocities();
        let energy = |bodies: &[SolverBody<D>]| {
            let parts = threads::table(bodies.len(), |body| bodies[body].kinetic_energy());
            parts.into_iter().sum::<f64>()
        };
        energy(&self.solver_bodies) > energy(&self.free)
    }

    /// All bodies with their motion without contacts, in the order of the slabs.
    pub fn free(&self) -> &[SolverBody<D>] {
        &self.free
    }

    /// All contacts in the order of the network, as scalar ones whose indices refer to the bodies of all slabs.
    pub fn scalar_contacts(&self) -> Vec<ScalarContact<D>> {
        let mut all = self.partition.rest.clone();
        for subdomain in self.partition.subdomains() {
            let range = subdomain.solver_bodies.clone();
            let (solver_bodies, from) = (&self.solver_bodies[range.clone()], range.start as u32);
            for seat in subdomain.round.seats() {
                let round = subdomain.round.fours[seat.four].scalar(seat.lane, seat.index, solver_bodies);
                all.push(ScalarContact::Round(round).shifted(from));
            }
            subdomain.each_scalar(solver_bodies, |contact| all.push(contact.clone().shifted(from)));
        }
        all.sort_unstable_by_key(ScalarContact::index);
        all
    }

    /// Gives every contact of the network an impulse, and the bodies the motion that follows.
    pub fn set_impulses(&mut self, of: impl Fn(usize) -> D::Vec) {
        for subdomain in self.partition.subdomains_mut() {
            let seats: Vec<_> = subdomain.round.seats().collect();
            seats.iter().for_each(|seat| subdomain.round.fours[seat.four].set_impulse(seat.lane, of(seat.index)));
            let seats: Vec<_> = subdomain.coupled.seats().collect();
            seats.iter().for_each(|seat| subdomain.coupled.fours[seat.four].set_impulse(seat.lane, of(seat.index)));
            subdomain.scalars.iter_mut().for_each(|contact| contact.set_impulse(of(contact.index())));
        }
        self.partition.rest.iter_mut().for_each(|contact| contact.set_impulse(of(contact.index())));
        self.recompute_velocities();
        self.drop_momentum();
    }
}

/// The lattice of a cell that follows a stress, as it changed before the step.
fn cell_before<D: Dim>(world: &World<D>) -> Option<SolverBody<D>> {
    let inv_m = 1.0 / world.cell.as_ref()?.press.as_ref()?.mass;
    Some(SolverBody::of(&lattice_twist(&world.scratch.cell_before), inv_m, 0.0))
}

impl<D: Dim> Subdomain<D> {
    /// Appends the impulses of all contacts.
    fn read(&self, into: &mut Vec<f64>) {
        self.round.fours.iter().for_each(|four| four.read(into));
        self.coupled.fours.iter().for_each(|four| four.read(into));
        self.scalars.iter().for_each(|contact| contact.read(into));
    }

    /// V += M^-1 H r for all contacts of the subdomain; `solver_bodies` are its own.
    fn apply_impulses(&self, solver_bodies: &mut [SolverBody<D>]) {
        in_lanes(ApplyRound { fours: &self.round.fours, solver_bodies });
        in_lanes(ApplyCoupled { fours: &self.coupled.fours, solver_bodies });
        self.scalars.iter().for_each(|contact| contact.apply_own(solver_bodies));
    }
}

impl<D: Dim> System for ContactSystem<D> {
    fn sweep(&mut self, relaxation: Relaxation) -> Increment {
        self.sweep_all(relaxation)
    }

    fn misfit(&self) -> Misfit {
        self.judge_all()
    }

    fn update_bonds(&mut self) {
        for subdomain in self.partition.phases.iter_mut().flatten() {
            let solver_bodies = &self.solver_bodies[subdomain.solver_bodies.clone()];
            subdomain.scalars.iter_mut().for_each(|contact| contact.update_bond(solver_bodies));
        }
        self.partition.rest.iter_mut().for_each(|contact| contact.update_bond(&self.solver_bodies));
    }

    fn recompute_velocities(&mut self) {
        self.solver_bodies.clone_from(&self.free);
        for phase in &self.partition.phases {
            let ranges = phase.iter().map(|subdomain| subdomain.solver_bodies.clone());
            let work = phase.iter().zip(threads::split(&mut self.solver_bodies, ranges));
            threads::map(work.collect(), self.contacts, |(subdomain, bodies)| subdomain.apply_impulses(bodies));
        }
        self.partition.rest.iter().for_each(|contact| contact.apply_own(&mut self.solver_bodies));
    }

    fn drop_momentum(&mut self) {
        self.previous.clone_from(&self.solver_bodies);
        threads::map(self.partition.subdomains_mut().collect(), self.contacts, |subdomain| {
            subdomain.round.fours.iter_mut().for_each(|four| four.drop_momentum());
            subdomain.coupled.fours.iter_mut().for_each(|four| four.drop_momentum());
            subdomain.scalars.iter_mut().for_each(ScalarContact::drop_momentum);
        });
        self.partition.rest.iter_mut().for_each(ScalarContact::drop_momentum);
    }

    fn read(&self, into: &mut Vec<f64>) {
        into.clear();
        let subdomains: Vec<&Subdomain<D>> = self.partition.subdomains().collect();
        let chunks = threads::chunks(subdomains.len(), self.contacts);
        let read = |subdomains: &[&Subdomain<D>]| {
            let mut numbers = Vec::new();
            subdomains.iter().for_each(|subdomain| subdomain.read(&mut numbers));
            numbers
        };
        match chunks.len() {
            0 | 1 => subdomains.iter().for_each(|subdomain| subdomain.read(into)),
            _ => {
                let parts = chunks.into_iter().map(|chunk| &subdomains[chunk]).collect();
                threads::map(parts, self.contacts, read).iter().for_each(|part| into.extend_from_slice(part));
            }
        }
        self.partition.rest.iter().for_each(|contact| contact.read(into));
    }

    fn write(&mut self, from: &[f64]) {
        let mut numbers = from.iter().copied();
        for subdomain in self.partition.subdomains_mut() {
            subdomain.round.fours.iter_mut().for_each(|four| four.write(&mut numbers));
            subdomain.coupled.fours.iter_mut().for_each(|four| four.write(&mut numbers));
            subdomain.scalars.iter_mut().for_each(|contact| contact.write(&mut numbers));
        }
        self.partition.rest.iter_mut().for_each(|contact| contact.write(&mut numbers));
        self.recompute_velocities();
        self.drop_momentum();
    }

    fn force_change(&self) -> f64 {
        let ratio = |now: D::Vec, before: D::Vec| {
            let change = (now - before).norm();
            if change == 0.0 { 0.0 } else { change / now.norm() }
        };
        let mut largest: f64 = 0.0;
        for subdomain in self.partition.subdomains() {
            for seat in subdomain.round.seats() {
                let four = &subdomain.round.fours[seat.four];
                largest = largest.max(ratio(four.impulse(seat.lane), four.previous(seat.lane)));
            }
        }
        self.each_scalar(|contact, _| {
            largest = largest.max(ratio(contact.load().impulse, contact.previous_impulse()));
        });
        largest
    }
}
