"""What the site says to browsers that play, and to whoever only says that it is one."""

import json
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
from support.people import ThinkingHere
from support.play_site import context_of
from support.site import Visitor

from ordago.record import from_file_bytes
from ordago.record.verify import verify
from ordago_web.analysis.analyst import Analyst
from ordago_web.play.sessions import PlayBounds, PlaySessions
from ordago_web.running import opened_context
from ordago_web.serving.listener import Place
from ordago_web.settings import SiteSettings
from ordago_web.site import site

FORM = {"game": "mittlere", "length": "short", "seat": "1", "opponent-1": "chance", "opponent-2": "chance"}
JSON = {"content-type": "application/json", "accept": "*/*"}


@asynccontextmanager
async def opened(*, analyst=None, **bounds):
    async with trio.open_nursery() as nursery:
        sessions = PlaySessions(ThinkingHere(), bounds=PlayBounds(**bounds))
        await nursery.start(sessions.run)
        yield site(replace(context_of(sessions), analyst=analyst))
        nursery.cancel_scope.cancel()


class Guest(Visitor):
    """A browser at which somebody plays."""

    place = ""
    csrf = ""

    async def sit(self, **fields):
        page = await self.get("/play?game=mittlere")
        self.csrf = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        answer = await self.post("/play", {"csrf": self.csrf, **FORM, **fields})
        self.place = answer.headers.get("location", "")
        return answer

    async def told(self, **headers):
        """Return what is told up to a decision, or to the end."""
        told = ""
        async with self.opened("GET", f"{self.place}/events", headers=headers) as (head, parts):
            assert head.headers["content-type"] == "text/event-stream; charset=utf-8"
            async for part in parts:
                told += part.decode()
                if "event: decision" in told or "event: end" in told:
                    break
        return [dict(line.split(": ", 1) for line in each.splitlines()) for each in told.strip().split("\n\n")]

    async def decision(self):
        return json.loads((await self.told())[-1]["data"])

    async def answer(self, body, **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.ask(
            "POST", f"{self.place}/answers", body=body, headers={**JSON, "x-csrf-token": self.csrf, **headers}
        )

    async def play_on(self):
        while (told := await self.told())[-1]["event"] == "decision":
            decision = json.loads(told[-1]["data"])
            answer = {"decision": decision["number"], "action": decision["default"]["action"]}
            assert (await self.answer(answer)).status == 204


@pytest.mark.slow
async def test_a_match_is_analysed_at_its_end_for_the_browser_that_played_it_and_for_no_other(tmp_path):
    async with opened(analyst=Analyst(tmp_path)) as application:
        guest = Guest(application)
        await guest.sit()
        analysis = f"{guest.place}/analysis"
        assert (await guest.post(analysis, {})).status == 404, "while it goes on, its cards are hidden"
        await guest.play_on()
        assert f'data-analysis="{analysis}"' in (await guest.get(f"{guest.place}/replay")).text
        assert (await guest.get(analysis)).json()["state"] == "unasked"
        assert (await guest.post(analysis, {})).json()["state"] == "waiting"
        assert (await guest.get(analysis)).json()["state"] == "waiting", "the same record is asked about"
        assert (await Guest(application).post(analysis, {})).status == 404


async def test_a_match_is_played_to_its_end_and_its_record_proves_it():
    async with opened() as application:
        guest = Guest(application)
        assert (await guest.sit()).status == 303
        assert "Mittlere Jass" in (await guest.get(guest.place)).text
        assert (await guest.get(f"{guest.place}/record")).status == 404
        await guest.play_on()
        record = await guest.get(f"{guest.place}/record")
        assert verify(from_file_bytes(record.body)) == []
        assert "data-part=" in (await guest.get(f"{guest.place}/replay")).text


async def test_who_names_what_he_was_told_last_is_told_what_came_since():
    async with opened() as application:
        guest = Guest(application)
        await guest.sit()
        *_, last = await guest.told()
        decision = json.loads(last["data"])
        await guest.answer({"decision": decision["number"], "action": 1})
        told = await guest.told(**{"last-event-id": last["id"]})
        assert [int(each["id"]) for each in told] == list(range(int(last["id"]) + 1, int(told[-1]["id"]) + 1))
        assert {each["event"] for each in told[:-1]} == {"step"}


@pytest.mark.parametrize("name", ["", "-1", "99999999999999999999", "٣", "1; x", "nan"])
async def test_a_last_message_that_is_none_shows_the_table(name):
    async with opened() as application:
        guest = Guest(application)
        await guest.sit()
        told = await guest.told(**{"last-event-id": name.encode().decode("latin-1")})
        assert [each["event"] for each in told] == ["scene", "decision"]


async def test_a_match_is_shown_to_the_browser_that_plays_it_and_to_nobody_else():
    async with opened() as application:
        guest, other = Guest(application), Guest(application)
        await guest.sit()
        await other.sit()
        for place in ("", "/events", "/record", "/replay"):
            foreign = await other.get(guest.place + place)
            unknown = await other.get("/play/00000000000000000000000000000000" + place)
            assert (foreign.status, foreign.body) == (unknown.status, unknown.body) == (404, foreign.body)
        other.place = guest.place
        assert (await other.answer({"decision": 1, "action": 1})).status == 404
        assert (await other.post(f"{guest.place}/leave", {"csrf": other.csrf})).status == 404
        assert (await other.post("/play", {"csrf": other.csrf, "again": guest.place[6:]})).status == 422
        assert (await guest.decision())["number"] == 1, "nothing happened"


async def test_what_is_not_signed_changes_nothing():
    async with opened() as application:
        guest = Guest(application)
        await guest.sit()
        for token in ("", "x" * 64, "é"):
            assert (await guest.answer({"decision": 1, "action": 1}, **{"x-csrf-token": token})).status == 403
        await guest.post(f"{guest.place}/leave", {"csrf": "x"})
        assert (await guest.post("/play", {**FORM, "csrf": "x"})).status == 422
        assert (await guest.decision())["number"] == 1
        foreign = {"origin": "https://elsewhere.example"}
        assert (await guest.answer({"decision": 1, "action": 1}, **foreign)).status == 403


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        (b"", 400, "an answer is a JSON object"),
        (b"[1]", 400, "an answer is a JSON object"),
        (b"[" * 4000, 400, "an answer is a JSON object"),
        (b"\xff\xfe", 400, "an answer is a JSON object"),
        ({"decision": 1}, 400, "'action' of an answer is a whole number"),
        ({"decision": 1, "action": True}, 400, "'action' of an answer is a whole number"),
        ({"decision": 1, "action": 2**31}, 400, "'action' of an answer is a whole number"),
        (b'{"decision": 1, "action": 1e400}', 400, "'action' of an answer is a whole number"),
        ({"decision": 1, "action": 1, "cards": ["1"]}, 400, "'cards' of an answer is a list of the numbers of cards"),
        ({"decision": 1, "action": 1, "cards": [1] * 129}, 400, "'cards' of an answer is a list of the numbers of"),
        ({"decision": 1, "action": 1, "seat": 2}, 400, "and not 'seat'"),
        ({"decision": 2, "action": 1}, 409, "This decision was already made, perhaps in another window."),
        ({"decision": 1, "action": 0}, 422, "there is no legal action 0; they are numbered 1 to 12"),
        ({"decision": 1, "action": 1, "amount": 5}, 422, "this action takes no amount"),
        ({"decision": 1, "action": 1, "cards": [2**31 - 1]}, 422, "this action takes no cards"),
        ({"decision": 1, "action": 1, "extra": 1}, 422, "there is no extra 1; this decision has 0"),
        (b" " * 5000, 413, "The request is too long."),
    ],
)
async def test_an_answer_that_is_none_is_refused_in_a_sentence_and_asked_again(body, status, told):
    async with opened() as application:
        guest = Guest(application)
        await guest.sit()
        await guest.told()
        answer = await guest.answer(body)
        assert answer.status == status
        assert told in (answer.json().get("sentence") or answer.json()["detail"])
        assert (await guest.answer({"decision": 1, "action": 1})).status == 204


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"game": "go"}, "there is no game"),
        ({"length": "for ever"}, "takes one of short, medium, default, set"),
        ({"length": "set", "option-deals": "1000000"}, "does not take this value"),
        ({"length": "set", "option-deals": "9" * 5000}, "does not take this value"),
        ({"seat": "4"}, "takes one of 1, 2, 3"),
        ({"seat": "²"}, "takes one of 1, 2, 3"),
        ({"opponent-1": "oracle"}, "takes one of chance"),
        ({"name": "<script>alert(1)</script>"}, "A name has letters"),
        ({"name": "a\u202eb"}, "A name has letters"),
        ({"name": "Аda"}, "of one alphabet"),
        ({"again": "nothing"}, "There is no such match"),
    ],
)
async def test_what_cannot_be_played_is_said_on_the_page_where_it_can_be_mended(fields, told):
    async with opened() as application:
        answer = await Guest(application).sit(**fields)
        assert answer.status == 422
        assert told in answer.text.replace("&#39;", "'")
        assert "<script>alert" not in answer.text
        assert "\u202e" not in answer.text


