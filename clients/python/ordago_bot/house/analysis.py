"""What the choices of a recorded match cost, by what the house would have played.

At each choice the house does twice what it does when it plays. First it weighs the action that was taken beside those
that it considers, and finds the best. Then it weighs the best and the one taken anew, in deals drawn afresh: what is
best in some deals owes a part of that to these deals, so the cost is measured in others, in which it has no such luck.
A cost can come out below zero, then, and over many choices it is rather too small than too large.

Each action is tried in the same deals. So their difference is known more exactly than what each of them brings, and
its standard error is that of the differences, deal by deal. A choice is called dear where its cost is larger than two
of these errors explain. What the house knows is the view of the seat that chose, and no more.
"""

from collections.abc import Hashable, Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple, TypeAlias

from ordago import v1
from ordago.cards import signs
from ordago.game import LegalAction, State
from ordago.games.definition import AnyGame
from ordago.record.opening import Opening, UnplayableError, opening
from ordago.record.replay import replay
from ordago_bot.house.solid import weigher_of
from ordago_bot.house.weighing import Unit, Weighed, Weigher, Weighing

_OPEN: Final = "…"
"""What the words of an offer end with that leaves something to be said."""


def words_of(game: AnyGame, action: Hashable) -> str:
    """Return a complete action in the words that offer it to a person, with the parts filled in."""
    offered = _offered(game, action)
    if not offered.endswith(_OPEN):
        return offered
    return " ".join([offered.removesuffix(_OPEN), *_filled_in(action)])


def _offered(game: AnyGame, action: Hashable) -> str:
    return game.staging.offer(LegalAction(action)).sentence.written()


def _filled_in(action: Any) -> Iterator[str]:  # noqa: ANN401 - of any game
    amount = getattr(action, "amount", None)
    if amount:
        yield f"{amount}".replace("-", "−")
    card, cards = getattr(action, "card", 0), getattr(action, "cards", ())
    if card or cards:
        yield signs([card] if card else cards)


VERSION: Final = 1
"""The version of what is computed. It grows when an analysis of the same match would say something else."""
WORLDS: Final = 32
"""How many deals are imagined for a choice where nobody says otherwise: a match takes a few seconds so."""
_ERRORS_TO_BE_DEAR: Final = 2.0
_OPTIONS_TOLD: Final = 3


class Option(NamedTuple):
    """Something that could be done at a choice."""

    words: str
    """What it is."""
    worth: float
    """What it brings on average."""


class Judgement(NamedTuple):
    """What the house says of a choice that it could weigh."""

    entry: int
    """The place of the choice among the entries of the record."""
    deal: int
    """The deal, counted from 0."""
    seat: int
    """Who chose."""
    taken: Option
    """What was done."""
    options: tuple[Option, ...]
    """The best that the house considers, what it would play first; what was done may be among them."""
    unit: Unit
    """What worths and costs are counted in."""
    searched: bool
    """Whether deals were imagined; a rule of thumb compares the actions otherwise."""
    like_the_house: bool
    """Whether it is what the house would play. Its cost is zero then."""
    cost: float
    """What the best brings more than what was done."""
    error: float | None
    """The standard error of the cost; ``None`` where a rule of thumb without chance says it."""
    dear: bool
    """Whether the cost is more than chance, and the margin of a rule of thumb, explain."""


class Unjudged(NamedTuple):
    """A choice of which the house cannot say what it costs."""

    entry: int
    """The place of the choice among the entries of the record."""
    deal: int
    """The deal, counted from 0."""
    seat: int
    """Who chose."""


Opinion: TypeAlias = Judgement | Unjudged


def choices_of(record: v1.MatchRecord, *, seat: int | None = None) -> int:
    """Return how many opinions there will be of a record that can be played: one for each choice of a bot's own."""
    return sum(_is_own(entry, seat) for entry in record.entries)


def opinions(record: v1.MatchRecord, *, worlds: int = WORLDS, seat: int | None = None) -> Iterator[Opinion]:
    """Go through the choices that bots made themselves: what was done for them after a fault is nobody's to blame.

    All chance comes from the match and the place of the choice, so that an analysis says the same again.

    Args:
        record: a whole match.
        worlds: how many deals to imagine, twice for each choice; at least two.
        seat: whose choices; ``None`` for all.

    Raises:
        UnplayableError: the record is not as the rules say, or the house does not play its game.
    """
    begun, weigher = opening(record), weigher_of(record.game)
    if weigher is None:
        raise UnplayableError(
            f"The house does not play {begun.game.rules.title}, so it cannot say what a choice costs."
        )
    problems = replay(record).problems
    if problems:
        place = "" if problems[0].entry is None else f"Entry {problems[0].entry}: "
        raise UnplayableError(f"It is not as the rules say, so it is not analysed. {place}{problems[0].sentence}")
    return _Walk(record, begun, weigher, worlds, seat).opinions()


