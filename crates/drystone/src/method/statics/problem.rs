//! The constraints on forces and displacements, and single searches for them.

use faer::{Mat, Side};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::cones::Cones;
use super::constraints::{LinearConstraints, largest};
use super::contacts::{EquilibriumForces, SupportContact, SupportedBody};
use super::douglas_rachford::{Outcome, search};
use crate::dim::{Dim, Vector};

/// Rounds of a search for forces that need less friction, and bisections of their share of friction.
pub(super) const SHORT: usize = 4000;
const HALVINGS: usize = 6;
/// Number of searches from different initial points. Their mean has a force wherever one of them has. With elastic
/// contacts, which are either open or pressed, the problem is not convex, and one search may find what others miss.
const STARTS: u64 = 8;
/// The same, and the rounds, for searches with a contact that must carry a force, of which many are tried.
const FEW: u64 = 2;
const LONG: usize = 5 * SHORT;
/// Least normal force of a contact that keeps bodies from rolling away, over its mass and the largest acceleration.
const PRESSED: f64 = 0.05;
/// Number of constraints above which rolling motions are not searched for: the cost grows with the cube, to some
/// seconds here.
const MANY: usize = 1500;
/// Number of contacts that are tried, one after the other, to block such a motion.
const TRIES: usize = 24;
/// Forces below this share of the loads count as zero.
const NONE: f64 = 1e-9;

/// One search: a share of friction, an initial point, and a contact that must carry a force.
#[derive(Clone, Copy, Debug)]
pub(super) struct EquilibriumSearch {
    pub part: f64,
    pub start: u64,
    pub pressed: Option<usize>,
}

/// The constraints on forces, and on displacements of elastic bodies.
pub(super) struct EquilibriumProblem<'p, D: Dim> {
    held: &'p [Option<SupportedBody<D>>],
    bearings: &'p [SupportContact<D>],
    pub(super) affine: LinearConstraints,
    /// Mass by which the forces of every contact are divided to compare them with accelerations [kg].
    masses: Vec<f64>,
    /// Squared time by which displacements are divided to compare them with accelerations [s2], and the first unknown
    /// of the displacement of every body.
    pace: f64,
    moves: Vec<Option<usize>>,
    is_elastic: bool,
    /// Number of equations of balance; those of overlaps follow.
    rows: usize,
}

impl<'p, D: Dim> EquilibriumProblem<'p, D> {
    pub(super) fn new(
        held: &'p [Option<SupportedBody<D>>],
        bearings: &'p [SupportContact<D>],
        is_elastic: bool,
    ) -> Option<Self> {
        let mut touched = vec![false; held.len()];
        bearings.iter().flat_map(|bearing| bearing.bodies).for_each(|body| touched[body] = true);
        let (mut first, mut right) = (vec![0; held.len()], Vec::new());
        for (body, held) in held.iter().enumerate().filter(|(body, _)| touched[*body]) {
            first[body] = right.len();
            if let Some(held) = held {
                let pull = held.entries(held.pull * -held.mass, D::Vec::ZERO);
                right.extend(&pull[..held.rows()]);
            }
        }
        let inverse = |body: usize| held[body].map_or(0.0, |held| 1.0 / held.mass);
        let mass = |bearing: &SupportContact<D>| 1.0 / bearing.bodies.iter().map(|body| inverse(*body)).sum::<f64>();
        let masses: Vec<f64> = bearings.iter().map(mass).collect();
        let (mut unknowns, balance) = (Vec::new(), right.len());
        for (bearing, mass) in bearings.iter().zip(&masses) {
            let column = |along: D::Vec, size: f64| {
                let ends = bearing.bodies.iter().zip(bearing.arms).zip([-size, size]);
                let mut entries = Vec::new();
                for ((body, arm), size) in ends.filter(|((body, _), _)| held[**body].is_some()) {
                    let own = held[*body].expect("it is held").entries(along * size, arm);
                    entries.extend(own.into_iter().enumerate().map(|(row, value)| (first[*body] + row, value)));
                }
                entries
            };
            // the pull of a bond is a constant force of the opposite sign
            for (row, value) in column(bearing.normal, bearing.pull) {
                right[row] += value;
            }
            unknowns.push(column(bearing.normal, *mass));
            let tangents = D::tangents(bearing.normal);
            unknowns.extend(tangents.into_iter().map(|tangent| column(tangent, *mass)));
            if is_elastic {
                unknowns.push(Vec::new());
            }
        }
        let (pace, moves) = match is_elastic {
            true => add_moves(held, bearings, &masses, &touched, &mut unknowns, &mut right),
            false => (0.0, Vec::new()),
        };
        let affine = LinearConstraints::new(&unknowns, right)?;
        Some(EquilibriumProblem { held, bearings, affine, masses, pace, moves, is_elastic, rows: balance })
    }

