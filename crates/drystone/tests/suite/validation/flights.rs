//! Event-driven dynamics: collisions at exact times, by the laws of rigid contacts.
//!
//! Masses and diameters are 1 where nothing else is said; the moments of inertia are those of solid disks and spheres.

use std::f64::consts::PI;

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::Drive;
use drystone::input::quantity::Components;
use drystone::law::{Laws, Pair};
use drystone::method::ed::{EdOptions, EventDriven};
use drystone::method::{Kind, Method, StepError};
use drystone::wall::{Cuboid, Surface};
use drystone::world::World;

use super::expect::expect;
use super::stage::{G, Random, along, plane, read, upward};

const ROUNDING: &str = "rounding";

const D3_ZERO: glam::DVec3 = glam::DVec3::ZERO;

/// A world of one law, as a scenario writes it.
fn world<D: Dim>(law: &str) -> World<D> {
    let pair = read::<Pair>(law);
    World::new(Laws::new(1, |_, _| pair.clone()))
}

/// Adds a grain of mass 1 and diameter 1.
fn grain<D: Dim>(world: &mut World<D>, x: D::Vec, v: D::Vec) -> usize {
    let id = world.grains().len() as u32;
    let body = world.bodies.push_round(x, 0.5, 1.0 / D::ball_volume(0.5, 1.0), 1.0, id);
    world.bodies.twist[body].v = v;
    body
}

fn fly<D: Dim>(world: &mut World<D>, time: f64) {
    EventDriven::new(EdOptions::with_time_step(time)).step(world).unwrap_or_else(|error| panic!("{error}"));
}

/// Two grains on a line, 2 apart, approach with speed 3 while both fall: their surfaces meet after 1/3.
fn falling_pair<D: Dim>() {
    let (mut world, x, down) = (world::<D>("{ friction = 0, restitution = 0.5 }"), along::<D>(0), -upward::<D>());
    world.gravity = down * G;
    let (a, b) = (grain(&mut world, D::Vec::ZERO, x), grain(&mut world, x * 2.0, x * -2.0));
    fly(&mut world, 1.0);
    // mean velocity -1/2, relative velocity 3 before and -3/2 after
    let (met, fallen) = (1.0 / 3.0, down * (0.5 * G));
    let [v_a, v_b] = [-1.25, 0.25];
    for (name, body, start, before, after) in [("a", a, 0.0, 1.0, v_a), ("b", b, 2.0, -2.0, v_b)] {
        let expected = x * (start + before * met + after * (1.0 - met)) + fallen;
        let off = (world.bodies.pose[body].x - expected).norm();
        let case = "hard grains, a pair that falls";
        expect(case, Kind::Ed, format!("{}D: place of {name}", D::DIMENSION), off, 0.0).within(1e-15 * G, ROUNDING);
        let off = (world.bodies.twist[body].v - x * after - down * G).norm();
        expect(case, Kind::Ed, format!("{}D: velocity of {name}", D::DIMENSION), off, 0.0).within(1e-15 * G, ROUNDING);
    }
    // m_n / 2 (1 - e^2) u^2 with the reduced mass 1/2
    let (lost, loss) = (world.ledger().dissipated, 0.25 * 0.75 * 9.0);
    expect("hard grains, a pair that falls", Kind::Ed, format!("{}D: loss", D::DIMENSION), lost, loss)
        .within(1e-15, ROUNDING);
}

#[test]
fn two_grains_meet_at_the_exact_time_as_they_fall() {
    falling_pair::<D2>();
    falling_pair::<D3>();
}

