//! The world: what is. It knows no method (ADR 0005): every method senses the same contacts and moves the same bodies.

use crate::body::{Bodies, Inertia, Twist};
use crate::contact::touch::touch;
use crate::contact::{Coincident, Contact, ContactKey, Neighbours, Network};
use crate::dim::{Dim, Vector};
use crate::drive::Drive;
use crate::law::Laws;
use crate::shape::Shape;
use crate::wall::Surface;

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
}

/// Everything there is.
#[derive(Clone, Debug, Default)]
pub struct World<D: Dim> {
    /// How far we are.
    pub clock: Clock,
    /// Acceleration that acts on every grain [m/s2].
    pub gravity: D::Vec,
    /// Length of 2D bodies in the third direction [m]; without meaning in 3D.
    pub depth: f64,
    /// Walls and grains.
    pub bodies: Bodies<D>,
    /// Names and drives of the walls.
    pub walls: Vec<Wall<D>>,
    /// Surfaces of the walls.
    pub surfaces: Vec<Surface<D>>,
    /// What holds between materials.
    pub laws: Laws,
    /// Who touches whom.
    pub network: Network<D>,
    /// Energy that went through contacts.
    pub ledger: Ledger,
    /// Twists at the start of the last step, walls as they are driven in it; empty before the first step. Not part of
    /// the state: every step makes it anew.
    pub before: Vec<Twist<D>>,
    /// Who may touch whom soon. Not part of the state: it follows from the positions.
    pub neighbours: Neighbours<D>,
}

impl<D: Dim> World<D> {
    /// Adds a wall. All walls must be added before the first grain.
    pub fn push_wall(&mut self, name: &str, surface: Surface<D>, material: u16, drive: Drive<D>) {
        assert_eq!(self.bodies.len(), self.walls.len(), "walls come before grains");
        self.bodies.push(D::Vec::ZERO, Inertia::IMMOVABLE, Shape::Wall, material, self.walls.len() as u32);
        self.surfaces.push(surface);
        self.walls.push(Wall { name: name.to_string(), drive, since: self.clock.time });
    }

    /// Indices of the grains.
    pub fn grains(&self) -> std::ops::Range<usize> {
        self.walls.len()..self.bodies.len()
    }

    /// What a body is called in messages: "grain 17", "wall `floor`".
    pub fn name(&self, body: usize) -> String {
        match self.walls.get(body) {
            Some(wall) => format!("wall `{}`", wall.name),
            None => format!("grain {}", self.bodies.id[body]),
        }
    }

    /// Opens a step: drives the walls and notes how everything moves. The first line of a step of every method.
    pub fn begin_step(&mut self, dt: f64) {
        self.drive_walls(dt);
        self.before.clone_from(&self.bodies.twist);
    }

    /// Gives the walls the velocities that lead them along their signals during the coming step.
    fn drive_walls(&mut self, dt: f64) {
        for (wall, twist) in self.walls.iter().zip(&mut self.bodies.twist) {
            let from = self.clock.time - wall.since;
            twist.v = wall.drive.mean_velocity(from, from + dt);
        }
    }

    /// Finds all contacts: pairs whose gap is below `reach(a, b)`, when no body travels further than `travel`.
    ///
    /// Contacts that existed before keep their memory. This is the common front half of a step of every method.
    pub fn sense(&mut self, travel: &[f64], reach: impl Fn(usize, usize) -> f64) -> Result<(), Coincident> {
        self.keep_neighbours(travel);
        let mut contacts = Vec::with_capacity(self.network.contacts.len() + 64);
        for &(a, b) in &self.neighbours.pairs {
            let (a, b) = (a as usize, b as usize);
            touch(&self.bodies, &self.surfaces, (a, b), reach(a, b), |contact| contacts.push(contact))?;
        }
        self.network.renew(contacts);
        Ok(())
    }

    /// Contacts that the network lacks although the bodies, moving as they do now, will overlap within `dt`.
    pub fn missed(&mut self, dt: f64) -> Result<Vec<Contact<D>>, Coincident> {
        let travel: Vec<f64> = self.bodies.twist.iter().map(|twist| twist.v.norm() * dt).collect();
        self.keep_neighbours(&travel);
        let mut missed = Vec::new();
        let mut known = self.network.contacts.iter().map(|contact| contact.key).peekable();
        for &(a, b) in &self.neighbours.pairs {
            let (a, b) = (a as usize, b as usize);
            touch(&self.bodies, &self.surfaces, (a, b), travel[a] + travel[b], |contact: Contact<D>| {
                while known.next_if(|key: &ContactKey| *key < contact.key).is_some() {}
                let closes = contact.gap + contact.velocity(&self.bodies.twist).dot(contact.normal) * dt < 0.0;
                if closes && known.peek() != Some(&contact.key) {
                    missed.push(contact);
                }
            })?;
        }
        Ok(missed)
    }

    fn keep_neighbours(&mut self, travel: &[f64]) {
        if !self.neighbours.covers(&self.bodies, travel) {
            self.neighbours.rebuild(&self.bodies, &self.surfaces, travel);
        }
    }

    /// Moves every body with its twist and advances the clock.
    pub fn advance(&mut self, dt: f64) {
        for (pose, twist) in self.bodies.pose.iter_mut().zip(&self.bodies.twist) {
            pose.x += twist.v * dt;
            pose.q = D::turn(pose.q, twist.w, dt);
        }
        self.clock.time += dt;
        self.clock.step += 1;
    }

    /// The first grain whose centre is behind a wall, with the number of that wall.
    pub fn find_lost(&self) -> Option<(usize, usize)> {
        for (wall, surface) in self.surfaces.iter().enumerate() {
            let shift = self.bodies.pose[wall].x;
            for grain in self.grains().filter(|grain| self.bodies.inertia[*grain].is_movable()) {
                let mut behind = false;
                surface.as_dyn().near(self.bodies.pose[grain].x - shift, 0.0, &mut |_, _, _| behind = true);
                if behind {
                    return Some((grain, wall));
                }
            }
        }
        None
    }

    /// Overlap of a contact over the smaller radius of its bodies; negative for a gap.
    pub fn relative_overlap(&self, contact: &Contact<D>) -> f64 {
        let radius = |body: u32| match self.bodies.shape[body as usize] {
            Shape::Round(round) => round.radius,
            Shape::Wall => f64::INFINITY,
        };
        -contact.gap / radius(contact.key.a).min(radius(contact.key.b))
    }

    /// Deepest overlap over the smaller radius of the two bodies, zero if nothing overlaps.
    pub fn max_overlap(&self) -> f64 {
        self.network.contacts.iter().map(|contact| self.relative_overlap(contact)).fold(0.0, f64::max)
    }

    /// A number that identifies the state: FNV-1a over the bits of clock, poses, twists and contact memory.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        hash.word(self.clock.step);
        hash.number(self.clock.time);
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
