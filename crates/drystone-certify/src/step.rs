//! A frame prepared for the checks: which bodies meet, where everything was when contacts were found, and how fast it
//! moves.

use std::collections::HashMap;

use super::clumps::{self, Piece};
use super::judge::{Check, Judge};
use super::lattice::Lattice;
use super::pair::Law;
use super::scene::{Face, Scene};
use super::solids::{self, Found, Quaternion, moments};
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use super::stones::gyration;
use super::terms::VELOCITY;
use super::thin::Thin;
use drystone_files::record::frame::Frame;

/// A body: a grain by its index in the columns, or a wall by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Body {
    /// A wall.
    Wall(usize),
    /// A grain.
    Grain(usize),
}

/// Two bodies that meet: two grains, or a wall and a grain. Normals point from a to b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BodyPair {
    /// The first body; a wall, if there is one.
    pub a: Body,
    /// The second body, always a grain.
    pub b: Body,
}

impl BodyPair {
    /// The same two bodies, the smaller one first.
    pub(crate) fn in_order(self) -> BodyPair {
        BodyPair { a: self.a.min(self.b), b: self.a.max(self.b) }
    }
}

/// The two ends of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Its start.
    Start,
    /// Its end.
    End,
}

/// A frame and what follows from it.
pub(crate) struct Step<'r> {
    /// The frame.
    pub frame: &'r Frame,
    /// The scenario.
    pub scene: &'r Scene,
    /// Positions of the grains when the contacts of the step were found [m].
    pub found: Vec<Vec3>,
    /// The periodic cell when the contacts of the step were found, and at its end.
    lattice: Option<[Lattice; 2]>,
    /// The two bodies of every contact; `None` if the contact names a body that is not there.
    pub bodies: Vec<Option<BodyPair>>,
    /// Moment of inertia over the mass of every grain [m2]; zero for polyhedra, whose moments differ, infinite for a
    /// grain that does not turn.
    gyration: Vec<f64>,
    /// How a polyhedron turns; `None` for other grains.
    tumbling: Vec<Option<Tumbling>>,
}

/// How a polyhedron turned when contacts were found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tumbling {
    /// Principal moments over the mass [m2].
    pub moments: Vec3,
    /// Orientation.
    pub rot: Quaternion,
    /// Angular velocity after the contacts acted [rad/s]; a free body changes it as it turns on.
    pub spin: Vec3,
}

