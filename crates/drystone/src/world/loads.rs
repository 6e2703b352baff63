//! Loads: forces, torques and blows on grains from outside, and those of membranes.

use super::World;
use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::drive::GrainLoad;

impl<D: Dim> World<D> {
    /// Finds the forces and torques of membranes and loads on grains in a step of `dt`: means over the step, without
    /// blows.
    pub fn find_loads(&mut self, dt: f64) {
        self.scratch.loads.clear();
        self.press_by_membranes(dt);
        self.find_loaded();
        self.set_loads(self.clock.time, self.clock.time + dt);
    }

    /// Finds the bodies that have loads of their own. A grain that was removed has none any more.
    fn find_loaded(&mut self) {
        self.scratch.loaded.clear();
        if self.setup.loads.is_empty() {
            return;
        }
        self.scratch.loads.resize(self.bodies.len(), Twist::default());
        for load in &self.setup.loads {
            let Some(body) = self.body_of(load.grain) else { continue };
            if self.scratch.loaded.iter().all(|(other, _)| *other != body) {
                self.scratch.loaded.push((body, self.scratch.loads[body]));
            }
        }
    }

    /// Sets the loads of single grains to their means between two times, or at equal times to those of the instant. The
    /// loads of membranes in this step are added.
    pub fn set_loads(&mut self, from: f64, to: f64) {
        for (body, by_membranes) in &self.scratch.loaded {
            let on_body = self.setup.loads.iter().filter(|load| load.grain == self.state.bodies.id[*body]);
            self.scratch.loads[*body] = on_body.fold(*by_membranes, |sum, load| {
                let (force, torque) = load.mean(from, to);
                Twist { v: sum.v + force, w: sum.w + torque }
            });
        }
    }

    /// Blows that come in a step of `dt`: bodies, and impulses [N s].
    pub fn blows(&self, dt: f64) -> Vec<(usize, D::Vec)> {
        let (from, to) = (self.clock.time, self.clock.time + dt);
        let blow = |load: &GrainLoad<D>| {
            let impulse = load.impulse(from, to)?;
            Some((self.body_of(load.grain)?, impulse))
        };
        self.setup.loads.iter().filter_map(blow).collect()
    }

    /// Turns the blows of a step of `dt` into forces that act during the whole step, as rigid contacts need them.
    pub fn spread_blows(&mut self, dt: f64) {
        for (body, impulse) in self.blows(dt) {
            self.scratch.loads[body].v += impulse * (1.0 / dt);
        }
    }

    /// Changes the velocities of grains by blows, and returns their work [J].
    pub fn strike(&mut self, blows: &[(usize, D::Vec)]) -> f64 {
        let mut work = 0.0;
        for (body, impulse) in blows {
            let jump = *impulse * self.bodies.inertia[*body].inv_m;
            let v = &mut self.state.bodies.twist[*body].v;
            work += impulse.dot(*v + jump * 0.5);
            *v += jump;
        }
        work
    }

    /// Whether grains have loads of their own in this step.
    pub fn has_loads(&self) -> bool {
        !self.scratch.loaded.is_empty()
    }

    /// Acceleration of a grain by gravity, membranes and loads [m/s2].
    #[inline]
    pub fn pull(&self, body: usize) -> D::Vec {
        match self.scratch.loads.get(body) {
            Some(load) => self.gravity + load.v * self.bodies.inertia[body].inv_m,
            None => self.gravity,
        }
    }

    /// Angular acceleration of a grain by the torques of loads [rad/s2]; `None` if there are no loads on grains.
    #[inline]
    pub fn angular_pull(&self, body: usize) -> Option<D::Spin> {
        let load = self.scratch.loads.get(body).filter(|_| self.has_loads())?;
        Some(D::spin(&self.bodies.inverse_inertia(body), load.w))
    }

    /// The largest acceleration of a grain by gravity, membranes and loads [m/s2].
    pub fn largest_pull(&self) -> f64 {
        let by_gravity = self.gravity.norm();
        match self.scratch.loads.is_empty() {
            true => by_gravity,
            false => self.grains().map(|k| self.pull(k).norm()).fold(by_gravity, f64::max),
        }
    }

    /// Work of membranes and loads in the step that has just been made [J].
    pub fn load_work(&self, dt: f64) -> f64 {
        let (before, after) = (&self.scratch.before, &self.bodies.twist);
        let work = |(k, load): (usize, &Twist<D>)| {
            let moved = load.v.dot((before[k].v + after[k].v) * 0.5) * dt;
            match self.has_loads() {
                true => moved + load.w.dot((before[k].w + after[k].w) * 0.5) * dt,
                false => moved,
            }
        };
        let loads = self.scratch.loads.iter().enumerate().filter(|(k, _)| self.bodies.inertia[*k].is_movable());
        loads.map(work).sum()
    }
}
