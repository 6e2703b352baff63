//! The verdict of a run: `report.json`.

use serde_json::{Value as Json, json};

use crate::method::{Alarm, CREATES_ENERGY, ForceDeterminacy, OVERLAPS, StepReport, alarm_code};

/// Part of the radius beyond which overlaps bring a warning: the packing is no longer that of rigid grains.
const MUCH_OVERLAP: f64 = 0.01;
/// Factor by which the value of an alarm must grow to be reported again.
const TOLD_AGAIN: f64 = 10.0;
/// Part of the radius beyond which paths in a step bring a warning: the normal of a contact turns within the step.
const LONG_PATH: f64 = 0.5;

/// A warning about the run itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Code for `drystone explain`.
    pub code: &'static str,
    /// What was detected, with numbers.
    pub message: String,
}

/// A warning that was reported outside of the steps: about the scenario, or about the folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Code for `drystone explain`.
    pub code: String,
    /// The message.
    pub message: String,
}

impl Told {
    /// The warning as `report.json` and checkpoints have it.
    pub fn to_json(&self) -> Json {
        json!({"code": self.code, "message": self.message})
    }

    /// Reads what [`Told::to_json`] wrote.
    pub fn from_json(json: &Json) -> Option<Told> {
        Some(Told { code: json["code"].as_str()?.into(), message: json["message"].as_str()?.into() })
    }
}

/// How a stage ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Name of the stage.
    pub stage: String,
    /// The key of the rule that ended it, or "limit".
    pub rule: String,
    /// What was found then, in words.
    pub why: String,
    /// Time on the clock [s].
    pub time: f64,
}

/// Part of the energy of a run that contacts may create without a warning: a hundredth, the same as in a single step.
pub const CREATED: f64 = 1e-2;

/// What is known of a run so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Steps made.
    pub steps: u64,
    /// Time on the clock [s].
    pub time: f64,
    /// Steps that did not reach their accuracy.
    pub unconverged_steps: u64,
    /// Steps whose forces are known less well than was asked for, although their laws hold and their motion is known.
    pub uncertain_steps: u64,
    /// Those of them whose forces the laws do not determine as well as was asked for.
    pub undetermined_steps: u64,
    /// Largest residual of a step.
    pub worst_residual: f64,
    /// Largest estimated error of the forces of a step.
    pub worst_force_error: f64,
    /// Largest error of a velocity in a step over its reference motion.
    pub worst_velocity_error: f64,
    /// Largest growth of an overlap in a step over the radius.
    pub worst_overlap_growth: f64,
    /// Largest misfit of wall reactions, loads and momentum of a step.
    pub worst_balance: f64,
    /// Created energy, added up over steps, and in each over the groups of touching rigid bodies that gained more than
    /// a hundredth of impulses times velocities [J].
    pub created_energy: f64,
    /// Energy that went through rigid contacts [J].
    pub turned_over_energy: f64,
    /// See [`StepReport::energy_scale`], of the last step [J].
    pub energy_scale: f64,
    /// Deepest overlap over the radius.
    pub worst_overlap: f64,
    /// Whether overlaps make the forces and are no error.
    pub is_soft: bool,
    /// Longest path in a step over the radius.
    pub worst_travel: f64,
    /// Sum of all sweeps.
    pub sweeps: u64,
    /// Most sweeps of a step.
    pub most_sweeps: u64,
    /// Events that were located.
    pub events: u64,
    /// Wall-clock time of all parts of the run [s].
    pub wall_seconds: f64,
    /// Stages that are over.
    pub ended: Vec<Ended>,
    /// Artefacts of the method that were detected, the worst of each kind.
    pub alarms: Vec<Alarm>,
    /// Size of each of them when it was last reported.
    pub told: Vec<f64>,
}

