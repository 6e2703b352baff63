//! The laws of every contact, and the residual eps_nat of the step, from the stored numbers.

use std::collections::HashSet;

use super::judge::{Check, Judge};
use super::local::Local;
use super::pairs::Near;
use super::scene::Scheme;
use super::space::dot;
use super::step::{BodyPair, Step};
use super::terms::{biases, closed_below};
use super::velocity::{Speeds, Worst};

/// Sums over contacts, weighted with 1/m_t: of the squares of the misfit, of the impulses, of the rounding.
#[derive(Default)]
struct Sums {
    wrong: f64,
    all: f64,
    rounding: f64,
    count: usize,
    /// The largest part of `wrong`, and the pair to which it belongs.
    worst: (f64, Option<BodyPair>),
}

impl Sums {
    fn enter(&mut self, local: &Local, bodies: BodyPair) {
        let (weight, distance) = (1.0 / local.mass_t, local.misfit());
        let part = weight * distance * distance;
        self.wrong += part;
        self.all += weight * dot(local.impulse, local.impulse);
        self.rounding += weight * local.rounding() * local.rounding();
        self.count += 1;
        if part > self.worst.0 || part.is_nan() {
            self.worst = (part, Some(bodies));
        }
    }

    /// eps_nat = sqrt(sum w |F|^2 / sum w |r|^2).
    fn residual(&self) -> f64 {
        match (self.wrong, self.all) {
            (0.0, _) => 0.0,
            (_, 0.0) => f64::INFINITY,
            (wrong, all) => (wrong / all).sqrt(),
        }
    }
}

/// Checks the laws of a frame; returns the residual eps_nat, if it can be recomputed.
pub(crate) fn check(step: &Step, near: &[Near], judge: &mut Judge) -> Option<f64> {
    let (mut sums, mut listed, mut contacts, mut free) = (Sums::default(), HashSet::new(), Vec::new(), Vec::new());
    for (k, bodies) in step.bodies.iter().enumerate() {
        let Some(bodies) = *bodies else { continue };
        let Some(law) = step.law(bodies) else { continue };
        let local = Local::stored(step, law, k, bodies);
        listed.insert((bodies.in_order(), step.face(bodies, local.normal)));
        sums.enter(&local, bodies);
        contacts.push((k, bodies, local));
    }
    let stated = if step.scene.states_residual { step.frame.residual } else { sums.residual() };
    for (k, bodies, local) in &contacts {
        // no single misfit is larger than all of them together: w F^2 <= eps_nat^2 sum w r^2
        let misfit = stated * (sums.all * local.mass_t).sqrt();
        check_cone(step, *k, *bodies, local, misfit, judge);
        check_regime(step, *k, *bodies, local, judge);
    }
    if leave_out(step, judge) {
        return None;
    }
    let is_complete = step.frame.grains.outlines.is_empty();
    if is_complete {
        for pair in near.iter().filter(|pair| !listed.contains(&(pair.bodies, pair.face))) {
            if let Some(local) = without_force(step, pair) {
                sums.enter(&local, pair.bodies);
                free.push((pair.bodies, local));
            }
        }
    }
    match Speeds::of(step) {
        Err(why) => judge.leave_out(Check::Residual, why),
        Ok(speeds) => {
            let mut worst = Worst::default();
            let listed = contacts.iter().map(|(_, bodies, local)| (bodies, local));
            listed.chain(free.iter().map(|(bodies, local)| (bodies, local))).for_each(|(bodies, local)| {
                worst.enter(step, &speeds, local, *bodies);
            });
            worst.compare(step, &speeds, is_complete, judge);
        }
    }
    if !is_complete {
        return Some(compare_listed(step, &sums, judge));
    }
    if !step.scene.states_residual {
        judge.leave_out(Check::Residual, "runs whose criterion is the change of forces: it is what they state");
        return Some(sums.residual());
    }
    Some(compare(step, &sums, judge))
}

/// Records which laws are not supported; returns whether the residual cannot be recomputed for that reason.
fn leave_out(step: &Step, judge: &mut Judge) -> bool {
    let scene = step.scene;
    for why in &scene.unknown {
        for check in [Check::Cone, Check::Regime, Check::Residual] {
            judge.leave_out(check, why.as_str());
        }
    }
    let coheres = scene.laws().any(|law| law.cohesion > 0.0);
    if coheres {
        judge.leave_out(Check::Residual, "frames of grains that cohere: they do not tell how far bonds have opened");
    }
    let is_curved = scene.walls.iter().any(|wall| !wall.is_known());
    for wall in scene.walls.iter().filter(|wall| !wall.is_known()) {
        judge.leave_out(Check::Residual, wall.unjudged("frames with walls other than planes, boxes and cylinders"));
    }
    coheres || is_curved || !scene.unknown.is_empty()
}

