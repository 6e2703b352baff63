//! The sides of a wall that a pressure profile covers: all of it, or what a region cuts out; of a wall without end
//! what grains touch.

use super::view::{FrameView, Nothing};
use super::wall_form::{Breadth, WallForm, WallSide, rectangles};
use super::wall_pressure::touches;
use crate::measure::vector::{add, cross, dot, norm, sub, times};

/// Component of a unit vector below which it is across an axis, and change of a direction that is none: rounding.
pub(super) const ROUNDING: f64 = 1e-9;

/// How far the wall has moved [m].
pub(super) fn moved(view: &FrameView, wall: usize) -> [f64; 3] {
    view.frame.wall_states.displacement.get(wall).copied().unwrap_or_default()
}

/// Directions along a wall without end, and a point of it that places count from.
pub(super) struct Axes {
    origin: [f64; 3],
    along: [f64; 3],
    /// Across the profile; zero in the plane, and on a cylinder.
    across: [f64; 3],
}

fn unit(axis: usize) -> [f64; 3] {
    std::array::from_fn(|k| if k == axis { 1.0 } else { 0.0 })
}

/// The profile of a wall without end; none for one that has an end.
pub(super) fn axes(view: &FrameView, wall: usize) -> Result<Option<Axes>, Nothing> {
    let found = match &view.setting.forms[wall] {
        WallForm::Plane { point, normal } if view.dimension() == 2 => {
            let along = [normal[1], -normal[0], 0.0];
            let sign = if along[0] + along[1] < 0.0 { -1.0 } else { 1.0 };
            Axes { origin: *point, along: times(along, sign), across: [0.0; 3] }
        }
        WallForm::Plane { point, normal } => {
            let level = |axis: usize| {
                let along = sub(unit(axis), times(*normal, normal[axis]));
                (norm(along) > ROUNDING).then(|| times(along, 1.0 / norm(along)))
            };
            let along = match (level(super::profile::axis(view)), view.options.axis) {
                (Some(along), _) => along,
                (None, Some(_)) => return Err(Nothing::Lacks("a profile along --axis leaves the wall".into())),
                (None, None) => (0..3).find_map(level).unwrap_or(unit(0)),
            };
            Axes { origin: *point, along, across: cross(*normal, along) }
        }
        WallForm::Tube { centre, axis, .. } => Axes { origin: *centre, along: *axis, across: [0.0; 3] },
        WallForm::Room { .. } | WallForm::Sides(_) | WallForm::Mesh { .. } => return Ok(None),
    };
    Ok(Some(found))
}

/// The part of a wall without end that counts, along its profile and across it: that along which grains touch it.
pub(super) fn span(view: &FrameView, wall: usize, axes: &Axes) -> Option<[[f64; 2]; 2]> {
    let touches = touches(view, wall);
    let range = |direction: [f64; 3]| {
        let ends = touches.iter().map(|touch| (dot(sub(touch.foot, axes.origin), direction), touch.half));
        ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], (at, half)| {
            [low.min(at - half), high.max(at + half)]
        })
    };
    (!touches.is_empty()).then(|| [range(axes.along), range(axes.across)])
}

/// Ends that the region or a periodic cell gives along a direction, which count from `origin`.
fn given(
    view: &FrameView,
    wall: usize,
    origin: [f64; 3],
    direction: [f64; 3],
) -> Result<([Option<f64>; 2], bool), Nothing> {
    let shift = moved(view, wall);
    for axis in 0..view.dimension() {
        let asked = view.options.region[axis];
        let slope = direction[axis];
        if let (true, Some(cell)) = (view.repeats(axis) && slope.abs() > 1.0 - ROUNDING, &view.frame.cell) {
            let low = (cell.origin[axis] - shift[axis] - origin[axis]) / slope;
            let ends = [low, low + cell.lengths[axis] / slope];
            return Ok(([Some(ends[0].min(ends[1])), Some(ends[0].max(ends[1]))], true));
        }
        if asked == [None; 2] || slope.abs() <= ROUNDING {
            continue;
        }
        if view.dimension() == 3 && slope.abs() < 1.0 - ROUNDING {
            return Err(Nothing::Lacks("a region cuts walls in space that stand along its axes".into()));
        }
        let ends = asked.map(|end| end.map(|end| (end - shift[axis] - origin[axis]) / slope));
        return Ok((if slope < 0.0 { [ends[1], ends[0]] } else { ends }, false));
    }
    Ok(([None; 2], false))
}

/// The side that a wall without end has in this frame, or that all frames of a mean share.
fn endless(view: &FrameView, wall: usize, axes: &Axes) -> Result<WallSide, Nothing> {
    let touched = view.options.span.or_else(|| span(view, wall, axes));
    let range = |number: usize, direction: [f64; 3]| {
        let ([low, high], is_closed) = given(view, wall, axes.origin, direction)?;
        let touched = touched.map(|span| span[number]);
        let low = low.or(touched.map(|range| range[0])).ok_or(Nothing::Contacts)?;
        let high = high.or(touched.map(|range| range[1])).ok_or(Nothing::Contacts)?;
        if low < high { Ok(([low, high], is_closed)) } else { Err(Nothing::Contacts) }
    };
    let ([low, high], is_closed) = range(0, axes.along)?;
    let mut origin = add(axes.origin, times(axes.along, low));
    let across = match &view.setting.forms[wall] {
        WallForm::Tube { centre, axis, radius } => {
            let out = if axis[0].abs() < 0.9 { unit(0) } else { unit(1) };
            let out = sub(out, times(*axis, dot(out, *axis)));
            origin = add(origin, times(out, radius / norm(out)));
            Breadth::Ring(*centre, *axis, [*radius; 2])
        }
        _ if view.dimension() == 2 => Breadth::Depth,
        _ => {
            let ([left, right], _) = range(1, axes.across)?;
            origin = add(origin, times(axes.across, 0.5 * (left + right)));
            Breadth::Width(axes.across, right - left)
        }
    };
    Ok(WallSide { origin, along: axes.along, length: high - low, is_closed, across })
}

