"""Records the golden transcripts that are missing, from dialogues of pages: ``python -m contract`` in ``tests``.

One that is there is never written anew by this: what a later server says otherwise is what it is there to find. Where
the rules of a game have changed, with a new ``rules_version``, remove its file and run this again.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from contract.dialogues import Dialogue, dialogues_of
from contract.transcripts import CONTRACT, GOLDEN, Transcript, read, record, written
from support.clocks import run_in_virtual_time

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs" / "protocol.md", ROOT / "docs" / "dialogues.md", Path(__file__).parent / "sessions.md")


def missing() -> Iterator[Dialogue]:
    """Yield the dialogues of the pages of which no transcript was recorded."""
    recorded = {read(file).script for file in GOLDEN.glob("*.json")}
    yield from (one for page in PAGES for one in dialogues_of(page) if one.text not in recorded)


def place(dialogue: Dialogue) -> Path:
    """Return a file that is not there yet, called by the section that a dialogue stands in."""
    name = re.sub(r"\W+", "-", dialogue.section.lower())
    return next(file for number in count(1) if not (file := GOLDEN / f"{name}-{number}.json").exists())


def main() -> None:
    """Record what is missing."""
    GOLDEN.mkdir(exist_ok=True)
    if not CONTRACT.exists():
        buf = Path(sys.executable).parent / "buf"
        built = ("--exclude-source-info", "--path", ROOT / "proto/ordago/v1", "-o", CONTRACT)
        subprocess.run((buf, "build", ROOT / "proto", *built), check=True)  # noqa: S603 - it is ours
    for dialogue in missing():
        file = place(dialogue)
        file.write_text(written(_recorded(dialogue)), encoding="utf-8")
        print(f"recorded {file.relative_to(ROOT)}")  # noqa: T201 - it is a command


def _recorded(dialogue: Dialogue) -> Transcript:
    async def recorded() -> Transcript:
        with TemporaryDirectory() as folder:
            return await record(f"{dialogue.section}.", dialogue, Path(folder))

    return run_in_virtual_time(recorded)


if __name__ == "__main__":
    main()
