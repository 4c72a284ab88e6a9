"""Verification of a published ladder as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ordago.record.ledgers.ladder import PlayerEntry, SeatingEntry
from ordago.record.ledgers.receipts import LadderReceipts, Receipt
from ordago_ladder.folder import LadderFolder, epoch_name
from ordago_ladder.pages.claims import Claim
from ordago_ladder.standing.proof.claims import EpochSummary, claims_of_epochs
from ordago_ladder.standing.proof.epoch_check import EpochCheck
from ordago_ladder.standing.proof.seasons import PlayedEpoch, SeasonsProof
from ordago_ladder.standing.publication.published import (
    PublishedEpoch,
    prefix_of,
    published_epochs,
    read_published_epoch,
)
from ordago_ladder.standing.seasons.careers import Bot
from ordago_ladder.standing.seasons.names import called
from ordago_ladder.verification.event import read_receipts
from ordago_ladder.verification.findings import DamagedError, Finding, NoEventError, Verification, contradictions
from ordago_ladder.verification.published import left_over


def verify_ladder(
    path: Path,
    *,
    epoch: int | None = None,
    receipts: Sequence[Path] = (),
    standings: Sequence[Path] = (),
    processes: int = 1,
) -> Verification:
    """Verify the epochs of a standing ladder.

    Each ledger is compared with the one before, back to the anchor. Each record of a revealed epoch is replayed by the
    rules, and compared with ledger, settings, and the deals that follow from the epoch's secret.

    Args:
        path: the published folder.
        epoch: the only epoch to verify, on its own; ``None`` for all epochs.
        receipts: files of receipts that bots saved, to compare with the ledgers.
        standings: saved standings of the ladder, such as the ``ladder.json`` of some day. Ignored with ``epoch``.
        processes: the most processes that share the records of an epoch.

    Raises:
        NoEventError: the folder has no epochs, or not this one.
        UnreadableError: the folder, a file of receipts or a saved standing cannot be read.
        ReceiptError: a file of receipts is malformed.
    """
    kept = {str(file): read_receipts(file) for file in receipts}
    folder = LadderFolder(path)
    numbers = published_epochs(folder)
    if epoch is not None and epoch not in numbers:
        raise NoEventError(f"{path} holds no epoch {epoch}: it has epochs {numbers[0]} to {numbers[-1]}")
    check = _LadderCheck(kept, SeasonsProof(folder, standings) if epoch is None else None, processes)
    if epoch is None:
        findings = [*_number_findings(folder, numbers), *check.findings(folder, numbers), *check.unknown_matches()]
    else:
        findings = list(check.findings(folder, (epoch,)))
    return Verification(
        check.records,
        revealed=check.records > 0,
        findings=tuple(findings),
        unfinished=any(not (summary.revealed and summary.records) for summary in check.summaries),
        receipts=check.receipts,
        receipts_ahead=check.receipts_ahead,
        contradictions=contradictions(findings, kept.keys()),
        claims=claims_of_epochs(check.summaries, other_claims=check.other_claims()),
    )


def _number_findings(folder: LadderFolder, numbers: tuple[int, ...]) -> Iterator[Finding]:
    yield from left_over(folder.epochs, {epoch_name(number) for number in numbers}, prefix="epochs/")
    for number in sorted(set(range(1, numbers[-1] + 1)).difference(numbers))[:1]:
        yield Finding(prefix_of(number), f"Epoch {number} is missing, but later ones exist.")


class _LadderCheck:
    """One verification of epochs in order. It stores only the parts of each that later ones are compared with."""

    def __init__(self, receipts: Mapping[str, Sequence[Receipt]], seasons: SeasonsProof | None, processes: int) -> None:
        self._files = receipts
        self._seasons = seasons
        self._processes = processes
        self._kept: dict[str, LadderReceipts] = {}
        """The receipts of this ladder, by file."""
        self._before: PublishedEpoch | None = None
        self._players: dict[int, PlayerEntry] = {}
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._open: int | None = None
        """The first epoch that is not revealed."""
        self.records = 0
        self.summaries: list[EpochSummary] = []

    def findings(self, folder: LadderFolder, numbers: tuple[int, ...]) -> Iterator[Finding]:
        """Yield what is wrong with epochs and other files. An epoch that cannot be read is the last."""
        if self._seasons is None:
            yield from self._epoch_findings(folder, numbers)
            return
        yield from self._seasons.files()
        yield from self._epoch_findings(folder, numbers)
        yield from self._seasons.findings()

    def other_claims(self) -> Sequence[Claim]:
        """Return the claims about the other published files."""
        return () if self._seasons is None else tuple(self._seasons.claims())

    def _epoch_findings(self, folder: LadderFolder, numbers: tuple[int, ...]) -> Iterator[Finding]:
        for number in numbers:
            try:
                epoch = read_published_epoch(folder, number)
            except DamagedError as error:
                yield error.finding
                return
            check = EpochCheck(epoch, processes=self._processes)
            yield from check.findings()
            yield from self._sequence_findings(epoch)
            yield from self._player_findings(epoch)
            yield from self._receipt_findings(epoch)
            if self._seasons is not None:
                yield from self._seasons.take(epoch, _played(epoch, check, self._seasons.anchors_of(epoch)))
            self.records += check.records
            self.summaries.append(EpochSummary.of(epoch, records=not check.without_records))
            self._before = epoch

    @property
    def receipts(self) -> int:
        """The number of receipts of this ladder."""
        return sum(kept.count for kept in self._kept.values())

    @property
    def receipts_ahead(self) -> int:
        """The number of those that are ahead of the newest ledger, after all were compared."""
        return sum(kept.ahead for kept in self._kept.values())

    def unknown_matches(self) -> Iterator[Finding]:
        """Yield the matches that have receipts but are in no epoch."""
        for file, kept in self._kept.items():
            assert self._before is not None
            yield from (Finding(file, sentence) for sentence in kept.left_over(self._before.ledger))

    def _receipt_findings(self, epoch: PublishedEpoch) -> Iterator[Finding]:
        if self._before is None:
            ladder = epoch.begin.ladder
            self._kept = {file: LadderReceipts(kept, ladder=ladder) for file, kept in self._files.items()}
        for file, kept in self._kept.items():
            for sentence in kept.contradictions(epoch.ledger):
                yield Finding(file, f"epoch {epoch.number}: {sentence}")

    def _sequence_findings(self, epoch: PublishedEpoch) -> Iterator[Finding]:
        """Yield contradictions between an epoch and the one before."""
        if epoch.ledger.end is None:
            self._open = self._open or epoch.number
        elif self._open is not None:
            yield epoch.in_ledger(f"The epoch is revealed, and with it epoch {self._open}, which is not over.")
        if self._before is None:
            return
        begin, before = epoch.begin, self._before
        if (begin.ladder, begin.anchor) != (before.begin.ladder, before.begin.anchor):
            yield epoch.in_ledger("entry 0: The epoch is of another ladder, or has another anchor than the one before.")
        if begin.began < before.begin.began:
            yield epoch.in_ledger("entry 0: The epoch began before the one before it.")
        if not _goes_on(epoch, before):
            yield epoch.in_ledger("entry 0: The previous ledger was different when this epoch began.")
        elif (late := _seated_late(epoch, before)) is not None:
            yield before.in_ledger(f"Match {late} was seated after the next epoch had begun.")

    def _player_findings(self, epoch: PublishedEpoch) -> Iterator[Finding]:
        """Yield contradictions between the players of an epoch and those of earlier ledgers."""
        for number, player in epoch.ledger.players.items():
            known = self._players.setdefault(number, player)
            if known != player.model_copy(update={"build": known.build}):
                yield epoch.in_ledger(f"Player {number} was {known.name!r} in an earlier epoch.")
            version = player.name, player.version, player.account
            if self._numbers.setdefault(version, number) != number:
                other = self._numbers[version]
                yield epoch.in_ledger(f"Version {player.version!r} of {player.name!r} was player {other} before.")


def _played(epoch: PublishedEpoch, check: EpochCheck, anchors: Mapping[str, float]) -> PlayedEpoch:
    players = epoch.ledger.players.items()
    return PlayedEpoch(
        number=epoch.number,
        season=called(epoch.begin.season),
        anchors=anchors,
        ended=[entry.ended for entry in epoch.ledger.results],
        revealed=epoch.ledger.end is not None,
        results=check.results,
        bots={number: Bot(one.name, one.version, one.account, one.house) for number, one in players},
    )


def _goes_on(epoch: PublishedEpoch, before: PublishedEpoch) -> bool:
    """Return True if the ledger before has had the head that an epoch names."""
    named = epoch.begin.previous
    if named is None or named.length > len(before.ledger.lines):
        return False
    return before.ledger.head_at(named.length).digest.hex() == named.head


def _seated_late(epoch: PublishedEpoch, before: PublishedEpoch) -> int | None:
    """Return the number of the first match that a ledger got after the next epoch had begun; ``None`` for none."""
    assert epoch.begin.previous is not None
    later = before.ledger.entries[epoch.begin.previous.length :]
    return next((entry.number for entry in later if isinstance(entry, SeatingEntry)), None)
