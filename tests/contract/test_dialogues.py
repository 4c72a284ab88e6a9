"""What stands in the dialogues of the pages is what a server says, and an edit that is wrong is found."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from contract.dialogues import Dialogue, DialogueError, dialogues_of, play_dialogue, read_dialogue

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / name for name in ("protocol.md", "dialogues.md", "conceding.md")]
DIALOGUES = [dialogue for page in PAGES for dialogue in dialogues_of(page)]
EXAMPLE = """\
a table of mittlere for ana, ben, cleo with deals 3, decision_ms 1000
ana → hello {min_version: 1, max_version: 1, bot {name: "ana"}, nonce: "0123456789abcdef"}
ana ← welcome {version: 1, server {name: "ordago", …}, session_id: $session, …}
ana ← …
ana ← decision {number: 1, seat: 0, …}
250 ms pass  # as they do
ana → choice {match_handle: 1, number: 1, answer {legal_action: 1}}
ana ← accepted {match_handle: 1,
                number: 1, charged_ms: 250}  # no more
ana ← decision {number: 2, clock {decision_ms: 1000}, …}
"""

pytestmark = pytest.mark.virtual_time


async def played(text: str, folder: Path) -> str:
    """Return what is wrong with a dialogue that begins at line 10 of a page."""
    try:
        await play_dialogue(read_dialogue("page.md", text, 10), folder)
    except DialogueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: f"{dialogue.page}_{dialogue.line}")
async def test_a_server_says_what_stands_in_the_text(dialogue: Dialogue, tmp_path: Path) -> None:
    await play_dialogue(dialogue, tmp_path)


def test_there_are_dialogues() -> None:
    """No block is passed over for a mistake in how it begins."""
    assert len(DIALOGUES) == sum(page.read_text(encoding="utf-8").count("```dialogue") for page in PAGES) > 15


def damaged() -> Iterator[Dialogue]:
    """Yield each dialogue of the page without one of the messages that a bot is told, where none may be skipped."""
    for dialogue in DIALOGUES:
        said = dialogue.statements
        for number, statement in enumerate(said):
            beside = [one.text for one in said[max(0, number - 1) : number + 2]]
            skips = any(text.endswith("← …") or "each time" in text for text in beside)
            if statement.verb == "hears" and not skips and "← status" not in statement.text:
                yield dialogue._replace(statements=said[:number] + said[number + 1 :])


@pytest.mark.slow
async def test_no_message_can_be_left_out_of_any_dialogue(tmp_path: Path) -> None:
    tried = 0
    for tried, dialogue in enumerate(damaged(), start=1):
        folder = tmp_path / str(tried)
        folder.mkdir()
        with pytest.raises(DialogueError):
            await play_dialogue(dialogue, folder)
    assert tried > 40


async def test_the_example_is_right(tmp_path: Path) -> None:
    assert await played(EXAMPLE, tmp_path) == ""


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            ("charged_ms: 250", "charged_ms: 251"),
            "page.md, line 17: accepted.charged_ms is 250, where the text has 251",
        ),
        ((", charged_ms: 250", ""), "page.md, line 17: accepted.charged_ms is 250, which the text leaves out"),
        (("charged_ms: 250", "bank_ms: 250"), "page.md, line 17: accepted.bank_ms is 0, where the text has 250"),
        (("charged_ms: 250", "charged: 250"), "line 17: accepted has no field 'charged', but match_handle, number"),
        (("charged_ms: 250", "answer {…}"), "page.md, line 17: accepted.answer is not set"),
        (("charged_ms: 250", "sentence: …"), "page.md, line 17: accepted.sentence is empty"),
        (("charged_ms: 250", "fault: FAULT_LATE"), "page.md, line 17: accepted.fault cannot be FAULT_LATE"),
        (("ana ← accepted", "ana ← refused"), "line 17: the server says accepted { match_handle: 1 number: 1"),
        (("ana ← accepted", "ana ← assent"), "line 17: the server has no message 'assent', but welcome"),
        (("250 ms", "249 ms"), "page.md, line 17: accepted.charged_ms is 249, where the text has 250"),
        (("250 ms pass", "250 ms go by"), "page.md, line 15: this is no line of a dialogue: 250 ms go by"),
        (("legal_action: 1", "legal_action: $no"), "page.md, line 16: nothing called $no came before"),
        (("legal_action: 1", "legal: 1"), 'line 16: 1:45 : Message type "ordago.v1.Answer" has no field named "legal"'),
        (("number: 2, clock", "number: [2], clock"), "page.md, line 19: decision.number is no list"),
        (
            ("clock {decision_ms: 1000}", "clock 3"),
            "page.md, line 19: decision.clock is a message, where the text has 3",
        ),
        (("clock {decision_ms: 1000}", "clock {"), "page.md, line 19: the message is not complete"),
        (("clock {decision_ms: 1000}", "clock !"), "page.md, line 19: this cannot be read: '!"),
        (("$session", "1"), "where the text has 1"),
        (("ana ← …\n", ""), "page.md, line 13: the server says match_start"),
        (("a table of", "table of"), "page.md, line 10: a dialogue begins with a table, for instance: a table of mus"),
        (("of mittlere", "of chess"), "page.md, line 10: there is no game 'chess'"),
        (("deals 3", "rounds 3"), "page.md, line 10: "),
        (("ana ← decision {number: 2, clock {decision_ms: 1000}, …}\n", ""), "at the end of the dialogue of line 10"),
        (("ana ← decision {number: 2, clock", "ana ← status OK\nana ← decision {clock"), "the stream has not ended"),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
async def test_a_wrong_edit_is_found_and_told(wrong: tuple[str, str], told: str, tmp_path: Path) -> None:
    assert EXAMPLE.count(wrong[0]) == 1
    assert told in await played(EXAMPLE.replace(*wrong), tmp_path)


async def test_of_a_list_all_has_to_be_there_unless_the_text_says_that_there_is_more(tmp_path: Path) -> None:
    def with_players(players: str) -> str:
        return re.sub("ana ← …", f"ana ← match_start {{players [{players}], …}}", EXAMPLE)

    assert await played(with_players('{name: "ana", …}, {name: "ben", …}, {side: 2, …}'), tmp_path) == ""
    assert await played(with_players('{name: "ana", …}, …'), tmp_path) == ""
    assert "players has 3 entries, where the text has 1" in await played(with_players('{name: "ana", …}'), tmp_path)
    assert 'players[0].name is "ana", where the text has "eve"' in await played(
        with_players('{name: "eve", …}, …'), tmp_path
    )


async def test_what_a_name_stands_for_is_the_same_wherever_it_comes_again(tmp_path: Path) -> None:
    wrong = EXAMPLE.replace('name: "ordago"', "name: $session")
    assert "page.md, line 12: welcome.session_id is" in await played(wrong, tmp_path)
    assert "where $session was 'ordago' before" in await played(wrong, tmp_path)
