//! Proximal points with sparse Newton steps: a few hundred contacts, to the last digit.
//!
//! Sweeps carry a push from grain to grain, and where many grains lock each other they creep. A Newton step moves all
//! contacts at once: it solves with the whole matrix W. [`laws`] writes the laws of a contact as an equation,
//! [`linear`] solves it linearised, [`proximal`] goes from point to point, [`frames`] makes W from the grains.
//!
//! A few sweeps come first: they find out cheaply which contacts carry a force at all. Where Newton steps get stuck,
//! sweeps and Newton steps go on in turns.

mod frames;
mod laws;
mod linear;
mod proximal;
#[cfg(test)]
mod tests;

use super::accelerate::Accelerator;
use super::contact_system::ContactSystem;
use super::options::Criterion;
use super::problem::ContactProblem;
use super::solve::{Rules, System, Verdict, solve as sweep};
use super::stored::Stored;
use crate::dim::Dim;
use crate::law::{CoupledLaw, ExactLaw};
use frames::Frames;
use proximal::{Proximal, Start};

/// Sweeps before the first Newton steps; before those of the next round twice as many, and so on. A pyramid of disks of
/// ten layers took 66 Newton steps after none, 29 after 10 and 28 after 50; a wall of 64 disks 108, 60 and 14. A sweep
/// costs far less than a Newton step.
const FIRST_SWEEPS: u64 = 50;

/// Laws that Newton steps do not know: the contact with this number in the network has one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unknown {
    /// Number of the contact.
    pub contact: usize,
}

/// Finds the impulses of grains. Sweeps and Newton steps count alike. `watch` gets their number and the residual.
pub(crate) fn solve<D: Dim>(
    system: &mut ContactSystem<D>,
    accelerator: Accelerator,
    rules: &Rules,
    watch: impl FnMut(u64, f64),
) -> Result<Verdict, Unknown> {
    match D::DIMENSION {
        2 => solve_in::<D, 2>(system, accelerator, rules, watch),
        _ => solve_in::<D, 3>(system, accelerator, rules, watch),
    }
}

fn solve_in<D: Dim, const N: usize>(
    system: &mut ContactSystem<D>,
    accelerator: Accelerator,
    rules: &Rules,
    watch: impl FnMut(u64, f64),
) -> Result<Verdict, Unknown> {
    let contacts = system.scalar_contacts();
    if let Some(strange) = contacts.iter().find(|scalar| !scalar.is_frictional()) {
        return Err(Unknown { contact: strange.index() });
    }
    Ok(from_sweeps(system, accelerator, rules, watch, |system, begun, watch| {
        // refused are only no contacts at all and numbers that are not finite: the check of the world speaks of them
        let Ok(frames) = Frames::<D, N>::of(&contacts, system.free()) else { return begun };
        let start = frames.components(&system.scalar_contacts());
        let put = |system: &mut ContactSystem<D>, r: &[[f64; N]]| system.set_impulses(|k| frames.vector(k, &r[k]));
        finish(system, &frames.problem, start, put, begun, rules, watch)
    }))
}

/// Finds the impulses of a stored problem, as [`solve`].
pub(crate) fn solve_stored<const N: usize>(
    stored: &mut Stored<N>,
    accelerator: Accelerator,
    rules: &Rules,
    watch: impl FnMut(u64, f64),
) -> Verdict
where
    CoupledLaw<N>: ExactLaw<N>,
{
    from_sweeps(stored, accelerator, rules, watch, |stored, begun, watch| {
        let (problem, start) = (stored.problem(), stored.impulses().to_vec());
        finish(stored, problem, start, |stored, r| stored.set_impulses(r), begun, rules, watch)
    })
}

/// Rounds of sweeps and then `newton`, which gets stuck where contacts change between sticking and sliding in turns:
/// sweeps leave such places by another way, if there are enough of them. The result is never worse than the impulses at
/// the start.
fn from_sweeps<S: System>(
    system: &mut S,
    accelerator: Accelerator,
    rules: &Rules,
    mut watch: impl FnMut(u64, f64),
    mut newton: impl FnMut(&mut S, Verdict, &mut dyn FnMut(u64, f64)) -> Verdict,
) -> Verdict {
    let (mut best, mut round) = (Vec::new(), FIRST_SWEEPS);
    system.recompute_velocities();
    let mut verdict = Verdict { force_error: f64::INFINITY, ..Verdict::default() }.judged(system.misfit());
    while verdict.sweeps < rules.max_sweeps {
        system.read(&mut best);
        let spent = verdict.sweeps;
        let max_sweeps = round.min(rules.max_sweeps - spent);
        let first = Rules { criterion: Criterion::Natural, min_sweeps: 0, max_sweeps, ..*rules };
        let begun = sweep(system, accelerator, &first, |sweeps, residual| watch(spent + sweeps, residual));
        let begun = Verdict { sweeps: spent + begun.sweeps, ..begun };
        if begun.converged {
            return begun;
        }
        let found = newton(system, begun, &mut watch);
        if found.converged {
            return found;
        }
        verdict = match found.excess(&rules.limits) < verdict.excess(&rules.limits) {
            true => found,
            false => {
                system.write(&best);
                Verdict { sweeps: found.sweeps, ..verdict }.judged(system.misfit())
            }
        };
        round *= 2;
    }
    verdict
}

/// Newton steps after the sweeps that `begun` speaks of.
fn finish<const N: usize, S: System>(
    system: &mut S,
    problem: &ContactProblem<N>,
    start: Vec<[f64; N]>,
    put: impl Fn(&mut S, &[[f64; N]]),
    begun: Verdict,
    rules: &Rules,
    mut watch: impl FnMut(u64, f64),
) -> Verdict {
    let limits = &rules.limits;
    let max_steps = rules.max_sweeps.saturating_sub(begun.sweeps);
    let first = Start { impulses: start, excess: begun.excess(limits), force_error: begun.force_error };
    let found = Proximal::new(problem).solve(first, limits, max_steps, |steps, r| {
        put(system, r);
        let verdict = begun.judged(system.misfit());
        watch(begun.sweeps + steps, verdict.residual);
        verdict.excess(limits)
    });
    put(system, &found.impulses);
    let reached = Verdict { sweeps: begun.sweeps + found.steps, force_error: found.force_error, ..begun };
    let reached = reached.judged(system.misfit());
    Verdict { converged: reached.meets(limits), ..reached }
}
