//! Limits of memory and of the clock: a run that exceeds them is refused before its first step.

use super::{Run, Simulation};
use crate::dim::Dim;
use crate::input::{Mistakes, Reader, Span};
use crate::method::{Kind, check_pace};
use crate::scenario::Scenario;

/// Largest number of steps: beyond it, adding a step does not change a time with 53 bits.
const MOST_STEPS: f64 = 9e15;

/// Bytes that a run of this number of bodies needs: columns, neighbour list, contacts, and groups for twice the
/// contacts of a dense packing.
pub(super) fn memory<D: Dim>(bodies: f64) -> f64 {
    use crate::body::{Inertia, Pose, Twist};
    use crate::contact::{Contact, ContactMemory};
    use crate::method::cd::round_x4::RoundContactX4;
    use crate::method::common::solver_body::SolverBody;
    let contacts_per_grain = 2 * D::DIMENSION;
    let body =
        size_of::<Pose<D>>() + 2 * size_of::<Twist<D>>() + size_of::<Inertia<D>>() + 4 * size_of::<SolverBody<D>>();
    let contact =
        size_of::<Contact<D>>() * 2 + size_of::<ContactMemory<D>>() * 2 + size_of::<RoundContactX4<D>>() / 4 + 8;
    bodies * (body + contacts_per_grain * contact) as f64
}

/// Memory of the machine [bytes], where the operating system reports it.
fn installed() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok().map(|kilobytes| 1024.0 * kilobytes)
}

fn refuse(code: &'static str, at: &Span, message: String, help: &str) -> Result<(), Mistakes> {
    let reader = Reader::default();
    reader.mistake::<()>(code, at, message, help);
    reader.finish().into_result(None)
}

/// Refuses, before any is built, more bodies than fit into the memory of the machine.
pub(super) fn check_memory<D: Dim>(scenario: &Scenario<D>) -> Result<(), Mistakes> {
    let (bodies, Some(installed)) = (scenario.asked_for(), installed()) else { return Ok(()) };
    let needed = memory::<D>(bodies);
    if needed <= installed {
        return Ok(());
    }
    let group = scenario.grains.iter().max_by(|one, other| one.asked_for().total_cmp(&other.asked_for()));
    let at = group.map_or_else(Span::default, |group| group.span.clone());
    let message = format!("{bodies:.1e} bodies need {:.1} GB, the machine has {:.1} GB", needed / 1e9, installed / 1e9);
    refuse("E261", &at, message, "take fewer or larger grains")
}

/// Refuses an automatic time step that does not exist: nothing moves, or no collision ends.
pub(super) fn check_time_step<D: Dim>(scenario: &Scenario<D>) -> Result<(), Mistakes> {
    let method = &scenario.method;
    let (dt, name) = match method.r#use.value {
        Kind::Cd => (method.cd.as_ref().and_then(|options| options.time_step.given()), "cd"),
        Kind::Md => (method.md.as_ref().and_then(|options| options.time_step.given()), "md"),
        Kind::Dae => (method.dae.as_ref().and_then(|options| options.time_step.given()), "dae"),
        Kind::Ed => (method.ed.as_ref().and_then(|options| options.time_step.given()), "ed"),
    };
    if dt.is_some_and(|dt| dt.is_finite() && dt > 0.0) {
        return Ok(());
    }
    if method.r#use.value == Kind::Cd {
        let message = "no time step follows: there is no gravity, and nothing moves or is driven".to_string();
        return refuse("E262", &place(scenario), message, "write time_step = \"1 ms\" in [method.cd]");
    }
    if method.r#use.value == Kind::Ed {
        let message = "nothing says how often to look at the state: collisions have their own times".to_string();
        let help = "write series_every = \"1 ms\" in [output], or time_step = \"1 ms\" in [method.ed]";
        return refuse("E262", &place(scenario), message, help);
    }
    let message = "no time step follows from the collisions: none of them ends".to_string();
    let help = format!(
        "grains that are overdamped and not cut never part: raise `restitution`, lower `damping`, leave `cut = false` out, or write time_step = \"1 us\" in [method.{name}]"
    );
    refuse("E262", &place(scenario), message, &help)
}

/// Where the scenario chooses its method, or else where it states its end.
fn place<D: Dim>(scenario: &Scenario<D>) -> Span {
    let method = &scenario.method;
    let of_kind = match method.r#use.value {
        Kind::Cd => method.cd.as_ref().map(|options| &options.span),
        Kind::Md => method.md.as_ref().map(|options| &options.span),
        Kind::Dae => method.dae.as_ref().map(|options| &options.span),
        Kind::Ed => method.ed.as_ref().map(|options| &options.span),
    };
    let places = of_kind.into_iter().chain([&method.r#use.at, &method.span, &scenario.stop.span]);
    places.into_iter().find(|at| at.text.is_some()).cloned().unwrap_or_default()
}

impl<D: Dim> Simulation<D> {
    /// Refuses more steps than the clock can count, and bodies that move too far in the first step.
    pub(super) fn check_steps(&self) -> Result<(), Mistakes> {
        let (dt, at) = (self.method.time_step(), &place(&self.scenario));
        if let Some(end) = self.end().filter(|end| end.is_finite() && *end / dt > MOST_STEPS) {
            let message = format!("{end:e} s in steps of {dt:e} s are {:.1e} steps", end / dt);
            return refuse("E262", at, message, "take longer steps, or let the run end earlier");
        }
        if matches!(self.scenario.method.r#use.value, Kind::Dae | Kind::Ed) {
            return Ok(()); // bodies that touch nothing may fly as far as they like
        }
        match check_pace(&self.world, 0..self.world.bodies.len(), dt) {
            Ok(()) => Ok(()),
            Err(error) => refuse("E263", at, error.to_string(), "take a smaller time step, or slower grains"),
        }
    }
}
