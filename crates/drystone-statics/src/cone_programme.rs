//! Cone programmes: min q.x with A x + s = b and s in cones, solved by an interior-point method (clarabel).

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};

/// Accuracy that a cone programme must reach, relative to its data: beyond what a picture or a table shows.
pub(crate) const ACCURACY: f64 = 1e-7;
/// Accuracy that its solver aims for.
const AIM: f64 = 1e-9;

/// A cone programme that was not solved to its accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolved;

/// Left and right sides of A x + s = b, with s in the cones.
pub(crate) struct ConeProgramme {
    rows: CscMatrix<f64>,
    right: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

/// What a cone programme has come to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Optimum {
    /// The unknowns, the multipliers of all rows, and the least sum.
    At {
        /// The unknowns x.
        unknowns: Vec<f64>,
        /// The dual variables of the rows.
        duals: Vec<f64>,
        /// The least q.x.
        least: f64,
    },
    /// The sum falls without end.
    Unbounded,
    /// No unknowns satisfy all rows.
    Infeasible,
}

impl ConeProgramme {
    /// The least sum with these costs; if rounding ends the solver early, once more without rescaling its rows and
    /// columns.
    pub(crate) fn least(&self, costs: &[f64]) -> Result<Optimum, Unsolved> {
        self.solve(&CscMatrix::zeros((costs.len(), costs.len())), costs)
    }

    /// The point nearest to a given one.
    pub(crate) fn nearest(&self, aim: &[f64]) -> Result<Optimum, Unsolved> {
        let costs: Vec<f64> = aim.iter().map(|value| -value).collect();
        self.solve(&CscMatrix::identity(aim.len()), &costs)
    }

    fn solve(&self, squares: &CscMatrix<f64>, costs: &[f64]) -> Result<Optimum, Unsolved> {
        self.attempt(squares, costs, true).or_else(|Unsolved| self.attempt(squares, costs, false))
    }

    fn attempt(&self, squares: &CscMatrix<f64>, costs: &[f64], rescaled: bool) -> Result<Optimum, Unsolved> {
        let mut solver = DefaultSolver::new(squares, costs, &self.rows, &self.right, &self.cones, settings(rescaled))
            .map_err(|_| Unsolved)?;
        solver.solve();
        let (found, gap) = (&solver.solution, solver.info.gap_rel.min(solver.info.gap_abs));
        match found.status {
            SolverStatus::DualInfeasible => Ok(Optimum::Unbounded),
            SolverStatus::PrimalInfeasible => Ok(Optimum::Infeasible),
            // the accuracy that the solver reached decides, whatever status it reports
            _ if found.r_prim.max(found.r_dual).max(gap) <= ACCURACY => {
                Ok(Optimum::At { unknowns: found.x.clone(), duals: found.z.clone(), least: found.obj_val })
            }
            _ => Err(Unsolved),
        }
    }
}

/// Collects the rows of a cone programme, cone by cone.
pub(crate) struct ConeRows {
    unknowns: usize,
    entries: (Vec<usize>, Vec<usize>, Vec<f64>),
    right: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl ConeRows {
    /// Rows for this number of unknowns.
    pub(crate) fn new(unknowns: usize) -> ConeRows {
        ConeRows { unknowns, entries: Default::default(), right: Vec::new(), cones: Vec::new() }
    }

    fn enter(&mut self, row: usize, column: usize, value: f64) {
        self.entries.0.push(row);
        self.entries.1.push(column);
        self.entries.2.push(value);
    }

    /// Equations: the entries of every unknown by row, and the right side.
    pub(crate) fn equations(&mut self, columns: &[Vec<(usize, f64)>], right: &[f64]) {
        let first = self.right.len();
        for (unknown, column) in columns.iter().enumerate() {
            column.iter().for_each(|(row, value)| self.enter(first + row, unknown, *value));
        }
        self.right.extend(right);
        self.cones.push(ZeroConeT(right.len()));
    }

    /// An unknown that is not negative.
    pub(crate) fn not_negative(&mut self, unknown: usize) {
        self.enter(self.right.len(), unknown, -1.0);
        self.right.push(0.0);
        self.cones.push(NonnegativeConeT(1));
    }

    /// The unknowns after `first`, together with it `width` ones, are at most as long as `constant + slope * first`.
    pub(crate) fn friction(&mut self, first: usize, width: usize, line: FrictionLine) {
        let row = self.right.len();
        if line.slope != 0.0 {
            self.enter(row, first, -line.slope);
        }
        (1..width).for_each(|k| self.enter(row + k, first + k, -1.0));
        self.right.push(line.constant);
        self.right.extend(std::iter::repeat_n(0.0, width - 1));
        self.cones.push(SecondOrderConeT(width));
    }

    /// The programme with all rows so far.
    pub(crate) fn programme(self) -> ConeProgramme {
        let (rows, columns, values) = self.entries;
        let rows = CscMatrix::new_from_triplets(self.right.len(), self.unknowns, rows, columns, values);
        ConeProgramme { rows, right: self.right, cones: self.cones }
    }
}

/// Largest friction over the normal force: a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrictionLine {
    /// At zero normal force.
    pub(crate) constant: f64,
    /// By how much it grows with the normal force.
    pub(crate) slope: f64,
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
