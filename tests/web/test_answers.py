"""What answers are as JSON, and which status a problem has."""

import json

import pytest

from ordago import v1
from ordago_web.answers import Problem, answer_json, http_status


def test_empty_fields_stand_there_and_absent_ones_do_not():
    seat = v1.LadderSeat(name="</script>\u202e", side=1)
    told = json.loads(answer_json(v1.GetMatchResponse(match=v1.LadderMatch(seats=[seat], record_digest=b"\xff"))))
    assert told["match"]["seats"][0]["name"] == "</script>\u202e"
    assert told["match"]["recordDigest"] == "/w=="
    assert (told["match"]["ended"], told["match"]["stage"]) == (0, "MATCH_STAGE_UNSPECIFIED")
    assert "score" not in told["match"]["seats"][0]


@pytest.mark.parametrize(
    ("status", "http"),
    [
        ("NOT_FOUND", 404),
        ("UNIMPLEMENTED", 404),
        ("FAILED_PRECONDITION", 409),
        ("INVALID_ARGUMENT", 400),
        ("RESOURCE_EXHAUSTED", 429),
        ("UNAVAILABLE", 503),
        ("DEADLINE_EXCEEDED", 504),
        ("DATA_LOSS", 502),
        ("whatever a hostile server says", 502),
    ],
)
def test_what_is_the_fault_of_the_server_is_not_told_as_that_of_the_request(status: str, http: int):
    assert http_status(status) == http


def test_a_problem_is_what_the_standard_says():
    told = json.loads(Problem(http_status("NOT_FOUND"), "There is no bot 'x'.").json())
    assert told == {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "There is no bot 'x'."}
