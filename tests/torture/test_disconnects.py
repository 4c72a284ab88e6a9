"""Connections that break in mid-decision, again and again: nothing is lost, and nothing is asked twice as another."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

import trio
from support.figures import Note, Size
from support.proxy import Proxy, proxy_to

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LaunchTokens
from ordago.arena.server import Server
from ordago.arena.tables.tables import CasualTables, TableTerms
from ordago.edge import Edge
from ordago.games import find_game
from ordago.match import TimeTerms
from ordago.record import FinishedRecord, faults_of, verify
from ordago_bot import Bot, Choosable, Match
from ordago_bot.player import Player
from ordago_bot.transport import Stop, play

_BOTS = 12
_THINKS_SECONDS = 0.03
_TIME = TimeTerms(decision_ms=60_000, disconnect_bank_ms=3_600_000)
_SEED = 20


class Ledger:
    """What all bots were asked."""

    def __init__(self) -> None:
        self.asked: dict[tuple[str, int], dict[int, bytes]] = {}
        """By match and seat: the view of each decision, by its number."""
        self.contradictions = 0
        """How often a number named two decisions."""

    def note(self, match: Match, decision: v1.Decision) -> None:
        """Note a decision that a bot was asked."""
        numbers = self.asked.setdefault((match.match_id, match.seat), {})
        view = decision.view.SerializeToString(deterministic=True)
        self.contradictions += numbers.setdefault(decision.number, view) != view


def bot_of(ledger: Ledger, stop: threading.Event) -> type[Bot]:
    class SlowBot(Bot):
        """Thinks long enough for its connection to break meanwhile."""

        def choose(self, decision: v1.Decision) -> Choosable:
            ledger.note(self.match, decision)
            stop.wait(_THINKS_SECONDS)
            return self.random.choice(decision.actions)

    return SlowBot


@contextmanager
def bots_at(port: int, ledger: Ledger, tokens: Sequence[str]) -> Iterator[None]:
    """Let bots connect, in threads, each by a token, and leave at the end."""
    stop = Stop(threading.Event(), threading.Event())
    bot = bot_of(ledger, stop.leave)
    threads = [
        threading.Thread(
            target=play,
            args=(Player(bot, name="bot", max_matches=1),),
            kwargs={"address": f"127.0.0.1:{port}", "token": token, "stop": stop},
        )
        for token in tokens
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.leave.set()
        for thread in threads:
            thread.join()


async def break_connections(proxy: Proxy, *, times: int, rng: Random) -> None:
    """Break one connection after the other, each at some moment."""
    broken = 0
    while broken < times:
        await trio.sleep(rng.uniform(0, 0.04))
        broken += proxy.break_one(rng)


def test_nothing_is_lost_when_connections_break(size: Size, note: Note) -> None:
    times = size(25, 1_000)
    records: list[v1.MatchRecord] = []
    ledger = Ledger()

    async def keep(record: FinishedRecord) -> None:
        await trio.lowlevel.checkpoint()
        records.append(record.message)

    async def main() -> None:
        tables = CasualTables([TableTerms(find_game("mittlere"), 3, {"deals": 3}, _TIME)], keep=keep)
        authenticator = LaunchTokens()
        server = Server(authenticator=authenticator, games=["mittlere"])
        tokens = [authenticator.expect(Admission(tables.arrived, name=f"bot {number}")) for number in range(_BOTS)]
        async with (
            Edge.open("127.0.0.1:0", server) as edge,
            proxy_to(edge.port) as proxy,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(tables.run)
            with bots_at(proxy.port, ledger, tokens):
                await break_connections(proxy, times=times, rng=Random(_SEED))
                tables.close()
                while tables.running:  # noqa: ASYNC110 - what bots in other threads do cannot set an event
                    await trio.sleep(0.05)

    trio.run(main)
    choices = {
        (record.match_id, seat): sum(entry.choice.seat == seat for entry in record.entries if entry.HasField("choice"))
        for record in records
        for seat in range(3)
    }
    asked = {key: len(numbers) for key, numbers in ledger.asked.items()}
    lost = sum(abs(number - asked.get(key, 0)) for key, number in choices.items())
    faults = sum(len(seat) for record in records for seat in faults_of(record))
    note("connections broken in mid-match", times)
    note("matches", len(records))
    note("decisions", sum(choices.values()))
    note("decisions lost", lost, bound="0")
    note("numbers that named two decisions", ledger.contradictions, bound="0")
    note("decisions taken for a bot", faults, bound="0")
    assert records
    assert lost == ledger.contradictions == faults == 0
    for record in records:
        assert not verify(record)
    for numbers in ledger.asked.values():
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
