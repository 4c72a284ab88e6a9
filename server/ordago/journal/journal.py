"""The current sessions and matches of a server, on a disk, so that it can go on with them after a restart.

An entry about a session or a match is merged with earlier ones, as protobuf merges messages whose bytes are
concatenated. So the journal keeps each session and match as bytes, and only appends the bytes of a new entry.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final, Protocol

from google.protobuf.message import DecodeError

from ordago import v1
from ordago.journal.choice_log import ChoiceLog
from ordago.journal.file import JournalFile, read_contents
from ordago.journal.frames import JournalError
from ordago.journal.outage import Outage, keep_last_written, last_written
from ordago.journal.v1 import JournaledMatch, JournaledMatchEnd, JournaledSession, JournaledSessionEnd, JournalEntry
from ordago.match import MatchTerms
from ordago.wire.fields import Field, tag

_MATCH: Final = Field(tag(JournalEntry, "match"))
_RECORD: Final = Field(tag(JournaledMatch, "record"))
_RECORD_ENTRY: Final = Field(tag(JournaledMatch, "record"), within=tag(JournalEntry, "match"))
_SPARE_BYTES: Final = 1 << 20
"""The size that the file may always have: otherwise it would be compacted all the time where nothing is live."""
_TRIAL_BYTES: Final = 1 << 16
"""The size of a trial write that finds out whether there is room again: enough for matches to go on for a moment."""
_NO_MORE: Final = "the disk is full except for the reserve of running matches: free some space"
_GROWTH: Final = 4
"""The size of the file beyond that, at most, as a multiple of the size of its live contents.

