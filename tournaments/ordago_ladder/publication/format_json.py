"""The part of ``ladder.json`` that only some formats have: rounds, brackets, or the groups of a league."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.schedule.elimination import Bracket, Contest
from ordago_ladder.schedule.league import GroupLine, LeagueTables
from ordago_ladder.schedule.schedule import bracket_of, league_of
from ordago_ladder.schedule.swiss_reasons import Reason, reasons_of, way_of
from ordago_ladder.schedule.swiss_standings import SwissLine, SwissRound, SwissTable, complete_rounds
from ordago_ladder.settings.written_values import ELIMINATION

_POINT_DECIMALS: Final = 4


def format_json(ladder: Ladder) -> dict[str, object]:
    """Return the keys of a format; none for one that has no keys of its own."""
    if ladder.event.format == "swiss":
        rounds = complete_rounds(ladder.settings, ladder.rounds, ladder.results, over=ladder.finished)
        return {"swiss": rounds_json(rounds)}
    begun, *later = ladder.stages
    if ladder.event.format in ELIMINATION:
        return {"bracket": bracket_json(bracket_of(begun.settings, ladder.results, later))}
    if ladder.event.format == "league":
        return league_json(league_of(begun.settings, ladder.results, later))
    return {}


def league_json(league: LeagueTables) -> dict[str, object]:
    """Return the phases of a league; the key of the final depends on its format, and is missing before it begins."""
    return {
        "groups": [{"group": table.name, "standings": _lines(table.lines)} for table in league.groups],
        **({"final": _lines(league.final.lines)} if league.final else {}),
        **({"bracket": bracket_json(league.bracket)} if league.bracket else {}),
    }


def _lines(lines: Iterable[SwissLine | GroupLine]) -> list[dict[str, object]]:
    return [_line(line) for line in lines]


def rounds_json(rounds: Sequence[SwissRound]) -> list[object]:
    """Return the rounds of a Swiss event."""
    return [_round(one, reasons_of(rounds, one.number)) for one in rounds]


def _round(found: SwissRound, reasons: list[Reason]) -> dict[str, object]:
    return {
        "round": found.number,
        "tables": [_table(found, table, reason) for table, reason in zip(found.tables, reasons, strict=True)],
        "byes": [{"game": game, "entrant": name} for game, name in found.byes],
        "standings": _lines(found.standings),
    }


def _table(found: SwissRound, table: SwissTable, reason: Reason) -> dict[str, object]:
    return {
        "game": table.game,
        "entrants": [
            {
                "entrant": name,
                "before": _points(found.before[name]),
                "points": _points(table.points[name]) if table.points else None,
                "floats": way_of(found, table, name),
            }
            for name in table.entrants
        ],
        "met_before": [{"entrants": [one, other], "rounds": list(rounds)} for one, other, rounds in reason.again],
    }


def _line(line: SwissLine | GroupLine) -> dict[str, object]:
    return {key: _points(value) if isinstance(value, Fraction) else value for key, value in line._asdict().items()}


def bracket_json(bracket: Bracket) -> dict[str, object]:
    """Return a bracket."""
    return {
        "seeds": list(bracket.seeds),
        "stages": [{"upper": list(stage.upper), "lower": list(stage.lower)} for stage in bracket.stages],
        "contests": [_contest(contest) for contest in bracket.contests],
        "places": [place._asdict() for place in bracket.places],
    }


def _contest(contest: Contest) -> dict[str, object]:
    entrants = [one._asdict() | {"points": _points(one.points)} for one in contest.contenders]
    return {key: value for key, value in contest._asdict().items() if key != "contenders"} | {"entrants": entrants}


def _points(value: Fraction) -> float:
    return round(float(value), _POINT_DECIMALS)
