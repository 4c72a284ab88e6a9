"""The interface of encodings: what a seat sees as an array, and its actions as numbers.

An encoding is made from what a seat is sent with a decision and from nothing else: its view, the legal actions and the
extras. So an environment, a referee in process and a bot at a server make the same observation from the same decision.

Where an action has several open parts, it is said in steps: the same seat chooses again, and each id before the last
is one part. What was chosen so far is a field of the observation.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

from ordago.cache import Cache
from ordago.game import LegalAction
from ordago.games import find_game, game_names
from ordago.games.definition import AnyGame
from ordago.names import nearest
from ordago_gym.fields import Field, Layout, Row

Mask: TypeAlias = memoryview
"""The bytes of a mask, one for each action id: 1 if it is legal, else 0. All are 0 before it is written."""
Action: TypeAlias = Any
"""An action, of the type that the game has."""


_FLOAT: Final = 4
"""The bytes of a float."""
_ZEROS: Final[Cache[int, Row]] = Cache(lambda size: memoryview(bytes(_FLOAT * size)).cast("f"))
"""Rows of zeros, by their size."""


class EncodingError(ValueError):
    """A game, a version, a number of players or an action id that there is not: the user's mistake."""


class Memory:
    """The part of a deal that was written for a seat, so that each thing is written once.

    It only saves time: without one, the same is written anew. Each seat needs one of its own in each match.

    Attributes:
        row: the floats that stay as they are until the deal ends.
        key: the deal, and whatever else makes it necessary to begin anew.
        marks: how far the encoding has come in the history of the deal; ``None`` at its beginning.
        kept: what the encoding wants to keep beside it; ``None`` at first.
    """

    __slots__ = ("kept", "key", "marks", "row")

    def __init__(self, size: int) -> None:
        """Begin with a row of this size."""
        self.row: Row = memoryview(bytearray(_FLOAT * size)).cast("f")
        self.forget()

    def forget(self) -> None:
        """Forget what was written, for another match."""
        self.key: object = None
        self.marks: Any = None
        self.kept: Any = None

    def begin(self, key: object) -> None:
        """Begin a deal."""
        self.row[:] = _ZEROS[len(self.row)]
        self.key, self.marks = key, None


class Decision(NamedTuple):
    """Everything that a seat is told where it has to act, and what it chose so far."""

    view: Any
    """The view of the seat."""
    legal: Sequence[LegalAction[Any]] = ()
    """The legal actions; empty for a seat that only watches."""
    extras: Sequence[Any] = ()
    """The declarations that may be made along with any action."""
    context: Any = None
    """The findings of the encoding about the view, for its own use."""
    parts: tuple[int, ...] = ()
    """The ids chosen so far in this turn."""
    memory: Memory | None = None
    """The part that was written for this seat before; ``None`` to write all of it."""


