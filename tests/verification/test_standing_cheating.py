"""An organiser who writes another standing than the results make is found, as soon as their epochs are revealed."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.standing_ladder import StandingLadder

from ordago.record.ledgers.ladder import SeatingEntry
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_UNFINISHED, EXIT_USAGE, EXIT_WRONG
from ordago_cli.program import program
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.seasons.careers import SeasonCareers
from ordago_ladder.standing.settings import parse_ladder

SPRING = "seasons/spring/ladder.json"
FILE = """
[ladder]
name = "demo"
title = "Any title"
season = "summer"
decision_ms = 1_000
lag_credit_ms = 0
lag_bank_ms = 0
disconnect_bank_ms = 5_000
strikes = 3
forfeit_after = 10

[[game]]
name = "mitaines"
options = { target = 20 }

[[game]]
name = "mittlere"
seats = 3
options = { deals = 3 }

[[house]]
name = "solid"
house = "solid"
rating = 1650
"""
ANCHORED = parse_ladder(FILE).of_epoch()


@pytest.fixture(scope="module")
def honest() -> StandingLadder:
    """The organiser of the honest ladder, whose seasons are anchored. Copy it before it changes anything."""
    return StandingLadder(of_epochs=dict.fromkeys((1, 2, 3), ANCHORED)).play()


@pytest.fixture(scope="module")
def published(honest: StandingLadder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What he published. Copy it before it is changed."""
    folder = honest.publish_standings(tmp_path_factory.mktemp("ladder"))
    (folder / "ladder.toml").write_text(FILE)
    return folder


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """A copy of what he published."""
    shutil.copytree(published, tmp_path / "ladder")
    return tmp_path / "ladder"


def verify(folder: Path, *options: object) -> Result:
    return CliRunner().invoke(program, ["verify", str(folder), *map(str, options)])


def found_in(folder: Path, *standings: Path) -> list[str]:
    return [f"{file}: {sentence}" for file, sentence in verify_ladder(folder, standings=standings).findings]


def change(path: Path, edit: Callable[[dict[str, object]], object]) -> None:
    """Change a standing, and write it as the organiser does."""
    content = json.loads(path.read_text())
    edit(content)
    path.write_text(json.dumps(content, indent=1) + "\n")


@pytest.mark.slow
def test_what_is_proved_of_standings_is_said_line_by_line(published: Path) -> None:
    told = verify(published)
    assert told.exit_code == EXIT_UNFINISHED
    lines = told.output.splitlines()
    assert (
        "proved: seasons/spring/ladder.json, the standing in the season 'spring' by 5 results of epochs 1 to 2, "
        "follows from these byte for byte, and from nothing else." in lines
    )
    assert (
        "rests on the organiser's word: ladder.json, the standing in the season 'summer' by 1 result of epoch 3: it "
        "rests on epoch 3, which is not revealed; a copy of it can be checked against the ladder later, with "
        "--standing." in lines
    )
    assert "proved: ladder.toml says what epoch 3 is committed to: games, terms, season and anchors." in lines
    assert lines[-1].endswith("Other files in the folder besides the epochs: they were not checked.")
    alone = verify(published, "--epoch", 1).output
    assert "standing" not in alone


def _lift(content: dict[str, object], *, game: str | None = None) -> None:
    ratings = content["ratings"]
    assert isinstance(ratings, dict)
    scale = ratings["overall"] if game is None else ratings["games"][game]
    scale["ratings"][-1]["elo"] += 0.1


def _swap(folder: Path) -> None:
    shutil.copy(folder / "ladder.json", folder / SPRING)


def _name(folder: Path, season: str) -> None:
    shutil.move(folder / "seasons/spring", folder / "seasons" / season)


def _link(path: Path) -> None:
    path.symlink_to("/etc")