def _is_own(entry: v1.RecordEntry, seat: int | None) -> bool:
    return entry.HasField("choice") and not entry.choice.fault and seat in (None, entry.choice.seat)


class _Walk:
    """Goes through a record that is as the rules say."""

    def __init__(self, record: v1.MatchRecord, begun: Opening, weigher: Weigher, worlds: int, seat: int | None) -> None:
        self._record = record
        self._game = begun.game
        self._state: State[Any, Any, Any] = begun.state
        self._judge = _Judge(begun.game, weigher, worlds)
        self._seat = seat
        self._deal = 0

    def opinions(self) -> Iterator[Opinion]:
        for place, entry in enumerate(self._record.entries):
            if entry.HasField("shuffle"):
                self._deal = entry.shuffle.deal
                self._state.supply(tuple(entry.shuffle.cards))
            elif entry.HasField("choice"):
                action = self._game.codec.action_from(entry.choice.action)
                if _is_own(entry, self._seat):
                    yield self._opinion(place, action)
                self._state.apply(action)

    def _opinion(self, place: int, action: Hashable) -> Opinion:
        state = self._state
        where = Unjudged(place, self._deal, state.actor)
        rng = Random(f"{self._record.match_id}|{self._record.attempt}|{place}")
        return self._judge.opinion(where, state.view(state.actor), state.legal_actions(), action, rng)


class _Judge:
    """Weighs choices of one game."""

    def __init__(self, game: AnyGame, weigher: Weigher, worlds: int) -> None:
        self._game = game
        self._weigher = weigher
        self._worlds = worlds

    def opinion(
        self, where: Unjudged, view: object, legal: Sequence[LegalAction[Any]], taken: Hashable, rng: Random
    ) -> Opinion:
        """Judge what was done at a view, if there was a choice and the house can tell what it costs."""
        if not self._is_free(legal):
            return where
        actions = self._to_weigh(view, legal, taken)
        first = self._weigher.weigh(view, actions, rng=rng, worlds=self._worlds)
        # The one that was taken is first among equals.
        ranked = sorted(first.weighed, key=lambda weighed: -weighed.rank)
        if taken not in (weighed.action for weighed in ranked):
            return where
        told = [weighed.action for weighed in ranked[:_OPTIONS_TOLD]]
        if told[0] == taken:
            return self._judgement(where, first, told, taken)
        again = self._weigher.weigh(view, list(dict.fromkeys([*told, taken])), rng=rng, worlds=self._worlds)
        return self._judgement(where, again, told, taken)

    def _is_free(self, legal: Sequence[LegalAction[Any]]) -> bool:
        """Say whether more than one thing could be done."""
        meanings = {self._weigher.meaning(each.action) for each in legal}
        return len(meanings) > 1 or any(each.amount or each.picks for each in legal)

    def _to_weigh(self, view: object, legal: Sequence[LegalAction[Any]], taken: Hashable) -> list[Hashable]:
        """Return the action that was taken, then those that the house considers and that mean something else."""
        meaning = self._weigher.meaning
        considered = self._weigher.candidates(view, legal)
        return [taken, *(action for action in considered if meaning(action) != meaning(taken))]

    def _judgement(
        self, where: Unjudged, weighing: Weighing[Any], told: Sequence[Hashable], taken: Hashable
    ) -> Judgement:
        weighed = {each.action: each for each in weighing.weighed}
        cost, error = _difference(weighed[told[0]], weighed[taken])
        return Judgement(
            *where,
            taken=self._option(weighed[taken]),
            options=tuple(self._option(weighed[action]) for action in told),
            unit=weighing.unit,
            searched=weighing.searched,
            like_the_house=told[0] == taken,
            cost=cost,
            error=error,
            dear=cost > weighing.margin + _ERRORS_TO_BE_DEAR * (error or 0.0),
        )

    def _option(self, weighed: Weighed[Any]) -> Option:
        return Option(words_of(self._game, weighed.action), fmean(weighed.samples))


def _difference(one: Weighed[Any], other: Weighed[Any]) -> tuple[float, float | None]:
    """Return by how much one action is better than another, and the standard error of that."""
    differences = [a - b for a, b in zip(one.samples, other.samples, strict=True)]
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else None
    return fmean(differences), error
