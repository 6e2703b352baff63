//! Grains that grow: a frame stores their sizes at the end of a step, and contacts acted on those at its start.

use super::scene::Scene;
use super::step::back;
use drystone_files::record::frame::Frame;

/// The frame with radii and masses as they were when contacts were found; `None` if they are those of the frame.
pub(crate) fn found(frame: &Frame, scene: &Scene) -> Option<Frame> {
    let grown = 1.0 + scene.growth * back(frame, scene);
    if grown == 1.0 {
        return None;
    }
    let mut found = frame.clone();
    let heavier = grown.powi(frame.dimension as i32);
    let grains = found.grains.radius.iter_mut().zip(&mut found.grains.mass);
    for (radius, mass) in grains.filter(|(_, mass)| mass.is_finite()) {
        (*radius, *mass) = (*radius / grown, *mass / heavier);
    }
    Some(found)
}
