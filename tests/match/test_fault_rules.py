"""Answers that are refused, late or never come, and what they cost."""

from collections.abc import Sequence
from typing import Any

import pytest
from support.matches import match_terms
from support.players import FakePlayer, Strategy, Thought, by_number, play_match

from ordago import v1
from ordago.games.mittlere.pack import PACK
from ordago.match import sentence_of
from ordago.record import verify


def first_seat(strategy: Strategy, *, thinks: float = 0.0, **changes: Any) -> tuple[FakePlayer, v1.MatchRecord]:
    """Play a match in which seat 0 follows a strategy; return it and the record."""
    player = FakePlayer(strategy, thinks=thinks)
    record = play_match(match_terms(**changes), [player, FakePlayer(), FakePlayer()])
    assert not verify(record)
    return player, record


def first_choice(record: v1.MatchRecord) -> v1.RecordedChoice:
    return next(entry.choice for entry in record.entries if entry.HasField("choice"))


def closed_by_default(fault: v1.Fault, default: v1.Answer, *, charged_ms: int) -> v1.Accepted:
    """Return what is told of the first decision of a seat when the default answer is taken."""
    sentence = sentence_of(fault)
    assert sentence
    return v1.Accepted(number=1, charged_ms=charged_ms, fault=fault, answer=default, sentence=sentence, faults_left=9)


def a_card_not_held(decision: v1.Decision) -> v1.Answer:
    card = next(card for card in PACK if card not in decision.view.mittlere.hand)
    return v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=card)))  # type: ignore[arg-type]


