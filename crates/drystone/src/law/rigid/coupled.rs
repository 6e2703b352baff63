//! The contact between bodies of any shape: Signorini's condition and Coulomb's friction when W is full.
//!
//! K = {|r_t| <= mu r_n} is the cone of Coulomb, K* its dual, and û = (u_n + mu |u_t|, u_t). An impulse r and the
//! velocity u = W r + q satisfy both laws exactly if r is in K, û in K*, and û . r = 0 [De Saxce].

use super::natural_map::{LoadedContact, NaturalMap};
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::lane::{Four, LANES, Lanes, NumberArray};

/// A contact between bodies of any shape: two components in the plane, three in space.
///
/// The components are along the normal (from a to b) first, then along the tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupledLaw<const N: usize> {
    /// The contact's own block of W = H^T M^-1 H [1/kg]: velocity per impulse; symmetric, positive definite.
    pub w: [[f64; N]; N],
    /// Coefficient of friction.
    pub friction: f64,
}

/// The exact law of one contact, to be solved.
pub trait ExactLaw<const N: usize> {
    /// The law with everything that it needs of W precomputed.
    type Ready: ReadyLaw<N>;

    /// Precomputes what the law needs of W, for a contact that is solved many times.
    fn ready(&self) -> Self::Ready;

    /// Impulse on b that satisfies both laws exactly.
    ///
    /// `q` is the relative velocity without this impulse, with all biases for restitution and gaps: u = W r + q obeys
    /// the laws.
    #[inline]
    fn impulse(&self, q: [f64; N]) -> [f64; N] {
        self.ready().solve(q)
    }

    /// Largest eigenvalue of W [1/kg].
    fn largest_eigenvalue(&self) -> f64;
}

/// The exact law of one contact, ready to be solved.
pub trait ReadyLaw<const N: usize>: Copy + std::fmt::Debug {
    /// Four laws side by side.
    type Four: Clone + std::fmt::Debug;
    /// [`ExactLaw::impulse`].
    fn solve(&self, q: [f64; N]) -> [f64; N];
    /// Puts four laws side by side.
    fn pack(laws: [Self; LANES]) -> Self::Four;
    /// [`ReadyLaw::solve`] for four contacts at once.
    fn solve_four<S: Lanes>(laws: &Self::Four, lanes: S, q: [Four<S>; N]) -> [Four<S>; N];
}

/// What one body adds to W: the velocity of the end of an arm per impulse there, in the frame (n, t) or (n, t1, t2).
///
/// W_ij = e_i . (e_j / m + (I^-1 (c x e_j)) x c). In the plane this is W_nt = - c_n c_t / I; the sign that
/// [Radjai eq. 25] prints is wrong. `spin` gives the angular velocity I^-1 L of an angular momentum L.
pub fn mobility<D: Dim, const N: usize>(
    frame: &[D::Vec; N],
    arm: D::Vec,
    inv_m: f64,
    spin: impl Fn(D::Spin) -> D::Spin,
) -> [[f64; N]; N] {
    let mut w = [[0.0; N]; N];
    for j in 0..N {
        let velocity = frame[j] * inv_m + D::swing(spin(D::torque(arm, frame[j])), arm);
        for i in 0..=j {
            w[i][j] = frame[i].dot(velocity);
            w[j][i] = w[i][j];
        }
    }
    w
}

impl<const N: usize> CoupledLaw<N> {
    /// A contact between two bodies of the given [`mobility`]; W is their sum.
    pub fn between(a: [[f64; N]; N], b: [[f64; N]; N], friction: f64) -> CoupledLaw<N> {
        CoupledLaw { w: std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] + b[i][j])), friction }
    }

    /// Velocity under an impulse: u = W r + q.
    pub fn velocity(&self, r: [f64; N], q: [f64; N]) -> [f64; N] {
        std::array::from_fn(|i| (0..N).fold(q[i], |sum, j| sum + self.w[i][j] * r[j]))
    }

    /// Whether the contact is in the range of Painleve's paradox, mu |W_nt| >= W_nn.
    ///
    /// Below it a contact that closes (q_n < 0) carries a force, and one that does not (q_n >= 0) carries none. In the
    /// plane the solution is then unique. In space it is certainly unique if mu |W_nt| < W_nn 2 sqrt(c) / (1 + c),
    /// where c is the condition number of the tangential block of W after elimination of the normal; between the two
    /// bounds several sliding directions can be possible, though not one of 30 000 random pairs of bodies had this.
    pub fn is_painleve(&self) -> bool {
        self.friction * tangential_norm(self.w[0]) >= self.w[0][0]
    }
}

