//! Rods, joints, lines and circles: positions and velocities of the bodies that they hold.

use toml::{Table, Value};

use super::judge::{Check, Judge};
use super::kinds;
use super::scene::{as_number, entries};
use super::solids::turned;
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use drystone_files::record::frame::{Frame, Grains};

/// How far off a link may be, as a part of its length and of the speeds: it is projected until rounding stops it, and
/// chains of links lose some of the sixteen digits.
const OFF: f64 = 1e-10;

/// An end of a link.
#[derive(Clone, Debug)]
enum End {
    /// A fixed point in space.
    Point(Vec3),
    /// A point of the grain with this id, as it stood in the first frame; its centre if it is left out.
    Grain(u32, Option<Vec3>),
}

/// The condition between two ends.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// They keep this distance, or that of the first frame [m].
    Length(Option<f64>),
    /// They do not separate along a unit vector.
    Along(Vec3),
    /// They separate only along a unit vector.
    Across(Vec3),
    /// They coincide.
    Together,
}

/// A link of the scenario.
#[derive(Clone, Debug)]
struct Link {
    name: String,
    ends: [End; 2],
    forms: Vec<Form>,
}

/// All links of a run.
pub(crate) struct Links {
    links: Vec<Link>,
    /// Whether positions and velocities are projected onto them.
    projects: [bool; 2],
    /// Grains of the first frame.
    first: Grains,
}

impl Links {
    /// The links of a resolved scenario whose first frame is this; none if there are none, or if it is unknown which
    /// grains they hold.
    pub(crate) fn of(root: &Table, frame: &Frame, judge: &mut Judge) -> Option<Links> {
        let method = root.get("method").and_then(Value::as_table)?;
        let chosen = method.get("use").and_then(Value::as_str).filter(|chosen| *chosen == "dae")?;
        let projection = method.get(chosen)?.get("projection").and_then(Value::as_str).unwrap_or("full");
        entries(root, "constraint").next()?;
        let Some(ids) = first_ids(root, frame.grains.id.len()) else {
            judge.leave_out(Check::Grains, "rods and joints of several groups of grains that are placed on lattices");
            return None;
        };
        let mut links = Vec::new();
        for (k, entry) in entries(root, "constraint").enumerate() {
            match Link::read(k, entry, &ids) {
                Some(link) => links.push(link),
                None => judge.leave_out(Check::Grains, Link::strange(entry)),
            }
        }
        if !kinds::knows("method.dae.projection", projection) {
            judge.leave_out(Check::Grains, kinds::unknown("projections onto constraints", projection));
            return None;
        }
        Some(Links { links, projects: [projection == "full", projection != "none"], first: frame.grains.clone() })
    }

    /// Checks that all links hold.
    pub(crate) fn check(&self, frame: &Frame, judge: &mut Judge) {
        for link in &self.links {
            let [Some(a), Some(b)] = link.ends.each_ref().map(|end| self.stand(end, frame)) else {
                judge.require(Check::Grains, false, || format!("{} holds a grain that is not there", link.name));
                continue;
            };
            let (apart, rate) = (sub(b.0, a.0), sub(b.1, a.1));
            let [was_a, was_b] = link.ends.each_ref().map(|end| self.stood(end).unwrap_or_default());
            let at_first = sub(was_b, was_a);
            let size = norm(at_first) + norm(a.0) + norm(b.0);
            let speed = norm(a.1) + norm(b.1);
            for form in &link.forms {
                let (miss, drift) = match form {
                    Form::Length(length) => {
                        (norm(apart) - length.unwrap_or(norm(at_first)), dot(apart, rate) / norm(apart))
                    }
                    Form::Along(axis) => (dot(sub(apart, at_first), *axis), dot(rate, *axis)),
                    Form::Across(axis) => {
                        let across = |v: Vec3| norm(sub(v, scale(*axis, dot(v, *axis))));
                        (across(sub(apart, at_first)), across(rate))
                    }
                    Form::Together => (norm(sub(apart, at_first)), norm(rate)),
                };
                if self.projects[0] {
                    judge.see(Check::Grains, miss.abs() / size, OFF, || format!("places at {}", link.name));
                }
                if self.projects[1] && frame.step > 0 && speed != 0.0 {
                    judge.see(Check::Grains, drift.abs() / speed, OFF, || format!("velocities at {}", link.name));
                }
            }
        }
    }

    /// Where an end was in the first frame.
    fn stood(&self, end: &End) -> Option<Vec3> {
        match end {
            End::Point(x) | End::Grain(_, Some(x)) => Some(*x),
            End::Grain(id, None) => {
                let k = self.first.id.iter().position(|known| known == id)?;
                Some(self.first.own_position(k))
            }
        }
    }

