//! The world: what is. It knows no method (ADR 0005): every method senses the same contacts and moves the same bodies.

mod ahead;
mod growth;
mod images;
mod membranes;

use crate::body::{Bodies, Inertia, Twist};
use crate::cell::{Cell, Motion};
use crate::contact::touch::touch_again;
use crate::contact::{Coincident, Contact, ContactKey, Neighbours, Network, Shelf, spread};
use crate::dim::{D2, Dim, Vector};
use crate::drive::{Drive, Extent, Press, Tilt};
use crate::law::Laws;
use crate::link::Links;
use crate::shape::Shape;
use crate::wall::Surface;
use growth::swelling;
use images::across;

pub use ahead::Ahead;

/// How far the simulation has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time [s].
    pub time: f64,
    /// Number of steps made.
    pub step: u64,
}

/// Energy that left or entered through contacts since the start [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Taken out by contacts.
    pub dissipated: f64,
    /// Put in by moving walls.
    pub wall_work: f64,
    /// Stored in soft contacts now.
    pub elastic: f64,
    /// Taken in by soft contacts along the normal, across it, and by rolling: what of it is not stored is dissipated.
    pub taken: [f64; 3],
}

/// How a wall is called and moved. Its surface and its body stand under the same number in the columns of the world.
#[derive(Clone, Debug)]
pub struct Wall<D: Dim> {
    /// Name that drives refer to.
    pub name: String,
    /// How it is moved.
    pub drive: Drive<D>,
    /// Time at which the drive was set: its signal counts from here [s].
    pub since: f64,
    /// Mass [kg] of a wall that a force can move; only such a wall has one.
    pub mass: Option<f64>,
}

impl<D: Dim> Wall<D> {
    /// Inertia of its body: a wall is a piston, and moves, only while a force or pressure drives it.
    fn inertia(&self) -> Inertia<D> {
        match (&self.drive, self.mass) {
            (Drive::Force(_) | Drive::Pressure(_), Some(mass)) => Inertia::unturnable(mass),
            _ => Inertia::IMMOVABLE,
        }
    }
}

/// How a wall was pushed in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushed {
    /// Mass [kg]; infinite for a wall that nothing moves but its drive.
    pub mass: f64,
    /// Mean force along its normal that drives a piston, zero for other walls [N].
    pub force: f64,
}

/// Everything there is.
#[derive(Clone, Debug, Default)]
pub struct World<D: Dim> {
    /// How far we are.
    pub clock: Clock,
    /// Acceleration that acts on every grain [m/s2]; on ground that tilts, its mean over the last step.
    pub gravity: D::Vec,
    /// How the ground tilts, and gravity on level ground [m/s2]. Not part of the state: it follows from the scenario.
    pub tilt: Option<(Tilt<D>, D::Vec)>,
    /// Length of 2D bodies in the third direction [m]; without meaning in 3D.
    pub depth: f64,
    /// How fast radii of grains grow, over themselves [1/s]; zero for grains that keep their size. Not part of the state: it
    /// follows from the stage.
    pub growth: f64,
    /// Walls and grains. In a periodic cell they keep their own places and velocities when they leave it.
    pub bodies: Bodies<D>,
    /// The periodic cell, if there is one.
    pub cell: Option<Cell<D>>,
    /// Names and drives of the walls.
    pub walls: Vec<Wall<D>>,
    /// Surfaces of the walls.
    pub surfaces: Vec<Surface<D>>,
    /// What holds between materials.
    pub laws: Laws,
    /// Rods, joints and springs. Not part of the state: they follow from the scenario.
    pub links: Links<D>,
    /// Grains that the scenario names: their ids, in ascending order, and names. Not part of the state.
    pub names: Vec<(u32, String)>,
    /// Who touches whom.
    pub network: Network<D>,
    /// Energy that went through contacts.
    pub ledger: Ledger,
    /// What the method takes from step to step beside poses and twists: so many numbers a body, or none.
    pub carried: Vec<f64>,
    /// Twists at the start of the last step, walls as they are driven in it; empty before the first step. Not part of
    /// the state: every step makes it anew.
    pub before: Vec<Twist<D>>,
    /// How the lattice of the cell changed at the start of the last step. Not part of the state.
    pub cell_before: Motion<D>,
    /// How every wall was pushed in the last step; empty before the first. Not part of the state.
    pub pushed: Vec<Pushed>,
    /// Forces of membranes on all bodies in this step [N]; empty without a membrane. Not part of the state: they follow from
    /// the positions.
    pub loads: Vec<D::Vec>,
    /// Who may touch whom soon. Not part of the state: it follows from the positions.
    pub neighbours: Neighbours<D>,
}

