"""Contact problems u = W r + q with the laws of Signorini and Coulomb."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _drystone
from ._errors import UsageError

__all__ = ["Certificate", "Problem", "Solution", "read_problem", "solve"]


@dataclass(frozen=True)
class Certificate:
    """How good a solution is, and what the contacts do."""

    residual: float
    """Residual eps_nat of the contact laws, a ratio."""
    force_error: float
    """Estimated error of the forces by the doubling test, a ratio."""
    open: int
    """Contacts that carry no force."""
    stick: int
    """Contacts that stick."""
    slide: int
    """Contacts that slide."""
    painleve: int
    """Contacts where the law alone does not decide: mu |W_nt| >= W_nn."""


@dataclass(frozen=True)
class Solution:
    """What a solve found."""

    impulses: np.ndarray
    """Impulses r (contacts, d) [N s]: normal, then tangential."""
    velocities: np.ndarray
    """Velocities u = W r + q (contacts, d) [m/s]."""
    sweeps: int
    """Sweeps over all contacts, and Newton steps."""
    converged: bool
    """Whether residual and force error are as small as was asked for."""
    certificate: Certificate


@dataclass(frozen=True)
class Problem:
    """A contact problem."""

    W: Any
    """The operator of Delassus (n, n) [1/kg]: a sparse matrix of SciPy if it is installed, an array otherwise."""
    q: np.ndarray
    """Free velocities (n,) [m/s]."""
    mu: np.ndarray
    """Coefficients of friction (contacts,)."""


def solve(
    problem: str | os.PathLike | Problem | Any,
    q: Any = None,
    mu: Any = None,
    *,
    accuracy: float | str = 1e-8,
    solver: str = "sweeps",
    accelerator: str = "momentum",
    max_sweeps: int = 100_000,
) -> Solution:
    """Solves a contact problem and certifies the result.

    ``solve("problem.hdf5")`` reads an FCLIB file; ``solve(W, q, mu)`` takes W (n, n) as an array or as a sparse matrix
    of SciPy, q (n,) or (contacts, d), and mu: a number, or one for each contact. Rows of a contact follow each other:
    normal, tangential, and in space a second tangential.
    A solution that is not converged is returned with ``converged = False``.
    """
    if isinstance(problem, (str, os.PathLike)):
        problem = read_problem(problem)
    if isinstance(problem, Problem):
        if q is not None or mu is not None:
            raise UsageError("a stored problem has its own q and mu")
        problem, q, mu = problem.W, problem.q, problem.mu
    if q is None or mu is None:
        raise UsageError("solve(W, q, mu): q and mu are missing")
    free, dimension, friction = _right_side(q, mu)
    rows, columns, numbers = _entries(problem, free.size)
    if isinstance(max_sweeps, bool) or not isinstance(max_sweeps, (int, np.integer)) or not 1 <= max_sweeps < 2**63:
        raise UsageError(f"max_sweeps is a number above zero, not {max_sweeps!r}")
    if isinstance(accuracy, (int, float, np.number)):
        accuracy = repr(float(accuracy))
    found = _drystone.solve_problem(
        (rows, columns, numbers), free, friction, dimension, str(accuracy), solver, accelerator, int(max_sweeps)
    )
    names = ("residual", "force_error", "open", "stick", "slide", "painleve")
    return Solution(
        impulses=found.impulses.reshape(-1, dimension),
        velocities=found.velocities.reshape(-1, dimension),
        sweeps=found.sweeps,
        converged=found.converged,
        certificate=Certificate(**{name: getattr(found, name) for name in names}),
    )


def _right_side(q: Any, mu: Any) -> tuple[np.ndarray, int, np.ndarray]:
    try:
        free, friction = np.asarray(q, dtype=np.float64), np.asarray(mu, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"q and mu are arrays of numbers: {error}") from None
    if free.ndim not in (1, 2) or friction.ndim > 1 or free.size == 0:
        raise UsageError(f"q has the shape (n,) or (contacts, d), mu (contacts,), not {free.shape} and {friction.shape}")
    if free.ndim == 2:
        contacts, dimension = free.shape
    elif friction.ndim == 1 and friction.size > 0:
        contacts, dimension = friction.size, free.size // friction.size
    else:
        raise UsageError("with one mu for all, q has the shape (contacts, 2) or (contacts, 3)")
    if dimension not in (2, 3) or contacts * dimension != free.size:
        raise UsageError(f"each contact has 2 or 3 numbers in q: {free.size} numbers do not fit {contacts} contacts")
    if friction.ndim == 1 and friction.size != contacts:
        raise UsageError(f"mu has {friction.size} numbers for {contacts} contacts")
    friction = np.ascontiguousarray(np.broadcast_to(friction, (contacts,)))
    return np.ascontiguousarray(free.reshape(-1)), dimension, friction


def _entries(w: Any, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if hasattr(w, "tocoo"):
        shape, w = w.shape, w.tocoo()
        rows, columns, numbers = w.row, w.col, w.data
    else:
        try:
            dense = np.asarray(w, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise UsageError(f"W is a matrix of numbers: {error}") from None
        shape = dense.shape
        if dense.ndim != 2:
            raise UsageError(f"W has the shape {(size, size)}, not {shape}")
        rows, columns = np.nonzero(dense)
        numbers = dense[rows, columns]
    if tuple(shape) != (size, size):
        raise UsageError(f"W has the shape {(size, size)} as q has {size} numbers, not {tuple(shape)}")
    whole = (np.ascontiguousarray(column, dtype=np.int64) for column in (rows, columns))
    return *whole, np.ascontiguousarray(numbers, dtype=np.float64)


def read_problem(path: str | os.PathLike) -> Problem:
    """Reads an FCLIB file (HDF5)."""
    rows, columns, numbers, q, mu, _ = _drystone.read_problem(os.fspath(path))
    try:
        from scipy.sparse import coo_array
    except ImportError:
        w = np.zeros((q.size, q.size))
        w[rows, columns] = numbers
    else:
        w = coo_array((numbers, (rows, columns)), shape=(q.size, q.size)).tocsr()
    return Problem(w, q, mu)
