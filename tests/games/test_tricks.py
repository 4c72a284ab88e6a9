"""The completed tricks of a deal are shown as the same tuples until another trick is completed."""

from ordago.games.tricks import NO_TRICKS, completed_tricks


def test_they_are_the_same_objects_until_another_one_is_completed() -> None:
    cards, takers = [7, 3], list[int]()
    assert completed_tricks(NO_TRICKS, cards=cards, takers=takers, seats=3) == NO_TRICKS
    cards.append(5)
    takers.append(2)
    first = completed_tricks(NO_TRICKS, cards=cards, takers=takers, seats=3)
    assert first == ((7, 3, 5), (2,))
    cards.append(9)
    again = completed_tricks(first, cards=cards, takers=takers, seats=3)
    assert all(shown is before for shown, before in zip(again, first, strict=True))
    cards += [1, 4]
    takers.append(0)
    assert completed_tricks(first, cards=cards, takers=takers, seats=3) == ((7, 3, 5, 9, 1, 4), (2, 0))


def test_what_was_seen_stays_as_it_was() -> None:
    cards, takers = [7, 3, 5], [2]
    seen = completed_tricks(NO_TRICKS, cards=cards, takers=takers, seats=3)
    cards += [1, 4, 9]
    takers.append(0)
    assert seen == ((7, 3, 5), (2,))