/// u_n = -1 and u_t = 2 at the contact of equal grains: m_n = 1/2, and 1/m_t = 2 + 2 r^2/I is 6 for disks, 7 for
/// spheres. With e_n = 0.9 the normal impulse is 0.95; it bears mu times that, and 2 (1 + e_t) m_t is needed to stick.
fn oblique<D: Dim>(name: &str, law: &str, slides: Option<f64>) {
    let (mut world, x, up) = (world::<D>(law), along::<D>(0), upward::<D>());
    let (a, b) = (grain(&mut world, D::Vec::ZERO, D::Vec::ZERO), grain(&mut world, x * 1.5, x * -1.0));
    // the surfaces slip because b turns: its contact is at -x / 2, where the spin moves it along `up`
    let turn = D::torque(x, up) * 4.0;
    world.bodies.twist[b].w = turn * if D::swing(turn, x * -0.5).dot(up) > 0.0 { 1.0 } else { -1.0 };
    let slip = |world: &World<D>| {
        let [of_a, of_b] = [a, b].map(|body| world.bodies.twist[body]);
        let u = of_b.v + D::swing(of_b.w, x * -0.5) - of_a.v - D::swing(of_a.w, x * 0.5);
        [u.dot(x), u.dot(up)]
    };
    let energy = world.kinetic_energy();
    assert_eq!(slip(&world), [-1.0, 2.0]);
    fly(&mut world, 1.0);
    let inverse = if D::DIMENSION == 2 { 6.0 } else { 7.0 };
    let e_t = if law.contains("tangential") { 0.5 } else { 0.0 };
    let expected = [0.9, slides.map_or(-2.0 * e_t, |mu| 2.0 - mu * 0.95 * inverse)];
    for ((along, found), expected) in ["along the normal", "across it"].iter().zip(slip(&world)).zip(expected) {
        let quantity = format!("{}D, {name}: velocity {along}", D::DIMENSION);
        expect("hard grains, oblique collision", Kind::Ed, quantity, found, expected).within(1e-14, ROUNDING);
    }
    let lost = energy - world.kinetic_energy();
    assert!(lost > 0.05);
    let quantity = format!("{}D, {name}: loss", D::DIMENSION);
    expect("hard grains, oblique collision", Kind::Ed, quantity, world.ledger().dissipated, lost)
        .within(1e-14, ROUNDING);
}

#[test]
fn oblique_collisions_stick_or_slide_by_coulombs_law() {
    let slide = "{ friction = 0.2, restitution = 0.9 }";
    let stick = "{ friction = 2, restitution = 0.9 }";
    let reverse = "{ friction = 2, restitution = { normal = 0.9, tangential = 0.5 } }";
    for (name, law, slides) in [("slides", slide, Some(0.2)), ("sticks", stick, None), ("bounces", reverse, None)] {
        oblique::<D2>(name, law, slides);
        oblique::<D3>(name, law, slides);
    }
}

/// Newton's cradle with gaps, A2.2: the last ball takes all.
#[test]
fn a_cradle_with_gaps_passes_the_blow_on() {
    for gap in [1e-3, 0.0] {
        let mut world = world::<D2>("{ friction = 0, restitution = 1 }");
        for k in 0..3 {
            let v = if k == 0 { 1.0 } else { 0.0 };
            grain(&mut world, along::<D2>(0) * ((1.0 + gap) * f64::from(k)), along::<D2>(0) * v);
        }
        fly(&mut world, 1.0);
        for (body, expected) in [0.0, 0.0, 1.0].into_iter().enumerate() {
            let quantity = format!("gap {gap}: ball {}", body + 1);
            expect("hard grains, cradle", Kind::Ed, quantity, world.bodies.twist[body].v.x, expected)
                .within(1e-14, ROUNDING);
        }
    }
}

