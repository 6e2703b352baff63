"""A shear cell that the program controls: it moves the lid so that the grains keep pressing against it with 50 Pa.

    python feedback_shear.py           # writes feedback_shear.csv
"""

import numpy as np

import drystone as ds

scenario = ds.template("plane_shear")
# the program moves the plate, so that it needs neither mass nor pressure
tables = scenario.to_dict()
plate = tables["wall"][1]
del plate["mass"]
plate["drive"] = "fixed"
tables["wall"][1] = plate
tables["stop"] = {"at": 0.6}
simulation = ds.Simulation(ds.scenario(tables))

area, wanted, gain = 4e-4, 50.0, 2e-3  # m2, Pa, m/s for each Pa of misfit
fastest = 0.2
smooth, rows = 0.0, []


@simulation.drive("plate")
def control(t, s):
    """Down while the pressure is too small, up while it is too large; and always sideways."""
    global smooth
    pressure = s.frame().walls.force[1, 1] / area
    smooth += 0.05 * (pressure - smooth)
    rows.append((t, pressure, smooth))
    return [0.2, float(np.clip(gain * (smooth - wanted), -fastest, fastest))]


simulation.run()
time, pressure, smooth_pressure = np.array(rows).T
np.savetxt("feedback_shear.csv", np.array(rows), delimiter=",", header="time [s],pressure [Pa],smoothed [Pa]", comments="")
late = pressure[time > 0.4].mean()
moved = simulation.frame().walls.displacement[1]
print(f"mean pressure {late:.1f} Pa of {wanted} Pa; the plate moved {1e3 * moved[0]:.1f} mm sideways, {-1e3 * moved[1]:.1f} mm down")
assert abs(late / wanted - 1) < 0.2
assert abs(moved[0] - 0.2 * simulation.time) < 1e-9
