"""The event files that are ready to be run: each is played to its end in a shortened form, with real house bots."""

import itertools
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from ordago.arena.admission.account_tokens import AccountTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.edge import OwnPort
from ordago.games import find_game
from ordago.record import read_record
from ordago.record.ledgers.event import ClosingEntry, parse_ledger
from ordago.store import PlannedMatch
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.runner import run_event
from ordago_ladder.schedule.schedule import bracket_of, league_of
from ordago_ladder.settings import common as common_settings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.watching import Unwatched

FILES = Path(__file__).parents[2] / "tournaments" / "events"
TERMS = f'isolation = "none"\ndecision_ms = 60_000\nstart_timeout = 120\nsecret = "{"5e" * 32}"\n'
"""What every shortened event has, so that it is the same every time, and a busy machine changes nothing."""
OPTIONS = {
    "mittlere": "deals = 3",
    "mitigati": "max_bid = 1",
    "taihe": "deals = 1",
    "mitaines": "target = 10",
    "mus": "target = 10",
}


pytestmark = pytest.mark.usefixtures("bots_in_threads")


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


def shortened(
    name: str, *, games: int | None = None, entrants: int | None = None, duplicates: bool = False, **values: object
) -> str:
    """Return the text of an event file with short matches and quick bots.

    Args:
        name: the file.
        games: how many of the games are played, the first of the file; all if ``None``.
        entrants: how many of the entrants take part, the first of the file; all if ``None``.
        duplicates: whether it plays duplicates as the file says, which takes more processes.
        values: what stands in place of the values that the file has for these keys; a key without one goes out.
    """
    head, *sections = (FILES / f"{name}.toml").read_text(encoding="utf-8").split("[[entrant]]\n")
    for key in ("options", "parallel", "decision_ms", "secret", *values):
        written = f"{key} = {values[key]}\n" if values.get(key) is not None else ""
        head = re.sub(rf"^{key} = .*\n", written, head, flags=re.MULTILINE)
    head = head.replace("[event]\n", f"[event]\n{TERMS}" + ("" if duplicates else "duplicates = false\n"))
    for game, options in OPTIONS.items():
        head = head.replace(f'name = "{game}"\n', f'name = "{game}"\noptions = {{ {options} }}\n')
    terms, *of_games = head.split("[[game]]\n")
    head = "[[game]]\n".join([terms, *of_games[:games]])
    return head + "".join(map(_entrant, range(len(sections[:entrants])), sections))


def _entrant(number: int, section: str) -> str:
    """Return the section of an entrant, who always brings the same nonce and looks at one world."""
    nonce = f'env = {{ ORDAGO_NONCE = "{number:032x}" }}\n'
    section = re.sub(r"^env = .*\n", "", section, flags=re.MULTILINE)
    section = re.sub(r"^house = .*\n", lambda house: house[0] + nonce, section, flags=re.MULTILINE)
    return "[[entrant]]\n" + re.sub(r"worlds = \d+", "worlds = 1", section)


class Ended(NamedTuple):
    """An event that was played to its end and verified."""

    settings: Settings
    folder: EventFolder
    ladder: Ladder

    @property
    def matches(self) -> list[PlannedMatch]:
        """The matches that were played, in the order of the schedule."""
        return [result.planned for result in self.ladder.results]

    @property
    def tables(self) -> Counter[tuple[str, tuple[str, ...]]]:
        """How many matches each table of a game has played."""
        return Counter((match.game, tuple(sorted(set(match.entrants)))) for match in self.matches)

    def names(self) -> list[str]:
        """Return the names of the entrants, ascending."""
        return sorted(entrant.name for entrant in self.settings.entrants)


async def played(
    text: str, place: Path, *, listener: Unwatched | None = None, entrance: Entrance | None = None
) -> Ended:
    """Play an event; see that all of it can be proved, and that nobody has forfeited anything."""
    settings, folder = parse_event(text), EventFolder(place / "out")
    ladder = await run_event(settings, text, folder, listener=listener or Unwatched(), entrance=entrance)
    assert verify_folder(folder.path).findings == ()
    assert ladder.finished
    assert not any(line.conduct.faults for line in ladder.overall.lines)
    assert {line.entrant for line in ladder.overall.lines} == {entrant.name for entrant in settings.entrants}
    return Ended(settings, folder, ladder)


def opponents(match: PlannedMatch, settings: Settings) -> Iterator[frozenset[str]]:
    """Yield each two of a match who play for different sides."""
    seats = zip(match.entrants, settings.game_named(match.game).sides, strict=True)
    for (one, side), (other, other_side) in itertools.combinations(seats, 2):
        if side != other_side:
            yield frozenset((one, other))


