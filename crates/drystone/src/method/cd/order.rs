//! The order of a sweep: by colours, or at random.
//!
//! Contacts of one colour share no movable body. The order of colours is fixed and follows from the contacts alone, so
//! that it is the same in every run. Within a colour no contact waits for another's result: four of them are solved at
//! once. Random orders follow from the scenario's seed and the number of the step, so that a resumed run draws the same
//! ones.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Colours that the mask of a body can hold. Contacts of a body with more neighbours come last, one at a time.
const COLOURS: usize = 64;

/// Contacts in the order of their colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Coloured {
    /// Contacts, colour after colour; those without a colour follow at the end.
    pub contacts: Vec<u32>,
    /// Where each colour ends.
    pub ends: Vec<usize>,
}

impl Coloured {
    /// The colours, one after the other.
    pub(crate) fn colours(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.contacts[start..*end])
    }

    /// Contacts that have no colour.
    pub(crate) fn overflow(&self) -> &[u32] {
        &self.contacts[self.ends.last().copied().unwrap_or(0)..]
    }
}

/// Colours contacts greedily, given the bodies of each and which bodies can move.
pub(crate) fn colour(pairs: &[[u32; 2]], movable: impl Fn(u32) -> bool, bodies: usize) -> Coloured {
    let mut used = vec![0u64; bodies];
    let mut count = [0usize; COLOURS + 1];
    let pick = |&[a, b]: &[u32; 2]| {
        let colour = (!(used[a as usize] | used[b as usize])).trailing_zeros() as usize;
        for body in [a, b] {
            if colour < COLOURS && movable(body) {
                used[body as usize] |= 1 << colour;
            }
        }
        count[colour] += 1;
        colour as u8
    };
    let colours: Vec<u8> = pairs.iter().map(pick).collect();
    let mut next = [0usize; COLOURS + 1];
    (0..COLOURS).for_each(|colour| next[colour + 1] = next[colour] + count[colour]);
    let ends = (0..COLOURS).take_while(|colour| count[*colour] > 0).map(|colour| next[colour + 1]).collect();
    let mut contacts = vec![0; pairs.len()];
    for (contact, colour) in colours.iter().enumerate() {
        let place = &mut next[*colour as usize];
        contacts[*place] = contact as u32;
        *place += 1;
    }
    Coloured { contacts, ends }
}

/// The generator from which the orders of a step are drawn, a different one for every seed and step.
///
/// Both numbers go through the mixing of SplitMix64, which turns any change of one bit into a change of about half of
/// them; start and stream of the generator are the next numbers of SplitMix64. So the generators of successive steps,
/// and of successive seeds, are unrelated. [SteeleLeaFlood14]
pub(crate) fn drawn(seed: u64, step: u64) -> Pcg64 {
    let mut state = mixed(mixed(seed.wrapping_add(WEYL)) ^ step);
    let mut next = || {
        state = state.wrapping_add(WEYL);
        u128::from(mixed(state))
    };
    let mut wide = || next() << 64 | next();
    Pcg64::new(wide(), wide())
}

