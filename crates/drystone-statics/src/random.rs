//! Random contact forces.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Forces of contacts as they are drawn one after the other: normal forces from an exponential distribution with the
/// mean 1, tangential ones evenly within the friction.
pub(crate) struct RandomForces(Pcg64);

impl RandomForces {
    pub(crate) fn new(seed: u64) -> RandomForces {
        RandomForces(Pcg64::new(u128::from(seed), 0))
    }

    /// A number between 0 and 1, without the ends.
    fn number(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// The components of a force, the normal one first.
    pub(crate) fn force(&mut self, friction: f64, components: usize) -> Vec<f64> {
        let normal = -self.number().ln();
        let tangential = (1..components).map(|_| friction * normal * (2.0 * self.number() - 1.0));
        [normal].into_iter().chain(tangential).collect()
    }

    /// The numbers below `count` in a random order.
    pub(crate) fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, (self.number() * (last + 1) as f64) as usize);
        }
        order
    }
}
