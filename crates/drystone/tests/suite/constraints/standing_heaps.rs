//! Heaps of 6 to 28 turning disks stand from a scenario with `start_forces = "equilibrium"` where an equilibrium
//! exists, and fall where none does.
//!
//! The critical friction is the least for which forces within all cones balance the weights. It is found here by a
//! linear programme: every force is a sum of the two edges of its cone, with factors that are not negative. The simplex
//! method, which shares nothing with the search of the program, decides whether there are such factors.

use std::path::Path;

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};
use glam::DVec2;

use super::expect::expect;

const CASE: &str = "heaps that start in equilibrium";
/// A top that sinks so far has fallen, over the diameter.
const FALLEN: f64 = 0.3;

/// Centres of disks of diameter 1 in rows, each one shorter than the one below and in its dents.
fn centres(rows: usize) -> Vec<DVec2> {
    let place =
        |row: usize, k: usize| DVec2::new(k as f64 - 0.5 * (rows - row - 1) as f64, 0.5 + row as f64 * 0.75_f64.sqrt());
    (0..rows).flat_map(|row| (0..rows - row).map(move |k| place(row, k))).collect()
}

/// Whether x >= 0 with A x = b exists: phase one of the simplex method, by Bland's rule, which does not cycle.
fn is_feasible(mut table: Vec<Vec<f64>>) -> bool {
    let (rows, columns) = (table.len(), table[0].len() - 1);
    // artificial variables make the first basis; what is left of them is minimised
    for row in table.iter_mut().filter(|row| row[columns] < 0.0) {
        row.iter_mut().for_each(|x| *x = -*x);
    }
    let mut goal: Vec<f64> = (0..=columns).map(|k| table.iter().map(|row| row[k]).sum()).collect();
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    const ROUNDING: f64 = 1e-10;
    while let Some(enter) = (0..columns).find(|k| goal[*k] > ROUNDING) {
        let ratio = |row: &usize| table[*row][columns] / table[*row][enter];
        let able = (0..rows).filter(|row| table[*row][enter] > ROUNDING);
        let leave = able.min_by(|p, q| ratio(p).total_cmp(&ratio(q)).then(basis[*p].cmp(&basis[*q])));
        let Some(leave) = leave else { break };
        basis[leave] = enter;
        let pivot = table[leave][enter];
        table[leave].iter_mut().for_each(|x| *x /= pivot);
        let own = table[leave].clone();
        for row in table.iter_mut().enumerate().filter(|(k, _)| *k != leave).map(|(_, row)| row).chain([&mut goal]) {
            let factor = row[enter];
            row.iter_mut().zip(&own).for_each(|(x, own)| *x -= factor * own);
        }
    }
    goal[columns] < 1e-7
}

/// Balance of forces and torques of all disks under their weights, on factors of the edges of all cones; the last
/// column is the right side.
fn conditions(places: &[DVec2], friction: f64) -> Vec<Vec<f64>> {
    let mut touches: Vec<([Option<usize>; 2], DVec2)> = Vec::new();
    for (b, x) in places.iter().enumerate() {
        if x.y < 0.6 {
            touches.push(([None, Some(b)], DVec2::Y));
        }
        let near = places[..b].iter().enumerate().filter(|(_, y)| (x.distance(**y) - 1.0).abs() < 1e-9);
        touches.extend(near.map(|(a, y)| ([Some(a), Some(b)], *x - *y)));
    }
    let mut table = vec![vec![0.0; 2 * touches.len() + 1]; 3 * places.len()];
    for (k, (bodies, normal)) in touches.iter().enumerate() {
        for (edge, side) in [-1.0, 1.0].into_iter().enumerate() {
            for (body, sign) in bodies.iter().zip([-1.0, 1.0]) {
                let Some(body) = body else { continue };
                let force = (*normal + normal.perp() * (side * friction)) * sign;
                let arm = *normal * (-0.5 * sign);
                for (row, value) in [force.x, force.y, arm.perp_dot(force)].into_iter().enumerate() {
                    table[3 * body + row][2 * k + edge] = value;
                }
            }
        }
    }
    (0..places.len()).for_each(|body| *table[3 * body + 1].last_mut().expect("a right side") = 1.0);
    table
}

/// The least friction for which an equilibrium exists.
fn critical(rows: usize) -> f64 {
    let places = centres(rows);
    let (mut low, mut high) = (0.2, 0.8);
    while high - low > 1e-7 {
        let middle = 0.5 * (low + high);
        if is_feasible(conditions(&places, middle)) { high = middle } else { low = middle }
    }
    high
}

