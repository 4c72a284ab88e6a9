"""Plain values for ``templates/parts/bracket.html.jinja``: the columns of a bracket, from its first stage to the final.

A table stands beside those that its entrants come from: tables of a stage are in the order in which the next stage, or
the seeds if it has not begun, brings them together.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ordago.scene import Sentence, sentence
from ordago_ladder.schedule.elimination import Bracket, Contender, Contest, Part, Place


class Card(NamedTuple):
    """A table in a column, or an entrant with a bye."""

    number: int
    """The number of the table; 0 for one that is not known yet, and for a bye."""
    contenders: tuple[Contender, ...]
    """The entrants in the order of their seeds; empty while they are unknown."""
    bye: str
    """The entrant with a bye; empty for a table."""
    sets: int
    play_offs: int
    decided_by: str


class Column(NamedTuple):
    """A stage of one part of a bracket."""

    title: Sentence
    cards: tuple[Card, ...]


class BracketPart(NamedTuple):
    """The upper bracket, the lower one, or the final of a double elimination; a knockout is one part."""

    title: Sentence | None
    columns: tuple[Column, ...]


class BracketView(NamedTuple):
    """A bracket as it is shown."""

    parts: tuple[BracketPart, ...]
    places: tuple[Place, ...]
    seeding: Sentence
    """The order of the seeds in words."""


_UNKNOWN: Final = Card(0, (), "", 0, 0, "")
_LATE: Final = (sentence("Final"), sentence("Semifinals"), sentence("Quarterfinals"))
_OF_TWO: Final = 2
"""The size of the tables of a knockout whose last rounds have names."""


def bracket_view(bracket: Bracket, *, double: bool, seeding: Sentence) -> BracketView:
    """Return a bracket as it is shown."""
    upper, lower, final = (
        [_column(bracket, part, stage) for stage in _stages(bracket, part)] for part in ("upper", "lower", "final")
    )
    if not double:
        size = len(bracket.contests[0].contenders)
        columns = tuple(_knockout(_ordered([*upper, *final]), size=size))
        return BracketView((BracketPart(None, columns),), bracket.places, seeding)
    finals = zip((sentence("Final"), sentence("Second final")), final, strict=False)
    parts = (
        BracketPart(sentence("Upper bracket"), _rounds(_ordered(upper))),
        BracketPart(sentence("Lower bracket"), _rounds(lower)),
        BracketPart(sentence("Final"), tuple(Column(title, tuple(cards)) for title, cards in finals)),
    )
    return BracketView(tuple(part for part in parts if part.columns), bracket.places, seeding)


def _stages(bracket: Bracket, part: Part) -> list[int]:
    """Return the numbers of the stages with tables in a part of the bracket."""
    if part == "final":
        return sorted({len(bracket.stages), *(one.stage for one in bracket.contests if one.part == "final")})
    tables = [stage.upper if part == "upper" else stage.lower for stage in bracket.stages[:-1]]
    return [number for number, some in enumerate(tables, start=1) if some]


def _column(bracket: Bracket, part: Part, stage: int) -> list[Card]:
    """Return the tables of a stage: as they are, or unknown ones if it has not begun."""
    known = [_card(one) for one in bracket.contests if (one.stage, one.part) == (stage, part)]
    if known or stage > len(bracket.stages):
        return known
    planned = bracket.stages[stage - 1]
    return [_UNKNOWN] * len(planned.lower if part == "lower" else planned.upper)


def _card(one: Contest) -> Card:
    contenders = tuple(sorted(one.contenders, key=lambda contender: contender.seed))
    return Card(one.number, contenders, "", one.sets, one.play_offs, one.decided_by)


def _ordered(columns: Sequence[list[Card]]) -> list[list[Card]]:
    """Return the columns with each card beside those that it comes from."""
    ordered: list[list[Card]] = []
    for column in reversed(columns):
        after = ordered[0] if ordered else []
        known = bool(after) and any(card.contenders for card in after)
        fed = list(_fed(column, after)) if known else _by_seeds(column)
        ordered.insert(0, fed)
    return ordered


def _fed(column: Sequence[Card], after: Sequence[Card]) -> Iterator[Card]:
    """Yield the cards of a column in the order in which their entrants sit in the next one."""
    at = {contender.entrant: card for card in column for contender in card.contenders}
    seen: set[int] = set()
    for name in (contender.entrant for card in after for contender in card.contenders):
        card = at.get(name, _UNKNOWN._replace(bye=name))
        if card.bye or (card.number and card.number not in seen):
            seen.add(card.number)
            yield card


def _by_seeds(column: Sequence[Card]) -> list[Card]:
    """Return the tables so that the first is beside the last, and so on: the winners of both meet next."""
    order = [0]
    while len(order) < len(column):
        order = [at for one in order for at in (one, 2 * len(order) - 1 - one)]
    return [column[at] for at in order] if len(order) == len(column) else list(column)


def _knockout(columns: Sequence[Sequence[Card]], *, size: int) -> Iterator[Column]:
    for at, cards in enumerate(columns):
        from_end = len(columns) - at
        late = from_end == 1 or (size == _OF_TWO and from_end <= len(_LATE))
        yield Column(_LATE[from_end - 1] if late else _round(at), tuple(cards))


def _rounds(columns: Sequence[Sequence[Card]]) -> tuple[Column, ...]:
    return tuple(Column(_round(at), tuple(cards)) for at, cards in enumerate(columns))


def _round(at: int) -> Sentence:
    return sentence("Round {number}", number=at + 1)
