"""Stress over strain of an oedometer, drawn with matplotlib: load, unload, load again.

    python stress_strain.py            # writes stress_strain.png
"""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import drystone as ds

scenario = ds.template("oedometer")
width, depth = 0.04, scenario["depth"]
simulation = ds.Simulation(scenario)
rows = []


@simulation.every("1 ms")
def look(s):
    """Height of the sample, and what the grains do to the piston."""
    walls = s.frame().walls
    rows.append((s.stage, 0.042 + walls.displacement[3, 1], walls.force[3, 1] / (width * depth)))


simulation.run()
stages, height, stress = map(np.array, zip(*rows))
strain = 1 - height / height[stages == "load"][0]
for stage in ("load", "unload", "load again"):
    chosen = stages == stage
    plt.plot(100 * strain[chosen], 1e-3 * stress[chosen], label=stage)
plt.xlabel("axial strain [%]")
plt.ylabel("axial stress [kPa]")
plt.legend()
plt.savefig("stress_strain.png", dpi=150)

# grains hold the piston up: 10 kPa at the end of each loading, but for its inertia; some strain stays
top, rest = stress[stages == "load"][-1], strain[stages == "unload"][-1]
print(f"{top:.0f} Pa at {100 * strain[stages == 'load'][-1]:.2f} % strain, of which {100 * rest:.2f} % stay")
assert abs(top / 10e3 - 1) < 0.05
assert 0 < rest < strain[stages == "load"][-1]
