"""What is imported is left alone by the collector, and what comes later is not."""

import subprocess
import sys

PROGRAM = """
import gc
from ordago.arena.processes.collector import let_modules_be

class Knot:
    pass

before = len(gc.get_objects())
let_modules_be()
assert len(gc.get_objects()) < before / 10
knot = Knot()
knot.itself = knot
del knot
assert gc.collect() >= 1
"""


def test_modules_are_let_be_and_later_cycles_are_collected() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - ours
    assert (run.returncode, run.stderr) == (0, "")
