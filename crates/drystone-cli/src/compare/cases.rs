//! What is run: a case for each method and seed, in a folder of its own.

use std::path::{Path, PathBuf};

use drystone::dim::Dim;
use drystone::input::{Mistakes, Reader, nearest};
use drystone::law::soft::normal::Losses;
use drystone::method::Kind;
use drystone::scenario::derive::{AllowedOverlaps, ForMethod};
use drystone::scenario::{AnyScenario, ContactLaw, Scenario};
use drystone::sim::{self, Run};

use crate::Failure;
use crate::conduct::Job;
use crate::scenario::folder_of;

/// A run of one method with one seed.
pub(super) struct Case {
    pub method: Kind,
    pub seed: u64,
    /// Name of the case and of its folder: `cd-7`.
    name: String,
    /// The scenario as it is run, and as text.
    pub scenario: AnyScenario,
    pub text: String,
    /// Folder of the run.
    pub folder: PathBuf,
}

impl Job for Case {
    fn name(&self) -> &str {
        &self.name
    }
    fn folder(&self) -> &Path {
        &self.folder
    }
    fn text(&self) -> &str {
        &self.text
    }
    fn open(&self, inputs: &Path) -> Result<Box<dyn Run>, Mistakes> {
        sim::open(&self.scenario, inputs)
    }
}

/// All cases of a comparison.
pub(super) struct Plan {
    pub title: String,
    /// The methods; the others are compared to the first.
    pub methods: Vec<Kind>,
    pub seeds: Vec<u64>,
    pub cases: Vec<Case>,
    /// What the program chose, in words.
    pub notes: Vec<String>,
    /// What was derived for each method that lacked something, as scenario text.
    pub derived: Vec<DerivedText>,
}

/// Scenario text that was derived for a method.
pub(super) struct DerivedText {
    pub method: Kind,
    pub text: String,
}

/// What is asked for.
pub(super) struct Wish<'w> {
    pub scenario: &'w Path,
    pub methods: &'w [String],
    pub seeds: u64,
    pub settings: &'w [String],
    pub allowed: AllowedOverlaps,
    pub out: &'w Path,
}

impl Wish<'_> {
    /// Reads the scenario and makes the cases, without running them.
    pub(super) fn plan(&self) -> Result<Plan, Failure> {
        let methods = methods(self.methods)?;
        if self.seeds == 0 {
            return Err(Failure::Usage("--seeds 0 leaves nothing to compare: take 1 or more".into()));
        }
        let base = AnyScenario::read(self.scenario, self.settings)?;
        let mut plan = Plan {
            title: base.title().to_string(),
            methods,
            seeds: (0..self.seeds).map(|k| seed(&base) + k).collect(),
            cases: Vec::new(),
            notes: Vec::new(),
            derived: Vec::new(),
        };
        if self.seeds > 1 && !is_random(&base, &self.with_seed(seed(&base) + 1)?, folder_of(self.scenario))? {
            plan.seeds.truncate(1);
            let note = "nothing in this scenario is drawn at random: one run for each method";
            plan.notes.push(note.into());
        }
        if plan.methods.iter().any(|method| is_soft(*method)) && !plan.methods.iter().all(|method| is_soft(*method)) {
            plan.notes.extend(match &base {
                AnyScenario::Plane(scenario) => bounces(scenario),
                AnyScenario::Space(scenario) => bounces(scenario),
            });
        }
        let mut texts = Vec::new();
        for method in plan.methods.clone() {
            let made = self.for_method(&base, method)?;
            if !made.text().is_empty() {
                plan.notes.extend(made.notes().into_iter().map(|note| format!("{}: {note}", method.name())));
                plan.derived.push(DerivedText { method, text: made.text() });
            }
            texts.push((method, made.scenario.to_toml()));
        }
        // what was derived holds for all seeds
        for number in plan.seeds.clone() {
            for (method, text) in &texts {
                let reader = Reader::new(folder_of(self.scenario).to_path_buf());
                let scenario = AnyScenario::parse(&plan.title, text, &[format!("seed={number}")], reader)?;
                let name = format!("{}-{number}", method.name());
                let (text, folder) = (scenario.to_toml(), self.out.join(&name));
                plan.cases.push(Case { method: *method, seed: number, name, scenario, text, folder });
            }
        }
        Ok(plan)
    }

    fn with_seed(&self, number: u64) -> Result<AnyScenario, Failure> {
        let settings: Vec<String> = self.settings.iter().cloned().chain([format!("seed={number}")]).collect();
        Ok(AnyScenario::read(self.scenario, &settings)?)
    }

    fn for_method(&self, scenario: &AnyScenario, method: Kind) -> Result<ForMethod, Failure> {
        scenario.for_method(method, self.allowed, folder_of(self.scenario)).map_err(|mistakes| {
            let told: Vec<String> =
                mistakes.0.iter().map(|m| format!("  {} [{}]: {}", m.message, m.code, m.help)).collect();
            Failure::Usage(format!(
                "the method \"{}\" cannot run this scenario; leave it out of --methods, or change the scenario\n{}",
                method.name(),
                told.join("\n")
            ))
        })
    }
}

