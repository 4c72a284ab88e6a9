"""Games that tell a seat something of the hand of its neighbour, so that it can be seen whether that is found."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ordago.game import LegalAction, Violation
from ordago.games.definition import AnyGame


def neighbours_hand(state: Any) -> int:
    """Return the hand, as a bit mask, of the seat after the one that is to act."""
    hands: Sequence[int] = state.hands if hasattr(state, "hands") else state.holdings.hands
    return hands[(state.actor + 1) % len(hands)]


class TellingRefusal:
    """Leaks into the sentence of a refusal."""

    __slots__ = ()

    def check(self, action: object) -> Violation | None:
        violation: Violation | None = super().check(action)  # type: ignore[misc]  # it is mixed into a state
        return violation and violation._replace(sentence=f"{violation.sentence} {neighbours_hand(self) % 7}")


class TellingOrder:
    """Leaks into the order of the legal actions."""

    __slots__ = ()

    def legal_actions(self) -> Sequence[LegalAction[Any]]:
        legal: Sequence[LegalAction[Any]] = super().legal_actions()  # type: ignore[misc]  # it is mixed into a state
        return legal if neighbours_hand(self) % 7 < 3 else legal[::-1]


class TellingDefault:
    """Leaks into the default action."""

    __slots__ = ()

    def default_action(self) -> Any:
        legal = self.legal_actions()  # type: ignore[attr-defined]  # it is mixed into a state
        plain = [action.action for action in legal if not action.amount and not action.picks]
        silent = super().default_action()  # type: ignore[misc]  # it is mixed into a state
        return plain[neighbours_hand(self) % 7 % len(plain)] if plain else silent


class TellingTime:
    """Takes longer to refuse an answer if the neighbour holds a card."""

    __slots__ = ()
    card = 0
    seconds = 0.0

    def check(self, action: object) -> Violation | None:
        if neighbours_hand(self) >> self.card & 1:
            until = time.perf_counter() + self.seconds
            while time.perf_counter() < until:
                pass
        return super().check(action)  # type: ignore[misc,no-any-return]  # it is mixed into a state


@dataclass(frozen=True)
class _LeakingRules:
    """The rules of a game, whose states leak."""

    rules: Any
    leak: type

    def new_match(self, **how: Any) -> Any:
        """Return a match before its first shuffle."""
        state = self.rules.new_match(**how)
        assert not hasattr(state, "__dict__"), (
            f"{type(state).__name__} needs __slots__: only then can it be made to leak"
        )
        state.__class__ = type(self.leak.__name__, (self.leak, type(state)), {"__slots__": ()})
        return state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)


def leaking(game: AnyGame, leak: type) -> AnyGame:
    """Return a game that leaks."""
    return replace(game, rules=_LeakingRules(game.rules, leak))
