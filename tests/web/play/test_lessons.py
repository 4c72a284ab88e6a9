"""Lessons follow the rules, say nothing about the table that is not so, and are the same page for everybody."""

import re

import pytest
from support.markup import faults
from web.play.test_play_over_http import Guest, opened

from ordago.games import find_game
from ordago.scene import sentence
from ordago_web.play.lessons.lesson import Explanation, Fact, Lesson, ask, explain, figure, held, last_word, lying
from ordago_web.play.lessons.pages import LESSONS, lesson_address
from ordago_web.play.lessons.played import LessonError, played

GAMES = sorted(LESSONS)
EXPLANATIONS = {game: [part for part in LESSONS[game].script if isinstance(part, Explanation)] for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_follows_the_rules_and_its_facts_are_so(game: str) -> None:
    shown = played(find_game(game), LESSONS[game])
    steps, pages = shown["deals"][0]["steps"], shown["pages"]
    assert [page["at"] for page in pages] == sorted(page["at"] for page in pages)
    assert 0 < pages[0]["at"] <= pages[-1]["at"] < len(steps)
    assert 10 <= len(pages) <= 16
    asked = [page for page in pages if "decision" in page]
    assert 2 <= len(asked) <= 4
    assert all(page["answer"]["action"] <= len(page["decision"]["offers"]) for page in asked)
    assert not any("{" in page["words"] for page in pages)


@pytest.mark.parametrize("game", GAMES)
def test_cards_and_scores_come_from_the_table(game: str) -> None:
    for explanation in EXPLANATIONS[game]:
        places = set(re.findall(r"{(\w+)}", explanation.words.words))
        assert places == explanation.facts.keys(), explanation.words.words
        assert not re.search(r"[♣♦♥♠]", explanation.words.words), explanation.words.words


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_shown_that_a_player_would_not_see(game: str) -> None:
    shown = played(find_game(game), LESSONS[game])
    first = shown["deals"][0]["steps"][1 : shown["pages"][0]["at"] + 1]
    hands = [
        seat["hand"]["cards"] for step in first for seat in step["patch"].get("seats", {}).values() if "hand" in seat
    ]
    assert sum(any(cards) for cards in hands) == 1


MITAINES = find_game("mitaines")
BEGIN = Lesson(2, {}, 4, ())


def lesson(*script: str | Explanation) -> None:
    played(MITAINES, BEGIN._replace(script=script))


@pytest.mark.parametrize("choice", ["Play 10♠", "Play", "Fold", "Play A♣ | Play A♣", "", "Play 10♣: glove of tens"])
def test_a_choice_that_the_rules_do_not_allow_is_found(choice: str) -> None:
    with pytest.raises(LessonError):
        lesson(choice)


def test_an_answer_that_the_referee_refuses_is_found() -> None:
    with pytest.raises(LessonError, match="refused"):
        lesson("Play 10♣ 7♣")


@pytest.mark.parametrize(
    "fact",
    [
        held("9♠"),
        lying("10♣"),
        held("J♥", seat=1),
        figure("score"),
        figure("tricks", 0),
        figure("score", 2),
        last_word(1),
    ],
)
def test_a_fact_that_is_not_so_is_found(fact: Fact) -> None:
    with pytest.raises(LookupError):
        lesson(explain(sentence("{fact}"), fact=fact))


def test_a_choice_of_the_reader_is_compared_with_that_of_the_lesson() -> None:
    script = (ask(sentence("Play.")), "Play A♣")
    page = played(MITAINES, BEGIN._replace(script=script))["pages"][0]
    offer = page["decision"]["offers"][page["answer"]["action"] - 1]
    assert offer["words"] == "Play A♣"


pages = pytest.mark.virtual_time


@pages
@pytest.mark.parametrize("game", GAMES)
async def test_the_page_is_the_same_for_everybody(game: str) -> None:
    async with opened() as site:
        guest = Guest(site)
        await guest.get(f"/play?game={game}")
        answers = [await each.get(lesson_address(game)) for each in (guest, Guest(site))]
    assert answers[0].text == answers[1].text
    for answer in answers:
        assert "set-cookie" not in answer.headers
        assert "no-store" not in answer.headers["cache-control"]
    assert faults(answers[0].text) == []
    assert answers[0].text.count("<li>") >= len(EXPLANATIONS[game])


@pages
async def test_there_is_no_lesson_of_an_unknown_game() -> None:
    async with opened() as site:
        for name in ("poker", "..", "%00", "Mus", "mus/"):
            assert (await Guest(site).get(f"/play/{name}/tutorial")).status == 404
    assert lesson_address("poker") == ""


@pages
@pytest.mark.parametrize("game", GAMES)
async def test_the_form_for_a_match_leads_to_the_lesson_and_back(game: str) -> None:
    async with opened() as site:
        guest = Guest(site)
        assert (await guest.get(f"/play?game={game}")).text.count(f'href="{lesson_address(game)}"') == 2
        text = (await guest.get(lesson_address(game))).text
        assert f'href="/docs/rules/{game}/"' in text
        form = re.search(r'href="(/play\?[^"]+)"', text)
        assert form
        filled = (await guest.get(form[1].replace("&amp;", "&"))).text
    assert '<option value="beginner" selected>' in filled
    assert 'value="set" checked' in filled
    for name, value in LESSONS[game].options.items():
        assert re.search(rf'id="option-{name}"[^>]*value="{value}"', filled) or f"<option selected>{value}<" in filled
