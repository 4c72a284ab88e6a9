"""An organiser at a real server by the site alone: an event opened by the form, and followed to its end."""

import io
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect
from support.browser import picture, too_wide, violations

from ordago.files import private_folder
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope

ACCOUNTS = {"ola": Scope.ORGANISE, "ana": Scope.PLAY, "ben": Scope.PLAY, "root": Scope.ADMIN, "eve": Scope.ORGANISE}

OPEN = """
[event]
name = "open"
open_entry = true
entrants_at_most = 8
begins = {begins}
absentees_forfeit = true
duplicates = false
[[game]]
name = "mitaines"
seats = 2
"""


class Served(NamedTuple):
    """A server with a site, in its folder."""

    site: str
    address: str
    place: Path

    def token(self, account: str) -> str:
        return (self.place / f"{account}.token").read_text()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("organise")
    private_folder(place / "data")
    with Accounts.open(place / "data" / "accounts.sqlite", create=True) as accounts:
        for name, scope in ACCOUNTS.items():
            (place / f"{name}.token").write_text(
                accounts.create_token(account=name, scopes=[scope], now=time.time())[0]
            )
    options = ["--tables", "mittlere", "--tokens", "--data", "data", "--web", "127.0.0.1:0", "--address", "127.0.0.1:0"]
    command = [sys.executable, "-m", "ordago", "serve", *options]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - ours
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(2)]
        addresses = [word.strip(";") for line in lines for word in line.split() if "127.0.0.1:" in word]
        site = next(each for each in addresses if each.startswith("http"))
        # The first answer waits for the process of the site.
        urllib.request.urlopen(f"{site.rstrip('/')}/health", timeout=60).close()  # noqa: S310 - it is http
        yield Served(site.rstrip("/"), next(each for each in addresses if not each.startswith("http")), place)
        server.terminate()


def signed_in(visit: Any, served: Served, account: str, **options: Any) -> Page:
    page: Page = visit(f"{served.site}/account", **options)
    page.fill("input[name=token]", served.token(account))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/account")
    page.get_by_role("link", name="Organise events").click()
    return page


def write(page: Page, field: str, value: str, told: str) -> None:
    """Change a field of the form, and wait until the file tells of it."""
    found = page.locator(f'[name="{field}"]')
    if found.evaluate("field => field.localName") == "select":
        found.select_option(value)
    else:
        found.fill(value)
        found.blur()
    page.wait_for_function("told => document.getElementById('text').value.includes(told)", arg=told)


