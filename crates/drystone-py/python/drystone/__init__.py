"""drystone: granular matter in 2D and 3D, exact and certified.

    import drystone as ds

    scenario = ds.load("biaxial.toml")
    scenario["contact.sand-sand.friction"] = 0.3
    run = ds.run(scenario, "out")

All numbers are SI; texts such as "5 ms" carry their units. The chapter "drystone from Python" of the book tells more.
"""


from ._drystone import Step, __version__
from ._errors import (
    DrystoneError,
    DrystoneWarning,
    FileError,
    Mistake,
    RunFailed,
    ScenarioError,
    StateError,
    StepError,
    UsageError,
)
from ._frame import REGIMES, Frame
from ._problem import Certificate, Problem, Solution, read_problem, solve
from ._run import Frames, Picture, Run, open
from ._scenario import Scenario, load, scenario, template, templates
from ._simulation import Simulation
from ._verbs import advise, command, compare, explain, impact, limit, measures, resume, run, sweep

__all__ = [
    "Certificate",
    "DrystoneError",
    "DrystoneWarning",
    "FileError",
    "Frame",
    "Frames",
    "Mistake",
    "Picture",
    "Problem",
    "REGIMES",
    "Run",
    "RunFailed",
    "Scenario",
    "ScenarioError",
    "Simulation",
    "Solution",
    "StateError",
    "Step",
    "StepError",
    "UsageError",
    "__version__",
    "advise",
    "command",
    "compare",
    "explain",
    "impact",
    "limit",
    "load",
    "measures",
    "open",
    "read_problem",
    "resume",
    "run",
    "scenario",
    "solve",
    "sweep",
    "template",
    "templates",
]
