//! The order of a sweep: by colours. Contacts of one colour share no movable body.
//!
//! The order is fixed and follows from the contacts alone, so that every run takes it alike. Within a colour no
//! contact waits for another's result: four of them are solved at once.

/// Colours that the mask of a body can hold. Contacts of a body with more neighbours come last, one at a time.
const COLOURS: usize = 64;

/// Contacts by colour, and those beyond the last colour, given the bodies of each and which bodies can move.
pub fn colours(pairs: &[[u32; 2]], movable: impl Fn(u32) -> bool, bodies: usize) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut used = vec![0u64; bodies];
    let (mut colours, mut overflow) = (Vec::<Vec<u32>>::new(), Vec::new());
    for (contact, &[a, b]) in pairs.iter().enumerate() {
        let taken = |body: u32| if movable(body) { used[body as usize] } else { 0 };
        let colour = (!(taken(a) | taken(b))).trailing_zeros() as usize;
        if colour == COLOURS {
            overflow.push(contact as u32);
            continue;
        }
        used[a as usize] |= 1 << colour;
        used[b as usize] |= 1 << colour;
        if colour == colours.len() {
            colours.push(Vec::new());
        }
        colours[colour].push(contact as u32);
    }
    (colours, overflow)
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
        let (colours, overflow) = colours(&pairs, |body| body != 0, 101);
        assert!(overflow.is_empty());
        assert_eq!(colours[0], (0..100).collect::<Vec<u32>>(), "the hub cannot move: its contacts share a colour");
        let mut seen: Vec<u32> = colours.concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..200).collect::<Vec<u32>>(), "every contact once");
        for colour in &colours {
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
        let (colours, overflow) = colours(&pairs, |_| true, 301);
        assert_eq!((colours.len(), overflow.len()), (64, 236));
    }
}
