//! What the methods cost, against the number of grains and their stiffness. [Brendel et al. (1.34) to (1.37), Fig. 1.6]

use std::sync::Arc;
use std::time::Instant;

use drystone::dim::{D2, D3, Dim};
use drystone::input::{Node, Reader, Text, Value};
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::cd::{Accelerator, CdOptions, ContactDynamics, Order};
use drystone::method::md::{self, SoftParticles};
use drystone::study::exponent;
use drystone::study::packing::{FRICTION, PRESSURE, PressedPacking, RADIUS, inertial_time, time_step};
use drystone::study::trace::{normal_impulses, trace};

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Stiffness of the soft grains over the load on a grain's diameter, p d (spheres) or p times the length (disks).
const STIFFNESSES: [f64; 3] = [1e3, 1e5, 1e7];
/// Part of the final stress that counts as relaxed.
const RELAXED: f64 = 0.9;
/// Soft steps that are timed together, and how often: the fastest counts, as the machine may do other things.
const TIMED: [usize; 2] = [50, 5];

/// What one packing costs.
struct Cost {
    grains: f64,
    contacts: f64,
    /// Plain sweeps in random order until the forces have built up, and sweeps with momentum.
    sweeps: [f64; 2],
    /// Seconds that these sweeps take.
    relaxation: [f64; 2],
    /// Seconds of a soft step.
    soft_step: f64,
    /// Soft steps in an inertial time, for each stiffness.
    soft_steps: Vec<f64>,
}

impl Cost {
    /// Seconds of computation per inertial time of the rigid packing, by plain sweeps or with momentum.
    fn rigid(&self, kind: usize) -> f64 {
        self.relaxation[kind] * inertial_time() / time_step()
    }

    /// The same for soft grains.
    fn soft(&self, stiffness: usize) -> f64 {
        self.soft_step * self.soft_steps[stiffness]
    }
}

pub(super) fn perform(desk: &mut Desk) -> Result<(), Failure> {
    let (disks, spheres): (&[usize], &[usize]) =
        if desk.quick { (&[10, 14, 20], &[6, 8, 10]) } else { (&[14, 20, 28, 40, 56], &[6, 8, 11, 15]) };
    compare::<D2>(desk, disks)?;
    compare::<D3>(desk, spheres)
}

fn compare<D: Dim>(desk: &mut Desk, columns: &[usize]) -> Result<(), Failure> {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let alone = alone.map_err(|error| Failure::Run(format!("cannot start a thread: {error}")))?;
    let mut costs = Vec::new();
    for columns in columns {
        let what = format!("{} {}s", columns.pow(D::DIMENSION as u32), D::ROUND);
        let packing =
            PressedPacking::<D>::compacted(*columns, 1, |part| desk.progress(&format!("compacting {what}"), part))?;
        desk.progress(&format!("sweeping {what}"), 0.5);
        costs.push(alone.install(|| cost(packing))?);
    }
    tell::<D>(desk, &costs);
    draw::<D>(desk, &costs)
}

/// Exponents, and where rigid and soft grains cost the same.
fn tell<D: Dim>(desk: &mut Desk, costs: &[Cost]) {
    let power = |measure: &dyn Fn(&Cost) -> f64| exponent(costs.iter().map(|cost| (cost.grains, measure(cost))));
    let (round, theory) = (D::ROUND, 2.0 / D::DIMENSION as f64);
    let named = |quantity: &str| format!("{round}s, exponent of the number of grains: {quantity}");
    desk.compare(named("plain sweeps"), power(&|cost| cost.sweeps[0]), theory, 0.15);
    desk.found(named("sweeps with momentum"), power(&|cost| cost.sweeps[1]));
    desk.compare(named("contacts solved"), power(&|cost| cost.sweeps[0] * cost.contacts), 1.0 + theory, 0.2);
    desk.found(named("time of plain sweeps"), power(&|cost| cost.relaxation[0]));
    desk.found(named("time with momentum"), power(&|cost| cost.relaxation[1]));
    desk.compare(named("time of a soft step"), power(&|cost| cost.soft_step), 1.0, 0.1);
    let steps = costs[0].soft_steps.iter().zip(STIFFNESSES).map(|(steps, stiffness)| (stiffness.sqrt(), *steps));
    desk.compare(format!("{round}s, exponent of (K/m)^1/2 in the soft steps"), exponent(steps), 1.0, 0.05);
    let crossing = |cost: &Cost, kind| STIFFNESSES[0] * (cost.rigid(kind) / cost.soft(0)).powi(2);
    desk.found(
        format!("{round}s, exponent of N in the stiffness at which plain sweeps cost as much"),
        power(&|cost| crossing(cost, 0)),
    );
    for cost in [&costs[0], &costs[costs.len() - 1]] {
        desk.found(
            format!("  stiffness K / (p d) at which momentum costs as much, {} grains", cost.grains),
            crossing(cost, 1),
        );
    }
}

