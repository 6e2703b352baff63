//! A bed packed by Contact Dynamics and then made soft: it stays where it is, and its walls carry its weight.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::Method;
use drystone::method::cd::Scheme;
use drystone::method::md::{MdOptions, SoftParticles};

use super::expect::expect;
use super::stage::{G, Random, Stage, upward};

const LAW: &str = "{ friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e6, restitution = 0.3 }, \
                   tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 20 } } }";

fn made_soft<D: Dim>() {
    let (columns, count) = (5, 40);
    let mut bed = Stage::<D>::with_law(LAW, Scheme::Euler, 1e-3, 1e-8);
    bed.world.gravity = upward::<D>() * -G;
    bed.bin(columns, 1.0);
    bed.scatter(count, columns, &mut Random::new(4));
    for _ in 0..1500 {
        bed.step_or_warn();
    }
    let rigid: Vec<D::Vec> = bed.world.grains().map(|k| bed.x(k)).collect();
    let weight: f64 = bed.world.grains().map(|k| bed.mass(k) * G).sum();
    let mut world = bed.world.clone();
    let mut soft = SoftParticles::new(MdOptions::default(), &world);
    let steps = (0.1 / soft.time_step()) as u64;
    for _ in 0..steps {
        soft.step(&mut world).unwrap_or_else(|error| panic!("{error}"));
    }
    soft.publish(&mut world);
    let moved: f64 = world.grains().zip(&rigid).map(|(k, x)| (world.bodies.pose[k].x - *x).norm()).sum();
    let case = "a rigid bed made soft";
    let named = |what: &str| format!("{}D: {what}", D::DIMENSION);
    let part = moved / count as f64 / 0.01;
    expect(case, Kind::Md, named("mean path over the radius"), part, 0.0)
        .within(0.02, "overlaps of 0.1 %, a loose grain");
    let walls = world.setup.walls.len() as u32;
    let contacts = world.network().contacts.iter().zip(&world.network().memory);
    let at_walls = contacts.filter(|(contact, _)| contact.key.a < walls);
    let carried: f64 = at_walls.map(|(_, memory)| memory.impulse.dot(upward::<D>()) / soft.time_step()).sum();
    expect(case, Kind::Md, named("weight that the walls carry"), carried, weight).within(0.01, "it rocks a little");
}

#[test]
fn a_bed_stays_where_it_is() {
    made_soft::<D2>();
    made_soft::<D3>();
}
