"""The lines of a conformance file."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, final

from google.protobuf import json_format
from google.protobuf.message import Message

from ordago import v1
from ordago.event import Event
from ordago.game import CHANCE, FINISHED
from ordago.games.definition import AnyGame
from ordago.match.answers import Offer, judge
from ordago.record.builder import outcome_message
from ordago_cli.game.conformance.draws import Draws
from ordago_cli.game.conformance.refusals import Refusals
from ordago_cli.game.conformance.settings import Settings, settings
from ordago_cli.game.conformance.steering import AnyState, Chosen, Steering

FORMAT: Final = 1
"""The version of the format. It grows when a reader of the old one would go wrong."""

Line: TypeAlias = dict[str, Any]

_MATCHES: Final = 40
"""The least number of matches in a large file, so that all values of options occur. Longer ones are left unfinished."""
_SHORTEST: Final = 120
"""The least number of steps after which a match is left unfinished: enough for three deals of most games."""
_TYPED: Final = 0.25
"""The share of answers that state the action itself instead of its number."""


class Plan(NamedTuple):
    """The contents of a conformance file."""

    game: AnyGame
    steps: int
    """The number of shuffles and decisions. The last stretch may exceed it."""
    seed: int


def lines(plan: Plan) -> Iterator[str]:
    """Yield the lines of a conformance file, without line ends."""
    for line in _File(plan).lines():
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":"))


@final
class _File:
    """A file that is being made."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._game = plan.game
        self._draws = Draws(f"conformance {FORMAT} {plan.game.name} {plan.seed}")
        self._steering = Steering(self._game, self._draws)
        self._refusals = Refusals(self._game, self._draws, self._steering.actions)
        self._steps = 0
        self._events: Counter[str] = Counter()
        self._actions: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()

    def lines(self) -> Iterator[Line]:
        """Yield all lines."""
        rules = self._game.rules
        head = {"format": FORMAT, "game": rules.name, "rules_version": rules.version}
        yield {"line": "file", **head, "seed": self._plan.seed}
        matches = 0
        for setting in settings(self._game, self._draws):
            if self._steps >= self._plan.steps:
                break
            matches += 1
            yield from self._match(setting)
        yield {"line": "end", "matches": matches, "steps": self._steps, **self._counts()}

    def _counts(self) -> Line:
        counted = (self._actions, self._events, self._refusals.rules, self._outcomes)
        names = ("actions", "events", "refusals", "outcomes")
        return {name: dict(sorted(counts.items())) for name, counts in zip(names, counted, strict=True)}

    def _match(self, setting: Settings) -> Iterator[Line]:
        rules, codec = self._game.rules, self._game.codec
        sides = list(rules.sides(setting.seats))
        yield {"line": "match", "options": _json(codec.options(setting.options)), "sides": sides}
        state = rules.new_match(seats=setting.seats, options=setting.options)
        match, last = _Match(self._game, state), self._steps + max(self._plan.steps // _MATCHES, _SHORTEST)
        while state.actor == CHANCE and self._steps < last:
            stretch = self._steering.next_stretch(state)
            yield self._shuffle(state, stretch.cards)
            for chosen in stretch.choices:
                yield self._decision(match, chosen)
        if state.actor != FINISHED:
            yield {"line": "unfinished"}
            return
        assert state.outcome is not None
        outcome = outcome_message(state.outcome)
        self._outcomes[v1.OutcomeReason.Name(outcome.reason)] += 1
        yield {"line": "outcome", "outcome": _json(outcome)}

    def _shuffle(self, state: AnyState, cards: Sequence[int]) -> Line:
        self._steps += 1
        due = state.shuffle_due()
        shuffle = {"deal": due.deal, "shuffle": due.shuffle, "pack": _cards(due.cards), "cards": _cards(cards)}
        return {"line": "shuffle", **shuffle, "events": self._happened(state.supply(cards))}

    def _decision(self, match: "_Match", chosen: Chosen) -> Line:
        self._steps += 1
        state, seat = match.state, match.state.actor
        offer = Offer(state.legal_actions(), state.extras())
        decision = match.decision(seat, offer)
        refused = [
            {"answer": _json(answer), "rule": violation.rule, "field": violation.field}
            for answer, violation in self._refusals.at(state, offer, decision.view)
        ]
        answer = self._answer(chosen)
        action = judge(answer.SerializeToString(), game=self._game, state=state, offer=offer).action
        assert action == chosen.action, "the referee reads the answer as it was meant"
        self._actions[self._steering.actions[action]] += 1
        return {
            "line": "decision",
            "decision": _json(decision),
            **({"refused": refused} if refused else {}),
            "answer": _json(answer),
            "action": _json(self._game.codec.action(action)),
            "events": self._happened(state.apply(action)),
        }

    def _answer(self, chosen: Chosen) -> v1.Answer:
        """Return an answer that stands for a choice, by number or typed."""
        if self._draws.chance(_TYPED):
            return v1.Answer(action=self._game.codec.action(chosen.action))
        cards = self._draws.shuffled(chosen.parts.cards)
        numbered = v1.Answer(legal_action=chosen.number, extra=chosen.extra, amount=chosen.parts.amount)
        numbered.cards.extend(cards)  # type: ignore[arg-type]  # the same numbers
        return numbered

    def _happened(self, events: Sequence[Event[Any]]) -> list[Line]:
        self._events.update(self._steering.events[event.full] for event in events)
        return [self._event(event) for event in events]

    def _event(self, event: Event[Any]) -> Line:
        codec = self._game.codec
        line: Line = {"event": _json(codec.event(event.full))}
        if event.audience is not None:
            line["seats"] = [seat for seat in range(event.audience.bit_length()) if event.audience >> seat & 1]
            if event.redacted is not None:
                line["others"] = _json(codec.event(event.redacted))
        return line


@final
class _Match:
    """A match that is being played, with the numbers of its decisions."""

    def __init__(self, game: AnyGame, state: AnyState) -> None:
        self.state = state
        self._game = game
        self._views = game.codec.views()
        self._numbers: Counter[int] = Counter()

    def decision(self, seat: int, offer: Offer) -> v1.Decision:
        """Return the decision of the seat that is to act, without events and clock."""
        self._numbers[seat] += 1
        action: Any = self._game.codec.action
        decision = v1.Decision(
            number=self._numbers[seat],
            seat=seat,
            actions=[self._legal(number, legal) for number, legal in enumerate(offer.legal_actions, 1)],
            extras=[v1.Extra(id=number, action=action(extra)) for number, extra in enumerate(offer.extras, 1)],
            default_answer=v1.Answer(action=action(self.state.default_action())),
        )
        decision.view.ParseFromString(self._views(self.state.view(seat)))
        return decision

    def _legal(self, number: int, legal: Any) -> v1.LegalAction:  # noqa: ANN401 - a legal action of any game
        message = v1.LegalAction(id=number, action=self._game.codec.action(legal.action))
        if legal.amount is not None:
            message.amount.min, message.amount.max = legal.amount
        for pick in legal.picks:
            message.picks.add(cards=pick.cards, min=pick.min, max=pick.max)
        return message


def _cards(cards: Sequence[int]) -> list[str]:
    return [v1.Card.Name(card) for card in cards]


def _json(message: Message) -> Line:
    written: Line = json_format.MessageToDict(message, preserving_proto_field_name=True)
    return written
