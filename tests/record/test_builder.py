from ordago import v1
from ordago.chance import commitment
from ordago.game import Outcome, OutcomeReason, Shuffle
from ordago.games import find_game
from ordago.record import FORMAT_VERSION, RecordBuilder


def _builder(**more: bytes) -> RecordBuilder:
    return RecordBuilder(
        match_id="m",
        attempt=2,
        game=find_game("mittlere"),
        options=v1.GameOptions(mittlere=v1.MittlereOptions(deals=3)),
        seats=[v1.RecordSeat(name="ana"), v1.RecordSeat(name="ben")],
        clock=v1.ClockTerms(decision_ms=5),
        commitment=commitment(b"s"),
        deal_seed="seed",
        **more,
    )


def test_what_is_known_at_the_start_stands_in_the_record():
    record = _builder(secret=b"s").finish(Outcome(OutcomeReason.TARGET_REACHED, (3, -1), (1, 2)))
    assert record == v1.MatchRecord(
        format_version=FORMAT_VERSION,
        match_id="m",
        attempt=2,
        game="mittlere",
        rules_version=find_game("mittlere").rules.version,
        options=v1.GameOptions(mittlere=v1.MittlereOptions(deals=3)),
        seats=[v1.RecordSeat(name="ana"), v1.RecordSeat(name="ben")],
        clock=v1.ClockTerms(decision_ms=5),
        commitment=commitment(b"s"),
        secret=b"s",
        deal_seed="seed",
        outcome=v1.Outcome(reason=v1.OUTCOME_REASON_TARGET_REACHED, scores=[3, -1], placings=[1, 2]),
    )


def test_entries_stand_in_the_order_in_which_they_came():
    builder = _builder()
    event, action = v1.Event(mittlere=v1.MittlereEvent(deal=4)), v1.Action(mittlere=v1.MittlereAction(card=6))
    builder.shuffled(Shuffle(1, 2, (6, 7)), (7, 6))
    builder.happened(event, event)
    builder.chosen(1, action.SerializeToString(), charged_ms=20, strikes=1, fault=v1.FAULT_TOO_LATE)
    builder.happened()
    builder.chosen(0, action.SerializeToString(), charged_ms=0)
    record = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (0, 0), (1, 1)))
    assert list(record.entries) == [
        v1.RecordEntry(shuffle=v1.RecordedShuffle(deal=1, shuffle=2, cards=[7, 6])),
        v1.RecordEntry(event=event),
        v1.RecordEntry(event=event),
        v1.RecordEntry(
            choice=v1.RecordedChoice(seat=1, action=action, charged_ms=20, strikes=1, fault=v1.FAULT_TOO_LATE)
        ),
        v1.RecordEntry(choice=v1.RecordedChoice(seat=0, action=action)),
    ]


def test_messages_may_be_shared_with_the_record():
    """The codec hands out the same message again and again: the record must not hold it, nor change it."""
    builder = _builder()
    event = v1.Event(mittlere=v1.MittlereEvent(deal=4))
    builder.happened(event)
    event.mittlere.deal = 5
    record = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (), ()))
    assert record.entries[0].event.mittlere.deal == 4
