"""Lessons played: the referee takes the choices of the script, and the table is what the seat of the reader sees."""

import json
from collections.abc import Sequence
from typing import Any, Final

from ordago.cards import card_of
from ordago.games.definition import AnyGame
from ordago.match import FaultTerms, Match, MatchTerms, Reply, SeatTerms, TimeTerms, single_match_terms
from ordago.scene import Section
from ordago_ladder.showing.scene_json import Json, Translate, patched
from ordago_web.play.answers import read_answer
from ordago_web.play.lessons.lesson import NEXT_DEAL, READER, Explanation, Lesson, Table
from ordago_web.play.opponents import NAMES
from ordago_web.play.seat_view import SeatView

_READER_NAME: Final = "Kim"


class LessonError(ValueError):
    """A choice in a lesson that the rules do not allow. The author of the lesson erred."""


def played(game: AnyGame, lesson: Lesson, translate: Translate = str) -> dict[str, Json]:
    """Return a lesson as JSON for its script: a match of one deal for ``course.js``, and explanations at its steps.

    The shape, where DECISION is as ``decision_json`` describes it, and ``answer`` what the lesson answers to it::

        {"faces": "jass", "seats": [{"name": "…", "side": 0}],
         "deals": [{"title": "", "scene": SCENE, "steps": [STEP]}],
         "pages": [{"at": 3, "words": "…", "decision": DECISION, "answer": {"action": 1}}]}

    Raises:
        LessonError: the rules do not allow a choice.
        LookupError: a fact of an explanation is not so.
    """
    table = _Table(game, lesson, translate)
    for part in lesson.script:
        if isinstance(part, Explanation):
            table.explain(part)
        elif part == NEXT_DEAL:
            table.deal()
        else:
            for words in part.split(" | "):
                table.choose(words)
    names, sides = table.names, game.rules.sides(lesson.seats)
    return {
        "faces": game.staging.faces,
        "seats": [{"name": name, "side": side} for name, side in zip(names, sides, strict=True)],
        "deals": [{"title": "", "scene": table.empty, "steps": table.steps}],
        "pages": table.pages,
    }


class _Table:
    """A lesson while it is played."""

    def __init__(self, game: AnyGame, lesson: Lesson, translate: Translate) -> None:
        self.names = (_READER_NAME, *NAMES)[: lesson.seats]
        terms = _terms(game, lesson, self.names)
        self._translate = translate
        self._match = Match(terms)
        self._match.begin()
        self._match.step(None)
        self._english, self._shown = SeatView(terms, READER), SeatView(terms, READER, translate)
        self.empty = self._shown.scene
        self.steps: list[dict[str, Json]] = [{"told": ""}]
        self.pages: list[dict[str, Json]] = []
        self._tables = [Table(self._english.scene, self._shown.scene)]
        """The table at each step, from which explanations take their facts."""
        self._asked = False
        self._add(self._english.begin(), self._shown.begin())
        self.deal()

    def _add(self, english: Sequence[Json], shown: Sequence[Json]) -> None:
        """Add steps. The next explanation is about the last of them before another deal begins."""
        begins = (number for number, step in enumerate(shown) if step.get("section") == Section.DEAL)
        self._at = len(self.steps) - 1 + next(begins, len(shown))
        self.steps += shown
        for one, other in zip(english, shown, strict=True):
            english_scene, shown_scene = self._tables[-1]
            self._tables.append(Table(patched(english_scene, one["patch"]), patched(shown_scene, other["patch"])))

    def deal(self) -> None:
        """Let the next explanation be about the table after all steps."""
        self._at = len(self.steps) - 1

    def explain(self, explanation: Explanation) -> None:
        words = explanation.at(self._tables[self._at]).written(self._translate)
        page: dict[str, Json] = {"at": self._at, "words": words}
        if explanation.asks:
            # Neither default nor signals: a reader chooses by what was explained.
            offers = self._shown.decision(1)["offers"]
            page["decision"] = {"number": 1, "offers": offers, "default": {"words": ""}}
        self._asked = explanation.asks
        self.pages.append(page)

    def choose(self, words: str) -> None:
        answer = answer_of(words, self._english.decision(1)["offers"])
        if self._asked:
            self.pages[-1]["answer"] = answer
            self._asked = False
        message = read_answer(json.dumps({"decision": 1, **answer}).encode()).answer
        entries = self._match.step(Reply(message.SerializeToString(), 0.0)).entries
        if not entries:
            raise LessonError(f"{words!r} was refused")
        for entry in entries:
            self._add(self._english.chosen(entry), self._shown.chosen(entry))


def _terms(game: AnyGame, lesson: Lesson, names: Sequence[str]) -> MatchTerms:
    return single_match_terms(
        game=game,
        options=lesson.options,
        seats=[SeatTerms(name) for name in names],
        secret=lesson.seed.to_bytes(32),
        event="lesson",
        nonces={},
        time=TimeTerms(),
        faults=FaultTerms(),
    )


def answer_of(words: str, offers: Sequence[Json]) -> dict[str, Any]:
    """Return the answer that some words of a script stand for: a button, then an amount or cards.

    Raises:
        LessonError: there is no such button.
        ValueError: there is no such card.
    """
    named = [(offer["words"].removesuffix("…"), offer["action"]) for offer in offers]
    # The longest: one button may begin like another.
    fitting = sorted((name, action) for name, action in named if f"{words} ".startswith(f"{name} "))
    if not fitting:
        raise LessonError(f"{words!r} is none of: {', '.join(offer['words'] for offer in offers)}")
    name, action = max(fitting, key=lambda each: len(each[0]))
    found: dict[str, Any] = {"action": action}
    for part in words[len(name) :].split():
        if part.lstrip("-").isdigit():
            found["amount"] = int(part)
        else:
            found.setdefault("cards", []).append(card_of(part))
    return found
