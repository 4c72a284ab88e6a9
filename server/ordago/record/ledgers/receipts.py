"""Receipts of a server's statements during an event, checked against the published ledger.

A bot that keeps receipts notes the commitment of the event, and the head of the ledger when each of its matches began
and ended. They contradict an organiser who publishes a different ledger.

Receipts bear no signature, and anybody can invent one. So a contradiction shows that the ledger or the receipt is
forged, but not which of the two.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ordago.record.ledgers.chain import AnyEntry, Chain, Digest, Octets, Part
from ordago.record.ledgers.event import BeginEntry, EventPart, Ledger, PartEntry, ResultEntry, VoidEntry
from ordago.record.ledgers.ladder import EpochBegin, EpochLedger, LadderResultEntry, LadderVoidEntry, SeatingEntry


class _Receipt(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, strict=True, hide_input_in_errors=True)

    event: str
    """The name of the event."""
    commitment: Digest
    """The commitment of the event, as the server stated it."""


class BeaconReceipt(BaseModel):
    """A beacon, as the server stated it."""

    model_config = ConfigDict(frozen=True, strict=True)
    source: str
    round: int
    value: Octets
    """Empty: it was not known yet."""


class EventReceipt(_Receipt):
    """The event, as the server stated it before it was sent a nonce."""

    kind: Literal["event"]
    secret_digest: Digest
    settings_digest: Digest
    entrants: tuple[str, ...]
    beacon: BeaconReceipt | None
    nonce: Octets
    """The nonce that the server was sent then."""


class _HeadReceipt(_Receipt):
    match_id: str
    length: int = Field(ge=1)
    """The number of lines of the ledger."""
    head: Digest
    """The SHA-256 of the last."""


class StartReceipt(_HeadReceipt):
    """The receipt for the start of a match."""

    kind: Literal["match_start"]
    name: str
    """The name of the bot at the table: that of its entrant."""


class EndReceipt(_HeadReceipt):
    """The receipt for the end of a match, void or not."""

    kind: Literal["match_end"]
    record_digest: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")]
    """The digest of its record; empty: it was void."""


Receipt: TypeAlias = EventReceipt | StartReceipt | EndReceipt
"""A receipt of any kind."""

_RECEIPTS: Final[TypeAdapter[Receipt]] = TypeAdapter(Annotated[Receipt, Field(discriminator="kind")])


class ReceiptError(ValueError):
    """A file does not hold receipts."""


def parse_receipts(text: str) -> list[Receipt]:
    """Return the receipts of a file.

    Raises:
        ReceiptError: a line is no receipt; the message names it.
    """
    receipts = []
    # Not ``splitlines``: texts may contain other characters that count as line ends there.
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
        try:
            receipts.append(_RECEIPTS.validate_json(line))
        except ValidationError:
            raise ReceiptError(f"Line {number} is no receipt.") from None
    return receipts


def is_ahead(receipt: Receipt, ledger: Ledger | EpochLedger) -> bool:
    """Return True if a receipt is of lines that a ledger, which still grows, does not have yet.

    A ledger is published a while after its lines are written, so bots know later heads. Once the ledger has ended, a
    receipt of more lines contradicts it.
    """
    return ledger.end is None and isinstance(receipt, _HeadReceipt) and receipt.length > len(ledger.lines)


def verify_receipts(ledger: Ledger, receipts: Iterable[Receipt]) -> Iterator[str]:
    """Yield a sentence for each way in which a published ledger contradicts the receipts.

    Those that are ahead of the ledger contradict nothing yet.

    Args:
        ledger: the ledger.
        receipts: receipts of one entrant or of several, as far as they go. Those of other events mean nothing.
    """
    if ledger.begin is None:
        yield "The ledger does not begin with the beginning of an event."
        return
    kept = [receipt for receipt in receipts if receipt.event == ledger.begin.event and not is_ahead(receipt, ledger)]
    if not kept:
        yield f"No receipt is of the event {ledger.begin.event!r}."
    yield from _other_runs(ledger, ledger.begin, kept)
    for part in ledger.parts:
        yield from _part_contradictions(ledger, part, [one for one in kept if one.commitment == part.begin.commitment])
    kept = [receipt for receipt in kept if receipt.commitment in _commitments(ledger)]
    begun = [receipt for receipt in kept if isinstance(receipt, StartReceipt)]
    over = [receipt for receipt in kept if isinstance(receipt, EndReceipt)]
    yield from head_contradictions(ledger, [*begun, *over])
    matches = MatchReceipts(ledger.entries, is_over=ledger.end is not None, drops=bool(ledger.gone))
    for start in begun:
        yield from matches.contradictions_of_start(start)
    for end in over:
        yield from matches.contradictions_of_end(end)


def _commitments(ledger: Ledger) -> set[str]:
    return {part.begin.commitment for part in ledger.parts}


def _other_runs(ledger: Ledger, begin: BeginEntry, kept: Sequence[Receipt]) -> Iterator[str]:
    for other in sorted({receipt.commitment for receipt in kept} - _commitments(ledger) - _mended(begin, kept)):
        yield f"By the receipts the event was run under another commitment, too: {other}."


def _mended(begin: BeginEntry, kept: Sequence[Receipt]) -> set[str]:
    """Return earlier commitments of an amended event: with the same secret and other settings, and without matches.

    An event file may be amended until the first check-in. Bots may have connected by then.
    """
    of_event = [one for one in kept if isinstance(one, EventReceipt)]
    played = {one.commitment for one in kept if not isinstance(one, EventReceipt)}
    return {one.commitment for one in of_event if one.secret_digest == begin.secret_digest} - played


def _part_contradictions(ledger: Ledger, part: EventPart, kept: Sequence[Receipt]) -> Iterator[str]:
    """Compare the receipts that name the commitment of a part with its lines."""
    of_event = [receipt for receipt in kept if isinstance(receipt, EventReceipt)]
    yield from _event_contradictions(ledger, part.begin, of_event)
    yield from _nonce_contradictions(part, of_event, [one for one in kept if isinstance(one, StartReceipt)])
    after = part.first + len(part.entries)
    for receipt in kept:
        if isinstance(receipt, _HeadReceipt) and not part.first < min(receipt.length, len(ledger.lines)) <= after:
            yield f"Match {receipt.match_id} was told of, by a receipt, with the commitment of another part."


def _event_contradictions(
    ledger: Ledger, begin: BeginEntry | PartEntry, receipts: Iterable[EventReceipt]
) -> Iterator[str]:
    """Compare the server's statements about the event. Most repeat each time that a bot connects."""
    for receipt in {(one.secret_digest, one.settings_digest, one.entrants): one for one in receipts}.values():
        digests = receipt.secret_digest, receipt.settings_digest
        fields = [ledger.entrants[:size] for size in ledger.fields]
        # Entrants may have come in behind the last published line.
        grew = ledger.end is None and receipt.entrants[: len(ledger.entrants)] == ledger.entrants
        if digests != (begin.secret_digest, begin.settings_digest) or not (grew or receipt.entrants in fields):
            yield "The secret, the settings or the entrants are not those that a receipt knows."
    for beacon in dict.fromkeys(one.beacon for one in receipts if one.beacon is not None and one.beacon.value):
        entered = ledger.beacon and BeaconReceipt(**ledger.beacon.model_dump(exclude={"kind"}))
        if beacon != entered and (entered or ledger.end is not None):
            yield f"The value of the beacon was {beacon.value} by a receipt, and is not in the ledger."


