"""Answers to the calls of ``EventService`` from the hosted events of a server."""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final

from ordago import v1
from ordago.edge.services.account_messages import checked_why, page_of
from ordago.edge.services.event_keeper import Caller
from ordago.names import composed, quoted
from ordago.store.errors import StoreRefusedError, Why
from ordago_ladder.event_file.entry import Entry, entry_of
from ordago_ladder.hosted.events_api import (
    EventConflictError,
    EventLimitError,
    EventRefusedError,
    EventTakenError,
    HostedEvents,
    HostedStage,
    HostedState,
    NoEventError,
    NotYoursError,
)
from ordago_ladder.hosted.published_files import download
from ordago_ladder.rating.ladder import Ladder, LadderEntrant, Standing, Standings
from ordago_ladder.settings.written_values import UnfitValueError

_MIB: Final = 1024 * 1024
STAGES: Final[Mapping[HostedStage, v1.HostedEventStage]] = {
    HostedStage.ENTRY: v1.HOSTED_EVENT_STAGE_ENTRY,
    HostedStage.CHECK_IN: v1.HOSTED_EVENT_STAGE_CHECK_IN,
    HostedStage.PLAYING: v1.HOSTED_EVENT_STAGE_PLAYING,
    HostedStage.OVER: v1.HOSTED_EVENT_STAGE_OVER,
    HostedStage.STOPPED: v1.HOSTED_EVENT_STAGE_STOPPED,
    HostedStage.FAILED: v1.HOSTED_EVENT_STAGE_FAILED,
}
"""The stages of an event in the contract."""


