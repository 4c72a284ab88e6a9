"""Games that are only names and seats, and events made of them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType, SimpleNamespace

import pytest

from ordago.game import OptionError, OptionKind, OptionSpec, option_values
from ordago.games import UnknownGameError, find_game
from ordago.record import Result
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.rating import results as results_module
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings import common as common_settings
from ordago_ladder.settings.settings import Settings


class FakeRules:
    """What an event asks of the rules of a game."""

    def __init__(self, name: str, *sides: tuple[int, ...]) -> None:
        self.name = name
        self.title = name.capitalize()
        self.version = 1
        self.seat_counts = tuple(len(seats) for seats in sides)
        self.option_specs = (OptionSpec("deals", OptionKind.INTEGER, 12, "The number of deals.", min=3, max=300),)
        self._sides = {len(seats): seats for seats in sides}

    def options(self, values: dict[str, object]) -> object:
        complete = option_values(self.option_specs, values)
        if int(complete["deals"]) % 3:
            raise OptionError("deals", "option 'deals' takes a multiple of 3")
        return complete

    def sides(self, seats: int) -> tuple[int, ...]:
        return self._sides[seats]


FAKE_GAMES = {
    rules.name: SimpleNamespace(
        name=rules.name,
        rules=rules,
        duplicates_tell_more=rules.name != "lone",
        can_be_conceded=lambda _seats, name=rules.name: name in ("duel", "pairs"),
    )
    for rules in (
        FakeRules("duel", (0, 1)),
        FakeRules("trio", (0, 1, 2)),
        FakeRules("pairs", (0, 1, 0, 1)),
        FakeRules("crowd", (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4)),
        FakeRules("lone", (0, 1, 2)),
    )
}


def find_fake_game(name: str) -> SimpleNamespace:
    if name not in FAKE_GAMES:
        raise UnknownGameError(f"there is no game {name!r}")
    return FAKE_GAMES[name]


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common_settings, "find_game", find_fake_game)
    # Results know no settings: where a test plays real games after all, theirs are real too.
    monkeypatch.setattr(results_module, "find_game", lambda name: FAKE_GAMES.get(name) or find_game(name))


MakeEvent = Callable[..., Settings]


@pytest.fixture(scope="session")
def make_event() -> MakeEvent:
    """Return a maker of events: games as (name, seats), the number of entrants or their names, terms as TOML.

    Terms are of the event, of each game, and of entrants by their names.
    """

    def make(
        games: Sequence[tuple[str, int]] = (("trio", 3),),
        *,
        entrants: int | Sequence[str] = 5,
        terms: str = "",
        of_games: str = "",
        of_entrants: Mapping[str, str] = MappingProxyType({}),
    ) -> Settings:
        names = entrants if not isinstance(entrants, int) else _letters(entrants)
        text = f'[event]\nname = "test"\n{terms}\n'
        text += "".join(f'[[game]]\nname = "{name}"\nseats = {seats}\n{of_games}\n' for name, seats in games)
        for name in names:
            text += f'[[entrant]]\nname = "{name}"\ncommand = "./{name}"\n{of_entrants.get(name, "")}\n'
        return parse_event(text)

    return make


def _letters(number: int) -> list[str]:
    """Return so many names, ascending: letters while they last."""
    return [chr(ord("a") + one) for one in range(number)] if number <= 26 else [f"e{one:04}" for one in range(number)]


MakeResults = Callable[..., list[MatchResult]]


@pytest.fixture(scope="session")
def make_results() -> MakeResults:
    """Return a player of whole events, for entrants and seats of known strengths in Elo."""

    def play(
        settings: Settings, strengths: Mapping[str, float], *, seed: int = 0, seats: Mapping[int, float] | None = None
    ) -> list[MatchResult]:
        rng = Random(seed)
        return [_played(match, strengths, seats or {}, rng) for match in plan(settings).matches]

    return play


def _played(
    match: PlannedMatch, strengths: Mapping[str, float], seats: Mapping[int, float], rng: Random
) -> MatchResult:
    # The one whose clock rings first wins, and so on: so every two are ordered as if they were alone.
    sides = list(dict.fromkeys(match.entrants))
    rates = {name: 10 ** ((strengths[name] + seats.get(side, 0)) / 400) for side, name in enumerate(sides)}
    rings = {name: rng.expovariate(rates[name]) for name in sides}
    placings = tuple(1 + sum(other < rings[name] for other in rings.values()) for name in match.entrants)
    result = Result(
        scores=tuple(10 - 5 * placing for placing in placings),
        placings=placings,
        faults=((),) * len(placings),
        forfeits=(),
        strikes=((),) * len(placings),
    )
    return MatchResult(IssuedMatch(match, f"{match.row:032x}"), result)
