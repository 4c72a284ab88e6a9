"""``ordago ladder``, ``matches`` and ``watch`` as they are typed, at a server with a ladder."""

import json
from functools import partial

import pytest
from click.testing import Result
from support.commands import assert_told, ordago
from support.connections import Lobby
from support.ladder_reader import FakeReader, open_ladder
from support.matches import match_terms
from support.players import FakePlayer, by_default, play_match
from support.raw_client import in_thread

from ordago import v1
from ordago.arena.tables.watched import WatchedMatches
from ordago.edge import Edge
from ordago.games import find_game, game_names
from ordago.match import SeatTerms
from ordago.store.errors import NotFoundError, NotOpenError

DESCRIBED = v1.GetLadderResponse(
    name="demo", title="The ladder of the tests", games=[v1.LadderGame(game="mus")], epoch=3, matches=1204, running=2
)
STANDINGS = v1.ListStandingsResponse(
    standings=[
        v1.Standing(
            rank=1,
            player=v1.LadderPlayer(player=2, name="sota", version="1.2", account="ana", current=True),
            rating=v1.Rating(elo=1612.4, low=1574.4, high=1650.4, matches=1214),
        ),
        v1.Standing(
            player=v1.LadderPlayer(player=1, name="\x1b[31mred", house=True),
            rating=v1.Rating(elo=1500, low=1300, high=1700, matches=3, provisional=True),
        ),
    ],
    next_page_token="more",  # noqa: S106 - of a page
)
MATCHES = v1.ListMatchesResponse(
    matches=[
        v1.LadderMatch(
            match_id="ab" * 16,
            game="mus",
            epoch=3,
            stage=v1.MATCH_STAGE_OVER,
            begun=1_800_000_000,
            seats=[
                v1.LadderSeat(name="sota", version="1.2", placing=1, score=40),
                v1.LadderSeat(name="red", placing=2, score=12, forfeited=True),
            ],
        ),
        v1.LadderMatch(match_id="cd" * 16, game="mus", stage=v1.MATCH_STAGE_VOID, void_reason="The server failed."),
    ]
)


async def asked(reader: FakeReader, *words: str, watched: WatchedMatches | None = None) -> Result:
    """Return what a command says at a server."""
    async with open_ladder(reader, watched) as (edge, _):
        return await in_thread(partial(ordago, *words, "--server", f"127.0.0.1:{edge.port}"))


async def test_a_ladder_is_shown() -> None:
    reader = FakeReader(get_ladder=DESCRIBED, list_standings=STANDINGS)
    shown = await asked(reader, "ladder", "mus", "--all", "--no-house", "--name", "so", "--settled")
    assert_told(shown, 0, "The ladder of the tests: Mus", "epoch 3, 1,204 matches, 2 live", "Standings in Mus:")
    lines = shown.output.splitlines()
    assert lines[4].split() == ["1", "sota", "1.2", "1612", "38", "1,214", "ana"]
    assert lines[5].split() == ["-", "\\x1b[31mred", "-", "1500?", "200", "3", "(house)"]
    assert lines[6] == "more: --page more"
    assert reader.asked[1] == v1.ListStandingsRequest(
        game="mus", house=False, provisional=False, name_part="so", page_size=50
    )


async def test_a_ladder_on_which_nobody_stands_says_so() -> None:
    reader = FakeReader(get_ladder=DESCRIBED, list_standings=v1.ListStandingsResponse())
    assert_told(await asked(reader, "ladder"), 0, "no ratings yet")
    assert reader.asked[1] == v1.ListStandingsRequest(current_only=True, page_size=50)


async def test_a_ladder_is_json_for_programs() -> None:
    reader = FakeReader(get_ladder=DESCRIBED, list_standings=STANDINGS)
    told = json.loads((await asked(reader, "ladder", "--json")).output)
    assert told["ladder"]["epoch"] == 3
    assert [standing["player"]["name"] for standing in told["standings"]] == ["sota", "\x1b[31mred"]


async def test_seasons_are_listed_and_asked_for_by_their_names() -> None:
    ended = v1.Season(name="-", first_epoch=1, last_epoch=3, began=1_800_000_000, ended=1_800_000_060, matches=1204)
    goes_on = v1.Season(name="\x1b[31mred", first_epoch=4, last_epoch=4, began=1_800_000_060)
    listed = v1.ListSeasonsResponse(seasons=[goes_on, ended], next_page_token="more")  # noqa: S106 - of a page
    reader = FakeReader(list_seasons=listed, get_ladder=DESCRIBED, list_standings=STANDINGS)
    shown = await asked(reader, "ladder", "--seasons")
    assert_told(shown, 0, "[31mred", "4 to 4", "2027-01-15 08:01:00 UTC", "current", "1 to 3", "1,204", "more: --page")
    assert "\x1b" not in shown.output
    told = json.loads((await asked(reader, "ladder", "--seasons", "--json")).output)
    assert [season["name"] for season in told["seasons"]] == ["\x1b[31mred", "-"]
    assert_told(await asked(reader, "ladder", "--season", "spring"), 0, "Standings in all games, season spring:")
    assert reader.asked[-1] == v1.ListStandingsRequest(current_only=True, page_size=50, season="spring")
    unknown = FakeReader(get_ladder=DESCRIBED, list_standings=NotFoundError("There is no season 'x' on this ladder."))
    assert_told(await asked(unknown, "ladder", "--season", "x"), 3, "There is no season 'x' on this ladder.")


