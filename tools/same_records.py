"""Play the same matches plain and compiled, and compare all results byte for byte.

The Python of a compiled build runs it; a second process runs the sources. Seats, options, answers and thinking times
are drawn from seeds, and some answers are illegal, late or missing. The records are compared, and all messages to the
seats, with each decision as it would be sent.
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
    "mitigati": {"max_struck": (1, 4), "max_bid": (1, 100), "ranking": ("source", "piedmont")},
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
"""The options to draw from. They make short matches, so that more different ones fit in the same time."""
_ILLEGAL: Final = 0.02
"""The share of answers that are drawn without regard to the rules."""
_SILENT: Final = 0.01
"""The share of decisions without an answer."""
_LONGEST_THOUGHT: Final = 4.0
"""Seconds; slightly more than the time for a decision, so that some answers are late."""
_TIME: Final = TimeTerms(decision_ms=3_900)
_FAULTS: Final = FaultTerms(strikes=2, forfeit_after=6)


class Played(NamedTuple):
    """The result of the matches of a game."""

    digest: str
    """The SHA-256 of the records and decisions, in order."""
    decisions: int
    cpu_seconds: float


class _Player:
    """A player that answers at random, and digests all messages to its seats."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.heard = hashlib.sha256()
        self.decisions = 0

    def reply(self, question: Question) -> Reply:
        """Answer a question, mostly correctly."""
        serialized = question.serialized()
        self.heard.update(serialized)
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
        """Digest a message."""
        heard = message.message() if isinstance(message, Acceptance) else message
        self.heard.update(heard.SerializeToString(deterministic=True))


def terms_of(name: str, number: int) -> MatchTerms:
    """Return the terms of a match of a game, by number."""
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
    """Play a number of matches of a game."""
    digest, decisions, start = hashlib.sha256(), 0, time.process_time()
    for number in range(matches):
        terms = terms_of(name, number)
        player = _Player(Random(f"players {name} {number}"))
        digest.update(_record(terms, player))
        digest.update(player.heard.digest())
        decisions += player.decisions
    return Played(digest.hexdigest(), decisions, time.process_time() - start)


def _record(terms: MatchTerms, player: _Player) -> bytes:
    match = Match(terms)
    played_out = None
    step = match.begin()
    while played_out is None:
        for _, message in step.messages:
            player.hear(message)
        step = match.step(None if step.question is None else player.reply(step.question))
        played_out = step.played_out
    for _, message in step.messages:
        player.hear(message)
    record = played_out.record
    # The digest is computed from bytes built during the match, which have to equal the serialized message.
    if record.digest != digest_of(record.message):
        raise AssertionError(f"the digest of {record.match_id} is not that of its record")
    return record.serialized


def compare(names: Sequence[str], matches: int) -> bool:
    """Play the matches plain and compiled in parallel, print both results, and return True if they are equal."""
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
    return subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, PLAIN: "1" if plain else ""})  # noqa: S603 - our own


def _came_of(process: subprocess.Popen[bytes]) -> Played:
    output, _ = process.communicate()
    if process.returncode:
        sys.exit(f"a process that played ended with {process.returncode}")
    return Played(*json.loads(output))


def main() -> None:
    """Play and compare; exit with 1 if a result differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="how many of each game")
    parser.add_argument("--game", action="append", choices=game_names(), help="what to play; everything, if not given")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.one is not None:
        print(json.dumps(play(parsed.one, parsed.matches)))  # noqa: T201 - for the parent process
        return
    if not ordago.IS_COMPILED:
        sys.exit("This Ordago is not compiled: make compiled builds one that is, in .venv-compiled")
    sys.exit(not compare(parsed.game or game_names(), parsed.matches))


if __name__ == "__main__":
    main()
