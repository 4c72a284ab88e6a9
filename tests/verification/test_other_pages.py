"""A folder whose pages another version of Ordago made: all but the pages is proved, and the verifier says so."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordago.version import __version__
from ordago_cli.match.records import verify
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict

OTHER = "0.0.9"


def made_by(folder: Path, version: object) -> Path:
    """Let a folder say that another version made it."""
    file = folder / "ladder.json"
    stated = json.loads(file.read_text(encoding="utf-8")) | {"ordago": version}
    file.write_text(json.dumps(stated, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def earlier(folder: Path) -> Path:
    """A folder that an earlier version published: with another look, other pages, and without one of today's."""
    (folder / "assets" / "site.css").write_text("body { color: red }")
    (folder / "assets" / "gone.js").write_text("")
    (folder / "index.html").write_text("<p>As it was.</p>")
    (folder / "about.html").write_text("<p>A page of then.</p>")
    (folder / "meetings.html").unlink()
    return made_by(folder, OTHER)


def test_all_but_the_pages_is_proved(earlier: Path) -> None:
    found = verify_folder(earlier)
    assert (found.verdict, found.records, found.findings, found.other_pages) == (Verdict.CLEAN, 12, (), OTHER)
    assert not [claim for claim in found.claims if "this page" in claim.sentence]


def test_the_command_says_that_pages_were_not_compared(earlier: Path) -> None:
    said = CliRunner().invoke(verify, [str(earlier)]).output
    assert f"not compared: the pages, which Ordago {OTHER} made, and this is {__version__}" in said
    assert json.loads(CliRunner().invoke(verify, [str(earlier), "--json"]).output)["other_pages"] == OTHER


def test_pages_of_this_version_are_compared(folder: Path) -> None:
    assert verify_folder(folder).other_pages == ""
    (folder / "index.html").write_text("<p>Somebody else won.</p>")
    assert verify_folder(folder).verdict is Verdict.NOT_CLEAN


# An organiser who hides behind another version.


@pytest.mark.parametrize("name", ["ladder.json", "ladder.csv", "ladder.pgn", "event.toml", "ledger.jsonl"])
def test_what_programs_read_is_compared_whoever_made_it(earlier: Path, name: str) -> None:
    file = earlier / name
    file.write_text(file.read_text(encoding="utf-8").replace("ana", "zoe"), encoding="utf-8")
    assert verify_folder(earlier).verdict is Verdict.NOT_CLEAN


def test_a_record_too_many_or_too_few_is_found(earlier: Path) -> None:
    record = next((earlier / "records").iterdir())
    record.rename(record.with_name("other.record"))
    assert {finding.file for finding in verify_folder(earlier).findings} >= {"records/other.record"}


@pytest.mark.parametrize("name", ["index.htm", "records.zip", "win.exe"])
def test_other_files_than_pages_do_not_belong_there(earlier: Path, name: str) -> None:
    (earlier / name).write_text("")
    assert [finding.file for finding in verify_folder(earlier).findings] == [name]


@pytest.mark.parametrize("version", [None, 9, "9" * 1000, ["0.0.9"]])
def test_a_version_that_is_none_counts_as_this_one(folder: Path, version: object) -> None:
    found = verify_folder(made_by(folder, version))
    assert [finding.file for finding in found.findings] == ["ladder.json"]


def test_a_version_cannot_control_the_terminal(folder: Path) -> None:
    assert "\x1b" not in CliRunner().invoke(verify, [str(made_by(folder, "\x1b[2J"))]).output
