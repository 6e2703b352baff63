"""Two figures of a run: the energies over time, and the distribution of the normal forces of its last frame.

    drystone export heap.out --to npz
    python examples/look.py heap.out

Needs numpy, pandas and matplotlib.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

run = Path(sys.argv[1] if len(sys.argv) > 1 else "heap.out")

series = pd.read_csv(run / "series.csv")
energies = ["kinetic_energy [J]", "potential_energy [J]", "dissipated_energy [J]"]
axes = series.plot(x="time [s]", y=energies, ylabel="energy [J]")
axes.figure.savefig(run / "energy.png", dpi=150)

frames = sorted((run / "export").glob("frame_*.npz"))
if not frames:
    sys.exit(f"no frames in {run / 'export'}: run `drystone export {run} --to npz` first")
force = np.load(frames[-1])["contact_normal_force"]
mean = force.mean()
figure, axes = plt.subplots()
axes.hist(force / mean, bins=np.linspace(0, 6, 61), density=True)
axes.set(xlabel="normal force / mean", ylabel="probability density", yscale="log")
axes.set_title(f"{len(force)} contacts, mean {mean:.3g} N")
figure.savefig(run / "forces.png", dpi=150)
print(f"{run / 'energy.png'} and {run / 'forces.png'} written")