CHEATS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a friend lifted by a tenth of a point": (
        lambda folder: change(folder / SPRING, _lift),
        f"{SPRING}: It does not follow from the results that it counts: ratings.overall.ratings.4.elo is another",
    ),
    "a friend lifted in one game": (
        lambda folder: change(folder / SPRING, lambda content: _lift(content, game="mittlere")),
        "ratings.games.mittlere.ratings.2.elo is another",
    ),
    "a rating under another name": (
        lambda folder: change(folder / SPRING, lambda content: content["players"]["1"].update(name="eve")),  # type: ignore[index]  # JSON
        "players.1.name is another",
    ),
    "a bad version left out": (
        lambda folder: change(folder / SPRING, lambda content: content["players"].pop("2")),  # type: ignore[attr-defined]  # JSON
        "players is another",
    ),
    "a result dropped": (
        lambda folder: change(folder / SPRING, lambda content: content.update(epochs=[[1, 2], [2, 2]])),
        f"{SPRING}: It leaves out 1 of 3 results of epoch 1",
    ),
    "an epoch dropped": (
        lambda folder: change(folder / SPRING, lambda content: content.update(epochs=[[2, 2]])),
        f"{SPRING}: It leaves out 3 of 3 results of epoch 1",
    ),
    "an epoch of another season counted": (
        lambda folder: change(folder / SPRING, lambda content: content.update(epochs=[[1, 3], [2, 2], [3, 1]])),
        "It counts epoch 3, which is of the season 'summer'",
    ),
    "results counted that never were": (
        lambda folder: change(folder / SPRING, lambda content: content.update(epochs=[[1, 9], [2, 2]])),
        "It counts 9 results of epoch 1, which has 3",
    ),
    "an epoch counted twice": (
        lambda folder: change(folder / SPRING, lambda content: content.update(epochs=[[1, 3], [2, 2], [2, 2]])),
        "Its epochs are not in ascending order",
    ),
    "nothing counted": (
        lambda folder: change(folder / "ladder.json", lambda content: content.update(epochs=[])),
        "ladder.json: It does not follow from the results that it counts",
    ),
    "the standing of another season": (_swap, f"{SPRING}: It is the standing of the season 'summer'"),
    "a season that never was": (
        lambda folder: _name(folder, "spring-2"),
        "seasons/spring-2: It is not a published file",
    ),
    "a season by a path": (lambda folder: _name(folder, "..spring"), "seasons/..spring: It is not a published file"),
    "a file beside a standing": (
        lambda folder: (folder / "seasons/spring/latest.json").write_text("{}"),
        "seasons/spring/latest.json: It is not a published file",
    ),
    "a standing that is a link": (
        lambda folder: ((folder / SPRING).unlink(), (folder / SPRING).symlink_to("/etc/passwd")),
        f"{SPRING}: It cannot be read: it is a link",
    ),
    "a folder of seasons that is a link": (
        lambda folder: (_name(folder, "../seasons.old"), shutil.rmtree(folder / "seasons"), _link(folder / "seasons")),
        "seasons/: It cannot be read: it is a link",
    ),
    "a standing without end": (
        lambda folder: os.truncate(folder / SPRING, 1 << 40),
        f"{SPRING}: It cannot be read: it has more than",
    ),
    "no standing": (
        lambda folder: (folder / SPRING).write_text("[" * 100_000),
        f"{SPRING}: It is not the standings of a",
    ),
    "other games in the file": (
        lambda folder: (folder / "ladder.toml").write_text(FILE.replace("target = 20", "target = 30")),
        "ladder.toml: Neither the newest epoch nor the one before it began with its contents",
    ),
    "another anchor in the file": (
        lambda folder: (folder / "ladder.toml").write_text(FILE.replace("1650", "1750")),
        "ladder.toml: Neither the newest epoch",
    ),
    "another season in the file": (
        lambda folder: (folder / "ladder.toml").write_text(FILE.replace('"summer"', '"autumn"')),
        "ladder.toml: Neither the newest epoch",
    ),
    "no ladder file": (lambda folder: (folder / "ladder.toml").write_text("x"), "ladder.toml: "),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHEATS)
def test_who_changes_what_stands_beside_the_epochs_is_found(folder: Path, name: str) -> None:
    cheat, words = CHEATS[name]
    cheat(folder)
    assert any(sentence.startswith(words) or words in sentence for sentence in found_in(folder)), found_in(folder)
    assert verify(folder).exit_code == EXIT_WRONG


def test_a_title_may_change_and_a_file_of_the_epoch_before_is_one(folder: Path) -> None:
    """Who publishes may have been killed before the new file stood there."""
    (folder / "ladder.toml").write_text(FILE.replace("Any title", "Another").replace('"summer"', '"spring"'))
    assert found_in(folder) == []
    assert "ladder.toml says what epoch 2 is committed to" in verify(folder).output


