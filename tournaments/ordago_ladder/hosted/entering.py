"""Rules of entry: which entrants authors may add to an event that is open to them, and who may take one out."""

from dataclasses import replace

from ordago.edge.services.event_keeper import Caller
from ordago.names import looks_like_one_of, quoted
from ordago_ladder.event_file.entry import Entry
from ordago_ladder.hosted.events_api import EventConflictError, EventLimitError, EventTakenError, NotYoursError
from ordago_ladder.hosted.note import Note


def with_entry(note: Note, entry: Entry) -> Note:
    """Return the note of an event with one more entry.

    Raises:
        EventTakenError: the account has an entrant, or the name is taken or looks like another one.
        EventLimitError: all places are taken.
        NotYoursError: the organiser removed the account's entrant.
    """
    if any(known.removed and known.account == entry.account for known in note.entries):
        raise NotYoursError(f"the organiser removed the entrant of {entry.account!r}: ask the account that opened it")
    entrants = [*note.named, *((known.entrant, known.account) for known in note.entered)]
    for name, account in entrants:
        if account == entry.account:
            raise EventTakenError(f"the account {account!r} has entered as {name!r}: leave the event first")
    for name, _ in entrants:
        if looks_like_one_of(entry.entrant, [name]):
            same = "is taken" if entry.entrant == name else f"looks like {name!r}, another entrant"
            raise EventTakenError(f"the name {entry.entrant!r} {same}: choose another one")
    if len(note.entered) >= note.places:
        raise EventLimitError(f"all {note.places} places are taken: try again later, in case that an author leaves")
    return replace(note, entries=(*note.entries, entry))


def without_entry(note: Note, entrant: str, *, by: Caller) -> Note:
    """Return the note of an event without an entry: the caller's own one, or another's if the event is the caller's.

    Raises:
        EventConflictError: there is no such entry.
        NotYoursError: the entry belongs to another account, and so does the event.
    """
    own = next((entry for entry in note.entered if entry.account == by.account), None)
    found = next((entry for entry in note.entered if entry.entrant == entrant), None) if entrant else own
    if found is None:
        whose = f"{quoted(entrant)} is not" if entrant else f"the account {by.account!r} has no entrant"
        raise EventConflictError(f"{whose} among those that authors entered")
    if found is own:
        return replace(note, entries=tuple(entry for entry in note.entries if entry is not own))
    if not (by.may_organise and note.opened_by == by.account):
        raise NotYoursError(f"{entrant!r} belongs to another account: only that one and the organiser can take it out")
    removed = replace(found, removed=True)
    return replace(note, entries=tuple(removed if entry is found else entry for entry in note.entries))
