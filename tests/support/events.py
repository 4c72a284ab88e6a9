"""Small events of house bots that are run for a test, all of which keep receipts."""

import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ordago.record.ledgers.event import Ledger, parse_ledger
from ordago.record.ledgers.receipts import Receipt, parse_receipts, verify_receipts
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import StoppedError
from ordago_ladder.run.runner import run_event
from ordago_ladder.watching import Unwatched

ENTRANTS = ("ana", "ben", "cleo")


class ReceiptedEvent(Unwatched):
    """An event of three entrants, six matches a repetition, each of whom keeps receipts in a file of his own."""

    def __init__(self, place: Path, *, terms: str = "", out: str = "out") -> None:
        self.folder = EventFolder(place / out)
        self.place = place
        self.began_with: Ledger | None = None
        """The ledger that was published when the first match began."""
        self.warnings: list[str] = []
        self.text = (
            # Receipts lie where they outlive their bots, out of a cell's reach.
            '[event]\nname = "cup"\nisolation = "none"\n'
            f"decision_ms = 60_000\nstart_timeout = 120\n{terms}\n"
            '[[game]]\nname = "mittlere"\noptions = { deals = 3 }\n'
        )
        for name in ENTRANTS:
            house, kept = {"ben": "default"}.get(name, "random"), place / f"{name}.receipts"
            self.text += f'[[entrant]]\nname = "{name}"\nhouse = "{house}"\nenv = {{ ORDAGO_RECEIPTS = "{kept}" }}\n'

    async def run(self, **options: Any) -> Ladder:
        """Run it. An error comes out as it was raised, as the command line tells it."""
        try:
            return await run_event(parse_event(self.text), self.text, self.folder, listener=self, **options)
        except ExceptionGroup as group:
            error: Exception = group
            while isinstance(error, ExceptionGroup):
                [error] = error.exceptions
            raise error from None

    @property
    def ledger(self) -> Ledger:
        """The ledger that is published."""
        return parse_ledger(self.folder.ledger.read_text(encoding="utf-8"))

    def receipts(self, entrant: str) -> list[Receipt]:
        """Return what an entrant kept."""
        path = self.place / f"{entrant}.receipts"
        return parse_receipts(path.read_text(encoding="utf-8")) if path.exists() else []

    def contradictions(self) -> list[str]:
        """Return what the receipts of each entrant say against the ledger that is published."""
        ledger = self.ledger
        return [sentence for name in ENTRANTS for sentence in verify_receipts(ledger, self.receipts(name))]

    def began(self, *, played: int, planned: int) -> None:
        assert 0 <= played <= planned
        self.began_with = self.ledger

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        assert here or missing

    def warned(self, sentence: str) -> None:
        self.warnings.append(sentence)


class StoppedEvent(ReceiptedEvent):
    """An event that is stopped after its first match, if it is not to go on."""

    goes_on = False
    _stopped = False

    def played(self, number: int) -> None:
        """Stop the event once: a match that had ended by then is told of as well, and a second signal ends at once."""
        super().played(number)
        if not self.goes_on and not self._stopped:
            self._stopped = True
            signal.raise_signal(signal.SIGINT)


async def begun(place: Path, *, terms: str = "") -> StoppedEvent:
    """Run an event until its first match is played. Its next run goes on to the end."""
    event = StoppedEvent(place, terms=f"parallel = 1\n{terms}")
    with pytest.raises(StoppedError):
        await event.run()
    event.goes_on = True
    return event
