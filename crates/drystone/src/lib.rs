//! drystone: granular matter by rigid contact and friction alone.
//!
//! The library holds the physics of both dimensions, scenarios, measures and records; it prints nothing and parses
//! no arguments. Layouts of files are those of the crate `drystone-files`, found here under [`input`] and [`record`]; the
//! certificate of a run is the crate `drystone-certify`. Modules build on each other one way:
//!
//! [`lane`] <- [`dim`] <- [`input`] <- [`shape`], [`wall`] <- [`body`], [`cell`], [`drive`] <- [`contact`] <- [`law`] <- [`world`] <-
//! [`method`] <- [`measure`] <- [`record`] <- [`lab`] <- [`scenario`] <- [`sim`] <- [`study`].
//!
//! ```
//! use drystone::d2::{ContactDynamics, World};
//! use drystone::law::{Laws, Pair};
//! use drystone::prelude::*;
//!
//! // two disks of mass 1 kg meet head-on; rigid and without bounce, they stop
//! let mut world = World::new(Laws::new(1, |_, _| Pair::with_friction(0.5)));
//! let density = 1.0 / std::f64::consts::PI;
//! let a = world.bodies.push_round([0.0, 0.0].into(), 1.0, density, 1.0, 0);
//! let b = world.bodies.push_round([2.0, 0.0].into(), 1.0, density, 1.0, 1);
//! world.bodies.twist[a].v.x = 1.0;
//! world.bodies.twist[b].v.x = -1.0;
//! let report = ContactDynamics::new(Options::with_time_step(0.01)).step(&mut world)?;
//! assert!(report.converged && world.bodies.twist[a].v.x == 0.0);
//! # Ok::<(), StepError>(())
//! ```

pub mod body;
pub mod cell;
pub mod contact;
pub mod dim;
pub mod drive;
pub mod input;
pub mod lab;
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
pub mod wall;
pub mod world;

/// What most programs need.
pub mod prelude {
    pub use crate::dim::{D2, D3, Dim, Vector};
    pub use crate::method::cd::Options;
    pub use crate::method::{Method, StepError, StepReport};
    pub use crate::scenario::AnyScenario;
    pub use crate::sim::Run;
}

/// The plane: types without their dimension parameter.
pub mod d2 {
    use crate::dim::D2;
    /// Columns of bodies in the plane.
    pub type Bodies = crate::body::Bodies<D2>;
    /// Contact Dynamics in the plane.
    pub type ContactDynamics = crate::method::cd::ContactDynamics<D2>;
    /// A scenario in the plane.
    pub type Scenario = crate::scenario::Scenario<D2>;
    /// A simulation in the plane.
    pub type Simulation = crate::sim::Simulation<D2>;
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
    /// A scenario in space.
    pub type Scenario = crate::scenario::Scenario<D3>;
    /// A simulation in space.
    pub type Simulation = crate::sim::Simulation<D3>;
    /// A world in space.
    pub type World = crate::world::World<D3>;
}
