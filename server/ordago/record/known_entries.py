"""Entries of records as bytes, and what each of them says: read once, and known again by its bytes."""

from collections.abc import Hashable
from functools import cache
from typing import Final, NamedTuple

from ordago import v1
from ordago.game import Event
from ordago.games.folder import AnyGame
from ordago.kept import Kept, KeptParts
from ordago.record.builder import event_entry
from ordago.record.digest import encoded_entry, encoded_event_entry

_LONGEST_KEPT: Final = 64
"""Of choices, in bytes: longer ones name broken rules or many cards, and hardly come again."""


class OtherwiseError(Exception):
    """A record is not, byte for byte, what follows from its choices. Nobody erred: perhaps it is well all the same."""


class KnownChoice(NamedTuple):
    """A choice as an entry tells it. Its fields are called as those of ``v1.RecordedChoice`` are."""

    seat: int
    action: Hashable
    """The action of the game."""
    charged_ms: int
    strikes: int
    fault: v1.Fault
    lag_ms: int
    lost_ms: int
    away_ms: int
    broken_rules: tuple[str, ...]
    counts: bool
    """Whether it is more than what a seat chose itself, without breaking a rule."""
    encoded: bytes
    """The entry as it goes into the digest."""


class KnownEvent(NamedTuple):
    """An event as an entry tells it."""

    entry: bytes
    """The entry, as a serialized field of the record."""
    encoded: bytes
    """The entry as it goes into the digest."""


class KnownEntries:
    """The entries of one game that come again and again. Use ``known_entries``."""

    def __init__(self, game: AnyGame) -> None:
        """Begin with nothing known."""
        self._codec = game.codec
        self._choices: Kept[bytes, KnownChoice] = Kept(self._choice)
        self.public_events: KeptParts[Event[Hashable], KnownEvent] = KeptParts(self._public_event)
        """The entries of events that everybody sees."""
        self._events: Kept[bytes, KnownEvent] = Kept(_known_event)
        """The same by what is serialized of the events, since games may make events anew that are the same."""

    def choice(self, entry: bytes) -> KnownChoice:
        """Return what an entry says that has to be a choice.

        Args:
            entry: the entry, as a serialized field of a record.

        Raises:
            OtherwiseError: it is something else, or not written as it has to be.
            DecodeError: it is nothing at all.
            NoSuchActionError: its action is none of the game.
        """
        return self._choices[entry] if len(entry) <= _LONGEST_KEPT else self._choice(entry)

    def event(self, event: Event[Hashable]) -> KnownEvent:
        """Return the entry of an event."""
        # What only some see are cards, hardly ever the same twice: to keep it would push out what comes again.
        if event.audience is None:
            return self.public_events.of(event)
        return _known_event(self._codec.serialized_event(event.full))

    def _public_event(self, event: Event[Hashable]) -> KnownEvent:
        return self._events[self._codec.serialized_event(event.full)]

    def _choice(self, entry: bytes) -> KnownChoice:
        message = read_entry(entry)
        choice = message.choice
        action: Hashable = self._codec.action_from(choice.action)
        if not message.HasField("choice") or self._codec.action(action) != choice.action:
            raise OtherwiseError
        return KnownChoice(
            seat=choice.seat,
            action=action,
            charged_ms=choice.charged_ms,
            strikes=choice.strikes,
            fault=choice.fault,
            lag_ms=choice.lag_ms,
            lost_ms=choice.lost_ms,
            away_ms=choice.away_ms,
            broken_rules=tuple(choice.broken_rules),
            counts=bool(choice.fault or choice.broken_rules),
            encoded=encoded_entry(message),
        )


def _known_event(event: bytes) -> KnownEvent:
    return KnownEvent(event_entry(event), encoded_event_entry(event))


def read_entry(entry: bytes) -> v1.RecordEntry:
    """Return an entry from its serialized field of a record.

    Raises:
        OtherwiseError: it is no entry, or is written in another way than Ordago does, or holds what is not known here.
        DecodeError: it is nothing at all.
    """
    record = v1.MatchRecord.FromString(entry)
    record.DiscardUnknownFields()
    if len(record.entries) != 1 or record.SerializeToString(deterministic=True) != entry:
        raise OtherwiseError
    return record.entries[0]


@cache
def known_entries(game: AnyGame) -> KnownEntries:
    """Return the entries of a game that are known, which all its records share."""
    return KnownEntries(game)
