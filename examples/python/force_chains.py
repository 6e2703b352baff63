"""Force chains of a heap, drawn by the program itself: a line through each contact, as wide as its force.

    python force_chains.py             # writes force_chains.png
"""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection

import drystone as ds

scenario = ds.template("drop").with_settings({"stop.at": "0.5 s"})
simulation = ds.Simulation(scenario)
simulation.run()
frame = simulation.frame()
grains, contacts = frame.grains, frame.contacts

position, size = grains.position, 2 * grains.radius
figure, axes = plt.subplots(figsize=(5, 5))
axes.add_collection(
    EllipseCollection(size, size, 0 * size, units="xy", offsets=position, transOffset=axes.transData, facecolors="0.9")
)
# from the centre of a (at a wall: from the contact) to the centre of b
centre_a = np.where((contacts["a"] < 0)[:, None], contacts["point"], position[contacts["a"]])
lines = np.stack([centre_a, position[contacts["b"]]], axis=1)
force = contacts["force_n"]
axes.add_collection(LineCollection(lines, linewidths=3 * force / force.max(), colors="C3"))
axes.set_aspect("equal")
axes.autoscale_view()
figure.savefig("force_chains.png", dpi=150)

# what the floor carries is the weight, but for the accuracy of the last steps
weight = 9.81 * grains.mass.sum()
vertical = force * contacts["normal"][:, 1] + contacts["force_t"][:, 1]
carried = vertical[contacts["a"] == -1].sum()
print(f"{len(contacts)} contacts; the box carries {carried:.3f} N of {weight:.3f} N")
assert abs(carried / weight - 1) < 0.02
