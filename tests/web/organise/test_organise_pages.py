"""The pages of organisers, and what visitors, authors and other organisers try there."""

import io
import tarfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from support.events import ReceiptedEvent
from support.site import Visitor, csrf_of
from support.webhooks import received_announcements

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_ladder.hosted.events_api import EventRefusedError
from ordago_ladder.hosted.permissions import hosted_settings
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.pages import Pages
from ordago_web.site import site

HTML = "<script>alert(1)</script>"
ROLES = {"ola": [v1.ROLE_ORGANISE], "root": [v1.ROLE_ADMIN], "ana": [v1.ROLE_PLAY]}
CUP = (
    '[event]\nname = "cup"\n[[game]]\nname = "mitaines"\n[[entrant]]\nname = "a"\nhouse = "random"\n'
    '[[entrant]]\nname = "b"\nhouse = "random"\n'
)


class Server:
    """A server with one event of ola, which answers as the contract says."""

    def __init__(self) -> None:
        stage = v1.HOSTED_EVENT_STAGE_PLAYING
        self.event = v1.HostedEvent(name="friday", title=f"Friday {HTML}", stage=stage, opened_by="ola", opened_at=1)
        self.done: list[Any] = []
        self.refusal: CallError | None = None

    def ask(self, token: str, request: Any, answer: Any) -> Any:
        name = type(request).__name__.removesuffix("Request")
        if name == "WhoAmI":
            return v1.WhoAmIResponse(account=v1.Account(name=token), roles=ROLES[token])
        if name.startswith(("Stop", "Remove", "Leave", "Open", "Invite")):
            return self._change(token, request, answer)
        answers = {
            "ListEvents": v1.ListEventsResponse(events=[self.event]),
            "GetEvent": v1.GetEventResponse(event=self.event),
            "ListEventResults": v1.ListEventResultsResponse(standings=[v1.EventStanding(rank=1, entrant=HTML)]),
        }
        return answers.get(name, answer())

    def _change(self, token: str, request: Any, answer: Any) -> Any:
        if self.refusal is not None:
            raise self.refusal
        if isinstance(request, v1.OpenEventRequest):
            try:
                settings = hosted_settings(request.file)
            except EventRefusedError as error:
                raise CallError("INVALID_ARGUMENT", "; ".join(str(error).splitlines())) from None
            self.event.name = settings.event.name
        self.done.append((token, request))
        if isinstance(request, v1.InviteRequest):
            return v1.InviteResponse(invitation="ordago_invitation_secret")
        return answer(event=self.event)

    def download(self, _token: str, _request: Any) -> Any:
        if self.refusal is not None:
            raise self.refusal
        yield v1.DownloadEventResponse(files=2)
        first = v1.PublishedPart(path="event.toml", size=len(CUP), data=CUP[:5].encode())
        yield v1.DownloadEventResponse(parts=[first, v1.PublishedPart(data=CUP[5:].encode())])
        yield v1.DownloadEventResponse(parts=[v1.PublishedPart(path="records/1", size=512, data=bytes(512))])


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def visitor(server: Server, tmp_path: Path) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), accounts=server, events=EventFolders(parent=tmp_path))))  # type: ignore[arg-type]


async def signed_in(visitor: Visitor, account: str) -> str:
    """Sign an account in, and return the CSRF token of its forms."""
    await visitor.post("/account/sign-in", {"csrf": csrf_of(await visitor.get("/account")), "token": account})
    return csrf_of(await visitor.get("/account"))


READ = ("/organise", "/organise/new", "/organise/new?event=friday", "/organise/events/friday", "/organise/invitations")
CHANGES = (
    *(f"/organise/events/friday/{act}" for act in ("stop", "remove", "leave", "download")),
    *("/organise/new", "/organise/invitations"),
)
FORM = {"sure": "yes", "text": CUP, "do": "open", "entrant": "zoe", "account": "zoe"}


@pytest.mark.parametrize("place", READ)
async def test_visitors_sign_in_first_and_authors_learn_that_they_may_not(visitor: Visitor, place: str) -> None:
    assert (await visitor.get(place)).status == 401
    await signed_in(visitor, "ana")
    assert (await visitor.get(place)).status == 403
    assert "/organise" not in (await visitor.get("/account")).text


@pytest.mark.parametrize("place", CHANGES)
async def test_a_form_of_a_visitor_an_author_or_another_site_changes_nothing(
    visitor: Visitor, server: Server, place: str
) -> None:
    csrf = csrf_of(await visitor.get("/account"))
    assert (await visitor.post(place, {**FORM, "csrf": csrf})).status == 401
    csrf = await signed_in(visitor, "ana")
    assert (await visitor.post(place, {**FORM, "csrf": csrf})).status == 403
    csrf = await signed_in(Visitor(visitor.application), "ola")
    await signed_in(visitor, "ola")
    assert (await visitor.post(place, FORM)).status == 403
    assert (await visitor.post(place, {**FORM, "csrf": csrf})).status == 403
    csrf = csrf_of(await visitor.get("/account"))
    assert (await visitor.post(place, {**FORM, "csrf": csrf}, origin="https://evil.example")).status == 403
    assert server.done == []


