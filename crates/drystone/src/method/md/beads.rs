//! Balls of clumps in the force loop: each is a round body of its own that moves with its clump.
//!
//! A ball at the arm r has the velocity v + w x r and the spin w of its clump, so that contacts between balls are those
//! of round grains; their force f and torque t act on the clump as f and t + r x f. A capsule touches walls with its
//! two ends, and other grains and the edges and corners of meshes with its whole segment, at the nearest point of it.

use crate::body::{Bodies, Inertia, Pose, Twist};
use crate::contact::ContactKey;
use crate::contact::feature::{self, wall_feature};
use crate::contact::narrow::mesh::MIDDLE;
use crate::contact::narrow::segment::{crossing, foot};
use crate::dim::{Dim, Vector};
use crate::shape::{Round, Shape};
use crate::wall::Surface;
use crate::world::World;

/// The part of a grain that a round body of the force loop represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeadOwner {
    /// A wall, or a whole round grain.
    Whole,
    /// Ball of a clump.
    Ball(u32),
    /// Segment of a capsule: it touches grains, and edges and corners of meshes.
    Segment,
    /// End of a capsule: it touches walls, and the faces of meshes.
    End(u32),
}

/// All balls of a world that has clumps.
#[derive(Clone, Debug, Default)]
pub struct Beads<D: Dim> {
    /// Walls, then balls in the order of their grains.
    pub bodies: Bodies<D>,
    /// The body that each belongs to.
    pub owner: Vec<u32>,
    /// The part of that body that it is.
    pub part: Vec<BeadOwner>,
    /// Arm from the centre of its body, in the frame of the body [m].
    arm: Vec<D::Vec>,
    /// The same in the present orientation of the body [m].
    pub turned: Vec<D::Vec>,
    /// Half of the segment of a capsule, in the frame of its body [m]; zero for balls.
    half: Vec<D::Vec>,
    /// Cores in the present orientation; empty without capsules.
    pub cores: Vec<Core<D>>,
    /// First ball of every body.
    first: Vec<u32>,
}

/// The segment of a capsule: its surface lies one radius away from it. Of length zero for a ball.
#[derive(Clone, Copy, Debug)]
pub struct Core<D: Dim> {
    /// From the middle of the segment to its end [m].
    pub half: D::Vec,
    /// Radius about the segment [m].
    pub radius: f64,
}

impl<D: Dim> Beads<D> {
    /// The balls of a world; `None` if all its grains are round.
    pub fn of(world: &World<D>) -> Option<Beads<D>> {
        let bodies = &world.bodies;
        if !bodies.shape.iter().any(|shape| matches!(shape, Shape::Clump(_))) {
            return None;
        }
        let mut beads = Beads::default();
        let mut has_rods = false;
        for body in 0..bodies.len() {
            beads.first.push(beads.owner.len() as u32);
            let Shape::Clump(clump) = bodies.shape[body] else {
                beads.put(bodies, body, BeadOwner::Whole, D::Vec::ZERO, bodies.shape[body]);
                continue;
            };
            let outline = &bodies.outlines[clump.outline as usize];
            let ball = |k: usize| Shape::Round(Round { radius: outline.radius_at(k) });
            if outline.is_rod() {
                has_rods = true;
                let (from, to) = (outline.corners[0], outline.corners[1]);
                let (arm, half) = ((from + to) * 0.5, (to - from) * 0.5);
                let around = Round { radius: half.norm() + outline.radii[0] };
                beads.put(bodies, body, BeadOwner::Segment, arm, Shape::Round(around));
                beads.half[beads.owner.len() - 1] = half;
            }
            for (k, corner) in outline.corners.iter().enumerate() {
                let part = if outline.is_rod() { BeadOwner::End(k as u32) } else { BeadOwner::Ball(k as u32) };
                beads.put(bodies, body, part, *corner, ball(k));
            }
        }
        if has_rods {
            let thick = |k: usize| match (beads.part[k], bodies.shape[beads.owner[k] as usize]) {
                (BeadOwner::Segment, Shape::Clump(clump)) => bodies.sizes[clump.outline as usize].inner,
                _ => beads.bodies.shape[k].radius(),
            };
            beads.cores = (0..beads.owner.len()).map(|k| Core { half: D::Vec::ZERO, radius: thick(k) }).collect();
        }
        beads.follow(bodies, &bodies.twist);
        Some(beads)
    }

    /// Adds a bead whose centre is `arm` away from that of its body.
    fn put(&mut self, bodies: &Bodies<D>, body: usize, part: BeadOwner, arm: D::Vec, shape: Shape) {
        self.owner.push(body as u32);
        self.part.push(part);
        self.arm.push(arm);
        self.turned.push(arm);
        self.half.push(D::Vec::ZERO);
        let Inertia { inv_m, inv_i } = bodies.inertia[body];
        let id = bodies.id[body];
        self.bodies.push(bodies.pose[body].x, Inertia { inv_m, inv_i }, shape, bodies.material[body], id);
    }

    /// Takes positions from all bodies, and velocities from `seen`.
    pub fn follow(&mut self, bodies: &Bodies<D>, seen: &[Twist<D>]) {
        for k in 0..self.owner.len() {
            let body = self.owner[k] as usize;
            let Pose { x, q } = bodies.pose[body];
            if self.part[k] == BeadOwner::Whole {
                (self.bodies.pose[k], self.bodies.twist[k]) = (Pose { x, q }, seen[body]);
            } else {
                let turn = D::rotation(q);
                let (arm, Twist { v, w }) = (turn(self.arm[k]), seen[body]);
                self.turned[k] = arm;
                self.bodies.pose[k].x = x + arm;
                self.bodies.twist[k] = Twist { v: v + D::swing(w, arm), w };
                if self.part[k] == BeadOwner::Segment {
                    self.cores[k].half = turn(self.half[k]);
                }
            }
            self.bodies.inertia[k] = bodies.inertia[body];
        }
    }

