//! Sliding and rolling friction of one contact together: two impulses, each limited by its own disk.

use super::root::root;
use crate::dim::Vector;

/// Sliding and rolling velocity per impulse; positive definite, w_t w_r > x^2.
///
/// The rolling torque T on b is turned into the tangent plane, tau = T x n, and so is the relative spin,
/// Omega = (w_b - w_a) x n; their power is T . (w_b - w_a) = tau . Omega. The sliding velocity is then
/// w_t r + x tau + q, the rolling velocity x r + w_r tau + p. For round bodies w_t = 1/m_t, w_r = 1/I_a + 1/I_b and
/// x = l_a/I_a - l_b/I_b: zero only for equal grains; for a sphere on a wall x^2 = (5/7) w_t w_r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlidingRollingMobility {
    /// Sliding velocity per tangential impulse [1/kg].
    pub w_t: f64,
    /// Rolling velocity per rolling impulse [1/(kg m2)].
    pub w_r: f64,
    /// Sliding velocity per rolling impulse, and rolling velocity per tangential impulse [1/(kg m)].
    pub x: f64,
}

/// Tangential impulse r and rolling impulse tau that obey Coulomb's law of sliding, |r| <= a, and of rolling, |tau| <=
/// b.
///
/// `q` and `p` are the sliding and the rolling velocity without them, `limits` a and b. If r is at its limit a, it
/// opposes the sliding velocity; otherwise there is none. The same holds for tau. This is the minimum of
/// w_t |r|^2 / 2 + x r . tau + w_r |tau|^2 / 2 + q . r + p . tau over both discs, and unique.
#[inline]
pub fn sliding_rolling<V: Vector>(mass: &SlidingRollingMobility, q: V, p: V, limits: [f64; 2]) -> [V; 2] {
    let (SlidingRollingMobility { w_t, w_r, x }, [a, b]) = (*mass, limits);
    let roll_after = |r: V| (p + r * x) * (-1.0 / w_r);
    let stick_after = |tau: V| (q + tau * x) * (-1.0 / w_t);
    let stick = (p * x - q * w_r) * (1.0 / (w_t * w_r - x * x));
    let hold = roll_after(stick);
    let (slides, rolls) = (stick.norm_squared() > a * a, hold.norm_squared() > b * b);
    if !slides && !rolls {
        return [stick, hold];
    }
    // if only one yields, the other is eliminated and the rest is isotropic: the nearest point of the disc solves it
    if slides {
        let r = stick.clamp_norm(a);
        let tau = roll_after(r);
        if tau.norm_squared() <= b * b {
            return [r, tau];
        }
    }
    if rolls {
        let tau = hold.clamp_norm(b);
        let r = stick_after(tau);
        if r.norm_squared() <= a * a {
            return [r, tau];
        }
    }
    both_yield(mass, q, p, limits)
}

