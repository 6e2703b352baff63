//! Scenarios: what a user writes, checked and turned into a world.
//!
//! | folder | what it does |
//! |---|---|
//! | [`schema`] | tables as a scenario writes them, and their JSON Schema |
//! | `check` | checks across tables, warnings, numbers of grains |
//! | [`pack`] | algorithms that place grains and blocks |
//! | [`build`] | from a scenario, and from an earlier run, to a world |
//! | [`derive`] | the same scenario under another method: laws that it lacks follow from those that it states |

pub(crate) mod build;
mod check;
pub mod codes;
pub mod derive;
pub(crate) mod pack;
pub mod schema;
pub mod template;

use std::path::Path;
use std::sync::Arc;

use crate::dim::{D2, D3, Dim};
use crate::drive::{Drive, Tilt};
use crate::input::quantity::{Acceleration, Density, Length, Mass, Quantity, Time};
use crate::input::value::POSITIVE;
use crate::input::{Flat, Mistakes, Node, Parameters, Placed, Raw, Reader, Text, Value};
use crate::law::{Elasticity, Pair};
use crate::list::record;
use crate::measure::Recorded;
use crate::method::{Kind, cd, dae, ed, md};
use crate::wall::Surface;

use build::from::StartFrom;
use pack::masonry::Build;
use schema::between::{self, MaterialPair};
use schema::cell::CellSpec;
use schema::grains::GrainGroup;
use schema::links::{ConstraintSpec, SpringSpec};
use schema::loads::LoadSpec;
use schema::row_spacing::RowSpacing;
use schema::stage::Stage;
use schema::until::Stop;

record! {
    /// A scenario: everything that a run depends on.
    pub struct Scenario<D> at span {
        /// Title of the run, for pictures and reports.
        title: String = "untitled".into(),
        /// Version of drystone that resolved the scenario; written by the program.
        drystone: Option<String>,
        /// 2 for disks in the plane, 3 for spheres in space.
        dimension: u64,
        /// Start of the random numbers: the same seed gives the same run, bit for bit.
        seed: u64 = 0,
        /// Numbers with names, which values of the scenario are computed from: `outlet = "30 mm"` here, `"outlet / 2"` there.
        parameters: Arc<Parameters> = Arc::default(),
        /// Acceleration of gravity.
        gravity: Acceleration<D>,
        /// Slow tilt of the ground.
        tilt: Option<Tilt<D>>,
        /// Length of 2D bodies in the third direction, so that densities are kg/m3 and forces N. Not used in 3D.
        depth: Length where POSITIVE = Quantity(1.0),
        /// The periodic cell: what leaves it on one side enters it on the other.
        cell: Option<CellSpec<D>>,
        /// Materials.
        material: Vec<Material>,
        /// Contact laws between materials; every pair that can meet needs one.
        contact: Vec<ContactLaw>,
        /// Grains of an earlier run to start with.
        start: Option<StartFrom>,
        /// Groups of grains.
        grains: Vec<GrainGroup<D>> = Vec::new(),
        /// Arches, walls and other structures of blocks.
        build: Vec<Build<D>> = Vec::new(),
        /// Walls.
        wall: Vec<WallSpec<D>> = Vec::new(),
        /// Rods, joints and other rigid links, for the method "dae" only.
        constraint: Vec<ConstraintSpec<D>> = Vec::new(),
        /// Springs between grains and points, for the method "dae" only.
        spring: Vec<SpringSpec<D>> = Vec::new(),
        /// Forces, torques and blows on named grains.
        load: Vec<LoadSpec<D>> = Vec::new(),
        /// Stages, one after the other; without any the run has one stage that ends by `stop`.
        stage: Vec<Stage<D>> = Vec::new(),
        /// When the run ends.
        stop: Stop = Stop::never(),
        /// The method: how forces and motion are computed.
        method: MethodChoice = MethodChoice::default(),
        /// What is written.
        output: Output = Output::default(),
    }
}

record! {
    /// A material.
    pub struct Material at span {
        /// Name that contacts, grains and walls refer to.
        name: Placed<String>,
        /// Mass per volume.
        density: Density where POSITIVE,
        /// Elasticity of grains that deform, which only the method "cd" knows; without it grains are rigid.
        elastic: Option<Elasticity>,
    }
}

