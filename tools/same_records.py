"""Plays the same matches plain and compiled, and compares all that comes of them, byte for byte.

It is run by the Python of a compiled build; a second process runs the sources. Who plays draws by seeds: seats,
options, answers, some of them illegal, late or missing, and how long he thinks. What is compared are the records, and
all that the seats were told meanwhile, each decision as it would be sent.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

import ordago
from ordago import v1
from ordago.build import PLAIN
from ordago.chance import keyed_name
from ordago.games import find_game, game_names
from ordago.match import (
    Acceptance,
    FaultTerms,
    Match,
    MatchTerms,
    Message,
    Question,
    Reply,
    SeatTerms,
    TimeTerms,
    single_match_terms,
)
from ordago.record import digest as digest_of
from ordago_bot.bot import complete

_OPTIONS: Final[Mapping[str, Mapping[str, Sequence[object]]]] = {
    "mitaines": {"max_deals": (1, 2), "target": (50, 500)},
    "mitigati": {"max_struck": (1, 4), "max_bid": (1, 100), "round_suits": (False, True)},
    "mittlere": {"deals": (3,)},
    "mus": {
        "ruleset": ("source", "federation"),
        "kings": (4, 8),
        "target": (20, 40),
        "games": (1, 3),
        "max_deals": (3, 9),
        "max_mus": (1, 10),
        "signals": ("off", "partner", "open"),
    },
    "taihe": {"deals": (1, 2), "max_passes": (1, 3)},
}
"""What is played with: options drawn from these, since short matches are as many different ones in less time."""
_ILLEGAL: Final = 0.02
_SILENT: Final = 0.01
_LONGEST_THOUGHT: Final = 4.0
"""Seconds: as many as a decision has are sometimes passed."""
_TIME: Final = TimeTerms(decision_ms=3_900)
_FAULTS: Final = FaultTerms(strikes=2, forfeit_after=6)


class Played(NamedTuple):
    """What came of the matches of a game."""

    digest: str
    """The SHA-256 of the records and decisions, in order."""
    decisions: int
    cpu_seconds: float


class _Player:
    """A seat that answers by chance, and remembers what it is told as a digest."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.told = hashlib.sha256()
        self.decisions = 0

    def reply(self, question: Question) -> Reply:
        """Answer a question: mostly as it should be."""
        serialized = question.serialized()
        self.told.update(serialized)
        self.decisions += 1
        elapsed, kind = self._rng.random() * _LONGEST_THOUGHT, self._rng.random()
        if elapsed > question.time.seconds:
            return Reply(None, question.time.seconds, v1.FAULT_TOO_LATE)
        if kind < _SILENT:
            return Reply(None, elapsed, v1.FAULT_DISCONNECTED)
        if kind < _SILENT + _ILLEGAL:
            answer = v1.Answer(legal_action=1 + self._rng.randrange(200), amount=self._rng.randrange(9))
        else:
            answer = complete(self._rng.choice(v1.Decision.FromString(serialized).actions), self._rng)
        return Reply(answer.SerializeToString(), elapsed)

    def hear(self, message: Message | Acceptance) -> None:
        """Be told something."""
        told = message.message() if isinstance(message, Acceptance) else message
        self.told.update(told.SerializeToString(deterministic=True))


def terms_of(name: str, number: int) -> MatchTerms:
    """Return what a match of a game is played under, by its number."""
    game, rng = find_game(name), Random(f"{name} {number}")
    return single_match_terms(
        game=game,
        options={option: rng.choice(values) for option, values in _OPTIONS.get(name, {}).items()},
        seats=[SeatTerms(f"bot {seat}") for seat in range(rng.choice(game.rules.seat_counts))],
        secret=keyed_name(b"", name, number, size=32),
        event="same",
        nonces={},
        time=_TIME,
        faults=_FAULTS,
    )


def play(name: str, matches: int) -> Played:
    """Play matches of a game."""
    digest, decisions, start = hashlib.sha256(), 0, time.process_time()
    for number in range(matches):
        terms = terms_of(name, number)
        player = _Player(Random(f"players {name} {number}"))
        digest.update(_record(terms, player))
        digest.update(player.told.digest())
        decisions += player.decisions
    return Played(digest.hexdigest(), decisions, time.process_time() - start)


def _record(terms: MatchTerms, player: _Player) -> bytes:
    match = Match(terms)
    played_out = None
    step = match.begin()
    while played_out is None:
        for _, message in step.told:
            player.hear(message)
        step = match.step(None if step.question is None else player.reply(step.question))
        played_out = step.played_out
    for _, message in step.told:
        player.hear(message)
    record = played_out.record
    # It is that of the bytes that came of the match, which have to be those that its message is written as.
    if record.digest != digest_of(record.message):
        raise AssertionError(f"the digest of {record.match_id} is not that of its record")
    return record.serialized


def compare(names: Sequence[str], matches: int) -> bool:
    """Play the matches in both ways at once, print what came of them, and say whether it is the same."""
    same = True
    for name in names:
        compiled, plain = (_begun(name, matches, plain=plain) for plain in (False, True))
        compiled_came, plain_came = _came_of(compiled), _came_of(plain)
        same &= compiled_came.digest == plain_came.digest
        verdict = "the same" if compiled_came.digest == plain_came.digest else "NOT THE SAME"
        ratio = compiled_came.cpu_seconds / plain_came.cpu_seconds
        print(  # noqa: T201 - a tool
            f"{name:9} {matches} matches, {compiled_came.decisions} decisions: {verdict} "
            f"({compiled_came.digest[:16]}, {plain_came.digest[:16]}), compiled {ratio:.2f} of the time",
            flush=True,
        )
    return same


def _begun(name: str, matches: int, *, plain: bool) -> subprocess.Popen[bytes]:
    command = (sys.executable, __file__, "--one", name, "--matches", str(matches))
    return subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, PLAIN: "1" if plain else ""})  # noqa: S603 - own


def _came_of(process: subprocess.Popen[bytes]) -> Played:
    output, _ = process.communicate()
    if process.returncode:
        sys.exit(f"a process that played ended with {process.returncode}")
    return Played(*json.loads(output))


def main() -> None:
    """Play and compare; leave with 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="how many of each game")
    parser.add_argument("--game", action="append", choices=game_names(), help="what to play; everything, if not given")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.one is not None:
        print(json.dumps(play(parsed.one, parsed.matches)))  # noqa: T201 - for whoever compares
        return
    if not ordago.IS_COMPILED:
        sys.exit("This Ordago is not compiled: make compiled builds one that is, in .venv-compiled")
    sys.exit(not compare(parsed.game or game_names(), parsed.matches))


if __name__ == "__main__":
    main()
