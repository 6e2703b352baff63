//! Parameters of Contact Dynamics.

use crate::input::quantity::{Number, Quantity};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Node, Raw, Reader, Value};
use crate::list::{list, record};
use crate::method::TimeStepChoice;
use crate::method::cd::accelerate::Accelerator;
use crate::method::cd::solve::Verdict;
use crate::method::cd::velocity_scale::SLOW;
use crate::method::statics::StartForces;

list! {
    /// Steps of accuracy.
    pub enum Ladder by name {
        /// 1e-3: for pictures, not for measurements.
        "preview" => Preview,
        /// 1e-4: statistics of flows.
        "flow" => Flow,
        /// 1e-5: the usual choice.
        "standard" => Standard,
        /// 1e-6: force distributions and statics.
        "forces" => Forces,
        /// 1e-10: small systems, to compare with.
        "reference" => Reference,
    }
}

/// What a step must reach to count as converged. [solver notes in the book: the certificate]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Residual eps_nat of the contact laws, a ratio.
    pub residual: f64,
    /// Estimated error eta of the forces, a ratio; infinite if it is not asked for.
    pub force_error: f64,
    /// Largest error of a velocity over its reference motion; infinite if it is not asked for.
    pub velocity_error: f64,
    /// Growth of the deepest overlap in a step over the radius; infinite if it is not asked for.
    pub overlap_growth: f64,
}

impl Limits {
    /// Energy that a group of bodies may gain in a step over what its contacts turn over, a ratio: velocities of bodies
    /// at rest may be wrong by this part of the fall.
    pub fn energy_gain(&self) -> f64 {
        SLOW * self.velocity_error
    }

    /// These limits with a residual of at least `residual`, and nothing else asked for.
    pub fn loosened(self, residual: f64) -> Limits {
        let any = f64::INFINITY;
        Limits { residual: self.residual.max(residual), force_error: any, velocity_error: any, overlap_growth: any }
    }
}

record! {
    /// Separate limits; those left out are not checked.
    pub struct Tolerances {
        /// Residual eps_nat of the contact laws.
        residual: Number where POSITIVE,
        /// Estimated relative error of the forces.
        force_error: Option<Number> where POSITIVE,
        /// Largest velocity error eps_v: over the motion of the body.
        velocity_error: Option<Number> where POSITIVE,
        /// Growth of the deepest overlap in a step over the radius.
        overlap_growth: Option<Number> where POSITIVE,
    }
}

/// How exactly a step is solved: a step of the ladder, a number, or limits one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    /// A step of the ladder.
    Named(Ladder),
    /// The residual alone; velocities, force error and overlap are not checked.
    Residual(f64),
    /// Limits one by one.
    Limits(Limits),
}

impl Accuracy {
    /// The limits of this accuracy.
    pub fn limits(self) -> Limits {
        let all = |residual, force_error, velocity_error, overlap_growth| Limits {
            residual,
            force_error,
            velocity_error,
            overlap_growth,
        };
        let any = f64::INFINITY;
        match self {
            Accuracy::Named(Ladder::Preview) => all(1e-3, any, 1.0, 1e-2),
            Accuracy::Named(Ladder::Flow) => all(1e-4, 5e-2, 0.3, 1e-3),
            Accuracy::Named(Ladder::Standard) => all(1e-5, 1e-2, 0.1, 1e-4),
            Accuracy::Named(Ladder::Forces) => all(1e-6, 1e-3, 1e-2, 1e-5),
            Accuracy::Named(Ladder::Reference) => all(1e-10, 1e-6, 1e-4, 1e-8),
            Accuracy::Residual(residual) => all(residual, any, any, any),
            Accuracy::Limits(limits) => limits,
        }
    }

    /// The accuracy that keeps overlaps smaller, where this one lets them grow.
    pub fn cure_of_overlaps(self) -> Option<String> {
        let Accuracy::Named(step @ (Ladder::Preview | Ladder::Flow)) = self else { return None };
        let [here, there] = [self, Accuracy::Named(Ladder::Standard)].map(|accuracy| accuracy.limits().overlap_growth);
        Some(format!(
            "accuracy = \"{}\" lets them grow by {here:.0e} of the radius in a step, accuracy = \"standard\" by {there:.0e}",
            step.name()
        ))
    }

    /// The residual that is asked for.
    pub fn residual(self) -> f64 {
        self.limits().residual
    }
}

