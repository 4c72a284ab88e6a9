"""A reader of conformance files that knows no rules: it checks the structure, and that the lines of a match agree.

It is written from docs/conformance.md.
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from google.protobuf import json_format

from ordago import v1

AFTER = {
    "file": {"match"},
    "match": {"shuffle"},
    "shuffle": {"shuffle", "decision", "outcome", "unfinished"},
    "decision": {"shuffle", "decision", "outcome", "unfinished"},
    "outcome": {"match", "end"},
    "unfinished": {"match", "end"},
    "end": {"nothing"},
}
"""The kinds of lines that may follow each kind."""
KEYS = {
    "file": {"format", "game", "rules_version", "seed"},
    "match": {"options", "sides"},
    "shuffle": {"deal", "shuffle", "pack", "cards", "events"},
    "decision": {"decision", "refused", "answer", "action", "events"},
    "outcome": {"outcome"},
    "unfinished": set[str](),
    "end": {"matches", "steps", "actions", "events", "refusals", "outcomes"},
}
GAINED = {"HAND_DEALT", "CARDS_DEALT", "DRAWN"}
LOST = {"CARD_PLAYED", "PLAYED", "DISCARDED", "CARDS_DISCARDED"}
MOVED = {"ASKED", "GAVE_BACK"}
SCORED = {"DEAL_SCORED", "BARGAIN_STRUCK", "HOLDING_DECLARED"}
Line = dict[str, Any]


def parsed(line: Line, message: Any) -> Any:
    """Return a message of the contract from its JSON, which has to be its very JSON."""
    read = json_format.ParseDict(line, message())
    assert json_format.MessageToDict(read, preserving_proto_field_name=True) == line
    return read


def stands_for(action: v1.Action, legal: v1.LegalAction) -> bool:
    """Return True if an action is a legal one with its open parts filled in, and perhaps an extra."""
    merged = v1.Action.FromString(action.SerializeToString())
    merged.MergeFrom(legal.action)
    return action == legal.action or merged == action


class Reader:
    """Reads one file. What it found is in its counters."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {"lines": Counter(), "rules": Counter(), "outcomes": Counter()}
        self.options: list[Line] = []
        self.seats: set[int] = set()
        self.actions: list[v1.Action] = []
        self.events: list[v1.Event] = []

    def read(self, lines: Iterable[str]) -> None:
        before = "nothing"
        for text in lines:
            line = json.loads(text)
            kind = line.pop("line")
            assert before == "nothing" if kind == "file" else kind in AFTER[before], f"{kind} after {before}"
            assert KEYS[kind] - {"refused"} <= set(line) <= KEYS[kind]
            getattr(self, f"_{kind}")(line)
            self.counts["lines"][kind] += 1
            before = kind
        assert before == "end"

    def _file(self, line: Line) -> None:
        assert line["format"] == 1
        self.game = line["game"]

    def _match(self, line: Line) -> None:
        parsed(line["options"], v1.GameOptions)
        self.options.append(line["options"][self.game])
        self.sides = line["sides"]
        self.seats.add(len(self.sides))
        self.numbers: Counter[int] = Counter()
        self.shuffles: list[tuple[int, int]] = []
        self.scores = [self.options[-1].get("chips", 0)] * len(self.sides)
        self.points = [0, 0]

    def _shuffle(self, line: Line) -> None:
        assert sorted(line["cards"]) == sorted(line["pack"])
        codes = [v1.Card.Value(card) for card in line["pack"]]
        assert codes == sorted(set(codes))
        address = line["deal"], line["shuffle"]
        assert not self.shuffles or address > self.shuffles[-1]
        self.shuffles.append(address)
        self._see(line["events"])

    def _decision(self, line: Line) -> None:
        decision = parsed(line["decision"], v1.Decision)
        self.numbers[decision.seat] += 1
        assert decision.number == self.numbers[decision.seat]
        assert [legal.id for legal in decision.actions] == list(range(1, len(decision.actions) + 1))
        assert [extra.id for extra in decision.extras] == list(range(1, len(decision.extras) + 1))
        action = parsed(line["action"], v1.Action)
        answer = parsed(line["answer"], v1.Answer)
        assert any(stands_for(action, legal) for legal in decision.actions)
        if not answer.HasField("action"):
            assert stands_for(action, decision.actions[answer.legal_action - 1])
            assert answer.extra <= len(decision.extras)
        view = getattr(decision.view, self.game)
        assert view.deal == self.deal
        assert list(view.hand) == sorted(self.hands[decision.seat].elements())
        if self.game == "mus":
            assert list(view.points) == self.points
        elif self.game == "mitaines":
            assert list(view.scores) == [self.cleared[side] for side in self.sides]
            assert list(view.totals) == [sum(both) for both in zip(self.scores, view.scores, strict=True)]
        else:
            assert list(view.chips if self.game == "mitigati" else view.totals) == self.scores
        for refused in line.get("refused", ()):
            assert parsed(refused["answer"], v1.Answer) not in (answer, decision.default_answer)
            self.counts["rules"][refused["rule"]] += 1
        self.actions.append(action)
        self._see(line["events"])

    def _see(self, events: list[Line]) -> None:
        for line in events:
            assert set(line) <= {"event", "seats", "others"}
            assert "seats" in line or "others" not in line
            event = parsed(line["event"], v1.Event)
            self.events.append(event)
            own = getattr(event, self.game)
            if "others" in line:
                # Others see less: what is left is as it was.
                others = parsed(line["others"], v1.Event)
                assert others != event
                others.MergeFrom(event)
                assert others == event
            # A seat alone sees the cards that come into its hand or leave it unseen.
            seats = line.get("seats", range(len(self.sides)))
            assert set(seats) <= set(range(len(self.sides)))
            self._follow(own, seats)

    def _follow(self, event: Any, seats: Iterable[int]) -> None:
        """Follow the hands and the scores that an event changes."""
        kind = event.DESCRIPTOR.fields_by_name["kind"].enum_type.values_by_number[event.kind].name
        kind = kind.partition("_EVENT_KIND_")[2]
        cards = list(getattr(event, "cards", ())) or [getattr(event, "card", 0)]
        if kind == "DEAL_STARTED":
            self.deal = event.deal
            self.cleared = Counter[int]()
            self.hands = [Counter() for _ in self.sides]
        if kind in GAINED and event.seat in seats:
            self.hands[event.seat].update(cards)
        elif kind in LOST and event.seat in seats:
            self.hands[event.seat].subtract(cards)
        elif kind in MOVED:
            giver, taker = (event.seat, event.holder) if kind == "GAVE_BACK" else (event.holder, event.seat)
            self.hands[giver].subtract(cards)
            self.hands[taker].update(cards)
        if kind in ("PILE_CLEARED", "LAST_TEN"):
            self.cleared[self.sides[event.seat]] += event.points
        if kind in SCORED:
            self.scores = [sum(both) for both in zip(self.scores, event.scores, strict=True)]
        if self.game == "mus":
            self._follow_points(kind, event)

    def _follow_points(self, kind: str, event: Any) -> None:
        """Follow the points of the sides in a game of Mus, and make the scores of the seats from them."""
        if kind == "POINTS_SCORED":
            self.points[event.side] += event.amount
        if kind in ("DEAL_STARTED", "POINTS_SCORED", "DEAL_ENDED", "GAME_WON"):
            assert list(event.points) == self.points
        if kind == "GAME_WON":
            counted = event.games if self.options[-1]["games"] > 1 else event.points
            self.scores = [counted[side] for side in self.sides]
            self.points = [0, 0]

    def _outcome(self, line: Line) -> None:
        assert line["outcome"]["scores"] == self.scores
        outcome = parsed(line["outcome"], v1.Outcome)
        by_side = dict(zip(self.sides, outcome.scores, strict=True))
        assert [by_side[side] for side in self.sides] == list(outcome.scores)
        better = [sum(other > score for other in by_side.values()) for score in outcome.scores]
        assert list(outcome.placings) == [1 + number for number in better]
        self.counts["outcomes"][v1.OutcomeReason.Name(outcome.reason)] += 1

    def _unfinished(self, line: Line) -> None:
        assert not line

    def _end(self, line: Line) -> None:
        lines = self.counts["lines"]
        assert line["matches"] == lines["match"] == lines["outcome"] + lines["unfinished"]
        assert line["steps"] == lines["shuffle"] + lines["decision"]
        assert sum(line["actions"].values()) == len(self.actions) == lines["decision"]
        assert sum(line["events"].values()) == len(self.events)
        assert line["refusals"] == dict(self.counts["rules"])
        assert line["outcomes"] == dict(self.counts["outcomes"])
