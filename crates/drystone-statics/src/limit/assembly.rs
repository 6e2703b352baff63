//! Bodies at rest, the contacts between them, and their equations of balance H f + p + lambda q = 0.

use drystone::contact::{ContactKey, Regime};
use drystone::dim::{Dim, Vector};
use drystone::method::{ContactTerms, StepReport};
use drystone::record::Frame;
use drystone::record::snapshot::frame_of;
use drystone::world::World;

use super::live_load::{AppliedLoad, LiveLoad, Loads};

/// Largest gap of a contact that may carry a force, over the radius of the largest ball inside the smaller body: far
/// above rounding, and far below what a picture shows.
pub const GAP: f64 = 1e-4;
/// Entries below this are the rounding of a zero, such as the torque of a force that points to the centre: forces are
/// unit vectors here, and arms about as long as a radius.
const ROUNDING: f64 = 1e-14;

/// A contact that may carry a force.
#[derive(Clone, Copy, Debug)]
pub struct AssemblyContact<D: Dim> {
    /// Bodies and feature.
    pub key: ContactKey,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Where the force acts [m].
    pub point: D::Vec,
    /// Coefficient of static friction.
    pub friction: f64,
    /// Index of its first unknown, the normal force; the tangential ones follow.
    pub first: usize,
    /// Number of its unknowns: one without friction.
    pub width: usize,
}

/// Bodies at rest and their contacts.
pub struct Assembly<D: Dim> {
    /// The world; its network holds the contacts of the assembly, and nothing moves.
    pub world: World<D>,
    /// Contacts that may carry a force, in the order of the network.
    pub contacts: Vec<AssemblyContact<D>>,
    /// Entries of every unknown, by row.
    pub columns: Vec<Vec<(usize, f64)>>,
    /// First row of every body; `None` for one that cannot be moved.
    pub rows: Vec<Option<usize>>,
    /// A support that is let go, and along which axis.
    pub released: Option<(usize, D::Vec)>,
    /// Loads that stay, by row [N].
    pub dead: Vec<f64>,
    /// Loads that grow, by row, at a factor of one [N].
    pub live: Vec<f64>,
}

impl<D: Dim> Assembly<D> {
    /// The assembly of a world with its loads. Contacts are those with gaps up to `gap` of the smaller radius.
    pub fn of(world: &World<D>, load: &LiveLoad, gap: f64) -> Result<Assembly<D>, String> {
        let mut world = world.clone();
        refuse(&world)?;
        let Loads { dead, live } = load.loads(&mut world)?;
        let released = load.released(&world)?;
        world.state.bodies.twist.iter_mut().for_each(|twist| *twist = Default::default());
        let radii: Vec<f64> = (0..world.bodies.len()).map(|body| world.bodies.inner_radius(body)).collect();
        let still = vec![0.0; radii.len()];
        let sensed = world.sense(&still, |a, b| gap * radii[a].min(radii[b]));
        sensed.map_err(|both| format!("{} and {} have the same centre", world.name(both.a), world.name(both.b)))?;
        world.network_mut().retain(|contact, _| {
            let [a, b] = [contact.key.a, contact.key.b].map(|body| radii[body as usize]);
            contact.gap <= gap * a.min(b)
        });
        if world.network().contacts.is_empty() {
            return Err(
                "nothing touches: a limit load is that of bodies at rest; let it settle first, and start with --from"
                    .into(),
            );
        }
        let mut assembly = Assembly {
            world,
            contacts: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            released,
            dead: Vec::new(),
            live: Vec::new(),
        };
        assembly.number_rows(&dead, &live);
        assembly.add_contacts()?;
        assembly.refuse_loose()?;
        Ok(assembly)
    }

    /// Numbers the rows of balance and enters the loads.
    fn number_rows(&mut self, dead: &[AppliedLoad<D>], live: &[AppliedLoad<D>]) {
        for body in 0..self.world.bodies.len() {
            if !self.world.bodies.inertia[body].is_movable() && self.axis(body).is_none() {
                self.rows.push(None);
                continue;
            }
            self.rows.push(Some(self.dead.len()));
            let [dead, live] = [&dead[body], &live[body]].map(|load| self.entries(body, load));
            self.dead.extend(dead);
            self.live.extend(live);
        }
    }

    /// Enters the components of all contact forces.
    fn add_contacts(&mut self) -> Result<(), String> {
        for contact in self.world.network().contacts.clone() {
            let (a, b) = (contact.key.a as usize, contact.key.b as usize);
            let material = |body: usize| self.world.bodies.material[body];
            let friction =
                self.world.setup.laws.between(material(a), material(b)).friction.coefficient(Regime::Stick, 0.0);
            let mut directions = vec![contact.normal];
            if friction > 0.0 {
                directions.extend(D::tangents(contact.normal));
            }
            let first = self.columns.len();
            for direction in &directions {
                let mut column = Vec::new();
                for (body, arm, force) in [(a, contact.arm_a, -*direction), (b, contact.arm_b, *direction)] {
                    let Some(row) = self.rows[body] else { continue };
                    let load = AppliedLoad { force, torque: D::torque(arm, force) };
                    column.extend(self.entries(body, &load).into_iter().zip(row..).map(|(value, row)| (row, value)));
                }
                column.retain(|(_, value)| value.abs() > ROUNDING);
                self.columns.push(column);
            }
            self.contacts.push(AssemblyContact {
                key: contact.key,
                normal: contact.normal,
                point: self.world.home_place(b) + contact.arm_b,
                friction,
                first,
                width: directions.len(),
            });
        }
        Ok(())
    }

