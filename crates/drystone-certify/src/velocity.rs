//! The accuracy of the velocities of a step, and the energy that its contacts took, from the stored numbers.

use super::judge::{Check, Judge};
use super::local::Local;
use super::space::{Vec3, add, dot, norm, scale, sub};
use super::step::{Body, BodyPair, Step, When};

/// Part of the mean motion and of the fall that is the reference of slow bodies, as the book states it.
const SLOW: f64 = 1e-2;

/// Reference speeds of bodies [m/s].
pub(crate) struct Speeds {
    grains: Vec<f64>,
    walls: Vec<f64>,
    /// The reference of errors in a row: the mean speed of all bodies, or the reference of bodies at rest.
    mean: f64,
    /// Sum of the momenta that contacts give to bodies, each by its size [N s].
    given: f64,
    row: Row,
}

impl Speeds {
    /// The speeds of a step; an error says why they cannot be computed.
    pub(crate) fn of(step: &Step) -> Result<Speeds, &'static str> {
        let (frame, scene) = (step.frame, step.scene);
        let is_sheared = scene.cell.as_ref().is_some_and(|cell| cell.shear.is_some_and(|(.., rate)| rate != 0.0));
        let spins = frame.wall_states.angular_velocity.iter().any(|w| *w != [0.0; 3]);
        let why = match () {
            _ if scene.outside().is_some() => scene.outside().unwrap_or_default(),
            _ if scene.cell.as_ref().is_some_and(|cell| !cell.is_stiff) || is_sheared || spins => {
                "velocities in cells that change and at walls that spin: frames do not tell all imposed motions"
            }
            _ if !frame.grains.faces.is_empty() => {
                "velocities of polyhedra: their energy depends on how they are turned"
            }
            _ => "",
        };
        if !why.is_empty() {
            return Err(why);
        }
        let grains: Vec<Body> = (0..frame.grains.mass.len()).map(Body::Grain).collect();
        let walls: Vec<Body> = (0..scene.walls.len()).map(Body::Wall).collect();
        let (mut masses, mut momenta, mut given) = (0.0, [0.0; 2], 0.0);
        for body in grains.iter().chain(&walls).filter(|body| step.is_movable(**body)) {
            let mass = 1.0 / step.inverse_mass(*body);
            masses += mass;
            momenta[0] += mass * speed(step, *body, When::Start);
            momenta[1] += mass * speed(step, *body, When::End);
            let [start, end] = [When::Start, When::End].map(|when| step.twist(*body, when).0);
            given += mass * norm(sub(sub(end, start), fall(step, *body)));
        }
        let [before, mean] = momenta.map(|momentum| if masses > 0.0 { momentum / masses } else { 0.0 });
        let driven =
            walls.iter().filter(|wall| !step.is_movable(**wall)).map(|wall| norm(step.twist(*wall, When::End).0));
        let growing = frame.grains.radius.iter().map(|radius| scene.growth.abs() * radius).fold(0.0, f64::max);
        let imposed = driven.fold(growing, f64::max);
        let at_rest = if imposed > 0.0 { imposed } else { SLOW * mean_fall(step) };
        let least = (SLOW * mean).max(at_rest);
        let judged = |body: &Body| speed(step, *body, When::Start).max(speed(step, *body, When::End)).max(least);
        Ok(Speeds {
            grains: grains.iter().map(judged).collect(),
            walls: walls.iter().map(judged).collect(),
            mean: mean.max(before).max(at_rest),
            given,
            row: Row::of(step),
        })
    }

    /// The reference speed of the slower body of a contact.
    fn slower(&self, step: &Step, BodyPair { a, b }: BodyPair) -> f64 {
        let of = |body: Body| match body {
            _ if !step.is_movable(body) => f64::INFINITY,
            Body::Grain(k) => self.grains[k],
            Body::Wall(k) => self.walls[k],
        };
        of(a).min(of(b))
    }
}

/// Most contacts in a row: the longest side of the box around all grains, or of the cell where it repeats, over their
/// mean diameter.
struct Row {
    length: f64,
    /// Part of it that the step may have changed: a frame shows its end, and it was solved at its start.
    change: f64,
}

