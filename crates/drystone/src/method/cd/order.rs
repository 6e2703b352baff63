//! The order of a sweep: by colours. Contacts of one colour share no movable body.
//!
//! The order is fixed and follows from the contacts alone, so that every run takes it alike. Within a colour no
//! contact waits for another's result, which keeps the processor busy, and will let threads and lanes share a colour.

/// Contacts beyond the last colour of one body's mask: those of a body with very many neighbours come last, in turn.
const COLOURS: usize = 64;

/// An order of contacts, given the bodies of each and which bodies can move.
pub fn by_colour(pairs: &[(u32, u32)], movable: impl Fn(u32) -> bool, bodies: usize) -> Vec<u32> {
    let mut used = vec![0u64; bodies];
    let mut count = [0u32; COLOURS + 1];
    let colours: Vec<u8> = pairs
        .iter()
        .map(|&(a, b)| {
            let taken = |body: u32| if movable(body) { used[body as usize] } else { 0 };
            let colour = (!(taken(a) | taken(b))).trailing_zeros() as usize;
            if colour < COLOURS {
                used[a as usize] |= 1 << colour;
                used[b as usize] |= 1 << colour;
            }
            count[colour] += 1;
            colour as u8
        })
        .collect();
    let mut next = [0u32; COLOURS + 1];
    for colour in 1..=COLOURS {
        next[colour] = next[colour - 1] + count[colour - 1];
    }
    let mut order = vec![0; pairs.len()];
    for (contact, colour) in colours.iter().enumerate() {
        let place = &mut next[*colour as usize];
        order[*place as usize] = contact as u32;
        *place += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_the_order_share_no_movable_body_within_a_colour() {
        // a closed ring of 100 bodies, all of which touch the immovable body 0
        let mut pairs: Vec<(u32, u32)> = (1..=100).map(|k| (0, k)).collect();
        pairs.extend((1..100).map(|k| (k, k + 1)));
        pairs.push((1, 100));
        let order = by_colour(&pairs, |body| body != 0, 101);
        let mut seen = order.clone();
        seen.sort_unstable();
        assert_eq!(seen, (0..200).collect::<Vec<u32>>(), "every contact once");
        // colours of a ring with a hub that cannot move: the hub's contacts, then even, odd (and the closing one)
        assert_eq!(&order[..100], (0..100).collect::<Vec<u32>>());
        let bodies: Vec<u32> =
            order[100..150].iter().flat_map(|k| [pairs[*k as usize].0, pairs[*k as usize].1]).collect();
        let mut distinct = bodies.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), bodies.len());
    }

    #[test]
    fn a_body_with_too_many_neighbours_still_gets_all_its_contacts_in() {
        let pairs: Vec<(u32, u32)> = (1..=300).map(|k| (0, k)).collect();
        let mut order = by_colour(&pairs, |_| true, 301);
        order.sort_unstable();
        assert_eq!(order, (0..300).collect::<Vec<u32>>());
    }
}
