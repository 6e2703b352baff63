"""What Python adds to a run: time of a step, and memory. Times are of the processor, so that a busy machine does not matter."""

import os
import sys
import time

import numpy as np
import pytest
from conftest import BOX

import drystone as ds


def least(work, times):
    """The least processor time of some calls of `work` [s]: what disturbs makes it longer."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


@pytest.fixture(scope="module")
def large():
    """A bed of 100,000 disks, which touch; one thread, so that processor time is time."""
    few, width = {**BOX["grains"][0]}, 500
    few |= {
        "shape": {"kind": "disk", "radius": "1 mm"},
        "count": 100_000,
        "place": {"how": "hexagonal", "min": [0, 0], "max": [f"{2 * width} mm", "400 mm"]},
    }
    walls = [dict(wall) for wall in BOX["wall"]]
    walls[2]["point"] = [f"{2 * width} mm", 0]
    tables = {**BOX, "grains": [few], "wall": walls, "method": {"use": "cd", "cd": {"time_step": "0.5 ms", "accuracy": "preview"}}}
    simulation = ds.Simulation(ds.scenario(tables), threads=1)
    simulation.run("2 ms")
    return simulation


def test_positions_of_1e5_grains_cost_less_than_2_percent_of_a_step(large):
    assert len(large.grains) == 100_000
    step = least(large.step, 3)
    read = least(lambda: large.grains.position, 10)
    print(f"\nstep {1e3 * step:.1f} ms, positions {1e3 * read:.2f} ms: {100 * read / step:.2f} %")
    assert read < 0.02 * step


def test_a_view_of_1e5_grains_costs_no_copy(large):
    def view():
        with large.view() as g:
            g.velocity

    copy = least(lambda: (large.grains.position, large.grains.velocity), 10)
    assert least(view, 10) < copy


ONE = {**BOX, "grains": [{**BOX["grains"][0], "count": 1}], "stop": {"at": "1e6 s"}}


def test_the_loop_costs_less_than_20_microseconds_a_step():
    """A single grain: the loop of Python against steps made without it."""
    steps = 2000
    loop, alone = ds.Simulation(ds.scenario(ONE)), ds.Simulation(ds.scenario(ONE))
    each = least(lambda: [None for _ in loop.steps(count=steps)], 5) / steps
    none = least(lambda: alone._core.advance(float("inf"), steps, 60.0), 5) / steps
    watched = ds.Simulation(ds.scenario(ONE))
    watched.every(1)(lambda s: None)
    called = least(lambda: [None for _ in watched.steps(count=steps)], 5) / steps
    print(f"\na step {1e6 * none:.1f} us; the loop adds {1e6 * (each - none):.1f} us, a callback {1e6 * (called - each):.1f} us")
    assert each - none < 20e-6
    assert called - none < 60e-6


def resident():
    """Memory of this process [bytes]."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow():
    """1e5 steps, each with a callback that reads, sets, views and takes a frame now and then."""
    s = ds.Simulation(ds.scenario(ONE))
    seen = np.zeros(2)

    @s.every(1)
    def look(s):
        seen[:] += s.grains.position[0]

    @s.every(50)
    def more(s):
        s.frame().contacts
        s.grains.velocity = s.grains.velocity
        with s.view(writable=True) as g:
            g.velocity[:] *= 1.0

    for _ in s.steps(count=20_000):
        pass
    before = resident()
    for _ in s.steps(count=80_000):
        pass
    grown = resident() - before
    print(f"\nmemory grew by {grown / 1024:.0f} kB over 80,000 steps")
    assert s.step_number == 100_000
    assert grown < 80_000 * 8, "less than a number a step"
