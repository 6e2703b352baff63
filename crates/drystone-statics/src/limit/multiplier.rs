//! The largest factor of the live load.
//!
//! Associated: max lambda with H f + p + lambda q = 0 and |f_t| <= mu f_n, a second-order cone programme. Its dual is a
//! motion V of the bodies with q.V = 1 that fulfils normality, u_n >= mu |u_t|: contacts that slide also open. By the
//! theorems of limit analysis no friction law with these cones bears more [Drucker].
//!
//! Real friction does not open contacts that slide: see [`correction`](super::correction).

use drystone::dim::Dim;

use super::assembly::Assembly;
use super::correction::Correction;
use crate::cone_programme::{ConeRows, FrictionLine, Optimum, Unsolved};

/// Limit of a live load.
#[derive(Clone, Debug)]
pub enum Limit {
    /// No forces within the friction cones balance the loads that stay: it falls without the live load, or whatever the
    /// force of the support that is let go.
    Falls,
    /// Forces within the friction cones balance the live load whatever its factor.
    Unbounded,
    /// It falls.
    At {
        /// What is borne without any friction, from the loads that stay on; none if those need friction. No friction law
        /// and no history makes it fall below [Drucker].
        frictionless: Option<f64>,
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

/// Units that make the numbers of a programme about one.
pub(super) struct Units {
    /// Mean of the loads that stay; if there are none, of those that grow [N].
    pub(super) force: f64,
    /// Mean of the loads that grow, at a factor of one [N].
    pub(super) live: f64,
}

impl Units {
    pub(super) fn of<D: Dim>(assembly: &Assembly<D>) -> Units {
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
pub(super) struct Lines<'n> {
    /// Normal forces through which the lines go, in units of force; none for the cones themselves.
    pub(super) through: Option<&'n [f64]>,
    /// Their slopes over those of the cones.
    pub(super) slope: f64,
}

impl Lines<'_> {
    /// The cones themselves.
    pub(super) const CONES: Lines<'static> = Lines { through: None, slope: 1.0 };
}

impl Limit {
    /// The limit of an assembly. `tell` is called with the number of every round of the correction.
    pub fn of<D: Dim>(assembly: &Assembly<D>, mut tell: impl FnMut(usize)) -> Result<Limit, Unsolved> {
        let needs_support = assembly.released.is_some();
        if !needs_support && !stands(assembly)? {
            return Ok(Limit::Falls);
        }
        match largest(assembly, &Lines::CONES)? {
            Largest::Nothing if needs_support => Ok(Limit::Falls),
            Largest::Nothing => Err(Unsolved), // it stands without the live load, so that there are forces
            Largest::Unbounded => Ok(Limit::Unbounded),
            Largest::At(associated) => {
                let corrected = Correction::of(assembly, &associated, &mut tell);
                Ok(Limit::At { frictionless: frictionless(assembly)?, associated, corrected })
            }
        }
    }
}

/// Whether forces within the friction cones balance the loads that stay.
pub fn stands<D: Dim>(assembly: &Assembly<D>) -> Result<bool, Unsolved> {
    // without costs the solver ends in the middle of the set, if there is one
    Ok(in_balance(assembly, &Lines::CONES, 0.0, 0.0)?.is_some())
}

/// The forces with the least sum of normal forces that balance the loads at a factor [N]; none if there are none.
pub(super) fn least_forces<D: Dim>(
    assembly: &Assembly<D>,
    lines: &Lines,
    multiplier: f64,
) -> Result<Option<Vec<f64>>, Unsolved> {
    in_balance(assembly, lines, multiplier, 1.0)
}

/// Forces that balance the loads at a factor, with a cost for every normal force [N]; none if there are none.
fn in_balance<D: Dim>(
    assembly: &Assembly<D>,
    lines: &Lines,
    multiplier: f64,
    cost: f64,
) -> Result<Option<Vec<f64>>, Unsolved> {
    let unit = Units::of(assembly).force;
    let loads = assembly.dead.iter().zip(&assembly.live);
    let right: Vec<f64> = loads.map(|(dead, live)| -(dead + multiplier * live) / unit).collect();
    let mut rows = ConeRows::new(assembly.columns.len());
    rows.equations(&assembly.columns, &right);
    friction(assembly, &mut rows, lines);
    let mut costs = vec![0.0; assembly.columns.len()];
    assembly.contacts.iter().for_each(|contact| costs[contact.first] = cost);
    Ok(match rows.programme().least(&costs)? {
        Optimum::At { unknowns, .. } => Some(scaled(&unknowns, unit)),
        Optimum::Infeasible | Optimum::Unbounded => None,
    })
}

/// The largest factor that normal forces alone balance, if they balance the loads that stay. At this factor every motion
/// without overlaps costs work, and friction only takes more of it.
fn frictionless<D: Dim>(assembly: &Assembly<D>) -> Result<Option<f64>, Unsolved> {
    let units = Units::of(assembly);
    let normals = assembly.contacts.iter().map(|contact| assembly.columns[contact.first].clone());
    let programme = |live: Option<Vec<(usize, f64)>>| {
        let columns: Vec<_> = normals.clone().chain(live).collect();
        let mut rows = ConeRows::new(columns.len());
        rows.equations(&columns, &scaled(&assembly.dead, -1.0 / units.force));
        (0..assembly.contacts.len()).for_each(|contact| rows.not_negative(contact));
        rows.programme()
    };
    let count = assembly.contacts.len();
    if programme(None).least(&vec![0.0; count])? == Optimum::Infeasible {
        return Ok(None);
    }
    let mut costs = vec![0.0; count + 1];
    costs[count] = -1.0;
    Ok(match programme(Some(live_column(assembly, &units))).least(&costs)? {
        Optimum::At { unknowns, .. } => Some((unknowns[count] * units.force / units.live).max(0.0)),
        Optimum::Infeasible | Optimum::Unbounded => None, // friction bounds it, so that this is rounding
    })
}

/// The loads that grow as a column of a programme, in units of force.
fn live_column<D: Dim>(assembly: &Assembly<D>, units: &Units) -> Vec<(usize, f64)> {
    let live = assembly.live.iter().enumerate().filter(|(_, load)| **load != 0.0);
    live.map(|(row, load)| (row, load / units.live)).collect()
}

/// The largest factor of a programme.
pub(super) enum Largest {
    /// There are no forces in balance.
    Nothing,
    /// Nothing bounds it.
    Unbounded,
    /// Here.
    At(Collapse),
}

/// The largest factor with some lines of friction.
pub(super) fn largest<D: Dim>(assembly: &Assembly<D>, lines: &Lines) -> Result<Largest, Unsolved> {
    let (units, count) = (Units::of(assembly), assembly.columns.len());
    let mut columns = assembly.columns.clone();
    columns.push(live_column(assembly, &units));
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

fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| value * factor).collect()
}
