"""Turns: nobody waits behind the flood of another address."""

from collections import Counter

import pytest
import trio
import trio.testing
from support.site import Visitor

from ordago import v1
from ordago.arena.allowance import Allowance
from ordago.edge.services.client import CallError
from ordago_web.access.bounds import TooManyError
from ordago_web.access.turns import FOR_ALL, Turns
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import Pages
from ordago_web.running import turns_of
from ordago_web.settings import ServerPlace
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time


async def waited(turns: Turns, asker: str, order: list[str]) -> None:
    async with turns.turn(asker):
        order.append(asker)
        await trio.sleep(1)


async def test_addresses_have_turns_one_after_the_other_and_what_all_wait_for_is_first(nursery: trio.Nursery):
    turns, order = Turns(at_once=1), list[str]()
    for asker in ("flood",) * 10 + ("ana", "ben", "ana", FOR_ALL):
        nursery.start_soon(waited, turns, asker, order)
        await trio.testing.wait_all_tasks_blocked()
    await trio.sleep(20)
    assert order == ["flood", FOR_ALL, "flood", "ana", "ben", "flood", "ana", *["flood"] * 7]


async def test_who_has_gone_keeps_nobody_waiting(nursery: trio.Nursery):
    turns, order, gone = Turns(at_once=1), list[str](), trio.CancelScope()

    async def leave() -> None:
        with gone:
            await waited(turns, "gone", order)

    nursery.start_soon(waited, turns, "ana", order)
    await trio.testing.wait_all_tasks_blocked()
    nursery.start_soon(leave)
    await trio.testing.wait_all_tasks_blocked()
    nursery.start_soon(waited, turns, "ben", order)
    gone.cancel()
    await trio.sleep(3)
    assert order == ["ana", "ben"]
    gone = trio.CancelScope(deadline=trio.current_time() + 0.5)
    await leave()
    await waited(turns, "ana", order)
    assert order == ["ana", "ben", "gone", "ana"], "a turn that was had is given back"


async def test_one_address_has_so_many_waiting_and_no_more(nursery: trio.Nursery):
    turns = Turns(at_once=1)
    for _ in range(65):
        nursery.start_soon(waited, turns, "flood", [])
    await trio.testing.wait_all_tasks_blocked()
    with pytest.raises(TooManyError, match="from your address"):
        await waited(turns, "flood", [])
    with trio.fail_after(4):
        await waited(turns, "ana", [])
    nursery.cancel_scope.cancel()


class Bounded:
    """A server that answers as many calls of one address as the real one does, which the whole site is to it."""

    def __init__(self, clock: trio.abc.Clock) -> None:
        self._clock = clock
        self._allowance = Allowance(per_second=20.0, at_once=100.0)
        self.calls = Counter[str]()
        self.refused = 0

    def ask(self, request: object, _answer: object) -> object:
        self.calls[type(request).__name__] += 1
        if self._allowance.take(at=self._clock.current_time()):
            self.refused += 1
            raise CallError("RESOURCE_EXHAUSTED", "too many calls from your address")
        if isinstance(request, v1.ListMatchesRequest):
            return v1.ListMatchesResponse()
        return v1.GetLadderResponse(name="spring")


@pytest.mark.slow
async def test_while_one_visitor_floods_others_are_answered(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch):
    clock = trio.lowlevel.current_clock()
    server = Bounded(clock)
    turns = turns_of(ServerPlace(address="127.0.0.1:7447"))
    ladder = LadderSource(server, turns=turns)
    # The clock of the test stands still only while threads of this limiter work, and no call here waits for time.
    monkeypatch.setattr(ladder, "_limiter", trio.to_thread.current_default_thread_limiter())
    pages = site(AppContext(pages=Pages(), turns=turns, ladder=ladder))
    flooded = Counter[int]()

    async def flood(number: int) -> None:
        visitor = Visitor(pages, client="192.0.2.66")
        while True:
            flooded[(await visitor.get(f"/matches?bot=nobody-{number}-{flooded.total()}")).status] += 1
            await trio.sleep(0.5)

    for number in range(80):
        nursery.start_soon(flood, number)
    await trio.sleep(8)
    took = []
    for number in range(6):
        began = trio.current_time()
        answer = await Visitor(pages, client=f"192.0.2.{1 + number % 3}").get(f"/matches?bot=somebody-{number}")
        took.append(trio.current_time() - began)
        assert answer.status == 200
    assert max(took) < 2
    assert not server.refused
    assert flooded[429]
    assert flooded[200] > 40, "who floods is answered, too, as far as there is room"
    nursery.cancel_scope.cancel()