def test_an_event_is_written_by_the_form_and_followed_to_its_end(visit: Any, served: Served) -> None:
    page = signed_in(visit, served, "ola")
    page.get_by_role("link", name="New event").click()
    page.locator("form details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    write(page, "event.1.name", "friday", 'name = "friday"')
    write(page, "event.1.rounds", "3", "rounds = 3")
    for name in ("ana", "ben"):
        write(page, "add.remote", name, f'account = "{name}"')
    page.get_by_role("button", name="Open the event").click()
    expect(page.get_by_role("alert")).to_contain_text("'rounds' is for the format swiss")
    assert [each for each in visit.problems if "status of 422" not in each] == []
    visit.problems.clear()
    picture(page, "organise-new-refused")
    assert page.locator('[name="event.1.rounds"]').get_attribute("aria-invalid") == "true"
    write(page, "event.1.rounds", "", 'friday"\ntitle = "Round robin"\nrepetitions = 2\nabsentees_forfeit = true\n\n')
    page.get_by_role("button", name="Open the event").click()
    page.wait_for_url("**/organise/events/friday")
    expect(page.locator("main")).to_contain_text("missing")
    bots = [bot(served, name) for name in ("ana", "ben")]
    expect(page.get_by_text("Finished", exact=True)).to_be_visible(timeout=60_000)
    assert page.locator("#checked-in ~ .sheet tbody tr").count() >= 2
    expect(page.get_by_role("link", name="Results and records")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all published files").click()
    with tarfile.open(fileobj=io.BytesIO(download.value.path().read_bytes())) as archive:
        archive.extractall(served.place / "copy", filter="data")
    proof = [sys.executable, "-m", "ordago", "verify", str(served.place / "copy" / "friday")]
    assert subprocess.run(proof, check=False, capture_output=True).returncode == 0  # noqa: S603 - ours
    for each in bots:
        each.kill()
        each.wait()


def test_without_scripts_a_program_of_an_organiser_is_refused_and_a_file_opened(visit: Any, served: Served) -> None:
    page = signed_in(visit, served, "eve", scripts=False)
    page.get_by_role("link", name="New event").click()
    owned = served.place / "owned"
    whole = page.locator("#text").input_value()
    page.fill("#text", f'{whole}\n[[entrant]]\nname = "x"\ncommand = "touch {owned}"\n')
    page.get_by_role("button", name="Open the event").click()
    expect(page.get_by_role("alert")).to_contain_text("'command' is not for events on a server")
    page.fill("#text", whole)
    page.fill('[name="event.1.name"]', "monday")
    page.get_by_role("button", name="Write into the file").last.click()
    assert 'name = "monday"' in page.locator("#text").input_value()
    page.get_by_role("button", name="Open the event").click()
    page.wait_for_url("**/organise/events/monday")
    page.locator("summary", has_text="Stop the event").click()
    page.get_by_role("button", name="Stop the event").click()
    expect(page.get_by_text("Stopped", exact=True)).to_be_visible()
    page.goto(f"{served.site}/organise/events/friday")
    page.locator("summary", has_text="Remove the event").click()
    page.fill("[name=why]", "mine now")
    page.check("[name=sure]")
    page.get_by_role("button", name="Remove the event").click()
    expect(page.get_by_role("alert")).to_contain_text("ola")
    assert not owned.exists()
    visit.problems[:] = [each for each in visit.problems if "status of 422" not in each]


def bot(served: Served, account: str) -> "subprocess.Popen[Any]":
    options = ["--address", served.address, "--token-file", f"{account}.token", "--event", "friday", "--name", account]
    command = [sys.executable, "-m", "ordago_bot", "random", *options]
    return subprocess.Popen(command, cwd=served.place, stderr=subprocess.DEVNULL)  # noqa: S603 - ours


LOOKS = [(390, "dark"), (1280, "light"), (390, "light"), (1280, "dark")]


@pytest.fixture(scope="module")
def open_event(served: Served) -> str:
    """An event that authors may enter."""
    file = served.place / "open.toml"
    begins = datetime.now(UTC) + timedelta(days=1)
    file.write_text(OPEN.format(begins=begins.strftime("%Y-%m-%dT%H:%M:%SZ")))
    words = ["event", "open", "open.toml", "--server", served.address, "--token-file", "eve.token"]
    subprocess.run([sys.executable, "-m", "ordago", *words], cwd=served.place, check=True, capture_output=True)  # noqa: S603 - ours
    return "open"


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_everybody_can_read_the_pages_of_authors(
    visit: Any, served: Served, open_event: str, width: int, scheme: str
) -> None:
    page = visit(f"{served.site}/account", width=width, scheme=scheme)
    assert (violations(page), too_wide(page)) == ([], 0), "sign in"
    page.fill("input[name=token]", served.token("ana"))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/account")
    for place in ("account", f"events/{open_event}/entry"):
        page.goto(f"{served.site}/{place}")
        assert (violations(page), too_wide(page)) == ([], 0), place
        picture(page, f"{place.replace('/', '-')}-{width}-{scheme}")
    page.fill("input[name=entrant]", "ana")
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("button", name="Leave the event").wait_for()
    assert (violations(page), too_wide(page)) == ([], 0), "entered"
    page.get_by_role("button", name="Leave the event").click()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_everybody_can_read_the_pages(visit: Any, served: Served, width: int, scheme: str) -> None:
    page = signed_in(visit, served, "root", width=width, scheme=scheme)
    for name in ("", "/new?begin=swiss", "/events/friday", "/invitations"):
        page.goto(f"{served.site}/organise{name}")
        page.locator("details").evaluate_all("all => all.slice(0, 2).forEach(each => { each.open = true; })")
        assert violations(page) == [], name
        assert too_wide(page) == 0, name
        picture(page, f"organise{name.partition('?')[0].replace('/', '-')}-{width}-{scheme}")
