//! What must hold in every pile: Signorini r_n >= 0, Coulomb |r_t| <= mu r_n, Newton for every grain, and at
//! rest a floor that carries the weight.

use drystone::contact::Regime;
use drystone::dim::{D2, Dim, Vector};
use drystone::law::{Laws, Pair};
use drystone::method::Kind;
use drystone::method::cd::Accuracy;
use glam::DVec2;

use super::expect::expect;
use super::stage::{G, Random, Stage};

const MU: f64 = 0.5;
const ACCURACY: f64 = 1e-8;
const COLUMNS: usize = 16;

/// How far impulses left the Coulomb cone in all steps so far, and how many contacts slid.
#[derive(Default)]
struct Cone {
    pull: f64,
    beyond: f64,
    sliding: usize,
}

impl Cone {
    /// Looks at the contacts of the last step: -r_n over the mean weight x dt, and |r_t| / r_n - mu.
    fn look(&mut self, stage: &Stage<D2>) {
        let mean = weight(stage) / stage.world.grains().len() as f64 * stage.dt();
        let material = &stage.world.bodies.material;
        for (contact, memory) in stage.contacts() {
            let (normal, tangential) = (memory.impulse.dot(contact.normal), memory.impulse.tangent_to(contact.normal));
            let [a, b] = [contact.key.a, contact.key.b].map(|body| material[body as usize]);
            let over = tangential.norm()
                - stage.world.setup.laws.between(a, b).friction.coefficient(memory.regime, 0.0) * normal;
            self.pull = self.pull.max(-normal / mean);
            self.beyond = self.beyond.max(over / if normal > 0.0 { normal } else { mean });
            self.sliding += usize::from(memory.regime == Regime::Slide);
        }
    }
}

/// Weight of all grains [N].
/// Largest speed over g dt of a grain that two contacts hold; one alone on the floor rolls on for ever.
fn speed(stage: &Stage<D2>) -> f64 {
    let mut contacts = vec![0; stage.world.bodies.len()];
    for (contact, _) in stage.world.network().closed() {
        contacts[contact.key.a as usize] += 1;
        contacts[contact.key.b as usize] += 1;
    }
    let held = stage.world.grains().filter(|k| contacts[*k] >= 2);
    held.map(|k| stage.world.bodies.twist[k].v.length() / (G * stage.dt())).fold(0.0, f64::max)
}

fn weight(stage: &Stage<D2>) -> f64 {
    stage.world.grains().map(|k| stage.mass(k) * G).sum()
}

/// 200 disks on a rough floor between smooth walls, settled until they rest; the last step is solved to the
/// residual 1e-8.
fn pile() -> (Stage<D2>, Cone) {
    let mut stage = Stage::<D2>::new(MU, 1e-3, 1e-5);
    stage.world.setup.laws = Laws::new(2, |a, b| Pair::with_friction(if a == b { MU } else { 0.0 }));
    stage.world.gravity = DVec2::new(0.0, -G);
    stage.bin(COLUMNS, 1.0);
    stage.world.bodies.material[1] = 1;
    stage.world.bodies.material[2] = 1;
    stage.scatter(200, COLUMNS, &mut Random::new(12));
    let mut cone = Cone::default();
    for _ in 0..1500 {
        stage.step_or_warn(); // on the way down a few steps miss their accuracy; they obey the cone all the same
        cone.look(&stage);
    }
    stage.method.options.accuracy = Accuracy::Residual(ACCURACY);
    for _ in 0..400 {
        stage.step_or_warn(); // the first steps of the finer accuracy may creep; the judged one must converge
    }
    (stage, cone)
}

#[test]
fn a_pile_obeys_every_law() {
    let (mut stage, mut cone) = pile();
    let before = stage.world.bodies.twist.clone();
    stage.step();
    cone.look(&stage);
    let (dt, case) = (stage.dt(), "pile of 200 disks");
    assert!(cone.sliding > 1000, "contacts slide on the way down: {}", cone.sliding);
    expect(case, Kind::Cd, "largest pull over the mean weight", cone.pull, 0.0).within(1e-14, "r_n is cut at zero");
    expect(case, Kind::Cd, "largest |r_t| / r_n - mu", cone.beyond, 0.0).within(1e-10, "r_t is cut at mu r_n");

    let mut sums = vec![(DVec2::ZERO, 0.0); stage.world.bodies.len()];
    let mut floor = 0.0;
    for (contact, memory) in stage.contacts() {
        let (a, b) = (contact.key.a as usize, contact.key.b as usize);
        sums[a].0 -= memory.impulse;
        sums[a].1 -= D2::torque(contact.arm_a, memory.impulse);
        sums[b].0 += memory.impulse;
        sums[b].1 += D2::torque(contact.arm_b, memory.impulse);
        if a == 0 {
            floor += memory.impulse.dot(contact.normal);
        }
    }
    let (mut newton, mut euler) = (0.0_f64, 0.0_f64);
    for k in stage.world.grains() {
        let (m, i, radius) = (stage.mass(k), stage.moment(k), stage.world.bodies.shape[k].radius());
        let (now, then) = (*stage.twist(k), before[k]);
        let momentum = (now.v - then.v) * m - DVec2::new(0.0, -G) * (m * dt);
        newton = newton.max((sums[k].0 - momentum).length() / (m * G * dt));
        euler = euler.max((sums[k].1 - (now.w - then.w) * i).abs() / (m * G * dt * radius));
    }
    let why = "twists are made from the reported impulses: rounding";
    expect(case, Kind::Cd, "largest imbalance of a grain over its weight", newton, 0.0).within(1e-11, why);
    expect(case, Kind::Cd, "largest torque of a grain over weight x radius", euler, 0.0).within(1e-11, why);
    expect(case, Kind::Cd, "largest speed of a held grain at rest over g dt", speed(&stage), 0.0)
        .within(1e-4, "at rest; what is left of the last rolling");
    let weight = weight(&stage) * dt;
    let rise: f64 =
        stage.world.grains().map(|k| stage.mass(k) * (stage.world.bodies.twist[k].v.y - before[k].v.y)).sum();
    expect(
        case,
        Kind::Cd,
        "floor's impulse less weight and gain of momentum, over the weight",
        (floor - rise) / weight,
        1.0,
    )
    .within(1e-12, "the walls are smooth: nothing else acts upwards; rounding");
    expect(case, Kind::Cd, "reaction of the floor at rest over the weight", floor / weight, 1.0)
        .within(100.0 * ACCURACY, "residual times the condition number, the square of the height of ten grains");
}