    /// Whether two beads can touch.
    pub fn may_touch(&self, a: u32, b: u32, surfaces: &[Surface<D>]) -> bool {
        let [one, other] = [a, b].map(|k| self.part[k as usize]);
        if let Some(surface) = surfaces.get(a as usize) {
            return other != BeadOwner::Segment || matches!(surface, Surface::Mesh(_));
        }
        let is_end = |part: BeadOwner| matches!(part, BeadOwner::End(_));
        self.owner[a as usize] != self.owner[b as usize] && !is_end(one) && !is_end(other)
    }

    /// Whether a bead can touch a face of a wall.
    pub fn may_meet(&self, bead: usize, surface: &Surface<D>, face: u32) -> bool {
        match (self.part[bead], surface) {
            (BeadOwner::Segment, Surface::Mesh(mesh)) => !mesh.is_plate(face),
            (BeadOwner::End(_), Surface::Mesh(mesh)) => mesh.is_plate(face),
            _ => true,
        }
    }

    /// The key of a contact of balls as a contact of their bodies.
    pub fn outer(&self, key: ContactKey) -> ContactKey {
        let [a, b] = [key.a, key.b].map(|k| self.owner[k as usize]);
        let number = |k: u32| match self.part[k as usize] {
            BeadOwner::Whole | BeadOwner::Segment => 0,
            BeadOwner::Ball(ball) | BeadOwner::End(ball) => ball as usize,
        };
        let keeps_whole_memories = |k: u32| self.part[k as usize] == BeadOwner::Whole;
        let feature = match (
            matches!(self.bodies.shape[key.a as usize], Shape::Wall),
            keeps_whole_memories(key.a),
            keeps_whole_memories(key.b),
        ) {
            (_, true, true) => key.feature,
            (true, ..) if self.part[key.b as usize] == BeadOwner::Segment => wall_feature(MIDDLE as usize, key.feature),
            (true, ..) => wall_feature(number(key.b), key.feature),
            (false, ..) => feature::piece_feature(number(key.a), number(key.b), 0),
        };
        ContactKey { a, b, feature }
    }

    /// The key of a contact of bodies as one of their balls: the inverse of [`Beads::outer`].
    pub fn inner(&self, key: ContactKey) -> ContactKey {
        let ball = |body: u32, number: u32| {
            let first = self.first[body as usize];
            match self.part[first as usize] {
                BeadOwner::Segment | BeadOwner::Whole => first,
                BeadOwner::Ball(_) | BeadOwner::End(_) => first + number,
            }
        };
        let (a, b) = (self.first[key.a as usize], self.first[key.b as usize]);
        let keeps_whole_memories = |k: u32| self.part[k as usize] == BeadOwner::Whole;
        if keeps_whole_memories(a) && keeps_whole_memories(b) {
            return ContactKey { a, b, ..key };
        }
        if matches!(self.bodies.shape[a as usize], Shape::Wall) {
            let (corner, feature) = feature::corner_of(key.feature);
            let b = match self.part[b as usize] {
                BeadOwner::Segment if corner == MIDDLE => b,
                BeadOwner::Segment => b + 1 + corner,
                _ => b + corner,
            };
            return ContactKey { a, b, feature };
        }
        let (one, other) = feature::pieces_of(key.feature);
        ContactKey { a: ball(key.a, one), b: ball(key.b, other), feature: 0 }
    }
}

/// Nearest points of two segments, relative to their middles. A segment is given by its middle and by the vector from
/// there to its end.
pub(crate) fn nearest<D: Dim>([x, y]: [D::Vec; 2], [h, g]: [D::Vec; 2]) -> [D::Vec; 2] {
    let (one, other) = ([x - h, x + h], [y - g, y + g]);
    let mut best = (f64::INFINITY, [x, y]);
    let mut offer = |p: D::Vec, q: D::Vec| {
        let square = (q - p).norm_squared();
        if square < best.0 {
            best = (square, [p, q]);
        }
    };
    let is_point = |half: D::Vec| half == D::Vec::ZERO;
    let over =
        |segment: [D::Vec; 2], half: D::Vec, p: D::Vec| if is_point(half) { segment[0] } else { foot(segment, p).1 };
    one.iter().for_each(|p| offer(*p, over(other, g, *p)));
    other.iter().for_each(|q| offer(over(one, h, *q), *q));
    if D::DIMENSION == 3
        && !is_point(h)
        && !is_point(g)
        && let Some([p, q]) = crossing(one, other)
    {
        offer(p, q);
    }
    [best.1[0] - x, best.1[1] - y]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use glam::{DVec2, DVec3};

    #[test]
    fn nearest_points_of_segments() {
        let crossed = nearest::<D3>([DVec3::ZERO, DVec3::Z], [DVec3::X, DVec3::Y]);
        assert_eq!(crossed, [DVec3::ZERO, DVec3::ZERO]);
        let ball = nearest::<D2>([DVec2::ZERO, DVec2::new(0.5, 2.0)], [DVec2::X, DVec2::ZERO]);
        assert_eq!(ball, [DVec2::new(0.5, 0.0), DVec2::ZERO]);
        let ends = nearest::<D2>([DVec2::ZERO, DVec2::new(5.0, 0.0)], [DVec2::X, DVec2::X]);
        assert_eq!(ends, [DVec2::X, DVec2::NEG_X]);
    }
}
