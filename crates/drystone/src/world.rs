//! The world that methods move (ADR 0005): it knows no method, and every method moves the same bodies.
//!
//! | part | holds | in a checkpoint |
//! |---|---|---|
//! | [`Setup`] | walls, laws, links, names: what the scenario says | no: it follows from the scenario |
//! | [`State`] | clock, bodies, cell, contacts, energy balance | yes, all of it |
//! | [`Scratch`] | list of neighbours, loads, twists before the step | no: recomputed |

mod builder;
mod deformation;
mod growth;
mod hash;
mod images;
mod loads;
mod membranes;
mod predicted;
mod range;
mod scratch;
mod setup;
mod state;
mod walls;

use std::ops::{Deref, DerefMut};

use crate::body::{Bodies, Strains};
use crate::cell::{Cell, CellMotion};
use crate::contact::manifold_reduction::{self, MAX_POINTS};
use crate::contact::narrow::find_contacts_cached;
use crate::contact::search::PairPart;
use crate::contact::{Coincident, Contact, ContactKey, Network, PairCache, PairQuery};
use crate::dim::{Dim, Vector};
use crate::law::Laws;
use crate::shape::Shape;
use crate::threads;
use growth::swelling;
pub use images::NearestImage;
use images::nearest_image;

pub use builder::{BuildError, Grain, Wall, WorldBuilder};
pub use predicted::PredictedContact;
pub use range::{FARTHEST, LONGEST_WAY};
pub use scratch::Scratch;
pub use setup::Setup;
pub(crate) use state::ClockBase;
pub use state::{Clock, Collisions, Ledger, State};
pub use walls::{DrivenWall, Pushed};

/// Gap below which two bodies are in contact [m], given the velocity of the image of the second one.
pub type ReachOfPair<'r, D> = dyn Fn(usize, usize, <D as Dim>::Vec) -> f64 + Sync + 'r;

/// A world: its state, what that state was set up with, and what is recomputed in every step.
///
/// Fields of the state are read as fields of the world: `world.bodies` is `world.state.bodies`.
#[derive(Clone, Debug, Default)]
pub struct World<D: Dim> {
    /// What a step changes and a checkpoint holds.
    pub state: State<D>,
    /// What the scenario sets up, and stages change.
    pub setup: Setup<D>,
    /// What every step recomputes.
    pub scratch: Scratch<D>,
}

impl<D: Dim> Deref for World<D> {
    type Target = State<D>;
    fn deref(&self) -> &State<D> {
        &self.state
    }
}

impl<D: Dim> DerefMut for World<D> {
    fn deref_mut(&mut self) -> &mut State<D> {
        &mut self.state
    }
}

impl<D: Dim> World<D> {
    /// A world without bodies, in which these laws hold; 2D bodies are 1 m long in the third direction.
    pub fn new(laws: Laws) -> World<D> {
        World { setup: Setup { laws, depth: 1.0, ..Setup::default() }, ..World::default() }
    }

    /// The contacts of the last step.
    ///
    /// # Panics
    /// Soft methods report their contacts on request. After a step made by hand, without a call of
    /// [`Method::publish`](crate::method::Method::publish), there is nothing up to date to read.
    pub fn network(&self) -> &Network<D> {
        self.assert_is_reported("contacts");
        &self.state.network
    }

    /// The energy that went through contacts so far.
    ///
    /// # Panics
    /// As [`World::network`].
    pub fn ledger(&self) -> &Ledger {
        self.assert_is_reported("energy balance");
        &self.state.ledger
    }

    /// The contacts of the last step, to change what they remember.
    ///
    /// # Panics
    /// As [`World::network`].
    pub fn network_mut(&mut self) -> &mut Network<D> {
        self.assert_is_reported("contacts");
        &mut self.state.network
    }

    /// The energy that went through contacts so far, to change it.
    ///
    /// # Panics
    /// As [`World::network`].
    pub fn ledger_mut(&mut self) -> &mut Ledger {
        self.assert_is_reported("energy balance");
        &mut self.state.ledger
    }

