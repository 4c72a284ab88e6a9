"""The ladder as text for programs: JSON, CSV, and pairings in PGN for rating programs such as Ordo.

Every text is a function of the ladder alone, byte for byte.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ordago.match import TERM_BOUNDS
from ordago.store import MatchResult
from ordago.version import __version__
from ordago_ladder.publication.format_json import format_json
from ordago_ladder.rating.intervals import Interval
from ordago_ladder.rating.known import Known
from ordago_ladder.rating.ladder import ELO_DECIMALS, Ladder, LadderEntrant, Standing, Standings, Tally
from ordago_ladder.rating.prizes import prizes_of
from ordago_ladder.rating.rating import SeatEffect
from ordago_ladder.rating.results import Pairing, pairings

FORMAT_VERSION: Final = 2
"""The version of the layout of ``ladder.json``. It grows with changes that break programs that read it.

In version 1 every line had a number in ``elo``, ``low`` and ``high``.
"""

_SHARE_DECIMALS: Final = 4
_SCORE_DECIMALS: Final = 3
_PGN_RESULTS: Final = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}
_PGN_FORFEITS: Final = {
    "too_late": "time forfeit",
    "illegal": "rules infraction",
    "malformed": "rules infraction",
    "flooding": "rules infraction",
    "over_limit": "rules infraction",
}
"""The words of the PGN standard for forfeits; of others it would say "abandoned"."""
# No name of an entrant may contain "&", so a pair cannot be confused with a single entrant.
_PARTNERS: Final = " & "
CAUSES: Final = (
    *("illegal", "too_late", "disconnected", "crashed", "failed_to_start", "malformed", "flooding", "over_limit"),
)
"""The short names of all faults."""
_BEGINNINGS_OF_FORMULAS: Final = ("=", "+", "-", "@")
_CSV_HEADER: Final = (
    *("ladder", "rank", "entrant", "version", "elo", "low", "high", "rating_note", "above_next"),
    *("matches", "rated", "wins", "ties", "losses", "score", "mean_score", "faults", "forfeits", "suspended"),
    *(f"faults_{cause}" for cause in CAUSES),
    *(f"forfeits_{cause}" for cause in CAUSES),
)


def ladder_json(ladder: Ladder, *, version: str = __version__) -> str:
    """Return a ladder as JSON with ascending keys and all the information of the ladder page.

    Strikes, authors, languages, time odds and who withdrew have keys only where there are any; only some formats have
    one of their own. ``prizes`` comes once the event is over. ``rated`` stands where an entrant has fewer such matches
    than it played.

    Args:
        ladder: the ladder.
        version: the version of Ordago that makes the pages beside it.
    """
    event = ladder.event
    content = {
        "format_version": FORMAT_VERSION,
        "ordago": version,
        "event": {
            "name": event.name,
            "title": event.heading,
            "repetitions": event.repetitions,
            "duplicates": bool(ladder.settings.duplicate_games),
            **{term: getattr(event, term) for term in TERM_BOUNDS},
            "suspend_after": event.suspend_after,
            **({"conceding": True} if event.conceding else {}),
            "overall": event.overall,
            "secret_in_event_file": event.secret is not None,
        },
        "games": [
            {
                "name": game.name,
                "title": game.title,
                "rules_version": game.rules_version,
                "seats": game.seats,
                "options": dict(game.options),
                "sets": game.sets,
                "duplicates": ladder.settings.has_duplicates(game),
            }
            for game in ladder.games
        ],
        "entrants": [_entrant(entrant) for entrant in ladder.entrants],
        "commitment": ladder.commitment.hex(),
        "secret_digest": ladder.secret_digest.hex(),
        "settings_digest": ladder.settings_digest.hex(),
        "secret": ladder.secret.hex() if ladder.secret is not None else None,
        "state": {"finished": ladder.finished, "played": len(ladder.results), "planned": ladder.planned},
        "anchors": dict(ladder.anchors),
        "overall": _standings(ladder.overall),
        "equal_games": _standings(ladder.equal_games) if ladder.equal_games else None,
        "by_game": {standings.games[0]: _standings(standings) for standings in ladder.by_game},
        "matches": [match_json(played) for played in ladder.results],
        **format_json(ladder),
        **({"prizes": [prize._asdict() for prize in prizes]} if (prizes := prizes_of(ladder)) else {}),
    }
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def ladder_csv(ladder: Ladder) -> str:
    """Return the lines of all ladders of an event as CSV, the overall one first.

    The last column, ``strikes``, exists only if there were any.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns, rows = ladder_rows(ladder)
    writer.writerow(columns)
    for row in rows:
        row["version"] = _inert(str(row["version"]))
        writer.writerow([row[column] for column in columns])
    return text.getvalue()


