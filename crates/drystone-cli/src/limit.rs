//! The verb limit: by how much a load can grow until grains at rest begin to move.

mod findings;

use std::path::{Path, PathBuf};

use clap::Args;
use drystone::dim::Dim;
use drystone::scenario::{AnyScenario, Scenario};
use drystone::sim::Simulation;
use drystone_statics::limit::{Assembly, Limit as LimitLoad, LiveLoad, assembly};

use crate::Failure;
use crate::picture::scene::Scene;
use crate::scenario::{folder_of, print, refuse_folder, start_from};
use findings::{Findings, Limits};

/// By how much a load can grow until rigid grains at rest begin to move: limit analysis with an upper bound, its
/// correction for real friction, and the mechanism.
#[derive(Args)]
pub(crate) struct Limit {
    /// Scenario file.
    scenario: PathBuf,
    /// The load that grows: gravity.x (a part of gravity), wall.<name>.force (N on a piston), grain.<name>.force.x
    /// (N), load.<grain> (times the scenario's load), support.<name>.x (N, with which the support pushes until it gives
    /// way). A minus stands before the axis: gravity.-x.
    #[arg(long)]
    load: String,
    /// Start with the grains of an earlier run: RUN is its end, RUN@12 its frame 12.
    #[arg(long, value_name = "RUN")]
    from: Option<String>,
    /// Override a key, e.g. --set contact.0.friction=0.5. May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Largest gap of a contact that may carry a force, over the radius of the smaller grain.
    #[arg(long, default_value_t = assembly::GAP)]
    gap: f64,
    /// Folder for tables and pictures: limit.json, contacts.csv, bodies.csv, forces and mechanism as pictures.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// With -o: the mechanism also as a film, mechanism.gif.
    #[arg(long, requires = "out")]
    film: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Replace files in the folder.
    #[arg(long)]
    force: bool,
}

impl Limit {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        refuse_folder(&self.scenario)?;
        let load = LiveLoad::parse(&self.load).map_err(Failure::Usage)?;
        if !(self.gap > 0.0 && self.gap < 1.0) {
            return Err(Failure::Usage("--gap is a part of the radius: above 0 and below 1".into()));
        }
        if let Some(out) = self.out.as_ref().filter(|out| out.join("limit.json").exists() && !self.force) {
            return Err(Failure::Usage(format!(
                "{} holds a limit load: replace it with --force [E105]",
                out.display()
            )));
        }
        let mut settings = self.settings.clone();
        settings.extend(self.from.as_deref().map(start_from));
        let read = AnyScenario::read(&self.scenario, &settings)?;
        let scene = Scene::of(&read, folder_of(&self.scenario));
        match &read {
            AnyScenario::Plane(scenario) => self.find(scenario, &load, scene),
            AnyScenario::Space(scenario) => self.find(scenario, &load, scene),
        }
    }

    fn find<D: Dim>(&self, scenario: &Scenario<D>, load: &LiveLoad, scene: Scene) -> Result<(), Failure> {
        let mut simulation = Simulation::new(scenario, folder_of(&self.scenario))?;
        let assembly = Assembly::of(simulation.world(), load, self.gap).map_err(Failure::Usage)?;
        let bar = crate::film::progress(None, "{spinner} {msg}");
        let limit = LimitLoad::of(&assembly, |round| {
            bar.set_message(format!("correction for real friction, round {round}"));
            bar.tick();
        });
        bar.finish_and_clear();
        let limit = limit.map_err(|_| {
            Failure::Run(
                "the cone programme was not solved to its accuracy: try another --gap, or a smaller part".into(),
            )
        })?;
        let mut findings = match limit {
            LimitLoad::Falls => {
                let when = match load {
                    LiveLoad::Support { .. } => "it does not stand, whatever the force of the support",
                    _ => "it does not stand without the live load",
                };
                return Err(Failure::Run(format!(
                    "{when}: no forces within the friction cones of its {} contacts \
                     balance the loads that stay",
                    assembly.contacts.len()
                )));
            }
            LimitLoad::Unbounded => Findings::unbounded(&assembly, load),
            LimitLoad::At { frictionless, associated, corrected } => {
                Findings::at(&assembly, load, Limits { frictionless, associated, corrected })
            }
        };
        (findings.title, findings.text) = (scenario.title.clone(), self.load.clone());
        findings.warnings().iter().for_each(|warning| eprintln!("warning: {warning}"));
        if let Some(out) = &self.out {
            self.write(&findings, &scene, out)?;
        }
        match self.json {
            true => print(&format!("{:#}\n", findings.json())),
            false => print(&findings.summary()),
        }
    }

    fn write(&self, findings: &Findings, scene: &Scene, out: &Path) -> Result<(), Failure> {
        let broken = |name: &str, error: std::io::Error| {
            Failure::Run(format!("cannot write {name} in {}: {error} [E103]", out.display()))
        };
        std::fs::create_dir_all(out).map_err(|error| broken("anything", error))?;
        let mut files = vec![("limit.json", format!("{:#}\n", findings.json()).into_bytes())];
        files.extend(findings.tables());
        files.extend(findings.pictures(scene)?);
        for (name, bytes) in files {
            std::fs::write(out.join(name), bytes).map_err(|error| broken(name, error))?;
        }
        if self.film {
            findings.film(scene, &out.join("mechanism.gif"))?;
        }
        Ok(())
    }
}

/// What a load is, in words.
fn words(load: &LiveLoad) -> String {
    match load {
        LiveLoad::Gravity(_) => "a part of gravity on every grain".into(),
        LiveLoad::Piston { wall } => {
            format!("a force in N on the wall `{wall}`, towards its free side, beside its own")
        }
        LiveLoad::Grain { grain, .. } => format!("a force in N on the grain `{grain}`"),
        LiveLoad::Support { support, .. } => {
            format!("the force in N with which the support `{support}` pushes this way until it moves")
        }
        LiveLoad::Scenario { grain } => format!("times the loads of the scenario on the grain `{grain}`"),
    }
}

#[cfg(test)]
mod tests {
    use drystone_statics::limit::live_load;

    use super::*;

    #[test]
    fn every_form_of_load_is_named_in_the_help() {
        assert!(live_load::FORMS.contains("gravity.-x") && live_load::FORMS.contains("wall.<name>.force"));
        assert!(words(&LiveLoad::parse("load.3").unwrap()).contains("`3`"));
    }
}
