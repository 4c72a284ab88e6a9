"""Pages of the site in a language that there is not: every text is asked for, and every text asked for is known."""

import string

import pytest
import trio
from babel.messages.pofile import read_po
from support.command_line import ROOT
from support.people import ThinkingHere
from support.play_site import context_of
from support.pseudo import Pseudo, Untranslated
from support.site import Visitor

from ordago.games import find_game, game_names
from ordago_ladder.pages.rendering import environment
from ordago_web import pages
from ordago_web.play import pages as play_pages
from ordago_web.play.sessions import PlaySessions
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time

LANGUAGES = {"English", "Español", "Deutsch", "Italiano", "Français"}
PLAIN = {"Ordago", "JSON", *LANGUAGES}


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Pseudo:
    """Show all pages in a language that there is not, without the rules, which are pages of their own."""
    made = Pseudo()
    environment.cache_clear()
    monkeypatch.setattr(pages, "translations", lambda _language: made)
    monkeypatch.setattr(pages, "script_catalogue", lambda _language: "")
    monkeypatch.setattr(play_pages, "rule_page", lambda _game, *, language: "")  # noqa: ARG005 - as it is called
    return made


async def shown(address: str) -> str:
    async with trio.open_nursery() as nursery:
        sessions = PlaySessions(ThinkingHere())
        await nursery.start(sessions.run)
        text = (await Visitor(site(context_of(sessions))).get(address)).text
        nursery.cancel_scope.cancel()
    return text


def plain_words(game: str) -> set[str]:
    """Return the words of the form for a match that are the same in every language: names, options and their values."""
    rules = find_game(game).rules
    named = {spec.name for spec in rules.option_specs}
    values = {word for spec in rules.option_specs for word in (*spec.choices, "true", "false")}
    titles = {word for name in game_names() for word in find_game(name).rules.title.split()}
    return named | set(map(str, values)) | titles


@pytest.mark.parametrize("address", ["/", "/no-such-page", *(f"/play?game={name}" for name in game_names())])
async def test_no_english_is_left_on_a_page_of_the_site(pseudo: Pseudo, address: str) -> None:
    known = PLAIN | plain_words(address.partition("=")[2] or "mus")
    words = Untranslated(await shown(address)).found
    left = {word for word in words if set(word) & set(string.ascii_letters) and word.strip("(),.:…") not in known}
    assert left == set()
    with (ROOT / "tournaments/ordago_ladder/locale/ordago.pot").open("rb") as file:
        texts = {one.id if isinstance(one.id, str) else one.id[0] for one in read_po(file)}
    assert pseudo.asked - texts == set()
