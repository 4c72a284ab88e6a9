"""The store of one event: whatever has to be known again after a kill, and nothing else."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Column, Connection, Executable, RowMapping, delete, insert, select, update

from ordago.record import Result
from ordago.record.head import NO_LINES, Head
from ordago.record.ledgers.chain import chained, head_after
from ordago.record.ledgers.event import (
    BeaconEntry,
    BeginEntry,
    ChangeEntry,
    CheckInEntry,
    ClosingEntry,
    EndEntry,
    Entry,
    FewerProcessesEntry,
    RestorationEntry,
    VoidEntry,
)
from ordago.store.errors import StoreError
from ordago.store.event import schema as tables
from ordago.store.event.rows import Entrant, EventRow, EventState, IssuedMatch, MatchResult, PlayedMatch
from ordago.store.event.schema import (
    EVENT_SCHEMA,
    entrant_of,
    event_of,
    event_values,
    match_of,
    match_result_of,
    match_values,
    result_values,
)
from ordago.store.versioned import Stored

# Databases limit the number of values in one statement.
_VALUES_A_STATEMENT: Final = 500


class Store(Stored):
    """The database of one event.

    All methods are synchronous and may be called from any thread, several at once. Each is one transaction: when it
    returns, what it wrote is on the disk; when it raises, nothing of it is. Any of them raises ``StoreError`` where the
    database itself fails.
    """

    _schema = EVENT_SCHEMA

    def begin_event(self, begin: BeginEntry, *, settings: str, identity: str, secret: bytes) -> EventRow:
        """Begin an event, or go on with it: if it was begun before, its first secret stands and this one is dropped.

        Args:
            begin: the first entry of its ledger: its name, its entrants, its commitment.
            settings: the event file, as text.
            identity: the digest of what determines the event.
            secret: the secret for a new event, 32 bytes.

        Raises:
            StoreError: the database belongs to an event with other settings.
        """
        row = EventRow(begin.event, settings, identity, secret)
        with self._database.writing() as connection:
            begun = _event(connection)
            if begun is None:
                _insert_event(connection, row, begin.entrants)
                _enter(connection, begin)
                return row
        _check_identity(begun, identity)
        return begun

    def begin_event_anew(self, begin: BeginEntry, *, settings: str, identity: str, secret: bytes) -> EventRow:
        """Begin an event in place of another, or of itself with other settings. See ``begin_event``.

        Raises:
            StoreError: somebody has checked in to the stored event.
        """
        row = EventRow(begin.event, settings, identity, secret)
        with self._database.writing() as connection:
            if any(entrant.nonce is not None for entrant in _entrants(connection)):
                raise StoreError("An entrant has checked in to the event in this database, so it can no longer change.")
            for table in (tables.ledger, tables.entrants, tables.event):
                connection.execute(delete(table))
            _insert_event(connection, row, begin.entrants)
            _enter(connection, begin)
        return row

    def change_event(
        self, change: ChangeEntry, *, before: str, settings: str, identity: str, secret: bytes | None = None
    ) -> None:
        """Go on with another event file: it asks for more, or entrants join or withdraw.

        A finished event goes on with another part: all entrants have to check in again, and the secret is replaced. The
        ledger has those of earlier parts.

        Args:
            change: its entry in the ledger.
            before: the digest of what determined the event before.
            settings: the event file with the change, as text.
            identity: the digest of what determines the event with it.
            secret: the secret of the part that the change begins, 32 bytes; ``None`` where it begins none.

        Raises:
            StoreError: the database belongs to an event with other settings, or the event is finished, or an entrant
                that joins takes part already. With a secret: the event is not finished.
        """
        with self._database.writing() as connection:
            _check_identity(_begun_event(connection), before)
            if secret is None:
                _check_running(connection)
            else:
                _begin_part(connection, secret)
            _insert_entrants(connection, change.joined, first=len(_entrants(connection)))
            connection.execute(update(tables.event).values(settings=settings, identity=identity))
            _enter(connection, change)

    def begun(self) -> EventRow | None:
        """Return the event; ``None`` where none was begun yet."""
        with self._database.reading() as connection:
            return _event(connection)

    def event(self) -> EventRow:
        """Return the event.

        Raises:
            StoreError: it was not begun yet.
        """
        with self._database.reading() as connection:
            return _begun_event(connection)

    def state(self) -> EventState:
        """Return everything known of the event, without the records, as a snapshot of one moment."""
        with self._database.reading() as connection:
            lines = list(connection.scalars(select(tables.ledger.c.line).order_by(tables.ledger.c.position)))
            event, entrants = _begun_event(connection), _entrants(connection)
            return EventState(event, entrants, _matches(connection), _results(connection), lines)

    def head(self) -> Head:
        """Return the length and head of the ledger."""
        with self._database.reading() as connection:
            return _head(connection)

    def finish_event(self) -> None:
        """Mark the event as finished: its secret may be revealed now, and nothing more is issued or committed."""
        with self._database.writing() as connection:
            event = _begun_event(connection)
            if not event.finished:
                connection.execute(update(tables.event).values(finished=True))
                _enter(connection, EndEntry(secret=event.secret.hex()))

    def entrants(self) -> list[Entrant]:
        """Return the entrants in the order in which the event names them."""
        with self._database.reading() as connection:
            return _entrants(connection)

    def check_in(self, entrants: Iterable[Entrant], *, fewer: FewerProcessesEntry | None = None) -> None:
        """Store the check-ins of some entrants. A check-in is final.

        Args:
            entrants: the entrants, with their nonces.
            fewer: the new entrants that came with fewer processes than the event file says; ``None`` for none.

        Raises:
            StoreError: there is no such entrant, or it has checked in with something else before.
        """
        with self._database.writing() as connection:
            known = {entrant.name: entrant for entrant in _entrants(connection)}
            new = []
            for entrant in entrants:
                if entrant.name not in known:
                    raise StoreError(f"There is no entrant {entrant.name!r} in this event.")
                if known[entrant.name] == Entrant(entrant.name):
                    new.append(entrant)
                elif known[entrant.name] != entrant:
                    raise StoreError(f"Entrant {entrant.name!r} has checked in already, and the deals depend on it.")
                this = tables.entrants.c.name == entrant.name
                connection.execute(update(tables.entrants).where(this).values(entrant._asdict()))
            if new:
                brought = (entrant.checked_in for entrant in new)
                entry = CheckInEntry(entrants=tuple(one for one in brought if one is not None))
                _enter(connection, entry, *([fewer] if fewer else ()))

    def enter_beacon(self, beacon: BeaconEntry) -> None:
        """Enter the value of the beacon into the ledger. The caller makes sure that it is due."""
        with self._database.writing() as connection:
            _check_running(connection)
            _enter(connection, beacon)

    def restore_event(self, restoration: RestorationEntry) -> None:
        """Enter the restoration from a backup into the ledger, unless the event is finished: no more is dealt then."""
        with self._database.writing() as connection:
            if not _begun_event(connection).finished:
                _enter(connection, restoration)

    def close_event(self, closing: ClosingEntry) -> None:
        """Enter the closing into the ledger: no more matches come due. The caller makes sure that the time is over."""
        with self._database.writing() as connection:
            _check_running(connection)
            _enter(connection, closing)

    def issue(self, matches: Sequence[IssuedMatch]) -> None:
        """Issue matches of the plan, before they are played. Those that were issued before stay as they are.

        Raises:
            StoreError: a match was issued before as another one, or the event is finished.
        """
        with self._database.writing() as connection:
            _check_running(connection)
            rows = _of_matches(connection, list(tables.matches.c), [match.match_id for match in matches])
            known = {row["match_id"]: match_of(row) for row in rows}
            new = []
            for match in matches:
                if match.match_id not in known:
                    new.append(match_values(match))
                before = known.setdefault(match.match_id, match)
                # The attempt that the store has is the later one.
                if match._replace(attempt=before.attempt) != before:
                    raise StoreError(f"Match {match.match_id} was issued before as another one.")
            if new:
                connection.execute(insert(tables.matches), new)

    def begin_anew(self, match_id: str, *, reason: str) -> IssuedMatch:
        """Count one more attempt at a match that had to be declared void, for this reason, and return the match.

        Raises:
            StoreError: it was never issued, or it has a result, or the event is finished.
        """
        this = tables.matches.c.match_id == match_id
        with self._database.writing() as connection:
            _check_running(connection)
            if _of_matches(connection, [tables.results.c.match_id], [match_id]):
                raise StoreError(f"Match {match_id} has a result and cannot start again.")
            connection.execute(update(tables.matches).where(this).values(attempt=tables.matches.c.attempt + 1))
            rows = _all(connection, select(tables.matches).where(this))
            if not rows:
                raise StoreError(f"Match {match_id} was never issued.")
            match = match_of(rows[0])
            _enter(connection, VoidEntry(match_id=match_id, attempt=match.attempt - 1, reason=reason))
        return match

    def matches(self) -> list[IssuedMatch]:
        """Return all matches that were issued, in the order of the plan."""
        with self._database.reading() as connection:
            return _matches(connection)

    def commit_results(self, matches: Sequence[PlayedMatch]) -> Head:
        """Commit results together with their records: all of them, or none. Return the ledger's head with them in it.

        A result that was committed before, with the same record, is passed over: a doubtful commit can be made again.

        Raises:
            StoreError: a match was never issued, or has another result already, or the event is finished.
        """
        with self._database.writing() as connection:
            _check_running(connection)
            _check_issued(connection, matches)
            new = _without_known(connection, matches)
            if new:
                connection.execute(insert(tables.results), [result_values(played) for played in new])
            return _enter(connection, *(entry for played in new for entry in played.entries))

    def record(self, match_id: str) -> bytes:
        """Return the record of a match as a binary file.

        Raises:
            StoreError: the match has no result.
        """
        with self._database.reading() as connection:
            rows = _of_matches(connection, [tables.results.c.match_id, tables.results.c.record], [match_id])
        if not rows:
            raise StoreError(f"Match {match_id} has no result.")
        record: bytes = rows[0]["record"]
        return record


def _all(connection: Connection, chosen: Executable) -> Sequence[RowMapping]:
    return connection.execute(chosen).mappings().all()


def _of_matches(
    connection: Connection, columns: Sequence[Column[Any]], match_ids: Sequence[str]
) -> Sequence[RowMapping]:
    """Return some columns, beginning with the match, of the rows of some matches."""
    rows: list[RowMapping] = []
    for start in range(0, len(match_ids), _VALUES_A_STATEMENT):
        some = match_ids[start : start + _VALUES_A_STATEMENT]
        rows += _all(connection, select(*columns).where(columns[0].in_(some)))
    return rows


def _event(connection: Connection) -> EventRow | None:
    rows = _all(connection, select(tables.event))
    return event_of(rows[0]) if rows else None


def _check_identity(event: EventRow, identity: str) -> None:
    if event.identity != identity:
        raise StoreError(
            f"The database belongs to another event, or to {event.name!r} with other settings: use another folder."
        )


def _begun_event(connection: Connection) -> EventRow:
    event = _event(connection)
    if event is None:
        raise StoreError("The event in this database has not begun yet.")
    return event


def _check_running(connection: Connection) -> None:
    if _begun_event(connection).finished:
        raise StoreError("The event is finished: nothing can be added to it.")


def _begin_part(connection: Connection, secret: bytes) -> None:
    if not _begun_event(connection).finished:
        raise StoreError("The event is not finished: its secret stays until it is revealed.")
    connection.execute(update(tables.event).values(secret=secret, finished=False))
    connection.execute(update(tables.entrants).values(nonce=None, version="", build=""))


def _insert_event(connection: Connection, event: EventRow, entrants: Sequence[str]) -> None:
    connection.execute(insert(tables.event), event_values(event))
    _insert_entrants(connection, entrants, first=0)


def _insert_entrants(connection: Connection, entrants: Sequence[str], *, first: int) -> None:
    if entrants:
        rows = [Entrant(name)._asdict() | {"position": position} for position, name in enumerate(entrants, start=first)]
        connection.execute(insert(tables.entrants), rows)


def _entrants(connection: Connection) -> list[Entrant]:
    chosen = select(tables.entrants).order_by(tables.entrants.c.position)
    return [entrant_of(row) for row in _all(connection, chosen)]


def _matches(connection: Connection) -> list[IssuedMatch]:
    return [match_of(row) for row in _all(connection, select(tables.matches).order_by(tables.matches.c.row))]


def _results(connection: Connection) -> list[MatchResult]:
    result = [tables.results.c[name] for name in Result._fields]
    chosen = select(tables.matches, *result).select_from(tables.matches.join(tables.results))
    return [match_result_of(row) for row in _all(connection, chosen.order_by(tables.matches.c.row))]


def _head(connection: Connection) -> Head:
    last = select(tables.ledger).order_by(tables.ledger.c.position.desc()).limit(1)
    for row in _all(connection, last):
        return head_after(row["line"], length=row["position"] + 1)
    return NO_LINES


def _enter(connection: Connection, *entries: Entry) -> Head:
    """Add entries to the ledger, and return its head with them."""
    head = _head(connection)
    lines = chained(entries, head)
    if not lines:
        return head
    rows = [{"position": head.length + number, "line": line} for number, line in enumerate(lines)]
    connection.execute(insert(tables.ledger), rows)
    return head_after(lines[-1], length=head.length + len(lines))


def _check_issued(connection: Connection, matches: Sequence[PlayedMatch]) -> None:
    rows = _of_matches(connection, [tables.matches.c.match_id], [match.match_id for match in matches])
    issued = {row["match_id"] for row in rows}
    for match in matches:
        if match.match_id not in issued:
            raise StoreError(f"Match {match.match_id} was never issued.")


def _without_known(connection: Connection, matches: Sequence[PlayedMatch]) -> list[PlayedMatch]:
    """Return those matches that have no result yet, each once."""
    columns = [tables.results.c.match_id, tables.results.c.record_digest]
    rows = _of_matches(connection, columns, [match.match_id for match in matches])
    known = {row["match_id"]: row["record_digest"] for row in rows}
    new = []
    for match in matches:
        if match.match_id not in known:
            new.append(match)
        if known.setdefault(match.match_id, match.record_digest) != match.record_digest:
            raise StoreError(f"Match {match.match_id} has another result already.")
    return new