impl<D: Dim> World<D> {
    /// Adds a wall. All walls must be added before the first grain. A mass lets forces and pressures drive it.
    pub fn push_wall(&mut self, name: &str, surface: Surface<D>, material: u16, drive: Drive<D>, mass: Option<f64>) {
        assert_eq!(self.bodies.len(), self.walls.len(), "walls come before grains");
        let wall = Wall { name: name.to_string(), drive, since: self.clock.time, mass };
        self.bodies.push(D::Vec::ZERO, wall.inertia(), Shape::Wall, material, self.walls.len() as u32);
        self.surfaces.push(surface);
        self.walls.push(wall);
    }

    /// Drives a wall otherwise, with a signal that counts from `since`. A wall that becomes a piston keeps its velocity.
    pub fn set_drive(&mut self, wall: usize, drive: Drive<D>, since: f64) {
        (self.walls[wall].drive, self.walls[wall].since) = (drive, since);
        self.bodies.inertia[wall] = self.walls[wall].inertia();
        self.neighbours.forget(); // it may touch others now: grains that are held in place, or all
    }

    /// Direction in which a piston moves and presses: the normal of a plane, towards its free side.
    pub fn wall_axis(&self, wall: usize) -> Option<D::Vec> {
        match &self.surfaces[wall] {
            Surface::Plane(plane) => Some(plane.normal.0),
            _ => None,
        }
    }

    /// Mean force along its normal that drives a piston between two times on the clock [N]; `None` for other walls.
    pub fn piston_force(&self, wall: usize, from: f64, to: f64) -> Option<f64> {
        let Wall { drive, since, .. } = &self.walls[wall];
        let (from, to) = (from - since, to - since);
        match drive {
            _ if !self.bodies.inertia[wall].is_movable() => None,
            Drive::Force(force) => Some(force.mean(from, to)),
            Drive::Pressure(press) => Some(press.value.mean(from, to) * self.area(&press.extent)),
            _ => None,
        }
    }

    /// Notes how the walls are pushed during a step of `dt`, with the walls where they stand when forces are found.
    pub fn note_pushes(&mut self, dt: f64) {
        let now = self.clock.time;
        let pushed = |wall: usize| Pushed {
            mass: self.bodies.inertia[wall].mass(),
            force: self.piston_force(wall, now, now + dt).unwrap_or(0.0),
        };
        self.pushed = (0..self.walls.len()).map(pushed).collect();
    }

    /// Area that a pressure acts on, with the walls where they are now [m2].
    fn area(&self, extent: &Extent<D>) -> f64 {
        match extent {
            Extent::Area(given) => *given.area,
            Extent::Between(sides) => {
                let depth = if D::DIMENSION == D2::DIMENSION { self.depth } else { 1.0 };
                sides.between.0.iter().map(|[one, other]| self.distance(one, other)).product::<f64>() * depth
            }
        }
    }

    /// Distance of two planes that face each other [m].
    pub fn distance(&self, one: &str, other: &str) -> f64 {
        let plane = |name: &str| {
            let wall = self.walls.iter().position(|wall| wall.name == name)?;
            match &self.surfaces[wall] {
                Surface::Plane(plane) => Some((plane.point.0 + self.bodies.pose[wall].x, plane.normal.0)),
                _ => None,
            }
        };
        let [(from, normal), (to, _)] = [one, other].map(|name| plane(name).expect("`between` names plane walls"));
        (to - from).dot(normal)
    }

    /// Indices of the grains.
    pub fn grains(&self) -> std::ops::Range<usize> {
        self.walls.len()..self.bodies.len()
    }