async def test_matches_are_listed() -> None:
    reader = FakeReader(list_matches=MATCHES)
    shown = await asked(reader, "matches", "--bot", "sota", "--over", "--epoch", "3")
    assert_told(shown, 0, "ab" * 16, "2027-01-15 08:00:00 UTC", "over", "sota 1.2 1. (40), red 2. (12) forfeited")
    assert_told(shown, 0, "cd" * 16, "void", "The server failed.")
    assert reader.asked == [v1.ListMatchesRequest(bot="sota", epoch=3, running=False, page_size=20)]
    told = json.loads((await asked(reader, "matches", "--json")).output)
    assert [match["stage"] for match in told["matches"]] == ["MATCH_STAGE_OVER", "MATCH_STAGE_VOID"]
    assert_told(await asked(FakeReader(list_matches=v1.ListMatchesResponse()), "matches"), 0, "no such matches")


class _Looking:
    def __init__(self) -> None:
        self.news: list[bytes] = []


@pytest.mark.parametrize("name", game_names())
async def test_a_match_is_told_as_it_is_seen(name: str) -> None:
    """In the words of its game, without a hand that was not shown, and with names that do nothing to a terminal."""
    game, watched, looking = find_game(name), WatchedMatches(delay_seconds=0), _Looking()
    seats = tuple(SeatTerms(f"bot {seat}\x1b[2J") for seat in range(game.rules.seat_counts[0]))
    options = game.rules.options({"deals": 3} if name in ("mittlere", "taihe") else {})
    terms = match_terms(game, seats=seats, options=options)
    record = play_match(terms, [FakePlayer(by_default) for _ in seats], onlookers=[looking])
    match = watched.begin(terms)
    match.news += looking.news
    match.over(record)
    shown = await asked(FakeReader(), "watch", terms.match_id, watched=watched)
    assert_told(shown, 0, game.rules.title, "Deal 1", "bot 0\\x1b[2J")
    assert not [line for line in shown.output.splitlines() if line.startswith("  bot ")], "these lines list hands"
    assert "\x1b" not in shown.output
    assert shown.output.rstrip().endswith(str(min(record.outcome.scores)))


async def test_a_match_is_json_lines_for_programs() -> None:
    watched = WatchedMatches()
    match = watched.begin(match_terms())
    match.void("The server failed.")
    shown = await asked(FakeReader(), "watch", match.start.match_id, "--json", watched=watched)
    first, last = map(json.loads, shown.output.splitlines())
    assert first["start"]["game"] == "mittlere"
    assert last["end"]["sentence"] == "The server failed."
    told = await asked(FakeReader(), "watch", match.start.match_id, watched=watched)
    assert_told(told, 0, "The match is void: The server failed.")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NotFoundError("There is no match 00 on this ladder."), "ordago: There is no match 00 on this ladder.\n"),
        (NotOpenError("The record opens \x1b[2J later."), "ordago: The record opens \\x1b[2J later.\n"),
    ],
)
async def test_a_refusal_is_one_sentence(error: Exception, sentence: str) -> None:
    reader = FakeReader()
    reader.records["00"] = error
    shown = await asked(reader, "watch", "00")
    assert (shown.exit_code, shown.output) == (3, sentence)


async def test_a_server_without_a_ladder_is_told_apart() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        for words in (["ladder"], ["matches"], ["watch", "00"]):
            shown = await in_thread(partial(ordago, *words, "--server", f"127.0.0.1:{edge.port}"))
            assert_told(shown, 3, f"the server at 127.0.0.1:{edge.port} has no ladder: start it with --ladder")
        port = edge.port
    shown = await in_thread(partial(ordago, "ladder", "--server", f"127.0.0.1:{port}"))
    assert_told(shown, 3, f"ordago: no answer from 127.0.0.1:{port}: ")
    assert len(shown.output.splitlines()) == 1


def test_what_is_typed_wrong_is_told() -> None:
    assert_told(ordago("ladder", "unheardof"), 2, "there is no game 'unheardof'")
    assert_told(
        ordago("ladder", "--server", "nowhere"), 2, "--server: 'nowhere' is not HOST:PORT, [IPv6]:PORT or unix:PATH"
    )
    assert_told(ordago("matches", "--token-file", "/nowhere/token"), 3, "cannot read /nowhere/token")


async def test_a_server_that_tells_nonsense_does_no_harm() -> None:
    """The attacker has the server: an event of another game, a seat that there is not, a kind that is not known."""
    watched = WatchedMatches()
    for number, event in enumerate(
        (
            v1.Event(mittlere=v1.MittlereEvent(kind=99)),  # type: ignore[arg-type]  # it is not known
            v1.Event(mittlere=v1.MittlereEvent(kind=v1.MITTLERE_EVENT_KIND_DEAL_STARTED, seat=77)),
        )
    ):
        match = watched.begin(match_terms(match_id=f"{number:032x}"))
        match.news.append(v1.WatchMatchResponse(events=[event]).SerializeToString())
        match.void("It is over.")
        shown = await asked(FakeReader(), "watch", match.start.match_id, watched=watched)
        assert_told(shown, 3, "the server sent a message that this version of Ordago does not understand")