    fn assert_is_reported(&self, what: &str) {
        assert!(
            !self.scratch.is_network_stale,
            "the {what} of soft grains must be asked for: call `Method::publish` first"
        );
    }

    /// Indices of the grains.
    pub fn grains(&self) -> std::ops::Range<usize> {
        self.setup.walls.len()..self.bodies.len()
    }

    /// Bodies that can be moved: grains that are not held in place, and pistons.
    pub fn movable(&self) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(|body| self.bodies.inertia[*body].is_movable())
    }

    /// Grains that are not held in place.
    pub fn free_grains(&self) -> impl Iterator<Item = usize> {
        self.grains().filter(|grain| self.bodies.inertia[*grain].is_movable())
    }

    /// Kinetic energy of all bodies that can move [J]; of grains, not of their images in the cell.
    pub fn kinetic_energy(&self) -> f64 {
        threads::table(self.bodies.len(), |body| self.bodies.kinetic_energy(body)).into_iter().sum()
    }

    /// What a body is called in messages: "grain 17", "wall `floor`".
    pub fn name(&self, body: usize) -> String {
        match self.setup.walls.get(body) {
            Some(wall) => format!("wall `{}`", wall.name),
            None => match self.grain_name(body) {
                Some(name) => format!("grain `{name}`"),
                None => format!("grain {}", self.bodies.id[body]),
            },
        }
    }

    /// What the scenario calls a grain, if it has a name.
    pub fn grain_name(&self, body: usize) -> Option<&str> {
        let found = self.setup.names.binary_search_by_key(&self.bodies.id[body], |(id, _)| *id).ok()?;
        Some(&self.setup.names[found].1)
    }

    /// The body of the grain with this id.
    pub fn body_of(&self, id: u32) -> Option<usize> {
        self.grains().find(|body| self.bodies.id[*body] == id)
    }

    /// Opens a step: drives the walls and computes external loads. Every method calls it first in a step.
    pub fn begin_step(&mut self, dt: f64) {
        self.drive_walls(dt);
        self.lean(self.clock.time, self.clock.time + dt);
        self.find_loads(dt);
        self.scratch.cell_before = self.cell.as_ref().map_or(CellMotion::default(), Cell::motion);
    }

    /// Stores the twists of all bodies as those of the start of the step, those of walls as driven in it.
    pub fn remember_twists(&mut self) {
        self.scratch.before.clone_from(&self.state.bodies.twist);
        if let Some(strains) = &self.state.bodies.strains {
            self.scratch.strain_rates_before.clone_from(&strains.rate);
        }
    }

    /// Turns gravity to its mean direction between two times, as the ground tilts. The change of the potential energy
    /// -m g.x counts as work of the ground.
    pub fn lean(&mut self, from: f64, to: f64) {
        let Some((tilt, level)) = &self.setup.tilt else { return };
        self.turn_gravity(tilt.lean(*level, from, to));
    }

    /// Changes gravity, given for level ground. The change of the potential energy counts as work from outside.
    pub fn set_gravity(&mut self, level: D::Vec) {
        let now = self.clock.time;
        if let Some((_, old)) = &mut self.setup.tilt {
            *old = level;
        }
        let gravity = self.setup.tilt.as_ref().map_or(level, |(tilt, _)| tilt.lean(level, now, now));
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
    /// Contacts that existed before keep their memory. Contact Dynamics and the DAE method begin a step with it; soft
    /// particles have their own loop over pairs, with the same broad phase.
    pub fn sense(
        &mut self,
        travel: &[f64],
        reach: impl Fn(usize, usize) -> f64 + Sync + Send,
    ) -> Result<(), Coincident> {
        self.sense_images(travel, &|a, b, _| reach(a, b))
    }

    /// As [`World::sense`], where `reach` also gets the velocity of the image of b relative to b itself.
    pub fn sense_images(&mut self, travel: &[f64], reach: &ReachOfPair<D>) -> Result<(), Coincident> {
        self.keep_neighbours(travel);
        let World { state: State { bodies, network, cell, .. }, setup, scratch } = self;
        let Setup { surfaces, walls, growth, .. } = setup;
        let Scratch { neighbours, hulls, spare, .. } = scratch;
        let (known, pairs) = (&*network, neighbours.pairs.len());
        let mut rooms = std::mem::take(&mut spare.contacts).into_iter();
        let parts = neighbours.parts(hulls).into_iter().map(|part| (part, rooms.next().unwrap_or_default())).collect();
        let sense = |(part, mut contacts): (PairPart<D>, Vec<Contact<D>>)| {
            contacts.clear();
            part.hulls.begin(bodies);
            for (&(a, b), separating) in part.pairs.iter().zip(part.hints) {
                let (a, b) = (a as usize, b as usize);
                let NearestImage { shift, velocity: image_velocity } = nearest_image(cell, bodies, walls.len(), a, b);
                let query = PairQuery { a, b, shift, reach: reach(a, b, image_velocity) };
                let first = contacts.len();
                let cache = PairCache { hulls: part.hulls, separating };
                find_contacts_cached(bodies, surfaces, &query, cache, |contact| {
                    contacts.push(swelling(contact, image_velocity, *growth, bodies));
                })?;
                let is_face = contacts.len() > first + MAX_POINTS;
                if is_face && bodies.shape[a].is_stone() && bodies.shape[b].is_stone() {
                    manifold_reduction::reduce(&mut contacts, first, known);
                }
            }
            Ok(contacts)
        };
        let found = threads::map(parts, pairs, sense);
        let found = found.into_iter().collect::<Result<Vec<_>, Coincident>>()?;
        network.renew_from(found, spare);
        Ok(())
    }

    /// Contacts that the network lacks although the bodies, with their present velocities, will overlap within `dt`.
    /// Pairs of polygons or polyhedra that have contacts already are left to [`World::predicted`], and round grains have
    /// one contact at most.
    pub fn missed(&mut self, dt: f64) -> Result<Vec<Contact<D>>, Coincident> {
        let by_images = self.image_travel(dt);
        let way = |k: usize| {
            self.bodies.twist[k].v.norm() * dt + self.swing_travel(k, dt) + self.surface_travel(k, dt) + by_images
        };
        let travel = threads::table(self.bodies.len(), way);
        self.keep_neighbours(&travel);
        let rim = threads::table(travel.len(), |body| self.rim_travel(body, dt));
        let World { state: State { bodies, network, cell, .. }, setup, scratch } = self;
        let Scratch { neighbours, hulls, .. } = scratch;
        let Setup { surfaces, walls, growth, .. } = setup;
        let pairs = neighbours.pairs.len();
        let is_complete = |a: usize, b: usize| {
            use Shape::{Round, Stone};
            matches!((bodies.shape[a], bodies.shape[b]), (Round(_), Round(_)) | (Stone(_), Stone(_)))
        };
        let find = |part: PairPart<D>| {
            let mut missed = Vec::new();
            part.hulls.begin(bodies);
            let (a, b) = part.pairs[0];
            let mut known = network.contacts_from(a, b).iter().map(|contact| contact.key).peekable();
            for (&(a, b), separating) in part.pairs.iter().zip(part.hints) {
                let (a, b) = (a as usize, b as usize);
                while known.next_if(|key: &ContactKey| (key.a, key.b) < (a as u32, b as u32)).is_some() {}
                let is_known = known.peek().is_some_and(|key| (key.a, key.b) == (a as u32, b as u32));
                if is_known && is_complete(a, b) {
                    continue;
                }
                let reach = travel[a] + travel[b] + rim[a] + rim[b];
                let NearestImage { shift, velocity: image_velocity } = nearest_image(cell, bodies, walls.len(), a, b);
                let query = PairQuery { a, b, shift, reach: reach + image_velocity.norm() * dt };
                let cache = PairCache { hulls: part.hulls, separating };
                find_contacts_cached(bodies, surfaces, &query, cache, |contact: Contact<D>| {
                    let contact = swelling(contact, image_velocity, *growth, bodies);
                    while known.next_if(|key: &ContactKey| *key < contact.key).is_some() {}
                    let closes = contact.gap + contact.velocity(&bodies.twist).dot(contact.normal) * dt < 0.0;
                    if closes && known.peek() != Some(&contact.key) {
                        missed.push(contact);
                    }
                })?;
            }
            Ok(missed)
        };
        let found = threads::map(neighbours.parts(hulls), pairs, find);
        Ok(found.into_iter().collect::<Result<Vec<_>, Coincident>>()?.concat())
    }

    /// How far the surface of a body travels within `dt` relative to its centre [m]: corners and balls of clumps
    /// because the body turns, round bodies because they grow or deform.
    #[inline]
    pub fn rim_travel(&self, body: usize, dt: f64) -> f64 {
        match self.bodies.shape[body] {
            Shape::Stone(stone) | Shape::Clump(stone) => self.bodies.twist[body].w.norm() * stone.radius * dt,
            Shape::Wall => self.swing_travel(body, dt),
            Shape::Round(_) => self.swell_travel(body, dt) + self.bodies.bulge_travel(body, dt),
        }
    }

    /// How far the furthest point of a spinning wall travels within `dt` [m]; zero for grains.
    #[inline]
    pub fn swing_travel(&self, body: usize, dt: f64) -> f64 {
        self.setup.surfaces.get(body).map_or(0.0, |surface| self.bodies.twist[body].w.norm() * surface.sweep() * dt)
    }

    /// How far the surface of a round body may be from where it was placed on the body after `dt`, because it grows or
    /// is deformed [m].
    #[inline]
    pub fn surface_travel(&self, body: usize, dt: f64) -> f64 {
        let swells = self.swell_travel(body, dt);
        match self.bodies.strains {
            Some(_) => swells + self.bodies.bulge(body) + self.bodies.bulge_travel(body, dt),
            None => swells,
        }
    }

    /// Rebuilds the list of neighbours if a body may leave its halo.
    fn keep_neighbours(&mut self, travel: &[f64]) {
        if !self.scratch.neighbours.covers(&self.bodies, self.cell.as_ref(), |body| travel[body]) {
            let is_open: Vec<bool> = self.setup.walls.iter().map(|wall| wall.drive.is_open()).collect();
            self.scratch.neighbours.rebuild(
                &self.state.bodies,
                &self.setup.surfaces,
                &is_open,
                self.state.cell.as_ref(),
                travel,
            );
        }
        self.scratch.neighbours.make_hints();
    }

    /// Moves every body with its twist, and grows the grains. A body with unequal moments of inertia keeps its angular
    /// momentum, and its angular velocity follows.
    pub fn drift(&mut self, dt: f64) {
        if let Some(cell) = &mut self.cell {
            cell.drift(dt);
        }
        let Bodies { pose, twist, inertia, .. } = &mut self.state.bodies;
        threads::each_of_two(pose, twist, |body, pose, twist| {
            let inv_i = inertia[body].inv_i;
            pose.x += twist.v * dt;
            if D::is_isotropic(inv_i) {
                pose.q = D::turn(pose.q, twist.w, dt);
            } else {
                (pose.q, twist.w) = D::tumble(pose.q, inv_i, twist.w, dt);
            }
        });
        self.drift_strains(dt);
        self.grow(dt);
    }

    /// Whether a ball fits in without touching a grain or a closed wall.
    pub fn is_free(&self, x: D::Vec, radius: f64) -> bool {
        let bodies = &self.bodies;
        let away = |k: usize| {
            let away = bodies.pose[k].x - x;
            self.cell.as_ref().map_or(away, |cell| away + cell.shift(cell.nearest(away)))
        };
        let apart = |k: usize| away(k).norm() > bodies.shape[k].radius() + radius;
        let mut is_free = self.grains().all(apart);
        for (wall, surface) in
            self.setup.surfaces.iter().enumerate().filter(|(wall, _)| !self.setup.walls[*wall].drive.is_open())
        {
            surface.near(bodies.wall_pose(wall), x, radius, &mut |_, _, _| is_free = false);
        }
        is_free
    }

    /// Kinetic, potential and elastic energy of a body [J].
    fn brought(&self, body: usize) -> f64 {
        let weight = self.gravity * self.bodies.inertia[body].mass();
        let mechanical = self.bodies.kinetic_energy(body) - weight.dot(self.bodies.pose[body].x);
        mechanical + self.present_strain_energy(body)
    }

    /// Counts the energy of a body that was added during the run as work from outside.
    pub fn note_arrival(&mut self, body: usize) {
        self.ledger.wall_work += self.brought(body);
    }

    /// Removes grains and their contacts; walls always stay. The energy of the removed grains counts as work from
    /// outside.
    pub fn retain(&mut self, kept: &[bool]) {
        let walls = self.setup.walls.len();
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
        let Bodies { pose, twist, inertia, shape, material, id, strains, .. } = &mut self.bodies;
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
        if let Some(Strains { strain, rate }) = strains {
            thin(strain, &number);
            thin(rate, &number);
        }
        self.network.renumber(&number);
        self.carried.clear();
        self.scratch.before.clear();
        self.scratch.neighbours.forget();
    }

    /// Advances the clock by a step.
    pub fn tick(&mut self, dt: f64) {
        self.clock = self.clock.after(dt);
        self.scratch.time_step = dt;
    }

    /// The first grain whose centre is behind a wall, with the number of that wall.
    pub fn find_lost(&self) -> Option<(usize, usize)> {
        for (wall, surface) in
            self.setup.surfaces.iter().enumerate().filter(|(wall, _)| !self.setup.walls[*wall].drive.is_open())
        {
            let stand = self.bodies.wall_pose(wall);
            let is_ahead = |grain: usize| {
                let mut is_behind = false;
                surface.near(stand, self.bodies.pose[grain].x, 0.0, &mut |_, _, _| is_behind = true);
                !is_behind
            };
            if !threads::all(self.grains(), |grain| is_ahead(grain) || !self.bodies.inertia[grain].is_movable()) {
                return self.free_grains().find(|grain| !is_ahead(*grain)).map(|grain| (grain, wall));
            }
        }
        None
    }

    /// Overlap of a contact over the smaller radius of its bodies; negative for a gap.
    #[inline]
    pub fn relative_overlap(&self, contact: &Contact<D>) -> f64 {
        -contact.gap / self.smaller_radius(contact)
    }

    /// Smaller radius of the bodies of a contact [m]: for polygons and polyhedra that of the largest ball inside; walls
    /// have none.
    #[inline]
    pub fn smaller_radius(&self, contact: &Contact<D>) -> f64 {
        let radius = |body: u32| self.bodies.inner_radius(body as usize);
        radius(contact.key.a).min(radius(contact.key.b))
    }

    /// Deepest overlap over the smaller radius of the two bodies, zero if nothing overlaps. Overlaps count at the start
    /// of the step, so predicted contacts are left out.
    pub fn max_overlap(&self) -> f64 {
        let Network { contacts, predictions, .. } = &self.network;
        let is_of_start =
            |contact: &Contact<D>| predictions.is_empty() || self.network.predicted_twists(contact.key).is_none();
        threads::largest(0..contacts.len(), 0.0, |k| match is_of_start(&contacts[k]) {
            true => self.relative_overlap(&contacts[k]),
            false => 0.0,
        })
    }
}
