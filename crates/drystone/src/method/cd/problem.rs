//! A contact problem on its own: find r and u with u = W r + q that obey Signorini and Coulomb at every contact.
//!
//! W = H^T M^-1 H is kept as rows of N x N blocks, one block for two contacts that share a body. The components of a
//! contact are n, t in the plane and n, t1, t2 in space. This is the form of FCLIB's local problems; a world need not
//! exist.

mod flaw;
mod rows;

pub use flaw::Flaw;
pub(super) use rows::Rows;

/// A block of W [1/kg]: velocity at one contact by an impulse at another.
pub type DelassusBlock<const N: usize> = [[f64; N]; N];

/// Two blocks W_cd and W_dc^T that differ by more than this part of (tr W_cc tr W_dd)^1/2 are reported: rounding leaves
/// 1e-15, files with ten digits 1e-10; more than this is what the model of the file says.
pub const SYMMETRY: f64 = 1e-9;

/// A contact problem whose contacts have N components.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProblem<const N: usize> {
    starts: Vec<usize>,
    columns: Vec<u32>,
    blocks: Vec<DelassusBlock<N>>,
    diagonal: Vec<usize>,
    free: Vec<[f64; N]>,
    friction: Vec<f64>,
}

/// A contact problem of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyProblem {
    /// In the plane: n, t.
    Plane(ContactProblem<2>),
    /// In space: n, t1, t2.
    Space(ContactProblem<3>),
}

/// How far W is from symmetric.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asymmetry {
    /// Blocks that differ from their transposed partner by more than [`SYMMETRY`].
    pub blocks: usize,
    /// The largest difference over (tr W_cc tr W_dd)^1/2, a ratio.
    pub worst: f64,
}

impl<const N: usize> ContactProblem<N> {
    /// A problem from the entries (row, column, number) of W, in any order; entries at one place add up.
    pub fn from_entries(
        mut entries: Vec<(usize, usize, f64)>,
        q: &[f64],
        friction: Vec<f64>,
    ) -> Result<ContactProblem<N>, Flaw> {
        let contacts = friction.len();
        if q.len() != N * contacts {
            return Err(Flaw::Length { what: "q", found: q.len(), expected: N * contacts });
        }
        let outside = entries.iter().find(|(row, column, _)| *row.max(column) >= N * contacts);
        if let Some(&(row, column, _)) = outside {
            return Err(Flaw::Outside { place: [row, column], size: N * contacts });
        }
        entries.sort_by_key(|(row, column, _)| (row / N, column / N));
        let rows = Rows::of(&entries, contacts);
        let free = q.chunks_exact(N).map(|q| std::array::from_fn(|k| q[k])).collect();
        ContactProblem::new(rows, free, friction)
    }

    /// A problem from its rows; refused unless it can be solved.
    pub(super) fn new(rows: Rows<N>, free: Vec<[f64; N]>, friction: Vec<f64>) -> Result<ContactProblem<N>, Flaw> {
        let Rows { starts, columns, blocks } = rows;
        if friction.is_empty() {
            return Err(Flaw::Empty);
        }
        let place = |contact: usize| {
            let row = starts[contact]..starts[contact + 1];
            let found = columns[row.clone()].binary_search(&(contact as u32));
            found.map(|k| row.start + k).map_err(|_| Flaw::NoDiagonal { contact })
        };
        let diagonal = (0..friction.len()).map(place).collect::<Result<Vec<usize>, Flaw>>()?;
        let problem = ContactProblem { starts, columns, blocks, diagonal, free, friction };
        (0..problem.contacts()).try_for_each(|contact| problem.check(contact))?;
        Ok(problem)
    }

