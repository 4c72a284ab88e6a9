"""Cases are data: what cannot be one is refused in a sentence, and those that come with Ordago fit what is there."""

from pathlib import Path

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from ordago import v1
from ordago.games import find_game, game_names
from ordago_doctor import CaseError, check_exercise, chosen, read_cases, shipped_cases
from ordago_doctor.findings import ProblemError
from ordago_doctor.messages import WrittenError, filled, frame_of, objects, short, unlike, written_message

WORDS = 'about = "a"\nexpected = "b"\nwhy = "c"\nmend = "d"\nrequired = true\n'


def test_each_game_is_played_with_each_number_of_players() -> None:
    asked = {
        (case.parameters["game"], case.parameters["players"]) for case in shipped_cases() if case.exercise == "matches"
    }
    assert asked == {(name, seats) for name in game_names() for seats in find_game(name).rules.seat_counts}


@pytest.mark.parametrize("case", shipped_cases(), ids=lambda case: case.name)
def test_what_comes_with_ordago_is_whole(case) -> None:
    check_exercise(case)
    assert all(text.endswith(".") for text in (case.expected, case.why, case.mend))
    assert case.session or case.exercise or case.step[0].verb in ("connect", "stay_away_ms", "exit")
    for step in case.step:
        for text in (step.connect, step.send, step.hear):
            list(objects(text or ""))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("about = ", "Invalid value"),
        (WORDS, "a case has either steps or an exercise"),
        (WORDS + 'exercise = "matches"\n[[step]]\nwait_ms = 1', "a case has either steps or an exercise"),
        (WORDS + "[[step]]\nwithin_ms = 5", "a step has one of the verbs"),
        (WORDS + '[[step]]\nhear = "{}"\nsend = "{}"', "a step has one of the verbs"),
        (WORDS + '[[step]]\nend = "UNAVAILBLE"', "did you mean 'UNAVAILABLE'?"),
        (WORDS + '[[step]]\nwire = "burn"', "step.0.wire"),
        (WORDS + "[[step]]\nwait_ms = -1", "step.0.wait_ms"),
        (WORDS + 'colour = "red"\n[[step]]\nwait_ms = 1', "colour"),
        (WORDS + "session = true\nstart = {token = false}\n[[step]]\nwait_ms = 1", "within an open session"),
        (WORDS + "[[step]]\nhear = '{}'\nsame_as = \"first\"", "no earlier step remembers an answer as 'first'"),
        (WORDS.replace("required = true\n", "") + "[[step]]\nwait_ms = 1", "required"),
    ],
)
def test_what_is_no_case_is_told(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(CaseError, match=r"mine\.toml") as raised:
        read_cases(tmp_path)
    assert sentence in str(raised.value)


def test_a_name_that_is_none_and_an_empty_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="there are no cases in"):
        read_cases(tmp_path)
    (tmp_path / "My Case.toml").write_text(WORDS + "[[step]]\nwait_ms = 1")
    with pytest.raises(CaseError, match="small letters, digits and hyphens"):
        read_cases(tmp_path)


@pytest.mark.parametrize(
    ("exercise", "parameters", "sentence"),
    [("crowds", "{}", "did you mean 'crowd'?"), ("crowd", "{at_once = 2}", "decisions"), ("nonces", "{a = 1}", "'a'")],
)
def test_an_exercise_that_is_none_is_told(tmp_path: Path, exercise: str, parameters: str, sentence: str) -> None:
    (tmp_path / "mine.toml").write_text(f'{WORDS}exercise = "{exercise}"\nparameters = {parameters}\n')
    [case] = read_cases(tmp_path)
    with pytest.raises(CaseError, match=sentence):
        check_exercise(case)


def test_a_case_that_is_not_there_is_told_with_the_nearest() -> None:
    with pytest.raises(CaseError, match="did you mean 'goodbye'"):
        chosen(shipped_cases(), ["godbye"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [('{"decision": ', "this is no JSON"), ('"decision"', "a JSON object"), ('{"a": 1} [2]', "a JSON object")],
)
def test_what_is_no_message_is_told(text: str, sentence: str) -> None:
    with pytest.raises(WrittenError, match=sentence):
        list(objects(text))


@pytest.mark.parametrize("message", [{"choice": {}}, {"decision": {"number": "x"}}, {"$unknown": -1}])
def test_a_message_that_no_server_says_is_told(message: dict[str, object]) -> None:
    with pytest.raises(WrittenError):
        frame_of([message])


@pytest.mark.parametrize(
    ("pattern", "told", "difference"),
    [
        ({}, {"a": 1}, ""),
        ({"a": 1}, {"a": 1, "b": 2}, ""),
        ({"a": 1}, {"a": 2}, "a is 2, not 1"),
        ({"a": {"b": 1}}, {"a": {}}, "a.b is missing"),
        ({"a": None}, {"b": 1}, ""),
        ({"a": None}, {"a": {"b": 1}}, 'a is {"b": 1}, and should be absent'),
        ({"a": "$any"}, {"a": ""}, "a is missing"),
        ({"a": "$any"}, {"a": 7}, ""),
        ({"a": 1}, {}, "there is no a"),
        ({"a": 1}, {"a": "\x1b[2J"}, r"a is \x1b[2J, not 1"),
    ],
)
def test_a_pattern_is_like_what_it_names(pattern: object, told: object, difference: str) -> None:
    assert unlike(pattern, told) == difference


@pytest.mark.parametrize(
    "packed",
    [
        AnyMessage(type_url="x.y/unknown.Type", value=b"a"),
        AnyMessage(type_url="type.googleapis.com/ordago.v1.MusAction", value=b"\xff"),
        AnyMessage(value=b"a"),
    ],
)
def test_an_answer_in_the_messages_of_no_game_is_a_problem_of_the_bot_and_can_be_shown(packed: AnyMessage) -> None:
    message = v1.BotMessage(choice=v1.Choice(match_handle=1, answer=v1.Answer(action=v1.Action(other=packed))))
    with pytest.raises(ProblemError, match="a message of an unknown game"):
        written_message(message)
    assert short(message).startswith("choice {")


def test_a_match_has_as_many_players_as_the_one_that_it_is_like() -> None:
    start = {"players": [{}, {}, {}], "seat": 1}
    like = {"$like": "start", "players": [{"name": name} for name in ("ana", "ben", "cleo", "dora")], "seat": 2}
    names = [{"name": "ana"}, {"name": "ben"}, {"name": "cleo"}]
    assert filled(like, {"start": start}.__getitem__) == {"players": names, "seat": 2}
