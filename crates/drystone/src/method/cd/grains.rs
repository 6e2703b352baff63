//! The contacts and bodies of a world as a system that sweeps can solve.
//!
//! A contact reads and writes the velocities of its two bodies and nothing else: W is never stored.

use std::ops::Range;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::accelerate::Push;
use super::corners::{JudgeCorners, RestoreCorners, SweepCorners};
use super::deal::{Dealt, Slices, Unit, deal};
use super::group::{Judge, Restore, Sweep};
use super::line::Line;
use super::lone::Lone;
use super::options::Order;
use super::residual::Misfit;
use super::run::{Extrapolate, Run, Way};
use super::single::Load;
use super::solve::System;
use super::sweep::Increment;
use super::terms::Terms;
use super::threads;
use crate::dim::{Dim, Vector};
use crate::lane::in_lanes;
use crate::law::RoundContact;
use crate::world::World;

/// Bodies and contacts of one step.
#[derive(Debug)]
pub struct Grains<D: Dim> {
    order: Order,
    slices: Slices,
    dealt: Dealt<D>,
    contacts: usize,
    /// V, in the order of the slices.
    lines: Vec<Line<D>>,
    /// V_free: motion without contacts.
    free: Vec<Line<D>>,
    /// V before the last sweep.
    previous: Vec<Line<D>>,
    /// Which way the last sweep went through the units.
    way: Way,
    /// Order of the next sweep over the rest, and what it is drawn from.
    shuffled: Vec<u32>,
    random: Pcg64,
}

impl<D: Dim> Default for Grains<D> {
    fn default() -> Self {
        Grains {
            order: Order::Coloured,
            slices: Slices::default(),
            dealt: Dealt::default(),
            contacts: 0,
            lines: Vec::new(),
            free: Vec::new(),
            previous: Vec::new(),
            way: Way::default(),
            shuffled: Vec::new(),
            random: Pcg64::new(0, 0),
        }
    }
}

impl<D: Dim> Grains<D> {
    /// Takes the bodies of a world with their motion without contacts. Random orders are drawn from the step's number.
    pub fn take_bodies(
        &mut self,
        world: &World<D>,
        order: Order,
        free: impl Fn(usize) -> Line<D>,
        cell: Option<Line<D>>,
    ) {
        self.order = order;
        self.random = Pcg64::new(u128::from(world.clock.step), 0);
        self.slices = Slices::cut(world, order != Order::Coloured);
        self.slices.lay(free, cell, &mut self.free);
        self.lines.clone_from(&self.free);
    }

    /// Takes the contacts of the world's network with the impulses that they remember.
    pub fn take_contacts(&mut self, terms: &Terms<D>) {
        self.dealt = Dealt::default(); // its memory serves the next one
        self.dealt = deal(terms, &self.slices, &self.free, self.order == Order::Coloured);
        self.contacts = terms.world.network.contacts.len();
        self.shuffled = (0..self.dealt.rest.len() as u32).collect();
    }

    /// Motion of a body.
    pub fn line(&self, body: usize) -> &Line<D> {
        &self.lines[self.slices.line(body)]
    }

    /// Motion of the lengths of a cell that follows a stress.
    pub fn cell(&self) -> Option<&Line<D>> {
        self.lines.get(self.slices.end())
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.contacts
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.contacts == 0
    }

    /// Calls `each` with the number, the local problem and the impulse of every contact that is solved in lanes.
    pub fn each_plain(&self, mut each: impl FnMut(usize, RoundContact<D>, D::Vec)) {
        for unit in self.dealt.phases.iter().flatten() {
            for (group, lane, index) in unit.lanes() {
                let group = &unit.groups[group];
                each(index, group.contact(lane), group.impulse(lane));
            }
        }
    }

    /// Calls `each` with every other contact and the lines that it counts in.
    pub fn each_single(&self, mut each: impl FnMut(&Lone<D>, &[Line<D>])) {
        for unit in self.dealt.phases.iter().flatten() {
            let lines = &self.lines[unit.lines.clone()];
            unit.each_lone(lines, |single| each(single, lines));
        }
        self.dealt.rest.iter().for_each(|single| each(single, &self.lines));
    }

    /// Motion of all lines without contacts.
    pub fn free(&self) -> &[Line<D>] {
        &self.free
    }

    /// All contacts in the order of the network, each by itself, with bodies counted over all lines.
    pub fn singles(&self) -> Vec<Lone<D>> {
        let mut all = self.dealt.rest.clone();
        for unit in self.dealt.phases.iter().flatten() {
            let (lines, from) = (&self.lines[unit.lines.clone()], unit.lines.start as u32);
            let grouped = unit.lanes().map(|(group, lane, index)| unit.groups[group].single(lane, index, lines));
            all.extend(grouped.map(|single| Lone::Round(single).shifted(from)));
            unit.each_lone(lines, |single| all.push(single.clone().shifted(from)));
        }
        all.sort_unstable_by_key(Lone::index);
        all
    }

