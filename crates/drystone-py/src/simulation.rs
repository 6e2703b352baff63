//! A simulation that Python steps. The interpreter is released while it computes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::{Drive, Signal};
use drystone::input::quantity::{Components, Quantity};
use drystone::law::SoftLaw;
use drystone::measure;
use drystone::method::StepReport;
use drystone::record::RunFolder;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run, RunError};
use drystone::world::World;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::callback::{self, Failed, OwnLaw, OwnMeasure};
use crate::columns::{self, Column};
use crate::errors::{of_mistakes, of_run, wrong_state, wrong_value};
use crate::frame::Frame;
use crate::scenario::Scenario;
use crate::view::{Columns, Lent, Memory};

/// A simulation of either dimension.
enum Any {
    Plane(Box<sim::Simulation<D2>>),
    Space(Box<sim::Simulation<D3>>),
}

/// Does the same with a simulation of either dimension.
macro_rules! each {
    ($any:expr, $simulation:ident => $work:expr) => {
        match $any {
            Any::Plane($simulation) => $work,
            Any::Space($simulation) => $work,
        }
    };
}

/// A simulation, and what Python has to know of it.
struct Inner {
    any: Any,
    /// The last step.
    last: StepReport,
    /// Why no step can be made any more.
    trouble: Option<String>,
    /// Whether a view has its columns.
    is_lent: bool,
}

impl Inner {
    fn new(any: Any) -> Inner {
        Inner { any, last: StepReport::default(), trouble: None, is_lent: false }
    }
}

/// A simulation, step by step.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct Simulation {
    inner: Mutex<Option<Inner>>,
    failed: Arc<Failed>,
    pool: Option<ThreadPool>,
    scenario: Option<Py<Scenario>>,
}

/// What happened in a step.
#[pyclass(frozen, get_all, module = "drystone._drystone")]
pub(crate) struct Step {
    /// Number of the step, counted from 1.
    step: u64,
    /// Time at its end [s].
    time: f64,
    /// Contacts that carry a force.
    contacts: usize,
    /// Sweeps over all contacts.
    sweeps: u64,
    /// Residual of the contact laws: eps_nat, a ratio.
    residual: f64,
    /// Estimated error of the forces, a ratio.
    force_error: f64,
    /// Whether the step reached the accuracy asked for.
    converged: bool,
    /// Deepest overlap over the smaller radius, a ratio.
    max_overlap: f64,
    /// Speed of the fastest grain [m/s].
    max_speed: f64,
    /// New warnings: codes and messages.
    news: Vec<(&'static str, String)>,
}

impl Step {
    fn of(step: &StepReport, news: Vec<(&'static str, String)>) -> Step {
        Step {
            step: step.step,
            time: step.time,
            contacts: step.closed,
            sweeps: step.sweeps,
            residual: step.residual,
            force_error: step.force_error,
            converged: step.converged,
            max_overlap: step.max_overlap,
            max_speed: step.max_speed,
            news,
        }
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        let Step { step, time, contacts, residual, .. } = self;
        let mark = if self.converged { "" } else { ", not converged" };
        format!("<step {step} at {time:.6e} s: {contacts} contacts, residual {residual:.1e}{mark}>")
    }
}

/// What came of a call of [`Simulation::advance`].
struct Advanced {
    last: Option<StepReport>,
    news: Vec<(&'static str, String)>,
    error: Option<RunError>,
}

impl Simulation {
    fn around(any: Any, threads: Option<usize>, scenario: Option<Py<Scenario>>, py: Python) -> PyResult<Simulation> {
        let pool = py.detach(|| threads.map(pool_of).transpose());
        let pool = pool.map_err(|error| wrong_value(py, &format!("cannot start the threads: {error}")))?;
        Ok(Simulation { inner: Mutex::new(Some(Inner::new(any))), failed: Arc::default(), pool, scenario })
    }

    /// Works on the simulation, with the interpreter released. Another thread that uses it is waited for.
    fn with<R: Send>(&self, py: Python, work: impl FnOnce(&mut Inner) -> R + Send) -> PyResult<R> {
        self.with_lent(py, |inner| match inner.is_lent {
            true => Err("a view of the simulation is open: leave its block first"),
            false => Ok(work(inner)),
        })?
        .map_err(|why| wrong_state(py, why))
    }

