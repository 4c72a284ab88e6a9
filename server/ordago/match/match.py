"""The referee: plays one match from its first shuffle to its outcome.

A match is a state machine without I/O, clock or callbacks. It takes the ``Reply`` to its last question and returns a
``Step``: the decisions taken, the messages to each seat, and the next question. Its driver carries the step out; it
knows how to put questions and what time it is::

    match = Match(terms)
    carry_out(match.begin())
    step = match.step(None)
    while step.played_out is None:
        carry_out(step)
        step = match.step(None if step.question is None else reply_to(step.question))

Where every seat is forfeited, a step now and then asks nothing, so that other matches get their turn.

A match can begin with the decisions of its past (``past``): a match interrupted by a restart resumes where it was.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from ordago import v1
from ordago.game import CHANCE, FINISHED, Event, State, Violation
from ordago.match.answers import Offer, judge
from ordago.match.fault_rules import FAULT_RULES, SeatEffect, sentence_of
from ordago.match.messages import Acceptance, fallen, match_start, record_heading
from ordago.match.news import News
from ordago.match.seat_clock import Charge, milliseconds
from ordago.match.seat_progress import SeatProgress
from ordago.match.step import Message, PlayedOut, Question, Reply, SeatMessage, Step
from ordago.match.terms import MatchTerms
from ordago.record import RecordBuilder, outcome_message
from ordago.record.concessions import Concessions
from ordago.record.head import NO_LINES, Head
from ordago.wire.decision_parts import EVERYBODY, decision_parts

_AT_A_STROKE: Final = 32
"""Decisions taken in one step where all seats are forfeited, some 2 ms: a match may have thousands of them."""


class Match:
    """One match. Whatever the bots answer, only legal actions are played."""

    def __init__(
        self,
        terms: MatchTerms,
        *,
        past: Iterable[v1.RecordEntry] = (),
        head: Head = NO_LINES,
    ) -> None:
        """Prepare a match.

        Args:
            terms: the terms of the match, its seats among them.
            past: the earlier choices and forfeits of this match, in order.
            head: the length and head of the event's ledger, which the seats are sent.
        """
        self._terms = terms
        self._game = terms.game
        self._progress = [SeatProgress(seat, terms) for seat in range(len(terms.seats))]
        self._news = News(self._progress)
        self._state: State[Hashable, Hashable, object] = self._game.rules.new_match(
            seats=len(terms.seats), options=terms.options
        )
        self._parts = decision_parts(self._game.codec)
        self._views = self._game.codec.views()
        self._heading = record_heading(terms)
        self._head = head
        self._record = RecordBuilder(self._heading)
        self._past = past
        self._forfeits: list[v1.Forfeit] = []
        self._concessions = Concessions(self._game, seats=len(terms.seats), wanted=terms.conceding)
        self._doomed: dict[int, tuple[v1.Fault, str]] = {}
        self._begun = False
        """True once the first step was taken."""
        self._open: Question | None = None
        """The open decision, as it was first put."""
        self._offer = Offer((), ())
        """The choices of the open decision."""
        self._default: Hashable = None
        """The default action of the open decision."""
        self._broken_rules: tuple[str, ...] = ()
        """The rules that answers to the open decision broke, in order."""
        self._unasked = 0
        """The number of decisions and pauses since all seats are forfeited."""
        self._played_out: PlayedOut | None = None
        # The parts of the step that is being taken.
        self._entries: list[bytes] = []
        self._messages: list[SeatMessage] = []
        self._seen: list[bytes] = []

    def begin(self) -> Step:
        """Return the messages that begin or resume the match. Nothing is decided or asked.

        The step also holds the events of the match's past, for spectators.
        """
        self._recall_past()
        for progress in self._progress:
            self._greet(progress)
        return self._step_taken(None)

    def step(self, reply: Reply | None) -> Step:
        """Continue with the reply to the open question, up to the next question.

        Args:
            reply: the reply to the question; ``None`` at first, and where no question was open.
        """
        if reply is None:
            assert self._open is None, "the open question has to be replied to"
            self._make_up_for_forfeits()
            question = None
        else:
            question = self._settle(reply)
        if question is None:
            question = self._next_question()
        return self._step_taken(question)

    def forfeit(self, seat: int, fault: v1.Fault, sentence: str) -> Step:
        """Forfeit a seat: default answers are taken for it from now on. Nothing is asked; an open question stays open.

        If this seat is being asked, the forfeit waits until its decision is closed: the driver has to reply to it.
        """
        self._forfeit(seat, fault, sentence)
        return self._step_taken(None)

    def _step_taken(self, question: Question | None) -> Step:
        step = Step(self._entries, self._messages, self._seen, question, self._played_out)
        self._entries, self._messages, self._seen = [], [], []
        return step

    def _tell(self, seat: int, message: Message | Acceptance) -> None:
        self._messages.append(SeatMessage(seat, message))

    def _next_question(self) -> Question | None:
        """Play on until a seat has to be asked; ``None`` where the match is over or pauses."""
        while (actor := self._state.actor) != FINISHED and self._concessions.side is None:
            if actor == CHANCE:
                self._shuffle()
            elif not self._progress[actor].forfeit:
                return self._ask(actor)
            elif len(self._forfeits) == len(self._progress) and self._takes_breath():
                return None
            else:
                self._play_on(actor)
        self._played_out = self._end()
        return None

    def _takes_breath(self) -> bool:
        """Return True if the match should pause for others. It does so now and then where nobody is left to ask."""
        self._unasked += 1
        return self._unasked % (_AT_A_STROKE + 1) == 1

    def _forfeit(self, seat: int, fault: v1.Fault, sentence: str) -> None:
        if not self._begun or (self._open is not None and self._open.seat == seat):
            self._doomed.setdefault(seat, (fault, sentence))
        elif not self._progress[seat].forfeit:
            self._entries.append(self._note_forfeit(v1.Forfeit(seat=seat, fault=fault)))
            self._tell(seat, v1.Forfeited(fault=fault, sentence=sentence))

    def _note_forfeit(self, forfeit: v1.Forfeit) -> bytes:
        self._progress[forfeit.seat].forfeit = forfeit.fault
        self._forfeits.append(forfeit)
        return self._record.forfeited(forfeit)

    def _recall_past(self) -> None:
        """Replay the earlier decisions without asking or notifying anybody."""
        for entry in self._past:
            if entry.HasField("forfeit"):
                self._note_forfeit(entry.forfeit)
                continue
            while self._state.actor == CHANCE:
                self._shuffle()
            self._recall(entry.choice)

    def _recall(self, choice: v1.RecordedChoice) -> None:
        progress = self._progress[choice.seat]
        if not progress.forfeit:
            progress.decisions += 1
            self._news.hand_over(progress)
            progress.clock.settle(Charge(choice.charged_ms, choice.lag_ms), away_ms=choice.away_ms)
            progress.note(choice.fault)
            progress.closed = choice
        self._record.recall(choice)
        self._apply(self._state.apply(self._game.codec.action_from(choice.action)))
        self._concessions.note(choice.seat, concedes=choice.concede)

    def _greet(self, progress: SeatProgress) -> None:
        """Send a seat the start of the match, or its state where the match resumes."""
        seat = progress.seat
        seed = self._terms.seats[seat].seed
        start = match_start(self._heading, seat, seed=seed, last_decision=progress.decisions)
        if self._head.length:
            start.ledger_length, start.ledger_head = self._head
        self._tell(seat, start)
        if progress.closed is not None:
            self._tell(seat, self._acceptance_again(progress, progress.closed))
        if progress.forfeit:
            self._tell(seat, v1.Forfeited(fault=progress.forfeit, sentence=sentence_of(progress.forfeit)))

    def _make_up_for_forfeits(self) -> None:
        """Carry out the forfeits that are due before the first question."""
        if self._begun:
            return
        self._begun = True
        if self._concessions.outcome(self._state) is not None:
            # The past is the whole match: nobody forfeits a match that is over.
            self._doomed.clear()
        self._carry_out_forfeits()
        for seat, progress in enumerate(self._progress):
            # The past may end between the last fault of a seat and the forfeit that follows from it.
            if progress.last_fault:
                self._forfeit_if_due(seat, progress.last_fault)

    def _carry_out_forfeits(self) -> None:
        """Carry out the forfeits that had to wait."""
        doomed, self._doomed = self._doomed, {}
        for seat, (fault, sentence) in doomed.items():
            self._forfeit(seat, fault, sentence)

    def _shuffle(self) -> None:
        due = self._state.shuffle_due()
        cards = self._terms.deals.source.shuffled(due)
        self._record.shuffled(due, cards)
        self._apply(self._state.supply(cards))

    def _apply(self, events: Sequence[Event[Hashable]]) -> None:
        """Record events, and queue them for the seats and the spectators."""
        for event in events:
            parts = self._parts.event(event)
            self._record.add(parts.entry)
            self._news.happened.append(parts)
            seen = parts.full if parts.audience == EVERYBODY else parts.redacted
            if seen:
                self._seen.append(seen)

    def _ask(self, seat: int) -> Question:
        """Open a decision of a seat."""
        state, progress = self._state, self._progress[seat]
        progress.decisions += 1
        self._broken_rules = ()
        offer = self._offer = Offer(state.legal_actions(), state.extras())
        self._default = state.default_action()
        first_event, events = self._news.hand_over(progress)
        decision = self._parts.decision(
            number=progress.decisions,
            seat=seat,
            first_event=first_event,
            events=events,
            legal_actions=offer.legal_actions,
            extras=offer.extras,
            default=self._default,
            view=self._views(state.view(seat)),
            may_concede=self._concessions.allowed,
        )
        self._open = question = Question(seat, decision, progress.clock.left)
        return question

    def _settle(self, reply: Reply) -> Question | None:
        """Process the reply to the open question. Return the question again if the answer was refused."""
        question = self._open
        assert question is not None, "there is nothing to reply to"
        if reply.answer is None:
            self._close(question, reply, self._default)
            return None
        ruling = judge(
            reply.answer,
            game=self._game,
            state=self._state,
            offer=self._offer,
            may_concede=self._concessions.allowed,
        )
        if ruling.violation is not None:
            return self._refuse(question, reply, reply.answer, ruling.violation)
        self._close(question, reply, ruling.action, concede=ruling.concede)
        return None

    def _refuse(self, question: Question, reply: Reply, answer: bytes, violation: Violation) -> Question | None:
        """Refuse an answer that breaks a rule. Return the question again, unless this was the last strike."""
        self._broken_rules += (violation.rule,)
        strikes = len(self._broken_rules)
        strikes_left = self._terms.faults.strikes - strikes
        refusal = _refusal(question, violation, reply, strikes, strikes_left)
        self._record.refused(question.seat, answer, refusal)
        self._tell(question.seat, refusal)
        if strikes_left:
            return question.asked_again()
        self._close(question, reply.without_answer(v1.FAULT_ILLEGAL), self._default)
        return None

    def _close(self, question: Question, reply: Reply, action: Hashable, *, concede: bool = False) -> None:
        """Charge and accept a decision, and apply its action, or the default action if the answer came too late.

        Args:
            question: the decision.
            reply: the final reply to it.
            action: the choice of the seat, or the default action where the seat is at fault.
            concede: True if the answer concedes the match.
        """
        self._open = None
        seat, fault = question.seat, reply.fault
        elapsed_ms = milliseconds(reply.elapsed)
        away_ms = milliseconds(reply.away) if reply.away else 0
        lost_ms = milliseconds(reply.lost) if reply.lost else 0
        charge = self._progress[seat].clock.charge(elapsed_ms, thought_ms=reply.thought_ms, away_ms=away_ms)
        if not charge.in_time and not fault:
            action, fault, concede = self._default, v1.FAULT_TOO_LATE, False
        entry = self._record.chosen(
            seat,
            self._parts.action(action),
            charged_ms=charge.charged_ms,
            broken_rules=self._broken_rules,
            fault=fault,
            lag_ms=charge.lag_ms,
            lost_ms=lost_ms,
            away_ms=away_ms,
            concede=concede,
        )
        self._entries.append(entry)
        self._accept(question, action, fault, charge, lost_ms)
        self._apply(self._state.apply(action))
        if concede or self._concessions.willing:
            self._concessions.note(seat, concedes=concede)
        if fault:
            self._at_fault(seat, fault)

    def _accept(self, question: Question, action: Hashable, fault: v1.Fault, charge: Charge, lost_ms: int) -> None:
        """Notify a seat that its decision is closed, and of the time charged."""
        progress = self._progress[question.seat]
        number = question.decision.number
        accepted = Acceptance(number, charge.charged_ms, progress.clock.left.bank_ms, charge.lag_ms, lost_ms)
        if fault:
            progress.note(fault)
            accepted = fallen(accepted, self._game, action, fault, faults_left=progress.faults_left)
        self._messages.append(SeatMessage(question.seat, accepted))

    def _acceptance_again(self, progress: SeatProgress, choice: v1.RecordedChoice) -> Acceptance:
        """Return the acceptance of a seat's last decision before the match was resumed."""
        bank_ms = progress.clock.left.bank_ms
        accepted = Acceptance(progress.decisions, choice.charged_ms, bank_ms, choice.lag_ms, choice.lost_ms)
        if not choice.fault:
            return accepted
        action = self._game.codec.action_from(choice.action)
        return fallen(accepted, self._game, action, choice.fault, faults_left=progress.faults_left)

    def _at_fault(self, seat: int, fault: v1.Fault) -> None:
        """Forfeit a seat after a fault, if the fault forfeits at once or exceeded the number allowed."""
        if self._doomed:
            self._carry_out_forfeits()
        else:
            self._forfeit_if_due(seat, fault)

    def _forfeit_if_due(self, seat: int, fault: v1.Fault) -> None:
        if FAULT_RULES[fault].seat is SeatEffect.FORFEITED:
            self._forfeit(seat, fault, sentence_of(fault))
        elif self._progress[seat].has_used_up_its_faults:
            number, last = self._terms.faults.forfeit_after, sentence_of(fault)
            self._forfeit(seat, fault, f"{number} default answers because of faults; the last: {last}")

    def _play_on(self, seat: int) -> None:
        """Take the default action for a forfeited seat."""
        action, fault = self._state.default_action(), self._progress[seat].forfeit
        self._entries.append(self._record.chosen(seat, self._parts.action(action), charged_ms=0, fault=fault))
        self._apply(self._state.apply(action))
        self._concessions.note(seat, concedes=False)

    def _end(self) -> PlayedOut:
        outcome = self._concessions.outcome(self._state)
        assert outcome is not None
        ends = tuple(self._end_of(progress, outcome_message(outcome)) for progress in self._progress)
        return PlayedOut(self._record.finish(outcome), ends)

    def _end_of(self, progress: SeatProgress, outcome: v1.Outcome) -> v1.MatchEnd:
        first_event, events = self._news.hand_over(progress)
        return v1.MatchEnd(
            first_event=first_event,
            events=v1.Decision.FromString(b"".join(events)).events,
            outcome=outcome,
            secret=self._terms.deals.revealed_secret,
            forfeits=self._forfeits,
        )


def _refusal(question: Question, violation: Violation, reply: Reply, strikes: int, strikes_left: int) -> v1.Refused:
    time_left_ms = max(0, question.time.thinking_ms - milliseconds(reply.elapsed))
    return v1.Refused(
        number=question.decision.number,
        fault=v1.FAULT_ILLEGAL,
        rule=violation.rule,
        sentence=violation.sentence,
        field=violation.field,
        strikes=strikes,
        strikes_left=strikes_left,
        time_left_ms=time_left_ms if strikes_left else 0,
    )
