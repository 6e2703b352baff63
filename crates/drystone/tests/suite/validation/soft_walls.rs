//! Walls that move under soft grains: pistons on a column, and the work of driven walls.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::Drive;
use drystone::method::Kind;
use drystone::method::md::integrator::Integrators;

use super::expect::expect;
use super::soft::Soft;
use super::stage::{G, plane, read, upward};

const LAW: &str = "friction = 0, restitution = 0.2, md = { normal = { law = \"hooke\", stiffness = 1e5 } }";

/// A column of five grains on a floor under a lid of mass 2 comes to rest: the lid carries its weight and the load. It
/// starts with 0.7 of its overlaps f / k, so that no contact opens: Gear's integrator is for smooth forces only.
fn column<D: Dim>(integrator: Integrators, name: &str, drive: &str, load: f64) {
    let (mass, count, up) = (2.0, 5_i32, upward::<D>());
    let mut soft = Soft::<D>::new(LAW, 4e-5).by(integrator); // half the automatic step
    soft.world.gravity = up * -G;
    soft.plane(up * 0.0, up);
    // overlaps at rest of contact j from the top: below the lid, between grains, on the floor
    let overlap = |j: i32| (load + mass * G + 0.5 * f64::from(j) * G) / 1e5;
    let sum: f64 = (0..=count).map(overlap).sum();
    soft.world.push_wall("lid", plane(up * (0.5 * f64::from(count) - 0.7 * sum), -up), 0, read(drive), Some(mass));
    for k in 0..count {
        let below: f64 = (count - k..=count).map(overlap).sum();
        soft.grain(up * (0.25 + 0.5 * f64::from(k) - 0.7 * below), 0.25, 0.5);
    }
    for _ in 0..80_000 {
        soft.step();
    }
    let case = "soft grains: a piston on a column";
    let of = |what: &str| format!("{}D, {integrator:?}, {name}: {what}", D::DIMENSION);
    let (lid, floor) = (soft.force_on(1).dot(up), -soft.force_on(0).dot(up));
    let weight = 0.5 * f64::from(count) * G;
    expect(case, Kind::Md, of("force on the lid"), lid, load + mass * G).within(1e-6, "it has come to rest");
    expect(case, Kind::Md, of("force on the floor"), floor, load + mass * G + weight)
        .within(1e-6, "it has come to rest");
    let sunk = -soft.x(1).dot(up);
    expect(case, Kind::Md, of("way of the lid"), sunk, 0.3 * sum).within(1e-6, "overlaps f / k");
}

#[test]
fn a_piston_comes_to_rest_on_a_column() {
    for integrator in Integrators::ALL {
        column::<D3>(*integrator, "force", "{ force = 50 }", 50.0);
    }
    column::<D2>(Integrators::Verlet, "force", "{ force = 50 }", 50.0);
    column::<D3>(Integrators::Verlet, "pressure", "{ pressure = { value = 200, area = 0.25 } }", 50.0);
}

/// A wall that moves with V hits an elastic grain at rest, which leaves with 2 V: the wall has done the work 2 m V^2.
#[test]
fn a_moving_wall_does_the_work_of_its_push() {
    for integrator in Integrators::ALL {
        let elastic = "friction = 0, md = { normal = { law = \"hooke\", stiffness = 1e5, damping = 0 } }";
        let (mass, speed, up) = (0.5, 0.3, upward::<D3>());
        let mut soft = Soft::<D3>::new(elastic, 2e-5).by(*integrator);
        let drive: Drive<D3> = read(&format!("{{ velocity = [0, 0, {speed}] }}"));
        soft.world.push_wall("floor", plane(up * 0.0, up), 0, drive, None);
        let grain = soft.grain(up * (0.25 + 0.001), 0.25, mass);
        soft.collide();
        let case = "soft grains: work of a driven wall";
        let of = |what: &str| format!("{integrator:?}: {what}");
        let found = soft.twist(grain).v.get(2);
        expect(case, Kind::Md, of("velocity"), found, 2.0 * speed).within(1e-4, "400 steps a collision");
        soft.publish();
        let work = soft.world.ledger().wall_work;
        expect(case, Kind::Md, of("work"), work, 2.0 * mass * speed * speed).within(1e-3, "400 steps a collision");
    }
}

/// A bounce without loss: contacts take no energy at any instant of it, not only before and after.
#[test]
fn nothing_is_lost_at_any_instant_of_an_elastic_bounce() {
    let (stiffness, mass, speed, up) = (1e5_f64, 0.5_f64, 0.3, upward::<D3>());
    let elastic =
        format!("friction = 0, md = {{ normal = {{ law = \"hooke\", stiffness = {stiffness}, damping = 0 }} }}");
    let duration = std::f64::consts::PI * (mass / stiffness).sqrt();
    let mut soft = Soft::<D3>::new(&elastic, duration / 50.0);
    soft.world.push_wall("floor", plane(up * 0.0, up), 0, Drive::FIXED, None);
    let grain = soft.grain(up * (0.25 + 1e-4), 0.25, mass);
    soft.twist(grain).v = up * -speed;
    let mut worst = 0.0_f64;
    for _ in 0..100 {
        soft.step();
        soft.publish();
        worst = worst.max(soft.world.ledger().dissipated.abs());
    }
    let part = worst / (0.5 * mass * speed * speed);
    let why = "(omega dt)^2 (1/4 + 1/8) with omega dt = pi / 50: the energy of Verlet's steps, and a contact that begins within one";
    expect("soft grains: elastic bounce", Kind::Md, "largest loss on the way", part, 0.0).within(1.5e-3, why);
}

/// Grains on a floor that shakes with 2 g: what they gain, store and lose is the work of the floor.
#[test]
fn the_books_close_on_a_shaking_floor() {
    let (up, count) = (upward::<D3>(), 4);
    let rough = "friction = 0.3, restitution = 0.6, md = { normal = { law = \"hooke\", stiffness = 1e5 }, \
                 tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 20 } }";
    let mut soft = Soft::<D3>::new(rough, 5e-5);
    soft.world.gravity = up * -G;
    let drive = "{ velocity = { sine = { amplitude = [0, 0, 0.3], frequency = 10 } } }";
    soft.world.push_wall("floor", plane(up * 0.0, up), 0, read(drive), None);
    for k in 0..count {
        let grain = soft.grain(up * (0.05 + 0.101 * f64::from(k)), 0.05, 0.5);
        soft.twist(grain).w = D3::torque(up, up) + super::stage::along::<D3>(0) * f64::from(k);
    }
    let energy = |soft: &Soft<D3>| {
        let height: f64 = soft.world.grains().map(|k| 0.5 * G * soft.x(k).get(2)).sum();
        soft.kinetic_energy() + height
    };
    let start = energy(&soft);
    (0..40_000).for_each(|_| {
        soft.step();
    });
    soft.publish();
    let ledger = soft.world.ledger();
    assert!(ledger.wall_work > start && ledger.dissipated > start, "it was shaken: {ledger:?}");
    let gain = energy(&soft) - start + ledger.elastic + ledger.dissipated;
    expect("soft grains: work of a shaking floor", Kind::Md, "gains and losses", gain, ledger.wall_work)
        .within(1e-3, "books close to 1e-3");
}
