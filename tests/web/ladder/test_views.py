"""What pages show of answers: addresses, tables, likelihoods and courses."""

import pytest

from ordago import v1
from ordago_ladder.rating.known import known
from ordago_web.ladder.bots import Pairings, in_all, version_table
from ordago_web.ladder.matches import is_seen_out, match_row, opening
from ordago_web.ladder.places import bot_link, place_with, time_of
from ordago_web.ladder.rating_curves import MOST_LINES, course_chart
from ordago_web.ladder.standings import better, standings_table, superiority


def rating(elo: float, half_length: float = 50.0) -> v1.Rating:
    return v1.Rating(elo=elo, low=elo - half_length, high=elo + half_length, matches=10)


def standing(rank: int, name: str, elo: float, **player: object) -> v1.Standing:
    return v1.Standing(rank=rank, player=v1.LadderPlayer(name=name, **player), rating=rating(elo))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("sota", "sota", "/bots/sota"),
        ("a/b?c#d&e", "a/b?c#d&e", "/bots/a%2Fb%3Fc%23d%26e"),
        ('"><script>', '"><script>', "/bots/%22%3E%3Cscript%3E"),
        ("..", "..", "/bots?name=.."),
        ("\u202etxt", "\\u202etxt", "/bots/%E2%80%AEtxt"),
        ("a\nb", "a\\nb", "/bots/a%0Ab"),
    ],
)
def test_any_name_can_be_shown_and_linked(name: str, text: str, place: str):
    assert bot_link(name) == (text, place)


def test_addresses_have_only_what_is_said():
    assert place_with("/matches", game="", bot="a&b=c", epoch=0) == "/matches?bot=a%26b%3Dc"
    assert time_of(0) is None
    assert time_of(1_800_000_000) == ("2027-01-15T08:00:00Z", "2027-01-15 08:00")


def test_a_house_bot_is_marked_and_has_no_author():
    table = standings_table(
        [standing(1, "solid", 1500, house=True), standing(2, "ana", 1400, account="Ana", version="2")]
    )
    house, bot = table.rows
    assert [mark.words for mark in house.marks] == ["house"]
    assert (house.author, house.author_link) == ("", "")
    assert (bot.author, bot.author_link, bot.version, bot.link) == ("Ana", "/authors/Ana", "2", "/bots/ana")


def test_likelihoods_follow_from_ratings_and_intervals():
    assert better(rating(1500), rating(1500)) == 0.5
    assert better(rating(1600), rating(1500)) == pytest.approx(0.9972, abs=1e-3)
    assert better(rating(1600, 196), rating(1500, 196)) == pytest.approx(0.760, abs=1e-3)
    assert better(rating(1500, 0), rating(1400, 0)) is None
    assert better(rating(1500, 0), rating(1400, 98)) == pytest.approx(0.977, abs=1e-3)


def test_nobody_is_compared_with_himself():
    table = superiority([standing(1, "a", 1600), standing(2, "b", 1500)])
    assert [[cell and cell.text for cell in row] for row in table.rows] == [[None, ">99"], ["<1", None]]


def test_a_course_lies_within_its_drawing():
    points = [
        v1.RatingPoint(at=at * 86_400, elo=elo, low=elo - 900 // at, high=elo + 900 // at, matches=at)
        for at, elo in ((1, 1500), (9, 1620), (20, 1580))
    ]
    chart = course_chart([("a", points), ("b", []), ("c", points[1:2])])
    assert chart is not None
    assert [line.name for line in chart.lines] == ["a", "c"]
    for line in chart.lines:
        for x, y in (map(float, point.split(",")) for point in f"{line.points} {line.band}".split()):
            assert 0 <= x <= chart.width
            assert 0 <= y <= chart.height
    assert chart.dates[0][0] == "1970-01-02"
    assert chart.lines[0].rows[1] == ("1970-01-10 00:00", known(1620, 1520, 1720), 9)


def test_a_first_day_has_times_below_it():
    points = [v1.RatingPoint(at=at, elo=1500, low=1400, high=1600, matches=1) for at in (0, 7200)]
    chart = course_chart([("a", points)])
    assert chart is not None
    assert [time for time, _ in chart.dates] == ["1970-01-01 00:00", "1970-01-01 01:00", "1970-01-01 02:00"]
    alone = course_chart([("a", points[1:])])
    assert alone is not None
    assert [time for time, _ in alone.dates] == ["1970-01-01 02:00"]
    first_minute = course_chart([("a", [v1.RatingPoint(at=at, elo=1500, low=1400, high=1600) for at in (0, 60)])])
    assert first_minute is not None
    assert [time for time, _ in first_minute.dates] == ["00:00:00", "00:00:30", "00:01:00"]


def test_no_more_courses_are_drawn_than_are_told_apart():
    point = v1.RatingPoint(at=5, elo=1500, low=1400, high=1600, matches=1)
    chart = course_chart([(str(number), [point]) for number in range(12)])
    assert chart is not None
    assert len(chart.lines) == MOST_LINES
    assert course_chart([("a", [])]) is None


def test_versions_have_a_column_for_each_game_of_any():
    overall, mus = v1.GameRating(rating=rating(1500)), v1.GameRating(game="mus", rating=rating(1400))
    bot = v1.GetBotResponse(versions=[v1.BotVersion(ratings=[overall]), v1.BotVersion(ratings=[overall, mus])])
    table = version_table(bot)
    assert [game and game.text for game in table.games] == [None, "Mus"]
    assert [[found and found.known.elo for found in row.ratings] for row in table.rows] == [[1500, None], [1500, 1400]]


def test_pairings_have_a_score_with_ties_as_halves():
    assert Pairings(2, 1, 1, 7).score == 0.625
    assert Pairings(0, 0, 0, 3).score is None
    assert in_all([]) == Pairings(0, 0, 0)


def test_a_match_tells_no_record_before_it_is_open():
    running = match_row(v1.LadderMatch(match_id="ab", game="gone", stage=v1.MATCH_STAGE_RUNNING))
    assert (running.record, running.running, running.game.text) == ("", True, "gone")
    assert match_row(v1.LadderMatch(match_id="ab", record_open=True)).record == "/api/v1/matches/ab/record"


def test_records_open_when_the_running_epoch_ends_and_nobody_knows_when_those_of_an_overdue_one_do():
    ladder, epoch = v1.GetLadderResponse(epoch=2, epoch_seconds=3600), v1.Epoch(epoch=2, began=1_800_000_000)
    told = opening(epoch, ladder, now=1_800_003_599.0)
    assert told is not None
    assert told.text == "2027-01-15 09:00"
    assert opening(epoch, ladder, now=1_800_003_600.0) is None
    assert opening(v1.Epoch(epoch=1, began=1_800_000_000), ladder, now=1_800_000_000.0) is None


def test_a_match_is_seen_out_when_its_end_was_shown_to_everybody():
    ladder = v1.GetLadderResponse(delay_seconds=60)
    over = v1.LadderMatch(stage=v1.MATCH_STAGE_OVER, ended=1000)
    assert [is_seen_out(over, ladder, now=now) for now in (1061.9, 1062.0)] == [False, True]
    for stage in (v1.MATCH_STAGE_RUNNING, v1.MATCH_STAGE_VOID):
        assert not is_seen_out(v1.LadderMatch(stage=stage), ladder, now=5000.0)