/// Dropped from a height, a ball jumps ever lower, and comes to rest at t = v_0/g (1 + e)/(1 - e).
#[test]
fn the_jumps_of_a_ball_accumulate_at_the_time_of_the_geometric_series() {
    for e in [0.5, 0.9] {
        let mut world = world::<D3>(&format!("{{ friction = 0, restitution = {e} }}"));
        world.gravity = along::<D3>(2) * -G;
        world.push_wall("floor", plane::<D3>(D3_ZERO, along::<D3>(2)), 0, Drive::FIXED, None);
        let height = 2.0;
        grain(&mut world, along::<D3>(2) * (0.5 + height), D3_ZERO);
        let before = world.clone();
        let mut method = EventDriven::new(EdOptions::with_time_step(100.0));
        let error = method.step(&mut world).expect_err("it comes to rest");
        let StepError::Accumulation { time, ref a, ref b, .. } = error else { panic!("{error}") };
        assert!(a == "grain 0" && b == "wall `floor`", "{error}");
        let exact = (2.0 * height / G).sqrt() * (1.0 + e) / (1.0 - e);
        expect("hard grains, a ball that jumps", Kind::Ed, format!("e = {e}: time until it rests"), time, exact)
            .within(1e-6, "jumps as low as the rounding of its height");
        assert_eq!(world.bodies.pose[1].x, before.bodies.pose[1].x, "the state before the step is kept");

        // with a contact time it goes on, and trembles with at most the speed that brings it back within that time
        let contact_time = read("\"1 ms\"");
        let mut method =
            EventDriven::new(EdOptions { contact_time: Some(contact_time), ..EdOptions::with_time_step(2.0 * exact) });
        method.step(&mut world).unwrap_or_else(|error| panic!("{error}"));
        let alarm = &method.alarms()[0];
        assert!(alarm.code == "W243" && world.collisions.elastic > 1000, "{}", alarm.message);
        let speed = world.bodies.twist[1].v.norm();
        assert!(speed < 0.5e-3 * G * 1.001 && speed > 0.0, "{speed}");
    }
}

/// A wall that moves with w throws a grain back with 2 w - v, and its work is the energy that the grain gains.
#[test]
fn a_moving_wall_throws_grains_back() {
    let mut world = world::<D2>("{ friction = 0, restitution = 1 }");
    let x = along::<D2>(0);
    world.push_wall("ram", plane::<D2>(x * 0.0, x), 0, read("{ velocity = [0.5, 0] }"), None);
    let ball = grain(&mut world, x * 2.0, x * -1.0);
    let energy = world.kinetic_energy();
    fly(&mut world, 2.0);
    // 1.5 - t = 0.5 t: they meet after 1, at 0.5
    let case = "hard grains, a wall that moves";
    expect(case, Kind::Ed, "velocity", world.bodies.twist[ball].v.x, 2.0).within(1e-15, ROUNDING);
    expect(case, Kind::Ed, "place", world.bodies.pose[ball].x.x, 1.0 + 2.0).within(1e-15, ROUNDING);
    expect(case, Kind::Ed, "place of the wall", world.bodies.pose[0].x.x, 1.0).within(1e-15, ROUNDING);
    expect(case, Kind::Ed, "work", world.ledger().wall_work, world.kinetic_energy() - energy).within(1e-15, ROUNDING);
}

/// Grains of several sizes in a box under gravity, or in a periodic cell.
fn crowd<D: Dim>(is_periodic: bool, law: &str) -> World<D> {
    let (mut world, mut random) = (world::<D>(law), Random::new(5));
    let edge: u32 = if D::DIMENSION == 2 { 6 } else { 4 };
    let side = 2.0 * f64::from(edge);
    if is_periodic {
        world.cell =
            Some(drystone::cell::Cell::new(D::Vec::ZERO, D::Vec::from_fn(|_| side), [true, true, D::DIMENSION == 3]));
    } else {
        world.gravity = upward::<D>() * -0.3;
        let corners = [0.0, side].map(|x| Components(D::Vec::from_fn(|_| x)));
        let surface = Surface::Cuboid(Cuboid { min: corners[0], max: corners[1] });
        world.push_wall("box", surface, 0, Drive::FIXED, None);
    }
    for k in 0..edge.pow(D::DIMENSION as u32) {
        let at = |axis: usize| 1.0 + 2.0 * f64::from(k / edge.pow(axis as u32) % edge);
        let (x, r) = (D::Vec::from_fn(at), random.between(0.3, 0.7));
        let body = world.bodies.push_round(x, r, 2.0, 1.0, k);
        world.bodies.twist[body].v = random.vector::<D>(1.0);
    }
    world
}

