"""Pages of the site in a language that there is not: every text is asked for, and every text asked for is known."""

import json
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from babel.messages.pofile import read_po
from support.command_line import ROOT
from support.courses import play_course
from support.lively_ladder import NAMES, NOW, lively_ladder
from support.people import SHORT, ThinkingHere
from support.play_site import context_of
from support.pseudo import Pseudo, Untranslated
from support.served_site import ReadHere
from support.site import Visitor
from web import test_accounts, test_event_entry, test_rounds_and_brackets
from web.live import test_tables
from web.organise import test_organise_pages

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.games import find_game, game_names
from ordago.record import from_file_bytes
from ordago_ladder.pages.rendering import template
from ordago_ladder.showing.match_page import replay_values, script_words
from ordago_web import answers, languages, pages
from ordago_web.access.bounds import AddressBounds, Limits
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.ladder import match_pages
from ordago_web.ladder_source import LadderSource
from ordago_web.live import tables
from ordago_web.live.tables import LiveTables
from ordago_web.pages import ACCOUNT, DOCUMENTATION, EVENTS, LADDER, PLAY, Pages
from ordago_web.play import pages as play_pages
from ordago_web.play.sessions import PlaySessions
from ordago_web.play.wishes import FRIEND
from ordago_web.site import site

pytestmark = [pytest.mark.virtual_time, pytest.mark.slow]

CORPUS = ROOT / "tests/corpus"
NAVIGATION = [*LADDER, *EVENTS, *PLAY, *DOCUMENTATION, *ACCOUNT]
PSEUDO = Pseudo()
# Names of the project, of units and formats, and the own names of languages.
PLAIN = {"Ordago", "JSON", "Elo", "ms", "s", "UTC", *languages.LANGUAGES.values()}
CARDS = json.loads((ROOT / "proto/cards.json").read_text(encoding="utf-8"))["cards"]
KEYS = ("Home", "End", "PageUp", "PageDown", "Shift+←", "Shift+→")
SIGNS = [card["sign"] for card in CARDS]
OPTIONS = [
    str(word)
    for name in game_names()
    for spec in find_game(name).rules.option_specs
    for word in (spec.name, *spec.choices, "true", "false")
]
FILES = {"ladder.json", "ladder.csv", "ladder.pgn", "ledger.jsonl", "event.toml", "openapi.json"}


@pytest.fixture(autouse=True)
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pseudo]:
    """Show all pages in a language that there is not, without the rules, which are pages of their own."""
    made = PSEUDO
    for module in (pages, answers, play_pages, match_pages, tables):
        monkeypatch.setattr(module, "translations", lambda _language: made)
    monkeypatch.setattr(pages, "script_catalogue", lambda _language: "")
    monkeypatch.setattr(play_pages, "rule_page", lambda _game, *, language: "")  # noqa: ARG005 - as it is called
    yield made
    asked = {
        text for text in made.asked - catalogued() if set(re.sub(r"\{\w+\}", "", text)) & set(string.ascii_letters)
    }
    assert asked <= said, "texts that are not in the catalogue"


@cache
def catalogued() -> set[str]:
    with (ROOT / "tournaments/ordago_ladder/locale/ordago.pot").open("rb") as file:
        return {one.id if isinstance(one.id, str) else one.id[0] for one in read_po(file)}


said = {
    *(f"There is no {what} on this ladder." for what in ("season '4711'", "bot '4711'", "match 4711")),
}
"""What servers say in English, which no catalogue knows."""


def words_of(*texts: str) -> set[str]:
    return {word.strip("(),.:;…–“”·") for text in texts for word in text.split()}


def assert_translated(page: str, *plain: str) -> None:
    assert Untranslated(page).left(PLAIN | FILES | words_of(*plain)) == set()


def test_a_text_that_is_not_translated_is_found() -> None:
    page = '<p title="⟦b⟧">⟦a <b>c</b> ⟦d⟧⟧ e</p><p aria-label="⟦f⟧ g">⟦g⟧<br></p><code>h</code><p lang="en">i</p>j'
    assert Untranslated(page).found == ["e", "g", "j"]
    assert Untranslated('<script type="application/json">{"a": [{"told": "⟦k⟧ l", "name": "m"}]}</script>').found == [
        "l"
    ]


