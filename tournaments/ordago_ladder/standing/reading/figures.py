"""Statistics of a bot from the results and records of its matches: by seat and by co-player, and its thinking times."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ordago import v1
from ordago.record import from_file_bytes
from ordago.store.ladder.rows import LadderResult
from ordago_ladder.rating.think_times import SeatTimes, think_times
from ordago_ladder.standing.reading.messages import sides_of

_COUNTED: Final[Mapping[str, str]] = {"ahead": "first_ahead", "behind": "second_ahead"}


def head_to_head(
    results: Iterable[LadderResult], first: Collection[int], second: Collection[int]
) -> list[v1.HeadToHead]:
    """Return the outcomes between two bots in each game, ascending by name.

    Args:
        results: the results of matches in which both played.
        first: the player numbers of the first bot's versions.
        second: the player numbers of the second bot's versions.
    """
    counted: dict[str, Counter[str]] = {}
    for result in results:
        game = counted.setdefault(result.seating.game, Counter())
        game.update(_meetings(result, first, second))
    return [v1.HeadToHead(game=game, **count) for game, count in sorted(counted.items())]


def _meetings(result: LadderResult, first: Collection[int], second: Collection[int]) -> Iterator[str]:
    """Yield, for each seat of the first and each of the second, the counter that their outcome adds to."""
    players, placings = result.seating.players, result.result.placings
    sides = sides_of(result.seating.game, len(players))
    for mine, player in enumerate(players):
        for theirs, other in enumerate(players):
            if mine == theirs or player not in first or other not in second:
                continue
            met = met_as(sides, placings, mine, theirs)
            yield _COUNTED.get(met, met)


def met_as(sides: Sequence[int], placings: Sequence[int], mine: int, theirs: int) -> str:
    """Return the outcome of a seat against another: ``partners``, ``level``, ``ahead`` or ``behind``."""
    if sides[mine] == sides[theirs]:
        return "partners"
    if placings[mine] == placings[theirs]:
        return "level"
    return "ahead" if placings[mine] < placings[theirs] else "behind"


_MOST_OTHERS: Final = 100


def bot_figures(
    results: Iterable[LadderResult], own: Collection[int], name_of: Callable[[int], str]
) -> list[v1.BotFigures]:
    """Return the statistics of a bot in each game, ascending by name.

    Args:
        results: the results of its matches.
        own: the player numbers of its versions.
        name_of: returns the name of the bot that a player is a version of.
    """
    tallies: dict[str, _Tally] = {}
    for result in results:
        tallies.setdefault(result.seating.game, _Tally()).add(result, own, name_of)
    return [tally.figures(game) for game, tally in sorted(tallies.items())]


def bot_times(
    results: Iterable[LadderResult], own: Collection[int], record_of: Callable[[str], bytes]
) -> dict[str, v1.TimeFigures]:
    """Return the decision times of a bot in each game.

    Args:
        results: the results of its matches whose records are open.
        own: the player numbers of its versions.
        record_of: returns the record of a match, as the bytes of its file.
    """
    taken: dict[str, list[SeatTimes]] = {}
    for result in results:
        times = think_times(from_file_bytes(record_of(result.seating.match_id)))
        taken.setdefault(result.seating.game, []).append(times[_seat_of(result, own)])
    return {game: _times(seats) for game, seats in taken.items()}


def _times(seats: Sequence[SeatTimes]) -> v1.TimeFigures:
    decisions = sum(seat.asked for seat in seats)
    return v1.TimeFigures(
        matches=len(seats),
        decisions=decisions,
        mean_ms=sum(seat.charged_ms for seat in seats) / max(decisions, 1),
        longest_ms=max(seat.longest_ms for seat in seats),
    )


def _seat_of(result: LadderResult, own: Collection[int]) -> int:
    """Return the seat of a bot. A bot has at most one seat at a table."""
    return next(seat for seat, player in enumerate(result.seating.players) if player in own)


@dataclass(slots=True)
class _Tally:
    """Counters over a bot's matches of one game."""

    matches: int = 0
    scores: dict[int, list[int]] = field(default_factory=dict)
    seats: dict[int, Counter[str]] = field(default_factory=dict)
    others: dict[str, Counter[str]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    strikes: int = 0
    forfeits: int = 0

    def add(self, result: LadderResult, own: Collection[int], name_of: Callable[[int], str]) -> None:
        """Count a match."""
        self.matches += 1
        seat = _seat_of(result, own)
        self._conduct(result, seat)
        self.scores.setdefault(seat, []).append(result.result.scores[seat])
        pairings = self.seats.setdefault(seat, Counter())
        for other, met in _met(result, seat):
            pairings[met] += 1
            self.others.setdefault(name_of(other), Counter())[met] += 1

    def _conduct(self, result: LadderResult, seat: int) -> None:
        for fault in result.result.faults[seat]:
            self.faults[fault.fault] += fault.decisions
        self.strikes += sum(strike.answers for strike in result.result.strikes[seat])
        self.forfeits += sum(forfeit.seat == seat for forfeit in result.result.forfeits)

    def figures(self, game: str) -> v1.BotFigures:
        """Return the counters as a message."""
        met_most = sorted(self.others.items(), key=lambda met: (-met[1].total(), met[0]))[:_MOST_OTHERS]
        return v1.BotFigures(
            game=game,
            matches=self.matches,
            seats=[self._seat(seat) for seat in sorted(self.seats)],
            others=[v1.OpponentFigures(name=name, pairings=v1.PairingFigures(**count)) for name, count in met_most],
            faults=[v1.FaultFigures(fault=fault, decisions=count) for fault, count in sorted(self.faults.items())],
            strikes=self.strikes,
            forfeits=self.forfeits,
        )

    def _seat(self, seat: int) -> v1.SeatFigures:
        scores = self.scores[seat]
        pairings = v1.PairingFigures(**self.seats[seat])
        return v1.SeatFigures(seat=seat, matches=len(scores), mean_score=sum(scores) / len(scores), pairings=pairings)


def _met(result: LadderResult, seat: int) -> Iterator[tuple[int, str]]:
    """Yield the players in the other seats of a table, each with the outcome of a seat against it."""
    players, placings = result.seating.players, result.result.placings
    sides = sides_of(result.seating.game, len(players))
    for other, player in enumerate(players):
        if other != seat:
            yield player, met_as(sides, placings, seat, other)
