//! Frames of disks that have come to rest.

use drystone::d2::{ContactDynamics, World};
use drystone::law::Pair;
use drystone::method::cd::Accuracy;
use drystone::prelude::*;
use drystone::record::Frame;
use drystone::record::snapshot::frame_of;

const GRAVITY: f64 = 9.81;
const DENSITY: f64 = 2000.0;

/// The frame of disks (centre, radius) between planes (point, normal) after some steps.
pub(crate) fn settled(
    disks: &[([f64; 2], f64)],
    planes: &[([f64; 2], [f64; 2])],
    friction: f64,
    steps: usize,
) -> Frame {
    let mut builder = World::builder().gravity([0.0, -GRAVITY]).material("stone", DENSITY).contact(
        "stone",
        "stone",
        Pair::with_friction(friction),
    );
    for (k, (point, normal)) in planes.iter().enumerate() {
        builder = builder.wall(Wall::plane(&format!("plane {k}"), *point, *normal));
    }
    for (centre, radius) in disks {
        builder = builder.grain(Grain::disk(*radius).at(*centre));
    }
    let mut world = builder.build().expect("a world");
    let mut method =
        ContactDynamics::new(CdOptions { accuracy: Accuracy::Residual(1e-12), ..CdOptions::with_time_step(1e-3) });
    let mut report = StepReport::default();
    for _ in 0..steps {
        report = method.step(&mut world).expect("a step");
    }
    frame_of(&world, 1e-3, &method.terms(), &report)
}

pub(crate) fn weight(radius: f64) -> f64 {
    DENSITY * std::f64::consts::PI * radius * radius * GRAVITY
}

/// A groove with walls at this angle to the vertical, and a disk that touches both.
pub(crate) fn groove(half_angle: f64, friction: f64) -> Frame {
    let (sin, cos) = half_angle.to_radians().sin_cos();
    let walls = [([0.0, 0.0], [cos, sin]), ([0.0, 0.0], [-cos, sin])];
    settled(&[([0.0, 0.1 / sin], 0.1)], &walls, friction, 20)
}

/// Disks in rows of a triangle that stands in a groove of 60 degrees: n disks along each wall.
pub(crate) fn crystal(n: usize, friction: f64) -> Frame {
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let (radius, mut disks) = (0.1, Vec::new());
    for row in 0..n {
        for k in 0..=row {
            let x = (2 * k) as f64 - row as f64;
            disks.push(([x * radius, radius / sin + row as f64 * 3f64.sqrt() * radius], radius));
        }
    }
    settled(&disks, &[([0.0, 0.0], [cos, sin]), ([0.0, 0.0], [-cos, sin])], friction, 200)
}