    /// Where an end is, and how fast it moves.
    fn stand(&self, end: &End, frame: &Frame) -> Option<(Vec3, Vec3)> {
        let End::Grain(id, _) = end else { return self.stood(end).map(|x| (x, [0.0; 3])) };
        let of = |grains: &Grains| grains.id.iter().position(|known| known == id);
        let (k, was) = (of(&frame.grains)?, of(&self.first)?);
        let upright = self.first.orientation[was];
        let back = [-upright[0], -upright[1], -upright[2], upright[3]];
        let own = turned(back, sub(self.stood(end)?, self.first.own_position(was)));
        let arm = turned(frame.grains.orientation[k], own);
        let swing = cross(frame.grains.angular_velocity[k], arm);
        Some((add(frame.grains.own_position(k), arm), add(frame.grains.own_velocity(k), swing)))
    }
}

impl Link {
    /// The words for an unsupported constraint.
    fn strange(entry: &Table) -> String {
        match entry.get("kind").and_then(Value::as_str) {
            Some(kind) if kinds::knows("constraint.kind", kind) => format!("constraints `{kind}` of an unknown form"),
            kind => kinds::unknown("constraints", kind.unwrap_or("?")),
        }
    }

    fn read(place: usize, entry: &Table, ids: &[(String, u32)]) -> Option<Link> {
        let grain = |name: &str| {
            let (group, number) =
                name.rsplit_once('.').and_then(|(g, k)| Some((g, k.parse().ok()?))).unwrap_or((name, 0));
            ids.iter().find(|(known, _)| known == group).map(|(_, first)| first + number)
        };
        let of_grain =
            |key: &str| Some(End::Grain(grain(entry.get(key)?.as_str()?)?, entry.get("at").and_then(vector)));
        let direction = |key: &str| entry.get(key).and_then(vector).map(|v| scale(v, 1.0 / norm(v)));
        let number = |key: &str| entry.get(key).and_then(as_number);
        let kind = entry.get("kind")?.as_str()?;
        let own = format!("constraint.{kind}");
        if !entry.keys().all(|key| kinds::knows("constraint", key) || kinds::knows(&own, key)) {
            return None;
        }
        let name = entry.get("name").and_then(Value::as_str).map_or_else(|| format!("{kind} {place}"), String::from);
        let (ends, forms) = match kind {
            "distance" => {
                let end = |value: &Value| match value.as_str() {
                    Some(name) => grain(name).map(|id| End::Grain(id, None)),
                    None => vector(value).map(End::Point),
                };
                let [one, other] = entry.get("between")?.as_array()?.as_slice() else { return None };
                ([end(one)?, end(other)?], vec![Form::Length(number("length"))])
            }
            "joint" => {
                let point = vector(entry.get("at")?)?;
                let other = if entry.contains_key("to") { of_grain("to")? } else { End::Point(point) };
                ([other, of_grain("grain")?], vec![Form::Together])
            }
            "line" => ([End::Point([0.0; 3]), of_grain("grain")?], vec![Form::Across(direction("direction")?)]),
            "circle" => {
                let across = direction("axis").map(Form::Along);
                let centre = End::Point(vector(entry.get("centre")?)?);
                ([centre, of_grain("grain")?], std::iter::once(Form::Length(number("radius"))).chain(across).collect())
            }
            _ => return None, // reported where it is read
        };
        Some(Link { name, ends, forms })
    }
}

fn vector(value: &Value) -> Option<Vec3> {
    let numbers: Vec<f64> = value.as_array()?.iter().map(as_number).collect::<Option<_>>()?;
    match numbers[..] {
        [x, y] => Some([x, y, 0.0]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

/// Id of the first grain of every named group, if it follows from the counts: at most one group does not state its own,
/// or each has one grain.
fn first_ids(root: &Table, grains: usize) -> Option<Vec<(String, u32)>> {
    let count = |group: &Table| group.get("count").and_then(as_number).map(|count| count as usize);
    let mut counts: Vec<Option<usize>> = entries(root, "grains").map(count).collect();
    if counts.len() == grains {
        counts.fill(Some(1));
    }
    let (known, unknown) = (counts.iter().flatten().sum::<usize>(), counts.iter().filter(|c| c.is_none()).count());
    if unknown > 1 || known > grains || root.contains_key("start") {
        return None;
    }
    let (mut ids, mut next) = (Vec::new(), 0);
    for (group, count) in entries(root, "grains").zip(&counts) {
        if let Some(name) = group.get("name").and_then(Value::as_str) {
            ids.push((name.to_string(), next as u32));
        }
        next += count.unwrap_or(grains - known);
    }
    Some(ids)
}