    /// Unknowns of a contact.
    fn width(&self) -> usize {
        D::Vec::LEN + usize::from(self.is_elastic)
    }

    /// One search. The first initial point is zero, the others are random.
    pub(super) fn search(&self, trial: EquilibriumSearch, rounds: usize) -> Outcome {
        let size = largest(self.affine.right());
        let mut random = Pcg64::new(u128::from(trial.start), 0);
        let mut draw = || size * (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut z: Vec<f64> =
            (0..self.affine.unknowns()).map(|_| if trial.start == 0 { 0.0 } else { draw() }).collect();
        search(&self.affine, &self.cones(trial.part, trial.pressed), &mut z, rounds)
    }

    /// Searches from all initial points until one succeeds; otherwise returns the least remaining imbalance.
    pub(super) fn search_all(&self, pressed: Option<usize>) -> Result<(Vec<f64>, EquilibriumSearch), f64> {
        let mut least = f64::INFINITY;
        let (starts, rounds) = if pressed.is_some() { (FEW, LONG) } else { (STARTS, SHORT) };
        for start in 0..starts {
            let trial = EquilibriumSearch { part: 1.0, start, pressed };
            match self.search(trial, rounds) {
                Outcome::Found(found) => return Ok((found, trial)),
                Outcome::Open(off) => least = least.min(off),
                Outcome::Impossible(_) => {}
            }
        }
        Err(least)
    }

    /// Searches for forces that need less friction than those found; returns them and their share of friction.
    pub(super) fn eased(&self, mut found: Vec<f64>, trial: EquilibriumSearch) -> (Vec<f64>, f64) {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let part = 0.5 * (low + high);
            match self.search(EquilibriumSearch { part, ..trial }, SHORT) {
                Outcome::Found(less) => (found, high) = (less, part),
                _ => low = part,
            }
        }
        (found, high)
    }

    /// The mean of forces from several initial points, which has a force wherever one of them has.
    pub(super) fn mean(&self, found: Vec<f64>, part: f64) -> Vec<f64> {
        let mut all = vec![found];
        for start in 1..STARTS {
            if let Outcome::Found(other) = self.search(EquilibriumSearch { part, start, pressed: None }, SHORT) {
                all.push(other);
            }
        }
        (0..self.affine.unknowns()).map(|k| all.iter().map(|z| z[k]).sum::<f64>() / all.len() as f64).collect()
    }

    /// The cones of all contacts with a share of their friction; displacements are free.
    pub(super) fn cones(&self, part: f64, pressed: Option<usize>) -> Cones {
        let friction = self.bearings.iter().map(|bearing| part * bearing.friction).collect();
        let least = PRESSED * largest(self.affine.right());
        let pressed = pressed.map(|contact| (contact, least));
        Cones { friction, pressed, width: self.width(), is_elastic: self.is_elastic }
    }

    /// A motion of the bodies without slip or approach at the closed contacts, as velocities for the rows of the
    /// balance. `None` if there is none.
    pub(super) fn rolling(&self, z: &[f64]) -> Option<Vec<f64>> {
        if self.rows > MANY {
            return None;
        }
        let least = NONE * largest(self.affine.right());
        let mut product = Mat::<f64>::zeros(self.rows, self.rows);
        for (k, _) in self.bearings.iter().enumerate().filter(|(k, _)| z[k * self.width()] > least) {
            for entries in self.forces_of(k) {
                for (row, value) in &entries {
                    entries.iter().for_each(|(other, with)| product[(*row, *other)] += value * with);
                }
            }
        }
        let found = product.self_adjoint_eigen(Side::Lower).ok()?;
        let (values, ways) = (found.S().column_vector(), found.U());
        // eigenvalues are squares of rates: a rate of 1e-6 of the others counts as zero
        let is_free = self.rows > 0 && values[0] <= 1e-12 * values[self.rows - 1];
        is_free.then(|| (0..self.rows).map(|row| ways[(row, 0)]).collect())
    }

    /// Entries of the force of a contact along its normal and tangents, in the rows of the balance.
    fn forces_of(&self, contact: usize) -> Vec<Vec<(usize, f64)>> {
        let first = contact * self.width();
        let of = |unknown: usize| {
            self.affine.entries_of(unknown).iter().copied().filter(|(row, _)| *row < self.rows).collect()
        };
        (first..first + D::Vec::LEN).map(of).collect()
    }

