//! How much the forces of an ensemble differ, and how much of that is error.
//!
//! Two forces in balance differ by a self-stress. So of the difference between a member and the forces of the frame
//! the part in the null space is what balance leaves open, and the rest is the error of the solve.

use crate::balance::Balance;
use crate::ensemble::Member;
use crate::null_space::NullSpace;

/// Solutions of the same step from different starts. All numbers are in units of the mean normal force of the frame.
pub struct Ensemble {
    /// The solutions.
    pub members: Vec<Member>,
    /// Number of the first unknown of every contact, which is its normal force.
    pub firsts: Vec<usize>,
    /// Standard deviation of the normal force of every contact over the members.
    pub deviations: Vec<f64>,
    /// The part of the deviations that is a self-stress; all of them where self-stresses are not known.
    pub self_stresses: Vec<f64>,
    /// What the solves leave open of the forces.
    pub error: SolveError,
}

/// What the solves leave open of the normal force of a contact.
#[derive(Clone, Debug, PartialEq)]
pub enum SolveError {
    /// The largest part of a member that is no self-stress, for every contact.
    Measured(Vec<f64>),
    /// The largest residual or doubling test of the members: self-stresses are not known.
    Estimated(f64),
}

impl Ensemble {
    /// What the members tell; at least one.
    pub fn of(members: Vec<Member>, balance: &Balance, space: Option<&NullSpace>) -> Ensemble {
        let firsts: Vec<usize> = balance.contacts.iter().map(|contact| contact.first).collect();
        let whole: Vec<&[f64]> = members.iter().map(|member| member.forces.as_slice()).collect();
        let deviations = normal_deviations(&firsts, &whole);
        let (self_stresses, error) = match space {
            Some(space) => {
                let changes: Vec<Vec<f64>> = whole.iter().map(|forces| difference(forces, &balance.forces)).collect();
                let parts: Vec<Vec<f64>> = changes.iter().map(|change| space.part_of(change)).collect();
                let rest = |first: &usize| {
                    let rests = changes.iter().zip(&parts).map(|(change, part)| (change[*first] - part[*first]).abs());
                    rests.fold(0.0, f64::max)
                };
                let errors = firsts.iter().map(rest).collect();
                (normal_deviations(&firsts, &parts), SolveError::Measured(errors))
            }
            None => {
                let errors = members.iter().map(|member| member.residual.max(member.force_error));
                (deviations.clone(), SolveError::Estimated(errors.fold(0.0, f64::max)))
            }
        };
        Ensemble { members, firsts, deviations, self_stresses, error }
    }

    /// Whether self-stresses make the force of a contact spread by more than the error of the solves.
    pub fn is_undetermined(&self, contact: usize) -> bool {
        self.self_stresses[contact] > self.error.of(contact)
    }

    /// Share of the contacts that are undetermined.
    pub fn undetermined(&self) -> f64 {
        let count = self.firsts.len();
        (0..count).filter(|contact| self.is_undetermined(*contact)).count() as f64 / count as f64
    }

    /// Normal forces of a contact in the members.
    pub fn normal_forces(&self, contact: usize) -> impl Iterator<Item = f64> + Clone {
        self.members.iter().map(move |member| member.forces[self.firsts[contact]])
    }
}

impl SolveError {
    /// That of a contact.
    pub fn of(&self, contact: usize) -> f64 {
        match self {
            SolveError::Measured(errors) => errors[contact],
            SolveError::Estimated(error) => *error,
        }
    }
}

/// Standard deviations of the normal forces over some forces by unknown.
pub fn normal_deviations(firsts: &[usize], all: &[impl AsRef<[f64]>]) -> Vec<f64> {
    let of = |first: &usize| {
        let values = all.iter().map(|forces| forces.as_ref()[*first]);
        let mean = values.clone().sum::<f64>() / all.len() as f64;
        (values.map(|value| (value - mean).powi(2)).sum::<f64>() / all.len() as f64).sqrt()
    };
    firsts.iter().map(of).collect()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
