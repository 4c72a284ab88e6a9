"""Choose shuffles and actions so that rare kinds of events and actions occur.

Random play hardly ever takes all tricks of a deal. So each stretch from one shuffle to the next is played several
times, with different cards and habits of the players, and the one is kept whose kinds have occurred least so far.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, final

from ordago.game import CHANCE, LegalAction, Parts, State
from ordago.games.definition import AnyGame
from ordago_cli.game.conformance.draws import Draws
from ordago_cli.game.conformance.kinds import Kinds

AnyState: TypeAlias = State[Any, Any, Any]

_TRIES: Final = 8
"""The number of times that a stretch is played. With more, files change little and take longer."""
_EXTRA: Final = 0.5
"""The share of decisions with extras in which one is made."""
_RANDOM_PACK: Final = 0.5
"""The share of shuffles that are random. The others are stacked: they deal hands that chance does not."""
_ALIKE: Final = 0.25
"""The share of stretches in which all players have the same habit: what takes agreement occurs only then."""
_HABITS: Final = ("any", "any", "kind", "kind", "first", "last", "default")
"""The ways of a player to choose; see ``_Player``."""


class Chosen(NamedTuple):
    """A choice of a seat."""

    number: int
    """The number of the legal action, from 1."""
    parts: Parts[Any]
    extra: int
    """The number of the extra; 0 for none."""
    action: Hashable
    """The complete action."""


class Stretch(NamedTuple):
    """The steps from a shuffle to the next one, or to the end of the match."""

    cards: Sequence[int]
    choices: list[Chosen]
    kinds: set[str]
    """The kinds of events, actions and outcome that occurred."""


@final
class Steering:
    """The choice of stretches, by what occurred so far."""

    def __init__(self, game: AnyGame, draws: Draws) -> None:
        """Begin with nothing seen."""
        self._game = game
        self._draws = draws
        self._seen: Counter[str] = Counter()
        self.actions: Final[Kinds[Any]] = Kinds(game.codec.action)
        self.events: Final[Kinds[Any]] = Kinds(game.codec.event)

    def next_stretch(self, state: AnyState) -> Stretch:
        """Return what is to happen at a state that waits for a shuffle."""
        tried = [self._tried(state.clone()) for _ in range(_TRIES)]
        best = max(tried, key=self._novelty)
        self._seen.update(best.kinds)
        return best

    def _novelty(self, stretch: Stretch) -> float:
        # Sets have no order, and sums of floats depend on theirs.
        return sum(1 / (1 + self._seen[kind]) for kind in sorted(stretch.kinds))

    def _tried(self, state: AnyState) -> Stretch:
        due = state.shuffle_due().cards
        mixed = self._draws.shuffled if self._draws.chance(_RANDOM_PACK) else self._draws.stacked
        stretch = Stretch(mixed(due), [], set())
        players: dict[int, _Player] = {}
        habit = self._draws.one_of(_HABITS) if self._draws.chance(_ALIKE) else None
        self._note(stretch, state.supply(stretch.cards))
        while state.actor >= 0:
            player = players.setdefault(state.actor, self._player(habit))
            chosen = player.choose(state)
            stretch.choices.append(chosen)
            stretch.kinds.add(self.actions[chosen.action])
            self._note(stretch, state.apply(chosen.action))
        if state.actor != CHANCE and state.outcome is not None:
            stretch.kinds.add(state.outcome.reason.name)
        elif state.shuffle_due().shuffle:
            stretch.kinds.add("another shuffle")
        return stretch

    def _player(self, habit: str | None) -> "_Player":
        return _Player(self._game, self._draws, self.actions, habit or self._draws.one_of(_HABITS))

    def _note(self, stretch: Stretch, events: Sequence[Any]) -> None:
        stretch.kinds.update(self.events[event.full] for event in events)


@final
class _Player:
    """A seat with a habit for one stretch: any action, a kind first, always the first, the last or the default."""

    def __init__(self, game: AnyGame, draws: Draws, kinds: Kinds[Any], habit: str) -> None:
        self._game = game
        self._draws = draws
        self._kinds = kinds
        self._habit = habit

    def choose(self, state: AnyState) -> Chosen:
        """Return a legal choice."""
        legal_actions, extras = state.legal_actions(), state.extras()
        while True:
            place = self._place(legal_actions, state)
            legal = legal_actions[place]
            extra = 1 + self._draws.below(len(extras)) if extras and self._draws.chance(_EXTRA) else 0
            parts = self._parts(legal, extras[extra - 1] if extra else None)
            if parts == Parts():
                return Chosen(place + 1, parts, 0, legal.action)
            action = self._game.rules.fill(legal, parts)
            # Parts that fit one by one may break a rule together.
            if state.check(action) is None:
                return Chosen(place + 1, parts, extra, action)

    def _place(self, legal_actions: Sequence[LegalAction[Any]], state: AnyState) -> int:
        """Return the place of a legal action in the list."""
        places = list(range(len(legal_actions)))
        if self._habit == "first":
            return 0
        if self._habit == "last":
            return len(places) - 1
        if self._habit == "default":
            default = state.default_action()
            # The default action is complete. Where the list leaves parts open, any action does.
            places = [place for place in places if legal_actions[place].action == default] or places
        elif self._habit == "kind":
            by_kind: dict[str, list[int]] = {}
            for place in places:
                by_kind.setdefault(self._kinds[legal_actions[place].action], []).append(place)
            places = self._draws.one_of(list(by_kind.values()))
        return self._draws.one_of(places)

    def _parts(self, legal: LegalAction[Any], extra: Any | None) -> Parts[Any]:  # noqa: ANN401 - an action of the game
        amount, cards = None, []
        if legal.amount is not None:
            low, high = legal.amount
            amount = self._draws.one_of((low, high, low + self._draws.below(high - low + 1)))
        for pick in legal.picks:
            number = pick.min + self._draws.below(pick.max - pick.min + 1)
            cards += self._draws.some_of(pick.cards, self._draws.one_of((pick.min, pick.max, number)))
        return Parts(amount, tuple(sorted(cards)), extra)
