//! Verbs around scenarios: new, check, list, explain, schema, completions.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, ValueEnum};
use drystone::input::{Mistakes, nearest};
use drystone::scenario::AnyScenario;
use drystone::scenario::codes::{self, CODES};
use drystone::scenario::schema::grains::{GrainShape, Place};
use drystone::scenario::schema::reference;
use drystone::scenario::template::{TEMPLATES, Template};
use drystone::wall::Surface;

use crate::Failure;

thread_local! {
    /// What was printed while a program listens.
    static HEARD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does something on this thread, and returns what it printed.
pub(crate) fn capture<T>(work: impl FnOnce() -> T) -> (String, T) {
    HEARD.set(Some(String::new()));
    let result = work();
    (HEARD.take().unwrap_or_default(), result)
}

/// Prints text; a closed pipe (`drystone schema | head`) is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if let Some(heard) = HEARD.with_borrow_mut(|heard| heard.as_mut().map(|heard| heard.push_str(text))) {
        return Ok(heard);
    }
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Run(format!("cannot print: {error}")))
        }
        _ => Ok(()),
    }
}

/// Mistakes that are shown: whoever has more begins with these.
const SHOWN: usize = 100;

/// Shows the mistakes with their places in the scenario.
pub(crate) fn show(mistakes: &Mistakes) {
    for mistake in mistakes.0.iter().take(SHOWN) {
        eprintln!("{:?}", miette::Report::new(mistake.clone()));
    }
    match mistakes.0.len() {
        count if count > SHOWN => {
            eprintln!("{count} mistakes, the first {SHOWN} are shown; `drystone explain CODE` says more")
        }
        1 => eprintln!("1 mistake; `drystone explain {}` says more", mistakes.0[0].code),
        count => eprintln!("{count} mistakes; `drystone explain CODE` says more"),
    }
}

/// Shows the warnings before the run, each with its place in the scenario.
pub(crate) fn warn(scenario: &AnyScenario) {
    for warning in scenario.warnings() {
        eprintln!("{:?}", miette::Report::new(warning));
    }
}

/// The folder to which the paths in a scenario are relative.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Refuses a folder where a scenario file is expected, and says what can be done with the folder.
pub(crate) fn refuse_folder(path: &Path) -> Result<(), Failure> {
    if !path.is_dir() {
        return Ok(());
    }
    let name = path.display();
    let advice = match path.join("scenario.toml").exists() {
        true => format!(
            "`drystone resume {name}` continues the run in it, `drystone info {name}` describes it, \
             {name}/scenario.toml is its scenario"
        ),
        false => "name a scenario file, such as heap.toml; `drystone new --list` shows templates to start from".into(),
    };
    Err(Failure::Usage(format!("{name} is a folder, not a scenario file [E010]: {advice}")))
}

/// The setting for a scenario that starts from a run; the path of the run is relative to the current folder.
pub(crate) fn start_from(from: &str) -> String {
    let whole = std::path::absolute(from).map_or_else(|_| from.to_string(), |path| path.display().to_string());
    format!("start.from={}", toml_text(&whole))
}

/// A text as TOML writes it, whatever is in it.
fn toml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Print a scenario to start from.
#[derive(Args)]
pub(crate) struct New {
    /// Name of the template.
    template: Option<String>,
    /// List the templates.
    #[arg(long)]
    list: bool,
}

impl New {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match self.template {
            Some(name) if !self.list => match Template::find(&name) {
                Some(template) => print(template.text),
                None => {
                    let known: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
                    let meant = nearest(&name, known.iter().copied());
                    let meant = meant.map_or(String::new(), |near| format!(" did you mean `{near}`?"));
                    Err(Failure::Usage(format!(
                        "there is no template `{name}`;{meant} there are: {}",
                        known.join(", ")
                    )))
                }
            },
            None if !self.list => Err(Failure::Usage("name a template; `drystone new --list` shows them".into())),
            _ => print(&table(TEMPLATES.iter().map(|template| (template.name, template.about())))),
        }
    }
}

/// Read a scenario and build its world without running it.
#[derive(Args)]
pub(crate) struct Check {
    /// Scenario file.
    scenario: PathBuf,
    /// Override a key, e.g. --set method.cd.time_step="1 ms". May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Start with the grains of an earlier run: RUN is its end, RUN@STAGE the end of a stage, RUN@12 its frame 12,
    /// RUN@first and RUN@last its first and last frame.
    #[arg(long, value_name = "RUN")]
    from: Option<String>,
    /// Method, instead of the scenario's `method.use`.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
}

impl Check {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        refuse_folder(&self.scenario)?;
        let mut settings = self.settings;
        settings.extend(self.method.map(|method| format!("method.use=\"{method}\"")));
        settings.extend(self.from.as_deref().map(start_from));
        let scenario = AnyScenario::read(&self.scenario, &settings)?;
        let simulation = drystone::sim::open(&scenario, folder_of(&self.scenario))?;
        warn(&scenario);
        let mut lines = simulation.describe();
        lines.push(("what will happen", crate::outlook::outlook(simulation)));
        print(&table(lines.iter().map(|(name, value)| (*name, value.as_str()))))?;
        let parameters = scenario.parameters().values();
        if parameters.is_empty() {
            return Ok(());
        }
        print("\nparameters\n")?;
        print(&table(parameters.iter().map(|(name, value)| (*name, value.as_str()))))
    }
}

