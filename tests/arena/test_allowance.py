"""So much at a stroke, so much again each second, and never more."""

import pytest

from ordago.arena.allowance import Allowance, Allowances


def taken(allowance: Allowance, *, at: float, tries: int = 100) -> int:
    return sum(not allowance.take(at=at) for _ in range(tries))


def test_at_first_as_much_can_be_taken_as_there_is_at_most() -> None:
    assert taken(Allowance(per_second=2, at_once=5), at=1000.0) == 5


def test_it_comes_back_at_its_rate_and_no_further_than_full() -> None:
    allowance = Allowance(per_second=2, at_once=5)
    taken(allowance, at=10.0)
    assert taken(allowance, at=10.9) == 1
    assert taken(allowance, at=12.0) == 3, "the rest of the second before counts"
    assert taken(allowance, at=99.0) == 5


def test_who_has_to_wait_is_told_how_long() -> None:
    allowance = Allowance(per_second=4, at_once=1)
    assert allowance.take(at=0.0) == 0
    assert allowance.take(at=0.0) == pytest.approx(0.25)
    assert allowance.take(at=0.2) == pytest.approx(0.05)
    assert allowance.take(at=0.25) == 0


def test_what_was_refused_is_not_taken() -> None:
    allowance = Allowance(per_second=1, at_once=3)
    assert allowance.take(at=0.0, amount=4) > 0
    assert allowance.take(at=0.0, amount=3) == 0


def test_time_does_not_go_back() -> None:
    allowance = Allowance(per_second=1, at_once=2)
    taken(allowance, at=50.0)
    assert taken(allowance, at=40.0) == 0
    assert taken(allowance, at=51.0) == 1


def test_it_is_full_again_after_a_while() -> None:
    allowance = Allowance(per_second=2, at_once=2)
    assert allowance.is_full(at=0.0)
    allowance.take(at=0.0)
    assert not allowance.is_full(at=0.4)
    assert allowance.is_full(at=0.5)


def test_who_waits_for_as_long_as_he_is_told_does_not_wait_again() -> None:
    for tenths in range(1, 1000):
        allowance = Allowance(per_second=50, at_once=50)
        at = tenths / 10
        allowance.take(at=at, amount=50)
        wait = allowance.take(at=at)
        assert wait > 0
        assert allowance.take(at=at + wait) == 0


def test_those_of_many_are_looked_through_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    is_full = Allowance.is_full

    def counted(self: Allowance, *, at: float) -> bool:
        nonlocal looked
        looked += 1
        return is_full(self, at=at)

    monkeypatch.setattr(Allowance, "is_full", counted)
    many = Allowances(per_second=0.001, at_once=10)
    for number in range(4000):
        many.take(f"{number}", at=0.0)
    assert 0 < looked < 8000, "twice as many as there are, in all"
