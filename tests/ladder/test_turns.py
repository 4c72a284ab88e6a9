"""Remote entrants with few processes in duplicate sets, where the event file lets their processes take turns."""

import itertools
from collections import Counter
from collections.abc import Callable

import pytest

from ordago.record.ledgers.event import FewerProcessesEntry, Ledger, Processes
from ordago_ladder.matches.due import schedule_of
from ordago_ladder.pages.facts import duplicate_sentences
from ordago_ladder.run.estimate import estimate
from ordago_ladder.schedule.process_slots import few_processes, set_size_of, slots_at, takes_turns
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.schedule.turns import in_turns
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]


@pytest.fixture
def make_remote(make_event: MakeEvent) -> MakeEvent:
    """Return a maker of events in which some entrants are remote, each with its number of processes."""

    def make(processes: dict[str, int], *, terms: str = "duplicates = true", **options: object) -> Settings:
        made = make_event(terms=terms, **options)
        entrants = (
            entrant.model_copy(update={"command": None, "remote": True, "processes": processes[entrant.name]})
            if entrant.name in processes
            else entrant
            for entrant in made.entrants
        )
        return made.model_copy(update={"entrants": tuple(entrants)})

    return make


@pytest.mark.parametrize("terms", ["", "duplicates = false"])
def test_without_a_word_in_the_file_no_process_meets_a_deal_again(make_remote: MakeEvent, terms: str) -> None:
    event = make_remote({"a": 1, "b": 6}, terms=terms, entrants=4)
    for match in plan(event).matches:
        assert set_size_of(match, event) == (1 if "a" in match.entrants or terms else 6)
        assert not takes_turns(event, event.games[0], match.entrants)


def test_they_play_the_same_deals_if_the_file_says_so(make_remote: MakeEvent) -> None:
    event = make_remote({"a": 1, "b": 4}, entrants=4)
    assert {set_size_of(match, event) for match in plan(event).matches} == {6}
    for match in plan(event).matches:
        slots = dict(zip(match.entrants, slots_at(match, event), strict=True))
        assert slots.get("a", 0) == 0
        assert slots.get("b", match.seating % 4) == match.seating % 4
        assert all(slots[name] == match.seating for name in {"c", "d"} & slots.keys())


def test_processes_that_ordago_starts_never_take_turns(make_remote: MakeEvent) -> None:
    """They are isolated, and the page says that none of them plays two seatings."""
    event = make_remote({"a": 1}, entrants=4, of_entrants={"b": "processes = 2"})
    assert few_processes(event, event.games[0]) == (("b",), ("a",))
    for match in plan(event).matches:
        assert set_size_of(match, event) == (1 if "b" in match.entrants else 6)
        assert takes_turns(event, event.games[0], match.entrants) == (
            "a" in match.entrants and "b" not in match.entrants
        )


def test_who_has_all_seats_of_a_side_plays_them_with_different_processes(make_remote: MakeEvent) -> None:
    event = make_remote({"a": 2}, games=[("pairs", 4)], entrants=3)
    for match in plan(event).matches:
        own = [slot for name, slot in zip(match.entrants, slots_at(match, event), strict=True) if name == "a"]
        assert sorted(own) in ([], [0, 1])


@pytest.mark.parametrize("parallel", [1, 3, 8])
def test_turns_follow_one_another_with_other_sets_in_between(make_remote: MakeEvent, parallel: int) -> None:
    event = make_remote({"a": 1}, entrants=6, terms=f"duplicates = true\nparallel = {parallel}")
    due = plan(event).matches
    order = in_turns(due, event)
    assert Counter(order) == Counter(due)
    places = {match: place for place, match in enumerate(order)}
    for _, found in itertools.groupby(due, key=lambda match: match.set_key):
        matches = list(found)
        assert [places[match] for match in matches] == sorted(places[match] for match in matches)
        apart = [places[later] - places[one] for one, later in itertools.pairwise(matches)]
        if takes_turns(event, event.games[0], matches[0].entrants) and due.index(matches[-1]) < len(due) // 2:
            assert min(apart) >= parallel


def test_an_order_without_turns_is_that_of_the_schedule(make_event: MakeEvent) -> None:
    event = make_event(entrants=6)
    due = plan(event).matches
    assert in_turns(due, event) == list(due)


def test_after_a_stop_the_next_turn_comes_from_what_has_no_result(make_remote: MakeEvent) -> None:
    event = make_remote({"a": 1, "b": 1, "c": 1}, entrants=3, terms="duplicates = true\nrepetitions = 4")
    order = in_turns(plan(event).matches, event)
    for played in range(len(order)):
        turns = Counter(match.set_key for match in order[:played])
        left = in_turns([match for match in plan(event).matches if match not in order[:played]], event)
        first = {match.set_key: match.seating for match in reversed(left)}
        assert all(seating == turns[key] for key, seating in first.items())


def test_who_connects_with_fewer_processes_takes_turns_too(make_remote: MakeEvent) -> None:
    event = make_remote({"a": 6}, entrants=3)
    fewer = FewerProcessesEntry(entrants=(Processes(name="a", processes=1),))
    matches = schedule_of(event, Ledger((fewer,), ())).known
    assert matches == plan(event).matches


def test_what_is_planned_is_what_is_played(make_remote: MakeEvent) -> None:
    for terms in ("", "duplicates = true"):
        event = make_remote(dict.fromkeys("abc", 1), terms=terms, entrants=5)
        matches = plan(event).matches
        figures = estimate(event)
        assert figures.sets == len({match.set_key for match in matches})
        used = {slot for match in matches for slot in slots_at(match, event)}
        assert figures.process_slots == len(used)
    alone = make_remote(dict.fromkeys("abc", 1), entrants=3)
    assert (estimate(alone).process_slots, estimate(alone).processes) == (1, 3)


def test_each_game_is_told_with_those_who_could_gain(make_remote: MakeEvent) -> None:
    games = [("trio", 3), ("duel", 2), ("lone", 3)]
    event = make_remote({"a": 2}, games=games, terms="", entrants=4)
    assert [said.written() for said in duplicate_sentences(event)] == [
        (
            "Trio: all seatings of a table get the same deals, but not where one of these with fewer than 6 processes "
            "plays: a."
        ),
        "Duel: all seatings of a table get the same deals.",
        "Lone: each match has its own deals.",
    ]
    asked = [said.written() for said in duplicate_sentences(make_remote({"a": 2}, games=games, entrants=4))]
    assert [words.split(":")[0] for words in asked] == ["Trio", "Trio", "Duel", "Lone", "Lone"]
    assert "one of these plays: a. Their processes get the same deals again." in asked[1]
    none = make_remote(dict.fromkeys("abcd", 1), terms="", entrants=4)
    assert "each match has its own deals, since" in next(duplicate_sentences(none)).written()


def test_a_word_that_lets_them_take_turns_is_committed_to(make_remote: MakeEvent, make_event: MakeEvent) -> None:
    """Duplicates by default and by the file are the same where nobody is remote."""
    by_default, asked = (settings_digest(make_remote({"a": 1}, terms=terms)) for terms in ("", "duplicates = true"))
    assert by_default != asked
    assert settings_digest(make_event()) == settings_digest(make_event(terms="duplicates = true"))
