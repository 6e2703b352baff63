//! The force network of a packing while it is solved from zero forces. [Radjai and Richefeu, Fig. 8 and 9]

use drystone::contact::{ContactMemory, Regime};
use drystone::dim::D2;
use drystone::internals::System;
use drystone::method::cd::{Accelerator, CdOptions, ContactDynamics, Order};
use drystone::method::{Method, StepReport};
use drystone::record::frame::Frame;
use drystone::record::snapshot::frame_of;
use drystone::study::exponent;
use drystone::study::packing::{PressedPacking, RADIUS, time_step};
use drystone::study::trace::{normal_impulses, trace};

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Sweeps that the paper shows.
const SHOWN: [u64; 4] = [130, 365, 1000, 2000];
/// Sweeps at which the depth of the front is measured.
const FRONT: [u64; 9] = [4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// A packing at the start of the step that is solved.
struct Bench {
    packing: PressedPacking<D2>,
    method: ContactDynamics<D2>,
}

pub(super) fn perform(desk: &mut Desk) -> Result<(), Failure> {
    let columns = if desk.quick { 20 } else { 50 };
    let mut packing = PressedPacking::compacted(columns, 1, |part| desk.progress("compacting", part))?;
    packing.press();
    desk.found("solid fraction", packing.solid_fraction());
    let options = |order| CdOptions { order, ..CdOptions::with_time_step(time_step()) };
    let mut solved = Bench { packing: packing.clone(), method: ContactDynamics::new(options(Order::Coloured)) };
    let exact = solved.solution()?;
    desk.found("residual of the solution", solved.method.system().misfit().ratio());
    let mut bench = Bench { packing, method: ContactDynamics::new(options(Order::RandomSweep)) };
    desk.progress("sweeping", 0.0);
    let stages = bench.stages()?;
    pictures(desk, &bench, &stages, &exact)?;
    distributions(desk, &stages, &exact)?;
    fronts(desk, &bench, &stages, &exact)
}

impl Bench {
    /// Normal impulses of the solution.
    fn solution(&mut self) -> Result<Vec<f64>, Failure> {
        let grains = self.method.prepare_step(&mut self.packing.world)?;
        trace(grains, Accelerator::Momentum, |sweeps, grains| {
            sweeps < 20_000 && (!sweeps.is_multiple_of(20) || grains.misfit().ratio() > 1e-8)
        });
        Ok(normal_impulses(self.method.system()))
    }

    /// Normal impulses after the sweeps that are looked at.
    fn stages(&mut self) -> Result<Vec<(u64, Vec<f64>)>, Failure> {
        let mut stages = Vec::new();
        let last = SHOWN[SHOWN.len() - 1];
        trace(self.method.prepare_step(&mut self.packing.world)?, Accelerator::None, |sweeps, grains| {
            if SHOWN.contains(&sweeps) || FRONT.contains(&sweeps) {
                stages.push((sweeps, normal_impulses(grains)));
            }
            sweeps < last
        });
        Ok(stages)
    }

    /// A frame with these normal impulses.
    fn frame(&self, impulses: &[f64]) -> Frame {
        let mut world = self.packing.world.clone();
        let network = world.network_mut();
        for ((contact, memory), impulse) in network.contacts.iter().zip(&mut network.memory).zip(impulses) {
            let regime = if *impulse > 0.0 { Regime::Stick } else { Regime::Open };
            *memory = ContactMemory { impulse: contact.normal * *impulse, regime, ..ContactMemory::default() };
        }
        frame_of(&world, time_step(), &self.method.terms(), &StepReport::default())
    }

    /// Contacts for the stress along the normal of each of the two walls: number of the contact, distance from the wall
    /// [m], and the share n_i^2 of its force along the normal of the wall. Only the half of the box away from the other
    /// wall counts.
    fn shares(&self) -> Vec<(usize, f64, f64)> {
        let (world, size) = (&self.packing.world, self.packing.size());
        let mut shares = Vec::new();
        for (k, contact) in world.network().contacts.iter().enumerate() {
            let depth = size - world.bodies.pose[contact.key.b as usize].x;
            if depth.y > 0.5 * size.y {
                shares.push((k, depth.x, contact.normal.x.powi(2)));
            }
            if depth.x > 0.5 * size.x {
                shares.push((k, depth.y, contact.normal.y.powi(2)));
            }
        }
        shares
    }
}

fn mean(impulses: &[f64]) -> f64 {
    let carrying: Vec<f64> = impulses.iter().copied().filter(|impulse| *impulse > 0.0).collect();
    carrying.iter().sum::<f64>() / carrying.len() as f64
}

fn pictures(desk: &mut Desk, bench: &Bench, stages: &[(u64, Vec<f64>)], exact: &[f64]) -> Result<(), Failure> {
    for (sweeps, impulses) in stages.iter().filter(|(sweeps, _)| SHOWN.contains(sweeps)) {
        desk.progress(&format!("drawing {sweeps} sweeps"), 0.5);
        desk.picture(&format!("network-{sweeps}"), &bench.frame(impulses), &format!("{sweeps} sweeps"))?;
    }
    desk.picture("network-solved", &bench.frame(exact), "solved")
}

/// P(f/<f>), with <f> of the solution.
fn distributions(desk: &mut Desk, stages: &[(u64, Vec<f64>)], exact: &[f64]) -> Result<(), Failure> {
    const WIDTH: f64 = 0.25; // of the mean force
    let unit = mean(exact);
    let mut plot = Plot::new("Distribution of normal forces", Axis::linear("f / mean of the solution"), Axis::log("P"));
    let mut rows = Vec::new();
    let solved = (u64::MAX, exact.to_vec());
    for (sweeps, impulses) in stages.iter().filter(|(sweeps, _)| SHOWN.contains(sweeps)).chain([&solved]) {
        let carrying: Vec<f64> = impulses.iter().map(|impulse| impulse / unit).filter(|f| *f > 0.0).collect();
        let mut bins = vec![0.0; 28];
        for force in &carrying {
            if let Some(bin) = bins.get_mut((force / WIDTH) as usize) {
                *bin += 1.0 / (WIDTH * carrying.len() as f64);
            }
        }
        let points: Vec<(f64, f64)> = bins.iter().enumerate().map(|(k, p)| ((k as f64 + 0.5) * WIDTH, *p)).collect();
        let is_solved = *sweeps == u64::MAX;
        rows.extend(points.iter().map(|(f, p)| vec![if is_solved { f64::NAN } else { *sweeps as f64 }, *f, *p]));
        let (name, hand) =
            if is_solved { ("solved".to_string(), Hand::Dots) } else { (format!("{sweeps} sweeps"), Hand::Line) };
        let own = mean(impulses) / unit;
        let weak = carrying.iter().filter(|f| **f < own).count() as f64 / carrying.len() as f64;
        if is_solved {
            desk.compare("share of contacts below the mean force, solved", weak, 0.6, 0.05);
        } else {
            desk.found(format!("mean force after {sweeps} sweeps over the solution's"), own);
        }
        plot.curve(name, hand, points);
    }
    desk.table("distribution", "sweeps,force,P", rows.into_iter())?;
    desk.plot("distribution", &plot)
}

/// How deep the forces have propagated from the pressed walls.
///
/// A sweep passes momentum from body to body, beginning with the pistons, which have all of it. So depth is measured in
/// mass, beginning with the piston: a depth z from the wall counts as z + M / (mass of the packing per length).
fn fronts(desk: &mut Desk, bench: &Bench, stages: &[(u64, Vec<f64>)], exact: &[f64]) -> Result<(), Failure> {
    let shares = bench.shares();
    let side = bench.packing.size().min_element() / (2.0 * RADIUS);
    let piston = bench.packing.piston_depth() / (2.0 * RADIUS);
    desk.found("depth of packing that weighs as much as a piston, in diameters", piston);
    let points: Vec<(f64, f64)> = stages
        .iter()
        .filter(|(sweeps, _)| FRONT.contains(sweeps))
        .filter_map(|(sweeps, impulses)| Some((*sweeps as f64, depth_of_half(&shares, impulses, exact)?)))
        .filter(|(_, depth)| *depth > 1.5 && *depth < 0.5 * side) // between the wall's own row and the middle
        .map(|(sweeps, depth)| (sweeps, depth + piston))
        .collect();
    let power = exponent(points.iter().copied());
    desk.compare("exponent of the depth of the front", power, 0.5, 0.1);
    let mut plot = Plot::new(
        "Depth at which the stress reaches half of its final size",
        Axis::log("Sweeps"),
        Axis::log("Depth with the piston (diameters)"),
    );
    plot.curve("measured", Hand::Dots, points.clone());
    if let Some((x, y)) = points.last() {
        let line = points.iter().map(|(sweeps, _)| (*sweeps, y * (sweeps / x).sqrt()));
        plot.curve("square root", Hand::Dashes, line.collect());
    }
    desk.table("front", "sweeps,depth_with_piston_in_diameters", points.iter().map(|(x, y)| vec![*x, *y]))?;
    desk.plot("front", &plot)
}

/// Depth in diameters at which the stress along the normal of a wall falls below half of that of the solution.
fn depth_of_half(shares: &[(usize, f64, f64)], impulses: &[f64], exact: &[f64]) -> Option<f64> {
    const WIDTH: f64 = 2.0 * RADIUS;
    let mut sums: Vec<[f64; 2]> = Vec::new();
    for (contact, depth, share) in shares {
        let bin = (depth / WIDTH) as usize;
        sums.resize(sums.len().max(bin + 1), [0.0; 2]);
        sums[bin][0] += share * impulses[*contact];
        sums[bin][1] += share * exact[*contact];
    }
    let ratio = |k: usize| sums[k][0] / sums[k][1];
    let below = (1..sums.len()).find(|k| ratio(*k) < 0.5 && ratio(*k - 1) >= 0.5)?;
    let part = (ratio(below - 1) - 0.5) / (ratio(below - 1) - ratio(below));
    Some(below as f64 - 0.5 + part)
}