def test_without_records_a_standing_is_not_proved(folder: Path) -> None:
    """Nobody gets a proof by giving the records up: it is said that there is none."""
    shutil.rmtree(folder / "epochs/000001/records")
    change(folder / SPRING, _lift)
    assert found_in(folder) == []
    assert "it rests on epoch 1, whose records are not all there" in verify(folder).output
    (folder / SPRING).unlink()
    assert "The standings of the season 'spring': they are not published" in verify(folder).output


# A standing that somebody kept


@pytest.fixture(scope="module")
def later(honest: StandingLadder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same ladder when its third epoch was revealed."""
    ladder = honest.copy()
    ladder.seasons[4], ladder.of_epochs[4] = "summer", ANCHORED
    still_runs = ladder.entries[3][-1]
    assert isinstance(still_runs, SeatingEntry)
    ladder.void(3, still_runs)
    ladder.begin(4)
    ladder.end(3)
    return ladder.publish_standings(tmp_path_factory.mktemp("later"))


def test_a_standing_that_was_kept_is_proved_when_its_epochs_are_revealed(later: Path, published: Path) -> None:
    told = verify(later, "--standing", published / "ladder.json")
    assert told.exit_code == EXIT_UNFINISHED
    sentence = f"proved: {published / 'ladder.json'}, the standing in the season 'summer' by 1 result of epoch 3"
    assert sentence in told.output


@pytest.mark.slow
def test_who_keeps_the_standing_of_a_good_day_is_found(later: Path, published: Path, tmp_path: Path) -> None:
    """The attacker lets the season end for all to see when his friend stood best: one epoch before its last."""
    shutil.copytree(later, tmp_path, dirs_exist_ok=True)
    ladder = StandingLadder(of_epochs=dict.fromkeys((1, 2, 3), ANCHORED)).play()
    careers = SeasonCareers("spring", anchors=ANCHORED.anchors)
    careers.add(1, ladder.counted(1), ladder.bots())
    (tmp_path / SPRING).write_bytes(careers.standing().text)
    words = f"{SPRING}: It leaves out epoch 2, although epoch 3 was revealed later."
    assert found_in(tmp_path) == [words]
    shutil.copytree(published, tmp_path / "before")
    shutil.copy(tmp_path / SPRING, tmp_path / "before" / SPRING)
    assert found_in(tmp_path / "before") == [], "who publishes may have been killed before he wrote the last one"


def test_who_showed_another_standing_while_nobody_could_prove_it_is_found(later: Path, folder: Path) -> None:
    kept = folder / "ladder.json"
    change(kept, _lift)
    assert found_in(folder) == [], "nobody can know yet"
    assert any("It does not follow from the results that it counts" in sentence for sentence in found_in(later, kept))
    change(kept, lambda content: content.update(epochs=[]))
    assert any("It does not follow from the results" in sentence for sentence in found_in(folder))


def test_who_kept_an_unwelcome_result_out_of_a_standing_is_found(honest: StandingLadder, tmp_path: Path) -> None:
    """It says that it counts the second epoch, and not all of the first, whose results came before."""
    folder = honest.publish_standings(tmp_path)
    kept = folder / "kept.json"
    shutil.copy(folder / SPRING, kept)
    assert found_in(folder, kept) == []
    change(kept, lambda content: content.update(epochs=[[1, 2], [2, 2]]))
    assert any(
        "It leaves out results that are earlier than others that it counts" in it for it in found_in(folder, kept)
    )


def test_what_cannot_be_held_against_a_ladder_is_said_in_a_sentence(published: Path, tmp_path: Path) -> None:
    missing = verify(published, "--standing", tmp_path / "none")
    assert (missing.exit_code, missing.stdout) == (EXIT_OUTSIDE, "")
    for options in (["--standing", "x", "--epoch", "1"], []):
        told = verify(published if options else tmp_path, *(options or ["--standing", "x"]))
        assert told.exit_code == EXIT_USAGE
        assert "--standing needs the whole folder of a standing ladder" in told.stderr
    newer = tmp_path / "newer"
    shutil.copytree(published, newer)
    shutil.rmtree(newer / "epochs/000003")
    (newer / "ladder.toml").unlink()
    assert found_in(newer) == [], "a folder that is copied while it grows contradicts nothing"
    assert "it counts epoch 3, which is not here" in verify(newer).output
