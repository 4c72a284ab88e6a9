"""A day on a ladder that never closes: bots of all strengths and manners, kills, and what has to be left of it.

The long form, ``make day``, is on PostgreSQL and presses a day into twenty minutes: 60 bots of five strengths, of which
six behave badly, one of them to the profit of another bot of its author. Three come as new versions, two epochs end,
the server is killed twenty times and the database twice. The short form has few of each, on SQLite.

Beside the ladder two events are played on the same server, one of them from early on, by bots of the same authors and
of the house; they are opened over the wire, go on after each kill, and have to be over in the end.

What is held against it afterwards:

- No result is lost or doubled: of each match that a bot was told the end of, by its receipts, the ledger has that
  result, once; each match that began is over, and the store holds what its ledgers tell. A match is void only if a kill
  came between its line in the ledger and that in the journal: whoever stays away then, or leaves, does not get it void.
- The order of strengths is found: among all who behave, no two are rated against their order with intervals that lie
  apart; the mean ratings of the levels of noise descend; and the best are told from the worst by their intervals. Bots
  that are neighbours are not asked to be told apart.
- Of each event, as it is fetched over the wire, ``ordago verify`` finds nothing wrong, with the receipts of its bots;
  no match of it ended twice, or ended for a bot and has no record.
- Who is given matches by another account stands less than 100 points above the mean of his equals, within his interval.
- ``ordago verify`` finds nothing wrong in the archive, with the receipts of all bots; records of revealed epochs are
  open, and no others.
- The memory of the server is level: what it had at most in the last quarter of the time is no more than a bound above
  what it had at most in the second.
"""

import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from support.commands import ordago
from support.figures import Note, Size
from torture.day import Plan, Sample, Server, cast, day, spread
from torture.day_bots import MOST_NOISE, TAKER, Character
from torture.day_events import Beside
from torture.day_found import Kept, Order, Rated, Told, standings

from ordago.store.errors import NotOpenError
from ordago.store.ladder.queries import LadderQueries
from ordago_cli.errors import EXIT_UNFINISHED

BAD = ("leaving", "hanging", "crashing", "fleeting", "fleeting", "giving")
CUT_SECONDS = 4.0
MOST_GIVEN = 100.0
MOST_GROWTH_MIB = 25.0
_NOT_KNOWN = "the server restarted and lost the match"

pytestmark = pytest.mark.alone


def plan_of(size: Size, minutes: float) -> Plan:
    """Return what happens in a day."""
    chances, seconds = Random(1701), size(20, 0) or 60 * minutes
    steady = [one for one in cast_of(size) if one.manner == "steady"]
    # The last server lives for some while, so that its memory tells something.
    kills = spread(size(3, 20), since=0.1 * seconds, until=0.7 * seconds, chances=chances)
    return Plan(
        seconds=seconds,
        epochs=size(1, 2),
        kills=kills,
        cuts=spread(size(0, 2), since=0.3 * seconds, until=0.95 * seconds, chances=chances) if size(0, 1) else (),
        replaced=[
            (fmean([*kills, 0.9 * seconds][-2 - 4 * number :][:2]), f"steady-0-{number}")
            for number in range(size(1, 3))
        ],
        lively=size(12, 40),
        processes=size(1, 3),
        pace_seconds=size(1, 15) / 1000,
        events=[
            Beside("morning", 0.05 * seconds, steady[: size(2, 5)], repetitions=size(2, 1)),
            Beside("noon", 0.4 * seconds, steady[-5:], repetitions=1),
        ][: size(1, 2)],
        # In the long form the minutes bring enough of them.
        matches=size(300, 0),
    )


def cast_of(size: Size) -> Sequence[Character]:
    """Return who comes."""
    if size(0, 1):
        return cast(levels=5, of_each=8, visiting=13, bad=BAD)
    return cast(levels=2, of_each=2, visiting=1, bad=("leaving",))


@pytest.fixture
def place(size: Size, tmp_path: Path, request: pytest.FixtureRequest) -> str | Path:
    """Where the ladder is kept."""
    if size(0, 1):
        url: str = request.getfixturevalue("postgresql").place()
        return url
    return tmp_path / "data" / "ladders" / "day" / "ladder.sqlite"


@pytest.fixture
def cut(size: Size, request: pytest.FixtureRequest) -> Callable[[], None]:
    """Kills the database, and starts it again after some seconds."""
    if not size(0, 1):
        return lambda: None
    database: Any = request.getfixturevalue("postgresql")

    def killed() -> None:
        database.stop(signal.SIGKILL)
        time.sleep(CUT_SECONDS)
        database.start()

    return killed