impl<const N: usize> CoupledLaw<N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    /// Distance of an impulse and a velocity from the law: [`LoadedContact::natural_map`] along the components.
    pub fn natural_map(&self, r: [f64; N], u: [f64; N]) -> [f64; N] {
        let NaturalMap { f_n, f_t: NumberArray([f_1, f_2]) } =
            self.loaded(1.0 / self.largest_eigenvalue(), r, u).natural_map();
        std::array::from_fn(|k| [f_n, f_1, f_2][k])
    }

    /// The contact under an impulse while it moves with `u`, for the natural map; `rho` is 1 over the largest
    /// eigenvalue of W.
    pub fn loaded(&self, rho: f64, r: [f64; N], u: [f64; N]) -> LoadedContact<NumberArray<f64, 2>> {
        let across = |v: [f64; N]| NumberArray([v[1], v.get(2).copied().unwrap_or(0.0)]);
        LoadedContact { mass: rho, friction: self.friction, u_n: u[0], u_t: across(u), r_n: r[0], r_t: across(r) }
    }

    /// What the contact does under the impulse of [`ExactLaw::impulse`], at the velocity `u`.
    pub fn regime(&self, r: [f64; N], u: [f64; N]) -> Regime {
        if r[0] <= 0.0 {
            return Regime::Open;
        }
        // the impulse r - rho u: outside the cone it means sliding
        let rho = 1.0 / self.largest_eigenvalue();
        let pushed = tangential_norm(std::array::from_fn::<f64, N, _>(|i| r[i] - rho * u[i]));
        if pushed <= self.friction * r[0] { Regime::Stick } else { Regime::Slide }
    }
}

