"""What is asked of a ladder, answered by its store and its ratings."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import json_format
from support.ladders import BEGAN, LAST_LINK, Writer, ladder_row
from support.lively_ladder import rated, tallied

from ordago import v1
from ordago.match import FaultTerms, TimeTerms
from ordago.record import from_file_bytes
from ordago.record.epochs import LinkChain
from ordago.store.errors import NotFoundError, NotOpenError, PageTokenError
from ordago.store.ladder.queries import LadderQueries
from ordago_ladder.standing.reading.messages import ladder_description
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive

CORPUS = Path(__file__).parents[2] / "corpus"
DESCRIPTION = ladder_description(
    title="The ladder of the tests",
    games=[("mus", 4, {}), ("mittlere", 3, {"deals": 6})],
    time=TimeTerms(decision_ms=2000),
    faults=FaultTerms(strikes=2),
    delay_seconds=5,
    epoch_seconds=3600,
)


@pytest.fixture
def queries(writer: Writer, tmp_path: Path) -> Iterator[LadderQueries]:
    assert writer
    with LadderQueries.open(tmp_path / "ladder.sqlite") as queries:
        yield queries


@pytest.fixture
def reader(queries: LadderQueries, tmp_path: Path) -> StandingReader:
    archive = SeasonArchive(tmp_path)
    return StandingReader(
        queries, lambda: rated(queries), archive, DESCRIPTION, tallies=lambda: tallied(queries, {"mittlere": 6})
    )


@pytest.fixture
def table(writer: Writer) -> list[int]:
    """The numbers of three bots of which the last one at the table wins, again and again."""
    players = [writer.player("Anna"), writer.player("Bert"), writer.player("anvil", account="Anna's")]
    for _ in range(4):
        writer.play(*players)
    return [player.player for player in players]


def names(answer: v1.ListStandingsResponse) -> list[str]:
    return [standing.player.name for standing in answer.standings]


@pytest.mark.usefixtures("table")
def test_a_ladder_says_what_it_is(reader: StandingReader) -> None:
    answer = reader.get_ladder(v1.GetLadderRequest())
    assert (answer.name, answer.title) == ("trial", "The ladder of the tests")
    assert [(game.game, game.seats) for game in answer.games] == [("mittlere", 3), ("mus", 4)]
    assert answer.games[0].options.mittlere.deals == 6
    assert (answer.clock.decision_ms, answer.faults.strikes) == (2000, 2)
    assert (answer.delay_seconds, answer.epoch_seconds, answer.epoch, answer.began) == (5, 3600, 1, BEGAN)
    assert answer.anchor == ladder_row().chain.anchor
    assert (answer.matches, answer.running) == (4, 0)


@pytest.mark.usefixtures("table")
def test_who_is_stronger_stands_before(reader: StandingReader) -> None:
    answer = reader.list_standings(v1.ListStandingsRequest())
    assert names(answer) == ["anvil", "Bert", "Anna"]
    assert [standing.rank for standing in answer.standings] == [1, 2, 3]
    elos = [standing.rating.elo for standing in answer.standings]
    assert elos == sorted(elos, reverse=True)
    assert all(standing.rating.low < standing.rating.elo < standing.rating.high for standing in answer.standings)
    assert names(reader.list_standings(v1.ListStandingsRequest(game="mittlere"))) == names(answer)
    assert not names(reader.list_standings(v1.ListStandingsRequest(game="mus")))


@pytest.mark.usefixtures("table")
def test_standings_tell_what_else_came_of_the_matches(reader: StandingReader) -> None:
    """The second at the table scores 1 point in each of four matches of 6 deals, and is late twice in each."""
    [bert] = reader.list_standings(v1.ListStandingsRequest(game="mittlere", name_part="Bert")).standings
    assert bert.figures == v1.StandingFigures(mean_score=1, mean_deal_score=4 / 24, faults=8, forfeits=4)
    [bert] = reader.list_standings(v1.ListStandingsRequest(name_part="Bert")).standings
    assert bert.figures == v1.StandingFigures(faults=8, forfeits=4), "points of several games have nothing in common"


def test_points_of_a_deal_are_told_only_where_all_matches_have_a_fixed_number(
    reader: StandingReader, writer: Writer
) -> None:
    writer.play(*map(writer.player, ("Anna", "Bert", "Carl", "Dora")), game="mus")
    standings = reader.list_standings(v1.ListStandingsRequest(game="mus")).standings
    assert sorted(standing.figures.mean_score for standing in standings) == [0, 1, 2, 3]
    assert not any(standing.figures.HasField("mean_deal_score") for standing in standings)


def test_a_bot_with_too_few_matches_stands_behind_all_that_are_known(
    reader: StandingReader, writer: Writer, table: list[int]
) -> None:
    """One match won by a newcomer puts it on no first place."""
    writer.play(writer.player("Anna"), writer.player("Bert"), writer.player("newcomer"))
    standings = reader.list_standings(v1.ListStandingsRequest()).standings
    last, behind = standings[-1], [standing.rating.elo for standing in standings[:-1]]
    assert (last.player.name, last.rank) == ("newcomer", len(table) + 1)
    assert last.rating.elo > min(behind)


@pytest.mark.usefixtures("table")
def test_standings_come_by_pages(reader: StandingReader) -> None:
    found, token = [], ""
    for _ in range(3):
        answer = reader.list_standings(v1.ListStandingsRequest(page_size=1, page_token=token))
        found += names(answer)
        token = answer.next_page_token
    assert found == ["anvil", "Bert", "Anna"]
    assert not token


@pytest.mark.slow
@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"name_part": "AN"}, ["anvil", "Anna"]),
        ({"account": "Anna's"}, ["anvil"]),
        ({"house": True}, ["solid"]),
        ({"house": False}, ["anvil", "Bert", "Anna", "Bert"]),
        ({"current_only": True, "name_part": "bert"}, ["Bert"]),
        ({"provisional": False}, []),
    ],
)
def test_standings_are_filtered(
    reader: StandingReader, writer: Writer, filters: dict[str, object], found: list[str]
) -> None:
    again = [writer.player("Anna"), writer.player("Bert", "2"), writer.player("solid", account="")]
    writer.play(*again)
    answer = reader.list_standings(v1.ListStandingsRequest(**filters))  # type: ignore[arg-type]  # by the names of fields
    assert sorted(names(answer)) == sorted(found)


def test_ranks_are_of_those_who_are_current(reader: StandingReader, writer: Writer, table: list[int]) -> None:
    assert table
    writer.play(writer.player("Anna"), writer.player("Bert", "2"), writer.player("solid", account=""))
    answer = reader.list_standings(v1.ListStandingsRequest())
    ranks = {(standing.player.name, standing.player.version): standing.rank for standing in answer.standings}
    assert ranks["Bert", "1"] == 0
    assert sorted(rank for rank in ranks.values() if rank) == [1, 2, 3, 4]


def test_a_bot_has_its_versions_the_newest_first(reader: StandingReader, writer: Writer, table: list[int]) -> None:
    newer = writer.player("Bert", "2")
    answer = reader.get_bot(v1.GetBotRequest(name="Bert"))
    assert [version.player.version for version in answer.versions] == ["2", "1"]
    assert [version.player.predecessor for version in answer.versions] == [table[1], 0]
    assert [[rating.game for rating in version.ratings] for version in answer.versions] == [[], ["", "mittlere"]]
    assert [version.player.current for version in answer.versions] == [False, True]
    assert answer.versions[0].player.player == newer.player


def test_a_rating_has_a_course(reader: StandingReader, table: list[int]) -> None:
    course = reader.get_rating_course(v1.GetRatingCourseRequest(player=table[2]))
    assert [(point.at, point.matches) for point in course.points] == [(BEGAN, 4)]
    assert not reader.get_rating_course(v1.GetRatingCourseRequest(player=table[2], game="mus")).points


def test_two_bots_are_compared(reader: StandingReader, writer: Writer, table: list[int]) -> None:
    assert table
    four = [writer.player(name) for name in ("Anna", "Bert", "Carl", "Dora")]
    writer.play(*four, game="mus")
    answer = reader.get_head_to_head(v1.GetHeadToHeadRequest(first="Anna", second="Bert"))
    assert [(each.game, each.first_ahead, each.second_ahead) for each in answer.games] == [
        ("mittlere", 0, 4),
        ("mus", 0, 1),
    ]
    partners = reader.get_head_to_head(v1.GetHeadToHeadRequest(first="Anna", second="Carl"))
    assert partners.games == [v1.HeadToHead(game="mus", partners=1)]
    with pytest.raises(NotFoundError, match="no version '7' of Anna"):
        reader.get_head_to_head(v1.GetHeadToHeadRequest(first="Anna", second="Bert", first_version="7"))


def test_a_bot_has_figures_of_its_matches(reader: StandingReader, writer: Writer, table: list[int]) -> None:
    """Who sits at seat 1 in these tests has forfeited for two faults; who sits at seat 0 had two answers refused."""
    assert table
    writer.store.void(writer.begin(writer.player("Anna"), writer.player("Bert")).match_id, reason="it failed")
    writer.play(writer.player("Bert", "2"), writer.player("Carl"), writer.player("Anna"))
    [figures] = reader.get_bot_figures(v1.GetBotFiguresRequest(name="Bert")).games
    assert (figures.game, figures.matches, figures.strikes, figures.forfeits) == ("mittlere", 5, 2, 4)
    assert list(figures.faults) == [v1.FaultFigures(fault="too_late", decisions=8)]
    assert [(seat.seat, seat.matches, seat.mean_score) for seat in figures.seats] == [(0, 1, 0), (1, 4, 1)]
    assert figures.seats[1].pairings == v1.PairingFigures(ahead=4, behind=4)
    assert [(other.name, other.pairings) for other in figures.others] == [
        ("Anna", v1.PairingFigures(ahead=4, behind=1)),
        ("anvil", v1.PairingFigures(behind=4)),
        ("Carl", v1.PairingFigures(behind=1)),
    ]


def test_how_long_a_bot_thought_is_told_of_matches_whose_records_are_open(
    reader: StandingReader, writer: Writer
) -> None:
    record = CORPUS / "mittlere-3.record"
    players = [writer.player(name) for name in ("Anna", "Bert", "Carl")]
    writer.finish(writer.begin(*players), record=record.read_bytes())
    [figures] = reader.get_bot_figures(v1.GetBotFiguresRequest(name="Bert")).games
    assert not figures.HasField("times"), "its epoch goes on"
    writer.store.begin_epoch(2, began=BEGAN + 60)
    writer.store.reveal(1)
    [figures] = reader.get_bot_figures(v1.GetBotFiguresRequest(name="Bert")).games
    charged = [entry.choice.charged_ms for entry in choices(record) if entry.choice.seat == 1]
    assert (figures.times.matches, figures.times.decisions) == (1, len(charged))
    assert (figures.times.mean_ms, figures.times.longest_ms) == (sum(charged) / len(charged), max(charged))


def choices(record: Path) -> list[v1.RecordEntry]:
    return [entry for entry in from_file_bytes(record.read_bytes()).entries if entry.HasField("choice")]


def test_figures_are_of_a_version_and_of_a_season(reader: StandingReader, writer: Writer, table: list[int]) -> None:
    assert table
    writer.play(*[writer.player(name, "2") for name in ("Anna", "Bert", "Carl", "Dora")], game="mus")
    [figures] = reader.get_bot_figures(v1.GetBotFiguresRequest(name="Anna", version="2")).games
    assert (figures.game, figures.seats[0].pairings) == ("mus", v1.PairingFigures(behind=2, partners=1))
    assert len(reader.get_bot_figures(v1.GetBotFiguresRequest(name="Anna")).games) == 2
    with pytest.raises(NotFoundError, match="no season 'x'"):
        reader.get_bot_figures(v1.GetBotFiguresRequest(name="Anna", season="x"))
    with pytest.raises(NotFoundError, match="no bot 'anna'"):
        reader.get_bot_figures(v1.GetBotFiguresRequest(name="anna"))


@pytest.mark.usefixtures("table")
def test_epochs_publish_what_they_may(reader: StandingReader, writer: Writer) -> None:
    chain = LinkChain(LAST_LINK, 5)
    writer.store.begin_epoch(2, began=BEGAN + 60)
    writer.store.reveal(1)
    newest, first = reader.list_epochs(v1.ListEpochsRequest()).epochs
    assert (newest.epoch, newest.link, newest.secret_digest) == (2, b"", chain.secret_digest(2))
    assert (first.epoch, first.link, first.secret_digest) == (1, chain.link(1), chain.secret_digest(1))
    assert (first.matches, first.results, first.voids, first.ledger_length) == (4, 4, 0, 13)
    [page] = reader.list_epochs(v1.ListEpochsRequest(page_size=1)).epochs
    assert page.epoch == 2


def test_no_answer_holds_the_secret_of_an_open_epoch(reader: StandingReader, writer: Writer, table: list[int]) -> None:
    """The attacker reads all that there is: no link that is not revealed is in it, nor what comes of one."""
    writer.store.begin_epoch(2, began=BEGAN + 60)
    writer.store.reveal(1)
    answers = [
        reader.get_ladder(v1.GetLadderRequest()),
        reader.list_epochs(v1.ListEpochsRequest()),
        reader.list_matches(v1.ListMatchesRequest()),
        reader.get_rating_course(v1.GetRatingCourseRequest(player=table[0])),
    ]
    told = b"".join(answer.SerializeToString() for answer in answers)
    chain = LinkChain(LAST_LINK, 5)
    assert chain.link(1) in told
    assert not any(chain.link(epoch) in told or chain.secret(epoch) in told for epoch in range(2, 6))


def test_matches_are_told_with_their_seats(reader: StandingReader, writer: Writer, table: list[int]) -> None:
    anna, bert = writer.player("Anna"), writer.player("Bert")
    running = writer.begin(anna, bert, writer.player("solid", account=""))
    void = writer.begin(anna, bert)
    writer.store.void(void.match_id, reason="The server failed.")
    answer = reader.list_matches(v1.ListMatchesRequest(page_size=3))
    stages = [match.stage for match in answer.matches]
    assert stages == [v1.MATCH_STAGE_VOID, v1.MATCH_STAGE_RUNNING, v1.MATCH_STAGE_OVER]
    assert answer.matches[0].void_reason == "The server failed."
    assert [match.match_id for match in reader.list_matches(v1.ListMatchesRequest(running=True)).matches] == [
        running.match_id
    ]
    over = reader.get_match(v1.GetMatchRequest(match_id=answer.matches[2].match_id)).match
    assert [(seat.player, seat.placing, seat.score, seat.forfeited) for seat in over.seats] == [
        (table[0], 3, 0, False),
        (table[1], 2, 1, True),
        (table[2], 1, 2, False),
    ]
    assert not over.record_open
    rest = reader.list_matches(v1.ListMatchesRequest(page_token=answer.next_page_token))
    assert len(rest.matches) == 3
    assert not rest.next_page_token


@pytest.mark.usefixtures("table")
def test_a_record_opens_with_its_epoch(reader: StandingReader, writer: Writer) -> None:
    [match] = reader.list_matches(v1.ListMatchesRequest(page_size=1)).matches
    with pytest.raises(NotOpenError, match="opens when epoch 1 is revealed"):
        reader.get_record(v1.GetRecordRequest(match_id=match.match_id))
    writer.store.begin_epoch(2, began=BEGAN + 60)
    writer.store.reveal(1)
    assert reader.get_record(v1.GetRecordRequest(match_id=match.match_id)).file == b"the record"
    assert reader.get_match(v1.GetMatchRequest(match_id=match.match_id)).match.record_open


def test_a_record_is_for_spectators_once_they_have_seen_its_end(
    queries: LadderQueries, writer: Writer, tmp_path
) -> None:
    """Its public events: after a restart, too, when nothing of the match is in memory."""
    match = writer.play(writer.player("Anna"), writer.player("Bert"), writer.player("Carl"))
    now = [float(BEGAN + DESCRIPTION.delay_seconds) + 0.99]
    reader = StandingReader(queries, lambda: rated(queries), SeasonArchive(tmp_path), DESCRIPTION, now=lambda: now[0])
    with pytest.raises(NotOpenError):
        reader.record_to_watch(match.match_id)
    now[0] += 0.01
    assert reader.record_to_watch(match.match_id) == b"the record"
    with pytest.raises(NotOpenError):
        reader.get_record(v1.GetRecordRequest(match_id=match.match_id))
    running = writer.begin(writer.player("Anna"), writer.player("Bert"), writer.player("Carl"))
    with pytest.raises(NotOpenError):
        reader.record_to_watch(running.match_id)
    with pytest.raises(NotFoundError):
        reader.record_to_watch("00")


def test_what_is_not_there_is_said(reader: StandingReader) -> None:
    for ask in (
        lambda: reader.get_bot(v1.GetBotRequest(name="Zoe")),
        lambda: reader.get_match(v1.GetMatchRequest(match_id="00")),
        lambda: reader.get_rating_course(v1.GetRatingCourseRequest(player=99)),
    ):
        with pytest.raises(NotFoundError):
            ask()


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("token", ["x", "!" * 300, "WzEsMl0", "e30=", "WyJuYW4iLDFd", "W10=", "\x00"])
def test_a_token_that_nobody_gave_does_no_harm(reader: StandingReader, token: str) -> None:
    for ask in (
        lambda: reader.list_standings(v1.ListStandingsRequest(page_token=token)),
        lambda: reader.list_epochs(v1.ListEpochsRequest(page_token=token)),
        lambda: reader.list_matches(v1.ListMatchesRequest(page_token=token)),
    ):
        with pytest.raises(PageTokenError, match="begin with the first page"):
            ask()


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("token", ["0" * 24, "f" * 24, "7ff8000000000000ffffffff", "fff0000000000000" + "0" * 8])
def test_a_page_begins_at_every_token_of_that_form(reader: StandingReader, token: str) -> None:
    """At those of another list too, of no number, and of the infinite ones: nothing fails, and no page follows."""
    answers = [
        reader.list_standings(v1.ListStandingsRequest(page_token=token)),
        reader.list_epochs(v1.ListEpochsRequest(page_token=token)),
        reader.list_seasons(v1.ListSeasonsRequest(page_token=token)),
        reader.list_matches(v1.ListMatchesRequest(page_token=token)),
    ]
    assert [answer.next_page_token for answer in answers] == [""] * 4


def test_pages_have_a_bound_and_answers_are_json(
    reader: StandingReader, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ordago_ladder.standing.reading.reader.MOST_ROWS", 5)
    for _ in range(8):
        writer.play(writer.player("Anna"), writer.player("Bert"), writer.player("Carl"))
    answer = reader.list_matches(v1.ListMatchesRequest(page_size=100_000))
    assert len(answer.matches) == 5
    assert json_format.Parse(json_format.MessageToJson(answer), v1.ListMatchesResponse()) == answer
