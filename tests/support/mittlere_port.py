"""Mittlere Jass once more, written from its rule page and docs/conformance.md alone, to hold against files.

It uses nothing of Ordago: no rules, no messages. It compares plain JSON, as a port in another language would.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

SUITS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
BY_CODE = ("ACE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING")
PLAIN = ("SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")
TRUMPS = ("SIX", "SEVEN", "EIGHT", "TEN", "QUEEN", "KING", "ACE", "NINE", "JACK")
PLAIN_POINTS = {"ACE": 11, "KING": 4, "QUEEN": 3, "JACK": 2, "TEN": 10}
TRUMP_POINTS = {**PLAIN_POINTS, "JACK": 20, "NINE": 14}
UNTRUMPED_POINTS = {**PLAIN_POINTS, "EIGHT": 8}
DEFAULT_PLAIN = ("SIX", "SEVEN", "EIGHT", "NINE", "JACK", "QUEEN", "KING", "TEN", "ACE")
DEFAULT = (
    *((False, rank) for rank in ("SIX", "SEVEN", "EIGHT", "NINE")),
    *((True, rank) for rank in ("SIX", "SEVEN", "EIGHT")),
    (False, "JACK"),
    *((trump, rank) for rank in ("QUEEN", "KING", "TEN", "ACE") for trump in (False, True)),
    (True, "NINE"),
    (True, "JACK"),
)
SEATS = 3
Json = dict[str, Any]


class Card(NamedTuple):
    """A card; cards compare by their codes."""

    suit: int
    place: int

    @property
    def rank(self) -> str:
        return BY_CODE[self.place]

    @property
    def name(self) -> str:
        return f"CARD_{self.rank}_OF_{SUITS[self.suit]}"


PACK = [Card(suit, place) for suit in range(4) for place in range(len(BY_CODE))]
BY_NAME = {card.name: card for card in PACK}


def filled(**fields: Any) -> Json:
    """Return a message as JSON: zero, empty and absent fields are left out."""
    return {name: value for name, value in fields.items() if value not in (0, [], None, {})}


def event(kind: str, *, seat: int | None = None, **fields: Any) -> Json:
    """Return an event of Mittlere as JSON. Its seat may be zero."""
    at = {} if seat is None else {"seat": seat}
    return {"mittlere": {"kind": f"MITTLERE_EVENT_KIND_{kind}", **at, **filled(**fields)}}


def names(cards: Iterable[Card]) -> list[str]:
    return [card.name for card in cards]


class Match:
    """A match of Mittlere Jass."""

    def __init__(self, deals: int) -> None:
        self.deals = deals
        self.deal = 0
        self.dealer = 2
        self.totals = [0] * SEATS
        self.numbers = [0] * SEATS
        self.hands: list[list[Card]] = []

    @property
    def actor(self) -> int | None:
        """The seat that is to act; None where a shuffle is due, or the match is over."""
        return (self.leader + len(self.trick)) % SEATS if any(self.hands) else None

    def supply(self, cards: Sequence[Card]) -> Iterator[Json]:
        """Deal cards, three at a time, beginning with the seat after the dealer."""
        self.hands = [[] for _ in range(SEATS)]
        for start in range(0, len(cards), 3):
            self.hands[(self.dealer + 1 + start // 3) % SEATS] += cards[start : start + 3]
        self.leader = (self.dealer + 1) % SEATS
        self.trick: list[Card] = []
        self.played: list[Card] = []
        self.takers: list[int] = []
        self.trump: Json = {}
        self.trump_suit: int | None = None
        yield {"event": event("DEAL_STARTED", seat=self.dealer, deal=self.deal)}
        for seat, hand in enumerate(self.hands):
            hand.sort()
            told = event("HAND_DEALT", seat=seat, cards=names(hand))
            yield {"event": told, "seats": [seat], "others": event("HAND_DEALT", seat=seat)}

    def check(self, card: Card) -> str:
        """Return the rule that a card breaks; empty for none."""
        hand = self.hands[self.actor or 0]
        if card not in hand:
            return "not_in_hand"
        if not self.trick:
            return ""
        led, trump = self.trick[0].suit, self.trump_suit
        if led == trump:
            bound = any(held.suit == trump and held.rank != "JACK" for held in hand)
            return "follow_trump" if bound and card.suit != trump else ""
        if card.suit not in (led, trump) and any(held.suit == led for held in hand):
            return "follow_suit"
        lower = {held for held in hand if self._is_lower(held)}
        return "undertrump" if card in lower and len(lower) < len(hand) else ""

    def _is_lower(self, card: Card) -> bool:
        """Return True for a trump that is lower than one in the trick."""
        trumps = [TRUMPS.index(other.rank) for other in self.trick if other.suit == self.trump_suit]
        return card.suit == self.trump_suit and bool(trumps) and TRUMPS.index(card.rank) < max(trumps)

    def legal(self) -> list[Card]:
        return [card for card in self.hands[self.actor or 0] if not self.check(card)]

    def default(self) -> Card:
        def place(card: Card) -> tuple[int, Card]:
            if self.trump_suit is None:
                return DEFAULT_PLAIN.index(card.rank), card
            return DEFAULT.index((card.suit == self.trump_suit, card.rank)), card

        return min(self.legal(), key=place)

    def apply(self, card: Card) -> Iterator[Json]:
        """Play a legal card."""
        seat = self.actor or 0
        self.hands[seat].remove(card)
        self.trick.append(card)
        yield {"event": event("CARD_PLAYED", seat=seat, card=card.name)}
        if self.trump_suit is None and card.suit != self.trick[0].suit:
            self.trump_suit = card.suit
            suit, trick = f"SUIT_{SUITS[card.suit]}", len(self.takers)
            self.trump = {"trump": filled(suit=suit, card=card.name, seat=seat, trick=trick)}
            yield {"event": event("TRUMP_SET", seat=seat, card=card.name)}
        if len(self.trick) == SEATS:
            yield from self._take_trick()

    def _take_trick(self) -> Iterator[Json]:
        best = max(self.trick, key=self._strength)
        self.leader = (self.leader + self.trick.index(best)) % SEATS
        self.played += self.trick
        self.takers.append(self.leader)
        self.trick = []
        yield {"event": event("TRICK_TAKEN", seat=self.leader)}
        if not any(self.hands):
            yield self._score()

    def _strength(self, card: Card) -> tuple[int, int]:
        if card.suit == self.trump_suit:
            return 2, TRUMPS.index(card.rank)
        return int(card.suit == self.trick[0].suit), PLAIN.index(card.rank)

    def _score(self) -> Json:
        points = [0] * SEATS
        points[self.takers[-1]] += 5
        for place, card in enumerate(self.played):
            values = TRUMP_POINTS if card.suit == self.trump_suit else PLAIN_POINTS
            values = UNTRUMPED_POINTS if self.trump_suit is None else values
            points[self.takers[place // SEATS]] += values.get(card.rank, 0)
        rule, scores = self._earned(points)
        self.totals = [sum(both) for both in zip(self.totals, scores, strict=True)]
        scored = event("DEAL_SCORED", deal=self.deal, points=points, scores=scores)
        scored["mittlere"]["rule"] = f"MITTLERE_SCORING_RULE_{rule}"
        self.deal += 1
        self.dealer = (self.dealer + 1) % SEATS
        return {"event": scored}

    def _earned(self, points: list[int]) -> tuple[str, list[int]]:
        tricks = [self.takers.count(seat) for seat in range(SEATS)]
        if max(tricks) == 12:
            return "ALL_TRICKS", [2 if number == 12 else -1 for number in tricks]
        if 0 in tricks:
            return "NO_TRICK", [1 if number else -2 for number in tricks]
        if max(points) >= 100:
            return "HUNDRED", [-2 if number >= 100 else 1 for number in points]
        if len(set(points)) < SEATS:
            return "EQUAL", [0, 0, 0]
        middle = sorted(points)[1]
        return "MIDDLE", [-2 if number == middle else 1 for number in points]

    def view(self, seat: int) -> Json:
        table = filled(deal=self.deal, deals=self.deals, dealer=self.dealer, leader=self.leader, takers=self.takers)
        cards = filled(hand=names(self.hands[seat]), trick=names(self.trick), played=names(self.played))
        return {"mittlere": {**table, **cards, **self.trump, "totals": self.totals}}

    def outcome(self) -> Json:
        placings = [1 + sum(other > score for other in self.totals) for score in self.totals]
        return {"reason": "OUTCOME_REASON_DEALS_PLAYED", "scores": self.totals, "placings": placings}


def action(card: Card) -> Json:
    return {"mittlere": {"card": card.name}}


def judged(answer: Json, match: Match, legal: list[Card]) -> tuple[Card | None, str, str]:
    """Return the card that an answer stands for, the rule that it breaks, and the field to blame."""
    if "action" in answer:
        beside = [field for field in ("amount", "cards", "extra") if field in answer]
        card = BY_NAME.get(answer["action"]["mittlere"].get("card", ""))
        rule = "answer" if card is None or beside else match.check(card)
        return card, rule, [*beside, "action.mittlere.card"][0] if rule else ""
    if "legal_action" not in answer:
        return None, "answer", "action_choice"
    number = answer["legal_action"]
    if not 1 <= number <= len(legal):
        return None, "answer", "legal_action"
    for field in ("extra", "amount", "cards"):
        if field in answer:
            return None, "answer", field
    return legal[number - 1], "", ""


def hold(lines: Iterable[str]) -> int:
    """Hold the rules against a conformance file, and return the number of steps compared."""
    steps, match = 0, Match(0)
    for text in lines:
        line = json.loads(text)
        if line["line"] == "match":
            match = Match(line["options"]["mittlere"]["deals"])
            assert line["sides"] == [0, 1, 2]
        elif line["line"] == "shuffle":
            assert match.actor is None
            assert (line["deal"], line["shuffle"], line["pack"]) == (match.deal, 0, names(PACK))
            assert list(match.supply([BY_NAME[card] for card in line["cards"]])) == line["events"]
            steps += 1
        elif line["line"] == "decision":
            _decide(match, line)
            steps += 1
        elif line["line"] == "outcome":
            assert match.deal == match.deals
            assert line["outcome"] == match.outcome()
        elif line["line"] == "unfinished":
            assert match.actor is None
            assert match.deal < match.deals
    return steps


def _decide(match: Match, line: Json) -> None:
    decision, seat = line["decision"], match.actor
    assert seat is not None
    match.numbers[seat] += 1
    assert (decision.get("seat", 0), decision["number"]) == (seat, match.numbers[seat])
    assert decision["view"] == match.view(seat)
    listed = [BY_NAME[legal["action"]["mittlere"]["card"]] for legal in decision["actions"]]
    assert sorted(listed) == match.legal()
    assert decision["actions"] == [{"id": number, "action": action(card)} for number, card in enumerate(listed, 1)]
    assert "extras" not in decision
    assert decision["default_answer"] == {"action": action(match.default())}
    for refused in line.get("refused", ()):
        assert judged(refused["answer"], match, listed)[1:] == (refused["rule"], refused["field"])
    card, rule, _ = judged(line["answer"], match, listed)
    assert card is not None
    assert not rule
    assert line["action"] == action(card)
    assert list(match.apply(card)) == line["events"]
