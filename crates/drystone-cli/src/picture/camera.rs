//! Where the eye stands in 3D, and what it sees where.

use super::view::View;

/// Azimuth of the eye, from x towards y [degrees].
const AZIMUTH: f64 = -60.0;
/// Elevation of the eye above the horizon [degrees].
const ELEVATION: f64 = 20.0;
/// Samples to the pixel, in each direction.
pub const SAMPLES: usize = 2;

/// Seen from the eye: to the right, up, and towards the eye [m]. Parallel rays, so that one scale bar holds everywhere.
pub fn project([x, y, z]: [f64; 3]) -> [f64; 3] {
    let ((sin_a, cos_a), (sin_e, cos_e)) = (AZIMUTH.to_radians().sin_cos(), ELEVATION.to_radians().sin_cos());
    let ahead = cos_a * x + sin_a * y;
    [cos_a * y - sin_a * x, cos_e * z - sin_e * ahead, cos_e * ahead + sin_e * z]
}

/// A point seen from the eye, in pixels; the third component points to the eye.
pub fn pixel([x, y, z]: [f64; 3], view: &View) -> [f64; 3] {
    let [x, y] = view.pixel([x, y]);
    [x, y, z * view.scale]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_keeps_lengths_and_puts_height_up() {
        let [x, y, z] = project([1.0, 2.0, 3.0]);
        assert!((x * x + y * y + z * z - 14.0).abs() < 1e-12);
        let up = project([0.0, 0.0, 1.0]);
        assert!(up[0].abs() < 1e-12 && up[1] > 0.9 && up[2] > 0.0);
        assert!(project([0.0, -1.0, 0.0])[2] > 0.0, "the front side, at negative y, is nearer");
    }
}
