use super::super::accelerate::Push;
use super::super::corner::Side;
use super::super::residual::Misfit;
use super::local::Trial;
use super::*;
use crate::body::{Inertia, Twist};
use crate::dim::{D2, D3};
use crate::lane::{InLanes, in_lanes};
use crate::law::random::Random;

struct Solve<'a, D: Dim>(&'a mut Corners<D>, [Row; 3], [Row; 3]);
impl<D: Dim> InLanes for Solve<'_, D> {
    type Output = [Row; 3];
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> [Row; 3] {
        let load = |rows: [Row; 3]| rows.map(|row| Four::load(lanes, &row));
        let mut trial = Trial::new(lanes, self.0, load(self.1), load(self.2));
        while trial.seeks() {
            trial.seek(lanes, self.0);
        }
        trial.found(lanes, self.0).map(Four::row)
    }
}

fn random_corner<D: Dim>(random: &mut Random, bodies: [u32; 2]) -> Corner<D> {
    let direction = random.direction();
    let normal = D::Vec::from_fn(|k| direction[k]);
    let frame = Corner::<D>::frame(normal * (1.0 / normal.norm()));
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
    Corner {
        bodies,
        index: 0,
        frame,
        arm: [D::Vec::ZERO; 2],
        jump: D::Vec::ZERO,
        stretch: None,
        inv_m_t: [1.0; 2],
        guide: None,
        inv_i: [D::inverse_inertia(D::UPRIGHT, D::Moments::from_fn(|_| 1.0)); 2],
        w,
        mass: Corner::<D>::mass(w),
        friction,
        bias: D::Vec::from_fn(|k| velocity[k]),
        impulse: D::Vec::ZERO,
        previous: D::Vec::ZERO,
    }
}

/// 10^5 random contacts in lanes obey both laws as closely as those that are solved one at a time.
fn lanes_obey_the_laws<D: Dim>() {
    let (mut random, mut worst, mut regimes) = (Random::new(11), 0.0_f64, [0; 3]);
    let lines = vec![Line::new(&Twist::<D>::default(), &Inertia::isotropic(1.0, 1.0)); 2];
    for _ in 0..25_000 {
        let mut corners = Corners::<D>::empty(0);
        let four: [Corner<D>; LANES] = std::array::from_fn(|_| random_corner(&mut random, [0, 1]));
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
            let mut kept = corners.corner(lane, 0, &lines);
            let off = |i: usize, j: usize| (kept.w[i][j] - kept.w[j][i]).abs();
            assert!(off(0, 1) + off(0, 2) + off(1, 2) == 0.0);
            kept.impulse = (0..3).fold(D::Vec::ZERO, |sum, k| sum + kept.frame[k] * found[k][lane]);
            let moved = corner.block_velocity(kept.impulse);
            let judged = Corner { impulse: kept.impulse, bias: corner.bias + moved, ..corner.clone() };
            let misfit = judged.misfit(&lines);
            let size = corner.bias.norm() * corner.mass + kept.impulse.norm();
            worst = worst.max((misfit.wrong * corner.mass).sqrt() / size);
            regimes[judged.regime(&lines) as usize] += 1;
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

/// A sweep in lanes changes impulses and motion as the sweep of each corner by itself.
fn a_sweep_is_that_of_its_corners<D: Dim>() {
    let mut random = Random::new(5);
    let inertia = |k: usize| Inertia::<D>::isotropic(1.0 + k as f64, 0.3 + 0.1 * k as f64);
    let twist = |random: &mut Random| {
        let [v, w] = [random.velocity::<3>(), random.velocity::<3>()];
        Twist::<D> { v: D::Vec::from_fn(|k| v[k]), w: D::Spin::from_fn(|k| w[k]) }
    };
    let mut lines: Vec<Line<D>> = (0..8).map(|k| Line::new(&twist(&mut random), &inertia(k))).collect();
    let mut alone = lines.clone();
    let mut corners = Corners::<D>::empty(0);
    let mut singles = Vec::new();
    for lane in 0..LANES {
        let bodies = [lane, lane + LANES];
        let mut corner = random_corner::<D>(&mut random, bodies.map(|k| k as u32));
        let arms = [random.velocity::<3>(), random.velocity::<3>()];
        corner.arm = arms.map(|arm| D::Vec::from_fn(|k| arm[k]));
        corner.inv_i = bodies.map(|k| D::inverse_inertia(D::UPRIGHT, inertia(k).inv_i));
        corner.inv_m_t = bodies.map(|k| inertia(k).inv_m);
        let sides = [0, 1].map(|k| Side::<D> {
            inv_m: [corner.inv_m_t[k]; 2],
            guide: None,
            inv_i: corner.inv_i[k],
            arm: corner.arm[k],
        });
        corner.w = Corner::block(&corner.frame, &sides);
        corner.mass = Corner::<D>::mass(corner.w);
        let pushed = random.velocity::<3>();
        corner.impulse = D::Vec::from_fn(|k| pushed[k]);
        corners.set(lane, &corner);
        singles.push(corner);
    }
    let judged = in_lanes(JudgeCorners { corners: std::slice::from_ref(&corners), lines: &lines });
    let expected: Misfit = singles.iter().map(|single| single.misfit(&alone)).sum();
    assert!((judged.wrong / expected.wrong - 1.0).abs() < 1e-12 && (judged.all / expected.all - 1.0).abs() < 1e-12);
    let push = Push { beta: 0.4, stride: 0.9 };
    let many =
        in_lanes(SweepCorners { corners: std::slice::from_mut(&mut corners), batches: &[1], lines: &mut lines, push });
    let mut squared = 0.0;
    for (lane, single) in singles.iter_mut().enumerate() {
        let change = single.change(push, &alone);
        squared += single.take(change, push).squared;
        single.push(change, &mut alone);
        let off = (corners.impulse(lane) - single.impulse).norm() / single.impulse.norm();
        assert!(off < 1e-12, "{lane}: {off:e}");
    }
    assert!((many.squared / squared - 1.0).abs() < 1e-12);
    for (one, other) in lines.iter().zip(&alone) {
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
