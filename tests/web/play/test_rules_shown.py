"""The rules beside a table: the page for people, whose link to the exact rules does not leave the table."""

import re

import pytest
from support.markup import faults
from web.play.test_play_over_http import Guest, opened

from ordago.games import game_names
from ordago_web.play.pages import address_on_rule_page

pytestmark = pytest.mark.virtual_time


async def test_the_page_for_people_is_shown_and_leads_to_the_exact_one() -> None:
    async with opened() as site:
        text = (await Guest(site).get("/play?game=mus")).text
    assert faults(text) == []
    assert re.search(r"<h2[^>]*>Mus</h2>", text)
    assert '<a href="/docs/rules/mus-for-bots/" target="_blank">' in text
    assert 'href="/docs/rules/mus/"' in text


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("mus-for-bots.md", "/docs/rules/mus-for-bots/"),
        ("../mus-for-bots.md", "/docs/rules/mus-for-bots/"),
        ("../../tournaments/ordago_ladder/assets/rules/mus-order.svg", "/assets/rules/mus-order.svg"),
        ("../../../tournaments/ordago_ladder/assets/rules/mus-order.svg", "/assets/rules/mus-order.svg"),
        ("../../tournaments/ordago_ladder/assets/rules/../site.css", None),
        ("../../tournaments/ordago_ladder/assets/site.css", None),
        ("https://example.org/mus", "https://example.org/mus"),
        ("../../secret-for-bots.md", None),
        ("//example.org/x-for-bots.md", None),
        ("javascript:alert(1)", None),
        ("other.md", None),
    ],
)
def test_other_links_lead_nowhere(link: str, address: str | None) -> None:
    assert address_on_rule_page(link) == address


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("game", game_names())
async def test_the_pictures_of_a_rule_page_are_served(game: str, language: str) -> None:
    async with opened() as site:
        guest = Guest(site)
        text = (await guest.get(f"/play?game={game}", accept_language=language)).text
        pictures = set(re.findall(r'<img [^>]*src="(/assets/rules/[^"]+)"', text))
        answers = {picture: (await guest.get(picture)).status for picture in pictures}
    assert len(answers) >= 4
    assert set(answers.values()) == {200}
