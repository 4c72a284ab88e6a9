"""``ordago decisions``: what is published as rows to learn from, and a sentence about all else."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from gym.tables import seen
from support.commands import assert_told, ordago
from support.kept_ladder import KeptLadder

from ordago import v1
from ordago.record import read_record, to_file_bytes
from ordago_gym.recorded import RecordedMatch

parquet = pytest.importorskip("pyarrow.parquet")
CORPUS = Path(__file__).parents[1] / "corpus"
RECORD = CORPUS / "mittlere-3.record"


def test_rows_have_the_bytes_and_ids_of_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over several groups of rows, of several games."""
    monkeypatch.setattr("ordago_ladder.publication.decisions._ROWS", 50)
    files, out = [RECORD, CORPUS / "mus-4.record"], tmp_path / "decisions.parquet"
    told = json.loads(ordago("decisions", *files, "--out", out, "--json").output)
    rows = iter(parquet.read_table(out).to_pylist())
    for file in files:
        match = RecordedMatch(read_record(file.read_bytes()))
        for step, row in zip(match.steps(), rows, strict=False):
            observed, mask = seen(match.encoding, step.decision)
            assert np.array(row["observation"], np.float32).tobytes() == observed
            assert bytes(row["mask"]) == mask
            player = match.record.seats[step.seat]
            assert (
                row
                | {
                    "match": match.record.match_id,
                    "game": match.encoding.name,
                    "encoding": match.encoding.id,
                    "entrant": player.name,
                    "version": player.version,
                    "seats": match.encoding.seats,
                    "seat": step.seat,
                    "deal": step.deal,
                    "decision": step.number,
                    "action": step.action,
                    "own": step.own,
                    "deal_reward": match.deal_rewards[step.deal][step.seat],
                    "match_reward": pytest.approx(match.match_rewards[step.seat]),
                }
                == row
            )
    assert told == {"file": str(out), "rows": parquet.read_metadata(out).num_rows, "records": 2, "left_out": {}}
    assert parquet.read_schema(out).metadata[b"ordago.decisions"] == b"0"


def test_an_event_is_written_and_nothing_private_of_it(tmp_path: Path) -> None:
    event, out = tmp_path / "event", tmp_path / "decisions.parquet"
    copytree(CORPUS / "event", event)
    (event / "private").mkdir(exist_ok=True)
    (event / "private" / "secret.record").write_bytes(RECORD.read_bytes())
    assert_told(ordago("decisions", event, "--out", out), 0, "from 6 records")
    assert set(parquet.read_table(out)["match"].to_pylist()) == {path.stem for path in event.glob("records/*")}
    assert_told(ordago("decisions", RECORD, "--out", out), 0, "from 1 record")
    assert_told(ordago("decisions", RECORD, "--out", event / "event.toml"), 3, "is not a file of decisions")
    assert_told(ordago("decisions", RECORD, "--out", RECORD), 3, "is the input itself")


@pytest.mark.slow
def test_only_revealed_epochs_of_a_ladder_are_written(tmp_path: Path) -> None:
    kept = KeptLadder(tmp_path / "data")
    published = [path.stem for path in kept.archive.glob("epochs/*/records/*.record")]
    result = ordago("decisions", kept.archive, "--out", tmp_path / "decisions.parquet")
    assert_told(result, 0, f"from {len(published)} records")


def _other_rules(record: v1.MatchRecord) -> None:
    record.rules_version += 1


def _revoke(record: v1.MatchRecord) -> None:
    choices = [entry.choice for entry in record.entries if entry.HasField("choice")]
    choices[1].action.CopyFrom(choices[0].action)


def _go_on_after_the_end(record: v1.MatchRecord) -> None:
    record.entries.append(next(entry for entry in record.entries if entry.HasField("choice")))


def _choose_for_nobody(record: v1.MatchRecord) -> None:
    next(entry for entry in record.entries if entry.HasField("choice")).choice.seat = 2**31


def _name_an_escape(record: v1.MatchRecord) -> None:
    record.seats[0].name = "\x1b[2J"


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (_other_rules, 3, "nothing to learn from: It was played by version"),
        (_revoke, 1, "breaks the rule"),
        (_go_on_after_the_end, 1, "was not to act"),
        (_choose_for_nobody, 1, "was not to act"),
        (_name_an_escape, 1, "a name that no bot can have"),
    ],
)
def test_a_hostile_record_is_a_sentence_and_writes_nothing(
    change: Callable[[v1.MatchRecord], None], code: int, words: str, tmp_path: Path
) -> None:
    record, file, out = read_record(RECORD.read_bytes()), tmp_path / "bad.record", tmp_path / "decisions.parquet"
    change(record)
    file.write_bytes(to_file_bytes(record))
    assert_told(ordago("decisions", file, "--out", out), code, words)
    assert list(tmp_path.iterdir()) == [file]


def test_other_rules_are_left_out_and_damage_is_not(tmp_path: Path) -> None:
    record, out = read_record(RECORD.read_bytes()), tmp_path / "decisions.parquet"
    (tmp_path / "good.record").write_bytes(RECORD.read_bytes())
    _other_rules(record)
    (tmp_path / "other.record").write_bytes(to_file_bytes(record))
    assert_told(ordago("decisions", tmp_path, "--out", out), 0, "from 1 record", "left out 1 record: It was played by")
    (tmp_path / "torn.record").write_bytes(RECORD.read_bytes()[:-1])
    assert_told(ordago("decisions", tmp_path, "--out", out), 1, "torn.record")


def test_what_is_no_record_is_a_sentence(tmp_path: Path) -> None:
    out = tmp_path / "decisions.parquet"
    huge, link, empty = tmp_path / "huge.record", tmp_path / "a" / "link.record", tmp_path / "empty"
    huge.write_bytes(bytes(3 << 20))
    empty.mkdir()
    link.parent.mkdir()
    link.symlink_to(RECORD)
    assert_told(ordago("decisions", huge, "--out", out), 3, "more than 2,097,152 bytes")
    assert_told(ordago("decisions", link.parent, "--out", out), 3, "it is a link")
    assert_told(ordago("decisions", empty, "--out", out), 3, "no record is published in")
    assert_told(ordago("decisions", tmp_path / "none", "--out", out), 3, "cannot read")
    assert_told(ordago("decisions", RECORD, "--out", tmp_path / "no" / "out"), 3, "there is no folder")