async def test_who_begins_match_after_match_is_told_to_finish_one():
    async with opened(of_origin=2) as application:
        for number in range(4):
            answer = await Guest(application).sit()
            assert answer.status == (303 if number < 2 else 422)
        assert "2 matches are already running from your address" in answer.text
        assert (await Guest(application, client="192.0.2.77").sit()).status == 303


async def test_who_gives_no_name_has_one_in_the_language_of_the_page():
    async with opened() as application:
        guest = Guest(application)
        await guest.sit()
        assert '"name": "Guest"' in (await guest.get(guest.place)).text
        guest.cookies["language"] = "de"
        await guest.sit()
        assert '"name": "Gast"' in (await guest.get(guest.place)).text


async def test_a_form_of_many_fields_is_none():
    async with opened() as application:
        guest = Guest(application)
        assert (await guest.post("/play", {f"option-{number}": "1" for number in range(100)})).status == 400
        assert (await guest.post("/play", {"name": "x" * 17_000}, content_length="17005")).status == 413


async def test_a_site_without_a_seat_for_people_has_no_such_page_and_leads_to_none():
    settings = SiteSettings(place=Place(address="127.0.0.1:0"))
    for plays in (True, False):
        async with opened_context(replace(settings, plays=plays)) as house:
            visitor = Visitor(site(house))
            assert (await visitor.get("/play")).status == (200 if plays else 404)
            assert ('href="/play"' in (await visitor.get("/api")).text) == plays
