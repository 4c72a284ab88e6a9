"""The process of one analysis: reads a record, writes lines of JSON, the last of which is the result.

A record may come from anywhere. So the process limits its time, memory and priority before it reads a byte.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from ordago import v1
from ordago.record import RecordError, read_record
from ordago.record.opening import UnplayableError
from ordago_bot.house.analysis import Opinion, choices_of, opinions
from ordago_bot.house.analysis_json import analysis_json

MOST_CHOICES: Final = 5000
"""The most choices that an analysed match may have, about ten times as many as in a long match."""
_NICENESS: Final = 10
"""The niceness of the process: matches come first."""
_TELL_EVERY_SECONDS: Final = 0.2
"""The interval between lines of progress."""


def bound(*, cpu_seconds: int, memory_bytes: int) -> None:
    """Bound the processor time and memory of this process, forbid core dumps and lower its priority."""
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def analysis_steps(data: bytes, *, worlds: int) -> Iterator[dict[str, Any]]:
    """Analyse the file of a record; yield the progress, and finally the result."""
    try:
        record = read_record(data)
        choices = choices_of(record)
        if choices > MOST_CHOICES:
            yield _failed(f"The match has {choices} choices, and at most {MOST_CHOICES} can be analysed.")
            return
        yield {"done": 0, "of": choices}
        yield from _worked_out(record, opinions(record, worlds=worlds), choices, worlds)
    except (RecordError, UnplayableError) as error:
        yield _failed(str(error))
    except MemoryError:
        yield _failed("The match is too large to be analysed.")


def _worked_out(record: v1.MatchRecord, judged: Iterable[Opinion], of: int, worlds: int) -> Iterator[dict[str, Any]]:
    found: list[Opinion] = []
    reported_at = time.monotonic()
    for opinion in judged:
        found.append(opinion)
        if time.monotonic() - reported_at >= _TELL_EVERY_SECONDS:
            reported_at = time.monotonic()
            yield {"done": len(found), "of": of}
    yield {"state": "done", **analysis_json(record, found, worlds=worlds)}


def _failed(sentence: str) -> dict[str, Any]:
    return {"state": "failed", "sentence": sentence}


def main() -> None:
    """Analyse the record on standard input, within the limits on the command line."""
    worlds, cpu_seconds, memory_bytes = map(int, sys.argv[1:])
    bound(cpu_seconds=cpu_seconds, memory_bytes=memory_bytes)
    for line in analysis_steps(sys.stdin.buffer.read(), worlds=worlds):
        sys.stdout.write(f"{json.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
