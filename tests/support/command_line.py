"""The command line as its users have it: in a process of its own, in the checkout."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST_SECONDS = 60


def ordago(*arguments: str, longest_seconds: float = LONGEST_SECONDS) -> str:
    """Run a command that ends well, and return what it printed."""
    command = [sys.executable, "-m", "ordago", *arguments]
    return subprocess.run(  # noqa: S603 - ours
        command, capture_output=True, text=True, check=True, timeout=longest_seconds, cwd=ROOT
    ).stdout
