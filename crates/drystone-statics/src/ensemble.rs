//! The ensemble of forces: the step of a frame, solved again from random forces. [Radjai, section 5.2]
//!
//! The unknowns are the forces r of the contacts that press, u = W r + q with W = dt E^T M^-1 E. With the biases of
//! the step the velocity of a contact that presses is zero across it, and along it unless it slides. Since the forces
//! of the frame give these velocities, q = u - W r, and no load has to be known. Sweeps end at the solution that their
//! start and their order lead to; without self-stresses it is always the same.

use std::collections::BTreeMap;

use drystone::measure::frame::{ContactForce, FrameView, Nothing};
use drystone::method::cd::problem::{AnyProblem, ContactProblem};
use drystone::method::cd::stored::{Goal, Solution};
use drystone::record::Frame;
use glam::DVec3;

use crate::balance::{Balance, BalancedContact, Rows, tangents};
use crate::random::RandomForces;

/// The step that led to a frame, as a problem for sweeps.
pub struct FrameStep {
    dimension: usize,
    /// Entries (row, column, number) of W.
    entries: Vec<(usize, usize, f64)>,
    /// Velocities without forces.
    free: Vec<f64>,
    friction: Vec<f64>,
    /// Number of unknowns of each contact in the balance: one of a contact that slides or has no friction.
    widths: Vec<usize>,
}

/// A solution of the step.
#[derive(Clone, Debug)]
pub struct Member {
    /// Forces by unknown of the balance, in units of the mean normal force of the frame.
    pub forces: Vec<f64>,
    /// How far contact laws are missed: residual eps_nat, a ratio.
    pub residual: f64,
    /// Estimated error of the forces by the doubling test, a ratio.
    pub force_error: f64,
    /// Whether the solve reached its accuracy.
    pub converged: bool,
}

/// A contact in its own frame: what the step says about it.
struct StepContact {
    directions: Vec<DVec3>,
    /// Force in the frame, by direction, in units of the mean normal force.
    force: Vec<f64>,
    /// Velocity that the contact keeps, by direction [m/s].
    velocity: Vec<f64>,
    friction: f64,
}

impl FrameStep {
    /// The step that led to a frame, for the contacts of its balance.
    pub fn of(view: &FrameView, balance: &Balance) -> Result<FrameStep, Nothing> {
        view.without_polyhedra("the inertia of the grains")?;
        let frame = view.frame;
        if frame.time_step <= 0.0 || !frame.time_step.is_finite() {
            return Err(Nothing::Lacks("the frame is that of the start: no step led to it".into()));
        }
        let found = view.contact_forces();
        let at = |number: usize| found.binary_search_by_key(&number, |force| force.contact).ok();
        let pressing: Vec<&ContactForce> =
            balance.contacts.iter().filter_map(|contact| at(contact.contact)).map(|k| &found[k]).collect();
        let contacts: Vec<StepContact> = pressing
            .iter()
            .zip(&balance.contacts)
            .map(|(force, own)| StepContact::of(view, force, own, balance.unit))
            .collect();
        let entries = delassus(frame, &pressing, &contacts, frame.time_step * balance.unit);
        let force: Vec<f64> = contacts.iter().flat_map(|contact| contact.force.iter().copied()).collect();
        let mut free: Vec<f64> = contacts.iter().flat_map(|contact| contact.velocity.iter().copied()).collect();
        entries.iter().for_each(|(row, column, w)| free[*row] -= w * force[*column]);
        let friction = contacts.iter().map(|contact| contact.friction).collect();
        let widths = balance.contacts.iter().map(|contact| contact.directions.len()).collect();
        Ok(FrameStep { dimension: frame.dimension, entries, free, friction, widths })
    }

    /// Solves the step from forces and in an order of the contacts that are both drawn at random.
    pub fn solve(&self, seed: u64, goal: Goal) -> Result<Member, Nothing> {
        let (n, count) = (self.dimension, self.friction.len());
        let mut random = RandomForces::new(seed);
        // order[new] is the number of the contact in the balance
        let order = random.order(count);
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let moved = |unknown: usize| n * place[unknown / n] + unknown % n;
        let entries = self.entries.iter().map(|(row, column, w)| (moved(*row), moved(*column), *w)).collect();
        let free: Vec<f64> = order.iter().flat_map(|old| &self.free[n * old..n * (old + 1)]).copied().collect();
        let friction: Vec<f64> = order.iter().map(|old| self.friction[*old]).collect();
        let start: Vec<f64> = friction.iter().flat_map(|friction| random.force(*friction, n)).collect();
        let problem = match n {
            2 => ContactProblem::<2>::from_entries(entries, &free, friction).map(AnyProblem::Plane),
            _ => ContactProblem::<3>::from_entries(entries, &free, friction).map(AnyProblem::Space),
        };
        let problem = problem.map_err(|flaw| Nothing::Lacks(flaw.to_string()))?;
        let Solution { impulses, converged, certificate, .. } = problem.solve_from(&start, goal, |_, _| ());
        Ok(Member {
            forces: place
                .iter()
                .zip(&self.widths)
                .flat_map(|(new, width)| &impulses[n * new..][..*width])
                .copied()
                .collect(),
            residual: certificate.residual,
            force_error: certificate.force_error,
            converged,
        })
    }
}

