"""Contact problems from arrays."""

import numpy as np
import pytest

import drystone as ds


def column(n):
    """n disks of mass 1 on top of each other, each pressed down with 1 N s; contacts from the floor up."""
    w = np.zeros((2 * n, 2 * n))
    for k in range(n):
        w[2 * k, 2 * k], w[2 * k + 1, 2 * k + 1] = (1, 3) if k == 0 else (2, 6)
        if k > 0:
            w[2 * k, 2 * k - 2] = w[2 * k - 2, 2 * k] = -1
    q = np.zeros((n, 2))
    q[0, 0] = -1
    return w, q


@pytest.mark.parametrize("solver", ["sweeps", "newton"])
def test_a_column_carries_its_weight(solver):
    w, q = column(10)
    found = ds.solve(w, q, 0.5, accuracy=1e-12, solver=solver)
    assert found.converged and found.certificate.residual <= 1e-12 and found.certificate.stick == 10
    np.testing.assert_allclose(found.impulses[:, 0], np.arange(10, 0, -1), rtol=1e-8)
    np.testing.assert_allclose(found.velocities.reshape(-1), w @ found.impulses.reshape(-1) + q.reshape(-1), atol=1e-12)


def test_sparse_is_dense_is_a_file(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    w, q = column(6)
    dense = ds.solve(w, q, np.full(6, 0.5))
    for form in (sparse.csr_matrix, sparse.coo_array, sparse.csc_array, sparse.bsr_array):
        assert np.array_equal(ds.solve(form(w), q.reshape(-1), np.full(6, 0.5)).impulses, dense.impulses)


def test_a_stored_problem(tmp_path, box):
    run = ds.run(box, tmp_path / "out", progress=False)
    ds.command("export", run.folder, "--to", "fclib", "--frame", "last", "-o", tmp_path / "problems")
    [file] = list((tmp_path / "problems").rglob("*.hdf5"))
    problem = ds.read_problem(file)
    contacts = len(problem.mu)
    assert contacts > 20 and problem.W.shape == (2 * contacts, 2 * contacts)
    stored, arrays = ds.solve(file, accuracy=1e-5), ds.solve(problem.W, problem.q, problem.mu, accuracy=1e-5)
    assert stored.converged and np.array_equal(stored.impulses, arrays.impulses)
    assert np.array_equal(ds.solve(problem, accuracy=1e-5).impulses, arrays.impulses)


def test_a_solve_that_is_cut_off_says_so():
    w, q = column(40)
    found = ds.solve(w, q, 0.5, accuracy=1e-12, max_sweeps=20)
    assert not found.converged and found.sweeps == 20


@pytest.mark.parametrize(
    ("w", "q", "mu"),
    [
        (np.eye(4), np.zeros(4), [0.5]),
        (np.eye(4), np.zeros(6), [0.5, 0.5]),
        (np.eye(4), np.zeros((2, 2)), [0.5, 0.5, 0.5]),
        (np.eye(4), np.zeros((1, 4)), 0.5),
        (np.eye(4), np.full(4, np.nan), [0.5, 0.5]),
        (np.full((4, 4), np.inf), np.zeros(4), [0.5, 0.5]),
        (np.zeros((4, 4)), np.zeros(4), [0.5, 0.5]),
        (np.eye(4), np.zeros(4), [-0.5, 0.5]),
        (np.eye(4), np.zeros(4), "mu"),
        (np.eye(4)[None], np.zeros(4), [0.5, 0.5]),
        ("none.hdf5", None, None),
        (np.eye(4), None, None),
        (np.eye(0), np.zeros(0), []),
        ([["a"]], np.zeros(4), [0.5, 0.5]),
        (np.eye(4), np.zeros(4), [[0.5, 0.5]]),
    ],
)
def test_what_is_no_problem(w, q, mu):
    with pytest.raises((ds.UsageError, ds.FileError)):
        ds.solve(w, q, mu)


@pytest.mark.parametrize(
    "option",
    [{"accuracy": -1}, {"accuracy": "exact"}, {"solver": "magic"}, {"accelerator": "x"}, {"max_sweeps": 0}, {"max_sweeps": 2**70}],
)
def test_options_that_are_none(option):
    with pytest.raises(ds.UsageError):
        ds.solve(np.eye(2), [-1.0, 0.0], [0.5], **option)
