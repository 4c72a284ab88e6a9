"""Matches by older rules than the installed ones are not judged, and nobody escapes judgement by claiming that."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.standing_ladder import StandingLadder

from ordago import v1
from ordago.games import find_game, game_names
from ordago.record import digest, read_record
from ordago_cli.program import program
from ordago_ladder.showing.match_page import match_page
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict
from ordago_ladder.verification.records import verify_file, verify_records
from ordago_web.analysis.worker import analysis_steps

CORPUS = Path(__file__).parents[1] / "corpus"
MUS = CORPUS / "mus-4.record"
SENTENCE = "It was played by version 1 of the rules of Mus, but version 2 is installed."


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install version 2 of the rules of all games."""
    for name in game_names():
        monkeypatch.setattr(find_game(name).rules, "version", 2)


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that was played by the first versions."""
    return StandingLadder().play().publish(tmp_path_factory.mktemp("ladders") / "ladder")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CORPUS / "event", tmp_path / "event"))


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.record")), ids=lambda file: file.stem)
def test_a_record_is_not_judged_and_one_sentence_names_both_versions(file: Path) -> None:
    found = verify_file(file)
    [finding] = found.findings
    assert found.verdict is Verdict.NOT_JUDGED
    assert "version 1 of the rules of" in finding.sentence
    assert "version 2 is installed" in finding.sentence


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["verify", MUS], 3),
        (["record", MUS], 0),
        (["record", MUS, "--decisions", "1"], 3),
        (["analyse", MUS], 3),
        (["rerun", MUS, *4 * ["--bot", "house:random"]], 3),
    ],
    ids=["verify", "record", "decisions", "analyse", "rerun"],
)
def test_commands_say_so_once_and_call_nothing_wrong(words: list[object], code: int) -> None:
    result = CliRunner().invoke(program, list(map(str, words)))
    assert (result.exit_code, result.output.count(SENTENCE)) == (code, 1)
    assert "Problem" not in result.output
    assert "not clean" not in result.output


@pytest.mark.usefixtures("raised")
def test_pages_and_the_analysis_say_so() -> None:
    page = match_page(read_record(MUS.read_bytes()))
    assert SENTENCE in page
    assert "Problem" not in page
    [*_, last] = analysis_steps(MUS.read_bytes(), worlds=2)
    assert SENTENCE in str(last)


@pytest.mark.usefixtures("raised")
def test_an_event_is_not_judged_and_its_records_are_not_listed_one_by_one(event: Path) -> None:
    found = verify_folder(event)
    assert found.verdict is Verdict.NOT_JUDGED
    assert [finding.file for finding in found.findings] == ["ladder.json"]


@pytest.mark.usefixtures("raised")
def test_an_epoch_of_a_ladder_is_not_judged(ladder: Path) -> None:
    found = verify_ladder(ladder)
    assert found.verdict is Verdict.NOT_JUDGED, found.findings
    assert {finding.file.rsplit("/", 1)[-1] for finding in found.findings} == {"settings.json"}


@pytest.mark.usefixtures("raised")
def test_a_folder_with_another_mistake_is_not_clean(tmp_path: Path) -> None:
    shutil.copy(MUS, tmp_path)
    assert verify_records(tmp_path).verdict is Verdict.NOT_JUDGED
    (tmp_path / "other.record").write_bytes(b"no record")
    assert verify_records(tmp_path).verdict is Verdict.NOT_CLEAN


# A forger who claims other rules.


def _claim(file: Path, change: Callable[[v1.MatchRecord], object]) -> Path:
    record = read_record(file.read_bytes())
    change(record)
    file.write_bytes(v1.RecordFile(record=record, digest=digest(record)).SerializeToString(deterministic=True))
    return file


def _version_9(record: v1.MatchRecord) -> None:
    record.rules_version = 9


def test_a_record_with_another_secret_is_not_clean_whatever_its_rules(tmp_path: Path) -> None:
    file = _claim(Path(shutil.copy(MUS, tmp_path)), _version_9)
    assert verify_file(file).verdict is Verdict.NOT_JUDGED
    assert verify_file(file, secret=bytes(32)).verdict is Verdict.NOT_CLEAN


def test_a_record_of_an_event_that_claims_other_rules_is_not_clean(event: Path) -> None:
    _claim(next((event / "records").iterdir()), _version_9)
    assert verify_folder(event).verdict is Verdict.NOT_CLEAN


def _state(event: Path, version: int) -> None:
    file = event / "ladder.json"
    stated = json.loads(file.read_text(encoding="utf-8"))
    stated["games"][0]["rules_version"] = version
    file.write_text(json.dumps(stated, indent=1), encoding="utf-8")


def test_an_event_that_states_other_rules_than_it_committed_to_is_not_clean(event: Path) -> None:
    _state(event, 9)
    assert verify_folder(event).verdict is Verdict.NOT_CLEAN


def test_an_event_that_states_other_rules_of_a_game_that_it_lacks_is_not_clean(event: Path) -> None:
    file = event / "ladder.json"
    stated = json.loads(file.read_text(encoding="utf-8"))
    stated["games"].append(stated["games"][0] | {"name": "mus", "rules_version": 9})
    file.write_text(json.dumps(stated, indent=1), encoding="utf-8")
    assert verify_folder(event).verdict is Verdict.NOT_CLEAN


@pytest.mark.usefixtures("raised")
def test_nor_is_one_that_was_played_by_older_rules_and_states_others(event: Path) -> None:
    _state(event, 9)
    assert verify_folder(event).verdict is Verdict.NOT_CLEAN


@pytest.mark.usefixtures("raised")
def test_an_event_whose_ladder_cannot_be_read_is_not_clean(event: Path) -> None:
    (event / "ladder.json").write_bytes(b"\0")
    assert verify_folder(event).verdict is Verdict.NOT_CLEAN
