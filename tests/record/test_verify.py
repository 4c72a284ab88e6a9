from collections.abc import Callable
from typing import cast

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from ordago import v1
from ordago.chance import commitment
from ordago.games import find_game
from ordago.record import Problem, replay, rewritten, tell, to_file_bytes
from ordago.record import verify as everything_wrong_with

Change = Callable[[v1.MatchRecord], object]


def verify(record: v1.MatchRecord, *, secret: bytes | None = None) -> list[Problem]:
    """Verify a record, and see whether the quick way finds its file well if and only if nothing is wrong with it."""
    problems = everything_wrong_with(record, secret=secret)
    assert (rewritten(to_file_bytes(record), secret=secret) is None) == bool(problems), problems
    return problems


def _kinds(record: v1.MatchRecord) -> list[str | None]:
    return [entry.WhichOneof("entry") for entry in record.entries]


def _first(record: v1.MatchRecord, kind: str, number: int = 0) -> int:
    return [index for index, found in enumerate(_kinds(record)) if found == kind][number]


def _cards(record: v1.MatchRecord) -> list[int]:
    return sorted(record.entries[0].shuffle.cards)


def test_a_match_as_it_was_played_has_no_problems(
    played: v1.MatchRecord, secret: bytes, play_match: Callable[..., v1.MatchRecord]
):
    assert verify(played) == []
    assert verify(played, secret=secret) == []
    assert verify(play_match(deals=12, seed=2, secret=secret)) == []


def test_a_replay_gives_what_happened_and_how_it_ended(played: v1.MatchRecord):
    replayed = replay(played)
    event = find_game("mittlere").codec.event
    recorded = [entry.event for entry in played.entries if entry.WhichOneof("entry") == "event"]
    assert [event(happened) for happened in replayed.events] == recorded
    assert replayed.outcome is not None
    assert list(replayed.outcome.scores) == list(played.outcome.scores)
    assert replayed.problems == ()


@pytest.mark.slow
def test_every_changed_choice_is_noticed(record: v1.MatchRecord, secret: bytes):
    pack = _cards(record)
    for index, kind in enumerate(_kinds(record)):
        if kind == "choice":
            action = record.entries[index].choice.action.mittlere
            card = action.card
            for other in (pack[(pack.index(card) + step) % len(pack)] for step in (1, 9, 20)):
                action.card = cast(v1.Card, other)
                assert verify(record, secret=secret), f"{card} changed to {other} in entry {index}"
            action.card = card
    assert verify(record) == []


@pytest.mark.slow
def test_every_entry_left_out_is_noticed(record: v1.MatchRecord):
    entries = list(record.entries)
    for index in range(len(entries)):
        del record.entries[:]
        record.entries.extend(entries[:index] + entries[index + 1 :])
        assert verify(record), f"entry {index} was left out"


@pytest.mark.slow
def test_every_entry_told_twice_is_noticed(record: v1.MatchRecord):
    entries = list(record.entries)
    for index in range(len(entries)):
        del record.entries[:]
        record.entries.extend([*entries[: index + 1], *entries[index:]])
        assert verify(record), f"entry {index} was told twice"


def _exchange_cards(record: v1.MatchRecord) -> None:
    cards = record.entries[0].shuffle.cards
    cards[0], cards[1] = cards[1], cards[0]


def _repeat_a_card(record: v1.MatchRecord) -> None:
    cards = record.entries[0].shuffle.cards
    cards[0] = cards[1]


def _illegal_card(record: v1.MatchRecord) -> None:
    """The second player of the first trick plays a card of the first."""
    first, second = (record.entries[_first(record, "choice", number)].choice for number in (0, 1))
    second.action.CopyFrom(first.action)


HEADING: dict[str, tuple[Change, str]] = {
    "format 0": (lambda record: record.ClearField("format_version"), "format has version 0"),
    "a newer format": (lambda record: setattr(record, "format_version", 2), "this version of Ordago reads 1"),
    "unknown game": (lambda record: setattr(record, "game", "mitlere"), "did you mean 'mittlere'"),
    "newer rules": (lambda record: setattr(record, "rules_version", 9), "version 9 of the rules of Mittlere Jass"),
    "impossible options": (lambda record: setattr(record.options.mittlere, "deals", 4), "multiple of 3"),
    "options of another game": (lambda record: setattr(record.options.other, "value", b"x"), "another game"),
    "options left out": (lambda record: record.ClearField("options"), "are incomplete"),
    "more options": (lambda record: record.options.mittlere.MergeFromString(b"\xfa\x3e\x01x"), "are incomplete"),
    "a seat too few": (lambda record: record.seats.pop(), "is played by 3, not by 2"),
    "no seats": (lambda record: record.ClearField("seats"), "is played by 3, not by 0"),
    "partners": (lambda record: setattr(record.seats[2], "side", 0), "sides (0, 1, 2), not (0, 1, 0)"),
    "no commitment": (lambda record: record.ClearField("commitment"), "has 32 bytes, not 0"),
    "another secret": (lambda record: setattr(record, "secret", b"x" * 32), "not the one that was committed to"),
    "another outcome": (lambda record: setattr(record.outcome, "reason", 2), "ended differently"),
    "no outcome": (lambda record: record.ClearField("outcome"), "ended differently"),
    "nothing happened": (lambda record: record.ClearField("entries"), "end before the match does"),
}


