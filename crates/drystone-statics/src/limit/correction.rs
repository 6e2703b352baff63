//! The correction for friction that does not dilate.
//!
//! Real friction does not open contacts that slide. A friction |f_t| <= mu N with a given number N does not either, and
//! is associated; the right N is the normal force itself, which is found by iteration [GilbertCasapullaAhmed]. At a
//! fixed point forces and motion fulfil all laws of Coulomb friction: it can fall at this load. There may be several
//! fixed points with different factors, and which of them is found depends on the start. Each start is followed to its
//! fixed point, and the lowest one is taken; a lower one may exist.

use drystone::dim::Dim;

use super::assembly::Assembly;
use super::multiplier::{Collapse, Largest, Lines, Units, largest, least_forces};
use crate::cone_programme::ACCURACY;

/// Where an iteration begins, and which of the forces at the limit it goes on with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    /// With the forces at the upper bound and sliding contacts that open by this part of the dilatancy of the upper
    /// bound, less and less; with forces in the middle of those that are possible.
    Dilates(f64),
    /// With the least forces that bear this part of the upper bound; with the least ones of those that are possible.
    Least(f64),
}

/// Neighbours press each other as if wedged, in the first two, or no more than balance asks for.
const STARTS: [Start; 4] = [Start::Dilates(1.0), Start::Dilates(-0.5), Start::Least(0.0), Start::Least(0.5)];
/// By which factor the slope falls in each of the first rounds.
const FLATTER: f64 = 0.5;
/// Number of these rounds; then the slope is zero.
const SLOPING: usize = 8;
/// Weight of the new normal forces against those of the round before: undamped iterations tend to alternate.
const WEIGHT: f64 = 0.6;
/// Most rounds of a start: those that converge mostly take ten to forty.
const ROUNDS: usize = 150;
/// Largest change of the factor between rounds, over the associated one, that counts as convergence: walls go on with
/// small changes, as their joints share forces in many ways.
const STILL: f64 = 1e-4;
/// Largest friction beyond the cones, over the largest normal force, that counts as convergence.
const FITS: f64 = 1e-3;

/// What the correction has found.
#[derive(Clone, Debug)]
pub struct Correction {
    /// Forces and motion of the last round, of the start with the lowest factor.
    pub collapse: Collapse,
    /// Number of rounds of all starts.
    pub rounds: usize,
    /// Whether factor and normal forces stand still.
    pub converged: bool,
    /// Largest friction beyond the cones in the last round, over the largest normal force.
    pub misfit: f64,
    /// Factors of all starts that have converged, from the lowest on.
    pub fixed_points: Vec<f64>,
    /// Number of starts.
    pub starts: usize,
}

impl Correction {
    /// The correction from all starts: the lowest factor of those that converge, or the last one if none does. `tell`
    /// is called with the number of every round.
    pub fn of<D: Dim>(assembly: &Assembly<D>, associated: &Collapse, tell: &mut impl FnMut(usize)) -> Correction {
        let mut rounds = 0;
        let paths: Vec<Path> = STARTS
            .into_iter()
            .map(|start| {
                let path = Path::follow(assembly, associated, start, &mut |round| tell(rounds + round));
                rounds += path.rounds;
                path
            })
            .collect();
        let mut fixed_points: Vec<f64> =
            paths.iter().filter(|path| path.converged).map(|path| path.collapse.multiplier).collect();
        fixed_points.sort_by(f64::total_cmp);
        // of starts that agree the first is taken
        let still = still(assembly, associated);
        let is_better = |path: &Path, than: &Path| match (path.converged, than.converged) {
            (true, true) => path.collapse.multiplier < than.collapse.multiplier - still,
            (converged, _) => converged,
        };
        let least = paths.into_iter().reduce(|least, path| if is_better(&path, &least) { path } else { least });
        let Path { collapse, converged, misfit, .. } = least.expect("there are starts");
        Correction { collapse, rounds, converged, misfit, fixed_points, starts: STARTS.len() }
    }
}

/// One start and what it has come to.
struct Path {
    collapse: Collapse,
    rounds: usize,
    converged: bool,
    misfit: f64,
}

impl Path {
    /// Lets the friction of every contact be that of its normal force.
    fn follow<D: Dim>(
        assembly: &Assembly<D>,
        associated: &Collapse,
        start: Start,
        tell: &mut impl FnMut(usize),
    ) -> Path {
        let units = Units::of(assembly);
        let normals = |forces: &[f64]| -> Vec<f64> {
            assembly.contacts.iter().map(|contact| (forces[contact.first] / units.force).max(0.0)).collect()
        };
        let still = still(assembly, associated);
        let mut last = Path { collapse: associated.clone(), rounds: 0, converged: false, misfit: f64::INFINITY };
        let mut through = match start {
            Start::Dilates(_) => normals(&associated.forces),
            Start::Least(part) => match least_forces(assembly, &Lines::CONES, part * associated.multiplier) {
                Ok(Some(forces)) => normals(&forces),
                _ => return last, // it does not bear this part
            },
        };
        for round in 1..=ROUNDS {
            tell(round);
            let slope = match start {
                Start::Dilates(slope) if round <= SLOPING => slope * FLATTER.powi(round as i32),
                _ => 0.0,
            };
            let lines = Lines { through: Some(&through), slope };
            let Ok(Largest::At(mut found)) = largest(assembly, &lines) else { return last };
            let mut next = normals(&found.forces);
            if matches!(start, Start::Least(_)) {
                let Ok(Some(forces)) = least_forces(assembly, &lines, found.multiplier - still) else { return last };
                next = normals(&forces);
                // those at the limit itself tell better which joints open, if they fit as well
                if misfit(assembly, &found.forces) > FITS {
                    found.forces = forces;
                }
            }
            let change = (found.multiplier - last.collapse.multiplier).abs();
            let misfit = misfit(assembly, &found.forces);
            let converged = slope == 0.0 && change < still && misfit < FITS;
            for (old, new) in through.iter_mut().zip(next) {
                *old += WEIGHT * (new - *old);
            }
            last = Path { collapse: found, rounds: round, converged, misfit };
            if converged {
                break;
            }
        }
        last
    }
}

/// A change of the factor that does not count; a factor of zero is known to the accuracy of the solver only.
fn still<D: Dim>(assembly: &Assembly<D>, associated: &Collapse) -> f64 {
    let units = Units::of(assembly);
    STILL * associated.multiplier.abs() + ACCURACY * units.force / units.live
}

/// Largest friction beyond the cones, over the largest normal force.
fn misfit<D: Dim>(assembly: &Assembly<D>, forces: &[f64]) -> f64 {
    let beyond = assembly.contacts.iter().map(|contact| {
        let own = &forces[contact.first..contact.first + contact.width];
        own[1..].iter().map(|t| t * t).sum::<f64>().sqrt() - contact.friction * own[0]
    });
    let largest = assembly.contacts.iter().map(|contact| forces[contact.first]).fold(0.0, f64::max);
    beyond.fold(0.0, f64::max) / largest
}
