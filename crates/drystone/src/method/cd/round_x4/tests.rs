use super::*;
use crate::body::Twist;
use crate::contact::Regime;
use crate::dim::{D2, D3};
use crate::lane::in_lanes;
use crate::law::rigid::random::Random;
use crate::method::cd::scalar_round::{Arm, RotationalFriction};

/// Bits of a number; zero has one sign only.
fn bits(x: f64) -> u64 {
    (x + 0.0).to_bits()
}

fn vector_bits<V: Vector>(v: V) -> Vec<u64> {
    (0..V::LEN).map(|k| bits(v.get(k))).collect()
}

fn random_vector<V: Vector>(random: &mut Random, size: f64) -> V {
    V::from_fn(|_| random.uniform(-size, size))
}

/// A contact with its levers and its impulses of now and before the last sweep.
#[derive(Clone, Copy)]
struct Case<D: Dim> {
    bodies: [usize; 2],
    local: RoundContact<D>,
    lever: [f64; 2],
    impulse: D::Vec,
    previous: D::Vec,
}

/// Two random bodies for each of many contacts, every seventh of them on a wall.
struct Bed<D: Dim> {
    solver_bodies: Vec<SolverBody<D>>,
    cases: Vec<Case<D>>,
}

impl<D: Dim> Bed<D> {
    fn random(random: &mut Random, count: usize) -> Bed<D> {
        let mut bed = Bed { solver_bodies: Vec::new(), cases: Vec::new() };
        for k in 0..count {
            let mut inverse = [[1.0 / random.magnitude(1.0), random.magnitude(1.0)], [random.magnitude(1.0); 2]];
            if k % 7 == 3 {
                inverse[0] = [0.0; 2];
            }
            for [inv_m, inv_i] in inverse {
                let twist = Twist { v: random_vector(random, 1.0), w: random_vector(random, 2.0) };
                bed.solver_bodies.push(SolverBody::of(&twist, inv_m, inv_i));
            }
            let normal: D::Vec = random_vector(random, 1.0);
            let lever = [random.uniform(0.1, 1.0), random.uniform(0.1, 1.0)];
            let inv_n = inverse[0][0] + inverse[1][0];
            let turn = lever[0] * lever[0] * inverse[0][1] + lever[1] * lever[1] * inverse[1][1];
            let local = RoundContact {
                normal: normal * (1.0 / normal.norm()),
                bias: [0.0, random.uniform(0.0, 0.5), random.uniform(-0.5, 0.0)][k % 3], // closed, a gap, a bounce
                mass_n: 1.0 / inv_n,
                mass_t: 1.0 / (inv_n + turn),
                friction: if k % 11 == 0 { 0.0 } else { random.uniform(0.0, 1.0) },
            };
            let [impulse, previous] = [0, 1].map(|_| random_vector(random, 0.3));
            bed.cases.push(Case { bodies: [2 * k, 2 * k + 1], local, lever, impulse, previous });
        }
        bed
    }

    /// All contacts in lanes; those that are missing in the last four stay empty.
    fn fours(&self) -> Vec<RoundContactX4<D>> {
        let mut fours = vec![RoundContactX4::empty(self.solver_bodies.len() as u32); self.cases.len().div_ceil(LANES)];
        for (k, case) in self.cases.iter().enumerate() {
            let (four, lane) = (&mut fours[k / LANES], k % LANES);
            four.set(lane, case.bodies.map(|body| body as u32), &case.local, case.lever, case.impulse);
            (0..D::DIMENSION).for_each(|axis| four.previous.as_mut()[axis][lane] = case.previous.get(axis));
        }
        fours
    }

    /// The bodies, and one that empty lanes refer to.
    fn bodies(&self) -> Vec<SolverBody<D>> {
        let mut all = self.solver_bodies.clone();
        all.push(SolverBody::of(&Twist::default(), 0.0, 0.0));
        all
    }
}

/// A sweep over one contact by itself, with [`RoundContact::impulse`]: the impulse after it.
fn sweep_alone<D: Dim>(case: &Case<D>, solver_bodies: &mut [SolverBody<D>], relaxation: Relaxation) -> D::Vec {
    let n = case.local.normal;
    let [a, b] = case.bodies.map(|body| solver_bodies[body].twist());
    let u = b.v - a.v - D::swing(a.w * case.lever[0] + b.w * case.lever[1], n);
    let start = case.impulse + (case.impulse - case.previous) * relaxation.momentum;
    let change = (case.local.impulse(start, u) - start) * relaxation.factor;
    let torque = D::torque(n, change);
    for (end, sign) in [-1.0, 1.0].into_iter().enumerate() {
        let body = &mut solver_bodies[case.bodies[end]];
        let (mut twist, inv_m, inv_i) = (body.twist(), body.inv_m(), body.inv_i());
        twist.v += change * inv_m * sign;
        twist.w -= torque * case.lever[end] * inv_i;
        body.set_twist(&twist);
    }
    start + change
}