def _nonce_contradictions(
    part: EventPart, receipts: Sequence[EventReceipt], begun: Iterable[StartReceipt]
) -> Iterator[str]:
    sent = {receipt.nonce for receipt in receipts}
    own = {receipt.name for receipt in begun}
    for entrant in part.checked_in:
        # The bots of an entrant that missed check-in send nonces, too, which come too late for the deals.
        if sent and entrant.name in own and entrant.nonce and entrant.nonce not in sent:
            yield f"The nonce of {entrant.name!r} is none of those that the receipts say were sent."


def head_contradictions(ledger: Chain[AnyEntry], kept: Iterable[StartReceipt | EndReceipt]) -> Iterator[str]:
    """Compare heads with those of a ledger.

    If one differs, all later ones do; the first shows where the difference began.
    """
    wrong = []
    for receipt in sorted(kept, key=lambda receipt: receipt.length):
        if receipt.length > len(ledger.lines):
            yield (
                f"The ledger ends after {len(ledger.lines)} lines; there were {receipt.length} by a receipt of match "
                f"{receipt.match_id}."
            )
            break
        if ledger.head_at(receipt.length).digest.hex() != receipt.head:
            wrong.append(receipt)
    if wrong:
        first = wrong[0]
        yield (
            f"Line {first.length} of the ledger, or one before it, is not what it was by a receipt of match "
            f"{first.match_id}: the head was {first.head}. Receipts that differ: {len(wrong)}."
        )


