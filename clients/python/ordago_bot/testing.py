"""Help with tests of bots: decisions to ask, the verdict on an answer, and whole matches.

::

    from ordago_bot.testing import ask, decision, is_legal, load_decisions

    @pytest.mark.parametrize("asked", load_decisions("decisions.jsonl"))
    def test_it_answers_legally(asked):
        assert is_legal(asked.decision, ask(MyBot, asked))

    def test_it_leads():
        asked = decision("mittlere", where=lambda decision: not decision.view.mittlere.trick)
        assert is_legal(asked.decision, ask(MyBot, asked))
"""

import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from ordago import v1
from ordago.games import find_game
from ordago_bot.asked import Asked, load_decisions
from ordago_bot.bot import BotFactory, Choosable, Countdown
from ordago_bot.house.baselines import RandomBot
from ordago_bot.legality import is_legal
from ordago_bot.local import RefusedError, play_locally, think_now
from ordago_bot.seat import Seat

__all__ = [
    "Asked",
    "PlayError",
    "PlayedMatch",
    "PlayedSeat",
    "RefusedError",
    "ask",
    "decision",
    "is_legal",
    "load_decisions",
    "play",
]

_NO_OPTIONS: Final[Mapping[str, object]] = MappingProxyType({})
_MATCHES: Final = 20
"""The number of matches in which ``decision`` looks. One takes from 20 ms (Mus) to 230 ms (Taihe)."""
_PROGRAM: Final = "ordago"
_SHOWN_BYTES: Final = 2000
"""The last part of an error output that is told; a traceback of some frames has room in it."""


def ask(bot: BotFactory, asked: Asked, *, seconds: float = math.inf) -> v1.Answer:
    """Ask a new bot as in a match, with the random numbers of the decision, and return its answer.

    If it was asked again after a refusal, ``choose`` is called first, as in the match, and then ``refused``.

    Args:
        bot: the bot class.
        asked: the decision, from ``load_decisions`` or ``decision``.
        seconds: what ``Bot.time_left`` begins with.

    Raises:
        TypeError: the bot returned no answer.
        ValueError: its answer names no action.
    """
    seat = Seat(asked.start, bot)
    seat.bot.countdown = Countdown(time.monotonic() + seconds)
    answer = think_now(seat, asked.decision)
    return answer if asked.refused is None else think_now(seat, asked.decision, asked.refused)


def decision(
    game: str,
    *,
    where: Callable[[v1.Decision], bool] = lambda _: True,
    options: Mapping[str, object] = _NO_OPTIONS,
    seed: object = 0,
) -> Asked:
    """Return the first decision for which a predicate holds, in matches between random bots.

    The same call returns the same decision, as long as the rules of the game stay the same.

    Args:
        game: the short name of the game, for instance ``mittlere``.
        where: the predicate.
        options: the options of the game that differ from their defaults.
        seed: the source of all chance; its ``str`` is used.

    Raises:
        LookupError: it holds for no decision of twenty matches.
    """
    bots = [_watching(where)] * find_game(game).rules.seat_counts[0]
    try:
        for _ in play_locally(bots, game, options=options, seed=seed, matches=_MATCHES):
            pass
    except _FoundError as found:
        return found.asked
    raise LookupError(f"the predicate holds for no decision of {_MATCHES} matches of {game}")


class _FoundError(Exception):
    """The decision was found. It is raised to end the match."""

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self.asked = asked


def _watching(where: Callable[[v1.Decision], bool]) -> BotFactory:
    class Watching(RandomBot):
        def choose(self, decision: v1.Decision) -> Choosable:
            if where(decision):
                raise _FoundError(Asked(self.match.start, decision))
            return super().choose(decision)

    return Watching


class PlayError(Exception):
    """``ordago play`` could not be run, or failed."""


class PlayedSeat(NamedTuple):
    """One seat of a match that was played."""

    bot: int
    """The position of its bot among those that were given, from 0."""
    name: str
    """The name of its bot."""
    score: int
    """Its score."""
    placing: int
    """Its place, from 1; equal ones share it."""
    strikes: Mapping[str, int]
    """The number of its refused answers, for each rule."""


class PlayedMatch(NamedTuple):
    """A match that ``play`` played."""

    match_id: str
    """The unique name of the match."""
    game: str
    """The short name of the game."""
    number: int
    """Its number, from 1."""
    seats: tuple[PlayedSeat, ...]
    """The seats, in their order."""
    faults: int
    """The number of decisions that took the default answer for a fault."""
    forfeits: tuple[Mapping[str, Any], ...]
    """The forfeits, each with ``seat`` and ``fault``."""

    @classmethod
    def from_json(cls, line: str) -> Self:
        """Read a line of ``ordago play --json``."""
        read = json.loads(line)
        seats = tuple(PlayedSeat(**{key: seat[key] for key in PlayedSeat._fields}) for seat in read["seats"])
        forfeits = tuple(read["forfeits"])
        return cls(read["match_id"], read["game"], read["number"], seats, read["faults"], forfeits)

    def of(self, bot: int) -> PlayedSeat:
        """Return the seat of a bot, by its position among those that were given."""
        return next(seat for seat in self.seats if seat.bot == bot)


def play(
    game: str,
    bots: Sequence[str],
    *,
    matches: int = 1,
    options: Mapping[str, object] = _NO_OPTIONS,
    seed: str = "",
    timeout: float | None = None,
) -> list[PlayedMatch]:
    """Play matches between bots of any language with ``ordago play``, over a real connection.

    The bots are started once. They rotate: with n bots, n matches in a row deal the same cards and put each bot once on
    every seat.

    Args:
        game: the short name of the game, for instance ``mittlere``.
        bots: a bot for each seat, as ``ordago play`` takes them: ``cmd:python bot.py`` or ``house:solid``.
        matches: the number of matches.
        options: the options of the game that differ from their defaults.
        seed: the seed of the deals, in hexadecimal; random if empty.
        timeout: the seconds after which it fails; ``None`` for never.

    Raises:
        PlayError: there is no ``ordago``, or it failed; the sentence says why.
    """
    words = [_program(), "play", game, "--matches", str(matches), "--json"]
    words += [word for bot in bots for word in ("--bot", bot)]
    words += [word for key, value in options.items() for word in ("--option", f"{key}={value}")]
    words += ["--seed", seed] if seed else []
    try:
        ended = subprocess.run(words, capture_output=True, text=True, timeout=timeout, check=False)  # noqa: S603 - the caller's
    except subprocess.TimeoutExpired as error:
        raise PlayError(f"ordago play has not ended after {timeout} s") from error
    except OSError as error:
        raise PlayError(f"{words[0]} cannot be run: {error.strerror}") from error
    if ended.returncode:
        shown = ended.stderr.strip()[-_SHOWN_BYTES:]
        raise PlayError(f"ordago play ended with exit code {ended.returncode}: {shown}")
    return [PlayedMatch.from_json(line) for line in ended.stdout.splitlines()]


def _program() -> str:
    """Return the program ``ordago``: ``ORDAGO_PROGRAM``, else that of the path, or the one beside this Python."""
    if named := os.environ.get("ORDAGO_PROGRAM"):
        return named
    beside = Path(sys.executable).parent
    if found := shutil.which(_PROGRAM) or shutil.which(_PROGRAM, path=beside):
        return found
    raise PlayError("there is no program ordago on the path: install ordago[server], or name it with ORDAGO_PROGRAM")