/// Length of the tangential part.
fn tangential_norm<const N: usize>(v: [f64; N]) -> f64 {
    v[1..].iter().map(|component| component * component).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::law::RoundContact;
    use crate::law::rigid::random::Random;
    use glam::{DVec2, DVec3};

    fn norm<const N: usize>(v: [f64; N]) -> f64 {
        v.iter().map(|component| component * component).sum::<f64>().sqrt()
    }

    fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    /// Solves 10^5 impacts and checks each against both laws and the balance of energy.
    fn impacts<const N: usize>(contact: fn(&mut Random) -> CoupledLaw<N>)
    where
        CoupledLaw<N>: ExactLaw<N>,
    {
        let (mut random, mut worst, mut seen, mut painleve) = (Random::new(3), 0.0_f64, [0; 3], 0);
        for _ in 0..100_000 {
            let (law, before, e) = (contact(&mut random), random.velocity::<N>(), random.uniform(0.0, 1.0));
            let q = before.map(|component| component * (1.0 + e)); // the laws hold for u + e u_before
            let r = law.impulse(q);
            let u = law.velocity(r, q);
            let size = norm(q) / law.largest_eigenvalue() + norm(r);
            let error = norm(law.natural_map(r, u)) / size;
            assert!(error <= 1e-13, "{law:?} {q:?} {r:?}: {error:e}");
            assert!(r[0] >= 0.0 && tangential_norm(r) <= law.friction * r[0] * (1.0 + 4.0 * f64::EPSILON), "{r:?}");
            let twice_mean = std::array::from_fn(|i| u[i] + (1.0 - e) * before[i]);
            assert!(dot(r, twice_mean) <= 1e-14 * norm(r) * norm(q), "gains energy: {law:?} {before:?} e = {e}");
            worst = worst.max(error);
            seen[law.regime(r, u) as usize] += 1;
            painleve += usize::from(law.is_painleve());
        }
        println!("worst error {worst:.1e}, open, stick, slide {seen:?}, Painleve {painleve}");
        assert!(seen.iter().all(|count| *count > 1000), "all regimes occur: {seen:?}");
        assert!(painleve > 100, "{painleve}");
    }

    #[test]
    fn impacts_in_the_plane_obey_the_law() {
        impacts(Random::contact2);
    }

    #[test]
    fn impacts_in_space_obey_the_law() {
        impacts(Random::contact3);
    }

    #[test]
    fn the_natural_map_sees_a_wrong_impulse() {
        let law = CoupledLaw { w: [[1.0, 0.5], [0.5, 3.0]], friction: 0.5 };
        assert_eq!(law.natural_map([1.0, 0.4], [0.0, 0.0]), [0.0; 2]);
        assert_eq!(law.natural_map([0.0, 0.0], [0.0, 1.0]), [0.0; 2], "an open contact may move along");
        assert!(norm(law.natural_map([1.0, 0.6], [0.0, 0.0])) > 0.05, "outside the cone");
        assert!(norm(law.natural_map([-1.0, 0.0], [0.0, 0.0])) > 0.5, "pulling");
        assert!(norm(law.natural_map([0.0, 0.0], [-1.0, 0.0])) > 0.2, "penetrating");
        assert!(norm(law.natural_map([1.0, 0.5], [0.0, 1.0])) > 0.1, "friction that drives");
        assert!(
            norm(law.natural_map([1.0, -0.5], [0.5, 1.0])) > 0.1,
            "sliding that opens, as in the convex relaxation"
        );
        assert!(norm(law.natural_map([1.0, -0.5], [0.0, 1.0])) < 1e-15, "sliding");
    }

    #[test]
    fn an_open_contact_without_friction_is_exact() {
        let law = CoupledLaw { w: [[1.0, 0.5, 0.0], [0.5, 3.0, 0.0], [0.0, 0.0, 3.0]], friction: 0.0 };
        for q in [[0.0; 3], [2.0, 0.0, 0.0], [2.0, -1.0, 3.0]] {
            assert_eq!((law.impulse(q), law.natural_map([0.0; 3], q)), ([0.0; 3], [0.0; 3]));
        }
    }

    /// A square of side 1 m and 1 kg, tilted by 30 degrees, with a corner on the floor; values of the validation list.
    #[test]
    fn mobility_of_a_tilted_square() {
        let (cos, sin) = (0.75_f64.sqrt(), 0.5);
        let arm = DVec2::new(-0.5 * cos + 0.5 * sin, -0.5 * sin - 0.5 * cos);
        let w = mobility::<D2, 2>(&[DVec2::Y, DVec2::NEG_X], arm, 1.0, |momentum| momentum * 6.0);
        for (got, expected) in w.iter().flatten().zip([1.200962, 0.75, 0.75, 3.799038]) {
            assert!((got - expected).abs() < 5e-7, "{w:?}");
        }
        // the same square as a block of space: its thickness does not matter as long as nothing leaves the plane
        let frame = [DVec3::Y, DVec3::NEG_X, DVec3::Z];
        let block = mobility::<D3, 3>(&frame, arm.extend(0.0), 1.0, |momentum| momentum * DVec3::new(2.0, 3.0, 6.0));
        assert_eq!(
            [block[0][0], block[0][1], block[1][1], block[0][2], block[1][2]],
            [w[0][0], w[0][1], w[1][1], 0.0, 0.0]
        );
    }

    #[test]
    fn round_contacts_are_the_diagonal_case() {
        let (mut random, mut sliding) = (Random::new(9), 0);
        for _ in 0..10_000 {
            let (mass_n, friction) = (random.magnitude(1.0), random.uniform(0.0, 1.2));
            let mass_t = mass_n * random.uniform(0.2, 1.0);
            let (w_n, w_t) = (1.0 / mass_n, 1.0 / mass_t);
            let law = CoupledLaw { w: [[w_n, 0.0, 0.0], [0.0, w_t, 0.0], [0.0, 0.0, w_t]], friction };
            let round = RoundContact::<D3> { normal: DVec3::X, bias: 0.0, mass_n, mass_t, friction };
            let q = random.velocity::<3>();
            let (r, expected) = (law.impulse(q), round.impulse(DVec3::ZERO, DVec3::from_array(q)));
            assert!((DVec3::from_array(r) - expected).length() <= 1e-15 * expected.length(), "{r:?} {expected}");
            let (push, u) = (random.velocity::<3>(), random.velocity::<3>());
            let expected = round.natural_map(DVec3::from_array(push), DVec3::from_array(u));
            let difference = DVec3::from_array(law.natural_map(push, u)) - expected;
            assert!(difference.length() <= 1e-14 * (norm(push) + norm(u) * mass_t), "{difference}");
            let u = law.velocity(r, q);
            assert_eq!(law.regime(r, u), round.regime(DVec3::from_array(r), DVec3::from_array(u)));
            sliding += usize::from(law.regime(r, u) == Regime::Slide);

            let flat = CoupledLaw { w: [[w_n, 0.0], [0.0, w_t]], friction };
            let round = RoundContact::<D2> { normal: DVec2::X, bias: 0.0, mass_n, mass_t, friction };
            let (r, expected) = (flat.impulse([q[0], q[1]]), round.impulse(DVec2::ZERO, DVec2::new(q[0], q[1])));
            assert!((DVec2::from_array(r) - expected).length() <= 1e-15 * expected.length(), "{r:?} {expected}");
        }
        assert!(sliding > 1000, "{sliding}");
    }
}
