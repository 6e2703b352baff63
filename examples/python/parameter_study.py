"""A parameter study: how far a column of disks runs out, over friction. It can be stopped and started again.

    python parameter_study.py          # runs in parameter_study/, writes parameter_study.csv
"""

import numpy as np

import drystone as ds

scenario = ds.template("column_collapse").with_settings({"grains.0.count": 200, "output.frames": "1 s"})
frictions = [0.1, 0.3, 0.6]
rows = []
for keys, run in ds.sweep(scenario, {"contact.sand-sand.friction": frictions}, "parameter_study"):
    friction = keys["contact.sand-sand.friction"]
    grains = run.frames[-1].grains
    reach, height = np.ptp(grains.position[:, 0]), grains.position[:, 1].max()
    rows.append((friction, reach, height))
    print(f"friction {friction}: {1e3 * reach:.0f} mm wide, {1e3 * height:.0f} mm high, {run.report['steps']} steps")
np.savetxt("parameter_study.csv", rows, delimiter=",", header="friction,reach [m],height [m]", comments="")
widths = [reach for _, reach, _ in rows]
assert widths == sorted(widths, reverse=True), "more friction, less run-out"
