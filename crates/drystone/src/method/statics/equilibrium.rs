//! The search for forces that hold all bodies.

use super::contacts::{Equilibrium, EquilibriumForces, SupportContact, SupportedBody};
use super::douglas_rachford::{Outcome, search};
use super::problem::{Problem, SHORT, Trial};
use crate::dim::{Dim, Vector};

/// Rounds of a search: heaps of 28 disks take some hundred, and some thousand next to their critical friction.
const ROUNDS: usize = 100_000;

/// Looks for forces of all contacts, within their cones, that hold all bodies; of those that it finds the ones that
/// need the least part of the friction, as far as a few halvings tell. Bodies that touch nothing are left out.
///
/// Elastic contacts that are open hold nothing. If those that press leave the bodies a way to roll on each other
/// without slip, one that is in this way must press, too: else the balance is that of a pencil on its tip.
pub fn find_equilibrium<D: Dim>(held: &[Option<SupportedBody<D>>], bearings: &[SupportContact<D>]) -> Equilibrium<D> {
    if bearings.is_empty() {
        let moves = vec![D::Vec::ZERO; held.len()];
        return Equilibrium::Found(EquilibriumForces { forces: Vec::new(), moves, mobilised: 0.0, pressed: None });
    }
    let Some(rigid) = Problem::new(held, bearings, false) else { return Equilibrium::Unknown(f64::NAN) };
    let found = match rigid.search(Trial { part: 1.0, start: 0, pressed: None }, ROUNDS) {
        Outcome::Found(found) => found,
        Outcome::Impossible(_) => return Equilibrium::Impossible,
        Outcome::Open(off) => return Equilibrium::Unknown(off),
    };
    if bearings.iter().all(|bearing| bearing.spring.is_none()) {
        let (found, part) = rigid.eased(found, Trial { part: 1.0, start: 0, pressed: None });
        return Equilibrium::Found(rigid.read(&rigid.mean(found, part), part));
    }
    let Some(problem) = Problem::new(held, bearings, true) else { return Equilibrium::Unknown(f64::NAN) };
    let (found, trial) = match problem.search_all(None) {
        Ok(found) => found,
        Err(off) => return Equilibrium::Unknown(off),
    };
    let way = problem.rolling(&found);
    let stable = |pressed: &usize| {
        let (found, trial) = problem.search_all(Some(*pressed)).ok()?;
        problem.rolling(&found).is_none().then_some((found, trial))
    };
    let (found, trial) = match way {
        None => (found, trial),
        Some(way) => problem.in_the_way(&way).iter().find_map(stable).unwrap_or((found, trial)),
    };
    let (found, part) = problem.eased(found, trial);
    Equilibrium::Found(EquilibriumForces { pressed: trial.pressed, ..problem.read(&found, part) })
}

/// Forces near those of `before`, with the same part of the friction, after bodies have moved a little or springs have
/// changed.
pub fn update_equilibrium<D: Dim>(
    held: &[Option<SupportedBody<D>>],
    bearings: &[SupportContact<D>],
    before: &EquilibriumForces<D>,
) -> Option<EquilibriumForces<D>> {
    let problem = Problem::new(held, bearings, true)?;
    let mut z = problem.unknowns(before);
    let cones = problem.cones(before.mobilised, before.pressed);
    match search(&problem.affine, &cones, &mut z, SHORT) {
        Outcome::Found(found) => {
            Some(EquilibriumForces { pressed: before.pressed, ..problem.read(&found, before.mobilised) })
        }
        _ => None,
    }
}
