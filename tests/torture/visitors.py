"""Visitors of a site, by scripts in real browsers: spectators, authors, an organiser, people who play."""

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Response
from support.browser import Visits, too_wide, violations
from support.play_browser import DUE, SHORT, click_on

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope

LADDER = """
[ladder]
name = "visited"
epoch_hours = 24
decision_ms = 10_000
lone_seconds = 1
exhibitions = true
""" + "".join(
    f'\n[[game]]\nname = "{game}"\n{more}'
    for game, more in (
        ("mittlere", "options = { deals = 3 }\n"),
        ("mitigati", "options = { max_bid = 1 }\n"),
        ("taihe", "seats = 3\noptions = { deals = 3 }\n"),
        ("mitaines", "seats = 2\n"),
        ("mus", "options = { target = 10 }\n"),
    )
)
HOUSE = "".join(
    f'\n[[house]]\nname = "house-{number}"\nhouse = "{kind}"\n' for number, kind in enumerate(("random", "default") * 2)
)
EVENT = """
[event]
name = "visit"
title = "The visit"
open_entry = true
entrants_at_most = 8
begins = {begins}
start_timeout = 30
absentees_forfeit = true
isolation = "none"
duplicates = false
repetitions = 8
decision_ms = 10_000
disconnect_bank_ms = 60_000

[[game]]
name = "mitaines"
seats = 2
options = {{ target = 20 }}
"""
PATIENCE_SECONDS = 90.0