async def test_an_organiser_stops_an_event_and_removes_it_after_a_confirmation(
    visitor: Visitor, server: Server
) -> None:
    csrf = await signed_in(visitor, "ola")
    page = await visitor.get("/organise/events/friday")
    assert "/stop" in page.text
    assert "/remove" not in page.text
    assert HTML not in page.text + (await visitor.get("/organise")).text
    assert 'name="why"' not in page.text
    assert (await visitor.post("/organise/events/friday/stop", {"csrf": csrf})).status == 303
    server.event.stage = v1.HOSTED_EVENT_STAGE_STOPPED
    assert "/remove" in (await visitor.get("/organise/events/friday")).text
    assert (await visitor.post("/organise/events/friday/remove", {"csrf": csrf})).status == 422
    removed = await visitor.post("/organise/events/friday/remove", {"csrf": csrf, "sure": "yes"})
    assert removed.headers["location"] == "/organise"
    assert [type(request).__name__ for _, request in server.done] == ["StopEventRequest", "RemoveEventRequest"]


async def test_an_admin_gives_the_reason_and_a_refusal_is_shown(visitor: Visitor, server: Server) -> None:
    csrf = await signed_in(visitor, "root")
    assert 'name="why" required' in (await visitor.get("/organise/events/friday")).text
    await visitor.post("/organise/events/friday/stop", {"csrf": csrf, "why": " spam "})
    assert server.done == [("root", v1.StopEventRequest(name="friday", why="spam"))]
    server.refusal = CallError("PERMISSION_DENIED", f"the event belongs to {HTML}")
    answer = await visitor.post("/organise/events/friday/stop", {"csrf": csrf})
    assert (answer.status, HTML in answer.text, "the event belongs to" in answer.text) == (422, False, True)


async def test_the_published_files_come_as_an_archive(visitor: Visitor) -> None:
    csrf = await signed_in(visitor, "ola")
    answer = await visitor.post("/organise/events/friday/download", {"csrf": csrf})
    with tarfile.open(fileobj=io.BytesIO(answer.body)) as archive:
        assert archive.getnames() == ["friday/event.toml", "friday/records/1"]
        opened = archive.extractfile("friday/event.toml")
        assert opened is not None
        assert opened.read().decode() == CUP
    assert (await visitor.get("/organise/new?event=friday")).text.count("name = &#34;mitaines&#34;") == 1


async def test_a_file_is_opened_only_as_it_was_seen(visitor: Visitor, server: Server) -> None:
    csrf = await signed_in(visitor, "ola")
    form = {"csrf": csrf, "text": CUP.replace("\n", "\r\n"), "before": "{}", "do": "open"}
    answer = await visitor.post("/organise/new", {**form, "event.1.title": "New"})
    assert (answer.status, server.done) == (200, [])
    assert "title = &#34;New&#34;" in answer.text
    answer = await visitor.post("/organise/new", form)
    assert (answer.status, answer.headers["location"]) == (303, "/organise/events/cup")
    assert server.done[-1] == ("ola", v1.OpenEventRequest(file=CUP))
    saved = await visitor.post("/organise/new", {**form, "do": "save"})
    assert (saved.text, "attachment" in saved.headers["content-disposition"]) == (CUP, True)


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ('[[entrant]]\nname = "x"\ncommand = "id"\n', "command"),
        ('[[entrant]]\nname = "x"\ncommand = "id"\nbuild = "make"\nfolder = "/"\n', "build"),
        ("[limits]\nmemory_mib = 64\n", "limits"),
        ('[[announce]]\nurl = "https://example.org/"\n', "announce"),
        ("x = " + "[" * 5000, "nested"),
        ("[broken", "Line 11"),
    ],
)
async def test_what_hosting_forbids_is_refused_and_shown_where_it_is(
    visitor: Visitor, server: Server, added: str, told: str
) -> None:
    csrf = await signed_in(visitor, "ola")
    answer = await visitor.post("/organise/new", {"csrf": csrf, "text": CUP + added, "do": "open"})
    assert (answer.status, told in answer.text, server.done) == (422, True, [])
    assert 'role="alert"' in answer.text


async def test_what_the_form_says_of_announcements_is_delivered(visitor: Visitor, tmp_path: Path) -> None:
    csrf = await signed_in(visitor, "ola")
    event = ReceiptedEvent(tmp_path / "cup")
    event.place.mkdir()
    with received_announcements() as hook:
        form = {"csrf": csrf, "text": event.text, "add.announce": hook.url, "do": "write"}
        written = (await visitor.post("/organise/new", form)).text
        event.text = unescape(written.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0])
        await event.run()
    assert [one.content["kind"] for one in hook.received] == ["start", "end"]


async def test_a_file_of_megabytes_is_refused_before_it_is_read(visitor: Visitor, server: Server) -> None:
    text = CUP + "#" * 1_000_000
    csrf = await signed_in(visitor, "ola")
    assert (await visitor.post("/organise/new", {"csrf": csrf, "text": text, "do": "open"})).status == 400
    announced = {"content-type": "application/x-www-form-urlencoded", "content-length": "1000000"}
    assert (await visitor.ask("POST", "/organise/new", headers=announced)).status == 413
    assert (await visitor.post("/account/tokens", {"csrf": csrf, "bot": "x" * 20_000})).status == 400
    answer = await visitor.post("/organise/new", {"csrf": csrf, "text": CUP + "#" * 70_000, "do": "open"})
    assert (answer.status, "65,536" in answer.text, server.done) == (422, True, [])


async def test_before_anybody_signs_in_a_longer_file_is_not_taken(visitor: Visitor) -> None:
    assert (await visitor.post("/organise/new", {"text": "#" * 20_000})).status == 400


async def test_admins_invite_and_see_which_invitations_were_used(visitor: Visitor, server: Server) -> None:
    csrf = await signed_in(visitor, "root")
    answer = await visitor.post("/organise/invitations", {"csrf": csrf, "account": " zoe "})
    assert "ordago_invitation_secret" in answer.text
    assert server.done == [("root", v1.InviteRequest(account="zoe"))]
    assert "ordago_invitation_secret" not in (await visitor.get("/organise/invitations")).text
