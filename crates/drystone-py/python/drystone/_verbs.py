"""Whole runs, comparisons and studies: what the verbs of the command line do."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _drystone
from ._errors import UsageError
from ._command import flags, settings, verb
from ._run import Run
from ._scenario import Scenario, load
from ._simulation import Simulation

__all__ = ["advise", "command", "compare", "explain", "impact", "limit", "measures", "resume", "run", "sweep"]


def run(
    scenario: Scenario | str | os.PathLike,
    out: str | os.PathLike,
    *,
    threads: int | None = None,
    force: bool = False,
    progress: bool = True,
) -> Run:
    """Runs a scenario to its end: the same folder and the same bits as ``drystone run``.

    ``force`` replaces a run that the folder holds. Ctrl-C leaves a folder that :func:`resume` goes on with.
    """
    with Simulation(scenario, threads=threads) as simulation:
        simulation.record(out, force=force)
        simulation.run(progress=progress)
    return Run(out)


def resume(folder: str | os.PathLike, *, threads: int | None = None, progress: bool = True) -> Run:
    """Goes on with a run that was interrupted."""
    with Simulation.resume(folder, threads=threads) as simulation:
        simulation.run(progress=progress)
    return Run(folder)


def sweep(
    scenario: Scenario | str | os.PathLike,
    keys: Mapping[str, Sequence[Any]],
    out: str | os.PathLike,
    *,
    threads: int | None = None,
    force: bool = False,
) -> Iterator[tuple[dict[str, Any], Run]]:
    """Runs a scenario with every combination of values: ``sweep(sc, {"seed": [1, 2], "stop.at": ["1 s"]}, "study")``.

    Yields the values and their run as soon as it is done; folders are ``out/0``, ``out/1`` ... A run that is complete
    and has the same scenario is not made again, so that a sweep can be stopped and started anew.
    """
    base = scenario if isinstance(scenario, Scenario) else load(scenario)
    if not keys or any(isinstance(values, (str, bytes)) for values in keys.values()):
        raise UsageError("a sweep has lists of values: {\"seed\": [1, 2, 3]}")
    for number, values in enumerate(itertools.product(*keys.values())):
        chosen = dict(zip(keys, values))
        one, folder = base.with_settings(chosen), Path(out) / str(number)
        yield chosen, _known(one, folder) or run(one, folder, threads=threads, force=force, progress=False)


def _known(scenario: Scenario, folder: Path) -> Run | None:
    if not (folder / "report.json").is_file():
        return None
    found = Run(folder)
    is_same = found.scenario.to_toml() == scenario.to_toml()
    return found if is_same and found.report["state"] == "done" else None


def _file(scenario: Scenario | str | os.PathLike, folder: str) -> str:
    """A file of the scenario, in its own folder if it names others."""
    if not isinstance(scenario, Scenario):
        return os.fspath(scenario)
    path = os.path.join(folder, "scenario.toml")
    scenario.save(path)
    return path


def compare(
    scenario: Scenario | str | os.PathLike, out: str | os.PathLike, set: Mapping[str, Any] | None = None, **options: Any
) -> dict[str, Any]:
    """Compares methods, with the options of ``drystone compare``: ``methods="cd,md"``, ``seeds=5``, ``jobs=2``.

    Writes a page with figures and tables into ``out``, and returns its numbers.
    """
    with tempfile.TemporaryDirectory() as folder:
        arguments = [_file(scenario, folder), *settings(dict(set or {})), *flags(**options), "-o", os.fspath(out)]
        return json.loads(verb("compare", *arguments, "--json"))


def advise(scenario: Scenario | str | os.PathLike, set: Mapping[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Which method to take: what each costs and gets wrong, from trial steps."""
    with tempfile.TemporaryDirectory() as folder:
        return json.loads(
            verb("advise", _file(scenario, folder), *settings(dict(set or {})), *flags(**options), "--json")
        )


def limit(
    scenario: Scenario | str | os.PathLike, load: str, set: Mapping[str, Any] | None = None, **options: Any
) -> dict[str, Any]:
    """By how much a load can grow until grains at rest fall, with the options of ``drystone limit``."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [_file(scenario, folder), "--load", load, *settings(dict(set or {})), *flags(**options)]
        return json.loads(verb("limit", *arguments, "--json"))


def impact(**options: Any) -> dict[str, np.ndarray]:
    """Slip after an oblique impact over the slip before, for soft tangential laws: columns of numbers.

    Options are those of ``drystone impact``: ``law="cundall_strack"``, ``friction=0.3``, ``restitution=0.9``,
    ``dimension=3``.
    """
    with tempfile.TemporaryDirectory() as folder:
        verb("impact", *flags(**options), "-o", os.path.join(folder, "map.svg"))
        rows = list(csv.reader(io.StringIO(Path(folder, "map.csv").read_text(encoding="utf-8"))))
    return {name: np.array([float(row[k] or "nan") for row in rows[1:]]) for k, name in enumerate(rows[0])}


def measures() -> dict[str, str]:
    """What can be measured: names, and what they are."""
    lines = verb("list", "measures").splitlines()
    return {line.split()[0]: lines[k + 1].strip() for k, line in enumerate(lines[:-1]) if line[:1].strip()}


def explain(code: str) -> str:
    """What the code of an error or a warning means."""
    found = _drystone.explain(code)
    if found is None:
        raise UsageError(f"there is no code `{code}`")
    return f"{code}: {found[0]}\n\n{found[1]}"


def command(*arguments: str | os.PathLike) -> str:
    """What ``drystone arguments...`` prints: ``command("list", "laws")``."""
    if not arguments:
        raise UsageError("name a verb: command(\"list\", \"laws\")")
    return verb(os.fspath(arguments[0]), *arguments[1:])