impl Value for Accuracy {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let is_of_ladder = |text: &str| Ladder::KINDS.iter().any(|(name, _)| *name == text);
        match &node.value {
            Raw::Text(text) if !is_of_ladder(text) && node.names_parameter() => {
                Number::read(node, reader).map(|number| Accuracy::Residual(number.0))
            }
            Raw::Number(_) => Number::read(node, reader).map(|number| Accuracy::Residual(number.0)),
            Raw::Table(_) => Tolerances::read(node, reader).map(|asked| {
                let or_any = |limit: Option<Number>| limit.map_or(f64::INFINITY, |limit| *limit);
                Accuracy::Limits(Limits {
                    residual: *asked.residual,
                    force_error: or_any(asked.force_error),
                    velocity_error: or_any(asked.velocity_error),
                    overlap_growth: or_any(asked.overlap_growth),
                })
            }),
            _ => Ladder::read(node, reader).map(Accuracy::Named),
        }
    }
    fn write(&self) -> toml::Value {
        match self {
            Accuracy::Named(step) => step.write(),
            Accuracy::Residual(residual) => (*residual).into(),
            Accuracy::Limits(Limits { residual, force_error, velocity_error, overlap_growth }) => {
                let asked = |limit: f64| limit.is_finite().then_some(Quantity(limit));
                let tolerances = Tolerances {
                    residual: Quantity(*residual),
                    force_error: asked(*force_error),
                    velocity_error: asked(*velocity_error),
                    overlap_growth: asked(*overlap_growth),
                };
                tolerances.write()
            }
        }
    }
    fn schema() -> serde_json::Value {
        let number = serde_json::json!({"type": "number", "exclusiveMinimum": 0});
        let names: Vec<&str> = Ladder::KINDS.iter().map(|(name, _)| *name).collect();
        let computed = serde_json::json!({"type": "string", "not": {"enum": names}});
        serde_json::json!({"oneOf": [Ladder::schema(), number, computed, Tolerances::schema()]})
    }
    fn example() -> String {
        Ladder::example()
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        if let Accuracy::Residual(residual) = self {
            check(*residual);
        }
    }
}

list! {
    /// What to do when a step does not reach its accuracy.
    pub enum Unconverged by name {
        /// Count it, say so, go on.
        "warn" => Warn,
        /// Stop the run.
        "fail" => Fail,
    }
}

list! {
    /// Time-stepping scheme.
    pub enum Scheme by name {
        /// Implicit Euler: gaps are closed within the step. [Brendel eq. 1.1, 1.2]
        "euler" => Euler,
        /// Midpoint: contacts are those closed in the middle of the step; the scheme for bounces. [Radjai eq. 42 to 46]
        "midpoint" => Midpoint,
    }
}

list! {
    /// Solver for the contact forces of a step.
    pub enum Solver by name {
        /// Gauss-Seidel sweeps over all contacts.
        "sweeps" => Sweeps,
        /// Proximal points with sparse Newton steps: a few hundred contacts, to the last digit.
        "newton" => Newton,
    }
}

list! {
    /// The order in which a sweep visits contacts.
    pub enum Order by name {
        /// Colour by colour; contacts of one colour share no grain.
        "coloured" => Coloured,
        /// As the contacts are numbered.
        "fixed" => Fixed,
        /// A fresh random order every sweep. [Brendel section 1.5]
        "random_sweep" => RandomSweep,
        /// All contacts at once, from the old velocities: to teach with; unstable in packings.
        "parallel" => Parallel,
    }
}

list! {
    /// Criterion of convergence.
    pub enum Criterion by name {
        /// The natural-map residual of the contact laws is small.
        "natural" => Natural,
        /// Forces change little from sweep to sweep: this bounds the change, not the error. [Radjai eq. 41]
        "force_change" => ForceChange,
    }
}

/// Sweeps of a step, unless others are asked for: packings of 10^5 grains need fewer.
const MAX_SWEEPS: u64 = 5000;

record! {
    /// Contact Dynamics.
    pub struct CdOptions at span {
        /// Length of a step; "auto" is the time in which grains move by a twentieth of the smallest radius, at the speed of
        /// a fall through a diameter, and at that of grains and walls at the start.
        time_step: TimeStepChoice where POSITIVE,
        /// Time-stepping scheme.
        scheme: Scheme = Scheme::Euler,
        /// How exactly the contact laws are solved: a named accuracy, the residual eps_nat as a number, or limits.
        accuracy: Accuracy where POSITIVE = Accuracy::Named(Ladder::Standard),
        /// Criterion of convergence.
        criterion: Criterion = Criterion::Natural,
        /// Solver for the contact forces of a step.
        solver: Solver = Solver::Sweeps,
        /// The order in which a sweep visits contacts.
        order: Order = Order::Coloured,
        /// Largest number of sweeps; a step that needs more counts as not converged.
        max_sweeps: u64 where POSITIVE = MAX_SWEEPS,
        /// Smallest number of sweeps.
        min_sweeps: u64 where NOT_NEGATIVE = 0,
        /// Exactly this number of sweeps per step, without acceleration: grains that are elastic on purpose.
        fixed_sweeps: Option<u64> where POSITIVE,
        /// Acceleration of the sweeps; none with `fixed_sweeps`.
        accelerator: Accelerator = Accelerator::Momentum,
        /// Whether a solve starts from the impulses of the step before.
        warm_start: bool = true,
        /// The forces that the first step starts from.
        start_forces: StartForces = StartForces::AsPlaced,
        /// What to do when a step does not reach its accuracy.
        unconverged: Unconverged = Unconverged::Warn,
    }
}

