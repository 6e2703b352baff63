//! Volume of grains.

use super::cover::volume_in;
use super::view::{FrameRegion, FrameView};
use crate::measure::vector::add;

/// Volume of all grains inside a region [m3], with the part of those that its faces cut, and of images of grains that lie
/// across the border of a periodic cell. Fixed grains count, and overlaps count twice.
pub fn solid_volume(view: &FrameView, region: &FrameRegion) -> f64 {
    let grains = &view.frame.grains;
    let largest = grains.radius.iter().copied().fold(0.0, f64::max);
    let volume = |(k, shift, _): (usize, [f64; 3], [f64; 3])| {
        let at = add(grains.position[k], shift);
        let near = (0..region.dimension).all(|axis| {
            let x = at[axis];
            x + grains.radius[k] >= region.min[axis] && x - grains.radius[k] <= region.max[axis]
        });
        if !near {
            return 0.0;
        }
        let corners =
            grains.corners_now(k).map(|corners| corners.into_iter().map(|c| add(c, shift)).collect::<Vec<_>>());
        volume_in(region, view.setting.depth, at, grains.radius[k], corners.as_deref())
    };
    view.with_images(largest).into_iter().map(volume).sum()
}

/// Volume of a whole grain [m3].
pub fn volume_of(view: &FrameView, grain: usize) -> f64 {
    let grains = &view.frame.grains;
    let everywhere = FrameRegion { dimension: view.dimension(), min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] };
    let corners = grains.corners_now(grain);
    volume_in(&everywhere, view.setting.depth, grains.position[grain], grains.radius[grain], corners.as_deref())
}
