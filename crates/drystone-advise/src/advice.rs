//! The advice: what every method costs and gets wrong, and which to take.

use std::fmt;
use std::path::Path;

use cpu_time::ThreadTime;
use drystone::input::Mistakes;
use drystone::law::Laws;
use drystone::method::cd::{Accuracy, Ladder};
use drystone::method::{Kind, StepError};
use drystone::scenario::{AnyScenario, Scenario};
use drystone::sim::{Run, Simulation};

use crate::candidates::{Candidate, Field, Hardness, OfDimension, Refusal};
use crate::choice::{Choice, choose};
use crate::cost::{Cost, cost, grains_of_equal_cost};
use crate::flaws::{Flaw, Judged};
use crate::scene::Scene;
use crate::smaller::smaller_copy;
use crate::trial::{Allowance, Trial, attempt};
use crate::walk::Walk;

/// How to find an advice.
#[derive(Clone, Copy, Debug)]
pub struct AdviseOptions {
    /// Computing time for the walk, and for the trials of every method [s].
    pub seconds: f64,
    /// Accuracy of Contact Dynamics; that of the scenario if left out.
    pub accuracy: Option<Accuracy>,
}

/// What a method promises.
#[derive(Clone, Debug)]
pub struct Prospect {
    /// The method.
    pub method: Kind,
    /// How hard its grains are.
    pub hardness: Hardness,
    /// What was derived for it, in words.
    pub notes: Vec<String>,
    /// Length of a step [s].
    pub dt: f64,
    /// Cost to the end of the run, or why no steps could be made.
    pub cost: Result<Cost, String>,
    /// Memory [bytes], the same estimate as that of `drystone check`.
    pub memory: f64,
    /// Its trials.
    pub trials: Vec<Trial>,
    /// What it gets wrong.
    pub flaws: Vec<Flaw>,
}

/// What is known of all methods.
#[derive(Clone, Debug)]
pub struct Advice {
    /// Grains of the scenario, with those that are poured.
    pub grains: u64,
    /// Dimension.
    pub dimension: usize,
    /// The method that walked through the run.
    pub walker: Kind,
    /// Time on the clock that the walk reached [s].
    pub reached: f64,
    /// Time for which costs are stated [s].
    pub end: f64,
    /// What is known of that time.
    pub ending: Ending,
    /// Why the walk stopped, if a step failed.
    pub failure: Option<String>,
    /// Grains of the scenario over those of the copy that was tried; 1 without a copy.
    pub larger: f64,
    /// What was seen.
    pub scene: Scene,
    /// Methods that can run the scenario.
    pub prospects: Vec<Prospect>,
    /// Methods that cannot.
    pub refusals: Vec<Refusal>,
    /// The method to take: its place among the prospects.
    pub choice: Option<Choice>,
    /// Number of grains at which the cheapest rigid and the cheapest soft method cost the same.
    pub equal_cost: Option<f64>,
}

/// What is known of the end of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The clock ends it.
    Clock,
    /// A rule ended the walk.
    Rule,
    /// A rule may end it before the clock does.
    AtMost,
    /// Only a rule ends it, and the walk did not come so far.
    Unknown,
}

/// Why there is no advice.
#[derive(Clone, Debug)]
pub enum NoAdvice {
    /// No method can run the scenario.
    NoMethod(Vec<Refusal>),
    /// The world could not be built.
    Mistakes(Mistakes),
}

impl fmt::Display for NoAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAdvice::NoMethod(refusals) => {
                write!(f, "no method can run this scenario")?;
                refusals.iter().try_for_each(|refusal| write!(f, "\n  {}: {}", refusal.method.name(), refusal.reason))
            }
            NoAdvice::Mistakes(mistakes) => mistakes.fmt(f),
        }
    }
}

impl std::error::Error for NoAdvice {}

impl From<Mistakes> for NoAdvice {
    fn from(mistakes: Mistakes) -> Self {
        NoAdvice::Mistakes(mistakes)
    }
}

/// Finds what every method costs and gets wrong. Computes on one thread, so that computing time is that of one core;
/// `tell` is called with what is being done. Paths of files are relative to `folder`.
///
/// # Panics
/// If no thread can be started.
pub fn advise(
    scenario: &AnyScenario,
    folder: &Path,
    options: &AdviseOptions,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Advice, NoAdvice> {
    let field = Field::of(scenario, options.accuracy, folder);
    if field.candidates.is_empty() {
        return Err(NoAdvice::NoMethod(field.refusals));
    }
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    alone.install(|| match scenario {
        AnyScenario::Plane(own) => Desk { own, folder, options, tell }.advise(field),
        AnyScenario::Space(own) => Desk { own, folder, options, tell }.advise(field),
    })
}

/// What all parts of an advice need.
struct Desk<'a, D: OfDimension> {
    /// The scenario as it was written.
    own: &'a Scenario<D>,
    folder: &'a Path,
    options: &'a AdviseOptions,
    tell: &'a (dyn Fn(&str) + Sync),
}

