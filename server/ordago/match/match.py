"""The referee: plays one match from its first shuffle to its outcome, as one task."""

from collections.abc import Hashable, Sequence
from typing import Final

from ordago import v1
from ordago.game import CHANCE, FINISHED, Event, State, Violation
from ordago.match.answers import Offer, judge
from ordago.match.decisions import EVERYBODY, Decision, decision_parts
from ordago.match.messages import typed_answer
from ordago.match.player import Player, Reply
from ordago.match.terms import MatchTerms
from ordago.record import RecordBuilder, outcome_message

_MS_A_SECOND: Final = 1000


class _Desk:
    """What the referee keeps of one seat: the two numbers that belong to it alone, and what it has yet to be told."""

    def __init__(self) -> None:
        self.decisions = 0
        self.events_told = 0
        self.news: list[bytes] = []
        """Events that the seat was not told yet, as serialized fields of a decision."""

    def hand_over(self) -> tuple[int, list[bytes]]:
        """Return the events that the seat was not told yet, and the number of the first; they count as told."""
        first, news = self.events_told + 1, self.news
        self.events_told += len(news)
        self.news = []
        return first, news


class Match:
    """One match. The players do what they like; whatever comes from them ends as a legal action."""

    def __init__(self, terms: MatchTerms, players: Sequence[Player]) -> None:
        """Seat the players, in order of seats, as many as the terms have."""
        self._terms = terms
        self._game = terms.game
        self._players = players
        self._desks = [_Desk() for _ in players]
        self._state: State[Hashable, Hashable, object] = self._game.rules.new_match(
            seats=len(players), options=terms.options
        )
        self._sides = self._game.rules.sides(len(players))
        self._options = self._game.codec.options(terms.options)
        self._parts = decision_parts(self._game)
        self._clock = v1.Decision(clock=v1.ClockState(decision_ms=terms.decision_ms)).SerializeToString()
        self._record = self._new_record()

    async def play(self) -> v1.MatchRecord:
        """Play the match to its end and return its record."""
        for seat, player in enumerate(self._players):
            player.begin(self._start(seat))
        while self._state.actor != FINISHED:
            if self._state.actor == CHANCE:
                self._shuffle()
            else:
                await self._decide(self._state.actor)
        return self._end()

    def _new_record(self) -> RecordBuilder:
        terms = self._terms
        return RecordBuilder(
            match_id=terms.match_id,
            attempt=terms.attempt,
            game=self._game,
            options=self._options,
            seats=[
                v1.RecordSeat(name=seat.name, version=seat.version, build=seat.build, side=side)
                for seat, side in zip(terms.seats, self._sides, strict=True)
            ],
            clock=terms.clock,
            commitment=terms.commitment,
            deal_seed=terms.deal_seed,
            secret=terms.revealed_secret,
        )

    def _start(self, seat: int) -> v1.MatchStart:
        terms = self._terms
        return v1.MatchStart(
            match_id=terms.match_id,
            game=self._game.name,
            rules_version=self._game.rules.version,
            options=self._options,
            seat=seat,
            players=[
                v1.Player(name=other.name, version=other.version, side=side)
                for other, side in zip(terms.seats, self._sides, strict=True)
            ],
            clock=terms.clock,
            seed=terms.seats[seat].seed,
            commitment=terms.commitment,
            faults=v1.FaultTerms(strikes=terms.strikes),
        )

    def _shuffle(self) -> None:
        due = self._state.shuffle_due()
        cards = self._terms.deals.shuffled(due)
        self._record.shuffled(due, cards)
        self._happened(self._state.supply(cards))

    def _happened(self, events: Sequence[Event[Hashable]]) -> None:
        for event in events:
            entry, full, redacted, audience = self._parts.event(event)
            self._record.add(entry)
            if audience == EVERYBODY:
                for desk in self._desks:
                    desk.news.append(full)
                continue
            for seat, desk in enumerate(self._desks):
                seen = full if audience >> seat & 1 else redacted
                if seen:
                    desk.news.append(seen)

    async def _decide(self, seat: int) -> None:
        """Put one decision to a seat and carry out what comes of it."""
        offer = Offer(self._state.legal_actions(), self._state.extras())
        default = self._state.default_action()
        decision = self._decision(seat, offer, default)
        player = self._players[seat]
        reply = await player.ask(decision, seconds=self._terms.decision_ms / _MS_A_SECOND)
        strikes = 0
        while reply.answer is not None:
            action, violation = judge(reply.answer, game=self._game, state=self._state, offer=offer)
            if violation is None:
                assert action is not None
                return self._carry_out(seat, decision, action, reply, strikes=strikes)
            strikes += 1
            if strikes >= self._terms.strikes:
                reply = reply._replace(answer=None, fault=v1.FAULT_ILLEGAL)
            else:
                reply = await self._refuse(player, decision, violation, reply, strikes=strikes)
        return self._carry_out(seat, decision, default, reply, strikes=strikes)

    def _decision(self, seat: int, offer: Offer, default: Hashable) -> Decision:
        desk = self._desks[seat]
        desk.decisions += 1
        first_event, events = desk.hand_over()
        return self._parts.decision(
            number=desk.decisions,
            seat=seat,
            first_event=first_event,
            events=events,
            offer=offer,
            default=default,
            clock=self._clock,
            view=self._state.view(seat),
        )

    async def _refuse(
        self, player: Player, decision: Decision, violation: Violation, reply: Reply, *, strikes: int
    ) -> Reply:
        left_ms = max(0, self._terms.decision_ms - _milliseconds(reply.elapsed))
        refused = v1.Refused(
            number=decision.number,
            fault=v1.FAULT_ILLEGAL,
            rule=violation.rule,
            sentence=violation.sentence,
            field=violation.field,
            strikes=strikes,
            strikes_left=self._terms.strikes - strikes,
            time_left_ms=left_ms,
        )
        return await player.ask_again(refused, seconds=left_ms / _MS_A_SECOND)

    def _carry_out(self, seat: int, decision: Decision, action: Hashable, reply: Reply, *, strikes: int) -> None:
        charged_ms = min(_milliseconds(reply.elapsed), self._terms.decision_ms)
        accepted = v1.Accepted(number=decision.number, charged_ms=charged_ms)
        if reply.fault:
            accepted.fault = reply.fault
            accepted.answer.CopyFrom(typed_answer(self._game, action))
        self._players[seat].accept(accepted)
        message = self._game.codec.action(action)
        self._record.chosen(seat, message, charged_ms=charged_ms, strikes=strikes, fault=reply.fault)
        self._happened(self._state.apply(action))

    def _end(self) -> v1.MatchRecord:
        outcome = self._state.outcome
        assert outcome is not None
        for player, desk in zip(self._players, self._desks, strict=True):
            first_event, events = desk.hand_over()
            player.end(
                v1.MatchEnd(
                    first_event=first_event,
                    events=v1.Decision.FromString(b"".join(events)).events,
                    outcome=outcome_message(outcome),
                    secret=self._terms.revealed_secret,
                )
            )
        return self._record.finish(outcome)


def _milliseconds(seconds: float) -> int:
    return round(seconds * _MS_A_SECOND)
