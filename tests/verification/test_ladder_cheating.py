"""An organiser of a standing ladder who makes everything anew after he has cheated is found where he contradicts
himself, or what somebody has kept."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.standing_ladder import StandingLadder
from verification.ladder_cheating import SELF_CONTRADICTING, second_version

from ordago_cli.errors import EXIT_OUTSIDE, EXIT_UNFINISHED, EXIT_USAGE, EXIT_WRONG
from ordago_cli.program import program
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.archive import ArchiveError
from ordago_ladder.verification.findings import Verdict


@pytest.fixture(scope="module")
def honest() -> StandingLadder:
    """The organiser of the honest ladder. Copy it before it changes anything."""
    return StandingLadder().play()


@pytest.fixture(scope="module")
def published(honest: StandingLadder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What he published. Copy it before it is changed."""
    return honest.publish(tmp_path_factory.mktemp("ladder"))


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """A copy of what he published."""
    shutil.copytree(published, tmp_path / "ladder")
    return tmp_path / "ladder"


def verify(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(program, ["verify", str(folder), *options])


@pytest.mark.slow
def test_an_honest_ladder_is_unfinished_and_its_epochs_clean(published: Path) -> None:
    found = verify_ladder(published)
    assert (found.verdict, found.findings, found.records) == (Verdict.UNFINISHED, (), 5)
    for epoch, records in ((1, 3), (2, 2)):
        alone = verify_ladder(published, epoch=epoch)
        assert (alone.verdict, alone.findings, alone.records, alone.revealed) == (Verdict.CLEAN, (), records, True)
    going_on = verify_ladder(published, epoch=3)
    assert (going_on.verdict, going_on.records, going_on.revealed) == (Verdict.UNFINISHED, 0, False)


def test_nothing_of_an_epoch_that_goes_on_is_published_but_its_ledger(honest: StandingLadder, published: Path) -> None:
    files = {path.relative_to(published).as_posix() for path in published.rglob("*")}
    assert {file for file in files if "000003/" in file} == {
        "epochs/000003/ledger.jsonl",
        "epochs/000003/settings.json",
    }
    texts = b"".join(path.read_bytes() for path in published.rglob("*") if path.is_file())
    for told in (honest.chain.link(3), honest.chain.secret(3)):
        assert told not in texts
        assert told.hex().encode() not in texts


@pytest.mark.slow
@pytest.mark.parametrize("name", SELF_CONTRADICTING)
def test_who_contradicts_himself_is_found(honest: StandingLadder, tmp_path: Path, name: str) -> None:
    found, ladder = SELF_CONTRADICTING[name], honest.copy()
    found.cheat(ladder)
    verification = verify_ladder(ladder.publish(tmp_path))
    assert verification.verdict is Verdict.NOT_CLEAN
    assert any(found.words in finding.sentence for finding in verification.findings), verification.findings


def test_a_second_version_of_an_epoch_is_contradicted_by_what_was_published(
    honest: StandingLadder, folder: Path, tmp_path: Path
) -> None:
    """Who writes all later ledgers anew, too, contradicts nothing in his folder, but every copy of the first one."""
    ladder = honest.copy()
    second_version(ladder)
    ladder.enter_anew()
    assert verify_ladder(ladder.publish(tmp_path / "second")).findings == ()
    with pytest.raises(ArchiveError, match="the ledger of this epoch does not begin like"):
        ladder.publish(folder)
    assert verify_ladder(folder).findings == ()


def test_who_never_reveals_an_epoch_does_not_get_a_clean_one(honest: StandingLadder, tmp_path: Path) -> None:
    ladder = honest.copy()
    del ladder.entries[2][-1]
    folder = ladder.publish(tmp_path)
    found = verify_ladder(folder, epoch=2)
    assert (found.verdict, found.records) == (Verdict.UNFINISHED, 0)
    assert "Epoch 2 is not revealed: 2 of 2 matches are over" in verify(folder).output


CHANGES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a record missing": (lambda epochs: next(epochs.glob("000001/records/*")).unlink(), "No such file", "000001/rec"),
    "a folder of records that is a link": (
        lambda epochs: (shutil.rmtree(epochs / "000001/records"), (epochs / "000001/records").symlink_to(epochs)),
        "it is a link",
        "000001/records",
    ),
    "a record of another match": (
        lambda epochs: shutil.copy(*sorted(epochs.glob("000001/records/*"))[:2]),
        "The ledger has the digest of another record",
        "000001/records/",
    ),
    "a record too many": (
        lambda epochs: (epochs / "000001/records/x.record").write_bytes(b""),
        "not a published file",
        "000001/records/x.record",
    ),
    "a record of an epoch that goes on": (
        lambda epochs: (epochs / "000003/records").mkdir(),
        "not a published file",
        "000003/records",
    ),
    "an epoch missing": (lambda epochs: shutil.rmtree(epochs / "000002"), "Epoch 2 is missing", "000002"),
    "another name for an epoch": (
        lambda epochs: (epochs / "000003").rename(epochs / "3"),
        "not a published file",
        "epochs/3",
    ),
    "an epoch that is another's copy": (
        lambda epochs: shutil.copytree(epochs / "000002", epochs / "000004"),
        "The ledger is of epoch 2",
        "000004",
    ),
    "no ledger": (lambda epochs: (epochs / "000002/ledger.jsonl").unlink(), "No such file", "000002/ledger.jsonl"),
    "settings are invalid": (
        lambda epochs: (epochs / "000002/settings.json").unlink(),
        "No such file",
        "000002/settings.json",
    ),
    "settings with spaces": (
        lambda epochs: _replace(epochs / "000002/settings.json", ",", ", "),
        "not in published form",
        "000002/settings.json",
    ),
    "settings of no kind": (
        lambda epochs: _replace(epochs / "000002/settings.json", "decision_ms", "decision"),
        "The settings are invalid",
        "000002/settings.json",
    ),
    "settings of no game": (
        lambda epochs: _replace(epochs / "000002/settings.json", "mitaines", "poker"),
        "cannot be played",
        "000002/settings.json",
    ),
    "a ledger changed": (
        lambda epochs: _replace(epochs / "000001/ledger.jsonl", '"account":"ben"', '"account":"eve"'),
        "Line 4 of the ledger does not follow",
        "000001/ledger.jsonl",
    ),
    "a ledger cut off": (
        lambda epochs: _replace(epochs / "000001/ledger.jsonl", "}\n", "}"),
        "last line of the ledger is incomplete",
        "000001/ledger.jsonl",
    ),
    "a ledger that is a link": (
        lambda epochs: _link(epochs / "000001/ledger.jsonl"),
        "it is a link",
        "000001/ledger.jsonl",
    ),
    "a ledger that is no text": (
        lambda epochs: (epochs / "000001/ledger.jsonl").write_bytes(b"\xff\n"),
        "not UTF-8 text",
        "000001/ledger.jsonl",
    ),
    "a ledger without end": (
        lambda epochs: os.truncate(epochs / "000001/ledger.jsonl", 5 << 30),
        "more than any published file",
        "000001/ledger.jsonl",
    ),
    "a ledger without lines": (
        lambda epochs: (epochs / "000001/ledger.jsonl").write_bytes(b""),
        "does not begin with the beginning of an epoch",
        "000001/ledger.jsonl",
    ),
}


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def _link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_folder_that_was_changed_is_found(folder: Path, name: str) -> None:
    change, words, file = CHANGES[name]
    change(folder / "epochs")
    found = verify_ladder(folder).findings
    assert any(words in finding.sentence and file in finding.file for finding in found), found


def test_every_byte_of_a_record_counts(folder: Path) -> None:
    file = min(folder.glob("epochs/000001/records/*"))
    data = bytearray(file.read_bytes())
    for at in range(0, len(data), max(1, len(data) // 20)):
        file.write_bytes(bytes([*data[:at], data[at] ^ 1, *data[at + 1 :]]))
        assert verify_ladder(folder, epoch=1).verdict is Verdict.NOT_CLEAN, at


# The command


def test_the_command_says_line_by_line_what_is_proved_and_what_is_not(honest: StandingLadder, published: Path) -> None:
    told = verify(published)
    assert told.exit_code == EXIT_UNFINISHED
    lines = told.output.splitlines()
    assert lines[0] == "unfinished: 5 records replayed; proved: deals, games and results"
    assert f"leads back to the anchor {honest.chain.anchor.hex()}." in told.output
    assert any(line.startswith("proved: Of the 6 matches seated in them, 5 have a result;") for line in lines)
    assert any(line.startswith("proved: Epoch 3 is not revealed: 1 of 2 matches are over") for line in lines)
    assert "rests on the organiser's word: Why a match was void." in lines
    said = json.loads(verify(published, "--json").output)
    assert (said["verdict"], said["records"], said["secret_revealed"]) == ("unfinished", 5, True)


def test_one_epoch_is_verified_alone(folder: Path) -> None:
    min((folder / "epochs/000002/records").iterdir()).unlink()
    told = verify(folder, "--epoch", "1")
    assert (told.exit_code, told.output.splitlines()[0]) == (
        0,
        "clean: 3 records replayed; proved: deals, games and results",
    )
    told = verify(folder, "--epoch", "2")
    assert told.exit_code == EXIT_WRONG
    assert told.output.startswith("epochs/000002/records")
    assert "proved" not in told.output


def test_what_cannot_be_verified_is_said_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    told = verify(folder, "--epoch", "7")
    assert (told.exit_code, told.stderr) == (EXIT_OUTSIDE, f"ordago: {folder} holds no epoch 7: it has epochs 1 to 3\n")
    told = verify(tmp_path, "--epoch", "1")
    assert told.exit_code == EXIT_USAGE
    assert "--epoch is for a standing ladder" in told.stderr
    (tmp_path / "none" / "epochs").mkdir(parents=True)
    told = verify(tmp_path / "none")
    assert told.exit_code == EXIT_OUTSIDE
    assert "has no published epoch: epochs/000001/ is missing" in told.stderr
