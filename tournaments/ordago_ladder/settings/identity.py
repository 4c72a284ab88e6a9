"""Identity of an event: digests of all settings that determine its matches."""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from ordago_ladder.settings.sections import EntrantSettings, GameSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import DECISION_KEYS, DRAWN

IRRELEVANT_TO_MATCHES: Final = frozenset(
    {
        "title",
        "processes",
        "parallel",
        "absentees_forfeit",
        "start_timeout",
        "build_timeout",
        "begins",
        "open_entry",
        "entrants_at_most",
        "return_timeout",
        "attempts",
        "overall",
        "secret",
    }
)
"""Keys of ``[event]`` left out of the digested section: no match depends on them. ``secret`` is digested on its own."""
_LATER: Final = ("advance", "play_offs", "skip_decided", "groups", "final", "final_repetitions", *DECISION_KEYS)
"""Keys that came after events had been published: without a value they are left out, so that digests stay the same."""


def settings_digest(settings: Settings, *, versions: Mapping[str, int] | None = None) -> bytes:
    """Return the SHA-256 of the published settings that determine the matches of an event.

    It covers the schedule, the source of the deals, the terms, the bots with the names of their environment variables,
    and the isolation, readable files and limits of the bots, since these decide what bots can know and how well they
    play. Presentation, start time and speed do not matter: the digest leaves out the title, the order of the sections,
    comments, and the keys in ``IRRELEVANT_TO_MATCHES``. It also leaves out the values of environment variables: they
    are not published, since they may be secret.

    Args:
        settings: the settings.
        versions: the versions of the rules of games, by name, where they are not the installed ones.
    """
    return _digest(_determinants(settings, versions or {}))


def identity_of(settings: Settings) -> str:
    """Return the SHA-256, in hexadecimal, of all settings that determine the matches of an event. Never publish it.

    It covers the values of environment variables on top of ``settings_digest``: a reader of the digest could find these
    values by trying.
    """
    values = {entrant.name: entrant.env for entrant in settings.entrants}
    return _digest(_determinants(settings, {}) | {"environment": values}).hex()


def _digest(content: Mapping[str, object]) -> bytes:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()


def _determinants(settings: Settings, versions: Mapping[str, int]) -> dict[str, object]:
    event = settings.event
    unset = {key for key in _LATER if getattr(event, key) is None}
    # It came later as well, and without it a digest stays what it was.
    unset |= set() if event.conceding else {"conceding"}
    # Seeds follow known ratings, then the order of the file.
    order = [entrant.name for entrant in settings.entrants]
    seeding: dict[str, object] = {"anchors": settings.anchors, "order": order} if event.format in DRAWN else {}
    return seeding | {
        "event": event.model_dump(mode="json", exclude={*IRRELEVANT_TO_MATCHES, "duplicates", *unset}),
        "secret": event.secret.hex() if event.secret else None,
        "games": {game.name: _of_game(game, settings, versions) for game in settings.games},
        "limits": settings.limits.model_dump(),
        "entrants": {entrant.name: _of_entrant(entrant, settings) for entrant in settings.entrants},
    }


def _of_game(game: GameSettings, settings: Settings, versions: Mapping[str, int]) -> dict[str, object]:
    version = versions.get(game.name, game.rules_version)
    worked_out = {"rules_version": version, "duplicates": settings.has_duplicates(game)}
    return game.model_dump(mode="json", exclude={"options"}) | {"options": game.options} | worked_out


def _of_entrant(entrant: EntrantSettings, settings: Settings) -> dict[str, object]:
    values: dict[str, object] = {"settings": entrant.settings, "env": [name for name, _ in entrant.env]}
    # These only where they are set, so that earlier events keep their digests.
    values |= {key: value for key in ("rules", "withdrawn", "group") if (value := getattr(entrant, key))}
    values |= {"time_odds": entrant.time_odds} if entrant.time_odds != 1 else {}
    asked = sorted(game.name for game in settings.games if settings.asks_for_duplicates(game))
    if entrant.remote and asked:
        # Its processes may take turns, which duplicates by default do not allow.
        values["duplicates"] = asked
    left_out = {"author", "language", "rules", "withdrawn", "group", "time_odds", *values}
    return entrant.model_dump(mode="json", exclude=left_out) | values
