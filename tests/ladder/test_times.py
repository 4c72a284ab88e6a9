"""Times in event files that are over, or that nobody can have meant."""

from datetime import UTC, datetime

import pytest
from ladder.conftest import MakeEvent

from ordago_ladder.event_file.file import EventFileError, time_problems

NOW = datetime(2027, 6, 1, 12, tzinfo=UTC)
OPEN = 'format = "open"\n'


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (f"{OPEN}until = 2027-06-01T11:59:59Z", "'until' is in the past, 2027-06-01T11:59:59+00:00: only one round"),
        (f"{OPEN}until = 2027-06-01T13:30:00+02:00", "'until' is in the past"),
        (f"{OPEN}until = 2027-06-02T12:00:00Z\nbegins = 2027-06-02T12:00:00Z", "no later than 'begins'"),
        ("begins = 2027-06-01T12:00:00Z", "'begins' is in the past, 2027-06-01T12:00:00+00:00: a run waits 20 s"),
        ("begins = 2072-06-01T12:00:00Z", "'begins' is more than a year away"),
        ('beacon = { source = "drand quicknet", round = 12345678 }', "public since 2024-10-25T07:13:18+00:00"),
        ('beacon = { source = "drand default", round = 0 }', "public since 2020-07-22"),
        (
            'beacon = { source = "drand quicknet", round = 40_000_000 }\nbegins = 2028-01-01T12:00:00Z',
            "before the event 'begins'",
        ),
    ],
)
def test_a_time_that_is_over_or_cannot_be_meant_is_told(make_event: MakeEvent, terms: str, words: str) -> None:
    [told] = time_problems(make_event(terms=terms), now=NOW)
    assert words in told


@pytest.mark.parametrize(
    "terms",
    [
        "",
        f"{OPEN}until = 2027-06-01T14:30:00+02:00",
        "begins = 2027-06-01T12:00:01Z",
        'beacon = { source = "drand quicknet", round = 60_000_000 }\nbegins = 2027-06-01T12:00:01Z',
        'beacon = { source = "the lottery", round = 1 }',
    ],
)
def test_what_is_still_to_come_is_not(make_event: MakeEvent, terms: str) -> None:
    assert list(time_problems(make_event(terms=terms), now=NOW)) == []


@pytest.mark.parametrize("key", ["until", "begins"])
@pytest.mark.parametrize(
    "written",
    [
        "9999-12-31T23:59:59-23:59",
        "0001-01-01T00:00:00+23:59",
        "2027-06-01T12:00:00",
        "2027-06-01",
        "12:00:00",
        '"now"',
    ],
)
def test_what_is_no_time_of_everybodys_is_refused(make_event: MakeEvent, key: str, written: str) -> None:
    terms = f"{OPEN}sets_wanted = 1\n{key} = {written}"
    with pytest.raises(EventFileError, match=f"'{key}' takes a time"):
        make_event(terms=terms)