    fn with_lent<R: Send>(&self, py: Python, work: impl FnOnce(&mut Inner) -> R + Send) -> PyResult<R> {
        if callback::is_inside() && matches!(self.inner.try_lock(), Err(TryLockError::WouldBlock)) {
            let why = "the simulation is making a step: a measure or a force law can use its arguments only";
            return Err(wrong_state(py, why));
        }
        let found = py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let inner = inner.as_mut()?;
            Some(catch_unwind(AssertUnwindSafe(|| match &self.pool {
                Some(pool) => pool.install(|| work(inner)),
                None => work(inner),
            })))
        });
        match found {
            None => Err(wrong_state(py, "the simulation is closed")),
            Some(Ok(result)) => Ok(result),
            Some(Err(panic)) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
                let why = format!("an assumption of the program failed: {text}");
                py.detach(|| {
                    let mut inner = self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    inner.iter_mut().for_each(|inner| inner.trouble = Some(why.clone()));
                });
                Err(wrong_state(py, &why))
            }
        }
    }

    /// The exception of a function that a step has called.
    fn raise_own(&self) -> PyResult<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Raises the exception of a function that was called without a step; no further step is made then.
    fn end_if_failed(&self, py: Python) -> PyResult<()> {
        if self.failed.is_set() {
            self.with(py, |inner| {
                inner.trouble.get_or_insert_with(|| "a Python function that a step calls raised an exception".into());
            })?;
        }
        self.raise_own()
    }
}

#[pymethods]
impl Simulation {
    /// The simulation of a scenario at its start, not recorded.
    #[new]
    #[pyo3(signature = (scenario, threads=None))]
    fn new(py: Python, scenario: Py<Scenario>, threads: Option<usize>) -> PyResult<Simulation> {
        let read = scenario.get();
        let any = py.detach(|| {
            Ok(match &read.read {
                AnyScenario::Plane(plane) => Any::Plane(Box::new(sim::Simulation::new(plane, read.folder())?)),
                AnyScenario::Space(space) => Any::Space(Box::new(sim::Simulation::new(space, read.folder())?)),
            })
        });
        let any = any.map_err(|mistakes| of_mistakes(py, &mistakes))?;
        Simulation::around(any, threads, Some(scenario), py)
    }

    /// The simulation of a run that was interrupted; it goes on in its folder.
    #[staticmethod]
    #[pyo3(signature = (path, threads=None))]
    fn resume(py: Python, path: PathBuf, threads: Option<usize>) -> PyResult<Simulation> {
        let any = py.detach(|| {
            let folder = RunFolder::open(&path)?;
            Ok(match AnyScenario::read(&folder.scenario(), &[])? {
                AnyScenario::Plane(plane) => Any::Plane(Box::new(sim::Simulation::resume(&plane, folder)?)),
                AnyScenario::Space(space) => Any::Space(Box::new(sim::Simulation::resume(&space, folder)?)),
            })
        });
        let any = any.map_err(|error: RunError| of_run(py, &error))?;
        Simulation::around(any, threads, None, py)
    }

    /// Frees everything; nothing can be asked of it any more.
    fn close(&self, py: Python) {
        py.detach(|| self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take());
    }

    /// Makes steps: as many as this, up to a time [s], for so many seconds, or until the run is over. Returns the last
    /// one; nothing if none was made.
    fn advance(&self, py: Python, until: f64, steps: u64, seconds: f64) -> PyResult<Option<Step>> {
        let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let failed = self.failed.clone();
        let advanced = self.with(py, move |inner| {
            if let Some(trouble) = &inner.trouble {
                return Err(format!("no step can be made any more: {trouble}"));
            }
            let (start, mut advanced) = (Instant::now(), Advanced { last: None, news: Vec::new(), error: None });
            for _ in 0..steps {
                let (time, dt) = each!(&mut inner.any, simulation => (simulation.clock().time, simulation.time_step()));
                if time + 0.5 * dt >= until || failed.is_set() {
                    break;
                }
                match each!(&mut inner.any, simulation => simulation.advance()) {
                    Ok(None) => break,
                    Ok(Some(step)) => {
                        (inner.last, advanced.last) = (step, Some(step));
                        let news = each!(&mut inner.any, simulation => simulation.news());
                        advanced.news.extend(news.into_iter().map(|warning| (warning.code, warning.message)));
                    }
                    Err(error) => {
                        advanced.error = Some(error);
                        break;
                    }
                }
                if start.elapsed() >= limit {
                    break;
                }
            }
            if failed.is_set() {
                let why = std::io::Error::other("a Python function that a step calls raised an exception");
                advanced.error = Some(RunError::File(why));
            }
            if let Some(error) = &advanced.error {
                inner.trouble = Some(error.to_string());
                let noted = each!(&mut inner.any, simulation => simulation.fail(error));
                if let Err(also) = noted {
                    inner.trouble = Some(format!("{error}, and the report could not be written: {also}"));
                }
            }
            Ok(advanced)
        })?;
        let advanced = advanced.map_err(|why| wrong_state(py, &why))?;
        self.raise_own()?;
        if let Some(error) = &advanced.error {
            return Err(of_run(py, error));
        }
        py.check_signals()?;
        Ok(advanced.last.map(|step| Step::of(&step, advanced.news)))
    }

