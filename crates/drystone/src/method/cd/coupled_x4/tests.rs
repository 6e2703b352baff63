use super::super::accelerate::Relaxation;
use super::super::coupled::ContactSide;
use super::super::residual::Misfit;
use super::local::CoupledTrial;
use super::*;
use crate::body::{Inertia, Twist};
use crate::contact::Regime;
use crate::dim::{D2, D3};
use crate::lane::{ArrayLanes, InLanes, in_lanes};
use crate::law::rigid::random::Random;

struct Solve<'a, D: Dim>(&'a mut CoupledContactX4<D>, [Row; 3], [Row; 3]);
impl<D: Dim> InLanes for Solve<'_, D> {
    type Output = [Row; 3];
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> [Row; 3] {
        let load = |rows: [Row; 3]| rows.map(|row| Four::load(lanes, &row));
        let mut trial = CoupledTrial::new(lanes, self.0, load(self.1), load(self.2));
        while trial.seeks() {
            trial.seek(lanes, self.0);
        }
        trial.found(lanes, self.0).map(Four::row)
    }
}

fn random_corner<D: Dim>(random: &mut Random, bodies: [u32; 2]) -> CoupledContact<D> {
    let direction = random.direction();
    let normal = D::Vec::from_fn(|k| direction[k]);
    let frame = CoupledContact::<D>::frame(normal * (1.0 / normal.norm()));
    let mut w = [[0.0; 3]; 3];
    let friction = if D::DIMENSION == 2 {
        let flat = random.contact2();
        (0..2).for_each(|i| (0..2).for_each(|j| w[i][j] = flat.w[i][j]));
        flat.friction
    } else {
        let full = random.contact3();
        w = full.w;
        full.friction
    };
    let velocity = random.velocity::<3>();
    CoupledContact {
        bodies,
        index: 0,
        frame,
        arm: [D::Vec::ZERO; 2],
        image_velocity: D::Vec::ZERO,
        cell_coupling: None,
        inv_m_t: [1.0; 2],
        guide: None,
        inv_i: [D::inverse_inertia(D::UPRIGHT, D::Moments::from_fn(|_| 1.0)); 2],
        w,
        mass: CoupledContact::<D>::mass(w),
        friction,
        bias: D::Vec::from_fn(|k| velocity[k]),
        impulse: D::Vec::ZERO,
        previous: D::Vec::ZERO,
    }
}

/// 10^5 random contacts in lanes obey both laws as closely as those that are solved one at a time.
fn lanes_obey_the_laws<D: Dim>() {
    let (mut random, mut worst, mut regimes) = (Random::new(11), 0.0_f64, [0; 3]);
    let solver_bodies = vec![SolverBody::new(&Twist::<D>::default(), &Inertia::isotropic(1.0, 1.0)); 2];
    for _ in 0..25_000 {
        let mut corners = CoupledContactX4::<D>::empty(0);
        let four: [CoupledContact<D>; LANES] = std::array::from_fn(|_| random_corner(&mut random, [0, 1]));
        four.iter().enumerate().for_each(|(lane, corner)| corners.set(lane, corner));
        // what the bodies do stands in the bias: u = 0 + bias
        let bias = corners.bias;
        let found = in_lanes(Solve(&mut corners, [[0.0; LANES]; 3], bias));
        // the next time it starts from where it ended
        let again = in_lanes(Solve(&mut corners, [[0.0; LANES]; 3], bias));
        for (one, other) in found.iter().flatten().zip(again.iter().flatten()) {
            assert!((one - other).abs() <= 1e-13 * one.abs(), "{one} {other}");
        }
        for (lane, corner) in four.iter().enumerate() {
            let mut kept = corners.scalar(lane, 0, &solver_bodies);
            let off = |i: usize, j: usize| (kept.w[i][j] - kept.w[j][i]).abs();
            assert!(off(0, 1) + off(0, 2) + off(1, 2) == 0.0);
            kept.impulse = (0..3).fold(D::Vec::ZERO, |sum, k| sum + kept.frame[k] * found[k][lane]);
            let moved = corner.block_velocity(kept.impulse);
            let judged = CoupledContact { impulse: kept.impulse, bias: corner.bias + moved, ..corner.clone() };
            let misfit = judged.misfit(&solver_bodies, &vec![1.0; solver_bodies.len()]);
            let size = corner.bias.norm() * corner.mass + kept.impulse.norm();
            worst = worst.max((misfit.wrong * corner.mass).sqrt() / size);
            regimes[judged.regime(&solver_bodies) as usize] += 1;
        }
    }
    assert!(worst <= 1e-13, "{worst:e}");
    assert!(regimes.iter().all(|count| *count > 1000), "{regimes:?}");
}