/// 2^64 over the golden ratio, odd: the stride of SplitMix64.
const WEYL: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64: one-to-one, every bit of the result depends on every bit of `x`.
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Fisher and Yates. The modulo favours early places by less than 2^-32.
pub(crate) fn shuffle(places: &mut [u32], random: &mut Pcg64) {
    for k in (1..places.len()).rev() {
        places.swap(k, (random.next_u64() % (k as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_of_a_colour_share_no_movable_body() {
        // a closed ring of 100 bodies, all of which touch the immovable body 0
        let mut pairs: Vec<[u32; 2]> = (1..=100).map(|k| [0, k]).collect();
        pairs.extend((1..100).map(|k| [k, k + 1]));
        pairs.push([1, 100]);
        let coloured = colour(&pairs, |body| body != 0, 101);
        assert!(coloured.overflow().is_empty());
        let first = coloured.colours().next().expect("a colour");
        assert_eq!(first, (0..100).collect::<Vec<u32>>(), "the hub cannot move: its contacts share a colour");
        let mut seen = coloured.contacts.clone();
        seen.sort_unstable();
        assert_eq!(seen, (0..200).collect::<Vec<u32>>(), "every contact once");
        for colour in coloured.colours() {
            let mut bodies: Vec<u32> =
                colour.iter().flat_map(|k| pairs[*k as usize]).filter(|body| *body != 0).collect();
            let count = bodies.len();
            bodies.sort_unstable();
            bodies.dedup();
            assert_eq!(bodies.len(), count);
        }
    }

    #[test]
    fn a_body_with_too_many_neighbours_still_gets_all_its_contacts_in() {
        let pairs: Vec<[u32; 2]> = (1..=300).map(|k| [0, k]).collect();
        let coloured = colour(&pairs, |_| true, 301);
        assert_eq!((coloured.ends.len(), coloured.overflow().len()), (64, 236));
    }

    /// Places of the contacts in the first sweep of a step.
    fn first_order(seed: u64, step: u64, contacts: usize) -> Vec<f64> {
        let mut places: Vec<u32> = (0..contacts as u32).collect();
        shuffle(&mut places, &mut drawn(seed, step));
        let mut rank = vec![0.0; contacts];
        places.iter().enumerate().for_each(|(place, contact)| rank[*contact as usize] = place as f64);
        rank
    }

    /// Correlation of the ranks of two orders (Spearman): zero on average for independent ones, with variance 1/(n -
    /// 1).
    fn correlation(one: &[f64], other: &[f64]) -> f64 {
        let n = one.len() as f64;
        let squares: f64 = one.iter().zip(other).map(|(p, q)| (p - q) * (p - q)).sum();
        1.0 - 6.0 * squares / (n * (n * n - 1.0))
    }

    #[test]
    fn orders_of_neighbouring_steps_and_seeds_are_independent() {
        const CONTACTS: usize = 24;
        const STEPS: u64 = 4000;
        // 2^40 is the distance of seeds or steps that differ in high bits alone
        for (what, lag) in
            [("next step", (0, 1)), ("step after", (0, 2)), ("next seed", (1, 0)), ("far seed", (1 << 40, 0))]
        {
            let pairs = (0..STEPS).map(|step| {
                let other = first_order(7 + lag.0, step + lag.1, CONTACTS);
                correlation(&first_order(7, step, CONTACTS), &other)
            });
            let found: Vec<f64> = pairs.collect();
            let mean = found.iter().sum::<f64>() / STEPS as f64;
            let variance = found.iter().map(|r| r * r).sum::<f64>() / STEPS as f64;
            // four standard deviations: 1/sqrt((n-1) N) of the mean, sqrt(2/N) of the variance
            let expected = 1.0 / (CONTACTS as f64 - 1.0);
            assert!(mean.abs() < 4.0 * (expected / STEPS as f64).sqrt(), "{what}: mean {mean:.2e}");
            let spread = 4.0 * (2.0 / STEPS as f64).sqrt();
            assert!((variance / expected - 1.0).abs() < spread, "{what}: variance {variance:.3e}");
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        // of three contacts, over the steps of one seed: chi^2 with 5 degrees of freedom is below 20.5 but in one of
        // 1000 cases
        let mut count = std::collections::BTreeMap::new();
        const STEPS: u64 = 6000;
        for step in 0..STEPS {
            let mut places = [0, 1, 2];
            shuffle(&mut places, &mut drawn(0, step));
            *count.entry(places).or_insert(0.0) += 1.0;
        }
        let expected = STEPS as f64 / 6.0;
        let chi2: f64 = count.values().map(|found: &f64| (found - expected).powi(2) / expected).sum();
        assert!(count.len() == 6 && chi2 < 20.5, "{count:?}, chi^2 = {chi2:.1}");
    }
}
