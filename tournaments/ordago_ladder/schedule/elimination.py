"""Knockout and double elimination: the best of each table go on, until the final has a winner.

Entrants are seeded by their known rating in ``[anchors]``, those without one after them in the order of the event file.
A *contest* is a table of a stage, with all the sets that it plays there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from ordago.store import MatchResult
from ordago_ladder.schedule.bracket import FINAL, Stage
from ordago_ladder.schedule.counts import event_stages, games_in_order, has_second_final
from ordago_ladder.schedule.shares import shares_of
from ordago_ladder.schedule.tables import Table, seeds_of, table_of
from ordago_ladder.settings.settings import Settings

Part: TypeAlias = Literal["upper", "lower", "final"]
"""The part of a bracket that a contest belongs to. A knockout has no lower part."""


Decision: TypeAlias = Literal["", "absence", "points", "score", "seed"]
"""The reason why these go on from a table and the others do not; empty until it is decided."""


class Contender(NamedTuple):
    """An entrant in a contest."""

    entrant: str
    seed: int
    """Its place in the seeding, from 1."""
    points: Fraction
    """The points of the sets so far: one for each set of each game in which it beat all opponents."""
    goes_on: bool
    """True once it has come through this contest; in the final, once it has won."""


class Contest(NamedTuple):
    """A table of a stage, as far as it is played."""

    number: int
    """The number of the contest in the bracket, from 1."""
    stage: int
    """The number of its stage, from 1."""
    part: Part
    advance: int
    """The number of entrants that go on."""
    contenders: tuple[Contender, ...]
    """Best seeds first; once it is decided, in the order in which they came in."""
    sets: int
    """The number of sets of each game that are complete."""
    play_offs: int
    """The number of these that were played since the table was tied."""
    decided_by: Decision
    """The suspension of the others; else points, with equal points the total of scores, then the seed."""

    @property
    def decided(self) -> bool:
        """True once it is known who goes on."""
        return bool(self.decided_by)


class Place(NamedTuple):
    """A final place, which those share that went out in the same stage."""

    rank: int
    entrant: str


class Bracket(NamedTuple):
    """The bracket of an event, as far as its results determine it."""

    seeds: tuple[str, ...]
    """The entrants, best seed first."""
    stages: tuple[Stage, ...]
    """All stages, without a second final."""
    contests: tuple[Contest, ...]
    """The contests that have begun or are due, in order."""
    places: tuple[Place, ...]
    """The places of those that are out, and at the end of the winner; best first."""


@dataclass
class _Open:
    """A contest while it is played."""

    stage: int
    part: Part
    advance: int
    slots: list["_Slot"]
    points: dict[str, Fraction]
    scores: dict[str, int]
    sets: int = 0
    asked: int = 0
    """The number of sets that were scheduled last."""
    order: list["_Slot"] = field(default_factory=list)
    """Those who sat at the table in the order in which they came in; empty until it is decided."""
    decided_by: Decision = ""
    """The reason for this order when it was decided."""


class _Slot(NamedTuple):
    """An entrant at a place in one part of the bracket. The lower the number, the better the place."""

    number: tuple[int, int]
    """The stage in which it lost first, newest first; then the place that it had."""
    entrant: str


class Elimination:
    """The rounds of a knockout or a double elimination.

    The contests of a stage play at the same time. Those that are still tied play one more set in the next round, until
    all are decided.
    """

    def __init__(self, settings: Settings, *, met: Iterable[frozenset[str]] = ()) -> None:
        """Begin before the first round; ``met`` are pairs of entrants to keep apart, which met before."""
        self._settings = settings
        self._games = games_in_order(settings)
        self._stages = event_stages(settings)
        self._seeds = seeds_of(settings)
        self._upper = [_Slot((0, number), name) for number, name in enumerate(self._seeds)]
        self._lower: list[_Slot] = []
        self._met = set(met)
        self._contests: list[_Open] = []
        self._open: list[_Open] = []
        self._stage = 0
        self._gone: frozenset[str] = frozenset()
        self._out: list[list[str]] = []
        """Those who are out, stage by stage."""

    def enter(self, tables: Sequence[Table]) -> None:  # noqa: ARG002 - other formats need it
        """Take over a round that was played before: brackets are drawn once, so it has the tables that follow."""
        self.next_round(frozenset(()))

    def next_round(self, gone: frozenset[str]) -> list[Table]:  # noqa: ARG002 - ``learn`` puts the gone last
        """Return the tables of the next round: those of a new stage, or those that are not decided yet."""
        if not self._open and self._goes_on():
            self._begin_stage()
        return [table for contest in self._open for table in self._tables(contest)]

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:
        """Count the points of a round. End the stage if all its contests are decided."""
        self._gone = gone
        at = {name: contest for contest in self._open for name in contest.points}
        for share in shares_of(played, self._settings):
            at[share.entrant].points[share.entrant] += share.points * at[share.entrant].asked
        for result in played:
            for name in result.sides:
                at[name].scores[name] += result.score(name)
        for contest in self._open:
            contest.sets += contest.asked
            self._decide(contest)
        self._open = [contest for contest in self._open if not contest.order]
        if not self._open:
            self._end_stage()

    @property
    def bracket(self) -> Bracket:
        """The bracket so far."""
        contests = tuple(self._shown(number, contest) for number, contest in enumerate(self._contests, start=1))
        return Bracket(self._seeds, self._stages, contests, tuple(self._places()))

    def _goes_on(self) -> bool:
        """Return True if a stage follows. A second final does if the winner of the first has also lost just once."""
        if self._stage < len(self._stages):
            return True
        final = self._contests[-1]
        is_first = self._stage == len(self._stages)
        return is_first and has_second_final(self._settings) and final.order[0].number[0] < 0

    def _begin_stage(self) -> None:
        is_final = self._stage >= len(self._stages) - 1
        stage = FINAL if is_final else self._stages[self._stage]
        self._stage += 1
        if is_final:
            self._upper, self._lower = [*self._upper, *self._lower], []
        parts: tuple[tuple[Part, list[_Slot], tuple[int, ...]], ...] = (
            ("final" if is_final else "upper", self._upper, stage.upper),
            ("lower", self._lower, stage.lower),
        )
        for part, slots, tables in parts:
            for advance, seated in zip(tables, self._seated(slots, len(tables)), strict=True):
                zero = dict.fromkeys((slot.entrant for slot in seated), Fraction(0))
                self._open.append(_Open(self._stage, part, advance, seated, zero, dict.fromkeys(zero, 0)))
        self._contests += self._open

    def _seated(self, slots: Sequence[_Slot], tables: int) -> list[list[_Slot]]:
        """Return who sits at each table. The best slots have a bye; of the rest each table gets one from each part.

        The first against the last, the second against the last but one, and so on, except where they have met before.
        """
        playing = slots[len(slots) - tables * self._games[0].table_size :]
        seated: list[list[_Slot]] = [[] for _ in range(tables)]
        for turn in range(self._games[0].table_size):
            left = list(playing[turn * tables : (turn + 1) * tables])[:: -1 if turn % 2 else 1]
            for table in seated:
                table.append(left.pop(self._first_new(left, table)))
        return seated

    def _first_new(self, left: Sequence[_Slot], table: Sequence[_Slot]) -> int:
        """Return the place of the first that met nobody at the table before; the first of all if there is none."""
        met = [any(frozenset((one.entrant, other.entrant)) in self._met for other in table) for one in left]
        return met.index(False) if False in met else 0

    def _tables(self, contest: _Open) -> list[Table]:
        event = self._settings.event
        begins = contest.sets == 0 and not event.skip_decided
        contest.asked = event.repetitions if begins else 1
        names = tuple(slot.entrant for slot in contest.slots)
        return [table_of(game, names) for game in self._games for _ in range(contest.asked)]

    def _decide(self, contest: _Open) -> None:
        """Put those at a table in order if nothing can change who goes on."""
        event = self._settings.event
        ranked = sorted(contest.slots, key=partial(self._rank, contest))
        last, first_out = (ranked[at].entrant for at in (contest.advance - 1, contest.advance))
        lead = contest.points[last] - contest.points[first_out]
        left = max(0, event.repetitions - contest.sets) * len(self._games)
        is_walkover = first_out in self._gone and last not in self._gone
        if is_walkover or lead > left or contest.sets >= event.repetitions + event.most_play_offs:
            contest.order = ranked
            contest.decided_by = self._decided_by(contest)

    def _rank(self, contest: _Open, slot: _Slot) -> tuple[bool, Fraction, tuple[int, int]]:
        """Return the key that puts the best at a table first. Those who are gone are last."""
        return slot.entrant in self._gone, -contest.points[slot.entrant], self._tie_break(contest, slot)

    def _tie_break(self, contest: _Open, slot: _Slot) -> tuple[int, int]:
        """Return the key of those with equal points: the higher total of scores, if they compare, then the seed."""
        score = contest.scores[slot.entrant] if len(self._games) == 1 else 0
        return -score, self._seeds.index(slot.entrant)

    def _decided_by(self, contest: _Open) -> Decision:
        last, first_out = (contest.order[at].entrant for at in (contest.advance - 1, contest.advance))
        if first_out in self._gone and last not in self._gone:
            return "absence"
        if contest.points[last] > contest.points[first_out]:
            return "points"
        return "score" if len(self._games) == 1 and contest.scores[last] > contest.scores[first_out] else "seed"

    def _end_stage(self) -> None:
        """Move the entrants of the stage: those that go on take the best places of their table."""
        out: list[str] = []
        for contest in (one for one in self._contests if one.stage == self._stage):
            names = [slot.entrant for slot in contest.order]
            self._met.update(frozenset((one, other)) for one in names for other in names if one != other)
            out += self._moved(contest) if contest.part != "final" else []
        self._lower.sort()
        if out:
            self._out.append(out)

    def _moved(self, contest: _Open) -> list[str]:
        """Move the entrants of a contest; return those that are out."""
        part = self._upper if contest.part == "upper" else self._lower
        numbers = sorted(slot.number for slot in contest.slots)
        through, beaten = contest.order[: contest.advance], contest.order[contest.advance :]
        part[:] = [slot for slot in part if slot not in contest.slots]
        part += [_Slot(number, slot.entrant) for number, slot in zip(numbers, through, strict=False)]
        part.sort()
        if contest.part == "lower" or self._settings.event.format == "knockout":
            return [slot.entrant for slot in beaten]
        fallen = zip(numbers[contest.advance :], beaten, strict=True)
        self._lower += [_Slot((-self._stage, number[1]), slot.entrant) for number, slot in fallen]
        return []

    def _shown(self, number: int, contest: _Open) -> Contest:
        through = {slot.entrant for slot in contest.order[: contest.advance]}
        contenders = tuple(
            Contender(
                slot.entrant,
                1 + self._seeds.index(slot.entrant),
                contest.points[slot.entrant],
                slot.entrant in through,
            )
            for slot in contest.order or contest.slots
        )
        return Contest(
            number=number,
            stage=contest.stage,
            part=contest.part,
            advance=contest.advance,
            contenders=contenders,
            sets=contest.sets,
            play_offs=max(0, contest.sets - self._settings.event.repetitions),
            decided_by=contest.decided_by,
        )

    def _places(self) -> Iterator[Place]:
        over = self._stage >= len(self._stages) and not self._open and not self._goes_on()
        if over:
            yield from (Place(rank, slot.entrant) for rank, slot in enumerate(self._contests[-1].order, start=1))
        rank = 1 + len(self._contests[-1].order) if over else 1 + len(self._seeds) - sum(map(len, self._out))
        for out in reversed(self._out):
            yield from (Place(rank, name) for name in sorted(out, key=self._seeds.index))
            rank += len(out)
