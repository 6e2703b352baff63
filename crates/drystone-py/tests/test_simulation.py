"""Simulations: columns, views, callbacks, threads."""

import gc
import json
import threading

import numpy as np
import pytest

import drystone as ds


def test_columns(box):
    s = ds.Simulation(box)
    s.run("50 ms")
    g = s.grains
    assert len(g) == 60 and g.position.shape == (60, 2) and g.velocity.dtype == np.float64
    assert g.angular_velocity.shape == g.orientation.shape == g.radius.shape == (60,)
    assert np.array_equal(np.sort(g.id), np.arange(60)) and set(g.material) == {0}
    np.testing.assert_allclose(g.mass, 2650 * np.pi * g.radius**2, rtol=1e-14)
    energy = 0.5 * np.sum(g.mass * (g.velocity**2).sum(axis=1)) + 0.25 * np.sum(g.mass * (g.radius * g.angular_velocity) ** 2)
    np.testing.assert_allclose(s.kinetic_energy, energy, rtol=1e-12)
    position = g.position
    position[:] = 0
    assert s.grains.position.any(), "a column is a copy"
    with pytest.raises(AttributeError, match="position"):
        g.postion


def test_contacts_carry_the_weight(box):
    s = ds.Simulation(box)
    s.run("100 ms")
    while s.grains.velocity.max() > 1e-2 and s.step() is not None:
        pass
    c, g = s.contacts, s.grains
    assert len(c) > 60 and c.dtype.names[:4] == ("a", "b", "point", "normal")
    force = c["force_n"][:, None] * c["normal"] + c["force_t"]
    total = force[c["a"] < 0].sum(axis=0)
    # the impulse of the walls is the change of momentum: exact by Newton's third law, whatever the packing does
    assert np.abs(g.force.sum(axis=0) - total).max() < 1e-9 * np.abs(total).max()
    np.testing.assert_allclose(np.linalg.norm(c["normal"], axis=1), 1, rtol=1e-12)
    assert (np.linalg.norm(c["force_t"], axis=1) <= c["friction"] * c["force_n"] * (1 + 1e-3) + 1e-9).all()
    floor = c[c["a"] == -1]
    assert len(floor) and np.abs(floor["point"][:, 1]).max() < 1e-4, "points of the floor are on the floor"


def test_state_is_set(box):
    s = ds.Simulation(box)
    s.grains.velocity = [1.0, 0.0]
    assert (s.grains.velocity == [1.0, 0.0]).all()
    s.grains["angular_velocity"] = np.arange(60)
    assert s.grains.angular_velocity[7] == 7
    position = s.grains.position
    s.grains.position = position + [0, 1e-3]
    assert np.array_equal(s.grains.position, position + [0, 1e-3])
    assert s.step() is not None


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("velocity", np.zeros((3, 2))),
        ("velocity", np.zeros((60, 3))),
        ("velocity", "fast"),
        ("velocity", [[float("nan"), 0]]),
        ("position", [[float("inf"), 0]]),
        ("position", [[1e300, 0]]),
        ("radius", 1.0),
        ("nothing", 1.0),
    ],
)
def test_state_that_does_not_fit(box, name, values):
    s = ds.Simulation(box)
    before = s.hash
    with pytest.raises(ds.UsageError):
        s.grains[name] = values
    assert s.hash == before and s.step() is not None


def test_a_view_shares_memory_in_its_block(box):
    s = ds.Simulation(box)
    s.run("30 ms")
    before = s.grains.velocity
    with s.view(writable=True) as g:
        assert g.velocity.shape == (60, 2) and not g.velocity.flags.owndata
        assert g.velocity is g.velocity and np.array_equal(g.velocity, before)
        g.velocity[:] *= 0
        g.angular_velocity[:] = 0
        g.position[:, 1] += 1e-3
    assert not s.grains.velocity.any() and s.kinetic_energy == 0
    assert s.step() is not None
    with s.view() as g, pytest.raises(ValueError, match="read-only"):
        g.position[0, 0] = 1


def test_views_never_dangle(box):
    s = ds.Simulation(box)
    with s.view(writable=True) as g:
        velocity, part = g.velocity, g.position[3:5]
        for use in (s.step, lambda: s.grains.position, s.frame, lambda: s.view().__enter__(), lambda: s.hash):
            with pytest.raises(ds.StateError, match="view"):
                use()
    with pytest.raises(ds.StateError, match="ended"):
        g.velocity
    kept = velocity.copy()
    with pytest.raises(ValueError, match="read-only"):
        velocity[:] = 1
    s.run("20 ms")
    part[:] = 7  # memory of its own by now: the simulation does not see it
    assert np.array_equal(velocity, kept) and not (s.grains.position == 7).any()
    s.close()
    del s, g
    gc.collect()
    assert np.array_equal(velocity, kept) and (part == 7).all()


def test_an_exception_ends_a_view(box):
    s = ds.Simulation(box)
    with pytest.raises(ZeroDivisionError), s.view(writable=True) as g:
        g.velocity[0] = 1 / 0
    assert s.step() is not None
    view = s.view()
    with pytest.raises(ds.StateError, match="not entered"):
        view.velocity
    with pytest.raises(ds.UsageError, match="not a number"), s.view(writable=True) as g:
        g.position[3] = np.nan
    with pytest.raises(ds.StateError, match="no step"):
        s.step()


