//! Changing from one stage to the next: drives, laws and parameters.

use super::Simulation;
use crate::dim::{Dim, Vector};
use crate::scenario::Scenario;
use crate::scenario::schema::grains::GrainGroup;
use crate::scenario::schema::pour::Pour;

impl<D: Dim> Simulation<D> {
    /// Starts the next stage: changes what it sets, and sets its drives.
    pub(super) fn enter_stage(&mut self) {
        let now = self.world.clock.time;
        self.progress.stage_starts.push(now);
        let stage = self.progress.stage_starts.len() - 1;
        if self.stages[stage].set.is_some() {
            self.change_to(&self.scenario.at_stage(stage));
        }
        if let Some(remove) = self.stages[stage].remove.clone() {
            self.method.publish(&mut self.world);
            let kept = remove.keeps(&self.world);
            self.world.retain(&kept);
            self.renew_method();
        }
        if let Some(drive) = self.stages[stage].cell.clone() {
            self.method.publish(&mut self.world);
            drive.apply(&mut self.world);
            self.world.carried.clear(); // for soft grains the images now move differently
            self.renew_method();
        }
        self.world.setup.growth = self.growth();
        self.set_drives(stage, now);
        let (walls, pose) = (self.world.setup.walls.len(), &self.world.bodies.pose);
        let places = pose[..walls].iter().flat_map(|pose| (0..D::DIMENSION).map(|axis| pose.x.get(axis)));
        self.progress.walls_at_start = places.collect();
        self.progress.marks[1] = self.fresh_marks(&self.stages[stage].until);
    }

    /// Relative growth rate of the radii in the current stage [1/s].
    fn growth(&self) -> f64 {
        self.stage().grow.as_ref().map_or(0.0, |grow| *grow.rate)
    }

    pub(super) fn set_drives(&mut self, stage: usize, since: f64) {
        for (name, drive) in &self.stages[stage].drive.0 {
            let wall = self.world.setup.walls.iter().position(|wall| wall.name == name.value);
            self.world.set_drive(wall.expect("a checked stage drives walls that exist"), drive.clone(), since);
        }
    }

    /// Applies other laws, gravity and parameters. Forces stay as they are; stored impulses are scaled with the time
    /// step.
    fn change_to(&mut self, now: &Scenario<D>) {
        self.method.publish(&mut self.world);
        let before = self.method.time_step();
        self.world.setup.laws.set_pairs(now.laws());
        self.world.set_gravity(now.gravity.0);
        self.world.carried.clear(); // soft methods start again: their accelerations belong to the old laws
        self.world.scratch.neighbours.forget(); // cohesion may have a longer range
        self.method = self.method_for(now);
        let ratio = self.method.time_step() / before;
        if ratio != 1.0 {
            self.world.scratch.time_step *= ratio;
            for memory in &mut self.world.network.memory {
                memory.impulse = memory.impulse * ratio;
                memory.torque = memory.torque * ratio;
            }
        }
    }

    /// Adds the poured grains that are due.
    pub(super) fn pour(&mut self) {
        if self.scenario.poured().next().is_none() {
            return;
        }
        let (now, step) = (self.world.clock.time, self.method.time_step());
        let mut come = std::mem::take(&mut self.progress.poured);
        come.resize(self.scenario.poured().count(), 0);
        let is_due = |(come, (_, group, pour)): (&u64, (usize, &GrainGroup<D>, &Pour))| {
            *come < group.count.unwrap_or(0) && now + step >= *pour.start + *come as f64 / *pour.rate
        };
        if come.iter().zip(self.scenario.poured()).any(is_due) {
            self.method.publish(&mut self.world);
            if self.scenario.pour(&mut self.world, &mut come, self.progress.first_poured) {
                self.world.carried.clear();
                self.renew_method();
            }
        }
        self.progress.poured = come;
    }

    /// Makes a new method for the changed world.
    pub(super) fn renew_method(&mut self) {
        let stage = self.progress.stage_starts.len() - 1;
        self.method = self.method_for(&self.scenario.at_stage(stage));
    }

    /// Brings a stored world and its method to the current stage.
    pub(super) fn take_up_stages(&mut self) {
        let now = self.scenario.at_stage(self.progress.stage_starts.len() - 1);
        self.world.setup.laws.set_pairs(now.laws());
        if let Some((_, level)) = &mut self.world.setup.tilt {
            *level = now.gravity.0;
        }
        if let Some(cell) = &mut self.world.state.cell {
            // in their order: the plane of the shear stays if a later stage names none
            let begun = &self.stages[..self.progress.stage_starts.len()];
            begun
                .iter()
                .filter_map(|stage| stage.cell.as_ref())
                .for_each(|drive| drive.note_press(cell, self.world.setup.depth));
        }
        self.world.setup.growth = self.growth();
        self.method = self.method_for(&now);
        for (stage, since) in self.progress.stage_starts.clone().into_iter().enumerate() {
            self.set_drives(stage, since);
        }
    }
}