#[test]
fn four_corners_obey_the_laws() {
    lanes_obey_the_laws::<D2>();
    lanes_obey_the_laws::<D3>();
}

/// Four random corners between eight bodies.
struct Corners<D: Dim> {
    solver_bodies: Vec<SolverBody<D>>,
    corners: CoupledContactX4<D>,
    scalars: Vec<CoupledContact<D>>,
}

impl<D: Dim> Corners<D> {
    fn random(random: &mut Random) -> Corners<D> {
        let inertia = |k: usize| Inertia::<D>::isotropic(1.0 + k as f64, 0.3 + 0.1 * k as f64);
        let twist = |random: &mut Random| {
            let [v, w] = [random.velocity::<3>(), random.velocity::<3>()];
            Twist::<D> { v: D::Vec::from_fn(|k| v[k]), w: D::Spin::from_fn(|k| w[k]) }
        };
        let solver_bodies = (0..2 * LANES).map(|k| SolverBody::new(&twist(random), &inertia(k))).collect();
        let mut corners = CoupledContactX4::<D>::empty(0);
        let mut scalars = Vec::new();
        for lane in 0..LANES {
            let bodies = [lane, lane + LANES];
            let mut corner = random_corner::<D>(random, bodies.map(|k| k as u32));
            let arms = [random.velocity::<3>(), random.velocity::<3>()];
            corner.arm = arms.map(|arm| D::Vec::from_fn(|k| arm[k]));
            corner.inv_i = bodies.map(|k| D::inverse_inertia(D::UPRIGHT, inertia(k).inv_i));
            corner.inv_m_t = bodies.map(|k| inertia(k).inv_m);
            let sides = [0, 1].map(|k| ContactSide::<D> {
                inv_m: [corner.inv_m_t[k]; 2],
                guide: None,
                inv_i: corner.inv_i[k],
                arm: corner.arm[k],
            });
            corner.w = CoupledContact::block(&corner.frame, &sides);
            corner.mass = CoupledContact::<D>::mass(corner.w);
            let pushed = random.velocity::<3>();
            corner.impulse = D::Vec::from_fn(|k| pushed[k]);
            corners.set(lane, &corner);
            scalars.push(corner);
        }
        Corners { solver_bodies, corners, scalars }
    }
}

/// A sweep in lanes changes impulses and motion as the sweep of each corner by itself.
fn a_sweep_is_that_of_its_corners<D: Dim>() {
    let Corners { mut solver_bodies, mut corners, mut scalars } = Corners::<D>::random(&mut Random::new(5));
    let mut alone = solver_bodies.clone();
    let judged_by: Vec<f64> = (1..).map(f64::from).take(solver_bodies.len()).collect();
    let judge =
        JudgeCoupled { fours: std::slice::from_ref(&corners), solver_bodies: &solver_bodies, judged_by: &judged_by };
    let judged = in_lanes(judge);
    let expected: Misfit = scalars.iter().map(|scalar| scalar.misfit(&alone, &judged_by)).sum();
    let is_near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-12;
    assert!(is_near(judged.wrong, expected.wrong) && is_near(judged.all, expected.all));
    assert!(expected.worst > 0.0 && is_near(judged.worst, expected.worst));
    let relaxation = Relaxation { momentum: 0.4, factor: 0.9 };
    let many = in_lanes(SweepCoupled {
        fours: std::slice::from_mut(&mut corners),
        batches: &[1],
        solver_bodies: &mut solver_bodies,
        relaxation,
    });
    let mut squared = 0.0;
    for (lane, scalar) in scalars.iter_mut().enumerate() {
        let change = scalar.change(relaxation, &alone);
        squared += scalar.add_change(change, relaxation).squared;
        scalar.apply(change, &mut alone);
        let off = (corners.impulse(lane) - scalar.impulse).norm() / scalar.impulse.norm();
        assert!(off < 1e-12, "{lane}: {off:e}");
    }
    assert!((many.squared / squared - 1.0).abs() < 1e-12);
    for (one, other) in solver_bodies.iter().zip(&alone) {
        let (one, other) = (one.twist(), other.twist());
        assert!((one.v - other.v).norm() <= 1e-12 * other.v.norm());
        assert!((one.w - other.w).norm() <= 1e-12 * (other.w.norm() + 1.0));
    }
}

