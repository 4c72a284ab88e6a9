"""Programs of the machine that some tests need."""

import os
import shutil
from typing import NoReturn

import pytest


def need_program(name: str, *, to: str) -> str:
    """Return the path of a program; skip the test where it is missing, or fail it if this is CI.

    Args:
        name: the program.
        to: what it is needed to do.
    """
    path = shutil.which(name)
    if path is None:
        leave_out(f"there is no program {name!r} to {to}")
    return path


def leave_out(reason: str) -> NoReturn:
    """Skip the test since something is missing on this machine, or fail it if this is CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
