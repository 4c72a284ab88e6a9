"""How a server begins a ladder, or goes on with it."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from ordago.chance import SECRET_BYTES
from ordago.record.epochs import LinkChain
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import EpochRow, LadderRow
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.epoch_settings import EpochSettings
from ordago_ladder.standing.seasons.names import by_season, called, objection_to
from ordago_ladder.standing.settings import StandingSettings

_HOUR_SECONDS = 3600


class SettingsChangedError(Exception):
    """What holds for an epoch, or for a season, has changed while that goes on. The organiser erred."""


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
        SettingsChangedError: an epoch goes on that began with other games or terms, or in another season; or the next
            one cannot belong to this season.
        StoreError: the store belongs to another ladder.
    """
    epochs = queries.epochs()
    due = next_epoch or not epochs or _ends(epochs[-1], settings) <= now()
    if due:
        _check_season(queries, epochs, settings)
    else:
        _check_same(epochs[-1], settings)
    _keep(store, settings, began=int(now()))
    if due:
        store.begin_epoch(len(epochs) + 1, began=int(now()))


def check_settings(
    queries: LadderQueries, settings: StandingSettings, *, now: Callable[[], float], next_epoch: bool = False
) -> None:
    """Check that a ladder could go on with its settings.

    Raises:
        SettingsChangedError: as in ``begin_ladder``.
    """
    epochs = queries.epochs()
    if epochs and not next_epoch and _ends(epochs[-1], settings) > now():
        _check_same(epochs[-1], settings)
    else:
        _check_season(queries, epochs, settings)


def _ends(epoch: EpochRow, settings: StandingSettings) -> float:
    return epoch.began + settings.ladder.epoch_hours * _HOUR_SECONDS


def _check_same(epoch: EpochRow, settings: StandingSettings) -> None:
    held = epoch.settings_digest, epoch.season
    if held != (settings.of_epoch().digest.hex(), settings.ladder.season):
        ends = datetime.fromtimestamp(_ends(epoch, settings), UTC).strftime("%Y-%m-%d %H:%M:%S")
        raise SettingsChangedError(
            f"games, terms of matches, season or anchors have changed since epoch {epoch.epoch} began: take that back "
            f"until it ends, {ends} UTC, or begin the next epoch now by --next-epoch (everything but the name, the "
            "season, the games, their seats and options, the times and faults of matches, and the ratings of bots of "
            "the house may change at any time)"
        )


def _check_season(queries: LadderQueries, epochs: Sequence[EpochRow], settings: StandingSettings) -> None:
    """Check that the next epoch may belong to the season of the ladder file."""
    season, seasons = settings.ladder.season, by_season(epochs)
    if not seasons or season != epochs[-1].season:
        objection = objection_to(season, earlier=seasons)
        if objection is not None:
            raise SettingsChangedError(f"{objection}: give 'season' in [ladder] another name")
        return
    first = seasons[season][0]
    began_with = EpochSettings.model_validate_json(queries.settings(first.settings_digest))
    if began_with.anchors != settings.anchors:
        raise SettingsChangedError(
            f"the ratings of bots of the house hold for a season, and have changed since epoch {first.epoch}, with "
            f"which the season {called(season)!r} began: take that back, or begin another by 'season' in [ladder]"
        )


def _keep(store: LadderStore, settings: StandingSettings, *, began: int) -> None:
    """Keep the settings; of a ladder that was begun before, its own chain stays."""
    epoch = settings.of_epoch()
    chain = LinkChain(secrets.token_bytes(SECRET_BYTES))
    row = LadderRow(settings.ladder.name, epoch.text, epoch.digest.hex(), chain, began, settings.ladder.season)
    store.create(row)
