"""From answers with open parts to complete actions, in a game that has all kinds of them."""

import pytest
from support.haggle import GAME, HIGH, LOW, Action, Bid, HaggleState, Stay, Throw
from support.legal_actions import legal_action_message
from support.matches import match_terms
from support.players import FakePlayer, play_match

from ordago import v1
from ordago.game import LegalAction, Violation
from ordago.match.answers import Offer, Ruling, judge
from ordago.match.seat_clock import TimeLeft
from ordago.wire.decision_parts import decision_parts

STAY, BID, THROW = 1, 2, 3
NOD, WINK = 1, 2


def judged(answer: v1.Answer, *, hand: tuple[int, ...] = (1, 2, 5, 6)) -> Ruling:
    state = HaggleState()
    state.supply([*hand, *(card for card in LOW + HIGH if card not in hand)])
    return judge(answer.SerializeToString(), game=GAME, state=state, offer=Offer(state.legal_actions(), state.extras()))


def typed(action: Action) -> v1.Answer:
    return v1.Answer(action=GAME.codec.action(action))


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (v1.Answer(legal_action=STAY), Stay()),
        (v1.Answer(legal_action=STAY, extra=WINK), Stay(signal="wink")),
        (v1.Answer(legal_action=BID, amount=8), Bid(8)),
        (v1.Answer(legal_action=BID, amount=-2), Bid(-2)),
        (v1.Answer(legal_action=BID, amount=0), Bid(0)),
        (v1.Answer(legal_action=BID, amount=4, extra=NOD), Bid(4, "nod")),
        (v1.Answer(legal_action=THROW, cards=[2, 1, 5]), Throw((1, 2, 5))),
        (v1.Answer(legal_action=THROW, cards=[6]), Throw((6,))),
        (v1.Answer(legal_action=THROW, cards=[6], extra=NOD), Throw((6,), "nod")),
        (typed(Stay(signal="nod")), Stay(signal="nod")),
        (typed(Bid(6)), Bid(6)),
        (typed(Throw((2, 5))), Throw((2, 5))),
    ],
)
def test_an_answer_is_made_a_complete_action(answer: v1.Answer, action: Action) -> None:
    verdict = judged(answer)
    assert verdict.violation is None
    assert verdict.action == action
    assert type(verdict.action) is type(action)


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (v1.Answer(legal_action=4), "legal_action"),
        (v1.Answer(legal_action=STAY, amount=0), "amount"),
        (v1.Answer(legal_action=STAY, cards=[1]), "cards"),
        (v1.Answer(legal_action=STAY, extra=3), "extra"),
        (v1.Answer(legal_action=BID), "amount"),
        (v1.Answer(legal_action=BID, amount=10), "amount"),
        (v1.Answer(legal_action=BID, amount=-3), "amount"),
        (v1.Answer(legal_action=BID, amount=2, cards=[1]), "cards"),
        (v1.Answer(legal_action=THROW, cards=[5, 6]), "cards"),
        (v1.Answer(legal_action=THROW, cards=[3]), "cards"),
        (v1.Answer(legal_action=THROW, cards=[1, 1]), "cards"),
        (v1.Answer(legal_action=THROW, cards=[0]), "cards"),
        (v1.Answer(legal_action=THROW, cards=[1], amount=1), "amount"),
    ],
)
def test_parts_that_do_not_fit_are_refused_with_the_field(answer: v1.Answer, field: str) -> None:
    verdict = judged(answer)
    assert verdict.action is None
    assert verdict.violation is not None
    assert (verdict.violation.rule, verdict.violation.field) == ("answer", field)
    assert verdict.violation.sentence


@pytest.mark.parametrize(("amount", "got"), [({}, "and none was given"), ({"amount": 10}, "not 10")])
def test_an_amount_that_does_not_fit_is_told(amount: dict[str, int], got: str) -> None:
    violation = judged(v1.Answer(legal_action=BID, **amount)).violation
    assert violation is not None
    assert violation.sentence == f"this action takes an amount from -2 to 9, {got}"


