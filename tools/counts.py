"""Count the instructions of fixed workloads and compare them with ``counts.toml``: ``make counts``.

Times vary with the load of the machine; instructions do not. ``--write`` enters the new counts, after an intended
change. Counts are valid for one minor version of Python and for plain or compiled rules; others are not compared.
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import tomlkit

from ordago_bench.instructions import (
    CountingError,
    Workload,
    all_workloads,
    build,
    instructions,
    missing,
    quick_workloads,
)

FILE: Final = Path(__file__).with_name("counts.toml")
_BOUNDS: Final = {"rules": 1.05, "match": 1.05, "proof": 1.05, "server": 1.3}
"""The allowed ratio to the count. Without threads and network, two runs gave the same counts in all games. The batches
of a server depend on the load of the machine, and so does its count."""


class Count(NamedTuple):
    """The entry of a workload in the file."""

    instructions: int
    """The instructions per decision."""
    bound: float
    """The allowed ratio of a new count to this one."""


def read_counts(text: str, build_name: str) -> dict[str, Count]:
    """Return the counts of a build by workload name; empty if it was never counted."""
    return {name: Count(**fields) for name, fields in tomllib.loads(text).get(build_name, {}).items()}


def with_counts(text: str, build_name: str, counted: Mapping[str, float]) -> str:
    """Return the text of the file with new counts for a build. Existing bounds stay."""
    document = tomlkit.parse(text)
    table = document.setdefault(build_name, tomlkit.table())
    for name, number in counted.items():
        bound = table[name]["bound"] if name in table else _BOUNDS[name.partition(" ")[0]]
        entry = tomlkit.inline_table()
        entry.update({"instructions": round(number), "bound": bound})
        table[name] = entry
    return tomlkit.dumps(document)


def grown(kept: Mapping[str, Count], counted: Mapping[str, float]) -> list[str]:
    """Return a sentence for each workload that exceeds its bound."""
    return [
        f"{name}: {number:,.0f} instructions a decision, {number / kept[name].instructions - 1:.1%} more than the "
        f"{kept[name].instructions:,} in {FILE.name}, where {kept[name].bound - 1:.0%} more are let pass: find what "
        "costs them, or enter them by tools/counts.py --write and say in the commit what they are for"
        for name, number in counted.items()
        if name in kept and number > kept[name].bound * kept[name].instructions
    ]


def count(workloads: Iterable[Workload], *, at_once: int) -> dict[str, float]:
    """Count workloads, ``at_once`` of them in parallel, and print each count."""
    chosen = list(workloads)
    counted = {}
    with ThreadPoolExecutor(at_once) as pool:
        for workload, number in zip(chosen, pool.map(instructions, chosen), strict=True):
            counted[workload.name] = number
            print(f"{workload.name:18} {number:>12,.0f} instructions a decision", flush=True)  # noqa: T201 - a command
    return counted


def main() -> int:
    """Count, then compare or write; return 1 if a count exceeds its bound or fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the rules alone")
    parser.add_argument("--only", metavar="WORD", default="", help="only workloads whose name has this in it")
    parser.add_argument("--write", action="store_true", help="enter what was counted into counts.toml")
    arguments = parser.parse_args()
    if reason := missing():
        print(f"nothing is counted: {reason}", file=sys.stderr)  # noqa: T201 - a command
        return 1
    known = quick_workloads() if arguments.quick else all_workloads()
    chosen = [workload for workload in known if arguments.only in workload.name]
    try:
        counted = count(chosen, at_once=os.cpu_count() or 1)
    except CountingError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command
        return 1
    if arguments.write:
        FILE.write_text(with_counts(FILE.read_text(encoding="utf-8"), build(), counted), encoding="utf-8")
        return 0
    return _compared(counted)


def _compared(counted: Mapping[str, float]) -> int:
    kept = read_counts(FILE.read_text(encoding="utf-8"), build())
    if not kept:
        print(f"there are no counts of Python {build()} to compare with; --write enters them")  # noqa: T201 - a command
    sentences = grown(kept, counted)
    print("\n".join(sentences) or "none has grown")  # noqa: T201 - a command
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
