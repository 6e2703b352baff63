//! The rules that end a stage, evaluated after every step.

use super::Simulation;
use crate::dim::{Dim, Vector};
use crate::measure::pressure::contact_pressure;
use crate::measure::solid_fraction::solid_fraction;
use crate::measure::unbalanced::unbalanced_force;
use crate::method::Kind;
use crate::record::checkpoint::Mark;
use crate::record::report::Ended;
use crate::scenario::schema::until::{EndRules, Rule, Stop};

/// The quantities that rules compare after a step.
struct Glance {
    time: f64,
    /// Half a step: a time counts as reached by the step that comes nearest.
    half: f64,
    max_speed: f64,
    /// See [`unbalanced_force`], if it was computed.
    unbalanced: Option<Option<f64>>,
    /// Pressure of the contacts, if it was computed [Pa].
    pressure: Option<f64>,
}

/// Steps of soft grains between two evaluations of the balance of their forces, which cost as much as three steps: a
/// step is a fiftieth of a collision, so ten of them are short compared with the time in which a bed comes to rest.
const SOFT_EVERY: u64 = 10;

/// Time and positions to which the rules of a stage, or of the run, refer.
#[derive(Clone, Copy)]
pub(super) struct StageOrigin<'o> {
    pub(super) time: f64,
    /// Displacements of the walls then, one after the other [m].
    pub(super) walls: &'o [f64],
}

impl<D: Dim> Simulation<D> {
    /// Ends the stage, and with the last one the run, if a rule is met. Returns whether it did.
    pub(super) fn look_at_the_clock(&mut self, max_speed: f64) -> bool {
        let time = self.world.clock.time;
        let started = self.progress.stage_starts.last().copied().unwrap_or(0.0);
        let (run, stage) = (self.stop.clone(), self.stages[self.progress.stage_starts.len() - 1].clone());
        let every = || run.every().into_iter().chain(stage.until.every());
        let asks_balance = every().any(|rule| matches!(rule, Rule::Unbalanced(..)));
        let asks_pressure = every().any(|rule| matches!(rule, Rule::Pressure(_)));
        let half = 0.5 * self.method.time_step();
        let limit = stage.limit.filter(|limit| time + half >= started + **limit);
        let is_soft = self.scenario.method.r#use.value != Kind::Cd;
        let is_due = !is_soft || limit.is_some() || self.world.clock.step.is_multiple_of(SOFT_EVERY);
        if is_due && (asks_balance || asks_pressure) {
            self.method.publish_contacts(&mut self.world);
        }
        let unbalanced = (is_due && asks_balance).then(|| unbalanced_force(&self.world));
        let pressure = (is_due && asks_pressure).then(|| contact_pressure(&self.world));
        let glance = Glance { time, half, max_speed, unbalanced, pressure };
        let walls = std::mem::take(&mut self.progress.walls_at_start);
        let [mut run_marks, mut stage_marks] = std::mem::take(&mut self.progress.marks);
        let since_start = StageOrigin { time: 0.0, walls: &[] };
        let run_over = self.judge(&run, &mut run_marks, since_start, &glance);
        let stage_over =
            self.judge(&stage.until, &mut stage_marks, StageOrigin { time: started, walls: &walls }, &glance);
        let limit = limit.map(|limit| {
            let origin = StageOrigin { time: started, walls: &walls };
            let unmet: Vec<String> = stage.until.every().iter().map(|rule| self.words(rule, origin, &glance)).collect();
            let rest = if unmet.is_empty() { String::new() } else { format!("; not met: {}", unmet.join(", ")) };
            ("limit".to_string(), format!("limit of {} s reached{rest}", *limit))
        });
        self.progress.marks = [run_marks, stage_marks];
        self.progress.walls_at_start = walls;
        let run_ends = run_over.is_some();
        let Some((rule, why)) = run_over.or(stage_over).or(limit) else { return false };
        self.progress.report.ended.push(Ended { stage: stage.name.value.clone(), rule, why, time });
        self.progress.finished = run_ends || self.progress.stage_starts.len() == self.stages.len();
        true
    }

    /// What rules remember at their start.
    pub(super) fn fresh_marks(&self, stop: &Stop) -> Vec<Mark> {
        let now = self.world.clock.time;
        let mark = |rule: &Rule| match rule {
            Rule::FlowStopped(flow) => Mark { since: Some(now), count: self.passed(flow.axis as usize, *flow.level) },
            _ => Mark::default(),
        };
        stop.every().iter().map(mark).collect()
    }

    /// Evaluates every rule. Returns the rule, or the rules together, that end the stage, and their state in words.
    fn judge(&self, stop: &Stop, marks: &mut [Mark], origin: StageOrigin, glance: &Glance) -> Option<(String, String)> {
        let mut marks = marks.iter_mut();
        let mut look = |rules: &EndRules| {
            // every rule is evaluated: each stores its own state
            let mut met = Vec::new();
            for (rule, mark) in rules.each().into_iter().zip(marks.by_ref()) {
                if self.is_met(&rule, mark, origin, glance) {
                    met.push(rule);
                }
            }
            met.into_iter().next()
        };
        let enough = look(&stop.any);
        let together: Vec<Option<Rule>> = stop.all.iter().map(&mut look).collect();
        if let Some(rule) = enough {
            return Some((rule.name().into(), self.words(&rule, origin, glance)));
        }
        let all = together.into_iter().collect::<Option<Vec<Rule>>>().filter(|all| !all.is_empty())?;
        let names: Vec<&str> = all.iter().map(Rule::name).collect();
        let words: Vec<String> = all.iter().map(|rule| self.words(rule, origin, glance)).collect();
        Some((names.join(" and "), words.join(" and ")))
    }

