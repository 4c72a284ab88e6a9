"""The pages of a ladder as they are sent: what is on them, and what a hostile visitor or name makes of them."""

import http.client
import json
import re
from html import unescape
from urllib.parse import quote, urlsplit

import pytest
from support.lively_ladder import HEBREW, MARKUP, NAMES, WIDE
from support.markup import faults

BOTS = ["/bots?name=.." if name == ".." else f"/bots/{quote(name, safe='')}" for name in NAMES]
PAGES = ["/", "/games/mus", "/likelihoods", "/courses", "/compare", "/matches", "/epochs", "/seasons", "/api"]


def ask(site, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    told = {name.lower(): value for name, value in answer.getheaders()}
    return answer.status, told, body.decode(errors="replace")


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PAGES, *BOTS, "/authors/Anna", "/compare?first=Anna&second=.."])
def test_pages_are_sent_with_a_tag_and_without_the_markup_of_names(site, path: str):
    status, headers, body = ask(site, path)
    assert status == 200
    assert "<script>alert" not in body
    assert faults(body) == []
    assert " style=" not in body
    again, _, nothing = ask(site, path, **{"If-None-Match": headers["etag"]})
    assert (again, nothing) == (304, "")


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PAGES[:8], *BOTS, "/authors/Anna", "/compare?first=Anna&second=Bert"])
def test_links_of_pages_lead_somewhere(site, path: str):
    """A name of dots, slashes and question marks is found by its link, too."""
    links = {unescape(link) for link in re.findall(r'href="(/[^"#]*)"', ask(site, path)[2])}
    seen = {link for link in links if not link.startswith(("/matches/", "/assets", "/docs", "/live"))}
    assert {link: ask(site, link)[0] for link in seen if ask(site, link)[0] != 200} == {}


def test_hostile_names_are_shown_as_text(site):
    body = ask(site, "/")[2]
    for name in (MARKUP, WIDE, HEBREW):
        assert f">{name.replace('<', '&lt;').replace('>', '&gt;')}</a>" in body


def test_the_language_of_a_bot_is_told_by_what_it_was_built_with(site):
    assert "Python" in ask(site, "/bots/Bert")[2]
    body = ask(site, "/")[2]
    assert 'data-language="Go"' in body
    assert 'data-language="a &lt;b&gt;library&lt;/b&gt; of its own"' in body


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/?pageSize=x", 400),
        ("/?pageSize=-1", 400),
        ("/?nonsense=1", 400),
        ("/?house=maybe", 400),
        ("/?namePart=a&namePart=b", 400),
        ("/?pageToken=!!!", 400),
        ("/?namePart=%00", 400),
        ("/?namePart=%ff%fe", 200),
        (f"/?namePart={'x' * 600}", 400),
        (f"/?namePart={'x' * 10_000}", 400),
        ("/?namePart=%01%1b%7f%e2%80%ae", 400),
        ("/?season=../../etc", 404),
        ("/?game=mus&currentOnly=false", 400),
        ("/games/unheardof", 404),
        ("/games/..%2f..", 404),
        ("/bots/nobody", 404),
        ("/bots/", 404),
        ("/bots/Anna?name=Bert", 400),
        ("/bots", 303),
        ("/bots/Anna?season=-", 200),
        ("/authors/nobody", 404),
        ("/compare?first=Anna", 200),
        ("/compare?first=Anna&second=nobody", 404),
        ("/courses?bot=Anna&bot=Bert", 200),
        ("/courses?" + "&".join(f"bot={number}" for number in range(9)), 400),
        (f"/courses?bot={'x' * 65}", 400),
        ("/courses?bot=%E2%80%AE", 404),
        ("/matches?epoch=1e9", 400),
        ("/matches?epoch=999", 200),
        ("/matches?running=1", 400),
        ("/matches/nothing", 404),
        ("/matches/%3Cscript%3E", 404),
        ("/epochs?pageToken=e30=", 400),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(site, path: str, status: int):
    found, _, body = ask(site, path)
    assert found == status
    assert "Traceback" not in body
    if status >= 400:
        [sentence] = re.findall(r'<p class="notice">(.*?)</p>', body)
        assert sentence.endswith(".")


def test_a_ladder_comes_by_pages_that_miss_nobody(site):
    path, names = "/?pageSize=4", []
    while path:
        body = ask(site, path)[2]
        names += re.findall(r'<th scope="row"><a href="[^"]*">([^<]*)</a>', body)
        further = re.search(r'<a href="([^"]*)" rel="next"', body)
        path = unescape(further[1]) if further else ""
    assert sorted(map(unescape, names)) == sorted(NAMES)


def test_a_ladder_is_filtered_without_scripts(site):
    rows = re.findall(r'<th scope="row">', ask(site, "/?namePart=an&house=&provisional=")[2])
    assert len(rows) == 2
    assert "solid" in ask(site, "/?house=true")[2]


