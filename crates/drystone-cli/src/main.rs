//! The command `drystone`.

mod certify;
mod export;
mod folder;
mod impact;
mod measure;
mod movie;
mod picture;
mod plot;
mod progress;
mod run;
mod scenario;
mod solve;
mod study;

use clap::{Parser, Subcommand};

/// Granular matter in 2D and 3D: rigid by Contact Dynamics, soft by molecular dynamics, static friction as a
/// constraint.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    New(scenario::New),
    Check(scenario::Check),
    Run(run::Run),
    Resume(run::Resume),
    Solve(solve::Solve),
    Study(study::Study),
    Impact(impact::Impact),
    Info(folder::Info),
    Certify(certify::Certify),
    Export(export::Export),
    Measure(measure::Measure),
    Picture(folder::Picture),
    Movie(movie::Movie),
    Plot(plot::Plot),
    List(scenario::List),
    Explain(scenario::Explain),
    Schema(scenario::Schema),
    Completions(scenario::Completions),
}

/// Why a command failed, and the code that it ends with.
pub enum Failure {
    /// Wrong usage or scenario: 2.
    Usage(String),
    /// The scenario has mistakes: 2.
    Mistakes(drystone::input::Mistakes),
    /// The run failed: 1.
    Run(String),
    /// Ctrl-C: 130.
    Interrupted,
}

impl From<drystone::input::Mistakes> for Failure {
    fn from(mistakes: drystone::input::Mistakes) -> Self {
        Failure::Mistakes(mistakes)
    }
}

impl Failure {
    /// Says what went wrong and returns the exit code.
    fn tell(self) -> u8 {
        match self {
            Failure::Usage(message) => {
                eprintln!("error: {message}");
                2
            }
            Failure::Mistakes(mistakes) => {
                scenario::show(&mistakes);
                2
            }
            Failure::Run(message) => {
                eprintln!("error: {message}");
                1
            }
            Failure::Interrupted => 130,
        }
    }
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().verb {
        Verb::New(verb) => verb.execute(),
        Verb::Check(verb) => verb.execute(),
        Verb::Run(verb) => verb.execute(),
        Verb::Resume(verb) => verb.execute(),
        Verb::Solve(verb) => verb.execute(),
        Verb::Study(verb) => verb.execute(),
        Verb::Impact(verb) => verb.execute(),
        Verb::Info(verb) => verb.execute(),
        Verb::Certify(verb) => verb.execute(),
        Verb::Export(verb) => verb.execute(),
        Verb::Measure(verb) => verb.execute(),
        Verb::Picture(verb) => verb.execute(),
        Verb::Movie(verb) => verb.execute(),
        Verb::Plot(verb) => verb.execute(),
        Verb::List(verb) => verb.execute(),
        Verb::Explain(verb) => verb.execute(),
        Verb::Schema(verb) => verb.execute(),
        Verb::Completions(verb) => verb.execute::<Cli>(),
    };
    result.map_or_else(Failure::tell, |()| 0).into()
}