    fn is_met(&self, rule: &Rule, mark: &mut Mark, origin: StageOrigin, glance: &Glance) -> bool {
        let past = |limit: f64| glance.time + glance.half >= limit;
        let mut lasts = |holds: bool, long: f64| {
            mark.since = holds.then_some(mark.since.unwrap_or(glance.time));
            mark.since.is_some_and(|since| past(since + long))
        };
        match rule {
            Rule::At(at) => past(*at),
            Rule::After(after) => past(origin.time + after),
            Rule::AtRest(rest) => lasts(glance.max_speed <= *rest.speed, *rest.r#for),
            Rule::Unbalanced(below, long) => match glance.unbalanced {
                Some(found) => lasts(found.is_some_and(|ratio| ratio < *below), *long),
                None => false, // not evaluated in this step
            },
            Rule::Displacement(rule) => self.displacement(&rule.wall, origin) >= *rule.beyond,
            Rule::Strain(rule) => self.strain(&rule.between[0], &rule.between[1], origin).abs() >= *rule.beyond,
            Rule::FlowStopped(flow) => {
                let count = self.passed(flow.axis as usize, *flow.level);
                if count != mark.count {
                    *mark = Mark { since: Some(glance.time), count };
                }
                mark.since.is_some_and(|since| past(since + *flow.r#for))
            }
            Rule::SolidFraction(beyond) => solid_fraction(&self.world) >= *beyond.value,
            Rule::Pressure(beyond) => glance.pressure.is_some_and(|pressure| pressure >= *beyond.value),
        }
    }

    /// The state of a rule in words.
    fn words(&self, rule: &Rule, origin: StageOrigin, glance: &Glance) -> String {
        match rule {
            Rule::At(at) => format!("time {at} s reached"),
            Rule::After(after) => format!("{after} s since it began"),
            Rule::AtRest(rest) if glance.max_speed <= *rest.speed => "at rest".into(),
            Rule::AtRest(_) => format!("at rest (the fastest grain has {:.2e} m/s)", glance.max_speed),
            Rule::Unbalanced(below, _) => match glance.unbalanced.flatten() {
                Some(ratio) => format!("unbalanced force {ratio:.2e}, {below:.2e} is asked for"),
                None => "balance (no contact carries a force)".into(),
            },
            Rule::Displacement(rule) => {
                format!("wall `{}` moved {:.4e} m", rule.wall.value, self.displacement(&rule.wall, origin))
            }
            Rule::Strain(rule) => {
                let [one, other] = &rule.between;
                let strain = self.strain(one, other, origin);
                format!("strain {strain:.4} between `{}` and `{}`", one.value, other.value)
            }
            Rule::FlowStopped(flow) => {
                format!("no grain passed {} = {} m for {} s", flow.axis.name(), *flow.level, *flow.r#for)
            }
            Rule::SolidFraction(_) => format!("solid fraction {:.4} of the cell", solid_fraction(&self.world)),
            Rule::Pressure(beyond) => match glance.pressure {
                Some(pressure) => format!("pressure {pressure:.4e} Pa, {:.4e} Pa is asked for", *beyond.value),
                None => "pressure (not looked at)".into(),
            },
        }
    }

    /// Grains, not held in place, whose centre is below a level.
    fn passed(&self, axis: usize, level: f64) -> u64 {
        let bodies = &self.world.bodies;
        let below = |k: &usize| bodies.inertia[*k].is_movable() && bodies.pose[*k].x.get(axis) < level;
        self.world.grains().filter(below).count() as u64
    }

    fn moved(&self, wall: usize, origin: StageOrigin) -> D::Vec {
        let from = |axis: usize| origin.walls.get(wall * D::DIMENSION + axis).copied().unwrap_or(0.0);
        self.world.bodies.pose[wall].x - D::Vec::from_fn(from)
    }

    pub(super) fn displacement(&self, name: &str, origin: StageOrigin) -> f64 {
        let wall = self.world.setup.walls.iter().position(|wall| wall.name == name);
        wall.map_or(0.0, |wall| self.moved(wall, origin).norm())
    }

    /// Change of the distance of two planes over the distance that they had.
    pub(super) fn strain(&self, one: &str, other: &str, origin: StageOrigin) -> f64 {
        let find = |name: &str| self.world.setup.walls.iter().position(|wall| wall.name == name);
        let (Some(a), Some(b)) = (find(one), find(other)) else { return 0.0 };
        let Some(normal) = self.world.wall_axis(a) else { return 0.0 };
        let change = (self.moved(b, origin) - self.moved(a, origin)).dot(normal);
        change / (self.world.distance(one, other) - change)
    }
}