    fn check(&self, contact: usize) -> Result<(), Flaw> {
        let not_finite = |what| Err(Flaw::NotFinite { what, contact });
        let friction = self.friction[contact];
        if !self.row(contact).all(|(_, block)| block.as_flattened().iter().all(|number| number.is_finite())) {
            return not_finite("W");
        }
        if !self.free[contact].iter().all(|number| number.is_finite()) {
            return not_finite("q");
        }
        if !friction.is_finite() {
            return not_finite("mu");
        }
        if friction < 0.0 {
            return Err(Flaw::NegativeFriction { contact, friction });
        }
        if !is_positive(self.diagonal(contact)) {
            return Err(Flaw::NotPositive { contact });
        }
        Ok(())
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Number of blocks of W.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Coefficients of friction mu.
    pub fn friction(&self) -> &[f64] {
        &self.friction
    }

    /// q: the velocity of each contact without impulses, with the speed that just closes its gap [m/s].
    pub fn free(&self) -> &[[f64; N]] {
        &self.free
    }

    /// The blocks of a contact's row: the other contact, and W_cd.
    pub fn row(&self, contact: usize) -> impl Iterator<Item = (usize, &DelassusBlock<N>)> {
        let row = self.starts[contact]..self.starts[contact + 1];
        self.columns[row.clone()].iter().map(|column| *column as usize).zip(&self.blocks[row])
    }

    /// W_cc.
    pub fn diagonal(&self, contact: usize) -> &DelassusBlock<N> {
        &self.blocks[self.diagonal[contact]]
    }

    /// Velocity of a contact under the impulses r: u_c = sum_d W_cd r_d + q_c.
    #[inline]
    pub fn velocity(&self, contact: usize, r: &[[f64; N]]) -> [f64; N] {
        let mut u = self.free[contact];
        for (other, block) in self.row(contact) {
            add_product(&mut u, block, &r[other]);
        }
        u
    }

    /// How far W is from symmetric. The solver does not need symmetry; physics without gyroscopic terms has it.
    pub fn asymmetry(&self) -> Asymmetry {
        let trace = |contact: usize| (0..N).map(|k| self.diagonal(contact)[k][k]).sum::<f64>();
        let mut found = Asymmetry::default();
        for contact in 0..self.contacts() {
            for (other, block) in self.row(contact) {
                let row = self.starts[other]..self.starts[other + 1];
                let partner = self.columns[row.clone()].binary_search(&(contact as u32));
                let partner = partner.map_or([[0.0; N]; N], |k| self.blocks[row.start + k]);
                let largest = (0..N * N).map(|k| (block[k / N][k % N] - partner[k % N][k / N]).abs());
                let ratio = largest.fold(0.0, f64::max) / (trace(contact) * trace(other)).sqrt();
                found.blocks += usize::from(ratio > SYMMETRY);
                found.worst = found.worst.max(ratio);
            }
        }
        found
    }
}

impl AnyProblem {
    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            AnyProblem::Plane(_) => 2,
            AnyProblem::Space(_) => 3,
        }
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        match self {
            AnyProblem::Plane(problem) => problem.contacts(),
            AnyProblem::Space(problem) => problem.contacts(),
        }
    }

    /// Number of blocks of W.
    pub fn block_count(&self) -> usize {
        match self {
            AnyProblem::Plane(problem) => problem.block_count(),
            AnyProblem::Space(problem) => problem.block_count(),
        }
    }

    /// How far W is from symmetric.
    pub fn asymmetry(&self) -> Asymmetry {
        match self {
            AnyProblem::Plane(problem) => problem.asymmetry(),
            AnyProblem::Space(problem) => problem.asymmetry(),
        }
    }
}

/// u += W r.
#[inline]
pub(super) fn add_product<const N: usize>(u: &mut [f64; N], block: &DelassusBlock<N>, r: &[f64; N]) {
    for (u, row) in u.iter_mut().zip(block) {
        *u += row.iter().zip(r).map(|(w, r)| w * r).sum::<f64>();
    }
}