/// A heap as a scenario: disks of 1 m and 1 kg, stiff enough for overlaps below a hundredth.
fn scenario(rows: usize, friction: f64, method: &str, start: &str) -> AnyScenario {
    let points: Vec<String> = centres(rows).iter().map(|x| format!("[{:?}, {:?}]", x.x, x.y)).collect();
    let text = format!(
        "
        dimension = 2
        gravity   = [0, -9.81]
        depth     = 1
        material  = [{{ name = \"m\", density = {density} }}]
        wall      = [{{ name = \"floor\", kind = \"plane\", point = [0, 0], normal = [0, 1], material = \"m\" }}]
        stop      = {{ at = 10 }}
        [[contact]]
        between  = [\"m\", \"m\"]
        friction = {friction}
        md       = {{ normal = {{ law = \"hooke\", stiffness = 1e4, damping = 100 }} }}
        [[grains]]
        material = \"m\"
        shape    = {{ kind = \"disk\", radius = 0.5 }}
        place    = {{ how = \"at\", points = [{points}] }}
        [method]
        use = \"{method}\"
        cd  = {{ time_step = 0.005, accuracy = \"forces\", start_forces = \"{start}\" }}
        dae = {{ integrator = \"gear\", start_forces = \"{start}\" }}
        ",
        density = 4.0 / std::f64::consts::PI,
        points = points.join(", "),
    );
    AnyScenario::parse("heap", &text, &[], Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// How far the top sinks within 10 s, until it has fallen, over the diameter; and the codes of what was said.
fn sinking(scenario: &AnyScenario) -> (f64, Vec<String>) {
    let AnyScenario::Plane(scenario) = scenario else { panic!("a heap of the plane") };
    let mut run = sim::Simulation::new(scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let height = |run: &mut sim::Simulation<drystone::dim::D2>| {
        let world = run.world();
        world.grains().map(|k| world.bodies.pose[k].x.y).fold(0.0, f64::max)
    };
    let before = height(&mut run);
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() && before - height(&mut run) < FALLEN {}
    let warnings = run.summary()["warnings"].as_array().expect("warnings").clone();
    (before - height(&mut run), warnings.iter().map(|warning| warning["code"].to_string()).collect())
}

fn stands_and_falls(rows: usize, method: &str, kind: Kind, allowed: f64, why: &str) {
    let (critical, disks) = (critical(rows), rows * (rows + 1) / 2);
    let (sunk, told) = sinking(&scenario(rows, 1.10 * critical, method, "equilibrium"));
    assert!(told.iter().all(|code| !code.contains("W23")), "{disks} disks: {told:?}");
    expect(CASE, kind, format!("{disks} disks: sinking in 10 s at 1.10 of the critical friction"), sunk, 0.0)
        .within(allowed, why);
    let (sunk, told) = sinking(&scenario(rows, 0.95 * critical, method, "equilibrium"));
    assert!(told.iter().any(|code| code.contains("W231")), "{disks} disks: that there is none is told: {told:?}");
    expect(CASE, kind, format!("{disks} disks: sinking at 0.95 of it"), sunk, FALLEN)
        .within(0.1, "stopped when it has fallen so far");
}

#[test]
fn the_critical_friction_is_that_of_the_reference() {
    for (rows, expected) in [(2, 0.267_949), (3, 0.433_987), (4, 0.472_960)] {
        let found = critical(rows);
        assert!((found - expected).abs() < 2e-6, "{rows} rows: {found}");
    }
}

#[test]
fn rigid_heaps_stand_for_ten_seconds_or_fall() {
    for rows in 3..=7 {
        stands_and_falls(rows, "cd", Kind::Cd, 1e-6, "2000 steps of a residual of 1e-6");
    }
}

#[test]
fn elastic_heaps_stand_for_ten_seconds_or_fall() {
    for rows in 3..=7 {
        stands_and_falls(rows, "dae", Kind::Dae, 0.02, "overlaps of up to four weights in every row");
    }
}

/// From a cold start the same heaps fall at 1.10 of the critical friction: one step has two solutions.
#[test]
fn the_same_heaps_fall_without_the_forces() {
    for rows in 4..=7 {
        let (sunk, _) = sinking(&scenario(rows, 1.10 * critical(rows), "cd", "as_placed"));
        assert!(sunk >= FALLEN, "{rows} rows: {sunk}");
    }
}