/// A candidate that was built.
struct Entry<D: OfDimension> {
    candidate: Candidate,
    scenario: Scenario<D>,
    simulation: Simulation<D>,
    larger: f64,
    /// Computing time of building it [s].
    building: f64,
}

impl<D: OfDimension> Desk<'_, D> {
    fn advise(&self, field: Field) -> Result<Advice, NoAdvice> {
        let (mut entries, mut refusals) = (Vec::new(), field.refusals);
        for candidate in field.candidates {
            let (method, hardness) = (candidate.method, candidate.hardness);
            match self.build(candidate) {
                Ok(entry) => entries.push(entry),
                Err(mistakes) => refusals.push(Refusal { method, hardness, reason: first_line(&mistakes) }),
            }
        }
        let Some(walker) = (0..entries.len()).min_by_key(|k| patience(&entries[*k])) else {
            return Err(NoAdvice::NoMethod(refusals));
        };
        let own_grains = self.own.grains.iter().map(|group| group.asked_for()).sum::<f64>();
        (self.tell)(&format!("walking through the run with {}", entries[walker].candidate.method.name()));
        let (walk, clock) = self.walk(&entries[walker])?;
        let (end, ending) = ending(&walk, clock);
        let stated = entries.iter().find(|entry| entry.candidate.hardness == Hardness::Stated);
        let stated = stated.map(|entry| entry.scenario.laws());
        let walker = entries[walker].candidate.method;
        let larger = entries[0].larger;
        let prospects: Vec<Prospect> = entries
            .into_iter()
            .map(|entry| Trying { desk: self, walk: &walk, walker, end, stated: stated.as_ref() }.prospect(entry))
            .collect();
        let costs: Vec<Option<f64>> =
            prospects.iter().map(|it| it.cost.as_ref().ok().map(|cost| cost.seconds)).collect();
        let grave: Vec<bool> = prospects.iter().map(|it| it.flaws.iter().any(Flaw::is_grave)).collect();
        let grains = prospects.first().map_or(0, |_| (walk.scene.grains as f64 * larger).round() as u64);
        let equal_cost = equal_cost(&prospects, grains as f64, D::DIMENSION);
        Ok(Advice {
            grains: grains.max(own_grains as u64),
            dimension: D::DIMENSION,
            walker,
            reached: walk.reached,
            end,
            ending,
            failure: walk.failure,
            larger,
            scene: walk.scene,
            choice: choose(&costs, &grave),
            prospects,
            refusals,
            equal_cost,
        })
    }

    fn build(&self, candidate: Candidate) -> Result<Entry<D>, Mistakes> {
        let whole = D::of(&candidate.scenario).expect("a candidate has the dimension of its scenario");
        let copy = smaller_copy(whole);
        let start = ThreadTime::now();
        let simulation = Simulation::new(&copy.scenario, self.folder)?;
        let building = start.elapsed().as_secs_f64();
        Ok(Entry { candidate, scenario: copy.scenario, simulation, larger: copy.larger, building })
    }

    /// Walks with the cheapest accuracy; also returns when and how the clock ends the run.
    fn walk(&self, entry: &Entry<D>) -> Result<(Walk<D>, Clock), Mistakes> {
        let mut scenario = entry.scenario.clone();
        if let Some(options) = &mut scenario.method.cd {
            options.accuracy = Accuracy::Named(Ladder::Preview);
        }
        let mut simulation = Simulation::new(&scenario, self.folder)?;
        let clock = Clock { end: simulation.end(), is_certain: simulation.ends_by_clock() };
        Ok((Walk::through(&mut simulation, self.options.seconds), clock))
    }
}

/// When the clock ends a run.
struct Clock {
    end: Option<f64>,
    is_certain: bool,
}

/// Until when costs are stated, and what is known of that time.
fn ending<D: OfDimension>(walk: &Walk<D>, clock: Clock) -> (f64, Ending) {
    match clock.end {
        _ if walk.is_whole && !clock.is_certain => (walk.reached, Ending::Rule),
        Some(end) if clock.is_certain => (end, Ending::Clock),
        Some(end) => (end, Ending::AtMost),
        None => (walk.reached, Ending::Unknown),
    }
}

/// The order in which methods are taken for the walk: rigid grains by large steps first, then soft ones.
fn patience<D: OfDimension>(entry: &Entry<D>) -> usize {
    let order = [Kind::Cd, Kind::Md, Kind::Dae];
    let place = order.iter().position(|method| *method == entry.candidate.method).unwrap_or(order.len());
    2 * place + usize::from(entry.candidate.hardness == Hardness::Stated)
}

