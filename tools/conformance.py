"""Write the digests of the conformance files of all games into clients/vectors/conformance.json.

It is run when a change of the rules, or of the way in which the files are made, is meant to change them. It takes a
minute.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from ordago.games import find_game, game_names
from ordago_cli.game.conformance import Plan, lines

DIGESTS: Final = Path(__file__).parents[1] / "clients/vectors/conformance.json"
STEPS: Final = (1_000, 10_000)
"""The short file is made in every run of the tests, the long one by ``make torture``."""
SEED: Final = 1


def digest_of(game: str, steps: int) -> str:
    """Return the SHA-256 of the conformance file of a game."""
    digest = hashlib.sha256()
    for line in lines(Plan(find_game(game), steps, SEED)):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def _published(game: str) -> dict[str, Any]:
    return {
        "rules_version": find_game(game).rules.version,
        "sha256": {str(steps): digest_of(game, steps) for steps in STEPS},
    }


if __name__ == "__main__":
    DIGESTS.write_text(json.dumps({game: _published(game) for game in game_names()}, indent=2) + "\n", encoding="utf-8")
