"""A contact problem from matrices of SciPy: a tower of blocks on a table that is tilted.

u = W r + q with W = H^T M^-1 H: blocks of mass m, one contact (normal, tangential) below each. Nothing of drystone but
the solver is used.

    python contact_problem.py
"""

import numpy as np
from scipy import sparse

import drystone as ds

blocks, mass, dt, friction = 50, 2.0, 1e-3, 0.5

# H maps velocities (2 for each block) to relative velocities: block k against the one below it
difference = sparse.eye_array(blocks) - sparse.eye_array(blocks, k=-1)
H = sparse.kron(difference, sparse.eye_array(2))
W = (H @ H.T / mass).tocsr()

for degrees in (20.0, 30.0):
    angle = np.radians(degrees)
    fall = 9.81 * dt * np.tile([-np.cos(angle), np.sin(angle)], blocks)
    found = ds.solve(W, H @ fall, np.full(blocks, friction), accuracy=1e-12, solver="newton")
    normal, tangential = found.impulses.T
    c = found.certificate
    print(f"{degrees:.0f} degrees: {c.stick} stick, {c.slide} slide, residual {c.residual:.1e}, {found.sweeps} sweeps")
    assert found.converged
    weight = mass * 9.81 * dt * np.arange(blocks, 0, -1)  # of the blocks above each contact
    np.testing.assert_allclose(normal, weight * np.cos(angle), rtol=1e-9)
    # the tower stays while tan(angle) is below the friction, and slides as a whole above
    pull = weight * np.sin(angle) if np.tan(angle) < friction else friction * weight * np.cos(angle)
    np.testing.assert_allclose(-tangential, pull, rtol=1e-8)
