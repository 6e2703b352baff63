"""Exceptions and warnings. Each has a code, which ``drystone explain`` and :func:`drystone.explain` know."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "DrystoneError",
    "DrystoneWarning",
    "FileError",
    "Mistake",
    "RunFailed",
    "ScenarioError",
    "StateError",
    "StepError",
    "UsageError",
]


class DrystoneError(Exception):
    """Anything that goes wrong in drystone.

    ``code`` is the code of the message, such as "E205", or "" if it has none.
    """

    code: str

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(f"{message} [{code}]" if code and f"[{code}]" not in message else message)
        self.code = code

    def __reduce__(self):
        return (_again, (type(self), self.args, self.__dict__))


def _again(kind, args, state):
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class UsageError(DrystoneError, ValueError):
    """A value, a name or a shape that does not fit."""


class StateError(DrystoneError, RuntimeError):
    """Something was asked of a simulation or a view that it cannot do now: it is closed, or ended by an error."""


class StepError(DrystoneError, ArithmeticError):
    """A step could not be made."""


class FileError(DrystoneError, OSError):
    """A file or folder could not be read or written."""


class RunFailed(DrystoneError):
    """A verb of the command line failed."""


class DrystoneWarning(UserWarning):
    """A warning about a scenario or a run; ``code`` is its code."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(f"{message} [{code}]" if code else message)
        self.code = code


@dataclass(frozen=True)
class Mistake:
    """A mistake in a scenario, or a warning about it."""

    code: str
    """Code, for :func:`drystone.explain`."""
    message: str
    """What is wrong."""
    help: str
    """What to write instead."""
    source: str | None = None
    """The file, or the setting (``--set key``)."""
    line: int | None = None
    """Line in it, from 1."""
    column: int | None = None
    """Column in it, from 1."""

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}:{self.column}: " if self.source else ""
        help = f"\n  help: {self.help}" if self.help else ""
        return f"[{self.code}] {place}{self.message}{help}"


class ScenarioError(UsageError):
    """A scenario with mistakes; ``mistakes`` are all of them."""

    mistakes: list[Mistake]

    def __init__(self, mistakes: list[Mistake]) -> None:
        Exception.__init__(self, "\n".join(str(mistake) for mistake in mistakes))
        self.code = mistakes[0].code if mistakes else ""
        self.mistakes = mistakes


def scenario_error(told: list[tuple]) -> ScenarioError:
    return ScenarioError([Mistake(*mistake) for mistake in told])