impl Report {
    /// Adds a step.
    pub fn add(&mut self, step: &StepReport) {
        self.steps = step.step;
        self.time = step.time;
        self.unconverged_steps += u64::from(!step.converged);
        self.uncertain_steps += u64::from(step.converged && step.forces != ForceDeterminacy::Known);
        self.undetermined_steps += u64::from(step.converged && step.forces == ForceDeterminacy::Undetermined);
        self.worst_residual = self.worst_residual.max(step.residual);
        self.worst_force_error = self.worst_force_error.max(step.force_error);
        self.worst_velocity_error = self.worst_velocity_error.max(step.velocity_error);
        self.worst_overlap_growth = self.worst_overlap_growth.max(step.overlap_growth);
        self.worst_balance = self.worst_balance.max(step.balance);
        self.created_energy += step.created;
        self.turned_over_energy += step.turned_over;
        self.energy_scale = step.energy_scale;
        self.worst_overlap = self.worst_overlap.max(step.max_overlap);
        self.is_soft |= step.is_soft;
        self.worst_travel = self.worst_travel.max(step.max_travel);
        self.sweeps += step.sweeps;
        self.most_sweeps = self.most_sweeps.max(step.sweeps);
    }

    /// Takes alarms of monitors and keeps the worst of each kind. Returns those to report now: new ones, and those that
    /// are ten times as bad as when they were last reported.
    pub fn note(&mut self, alarms: Vec<Alarm>) -> Vec<Warning> {
        let mut news = Vec::new();
        for alarm in alarms {
            let warning = || Warning { code: alarm.code, message: alarm.message.clone() };
            match self.alarms.iter().position(|known| known.code == alarm.code) {
                None => {
                    news.push(warning());
                    self.told.push(alarm.size);
                    self.alarms.push(alarm);
                }
                Some(known) if alarm.size > self.alarms[known].size => {
                    if alarm.size >= TOLD_AGAIN * self.told[known] {
                        news.push(warning());
                        self.told[known] = alarm.size;
                    }
                    self.alarms[known] = alarm;
                }
                Some(_) => {}
            }
        }
        news
    }

    /// Whether contacts created a significant part of the energy of the run: of that turned over at contacts and that
    /// of the present motion.
    pub fn creates_energy(&self) -> bool {
        self.created_energy > CREATED * (self.turned_over_energy + self.energy_scale)
    }

    /// The alarm that contacts created more energy than residuals explain.
    pub fn energy_alarm(&self) -> Option<Alarm> {
        let Report { created_energy, turned_over_energy, .. } = self;
        let message = || {
            let part = created_energy / turned_over_energy;
            format!(
                "contacts created {created_energy:.2e} J of energy, {part:.1e} of the energy that went through them"
            )
        };
        self.creates_energy().then(|| Alarm { code: CREATES_ENERGY, message: message(), size: *created_energy })
    }

    /// The alarm that rigid grains overlap too much. If all steps reached their accuracy, `cure` names a better one.
    pub fn overlap_alarm(&self, cure: Option<String>) -> Option<Alarm> {
        let size = self.worst_overlap;
        let cure = cure.filter(|_| self.unconverged_steps == 0).map_or_else(String::new, |cure| format!(": {cure}"));
        let message = || format!("grains overlap by up to {:.2} % of their radius{cure}", 100.0 * size);
        (size > MUCH_OVERLAP && !self.is_soft).then(|| Alarm { code: OVERLAPS, message: message(), size })
    }