impl CdOptions {
    /// The defaults with this time step.
    pub fn with_time_step(time_step: f64) -> CdOptions {
        CdOptions {
            time_step: TimeStepChoice::Given(time_step),
            scheme: Scheme::Euler,
            accuracy: Accuracy::Named(Ladder::Standard),
            criterion: Criterion::Natural,
            solver: Solver::Sweeps,
            order: Order::Coloured,
            max_sweeps: MAX_SWEEPS,
            min_sweeps: 0,
            fixed_sweeps: None,
            accelerator: Accelerator::Momentum,
            warm_start: true,
            start_forces: StartForces::AsPlaced,
            unconverged: Unconverged::Warn,
            span: Default::default(),
        }
    }

    /// Notes keys that contradict each other. `node` is the table that the options were read from.
    pub fn check(&self, node: &Node, reader: &Reader) {
        self.check_newton(node, reader);
        if let Some(written) =
            node.get("start_forces").filter(|_| self.start_forces == StartForces::Equilibrium && !self.warm_start)
        {
            let message =
                format!("`{}` has no effect after the first step, because `warm_start` is false", written.path);
            reader.mistake::<()>("E015", &written.at, message, "leave out `warm_start`, or `start_forces`");
        }
        if self.fixed_sweeps.is_none() {
            return;
        }
        if let Some(written) = node.get("accelerator").filter(|_| self.accelerator != Accelerator::None) {
            let why = "a fixed number of sweeps makes grains elastic by how far plain sweeps carry a push";
            let message = format!("`{}` is not \"none\", but {why}", written.path);
            reader.mistake::<()>("E015", &written.at, message, "leave out `accelerator`, or `fixed_sweeps`");
        }
        // a resolved scenario writes the defaults, which ask for nothing
        let asked = [("min_sweeps", self.min_sweeps > 0), ("max_sweeps", self.max_sweeps != MAX_SWEEPS)];
        for written in asked.iter().filter(|(_, is_asked)| *is_asked).filter_map(|(key, _)| node.get(key)) {
            let message = format!("`{}` has no meaning beside `fixed_sweeps`", written.path);
            reader.mistake::<()>("E015", &written.at, message, "leave it out, or `fixed_sweeps`");
        }
    }

    /// Judges a solve by the accuracy asked for, whatever the rules of the solve itself were; a fixed number of sweeps
    /// is not judged.
    pub fn judge(&self, verdict: Verdict) -> Verdict {
        Verdict { converged: verdict.meets(&self.accuracy.limits()) || self.fixed_sweeps.is_some(), ..verdict }
    }

    /// The elasticity of grains that are relaxed by a fixed number of sweeps; `None` for rigid ones.
    pub fn pseudo_elasticity(&self) -> Option<PseudoElasticity> {
        self.fixed_sweeps.map(|sweeps| PseudoElasticity { sweeps, order: self.order })
    }

    /// Reports keys that only apply to sweeps, if Newton steps are asked for.
    fn check_newton(&self, node: &Node, reader: &Reader) {
        if self.solver != Solver::Newton {
            return;
        }
        let only_for_sweeps = [
            ("fixed_sweeps", self.fixed_sweeps.is_some()),
            ("min_sweeps", self.min_sweeps > 0),
            ("order", self.order == Order::Parallel),
            ("criterion", self.criterion == Criterion::ForceChange),
        ];
        for (key, is_asked) in only_for_sweeps {
            if let Some(written) = node.get(key).filter(|_| is_asked) {
                let message = format!("`{}` is about sweeps, but the solver is \"newton\"", written.path);
                reader.mistake::<()>("E015", &written.at, message, "leave it out, or write solver = \"sweeps\"");
            }
        }
    }