/// The slices of a mesh: across the axis about which it can spin, that of the profile, or the longest.
fn slices(view: &FrameView, triangles: &[Vec<[f64; 3]>], spins: Option<[f64; 3]>) -> Result<WallSide, Nothing> {
    let extent = |direction: [f64; 3]| {
        let places = triangles.iter().flatten().map(|corner| dot(*corner, direction));
        places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    };
    let long = |axis: usize| extent(unit(axis))[1] - extent(unit(axis))[0];
    let longest = (0..3).max_by(|i, j| long(*i).total_cmp(&long(*j))).unwrap_or(0);
    let axis = super::profile::axis(view);
    let along = match spins {
        Some(spins) if view.options.axis.is_some_and(|axis| spins[axis].abs() < 1.0 - ROUNDING) => {
            return Err(Nothing::Lacks("a mesh that can spin has a profile along its axis alone".into()));
        }
        Some(spins) => spins,
        None if long(axis) > ROUNDING * long(longest) => unit(axis),
        None if view.options.axis.is_some() => {
            return Err(Nothing::Lacks("a profile along --axis leaves the wall".into()));
        }
        None => unit(longest),
    };
    let [low, high] = extent(along);
    let middle = std::array::from_fn(|axis| {
        let [low, high] = extent(unit(axis));
        0.5 * (low + high)
    });
    let origin = add(middle, times(along, low - dot(middle, along)));
    Ok(WallSide { origin, along, length: high - low, is_closed: false, across: Breadth::Cut(triangles.to_vec()) })
}

/// A side as far as the region reaches; none if it lies beside it.
fn cut(view: &FrameView, wall: usize, side: &WallSide) -> Result<Option<WallSide>, Nothing> {
    if view.options.region == [[None; 2]; 3] {
        return Ok(Some(side.clone()));
    }
    let shift = moved(view, wall);
    let mut side = side.clone();
    let beside = |axis: usize, at: f64| {
        let [low, high] = view.options.region[axis];
        low.is_some_and(|low| at < low) || high.is_some_and(|high| at > high)
    };
    let directions = match side.across {
        Breadth::Depth => vec![side.along],
        Breadth::Width(across, _) => vec![side.along, across],
        _ => return Err(Nothing::Lacks("round walls and meshes are measured as a whole: leave --region out".into())),
    };
    let is_across = |axis: usize| directions.iter().all(|direction| direction[axis].abs() <= ROUNDING);
    if (0..view.dimension()).any(|axis| is_across(axis) && beside(axis, side.origin[axis] + shift[axis])) {
        return Ok(None);
    }
    let ([low, high], _) = given(view, wall, side.origin, side.along)?;
    let [from, to] = [low.unwrap_or(0.0).max(0.0), high.unwrap_or(side.length).min(side.length)];
    if let Breadth::Width(across, width) = side.across {
        let ([left, right], _) = given(view, wall, side.origin, across)?;
        let [left, right] =
            [left.unwrap_or(-0.5 * width).max(-0.5 * width), right.unwrap_or(0.5 * width).min(0.5 * width)];
        side.origin = add(side.origin, times(across, 0.5 * (left + right)));
        side.across = Breadth::Width(across, right - left);
        if left >= right {
            return Ok(None);
        }
    }
    (side.origin, side.length) = (add(side.origin, times(side.along, from)), to - from);
    Ok((from < to).then_some(side))
}

/// A part of a side that is looked at, with the number of the side.
type Part = (usize, WallSide);

/// All sides of the wall, and those parts of them that are looked at.
pub(super) fn sides(view: &FrameView, wall: usize) -> Result<(Vec<WallSide>, Vec<Part>), Nothing> {
    if let Some(axes) = axes(view, wall)? {
        let side = endless(view, wall, &axes)?;
        return Ok((vec![side.clone()], vec![(0, side)]));
    }
    let all = match &view.setting.forms[wall] {
        WallForm::Room { min, max } => rectangles(*min, *max, super::profile::axis(view)),
        WallForm::Mesh { triangles, axis } => vec![slices(view, triangles, *axis)?],
        WallForm::Sides(sides) => sides.clone(),
        WallForm::Plane { .. } | WallForm::Tube { .. } => Vec::new(),
    };
    let mut kept = Vec::new();
    for (number, side) in all.iter().enumerate() {
        kept.extend(cut(view, wall, side)?.map(|side| (number, side)));
    }
    if kept.is_empty() { Err(Nothing::Lacks("no part of the wall lies in the region".into())) } else { Ok((all, kept)) }
}
