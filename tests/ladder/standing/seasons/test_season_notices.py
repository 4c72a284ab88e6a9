"""A bot is told in which season it stands where it does."""

from types import SimpleNamespace
from typing import Any

import pytest

from ordago_ladder.standing.ratings import StandingRating
from ordago_ladder.standing.tables.notices import Notices
from ordago_ladder.standing.tables.repository import Sitter

pytestmark = pytest.mark.virtual_time
RATING = StandingRating(1, 1550.0, 1500.0, 1600.0, 12, provisional=False, current=True)


class _Standings:
    def place(self, _sitter: Sitter) -> tuple[int, StandingRating]:
        return 3, RATING

    def __len__(self) -> int:
        return 9


class _Bot:
    connected = True

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.channel = SimpleNamespace(send=self.told.append)


@pytest.mark.parametrize(("season", "words"), [("2026-autumn", " in the season '2026-autumn'"), ("", "")])
async def test_a_bot_is_told_in_which_season_it_stands(season: str, words: str) -> None:
    standings: Any = _Standings()
    bot: Any = _Bot()
    Notices(standings, season=season).tell(bot, Sitter("ana", "1", "ana", house=False))
    [notice] = bot.told
    assert notice.sentence == f"'ana' has rank 3 of 9{words} after 12 matches: 1550 ± 50"
