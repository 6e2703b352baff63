//! Grains and the contacts that carry a force, as a graph: coordination and rattlers.

use super::frame::FrameView;
use crate::dim::Dim;
use crate::world::World;

/// Contacts that hold a grain with friction: one cannot, two can.
pub(crate) const HELD_WITH_FRICTION: u64 = 2;

/// Two nodes that a force-carrying contact joins.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// None if it is a wall.
    a: Option<usize>,
    b: usize,
}

/// The force-carrying contacts of a world or a frame.
#[derive(Clone, Debug)]
pub(crate) struct ContactGraph {
    edges: Vec<Edge>,
    /// Whether a node is a grain that can move. Walls, pistons and fixed grains hold others and are no rattlers.
    is_free: Vec<bool>,
}

/// How some grains are joined to others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeanDegree {
    /// Mean number of contacts of these grains; zero without grains.
    pub contacts: f64,
    /// Number of these grains.
    pub grains: usize,
}

impl MeanDegree {
    fn of(degrees: impl Iterator<Item = u64>) -> MeanDegree {
        let (sum, grains) = degrees.fold((0, 0), |(sum, count), degree| (sum + degree, count + 1));
        MeanDegree { contacts: if grains == 0 { 0.0 } else { sum as f64 / grains as f64 }, grains }
    }
}

impl ContactGraph {
    /// The contacts of the last step of a world; nodes are its bodies.
    pub(crate) fn of_world<D: Dim>(world: &World<D>) -> ContactGraph {
        let keys = world.network().closed().map(|(contact, _)| contact.key);
        let edges = keys.map(|key| Edge { a: Some(key.a as usize), b: key.b as usize }).collect();
        // a piston is guided: a single contact can hold it
        let mut is_free = vec![false; world.bodies.len()];
        world.free_grains().for_each(|k| is_free[k] = true);
        ContactGraph { edges, is_free }
    }

    /// The contacts of a frame; nodes are its grains.
    pub(crate) fn of_frame(view: &FrameView) -> ContactGraph {
        let regime = &view.frame.contacts.regime;
        let forces = view.contact_forces().into_iter().filter(|force| regime[force.contact] != 0);
        let edges = forces.map(|force| Edge { a: force.a, b: force.b }).collect();
        ContactGraph { edges, is_free: (0..view.frame.grains.id.len()).map(|k| view.is_free(k)).collect() }
    }

    /// Takes away the contacts of all nodes but these.
    pub(crate) fn keep_only(&mut self, is_kept: &[bool]) {
        self.edges.retain(|edge| is_kept[edge.b] && edge.a.is_none_or(|a| is_kept[a]));
    }

    /// Coordination of some grains, rattlers among them.
    pub(crate) fn coordination(&self, grains: &[usize]) -> MeanDegree {
        let degrees = degrees(&self.edges, self.is_free.len());
        MeanDegree::of(grains.iter().map(|k| degrees[*k]))
    }

    /// Coordination of those of some grains that are no rattlers.
    pub(crate) fn coordination_without_rattlers(&self, grains: &[usize], least: u64) -> MeanDegree {
        let degrees = self.degrees_without_rattlers(least);
        MeanDegree::of(grains.iter().map(|k| degrees[*k]).filter(|degree| *degree >= least))
    }

    /// Number of contacts of every node once rattlers are gone: grains with fewer than `least` contacts are taken
    /// away with their contacts, again and again, until every grain that is left has as many.
    pub(crate) fn degrees_without_rattlers(&self, least: u64) -> Vec<u64> {
        let (mut edges, mut degrees) = (self.edges.clone(), degrees(&self.edges, self.is_free.len()));
        let is_loose = |degrees: &[u64], k: usize| self.is_free[k] && degrees[k] < least;
        loop {
            // an edge that goes may loosen a grain whose other edges were kept before: these are looked at once more
            let before = edges.len();
            edges.retain(|Edge { a, b }| {
                let goes = is_loose(&degrees, *b) || a.is_some_and(|a| is_loose(&degrees, a));
                if goes {
                    degrees[*b] -= 1;
                    a.iter().for_each(|a| degrees[*a] -= 1);
                }
                !goes
            });
            if edges.len() == before {
                return degrees;
            }
        }
    }
}

/// Number of contacts of every node.
fn degrees(edges: &[Edge], nodes: usize) -> Vec<u64> {
    let mut degrees = vec![0; nodes];
    for Edge { a, b } in edges {
        degrees[*b] += 1;
        a.iter().for_each(|a| degrees[*a] += 1);
    }
    degrees
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAINS: [usize; 6] = [0, 1, 2, 3, 4, 5];

    /// Four grains in a ring; grain 4 hangs on it; 5 lies on a wall, alone.
    fn ring() -> ContactGraph {
        let mut edges: Vec<Edge> = (0..4).map(|k| Edge { a: Some(k), b: (k + 1) % 4 }).collect();
        edges.extend([Edge { a: Some(0), b: 4 }, Edge { a: None, b: 5 }]);
        ContactGraph { edges, is_free: vec![true; 6] }
    }

    #[test]
    fn what_hangs_on_one_contact_is_a_rattler() {
        assert_eq!(ring().coordination(&GRAINS), MeanDegree { contacts: 11.0 / 6.0, grains: 6 });
        assert_eq!(ring().coordination_without_rattlers(&GRAINS, 2), MeanDegree { contacts: 2.0, grains: 4 });
        assert_eq!(ring().coordination_without_rattlers(&GRAINS, 3), MeanDegree { contacts: 0.0, grains: 0 });
    }

    #[test]
    fn a_fixed_grain_holds_others_and_a_grain_that_is_gone_does_not() {
        let mut graph = ring();
        graph.is_free[4] = false;
        let rest = [0, 1, 2, 3, 5];
        assert_eq!(graph.coordination_without_rattlers(&rest, 2), MeanDegree { contacts: 9.0 / 4.0, grains: 4 });
        graph.keep_only(&[true, true, false, true, true, true]);
        assert_eq!(graph.degrees_without_rattlers(2), [0; 6], "the ring is open and falls apart");
    }
}