class MatchReceipts:
    """The matches of a ledger, to be checked against receipts."""

    def __init__(self, entries: Iterable[Part], *, is_over: bool, drops: bool = False) -> None:
        """Take the entries of a ledger.

        Args:
            entries: the entries.
            is_over: True if no more follow.
            drops: True if matches were dropped that may have begun, since an entrant was suspended or withdrew. The
                schedule proves which.
        """
        self._is_over, self._drops = is_over, drops
        self._results: dict[str, tuple[int, str]] = {}
        self._voids: dict[str, int] = {}
        for index, entry in enumerate(entries):
            if isinstance(entry, ResultEntry | LadderResultEntry):
                self._results.setdefault(entry.match_id, (index, entry.record_digest))
            elif isinstance(entry, VoidEntry | LadderVoidEntry):
                self._voids.setdefault(entry.match_id, index)

    def contradictions_of_start(self, receipt: StartReceipt) -> Iterator[str]:
        """Yield the contradictions of the ledger to the start of a match, or of an attempt at it."""
        result = self._results.get(receipt.match_id)
        if result is None and self._is_over and not self._drops:
            yield f"Match {receipt.match_id} was begun, by a receipt, and the ledger has no result of it."
        elif result is not None and result[0] < receipt.length:
            yield f"Match {receipt.match_id} was begun once more, by a receipt, when it had its result."

    def contradictions_of_end(self, receipt: EndReceipt) -> Iterator[str]:
        """Yield the contradictions of the ledger to the end of a match, void or not."""
        if not receipt.record_digest:
            dropped = self._drops and receipt.match_id not in self._results
            if self._voids.get(receipt.match_id, receipt.length) >= receipt.length and not dropped:
                yield f"Match {receipt.match_id} was void, by a receipt, and the ledger does not say so."
            return
        index, digest = self._results.get(receipt.match_id, (receipt.length, ""))
        if digest and digest != receipt.record_digest:
            yield f"Match {receipt.match_id} has another record than it had by a receipt, {receipt.record_digest}."
        elif index >= receipt.length:
            yield f"Match {receipt.match_id} had its result by a receipt, and the ledger did not have it then."


class LadderReceipts:
    """Receipts of one bot or of several, checked against the ledgers of a ladder in their order."""

    def __init__(self, receipts: Iterable[Receipt], *, ladder: str) -> None:
        """Take the receipts of this ladder among some."""
        kept = [receipt for receipt in receipts if receipt.event.rpartition("/")[0] == ladder]
        self.count = len(kept)
        """The number of receipts."""
        self.ahead = 0
        """The number of those that are ahead of the newest ledger, which still grows."""
        self._ladder = ladder
        self._of_events = [receipt for receipt in kept if isinstance(receipt, EventReceipt)]
        self._nonces = {receipt.nonce for receipt in self._of_events}
        self._open: dict[str, list[StartReceipt | EndReceipt]] = {}
        """The receipts not yet checked against a ledger, by match."""
        for receipt in kept:
            if not isinstance(receipt, EventReceipt):
                self._open.setdefault(receipt.match_id, []).append(receipt)

    def contradictions(self, ledger: EpochLedger) -> Iterator[str]:
        """Yield a sentence for each way in which the ledger of an epoch contradicts the receipts."""
        if ledger.begin is not None:
            yield from self._of_epoch(ledger.begin)
        own = [receipt for match_id in ledger.seatings for receipt in self._open.pop(match_id, ())]
        self.ahead += sum(is_ahead(receipt, ledger) for receipt in own)
        own = [receipt for receipt in own if not is_ahead(receipt, ledger)]
        yield from head_contradictions(ledger, own)
        places = {entry.match_id: at for at, entry in enumerate(ledger.entries) if isinstance(entry, SeatingEntry)}
        matches = MatchReceipts(ledger.entries, is_over=False)
        for receipt in own:
            if places[receipt.match_id] >= receipt.length:
                yield f"Match {receipt.match_id} was told of, by a receipt, when the ledger did not have it yet."
            if isinstance(receipt, StartReceipt):
                yield from matches.contradictions_of_start(receipt)
                yield from self._of_nonce(receipt, ledger)
            else:
                yield from matches.contradictions_of_end(receipt)

    def left_over(self, newest: EpochLedger) -> Iterator[str]:
        """Yield the matches of receipts that no ledger has, after all ledgers were checked."""
        for match_id, receipts in self._open.items():
            ahead = sum(is_ahead(receipt, newest) for receipt in receipts)
            self.ahead += ahead
            if ahead < len(receipts):
                yield f"Match {match_id} was played, by a receipt, and no ledger has it."

    def _of_epoch(self, begin: EpochBegin) -> Iterator[str]:
        """Compare the server's statements about an epoch. Most repeat each time that a bot connects."""
        name = f"{self._ladder}/{begin.epoch}"
        committed = {
            (receipt.secret_digest, receipt.settings_digest) for receipt in self._of_events if receipt.event == name
        }
        if committed - {(begin.secret_digest, begin.settings_digest)}:
            yield "The epoch began with another secret, or with other settings, by a receipt."

    def _of_nonce(self, receipt: StartReceipt, ledger: EpochLedger) -> Iterator[str]:
        players = {number for number, player in ledger.players.items() if player.name == receipt.name}
        for seat in ledger.seatings[receipt.match_id].seats:
            if seat.player in players and self._nonces and seat.nonce not in self._nonces:
                yield f"The nonce of {receipt.name!r} in match {receipt.match_id} is none of those that were sent."
