"""Values of a decision may be let go of from wherever they are held, however deep."""

import os
import re
import subprocess
import sys
from pathlib import Path

import ordago

_PROGRAM = """
import gc

from ordago import IS_COMPILED
from ordago.arena.connection import Departure
from ordago.match.answers import Offer, Ruling
from ordago.match.clock import Charge, TimeLeft
from ordago.match.decisions import EventParts, SerializedDecision
from ordago.match.messages import Acceptance
from ordago.match.step import Question, Reply
from ordago.session import ReceivedChoice

for depth in range(40, 60):
    decision = SerializedDecision(1, b"", b"")
    values = [
        make()
        for make in (
            lambda: Charge(1), lambda: TimeLeft(1), lambda: Acceptance(1, 0), lambda: Reply(b"", 0.0),
            lambda: Question(0, decision, TimeLeft(1)), lambda: SerializedDecision(1, b"", b""),
            lambda: Offer((), ()), lambda: Ruling(None), lambda: ReceivedChoice(1, 1, b""),
            lambda: EventParts(b"", b"", b"", 0), lambda: Departure(0.0, 0.0),
        )
        for _ in range(20)
    ]
    assert {gc.is_tracked(value) for value in values} == {not IS_COMPILED}
    for _ in range(depth):
        values = (values,)
    del values
print("all is well")
"""


def test_values_within_many_containers_are_let_go_of() -> None:
    """Python puts off what lies so deep, and writes where only what its collector knows has room for that."""
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    command = [sys.executable, "-c", _PROGRAM]
    run = subprocess.run(command, env=environment, capture_output=True, check=False)  # noqa: S603 - ours
    assert run.stdout == b"all is well\n", run.stderr


def test_all_values_that_the_collector_does_not_know_are_among_them() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in Path(ordago.__file__).parent.rglob("*.py"))
    unknown = set(re.findall(r"^@mypyc_attr\(.*acyclic=True.*\)\n(?:@.*\n)*class (\w+)", sources, re.MULTILINE))
    assert 0 < len(unknown) == sources.count("(acyclic=True")
    assert unknown <= set(re.findall(r"lambda: (\w+)\(", _PROGRAM))
