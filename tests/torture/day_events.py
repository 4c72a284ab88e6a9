"""The events beside a day on a ladder: they are opened and fetched over the wire, and go on after each kill."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from support.commands import ordago
from torture.day_bots import Character

_EVENT = """
[event]
name = "{name}"
repetitions = {repetitions}
parallel = 8
decision_ms = 5_000
disconnect_bank_ms = 60_000
# They are of the server, and this is not about them.
isolation = "none"

[[game]]
name = "mittlere"
options = {{ deals = 3 }}
"""
_AUTHORS = """
[[entrant]]
name = "{name}"
remote = true
account = "{account}"
"""
_HOUSE = """
[[entrant]]
name = "house-random"
house = "random"

[[entrant]]
name = "house-default"
house = "default"
"""
_STAGE = "HOSTED_EVENT_STAGE_{}"


class Beside(NamedTuple):
    """An event that is played beside a ladder."""

    name: str
    at: float
    """The second of the day at which it is opened."""
    entrants: Sequence[Character]
    """Whose authors play in it, with bots of the house."""
    repetitions: int

    @property
    def file(self) -> str:
        """Its event file."""
        entrants = (_AUTHORS.format(name=one.name, account=one.account) for one in self.entrants)
        return "".join((_EVENT.format(name=self.name, repetitions=self.repetitions), *entrants, _HOUSE))


class State(NamedTuple):
    """How an event stands."""

    played: int
    is_over: bool


class Organiser:
    """Who opens events at a server, and looks how they stand."""

    def __init__(self, folder: Path, token: str) -> None:
        """Prepare with a token of the organiser's account."""
        self._folder = folder
        self._token_file = folder / "organiser.token"
        self._token_file.touch(mode=0o600)
        self._token_file.write_text(token)

    def open(self, event: Beside, address: str) -> None:
        """Open an event."""
        file = self._folder / f"{event.name}.toml"
        file.write_text(event.file)
        opened = ordago("event", "open", file, "--server", address, "--token-file", self._token_file)
        assert opened.exit_code == 0, opened.output

    def state(self, name: str, address: str) -> State:
        """Return how an event stands, which must not have failed."""
        shown = ordago("event", "show", name, "--server", address, "--json")
        assert shown.exit_code == 0, shown.output
        event = json.loads(shown.output)["event"]
        assert event["stage"] not in (_STAGE.format("STOPPED"), _STAGE.format("FAILED")), event
        return State(event["played"], is_over=event["stage"] == _STAGE.format("OVER"))

    def fetch(self, name: str, address: str) -> Path:
        """Fetch what an event has published, and return the folder."""
        out = self._folder / f"{name}-fetched"
        fetched = ordago("event", "download", name, "--server", address, "--out", out)
        assert fetched.exit_code == 0, fetched.output
        return out
