"""Folders of runs: series, frames, measures, pictures; and the verbs of the command line."""

import os
import subprocess
import sys

import numpy as np
import pytest

import drystone as ds


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    from conftest import BOX

    return ds.run(ds.scenario(BOX), tmp_path_factory.mktemp("run") / "out", progress=False)


def test_series_and_frames(run):
    series = run.series
    assert len(series["time [s]"]) == 11 and series["kinetic_energy [J]"].iloc[-1] > 0
    assert len(run.frames) == 3 and run.frames[-1].time == pytest.approx(0.1)
    assert [frame.number for frame in run.frames] == [0, 1, 2] == [frame.number for frame in run.frames[:]]
    frame = run.frames[-1]
    assert frame.grains.position.shape == (60, 2) and np.array_equal(frame.grains["id"], np.arange(60))
    assert "60 grains" in repr(frame) and "done" in repr(run)
    with pytest.raises(IndexError):
        run.frames[3]
    with pytest.raises(ValueError, match="read-only"):
        frame.contacts["a"] = 0


def test_frames_are_those_of_the_simulation(run, box):
    s = ds.Simulation(box)
    s.run()
    now, stored = s.frame(), run.frames[-1]
    assert np.array_equal(now.grains.velocity, stored.grains.velocity)
    assert np.array_equal(now.contacts, stored.contacts) and len(now.contacts) > 0
    order = np.argsort(s.grains.id)
    assert np.array_equal(now.grains.position, s.grains.position[order])


def test_xarray(run):
    xarray = pytest.importorskip("xarray")
    data = run.frames[-1].to_xarray()
    assert isinstance(data, xarray.Dataset) and data.sizes["grain"] == 60
    assert data["velocity"].attrs["units"] == "m/s"
    energy = float((0.5 * data["mass"] * (data["velocity"] ** 2).sum("axis")).sum())
    turning = float((0.25 * data["mass"] * (data["radius"] * data["angular_velocity"]) ** 2).sum())
    np.testing.assert_allclose(energy + turning, run.series["kinetic_energy [J]"].iloc[-1], rtol=1e-9)


def test_measures(run):
    table = run.measure("coordination")
    assert len(table) == 3 and list(table["frame"]) == [0, 1, 2]
    last = run.measure("stress", frames=2, region="y=0..0.02")
    assert len(last) == 1 and np.isfinite(last.to_numpy()).all()
    own = run.measure(lambda frame: {"top [m]": frame.grains.position[:, 1].max()})
    assert own["top [m]"].iloc[0] > own["top [m]"].iloc[-1]
    assert "stress" in ds.measures()
    for wrong in ({"region": "y=0"}, {"nothing": 1}, {"frames": 99}):
        with pytest.raises(ds.UsageError):
            run.measure("stress", **wrong)
    with pytest.raises(ds.UsageError, match="did you mean `stress`"):
        run.measure("stres")


def test_pictures(run, tmp_path):
    picture = run.picture(colour="speed")
    assert picture._repr_png_().startswith(b"\x89PNG") and picture._repr_svg_() is None
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == picture.data
    assert "<svg" in run.picture(kind="svg")._repr_svg_()
    assert "<svg" in run.plot("kinetic_energy")._repr_svg_()
    with pytest.raises(ds.UsageError):
        run.picture(colour="taste")
    with pytest.raises(ds.UsageError):
        run.picture(kind="gif")


def test_certify_finds_altered_numbers(run, tmp_path):
    assert run.certify()
    file = run.folder / "series.csv"
    text = file.read_text()
    file.write_text(text.replace("1", "2", 40))
    try:
        with pytest.raises(ds.RunFailed):
            run.certify()
    finally:
        file.write_text(text)


def test_folders_that_are_no_runs(run, box, tmp_path):
    with pytest.raises(ds.FileError, match="folder of a run"):
        ds.open(tmp_path)
    with pytest.raises(ds.FileError, match="E101"):
        ds.run(box, run.folder, progress=False)
    with pytest.raises(ds.FileError):
        ds.resume(tmp_path / "none")
    s = ds.Simulation(box)
    s.record(tmp_path / "out")
    with pytest.raises(ds.StateError, match="already"):
        s.record(tmp_path / "other")


def test_sweep_goes_on(box, tmp_path):
    keys = {"contact.sand-sand.friction": [0.1, 0.5], "seed": [1, 2]}
    first = {tuple(values.values()): run.hash for values, run in ds.sweep(box, keys, tmp_path / "study")}
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.glob("study/*/report.json")}
    again = {tuple(values.values()): run.hash for values, run in ds.sweep(box, keys, tmp_path / "study")}
    assert first == again and len(set(first.values())) == 4
    assert stamps == {path: path.stat().st_mtime_ns for path in tmp_path.glob("study/*/report.json")}


def test_verbs(box, tmp_path):
    assert "coulomb" in ds.command("list", "laws")
    impact = ds.impact(law="cundall_strack")
    assert all(len(column) > 3 for column in impact.values())
    with pytest.raises(ds.UsageError):
        ds.command("simulate")
    with pytest.raises(ds.UsageError):
        ds.command()
    with pytest.raises(ds.UsageError):
        ds.advise(tmp_path / "none.toml")
    block = {"grains.0.count": 3, "stop.at": "5 ms"}
    found = ds.compare(box.with_settings(block), tmp_path / "cmp", methods="cd,md", seeds=1)
    assert isinstance(found, dict) and any((tmp_path / "cmp").iterdir())


def test_the_command_line_of_the_package(tmp_path):
    call = lambda *words: subprocess.run([sys.executable, "-m", "drystone", *words], capture_output=True, text=True)  # noqa: E731
    assert call("--version").stdout.split()[1] == ds.__version__
    assert call("new", "drop").stdout == ds.template("drop").to_toml(resolved=False)
    wrong = call("fly")
    assert wrong.returncode == 2 and "error" in wrong.stderr
    script = os.path.join(os.path.dirname(sys.executable), "drystone")
    said = subprocess.run([script, "list", "laws"], capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout == ds.command("list", "laws")
