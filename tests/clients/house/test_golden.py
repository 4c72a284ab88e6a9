"""The house plays as it always did: whole matches, choice by choice. Ratings of ladders rest on it."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256

import pytest

from ordago_bot.house.solid import SolidBot
from ordago_bot.local import play_locally


@pytest.mark.parametrize(
    ("game", "seats", "options", "choices", "digest"),
    [
        ("mitaines", 4, {"max_deals": 1}, 48, "79308b341939344f"),
        ("mitigati", 3, {}, 626, "cb84301a330a1d1b"),
        ("mittlere", 3, {"deals": 3}, 108, "0b2c6928244f4840"),
        ("mus", 4, {"games": 9}, 325, "e46553c98862a3e2"),
        ("taihe", 4, {"deals": 3}, 100, "68ec0be857eec193"),
    ],
)
def test_the_house_plays_the_same_match_as_ever(
    game: str, seats: int, options: Mapping[str, object], choices: int, digest: str
) -> None:
    (played,) = play_locally([partial(SolidBot, worlds=3)] * seats, game, options=options, seed="golden")
    actions = [entry.choice.action for entry in played.record.entries if entry.HasField("choice")]
    written = b"".join(action.SerializeToString(deterministic=True) for action in actions)
    assert (len(actions), sha256(written).hexdigest()[:16]) == (choices, digest)