/// The same without cells, queue and own times: after every collision all grains are moved, and all pairs are looked
/// at. Smooth grains; e is that of all. Returns the number of collisions.
fn look_at_all<D: Dim>(world: &mut World<D>, e: f64, until: f64) -> u64 {
    let (grains, mut time, mut count) = (world.grains(), 0.0, 0);
    let images: Vec<D::Vec> = match &world.cell {
        None => vec![D::Vec::ZERO],
        Some(cell) => {
            let side = cell.lengths.get(0);
            let all = 0..3_usize.pow(D::DIMENSION as u32);
            all.map(|k| D::Vec::from_fn(|axis| side * ((k / 3_usize.pow(axis as u32) % 3) as f64 - 1.0))).collect()
        }
    };
    let side = 2.0 * if D::DIMENSION == 2 { 6.0 } else { 4.0 };
    loop {
        // (time, body, other or wall, normal)
        let mut first: Option<(f64, usize, Option<usize>, D::Vec)> = None;
        let mut offer = |time: f64, body: usize, other: Option<usize>, normal: D::Vec| {
            if time >= 0.0 && first.is_none_or(|(earliest, ..)| time < earliest) {
                first = Some((time, body, other, normal));
            }
        };
        for a in grains.clone() {
            let (x, v, r) = (world.bodies.pose[a].x, world.bodies.twist[a].v, world.bodies.shape[a].radius());
            for b in a + 1..grains.end {
                let (u, s) = (world.bodies.twist[b].v - v, r + world.bodies.shape[b].radius());
                for image in &images {
                    let far = world.bodies.pose[b].x - x;
                    let home = world.cell.as_ref().map_or(far, |cell| far + cell.shift(cell.nearest(far)));
                    let apart = home + *image;
                    let (p, q) = (apart.dot(u), apart.norm_squared() - s * s);
                    let under = p * p - u.norm_squared() * q;
                    if p < 0.0 && under > 0.0 {
                        let t = (-p - under.sqrt()) / u.norm_squared();
                        offer(t, a, Some(b), apart + u * t);
                    }
                }
            }
            for axis in (0..D::DIMENSION).filter(|_| world.cell.is_none()) {
                let (x, v, g) = (x.get(axis), v.get(axis), world.gravity.get(axis));
                for (at, into) in [(r, -1.0), (side - r, 1.0)] {
                    // x + v t + g t^2 / 2 = at, on the way out
                    let under = v * v - 2.0 * g * (x - at);
                    let roots = match g {
                        0.0 => vec![(at - x) / v],
                        _ if under < 0.0 => vec![], // it turns before
                        _ => vec![(-v - under.sqrt()) / g, (-v + under.sqrt()) / g],
                    };
                    for t in roots.into_iter().filter(|t| (v + g * t) * into > 0.0 && *t > 1e-12) {
                        offer(t, a, None, along::<D>(axis) * into);
                    }
                }
            }
        }
        let Some((after, a, b, normal)) = first.filter(|(after, ..)| time + after <= until) else {
            world.drift_for(until - time);
            return count;
        };
        world.drift_for(after);
        (time, count) = (time + after, count + 1);
        let n = normal * (1.0 / normal.norm());
        let inverse = |body: usize| world.bodies.inertia[body].inv_m;
        match b {
            None => {
                let u = world.bodies.twist[a].v.dot(n);
                world.bodies.twist[a].v -= n * ((1.0 + e) * u);
            }
            Some(b) => {
                let u = (world.bodies.twist[b].v - world.bodies.twist[a].v).dot(n);
                let (w_a, w_b) = (inverse(a), inverse(b));
                let r = n * (-(1.0 + e) * u / (w_a + w_b));
                world.bodies.twist[a].v -= r * w_a;
                world.bodies.twist[b].v += r * w_b;
            }
        }
    }
}

/// Free fall of all grains.
trait Drift {
    fn drift_for(&mut self, time: f64);
}

