"""Requests, made of the parameters of an address: of good ones, and of all that somebody may write there."""

import pytest

from ordago import v1
from ordago_web.api import CALLS
from ordago_web.parameters import ParameterError, request_of


def test_parameters_are_the_fields_of_the_request():
    asked = [("game", "mus"), ("currentOnly", "true"), ("house", "false"), ("namePart", "Ö ß"), ("pageSize", "500")]
    wanted = v1.ListStandingsRequest(game="mus", current_only=True, house=False, name_part="Ö ß", page_size=500)
    assert request_of(v1.ListStandingsRequest, asked) == wanted


def test_what_is_absent_is_no_false():
    assert not request_of(v1.ListMatchesRequest, ()).HasField("running")
    assert request_of(v1.ListMatchesRequest, [("running", "false")]).HasField("running")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("page_size", "5", "There is no parameter 'page_size' here. There are: game,"),
        ("__class__", "5", "There is no parameter '__class__' here."),
        ("\u202egame", "mus", r"There is no parameter '\\u202egame' here."),
        ("x" * 5000, "", "There is no parameter 'x"),
        ("pageSize", "", "is a whole number from 0 to 4294967295, and not ''"),
        ("pageSize", "-1", "is a whole number"),
        ("pageSize", "+1", "is a whole number"),
        ("pageSize", " 1", "is a whole number"),
        ("pageSize", "1_0", "is a whole number"),
        ("pageSize", "1e3", "is a whole number"),
        ("pageSize", "٣", "is a whole number"),
        ("pageSize", "²", "is a whole number"),
        ("pageSize", "4294967296", "is a whole number"),
        ("pageSize", "9" * 400, "is a whole number"),
        ("currentOnly", "True", "is true or false, and not 'True'"),
        ("currentOnly", "1", "is true or false"),
        ("game", "mus\0", "contains invisible characters"),
        ("account", "\u202eadmin", "contains invisible characters"),
        ("namePart", "x" * 513, "has at most 512 characters"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(name: str, text: str, sentence: str):
    with pytest.raises(ParameterError, match=f"^.{{0,40}}{sentence}" if "'" in sentence else sentence) as refused:
        request_of(v1.ListStandingsRequest, [(name, text)])
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


def test_nothing_is_asked_twice():
    with pytest.raises(ParameterError, match="The parameter game is given twice"):
        request_of(v1.ListStandingsRequest, [("game", "mus"), ("game", "mittlere")])


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_every_field_of_every_request_can_be_asked_for(call):
    for field in call.request.DESCRIPTOR.fields:
        text = {field.TYPE_STRING: "1", field.TYPE_BOOL: "true", field.TYPE_UINT32: "1"}[field.type]
        text = "1" * 24 if field.json_name == "pageToken" else text
        assert request_of(call.request, [(field.json_name, text)]).ListFields()