def event_message(
    state: HostedState, *, with_entrants: bool = True, shown_account: Callable[[str], str] = str
) -> v1.HostedEvent:
    """Return the message of an event, with or without its lists of entrants, and with accounts as they are shown."""
    return v1.HostedEvent(
        name=state.name,
        title=state.title,
        stage=STAGES[state.stage],
        sentence=state.sentence,
        opened_at=state.opened,
        opened_by=shown_account(state.opened_by),
        begins_at=state.begins,
        played=state.played,
        planned=state.planned,
        here=state.here if with_entrants else (),
        missing=state.missing if with_entrants else (),
        games=[game.name for game in state.ladder.games] if state.ladder else (),
        check_in_ends_at=state.check_in_ends,
        size_mib=-(-state.size // _MIB),
        entries=[_entry_message(each, shown_account) for each in state.entries] if with_entrants else (),
        places_left=state.places_left,
    )


def _entry_message(entry: Entry, shown_account: Callable[[str], str]) -> v1.EventEntry:
    account = shown_account(entry.account)
    # The author is a name as the account gave it, and goes with the account.
    author = entry.author if account == entry.account else ""
    return v1.EventEntry(entrant=entry.entrant, account=account, author=author, version=entry.version)


def standing_messages(ladder: Ladder, standings: Standings) -> list[v1.EventStanding]:
    """Return the messages of the lines of some standings of an event."""
    entrants = {entrant.name: entrant for entrant in ladder.entrants}
    return [_standing(line, entrants[line.entrant]) for line in standings.lines]


def _standing(line: Standing, entrant: LadderEntrant) -> v1.EventStanding:
    return v1.EventStanding(
        rank=line.rank,
        entrant=line.entrant,
        version=entrant.version,
        elo=line.rating.elo,
        low=line.rating.low,
        high=line.rating.high,
        rating_note=line.rating.known.note.value,
        matches=line.matches,
        rated=line.rated,
        points=line.mean_score,
        faults=line.conduct.faults,
        forfeits=line.conduct.forfeits,
        suspended=entrant.suspended,
    )


_LATEST: Final = 2**32
"""Later than any time of opening, in seconds since 1970, so that the keys of newer events sort first."""
_WHYS: Final[Mapping[type[Exception], Why]] = {
    EventConflictError: Why.STATE,
    EventTakenError: Why.TAKEN,
    EventLimitError: Why.LIMIT,
    NotYoursError: Why.NOT_PERMITTED,
}


class HostedEventKeeper:
    """An ``EventKeeper`` on top of ``HostedEvents``. Its methods may be called in several threads at once."""

    def __init__(self, events: HostedEvents, *, shown_account: Callable[[str], str] = str) -> None:
        """Answer from the events of a server; ``shown_account`` returns an account as strangers may see it."""
        self._events = events
        self._message = partial(event_message, shown_account=shown_account)

    def open_event(self, request: v1.OpenEventRequest, /, *, by: Caller) -> v1.OpenEventResponse:
        """Open or resume an event."""
        why = checked_why(request.why)
        with _naming_refusals():
            return v1.OpenEventResponse(event=self._message(self._events.open(request.file, by=by, why=why)))

    def stop_event(self, request: v1.StopEventRequest, /, *, by: Caller) -> v1.StopEventResponse:
        """Begin to stop an event."""
        why = checked_why(request.why)
        with _naming_refusals(request.name):
            return v1.StopEventResponse(event=self._message(self._events.stop(request.name, by=by, why=why)))

    def enter_event(self, request: v1.EnterEventRequest, /, *, by: Caller) -> v1.EnterEventResponse:
        """Enter the caller's entrant into an event."""
        with _naming_refusals(request.name):
            entry = _entry(request, account=by.account)
            return v1.EnterEventResponse(event=self._message(self._events.enter(request.name, entry)))

    def leave_event(self, request: v1.LeaveEventRequest, /, *, by: Caller) -> v1.LeaveEventResponse:
        """Take an entrant out of an event."""
        with _naming_refusals(request.name):
            state = self._events.leave(request.name, composed(request.entrant), by=by)
            return v1.LeaveEventResponse(event=self._message(state))

    def remove_event(self, request: v1.RemoveEventRequest, /, *, by: Caller) -> v1.RemoveEventResponse:
        """Remove an event."""
        why = checked_why(request.why)
        with _naming_refusals(request.name):
            state, files = self._events.remove(request.name, by=by, why=why)
            return v1.RemoveEventResponse(event=self._message(state), files=files)

    def get_event(self, request: v1.GetEventRequest, /) -> v1.GetEventResponse:
        """Return the state of an event."""
        return v1.GetEventResponse(event=self._message(self._state(request.name)))

    def list_events(self, request: v1.ListEventsRequest, /) -> v1.ListEventsResponse:
        """List events, newest first."""
        states = self._events.states()
        wanted = [state for state in states if not request.stages or STAGES[state.stage] in request.stages]
        page, token = page_of(wanted, request, position=_position)
        events = [self._message(state, with_entrants=False) for state in page]
        return v1.ListEventsResponse(events=events, next_page_token=token)

    def list_event_results(self, request: v1.ListEventResultsRequest, /) -> v1.ListEventResultsResponse:
        """List the standings of an event."""
        state = self._state(request.name)
        rows = standing_messages(state.ladder, _standings(state.ladder, request)) if state.ladder else []
        page, token = page_of(rows, request, position=lambda row: f"{row.rank:010d} {row.entrant}")
        event = self._message(state, with_entrants=False)
        return v1.ListEventResultsResponse(event=event, standings=page, next_page_token=token)

    def download_event(self, request: v1.DownloadEventRequest, /) -> Generator[v1.DownloadEventResponse, None, None]:
        """Yield the published files of an event in parts."""
        yield from download(self._state(request.name).folder)

    def _state(self, name: str) -> HostedState:
        with _naming_refusals(name):
            return self._events.state(name)


def _entry(request: v1.EnterEventRequest, *, account: str) -> Entry:
    try:
        return entry_of(entrant=request.entrant, account=account, author=request.author, version=request.version)
    except UnfitValueError as error:
        raise EventRefusedError(str(error)) from None


@contextmanager
def _naming_refusals(name: str = "") -> Iterator[None]:
    """Turn the errors of ``HostedEvents`` into ``StoreRefusedError``."""
    try:
        yield
    except EventRefusedError as error:
        # A status message is one line, and a file may have several mistakes.
        raise StoreRefusedError(Why.UNFIT, "; ".join(str(error).splitlines())) from None
    except tuple(_WHYS) as error:
        raise StoreRefusedError(_WHYS[type(error)], str(error)) from None
    except NoEventError:
        sentence = f"There is no event {quoted(name)} on this server; ordago event list shows all events."
        raise StoreRefusedError(Why.UNKNOWN, sentence) from None


def _position(state: HostedState) -> str:
    """Return the sort key of an event in the list: newest first."""
    return f"{_LATEST - state.opened:011d} {state.name}"


def _standings(ladder: Ladder, request: v1.ListEventResultsRequest) -> Standings:
    if not request.game:
        return ladder.overall
    found = next((standings for standings in ladder.by_game if standings.games == (request.game,)), None)
    if found is None:
        games = ", ".join(game.name for game in ladder.games)
        sentence = f"The event {request.name!r} does not play {quoted(request.game)}: it plays {games}."
        raise StoreRefusedError(Why.UNKNOWN, sentence)
    return found
