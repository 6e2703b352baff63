//! The order of a sweep: by colours. Contacts of one colour share no movable body.
//!
//! The order is fixed and follows from the contacts alone, so that every run takes it alike. Within a colour no
//! contact waits for another's result: four of them are solved at once.

/// Colours that the mask of a body can hold. Contacts of a body with more neighbours come last, one at a time.
const COLOURS: usize = 64;

/// Contacts in the order of their colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coloured {
    /// Contacts, colour after colour; those beyond the last colour stand at the end.
    pub contacts: Vec<u32>,
    /// Where each colour ends.
    pub ends: Vec<usize>,
}

impl Coloured {
    /// The colours, one after the other.
    pub fn colours(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.contacts[start..*end])
    }

    /// Contacts that have no colour.
    pub fn overflow(&self) -> &[u32] {
        &self.contacts[self.ends.last().copied().unwrap_or(0)..]
    }
}

/// Colours contacts greedily, given the bodies of each and which bodies can move.
pub fn colour(pairs: &[[u32; 2]], movable: impl Fn(u32) -> bool, bodies: usize) -> Coloured {
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
}
