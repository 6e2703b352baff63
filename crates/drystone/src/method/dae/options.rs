//! Parameters of differential-algebraic mechanics.

use super::integrator::DaeIntegrators;
use crate::input::quantity::{Frequency, Number, Quantity, Speed, Stiffness};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Node, Reader};
use crate::list::{list, record};
use crate::method::TimeStepChoice;
use crate::method::md::options::PART;
use crate::method::statics::StartForces;

/// A rate of change of a rate [1/s2].
pub(crate) type PerSecondSquared = Quantity<0, 0, -2, 0>;

list! {
    /// What is projected back onto the constraints after every step.
    pub enum Projection by name {
        /// Nothing: constraints drift. [Chen fig. 2, 3a, 13 left]
        "none" => Nothing,
        /// Velocities: G v = 0. [Chen eq. 24, 25]
        "velocity" => Velocity,
        /// Positions, g(q) = 0, and then velocities. [Chen eq. 22 to 25]
        "full" => Full,
    }
}

list! {
    /// Treatment of contacts that do not slide.
    pub enum StaticsKind by name {
        /// As a constraint, whose multiplier is the static friction. [Chen section 3.4]
        "constraint" => Constraint,
        /// As if it slid: mu f_n against the slip, however slow. It trembles. [Chen section 3.2, fig. 5]
        "dynamic" => Dynamic,
    }
}

list! {
    /// How a contact that does not slide is treated. The choices other than "constraint" are there to show why it is
    /// needed.
    pub enum Statics by key or Plain(StaticsKind) {
        /// By a spring without a dashpot, cut at mu f_n. It oscillates for ever. [Chen eq. 28, 29], [CundallStrack79]
        "spring" => Spring(Stiffness),
    }
}

record! {
    /// Baumgarte's stabilisation: the drift C of a constraint obeys C'' = -k_s C - k_d C'. [Chen eq. 21], [Baumgarte72]
    pub struct Baumgarte {
        /// k_s.
        spring: PerSecondSquared where NOT_NEGATIVE,
        /// k_d.
        damping: Frequency where NOT_NEGATIVE,
    }
}

record! {
    /// Differential-algebraic mechanics: elastic grains, static friction and rods as constraints.
    pub struct DaeOptions at span {
        /// Length of a step; "auto" is `fraction` of the shortest collision.
        time_step: TimeStepChoice where POSITIVE = TimeStepChoice::Auto,
        /// Time step over the duration of the shortest collision.
        fraction: Number where PART = Quantity(0.02),
        /// Largest approach velocity to expect, for laws whose collisions get shorter with it.
        speed: Option<Speed> where POSITIVE,
        /// How a step is made.
        integrator: DaeIntegrators = DaeIntegrators::Rk4,
        /// What is projected back onto the constraints after every step.
        projection: Projection = Projection::Full,
        /// Baumgarte's stabilisation of the drift, for comparison.
        baumgarte: Option<Baumgarte>,
        /// Treatment of contacts that do not slide.
        statics: Statics = Statics::Plain(StaticsKind::Constraint),
        /// The forces that the first step starts from; "equilibrium" moves grains by about an overlap.
        start_forces: StartForces = StartForces::AsPlaced,
        /// Whether steps end where contacts stick, slip, close or open, so that these times are exact. For few grains.
        events: bool = false,
    }
}

impl Default for DaeOptions {
    fn default() -> DaeOptions {
        DaeOptions {
            time_step: TimeStepChoice::Auto,
            fraction: Quantity(0.02),
            speed: None,
            integrator: DaeIntegrators::Rk4,
            projection: Projection::Full,
            baumgarte: None,
            statics: Statics::Plain(StaticsKind::Constraint),
            start_forces: StartForces::AsPlaced,
            events: false,
            span: Default::default(),
        }
    }
}

impl DaeOptions {
    /// Steps of this length, and defaults otherwise.
    pub fn with_time_step(dt: f64) -> DaeOptions {
        DaeOptions { time_step: TimeStepChoice::Given(dt), ..DaeOptions::default() }
    }

    /// The options of soft particles that give the same time step.
    pub fn pace(&self) -> crate::method::md::MdOptions {
        crate::method::md::MdOptions {
            time_step: self.time_step,
            fraction: self.fraction,
            speed: self.speed,
            ..crate::method::md::MdOptions::default()
        }
    }

    /// Whether contacts that do not slide are constraints.
    pub fn holds(&self) -> bool {
        matches!(self.statics, Statics::Plain(StaticsKind::Constraint))
    }

    /// Reports keys that contradict each other. `node` is the table that the options were read from.
    pub fn check(&self, node: &Node, reader: &Reader) {
        if self.events && self.integrator == DaeIntegrators::DaeGear {
            let at = &node.get("events").unwrap_or(node).at;
            let message = "`events` cuts steps, and integrator = \"gear\" needs steps of one length";
            reader.mistake::<()>("E015", at, message, "write integrator = \"rk4\", or leave `events` out");
        }
        if self.events && !self.holds() {
            let at = &node.get("events").unwrap_or(node).at;
            let message = "`events` are those of static friction as a constraint";
            reader.mistake::<()>("E015", at, message, "leave `events` or `statics` out");
        }
        if self.start_forces == StartForces::Equilibrium && !self.holds() {
            let at = &node.get("start_forces").unwrap_or(node).at;
            let message = "`start_forces` are those of static friction as a constraint";
            reader.mistake::<()>("E015", at, message, "leave `start_forces` or `statics` out");
        }
        if self.baumgarte.is_some() && self.projection != Projection::Nothing {
            let at = &node.get("baumgarte").unwrap_or(node).at;
            let message = "`baumgarte` beside a projection: what drifts is projected away before it is damped";
            reader.mistake::<()>("E015", at, message, "write projection = \"none\", or leave `baumgarte` out");
        }
    }
}