impl Row {
    fn of(step: &Step) -> Row {
        let (grains, dt) = (&step.frame.grains, step.frame.time_step);
        let side = |axis: usize| {
            if let Some(cell) = step.scene.cell.as_ref().filter(|cell| cell.axes[axis]) {
                return cell.corners[1][axis] - cell.corners[0][axis];
            }
            let ends = |(low, high): (f64, f64), k: usize| {
                let (x, radius) = (grains.position[k][axis], grains.radius[k]);
                (low.min(x - radius), high.max(x + radius))
            };
            let (low, high) = (0..grains.mass.len()).fold((f64::INFINITY, f64::NEG_INFINITY), ends);
            high - low
        };
        let longest = (0..step.frame.dimension).map(side).fold(0.0, f64::max);
        let diameters: f64 = grains.radius.iter().map(|radius| 2.0 * radius).sum();
        if diameters == 0.0 {
            return Row { length: 1.0, change: 0.0 };
        }
        let way = |k: usize| {
            let [start, end] = [When::Start, When::End].map(|when| norm(step.twist(Body::Grain(k), when).0));
            start.max(end) * dt
        };
        let ways = (0..grains.mass.len()).map(way).fold(0.0, f64::max);
        let swelling = step.scene.growth.abs() * dt;
        Row { length: longest * grains.mass.len() as f64 / diameters, change: 2.0 * ways / longest + 2.0 * swelling }
    }
}

/// (2 K / m)^1/2 of a body [m/s].
fn speed(step: &Step, body: Body, when: When) -> f64 {
    let (v, w) = step.twist(body, when);
    let turning = match body {
        Body::Grain(k) if step.gyration(k).is_finite() => step.gyration(k) * dot(w, w),
        _ => 0.0,
    };
    (dot(v, v) + turning).sqrt()
}

/// Velocity that external forces give to a body in the step [m/s].
fn fall(step: &Step, body: Body) -> Vec3 {
    let dt = step.frame.time_step;
    match body {
        _ if !step.is_movable(body) => [0.0; 3],
        Body::Grain(_) => scale(step.scene.gravity, dt),
        Body::Wall(k) => {
            let Some(axis) = step.scene.walls[k].axis() else { return [0.0; 3] };
            let push = add(step.scene.gravity, scale(step.frame.wall_states.drive[k], step.inverse_mass(body)));
            scale(axis, dot(axis, push) * dt)
        }
    }
}

/// Velocity that external forces give to all bodies together in the step [m/s].
fn mean_fall(step: &Step) -> f64 {
    let grains = (0..step.frame.grains.mass.len()).map(Body::Grain);
    let bodies = grains.chain((0..step.scene.walls.len()).map(Body::Wall));
    let (mut impulses, mut masses) = (0.0, 0.0);
    for body in bodies.filter(|body| step.is_movable(*body)) {
        let mass = 1.0 / step.inverse_mass(body);
        masses += mass;
        impulses += mass * norm(fall(step, body));
    }
    if masses > 0.0 { impulses / masses } else { 0.0 }
}

/// The largest velocity by which a contact misses its laws, over the reference motion of its bodies, and the error from
/// contacts in a row, over the mean motion; with their roundings.
#[derive(Default)]
pub(crate) struct Worst {
    error: f64,
    rounding: f64,
    bodies: Option<BodyPair>,
    /// Sum of |r| [N s].
    impulses: f64,
    /// Sum of |r| |F| / m_t [J], and its rounding.
    virtual_work: [f64; 2],
}

impl Worst {
    /// Takes a contact into account.
    pub(crate) fn enter(&mut self, step: &Step, speeds: &Speeds, local: &Local, bodies: BodyPair) {
        let over = local.mass_t * speeds.slower(step, bodies);
        let [misfit, rounding] = [local.misfit(), local.rounding()];
        let error = misfit / over;
        if over.is_finite() && (error > self.error || error.is_nan()) {
            (self.error, self.bodies) = (error, Some(bodies));
        }
        if over.is_finite() {
            self.rounding = self.rounding.max(rounding / over);
        }
        let impulse = norm(local.impulse);
        self.impulses += impulse;
        self.virtual_work[0] += impulse * misfit / local.mass_t;
        self.virtual_work[1] += impulse * rounding / local.mass_t;
    }

