"""What is imported is left alone by the collector, and what comes later is looked at when there is much of it."""

import subprocess
import sys

import pytest

BEGINNING = """
import gc, sys
from ordago.arena.processes.collector import collect_seldom

class Knot:
    def __init__(self):
        self.itself = self
        self.more = [{}]

def full_collections():
    return gc.get_stats()[2]["collections"]
"""
MODULES = """
before = len(gc.get_objects())
collect_seldom()
assert len(gc.get_objects()) < before / 10
knot = Knot()
del knot
assert gc.collect() >= 1
"""
COMING_AND_GOING = """
collect_seldom()
bots = [Knot() for _ in range(50_000)]
gc.collect()
before = full_collections()
for turn in range(60):  # as matches do
    matches = [[{}] for _ in range(20_000)]
assert full_collections() == before, full_collections() - before
"""
KNOTS = """
collect_seldom()
bots = [Knot() for _ in range(50_000)]
gc.collect()
before, blocks, most = full_collections(), sys.getallocatedblocks(), 0
for turn in range(300):
    knots = [Knot() for _ in range(10_000)]  # so many at a time that they live on until all is looked at
    most = max(most, sys.getallocatedblocks())
assert full_collections() > before
assert most < 2 * blocks + 200_000, (most, blocks)
"""
GROWING = """
collect_seldom()
bots = []
before = full_collections()
for turn in range(200):
    bots += [Knot() for _ in range(1_000)]
assert 1 <= full_collections() - before <= 12, full_collections() - before
"""
LATELY = """
from collections import deque
collect_seldom()
open_decisions = deque([{}] for _ in range(5_000))
before = gc.get_stats()[0]["collections"]
for decision in range(200_000):
    open_decisions.append([{}])
    open_decisions.popleft()
    if not decision % 5_000:  # as many come as go, but not in turns
        more = [[{}] for _ in range(2_000)]
assert gc.get_stats()[0]["collections"] - before < 5, gc.get_stats()
"""


def fails(program: str) -> str:
    """Return what a program says is wrong, which runs by itself."""
    run = subprocess.run([sys.executable, "-c", BEGINNING + program], capture_output=True, text=True, timeout=60)  # noqa: S603 - ours
    return run.stderr


def test_modules_are_let_be_and_later_cycles_are_collected() -> None:
    assert not fails(MODULES)


@pytest.mark.slow
def test_what_comes_and_goes_is_no_reason_to_look_at_all_that_there_is() -> None:
    """Whoever serves a thousand bots would stand still meanwhile."""
    assert not fails(COMING_AND_GOING)
    usual = COMING_AND_GOING.replace("collect_seldom()", "pass")
    assert "AssertionError" in fails(usual), "the usual collector does look"


@pytest.mark.slow
def test_what_lives_as_long_as_a_decision_is_not_looked_at() -> None:
    assert not fails(LATELY)
    assert "AssertionError" in fails(LATELY.replace("collect_seldom()", "pass")), "the usual collector does look"


@pytest.mark.slow
def test_cycles_that_nobody_uses_do_not_fill_the_memory() -> None:
    """The attack would be to come and go, and to leave something behind each time."""
    assert not fails(KNOTS)


@pytest.mark.slow
def test_where_ever_more_comes_all_is_looked_at_now_and_then() -> None:
    assert not fails(GROWING)