/// Both yield: |r| = a and |tau| = b.
///
/// A sliding contact moves with -lambda r; write w_t + lambda = w_t / beta. For a given beta r = -beta (q + x tau) /
/// w_t, which leaves an isotropic problem for tau, solved by the nearest point of its disc. |r| grows with beta, as
/// lambda is the weight of |r|^2 in the minimum. So k(beta) = |r| - a has one root in [0, 1]: k(0) = -a, and k(1) > 0
/// as the contact would not stick while it rolls.
fn both_yield<V: Vector>(mass: &SlidingRollingMobility, q: V, p: V, [a, b]: [f64; 2]) -> [V; 2] {
    let SlidingRollingMobility { w_t, w_r, x } = *mass;
    // tau and its slope
    let roll = |beta: f64| {
        let (load, stiff) = (q * (x * beta) - p * w_t, w_t * w_r - x * x * beta);
        let length = load.norm();
        if length > b * stiff {
            let along = load * (1.0 / length);
            (along * b, q.tangent_to(along) * (x * b / length))
        } else {
            let tau = load * (1.0 / stiff);
            (tau, (q + tau * x) * (x / stiff))
        }
    };
    let start = a * w_t / (q + roll(1.0).0 * x).norm();
    let beta = root(start, |beta| {
        let (tau, tau_slope) = roll(beta);
        let drive = q + tau * x;
        let length = drive.norm();
        (beta * length / w_t - a, (length + beta * x * drive.dot(tau_slope) / length) / w_t)
    });
    let (tau, _) = roll(beta);
    [(q + tau * x) * (-beta / w_t), tau]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::rigid::random::Random;
    use crate::law::rigid::root::tests::evaluations;
    use glam::{DVec2, DVec3};

    /// How far impulses are from both laws, over the size of the terms of the velocities.
    fn error<V: Vector>(mass: &SlidingRollingMobility, q: V, p: V, limits: [f64; 2], [r, tau]: [V; 2]) -> f64 {
        let one = |own: f64, impulse: V, other: V, free: V, limit: f64| {
            let velocity = impulse * own + other * mass.x + free;
            let scale = own * impulse.norm() + mass.x.abs() * other.norm() + free.norm();
            let nearest = (impulse - velocity * (1.0 / own)).clamp_norm(limit);
            if scale == 0.0 { 0.0 } else { (impulse - nearest).norm() * own / scale }
        };
        one(mass.w_t, r, tau, q, limits[0]) + one(mass.w_r, tau, r, p, limits[1])
    }

    /// For x^2 / (w_t w_r) from `low` to `high`: worst error and the number of cases: nothing yields, only sliding,
    /// only rolling, both.
    fn worst<V: Vector>(vector: impl Fn(&mut Random) -> V, [low, high]: [f64; 2]) -> (f64, [usize; 4]) {
        let (mut random, mut worst, mut seen, mut most) = (Random::new(5), 0.0_f64, [0; 4], 0);
        for _ in 0..100_000 {
            let (w_t, w_r) = (random.magnitude(1.0), random.magnitude(2.0));
            let x = (random.uniform(low, high) * w_t * w_r).sqrt() * random.sign();
            let (q, p) = (vector(&mut random) * random.magnitude(2.0), vector(&mut random) * random.magnitude(2.0));
            let mass = SlidingRollingMobility { w_t, w_r, x };
            // the scale of the limits: the impulses without any, coupled or not
            let coupled = sliding_rolling(&mass, q, p, [f64::INFINITY; 2]);
            let scale = if random.sign() > 0.0 { coupled } else { [q * (1.0 / w_t), p * (1.0 / w_r)] };
            let limits = scale.map(|impulse| {
                let factor = if random.uniform(0.0, 1.0) < 0.02 { 0.0 } else { random.magnitude(1.0) };
                impulse.norm() * factor
            });
            let [r, tau] = sliding_rolling(&mass, q, p, limits);
            let error = error(&mass, q, p, limits, [r, tau]);
            assert!(error.is_finite(), "{mass:?} {q:?} {p:?} {limits:?}: {r:?} {tau:?}");
            worst = worst.max(error);
            most = most.max(evaluations(|| sliding_rolling(&mass, q, p, limits)));
            let yields = |impulse: V, limit: f64| usize::from(impulse.norm() >= limit * (1.0 - 1e-14));
            seen[yields(r, limits[0]) + 2 * yields(tau, limits[1])] += 1;
        }
        assert!(most <= 10, "slow: {most} evaluations");
        (worst, seen)
    }

    #[test]
    fn sliding_and_rolling_obey_their_laws_at_once() {
        let any = |random: &mut Random| DVec3::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.0);
        let couplings = [("sphere on wall", [5.0 / 7.0; 2]), ("any", [0.0, 0.99]), ("strong", [0.99; 2])];
        for (name, range) in couplings {
            let (error, seen) = worst(any, range);
            println!("{name}: worst error {error:.1e}, states {seen:?}");
            assert!(error <= 1e-13, "{name}: {error:e}");
            assert!(seen.iter().all(|count| *count > 1000), "all states occur: {seen:?}");
        }
    }

    #[test]
    fn in_the_plane_there_is_one_tangent() {
        let along = |random: &mut Random| DVec2::new(0.6, -0.8) * random.uniform(-1.0, 1.0);
        let (error, seen) = worst(along, [0.0, 0.99]);
        assert!(error <= 1e-13, "{error:e}");
        assert!(seen.iter().all(|count| *count > 1000), "all states occur: {seen:?}");
    }

    /// A sphere that rolls on a floor against a rolling friction mu_r m g: dv/dt = -(5/7) mu_r g / R, by hand from
    /// v = R w and the balances of momentum and spin. Without the coupling nothing would slow it down.
    #[test]
    fn a_rolling_sphere_slows_down_without_sliding() {
        let (mass, radius, speed, torque) = (3.0, 0.2, 1.5, 1e-3);
        let moment = 0.4 * mass * radius * radius;
        let coupled = SlidingRollingMobility { w_t: 3.5 / mass, w_r: 1.0 / moment, x: -radius / moment };
        let (along, roll) = (DVec3::new(0.6, 0.8, 0.0), speed / radius);
        let [r, tau] = sliding_rolling(&coupled, DVec3::ZERO, along * roll, [1.0, torque]);
        assert!((tau + along * torque).length() <= 1e-15 * torque, "{tau}");
        let slower = r / mass;
        assert!((slower + along * (5.0 / 7.0 * torque / (mass * radius))).length() <= 1e-15, "{slower}");
        // it stops both motions at once if the torque allows it
        let [r, tau] = sliding_rolling(&coupled, DVec3::ZERO, along * roll, [100.0, 100.0]);
        assert!((r + along * (mass * speed)).length() <= 1e-14 * mass * speed, "{r}");
        assert!((tau + along * (roll * 1.4 * mass * radius * radius)).length() <= 1e-14, "{tau}");
    }
}
