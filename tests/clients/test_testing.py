"""What authors test their bots with."""

import base64
import json
import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from ordago import v1
from ordago_bot import Bot, complete
from ordago_bot.house.baselines import RandomBot
from ordago_bot.house.solid import SolidBot
from ordago_bot.testing import Asked, PlayError, ask, decision, is_legal, load_decisions, play

VECTORS = Path(__file__).parents[2] / "clients/vectors"
ASKED = load_decisions(VECTORS / "decisions.jsonl")
LEGALITY = json.loads((VECTORS / "legality.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", LEGALITY, ids=lambda case: next(iter(case["decision"]["view"])))
def test_an_answer_is_legal_where_the_referee_takes_it(case: dict[str, Any]) -> None:
    asked = ParseDict(case["decision"], v1.Decision())
    for answer in case["answers"]:
        found = v1.Answer.FromString(base64.b64decode(answer["bytes"]))
        assert is_legal(asked, found) == answer["legal"], answer["answer"]


def test_the_referee_has_taken_and_refused_answers() -> None:
    verdicts = [answer["legal"] for case in LEGALITY for answer in case["answers"]]
    assert min(verdicts.count(True), verdicts.count(False)) > 50


def test_what_a_bot_may_return_may_be_legal() -> None:
    asked = ASKED[0].decision
    assert is_legal(asked, asked.default_answer)
    assert is_legal(asked, asked.actions[0].action)
    assert not is_legal(asked, None)  # type: ignore[arg-type]  # as an author might
    assert not is_legal(asked, v1.Answer())


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.match.game)
@pytest.mark.parametrize("bot", [RandomBot, SolidBot])
def test_the_house_bots_answer_legally(bot: type[Bot], asked: Asked) -> None:
    assert is_legal(asked.decision, ask(bot, asked))


class Drawing(Bot):
    async def choose(self, decision: v1.Decision) -> Any:
        return complete(self.random.choice(decision.actions), self.random)

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Any:
        return v1.Answer(legal_action=decision.actions[0].id, amount=self.random.getrandbits(20), extra=refusal.strikes)


def test_a_bot_is_asked_with_the_random_numbers_of_the_decision() -> None:
    """The answers of the file are those of the house's random bot."""
    asked = max(ASKED, key=lambda one: len(one.decision.actions))
    answers = {ask(Drawing, asked).SerializeToString() for _ in range(5)}
    assert answers == {ask(RandomBot, asked).SerializeToString()}


def test_a_bot_is_asked_again_after_it_was_asked() -> None:
    again = Asked(ASKED[0].start, ASKED[0].decision, refused=v1.Refused(strikes=2))
    first, second = ask(Drawing, again), ask(Drawing, again)
    assert first == second
    assert first.extra == 2


def test_a_bot_can_be_given_little_time() -> None:
    left = []

    class Noting(RandomBot):
        def choose(self, decision: v1.Decision) -> Any:
            left.append(self.time_left())
            return super().choose(decision)

    ask(Noting, ASKED[0])
    ask(Noting, ASKED[0], seconds=0)
    assert left == [math.inf, 0.0]


def test_a_decision_is_found_by_what_has_to_hold_for_it() -> None:
    def last_card(one: v1.Decision) -> bool:
        return len(one.view.mittlere.hand) == 1 and len(one.view.mittlere.trick) == 2

    found = decision("mittlere", where=last_card, seed="a", options={"deals": 3})
    assert last_card(found.decision)
    assert found == decision("mittlere", where=last_card, seed="a", options={"deals": 3})
    assert found != decision("mittlere", where=last_card, seed="b", options={"deals": 3})
    assert found.match.options.mittlere.deals == 3
    assert is_legal(found.decision, ask(RandomBot, found))


def test_a_decision_that_is_never_made_is_told() -> None:
    with pytest.raises(LookupError, match="for no decision of 20 matches of mittlere"):
        decision("mittlere", where=lambda _: False, options={"deals": 3})


@pytest.mark.slow
def test_matches_are_played_between_programs() -> None:
    bots = [f"cmd:{sys.executable} -m ordago_bot random", "house:default", "house:default"]
    matches = play("mittlere", bots, matches=3, options={"deals": 3}, seed="00", timeout=120)
    assert [match.number for match in matches] == [1, 2, 3]
    assert all(
        [seat.bot for seat in match.seats] != [seat.bot for seat in later.seats] for match, later in pairwise(matches)
    )
    first = matches[0]
    assert (first.game, first.faults, first.forfeits) == ("mittlere", 0, ())
    assert (first.of(0).name, first.of(0).strikes) == ("random", {})
    assert sum(seat.score for seat in first.seats) == 0


@pytest.mark.slow
def test_matches_that_cannot_be_played_are_told() -> None:
    with pytest.raises(PlayError, match=r"exit code 2: (?s:.*)unheardof"):
        play("unheardof", ["house:random"])


def test_a_program_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.delenv("ORDAGO_PROGRAM", raising=False)
    with pytest.raises(PlayError, match="no program ordago on the path"):
        play("mittlere", [])
    monkeypatch.setenv("ORDAGO_PROGRAM", str(tmp_path / "mine"))
    with pytest.raises(PlayError, match="mine cannot be run: No such file or directory"):
        play("mittlere", [])