# The site without anything, and play.


@pytest.fixture
async def playing(nursery: trio.Nursery) -> Visitor:
    sessions = PlaySessions(ThinkingHere())
    await nursery.start(sessions.run)
    return Visitor(site(context_of(sessions)))


@pytest.mark.parametrize(
    "address", ["/", "/no-such-page", "/play/1", "/events/none/", *(f"/play?game={name}" for name in game_names())]
)
async def test_no_english_is_left_where_a_visitor_begins(playing: Visitor, address: str) -> None:
    assert_translated((await playing.get(address)).text)


async def begun(visitor: Visitor, game: str, **fields: str) -> Any:
    csrf = test_accounts.csrf_of(await visitor.get("/play"))
    form = {"csrf": csrf, "game": game, "length": "set", **SHORT.get(game, {}), **fields}
    return await visitor.post("/play", form)


@pytest.mark.parametrize("game", game_names())
async def test_no_english_is_left_at_a_table(playing: Visitor, game: str) -> None:
    answer = await begun(playing, game, name="4711")
    address = answer.headers["location"]
    assert_translated((await playing.get(address)).text, *NAMES_AT_TABLES)
    await trio.sleep(1)
    async with playing.opened("GET", f"{address}/events") as (_, parts):
        events = (await anext(parts)).decode()
    for data in re.findall(r"^data: (.*)$", events, re.MULTILINE):
        page = f'<script type="application/json">{data}</script>'
        assert_translated(page, *NAMES_AT_TABLES)
    await playing.post(f"{address}/leave", {"csrf": test_accounts.csrf_of(await playing.get(address))})
    assert_translated((await playing.get(f"{address}/record")).text)
    assert_translated((await playing.get("/play")).text)


NAMES_AT_TABLES = list(play_pages.read_wish({"game": "taihe", "players": "5"}).names)


@pytest.mark.parametrize(
    "fields",
    [{"seat": "9"}, {"opponent-1": "4711"}, {"length": "4711"}, {"name": "47\u202e11"}, {"option-target": "-4711"}],
)
async def test_no_english_is_left_where_a_form_is_refused(playing: Visitor, fields: dict[str, str]) -> None:
    answer = await begun(playing, "mus", **fields)
    assert answer.status == 422
    plain = ("seat", "length", "opponent-1", "'target'", "set", "'47\\u202e11'", "short", "medium", "default", "long")
    assert_translated(answer.text, *plain, *play_pages.STRENGTHS)


async def test_no_english_is_left_where_too_much_is_asked() -> None:
    context = AppContext(pages=Pages(), limits=Limits(AddressBounds(reads_at_once=1, reads_per_second=0.1)))
    visitor = Visitor(site(context))
    await visitor.get("/no-such-page")
    answer = await visitor.get("/no-such-page")
    assert answer.status == 429
    assert_translated(answer.text)
    told = json.loads((await visitor.get("/no-such-page", accept="*/*")).text)
    assert told["detail"].startswith("⟦"), "scripts show it to people"


# A ladder.

HOUSE = ("Go", "Python", "a", "<b>library</b>", "of", "its", "own", "lively", "ladder", "A")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with lively_ladder(tmp_path_factory.mktemp("lively")) as made:
        yield made


@pytest.fixture
async def ladder(reader: Any, tmp_path: Path) -> Visitor:
    source = LadderSource(ReadHere(reader))
    return Visitor(
        site(AppContext(pages=Pages(NAVIGATION), now=lambda: NOW, ladder=source, events=EventFolders(parent=tmp_path)))
    )