/// The methods of a list of names.
fn methods(names: &[String]) -> Result<Vec<Kind>, Failure> {
    let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let mut found: Vec<Kind> = Vec::new();
    for name in names {
        let Some(method) = Kind::ALL.iter().find(|kind| kind.name() == name) else {
            let near =
                nearest(name, known.iter().copied()).map_or(String::new(), |near| format!(" did you mean `{near}`?"));
            return Err(Failure::Usage(format!("there is no method `{name}`:{near} known: {}", known.join(", "))));
        };
        if found.contains(method) {
            return Err(Failure::Usage(format!("--methods names `{name}` twice: a method is compared with others")));
        }
        found.push(*method);
    }
    match found[..] {
        [one] => {
            let others: Vec<&str> = known.iter().copied().filter(|name| *name != one.name()).collect();
            let message =
                format!("`{}` alone has nothing to be compared with: add one of {}", one.name(), others.join(", "));
            Err(Failure::Usage(message))
        }
        _ => Ok(found),
    }
}

/// Whether the grains of a method are springs.
fn is_soft(method: Kind) -> bool {
    matches!(method, Kind::Md | Kind::Dae)
}

/// Pairs of materials for which a scenario states one restitution for rigid grains and another for soft ones.
fn bounces<D: Dim>(scenario: &Scenario<D>) -> Vec<String> {
    let told = |contact: &ContactLaw| {
        let (rigid, soft) = (contact.law.restitution.normal(0.0), contact.law.md.as_ref()?.normal.as_dyn().losses());
        let Losses::Restitution(soft) = soft else { return None };
        let [a, b] = &*contact.between;
        let message = format!(
            "the scenario gives \"{a}\" and \"{b}\" restitution {rigid} as rigid grains and {soft} as soft ones",
            a = a.value,
            b = b.value
        );
        (rigid != soft).then_some(message)
    };
    scenario.contact.iter().filter_map(told).collect()
}

/// The seed of a scenario.
pub(crate) fn seed(scenario: &AnyScenario) -> u64 {
    match scenario {
        AnyScenario::Plane(scenario) => scenario.seed,
        AnyScenario::Space(scenario) => scenario.seed,
    }
}

/// Whether another seed gives another start, or other grains that come during the run.
fn is_random(one: &AnyScenario, other: &AnyScenario, folder: &Path) -> Result<bool, Failure> {
    let hash = |scenario: &AnyScenario| -> Result<u64, Failure> {
        Ok(match scenario {
            AnyScenario::Plane(scenario) => scenario.build(folder)?.hash(),
            AnyScenario::Space(scenario) => scenario.build(folder)?.hash(),
        })
    };
    let pours = match one {
        AnyScenario::Plane(scenario) => scenario.grains.iter().any(|group| group.pour.is_some()),
        AnyScenario::Space(scenario) => scenario.grains.iter().any(|group| group.pour.is_some()),
    };
    Ok(pours || hash(one)? != hash(other)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    #[test]
    fn methods_are_two_or_more_and_different() {
        let read = |names: &str| methods(&names.split(',').map(String::from).collect::<Vec<_>>());
        assert_eq!(read("md,cd").ok(), Some(vec![Kind::Md, Kind::Cd]));
        assert!(refusal(read("cd,cd")).contains("twice"));
        assert!(refusal(read("cd")).contains("nothing to be compared with"));
        assert!(refusal(read("cd,mb")).contains("did you mean `md`?"));
    }
}