/// A pair that the frame does not list: its impulse is zero. `None` if it opens, as it then should.
fn without_force<'r>(step: &Step<'r>, pair: &Near) -> Option<Local<'r>> {
    let law = step.law(pair.bodies)?;
    if step.scene.scheme == Scheme::Midpoint && pair.gap > -closed_below(step, pair.bodies) {
        return None; // it was not closed, or nearly so
    }
    let opens = |local: &Local| dot(local.velocity, local.normal) > local.velocity_rounding;
    let mut locals = biases(step, law, None, pair.bodies, pair.normal, pair.gap)
        .into_iter()
        .map(|bias| Local::free(step, law, None, pair.bodies, pair.normal, bias));
    let first = locals.next()?;
    let mut local = locals.fold(first, |one, other| if opens(&other) { other } else { one });
    if opens(&local) {
        return None;
    }
    // whether it slid before is not stored: its friction is one of two, at any slip speed in between
    let still = local.misfit();
    local.friction = law.friction(f64::INFINITY)[1];
    local.velocity_rounding += (local.misfit() - still).abs() / local.mass_t;
    local.friction = law.friction(0.0)[0];
    Some(local)
}

/// Impulses in the Coulomb cone, torques below their limits: as exactly as the residual says; far from a solution, up
/// to the rounding of m u, from which the solver computes r.
fn check_cone(step: &Step, k: usize, bodies: BodyPair, local: &Local, misfit: f64, judge: &mut Judge) {
    let carries = step.frame.contacts.force(k) != [0.0; 3] || local.law.cohesion > 0.0;
    judge.require(Check::Cone, carries, || format!("{} carries nothing", step.contact(bodies)));
    if local.size() == 0.0 {
        return; // so small that its impulse vanishes
    }
    let (outside, per_misfit) = local.outside();
    let limit = (misfit + local.rounding()) * per_misfit;
    judge.see(Check::Cone, outside / local.size(), limit / local.size(), || step.contact(bodies));
}

fn check_regime(step: &Step, k: usize, bodies: BodyPair, local: &Local, judge: &mut Judge) {
    if local.law.cohesion > 0.0 {
        return judge.leave_out(Check::Regime, "grains that cohere");
    }
    let stated = step.frame.contacts.regime[k];
    let holds = match stated {
        0 => step.frame.contacts.normal_force[k] <= 0.0,
        _ => [1, 2].contains(&stated) && local.regime().is_none_or(|is| is == stated),
    };
    judge.require(Check::Regime, holds, || step.contact(bodies));
}

/// eps_nat differs from the stated one by no more than the norm of the roundings of the F, by the triangle inequality.
fn compare(step: &Step, sums: &Sums, judge: &mut Judge) -> f64 {
    let stated = step.frame.residual;
    let where_worst = || match sums.worst.1 {
        Some(bodies) => format!("worst at the {}", step.contact(bodies)),
        None => "no contact".into(),
    };
    let residual = sums.residual();
    if residual.is_infinite() || stated.is_infinite() {
        // no impulse at all, and something closes: by more than rounding, or only by that
        let holds = residual == stated || (stated == 0.0 && sums.wrong <= sums.rounding);
        judge.require(Check::Residual, holds, where_worst);
        return if holds { stated } else { residual };
    }
    let rounding = if sums.all > 0.0 { (sums.rounding / sums.all).sqrt() } else { 0.0 };
    let limit = rounding + sums.count as f64 * f64::EPSILON * stated;
    judge.see(Check::Residual, (residual - stated).abs(), limit, where_worst);
    residual
}

/// Contacts of stones that carry no force are not listed: those that are listed cannot be further from the laws than
/// all contacts are.
fn compare_listed(step: &Step, sums: &Sums, judge: &mut Judge) -> f64 {
    judge.leave_out(Check::Residual, "contacts of stones that carry no force: frames do not list them");
    if step.scene.states_residual && sums.all > 0.0 {
        let rounding = (sums.rounding / sums.all).sqrt() + sums.count as f64 * f64::EPSILON * step.frame.residual;
        let beyond = (sums.residual() - step.frame.residual).max(0.0);
        judge.see(Check::Residual, beyond, rounding, || "contacts that carry a force".into());
    }
    step.frame.residual
}

/// Checks that a frame states convergence exactly if its numbers meet the limits; the force error is no part of it.
pub(crate) fn check_verdict(step: &Step, judge: &mut Judge) {
    let (frame, limits) = (step.frame, &step.scene.limits);
    let meets = frame.residual <= limits.residual
        && frame.velocity_error <= limits.velocity_error
        && frame.overlap_growth <= limits.overlap_growth;
    let holds = frame.converged == (meets || step.scene.fixed_sweeps);
    judge.require(Check::Residual, holds, || "whether the step converged".into());
}
