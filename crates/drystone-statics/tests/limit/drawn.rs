//! Twenty cases whose numbers are drawn, so that nobody has chosen them.
//!
//! The kinds, the ranges and the seed were written down before any of the cases was tried. The only rule of choice is
//! that it stands without the live load: what does not is drawn again.

use std::f64::consts::PI;

use drystone::d2::World;
use drystone::prelude::*;
use drystone::shape::Polygon;
use drystone_statics::limit::multiplier::stands;
use glam::DVec2;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use crate::runs::{Case, Ends, RunLoad, heap, wall};
use crate::{GRAVITY, assembly, block, column, ground};

/// The number of the issue that asked for the list.
const SEED: u128 = 25;

/// Four arches, three walls that lean, three towers, two heaps of disks that roll, two stacks on slopes, three columns
/// under a point load, three walls of random blocks.
pub(crate) fn drawn_cases() -> Vec<Case> {
    let mut draw = Draw(Pcg64::new(SEED, 0));
    let kinds: [(usize, Kind); 7] =
        [(4, arch), (3, leaning_wall), (3, tower), (2, rolling_heap), (2, slope), (3, point_load), (3, random_wall)];
    let mut cases = Vec::new();
    for (count, kind) in kinds {
        for _ in 0..count {
            cases.push(draw.one_that_stands(kind));
        }
    }
    cases
}

/// Draws a case.
type Kind = fn(&mut Draw) -> Case;

/// Random numbers.
struct Draw(Pcg64);

impl Draw {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number, both ends included.
    fn whole(&mut self, low: usize, high: usize) -> usize {
        self.between(low as f64, (high + 1) as f64) as usize
    }

    fn one_that_stands(&mut self, kind: Kind) -> Case {
        loop {
            let case = kind(self);
            if stands(&assembly(&case.world, &case.load.text())) == Ok(true) {
                return case;
            }
        }
    }
}

/// Equal voussoirs on a mean radius of 2 m, between springers that are fixed.
fn arch(draw: &mut Draw) -> Case {
    let (count, ratio) = (draw.whole(6, 16), draw.between(0.12, 0.25));
    let (half, friction) = (draw.between(60.0, 90.0), draw.between(0.4, 0.8));
    let (radius, embrace) = (2.0, half * PI / 180.0);
    let [inner, outer] = [-0.5, 0.5].map(|part| radius * (1.0 + part * ratio));
    let wedge = |from: f64, to: f64| {
        let corner = |r: f64, angle: f64| DVec2::new(r * angle.sin(), 3.0 + r * angle.cos());
        let corners = [corner(inner, to), corner(inner, from), corner(outer, from), corner(outer, to)];
        let polygon = Polygon::new(&corners).expect("a wedge");
        let centre = polygon.centre;
        Grain::polygon(polygon).at([centre.x, centre.y])
    };
    let mut builder = ground(friction);
    let angle = |k: usize| embrace * (1.0 - 2.0 * k as f64 / count as f64);
    for k in 0..count {
        builder = builder.grain(wedge(angle(k), angle(k + 1)));
    }
    builder = builder.grain(wedge(embrace + 0.2, embrace).fixed()).grain(wedge(-embrace, -embrace - 0.2).fixed());
    let name = format!("arch of {count}, t/R = {ratio:.3}, {:.0} degrees, mu = {friction:.2}", 2.0 * half);
    Case::of(name, builder.build().expect("a world"))
}

/// Bricks in running bond, each course shifted towards the load.
fn leaning_wall(draw: &mut Draw) -> Case {
    let (courses, lean, friction) = (draw.whole(3, 7), draw.between(0.01, 0.06), draw.between(0.4, 0.8));
    let name = format!("wall of {courses} courses, leans {lean:.3} m a course, mu = {friction:.2}");
    Case::of(name, wall(courses, 3, friction, Ends::Half, lean))
}

/// Blocks of different sizes on top of each other.
fn tower(draw: &mut Draw) -> Case {
    let (count, friction) = (draw.whole(3, 8), draw.between(0.4, 0.8));
    let (mut builder, mut top, mut x) = (ground(friction), 0.0, 0.0);
    for _ in 0..count {
        let (width, height) = (draw.between(0.3, 0.6), draw.between(0.1, 0.4));
        x += draw.between(-0.05, 0.05);
        builder = builder.grain(block(width, height, [x, top + 0.5 * height]));
        top += height;
    }
    Case::of(format!("tower of {count}, {top:.2} m high, mu = {friction:.2}"), builder.build().expect("a world"))
}

fn rolling_heap(draw: &mut Draw) -> Case {
    let (rows, friction) = (draw.whole(2, 4), draw.between(0.5, 0.9));
    Case::of(format!("heap of {rows} rows that roll, mu = {friction:.2}"), heap(rows, friction, true))
}

/// Two blocks on a plane that descends along x.
fn slope(draw: &mut Draw) -> Case {
    let (angle, friction) = (draw.between(5.0, 20.0), draw.between(0.5, 0.9));
    let mut size = || [draw.between(0.3, 0.6), draw.between(0.1, 0.3)];
    let mut world = column(&[size(), size()], friction);
    let tilt = angle * PI / 180.0;
    world.gravity = [GRAVITY * tilt.sin(), -GRAVITY * tilt.cos()].into();
    Case::of(format!("two blocks on a slope of {angle:.0} degrees, mu = {friction:.2}"), world)
}

/// A column that is pushed at one of its blocks.
fn point_load(draw: &mut Draw) -> Case {
    let (count, friction) = (draw.whole(3, 6), draw.between(0.4, 0.8));
    let pushed = draw.whole(0, count - 1);
    let world: World = column(&vec![[0.4, 0.2]; count], friction);
    let name = format!("column of {count}, pushed at block {}, mu = {friction:.2}", pushed + 1);
    Case { load: RunLoad::Force(pushed as u32), ..Case::of(name, world) }
}

/// Courses of three or four blocks of random widths, 1.6 m long.
fn random_wall(draw: &mut Draw) -> Case {
    let (courses, friction, length) = (draw.whole(3, 6), draw.between(0.4, 0.8), 1.6);
    let mut builder = ground(friction);
    for course in 0..courses {
        let count = draw.whole(3, 4);
        let widths: Vec<f64> = (0..count).map(|_| draw.between(0.25, 0.55)).collect();
        let (stretch, mut x) = (length / widths.iter().sum::<f64>(), 0.0);
        for width in widths.into_iter().map(|width| width * stretch) {
            builder = builder.grain(block(width, 0.2, [x + 0.5 * width, 0.2 * (course as f64 + 0.5)]));
            x += width;
        }
    }
    Case::of(format!("random wall of {courses} courses, mu = {friction:.2}"), builder.build().expect("a world"))
}