def ladder_rows(ladder: Ladder) -> tuple[tuple[str, ...], list[dict[str, object]]]:
    """Return the columns of ``ladder.csv``, and its rows by column; rows may have additional keys."""
    struck = any(line.conduct.strikes for line in ladder.overall.lines)
    columns = (*_CSV_HEADER, *(["strikes"] if struck else []))
    entrants = {entrant.name: entrant for entrant in ladder.entrants}
    named = [("overall", ladder.overall), *((standings.games[0], standings) for standings in ladder.by_game)]
    rows = [_csv_fields(name, line, entrants[line.entrant]) for name, standings in named for line in standings.lines]
    return columns, rows


def ladder_pgn(ladder: Ladder) -> str:
    """Return the rated pairings as games in PGN, without moves, the entrant of the earlier side as White.

    Rating programs such as Ordo read it. They know nothing of tables and duplicate sets, so their error estimates are
    too small. ``Variant`` names the game and ``Set`` the matches with the same deals. No date is in it: all that is
    published follows from the ledger, which has no clock.
    """
    return "".join(_pgn_games(ladder))


def _entrant(entrant: LadderEntrant) -> dict[str, object]:
    usual = LadderEntrant(entrant.name, entrant.version)._asdict()
    always = ("name", "version", "suspended")
    return {key: value for key, value in entrant._asdict().items() if key in always or value != usual[key]}


def _standings(standings: Standings) -> dict[str, object]:
    names = [line.entrant for line in standings.lines]
    return {
        "ladder": [_line(line) for line in standings.lines],
        "seat_effects": [_seat_effect(effect) for effect in standings.seat_effects],
        "groups": standings.connectivity.groups,
        "tiers": standings.connectivity.tiers,
        "crosstable": {
            name: {other: _tally(tally) for other, tally in zip(names, row, strict=True) if tally is not None}
            for name, row in zip(names, standings.crosstable, strict=True)
        },
        "superiority": [[_rounded(share, _SHARE_DECIMALS) for share in row] for row in standings.superiority],
        "spreads": {name: _elo(spread) for name, spread in standings.spreads._asdict().items()},
    }


def _line(line: Standing) -> dict[str, object]:
    content = {
        "rank": line.rank,
        "entrant": line.entrant,
        **rating_fields(line.rating.known),
        "above_next": _rounded(line.rating.above_next, _SHARE_DECIMALS),
        "matches": line.matches,
        "pairings": _tally(line.tally),
        "score": _rounded(line.tally.score, _SHARE_DECIMALS),
        "mean_score": _rounded(line.mean_score, _SCORE_DECIMALS),
        "points_per_match": _interval(line.points_per_match),
        "points_per_deal": _interval(line.points_per_deal),
        "placings": line.placings,
        "faults": line.conduct.faults,
        "faults_by_cause": dict(line.conduct.decisions),
        "forfeits": line.conduct.forfeits,
        "forfeits_by_cause": dict(line.conduct.matches),
    }
    struck = {"strikes": line.conduct.strikes, "strikes_by_rule": dict(line.conduct.broken_rules)}
    rated = {"rated": line.rated} if line.rated < line.matches else {}
    return content | rated | (struck if line.conduct.strikes else {})


