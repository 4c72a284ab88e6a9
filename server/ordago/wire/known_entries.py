"""What entries of records say: read once, and known again by their bytes.

A choice is known by two parts. Who did what is the same again and again in all matches of a game, with one of two or
three lengths of the whole before it. What follows, the time that was charged above all, is hardly ever the same with
the same action, but one of a few thousand in all games.
"""

from collections.abc import Hashable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from google.protobuf.message import Message

from ordago import v1
from ordago.cache import Cache
from ordago.game import Event
from ordago.wire.codec import AnyCodec
from ordago.wire.entries import choice_head, event_entry
from ordago.wire.parts import CachedParts

_MOST_KEPT: Final = 16_384
"""Of what follows an action: of some hundred bytes each, the same for all games."""
_MORE_THAN_MAY_BE: Final = 1 << 32
"""Milliseconds: the fields for them hold 32 bits."""
CHOICE_HEAD_BYTES: Final = 4
"""What the entry of a choice begins with, where it is short: the tag and the length of the entry, and of the choice."""
_SHORTEST: Final = 2
LONGEST_SHORT: Final = 0x7F
"""Of entries whose length, and with it that of the choice in them, is written as one byte."""


class OtherwiseError(Exception):
    """A record is not, byte for byte, what follows from its choices. Nobody erred: perhaps it is well all the same."""


class ChoiceTold(NamedTuple):
    """How a choice came about. Its fields are called as those of ``v1.RecordedChoice`` are."""

    charged_ms: int
    """The time that was charged."""
    strikes: int
    """How many answers were refused before."""
    fault: v1.Fault
    """Why the default answer was taken, if it was."""
    lag_ms: int
    """The travelling time that was not charged."""
    lost_ms: int
    """The time that the server lost meanwhile."""
    away_ms: int
    """The time that the seat was disconnected meanwhile."""
    broken_rules: tuple[str, ...]
    """The rules that the refused answers broke."""
    is_plain: bool
    """Whether the seat chose itself, at its first answer, and no time but what was charged is to be accounted for."""

    @classmethod
    def of(cls, choice: v1.RecordedChoice) -> "ChoiceTold":
        """Return what a choice of a record tells."""
        beyond = choice.strikes or choice.fault or choice.lag_ms or choice.away_ms or choice.broken_rules
        return cls(
            charged_ms=choice.charged_ms,
            strikes=choice.strikes,
            fault=choice.fault,
            lag_ms=choice.lag_ms,
            lost_ms=choice.lost_ms,
            away_ms=choice.away_ms,
            broken_rules=tuple(choice.broken_rules),
            is_plain=not beyond,
        )


KnownAction: TypeAlias = tuple[int, Hashable]
"""Who did what, as a choice tells it: the seat, and the action of the game. Plain tuples are taken apart at once."""
KnownRest: TypeAlias = tuple[int, ChoiceTold]
"""What else it tells, with what is charged for it if it is plain; else more than may be."""


class KnownEntries:
    """The entries of one game that come again and again. Use ``known_entries``."""

    def __init__(self, codec: AnyCodec) -> None:
        """Begin with nothing known."""
        self._codec = codec
        self.choices: Cache[bytes, KnownAction] = Cache(self._read_beginning)
        """Seats and actions, by what the short entry of a choice begins with: its head and those two fields."""
        self.public_events: CachedParts[Event[Hashable], bytes] = CachedParts(self._event_entry)
        """The entries of events that everybody sees, as serialized fields of a record."""

    def _read_beginning(self, beginning: bytes) -> KnownAction:
        """Return what the beginning of a short entry says, up to the action of a choice.

        Raises:
            OtherwiseError: it is something else, not written as it has to be, or longer than the entry says that it is.
            DecodeError: it is nothing at all.
            NoSuchActionError: the action is none of the game.
        """
        length, fields = beginning[1], beginning[CHOICE_HEAD_BYTES:]
        size = length - _SHORTEST
        if len(fields) > size or beginning[:CHOICE_HEAD_BYTES] != choice_head(length, size):
            raise OtherwiseError
        return self.read_action(fields)

    def read_action(self, fields: bytes) -> KnownAction:
        """Return what the seat and the action of a choice say, without keeping it.

        Args:
            fields: what may be these fields of a ``v1.RecordedChoice``, serialized.

        Raises:
            OtherwiseError: they are something else, or not written as they have to be.
            DecodeError: they are nothing at all.
            NoSuchActionError: the action is none of the game.
        """
        choice = v1.RecordedChoice.FromString(fields)
        action: Hashable = self._codec.action_from(choice.action)
        canonical = v1.RecordedChoice(seat=choice.seat, action=self._codec.action(action))
        if not choice.HasField("action") or canonical.SerializeToString(deterministic=True) != fields:
            raise OtherwiseError
        return choice.seat, action

    def event(self, event: Event[Hashable]) -> bytes:
        """Return the entry of an event, as a serialized field of a record."""
        # What only some see are cards, hardly ever the same twice: to keep it would push out what comes again.
        return self.public_events.of(event) if event.audience is None else self._event_entry(event)

    def _event_entry(self, event: Event[Hashable]) -> bytes:
        return event_entry(self._codec.serialized_event(event.full))


def read_rest(fields: bytes) -> KnownRest:
    """Return what follows the action of a choice, without keeping it.

    Args:
        fields: what may be such fields of a ``v1.RecordedChoice``, serialized.

    Raises:
        OtherwiseError: they are something else, or not written as they have to be.
        DecodeError: they are nothing at all.
    """
    choice = v1.RecordedChoice.FromString(fields)
    if choice.seat or choice.HasField("action"):
        raise OtherwiseError
    _check_written_so(choice, fields)
    told = ChoiceTold.of(choice)
    return told.charged_ms if told.is_plain else _MORE_THAN_MAY_BE, told


KNOWN_RESTS: Final[Cache[bytes, KnownRest]] = Cache(read_rest, most=_MOST_KEPT)
"""What follows the actions of choices, by its bytes."""


def read_entry(entry: bytes) -> v1.RecordEntry:
    """Return an entry from its serialized field of a record.

    Raises:
        OtherwiseError: it is no entry, or is written in another way than Ordago does, or holds what is not known here.
        DecodeError: it is nothing at all.
    """
    record = v1.MatchRecord.FromString(entry)
    if len(record.entries) != 1:
        raise OtherwiseError
    _check_written_so(record, entry)
    return record.entries[0]


def _check_written_so(message: Message, data: bytes) -> None:
    """Check that a message is written as Ordago does it, and holds nothing that is not known here."""
    message.DiscardUnknownFields()
    if message.SerializeToString(deterministic=True) != data:
        raise OtherwiseError


@cache
def known_entries(codec: AnyCodec) -> KnownEntries:
    """Return the entries of a game that are known, given by its codec, which all its records share."""
    return KnownEntries(codec)
