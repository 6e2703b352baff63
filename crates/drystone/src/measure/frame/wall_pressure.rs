//! Pressure on a wall, along its surface.

use super::view::{FrameView, Nothing};
use super::wall_form::{Breadth, WallForm, WallSide};
use super::wall_sides::{ROUNDING, axes, moved, sides, span};
use super::{Column, FrameMeasure, MeasureOptions};
use crate::input::nearest;
use crate::measure::vector::{add, dot, sub, times};

/// Pressure and shear on one wall in strips along its surface: forces of the contacts in a strip over the area of the
/// strip.
///
/// The strips cover the wall itself, side by side, also where no grain is. The force of a round grain is spread
/// evenly over its own width, that of another one acts where it touches. Planes and cylinders have no end: of them
/// that part counts along which grains touch them, radii included, or what `--region` gives.
pub struct WallPressure;

/// A contact with the wall, and its force on the wall.
pub(super) struct WallLoad {
    /// As the wall saw it at the start [m].
    pub foot: [f64; 3],
    normal: [f64; 3],
    /// Normal force on the wall, and the tangential one [N].
    press: f64,
    drag: [f64; 3],
    /// Half of the width that the force is spread over [m].
    pub half: f64,
}

/// A strip of a side, and what acts on it.
struct Strip {
    side: usize,
    ends: [f64; 2],
    press: f64,
    drag: f64,
    contacts: f64,
}

fn wall(view: &FrameView) -> Result<usize, Nothing> {
    let walls = &view.setting.walls;
    let Some(name) = &view.options.wall else {
        return Err(Nothing::Lacks(format!("a pressure profile takes --wall NAME; walls: {}", walls.join(", "))));
    };
    walls.iter().position(|wall| wall == name).ok_or_else(|| {
        let near = nearest(name, walls.iter().map(String::as_str));
        let meant = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        Nothing::Lacks(format!("there is no wall `{name}`; {meant}walls: {}", walls.join(", ")))
    })
}

/// Contacts that the wall has.
pub(super) fn touches(view: &FrameView, wall: usize) -> Vec<WallLoad> {
    let (contacts, grains) = (&view.frame.contacts, &view.frame.grains);
    let form = &view.setting.forms[wall];
    let touch = |k: usize| {
        let grain = u32::try_from(contacts.b[k]).ok().and_then(|id| grains.id.binary_search(&id).ok());
        let is_round = |grain: &usize| grains.outline.get(*grain).is_none_or(|outline| *outline < 0);
        // bumps of a rough plane are met from all sides: it has one normal
        let normal = if let WallForm::Plane { normal, .. } = form { *normal } else { contacts.normal[k] };
        let force = contacts.force(k);
        let press = dot(force, normal);
        WallLoad {
            foot: sub(contacts.from[k], moved(view, wall)),
            normal,
            press,
            drag: sub(times(normal, press), force),
            half: grain.filter(is_round).map_or(0.0, |grain| grains.radius[grain]),
        }
    };
    (0..contacts.a.len()).filter(|k| contacts.a[*k] == -1 - wall as i32).map(touch).collect()
}

/// Strips of all sides, about as many as asked for, and one at least of each.
fn strips(sides: &[(usize, WallSide)], bins: usize) -> Vec<Strip> {
    let all: f64 = sides.iter().map(|(_, side)| side.length).sum();
    let of_side = |(side, (_, WallSide { length, .. })): (usize, &(usize, WallSide))| {
        let count = (bins as f64 * length / all).round().max(1.0);
        let ends = move |k: usize| [k as f64 / count * length, (k + 1) as f64 / count * length];
        let strip = move |k: usize| Strip { side, ends: ends(k), press: 0.0, drag: 0.0, contacts: 0.0 };
        (0..count as usize).map(strip).collect::<Vec<_>>()
    };
    sides.iter().enumerate().flat_map(of_side).collect()
}

/// Length that two intervals share.
fn shared([a, b]: [f64; 2], [c, d]: [f64; 2]) -> f64 {
    (b.min(d) - a.max(c)).max(0.0)
}

/// Part of an interval of this half width about a point that lies in another one; all or nothing for a point.
fn part_in(at: f64, half: f64, [low, high]: [f64; 2]) -> f64 {
    match half > 0.0 {
        true => shared([at - half, at + half], [low, high]) / (2.0 * half),
        false => f64::from(u8::from(low <= at && at < high)),
    }
}