def test_two_bots_are_compared_in_each_game(site):
    body = ask(site, "/compare?first=Anna&second=solid")[2]
    assert "Mittlere Jass" in body
    assert "is stronger than" in body
    assert "They have not met." in ask(site, "/compare?first=Anna&second=Anna")[2]


def test_an_epoch_that_is_not_revealed_tells_no_link(site):
    body = ask(site, "/epochs")[2]
    assert body.count("Its link in the chain") == 1
    assert body.count("<b>revealed</b>") == body.count("<b>sealed</b>") == 1


def test_of_a_match_is_told_what_may_be_known(site):
    matches = json.loads(ask(site, "/api/v1/matches")[2])["matches"]
    running, void, sealed, opened = (
        next(match for match in matches if fits(match))
        for fits in (
            lambda match: match["stage"] == "MATCH_STAGE_RUNNING",
            lambda match: match["voidReason"],
            lambda match: match["ended"] and not match["recordOpen"],
            lambda match: match["recordOpen"],
        )
    )
    assert f"/matches/{running['matchId']}/watch" in ask(site, f"/matches/{running['matchId']}")[2]
    assert "the server failed" in ask(site, f"/matches/{void['matchId']}")[2]
    public = ask(site, f"/matches/{sealed['matchId']}")[2]
    assert "The replay with all hands opens when the last match of the epoch is over." in public
    assert 'data-part="replay"' in public
    # As spectators saw it: there are no hands to look at, and no record.
    assert "data-look" not in public
    assert f"/matches/{sealed['matchId']}/record" not in public
    replay = ask(site, f"/matches/{opened['matchId']}")[2]
    assert f'href="/api/v1/matches/{opened["matchId"]}/record"' in replay
    assert 'data-part="replay"' in replay
    assert "data-look" in replay
    for page in (public, replay):
        assert '<h2 id="seats">' in page
    for match in (running, void):
        assert 'data-part="replay"' not in ask(site, f"/matches/{match['matchId']}")[2]


# The same over JSON.


def test_json_has_the_same_standings(site):
    status, headers, body = ask(site, "/api/v1/standings?currentOnly=true&pageSize=3")
    assert (status, headers["content-type"]) == (200, "application/json")
    told = json.loads(body)
    assert [standing["rank"] for standing in told["standings"]] == [1, 2, 3]
    again = ask(site, f"/api/v1/standings?currentOnly=true&pageSize=3&pageToken={quote(told['nextPageToken'])}")
    assert [standing["rank"] for standing in json.loads(again[2])["standings"]] == [4, 5, 6]
    assert ask(site, "/api/v1/standings?currentOnly=true&pageSize=3", **{"If-None-Match": headers["etag"]})[0] == 304


@pytest.mark.parametrize("name", NAMES)
def test_every_bot_is_found_by_json(site, name: str):
    path = quote(name, safe="") if name != ".." else "%2e%2e"
    assert json.loads(ask(site, f"/api/v1/bots/{path}")[2])["versions"][0]["player"]["name"] == name
    assert json.loads(ask(site, f"/api/v1/bots/{path}/figures")[2])["games"]


def test_a_record_is_a_file_once_it_is_open(site):
    matches = json.loads(ask(site, "/api/v1/matches?running=false")[2])["matches"]
    opened = next(match["matchId"] for match in matches if match["recordOpen"])
    status, headers, _ = ask(site, f"/api/v1/matches/{opened}/record")
    assert (status, headers["content-type"]) == (200, "application/octet-stream")
    assert headers["content-disposition"] == f'attachment; filename="{opened}.record"'
    sealed = next(match["matchId"] for match in matches if match["ended"] and not match["recordOpen"])
    assert ask(site, f"/api/v1/matches/{sealed}/record")[0] == 409


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/bots/nobody", 404),
        ("/api/v1/standings?page_size=1", 400),
        ("/api/v1/bots/Anna?name=Bert", 400),
        ("/api/v1/players/x/course", 400),
        ("/api/v1/players/99/course", 404),
        ("/api/v1/matches/%22%0d%0aSet-Cookie:x/record", 400),
        ("/api/v1/nothing", 404),
        ("/api/v2/ladder", 404),
    ],
)
def test_problems_are_json_with_a_sentence(site, path: str, status: int):
    found, headers, body = ask(site, path)
    assert (found, headers["content-type"]) == (status, "application/problem+json")
    assert json.loads(body)["detail"].endswith(".")
    assert "set-cookie" not in headers


def test_no_ladder_is_searched_by_a_script_which_sees_one_page_and_would_deny_the_bots_of_the_others(site):
    for place in ("/", "/?pageSize=2"):
        assert 'data-for="ladder-table"' not in ask(site, place)[2]


def test_fields_for_two_bots_propose_names(site):
    for body in (ask(site, place)[2] for place in ("/", "/likelihoods", "/compare")):
        assert '<option value="Bert">' in body
        assert '<option value="solid">' in body
