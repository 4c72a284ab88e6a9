"""The start of a recorded match, if the current rules can play it."""

from collections.abc import Hashable
from typing import NamedTuple

from ordago import v1
from ordago.game import OptionError, State
from ordago.games import UnknownGameError, find_game
from ordago.games.definition import AnyGame
from ordago.record.concessions import Concessions
from ordago.record.digest import FORMAT_VERSION


class UnplayableError(Exception):
    """A record cannot be played, or only up to one of its entries: the record is at fault."""


class OtherRulesError(UnplayableError):
    """A record of another version of the rules than the installed one, which cannot judge it."""


class Opening(NamedTuple):
    """A recorded match before its first shuffle."""

    game: AnyGame
    options: v1.GameOptions
    """The options as the game reads them, complete."""
    state: State[Hashable, Hashable, object]

    concessions: Concessions
    """The word of no seat yet, where the match can be conceded."""


def opening(record: v1.MatchRecord) -> Opening:
    """Return the match of a record before its first shuffle.

    Raises:
        UnplayableError: a format, a game, rules, options or a number of seats that cannot be played here.
        OtherRulesError: only the version of the rules cannot.
    """
    game = _game(record)
    try:
        options = game.codec.options_from(record.options)
    except OptionError as error:
        raise UnplayableError(f"The options are invalid: {error}.") from None
    state = game.rules.new_match(seats=_seats(record, game), options=options)
    concessions = Concessions(game, seats=len(record.seats), wanted=record.conceding)
    return Opening(game, game.codec.options(options), state, concessions)


def clocks_of(record: v1.MatchRecord) -> list[v1.ClockTerms]:
    """Return the time of each seat by the heading of a record, in order of seats."""
    return [seat.clock if seat.HasField("clock") else record.clock for seat in record.seats]


def _game(record: v1.MatchRecord) -> AnyGame:
    if record.format_version != FORMAT_VERSION:
        raise UnplayableError(
            f"Its format has version {record.format_version}; this version of Ordago reads {FORMAT_VERSION}."
        )
    try:
        game = find_game(record.game)
    except UnknownGameError as error:
        raise UnplayableError(f"It cannot be played: {error}.") from None
    if record.rules_version != game.rules.version:
        raise OtherRulesError(other_rules(game, record.rules_version))
    return game


def other_rules(game: AnyGame, version: int) -> str:
    """Return the sentence on a match by another version of the rules than the installed one."""
    return (
        f"It was played by version {version} of the rules of {game.rules.title}, "
        f"but version {game.rules.version} is installed."
    )


def _seats(record: v1.MatchRecord, game: AnyGame) -> int:
    seats = len(record.seats)
    if seats not in game.rules.seat_counts:
        counts = " or ".join(str(count) for count in game.rules.seat_counts)
        raise UnplayableError(f"{game.rules.title} is played by {counts}, not by {seats}.")
    return seats