impl StepContact {
    fn of(view: &FrameView, found: &ContactForce, own: &BalancedContact, unit: f64) -> StepContact {
        let (frame, k) = (view.frame, found.contact);
        let contacts = &frame.contacts;
        let normal = DVec3::from_array(contacts.normal[k]);
        let directions: Vec<DVec3> = [normal].into_iter().chain(tangents(frame.dimension, normal)).collect();
        let tangential = DVec3::from_array(contacts.tangential_force[k]);
        let normal_force = contacts.normal_force[k];
        // of a contact that slides balance knows one direction
        let slides = own.directions.len() == 1 && contacts.friction[k] > 0.0;
        let mut velocity = vec![0.0; directions.len()];
        if let Some(along) = tangential.try_normalize().filter(|_| slides) {
            let across = relative_velocity(frame, found).reject_from_normalized(normal).length();
            velocity[1..].iter_mut().zip(&directions[1..]).for_each(|(u, t)| *u = -across * along.dot(*t));
        }
        let force = normal * normal_force + tangential;
        StepContact {
            force: directions.iter().map(|direction| force.dot(*direction) / unit).collect(),
            directions,
            velocity,
            friction: if slides { tangential.length() / normal_force } else { own.friction },
        }
    }
}

/// Velocity of b less that of a, where the force acts [m/s].
fn relative_velocity(frame: &Frame, found: &ContactForce) -> DVec3 {
    let (grains, walls, k) = (&frame.grains, &frame.wall_states, found.contact);
    let point = |v: [f64; 3], w: [f64; 3], arm: [f64; 3]| {
        let [v, w, arm] = [v, w, arm].map(DVec3::from_array);
        v + w.cross(arm)
    };
    let of_grain = |grain: usize, arm: [f64; 3]| point(grains.velocity[grain], grains.angular_velocity[grain], arm);
    let of_a = match (found.a, usize::try_from(-1 - frame.contacts.a[k])) {
        (Some(a), _) => of_grain(a, found.arm_a) + image_velocity(frame, frame.contacts.from[k], grains.position[a]),
        (None, Ok(wall)) => point(walls.velocity[wall], walls.angular_velocity[wall], found.arm_a),
        (None, Err(_)) => DVec3::ZERO,
    };
    of_grain(found.b, found.arm_b) - of_a
}

/// How much faster the image of a grain moves than the grain in a cell that is sheared or stretched [m/s].
fn image_velocity(frame: &Frame, image: [f64; 3], grain: [f64; 3]) -> DVec3 {
    let Some(cell) = &frame.cell else { return DVec3::ZERO };
    let shift = DVec3::from_array(image) - DVec3::from_array(grain);
    let mut velocity = DVec3::ZERO;
    for axis in (0..3).filter(|axis| cell.is_periodic[*axis]) {
        velocity[axis] += shift[axis] * cell.stretching[axis] / cell.lengths[axis];
    }
    if let Some(plane) = cell.shear {
        velocity[plane.along] += shift[plane.across] * cell.rate;
    }
    velocity
}

/// Entries of W: velocity at one unknown by a unit of force at another, during a step. `scale` is the time step times
/// the unit of force.
fn delassus(frame: &Frame, found: &[&ContactForce], contacts: &[StepContact], scale: f64) -> Vec<(usize, usize, f64)> {
    let rows = Rows::of(frame);
    let mut by_row: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    let unknowns =
        found.iter().zip(contacts).flat_map(|(found, contact)| contact.directions.iter().map(move |d| (found, d)));
    for (unknown, (found, direction)) in unknowns.enumerate() {
        for (row, value) in rows.column(frame, found, *direction) {
            by_row.entry(row).or_default().push((unknown, value));
        }
    }
    let mut entries = Vec::new();
    for (row, row_entries) in by_row {
        let mobility = scale * rows.mobility(frame, row);
        for (i, a) in &row_entries {
            entries.extend(row_entries.iter().map(|(j, b)| (*i, *j, a * b * mobility)));
        }
    }
    entries
}
