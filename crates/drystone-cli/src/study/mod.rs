//! The verb study: experiments with the method itself, as figures and tables.

mod chain;
mod cost;
mod desk;
mod network;
mod precision;
mod shear;
mod sound;
mod unstable;

use std::path::PathBuf;

use clap::Args;
use drystone::method::StepError;

use crate::Failure;
use crate::scenario::{print, table};
use desk::Desk;

/// An experiment: its name, what it shows, and what it does.
struct Experiment {
    name: &'static str,
    about: &'static str,
    perform: fn(&mut Desk) -> Result<(), Failure>,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "chain", about: "how sweeps carry a force through a row of grains", perform: chain::perform },
    Experiment { name: "sound", about: "too few sweeps a step make rigid grains elastic", perform: sound::perform },
    Experiment { name: "network", about: "the force network of a packing, sweep by sweep", perform: network::perform },
    Experiment {
        name: "precision",
        about: "sweeps needed against the precision asked for",
        perform: precision::perform,
    },
    Experiment { name: "shear", about: "sweeps of every step of a shear test", perform: shear::perform },
    Experiment {
        name: "cost",
        about: "what rigid and soft grains cost, against their number and stiffness",
        perform: cost::perform,
    },
    Experiment { name: "unstable", about: "all contacts at once: why that fails", perform: unstable::perform },
];

/// Perform a numerical experiment and draw its figures; without a name, list them.
#[derive(Args)]
pub(crate) struct Study {
    /// Name of the experiment.
    name: Option<String>,
    /// Folder for tables and figures [default: study-<name> in this folder].
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Smaller packings and fewer steps: a look in seconds, with rougher numbers.
    #[arg(long)]
    quick: bool,
    /// Numbers of grains of the shear tests.
    #[arg(long, value_delimiter = ',', default_value = "400,1600", value_parser = clap::value_parser!(u32).range(16..1_000_000))]
    sizes: Vec<u32>,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Study {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let Some(name) = self.name else {
            return print(&table(EXPERIMENTS.iter().map(|experiment| (experiment.name, experiment.about))));
        };
        let Some(experiment) = EXPERIMENTS.iter().find(|experiment| experiment.name == name) else {
            let names: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
            return Err(Failure::Usage(format!("there is no study `{name}`: take one of {}", names.join(", "))));
        };
        let out = self.out.unwrap_or_else(|| PathBuf::from(format!("study-{name}")));
        let mut desk = Desk::new(out, self.quick, self.json)?;
        desk.sizes = self.sizes.iter().map(|size| *size as usize).collect();
        (experiment.perform)(&mut desk)?;
        desk.finish(&name)
    }
}

/// A step that failed ends a study.
impl From<StepError> for Failure {
    fn from(error: StepError) -> Failure {
        Failure::Run(format!("{error} [{}]", error.code()))
    }
}
