import pytest

from ordago import v1
from ordago.chance import commitment
from ordago.game import Outcome, OutcomeReason, Shuffle
from ordago.record import FORMAT_VERSION, RecordBuilder, digest
from ordago.wire.entries import event_entry

HEADING = v1.MatchRecord(
    format_version=FORMAT_VERSION,
    match_id="m",
    attempt=2,
    game="mittlere",
    rules_version=1,
    options=v1.GameOptions(mittlere=v1.MittlereOptions(deals=3)),
    seats=[v1.RecordSeat(name="ana"), v1.RecordSeat(name="ben")],
    clock=v1.ClockTerms(decision_ms=5),
    commitment=commitment(b"s"),
    secret=b"s",
    deal_seed="seed",
)


def _builder() -> RecordBuilder:
    heading = v1.MatchRecord()
    heading.CopyFrom(HEADING)
    return RecordBuilder(heading)


def test_what_is_known_at_the_start_stands_in_the_record():
    record = _builder().finish(Outcome(OutcomeReason.TARGET_REACHED, (3, -1), (1, 2))).message
    outcome = v1.Outcome(reason=v1.OUTCOME_REASON_TARGET_REACHED, scores=[3, -1], placings=[1, 2])
    expected = v1.MatchRecord(outcome=outcome)
    expected.MergeFrom(HEADING)
    assert record == expected


def test_entries_stand_in_the_order_in_which_they_came():
    builder = _builder()
    event, action = v1.Event(mittlere=v1.MittlereEvent(deal=4)), v1.Action(mittlere=v1.MittlereAction(card=6))
    builder.shuffled(Shuffle(1, 2, (6, 7)), (7, 6))
    builder.happened(event, event)
    builder.chosen(1, action.SerializeToString(), charged_ms=20, broken_rules=("r",), fault=v1.FAULT_TOO_LATE)
    builder.happened()
    builder.chosen(0, action.SerializeToString(), charged_ms=0)
    record = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (0, 0), (1, 1))).message
    assert list(record.entries) == [
        v1.RecordEntry(shuffle=v1.RecordedShuffle(deal=1, shuffle=2, cards=[7, 6])),
        v1.RecordEntry(event=event),
        v1.RecordEntry(event=event),
        v1.RecordEntry(
            choice=v1.RecordedChoice(
                seat=1, action=action, charged_ms=20, strikes=1, broken_rules=["r"], fault=v1.FAULT_TOO_LATE
            )
        ),
        v1.RecordEntry(choice=v1.RecordedChoice(seat=0, action=action)),
    ]


@pytest.mark.parametrize("charged_ms", [0, 1, 127, 128, 60_000, 2**32 - 1])
@pytest.mark.parametrize("fault", [v1.FAULT_UNSPECIFIED, v1.FAULT_TOO_LATE])
@pytest.mark.parametrize("times", [(0, 0, 0), (1, 2, 3), (0, 70_000, 0)])
def test_a_choice_is_byte_for_byte_what_protobuf_makes_of_it(
    charged_ms: int, fault: v1.Fault, times: tuple[int, int, int]
):
    action = v1.Action(mittlere=v1.MittlereAction(card=6))
    lag_ms, lost_ms, away_ms = times
    choice = v1.RecordedChoice(seat=2, action=action, charged_ms=charged_ms, strikes=2, fault=fault)
    choice.broken_rules.extend(["follow_suit", "needless"])
    choice.lag_ms, choice.lost_ms, choice.away_ms = times
    entry = _builder().chosen(
        2,
        action.SerializeToString(),
        charged_ms=charged_ms,
        broken_rules=("follow_suit", "needless"),
        fault=fault,
        lag_ms=lag_ms,
        lost_ms=lost_ms,
        away_ms=away_ms,
    )
    assert entry == v1.MatchRecord(entries=[v1.RecordEntry(choice=choice)]).SerializeToString()


@pytest.mark.parametrize("length", [1, 100, 110, 120, 230, 240, 250, 5_000])
def test_a_long_choice_is_byte_for_byte_what_protobuf_makes_of_it(length: int):
    """Around the lengths from which on the heads of choices are not listed any more."""
    action, rules = v1.Action(mittlere=v1.MittlereAction(card=6)), ["r" * length]
    for charged_ms in range(1, 40_000, 997):
        choice = v1.RecordedChoice(seat=2, action=action, charged_ms=charged_ms, strikes=1, broken_rules=rules)
        builder = _builder()
        entry = builder.chosen(2, action.SerializeToString(), charged_ms=charged_ms, broken_rules=tuple(rules))
        assert entry == v1.MatchRecord(entries=[v1.RecordEntry(choice=choice)]).SerializeToString()
        record = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (), ()))
        assert record.digest == digest(record.message)


def test_messages_may_be_shared_with_the_record():
    """The codec hands out the same message again and again: the record must not hold it, nor change it."""
    builder = _builder()
    event = v1.Event(mittlere=v1.MittlereEvent(deal=4))
    builder.happened(event)
    event.mittlere.deal = 5
    record = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (), ())).message
    assert record.entries[0].event.mittlere.deal == 4


def test_an_event_whose_entry_was_made_before_is_recorded_like_another():
    event, outcome = v1.Event(mittlere=v1.MittlereEvent(deal=4)), Outcome(OutcomeReason.TARGET_REACHED, (3, -1), (1, 2))
    made, told = _builder(), _builder()
    entry = event_entry(event.SerializeToString())
    made.add(entry)
    told.happened(event)
    assert made.finish(outcome).message == told.finish(outcome).message != _builder().finish(outcome).message


def test_a_record_is_serialized_as_protobuf_does_it():
    heading = v1.MatchRecord(secret=b"s" * 32, deal_seed="seed", faults=v1.FaultTerms(strikes=3))
    heading.MergeFrom(HEADING)
    builder = RecordBuilder(heading)
    builder.chosen(1, v1.Action(mittlere=v1.MittlereAction(card=6)).SerializeToString(), charged_ms=300, lag_ms=1)
    record = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (0, 0), (1, 1)))
    assert record.message.faults == heading.faults
    assert record.serialized == record.message.SerializeToString(deterministic=True)
    assert record.match_id == heading.match_id


def test_what_was_recorded_before_is_recorded_again_as_it_was():
    choice = v1.RecordedChoice(seat=1, action=v1.Action(mittlere=v1.MittlereAction(card=6)), charged_ms=3, strikes=1)
    builder = _builder()
    builder.recall(choice)
    record = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (0, 0), (1, 1))).message
    assert list(record.entries) == [v1.RecordEntry(choice=choice)]