record! {
    /// Contact laws between two materials.
    pub struct ContactLaw at span {
        /// The two materials; "any" for all pairs without a [[contact]] of their own.
        between: MaterialPair,
        /// Their law.
        law: Flat<Pair>,
    }
}

record! {
    /// A wall: a body that only its drive moves.
    pub struct WallSpec<D> at span {
        /// Name, for the drives of stages and for messages.
        name: Placed<String>,
        /// Its material.
        material: Placed<String>,
        /// How it is moved, until a stage says otherwise.
        drive: Drive<D> = Drive::FIXED,
        /// Mass of a plane that a force or a pressure drives: a piston, which moves along its normal.
        mass: Option<Mass> where POSITIVE,
        /// Its surface.
        surface: Flat<Surface<D>>,
    }
}

record! {
    /// The method: how forces and motion are computed.
    pub struct MethodChoice at span {
        /// The method.
        r#use: Placed<Kind> = Placed { value: Kind::Cd, at: Default::default() },
        /// Contact Dynamics.
        cd: Option<cd::CdOptions>,
        /// Soft-particle molecular dynamics.
        md: Option<md::MdOptions>,
        /// Differential-algebraic mechanics.
        dae: Option<dae::DaeOptions>,
        /// Event-driven dynamics.
        ed: Option<ed::EdOptions>,
    }
}

impl Default for MethodChoice {
    fn default() -> Self {
        let r#use = Placed { value: Kind::Cd, at: Default::default() };
        MethodChoice { r#use, cd: None, md: None, dae: None, ed: None, span: Default::default() }
    }
}

record! {
    /// What a run writes.
    pub struct Output at span {
        /// Time between frames; without it only the first and the last are written.
        frames: Option<Time> where POSITIVE,
        /// What `series.csv` holds.
        series: Vec<Recorded> = Recorded::usual(),
        /// Time between rows of `series.csv`; "step": every step has one. "auto" is a thousandth of the run, if its end is
        /// known, and at least 250 steps of md, 10 of dae and 5 of cd, so that recording costs little.
        series_every: RowSpacing where POSITIVE = RowSpacing::Auto,
        /// Named grains whose position, velocity and rotation have columns in `series.csv`.
        track: Vec<Placed<String>> = Vec::new(),
        /// Computing time (wall-clock) between checkpoints.
        checkpoint: Time where POSITIVE = Quantity(60.0),
    }
}

impl Default for Output {
    fn default() -> Self {
        Output {
            frames: None,
            series: Recorded::usual(),
            series_every: RowSpacing::Auto,
            track: Vec::new(),
            checkpoint: Quantity(60.0),
            span: Default::default(),
        }
    }
}

impl<D: Dim> Scenario<D> {
    /// Reads a scenario of this dimension from a text, for programs. Files that it names count from the working
    /// directory.
    pub fn parse(text: &str) -> Result<Scenario<D>, Mistakes> {
        let reader = Reader::new(".".into());
        let text = Arc::new(Text { name: "scenario".into(), text: text.into() });
        let (mut tree, mistakes) = Node::parse(&text);
        let is_toml = mistakes.is_empty();
        reader.add(mistakes);
        let scenario = match is_toml.then(|| dimension(&mut tree, &reader)).flatten() {
            Some(found) if found == D::DIMENSION => read_checked(&mut tree, &reader),
            Some(_) => {
                let at = tree.get("dimension").map_or(&tree.at, |node| &node.at);
                let message = format!("the program asks for a scenario with dimension = {}", D::DIMENSION);
                reader.mistake("E007", at, message, "parse it as a scenario of the other dimension")
            }
            None => None,
        };
        reader.finish().into_result(scenario)
    }
}

/// A scenario of either dimension.
#[derive(Clone, Debug)]
pub enum AnyScenario {
    /// In the plane.
    Plane(Box<Scenario<D2>>),
    /// In space.
    Space(Box<Scenario<D3>>),
}

impl AnyScenario {
    /// Reads a scenario file, with `key=value` settings on top.
    pub fn read(path: &Path, settings: &[String]) -> Result<AnyScenario, Mistakes> {
        let reader = Reader::new(path.parent().unwrap_or(Path::new(".")).to_path_buf());
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&name, &text, settings, reader),
            Err(error) => {
                let message = match error.kind() {
                    std::io::ErrorKind::NotFound => format!("there is no file `{name}`"),
                    _ => format!("cannot read `{name}`: {error}"),
                };
                let help = "`drystone new --list` shows templates to start from";
                reader.mistake::<()>("E010", &Default::default(), message, help);
                Err(reader.finish())
            }
        }
    }

    /// Reads the text of a scenario. Messages call it `name`.
    pub fn parse(name: &str, text: &str, settings: &[String], reader: Reader) -> Result<AnyScenario, Mistakes> {
        let text = Arc::new(Text { name: name.to_string(), text: text.to_string() });
        let (mut tree, mistakes) = Node::parse(&text);
        let is_toml = mistakes.is_empty();
        reader.add(mistakes);
        for setting in settings {
            if let Err(why) = tree.set(setting) {
                let help =
                    "a path names keys, and elements of lists by name or number: --set contact.sand-sand.friction=0.5";
                reader.mistake::<()>("E017", &Default::default(), why, help);
            }
        }
        let scenario = match is_toml.then(|| dimension(&mut tree, &reader)).flatten() {
            Some(2) => read_checked::<D2>(&mut tree, &reader).map(|scenario| AnyScenario::Plane(Box::new(scenario))),
            Some(_) => read_checked::<D3>(&mut tree, &reader).map(|scenario| AnyScenario::Space(Box::new(scenario))),
            None => None,
        };
        reader.finish().into_result(scenario)
    }

    /// Numbers with names, which its values were computed from.
    pub fn parameters(&self) -> &Parameters {
        match self {
            AnyScenario::Plane(scenario) => &scenario.parameters,
            AnyScenario::Space(scenario) => &scenario.parameters,
        }
    }

    /// The resolved scenario as TOML text: defaults filled in, SI numbers.
    pub fn to_toml(&self) -> String {
        match self {
            AnyScenario::Plane(scenario) => scenario.to_toml(),
            AnyScenario::Space(scenario) => scenario.to_toml(),
        }
    }
}

