"""The store of a standing ladder, for the server that writes it. ``LadderQueries`` is for readers."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from sqlalchemy import Connection, case, func, insert, select, update

from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES
from ordago.record.epochs import LinkChain, secret_of
from ordago.record.head import Head
from ordago.record.ledgers.ladder import EpochEnd, ladder_match_id
from ordago.store.errors import StoreError
from ordago.store.ladder import schema as tables
from ordago.store.ladder.lanes import StoredLanes, count_in, end_match, enter_void
from ordago.store.ladder.lines import (
    begin_entry,
    begun_ladder,
    enter,
    head_of,
    ladder,
    player_entry,
    result_entry,
    seating_entry,
)
from ordago.store.ladder.pruning import Pruned, prune
from ordago.store.ladder.rows import EpochRow, FinishedMatch, LadderRow, PlayerRow, SeatingRow
from ordago.store.ladder.schema import AnyRow, packed

_NEW_EPOCH: Final = {
    "matches": 0,
    "results": 0,
    "voids": 0,
    "record_bytes": 0,
    "revealed": False,
    "verified": False,
    "pruned": False,
}


class LadderStore(StoredLanes):
    """The database of one standing ladder, for the server that writes it, or for one of several.

    All methods are synchronous and may be called from any thread, several at once. Each is one transaction: when it
    returns, what it wrote is on the disk; when it raises, nothing of it is. Any of them raises ``StoreError`` where the
    database itself fails.

    Times never go back: if the clock is behind the latest stored time, that time is written.
    """

    def create(self, row: LadderRow) -> LadderRow:
        """Begin a ladder, or go on with it: if it was begun before, its first secret stands and this one is dropped.

        Settings and season that changed hold from the next epoch on; those of earlier epochs are kept.

        Raises:
            StoreError: the database belongs to another ladder.
        """
        with self._database.writing() as connection:
            begun = ladder(connection)
            if begun is not None and begun.name != row.name:
                raise StoreError(f"The database belongs to the ladder {begun.name!r}: use another for {row.name!r}.")
            _keep_settings(connection, row)
            if begun is None:
                connection.execute(insert(tables.ladder), tables.ladder_values(row))
            else:
                connection.execute(update(tables.ladder).values(settings_digest=row.settings_digest, season=row.season))
            return begun_ladder(connection)

    def begin_epoch(self, number: int, *, began: int) -> Head:
        """Begin the next epoch. Matches begin in it from here on.

        Raises:
            StoreError: it is not the next one, or the chain of secrets has come to its end, or its season has.
        """
        with self._database.writing() as connection:
            row, before = begun_ladder(connection), _newest(connection)
            due = before.epoch + 1 if before else 1
            if number != due:
                raise StoreError(f"Epoch {number} cannot begin: the next one is {due}.")
            _check_season(connection, row.season, before)
            secret, began = secret_of(_link(row.chain, number)), _not_before(connection, began)
            first = before.first_serial + before.matches if before else 1
            terms = {"settings_digest": row.settings_digest, "season": row.season}
            begun = {"epoch": number, "began": began, "first_serial": first}
            connection.execute(insert(tables.epochs), _NEW_EPOCH | terms | begun)
            previous = head_of(connection, before.epoch) if before else None
            return enter(connection, number, begin_entry(row, number, began=began, secret=secret, previous=previous))

    def enter_player(
        self, *, name: str, version: str, build: str, account: str, house: bool, seen: int, sdk: str = ""
    ) -> PlayerRow:
        """Return the player that a version of a bot is, a new one where it never came before.

        Another account under the same name has players of its own, without predecessors.
        """
        table = tables.players
        mine = [table.c.name == name, table.c.account == account]
        with self._database.writing() as connection:
            known = connection.execute(select(table).where(*mine, table.c.version == version)).first()
            if known is not None:
                return tables.player_of(known)
            newest = select(table.c.player).order_by(table.c.player.desc()).limit(1)
            number = (connection.scalar(newest) or 0) + 1
            seen, predecessor = _not_before(connection, seen), connection.scalar(newest.where(*mine))
            player = PlayerRow(number, name, version, build, account, house, seen, predecessor, sdk)
            connection.execute(insert(table), player._asdict())
            return player

    def begin_match(
        self, *, game: str, players: Sequence[int], nonces: Sequence[bytes], begun: int, challenger: str = ""
    ) -> SeatingRow:
        """Enter the seating of a match, before it begins, and allot its number in the newest epoch.

        A challenger is the account that asked for the match, which is unrated; empty for a rated one.

        Raises:
            StoreError: no epoch has begun, or these cannot sit at one table: there is no such player, two have a name
                or, in a rated match, an account in common, or a nonce is missing, too short or too long.
        """
        with self._database.writing() as connection:
            row, epoch = begun_ladder(connection), _newest(connection)
            if epoch is None:
                raise StoreError("No epoch of the ladder has begun: no match can begin.")
            seated = _seated(connection, players)
            _check_table(seated, nonces, unrated=bool(challenger))
            match_id = ladder_match_id(epoch.matches, secret=secret_of(_link(row.chain, epoch.epoch)))
            begun = _not_before(connection, begun)
            seats = tuple(players), tuple(nonces)
            seating = SeatingRow(epoch.epoch, epoch.matches, match_id, game, *seats, begun, bool(challenger))
            new = _without_entered(connection, epoch.epoch, seated)
            serial = epoch.first_serial + epoch.matches
            _insert_seating(connection, seating, serial=serial, lane=self._lane)
            if challenger:
                connection.execute(insert(tables.challenges), {"serial": serial, "account": challenger})
            enter(connection, epoch.epoch, *map(player_entry, new), seating_entry(seating))
            return seating

    def commit_results(self, finished: Sequence[FinishedMatch]) -> Mapping[int, Head]:
        """Commit results together with their records: all of them, or none. Return the heads of their ledgers.

        A result that was committed before, with the same record, is passed over: a doubtful commit can be made again.

        Raises:
            StoreError: a match never began, or has another result already, or is void.
        """
        # It takes a while, and others may write meanwhile.
        records = [packed(match.record) for match in finished]
        with self._database.writing() as connection:
            heads = {}
            for match, record in zip(finished, records, strict=True):
                row = _match(connection, match.match_id)
                if _is_running(connection, row):
                    _insert_result(connection, row, match, record)
                else:
                    _check_same(connection, row, match)
                heads[row.epoch] = head_of(connection, row.epoch)
            return heads

    def void(self, match_id: str, *, reason: str) -> Head:
        """Declare a match void, for this reason: it is never played again. One that is void already stays as it is.

        Raises:
            StoreError: it never began, or it has a result.
        """
        with self._database.writing() as connection:
            row = _match(connection, match_id)
            if _is_running(connection, row):
                return enter_void(connection, row, reason)
            if _result_digest(connection, row) is not None:
                raise StoreError(f"Match {match_id} has a result and cannot be void.")
            return head_of(connection, row.epoch)

    def reveal(self, epoch: int) -> Head:
        """Reveal the secret of an epoch: its ledger ends, and its records are open. One that is revealed stays so.

        Raises:
            StoreError: the next epoch has not begun, or an earlier one is not revealed, or matches of this one run.
        """
        with self._database.writing() as connection:
            row, newest = begun_ladder(connection), _newest(connection)
            if newest is None or not 0 < epoch < newest.epoch:
                raise StoreError(f"Epoch {epoch} cannot be revealed: the one after it has not begun.")
            first = select(func.min(tables.epochs.c.epoch)).where(tables.epochs.c.revealed.is_(False))
            due: int = connection.scalar(first) or newest.epoch
            if epoch < due:
                return head_of(connection, epoch)
            # A link reveals those of all epochs before.
            if epoch > due:
                raise StoreError(f"Epoch {epoch} cannot be revealed: epoch {due} comes first.")
            here = select(tables.running).join(tables.matches).where(tables.matches.c.epoch == epoch)
            if connection.execute(here.limit(1)).first():
                raise StoreError(f"Epoch {epoch} cannot be revealed: some of its matches are still running.")
            connection.execute(update(tables.epochs).where(tables.epochs.c.epoch == epoch).values(revealed=True))
            return enter(connection, epoch, EpochEnd(link=_link(row.chain, epoch).hex()))

    def mark_verified(self, epoch: int) -> None:
        """Mark an epoch as verified: its records may be deleted from now on.

        Raises:
            StoreError: it is not revealed.
        """
        with self._database.writing() as connection:
            here = tables.epochs.c.epoch == epoch, tables.epochs.c.revealed
            if not connection.execute(update(tables.epochs).where(*here).values(verified=True)).rowcount:
                raise StoreError(f"Epoch {epoch} is not revealed, so it cannot be verified.")

    def prune_records(self, *, keep_days: float | None, keep_bytes: int | None) -> Pruned:
        """Delete records to make room: those of old epochs, and the oldest if all together are too large.

        Only those of verified epochs go. Results, digests and ledgers stay. It takes many short transactions, so that
        no match is held up.

        Args:
            keep_days: for so long after the end of their epoch they are kept, up to the latest time in the store;
                ``None`` for ever.
            keep_bytes: so much room all of them may take; ``None`` for whatever they take.
        """
        return prune(self._database, days=keep_days, most_bytes=keep_bytes)


def _keep_settings(connection: Connection, row: LadderRow) -> None:
    table = tables.settings
    known = connection.scalar(select(table.c.settings).where(table.c.digest == row.settings_digest))
    if known is None:
        connection.execute(insert(table), {"digest": row.settings_digest, "settings": row.settings})
    elif known != row.settings:
        raise StoreError("The database has other settings of the same digest.")


def _newest(connection: Connection) -> EpochRow | None:
    row = connection.execute(select(tables.epochs).order_by(tables.epochs.c.epoch.desc()).limit(1)).first()
    return None if row is None else tables.epoch_of(row)


def _check_season(connection: Connection, season: str, before: EpochRow | None) -> None:
    """Check that a season goes on, or was never there."""
    if before is not None and before.season != season:
        earlier = select(tables.epochs.c.epoch).where(tables.epochs.c.season == season).limit(1)
        if connection.scalar(earlier) is not None:
            raise StoreError(f"The season {season!r} has ended and cannot begin again.")


@lru_cache(maxsize=8)
def _link(chain: LinkChain, epoch: int) -> bytes:
    """Return the link of an epoch, which takes some thousand hashes to find.

    Raises:
        StoreError: the chain has no link for it.
    """
    try:
        return chain.link(epoch)
    except ValueError as error:
        raise StoreError(f"No further epoch can begin: {error}.") from None


def _not_before(connection: Connection, at: int) -> int:
    """Return a time, or, where the clock went back, the latest that was written; it is the latest from here on."""
    latest = tables.ladder.c.latest
    renewed = update(tables.ladder).values(latest=case((latest < at, at), else_=latest)).returning(latest)
    time: int = connection.execute(renewed).scalar_one()
    return time


def _seated(connection: Connection, numbers: Sequence[int]) -> list[PlayerRow]:
    chosen = select(tables.players).where(tables.players.c.player.in_(numbers))
    found = {row.player: tables.player_of(row) for row in connection.execute(chosen)}
    for number in numbers:
        if number not in found:
            raise StoreError(f"There is no player {number} on this ladder.")
    return [found[number] for number in numbers]


def _check_table(seated: Sequence[PlayerRow], nonces: Sequence[bytes], *, unrated: bool) -> None:
    """Check that players may sit at one table."""
    if not seated:
        raise StoreError("A match needs players: there are none.")
    names, accounts = [player.name for player in seated], [player.account for player in seated if player.account]
    if len(set(names)) < len(names) or (len(set(accounts)) < len(accounts) and not unrated):
        raise StoreError(f"These bots cannot sit at one table, since two share a name or an account: {names}.")
    if len(nonces) != len(seated) or not all(MIN_NONCE_BYTES <= len(nonce) <= MAX_NONCE_BYTES for nonce in nonces):
        raise StoreError(f"Each seat needs a nonce of {MIN_NONCE_BYTES} to {MAX_NONCE_BYTES} bytes.")


def _without_entered(connection: Connection, epoch: int, seated: Sequence[PlayerRow]) -> list[PlayerRow]:
    """Return the players that the ledger of an epoch has not introduced, and note that it will."""
    entered = tables.entered
    numbers = [player.player for player in seated]
    chosen = select(entered.c.player).where(entered.c.epoch == epoch, entered.c.player.in_(numbers))
    known = set(connection.scalars(chosen))
    new = [player for player in seated if player.player not in known]
    if new:
        connection.execute(insert(entered), [{"epoch": epoch, "player": player.player} for player in new])
    return new


def _insert_seating(connection: Connection, seating: SeatingRow, *, serial: int, lane: int | None) -> None:
    connection.execute(insert(tables.matches), tables.seating_values(seating, serial=serial))
    connection.execute(insert(tables.running), {"serial": serial, "lane": lane})
    seats = [{"player": player, "game": seating.game, "serial": serial} for player in seating.players]
    connection.execute(insert(tables.seats), seats)
    count_in(connection, seating.epoch, matches=1)


def _match(connection: Connection, match_id: str) -> AnyRow:
    row = connection.execute(select(tables.matches).where(tables.matches.c.match_id == match_id)).first()
    if row is None:
        raise StoreError(f"Match {match_id} never began.")
    return row


def _is_running(connection: Connection, match: AnyRow) -> bool:
    chosen = select(tables.running).where(tables.running.c.serial == match.serial)
    return connection.execute(chosen).first() is not None


def _result_digest(connection: Connection, match: AnyRow) -> bytes | None:
    chosen = select(tables.results.c.record_digest).where(tables.results.c.serial == match.serial)
    found: bytes | None = connection.scalar(chosen)
    return found


def _check_same(connection: Connection, row: AnyRow, match: FinishedMatch) -> None:
    digest = _result_digest(connection, row)
    if digest is None:
        raise StoreError(f"Match {match.match_id} is void and cannot have a result.")
    if digest != match.record_digest:
        raise StoreError(f"Match {match.match_id} has another result already.")


def _insert_result(connection: Connection, row: AnyRow, match: FinishedMatch, record: bytes) -> None:
    end_match(connection, row)
    ended = _not_before(connection, match.ended)
    last = select(tables.results.c.position).order_by(tables.results.c.position.desc()).limit(1)
    result = {
        "position": (connection.scalar(last) or 0) + 1,
        "serial": row.serial,
        "ended": ended,
        "record_digest": match.record_digest,
        "outcome": tables.outcome_text(match.result),
    }
    connection.execute(insert(tables.results), result)
    connection.execute(insert(tables.records), {"serial": row.serial, "record": record})
    if match.refusals:
        connection.execute(insert(tables.refusals), {"serial": row.serial, "refusals": packed(match.refusals)})
    count_in(connection, row.epoch, results=1, record_bytes=len(record))
    enter(connection, row.epoch, result_entry(match, ended=ended))
