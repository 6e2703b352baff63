//! The largest factor of the live load.
//!
//! Associated: max lambda with H f + p + lambda q = 0 and |f_t| <= mu f_n, a second-order cone programme. Its dual is a
//! motion V of the bodies with q.V = 1 that fulfils normality, u_n >= mu |u_t|: contacts that slide also open. By the
//! theorems of limit analysis no friction law with these cones bears more [Drucker].
//!
//! Corrected [GilbertCasapullaAhmed]: real friction does not open contacts. A friction |f_t| <= mu N with a
//! given number N does not either, and is associated; the right N is the normal force itself, which is found by
//! iteration. At a fixed point forces and motion fulfil all laws of Coulomb friction. There may be several fixed points
//! with different factors: the least that two starts find is taken, and a lower one may exist.

use drystone::dim::Dim;

use super::assembly::Assembly;
use crate::cone_programme::{ACCURACY, ConeRows, FrictionLine, Optimum, Unsolved};

/// Slopes over those of the cones with which the correction starts: contacts that slide open, or close. Each finds
/// other fixed points.
const STARTS: [f64; 2] = [1.0, -0.5];
/// By which factor the slope falls in each of the first rounds.
const FLATTER: f64 = 0.5;
/// Number of these rounds; then the slope is zero.
const SLOPING: usize = 8;
/// Weight of the new normal forces against those of the round before: undamped iterations tend to alternate.
const WEIGHT: f64 = 0.6;
/// Most rounds of the correction: those that converge mostly take ten to forty.
const ROUNDS: usize = 150;
/// Largest change of the factor between rounds, over the associated one, that counts as convergence: walls go on with
/// small changes, as their joints share forces in many ways.
const STILL: f64 = 1e-4;
/// Largest friction beyond the cones, over the largest normal force, that counts as convergence.
const FITS: f64 = 1e-3;

/// Limit of a live load.
#[derive(Clone, Debug)]
pub enum Limit {
    /// No forces within the friction cones balance the loads that stay: it falls without the live load.
    Falls,
    /// Forces within the friction cones balance the live load whatever its factor.
    Unbounded,
    /// It falls.
    At {
        /// With friction that dilates: an upper bound.
        associated: Collapse,
        /// With friction that does not.
        corrected: Correction,
    },
}

/// Forces at the limit and the motion that begins.
#[derive(Clone, Debug)]
pub struct Collapse {
    /// Factor of the live load.
    pub multiplier: f64,
    /// Contact forces by unknown [N].
    pub forces: Vec<f64>,
    /// Velocities of the bodies by row, up to a common factor; angular ones times the radius.
    pub motion: Vec<f64>,
}

/// What the correction has found.
#[derive(Clone, Debug)]
pub struct Correction {
    /// Forces and motion of the last round.
    pub collapse: Collapse,
    /// Number of rounds.
    pub rounds: usize,
    /// Whether factor and normal forces stand still.
    pub converged: bool,
    /// Largest friction beyond the cones in the last round, over the largest normal force.
    pub misfit: f64,
}

/// Units that make the numbers of a programme about one.
struct Units {
    /// Mean of the loads that stay; if there are none, of those that grow [N].
    force: f64,
    /// Mean of the loads that grow, at a factor of one [N].
    live: f64,
}

impl Units {
    fn of<D: Dim>(assembly: &Assembly<D>) -> Units {
        let mean = |loads: &[f64]| {
            let loaded = loads.iter().filter(|load| **load != 0.0);
            loaded.clone().map(|load| load.abs()).sum::<f64>() / loaded.count() as f64
        };
        let live = mean(&assembly.live);
        let is_dead = assembly.dead.iter().any(|load| *load != 0.0);
        Units { force: if is_dead { mean(&assembly.dead) } else { live }, live }
    }
}

/// Friction of all contacts of a programme: their cones, or lines through given normal forces.
struct Lines<'n> {
    /// Normal forces through which the lines go, in units of force; none for the cones themselves.
    through: Option<&'n [f64]>,
    /// Their slopes over those of the cones.
    slope: f64,
}

impl Limit {
    /// The limit of an assembly. `tell` is called with the number of every round of the correction.
    pub fn of<D: Dim>(assembly: &Assembly<D>, mut tell: impl FnMut(usize)) -> Result<Limit, Unsolved> {
        if !stands(assembly)? {
            return Ok(Limit::Falls);
        }
        let cones = Lines { through: None, slope: 1.0 };
        match largest(assembly, &cones)? {
            Largest::Nothing => Err(Unsolved), // it stands without the live load, so that there are forces
            Largest::Unbounded => Ok(Limit::Unbounded),
            Largest::At(associated) => {
                let corrected = correct(assembly, &associated, &mut tell);
                Ok(Limit::At { associated, corrected })
            }
        }
    }
}

/// Whether forces within the friction cones balance the loads that stay.
pub fn stands<D: Dim>(assembly: &Assembly<D>) -> Result<bool, Unsolved> {
    let units = Units::of(assembly);
    let mut rows = ConeRows::new(assembly.columns.len());
    rows.equations(&assembly.columns, &scaled(&assembly.dead, -1.0 / units.force));
    friction(assembly, &mut rows, &Lines { through: None, slope: 1.0 });
    // without costs the solver ends in the middle of the set, if there is one
    Ok(rows.programme().least(&vec![0.0; assembly.columns.len()])? != Optimum::Infeasible)
}

