//! A walk through the run with a cheap method: what the world is like at some moments of it.

use cpu_time::ThreadTime;
use drystone::dim::Dim;
use drystone::sim::{Run, RunError, Simulation};
use drystone::world::World;

use crate::scene::Scene;

/// Moments that are kept: a run is sampled at 8 to 16 of them.
const MOST: usize = 16;
/// Bodies of all kept worlds together, which bounds the memory: some hundred megabytes.
const BODIES: usize = 300_000;

/// The world at a moment of the run.
#[derive(Clone)]
pub(crate) struct Moment<D: Dim> {
    pub time: f64,
    /// Number of the stage, from zero.
    pub stage: usize,
    pub world: World<D>,
}

/// Moments of a run, as far as computing time allowed.
pub(crate) struct Walk<D: Dim> {
    pub moments: Vec<Moment<D>>,
    pub scene: Scene,
    /// Time on the clock at which it stopped [s].
    pub reached: f64,
    /// Whether that was the end of the run.
    pub is_whole: bool,
    /// Why it stopped, if a step failed.
    pub failure: Option<String>,
}

impl<D: Dim> Walk<D> {
    /// Goes through the run for at most so many seconds of computing time.
    pub(crate) fn through(simulation: &mut Simulation<D>, seconds: f64) -> Walk<D> {
        let start = ThreadTime::now();
        let first = Moment { time: 0.0, stage: 0, world: simulation.world().clone() };
        let most = (BODIES / first.world.bodies.len().max(1)).clamp(4, MOST);
        let scene = Scene::of(&first.world);
        let mut walk = Walk { moments: vec![first], scene, reached: 0.0, is_whole: false, failure: None };
        let (mut stride, mut made) = (1, 0);
        while start.elapsed().as_secs_f64() < seconds {
            match simulation.advance() {
                Ok(None) => {
                    walk.is_whole = true;
                    break;
                }
                Ok(Some(step)) => {
                    made += 1;
                    walk.reached = step.time;
                    walk.scene.fastest = walk.scene.fastest.max(step.max_speed);
                }
                Err(error) => {
                    walk.failure = Some(failure(&error));
                    break;
                }
            }
            if made % stride == 0 {
                walk.keep(simulation);
            }
            if walk.moments.len() > most {
                let mut number = 0;
                walk.moments.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                stride *= 2;
            }
        }
        let beyond = walk.moments.iter().skip(1);
        walk.scene.note(beyond.map(|moment| &moment.world));
        walk
    }

    fn keep(&mut self, simulation: &mut Simulation<D>) {
        let (time, stage) = (self.reached, simulation.stage_number());
        self.moments.push(Moment { time, stage, world: simulation.world().clone() });
    }
}

fn failure(error: &RunError) -> String {
    match error {
        RunError::Step(step) => format!("{step} [{}]", step.code()),
        other => other.to_string(),
    }
}
