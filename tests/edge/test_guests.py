"""Guests beside the bots that are started here: what lets somebody in at one door is worth nothing at the other."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest
import trio
from support.frames import from_bot, hello
from support.raw_client import RawClient, in_thread

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LaunchTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.bot import Bot
from ordago.arena.processes.supervisor import Host
from ordago.edge import EdgeError, Guests, OwnPort, open_host

PATIENCE_SECONDS = 30.0


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


class Doors:
    """A host with a port for those who are started here, and one for guests, each with a token that is good there."""

    def __init__(self, guests: LaunchTokens) -> None:
        self.tokens = guests
        self.came: list[Bot] = []

    @asynccontextmanager
    async def opened(self, address: str = "127.0.0.1:0") -> AsyncIterator[Host]:
        async def watch(_changed: object) -> None:
            await trio.sleep_forever()

        guests = Guests(self.tokens, OwnPort(address=address, watch=watch, bounds=ConnectionBounds()))
        with trio.fail_after(PATIENCE_SECONDS):
            async with open_host(["mittlere"], guests=guests) as host:
                yield host


async def heard(port: int, token: str) -> tuple[list[object], grpc.StatusCode | None]:
    """Return what somebody hears who says hello with a token, and how his call ended, if it did."""
    client = RawClient(port, token=token)
    client.say(from_bot(hello()))
    said = await in_thread(client.hear_if_any)
    return said, None if said else await in_thread(client.call.code)


async def test_each_door_lets_in_its_own_and_nobody_elses() -> None:
    doors = Doors(LaunchTokens())
    async with doors.opened() as host:
        started = host.tokens.expect(Admission(doors.came.append))
        remote = doors.tokens.expect(Admission(doors.came.append))
        inside, outside = port_of(host.address), port_of(host.guests_at)
        assert await heard(outside, started) == ([], grpc.StatusCode.UNAUTHENTICATED)
        assert await heard(inside, remote) == ([], grpc.StatusCode.UNAUTHENTICATED)
        assert isinstance((await heard(inside, started))[0][0], v1.Welcome)
        assert isinstance((await heard(outside, remote))[0][0], v1.Welcome)
        assert len(doors.came) == 2


async def test_a_session_of_one_door_cannot_be_taken_up_at_the_other() -> None:
    doors = Doors(LaunchTokens())
    async with doors.opened() as host:
        client = RawClient(port_of(host.guests_at), token=doors.tokens.expect(Admission(doors.came.append)))
        client.say(from_bot(hello()))
        [welcome] = await in_thread(client.hear)
        resume = v1.Resume(session_id=welcome.session_id, resume_token=welcome.resume_token)
        thief = RawClient(port_of(host.address), token=host.tokens.expect(Admission(doors.came.append)))
        thief.say(from_bot(hello(resume=resume)))
        assert await in_thread(thief.hear_if_any) == []
        assert await in_thread(thief.call.code) is grpc.StatusCode.UNAUTHENTICATED


async def test_who_was_a_guest_is_told_to_come_back_when_it_stops() -> None:
    doors = Doors(LaunchTokens())
    async with doors.opened() as host:
        client = RawClient(port_of(host.guests_at), token=doors.tokens.expect(Admission(doors.came.append)))
        client.say(from_bot(hello()))
        await in_thread(client.hear)
    assert await in_thread(client.call.code) is grpc.StatusCode.UNAVAILABLE
    assert "reconnect" in client.call.details()


async def test_an_address_that_guests_cannot_use_is_told_and_ends_nothing_else() -> None:
    errors: list[Exception] = []
    async with Doors(LaunchTokens()).opened() as host:
        try:
            async with Doors(LaunchTokens()).opened(host.guests_at):
                pytest.fail("it listens")
        except* EdgeError as group:
            errors += group.exceptions
        assert (await heard(port_of(host.guests_at), "guessed"))[1] is grpc.StatusCode.UNAUTHENTICATED
    assert len(errors) == 1
