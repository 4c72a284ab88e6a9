"""The ratings of a season: a function of its results alone, epoch by epoch, in whatever order these come."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from support.ladders import BEGAN, Writer, ladder_row

from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_ladder.folder import LadderFolder
from ordago_ladder.standing.publication.publisher import Answer, Published, Publisher
from ordago_ladder.standing.publication.tallies import Tally
from ordago_ladder.standing.ratings import CareerResult, StandingRatings
from ordago_ladder.standing.seasons.careers import Bot, SeasonCareers, SeasonRatings
from ordago_ladder.standing.seasons.standing import SeasonStanding, StandingError, read_standing
from ordago_ladder.standing.settings import parse_ladder

ANCHORS = {"solid": 1600.0}
BOTS = {
    1: Bot("solid", "", "", house=True),
    2: Bot("ana", "1", "ana", house=False),
    3: Bot("ben", "1", "ben", house=False),
    4: Bot("ana", "2", "ana", house=False),
    5: Bot("ana", "1", "eve", house=False),
}
WEEK = 7 * 24 * 60 * 60


def won(first: int, second: int, *, ended: int = BEGAN, game: str = "mitigati") -> CareerResult:
    return CareerResult(game, (first, second), (1, 2), (), ended)


PLAYED = {
    1: [won(2, 1), won(3, 2), won(2, 3, ended=BEGAN + WEEK)],
    2: [won(4, 3, ended=BEGAN + WEEK), won(4, 1, ended=BEGAN + WEEK), won(3, 2, ended=BEGAN + 2 * WEEK)],
    3: [],
    4: [won(5, 2, ended=BEGAN + 2 * WEEK)],
}


def from_scratch(epochs: Iterable[int], *, anchors: dict[str, float] = ANCHORS) -> SeasonStanding:
    careers = SeasonCareers("spring", anchors=anchors)
    for epoch in epochs:
        careers.add(epoch, PLAYED[epoch], BOTS)
    return careers.standing()


def taken_up(*order: int) -> SeasonRatings:
    """Return ratings that took up results in some order of epochs, and were asked for after each."""
    ratings = SeasonRatings("spring", anchors=ANCHORS, bots=BOTS)
    left = {epoch: iter(results) for epoch, results in PLAYED.items()}
    for epoch in order:
        ratings.add(epoch, next(left[epoch]))
        ratings.standing()
    return ratings


@pytest.mark.parametrize("order", [(1, 1, 1, 2, 2, 2, 4), (1, 2, 1, 2, 4, 1, 2), (4, 2, 1, 2, 1, 2, 1)])
def test_ratings_are_those_of_the_ledgers_in_whatever_order_results_came(order: tuple[int, ...]) -> None:
    """A match of an epoch that ends when the next has begun counts before those of the next."""
    ratings = taken_up(*order)
    for settled in range(4):
        if settled:
            ratings.settle(settled)
            assert ratings.settled().text == from_scratch(range(1, settled + 1)).text
        told = ratings.standing()
        assert told.ratings == from_scratch(PLAYED).ratings
        assert [count for count in told.epochs if count[1]] == [(1, 3), (2, 3), (4, 1)]


def test_the_order_of_epochs_is_one_that_counts() -> None:
    """Or the test above would show nothing."""
    careers = SeasonCareers("spring", anchors=ANCHORS)
    for epoch in (4, 2, 1):
        careers.add(epoch, PLAYED[epoch], BOTS)
    assert careers.standing().ratings != from_scratch(PLAYED).ratings


def test_a_version_begins_near_the_one_that_came_into_the_season_before_it() -> None:
    players = from_scratch(PLAYED).players
    assert {number: player.predecessor for number, player in players.items()} == {
        1: None, 2: None, 3: None, 4: 2, 5: None,
    }  # fmt: skip
    back = SeasonCareers("summer", anchors=ANCHORS)
    back.add(7, [won(4, 1), won(2, 1)], BOTS)
    assert back.standing().players[2].predecessor == 4, "who goes back to an older version begins near the newer one"


def test_a_standing_is_read_as_it_was_written() -> None:
    standing = from_scratch(PLAYED)
    assert read_standing(standing.text) == standing
    for damaged in (b"", b"{}", b"[1]", standing.text[:-9], standing.text.replace(b'"elo"', b'"ole"')):
        with pytest.raises(StandingError):
            read_standing(damaged)


# The publisher


class Ladder:
    """A ladder that is played and published."""

    def __init__(self, writer: Writer, queries: LadderQueries, archive: Path) -> None:
        self.writer, self.queries, self.folder = writer, queries, LadderFolder(archive)
        self.publisher = Publisher(Published("", archive, b"[ladder]"), queries)

    def begin(self, epoch: int, season: str) -> None:
        settings = parse_ladder(FILE).of_epoch()
        told = {"settings": settings.text, "settings_digest": settings.digest.hex(), "season": season}
        self.writer.store.create(ladder_row(**told))
        self.writer.store.begin_epoch(epoch, began=self.writer.now)

    def published(self) -> StandingRatings:
        answer = self.publisher.answer()
        assert answer == Answer(answer.ratings, answer.tallies, "", seconds=answer.seconds)
        return answer.ratings

    def settled(self, season: str) -> SeasonStanding:
        return read_standing(self.folder.season_standing(season).read_bytes())

    @property
    def now(self) -> SeasonStanding:
        return read_standing(self.folder.standing.read_bytes())


FILE = """
[ladder]
name = "trial"
[[game]]
name = "mittlere"
[[house]]
name = "house"
house = "solid"
rating = 1650
"""


@pytest.fixture
def ladder(tmp_path: Path) -> Iterator[Ladder]:
    place = tmp_path / "ladder.sqlite"
    with LadderStore.open(place, create=True) as store, LadderQueries.open(place) as queries:
        yield Ladder(Writer(store), queries, tmp_path / "archive")


def test_an_ended_season_is_kept_and_the_next_one_begins_at_nothing_but_anchors(ladder: Ladder) -> None:
    writer = ladder.writer
    ladder.begin(1, "")
    house, ana, ben = writer.player("house", account=""), writer.player("ana"), writer.player("ben")
    writer.play(house, ana, ben)
    straggler = writer.begin(house, ana, ben)
    assert ladder.published().results == 1
    assert (ladder.now.season, ladder.now.epochs) == ("-", ((1, 1),))
    ladder.begin(2, "summer")
    writer.play(ben, writer.player("ana", "2"), house)
    assert ladder.published().results == 1, "those of the season that goes on"
    # Nobody said how many deals a match has: as many as usual.
    assert ladder.publisher.tallies["mittlere", house.player] == Tally(1, scored=2, deals=12)
    assert ladder.publisher.tallies[None, ben.player] == Tally(1, scored=0, deals=12)
    assert not ladder.folder.season_standing("-").exists(), "no epoch of it is revealed"
    writer.finish(straggler)
    ladder.published()
    writer.store.reveal(1)
    summer = ladder.published()
    assert (ladder.settled("-").epochs, ladder.settled("-").ratings.results) == (((1, 2),), 2)
    assert (ladder.now.season, ladder.now.epochs, ladder.now.ratings) == ("summer", ((2, 1),), summer)
    anchor = next(rating for rating in summer.overall.ratings if rating.player == house.player)
    assert (anchor.elo, anchor.low, anchor.high) == (1650.0, 1650.0, 1650.0)
    newer = ladder.now.players[4]
    assert (newer.name, newer.version, newer.predecessor) == ("ana", "2", None)


@pytest.mark.slow
def test_a_rebuilt_ladder_is_the_same_byte_for_byte(ladder: Ladder) -> None:
    writer = ladder.writer
    for epoch, season in enumerate(("spring", "spring", "summer", "summer"), start=1):
        ladder.begin(epoch, season)
        if epoch > 1:
            writer.store.reveal(epoch - 1)
        for _ in range(2):
            writer.play(writer.player("ana", str(epoch)), writer.player("ben"), writer.player("house", account=""))
            ladder.published()
    places = [ladder.folder.standing, *(ladder.folder.season_standing(name) for name in ("spring", "summer"))]
    published = [place.read_bytes() for place in places]
    assert [json.loads(text)["epochs"] for text in published] == [[[3, 2], [4, 2]], [[1, 2], [2, 2]], [[3, 2]]]
    for place in places:
        place.unlink()
    again = Ladder(writer, ladder.queries, ladder.folder.path)
    again.published()
    assert [place.read_bytes() for place in places] == published


def test_the_standing_of_a_season_that_was_published_whole_is_not_made_again(ladder: Ladder) -> None:
    ladder.begin(1, "spring")
    ladder.writer.play(*(ladder.writer.player(name) for name in ("ana", "ben", "eve")))
    ladder.begin(2, "summer")
    ladder.writer.store.reveal(1)
    ladder.published()
    place = ladder.folder.season_standing("spring")
    kept = place.read_bytes().replace(b'"ana"', b'"anb"')
    place.write_bytes(kept)
    again = Ladder(ladder.writer, ladder.queries, ladder.folder.path)
    again.published()
    assert (place.read_bytes(), list(again.publisher.seasons)) == (kept, ["summer"])
    place.write_bytes(b"{}")
    Ladder(ladder.writer, ladder.queries, ladder.folder.path).published()
    assert read_standing(place.read_bytes()).players[1].name == "ana"
