//! Where the eye stands in 3D, and what it sees where.

use super::view::View;

/// Samples to the pixel, in each direction.
pub(crate) const SAMPLES: usize = 2;

/// Where the eye stands, far away: rays are parallel, so that one scale bar holds everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// From x towards y [degrees].
    pub azimuth: f64,
    /// Above the horizon [degrees].
    pub elevation: f64,
}

impl Default for Camera {
    /// From the front, a little to the left and above.
    fn default() -> Self {
        Camera { azimuth: -60.0, elevation: 20.0 }
    }
}

impl Camera {
    /// Seen from the eye: to the right, up, and towards the eye [m].
    pub(crate) fn project(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sin_a, cos_a) = self.azimuth.to_radians().sin_cos();
        let (sin_e, cos_e) = self.elevation.to_radians().sin_cos();
        let ahead = cos_a * x + sin_a * y;
        [cos_a * y - sin_a * x, cos_e * z - sin_e * ahead, cos_e * ahead + sin_e * z]
    }
}

/// A point seen from the eye, in pixels; the third component points to the eye.
pub(crate) fn pixel([x, y, z]: [f64; 3], view: &View) -> [f64; 3] {
    let [x, y] = view.pixel([x, y]);
    [x, y, z * view.scale]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_keeps_lengths_and_puts_height_up() {
        for camera in [Camera::default(), Camera { azimuth: 130.0, elevation: -40.0 }] {
            let [x, y, z] = camera.project([1.0, 2.0, 3.0]);
            assert!((x * x + y * y + z * z - 14.0).abs() < 1e-12);
            let up = camera.project([0.0, 0.0, 1.0]);
            assert!(up[0].abs() < 1e-12 && up[1] > 0.7);
        }
        let front = Camera::default().project([0.0, -1.0, 0.0]);
        assert!(front[2] > 0.0, "the front side, at negative y, is nearer");
    }
}