#[test]
fn corners_in_lanes_sweep_as_corners_alone() {
    a_sweep_is_that_of_its_corners::<D2>();
    a_sweep_is_that_of_its_corners::<D3>();
}

const SWEPT: Relaxation = Relaxation { momentum: 0.4, factor: 0.9 };

/// Which four corners share the lanes, where they stand in them, and whether these are registers or arrays changes no
/// bit: each is swept and judged by itself in a four whose other lanes are empty, number after number.
fn four_are_one_by_one<D: Dim>() {
    let (mut random, mut slides) = (Random::new(37), 0);
    for _ in 0..500 {
        let Corners { solver_bodies, corners, scalars } = Corners::<D>::random(&mut random);
        let mut solver_bodies: Vec<SolverBody<D>> = solver_bodies;
        solver_bodies.push(SolverBody::of(&Twist::default(), 0.0, 0.0)); // of empty lanes
        let speeds: Vec<f64> = (1..).map(f64::from).take(solver_bodies.len()).collect();
        let (mut together, mut fours) = (solver_bodies.clone(), [corners; 1]);
        for sweep in 0..3 {
            let before = (together.clone(), fours);
            in_lanes(SweepCoupled {
                fours: &mut fours,
                batches: &[1],
                solver_bodies: &mut together,
                relaxation: SWEPT,
            });
            let judge = |fours: &[CoupledContactX4<D>], solver_bodies: &[SolverBody<D>]| {
                JudgeCoupled { fours, solver_bodies, judged_by: &speeds }.run(ArrayLanes)
            };
            let all = in_lanes(JudgeCoupled { fours: &fours, solver_bodies: &together, judged_by: &speeds });
            let mut parts = Vec::new();
            for (lane, scalar) in scalars.iter().enumerate() {
                let mut single = CoupledContactX4::empty(2 * LANES as u32);
                take_lane(&mut single, &before.1[0], lane);
                let (mut alone, mut single) = (before.0.clone(), [single]);
                SweepCoupled { fours: &mut single, batches: &[1], solver_bodies: &mut alone, relaxation: SWEPT }
                    .run(ArrayLanes);
                assert_eq!(bits(single[0].impulse(0)), bits(fours[0].impulse(lane)), "sweep {sweep}, lane {lane}");
                for body in [lane, lane + LANES] {
                    let (one, other) = (alone[body].twist(), together[body].twist());
                    assert_eq!((bits(one.v), bits(one.w)), (bits(other.v), bits(other.w)));
                }
                parts.push(judge(&single, &alone).wrong);
                let law = CoupledContact { impulse: fours[0].impulse(lane), ..scalar.clone() };
                slides += usize::from(law.regime(&together) == Regime::Slide);
            }
            assert_eq!(((parts[0] + parts[1]) + (parts[2] + parts[3])).to_bits(), all.wrong.to_bits());
        }
    }
    assert!(slides > 500, "{slides}");
}

/// Puts the contact of a lane into the first lane of another four.
fn take_lane<D: Dim>(to: &mut CoupledContactX4<D>, from: &CoupledContactX4<D>, lane: usize) {
    (to.a[0], to.b[0]) = (from.a[lane], from.b[lane]);
    let copy = |to: &mut [Row], from: &[Row]| to.iter_mut().zip(from).for_each(|(to, from)| to[0] = from[lane]);
    (0..3).for_each(|k| copy(to.frame[k].as_mut(), from.frame[k].as_ref()));
    (0..2).for_each(|k| copy(to.arm[k].as_mut(), from.arm[k].as_ref()));
    (0..2).for_each(|k| D::put_sym(&mut to.inv_i[k], 0, &D::get_sym(&from.inv_i[k], lane)));
    copy(&mut to.w_nt, &from.w_nt);
    copy(&mut to.s, &from.s);
    for (to, from) in [(&mut to.bias, &from.bias), (&mut to.impulse, &from.impulse), (&mut to.previous, &from.previous)]
    {
        copy(to, from);
    }
    (to.w_nn[0], to.inv_nn[0], to.beta[0]) = (from.w_nn[lane], from.inv_nn[lane], from.beta[lane]);
    (to.friction[0], to.mass[0]) = (from.friction[lane], from.mass[lane]);
}

/// Bits of the components; zero has one sign only.
fn bits<V: Vector>(v: V) -> Vec<u64> {
    (0..V::LEN).map(|k| (v.get(k) + 0.0).to_bits()).collect()
}

#[test]
fn four_corners_are_swept_and_judged_to_the_bit_as_one_by_one() {
    four_are_one_by_one::<D2>();
    four_are_one_by_one::<D3>();
}
