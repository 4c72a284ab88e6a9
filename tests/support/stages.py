"""What stages tell and show, for tests."""

from collections.abc import Hashable, Iterable, Sequence

from ordago.games.definition import AnyGame
from ordago.record.text import tell_events
from ordago.scene import Scene


def told(game: AnyGame, events: Iterable[Hashable], players: Sequence[str], **options: str | int) -> list[str]:
    """Return the lines in which a record tells some events."""
    stage = game.staging.begin(players=players, options=game.rules.options(options))
    return list(tell_events(events, stage, players=players))


def sentences(game: AnyGame, events: Iterable[Hashable], players: Sequence[str], **options: str | int) -> list[str]:
    """Return what is told of some events, one by one."""
    stage = game.staging.begin(players=players, options=game.rules.options(options))
    return [telling.sentence.written() for telling in map(stage.apply, events) if telling.sentence is not None]


def cards_shown(scene: Scene) -> list[int]:
    """Return all cards of a scene, seen or not."""
    groups = [*scene.table]
    for seat in scene.seats:
        groups += [seat.hand, seat.front, *seat.piles]
    return [card for group in groups for card in group.cards]
