"""What receipts say of the ledgers that a standing ladder published, of one epoch after the other.

A bot that stays connected plays in one epoch after the other, and its receipts name the one in which it came in. In
which epoch a match was, say the ledgers.
"""

from collections.abc import Iterable, Iterator

from ordago.record.ladder_ledger import EpochBegin, EpochLedger, SeatingEntry
from ordago.record.receipts import EndReceipt, EventReceipt, Receipt, StartReceipt, ToldMatches, head_contradictions


class LadderReceipts:
    """Receipts of one bot or of several, which are held against the ledgers of a ladder in their order."""

    def __init__(self, receipts: Iterable[Receipt], *, ladder: str) -> None:
        """Take the receipts of this ladder among some."""
        kept = [receipt for receipt in receipts if receipt.event.rpartition("/")[0] == ladder]
        self.count = len(kept)
        """How many they are."""
        self._ladder = ladder
        self._told = [receipt for receipt in kept if isinstance(receipt, EventReceipt)]
        self._nonces = {receipt.nonce for receipt in self._told}
        self._open: dict[str, list[StartReceipt | EndReceipt]] = {}
        """What is not held against a ledger yet, by its match."""
        for receipt in kept:
            if not isinstance(receipt, EventReceipt):
                self._open.setdefault(receipt.match_id, []).append(receipt)

    def contradictions(self, ledger: EpochLedger) -> Iterator[str]:
        """Yield a sentence for each way in which the ledger of an epoch contradicts the receipts."""
        if ledger.begin is not None:
            yield from self._of_epoch(ledger.begin)
        own = [receipt for match_id in ledger.seatings for receipt in self._open.pop(match_id, ())]
        yield from head_contradictions(ledger, own)
        places = {entry.match_id: at for at, entry in enumerate(ledger.entries) if isinstance(entry, SeatingEntry)}
        matches = ToldMatches(ledger.entries, is_over=False)
        for receipt in own:
            if places[receipt.match_id] >= receipt.length:
                yield f"Match {receipt.match_id} was told of, by a receipt, when the ledger did not have it yet."
            if isinstance(receipt, StartReceipt):
                yield from matches.contradictions_of_start(receipt)
                yield from self._of_nonce(receipt, ledger)
            else:
                yield from matches.contradictions_of_end(receipt)

    def left_over(self, newest: EpochLedger) -> Iterator[str]:
        """Yield the matches that no ledger has, when all were held against the receipts.

        Args:
            newest: the ledger of the newest epoch. What goes on behind its end it may tell when more is published.
        """
        for match_id, receipts in self._open.items():
            if newest.end is not None or any(receipt.length <= len(newest.lines) for receipt in receipts):
                yield f"Match {match_id} was played, by a receipt, and no ledger has it."

    def _of_epoch(self, begin: EpochBegin) -> Iterator[str]:
        """Compare what was said of an epoch. Most of it is the same each time that a bot comes in."""
        name = f"{self._ladder}/{begin.epoch}"
        told = {(receipt.secret_digest, receipt.settings_digest) for receipt in self._told if receipt.event == name}
        if told - {(begin.secret_digest, begin.settings_digest)}:
            yield "The epoch began with another secret, or with other settings, by a receipt."

    def _of_nonce(self, receipt: StartReceipt, ledger: EpochLedger) -> Iterator[str]:
        players = {number for number, player in ledger.players.items() if player.name == receipt.name}
        for seat in ledger.seatings[receipt.match_id].seats:
            if seat.player in players and self._nonces and seat.nonce not in self._nonces:
                yield f"The nonce of {receipt.name!r} in match {receipt.match_id} is none of those that were sent."
