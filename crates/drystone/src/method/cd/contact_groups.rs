//! Groups of bodies that contacts join: what happens in one has nothing to do with the others in this step.

/// A forest over bodies: every body points towards the root of its group.
pub(crate) struct ContactGroups {
    parent: Vec<u32>,
}

impl ContactGroups {
    /// Joins the two bodies of every pair. Immovable bodies join nothing and must not occur in the pairs.
    pub(crate) fn of(bodies: usize, pairs: impl Iterator<Item = [u32; 2]>) -> ContactGroups {
        let mut groups = ContactGroups { parent: (0..bodies as u32).collect() };
        for [a, b] in pairs {
            let (a, b) = (groups.root(a), groups.root(b));
            groups.parent[a.max(b) as usize] = a.min(b);
        }
        groups
    }

    /// The body that represents the group of a body.
    pub(crate) fn root(&mut self, mut body: u32) -> u32 {
        while self.parent[body as usize] != body {
            let above = self.parent[self.parent[body as usize] as usize];
            self.parent[body as usize] = above; // halves the way for those who come later
            body = above;
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_in_a_chain_are_one_group() {
        let pairs = [[3, 4], [1, 2], [4, 5], [2, 0]];
        let mut groups = ContactGroups::of(7, pairs.into_iter());
        assert_eq!((0..7).map(|body| groups.root(body)).collect::<Vec<_>>(), [0, 0, 0, 3, 3, 3, 6]);
    }
}
