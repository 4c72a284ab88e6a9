"""What a bot may return, and what is made of it."""

from random import Random

import pytest

import ordago_bot
from ordago import v1
from ordago.version import __version__
from ordago_bot import complete
from ordago_bot.bot import answer_of

BID = v1.LegalAction(id=2, amount=v1.AmountRange(min=-3, max=5))
THROW = v1.LegalAction(id=3, picks=[v1.Pick(cards=[6, 7, 8, 9], min=0, max=3), v1.Pick(cards=[20, 21], min=1, max=1)])

DECISION = v1.Decision(default_answer=v1.Answer(legal_action=9))


def test_a_legal_action_is_named_by_its_number() -> None:
    assert answer_of(v1.LegalAction(id=7), DECISION) == v1.Answer(legal_action=7)


def test_an_action_is_taken_as_it_is() -> None:
    action = v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_SIX_OF_CLUBS))
    assert answer_of(action, DECISION) == v1.Answer(action=action)


def test_an_answer_is_taken_as_it_is() -> None:
    answer = v1.Answer(legal_action=2, amount=3)
    assert answer_of(answer, DECISION) is answer


@pytest.mark.parametrize("chosen", [None, 3, "1", v1.MittlereAction(), v1.Decision()])
def test_anything_else_is_told_to_the_author(chosen: object) -> None:
    returned = "no answer" if chosen is None else f"{type(chosen).__name__}, no answer"
    with pytest.raises(TypeError) as error:
        answer_of(chosen, DECISION)
    assert str(error.value) == f"it returned {returned}"
    assert error.value.__notes__ == ["choose() and refused() have to return a LegalAction, an Action or an Answer."]


def test_only_a_default_answer_may_name_no_action() -> None:
    for empty in (v1.Answer(), v1.Answer(amount=3, extra=1)):
        with pytest.raises(ValueError, match="its answer names no action"):
            answer_of(empty, DECISION)
        assert answer_of(empty, v1.Decision(default_answer=empty)) is empty


def test_an_action_without_open_parts_is_complete() -> None:
    assert complete(v1.LegalAction(id=1), Random(1)) == v1.Answer(legal_action=1)


def test_all_amounts_are_drawn() -> None:
    rng = Random(1)
    answers = [complete(BID, rng) for _ in range(300)]
    assert {answer.legal_action for answer in answers} == {2}
    assert {answer.amount for answer in answers} == set(range(-3, 6))
    assert all(answer.HasField("amount") for answer in answers), "an amount of 0 is an amount"


def test_cards_are_drawn_from_each_group_within_its_numbers() -> None:
    rng = Random(1)
    answers = [list(complete(THROW, rng).cards) for _ in range(300)]
    first = [[card for card in cards if card < 20] for cards in answers]
    second = [[card for card in cards if card >= 20] for cards in answers]
    assert {len(cards) for cards in first} == {0, 1, 2, 3}
    assert {tuple(cards) for cards in second} == {(20,), (21,)}
    assert all(len(set(cards)) == len(cards) for cards in answers)


def test_the_same_chance_gives_the_same_answer() -> None:
    assert complete(THROW, Random(5)) == complete(THROW, Random(5))


def test_an_empty_group_is_left_empty() -> None:
    action = v1.LegalAction(id=1, picks=[v1.Pick(min=0, max=0)])
    assert complete(action, Random(1)) == v1.Answer(legal_action=1)


def test_a_python_shell_completes_all_public_names() -> None:
    assert dir(ordago_bot) == sorted(ordago_bot.__all__)
    assert all(hasattr(ordago_bot, name) for name in ordago_bot.__all__)
    assert ordago_bot.__version__ == __version__
