"""Replay a record by the rules of its game, and find its deviations from them."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from google.protobuf import text_format

from ordago import v1
from ordago.chance import Deals
from ordago.game import CHANCE, FINISHED, Event, Outcome
from ordago.record.builder import outcome_message
from ordago.record.opening import Opening, OtherRulesError, UnplayableError, opening
from ordago.wire.codec import NoSuchActionError


class Problem(NamedTuple):
    """Something in a record that cannot be so."""

    entry: int | None
    """The entry that is wrong, counted from 0; ``None`` for the record as a whole."""
    sentence: str
    """A description of the problem."""
    by_other_rules: bool = False
    """True if only the version of the rules is not the installed one, which says nothing against the record."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of replaying a record, up to where it could be played."""

    events: tuple[Hashable, ...]
    """The events by the rules, in full, as values of the game."""
    public: tuple[Hashable, ...]
    """The events as spectators without cards saw them."""
    outcome: Outcome | None
    """The outcome by the rules; ``None`` if the record does not lead to an end."""
    problems: tuple[Problem, ...]
    """The problems of the record, in order. Empty: it follows the rules throughout."""


def replay(record: v1.MatchRecord, *, deals: Deals | None = None) -> Replay:
    """Play a record again. Its own shuffles and choices are fed to the rules; all else has to follow from them.

    An entry that is merely wrong is a problem, and play goes on; at an entry that makes no sense play ends.

    Args:
        record: any record, whatever it holds.
        deals: where its shuffles came from, to be compared with them. ``None``: they are not compared.
    """
    try:
        begun = opening(record)
    except UnplayableError as error:
        problem = Problem(None, str(error), by_other_rules=isinstance(error, OtherRulesError))
        return Replay((), (), None, (problem,))
    player = _Player(record, begun, deals)
    player.play()
    return Replay(tuple(player.events), tuple(player.public), player.outcome, tuple(player.problems))


def heading_problems(record: v1.MatchRecord, begun: Opening) -> Iterator[Problem]:
    """Yield the problems of a record's heading that do not prevent its replay."""
    if record.options != begun.options:
        yield Problem(None, "The options are incomplete.")
    sides, due = tuple(seat.side for seat in record.seats), begun.game.rules.sides(len(record.seats))
    if sides != due:
        yield Problem(None, f"The seats play for the sides {due}, not {sides}.")
    if record.conceding != begun.concessions.allowed:
        yield Problem(None, "A match of this game, or for so many players, cannot be conceded.")
    if any(seat.HasField("clock") and seat.clock == record.clock for seat in record.seats):
        yield Problem(None, "A seat names the time of the match as its own.")


