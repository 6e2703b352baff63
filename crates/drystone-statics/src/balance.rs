//! The equations of balance for contact forces: E f = e.
//!
//! A row is a component of the force on a free grain, or of the torque about its centre over its radius, the force
//! along the axis of a piston, or a stress that a periodic cell follows. A column is a component of a contact force.
//! Velocities and loads of a frame fix the right side, e = M (v - v_before) / dt - F_ext; since the forces f0 of the
//! frame are a solution, e = E f0, and no load has to be known.

use drystone::dim::{D3, Dim};
use drystone::measure::frame::{ContactForce, FrameView, Nothing, square_of_gyration};
use drystone::record::Frame;
use glam::DVec3;

/// Entries below this are the rounding of a zero, such as the torque of a force that points to the centre: forces are
/// unit vectors here, and arms about as long as a radius.
const ROUNDING: f64 = 1e-14;

/// Which contact forces are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Those that give the motion of the frame: a contact that slides keeps its direction and its full friction.
    Same,
    /// Those of grains at rest: every contact may mobilise any part of its friction in any direction.
    AtRest,
}

/// A contact of the system.
#[derive(Clone, Debug)]
pub struct BalancedContact {
    /// Its number in the columns of the frame.
    pub contact: usize,
    /// Grains that it joins: their numbers in the columns of the frame; no first one for a wall.
    pub grains: [Option<usize>; 2],
    /// Number of the wall, if it is one with a wall.
    pub wall: Option<usize>,
    /// Index of its first unknown; unknowns are in units of the mean normal force.
    pub first: usize,
    /// The directions of its unknowns, from the normal on; of a sliding contact one, the normal with the friction.
    pub directions: Vec<DVec3>,
    /// Coefficient of friction; zero if the only unknown is the normal force.
    pub friction: f64,
    /// Normal force in the frame, in units of the mean normal force.
    pub normal_force: f64,
}

/// The equations of balance of a frame, and its forces as one solution of them.
#[derive(Clone, Debug)]
pub struct Balance {
    /// The contacts that press.
    pub contacts: Vec<BalancedContact>,
    /// Entries of every unknown, by row.
    pub columns: Vec<Vec<(usize, f64)>>,
    /// Number of rows that have entries.
    pub rows: usize,
    /// The forces of the frame, by unknown, in units of the mean normal force.
    pub forces: Vec<f64>,
    /// Mean normal force, the unit of all forces here [N].
    pub unit: f64,
    /// By how much the largest friction in the frame exceeds its cone, over the normal force: a residual of its solve,
    /// by which that cone is widened, so that the forces of the frame are admissible.
    pub widened: f64,
}

impl Balance {
    /// The equations of balance of a frame.
    pub fn of(view: &FrameView, motion: Motion) -> Result<Balance, Nothing> {
        let frame = view.frame;
        refuse(frame)?;
        let contacts = &frame.contacts;
        let pressing: Vec<_> =
            view.contact_forces().into_iter().filter(|c| contacts.normal_force[c.contact] > 0.0).collect();
        let unit = pressing.iter().map(|c| contacts.normal_force[c.contact]).sum::<f64>() / pressing.len() as f64;
        if pressing.is_empty() {
            return Err(Nothing::Contacts);
        }
        let rows = Rows::of(frame);
        let mut balance = Balance {
            contacts: Vec::with_capacity(pressing.len()),
            columns: Vec::new(),
            rows: 0,
            forces: Vec::new(),
            unit,
            widened: 0.0,
        };
        for found in pressing {
            let k = found.contact;
            let normal = DVec3::from_array(contacts.normal[k]);
            let [normal_force, tangential] =
                [normal * contacts.normal_force[k], DVec3::from_array(contacts.tangential_force[k])].map(|f| f / unit);
            let size = normal_force.length();
            let mobilised = tangential.length() / size;
            let slides = motion == Motion::Same && contacts.regime[k] == 2;
            let friction = if contacts.friction[k] == 0.0 { 0.0 } else { contacts.friction[k].max(mobilised) };
            balance.widened = balance.widened.max(friction - contacts.friction[k]);
            let directions = match slides || friction == 0.0 {
                true => vec![normal + tangential / size],
                false => [normal].into_iter().chain(tangents(frame.dimension, normal)).collect(),
            };
            let force = normal_force + tangential;
            let first = balance.columns.len();
            balance.columns.extend(directions.iter().map(|direction| rows.column(frame, &found, *direction)));
            balance.forces.extend(match directions.len() {
                1 => vec![size],
                _ => directions.iter().map(|direction| force.dot(*direction)).collect(),
            });
            let friction = if directions.len() == 1 { 0.0 } else { friction };
            let grains = [found.a, Some(found.b)];
            let wall = usize::try_from(-1 - contacts.a[k]).ok();
            balance.contacts.push(BalancedContact {
                contact: k,
                grains,
                wall,
                first,
                directions,
                friction,
                normal_force: size,
            });
        }
        balance.rows = number_rows(&mut balance.columns);
        Ok(balance)
    }

    /// E f for given forces.
    pub fn apply(&self, forces: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.rows];
        for (column, force) in self.columns.iter().zip(forces) {
            column.iter().for_each(|(row, value)| sums[*row] += value * force);
        }
        sums
    }
}

