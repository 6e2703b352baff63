"""Runs: the folders that they are recorded in."""

from __future__ import annotations

import csv
import html
import io
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _drystone, _frame
from ._errors import FileError, UsageError
from ._command import flags, verb
from ._frame import Frame
from ._scenario import Scenario, load

__all__ = ["Frames", "Picture", "Run", "open"]


class Picture:
    """A picture; shown in a notebook."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.data, self.kind = data, kind

    def save(self, path: str | os.PathLike) -> None:
        """Writes the picture to a file."""
        Path(path).write_bytes(self.data)

    def _repr_png_(self) -> bytes | None:
        return self.data if self.kind == "png" else None

    def _repr_svg_(self) -> str | None:
        return self.data.decode() if self.kind == "svg" else None

    def __repr__(self) -> str:
        return f"<{self.kind} picture, {len(self.data)} bytes>"


class Frames(Sequence):
    """The frames of a run; each is read when it is asked for."""

    def __init__(self, folder: str) -> None:
        self._folder, self._known = folder, _drystone.frame_numbers(folder)

    def __len__(self) -> int:
        return len(self._known)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [_frame.read(self._folder, number) for number in self._known[index]]
        return _frame.read(self._folder, self._known[index])

    def __iter__(self) -> Iterator[Frame]:
        return (_frame.read(self._folder, number) for number in self._known)

    def __repr__(self) -> str:
        return f"<{len(self)} frames of {self._folder}>"


class Run:
    """The folder of a run: its scenario, series, frames and report."""

    def __init__(self, folder: str | os.PathLike) -> None:
        self.folder = Path(folder)
        if not (self.folder / "scenario.toml").is_file():
            raise FileError(f"{folder} is not the folder of a run: it has no scenario.toml", "E102")

    @property
    def scenario(self) -> Scenario:
        """The scenario as it was run: defaults filled in."""
        return load(self.folder / "scenario.toml")

    @property
    def report(self) -> dict[str, Any]:
        """The verdict: steps, residuals, warnings, hash of the state."""
        path = self.folder / "report.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except OSError:
            raise FileError(f"{path} is not there: the run goes on, or was killed", "E102") from None

    @property
    def hash(self) -> str:
        """Hash of the last state: equal hashes mean equal bits."""
        return self.report["hash"]

    @property
    def series(self) -> Any:
        """``series.csv``: a table of pandas if it is installed, a dictionary of arrays otherwise. Headers have units."""
        try:
            text = (self.folder / "series.csv").read_text(encoding="utf-8")
        except OSError as error:
            raise FileError(f"cannot read the series: {error}", "E103") from None
        return _table(text)

    @property
    def frames(self) -> Frames:
        """The frames."""
        return Frames(os.fspath(self.folder))

    def measure(self, what: str | Callable[[Frame], Any], frames: Any = None, **options: Any) -> Any:
        """Measures frames; a table as :attr:`series`, with a row for each frame, or one for each cell or bin.

        ``what`` is a measure (:func:`drystone.measures` names them), with the options of ``drystone measure``:
        ``region="y=0..0.1"``, ``cells="20x10"``, ``bins``, ``axis``, ``since``, ``wall``, ``reach``, ``width``,
        ``below``, ``mean=True``; ``frames="3..9"``, "last" or a number. Or it is a function of a :class:`Frame` that
        returns a number, or a dictionary of numbers.
        """
        if callable(what):
            return self._own_measure(what, frames, options)
        chosen = None if frames is None else str(frames)
        return _table(verb("measure", os.fspath(self.folder), what, *flags(frames=chosen, **options)))

    def _own_measure(self, function: Callable[[Frame], Any], frames: Any, options: dict) -> Any:
        if options:
            raise UsageError(f"a function of a frame takes no {', '.join(options)}")
        every = self.frames
        if frames is not None:
            every = every[frames] if isinstance(frames, slice) else [every[int(frames)]]
        rows = []
        for one in every:
            value = function(one)
            value = value if isinstance(value, dict) else {getattr(function, "__name__", "value"): value}
            rows.append({"frame": one.number, "time [s]": one.time, **value})
        return _columns({name: [row[name] for row in rows] for name in (rows[0] if rows else ())})

    def certify(self) -> dict[str, Any]:
        """Recomputes the frames from the files. Raises :class:`RunFailed` if a number or a file was altered."""
        return json.loads(verb("certify", os.fspath(self.folder), "--json"))

    def info(self) -> str:
        """The verdict in words."""
        return verb("info", os.fspath(self.folder))

    def picture(self, frame: int | str = "last", kind: str = "png", **options: Any) -> Picture:
        """Draws a frame, with the options of ``drystone picture``: ``colour="speed"``, ``chains=True``, ``dpi=300``."""
        return _drawn("picture", [os.fspath(self.folder)], kind, frame=frame, **options)

    def plot(self, *columns: str, kind: str = "svg", **options: Any) -> Picture:
        """Draws columns of the series, with the options of ``drystone plot``: ``r.plot("kinetic_energy", log="y")``."""
        return _drawn("plot", [os.fspath(self.folder), *columns], kind, **options)

    def _repr_png_(self) -> bytes | None:
        return self.picture().data

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.info())}</pre>"

    def __repr__(self) -> str:
        path = self.folder / "report.json"
        state = self.report["state"] if path.is_file() else "running"
        return f"<run {os.fspath(self.folder)!r}: {state}>"


def open(folder: str | os.PathLike) -> Run:
    """Opens the folder of a run."""
    return Run(folder)


def _drawn(name: str, arguments: list[str], kind: str, **options: Any) -> Picture:
    if kind not in ("png", "svg"):
        raise UsageError(f"a picture is png or svg, not {kind!r}")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, f"picture.{kind}")
        verb(name, *arguments, *flags(**options), "-o", out)
        return Picture(Path(out).read_bytes(), kind)


def _table(text: str) -> Any:
    rows = list(csv.reader(io.StringIO(text)))
    numbers = np.array([[float(cell or "nan") for cell in row] for row in rows[1:]]).reshape(-1, len(rows[0]))
    return _columns(dict(zip(rows[0], numbers.T)))  # read here: readers of pandas differ in the last digit


def _columns(columns: dict[str, Any]) -> Any:
    try:
        import pandas
    except ImportError:
        return {name: np.array(values) for name, values in columns.items()}
    return pandas.DataFrame(columns)