@pytest.mark.parametrize(
    "address",
    [
        *("/", "/games/mus", "/games/taihe", "/bots/Anna", "/bots/solid", "/authors/Anna", "/likelihoods", "/courses"),
        *("/compare", "/compare?first=Anna&second=Bert", "/courses?bot=Anna&bot=Bert", "/seasons", "/epochs", "/api"),
        *("/matches", "/matches?bot=Anna", "/docs", "/docs/no-such-page", "/events", "/events/none/", "/account"),
        *(
            "/?pageSize=x",
            "/?pageSize=-1",
            "/?nonsense=1",
            "/?house=maybe",
            "/?namePart=a&namePart=b",
            "/compare?first=4711",
        ),
        *("/?pageToken=!!!", "/?namePart=%00", f"/?namePart={'4' * 600}", "/?season=4711", "/games/4711", "/bots/4711"),
        *(
            "/authors/4711",
            "/courses?" + "&".join(f"bot={number}" for number in range(9)),
            "/matches/4711",
        ),
    ],
)
async def test_no_english_is_left_on_a_page_of_a_ladder(ladder: Visitor, address: str) -> None:
    asked = ("nonsense", "maybe", "'x'", "'maybe'", "'nonsense'", "true", "false", "namePart", "pageSize", "house")
    assert_translated((await ladder.get(address)).text, *NAMES, *HOUSE, *asked)


async def test_no_english_is_left_on_a_page_of_a_match(ladder: Visitor) -> None:
    listed = (await ladder.get("/matches")).text
    for address in sorted(set(re.findall(r'href="(/matches/\w+(?:/replay)?)"', listed)))[:8]:
        page = await ladder.get(address)
        assert_translated(
            page.text,
            *NAMES,
            *HOUSE,
            *KEYS,
            *SIGNS,
            *OPTIONS,
            "random",
            "default",
            "solid:worlds=2",
            "the server failed",
        )


# Live tables.


async def test_no_english_is_left_on_live_pages(nursery: trio.Nursery) -> None:
    server = test_tables.Server()
    live = LiveTables(server.opened)
    await nursery.start(live.run)
    source = LadderSource(server)
    visitor = Visitor(site(AppContext(pages=Pages(NAVIGATION), now=lambda: 0.0, ladder=source, live=live)))
    plain = ("</script><b>\\u202e", "</script><b>")
    for address in ("/live", "/matches/m1/watch", "/matches/m1", "/matches/m1/live?4711"):
        if address.endswith("4711"):
            server.responses.put(CallError("UNAVAILABLE", "4711"))
        assert_translated((await visitor.get(address)).text, *plain)


# Accounts and events.


@pytest.fixture
async def author() -> SimpleNamespace:
    server = test_accounts.Server()
    context = AppContext(pages=Pages(NAVIGATION), accounts=server)  # type: ignore[arg-type]
    return SimpleNamespace(server=server, visitor=Visitor(site(context)))


async def test_no_english_is_left_on_the_pages_of_an_account(author: SimpleNamespace) -> None:
    visitor = author.visitor
    shown = [await visitor.get("/account")]
    csrf = {"csrf": test_accounts.csrf_of(shown[0])}
    shown += [await visitor.post("/account/sign-in", {**csrf, "token": "4711"})]
    shown += [await visitor.post("/account/sign-in", {"token": "4711"})]
    shown += [await visitor.post("/account/tokens", csrf)]
    shown += [await visitor.post("/account/join", {**csrf, "invitation": "4711"}) for _ in range(12)]
    await visitor.post("/account/sign-in", {**csrf, "token": test_accounts.TOKEN})
    shown += [await visitor.get("/account")]
    csrf = {"csrf": test_accounts.csrf_of(shown[-1])}
    shown += [await visitor.post("/account/tokens", {**csrf, "days": "0"})]
    shown += [await visitor.post("/account/tokens", {**csrf, "days": "1"})]
    await visitor.post("/account/tokens/revoke", {**csrf, "id": "t1"})
    shown += [await visitor.get("/account")]
    without = Visitor(site(AppContext(pages=Pages(NAVIGATION), connecting="--address 4711:1")))
    shown += [await without.get("/account")]
    for page in shown:
        assert_translated(page.text, "ana", "<b>sota", "play")


async def test_no_english_is_left_on_the_pages_of_entry(tmp_path: Path) -> None:
    server = test_event_entry.Server()
    events = EventFolders(parent=tmp_path)
    visitor = Visitor(site(AppContext(pages=Pages(NAVIGATION), accounts=server, events=events)))  # type: ignore[arg-type]
    place = "/events/friday/entry"
    shown = [await visitor.get(place), await visitor.get("/events"), await test_event_entry.signed_in(visitor)]
    csrf = {"csrf": test_accounts.csrf_of(shown[-1])}
    await visitor.post(place, {**csrf, "entrant": "4711"})
    shown += [await visitor.get(place)]
    server.event.stage = v1.HOSTED_EVENT_STAGE_PLAYING
    shown += [await visitor.get(place)]
    for page in shown:
        assert_translated(page.text, "Friday", test_event_entry.HTML)


