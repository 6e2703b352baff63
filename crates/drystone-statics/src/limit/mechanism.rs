//! How bodies begin to move at the limit.

use std::collections::BTreeMap;

use drystone::body::Twist;
use drystone::dim::{Dim, Vector};
use drystone::world::World;

use super::assembly::Assembly;
use super::multiplier::Collapse;

/// Relative velocities below this part of the largest one count as zero: ten times what the solver leaves of a zero.
const STILL: f64 = 1e-5;
/// Forces below this part of the largest one count as zero.
const NONE: f64 = 1e-6;

/// What a contact, or a joint of several contacts, does in a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMotion {
    /// Its surfaces keep together.
    Rests,
    /// Its surfaces slide on each other.
    Slides,
    /// It opens at some of its points and not at others: two blocks turn about a corner.
    Turns,
    /// It opens everywhere.
    Opens,
}

impl ContactMotion {
    /// One word.
    pub fn word(self) -> &'static str {
        match self {
            ContactMotion::Rests => "rests",
            ContactMotion::Slides => "slides",
            ContactMotion::Turns => "hinge",
            ContactMotion::Opens => "opens",
        }
    }
}

/// A joint: all contacts of two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The bodies a and b.
    pub bodies: [usize; 2],
    /// Its contacts in the order of the assembly.
    pub contacts: Vec<usize>,
    /// What it does.
    pub motion: ContactMotion,
}

/// Velocities of the bodies as they begin to move.
#[derive(Clone, Debug)]
pub struct Mechanism<D: Dim> {
    /// Velocities over that of the fastest point of all bodies: [1], and angular ones [1/m].
    pub twists: Vec<Twist<D>>,
    /// What every contact does.
    pub contacts: Vec<ContactMotion>,
    /// What every joint does.
    pub joints: Vec<Joint>,
    /// Velocity of every contact along its normal and across, over that of the fastest point.
    pub slips: Vec<[f64; 2]>,
    /// Below this a contact force counts as zero [N].
    pub zero: f64,
}

impl<D: Dim> Mechanism<D> {
    /// The mechanism of a collapse.
    pub fn of(assembly: &Assembly<D>, collapse: &Collapse) -> Mechanism<D> {
        let (mut twists, fastest) = twists(assembly, &collapse.motion);
        for twist in &mut twists {
            *twist = Twist { v: twist.v * (1.0 / fastest), w: twist.w * (1.0 / fastest) };
        }
        let slip = |contact| {
            let along = assembly.slip(contact, &collapse.motion);
            [along[0] / fastest, along[1..].iter().map(|t| t * t).sum::<f64>().sqrt() / fastest]
        };
        let slips: Vec<[f64; 2]> = assembly.contacts.iter().map(slip).collect();
        let zero = NONE * assembly.contacts.iter().map(|c| collapse.forces[c.first]).fold(0.0, f64::max);
        let largest = slips.iter().map(|[n, t]| n.abs().max(*t)).fold(0.0, f64::max);
        let motion = |(contact, [opening, slip]): (&super::AssemblyContact<D>, &[f64; 2])| {
            let has_force = collapse.forces[contact.first] > zero;
            match () {
                () if !has_force && *opening > STILL * largest => ContactMotion::Opens,
                () if *slip > STILL * largest => ContactMotion::Slides,
                () => ContactMotion::Rests,
            }
        };
        let contacts: Vec<ContactMotion> = assembly.contacts.iter().zip(&slips).map(motion).collect();
        let joints = joints(assembly, &contacts);
        Mechanism { twists, contacts, joints, slips, zero }
    }

    /// Number of joints that do this.
    pub fn count(&self, motion: ContactMotion) -> usize {
        self.joints.iter().filter(|joint| joint.motion == motion).count()
    }

    /// The world of the assembly after every body has moved with its velocity, the fastest point by about `way` [m]. It
    /// has no contacts.
    pub fn moved(&self, assembly: &Assembly<D>, way: f64) -> World<D> {
        let mut world = assembly.world.clone();
        world.network_mut().retain(|_, _| false);
        for (body, twist) in self.twists.iter().enumerate() {
            let pose = &mut world.state.bodies.pose[body];
            pose.x += twist.v * way;
            pose.q = D::turn(pose.q, twist.w, way);
        }
        world
    }
}

/// Velocities from the rows of balance, and that of the fastest point.
fn twists<D: Dim>(assembly: &Assembly<D>, motion: &[f64]) -> (Vec<Twist<D>>, f64) {
    let (world, mut fastest) = (&assembly.world, 0.0_f64);
    let twist = |(body, row): (usize, &Option<usize>)| {
        let Some(row) = *row else { return Twist::default() };
        if let Some(axis) = assembly.axis(body) {
            return Twist { v: axis * motion[row], w: D::Spin::ZERO };
        }
        let v = D::Vec::from_fn(|axis| motion[row + axis]);
        let turns = world.bodies.inertia[body].round_inv_i() > 0.0;
        let radius = world.bodies.shape[body].radius();
        let spin = |axis: usize| if turns { motion[row + D::Vec::LEN + axis] / radius } else { 0.0 };
        Twist { v, w: D::Spin::from_fn(spin) }
    };
    let twists: Vec<Twist<D>> = assembly.rows.iter().enumerate().map(twist).collect();
    for (body, twist) in twists.iter().enumerate() {
        let turning = if twist.w == D::Spin::ZERO { 0.0 } else { twist.w.norm() * world.bodies.shape[body].radius() };
        fastest = fastest.max(twist.v.norm() + turning);
    }
    (twists, fastest)
}

/// Joints between bodies, from what their contacts do.
fn joints<D: Dim>(assembly: &Assembly<D>, motions: &[ContactMotion]) -> Vec<Joint> {
    let mut joints: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
    for (k, contact) in assembly.contacts.iter().enumerate() {
        joints.entry([contact.key.a as usize, contact.key.b as usize]).or_default().push(k);
    }
    let joint = |(bodies, contacts): ([usize; 2], Vec<usize>)| {
        let count = |motion: ContactMotion| contacts.iter().filter(|k| motions[**k] == motion).count();
        let motion = match (count(ContactMotion::Opens), count(ContactMotion::Slides)) {
            (0, 0) => ContactMotion::Rests,
            (0, _) => ContactMotion::Slides,
            (open, _) if open == contacts.len() => ContactMotion::Opens,
            _ => ContactMotion::Turns,
        };
        Joint { bodies, contacts, motion }
    };
    joints.into_iter().map(joint).collect()
}
