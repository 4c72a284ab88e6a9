"""Listeners to the progress of a run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # workers import this module without the rating code
    from ordago_ladder.rating.ladder import Ladder


class EventListener(Protocol):
    """A listener that a run reports its progress to."""

    def began(self, *, played: int, planned: int) -> None:
        """Note that matches begin: ``planned`` in all, of which ``played`` are over already.

        An event in rounds calls it once for each round.
        """

    def played(self, number: int) -> None:
        """Note that ``number`` more results were committed."""

    def standings(self, ladder: "Ladder") -> None:
        """Take the new standings."""

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Note the remote entrants that are ``here`` during check-in, and those that are ``missing``.

        A value of ``missing`` is the number of connected processes as text; it is empty if there are none.
        """

    def noted(self, sentence: str) -> None:
        """Report a fact about the run that the organiser may want to know."""

    def warned(self, sentence: str) -> None:
        """Report an event that the organiser should know of."""


class Unwatched:
    """A listener that ignores everything: a base for listeners that need only some of the calls."""

    def began(self, *, played: int, planned: int) -> None:
        """Ignore it."""

    def played(self, number: int) -> None:
        """Ignore it."""

    def standings(self, ladder: "Ladder") -> None:
        """Ignore it."""

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Ignore it."""

    def noted(self, sentence: str) -> None:
        """Ignore it."""

    def warned(self, sentence: str) -> None:
        """Ignore it."""