@pytest.mark.slow
async def test_five_games_all_against_all(tmp_path: Path) -> None:
    """Every table that can be made plays all of its seatings."""
    ended = await played(shortened("five-games", entrants=3, repetitions=1), tmp_path)
    [three] = itertools.combinations(ended.names(), 3)
    expected = {(game, three): 6 for game in ("mittlere", "mitigati", "taihe")}
    for game, pair in itertools.product(("mitaines", "mus"), itertools.combinations(ended.names(), 2)):
        expected[game, pair] = 2
    assert ended.tables == expected
    assert [standings.lines[0].matches for standings in ended.ladder.by_game] == [6, 6, 6, 4, 4]


@pytest.mark.slow
async def test_demo_plays_the_same_deals_in_all_seatings_where_that_tells_more(tmp_path: Path) -> None:
    ended = await played(shortened("demo", games=2, entrants=3, duplicates=True, sets=2), tmp_path)
    seeds: dict[str, set[bytes]] = {"mittlere": set(), "mitigati": set()}
    for result in ended.ladder.results:
        record = read_record(ended.folder.record(result.match.match_id).read_bytes())
        seeds[result.planned.game].add(record.deal_seed)
    assert {game: len(found) for game, found in seeds.items()} == {"mittlere": 12, "mitigati": 2}
    assert Counter(match.game for match in ended.matches) == {"mittlere": 12, "mitigati": 12}


@pytest.mark.slow
async def test_known_order_knows_who_plays_by_chance(tmp_path: Path) -> None:
    """Of the whole field the first and the last are here; that all come in order takes as many matches as it says."""
    text = shortened("known-order", games=1, sets=2)
    for noise in (14, 28, 42, 57, 71):
        text = re.sub(rf'\[\[entrant\]\]\nname = "noise-{noise}"\n.*\n.*\n.*\n', "", text)
    ended = await played(text, tmp_path)
    assert ended.names() == ["noise-0", "noise-100", "noise-85"]
    assert ended.ladder.overall.lines[0].entrant == "noise-0"


@pytest.mark.slow
async def test_swiss_lets_nobody_meet_again(tmp_path: Path) -> None:
    ended = await played(shortened("swiss-24", entrants=9, rounds=2), tmp_path)
    met = Counter(pair for match in ended.matches for pair in set(opponents(match, ended.settings)))
    assert set(met.values()) == {6}, "as often as a table has seatings"
    assert Counter(name for match in ended.matches for name in match.entrants) == dict.fromkeys(ended.names(), 12)
    first = [match.entrants for match in ended.matches[:18]]
    assert {name for entrants in first for name in entrants} == set(ended.names()), "round by round"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["knockout", "double-elimination"])
async def test_a_bracket_comes_down_to_one(tmp_path: Path, name: str) -> None:
    """Everybody but the winner goes out; a table of two stays together until it is decided."""
    ended = await played(shortened(name, entrants=5), tmp_path)
    bracket = bracket_of(ended.settings, ended.ladder.results)
    assert sorted(place.entrant for place in bracket.places) == ended.names()
    assert [place.rank for place in bracket.places][:2] == [1, 2]
    assert all(one.decided for one in bracket.contests)
    assert sum(one.sets * 2 for one in bracket.contests) == len(ended.matches)


@pytest.mark.slow
async def test_a_league_comes_down_to_one_of_each_group(tmp_path: Path) -> None:
    ended = await played(shortened("league", entrants=6, repetitions=1), tmp_path)
    league = league_of(ended.settings, ended.ladder.results)
    assert league.bracket
    through = [line.entrant for table in league.groups for line in table.lines if line.goes_on]
    assert sorted(league.bracket.seeds) == sorted(through)
    assert [place.rank for place in league.bracket.places] == [1, 2, 3, 3]
    in_groups = 2 * 3 * 2
    assert sum(one.sets * 2 for one in league.bracket.contests) == len(ended.matches) - in_groups


@pytest.mark.slow
async def test_gauntlet_has_one_newcomer_at_every_table(tmp_path: Path) -> None:
    ended = await played(shortened("gauntlet", entrants=4, repetitions=1), tmp_path)
    [newcomer] = [entrant.name for entrant in ended.settings.entrants if entrant.newcomer]
    assert all(newcomer in match.entrants for match in ended.matches)
    field = [name for name in ended.names() if name != newcomer]
    expected = {("mittlere", tuple(sorted((newcomer, *pair)))): 6 for pair in itertools.combinations(field, 2)}
    expected |= {("mus", tuple(sorted((newcomer, one)))): 2 for one in field}
    assert ended.tables == expected