/// The dimension decides how everything else is read. If it is missing or wrong, it is taken from the components of
/// gravity.
fn dimension(tree: &mut Node, reader: &Reader) -> Option<usize> {
    let known = match tree.get("dimension").map(|node| &node.value) {
        Some(Raw::Number(text)) => text.parse().ok().filter(|dimension| [2, 3].contains(dimension)),
        _ => None,
    };
    if known.is_some() {
        return known;
    }
    if matches!(&tree.value, Raw::Table(entries) if entries.is_empty()) {
        let help = "start from a template: `drystone new --list` shows them";
        return reader.mistake("E005", &tree.at, "the scenario is empty", help);
    }
    let help = "2 for disks in the plane, 3 for spheres in space";
    match tree.get("dimension") {
        None => reader.mistake("E005", &tree.at, "`dimension` is missing", format!("add dimension = 2 or 3: {help}")),
        Some(node) => reader.mistake::<()>("E007", &node.at, "`dimension` must be 2 or 3", help),
    };
    let guess = tree.get("gravity").map(|node| node.items().len()).filter(|guess| [2, 3].contains(guess))?;
    tree.set(&format!("dimension={guess}")).ok()?;
    Some(guess)
}

fn read_checked<D: Dim>(tree: &mut Node, reader: &Reader) -> Option<Scenario<D>> {
    tree.define_parameters(reader);
    between::spread_any(tree, reader);
    let tree: &Node = tree;
    let mut scenario = Scenario::<D>::read(tree, reader);
    check::check::<D>(tree, scenario.is_some(), reader);
    if let Some(options) = scenario.as_mut().and_then(|scenario| scenario.method.cd.as_mut()) {
        options.settle();
    }
    if let Some(scenario) = scenario.as_ref().filter(|_| reader.is_clean()) {
        scenario.parameters.check_use(&tree.at.text, tree.get("drystone").is_some(), reader);
    }
    if let Some(scenario) = scenario.as_mut().filter(|_| reader.is_clean()) {
        scenario.resolve_changes();
    }
    scenario
}
