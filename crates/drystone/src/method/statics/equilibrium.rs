//! The search for equilibrium forces.

use super::contacts::{Equilibrium, EquilibriumForces, SupportContact, SupportedBody};
use super::douglas_rachford::{Outcome, search};
use super::problem::{EquilibriumProblem, EquilibriumSearch, SHORT};
use crate::dim::{Dim, Vector};

/// Largest number of rounds of a search: heaps of 28 disks take a few hundred, and a few thousand close to their
/// critical friction.
const ROUNDS: usize = 100_000;

/// Searches for contact forces within their cones that support all bodies, and reduces the share of friction that they
/// need by a few bisections. Bodies without contacts are left out.
///
/// Open elastic contacts carry no force. If the closed ones allow the bodies to roll on each other without slip, a
/// contact that blocks this motion must be closed, too; otherwise the equilibrium is that of a pencil on its tip.
pub(crate) fn find_equilibrium<D: Dim>(
    held: &[Option<SupportedBody<D>>],
    bearings: &[SupportContact<D>],
) -> Equilibrium<D> {
    if bearings.is_empty() {
        let moves = vec![D::Vec::ZERO; held.len()];
        return Equilibrium::Found(EquilibriumForces { forces: Vec::new(), moves, mobilised: 0.0, pressed: None });
    }
    let Some(rigid) = EquilibriumProblem::new(held, bearings, false) else { return Equilibrium::Unknown(f64::NAN) };
    let found = match rigid.search(EquilibriumSearch { part: 1.0, start: 0, pressed: None }, ROUNDS) {
        Outcome::Found(found) => found,
        Outcome::Impossible(_) => return Equilibrium::Impossible,
        Outcome::Open(off) => return Equilibrium::Unknown(off),
    };
    if bearings.iter().all(|bearing| bearing.spring.is_none()) {
        let (found, part) = rigid.eased(found, EquilibriumSearch { part: 1.0, start: 0, pressed: None });
        return Equilibrium::Found(rigid.read(&rigid.mean(found, part), part));
    }
    let Some(problem) = EquilibriumProblem::new(held, bearings, true) else { return Equilibrium::Unknown(f64::NAN) };
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

/// Forces near those of `before`, with the same share of friction, after bodies have moved a little or springs have
/// changed.
pub(crate) fn update_equilibrium<D: Dim>(
    held: &[Option<SupportedBody<D>>],
    bearings: &[SupportContact<D>],
    before: &EquilibriumForces<D>,
) -> Option<EquilibriumForces<D>> {
    let problem = EquilibriumProblem::new(held, bearings, true)?;
    let mut z = problem.unknowns(before);
    let cones = problem.cones(before.mobilised, before.pressed);
    match search(&problem.affine, &cones, &mut z, SHORT) {
        Outcome::Found(found) => {
            Some(EquilibriumForces { pressed: before.pressed, ..problem.read(&found, before.mobilised) })
        }
        _ => None,
    }
}
