//! Rough plates: bumps push grains aside, and a piston that carries them gives way along its guide.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::input::quantity::{Components, Quantity, UnitVector};
use drystone::method::cd::Scheme;
use drystone::method::md::SoftParticles;
use drystone::method::{Kind, Method, md};
use drystone::wall::{Plane, Rough, Surface};

use super::expect::expect;
use super::stage::{Stage, along, read, upward};

const SOFT: &str = "{ friction = 0, restitution = 0.2, md = { normal = { law = \"hooke\", stiffness = 1e5 } } }";

/// A plane that looks down, with bumps of radius 1, so far apart.
fn ceiling<D: Dim>(height: f64, spacing: f64) -> Surface<D> {
    let rough = Rough { radius: Quantity(1.0), spacing: Quantity(spacing) };
    let (point, normal) = (Components(upward::<D>() * height), UnitVector(-upward::<D>()));
    Surface::Plane(Plane { point, normal, rough: Some(rough) })
}

/// A bump on a piston of mass M is pushed by F against a smooth grain of mass m on a smooth floor, whose centre lies
/// aside of it by the angle theta. The grain gives way with a, the piston follows with a tan(theta): M a tan = F - N
/// cos, m a = N sin, so that a = F / (M tan + m / tan).
fn wedge<D: Dim>(theta: f64) {
    let (force, heavy, light, dt) = (3.0, 5.0, 2.0, 1e-3);
    let mut stage = Stage::<D>::with_law("{ friction = 0 }", Scheme::Euler, dt, 1e-13);
    stage.plane("floor", D::Vec::ZERO, upward::<D>());
    // grain and bump have radius 1: their centres are 2 apart, that of the grain is 1 high
    let height = 1.0 + 2.0 * theta.cos();
    stage.world.push_wall("lid", ceiling(height, 20.0), 0, read(&format!("{{ force = {force} }}")), Some(heavy));
    let grain = stage.grain(along::<D>(0) * (2.0 * theta.sin()) + upward::<D>(), 1.0, light);
    stage.step();
    let expected = force * dt / (heavy * theta.tan() + light / theta.tan());
    let of = |what: &str| format!("{}D, {:.0} deg: {what}", D::DIMENSION, theta.to_degrees());
    let (aside, down) = (stage.twist(grain).v.dot(along::<D>(0)), -stage.twist(1).v.dot(upward::<D>()));
    let why = "the step is solved to 1e-13; positions are rounded";
    expect("a rough piston", Kind::Cd, of("speed of a grain pushed aside"), aside, expected).within(1e-10, why);
    expect("a rough piston", Kind::Cd, of("speed of the piston"), down, expected * theta.tan()).within(1e-10, why);
    expect("a rough piston", Kind::Cd, of("its speed along itself"), stage.twist(1).v.dot(along::<D>(0)), 0.0)
        .within(0.0, "its guide takes what acts across");
}

#[test]
fn a_bump_of_a_piston_pushes_a_grain_aside() {
    for theta in [0.2, 0.6, 1.0] {
        wedge::<D2>(theta);
        wedge::<D3>(theta);
    }
}

/// A smooth grain on a smooth floor, between bumps of a plate that slides under a load, goes with the plate, though its
/// weight acts backwards.
fn carried<D: Dim>(kind: Kind) {
    let speed = 0.25;
    let law = if kind == Kind::Md { SOFT } else { "{ friction = 0 }" };
    let mut stage = Stage::<D>::with_law(law, Scheme::Euler, 1e-3, 1e-10);
    stage.plane("floor", D::Vec::ZERO, upward::<D>());
    // in the middle of its neighbours: two in the plane, four in space
    let middle = D::Vec::from_fn(|axis| if axis + 1 < D::DIMENSION { 1.0 } else { 0.0 });
    let height = 1.0 + (4.0 - middle.norm_squared()).sqrt();
    let slide: Vec<String> =
        (0..D::DIMENSION).map(|axis| if axis == 0 { speed.to_string() } else { "0".into() }).collect();
    let press = format!("{{ pressure = {{ value = 10, area = 2, slide = [{}] }} }}", slide.join(", "));
    stage.world.push_wall("lid", ceiling(height, 2.0), 0, read(&press), Some(5.0));
    let grain = stage.grain(middle + upward::<D>(), 1.0, 2.0);
    stage.world.gravity = along::<D>(0) * -1.0;
    stage.twist(grain).v = along::<D>(0) * speed;
    let mut method: Box<dyn Method<D>> = match kind {
        Kind::Md => Box::new(SoftParticles::new(md::MdOptions::with_time_step(1e-4), &stage.world)),
        _ => Box::new(stage.method),
    };
    let steps = (4.0 / method.time_step()) as usize;
    let world = &mut stage.world;
    let start = world.bodies.pose[grain].x;
    for _ in 0..steps {
        method.step(world).unwrap_or_else(|error| panic!("{error}"));
    }
    let path = (world.bodies.pose[grain].x - start).dot(along::<D>(0));
    let plate = world.bodies.pose[1].x.dot(along::<D>(0));
    let of = |what: &str| format!("{}D: {what}", D::DIMENSION);
    assert!(plate > 0.9, "the plate has slid by {plate}");
    let (tolerance, why) = match kind {
        Kind::Md => (1e-3, "overlaps of 1e-4 at a path of 1"),
        _ => (1e-9, "residuals of 4,000 steps"),
    };
    expect("a rough plate that slides", kind, of("path of a grain over that of the plate"), path / plate, 1.0)
        .within(tolerance, why);
}

#[test]
fn a_rough_plate_takes_grains_along() {
    for kind in [Kind::Cd, Kind::Md] {
        carried::<D2>(kind);
        carried::<D3>(kind);
    }
}