def test_callbacks_in_time_and_by_steps(box):
    s = ds.Simulation(box)
    times, steps = [], []
    s.every("5 ms")(lambda s: times.append(s.time))
    s.every(50)(lambda s: steps.append(s.step_number))
    s.run()
    np.testing.assert_allclose(times, np.arange(1, 21) * 5e-3, atol=2.6e-4)
    assert steps == [50, 100, 150, 200]


def test_a_callback_stops_the_run(box, tmp_path):
    s = ds.Simulation(box)
    s.record(tmp_path / "out")

    @s.stop_when("1 ms")
    def low(s):
        return "half-way" if s.time > 0.05 else None

    run = s.run()
    assert s.is_over and s.step() is None
    assert run.report["state"] == "done" and run.report["time"] == pytest.approx(0.051, abs=6e-4)
    assert "half-way" in json.dumps(run.report)
    assert run.frames[-1].time == run.report["time"]
    assert len(np.unique(run.series["time [s]"])) == len(run.series["time [s]"])
    run.certify()


def test_stop_from_outside(box):
    s = ds.Simulation(box)
    for report in s.steps():
        if report.step == 5:
            s.stop()
    assert s.step_number == 5 and s.is_over


@pytest.mark.parametrize("recorded", [False, True])
def test_exceptions_in_callbacks(box, recorded, tmp_path):
    s = ds.Simulation(box)
    if recorded:
        s.record(tmp_path / "out")

    @s.every("10 ms")
    def fail(s):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        s.run()
    assert s.time == pytest.approx(0.01, abs=3e-4)
    if recorded:
        with pytest.raises(ds.StateError, match="resumed"):
            s.step()
        assert ds.open(tmp_path / "out").report["state"] == "interrupted"
    else:
        assert s._core.advance(float("inf"), 1, 1.0) is not None


def test_a_wall_is_driven(box):
    s = ds.Simulation(box)
    s.set_drive("right", ["-10 mm/s", 0])

    @s.drive("floor")
    def shake(t, s):
        return [0.0, 0.01 if t < 0.0099 else -0.01]

    s.run("20 ms")
    moved = s.frame().walls.displacement
    np.testing.assert_allclose(moved[2], [-2e-4, 0], rtol=1e-12)
    np.testing.assert_allclose(moved[0], [0, 0], atol=1e-16)
    for wrong in ([1.0], [1.0, float("nan")], "3 kg", ["1 m", 0], object()):
        with pytest.raises((ds.UsageError, TypeError)):
            s.set_drive("floor", wrong)
    with pytest.raises(ds.UsageError, match="no wall"):
        s.set_drive("flor", [0, 0])
    with pytest.raises(ds.UsageError, match="mass"):
        s.set_drive("floor", 3.0, kind="force")


def test_a_drive_of_python_is_the_drive_of_the_scenario(box):
    box["wall.floor.drive"] = {"velocity": [0.0, 0.02]}
    known, own = ds.Simulation(box), ds.Simulation(box.with_settings({"wall.floor.drive": "fixed"}))
    own.drive("floor")(lambda t, s: [0.0, 0.02])
    known.run("20 ms")
    own.run("20 ms")
    assert np.array_equal(known.grains.position, own.grains.position)


def test_an_own_measure_is_a_column(box, tmp_path):
    s = ds.Simulation(box)

    @s.measure("height [m]", "count")
    def height(frame):
        return frame.grains.position[:, 1].max(), len(frame.contacts)

    s.record(tmp_path / "out")
    run = s.run()
    assert len(run.series["height [m]"]) == 11
    assert list(run.series["height [m]"])[-1] == run.frames[-1].grains.position[:, 1].max()
    with pytest.raises(ds.StateError, match="before"):
        s.measure("more")


@pytest.mark.parametrize("wrong", ["raise", "text", "two", "deadlock"])
def test_exceptions_in_own_measures(box, wrong, tmp_path):
    s = ds.Simulation(box)

    @s.measure("height [m]")
    def height(frame):
        if frame.time > 0.045:
            return {"raise": lambda: 1 / 0, "text": lambda: "high", "two": lambda: (1, 2), "deadlock": lambda: s.time}[wrong]()
        return 1.0

    s.record(tmp_path / "out")
    kind = {"raise": ZeroDivisionError, "text": TypeError, "two": ValueError, "deadlock": ds.StateError}[wrong]
    with pytest.raises(kind):
        s.run()
    assert ds.open(tmp_path / "out").report["state"] == "failed"
    with pytest.raises(ds.StateError):
        s.step()


K = 1e4


def hooke(overlap, rate, mass, radius):
    return K * overlap, np.full_like(overlap, K)


def energy(overlap, mass, radius):
    return 0.5 * K * overlap**2


