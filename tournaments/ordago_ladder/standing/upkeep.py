"""How old records of a standing ladder make room: an epoch is verified as it was published before they may go."""

from pathlib import Path
from typing import NamedTuple

from ordago.record.ledgers.chain import ledger_text
from ordago.store.ladder.pruning import Pruned
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_ladder.publication.reading import UnreadableError, read_file
from ordago_ladder.standing.folder import LadderFolder
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.published import MOST_LEDGER_BYTES
from ordago_ladder.verification.findings import NoEventError, Verdict


class Doubt(NamedTuple):
    """An epoch that was not verified, so that none of its records goes."""

    epoch: int
    sentence: str
    """Why, in a sentence."""


class Upkeep(NamedTuple):
    """What was done to make room."""

    verified: tuple[int, ...]
    """The epochs that were verified now."""
    doubts: tuple[Doubt, ...]
    pruned: Pruned


def make_room(
    store: LadderStore, queries: LadderQueries, archive: Path, *, keep_days: float | None, keep_bytes: int | None
) -> Upkeep:
    """Verify the epochs that are revealed and were not verified yet, and give up the records that are over the bounds.

    Args:
        store: the ladder, at which its server may be at work.
        queries: reads the same.
        archive: the folder in which the ladder is published.
        keep_days: for how long records are kept; see ``LadderStore.prune_records``.
        keep_bytes: how much room they may take.

    Raises:
        StoreError: the store cannot be used.
    """
    verified, doubts = list[int](), list[Doubt]()
    for epoch in queries.epochs():
        if epoch.revealed and not epoch.verified:
            doubt = _doubt(queries, archive, epoch.epoch)
            if doubt is None:
                store.mark_verified(epoch.epoch)
                verified.append(epoch.epoch)
            else:
                doubts.append(Doubt(epoch.epoch, doubt))
    pruned = store.prune_records(keep_days=keep_days, keep_bytes=keep_bytes)
    return Upkeep(tuple(verified), tuple(doubts), pruned)


def _doubt(queries: LadderQueries, archive: Path, epoch: int) -> str | None:
    """Say what speaks against an epoch; ``None`` where it is published to its end as the store has it, and proved."""
    ledger = LadderFolder(archive).epoch(epoch).ledger
    if not ledger.exists():
        return "it is not published yet"
    try:
        published = read_file(ledger, most=MOST_LEDGER_BYTES)
        if published != ledger_text(queries.ledger(epoch)).encode():
            return "its published ledger is not that of the store"
        verification = verify_ladder(archive, epoch=epoch)
    except UnreadableError as error:
        return f"it cannot be read: {error}"
    except NoEventError as error:
        return str(error)
    if verification.findings:
        return f"{verification.findings[0].file}: {verification.findings[0].sentence}"
    return None if verification.verdict is Verdict.CLEAN else "its records are not all published"