    /// Refuses loaded bodies that touch nothing: they fall at any factor.
    fn refuse_loose(&self) -> Result<(), String> {
        let mut is_touched = vec![false; self.world.bodies.len()];
        for contact in &self.contacts {
            is_touched[contact.key.a as usize] = true;
            is_touched[contact.key.b as usize] = true;
        }
        let is_loaded = |body: usize| {
            let count = self.entries(body, &AppliedLoad::default()).len();
            self.rows[body]
                .is_some_and(|row| (row..row + count).any(|row| self.dead[row] != 0.0 || self.live[row] != 0.0))
        };
        let loose: Vec<usize> = (0..is_touched.len()).filter(|body| !is_touched[*body] && is_loaded(*body)).collect();
        match loose.first() {
            None => Ok(()),
            Some(first) => Err(format!(
                "{} touches nothing{}: a limit load is that of bodies at rest; let it settle first, and start with --from",
                self.world.name(*first),
                if loose.len() > 1 { format!(", and so do {} others", loose.len() - 1) } else { String::new() },
            )),
        }
    }

    /// The axis of a body that moves along one only: a piston, or the support that is let go.
    pub(super) fn axis(&self, body: usize) -> Option<D::Vec> {
        let released = self.released.filter(|(support, _)| *support == body).map(|(_, axis)| axis);
        released.or_else(|| {
            (body < self.world.setup.walls.len() && self.world.bodies.inertia[body].is_movable())
                .then(|| self.world.wall_axis(body))
                .flatten()
        })
    }

    /// Entries of a load in the rows of a body: along its axis, if it has one; of others the force, and of those that
    /// turn the torque over the radius.
    fn entries(&self, body: usize, load: &AppliedLoad<D>) -> Vec<f64> {
        if let Some(axis) = self.axis(body) {
            return vec![load.force.dot(axis)];
        }
        let mut entries: Vec<f64> = (0..D::Vec::LEN).map(|axis| load.force.get(axis)).collect();
        if self.world.bodies.inertia[body].round_inv_i() > 0.0 {
            let radius = self.world.bodies.shape[body].radius();
            entries.extend((0..D::Spin::LEN).map(|axis| load.torque.get(axis) / radius));
        }
        entries
    }

    /// Force of every contact on b, from its unknowns [N].
    pub fn force(&self, contact: &AssemblyContact<D>, forces: &[f64]) -> D::Vec {
        let normal = contact.normal * forces[contact.first];
        let tangents = D::tangents(contact.normal);
        let tangential = forces[contact.first + 1..contact.first + contact.width].iter();
        tangents.into_iter().zip(tangential).fold(normal, |sum, (tangent, size)| sum + tangent * *size)
    }

    /// Velocity of b relative to a at a contact, along the directions of its unknowns, for a motion by row.
    pub fn slip(&self, contact: &AssemblyContact<D>, motion: &[f64]) -> Vec<f64> {
        let along = |column: &Vec<(usize, f64)>| column.iter().map(|(row, value)| value * motion[*row]).sum();
        self.columns[contact.first..contact.first + contact.width].iter().map(along).collect()
    }

    /// The frame of the assembly with these contact forces, for pictures and measures. Contacts are open where the
    /// force is below `zero` [N], and `slides` says which of the others slide.
    pub fn frame(&self, forces: &[f64], zero: f64, slides: &[bool]) -> Frame {
        let mut world = self.world.clone();
        let mut terms = Vec::with_capacity(self.contacts.len());
        for (k, contact) in self.contacts.iter().enumerate() {
            let memory = &mut world.network_mut().memory[k];
            *memory = Default::default();
            if forces[contact.first] > zero {
                memory.impulse = self.force(contact, forces);
                memory.regime = if slides[k] { Regime::Slide } else { Regime::Stick };
            }
            terms.push(ContactTerms { friction: contact.friction, bias: D::Vec::ZERO, torque: D::Spin::ZERO });
        }
        frame_of(&world, 1.0, &terms, &StepReport::default())
    }
}

/// Refuses what has other forces than those of contacts with friction.
fn refuse<D: Dim>(world: &World<D>) -> Result<(), String> {
    let has = |what: &str| Err(format!("limit loads are those of rigid contacts with friction: {what}"));
    let pairs = || world.setup.laws.pairs();
    if pairs().any(|pair| pair.cohesion.is_some()) {
        return has("take `cohesion` out of [[contact]]");
    }
    if pairs().any(|pair| pair.rolling.is_some() || pair.torsion.is_some()) {
        return has("take `rolling` and `torsion` out of [[contact]]");
    }
    if !world.setup.links.constraints.is_empty() || !world.setup.links.springs.is_empty() {
        return has("this scenario has rods, joints or springs");
    }
    if world.cell.as_ref().is_some_and(|cell| cell.press.is_some()) {
        return has("the periodic cell of this scenario follows a stress");
    }
    match world.free_grains().next() {
        Some(_) => Ok(()),
        None => has("this scenario has no grain that can move at its start"),
    }
}
