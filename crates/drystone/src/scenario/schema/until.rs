//! Rules that end a stage or a run.

use crate::dim::{Dim, Vector};
use crate::input::quantity::{Length, Number, Pressure, Quantity, Speed, Time};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Flat, Placed, Reader, Span, nearest};
use crate::list::{list, record};
use crate::scenario::WallSpec;
use crate::wall::Surface;

record! {
    /// When a stage or a run ends: at the first rule that is met.
    pub struct Stop at span {
        /// Rules, of which any one is enough.
        any: Flat<EndRules>,
        /// Tables of rules that must be met at the same time: of each table at least one rule.
        all: Vec<EndRules> = Vec::new(),
    }
}

record! {
    /// Rules, of which any one is enough.
    pub struct EndRules at span {
        /// Time since the start of the run.
        at: Option<Time> where POSITIVE,
        /// Time since the stage began.
        after: Option<Time> where POSITIVE,
        /// Once all grains have been slow for some time.
        at_rest: Option<Rest>,
        /// Once the unbalanced force ratio is small: mean resultant force on a grain over mean force of a contact.
        unbalanced: Option<Unbalanced>,
        /// Once a wall has moved this far since the stage began.
        displacement: Option<Displacement>,
        /// Axial strain: once the distance of two planes has changed by this much since the stage began.
        strain: Option<StrainRule>,
        /// Once no grain has passed a level for some time.
        flow_stopped: Option<FlowStopped>,
        /// Once the solid fraction of the movable grains in a fully periodic cell reaches this value.
        solid_fraction: Option<Placed<Number>> where POSITIVE,
        /// Once the mean normal stress of the contacts in a fully periodic cell reaches this value.
        pressure: Option<Placed<Pressure>> where POSITIVE,
    }
}

record! {
    /// All grains are slow.
    pub struct Rest at span {
        /// No grain moves, and no surface turns, faster than this.
        speed: Speed where POSITIVE,
        /// For at least this time.
        r#for: Time where NOT_NEGATIVE,
    }
}

list! {
    /// Forces balance: a ratio, or a ratio and how long.
    pub enum Unbalanced by leading key or Now(Number) {
        /// For a while.
        "below" => Lasting(BalanceRule),
    }
}

record! {
    /// Forces balance for a while.
    pub struct BalanceRule at span {
        /// Mean resultant force on a grain over the mean force of a contact.
        below: Number where POSITIVE,
        /// For at least this time.
        r#for: Time where NOT_NEGATIVE = Quantity(0.0),
    }
}

impl Unbalanced {
    /// The ratio, and for how long [s].
    pub fn limits(&self) -> (f64, f64) {
        match self {
            Unbalanced::Now(below) => (**below, 0.0),
            Unbalanced::Lasting(balance) => (*balance.below, *balance.r#for),
        }
    }
}

record! {
    /// A wall has moved.
    pub struct Displacement at span {
        /// The wall.
        wall: Placed<String>,
        /// How far, in whatever direction.
        beyond: Length where POSITIVE,
    }
}

record! {
    /// Two planes have come closer or gone apart.
    pub struct StrainRule at span {
        /// The planes, which face each other.
        between: [Placed<String>; 2],
        /// Change of their distance over their distance at the beginning of the stage, whatever its sign.
        beyond: Number where POSITIVE,
    }
}

list! {
    /// An axis.
    pub enum Axis by name {
        /// The first.
        "x" => X,
        /// The second.
        "y" => Y,
        /// The third.
        "z" => Z,
    }
}

record! {
    /// No grain passes a level.
    pub struct FlowStopped at span {
        /// The axis along which the level is measured.
        axis: Axis,
        /// Where the level is.
        level: Length,
        /// For at least this time.
        r#for: Time where POSITIVE,
    }
}

/// One rule of a stage.
#[derive(Clone, Debug)]
pub enum Rule {
    /// See [`EndRules::at`].
    At(f64),
    /// See [`EndRules::after`].
    After(f64),
    /// See [`EndRules::at_rest`].
    AtRest(Rest),
    /// See [`EndRules::unbalanced`]: the ratio, and for how long.
    Unbalanced(f64, f64),
    /// See [`EndRules::displacement`].
    Displacement(Displacement),
    /// See [`EndRules::strain`].
    Strain(StrainRule),
    /// See [`EndRules::flow_stopped`].
    FlowStopped(FlowStopped),
    /// See [`EndRules::solid_fraction`].
    SolidFraction(Placed<Number>),
    /// See [`EndRules::pressure`].
    Pressure(Placed<Pressure>),
}

impl Rule {
    /// The key that scenarios use.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::At(_) => "at",
            Rule::After(_) => "after",
            Rule::AtRest(_) => "at_rest",
            Rule::Unbalanced(..) => "unbalanced",
            Rule::Displacement(_) => "displacement",
            Rule::Strain(_) => "strain",
            Rule::FlowStopped(_) => "flow_stopped",
            Rule::SolidFraction(_) => "solid_fraction",
            Rule::Pressure(_) => "pressure",
        }
    }

    /// Whether the clock alone decides.
    pub fn is_of_time(&self) -> bool {
        matches!(self, Rule::At(_) | Rule::After(_))
    }
}

