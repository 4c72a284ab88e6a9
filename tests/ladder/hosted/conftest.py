"""Events on a server are played with real games."""

import pytest


@pytest.fixture(autouse=True)
def fake_games() -> None:
    """Leave the games as they are."""
