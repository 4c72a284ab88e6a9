"""Entries of records, each serialized as a field of its record while the match is played."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

from ordago import v1
from ordago.cache import Cache
from ordago.cards import LAST_CARD
from ordago.game import Shuffle
from ordago.wire.fields import Field, delimited, list_heads, number, numbers, tag, varint

_ENTRIES: Final = tag(v1.MatchRecord, "entries")
_CHOICE: Final = tag(v1.RecordEntry, "choice")
_SHUFFLE_ENTRY: Final = Field(tag(v1.RecordEntry, "shuffle"), within=_ENTRIES)
_EVENT_ENTRY: Final = Field(tag(v1.RecordEntry, "event"), within=_ENTRIES)
_CHOICE_ENTRY: Final = Field(_CHOICE, within=_ENTRIES)
_SEAT: Final = tag(v1.RecordedChoice, "seat")
_ACTION: Final = tag(v1.RecordedChoice, "action")
_CHARGED: Final = numbers(tag(v1.RecordedChoice, "charged_ms"))
_DEAL: Final = tag(v1.RecordedShuffle, "deal")
_NUMBER: Final = tag(v1.RecordedShuffle, "shuffle")
_CARDS: Final = list_heads(tag(v1.RecordedShuffle, "cards"), LAST_CARD)
_MOST_KEPT: Final = 4096
"""The number of recurring choices that are kept: at some hundred bytes each, less than a megabyte."""


def shuffle_entry(due: Shuffle, cards: Sequence[int]) -> bytes:
    """Return the entry of a shuffle and its outcome, in dealing order."""
    # The engine's integer for a card is also its number in the contract.
    shuffle = number(_DEAL, due.deal) + number(_NUMBER, due.shuffle) + _CARDS[len(cards)] + bytes(cards)
    return _SHUFFLE_ENTRY.of(shuffle)


def event_entry(event: bytes) -> bytes:
    """Return the entry of an unredacted event.

    Args:
        event: the ``v1.Event``, serialized.
    """
    return _EVENT_ENTRY.of(event)


def choice_entry(seat: int, action: bytes, charged_ms: int, more: bytes) -> bytes:
    """Return the entry of a choice.

    Args:
        seat: the seat.
        action: the ``v1.Action``, complete and serialized.
        charged_ms: the time that was charged, in milliseconds.
        more: its further fields, from ``fields_after_the_charge``; empty for none.
    """
    return _CHOICE_ENTRY.of(_WHO_DID_WHAT[seat][action] + _CHARGED[charged_ms] + more)


def choice_head(length: int, size: int) -> bytes:
    """Return the first bytes of the entry of a choice.

    Args:
        length: the length of the entry in bytes, after its own length field.
        size: the length of the choice in bytes.
    """
    return _ENTRIES + varint(length) + _CHOICE + varint(size)


def _who_did_what(seat: int, action: bytes) -> bytes:
    return number(_SEAT, seat) + delimited(_ACTION, action)


def _by_action(seat: int) -> Cache[bytes, bytes]:
    return Cache(partial(_who_did_what, seat))


_WHO_DID_WHAT: Final = Cache(_by_action)
"""The seat and action fields, by seat and action: the same recur in all matches."""


@lru_cache(maxsize=_MOST_KEPT)
def fields_after_the_charge(
    broken_rules: tuple[str, ...],
    fault: v1.Fault,
    lag_ms: int,
    lost_ms: int,
    away_ms: int,
    concede: bool,  # noqa: FBT001 - a cached function, all of whose arguments are given by place
) -> bytes:
    """Return the fields of a ``v1.RecordedChoice`` after the charged time, serialized."""
    choice = v1.RecordedChoice(
        strikes=len(broken_rules),
        fault=fault,
        lag_ms=lag_ms,
        lost_ms=lost_ms,
        away_ms=away_ms,
        broken_rules=broken_rules,
        concede=concede,
    )
    return choice.SerializeToString(deterministic=True)
