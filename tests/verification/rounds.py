"""An organiser of an event that goes by rounds: honest, or one who lets other matches come due than should."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from support.organiser import EVENT, PLAYS, Organiser
from support.players import Strategy, by_number

from ordago.record import Result, result_of
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import CheckedIn, CheckInEntry, ClosingEntry, EndEntry, read_ledger
from ordago.store import Entrant, IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.matches.due import due_matches
from ordago_ladder.matches.stages import change_between
from ordago_ladder.schedule.conduct import Suspensions
from ordago_ladder.schedule.schedule import plan


def by_rounds(terms: str) -> str:
    """Return the event file of the small event in another format."""
    return EVENT.replace("suspend_after = 6", f"suspend_after = 2\n{terms}")


SWISS = by_rounds('format = "swiss"\nrounds = 3')
OPEN = by_rounds('format = "open"\nsets_wanted = 3')
KNOCKOUT = by_rounds('format = "knockout"')
DOUBLE = by_rounds('format = "double-elimination"\nplay_offs = 1')
LEAGUE = by_rounds('format = "league"\ngroups = 2\nadvance = 1')
UNTIL = by_rounds('format = "open"\nuntil = 2027-01-31T18:00:00Z')


MORE_PLAYS = dict.fromkeys(("eve", "fay", "zoe"), by_number)
PARTIAL = EVENT.replace("seats = 2", "seats = 2\nsets = 6")
"""All of four meet; of five, not all do."""
LARGER = "".join(f'[[entrant]]\nname = "{name}"\ncommand = "./{name}"\n' for name in ("eve", "fay"))
"""Two more entrants. With six of them, rounds have two tables, with two matches each."""


@dataclass
class RoundsOrganiser(Organiser):
    """Plays round after round, until no more come due."""

    text: str = SWISS
    void: frozenset[int] = frozenset()
    plays: dict[str, Strategy] = field(
        default_factory=lambda: PLAYS | {"eve": by_number, "fay": by_number, "zoe": by_number}
    )
    issued: dict[str, PlannedMatch] = field(default_factory=dict)
    """What came due, by the names of the matches."""
    most: int | None = None
    """How many matches are played at most: then the event is closed."""

    inverted: bool = False
    """Whether those meet who would if everybody who won had lost."""

    @property
    def schedule(self) -> dict[str, PlannedMatch]:
        """What came due, and in an honest event all that could."""
        return self.issued

    @property
    def results(self) -> list[MatchResult]:
        """The results so far."""
        issued = {match_id: IssuedMatch(planned, match_id) for match_id, planned in self.issued.items()}
        found = [MatchResult(issued[match_id], result_of(record)) for match_id, record in self.records.items()]
        return [played._replace(result=_inverted(played.result)) for played in found] if self.inverted else found

    def play(self) -> "RoundsOrganiser":
        """Play the event, in whole rounds but for the last one, and end it."""
        self.begin()
        self.issued = {}
        suspensions = Suspensions(suspend_after=self.settings.event.suspend_after)
        while due := self.due():
            self._play(due, suspensions)
        if self.most is not None:
            self.entries.append(ClosingEntry(issued=len(self.issued)))
        self.entries.append(EndEntry(secret=self.secret.hex()))
        return self

    def grow(self, *, issued: int, played: int) -> "RoundsOrganiser":
        """Play so many matches, let somebody new come, say that so many were due before, and play what is due then."""
        self.begin()
        before = self.settings
        suspensions = Suspensions(suspend_after=before.event.suspend_after)
        self._play(plan(before).matches[:played], suspensions)
        self.text += '[[entrant]]\nname = "zoe"\ncommand = "./zoe"\n'
        self.entrants["zoe"] = Entrant("zoe", b"zoe" * 8, "1.0", "a")
        self.entries.append(
            change_between(before, self.settings, issued=issued, time=datetime(2027, 1, 31, tzinfo=UTC))
        )
        brought = CheckedIn(name="zoe", nonce=(b"zoe" * 8).hex(), version="1.0", build="a")
        self.entries.append(CheckInEntry(entrants=(brought,)))
        while due := self._due_by_ledger():
            self._play(due, suspensions)
        self.entries.append(EndEntry(secret=self.secret.hex()))
        return self

    def _due_by_ledger(self) -> list[PlannedMatch]:
        due = due_matches(self.settings, read_ledger(chained(self.entries)), self.results).matches
        return [planned for planned in due if self.id_of(planned) not in self.records]

    def _play(self, due: Iterable[PlannedMatch], suspensions: Suspensions) -> None:
        for planned in due:
            self.issued[self.id_of(planned)] = planned
            if suspensions.names.isdisjoint(planned.entrants):
                self.commit(self.match(planned), planned, suspensions)

    def due(self) -> list[PlannedMatch]:
        """Return what comes due next."""
        matches = plan(self.settings, self.results).matches
        return [*matches[: self.most]][len(self.issued) :]


def _inverted(result: Result) -> Result:
    return result._replace(placings=result.placings[::-1], scores=result.scores[::-1])
