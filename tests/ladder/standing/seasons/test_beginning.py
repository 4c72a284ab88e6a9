"""Seasons in the ladder file: when one begins, and which ones never do."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from support.ladder_halls import LADDER

from ordago.record.ledgers.chain import LedgerError
from ordago.record.ledgers.ladder import read_epoch
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.beginning import SettingsChangedError, begin_ladder, check_settings
from ordago_ladder.standing.settings import LadderFileError, StandingSettings, parse_ladder

NOW = 1_800_000_000
HOUSE = '[[house]]\nname = "solid"\nhouse = "solid"\nrating = 1650\n'


class Starts:
    """A ladder whose server is started with one file and another."""

    def __init__(self, store: LadderStore, queries: LadderQueries) -> None:
        self.store, self.queries = store, queries

    def start(self, season: str = "", *, next_epoch: bool = True, house: str = "", hours: float = 0) -> None:
        settings = parse_ladder(LADDER.replace("epoch_hours", f'season = "{season}"\nepoch_hours', 1) + house)
        checked = self._objection(settings, now=lambda: NOW + 3600 * hours, next_epoch=next_epoch)
        with pytest.raises(SettingsChangedError, match=re.escape(checked)) if checked else nullcontext() as caught:
            begin_ladder(self.store, self.queries, settings, now=lambda: NOW + 3600 * hours, next_epoch=next_epoch)
        if caught is not None:
            raise caught.value

    def _objection(self, settings: StandingSettings, **how: Any) -> str:
        """Return what ``--check`` says, which is what a start says."""
        try:
            check_settings(self.queries, settings, **how)
        except SettingsChangedError as error:
            return str(error)
        return ""

    @property
    def seasons(self) -> list[str]:
        return [epoch.season for epoch in self.queries.epochs()]


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    place = tmp_path / "ladder.sqlite"
    with LadderStore.open(place, create=True) as store, LadderQueries.open(place) as queries:
        yield Starts(store, queries)


def test_another_name_begins_a_season_with_the_next_epoch(starts: Starts) -> None:
    starts.start()
    starts.start("spring")
    starts.start("spring")
    starts.start("summer")
    assert starts.seasons == ["", "spring", "spring", "summer"]


def test_a_season_does_not_begin_while_an_epoch_goes_on(starts: Starts) -> None:
    starts.start("spring")
    with pytest.raises(SettingsChangedError, match=r"season .* have changed since epoch 1 began.*with --next-epoch"):
        starts.start("summer", next_epoch=False)
    starts.start("summer", next_epoch=False, hours=1)
    assert starts.seasons == ["spring", "summer"]


@pytest.mark.parametrize("name", ["spring", ""])
def test_a_season_that_has_ended_is_never_begun_again(starts: Starts, name: str) -> None:
    for season in ("", "spring", "summer"):
        starts.start(season)
    with pytest.raises(
        SettingsChangedError, match=f"the season '{name or '-'}' has ended and cannot begin again.*give 'season' in"
    ):
        starts.start(name)
    assert starts.seasons == ["", "spring", "summer"]


@pytest.mark.parametrize("name", ["seas0n-1", "season-l", "season1", "seasoni"])
def test_a_season_that_looks_like_another_is_none(starts: Starts, name: str) -> None:
    """The attacker wants the standing of one season to be taken for that of another."""
    starts.start("season-1")
    with pytest.raises(SettingsChangedError, match="looks like the earlier 'season-1'"):
        starts.start(name)
    starts.start("season-2")


@pytest.mark.parametrize("name", ["..", "../archive", "a/b", "-", "Autumn", "аutumn", "a b", "a.json", "x" * 65])
def test_a_season_has_a_name_that_a_folder_can_have_anywhere(name: str) -> None:
    """Neither a path nor letters that look like others: not in a ladder file, and not in a ledger either."""
    text = LADDER.replace("epoch_hours", f'season = "{name}"\nepoch_hours', 1)
    with pytest.raises(LadderFileError, match="'season' takes small letters, digits and hyphens"):
        parse_ladder(text)
    zeros = "0" * 64
    line = (
        f'{{"anchor":"{zeros}","before":"{zeros}","began":1,"epoch":1,"index":0,"kind":"begin","ladder":"demo",'
        f'"previous":null,"season":"{name}","secret_digest":"{zeros}","settings_digest":"{zeros}"}}'
    )
    with pytest.raises(LedgerError):
        read_epoch([line])
    begin = read_epoch([line.replace(f'"season":"{name}"', '"season":"autumn"')]).begin
    assert begin is not None
    assert begin.season == "autumn"


def test_anchors_hold_for_a_season(starts: Starts) -> None:
    """The attacker lifts everybody who played the house by lifting the house, in retrospect."""
    starts.start("spring", house=HOUSE)
    higher = HOUSE.replace("1650", "1750")
    with pytest.raises(SettingsChangedError, match="anchors have changed since epoch 1 began"):
        starts.start("spring", house=higher, next_epoch=False)
    with pytest.raises(SettingsChangedError, match="are fixed for a season, and have changed since epoch 1"):
        starts.start("spring", house=higher)
    starts.start("summer", house=higher)
    with pytest.raises(SettingsChangedError, match="since epoch 2, with which the season 'summer' began"):
        starts.start("summer")


def test_epochs_are_committed_to_their_anchors() -> None:
    settings = [parse_ladder(text).of_epoch() for text in (LADDER, LADDER + HOUSE)]
    assert '"anchors":{"solid":1650.0}' in settings[1].text
    assert '"anchors":{}' in settings[0].text
    assert settings[0].digest != settings[1].digest
