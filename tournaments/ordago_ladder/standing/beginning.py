"""The start of a ladder in its store, and the check of changed settings when a server goes on with it."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from ordago.chance import SECRET_BYTES
from ordago.record.epochs import LinkChain
from ordago.store.errors import StoreError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import EpochRow, LadderRow
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.epoch_settings import EpochSettings
from ordago_ladder.standing.seasons.names import by_season, called, objection_to
from ordago_ladder.standing.settings import StandingSettings

_HOUR_SECONDS = 3600


class SettingsChangedError(Exception):
    """Settings that changed while their epoch or season still runs. It is the organiser's mistake."""


def begin_ladder(
    store: LadderStore,
    queries: LadderQueries,
    settings: StandingSettings,
    *,
    now: Callable[[], float],
    next_epoch: bool = False,
) -> None:
    """Begin a ladder with its first epoch; or go on with it, and begin the next epoch if that is due.

    Args:
        store: the store of the ladder.
        queries: reads the same store.
        settings: the ladder file.
        now: returns the time, in seconds since 1970, UTC.
        next_epoch: begin the next epoch even if it is not due.

    Raises:
        SettingsChangedError: the running epoch began with other games or terms, or in another season; or the next epoch
            cannot belong to this season.
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
        begin_epoch_after(len(epochs), store, queries, began=int(now()))


def begin_epoch_after(epoch: int, store: LadderStore, queries: LadderQueries, *, began: int) -> None:
    """Begin the epoch after one, unless another server of the ladder has done so meanwhile."""
    try:
        store.begin_epoch(epoch + 1, began=began)
    except StoreError:
        epochs = queries.epochs()
        if not epochs or epochs[-1].epoch <= epoch:
            raise


def check_settings(
    queries: LadderQueries, settings: StandingSettings, *, now: Callable[[], float], next_epoch: bool = False
) -> None:
    """Check that a ladder could go on with these settings.

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
            f"games, terms of matches, season or anchors have changed since epoch {epoch.epoch} began: undo that until "
            f"it ends, {ends} UTC, or begin the next epoch now with --next-epoch (everything but the name, the season, "
            "the games, their seats and options, the times and faults of matches, and the ratings of house bots may "
            "change at any time)"
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
            f"the ratings of house bots are fixed for a season, and have changed since epoch {first.epoch}, with which "
            f"the season {called(season)!r} began: undo that, or begin another with 'season' in [ladder]"
        )


def _keep(store: LadderStore, settings: StandingSettings, *, began: int) -> None:
    """Store the settings. A ladder that already exists keeps its own chain of secrets."""
    epoch = settings.of_epoch()
    chain = LinkChain(secrets.token_bytes(SECRET_BYTES))
    row = LadderRow(settings.ladder.name, epoch.text, epoch.digest.hex(), chain, began, settings.ladder.season)
    store.create(row)