    /// Records the run in a folder from now on.
    fn record(&self, py: Python, out: PathBuf, force: bool, inputs: PathBuf) -> PyResult<()> {
        let result =
            self.with(py, |inner| each!(&mut inner.any, simulation => simulation.record(&out, force, &inputs)))?;
        self.end_if_failed(py)?;
        result.map_err(|error| of_run(py, &error))
    }

    /// Ends the run now, as a rule of the scenario would.
    fn finish(&self, py: Python, why: &str) -> PyResult<()> {
        let result = self.with(py, |inner| {
            let last = inner.last;
            each!(&mut inner.any, simulation => simulation.finish(why, &last))
        })?;
        self.end_if_failed(py)?;
        result.map_err(|error| of_run(py, &error))
    }

    /// Leaves a recorded run before its end: writes a checkpoint and the report, so that it can be resumed. Of a run
    /// that has failed the last checkpoint stays.
    fn leave(&self, py: Python) -> PyResult<()> {
        let result = self.with(py, |inner| {
            let is_over = each!(&mut inner.any, simulation => simulation.is_over());
            if inner.trouble.is_some() || is_over {
                return Ok(());
            }
            inner.trouble = Some("it was interrupted, and its folder can be resumed".into());
            each!(&mut inner.any, simulation => simulation.interrupt())
        })?;
        result.map_err(|error| of_run(py, &RunError::File(error)))
    }

    /// Time [s], number of steps made, length of the next step [s], whether the run is over.
    fn clock(&self, py: Python) -> PyResult<(f64, u64, f64, bool)> {
        self.with(py, |inner| {
            each!(&mut inner.any, simulation => {
                let clock = simulation.clock();
                (clock.time, clock.step, simulation.time_step(), simulation.is_over())
            })
        })
    }

    /// Name of the present stage.
    fn stage(&self, py: Python) -> PyResult<String> {
        self.with(py, |inner| each!(&mut inner.any, simulation => simulation.stage_name().to_string()))
    }

    /// Latest time at which the run ends [s], if it is known.
    fn end(&self, py: Python) -> PyResult<Option<f64>> {
        self.with(py, |inner| each!(&mut inner.any, simulation => simulation.end()))
    }

    /// Kinetic energy [J].
    fn kinetic_energy(&self, py: Python) -> PyResult<f64> {
        self.with(py, |inner| each!(&mut inner.any, simulation => simulation.kinetic_energy()))
    }

    /// Warnings known before the run: codes and messages.
    fn hints(&self, py: Python) -> PyResult<Vec<(&'static str, String)>> {
        self.with(py, |inner| each!(&mut inner.any, simulation => simulation.hints()))
    }

    /// What was chosen before the run.
    fn notes(&self, py: Python) -> PyResult<Vec<String>> {
        self.with(py, |inner| each!(&mut inner.any, simulation => simulation.notes()))
    }

    /// The report so far as JSON.
    fn summary(&self, py: Python) -> PyResult<String> {
        self.with(py, |inner| {
            each!(&mut inner.any, simulation => {
                simulation.world(); // contacts up to date
                simulation.summary().to_string()
            })
        })
    }

    /// Number of grains.
    fn count(&self, py: Python) -> PyResult<usize> {
        self.with(py, |inner| each!(&mut inner.any, simulation => simulation.world().grains().len()))
    }

