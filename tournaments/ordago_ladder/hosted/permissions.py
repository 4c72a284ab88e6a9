"""Limits on hosted events: they start no programs on the server except house bots, and are bounded in size.

An account that opens an event is trusted with its matches and nothing else: neither with programs and files of the
server's machine, nor with the secret of the deals.

A name consists of lower-case letters, digits and hyphens, since it appears in URLs of the site, and as the name of a
folder on the server and on machines that download the event.

The number of events per account is limited, and the last places are reserved for accounts without events, so that a few
accounts together cannot fill the server.
"""

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ordago.edge.services.events import LONGEST_FILE_BYTES
from ordago.names import looks_like_one_of
from ordago_ladder.event_file.entry import Entry, filled_settings, without_places
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.hosted.events_api import EventLimitError, EventRefusedError, EventTakenError
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.schedule.process_slots import processes_at_once
from ordago_ladder.settings.sections import EntrantSettings, LimitSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.webhooks import receiver_of

LONGEST_TEXT: Final = 200
"""The most characters in the title of an event or the version of an entrant."""
MOST_MATCHES: Final = 20_000
"""The most matches in an event: their published files take a few hundred megabytes."""
MOST_AT_ONCE: Final = 64
"""The most parallel matches of an event, since the server's tables go on at the same time."""
MOST_HOUSE_PROCESSES: Final = 16
"""The most processes of house bots in an event, all of which run on the machine of the server."""
CHECK_IN_SECONDS: Final = 24 * 60 * 60
"""The longest check-in of an event without a time of begin. It is limited because a waiting event occupies a place."""
LATEST_BEGIN_SECONDS: Final = 7 * 24 * 60 * 60
"""The longest time from the opening of an event to its begin."""
MOST_REMOTE_PROCESSES: Final = 64
"""The most processes of a remote entrant."""
_SOURCE: Final = "the event file"
_NOT_HERE: Final = ("command", "build", "env", "folder", "readable")
"""The keys of entrants that start a program of their own or read files, which a server refuses."""


def hosted_settings(text: str, *, entries: Sequence[Entry] = (), announce_to: Collection[str] = ()) -> Settings:
    """Return the settings of an event file, after checking that a server may open it, however many authors enter.

    They may have too few entrants if authors may enter; ``complete_settings`` has enough.

    Args:
        text: the text of the file.
        entries: the entrants that authors entered already.
        announce_to: the hosts that events may be announced to.

    Raises:
        EventRefusedError: the file is invalid, or breaks a limit of the server.
    """
    length = len(text.encode())
    if length > LONGEST_FILE_BYTES:
        raise EventRefusedError(
            f"{_SOURCE} has {length:,} bytes, and at most {LONGEST_FILE_BYTES:,} are accepted: shorten it"
        )
    try:
        settings = filled_settings(text, entries, source=_SOURCE)
    except EventFileError as error:
        raise EventRefusedError(str(error)) from None
    found = itertools.chain(_problems(settings), _announce_problems(settings, announce_to))
    problems = [f"{_SOURCE}: {problem}" for problem in found]
    if problems:
        raise EventRefusedError("\n".join(problems))
    return without_places(settings, text, entries)


def complete_settings(text: str) -> Settings:
    """Return the settings of an event file that begins with the entrants that it has.

    Raises:
        EventRefusedError: it is invalid, or has too few entrants.
    """
    try:
        return parse_event(text, source=_SOURCE)
    except EventFileError as error:
        raise EventRefusedError(str(error)) from None


def house_processes(settings: Settings) -> int:
    """Return the number of processes that the house bots of an event use at once."""
    return processes_at_once(settings, [entrant.name for entrant in settings.entrants if not entrant.remote])


def check_in_end(settings: Settings, *, now: float) -> int:
    """Return the end of check-in of an event that is opened now, in seconds since 1970 UTC.

    Raises:
        EventRefusedError: it would end too late.
    """
    begins = settings.event.begins
    if begins is None:
        return int(now) + CHECK_IN_SECONDS
    if begins.timestamp() > now + LATEST_BEGIN_SECONDS:
        days = LATEST_BEGIN_SECONDS // (24 * 60 * 60)
        raise EventRefusedError(f"{_SOURCE}: [event]: 'begins' lies more than {days} days ahead: open the event later")
    return int(begins.timestamp())


def _problems(settings: Settings) -> Iterator[str]:
    for number, entrant in enumerate(settings.entrants, start=1):
        yield from (f"[[entrant]] {number}: {problem}" for problem in _entrant_problems(entrant))
    if settings.limits != LimitSettings():
        yield "[limits] is for bots that the organiser starts: leave the section out"
    event = settings.event
    yield from (f"[event]: {problem}" for problem in _unshown("title", event.title))
    if event.entrants_at_most is not None and len(settings.entrants) > event.entrants_at_most:
        yield f"[event]: 'entrants_at_most' is {event.entrants_at_most}, and {len(settings.entrants)} have entered"
    if event.secret is not None:
        yield "[event]: 'secret' is not for events on a server, which draws it itself: leave it out"
    if event.beacon is not None:
        yield "[event]: 'beacon' is for ordago run, which can take its value: leave it out"
    if event.parallel > MOST_AT_ONCE:
        yield f"[event]: 'parallel' takes {MOST_AT_ONCE} at most on a server, not {event.parallel:,}"
    yield from _size_problems(settings)