class Encoding(ABC):
    """The observations and action ids of a game, for one number of players and one set of options.

    Attributes:
        name: the short name of the game.
        version: the version of the encoding, from 0. It is raised when an observation or an id changes its meaning.
        seats: the number of players.
        layout: the fields of an observation.
        actions: the number of action ids.
    """

    name: str
    version: int

    def __init__(self, fields: Sequence[Field], *, actions: int, seats: int) -> None:
        """Take the fields of an observation, the number of action ids, and the number of players."""
        self.layout: Final = Layout(fields)
        self.actions: Final = actions
        self.seats: Final = seats
        self._writers: Final = self.layout.writers
        self._constants: Final = self.layout.constants

    @property
    def size(self) -> int:
        """The number of floats of an observation."""
        return self.layout.size

    @property
    def id(self) -> str:
        """The name with the version, for instance ``mus_v0``."""
        return f"{self.name}_v{self.version}"

    def memory(self) -> Memory:
        """Return a memory for one seat in one match."""
        return Memory(self.size)

    def decision(
        self,
        view: Any,  # noqa: ANN401 - each game has its own
        legal: Sequence[LegalAction[Any]] = (),
        extras: Sequence[Any] = (),
        memory: Memory | None = None,
    ) -> Decision:
        """Return the decision of a seat, from what it is sent."""
        return Decision(view, legal, extras, self._context(view, memory), (), memory)

    def _context(self, view: Any, memory: Memory | None) -> Any:  # noqa: ANN401, ARG002 - each game has its own
        """Return what all functions below have to know of a view, so that it is found out once."""
        return None

    def observe(self, decision: Decision, row: Row) -> None:
        """Write the observation of a seat over a row."""
        view, memory = decision.view, decision.memory
        if memory is None:
            memory = Memory(self.size)
        key = self._key(decision)
        if memory.key != key:
            memory.begin(key)
            for write in self._constants:
                write(memory.row, view)
        memory.marks = self._remember(decision, memory.row, memory.marks)
        row[:] = memory.row
        for write in self._writers:
            write(row, view)
        self._observe(decision, row)

    def _key(self, decision: Decision) -> object:
        """Return the deal of a decision, and whatever else makes it necessary to write its history anew."""
        return decision.view.deal

    def _remember(self, decision: Decision, row: Row, marks: Any) -> Any:  # noqa: ANN401, ARG002 - each game has its own
        """Write what has happened in the deal since the marks, which stays; return the marks up to now."""
        return marks

    def _observe(self, decision: Decision, row: Row) -> None:  # noqa: B027 - writers may do for all
        """Write the fields that have no writer and change from decision to decision."""

    @abstractmethod
    def allow(self, decision: Decision, mask: Mask) -> None:
        """Write 1 for each id that is legal next into a mask of zeros."""

    @abstractmethod
    def action(self, decision: Decision, ids: tuple[int, ...]) -> Action | None:
        """Return the action that legal ids say, or ``None`` while the last of them leaves something open."""

    @abstractmethod
    def ids(self, decision: Decision, action: Action) -> tuple[int, ...]:
        """Return the ids that say a legal action, in the order in which they are chosen."""


def encoding_of(name: str, *, seats: int | None = None, options: Mapping[str, object] | None = None) -> Encoding:
    """Return the encoding of a game.

    Args:
        name: the game, for instance ``mus``, or with the version of the encoding, ``mus_v0``.
        seats: the number of players; ``None`` for the smallest that the game has.
        options: options of the game; those that are not named have their defaults.

    Raises:
        EncodingError: there is no such game, no encoding of it, no such version, or it is not for so many players.
        OptionError: an option that the game does not have, or a value that it cannot take.
    """
    rules = _named(name)[0].rules
    return encoding_with(
        name, seats=rules.seat_counts[0] if seats is None else seats, options=rules.options(options or {})
    )


@lru_cache(maxsize=64)  # Many tables of the same match share one.
def encoding_with(name: str, *, seats: int, options: Hashable) -> Encoding:
    """Return the encoding of a game for options that are of the game's own type.

    Raises:
        EncodingError: as ``encoding_of`` says.
    """
    game, version = _named(name)
    rules = game.rules
    if seats not in rules.seat_counts:
        raise EncodingError(f"{rules.name} is not played by {seats}; seats is one of: {_listed(rules.seat_counts)}")
    chosen: type[Encoding] = import_module(f"ordago_gym.encodings.{rules.name}").ENCODING
    if version not in ("", str(chosen.version)):
        found = f"{rules.name}_v{chosen.version}"
        raise EncodingError(f"there is no encoding {name}; this version of Ordago has {found}")
    made: Encoding = chosen(options, seats=seats)  # type: ignore[call-arg, arg-type]  # of a game
    return made


ENCODED: Final = ("mitaines", "mitigati", "mittlere", "mus", "taihe")
"""The games that have an encoding."""


def _named(name: str) -> tuple[AnyGame, str]:
    """Return the game of a name with or without a version, and the version; empty without."""
    short, _, version = name.partition("_v")
    if short in ENCODED:
        return find_game(short), version
    if short in game_names():
        raise EncodingError(f"{short} has no encoding; those that have: {_listed(ENCODED)}")
    raise EncodingError(f"there is no game {short!r}; {nearest(short, list(ENCODED))}")


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values))
