"""Frames: grains, contacts and walls at one instant, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _drystone
from ._errors import UsageError

if TYPE_CHECKING:
    import xarray

__all__ = ["Columns", "Frame"]

REGIMES = ("open", "stick", "slide")


class Columns:
    """Columns of one length, read by name: ``grains.position`` or ``grains["position"]``. Each reading gives a new array."""

    def __init__(self, what: str, names: tuple[str, ...], read: Any) -> None:
        self._what, self._names, self._read = what, names, read

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self._names

    def __getitem__(self, name: str) -> np.ndarray:
        column = self._read(name) if name in self._names else None
        if column is None:
            raise KeyError(f"{self._what} have no `{name}`; they have {', '.join(self._names)}")
        return column

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __len__(self) -> int:
        return len(self._read(self._names[0]))

    def to_dict(self) -> dict[str, np.ndarray]:
        """All columns."""
        return {name: self[name] for name in self._names}

    def __repr__(self) -> str:
        return f"<{len(self)} {self._what}: {', '.join(self._names)}>"


_GRAINS = ("position", "velocity", "angular_velocity", "orientation", "radius", "mass", "id", "material")


class Frame:
    """What the grains, their contacts and the walls look like at one instant. Nothing changes it any more."""

    def __init__(self, core: _drystone.Frame, number: int | None = None) -> None:
        self._core, self._numbers, self._contacts = core, core.numbers(), None
        self.number = number

    @property
    def time(self) -> float:
        """Time [s]."""
        return self._numbers["time"]

    @property
    def step(self) -> int:
        """Number of steps made since the start."""
        return self._numbers["step"]

    @property
    def time_step(self) -> float:
        """Length of the last step [s]."""
        return self._numbers["time_step"]

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._numbers["dimension"]

    @property
    def residual(self) -> float:
        """Residual of the contact laws in the last step, a ratio."""
        return self._numbers["residual"]

    @property
    def energies(self) -> dict[str, float]:
        """Energy taken out by contacts, put in by walls, and stored in soft contacts [J]."""
        return {name: self._numbers[name] for name in ("dissipated", "wall_work", "elastic")}

    @property
    def grains(self) -> Columns:
        """Grains in the order of their ids: position [m], velocity [m/s], angular_velocity [rad/s], orientation (angle
        [rad] in 2D, unit quaternion x, y, z, w in 3D), radius [m], mass [kg], id, material.

        In a periodic cell these are the images that lie in it; own_position is never wrapped back.
        """
        strain = () if self._core.grains("strain") is None else ("strain",)
        return Columns("grains", (*_GRAINS, "own_position", *strain), self._core.grains)

    @property
    def walls(self) -> Columns:
        """Walls in the order of the scenario: displacement [m], velocity [m/s], force of the grains on each [N]."""
        return Columns("walls", ("displacement", "velocity", "force"), self._core.walls)

    @property
    def wall_faces(self) -> list[tuple[int, np.ndarray]]:
        """Faces of the walls to draw: number of the wall, corners (n, d) [m]."""
        return [(wall, np.array(corners)) for wall, corners in self._core.faces()]

    @property
    def contacts(self) -> np.ndarray:
        """Contacts that carry a force, as a structured array.

        Fields: ``a`` and ``b`` (ids of grains; wall k is -1 - k), ``point`` [m], ``normal`` (from a to b), ``gap`` [m]
        (negative: overlap), ``force_n`` [N], ``force_t`` [N] (vector, on b), ``friction`` (coefficient), ``regime``
        (index into ``drystone.REGIMES``: open, stick, slide).
        """
        if self._contacts is None:
            self._contacts = self._gather()
            self._contacts.setflags(write=False)
        return self._contacts

    def _gather(self) -> np.ndarray:
        read, d = self._core.contacts, self.dimension
        vector = (np.float64, (d,))
        fields: list[tuple] = [("a", np.int64), ("b", np.int64), ("point", *vector), ("normal", *vector)]
        fields += [("gap", np.float64), ("force_n", np.float64), ("force_t", *vector)]
        friction = read("friction")
        count = len(read("a"))
        if len(friction) == count:
            fields.append(("friction", np.float64))
        found = np.empty(count, dtype=[*fields, ("regime", np.uint8)])
        for name in found.dtype.names:
            if name != "point":
                found[name] = read(name)
        found["point"] = self._points(found)
        return found

    def _points(self, contacts: np.ndarray) -> np.ndarray:
        to, arm = self._core.contacts("to"), self._core.contacts("arm_b")
        if len(arm) == len(to):
            return to + arm
        # round grains: at a wall on the surface of the grain, between grains half-way between the surfaces
        ids, radius = self._core.grains("id"), self._core.grains("radius")
        reach = radius[np.searchsorted(ids, contacts["b"])]
        reach = np.where(contacts["a"] < 0, reach, reach + 0.5 * contacts["gap"])
        return to - contacts["normal"] * reach[:, None]

    def to_xarray(self) -> xarray.Dataset:
        """Grains and contacts as a Dataset with units. Needs xarray."""
        import xarray

        axes, contacts = list("xyz"[: self.dimension]), self.contacts
        values: dict[str, tuple] = {}
        for name, column in self.grains.to_dict().items():
            last = {self.dimension: "axis", 4: "quaternion", 6: "strain"}.get(column.shape[-1], "axis")
            values[name] = (("grain",) if column.ndim == 1 else ("grain", last), column, {"units": _UNITS.get(name, "1")})
        for name in contacts.dtype.names:
            column = contacts[name]
            dims = ("contact",) if column.ndim == 1 else ("contact", "axis")
            values[f"contact_{name}"] = (dims, column, {"units": _UNITS.get(name, "1")})
        ids = values.pop("id")[1]
        attributes = {"time": self.time, "step": self.step}
        return xarray.Dataset(values, coords={"grain": ids, "axis": axes}, attrs=attributes)

    def __repr__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        grains, contacts = len(self.grains), len(self._core.contacts("a"))
        return f"<frame{number} at {self.time:.6g} s: {grains} grains, {contacts} contacts>"


_UNITS = {
    "position": "m",
    "own_position": "m",
    "velocity": "m/s",
    "angular_velocity": "rad/s",
    "radius": "m",
    "mass": "kg",
    "point": "m",
    "gap": "m",
    "force_n": "N",
    "force_t": "N",
}


def read(folder: str, number: int) -> Frame:
    try:
        return Frame(_drystone.read_frame(folder, number), number)
    except OverflowError:
        raise UsageError(f"there is no frame {number}") from None