/// Refuses frames with contacts whose laws have forces of other kinds.
fn refuse(frame: &Frame) -> Result<(), Nothing> {
    let contacts = &frame.contacts;
    let lacks = |what: &str| Err(Nothing::Lacks(format!("admissible forces are known for {what}")));
    if contacts.torque.iter().any(|torque| *torque != [0.0; 3]) {
        return lacks("contacts without rolling or torsion friction");
    }
    if contacts.normal_force.iter().any(|force| *force < 0.0) {
        return lacks("contacts that press: those of this frame pull, too");
    }
    Ok(())
}

/// Directions across a normal.
pub(crate) fn tangents(dimension: usize, normal: DVec3) -> Vec<DVec3> {
    match dimension {
        2 => vec![DVec3::new(-normal.y, normal.x, 0.0)],
        _ => D3::tangents(normal),
    }
}

/// A force on a grain, at the end of an arm.
struct Push {
    body: Option<usize>,
    arm: [f64; 3],
    force: DVec3,
}

/// Numbers of rows: six for each grain, one for each wall, four for the cell. Those without entries are left out at the
/// end.
pub(crate) struct Rows {
    walls: usize,
    cell: usize,
}

impl Rows {
    pub(crate) fn of(frame: &Frame) -> Rows {
        let walls = 6 * frame.grains.mass.len();
        Rows { walls, cell: walls + frame.wall_states.mass.len() }
    }

    /// Entries of a force of a contact along a direction, by row.
    pub(crate) fn column(&self, frame: &Frame, found: &ContactForce, direction: DVec3) -> Vec<(usize, f64)> {
        let push = |body: Option<usize>, arm: [f64; 3], sign: f64| Push { body, arm, force: direction * sign };
        let ends = [push(found.a, found.arm_a, -1.0), push(Some(found.b), found.arm_b, 1.0)];
        let mut column = ends.iter().flat_map(|end| self.of_grain(frame, end)).collect::<Vec<_>>();
        column.extend(self.of_wall(frame, frame.contacts.a[found.contact], -direction));
        column.extend(self.of_cell(frame, found.contact, direction));
        column.retain(|(_, value)| value.abs() > ROUNDING);
        column
    }

    /// Inverse of the inertia of a row [1/kg]: of a mass, of a moment over the square of the radius, of a piston, or of
    /// a length of the cell. Grains are round, or polygons of the plane.
    pub(crate) fn mobility(&self, frame: &Frame, row: usize) -> f64 {
        let (grain, component) = (row / 6, row % 6);
        if row >= self.cell {
            return frame.cell.as_ref().and_then(|cell| cell.press.as_ref()).map_or(0.0, |press| 1.0 / press.mass);
        }
        if row >= self.walls {
            return 1.0 / frame.wall_states.mass[row - self.walls];
        }
        let grains = &frame.grains;
        match component {
            0..3 => 1.0 / grains.mass[grain],
            _ => grains.radius[grain].powi(2) / (grains.mass[grain] * square_of_gyration(frame, grain)),
        }
    }

    /// Forces and torques on a free grain; torques over its radius.
    fn of_grain(&self, frame: &Frame, push: &Push) -> Vec<(usize, f64)> {
        let grains = &frame.grains;
        let Some(grain) = push.body.filter(|grain| grains.mass[*grain].is_finite()) else { return Vec::new() };
        let mut entries: Vec<(usize, f64)> =
            push.force.to_array().into_iter().enumerate().map(|(axis, f)| (6 * grain + axis, f)).collect();
        if grains.turns.get(grain).is_none_or(|turns| *turns == 1) {
            let torque = DVec3::from_array(push.arm).cross(push.force) / grains.radius[grain];
            let axes = if frame.dimension == 2 { 2..3 } else { 0..3 };
            entries.extend(axes.map(|axis| (6 * grain + 3 + axis, torque[axis])));
        }
        entries
    }

    /// The force along the axis of a piston: that of what drives it, or of its motion.
    fn of_wall(&self, frame: &Frame, a: i32, force: DVec3) -> Option<(usize, f64)> {
        let wall = usize::try_from(-1 - a).ok()?;
        let walls = &frame.wall_states;
        walls.mass.get(wall).filter(|mass| mass.is_finite())?;
        let axis = [walls.drive[wall], walls.velocity[wall], walls.previous_velocity[wall]]
            .into_iter()
            .find_map(|vector| DVec3::from_array(vector).try_normalize())?;
        Some((self.walls + wall, force.dot(axis)))
    }

    /// Entries in the rows of the stresses that a cell follows: f l along an axis, and across it for a shear stress.
    fn of_cell(&self, frame: &Frame, contact: usize, force: DVec3) -> Vec<(usize, f64)> {
        let Some((cell, press)) = frame.cell.as_ref().and_then(|cell| Some((cell, cell.press.as_ref()?))) else {
            return Vec::new();
        };
        let [from, to] = [frame.contacts.from[contact], frame.contacts.to[contact]].map(DVec3::from_array);
        let branch = |axis: usize| (to - from)[axis] / cell.lengths[axis];
        let normal =
            (0..3).filter(|axis| press.follows[*axis]).map(|axis| (self.cell + axis, force[axis] * branch(axis)));
        let shear = press.shear.and(cell.shear).map(|plane| (self.cell + 3, force[plane.along] * branch(plane.across)));
        normal.chain(shear).collect()
    }
}

/// Numbers the rows that have entries from zero on; returns their number.
fn number_rows(columns: &mut [Vec<(usize, f64)>]) -> usize {
    let mut used: Vec<usize> = columns.iter().flatten().map(|(row, _)| *row).collect();
    used.sort_unstable();
    used.dedup();
    for (row, _) in columns.iter_mut().flatten() {
        *row = used.partition_point(|other| other < row);
    }
    used.len()
}