So a compaction writes a quarter of what the file holds, at most.
"""


class MatchPage(ChoiceLog, Protocol):
    """The part of a journal for one match, to which its choices are appended."""

    @property
    def past(self) -> Sequence[v1.RecordEntry]:
        """The choices and forfeits so far, in order."""


class MatchJournal(Protocol):
    """A journal of sessions and matches while they last. Each method may raise ``JournalError``."""

    @property
    def lasts(self) -> bool:
        """True if the journal outlasts the server."""

    def begin_session(self, session: JournaledSession) -> None:
        """Record a session that may be resumed, or changes to one."""

    def end_session(self, session_id: str) -> None:
        """Forget a session."""

    def begin_match(self, match: JournaledMatch) -> MatchPage:
        """Note a match that begins, and return its page."""

    def end_match(self, match_id: str) -> None:
        """Forget a match: its result is stored elsewhere, or it is void."""

    def together(self) -> AbstractContextManager[None]:
        """Write in one go, at the end of this context, the choices that are entered in it.

        None of them outlasts the server before that. If they cannot be written, the functions given to ``on_failure``
        of their matches' pages are called.
        """


class Journal:
    """A journal in a file. Entries survive the death of the process; after ``sync`` a power cut too."""

    lasts = True

    def __init__(self, path: Path) -> None:
        """Open the journal at a path, or begin one. Contents that are no longer live are left out."""
        self._sessions: dict[str, JournaledSession] = {}
        self._matches: dict[str, _Page] = {}
        self._lacks_an_end = False
        """True if the file lacks an end, since it could not be written."""
        self._successor_lacks_one = False
        """True if its successor lacks an end too."""
        written = last_written(path)
        for content in read_contents(path):
            self._enter(_entry(path, content))
        self._file = JournalFile(path, self._alive())
        keep_last_written(path, written)
        self.outage: Final = Outage.since(written)
        """The time without a server, and the losses that are possible in it."""

    @property
    def sessions(self) -> list[JournaledSession]:
        """The sessions that may be resumed, in the order in which they began."""
        return list(self._sessions.values())

    @property
    def matches(self) -> list[JournaledMatch]:
        """The matches that are not over, as far as they have come, in the order in which they began."""
        return [page.match for page in self._matches.values()]

    def begin_session(self, session: JournaledSession) -> None:
        """Record a session that may be resumed, or changes to one."""
        if session.session_id not in self._sessions:
            self._check_room()
        self._write(JournalEntry(session=session))

    def end_session(self, session_id: str) -> None:
        """Forget a session."""
        if session_id in self._sessions:
            self._forget(JournalEntry(session_end=JournaledSessionEnd(session_id=session_id)))

    def begin_match(self, match: JournaledMatch) -> MatchPage:
        """Record a match that begins, and return its page. An earlier page of this name is forgotten."""
        self._check_room()
        match_id = match.record.match_id
        if match_id in self._matches:
            # Not by ``end_match``: where the file lacks the end, it would take both matches for one.
            self._write(_match_end(match_id))
        self._write(JournalEntry(match=match))
        return self._matches[match_id]

    def _check_room(self) -> None:
        """Check that the disk has room for a new session or match.

        Raises:
            JournalError: it is full.
        """
        if self._file.is_full:
            raise JournalError(_NO_MORE)

    def end_match(self, match_id: str) -> None:
        """Forget a match: its result is stored elsewhere, or it is void."""
        if match_id in self._matches:
            self._forget(_match_end(match_id))

    def together(self) -> AbstractContextManager[None]:
        """Write in one go, at the end of this context, the choices that are entered in it. See ``MatchJournal``."""
        return self._file.together()

    def page(self, match_id: str) -> MatchPage:
        """Return the page of a match that is not over."""
        return self._matches[match_id]

    def page_for(self, terms: MatchTerms, *, past: Sequence[v1.RecordEntry] = ()) -> MatchPage:
        """Return the page of a match whose terms are always the same: where it was, if it was begun before.

        Args:
            terms: the terms.
            past: the choices and forfeits so far, as another journal has them, for a match that was not begun here.
        """
        begun = self._begun(terms)
        if begun is not None:
            return begun
        record = v1.MatchRecord(
            match_id=terms.match_id,
            attempt=terms.attempt,
            game=terms.game.name,
            rules_version=terms.game.rules.version,
            entries=past,
        )
        return self.begin_match(JournaledMatch(record=record))

    def past_of(self, terms: MatchTerms) -> Sequence[v1.RecordEntry]:
        """Return the choices and forfeits of a match so far, in order; none if it was not begun yet."""
        begun = self._begun(terms)
        return begun.past if begun is not None else ()

    def _begun(self, terms: MatchTerms) -> "_Page | None":
        begun = self._matches.get(terms.match_id)
        return begun if begun is not None and begun.fits(terms) else None

    def try_writing(self) -> None:
        """Write padding, to see whether the beginnings of some matches would fit."""
        nobody = JournaledSessionEnd(session_id="-" * _TRIAL_BYTES)
        self._file.append(JournalEntry(session_end=nobody).SerializeToString())

    def sync(self) -> None:
        """Wait until all entries are safe from a power cut. May be called in another thread.

        Raises:
            JournalError: the disk failed.
        """
        self._file.sync()

    @property
    def written_bytes(self) -> int:
        """The number of bytes written since it was opened."""
        return self._file.written_bytes

    @property
    def free_bytes(self) -> int:
        """The free space on its disk, in bytes, without the reserve for running matches."""
        return self._file.free_bytes

    @property
    def is_full(self) -> bool:
        """True if nothing new may begin, since the disk has room for the running matches only."""
        return self._file.is_full

    def renew_reserve(self) -> None:
        """Renew the reserve for running matches, and return True if it is complete. See ``JournalFile``."""
        self._file.renew_reserve()

    @property
    def is_overgrown(self) -> bool:
        """Return True if the file holds far more than its live contents, or an end is missing from it."""
        alive = sum(session.ByteSize() for session in self._sessions.values())
        alive += sum(page.size for page in self._matches.values())
        return self._lacks_an_end or self._file.size > _SPARE_BYTES + _GROWTH * alive

    def begin_compaction(self) -> None:
        """Begin a file with live contents only. Then call ``sync_compaction``, then ``end_compaction``."""
        self._successor_lacks_one = False
        self._file.begin_successor(self._alive())

    def sync_compaction(self) -> None:
        """Wait until the new file is safe. May be called in another thread."""
        self._file.sync_successor()

    def end_compaction(self) -> None:
        """Write to the new file from now on."""
        self._file.take_over()
        self._lacks_an_end = self._successor_lacks_one

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def enter(self, content: bytes, fail: Callable[[Exception], None] | None) -> None:
        """Write a serialized entry that the caller merges. See ``JournalFile.enter``."""
        self._file.enter(content, fail)

    def _write(self, entry: JournalEntry) -> None:
        """Write an entry, and enter it if that succeeded."""
        self._file.append(entry.SerializeToString())
        self._enter(entry)

    def _forget(self, entry: JournalEntry) -> None:
        """Enter an end and write it. If that fails, the next compaction makes up for it."""
        self._enter(entry)
        try:
            self._file.append(entry.SerializeToString())
        except JournalError:
            self._lacks_an_end = self._successor_lacks_one = True

    def _enter(self, entry: JournalEntry) -> None:
        """Apply an entry to the live state, for the first time or as the file is read again."""
        if entry.HasField("session"):
            self._merge_session(entry.session)
        elif entry.HasField("session_end"):
            self._sessions.pop(entry.session_end.session_id, None)
        elif entry.HasField("match"):
            self._merge_match(entry.match)
        elif entry.HasField("match_end"):
            self._matches.pop(entry.match_end.match_id, None)

    def _merge_session(self, session: JournaledSession) -> None:
        self._sessions.setdefault(session.session_id, JournaledSession()).MergeFrom(session)

    def _merge_match(self, match: JournaledMatch) -> None:
        match_id = match.record.match_id
        page = self._matches.setdefault(match_id, _Page(self, match_id))
        page.merge(match.SerializeToString())
        for seat in match.seats:
            session = self._sessions.get(seat.session_id)
            if session is not None:
                # Handles are not used again in a session, not even when their match is forgotten.
                session.last_match_handle = max(session.last_match_handle, seat.match_handle)

    def _alive(self) -> Iterator[bytes]:
        """Yield the entries that make up the live state."""
        for session in self._sessions.values():
            yield JournalEntry(session=session).SerializeToString()
        for page in self._matches.values():
            yield _MATCH.of(page.serialized)


def _match_end(match_id: str) -> JournalEntry:
    return JournalEntry(match_end=JournaledMatchEnd(match_id=match_id))


def _entry(path: Path, content: bytes) -> JournalEntry:
    try:
        return JournalEntry.FromString(content)
    except DecodeError:
        raise JournalError(f"cannot read the journal {path}: it was not written by this version of Ordago") from None


class _Page:
    """The page of one match. See ``MatchPage``."""

    def __init__(self, journal: Journal, match_id: str) -> None:
        self._journal = journal
        self._name = v1.MatchRecord(match_id=match_id).SerializeToString()
        self._merged = bytearray()
        """The serialized match that it began with."""
        self._entries: list[bytes] = []
        """The entries appended since, which are in the record of the match too."""
        self._entered_bytes = 0
        self._fail: Callable[[Exception], None] | None = None

    @property
    def serialized(self) -> bytes:
        """All of it, as a ``JournaledMatch``."""
        entered = _RECORD.of(b"".join((self._name, *self._entries))) if self._entries else b""
        return bytes(self._merged) + entered

    @property
    def size(self) -> int:
        """Its size in bytes, without the few that name the owner of the entries and their total length."""
        return len(self._merged) + self._entered_bytes

    @property
    def match(self) -> JournaledMatch:
        """The match as far as it has come."""
        return JournaledMatch.FromString(self.serialized)

    @property
    def past(self) -> Sequence[v1.RecordEntry]:
        """The choices and forfeits so far, in order."""
        return self.match.record.entries

    def fits(self, terms: MatchTerms) -> bool:
        """Return True if the match was played under these terms."""
        record = self.match.record
        version = terms.game.rules.version
        return (record.attempt, record.game, record.rules_version) == (terms.attempt, terms.game.name, version)

    def merge(self, match: bytes) -> None:
        """Append a part of the match."""
        assert not self._entries, "what was entered stands behind it"
        self._merged += match

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Set the callback for entries that cannot be written later; it gets the reason."""
        self._fail = fail

    def enter(self, entries: Sequence[bytes]) -> None:
        """Write choices and forfeits, now or with what others enter.

        Raises:
            JournalError: they cannot be written now.
        """
        if not entries:
            return
        joined = b"".join(entries)
        self._journal.enter(_RECORD_ENTRY.of(self._name + joined), self._fail)
        self._entries.append(joined)
        self._entered_bytes += len(joined)


class _NoPage:
    past: Sequence[v1.RecordEntry] = ()

    def enter(self, entries: Sequence[bytes]) -> None:
        """Keep nothing."""

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Do nothing: this log cannot fail."""


class _NoJournal:
    """Keeps nothing."""

    lasts = False

    def begin_session(self, session: JournaledSession) -> None:
        """Keep nothing."""

    def end_session(self, session_id: str) -> None:
        """Keep nothing."""

    def begin_match(self, match: JournaledMatch) -> MatchPage:  # noqa: ARG002 - nothing is kept
        """Keep nothing."""
        return _NO_PAGE

    def end_match(self, match_id: str) -> None:
        """Keep nothing."""

    def together(self) -> AbstractContextManager[None]:
        """Keep nothing."""
        return nullcontext()


_NO_PAGE: Final = _NoPage()
NO_JOURNAL: Final[MatchJournal] = _NoJournal()
"""A journal that keeps nothing: matches end with their server."""