    /// Bodies that can be moved: grains that are not held in place, and pistons.
    pub fn movable(&self) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(|body| self.bodies.inertia[*body].is_movable())
    }

    /// What a body is called in messages: "grain 17", "wall `floor`".
    pub fn name(&self, body: usize) -> String {
        match self.walls.get(body) {
            Some(wall) => format!("wall `{}`", wall.name),
            None => match self.grain_name(body) {
                Some(name) => format!("grain `{name}`"),
                None => format!("grain {}", self.bodies.id[body]),
            },
        }
    }

    /// What the scenario calls a grain, if it has a name.
    pub fn grain_name(&self, body: usize) -> Option<&str> {
        let found = self.names.binary_search_by_key(&self.bodies.id[body], |(id, _)| *id).ok()?;
        Some(&self.names[found].1)
    }

    /// The body of the grain with this id.
    pub fn body_of(&self, id: u32) -> Option<usize> {
        self.grains().find(|body| self.bodies.id[*body] == id)
    }

    /// Opens a step: drives the walls and notes how everything moves. The first line of a step of every method.
    pub fn begin_step(&mut self, dt: f64) {
        self.drive_walls(dt);
        self.lean(self.clock.time, self.clock.time + dt);
        self.find_loads(dt);
        self.cell_before = self.cell.as_ref().map_or(Motion::default(), Cell::motion);
    }

    /// Keeps the twists of all bodies as those of the start of the step, walls as they are driven in it.
    pub fn remember_twists(&mut self) {
        self.before.clone_from(&self.bodies.twist);
    }

    /// Lets gravity lean as the ground tilts between two times. What the potential energy -m g.x gains is work of the ground.
    pub fn lean(&mut self, from: f64, to: f64) {
        let Some((tilt, level)) = &self.tilt else { return };
        self.turn_gravity(tilt.lean(*level, from, to));
    }

    /// Lets another gravity act, that of level ground. What the potential energy gains is work from outside.
    pub fn set_gravity(&mut self, level: D::Vec) {
        let now = self.clock.time;
        if let Some((_, old)) = &mut self.tilt {
            *old = level;
        }
        let gravity = self.tilt.as_ref().map_or(level, |(tilt, _)| tilt.lean(level, now, now));
        self.turn_gravity(gravity);
    }

    fn turn_gravity(&mut self, gravity: D::Vec) {
        let change = gravity - self.gravity;
        let lifted = |k: usize| -self.bodies.inertia[k].mass() * change.dot(self.bodies.pose[k].x);
        self.ledger.wall_work += self.movable().map(lifted).sum::<f64>();
        self.gravity = gravity;
    }

    /// Gives the walls the velocities that lead them along their signals during the coming step. Pistons keep their own.
    pub fn drive_walls(&mut self, dt: f64) {
        for ((wall, surface), twist) in self.walls.iter().zip(&self.surfaces).zip(&mut self.bodies.twist) {
            let from = self.clock.time - wall.since;
            if let Some(velocity) = wall.drive.mean_velocity(from, from + dt) {
                twist.v = velocity;
            }
            if let (Drive::Pressure(Press { slide: Some(slide), .. }), Surface::Plane(plane), Some(mass)) =
                (&wall.drive, surface, wall.mass)
            {
                let normal = plane.normal.0;
                let sliding = normal * twist.v.dot(normal) + slide.0.tangent_to(normal);
                // what brings the plate to its speed works on it
                self.ledger.wall_work += 0.5 * mass * (sliding.norm_squared() - twist.v.norm_squared());
                twist.v = sliding;
            }
            if let Some(axis) = surface.axis() {
                let rate = wall.drive.mean_spin(from, from + dt);
                twist.w = D::Spin::from_fn(|k| if D::DIMENSION == D2::DIMENSION { rate } else { rate * axis.get(k) });
            }
        }
    }

    /// Finds all contacts: pairs whose gap is below `reach(a, b)`, when no body travels further than `travel`.
    ///
    /// Contacts that existed before keep their memory. This is the common front half of a step of every method.
    pub fn sense(&mut self, travel: &[f64], reach: impl Fn(usize, usize) -> f64) -> Result<(), Coincident> {
        self.sense_images(travel, |a, b, _| reach(a, b))
    }

    /// As [`World::sense`], where `reach` also learns how much faster than b itself the image of b moves that is near.
    pub fn sense_images(
        &mut self,
        travel: &[f64],
        reach: impl Fn(usize, usize, D::Vec) -> f64,
    ) -> Result<(), Coincident> {
        self.keep_neighbours(travel);
        let mut contacts = Vec::with_capacity(self.network.contacts.len() + 64);
        let mut shelf = Shelf::default();
        let World { bodies, surfaces, neighbours, network, cell, walls, growth, .. } = self;
        for (&(a, b), hint) in neighbours.pairs.iter().zip(&mut neighbours.hints) {
            let (a, b) = (a as usize, b as usize);
            let (shift, jump) = across(cell, bodies, walls.len(), (a, b));
            let near = (shift, reach(a, b, jump));
            let first = contacts.len();
            touch_again(bodies, surfaces, (a, b), near, (&mut shelf, hint), |contact| {
                contacts.push(swelling(contact, jump, *growth, bodies));
            })?;
            let is_face = contacts.len() > first + spread::POINTS;
            if is_face && bodies.shape[a].is_stone() && bodies.shape[b].is_stone() {
                spread::thin_out(&mut contacts, first, network);
            }
        }
        network.renew(contacts);
        Ok(())
    }

    /// Contacts that the network lacks although the bodies, moving as they do now, will overlap within `dt`. Pairs of stones
    /// that it knows are looked at by [`World::ahead`].
    pub fn missed(&mut self, dt: f64) -> Result<Vec<Contact<D>>, Coincident> {
        let (twists, by_images) = (self.bodies.twist.iter().enumerate(), self.image_travel(dt));
        let way = |k: usize, twist: &Twist<D>| {
            twist.v.norm() * dt + self.swing_travel(k, dt) + self.swell_travel(k, dt) + by_images
        };
        let travel: Vec<f64> = twists.map(|(k, twist)| way(k, twist)).collect();
        self.keep_neighbours(&travel);
        let mut missed = Vec::new();
        let rim: Vec<f64> = (0..travel.len()).map(|body| self.rim_travel(body, dt)).collect();
        let mut shelf = Shelf::default();
        let World { bodies, surfaces, neighbours, network, cell, walls, growth, .. } = self;
        let mut known = network.contacts.iter().map(|contact| contact.key).peekable();
        for (&(a, b), hint) in neighbours.pairs.iter().zip(&mut neighbours.hints) {
            let (a, b) = (a as usize, b as usize);
            while known.next_if(|key: &ContactKey| (key.a, key.b) < (a as u32, b as u32)).is_some() {}
            let is_known = known.peek().is_some_and(|key| (key.a, key.b) == (a as u32, b as u32));
            if is_known && bodies.shape[a].is_stone() && bodies.shape[b].is_stone() {
                continue;
            }
            let reach = travel[a] + travel[b] + rim[a] + rim[b];
            let (shift, jump) = across(cell, bodies, walls.len(), (a, b));
            let reach = reach + jump.norm() * dt;
            touch_again(bodies, surfaces, (a, b), (shift, reach), (&mut shelf, hint), |contact: Contact<D>| {
                let contact = swelling(contact, jump, *growth, bodies);
                while known.next_if(|key: &ContactKey| *key < contact.key).is_some() {}
                let closes = contact.gap + contact.velocity(&bodies.twist).dot(contact.normal) * dt < 0.0;
                if closes && known.peek() != Some(&contact.key) {
                    missed.push(contact);
                }
            })?;
        }
        Ok(missed)
    }

    /// How far the corners of a stone or balls of a clump travel within `dt` because it turns;
    /// a round body stays where it is when it turns, but its surface moves when it grows.
    pub fn rim_travel(&self, body: usize, dt: f64) -> f64 {
        match self.bodies.shape[body] {
            Shape::Stone(stone) | Shape::Clump(stone) => self.bodies.twist[body].w.norm() * stone.radius * dt,
            Shape::Wall => self.swing_travel(body, dt),
            Shape::Round(_) => self.swell_travel(body, dt),
        }
    }

    /// How far the furthest point of a wall that spins as a body travels within `dt` because of it; zero for grains.
    pub fn swing_travel(&self, body: usize, dt: f64) -> f64 {
        self.surfaces.get(body).map_or(0.0, |surface| self.bodies.twist[body].w.norm() * surface.sweep() * dt)
    }

    fn keep_neighbours(&mut self, travel: &[f64]) {
        if !self.neighbours.covers(&self.bodies, self.cell.as_ref(), |body| travel[body]) {
            let is_open: Vec<bool> = self.walls.iter().map(|wall| wall.drive.is_open()).collect();
            self.neighbours.rebuild(&self.bodies, (&self.surfaces, &is_open), self.cell.as_ref(), travel);
        }
        self.neighbours.make_hints();
    }

    /// Moves every body with its twist, and lets grains grow; one whose moments of inertia differ keeps its angular momentum, and its angular
    /// velocity follows.
    pub fn drift(&mut self, dt: f64) {
        if let Some(cell) = &mut self.cell {
            cell.drift(dt);
        }
        let Bodies { pose, twist, inertia, .. } = &mut self.bodies;
        for ((pose, twist), inertia) in pose.iter_mut().zip(twist).zip(inertia) {
            pose.x += twist.v * dt;
            if D::is_isotropic(inertia.inv_i) {
                pose.q = D::turn(pose.q, twist.w, dt);
            } else {
                (pose.q, twist.w) = D::tumble(pose.q, inertia.inv_i, twist.w, dt);
            }
        }
        self.grow(dt);
    }

    /// Whether a ball fits in without touching a grain or a wall that stands in its way.
    pub fn is_free(&self, x: D::Vec, radius: f64) -> bool {
        let bodies = &self.bodies;
        let away = |k: usize| {
            let away = bodies.pose[k].x - x;
            self.cell.as_ref().map_or(away, |cell| away + cell.shift(cell.nearest(away)))
        };
        let apart = |k: usize| away(k).norm() > bodies.shape[k].radius() + radius;
        let mut is_free = self.grains().all(apart);
        for (wall, surface) in self.surfaces.iter().enumerate().filter(|(wall, _)| !self.walls[*wall].drive.is_open()) {
            surface.near(bodies.stand(wall), x, radius, &mut |_, _, _| is_free = false);
        }
        is_free
    }

    /// Energy that a body brings along: of its motion and its height [J].
    fn brought(&self, body: usize) -> f64 {
        let weight = self.gravity * self.bodies.inertia[body].mass();
        self.bodies.kinetic_energy(body) - weight.dot(self.bodies.pose[body].x)
    }

    /// Enters what a body that came during the run brought along, as work from outside.
    pub fn note_arrival(&mut self, body: usize) {
        self.ledger.wall_work += self.brought(body);
    }

    /// Takes grains away, and their contacts; walls stay whatever is said. What they had is work from outside.
    pub fn retain(&mut self, kept: &[bool]) {
        let walls = self.walls.len();
        let stays = |body: usize| body < walls || kept[body];
        let gone = (0..self.bodies.len()).filter(|body| !stays(*body) && self.bodies.inertia[*body].is_movable());
        self.ledger.wall_work -= gone.map(|body| self.brought(body)).sum::<f64>();
        let mut next = 0;
        let number: Vec<Option<u32>> = (0..self.bodies.len())
            .map(|body| {
                let number = stays(body).then_some(next);
                next += u32::from(stays(body));
                number
            })
            .collect();
        let Bodies { pose, twist, inertia, shape, material, id, .. } = &mut self.bodies;
        fn thin<T>(column: &mut Vec<T>, number: &[Option<u32>]) {
            let mut number = number.iter();
            column.retain(|_| number.next().is_some_and(Option::is_some));
        }
        thin(pose, &number);
        thin(twist, &number);
        thin(inertia, &number);
        thin(shape, &number);
        thin(material, &number);
        thin(id, &number);
        self.network.renumber(&number);
        self.carried.clear();
        self.before.clear();
        self.neighbours.forget();
    }

    /// Advances the clock by a step.
    pub fn tick(&mut self, dt: f64) {
        self.clock.time += dt;
        self.clock.step += 1;
    }

    /// The first grain whose centre is behind a wall, with the number of that wall.
    pub fn find_lost(&self) -> Option<(usize, usize)> {
        for (wall, surface) in self.surfaces.iter().enumerate().filter(|(wall, _)| !self.walls[*wall].drive.is_open()) {
            for grain in self.grains().filter(|grain| self.bodies.inertia[*grain].is_movable()) {
                let mut behind = false;
                surface.near(self.bodies.stand(wall), self.bodies.pose[grain].x, 0.0, &mut |_, _, _| behind = true);
                if behind {
                    return Some((grain, wall));
                }
            }
        }
        None
    }

    /// Overlap of a contact over the smaller radius of its bodies; negative for a gap.
    pub fn relative_overlap(&self, contact: &Contact<D>) -> f64 {
        -contact.gap / self.smaller_radius(contact)
    }

    /// Smaller radius of the bodies of a contact [m]: of the largest ball in a stone; walls have none.
    pub fn smaller_radius(&self, contact: &Contact<D>) -> f64 {
        let radius = |body: u32| self.bodies.inner_radius(body as usize);
        radius(contact.key.a).min(radius(contact.key.b))
    }

    /// Deepest overlap over the smaller radius of the two bodies, zero if nothing overlaps. Contacts that were found at the end
    /// of the step have no overlap at its start, where the others count theirs.
    pub fn max_overlap(&self) -> f64 {
        let of_start = self.network.contacts.iter().filter(|contact| self.network.foreseen(contact.key).is_none());
        of_start.map(|contact| self.relative_overlap(contact)).fold(0.0, f64::max)
    }

    /// A number that identifies the state: FNV-1a over the bits of clock, poses, twists and contact memory.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        hash.word(self.clock.step);
        hash.number(self.clock.time);
        if let Some(cell) = &self.cell {
            hash.vector(cell.lengths);
            hash.vector(cell.stretching);
            if cell.press.is_some() {
                hash.vector(cell.urge.stretching);
            }
            [cell.tilt, cell.rate].into_iter().for_each(|number| hash.number(number));
            if cell.follows_shear() {
                hash.number(cell.urge.sliding);
            }
        }
        for (pose, twist) in self.bodies.pose.iter().zip(&self.bodies.twist) {
            hash.vector(pose.x);
            D::rot_numbers(pose.q).into_iter().for_each(|number| hash.number(number));
            hash.vector(twist.v);
            hash.vector(twist.w);
        }
        for (contact, memory) in self.network.contacts.iter().zip(&self.network.memory) {
            let ContactKey { a, b, feature } = contact.key;
            [a, b, feature].into_iter().for_each(|word| hash.word(u64::from(word)));
            hash.vector(memory.impulse);
            hash.vector(memory.torque);
            memory.bond.into_iter().for_each(|opening| hash.number(opening));
        }
        hash.0
    }
}