impl<D: Dim> Drift for World<D> {
    fn drift_for(&mut self, time: f64) {
        let gravity = self.gravity;
        for k in self.grains() {
            let v = self.bodies.twist[k].v;
            self.bodies.pose[k].x += v * time + gravity * (0.5 * time * time);
            self.bodies.twist[k].v += gravity * time;
        }
    }
}

/// Cells, queue and skipped partners lose no collision: all grains are where the plain search has them.
fn finds_all<D: Dim>(is_periodic: bool) {
    let law = "{ friction = 0, restitution = 0.9 }";
    let (mut found, mut expected) = (crowd::<D>(is_periodic, law), crowd::<D>(is_periodic, law));
    let until = 6.0;
    let count = look_at_all(&mut expected, 0.9, until);
    // steps and flights cut each other
    let mut method = EventDriven::new(EdOptions::with_time_step(until / 7.0));
    (0..7).for_each(|_| {
        method.step(&mut found).unwrap_or_else(|error| panic!("{error}"));
    });
    let where_ = format!("{}D, {}", D::DIMENSION, if is_periodic { "cell" } else { "box and gravity" });
    assert!(count > 15, "{where_}: {count} collisions");
    assert_eq!(found.collisions.all, count, "{where_}");
    let off = found.grains().map(|k| (found.bodies.pose[k].x - expected.bodies.pose[k].x).norm()).fold(0.0, f64::max);
    expect("hard grains, against a search over all pairs", Kind::Ed, format!("{where_}: largest distance"), off, 0.0)
        .within(1e-6, "rounding, which a collision multiplies by about five");
}

#[test]
fn no_collision_is_lost() {
    for is_periodic in [true, false] {
        finds_all::<D2>(is_periodic);
        finds_all::<D3>(is_periodic);
    }
}

/// Rough grains in a box under gravity: K + U + D - W stays.
#[test]
fn the_energy_balance_closes() {
    let law = "{ friction = 0.3, restitution = { normal = 0.8, tangential = 0.3 } }";
    let mut world = crowd::<D3>(false, law);
    let energy = |world: &World<D3>| {
        let fall: f64 = world.grains().map(|k| world.bodies.pose[k].x.z * world.bodies.inertia[k].mass() * 0.3).sum();
        world.kinetic_energy() + fall + world.ledger().dissipated - world.ledger().wall_work
    };
    let start = energy(&world);
    let mut method = EventDriven::new(EdOptions::with_time_step(0.5));
    (0..16).for_each(|_| {
        method.step(&mut world).unwrap_or_else(|error| panic!("{error}"));
    });
    assert!(world.ledger().dissipated > 0.02 * start, "{}", world.ledger().dissipated);
    expect("hard grains, energy balance", Kind::Ed, "K + U + D - W over its start", energy(&world) / start, 1.0)
        .within(1e-13, ROUNDING);
}

/// A gas of grains of diameter, mass and temperature 1, with velocities of a few collisions ago.
fn gas<D: Dim>(fraction: f64, edge: u32, e: f64, seed: u64) -> World<D> {
    let (mut world, mut random) = (world::<D>(&format!("{{ friction = 0, restitution = {e} }}")), Random::new(seed));
    let grains = edge.pow(D::DIMENSION as u32);
    let side = (f64::from(grains) * D::ball_volume(0.5, 1.0) / fraction).powf(1.0 / D::DIMENSION as f64);
    world.cell =
        Some(drystone::cell::Cell::new(D::Vec::ZERO, D::Vec::from_fn(|_| side), [true, true, D::DIMENSION == 3]));
    for k in 0..grains {
        let at = |axis: usize| side / f64::from(edge) * (0.5 + f64::from(k / edge.pow(axis as u32) % edge));
        grain(&mut world, D::Vec::from_fn(at), random.vector::<D>(1.0));
    }
    let mean = world.grains().fold(D::Vec::ZERO, |sum, k| sum + world.bodies.twist[k].v) * (1.0 / f64::from(grains));
    world.grains().for_each(|k| world.bodies.twist[k].v -= mean);
    let scale = (D::DIMENSION as f64 * f64::from(grains) / (2.0 * world.kinetic_energy())).sqrt();
    world.grains().for_each(|k| world.bodies.twist[k].v = world.bodies.twist[k].v * scale);
    world
}