    /// Compares it with the one that the frame states; where contacts without a force are not listed, the stated one
    /// may be larger.
    pub(crate) fn compare(&self, step: &Step, speeds: &Speeds, is_complete: bool, judge: &mut Judge) {
        let stated = step.frame.velocity_error;
        let [in_a_row, rounding] = match speeds.given.max(self.impulses / speeds.row.length) * speeds.mean {
            0.0 => [0.0; 2],
            over => self.virtual_work.map(|work| work / over),
        };
        let error = self.error.max(in_a_row);
        let off = if is_complete { (error - stated).abs() } else { (error - stated).max(0.0) };
        // sums over all bodies, and roundings that the solver does not count
        let rounding = 2.0 * self.rounding.max(rounding);
        let sums = (64.0 + step.found.len() as f64) * f64::EPSILON * error.max(stated);
        let limit = rounding + sums + speeds.row.change * in_a_row;
        judge.see(Check::Residual, off, limit, || match self.bodies {
            Some(_) if in_a_row > self.error => "velocity error, of contacts in a row".into(),
            Some(bodies) => format!("velocity error, worst at the {}", step.contact(bodies)),
            None => "velocity error".into(),
        });
    }
}

/// Work of the contacts of a group of touching bodies: against the free flight, at the velocities that their laws
/// impose, its magnitude, and the part of it explained by rounding.
#[derive(Clone, Copy, Default)]
struct GroupWork {
    against_flight: f64,
    against_laws: f64,
    turned_over: f64,
    rounding: f64,
}

/// Roundings of a velocity that enters a work: positions of contacts, differences and sums.
const WORK_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Energy created in a frame [J], from the work of contacts: r . (u_free + u) / 2 against the free flight, and r . (u +
/// bias) at the velocities that their laws impose. Groups of touching bodies count if they gain more than the part
/// `limit` of the energy turned over at their contacts.
pub(crate) fn created_energy(step: &Step, limit: f64) -> f64 {
    let (contacts, dt, fall_of_all) = (&step.frame.contacts, step.frame.time_step, mean_fall(step));
    let walls = step.scene.walls.len();
    let number = |body: Body| match body {
        Body::Wall(k) => k,
        Body::Grain(k) => walls + k,
    };
    let mut group: Vec<usize> = (0..walls + step.frame.grains.mass.len()).collect();
    fn root(group: &mut [usize], mut body: usize) -> usize {
        while group[body] != body {
            group[body] = group[group[body]];
            body = group[body];
        }
        body
    }
    for BodyPair { a, b } in step.bodies.iter().flatten() {
        if !step.is_movable(*a) || !step.is_movable(*b) {
            continue;
        }
        let (a, b) = (root(&mut group, number(*a)), root(&mut group, number(*b)));
        group[a.max(b)] = a.min(b);
    }
    let mut works = vec![GroupWork::default(); group.len()];
    for (k, bodies) in step.bodies.iter().enumerate() {
        let Some(bodies @ BodyPair { a, b }) = *bodies else { continue };
        let arms = step.arms(Some(k), bodies, contacts.normal[k]);
        let [start, end] = [When::Start, When::End].map(|when| step.relative_velocity(bodies, arms, when).0);
        let free = add(start, sub(fall(step, b), fall(step, a)));
        let spin = |when: When| sub(step.twist(b, when).1, step.twist(a, when).1);
        let (impulse, torque) = (scale(contacts.force(k), dt), scale(contacts.torque[k], dt));
        let parts =
            [dot(impulse, free), dot(impulse, end), dot(torque, spin(When::Start)), dot(torque, spin(When::End))];
        let work = &mut works[root(&mut group, number(if step.is_movable(b) { b } else { a }))];
        work.against_flight += 0.5 * parts.iter().sum::<f64>();
        work.against_laws += parts[1] + parts[3] + dot(impulse, contacts.bias[k]);
        work.turned_over += 0.5 * parts.iter().map(|part| part.abs()).sum::<f64>() + norm(impulse) * fall_of_all;
        let speed = |body: Body| norm(step.twist(body, When::Start).0).max(norm(step.twist(body, When::End).0));
        work.rounding += WORK_ROUNDING * norm(impulse) * (speed(a) + speed(b));
    }
    let gain = |work: &GroupWork| work.against_flight.max(work.against_laws) - work.rounding;
    let counts = |work: &&GroupWork| gain(work) > limit * work.turned_over;
    works.iter().filter(counts).map(gain).sum()
}