class _Player:
    """Replays the entries of a record beside a state that determines them."""

    def __init__(self, record: v1.MatchRecord, begun: Opening, deals: Deals | None) -> None:
        self._record = record
        self._entries: Sequence[v1.RecordEntry] = list(record.entries)
        self._begun = begun
        self._codec = begun.game.codec
        self._state = begun.state
        self._deals = deals
        self._at = 0
        self._forfeited: set[int] = set()
        self._concessions = begun.concessions
        self.outcome: Outcome | None = None
        """The outcome by the rules, once there is one."""
        self.events: list[Hashable] = []
        self.public: list[Hashable] = []
        self.problems: list[Problem] = []

    def play(self) -> None:
        """Play until the match is over, or an entry is without sense."""
        self.problems += heading_problems(self._record, self._begun)
        try:
            self._pass_forfeits()
            while self._state.actor != FINISHED and self._concessions.side is None:
                events = self._shuffle() if self._state.actor == CHANCE else self._choice()
                self._at += 1
                for event in events:
                    self._event(event)
                self._pass_forfeits()
        except UnplayableError as error:
            self._problem(str(error))
        else:
            self._check_end()

    def _problem(self, sentence: str) -> None:
        self.problems.append(Problem(self._at if self._at < len(self._entries) else None, sentence))

    def _kind(self) -> str | None:
        """Return the kind of the entry that is next."""
        if self._at == len(self._entries):
            raise UnplayableError("The entries end before the match does.")
        kind: str | None = self._entries[self._at].WhichOneof("entry")
        return kind

    def _pass_forfeits(self) -> None:
        """Process the forfeits at this position. They may come wherever nothing else is in progress."""
        while self._at < len(self._entries) and self._entries[self._at].HasField("forfeit"):
            forfeit = self._entries[self._at].forfeit
            if forfeit.seat >= len(self._record.seats) or forfeit.seat in self._forfeited or not forfeit.fault:
                self._problem("A forfeit has to name a seat that was not forfeited before, and a fault.")
            self._forfeited.add(forfeit.seat)
            self._at += 1

    def _shuffle(self) -> Sequence[Event[Hashable]]:
        due = self._state.shuffle_due()
        if self._kind() != "shuffle":
            raise UnplayableError(f"Shuffle {due.shuffle} of deal {due.deal} is due here.")
        shuffle = self._entries[self._at].shuffle
        cards = tuple(shuffle.cards)
        if tuple(sorted(cards)) != due.cards:
            raise UnplayableError("The shuffle does not contain exactly the cards to shuffle.")
        if (shuffle.deal, shuffle.shuffle) != (due.deal, due.shuffle):
            self._problem(f"This is shuffle {due.shuffle} of deal {due.deal}, but it has another number.")
        if self._deals is not None and self._deals.shuffled(due) != cards:
            self._problem("The secret and the seed of the deals give another shuffle.")
        return self._state.supply(cards)

    def _choice(self) -> Sequence[Event[Hashable]]:
        seat = self._state.actor
        if self._kind() != "choice":
            raise UnplayableError(f"A choice of seat {seat} is due here.")
        choice = self._entries[self._at].choice
        if choice.seat != seat:
            raise UnplayableError(f"Seat {seat} was to act, not seat {choice.seat}.")
        action = self._legal_action(choice.action)
        if choice.fault and action != self._state.default_action():
            self._problem(f"Seat {seat} was at fault, but its action is not the default action.")
        if len(choice.broken_rules) != choice.strikes:
            self._problem(f"A choice with {choice.strikes} strikes names {len(choice.broken_rules)} broken rules.")
        if seat in self._forfeited and not choice.fault:
            self._problem(f"Seat {seat} was forfeited, but made a choice.")
        if choice.concede and (choice.fault or not self._concessions.allowed):
            self._problem(f"Seat {seat} concedes where no answer of its own can.")
        else:
            self._concessions.note(seat, concedes=choice.concede)
        return self._state.apply(action)

    def _legal_action(self, message: v1.Action) -> Hashable:
        try:
            action: Hashable = self._codec.action_from(message)
        except NoSuchActionError as error:
            raise UnplayableError(f"The choice is not an action: {error}") from None
        violation = self._state.check(action)
        if violation is not None:
            raise UnplayableError(f"The choice breaks the rule {violation.rule}: {violation.sentence}")
        if self._codec.action(action) != message:
            self._problem("The action has fields that do not belong to it.")
        return action

    def _event(self, event: Event[Hashable]) -> None:
        self.events.append(event.full)
        if event.public is not None:
            self.public.append(event.public)
        by_the_rules = self._codec.event(event.full)
        if self._kind() != "event":
            self._problem(f"An event is missing before this entry: {_text(by_the_rules)}.")
            return
        if self._entries[self._at].event != by_the_rules:
            self._problem(f"By the rules another event happened: {_text(by_the_rules)}.")
        self._at += 1

    def _check_end(self) -> None:
        left_over = len(self._entries) - self._at
        if left_over:
            self._problem(f"The match was over before this entry; left over: {left_over}.")
        self.outcome = self._concessions.outcome(self._state)
        assert self.outcome is not None
        outcome = outcome_message(self.outcome)
        if self._record.outcome != outcome:
            self.problems.append(Problem(None, f"By the rules the match ended differently: {_text(outcome)}."))


def _text(message: v1.Event | v1.Outcome) -> str:
    return text_format.MessageToString(message, as_one_line=True)
