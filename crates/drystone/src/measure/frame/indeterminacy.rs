//! How far contact forces are undetermined, by counting.

use super::view::{FrameView, Nothing};
use super::{Column, ContactForce, FrameMeasure};
use crate::measure::vector::cross;
use crate::record::Frame;

/// Components below this are the rounding of a zero, such as the torque of a force that points to the centre, over the
/// radius: forces are unit vectors here.
const ROUNDING: f64 = 1e-14;
/// A contact that slides, in the columns of a frame.
const SLIDES: u8 = 2;

/// Components of the forces of all contacts that press, the equations of balance in which they stand, and the difference,
/// also for a contact: the least number of independent self-stresses. It is their number if no motion of the grains
/// leaves all contacts at rest; `drystone forces` counts such motions, too. A contact with friction has one component for
/// every dimension of space, one that slides or has no friction a single one. Free grains, pistons, and cells that follow
/// a stress have equations.
pub(crate) struct Indeterminacy;

impl FrameMeasure for Indeterminacy {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["force_components", "balance_equations", "indeterminacy", "indeterminacy_per_contact"]
            .map(|name| Column::new(name, "1"))
            .into()
    }

    fn takes_region(&self) -> bool {
        false
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let frame = view.frame;
        let (mut equations, mut components, mut contacts) = (Equations::of(frame), 0, 0);
        for found in view.contact_forces() {
            let normal_force = frame.contacts.normal_force[found.contact];
            if normal_force <= 0.0 {
                continue;
            }
            contacts += 1;
            let has_one =
                frame.contacts.friction[found.contact] == 0.0 || frame.contacts.regime[found.contact] == SLIDES;
            components += if has_one { 1 } else { frame.dimension };
            equations.enter(frame, &found, has_one.then(|| found.force.map(|f| f / normal_force)));
        }
        let count = equations.count();
        let degree = components as f64 - count as f64;
        let each = if contacts == 0 { 0.0 } else { degree / f64::from(contacts) };
        Ok(vec![vec![components as f64, count as f64, degree, each]])
    }
}

/// Which equations of balance have entries.
struct Equations {
    /// Forces along the axes and torques about them, by grain.
    grains: Vec<[bool; 6]>,
    /// Forces on pistons, by wall.
    pistons: Vec<bool>,
    /// Stresses that the cell follows.
    stresses: usize,
}

impl Equations {
    fn of(frame: &Frame) -> Equations {
        let press = frame.cell.as_ref().and_then(|cell| cell.press.as_ref());
        let stresses = press.map_or(0, |press| {
            press.follows.iter().filter(|follows| **follows).count() + usize::from(press.shear.is_some())
        });
        Equations {
            grains: vec![[false; 6]; frame.grains.mass.len()],
            pistons: vec![false; frame.wall_states.mass.len()],
            stresses,
        }
    }

    /// Enters a contact force: one with a given direction, or any.
    fn enter(&mut self, frame: &Frame, found: &ContactForce, direction: Option<[f64; 3]>) {
        for (body, arm) in [(found.a, found.arm_a), (Some(found.b), found.arm_b)] {
            let Some(grain) = body.filter(|grain| frame.grains.mass[*grain].is_finite()) else { continue };
            let turns = frame.grains.turns.get(grain).is_none_or(|turns| *turns == 1);
            let rows = &mut self.grains[grain];
            let planar = frame.dimension == 2;
            match direction {
                None => {
                    let axes = if planar {
                        [true, true, false, false, false, turns]
                    } else {
                        [true, true, true, turns, turns, turns]
                    };
                    rows.iter_mut().zip(axes).for_each(|(row, has)| *row |= has);
                }
                Some(f) => {
                    let radius = frame.grains.radius[grain];
                    let torque = cross(arm, f).map(|t| t / radius);
                    for axis in 0..3 {
                        rows[axis] |= f[axis].abs() > ROUNDING;
                        rows[3 + axis] |= turns && torque[axis].abs() > ROUNDING;
                    }
                }
            }
        }
        let wall = usize::try_from(-1 - frame.contacts.a[found.contact]).ok();
        if let Some(wall) = wall.filter(|wall| frame.wall_states.mass.get(*wall).is_some_and(|mass| mass.is_finite())) {
            self.pistons[wall] = true;
        }
    }

    fn count(&self) -> usize {
        let of_grains: usize = self.grains.iter().map(|rows| rows.iter().filter(|row| **row).count()).sum();
        of_grains + self.pistons.iter().filter(|row| **row).count() + self.stresses
    }
}
