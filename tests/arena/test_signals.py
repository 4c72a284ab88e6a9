"""Signals of partners in Mus: what opponents are sent, and when."""

import pytest
import trio
from support.connections import Answering, FakeConnection, Lobby
from support.matches import match_terms

from ordago import v1
from ordago.arena.play import play
from ordago.games import find_game

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]

MUS = find_game("mus")


def reply(decision: v1.Decision, *, signals: bool) -> v1.Choice:
    """Return a choice of the default answer, with a signal if one is wanted and may be made."""
    answer = v1.Answer()
    answer.CopyFrom(decision.default_answer)
    if signals and decision.extras:
        answer.action.mus.signal = decision.extras[0].action.mus.signal
    return v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer)


async def sent(*, made: bool, signals: str = "partner") -> list[list[tuple[float, bytes]]]:
    """Return what each seat is sent, and when, in a match whose first seat makes signals, or makes none."""
    lobby = Lobby()
    connections: list[FakeConnection] = []
    async with trio.open_nursery() as nursery:

        async def think(seat: int, decision: v1.Decision) -> None:
            # A time of its own for each decision, so that an order cannot hide a delay.
            await trio.sleep(0.1 + (decision.number * 7 + seat) % 13 / 100)
            connections[seat].say(reply(decision, signals=made and seat == 0))

        def answering(seat: int) -> Answering:
            return lambda decision: nursery.start_soon(think, seat, decision)

        connections += [lobby.enter(answering=answering(seat))[0] for seat in range(4)]
        begun = trio.current_time()
        terms = match_terms(MUS, options=MUS.rules.options({"target": 10, "signals": signals}))
        await play(terms, [bot.take_seat() for bot in lobby.bots])
    return [
        [
            (round(at - begun, 6), body.SerializeToString())
            for at, body in zip(connection.heard_at, connection.heard, strict=True)
            if not isinstance(body, v1.Welcome)
        ]
        for connection in connections
    ]


async def test_opponents_are_sent_the_same_at_the_same_times_whatever_a_partner_signals() -> None:
    without, signalled = await sent(made=False), await sent(made=True)
    assert (signalled[1], signalled[3]) == (without[1], without[3])
    assert signalled[2] != without[2], "its partner learns of them"


async def test_open_signals_reach_opponents() -> None:
    """The test above can fail."""
    assert (await sent(made=True, signals="open"))[1] != (await sent(made=False, signals="open"))[1]
