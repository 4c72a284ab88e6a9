"""A running match as a person sees it from its seat.

The referee sends a seat the events together with its next decision, but a person wants to see each at once. So this
module follows the match choice by choice, with the same rules, choices and shuffles. It gives out only the events that
the seat may see (``Event.seen_by``), the legal actions of the seat, and the rule that an answer breaks.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from ordago import v1
from ordago.cards import NO_CARD
from ordago.game import CHANCE, Event, LegalAction, Parts, State, Violation
from ordago.match import MatchTerms
from ordago.match.answers import Offer, judge
from ordago.scene import Staging, Telling
from ordago_ladder.showing.scene_json import Json, Translate, patch, scene_json

_CHOICE: Final = "choice"


class SeatView:
    """A match as a seat sees it."""

    def __init__(self, terms: MatchTerms, seat: int, translate: Translate = str) -> None:
        """Begin before the first shuffle.

        Args:
            terms: the terms of the match.
            seat: the seat that sees.
            translate: translates English texts to the language of the person.
        """
        self._game = terms.game
        self._seat = seat
        self._translate = translate
        self._deals = terms.deals.source
        self._state: State[Any, Any, Any] = self._game.rules.new_match(seats=len(terms.seats), options=terms.options)
        self._staging = terms.game.staging
        self._stage = self._staging.begin(players=[seat.name for seat in terms.seats], options=terms.options)
        self.scene: dict[str, Json] = scene_json(self._stage.scene(), translate)
        """The scene on the table."""

    @property
    def actor(self) -> int | None:
        """The seat that is to act; ``None`` if none is."""
        return self._state.actor if self._state.actor >= 0 else None

    def begin(self) -> list[dict[str, Json]]:
        """Return the steps up to the first decision."""
        return self._shown(self._shuffles())

    def chosen(self, entry: bytes) -> list[dict[str, Json]]:
        """Apply a choice, and return the steps up to the next decision.

        Args:
            entry: the choice as in the record, a serialized entry of it.
        """
        choice = v1.MatchRecord.FromString(entry).entries[0].choice
        caused = [*self._state.apply(self._game.codec.action_from(choice.action)), *self._shuffles()]
        return self._shown(caused)

    def _shuffles(self) -> list[Event[Any]]:
        caused: list[Event[Any]] = []
        while self._state.actor == CHANCE:
            caused += self._state.supply(self._deals.shuffled(self._state.shuffle_due()))
        return caused

    def _shown(self, events: Sequence[Event[Any]]) -> list[dict[str, Json]]:
        """Return the steps of some events. An event without words is merged into the one before it."""
        shown: list[tuple[Telling, dict[str, Json]]] = []
        for event in events:
            seen = event.seen_by(self._seat)
            if seen is None:
                continue
            telling = self._stage.apply(seen)
            scene = scene_json(self._stage.scene(), self._translate)
            if telling.sentence is None and shown:
                telling = shown.pop()[0]
            shown.append((telling, scene))
        return list(self._steps(shown))

    def _steps(self, shown: Sequence[tuple[Telling, dict[str, Json]]]) -> Iterator[dict[str, Json]]:
        for place, (telling, scene) in enumerate(shown):
            # The next actor is shown only after all effects of the choice.
            actor = self.actor if place == len(shown) - 1 else None
            yield self._step(telling, patch(self.scene, scene), actor)
            self.scene = scene

    def _step(self, telling: Telling, changed: dict[str, Json], actor: int | None) -> dict[str, Json]:
        step: dict[str, Json] = {"actor": actor, "patch": changed}
        if telling.sentence is not None:
            step["told"] = telling.sentence.written(self._translate)
        if telling.seat is not None:
            step["seat"] = telling.seat
        if telling.mark is not None:
            step["mark"] = telling.mark.title.written(self._translate)
            step["section"] = telling.mark.section.value
        return step

    def decision(self, number: int) -> dict[str, Json]:
        """Return the open decision of the seat as JSON, as ``decision_json`` describes."""
        return decision_json(
            number,
            legal=self._state.legal_actions(),
            extras=self._state.extras(),
            default=self._state.default_action(),
            staging=self._staging,
            fill=self._game.rules.fill,
            translate=self._translate,
        )

    def violation(self, answer: v1.Answer) -> Violation | None:
        """Return the rule that an answer to the open decision breaks; ``None`` if it is legal."""
        offer = Offer(self._state.legal_actions(), self._state.extras())
        return judge(answer.SerializeToString(), game=self._game, state=self._state, offer=offer).violation


Fill: TypeAlias = Callable[[LegalAction[Any], Parts[Any]], Hashable]
"""A function that fills in the open parts of a legal action, as ``Rules.fill`` does."""


def decision_json(
    number: int,
    *,
    legal: Sequence[LegalAction[Any]],
    extras: Sequence[Any],
    default: Any,  # noqa: ANN401 - an action of whatever game it is
    staging: Staging[Any, Any, Any],
    fill: Fill,
    translate: Translate,
) -> dict[str, Json]:
    """Return a decision as JSON. Actions and extras have the numbers that bots use, from 1.

    The shape, in which empty parts are left out::

        {"number": 7, "offers": [OFFER], "extras": [{"extra": 1, "words": "…"}], "default": {"words": "…", …ANSWER}}

        OFFER: {"action": 1, "words": "Play 10♥", "cards": [36], "amount": {"min": 2, "max": 40},
                "picks": [{"cards": [3, 5], "min": 1, "max": 1}]}
        ANSWER: {"action": 1, "amount": 5, "cards": [3]}
    """
    found: dict[str, Json] = {
        "number": number,
        "offers": [_offer(place, each, staging, translate) for place, each in enumerate(legal, start=1)],
    }
    if extras:
        found["extras"] = [
            {"extra": place, "words": staging.offer(LegalAction(extra)).sentence.written(translate)}
            for place, extra in enumerate(extras, start=1)
        ]
    words = staging.offer(LegalAction(default)).sentence.written(translate)
    found["default"] = {"words": words, **_answer_of(default, legal, fill)}
    return found


def _offer(
    number: int, legal: LegalAction[Any], staging: Staging[Any, Any, Any], translate: Translate
) -> dict[str, Json]:
    offer = staging.offer(legal)
    found: dict[str, Json] = {"action": number, "words": offer.sentence.written(translate)}
    if offer.cards:
        found["cards"] = list(offer.cards)
    if legal.amount is not None:
        found["amount"] = legal.amount._asdict()
    if legal.picks:
        found["picks"] = [{"cards": list(pick.cards), "min": pick.min, "max": pick.max} for pick in legal.picks]
    return found


def _answer_of(action: Any, legal: Sequence[LegalAction[Any]], fill: Fill) -> dict[str, Json]:  # noqa: ANN401 - as above
    """Return the answer that gives this complete action, by the number of a legal one; empty if there is none."""
    for number, each in enumerate(legal, start=1):
        amount, cards = _amount(action, each), _cards(action, each)
        if _fits(each, amount, cards) and _filled(each, Parts(amount, cards), fill) == action:
            answer: dict[str, Json] = {"action": number}
            if amount is not None:
                answer["amount"] = amount
            if cards:
                answer["cards"] = list(cards)
            return answer
    return {}


def _filled(legal: LegalAction[Any], parts: Parts[Any], fill: Fill) -> Hashable:
    action: Hashable = fill(legal, parts) if legal.amount or legal.picks else legal.action
    return action


def _amount(action: Any, legal: LegalAction[Any]) -> int | None:  # noqa: ANN401 - as above
    return getattr(action, "amount", None) if legal.amount else None


def _cards(action: Any, legal: LegalAction[Any]) -> tuple[int, ...]:  # noqa: ANN401 - as above
    """Return the cards of an action that may be picked for the legal one."""
    named = (*getattr(action, "cards", ()), getattr(action, "card", NO_CARD))
    return tuple(sorted(card for pick in legal.picks for card in pick.cards if card in named))


def _fits(legal: LegalAction[Any], amount: int | None, cards: Sequence[int]) -> bool:
    if legal.amount is not None and not (amount is not None and legal.amount.min <= amount <= legal.amount.max):
        return False
    return all(pick.min <= len(set(cards) & set(pick.cards)) <= pick.max for pick in legal.picks)
