"""The command line: ``python -m drystone`` and ``drystone``."""

import sys

from . import _drystone


def main() -> int:
    """Does what the arguments say; returns the exit code."""
    return _drystone.main(["drystone", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
