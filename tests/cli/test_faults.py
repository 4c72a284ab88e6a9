"""``ordago faults`` as it is typed, at a server with a ladder."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result
from support.accounts import TokenLobby
from support.commands import assert_told, ordago
from support.ladder_reader import FakeReader, open_ladder
from support.raw_client import in_thread

from ordago import v1
from ordago.store.errors import NotFoundError
from ordago_bot.asked import load_decisions

MATCH = "ab" * 16
REFUSED = v1.RefusedAnswer(
    answer=v1.Answer(legal_action=9),
    refused=v1.Refused(number=3, rule="answer", sentence="There is no legal action 9.", strikes=1),
)
FAULT = v1.BotFault(
    match_id=MATCH,
    game="mus",
    bot="so\x1b[31mta",
    version="2",
    ended=1_800_000_000,
    seat=1,
    decision=3,
    fault=v1.FAULT_TOO_LATE,
    sentence="No answer came in time.",
    refusals=[REFUSED],
    played=v1.Action(mus=v1.MusAction()),
    charged_ms=2000,
)
FORFEIT = v1.BotFault(match_id=MATCH, decision=3, fault=v1.FAULT_TOO_LATE, sentence="Too late.", forfeited=True)


async def asked(folder: Path, reader: FakeReader, *words: str) -> Result:
    lobby, file = TokenLobby(folder), folder / "my.token"
    file.write_text(lobby.token("ana"))
    file.chmod(0o600)
    async with open_ladder(reader, accounts=lobby.accounts) as (edge, _):
        more = ("--server", f"127.0.0.1:{edge.port}", "--token-file", str(file))
        return await in_thread(partial(ordago, "faults", *words, *more))


async def test_faults_are_listed_and_control_no_terminal(tmp_path: Path) -> None:
    answer = v1.ListFaultsResponse(faults=[FAULT, FORFEIT], next_page_token="00")  # noqa: S106 - of a page
    reader = FakeReader(list_faults=answer)
    shown = await asked(tmp_path, reader, "--bot", "sota", "--rows", "2")
    assert_told(shown, 0, MATCH, "\\x1b[31mta", "refused (answer): There is no legal action 9.", "too_late, 2000 ms")
    assert_told(shown, 0, "forfeited: Too late.", "more: --page 00")
    assert reader.asked == [v1.ListFaultsRequest(account="ana", bot="sota", page_size=2)]


async def test_the_list_as_json(tmp_path: Path) -> None:
    shown = await asked(tmp_path, FakeReader(list_faults=v1.ListFaultsResponse(faults=[FORFEIT])), "--json")
    assert json.loads(shown.output)["faults"][0]["forfeited"] is True


async def test_a_decision_is_a_file_for_tests(tmp_path: Path) -> None:
    given = v1.GetFaultResponse(
        fault=FAULT, start=v1.MatchStart(match_id=MATCH, game="mus"), decision=v1.Decision(number=3)
    )
    shown = await asked(tmp_path, FakeReader(get_fault=given), MATCH, "3")
    file = tmp_path / "decision.jsonl"
    file.write_text(shown.output)
    first, last = load_decisions(file)
    assert (first.answer, first.refused) == (REFUSED.answer, None)
    assert (last.refused, last.milliseconds) == (REFUSED.refused, 2000)
    assert last.answer is not None
    assert last.answer.action == FAULT.played


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([MATCH], 2, "MATCH needs the DECISION too"),
        ([MATCH, "0"], 2, "0 is not in the range"),
        ([MATCH, "x"], 2, "'x' is not a valid integer"),
        ([MATCH, "7"], 3, "There is no such fault."),
        (["--account", "ben"], 3, "its own account"),
    ],
)
async def test_mistakes_have_a_sentence(tmp_path: Path, words: list[str], code: int, said: str) -> None:
    shown = await asked(tmp_path, FakeReader(get_fault=NotFoundError("There is no such fault.")), *words)
    assert_told(shown, code, said)


async def test_no_faults_are_told_as_such(tmp_path: Path) -> None:
    assert_told(await asked(tmp_path, FakeReader(list_faults=v1.ListFaultsResponse())), 0, "nothing went wrong")
