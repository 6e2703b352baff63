"""What the tests share: small scenarios, and the command line as it was built by cargo."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import drystone as ds

BOX = {
    "title": "Disks fall into a box",
    "dimension": 2,
    "seed": 1,
    "gravity": [0, "-9.81 m/s2"],
    "material": [{"name": "sand", "density": "2650 kg/m3"}],
    "contact": [{"between": ["sand", "sand"], "friction": 0.5}],
    "grains": [
        {
            "material": "sand",
            "shape": {"kind": "disk", "radius": {"uniform": ["0.8 mm", "1.2 mm"]}},
            "count": 60,
            "place": {"how": "random", "min": [0, 0], "max": ["20 mm", "40 mm"]},
        }
    ],
    "wall": [
        {"name": "floor", "material": "sand", "kind": "plane", "point": [0, 0], "normal": [0, 1]},
        {"name": "left", "material": "sand", "kind": "plane", "point": [0, 0], "normal": [1, 0]},
        {"name": "right", "material": "sand", "kind": "plane", "point": ["20 mm", 0], "normal": [-1, 0]},
    ],
    "stop": {"at": "100 ms"},
    "method": {"use": "cd", "cd": {"time_step": "0.5 ms"}},
    "output": {"frames": "50 ms", "series_every": "10 ms"},
}

SOFT = {
    **BOX,
    "contact": [
        {
            "between": ["sand", "sand"],
            "friction": 0.5,
            "md": {
                "normal": {"law": "hooke", "stiffness": "1e4 N/m", "damping": 0},
                "tangential": {"law": "cundall_strack", "stiffness_ratio": 0.8},
            },
        }
    ],
    "grains": [{**BOX["grains"][0], "place": {"how": "random", "min": [0, 0], "max": ["20 mm", "22 mm"]}}],
    "stop": {"at": "40 ms"},
    "method": {"use": "md", "md": {"time_step": "10 us"}},
}


@pytest.fixture
def box() -> ds.Scenario:
    """Sixty rigid disks."""
    return ds.scenario(BOX)


@pytest.fixture
def soft() -> ds.Scenario:
    """The same disks, soft."""
    return ds.scenario(SOFT)


@pytest.fixture(scope="session")
def command():
    """Calls the command line: the binary named by DRYSTONE, or else that of the package."""
    program = os.environ.get("DRYSTONE")
    words = [program] if program else [sys.executable, "-m", "drystone"]

    def call(*arguments: object) -> subprocess.CompletedProcess:
        return subprocess.run([*words, *map(str, arguments)], capture_output=True, text=True, timeout=300)

    return call
