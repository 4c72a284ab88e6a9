"""Entries of records, read once and recognised later by their bytes.

A choice is recognised in two parts. The first is the seat and its action, after a head with the length of the whole. A
game has few of them, since lengths differ by a few bytes, and they recur in all matches. The second is the rest, above
all the charged time. It hardly ever recurs with the same action, but all games together have only a few thousand rests.
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
"""The number of rests that are kept for all games, at some hundred bytes each."""
_MORE_THAN_MAY_BE: Final = 1 << 32
"""Milliseconds that no choice can be charged: the fields for them hold 32 bits."""
CHOICE_HEAD_BYTES: Final = 4
"""The number of bytes before the fields of a short choice: the tags and lengths of the entry and the choice."""
_SHORTEST: Final = 2
"""The length of an entry with an empty choice: the tag and the length of the choice."""
LONGEST_SHORT: Final = 0x7F
"""The greatest length of an entry that is encoded as one byte, and with it that of the choice in it."""


class OtherwiseError(Exception):
    """A record is not, byte for byte, what follows from its choices. It may still be valid."""


class EnteredChoice(NamedTuple):
    """The circumstances of a choice. Its fields have the names that they have in ``v1.RecordedChoice``."""

    charged_ms: int
    """The time charged."""
    strikes: int
    """The number of answers refused before."""
    fault: v1.Fault
    """The reason for taking the default answer, if it was taken."""
    lag_ms: int
    """The network lag that was not charged."""
    lost_ms: int
    """The delay caused by the server meanwhile."""
    away_ms: int
    """The time that the seat was disconnected meanwhile."""
    broken_rules: tuple[str, ...]
    """The rules that the refused answers broke."""
    concede: bool
    """True if the answer conceded the match."""
    is_plain: bool
    """True if the seat itself chose, with its first answer, conceded nothing, and only the charged time counts."""

    @classmethod
    def of(cls, choice: v1.RecordedChoice) -> "EnteredChoice":
        """Return the circumstances of a recorded choice."""
        beyond = choice.strikes or choice.fault or choice.lag_ms or choice.away_ms or choice.broken_rules
        beyond = beyond or choice.concede
        return cls(
            charged_ms=choice.charged_ms,
            strikes=choice.strikes,
            fault=choice.fault,
            lag_ms=choice.lag_ms,
            lost_ms=choice.lost_ms,
            away_ms=choice.away_ms,
            broken_rules=tuple(choice.broken_rules),
            concede=choice.concede,
            is_plain=not beyond,
        )


KnownAction: TypeAlias = tuple[int, Hashable]
"""The seat and the action of a choice. A plain tuple, since it is unpacked faster."""
KnownRest: TypeAlias = tuple[int, EnteredChoice]
"""The charged time if the choice is plain, else a number above all charges; then the circumstances of the choice."""


class KnownEntries:
    """The recurring entries of one game. Use ``known_entries``."""

    def __init__(self, codec: AnyCodec) -> None:
        """Begin without entries."""
        self._codec = codec
        self.choices: Cache[bytes, KnownAction] = Cache(self._read_beginning)
        """Seats and actions, by the first bytes of the short entry of a choice: its head and those two fields."""
        self.public_events: CachedParts[Event[Hashable], bytes] = CachedParts(self._event_entry)
        """The entries of events that everybody sees, as serialized fields of a record."""

    def _read_beginning(self, beginning: bytes) -> KnownAction:
        """Return the seat and the action at the beginning of a short entry.

        Raises:
            OtherwiseError: it is something else, not in canonical encoding, or longer than the entry claims.
            DecodeError: it cannot be parsed.
            NoSuchActionError: the game has no such action.
        """
        length, fields = beginning[1], beginning[CHOICE_HEAD_BYTES:]
        size = length - _SHORTEST
        if len(fields) > size or beginning[:CHOICE_HEAD_BYTES] != choice_head(length, size):
            raise OtherwiseError
        return self.read_action(fields)

    def read_action(self, fields: bytes) -> KnownAction:
        """Return the seat and the action of a choice, without caching them.

        Args:
            fields: the bytes that may be these fields of a ``v1.RecordedChoice``.

        Raises:
            OtherwiseError: they are something else, or not in canonical encoding.
            DecodeError: they cannot be parsed.
            NoSuchActionError: the game has no such action.
        """
        choice = v1.RecordedChoice.FromString(fields)
        action: Hashable = self._codec.action_from(choice.action)
        canonical = v1.RecordedChoice(seat=choice.seat, action=self._codec.action(action))
        if not choice.HasField("action") or canonical.SerializeToString(deterministic=True) != fields:
            raise OtherwiseError
        return choice.seat, action

    def event(self, event: Event[Hashable]) -> bytes:
        """Return the entry of an event, as a serialized field of a record."""
        # Events that only some seats see hold cards, hardly ever the same twice: they would push recurring ones out.
        return self.public_events.of(event) if event.audience is None else self._event_entry(event)

    def _event_entry(self, event: Event[Hashable]) -> bytes:
        return event_entry(self._codec.serialized_event(event.full))


def read_rest(fields: bytes) -> KnownRest:
    """Return the fields after the action of a choice, without caching them.

    Args:
        fields: the bytes that may be such fields of a ``v1.RecordedChoice``.

    Raises:
        OtherwiseError: they are something else, or not in canonical encoding.
        DecodeError: they cannot be parsed.
    """
    choice = v1.RecordedChoice.FromString(fields)
    if choice.seat or choice.HasField("action"):
        raise OtherwiseError
    _check_written_so(choice, fields)
    entered = EnteredChoice.of(choice)
    return entered.charged_ms if entered.is_plain else _MORE_THAN_MAY_BE, entered


KNOWN_RESTS: Final[Cache[bytes, KnownRest]] = Cache(read_rest, most=_MOST_KEPT)
"""The fields after the actions of choices, by their bytes."""


def read_entry(entry: bytes) -> v1.RecordEntry:
    """Return an entry from its serialized field of a record.

    Raises:
        OtherwiseError: it is no entry, is not in canonical encoding, or has fields that are unknown here.
        DecodeError: it cannot be parsed.
    """
    record = v1.MatchRecord.FromString(entry)
    if len(record.entries) != 1:
        raise OtherwiseError
    _check_written_so(record, entry)
    return record.entries[0]


def _check_written_so(message: Message, data: bytes) -> None:
    """Check that a message is in Ordago's canonical encoding and has no unknown fields."""
    message.DiscardUnknownFields()
    if message.SerializeToString(deterministic=True) != data:
        raise OtherwiseError


@cache
def known_entries(codec: AnyCodec) -> KnownEntries:
    """Return the known entries of a game, shared by all its records, given its codec."""
    return KnownEntries(codec)
