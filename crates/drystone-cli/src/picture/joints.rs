//! Joints between stones: where the force goes through each, which of them are hinges and which slide.
//!
//! All contacts of two bodies are one joint. Its force acts at the centre of pressure, sum f_n x / sum f_n. Within a
//! stone with two joints the line of thrust runs from one to the other; within others it runs to the centre of mass.

use std::collections::BTreeMap;
use std::fmt::Write;

use drystone::record::frame::{Contacts, Frame};

use super::legend::{Entry, Sign};
use super::palette::{INK, hex};
use super::scale;
use super::view::View;
use super::{Grain, is_drawable, mean_radius};

/// A joint that carries a force.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Joint {
    bodies: [i32; 2],
    /// Centre of pressure [m].
    point: [f64; 2],
    /// Sum of the normal forces [N].
    force: f64,
    /// Contacts that carry a force.
    contacts: usize,
    /// Whether all of them slide.
    slides: bool,
}

/// The joints of a frame with stones.
#[derive(Debug)]
pub(super) struct Joints(Vec<Joint>);

impl Joints {
    /// Collects the joints; a frame without stones has none.
    pub(super) fn of(frame: &Frame) -> Joints {
        let (c, grains) = (&frame.contacts, &frame.grains);
        let row: BTreeMap<i32, usize> = grains.id.iter().zip(0..).map(|(id, row)| (*id as i32, row)).collect();
        let mut joints: BTreeMap<[i32; 2], Joint> = BTreeMap::new();
        for k in 0..c.arm_b.len() {
            let (force, Some(&b)) = (c.normal_force[k], row.get(&c.b[k])) else { continue };
            let point: [f64; 3] = std::array::from_fn(|axis| grains.position[b][axis] + c.arm_b[k][axis]);
            if !(force > 0.0 && force < super::FAR && is_drawable(point)) {
                continue;
            }
            let bodies = [c.a[k], c.b[k]];
            let none = Joint { bodies, point: [0.0; 2], force: 0.0, contacts: 0, slides: true };
            let joint = joints.entry(bodies).or_insert(none);
            joint.point = [0, 1].map(|axis| joint.point[axis] + force * point[axis]);
            joint.force += force;
            joint.contacts += 1;
            joint.slides &= c.regime[k] == 2;
        }
        let finish = |joint: Joint| Joint { point: joint.point.map(|x| x / joint.force), ..joint };
        Joints(joints.into_values().map(finish).collect())
    }

    /// Whether there is nothing to draw.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The frame with the line of thrust instead of its contacts.
    pub(super) fn thrust(&self, frame: &Frame) -> Frame {
        let mut lines = Contacts::default();
        // a line that starts at a wall says so, and ends there
        let mut add = |id: u32, wall: Option<i32>, from: [f64; 2], to: [f64; 2], force: f64| {
            lines.from.push([from[0], from[1], 0.0]);
            lines.to.push([to[0], to[1], 0.0]);
            lines.normal_force.push(force);
            lines.a.push(wall.unwrap_or(id as i32));
            lines.b.push(id as i32);
        };
        for (row, &id) in frame.grains.id.iter().enumerate() {
            let [x, y, _] = frame.grains.position[row];
            let own: Vec<&Joint> = self.0.iter().filter(|joint| joint.bodies.contains(&(id as i32))).collect();
            let wall = |joint: &Joint| joint.bodies.into_iter().find(|body| *body < 0);
            match own.as_slice() {
                [one, other] => {
                    let (one, other) = if wall(one).is_some() { (one, other) } else { (other, one) };
                    add(id, wall(one), one.point, other.point, 0.5 * (one.force + other.force));
                }
                many => many.iter().for_each(|joint| add(id, wall(joint), joint.point, [x, y], joint.force)),
            }
        }
        Frame { contacts: lines, ..frame.clone() }
    }

    /// Hinges as rings, sliding joints as crosses.
    pub(super) fn svg(&self, frame: &Frame, grains: &[Grain], view: &View) -> String {
        let size = (0.12 * mean_radius(grains) * view.scale).clamp(5.0, 9.0);
        let mut svg = String::new();
        for joint in &self.0 {
            let at = view.pixel(joint.point);
            if joint.slides {
                let _ = writeln!(svg, "{}", cross(at, size));
            } else if is_hinge(joint, frame) {
                let _ = writeln!(svg, "{}", ring(at, size));
            }
        }
        svg
    }

    /// What rings and crosses mean, if there are any.
    pub(super) fn legend(&self, frame: &Frame) -> Vec<Entry> {
        let hinges = self.0.iter().filter(|joint| !joint.slides && is_hinge(joint, frame)).count();
        let slides = self.0.iter().filter(|joint| joint.slides).count();
        let entry = |count: usize, sign: Sign, name: &str| {
            (count > 0).then(|| Entry { sign, label: scale::count(count, name) })
        };
        entry(hinges, Sign::Ring, "hinge").into_iter().chain(entry(slides, Sign::Cross, "sliding joint")).collect()
    }
}

/// The sign of a hinge.
pub(super) fn ring([x, y]: [f64; 2], size: f64) -> String {
    format!(
        r##"<circle cx="{x:.1}" cy="{y:.1}" r="{size:.1}" fill="#ffffff" stroke="{}" stroke-width="2.4"/>"##,
        hex(INK)
    )
}

/// The sign of a joint that slides.
pub(super) fn cross([x, y]: [f64; 2], size: f64) -> String {
    let (left, top, wide) = (x - size, y - size, 2.0 * size);
    let path = format!("M{left:.1} {top:.1}l{wide:.1} {wide:.1}m-{wide:.1} 0l{wide:.1} -{wide:.1}");
    format!(r#"<path stroke="{}" stroke-width="2.4" fill="none" d="{path}"/>"#, hex(INK))
}

/// A joint of a stone that carries its force in one corner.
fn is_hinge(joint: &Joint, frame: &Frame) -> bool {
    let grains = &frame.grains;
    let is_stone = |id: &i32| {
        let row = grains.id.iter().position(|other| *other as i32 == *id);
        row.is_some_and(|row| grains.corners(row).is_some())
    };
    joint.contacts == 1 && joint.bodies.iter().filter(|id| **id >= 0).all(is_stone)
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    /// Two contacts of 1 N and 3 N one metre apart: the pressure is three quarters of the way to the stronger one.
    #[test]
    fn the_centre_of_pressure_and_hinges() {
        let mut frame = row(2, 2);
        frame.grains.outlines = vec![vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]];
        frame.grains.outline = vec![0, 0];
        let c = &mut frame.contacts;
        (c.arm_a, c.arm_b) = (vec![[1.0, -0.5, 0.0]], vec![[-1.0, -0.5, 0.0]]);
        let hinge = Joints::of(&frame);
        assert!(is_hinge(&hinge.0[0], &frame) && hinge.0[0].point == [1.0, 0.5]);
        let c = &mut frame.contacts;
        for column in [&mut c.from, &mut c.to, &mut c.normal, &mut c.tangential_force] {
            column.push(column[0]);
        }
        (c.a, c.b, c.regime) = (vec![0; 2], vec![1; 2], vec![2, 2]);
        c.normal_force = vec![1.0, 3.0];
        c.arm_b.push([-1.0, 0.5, 0.0]);
        let joints = Joints::of(&frame);
        assert_eq!(joints.0, [Joint { bodies: [0, 1], point: [1.0, 1.25], force: 4.0, contacts: 2, slides: true }]);
        assert_eq!(joints.thrust(&frame).contacts.normal_force, [4.0, 4.0]);
    }
}
