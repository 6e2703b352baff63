"""Scenarios: keys, mistakes with their places, units, pickling."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import drystone as ds


def test_keys_are_set_and_read(box):
    box["contact.sand-sand.friction"] = 0.3
    box["stop.at"] = "20 ms"
    box["grains.0.count"] = np.int64(10)
    assert box["contact.sand-sand.friction"] == 0.3
    assert box["stop.at"] == 0.02
    assert box["grains[0].count"] == 10
    assert box.materials == ["sand"] and box.walls == ["floor", "left", "right"]


def test_a_wrong_key_names_the_mistake_and_changes_nothing(box):
    before = box.to_toml()
    with pytest.raises(ds.ScenarioError) as caught:
        box["contact.sand-sand.frction"] = 0.3
    [mistake] = caught.value.mistakes
    assert mistake.code == caught.value.code == "E002"
    assert "friction" in mistake.help + mistake.message and mistake.line == 1
    with pytest.raises(ds.ScenarioError) as caught:
        box["stop.at"] = "3 mm"
    assert caught.value.mistakes[0].code == "E004"
    assert box.to_toml() == before


def test_mistakes_of_a_file_have_lines(tmp_path):
    file = tmp_path / "wrong.toml"
    file.write_text(ds.template("drop").to_toml(resolved=False).replace('"60 mm"', '"60 kg"') + "\nfoo = 3\n")
    with pytest.raises(ds.ScenarioError) as caught:
        ds.load(file)
    assert all(mistake.source == str(file) and mistake.line > 1 for mistake in caught.value.mistakes)
    assert str(file) in str(caught.value)
    with pytest.raises(ds.UsageError, match="cannot read"):
        ds.load(tmp_path / "none.toml")


def test_mistakes_are_those_of_the_command_line(tmp_path, command):
    file = tmp_path / "wrong.toml"
    file.write_text(ds.template("drop").to_toml(resolved=False).replace("dimension", "dimesion"))
    with pytest.raises(ds.ScenarioError) as caught:
        ds.load(file)
    said = command("check", file)
    assert said.returncode == 2
    for mistake in caught.value.mistakes:
        assert mistake.code in said.stderr


def test_pickle_and_copy(box):
    box["seed"] = 7
    again = pickle.loads(pickle.dumps(box))
    assert again == box and again["seed"] == 7 and again is not box
    other = copy.deepcopy(box)
    other["seed"] = 8
    assert box["seed"] == 7 and other != box
    with pytest.raises(ds.ScenarioError) as caught:
        box["seed"] = -1
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.mistakes == caught.value.mistakes and error.code == caught.value.code


def test_check_returns_warnings(box):
    assert all(isinstance(warning, ds.DrystoneWarning) for warning in box.check())
    box["gravity"] = [0, 9.81]
    found = box.check()
    assert any(warning.code.startswith("W") for warning in found), found
    assert "grains" in box.describe()


def test_warnings_go_through_warnings(box):
    box["method.cd.time_step"] = "20 ms"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ds.Simulation(box).run("60 ms")
    codes = {warning.message.code for warning in caught if isinstance(warning.message, ds.DrystoneWarning)}
    assert codes, "a step of 20 ms is too long"


def test_every_template_is_read_and_written_again():
    names = ds.templates()
    assert len(names) > 50
    for name in list(names)[:10]:
        scenario = ds.template(name)
        assert ds.scenario(scenario.to_dict()).to_toml().split("\n", 1)[0] == scenario.to_toml().split("\n", 1)[0]


@pytest.mark.parametrize("value", [object(), None, {1, 2}, 1j, b"bytes"])
def test_values_that_no_scenario_holds(box, value):
    with pytest.raises(ds.UsageError):
        box["seed"] = value


@pytest.mark.parametrize("key", ["", "a=b", 3, None, "contact.none.friction", "gravity.9.x"])
def test_keys_that_are_none(box, key):
    with pytest.raises(ds.UsageError):
        box[key] = 1


def test_shown(box):
    assert "Disks fall" in repr(box) and "<pre>" in box._repr_html_()
    with pytest.raises(KeyError, match="sand-sand"):
        box["contact.steel-steel.friction"]
    assert ds.explain("E004").startswith("E004")
    with pytest.raises(ds.UsageError):
        ds.explain("E999")
    with pytest.raises(ds.UsageError, match="template"):
        ds.template("none")