@pytest.mark.parametrize(
    ("answer", "rule", "field"),
    [
        (v1.Answer(legal_action=BID, amount=3), "even", "legal_action"),
        (v1.Answer(legal_action=THROW), "nothing", "legal_action"),
        (typed(Bid(3)), "even", "action.other.number"),
        (typed(Throw((3,))), "not_in_hand", "action.other.cards"),
    ],
)
def test_parts_that_fit_one_by_one_may_break_a_rule_together(answer: v1.Answer, rule: str, field: str) -> None:
    violation = judged(answer).violation
    assert violation is not None
    assert (violation.rule, violation.field) == (rule, field)


@pytest.mark.parametrize(
    ("beside", "field"),
    [
        (v1.Answer(amount=0), "amount"),
        (v1.Answer(cards=[1]), "cards"),
        (v1.Answer(extra=WINK), "extra"),
        (v1.Answer(extra=99), "extra"),
    ],
)
def test_parts_beside_a_typed_action_are_refused_and_not_lost(beside: v1.Answer, field: str) -> None:
    answer = typed(Stay())
    answer.MergeFrom(beside)
    violation = judged(answer).violation
    sentence = f"a typed action holds all of its parts itself: leave {field} of the answer empty"
    assert violation == Violation("answer", sentence, field)


def test_what_the_codec_cannot_read_is_refused_with_its_field() -> None:
    answer = typed(Stay())
    answer.action.other.value = answer.action.other.value.replace(b"Stay", b"Fold")
    violation = judged(answer).violation
    assert violation is not None
    assert (violation.rule, violation.sentence, violation.field) == ("answer", "There is no Fold.", "action.other.kind")


def test_an_empty_pick_is_no_reason_to_refuse() -> None:
    """A hand without high cards leaves the second group empty."""
    assert judged(v1.Answer(legal_action=THROW, cards=[4, 1]), hand=LOW).action == Throw((1, 4))


def test_actions_of_two_types_with_equal_fields_are_two_actions() -> None:
    assert Stay(2) == Bid(2), "as tuples they are equal"
    parts = decision_parts(GAME.codec)
    for default in (Stay(2), Bid(2)):
        put = parts.decision(
            number=1,
            seat=0,
            first_event=1,
            events=[],
            legal_actions=[LegalAction(default)],
            extras=[],
            default=default,
            view=b"",
        )
        decision = v1.Decision.FromString(put.serialized(TimeLeft(1).serialized()))
        assert decision.actions[0].action == GAME.codec.action(default)
        assert decision.default_answer == typed(default)


def test_open_parts_stand_beside_the_action() -> None:
    state = HaggleState()
    state.supply(LOW + HIGH)
    stay, bid, throw = (legal_action_message(GAME, 7, legal) for legal in state.legal_actions())
    assert (stay.id, stay.HasField("amount"), list(stay.picks)) == (7, False, [])
    assert bid.amount == v1.AmountRange(min=-2, max=9)
    assert [(list(pick.cards), pick.min, pick.max) for pick in throw.picks] == [([1, 2, 3, 4], 0, 4), ([], 0, 0)]


@pytest.mark.virtual_time
def test_a_match_with_open_parts() -> None:
    answers = [v1.Answer(legal_action=BID, amount=4, extra=WINK), v1.Answer(legal_action=THROW, cards=[5])]
    players = [FakePlayer(lambda *_, answer=answer: answer) for answer in answers]
    shuffled = (1, 2, 3, 4, 5, 6, 7, 8)
    record = play_match(match_terms(GAME, source=FixedDeals(shuffled)), players)
    actions = [entry.choice.action for entry in record.entries if entry.HasField("choice")]
    assert actions == [GAME.codec.action(Bid(4, "wink")), GAME.codec.action(Throw((5,)))]
    assert list(record.outcome.scores) == [4, 0]
    [decision] = players[0].decisions
    assert [extra.id for extra in decision.extras] == [NOD, WINK]
    assert [extra.action for extra in decision.extras] == [
        GAME.codec.action(Stay(signal="nod")),
        GAME.codec.action(Stay(signal="wink")),
    ]


class FixedDeals:
    """Always the same outcome."""

    def __init__(self, cards: tuple[int, ...]) -> None:
        self._cards = cards

    def shuffled(self, _due: object) -> tuple[int, ...]:
        return self._cards
