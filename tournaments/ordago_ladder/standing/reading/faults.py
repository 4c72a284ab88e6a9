"""What went wrong with the bots of an account: from the records of their matches, and the answers that were refused."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from ordago import v1
from ordago.match import decisions_of, sentence_of
from ordago.record import from_file_bytes
from ordago.record.opening import UnplayableError
from ordago.store.errors import NotFoundError, NotOpenError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import LadderResult, PlayerRow

NO_FAULT: Final = "There is no such fault of a bot of this account."


def seats_of(result: LadderResult, players: Sequence[PlayerRow]) -> list[tuple[int, PlayerRow]]:
    """Return the seats at which some players sat in a match: several only if it was unrated."""
    own = {player.player: player for player in players}
    return [(seat, own[number]) for seat, number in enumerate(result.seating.players) if number in own]


def went_wrong(result: LadderResult, seat: int) -> bool:
    """Return True if a seat has a fault, a strike or a forfeit."""
    played = result.result
    return bool(played.faults[seat] or played.strikes[seat] or any(one.seat == seat for one in played.forfeits))


def faults_in(queries: LadderQueries, result: LadderResult, seat: int, player: PlayerRow) -> Iterator[v1.BotFault]:
    """Yield what went wrong at a seat of a match, in order.

    Raises:
        NotFoundError: the record was deleted to free space.
    """
    match_id = result.seating.match_id
    kept = v1.BotFault.FromString(queries.refusals(match_id)).refusals
    for fault in seat_faults(_record(queries, result), seat, [each for each in kept if each.seat == seat]):
        fault.match_id, fault.game, fault.ended = match_id, result.seating.game, result.ended
        fault.bot, fault.version, fault.seat = player.name, player.version, seat
        yield fault


def _record(queries: LadderQueries, result: LadderResult) -> v1.MatchRecord:
    # The epoch may not be revealed yet: nothing but what the seat itself was told leaves this module.
    return from_file_bytes(queries.record(result.seating.match_id, ended_by=result.ended))


def seat_faults(record: v1.MatchRecord, seat: int, refusals: Sequence[v1.RefusedAnswer] = ()) -> Iterator[v1.BotFault]:
    """Yield what went wrong at a seat by the record of its match, up to its forfeit.

    Args:
        record: the record.
        seat: the seat, from 0.
        refusals: its refused answers, as far as they were kept.
    """
    decision = 0
    for entry in record.entries:
        choice, forfeit = entry.choice, entry.forfeit
        if entry.HasField("forfeit") and forfeit.seat == seat:
            sentence = sentence_of(forfeit.fault)
            yield v1.BotFault(decision=decision, fault=forfeit.fault, sentence=sentence, forfeited=True)
            return
        if not entry.HasField("choice") or choice.seat != seat:
            continue
        decision += 1
        if choice.fault or choice.strikes:
            kept = [each for each in refusals if each.refused.number == decision]
            yield v1.BotFault(
                decision=decision,
                fault=choice.fault,
                sentence=sentence_of(choice.fault),
                refusals=kept if len(kept) == choice.strikes else _by_rule(choice, seat, decision),
                played=choice.action,
                charged_ms=choice.charged_ms,
                away_ms=choice.away_ms,
            )


def _by_rule(choice: v1.RecordedChoice, seat: int, decision: int) -> list[v1.RefusedAnswer]:
    """Return all that a record tells of refused answers."""
    rules = choice.broken_rules
    refusals = (v1.Refused(number=decision, fault=v1.FAULT_ILLEGAL, rule=rule) for rule in rules)
    return [v1.RefusedAnswer(seat=seat, refused=refused) for refused in refusals]


def fault_asked(
    queries: LadderQueries, result: LadderResult, seat: int, player: PlayerRow, decision: int
) -> v1.GetFaultResponse:
    """Return a decision of a seat that went wrong, as the seat was asked it.

    Raises:
        NotFoundError: nothing went wrong there, or the record was deleted.
        NotOpenError: these rules cannot play the match.
    """
    faults = (fault for fault in faults_in(queries, result, seat, player) if fault.decision == decision)
    if decision == 0 or (fault := next(faults, None)) is None:
        raise NotFoundError(NO_FAULT)
    try:
        past = next(islice(decisions_of(_record(queries, result), seat), decision - 1, None))
    except UnplayableError as error:
        raise NotOpenError(f"The decision cannot be shown: {error}") from None
    return v1.GetFaultResponse(fault=fault, start=past.start, decision=past.decision)
