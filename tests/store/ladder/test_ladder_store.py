"""What is written to the store of a standing ladder, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.ladders import BEGAN, NONCE, Writer, finished, ladder_row
from support.postgresql import execute

from ordago.chance import commitment
from ordago.record.epochs import leads_back
from ordago.record.ledgers.ladder import EpochLedger, ladder_match_id, read_epoch
from ordago.record.ledgers.ladder_order import epoch_problems
from ordago.store import StoreBusyError, StoreError
from ordago.store.accounts.accounts import Accounts
from ordago.store.event.store import Store
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore


def ledger(queries: LadderQueries, epoch: int) -> EpochLedger:
    """Return the ledger of an epoch, of which all entries fit together."""
    read = read_epoch(list(queries.ledger(epoch)))
    assert read.head == queries.head(epoch)
    assert list(epoch_problems(read)) == []
    return read


def kinds(told: EpochLedger) -> list[str]:
    return [entry.kind for entry in told.entries]


def test_an_epoch_is_told_from_its_begin_to_its_secret(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    first = writer.begin(ana, ben)
    second = writer.begin(ben, ana)
    writer.store.begin_epoch(2, began=writer.now + 60)
    writer.now += 100
    writer.finish(first)
    writer.store.void(second.match_id, reason="The server failed.")
    head = writer.store.reveal(1)
    told = ledger(queries, 1)
    assert told.head == head == writer.store.reveal(1)
    assert kinds(told) == ["begin", "player", "player", "seating", "seating", "result", "void", "end"]
    assert told.end is not None
    assert told.secret is not None
    assert leads_back(bytes.fromhex(told.end.link), epoch=1, to=queries.ladder().anchor)
    assert first.match_id == ladder_match_id(0, secret=told.secret)
    begun = ledger(queries, 2).begin
    assert begun is not None
    assert begun.previous is not None
    assert begun.previous.length == 5


def test_no_ledger_tells_a_secret_before_its_epoch_is_revealed(writer: Writer, queries: LadderQueries, secrets_of):
    ana, ben = writer.player("ana"), writer.player("ben")
    writer.begin(ana, ben)
    for epoch in (2, 3):
        writer.store.begin_epoch(epoch, began=writer.now)
        writer.play(ana, ben)
    told = "".join(line for epoch in (1, 2, 3) for line in queries.ledger(epoch))
    assert not any(hidden.hex() in told for hidden in secrets_of(queries))
    assert not any(hidden.hex() in repr(queries.ladder()) for hidden in secrets_of(queries))
    assert commitment(next(iter(secrets_of(queries)))).hex() in told


@pytest.fixture
def secrets_of() -> Callable[[LadderQueries], list[bytes]]:
    """Returns the secrets of the first three epochs, and the links that they are made of."""

    def found(queries: LadderQueries) -> list[bytes]:
        chain = queries.ladder().chain
        return [*map(chain.secret, (1, 2, 3)), *map(chain.link, (1, 2, 3)), chain.last]

    return found


def test_an_epoch_is_revealed_when_all_before_it_are_and_nothing_of_it_runs(writer: Writer):
    ana, ben = writer.player("ana"), writer.player("ben")
    running = writer.begin(ana, ben)
    for epoch, why in [(0, "the one after it"), (1, "the one after it"), (7, "the one after it")]:
        with pytest.raises(StoreError, match=rf"^Epoch {epoch} cannot be revealed: {why} has not begun\.$"):
            writer.store.reveal(epoch)
    writer.store.begin_epoch(2, began=writer.now)
    writer.store.begin_epoch(3, began=writer.now)
    with pytest.raises(StoreError, match="Epoch 2 cannot be revealed: epoch 1 comes first"):
        writer.store.reveal(2)
    with pytest.raises(StoreError, match="Epoch 1 cannot be revealed: some of its matches are still running"):
        writer.store.reveal(1)
    writer.finish(running)
    writer.store.reveal(1)
    writer.store.reveal(2)


def test_epochs_begin_in_order_until_the_chain_ends(store: LadderStore):
    for wrong in (0, 1, 3):
        with pytest.raises(StoreError, match=f"Epoch {wrong} cannot begin: the next one is 2"):
            store.begin_epoch(wrong, began=BEGAN)
    for epoch in range(2, 6):
        store.begin_epoch(epoch, began=BEGAN)
    with pytest.raises(StoreError, match="secrets for epochs 1 to 5, not for 6"):
        store.begin_epoch(6, began=BEGAN)


def test_each_player_is_told_once_in_each_epoch_and_numbered_for_ever(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    writer.play(ana, ben)
    writer.play(ben, ana)
    writer.store.begin_epoch(2, began=writer.now)
    writer.play(ana, writer.player("house", account=""))
    assert [sorted(ledger(queries, epoch).players) for epoch in (1, 2)] == [[1, 2], [1, 3]]
    assert queries.players() == [ana, ben, writer.player("house", account="")]


def test_a_version_is_a_player_that_follows_the_one_before_of_its_account(writer: Writer, queries: LadderQueries):
    first, second = writer.player("ana", "1"), writer.player("ana", "2")
    stranger = writer.player("ana", "2", account="somebody else")
    assert [one.predecessor for one in (first, second, stranger)] == [None, first.player, None]
    assert writer.player("ana", "1") == first
    assert writer.player("ana", "3").predecessor == second.player
    assert [one.version for one in queries.players(bot="ana", account="ana")] == ["1", "2", "3"]
    for one in (first, second, stranger):
        writer.play(one, writer.player("ben"))
    assert [player.account for player in ledger(queries, 1).players.values()] == ["ana", "ben", "ana", "somebody else"]


def test_a_player_tells_what_it_was_built_with_as_it_said_when_it_came_first(writer: Writer, queries: LadderQueries):
    first = writer.player("ana", sdk="ordago go")
    assert writer.player("ana", sdk="ordago rust") == first
    assert writer.player("ana", "2", sdk="ordago rust").sdk == "ordago rust"
    assert [player.sdk for player in queries.players()] == ["ordago go", "ordago rust"]


def test_who_cannot_sit_at_one_table_is_refused_and_leaves_nothing(writer: Writer, queries: LadderQueries):
    ana, again = writer.player("ana", account="family"), writer.player("ana", "2", account="family")
    ben, cem = writer.player("ben", account="family"), writer.player("cem")
    for wrong in [(ana, ben), (ana, again), (ana, ana), (cem, ana, ben)]:
        with pytest.raises(StoreError, match=r"cannot sit at one table, since two share a name or an account"):
            writer.begin(*wrong)
    with pytest.raises(StoreError, match=r"^There is no player 99 on this ladder\.$"):
        writer.begin(cem, ana._replace(player=99))
    with pytest.raises(StoreError, match="A match needs players"):
        writer.begin()
    for nonces in [[NONCE], [NONCE, b"short"], [NONCE, bytes(65)]]:
        with pytest.raises(StoreError, match="Each seat needs a nonce of 16 to 64 bytes"):
            writer.store.begin_match(game="mus", players=[ana.player, cem.player], nonces=nonces, begun=BEGAN)
    assert kinds(ledger(queries, 1)) == ["begin"]
    one, other = writer.player("one", account=""), writer.player("other", account="")
    assert writer.begin(one, other).number == 0


def test_a_result_counts_once_however_often_it_is_committed(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    first, second = writer.begin(ana, ben), writer.begin(ben, ana)
    for _ in range(3):
        writer.finish(first, second)
    assert [found.seating for found in queries.results_since()] == [first, second]
    with pytest.raises(StoreError, match=f"Match {first.match_id} has another result already"):
        writer.finish(first, record=b"another record")
    with pytest.raises(StoreError, match="has a result and cannot be void"):
        writer.store.void(first.match_id, reason="The server failed.")
    assert kinds(ledger(queries, 1)) == ["begin", "player", "player", "seating", "seating", "result", "result"]


def test_a_match_that_is_void_stays_so(writer: Writer, queries: LadderQueries):
    seating = writer.begin(writer.player("ana"), writer.player("ben"))
    heads = {writer.store.void(seating.match_id, reason=reason) for reason in ("It broke.", "It broke again.")}
    assert heads == {queries.head(1)}
    with pytest.raises(StoreError, match="is void and cannot have a result"):
        writer.finish(seating)
    assert queries.match(seating.match_id).void == "It broke."


def test_results_come_all_or_none_and_only_of_matches_that_began(writer: Writer, queries: LadderQueries):
    seating = writer.begin(writer.player("ana"), writer.player("ben"))
    with pytest.raises(StoreError, match="Match ff never began"):
        writer.finish(seating, seating._replace(match_id="ff"))
    with pytest.raises(StoreError, match="Match ff never began"):
        writer.store.void("ff", reason="It broke.")
    assert list(queries.results_since()) == []
    assert writer.store.running() == [seating]


def test_heads_are_those_of_the_epochs_in_which_the_matches_began(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    first = writer.begin(ana, ben)
    writer.store.begin_epoch(2, began=writer.now)
    second = writer.begin(ana, ben)
    heads = writer.store.commit_results([finished(first), finished(second)])
    assert heads == {1: queries.head(1), 2: queries.head(2)}


def test_a_clock_that_goes_back_stands_still_instead(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    writer.now = BEGAN + 1000
    first = writer.begin(ana, ben)
    writer.now = BEGAN - 5000
    second = writer.begin(ana, ben)
    writer.finish(first, second)
    writer.store.begin_epoch(2, began=writer.now)
    third = writer.play(ana, ben)
    times = [*(one.begun for one in (first, second, third)), *(found.ended for found in queries.results_since())]
    assert {*times, queries.epochs()[1].began} == {BEGAN + 1000}
    writer.now = BEGAN + 1001
    assert writer.begin(ana, ben).begun == BEGAN + 1001
    ledger(queries, 1)
    ledger(queries, 2)


def test_a_ladder_goes_on_with_its_first_secret_and_settings_that_changed(store: LadderStore, queries: LadderQueries):
    other = ladder_row(
        settings="[ladder] # changed", settings_digest="cd" * 32, chain=ladder_row().chain.__class__(bytes(32), 9)
    )
    assert store.create(other).chain == ladder_row().chain
    store.begin_epoch(2, began=BEGAN)
    assert [queries.settings(epoch.settings_digest) for epoch in queries.epochs()] == ["[ladder]", "[ladder] # changed"]
    with pytest.raises(StoreError, match="belongs to the ladder 'trial': use another for 'cup'"):
        store.create(ladder_row(name="cup"))
    with pytest.raises(StoreError, match="other settings of the same digest"):
        store.create(ladder_row(settings="[forged]"))


@pytest.mark.usefixtures("store")
def test_what_is_no_ladder_or_of_a_newer_ordago_is_told_in_a_sentence(place: Path | str):
    for kind, content in [(Store, "an event"), (Accounts, "the accounts of a server")]:
        with pytest.raises(StoreError, match=f"^The database is not that of {content}: it has other tables."):
            kind.open(place, create=True)
    execute(place, "UPDATE ladder_version SET version = 9")
    for opens in (LadderStore, LadderQueries):
        with pytest.raises(
            StoreError, match=r"^The database has tables of version 9, and this version of Ordago knows version 1"
        ):
            opens.open(place)


def test_a_ladder_that_was_not_begun_is_told_in_a_sentence(place: Path | str):
    with LadderStore.open(place, create=True) as store, LadderQueries.open(place) as queries:
        for ask in (queries.ladder, lambda: store.begin_epoch(1, began=BEGAN), lambda: store.reveal(1)):
            with pytest.raises(StoreError, match=r"^The ladder in this database has not begun yet\.$"):
                ask()
        store.create(ladder_row())
        with pytest.raises(StoreError, match=r"^No epoch of the ladder has begun: no match can begin\.$"):
            store.begin_match(game="mus", players=[], nonces=[], begun=BEGAN)


def test_one_server_at_a_time_works_on_a_ladder(store: LadderStore, place: Path | str):
    """Who only reads needs no leave."""
    with store.held(), LadderStore.open(place) as other, LadderQueries.open(place) as queries:
        for _ in range(2):
            with pytest.raises(StoreBusyError, match=r"uses the standing ladder in .*stop it first"), other.held():
                pass
        assert len(queries.epochs()) == 1
    with LadderStore.open(place) as other, other.held():
        other.begin_epoch(2, began=BEGAN)


def test_a_season_begins_with_an_epoch_and_is_never_begun_again(writer: Writer, queries: LadderQueries):
    for epoch, season in ((2, "spring"), (3, "spring"), (4, "autumn")):
        writer.store.create(ladder_row(season=season))
        writer.store.begin_epoch(epoch, began=writer.now)
    assert [epoch.season for epoch in queries.epochs()] == ["", "spring", "spring", "autumn"]
    begins = [ledger(queries, epoch).begin for epoch in range(1, 5)]
    assert [begin and begin.season for begin in begins] == ["", "spring", "spring", "autumn"]
    for season in ("", "spring"):
        writer.store.create(ladder_row(season=season))
        with pytest.raises(StoreError, match="has ended and cannot begin again"):
            writer.store.begin_epoch(5, began=writer.now)
    assert len(queries.epochs()) == 4
