"""Frames that are valid, nearly valid, or nothing at all, made as cheaply as possible from frames that are valid."""

from collections.abc import Sequence
from random import Random
from typing import Any

from support.frames import from_bot, hello

from ordago import v1

ABSURD_NUMBERS = (0, 1, 2, 3, 7, 127, 128, 255, 65_535, 2**31 - 1, 2**31, 2**32 - 1)
# As varints: greatest numbers, more than 64 bits, never ending.
_BAD_NUMBERS = (b"\xff\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01", b"\xff" * 11, b"\x80\x80\x00")


def _mutations() -> "Sequence[Any]":
    def flipped(frame: bytearray, rng: Random, _other: bytes) -> None:
        frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)

    def cut(frame: bytearray, rng: Random, _other: bytes) -> None:
        del frame[rng.randrange(len(frame)) :]

    def thinned(frame: bytearray, rng: Random, _other: bytes) -> None:
        place = rng.randrange(len(frame))
        del frame[place : place + rng.randrange(1, 5)]

    def blown_up(frame: bytearray, rng: Random, _other: bytes) -> None:
        place = rng.randrange(len(frame))
        frame[place : place + 1] = rng.choice(_BAD_NUMBERS)

    def spliced(frame: bytearray, rng: Random, other: bytes) -> None:
        frame[rng.randrange(len(frame)) :] = other[rng.randrange(len(other) + 1) :]

    def stuttering(frame: bytearray, rng: Random, _other: bytes) -> None:
        place = rng.randrange(len(frame))
        frame[place:place] = frame[place : place + rng.randrange(1, 9)] * rng.randrange(1, 20)

    return flipped, cut, thinned, blown_up, spliced, stuttering


_MUTATIONS = _mutations()


def mutated(frame: bytes, rng: Random, other: bytes) -> bytes:
    """Return a frame with something wrong in it; ``other`` is one to splice it with."""
    changed = bytearray(frame)
    for _ in range(rng.randrange(1, 4)):
        if changed:
            rng.choice(_MUTATIONS)(changed, rng, other)
    return bytes(changed)


def garbage(rng: Random) -> bytes:
    """Return bytes by chance."""
    return rng.randbytes(rng.randrange(1, 80))


def answers(rng: Random, number: int) -> list[v1.Answer]:
    """Return answers of all kinds, legal ones of some games among them."""
    return [_answer(rng) for _ in range(number)]


def _answer(rng: Random) -> v1.Answer:
    answer = v1.Answer()
    if rng.random() < 0.7:
        answer.legal_action = rng.choice(ABSURD_NUMBERS)
    else:
        answer.action.CopyFrom(_action(rng))
    if rng.random() < 0.3:
        answer.amount = rng.choice((0, 1, -1, 2**31 - 1, -(2**31)))
    if rng.random() < 0.3:
        answer.cards.extend(rng.randrange(130) for _ in range(rng.randrange(40)))
    if rng.random() < 0.2:
        answer.extra = rng.choice(ABSURD_NUMBERS)
    return answer


def _action(rng: Random) -> v1.Action:
    card = rng.randrange(130)
    action = v1.Action()
    kind = rng.randrange(4)
    if kind == 0:
        action.mittlere.card = card
    elif kind == 1:
        action.taihe.cards.extend([card, card])
    elif kind == 2:
        action.mus.amount = rng.choice(ABSURD_NUMBERS) % 2**31
    else:
        action.other.type_url = "type.googleapis.com/" + "x" * rng.randrange(200)
    return action


def greetings(rng: Random, number: int) -> list[bytes]:
    """Return frames that begin a session, most of them such as nobody is let in with."""
    return [from_bot(_greeting(rng)) for _ in range(number)]


def _greeting(rng: Random) -> v1.Hello:
    wrong = rng.choice(
        (
            {},
            {"min_version": 2, "max_version": 1},
            {"min_version": rng.choice(ABSURD_NUMBERS), "max_version": rng.choice(ABSURD_NUMBERS)},
            {"nonce": rng.randbytes(rng.choice((0, 15, 64, 65, 5000)))},
            {"games": ["poker" * rng.randrange(1, 500)]},
            {"bot": v1.Software(name="n" * rng.randrange(200))},
            {"resume": v1.Resume(session_id="nobody", resume_token="wrong")},  # noqa: S106 - it opens nothing
            {"resume": v1.Resume(session_id="é" * 50, resume_token="ü" * 50)},
        )
    )
    limits = {"max_matches": rng.choice(ABSURD_NUMBERS), "max_open_decisions": rng.choice(ABSURD_NUMBERS)}
    return hello(**{**limits, **wrong})