@pytest.mark.slow
async def test_open_is_over_with_its_sets(tmp_path: Path) -> None:
    ended = await played(shortened("open", entrants=3, sets_wanted=6), tmp_path)
    assert sum(ended.tables.values()) == 2 * 6
    assert {name for match in ended.matches for name in match.entrants} == set(ended.names())
    assert not [entry for entry in ledger_of(ended) if isinstance(entry, ClosingEntry)]


@pytest.mark.slow
async def test_open_is_over_when_the_ratings_are_exact_enough(tmp_path: Path) -> None:
    """As wide as this are the intervals after a few rounds, long before the sets that it names."""
    ended = await played(shortened("open", entrants=2, half_width=260.0), tmp_path)
    assert ended.settings.event.sets_wanted == 400
    assert 2 * 2 < len(ended.matches) < 2 * 40


@pytest.mark.slow
async def test_open_is_over_in_time(tmp_path: Path) -> None:
    """A round that has begun is played to its end, and the ledger says after how many matches it was over."""
    text = shortened("open", entrants=3, half_width=None, sets_wanted=None)
    ended = await played(text.replace("[event]\n", "[event]\nuntil = 2026-01-01T00:00:00Z\n"), tmp_path)
    assert len(ended.matches) == 2 * 2, "a table of each game in both seatings"
    closings = [entry for entry in ledger_of(ended) if isinstance(entry, ClosingEntry)]
    assert closings == [ClosingEntry(issued=4)]


def ledger_of(ended: Ended) -> Sequence[object]:
    return parse_ledger(ended.folder.ledger.read_text(encoding="utf-8")).entries


@pytest.mark.slow
async def test_mixed_pairs_rates_each_of_those_who_were_partners(tmp_path: Path) -> None:
    ended = await played(shortened("mixed-pairs", entrants=4, repetitions=3), tmp_path)
    assert all(len(set(match.entrants)) == 4 for match in ended.matches)
    for game in ("mus", "mitaines"):
        sides = [frozenset(match.entrants[side::2]) for match in ended.matches if match.game == game for side in (0, 1)]
        assert set(sides) == set(map(frozenset, itertools.combinations(ended.names(), 2)))
    lines = ended.ladder.overall.lines
    assert sorted(line.entrant for line in lines) == ended.names()
    assert all(line.matches == len(ended.matches) for line in lines)
    assert len({line.tally for line in lines}) > 2, "partners have won and lost with others, too"


class Authors(Unwatched):
    """The authors of remote bots: each starts one, with a token of his own, when he hears where the server is."""

    def __init__(self, tokens: Path, stack: ExitStack) -> None:
        self._tokens = tokens
        self._stack = stack

    def noted(self, sentence: str) -> None:
        if sentence.startswith("listening on "):
            for token in self._tokens.glob("*.token"):
                command = [sys.executable, "-m", "ordago_bot", "solid", "--worlds", "1", "--address"]
                process = subprocess.Popen(  # noqa: S603 - ours
                    [*command, sentence.split()[2], "--token-file", str(token)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                self._stack.callback(process.wait)
                self._stack.callback(process.kill)

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        assert here or missing


@pytest.mark.slow
async def test_remote_entrants_come_with_their_tokens(tmp_path: Path) -> None:
    """Beside house bots; the tables at which they sit play without duplicates."""
    with ExitStack() as stack:
        accounts = stack.enter_context(Accounts.open(tmp_path / "accounts.sqlite", create=True))
        for name in ("ana", "ben"):
            made = accounts.create_token(account=name, scopes=[Scope.PLAY], now=time.time())
            (tmp_path / f"{name}.token").write_text(made[0])
        tokens = AccountTokens(accounts, arrived=lambda _bot: None, now=time.time)
        port = OwnPort(address="127.0.0.1:0", watch=tokens.watch, bounds=ConnectionBounds())
        entrance = Entrance(tokens, port)
        ended = await played(
            shortened("remote", sets=3), tmp_path, listener=Authors(tmp_path, stack), entrance=entrance
        )
    assert {entrant.name for entrant in ended.settings.remote_entrants} == {"ana", "ben"}
    assert Counter(match.set_key for match in ended.matches).most_common(1)[0][1] == 1
    assert {name for match in ended.matches for name in match.entrants} == set(ended.names())
