"""The calls about challenges, by holders of tokens of all kinds."""

from functools import partial
from pathlib import Path
from typing import Final

import pytest
from google.protobuf.message import Message
from support.accounts import TokenLobby
from support.ladder_reader import FakeReader, open_ladder
from support.raw_client import in_thread

from ordago import v1
from ordago.edge.services import own_calls
from ordago.edge.services.client import CallError, LadderClient
from ordago.store.accounts.rows import Scope
from ordago_ladder.standing.seating import Kind
from ordago_ladder.standing.tables.challenges import Challenges

CHALLENGE: Final = v1.ChallengeBotRequest(bot="sota", chosen="solid", game="mitaines")
LIST, WITHDRAW = v1.ListChallengesRequest(), v1.WithdrawChallengeRequest()
ANSWERS: Final = {
    v1.ChallengeBotRequest: v1.ChallengeBotResponse,
    v1.ListChallengesRequest: v1.ListChallengesResponse,
    v1.WithdrawChallengeRequest: v1.WithdrawChallengeResponse,
}


@pytest.fixture
def lobby(tmp_path: Path) -> TokenLobby:
    return TokenLobby(tmp_path)


def _called(port: int, request: Message, token: str) -> Message | str:
    with LadderClient.opened(f"127.0.0.1:{port}", token=token) as client:
        try:
            return client.ask(request, ANSWERS[type(request)])  # type: ignore[index]  # the three of them
        except CallError as error:
            return error.status


async def called(lobby: TokenLobby | None, token: str, *requests: Message) -> list[Message | str]:
    challenges = Challenges([Kind("mitaines", (0, 1))], houses=["solid"], a_day=24, begun=lambda _account, _since: 0)
    accounts = challenges.accounts = None if lobby is None else lobby.accounts
    async with open_ladder(FakeReader(), accounts=accounts, challenger=challenges) as (edge, _):
        return [await in_thread(partial(_called, edge.port, request, token)) for request in requests]


async def test_an_author_challenges_lists_and_withdraws(lobby: TokenLobby) -> None:
    token = lobby.token("ana", bot="sota")
    made, listed, withdrawn, again = await called(lobby, token, CHALLENGE, LIST, WITHDRAW, WITHDRAW)
    assert isinstance(made, v1.ChallengeBotResponse)
    assert isinstance(withdrawn, v1.WithdrawChallengeResponse)
    assert listed == v1.ListChallengesResponse(challenges=[made.challenge])
    assert (made.challenge.matches, made.challenge.stage) == (2, v1.CHALLENGE_STAGE_WAITING)
    assert withdrawn.challenge.stage == v1.CHALLENGE_STAGE_OVER
    assert again == "NOT_FOUND"


async def test_a_token_of_one_bot_challenges_by_that_bot_alone(lobby: TokenLobby) -> None:
    lobby.token("ana", bot="sota")
    assert await called(lobby, lobby.token("ana", bot="as"), CHALLENGE) == ["PERMISSION_DENIED"]


async def test_nobody_challenges_without_a_token_for_playing(lobby: TokenLobby) -> None:
    lobby.token("ana", bot="sota")
    every = [CHALLENGE, LIST, WITHDRAW]
    assert await called(lobby, "", *every) == ["UNAUTHENTICATED"] * 3
    assert await called(lobby, "ordago_wrong", *every) == ["UNAUTHENTICATED"] * 3
    assert await called(lobby, lobby.token("ana", scope=Scope.OBSERVE), *every) == ["PERMISSION_DENIED"] * 3
    assert await called(None, "ordago_any", *every) == ["FAILED_PRECONDITION"] * 3


async def test_a_flood_is_slowed_down(lobby: TokenLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_calls, "_PER_SECOND", 1e-6)
    answers = await called(lobby, lobby.token("ana"), *[LIST] * 22)
    assert answers == [v1.ListChallengesResponse()] * 20 + ["RESOURCE_EXHAUSTED"] * 2
