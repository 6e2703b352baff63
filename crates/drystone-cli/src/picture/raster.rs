//! Which sphere is seen where: a depth buffer for balls, in parallel bands of rows.

/// A ball in the space of samples: x to the right, y down, z towards the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball {
    /// Centre.
    pub centre: [f32; 3],
    /// Radius.
    pub radius: f32,
}

/// What is seen at one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// How near it is: z of the surface.
    pub depth: f32,
    /// Number of the ball, or of the grain with the face; `NONE` for the background.
    pub ball: u32,
    /// Number of the face of a polyhedron, `NONE` on a ball.
    pub facet: u32,
}

/// No ball.
pub(super) const NONE: u32 = u32::MAX;

/// The nearest ball at each of width × height samples, by rows. Sample (i, j) lies at (i + ½, j + ½). A ball without a
/// radius is not seen.
pub(super) fn nearest(balls: &[Ball], width: usize, height: usize) -> Vec<Sample> {
    let mut samples = vec![Sample { depth: f32::NEG_INFINITY, ball: NONE, facet: NONE }; width * height];
    // From the front to the back, most samples are written once.
    let mut order: Vec<u32> = (0..balls.len() as u32).filter(|k| balls[*k as usize].radius > 0.0).collect();
    order.sort_by(|&i, &j| balls[j as usize].centre[2].total_cmp(&balls[i as usize].centre[2]));
    in_bands(&mut samples, width, |first_row, band| {
        for &i in &order {
            put(&balls[i as usize], i, first_row, width, band);
        }
    });
    samples
}

/// Writes the samples of one ball that lie in a band and are nearer than what is there.
fn put(ball: &Ball, number: u32, first_row: usize, width: usize, band: &mut [Sample]) {
    let [x, y, z] = ball.centre;
    let radius = ball.radius.max(0.71); // no ball slips between the samples
    let rows = band.len() / width;
    let top = ((y - radius - 0.5).ceil().max(first_row as f32)) as usize;
    let end = ((y + radius + 0.5).floor().max(0.0) as usize).min(first_row + rows);
    for j in top..end {
        let dy = j as f32 + 0.5 - y;
        let square = radius * radius - dy * dy;
        if square <= 0.0 {
            continue;
        }
        let half = square.sqrt();
        let left = (x - half - 0.5).ceil().max(0.0) as usize;
        let right = ((x + half + 0.5).floor().max(0.0) as usize).min(width);
        if left >= right {
            continue;
        }
        let row = &mut band[(j - first_row) * width..][left..right];
        for (k, sample) in row.iter_mut().enumerate() {
            if sample.depth >= z + half {
                continue; // nearer than the ball's foremost point in this row: no root needed
            }
            let dx = (left + k) as f32 + 0.5 - x;
            let depth = z + (square - dx * dx).max(0.0).sqrt();
            if depth > sample.depth {
                *sample = Sample { depth, ball: number, facet: NONE };
            }
        }
    }
}

/// Works on bands of whole rows in parallel: `work(first row, band)`. The result does not depend on their number.
pub(super) fn in_bands<T: Send>(rows: &mut [T], width: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(16);
    let height = rows.len() / width.max(1);
    // More bands than threads would repeat work that each band does for all balls.
    let band = height.div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        for (k, band_rows) in rows.chunks_mut(band * width.max(1)).enumerate() {
            let work = &work;
            scope.spawn(move || work(k * band, band_rows));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f32, y: f32, z: f32, radius: f32) -> Ball {
        Ball { centre: [x, y, z], radius }
    }

    #[test]
    fn the_nearer_ball_hides_the_other() {
        let samples = nearest(&[ball(10.0, 10.0, 0.0, 5.0), ball(12.0, 10.0, 20.0, 5.0)], 24, 20);
        assert_eq!(samples[10 * 24 + 12].ball, 1);
        assert_eq!(samples[10 * 24 + 5].ball, 0);
        assert_eq!(samples[0].ball, NONE);
    }

    #[test]
    fn a_ball_covers_its_area_and_bulges_by_its_radius() {
        let samples = nearest(&[ball(50.0, 50.0, 7.0, 40.0)], 100, 100);
        let covered = samples.iter().filter(|s| s.ball == 0).count() as f32;
        assert!((covered / (std::f32::consts::PI * 1600.0) - 1.0).abs() < 0.01);
        let front = samples.iter().map(|s| s.depth).fold(0.0, f32::max);
        assert!((front - 47.0).abs() < 0.05);
    }

    #[test]
    fn balls_outside_or_tiny_do_no_harm() {
        let far = [ball(-50.0, 5.0, 0.0, 3.0), ball(5.0, 500.0, 0.0, 3.0), ball(5.0, -9.0, 0.0, 2.0)];
        assert!(nearest(&far, 10, 10).iter().all(|s| s.ball == NONE));
        assert!(nearest(&[ball(5.0, 5.0, 0.0, 1e-6)], 10, 10).iter().any(|s| s.ball == 0));
        assert!(nearest(&far, 0, 0).is_empty());
    }

    #[test]
    fn bands_cover_every_row_once() {
        for height in [1, 2, 3, 17, 100] {
            let mut rows = vec![0; 5 * height];
            in_bands(&mut rows, 5, |first, band| {
                band.iter_mut().enumerate().for_each(|(k, cell)| *cell += first + k / 5 + 1);
            });
            assert!(rows.iter().enumerate().all(|(k, &cell)| cell == k / 5 + 1));
        }
    }
}