def test_a_day_on_a_ladder(
    tmp_path: Path, place: str | Path, cut: Callable[[], None], size: Size, note: Note, pytestconfig: pytest.Config
) -> None:
    plan, who = plan_of(size, float(pytestconfig.getoption("--minutes"))), cast_of(size)
    with day(plan, who, tmp_path, place, cut=cut) as (course, server, crowd):
        course.live()
        events = course.fetched()
        crowd.let_go()
        assert server.end(signal.SIGTERM) == 0, server.log.read_text()[-2000:]
        assert set(crowd.leave()) == {0}
    assert server.starts == 1 + len(plan.kills)
    note("kills of the server, and of the database", f"{len(plan.kills)}, {len(plan.cuts)}")
    kept, told = Kept.at(place), told_in(tmp_path / "receipts")
    no_result_is_lost_or_doubled(kept, told, plan, note)
    all_did_as_they_do(kept, told, who, plan)
    rated = standings(server.kept / "archive", who)
    the_order_is_found(rated, plan, note)
    nothing_is_won_by_gifts(rated, note)
    the_archive_verifies(server, kept, place, tmp_path / "receipts", plan, note)
    memory_is_level(course.samples, plan, note)
    for event in plan.events:
        an_event_is_whole(event, events[event.name], tmp_path / "receipts" / event.name, note)
    what_is_planted_is_found(kept, told, plan)


def no_result_is_lost_or_doubled(kept: Kept, told: dict[str, Told], plan: Plan, note: Note) -> None:
    digests = kept.digests
    voids = {match_id: match for match_id, match in kept.matches.items() if match.void is not None}
    note("matches", len(kept.matches))
    note("of these with a result", len(digests))
    note("of these void", len(voids))
    ends = [(match_id, digest) for one in told.values() for match_id, digest in one.ended.items()]
    lost = [match_id for match_id, digest in ends if digests.get(match_id) != digest]
    note("ends that bots were told of", len(ends))
    note("of these lost or otherwise", len(lost), bound="0")
    doubled = [match_id for one in told.values() for match_id in one.doubled]
    note("matches that ended twice", len(doubled) + kept.results - len(digests), bound="0")
    assert ends
    assert not lost
    assert not doubled
    assert kept.results == len(digests) == sum(epoch.results for epoch in kept.epochs)
    assert not [match_id for match_id, match in kept.matches.items() if match.running]
    assert set[str]().union(*(one.void for one in told.values())) <= voids.keys()
    assert set[str]().union(*(one.begun for one in told.values())) <= kept.matches.keys()
    assert {match.void for match in voids.values()} <= {_NOT_KNOWN}
    assert len(voids) <= len(plan.kills)


def all_did_as_they_do(kept: Kept, told: dict[str, Told], who: Sequence[Character], plan: Plan) -> None:
    """See to it that the day was as it was meant to be: else it shows nothing."""
    manners, forfeits = {one.name: one.manner for one in who}, kept.faults()
    found = {manners[name] for name, _ in forfeits if name in manners}
    assert {"leaving", "hanging", "crashing"} & set(manners.values()) <= found
    assert not [(name, fault) for name, fault in forfeits if manners.get(name) == "steady"]
    assert all(told[one.name].ended for one in who if one.behaves)
    # Not each of them has to: a visit lasts as long as a match waits for somebody else who does not come back.
    assert any(told[one.name].visits > 1 for one in who if one.manner != "steady")
    for _, name in plan.replaced:
        first, second = (player for player in kept.players.values() if player.name == name)
        assert (first.version, second.version, second.predecessor) == ("1", "2", first.player)


def the_order_is_found(rated: Sequence[Rated], plan: Plan, note: Note) -> None:
    replaced = {name for _, name in plan.replaced}
    order = Order.of([one for one in rated if one.character.behaves and one.character.name not in replaced])
    note("mean ratings, least noise first", ", ".join(f"{elo:.0f}" for elo in order.levels))
    note("pairs of bots that are not alike", order.pairs)
    note("of these told apart", order.told_apart)
    note("of these the wrong way round", len(order.wrong), bound="0")
    assert not order.wrong
    assert order.levels == sorted(order.levels, reverse=True)
    best = [one.low for one in rated if one.character.noise == 0 and one.character.behaves]
    worst = [one.high for one in rated if one.character.noise == MOST_NOISE and one.character.behaves]
    assert max(best) > min(worst)
    assert order.told_apart > 0