def until(holds: Any, why: str) -> Any:
    """Wait until something holds, and return it."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not (found := holds()):
        assert time.monotonic() < end, why
        time.sleep(0.1)
    return found


class House:
    """A server of a ladder of all games with accounts and a site, which can be killed and comes back at its ports."""

    def __init__(self, folder: Path, *, entry_seconds: int) -> None:
        """Begin it, with invitations and a token of an organiser, whose event authors may enter for so long."""
        self.entry_seconds = entry_seconds
        self.folder, self.data, self.log = folder, folder / "data", folder / "serve.log"
        self.data.mkdir(mode=0o700)
        (folder / "visited.toml").write_text(LADDER + HOUSE)
        now = time.time()
        with Accounts.open(self.data / "accounts.sqlite", create=True) as accounts:
            play = frozenset({Scope.PLAY})
            self.invitations = [accounts.invite(roles=play, now=now, expires_at=now + 86_400)[0] for _ in range(3)]
            self.organiser = accounts.create_token(account="ola", scopes=[Scope.ORGANISE], now=now)[0]
        self.address, self.web = "127.0.0.1:0", "127.0.0.1:0"
        self.kills = 0
        self.event_is_open = False
        self._bots: list[subprocess.Popen[bytes]] = []
        self._start()

    @property
    def url(self) -> str:
        """The address of the site."""
        return f"http://{self.web}"

    def _start(self) -> None:
        command = [sys.executable, "-m", "ordago", "serve", "--ladder", str(self.folder / "visited.toml"), "--tokens"]
        command += ["--data", str(self.data), "--address", self.address, "--web", self.web]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)  # noqa: S603 - ours
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"listening on ([\d.:]+)", line):
                self.address = found[1]
            if found := re.search(r"the site is at http://([^/\s]+)", line):
                self.web = found[1]
                break
        until(self._answers, self.log.read_text())

    def _answers(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/", timeout=5) as answer:  # noqa: S310 - it is http
            return "does not answer" not in answer.read().decode()
        return False

    def kill(self) -> None:
        """Kill it without warning, and start it again."""
        self._process.send_signal(signal.SIGKILL)
        with self._process:
            self.kills += 1
        self._start()

    def bot(self, name: str, token: str, *more: str) -> None:
        """Start a bot of an author."""
        file = self.folder / f"{name}.token"
        file.touch(mode=0o600)
        file.write_text(token)
        command = [sys.executable, "-m", "ordago_bot", "random", "--name", name, "--address", self.address]
        command += ["--token-file", str(file), "--pause", "20", *more]
        self._bots.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))  # noqa: S603 - ours

    def ordago(self, *words: str) -> None:
        """Run a command of the organiser."""
        file = self.folder / "ola.token"
        file.touch(mode=0o600)
        file.write_text(self.organiser)
        command = [sys.executable, "-m", "ordago", *words, "--server", self.address, "--token-file", str(file)]
        ran = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - ours
        assert ran.returncode == 0, ran.stderr

    def close(self) -> None:
        """End it and all bots."""
        for process in (*self._bots, self._process):
            with process:
                process.kill()


class Visitor:
    """Somebody with a browser of their own, and what they did."""

    checked: set[tuple[str, int]]
    """The kinds of pages that were examined in full, with the widths of their windows; shared by all."""

    def __init__(
        self, house: House, browser: Browser, role: str, *, checked: set[tuple[str, int]], **window: Any
    ) -> None:
        """Open a browser with ``width``, ``scheme`` and ``scripts`` as ``Visits`` has them."""
        self.house, self.role, self.checked = house, role, checked
        self.done: Counter[str] = Counter()
        self.problems: list[str] = []
        self._visits = Visits(browser)
        self._kills = house.kills
        self.width = window.get("width", 1280)
        # axe-core needs scripts.
        self.examines = window.get("scripts", True)
        self.page: Page = self._visits(house.url, **window)
        self.page.set_default_timeout(1000 * PATIENCE_SECONDS)
        self.page.on("response", self._answered)
        self.look("front page")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._visits.problems.append(f"{response.status}: {response.url}")

    def collect(self) -> None:
        """Keep what went wrong until now."""
        self.page.wait_for_timeout(20)
        self.problems += [f"{self.role}, {self.page.url}: {problem}" for problem in self._visits.problems]
        self._visits.problems.clear()

    def go(self, path: str, what: str) -> None:
        """Open a page, and look at it."""
        if self.house.kills != self._kills:
            # What failed while the server was away is no problem.
            self.page.goto("about:blank")
            self._visits.problems.clear()
            self._kills = self.house.kills
        self.page.goto(self.house.url + path)
        self.look(what)

    def click(self, link: Any, what: str) -> None:
        """Follow a link, and look at the page."""
        link.click()
        self.page.wait_for_load_state()
        self.look(what)

    def look(self, what: str) -> None:
        """See that a page has its heading, and, the first time, that it can be read by everybody."""
        self.done[what] += 1
        heading = self.page.locator("h1").first
        heading.wait_for(state="attached")
        if not heading.inner_text().strip():
            self.problems.append(f"{self.page.url} has no heading")
        if self.examines and (what, self.width) not in self.checked:
            self.checked.add((what, self.width))
            found = [*violations(self.page), *([f"too wide by {wide}"] if (wide := too_wide(self.page)) else [])]
            self.problems += [f"{what} at {self.width}: {problem}" for problem in found]
        self.collect()

    def close(self) -> None:
        """Keep what went wrong at last, and leave."""
        self.collect()
        self._visits.close()


def spectator(self: Visitor, first: int, rounds: int) -> Iterator[None]:
    """Look at one thing after the other, beginning somewhere."""
    ways = [front_page, live_tables, live_table, replay, bot, matches, feeds, languages, standings, events]
    for number in range(rounds):
        ways[(first + number) % len(ways)](self)
        yield


def front_page(self: Visitor) -> None:
    self.go("/", "front page")
    self.page.locator(".small-tables").scroll_into_view_if_needed()


def live_tables(self: Visitor) -> None:
    self.go("/live", "live tables")
    self.page.wait_for_timeout(700)
    self.collect()


def live_table(self: Visitor) -> None:
    self.go("/live", "live tables")
    links = self.page.locator(".small-tables a")
    until(lambda: links.count() or self.page.reload(), "nobody plays")
    # The list of links is drawn anew while somebody clicks.
    self.go(links.first.get_attribute("href") or "", "live table or replay")
    self.page.wait_for_timeout(700)
    self.collect()


def replay(self: Visitor) -> None:
    self.go("/matches?running=false&pageSize=20", "matches")
    links = self.page.get_by_role("link", name="replay")
    if links.count():
        self.click(links.first, "replay")


def bot(self: Visitor) -> None:
    self.go("/", "front page")
    self.click(self.page.locator("table.ladder tbody th a").nth(1), "bot")
    self.go("/compare?first=house-0&second=house-1", "head to head")


def matches(self: Visitor) -> None:
    self.go("/matches", "matches")
    self.go("/games/mus", "ladder of a game")


def feeds(self: Visitor) -> None:
    for path in ("/feed.atom", "/bots/house-0/feed.atom"):
        answer = self.page.request.get(self.house.url + path)
        if answer.status != 200 or "<feed" not in answer.text():
            self.problems.append(f"{path}: {answer.status}")
        self.done["feed"] += 1


def languages(self: Visitor) -> None:
    for code in ("de", "es", "fr", "it", "zh", "en"):
        self.page.locator("select[name=language]").select_option(code)
        self.page.locator("form.settings button").click()
        self.page.wait_for_load_state()
        if self.page.locator("html").get_attribute("lang") != code:
            self.problems.append(f"{self.page.url} is not in {code}")
        self.look("another language")


def standings(self: Visitor) -> None:
    for path in ("/likelihoods", "/courses", "/epochs", "/seasons", "/api"):
        self.go(path, path[1:])


def events(self: Visitor) -> None:
    self.go("/events", "events")


def author(self: Visitor, name: str, invitation: str) -> Iterator[None]:
    """Open an account, connect a bot, look at its page and matches, enter an event."""
    self.go("/account", "account")
    self.page.get_by_label("Code of the invitation").fill(invitation)
    self.page.get_by_label("Name of the account").fill(name)
    self.click(self.page.get_by_role("button", name="Open the account"), "account opened")
    token = self.page.locator("#made").inner_text()
    self.house.bot(f"{name}-bot", token)
    self.done["bot started"] += 1
    yield from entered(self, name, token)
    self.house.bot(f"{name}-entrant", token, "--event", "visit")
    while True:
        signed_in(self, token)
        if self.page.get_by_role("link", name=f"{name}-bot", exact=True).count():
            break
        yield
    self.click(self.page.get_by_role("link", name=f"{name}-bot", exact=True), "own bot")
    yield
    self.go(f"/authors/{name}", "author")
    self.go(f"/matches?bot={name}-bot", "own matches")
    assert self.page.locator("table.matches tbody tr").count() > 0


def signed_in(self: Visitor, token: str) -> None:
    """Look at the account; a server that was killed has forgotten who was signed in."""
    self.go("/account", "account")
    if self.page.get_by_role("heading", name="Sign in").count():
        self.page.get_by_label("Token", exact=True).fill(token)
        self.click(self.page.get_by_role("button", name="Sign in"), "account")
        self.done["sign in again"] += 1


def entered(self: Visitor, name: str, token: str) -> Iterator[None]:
    while not self.house.event_is_open:
        yield
    signed_in(self, token)
    self.go("/events/visit/entry", "entry")
    self.page.get_by_label("Name of your bot on the ladder").fill(f"{name}-entrant")
    self.click(self.page.get_by_role("button", name="Enter", exact=True), "entered")
    assert f"{name}-entrant" in self.page.locator("main").inner_text()


def organiser(self: Visitor) -> Iterator[None]:
    """Open an event, look who enters, follow it, and read the results."""
    begins = datetime.now(UTC) + timedelta(seconds=self.house.entry_seconds)
    file = self.house.folder / "visit.toml"
    file.write_text(EVENT.format(begins=begins.strftime("%Y-%m-%dT%H:%M:%SZ")))
    self.house.ordago("event", "open", str(file))
    self.house.event_is_open = True
    self.done["event opened"] += 1
    while True:
        yield
        self.go("/events", "events")
        row = self.page.locator("tr", has=self.page.get_by_role("link", name="The visit"))
        if row.count() and "Finished" in row.first.inner_text():
            break
        self.go("/events/visit/entry", "entry")
    self.click(row.first.get_by_role("link", name="The visit"), "results")
    shown = self.page.locator("main").inner_text()
    assert all(f"{name}-entrant" in shown for name in AUTHORS[:2]), shown


AUTHORS = ("ana", "ben", "cleo")


def player(self: Visitor, game: str) -> Iterator[None]:
    """Play a short match, and then the next one; a server that was killed has forgotten it."""
    while True:
        kills, lines = self.house.kills, 0
        self.go(f"/play?game={game}", "play")
        self.page.evaluate("localStorage.setItem('ordago.pace', 'none')")
        self.page.get_by_text("All options").click()
        for name, value in SHORT.get(game, {}).items():
            option = self.page.locator(f"#option-{name}")
            option.select_option(value) if option.evaluate("each => each.tagName") == "SELECT" else option.fill(value)
        for opponent in self.page.locator("select[data-opponent]:visible").all():
            opponent.select_option("chance")
        self.click(self.page.get_by_role("button", name="Deal the cards"), "table")
        while kills == self.house.kills and not self.page.locator("#play-end").is_visible():
            self.page.wait_for_selector(DUE)
            click_on(self.page, 7, lines=(lines := lines + 40))
            self.collect()
            yield
        if kills == self.house.kills:
            self.done["match played"] += 1
            self.click(self.page.get_by_role("link", name="Replay"), "own replay")
        yield
