"""Which event a file describes: digests of all that determines its matches."""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from ordago_ladder.settings.sections import EntrantSettings, GameSettings
from ordago_ladder.settings.settings import Settings

IRRELEVANT_TO_MATCHES: Final = frozenset(
    {
        "title",
        "processes",
        "parallel",
        "absentees_forfeit",
        "start_timeout",
        "build_timeout",
        "begins",
        "return_timeout",
        "attempts",
        "overall",
        "secret",
    }
)
"""The keys of ``[event]`` that no match depends on; ``secret`` counts beside them."""


def settings_digest(settings: Settings) -> bytes:
    """Return the SHA-256 of what determines the matches of an event, as far as it is published.

    It covers the schedule, what the deals come from, the terms and the bots, with the names of their environment
    variables, and what the bots may reach and use, since that decides what they can know and how well they play. How
    the event is shown, when it begins and how fast it is run do not matter: the title, the order of the sections,
    comments, and the keys of ``[event]`` that are irrelevant to matches are left out. So are the values of environment
    variables, which are not published: they may be secret.
    """
    return _digest(_determinants(settings))


def identity_of(settings: Settings) -> str:
    """Return the SHA-256, in hexadecimal, of all that determines the matches of an event, never to be published.

    Beside what ``settings_digest`` covers these are the values of environment variables. Whoever knew it could try out
    what they are.
    """
    values = {entrant.name: entrant.env for entrant in settings.entrants}
    return _digest(_determinants(settings) | {"environment": values}).hex()


def _digest(content: Mapping[str, object]) -> bytes:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()


def _determinants(settings: Settings) -> dict[str, object]:
    event = settings.event
    return {
        "event": event.model_dump(mode="json", exclude={*IRRELEVANT_TO_MATCHES, "duplicates"}),
        "secret": event.secret.hex() if event.secret else None,
        "games": {game.name: _of_game(game, settings) for game in settings.games},
        "limits": settings.limits.model_dump(),
        "entrants": {entrant.name: _of_entrant(entrant) for entrant in settings.entrants},
    }


def _of_game(game: GameSettings, settings: Settings) -> dict[str, object]:
    worked_out = {"rules_version": game.rules_version, "duplicates": settings.has_duplicates(game)}
    return game.model_dump(mode="json", exclude={"options"}) | {"options": game.options} | worked_out


def _of_entrant(entrant: EntrantSettings) -> dict[str, object]:
    values = {"settings": entrant.settings, "env": [name for name, _ in entrant.env]}
    return entrant.model_dump(mode="json", exclude={"author", "language", *values}) | values
