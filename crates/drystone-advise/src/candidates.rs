//! The methods that can run a scenario, and with which grains.

use std::path::Path;

use drystone::dim::{D2, D3, Dim};
use drystone::input::Mistakes;
use drystone::method::Kind;
use drystone::method::cd::Accuracy;
use drystone::scenario::derive::AllowedOverlaps;
use drystone::scenario::{AnyScenario, Scenario};

/// How hard the grains of a method are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardness {
    /// Rigid.
    Rigid,
    /// As stiff as the scenario says.
    Stated,
    /// As soft as overlaps of a thousandth of the radius at rest, and of a hundredth in impacts, allow. Grains that are
    /// stated softer than that become stiffer.
    Softened,
}

impl Hardness {
    /// A method with such grains, in words.
    pub fn of(self, method: Kind) -> String {
        match self {
            Hardness::Rigid => method.name().to_string(),
            Hardness::Stated => format!("{}, as stated", method.name()),
            Hardness::Softened => format!("{}, small overlaps", method.name()),
        }
    }
}

/// A method that can run the scenario.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub method: Kind,
    pub hardness: Hardness,
    /// The scenario for this method.
    pub scenario: AnyScenario,
    /// What was derived for it, in words.
    pub notes: Vec<String>,
}

/// A method that cannot run the scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The method.
    pub method: Kind,
    /// Whether softer grains than stated were tried.
    pub hardness: Hardness,
    /// Why not.
    pub reason: String,
}

/// Candidates and refusals of a scenario.
#[derive(Debug, Default)]
pub(crate) struct Field {
    pub candidates: Vec<Candidate>,
    pub refusals: Vec<Refusal>,
}

impl Field {
    /// Every method of the list, as the scenario states its grains; soft ones also as soft as overlaps allow.
    pub(crate) fn of(scenario: &AnyScenario, accuracy: Option<Accuracy>, folder: &Path) -> Field {
        let mut field = Field::default();
        for method in methods() {
            let is_stated = field.add(scenario, method, folder);
            if is_stated == Some(Hardness::Stated) && method == Kind::Md {
                field.add(&without_soft_laws(scenario), method, folder);
            }
        }
        field.candidates.iter_mut().for_each(|candidate| candidate.set_accuracy(accuracy));
        field
    }

    /// Adds a method; returns how hard its grains are, if it can run the scenario.
    fn add(&mut self, scenario: &AnyScenario, method: Kind, folder: &Path) -> Option<Hardness> {
        let is_soft = matches!(method, Kind::Md | Kind::Dae);
        let found = scenario.for_method(method, AllowedOverlaps::default(), folder);
        let hardness = match &found {
            _ if !is_soft => Hardness::Rigid,
            Ok(found) if found.laws.is_empty() => Hardness::Stated,
            Ok(_) => Hardness::Softened,
            Err(_) if has_soft_laws(scenario) => Hardness::Stated,
            Err(_) => Hardness::Softened,
        };
        match found {
            Ok(found) => {
                let notes = found.notes();
                self.candidates.push(Candidate { method, hardness, scenario: found.scenario, notes });
                Some(hardness)
            }
            Err(mistakes) => {
                self.refusals.push(Refusal { method, hardness, reason: reason(&mistakes) });
                None
            }
        }
    }
}

impl Candidate {
    fn set_accuracy(&mut self, accuracy: Option<Accuracy>) {
        let method = match &mut self.scenario {
            AnyScenario::Plane(scenario) => &mut scenario.method,
            AnyScenario::Space(scenario) => &mut scenario.method,
        };
        if let (Some(options), Some(accuracy)) = (&mut method.cd, accuracy) {
            options.accuracy = accuracy;
        }
    }
}

/// All methods of the list.
fn methods() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied()
}

/// The first mistake, in a line.
fn reason(mistakes: &Mistakes) -> String {
    mistakes.0.first().map_or_else(String::new, |mistake| format!("{} [{}]", mistake.message, mistake.code))
}

fn has_soft_laws(scenario: &AnyScenario) -> bool {
    match scenario {
        AnyScenario::Plane(scenario) => scenario.contact.iter().any(|contact| contact.law.md.is_some()),
        AnyScenario::Space(scenario) => scenario.contact.iter().any(|contact| contact.law.md.is_some()),
    }
}

/// The scenario without its soft laws and the time step that belongs to them, so that softer ones are derived.
fn without_soft_laws(scenario: &AnyScenario) -> AnyScenario {
    fn strip<D: Dim>(scenario: &mut Scenario<D>) {
        scenario.contact.iter_mut().for_each(|contact| contact.law.0.md = None);
        scenario.method.md = None;
        scenario.method.r#use.value = Kind::Cd; // friction and restitution are those of [[contact]]
    }
    let mut rigid = scenario.clone();
    match &mut rigid {
        AnyScenario::Plane(scenario) => strip(scenario),
        AnyScenario::Space(scenario) => strip(scenario),
    }
    rigid
}

/// A dimension, and the scenarios that are of it.
pub(crate) trait OfDimension: Dim {
    /// The scenario, if it is of this dimension.
    fn of(scenario: &AnyScenario) -> Option<&Scenario<Self>>;
}

impl OfDimension for D2 {
    fn of(scenario: &AnyScenario) -> Option<&Scenario<D2>> {
        match scenario {
            AnyScenario::Plane(scenario) => Some(scenario),
            AnyScenario::Space(_) => None,
        }
    }
}

impl OfDimension for D3 {
    fn of(scenario: &AnyScenario) -> Option<&Scenario<D3>> {
        match scenario {
            AnyScenario::Space(scenario) => Some(scenario),
            AnyScenario::Plane(_) => None,
        }
    }
}