/// Whether the symmetric part is positive definite: all pivots of its elimination are above rounding.
fn is_positive<const N: usize>(block: &DelassusBlock<N>) -> bool {
    let mut rest: DelassusBlock<N> =
        std::array::from_fn(|k| std::array::from_fn(|l| 0.5 * (block[k][l] + block[l][k])));
    (0..N).all(|pivot| {
        let row = rest[pivot];
        for below in rest.iter_mut().skip(pivot + 1) {
            let part = below[pivot] / row[pivot];
            below.iter_mut().zip(row).for_each(|(number, above)| *number -= part * above);
        }
        row[pivot] > N as f64 * f64::EPSILON * block[pivot][pivot].abs()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(matrix: &[[f64; 4]; 4]) -> Vec<(usize, usize, f64)> {
        let all = (0..16).map(|k| (k / 4, k % 4, matrix[k / 4][k % 4]));
        all.filter(|(_, _, number)| *number != 0.0).collect()
    }

    const W: [[f64; 4]; 4] = [[2.0, 0.5, -1.0, 0.0], [0.5, 3.0, 0.0, 0.0], [-1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    const Q: [f64; 4] = [-1.0, 0.1, 0.2, 0.3];

    fn flaw(matrix: &[[f64; 4]; 4], q: &[f64], mu: &[f64]) -> String {
        ContactProblem::<2>::from_entries(entries(matrix), q, mu.to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn velocities_are_w_r_plus_q() {
        let mut shuffled = entries(&W);
        shuffled.reverse();
        let problem = ContactProblem::<2>::from_entries(shuffled, &Q, vec![0.3, 0.4]).unwrap();
        assert_eq!((problem.contacts(), problem.block_count()), (2, 4));
        let r = [[1.0, 2.0], [3.0, 4.0]];
        assert_eq!(problem.velocity(0, &r), [2.0 + 1.0 - 3.0 - 1.0, 0.5 + 6.0 + 0.1]);
        assert_eq!(problem.velocity(1, &r), [-1.0 + 6.0 + 0.2, 4.0 + 0.3]);
        assert_eq!(problem.asymmetry(), Asymmetry::default());
    }

    #[test]
    fn entries_at_one_place_add_up() {
        let mut twice = entries(&W);
        twice.push((0, 0, 1.0));
        let problem = ContactProblem::<2>::from_entries(twice, &Q, vec![0.3, 0.4]).unwrap();
        assert_eq!(problem.diagonal(0), &[[3.0, 0.5], [0.5, 3.0]]);
    }

    #[test]
    fn what_is_not_symmetric_is_counted() {
        let mut lopsided = W;
        lopsided[0][2] = -1.5;
        let found = ContactProblem::<2>::from_entries(entries(&lopsided), &Q, vec![0.3, 0.4]).unwrap().asymmetry();
        assert_eq!(found, Asymmetry { blocks: 2, worst: 0.5 / 15.0_f64.sqrt() });
        // a lower triangle alone: the partner is missing
        let lower: Vec<_> = entries(&W).into_iter().filter(|(row, column, _)| row >= column).collect();
        assert!(ContactProblem::<2>::from_entries(lower, &Q, vec![0.3, 0.4]).unwrap().asymmetry().blocks >= 1);
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        let mu = [0.3, 0.4];
        let with = |row: usize, column: usize, number: f64| {
            let mut matrix = W;
            matrix[row][column] = number;
            matrix
        };
        assert_eq!(flaw(&W, &Q[..3], &mu), "q has 3 numbers, 4 were expected");
        assert_eq!(flaw(&[[0.0; 4]; 4], &[], &[]), "there are no contacts");
        assert_eq!(flaw(&with(1, 0, f64::NAN), &Q, &mu), "W of contact 0 is not a finite number");
        assert_eq!(flaw(&W, &[0.0, 0.0, f64::INFINITY, 0.0], &mu), "q of contact 1 is not a finite number");
        assert_eq!(flaw(&W, &Q, &[0.3, f64::NAN]), "mu of contact 1 is not a finite number");
        assert_eq!(flaw(&W, &Q, &[-0.5, 0.4]), "mu of contact 0 is -0.5, friction is zero or more");
        for indefinite in [with(3, 3, 0.0), with(3, 3, -1.0), with(2, 3, 10.0)] {
            let text = "the block of W on its diagonal for contact 1 is not positive definite";
            assert_eq!(flaw(&indefinite, &Q, &mu), text);
        }
        let mut hole = W;
        (hole[2], hole[3]) = ([-1.0, 0.0, 0.0, 0.0], [0.0; 4]);
        assert_eq!(flaw(&hole, &Q, &mu), "W has no block on its diagonal for contact 1");
        let far = ContactProblem::<2>::from_entries(vec![(4, 0, 1.0)], &Q, mu.to_vec()).unwrap_err();
        assert_eq!(far.to_string(), "W has an entry at row 4, column 0, but only 4 rows and columns");
    }
}
