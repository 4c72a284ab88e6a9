"""Judge the answers of bots: each becomes a complete action of the game, or the rule that it breaks."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final, final

from ordago import v1
from ordago.game import LegalAction, Parts, Pick, State, Violation
from ordago.games.definition import AnyGame
from ordago.wire.codec import NoSuchActionError
from ordago.wire.frames import short_answer


@final
class Ruling:
    """The referee's ruling on an answer: an action or a violation, exactly one of the two.

    Attributes:
        action: the action that it stands for.
        violation: the rule that it breaks.
        concede: True if it also concedes the match.
    """

    __slots__ = ("action", "concede", "violation")

    def __init__(
        self, action: Hashable | None = None, violation: Violation | None = None, *, concede: bool = False
    ) -> None:
        """Rule on an answer."""
        self.action: Final = action
        self.concede: Final = concede
        self.violation: Final = violation


@final
class Offer:
    """The choices that a decision offers.

    Attributes:
        legal_actions: the legal actions, in order.
        extras: the declarations that may be made along with some of them, in order.
    """

    __slots__ = ("extras", "legal_actions")

    def __init__(self, legal_actions: Sequence[LegalAction[Hashable]], extras: Sequence[Hashable]) -> None:
        """Offer them."""
        self.legal_actions: Final = legal_actions
        self.extras: Final = extras


def judge(
    serialized: bytes,
    *,
    game: AnyGame,
    state: State[Hashable, Hashable, object],
    offer: Offer,
    may_concede: bool = False,
) -> Ruling:
    """Return the action that an answer of the actor stands for, or the rule that it breaks.

    The field of a violation is a path from the answer, for instance ``action.mittlere.card``.

    Args:
        serialized: the ``v1.Answer``, serialized.
        game: the game.
        state: where the match stands.
        offer: what the decision offers.
        may_concede: True if the answer may concede the match.
    """
    short = short_answer(serialized)
    if isinstance(short, bytes):
        return _typed(short, game=game, state=state)
    if short is not None:
        chosen = _closed_action(short, offer.legal_actions)
        if chosen is not None:
            return chosen
    answer = v1.Answer.FromString(serialized)
    if not answer.concede:
        return _judged(answer, game=game, state=state, offer=offer)
    if not may_concede:
        return _broken("answer", "this match cannot be conceded: leave concede of the answer empty", "concede")
    answer.ClearField("concede")
    ruling = _judged(answer, game=game, state=state, offer=offer)
    return Ruling(ruling.action, concede=True) if ruling.violation is None else ruling


def _judged(answer: v1.Answer, *, game: AnyGame, state: State[Hashable, Hashable, object], offer: Offer) -> Ruling:
    named = answer.WhichOneof("action_choice")
    if named == "legal_action":
        return _numbered(answer, game=game, state=state, offer=offer)
    if named == "action":
        return _beside_typed(answer) or _typed(answer.action.SerializeToString(), game=game, state=state)
    return _broken("answer", "the answer names neither a legal action nor a typed action", "action_choice")


def _closed_action(number: int, legal_actions: Sequence[LegalAction[Hashable]]) -> Ruling | None:
    """Return the ruling for a legal action without open parts, as most answers are; ``None`` for anything else."""
    if not 1 <= number <= len(legal_actions):
        return None
    legal = legal_actions[number - 1]
    return None if legal.amount or legal.picks else Ruling(legal.action)


def _beside_typed(answer: v1.Answer) -> Ruling | None:
    """Refuse an answer with fields beside its typed action, which would be ignored; ``None`` if there are none."""
    beside = [field.name for field, _ in answer.ListFields() if field.name != "action"]
    if not beside:
        return None
    sentence = f"a typed action holds all of its parts itself: leave {beside[0]} of the answer empty"
    return _broken("answer", sentence, beside[0])


def _typed(serialized: bytes, *, game: AnyGame, state: State[Hashable, Hashable, object]) -> Ruling:
    try:
        action = game.codec.action_from_bytes(serialized)
    except NoSuchActionError as error:
        return _broken("answer", str(error), _path(serialized, error.field, game))
    violation = state.check(action)
    if violation is None:
        return Ruling(action)
    return Ruling(violation=violation._replace(field=_path(serialized, violation.field, game)))


def _path(serialized: bytes, field: str, game: AnyGame) -> str:
    """Return the path from the answer to a field of its typed action."""
    own = game.name if game.name in v1.Action.DESCRIPTOR.fields_by_name else "other"
    arm = v1.Action.FromString(serialized).WhichOneof("game") or own
    return f"action.{arm}.{field}".rstrip(".")


def _numbered(answer: v1.Answer, *, game: AnyGame, state: State[Hashable, Hashable, object], offer: Offer) -> Ruling:
    last = len(offer.legal_actions)
    if not 1 <= answer.legal_action <= last:
        sentence = f"there is no legal action {answer.legal_action}; they are numbered 1 to {last}"
        return _broken("answer", sentence, "legal_action")
    legal = offer.legal_actions[answer.legal_action - 1]
    violation = _parts_violation(answer, legal, extras=len(offer.extras))
    if violation is not None:
        return Ruling(violation=violation)
    if not (legal.amount or legal.picks or answer.extra):
        return Ruling(legal.action)
    action: Hashable = game.rules.fill(legal, _parts(answer, offer.extras))
    # Open parts that fit one by one may still break a rule of the game together.
    violation = state.check(action)
    return Ruling(action) if violation is None else Ruling(violation=violation._replace(field="legal_action"))


def _parts(answer: v1.Answer, extras: Sequence[Hashable]) -> Parts[Hashable]:
    """Return the open parts. Cards are sorted, so that their order in the answer carries no information."""
    return Parts(
        amount=answer.amount if answer.HasField("amount") else None,
        cards=tuple(sorted(answer.cards)),
        extra=extras[answer.extra - 1] if answer.extra else None,
    )


def _parts_violation(answer: v1.Answer, legal: LegalAction[Hashable], *, extras: int) -> Violation | None:
    if answer.extra > extras:
        return Violation("answer", f"there is no extra {answer.extra}; this decision has {extras}", "extra")
    return _amount_violation(answer, legal) or _cards_violation(answer.cards, legal.picks)


def _amount_violation(answer: v1.Answer, legal: LegalAction[Hashable]) -> Violation | None:
    given = answer.HasField("amount")
    if legal.amount is None:
        return Violation("answer", "this action takes no amount", "amount") if given else None
    if given and legal.amount.min <= answer.amount <= legal.amount.max:
        return None
    got = f"not {answer.amount}" if given else "and none was given"
    sentence = f"this action takes an amount from {legal.amount.min} to {legal.amount.max}, {got}"
    return Violation("answer", sentence, "amount")


def _cards_violation(cards: Sequence[int], picks: Sequence[Pick]) -> Violation | None:
    if not picks:
        return Violation("answer", "this action takes no cards", "cards") if cards else None
    offered = {card for pick in picks for card in pick.cards}
    if any(card not in offered for card in cards):
        return Violation("answer", "a card was picked that is not offered", "cards")
    if any(number > 1 for number in Counter(cards).values()):
        return Violation("answer", "a card was picked twice", "cards")
    for pick in picks:
        number = len(set(cards) & set(pick.cards))
        if not pick.min <= number <= pick.max:
            sentence = f"between {pick.min} and {pick.max} cards are to be picked from a group, not {number}"
            return Violation("answer", sentence, "cards")
    return None


def _broken(rule: str, sentence: str, field: str) -> Ruling:
    return Ruling(violation=Violation(rule, sentence, field))
