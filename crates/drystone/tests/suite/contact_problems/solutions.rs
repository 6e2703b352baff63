//! Solutions obey Signorini and Coulomb, as a check says that knows nothing of the solver.

use drystone::method::cd::problem::{AnyProblem, ContactProblem};
use drystone::method::cd::stored::{Goal, Solution};
use drystone::record::fclib;

use super::packing::{Dense, packing};
use super::place;

pub(super) fn problem(dense: &Dense) -> AnyProblem {
    match dense.n {
        2 => AnyProblem::Plane(ContactProblem::from_entries(dense.entries(), &dense.q, dense.mu.clone()).unwrap()),
        _ => AnyProblem::Space(ContactProblem::from_entries(dense.entries(), &dense.q, dense.mu.clone()).unwrap()),
    }
}

/// Checks both laws contact by contact; errors may be `tol` of the largest impulse and the largest velocity.
/// Returns how many contacts are open, stick and slide.
fn check(dense: &Dense, solution: &Solution, tol: f64) -> [usize; 3] {
    let (n, r) = (dense.n, &solution.impulses);
    let u: Vec<f64> =
        (0..r.len()).map(|row| dense.q[row] + dense.w[row].iter().zip(r).map(|(w, r)| w * r).sum::<f64>()).collect();
    let largest = |numbers: &[f64]| numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    let (some_r, some_u) = (tol * largest(r), tol * largest(&dense.q));
    for (mine, theirs) in u.iter().zip(&solution.velocities) {
        assert!((mine - theirs).abs() < some_u, "u = W r + q: {mine} and {theirs}");
    }
    let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut count = [0; 3];
    for (k, mu) in dense.mu.iter().enumerate() {
        let (r, u) = (&r[n * k..][..n], &u[n * k..][..n]);
        let (friction, slip) = (norm(&r[1..]), norm(&u[1..]));
        assert!(r[0] >= 0.0 && u[0] >= -some_u, "contact {k} neither pulls nor closes: {r:?} {u:?}");
        assert!(r[0] <= some_r || u[0] <= some_u, "contact {k} pushes or opens: {r:?} {u:?}");
        assert!(friction <= mu * r[0] + some_r, "contact {k} is in the cone: {r:?}");
        if slip > some_u {
            for axis in 1..n {
                let error = r[axis] + mu * r[0] * u[axis] / slip;
                // a slip that is hardly above its error has hardly a direction
                assert!(error.abs() <= some_r + mu * r[0] * (some_u / slip), "contact {k} slides against: {r:?} {u:?}");
            }
        }
        count[if r[0] <= some_r { 0 } else { 1 + usize::from(slip > some_u) }] += 1;
    }
    count
}

#[test]
fn random_packings_are_solved_after_a_way_through_a_file() {
    for (n, wide, rows, seed) in [(2, 8, 6, 1), (2, 8, 6, 2), (3, 4, 4, 3), (3, 4, 4, 4)] {
        let dense = packing(n, wide, rows, seed);
        let problem = problem(&dense);
        assert_eq!((problem.contacts(), problem.dimension()), (dense.mu.len(), n));
        assert_eq!(problem.asymmetry().blocks, 0);
        let path = place(&format!("packing{n}_{seed}.hdf5"));
        fclib::write(&path, &problem, "a random packing, §1").unwrap();
        let again = fclib::read(&path).unwrap();
        assert_eq!(format!("{again:?}"), format!("{problem:?}"), "bit for bit: Debug shows the sign of zero");

        let solution = again.solve(Goal::residual(1e-10, 20_000), |_, _| ());
        let certificate = solution.certificate;
        assert!(solution.converged && certificate.residual <= 1e-10, "{n}D, seed {seed}: {certificate:?}");
        let count = check(&dense, &solution, 1e-7);
        assert!(count.iter().all(|count| *count > 2), "all regimes occur: {count:?}");
        // a contact whose force or slip is below the tolerance may count either way
        for (mine, theirs) in count.iter().zip([certificate.open, certificate.stick, certificate.slide]) {
            assert!(mine.abs_diff(theirs) <= 2, "{count:?} {certificate:?}");
        }

        let solved = place(&format!("packing{n}_{seed}_solved.hdf5"));
        fclib::write_solution(&path, &solved, &solution).unwrap();
        assert_eq!(fclib::read_solution(&solved).unwrap(), (solution.impulses.clone(), solution.velocities.clone()));
        assert_eq!(fclib::read(&solved).unwrap(), problem, "the problem is still there");
        // again, over itself: the solution is replaced
        let half = Solution { impulses: solution.impulses.iter().map(|r| 0.5 * r).collect(), ..solution.clone() };
        fclib::write_solution(&solved, &solved, &half).unwrap();
        assert_eq!(fclib::read_solution(&solved).unwrap().0, half.impulses);
        assert_eq!(fclib::read(&solved).unwrap(), problem);
    }
}

#[test]
#[should_panic(expected = "slides against")]
fn the_check_sees_a_wrong_friction() {
    let dense = packing(2, 8, 6, 1);
    let mut other = packing(2, 8, 6, 1);
    other.mu.iter_mut().for_each(|mu| *mu *= 0.9);
    let solution = problem(&other).solve(Goal::residual(1e-10, 20_000), |_, _| ());
    check(&dense, &solution, 1e-7);
}

/// One step of 400 disks in slow shear, whose impulses creep, and one of 400 disks beside a wall that retreats, where
/// they go round in a cycle. Momentum that was given up for good after two stalls took 75,280 and 23,820 sweeps. What
/// creeps is chaotic, so the limits are wide: half of that.
#[test]
fn steps_of_slow_packings_are_solved_whether_they_creep_or_cycle() {
    for (name, most) in [("shear_400_b", 37_600), ("wall_retreats_400_b", 11_900)] {
        let path = format!("../drystone/tests/data/creep/{name}.hdf5");
        let problem = fclib::read(std::path::Path::new(&path)).unwrap();
        let solution = problem.solve(Goal::residual(1e-6, most), |_, _| ());
        let (certificate, sweeps) = (solution.certificate, solution.sweeps);
        assert!(solution.converged && certificate.residual <= 1e-6, "{name}: {sweeps} sweeps, {certificate:?}");
        assert!(certificate.stick > 50 && certificate.slide > 50, "{name}: {certificate:?}");
    }
}
