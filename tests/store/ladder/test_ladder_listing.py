"""Matches are listed newest first, page by page, whatever is asked for and whatever begins meanwhile."""

import itertools
import random
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection
from sqlalchemy import event as engine_events
from support.ladders import Writer

from ordago.store.errors import PageTokenError
from ordago.store.ladder.listing import token_serial
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import LadderMatch, MatchFilter, PlayerRow

GAMES = ("mittlere", "mus", "taihe")
FILTERS = {
    "game": (None, "mus", "mitaines"),
    "player": (None, 2, 99),
    "bot": (None, "ana"),
    "account": (None, "family"),
    "epoch": (None, 2),
    "running": (None, True, False),
}


@pytest.fixture
def players(writer: Writer) -> list[PlayerRow]:
    """Two versions of ana, two bots of one account, a house bot."""
    kept = [writer.player("ana"), writer.player("ana", "2")]
    return [*kept, writer.player("ben", account="family"), writer.player("cem", account="family"), writer.player("dia")]


@pytest.fixture
def many(writer: Writer, players: list[PlayerRow]) -> None:
    """Forty matches in three epochs, of which some run, and some are void."""
    choices = random.Random(1)
    for number in range(40):
        if number in (15, 30):
            writer.store.begin_epoch(1 + number // 15, began=writer.now)
        one, other = choices.choice([(0, 2), (1, 3), (2, 4), (0, 4), (1, 4)])
        seating = writer.begin(players[one], players[other], game=choices.choice(GAMES))
        fate = choices.choice(["running", "void", "result", "result"])
        if fate == "void":
            writer.store.void(seating.match_id, reason="The server failed.")
        elif fate == "result":
            writer.finish(seating)


def pages(queries: LadderQueries, wanted: MatchFilter, *, size: int) -> Iterator[LadderMatch]:
    token = ""
    while True:
        page = queries.matches(wanted, token=token, size=size)
        assert len(page.matches) <= size
        yield from page.matches
        token = page.next_token
        if not token:
            return


def fits(match: LadderMatch, wanted: MatchFilter, players: list[PlayerRow]) -> bool:
    """Say in the plainest way whether a match is wanted."""
    seated = [player for player in players if player.player in match.seating.players]
    return (
        wanted.game in (None, match.seating.game)
        and wanted.epoch in (None, match.seating.epoch)
        and wanted.running in (None, match.running)
        and any(
            wanted.player in (None, player.player)
            and wanted.bot in (None, player.name)
            and wanted.account in (None, player.account)
            for player in seated
        )
    )


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_all_filters_together_list_what_they_say(queries: LadderQueries, players: list[PlayerRow]):
    whole = list(pages(queries, MatchFilter(), size=500))
    assert [(found.seating.epoch, found.seating.number) for found in whole] == [
        (epoch, number) for epoch, count in ((3, 10), (2, 15), (1, 15)) for number in reversed(range(count))
    ]
    assert len(queries.matches(size=0).matches) == 1
    assert len(queries.matches(size=10**9).matches) == 40
    for values in itertools.product(*FILTERS.values()):
        wanted = MatchFilter(*values)
        expected = [match for match in whole if fits(match, wanted, players)]
        assert list(pages(queries, wanted, size=7)) == expected, wanted


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_matches_that_begin_meanwhile_shift_no_page(writer: Writer, queries: LadderQueries, players: list[PlayerRow]):
    before = list(pages(queries, MatchFilter(bot="ana"), size=500))
    first = queries.matches(MatchFilter(bot="ana"), size=5)
    for _ in range(6):
        writer.play(players[0], players[2])
    writer.store.begin_epoch(4, began=writer.now)
    writer.play(players[1], players[2])
    second = queries.matches(MatchFilter(bot="ana"), token=first.next_token, size=5)
    assert [*first.matches, *second.matches] == before[:10]


@pytest.mark.parametrize(
    "token", ["x", "MS4y=", "é", "MS4x.", "LTEuLTE=", "OTk5OTk5OTk5OTk5OTk5OS4x", "MDEuMDI=", "0" * 9999]
)
def test_a_token_that_nobody_gave_is_refused_in_a_sentence(token: str):
    with pytest.raises(PageTokenError, match=r"^The page token is not one of a list of matches: .*\.$"):
        token_serial(token)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.usefixtures("many")
def test_every_listing_goes_by_an_index_and_sorts_nothing(queries: LadderQueries):
    """So that a page costs the same, however many matches there are."""
    plans = dict[str, list[str]]()

    def explain(connection: Connection, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        if statement.startswith("SELECT") and statement not in plans:
            cursor = connection.connection.cursor()
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans[statement] = [step[-1] for step in cursor.fetchall()]

    engine_events.listen(queries._database._engine, "before_cursor_execute", explain)
    for values in itertools.product(*FILTERS.values()):
        list(pages(queries, MatchFilter(*values), size=7))
    list(queries.results_since(5))
    list(queries.ledger(1, since=5))
    assert len(plans) > 20
    # The matches that run are few, and so are the keys of a page.
    slow = {
        statement: plan
        for statement, plan in plans.items()
        for step in plan
        if step.startswith(("SCAN", "USE TEMP")) and not step.startswith("SCAN running")
    }
    assert slow == {}
