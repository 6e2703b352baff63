//! Loads in a scenario: forces, torques and blows on named grains.

use crate::dim::{Dim, Vector};
use crate::drive::{GrainLoad, Signal};
use crate::input::quantity::{ForceVector, Impulse, Time, TorqueVector};
use crate::input::value::NOT_NEGATIVE;
use crate::input::{Placed, Reader, Span};
use crate::list::record;
use crate::scenario::Scenario;
use crate::world::World;

record! {
    /// What pushes or turns a named grain from outside. Time counts from the start of the run.
    pub struct LoadSpec<D> at span {
        /// The grain: the name of a group of one grain, or name and number.
        grain: Placed<String>,
        /// Force on its centre of mass, whichever way the grain turns.
        force: Option<Signal<ForceVector<D>>>,
        /// Torque: a number in 2D, counter-clockwise, and a vector in 3D.
        torque: Option<Signal<TorqueVector<D>>>,
        /// A blow on its centre of mass, `at` a time.
        impulse: Option<Placed<Impulse<D>>>,
        /// When the blow comes.
        at: Option<Placed<Time>> where NOT_NEGATIVE,
    }
}

impl<D: Dim> LoadSpec<D> {
    /// Notes a load that does nothing, and keys that miss each other. Returns whether there are none.
    pub(in crate::scenario) fn check(&self, reader: &Reader) -> bool {
        let before = reader.count();
        let mistake = |code, at: &Span, message: &str, help: &str| reader.mistake::<()>(code, at, message, help);
        if self.force.is_none() && self.torque.is_none() && self.impulse.is_none() {
            let help = "add a `force`, a `torque`, or an `impulse` with `at`";
            mistake("E005", &self.span, "a load without a force acts on nothing", help);
        }
        match (&self.impulse, &self.at) {
            (Some(impulse), None) => {
                mistake("E005", &impulse.at, "`load.at` is missing: when the blow comes", "add at = \"0.1 s\"");
            }
            (None, Some(at)) => {
                let help =
                    "leave it out; a force that begins or ends is a table: force = { table = [[0, 1, 0], [1, 0, 0]] }";
                mistake("E015", &at.at, "`at` is the time of an `impulse`", help);
            }
            _ => {}
        }
        reader.count() == before
    }

    /// Notes that the grain cannot follow the load.
    fn check_grain(&self, world: &World<D>, body: usize, reader: &Reader) {
        let (name, inertia) = (&self.grain, &world.bodies.inertia[body]);
        if !inertia.is_movable() {
            let message = format!("the grain \"{}\" is fixed: a load cannot move it", name.value);
            reader.mistake::<()>("E015", &name.at, message, "take out the load, or `fixed` of its group");
        } else if self.torque.is_some() && inertia.inv_i == D::Moments::ZERO {
            let message = format!("the grain \"{}\" cannot turn: a torque does nothing", name.value);
            reader.mistake::<()>("E015", &name.at, message, "leave out `torque`, or rotates = false of its group");
        }
    }

    /// The load on the grain with this id.
    fn on(&self, grain: u32) -> GrainLoad<D> {
        let blow = self.at.as_ref().zip(self.impulse.as_ref()).map(|(at, impulse)| (*at.value, impulse.value.0));
        let blow = blow.filter(|(_, impulse)| *impulse != D::Vec::ZERO);
        GrainLoad { grain, force: self.force.clone(), torque: self.torque.clone(), blow }
    }
}

impl<D: Dim> Scenario<D> {
    /// The loads on the grains of a world, which have names.
    pub(crate) fn put_loads(&self, world: &World<D>, reader: &Reader) -> Vec<GrainLoad<D>> {
        let directory = self.directory(world, reader);
        let put = |spec: &LoadSpec<D>| {
            let body = directory.body(&spec.grain, " to load")?;
            spec.check_grain(world, body, reader);
            Some(spec.on(world.bodies.id[body]))
        };
        self.load.iter().filter_map(put).collect()
    }
}
