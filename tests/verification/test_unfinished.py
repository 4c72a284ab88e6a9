"""An event that goes on is unfinished: what can be checked is checked, and it is never clean."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.organiser import Organiser
from verification.conftest import Publish

from ordago.record.ledgers.event import EndEntry, ResultEntry
from ordago_cli.errors import EXIT_UNFINISHED
from ordago_cli.program import program
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict


def going_on(honest: Organiser, *, results: int) -> Organiser:
    """Return the organiser when he had so many results."""
    organiser = honest.copy()
    kept = 0
    for at, entry in enumerate(organiser.entries):
        kept += isinstance(entry, ResultEntry)
        if kept > results or isinstance(entry, EndEntry):
            del organiser.entries[at:]
            break
    return organiser


@pytest.mark.slow
@pytest.mark.parametrize("results", [0, 1, 2, 7, 11])
def test_what_is_published_before_the_end_is_unfinished(honest: Organiser, publish: Publish, results: int) -> None:
    """The records of a set are open when both of its matches are played."""
    found = verify_folder(publish(going_on(honest, results=results)))
    assert (found.verdict, found.findings, found.revealed) == (Verdict.UNFINISHED, (), False)
    assert found.records == results // 2 * 2


@pytest.mark.slow
def test_it_has_an_exit_code_and_a_word_of_its_own(honest: Organiser, publish: Publish) -> None:
    folder = publish(going_on(honest, results=7))
    told = CliRunner().invoke(program, ["verify", str(folder)])
    assert told.exit_code == EXIT_UNFINISHED
    assert "unfinished: 6 records replayed" in told.output
    assert "clean" not in told.output
    told = CliRunner().invoke(program, ["verify", str(folder), "--json"])
    assert told.exit_code == EXIT_UNFINISHED
    said = json.loads(told.output)
    assert (said["clean"], said["verdict"]) == (False, "unfinished")


@pytest.mark.slow
def test_receipts_run_ahead_of_it(honest: Organiser, publish: Publish, receipts: dict[str, Path]) -> None:
    """They know more results than are published, which is no contradiction while the event goes on."""
    folder = publish(going_on(honest, results=7))
    found = verify_folder(folder, receipts=[receipts["ana"]])
    assert (found.findings, found.contradictions) == ((), 0)
    assert 0 < found.receipts_ahead < found.receipts
    result = CliRunner().invoke(program, ["verify", str(folder), "--receipts", str(receipts["ana"])])
    assert result.exit_code == EXIT_UNFINISHED
    assert f"{found.receipts_ahead} more are ahead of what is published" in result.output


@pytest.mark.slow
def test_all_matches_without_the_secret_are_not_clean(honest: Organiser, publish: Publish) -> None:
    [finding] = verify_folder(publish(going_on(honest, results=12))).findings
    assert "the secret is not revealed" in finding.sentence


Edit = Callable[[Any], object]

INVENTED: dict[str, tuple[Edit, str]] = {
    "other scores": (
        lambda ladder: ladder["matches"][0].update(scores=[9, -9]),
        "The result in ladder.json is another",
    ),
    "scores for three": (lambda ladder: ladder["matches"][0].update(scores=[1, 2, 3]), "is not for 2 seats"),
    "a third place of two": (
        lambda ladder: ladder["matches"][0].update(placings=[1, 3]),
        "a placing that does not exist",
    ),
    "a forfeit of nobody": (
        lambda ladder: ladder["matches"][0].update(forfeits=[{"seat": 7, "fault": "crashed"}]),
        "names a seat",
    ),
    "no row": (lambda ladder: ladder["matches"][0].pop("row"), "has no valid results: matches.0.row"),
    "a row too far": (lambda ladder: ladder["matches"][0].update(row=1_000), "that is not in the schedule"),
    "a row twice": (lambda ladder: ladder["matches"][0].update(row=1), "two results of one match"),
    "another row": (lambda ladder: ladder["matches"][-1].update(row=9), "not a published file"),
    "another seating": (lambda ladder: ladder["matches"][0].update(seating=5), "does not follow from event file"),
    "another attempt": (lambda ladder: ladder["matches"][-1].update(attempt=1), "a result of another attempt"),
    "a match dropped": (lambda ladder: ladder["matches"].pop(), "but the ledger has a result of it"),
    "a match of another name": (lambda ladder: ladder["matches"][-1].update(match_id="ab"), "has no result"),
    "no matches": (lambda ladder: ladder.update(matches=5), "has no valid results"),
    "more than belongs there": (lambda ladder: ladder["matches"][0].update(more=1), "does not follow from event file"),
    "invented ratings": (
        lambda ladder: ladder["overall"]["ladder"][0].update(elo=3000.0),
        "does not follow from event file",
    ),
    "finished": (lambda ladder: ladder["state"].update(finished=True), "does not follow from event file"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", INVENTED)
def test_what_is_invented_before_the_end_is_found(honest: Organiser, publish: Publish, name: str) -> None:
    folder = publish(going_on(honest, results=8))
    edit, words = INVENTED[name]
    path = folder / "ladder.json"
    ladder = json.loads(path.read_text(encoding="utf-8"))
    edit(ladder)
    text = json.dumps(ladder, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    found = verify_folder(folder)
    assert found.verdict is Verdict.NOT_CLEAN
    assert any(words in finding.sentence for finding in found.findings), found.findings


def test_a_record_that_is_not_open_yet_is_no_part_of_it(honest: Organiser, publish: Publish) -> None:
    folder = publish(going_on(honest, results=7))
    early = [*honest.schedule][6]
    (folder / "records" / f"{early}.record").write_bytes(b"")
    [finding] = verify_folder(folder).findings
    assert finding.file == f"records/{early}.record"