    /// A column of the grains as a new array.
    fn grains<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.with(py, |inner| {
            each!(&mut inner.any, simulation => {
                let dt = simulation.time_step();
                columns::grains(simulation.world(), dt, name)
            })
        })?;
        self.end_if_failed(py)?;
        let known = columns::GRAINS.join(", ");
        column.map_or_else(
            || Err(wrong_value(py, &format!("grains have no `{name}`; they have {known}"))),
            |column| column.array(py),
        )
    }

    /// Sets a column of the grains; numbers in rows.
    fn set_grains(&self, py: Python, name: &str, numbers: PyReadonlyArray1<f64>) -> PyResult<()> {
        let numbers = numbers.as_array().to_vec();
        self.with(py, |inner| each!(&mut inner.any, simulation => set_grains(simulation, name, &numbers)))?
            .map_err(|why| wrong_value(py, &why))
    }

    /// What the world looks like now.
    fn frame(&self, py: Python) -> PyResult<Frame> {
        let frame = self.with(py, |inner| {
            let last = inner.last;
            each!(&mut inner.any, simulation => simulation.frame(&last))
        })?;
        self.end_if_failed(py)?;
        Ok(Frame { frame: Arc::new(frame) })
    }

    /// Sets what drives a wall: "velocity", "spin" or "force" with its numbers.
    fn drive(&self, py: Python, wall: usize, kind: &str, numbers: Vec<f64>) -> PyResult<()> {
        self.with(py, |inner| each!(&mut inner.any, simulation => drive(simulation, wall, kind, &numbers)))?
            .map_err(|why| wrong_value(py, &why))
    }

    /// Adds columns to the series: a function of a frame.
    fn measure(&self, py: Python, columns: Vec<(String, String)>, function: Py<PyAny>) -> PyResult<()> {
        let column = |(name, unit): (String, String)| measure::Column::new(name, unit.leak()); // a few short words
        let columns: Vec<measure::Column> = columns.into_iter().map(column).collect();
        let own = OwnMeasure { columns, function, failed: self.failed.clone() };
        self.with(py, |inner| each!(&mut inner.any, simulation => simulation.measure(own)))
    }

    /// Sets the normal law of soft grains between two materials.
    fn normal_law(&self, py: Python, a: &str, b: &str, force: Py<PyAny>, energy: Py<PyAny>) -> PyResult<()> {
        let Some(scenario) = &self.scenario else {
            return Err(wrong_state(py, "a resumed run has the laws of its scenario"));
        };
        let (a, b) = (scenario.get().material(py, a)?, scenario.get().material(py, b)?);
        let law = OwnLaw { force, energy, failed: self.failed.clone() };
        let found = self.with(py, |inner| {
            each!(&mut inner.any, simulation => {
                let known = simulation.world().setup.laws.soft(a, b).is_some();
                if known {
                    simulation.change(|world| set_normal_law(world, a, b, law));
                }
                known
            })
        })?;
        self.end_if_failed(py)?;
        match found {
            true => Ok(()),
            false => Err(wrong_value(
                py,
                "grains of these materials have no soft law that could be replaced: give one in [contact.md]",
            )),
        }
    }

    /// Lends the columns of poses and twists.
    fn lend(&self, py: Python, is_writable: bool) -> PyResult<Lent> {
        let memory = self.with(py, |inner| {
            let memory = match &mut inner.any {
                Any::Plane(simulation) => Memory::Plane(lend(simulation)),
                Any::Space(simulation) => Memory::Space(lend(simulation)),
            };
            inner.is_lent = true;
            memory
        })?;
        Ok(Lent::new(memory, is_writable))
    }

    /// Takes the columns back. Returns whether arrays still use the lent memory, so that it was copied.
    fn take_back(&self, py: Python, mut lent: PyRefMut<Lent>) -> PyResult<bool> {
        let Some((memory, is_copied)) = lent.end() else { return Ok(false) };
        let is_writable = lent.is_writable;
        let flaw = self.with_lent(py, move |inner| {
            inner.is_lent = false;
            let flaw = match (&mut inner.any, memory) {
                (Any::Plane(simulation), Memory::Plane(columns)) => take_back(simulation, columns, is_writable),
                (Any::Space(simulation), Memory::Space(columns)) => take_back(simulation, columns, is_writable),
                _ => None,
            };
            inner.trouble = inner.trouble.take().or(flaw.clone());
            flaw
        })?;
        flaw.map_or(Ok(is_copied), |flaw| {
            Err(wrong_value(py, &format!("the view left a state that cannot go on: {flaw}")))
        })
    }
}

