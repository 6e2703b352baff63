//! The border of a periodic cell in pictures: images of grains that lie across it, lines of force on both sides of it,
//! and the border itself.

use super::Grain;
use super::palette::{INK, hex};
use super::view::View;
use drystone::cell::Cell;
use drystone::dim::{D3, Dim};
use drystone::record::frame::Frame;
use std::fmt::Write;

type DVec3 = <D3 as Dim>::Vec;

/// Adds the images of grains that reach into the cell from beyond its border.
pub(super) fn add_images(frame: &Frame, grains: &mut Vec<Grain>) {
    let Some(cell) = frame.cell.as_ref().map(Cell::from) else { return };
    for k in 0..grains.len() {
        let (own, mut images) = (grains[k].clone(), Vec::new());
        cell.around(DVec3::from_array(own.position), own.radius, |image, _| images.push(cell.shift(image).to_array()));
        for shift in images {
            let moved = |x: [f64; 3]| std::array::from_fn(|axis| x[axis] + shift[axis]);
            let mut image = Grain { position: moved(own.position), ..own.clone() };
            image.corners.iter_mut().flatten().for_each(|x| *x = moved(*x));
            image.balls.iter_mut().flat_map(|balls| &mut balls.centres).for_each(|x| *x = moved(*x));
            grains.push(image);
        }
    }
}

/// How far a contact that crosses the border is moved to be seen on its other side, too [m]; `None` for others.
pub(super) fn other_side(frame: &Frame, contact: usize) -> Option<[f64; 3]> {
    let cell = frame.cell.as_ref().map(Cell::from)?;
    let is_wall = frame.contacts.a.get(contact).is_some_and(|a| *a < 0);
    let shift = cell.shift(cell.home(DVec3::from_array(frame.contacts.from[contact]))).to_array();
    (!is_wall && shift != [0.0; 3]).then_some(shift)
}

/// The border as dashed lines; along an axis that does not repeat they are as long as the grains reach.
pub(super) fn svg(frame: &Frame, grains: &[Grain], view: &View) -> String {
    let Some(cell) = &frame.cell else { return String::new() };
    let ends = |axis: usize| match cell.is_periodic[axis] {
        true => [cell.origin[axis], cell.origin[axis] + cell.lengths[axis]],
        false => {
            let low = grains.iter().map(|g| g.position[axis] - g.radius).fold(f64::INFINITY, f64::min);
            let high = grains.iter().map(|g| g.position[axis] + g.radius).fold(f64::NEG_INFINITY, f64::max);
            [low, high]
        }
    };
    let mut path = String::new();
    for axis in (0..2).filter(|axis| cell.is_periodic[*axis]) {
        for at in ends(axis) {
            let [from, to] = ends(1 - axis).map(|other| {
                let mut x = [other; 2];
                x[axis] = at;
                view.pixel(x)
            });
            let _ = write!(path, "M{:.2} {:.2}L{:.2} {:.2}", from[0], from[1], to[0], to[1]);
        }
    }
    format!("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"9 6\" d=\"{path}\"/>\n", hex(INK))
}
