"""Scenarios: what a run depends on."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any


from . import _drystone
from ._errors import DrystoneWarning, Mistake, UsageError

__all__ = ["Scenario", "load", "scenario", "template", "templates"]


class Scenario:
    """A scenario that has no mistakes.

    ``scenario["contact.sand-sand.friction"] = 0.3`` sets a key, as ``--set`` does on the command line; numbers are SI,
    texts carry units. A value that does not fit raises :class:`ScenarioError`, and the scenario keeps what it had.
    """

    def __init__(self, core: _drystone.Scenario) -> None:
        self._core = core

    @property
    def title(self) -> str:
        """Title of the run."""
        return self["title"]

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._core.dimension

    @property
    def name(self) -> str:
        """The file that it was read from, or what it is called in messages."""
        return self._core.name

    @property
    def walls(self) -> list[str]:
        """Names of the walls."""
        return self._core.walls()

    @property
    def materials(self) -> list[str]:
        """Names of the materials, in the order of their numbers."""
        return self._core.materials()

    def set(self, settings: Mapping[str, Any]) -> None:
        """Sets several keys at once: ``scenario.set({"seed": 3, "stop.at": "2 s"})``."""
        core = self._core
        added = [f"{_key(key)}={_toml(value)}" for key, value in settings.items()]
        self._core = _drystone.Scenario(core.name, core.text, core.settings + added, core.folder)

    def __setitem__(self, key: str, value: Any) -> None:
        self.set({key: value})

    def __getitem__(self, key: str) -> Any:
        """A key of the resolved scenario: defaults filled in, SI numbers."""
        here: Any = self.to_dict()
        for step in _key(key).replace("[", ".").replace("]", "").split("."):
            here = _child(here, step, key)
        return here

    def with_settings(self, settings: Mapping[str, Any]) -> Scenario:
        """A copy with these keys."""
        copy = Scenario(self._core)
        copy.set(settings)
        return copy

    def copy(self) -> Scenario:
        """A copy, whose keys can be set without changing this one."""
        return Scenario(self._core)

    def check(self) -> list[DrystoneWarning]:
        """Builds the world without running it. Returns warnings; what is wrong raises :class:`ScenarioError`."""
        described = self._core.describe()
        told = [Mistake(*warning) for warning in self._core.warnings()]
        found = [DrystoneWarning(f"{mistake.message}; {mistake.help}", mistake.code) for mistake in told]
        for name, value in described:
            if name.startswith("warning["):
                found.append(DrystoneWarning(value, name[len("warning[") : -1]))
        return found

    def describe(self) -> dict[str, str]:
        """What will happen, as ``drystone check`` prints it. Builds the world."""
        return {name: value for name, value in self._core.describe() if not name.startswith("warning[")}

    def to_toml(self, resolved: bool = True) -> str:
        """The scenario as text: resolved, with defaults filled in and SI numbers, or as it was written."""
        return self._core.resolved() if resolved else self._core.text

    def to_dict(self) -> dict[str, Any]:
        """The resolved scenario as tables and lists."""
        return json.loads(self._core.resolved_json())

    def save(self, path: str | os.PathLike) -> None:
        """Writes the resolved scenario to a file."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def __reduce__(self):
        core = self._core
        return (_again, (core.name, core.text, core.settings, os.fspath(core.folder)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self._core.resolved() == other._core.resolved()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<scenario {self.title!r}: dimension {self.dimension}, method {self['method.use']}>"

    def _repr_html_(self) -> str:
        settings = "".join(f"<li><code>{html.escape(setting)}</code></li>" for setting in self._core.settings)
        shown = f"<p>with</p><ul>{settings}</ul>" if settings else ""
        text = html.escape(self._core.text)
        return f"<b>{html.escape(self.title)}</b>{shown}<details><summary>{html.escape(self.name)}</summary><pre>{text}</pre></details>"


def _again(name: str, text: str, settings: list[str], folder: str) -> Scenario:
    return Scenario(_drystone.Scenario(name, text, settings, folder))


def _key(key: str) -> str:
    if not isinstance(key, str) or not key or "=" in key:
        raise UsageError(f"a key is a text such as \"contact.sand-sand.friction\", not {key!r}")
    return key


def _child(here: Any, step: str, key: str) -> Any:
    if isinstance(here, dict) and step in here:
        return here[step]
    if isinstance(here, list):
        for item in here:
            if isinstance(item, dict) and step in _names(item):
                return item
        if step.isdigit() and int(step) < len(here):
            return here[int(step)]
        known = [name for item in here if isinstance(item, dict) for name in _names(item)[:1]]
        raise KeyError(f"{key}: no element `{step}`; there are {', '.join(known) or len(here)}")
    known = ", ".join(here) if isinstance(here, dict) else "nothing below"
    raise KeyError(f"{key}: no `{step}`; there is {known}")


def _names(item: dict) -> list[str]:
    between = item.get("between")
    if isinstance(between, list) and len(between) == 2:
        return ["-".join(between), "-".join(reversed(between))]
    return [name for name in (item.get("name"), between) if isinstance(name, str)]


def _toml(value: Any) -> str:
    """A value as TOML writes it in a line."""
    if hasattr(value, "tolist"):
        value = value.tolist()  # numbers and arrays of NumPy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value)).replace("inf", "inf")
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    raise UsageError(f"a scenario holds numbers, texts, lists and tables, not {type(value).__name__}")


def load(path: str | os.PathLike) -> Scenario:
    """Reads a scenario file. Files that it names are looked for beside it."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text in UTF-8", "E010") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "E010") from None
    return Scenario(_drystone.Scenario(str(path), text, [], os.fspath(path.parent)))


def template(name: str) -> Scenario:
    """One of the ready scenarios; :func:`templates` lists them."""
    text = _drystone.template(name)
    if text is None:
        raise UsageError(f"there is no template `{name}`; there are {', '.join(templates())}")
    return Scenario(_drystone.Scenario(f"{name}.toml", text, [], "."))


def templates() -> dict[str, str]:
    """Names of the ready scenarios, and what they are."""
    return dict(_drystone.templates())


def scenario(tables: Mapping[str, Any] | str, folder: str | os.PathLike = ".") -> Scenario:
    """A scenario from a dictionary with the keys of a scenario file, or from the text of one.

    Files that it names are looked for in ``folder``.
    """
    text = tables if isinstance(tables, str) else "".join(f"{json.dumps(str(k))} = {_toml(v)}\n" for k, v in tables.items())
    return Scenario(_drystone.Scenario("scenario", text, [], os.fspath(folder)))
