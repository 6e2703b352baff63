"""Anything that can be called is called with anything: it answers, or raises an exception of Python.

DRYSTONE_FUZZ sets the number of examples of each test; the test command takes 60.
"""

import os

import numpy as np
from conftest import BOX, SOFT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import drystone as ds

EXAMPLES = int(os.environ.get("DRYSTONE_FUZZ", "60"))
QUICK = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    derandomize="DRYSTONE_FUZZ" not in os.environ,
)
ODD = [np.zeros(5, dtype=complex), np.array(["a"]), np.zeros((5, 2), dtype=bool), np.zeros((5, 2))[::-1], np.zeros((2, 5)).T]

FEW = ds.scenario({**BOX, "grains": [{**BOX["grains"][0], "count": 5}]})

numbers = st.floats(allow_nan=True, allow_infinity=True, width=64)
arrays = st.one_of(
    numbers.map(np.float64),
    st.lists(numbers, max_size=12).map(np.array),
    st.tuples(st.integers(0, 6), st.integers(0, 4), numbers).map(lambda t: np.full(t[:2], t[2])),
    st.sampled_from(ODD),
)
anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    numbers,
    st.text(max_size=12),
    st.binary(max_size=4),
    arrays,
    st.lists(st.one_of(numbers, st.text(max_size=4)), max_size=4),
    st.dictionaries(st.text(max_size=4), numbers, max_size=3),
    st.sampled_from(["5 ms", "3 mm", "1 m/s", [0, 0], [0.1, "2 mm/s"], "velocity", "floor", "right", 1, 3]),
)
# what a wrong argument may raise; never a panic (a BaseException), never a crash
FINE = (ds.DrystoneError, TypeError, ValueError, KeyError, AttributeError, OverflowError, IndexError, Warning)


def tried(work, *arguments):
    try:
        return work(*arguments)
    except FINE:
        return None


def use(s, name, one, two):
    """One use of a simulation."""

    def view(writable):
        with s.view(writable=writable) as g:
            column = getattr(g, one if isinstance(one, str) else "velocity")
            column[:] = two

    def every():
        s.every(one)(lambda s: None)
        s._observers.clear()

    uses = {
        "step": s.step,
        "steps": lambda: [None for _ in zip(s.steps(until=one), range(3))],
        "run": lambda: s.run(until=min(float(one), s.time + 5e-3)),
        "velocity": lambda: setattr(s.grains, "velocity", one),
        "position": lambda: s.grains.__setitem__("position", one),
        "angular_velocity": lambda: s.grains.__setitem__("angular_velocity", one),
        "any column": lambda: s.grains.__setitem__(one, two),
        "read": lambda: s.grains[one],
        "drive": lambda: s.set_drive(one, two),
        "drive floor": lambda: s.set_drive("floor", one),
        "kind": lambda: s.set_drive("floor", one, two),
        "force": lambda: s.set_drive("floor", one, "force"),
        "view": lambda: view(True),
        "view only": lambda: view(False),
        "every": every,
        "stop": lambda: s.stop_when(one)(two),
        "measure": lambda: s.measure(one)(two),
        "law": lambda: s.normal_law("sand", "sand", one, two),
        "record": lambda: s.record(one) if not isinstance(one, (str, bytes, int)) else None,
        "frame": lambda: (s.frame().contacts, s.report, s.hash),
        "close": lambda: s.close() if one is None and two is None else None,
    }
    if name is None:
        return list(uses)
    return uses[name]()


@QUICK
@given(st.data())
def test_a_simulation_survives_anything(data):
    s = ds.Simulation(FEW)
    names = use(s, None, None, None)
    for name, one, two in data.draw(st.lists(st.tuples(st.sampled_from(names), anything, anything), max_size=12)):
        tried(use, s, name, one, two)
    tried(s.step)
    tried(lambda: s.grains.position)


@QUICK
@given(st.text(max_size=30), anything)
def test_a_scenario_survives_anything(key, value):
    scenario = FEW.copy()
    tried(scenario.__setitem__, key, value)
    for known in ("seed", "gravity", "contact.sand-sand.friction", "grains.0.count", "wall.floor", "stop", "method.cd"):
        tried(scenario.__setitem__, known, value)
    tried(scenario.__getitem__, key)
    assert ds.scenario(FEW.to_toml()).to_toml() == FEW.to_toml()


@QUICK
@given(st.text(max_size=60))
def test_any_text_is_a_scenario_or_a_mistake(text):
    tried(ds.scenario, text)
    tried(ds.scenario, FEW.to_toml() + text)


@QUICK
@given(anything, anything, anything, anything)
def test_a_contact_problem_of_anything(w, q, mu, option):
    if not isinstance(w, (str, bytes)):
        tried(lambda: ds.solve(w, q, mu, max_sweeps=10))
    tried(lambda: ds.solve(np.eye(4), q, mu, max_sweeps=10))
    tried(lambda: ds.solve(w if not isinstance(w, (str, bytes)) else None, np.zeros(4), [0.5, 0.5], max_sweeps=10))
    tried(lambda: ds.solve(np.eye(2), [-1, 0], [0.5], accuracy=option, max_sweeps=10))
    tried(lambda: ds.solve(np.eye(2), [-1, 0], [0.5], solver=option, max_sweeps=10))


@QUICK
@given(anything, anything)
def test_a_force_law_that_returns_anything(one, two):
    s = ds.Simulation(ds.scenario(SOFT))
    tried(s.normal_law, "sand", "sand", lambda *_: (one, two), lambda *_: two)
    s.grains.velocity = 0.3 * np.sign(np.arange(120).reshape(60, 2) % 7 - 3)
    tried(s.run, "0.3 ms")
    tried(s.frame)
