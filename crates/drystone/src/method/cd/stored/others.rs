//! How contacts act on each other: rows of W, four contacts at a time.
//!
//! Contacts of one colour do not act on each other. Four of them with rows of about the same length are solved in
//! lanes, and the k-th blocks of their rows follow each other in memory, entry by entry. Empty lanes refer to an
//! additional contact at the end that never changes.

use super::super::accelerate::Relaxation;
use super::super::problem::{ContactProblem, DelassusBlock};
use super::super::residual::lane_sum;
use super::super::solve::Increment;
use crate::lane::{Four, InLanes, LANES, Lanes, MapInlined, Row, in_lanes};
use crate::law::rigid::{CoupledLaw, ExactLaw, ReadyLaw};

/// The rows of W without the part of the diagonal that the laws themselves contain, in the order in which a sweep
/// visits them.
#[derive(Clone, Debug)]
pub(super) struct Others<const N: usize>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    fours: Vec<Quartet<N>>,
    columns: Vec<[u32; LANES]>,
    blocks: Vec<[[Row; N]; N]>,
}

type Ready<const N: usize> = <CoupledLaw<N> as ExactLaw<N>>::Ready;

/// Four contacts of one colour.
#[derive(Clone, Debug)]
struct Quartet<const N: usize>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    contacts: [u32; LANES],
    /// Where their blocks end.
    end: usize,
    /// Velocities without any impulse [m/s].
    free: [Row; N],
    laws: <Ready<N> as ReadyLaw<N>>::Four,
}

impl<const N: usize> Others<N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    pub(super) fn of(problem: &ContactProblem<N>, laws: &[CoupledLaw<N>]) -> Others<N> {
        let mut others = Others { fours: Vec::new(), columns: Vec::new(), blocks: Vec::new() };
        for colour in colours(problem) {
            let mut rows: Vec<(u32, Vec<(u32, DelassusBlock<N>)>)> =
                colour.into_iter().map(|contact| (contact, felt(problem, laws, contact as usize))).collect();
            rows.sort_by_key(|(_, row)| row.len());
            rows.chunks(LANES).for_each(|four| others.pack(problem, laws, four));
        }
        others
    }

    fn pack(
        &mut self,
        problem: &ContactProblem<N>,
        laws: &[CoupledLaw<N>],
        four: &[(u32, Vec<(u32, DelassusBlock<N>)>)],
    ) {
        let longest = four.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        for k in 0..longest {
            let (mut column, mut block) = ([0; LANES], [[[0.0; LANES]; N]; N]);
            for (lane, (_, row)) in four.iter().enumerate() {
                if let Some((other, numbers)) = row.get(k) {
                    column[lane] = *other;
                    (0..N * N).for_each(|at| block[at / N][at % N][lane] = numbers[at / N][at % N]);
                }
            }
            self.columns.push(column);
            self.blocks.push(block);
        }
        let nobody = problem.contacts() as u32;
        let contacts: [u32; LANES] = std::array::from_fn(|lane| four.get(lane).map_or(nobody, |(contact, _)| *contact));
        let free = contacts.map(|contact| problem.free().get(contact as usize).copied().unwrap_or([0.0; N]));
        let law = |lane: usize| laws[four.get(lane).unwrap_or(&four[0]).0 as usize].ready();
        self.fours.push(Quartet {
            contacts,
            end: self.blocks.len(),
            free: std::array::from_fn(|k| free.map(|free| free[k])),
            laws: ReadyLaw::pack(std::array::from_fn(law)),
        });
    }

    /// Visits every contact once; momentum has been applied to the impulses before.
    pub(super) fn sweep(&self, relaxation: Relaxation, impulses: &mut [[f64; N]], previous: &[[f64; N]]) -> Increment {
        in_lanes(Sweep { others: self, relaxation, impulses, previous })
    }

    /// Velocities of all contacts due to the impulses of the others.
    pub(super) fn velocities(&self, impulses: &[[f64; N]]) -> Vec<[f64; N]> {
        in_lanes(Velocities { others: self, impulses })
    }

    /// Velocities of four contacts due to the impulses of the others.
    #[inline(always)]
    fn felt_by<S: Lanes>(&self, lanes: S, four: &Quartet<N>, start: usize, impulses: &[[f64; N]]) -> [Four<S>; N] {
        let mut sum = load(lanes, &four.free);
        let row = start..four.end;
        for (columns, block) in self.columns[row.clone()].iter().zip(&self.blocks[row]) {
            let r = gather(lanes, columns, impulses);
            for k in 0..N {
                for l in 0..N {
                    sum[k] = sum[k] + Four::load(lanes, &block[k][l]) * r[l];
                }
            }
        }
        sum
    }
}

