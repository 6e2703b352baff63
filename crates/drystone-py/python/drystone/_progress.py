"""Progress of a run: a line in a terminal or in a notebook."""

from __future__ import annotations

import sys
import time

from . import _drystone


class Progress:
    def __init__(self, title: str, end: float) -> None:
        self._title, self._end = title, end
        self._start = self._spoken = time.monotonic()
        self._first: float | None = None
        self._display = _display()

    def show(self, step: _drystone.Step, stage: str) -> None:
        now = time.monotonic()
        self._first = step.time if self._first is None else self._first
        if now - self._spoken < 0.2:
            return
        self._spoken = now
        share = step.time / self._end if 0 < self._end < float("inf") else None
        bar = "" if share is None else f"{'#' * int(20 * min(share, 1)):20} {100 * min(share, 1):3.0f} % "
        pace = (step.time - self._first) / (now - self._start)
        left = "" if share is None or pace <= 0 else f" | {(self._end - step.time) / pace:.0f} s left at most"
        self._write(f"{bar}{stage} t={step.time:.4g} s{left} | step {step.step} | {step.contacts} contacts")

    def _write(self, line: str) -> None:
        if self._display is not None:
            self._display.update({"text/plain": line}, raw=True)
        elif sys.stderr is not None and sys.stderr.isatty():
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._display is None and sys.stderr is not None and sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _display():
    """A place of a notebook that can be written anew; nothing elsewhere."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython.display import display

    return display({"text/plain": ""}, raw=True, display_id=True)
