//! What part of the world a picture shows, and where a point comes to lie on it.

use super::sheet::MARGIN;

/// How wide and how high the picture area may be [px].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    /// A tall scene gets at least the first width, so that the legend finds room.
    wide: [f64; 2],
    /// A flat scene gets at least the first height.
    high: [f64; 2],
}

impl Default for Area {
    fn default() -> Area {
        Area { wide: [1120.0, 1520.0], high: [360.0, 1240.0] }
    }
}

impl Area {
    /// The area on paper of a width, if one is given [units].
    pub(super) fn of(width: Option<f64>) -> Area {
        let of = |width: f64| Area { wide: [width - 2.0 * MARGIN; 2], high: [0.2 * width, 1.2 * width] };
        width.map_or(Area::default(), of)
    }
}

/// A wall that ends this close to the grains, as part of their longer extent, widens the view; others are cut.
const CLOSE: f64 = 0.2;

/// A rectangle that grows with what it must contain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// Lower left.
    pub min: [f64; 2],
    /// Upper right.
    pub max: [f64; 2],
}

impl Bounds {
    /// Contains nothing yet.
    pub(crate) const NOTHING: Bounds = Bounds { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };

    /// Grows to contain a circle.
    pub(crate) fn include(&mut self, centre: [f64; 2], radius: f64) {
        for (i, x) in centre.into_iter().enumerate() {
            self.min[i] = self.min[i].min(x - radius);
            self.max[i] = self.max[i].max(x + radius);
        }
    }

    fn is_nothing(&self) -> bool {
        self.min[0] > self.max[0]
    }

    fn extent(&self) -> f64 {
        (self.max[0] - self.min[0]).max(self.max[1] - self.min[1])
    }

    fn grown(&self, by: f64) -> Bounds {
        Bounds { min: self.min.map(|x| x - by), max: self.max.map(|x| x + by) }
    }
}

/// A window on the plane, with y upwards, and its image in pixels, with y downwards.
#[derive(Clone, Debug)]
pub(crate) struct View {
    centre: [f64; 2],
    /// Pixels to the metre.
    pub scale: f64,
    /// Width and height of the picture area [px].
    pub size: [f64; 2],
}

impl View {
    /// The view that shows all grains and a margin of about `room`, and of the walls what lies close by.
    pub(crate) fn fit(grains: Bounds, walls: Bounds, room: f64, area: Area) -> View {
        let mut shown = grains;
        if grains.is_nothing() {
            shown = walls;
        } else if !walls.is_nothing() {
            let limit = grains.grown(CLOSE * grains.extent());
            for i in 0..2 {
                if walls.min[i] > limit.min[i] {
                    shown.min[i] = grains.min[i].min(walls.min[i]);
                }
                if walls.max[i] < limit.max[i] {
                    shown.max[i] = grains.max[i].max(walls.max[i]);
                }
            }
        }
        if shown.is_nothing() {
            shown = Bounds { min: [-0.5, -0.1], max: [0.5, 0.1] };
        }
        let tiny = 1e-12 * (1.0 + shown.max[0].abs() + shown.max[1].abs());
        let shown = shown.grown(room + 0.02 * shown.extent() + tiny);
        View::of(shown, area)
    }

    /// The view of a rectangle.
    pub(crate) fn of(shown: Bounds, area: Area) -> View {
        let (wide, high) = (shown.max[0] - shown.min[0], shown.max[1] - shown.min[1]);
        let width = (area.high[1] * wide / high).clamp(area.wide[0], area.wide[1]).round();
        let height = (width * high / wide).clamp(area.high[0], area.high[1]).round();
        View {
            centre: [0, 1].map(|i| 0.5 * (shown.min[i] + shown.max[i])),
            scale: (width / wide).min(height / high),
            size: [width, height],
        }
    }

    /// The same view on so many times the pixels.
    pub(crate) fn magnified(&self, times: f64) -> View {
        let size = self.size.map(|pixels| (pixels * times).round());
        View { centre: self.centre, scale: self.scale * times, size }
    }

    /// Where a point of the plane lies in the picture area [px].
    pub(crate) fn pixel(&self, point: [f64; 2]) -> [f64; 2] {
        [
            0.5 * self.size[0] + (point[0] - self.centre[0]) * self.scale,
            0.5 * self.size[1] - (point[1] - self.centre[1]) * self.scale,
        ]
    }

    /// Where a segment [px] enters and leaves the picture area, 0 being its start and 1 its end (Liang and Barsky).
    pub(crate) fn clip(&self, from: [f64; 2], to: [f64; 2]) -> Option<[f64; 2]> {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for i in 0..2 {
            let step = to[i] - from[i];
            for (speed, distance) in [(-step, from[i]), (step, self.size[i] - from[i])] {
                if speed == 0.0 && distance < 0.0 {
                    return None;
                } else if speed < 0.0 {
                    enter = enter.max(distance / speed);
                } else if speed > 0.0 {
                    leave = leave.min(distance / speed);
                }
            }
        }
        (enter < leave).then_some([enter, leave])
    }
}

/// The point between two others: 0 gives the first, 1 the second.
pub(super) fn between<const N: usize>(from: [f64; N], to: [f64; N], at: f64) -> [f64; N] {
    std::array::from_fn(|i| from[i] + at * (to[i] - from[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(half: [f64; 2]) -> Bounds {
        Bounds { min: half.map(|h| -h), max: half }
    }

    #[test]
    fn all_grains_are_inside_whatever_the_proportions() {
        for half in [[1.0, 1.0], [500.0, 1.0], [1.0, 500.0], [1e-9, 1e-9], [1e6, 3e5]] {
            let view = View::fit(around(half), Bounds::NOTHING, 0.1, Area::default());
            for corner in [half, half.map(|h| -h)] {
                let [x, y] = view.pixel(corner);
                assert!(0.0 <= x && x <= view.size[0] && 0.0 <= y && y <= view.size[1], "{half:?}");
            }
            let Area { wide, high } = Area::default();
            assert!((wide[0]..=wide[1]).contains(&view.size[0]) && (high[0]..=high[1]).contains(&view.size[1]));
        }
    }

    #[test]
    fn far_walls_do_not_shrink_the_grains() {
        let near = View::fit(around([1.0, 1.0]), around([1.1, 1.1]), 0.0, Area::default());
        let far = View::fit(around([1.0, 1.0]), around([100.0, 100.0]), 0.0, Area::default());
        assert!(far.scale > near.scale);
        assert_eq!(far.scale, View::fit(around([1.0, 1.0]), Bounds::NOTHING, 0.0, Area::default()).scale);
    }

    #[test]
    fn clip_cuts_at_the_border() {
        let view = View { centre: [0.0; 2], scale: 1.0, size: [10.0, 10.0] };
        assert_eq!(view.clip([-5.0, 5.0], [15.0, 5.0]), Some([0.25, 0.75]));
        assert_eq!(view.clip([-5.0, -5.0], [15.0, -5.0]), None);
        assert_eq!(view.clip([2.0, 3.0], [4.0, 3.0]), Some([0.0, 1.0]));
        assert_eq!(view.clip([-9.0, 5.0], [1.0, 15.0]), None);
    }
}