@pytest.mark.parametrize("name", HEADING)
def test_a_problem_of_the_whole_record_is_named(record: v1.MatchRecord, name: str):
    change, words = HEADING[name]
    change(record)
    problems = [problem for problem in verify(record) if words in problem.sentence]
    assert [problem.entry for problem in problems] == [None]


def test_a_problem_of_an_entry_names_the_entry(record: v1.MatchRecord):
    second_choice = _first(record, "choice", 1)
    _illegal_card(record)
    problem = verify(record)[-1]
    assert problem.entry == second_choice
    assert "breaks the rule not_in_hand" in problem.sentence


def test_a_choice_out_of_turn_is_a_problem(record: v1.MatchRecord):
    index = _first(record, "choice")
    record.entries[index].choice.seat = 2
    assert verify(record) == [Problem(index, "Seat 0 was to act, not seat 2.")]


def test_an_event_in_the_place_of_a_choice_is_a_problem(record: v1.MatchRecord):
    index = _first(record, "choice")
    record.entries[index].CopyFrom(record.entries[_first(record, "event")])
    assert verify(record)[0] == Problem(index, "A choice of seat 0 is due here.")


def test_a_forfeited_seat_chooses_nothing_itself(record: v1.MatchRecord):
    """Here the one that acts first forfeits at the start, though all that it did is said to be its own."""
    record.entries.insert(_first(record, "choice"), v1.RecordEntry(forfeit=v1.Forfeit(fault=v1.FAULT_CRASHED)))
    own = [at for at, entry in enumerate(record.entries) if entry.HasField("choice") and not entry.choice.seat]
    told = [problem.entry for problem in verify(record) if problem.sentence.endswith("but made a choice.")]
    assert told == [at for at in own if not record.entries[at].choice.fault]


@pytest.mark.parametrize(
    ("forfeits", "wrong"),
    [
        ([v1.Forfeit(seat=2, fault=v1.FAULT_CRASHED)], []),
        ([v1.Forfeit(seat=3, fault=v1.FAULT_CRASHED)], [0]),
        ([v1.Forfeit(seat=2)], [0]),
        ([v1.Forfeit(seat=2, fault=v1.FAULT_CRASHED), v1.Forfeit(seat=2, fault=v1.FAULT_FLOODING)], [1]),
    ],
)
def test_a_forfeit_names_a_seat_once_and_why(record: v1.MatchRecord, forfeits: list[v1.Forfeit], wrong: list[int]):
    entries = list(record.entries)
    del record.entries[:]
    record.entries.extend([*(v1.RecordEntry(forfeit=forfeit) for forfeit in forfeits), *entries])
    told = [problem.entry for problem in verify(record) if problem.sentence.startswith("A forfeit has to name a seat")]
    assert told == wrong


def test_a_choice_that_is_no_action_is_a_problem(record: v1.MatchRecord):
    index = _first(record, "choice")
    record.entries[index].choice.ClearField("action")
    assert verify(record)[0].entry == index
    record.entries[index].choice.action.mittlere.card = v1.CARD_SEVEN_OF_OROS
    assert "is not an action" in verify(record)[0].sentence


def test_an_action_that_says_more_than_belongs_to_it_is_a_problem(record: v1.MatchRecord):
    index = _first(record, "choice")
    record.entries[index].choice.action.MergeFromString(b"\xfa\x3e\x01x")
    assert verify(record) == [Problem(index, "The action has fields that do not belong to it.")]


def test_what_was_done_for_a_bot_at_fault_has_to_be_the_default_action(record: v1.MatchRecord):
    """The fixture takes the default action for a late bot now and then; here the others are said to be late too."""
    own = [entry.choice for entry in record.entries if entry.HasField("choice") and not entry.choice.fault]
    for choice in own:
        choice.fault = v1.FAULT_TOO_LATE
    sentences = {problem.sentence for problem in verify(record)}
    assert sentences
    assert all("is not the default action" in sentence for sentence in sentences)


def test_there_is_a_broken_rule_for_each_strike(record: v1.MatchRecord):
    choice = next(entry.choice for entry in record.entries if entry.HasField("choice"))
    choice.strikes = 2
    for named in (0, 1):
        [problem] = verify(record)
        assert problem.sentence == f"A choice with 2 strikes names {named} broken rules."
        choice.broken_rules.append("follow_suit")
    assert verify(record) == []
    choice.strikes = 0
    assert verify(record) != []