async def test_no_english_is_left_on_the_pages_of_organisers(tmp_path: Path) -> None:
    server = test_organise_pages.Server()
    events = EventFolders(parent=tmp_path)
    visitor = Visitor(site(AppContext(pages=Pages(NAVIGATION), accounts=server, events=events)))  # type: ignore[arg-type]
    shown = [await visitor.get("/organise")]
    csrf = {"csrf": await test_organise_pages.signed_in(visitor, "root")}
    for place in ("", "/new", "/new?begin=swiss", "/events/friday", "/invitations"):
        shown += [await visitor.get(f"/organise{place}")]
    shown += [await visitor.post("/organise/new", {**csrf, "text": test_organise_pages.CUP, "do": "write"})]
    shown += [await visitor.post("/organise/invitations", {**csrf, "account": "zoe"})]
    shown += [await visitor.post("/organise/events/friday/stop", {**csrf, "why": ""})]
    server.event.stage = v1.HOSTED_EVENT_STAGE_STOPPED
    shown += [await visitor.get("/organise/events/friday")]
    shown += [await visitor.post("/organise/events/friday/remove", csrf)]
    for page in shown:
        assert_translated(page.text, "Friday", "friday", test_organise_pages.HTML, "ola", "root", "zoe")


async def test_no_english_is_left_at_a_table_of_friends(playing: Visitor) -> None:
    answer = await begun(playing, "mus", **{"name": "4711", "opponent-1": FRIEND})
    place = answer.headers["location"]
    for visitor in (playing, Visitor(playing.application)):
        assert_translated((await visitor.get(place)).text, *NAMES_AT_TABLES, *OPTIONS)
    csrf = test_accounts.csrf_of(await playing.get(place))
    await playing.post(place, {"csrf": csrf, "do": "close"})
    assert_translated((await playing.get(place)).text)


# Published folders.


@pytest.mark.parametrize(
    ("form", "terms"),
    [
        *(("swiss", "rounds = 4"), ("knockout", ""), ("double-elimination", "play_offs = 1")),
        *(("league", "groups = 2\nadvance = 2"), ("league", 'groups = 2\nadvance = 2\nfinal = "round-robin"')),
    ],
)
@pytest.mark.parametrize("part", [None, 2])
def test_no_english_is_left_in_a_published_folder(pseudo: Pseudo, form: str, terms: str, part: int | None) -> None:
    settings = test_rounds_and_brackets.event(f'format = "{form}"\n{terms}')
    results = list(play_course(settings, seed=2).results)[:part]
    for text in test_rounds_and_brackets.pages_of(settings, results, translations=pseudo).values():
        assert_translated(text, "cup", "random", *test_rounds_and_brackets.NAMES)


@pytest.mark.parametrize("file", sorted(path.name for path in CORPUS.glob("*.record")))
def test_no_english_is_left_on_the_page_of_a_match(pseudo: Pseudo, file: str) -> None:
    record = from_file_bytes((CORPUS / file).read_bytes())
    values = replay_values(record, root="../", record_link="4711", back="../", translations=pseudo)
    page = template("told", pseudo).render(home="../", assets="../", **values)
    names = [name for seat in record.seats for name in (seat.name, seat.version)]
    assert_translated(page, *names, *KEYS, *SIGNS, *OPTIONS, record.match_id)


def test_every_word_of_a_script_is_asked_for(pseudo: Pseudo) -> None:
    assert all(words.startswith("⟦") for words in script_words(pseudo.gettext).values())


def test_every_card_has_a_name_in_each_language() -> None:
    known = script_words(lambda text: f"⟦{text}⟧")
    for card in CARDS:
        parts = re.fullmatch(r"(\w+) of (\w+)|trump \w+", card["name"])
        words = set(filter(None, parts.groups())) if parts else {card["name"]}
        assert words <= set(known), "asked for by cards.js"
