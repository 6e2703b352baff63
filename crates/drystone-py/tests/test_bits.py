"""A run has the same folder and the same bits, whether Python or the command line makes it."""

import json

import numpy as np
import pytest

import drystone as ds

# name, keys that make it short
SHORT = [
    ("drop", {"stop.at": "0.1 s", "grains.0.count": 100}),
    ("heap3d", {"stop.at": "10 ms"}),
    ("granular_gas", {"stop.at": "20 ms"}),
    ("soft_bounce", {"stop.at": "1 ms"}),
    ("slope_block", {"stop.at": "0.1 s"}),
]


@pytest.mark.parametrize(("name", "keys"), SHORT)
def test_same_folder_and_bits_as_the_command_line(name, keys, tmp_path, command):
    scenario = ds.template(name).with_settings(keys)
    file = tmp_path / "scenario.toml"
    scenario.save(file)
    done = command("run", file, "-o", tmp_path / "there", "--threads", 2, "--quiet")
    assert done.returncode == 0, done.stderr
    here, there = ds.run(ds.load(file), tmp_path / "here", threads=1, progress=False), ds.open(tmp_path / "there")
    assert here.report["steps"] > 0
    assert here.hash == there.hash
    # checkpoints count seconds; everything else has the same digests
    [mine, other] = [{name: digest for name, digest in run.report["files"].items() if name[-4:] != ".npz"} for run in (here, there)]
    assert mine == other and len(mine) > 4


def test_step_by_step_is_the_run(box, tmp_path):
    run = ds.run(box, tmp_path / "out", progress=False)
    simulation = ds.Simulation(box)
    reports = list(simulation.steps())
    assert simulation.is_over and len(reports) == run.report["steps"]
    assert simulation.hash == run.hash


def test_looking_on_changes_no_bit(soft):
    watched, alone = ds.Simulation(soft), ds.Simulation(soft)
    seen = []

    @watched.every("1 ms")
    def watch(s):
        seen.append((s.grains.position.mean(), s.kinetic_energy, len(s.contacts), s.frame().time))
        with s.view() as view:
            view.velocity.sum()

    watched.run()
    alone.run()
    assert len(seen) == 40
    assert np.array_equal(watched.grains.position, alone.grains.position)
    assert np.array_equal(watched.grains.velocity, alone.grains.velocity)


def test_threads_change_no_bit(box):
    hashes = set()
    for threads in (1, 2, 3):
        with ds.Simulation(box, threads=threads) as simulation:
            simulation.run("50 ms")
            hashes.add(simulation.hash)
    assert len(hashes) == 1


def test_interrupted_and_resumed_is_the_same(box, tmp_path):
    whole = ds.run(box, tmp_path / "whole", progress=False)
    simulation = ds.Simulation(box)
    simulation.record(tmp_path / "parts")

    @simulation.every("40 ms")
    def cut(s):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulation.run()
    report = json.loads((tmp_path / "parts" / "report.json").read_text())
    assert report["state"] == "interrupted" and 0 < report["steps"] < whole.report["steps"]
    parts = ds.resume(tmp_path / "parts", progress=False)
    assert parts.hash == whole.hash
    assert (parts.folder / "series.csv").read_bytes() == (whole.folder / "series.csv").read_bytes()