def _interval(interval: Interval | None) -> dict[str, float | None] | None:
    if interval is None:
        return None
    return {name: _rounded(value, _SCORE_DECIMALS) for name, value in interval._asdict().items()}


def _tally(tally: Tally) -> dict[str, int]:
    return tally._asdict()


def _seat_effect(effect: SeatEffect) -> dict[str, object]:
    return {"game": effect.game, "side": effect.side, "elo": _elo(effect.elo)}


def match_json(played: MatchResult) -> dict[str, object]:
    """Return a result in the layout of ``ladder.json``."""
    planned, result = played.planned, played.result
    content = {
        "row": planned.row,
        "match_id": played.match.match_id,
        "game": planned.game,
        "set_key": planned.set_key,
        "seating": planned.seating,
        "entrants": list(planned.entrants),
        "scores": list(result.scores),
        "placings": list(result.placings),
        "faults": [dict(faults) for faults in result.faults],
        "forfeits": [forfeit._asdict() for forfeit in result.forfeits],
        "attempt": played.match.attempt,
    }
    return content | ({"strikes": [dict(strikes) for strikes in result.strikes]} if any(result.strikes) else {})


def rating_fields(known: Known) -> dict[str, object]:
    """Return a rating in the layout of ``ladder.json``: ends that are not known are ``null``, and a note says why."""
    elo, low, high = (None if end is None else _elo(end) for end in (known.elo, known.low, known.high))
    return {"elo": elo, "low": low, "high": high, "rating_note": known.note.value}


def _elo(points: float) -> float:
    # Adding zero turns a negative zero into a positive one, so that no "-0.0" is published.
    return round(points, ELO_DECIMALS) + 0.0


def _rounded(value: float | None, decimals: int) -> float | None:
    return None if value is None else round(value, decimals) + 0.0


def _csv_fields(ladder: str, line: Standing, entrant: LadderEntrant) -> dict[str, object]:
    fields = _line(line) | _tally(line.tally) | {"strikes": line.conduct.strikes}
    fields |= {"ladder": ladder, "rated": line.rated, "version": entrant.version, "suspended": int(entrant.suspended)}
    return fields | _by_cause("faults", line.conduct.decisions) | _by_cause("forfeits", line.conduct.matches)


def _inert(text: str) -> str:
    """Return a text from a bot, escaped so that spreadsheets do not run it as a formula."""
    return f"'{text}" if text.startswith(_BEGINNINGS_OF_FORMULAS) else text


def _by_cause(what: str, counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    return {f"{what}_{cause}": 0 for cause in CAUSES} | {f"{what}_{cause}": number for cause, number in counts}


def _pgn_games(ladder: Ladder) -> Iterator[str]:
    titles = {game.name: game.title for game in ladder.games}
    for played in ladder.results:
        forfeits = played.result.forfeiters(played.planned.entrants)
        for pairing in pairings([played]):
            if pairing.rated:
                title = titles[played.planned.game]
                yield _pgn_game(ladder.event.name, title, played, pairing, _termination(pairing, forfeits))


def _termination(pairing: Pairing, forfeits: Mapping[str, str]) -> str:
    """Return how a pairing ended, in the words of PGN: a rated one with a forfeit was lost by the forfeiters."""
    loser = pairing.kind.second if pairing.half_points == 2 else pairing.kind.first
    causes = [forfeits[name] for name in loser if name in forfeits]
    return _PGN_FORFEITS.get(causes[0], "abandoned") if causes else "normal"


def _pgn_game(event: str, title: str, played: MatchResult, pairing: Pairing, termination: str) -> str:
    outcome = _PGN_RESULTS[pairing.half_points]
    tags = {
        "Event": event,
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(played.planned.row + 1),
        "White": _PARTNERS.join(pairing.kind.first),
        "Black": _PARTNERS.join(pairing.kind.second),
        "Result": outcome,
        "Variant": title,
        "Set": played.planned.set_key,
        "Match": played.match.match_id,
        "Termination": termination,
    }
    return "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items()) + f"\n{outcome}\n\n"
