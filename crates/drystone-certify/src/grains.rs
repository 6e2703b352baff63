//! Grains stay what they are: radius, mass, material and shape from frame to frame; and what cannot move does not.

use std::collections::HashMap;

use super::VARY;
use super::judge::{Check, Judge};
use super::scene::{Scene, Scheme};
use super::space::{Vec3, norm};
use drystone_files::record::frame::{Contacts, Frame, Grains};

/// The properties of the grains in earlier frames.
#[derive(Default)]
pub(crate) struct Known {
    first: Option<Grains>,
    /// The constant properties of every grain so far, by its id.
    bodies: HashMap<u32, Body>,
}

/// The constant properties of a grain.
#[derive(Clone, PartialEq)]
struct Body {
    radius: u64,
    mass: u64,
    material: u32,
    turns: Option<u8>,
    shape: Vec<u64>,
    /// Position of a grain that is held in place.
    held: Option<[u64; 3]>,
}

impl Known {
    /// Checks the grains of a frame against those of earlier ones.
    pub(crate) fn check(&mut self, frame: &Frame, scene: &Scene, judge: &mut Judge) {
        let grains = &frame.grains;
        let first = self.first.get_or_insert_with(|| grains.clone());
        if scene.grains_vary {
            judge.leave_out(Check::Grains, VARY);
        } else {
            let turns = grains.turns == first.turns && (scene.has_blocks || grains.turns.is_empty());
            judge.require(Check::Grains, turns, || "which grains turn".into());
            judge.require(Check::Grains, grains.id == first.id, || "the list of grains".into());
            let shapes = |g: &Grains| (g.outlines.clone(), g.radii.clone(), g.faces.clone());
            judge.require(Check::Grains, shapes(grains) == shapes(first), || "the list of shapes".into());
        }
        for k in 0..grains.id.len() {
            let name = || format!("grain {}", grains.id[k]);
            let mut body = body(grains, k);
            if scene.grows {
                (body.radius, body.mass, body.shape) = (0, 0, Vec::new());
            }
            let known = self.bodies.entry(grains.id[k]).or_insert_with(|| body.clone());
            judge.require(Check::Grains, body == *known, name);
            let [x, y, z, w] = grains.orientation[k];
            judge.see(Check::Grains, (norm([x, y, z]).hypot(w) - 1.0).abs(), 4.0 * f64::EPSILON, name);
            check_motion(frame, k, judge);
        }
        check_plane(frame, judge);
        check_verdict(frame, scene, judge);
    }
}

fn body(grains: &Grains, k: usize) -> Body {
    let outline = grains.outline.get(k).and_then(|number| usize::try_from(*number).ok());
    let numbers = |outline: usize| {
        let corners = grains.outlines.get(outline).into_iter().flatten().flatten();
        let radii = grains.radii.get(outline).into_iter().flatten();
        corners.chain(radii).map(|x| x.to_bits()).collect()
    };
    let is_held = grains.mass[k].is_infinite();
    Body {
        radius: grains.radius[k].to_bits(),
        mass: grains.mass[k].to_bits(),
        material: grains.material[k],
        turns: grains.turns.get(k).copied(),
        shape: outline.map(numbers).unwrap_or_default(),
        held: is_held.then(|| grains.own_position(k).map(f64::to_bits)),
    }
}

/// A grain that is held in place neither moves nor turns; nothing has acted yet on any grain in the frame of the start.
fn check_motion(frame: &Frame, k: usize, judge: &mut Judge) {
    let grains = &frame.grains;
    let name = |what: &str| format!("{what} of grain {}", grains.id[k]);
    let own_before = grains.own_previous_velocity.get(k).copied();
    let (v, w) = (grains.own_velocity(k), grains.angular_velocity[k]);
    let before = (own_before.unwrap_or(grains.previous_velocity[k]), grains.previous_angular_velocity[k]);
    if grains.mass[k].is_infinite() {
        judge.require(Check::Grains, (v, w) == ([0.0; 3], [0.0; 3]) && before == (v, w), || name("velocity"));
    } else if frame.step == 0 {
        judge.require(Check::Grains, before == (v, w), || name("velocity at the start"));
    }
}

/// In the plane, vectors have no third component, and rotations and torques have nothing else.
fn check_plane(frame: &Frame, judge: &mut Judge) {
    if frame.dimension != 2 {
        return;
    }
    let flat = |column: &[Vec3]| column.iter().all(|v| v[2] == 0.0);
    let upright = |column: &[Vec3]| column.iter().all(|w| w[0] == 0.0 && w[1] == 0.0);
    let Grains { position, velocity, previous_velocity, orientation, .. } = &frame.grains;
    let Grains { own_position, own_velocity, own_previous_velocity, outlines, .. } = &frame.grains;
    let own = [own_position, own_velocity, own_previous_velocity];
    let moves = [position, velocity, previous_velocity].into_iter().chain(own).chain(outlines).all(|c| flat(c));
    let spins = [&frame.grains.angular_velocity, &frame.grains.previous_angular_velocity];
    let turns = spins.into_iter().all(|c| upright(c)) && orientation.iter().all(|q| q[0] == 0.0 && q[1] == 0.0);
    judge.require(Check::Grains, moves && turns, || "something of a grain leaves the plane".into());
    let Contacts { from, to, normal, tangential_force, bias, arm_a, arm_b, torque, .. } = &frame.contacts;
    let lies = [from, to, normal, tangential_force, bias, arm_a, arm_b].into_iter().all(|c| flat(c));
    judge.require(Check::Geometry, lies && upright(torque), || "something of a contact leaves the plane".into());
}

/// A frame of soft grains, or of the start, states no residuals: nothing was solved.
fn check_verdict(frame: &Frame, scene: &Scene, judge: &mut Judge) {
    let stated = [frame.residual, frame.force_error, frame.overlap_growth];
    if frame.step == 0 || matches!(scene.scheme, Scheme::Soft | Scheme::Flight) {
        let holds = stated == [0.0; 3] && frame.converged == (frame.step > 0);
        judge.require(Check::Frames, holds, || "whether the step converged".into());
    }
}
