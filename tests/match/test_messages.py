"""The messages that are put together from parts."""

from itertools import product

from ordago import v1
from ordago.match.messages import Acceptance


def test_an_acceptance_is_byte_for_byte_what_protobuf_makes_of_it() -> None:
    for number, charged_ms, bank_ms, lag_ms, lost_ms in product(
        (1, 300), (0, 127, 128, 70_000), (0, 5), (0, 6), (0, 7)
    ):
        message = v1.Accepted(number=number, charged_ms=charged_ms, bank_ms=bank_ms, lag_ms=lag_ms, lost_ms=lost_ms)
        made = Acceptance(number, charged_ms, bank_ms, lag_ms, lost_ms)
        assert made.serialized() == message.SerializeToString()
        assert (made.number, made.charged_ms, made.message()) == (number, charged_ms, message)
