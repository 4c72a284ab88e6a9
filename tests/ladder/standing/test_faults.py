"""What went wrong with one's own bots: who is told of it, what, and what hostile authors get out of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support.ladders import BEGAN, Writer
from support.lively_ladder import rated
from support.matches import match_terms
from support.players import FakePlayer, Strategy, Thought, by_number, played_out

from ordago import v1
from ordago.games.mittlere.pack import PACK
from ordago.match import Match, decisions_of
from ordago.record import FinishedRecord, from_file_bytes, result_of, to_file_bytes
from ordago.store.errors import NotFoundError, PageTokenError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import FinishedMatch, PlayerRow
from ordago_bot.asked import Asked, asked_in
from ordago_bot.testing import is_legal
from ordago_ladder.standing.reading.messages import ladder_description
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive


def a_card_not_held(decision: v1.Decision) -> v1.Answer:
    card = next(card for card in PACK if card not in decision.view.mittlere.hand)
    return v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=card)))  # type: ignore[arg-type]


def wrong_at(*numbers: int, times: int) -> Strategy:
    def strategy(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        wrong = decision.number in numbers and len(refusals) < times
        return a_card_not_held(decision) if wrong else by_number(decision)

    return strategy


def match_of(*strategies: Strategy, **terms: object) -> FinishedRecord:
    return played_out(Match(match_terms(**terms)), [FakePlayer(strategy) for strategy in strategies]).record


@pytest.fixture
def reader(writer: Writer, tmp_path: Path) -> Iterator[StandingReader]:
    assert writer
    described = ladder_description(
        title="", games=(), time=match_terms().time, faults=match_terms().faults, delay_seconds=5, epoch_seconds=60
    )
    with LadderQueries.open(tmp_path / "ladder.sqlite") as queries:
        yield StandingReader(queries, lambda: rated(queries), SeasonArchive(tmp_path), described)


@pytest.fixture
def table(writer: Writer) -> list[PlayerRow]:
    return [writer.player("Anna"), writer.player("Bert"), writer.player("Carl")]


def finish(writer: Writer, table: Sequence[PlayerRow], record: FinishedRecord, *, refusals: bool = True) -> str:
    match_id = writer.begin(*table).match_id
    result, file = result_of(record.message), to_file_bytes(record.message)
    kept = record.refusals if refusals else b""
    writer.store.commit_results([FinishedMatch(match_id, result, file, record.digest, writer.now, kept)])
    return match_id


def faults(reader: StandingReader, account: str, **fields: object) -> list[v1.BotFault]:
    return list(reader.list_faults(v1.ListFaultsRequest(account=account, **fields)).faults)


def test_a_refused_answer_is_told_with_its_sentence(reader: StandingReader, writer: Writer, table: list) -> None:
    match_id = finish(writer, table, match_of(wrong_at(2, times=1), by_number, by_number))
    [fault] = faults(reader, "Anna")
    assert (fault.match_id, fault.bot, fault.seat, fault.decision) == (match_id, "Anna", 0, 2)
    assert (fault.fault, fault.forfeited, fault.ended) == (v1.FAULT_UNSPECIFIED, False, BEGAN)
    [refusal] = fault.refusals
    assert refusal.refused.rule == "not_in_hand"
    assert "You do not hold" in refusal.refused.sentence
    assert refusal.answer.action.mittlere.card


def test_the_last_strike_and_a_forfeit_are_rows(reader: StandingReader, writer: Writer, table: list) -> None:
    finish(writer, table, match_of(wrong_at(1, 2, times=3), by_number, by_number, forfeit_after=2))
    rows = [(row.decision, row.fault, len(row.refusals), row.forfeited) for row in faults(reader, "Anna")]
    illegal = v1.FAULT_ILLEGAL
    assert rows == [(1, illegal, 3, False), (2, illegal, 3, False), (2, illegal, 0, True)]


def test_a_clock_that_ran_out_is_told(reader: StandingReader, writer: Writer, table: list) -> None:
    finished = played_out(
        Match(match_terms(decision_ms=100)), [FakePlayer(thinks=5.0), FakePlayer(), FakePlayer()]
    ).record
    finish(writer, table, finished)
    first = faults(reader, "Anna")[0]
    assert (first.decision, first.fault, bool(first.sentence)) == (1, v1.FAULT_TOO_LATE, True)
    assert first.played == decisions_first(finished).choice.action


def decisions_first(record: FinishedRecord):
    return next(iter(decisions_of(record.message, 0)))


def test_a_decision_is_given_as_it_was_put_and_can_be_asked_again(
    reader: StandingReader, writer: Writer, table: list
) -> None:
    player = FakePlayer(wrong_at(2, times=2))
    record = played_out(Match(match_terms()), [player, FakePlayer(), FakePlayer()]).record
    match_id = finish(writer, table, record)
    given = reader.get_fault(v1.GetFaultRequest(account="Anna", match_id=match_id, decision=2))
    put = v1.Decision()
    put.CopyFrom(player.decisions[1])
    put.match_handle = given.decision.match_handle
    assert given.decision == put
    first, second, third = (Asked.from_json(line.json_line()) for line in asked_in(given))
    assert not is_legal(first.decision, first.answer)
    assert second.refused is not None
    assert second.refused.strikes == 1
    assert not is_legal(second.decision, second.answer)
    assert third.answer.action == given.fault.played


def test_only_the_view_of_the_own_seat_leaves_the_server(reader: StandingReader, writer: Writer, table: list) -> None:
    """The epoch is not revealed: whoever errs on purpose must not see the cards of others."""
    record = match_of(wrong_at(1, times=1), by_number, by_number)
    match_id = finish(writer, table, record)
    given = reader.get_fault(v1.GetFaultRequest(account="Anna", match_id=match_id, decision=1))
    assert given.decision == decisions_first(record).decision
    assert given.start.seed == b""
    assert not given.start.DESCRIPTOR.fields_by_name.get("secret")


def test_strangers_see_the_same_bytes_whether_answers_were_kept_or_not(
    reader: StandingReader, writer: Writer, table: list
) -> None:
    """No record, result or ledger holds a refused answer."""
    record = match_of(wrong_at(2, times=2), by_number, by_number)
    assert record.refusals
    clean = FinishedRecord(record.match_id, record.serialized)
    assert clean.digest == record.digest
    seen = []
    for refusals in (True, False):
        match_id = finish(writer, table, record, refusals=refusals)
        match = reader.get_match(v1.GetMatchRequest(match_id=match_id)).match
        match.match_id, match.number = "", 0
        seen.append((match.SerializeToString(), reader._queries.record(match_id, ended_by=BEGAN)))
    assert seen[0] == seen[1]
    assert from_file_bytes(seen[0][1]) == record.message


@pytest.mark.parametrize("account", ["Bert", "Carl", "nobody", ""])
def test_the_faults_of_others_are_not_among_ones_own(
    reader: StandingReader, writer: Writer, table: list, account: str
) -> None:
    match_id = finish(writer, table, match_of(wrong_at(2, times=1), by_number, by_number))
    assert not faults(reader, account)
    assert not faults(reader, account, bot="Anna")
    for bot in ("", "Anna"):
        with pytest.raises(NotFoundError):
            reader.get_fault(v1.GetFaultRequest(account=account, bot=bot, match_id=match_id, decision=2))


@pytest.mark.parametrize(("match_id", "decision"), [("0" * 32, 2), ("", 2), (None, 1), (None, 0), (None, 2**32 - 1)])
def test_guessed_ids_give_nothing(
    reader: StandingReader, writer: Writer, table: list, match_id: str | None, decision: int
) -> None:
    played = finish(writer, table, match_of(wrong_at(2, times=1), by_number, by_number))
    asked = v1.GetFaultRequest(account="Anna", match_id=played if match_id is None else match_id, decision=decision)
    with pytest.raises(NotFoundError):
        reader.get_fault(asked)


def test_a_running_match_tells_nothing(reader: StandingReader, writer: Writer, table: list) -> None:
    match_id = writer.begin(*table).match_id
    assert not faults(reader, "Anna")
    with pytest.raises(NotFoundError):
        reader.get_fault(v1.GetFaultRequest(account="Anna", match_id=match_id, decision=1))


def test_pages_have_each_row_once(reader: StandingReader, writer: Writer, table: list) -> None:
    for _ in range(3):
        finish(writer, table, match_of(wrong_at(1, 2, 3, times=1), by_number, by_number))
    whole = faults(reader, "Anna")
    assert len(whole) == 9
    found: list[v1.BotFault] = []
    token = ""
    while True:
        page = reader.list_faults(v1.ListFaultsRequest(account="Anna", page_size=2, page_token=token))
        found += page.faults
        token = page.next_page_token
        if not token:
            break
    assert found == whole
    assert len(faults(reader, "Anna", page_size=2**32 - 1)) == 9
    for bad in ("x", "ff", "0" * 25):
        with pytest.raises(PageTokenError):
            faults(reader, "Anna", page_token=bad)


def test_faults_go_with_the_records(reader: StandingReader, writer: Writer, table: list) -> None:
    match_id = finish(writer, table, match_of(wrong_at(2, times=1), by_number, by_number))
    writer.store.begin_epoch(2, began=BEGAN)
    writer.store.reveal(1)
    writer.store.mark_verified(1)
    writer.store.prune_records(keep_days=None, keep_bytes=0)
    assert not faults(reader, "Anna")
    assert not reader._queries.refusals(match_id)
    with pytest.raises(NotFoundError):
        reader.get_fault(v1.GetFaultRequest(account="Anna", match_id=match_id, decision=2))


def test_a_flood_of_long_answers_is_not_kept(reader: StandingReader, writer: Writer, table: list) -> None:
    """An author could fill the store by wrong answers of 64 KiB."""

    def long(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        answer = a_card_not_held(decision)
        answer.cards.extend([1] * 60_000)
        return by_number(decision) if refusals else answer

    record = match_of(long, by_number, by_number)
    assert len(record.refusals) < 100 * 1024
    finish(writer, table, record)
    assert all(not row.refusals[0].HasField("answer") for row in faults(reader, "Anna"))
    assert all(row.refusals[0].refused.sentence for row in faults(reader, "Anna"))


def test_no_more_than_256_are_kept_of_a_match() -> None:
    everything = tuple(range(1, 5000))
    record = match_of(*[wrong_at(*everything, times=2)] * 3, options=match_terms().game.rules.options({"deals": 12}))
    assert len(v1.BotFault.FromString(record.refusals).refusals) == 256
