"""What may be opened on a server: events that start nothing there but bots of the house, and do not outgrow it.

Whoever opens an event is trusted with its matches, and with nothing else: neither with the programs and files of the
server's machine, nor with the secret that the deals come from.

A name is made of small letters, digits and hyphens. It stands in addresses of the site, in the folder of all events,
and as the name of a folder with whoever downloads.

One account has so many events at once, and the last places are for accounts that have none. Several accounts together
fill the others, and not these.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ordago.edge.services.events import LONGEST_FILE_BYTES
from ordago.names import looks_like_one_of
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.hosted.events_api import EventLimitError, EventRefusedError, EventTakenError
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.schedule.process_slots import processes_at_once
from ordago_ladder.settings.sections import EntrantSettings, LimitSettings
from ordago_ladder.settings.settings import Settings

LONGEST_TEXT: Final = 200
"""So many characters have the title of an event, or the version of an entrant, at most."""
MOST_MATCHES: Final = 20_000
"""What is published of them are some hundred megabytes at most."""
MOST_AT_ONCE: Final = 64
"""So many matches are played at once at most: those of the server's tables go on beside them."""
MOST_HOUSE_PROCESSES: Final = 16
CHECK_IN_SECONDS: Final = 24 * 60 * 60
"""For so long an event waits for its entrants that does not say when it begins. Meanwhile it has a place that others
may want."""
LATEST_BEGIN_SECONDS: Final = 7 * 24 * 60 * 60
"""So far ahead an event may begin when it is opened."""
MOST_REMOTE_PROCESSES: Final = 64
"""So many processes a remote entrant has at most."""
_SOURCE: Final = "the event file"
_NOT_HERE: Final = ("command", "build", "env", "folder", "readable")
"""What an entrant is told that starts a program of its own, or reads files."""


def hosted_settings(text: str) -> Settings:
    """Return the event of an event file that may be opened on a server.

    Raises:
        EventRefusedError: it describes none, or one that may not.
    """
    length = len(text.encode())
    if length > LONGEST_FILE_BYTES:
        raise EventRefusedError(f"{_SOURCE} has {length:,} bytes, and {LONGEST_FILE_BYTES:,} are the most: shorten it")
    try:
        settings = parse_event(text, source=_SOURCE)
    except EventFileError as error:
        raise EventRefusedError(str(error)) from None
    problems = [f"{_SOURCE}: {problem}" for problem in _problems(settings)]
    if problems:
        raise EventRefusedError("\n".join(problems))
    return settings


def house_processes(settings: Settings) -> int:
    """Return how many processes the bots of the house have at once in an event."""
    house = settings.model_copy(update={"entrants": tuple(one for one in settings.entrants if not one.remote)})
    return processes_at_once(house)