impl EndRules {
    fn none() -> EndRules {
        EndRules {
            at: None,
            after: None,
            at_rest: None,
            unbalanced: None,
            displacement: None,
            strain: None,
            flow_stopped: None,
            solid_fraction: None,
            pressure: None,
            span: Span::default(),
        }
    }

    /// The rules one by one.
    pub fn each(&self) -> Vec<Rule> {
        let rules = [
            self.at_rest.clone().map(Rule::AtRest),
            self.unbalanced.as_ref().map(|rule| Rule::Unbalanced(rule.limits().0, rule.limits().1)),
            self.displacement.clone().map(Rule::Displacement),
            self.strain.clone().map(Rule::Strain),
            self.flow_stopped.clone().map(Rule::FlowStopped),
            self.solid_fraction.clone().map(Rule::SolidFraction),
            self.pressure.clone().map(Rule::Pressure),
            self.at.map(|at| Rule::At(*at)),
            self.after.map(|after| Rule::After(*after)),
        ];
        rules.into_iter().flatten().collect()
    }

    /// Time by which one of its rules about time is met, for a stage that begins at `start` [s].
    fn latest(&self, start: f64) -> Option<f64> {
        let at = self.at.map(|at| at.max(start));
        at.into_iter().chain(self.after.map(|after| start + *after)).reduce(f64::min)
    }
}

impl Stop {
    /// No rule: never.
    pub fn never() -> Stop {
        Stop { any: Flat(EndRules::none()), all: Vec::new(), span: Span::default() }
    }

    /// Whether there is any rule.
    pub fn has_rule(&self) -> bool {
        !self.any.each().is_empty() || !self.all.is_empty()
    }

    /// Time at which the clock ends a stage that begins at `start`, whatever else happens [s].
    pub fn latest(&self, start: f64) -> Option<f64> {
        let together = || self.all.iter().map(|rules| rules.latest(start)).collect::<Option<Vec<f64>>>();
        let all = (!self.all.is_empty()).then(together).flatten();
        let all = all.and_then(|times| times.into_iter().reduce(f64::max));
        self.any.latest(start).into_iter().chain(all).reduce(f64::min)
    }

    /// Time before which no rule can end a stage that begins at `start` [s]: `start` itself unless the clock alone
    /// decides.
    pub fn earliest(&self, start: f64) -> f64 {
        let is_of_time = |rules: &EndRules| rules.each().iter().all(Rule::is_of_time);
        let by_clock = is_of_time(&self.any) && self.all.iter().all(is_of_time);
        if by_clock { self.latest(start).unwrap_or(f64::INFINITY) } else { start }
    }

    /// All rules; those that suffice alone come first.
    pub fn every(&self) -> Vec<Rule> {
        self.any.each().into_iter().chain(self.all.iter().flat_map(EndRules::each)).collect()
    }

    /// Reports names of walls that do not exist or do not fit, and tables without a rule.
    pub(in crate::scenario) fn check<D: Dim>(&self, walls: &[WallSpec<D>], reader: &Reader) {
        for rules in self.all.iter().filter(|rules| rules.each().is_empty()) {
            let message = "a table of `all` has no rule, and is never met";
            reader.mistake::<()>("E015", &rules.span, message, "write all = [{ at_rest = .. }, { after = \"1 s\" }]");
        }
        for rule in self.every() {
            match &rule {
                Rule::Displacement(rule) => {
                    find(walls, &rule.wall, reader);
                }
                Rule::Strain(rule) => {
                    let [one, other] = &rule.between;
                    let (Some(one_wall), Some(other_wall)) = (find(walls, one, reader), find(walls, other, reader))
                    else {
                        continue;
                    };
                    if !face_each_other(one_wall, other_wall) {
                        let message =
                            format!("the walls \"{}\" and \"{}\" do not face each other", one.value, other.value);
                        let help = "name two parallel planes whose normals point to each other";
                        reader.mistake::<()>("E015", &one.at, message, help);
                    }
                }
                Rule::FlowStopped(rule) if rule.axis as usize >= D::DIMENSION => {
                    let message = "there is no such axis in the plane";
                    reader.mistake::<()>("E015", &rule.span, message, "write axis = \"y\"");
                }
                _ => {}
            }
        }
    }
}

fn find<'w, D: Dim>(walls: &'w [WallSpec<D>], name: &Placed<String>, reader: &Reader) -> Option<&'w WallSpec<D>> {
    let found = walls.iter().find(|wall| wall.name.value == name.value);
    if found.is_none() {
        let known: Vec<&str> = walls.iter().map(|wall| wall.name.as_str()).collect();
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("walls: {}", known.join(", ")),
        };
        reader.mistake::<()>("E006", &name.at, format!("there is no wall \"{}\"", name.value), help);
    }
    found
}

/// Planes count as parallel up to this: directions are written with a few digits, and the distance is wrong by the
/// square of the angle only.
const PARALLEL: f64 = 1e-6;

fn face_each_other<D: Dim>(one: &WallSpec<D>, other: &WallSpec<D>) -> bool {
    let (Surface::Plane(one), Surface::Plane(other)) = (&*one.surface, &*other.surface) else { return false };
    one.normal.0.dot(other.normal.0) < PARALLEL - 1.0 && (other.point.0 - one.point.0).dot(one.normal.0) > 0.0
}
