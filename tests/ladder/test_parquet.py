"""The tables of an event as Parquet: what JSON and CSV say, with types."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ordago.chance import commitment
from ordago.record import FaultCount, SeatForfeit
from ordago.store import MatchResult
from ordago_ladder.publication.exports import ladder_csv, ladder_json
from ordago_ladder.publication.parquet import write_parquet
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.settings.settings import Settings

parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def ladder(make_event: Callable[..., Settings], make_results: Callable[..., list[MatchResult]]) -> Ladder:
    event = make_event([("trio", 3), ("pairs", 4)], entrants=["Jürg", "b", "c"])
    results = make_results(event, {"Jürg": 1600, "b": 1500, "c": 1400})
    first = next(row for row, played in enumerate(results) if played.planned.game == "trio")
    faults = ((FaultCount("illegal", 1), FaultCount("too_late", 2)), (), ())
    result = results[first].result._replace(faults=faults, forfeits=(SeatForfeit(0, "too_late"),))
    results[first] = results[first]._replace(result=result)
    return build_ladder(event, results, secret_digest=commitment(b""), versions={"b": "=1+1"})


def test_the_ladder_is_that_of_the_csv(ladder: Ladder, tmp_path: Path) -> None:
    write_parquet(ladder, tmp_path / "new")
    rows = parquet.read_table(tmp_path / "new" / "ladder.parquet").to_pylist()
    written = list(csv.DictReader(io.StringIO(ladder_csv(ladder))))
    assert len(rows) == len(written) == 9
    for row, line in zip(rows, written, strict=True):
        assert {
            key: "" if value is None else str(int(value) if value is True or value is False else value)
            for key, value in row.items()
        } == line | {"version": row["version"]}
    assert {row["version"] for row in rows} == {"", "=1+1"}, "no spreadsheet reads it, so nothing stands before it"


def test_the_results_are_those_of_the_json(ladder: Ladder, tmp_path: Path) -> None:
    for _ in range(2):
        write_parquet(ladder, tmp_path)
    rows = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    matches = json.loads(ladder_json(ladder))["matches"]
    assert len(rows) == sum(len(match["entrants"]) for match in matches)
    for row in rows:
        match = matches[row["row"]]
        for one, several in (("entrant", "entrants"), ("score", "scores"), ("placing", "placings")):
            assert row[one] == match[several][row["seat"]]
        assert row["faults"] == sum(match["faults"][row["seat"]].values())
        assert {row["seat"]: row["forfeit"]}.items() >= {
            one["seat"]: one["fault"] for one in match["forfeits"] if one["seat"] == row["seat"]
        }.items()
    assert [row["forfeit"] for row in rows if row["forfeit"]] == ["too_late"]
