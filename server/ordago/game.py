"""The interface of all games: the state of a match, its actions, and the rules.

A game is a pure state machine. It knows no I/O, no clock and no protobuf, and it has no randomness of its own: where
cards have to be shuffled the state says so (``actor == CHANCE``), and its caller supplies the outcome. The loop
that plays a match is therefore always the same::

    state = rules.new_match(seats=3, options=options)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            events = state.supply(shuffled(state.shuffle_due()))
        else:
            events = state.apply(one_of(state.legal_actions()))
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from enum import Enum, unique
from random import Random
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeVar

from ordago.event import Event as Event

CHANCE: Final = -1
"""The actor of a state that waits for a shuffle."""
FINISHED: Final = -2
"""The actor of a state whose match is over."""

ActionT = TypeVar("ActionT", bound=Hashable)
EventT = TypeVar("EventT", bound=Hashable)
EventT_co = TypeVar("EventT_co", bound=Hashable, covariant=True)
EventT_contra = TypeVar("EventT_contra", bound=Hashable, contravariant=True)
ViewT = TypeVar("ViewT")
ViewT_co = TypeVar("ViewT_co", covariant=True)
ViewT_contra = TypeVar("ViewT_contra", contravariant=True)
StateT_co = TypeVar("StateT_co", covariant=True)
OptionsT = TypeVar("OptionsT")
OptionsT_contra = TypeVar("OptionsT_contra", contravariant=True)


class Shuffle(NamedTuple):
    """A shuffle that is due: its address within the match, and the cards to shuffle."""

    deal: int
    """The deal, counted from 0."""
    shuffle: int
    """The shuffle within the deal, counted from 0; dealing the same deal anew counts on."""
    cards: tuple[int, ...]
    """The cards to shuffle, ascending."""


class AmountRange(NamedTuple):
    """The amounts that an open amount allows, both ends included."""

    min: int
    max: int


class Pick(NamedTuple):
    """A group of cards from which a number between ``min`` and ``max`` has to be picked."""

    cards: tuple[int, ...]
    """The cards, ascending."""
    min: int
    max: int


class LegalAction(NamedTuple, Generic[ActionT]):
    """An action that is legal now. Its open parts are empty in ``action`` and described beside it."""

    action: ActionT
    amount: AmountRange | None = None
    picks: tuple[Pick, ...] = ()


class Parts(NamedTuple, Generic[ActionT]):
    """The values that an answer puts into the open parts of a legal action."""

    amount: int | None = None
    cards: tuple[int, ...] = ()
    extra: ActionT | None = None
    """An element of ``State.extras()``."""


class Violation(NamedTuple):
    """The rule that an action breaks."""

    rule: str
    """The short name of the rule on the rule page, for instance ``follow_suit``."""
    sentence: str
    """One sentence on what was wrong and what would be right, without anything that the seat may not know."""
    field: str
    """The field of the game's action message that is wrong, for instance ``card``; empty for the whole action."""


@unique
class OutcomeReason(Enum):
    """The reason why a match ended."""

    DEALS_PLAYED = 1
    """All deals that the options ask for were played."""
    TARGET_REACHED = 2
    """A side reached the target."""
    CAP_REACHED = 3
    """A limit of the rules ended a match that could have gone on."""
    CONCEDED = 4
    """A side conceded. The rules of a game settle this outcome, and never come to it by themselves."""


class Outcome(NamedTuple):
    """The result of a match."""

    reason: OutcomeReason
    scores: tuple[int, ...]
    """The score of each seat; higher is better."""
    placings: tuple[int, ...]
    """The placing of each seat's side: 1 plus the number of sides with a higher score."""


class Standing(NamedTuple):
    """The score so far, in the middle of a match or at its end."""

    deal: int
    """The deal, counted from 0; between two deals the next one, at the end of the match the last."""
    scores: tuple[int, ...]
    """The score of each seat; higher is better."""


def outcome_of(reason: OutcomeReason, *, scores: Sequence[int], sides: Sequence[int]) -> Outcome:
    """Return the outcome for the scores of the seats. Seats of one side have one score."""
    score_of_side = dict(zip(sides, scores, strict=True))
    placings = tuple([1 + sum([other > score for other in score_of_side.values()]) for score in scores])
    return Outcome(reason, tuple(scores), placings)


class State(Protocol[ActionT, EventT_co, ViewT_co]):
    """A match in progress. It is mutable inside; what it hands out is frozen."""

    @property
    def actor(self) -> int:
        """The seat that is to act, or ``CHANCE``, or ``FINISHED``."""

    @property
    def outcome(self) -> Outcome | None:
        """The result of the match; ``None`` while it goes on."""

    def shuffle_due(self) -> Shuffle:
        """Return the shuffle that is due while ``actor`` is ``CHANCE``."""

    def supply(self, cards: Sequence[int]) -> Sequence[Event[EventT_co]]:
        """Supply the outcome of the shuffle that is due, in dealing order, and return the resulting events.

        The cards are not checked here: ``supply`` trusts its caller.
        """

    def legal_actions(self) -> Sequence[LegalAction[ActionT]]:
        """Return everything that is legal for the actor, in an order that depends on the actor's view alone."""

    def extras(self) -> Sequence[ActionT]:
        """Return the declarations that the actor may make along with any legal action. Usually there are none."""

    def check(self, action: ActionT) -> Violation | None:
        """Return the rule that a complete action of the actor breaks, or ``None`` if it is legal."""

    def apply(self, action: ActionT) -> Sequence[Event[EventT_co]]:
        """Carry out a complete action of the actor, and return the resulting events.

        The action is not checked here: an illegal one leaves the state undefined. Use ``check`` first.
        """

    def default_action(self) -> ActionT:
        """Return the complete, legal action that is taken for a silent actor: a function of the actor's view alone."""

    def view(self, seat: int) -> ViewT_co:
        """Return everything that a seat sees."""

    def clone(self) -> Self:
        """Return a copy that shares nothing mutable with this state."""