    /// A few contacts that a motion of the bodies makes slip or approach, the most affected first.
    pub(super) fn in_the_way(&self, way: &[f64]) -> Vec<usize> {
        let rate = |contact: usize| {
            let along = |entries: &Vec<(usize, f64)>| entries.iter().map(|(row, value)| value * way[*row]).sum::<f64>();
            self.forces_of(contact).iter().map(|entries| along(entries).abs()).fold(0.0, f64::max)
        };
        let mut rates: Vec<(usize, f64)> = (0..self.bearings.len()).map(|contact| (contact, rate(contact))).collect();
        rates.sort_by(|p, q| q.1.total_cmp(&p.1));
        let most = rates.first().map_or(0.0, |(_, rate)| *rate);
        rates.into_iter().take(TRIES).filter(|(_, rate)| *rate > 1e-3 * most).map(|(contact, _)| contact).collect()
    }

    /// The unknowns of given forces, with zero displacements.
    pub(super) fn unknowns(&self, balance: &EquilibriumForces<D>) -> Vec<f64> {
        let (mut z, width) = (vec![0.0; self.affine.unknowns()], self.width());
        for (k, (bearing, force)) in self.bearings.iter().zip(&balance.forces).enumerate() {
            let (own, mass) = (&mut z[k * width..(k + 1) * width], self.masses[k]);
            own[0] = (force.dot(bearing.normal) + bearing.pull) / mass;
            for (t, tangent) in own[1..].iter_mut().zip(D::tangents(bearing.normal)) {
                *t = force.dot(tangent) / mass;
            }
            if let Some(spring) = bearing.spring.filter(|_| self.is_elastic) {
                own[width - 1] = (own[0] - spring.stiffness / mass * spring.overlap).max(0.0);
            }
        }
        z
    }

    pub(super) fn read(&self, z: &[f64], mobilised: f64) -> EquilibriumForces<D> {
        let width = self.width();
        let force = |(k, bearing): (usize, &SupportContact<D>)| {
            let own = &z[k * width..];
            let tangents = D::tangents(bearing.normal);
            let sum = tangents.iter().zip(&own[1..]).fold(bearing.normal * own[0], |sum, (t, f)| sum + *t * *f);
            sum * self.masses[k] - bearing.normal * bearing.pull
        };
        let moved = |body: usize| match self.moves.get(body).copied().flatten() {
            None => D::Vec::ZERO,
            Some(first) => match self.held[body].and_then(|held| held.axis) {
                Some(axis) => axis * (z[first] * self.pace),
                None => D::Vec::from_fn(|axis| z[first + axis] * self.pace),
            },
        };
        EquilibriumForces {
            forces: self.bearings.iter().enumerate().map(force).collect(),
            moves: (0..self.held.len()).map(moved).collect(),
            mobilised,
            pressed: None,
        }
    }
}

/// Rows of an unknown, with its coefficients.
type Entries = Vec<(usize, f64)>;

/// Adds the displacements, and for every contact the equation that normal force over stiffness, minus the gap, equals
/// the overlap after the displacements.
fn add_moves<D: Dim>(
    held: &[Option<SupportedBody<D>>],
    bearings: &[SupportContact<D>],
    masses: &[f64],
    touched: &[bool],
    unknowns: &mut Vec<Entries>,
    right: &mut Vec<f64>,
) -> (f64, Vec<Option<usize>>) {
    let rate =
        |(bearing, mass): (&SupportContact<D>, &f64)| bearing.spring.map_or(0.0, |spring| spring.stiffness / mass);
    let rates: Vec<f64> = bearings.iter().zip(masses).map(rate).collect();
    let pace = rates.len() as f64 / rates.iter().sum::<f64>();
    let mut moves = vec![None; held.len()];
    for body in (0..held.len()).filter(|body| touched[*body] && held[*body].is_some()) {
        moves[body] = Some(unknowns.len());
        let ways = if held[body].is_some_and(|held| held.axis.is_some()) { 1 } else { D::Vec::LEN };
        unknowns.extend(std::iter::repeat_n(Vec::new(), ways));
    }
    let width = D::Vec::LEN + 1;
    for (k, (bearing, rate)) in bearings.iter().zip(&rates).enumerate() {
        let row = right.len();
        unknowns[k * width].push((row, 1.0));
        unknowns[k * width + width - 1].push((row, -1.0));
        for (body, sign) in bearing.bodies.iter().zip([-1.0, 1.0]) {
            let Some(first) = moves[*body] else { continue };
            let along = |axis: D::Vec| sign * bearing.normal.dot(axis) * rate * pace;
            match held[*body].and_then(|held| held.axis) {
                Some(axis) => unknowns[first].push((row, along(axis))),
                None => (0..D::Vec::LEN).for_each(|k| {
                    let axis = D::Vec::from_fn(|other| if other == k { 1.0 } else { 0.0 });
                    unknowns[first + k].push((row, along(axis)));
                }),
            }
        }
        right.push(rate * bearing.spring.map_or(0.0, |spring| spring.overlap));
    }
    (pace, moves)
}
