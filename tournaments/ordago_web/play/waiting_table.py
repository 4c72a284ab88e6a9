"""A table that waits for friends of whoever opened it. Whoever has its link may sit down."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import trio

from ordago.scene import sentence
from ordago_ladder.showing.scene_json import Translate
from ordago_web.play.human_match import Person
from ordago_web.play.wishes import Wish, WishError

_TOKEN_BYTES: Final = 16
"""128 bits: too many to guess."""
_SEATED: Final = sentence("You already sit at this table.").words
_UNNAMED: Final = sentence("Guest").words
_TAKEN: Final = sentence("All seats are taken.").words


class Guest(NamedTuple):
    """A person at a table that waits."""

    person: Person
    translate: Translate

    def named(self, form: Mapping[str, str]) -> str:
        """Return the name in a form, or the one for guests in the language of the person."""
        return form.get("name", "").strip() or self.translate(_UNNAMED)


class WaitingTable:
    """A table that waits. For use in trio's thread only."""

    def __init__(self, wish: Wish, host: Guest) -> None:
        """Open it, with the one who opens it at its seat."""
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        """The part of its link that lets people in."""
        self.wish = wish
        """The wish, from the seat of the host."""
        self.guests: dict[int, Guest] = {wish.seat: host}
        """The people at the table, by seat; the host is the first."""
        self.match_id = ""
        """The match that has begun here; empty before."""
        self.opened_at = trio.current_time()

    @property
    def host(self) -> Person:
        """The person who opened it."""
        return self.guests[self.wish.seat].person

    def seat_of(self, owner: str) -> int | None:
        """Return the seat of a browser; ``None`` if it has none here."""
        return next((seat for seat, guest in self.guests.items() if guest.person.owner == owner), None)

    @property
    def free(self) -> Sequence[int]:
        """The seats that are free."""
        return self.wish.free

    def sit(self, guest: Guest, name: str) -> None:
        """Give a guest the next free seat.

        Raises:
            WishError: it has one, all are taken, or the name does not do.
        """
        if self.seat_of(guest.person.owner) is not None:
            raise WishError(_SEATED)
        if self.match_id or not self.free:
            raise WishError(_TAKEN)
        seat = self.free[0]
        self.wish = self.wish.seated(seat, name)._replace(seat=self.wish.seat)
        self.guests[seat] = guest

    def hand_over(self, before: str, after: str) -> None:
        """Move the seat of a browser to the new id of its session."""
        seat = self.seat_of(before)
        if seat is not None:
            guest = self.guests[seat]
            self.guests[seat] = guest._replace(person=guest.person._replace(owner=after))
