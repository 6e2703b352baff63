//! Sliding, rolling and torsion at once: two unequal grains, or a grain and a plane, meet in one step with any spins.
//!
//! Impulse and torque are read off the motion of the bodies, r = m dv and T = I dw - arm x r, not taken from the
//! solver. They must obey three laws of Coulomb: |r_t| <= mu r_n, |T_t| <= mu_t r_n, |T_n| <= mu_n r_n, each either
//! below its limit and without motion, or at its limit and against it. [Brendel eq. 1.29, 1.40] The solution is unique.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{Random, Stage};

/// How far an impulse with a limit and the motion that it acts against are from Coulomb's law, and whether it yields.
fn coulomb<V: Vector>(impulse: V, limit: f64, motion: V, speed: f64) -> (f64, bool) {
    let excess = (impulse.norm() / limit - 1.0).max(0.0);
    if motion.norm() <= 1e-10 * speed {
        return (excess, false);
    }
    let against = motion * (-limit / motion.norm());
    ((impulse - against).norm() / limit, true)
}

/// Worst error, and how often sliding, rolling and torsion yield, alone and together.
fn meet<D: Dim>(on_wall: bool) -> (f64, [usize; 8]) {
    let (mut random, mut worst, mut seen) = (Random::new(41), 0.0_f64, [0; 8]);
    for _ in 0..2000 {
        let [mu, mu_t, mu_n] = [1.0, 0.3, 0.1].map(|size| size * random.between(0.05, 1.0));
        let torsion = if D::DIMENSION == 3 { format!(", torsion = {{ length = {mu_n} }}") } else { String::new() };
        let law = format!("{{ friction = {mu}, rolling = {{ length = {mu_t} }}{torsion} }}");
        let mut stage = Stage::<D>::with_law(&law, Scheme::Euler, 1e-3, 1e-14);
        let n = random.direction::<D>();
        let (radius_a, radius_b) = (random.between(0.2, 1.0), random.between(0.2, 1.0));
        let a = if on_wall {
            stage.plane("wall", D::Vec::ZERO, n);
            0
        } else {
            stage.grain(n * -radius_a, radius_a, random.between(0.5, 2.0))
        };
        let b = stage.grain(n * radius_b, radius_b, random.between(0.5, 2.0));
        stage.twist(b).v = random.vector::<D>(0.7).tangent_to(n) - n;
        for body in [a, b].into_iter().skip(usize::from(on_wall)) {
            stage.twist(body).w = D::Spin::from_fn(|_| random.between(-2.0, 2.0));
        }
        let before = [*stage.twist(a), *stage.twist(b)];
        stage.step();
        let after = [*stage.twist(a), *stage.twist(b)];
        let arms = [n * radius_a, n * -radius_b];
        let r = (after[1].v - before[1].v) * stage.mass(b);
        let r_n = r.dot(n);
        let torque = (after[1].w - before[1].w) * stage.moment(b) - D::torque(arms[1], r);
        if !on_wall {
            let opposite = (after[0].w - before[0].w) * stage.moment(a) - D::torque(arms[0], -r);
            worst = worst.max((opposite + torque).norm() / r_n);
        }
        let rim = |k: usize| after[k].v + D::swing(after[k].w, arms[k]);
        let u = if on_wall { rim(1) } else { rim(1) - rim(0) };
        let spin = if on_wall { after[1].w } else { after[1].w - after[0].w };
        let split = |spin: D::Spin| {
            let across = D::swing(spin, n);
            (across, spin - D::torque(n, across))
        };
        let ((t_roll, t_twist), (roll, twist)) = (split(torque), split(spin));
        let (sliding, slides) = coulomb(r.tangent_to(n), mu * r_n, u.tangent_to(n), 1.0);
        let (rolling, rolls) = coulomb(t_roll, mu_t * r_n, roll, 1.0);
        let (torsion, twists) = if D::DIMENSION == 3 { coulomb(t_twist, mu_n * r_n, twist, 1.0) } else { (0.0, false) };
        worst = worst.max(u.dot(n).abs()).max(sliding).max(rolling).max(torsion);
        seen[usize::from(slides) + 2 * usize::from(rolls) + 4 * usize::from(twists)] += 1;
    }
    (worst, seen)
}

fn check<D: Dim>() {
    for on_wall in [true, false] {
        let (worst, seen) = meet::<D>(on_wall);
        let states = if D::DIMENSION == 3 { &seen[..] } else { &seen[..4] };
        assert!(states.iter().all(|count| *count >= 5), "all states are met: {seen:?}");
        let whom = if on_wall { "a plane" } else { "another" };
        let quantity = format!("{} meets {whom}: largest deviation from the laws", D::ROUND);
        expect("sliding, rolling and torsion at once", Kind::Cd, quantity, worst, 0.0)
            .within(1e-9, "the laws over the smallest limit: 1e-13 times the ratio of impulses");
    }
}

#[test]
fn all_laws_hold_at_once() {
    check::<D2>();
    check::<D3>();
}