impl<'r> Step<'r> {
    /// Prepares a frame. A contact of bodies that are not there fails its check.
    pub(crate) fn new(frame: &'r Frame, scene: &'r Scene, judge: &mut Judge) -> Step<'r> {
        let ids: HashMap<i64, usize> = frame.grains.id.iter().zip(0..).map(|(id, k)| (i64::from(*id), k)).collect();
        let walls = scene.walls.len();
        let body = |name: i32| match usize::try_from(-1 - i64::from(name)) {
            Ok(wall) => (wall < walls).then_some(Body::Wall(wall)),
            Err(_) => ids.get(&i64::from(name)).map(|k| Body::Grain(*k)),
        };
        let (a, b) = (&frame.contacts.a, &frame.contacts.b);
        let bodies: Vec<_> = (0..a.len())
            .map(|k| match (body(a[k]), body(b[k])) {
                (Some(one), Some(other @ Body::Grain(_))) if one != other => Some(BodyPair { a: one, b: other }),
                _ => None,
            })
            .collect();
        for (k, pair) in bodies.iter().enumerate() {
            judge.require(Check::Geometry, pair.is_some(), || {
                format!("contact {k} between {} and {}, which are not two bodies of the run", a[k], b[k])
            });
        }
        let (back, grains) = (back(frame, scene), &frame.grains);
        let found = grains.position.iter().zip(&grains.velocity).map(|(x, v)| sub(*x, scale(*v, back))).collect();
        let ratio = if frame.dimension == 2 { 0.5 } else { 0.4 };
        let round = |k: usize| ratio * grains.radius[k] * grains.radius[k];
        let is_block = |k: usize| grains.turns.get(k) == Some(&0);
        let is_flat = frame.dimension == 2;
        let balls = |number: usize| grains.radii.get(number).filter(|radii| !radii.is_empty());
        let of_outline = |(number, corners): (usize, &Vec<Vec3>)| match balls(number) {
            _ if !is_flat => 0.0,
            Some(radii) => clumps::moments(corners, radii, 2)[0],
            None => gyration(corners),
        };
        let of_outlines: Vec<f64> = grains.outlines.iter().enumerate().map(of_outline).collect();
        let of_solid = |(number, (corners, faces)): (usize, (&Vec<Vec3>, &Vec<Vec<u32>>))| match balls(number) {
            Some(radii) => clumps::moments(corners, radii, 3),
            None => moments(corners, faces),
        };
        let of_solids: Vec<Vec3> = grains.outlines.iter().zip(&grains.faces).enumerate().map(of_solid).collect();
        let tumble = |k: usize| {
            let number = usize::try_from(*grains.outline.get(k)?).ok().filter(|_| !is_block(k))?;
            let (moments, w) = (*of_solids.get(number)?, grains.angular_velocity[k]);
            let (rot, spin) = solids::earlier(grains.orientation[k], moments, w, back);
            Some(Tumbling { moments, rot, spin })
        };
        let tumbling = (0..grains.id.len()).map(tumble).collect();
        let turning = |k: usize| match grains.outline.get(k).and_then(|number| usize::try_from(*number).ok()) {
            _ if is_block(k) => f64::INFINITY,
            Some(number) => of_outlines[number],
            None => round(k),
        };
        let gyration = (0..grains.id.len()).map(turning).collect();
        let lattice = Lattice::of(frame, back).zip(Lattice::of(frame, 0.0)).map(|(found, end)| [found, end]);
        Step { frame, scene, found, lattice, bodies, gyration, tumbling }
    }

    /// How many cells away from b the image of b is that is nearest to a.
    fn image(&self, a: usize, b: usize) -> Option<(&[Lattice; 2], [f64; 3])> {
        let lattice = self.lattice.as_ref()?;
        Some((lattice, lattice[0].nearest(sub(self.found[b], self.found[a]))))
    }

    /// From grain a to the image of grain b that is nearest, where contacts were found and at the end [m].
    pub(crate) fn apart(&self, a: usize, b: usize) -> [Vec3; 2] {
        let position = &self.frame.grains.position;
        let own = [sub(self.found[b], self.found[a]), sub(position[b], position[a])];
        match self.image(a, b) {
            Some((lattice, image)) => std::array::from_fn(|k| add(own[k], lattice[k].shift(image))),
            None => own,
        }
    }

    /// Whether the image of b that is nearest to a is not b itself.
    pub(crate) fn is_across(&self, bodies: BodyPair) -> bool {
        let BodyPair { a: Body::Grain(a), b: Body::Grain(b) } = bodies else { return false };
        self.image(a, b).is_some_and(|(_, image)| image != [0.0; 3])
    }

    /// Whether a contact was found where the motion of the step leads, and not at its start.
    pub(crate) fn is_ahead(&self, contact: usize) -> bool {
        self.frame.contacts.ahead.get(contact) == Some(&1)
    }

    /// How much faster than b itself the image of b moves that is nearest to a [m/s].
    fn jump(&self, bodies: BodyPair) -> Vec3 {
        let BodyPair { a: Body::Grain(a), b: Body::Grain(b) } = bodies else { return [0.0; 3] };
        self.image(a, b).map_or([0.0; 3], |(lattice, image)| lattice[0].jump(image))
    }

    /// Whether laws of contacts depend on the motion of a changing cell at the start of the step, or on the compliance
    /// of the cell at contacts of stones.
    pub(crate) fn cell_was_otherwise(&self) -> bool {
        let changes = self.scene.cell.as_ref().is_some_and(|cell| !cell.is_stiff);
        let bounces = |law: &Law| [0.0, 1.0].iter().any(|speed| law.restitution(*speed) != [0.0; 2]);
        changes && (self.scene.laws().any(bounces) || !self.frame.grains.outlines.is_empty())
    }

    /// Velocity of the image of b that is nearest to a along each axis under a unit impulse, due to the
    /// stress-controlled parts of the cell [1/kg].
    pub(crate) fn yielding(&self, bodies: BodyPair) -> Vec3 {
        let BodyPair { a: Body::Grain(a), b: Body::Grain(b) } = bodies else { return [0.0; 3] };
        let Some(cell) = &self.frame.cell else { return [0.0; 3] };
        self.image(a, b).map_or([0.0; 3], |(lattice, image)| lattice[0].yielding(cell, image))
    }

    /// The periodic cell when contacts were found.
    pub(crate) fn lattice_found(&self) -> Option<&Lattice> {
        self.lattice.as_ref().map(|lattice| &lattice[0])
    }

    /// Displacement and relative velocity of the image of a grain that lies in the cell at the end of the step.
    pub(crate) fn home(&self, grain: usize) -> (Vec3, Vec3) {
        self.lattice.as_ref().map_or(([0.0; 3], [0.0; 3]), |[_, end]| {
            let image = end.home(self.frame.grains.position[grain]);
            (end.shift(image), end.jump(image))
        })
    }

    /// What a body is called in messages.
    pub(crate) fn name(&self, body: Body) -> String {
        match body {
            Body::Wall(k) => format!("wall `{}`", self.scene.walls[k].name),
            Body::Grain(k) => format!("grain {}", self.frame.grains.id[k]),
        }
    }

    /// What a contact is called in messages.
    pub(crate) fn contact(&self, BodyPair { a, b }: BodyPair) -> String {
        format!("contact of {} and {}", self.name(a), self.name(b))
    }

    /// Radius; zero for a wall, which does not turn.
    pub(crate) fn radius(&self, body: Body) -> f64 {
        match body {
            Body::Wall(_) => 0.0,
            Body::Grain(k) => self.frame.grains.radius[k],
        }
    }

    /// Radius at the end of the step; zero for a wall.
    pub(crate) fn radius_at_end(&self, body: Body) -> f64 {
        self.radius(body) * (1.0 + self.growth(body) * back(self.frame, self.scene))
    }

    /// Relative growth rate of the radius of a body [1/s].
    pub(crate) fn growth(&self, body: Body) -> f64 {
        match body {
            Body::Grain(_) if self.is_movable(body) => self.scene.growth,
            _ => 0.0,
        }
    }

    /// One over the mass; zero for what contacts cannot move.
    pub(crate) fn inverse_mass(&self, body: Body) -> f64 {
        match body {
            Body::Wall(k) => 1.0 / self.frame.wall_states.mass[k],
            Body::Grain(k) => 1.0 / self.frame.grains.mass[k],
        }
    }

    /// 1/m + l^2/I against a tangential impulse at the end of this arm; zero for a piston, which its guide holds.
    pub(crate) fn inverse_mass_t(&self, body: Body, arm: Vec3) -> f64 {
        match body {
            Body::Wall(_) => 0.0,
            Body::Grain(k) => self.inverse_mass(body) * (1.0 + dot(arm, arm) / self.gyration[k]),
        }
    }

    /// One over the moment of inertia; zero for what contacts cannot turn.
    pub(crate) fn inverse_moment(&self, body: Body) -> f64 {
        match body {
            Body::Wall(_) => 0.0,
            Body::Grain(k) => self.inverse_mass(body) / self.gyration[k],
        }
    }

    /// Whether contacts can move a body: grains that are not held in place, and pistons.
    pub(crate) fn is_movable(&self, body: Body) -> bool {
        self.inverse_mass(body) > 0.0
    }

    /// The law between two bodies, if it is supported.
    pub(crate) fn law(&self, BodyPair { a, b }: BodyPair) -> Option<&'r Law> {
        self.scene.law(self.material(a), self.material(b))
    }

    /// Number of the material.
    pub(crate) fn material(&self, body: Body) -> usize {
        match body {
            Body::Wall(k) => self.scene.walls[k].material,
            Body::Grain(k) => self.frame.grains.material[k] as usize,
        }
    }

    /// Moment of inertia of a grain over its mass [m2]: r^2/2 for a disk, 2 r^2/5 for a sphere; zero for a polyhedron,
    /// infinite if it does not turn.
    pub(crate) fn gyration(&self, grain: usize) -> f64 {
        self.gyration[grain]
    }

    /// How a grain turned when contacts were found, if it is a polyhedron.
    pub(crate) fn tumbling(&self, grain: usize) -> Option<&Tumbling> {
        self.tumbling[grain].as_ref()
    }

    /// Angular velocity that an impulse of a torque gives to a body; none to what contacts cannot turn.
    pub(crate) fn spin_by(&self, body: Body, torque: Vec3) -> Vec3 {
        match body {
            Body::Grain(k) => match &self.tumbling[k] {
                Some(Tumbling { moments, rot, .. }) => {
                    scale(solids::spin(*rot, *moments, torque), self.inverse_mass(body))
                }
                None => scale(torque, self.inverse_moment(body)),
            },
            Body::Wall(_) => [0.0; 3],
        }
    }

    /// A polyhedron where it was when contacts were found.
    pub(crate) fn solid_found(&self, body: Body) -> Option<Found<'_>> {
        let Body::Grain(k) = body else { return None };
        let rot = self.tumbling[k].as_ref()?.rot;
        let place = |corner: &Vec3| add(self.found[k], solids::turned(rot, *corner));
        let grains = &self.frame.grains;
        Some(Found { corners: grains.corners(k)?.iter().map(place).collect(), faces: grains.faces(k)? })
    }

    /// Whether a body is not one ball: forces act at arms that the frame stores.
    pub(crate) fn is_stone(&self, body: Body) -> bool {
        matches!(body, Body::Grain(k) if self.frame.grains.outline.get(k).is_some_and(|number| *number >= 0))
    }

    /// Whether a body is a clump or capsule.
    pub(crate) fn is_clump(&self, body: Body) -> bool {
        matches!(body, Body::Grain(k) if self.frame.grains.balls(k).is_some())
    }

    /// Balls of a grain, or its segment, where they were when contacts were found; `None` for a stone.
    pub(crate) fn pieces_found(&self, grain: usize) -> Option<Vec<Piece>> {
        let grains = &self.frame.grains;
        let Some((centres, radii)) = grains.balls(grain) else {
            let piece = Piece { ends: [self.found[grain]; 2], radius: grains.radius[grain] };
            return (!self.is_stone(Body::Grain(grain))).then(|| vec![piece]);
        };
        let at: Vec<Vec3> = centres.iter().map(|x| add(self.found[grain], self.turned_back(grain, *x))).collect();
        Some(match radii.len() == at.len() {
            true => at.iter().zip(radii).map(|(x, r)| Piece { ends: [*x; 2], radius: *r }).collect(),
            false => vec![Piece { ends: [at[0], at[1]], radius: radii[0] }],
        })
    }

    /// A position in the frame of a grain, turned into the orientation that the grain had when contacts were sensed.
    fn turned_back(&self, grain: usize, place: Vec3) -> Vec3 {
        let grains = &self.frame.grains;
        if let Some(tumbling) = &self.tumbling[grain] {
            return solids::turned(tumbling.rot, place);
        }
        if self.frame.dimension == 3 {
            return solids::turned(grains.orientation[grain], place); // one that does not turn
        }
        let [_, _, z, w] = grains.orientation[grain];
        let angle = 2.0 * z.atan2(w) - grains.angular_velocity[grain][2] * back(self.frame, self.scene);
        let (sin, cos) = angle.sin_cos();
        [cos * place[0] - sin * place[1], sin * place[0] + cos * place[1], 0.0]
    }

    /// Whether a pair has a stone or clump.
    pub(crate) fn has_stone(&self, BodyPair { a, b }: BodyPair) -> bool {
        self.is_stone(a) || self.is_stone(b)
    }

    /// Corners of a stone where they were when contacts were found [m].
    pub(crate) fn outline_found(&self, body: Body) -> Option<Vec<Vec3>> {
        if let Some(solid) = self.solid_found(body) {
            return Some(solid.corners);
        }
        let Body::Grain(k) = body else { return None };
        let corners = self.frame.grains.corners(k)?;
        Some(corners.iter().map(|corner| add(self.found[k], self.turned_back(k, *corner))).collect())
    }

    /// Arms of a contact of the frame, or of a pair of round bodies that it does not list: those of two grains end in
    /// the middle of their gap, that of a grain at a wall on its own surface; a wall that spins has the lever of its
    /// face.
    pub(crate) fn arms(&self, listed: Option<usize>, bodies: BodyPair, normal: Vec3) -> [Vec3; 2] {
        match listed {
            Some(k) if self.has_stone(bodies) || self.tells_arm(bodies.a) => {
                [self.frame.contacts.arm_a[k], self.frame.contacts.arm_b[k]]
            }
            _ => {
                let half = 0.5 * self.gap_found(bodies);
                [scale(normal, self.lever(bodies.a) + half), scale(normal, -self.radius(bodies.b) - half)]
            }
        }
    }

    /// Gap of two round grains where contacts were found [m]; zero at walls.
    fn gap_found(&self, bodies: BodyPair) -> f64 {
        let BodyPair { a: Body::Grain(a), b: Body::Grain(b) } = bodies else { return 0.0 };
        norm(self.apart(a, b)[0]) - (self.radius(bodies.a) + self.radius(bodies.b))
    }

    /// Rounding of the arms of a contact, where they follow from positions [m].
    pub(crate) fn arm_rounding(&self, bodies: BodyPair) -> f64 {
        match bodies.a {
            Body::Grain(_) if !self.has_stone(bodies) => self.place_rounding(bodies),
            _ => 0.0,
        }
    }

    /// Whether a wall spins whose contacts may lie anywhere about its axis: the frame stores where.
    fn tells_arm(&self, body: Body) -> bool {
        let Body::Wall(k) = body else { return false };
        self.scene.walls[k].is_aside && self.frame.wall_states.angular_velocity[k] != [0.0; 3]
    }

    /// From the point about which a body turns to its surface, along the normal.
    fn lever(&self, body: Body) -> f64 {
        match body {
            Body::Wall(k) => self.scene.walls[k].faces.iter().flatten().map(Face::lever).sum(),
            Body::Grain(k) => self.frame.grains.radius[k],
        }
    }

    /// Unit vector along which a rough piston is guided, if it is touched at a bump in another direction: normal and
    /// tangent are coupled there.
    pub(crate) fn guide(&self, body: Body, normal: Vec3) -> Option<Vec3> {
        let Body::Wall(k) = body else { return None };
        let bumps = self.scene.walls[k].bumps().filter(|bumps| self.is_movable(body) && bumps.normal != normal);
        bumps.map(|bumps| bumps.normal)
    }

    /// Where a wall had moved to when contacts were found [m].
    pub(crate) fn wall_found(&self, wall: usize) -> Vec3 {
        let states = &self.frame.wall_states;
        sub(states.displacement[wall], scale(states.velocity[wall], back(self.frame, self.scene)))
    }

    /// The face of a wall, or the bump, whose normal below a grain is nearest to this one; zero for a grain.
    pub(crate) fn face(&self, bodies: BodyPair, normal: Vec3) -> usize {
        let BodyPair { a: Body::Wall(wall), b: Body::Grain(grain) } = bodies else { return 0 };
        let at = sub(self.found[grain], self.wall_found(wall));
        if let Some(bumps) = self.scene.walls[wall].bumps() {
            return bumps.touched(at, normal, 2.0 * self.radius(bodies.b)).number;
        }
        let faces = self.scene.walls[wall].faces.as_deref().unwrap_or_default();
        let towards = |face: usize| dot(faces[face].below(at).0, normal);
        (0..faces.len()).max_by(|p, q| towards(*p).total_cmp(&towards(*q))).unwrap_or(0)
    }

    /// Velocity and angular velocity of a body at an end of the step.
    pub(crate) fn twist(&self, body: Body, when: When) -> (Vec3, Vec3) {
        let (grains, walls) = (&self.frame.grains, &self.frame.wall_states);
        match (body, when) {
            (Body::Wall(k), When::Start) => (walls.previous_velocity[k], walls.angular_velocity[k]),
            (Body::Wall(k), When::End) => (walls.velocity[k], walls.angular_velocity[k]),
            (Body::Grain(k), When::Start) => (grains.previous_velocity[k], grains.previous_angular_velocity[k]),
            (Body::Grain(k), When::End) => {
                let turned = self.tumbling[k].as_ref().map(|tumbling| tumbling.spin);
                (grains.velocity[k], turned.unwrap_or(grains.angular_velocity[k]))
            }
        }
    }

    /// Velocity of b relative to a where they touch, and the sum of the speeds of which it is the difference, which
    /// includes the errors of the arms.
    pub(crate) fn relative_velocity(&self, bodies: BodyPair, arms: [Vec3; 2], when: When) -> (Vec3, f64) {
        let off = self.arm_rounding(bodies) / VELOCITY;
        let surface = |body: Body, arm: Vec3| {
            let ((v, w), growth) = (self.twist(body, when), self.growth(body) * self.radius(body));
            let swelling = if growth == 0.0 { [0.0; 3] } else { scale(arm, growth / norm(arm)) };
            (add(add(v, cross(w, arm)), swelling), norm(v) + norm(w) * (norm(arm) + off) + growth)
        };
        let (of_a, size_a) = surface(bodies.a, arms[0]);
        let (of_b, size_b) = surface(bodies.b, arms[1]);
        let jump = self.jump(bodies);
        (add(sub(of_b, of_a), jump), size_a + size_b + norm(jump))
    }

    /// Rounding of a distance between two bodies where contacts were sensed: the positions at the end were rounded, and
    /// so is the way back.
    pub(crate) fn place_rounding(&self, bodies: BodyPair) -> f64 {
        let of = |body: Body| match body {
            Body::Wall(k) => {
                let faces = self.scene.walls[k].faces.iter().flatten();
                let thin = self.scene.walls[k].thin.iter().map(Thin::extent);
                let far = faces.map(Face::extent).chain(thin).fold(0.0, f64::max);
                let states = &self.frame.wall_states;
                far + norm(states.displacement[k]) + norm(states.velocity[k]) * self.frame.time_step
            }
            Body::Grain(k) => {
                let grains = &self.frame.grains;
                norm(grains.position[k]) + norm(grains.velocity[k]) * self.frame.time_step + grains.radius[k]
            }
        };
        let far = match bodies {
            BodyPair { a: Body::Grain(a), b: Body::Grain(b) } => {
                self.image(a, b).map_or(0.0, |(lattice, image)| norm(lattice[0].shift(image)))
            }
            _ => 0.0,
        };
        4.0 * f64::EPSILON * (of(bodies.a) + of(bodies.b) + far)
    }
}

/// Time since contacts were found [s]; the frame of the start has no step before it.
pub(crate) fn back(frame: &Frame, scene: &Scene) -> f64 {
    if frame.step == 0 { 0.0 } else { scene.scheme.behind() * frame.time_step }
}
