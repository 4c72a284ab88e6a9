"""Who watches a run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # workers import this, and rate nobody
    from ordago_ladder.rating.ladder import Ladder


class EventListener(Protocol):
    """Whoever watches a run."""

    def began(self, *, played: int, planned: int) -> None:
        """Matches are played now: those that are due, of which some were played before.

        In an event that goes by rounds it is said of each.
        """

    def played(self, number: int) -> None:
        """So many more results were committed."""

    def standings(self, ladder: "Ladder") -> None:
        """The ladder changed."""

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """These remote entrants have checked in; it is waited for those, of whom it is said what is known of them."""

    def noted(self, sentence: str) -> None:
        """Something holds for the run that the organiser may want to know."""

    def warned(self, sentence: str) -> None:
        """Something happened that the organiser should know."""


class Unwatched:
    """Watches nothing. Who watches some of it begins with this."""

    def began(self, *, played: int, planned: int) -> None:
        """Pass it over."""

    def played(self, number: int) -> None:
        """Pass it over."""

    def standings(self, ladder: "Ladder") -> None:
        """Pass it over."""

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Pass it over."""

    def noted(self, sentence: str) -> None:
        """Pass it over."""

    def warned(self, sentence: str) -> None:
        """Pass it over."""