def _entrant_problems(entrant: EntrantSettings) -> Iterator[str]:
    for key in _NOT_HERE:
        if getattr(entrant, key):
            yield f"{key!r} is not for events on a server, where entrants are 'remote = true' or house bots"
    yield from _unshown("version", entrant.version)
    if entrant.remote and (entrant.processes or 1) > MOST_REMOTE_PROCESSES:
        yield f"'processes' takes {MOST_REMOTE_PROCESSES} at most on a server, not {entrant.processes:,}"


def _announce_problems(settings: Settings, announce_to: Collection[str]) -> Iterator[str]:
    for number, announce in enumerate(settings.announce, start=1):
        receiver = receiver_of(announce.url)
        if receiver.scheme != "https" or receiver.host not in announce_to:
            allowed = f"by https to {', '.join(sorted(announce_to))} alone" if announce_to else "nowhere"
            yield f"[[announce]] {number}: this server announces {allowed}, not by {receiver.scheme} to {receiver.host}"


def _unshown(key: str, text: str) -> Iterator[str]:
    """Yield a complaint about a text that is too long, or is not safe to print on a terminal."""
    if len(text) > LONGEST_TEXT or not text.isprintable():
        yield f"{key!r} takes at most {LONGEST_TEXT} characters, all visible"


def _size_problems(settings: Settings) -> Iterator[str]:
    matches = match_count(settings)
    if matches > MOST_MATCHES:
        yield (
            f"this event has {matches:,} matches, and a server plays at most {MOST_MATCHES:,}: take fewer "
            "'repetitions', 'rounds', 'sets' or entrants"
        )
    processes = house_processes(settings)
    if processes > MOST_HOUSE_PROCESSES:
        yield (
            f"its house bots would have {processes:,} processes at once, and a server allows {MOST_HOUSE_PROCESSES}: "
            "take fewer of them, or 'processes = 1' in [event]"
        )


_ENDS: Final = "0123456789"
RESERVED: Final = frozenset(
    # The site serves no path with this name.
    {"private"}
    # Files in the folder of all events.
    | {"lock", "removed"}
    # Device names on Windows, where no folder can have them; participants download events there, too.
    | {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in _ENDS}
)
"""Names that no event may have."""


class Taken(NamedTuple):
    """The name of an existing or removed event."""

    name: str
    account: str
    """The account of its owner."""


def check_reserved(name: str) -> None:
    """Check that a name is not reserved.

    Raises:
        EventRefusedError: it is.
    """
    if name in RESERVED:
        raise EventRefusedError(f"the event file: [event]: 'name' cannot be {name!r} on a server: choose another one")


def check_alike(name: str, account: str, taken: Iterable[Taken]) -> None:
    """Check that a name does not look like the name of another account's event.

    Raises:
        EventTakenError: it does.
    """
    other = next((one for one in taken if one.account != account and looks_like_one_of(name, [one.name])), None)
    if other is not None:
        sentence = f"the name {name!r} looks like {other.name!r}, an event of {other.account!r}: choose another 'name'"
        raise EventTakenError(sentence)


_MIB: Final = 1024 * 1024
LEAST_FREE_BYTES: Final = 512 * _MIB
"""With less free disk space, all events stop, and the rest is left to the tables."""
SCARCE_BYTES: Final = 1024 * _MIB
"""With less free disk space, only events of accounts below ``LITTLE_BYTES`` go on."""
LITTLE_BYTES: Final = 64 * _MIB
"""Little disk usage: about a hundred matches."""
MOST_BYTES: Final = 4096 * _MIB
"""The most disk space for the events of one account: about ten of the largest events. Chosen, not measured."""
MOST_PROCESSES_OF_ONE: Final = 32
"""The most house bot processes in the running events of one account: two of the largest events."""


class Share(NamedTuple):
    """The limits of a number of events, in total and per account."""

    most: int
    of_one: int
    last: int
    """The places in ``most`` that are reserved for accounts without events."""

    def check(self, *, own: int, others: int, are: str, instead: str) -> None:
        """Check that an account may have one more event.

        Args:
            own: the number of events of the account.
            others: the number of events of all others.
            are: the predicate for messages, such as ``are open``.
            instead: the advice for an account at its limit.

        Raises:
            EventLimitError: a limit is reached.
        """
        if own >= self.of_one:
            raise EventLimitError(f"{own} events of this account {are}, its maximum: {instead}")
        if own + others >= self.most:
            raise EventLimitError(f"{self.most} events {are} on this server, its maximum: try again later")
        if own and own + others >= self.most - self.last:
            sentence = f"the last {self.last} places are for accounts without events that {are}: {instead}"
            raise EventLimitError(sentence)


OPEN: Final = Share(most=8, of_one=4, last=2)
"""The limits of running events."""
KEPT: Final = Share(most=1_000, of_one=100, last=100)
"""The limits of stored events."""


def check_processes(*, own: int, more: int) -> None:
    """Check that an account with ``own`` house bot processes may have ``more`` of them.

    Raises:
        EventLimitError: it may not.
    """
    if own + more > MOST_PROCESSES_OF_ONE:
        raise EventLimitError(
            f"house bots would have {own + more} processes in the events of this account, and {MOST_PROCESSES_OF_ONE} "
            "are allowed: wait until an event is over, or take fewer of them"
        )


def room_refusal(*, own_bytes: int, free_bytes: int) -> str:
    """Return the reason why disk space forbids an event of an account to go on; empty if it may."""
    if free_bytes < LEAST_FREE_BYTES or (free_bytes < SCARCE_BYTES and own_bytes > LITTLE_BYTES):
        return "the server has too little disk space; open the event again later"
    if own_bytes >= MOST_BYTES:
        return (
            f"the events of this account take {own_bytes // _MIB:,} MiB, and {MOST_BYTES // _MIB:,} are allowed: "
            "remove one"
        )
    return ""
