"""What stages show, for tests."""

from ordago.scene import Scene


def cards_shown(scene: Scene) -> list[int]:
    """Return all cards of a scene, seen or not."""
    groups = [*scene.table]
    for seat in scene.seats:
        groups += [seat.hand, seat.front, *seat.piles]
    return [card for group in groups for card in group.cards]