/// Impulses of four contacts.
#[inline(always)]
fn gather<S: Lanes, const N: usize>(lanes: S, contacts: &[u32; LANES], impulses: &[[f64; N]]) -> [Four<S>; N] {
    let mut rows = [[0.0; LANES]; N];
    for lane in 0..LANES {
        let r = &impulses[contacts[lane] as usize];
        (0..N).for_each(|k| rows[k][lane] = r[k]);
    }
    load(lanes, &rows)
}

/// Rows as lanes. Loops over components are written out here, since `map` of an array of any length is a call.
#[inline(always)]
fn load<S: Lanes, const N: usize>(lanes: S, rows: &[Row; N]) -> [Four<S>; N] {
    let mut fours = [Four::splat(lanes, 0.0); N];
    (0..N).for_each(|k| fours[k] = Four::load(lanes, &rows[k]));
    fours
}

/// Lanes as rows.
#[inline(always)]
fn rows<S: Lanes, const N: usize>(fours: [Four<S>; N]) -> [Row; N] {
    let mut rows = [[0.0; LANES]; N];
    (0..N).for_each(|k| rows[k] = fours[k].row());
    rows
}

/// Contacts by colours; one that is coupled to contacts of all 64 colours is visited alone at the end.
fn colours<const N: usize>(problem: &ContactProblem<N>) -> Vec<Vec<u32>> {
    let mut colour_of: Vec<u32> = Vec::with_capacity(problem.contacts());
    let (mut colours, mut late) = (Vec::<Vec<u32>>::new(), Vec::new());
    for contact in 0..problem.contacts() {
        let neighbours = problem.row(contact).filter(|(other, _)| *other < contact);
        let used = neighbours.fold(0u64, |used, (other, _)| used | 1u64.checked_shl(colour_of[other]).unwrap_or(0));
        let colour = (!used).trailing_zeros();
        colour_of.push(colour);
        if colour == u64::BITS {
            late.push(vec![contact as u32]);
            continue;
        }
        colours.resize(colours.len().max(colour as usize + 1), Vec::new());
        colours[colour as usize].push(contact as u32);
    }
    colours.extend(late);
    colours
}

/// The row of a contact without the part of the diagonal that its law contains.
fn felt<const N: usize>(
    problem: &ContactProblem<N>,
    laws: &[CoupledLaw<N>],
    contact: usize,
) -> Vec<(u32, DelassusBlock<N>)> {
    let left = |(other, block): (usize, &DelassusBlock<N>)| {
        let own = if other == contact { laws[contact].w } else { [[0.0; N]; N] };
        let left = std::array::from_fn(|k| std::array::from_fn(|l| block[k][l] - own[k][l]));
        (left != [[0.0; N]; N]).then_some((other as u32, left))
    };
    problem.row(contact).filter_map(left).collect()
}

struct Sweep<'a, const N: usize>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    others: &'a Others<N>,
    relaxation: Relaxation,
    impulses: &'a mut [[f64; N]],
    previous: &'a [[f64; N]],
}

impl<const N: usize> InLanes for Sweep<'_, N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    type Output = Increment;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Increment {
        let [factor, zero] = [self.relaxation.factor, 0.0].map_inlined(|x| Four::splat(lanes, x));
        let (mut squared, mut along, mut start) = (zero, zero, 0);
        for four in &self.others.fours {
            let u = self.others.felt_by(lanes, four, start, self.impulses);
            start = four.end;
            let from = gather(lanes, &four.contacts, self.impulses);
            let before = gather(lanes, &four.contacts, self.previous);
            let exact = Ready::<N>::solve_four(&four.laws, lanes, u);
            // the cone is convex: part of the way to a point of it stays in it
            let mut new = from;
            for k in 0..N {
                let change = (exact[k] - from[k]) * factor;
                new[k] = from[k] + change;
                squared = squared + change * change;
                along = along + change * (new[k] - before[k]);
            }
            let new = rows(new);
            for (lane, contact) in four.contacts.iter().enumerate() {
                let impulse = &mut self.impulses[*contact as usize];
                (0..N).for_each(|k| impulse[k] = new[k][lane]);
            }
        }
        Increment { squared: lane_sum(squared), along: lane_sum(along) }
    }
}

struct Velocities<'a, const N: usize>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    others: &'a Others<N>,
    impulses: &'a [[f64; N]],
}

impl<const N: usize> InLanes for Velocities<'_, N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    type Output = Vec<[f64; N]>;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Vec<[f64; N]> {
        let (mut velocities, mut start) = (vec![[0.0; N]; self.impulses.len()], 0);
        for four in &self.others.fours {
            let u = rows(self.others.felt_by(lanes, four, start, self.impulses));
            start = four.end;
            for (lane, contact) in four.contacts.iter().enumerate() {
                let velocity = &mut velocities[*contact as usize];
                (0..N).for_each(|k| velocity[k] = u[k][lane]);
            }
        }
        velocities
    }
}