    /// Gives every contact of the network an impulse, and the bodies the motion that follows.
    pub fn set_impulses(&mut self, of: impl Fn(usize) -> D::Vec) {
        for unit in self.dealt.phases.iter_mut().flatten() {
            let lanes: Vec<_> = unit.lanes().collect();
            lanes.iter().for_each(|(group, lane, index)| unit.groups[*group].set_impulse(*lane, of(*index)));
            let lanes: Vec<_> = unit.corner_lanes().collect();
            lanes.iter().for_each(|(four, lane, index)| unit.corners[*four].set_impulse(*lane, of(*index)));
            unit.singles.iter_mut().for_each(|single| single.set_impulse(of(single.index())));
        }
        self.dealt.rest.iter_mut().for_each(|single| single.set_impulse(of(single.index())));
        self.restore();
        self.halt();
    }

    /// One sweep over all units and the seams inside runs, a run to a thread. Returns what it changes in units and in
    /// seams; those between runs are still to come.
    fn sweep_runs(&mut self, push: Push) -> Vec<Increment> {
        self.way = self.way.back();
        let [inside, seams] = &mut self.dealt.phases;
        let units = inside.len();
        let runs = threads::runs(units, self.contacts);
        let reach: Vec<_> = runs.iter().map(|run| lines_of(&inside[run.clone()])).collect();
        let work = threads::split(inside, runs.iter().cloned())
            .into_iter()
            .zip(threads::split(seams, runs.iter().map(|run| run.start..run.end - 1)))
            .zip(threads::split(&mut self.lines, reach.iter().cloned()))
            .zip(threads::split(&mut self.previous, reach.into_iter()))
            .map(|(((inside, seams), lines), previous)| Run { inside, seams, lines, previous });
        let swept = threads::map(work.collect(), self.contacts, |run| run.sweep(push, self.way));
        let mut increments = vec![Increment::default(); units + seams.len()];
        for (of_run, run) in swept.iter().zip(&runs) {
            let (inside, seams) = of_run.split_at(run.len());
            increments[run.clone()].copy_from_slice(inside);
            increments[units + run.start..units + run.end - 1].copy_from_slice(seams);
        }
        increments
    }

    /// One sweep over the seams between runs. Puts what it changes in the places of those seams.
    fn sweep_borders(&mut self, push: Push, increments: &mut [Increment]) {
        let [inside, seams] = &mut self.dealt.phases;
        let units = inside.len();
        let runs = threads::runs(units, self.contacts);
        let borders = threads::split(seams, runs.iter().skip(1).map(|run| run.start - 1..run.start));
        let reach: Vec<_> = borders.iter().map(|border| lines_of(border)).collect();
        let work = borders.into_iter().flatten().zip(threads::split(&mut self.lines, reach.into_iter()));
        let swept = threads::map(work.collect(), self.contacts, |(seam, lines)| seam.sweep(lines, push));
        runs.iter().skip(1).zip(swept).for_each(|(run, increment)| increments[units + run.start - 1] = increment);
    }

    /// One sweep over the contacts that belong to no unit.
    fn sweep_rest(&mut self, push: Push) -> Increment {
        let Grains { dealt: Dealt { rest, .. }, lines, .. } = self;
        match self.order {
            Order::Coloured | Order::Fixed => rest.iter_mut().map(|single| single.relax(push, lines)).sum(),
            Order::RandomSweep => {
                shuffle(&mut self.shuffled, &mut self.random);
                self.shuffled.iter().map(|k| rest[*k as usize].relax(push, lines)).sum()
            }
            Order::Parallel => {
                let changes: Vec<Load<D>> = rest.iter().map(|single| single.change(push, lines)).collect();
                let take = |(single, change): (&mut Lone<D>, &Load<D>)| {
                    single.push(change, lines);
                    single.take(change, push)
                };
                rest.iter_mut().zip(&changes).map(take).sum()
            }
        }
    }
}

/// Fisher and Yates. The modulo favours early places by less than 2^-32.
fn shuffle(places: &mut [u32], random: &mut Pcg64) {
    for k in (1..places.len()).rev() {
        places.swap(k, (random.next_u64() % (k as u64 + 1)) as usize);
    }
}

/// Lines of neighbouring units.
fn lines_of<D: Dim>(units: &[Unit<D>]) -> Range<usize> {
    units[0].lines.start..units[units.len() - 1].lines.end
}