fn sweeps_equal<D: Dim>() {
    let (mut random, mut regimes) = (Random::new(23), [0; 3]);
    let relaxation = Relaxation { momentum: 0.4, factor: 0.9 };
    for _ in 0..200 {
        let bed = Bed::<D>::random(&mut random, 61);
        let (mut fours, mut together, mut alone) = (bed.fours(), bed.bodies(), bed.bodies());
        let batches = [8, 5, 3];
        in_lanes(SweepRound { fours: &mut fours, batches: &batches, solver_bodies: &mut together, relaxation });
        for (k, case) in bed.cases.iter().enumerate() {
            let expected = sweep_alone(case, &mut alone, relaxation);
            let found = fours[k / LANES].impulse(k % LANES);
            assert_eq!(vector_bits(found), vector_bits(expected), "{k}: {:?}", case.local);
            assert_eq!(vector_bits(fours[k / LANES].previous(k % LANES)), vector_bits(case.impulse));
            let [a, b] = case.bodies.map(|body| alone[body].twist());
            let u = b.v - a.v - D::swing(a.w * case.lever[0] + b.w * case.lever[1], case.local.normal);
            regimes[case.local.regime(expected, u) as usize] += 1;
        }
        for (k, (one, other)) in together.iter().zip(&alone).enumerate() {
            let (one, other) = (one.twist(), other.twist());
            assert_eq!(vector_bits(one.v), vector_bits(other.v), "body {k}");
            assert_eq!(vector_bits(one.w), vector_bits(other.w), "body {k}");
        }
    }
    assert!(regimes[Regime::Open as usize] > 1000 && regimes[Regime::Slide as usize] > 1000, "{regimes:?}");
    assert!(regimes[Regime::Stick as usize] > 500, "{regimes:?}");
}

/// Fails if a formula of the sweep in lanes changes: the velocity, the start, the law, or how impulses move bodies.
#[test]
fn four_contacts_are_swept_to_the_bit_as_one_by_one() {
    sweeps_equal::<D2>();
    sweeps_equal::<D3>();
}

fn judgements_equal<D: Dim>() {
    let mut random = Random::new(29);
    let mut worst_seen = 0;
    for _ in 0..500 {
        let bed = Bed::<D>::random(&mut random, LANES);
        let (four, solver_bodies) = (bed.fours()[0], bed.bodies());
        let speeds: Vec<f64> = solver_bodies.iter().map(|_| random.magnitude(2.0)).collect();
        let judge = JudgeRound { fours: &[four], solver_bodies: &solver_bodies, judged_by: &speeds };
        let found = in_lanes(judge);
        let [a, b, c, d] =
            [0, 1, 2, 3].map(|lane| four.scalar(lane, 0, &solver_bodies).misfit(&solver_bodies, &speeds));
        let sum = |of: fn(&Misfit) -> f64| bits((of(&a) + of(&b)) + (of(&c) + of(&d)));
        assert_eq!(bits(found.wrong), sum(|misfit| misfit.wrong));
        assert_eq!(bits(found.all), sum(|misfit| misfit.all));
        assert_eq!(bits(found.impulses), sum(|misfit| misfit.impulses));
        assert_eq!(bits(found.virtual_work), sum(|misfit| misfit.virtual_work));
        let worst = [a, b, c, d].into_iter().map(|misfit| misfit.worst).fold(0.0, f64::max);
        assert_eq!(bits(found.worst), bits(worst));
        worst_seen += usize::from(worst > 0.0 && found.wrong > 0.0);
    }
    assert!(worst_seen > 400, "{worst_seen}");
}

/// Fails if the natural map, its allowance or its weights differ between lanes and contacts that are solved alone.
#[test]
fn four_contacts_are_judged_to_the_bit_as_one_by_one() {
    judgements_equal::<D2>();
    judgements_equal::<D3>();
}

/// [`ScalarRound::solve`] of a contact without cohesion and torques is [`RoundContact::impulse`], and with rolling
/// friction of lever zero, where the formulas of rotational friction run, it is the same up to rounding.
fn solutions_agree<D: Dim>() {
    let mut random = Random::new(31);
    for _ in 0..1000 {
        let bed = Bed::<D>::random(&mut random, LANES);
        let (four, solver_bodies) = (bed.fours()[0], bed.bodies());
        for (lane, case) in bed.cases.iter().enumerate() {
            let mut scalar = four.scalar(lane, 0, &solver_bodies);
            let motion = scalar.motion(&solver_bodies);
            let expected = case.local.impulse(case.impulse, motion.u);
            let plain = scalar.solve(&scalar.load, &motion);
            assert_eq!(vector_bits(plain.impulse), vector_bits(expected));
            let [rolling, torsion] = [0, 1].map(|_| Arm::Fixed(0.0));
            scalar.rotational_friction =
                Some(RotationalFriction { rolling, torsion, inv_i: 1.0, coupling: 0.0, dt: 1.0 });
            let turning = scalar.solve(&scalar.load, &motion);
            let size = case.impulse.norm() + case.local.mass_n * (motion.u.norm() + case.local.bias.abs());
            assert!((turning.impulse - expected).norm() <= 1e-15 * size, "{:?} {expected:?}", turning.impulse);
            assert_eq!([plain.torque, turning.torque], [D::Spin::ZERO; 2]);
        }
    }
}

#[test]
fn a_contact_alone_obeys_the_law_of_the_lanes() {
    solutions_agree::<D2>();
    solutions_agree::<D3>();
}
