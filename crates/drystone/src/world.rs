//! The world: what is. It knows no method (ADR 0005): every method senses the same contacts and moves the same bodies.

mod ahead;
mod growth;
mod hash;
mod images;
mod membranes;
mod walls;

use crate::body::{Bodies, Twist};
use crate::cell::{Cell, Motion};
use crate::contact::touch::touch_again;
use crate::contact::{Coincident, Contact, ContactKey, Neighbours, Network, Shelf, spread};
use crate::dim::{Dim, Vector};
use crate::drive::Tilt;
use crate::law::Laws;
use crate::link::Links;
use crate::shape::Shape;
use crate::wall::Surface;
use growth::swelling;
use images::across;

pub use ahead::Ahead;
pub use walls::{Pushed, Wall};

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
}
