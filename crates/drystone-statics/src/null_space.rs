//! The null space of balance: forces that add to zero on every grain, called self-stresses.

use faer::Mat;

use crate::balance::Balance;

/// Pivots below this part of the largest one count as zero: rounding leaves some 1e-14 in systems of a few thousand
/// rows, and the smallest true one of a packing is far above.
const ZERO: f64 = 1e-11;
/// Above this number of unknowns the dense factorisation is not made: its cost grows with the cube, and takes some
/// seconds here.
pub const MOST: usize = 3000;

/// Self-stresses of a frame.
#[derive(Clone, Debug)]
pub struct NullSpace {
    /// Number of independent self-stresses: the degree of indeterminacy.
    pub degree: usize,
    /// Number of independent motions of the grains that no contact resists.
    pub motions: usize,
    /// Part of every contact in the self-stresses, from 0 for a force that balance determines to the number of its
    /// components; their sum is the degree.
    pub shares: Vec<f64>,
    /// Orthonormal self-stresses, one in each column, by unknown.
    pub basis: Mat<f64>,
}

impl NullSpace {
    /// The null space of balance; none above [`MOST`] unknowns.
    pub fn of(balance: &Balance) -> Option<NullSpace> {
        let (unknowns, rows) = (balance.columns.len(), balance.rows);
        if unknowns.max(rows) > MOST {
            return None;
        }
        let mut transposed = Mat::<f64>::zeros(unknowns, rows);
        for (unknown, column) in balance.columns.iter().enumerate() {
            column.iter().for_each(|(row, value)| transposed[(unknown, *row)] += value);
        }
        let factors = transposed.col_piv_qr();
        let pivots: Vec<f64> = (0..unknowns.min(rows)).map(|k| factors.thin_R()[(k, k)].abs()).collect();
        let largest = pivots.first().copied().unwrap_or(0.0);
        let rank = pivots.iter().take_while(|pivot| **pivot > ZERO * largest).count();
        let basis = factors.compute_Q().get(.., rank..).to_owned();
        let share = |unknown: usize| (0..basis.ncols()).map(|k| basis[(unknown, k)].powi(2)).sum::<f64>();
        let of_contact = |k: usize| {
            let contact = &balance.contacts[k];
            (contact.first..contact.first + contact.directions.len()).map(share).sum()
        };
        let shares = (0..balance.contacts.len()).map(of_contact).collect();
        Some(NullSpace { degree: unknowns - rank, motions: rows - rank, shares, basis })
    }

    /// The part of forces, by unknown, that is a self-stress. Of the difference of two forces that are both in balance
    /// nothing else is left.
    pub fn part_of(&self, forces: &[f64]) -> Vec<f64> {
        let mut part = vec![0.0; forces.len()];
        for column in self.basis.col_iter() {
            let along: f64 = column.iter().zip(forces).map(|(entry, force)| entry * force).sum();
            part.iter_mut().zip(column.iter()).for_each(|(sum, entry)| *sum += along * entry);
        }
        part
    }

    /// Whether balance determines the force of a contact.
    pub fn determines(&self, contact: usize) -> bool {
        self.shares[contact] <= ZERO
    }

    /// Groups of contacts that self-stresses join: over-determined clusters, the largest first.
    pub fn clusters(&self, balance: &Balance) -> Vec<Vec<usize>> {
        let undetermined: Vec<usize> = (0..balance.contacts.len()).filter(|k| !self.determines(*k)).collect();
        let mut labels: Vec<usize> = (0..balance.contacts.len()).collect();
        // forces of two contacts vary together if the projector onto the null space couples them
        let coupled = |a: usize, b: usize| {
            let unknowns = |k: usize| {
                let contact = &balance.contacts[k];
                contact.first..contact.first + contact.directions.len()
            };
            let product = |i: usize, j: usize| {
                (0..self.basis.ncols()).map(|k| self.basis[(i, k)] * self.basis[(j, k)]).sum::<f64>()
            };
            unknowns(a).any(|i| unknowns(b).any(|j| product(i, j).abs() > ZERO.sqrt()))
        };
        let touches = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|k| balance.contacts[k].grains);
            a.iter().flatten().any(|grain| b.contains(&Some(*grain)))
        };
        fn root(labels: &mut [usize], mut k: usize) -> usize {
            while labels[k] != k {
                labels[k] = labels[labels[k]];
                k = labels[k];
            }
            k
        }
        for (place, a) in undetermined.iter().enumerate() {
            for b in &undetermined[place + 1..] {
                if touches(*a, *b) && coupled(*a, *b) {
                    let (a, b) = (root(&mut labels, *a), root(&mut labels, *b));
                    labels[a.max(b)] = a.min(b);
                }
            }
        }
        let mut clusters: Vec<Vec<usize>> = Vec::new();
        let mut places = std::collections::BTreeMap::new();
        for contact in undetermined {
            let label = root(&mut labels, contact);
            let place = *places.entry(label).or_insert_with(|| {
                clusters.push(Vec::new());
                clusters.len() - 1
            });
            clusters[place].push(contact);
        }
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
        clusters
    }
}
