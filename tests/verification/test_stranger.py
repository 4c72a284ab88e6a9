"""A stranger verifies an epoch in JavaScript, by the documentation: he comes to what ``ordago verify`` comes to."""

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from support.programs import need_program
from support.standing_ladder import StandingLadder
from verification.ladder_cheating import SELF_CONTRADICTING

from ordago.record import digest, read_record
from ordago.record.ledgers.ladder import read_epoch

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "clients/verify-epoch/verify_epoch.mjs"

Verify: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def honest() -> StandingLadder:
    """The organiser of the honest ladder. Copy it before it changes anything."""
    return StandingLadder().play()


@pytest.fixture(scope="module")
def published(honest: StandingLadder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What he published. Copy it before it is changed."""
    return honest.publish(tmp_path_factory.mktemp("ladder"))


@pytest.fixture(scope="module")
def verify() -> Verify:
    """Runs the verifier on an epoch."""
    node = need_program("node", to="verify epochs in JavaScript with")

    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        command: Sequence[str] = [node, str(SCRIPT), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours

    return run


@pytest.mark.slow
def test_an_honest_epoch_is_clean(honest: StandingLadder, published: Path, verify: Verify) -> None:
    """All records are read, whatever game they are of, and every shuffle is computed anew."""
    told = verify(published, 1, "--anchor", honest.chain.anchor.hex())
    assert (told.returncode, told.stderr) == (0, "")
    played = [honest.records[result.match_id] for result in read_epoch(honest.ledger(1)).results]
    shuffles = sum(entry.HasField("shuffle") for record in played for entry in record.entries)
    assert told.stdout.splitlines() == [
        f"clean: epoch 1; 4 matches: 3 results, 1 void; 3 records, {shuffles} shuffles computed anew",
        f"its link leads back to the anchor {honest.chain.anchor.hex()}",
        "it belongs to the season spring",
    ]
    assert verify(published, 2).returncode == 0


@pytest.mark.slow
def test_an_epoch_that_goes_on_is_unfinished(published: Path, verify: Verify) -> None:
    told = verify(published, 3)
    assert (told.returncode, told.stdout) == (
        6,
        "unfinished: epoch 3 is not revealed; 2 matches: 1 results, 0 void\n",
    )


def test_an_epoch_without_records_is_unfinished(published: Path, tmp_path: Path, verify: Verify) -> None:
    shutil.copytree(published, tmp_path, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / "epochs/000001/records")
    told = verify(tmp_path, 1)
    assert (told.returncode, told.stdout) == (
        6,
        "unfinished: epoch 1 has no records any more; 4 matches: 3 results, 1 void\n",
    )


@pytest.mark.slow
def test_it_needs_the_files_of_this_epoch_alone(published: Path, tmp_path: Path, verify: Verify) -> None:
    """Of the epoch before it looks at the ledger, and says so where that is not there."""
    for part in ("000001/ledger.jsonl", "000002"):
        source, target = published / "epochs" / part, tmp_path / "epochs" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    assert verify(tmp_path, 2).returncode == 0
    shutil.rmtree(tmp_path / "epochs/000001")
    told = verify(tmp_path, 2)
    assert told.returncode == 3
    assert re.fullmatch(r"verify_epoch: .*000001/ledger.jsonl cannot be read: .*\n", told.stderr)


# What he finds, by the epoch in which the cheat is, and what he cannot: the rules of the games are not his.
FOUND = {
    "epochs reordered": (1, "The ledger is of epoch 2"),
    "a result dropped": (1, "has neither a result nor is it void"),
    "a seating dropped": (1, "is not the next, 0"),
    "a match dropped": (1, "is not that of its number"),
    "other deals": (1, "The seed text is not that of this match"),
    "a nonce that nobody brought": (1, "The seed text is not that of this match"),
    "a number picked": (3, "Match 9 is not the next, 2"),
    "a second version of an epoch": (2, "The ledger before was another when this epoch began"),
    "other settings": (1, "The settings are not those that the epoch began with"),
    "other settings from the start": (1, "The settings have another decision_ms"),
    "another anchor": (1, "does not lead back to the anchor in 1 steps"),
    "another digest of the secret": (1, "not the one that was committed to"),
    "another link": (2, "does not lead back to the anchor in 2 steps"),
    "a head never had": (2, "The ledger before was another when this epoch began"),
    "a head beyond the end": (2, "The ledger before was another when this epoch began"),
    "a seat for another": (1, "the ledger says ana/1.0/a1, ben/1.0/"),
    "another attempt": (1, "It is of another match"),
    "another commitment": (1, "The digest of the secret is not that of the ledger"),
    "a secret in a record": (1, "revealed once, in the ledger"),
    "a season by a path": (3, "A season has no such name"),
    "another record": (2, "The ledger has the digest of another record"),
}
BEYOND_HIM = {
    "a match put in later",
    "another chain",
    "a secret before its time",
    "a clock that runs back",
    "a season that comes back",
    "a season that looks like another",
    "other anchors in a season",
    "another author at the number",
    "another number of a version",
    "an earlier head",
    "a game that is not played",
    "a table too small",
    "other options",
    "a match that could be conceded",
    "an answer of 1,000 s",
    "another score",
    "a forfeit without a reason",
}


def test_every_cheat_is_his_or_beyond_him() -> None:
    assert FOUND.keys() | BEYOND_HIM == SELF_CONTRADICTING.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_he_finds_who_contradicts_himself(honest: StandingLadder, tmp_path: Path, verify: Verify, name: str) -> None:
    epoch, words = FOUND[name]
    ladder = honest.copy()
    SELF_CONTRADICTING[name].cheat(ladder)
    told = verify(ladder.publish(tmp_path), epoch)
    assert (told.returncode, told.stderr) == (1, "")
    assert words in told.stdout


def test_another_anchor_than_the_one_that_was_seen_is_found(published: Path, verify: Verify) -> None:
    told = verify(published, 1, "--anchor", "ab" * 32)
    assert told.returncode == 1
    assert "The anchor is " in told.stdout


@pytest.mark.slow
def test_other_cards_are_found_though_the_digests_are_made_anew(
    honest: StandingLadder, tmp_path: Path, verify: Verify
) -> None:
    """Two cards of the first deal change places."""
    ladder = honest.copy()
    record = next(iter(ladder.records.values()))
    cards = record.entries[0].shuffle.cards
    cards[0], cards[1] = cards[1], cards[0]
    ladder.enter_anew()
    told = verify(ladder.publish(tmp_path), 1)
    assert told.returncode == 1
    assert "entry 0: Secret and seed text give another shuffle" in told.stdout


@pytest.mark.slow
def test_a_record_that_was_changed_is_found_wherever(published: Path, tmp_path: Path, verify: Verify) -> None:
    """Each of some bytes is changed, and the file is cut off, and something is added."""
    shutil.copytree(published, tmp_path, dirs_exist_ok=True)
    file = min(tmp_path.glob("epochs/000002/records/*"))
    data = file.read_bytes()
    changed = [bytes([*data[:at], data[at] ^ 1, *data[at + 1 :]]) for at in range(1, len(data), len(data) // 3)]
    for content in [*changed, data[:-1], data + b"\x1a\x00", data + data[-34:], b""]:
        file.write_bytes(content)
        told = verify(tmp_path, 2)
        assert (told.returncode, told.stderr) == (1, "")
        assert told.stdout.startswith(f"records/{file.name}: ")


@pytest.mark.slow
def test_the_names_of_bots_command_no_terminal(honest: StandingLadder, tmp_path: Path, verify: Verify) -> None:
    ladder = honest.copy()
    next(iter(ladder.records.values())).seats[0].name = "\x1b[2J\u202eana"
    ladder.enter_anew()
    told = verify(ladder.publish(tmp_path), 1)
    assert told.returncode == 1
    assert "Seated are ?[2J?ana" in told.stdout


@pytest.mark.slow
def test_the_digest_of_every_record_of_the_corpus_is_computed_alike() -> None:
    """Records of all games, of which the verifier knows nothing but the contract."""
    records = sorted(str(path) for path in (ROOT / "tests/corpus").rglob("*.record"))
    assert len(records) > 5
    node = need_program("node", to="compute digests in JavaScript with")
    command = [node, "--input-type=module", "--eval", DIGESTS, str(ROOT / "proto/ordago/v1"), *records]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=SCRIPT.parent)  # noqa: S603 - ours
    assert told.stdout.split() == [digest(read_record(Path(path).read_bytes())).hex() for path in records]


DIGESTS = """
import { readFileSync } from "node:fs";
import { readContract } from "./contract.mjs";
import { digest, holdsMore, readMessage } from "./record.mjs";
const [contract, ...files] = process.argv.slice(1);
const messages = readContract(contract);
for (const file of files) {
  const data = readFileSync(file), message = readMessage(data, "RecordFile", messages);
  if (holdsMore(data, message, messages)) throw new Error(file);
  console.log(digest(message.values.get(1)[0], messages).toString("hex"));
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), (".",), (".", "0"), (".", "1", "2"), (".", "one"), (".", "1", "--no")])
def test_who_calls_it_otherwise_is_told_how(verify: Verify, arguments: tuple[str, ...]) -> None:
    told = verify(*arguments)
    assert told.returncode == 2
    assert told.stderr.startswith("usage: verify_epoch.mjs DIR EPOCH")
    assert told.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_hostile_ledger_costs_a_sentence(published: Path, tmp_path: Path, verify: Verify) -> None:
    shutil.copytree(published, tmp_path, dirs_exist_ok=True)
    ledger = tmp_path / "epochs/000001/ledger.jsonl"
    huge = ledger.read_text().replace('"epoch":1', '"epoch":999999999999999')
    for content in (huge, "[" * 1_000_000 + "\n", "{}\n", "\x1b[2J\n", huge.replace("}", "")):
        ledger.write_text(content)
        told = verify(tmp_path, 1)
        assert told.returncode == 1, content[:50]
        assert "\x1b" not in told.stdout