/// Threads that Python knows for as long as they live: making itself known for each call of a force law would take a
/// thread longer than the call.
fn pool_of(threads: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    let known = |thread: rayon::ThreadBuilder| {
        let run = move || Python::attach(|py| py.detach(|| thread.run()));
        std::thread::Builder::new().spawn(run).map(|_| ())
    };
    ThreadPoolBuilder::new().num_threads(threads).spawn_handler(known).build()
}

fn lend<D: Dim>(simulation: &mut sim::Simulation<D>) -> Columns<D> {
    simulation.world(); // brought up to date while it has its bodies
    let world = simulation.world_mut();
    let first = world.setup.walls.len();
    let bodies = &mut world.state.bodies;
    Columns { pose: std::mem::take(&mut bodies.pose), twist: std::mem::take(&mut bodies.twist), first }
}

/// Gives the world its columns; after a writable view the method starts again from them. Returns what is wrong with them.
fn take_back<D: Dim>(simulation: &mut sim::Simulation<D>, columns: Columns<D>, is_writable: bool) -> Option<String> {
    let bodies = &mut simulation.world_mut().state.bodies;
    (bodies.pose, bodies.twist) = (columns.pose, columns.twist);
    if !is_writable {
        return None;
    }
    let flaw = simulation.world().flaw();
    if flaw.is_none() {
        simulation.change(|_| ());
    }
    flaw
}

fn set_grains<D: Dim>(simulation: &mut sim::Simulation<D>, name: &str, numbers: &[f64]) -> Result<(), String> {
    let world = simulation.world();
    let (first, count, width) = (world.setup.walls.len(), world.grains().len(), columns::width::<D>(name));
    if width == 0 {
        return Err(format!("`{name}` cannot be set; position, velocity and angular_velocity can"));
    }
    if numbers.len() != count * width {
        let shape = if width == 1 { format!("({count},)") } else { format!("({count}, {width})") };
        return Err(format!("`{name}` has the shape {shape}, not {} numbers", numbers.len()));
    }
    let old = columns::grains(world, 1.0, name);
    simulation.change(|world| {
        columns::set_grains(&mut world.state.bodies, first, name, numbers);
    });
    let Some(flaw) = simulation.world().flaw() else { return Ok(()) };
    if let Some(Column::Numbers(old) | Column::Rows(old, _)) = old {
        simulation.change(|world| {
            columns::set_grains(&mut world.state.bodies, first, name, &old);
        });
    }
    Err(format!("{flaw}: the simulation keeps what it had"))
}

fn drive<D: Dim>(simulation: &mut sim::Simulation<D>, wall: usize, kind: &str, numbers: &[f64]) -> Result<(), String> {
    let world = simulation.world_mut();
    let count = world.setup.walls.len();
    let Some(here) = world.setup.walls.get(wall) else { return Err(format!("there is no wall {wall} of {count}")) };
    let wanted = match kind {
        "velocity" => D::DIMENSION,
        _ => 1,
    };
    if numbers.len() != wanted || numbers.iter().any(|number| !number.is_finite()) {
        return Err(format!("the {kind} of a wall has {wanted} finite numbers here, not {numbers:?}"));
    }
    let part = |k: usize| numbers[k];
    let drive = match kind {
        "velocity" => Drive::Velocity(Signal::Constant(Components(D::Vec::from_fn(part)))),
        "force" if here.mass.is_some() => Drive::Force(Signal::Constant(Quantity(numbers[0]))),
        "force" => return Err(format!("a force moves a wall that has a mass; `{}` has none", here.name)),
        "spin" if matches!(here.drive, Drive::Spin(_)) => Drive::Spin(Signal::Constant(Quantity(numbers[0]))),
        "spin" => return Err(format!("`{}` spins only if its scenario drives it by a spin", here.name)),
        _ => return Err(format!("a wall is driven by a velocity, a spin or a force, not by `{kind}`")),
    };
    let now = world.clock.time;
    match std::mem::discriminant(&here.drive) == std::mem::discriminant(&drive) {
        true => world.setup.walls[wall].drive = drive, // another number: nothing else touches it now
        false => world.set_drive(wall, drive, now),
    }
    world.setup.walls[wall].since = now;
    Ok(())
}

fn set_normal_law<D: Dim>(world: &mut World<D>, a: u16, b: u16, law: OwnLaw) {
    let Some(known) = world.setup.laws.soft(a, b) else { return };
    world.setup.laws.set_soft(a, b, SoftLaw { normal: Arc::new(law), modulus: 0.0, ..known });
}
