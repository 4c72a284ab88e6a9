"""When the value of a public beacon is entered into the ledger of an event.

It has to be a value that nobody could know when the secret and all nonces were fixed: otherwise whoever knows the
secret could choose the deals by the nonce of an entrant of his own. So an event that names a beacon is begun by one
run, in which everybody checks in, and played by the next ones, the first of which is told the value.
"""

from ordago.record.ledgers.event import BeaconEntry, Ledger
from ordago_ladder.settings.settings import Settings


class BeaconError(Exception):
    """A value of a beacon is given that cannot be taken. The organiser erred."""


class BeaconDueError(Exception):
    """The event is begun and waits for the value of its beacon. Nobody erred."""


def due_beacon(settings: Settings, ledger: Ledger, value: bytes | None) -> BeaconEntry | None:
    """Return what is to be entered before a match is played; ``None`` for nothing.

    Args:
        settings: the event.
        ledger: its ledger so far.
        value: the value that the organiser gives; ``None`` where he gives none.

    Raises:
        BeaconError: a value is given that cannot be taken. The message says what to do.
        BeaconDueError: a value is missing. The message says what to do.
    """
    beacon, entered = settings.event.beacon, ledger.beacon
    if beacon is None:
        _refuse(value, "the event file names no beacon: run without --beacon")
        return None
    if entered is not None:
        known = None if value is not None and value.hex() == entered.value else value
        _refuse(known, f"the value of the beacon is {entered.value} already, and deals depend on it")
        return None
    if not ledger.checked_in:
        _refuse(
            value, "nobody has checked in yet, and a value may be known only afterwards: run without --beacon first"
        )
        return None
    if value is None:
        raise BeaconDueError(
            "the event is begun and all nonces are published: run again with --beacon HEX, "
            f"the value of round {beacon.round} of {beacon.source}, once that is out"
        )
    return BeaconEntry(source=beacon.source, round=beacon.round, value=value.hex())


def _refuse(value: bytes | None, sentence: str) -> None:
    if value is not None:
        raise BeaconError(sentence)
