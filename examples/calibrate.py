"""Friction and rolling friction that give a measured angle of repose and discharge rate, by Bayesian calibration.

    pip install grainlearning
    python examples/calibrate.py --angle 21.4 --rate 1.62        # what an experiment found: degrees, kg/s
    python examples/calibrate.py --known 0.45 0.12               # or what runs with known values find: is it found again?

GrainLearning proposes samples of both parameters; `drystone sweep` runs them, with several seeds each, and writes the files that
GrainLearning reads. Each iteration is a sweep in a folder of its own: after an interruption, or with another number of
iterations, cases that are there are not run again, as long as GrainLearning proposes the same samples.
"""

import argparse
import csv
import shutil
import subprocess
import sys
from pathlib import Path

SCENARIO = Path(__file__).parent / "calibration.toml"
RESULTS = (
    "angle = repose.angle --bins 30 --region y=0..59mm, "
    "rate = rate(discharge.passed_mass --below y=60mm; 0.35 s..0.55 s)"
)
NAMES, LOW, HIGH = ["friction", "rolling"], [0.1, 0.0], [0.9, 0.3]


def sweep(words, drystone):
    """Calls drystone, and ends if a case fails."""
    subprocess.run([drystone, "sweep", *map(str, words)], check=True)


def run_points(points, folder, seeds, drystone):
    """Runs points of the parameters, each with these seeds; what is there already is not run again."""
    cases = folder.with_suffix(".csv")
    cases.parent.mkdir(parents=True, exist_ok=True)
    rows = [",".join(f"{value:.8g}" for value in point) for point in points]
    cases.write_text("\n".join([",".join(NAMES), *rows]) + "\n")
    words = [SCENARIO, "--cases", cases, "--seeds", seeds, "-o", folder, "--table", RESULTS]
    sweep([*words, "--force"] if folder.exists() else words, drystone)


def means(folder):
    """Mean and standard error of angle and rate at the first point of a sweep."""
    row = next(csv.DictReader((folder / "table.csv").open()))
    columns = [("angle [deg]", "angle_error [deg]"), ("rate [kg/s]", "rate_error [kg/s]")]
    return [(float(row[name]), float(row[error])) for name, error in columns]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--angle", type=float, help="measured angle of repose in degrees")
    parser.add_argument("--rate", type=float, help="measured discharge in kg/s, for a depth of 1 m")
    parser.add_argument("--known", type=float, nargs=2, metavar=("FRICTION", "ROLLING"), help="take what these values give")
    parser.add_argument("--samples", type=int, default=20, help="samples of an iteration")
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=2, help="runs of each sample")
    parser.add_argument("--out", type=Path, default=Path("calibration"))
    parser.add_argument("--drystone", default="drystone", help="the program")
    arguments = parser.parse_args()

    import matplotlib

    matplotlib.use("Agg")
    from grainlearning import BayesianCalibration
    from grainlearning.dynamic_systems import IODynamicSystem

    out = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    if arguments.known:
        # other seeds than those of the samples
        run_points([arguments.known], out / "known", "101..108", arguments.drystone)
        (angle, angle_error), (rate, rate_error) = means(out / "known")
        print(f"to be found again: angle {angle:.2f} +- {angle_error:.2f} deg, rate {rate:.3f} +- {rate_error:.3f} kg/s")
    elif arguments.angle is not None and arguments.rate is not None:
        angle, rate = arguments.angle, arguments.rate
    else:
        sys.exit("give --angle and --rate, or --known FRICTION ROLLING")
    observed = out / "observed.txt"
    observed.write_text(f"# state angle rate\n0 {angle} {rate}\n")

    def run(calibration):
        system, iteration = calibration.system, calibration.curr_iter
        folder = out / f"iter{iteration}"
        run_points(system.param_data, folder, f"1..{arguments.seeds}", arguments.drystone)
        sweep([folder, "--emit", "grainlearning", "--iteration", iteration, "--table", RESULTS], arguments.drystone)
        for file in (folder / "grainlearning" / f"iter{iteration}").glob("*_Sample[0-9]*.txt"):
            shutil.copy(file, system.sim_data_sub_dir)

    calibration = BayesianCalibration.from_dict(
        {
            "num_iter": arguments.iterations,
            "callback": run,
            "save_fig": -1,
            "system": {
                "system_type": IODynamicSystem,
                "param_names": NAMES,
                "param_min": LOW,
                "param_max": HIGH,
                "num_samples": arguments.samples,
                "obs_data_file": str(observed),
                "obs_names": ["angle", "rate"],
                "ctrl_name": "state",
                "sim_name": SCENARIO.stem,
                "sim_data_dir": str(out / "sim_data"),
                "sim_data_file_ext": ".txt",
                "sigma_tol": 1e-3,
            },
            "inference": {
                "Bayes_filter": {"ess_target": 0.3},
                "sampling": {"max_num_components": 1, "random_state": 0},
                "initial_sampling": "halton",
            },
        }
    )
    calibration.run()

    system = calibration.system
    missed = []
    for k, name in enumerate(NAMES):
        # estimated after the last state: mean, and standard deviation as a part of it
        mean, deviation = system.estimated_params[-1, k], abs(system.estimated_params[-1, k] * system.estimated_params_cv[-1, k])
        print(f"{name:9} {mean:.3f} +- {deviation:.3f}")
        if arguments.known and abs(mean - arguments.known[k]) > 3 * deviation:
            missed.append(f"{name} {arguments.known[k]} is more than three standard deviations away")
    best = calibration.get_most_prob_params()
    print("most probable sample:", ", ".join(f"{name} {value:.3f}" for name, value in zip(NAMES, best)))
    sys.exit("; ".join(missed) or None)


if __name__ == "__main__":
    main()
