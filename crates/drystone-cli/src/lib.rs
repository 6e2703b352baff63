//! The command `drystone`, as a library: the binary calls it, and so does the Python module.

mod advise;
mod certify;
mod clock;
mod colour;
mod compare;
mod continued;
mod export;
mod eye;
mod film;
mod folder;
mod forces;
mod impact;
mod limit;
mod measure;
mod movie;
mod outlook;
mod picture;
mod plot;
mod progress;
mod run;
mod scenario;
mod solve;
mod study;

use std::ffi::OsString;

use clap::{Parser, Subcommand};

/// Granular matter in 2D and 3D: rigid by Contact Dynamics, soft by molecular dynamics, static friction as a
/// constraint.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// Colours in messages; without it, on a terminal and unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, default_value_t)]
    color: colour::Colour,
}

#[derive(Subcommand)]
enum Verb {
    New(scenario::New),
    Check(scenario::Check),
    Advise(advise::Advise),
    Run(run::Run),
    Resume(run::Resume),
    Continue(continued::Continue),
    Solve(solve::Solve),
    Study(study::Study),
    Compare(compare::Compare),
    Impact(impact::Impact),
    Info(folder::Info),
    Certify(certify::Certify),
    Export(export::Export),
    Measure(measure::Measure),
    Forces(forces::Forces),
    Limit(limit::Limit),
    Picture(eye::Picture),
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
    /// What was asked for by `--help` or `--version`, or how the command line does not fit.
    Line(Box<clap::Error>),
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
            Failure::Line(error) => {
                let _ = error.print(); // a closed pipe is no error
                u8::try_from(error.exit_code()).unwrap_or(2)
            }
        }
    }
}

/// What a refused call says, for tests.
#[cfg(test)]
pub(crate) fn refusal<T>(result: Result<T, Failure>) -> String {
    match result {
        Err(Failure::Usage(message)) => message,
        _ => panic!("must be refused"),
    }
}

/// Verbs that people bring from other programs, and the verb here that does it.
const BY_MEANING: &[(&str, &str)] = &[
    ("simulate", "run"),
    ("start", "run"),
    ("execute", "run"),
    ("restart", "resume"),
    ("view", "picture"),
    ("show", "picture"),
    ("draw", "picture"),
    ("render", "picture"),
    ("image", "picture"),
    ("animate", "movie"),
    ("film", "movie"),
    ("video", "movie"),
    ("graph", "plot"),
    ("benchmark", "compare"),
    ("versus", "compare"),
    ("init", "new"),
    ("create", "new"),
    ("template", "new"),
    ("templates", "new"),
    ("validate", "check"),
    ("lint", "check"),
    ("recommend", "advise"),
    ("estimate", "advise"),
    ("advice", "advise"),
    ("status", "info"),
    ("summary", "info"),
    ("convert", "export"),
    ("analyse", "measure"),
    ("analyze", "measure"),
];

/// The verb that an unknown one means.
fn by_meaning(word: &str) -> Option<&'static str> {
    BY_MEANING.iter().find(|(known, _)| *known == word.to_lowercase()).map(|(_, verb)| *verb)
}

/// What can be done with a scenario or a folder that was named without a verb.
fn of_path(path: &std::path::Path) -> Option<String> {
    let name = path.display();
    match path.extension() {
        _ if path.is_dir() => Some(format!("`drystone info {name}` or `drystone picture {name} -o picture.png`")),
        Some(end) if end == "toml" => Some(format!("`drystone check {name}` or `drystone run {name}`")),
        _ => None,
    }
}

/// The value of `--color` that was meant for `--colour`.
fn colour_of_grains(error: &clap::Error) -> Option<&str> {
    use clap::error::{ContextKind, ContextValue};
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let is_known = |value: &&str| <picture::look::By as clap::ValueEnum>::from_str(value, true).is_ok();
    text(ContextKind::InvalidArg).filter(|argument| argument.starts_with("--color"))?;
    text(ContextKind::InvalidValue).filter(is_known)
}

/// Reads a command line, the name of the program first; an unknown verb is answered with the one that means the same.
fn command_line(args: impl IntoIterator<Item = OsString>) -> Result<Cli, Failure> {
    use clap::error::{ContextKind, ContextValue};
    Cli::try_parse_from(args).map_err(|error| {
        let unknown = match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(word)) => Some(word.clone()),
            _ => None,
        };
        if let Some(value) = colour_of_grains(&error) {
            let message = "--color says whether messages are coloured; grains are coloured by --colour";
            return Failure::Usage(format!("{message} {value}"));
        }
        let Some(word) = unknown else { return Failure::Line(Box::new(error)) };
        if let Some(verbs) = of_path(std::path::Path::new(&word)) {
            return Failure::Usage(format!("`{word}` needs a verb before it: {verbs}"));
        }
        match by_meaning(&word) {
            Some(verb) => Failure::Usage(format!(
                "there is no verb `{word}`: write `drystone {verb}`; `drystone {verb} --help` says how"
            )),
            None => Failure::Line(Box::new(error)),
        }
    })
}

fn execute(args: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let Cli { verb, color } = command_line(args)?;
    color.choose();
    match verb {
        Verb::New(verb) => verb.execute(),
        Verb::Check(verb) => verb.execute(),
        Verb::Advise(verb) => verb.execute(),
        Verb::Run(verb) => verb.execute(),
        Verb::Resume(verb) => verb.execute(),
        Verb::Continue(verb) => verb.execute(),
        Verb::Solve(verb) => verb.execute(),
        Verb::Study(verb) => verb.execute(),
        Verb::Compare(verb) => verb.execute(),
        Verb::Impact(verb) => verb.execute(),
        Verb::Info(verb) => verb.execute(),
        Verb::Certify(verb) => verb.execute(),
        Verb::Export(verb) => verb.execute(),
        Verb::Measure(verb) => verb.execute(),
        Verb::Forces(verb) => verb.execute(),
        Verb::Limit(verb) => verb.execute(),
        Verb::Picture(verb) => verb.execute(),
        Verb::Movie(verb) => verb.execute(),
        Verb::Plot(verb) => verb.execute(),
        Verb::List(verb) => verb.execute(),
        Verb::Explain(verb) => verb.execute(),
        Verb::Schema(verb) => verb.execute(),
        Verb::Completions(verb) => verb.execute::<Cli>(),
    }
}

/// The command `drystone` with these arguments, the name of the program first: says what went wrong, and returns the
/// exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    execute(args).map_or_else(Failure::tell, |()| 0)
}

/// The same for programs: what the verb prints is returned, and what goes wrong is not told. Verbs that listen for
/// Ctrl-C (run, resume, continue, compare) take over its handling in the whole process.
pub fn captured(args: impl IntoIterator<Item = OsString>) -> (String, Result<(), Failure>) {
    scenario::capture(|| execute(args))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn verbs_of_other_programs_lead_to_verbs_that_exist() {
        let verbs: Vec<String> = Cli::command().get_subcommands().map(|verb| verb.get_name().to_string()).collect();
        for (word, verb) in BY_MEANING {
            assert!(verbs.iter().any(|known| known == verb), "{verb}");
            assert!(verbs.iter().all(|known| known != word), "{word} is a verb itself");
        }
        assert_eq!(
            (by_meaning("Simulate"), by_meaning("view"), by_meaning("fly")),
            (Some("run"), Some("picture"), None)
        );
    }
}
