"""What a server tells of an event that it plays, to whoever asks."""

from ordago import v1
from ordago.record.ledgers.event import Ledger


def description_of(ledger: Ledger) -> v1.DescribeEventResponse:
    """Return what is told of the event of a ledger, which has begun."""
    begin = ledger.begin
    assert begin is not None
    described = v1.DescribeEventResponse(
        event=begin.event,
        commitment=bytes.fromhex(begin.commitment),
        secret_digest=bytes.fromhex(begin.secret_digest),
        settings_digest=bytes.fromhex(begin.settings_digest),
        entrants=ledger.entrants,
    )
    if begin.beacon is not None:
        value = bytes.fromhex(ledger.beacon.value) if ledger.beacon is not None else b""
        described.beacon.CopyFrom(v1.Beacon(source=begin.beacon.source, round=begin.beacon.round, value=value))
    return described