def check_in_end(settings: Settings, *, now: float) -> int:
    """Return when check-in ends for an event that is opened now, in seconds since 1970 UTC.

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
        yield "[limits] are for bots that an organiser starts on a machine of his own: leave the section out"
    event = settings.event
    yield from (f"[event]: {problem}" for problem in _unshown("title", event.title))
    if event.secret is not None:
        yield "[event]: 'secret' is not for events on a server, which draws it and tells nobody: leave it out"
    if event.beacon is not None:
        yield "[event]: 'beacon' is for ordago run, which can be told its value: leave it out"
    if event.parallel > MOST_AT_ONCE:
        yield f"[event]: 'parallel' takes {MOST_AT_ONCE} at most on a server, not {event.parallel:,}"
    yield from _size_problems(settings)


def _entrant_problems(entrant: EntrantSettings) -> Iterator[str]:
    for key in _NOT_HERE:
        if getattr(entrant, key):
            yield f"{key!r} is not for events on a server, where entrants are 'remote = true' or of the house"
    yield from _unshown("version", entrant.version)
    if entrant.remote and (entrant.processes or 1) > MOST_REMOTE_PROCESSES:
        yield f"'processes' takes {MOST_REMOTE_PROCESSES} at most on a server, not {entrant.processes:,}"


def _unshown(key: str, text: str) -> Iterator[str]:
    """Yield what is wrong with a text that terminals of others show."""
    if len(text) > LONGEST_TEXT or not text.isprintable():
        yield f"{key!r} takes {LONGEST_TEXT} characters at most, all visible"


def _size_problems(settings: Settings) -> Iterator[str]:
    matches = match_count(settings)
    if matches > MOST_MATCHES:
        yield (
            f"this event has {matches:,} matches, and {MOST_MATCHES:,} are the most on a server: fewer 'repetitions', "
            "'rounds', 'sets' or entrants make it smaller"
        )
    processes = house_processes(settings)
    if processes > MOST_HOUSE_PROCESSES:
        yield (
            f"its bots of the house would have {processes:,} processes at once, and {MOST_HOUSE_PROCESSES} are the "
            "most on a server: take fewer of them, or 'processes = 1' in [event]"
        )


_ENDS: Final = "0123456789"
RESERVED: Final = frozenset(
    # The site shows nothing that is called so.
    {"private"}
    # Files in the folder of all events.
    | {"lock", "removed"}
    # Names that Windows gives to devices, whatever follows: a folder with such a name cannot be made there.
    | {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in _ENDS}
)
"""Names that no event has."""


class Taken(NamedTuple):
    """A name that an event has, or had."""

    name: str
    account: str
    """Whose event it is, or was."""


def check_reserved(name: str) -> None:
    """Check that a name means nothing else.

    Raises:
        EventRefusedError: it does.
    """
    if name in RESERVED:
        raise EventRefusedError(f"the event file: [event]: 'name' cannot be {name!r} on a server: choose another one")


def check_alike(name: str, account: str, taken: Iterable[Taken]) -> None:
    """Check that a name does not look like that of an event of another account.

    Raises:
        EventTakenError: it does.
    """
    other = next((one for one in taken if one.account != account and looks_like_one_of(name, [one.name])), None)
    if other is not None:
        sentence = f"the name {name!r} looks like {other.name!r}, an event of {other.account!r}: choose another 'name'"
        raise EventTakenError(sentence)


_MIB: Final = 1024 * 1024
LEAST_FREE_BYTES: Final = 512 * _MIB
"""With less room on the disk all events stop: what is left is for the tables."""
SCARCE_BYTES: Final = 1024 * _MIB
"""With less room on the disk only events of accounts that have little there go on."""
LITTLE_BYTES: Final = 64 * _MIB
"""So much counts as little: a hundred matches or so."""
MOST_BYTES: Final = 4096 * _MIB
"""So much room the events of one account take. No measurement: the largest event has some hundred megabytes."""
MOST_PROCESSES_OF_ONE: Final = 32
"""So many processes the bots of the house have in all events of an account that run: two of the largest events."""


class Share(NamedTuple):
    """How many events there may be, in all and of one account."""

    most: int
    of_one: int
    last: int
    """So many of all are for accounts that have none."""

    def check(self, *, own: int, others: int, are: str, instead: str) -> None:
        """Check that an account may have one more.

        Args:
            own: how many it has.
            others: how many all others have.
            are: says of events that they count: ``are open``.
            instead: what the account can do where it has as many as it may.

        Raises:
            EventLimitError: it may not.
        """
        if own >= self.of_one:
            raise EventLimitError(f"{own} events of this account {are}, and no more may be: {instead}")
        if own + others >= self.most:
            raise EventLimitError(f"{self.most} events {are} on this server, and no more may be: try again later")
        if own and own + others >= self.most - self.last:
            sentence = f"the last {self.last} places are for accounts of which no events {are}: {instead}"
            raise EventLimitError(sentence)


OPEN: Final = Share(most=8, of_one=4, last=2)
"""Events that run."""
KEPT: Final = Share(most=1_000, of_one=100, last=100)
"""Events in the folder."""


def check_processes(*, own: int, more: int) -> None:
    """Check that bots of the house may have so many more processes in the events of an account.

    Raises:
        EventLimitError: they may not.
    """
    if own + more > MOST_PROCESSES_OF_ONE:
        raise EventLimitError(
            f"bots of the house would have {own + more} processes in the events of this account, and "
            f"{MOST_PROCESSES_OF_ONE} are the most: wait until one is over, or take fewer of them"
        )


def room_refusal(*, own_bytes: int, free_bytes: int) -> str:
    """Return why an event of an account that has so much on the disk may not go on; empty where it may."""
    if free_bytes < LEAST_FREE_BYTES or (free_bytes < SCARCE_BYTES and own_bytes > LITTLE_BYTES):
        return "there is too little room on the disk of the server; open it again when there is more"
    if own_bytes >= MOST_BYTES:
        return (
            f"the events of its account take {own_bytes // _MIB:,} MiB, and {MOST_BYTES // _MIB:,} are the most: "
            "remove one that is not needed"
        )
    return ""
