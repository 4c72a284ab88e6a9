"""The page on which authors enter an event, and what somebody tries who is not the author."""

from pathlib import Path
from typing import Any

import pytest
from support.site import Answer, Visitor, csrf_of

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.pages import Pages
from ordago_web.site import site

TOKEN = "ordago_anas-own-token"  # noqa: S105 - it is good nowhere
HTML = "<script>alert(1)</script>"


class Server:
    """A server with one event, and the account of one author."""

    def __init__(self) -> None:
        self.event = v1.HostedEvent(
            name="friday",
            title=f"Friday {HTML}",
            stage=v1.HOSTED_EVENT_STAGE_ENTRY,
            begins_at=1_900_000_000,
            missing=["zoe"],
            places_left=2,
        )
        self.changed: list[str] = []
        self.refusal: CallError | None = None

    def ask(self, token: str, request: Any, _answer: Any) -> Any:
        name = type(request).__name__
        if self.refusal is not None and name in ("EnterEventRequest", "ListEventsRequest"):
            raise self.refusal
        return getattr(self, name)(request, token)

    def WhoAmIRequest(self, _request: Any, token: str) -> v1.WhoAmIResponse:  # noqa: N802 - the name of the call
        assert token == TOKEN
        return v1.WhoAmIResponse(account=v1.Account(name="ana"))

    def ListEventsRequest(self, request: v1.ListEventsRequest, token: str) -> v1.ListEventsResponse:  # noqa: N802
        assert (list(request.stages), token) == ([v1.HOSTED_EVENT_STAGE_ENTRY], "")
        return v1.ListEventsResponse(events=[self.event])

    def GetEventRequest(self, request: v1.GetEventRequest, token: str) -> v1.GetEventResponse:  # noqa: N802
        assert token == ""
        if request.name != "friday":
            raise CallError("NOT_FOUND", "There is no such event.")
        return v1.GetEventResponse(event=self.event)

    def EnterEventRequest(self, request: v1.EnterEventRequest, token: str) -> v1.EnterEventResponse:  # noqa: N802
        assert token == TOKEN
        self.changed.append(request.entrant)
        self.event.missing.append(request.entrant)
        self.event.entries.append(v1.EventEntry(entrant=request.entrant, account="ana", author=request.author))
        self.event.places_left -= 1
        return v1.EnterEventResponse(event=self.event)

    def LeaveEventRequest(self, request: v1.LeaveEventRequest, token: str) -> v1.LeaveEventResponse:  # noqa: N802
        assert (token, request.entrant) == (TOKEN, "")
        self.changed.append("left")
        del self.event.entries[:], self.event.missing[1:]
        return v1.LeaveEventResponse(event=self.event)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def visitor(server: Server, tmp_path: Path) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), accounts=server, events=EventFolders(parent=tmp_path))))  # type: ignore[arg-type]


async def signed_in(visitor: Visitor) -> Answer:
    page = await visitor.get("/account")
    await visitor.post("/account/sign-in", {"csrf": csrf_of(page), "token": TOKEN})
    return await visitor.get("/events/friday/entry")


async def test_everybody_sees_when_an_event_begins_who_entered_and_how_many_places_are_left(visitor: Visitor) -> None:
    listed = await visitor.get("/events")
    assert 'href="/events/friday/entry"' in listed.text
    assert "begins at 2030-03-17 17:46 UTC" in listed.text
    assert "2 places are left" in listed.text
    assert (await visitor.get("/events/friday/")).headers["location"] == "/events/friday/entry"
    page = await visitor.get("/events/friday/entry")
    assert page.status == 200
    assert "The event begins at 2030-03-17 17:46 UTC." in page.text
    assert "<bdi>zoe</bdi>" in page.text
    assert 'href="/account"' in page.text
    assert 'action="/events' not in page.text
    assert HTML not in listed.text + page.text
    assert (await visitor.get("/events/monday/entry")).status == 404


async def test_an_author_enters_and_leaves(visitor: Visitor, server: Server) -> None:
    page = await signed_in(visitor)
    form = {"csrf": csrf_of(page), "entrant": " my bot ", "author": HTML}
    entered = await visitor.post("/events/friday/entry", form)
    assert (entered.status, entered.headers["location"]) == (303, "/events/friday/entry")
    page = await visitor.get("/events/friday/entry")
    assert "You have entered as <bdi>my bot</bdi>" in page.text
    assert "--token-file my.token --event friday" in page.text
    assert "1 place is left" in page.text
    assert HTML not in page.text
    assert page.headers["cache-control"] == "private, no-store"
    left = await visitor.post("/events/friday/entry/leave", {"csrf": csrf_of(page)})
    assert left.status == 303
    assert server.changed == ["my bot", "left"]


async def test_a_refusal_is_shown_above_the_form_that_stays_filled_in(visitor: Visitor, server: Server) -> None:
    page = await signed_in(visitor)
    server.refusal = CallError("ALREADY_EXISTS", f"the name looks like {HTML}")
    answer = await visitor.post("/events/friday/entry", {"csrf": csrf_of(page), "entrant": f'z0e"{HTML}'})
    assert answer.status == 422
    assert "the name looks like" in answer.text
    assert "z0e&#34;&lt;script&gt;" in answer.text
    assert HTML not in answer.text


async def test_an_author_whose_token_was_revoked_is_signed_out(visitor: Visitor, server: Server) -> None:
    page = await signed_in(visitor)
    server.refusal = CallError("UNAUTHENTICATED", "the token is unknown, revoked or expired; ask for a new one")
    answer = await visitor.post("/events/friday/entry", {"csrf": csrf_of(page), "entrant": "mine"})
    assert (answer.status, "Sign in to enter" in answer.text) == (422, True)
    assert (await visitor.post("/events/friday/entry", {"csrf": csrf_of(page), "entrant": "mine"})).status == 403


@pytest.mark.parametrize("place", ["entry", "entry/leave"])
@pytest.mark.parametrize("csrf", ["", "0" * 64])
async def test_a_form_that_no_page_of_ours_signed_enters_nobody(
    visitor: Visitor, server: Server, place: str, csrf: str
) -> None:
    await signed_in(visitor)
    assert (await visitor.post(f"/events/friday/{place}", {"csrf": csrf, "entrant": "mine"})).status == 403
    assert not server.changed


async def test_after_the_begin_the_page_leads_to_the_results(visitor: Visitor, server: Server) -> None:
    server.event.stage = v1.HOSTED_EVENT_STAGE_PLAYING
    server.event.ClearField("places_left")
    page = await signed_in(visitor)
    assert "Entry is closed." in page.text
    assert 'href="/events/friday/"' in page.text
    assert 'action="/events' not in page.text


@pytest.mark.parametrize(("status", "told"), [("UNAVAILABLE", True), ("UNIMPLEMENTED", False)])
async def test_the_list_says_when_the_server_does_not_answer(
    visitor: Visitor, server: Server, status: str, *, told: bool
) -> None:
    server.refusal = CallError(status, "no answer from the server")
    page = await visitor.get("/events")
    assert (page.status, "no answer from the server" in page.text) == (200, told)