impl<D: Dim> Unit<D> {
    /// Visits every contact of the unit once; the lines are its own.
    pub fn sweep(&mut self, lines: &mut [Line<D>], push: Push) -> Increment {
        let grouped = in_lanes(Sweep { groups: &mut self.groups, batches: &self.batches, lines, push });
        let cornered =
            in_lanes(SweepCorners { corners: &mut self.corners, batches: &self.corner_batches, lines, push });
        let alone = self.singles.iter_mut().map(|single| single.relax(push, lines));
        [grouped, cornered].into_iter().chain(alone).sum()
    }

    fn restore(&self, lines: &mut [Line<D>]) {
        in_lanes(Restore { groups: &self.groups, lines });
        in_lanes(RestoreCorners { corners: &self.corners, lines });
        self.singles.iter().for_each(|single| single.push_own(lines));
    }

    fn misfit(&self, lines: &[Line<D>]) -> Misfit {
        let grouped = in_lanes(Judge { groups: &self.groups, lines });
        let cornered = in_lanes(JudgeCorners { corners: &self.corners, lines });
        let alone = self.singles.iter().map(|single| single.misfit(lines));
        [grouped, cornered].into_iter().chain(alone).sum()
    }
}

impl<D: Dim> System for Grains<D> {
    fn sweep(&mut self, push: Push) -> Increment {
        let end = self.slices.end();
        in_lanes(Extrapolate(&mut self.lines[end..], &mut self.previous[end..], push.beta));
        let mut increments = self.sweep_runs(push);
        self.sweep_borders(push, &mut increments);
        increments.push(self.sweep_rest(push));
        increments.into_iter().sum()
    }

    fn misfit(&self) -> Misfit {
        let units: Vec<&Unit<D>> = self.dealt.phases.iter().flatten().collect();
        let parts = threads::map(units, self.contacts, |unit| unit.misfit(&self.lines[unit.lines.clone()]));
        parts.into_iter().chain(self.dealt.rest.iter().map(|single| single.misfit(&self.lines))).sum()
    }

    fn settle(&mut self) {
        for unit in self.dealt.phases.iter_mut().flatten() {
            unit.singles.iter_mut().for_each(|single| single.settle(&self.lines[unit.lines.clone()]));
        }
        self.dealt.rest.iter_mut().for_each(|single| single.settle(&self.lines));
    }

    fn restore(&mut self) {
        self.lines.clone_from(&self.free);
        for phase in &self.dealt.phases {
            let lines = threads::split(&mut self.lines, phase.iter().map(|unit| unit.lines.clone()));
            threads::map(phase.iter().zip(lines).collect(), self.contacts, |(unit, lines)| unit.restore(lines));
        }
        self.dealt.rest.iter().for_each(|single| single.push_own(&mut self.lines));
    }

    fn halt(&mut self) {
        self.previous.clone_from(&self.lines);
        for unit in self.dealt.phases.iter_mut().flatten() {
            unit.groups.iter_mut().for_each(|group| group.halt());
            unit.corners.iter_mut().for_each(|corners| corners.halt());
            unit.singles.iter_mut().for_each(Lone::halt);
        }
        self.dealt.rest.iter_mut().for_each(Lone::halt);
    }

    fn read(&self, into: &mut Vec<f64>) {
        into.clear();
        for unit in self.dealt.phases.iter().flatten() {
            unit.groups.iter().for_each(|group| group.read(into));
            unit.corners.iter().for_each(|corners| corners.read(into));
            unit.singles.iter().for_each(|single| single.read(into));
        }
        self.dealt.rest.iter().for_each(|single| single.read(into));
    }

    fn write(&mut self, from: &[f64]) {
        let mut numbers = from.iter().copied();
        for unit in self.dealt.phases.iter_mut().flatten() {
            unit.groups.iter_mut().for_each(|group| group.write(&mut numbers));
            unit.corners.iter_mut().for_each(|corners| corners.write(&mut numbers));
            unit.singles.iter_mut().for_each(|single| single.write(&mut numbers));
        }
        self.dealt.rest.iter_mut().for_each(|single| single.write(&mut numbers));
        self.restore();
        self.halt();
    }

    fn force_change(&self) -> f64 {
        let ratio = |now: D::Vec, before: D::Vec| {
            let change = (now - before).norm();
            if change == 0.0 { 0.0 } else { change / now.norm() }
        };
        let mut largest: f64 = 0.0;
        for unit in self.dealt.phases.iter().flatten() {
            for (group, lane, _) in unit.lanes() {
                let group = &unit.groups[group];
                largest = largest.max(ratio(group.impulse(lane), group.previous(lane)));
            }
        }
        self.each_single(|single, _| {
            largest = largest.max(ratio(single.load().impulse, single.previous_impulse()));
        });
        largest
    }
}
