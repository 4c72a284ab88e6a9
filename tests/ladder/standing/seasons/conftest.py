import pytest

from ordago.games import find_game
from ordago_ladder.settings import common as common_settings


@pytest.fixture(autouse=True)
def _real_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common_settings, "find_game", find_game)