/// Spreads the force of a contact over the strips of a side. Where a region cuts the side what lies beyond is lost;
/// where the side itself ends it all acts on the side.
fn enter(strips: &mut [Strip], number: usize, side: &WallSide, touch: &WallLoad, is_cut: bool) {
    let half = match side.across {
        Breadth::Cut(_) => touch.half * (1.0 - dot(touch.normal, side.along).powi(2)).max(0.0).sqrt(),
        _ => touch.half,
    };
    let (s, _) = side.locate(touch.foot);
    // a point at the very end belongs to the last strip
    let s = if is_cut { s } else { s.clamp(0.0, side.length * (1.0 - ROUNDING)) };
    let turns = if side.is_closed { vec![-side.length, 0.0, side.length] } else { vec![0.0] };
    let own = |strip: &Strip| match strip.side == number {
        true => turns.iter().map(|turn| part_in(s + turn, half, strip.ends)).sum::<f64>(),
        false => 0.0,
    };
    let mut whole = 1.0;
    if !is_cut {
        whole = strips.iter().map(own).sum();
    } else if let Breadth::Width(across, width) = side.across {
        let beside = dot(sub(touch.foot, side.origin), across);
        whole = 1.0 / part_in(beside, half, [-0.5 * width, 0.5 * width]);
    }
    let drag = dot(touch.drag, side.direction(touch.foot, touch.normal));
    for strip in strips.iter_mut().filter(|strip| strip.side == number) {
        let part = own(strip) / whole;
        strip.press += touch.press * part;
        strip.drag += drag * part;
        strip.contacts += part_in(s, 0.0, strip.ends);
    }
}

impl FrameMeasure for WallPressure {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns = vec![Column::new("side", "1"), Column::new("along", "m")];
        columns.extend(view.axes().iter().map(|axis| Column::new(*axis, "m")));
        columns.extend(
            [("wall_pressure", "Pa"), ("wall_shear", "Pa"), ("contacts", "1"), ("area", "m2")]
                .map(|(name, unit)| Column::new(name, unit)),
        );
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let wall = wall(view)?;
        if view.frame.wall_states.open.get(wall).is_some_and(|open| *open == 1) {
            return Err(Nothing::Lacks("the wall is open: nothing touches it".into()));
        }
        if view.frame.step == 0 && view.frame.contacts.a.is_empty() {
            return Err(Nothing::Contacts);
        }
        let (all, sides) = sides(view, wall)?;
        let mut strips = strips(&sides, view.options.bins);
        let is_cut = view.options.region != [[None; 2]; 3];
        for touch in touches(view, wall) {
            let off = |k: &usize| all[*k].locate(touch.foot).1;
            let nearest = (0..all.len()).min_by(|i, j| off(i).total_cmp(&off(j)));
            if let Some(k) = sides.iter().position(|(number, _)| Some(*number) == nearest) {
                enter(&mut strips, k, &sides[k].1, &touch, is_cut);
            }
        }
        let before = |side: usize| sides[..side].iter().map(|(_, side)| side.length).sum::<f64>();
        let row = |strip: &Strip| {
            let (number, side) = &sides[strip.side];
            let middle = 0.5 * (strip.ends[0] + strip.ends[1]);
            let place = add(side.place(middle), moved(view, wall));
            let area = side.area(strip.ends, view.setting.depth);
            let mut row = vec![*number as f64, before(strip.side) + middle];
            row.extend(&place[..view.dimension()]);
            row.extend([strip.press / area, strip.drag / area, strip.contacts, area]);
            row
        };
        Ok(strips.iter().map(row).collect())
    }

    fn is_row(&self) -> bool {
        false
    }

    fn share(&self, view: &FrameView, shared: &mut MeasureOptions) -> Result<(), Nothing> {
        let wall = wall(view)?;
        let Some(axes) = axes(view, wall)? else { return Ok(()) };
        if let Some(found) = span(view, wall, &axes) {
            let widest = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
            let known = shared.span.unwrap_or(found);
            shared.span = Some([widest(known[0], found[0]), widest(known[1], found[1])]);
        }
        Ok(())
    }
}
