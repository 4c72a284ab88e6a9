"""The live view of a match for browsers, built from the responses of ``WatchMatch`` without I/O."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ordago import v1
from ordago.games import UnknownGameError, find_game
from ordago.names import visible
from ordago.record.text import players_of
from ordago.record.watched import watched_heading
from ordago.scene import Section, Sentence, Stage, Telling, english
from ordago_ladder.pages.rendering import translated
from ordago_ladder.showing.scene_json import Json, Translate, patch, scene_json


class UntoldError(Exception):
    """A match that cannot be shown. The message gives the reason."""


_STRANGE: Final = english(
    "The server sent a message that this version of the site does not understand: install a newer one."
)


class LiveView:
    """A running match as the public sees it. It holds no hidden information."""

    def __init__(self, start: v1.WatchedStart, translate: Translate = str) -> None:
        """Begin before the first event, with the translation of all texts from English.

        Raises:
            UntoldError: this site cannot show the game, or does not understand the start.
        """
        self._translate = translate
        self._players = players_of(watched_heading(start))
        try:
            self._game = find_game(start.game)
            self._stage = self._begun(start)
            self._scene = scene_json(self._stage.scene(), translate)
        except (UnknownGameError, LookupError, ValueError) as error:
            raise UntoldError(_STRANGE) from error
        self._start = start
        self._latest: Sentence | None = None

    def _begun(self, start: v1.WatchedStart) -> Stage[Any]:
        if not self._game.staging.faces:
            raise UntoldError(
                english("{game} cannot be shown here yet: ordago watch shows it as text.", game=self._game.rules.title)
            )
        return self._game.staging.begin(players=self._players, options=self._game.codec.options_from(start.options))

    @property
    def described(self) -> dict[str, Json]:
        """The facts of the match: game, faces of the cards, delay in seconds, and seats."""
        return {
            "game": self._start.game,
            "title": translated(self._game.rules.title, self._translate),
            "faces": self._game.staging.faces,
            "delaySeconds": self._start.delay_seconds,
            "seats": [
                {"name": name, "version": visible(player.version), "side": player.side}
                for name, player in zip(self._players, self._start.players, strict=True)
            ],
        }

    @property
    def scene(self) -> dict[str, Json]:
        """The scene on the table now."""
        return self._scene

    def shown(self, translate: Translate) -> dict[str, Json]:
        """Return facts, scene and the sentence that was told last, through another translation."""
        words = self._latest.written(translate) if self._latest is not None else ""
        title, scene = translated(self._game.rules.title, translate), scene_json(self._stage.scene(), translate)
        return {**self.described, "title": title, "scene": scene, "told": words}

    def steps(self, events: Sequence[v1.Event]) -> Iterator[dict[str, Json]]:
        """Apply events, and yield a step for each.

        Raises:
            UntoldError: this version does not understand an event.
        """
        for event in events:
            try:
                telling = self._stage.apply(self._game.codec.event_from(event))
                scene = scene_json(self._stage.scene(), self._translate)
            except (LookupError, ValueError, TypeError) as error:
                raise UntoldError(_STRANGE) from error
            self._latest = telling.sentence or self._latest
            yield _step(telling, patch(self._scene, scene), self._translate)
            self._scene = scene


def _step(telling: Telling, changed: dict[str, Json], translate: Translate) -> dict[str, Json]:
    step: dict[str, Json] = {"patch": changed}
    if telling.sentence is not None:
        step["told"] = telling.sentence.written(translate)
    if telling.seat is not None:
        step["seat"] = telling.seat
    if telling.mark is not None:
        step["mark"] = telling.mark.title.written(translate)
        if telling.mark.section is Section.DEAL:
            step["deal"] = True
    return step


def ending(end: v1.WatchedEnd) -> dict[str, Json]:
    """Return the outcome of a match, or the reason why it is void."""
    if not end.HasField("outcome"):
        return {"outcome": None, "void": visible(end.sentence)}
    outcome = {"scores": list(end.outcome.scores), "placings": list(end.outcome.placings)}
    return {"outcome": outcome, "forfeits": [forfeit.seat for forfeit in end.forfeits]}


def message(event: str, value: Json, *, number: int | None = None) -> bytes:
    """Encode a message of an event stream."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    head = "" if number is None else f"id: {number}\n"
    return f"{head}event: {event}\ndata: {data}\n\n".encode()
