"""Tables at which several people play, who find each other by a link."""

import json

import pytest
import trio
from support.people import ORIGIN, Person, wish
from support.play_site import context_of, opened_play
from support.site import Visitor

from ordago.record.verify import verify
from ordago_web.play.human_match import Person as Sitting
from ordago_web.play.sessions import FullError
from ordago_web.play.waiting_table import Guest
from ordago_web.play.wishes import FRIEND, WishError, played_games
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time
HOST, FRIENDS = "the host", ("first friend", "second friend", "third friend", "fourth friend")
TABLES = [(game.name, seats) for game in played_games() for seats in game.rules.seat_counts]


def guest(owner, *, origin=ORIGIN):
    return Guest(Sitting(owner, origin), str)


def waiting(sessions, game="mittlere", *, friends=1, **fields):
    places = {f"opponent-{number}": FRIEND for number in range(1, friends + 1)}
    return sessions.wait_for_friends(wish(game, name="Host", **places, **fields), guest(HOST))


def people_of(sessions, table):
    """Return the people at a table whose match has begun, by the names of their sessions."""
    found = {owner: sessions.find(table.match_id, owner=owner) for owner in (HOST, *FRIENDS)}
    return {owner: human for owner, human in found.items() if human is not None}


def begun(sessions, game="mittlere", *, friends=1, **fields):
    table = waiting(sessions, game, friends=friends, **fields)
    for number, owner in enumerate(FRIENDS[:friends]):
        table.sit(guest(owner), f"Friend {number}")
    sessions.begin_waiting(table)
    return people_of(sessions, table)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
async def test_friends_play_a_match_to_its_end_and_all_are_told_the_same_result(game, seats):
    async with opened_play() as sessions:
        people = begun(sessions, game, players=str(seats), friends=seats - 1)
        ends = {}

        async def play(owner, human):
            ends[owner] = await Person(human, seed=len(owner)).play()

        async with trio.open_nursery() as nursery:
            for owner, human in people.items():
                nursery.start_soon(play, owner, human)
        assert len(people) == seats
        assert len({json.dumps(end["scores"]) for end in ends.values()}) == 1
        record = people[HOST].record
        assert verify(record) == []
        assert sorted(seat.name for seat in record.seats) == sorted(
            ["Host", *(f"Friend {n}" for n in range(seats - 1))]
        )


async def test_each_sees_the_table_from_its_own_seat_and_answers_for_it_alone():
    async with opened_play() as sessions:
        host, friend = begun(sessions).values()
        assert host.wish.seat != friend.wish.seat
        await trio.sleep(1)
        decisions = [
            message.data for human in (host, friend) for message in human.since(None) if message.event == "decision"
        ]
        assert len(decisions) == 1, "one of them is to play"


async def test_for_one_who_leaves_the_house_plays_on_and_the_others_are_told():
    async with opened_play() as sessions:
        host, friend = begun(sessions).values()
        friend.give_up()
        assert not friend.is_played
        person = Person(host)
        end = await person.play()
        assert "scores" in end
        assert json.dumps(person.told).count("Friend 0 left the table. The house plays on.") == 1
        assert friend.record == host.record, "who sat there may look at it"


async def test_the_house_plays_on_for_one_who_sleeps():
    async with opened_play(among_people_seconds=300) as sessions:
        host, friend = begun(sessions).values()
        assert "scores" in await Person(host).play()
        [message] = [message for message in friend.since(None) if message.event == "end"]
        assert "You did not answer for too long." in json.loads(message.data)["sentence"]


async def test_when_all_have_left_the_match_is_over_and_its_place_free():
    async with opened_play(matches=1) as sessions:
        for human in begun(sessions).values():
            human.give_up()
        await trio.sleep(1)
        assert all(human.record is None for human in begun(sessions).values()), "another one can begin"


@pytest.mark.parametrize(
    ("owner", "name", "reason"),
    [
        (HOST, "Anna", "You already sit"),
        (FRIENDS[0], "Host", "looks like another"),
        (FRIENDS[0], "H0st", "looks like another"),
        (FRIENDS[0], "\u202eAnna", "A name has"),
        (FRIENDS[0], "x" * 65, "A name has"),
    ],
)
async def test_each_sits_once_with_a_name_that_can_be_told_from_the_others(owner, name, reason):
    async with opened_play() as sessions:
        table = waiting(sessions)
        with pytest.raises(WishError, match=reason):
            table.sit(guest(owner), name)
        table.sit(guest(FRIENDS[0]), "Zoe")
        with pytest.raises(WishError, match="All seats are taken"):
            table.sit(guest(FRIENDS[1]), "Dora")