/// An elastic gas: energy stays; each grain collides at Enskog's rate omega_0; the pressure is p V = N T (1 + 2 phi
/// g_2), g_2 = (1 - 7 phi/16)/(1 - phi)^2 in the plane, and (1 + phi + phi^2 - phi^3)/(1 - phi)^3 of Carnahan and
/// Starling in space; velocities become Maxwell's, <v^4>/<v^2>^2 = 1 + 2/d.
fn elastic<D: Dim>(fraction: f64, edge: u32, rate: f64, pressure: f64) {
    let (mut world, case, d) = (gas::<D>(fraction, edge, 1.0, 8), "hard grains, elastic gas", D::DIMENSION as f64);
    let (grains, energy) = (world.grains().len() as f64, world.kinetic_energy());
    let mut method = EventDriven::new(EdOptions::with_time_step(5.0 / rate));
    let mut step = |world: &mut World<D>| method.step(world).unwrap_or_else(|error| panic!("{error}"));
    step(&mut world);
    let before = world.collisions;
    (0..4).for_each(|_| {
        step(&mut world);
    });
    let (time, after) = (20.0 / rate, world.collisions);
    let of = |what: &str| format!("{}D: {what}", D::DIMENSION);
    expect(case, Kind::Ed, of("energy over its start"), world.kinetic_energy() / energy, 1.0).within(1e-13, ROUNDING);
    let found = 2.0 * (after.all - before.all) as f64 / (grains * time);
    expect(case, Kind::Ed, of("collision rate of a grain"), found, rate)
        .within(0.015, "40,000 collisions scatter by half a per cent");
    let found = 1.0 + (after.virial - before.virial) / (d * time * grains);
    expect(case, Kind::Ed, of("pressure over N T / V"), found, pressure).within(0.01, "as many collisions");
    let power = |k: i32| world.grains().map(|g| world.bodies.twist[g].v.norm().powi(k)).sum::<f64>() / grains;
    expect(case, Kind::Ed, of("<v^4> over <v^2>^2"), power(4) / power(2).powi(2), 1.0 + 2.0 / d)
        .within(0.06, "4000 velocities scatter by a few per cent");
}

#[test]
fn an_elastic_gas_is_that_of_enskog_and_maxwell() {
    elastic::<D2>(0.1, 64, 0.025310 * 4.0 / 0.19, 1.0 + 0.2 * (1.0 - 0.7 / 16.0) / 0.81);
    elastic::<D3>(0.05, 16, 0.024380 * 6.0 / 0.19, (1.0 + 0.05 + 0.0025 - 0.000125) / 0.95_f64.powi(3));
}

/// Collisions of a grain in a unit of time in a gas of temperature 1, by Enskog: 8 phi g_2 / sqrt(pi) in the plane and 24
/// phi g_2 / sqrt(pi) in space, with g_2 as above.
fn enskog_rate<D: Dim>(phi: f64) -> f64 {
    let (factor, g_2) = match D::DIMENSION {
        2 => (8.0, (1.0 - 7.0 / 16.0 * phi) / (1.0 - phi).powi(2)),
        _ => (24.0, (1.0 - 0.5 * phi) / (1.0 - phi).powi(3)),
    };
    factor * phi * g_2 / PI.sqrt()
}

/// How far the velocities of a gas that cools are from Maxwell's: the coefficient a_2 of the second Sonine polynomial.
/// [NoijeErnst98]
fn sonine<D: Dim>(e: f64) -> f64 {
    let d = D::DIMENSION as f64;
    16.0 * (1.0 - e) * (1.0 - 2.0 * e * e) / (9.0 + 24.0 * d + 8.0 * e * d - 41.0 * e + 30.0 * e * e * (1.0 - e))
}

