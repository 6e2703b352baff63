//! A tree of boxes around triangles: finds those near a point without checking the others.

use glam::DVec3;

/// Triangles in a leaf: a few distances cost less than another box.
const LEAF: usize = 4;

/// A tree of boxes around numbered things.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// Where the things of the node start in the order.
    start: u32,
    /// Number of things in a leaf; zero in a branch, whose first half is the next node.
    count: u32,
    /// The second half of a branch.
    other: u32,
}

impl Node {
    /// Squared distance of a point from the box [m2].
    fn distance_squared(&self, x: DVec3) -> f64 {
        (x - x.clamp(self.low, self.high)).length_squared()
    }
}

impl Tree {
    /// The tree of things with these boxes, each from its lowest to its highest corner.
    pub(crate) fn new(boxes: &[[DVec3; 2]]) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), order: (0..boxes.len() as u32).collect() };
        if !boxes.is_empty() {
            tree.grow(boxes, 0, boxes.len());
        }
        tree
    }

    /// The half of the things with the smaller centres along the longest side becomes one branch, the rest the other.
    fn grow(&mut self, boxes: &[[DVec3; 2]], start: usize, end: usize) {
        let things = &mut self.order[start..end];
        let around = |low: DVec3, high: DVec3, [l, h]: [DVec3; 2]| (low.min(l), high.max(h));
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = things.iter().fold(none, |(low, high), k| around(low, high, boxes[*k as usize]));
        let node = self.nodes.len();
        let is_leaf = end - start <= LEAF;
        let count = if is_leaf { (end - start) as u32 } else { 0 };
        self.nodes.push(Node { low, high, start: start as u32, count, other: 0 });
        if is_leaf {
            return;
        }
        let size = high - low;
        let axis = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
        let centre = |k: &u32| boxes[*k as usize][0][axis] + boxes[*k as usize][1][axis];
        let half = (end - start) / 2;
        things.select_nth_unstable_by(half, |p, q| centre(p).total_cmp(&centre(q)).then(p.cmp(q)));
        self.grow(boxes, start, start + half);
        self.nodes[node].other = self.nodes.len() as u32;
        self.grow(boxes, start + half, end);
    }

    /// Calls `visit` for all things whose boxes are closer to a point than `reach`.
    pub(crate) fn within(&self, x: DVec3, reach: f64, mut visit: impl FnMut(u32)) {
        let mut waiting = Waiting::of(self);
        while let Some(number) = waiting.next() {
            let node = &self.nodes[number as usize];
            if node.distance_squared(x) >= reach * reach {
                continue;
            }
            if node.count == 0 {
                waiting.add(node.other);
                waiting.add(number + 1);
            }
            self.things(node).iter().for_each(|thing| visit(*thing));
        }
    }

    /// The thing that is nearest to a point, by the squared distance of each.
    pub(crate) fn nearest(&self, x: DVec3, distance_squared: impl Fn(u32) -> f64) -> Option<u32> {
        let mut best = (f64::INFINITY, None);
        let mut waiting = Waiting::of(self);
        while let Some(number) = waiting.next() {
            let node = &self.nodes[number as usize];
            if node.distance_squared(x) >= best.0 {
                continue;
            }
            if node.count == 0 {
                let halves = [number + 1, node.other];
                let [near, far] = halves.map(|half| self.nodes[half as usize].distance_squared(x));
                let ordered = if near <= far { [halves[1], halves[0]] } else { halves };
                ordered.into_iter().for_each(|half| waiting.add(half));
            }
            for thing in self.things(node) {
                let square = distance_squared(*thing);
                if square < best.0 {
                    best = (square, Some(*thing));
                }
            }
        }
        best.1
    }

    fn things(&self, leaf: &Node) -> &[u32] {
        &self.order[leaf.start as usize..(leaf.start + leaf.count) as usize]
    }
}

/// Nodes still to be checked, the last one first. Halving 2^32 triangles takes 32 levels, and each leaves one node
/// behind.
struct Waiting {
    nodes: [u32; 40],
    count: usize,
}

impl Waiting {
    fn of(tree: &Tree) -> Waiting {
        Waiting { nodes: [0; 40], count: usize::from(!tree.nodes.is_empty()) }
    }

    fn add(&mut self, node: u32) {
        self.nodes[self.count] = node;
        self.count += 1;
    }

    fn next(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        Some(self.nodes[self.count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_search_over_all_finds() {
        let spread = |k: u32, step: f64| (f64::from(k) * step).fract();
        let centre = |k: u32| DVec3::new(spread(k, 0.618), spread(k, 0.414), spread(k, 0.732));
        let boxes: Vec<[DVec3; 2]> = (0..500).map(|k| [centre(k), centre(k) + DVec3::splat(0.02)]).collect();
        let distance = |k: u32, x: DVec3| {
            let [low, high] = boxes[k as usize];
            (x - x.clamp(low, high)).length_squared()
        };
        let tree = Tree::new(&boxes);
        for x in [DVec3::splat(0.4), DVec3::new(0.9, 0.1, 0.5), DVec3::splat(2.0)] {
            let mut found = Vec::new();
            tree.within(x, 0.2, |k| found.push(k));
            found.sort_unstable();
            found.retain(|k| distance(*k, x) < 0.04);
            let all: Vec<u32> = (0..500).filter(|k| distance(*k, x) < 0.04).collect();
            assert_eq!(found, all);
            let nearest = (0..500).min_by(|p, q| distance(*p, x).total_cmp(&distance(*q, x)));
            let [found, best] = [tree.nearest(x, |k| distance(k, x)), nearest].map(|k| distance(k.unwrap(), x));
            assert_eq!(found, best);
        }
        Tree::new(&[]).within(DVec3::ZERO, 1.0, |_| panic!("an empty tree has nothing"));
    }
}
