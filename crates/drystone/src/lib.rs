//! drystone: granular matter by rigid contact and friction alone.
//!
//! The library holds the physics of both dimensions, scenarios, measures and records; it prints nothing and parses no
//! arguments. Layouts of files are those of the crate `drystone-files`, found here under [`input`] and [`record`]; the
//! certificate of a run is the crate `drystone-certify`. Modules build on each other one way:
//!
//! [`lane`], `threads` <- [`dim`] <- [`input`] <- `list` <- [`shape`] <- [`wall`] <- [`body`], [`cell`], [`drive`] <-
//! [`contact`], [`link`] <- [`law`] <- [`world`] <- [`method`] <- [`record`] <- [`measure`] <- [`scenario`] <- [`sim`] <-
//! [`study`].
//!
//! # Where to start
//!
//! - [`World::builder`](world::World::builder): a world from materials, contact laws, walls and grains.
//! - [`ContactDynamics`](method::cd::ContactDynamics), [`SoftParticles`](method::md::SoftParticles),
//!   [`Dae`](method::dae::Dae), [`EventDriven`](method::ed::EventDriven): the four methods; each makes steps of a world by [`Method::step`](method::Method::step).
//! - [`Scenario::parse`](scenario::Scenario::parse) and [`Simulation`](sim::Simulation): what the command line runs, with
//!   stages, series, frames and checkpoints; open for observers, own measures and own methods.
//! - [`Measures`](measure::Measures): what can be measured; [`record`]: the files of a run.
//!
//! The folder `examples` of the crate has a program of at most 60 lines for each, and the book the chapter "drystone
//! from Rust".
//!
//! ```
//! use drystone::d2::{ContactDynamics, World};
//! use drystone::prelude::*;
//!
//! // two disks meet head-on; rigid and without bounce, they stop
//! let mut world = World::builder()
//!     .material("steel", 7800.0)
//!     .contact("steel", "steel", Pair::with_friction(0.5))
//!     .grain(Grain::disk(1.0).at([0.0, 0.0]).velocity([1.0, 0.0]))
//!     .grain(Grain::disk(1.0).at([2.0, 0.0]).velocity([-1.0, 0.0]))
//!     .build()?;
//! let report = ContactDynamics::new(CdOptions::with_time_step(0.01)).step(&mut world)?;
//! assert!(report.converged && world.bodies.twist[0].v.x == 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod body;
pub mod cell;
pub mod contact;
pub mod dim;
pub mod drive;
pub mod input;
pub mod lane;
pub mod law;
pub mod link;
pub(crate) mod list;
pub mod measure;
pub mod method;
pub mod record;
pub mod scenario;
pub mod shape;
pub mod sim;
pub mod study;
pub(crate) mod threads;
pub mod wall;
pub mod world;

/// Parts of the methods that the benches of this crate time one by one. No promise is made about them.
#[doc(hidden)]
pub mod internals {
    pub use crate::contact::curve::along_curve;
    pub use crate::method::cd::accelerate::Relaxation;
    pub use crate::method::cd::contact_system::ContactSystem;
    pub use crate::method::cd::local_problem::LocalProblems;
    pub use crate::method::cd::solve::{Rules, System, Verdict, solve};
    pub use crate::method::common::solver_body::SolverBody;
    pub use crate::method::md::field::ForceField as Field;
    pub use crate::method::md::force_schedule::ForceSchedule;
}

/// What most programs need.
pub mod prelude {
    pub use crate::dim::{D2, D3, Dim, Vector};
    pub use crate::law::Pair;
    pub use crate::method::cd::CdOptions;
    pub use crate::method::dae::DaeOptions;
    pub use crate::method::ed::EdOptions;
    pub use crate::method::md::MdOptions;
    pub use crate::method::{Method, StepError, StepReport};
    pub use crate::scenario::AnyScenario;
    pub use crate::sim::Run;
    pub use crate::world::{Grain, Wall};
}

/// The plane: types without their dimension parameter.
pub mod d2 {
    use crate::dim::D2;
    /// Columns of bodies in the plane.
    pub type Bodies = crate::body::Bodies<D2>;
    /// Contact Dynamics in the plane.
    pub type ContactDynamics = crate::method::cd::ContactDynamics<D2>;
    /// Differential-algebraic mechanics in the plane.
    pub type Dae = crate::method::dae::Dae<D2>;
    /// Event-driven dynamics.
    pub type EventDriven = crate::method::ed::EventDriven<D2>;
    /// A scenario in the plane.
    pub type Scenario = crate::scenario::Scenario<D2>;
    /// A simulation in the plane.
    pub type Simulation = crate::sim::Simulation<D2>;
    /// Soft-particle molecular dynamics in the plane.
    pub type SoftParticles = crate::method::md::SoftParticles<D2>;
    /// A surface of a wall in the plane.
    pub type Surface = crate::wall::Surface<D2>;
    /// A world in the plane.
    pub type World = crate::world::World<D2>;
}

/// Space: types without their dimension parameter.
pub mod d3 {
    use crate::dim::D3;
    /// Columns of bodies in space.
    pub type Bodies = crate::body::Bodies<D3>;
    /// Contact Dynamics in space.
    pub type ContactDynamics = crate::method::cd::ContactDynamics<D3>;
    /// Differential-algebraic mechanics in space.
    pub type Dae = crate::method::dae::Dae<D3>;
    /// Event-driven dynamics.
    pub type EventDriven = crate::method::ed::EventDriven<D3>;
    /// A scenario in space.
    pub type Scenario = crate::scenario::Scenario<D3>;
    /// A simulation in space.
    pub type Simulation = crate::sim::Simulation<D3>;
    /// Soft-particle molecular dynamics in space.
    pub type SoftParticles = crate::method::md::SoftParticles<D3>;
    /// A surface of a wall in space.
    pub type Surface = crate::wall::Surface<D3>;
    /// A world in space.
    pub type World = crate::world::World<D3>;
}
