"""The legal plays and declarations, and the reasons for refusing others.

A table is described by two values: ``top``, the rank of the pile's top card (0 for no pile), and ``standing``, the
declaration that stands. The legal plays of its declarer depend only on the hand and the declaration's rank; those of
the others depend only on their hand and these two.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from ordago.cards import count, holds, sign
from ordago.game import LegalAction, Violation
from ordago.games.mitaines.combinations import COMBINATIONS, IS_ADDED, OWN_CARDS, STRENGTH, Combination
from ordago.games.mitaines.members import NO_COMBINATION
from ordago.games.mitaines.names import combination_words
from ordago.games.mitaines.pack import CARDS_OF_RANK, PACK, RANK_OF, plural, with_article
from ordago.games.mitaines.values import PLAY, Declaration, PlayCard

Legal: TypeAlias = LegalAction[PlayCard]

_EQUAL_CARDS: Final = 4
_PLAINLY: Final = {1 << card: LegalAction(PLAY[card][Combination.NONE]) for card in PACK}


def _declarable(card: int, *, held: int, on_top: bool) -> tuple[Legal, ...]:
    return tuple(
        LegalAction(PLAY[card][combination])
        for combination in COMBINATIONS[1:]
        if held >= OWN_CARDS[combination] and (on_top or not IS_ADDED[combination])
    )


# By the lowest card of a rank in question as a set, the number held of this rank, and whether the top card has it too.
_DECLARABLE: Final = {
    1 << card: tuple(
        tuple(_declarable(card, held=held, on_top=on_top) for on_top in (False, True))
        for held in range(_EQUAL_CARDS + 1)
    )
    for card in PACK
}
_RANK_MATES: Final = {1 << card: CARDS_OF_RANK[RANK_OF[card]] for card in PACK}
_NO_CARDS: Final = 0


def plain_actions(cards: int) -> list[Legal]:
    """Return the actions of playing a card of a set without declaring, ascending."""
    actions = []
    while cards:
        lowest = cards & -cards
        actions.append(_PLAINLY[lowest])
        cards ^= lowest
    return actions


def legal_actions(hand: int, *, top: int, standing: Declaration | None) -> list[Legal]:
    """Return the legal actions of a player other than the standing declarer, ascending by card, then by combination."""
    actions = []
    top_mates = CARDS_OF_RANK[top] if top else _NO_CARDS
    left = hand
    while left:
        lowest = left & -left
        left ^= lowest
        actions.append(_PLAINLY[lowest])
        mates = hand & _RANK_MATES[lowest]
        if mates != lowest:
            declarable = _DECLARABLE[lowest][mates.bit_count()][bool(lowest & top_mates)]
            actions += declarable if standing is None else _stronger(declarable, standing)
    return actions


def _stronger(declarable: Sequence[Legal], standing: Declaration) -> list[Legal]:
    to_beat = STRENGTH[standing.combination][standing.rank]
    return [legal for legal in declarable if strength_of(legal.action) > to_beat]


def strength_of(action: PlayCard) -> int:
    """Return the strength of the combination that an action declares; zero for none."""
    return STRENGTH[action.combination][RANK_OF[action.card]]


def broken_rule(
    action: PlayCard, hand: int, *, top: int, standing: Declaration | None, declarer: bool
) -> Violation | None:
    """Return the rule that an action breaks, or ``None`` if it is legal.

    Args:
        action: a card with or without a combination.
        hand: the cards of the player as a set.
        top: the rank of the pile's top card, 0 for no pile.
        standing: the declaration that stands.
        declarer: whether it is the player's own.
    """
    if not holds(hand, action.card):
        return Violation("not_in_hand", f"You do not hold {sign(action.card)}: play a card of your hand.", "card")
    if declarer and standing is not None:
        return _broken_by_declarer(action, standing)
    if action.combination is NO_COMBINATION:
        return None
    return _broken_by_declaring(action, hand, top=top, standing=standing)


def _broken_by_declarer(action: PlayCard, own: Declaration) -> Violation | None:
    stands = f"Your {combination_words(own.combination, own.rank).written()} stands"
    if RANK_OF[action.card] != own.rank:
        return Violation("declared_rank", f"{stands}: play {with_article(own.rank)}.", "card")
    if action.combination is not NO_COMBINATION:
        sentence = f"{stands}: play {with_article(own.rank)} without declaring again."
        return Violation("declare_again", sentence, "combination")
    return None


def _broken_by_declaring(action: PlayCard, hand: int, *, top: int, standing: Declaration | None) -> Violation | None:
    rank = RANK_OF[action.card]
    combination = combination_words(action.combination, rank).written()
    if IS_ADDED[action.combination] and top != rank:
        return Violation(
            "not_on_top", f"The {combination} needs {with_article(rank)} on top of the pile.", "combination"
        )
    held, needed = count(hand & CARDS_OF_RANK[rank]), OWN_CARDS[action.combination]
    if held < needed:
        sentence = f"The {combination} needs {needed} {plural(rank)} in your hand, and you hold {held}."
        return Violation("too_few", sentence, "combination")
    if standing is not None and strength_of(action) <= STRENGTH[standing.combination][standing.rank]:
        stands = combination_words(standing.combination, standing.rank).written()
        sentence = f"The {combination} does not beat the {stands} that stands: declare something stronger or nothing."
        return Violation("not_stronger", sentence, "combination")
    return None