@unique
class OptionKind(Enum):
    """The type of value that an option takes."""

    INTEGER = 1
    WORD = 2
    BOOLEAN = 3


class OptionSpec(NamedTuple):
    """An option that a match of a game can be played with."""

    name: str
    kind: OptionKind
    default: int | str | bool
    sentence: str
    """A description of the option, in one sentence."""
    min: int | None = None
    max: int | None = None
    choices: tuple[int | str, ...] = ()
    """The allowed values where not every value of the kind is allowed; empty for no such list."""


class OptionError(ValueError):
    """An option that the game does not have, or a value that the option cannot take: the user's mistake."""

    def __init__(self, name: str, sentence: str) -> None:
        """Take the option's name, and one sentence on what is wrong with it and what would be right."""
        super().__init__(sentence)
        self.name = name


_UNCAPPED: Final = 1000
"""What ends a thing without a cap of its own. No table of people comes near it, and bots could go on for ever."""


def cap_of(option: int) -> int:
    """Return how often something may happen by an option that caps it, where 0 asks for no cap: then 1,000 times."""
    return option or _UNCAPPED


def option_values(specs: Sequence[OptionSpec], values: Mapping[str, object]) -> dict[str, int | str | bool]:
    """Return a value for each option: the one given, else the default.

    Values may have the option's own type or be text, as from a command line or a TOML file.

    Raises:
        OptionError: an unknown name, or a value that the option cannot take.
    """
    by_name = {spec.name: spec for spec in specs}
    for name in values:
        if name not in by_name:
            known = ", ".join(by_name) or "none"
            raise OptionError(name, f"there is no option {name!r}; the options are: {known}")
    return {
        spec.name: _option_value(spec, values[spec.name]) if spec.name in values else spec.default for spec in specs
    }


def _option_value(spec: OptionSpec, value: object) -> int | str | bool:
    parsed = _PARSERS[spec.kind](value)
    if parsed is None:
        raise OptionError(spec.name, f"option {spec.name!r} takes {_wanted(spec)}, not {value!r}")
    below = spec.min is not None and isinstance(parsed, int) and parsed < spec.min
    above = spec.max is not None and isinstance(parsed, int) and parsed > spec.max
    if below or above or (spec.choices and parsed not in spec.choices):
        raise OptionError(spec.name, f"option {spec.name!r} takes {_wanted(spec)}, not {value!r}")
    return parsed


def _wanted(spec: OptionSpec) -> str:
    if spec.choices:
        return "one of " + ", ".join(str(choice) for choice in spec.choices)
    if spec.kind is OptionKind.BOOLEAN:
        return "true or false"
    if spec.kind is OptionKind.WORD:
        return "a word"
    if spec.min is not None and spec.max is not None:
        return f"a whole number from {spec.min} to {spec.max}"
    return "a whole number" if spec.min is None else f"a whole number from {spec.min} on"


def _integer(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    try:
        return int(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _boolean(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


_PARSERS: Final = {OptionKind.INTEGER: _integer, OptionKind.WORD: _word, OptionKind.BOOLEAN: _boolean}


class Rules(Protocol[ActionT, EventT_co, ViewT_co, OptionsT]):
    """The rules of a game: its names, its options, and the start of its matches."""

    @property
    def name(self) -> str:
        """The short name, for instance ``mittlere``."""

    @property
    def title(self) -> str:
        """The name for people, for instance ``Mittlere Jass``."""

    @property
    def version(self) -> int:
        """The version of these rules, from 1. It is raised when a recorded match would be played differently."""

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The numbers of players that it can be played with, ascending."""

    @property
    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The options of the game."""

    def options(self, values: Mapping[str, object]) -> OptionsT:
        """Return the options for these values, defaults filled in.

        Raises:
            OptionError: an unknown name, or a value that the option cannot take.
        """

    def sides(self, seats: int) -> tuple[int, ...]:
        """Return the side that each seat plays for, from 0."""

    def new_match(self, *, seats: int, options: OptionsT) -> State[ActionT, EventT_co, ViewT_co]:
        """Return a match before its first shuffle."""

    def fill(self, legal: LegalAction[ActionT], parts: Parts[ActionT]) -> ActionT:
        """Return a legal action with its open parts filled in. The parts must fit it."""


class Sampler(Protocol[ViewT_contra, StateT_co]):
    """Draws the states that a seat may be facing. A game is complete without one, but no bot can search in it then."""

    def __call__(self, view: ViewT_contra, /, *, rng: Random) -> Iterator[StateT_co]:
        """Draw states without end, uniformly from all that fit the knowledge of a seat that is to act.

        The seat's view is its whole knowledge, since views carry the public history of the deal.
        """