fn draw<D: Dim>(desk: &mut Desk, costs: &[Cost]) -> Result<(), Failure> {
    let title = format!("Computing time of an inertial time d (rho / p)^1/2, {}s", D::ROUND);
    let mut plot = Plot::new(&title, Axis::log("Grains"), Axis::log("Time (s)"));
    let mut curve = |name: String, hand, seconds: &dyn Fn(&Cost) -> f64| {
        plot.curve(name, hand, costs.iter().map(|cost| (cost.grains, seconds(cost))).collect());
    };
    curve("rigid, plain sweeps".into(), Hand::Line, &|cost| cost.rigid(0));
    curve("rigid, momentum".into(), Hand::Line, &|cost| cost.rigid(1));
    for (k, stiffness) in STIFFNESSES.iter().enumerate() {
        curve(format!("soft, K = {stiffness:.0e} p d"), Hand::Dashes, &|cost| cost.soft(k));
    }
    let columns = "grains,contacts,plain_sweeps,momentum_sweeps,plain_s,momentum_s,soft_step_s,soft_steps_1e3,soft_steps_1e5,soft_steps_1e7";
    let row = |cost: &Cost| {
        let head = [cost.grains, cost.contacts].into_iter().chain(cost.sweeps).chain(cost.relaxation);
        head.chain([cost.soft_step]).chain(cost.soft_steps.iter().copied()).collect()
    };
    let name = format!("cost-{}s", D::ROUND);
    desk.table(&name, columns, costs.iter().map(row))?;
    desk.plot(&name, &plot)
}

/// On one thread: the gain from threads depends on the size.
fn cost<D: Dim>(mut packing: PressedPacking<D>) -> Result<Cost, Failure> {
    packing.press();
    packing.world.bodies.material[..2 * D::DIMENSION].fill(1); // frictionless walls carry no tangential load
    packing.world.setup.laws = Laws::new(2, |a, b| Pair::with_friction(if a == b { FRICTION } else { 0.0 }));
    let (mut sweeps, mut relaxation, mut contacts) = ([0.0; 2], [0.0; 2], 0.0);
    let ways = [(Order::RandomSweep, Accelerator::None), (Order::Coloured, Accelerator::Momentum)];
    for (kind, (order, accelerator)) in ways.into_iter().enumerate() {
        let options = CdOptions { order, ..CdOptions::with_time_step(time_step()) };
        let count = sweeps_until_relaxed(&packing, options.clone(), accelerator)?;
        sweeps[kind] = count as f64;
        (relaxation[kind], contacts) = seconds_of(&packing, options, accelerator, count)?;
    }
    let grains = packing.world.grains().len() as f64;
    let soft_steps = STIFFNESSES.map(|stiffness| inertial_time() / soft(&mut packing, stiffness).time_step());
    let soft_step = seconds_of_step(&mut packing)?;
    Ok(Cost { grains, contacts, sweeps, relaxation, soft_step, soft_steps: soft_steps.to_vec() })
}

/// Sweeps from zero forces until the stress is nearly that of equilibrium, whose trace is known: sum f_n l = d p V with
/// branches of length l, up to the friction at the walls.
fn sweeps_until_relaxed<D: Dim>(
    packing: &PressedPacking<D>,
    options: CdOptions,
    accelerator: Accelerator,
) -> Result<u64, Failure> {
    let mut world = packing.world.clone();
    let mut method = ContactDynamics::new(options);
    let grains = method.prepare_step(&mut world)?;
    let radius = |body: u32| match world.grains().contains(&(body as usize)) {
        true => world.bodies.shape[body as usize].radius(),
        false => 0.0,
    };
    let branches: Vec<f64> = world.network().contacts.iter().map(|c| radius(c.key.a) + radius(c.key.b)).collect();
    let whole: f64 = D::DIMENSION as f64 * PRESSURE * packing.volume() * time_step();
    let enough = RELAXED * whole;
    let most = 20 * world.grains().len() as u64; // twenty times what plain sweeps need in the plane
    let (mut count, mut stress) = (0, 0.0);
    trace(grains, accelerator, |sweeps, grains| {
        count = sweeps;
        stress = normal_impulses(grains).iter().zip(&branches).map(|(impulse, branch)| impulse * branch).sum();
        stress < enough && sweeps < most
    });
    if stress < enough {
        return Err(Failure::Run(format!("a packing of {} grains gives way to the pressure", world.grains().len())));
    }
    Ok(count)
}

/// Seconds that so many sweeps take, and the number of contacts.
fn seconds_of<D: Dim>(
    packing: &PressedPacking<D>,
    options: CdOptions,
    accelerator: Accelerator,
    count: u64,
) -> Result<(f64, f64), Failure> {
    let mut method = ContactDynamics::new(options);
    let mut world = packing.world.clone();
    let grains = method.prepare_step(&mut world)?;
    let start = Instant::now();
    trace(grains, accelerator, |sweeps, _| sweeps < count);
    Ok((start.elapsed().as_secs_f64(), world.network().contacts.len() as f64))
}

/// Makes the grains soft.
fn soft<D: Dim>(packing: &mut PressedPacking<D>, stiffness: f64) -> SoftParticles<D> {
    let world = &mut packing.world;
    let length = if D::DIMENSION == 2 { world.setup.depth } else { 2.0 * RADIUS };
    let text = format!(
        "pair = {{ friction = 0.5, md = {{ normal = {{ law = \"hooke\", stiffness = {:e}, restitution = 0.5 }}, \
         tangential = {{ law = \"cundall_strack\", stiffness_ratio = 0.8 }} }} }}",
        stiffness * PRESSURE * length
    );
    let text = Arc::new(Text { name: "study cost".into(), text });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    let pair = tree.get("pair").and_then(|node| Pair::read(node, &reader)).expect("a sound law");
    world.setup.laws = Laws::new(2, |_, _| pair.clone());
    SoftParticles::new(md::MdOptions::default(), world)
}

/// Seconds of a step of grains with the lowest stiffness.
fn seconds_of_step<D: Dim>(packing: &mut PressedPacking<D>) -> Result<f64, Failure> {
    let mut method = soft(packing, STIFFNESSES[0]);
    let [steps, batches] = TIMED;
    let mut fastest = f64::INFINITY;
    for _ in 0..batches {
        let start = Instant::now();
        for _ in 0..steps {
            method.step(&mut packing.world)?;
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(fastest / steps as f64)
}
