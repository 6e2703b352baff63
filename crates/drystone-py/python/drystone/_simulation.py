"""Simulations step by step."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _drystone
from ._errors import DrystoneWarning, StateError, UsageError
from ._progress import Progress
from ._units import duration, si
from ._frame import Columns, Frame
from ._run import Run
from ._scenario import Scenario, load

__all__ = ["Simulation"]

log = logging.getLogger("drystone")

# Ctrl-C and progress are looked at this often [s]
_BREATH = 0.05
_FOREVER = 2**63 - 1


class _Due:
    """A function that is called every so many steps, or at times."""

    def __init__(self, function: Callable, every: int | float | str, now: float) -> None:
        self.function, self.start, self.calls = function, now, 0
        if isinstance(every, (int, np.integer)) and not isinstance(every, bool):
            if every < 1:
                raise UsageError(f"every first, second, ... step, not every {every}th")
            self.steps, self.period = int(every), None
        else:
            self.steps, self.period = None, duration(every, "the time between calls")

    def next(self) -> float:
        """Time of the next call [s]; with numbers of steps unknown."""
        return float("inf") if self.period is None else self.start + (self.calls + 1) * self.period

    def is_due(self, step: _drystone.Step, half: float) -> bool:
        if self.period is None:
            return step.step % self.steps == 0
        if step.time + half < self.next():
            return False
        self.calls = int((step.time + half - self.start) / self.period)
        return True


class Grains(Columns):
    """The grains as they are now. Each reading is a copy; position, velocity and angular_velocity can be set.

    position [m], velocity [m/s], angular_velocity [rad/s], orientation (angle [rad] in 2D, quaternion x, y, z, w in
    3D), radius [m], mass [kg], id, material, force (of the contacts, averaged over the last step) [N].
    """

    _SETTABLE = ("position", "velocity", "angular_velocity")

    def __init__(self, core: _drystone.Simulation) -> None:
        names = (*self._SETTABLE, "orientation", "radius", "mass", "id", "material", "force")
        super().__init__("grains", names, core.grains)
        self._core = core

    def __len__(self) -> int:
        return self._core.count()

    def __setitem__(self, name: str, values: Any) -> None:
        if name not in self._SETTABLE:
            raise UsageError(f"`{name}` cannot be set; {', '.join(self._SETTABLE)} can")
        shape = self[name].shape
        try:
            array = np.asarray(values, dtype=np.float64)
            array = np.ascontiguousarray(np.broadcast_to(array, shape))
        except (TypeError, ValueError) as error:
            raise UsageError(f"`{name}` has the shape {shape}: {error}") from None
        self._core.set_grains(name, array.reshape(-1))

    def __setattr__(self, name: str, values: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, values)
        else:
            self[name] = values


class View:
    """Columns of a simulation that share its memory, inside of a ``with`` block only.

    position, orientation, velocity, angular_velocity. While the block is open the simulation cannot be used. Arrays that
    outlive it keep the memory for themselves and become read-only; the simulation goes on with a copy.
    """

    def __init__(self, core: _drystone.Simulation, writable: bool) -> None:
        self._core, self._writable = core, writable
        self._lent: _drystone.Lent | None = None
        self._arrays: dict[str, np.ndarray] = {}
        self._is_over = False

    def __enter__(self) -> View:
        if self._lent is not None or self._is_over:
            raise StateError("a view is opened once: call sim.view() again")
        self._lent = self._core.lend(self._writable)
        return self

    def __exit__(self, *_: object) -> None:
        for array in self._arrays.values():
            array.setflags(write=False)
        self._arrays.clear()
        lent, self._lent, self._is_over = self._lent, None, True
        if lent is not None:
            self._core.take_back(lent)

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._lent is None:
            over = "has ended" if self._is_over else "was not entered: write `with sim.view() as view:`"
            raise StateError(f"the block of the view {over}")
        if name not in self._arrays:
            self._arrays[name] = self._lent.array(name)
        return self._arrays[name]

    @property
    def position(self) -> np.ndarray:
        """Centres (N, d) [m]."""
        return self.__getattr__("position")

    @property
    def velocity(self) -> np.ndarray:
        """Velocities (N, d) [m/s]."""
        return self.__getattr__("velocity")

    @property
    def angular_velocity(self) -> np.ndarray:
        """Angular velocities: (N,) in 2D, (N, 3) in 3D [rad/s]."""
        return self.__getattr__("angular_velocity")

    @property
    def orientation(self) -> np.ndarray:
        """Angles (N,) [rad] in 2D, unit quaternions x, y, z, w (N, 4) in 3D."""
        return self.__getattr__("orientation")


class Simulation:
    """A simulation that the program steps. Nothing is written unless :meth:`record` is called.

    The interpreter is released while a step is computed: other threads run, and may use other simulations, or wait for
    this one. Ctrl-C ends between two steps.
    """

    def __init__(self, scenario: Scenario | str | os.PathLike, threads: int | None = None) -> None:
        if not isinstance(scenario, Scenario):
            scenario = load(scenario)
        self._begin(_drystone.Simulation(scenario._core, _threads(threads)), scenario)

    def _begin(self, core: _drystone.Simulation, scenario: Scenario) -> None:
        self._core, self._scenario = core, scenario
        self._observers: list[_Due] = []
        self._rules: list[_Due] = []
        self._drives: list[tuple[int, str, Callable]] = []
        self._out: str | None = None
        self._asked: str | None = None
        self._warn(core.hints())
        for note in core.notes():
            log.info(note)

    @classmethod
    def resume(cls, folder: str | os.PathLike, threads: int | None = None) -> Simulation:
        """The simulation of a run that was interrupted; it goes on in its folder, with the same bits."""
        core = _drystone.Simulation.resume(os.fspath(folder), _threads(threads))
        simulation = cls.__new__(cls)
        simulation._begin(core, load(os.path.join(folder, "scenario.toml")))
        simulation._out = os.fspath(folder)
        return simulation

    # -- the clock

    @property
    def scenario(self) -> Scenario:
        """The scenario."""
        return self._scenario.copy()

    @property
    def time(self) -> float:
        """Time [s]."""
        return self._core.clock()[0]

    @property
    def step_number(self) -> int:
        """Steps made so far."""
        return self._core.clock()[1]

    @property
    def time_step(self) -> float:
        """Length of the next step [s]."""
        return self._core.clock()[2]

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end."""
        return self._core.clock()[3]

    @property
    def stage(self) -> str:
        """Name of the present stage."""
        return self._core.stage()

    # -- the state

    @property
    def grains(self) -> Grains:
        """The grains as they are now; see :class:`Grains`."""
        return Grains(self._core)

    @property
    def contacts(self) -> np.ndarray:
        """Contacts of the last step; see :attr:`Frame.contacts`."""
        return self.frame().contacts

    def frame(self) -> Frame:
        """What the world looks like now, as a frame that stays as it is."""
        return Frame(self._core.frame())

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy [J]."""
        return self._core.kinetic_energy()

    @property
    def report(self) -> dict[str, Any]:
        """The report so far, as ``report.json`` has it, with the hash of the state."""
        return json.loads(self._core.summary())

    @property
    def hash(self) -> str:
        """Hash of the state: equal hashes mean equal bits."""
        return self.report["hash"]

    def view(self, writable: bool = False) -> View:
        """Columns that share the memory of the simulation, for a ``with`` block; see :class:`View`."""
        return View(self._core, writable)

    # -- what the program adds

    def every(self, period: int | float | str) -> Callable[[Callable], Callable]:
        """Decorates a function of the simulation that is called at times ("5 ms", 0.005), or every so many steps (100).

        It may read and set the state, change drives and call :meth:`stop`. It is called between two steps.
        """

        def add(function: Callable) -> Callable:
            self._observers.append(_Due(_callable(function), period, self.time))
            return function

        return add

    def stop_when(self, every: int | float | str = 1) -> Callable[[Callable], Callable]:
        """Decorates a stop rule: a function of the simulation. The run ends once it returns something true; a text says why."""

        def add(function: Callable) -> Callable:
            self._rules.append(_Due(_callable(function), every, self.time))
            return function

        return add

    def drive(self, wall: str, kind: str = "velocity") -> Callable[[Callable], Callable]:
        """Decorates a drive: a function of the time [s] and the simulation that is called before every step.

        It returns what holds during the step: the velocity of the wall [m/s], its spin [rad/s], or the force on a wall
        that has a mass [N].
        """
        number, kind = self._wall(wall), _kind(kind)

        def add(function: Callable) -> Callable:
            self._drives = [drive for drive in self._drives if drive[0] != number]
            self._drives.append((number, kind, _callable(function)))
            return function

        return add

    def set_drive(self, wall: str, value: Any, kind: str = "velocity") -> None:
        """Drives a wall with a constant velocity [m/s], spin [rad/s] or force [N] from now on."""
        self._core.drive(self._wall(wall), _kind(kind), _numbers(value, kind))

    def measure(self, *columns: str) -> Callable[[Callable], Callable]:
        """Decorates a measure: a function of a frame that returns a number for each column, such as "height [m]".

        The columns come into ``series.csv``: call it before :meth:`record`. It is called while a step is made, and can
        use its frame only; the frame has neither residual nor coefficients of friction.
        """
        if not columns or not all(isinstance(column, str) and column for column in columns):
            raise UsageError("a measure has columns, such as \"height [m]\"")
        if self._out is not None:
            raise StateError("measures are added before record()")
        named = [_column(column) for column in columns]

        def add(function: Callable) -> Callable:
            _callable(function)
            self._core.measure(named, lambda core: function(Frame(core)))
            return function

        return add

    def normal_law(self, a: str, b: str, force: Callable, energy: Callable) -> None:
        """Replaces the normal law of soft grains of two materials by functions of arrays.

        ``force(overlap, rate, mass, radius)`` returns (force, stiffness) or (force, stiffness, damping): the force that
        drives the grains apart [N], its slope [N/m] and the coefficient of a dashpot [N s/m], to which tangential laws
        may be proportional. Overlaps are above zero [m], their rates [m/s], masses and radii reduced.
        ``energy(overlap, mass, radius)`` is what unloading gives back [J].

        They get at most 32 contacts at once, and take turns: the interpreter serves one thread at a time.
        """
        self._core.normal_law(a, b, _callable(force), _callable(energy))

    def stop(self, why: str = "stopped by the program") -> None:
        """Ends the run after the step that was made last, as a stop rule would."""
        self._asked = str(why)

    # -- steps

    def record(self, out: str | os.PathLike, force: bool = False) -> None:
        """Records the run in a folder from now on, as ``drystone run`` does."""
        if self._out is not None:
            raise StateError(f"the run is recorded in {self._out} already")
        self._core.record(os.fspath(out), bool(force), os.fspath(self._scenario._core.folder))
        self._out = os.fspath(out)

    def step(self) -> _drystone.Step | None:
        """Makes one step. Returns its report; ``None`` if the run is over."""
        return self._advance(float("inf"), 1)

    def steps(self, until: float | str | None = None, count: int | None = None) -> Iterator[_drystone.Step]:
        """Makes steps one by one, up to a time, for so many steps, or to the end of the run; yields their reports."""
        end = _end(until)
        left = _FOREVER if count is None else int(count)
        while left > 0 and (report := self._advance(end, 1)) is not None:
            left -= 1
            yield report

    def run(self, until: float | str | None = None, progress: bool = False) -> Run | Simulation:
        """Makes steps up to a time, or to the end of the run. Returns the :class:`Run` if it is recorded, itself otherwise."""
        end = _end(until)
        shown = Progress(self._scenario.title, min(end, self._core.end() or float("inf"))) if progress else None
        try:
            while (report := self._advance(end, self._stride())) is not None:
                if shown is not None:
                    shown.show(report, self._core.stage())
        finally:
            if shown is not None:
                shown.close()
        return self if self._out is None else Run(self._out)

    def _stride(self) -> int:
        """Steps that can be made without asking Python."""
        if self._drives or any(due.steps is not None for due in (*self._observers, *self._rules)):
            return 1
        return _FOREVER

    def _advance(self, end: float, steps: int) -> _drystone.Step | None:
        if self._asked is not None:
            self._finish()
        if not (self._observers or self._rules or self._drives):
            return self._told(self._make(end, steps))
        try:
            for wall, kind, function in self._drives:
                self._core.drive(wall, kind, _numbers(function(self._core.clock()[0], self), kind))
            soon = min([end, *(due.next() for due in (*self._observers, *self._rules))])
            report = self._make(soon, steps)
            if report is None and soon < end:
                report = self._make(end, 1)  # the next call is due half a step from here, but for rounding
            if self._told(report) is not None:
                self._look(report)
            return report
        except BaseException:
            self._leave()
            raise
        finally:
            if self._asked is not None:
                self._finish()

    def _make(self, end: float, steps: int) -> _drystone.Step | None:
        try:
            return self._core.advance(end, steps, _BREATH)
        except KeyboardInterrupt:
            self._leave()
            raise

    def _look(self, report: _drystone.Step) -> None:
        half = 0.5 * self._core.clock()[2]
        for due in self._observers:
            if due.is_due(report, half):
                due.function(self)
        for due in self._rules:
            if due.is_due(report, half) and (why := due.function(self)):
                self._asked = why if isinstance(why, str) else f"stop rule {getattr(due.function, '__name__', '')}".strip()

    def _finish(self) -> None:
        why, self._asked = self._asked, None
        self._core.finish(why)

    def _leave(self) -> None:
        """Writes a checkpoint, so that the run can be resumed, unless a step has failed."""
        if self._out is None:
            return
        try:
            self._core.leave()
        except (StateError, OSError) as error:
            log.warning("no checkpoint could be written: %s", error)

    def _told(self, report: _drystone.Step | None) -> _drystone.Step | None:
        if report is not None and report.news:
            self._warn(report.news)
        return report

    def _warn(self, news: Sequence[tuple[str, str]]) -> None:
        for code, message in news:
            warnings.warn(DrystoneWarning(message, code), stacklevel=_outside())

    def close(self) -> None:
        """Frees the memory; nothing can be asked of the simulation any more."""
        self._core.close()
        self._observers, self._rules, self._drives = [], [], []

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wall(self, name: str) -> int:
        walls = self._scenario.walls
        if name not in walls:
            raise UsageError(f"there is no wall `{name}`; the scenario has {', '.join(walls) or 'none'}")
        return walls.index(name)

    def __repr__(self) -> str:
        try:
            time, step, _, is_over = self._core.clock()
        except StateError as error:
            return f"<simulation {self._scenario.title!r}: {error}>"
        return f"<simulation {self._scenario.title!r} at {time:.6g} s, step {step}{', over' if is_over else ''}>"


def _outside() -> int:
    """How many calls lie between a warning and the program."""
    level, here = 1, sys._getframe(1)
    while here is not None and here.f_globals.get("__package__") == __package__:
        level, here = level + 1, here.f_back
    return level


def _threads(threads: int | None) -> int | None:
    if threads is None:
        return None
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or not 1 <= threads <= 65535:
        raise UsageError(f"threads is a number from 1 to 65535, not {threads!r}")
    return int(threads)


def _callable(function: Callable) -> Callable:
    if not callable(function):
        raise UsageError(f"a function is asked for, not {function!r}")
    return function


def _kind(kind: str) -> str:
    if kind not in ("velocity", "spin", "force"):
        raise UsageError(f"a wall is driven by a velocity, a spin or a force, not by {kind!r}")
    return kind


def _numbers(value: Any, kind: str) -> list[float]:
    unit = {"velocity": "m/s", "spin": "rad/s", "force": "N"}[kind]
    if isinstance(value, str) or np.ndim(value) == 0:
        return [si(value.item() if hasattr(value, "item") else value, unit)]
    return [si(part.item() if hasattr(part, "item") else part, unit) for part in value]


def _end(until: float | str | None) -> float:
    if until is None:
        return float("inf")
    end = si(until, "s")
    if end != end:
        raise UsageError("`until` is a time, not NaN")
    return end


def _column(column: str) -> tuple[str, str]:
    name, bracket, rest = column.partition("[")
    unit = rest.rstrip("] ").strip() if bracket else "1"
    if "," in column or "\n" in column or not name.strip():
        raise UsageError(f"a column is called such as \"height [m]\", not {column!r}")
    return name.strip(), unit
