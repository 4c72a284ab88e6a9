"""What may be said, and how it is refused otherwise: extras, open parts, needless ones."""

import pytest
from games.mus.table import (
    HANDS,
    action,
    cards,
    dealt,
    say,
)

from ordago.game import AmountRange, Parts
from ordago.games.mus.rules import RULES
from ordago.games.mus.state import MusState
from ordago.games.mus.values import (
    ActionKind,
    MusAction,
    MusOptions,
    Signal,
)


def test_extras_are_the_true_signals() -> None:
    state = dealt("Ro Rc 4o 4c", "Re Cc 4e 6c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="open")
    assert [extra.signal for extra in state.extras()] == [Signal.TWO_KINGS, Signal.DUPLES, Signal.CUT_MUS]
    assert all(extra == MusAction(signal=extra.signal) for extra in state.extras())
    assert dealt(*HANDS, signals="off").extras() == ()


def test_an_extra_by_itself_is_no_action() -> None:
    state = dealt("Ro Rc 4o 4c", "Re Cc 4e 6c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="open")
    violation = state.check(state.extras()[0])
    assert violation is not None
    assert violation.rule == "not_asked"


def test_open_parts_are_filled_in() -> None:
    state = dealt("Ro Rc 4o 4c", "Re Cc 4e 6c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="open")
    asked, _ = state.legal_actions()
    assert RULES.fill(asked, Parts(extra=state.extras()[0])) == action("mus ~two kings")
    say(state, "mus", "mus", "mus", "mus")
    (discard,) = state.legal_actions()
    assert RULES.fill(discard, Parts(cards=tuple(cards("4o 4c")))) == action("discard 4o 4c")
    state = dealt(*HANDS)
    say(state, "no mus")
    assert RULES.fill(state.legal_actions()[1], Parts(amount=7)) == action("envido 7")


def test_a_signal_is_made_along_with_a_bet_and_what_does_not_belong_there_is_not_lost() -> None:
    state = dealt("Ro Rc 4o 4c", "Re Cc 4e 6c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="open")
    say(state, "no mus")
    paso, envido, _ = state.legal_actions()
    assert RULES.fill(envido, Parts(amount=7, extra=state.extras()[0])) == action("envido 7 ~two kings")
    for filled in (RULES.fill(envido, Parts(amount=7, cards=(100,))), RULES.fill(paso, Parts(amount=7))):
        violation = state.check(filled)
        assert violation is not None
        assert violation.rule == "needless"


@pytest.mark.parametrize("target", [10, 100, 1_000])
def test_bets_go_up_to_the_target_whoever_set_it(target: int) -> None:
    state = MusState(MusOptions(target=target))
    dealt(*HANDS, state=state)
    say(state, "no mus")
    assert state.legal_actions()[1].amount == AmountRange(2, target)
    say(state, f"envido {target - 2}")
    assert [legal.amount for legal in state.legal_actions()[4:6]] == [AmountRange(2, 2)] * 2
    say(state, "envido 2!")
    assert [legal.amount for legal in state.legal_actions()] == [None] * 6


@pytest.mark.parametrize(
    ("said", "wrong", "sentence", "field"),
    [
        ([], "paso", "You are asked for mus: say mus or no mus.", "kind"),
        (["mus"] * 4, "mus", "Everybody said mus: discard 1 to 4 cards.", "kind"),
        (["mus"] * 4, "discard Rc", "You do not hold Rc: discard cards of your hand.", "cards"),
        (["mus"] * 4, "discard", "Discard 1 to 4 cards, not 0.", "cards"),
        (["no mus"], "quiero", "Nobody has bet on grande: say paso, envido or órdago.", "kind"),
        (["no mus"], "envido 1", "A bet or a raise is at least 2 points, not 1.", "amount"),
        (["no mus"], "envido 41", "The stake of a lance may not pass 40 points: the most is 40, not 41.", "amount"),
        (
            *(["no mus", "envido 39"], "envido 2"),
            *("The stake of a lance may not pass 40 points: no raise fits, but órdago does, not 2.", "amount"),
        ),
        (
            *(["no mus", "envido"], "paso"),
            *("The other side has bet on grande: say no quiero, quiero, envido or órdago.", "kind"),
        ),
        (["no mus", "órdago"], "paso", "The other side said órdago on grande: say quiero or no quiero.", "kind"),
        (["no mus", "órdago"], "órdago", "An órdago cannot be raised: say quiero or no quiero.", "kind"),
        (["no mus"], "paso!", "Only an answer to a bet can be binding: leave it false.", "binding"),
        ([], "mus ~bet more", "Not now: signal bet more in the betting.", "signal"),
        ([], "mus ~solomillo", "There is solomillo only with the option more_signals: leave it out.", "signal"),
    ],
)
def test_refusals_say_what_would_be_right(said: list[str], wrong: str, sentence: str, field: str) -> None:
    state = dealt(*HANDS)
    say(state, *said)
    violation = state.check(action(wrong))
    assert violation is not None
    assert (violation.sentence, violation.field) == (sentence, field)


def test_needless_parts_are_refused() -> None:
    state = dealt(*HANDS)
    for wrong, field in (
        (MusAction(ActionKind.MUS, amount=2), "amount"),
        (action("mus")._replace(cards=(79,)), "cards"),
    ):
        violation = state.check(wrong)
        assert violation is not None
        assert (violation.rule, violation.field) == ("needless", field)


def test_an_untrue_signal_is_refused_without_telling_what_would_be_true() -> None:
    state = dealt("Ro Rc 4o 4c", "Re Cc 4e 6c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="open")
    violation = state.check(action("mus ~two aces"))
    assert violation is not None
    assert violation.sentence == "A signal must be true, and two aces is not."
