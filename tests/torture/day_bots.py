"""Bots of a day on a ladder, many in one process: ``python -m torture.day_bots ADDRESS RECEIPTS PACE``.

The first line of the standard input has them as JSON. Each later line has one that comes again as another version, or
comes in for an event beside the ladder. At the end of the input nobody comes again who has left, and the process ends
with the last of them.
"""

import json
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from ordago import v1
from ordago_bot.bot import Choosable, complete
from ordago_bot.house.solid import SolidBot
from ordago_bot.match import Match
from ordago_bot.player import Player
from ordago_bot.receipts import ReceiptsFile
from ordago_bot.transport import SessionEndedError, Stop, play

MOST_NOISE = 100
TAKER = "taker"
"""To whom the giver of gifts loses on purpose."""
_MATCHES_AT_ONCE = 2
_MATCHES_OF_A_VISIT = 5
_DECISIONS_UNTIL_BAD = 40
_HANG_SECONDS = 20.0
_MOST_AWAY_SECONDS = 4.0
_PATIENCE_SECONDS = 60.0
_EVENT_OVER = "the event is over"


class Character(NamedTuple):
    """Who a bot is, and how it behaves."""

    name: str
    token: str
    noise: int
    """How weak it is: how often it takes any legal action, in per cent of its decisions."""
    manner: str = "steady"
    """``steady``: is always there. ``visiting``: comes and goes. ``leaving``: leaves each match that it is losing.
    ``hanging``, ``crashing``: now and then, in mid-decision. ``fleeting``: is gone as soon as it came. ``giving``:
    plays anything where the one sits whom it wants to win. ``taking``: does nothing for it."""
    version: str = "1"
    event: str = ""
    """The event that it comes in for; empty for the ladder."""

    @property
    def account(self) -> str:
        """Whose it is. Each has an author of its own."""
        return f"author of {self.name}"

    @property
    def behaves(self) -> bool:
        """Whether it plays all its matches to the end, as well as it can."""
        return self.manner in ("steady", "visiting")


class _CrashedError(Exception):
    """A bot broke down; nobody catches what it was told meanwhile."""


class _Seat(SolidBot):
    """One seat of one match of a bot."""

    def __init__(self, start: Match, life: "Life") -> None:
        character = life.character
        gives = character.manner == "giving" and TAKER in (player.name for player in start.players)
        super().__init__(start, worlds=1, noise=MOST_NOISE if gives else character.noise)
        self._life = life

    def choose(self, decision: v1.Decision) -> Choosable:
        self._life.behave(decision)
        if self._life.is_replaced():
            self.retire()
        if self._noise == MOST_NOISE:
            return complete(self.random.choice(decision.actions), self.random)
        return super().choose(decision)


class Life(threading.Thread):
    """A bot, in whatever sessions it has."""

    def __init__(self, character: Character, *, address: str, receipts: Path, pace_seconds: float) -> None:
        super().__init__(daemon=True)
        self.character = character
        self.over = threading.Event()
        self._address = address
        self._receipts = ReceiptsFile(receipts / character.event / f"{character.name}.jsonl")
        self._pace_seconds = pace_seconds
        self._chances = Random(character.name)
        self._decisions = 0
        self._next: Character | None = None
        self._told = Stop(threading.Event(), threading.Event())

    def run(self) -> None:
        while not self.over.is_set():
            self._told = Stop(threading.Event(), threading.Event())
            with suppress(SessionEndedError, _CrashedError):
                if self._come() == _EVENT_OVER:
                    return
            if self.character.manner != "steady":
                self.over.wait(self._chances.uniform(0.1, _MOST_AWAY_SECONDS))

    def _come(self) -> str | None:
        """Have one session, over as many connections as it takes, and return what the server said at its end."""
        character = self.character
        player = Player(
            lambda start: _Seat(start, self),
            name=character.name,
            version=character.version,
            max_matches=_MATCHES_AT_ONCE,
            matches_in_all=_MATCHES_OF_A_VISIT if character.manner == "visiting" else 0,
            keep=self._receipts.keep,
        )
        if character.manner == "fleeting":
            threading.Timer(self._chances.uniform(0.0, 1.0), self._leave).start()
        return play(
            player,
            address=self._address,
            token=character.token,
            event=character.event,
            stop=self._told,
            patience_seconds=_PATIENCE_SECONDS,
        )

    def _leave(self) -> None:
        self._told.retire.set()
        self._told.leave.set()

    def behave(self, decision: v1.Decision) -> None:
        """Do what it does besides playing."""
        time.sleep(self._pace_seconds)
        self._decisions += 1
        bad = not self._decisions % _DECISIONS_UNTIL_BAD
        manner = self.character.manner
        if manner == "hanging" and bad:
            self.over.wait(_HANG_SECONDS)
        if manner == "crashing" and bad:
            raise _CrashedError
        if manner == "leaving" and _is_losing(decision):
            self._leave()

    def become(self, character: Character) -> None:
        """Come again as another version, when the matches of this one are over."""
        self._next = character

    def is_replaced(self) -> bool:
        """Say, once, that it is to take no more seats."""
        if self._next is None:
            return False
        self.character, self._next = self._next, None
        return True


def _is_losing(decision: v1.Decision) -> bool:
    totals = decision.view.mittlere.totals
    return bool(totals) and totals[decision.seat] < max(totals)


def main(address: str, receipts: str, pace_seconds: str) -> None:
    """Let them come as the standard input says."""
    lives: dict[tuple[str, str], Life] = {}

    def come(character: Character) -> None:
        life = Life(character, address=address, receipts=Path(receipts), pace_seconds=float(pace_seconds))
        lives[character.event, character.name] = life
        life.start()

    for fields in json.loads(sys.stdin.readline()):
        come(Character(*fields))
    for line in sys.stdin:
        character = Character(*json.loads(line))
        if character.event:
            come(character)
        else:
            lives["", character.name].become(character)
    for life in lives.values():
        life.over.set()
    for life in lives.values():
        life.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