struct Fnv(u64);

impl Fnv {
    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }
    fn vector<V: Vector>(&mut self, vector: V) {
        (0..V::LEN).for_each(|axis| self.number(vector.get(axis)));
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, DVec3};

    use super::*;
    use crate::dim::D3;
    use crate::drive::Signal;
    use crate::drive::signal::Ramp;
    use crate::input::Span;
    use crate::input::quantity::{Components, Quantity, UnitVector};
    use crate::wall::Plane;

    fn plane<D: Dim>(point: D::Vec, normal: D::Vec) -> Surface<D> {
        Surface::Plane(Plane {
            point: Components(point),
            normal: UnitVector(normal),
            rough: None,
            span: Span::default(),
        })
    }

    /// Reads a drive as a scenario writes it.
    fn drive<D: Dim>(text: &str) -> Drive<D> {
        use crate::input::{Node, Reader, Text, Value};
        let text = std::sync::Arc::new(Text { name: "test".into(), text: format!("drive = {text}") });
        let (tree, reader) = (Node::parse(&text).0, Reader::default());
        let drive = Drive::read(tree.get("drive").unwrap(), &reader);
        drive.unwrap_or_else(|| panic!("{}", reader.finish()))
    }

    #[test]
    fn a_wall_is_a_piston_only_while_a_force_drives_it() {
        let mut world = World::<D2>::default();
        world.push_wall("lid", plane(DVec2::new(0.0, 1.0), DVec2::NEG_Y), 0, Drive::FIXED, Some(2.0));
        assert_eq!((world.bodies.inertia[0], world.piston_force(0, 0.0, 1.0)), (Inertia::IMMOVABLE, None));
        assert_eq!(world.wall_axis(0), Some(DVec2::NEG_Y));

        world.set_drive(0, drive("{ force = \"10 N\" }"), 0.0);
        assert_eq!(world.bodies.inertia[0], Inertia { inv_m: 0.5, inv_i: 0.0 });
        assert_eq!(world.piston_force(0, 0.0, 1.0), Some(10.0));
        world.bodies.twist[0].v = DVec2::new(0.0, -3.0);
        world.drive_walls(0.1);
        assert_eq!(world.bodies.twist[0].v, DVec2::new(0.0, -3.0), "a piston keeps its velocity");
        assert_eq!(world.bodies.kinetic_energy(0), 9.0, "m v^2 / 2, and no 0/0 from its moment");
        assert_eq!(world.movable().collect::<Vec<_>>(), [0]);

        world.set_drive(0, drive("{ velocity = [0, 1] }"), 0.0);
        world.drive_walls(0.1);
        assert_eq!((world.bodies.twist[0].v, world.bodies.inertia[0]), (DVec2::Y, Inertia::IMMOVABLE));
        assert_eq!(world.bodies.kinetic_energy(0), 0.0);
    }

    #[test]
    fn without_a_mass_no_force_moves_a_wall() {
        let mut world = World::<D2>::default();
        world.push_wall("lid", plane(DVec2::ZERO, DVec2::Y), 0, drive("{ force = 10 }"), None);
        assert_eq!((world.bodies.inertia[0], world.piston_force(0, 0.0, 1.0)), (Inertia::IMMOVABLE, None));
    }

    #[test]
    fn the_force_is_the_mean_of_its_signal_counted_from_the_stage() {
        let mut world = World::<D2>::default();
        let ramp = Ramp { from: Quantity(0.0), to: Quantity(8.0), over: Quantity(4.0), span: Span::default() };
        world.push_wall("lid", plane(DVec2::ZERO, DVec2::Y), 0, Drive::FIXED, Some(1.0));
        world.set_drive(0, Drive::Force(Signal::Ramp(ramp)), 10.0);
        // between 1 s and 2 s of the stage: the mean of 2 N and 4 N
        assert_eq!(world.piston_force(0, 11.0, 12.0), Some(3.0));
    }

    #[test]
    fn a_pressure_acts_on_what_lies_between_the_walls_now() {
        let mut world = World::<D2> { depth: 0.1, ..World::default() };
        world.push_wall("left", plane(DVec2::ZERO, DVec2::X), 0, Drive::FIXED, None);
        world.push_wall("right", plane(DVec2::new(0.5, 9.0), DVec2::NEG_X), 0, Drive::FIXED, None);
        let press = "{ pressure = { value = \"100 Pa\", between = [\"left\", \"right\"] } }";
        world.push_wall("lid", plane(DVec2::Y, DVec2::NEG_Y), 0, drive(press), Some(1.0));
        // 100 Pa on 0.5 m x 0.1 m, then on 0.4 m x 0.1 m
        assert!((world.piston_force(2, 0.0, 1.0).unwrap() - 5.0).abs() < 1e-14);
        world.bodies.pose[1].x = DVec2::new(-0.1, 0.0);
        assert!((world.piston_force(2, 0.0, 1.0).unwrap() - 4.0).abs() < 1e-14);
    }

    #[test]
    fn in_space_the_area_is_the_product_of_two_distances() {
        let mut world = World::<D3> { depth: 7.0, ..World::default() };
        let sides = [(DVec3::ZERO, DVec3::X), (DVec3::X * 0.5, DVec3::NEG_X), (DVec3::ZERO, DVec3::Y)];
        for (name, (point, normal)) in ["left", "right", "front"].into_iter().zip(sides) {
            world.push_wall(name, plane(point, normal), 0, Drive::FIXED, None);
        }
        world.push_wall("back", plane(DVec3::Y * 2.0, DVec3::NEG_Y), 0, Drive::FIXED, None);
        let press = "{ pressure = { value = 100, between = [[\"left\", \"right\"], [\"front\", \"back\"]] } }";
        world.push_wall("lid", plane(DVec3::Z, DVec3::NEG_Z), 0, drive(press), Some(1.0));
        assert!((world.piston_force(4, 0.0, 1.0).unwrap() - 100.0).abs() < 1e-13);
        world.set_drive(4, drive("{ pressure = { value = 100, area = \"3 m2\" } }"), 0.0);
        assert_eq!(world.piston_force(4, 0.0, 1.0), Some(300.0));
    }

    #[test]
    fn a_piston_meets_grains_that_are_held_in_place() {
        let mut world = World::<D2>::default();
        world.push_wall("lid", plane(DVec2::new(0.0, 1.0), DVec2::NEG_Y), 0, Drive::FIXED, Some(1.0));
        world.bodies.push(DVec2::ZERO, Inertia::IMMOVABLE, Shape::Round(crate::shape::Round { radius: 1.0 }), 0, 0);
        let contacts = |world: &mut World<D2>| {
            world.sense(&[0.0; 2], |_, _| 1e-9).expect("no centres coincide");
            world.network.contacts.len()
        };
        assert_eq!(contacts(&mut world), 0);
        world.set_drive(0, drive("{ force = 1 }"), 0.0);
        assert_eq!(contacts(&mut world), 1);
        world.set_drive(0, Drive::FIXED, 0.0);
        assert_eq!(contacts(&mut world), 0);
    }
}
