"""The arguments of ``ordago match``: the bots, the game and the hypotheses."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import tomlkit

from ordago.games.definition import AnyGame
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.options.arguments import BotSpec, bot_spec, distinct, known_game, option_pairs
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.sequential.hypotheses import Hypotheses
from ordago_ladder.settings.settings import Settings

_MOST_NAME: Final = 60
"""Names have at most 64 characters: this leaves room for the numbers that make equal names distinct."""
_HYPOTHESIS: Final = re.compile(r"(elo0|elo1|alpha|beta)=.*")
_NEEDED: Final = {"elo0", "elo1"}
_MOST_ELO: Final = 1_000.0
_MOST_ERROR: Final = 0.4
"""Below a half: if both errors were a half, both bounds of the test would be 0, and it would end at once."""


def split_words(words: Sequence[str]) -> tuple[list[BotSpec], list[str]]:
    """Separate the bots from the values of ``--sprt``: both are positional words."""
    tested = [word for word in words if _HYPOTHESIS.fullmatch(word)]
    return [bot_spec(word) for word in words if word not in tested], tested


def hypotheses_of(sprt: str | None, words: Sequence[str]) -> Hypotheses | None:
    """Return the hypotheses from ``--sprt`` and the words behind it; ``None`` without it."""
    if sprt is None:
        if words:
            raise CommandError(f"{words[0]} needs --sprt before it", exit_code=EXIT_USAGE)
        return None
    given = option_pairs([*re.split(r"[\s,]+", sprt.strip()), *words])
    if unknown := given.keys() - set(Hypotheses._fields):
        known = ", ".join(Hypotheses._fields)
        raise CommandError(f"--sprt takes {known}, not {min(unknown)!r}", exit_code=EXIT_USAGE)
    if missing := _NEEDED - given.keys():
        raise CommandError(f"--sprt lacks {min(missing)}: write --sprt elo0=0 elo1=20", exit_code=EXIT_USAGE)
    hypotheses = Hypotheses(**{key: _number(key, value) for key, value in given.items()})
    if not -_MOST_ELO <= hypotheses.elo0 < hypotheses.elo1 <= _MOST_ELO:
        sentence = f"--sprt takes an elo0 below elo1, both from {-_MOST_ELO:g} to {_MOST_ELO:g}"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    if not all(0 < error <= _MOST_ERROR for error in (hypotheses.alpha, hypotheses.beta)):
        raise CommandError(f"alpha and beta are above 0 and at most {_MOST_ERROR:g}", exit_code=EXIT_USAGE)
    return hypotheses


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise CommandError(f"{key} takes a number, not {value!r}", exit_code=EXIT_USAGE) from None


def seats_for(game: AnyGame, bots: int, seats: int | None) -> int:
    """Return the number of players: the given one, or the smallest with a side for each bot."""
    counts = [seats] if seats in game.rules.seat_counts else game.rules.seat_counts
    if seats is not None and seats not in counts:
        wanted = " or ".join(map(str, counts))
        raise CommandError(f"{game.name} is played by {wanted}, not by {seats}", exit_code=EXIT_USAGE)
    if bots < 2:
        raise CommandError("a comparison needs at least two bots; name each of them", exit_code=EXIT_USAGE)
    for count in counts:
        if len(set(game.rules.sides(count))) >= bots:
            return count
    most = max(len(set(game.rules.sides(count))) for count in counts)
    raise CommandError(f"{game.name} has {most} sides at most, and there are {bots} bots", exit_code=EXIT_USAGE)


def comparison_settings(
    specs: Sequence[BotSpec], *, game: Mapping[str, object], event: Mapping[str, object], limits: Mapping[str, str]
) -> Settings:
    """Return the event of one table that a comparison plays. If the game has more sides, opponents play several.

    Args:
        specs: the bots, the candidate first.
        game: the game of the event: name, seats and options.
        event: the other settings of the event.
        limits: the resource limits of a bot.
    """
    sides = len(set(known_game(str(game["name"])).rules.sides(int(str(game["seats"])))))
    seated = [specs[0], *(specs[1 + number % (len(specs) - 1)] for number in range(sides - 1))]
    names = distinct(_name_of(spec) for spec in seated)
    text = tomlkit.dumps(
        {
            "event": {"name": "match", "duplicates": True, **event},
            "limits": _whole_numbers(limits),
            "game": [game],
            "entrant": [_entrant(name, spec) for name, spec in zip(names, seated, strict=True)],
        }
    )
    try:
        return parse_event(text, source="match")
    except EventFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from error


def _entrant(name: str, spec: BotSpec) -> dict[str, object]:
    if spec.own_name:
        return {"name": name, "command": list(spec.command)}
    house, _, settings = spec.name.partition(":")
    pairs = option_pairs(settings.split(",") if settings else ())
    return {"name": name, "house": house, "settings": _whole_numbers(pairs)}


def _whole_numbers(pairs: Mapping[str, str]) -> dict[str, int | str]:
    return {key: int(value) if value.isdecimal() else value for key, value in pairs.items()}


def _name_of(spec: BotSpec) -> str:
    """Return a name for a bot: that of the last file among its arguments, or else that of its program."""
    files = [Path(word).name for word in spec.command[1:] if Path(word).is_file()] if spec.own_name else []
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", files[-1] if files else spec.name).strip("-._+ ")
    return name[:_MOST_NAME] or "bot"
