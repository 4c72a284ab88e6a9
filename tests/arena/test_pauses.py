"""Bots that spoil matches are seated again after a while, each time a longer one."""

import pytest
import trio
from support.connections import FakeConnection, default
from support.figures import Note
from support.frames import hello
from support.halls import Hall

from ordago import v1
from ordago.arena.bot import Identity
from ordago.arena.tables.pauses import FIRST_PAUSE_SECONDS, Pauses

pytestmark = pytest.mark.virtual_time
_HOUR = 3600
_QUARTER = 900


def identity(name: str, owner: str = "here") -> Identity:
    return Identity(name, "", "", b"", frozenset(), 1, 1, owner=owner)


def after(pauses: Pauses, name: str, forfeits: int) -> list[float]:
    """Return the pauses after so many forfeits, each match begun when the pause before was over."""
    now, found = 0.0, []
    for _ in range(forfeits):
        found.append(pauses.forfeited(identity(name), match_begun=now, at=now))
        now += found[-1]
    return found


def test_pauses_grow_to_a_bound() -> None:
    assert after(Pauses(), "bad", 9) == [10, 20, 40, 80, 160, 320, 600, 600, 600]
    assert after(Pauses(first_seconds=0), "bad", 3) == [0, 0, 0]


def test_matches_that_ran_when_a_pause_began_do_not_make_it_longer() -> None:
    pauses = Pauses()
    assert [pauses.forfeited(identity("bad"), match_begun=0, at=5) for _ in range(16)] == [10] * 16


def test_another_name_does_not_shorten_a_pause_but_another_owner_is_not_held_up() -> None:
    pauses = Pauses()
    after(pauses, "bad", 3)
    assert pauses.left(identity("other"), at=30) == 40
    assert pauses.left(identity("other", owner="there"), at=30) == 0


def test_who_has_played_well_does_not_pause_for_others_of_his_owner() -> None:
    pauses = Pauses()
    pauses.played_well(identity("good"), at=0)
    after(pauses, "bad", 3)
    assert pauses.left(identity("good"), at=30) == 0
    assert pauses.forfeited(identity("good"), match_begun=30, at=30) == FIRST_PAUSE_SECONDS
    assert pauses.left(identity("bad"), at=30) > FIRST_PAUSE_SECONDS


def test_one_match_well_played_does_not_clear_a_name_for_the_next_name() -> None:
    """Whoever plays each name well once, and forfeits with it then, pauses with the next name all the same."""
    pauses = Pauses()
    pauses.played_well(identity("first"), at=0)
    assert pauses.forfeited(identity("first"), match_begun=1, at=2) == 10
    assert pauses.left(identity("second"), at=2) == 10


def test_matches_played_well_make_up_for_forfeits_and_time_does_too() -> None:
    pauses = Pauses()
    after(pauses, "bad", 3)
    for _ in range(3):
        pauses.played_well(identity("bad"), at=100)
    assert pauses.forfeited(identity("bad"), match_begun=101, at=101) == FIRST_PAUSE_SECONDS
    pauses = Pauses()
    after(pauses, "bad", 6)
    assert pauses.forfeited(identity("bad"), match_begun=2 * _HOUR, at=2 * _HOUR) == FIRST_PAUSE_SECONDS


async def spoiled(opened: Hall, *, seconds: float) -> int:
    """Let a bot that never answers come again under new names, and return how many matches it spoils for two others."""
    opened.enter_all("ana", "ben", answering=default)
    with trio.move_on_after(seconds):
        async with opened.open():
            for number in range(10**6):
                bad = FakeConnection(opened.server, origin="198.51.100.1")
                bad.say(hello(bot=v1.Software(name=f"bad {number}"), max_matches=1, nonce=number.to_bytes(16)))
                while not bad.of(v1.Forfeited):  # noqa: ASYNC110 - a connection in memory sets no event
                    await trio.sleep(0.5)
                bad.say(v1.Goodbye())
                bad.vanish()
    return sum(any(entry.HasField("forfeit") for entry in record.entries) for record in opened.records)


@pytest.mark.slow
async def test_a_bot_that_never_answers_spoils_few_matches_however_often_it_comes(note: Note) -> None:
    before = await spoiled(Hall(pause_seconds=0), seconds=_QUARTER / 5)
    after_all = await spoiled(Hall(), seconds=_QUARTER)
    note("matches spoiled in three minutes without pauses", before)
    note("matches spoiled in a quarter of an hour with pauses", after_all, bound="7")
    assert before > 10
    assert 5 <= after_all <= 7


async def test_the_bot_is_told_how_long_it_pauses_and_so_is_the_log(caplog: pytest.LogCaptureFixture) -> None:
    opened = Hall()
    async with opened.open():
        bots = opened.enter_all("ana", "ben", "cleo")
        await trio.sleep(100)
        said = {bot.of(v1.Forfeited)[0].sentence.split("; ")[-1] for bot in bots}
    assert "the bot is seated again in 10 s" in said
    paused = [record.__dict__ for record in caplog.records if record.message == "bot paused"]
    assert 10 in {line["seconds"] for line in paused}
    assert {line["bot"] for line in paused} == {"ana", "ben", "cleo"}
