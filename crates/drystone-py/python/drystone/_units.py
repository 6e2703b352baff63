"""Numbers with units."""

from __future__ import annotations

from numbers import Real

from . import _drystone
from ._errors import UsageError

_DIMENSIONS = {"s": (0, 0, 1, 0), "m": (0, 1, 0, 0), "m/s": (0, 1, -1, 0), "N": (1, 1, -2, 0), "rad/s": (0, 0, -1, 1)}


def si(value: float | str, unit: str) -> float:
    """The SI number of ``"5 ms"`` or ``0.005``; ``unit`` says of what kind: s, m, m/s, N or rad/s."""
    if isinstance(value, str):
        return _drystone.quantity(value, _DIMENSIONS[unit])
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    raise UsageError(f"a number in {unit} or a text such as \"5 {unit}\" is asked for, not {value!r}")


def duration(value: float | str, what: str) -> float:
    """A time above zero [s]."""
    seconds = si(value, "s")
    if not 0.0 < seconds < float("inf"):
        raise UsageError(f"{what} is a time above zero, not {value!r}")
    return seconds
