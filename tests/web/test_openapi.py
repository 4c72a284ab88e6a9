"""The description of all calls: valid, complete, and what answers really are."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

import ordago_web.api
from ordago import v1
from ordago_web.answers import answer_json
from ordago_web.api import CALLS

DESCRIPTION = json.loads((Path(ordago_web.api.__file__).parent / "openapi.json").read_text(encoding="utf-8"))
ANSWERS = [
    v1.GetLadderResponse(
        games=[v1.LadderGame(game="mus", seats=4, options=v1.GameOptions(mus=v1.MusOptions()))],
        clock=v1.ClockTerms(decision_ms=1000),
        anchor=bytes(32),
    ),
    v1.ListStandingsResponse(standings=[v1.Standing(player=v1.LadderPlayer(name="ana"), rating=v1.Rating(elo=-1.5))]),
    v1.GetBotResponse(versions=[v1.BotVersion(ratings=[v1.GameRating(rating=v1.Rating())])]),
    v1.GetMatchResponse(match=v1.LadderMatch(stage=v1.MATCH_STAGE_OVER, seats=[v1.LadderSeat(score=-3)])),
    v1.ListEpochsResponse(epochs=[v1.Epoch(link=bytes(32))], next_page_token="MQ=="),  # noqa: S106 - it opens nothing
]


def test_it_is_valid():
    OpenAPIV31SpecValidator(DESCRIPTION).validate()


def test_it_tells_of_all_calls_and_explains_everything():
    assert set(DESCRIPTION["paths"]) == {call.path for call in CALLS}
    assert '"description": ""' not in json.dumps(DESCRIPTION)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.DESCRIPTOR.name)
def test_answers_are_what_it_says(answer):
    schema = {"$ref": f"#/components/schemas/{answer.DESCRIPTOR.name}", "components": DESCRIPTION["components"]}
    told = json.loads(answer_json(answer))
    assert not list(Draft202012Validator(schema).iter_errors(told))
    told[next(iter(told))] = 7
    assert list(Draft202012Validator(schema).iter_errors(told))
