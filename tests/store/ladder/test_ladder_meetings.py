"""The matches in which two bots sat."""

from contextlib import suppress

from support.ladders import Writer

from ordago.store.errors import StoreError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import MatchFilter


def test_matches_of_both_are_found_the_newest_first_and_once(writer: Writer, queries: LadderQueries) -> None:
    anna, bert, carl, dora = (writer.player(name) for name in ("anna", "bert", "carl", "dora"))
    first = writer.play(anna, bert)
    writer.play(anna, dora)
    second = writer.play(bert, dora, carl, game="mus")
    both = writer.play(anna, carl, bert)
    writer.begin(anna, bert)
    some = [anna.player, carl.player]
    met = queries.meetings(some, [bert.player], epochs=(1, 1), most=10)
    assert [result.seating.match_id for result in met] == [both.match_id, second.match_id, first.match_id]
    assert queries.meetings(some, [bert.player], epochs=(1, 1), most=1) == met[:1]
    assert queries.meetings([bert.player], some, epochs=(1, 1), most=10) == met
    assert not queries.meetings([anna.player], [99], epochs=(1, 1), most=10)
    writer.store.begin_epoch(2, began=writer.now)
    later = writer.play(anna, bert)
    for epochs, found in (((1, 1), met), ((2, 3), [later]), ((1, 2), [later, *met])):
        told = queries.meetings(some, [bert.player], epochs=epochs, most=10)
        assert [one.seating.match_id for one in told] == [getattr(one, "seating", one).match_id for one in found]


def test_a_name_that_no_database_can_hold_is_nobodys(writer: Writer, queries: LadderQueries) -> None:
    """Anybody may ask for it: it is no mistake of the server."""
    writer.player("anna")
    with suppress(StoreError):
        assert queries.players(bot="an\0na") == []
    with suppress(StoreError):
        assert queries.matches(MatchFilter(bot="an\0na", game="\0", account="\0")).matches == ()
    with suppress(StoreError):
        assert queries.matches(MatchFilter(epoch=2**32 - 1)).matches == ()