/// What can be listed.
#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Contact laws.
    #[value(aliases = ["contacts", "models", "materials"])]
    Laws,
    /// Kinds of wall.
    #[value(aliases = ["boundaries", "geometries"])]
    Walls,
    /// Shapes of grains.
    #[value(aliases = ["grains", "particles", "particle", "bodies"])]
    Shapes,
    /// Ways to place grains.
    #[value(aliases = ["packings"])]
    Places,
    /// Measures: what a series records and `drystone measure` takes from frames.
    #[value(aliases = ["observables", "computes", "columns"])]
    Measures,
    /// Scenarios to start from.
    #[value(aliases = ["scenarios", "examples", "experiments"])]
    Templates,
}

/// List laws, walls, shapes, places, measures or templates.
#[derive(Args)]
pub(crate) struct List {
    /// What to list.
    what: What,
}

impl List {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let rows: Vec<(&str, &str)> = match self.what {
            What::Laws => return print(&laws()),
            What::Walls => Surface::<drystone::dim::D2>::KINDS.to_vec(),
            What::Shapes => GrainShape::KINDS.to_vec(),
            What::Places => Place::<drystone::dim::D2>::KINDS.to_vec(),
            What::Measures => return print(&crate::measure::list()),
            What::Templates => TEMPLATES.iter().map(|template| (template.name, template.about())).collect(),
        };
        print(&table(rows.into_iter()))
    }
}

/// Every family of contact laws with its kinds: "rolling", "rolling.length" ...
fn laws() -> String {
    let mut rows: Vec<(String, &str)> = Vec::new();
    for (family, about, kinds) in drystone::law::FAMILIES {
        // a kind of one family may be a family itself, and is then listed already
        if rows.iter().all(|(name, _)| name != family) {
            rows.push((family.to_string(), about));
        }
        rows.extend(kinds.iter().map(|(kind, about)| (format!("{family}.{kind}"), *about)));
    }
    table(rows.iter().map(|(name, about)| (name.as_str(), *about)))
}

/// Explain the code of a mistake, an error or a warning.
#[derive(Args)]
pub(crate) struct Explain {
    /// The code, such as E004 or W201; e4 is enough, and W2 lists all codes that begin so.
    code: String,
}

impl Explain {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match &meant_codes(&self.code)[..] {
            [code] => print(&format!("{}: {}\n\n{}\n", code.code, code.title, code.text)),
            [] => Err(Failure::Usage(format!(
                "there is no code `{}`; `drystone explain E` lists all errors, `drystone explain W` all warnings",
                self.code
            ))),
            several => print(&table(several.iter().map(|code| (code.code, code.title)))),
        }
    }
}

/// The code that was asked for, in whatever case and with or without its zeros; or else all that begin so.
fn meant_codes(asked: &str) -> Vec<&'static codes::Code> {
    let asked = asked.trim().to_uppercase();
    let padded = match (asked.get(..1), asked.get(1..).map(str::parse::<u16>)) {
        (Some(letter), Some(Ok(number))) => format!("{letter}{number:03}"),
        _ => asked.clone(),
    };
    let begins = || CODES.iter().filter(|code| code.code.starts_with(&asked)).collect::<Vec<_>>();
    match CODES.iter().find(|code| code.code == padded) {
        Some(code) => vec![code],
        None if asked.is_empty() => Vec::new(),
        None => begins(),
    }
}

/// Print the JSON Schema of scenarios, for editors, or the reference of all keys.
#[derive(Args)]
pub(crate) struct Schema {
    /// Print the reference of all keys as Markdown instead.
    #[arg(long)]
    markdown: bool,
    /// Write the schema into this file, or the pages of the reference into this folder.
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
}

impl Schema {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match (self.markdown, &self.out) {
            (false, None) => print(&schema_text()?),
            (false, Some(file)) => write(file, &schema_text()?),
            (true, None) => {
                let texts: Vec<String> = reference::pages().into_iter().map(|page| page.text).collect();
                print(&texts.join("\n"))
            }
            (true, Some(folder)) => write_pages(folder),
        }
    }
}

fn schema_text() -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(&reference::schema()).map_err(|error| Failure::Run(error.to_string()))?;
    Ok(format!("{text}\n"))
}

/// Writes a file for every page; other files of the folder stay.
fn write_pages(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::Run(format!("cannot make the folder {}: {error}", folder.display())))?;
    reference::pages().iter().try_for_each(|page| write(&folder.join(&page.file), &page.text))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::Run(format!("cannot write {}: {error}", path.display())))
}

/// The shells that completions exist for.
#[derive(Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Print completions for a shell.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn execute<C: CommandFactory>(self) -> Result<(), Failure> {
        let shell = match self.shell {
            Shell::Bash => clap_complete::Shell::Bash,
            Shell::Zsh => clap_complete::Shell::Zsh,
            Shell::Fish => clap_complete::Shell::Fish,
        };
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut C::command(), "drystone", &mut text);
        print(&String::from_utf8_lossy(&text))
    }
}

/// Two columns.
pub(crate) fn table<'t>(rows: impl Iterator<Item = (&'t str, &'t str)> + Clone) -> String {
    let width = rows.clone().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.map(|(name, value)| format!("{name:width$}  {}\n", value.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_in_lower_case_and_by_their_beginning() {
        let found = |asked: &str| meant_codes(asked).iter().map(|code| code.code).collect::<Vec<_>>();
        assert_eq!(found("e4"), ["E004"]);
        assert_eq!(found("E004"), ["E004"]);
        assert_eq!(found("w201"), ["W201"]);
        assert_eq!(found("W10"), ["W101", "W102", "W103", "W104", "W105", "W106"]);
        assert!(found("x9").is_empty() && found("").is_empty() && found("é").is_empty());
    }
}
