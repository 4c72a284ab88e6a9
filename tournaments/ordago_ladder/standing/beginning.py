"""How a server begins a ladder, or goes on with it."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime

from ordago.chance import SECRET_BYTES
from ordago.record.epochs import LinkChain
from ordago.store.ladder_queries import LadderQueries
from ordago.store.ladder_rows import EpochRow, LadderRow
from ordago.store.ladder_store import LadderStore
from ordago_ladder.standing.settings import StandingSettings

_HOUR_SECONDS = 3600


class SettingsChangedError(Exception):
    """What matches are played under has changed while an epoch goes on. The organiser erred."""


def begin_ladder(
    store: LadderStore,
    queries: LadderQueries,
    settings: StandingSettings,
    *,
    now: Callable[[], float],
    next_epoch: bool = False,
) -> None:
    """Begin a ladder with its first epoch, or go on with it, and with the next epoch if that is due.

    Args:
        store: where it is kept.
        queries: reads the same.
        settings: the ladder file.
        now: the time, in seconds since 1970, UTC.
        next_epoch: whether the next epoch begins in any case.

    Raises:
        SettingsChangedError: an epoch goes on that began with other games or terms.
        StoreError: the store belongs to another ladder.
    """
    epochs = queries.epochs()
    due = next_epoch or not epochs or _ends(epochs[-1], settings) <= now()
    if not due:
        _check_same(epochs[-1], settings)
    _keep(store, settings, began=int(now()))
    if due:
        store.begin_epoch(len(epochs) + 1, began=int(now()))


def check_settings(queries: LadderQueries, settings: StandingSettings, *, now: Callable[[], float]) -> None:
    """Check that a ladder could go on with its settings.

    Raises:
        SettingsChangedError: as in ``begin_ladder``.
    """
    epochs = queries.epochs()
    if epochs and _ends(epochs[-1], settings) > now():
        _check_same(epochs[-1], settings)


def _ends(epoch: EpochRow, settings: StandingSettings) -> float:
    return epoch.began + settings.ladder.epoch_hours * _HOUR_SECONDS


def _check_same(epoch: EpochRow, settings: StandingSettings) -> None:
    if epoch.settings_digest != settings.of_epoch().digest.hex():
        ends = datetime.fromtimestamp(_ends(epoch, settings), UTC).strftime("%Y-%m-%d %H:%M:%S")
        raise SettingsChangedError(
            f"games or terms of matches have changed since epoch {epoch.epoch} began: take that back until it ends, "
            f"{ends} UTC, or begin the next epoch now by --next-epoch (everything but the name, the games, their seats "
            "and options, and the times and faults of matches may change at any time)"
        )


def _keep(store: LadderStore, settings: StandingSettings, *, began: int) -> None:
    """Keep the settings; of a ladder that was begun before, its own chain stays."""
    epoch = settings.of_epoch()
    chain = LinkChain(secrets.token_bytes(SECRET_BYTES))
    store.create(LadderRow(settings.ladder.name, epoch.text, epoch.digest.hex(), chain, began))