async def test_the_host_may_begin_before_all_have_come_and_play_again_with_them():
    async with opened_play() as sessions:
        table = waiting(sessions, friends=2)
        table.sit(guest(FRIENDS[0]), "Anna")
        sessions.begin_waiting(table)
        sessions.begin_waiting(table)
        people = people_of(sessions, table)
        assert list(people) == [HOST, FRIENDS[0]]
        again = people[HOST].wish.again
        assert len(again.free) == 1
        assert "Anna" not in again.names
        assert again.names[again.seat] == "Host"


async def test_tables_that_wait_are_bounded_and_closed_after_a_while():
    async with opened_play(waiting=3, waiting_of_origin=2, waiting_seconds=1800) as sessions:
        for _ in range(2):
            waiting(sessions)
        with pytest.raises(FullError):
            waiting(sessions)
        elsewhere = wish("mus", **{"opponent-1": FRIEND})
        table = sessions.wait_for_friends(elsewhere, guest(HOST, origin="192.0.2.7"))
        with pytest.raises(FullError):
            sessions.wait_for_friends(elsewhere, guest(HOST, origin="192.0.2.8"))
        await trio.sleep(1900)
        assert sessions.waiting(table.token) is None


async def test_who_signs_in_keeps_the_seat():
    async with opened_play() as sessions:
        table = waiting(sessions)
        sessions.hand_over(HOST, "the host, signed in")
        assert table.seat_of("the host, signed in") == table.wish.seat
        assert table.seat_of(HOST) is None


class Browser(Visitor):
    """A browser whose visitor plays with friends."""

    async def csrf(self, place):
        return (await self.get(place)).text.partition('name="csrf" value="')[2].partition('"')[0]

    async def does(self, place, **fields):
        return await self.post(place, {"csrf": await self.csrf(place), **fields})


FORM = {"game": "mittlere", "length": "short", "seat": "1", "opponent-1": FRIEND, "opponent-2": "chance"}


async def test_by_the_link_a_friend_comes_to_the_same_match_and_a_stranger_to_nothing():
    async with opened_play() as sessions:
        application = site(context_of(sessions))
        host, friend, stranger = (Browser(application) for _ in range(3))
        opening = await host.post("/play", {"csrf": await host.csrf("/play"), **FORM, "name": "Ana"})
        place = opening.headers["location"]
        assert place.startswith("/play/tables/")
        assert f"http://127.0.0.1:8080{place}" in (await host.get(place)).text
        assert (await stranger.get(place[:-1] + "-")).status == 404
        sitting = await friend.does(place, do="sit", name="<b>Ben</b>")
        assert sitting.status == 422
        assert "&lt;b&gt;" in sitting.text
        assert (await friend.does(place, do="sit", name="Ben")).status == 303
        matches = [(await browser.get(place)).headers["location"] for browser in (host, friend)]
        assert matches[0] == matches[1]
        for browser in (host, friend):
            assert (await browser.get(matches[0])).status == 200
        assert (await stranger.get(matches[0])).status == 404
        closed = await stranger.get(place)
        assert closed.status == 404
        assert "Ana" not in closed.text


@pytest.mark.parametrize("act", ["begin", "close", "", "sit\0"])
async def test_nobody_but_the_host_begins_or_closes_it_and_no_form_of_another_site(act):
    async with opened_play() as sessions:
        application = site(context_of(sessions))
        host, friend = Browser(application), Browser(application)
        opening = await host.post("/play", {"csrf": await host.csrf("/play"), **FORM, "opponent-2": FRIEND})
        place = opening.headers["location"]
        await friend.does(place, do="sit", name="Ben")
        await friend.does(place, do=act)
        for forged in ("", "0" * 64):
            assert (await host.post(place, {"csrf": forged, "do": "close"})).status == 422
        table = sessions.waiting(place.rpartition("/")[2])
        assert table is not None
        assert not table.match_id
        assert (await host.does(place, do="close")).headers["location"] == "/play?game=mittlere"
        assert (await friend.get(place)).status == 404
