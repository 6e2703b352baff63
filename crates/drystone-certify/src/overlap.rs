//! Overlaps, from positions and radii.

use super::books::Row;
use super::judge::{Check, Judge};
use super::pairs::Near;
use super::scene::Scheme;
use super::space::dot;
use super::step::{Body, Step, When};
use super::terms::{VELOCITY, closed_below};
use serde_json::Value as Json;

/// What is not checked here.
const STONES: &str = "frames with stones: they list contacts that carry a force, and no others";

/// Part of the radius by which surfaces that touch may overlap by rounding, of hard grains that only collide.
const TOUCHING: f64 = 1e-9;

/// The deepest overlap over the smaller radius, the pair that has it, and its rounding.
struct Deepest {
    overlap: f64,
    place: String,
    rounding: f64,
}

/// The smaller radius of two bodies; walls have none.
fn smaller_radius(pair: &Near, radius: impl Fn(Body) -> f64) -> f64 {
    match radius(pair.bodies.a) {
        0.0 => radius(pair.bodies.b),
        first => first.min(radius(pair.bodies.b)),
    }
}

fn deepest(step: &Step, near: &[Near], gap: fn(&Near) -> f64, radius: impl Fn(Body) -> f64) -> Deepest {
    let radius = |pair: &Near| smaller_radius(pair, &radius);
    let overlap = |pair: &&Near| -gap(pair) / radius(pair);
    match near.iter().max_by(|p, q| overlap(p).total_cmp(&overlap(q))) {
        Some(pair) if overlap(&pair) > 0.0 => Deepest {
            overlap: overlap(&pair),
            place: step.contact(pair.bodies),
            rounding: step.place_rounding(pair.bodies) / radius(pair),
        },
        // none: the stated overlap must be pure rounding
        _ => Deepest { overlap: 0.0, place: "no overlap".into(), rounding: 8.0 * f64::EPSILON },
    }
}

/// Checks the overlaps where contacts were found and at the end against what the run reports.
pub(crate) fn check(step: &Step, near: &[Near], report: Option<&Json>, row: Option<&Row>, judge: &mut Judge) {
    if !step.frame.grains.outlines.is_empty() {
        return judge.leave_out(Check::Overlap, STONES);
    }
    if let Some(why) = unjudged_wall(step) {
        return judge.leave_out(Check::Overlap, why);
    }
    let found = deepest(step, near, |pair| pair.gap, |body| step.radius(body));
    let end = deepest(step, near, |pair| pair.gap_at_end, |body| step.radius_at_end(body));
    match report {
        _ if step.scene.scheme == Scheme::Flight => {
            for Deepest { overlap, place, rounding } in [&found, &end] {
                judge.see(Check::Overlap, *overlap, TOUCHING + rounding, || place.clone());
            }
        }
        Some(report) => {
            let worst = report["worst_overlap"].as_f64().unwrap_or(f64::NAN);
            let is_last = report["steps"].as_u64() == Some(step.frame.step);
            // no step has sensed contacts where the last one ended
            let looked_at = if is_last || step.frame.step == 0 { vec![&found] } else { vec![&found, &end] };
            // soft grains may be sensed a step earlier or later, while two of them move on
            let moved = match step.scene.scheme {
                Scheme::Soft => 2.0 * report["worst_travel"].as_f64().unwrap_or(f64::NAN),
                _ => 0.0,
            };
            for Deepest { overlap, place, rounding } in looked_at {
                judge.see(Check::Overlap, *overlap, worst + moved + rounding, || place.clone());
            }
        }
        None => judge.leave_out(Check::Overlap, "worst_overlap: there is no report.json, the run is not over"),
    }
    if let Some(stated) = row.and_then(|row| row.get("max_overlap")).filter(|_| step.frame.step > 0) {
        // rows are written at the end
        let found = deepest(step, near, |pair| pair.gap, |body| step.radius_at_end(body));
        let off = (stated - found.overlap).abs();
        judge.see(Check::Overlap, off, found.rounding, || format!("max_overlap of series.csv, {}", found.place));
    }
}

/// The words for a wall of which it is unknown what grains can touch.
fn unjudged_wall<'s>(step: &'s Step) -> Option<&'s str> {
    let mut unknown = step.scene.walls.iter().filter(|wall| !wall.is_known());
    unknown.next().map(|wall| wall.unjudged("walls other than planes, boxes and cylinders"))
}

/// e_n u_n-, with which bodies that part at the start of the step may be thrown back [m/s].
fn thrown_back(step: &Step, pair: &Near) -> f64 {
    let (before, _) = step.relative_velocity(pair.bodies, step.arms(None, pair.bodies, pair.normal), When::Start);
    let parting = dot(before, pair.normal).max(0.0);
    step.law(pair.bodies).map_or(0.0, |law| law.restitution(parting)[0] * parting)
}

/// Checks the largest growth of an overlap, -(g_pos + u_n dt) over the smaller radius, against the one stated.
pub(crate) fn check_growth(step: &Step, near: &[Near], judge: &mut Judge) {
    if !step.frame.grains.outlines.is_empty() {
        return judge.leave_out(Check::Overlap, STONES);
    }
    if let Some(why) = unjudged_wall(step) {
        return judge.leave_out(Check::Overlap, why);
    }
    let dt = step.frame.time_step;
    let (mut worst, mut rounding, mut place) = (0.0, 8.0 * f64::EPSILON, "no growth".to_string());
    for pair in near {
        let unsure = closed_below(step, pair.bodies);
        if step.scene.scheme == Scheme::Midpoint && pair.gap > unsure {
            continue; // the scheme looks at closed contacts only
        }
        let (u, speeds) = step.relative_velocity(pair.bodies, step.arms(None, pair.bodies, pair.normal), When::End);
        let radius = smaller_radius(pair, |body| step.radius(body));
        let closing = -(pair.gap.max(0.0) + dot(u, pair.normal) * dt);
        if closing <= 0.0 {
            continue;
        }
        // closed bodies that part may be thrown back: the larger of the two, if it is not sure that they are closed
        let thrown = thrown_back(step, pair) * dt;
        let growth = (closing - if pair.gap <= -unsure { thrown } else { 0.0 }) / radius;
        let doubt = if pair.gap.abs() <= unsure { thrown } else { 0.0 };
        rounding = f64::max(rounding, (unsure + VELOCITY * speeds * dt + doubt) / radius);
        if growth > worst {
            (worst, place) = (growth, step.contact(pair.bodies));
        }
    }
    let off = (worst - step.frame.overlap_growth).abs();
    judge.see(Check::Overlap, off, rounding, || format!("growth stated, {place}"));
}