    /// Warnings about sums over all steps, each with its size: they change with every step.
    fn sums(&self) -> [Option<(f64, Warning)>; 3] {
        let Report { unconverged_steps, steps, worst_residual, .. } = self;
        let unconverged = || {
            format!(
                "{unconverged_steps} of {steps} steps did not reach their accuracy, the worst residual is {worst_residual:.1e}, \
                 the worst velocity error {:.1e}, the worst growth of an overlap {:.1e}",
                self.worst_velocity_error, self.worst_overlap_growth
            )
        };
        let uncertain = || {
            format!(
                "in {} of {steps} steps forces are known less well than was asked for, the worst force error is {:.1e}; \
                 their laws hold and their motion is known; in {} of them the laws do not determine the forces better",
                self.uncertain_steps, self.worst_force_error, self.undetermined_steps
            )
        };
        let travel = || format!("a grain moved {:.2} of its radius in one step", self.worst_travel);
        let warn = |is_due: bool, size: f64, code: &'static str, message: &dyn Fn() -> String| {
            is_due.then(|| (size, Warning { code, message: message() }))
        };
        [
            warn(self.unconverged_steps > 0, self.unconverged_steps as f64, "W201", &unconverged),
            warn(self.uncertain_steps > 0, self.uncertain_steps as f64, "W204", &uncertain),
            warn(self.worst_travel > LONG_PATH, self.worst_travel, "W202", &travel),
        ]
    }

    /// Mean number of sweeps of a step.
    pub fn mean_sweeps(&self) -> f64 {
        if self.steps == 0 { 0.0 } else { self.sweeps as f64 / self.steps as f64 }
    }

    /// Warnings about the run.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings: Vec<Warning> = self.sums().into_iter().flatten().map(|(_, warning)| warning).collect();
        warnings
            .extend(self.alarms.iter().map(|Alarm { code, message, .. }| Warning { code, message: message.clone() }));
        warnings
    }

    /// The numbers that a checkpoint keeps.
    pub fn to_json(&self) -> Json {
        let ended = |e: &Ended| json!({"stage": e.stage, "rule": e.rule, "why": e.why, "time": e.time});
        let alarm =
            |(a, told): (&Alarm, &f64)| json!({"code": a.code, "message": a.message, "size": a.size, "told": told});
        json!({
            "steps": self.steps,
            "time": self.time,
            "unconverged_steps": self.unconverged_steps,
            "uncertain_steps": self.uncertain_steps,
            "undetermined_steps": self.undetermined_steps,
            "worst_residual": self.worst_residual,
            "worst_force_error": self.worst_force_error,
            "worst_velocity_error": self.worst_velocity_error,
            "worst_overlap_growth": self.worst_overlap_growth,
            "worst_balance": self.worst_balance,
            "created_energy": self.created_energy,
            "turned_over_energy": self.turned_over_energy,
            "worst_overlap": self.worst_overlap,
            "is_soft": self.is_soft,
            "worst_travel": self.worst_travel,
            "sweeps": self.sweeps,
            "most_sweeps": self.most_sweeps,
            "events": self.events,
            "wall_seconds": self.wall_seconds,
            "stages": self.ended.iter().map(ended).collect::<Vec<_>>(),
            "alarms": self.alarms.iter().zip(&self.told).map(alarm).collect::<Vec<_>>(),
        })
    }

    /// Reads what [`Report::to_json`] wrote.
    pub fn from_json(json: &Json) -> Option<Report> {
        let number = |key: &str| json[key].as_f64();
        let count = |key: &str| json[key].as_u64();
        let ended = |e: &Json| {
            Some(Ended {
                stage: e["stage"].as_str()?.into(),
                rule: e["rule"].as_str()?.into(),
                why: e["why"].as_str()?.into(),
                time: e["time"].as_f64()?,
            })
        };
        // JSON has no infinity
        let size = |number: &Json| number.as_f64().unwrap_or(f64::INFINITY);
        let alarm = |a: &Json| {
            let code = alarm_code(a["code"].as_str()?)?;
            Some(Alarm { code, message: a["message"].as_str()?.into(), size: size(&a["size"]) })
        };
        let told = |a: &Json| size(&a["told"]);
        Some(Report {
            steps: count("steps")?,
            time: number("time")?,
            unconverged_steps: count("unconverged_steps")?,
            uncertain_steps: count("uncertain_steps").unwrap_or(0),
            undetermined_steps: count("undetermined_steps").unwrap_or(0),
            worst_residual: number("worst_residual")?,
            worst_force_error: number("worst_force_error")?,
            worst_velocity_error: number("worst_velocity_error")?,
            worst_overlap_growth: number("worst_overlap_growth")?,
            worst_balance: number("worst_balance")?,
            created_energy: number("created_energy")?,
            turned_over_energy: number("turned_over_energy")?,
            energy_scale: 0.0, // known again after the next step
            worst_overlap: number("worst_overlap")?,
            is_soft: json["is_soft"].as_bool()?,
            worst_travel: number("worst_travel")?,
            sweeps: count("sweeps")?,
            most_sweeps: count("most_sweeps")?,
            events: count("events")?,
            wall_seconds: number("wall_seconds")?,
            ended: json["stages"].as_array()?.iter().map(ended).collect::<Option<_>>()?,
            alarms: json["alarms"].as_array()?.iter().map(alarm).collect::<Option<_>>()?,
            told: json["alarms"].as_array()?.iter().map(told).collect(),
        })
    }
}