def stirred(scenario, threads=1):
    """A simulation whose grains meet soon, and with the speed at which the program looks at a collision only once."""
    s = ds.Simulation(scenario, threads=threads)
    s.grains.velocity = np.random.default_rng(1).uniform(-0.3, 0.3, (60, 2))
    return s


def test_an_own_force_law_is_that_of_the_library(soft):
    known, own = stirred(soft), stirred(soft)
    own.normal_law("sand", "sand", hooke, energy)
    known.run("2 ms")
    own.run("2 ms")
    assert len(known.contacts) > 10
    np.testing.assert_allclose(own.grains.position, known.grains.position, atol=1e-9)
    np.testing.assert_allclose(own.frame().energies["elastic"], known.frame().energies["elastic"], rtol=1e-4)


@pytest.mark.parametrize(
    "law",
    [
        lambda overlap, rate, mass, radius: 1 / 0,
        lambda overlap, rate, mass, radius: K * overlap,
        lambda overlap, rate, mass, radius: (K * overlap, K),
        lambda overlap, rate, mass, radius: (np.nan * overlap, overlap),
        lambda overlap, rate, mass, radius: ("a", "b"),
        lambda: None,
    ],
)
def test_exceptions_in_own_force_laws(soft, law):
    s = stirred(soft)
    with pytest.raises((ArithmeticError, TypeError, ValueError)):
        s.normal_law("sand", "sand", law, energy)
        s.run()
    with pytest.raises(ds.StateError):
        s.step()
    s.grains.velocity = 0
    assert np.isfinite(s.frame().grains.position).all()


@pytest.mark.parametrize("wrong", [lambda *_: [0.0], lambda *_: [1.0], lambda *_: [-1.0], lambda *_: 1 / 0])
def test_exceptions_in_own_energies(soft, wrong):
    s = stirred(soft)
    with pytest.raises((ArithmeticError, ValueError)):
        s.normal_law("sand", "sand", hooke, wrong)
    with pytest.raises(ds.StateError):
        s.step()


def test_exceptions_in_the_middle_of_a_run(soft):
    s, calls = stirred(soft), []

    def late(overlap, rate, mass, radius):
        calls.append(len(overlap))
        if s is None:
            raise LookupError("mine")
        return hooke(overlap, rate, mass, radius)

    s.normal_law("sand", "sand", late, energy)
    same = s
    same.run("0.5 ms")
    s = None
    with pytest.raises(LookupError, match="mine"):
        same.run("2 ms")
    with pytest.raises(ds.StateError):
        same.step()
    assert max(calls) > 1, "contacts come in batches"


def test_own_laws_that_cannot_be(box, soft):
    with pytest.raises(ds.UsageError, match="no soft law"):
        ds.Simulation(box).normal_law("sand", "sand", hooke, energy)
    with pytest.raises(ds.UsageError, match="no material"):
        ds.Simulation(soft).normal_law("sand", "steel", hooke, energy)


def test_threads_and_callbacks_do_not_wait_for_each_other(soft):
    """Four threads: two run simulations with laws and callbacks of Python, two read them all the time."""
    simulations = [stirred(soft, threads=2) for _ in range(2)]
    errors, reads, is_done = [], [0, 0], threading.Event()
    for s in simulations:
        s.normal_law("sand", "sand", hooke, energy)
        s.every("0.1 ms")(lambda s: s.frame())

    def run(s):
        try:
            s.run("0.5 ms")
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    def read(k):
        while not is_done.is_set():
            assert np.isfinite(simulations[k].grains.position).all()
            reads[k] += 1

    readers = [threading.Thread(target=read, args=(k,), daemon=True) for k in range(2)]
    runners = [threading.Thread(target=run, args=(s,), daemon=True) for s in simulations]
    for thread in readers + runners:
        thread.start()
    for thread in runners:
        thread.join(timeout=120)
        assert not thread.is_alive(), "deadlock"
    is_done.set()
    for thread in readers:
        thread.join(timeout=60)
        assert not thread.is_alive(), "deadlock"
    assert not errors and min(reads) > 0
    assert np.array_equal(simulations[0].grains.position, simulations[1].grains.position)


def test_a_closed_simulation(box):
    with ds.Simulation(box) as s:
        s.step()
    for use in (s.step, lambda: s.time, lambda: s.grains.position, s.frame, lambda: s.view().__enter__(), s.run):
        with pytest.raises(ds.StateError, match="closed"):
            use()
    assert "closed" in repr(s)
    s.close()


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2", 10**9])
def test_threads_that_cannot_be(box, threads):
    with pytest.raises(ds.UsageError):
        ds.Simulation(box, threads=threads)


@pytest.mark.parametrize("period", [0, -1, 0.0, "-5 ms", "5 mm", float("nan"), None, "soon"])
def test_periods_that_cannot_be(box, period):
    with pytest.raises(ds.UsageError):
        ds.Simulation(box).every(period)(print)


def test_ctrl_c_ends_between_two_steps(box, tmp_path):
    import _thread

    s = ds.Simulation(box.with_settings({"stop.at": "1000 s"}))
    s.record(tmp_path / "out")
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        s.run()
    timer.join()
    assert ds.open(tmp_path / "out").report["state"] == "interrupted"
