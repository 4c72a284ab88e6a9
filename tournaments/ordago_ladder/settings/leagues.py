"""Inconsistencies between the keys of a league."""

from collections import Counter
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from ordago_ladder.settings.sections import EntrantSettings, EventSettings, GameSettings
from ordago_ladder.settings.written_values import ELIMINATION


def league_problems(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    """Yield a sentence for each inconsistency in a league. Later ones are only looked for if there are no earlier."""
    problems = [*_group_problems(event, entrants), *_final_problems(event, games)]
    yield from problems or _size_problems(event, games, entrants)


def _group_problems(event: EventSettings, entrants: Sequence[EntrantSettings]) -> Iterator[str]:
    if event.advance is None:
        yield "[event]: the format league needs the number that go on from each group; write 'advance'"
    unnamed = [number for number, entrant in enumerate(entrants, start=1) if not entrant.group]
    if len(unnamed) == len(entrants):
        if event.groups is None:
            yield "[event]: the format league needs a number of groups; write 'groups', or 'group' in every [[entrant]]"
        elif event.groups > len(entrants):
            yield f"[event]: 'groups' is {event.groups}, and there are only {len(entrants)} entrants; draw fewer groups"
    elif unnamed:
        yield f"[[entrant]] {unnamed[0]}: it has no 'group', and others have; write it in every [[entrant]], or in none"
    elif event.groups is not None:
        yield "[event]: 'groups' draws groups, and the entrants name theirs; remove it, or 'group' of every [[entrant]]"


def _final_problems(event: EventSettings, games: Sequence[GameSettings]) -> Iterator[str]:
    if event.final_format in ELIMINATION:
        if len({game.table_size for game in games}) > 1:
            listed = ", ".join(f"{game.name} {game.table_size}" for game in games)
            yield (
                "[event]: in a 'final' with a bracket all games take the same number of entrants at a table, not "
                f'{listed}; write final = "round-robin"'
            )
        return
    for key in ("play_offs", "skip_decided"):
        if getattr(event, key) is not None:
            yield f"[event]: {key!r} is for a 'final' with a bracket, not for {event.final}; remove it"


def _size_problems(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    size, name = max((game.table_size, game.name) for game in games)
    sizes, advance = Counter(group_names(event, entrants)), event.advance or 0
    smallest, group = min((count, group) for group, count in sizes.items())
    place = f"group {group!r} has {smallest} entrants"
    if smallest < size:
        yield f"{place}, and a table of {name} takes {size}; make fewer groups ('groups', or 'group' of an [[entrant]])"
    elif advance >= smallest:
        yield f"[event]: 'advance' takes less than a group has, and {place}, not {advance}"
    elif len(sizes) * advance < size:
        yield (
            f"[event]: {len(sizes) * advance} entrants go on to the final, and a table of {name} takes {size}; let "
            "more 'advance', or make more 'groups'"
        )


def group_names(event: EventSettings, seeds: Sequence[EntrantSettings]) -> list[str]:
    """Return the group of each entrant: the one that it names, or the one that it is drawn into.

    Drawn groups have letters. Seeds go from the first group to the last, then back, and so on.

    Args:
        event: the terms of a league.
        seeds: its entrants, best seed first.
    """
    if event.groups is None:
        return [entrant.group for entrant in seeds]
    letters = ascii_uppercase[: event.groups]
    back_and_forth = letters + letters[::-1]
    return [back_and_forth[number % len(back_and_forth)] for number in range(len(seeds))]
