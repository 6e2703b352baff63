//! The set of admissible forces: in balance, pressing, and within all friction cones.
//!
//! With E f = e from [`Balance`] and |f_t| <= mu f_n the set is convex; the lowest and the highest value of a sum of
//! forces over it are two cone programmes, solved by an interior-point method (clarabel).

use rayon::prelude::*;

use crate::balance::Balance;
pub use crate::cone_programme::Unsolved;
use crate::cone_programme::{ConeProgramme, ConeRows, FrictionLine, Optimum};
use crate::random::RandomForces;

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

/// The set of admissible forces.
pub struct AdmissibleForces<'b> {
    balance: &'b Balance,
    programme: ConeProgramme,
}

impl<'b> AdmissibleForces<'b> {
    /// The set of all forces that are in balance.
    pub fn of(balance: &'b Balance) -> AdmissibleForces<'b> {
        let mut rows = ConeRows::new(balance.columns.len());
        rows.equations(&balance.columns, &balance.apply(&balance.forces));
        for contact in &balance.contacts {
            match contact.directions.len() {
                1 => rows.not_negative(contact.first),
                width => {
                    rows.friction(contact.first, width, FrictionLine { constant: 0.0, slope: contact.friction });
                }
            }
        }
        AdmissibleForces { balance, programme: rows.programme() }
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
        match self.programme.nearest(&aim)? {
            Optimum::At { unknowns, .. } => Ok(unknowns),
            Optimum::Unbounded | Optimum::Infeasible => Err(Unsolved),
        }
    }

    /// The least sum of unknowns with these costs; minus infinity if nothing bounds it.
    fn least(&self, costs: &[f64]) -> Result<f64, Unsolved> {
        match self.programme.least(costs)? {
            Optimum::At { least, .. } => Ok(least),
            Optimum::Unbounded => Ok(f64::NEG_INFINITY),
            Optimum::Infeasible => Err(Unsolved),
        }
    }
}
