"""The reasons for refusing an action, in words that say what would be legal."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import FRENCH_SUITS, NO_CARD, card_set, french, holds, sign, signs
from ordago.game import Violation
from ordago.games.taihe.combinations import COMBINATIONS, NOTHING, STRONGER, Combination, Kind, combination_of
from ordago.games.taihe.members import TO_PLAY
from ordago.games.taihe.pack import pack_of
from ordago.games.taihe.values import ActionKind, Phase, TaiheAction

_WANTED: Final = {
    Phase.BETWEEN_DEALS: ((), "It is nobody's turn: wait for the cards."),
    Phase.DECLARING: (
        (ActionKind.PASS, ActionKind.DECLARE),
        "This is the first round of bidding: pass or declare.",
    ),
    Phase.EXCHANGING: (
        (ActionKind.PASS, ActionKind.ASK),
        "This is the second round of bidding: pass or ask for a card.",
    ),
    Phase.GIVING_BACK: ((ActionKind.GIVE_BACK,), "You received the card that you asked for: give a card back."),
    Phase.PLAYING: ((ActionKind.PASS, ActionKind.PLAY), "The bidding is over: pass or play cards."),
}
_WITH_CARD: Final = (ActionKind.ASK, ActionKind.GIVE_BACK)


def kind_refusal(action: TaiheAction, *, phase: Phase) -> Violation | None:
    """Return the rule broken by the kind of an action, or by a part that its kind does not have."""
    kinds, sentence = _WANTED[phase]
    if action.kind not in kinds:
        return Violation("wrong_kind", sentence, "kind")
    if action.card and action.kind not in _WITH_CARD:
        return Violation("superfluous", "Leave the single card empty: this action names none.", "card")
    if action.cards and action.kind is not TO_PLAY:
        return Violation("superfluous", "Leave the cards empty: they are for playing a combination.", "cards")
    return None


def ask_refusal(card: int, *, hand: int, asked: int, seats: int) -> Violation | None:
    """Return the rule broken by asking for a card, when others were asked for before: all of them as sets."""
    if card not in pack_of(seats):
        return Violation("not_in_pack", f"Name a card of the pack of {seats} players that you do not hold.", "card")
    if holds(hand, card):
        return Violation("own_card", f"You hold {sign(card)} yourself: ask for a card that you do not hold.", "card")
    if holds(asked, card):
        return Violation("asked_before", f"{sign(card)} was asked for in this bidding: ask for another card.", "card")
    return None


def give_back_refusal(card: int, *, hand: int, received: int) -> Violation | None:
    """Return the rule broken by giving a card back for the one received."""
    if not _is_held(card, hand):
        return Violation("not_in_hand", "You do not hold this card: give back a card of your hand.", "card")
    if card == received:
        return Violation("just_received", f"You have just received {sign(card)}: give back another card.", "card")
    return None


def _is_held(card: int, hand: int) -> bool:
    """Return True if a card is in a hand, for any number given as a card."""
    return card > NO_CARD and holds(hand, card)


def pass_refusal(*, to_beat: int) -> Violation | None:
    """Return the rule broken by passing in the play, where the combination of this number is to be beaten."""
    if to_beat == NOTHING:
        return Violation("lead", "You are to lead, and a lead is no pass: play any combination.", "kind")
    return None


def play_refusal(cards: Sequence[int], *, hand: int, to_beat: int) -> Violation | None:
    """Return the rule broken by playing cards where the combination of this number is to be beaten."""
    if not all(_is_held(card, hand) for card in cards):
        return Violation("not_in_hand", "You do not hold all of these cards: play cards of your hand.", "cards")
    played = card_set(cards)
    if played.bit_count() < len(cards):
        return Violation("card_twice", "A card is named twice: name each card once.", "cards")
    number = combination_of(played)
    if number == NOTHING:
        return Violation("no_combination", _no_combination(cards), "cards")
    if STRONGER[to_beat] >> number & 1:
        return None
    return _too_weak(COMBINATIONS[number], COMBINATIONS[to_beat])


def _no_combination(cards: Sequence[int]) -> str:
    known = "one, two, three or four of a rank, a sequence or a double sequence within K Q J 10 9 or 7 6 5 4"
    return f"{signs(cards) or 'Nothing'} is no combination: play {known}."


def _too_weak(played: Combination, to_beat: Combination) -> Violation:
    wanted = _stronger_than(to_beat)
    if (played.kind, played.size) == (to_beat.kind, to_beat.size):
        return Violation("not_higher", f"Equal or lower does not beat it: play {wanted}, or pass.", "cards")
    return Violation("other_combination", f"This does not answer it: play {wanted}, or pass.", "cards")


def _stronger_than(combination: Combination) -> str:
    top = _rank_sign(combination.ranks[-1])
    match combination.kind:
        case Kind.SINGLE:
            return f"a card higher than {top} or a bomb"
        case Kind.PAIR:
            return f"a pair higher than {top} or a bomb"
        case Kind.SEQUENCE:
            return f"a sequence of {combination.size} with a top higher than {top} or a bomb"
        case Kind.DOUBLE_SEQUENCE:
            return f"a double sequence of {combination.size} with a top higher than {top} or a bomb"
        case Kind.TRIPLE:
            return f"three of a rank higher than {top} or four of any rank"
        case Kind.QUAD:
            return f"four of a rank higher than {top}"


def _rank_sign(rank: int) -> str:
    return sign(french(FRENCH_SUITS[0], rank))[:-1]
