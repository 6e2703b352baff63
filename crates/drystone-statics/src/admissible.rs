//! The set of admissible forces: in balance, pressing, and within all friction cones.
//!
//! With E f = e from [`Balance`] and |f_t| <= mu f_n the set is convex; the lowest and the highest value of a sum of
//! forces over it are two cone programmes, solved by an interior-point method (clarabel).

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};
use rayon::prelude::*;

use crate::balance::Balance;
use crate::random::RandomForces;

/// Accuracy that a cone programme must reach, over the mean normal force: beyond what a picture or a table shows.
const ACCURACY: f64 = 1e-7;
/// Accuracy that its solver aims for.
const AIM: f64 = 1e-9;

/// Lowest and highest value of a sum of forces over all admissible forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lowest [N].
    pub low: f64,
    /// Highest [N]; infinite if nothing bounds it.
    pub high: f64,
}

impl Interval {
    /// High less low [N].
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// A cone programme that was not solved to its accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolved;

/// The set of admissible forces.
pub struct AdmissibleForces<'b> {
    balance: &'b Balance,
    /// Left and right sides of A f + s = b, with s in the cones.
    rows: CscMatrix<f64>,
    right: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl<'b> AdmissibleForces<'b> {
    /// The set of all forces that are in balance.
    pub fn of(balance: &'b Balance) -> AdmissibleForces<'b> {
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut enter = |row: usize, column: usize, value: f64| {
            rows.push(row);
            columns.push(column);
            values.push(value);
        };
        for (unknown, column) in balance.columns.iter().enumerate() {
            column.iter().for_each(|(row, value)| enter(*row, unknown, *value));
        }
        let (mut right, mut cones) = (balance.apply(&balance.forces), vec![ZeroConeT(balance.rows)]);
        for contact in &balance.contacts {
            let width = contact.directions.len();
            for component in 0..width {
                let factor = if component == 0 && width > 1 { contact.friction } else { 1.0 };
                enter(right.len() + component, contact.first + component, -factor);
            }
            right.extend(std::iter::repeat_n(0.0, width));
            cones.push(if width == 1 { NonnegativeConeT(1) } else { SecondOrderConeT(width) });
        }
        let rows = CscMatrix::new_from_triplets(right.len(), balance.columns.len(), rows, columns, values);
        AdmissibleForces { balance, rows, right, cones }
    }

    /// Lowest and highest value of a sum of unknowns with these weights.
    pub fn interval(&self, weights: &[f64]) -> Result<Interval, Unsolved> {
        let [low, high] = [1.0, -1.0].map(|sign| {
            let costs: Vec<f64> = weights.iter().map(|weight| sign * weight).collect();
            self.least(&costs).map(|least| sign * least * self.balance.unit)
        });
        Ok(Interval { low: low?, high: high? })
    }

    /// Weights of the normal force of a contact.
    pub fn weights_of(&self, contact: usize) -> Vec<f64> {
        let mut weights = vec![0.0; self.balance.columns.len()];
        weights[self.balance.contacts[contact].first] = 1.0;
        weights
    }

    /// Weights of the mean normal force.
    pub fn weights_of_mean(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.balance.columns.len()];
        let contacts = &self.balance.contacts;
        contacts.iter().for_each(|contact| weights[contact.first] = 1.0 / contacts.len() as f64);
        weights
    }

    /// Weights of the force of all grains on a wall, along an axis; `None` if no contact with it presses.
    pub fn weights_of_wall(&self, wall: usize, axis: usize) -> Option<Vec<f64>> {
        let mut weights = vec![0.0; self.balance.columns.len()];
        let at_wall = self.balance.contacts.iter().filter(|contact| contact.wall == Some(wall));
        let mut is_touched = false;
        for contact in at_wall {
            is_touched = true;
            for (k, direction) in contact.directions.iter().enumerate() {
                weights[contact.first + k] = -direction[axis];
            }
        }
        is_touched.then_some(weights)
    }

    /// Intervals of the normal forces of some contacts.
    pub fn intervals(&self, contacts: &[usize]) -> Vec<Result<Interval, Unsolved>> {
        contacts.par_iter().map(|contact| self.interval(&self.weights_of(*contact))).collect()
    }

    /// Admissible forces nearest to random ones, by unknown, in units of the mean normal force.
    pub fn draw(&self, seed: u64) -> Result<Vec<f64>, Unsolved> {
        let mut random = RandomForces::new(seed);
        let mut aim = Vec::with_capacity(self.balance.columns.len());
        for contact in &self.balance.contacts {
            aim.extend(random.force(contact.friction, contact.directions.len()));
        }
        self.nearest(&aim)
    }

    /// The admissible forces nearest to given ones.
    fn nearest(&self, aim: &[f64]) -> Result<Vec<f64>, Unsolved> {
        let costs: Vec<f64> = aim.iter().map(|value| -value).collect();
        self.solve(&CscMatrix::identity(aim.len()), &costs).map(|(forces, _)| forces)
    }

    /// The least sum of unknowns with these costs; minus infinity if nothing bounds it.
    fn least(&self, costs: &[f64]) -> Result<f64, Unsolved> {
        let none = CscMatrix::zeros((costs.len(), costs.len()));
        self.solve(&none, costs).map(|(_, least)| least)
    }

    /// Solves a programme; if rounding ends the solver early, once more without rescaling its rows and columns.
    fn solve(&self, squares: &CscMatrix<f64>, costs: &[f64]) -> Result<(Vec<f64>, f64), Unsolved> {
        self.attempt(squares, costs, true).or_else(|Unsolved| self.attempt(squares, costs, false))
    }

    fn attempt(&self, squares: &CscMatrix<f64>, costs: &[f64], rescaled: bool) -> Result<(Vec<f64>, f64), Unsolved> {
        let mut solver = DefaultSolver::new(squares, costs, &self.rows, &self.right, &self.cones, settings(rescaled))
            .map_err(|_| Unsolved)?;
        solver.solve();
        let (found, gap) = (&solver.solution, solver.info.gap_rel.min(solver.info.gap_abs));
        match found.status {
            SolverStatus::DualInfeasible => Ok((Vec::new(), f64::NEG_INFINITY)),
            // the accuracy that the solver reached decides, whatever status it reports
            _ if found.r_prim.max(found.r_dual).max(gap) <= ACCURACY => Ok((found.x.clone(), found.obj_val)),
            _ => Err(Unsolved),
        }
    }
}

fn settings(rescaled: bool) -> DefaultSettings<f64> {
    let built = DefaultSettingsBuilder::default()
        .verbose(false)
        .equilibrate_enable(rescaled)
        .tol_gap_abs(AIM)
        .tol_gap_rel(AIM)
        .tol_feas(AIM)
        .max_threads(1)
        .build();
    built.expect("these settings are in range")
}
