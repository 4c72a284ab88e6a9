"""Write the test vectors of decisions in ``clients/vectors``, or check that they are up to date.

``decisions.jsonl`` has a decision of each game, as bots log theirs. ``legality.json`` has decisions, and the verdict of
the referee on answers to them.
"""

import argparse
import base64
import json
import sys
from collections.abc import Hashable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from google.protobuf.json_format import MessageToDict

from ordago import v1
from ordago.game import LegalAction, Parts, State
from ordago.games.definition import AnyGame
from ordago.match import PastDecision, decisions_of
from ordago.match.answers import Offer, judge
from ordago.record.opening import opening
from ordago_bot import play_locally
from ordago_bot.house.baselines import RandomBot
from ordago_cli.match.records import logged

FOLDER: Final = Path(__file__).parents[1] / "clients/vectors"
_SEATS: Final = {"mitaines": 4, "mitigati": 3, "mittlere": 3, "mus": 4, "taihe": 3}
_OPTIONS: Final = {"mus": {"signals": "partner"}}
"""Options that differ from their defaults: only in Mus there are extras, if signals are on."""
_CONCEDING: Final = ("mus",)
"""Games whose decisions here allow conceding."""
_SEED: Final = bytes(range(16))
"""The seed of the bots: records have none, and the readers of the file need one."""
_MATCHES: Final = 12
"""Matches of each game that decisions are chosen from; enough for all kinds of open parts and extras."""
_MOST_ACTIONS: Final = 12
"""The most legal actions of a decision that is chosen, so that people can read it."""
_FOREIGN: Final = v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_UNSPECIFIED)))


