"""A ladder on which the account of a player was deleted: what is shown, and what its proof still says."""

from pathlib import Path

import pytest
from support.commands import ordago
from support.kept_ladder import KeptLadder
from support.ladders import Writer
from support.lively_ladder import rated

from ordago import v1
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.ladder.queries import LadderQueries
from ordago_cli.errors import EXIT_UNFINISHED
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.archive import publish_epochs
from ordago_ladder.standing.publication.publisher import PublishedStore
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive

PSEUDONYM = "(deleted account 0123456789ab)"
DELETED = {"ana": PSEUDONYM}


@pytest.fixture
def reader(writer: Writer, tmp_path: Path) -> StandingReader:
    """A ladder on which bots of ana, whose account is deleted, met those of others."""
    deep, house = writer.player("deep", account="ana"), writer.player("solid", account="")
    table = deep, house, writer.player("sota", account="ben")
    for _ in range(3):
        writer.play(*table)
    queries = LadderQueries.open(tmp_path / "ladder.sqlite")
    return StandingReader(
        queries,
        lambda: rated(queries),
        SeasonArchive(tmp_path),
        v1.GetLadderResponse(),
        shown_account=lambda account: DELETED.get(account, account),
    )


def test_every_answer_has_the_pseudonym_and_none_the_name(reader: StandingReader) -> None:
    standings = reader.list_standings(v1.ListStandingsRequest())
    bot = reader.get_bot(v1.GetBotRequest(name="deep"))
    matches = reader.list_matches(v1.ListMatchesRequest())
    match = reader.get_match(v1.GetMatchRequest(match_id=matches.matches[0].match_id))
    for answer in (standings, bot, matches, match):
        assert f'account: "{PSEUDONYM}"' in str(answer)
        assert '"ana"' not in str(answer)
    assert {standing.player.account for standing in standings.standings} == {PSEUDONYM, "ben", ""}


def test_it_is_found_by_the_pseudonym_alone(reader: StandingReader) -> None:
    def found(account: str) -> tuple[int, int]:
        standings = reader.list_standings(v1.ListStandingsRequest(account=account)).standings
        return len(standings), len(reader.list_matches(v1.ListMatchesRequest(account=account)).matches)

    assert [found(account) for account in (PSEUDONYM, "ana", "ben", "(nobody)", "nobody")] == [
        (1, 3), (0, 0), (1, 3), (0, 0), (0, 0),
    ]  # fmt: skip


@pytest.mark.slow
def test_old_and_new_archives_still_verify(tmp_path: Path) -> None:
    """Neither store nor archive changes: the next files are made of the same ledgers, which have the name."""
    kept = KeptLadder(tmp_path)
    with LadderQueries.open(kept.place) as queries:
        name = queries.players()[0].account
    with Accounts.open(tmp_path / "accounts.sqlite", create=True) as accounts:
        accounts.create_token(account=name or "ana", scopes=[Scope.PLAY], now=0)
        accounts.delete(name or "ana", now=0)
    assert verify_ladder(kept.archive).findings == ()
    fresh = tmp_path / "fresh"
    with LadderQueries.open(kept.place) as queries:
        publish_epochs(PublishedStore(queries), fresh)
    assert verify_ladder(fresh).findings == ()
    for folder in (kept.archive, fresh):
        assert ordago("verify", folder).exit_code == EXIT_UNFINISHED, "its last epoch runs"