    /// Chooses plain sweeps if their number is fixed: that is the default then.
    pub fn settle(&mut self) {
        if self.fixed_sweeps.is_some() {
            self.accelerator = Accelerator::None;
        }
    }
}

/// Grains that a fixed number of sweeps lets yield like springs. [Unger et al. 2002]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PseudoElasticity {
    /// Sweeps a step, N_I.
    pub sweeps: u64,
    /// Their order.
    pub order: Order,
}

impl PseudoElasticity {
    /// Stiffness k = q N_I m / dt^2 [N/m] and sound speed c = (d / dt) sqrt(q N_I) [m/s] of grains of mass m and
    /// diameter d in a chain. The order sets how far a sweep carries a push: q = 1/2, 0.8 or 1.
    pub fn of(&self, mass: f64, diameter: f64, dt: f64) -> (f64, f64) {
        let q = match self.order {
            Order::Parallel => 0.5,
            Order::RandomSweep => 0.8,
            Order::Fixed | Order::Coloured => 1.0,
        };
        let steps = q * self.sweeps as f64;
        (steps * mass / (dt * dt), diameter / dt * steps.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::input::Text;

    fn read(text: &str) -> (Option<CdOptions>, Vec<&'static str>) {
        let text = Arc::new(Text { name: "test".into(), text: format!("time_step = \"1 ms\"\n{text}") });
        let (tree, mistakes) = Node::parse(&text);
        let reader = Reader::default();
        reader.add(mistakes);
        let options = CdOptions::read(&tree, &reader).map(|mut options| {
            options.check(&tree, &reader);
            options.settle();
            options
        });
        (options, reader.finish().0.iter().map(|mistake| mistake.code).collect())
    }

    #[test]
    fn the_ladder_is_steeper_at_every_step() {
        let limits = Ladder::ALL.iter().map(|step| Accuracy::Named(*step).limits()).collect::<Vec<_>>();
        for pair in limits.windows(2) {
            assert!(pair[1].residual < pair[0].residual && pair[1].overlap_growth < pair[0].overlap_growth);
            assert!(pair[1].force_error < pair[0].force_error && pair[1].velocity_error < pair[0].velocity_error);
        }
        assert_eq!(CdOptions::with_time_step(1.0).accuracy.residual(), 1e-5);
    }

    #[test]
    fn a_number_or_a_table_asks_for_no_more_than_it_says() {
        let limits = |text: &str| {
            let (options, codes) = read(text);
            assert!(codes.is_empty(), "{text}: {codes:?}");
            let options = options.expect("no mistakes");
            let again = read(&format!("accuracy = {}", options.accuracy.write())).0.expect("what is written is read");
            assert_eq!(again.accuracy, options.accuracy);
            options.accuracy.limits()
        };
        let any = f64::INFINITY;
        let only = Limits { residual: 1e-7, force_error: any, velocity_error: any, overlap_growth: any };
        assert_eq!(limits("accuracy = { residual = 1e-7 }"), only);
        assert_eq!(limits("accuracy = 1e-7"), only);
        let asked =
            limits("accuracy = { residual = 1e-7, force_error = 1e-3, velocity_error = 1e-2, overlap_growth = 1e-5 }");
        let all = Limits { residual: 1e-7, force_error: 1e-3, velocity_error: 1e-2, overlap_growth: 1e-5 };
        assert_eq!(asked, all);
        assert_eq!(read("accuracy = { force_error = 1e-3 }").1, ["E005"]);
        assert_eq!(read("accuracy = { residual = 0 }").1, ["E007"]);
        assert_eq!(read("accuracy = -1").1, ["E007"]);
    }

    #[test]
    fn a_fixed_number_of_sweeps_is_plain() {
        let (options, codes) = read("fixed_sweeps = 50");
        assert_eq!((options.map(|options| options.accelerator), codes.len()), (Some(Accelerator::None), 0));
        assert_eq!(read("fixed_sweeps = 50\naccelerator = \"none\"").1.len(), 0);
        assert_eq!(read("fixed_sweeps = 50\naccelerator = \"momentum\"").1, ["E015"]);
        assert_eq!(read("fixed_sweeps = 50\nmax_sweeps = 100").1, ["E015"]);
        assert_eq!(read("fixed_sweeps = 50\nsolver = \"newton\"").1, ["E015"]);
        assert_eq!(read("order = \"parallel\"\nsolver = \"newton\"").1, ["E015"]);
        assert_eq!(read("max_sweeps = 100\nsolver = \"newton\"").1.len(), 0);
        assert_eq!(read("max_sweeps = 100").0.map(|options| options.accelerator), Some(Accelerator::Momentum));
    }
}