/// The largest factor of a programme.
enum Largest {
    /// There are no forces in balance.
    Nothing,
    /// Nothing bounds it.
    Unbounded,
    /// Here.
    At(Collapse),
}

/// The largest factor with some lines of friction.
fn largest<D: Dim>(assembly: &Assembly<D>, lines: &Lines) -> Result<Largest, Unsolved> {
    let (units, count) = (Units::of(assembly), assembly.columns.len());
    let mut columns = assembly.columns.clone();
    let live = assembly.live.iter().enumerate().filter(|(_, load)| **load != 0.0);
    columns.push(live.map(|(row, load)| (row, load / units.live)).collect());
    let mut rows = ConeRows::new(count + 1);
    rows.equations(&columns, &scaled(&assembly.dead, -1.0 / units.force));
    friction(assembly, &mut rows, lines);
    let mut costs = vec![0.0; count + 1];
    costs[count] = -1.0;
    Ok(match rows.programme().least(&costs)? {
        Optimum::Infeasible => Largest::Nothing,
        Optimum::Unbounded => Largest::Unbounded,
        Optimum::At { unknowns, duals, .. } => Largest::At(Collapse {
            multiplier: unknowns[count] * units.force / units.live,
            forces: scaled(&unknowns[..count], units.force),
            motion: duals[..assembly.dead.len()].to_vec(),
        }),
    })
}

/// Adds the friction of all contacts: |f_t| <= mu (N + slope (f_n - N)).
fn friction<D: Dim>(assembly: &Assembly<D>, rows: &mut ConeRows, lines: &Lines) {
    for (k, contact) in assembly.contacts.iter().enumerate() {
        let Some(through) = lines.through.filter(|_| contact.width > 1) else {
            match contact.width {
                1 => rows.not_negative(contact.first),
                width => rows.friction(contact.first, width, FrictionLine { constant: 0.0, slope: contact.friction }),
            }
            continue;
        };
        rows.not_negative(contact.first);
        let line = FrictionLine {
            constant: contact.friction * (1.0 - lines.slope) * through[k],
            slope: contact.friction * lines.slope,
        };
        rows.friction(contact.first, contact.width, line);
    }
}

/// The correction from all starts: the least factor of those that converge, or the last one if none does.
fn correct<D: Dim>(assembly: &Assembly<D>, associated: &Collapse, tell: &mut impl FnMut(usize)) -> Correction {
    let found = STARTS.map(|start| correct_from(assembly, associated, start, tell));
    let rank = |correction: &Correction| (!correction.converged, correction.collapse.multiplier);
    let [one, other] = found;
    let rounds = one.rounds + other.rounds;
    let least = if rank(&other) < rank(&one) { other } else { one };
    Correction { rounds, ..least }
}

/// Lets the friction of every contact be that of its normal force.
fn correct_from<D: Dim>(
    assembly: &Assembly<D>,
    associated: &Collapse,
    start: f64,
    tell: &mut impl FnMut(usize),
) -> Correction {
    let Units { force: unit, live } = Units::of(assembly);
    // a factor of zero is known to the accuracy of the solver only
    let still = STILL * associated.multiplier.abs() + ACCURACY * unit / live;
    let normals = |collapse: &Collapse| -> Vec<f64> {
        assembly.contacts.iter().map(|contact| (collapse.forces[contact.first] / unit).max(0.0)).collect()
    };
    let mut through = normals(associated);
    let mut last = Correction { collapse: associated.clone(), rounds: 0, converged: false, misfit: 0.0 };
    for round in 1..=ROUNDS {
        tell(round);
        let slope = if round > SLOPING { 0.0 } else { start * FLATTER.powi(round as i32) };
        let Ok(Largest::At(found)) = largest(assembly, &Lines { through: Some(&through), slope }) else {
            return last; // not converged
        };
        let change = (found.multiplier - last.collapse.multiplier).abs();
        let misfit = misfit(assembly, &found);
        let converged = slope == 0.0 && change < still && misfit < FITS;
        for (old, new) in through.iter_mut().zip(normals(&found)) {
            *old += WEIGHT * (new - *old);
        }
        last = Correction { collapse: found, rounds: round, converged, misfit };
        if converged {
            break;
        }
    }
    last
}

/// Largest friction beyond the cones, over the largest normal force.
fn misfit<D: Dim>(assembly: &Assembly<D>, collapse: &Collapse) -> f64 {
    let forces = &collapse.forces;
    let beyond = assembly.contacts.iter().map(|contact| {
        let own = &forces[contact.first..contact.first + contact.width];
        own[1..].iter().map(|t| t * t).sum::<f64>().sqrt() - contact.friction * own[0]
    });
    let largest = assembly.contacts.iter().map(|contact| forces[contact.first]).fold(0.0, f64::max);
    beyond.fold(0.0, f64::max) / largest
}

fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| value * factor).collect()
}