def wrong(times: int) -> Strategy:
    """Return a strategy that is wrong so often at its first decision, and right from then on."""

    def strategy(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        return a_card_not_held(decision) if decision.number == 1 and len(refusals) < times else by_number(decision)

    return strategy


def test_an_illegal_action_is_refused_with_the_rule_and_then_a_legal_one_is_taken() -> None:
    player, record = first_seat(wrong(1), thinks=0.25)
    assert [type(message) for message in player.told[1:4]] == [v1.Decision, v1.Refused, v1.Accepted]
    [refused] = player.refused
    assert refused.number == 1
    assert refused.fault == v1.FAULT_ILLEGAL
    assert refused.rule == "not_in_hand"
    assert "You do not hold" in refused.sentence
    assert refused.field == "action.mittlere.card"
    assert (refused.strikes, refused.strikes_left) == (1, 2)
    assert refused.time_left_ms == 9_750
    assert player.accepted[0] == v1.Accepted(number=1, charged_ms=500)
    choice = first_choice(record)
    assert (choice.strikes, choice.fault, choice.charged_ms) == (1, v1.FAULT_UNSPECIFIED, 500)
    assert choice.action == player.decisions[0].actions[-1].action


def test_strikes_are_counted_for_each_decision_anew() -> None:
    def always_wrong_once(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        return by_number(decision) if refusals else a_card_not_held(decision)

    player, _ = first_seat(always_wrong_once)
    assert len(player.refused) == len(player.decisions)
    assert {refused.strikes for refused in player.refused} == {1}
    assert not any(accepted.fault for accepted in player.accepted)


def test_with_the_last_strike_the_default_is_taken() -> None:
    player, record = first_seat(wrong(99), thinks=0.25)
    assert [(refused.strikes, refused.strikes_left) for refused in player.refused] == [(1, 2), (2, 1), (3, 0)]
    assert [refused.time_left_ms for refused in player.refused] == [9_750, 9_500, 0]
    assert player.refused[2].rule == "not_in_hand", "the last strike says which rule was broken, as all do"
    default = player.decisions[0].default_answer
    assert player.accepted[0] == closed_by_default(v1.FAULT_ILLEGAL, default, charged_ms=750)
    choice = first_choice(record)
    assert (choice.action, choice.strikes, choice.fault) == (default.action, 3, v1.FAULT_ILLEGAL)
    assert list(choice.broken_rules) == [refused.rule for refused in player.refused] == ["not_in_hand"] * 3
    assert not any(accepted.fault for accepted in player.accepted[1:])


def test_one_strike_is_one_strike() -> None:
    player, _ = first_seat(wrong(1), strikes=1)
    [refused] = player.refused
    assert (refused.strikes, refused.strikes_left) == (1, 0)
    assert player.accepted[0].fault == v1.FAULT_ILLEGAL


@pytest.mark.parametrize(
    ("answer", "rule", "field"),
    [
        (v1.Answer(), "answer", "action_choice"),
        (v1.Answer(legal_action=0), "answer", "legal_action"),
        (v1.Answer(legal_action=37), "answer", "legal_action"),
        (v1.Answer(legal_action=2**32 - 1), "answer", "legal_action"),
        (v1.Answer(legal_action=1, amount=1), "answer", "amount"),
        (v1.Answer(legal_action=1, cards=[v1.CARD_SIX_OF_CLUBS]), "answer", "cards"),
        (v1.Answer(legal_action=1, extra=1), "answer", "extra"),
        (v1.Answer(action=v1.Action()), "answer", "action.mittlere"),
        (v1.Answer(action=v1.Action(mittlere=v1.MittlereAction())), "answer", "action.mittlere.card"),
        (v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=12345))), "answer", "action.mittlere.card"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_answer_is_refused_with_the_field(answer: v1.Answer, rule: str, field: str) -> None:
    player, _ = first_seat(lambda decision, refusals: by_number(decision) if refusals else answer)
    assert (player.refused[0].rule, player.refused[0].field) == (rule, field)
    assert player.refused[0].sentence


def test_an_action_of_another_game_is_refused() -> None:
    answer = v1.Answer()
    answer.action.other.type_url = "type.googleapis.com/elsewhere.Action"
    player, _ = first_seat(lambda decision, refusals: by_number(decision) if refusals else answer)
    assert player.refused[0].field == "action.other"
    assert "Mittlere Jass" in player.refused[0].sentence


@pytest.mark.parametrize("decision_ms", [1, 1_001, 4_357, 10_000])
def test_silence_costs_the_whole_time_of_the_decision_and_the_default_is_taken(decision_ms: int) -> None:
    player, record = first_seat(lambda *_: None, decision_ms=decision_ms)
    assert {accepted.charged_ms for accepted in player.accepted} == {decision_ms}
    assert {accepted.fault for accepted in player.accepted} == {v1.FAULT_TOO_LATE}
    answers = [accepted.answer for accepted in player.accepted]
    assert answers == [decision.default_answer for decision in player.decisions]
    assert first_choice(record).charged_ms == decision_ms


def test_the_time_runs_on_while_answers_are_refused() -> None:
    """The third of three answers, each after 400 ms, would come after a second."""
    player, _ = first_seat(wrong(2), thinks=0.4, decision_ms=1000)
    assert [refused.time_left_ms for refused in player.refused] == [600, 200]
    default = player.decisions[0].default_answer
    assert player.accepted[0] == closed_by_default(v1.FAULT_TOO_LATE, default, charged_ms=1000)


@pytest.mark.parametrize("milliseconds", [0, 1, 7, 57, 290, 570, 1_001, 4_035, 8_200, 10_000])
def test_what_is_charged_is_exact(milliseconds: int) -> None:
    player, _ = first_seat(by_number, thinks=milliseconds / 1000)
    assert {accepted.charged_ms for accepted in player.accepted} == {milliseconds}


def test_a_player_who_is_not_there_has_the_default_taken_for_him() -> None:
    player, record = first_seat(lambda *_: v1.FAULT_DISCONNECTED, thinks=0.125)
    assert {accepted.fault for accepted in player.accepted} == {v1.FAULT_DISCONNECTED}
    assert {accepted.charged_ms for accepted in player.accepted} == {125}
    assert first_choice(record).fault == v1.FAULT_DISCONNECTED


def test_who_leaves_while_his_answer_is_refused_has_the_default_taken_for_him() -> None:
    def leaves(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        return v1.FAULT_DISCONNECTED if refusals else a_card_not_held(decision)

    player, record = first_seat(leaves)
    assert player.accepted[0].fault == v1.FAULT_DISCONNECTED
    assert first_choice(record).strikes == 1


def test_the_faults_of_one_do_not_show_to_the_others() -> None:
    """Apart from the default action itself, which looks like any other."""
    spoiled = [FakePlayer(wrong(99)), FakePlayer(), FakePlayer()]
    play_match(match_terms(), spoiled)

    def default_first(decision: v1.Decision, _refusals: object) -> Thought:
        return decision.default_answer if decision.number == 1 else by_number(decision)

    clean = [FakePlayer(default_first), FakePlayer(), FakePlayer()]
    play_match(match_terms(), clean)
    assert spoiled[1].told == clean[1].told
    assert spoiled[2].told == clean[2].told
