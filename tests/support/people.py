"""People who play in tests: without a browser, by the JSON that one gets and sends."""

import json
from random import Random
from typing import Any

from ordago import v1
from ordago_bot.house.advice import Advice, advice
from ordago_web.play.answers import read_answer
from ordago_web.play.human_match import HumanMatch
from ordago_web.play.opponents import thought
from ordago_web.play.thinking import Thought
from ordago_web.play.wishes import Wish, read_wish

SHORT = {
    "mitaines": {"option-max_deals": "1"},
    "mitigati": {"option-max_struck": "1"},
    "mittlere": {"option-deals": "3"},
    "mus": {"option-target": "10", "option-signals": "partner"},
    "taihe": {"option-deals": "2"},
}
"""Options of short matches; those of Mus let signals be made. A game that is not here is played with its defaults."""
OWNER, ORIGIN = "a session", "127.0.0.1"


class ThinkingHere:
    """Answers for the house in this process, at once."""

    async def answer(self, question: Thought) -> v1.Answer:
        start, decision = v1.MatchStart.FromString(question.start), v1.Decision.FromString(question.decision)
        return thought(start, decision, question.strength)

    async def advise(self, question: Thought) -> Advice | None:
        return advice(v1.MatchStart.FromString(question.start).game, v1.Decision.FromString(question.decision))


def wish(game: str, *, seat: int = 1, players: str = "", strength: str = "chance", **fields: str) -> Wish:
    """Return a short match against weak bots."""
    opponents = {f"opponent-{number}": strength for number in range(1, 5)}
    form = {"game": game, "length": "set", "seat": str(seat), "players": players, **SHORT.get(game, {}), **opponents}
    return read_wish(form | fields)


def by_chance(decision: dict[str, Any], rng: Random) -> bytes:
    """Return an answer to a decision that fits what it offers."""
    offer = rng.choice(decision["offers"])
    answer: dict[str, Any] = {"decision": decision["number"], "action": offer["action"]}
    if "amount" in offer:
        answer["amount"] = rng.randint(offer["amount"]["min"], min(offer["amount"]["max"], offer["amount"]["min"] + 9))
    if "picks" in offer:
        picked = [rng.sample(pick["cards"], rng.randint(pick["min"], pick["max"])) for pick in offer["picks"]]
        answer["cards"] = [card for cards in picked for card in cards]
    if "extras" in decision and rng.random() < 0.5:
        answer["extra"] = rng.choice(decision["extras"])["extra"]
    return json.dumps(answer).encode()


def by_default(decision: dict[str, Any], _rng: Random) -> bytes:
    """Return the default answer."""
    answer = {name: value for name, value in decision["default"].items() if name != "words"}
    return json.dumps({"decision": decision["number"], **answer}).encode()


class Person:
    """Somebody who plays a match to its end, and keeps what he is told."""

    def __init__(self, human_match: HumanMatch, *, seed: int = 0, choose: Any = by_chance) -> None:
        self.human_match = human_match
        self.told: list[tuple[str, Any]] = []
        self.refused: list[str] = []
        self._rng = Random(seed)
        self._choose = choose

    async def play(self) -> Any:
        """Play, and return what he is told of the end."""
        async for message in self.human_match.listen(None, beat_seconds=15):
            if message is None:
                continue
            self.told.append((message.event, json.loads(message.data)))
            if message.event == "decision":
                self.decide(self.told[-1][1])
        event, end = self.told[-1]
        assert event == "end"
        return end

    def decide(self, decision: Any) -> None:
        """Answer, again where a rule of the game is broken: with the default in the end."""
        for _ in range(20):
            violation = self.human_match.answer(read_answer(self._choose(decision, self._rng)))
            if violation is None:
                return
            self.refused.append(violation.sentence)
        assert self.human_match.answer(read_answer(by_default(decision, self._rng))) is None