def nothing_is_won_by_gifts(rated: Sequence[Rated], note: Note) -> None:
    for taker in rated:
        if taker.character.name == TAKER:
            equals = [
                one.elo for one in rated if one.character.behaves and one.character.noise == taker.character.noise
            ]
            above = taker.elo - sum(equals) / len(equals)
            note("who is given matches stands above his equals by", above, "Elo", bound=f"{MOST_GIVEN:g}")
            assert above - (taker.elo - taker.low) < MOST_GIVEN


def the_archive_verifies(server: Server, kept: Kept, place: str | Path, receipts: Path, plan: Plan, note: Note) -> None:
    archive = server.kept / "archive"
    verified = ordago("verify", archive, *with_receipts(receipts))
    # Nothing is wrong, and the epoch that goes on is not revealed yet.
    assert verified.exit_code == EXIT_UNFINISHED, verified.output
    opened, records = [epoch for epoch in kept.epochs if epoch.revealed], server.records_of_epochs()
    note("epochs revealed", len(opened))
    note("of these published to the end", len(records), bound=f"at least {plan.epochs}")
    # The records of one that was revealed just before the end may be published when the server is started again.
    assert plan.epochs <= len(records) <= len(opened) < len(kept.epochs)
    assert [len(list(folder.iterdir())) for folder in records] == [epoch.results for epoch in opened[: len(records)]]
    is_open = {epoch.epoch for epoch in opened}
    with LadderQueries.open(place) as queries:
        for match_id in kept.digests:
            if kept.matches[match_id].seating.epoch in is_open:
                assert queries.record(match_id)
            else:
                with pytest.raises(NotOpenError):
                    queries.record(match_id)


def an_event_is_whole(event: Beside, fetched: Path, receipts: Path, note: Note) -> None:
    verified = ordago("verify", fetched, *with_receipts(receipts))
    assert verified.exit_code == 0, verified.output
    records = {path.stem for path in (fetched / "records").iterdir()}
    told = told_in(receipts)
    note(f"matches of the event {event.name}", len(records))
    note("of their ends, told to bots", sum(len(one.ended) for one in told.values()))
    assert told.keys() == {one.name for one in event.entrants}
    assert all(one.ended for one in told.values())
    assert set[str]().union(*(one.ended for one in told.values())) <= records
    assert not [match_id for one in told.values() for match_id in one.doubled]


def told_in(receipts: Path) -> dict[str, Told]:
    """Return what bots were told, by their names."""
    return {path.stem: Told.of(path) for path in receipts.glob("*.jsonl")}


def with_receipts(receipts: Path) -> list[str]:
    """Return the options that hold what is proved against receipts."""
    return [word for path in sorted(receipts.glob("*.jsonl")) for word in ("--receipts", str(path))]


def memory_is_level(samples: Sequence[Sample], plan: Plan, note: Note) -> None:
    def most(since: float, until: float) -> float:
        return max(one.mib for one in samples if since <= one.second / plan.seconds <= until)

    early, late = most(0.25, 0.5), most(0.75, 2.0)
    note("most memory of the server in the second quarter of the day", early, "MiB")
    note("and in the last", late, "MiB", bound=f"{MOST_GROWTH_MIB:g} more")
    assert late < early + MOST_GROWTH_MIB


def what_is_planted_is_found(kept: Kept, told: dict[str, Told], plan: Plan) -> None:
    def nowhere(*_figure: Any, **_more: Any) -> None:
        pass

    name, one = next((name, one) for name, one in told.items() if one.ended)
    match_id = min(one.ended)
    for planted in (
        one._replace(ended=one.ended | {match_id: "00" * 32}),
        one._replace(ended=one.ended | {"another": one.ended[match_id]}),
        one._replace(begun=one.begun | {"another"}),
        one._replace(void=frozenset({match_id})),
        one._replace(doubled=[match_id]),
    ):
        with pytest.raises(AssertionError):
            no_result_is_lost_or_doubled(kept, told | {name: planted}, plan, nowhere)


def test_an_order_that_is_wrong_is_found() -> None:
    good, fair, bad = (Character(name, "", noise) for name, noise in (("good", 0), ("fair", 50), ("bad", 100)))
    rated = [Rated(good, 1500, 1450, 1550), Rated(fair, 1540, 1500, 1580), Rated(bad, 1600, 1560, 1640)]
    order = Order.of(rated)
    assert order.wrong == [("good", "bad")]
    assert (order.pairs, order.told_apart) == (3, 0)
    assert order.levels == [1500, 1540, 1600]
    assert Order.of([rated[0], rated[2]._replace(elo=1400, low=1350, high=1440)]).told_apart == 1