def test_a_shuffle_has_to_be_one_of_what_is_due(record: v1.MatchRecord):
    _repeat_a_card(record)
    assert verify(record) == [Problem(0, "The shuffle does not contain exactly the cards to shuffle.")]


def test_a_shuffle_has_to_carry_the_address_at_which_it_is_due(record: v1.MatchRecord):
    record.entries[0].shuffle.deal = 1
    assert verify(record) == [Problem(0, "This is shuffle 0 of deal 0, but it has another number.")]


def test_a_shuffle_has_to_come_from_the_secret(record: v1.MatchRecord, secret: bytes):
    """Two cards of the hand of one seat change places: nobody's hand is another, but the shuffle is."""
    _exchange_cards(record)
    assert verify(record) == []
    problems = verify(record, secret=secret)
    assert problems == [Problem(0, "The secret and the seed of the deals give another shuffle.")]


def test_another_seed_gives_other_shuffles(record: v1.MatchRecord, secret: bytes):
    record.deal_seed += "0"
    assert [problem.entry for problem in verify(record, secret=secret)] == [
        index for index, kind in enumerate(_kinds(record)) if kind == "shuffle"
    ]
    record.deal_seed = "another-shuffle|mittlere"
    assert "ordago-shuffle-1" in verify(record, secret=secret)[0].sentence


@pytest.mark.parametrize("wrong", [b"", b"x" * 32, bytes(33)])
def test_a_secret_has_to_be_the_one_that_was_committed_to(played: v1.MatchRecord, wrong: bytes):
    assert verify(played, secret=wrong) == [Problem(None, "The secret is not the one that was committed to.")]


def test_a_secret_has_32_bytes_whatever_was_committed_to(record: v1.MatchRecord):
    record.commitment = commitment(b"short")
    unfit = [Problem(None, "The secret is not the one that was committed to.")]
    assert verify(record, secret=b"short") == unfit
    record.secret = b"short"
    assert verify(record) == unfit


def test_the_secret_in_the_record_has_to_fit_even_where_another_is_handed_in(record: v1.MatchRecord, secret: bytes):
    record.secret = b"x" * 32
    assert verify(record, secret=secret) == [Problem(None, "The secret is not the one that was committed to.")]


def test_events_are_compared_entry_by_entry(record: v1.MatchRecord):
    wrong = [_first(record, "event", number) for number in (1, 5, 9)]
    for index in wrong:
        record.entries[index].event.mittlere.deal = 77
    assert [problem.entry for problem in verify(record)] == wrong


def test_entries_after_the_end_are_left_over(record: v1.MatchRecord):
    end = len(record.entries)
    record.entries.add()
    record.entries.add()
    assert verify(record) == [Problem(end, "The match was over before this entry; left over: 2.")]


# Most bytes of a record belong to entries that look alike, so the first ones are drawn more often.
_PLACES = st.integers(0, 600) | st.integers(0, 10_000)


@pytest.mark.slow
@given(changes=st.lists(st.tuples(_PLACES, st.integers(0, 255)), min_size=1, max_size=4))
def test_whatever_a_record_holds_nothing_worse_than_a_problem_comes_of_it(
    play_match: Callable[..., v1.MatchRecord], secret: bytes, changes: list[tuple[int, int]]
):
    """Some bytes of a record are overwritten; what can still be read as a record is verified and told."""
    data = bytearray(play_match(deals=3).SerializeToString())
    for place, byte in changes:
        data[place % len(data)] = byte
    try:
        record = v1.MatchRecord.FromString(bytes(data))
    except DecodeError:
        return
    for problem in verify(record, secret=secret):
        assert problem.entry is None or 0 <= problem.entry < len(record.entries)
        assert problem.sentence.endswith(".")
    assert all(line.isprintable() for line in tell(record))


@pytest.mark.parametrize("match_id", ["", "../../x", "A" * 32, "0" * 31, "0" * 33, "0" * 31 + "٣", "0" * 32 + "\n"])
def test_a_name_that_no_match_can_have_is_a_problem(record: v1.MatchRecord, match_id: str):
    record.match_id = match_id
    [problem] = verify(record)
    assert problem.sentence.startswith("The name of a match is 32 hexadecimal digits, and not '")
    assert problem.sentence.isprintable()


@pytest.mark.parametrize("field", ["name", "version", "build"])
@pytest.mark.parametrize("text", ["\x1b[2J", "a\nb", "x" * 65])
def test_a_name_that_no_bot_can_have_is_a_problem(record: v1.MatchRecord, field: str, text: str):
    setattr(record.seats[1], field, text)
    [problem] = verify(record)
    assert problem.sentence.startswith("Seat 1 has a name that no bot can have: '")
    assert problem.sentence.isprintable()