/// 1/tau over that of Haff and Enskog, from the growth of 1/sqrt(T): mean over eight gases, and its standard error.
///
/// Elastic collisions, eight of each grain, make them gases in equilibrium. After one more, with restitution, velocities
/// are those of a gas that cools; the five that follow are counted. Later, velocities of neighbours become alike.
fn cooling<D: Dim>(phi: f64, edge: u32, e: f64) -> [f64; 2] {
    let (d, seeds) = (D::DIMENSION as f64, 8.0);
    let rate = (1.0 - e * e) * enskog_rate::<D>(phi) / (2.0 * d);
    // n collisions of each grain take t = tau (exp((1 - e^2) n / 2 d) - 1)
    let time_of = |n: f64| (((1.0 - e * e) * n / (2.0 * d)).exp() - 1.0) / rate;
    let ratio = |seed: u64| {
        let mut world = gas::<D>(phi, edge, 1.0, seed);
        let slowness = |world: &World<D>| (d * world.grains().len() as f64 / (2.0 * world.kinetic_energy())).sqrt();
        fly(&mut world, 8.0 / enskog_rate::<D>(phi));
        world.setup.laws = Laws::new(1, |_, _| read(&format!("{{ friction = 0, restitution = {e} }}")));
        fly(&mut world, time_of(1.0));
        let (before, time) = (slowness(&world), time_of(6.0) - time_of(1.0));
        fly(&mut world, time);
        (slowness(&world) - before) / (time * rate)
    };
    let ratios: Vec<f64> = (1..=seeds as u64).map(ratio).collect();
    let mean = ratios.iter().sum::<f64>() / seeds;
    let square = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() / (seeds - 1.0);
    [mean, (square / seeds).sqrt()]
}

/// A gas cools as Haff says, with Enskog's rate of collisions and a_2 of its velocities: 1/tau is that of Maxwell's times
/// 1 + 3 a_2 / 16. [NoijeErnst98]
fn cools<D: Dim>(phi: f64, edge: u32, e: f64) {
    let [found, error] = cooling::<D>(phi, edge, e);
    assert!(error < 0.005, "{}D: eight gases scatter by {error}", D::DIMENSION);
    let expected = 1.0 + 3.0 / 16.0 * sonine::<D>(e);
    expect("hard grains, Haff's law", Kind::Ed, format!("{}D: 1/tau over Enskog's", D::DIMENSION), found, expected)
        .within(0.01, "three standard errors");
}

#[test]
fn a_gas_in_equilibrium_begins_to_cool_as_haff_says() {
    // 16 (1 - e) (1 - 2 e^2) / (9 + 24 d + (8 d - 41) e + 30 e^2 (1 - e)) by hand: -0.0186 in the plane
    assert!((sonine::<D2>(0.95) + 0.0186).abs() < 1e-4, "{}", sonine::<D2>(0.95));
    cools::<D2>(0.05, 128, 0.95);
    cools::<D3>(0.05, 25, 0.95);
}

/// Grains that overlap cannot collide; neither can other shapes.
#[test]
fn what_cannot_fly_is_refused() {
    let mut world = world::<D2>("{ friction = 0, restitution = 1 }");
    grain(&mut world, along::<D2>(0) * 0.0, along::<D2>(0));
    grain(&mut world, along::<D2>(0) * 0.9, along::<D2>(0));
    let error = EventDriven::new(EdOptions::with_time_step(1.0)).step(&mut world).expect_err("they overlap");
    assert!(error.code() == "E244" && error.to_string().contains("2.0e-1 of the smaller radius"), "{error}");
    world.bodies.inertia[0] = drystone::body::Inertia::IMMOVABLE;
    world.gravity = along::<D2>(1);
    let error = EventDriven::new(EdOptions::with_time_step(1.0)).step(&mut world).expect_err("one cannot fall");
    assert!(error.code() == "E045" && error.to_string().contains("held in place"), "{error}");
}
