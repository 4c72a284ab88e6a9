"""The description of all calls: valid, complete, what answers really are, and what may be asked."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

import ordago_web.api
from ordago import v1
from ordago_web.answers import answer_json
from ordago_web.api import CALLS
from ordago_web.parameters import MOST_CHARACTERS, ParameterError, request_of

DESCRIPTION = json.loads((Path(ordago_web.api.__file__).parent / "openapi.json").read_text(encoding="utf-8"))
CANNOT_BE = {"integer": ["-1", "1.5", "4294967296", "x"], "boolean": ["1", "TRUE", ""]}
TEXTS = ["", "mus", "Ö ß", "a/b?c#d&e", "</script>", "漢" * 64, "x" * MOST_CHARACTERS, "\ue000", "\U0001f0a1"]
NO_TEXTS = ["\0", "a\nb", "a\n", "\u202ea", "a\u200bb", "\ufeff", "\x7f", "x" * (MOST_CHARACTERS + 1)]
PAGES = ["", "0" * 24, "f" * 24, "7ff8000000000000ffffffff"]
NO_PAGES = ["MQ==", "0" * 23, "0" * 25, "F" * 24, "0" * 24 + "\n", " " * 24]
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


def parameters() -> list:
    """Return each parameter of each call with its name."""
    calls = {call.path: call for call in CALLS}
    return [
        pytest.param(calls[path].request, one["name"], one["schema"], id=f"{path} {one['name']}")
        for path, item in DESCRIPTION["paths"].items()
        for one in item["get"]["parameters"]
    ]


@pytest.mark.parametrize(("request_type", "name", "schema"), parameters())
def test_what_it_calls_valid_is_taken_and_all_else_refused(request_type, name, schema):
    good = {"integer": ["0", "4294967295"], "boolean": ["true", "false"]}.get(schema["type"])
    bad = CANNOT_BE.get(schema["type"])
    if schema["type"] == "string":
        good, bad = (PAGES, NO_PAGES) if name == "pageToken" else (TEXTS, NO_TEXTS)
        pattern = re.compile(schema["pattern"])
        # In JSON Schema the end is that of the text, in Python also before a line end.
        assert [bool(pattern.fullmatch(text)) and len(text) <= schema["maxLength"] for text in [*good, *bad]] == [
            *[True] * len(good),
            *[False] * len(bad),
        ]
    for text in good:
        request_of(request_type, [(name, text)])
    for text in bad:
        with pytest.raises(ParameterError):
            request_of(request_type, [(name, text)])
