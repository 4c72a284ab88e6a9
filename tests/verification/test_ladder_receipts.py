"""What bots kept speaks against an organiser who has made another ladder of theirs, which is clean for itself."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.standing_ladder import PLAYERS, SETTINGS, StandingLadder
from verification.ladder_cheating import second_version

from ordago.record.epochs import LinkChain
from ordago.record.ledgers.ladder import LadderResultEntry, LadderVoidEntry, SeatingEntry, read_epoch
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_UNFINISHED, EXIT_WRONG
from ordago_cli.program import program
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.verification.findings import Verdict


@pytest.fixture(scope="module")
def honest() -> StandingLadder:
    """The organiser of the honest ladder. Copy it before it changes anything."""
    return StandingLadder().play()


@pytest.fixture(scope="module")
def receipts(honest: StandingLadder, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """What the bots of the honest ladder kept."""
    folder = tmp_path_factory.mktemp("receipts")
    for name in ("ana", "ben"):
        (folder / name).write_text(honest.receipts_of(name), encoding="utf-8")
    return {name: folder / name for name in ("ana", "ben")}


@pytest.mark.slow
def test_receipts_agree_with_what_is_honest(
    honest: StandingLadder, receipts: Mapping[str, Path], tmp_path: Path
) -> None:
    folder = honest.publish(tmp_path)
    found = verify_ladder(folder, receipts=[*receipts.values()])
    assert (found.verdict, found.findings) == (Verdict.UNFINISHED, ())
    lines = [json.loads(line) for file in receipts.values() for line in file.read_text().splitlines()]
    assert found.receipts == len(lines) == 34
    arguments = ["verify", str(folder), *(f"--receipts={file}" for file in receipts.values())]
    said = CliRunner().invoke(program, arguments)
    assert said.exit_code == EXIT_UNFINISHED
    assert "; 34 receipts agree" in said.output


def other_choices(ladder: StandingLadder) -> None:
    """Say that a bot has answered in another way than it did."""
    seating = next(entry for entry in ladder.entries[2] if isinstance(entry, SeatingEntry))
    ladder.records[seating.match_id] = replace(ladder, strong="default").match(2, seating)
    ladder.enter_anew()


def tail_rewritten(ladder: StandingLadder) -> None:
    """Say that a match was void that still ran when the next epoch began: no ledger names what became of it."""
    at = max(at for at, entry in enumerate(ladder.entries[1]) if entry.kind == "result")
    unwelcome = ladder.entries[1][at]
    assert isinstance(unwelcome, LadderResultEntry)
    ladder.entries[1][at] = LadderVoidEntry(match_id=unwelcome.match_id, reason="bad luck")


def drop_all_but(epochs: int) -> Callable[[StandingLadder], None]:
    """Return a cheat by which no more than so many epochs were ever played."""

    def cheat(ladder: StandingLadder) -> None:
        ladder.entries = {epoch: entries for epoch, entries in ladder.entries.items() if epoch <= epochs}

    return cheat


def another_chain_from_the_start(ladder: StandingLadder) -> None:
    """Run the ladder twice, and publish the second."""
    other = StandingLadder(chain=LinkChain(b"second".ljust(32), length=10)).play()
    ladder.chain, ladder.entries, ladder.records = other.chain, other.entries, other.records


def other_terms_from_the_start(ladder: StandingLadder) -> None:
    """Say that bots had less time than they were told."""
    slow = SETTINGS.model_copy(update={"decision_ms": 999})
    other = StandingLadder(of_epochs=dict.fromkeys((1, 2, 3), slow)).play()
    ladder.of_epochs, ladder.entries, ladder.records = other.of_epochs, other.entries, other.records


def second_version_everywhere(ladder: StandingLadder) -> None:
    """Write all later heads anew, too."""
    second_version(ladder)
    ladder.enter_anew()


CLEAN_FOR_ITSELF: dict[str, tuple[Callable[[StandingLadder], None], str]] = {
    "a second version of an epoch": (second_version_everywhere, "is not what it was by a receipt"),
    "a result made void in the end": (tail_rewritten, "is not what it was by a receipt"),
    "choices invented": (other_choices, "has another record than it had by a receipt"),
    "epochs that never were": (drop_all_but(2), "and no ledger has it"),
    "another chain": (another_chain_from_the_start, "began with another secret"),
    "other terms": (other_terms_from_the_start, "or with other settings"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLEAN_FOR_ITSELF)
def test_who_makes_another_ladder_is_contradicted_by_what_a_bot_kept(
    honest: StandingLadder, receipts: Mapping[str, Path], tmp_path: Path, name: str
) -> None:
    cheat, words = CLEAN_FOR_ITSELF[name]
    ladder = honest.copy()
    cheat(ladder)
    folder = ladder.publish(tmp_path)
    assert verify_ladder(folder).findings == (), "nothing in the folder speaks against him"
    found = verify_ladder(folder, receipts=[receipts["ben"]])
    assert found.verdict is Verdict.NOT_CLEAN
    assert {finding.file for finding in found.findings} == {str(receipts["ben"])}
    assert any(words in finding.sentence for finding in found.findings), found.findings


def told(honest: StandingLadder, epoch: int, length: int, match_id: str) -> str:
    """Return a receipt of the beginning of a match, when the ledger of an epoch had so many lines."""
    ledger = read_epoch(honest.ledger(epoch))
    assert ledger.begin is not None
    told = {"kind": "match_start", "event": f"demo/{epoch}", "commitment": "0" * 64, "name": "ana"}
    head = ledger.head_at(min(length, len(ledger.lines))).digest.hex()
    return json.dumps(told | {"match_id": match_id, "length": length, "head": head}) + "\n"


def test_a_match_that_was_entered_when_it_had_begun_is_found(honest: StandingLadder, tmp_path: Path) -> None:
    """Its number was to be fixed before: the ledger that the bot was told of did not have it."""
    seating = next(entry for entry in honest.entries[1] if isinstance(entry, SeatingEntry))
    (tmp_path / "receipts").write_text(told(honest, 1, 3, seating.match_id), encoding="utf-8")
    found = verify_ladder(honest.publish(tmp_path / "ladder"), receipts=[tmp_path / "receipts"])
    [finding] = found.findings
    assert "was told of, by a receipt, when the ledger did not have it yet" in finding.sentence


def test_a_match_that_a_finished_ladder_does_not_have_is_found(honest: StandingLadder, tmp_path: Path) -> None:
    """However long the ledger was then: that of the newest epoch grows no more."""
    ladder = honest.copy()
    drop_all_but(2)(ladder)
    (tmp_path / "receipts").write_text(told(honest, 3, 99, "ab" * 16), encoding="utf-8")
    found = verify_ladder(ladder.publish(tmp_path / "ladder"), receipts=[tmp_path / "receipts"])
    [finding] = found.findings
    assert finding.sentence == f"Match {'ab' * 16} was played, by a receipt, and no ledger has it."


def test_a_nonce_put_in_the_place_of_another_is_found(
    honest: StandingLadder, receipts: Mapping[str, Path], tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in receipts["ana"].read_text().splitlines()]
    sent = [line | {"nonce": "ab" * 16} if line["kind"] == "event" else line for line in lines]
    file = tmp_path / "receipts"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in sent), encoding="utf-8")
    found = verify_ladder(honest.publish(tmp_path / "ladder"), receipts=[file])
    assert any("The nonce of 'ana'" in finding.sentence for finding in found.findings)


def test_what_is_not_published_yet_is_no_contradiction(
    honest: StandingLadder, receipts: Mapping[str, Path], tmp_path: Path
) -> None:
    """Receipts of a match that began a moment ago, beside a ledger that is a moment old."""
    ladder = honest.copy()
    del ladder.entries[3][5:]
    found = verify_ladder(ladder.publish(tmp_path), receipts=[*receipts.values()])
    assert found.findings == ()


def test_receipts_of_other_ladders_mean_nothing(
    honest: StandingLadder, receipts: Mapping[str, Path], tmp_path: Path
) -> None:
    file = tmp_path / "receipts"
    file.write_text(receipts["ana"].read_text().replace('"demo/', '"other/'), encoding="utf-8")
    found = verify_ladder(honest.publish(tmp_path / "ladder"), receipts=[file])
    assert (found.findings, found.receipts) == ((), 0)


def test_a_forged_ledger_is_held_against_receipts_without_trouble(
    honest: StandingLadder, receipts: Mapping[str, Path], tmp_path: Path
) -> None:
    ladder = honest.copy()
    ladder.entries[1] = [entry for entry in ladder.entries[1] if entry not in PLAYERS.values()]
    found = verify_ladder(ladder.publish(tmp_path), receipts=[*receipts.values()])
    assert found.verdict is Verdict.NOT_CLEAN


def test_files_that_are_none_are_named(honest: StandingLadder, tmp_path: Path) -> None:
    folder = honest.publish(tmp_path / "ladder")
    (tmp_path / "none").write_text("no\n", encoding="utf-8")
    for name, code, words in (("none", EXIT_OUTSIDE, "Line 1 is no receipt"), ("missing", EXIT_OUTSIDE, "cannot read")):
        said = CliRunner().invoke(program, ["verify", str(folder), "--receipts", str(tmp_path / name)])
        assert said.exit_code == code
        assert words in said.stderr
    record = min(folder.rglob("*.record"))
    said = CliRunner().invoke(program, ["verify", str(record), "--receipts", str(tmp_path / "none")])
    assert said.exit_code not in {0, EXIT_WRONG}
    assert "of an event or of a standing ladder" in said.stderr