fn first_line(mistakes: &Mistakes) -> String {
    mistakes.0.first().map_or_else(String::new, |mistake| format!("{} [{}]", mistake.message, mistake.code))
}

/// Trials of one method.
struct Trying<'a, D: OfDimension> {
    desk: &'a Desk<'a, D>,
    walk: &'a Walk<D>,
    walker: Kind,
    end: f64,
    stated: Option<&'a Laws>,
}

impl<D: OfDimension> Trying<'_, D> {
    fn prospect(&self, entry: Entry<D>) -> Prospect {
        let Entry { candidate, scenario, simulation, larger, building } = entry;
        let Candidate { method, hardness, notes, .. } = candidate;
        (self.desk.tell)(&format!("trying steps of {}", hardness.of(method)));
        let found = self.trials(&scenario, &simulation, method);
        let trials = found.as_ref().map_or_else(|_| Vec::new(), Clone::clone);
        let cost = found.map(|trials| {
            let sum = cost(&trials, self.walk.reached, self.end);
            let power = if method == Kind::Cd { 1.0 / D::DIMENSION as f64 } else { 0.0 };
            let sum = if larger > 1.0 { sum.with_grains(larger, power) } else { sum };
            let opening = trials.first().map_or(0.0, |trial| trial.opening);
            Cost { seconds: sum.seconds + (building + opening) * larger, ..sum }
        });
        let scene = &self.walk.scene;
        let judged = Judged { method, hardness, scenario: &scenario, scene, trials: &trials, stated: self.stated };
        let flaws = judged.flaws();
        let memory = simulation.outlook().memory * larger;
        let dt = trials.first().map_or(f64::NAN, |trial| trial.dt);
        Prospect { method, hardness, notes, dt, cost, memory, trials, flaws }
    }

    /// Steps from every moment of the walk. A method that fails at one of them cannot make the run, except for hard grains
    /// at moments with overlaps.
    fn trials(&self, scenario: &Scenario<D>, simulation: &Simulation<D>, method: Kind) -> Result<Vec<Trial>, String> {
        let mut stages = Stages { scenario, folder: self.desk.folder, present: None };
        let moments = &self.walk.moments;
        let seconds = self.desk.options.seconds / moments.len() as f64;
        let span = moments.get(1).map_or(self.end, |moment| moment.time);
        let allowance = Allowance { seconds, span };
        let mut trials = Vec::new();
        for moment in moments.iter().filter(|moment| moment.time < self.end || moment.time == 0.0) {
            let changed = stages.at(moment.stage).map_err(|mistakes| first_line(&mistakes))?;
            let laws = changed.map_or_else(|| scenario.laws(), |stage| stage.scenario.laws());
            let simulation = changed.map_or(simulation, |stage| &stage.simulation);
            match attempt(simulation, &laws, moment, allowance, method == self.walker) {
                Ok(trial) => trials.push(trial),
                // hard grains do not start where the method of the walk has left overlaps; at the start there are none
                Err(StepError::Overlapping { .. }) if !trials.is_empty() => {}
                Err(error) => return Err(format!("{error} [{}]", error.code())),
            }
        }
        Ok(trials)
    }
}

/// The scenario as its stages change laws and method.
struct Stages<'s, D: OfDimension> {
    scenario: &'s Scenario<D>,
    folder: &'s Path,
    present: Option<ChangedStage<D>>,
}

/// A stage that changes something.
struct ChangedStage<D: OfDimension> {
    number: usize,
    scenario: Scenario<D>,
    simulation: Simulation<D>,
}

impl<D: OfDimension> Stages<'_, D> {
    /// The scenario at a stage; none as long as it is as at the start.
    fn at(&mut self, number: usize) -> Result<Option<&ChangedStage<D>>, Mistakes> {
        if self.scenario.stage.iter().take(number + 1).all(|stage| stage.set.is_none()) {
            return Ok(None);
        }
        if self.present.as_ref().is_none_or(|stage| stage.number != number) {
            let scenario = self.scenario.at_stage(number);
            let simulation = Simulation::new(&scenario, self.folder)?;
            self.present = Some(ChangedStage { number, scenario, simulation });
        }
        Ok(self.present.as_ref())
    }
}

/// Where the cheapest rigid method and the cheapest soft one cost the same; none unless there are both.
fn equal_cost(prospects: &[Prospect], grains: f64, dimension: usize) -> Option<f64> {
    let cheapest = |is_rigid: bool| {
        let of_kind = prospects.iter().filter(|it| (it.hardness == Hardness::Rigid) == is_rigid);
        of_kind.filter_map(|it| it.cost.as_ref().ok()).map(|cost| cost.seconds).reduce(f64::min)
    };
    let (rigid, soft) = (cheapest(true)?, cheapest(false)?);
    Some(grains_of_equal_cost(grains, rigid, soft, dimension))
}
