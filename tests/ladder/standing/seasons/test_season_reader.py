"""What is asked of the seasons of a ladder: of the one that goes on by its store, of others as they were published."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.ladders import BEGAN, Writer, ladder_row

from ordago import v1
from ordago.store.errors import NotFoundError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.publication.publisher import Published, Publisher
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive
from ordago_ladder.standing.settings import parse_ladder

FILE = """
[ladder]
name = "trial"
[[game]]
name = "mittlere"
"""


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[StandingReader]:
    """A ladder of two seasons: ana beats ben in the first, which has no name, and ben her in the second."""
    archive = tmp_path / "archive"
    with LadderStore.open(tmp_path / "l.sqlite", create=True) as store, LadderQueries.open(tmp_path / "l.sqlite") as it:
        writer = Writer(store)
        settings = parse_ladder(FILE).of_epoch()
        for epoch, season, table in ((1, "", ("eve", "ben", "ana")), (2, "summer", ("ana", "eve", "ben"))):
            told = {"settings": settings.text, "settings_digest": settings.digest.hex(), "season": season}
            store.create(ladder_row(**told))
            store.begin_epoch(epoch, began=BEGAN + epoch)
            for _ in range(epoch):
                writer.play(*map(writer.player, table))
        publisher = Publisher(Published("", archive, b""), it)
        publisher.answer()
        yield StandingReader(it, lambda: publisher.answer().ratings, SeasonArchive(archive), v1.GetLadderResponse())


def names(reader: StandingReader, season: str) -> list[str]:
    answer = reader.list_standings(v1.ListStandingsRequest(season=season))
    return [standing.player.name for standing in answer.standings]


def reveal(reader: StandingReader, tmp_path: Path) -> None:
    with LadderStore.open(tmp_path / "l.sqlite") as store:
        store.reveal(1)
    reader.list_standings(v1.ListStandingsRequest())


def test_seasons_are_listed_the_newest_first(reader: StandingReader) -> None:
    answer = reader.list_seasons(v1.ListSeasonsRequest())
    assert list(answer.seasons) == [
        v1.Season(name="summer", first_epoch=2, last_epoch=2, began=BEGAN + 2, matches=2),
        v1.Season(name="-", first_epoch=1, last_epoch=1, began=BEGAN + 1, ended=BEGAN + 2, matches=1),
    ]
    first = reader.list_seasons(v1.ListSeasonsRequest(page_size=1))
    rest = reader.list_seasons(v1.ListSeasonsRequest(page_token=first.next_page_token))
    assert [*first.seasons, *rest.seasons] == list(answer.seasons)
    assert reader.get_ladder(v1.GetLadderRequest()).season == "summer"
    assert [epoch.season for epoch in reader.list_epochs(v1.ListEpochsRequest()).epochs] == ["summer", "-"]


def test_all_that_is_rated_is_that_of_a_season(reader: StandingReader, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="The standings of the season '-' are not published yet"):
        names(reader, "-")
    reveal(reader, tmp_path)
    # Who sits second forfeits, is known to be weak, and so is the only one of whom enough is known.
    assert [names(reader, season)[0] for season in ("-", "", "summer")] == ["ben", "eve", "eve"]
    for season, matches in (("-", 1), ("", 2)):
        [version] = reader.get_bot(v1.GetBotRequest(name="ana", season=season)).versions
        assert {rating.rating.matches for rating in version.ratings} == {matches}
        course = reader.get_rating_course(v1.GetRatingCourseRequest(player=3, season=season))
        assert [point.matches for point in course.points] == [matches]
        request = v1.GetHeadToHeadRequest(first="ana", second="ben", season=season)
        [game] = reader.get_head_to_head(request).games
        assert (game.first_ahead, game.second_ahead) == ((1, 0) if season else (0, 2))


@pytest.mark.slow
@pytest.mark.parametrize("season", ["..", "../..", "/etc", "-/../-", "spring", "summer/", "Summer", "\x00"])
def test_a_season_that_the_ladder_never_had_is_told_in_a_sentence(
    reader: StandingReader, tmp_path: Path, season: str
) -> None:
    """The attacker asks for a path: what he names is looked up among the seasons, and never opened."""
    reveal(reader, tmp_path)
    (tmp_path / "ladder.json").write_bytes((tmp_path / "archive/seasons/-/ladder.json").read_bytes())
    with pytest.raises(NotFoundError, match=r"There is no season .* on this ladder"):
        names(reader, season)
    with pytest.raises(NotFoundError, match=r"There is no season .* on this ladder"):
        reader.get_head_to_head(v1.GetHeadToHeadRequest(first="ana", second="ben", season=season))


def test_a_standing_that_cannot_be_read_is_told_in_a_sentence(reader: StandingReader, tmp_path: Path) -> None:
    reveal(reader, tmp_path)
    assert names(reader, "-")
    (tmp_path / "archive/seasons/-/ladder.json").write_text("{}")
    with pytest.raises(NotFoundError, match="are not published yet"):
        names(reader, "-")