/// Sizes of the warnings about sums over all steps, when they were last reported during the run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spoken([f64; 3]);

impl Spoken {
    /// The warnings to report now: those that are new, or ten times as bad as when they were last reported.
    pub(crate) fn news(&mut self, report: &Report) -> Vec<Warning> {
        let mut news = Vec::new();
        for (told, (size, warning)) in self.0.iter_mut().zip(report.sums()).filter_map(|(told, sum)| Some((told, sum?)))
        {
            if *told == 0.0 || size >= TOLD_AGAIN * *told {
                *told = size;
                news.push(warning);
            }
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steps_add_up_to_is_told_while_the_run_goes_on() {
        let (mut report, mut spoken, mut told) = (Report::default(), Spoken::default(), Vec::new());
        for step in 1..=250 {
            report.add(&StepReport { step, converged: step % 2 == 0, max_travel: 0.6, ..StepReport::default() });
            told.extend(spoken.news(&report).into_iter().map(|warning| (step, warning.code)));
        }
        // the first, tenth and hundredth of the odd steps; the path does not get longer
        assert_eq!(told, [(1, "W201"), (1, "W202"), (19, "W201"), (199, "W201")]);
    }

    #[test]
    fn warns_of_what_went_wrong_and_of_nothing_else() {
        let mut report = Report::default();
        let good = StepReport {
            step: 1,
            converged: true,
            max_overlap: 1e-5,
            max_travel: 0.1,
            residual: 1e-6,
            ..StepReport::default()
        };
        report.add(&good);
        assert_eq!(report.warnings(), []);
        report.add(&StepReport {
            step: 2,
            converged: false,
            max_overlap: 0.02,
            max_travel: 0.7,
            residual: 0.1,
            ..good
        });
        let codes: Vec<_> = report.warnings().iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["W201", "W202"]);
        report.add(&StepReport { step: 3, forces: ForceDeterminacy::Uncertain, ..good });
        report.add(&StepReport { step: 4, forces: ForceDeterminacy::Undetermined, force_error: 0.2, ..good });
        let told = report.warnings();
        assert_eq!((report.unconverged_steps, told[1].code), (1, "W204"), "forces are no part of convergence");
        assert_eq!(
            told[1].message,
            "in 2 of 4 steps forces are known less well than was asked for, the worst force error is 2.0e-1; \
             their laws hold and their motion is known; in 1 of them the laws do not determine the forces better"
        );
        let alarm = report.overlap_alarm(Some("not the cause".into())).expect("two per cent are much");
        assert_eq!((alarm.code, alarm.message.as_str()), ("W203", "grains overlap by up to 2.00 % of their radius"));
        assert_eq!(Report::from_json(&report.to_json()), Some(report));
    }

    #[test]
    fn soft_overlaps_are_left_to_the_monitors_and_the_worst_counts() {
        let mut report = Report::default();
        report.add(&StepReport { step: 1, converged: true, max_overlap: 0.02, is_soft: true, ..StepReport::default() });
        assert_eq!(report.warnings(), []);
        let alarm = |percent: u32| Alarm { code: "W105", message: format!("{percent} %"), size: f64::from(percent) };
        let told = |percent: u32| [Warning { code: "W105", message: format!("{percent} %") }];
        assert_eq!(report.note(vec![alarm(2)]), told(2));
        assert_eq!(report.note(vec![alarm(3)]), [], "it has not grown tenfold");
        assert_eq!(report.warnings(), told(3), "but it is the worst");
        assert_eq!(report.note(vec![alarm(1)]), []);
        assert_eq!(report.warnings(), told(3));
        assert_eq!(report.note(vec![alarm(20)]), told(20));
        assert_eq!(report.note(vec![alarm(30)]), [], "tenfold of what was told last");
        report.note(vec![Alarm::new("W131", "static friction warns, too".into())]);
        assert_eq!(Report::from_json(&report.to_json()), Some(report));
    }
}
