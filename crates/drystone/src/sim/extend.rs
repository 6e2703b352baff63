//! What a program may add to a simulation: observers, measures of its own, a method of its own, changes between steps.

use super::run::Run;
use super::{RunError, Simulation, method_of};
use crate::dim::Dim;
use crate::measure::Measure;
use crate::method::{Method, StepReport};
use crate::record::Frame;
use crate::record::snapshot::frame_of;
use crate::scenario::Scenario;
use crate::world::{Clock, World};

/// Makes a method for a world; called again whenever the world was changed between steps.
type MethodFactory<D> = Box<dyn Fn(&World<D>) -> Box<dyn Method<D>> + Send>;

/// Called with the world and the report of the last step.
type Look<D> = Box<dyn FnMut(&World<D>, &StepReport) + Send>;

/// An observer that is called every `every` steps.
struct Observer<D: Dim> {
    every: u64,
    look: Look<D>,
}

/// What the program that runs the simulation has added to it.
pub(super) struct Extensions<D: Dim> {
    method: Option<MethodFactory<D>>,
    observers: Vec<Observer<D>>,
    pub(super) measures: Vec<Box<dyn Measure<D> + Send>>,
}

impl<D: Dim> Default for Extensions<D> {
    fn default() -> Self {
        Extensions { method: None, observers: Vec::new(), measures: Vec::new() }
    }
}

impl<D: Dim> Simulation<D> {
    /// The world as it is now, with its contacts and its energy balance up to date.
    pub fn world(&mut self) -> &World<D> {
        if self.world.scratch.is_network_stale || self.world.scratch.lacks_history {
            self.method.publish(&mut self.world);
        }
        &self.world
    }

    /// The world itself, for what a method reads anew in each step: velocities and forces of drives. Other changes are
    /// made, or followed, by [`Simulation::change`].
    pub fn world_mut(&mut self) -> &mut World<D> {
        &mut self.world
    }

    /// What the world looks like now, as a frame of a run; `step` is the report of the last step.
    pub fn frame(&mut self, step: &StepReport) -> Frame {
        self.method.publish(&mut self.world);
        frame_of(&self.world, self.method.time_step(), &self.method.terms(), step)
    }

    /// Time and number of steps.
    pub fn clock(&self) -> Clock {
        self.world.clock
    }

    /// Length of the next step [s].
    pub fn time_step(&self) -> f64 {
        self.method.time_step()
    }

    /// Changes the world between two steps: adds or moves grains, sets velocities, drives or laws.
    ///
    /// The method starts again from the changed world. Contacts keep their history.
    pub fn change(&mut self, change: impl FnOnce(&mut World<D>)) {
        self.method.publish(&mut self.world);
        change(&mut self.world);
        self.world.carried.clear();
        self.world.scratch.neighbours.forget();
        self.renew_method();
    }

    /// Calls `look` with the world after every `every`-th step, with contacts that are up to date.
    ///
    /// # Panics
    /// If `every` is zero.
    pub fn observe(&mut self, every: u64, look: impl FnMut(&World<D>, &StepReport) + Send + 'static) {
        assert!(every > 0, "an observer looks every first, second, ... step, not every zeroth");
        self.extensions.observers.push(Observer { every, look: Box::new(look) });
    }

    /// Adds columns to the series. Call it before [`Simulation::record`], and again after [`Simulation::resume`].
    pub fn measure(&mut self, measure: impl Measure<D> + Send + 'static) {
        self.extensions.measures.push(Box::new(measure));
    }

    /// Lets another method make the steps: `make` gets the world, now and after every change between steps.
    pub fn use_method(&mut self, make: impl Fn(&World<D>) -> Box<dyn Method<D>> + Send + 'static) {
        self.method.publish(&mut self.world);
        self.extensions.method = Some(Box::new(make));
        self.world.carried.clear();
        self.renew_method();
    }

    /// The method of the scenario for another world, such as a copy of this one: for trial steps.
    pub fn method_of_copy(&self, world: &World<D>) -> Box<dyn Method<D>> {
        method_of(&self.scenario, world)
    }

    /// Number of the present stage, from zero.
    pub fn stage_number(&self) -> usize {
        self.progress.stage_starts.len() - 1
    }

    /// Makes steps until the run is over.
    pub fn run(&mut self) -> Result<(), RunError> {
        while self.advance()?.is_some() {}
        Ok(())
    }

    /// The method of a scenario, or the program's own.
    pub(super) fn method_for(&self, scenario: &Scenario<D>) -> Box<dyn Method<D>> {
        match &self.extensions.method {
            Some(make) => make(&self.world),
            None => method_of(scenario, &self.world),
        }
    }

    /// Calls the observers that are due after this step.
    pub(super) fn show_observers(&mut self, step: &StepReport) {
        let is_due = |observer: &Observer<D>| step.step.is_multiple_of(observer.every);
        if !self.extensions.observers.iter().any(is_due) {
            return;
        }
        self.world();
        for observer in self.extensions.observers.iter_mut().filter(|observer| is_due(observer)) {
            (observer.look)(&self.world, step);
        }
    }
}
