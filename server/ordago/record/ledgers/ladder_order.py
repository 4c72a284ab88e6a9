"""Check that the entries of an epoch's ledger are consistent, whatever was played."""

from collections.abc import Callable, Iterator
from typing import Final

from ordago.chance import commitment
from ordago.record.epochs import leads_back, secret_of
from ordago.record.ledgers.chain import EntryOrder
from ordago.record.ledgers.ladder import (
    EpochBegin,
    EpochEnd,
    EpochLedger,
    LadderEntry,
    LadderResultEntry,
    LadderVoidEntry,
    PlayerEntry,
    SeatingEntry,
    ladder_match_id,
)
from ordago.record.replay import Problem


def epoch_problems(ledger: EpochLedger) -> Iterator[Problem]:
    """Yield the problems in the order of an epoch's entries, and the contradictions between them.

    Once the epoch is over this covers its secret, and the names of its matches. The number of a problem is the index of
    its entry.
    """
    if ledger.begin is None:
        yield Problem(0, "The ledger does not begin with the beginning of an epoch.")
        return
    yield from _Course(ledger.begin).problems(ledger.entries)


class _Course(EntryOrder[LadderEntry]):
    _end = EpochEnd
    _after_the_end = "The epoch was over before this entry."

    def __init__(self, begin: EpochBegin) -> None:
        self._begin = begin
        self._players: dict[int, PlayerEntry] = {}
        self._versions: set[tuple[str, str, str]] = set()
        self._seatings: dict[str, SeatingEntry] = {}
        self._over: dict[str, str] = {}
        """The results of matches that are over: a result, or void."""
        self._time = begin.began

    def _problems_of(self, entry: LadderEntry) -> Iterator[str]:
        yield from _PROBLEMS[type(entry)](self, entry)

    def begun(self, entry: EpochBegin) -> Iterator[str]:
        if self._last is not None:
            yield "The epoch begins a second time."
        if (entry.epoch == 1) != (entry.previous is None):
            yield "The first epoch names no head of a previous ledger, and every other epoch names one."

    def came(self, entry: PlayerEntry) -> Iterator[str]:
        if entry.player in self._players:
            yield f"Player {entry.player} is entered twice."
        version = entry.name, entry.version, entry.account
        if version in self._versions:
            yield f"Version {entry.version!r} of {entry.name!r} has two numbers."
        if entry.house and entry.account:
            yield f"Player {entry.player} is a house bot and has an account."
        self._players.setdefault(entry.player, entry)
        self._versions.add(version)

    def seated(self, entry: SeatingEntry) -> Iterator[str]:
        if entry.number != len(self._seatings):
            yield f"Match {entry.number} is seated in place of match {len(self._seatings)}."
        if entry.match_id in self._seatings:
            yield f"Match {entry.match_id} is seated a second time."
        yield from self._at_the_table(entry)
        self._seatings[entry.match_id] = entry

    def _at_the_table(self, entry: SeatingEntry) -> Iterator[str]:
        numbers = [seat.player for seat in entry.seats]
        unknown = sorted({number for number in numbers if number not in self._players})
        if unknown:
            yield f"Players {', '.join(map(str, unknown))} are seated before they are entered."
        known = [self._players[number] for number in numbers if number in self._players]
        if len({player.name for player in known}) < len(known) or len(set(numbers)) < len(numbers):
            yield f"A player sits twice at the table of match {entry.number}."
        accounts = [player.account for player in known if player.account]
        if len(set(accounts)) < len(accounts) and not entry.unrated:
            yield f"Two bots of one account sit at the table of match {entry.number}."

    def ended_in_result(self, entry: LadderResultEntry) -> Iterator[str]:
        if entry.ended < self._time:
            yield f"Match {entry.match_id} ended before an event that the ledger has earlier."
        self._time = max(self._time, entry.ended)
        yield from self._ended(entry.match_id, "a result")

    def was_void(self, entry: LadderVoidEntry) -> Iterator[str]:
        yield from self._ended(entry.match_id, "void")

    def _ended(self, match_id: str, how: str) -> Iterator[str]:
        if match_id not in self._seatings:
            yield f"Match {match_id} was never seated."
        if match_id in self._over:
            yield f"Match {match_id} was over before: {self._over[match_id]}."
        self._over[match_id] = how

    def ended(self, entry: EpochEnd) -> Iterator[str]:
        link = bytes.fromhex(entry.link)
        if not leads_back(link, epoch=self._begin.epoch, to=bytes.fromhex(self._begin.anchor)):
            yield f"The link does not lead back to the anchor in {self._begin.epoch} steps."
        secret = secret_of(link)
        if commitment(secret).hex() != self._begin.secret_digest:
            yield "The secret is not the one that was committed to when the epoch began."
        for seating in self._seatings.values():
            if seating.match_id not in self._over:
                yield f"Match {seating.number}, {seating.match_id}, has neither a result nor is it void."
            if seating.match_id != ladder_match_id(seating.number, secret=secret):
                yield f"The name of match {seating.number}, {seating.match_id}, is not that of its number."


_PROBLEMS: Final[dict[type[LadderEntry], Callable[..., Iterator[str]]]] = {
    EpochBegin: _Course.begun,
    PlayerEntry: _Course.came,
    SeatingEntry: _Course.seated,
    LadderResultEntry: _Course.ended_in_result,
    LadderVoidEntry: _Course.was_void,
    EpochEnd: _Course.ended,
}
