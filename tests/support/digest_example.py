"""The record that docs/record-digest.md tells the digest of."""

from ordago import v1


def digest_example() -> v1.MatchRecord:
    """Return the record of the page."""
    return v1.MatchRecord(
        format_version=1,
        match_id="é",
        seats=[v1.RecordSeat(name="ana"), v1.RecordSeat()],
        clock=v1.ClockTerms(),
        secret=b"\x00\xff",
        outcome=v1.Outcome(scores=[-2, 0]),
    )
