"""An organiser who declares a rated match unrated afterwards, or the reverse, is found, whatever it makes anew."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from support.programs import need_program
from support.standing_ladder import StandingLadder

from ordago.record.ledgers.ladder import SeatingEntry
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.verification.findings import Verdict

VERIFIER = Path(__file__).parents[2] / "clients" / "verify-epoch" / "verify_epoch.mjs"


class Mixed(StandingLadder):
    """A ladder with a rated and an unrated match in its first epoch."""

    def play(self) -> "Mixed":
        self.begin(1)
        self.finish(1, self.seat(1, "mitaines", 1, 2))
        unrated = self.seat(1, "mitaines", 2, 1).model_copy(update={"kind": "unrated"})
        self.entries[1][-1] = unrated
        self.finish(1, unrated)
        self.begin(2)
        self.end(1)
        return self

    def declare(self, number: int, kind: str) -> None:
        """Say that a match was seated as of another kind."""
        places = [at for at, entry in enumerate(self.entries[1]) if isinstance(entry, SeatingEntry)]
        at = places[number]
        self.entries[1][at] = self.entries[1][at].model_copy(update={"kind": kind})
        self.enter_anew()


@pytest.fixture(scope="module")
def honest() -> Mixed:
    return Mixed().play()


def test_an_unrated_match_is_proved_and_changes_no_standing(honest: Mixed, tmp_path: Path) -> None:
    folder = honest.publish_standings(tmp_path)
    found = verify_ladder(folder)
    assert (found.findings, found.records) == ((), 2)
    standing = json.loads((folder / "ladder.json").read_text())
    assert (standing["epochs"], standing["ratings"]["results"]) == ([[1, 2]], 1)
    assert {rating["matches"] for rating in standing["ratings"]["overall"]["ratings"]} == {1}


@pytest.mark.parametrize(("number", "kind"), [(0, "unrated"), (1, "seating")])
def test_who_changes_his_mind_about_a_match_needs_other_shuffles(
    honest: Mixed, tmp_path: Path, number: int, kind: str
) -> None:
    """Heads, digests and standings are made anew: the cards that were played still tell."""
    cheat = honest.copy()
    assert isinstance(cheat, Mixed)
    cheat.declare(number, kind)
    found = verify_ladder(cheat.publish_standings(tmp_path))
    assert found.verdict is Verdict.NOT_CLEAN
    [finding] = found.findings
    assert "seed of the deals" in finding.sentence


@pytest.mark.parametrize(("number", "kind"), [(0, "unrated"), (1, "seating")])
def test_a_standing_that_counts_an_unrated_match_or_leaves_out_a_rated_one_is_found(
    honest: Mixed, tmp_path: Path, number: int, kind: str
) -> None:
    folder = honest.publish_standings(tmp_path / "honest")
    cheat = honest.copy()
    assert isinstance(cheat, Mixed)
    cheat.declare(number, kind)
    forged = cheat.publish_standings(tmp_path / "forged")
    shutil.copy(forged / "ladder.json", folder / "ladder.json")
    [finding] = verify_ladder(folder).findings
    assert finding.file == "ladder.json"


@pytest.mark.foreign
def test_the_independent_verifier_agrees(honest: Mixed, tmp_path: Path) -> None:
    node = need_program("node", to="verify epochs in JavaScript with")
    cheat = honest.copy()
    assert isinstance(cheat, Mixed)
    cheat.declare(0, "unrated")
    folders = honest.publish(tmp_path / "honest"), cheat.publish(tmp_path / "forged")
    codes = [subprocess.run([node, VERIFIER, folder, "1"], check=False).returncode for folder in folders]  # noqa: S603 - ours
    assert codes[0] == 0 != codes[1]
