"""Verbs of the command line, called from Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

from . import _drystone
from ._errors import RunFailed, UsageError

# verbs that compute for long or listen for Ctrl-C have a process of their own
_ASIDE = ("advise", "compare", "continue", "forces", "limit", "movie", "resume", "run", "study")


def flags(**options: Any) -> list[str]:
    """Keyword arguments as options: ``mean=True`` is ``--mean``, ``log="y"`` is ``--log y``, a list is given one by one."""
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        else:
            for item in value if isinstance(value, (list, tuple)) else [value]:
                words.append(f"{flag}={item}")
    return words


def settings(keys: dict[str, Any] | None) -> list[str]:
    """Settings as options of a verb."""
    from ._scenario import _key, _toml

    return [f"--set={_key(key)}={_toml(value)}" for key, value in (keys or {}).items()]


def verb(name: str, *arguments: str | os.PathLike) -> str:
    """What ``drystone name arguments...`` prints. What goes wrong is an exception."""
    words = [name, *map(os.fspath, arguments)]
    if any("\0" in word for word in words):
        raise UsageError("a text of the command line holds no zero byte")
    if name not in _ASIDE:
        return _drystone.captured(["drystone", *words])
    process = subprocess.Popen(
        [sys.executable, "-m", "drystone", "--color=never", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        out, error = process.communicate()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)  # it writes what it has
        process.wait()
        raise
    if process.returncode == 0:
        return out
    message = error.strip().removeprefix("error: ") or out.strip()
    raise (UsageError if process.returncode == 2 else RunFailed)(message)
