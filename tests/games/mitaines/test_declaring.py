"""What is offered is exactly what is legal, judged a second time by counting ranks."""

from itertools import islice
from random import Random

import pytest
from games.mitaines.table import at_table, cards, eager_step, mid_deal, new_match, step

from ordago.cards import cards_in, french_rank
from ordago.game import CHANCE, FINISHED
from ordago.games.mitaines.combinations import COMBINATIONS, OWN_CARDS, POINTS, STRENGTH, Combination
from ordago.games.mitaines.pack import PACK
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import PLAY, PlayCard

STRONG_TO_WEAK = [11, 1, 14, 13, 10, 9, 8, 7, 6, 5, 4, 3, 2]
KIND = {"MITTEN": 1, "GLOVE": 2, "SOCK": 3, "ADDED_GLOVE": 2, "ADDED_SOCK": 3}


def is_legal(action: PlayCard, state: MitainesState) -> bool:
    """Judge an action by the sentences of the rule page, with lists and names instead of sets and tables."""
    hand = cards_in(state.hands[state.actor])
    rank, said = french_rank(action.card), action.combination.name
    standing = state.declaration
    if action.card not in hand:
        return False
    if standing is not None and standing.seat == state.actor:
        return rank == standing.rank and said == "NONE"
    if said == "NONE":
        return True
    added = said.startswith("ADDED")
    if added and (not state.pile or french_rank(state.pile[-1]) != rank):
        return False
    if [french_rank(card) for card in hand].count(rank) < KIND[said] + 1 - added:
        return False
    return standing is None or is_stronger((KIND[said], rank), (KIND[standing.combination.name], standing.rank))


def is_stronger(one: tuple[int, int], other: tuple[int, int]) -> bool:
    if one[0] != other[0]:
        return one[0] > other[0]
    return STRONG_TO_WEAK.index(one[1]) < STRONG_TO_WEAK.index(other[1])


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_that_is_legal_is_offered_and_nothing_else(seats: int) -> None:
    """Checked for all 312 actions at each decision of some deals, in order."""
    rng = Random(seats)
    state = new_match(seats=seats, target=10_000, max_deals=8)
    standing = 0
    while state.actor != FINISHED:
        if state.actor != CHANCE:
            legal = [action for actions in PLAY.values() for action in actions if is_legal(action, state)]
            assert [offered.action for offered in state.legal_actions()] == legal
            unbroken = [action for actions in PLAY.values() for action in actions if state.check(action) is None]
            assert unbroken == legal
            assert state.default_action() in legal
            standing += state.declaration is not None and state.declaration.seat != state.actor
        eager_step(state, rng) if rng.random() < 0.7 else step(state, rng)
    assert standing > 40


def test_nothing_is_open_in_an_action() -> None:
    for legal in mid_deal(1, plays=7).legal_actions():
        assert (legal.amount, legal.picks) == (None, ())


def test_actions_are_made_once() -> None:
    """The actions offered are the very objects of the table, so that none is made during play."""
    for legal in mid_deal(1, plays=7).legal_actions():
        assert legal.action is PLAY[legal.action.card][legal.action.combination]


def test_strengths_stand_in_one_line() -> None:
    """Mittens, gloves, socks, each from twos to jacks; an added one is as strong as a plain one."""
    plain = (Combination.MITTEN, Combination.GLOVE, Combination.SOCK)
    line = [STRENGTH[combination][rank] for combination in plain for rank in reversed(STRONG_TO_WEAK)]
    assert line == sorted(set(line))
    assert min(line) > STRENGTH[Combination.NONE][11] == 0
    assert STRENGTH[Combination.ADDED_GLOVE] == STRENGTH[Combination.GLOVE]
    assert STRENGTH[Combination.ADDED_SOCK] == STRENGTH[Combination.SOCK]


@pytest.mark.parametrize(
    ("combination", "own_cards", "points", "of_jacks"),
    [
        (Combination.MITTEN, 2, 10, 50),
        (Combination.GLOVE, 3, 100, 150),
        (Combination.SOCK, 4, 200, 300),
        (Combination.ADDED_GLOVE, 2, 100, 150),
        (Combination.ADDED_SOCK, 3, 200, 300),
    ],
)
def test_combinations_need_and_count_what_the_page_says(
    combination: Combination, own_cards: int, points: int, of_jacks: int
) -> None:
    assert OWN_CARDS[combination] == own_cards
    assert {POINTS[combination][rank] for rank in STRONG_TO_WEAK if rank != 11} == {points}
    assert POINTS[combination][11] == of_jacks


def test_numbers_of_combinations_are_their_places() -> None:
    assert [COMBINATIONS[combination] for combination in Combination] == list(Combination)


@pytest.mark.parametrize(
    ("card", "combination", "sentence", "field"),
    [
        ("A♥", Combination.NONE, "You do not hold A♥: play a card of your hand.", "card"),
        ("8♣", Combination.ADDED_GLOVE, "The added glove of eights needs an eight on top of the pile.", "combination"),
        ("6♣", Combination.SOCK, "The sock of sixes needs 4 sixes in your hand, and you hold 2.", "combination"),
    ],
)
def test_refusals_say_what_would_be_right(card: str, combination: Combination, sentence: str, field: str) -> None:
    state = at_table([cards("6♣ 6♦ 8♣ 8♦"), cards("9♣ 9♦ J♥ 2♣")], pile=cards("K♠"))
    violation = state.check(PLAY[cards(card)[0]][combination])
    assert violation is not None
    assert (violation.sentence, violation.field) == (sentence, field)


def test_refusals_under_a_declaration_say_what_would_be_right() -> None:
    state = at_table([cards("8♣ 8♦ 5♥ 5♠"), cards("6♣ 6♦ J♥ 2♣")], pile=cards("K♠"))
    state.apply(PLAY[cards("8♣")[0]][Combination.MITTEN])
    weaker = state.check(PLAY[cards("6♣")[0]][Combination.MITTEN])
    state.apply(PLAY[cards("2♣")[0]][Combination.NONE])
    strayed = state.check(PLAY[cards("5♥")[0]][Combination.NONE])
    again = state.check(PLAY[cards("8♦")[0]][Combination.MITTEN])
    instead = "declare something stronger or nothing"
    assert [violation and (violation.sentence, violation.field) for violation in (weaker, strayed, again)] == [
        (
            f"The mitten of sixes does not beat the mitten of eights that stands: {instead}.",
            "combination",
        ),
        ("Your mitten of eights stands: play an eight.", "card"),
        ("Your mitten of eights stands: play an eight without declaring again.", "combination"),
    ]


def test_the_pack_has_the_52_french_cards() -> None:
    assert len(PACK) == 52
    assert {french_rank(card) for card in PACK} == set(STRONG_TO_WEAK)
    assert list(islice(PACK, 3)) == cards("A♣ 2♣ 3♣")