class Asked(NamedTuple):
    """A decision, with the state that it was asked in."""

    past: PastDecision
    game: AnyGame
    state: State[Hashable, Hashable, object]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of open parts and of actions that the decision has."""
        kinds = set()
        for legal in self.past.decision.actions:
            arm = getattr(legal.action, str(legal.action.WhichOneof("game")))
            kind = getattr(arm, "kind", 0)
            kinds.add(f"kind {kind}, amount {legal.HasField('amount')}, picks {min(2, len(legal.picks))}")
        return frozenset(kinds | ({"extras"} if self.past.decision.extras else set()))


def asked(name: str) -> Iterator[Asked]:
    """Yield decisions of random matches of a game."""
    bots, options = [RandomBot] * _SEATS[name], _OPTIONS.get(name, {})
    for match in play_locally(bots, name, options=options, seed="vectors", matches=_MATCHES):
        past = [decisions_of(match.record, seat) for seat in range(_SEATS[name])]
        begun = opening(match.record)
        state = begun.state
        for entry in match.record.entries:
            if entry.HasField("shuffle"):
                state.supply(tuple(entry.shuffle.cards))
            elif entry.HasField("choice"):
                one = Asked(next(past[entry.choice.seat]), begun.game, state)
                one.past.decision.may_concede = name in _CONCEDING
                yield one
                state.apply(begun.game.codec.action_from(entry.choice.action))


def chosen(name: str) -> Iterator[Asked]:
    """Yield decisions that together have all kinds of parts, with the state of the moment."""
    known: set[str] = set()
    for at in asked(name):
        if len(at.past.decision.actions) <= _MOST_ACTIONS and not at.kinds <= known:
            known |= at.kinds
            yield at


def candidates(at: Asked) -> Iterator[v1.Answer]:
    """Yield answers, right and wrong ones."""
    decision, legal_actions = at.past.decision, at.state.legal_actions()
    yield v1.Answer()
    yield decision.default_answer
    yield v1.Answer(legal_action=len(legal_actions) + 1)
    yield _FOREIGN
    for answer in (v1.Answer(legal_action=1), decision.default_answer, v1.Answer()):
        conceding = v1.Answer(concede=True)
        conceding.MergeFrom(answer)
        yield conceding
    kinds = set()
    for number, legal in enumerate(legal_actions, start=1):
        kind = legal.amount is None, len(legal.picks)
        if kind not in kinds:
            kinds.add(kind)
            yield from _numbered(v1.Answer(legal_action=number), legal, extras=len(decision.extras))
            yield from _typed(at, legal)


def _numbered(answer: v1.Answer, legal: LegalAction[Hashable], *, extras: int) -> Iterator[v1.Answer]:
    """Yield answers that take a legal action by its number."""
    amounts = [None, 3] if legal.amount is None else [legal.amount.min - 1, legal.amount.min, legal.amount.max, None]
    least, *others = list(_picks(legal))
    for amount in amounts:
        yield _filled(answer, amount, least)
    usual = None if legal.amount is None else legal.amount.max
    for cards in others:
        yield _filled(answer, usual, cards)
    if extras:
        for extra in (1, extras, extras + 1):
            given = _filled(answer, usual, least)
            given.extra = extra
            yield given


def _picks(legal: LegalAction[Hashable]) -> Iterator[list[int]]:
    """Yield choices of cards, the first of which fits."""
    if not legal.picks:
        yield []
        yield [1]
        return
    least = [card for pick in legal.picks for card in pick.cards[: pick.min]]
    most = [card for pick in legal.picks for card in pick.cards[: pick.max]]
    yield least
    yield most
    yield list(reversed(most))
    yield least[:-1]
    yield [*least, *least[:1]]
    yield [card for pick in legal.picks for card in pick.cards[: pick.max + 1]]
    yield [*least[1:], next(card for card in range(1, 200) if all(card not in pick.cards for pick in legal.picks))]


def _filled(answer: v1.Answer, amount: int | None, cards: list[int]) -> v1.Answer:
    filled = v1.Answer()
    filled.CopyFrom(answer)
    if amount is not None:
        filled.amount = amount
    filled.cards.extend(cards)
    return filled


def _typed(at: Asked, legal: LegalAction[Hashable]) -> Iterator[v1.Answer]:
    """Yield typed answers: the legal action filled in, the same with a field beside it, and changed ones."""
    extras = [None, *at.state.extras()]
    least = next(_picks(legal))
    for extra in extras[:3]:
        amount = None if legal.amount is None else legal.amount.min
        action = at.game.rules.fill(legal, Parts(amount=amount, cards=tuple(sorted(least)), extra=extra))
        yield v1.Answer(action=at.game.codec.action(action))
        yield v1.Answer(action=_turned(at, at.game.codec.action(action)))
    yield v1.Answer(action=at.game.codec.action(action), amount=3)
    for name, value in (("amount", 1000), ("card", 1), ("cards", [1])):
        changed = v1.Answer(action=at.game.codec.action(action))
        arm = getattr(changed.action, at.game.name)
        if name in arm.DESCRIPTOR.fields_by_name:
            getattr(arm, name).extend(value) if isinstance(value, list) else setattr(arm, name, value)
            yield changed


def _turned(at: Asked, action: v1.Action) -> v1.Action:
    """Return an action with its cards in the opposite order, if it has any."""
    arm = getattr(action, at.game.name)
    if "cards" in arm.DESCRIPTOR.fields_by_name:
        arm.cards[:] = list(arm.cards)[::-1]
    return action


def verdict(at: Asked, answer: v1.Answer) -> bool:
    """Return True if the referee takes an answer."""
    offer = Offer(at.state.legal_actions(), at.state.extras())
    allowed, serialized = at.past.decision.may_concede, answer.SerializeToString()
    return judge(serialized, game=at.game, state=at.state, offer=offer, may_concede=allowed).violation is None


def case(at: Asked) -> dict[str, Any]:
    """Return a decision with answers and verdicts."""
    distinct = {answer.SerializeToString(): answer for answer in candidates(at)}
    return {
        "decision": MessageToDict(at.past.decision),
        "bytes": _base64(at.past.decision.SerializeToString()),
        "answers": [
            {"answer": MessageToDict(answer), "bytes": _base64(content), "legal": verdict(at, answer)}
            for content, answer in distinct.items()
        ],
    }


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def legality() -> str:
    """Return the text of ``legality.json``: a decision a line, then its answers, a line each."""
    return "[\n" + ",\n".join(_case_text(case(at)) for name in _SEATS for at in chosen(name)) + "\n]\n"


def _case_text(case: dict[str, Any]) -> str:
    answers = ",\n".join(f"   {_json(answer)}" for answer in case["answers"])
    head = f'"decision": {_json(case["decision"])},\n  "bytes": {_json(case["bytes"])}'
    return f' {{{head},\n  "answers": [\n{answers}\n  ]}}'


def decisions() -> str:
    """Return the text of ``decisions.jsonl``: of each game a decision that is neither the first nor a simple one."""
    return "".join(_decision_line(name) + "\n" for name in _SEATS)


def _decision_line(name: str) -> str:
    several = (at.past for at in asked(name) if 3 <= len(at.past.decision.actions) <= _MOST_ACTIONS)
    past = next(islice(several, _SEATS[name], None))
    past.start.seed = _SEED
    return logged(past).json_line().rstrip("\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    for name, text in (("decisions.jsonl", decisions()), ("legality.json", legality())):
        path = FOLDER / name
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{name} is not up to date; make proto writes it anew")


if __name__ == "__main__":
    main()
