"""Cost of each choice in a recorded match, compared with the play of the house at its strongest.

Each choice is evaluated twice. First the house weighs the action taken and those that it considers, and finds the best.
Then it weighs the best and the one taken again, in newly drawn deals. The best action owes a part of its lead to the
deals in which it was found, so its cost is measured in others, where it has no such luck. A cost can be negative, then,
and over many choices the costs are too small rather than too large.

All actions are tried in the same deals. So their difference is more exact than their values, and its standard error is
that of the differences, deal by deal. A choice is called dear if its cost exceeds two of these errors. The house knows
the view of the seat that chose, and no more.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
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
from ordago_bot.house.levels import strongest_weigher
from ordago_bot.house.weighing import Unit, Weighed, Weigher, Weighing

_OPEN: Final = "…"
"""The end of an offer's words where an amount or cards are left open."""


def words_of(game: AnyGame, action: Hashable, translate: Callable[[str], str] = str) -> str:
    """Return the words for a complete action: those that offer it to a person, with the open parts filled in."""
    offered = game.staging.offer(LegalAction(action)).sentence.written(translate)
    if not offered.endswith(_OPEN):
        return offered
    return " ".join([offered.removesuffix(_OPEN), *_filled_in(action)])


def _filled_in(action: Any) -> Iterator[str]:  # noqa: ANN401 - of any game
    amount = getattr(action, "amount", None)
    if amount:
        yield f"{amount}".replace("-", "−")
    card, cards = getattr(action, "card", 0), getattr(action, "cards", ())
    if card or cards:
        yield signs([card] if card else cards)


VERSION: Final = 2
"""The version of the method. It grows when an analysis of the same match would have another result."""
WORLDS: Final = 32
"""The default number of deals imagined for a choice. With it the analysis of a match takes some ten seconds."""
_ERRORS_TO_BE_DEAR: Final = 2.0
_OPTIONS_SHOWN: Final = 3


class Option(NamedTuple):
    """An action that was possible at a choice."""

    words: str
    """The action, in words."""
    worth: float
    """Its average value over the deals imagined, in the unit of the judgement."""


class Judgement(NamedTuple):
    """The evaluation of a choice."""

    entry: int
    """The index of the choice among the entries of the record."""
    deal: int
    """The deal, counted from 0."""
    seat: int
    """The seat that chose."""
    taken: Option
    """The action taken."""
    options: tuple[Option, ...]
    """The best actions that the house considers, its own play first; the one taken may be among them."""
    unit: Unit
    """The unit of worths and costs."""
    searched: bool
    """True if deals were imagined; False if a rule of thumb compared the actions."""
    like_the_house: bool
    """True if the house would play the same. The cost is zero then."""
    cost: float
    """The worth of the best action less that of the one taken; it can be negative."""
    error: float | None
    """The standard error of the cost; ``None`` for a rule of thumb, which has no chance in it."""
    dear: bool
    """True if the cost exceeds two standard errors plus the margin of a rule of thumb."""


class Unjudged(NamedTuple):
    """A choice whose cost the house cannot tell."""

    entry: int
    """The index of the choice among the entries of the record."""
    deal: int
    """The deal, counted from 0."""
    seat: int
    """The seat that chose."""


Opinion: TypeAlias = Judgement | Unjudged


def choices_of(record: v1.MatchRecord, *, seat: int | None = None) -> int:
    """Return the number of opinions that ``opinions`` will yield: one for each choice that a bot made itself."""
    return sum(_is_own(entry, seat) for entry in record.entries)


def opinions(record: v1.MatchRecord, *, worlds: int = WORLDS, seat: int | None = None) -> Iterator[Opinion]:
    """Yield an opinion on each choice that a bot made itself; default answers taken after a fault are left out.

    All chance comes from the match and the index of the choice, so that an analysis can be repeated exactly.

    Args:
        record: the record of a whole match.
        worlds: the number of deals to imagine, twice for each choice; at least two. A tree takes more.
        seat: the seat whose choices are evaluated; ``None`` for all.

    Raises:
        UnplayableError: the record breaks the rules, or the house has no policy for its game.
    """
    begun, weigher = opening(record), strongest_weigher(record.game)
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
    """A walk through a record that keeps the rules."""

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
    """Evaluation of single choices in one game."""

    def __init__(self, game: AnyGame, weigher: Weigher, worlds: int) -> None:
        self._game = game
        self._weigher = weigher
        self._worlds = worlds

    def opinion(
        self, where: Unjudged, view: object, legal: Sequence[LegalAction[Any]], taken: Hashable, rng: Random
    ) -> Opinion:
        """Judge the action taken at a view, if there was a choice and the house can tell the cost."""
        if not self._is_free(legal):
            return where
        actions = self._to_weigh(view, legal, taken)
        first = self._weigher.weigh(view, actions, rng=rng, worlds=self._worlds)
        # The action taken goes first, so the stable sort keeps it ahead of its equals.
        ranked = sorted(first.weighed, key=lambda weighed: -weighed.rank)
        if taken not in (weighed.action for weighed in ranked):
            return where
        shown = [weighed.action for weighed in ranked[:_OPTIONS_SHOWN]]
        if shown[0] == taken:
            return self._judgement(where, first, shown, taken)
        again = self._weigher.weigh(view, list(dict.fromkeys([*shown, taken])), rng=rng, worlds=self._worlds)
        return self._judgement(where, again, shown, taken)

    def _is_free(self, legal: Sequence[LegalAction[Any]]) -> bool:
        """Return True if the seat had a choice: actions that differ in meaning, or an open part."""
        meanings = {self._weigher.meaning(each.action) for each in legal}
        return len(meanings) > 1 or any(each.amount or each.picks for each in legal)

    def _to_weigh(self, view: object, legal: Sequence[LegalAction[Any]], taken: Hashable) -> list[Hashable]:
        """Return the action taken, then those that the house considers and whose meaning differs from it."""
        meaning = self._weigher.meaning
        considered = self._weigher.candidates(view, legal)
        return [taken, *(action for action in considered if meaning(action) != meaning(taken))]

    def _judgement(
        self, where: Unjudged, weighing: Weighing[Any], shown: Sequence[Hashable], taken: Hashable
    ) -> Judgement:
        weighed = {each.action: each for each in weighing.weighed}
        cost, error = _difference(weighed[shown[0]], weighed[taken])
        return Judgement(
            *where,
            taken=self._option(weighed[taken]),
            options=tuple(self._option(weighed[action]) for action in shown),
            unit=weighing.unit,
            searched=weighing.searched,
            like_the_house=shown[0] == taken,
            cost=cost,
            error=error,
            dear=cost > weighing.margin + _ERRORS_TO_BE_DEAR * (error or 0.0),
        )

    def _option(self, weighed: Weighed[Any]) -> Option:
        return Option(words_of(self._game, weighed.action), fmean(weighed.samples))


def _difference(one: Weighed[Any], other: Weighed[Any]) -> tuple[float, float | None]:
    """Return the average lead of one action over another, and its standard error (``None`` with a single sample)."""
    differences = [a - b for a, b in zip(one.samples, other.samples, strict=True)]
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else None
    return fmean(differences), error
