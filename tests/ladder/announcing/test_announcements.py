"""Announcements of an event, and their bodies for chat services, which take no orders from names of strangers."""

import json
from collections.abc import Callable

import pytest

from ordago.chance import commitment
from ordago.store import MatchResult
from ordago_ladder.announcing.announcements import Announcement, body_of, check_in_opened, matches_begun, news_of
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.settings.settings import Settings

SECRET = bytes(32)
SAID = Announcement("end", "end", "1. <!channel> & @everyone [x](http://evil.example)", {})


@pytest.fixture
def event(make_event: Callable[..., Settings]) -> Settings:
    return make_event([("pairs", 4)], entrants=3)


@pytest.fixture
def results(event: Settings, make_results: Callable[..., list[MatchResult]]) -> list[MatchResult]:
    return make_results(event, {"a": 1800.0, "b": 1600.0, "c": 1500.0})


def ladder_of(event: Settings, results: list[MatchResult], **more: object) -> Ladder:
    return build_ladder(event, results, secret_digest=commitment(SECRET), **more)  # type: ignore[arg-type]


def test_a_finished_ladder_says_who_came_where(event: Settings, results: list[MatchResult]):
    [end] = news_of(ladder_of(event, results, secret=SECRET))
    assert (end.kind, end.facts["played"]) == ("end", len(results))
    assert end.facts["ladder"] == [
        {"rank": line.rank, "entrant": line.entrant} for line in ladder_of(event, results).overall.lines
    ]


def test_an_unfinished_ladder_says_nothing(event: Settings, results: list[MatchResult]):
    assert list(news_of(ladder_of(event, results[:-1]))) == []


def test_an_event_that_grows_ends_again(event: Settings, results: list[MatchResult], make_event, make_results):
    [end] = news_of(ladder_of(event, results))
    longer = make_event([("pairs", 4)], entrants=3, terms="repetitions = 2")
    more = make_results(longer, {"a": 1800.0, "b": 1600.0, "c": 1500.0})
    [again] = news_of(ladder_of(longer, more))
    assert end.key != again.key


def test_matches_are_announced_by_the_number_that_is_known():
    assert matches_begun(0, 24).kind == "start"
    assert matches_begun(24, 48).kind == "round"
    assert matches_begun(0, 24).key == matches_begun(3, 24).key != matches_begun(24, 48).key


def test_check_in_says_how_many_are_awaited():
    assert check_in_opened(1).facts == {"entrants": 1}
    assert "1 entrant" in check_in_opened(1).sentence
    assert "2 entrants" in check_in_opened(2).sentence


class TestBodies:
    def body(self, form: str, said: Announcement = SAID) -> dict[str, object]:
        return json.loads(body_of(said, event="cup", title="The Cup *", form=form))  # type: ignore[arg-type]

    def test_json_has_everything(self):
        body = self.body("json", matches_begun(24, 48))
        assert {key: body[key] for key in ("event", "title", "kind")} == {
            "event": "cup",
            "title": "The Cup *",
            "kind": "round",
        }
        assert (body["played"], body["planned"]) == (24, 48)

    def test_discord_notifies_nobody_and_makes_no_link(self):
        body = self.body("discord")
        assert body["allowed_mentions"] == {"parse": []}
        assert body["content"] == (r"**The Cup \***: 1. \<!channel\> & \@everyone \[x\]\(http\://evil.example\)")

    def test_slack_notifies_nobody(self):
        assert self.body("slack") == {"text": "The Cup *: 1. &lt;!channel&gt; &amp; @everyone [x](http://evil.example)"}

    def test_the_end_of_a_large_event_fits_into_a_message(self, make_event, make_results):
        event = make_event([("pairs", 4)], entrants=40)
        results = make_results(event, {entrant.name: 1500.0 for entrant in event.entrants})
        [end] = news_of(ladder_of(event, results))
        assert len(self.body("discord", end)["content"]) < 2_000  # type: ignore[arg-type]
        assert len(end.facts["ladder"]) == 40  # type: ignore[arg-type]
